/* test_v2_reader.c - whole files of ART trace format V2 */

#include <dmtrace.h>
#include <dmtrace/trace.h>

#include "helpers/drip.h"
#include "helpers/faults.h"
#include "helpers/v2_samples.h"
#include "private/trace.h"

#define TRACE_MAX 512
#define ZEROS_8 "\0\0\0\0\0\0\0\0"

/* A trace that is put together. */
struct trace {
	uint8_t bytes[TRACE_MAX];
	size_t len;
};

static void
add_bytes(struct trace *trace, const void *bytes, size_t len)
{
	ck_assert_uint_le(trace->len + len, TRACE_MAX);
	memcpy(trace->bytes + trace->len, bytes, len);
	trace->len += len;
}

#define ADD(trace, literal) add_bytes(trace, literal, sizeof(literal) - 1)

#define MAIN "\0\x92\x10\0\0\4\0main"
#define OUTER_LINE "\1\0\x10\0\7\0\0\0\0\x0f\0A\tm\t()V\tA.java\n"
#define INNER_LINE "\1\x28\x10\0\7\0\0\0\0\x10\0B\tn\t(I)V\tB.java\n"

/* Up to its first block. start is 2 hours, in the unit of the stage. */
static void
begin_trace(struct trace *trace, const struct dmt_v2_form *form)
{
	static const uint8_t zeros[10];

	trace->len = 0;
	ADD(trace, "SLOW");
	add_bytes(trace, form->cpu && form->wall ? "\xf5\0" : "\4\0", 2);
	if (form->stage < DMT_STAGE_E)
		ADD(trace, "\0\x48\x27\xad\1\0\0\0");	/* 7200000000 */
	else	/* 123456789012345: 34 hours, in nanoseconds */
		ADD(trace, "\x79\xdf\x0d\x86\x48\x70\0\0");
	ADD(trace, ZEROS_8);
	if (form->tick_hz != 0)
		ADD(trace, "\0\xf8\x24\1\0\0\0\0\0\0");
	else
		add_bytes(trace, zeros, sizeof(zeros));
	ADD(trace, MAIN OUTER_LINE INNER_LINE);
}

static void
add_summary(struct trace *trace, const char *text)
{
	const uint8_t head[] = { 3, (uint8_t)strlen(text), 0 };

	add_bytes(trace, head, sizeof(head));
	add_bytes(trace, text, strlen(text));
}

static void
make_sample(struct trace *trace, const struct block_sample *sample)
{
	char text[128];

	begin_trace(trace, &sample->form);
	add_bytes(trace, sample->bytes, sample->len);
	snprintf(text, sizeof(text), "*version\n%d\nclock=%s\n"
	    "elapsed-time-%csec=9000\n*end\n",
	    sample->form.cpu && sample->form.wall ? 5 : 4,
	    !sample->form.cpu ? "wall" :
	    sample->form.wall ? "dual" : "thread-cpu",
	    sample->form.stage < DMT_STAGE_E ? 'u' : 'n');
	add_summary(trace, text);
}

/* Reads up to capacity events, by step at a time. */
static size_t
read_events(struct dmtrace_reader *reader, struct dmtrace_event *events,
    size_t capacity, size_t step)
{
	size_t done = 0, count;

	do {
		ck_assert_int_eq(dmtrace_reader_read(reader, events + done,
		    step < capacity - done ? step : capacity - done, &count),
		    DMTRACE_OK);
		done += count;
	} while (count > 0 && done < capacity);
	return done;
}

/* What the events of a sample are in a trace. */
static void
assert_sample_events(const struct dmtrace_event *events,
    const struct block_sample *sample)
{
	for (size_t i = 0; i < 4; i++) {
		struct dmtrace_event expected = sample->events[i];

		if (expected.method == UNSTATED)
			expected.method = i == 2 ? INNER : OUTER;
		assert_same_event(&events[i], &expected);
	}
}

