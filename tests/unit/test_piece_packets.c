/* test_piece_packets.c - pieces of ART streams and of trace format V2 */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdbool.h>

#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/pieces.h"
#include "helpers/streams.h"
#include "helpers/unit.h"
#include "private/key.h"
#include "private/select.h"

#define BYTES(bytes) bytes, sizeof(bytes) - 1
#define TEXT_MAX 8192
#define ZEROS_8 "\0\0\0\0\0\0\0\0"

/* One record: thread 0x1092 or 0x1093, a word and times below 256. */
#define MAIN_F3(word, cpu, wall) \
	"\x92\x10" word "\0\0\0" cpu "\0\0\0" wall "\0\0\0"
#define WORK_F3(word, cpu, wall) \
	"\x93\x10" word "\0\0\0" cpu "\0\0\0" wall "\0\0\0"

/* Method 0 again, of another class. */
#define PACKET_A_AGAIN "\0\0\1" "\x11\0" "0\tC\tk\t()V\tC.java\n"

/* Of two clocks; a start in microseconds or in nanoseconds. */
#define V2_US_BARE "SLOW" "\xf5\0" "\0\x48\x27\xad\1\0\0\0" ZEROS_8 ZEROS_8
#define V2_US V2_US_BARE "\0\0"
/* The same with the mark of what dmtrace writes in stage C. */
#define V2_US_MARKED V2_US_BARE "sc"
#define V2_NS "SLOW" "\xf5\0" "\x79\xdf\x0d\x86\x48\x70\0\0" ZEROS_8 ZEROS_8 \
	"\0\0"
#define V2_MAIN "\0\x92\x10\0\0\4\0main"
#define V2_WORK "\0\x93\x10\0\0\4\0work"
#define V2_OUTER "\1\0\x10\0\7\0\0\0\0\x0f\0A\tm\t()V\tA.java\n"
#define V2_INNER "\1\x28\x10\0\7\0\0\0\0\x10\0B\tn\t(I)V\tB.java\n"
#define V2_OUTER_AGAIN "\1\0\x10\0\7\0\0\0\0\x0f\0C\tk\t()V\tC.java\n"
#define V2_DEFINED V2_MAIN V2_OUTER V2_WORK V2_INNER

/* main enters A.m at 1000 and B.n at 3000, and leaves them at 7000 and 9000.
 * In B it does so at 1, 3, 7 and 9. */
#define MAIN_B "\2\x92\x10\0\0" "\0\x10\0\7\0\0\0\0" "\0\0\0\0" "\1\0\0\0" \
	"\3\0" "\x09\0" "\x28\2\0" "\1\4\1" "\x58\2\1"
#define MAIN_C "\2\x92\x10\0\0" "\4\0\0" "\x17\0\0\0" \
	"\x80\xa0\x80\x38\xe8\7\xf4\3" "\x28\xd0\x0f\x90\3" \
	"\1\xa0\x1f\xd8\4" "\x58\xd0\x0f\xf4\3"
#define MAIN_F "\2\x92\x10\0\0" "\4\0\0" "\x16\0\0\0" \
	"\xa0\x1f\xf4\3\x80\xa0\x80\x38" "\xc0\x3e\x84\7\x28" \
	"\x81\xfd\0\xdc\x0b" "\xc0\x3e\xd0\x0f"
/* After it in the file, work is in A.m from 2000 to 5000. */
#define WORK_C "\2\x93\x10\0\0" "\2\0\0" "\x0b\0\0\0" \
	"\x80\xa0\x80\x38\xd0\x0f\0" "\1\xb8\x17\x0a"
#define SUMMARY_US "\3\x32\0*version\n5\nclock=dual\nelapsed-time-usec=9000\n" \
	"*end\n"
