/* reader.c - readers and sources that are misused */

#include "misuse.h"

#include <errno.h>
#include <fcntl.h>

static struct dmtrace_reader *
open_reader(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	make_trace("x.trace");
	OK(dmtrace_reader_open_path(reader, "x.trace"));
	return reader;
}

static void
a_reader_that_is_not_open_has_nothing(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_reader_info info;

	OK(dmtrace_reader_info_get(reader, &info));
	HOLDS(info.clock == DMTRACE_CLOCK_MISSING && info.key_path == NULL);
	HOLDS(dmtrace_reader_key(reader) == NULL);
	HOLDS(dmtrace_reader_finding_get(reader, 0) == NULL);
	HOLDS(dmtrace_reader_finding_get(reader, SIZE_MAX) == NULL);
	HOLDS(strcmp(dmtrace_reader_method_name(reader, UINT64_MAX),
	    "0xffffffffffffffff") == 0);
	HOLDS(dmtrace_reader_thread_name(reader, UINT32_MAX) != NULL);
	OK(dmtrace_reader_error(reader)->status);
	dmtrace_reader_free(reader);
}

static void
a_path_that_is_no_file_is_an_error(void)
{
	char *const name = letters(100000);
	const char *const paths[] = { "", ".", "/", "missing", "missing/x",
		name, "/dev/null" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct dmtrace_event event;

		HOLDS(dmtrace_reader_open_path(reader, paths[i]) !=
		    DMTRACE_OK);
		HOLDS(dmtrace_reader_error(reader)->message[0] != '\0');
		IS(dmtrace_reader_next(reader, &event),
		    dmtrace_reader_error(reader)->status);
		dmtrace_reader_free(reader);
	}
	free(name);
}

/* The first failure stays: a reader is for one trace. */
static void
a_second_open_does_not_mend_the_first(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	make_trace("x.trace");
	IS(dmtrace_reader_open_path(reader, "missing"), DMTRACE_ERR_IO);
	IS(dmtrace_reader_open_path(reader, "x.trace"), DMTRACE_ERR_IO);
	SAYS(dmtrace_reader_error(reader), "missing");
	IS(dmtrace_reader_next(reader, &event), DMTRACE_ERR_IO);
	dmtrace_reader_free(reader);
}

static void
a_descriptor_that_cannot_be_read_is_an_error(void)
{
	const int closed = open("/dev/null", O_RDONLY);
	const int write_only = open("/dev/null", O_WRONLY);
	const int folder = open(".", O_RDONLY);
	const int fds[] = { -1, INT32_MIN, INT32_MAX, closed, write_only,
		folder };

	close(closed);
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		IS(dmtrace_reader_open_fd(reader, fds[i]), DMTRACE_ERR_IO);
		HOLDS(dmtrace_reader_error(reader)->sys_errno != 0);
		dmtrace_reader_free(reader);
	}
	close(write_only);
	close(folder);
}

/* The manual asks for it until the reader is freed. */
static void
a_descriptor_that_is_closed_too_early_is_an_error(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	int status = DMTRACE_OK;

	make_trace("x.trace");
	const int fd = open("x.trace", O_RDONLY);
	OK(dmtrace_reader_open_fd(reader, fd));
	close(fd);
	while (status == DMTRACE_OK)
		status = dmtrace_reader_next(reader, &event);
	HOLDS(status == DMTRACE_ERR_IO || status == DMTRACE_END);
	dmtrace_reader_free(reader);
}

static void
bytes_may_be_null_if_there_are_none(void)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	IS(dmtrace_reader_open_memory(reader, NULL, 5), DMTRACE_ERR_STATE);
	dmtrace_reader_free(reader);
	reader = dmtrace_reader_new();
	IS(dmtrace_reader_open_memory(reader, "", 0), DMTRACE_ERR_NOT_TRACE);
	dmtrace_reader_free(reader);
}