START_TEST(reads_every_stage)
{
	const struct block_sample *sample = &block_samples[_i];
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event events[5];
	struct trace trace;

	if (sample->form.stage == DMT_STAGE_LONG) {
		dmtrace_reader_free(reader);
		return;			/* has no header */
	}
	make_sample(&trace, sample);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace.bytes,
	    trace.len), DMTRACE_OK);
	ck_assert_int_eq(dmt_reader_container(reader),
	    DMTRACE_CONTAINER_PACKETS);
	ck_assert_uint_eq(dmt_reader_header(reader)->start,
	    sample->form.stage < DMT_STAGE_E ? UINT64_C(7200000000) :
	    UINT64_C(123456789012));
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	ck_assert_uint_eq(dmtrace_key_thread_count(key), 1);
	ck_assert_uint_eq(dmtrace_key_method_count(key), 2);
	ck_assert_uint_eq(dmtrace_key_method_get(key, 1)->id, INNER);
	ck_assert_uint_eq(read_events(reader, events, 5, 5), 4);
	assert_sample_events(events, sample);
	ck_assert_uint_eq(dmt_reader_finding_count(reader), 0);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(reads_the_same_in_pieces_and_again)
{
	static const size_t pieces[] = { 1, 2, 3, 7 };
	const struct block_sample *sample = &block_samples[_i];
	struct trace trace;

	if (sample->form.stage == DMT_STAGE_LONG)
		return;
	make_sample(&trace, sample);
	for (size_t i = 0; i < ROWS(pieces); i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct drip drip = { trace.bytes, trace.len, pieces[i] };
		const struct dmtrace_input input = { drip_read, &drip };
		struct dmtrace_event events[5];

		ck_assert_int_eq(dmtrace_reader_open_input(reader, &input),
		    DMTRACE_OK);
		ck_assert_int_eq(dmt_reader_hold(reader), DMTRACE_OK);
		for (int pass = 0; pass < 2; pass++) {
			ck_assert_uint_eq(read_events(reader, events, 5, 1),
			    4);
			assert_sample_events(events, sample);
			ck_assert_int_eq(dmt_reader_rewind(reader),
			    DMTRACE_OK);
		}
		dmtrace_reader_free(reader);
	}
}
END_TEST

/* Opens and reads whatever the bytes are. */
static void
try_trace(const uint8_t *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event events[64];
	size_t count = 1, total = 0;

	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK)
		while (dmtrace_reader_read(reader, events, 64, &count) ==
		    DMTRACE_OK && count > 0)
			total += count;
	ck_assert_uint_le(total, len);
	dmtrace_reader_free(reader);
}

START_TEST(every_prefix_and_changed_byte_ends_in_a_status)
{
	struct trace trace;

	if (block_samples[_i].form.stage == DMT_STAGE_LONG)
		return;
	make_sample(&trace, &block_samples[_i]);
	for (size_t i = 0; i < trace.len; i++) {
		try_trace(trace.bytes, i);
		for (unsigned bit = 0; bit < 8; bit += 7) {
			trace.bytes[i] ^= (uint8_t)(1u << bit);
			try_trace(trace.bytes, trace.len);
			trace.bytes[i] ^= (uint8_t)(1u << bit);
		}
	}
}
END_TEST

START_TEST(survives_every_failing_allocation)
{
	struct trace trace;
	bool failed = true;

	make_sample(&trace, &block_samples[5]);
	ck_assert_str_eq(block_samples[5].label, "F");
	for (unsigned nth = 1; failed; nth++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct dmtrace_event events[4];
		size_t count = 0;

		fault_arm(FAULT_ALLOC, nth);
		enum dmtrace_status status = dmtrace_reader_open_memory(
		    reader, trace.bytes, trace.len);
		if (status == DMTRACE_OK)
			status = dmtrace_reader_read(reader, events, 4,
			    &count);
		if (status == DMTRACE_OK && count == 0)
			status = dmtrace_reader_read(reader, events, 4,
			    &count);
		failed = fault_disarm();
		ck_assert_int_eq(status, failed ? DMTRACE_ERR_MEMORY :
		    DMTRACE_OK);
		dmtrace_reader_free(reader);
	}
}
END_TEST

