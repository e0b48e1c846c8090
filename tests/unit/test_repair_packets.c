/* test_repair_packets.c - repairs of damaged ART streams and trace format V2 */

#include <dmtrace.h>
#include <unistd.h>

#include "helpers/repairing.h"
#include "helpers/repairs_packets.h"
#include "helpers/unit.h"

START_TEST(mends_it_to_these_events)
{
	const struct packet_repair *const row = &packet_repairs[_i];
	struct dmtrace_repair_result result;

	file_put("x.trace", row->in, row->in_len);
	ck_assert_int_eq(repair(&in, &out, &result), DMTRACE_OK);
	ck_assert_msg(strcmp(changes, row->changes) == 0, "%s: %s",
	    row->name, changes);
	ck_assert_uint_eq(result.records_out, row->events);
	if (row->out != NULL)
		assert_file("o.trace", row->out, row->out_len);
	assert_file("x.trace", row->in, row->in_len);
	assert_reported();
	assert_repaired();
}
END_TEST

START_TEST(a_pipe_is_mended_to_the_same)
{
	const struct packet_repair *const row = &packet_repairs[_i];
	int ends[2];

	file_put("x.trace", row->in, row->in_len);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], row->in, row->in_len),
	    (int)row->in_len);
	close(ends[1]);
	const struct dmtrace_file from = { .path = NULL, .fd = ends[0] };
	ck_assert_int_eq(repair(&from, &again, NULL), DMTRACE_OK);
	ck_assert_int_eq(close(ends[0]), 0);
	assert_same("o.trace", "p.trace");
}
END_TEST

/* What Android 6 and 7 leave, the later one shorter than an older one. */
START_TEST(a_summary_in_a_file_of_its_own_is_put_to_the_end)
{
	static const char stream[] = STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("");
	static const char apart[] = "*version\n2\nclock=wall\nvm=art\n"
	    "*threads\n4242\tmain\n*methods\n*end\n" "old\n*end\n";
	static const char whole[] = STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    "\0\0\3" "\x5d\0\0\0" "*version\n2\nclock=wall\nvm=art\n"
	    "dmtrace-repaired=stream-tail:9\n*threads\n4242\tmain\n*methods\n"
	    "*end\n";

	file_put("x.trace", stream, sizeof(stream) - 1);
	file_put("x.trace.sec", apart, sizeof(apart) - 1);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes,
	    "stream-summary-apart fixed 1;stream-tail dropped 9;");
	assert_file("o.trace", whole, sizeof(whole) - 1);
	assert_repaired();
}
END_TEST

/* Rows of packet_repairs: a stream, V2 of each stage, and a dump. */
static const unsigned lawful[] = { 0, 7, 21, 30, 32, 33, 42 };

START_TEST(every_prefix_becomes_valid_or_is_refused)
{
	const struct packet_repair *const row = &packet_repairs[lawful[_i]];

	for (size_t len = 0; len <= row->in_len; len += unit_stride()) {
		file_put("x.trace", row->in, len);
		if (repair(&in, &out, NULL) == DMTRACE_OK)
			assert_repaired();
		else
			ck_assert_uint_lt(len, 33);
	}
}
END_TEST

/* Any value of a byte in turn, which one goes round. */
START_TEST(every_changed_byte_becomes_valid_or_is_refused)
{
	const struct packet_repair *const row = &packet_repairs[lawful[_i]];
	static const char flips[] = { 1, 2, 0x40, (char)0x80, (char)0xff };
	char bytes[512];

	ck_assert_uint_le(row->in_len, sizeof(bytes));
	memcpy(bytes, row->in, row->in_len);
	for (size_t i = 0; i < row->in_len; i += unit_stride()) {
		const char was = bytes[i];

		bytes[i] = (char)(was ^ flips[(i + _i) % sizeof(flips)]);
		file_put("x.trace", bytes, row->in_len);
		if (repair(&in, &out, NULL) == DMTRACE_OK)
			assert_repaired();
		else
			ck_assert_uint_lt(i, 32);
		bytes[i] = was;
	}
}
END_TEST

static const struct {
	const char *label;
	const char *in;
	size_t len;
} lost[] = {
	{ "a block without an event", "\2" "\x92\x10\0\0" "\4\0\0"
	    "\x0d\0\0\0" "\xd0\x8f\x8f\x8f\x8f\x8f", 18 },
	{ "the end without another packet", "\3" "\1\0\0\0\0\0\0\0"
	    "\1\0\0\0\0\0\0\0" "\1" "\0\x10\0\7\0\0\0\0" "\x0f\0"
	    "A\tm\t()V", 35 },
};