#define SUMMARY_NS "\3\x32\0*version\n5\nclock=dual\nelapsed-time-nsec=9000\n" \
	"*end\n"

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	bool same;		/* to the byte */
} wholes[] = {
	{ "0xF3", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 SUMMARY_F3),
	    true },
	{ "0xF2", BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    SUMMARY_F2), true },
	{ "0xF2 of 14 bytes", BYTES(STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("\xee\xee\xee\xee") SUMMARY_F2), true },
	{ "0xF1, without a summary", BYTES(STREAM_F1 PACKET_A
	    "\0\0\2" "\x07\0" "\4\0" "main"
	    "\x07" "\0\0\0\0" "\1\0\0\0" "\x07" "\1\0\0\0" "\x09\0\0\0"),
	    false },
	{ "no records", BYTES(STREAM_F3 SUMMARY_F3), true },
	{ "two threads, not by time", BYTES(STREAM_F3 PACKET_A PACKET_MAIN
	    MAIN_F3("\0", "\0", "\1") PACKET_B MAIN_F3("\4", "\1", "\6")
	    MAIN_F3("\5", "\2", "\x09") MAIN_F3("\1", "\3", "\x0a")
	    PACKET_WORK WORK_F3("\4", "\0", "\2") WORK_F3("\0", "\1", "\4")
	    WORK_F3("\1", "\2", "\x0b") WORK_F3("\5", "\3", "\x0c")
	    SUMMARY_F3), false },
	{ "a call of a method that is redefined meanwhile", BYTES(STREAM_F3
	    PACKET_A PACKET_MAIN MAIN_F3("\0", "\0", "\1") PACKET_A_AGAIN
	    MAIN_F3("\0", "\1", "\2") MAIN_F3("\1", "\2", "\3")
	    MAIN_F3("\1", "\3", "\4") PACKET_A MAIN_F3("\0", "\4", "\5")
	    MAIN_F3("\1", "\5", "\6") SUMMARY_F3), true },
	{ "a redefined method of two threads", BYTES(STREAM_F3 PACKET_A
	    PACKET_MAIN MAIN_F3("\0", "\0", "\1") PACKET_WORK
	    WORK_F3("\0", "\0", "\2") PACKET_A_AGAIN
	    MAIN_F3("\0", "\1", "\3") WORK_F3("\0", "\1", "\4")
	    WORK_F3("\1", "\2", "\5") MAIN_F3("\1", "\2", "\6") SUMMARY_F3),
	    false },
	{ "a thread with another name", BYTES(STREAM_F3 PACKET_A
	    "\0\0\2" "\x92\x10" "\3\0" "old" CALL_F3 PACKET_MAIN SUMMARY_F3),
	    false },
	{ "a definition after its events", BYTES(STREAM_F3 CALL_F3 PACKET_A
	    PACKET_MAIN SUMMARY_F3), false },
	{ "nothing is announced", BYTES(STREAM_F3 CALL_F3 SUMMARY_F3), false },
	{ "thread and method are in the summary alone",
	    BYTES(STREAM_F3 CALL_F3 "\0\0\3\x48\0\0\0" "*version\n3\n"
	    "clock=dual\n*threads\n4242\tmain\n*methods\n"
	    "0\tA\tm\t()V\tA.java\n*end\n"), false },
	{ "the summary has the whole number of a thread",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 "\0\0\3\x38\0\0\0"
	    "*version\n3\nclock=dual\n*threads\n69778\tmain\n"
	    "*methods\n*end\n"), true },
	{ "an exit without an enter, a call without an exit",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN MAIN_F3("\1", "\0", "\1")
	    PACKET_B MAIN_F3("\4", "\1", "\2") SUMMARY_F3), true },
	{ "the end is missing", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\2\x92\x10\4\0mai"), false },
	{ "a count in the key", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\3\x4a\0\0\0" "*version\n3\nclock=dual\nnum-method-calls=2\n"
	    "*threads\n4242\tmain\n*methods\n*end\n"), true },
	{ "stage B", BYTES(V2_US V2_MAIN V2_OUTER V2_INNER MAIN_B SUMMARY_US),
	    false },
	{ "stage C", BYTES(V2_US V2_DEFINED MAIN_C WORK_C SUMMARY_US),
	    false },
	{ "stage C without a summary", BYTES(V2_US V2_DEFINED MAIN_C WORK_C),
	    false },
	{ "stage E", BYTES(V2_NS V2_DEFINED MAIN_C WORK_C SUMMARY_NS),
	    false },
	{ "stage F", BYTES(V2_NS V2_MAIN V2_OUTER V2_INNER MAIN_F SUMMARY_NS),
	    false },
	{ "stage F with the other unit", BYTES(V2_NS V2_MAIN V2_OUTER
	    V2_INNER MAIN_F SUMMARY_US), false },
	{ "a redefined method of stage C", BYTES(V2_US V2_MAIN V2_OUTER
	    V2_INNER MAIN_C V2_OUTER_AGAIN V2_WORK WORK_C SUMMARY_US),
	    false },
	{ "no events of format V2", BYTES(V2_US_MARKED V2_MAIN V2_OUTER
	    SUMMARY_US), true },
	{ "0xF2 of 14 bytes, of a thread that nothing lists", BYTES(STREAM_F2
	    PACKET_B "\7\0" "\4\0\0\0" "\1\0\0\0" "\1\2\3\4" PACKET_MAIN
	    "\x92\x10" "\4\0\0\0" "\2\0\0\0" "\xee\xee\xee\xee"
	    "\7\0" "\5\0\0\0" "\3\0\0\0" "\1\2\3\4"
	    "\x92\x10" "\5\0\0\0" "\4\0\0\0" "\xee\xee\xee\xee"
	    SUMMARY_F2), true },
};

