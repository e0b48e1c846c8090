/* test_repair.c - repairs of damaged traces, and every possible failure */

#include <dmtrace.h>
#include <stdbool.h>
#include <stddef.h>

#include <fcntl.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/repairing.h"
#include "helpers/repairs.h"
#include "helpers/traces.h"
#include "helpers/unit.h"

START_TEST(mends_it_to_these_bytes)
{
	const struct repair *const row = &repairs[_i];
	struct dmtrace_repair_result result;

	options.time = row->time;
	file_put("x.trace", row->in, row->in_len);
	ck_assert_int_eq(repair(&in, &out, &result), DMTRACE_OK);
	ck_assert_msg(strcmp(changes, row->changes) == 0, "%s: %s",
	    row->name, changes);
	ck_assert_int_eq(result.changes > 0,
	    row->in_len != row->out_len ||
	    memcmp(row->in, row->out, row->in_len) != 0);
	assert_file("o.trace", row->out, row->out_len);
	assert_file("x.trace", row->in, row->in_len);
	assert_reported();
	assert_repaired();
}
END_TEST

START_TEST(without_an_output_it_only_reports)
{
	const struct repair *const row = &repairs[_i];

	options.time = row->time;
	file_put("x.trace", row->in, row->in_len);
	ck_assert_int_eq(repair(&in, NULL, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes, row->changes);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* The same as two files, where a key and data can be reported apart. */
START_TEST(a_pair_is_mended_to_a_pair)
{
	static const struct dmtrace_file half = { .path = "o.data" };
	const struct repair *const row = &repairs[_i];
	const size_t key_len = sizeof(KEYED("")) - 1;
	const char *const end = strstr(row->out, "*end\n");
	const size_t out_len = (size_t)(end - row->out) + strlen("*end\n");

	if (row->in_len <= key_len ||
	    memcmp(row->in, KEYED(""), key_len) != 0)
		return;
	options.time = row->time;
	file_put("x.key", row->in, key_len);
	file_put("x.data", row->in + key_len, row->in_len - key_len);
	const struct dmtrace_file key = { .path = "x.key" };
	ck_assert_int_eq(repair(&key, &half, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes, row->changes);
	assert_file("o.key", row->out, out_len);
	assert_file("o.data", row->out + out_len, row->out_len - out_len);
	ck_assert_int_eq(repair(&half, &out, NULL), DMTRACE_OK);
	assert_file("o.trace", row->out, row->out_len);
}
END_TEST

START_TEST(each_sample_becomes_valid_or_is_refused)
{
	const struct trace *const trace = &traces[_i];

	file_put("x.trace", trace->bytes, trace->len);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	assert_repaired();
}
END_TEST

/* Rows of repairs. */
static const unsigned prefixed[] = { 0, 1, 9, 10, 13, 25, 42 };

/* As soon as its first word is whole. */
START_TEST(every_prefix_becomes_valid_or_is_refused)
{
	const struct repair *const row = &repairs[prefixed[_i]];

	for (size_t len = 0; len <= row->in_len; len += unit_stride()) {
		file_put("x.trace", row->in, len);
		const enum dmtrace_status status = repair(&in, &out, NULL);
		if (status == DMTRACE_OK) {
			assert_repaired();
			unlink("o.trace");
			unlink("p.trace");
		} else {
			ck_assert_uint_lt(len, 12);
			ck_assert_int_eq(status, DMTRACE_ERR_NOT_TRACE);
			ck_assert_uint_eq(file_count("."), 1);
		}
	}
}
END_TEST

START_TEST(every_changed_byte_becomes_valid_or_is_refused)
{
	static const char flips[] = { 1, 2, 0x40, (char)0x80, (char)0xff };
	char bytes[512];
	const size_t len = repairs[0].in_len;

	memcpy(bytes, repairs[0].in, len);
	for (size_t i = (size_t)_i % unit_stride(); i < len;
	    i += unit_stride()) {
		bytes[i] = (char)(bytes[i] ^ flips[_i]);
		file_put("x.trace", bytes, len);
		const enum dmtrace_status status = repair(&in, &out, NULL);
		if (status == DMTRACE_OK) {
			assert_reported();
			assert_repaired();
		} else {
			ck_assert_uint_lt(i, 9);
		}
		bytes[i] = (char)(bytes[i] ^ flips[_i]);
	}
}
END_TEST

/* What generate makes. */
static void
make(unsigned seed, unsigned version, enum dmtrace_clock clock)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_generate_options made = { 0 };

	made.seed = seed;
	made.records = 40 + seed % 7 * 20;
	made.threads = 1 + seed % 5;
	made.methods = 1 + seed % 11;
	made.max_depth = 1 + seed % 9;
	dmt_writer_set_layout(writer, dmt_layout_find(version,
	    clock));
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_generate(op, writer, &made), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
}

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
} layouts[] = {
	{ 1, DMTRACE_CLOCK_THREAD_CPU },
	{ 1, DMTRACE_CLOCK_WALL },
	{ 2, DMTRACE_CLOCK_THREAD_CPU },
	{ 2, DMTRACE_CLOCK_WALL },
	{ 3, DMTRACE_CLOCK_WALL },
	{ 3, DMTRACE_CLOCK_DUAL },
};

START_TEST(what_is_valid_is_copied)
{
	for (unsigned seed = 0; seed < 90; seed++) {
		make(seed, layouts[_i].version, layouts[_i].clock);
		ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
		ck_assert_str_eq(changes, "");
		assert_same("x.trace", "o.trace");
	}
}
END_TEST

/* A few numbers that look like chance. */
static unsigned
chance(unsigned *state, unsigned below)
{
	*state = *state * 1103515245u + 12345u;
	return (*state >> 16) % below;
}

/* One damage of the kinds that files meet. */
static size_t
damage(char *bytes, size_t len, unsigned *state)
{
	const size_t at = chance(state, (unsigned)len);
	size_t n = 1 + chance(state, 40);

	if (n > len - at)
		n = len - at;
	switch (chance(state, 5)) {
	case 0:					/* a bit */
		bytes[at] = (char)(bytes[at] ^ 1 << chance(state, 8));
		return len;
	case 1:					/* bytes that are lost */
		memmove(bytes + at, bytes + at + n, len - at - n);
		return len - n;
	case 2:					/* the end */
		return len - n;
	case 3:					/* a block never written */
		memset(bytes + at, 0, n);
		return len;
	default:				/* noise */
		for (size_t i = 0; i < n; i++)
			bytes[at + i] = (char)chance(state, 256);
		return len;
	}
}

START_TEST(what_is_damaged_becomes_valid_or_is_refused)
{
	const unsigned seeds = unit_more() ? 90 : 30;
	unsigned state = (unsigned)_i + 1;

	for (unsigned seed = 0; seed < seeds; seed++) {
		size_t len;

		make(seed, layouts[_i].version, layouts[_i].clock);
		char *const bytes = file_get("x.trace", &len);
		for (unsigned i = chance(&state, 3); i < 3; i++)
			len = damage(bytes, len, &state);
		file_put("x.trace", bytes, len);
		options.time = (enum dmtrace_repair_time)(seed % 3);
		for (int edges = 0; edges < 2; edges++) {
			options.flags = edges ? DMTRACE_REPAIR_EDGES : 0;
			if (repair(&in, &out, NULL) == DMTRACE_OK)
				assert_repaired();
		}
		free(bytes);
	}
}
END_TEST

/* Each time of the records happens to be two characters of UTF-8, as in data
 * that was converted as text. The last record is truncated. */
START_TEST(what_looks_like_text_becomes_valid)
{
	static const char trace[] = "*version\n2\nclock=wall\n*threads\n"
	    "1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n"
	    "SLOW\2\0\x20\0\0\0\0\0\0\0\0\0"
	    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define CALL(from, to) "\1\0\4\0\0\0" from "\1\0\5\0\0\0" to
	    CALL("\xc3\x81\xc2\x80", "\xc3\x82\xc2\x80")
	    CALL("\xc3\x83\xc2\x80", "\xc3\x84\xc2\x80")
	    CALL("\xc3\x85\xc2\x80", "\xc3\x86\xc2\x80")
	    CALL("\xc3\x87\xc2\x80", "\xc3\x88\xc2\x80")
	    CALL("\xc3\x89\xc2\x80", "\xc3\x8a\xc2\x80") "cut";

	file_put("x.trace", trace, sizeof(trace) - 1);
	options.flags = _i == 0 ? 0 : DMTRACE_REPAIR_EDGES;
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes, "record-partial dropped 1;");
	assert_repaired();
}
END_TEST

