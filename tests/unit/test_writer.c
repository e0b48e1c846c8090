/* test_writer.c - a trace appears complete or not at all, as expected */

#include <dmtrace.h>
#include <fcntl.h>
#include <stdbool.h>

#include "helpers/files.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/writer.h"

#define NO_TIME DMTRACE_NO_TIME

static struct dmtrace_writer *
new_writer(unsigned version, enum dmtrace_clock clock)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(dmt_writer_set_layout(writer,
	    dmt_layout_find(version, clock)), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_set_start(writer,
	    0x0077665544332211), DMTRACE_OK);
	return writer;
}

static struct dmtrace_text
text(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

/* The rows of KEY. */
static void
add_rows(struct dmtrace_writer *writer)
{
	struct dmtrace_key *key = dmtrace_writer_key(writer);
	const struct dmtrace_thread threads[] = {
		{ 1, text("main") }, { 513, text("worker") }
	};
	const struct dmtrace_method methods[] = {
		{ 4, text("A"), text("m"), text("()V"), text("A.java"), 7 },
		{ 0x76543210, text("B"), text("n"), text("(I)V"),
		    text("B.java"), -2 },
	};

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(dmtrace_key_thread_add(key, &threads[i]),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_key_method_add(key, &methods[i]),
		    DMTRACE_OK);
	}
}

#define BYTES(literal) literal, sizeof(literal) - 1

/* What a fresh trace of two events comes to. */
static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	struct dmtrace_event events[2];
	const char *key;
	size_t key_len;
	const char *data;
	size_t data_len;
} fresh[] = {
	{ 1, DMTRACE_CLOCK_THREAD_CPU, {
	    { 4, 0x04030201ull * 1000, NO_TIME, 1, DMTRACE_ENTER },
	    { 4, 0x04030206ull * 1000 + 999, 5, 1, DMTRACE_EXIT } },
	    BYTES(KEY_1), BYTES(HEADER_1 RECORDS_1) },
	{ 2, DMTRACE_CLOCK_WALL, {
	    { 4, NO_TIME, 0x04030201ull * 1000, 513, DMTRACE_ENTER },
	    { 4, 5, 0x04030206ull * 1000 + 1, 513, DMTRACE_EXIT } },
	    BYTES(KEY_2), BYTES(HEADER_2 RECORDS_2) },
	{ 3, DMTRACE_CLOCK_DUAL, {
	    { 0x76543210, 0x04030201ull * 1000, 0x08070605ull * 1000, 513,
	    DMTRACE_ENTER },
	    { 0x76543210, 0x04030203ull * 1000, 0x08070609ull * 1000, 513,
	    DMTRACE_UNROLL } },
	    BYTES(KEY("3", "clock=dual\n")),
	    BYTES(HEADER_3("\x0e") RECORDS_3) },
	{ 3, DMTRACE_CLOCK_WALL, {
	    { 4, NO_TIME, 0x04030201ull * 1000, 513, DMTRACE_ENTER },
	    { 4, 5, 0x04030206ull * 1000 + 1, 513, DMTRACE_EXIT } },
	    BYTES(KEY("3", "clock=wall\n")),
	    BYTES(HEADER_3("\x0a") RECORDS_2) },
};

/* The order of what is done to a writer between open and close. */
static const char *const orders[] = {
	"rows, complete, events",
	"rows, events",
	"events, rows",
	"events, rows, complete",
	"event, rows, complete, event",
};

static void
do_step(struct dmtrace_writer *writer, int row, const char *step)
{
	static size_t next;

	if (strncmp(step, "rows", 4) == 0)
		add_rows(writer);
	else if (strncmp(step, "complete", 8) == 0)
		ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	else if (strncmp(step, "events", 6) == 0)
		ck_assert_int_eq(dmtrace_writer_write(writer,
		    fresh[row].events, 2), DMTRACE_OK);
	else
		ck_assert_int_eq(dmtrace_writer_write(writer,
		    &fresh[row].events[next++ % 2], 1), DMTRACE_OK);
}

static void
do_steps(struct dmtrace_writer *writer, int row, const char *steps)
{
	for (const char *step = steps; step != NULL;
	    step = strchr(step, ',')) {
		step += strspn(step, ", ");
		do_step(writer, row, step);
	}
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
}

static void
assert_joined(int row, const void *bytes, size_t len)
{
	const size_t key_len = fresh[row].key_len;

	ck_assert_uint_eq(len, key_len + fresh[row].data_len);
	ck_assert_int_eq(memcmp(bytes, fresh[row].key, key_len), 0);
	ck_assert_int_eq(memcmp((const char *)bytes + key_len,
	    fresh[row].data, fresh[row].data_len), 0);
}