static const struct {
	const char *label;
	enum dmtrace_pieces_by by;
	uint64_t amount;
} ways[] = {
	{ "thread",    DMTRACE_PIECES_THREAD,  0       },
	{ "record",    DMTRACE_PIECES_RECORDS, 1       },
	{ "3 records", DMTRACE_PIECES_RECORDS, 3       },
	{ "3 us",      DMTRACE_PIECES_TIME,    3000    },
	{ "4 ms",      DMTRACE_PIECES_TIME,    4000000 },
	{ "size",      DMTRACE_PIECES_SIZE,    0       },
};

/* A line for each event: thread, method and its line, action, times; of all
 * threads, or of one. */
static void
list_events(char *out, const char *path, uint32_t thread)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_row row;
	size_t len = 0, count;

	ck_assert_int_eq(dmtrace_reader_open_path(reader, path), DMTRACE_OK);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	out[0] = '\0';
	for (;;) {
		ck_assert_int_eq(dmtrace_source_read(source, &row, 1,
		    &count), DMTRACE_OK);
		if (count == 0)
			break;
		if (thread != 0 && row.event.thread != thread)
			continue;
		const struct dmtrace_method *const method =
		    dmt_source_method(source, row.method_index,
		    row.event.method);
		len += (size_t)snprintf(out + len, TEXT_MAX - len, "%" PRIu32
		    " 0x%" PRIx64 " %.*s %s %" PRIu64 " %" PRIu64 "\n",
		    row.event.thread, row.event.method,
		    method == NULL ? 1 : (int)method->class_name.len,
		    method == NULL ? "?" : method->class_name.bytes,
		    dmtrace_action_name(row.event.action), row.event.cpu_ns,
		    row.event.wall_ns);
	}
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}

/* The key of a trace without its tables; threads are counted. */
static void
list_options(char *out, const char *path)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_int_eq(dmtrace_reader_open_path(reader, path), DMTRACE_OK);
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	ck_assert_uint_lt(dmt_key_encoded_size(key), TEXT_MAX);
	const size_t len = dmt_key_encoded_size(key);
	dmt_key_encode(key, out, TEXT_MAX);
	out[len] = '\0';
	char *const tables = strstr(out, "*threads");
	ck_assert_ptr_nonnull(tables);
	sprintf(tables, "%zu", dmtrace_key_thread_count(key));
	dmtrace_reader_free(reader);
}

