/* test_reader.c - traces are read from every input and in pieces of any size */

#include <dmtrace.h>
#include <fcntl.h>

#include "helpers/drip.h"
#include "helpers/events.h"
#include "helpers/files.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "private/key.h"
#include "trace/reader.h"

#define NO_TIME DMTRACE_NO_TIME
#define EVENTS_MAX 8

static const char joined[] = KEY_2 HEADER_2 RECORDS_2;
static const char key[] = KEY_2;
static const char data[] = HEADER_2 RECORDS_2;

static struct dmtrace_reader *
new_reader(void)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	return reader;
}

/* All that is left; the status of the read that ended it. */
static enum dmtrace_status
read_all(struct dmtrace_reader *reader, struct dmtrace_event *events,
    size_t *total)
{
	enum dmtrace_status status;
	size_t count;

	*total = 0;
	do {
		ck_assert_uint_lt(*total, EVENTS_MAX);
		status = dmtrace_reader_read(reader, events + *total,
		    EVENTS_MAX - *total, &count);
		*total += count;
	} while (status == DMTRACE_OK && count > 0);
	return status;
}

/* Two events of RECORDS_2. */
static void
assert_events_2(struct dmtrace_reader *reader)
{
	struct dmtrace_event events[EVENTS_MAX];
	size_t count;

	ck_assert_int_eq(read_all(reader, events, &count), DMTRACE_OK);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(events[1].wall_ns, 0x04030206ull * 1000);
	ck_assert_uint_eq(dmt_reader_position(reader), 2);
}

static enum dmtrace_status
open_descriptor(struct dmtrace_reader *reader, const char *name)
{
	return dmtrace_reader_open_fd(reader, open(name, O_RDONLY));
}

static enum dmtrace_status
open_pair(struct dmtrace_reader *reader, const char *name)
{
	return dmtrace_reader_open_pair(reader, name, "x.data");
}

static enum dmtrace_status
open_memory(struct dmtrace_reader *reader, const char *name)
{
	(void)name;
	return dmtrace_reader_open_memory(reader, joined, sizeof(joined) - 1);
}

static enum dmtrace_status
open_memory_pair(struct dmtrace_reader *reader, const char *name)
{
	(void)name;
	return dmt_reader_open_memory_pair(reader, key, sizeof(key) - 1,
	    data, sizeof(data) - 1);
}

static enum dmtrace_status
open_pipe(struct dmtrace_reader *reader, const char *name)
{
	int fds[2];

	(void)name;
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], joined, sizeof(joined) - 1),
	    sizeof(joined) - 1);
	close(fds[1]);
	return dmtrace_reader_open_fd(reader, fds[0]);
}

static ptrdiff_t
read_stream(void *context, void *out, size_t len)
{
	return (ptrdiff_t)fread(out, 1, len, context);
}

static enum dmtrace_status
open_input(struct dmtrace_reader *reader, const char *name)
{
	return dmtrace_reader_open_input(reader,
	    &(struct dmtrace_input){ read_stream, fopen(name, "rb") });
}

/* There is a trace x.joined, and a pair x.key and x.data. */
static const struct {
	const char *label;
	enum dmtrace_status (*open)(struct dmtrace_reader *, const char *);
	const char *name;
	enum dmtrace_container container;
	const char *key_path;
	const char *data_path;
} ways[] = {
	{ "joined file", dmtrace_reader_open_path, "x.joined",
	    DMTRACE_CONTAINER_JOINED, "x.joined", "x.joined" },
	{ "key", dmtrace_reader_open_path, "x.key",
	    DMTRACE_CONTAINER_PAIR, "x.key", "x.data" },
	{ "data", dmtrace_reader_open_path, "x.data",
	    DMTRACE_CONTAINER_PAIR, "x.key", "x.data" },
	{ "base of a pair", dmtrace_reader_open_path, "x",
	    DMTRACE_CONTAINER_PAIR, "x.key", "x.data" },
	{ "both halves", open_pair, "x.key",
	    DMTRACE_CONTAINER_PAIR, "x.key", "x.data" },
	{ "descriptor", open_descriptor, "x.joined",
	    DMTRACE_CONTAINER_JOINED, NULL, NULL },
	{ "pipe", open_pipe, NULL, DMTRACE_CONTAINER_JOINED, NULL, NULL },
	{ "memory", open_memory, NULL, DMTRACE_CONTAINER_JOINED, NULL, NULL },
	{ "two pieces of memory", open_memory_pair, NULL,
	    DMTRACE_CONTAINER_PAIR, NULL, NULL },
	{ "call-back", open_input, "x.joined", DMTRACE_CONTAINER_JOINED,
	    NULL, NULL },
};

