/* test_convert.c - conversions to other dialects, and failures on the way */

#include <dmtrace.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/faults.h"
#include "helpers/op.h"
#include "helpers/streams.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "private/ops.h"

#define BYTES(bytes) bytes, sizeof(bytes) - 1

static const struct dmtrace_file out = { .path = "o.trace" };

static const struct dmtrace_file nowhere = { .path = "/dev/null" };

/* Nanoseconds, ids of 64 bits, two threads. */
#define TRACE_V5 "SLOW\5\0\x79\xdf\x0d\x86\x48\x70\0\0" \
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" \
    "\0\x92\x10\0\0\4\0main" "\0\0\0\1\0\1\0w" \
    "\1\x10\0\0\0\0\x70\0\0\x0f\0A\tm\t()V\tA.java\n" \
    "\2\x92\x10\0\0\2\0\0\x0c\0\0\0" \
    "\x90\x80\x80\x80\x80\x80\x1c\1\1\1\1\1" \
    "\2\0\0\1\0\2\0\0\x0c\0\0\0" \
    "\x90\x80\x80\x80\x80\x80\x1c\2\1\1\1\1" \
    "\3\x24\0*version\n5\nelapsed-time-nsec=9\n*end\n"

static enum dmtrace_status
convert(const void *bytes, size_t len, enum dmtrace_dialect dialect,
    const struct dmtrace_file *to, struct dmtrace_convert_result *result)
{
	const struct dmtrace_convert_options options = {
		.dialect = dialect
	};
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (reader != NULL) {
		status = dmtrace_reader_open_memory(reader, bytes, len);
		if (status == DMTRACE_OK)
			status = dmtrace_convert(op, reader, to, &options,
			    result);
	}
	dmtrace_reader_free(reader);
	return status;
}

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	enum dmtrace_dialect dialect;
} traces_converted[] = {
	{ "0xF3 to v3", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\1" "\x11\0" "0\tB\tn\t()V\tB.java\n" CALL_F3 SUMMARY_F3),
	    DMTRACE_DIALECT_V3 },
	{ "0xF2 to v1", BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    SUMMARY_F2), DMTRACE_DIALECT_V1 },
	{ "v3 to 0xF3", BYTES(KEY_3 HEADER_3("\x0e") RECORDS_3),
	    DMTRACE_DIALECT_F3 },
	{ "v2 to 0xF2", BYTES(KEY_2 HEADER_2 RECORDS_2 RECORDS_2),
	    DMTRACE_DIALECT_F2 },
	{ "v3 to 0xF5", BYTES(KEY_3 HEADER_3("\x0e") RECORDS_3),
	    DMTRACE_DIALECT_F5 },
	{ "0xF3 to v5", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\1" "\x11\0" "0\tB\tn\t()V\tB.java\n" CALL_F3 SUMMARY_F3),
	    DMTRACE_DIALECT_V5 },
	{ "v5 to v3", BYTES(TRACE_V5), DMTRACE_DIALECT_V3 },
	{ "v5 to v4", BYTES(TRACE_V5), DMTRACE_DIALECT_V4 },
	{ "0xF3 to 0xF3", BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3),
	    DMTRACE_DIALECT_F3 },
};

START_TEST(survives_every_failing_allocation)
{
	enum dmtrace_status status;
	unsigned nth = 0;

	do {
		fault_arm(FAULT_ALLOC, ++nth);
		status = convert(traces_converted[_i].bytes,
		    traces_converted[_i].len, traces_converted[_i].dialect,
		    &nowhere, NULL);
	} while (fault_disarm() && status == DMTRACE_ERR_MEMORY);
	ck_assert_int_eq(status, DMTRACE_OK);
	ck_assert_uint_gt(nth, 10);
}
END_TEST

START_TEST(survives_every_failing_write)
{
	enum dmtrace_status status;
	unsigned nth = 0;

	do {
		fault_arm(FAULT_WRITE, ++nth);
		status = convert(traces_converted[_i].bytes,
		    traces_converted[_i].len, traces_converted[_i].dialect,
		    &out, NULL);
	} while (fault_disarm() && status == DMTRACE_ERR_IO);
	ck_assert_int_eq(status, DMTRACE_OK);
}
END_TEST