START_TEST(writes_a_fresh_trace)
{
	for (size_t i = 0; i < ROWS(orders); i++) {
		struct dmtrace_writer *writer = new_writer(fresh[_i].version,
		    fresh[_i].clock);
		size_t len;
		ck_assert_int_eq(dmtrace_writer_open_memory(writer),
		    DMTRACE_OK);
		do_steps(writer, _i, orders[i]);
		const void *bytes = dmtrace_writer_memory(writer, &len);
		assert_joined(_i, bytes, len);
		dmtrace_writer_free(writer);
	}
}
END_TEST

START_TEST(writes_a_joined_file)
{
	for (size_t i = 0; i < ROWS(orders); i++) {
		struct dmtrace_writer *writer = new_writer(fresh[_i].version,
		    fresh[_i].clock);
		size_t len;
		ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
		    DMTRACE_OK);
		do_steps(writer, _i, orders[i]);
		dmtrace_writer_free(writer);
		void *bytes = file_get("x.trace", &len);
		assert_joined(_i, bytes, len);
		free(bytes);
	}
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

static const char *const pair_names[] = { "x.key", "x.data" };

START_TEST(writes_a_pair)
{
	for (size_t i = 0; i < ROWS(orders); i++) {
		struct dmtrace_writer *writer = new_writer(fresh[_i].version,
		    fresh[_i].clock);
		ck_assert_int_eq(dmtrace_writer_open_path(writer,
		    pair_names[i % 2]), DMTRACE_OK);
		do_steps(writer, _i, orders[i]);
		dmtrace_writer_free(writer);
		assert_file("x.key", fresh[_i].key, fresh[_i].key_len);
		assert_file("x.data", fresh[_i].data, fresh[_i].data_len);
	}
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(writes_to_a_pipe)
{
	struct dmtrace_writer *writer = new_writer(2, DMTRACE_CLOCK_WALL);
	char bytes[1024];
	int fds[2];

	ck_assert_int_eq(setenv("TMPDIR", _i == 0 ? "no/folder" : ".", 1), 0);
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(dmtrace_writer_open_fd(writer, fds[1]), DMTRACE_OK);
	do_steps(writer, 1, orders[_i]);
	dmtrace_writer_free(writer);
	const ssize_t len = read(fds[0], bytes, sizeof(bytes));
	assert_joined(1, bytes, (size_t)len);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

static ptrdiff_t
write_stream(void *context, const void *bytes, size_t len)
{
	return (ptrdiff_t)fwrite(bytes, 1, len, context);
}

START_TEST(writes_to_a_call_back)
{
	struct dmtrace_writer *writer = new_writer(2, DMTRACE_CLOCK_WALL);
	FILE *file = fopen("out", "wb");
	size_t len;

	ck_assert_int_eq(dmtrace_writer_open_output(writer,
	    &(struct dmtrace_output){ write_stream, file }), DMTRACE_OK);
	do_steps(writer, 1, orders[0]);
	dmtrace_writer_free(writer);
	fclose(file);
	void *bytes = file_get("out", &len);
	assert_joined(1, bytes, len);
	free(bytes);
}
END_TEST

START_TEST(says_version_3_and_two_clocks_by_itself)
{
	static const char empty[] = "*version\n3\nclock=dual\n*threads\n"
	    "*methods\n*end\n" "SLOW\3\0\x20\0" "\0\0\0\0\0\0\0\0" "\x0e\0"
	    ZEROS;
	struct dmtrace_writer *writer = dmtrace_writer_new();
	size_t len;

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_uint_eq(len, sizeof(empty) - 1);
	ck_assert_int_eq(memcmp(bytes, empty, len), 0);
	dmtrace_writer_free(writer);
}
END_TEST

static const struct {
	const char *label;
	struct dmtrace_event event;
} unfit[] = {
	{ "thread", { 4, 0, 0, 65536, DMTRACE_ENTER } },
	{ "low bits", { 5, 0, 0, 1, DMTRACE_ENTER } },
	{ "method", { 0x100000000, 0, 0, 1, DMTRACE_ENTER } },
	{ "time", { 4, 0, 0x100000000 * 1000, 1, DMTRACE_ENTER } },
	{ "no time", { 4, NO_TIME, 0, 1, DMTRACE_ENTER } },
};

/* What is left after a failure: nothing, and the first failure's status. */
static void
assert_fails(struct dmtrace_writer *writer, enum dmtrace_status status,
    const char *message)
{
	const struct dmtrace_event good = { 4, 1000, 2000, 1, 0 };

	ck_assert_int_eq(dmtrace_writer_write(writer, &good, 1), status);
	ck_assert_int_eq(dmtrace_writer_close(writer), status);
	ck_assert_int_eq(dmtrace_writer_error(writer)->status, status);
	ck_assert_ptr_nonnull(strstr(dmtrace_writer_error(writer)->message,
	    message));
	ck_assert_int_eq(dmtrace_writer_close(writer), status);
	dmtrace_writer_free(writer);
	ck_assert_uint_eq(file_count("."), 0);
}

START_TEST(close_returns_that_an_event_did_not_fit)
{
	const struct dmtrace_event good = { 4, 1000, 2000, 1, 0 };
	const struct dmtrace_event batch[] = { good, unfit[_i].event, good };
	struct dmtrace_writer *writer = new_writer(3, DMTRACE_CLOCK_DUAL);

	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, &good, 1), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, batch, 3),
	    DMTRACE_ERR_RANGE);
	assert_fails(writer, DMTRACE_ERR_RANGE, "event 1 of the batch");
}
END_TEST