/* What differs where a trace had no summary, or the unit of another stage. */
static void
drop_elapsed(char *text)
{
	char *const line = strstr(text, "elapsed-time-");

	if (line != NULL)
		memmove(line, strchr(line, '\n') + 1,
		    strlen(strchr(line, '\n')));
}

static size_t
size_of(const char *path)
{
	size_t len;

	free(file_get(path, &len));
	return len;
}

/* Splits x.trace by the smallest size that there is. */
static enum dmtrace_status
split_by_size(void)
{
	for (uint64_t amount = 700; amount < 4000; amount += 10)
		if (split_path("x.trace", DMTRACE_PIECES_SIZE, amount, 0) ==
		    DMTRACE_OK) {
			const struct paths *const paths = list_paths();

			for (size_t i = 0; i < paths->count; i++)
				ck_assert_uint_le(size_of(paths->items[i]),
				    amount);
			return DMTRACE_OK;
		}
	return DMTRACE_ERR_RANGE;
}

static void
split_way(size_t way)
{
	ck_assert_msg((ways[way].by == DMTRACE_PIECES_SIZE ?
	    split_by_size() : split_path("x.trace", ways[way].by,
	    ways[way].amount, 0)) == DMTRACE_OK, "%s",
	    dmtrace_op_error(op)->message);
}

/* Of x.trace and out. */
static void
compare_wholes(int exact, bool same)
{
	static char before[TEXT_MAX], after[TEXT_MAX];
	static const uint32_t threads[] = { 4242, 4243, 7 };
	size_t len;

	for (size_t i = 0; i < ROWS(threads); i++) {
		list_events(before, "x.trace", exact ? 0 : threads[i]);
		list_events(after, "out", exact ? 0 : threads[i]);
		ck_assert_str_eq(after, before);
	}
	list_options(before, "x.trace");
	list_options(after, "out");
	drop_elapsed(before);
	drop_elapsed(after);
	ck_assert_str_eq(after, before);
	void *const bytes = file_get("x.trace", &len);
	if (same)
		assert_file("out", bytes, len);
	free(bytes);
}

START_TEST(comes_back)
{
	const size_t whole = (size_t)_i / ROWS(ways);
	const size_t way = (size_t)_i % ROWS(ways);
	int exact = 0;

	file_put("x.trace", wholes[whole].bytes, wholes[whole].len);
	split_way(way);
	ck_assert_msg(rejoin_paths(&exact, 0) == DMTRACE_OK, "%s",
	    dmtrace_op_error(op)->message);
	ck_assert(exact == 2 || (exact == 0 && way == 0));
	compare_wholes(exact, wholes[whole].same);
}
END_TEST

/* Pieces close what they open, at times that do not go back. */
START_TEST(pieces_are_balanced)
{
	const size_t whole = (size_t)_i / ROWS(ways);
	const size_t way = (size_t)_i % ROWS(ways);

	if (ways[way].by == DMTRACE_PIECES_THREAD)
		return;
	file_put("x.trace", wholes[whole].bytes, wholes[whole].len);
	split_way(way);
	const struct paths *const paths = list_paths();
	for (size_t i = 0; i < paths->count; i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct dmtrace_event event;
		int open = 0;

		ck_assert_int_eq(dmtrace_reader_open_path(reader,
		    paths->items[i]), DMTRACE_OK);
		while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
			if (event.action == DMTRACE_ENTER)
				open++;
			else if (open > 0)
				open--;
		ck_assert_int_eq(open, 0);
		for (size_t j = 0; j < dmt_reader_finding_count(reader); j++)
			ck_assert_str_ne(dmtrace_reader_finding_get(reader,
			    j)->name, "time-back");
		dmtrace_reader_free(reader);
	}
}
END_TEST

