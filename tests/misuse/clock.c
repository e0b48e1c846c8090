/* clock.c - a recorder in a program whose clocks are set back
 *
 * clock_gettime is the program's own, as a debugger or a virtual machine may
 * have one: the library calls it, too.
 */

#define _GNU_SOURCE		/* syscall */

#include "misuse.h"

#include <sys/syscall.h>
#include <time.h>

enum { CALLS = 3000 };

static int64_t back_ns;		/* how much the clocks are behind */
static int64_t step_ns;		/* by how much each call sets them back */

int
clock_gettime(clockid_t id, struct timespec *time)
{
	const long status = syscall(SYS_clock_gettime, id, time);
	int64_t ns = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;

	back_ns += step_ns;
	ns = ns > back_ns ? ns - back_ns : 0;
	time->tv_sec = (time_t)(ns / 1000000000);
	time->tv_nsec = (long)(ns % 1000000000);
	return (int)status;
}

/* The events that are read: as many, and each thread's times go on. */
static void
check_times(const char *path, uint64_t events)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	uint64_t wall = 0, cpu = 0, count = 0;

	OK(dmtrace_reader_open_path(reader, path));
	for (; dmtrace_reader_next(reader, &event) == DMTRACE_OK; count++) {
		HOLDS(event.wall_ns == DMTRACE_NO_TIME ||
		    event.wall_ns >= wall);
		HOLDS(event.cpu_ns == DMTRACE_NO_TIME || event.cpu_ns >= cpu);
		if (event.wall_ns != DMTRACE_NO_TIME)
			wall = event.wall_ns;
		if (event.cpu_ns != DMTRACE_NO_TIME)
			cpu = event.cpu_ns;
	}
	OK(dmtrace_reader_error(reader)->status);
	HOLDS(count == events);
	HOLDS(wall < UINT64_C(60000000000) && cpu < UINT64_C(60000000000));
	dmtrace_reader_free(reader);
}

/* Nothing is lost, and a file does not end for it. */
static void
record_back(int64_t each_ns, int64_t once_ns)
{
	static const struct dmtrace_recorder_options rows[] = {
		{ .system_clock = 1 },
		{ .clock = DMTRACE_CLOCK_THREAD_CPU },
		{ .clock = DMTRACE_CLOCK_DUAL },
		{ .streaming = 1, .clock = DMTRACE_CLOCK_DUAL },
		{ .buffer_size = 4096, .memory_limit = 4096 },
		{ .journal = 1, .system_clock = 1, .buffer_size = 4096 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_recorder_result result;
		struct dmtrace_op *const op = dmtrace_op_new();
		struct dmtrace_validity validity;

		step_ns = back_ns = 0;
		OK(dmtrace_start("x.trace", &rows[i]));
		const uint32_t method = dmtrace_intern("T", "a");
		for (int call = 0; call < CALLS; call++) {
			if (call == CALLS / 2) {
				step_ns = each_ns;
				back_ns = once_ns;
			}
			dmtrace_enter(method);
			dmtrace_exit(method);
		}
		OK(dmtrace_stop(&result));
		HOLDS(result.events == 2 * CALLS && result.dropped == 0);
		HOLDS(result.files == 1 && result.ended == 0);
		check_times("x.trace", result.events);
		OK(dmtrace_validate(op, &(struct dmtrace_file){
		    .path = "x.trace" }, &validity));
		HOLDS(validity.findings[DMTRACE_ERROR] == 0);
		dmtrace_op_free(op);
	}
}

static void
clocks_that_are_set_back_an_hour_stand_still(void)
{
	record_back(0, INT64_C(3600000000000));
}

static void
clocks_that_go_backwards_stand_still(void)
{
	record_back(5000, 0);
}

static void
clocks_that_are_set_back_before_the_epoch_stand_still(void)
{
	record_back(0, INT64_MAX);
}

static const struct misuse cases[] = {
	CASE(clocks_that_are_set_back_an_hour_stand_still),
	CASE(clocks_that_go_backwards_stand_still),
	CASE(clocks_that_are_set_back_before_the_epoch_stand_still)
};

MISUSE_MAIN(cases)