/* What only packets cannot hold. */
static const struct {
	const char *label;
	enum dmtrace_dialect dialect;
	enum dmtrace_stage stage;
	struct dmtrace_event event;
	const char *why;
} unfit_packets[] = {
	{ "thread of F2", DMTRACE_DIALECT_F2, DMTRACE_STAGE_ANY,
	    { 4, 0, 0, 0, DMTRACE_ENTER }, ": a stream has no thread 0" },
	{ "time of stage C", DMTRACE_DIALECT_V4, DMTRACE_STAGE_C,
	    { 4, 0, 0x100000000 * 1000, 1, DMTRACE_ENTER },
	    ": time too large" },
	{ "time of stage F", DMTRACE_DIALECT_F5, DMTRACE_STAGE_F,
	    { 4, 0, UINT64_C(1) << 62, 1, DMTRACE_ENTER },
	    ": time too large" },
};

START_TEST(close_returns_that_an_event_did_not_fit_a_packet)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_set_dialect(writer,
	    unfit_packets[_i].dialect, unfit_packets[_i].stage,
	    DMTRACE_CLOCK_MISSING), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer,
	    &unfit_packets[_i].event, 1), DMTRACE_ERR_RANGE);
	assert_fails(writer, DMTRACE_ERR_RANGE, unfit_packets[_i].why);
}
END_TEST

/* Rows of the key that no event uses. */
static const struct {
	const char *label;
	enum dmtrace_dialect dialect;
	uint32_t thread;
	enum dmtrace_status status;
} packet_rows[] = {
	{ "F3, any", DMTRACE_DIALECT_F3, UINT32_MAX, DMTRACE_OK },
	{ "V4, last", DMTRACE_DIALECT_V4, 0xffffff, DMTRACE_OK },
	{ "V4", DMTRACE_DIALECT_V4, 0x1000000, DMTRACE_ERR_RANGE },
	{ "F5", DMTRACE_DIALECT_F5, UINT32_MAX, DMTRACE_ERR_RANGE },
};

START_TEST(close_returns_that_a_row_did_not_fit_a_packet)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	dmtrace_writer_set_dialect(writer, packet_rows[_i].dialect,
	    DMTRACE_STAGE_ANY, DMTRACE_CLOCK_MISSING);
	dmtrace_writer_open_path(writer, "x.trace");
	dmtrace_writer_add_thread(writer, packet_rows[_i].thread, "idle");
	const enum dmtrace_status status = dmtrace_writer_close(writer);
	ck_assert_int_eq(status, packet_rows[_i].status);
	if (status != DMTRACE_OK)
		ck_assert_ptr_nonnull(strstr(
		    dmtrace_writer_error(writer)->message, "16,777,215"));
	dmtrace_writer_free(writer);
	ck_assert_uint_eq(file_count("."), status == DMTRACE_OK ? 1 : 0);
}
END_TEST

/* Each call on a key is refused. */
static enum dmtrace_status
key_refuses(struct dmtrace_key *key, int call)
{
	switch (call) {
	case 0:
		return dmtrace_key_thread_add(key, &(struct dmtrace_thread){
		    1, text("a\nb") });
	case 1:
		return dmtrace_key_method_add(key, &(struct dmtrace_method){
		    .id = 5, .name = text("m") });
	case 2:
		return dmtrace_key_option_set(key, "a=b", "c");
	case 3:
		return dmt_key_set_version(key, 6);
	default:
		return dmt_key_set_limit(key, DMTRACE_LIMIT_DEPTH, 1);
	}
}