/* Data that was converted to UTF-8, and of which one call was damaged again
 * after the bytes that prove the conversion: by a byte that is no character,
 * and by a character of no byte. */
START_TEST(what_is_no_text_within_text_is_dropped)
{
	enum { RECORDS = 30000, DAMAGED = 29000, ROOM = 1000000 };
	static const char front[] = "*version\n2\nclock=wall\n*threads\n"
	    "1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n"
	    "SLOW\2\0\x20\0\0\0\0\0\0\0\0\0"
	    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
	uint8_t *const bytes = malloc(ROOM);
	size_t len = sizeof(front) - 1;
	unsigned changed = 0;
	char expected[100];

	memcpy(bytes, front, len);
	for (unsigned i = 0; i < RECORDS; i++) {
		const unsigned time_us = 10 * i;
		const uint8_t record[] = {
			1, 0, (uint8_t)(4 + i % 2), 0, 0, 0, (uint8_t)time_us,
			(uint8_t)(time_us >> 8), (uint8_t)(time_us >> 16), 0
		};

		for (size_t j = 0; j < sizeof(record); j++) {
			if (i == DAMAGED - 1 && j == 9) {
				bytes[len++] = 0x81;
			} else if (i == DAMAGED - 2 && j == 3) {
				bytes[len++] = 0xc5;
				bytes[len++] = 0x81;
				j++;
			} else if (record[j] < 0x80) {
				bytes[len++] = record[j];
			} else {
				bytes[len++] = 0xc0 | record[j] >> 6;
				bytes[len++] = 0x80 | (record[j] & 0x3f);
				changed++;
			}
		}
	}
	file_put("x.trace", bytes, len);
	free(bytes);
	options.flags = 0;
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	snprintf(expected, sizeof(expected), "data-converted fixed %u;"
	    "record-damaged lost 2;", changed);
	ck_assert_str_eq(changes, expected);
	assert_repaired();
}
END_TEST