START_TEST(ends_whatever_byte_changes)
{
	const size_t len = traces_converted[_i].len;
	char *const bytes = malloc(len);

	memcpy(bytes, traces_converted[_i].bytes, len);
	for (size_t at = 0; at < len; at++) {
		bytes[at] = (char)~bytes[at];
		convert(bytes, len, traces_converted[_i].dialect, &nowhere,
		    NULL);
		bytes[at] = traces_converted[_i].bytes[at];
	}
	free(bytes);
}
END_TEST

START_TEST(counts_what_is_lost)
{
	struct dmtrace_convert_result result = { 0 };

	ck_assert_int_eq(convert(traces_converted[0].bytes,
	    traces_converted[0].len, DMTRACE_DIALECT_V2, &out, &result),
	    DMTRACE_OK);
	ck_assert_uint_eq(result.losses[DMTRACE_LOSS_CPU], 4);
	ck_assert_uint_eq(result.losses[DMTRACE_LOSS_METHOD_ID], 1);
	ck_assert_uint_eq(result.losses[DMTRACE_LOSS_WALL], 0);
}
END_TEST

/* A.m has line 7, B.n line -2. */
START_TEST(cuts_lines_of_packets)
{
	struct dmtrace_convert_result result = { 0 };
	struct dmtrace_validity validity;
	struct dmtrace_verdict verdicts[DMTRACE_READERS];

	for (enum dmtrace_dialect i = DMTRACE_DIALECT_F2;
	    i <= DMTRACE_DIALECT_F3; i++) {
		ck_assert_int_eq(convert(BYTES(KEY_3 HEADER_3("\x0e")
		    RECORDS_3), i, &out, &result), DMTRACE_OK);
		ck_assert_uint_eq(result.losses[DMTRACE_LOSS_LINE], 2);
		ck_assert_int_eq(dmtrace_judge(op, &out, verdicts, &validity),
		    DMTRACE_OK);
		ck_assert_int_eq(verdicts[DMTRACE_READER_STUDIO].reception,
		    DMTRACE_READS);
	}
	ck_assert_int_eq(convert(BYTES(KEY_3 HEADER_3("\x0e") RECORDS_3),
	    DMTRACE_DIALECT_V5, &out, &result), DMTRACE_OK);
	ck_assert_uint_eq(result.losses[DMTRACE_LOSS_LINE], 0);
}
END_TEST

/* No number of version 1 is 4242. */
START_TEST(renumbers_threads_for_version_1)
{
	struct dmtrace_convert_result result = { 0 };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	ck_assert_int_eq(convert(traces_converted[1].bytes,
	    traces_converted[1].len, DMTRACE_DIALECT_V1, &out, &result),
	    DMTRACE_OK);
	ck_assert_uint_eq(result.losses[DMTRACE_LOSS_THREAD_NUMBER], 1);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, out.path),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_OK);
	ck_assert_uint_eq(event.thread, 1);
	ck_assert_uint_eq(dmtrace_key_thread_get(dmtrace_reader_key(reader),
	    0)->id, 1);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(can_be_cancelled)
{
	unsigned calls = 1;

	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(convert(traces_converted[_i].bytes,
	    traces_converted[_i].len, traces_converted[_i].dialect, &out,
	    NULL), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_int_ne(access(out.path, F_OK), 0);
}
END_TEST

START_TEST(names_every_loss)
{
	for (unsigned i = 0; i < DMTRACE_LOSSES; i++) {
		ck_assert_str_ne(dmtrace_loss_name((enum dmtrace_loss)i), "");
		ck_assert_str_ne(dmt_loss_text((enum dmtrace_loss)i), "");
	}
	ck_assert_str_eq(dmtrace_loss_name((enum dmtrace_loss)99), "");
	ck_assert_str_eq(dmt_loss_text((enum dmtrace_loss)99), "");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("convert");
	TCase *tcase = unit_tcase(suite, "convert");

	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, survives_every_failing_allocation, traces_converted);
	ADD_CASES(tcase, survives_every_failing_write, traces_converted);
	ADD_CASES(tcase, ends_whatever_byte_changes, traces_converted);
	tcase_add_test(tcase, counts_what_is_lost);
	tcase_add_test(tcase, cuts_lines_of_packets);
	tcase_add_test(tcase, renumbers_threads_for_version_1);
	ADD_CASES(tcase, can_be_cancelled, traces_converted);
	tcase_add_test(tcase, names_every_loss);
	return unit_main(suite);
}