static const char *const refusals[] = {
	"LF or NUL in the name of a thread", "method id 0x5 has one",
	"invalid option name", "version 6", "a key has no limit",
};

START_TEST(close_returns_what_its_key_refused)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	ck_assert_int_eq(key_refuses(dmtrace_writer_key(writer), _i),
	    DMTRACE_ERR_RANGE);
	add_rows(writer);
	assert_fails(writer, DMTRACE_ERR_RANGE, refusals[_i]);
}
END_TEST

START_TEST(close_returns_what_its_key_refused_before_the_open)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_int_eq(key_refuses(dmtrace_writer_key(writer), _i),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.key"),
	    DMTRACE_ERR_RANGE);
	assert_fails(writer, DMTRACE_ERR_RANGE, refusals[_i]);
}
END_TEST

START_TEST(close_returns_what_a_key_refused_that_gave_way)
{
	static const char trace[] = KEY_2 HEADER_2 RECORDS_2;
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, BYTES(trace)),
	    DMTRACE_OK);
	key_refuses(dmtrace_writer_key(writer), 0);
	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_ERR_RANGE);
	assert_fails(writer, DMTRACE_ERR_RANGE, refusals[0]);
	dmtrace_reader_free(reader);
}
END_TEST

/* A method needs only a name. */
START_TEST(lists_methods_as_an_initialiser_leaves_them)
{
	static const char key[] = "*version\n3\nclock=dual\n*threads\n"
	    "*methods\n0x4\tm\n0x8\tA\tm\t\n0xc\tA\tm\t()V\n*end\n";
	const struct dmtrace_method methods[] = {
		{ .id = 4, .name = text("m") },
		{ .id = 8, .class_name = text("A"), .name = text("m") },
		{ .id = 12, .class_name = text("A"), .name = text("m"),
		    .signature = text("()V") },
	};
	struct dmtrace_writer *writer = dmtrace_writer_new();
	size_t len;

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	for (size_t i = 0; i < ROWS(methods); i++)
		ck_assert_int_eq(dmtrace_key_method_add(
		    dmtrace_writer_key(writer), &methods[i]), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_key_method_get(dmtrace_writer_key(writer),
	    2)->line, DMTRACE_NO_LINE);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_uint_eq(len, sizeof(key) - 1 + 32);
	ck_assert_mem_eq(bytes, key, sizeof(key) - 1);
	dmtrace_writer_free(writer);
}
END_TEST

#define LARGE 100000		/* events: several blocks */

/* Different in every field, and in order. */
static struct dmtrace_event *
large_batch(void)
{
	struct dmtrace_event *events = calloc(LARGE, sizeof(*events));

	ck_assert_ptr_nonnull(events);
	for (uint32_t i = 0; i < LARGE; i++)
		events[i] = (struct dmtrace_event){ 4 * (i * 7919 % 10007),
		    i * 1000, i * 2000, i % 65536, i % 3 };
	return events;
}

START_TEST(writes_none_of_a_large_batch_that_does_not_fit)
{
	struct dmtrace_event *events = large_batch();
	struct dmtrace_writer *writer = new_writer(3, DMTRACE_CLOCK_DUAL);
	size_t len;

	events[LARGE - 1].thread = 65536;
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, events, LARGE),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_ERR_RANGE);
	ck_assert_ptr_null(dmtrace_writer_memory(writer, &len));
	dmtrace_writer_free(writer);
	free(events);
}
END_TEST

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
} layouts[] = {
	{ 2, DMTRACE_CLOCK_THREAD_CPU },
	{ 2, DMTRACE_CLOCK_WALL },
	{ 3, DMTRACE_CLOCK_DUAL },
	{ 3, DMTRACE_CLOCK_THREAD_CPU },
	{ 3, DMTRACE_CLOCK_WALL },
};

static bool
is_same(const struct dmtrace_event *event,
    const struct dmtrace_event *written, enum dmtrace_clock clock)
{
	return event->method == written->method &&
	    event->thread == written->thread &&
	    event->action == written->action &&
	    event->cpu_ns == (clock == DMTRACE_CLOCK_WALL ? NO_TIME :
	    written->cpu_ns) &&
	    event->wall_ns == (clock == DMTRACE_CLOCK_THREAD_CPU ? NO_TIME :
	    written->wall_ns);
}

/* How many events are read that are as they were written. */
static size_t
same_events(struct dmtrace_reader *reader, const struct dmtrace_event *events)
{
	const enum dmtrace_clock clock =
	    dmt_layout_clock(dmt_reader_layout(reader));
	struct dmtrace_event event;
	size_t count = 0;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK &&
	    is_same(&event, &events[count], clock))
		count++;
	return count;
}