static void
one_file_is_no_pair(void)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	make_trace("x.trace");
	HOLDS(dmtrace_reader_open_pair(reader, "x.trace", "x.trace") !=
	    DMTRACE_OK);
	dmtrace_reader_free(reader);
	make_trace("y.key");
	reader = dmtrace_reader_new();
	HOLDS(dmtrace_reader_open_pair(reader, "y.data", "y.key") !=
	    DMTRACE_OK);
	dmtrace_reader_free(reader);
	reader = dmtrace_reader_new();
	IS(dmtrace_reader_open_pair(reader, "y.key", NULL),
	    DMTRACE_ERR_STATE);
	dmtrace_reader_free(reader);
}

static void
limits_out_of_range_are_refused(void)
{
	static const int limits[] = { DMTRACE_LIMIT_DEPTH, 3, -1, INT32_MAX };

	for (size_t i = 0; i < 4; i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		IS(dmtrace_reader_set_limit(reader,
		    (enum dmtrace_limit)limits[i], 1), DMTRACE_ERR_RANGE);
		IS(dmtrace_reader_open_memory(reader, "", 0),
		    DMTRACE_ERR_RANGE);
		dmtrace_reader_free(reader);
	}
}

/* Nothing is below a limit of 0, and everything below the largest one. */
static void
a_limit_may_be_any_number(void)
{
	make_trace("x.trace");
	for (size_t i = 0; i < 2; i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		OK(dmtrace_reader_set_limit(reader, DMTRACE_LIMIT_KEY,
		    i == 0 ? 0 : UINT64_MAX));
		OK(dmtrace_reader_set_limit(reader, DMTRACE_LIMIT_LINE,
		    i == 0 ? 0 : UINT64_MAX));
		IS(dmtrace_reader_open_path(reader, "x.trace"),
		    i == 0 ? DMTRACE_ERR_LIMIT : DMTRACE_OK);
		dmtrace_reader_free(reader);
	}
}

static void
the_end_is_reached_once_and_for_all(void)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_event events[5];
	size_t count = 77;

	OK(dmtrace_reader_read(reader, events, 5, &count));
	HOLDS(count == 2);
	for (int i = 0; i < 3; i++) {
		OK(dmtrace_reader_read(reader, events, 5, &count));
		HOLDS(count == 0);
		IS(dmtrace_reader_next(reader, events), DMTRACE_END);
	}
	OK(dmtrace_reader_error(reader)->status);
	dmtrace_reader_free(reader);
}

/* The names of both functions are used together, as in a printf. */
static void
a_name_of_the_other_function_stays(void)
{
	struct dmtrace_reader *const reader = open_reader();

	const char *const thread = dmtrace_reader_thread_name(reader, 1);
	const char *const method = dmtrace_reader_method_name(reader, 4);
	HOLDS(strcmp(thread, "main") == 0 && strcmp(method, "a.b") == 0);
	dmtrace_reader_free(reader);
}

/* Paths of the caller are copied, and the working folder may change. */
static void
paths_of_the_caller_are_copied(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_reader_info info;
	struct dmtrace_event event;
	char path[] = "x.trace";

	make_trace(path);
	OK(dmtrace_reader_open_path(reader, path));
	path[0] = '?';
	HOLDS(chdir("/") == 0);
	OK(dmtrace_reader_info_get(reader, &info));
	HOLDS(strcmp(info.key_path, "x.trace") == 0);
	OK(dmtrace_reader_next(reader, &event));
	dmtrace_reader_free(reader);
}

static ptrdiff_t
read_number(void *context, void *out, size_t len)
{
	(void)out;
	(void)len;
	errno = 0;
	return *(const int *)context;
}

static void
a_function_that_has_no_bytes_is_an_error(void)
{
	static int numbers[] = { 0, -1, INT32_MIN };

	for (size_t i = 0; i < 3; i++) {
		const struct dmtrace_input input = { read_number,
			&numbers[i] };
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		IS(dmtrace_reader_open_input(reader, &input),
		    i == 0 ? DMTRACE_ERR_NOT_TRACE : DMTRACE_ERR_IO);
		HOLDS(i == 0 || dmtrace_reader_error(reader)->sys_errno != 0);
		dmtrace_reader_free(reader);
	}
}

/* A function of the caller uses another reader in the meantime. */
static ptrdiff_t
read_from_another(void *context, void *out, size_t len)
{
	FILE *const file = (FILE *)context;
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	OK(dmtrace_reader_open_path(reader, "x.trace"));
	dmtrace_reader_free(reader);
	return (ptrdiff_t)fread(out, 1, len < 3 ? len : 3, file);
}