static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	const char *message;
} refused[] = {
#define REFUSED(name, bytes, status, message) \
	{ name, bytes, sizeof(bytes) - 1, status, message }
	REFUSED("empty", "", DMTRACE_ERR_NOT_TRACE, "empty"),
	REFUSED("text", "hello", DMTRACE_ERR_NOT_TRACE, "begins with \"hello"),
	REFUSED("gzip", "\x1f\x8b\x08", DMTRACE_ERR_NOT_TRACE, "gzip"),
	REFUSED("streaming after a key", KEY_3 HEADER("\xf3", "\x0e")
	    "\0\0\1\7\0abcdefgh", DMTRACE_ERR_UNSUPPORTED, "0xF3"),
};

START_TEST(refuses_what_it_cannot_repair)
{
	file_put("x.trace", refused[_i].bytes, refused[_i].len);
	ck_assert_int_eq(repair(&in, &out, NULL), refused[_i].status);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    refused[_i].message));
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "x.trace");
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(refuses_unknown_options)
{
	file_put("x.trace", repairs[0].in, repairs[0].in_len);
	options.time = (enum dmtrace_repair_time)3;
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_RANGE);
	options.time = CLAMP;
	options.flags = DMTRACE_JOIN_FORCE;
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_RANGE);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(no_options_are_the_defaults)
{
	const struct repair *const row = &repairs[0];

	file_put("x.trace", row->in, row->in_len);
	ck_assert_int_eq(dmtrace_repair(op, &in, &out, NULL, NULL),
	    DMTRACE_OK);
	assert_file("o.trace", row->out, row->out_len);
}
END_TEST

START_TEST(the_input_is_not_the_output)
{
	file_put("x.trace", repairs[1].in, repairs[1].in_len);
	ck_assert_int_eq(repair(&in, &in, NULL), DMTRACE_ERR_STATE);
	ck_assert_int_eq(link("x.trace", "o.trace"), 0);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_STATE);
	assert_file("x.trace", repairs[1].in, repairs[1].in_len);
}
END_TEST

START_TEST(an_old_file_stays_if_it_must)
{
	file_put("x.trace", repairs[1].in, repairs[1].in_len);
	file_put("o.trace", "old", 3);
	options.flags = DMTRACE_NO_REPLACE;
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_IO);
	assert_file("o.trace", "old", 3);
	options.flags = DMTRACE_SYNC;
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	assert_file("o.trace", repairs[1].out, repairs[1].out_len);
}
END_TEST