START_TEST(a_dump_of_which_nothing_is_left_is_refused)
{
	file_put("x.trace", lost[_i].in, lost[_i].len);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_NOT_TRACE);
	ck_assert_str_eq(dmtrace_op_error(op)->message,
	    "no packet of this dump can be read");
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* Few bytes are left of each, which could be taken for something else. */
static const struct {
	const char *label;
	const char *in;
	size_t len;
} remains[] = {
	{ "records that look four bytes longer", "SLOW\xf2\0 \xd4si*\0"
	    "\0\0\0\0p\n*d\n\n\0\0\0\x03""4\0\0\0*version\0\0\0\0p\n*d\n*"
	    "d\n\n\0\0\0\x03""4\0\0\0*version\0\0\0\0\n\n", 73 },
	{ "a dump of one thread, and the first bytes of a method",
	    "\0" "\0\2\1\0" "\4\0" "main" "\0\3" "4\0\0\0*version", 26 },
};

START_TEST(what_is_left_is_repaired_to_the_same)
{
	file_put("x.trace", remains[_i].in, remains[_i].len);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	assert_repaired();
}
END_TEST

/* Names that no VM writes, but that a trace can have: those of four threads,
 * and of the classes of four methods. */
static const struct {
	const char *label;
	enum dmtrace_dialect dialect;
	uint32_t first_thread;
	const char *thread;
	const char *class_name;
} names[] = {
	{ "stream", DMTRACE_DIALECT_F2, 1, "\x1b[31m", "a\1" },
	{ "stream, threads", DMTRACE_DIALECT_F3, 1, "\1", "a" },
	{ "stream, no names", DMTRACE_DIALECT_F3, 1, NULL, "a\1" },
	{ "V4", DMTRACE_DIALECT_V4, 1, "\x1b[31m", "a\1" },
	{ "V5, threads", DMTRACE_DIALECT_V5, 1, "\1", "a" },
	{ "F5, no names", DMTRACE_DIALECT_F5, 1, NULL, "a\1" },
	{ "thread 0", DMTRACE_DIALECT_V4, 0, "main", "a\1" },
	{ "thread 0 in a stream", DMTRACE_DIALECT_F4, 0, "a\1", "a\1" },
};

static void
write_odd_names(int row, const char *path)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	const uint32_t first = names[row].first_thread;

	dmtrace_writer_set_dialect(writer, names[row].dialect, 0, 0);
	dmtrace_writer_open_path(writer, path);
	for (uint32_t i = 0; i < 4; i++) {
		dmtrace_writer_add_thread(writer, first + i,
		    names[row].thread);
		dmtrace_writer_add_method(writer, 4 * (i + 1),
		    names[row].class_name, "m");
	}
	for (uint32_t i = 0; i < 4; i++)
		dmtrace_writer_enter(writer, first + i, 4 * (i + 1), 1000);
	for (uint32_t i = 0; i < 4; i++)
		dmtrace_writer_exit(writer, first + i, 4 * (i + 1), 2000);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
}

START_TEST(odd_names_in_a_row_are_kept)
{
	write_odd_names(_i, "x.trace");
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes, "");
	assert_same("x.trace", "o.trace");
}
END_TEST

START_TEST(there_is_no_pair_of_it)
{
	const struct packet_repair *const row = &packet_repairs[1];
	const struct dmtrace_file half = { .path = "o.key" };

	file_put("x.trace", row->in, row->in_len);
	ck_assert_int_eq(repair(&in, &half, NULL), DMTRACE_ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    "\"dmtrace convert\""));
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("repair_packets");
	TCase *tcase = unit_tcase(suite, "repair_packets");

	tcase_add_checked_fixture(tcase, begin, op_end);
	ADD_CASES(tcase, mends_it_to_these_events, packet_repairs);
	ADD_CASES(tcase, a_pipe_is_mended_to_the_same, packet_repairs);
	tcase_add_test(tcase,
	    a_summary_in_a_file_of_its_own_is_put_to_the_end);
	ADD_CASES(tcase, every_prefix_becomes_valid_or_is_refused,
	    lawful);
	ADD_CASES(tcase, every_changed_byte_becomes_valid_or_is_refused,
	    lawful);
	ADD_CASES(tcase, a_dump_of_which_nothing_is_left_is_refused, lost);
	ADD_CASES(tcase, what_is_left_is_repaired_to_the_same, remains);
	ADD_CASES(tcase, odd_names_in_a_row_are_kept, names);
	tcase_add_test(tcase, there_is_no_pair_of_it);
	return unit_main(suite);
}