static void
put_pair(void)
{
	file_put("x.key", key, sizeof(key) - 1);
	file_put("x.data", data, sizeof(data) - 1);
}

static void
assert_path(const char *path, const char *expected)
{
	ck_assert_int_eq(path == NULL, expected == NULL);
	if (path != NULL)
		ck_assert_str_eq(path, expected);
}

START_TEST(opens_by_every_way)
{
	struct dmtrace_reader *reader = new_reader();
	struct dmtrace_reader_info info;

	put_pair();
	file_put("x.joined", joined, sizeof(joined) - 1);
	ck_assert_int_eq(ways[_i].open(reader, ways[_i].name), DMTRACE_OK);
	ck_assert_int_eq(dmt_reader_container(reader),
	    ways[_i].container);
	assert_path(dmt_reader_key_path(reader), ways[_i].key_path);
	assert_path(dmt_reader_data_path(reader), ways[_i].data_path);
	ck_assert_int_eq(dmtrace_reader_info_get(reader, &info), DMTRACE_OK);
	ck_assert_int_eq(info.container, ways[_i].container);
	assert_path(info.key_path, ways[_i].key_path);
	assert_path(info.data_path, ways[_i].data_path);
	ck_assert_uint_eq(info.version, 2);
	ck_assert_int_eq(info.clock, DMTRACE_CLOCK_WALL);
	ck_assert_uint_eq(info.record_size, 10);
	ck_assert_uint_eq(info.start, 0x0077665544332211);
	ck_assert_int_eq(info.start_kind, DMTRACE_START_EPOCH);
	ck_assert_uint_eq(info.events, 0);
	ck_assert_uint_eq(dmt_key_version(dmtrace_reader_key(reader)), 2);
	ck_assert_uint_eq(dmt_reader_header(reader)->start,
	    0x0077665544332211);
	ck_assert_uint_eq(dmt_layout_record_size(
	    dmt_reader_layout(reader)), 10);
	assert_events_2(reader);
	dmtrace_reader_info_get(reader, &info);
	ck_assert_uint_eq(info.events, 2);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(there_is_no_information_before_the_open)
{
	struct dmtrace_reader *const reader = new_reader();
	struct dmtrace_reader_info info;

	ck_assert_int_eq(dmtrace_reader_info_get(reader, &info), DMTRACE_OK);
	ck_assert_ptr_null(info.key_path);
	ck_assert_uint_eq(info.version, 0);
	ck_assert_uint_eq(info.record_size, 0);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(a_base_is_first_that_of_a_joined_file)
{
	struct dmtrace_reader *reader = new_reader();

	file_put("x.trace", joined, sizeof(joined) - 1);
	file_put("x.key", "", 0);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x"), DMTRACE_OK);
	ck_assert_str_eq(dmt_reader_key_path(reader), "x.trace");
	assert_events_2(reader);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(bytes_and_not_names_decide_the_container)
{
	static const char *const names[] = { "x.key", "x.data", "x" };

	for (size_t i = 0; i < ROWS(names); i++) {
		struct dmtrace_reader *reader = new_reader();
		put_pair();
		file_put(names[i], joined, sizeof(joined) - 1);
		ck_assert_int_eq(dmtrace_reader_open_path(reader, names[i]),
		    DMTRACE_OK);
		ck_assert_int_eq(dmt_reader_container(reader),
		    DMTRACE_CONTAINER_JOINED);
		ck_assert_str_eq(dmt_reader_data_path(reader), names[i]);
		assert_events_2(reader);
		dmtrace_reader_free(reader);
	}
}
END_TEST

/* The records of traces, read as events. */
static const struct {
	const char *name;
	struct dmtrace_event events[2];
} decoded[] = {
	{ "version 1", {
	    { 4, 0x04030201ull * 1000, NO_TIME, 1, DMTRACE_ENTER },
	    { 4, 0x04030206ull * 1000, NO_TIME, 1, DMTRACE_EXIT } } },
	{ "version 2", {
	    { 4, NO_TIME, 0x04030201ull * 1000, 513, DMTRACE_ENTER },
	    { 4, NO_TIME, 0x04030206ull * 1000, 513, DMTRACE_EXIT } } },
	{ "version 3", {
	    { 0x76543210, 0x04030201ull * 1000, 0x08070605ull * 1000, 513,
	    DMTRACE_ENTER },
	    { 0x76543210, 0x04030203ull * 1000, 0x08070609ull * 1000, 513,
	    DMTRACE_UNROLL } } },
	{ "records of 12 bytes", {
	    { 4, NO_TIME, 0x04030201ull * 1000, 513, DMTRACE_ENTER },
	    { 4, NO_TIME, 0x04030206ull * 1000, 513, DMTRACE_EXIT } } },
	{ "records of 18 bytes", {
	    { 0x76543210, 0x04030201ull * 1000, 0x08070605ull * 1000, 513,
	    DMTRACE_ENTER },
	    { 0x76543210, 0x04030203ull * 1000, 0x08070609ull * 1000, 513,
	    DMTRACE_UNROLL } } },
	{ "wide method ids", {
	    { 0x1122334455667788, 0x04030201ull * 1000,
	    0x08070605ull * 1000, 513, DMTRACE_ENTER },
	    { 0x1122334455667788, 0x04030202ull * 1000,
	    0x08070609ull * 1000, 513, DMTRACE_EXIT } } },
	{ "another clock in the key", {
	    { 0x76543210, 0x04030201ull * 1000, 0x08070605ull * 1000, 513,
	    DMTRACE_ENTER },
	    { 0x76543210, 0x04030203ull * 1000, 0x08070609ull * 1000, 513,
	    DMTRACE_UNROLL } } },
	{ "time wraps", {
	    { 4, NO_TIME, 0xffffffffull * 1000, 513, DMTRACE_ENTER },
	    { 4, NO_TIME, 0x100000002ull * 1000, 513, DMTRACE_EXIT } } },
};

static const struct trace *
find_trace(const char *name)
{
	for (size_t i = 0; i < ROWS(traces); i++)
		if (strcmp(traces[i].name, name) == 0)
			return &traces[i];
	ck_abort_msg("no trace \"%s\"", name);
	return NULL;
}

static struct dmtrace_reader *
open_trace(const struct trace *trace)
{
	struct dmtrace_reader *reader = new_reader();

	dmtrace_reader_open_memory(reader, trace->bytes, trace->len);
	ck_assert_str_eq(dmtrace_reader_error(reader)->message, "");
	return reader;
}

START_TEST(decodes_the_records)
{
	struct dmtrace_reader *reader =
	    open_trace(find_trace(decoded[_i].name));
	struct dmtrace_event event;

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_OK);
		assert_same_event(&event, &decoded[_i].events[i]);
	}
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_END);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_END);
	dmtrace_reader_free(reader);
}
END_TEST