START_TEST(a_pipe_can_be_repaired)
{
	const struct repair *const row = &repairs[_i];
	int ends[2];

	options.time = row->time;
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], row->in, row->in_len),
	    (int)row->in_len);
	close(ends[1]);
	const struct dmtrace_file from = { .path = NULL, .fd = ends[0] };
	ck_assert_int_eq(repair(&from, &out, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes, row->changes);
	assert_file("o.trace", row->out, row->out_len);
	ck_assert_int_eq(close(ends[0]), 0);
}
END_TEST

/* From where it stands. */
START_TEST(a_descriptor_is_read_from_its_offset)
{
	const struct repair *const row = &repairs[1];

	file_put("x", row->in, row->in_len);
	FILE *const file = fopen("x.trace", "wb");
	fwrite("skipped", 1, 7, file);
	fwrite(row->in, 1, row->in_len, file);
	fclose(file);
	const struct dmtrace_file from =
	    { .path = NULL, .fd = open("x.trace", O_RDONLY) };
	ck_assert_int_eq(lseek(from.fd, 7, SEEK_SET), 7);
	ck_assert_int_eq(repair(&from, &out, NULL), DMTRACE_OK);
	assert_file("o.trace", row->out, row->out_len);
	ck_assert_int_eq(close(from.fd), 0);
}
END_TEST

/* What a recorder leaves that is killed: tables as they came, no end, and
 * data that ends anywhere. */
START_TEST(what_a_killed_recorder_left_is_found)
{
	static const char key[] = "*version\n2\nclock=wall\nvm=art\npid=7\n"
	    "*threads\n1\tmain\n*methods\n0x4\tA\tm\t()V\n"
	    "*threads\n2\tworker\n*methods\n0x8\tB\tn\t()V\n";
	static const char data[] = HEADER_2 R("\4", "\1") R("\x8", "\2")
	    "\2\0" "\x8\0\0\0" "\3\0\0\0" R("\x9", "\4") "\1\0\5";
	static const char mended[] = "*version\n2\nclock=wall\nvm=art\n"
	    "pid=7\ndmtrace-closed=2\ndmtrace-repaired=key-end-missing:1,"
	    "record-partial:1,call-open:2\n"
	    "*threads\n1\tmain\n2\tworker\n*methods\n0x4\tA\tm\t()V\n"
	    "0x8\tB\tn\t()V\n*end\n" HEADER_2 R("\4", "\1") R("\x8", "\2")
	    "\2\0" "\x8\0\0\0" "\3\0\0\0" R("\x9", "\4") R("\5", "\4")
	    "\2\0" "\x9\0\0\0" "\4\0\0\0";

	file_put("x.trace.key", key, sizeof(key) - 1);
	file_put("x.trace.data", data, sizeof(data) - 1);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_OK);
	assert_file("o.trace", mended, sizeof(mended) - 1);
	assert_repaired();
}
END_TEST

START_TEST(swapped_halves_are_put_right)
{
	static const struct dmtrace_file either[] =
	    { { .path = "x.key" }, { .path = "x.data" } };
	const size_t key_len = sizeof(KEYED("")) - 1;

	file_put("x.data", repairs[0].in, key_len);
	file_put("x.key", repairs[0].in + key_len,
	    repairs[0].in_len - key_len);
	ck_assert_int_eq(repair(&either[_i], &out, NULL), DMTRACE_OK);
	ck_assert_str_eq(changes, "pair-swapped fixed 1;");
	assert_file("o.trace", repairs[0].in, repairs[0].in_len);
}
END_TEST

/* Of several blocks, with all that is done to records. */
static size_t
put_large(const char *mangled)
{
	static const char key[] = CRLF_KEY;
	static const char calls[] = R("\4", "\n") R("\x8", "\3")
	    R("\x9", "\n") R("\5", "\x20") R("\x9", "\x21") R("\xb", "\7");
	FILE *const file = fopen("x.trace", "wb");

	fwrite(key, 1, sizeof(key) - 1, file);
	fwrite(HEADER_2, 1, sizeof(HEADER_2) - 1, file);
	for (unsigned i = 0; i < 5000; i++)
		for (size_t j = 0; j < sizeof(calls) - 1; j++) {
			if (calls[j] == '\n')
				fputs(mangled, file);
			fputc(calls[j], file);
		}
	fclose(file);
	return 0;
}

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	struct failing failing = {
		.kind = all_faults[_i / 2], .harmless = FAULT_CLOSE
	};
	size_t len;

	put_large(_i % 2 == 0 ? "" : "\r");
	options.flags = DMTRACE_SYNC;
	ck_assert_int_eq(repair(&in, &again, NULL), DMTRACE_OK);
	char *const bytes = file_get("p.trace", &len);
	do {
		failing_arm(&failing);
		if (failing_reported(&failing, repair(&in, &out, NULL))) {
			ck_assert_uint_eq(file_count("."), 2);
		} else {
			assert_file("o.trace", bytes, len);
			unlink("o.trace");
		}
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	free(bytes);
}
END_TEST