static void
a_function_may_use_another_reader(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	make_trace("x.trace");
	FILE *const file = fopen("x.trace", "r");
	const struct dmtrace_input input = { read_from_another, file };
	OK(dmtrace_reader_open_input(reader, &input));
	OK(dmtrace_reader_next(reader, &event));
	OK(dmtrace_reader_next(reader, &event));
	IS(dmtrace_reader_next(reader, &event), DMTRACE_END);
	dmtrace_reader_free(reader);
	fclose(file);
}

/* Only the source may read from the reader; it notices that another did. */
static void
a_source_notices_that_its_reader_was_read(void)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_source *const second = dmtrace_source_new(reader);
	struct dmtrace_event event;

	OK(dmtrace_reader_next(reader, &event));
	IS(dmtrace_source_next(source, &event), DMTRACE_ERR_STATE);
	IS(dmtrace_source_next(second, &event), DMTRACE_ERR_STATE);
	dmtrace_source_free(source);
	dmtrace_source_free(second);
	dmtrace_reader_free(reader);
}

static void
two_sources_of_a_reader_do_not_share_it(void)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_source *const first = dmtrace_source_new(reader);
	struct dmtrace_source *const second = dmtrace_source_new(reader);
	struct dmtrace_event event;

	OK(dmtrace_source_next(first, &event));
	IS(dmtrace_source_next(second, &event), DMTRACE_ERR_STATE);
	OK(dmtrace_source_next(first, &event));
	IS(dmtrace_source_next(first, &event), DMTRACE_END);
	dmtrace_source_free(second);
	dmtrace_source_free(first);
	dmtrace_reader_free(reader);
}

/* Whatever the reader gives then: no crash, and an end. */
static void
a_reader_that_is_read_beside_its_source_ends(void)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_event event;
	int status = DMTRACE_OK;

	OK(dmtrace_source_next(source, &event));
	for (int i = 0; i < 10; i++) {
		status = dmtrace_reader_next(reader, &event);
		dmtrace_source_next(source, &event);
	}
	HOLDS(status != DMTRACE_OK);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}

/* A row that was kept is a copy, and stays what it was. */
static void
a_row_that_was_kept_stays(void)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_row first, second;
	size_t count;

	OK(dmtrace_source_read(source, &first, 1, &count));
	OK(dmtrace_source_read(source, &second, 1, &count));
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	HOLDS(first.event.action == DMTRACE_ENTER && first.depth == 1);
	HOLDS(second.event.action == DMTRACE_EXIT);
}

static void
settings_after_the_open_fail_and_stay_so(void)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_event event;

	IS(dmtrace_reader_set_report(reader, NULL, NULL), DMTRACE_ERR_STATE);
	SAYS(dmtrace_reader_error(reader), "dmtrace_reader_set_report");
	IS(dmtrace_reader_next(reader, &event), DMTRACE_ERR_STATE);
	dmtrace_reader_free(reader);
}

static const struct misuse cases[] = {
	CASE(a_reader_that_is_not_open_has_nothing),
	CASE(a_path_that_is_no_file_is_an_error),
	CASE(a_second_open_does_not_mend_the_first),
	CASE(a_descriptor_that_cannot_be_read_is_an_error),
	CASE(a_descriptor_that_is_closed_too_early_is_an_error),
	CASE(bytes_may_be_null_if_there_are_none),
	CASE(one_file_is_no_pair),
	CASE(limits_out_of_range_are_refused),
	CASE(a_limit_may_be_any_number),
	CASE(the_end_is_reached_once_and_for_all),
	CASE(a_name_of_the_other_function_stays),
	CASE(paths_of_the_caller_are_copied),
	CASE(a_function_that_has_no_bytes_is_an_error),
	CASE(a_function_may_use_another_reader),
	CASE(a_source_notices_that_its_reader_was_read),
	CASE(two_sources_of_a_reader_do_not_share_it),
	CASE(a_reader_that_is_read_beside_its_source_ends),
	CASE(a_row_that_was_kept_stays),
	CASE(settings_after_the_open_fail_and_stay_so)
};

MISUSE_MAIN(cases)