START_TEST(what_is_written_is_read)
{
	struct dmtrace_event *events = large_batch();
	struct dmtrace_writer *writer = new_writer(layouts[_i].version,
	    layouts[_i].clock);
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, events, LARGE / 2),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, events + LARGE / 2,
	    LARGE - LARGE / 2), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x"), DMTRACE_OK);
	ck_assert_uint_eq(same_events(reader, events), LARGE);
	ck_assert_uint_eq(dmt_reader_position(reader), LARGE);
	ck_assert_uint_eq(dmt_reader_finding_count(reader), 2);
	dmtrace_reader_free(reader);
	free(events);
}
END_TEST

/* A is left before B, which it called; and the last time goes back. */
START_TEST(takes_events_that_validate_calls_wrong)
{
	static const struct dmtrace_event events[] = {
		{ 4, NO_TIME, 1000, 1, DMTRACE_ENTER },
		{ 0x76543210, NO_TIME, 2000, 1, DMTRACE_ENTER },
		{ 4, NO_TIME, 3000, 1, DMTRACE_EXIT },
		{ 0x76543210, NO_TIME, 4000, 1, DMTRACE_ENTER },
		{ 0x76543210, NO_TIME, 1000, 1, DMTRACE_EXIT },
	};
	struct dmtrace_writer *const writer =
	    new_writer(2, DMTRACE_CLOCK_WALL);
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity;
	size_t len;

	add_rows(writer);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, events, ROWS(events)),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_int_eq(dmtrace_validate_memory(op, bytes, len, &validity),
	    DMTRACE_OK);
	ck_assert_uint_eq(validity.findings[DMTRACE_ERROR], 2);
	dmtrace_op_free(op);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(has_its_name_when_it_is_closed)
{
	struct dmtrace_writer *writer = new_writer(2, DMTRACE_CLOCK_WALL);

	file_put("x.trace", "old", 3);
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	add_rows(writer);
	ck_assert_int_eq(dmtrace_writer_write(writer, fresh[1].events, 2),
	    DMTRACE_OK);
	assert_file("x.trace", "old", 3);
	if (_i == 0)
		ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
	if (_i == 0)
		assert_file("x.trace", BYTES(KEY_2 HEADER_2 RECORDS_2));
	else
		assert_file("x.trace", "old", 3);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(cannot_open)
{
	static const char *const paths[] = { ".", "no/x.trace", "no/x.key" };
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_open_path(writer, paths[_i]),
	    DMTRACE_ERR_IO);
	ck_assert_ptr_nonnull(strstr(dmtrace_writer_error(writer)->message,
	    _i == 0 ? "." : "no/x."));
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
	dmtrace_writer_free(writer);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

START_TEST(a_device_may_be_full)
{
	struct dmtrace_writer *writer = new_writer(2, DMTRACE_CLOCK_WALL);

	if (access("/dev/full", W_OK) != 0)
		return;
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "/dev/full"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, fresh[1].events, 2),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
	ck_assert_ptr_nonnull(strstr(dmtrace_writer_error(writer)->message,
	    "/dev/full"));
	dmtrace_writer_free(writer);
}
END_TEST

static enum dmtrace_status
open_each(struct dmtrace_writer *writer, int way)
{
	switch (way) {
	case 0: return dmtrace_writer_open_path(writer, "x");
	case 1: return dmtrace_writer_open_path(writer, "x.data");
	case 2: return dmtrace_writer_open_fd(writer, STDERR_FILENO);
	case 3: return dmtrace_writer_open_memory(writer);
	default: return dmtrace_writer_open_output(writer,
		    &(struct dmtrace_output){ NULL, NULL });
	}
}

/* Each call is out of order on a writer that is in that state. */
static const struct {
	const char *call;
	enum { NEW, OPEN, COMPLETE } state;
} disorders[] = {
	{ "dmtrace_writer_set_like", NEW },
	{ "dmtrace_writer_write", NEW },
	{ "dmtrace_writer_complete", NEW },
	{ "dmtrace_writer_close", NEW },
	{ "dmtrace_writer_open_path", OPEN },
	{ "dmtrace_writer_open_fd", OPEN },
	{ "dmtrace_writer_open_memory", OPEN },
	{ "dmtrace_writer_open_output", OPEN },
	{ "dmtrace_writer_set_layout", OPEN },
	{ "dmtrace_writer_set_start", OPEN },
	{ "dmtrace_writer_set_sync", OPEN },
	{ "dmtrace_writer_complete", COMPLETE },
};

