/* writer.c - writers that are misused */

#include "misuse.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

/* A writer of one call, which is not closed. */
static struct dmtrace_writer *
open_writer(const char *path)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	OK(dmtrace_writer_open_path(writer, path));
	OK(dmtrace_writer_add_thread(writer, 1, "main"));
	OK(dmtrace_writer_add_method(writer, 4, "a", "b"));
	OK(dmtrace_writer_enter(writer, 1, 4, 1000));
	OK(dmtrace_writer_exit(writer, 1, 4, 2000));
	return writer;
}

static void
a_forgotten_close_leaves_no_file(void)
{
	static const char *const paths[] = { "x.trace", "x.key", "x.dmt" };

	for (size_t i = 0; i < 3; i++) {
		dmtrace_writer_free(open_writer(paths[i]));
		HOLDS(file_count() == 0);
	}
}

static void
a_forgotten_open_is_returned_by_close(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	OK(dmtrace_writer_add_thread(writer, 1, "main"));
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_STATE);
	SAYS(dmtrace_writer_error(writer), "dmtrace_writer_close");
	dmtrace_writer_free(writer);
	HOLDS(file_count() == 0);
}

/* What a program that looks at no status gets is the first failure. */
static void
no_status_is_looked_at_before_close(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	dmtrace_writer_set_layout(writer, 77, DMTRACE_CLOCK_WALL);
	dmtrace_writer_open_path(writer, "missing/x.trace");
	dmtrace_writer_add_method(writer, 5, NULL, NULL);
	dmtrace_writer_enter(writer, 9, 9, UINT64_MAX);
	dmtrace_writer_write(writer, NULL, 7);
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_RANGE);
	SAYS(dmtrace_writer_error(writer), "77");
	dmtrace_writer_free(writer);
}

static void
a_path_that_cannot_be_a_file_is_an_error(void)
{
	char *const name = letters(100000);
	const char *const paths[] = { "", ".", "..", "/", "missing/x.trace",
		"x.trace/", name };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		dmtrace_writer_open_path(writer, paths[i]);
		IS(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
		HOLDS(dmtrace_writer_error(writer)->sys_errno != 0);
		dmtrace_writer_free(writer);
		HOLDS(file_count() == 0);
	}
	free(name);
}

/* The name is all ending: a pair of "" is ".key" and ".data". */
static void
a_path_that_is_only_an_ending_is_a_pair(void)
{
	make_trace(".key");
	HOLDS(exists(".key") && exists(".data") && file_count() == 2);
}

static void
a_descriptor_that_cannot_be_written_is_an_error(void)
{
	const int closed = open("/dev/null", O_WRONLY);
	const int read_only = open("/dev/null", O_RDONLY);
	const int fds[] = { -1, INT32_MIN, INT32_MAX, closed, read_only };

	close(closed);
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		dmtrace_writer_open_fd(writer, fds[i]);
		IS(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
		IS(dmtrace_writer_error(writer)->sys_errno, EBADF);
		dmtrace_writer_free(writer);
	}
	close(read_only);
}

static void
a_descriptor_that_is_closed_too_early_is_an_error(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const int fd = open("x.trace", O_WRONLY | O_CREAT, 0666);

	OK(dmtrace_writer_open_fd(writer, fd));
	close(fd);
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
	dmtrace_writer_free(writer);
}

/* The trace has the name that it was given, wherever the program is then. */
static void
a_change_of_folder_before_close_does_not_move_the_trace(void)
{
	static const char *const paths[] = { "x.trace", "x.key", "x.dmt" };

	HOLDS(mkdir("elsewhere", 0777) == 0);
	for (size_t i = 0; i < 3; i++) {
		struct dmtrace_writer *const writer = open_writer(paths[i]);

		HOLDS(chdir("elsewhere") == 0);
		OK(dmtrace_writer_close(writer));
		dmtrace_writer_free(writer);
		HOLDS(file_count() == 0);
		HOLDS(chdir("..") == 0);
		HOLDS(exists(paths[i]));
	}
	HOLDS(file_count() == 5);
}

static void
a_free_after_a_change_of_folder_leaves_no_file(void)
{
	static const char *const paths[] = { "x.trace", "x.key", "x.dmt" };

	HOLDS(mkdir("elsewhere", 0777) == 0);
	for (size_t i = 0; i < 3; i++) {
		struct dmtrace_writer *const writer = open_writer(paths[i]);

		HOLDS(chdir("elsewhere") == 0);
		dmtrace_writer_free(writer);
		HOLDS(chdir("..") == 0);
		HOLDS(file_count() == 1);
	}
}