/* NULL: there is none of that name. */
static const struct dmtrace_finding *
find_finding(struct dmtrace_reader *reader, const char *name)
{
	const size_t count = dmt_reader_finding_count(reader);

	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_finding *finding =
		    dmtrace_reader_finding_get(reader, i);
		if (strcmp(finding->name, name) == 0)
			return finding;
	}
	return NULL;
}

START_TEST(reports_what_is_odd)
{
	const struct trace *trace = &traces[_i];
	struct dmtrace_reader *reader = open_trace(trace);
	struct dmtrace_event events[EVENTS_MAX];
	size_t count;

	ck_assert_int_eq(read_all(reader, events, &count), DMTRACE_OK);
	ck_assert_uint_eq(count, trace->records);
	if (trace->finding == NULL)
		ck_assert_uint_eq(dmt_reader_finding_count(reader), 0);
	else
		ck_assert_msg(find_finding(reader, trace->finding) != NULL,
		    "%s", trace->finding);
	dmtrace_reader_free(reader);
}
END_TEST

static const struct {
	const char *name;
	size_t at;		/* after the magic; of a pair's data */
	uint64_t count;
	const char *message;
} places[] = {
	{ "record-partial", 32 + 20, 1, "5 of 10 bytes" },
	{ "record-reserved", 32 + 20, 1, "thread 513" },
	{ "time-back", 32 + 20, 1, "thread 513" },
	{ "time-wrapped", 32 + 10, 1, "thread 513" },
	{ "version-differs", 4, 1, "3 and 2" },
	{ "clock-differs", 32, 1, "\"wall\"" },
	{ "record-ids-wide", 32, 1, "preview" },
};