START_TEST(a_progress_that_cancels_leaves_no_output)
{
	unsigned calls = (unsigned)_i + 1;

	put_large(_i % 2 == 0 ? "" : "\r");
	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* A dmtrace_progress_fn that cuts what is read. */
static int
shorten_input(void *context, uint64_t done, uint64_t total)
{
	(void)context;
	(void)done;
	(void)total;
	return truncate("x.trace", 1000);
}

START_TEST(an_input_that_becomes_shorter_is_an_error)
{
	put_large("");
	dmtrace_op_set_progress(op, shorten_input, NULL);
	ck_assert_int_eq(repair(&in, &out, NULL), DMTRACE_ERR_IO);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* Says no to the last call. */
static int
refuse_changes(void *context, const struct dmtrace_change *change)
{
	unsigned *const calls = context;

	++*calls;
	return change == NULL;
}

START_TEST(a_change_function_that_cancels_leaves_no_output)
{
	unsigned calls = 0;

	file_put("x.trace", repairs[1].in, repairs[1].in_len);
	options.change = refuse_changes;
	options.context = &calls;
	ck_assert_int_eq(repair(&in, _i == 0 ? &out : NULL, NULL),
	    DMTRACE_ERR_CANCELLED);
	ck_assert_uint_gt(calls, 1);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(kinds_have_names)
{
	ck_assert_str_eq(dmt_change_kind_name(DMTRACE_CHANGE_KEPT),
	    "kept");
	ck_assert_str_eq(dmt_change_kind_name(
	    (enum dmtrace_change_kind)5), "");
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("repair");
	TCase *const tcase = unit_tcase(suite, "repair");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, begin, op_end);
	ADD_CASES(tcase, mends_it_to_these_bytes, repairs);
	ADD_CASES(tcase, without_an_output_it_only_reports, repairs);
	ADD_CASES(tcase, a_pair_is_mended_to_a_pair, repairs);
	ADD_CASES(tcase, each_sample_becomes_valid_or_is_refused, traces);
	tcase_add_loop_test(tcase, every_prefix_becomes_valid_or_is_refused,
	    0, (int)ROWS(prefixed));
	tcase_add_loop_test(tcase,
	    every_changed_byte_becomes_valid_or_is_refused, 0, 5);
	ADD_CASES(tcase, what_is_valid_is_copied, layouts);
	ADD_CASES(tcase, what_is_damaged_becomes_valid_or_is_refused,
	    layouts);
	tcase_add_loop_test(tcase, what_looks_like_text_becomes_valid, 0, 2);
	tcase_add_test(tcase, what_is_no_text_within_text_is_dropped);
	ADD_CASES(tcase, refuses_what_it_cannot_repair, refused);
	tcase_add_test(tcase, refuses_unknown_options);
	tcase_add_test(tcase, no_options_are_the_defaults);
	tcase_add_test(tcase, the_input_is_not_the_output);
	tcase_add_test(tcase, an_old_file_stays_if_it_must);
	ADD_CASES(tcase, a_pipe_can_be_repaired, repairs);
	tcase_add_test(tcase, a_descriptor_is_read_from_its_offset);
	tcase_add_test(tcase, what_a_killed_recorder_left_is_found);
	tcase_add_loop_test(tcase, swapped_halves_are_put_right, 0, 2);
	tcase_add_loop_test(tcase, whatever_fails_leaves_all_or_nothing, 0,
	    2 * (int)ROWS(all_faults));
	tcase_add_loop_test(tcase, a_progress_that_cancels_leaves_no_output,
	    0, 4);
	tcase_add_test(tcase, an_input_that_becomes_shorter_is_an_error);
	tcase_add_loop_test(tcase,
	    a_change_function_that_cancels_leaves_no_output, 0, 2);
	tcase_add_test(tcase, kinds_have_names);
	return unit_main(suite);
}
