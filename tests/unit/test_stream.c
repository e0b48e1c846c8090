/* test_stream.c - ART streams: events, names, and unusual streams */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "events/pipeline.h"
#include "helpers/files.h"
#include "helpers/streams.h"
#include "helpers/unit.h"
#include "private/key.h"
#include "private/select.h"
#include "private/trace.h"

#define BYTES(bytes) bytes, sizeof(bytes) - 1
#define TEXT_MAX 4096

/* A line for each event: thread, method, action, times in us. */
static void
list_events(char *out, struct dmtrace_reader *reader)
{
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_row row;
	size_t len = 0, count;

	ck_assert_ptr_nonnull(source);
	out[0] = '\0';
	for (;;) {
		ck_assert_int_eq(dmtrace_source_read(source, &row, 1,
		    &count), DMTRACE_OK);
		if (count == 0)
			break;
		const struct dmtrace_thread *const thread =
		    dmt_key_thread_match(dmtrace_reader_key(reader),
		    dmt_reader_layout(reader), row.event.thread);
		char names[2][32] = { "?", "?" };

		if (thread != NULL)
			snprintf(names[0], sizeof(names[0]), "%.*s",
			    (int)thread->name.len, thread->name.bytes);
		snprintf(names[1], sizeof(names[1]), "#%" PRIu32,
		    row.method_index);
		len += (size_t)snprintf(out + len, TEXT_MAX - len,
		    "%s %s 0x%" PRIx64 " %s", names[0], names[1],
		    row.event.method,
		    dmtrace_action_name(row.event.action));
		if (row.event.cpu_ns != DMTRACE_NO_TIME)
			len += (size_t)snprintf(out + len, TEXT_MAX - len,
			    " c%" PRIu64, row.event.cpu_ns / 1000);
		if (row.event.wall_ns != DMTRACE_NO_TIME)
			len += (size_t)snprintf(out + len, TEXT_MAX - len,
			    " w%" PRIu64, row.event.wall_ns / 1000);
		len += (size_t)snprintf(out + len, TEXT_MAX - len, "\n");
	}
	dmtrace_source_free(source);
}

static void
list_findings(char *out, struct dmtrace_reader *reader)
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);

		len += (size_t)snprintf(out + len, TEXT_MAX - len, "%s@%"
		    PRIu64 " ", finding->name,
		    finding->place == DMTRACE_PLACE_OFFSET ? finding->at : 0);
	}
}

static struct dmtrace_reader *
open_bytes(const void *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	return reader;
}