static void
assert_place(struct dmtrace_reader *reader, size_t row, size_t magic_at)
{
	struct dmtrace_event events[EVENTS_MAX];
	size_t count;

	ck_assert_int_eq(read_all(reader, events, &count), DMTRACE_OK);
	const struct dmtrace_finding *finding =
	    find_finding(reader, places[row].name);
	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->place, DMTRACE_PLACE_OFFSET);
	ck_assert_uint_eq(finding->at, magic_at + places[row].at);
	ck_assert_uint_eq(finding->count, places[row].count);
	ck_assert_ptr_nonnull(strstr(finding->message, places[row].message));
	dmtrace_reader_free(reader);
}

static const struct trace *
trace_with(const char *finding)
{
	for (size_t i = 0; i < ROWS(traces); i++)
		if (traces[i].finding != NULL &&
		    strcmp(traces[i].finding, finding) == 0)
			return &traces[i];
	ck_abort_msg("no trace with %s", finding);
	return NULL;
}

START_TEST(reports_where_it_is_odd)
{
	const struct trace *trace = trace_with(places[_i].name);
	struct dmtrace_reader *reader = new_reader();

	assert_place(open_trace(trace), (size_t)_i, trace->key_len);
	file_put("x.key", trace->bytes, trace->key_len);
	file_put("x.data", trace->bytes + trace->key_len,
	    trace->len - trace->key_len);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x"), DMTRACE_OK);
	assert_place(reader, (size_t)_i, 0);
}
END_TEST

static void
count_calls(void *context, const struct dmtrace_finding *finding)
{
	unsigned *calls = context;

	ck_assert_str_eq(finding->name, "record-reserved");
	(*calls)++;
}

START_TEST(reports_every_finding)
{
	static const char reserved[] = KEY_2 HEADER_2
	    "\1\2" "\3\0\0\0" "\0\0\0\0" "\1\2" "\3\0\0\0" "\0\0\0\0"
	    "\1\2" "\3\0\0\0" "\0\0\0\0";
	struct dmtrace_reader *reader = new_reader();
	struct dmtrace_event events[EVENTS_MAX];
	unsigned calls = 0;
	size_t count;

	ck_assert_int_eq(dmtrace_reader_set_report(reader, count_calls,
	    &calls), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, reserved,
	    sizeof(reserved) - 1), DMTRACE_OK);
	ck_assert_int_eq(read_all(reader, events, &count), DMTRACE_OK);
	ck_assert_uint_eq(calls, 3);
	ck_assert_uint_eq(dmtrace_reader_finding_get(reader, 0)->count, 3);
	dmtrace_reader_free(reader);
}
END_TEST

static void
assert_same(struct dmtrace_reader *reader, struct dmtrace_reader *other)
{
	struct dmtrace_event events[EVENTS_MAX], others[EVENTS_MAX];
	size_t count, other_count;

	ck_assert_int_eq(read_all(reader, events, &count), DMTRACE_OK);
	ck_assert_int_eq(read_all(other, others, &other_count), DMTRACE_OK);
	ck_assert_uint_eq(count, other_count);
	for (size_t i = 0; i < count; i++)
		assert_same_event(&events[i], &others[i]);
	count = dmt_reader_finding_count(reader);
	ck_assert_uint_eq(count, dmt_reader_finding_count(other));
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(dmtrace_reader_finding_get(reader, i)->at,
		    dmtrace_reader_finding_get(other, i)->at);
}

START_TEST(reads_the_same_in_pieces)
{
	static const size_t sizes[] = { 1, 2, 3, 7 };
	const struct trace *trace = &traces[_i];

	for (size_t i = 0; i < ROWS(sizes); i++) {
		struct drip drip = { trace->bytes, trace->len, sizes[i] };
		struct dmtrace_reader *whole = open_trace(trace);
		struct dmtrace_reader *reader = new_reader();
		ck_assert_int_eq(dmtrace_reader_open_input(reader,
		    &(struct dmtrace_input){ drip_read, &drip }),
		    DMTRACE_OK);
		assert_same(reader, whole);
		dmtrace_reader_free(reader);
		dmtrace_reader_free(whole);
	}
}
END_TEST