static enum dmtrace_status
disorder(struct dmtrace_writer *writer, const char *call)
{
	const char *const name = call + strlen("dmtrace_writer_");
	struct dmtrace_reader *reader = dmtrace_reader_new();
	enum dmtrace_status status = DMTRACE_OK;

	if (strcmp(name, "set_like") == 0)
		status = dmtrace_writer_set_like(writer, reader);
	else if (strcmp(name, "write") == 0)
		status = dmtrace_writer_write(writer, NULL, 0);
	else if (strcmp(name, "complete") == 0)
		status = dmtrace_writer_complete(writer);
	else if (strcmp(name, "close") == 0)
		status = dmtrace_writer_close(writer);
	else if (strcmp(name, "set_layout") == 0)
		status = dmt_writer_set_layout(writer,
		    dmt_layout_find(1, DMTRACE_CLOCK_WALL));
	else if (strcmp(name, "set_start") == 0)
		status = dmtrace_writer_set_start(writer, 1);
	else if (strcmp(name, "set_sync") == 0)
		status = dmtrace_writer_set_sync(writer, 1);
	else
		status = open_each(writer, strcmp(name, "open_path") == 0 ?
		    0 : strcmp(name, "open_fd") == 0 ? 2 :
		    strcmp(name, "open_memory") == 0 ? 3 : 4);
	dmtrace_reader_free(reader);
	return status;
}

START_TEST(close_returns_that_a_call_was_out_of_order)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	if (disorders[_i].state >= OPEN)
		ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
		    DMTRACE_OK);
	if (disorders[_i].state == COMPLETE)
		ck_assert_int_eq(dmtrace_writer_complete(writer),
		    DMTRACE_OK);
	ck_assert_int_eq(disorder(writer, disorders[_i].call),
	    DMTRACE_ERR_STATE);
	if (disorders[_i].state == NEW)
		ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
		    DMTRACE_ERR_STATE);
	assert_fails(writer, DMTRACE_ERR_STATE, disorders[_i].call);
}
END_TEST

START_TEST(refuses_calls_after_the_close)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	size_t len;

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_ptr_null(dmtrace_writer_memory(writer, &len));
	ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	ck_assert_ptr_null(dmtrace_writer_key(writer));
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	for (size_t i = 0; i < ROWS(disorders); i++)
		ck_assert_int_eq(disorder(writer, disorders[i].call),
		    DMTRACE_ERR_STATE);
	ck_assert_str_eq(dmtrace_writer_error(writer)->message,
	    "dmtrace_writer_set_like: the writer is closed");
	ck_assert_ptr_nonnull(dmtrace_writer_memory(writer, &len));
	dmtrace_writer_free(writer);
	dmtrace_writer_free(NULL);
}
END_TEST

/* The last event of each row is the one that a strict writer refuses. */
static const struct {
	const char *what;
	size_t count;
	struct dmtrace_event events[4];
	const char *message;
} impossible[] = {
	{ "wall time that goes back", 2, {
	    { 4, 1000, 3000, 1, DMTRACE_ENTER },
	    { 4, 1000, 2000, 1, DMTRACE_EXIT } },
	    "thread 1: exit of method 0x4 (m) at 2000 ns, last event at 3000 "
	    "ns: wall time goes back" },
	{ "CPU time that goes back", 2, {
	    { 4, 7000, 3000, 1, DMTRACE_ENTER },
	    { 4, 6000, 4000, 1, DMTRACE_UNROLL } },
	    "thread 1: unroll of method 0x4 (m) at 6000 ns, last event at "
	    "7000 ns: CPU time goes back" },
	{ "exit that crosses", 3, {
	    { 4, 0, 0, 1, DMTRACE_ENTER },
	    { 0x76543210, 0, 0, 1, DMTRACE_ENTER },
	    { 4, 0, 5000, 1, DMTRACE_EXIT } },
	    "thread 1: exit of method 0x4 (m) at 5000 ns, last event at 0 ns: "
	    "the innermost open call is of method 0x76543210" },
	{ "exit of a method that is not open", 2, {
	    { 4, 0, 0, 1, DMTRACE_ENTER },
	    { 0x76543210, 0, 0, 1, DMTRACE_EXIT } },
	    "thread 1: exit of method 0x76543210 (n) at 0 ns, last event at 0 "
	    "ns: the innermost open call is of method 0x4" },
	{ "exit without a call in its thread", 2, {
	    { 4, 0, 0, 1, DMTRACE_ENTER },
	    { 4, 0, 0, 513, DMTRACE_EXIT } },
	    "thread 513: exit of method 0x4 (m) at 0 ns, first event: no call "
	    "is open" },
	{ "reserved action", 1, {
	    { 4, 0, 0, 1, DMTRACE_RESERVED } },
	    "thread 1: reserved action of method 0x4 (m) at 0 ns, first "
	    "event: no reader knows what it means" },
	{ "unlisted thread", 1, {
	    { 4, 0, 0, 2, DMTRACE_ENTER } },
	    "thread 2: enter of method 0x4 (m) at 0 ns, first event: the "
	    "thread was not added" },
	{ "unlisted method", 1, {
	    { 8, 0, 0, 1, DMTRACE_ENTER } },
	    "thread 1: enter of method 0x8 (not listed) at 0 ns, first "
	    "event: the method was not added" },
};