#define WALL_CALL "main #0 0x0 enter w1\nmain #0 0x0 exit w9\n"
#define DUAL_CALL "main #0 0x0 enter c0 w1\nmain #0 0x0 exit c5 w9\n"

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	const char *events;
	const char *findings;
} streams[] = {
	{ "0xF3", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 SUMMARY_F3),
	    DUAL_CALL, "" },
	{ "0xF2", BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    SUMMARY_F2), WALL_CALL, "" },
	{ "trap 18: records of 14 bytes though the header says 10",
	    BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("\xee\xee\xee\xee")
	    SUMMARY_F2), WALL_CALL, "stream-record-size@16 " },
	{ "a summary that passes for records of 14 bytes",
	    BYTES(STREAM_F2 PACKET_A PACKET_MAIN
	    "\0\0\1" "\x0f\0" "0x2d2d2d2c\tA\tm\n" CALL_F2("")
	    "\0\0\3" "\xa8\0\0\0" "*version\n2\nclock=wall\nx="
	    "------------------------------------------------------------"
	    "------------------------------------------------------------\n"
	    "*threads\n*methods\n*end\n"), WALL_CALL,
	    "option-unknown@0 method-columns@0 " },
	{ "the header says 0",
	    BYTES(STREAM_HEADER("\xf2", "\0") PACKET_A PACKET_MAIN
	    CALL_F2("") SUMMARY_F2), WALL_CALL, "stream-record-size@16 " },
	{ "the header says 0, and records take 14 bytes",
	    BYTES(STREAM_HEADER("\xf2", "\0") PACKET_A PACKET_MAIN
	    CALL_F2("\xee\xee\xee\xee") SUMMARY_F2), WALL_CALL,
	    "stream-record-size@16 " },
	{ "the header says 10 of two clocks",
	    BYTES(STREAM_HEADER("\xf3", "\x0a") PACKET_A PACKET_MAIN CALL_F3
	    SUMMARY_F3), DUAL_CALL, "stream-record-size@16 " },
	{ "thread-cpu is what the summary says",
	    BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    "\0\0\3\x33\0\0\0" "*version\n2\nclock=thread-cpu\n"
	    "*threads\n*methods\n*end\n"),
	    "main #0 0x0 enter c1\nmain #0 0x0 exit c9\n", "" },
	{ "0xF1, which nobody writes", BYTES(STREAM_F1 PACKET_A
	    "\0\0\2" "\x07\0" "\4\0" "main"
	    "\x07" "\0\0\0\0" "\1\0\0\0" "\x07" "\1\0\0\0" "\x09\0\0\0"),
	    WALL_CALL, "stream-no-summary@83 " },
	{ "trap 20: no summary", BYTES(STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("")), WALL_CALL, "stream-no-summary@85 " },
	{ "trap 20: no summary, two clocks", BYTES(STREAM_F3 PACKET_A
	    PACKET_MAIN CALL_F3), DUAL_CALL, "stream-no-summary@93 " },
	{ "trap 20: the summary has no threads", BYTES(STREAM_F3 PACKET_A
	    PACKET_MAIN CALL_F3 "\0\0\3\x3e\0\0\0" "*version\n3\n"
	    "clock=dual\n*threads\n*methods\n0\tA\tm\t()V\tA.java\n*end\n"),
	    DUAL_CALL, "" },
	{ "trap 20: thread and method are in the summary alone",
	    BYTES(STREAM_F3 CALL_F3 "\0\0\3\x48\0\0\0" "*version\n3\n"
	    "clock=dual\n*threads\n4242\tmain\n*methods\n"
	    "0\tA\tm\t()V\tA.java\n*end\n"), DUAL_CALL, "" },
	{ "trap 21: id 0 as (nil)", BYTES(STREAM_F3 "\0\0\1" "\x15\0"
	    "(nil)\tA\tm\t()V\tA.java\n" PACKET_MAIN CALL_F3 SUMMARY_F3),
	    DUAL_CALL, "method-id-form@0 " },
	{ "trap 22: the summary has the whole number of a thread",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 "\0\0\3\x38\0\0\0"
	    "*version\n3\nclock=dual\n*threads\n69778\tmain\n"
	    "*methods\n*end\n"), DUAL_CALL, "" },
	{ "trap 23: a method that is not announced", BYTES(STREAM_F3
	    PACKET_MAIN CALL_F3 SUMMARY_F3), DUAL_CALL, "" },
	{ "trap 29: no records", BYTES(STREAM_F3 SUMMARY_F3), "", "" },
	{ "a definition after its events", BYTES(STREAM_F3 CALL_F3 PACKET_A
	    PACKET_MAIN SUMMARY_F3), DUAL_CALL, "" },
	{ "a thread announced twice", BYTES(STREAM_F3 PACKET_A PACKET_MAIN
	    PACKET_MAIN CALL_F3 PACKET_MAIN SUMMARY_F3), DUAL_CALL, "" },
	{ "a thread with another name", BYTES(STREAM_F3 PACKET_A
	    "\0\0\2" "\x92\x10" "\3\0" "old" CALL_F3 PACKET_MAIN SUMMARY_F3),
	    DUAL_CALL, "stream-thread-renamed@92 " },
	{ "a thread that has another name in the end", BYTES(STREAM_F3 PACKET_A
	    "\0\0\2" "\x92\x10" "\3\0" "old" CALL_F3 "\0\0\3\x37\0\0\0"
	    "*version\n3\nclock=dual\n*threads\n4242\tmain\n"
	    "*methods\n*end\n"), DUAL_CALL, "" },
	{ "a method that is redefined", BYTES(STREAM_F3 PACKET_A PACKET_MAIN
	    CALL_F3 "\0\0\1" "\x11\0" "0\tB\tn\t()V\tB.java\n" CALL_F3
	    SUMMARY_F3), DUAL_CALL "main #1 0x0 enter c0 w1\n"
	    "main #1 0x0 exit c5 w9\n",
	    "stream-method-redefined@93 time-back@115 " },
	{ "bytes after the summary", BYTES(STREAM_F3 PACKET_A PACKET_MAIN
	    CALL_F3 SUMMARY_F3 "\1\2\3"), DUAL_CALL, "stream-tail@245 " },
	{ "no packet", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\4\1\2\3\4\5\6\7\x08\x09\1\1" SUMMARY_F3), DUAL_CALL,
	    "stream-packet-unknown@93 stream-no-summary@93 " },
	{ "a truncated record", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\x92\x10\1\2"), DUAL_CALL,
	    "stream-truncated@93 stream-no-summary@93 " },
	{ "a truncated packet", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\2\x92\x10\4\0mai"), DUAL_CALL,
	    "stream-truncated@93 stream-no-summary@93 " },
	{ "a truncated summary", BYTES(STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") "\0\0\3\x91\0\0\0*version\n2\nclock=thread-cpu\n"
	    "*thr"), "main #0 0x0 enter c1\nmain #0 0x0 exit c9\n",
	    "stream-summary-truncated@85 " },
	{ "a method packet that is no line", BYTES(STREAM_F3 PACKET_A
	    "\0\0\1\2\0x\n" PACKET_MAIN CALL_F3 SUMMARY_F3), DUAL_CALL,
	    "stream-method-bad@54 " },
};