/* A piece of a piece, and all the way back. */
START_TEST(pieces_can_be_split_again)
{
	static const char bytes[] = STREAM_F3 PACKET_A PACKET_MAIN
	    MAIN_F3("\0", "\0", "\1") PACKET_A_AGAIN
	    MAIN_F3("\0", "\1", "\2") MAIN_F3("\1", "\2", "\3")
	    MAIN_F3("\1", "\3", "\4") SUMMARY_F3;
	int exact = 0;

	file_put("x.trace", BYTES(bytes));
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS, 2, 0),
	    DMTRACE_OK);
	ck_assert_int_eq(rename("p/0002.trace", "x.trace"), 0);
	remove_paths();
	split_way((size_t)_i);
	ck_assert_int_eq(rejoin_paths(&exact, 0), DMTRACE_OK);
	compare_wholes(exact, false);
}
END_TEST

/* The text with the hash and the dashes of the block left out. */
static void
mask_block(char *text)
{
	char *const id = strstr(text, "dmtrace-piece-id=");

	ck_assert_ptr_nonnull(id);
	memmove(id + 17, id + 33, strlen(id + 33) + 1);
	char *const pad = strstr(text, "dmtrace-piece-pad=");
	ck_assert_ptr_nonnull(pad);
	const size_t dashes = strspn(pad + 18, "-");
	memmove(pad + 18, pad + 18 + dashes, strlen(pad + 18 + dashes) + 1);
}

/* The second of two pieces: the front, its events, the summary. */
static const struct {
	const char *label;
	size_t whole;
	const char *front;
	size_t front_len;
	size_t head;		/* of the summary's packet, of which the length
				   is not looked at */
	const char *summary;
} seconds[] = {
	{ "0xF3", 0, BYTES(STREAM_F3 PACKET_MAIN PACKET_A
	    MAIN_F3("\0", "\0", "\x09") MAIN_F3("\1", "\5", "\x09")
	    "\0\0\3"), 4,
	    "*version\n3\ndmtrace-piece=2/2\ndmtrace-piece-by=records\n"
	    "dmtrace-piece-order=exact\ndmtrace-piece-id=\n"
	    "dmtrace-piece-records=1+1+0\ndmtrace-piece-methods=1\n"
	    "dmtrace-opened=1\ndmtrace-piece-pad=\n"
	    "data-file-overflow=false\nclock=dual\nelapsed-time-usec=9\n"
	    "clock-call-overhead-nsec=100\nvm=art\npid=4242\n"
	    "*threads\n4242\tmain\n*methods\n*end\n" },
	/* work: entered at 2000, left at 2000; then 5000 is its own */
	{ "stage C", 17, BYTES(V2_US_MARKED V2_MAIN V2_WORK V2_OUTER V2_INNER
	    "\2\x93\x10\0\0" "\1\0\0" "\7\0\0\0"
	    "\x80\xa0\x80\x38\xd0\x0f\0"
	    "\2\x93\x10\0\0" "\1\0\0" "\7\0\0\0"
	    "\x81\xa0\x80\x38\x88\x27\x0a" "\3"), 2,
	    "*version\n5\ndmtrace-piece=2/2\ndmtrace-piece-by=records\n"
	    "dmtrace-piece-order=exact\ndmtrace-piece-id=\n"
	    "dmtrace-piece-records=1+1+0\ndmtrace-piece-methods=2\n"
	    "dmtrace-opened=1\nelapsed-time-usec=5000\ndmtrace-piece-pad=\n"
	    "clock=dual\ndmtrace-whole-elapsed-time-usec=9000\n*end\n" },
};

START_TEST(a_piece_announces_all_and_says_what_it_is)
{
	char text[TEXT_MAX];
	size_t len;

	file_put("x.trace", wholes[seconds[_i].whole].bytes,
	    wholes[seconds[_i].whole].len);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    _i == 0 ? 1 : 5, 0), DMTRACE_OK);
	char *const bytes = file_get("p/0002.trace", &len);
	ck_assert_uint_gt(len, seconds[_i].front_len);
	ck_assert_mem_eq(bytes, seconds[_i].front, seconds[_i].front_len);
	const size_t at = seconds[_i].front_len + seconds[_i].head;
	memcpy(text, bytes + at, len - at);
	text[len - at] = '\0';
	mask_block(text);
	ck_assert_str_eq(text, seconds[_i].summary);
	free(bytes);
}
END_TEST