/* Writes the events of a row, in one call each or in one for all. */
START_TEST(strict_refuses)
{
	for (int together = 0; together < 2; together++) {
		struct dmtrace_writer *const writer =
		    new_writer(3, DMTRACE_CLOCK_DUAL);
		const size_t step = together ? impossible[_i].count : 1;
		enum dmtrace_status status = DMTRACE_OK;
		size_t done = 0;

		ck_assert_int_eq(dmtrace_writer_set_strict(writer, 1),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_writer_open_path(writer, "a.trace"),
		    DMTRACE_OK);
		add_rows(writer);
		for (; done < impossible[_i].count && status == DMTRACE_OK;
		    done += step)
			status = dmtrace_writer_write(writer,
			    &impossible[_i].events[done], step);
		ck_assert_uint_eq(done, impossible[_i].count);
		ck_assert_int_eq(status, DMTRACE_ERR_EVENT);
		ck_assert_str_eq(dmtrace_writer_error(writer)->message,
		    impossible[_i].message);
		ck_assert_int_eq(dmtrace_writer_close(writer),
		    DMTRACE_ERR_EVENT);
		dmtrace_writer_free(writer);
		ck_assert_uint_eq(file_count("."), 0);
	}
}
END_TEST

/* The calls that take one event give what is unlisted the same status. */
START_TEST(strict_refuses_unlisted_by_enter)
{
	for (int is_thread = 0; is_thread < 2; is_thread++) {
		struct dmtrace_writer *const writer =
		    new_writer(3, DMTRACE_CLOCK_DUAL);

		ck_assert_int_eq(dmtrace_writer_set_strict(writer, 1),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_writer_open_memory(writer),
		    DMTRACE_OK);
		add_rows(writer);
		ck_assert_int_eq(dmtrace_writer_enter(writer,
		    is_thread ? 2 : 1, is_thread ? 4 : 8, 7000),
		    DMTRACE_ERR_EVENT);
		ck_assert_str_eq(dmtrace_writer_error(writer)->message,
		    is_thread ? "thread 2: enter of method 0x4 (m) at 7000 ns,"
		    " first event: the thread was not added" :
		    "thread 1: enter of method 0x8 (not listed) at 7000 ns,"
		    " first event: the method was not added");
		dmtrace_writer_free(writer);
	}
}
END_TEST

/* An exception ends calls by unroll, the innermost one first; threads do not
 * share their times. */