START_TEST(reads)
{
	struct dmtrace_reader *const reader =
	    open_bytes(streams[_i].bytes, streams[_i].len);
	char text[TEXT_MAX];

	list_events(text, reader);
	ck_assert_str_eq(text, streams[_i].events);
	list_findings(text, reader);
	ck_assert_str_eq(text, streams[_i].findings);
	dmtrace_reader_free(reader);
}
END_TEST

struct pieces {
	const char *bytes;
	size_t len;
	size_t piece;
};

static ptrdiff_t
read_piece(void *context, void *out, size_t len)
{
	struct pieces *const in = context;
	const size_t most = len < in->piece ? len : in->piece;
	const size_t count = most < in->len ? most : in->len;

	memcpy(out, in->bytes, count);
	in->bytes += count;
	in->len -= count;
	return (ptrdiff_t)count;
}

START_TEST(reads_a_pipe_that_comes_in_pieces)
{
	for (size_t piece = 1; piece < 8; piece += piece < 3 ? 1 : 4) {
		struct pieces in =
		    { streams[_i].bytes, streams[_i].len, piece };
		const struct dmtrace_input input = { read_piece, &in };
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		char text[TEXT_MAX];

		ck_assert_int_eq(dmtrace_reader_open_input(reader, &input),
		    DMTRACE_OK);
		list_events(text, reader);
		ck_assert_str_eq(text, streams[_i].events);
		dmtrace_reader_free(reader);
	}
}
END_TEST

START_TEST(reads_the_same_again)
{
	struct dmtrace_reader *const reader =
	    open_bytes(streams[_i].bytes, streams[_i].len);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	uint32_t methods[2][8] = { { 0 } };
	size_t counts[2] = { 0 };

	dmt_source_keep(source, 2);
	for (unsigned pass = 0; pass < 2; pass++) {
		struct dmtrace_row rows[8];
		size_t count;

		do {
			ck_assert_int_eq(dmtrace_source_read(source,
			    rows, 8, &count), DMTRACE_OK);
			for (size_t i = 0; i < count; i++)
				methods[pass][counts[pass]++] =
				    rows[i].method_index;
		} while (count > 0);
		if (pass == 0)
			ck_assert_int_eq(dmt_source_rewind(source),
			    DMTRACE_OK);
	}
	ck_assert_uint_eq(counts[0], counts[1]);
	ck_assert_mem_eq(methods[0], methods[1], sizeof(methods[0]));
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}
END_TEST

/* Of any bytes at all, reading comes to an end. */
static void
read_all(const void *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event events[4];
	size_t count = 1;

	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK)
		while (count > 0)
			ck_assert_int_eq(dmtrace_reader_read(reader, events,
			    4, &count), DMTRACE_OK);
	else
		ck_assert_str_ne(dmtrace_reader_error(reader)->message, "");
	dmtrace_reader_free(reader);
}

START_TEST(ends_whatever_is_missing_or_changed)
{
	char *const bytes = malloc(streams[_i].len);

	memcpy(bytes, streams[_i].bytes, streams[_i].len);
	for (size_t len = 0; len <= streams[_i].len; len++)
		read_all(bytes, len);
	for (size_t at = 0; at < streams[_i].len; at++) {
		static const char values[] = { 0, 1, 3, 0x7f, (char)0xff };

		for (size_t i = 0; i < sizeof(values); i++) {
			bytes[at] = values[i];
			read_all(bytes, streams[_i].len);
		}
		bytes[at] = streams[_i].bytes[at];
	}
	free(bytes);
}
END_TEST

static void
check_text(struct dmtrace_text text, const char *expected)
{
	ck_assert_uint_eq(text.len, strlen(expected));
	ck_assert_mem_eq(text.bytes, expected, text.len);
}