static bool
has_finding(struct dmtrace_reader *reader, const char *name)
{
	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++)
		if (strcmp(dmtrace_reader_finding_get(reader, i)->name,
		    name) == 0)
			return true;
	return false;
}

/* A block of stage C with one time: enter at the first, exit at the second. */
#define CALL "\2\x92\x10\0\0\2\0\0"

/* What follows the packets of names, and what becomes of it. */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	size_t events;
	uint64_t last_ns;	/* of the last event */
	const char *finding;	/* NULL: none */
} odd[] = {
#define BYTES(literal) literal, sizeof(literal) - 1
	{ "no summary", BYTES(CALL "\7\0\0\0" "\x80\xa0\x80\x38\1" "\1\4"), 2,
	    5000, "stream-no-summary" },
	{ "32 bits of microseconds wrap", BYTES(CALL "\x0b\0\0\0"
	    "\x80\xa0\x80\x38\xfe\xff\xff\xff\x0f" "\1\4"), 2,
	    UINT64_C(4294967298000), "time-wrapped" },
	{ "a time before the last one", BYTES(CALL "\x0b\0\0\0"
	    "\x80\xa0\x80\x38\5" "\1\xff\xff\xff\xff\x0f"), 2, 4000,
	    "time-back" },
	{ "a block that begins before the end of the last one", BYTES(
	    CALL "\7\0\0\0" "\x80\xa0\x80\x38\1" "\1\4"
	    CALL "\7\0\0\0" "\x80\xa0\x80\x38\4" "\1\5"), 4, 9000,
	    "time-back" },
	{ "the whole events of a block that is cut", BYTES(CALL "\7\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1"), 1, 1000, "stream-truncated" },
	{ "a type that there is not", BYTES(CALL "\7\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1\4" "\4"), 2, 5000,
	    "stream-packet-unknown" },
	{ "a block that ends within an event", BYTES(CALL "\6\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1" "\0\1\0\0\0\0\0"), 1, 1000,
	    "stream-packet-unknown" },
	{ "a number of eleven bytes", BYTES(CALL "\x11\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1" "\xff\xff\xff\xff\xff\xff\xff\xff"
	    "\xff\xff\1"), 1, 1000, "stream-packet-unknown" },
	{ "a thread number that no kernel gives", BYTES(
	    "\2\x92\x10\0\1\2\0\0" "\7\0\0\0" "\x80\xa0\x80\x38\1" "\1\4"), 0,
	    0, "stream-packet-unknown" },
	{ "bytes after the summary", BYTES(CALL "\7\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1\4" "\3\x10\0*version\n4\n*end\n" "\0"),
	    2, 5000, "stream-tail" },
	{ "a summary without one whole line", BYTES(CALL "\7\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1\4" "\3\x08\0*version"), 2, 5000,
	    "stream-no-summary" },
	{ "a method that is redefined", BYTES(CALL "\7\0\0\0"
	    "\x80\xa0\x80\x38\1" "\1\4" "\1\0\x10\0\7\0\0\0\0\5\0C\tk\t\n"),
	    2, 5000, "stream-method-redefined" },
};

START_TEST(reads_on_as_far_as_it_can)
{
	const struct dmt_v2_form form = { DMT_STAGE_C, false, true, 0 };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event events[9];
	struct trace trace;

	begin_trace(&trace, &form);
	add_bytes(&trace, odd[_i].bytes, odd[_i].len);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace.bytes,
	    trace.len), DMTRACE_OK);
	ck_assert_int_eq(dmt_reader_hold(reader), DMTRACE_OK);
	for (int pass = 0; pass < 2; pass++) {
		ck_assert_uint_eq(read_events(reader, events, 9, 9),
		    odd[_i].events);
		if (odd[_i].events > 0)
			ck_assert_uint_eq(events[odd[_i].events - 1].wall_ns,
			    odd[_i].last_ns);
		ck_assert_int_eq(dmt_reader_rewind(reader), DMTRACE_OK);
	}
	ck_assert_msg(has_finding(reader, odd[_i].finding), "%s",
	    odd[_i].finding);
	dmtrace_reader_free(reader);
}
END_TEST