/* What is done to a piece must end in a message, or in a trace; events: that
 * of these events. */
static void
try_rejoin(const char *events)
{
	static char text[TEXT_MAX];

	if (rejoin_paths(NULL, 0) != DMTRACE_OK) {
		ck_assert_str_ne(dmtrace_op_error(op)->message, "");
		ck_assert_int_ne(access("out", F_OK), 0);
		return;
	}
	list_events(text, "out", 0);
	if (events != NULL)
		ck_assert_str_eq(text, events);
	unlink("out");
}

START_TEST(every_prefix_and_changed_byte_ends_in_a_status)
{
	static const size_t few[] = { 2, 6, 16, 17, 20 };
	const size_t whole = few[_i];
	static char events[TEXT_MAX];
	size_t len;

	file_put("x.trace", wholes[whole].bytes, wholes[whole].len);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    2, 0), DMTRACE_OK);
	const char *const name = file_count("p") > 1 ? "p/0002.trace" :
	    "p/0001.trace";
	uint8_t *const bytes = file_get(name, &len);
	list_events(events, "x.trace", 0);
	for (size_t i = 0; i < len; i += unit_stride()) {
		file_put(name, bytes, i);
		try_rejoin(events);
		bytes[i] ^= 0x11;
		file_put(name, bytes, len);
		try_rejoin(NULL);
		bytes[i] ^= 0x11;
	}
	free(bytes);
}
END_TEST

START_TEST(pieces_of_two_dialects_are_refused)
{
	file_put("x.trace", wholes[0].bytes, wholes[0].len);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS, 1, 0),
	    DMTRACE_OK);
	rename("p/0001.trace", "kept");
	remove_paths();
	file_put("x.trace", wholes[17].bytes, wholes[17].len);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS, 5, 0),
	    DMTRACE_OK);
	rename("kept", "p/0001.trace");
	ck_assert_int_eq(rejoin_paths(NULL, 0), DMTRACE_ERR_FOREIGN);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    "is a piece of another trace"));
}
END_TEST

enum { FAULTS = ROWS(all_faults) };

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	static const size_t few[] = { 7, 17 };
	static const struct dmtrace_file out = { .path = "out" };
	const size_t whole = few[_i / FAULTS];
	struct failing failing = {
		.kind = all_faults[_i % FAULTS], .harmless = FAULT_CLOSE
	};

	file_put("x.trace", wholes[whole].bytes, wholes[whole].len);
	do {
		failing_arm(&failing);
		if (failing_reported(&failing, split_path("x.trace",
		    DMTRACE_PIECES_RECORDS, 3, DMTRACE_SYNC)))
			ck_assert_uint_eq(file_count("p"), 0);
	} while (failing.failed);
	failing.nth = 0;
	const struct paths *const paths = list_paths();
	do {
		failing_arm(&failing);
		if (failing_reported(&failing, dmtrace_join_pieces(op,
		    paths->items,
		    paths->count, &out, DMTRACE_SYNC, NULL)))
			ck_assert_int_ne(access("out", F_OK), 0);
		else
			compare_wholes(2, false);
		unlink("out");
	} while (failing.failed);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("piece_packets");
	TCase *const tcase = unit_tcase(suite, "piece_packets");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	tcase_add_loop_test(tcase, comes_back, 0,
	    (int)(ROWS(wholes) * ROWS(ways)));
	tcase_add_loop_test(tcase, pieces_are_balanced, 0,
	    (int)(ROWS(wholes) * ROWS(ways)));
	tcase_add_loop_test(tcase, pieces_can_be_split_again, 0, 4);
	ADD_CASES(tcase, a_piece_announces_all_and_says_what_it_is, seconds);
	tcase_add_loop_test(tcase,
	    every_prefix_and_changed_byte_ends_in_a_status, 0, 5);
	tcase_add_test(tcase, pieces_of_two_dialects_are_refused);
	tcase_add_loop_test(tcase, whatever_fails_leaves_all_or_nothing, 0,
	    2 * FAULTS);
	return unit_main(suite);
}