START_TEST(counts_what_it_would_read)
{
	static const char many[] = KEY_2 HEADER_2 RECORDS_2
	    "\xff\xff" "\4\0\0\0" "\2\0\0\0" "\0\0" "\6\0\0\0" "\3\0\0\0"
	    "\xff\xff" "\7\0\0\0" "\1\0\0\0";
	static const struct dmt_thread_count threads[] = {
		{ 0, 1, 3000, 3000 },
		{ 513, 2, 0x04030201ull * 1000, 0x04030206ull * 1000 },
		{ 65535, 2, 2000, 1000 },
	};
	struct dmtrace_reader *reader = new_reader();
	struct dmt_count count;

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, many,
	    sizeof(many) - 1), DMTRACE_OK);
	ck_assert_int_eq(dmt_reader_count(reader, &count), DMTRACE_OK);
	ck_assert_uint_eq(count.records, 5);
	ck_assert_uint_eq(dmt_reader_position(reader), 5);
	ck_assert_uint_eq(count.actions[DMTRACE_ENTER], 2);
	ck_assert_uint_eq(count.actions[DMTRACE_EXIT], 1);
	ck_assert_uint_eq(count.actions[DMTRACE_UNROLL], 1);
	ck_assert_uint_eq(count.actions[DMTRACE_RESERVED], 1);
	ck_assert_uint_eq(count.thread_count, ROWS(threads));
	for (size_t i = 0; i < ROWS(threads); i++) {
		ck_assert_uint_eq(count.threads[i].thread, threads[i].thread);
		ck_assert_uint_eq(count.threads[i].records,
		    threads[i].records);
		ck_assert_uint_eq(count.threads[i].first_ns,
		    threads[i].first_ns);
		ck_assert_uint_eq(count.threads[i].last_ns,
		    threads[i].last_ns);
	}
	ck_assert_ptr_nonnull(find_finding(reader, "time-back"));
	ck_assert_ptr_nonnull(find_finding(reader, "record-reserved"));
	dmt_count_fini(&count);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(hands_out_the_records_as_they_are)
{
	struct dmtrace_reader *reader =
	    open_trace(find_trace("records of 20 bytes"));
	struct dmtrace_event events[EVENTS_MAX];
	size_t count;

	ck_assert_int_eq(dmtrace_reader_read(reader, events, 1, &count),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_reader_read(reader, events, EVENTS_MAX,
	    &count), DMTRACE_OK);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(memcmp(dmt_reader_records(reader), "\1\2"
	    "\x12\x32\x54\x76" "\x03\x02\x03\x04" "\x09\x06\x07\x08"
	    "\xaa\xbb\xcc\xdd\xee\xff", 20), 0);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	struct dmtrace_reader *reader = new_reader();
	struct dmt_count counts;
	struct dmtrace_event event;
	size_t count;

	ck_assert_int_eq(dmtrace_reader_read(reader, &event, 1, &count),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmt_reader_count(reader, &counts),
	    DMTRACE_ERR_STATE);
	ck_assert_uint_eq(counts.records, 0);
	ck_assert_ptr_null(dmtrace_reader_key(reader));
	ck_assert_ptr_null(dmt_reader_header(reader));
	dmtrace_reader_free(reader);
	reader = new_reader();
	ck_assert_int_eq(open_memory(reader, NULL), DMTRACE_OK);
	for (size_t i = 0; i < ROWS(ways); i++)
		ck_assert_int_eq(ways[i].open(reader, "x.key"),
		    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_set_limit(reader, DMTRACE_LIMIT_KEY,
	    1), DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_set_report(reader, NULL, NULL),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event),
	    DMTRACE_ERR_STATE);
	dmtrace_reader_free(reader);
	dmtrace_reader_free(NULL);
}
END_TEST

START_TEST(an_unknown_limit_fails_the_open)
{
	struct dmtrace_reader *reader = new_reader();

	ck_assert_int_eq(dmtrace_reader_set_limit(reader,
	    DMTRACE_LIMIT_DEPTH, 1), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, "*version\n", 9),
	    DMTRACE_ERR_RANGE);
	dmtrace_reader_free(reader);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("reader");
	TCase *tcase = unit_tcase(suite, "reader");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, opens_by_every_way, ways);
	tcase_add_test(tcase, there_is_no_information_before_the_open);
	tcase_add_test(tcase, a_base_is_first_that_of_a_joined_file);
	tcase_add_test(tcase, bytes_and_not_names_decide_the_container);
	ADD_CASES(tcase, decodes_the_records, decoded);
	ADD_CASES(tcase, reports_what_is_odd, traces);
	ADD_CASES(tcase, reports_where_it_is_odd, places);
	tcase_add_test(tcase, reports_every_finding);
	ADD_CASES(tcase, reads_the_same_in_pieces, traces);
	tcase_add_test(tcase, counts_what_it_would_read);
	tcase_add_test(tcase, hands_out_the_records_as_they_are);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	tcase_add_test(tcase, an_unknown_limit_fails_the_open);
	return unit_main(suite);
}