START_TEST(makes_a_key_of_packets_and_summary)
{
	static const char bytes[] = STREAM_F3 PACKET_A
	    "\0\0\2" "\x92\x10" "\3\0" "old" PACKET_WORK PACKET_MAIN PACKET_B
	    SUMMARY_F3;
	static const char text[] = "*version\n3\ndata-file-overflow=false\n"
	    "clock=dual\nelapsed-time-usec=9\nclock-call-overhead-nsec=100\n"
	    "vm=art\npid=4242\n*threads\n4242\tmain\n4242\told\n4243\twork\n"
	    "*methods\n0\tA\tm\t()V\tA.java\n0x4\tB\tn\t(I)V\tB.java\n*end\n";
	struct dmtrace_reader *const reader =
	    open_bytes(bytes, sizeof(bytes) - 1);
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	char encoded[sizeof(text)];

	ck_assert_uint_eq(dmt_key_encoded_size(key), sizeof(text) - 1);
	dmt_key_encode(key, encoded, sizeof(encoded));
	ck_assert_mem_eq(encoded, text, sizeof(text) - 1);
	check_text(dmtrace_key_thread_find(key, 4242)->name, "main");
	dmtrace_reader_free(reader);
}
END_TEST

/* 7.x: NAME.sec, with what an older one left after its end */
START_TEST(finds_the_summary_in_a_file_beside)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	char text[TEXT_MAX];

	folder_enter();
	file_put("x.trace", BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")));
	file_put("x.trace.sec", BYTES("*version\n2\nclock=thread-cpu\nvm=art\n"
	    "*threads\n4242\tmain\n*methods\n0x0\tA\tm\t()V\tA.java\n*end\n"
	    "ethods\n*end\n"));
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x.trace"),
	    DMTRACE_OK);
	list_events(text, reader);
	ck_assert_str_eq(text,
	    "main #0 0x0 enter c1\nmain #0 0x0 exit c9\n");
	list_findings(text, reader);
	ck_assert_str_eq(text, "stream-summary-apart@0 ");
	dmtrace_reader_free(reader);
	folder_leave();
}
END_TEST

START_TEST(refuses_definitions_over_the_limit)
{
	static const char bytes[] = STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    SUMMARY_F3;
	static const uint64_t limits[] = { 1, 16, 100, 144 };

	for (size_t i = 0; i < ROWS(limits); i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		dmtrace_reader_set_limit(reader, DMTRACE_LIMIT_KEY,
		    limits[i]);
		ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes,
		    sizeof(bytes) - 1), DMTRACE_ERR_LIMIT);
		dmtrace_reader_free(reader);
	}
}
END_TEST

/* A piece of a split trace announces all methods before its first record. */
START_TEST(finds_the_size_of_records_after_large_definitions)
{
	static const char call[] = CALL_F2("\xee\xee\xee\xee") SUMMARY_F2;
	const struct dmtrace_file in = { .path = "x.trace" };
	const struct dmtrace_file out = { .path = "o.trace" };
	struct dmtrace_repair_result result;
	char text[TEXT_MAX];

	folder_enter();
	FILE *const file = fopen("x.trace", "wb");
	ck_assert_ptr_nonnull(file);
	fwrite(STREAM_F2 PACKET_A PACKET_MAIN, 1,
	    sizeof(STREAM_F2 PACKET_A PACKET_MAIN) - 1, file);
	for (unsigned i = 1; i <= 1200; i++) {
		fwrite("\0\0\1\xe8\3", 1, 5, file);
		fprintf(file, "0x%06x\t%0983d\tn\t(I)V\n", i * 4, 0);
	}
	fwrite(call, 1, sizeof(call) - 1, file);
	fclose(file);

	struct dmtrace_reader *const reader = dmtrace_reader_new();
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x.trace"),
	    DMTRACE_OK);
	list_events(text, reader);
	ck_assert_str_eq(text, WALL_CALL);
	dmtrace_reader_free(reader);

	struct dmtrace_op *const op = dmtrace_op_new();
	ck_assert_int_eq(dmtrace_repair(op, &in, &out, NULL, &result),
	    DMTRACE_OK);
	ck_assert_uint_eq(result.changes, 1);
	ck_assert_uint_eq(result.records_out, 2);
	dmtrace_op_free(op);
	folder_leave();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tcase = unit_tcase(suite, "stream");

	ADD_CASES(tcase, reads, streams);
	ADD_CASES(tcase, reads_a_pipe_that_comes_in_pieces, streams);
	ADD_CASES(tcase, reads_the_same_again, streams);
	ADD_CASES(tcase, ends_whatever_is_missing_or_changed, streams);
	tcase_add_test(tcase, makes_a_key_of_packets_and_summary);
	tcase_add_test(tcase, finds_the_summary_in_a_file_beside);
	tcase_add_test(tcase,
	    finds_the_size_of_records_after_large_definitions);
	tcase_add_test(tcase, refuses_definitions_over_the_limit);
	return unit_main(suite);
}