static void
a_folder_that_is_removed_before_close_is_an_error(void)
{
	HOLDS(mkdir("gone", 0777) == 0);
	struct dmtrace_writer *const writer = open_writer("gone/x.trace");
	HOLDS(system("rm -r gone") == 0);
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
	dmtrace_writer_free(writer);
	HOLDS(file_count() == 0);
}

/* Each is complete; the last one that is closed has the name. */
static void
two_writers_of_one_path_do_not_mix(void)
{
	struct dmtrace_writer *const first = open_writer("x.trace");
	struct dmtrace_writer *const second = open_writer("x.trace");

	OK(dmtrace_writer_enter(second, 1, 4, 3000));
	OK(dmtrace_writer_close(second));
	OK(dmtrace_writer_close(first));
	dmtrace_writer_free(first);
	dmtrace_writer_free(second);
	HOLDS(file_count() == 1);
#ifndef MISUSE_ONE_HEADER
	HOLDS(events_of("x.trace") == 2);
#endif
}

/* A child has a copy of the writer; what it does must not harm the trace. */
static void
a_child_that_frees_the_writer_takes_no_file_away(void)
{
	struct dmtrace_writer *const writer = open_writer("x.trace");
	const pid_t child = fork();

	if (child == 0) {
		dmtrace_writer_free(writer);
		_exit(0);
	}
	HOLDS(waitpid(child, NULL, 0) == child);
	OK(dmtrace_writer_close(writer));
	dmtrace_writer_free(writer);
	HOLDS(file_count() == 1);
#ifndef MISUSE_ONE_HEADER
	HOLDS(events_of("x.trace") == 2);
#endif
}

static void
no_events_may_be_null(void)
{
	struct dmtrace_writer *const writer = open_writer("x.trace");

	OK(dmtrace_writer_write(writer, NULL, 0));
	IS(dmtrace_writer_write(writer, NULL, 1), DMTRACE_ERR_STATE);
	SAYS(dmtrace_writer_error(writer), "dmtrace_writer_write");
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);
	HOLDS(file_count() == 0);
}

/* One event of many does not fit: none of them is written. */
static void
a_batch_with_a_bad_event_is_refused_whole(void)
{
	struct dmtrace_writer *const writer = open_writer("x.trace");
	const struct dmtrace_event events[] = {
		{ 4, 1, 1, 1, DMTRACE_ENTER },
		{ UINT64_MAX, 1, 1, UINT32_MAX, (enum dmtrace_action)-1 }
	};

	IS(dmtrace_writer_write(writer, events, 2), DMTRACE_ERR_RANGE);
	IS(dmtrace_writer_write(writer, events, 1), DMTRACE_ERR_RANGE);
	dmtrace_writer_free(writer);
}