/* The summary is at the end, and says what the first event counts. */
START_TEST(the_summary_says_clock_and_unit)
{
	const struct dmt_v2_form form = { DMT_STAGE_C, false, true, 0 };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	struct trace trace;

	begin_trace(&trace, &form);
	ADD(&trace, CALL "\7\0\0\0" "\x80\xa0\x80\x38\1" "\1\4");
	add_summary(&trace,
	    "*version\n4\nclock=thread-cpu\nelapsed-time-nsec=4\n*end\n");
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace.bytes,
	    trace.len), DMTRACE_OK);
	ck_assert_uint_eq(read_events(reader, &event, 1, 1), 1);
	ck_assert_uint_eq(event.cpu_ns, 1);
	ck_assert_uint_eq(event.wall_ns, DMTRACE_NO_TIME);
	dmtrace_reader_free(reader);
}
END_TEST

/* Writes all events of an open reader to a writer like it. */
static enum dmtrace_status
write_again(struct dmtrace_writer *writer, struct dmtrace_reader *reader)
{
	struct dmtrace_event event;
	enum dmtrace_status status = dmtrace_writer_set_like(writer, reader);

	if (status == DMTRACE_OK)
		status = dmtrace_writer_open_memory(writer);
	while (status == DMTRACE_OK &&
	    dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		status = dmtrace_writer_write(writer, &event, 1);
	return status == DMTRACE_OK ? dmtrace_writer_close(writer) : status;
}

/* The header shows the stage: in F by the counter's start. */
static void
mark_header(struct trace *trace, const struct dmt_v2_form *form)
{
	if (form->stage != DMT_STAGE_F)
		memcpy(trace->bytes + 30, form->stage == DMT_STAGE_B ? "sb" :
		    form->stage == DMT_STAGE_C ? "sc" : "se", 2);
	else if (form->tick_hz == 0)
		trace->bytes[14] = 1;
}

/* A block and its packets are as ART writes them. */
START_TEST(writes_every_stage)
{
	const struct block_sample *sample = &block_samples[_i];
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct trace trace;
	size_t len;

	if (sample->form.stage != DMT_STAGE_LONG) {
		make_sample(&trace, sample);
		ck_assert_int_eq(dmtrace_reader_open_memory(reader,
		    trace.bytes, trace.len), DMTRACE_OK);
		ck_assert_int_eq(write_again(writer, reader), DMTRACE_OK);
		const void *const bytes = dmtrace_writer_memory(writer, &len);
		mark_header(&trace, &sample->form);
		ck_assert_uint_eq(len, trace.len);
		ck_assert_mem_eq(bytes, trace.bytes, len);
	}
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

#define BLOCK(thread, bytes) "\2" thread "\1\0\0\6\0\0\0" bytes
#define ENTER_OUTER BLOCK("\x92\x10\0\0", "\x80\xa0\x80\x38\5\2")
#define ENTER_INNER BLOCK("\7\0\0\0", "\xa8\xa0\x80\x38\6\1")
#define OUTER_AGAIN "\1\0\x10\0\7\0\0\0\0\4\0C\to\n"
#define EXIT_OUTER BLOCK("\x92\x10\0\0", "\x81\xa0\x80\x38\7\3")
#define RENAMED "\0\7\0\0\0\1\0w\0\7\0\0\0\1\0x"
#define UNUSED "\0\x9\0\0\0\1\0z"

/* A block for each turn of a thread; an id has its meaning of the time; what
 * has no event comes at the end, and so does the time that the trace took. */
START_TEST(writes_packets_before_the_blocks_that_need_them)
{
	const struct dmt_v2_form form = FORM_E;
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct trace trace, expected;
	size_t len;

	begin_trace(&trace, &form);
	ADD(&trace, RENAMED UNUSED ENTER_OUTER ENTER_INNER OUTER_AGAIN
	    EXIT_OUTER);
	add_summary(&trace, "*version\n5\nclock=dual\n*end\n");
	begin_trace(&expected, &form);
	mark_header(&expected, &form);
	expected.len -= sizeof(INNER_LINE) - 1;
	ADD(&expected, RENAMED INNER_LINE ENTER_OUTER ENTER_INNER OUTER_AGAIN
	    EXIT_OUTER UNUSED);
	add_summary(&expected,
	    "*version\n5\nclock=dual\nelapsed-time-nsec=7\n*end\n");

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace.bytes,
	    trace.len), DMTRACE_OK);
	dmtrace_writer_set_like(writer, reader);
	dmtrace_writer_open_memory(writer);
	ck_assert_int_eq(dmtrace_shift(op, reader, writer, NULL), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_uint_eq(len, expected.len);
	ck_assert_mem_eq(bytes, expected.bytes, len);
	dmtrace_op_free(op);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

#define DUMP_BLOCK "\2\x92\x10\0\0\4\0\0\x0d\0\0\0\xd0\x0f" \
    "\x80\xa0\x80\x38\xa0\x1f\x28\xc1\x3e\xa0\x1f"
#define DUMP_END "\3\1\2\3\4\5\6\7\x8\1\2\3\4\5\6\7\x8"

/* What a dump of long-running methods begins with. */
static const struct {
	const char *label;
	size_t len;
	const char *bytes;
	size_t findings;
} dumps[] = {
#define DUMP(bytes) sizeof(bytes) - 1, bytes
	{ "events", DUMP(DUMP_BLOCK OUTER_LINE INNER_LINE), 0 },
	{ "a thread", DUMP(MAIN DUMP_BLOCK OUTER_LINE INNER_LINE), 0 },
	{ "a method", DUMP(OUTER_LINE INNER_LINE MAIN DUMP_BLOCK), 0 },
	{ "the end", DUMP(DUMP_END DUMP_BLOCK OUTER_LINE INNER_LINE), 0 },
	{ "control bytes in the name of a thread",
	    DUMP("\0\x92\x10\0\0\3\0a\1." DUMP_BLOCK OUTER_LINE
	    INNER_LINE), 0 },
	{ "a thread without a name",
	    DUMP("\0\x92\x10\0\0\0\0" DUMP_BLOCK OUTER_LINE INNER_LINE),
	    1 },
	{ "control bytes in the name of a method",
	    DUMP("\1\0\x10\0\7\0\0\0\0\xc\0A\33[1m\tm\t()V\n"
	    DUMP_BLOCK INNER_LINE), 0 },
	{ "a block without events",
	    DUMP("\2\7\0\0\0\0\0\0\0\0\0\0" DUMP_BLOCK OUTER_LINE
	    INNER_LINE), 0 },
};

/* What does not. */
static const struct {
	const char *label;
	size_t len;
	const char *bytes;
} no_dumps[] = {
	{ "zeros", DUMP("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") },
	{ "a name with control bytes, and no packet after it",
	    DUMP("\0\x92\x10\0\0\3\0a\1." "abcdefghijklmnopqrstuvw") },
	{ "the end alone", DUMP(DUMP_END) },
	{ "a block without events alone",
	    DUMP("\2\7\0\0\0\0\0\0\0\0\0\0abcdefghijkl") },
	{ "a font", DUMP("\0\1\0\0\0\14\0\200\0\3\0\100OS/2" DUMP_BLOCK) },
};

START_TEST(refuses_what_is_not_a_dump)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_int_eq(dmtrace_reader_open_memory(reader,
	    no_dumps[_i].bytes, no_dumps[_i].len), DMTRACE_ERR_NOT_TRACE);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(reads_a_dump_without_a_header)
{
	const struct block_sample *sample = block_samples;
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event events[5];

	while (sample->form.stage != DMT_STAGE_LONG)
		sample++;
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, dumps[_i].bytes,
	    dumps[_i].len), DMTRACE_OK);
	ck_assert_uint_eq(read_events(reader, events, 5, 5), 4);
	assert_sample_events(events, sample);
	ck_assert_uint_eq(dmt_reader_finding_count(reader),
	    dumps[_i].findings);
	ck_assert_uint_eq(dmtrace_key_method_count(
	    dmtrace_reader_key(reader)), 2);
	dmtrace_reader_free(reader);
}
END_TEST