START_TEST(strict_takes_what_is_possible)
{
	const struct dmtrace_event events[] = {
		{ 4, 5000, 5000, 1, DMTRACE_ENTER },
		{ 4, 5000, 5000, 1, DMTRACE_ENTER },
		{ 0x76543210, 1000, 1000, 513, DMTRACE_ENTER },
		{ 4, 6000, 9000, 1, DMTRACE_UNROLL },
		{ 4, 6000, 9000, 1, DMTRACE_EXIT },
		{ 4, 6000, 9000, 1, DMTRACE_ENTER },
	};
	struct dmtrace_writer *const writer =
	    new_writer(3, DMTRACE_CLOCK_DUAL);

	ck_assert_int_eq(dmtrace_writer_set_strict(writer, 1), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	add_rows(writer);
	ck_assert_int_eq(dmtrace_writer_write(writer, events, 6), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	ck_assert_uint_eq(dmtrace_writer_rounded(writer), 0);
	dmtrace_writer_free(writer);
}
END_TEST

/* Which times are not what was given. */
static const struct {
	enum dmtrace_dialect dialect;
	enum dmtrace_stage stage;
	uint64_t rounded;
} rounding[] = {
	{ DMTRACE_DIALECT_V1, DMTRACE_STAGE_ANY, 1 },
	{ DMTRACE_DIALECT_V3, DMTRACE_STAGE_ANY, 3 },
	{ DMTRACE_DIALECT_F3, DMTRACE_STAGE_ANY, 3 },
	{ DMTRACE_DIALECT_V5, DMTRACE_STAGE_C, 3 },
	{ DMTRACE_DIALECT_V5, DMTRACE_STAGE_E, 0 },
	{ DMTRACE_DIALECT_F5, DMTRACE_STAGE_F, 0 },
};

START_TEST(strict_counts_rounded_times)
{
	const struct dmtrace_event events[] = {
		{ 4, 1000, 2000, 1, DMTRACE_ENTER },
		{ 4, 1001, 2000, 1, DMTRACE_ENTER },
		{ 4, 2999, 3001, 1, DMTRACE_EXIT },
	};
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_set_dialect(writer,
	    rounding[_i].dialect, rounding[_i].stage, DMTRACE_CLOCK_MISSING),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_set_strict(writer, 1), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	dmtrace_writer_add_thread(writer, 1, "main");
	dmtrace_writer_add_method(writer, 4, "A", "m");
	ck_assert_int_eq(dmtrace_writer_write(writer, events, 3), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	ck_assert_uint_eq(dmtrace_writer_rounded(writer),
	    rounding[_i].rounded);
	dmtrace_writer_free(writer);
}
END_TEST

/* Rows may be added until the close, in every dialect; a second thread and
 * method have an event after it. */
START_TEST(names_may_follow_the_events)
{
	static const struct dmtrace_event events[] = {
		{ 4, 1000, 1000, 1, DMTRACE_ENTER },
		{ 8, 2000, 2000, 2, DMTRACE_ENTER },
		{ 8, 3000, 3000, 2, DMTRACE_EXIT },
	};
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	size_t len;

	ck_assert_int_eq(dmtrace_writer_set_dialect(writer,
	    rounding[_i].dialect, rounding[_i].stage, DMTRACE_CLOCK_MISSING),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, events, 2), DMTRACE_OK);
	dmtrace_writer_add_thread(writer, 1, "first");
	dmtrace_writer_add_thread(writer, 2, "second");
	dmtrace_writer_add_method(writer, 4, "A", "m");
	dmtrace_writer_add_method(writer, 8, "B", "n");
	dmtrace_writer_write(writer, events + 2, 1);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	ck_assert_uint_eq(same_events(reader, events), 3);
	ck_assert_str_eq(dmtrace_reader_thread_name(reader, 1), "first");
	ck_assert_str_eq(dmtrace_reader_thread_name(reader, 2), "second");
	ck_assert_str_eq(dmtrace_reader_method_name(reader, 4), "A.m");
	ck_assert_str_eq(dmtrace_reader_method_name(reader, 8), "B.n");
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("writer");
	TCase *tcase = unit_tcase(suite, "writer");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, writes_a_fresh_trace, fresh);
	ADD_CASES(tcase, writes_a_joined_file, fresh);
	ADD_CASES(tcase, writes_a_pair, fresh);
	ADD_CASES(tcase, writes_to_a_pipe, orders);
	tcase_add_test(tcase, writes_to_a_call_back);
	tcase_add_test(tcase, says_version_3_and_two_clocks_by_itself);
	ADD_CASES(tcase, close_returns_that_an_event_did_not_fit, unfit);
	ADD_CASES(tcase, close_returns_that_a_row_did_not_fit_a_packet,
	    packet_rows);
	ADD_CASES(tcase, close_returns_that_an_event_did_not_fit_a_packet,
	    unfit_packets);
	ADD_CASES(tcase, close_returns_what_its_key_refused, refusals);
	ADD_CASES(tcase, close_returns_what_its_key_refused_before_the_open,
	    refusals);
	tcase_add_test(tcase, close_returns_what_a_key_refused_that_gave_way);
	tcase_add_test(tcase, lists_methods_as_an_initialiser_leaves_them);
	tcase_add_test(tcase, writes_none_of_a_large_batch_that_does_not_fit);
	ADD_CASES(tcase, what_is_written_is_read, layouts);
	tcase_add_loop_test(tcase, has_its_name_when_it_is_closed, 0, 2);
	tcase_add_loop_test(tcase, cannot_open, 0, 3);
	tcase_add_test(tcase, a_device_may_be_full);
	ADD_CASES(tcase, close_returns_that_a_call_was_out_of_order,
	    disorders);
	tcase_add_test(tcase, refuses_calls_after_the_close);
	tcase_add_test(tcase, takes_events_that_validate_calls_wrong);
	ADD_CASES(tcase, strict_refuses, impossible);
	tcase_add_test(tcase, strict_refuses_unlisted_by_enter);
	tcase_add_test(tcase, strict_takes_what_is_possible);
	ADD_CASES(tcase, strict_counts_rounded_times, rounding);
	ADD_CASES(tcase, names_may_follow_the_events, rounding);
	return unit_main(suite);
}