static void
numbers_out_of_range_are_refused(void)
{
	static const struct {
		uint32_t thread;
		uint64_t method;
		uint64_t time_ns;
	} rows[] = {
		{ UINT32_MAX, 4, 0 },
		{ 1, UINT64_MAX - 3, 0 },
		{ 1, 4, UINT64_MAX },
		{ 1, 4, UINT64_MAX - 1 },
		{ 1, 4, (uint64_t)-1000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		OK(dmtrace_writer_open_memory(writer));
		OK(dmtrace_writer_add_thread(writer, rows[i].thread, NULL));
		OK(dmtrace_writer_add_method(writer, rows[i].method, "a",
		    "b"));
		IS(dmtrace_writer_enter(writer, rows[i].thread,
		    rows[i].method, rows[i].time_ns), DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
	}
}

static void
settings_out_of_range_are_refused(void)
{
	static const unsigned versions[] = { 0, 4, UINT32_MAX, 0xf2 };
	static const int numbers[] = { 0, 10, -1, INT32_MAX };

	for (size_t i = 0; i < 4; i++) {
		struct dmtrace_writer *writer = dmtrace_writer_new();

		IS(dmtrace_writer_set_layout(writer, versions[i],
		    DMTRACE_CLOCK_WALL), DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
		writer = dmtrace_writer_new();
		IS(dmtrace_writer_set_dialect(writer,
		    (enum dmtrace_dialect)numbers[i], DMTRACE_STAGE_ANY,
		    DMTRACE_CLOCK_MISSING), DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
		writer = dmtrace_writer_new();
		IS(dmtrace_writer_set_dialect(writer, DMTRACE_DIALECT_V5,
		    (enum dmtrace_stage)(numbers[i] | 16),
		    DMTRACE_CLOCK_MISSING), DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
		writer = dmtrace_writer_new();
		IS(dmtrace_writer_set_layout(writer, 3,
		    (enum dmtrace_clock)(numbers[i] | 16)),
		    DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
	}
}

static void
memory_is_there_after_the_close_alone(void)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	size_t len = 77;

	HOLDS(dmtrace_writer_memory(writer, &len) == NULL && len == 0);
	OK(dmtrace_writer_open_memory(writer));
	len = 77;
	HOLDS(dmtrace_writer_memory(writer, &len) == NULL && len == 0);
	OK(dmtrace_writer_close(writer));
	const void *const bytes = dmtrace_writer_memory(writer, &len);
	HOLDS(bytes != NULL && memcmp(bytes, "*version", 8) == 0);
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);

	writer = open_writer("x.trace");
	OK(dmtrace_writer_close(writer));
	len = 77;
	HOLDS(dmtrace_writer_memory(writer, &len) == NULL && len == 0);
	dmtrace_writer_free(writer);
}

/* A function that always says it was interrupted, or takes nothing. */
static ptrdiff_t
take_nothing(void *context, const void *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	errno = 0;
	return *(const int *)context;
}

static void
a_function_that_takes_nothing_is_an_error(void)
{
	static int numbers[] = { 0, -1, INT32_MIN };

	for (size_t i = 0; i < 3; i++) {
		const struct dmtrace_output output = { take_nothing,
			&numbers[i] };
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		OK(dmtrace_writer_open_output(writer, &output));
		IS(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
		HOLDS(dmtrace_writer_error(writer)->sys_errno != 0);
		dmtrace_writer_free(writer);
	}
}

static void
a_pair_of_packets_is_unsupported(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	OK(dmtrace_writer_set_dialect(writer, DMTRACE_DIALECT_V5,
	    DMTRACE_STAGE_ANY, DMTRACE_CLOCK_DUAL));
	IS(dmtrace_writer_open_path(writer, "x.key"), DMTRACE_ERR_UNSUPPORTED);
	dmtrace_writer_free(writer);
	HOLDS(file_count() == 0);
}

static void
close_returns_that_options_fit_no_packet(void)
{
	static char value[65536];
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	memset(value, 'x', sizeof(value) - 1);
	OK(dmtrace_writer_set_dialect(writer, DMTRACE_DIALECT_V5,
	    DMTRACE_STAGE_ANY, DMTRACE_CLOCK_DUAL));
	OK(dmtrace_writer_open_path(writer, "x.trace"));
	OK(dmtrace_key_option_set(dmtrace_writer_key(writer), "x", value));
	IS(dmtrace_writer_close(writer), DMTRACE_ERR_RANGE);
	dmtrace_writer_free(writer);
	HOLDS(file_count() == 0);
}

static const struct misuse cases[] = {
	CASE(a_forgotten_close_leaves_no_file),
	CASE(a_forgotten_open_is_returned_by_close),
	CASE(no_status_is_looked_at_before_close),
	CASE(a_path_that_cannot_be_a_file_is_an_error),
	CASE(a_path_that_is_only_an_ending_is_a_pair),
	CASE(a_descriptor_that_cannot_be_written_is_an_error),
	CASE(a_descriptor_that_is_closed_too_early_is_an_error),
	CASE(a_change_of_folder_before_close_does_not_move_the_trace),
	CASE(a_free_after_a_change_of_folder_leaves_no_file),
	CASE(a_folder_that_is_removed_before_close_is_an_error),
	CASE(two_writers_of_one_path_do_not_mix),
	CASE(a_child_that_frees_the_writer_takes_no_file_away),
	CASE(no_events_may_be_null),
	CASE(a_batch_with_a_bad_event_is_refused_whole),
	CASE(numbers_out_of_range_are_refused),
	CASE(settings_out_of_range_are_refused),
	CASE(memory_is_there_after_the_close_alone),
	CASE(a_function_that_takes_nothing_is_an_error),
	CASE(a_pair_of_packets_is_unsupported),
	CASE(close_returns_that_options_fit_no_packet)
};

MISUSE_MAIN(cases)