/* Definitions come first then. */
START_TEST(writes_a_dump_without_a_header)
{
	static const char expected[] = MAIN OUTER_LINE INNER_LINE DUMP_BLOCK;
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	size_t len;

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, dumps[1].bytes,
	    dumps[1].len), DMTRACE_OK);
	ck_assert_int_eq(write_again(writer, reader), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_uint_eq(len, sizeof(expected) - 1);
	ck_assert_mem_eq(bytes, expected, len);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(ends_in_a_status_whatever_a_dump_has)
{
	char bytes[160];

	for (size_t at = 0; at < dumps[_i].len; at++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct dmtrace_event event;

		memcpy(bytes, dumps[_i].bytes, dumps[_i].len);
		bytes[at] = (char)~bytes[at];
		if (dmtrace_reader_open_memory(reader, bytes, at % 2 == 0 ?
		    dumps[_i].len : at) == DMTRACE_OK)
			while (dmtrace_reader_next(reader, &event) ==
			    DMTRACE_OK)
				;
		dmtrace_reader_free(reader);
	}
}
END_TEST

START_TEST(a_writer_survives_every_failing_allocation)
{
	enum dmtrace_status status;
	unsigned nth = 0;
	struct trace trace;

	make_sample(&trace, &block_samples[0]);
	do {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct dmtrace_writer *writer;

		ck_assert_int_eq(dmtrace_reader_open_memory(reader,
		    trace.bytes, trace.len), DMTRACE_OK);
		fault_arm(FAULT_ALLOC, ++nth);
		writer = dmtrace_writer_new();
		status = writer == NULL ? DMTRACE_ERR_MEMORY :
		    write_again(writer, reader);
		dmtrace_writer_free(writer);
		dmtrace_reader_free(reader);
	} while (fault_disarm() && status == DMTRACE_ERR_MEMORY);
	ck_assert_int_eq(status, DMTRACE_OK);
	ck_assert_uint_gt(nth, 10);
}
END_TEST

START_TEST(refuses_a_counter_of_an_impossible_rate)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct trace trace;

	make_sample(&trace, &block_samples[5]);
	trace.bytes[29] = 0x80;
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace.bytes,
	    trace.len), DMTRACE_ERR_CORRUPT);
	dmtrace_reader_free(reader);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("v2_reader");
	TCase *tcase = unit_tcase(suite, "v2_reader");

	ADD_CASES(tcase, reads_every_stage, block_samples);
	ADD_CASES(tcase, reads_the_same_in_pieces_and_again, block_samples);
	ADD_CASES(tcase, every_prefix_and_changed_byte_ends_in_a_status,
	    block_samples);
	tcase_add_test(tcase, survives_every_failing_allocation);
	ADD_CASES(tcase, reads_on_as_far_as_it_can, odd);
	tcase_add_test(tcase, the_summary_says_clock_and_unit);
	ADD_CASES(tcase, writes_every_stage, block_samples);
	tcase_add_test(tcase, writes_packets_before_the_blocks_that_need_them);
	ADD_CASES(tcase, reads_a_dump_without_a_header, dumps);
	ADD_CASES(tcase, refuses_what_is_not_a_dump, no_dumps);
	tcase_add_test(tcase, writes_a_dump_without_a_header);
	ADD_CASES(tcase, ends_in_a_status_whatever_a_dump_has, dumps);
	tcase_add_test(tcase, a_writer_survives_every_failing_allocation);
	tcase_add_test(tcase, refuses_a_counter_of_an_impossible_rate);
	return unit_main(suite);
}
