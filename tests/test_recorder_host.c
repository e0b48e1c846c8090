/* test_recorder_host.c - what a program may do around its recording */

#define _DEFAULT_SOURCE		/* setitimer */

#include "recorded.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct dmtrace_recorder *shared;
static uint32_t method;

static void
call(void)
{
	dmtrace_recorder_enter(shared, method);
	dmtrace_recorder_exit(shared, method);
}

#define FORKS 200

static volatile sig_atomic_t is_child, forks, records_in_handler;
static pid_t children[FORKS];

/* In the child: 0 if it could record for itself alone. */
static int
record_in_child(void)
{
	struct dmtrace_recorder_result result;
	char path[32];

	snprintf(path, sizeof(path), "%ld.trace", (long)getpid());
	for (int i = 0; i < 1000; i++)
		call();
	if (dmtrace_recorder_start(shared, path) != DMTRACE_OK)
		return 1;
	call();
	if (dmtrace_recorder_stop(shared, &result) != DMTRACE_OK)
		return 2;
	return result.events == 2 && result.dropped == 0 ? 0 : 3;
}

static void
fork_in_handler(int number)
{
	(void)number;
	const pid_t child = fork();
	if (child != 0)
		children[forks++] = child;
	else if (records_in_handler)
		_exit(record_in_child());
	else
		is_child = 1;
}

static void
record_until_forked(unsigned delay_us)
{
	const struct itimerval timer = {
		.it_value = { .tv_usec = delay_us }
	};
	const int before = forks;

	ck_assert_int_eq(setitimer(ITIMER_REAL, &timer, NULL), 0);
	while (forks == before && !is_child)
		call();
}

/* Mostly within an event, which goes on in the child behind the handler; or
 * the child records in the handler, and ends there. */
START_TEST(forks_in_a_handler_within_an_event)
{
	int status;

	signal(SIGALRM, fork_in_handler);
	records_in_handler = _i;
	forks = 0;
	shared = started("x.trace", NULL);
	method = method_of(shared, 'a');
	for (unsigned i = 0; i < FORKS && !is_child; i++)
		record_until_forked(100 + i % 97);
	if (is_child)
		_exit(record_in_child());
	for (int i = 0; i < FORKS; i++) {
		ck_assert_int_eq(waitpid(children[i], &status, 0),
		    children[i]);
		ck_assert_int_eq(status, 0);
	}
	const uint64_t events = stopped(shared).events;
	dmtrace_recorder_free(shared);
	ck_assert_uint_eq(assert_sound("x.trace"), events);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_host");
	TCase *tcase = unit_tcase(suite, "recorder_host");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, forks_in_a_handler_within_an_event, 0, 2);
	return unit_main(suite);
}
