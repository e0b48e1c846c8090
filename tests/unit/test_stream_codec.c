/* test_stream_codec.c - packets of ART streams, decoded and encoded */

#include <dmtrace.h>
#include <string.h>

#include "data/stream_encode.h"
#include "helpers/streams.h"
#include "helpers/unit.h"

#define BYTES(bytes) bytes, sizeof(bytes) - 1

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	enum dmt_packet_kind kind;
	uint16_t thread;
	const char *text;
} whole[] = {
	{ "method", BYTES(PACKET_A), DMT_PACKET_METHOD, 0,
	    "0\tA\tm\t()V\tA.java\n" },
	{ "method of a real file", BYTES("\0\0\1\x51\0"
	    "0\tcom.android.internal.os.ZygoteInit\tmain\t"
	    "([Ljava/lang/String;)V\tZygoteInit.java\n"),
	    DMT_PACKET_METHOD, 0,
	    "0\tcom.android.internal.os.ZygoteInit\tmain\t"
	    "([Ljava/lang/String;)V\tZygoteInit.java\n" },
	{ "thread of a real file", BYTES("\0\0\2\x6f\x3e\4\0main"),
	    DMT_PACKET_THREAD, 0x3e6f, "main" },
	{ "thread without a name", BYTES("\0\0\2\x01\x02\0\0"),
	    DMT_PACKET_THREAD, 0x0201, "" },
	{ "summary", BYTES("\0\0\3\x0d\0\0\0*version\n3\n*e"),
	    DMT_PACKET_SUMMARY, 0, "*version\n3\n*e" },
};

START_TEST(decodes_and_encodes)
{
	const uint8_t *const bytes = (const uint8_t *)whole[_i].bytes;
	const size_t text_len = strlen(whole[_i].text);
	uint8_t head[DMT_PACKET_HEAD_MAX];
	struct dmt_packet packet;

	ck_assert(dmt_packet_begins(bytes));
	ck_assert_int_eq(dmt_packet_decode(&packet, bytes, whole[_i].len),
	    DMTRACE_OK);
	ck_assert_int_eq(packet.kind, whole[_i].kind);
	ck_assert_uint_eq(packet.thread, whole[_i].thread);
	ck_assert_uint_eq(packet.len, whole[_i].len);
	ck_assert_uint_eq(packet.text_len, text_len);
	ck_assert_mem_eq(packet.text, whole[_i].text, text_len);
	ck_assert_uint_eq(dmt_packet_head_encode(head, &packet),
	    whole[_i].len - text_len);
	ck_assert_mem_eq(head, bytes, whole[_i].len - text_len);
}
END_TEST

START_TEST(asks_for_more_of_every_prefix)
{
	const uint8_t *const bytes = (const uint8_t *)whole[_i].bytes;
	struct dmt_packet packet;

	for (size_t len = 0; len < whole[_i].len; len++) {
		ck_assert_int_eq(dmt_packet_decode(&packet, bytes, len),
		    DMTRACE_END);
		ck_assert_uint_gt(packet.len, len);
		ck_assert_uint_le(packet.len, whole[_i].len);
	}
}
END_TEST

START_TEST(refuses_other_kinds)
{
	const uint8_t bytes[] = { 0, 0, (uint8_t)_i };
	struct dmt_packet packet;

	ck_assert_int_eq(dmt_packet_decode(&packet, bytes, sizeof(bytes)),
	    _i >= 1 && _i <= 3 ? DMTRACE_END : DMTRACE_ERR_CORRUPT);
}
END_TEST

START_TEST(refuses_text_that_is_too_long)
{
	uint8_t head[DMT_PACKET_HEAD_MAX];
	struct dmt_packet packet = {
		.kind = DMT_PACKET_METHOD, .text_len = 65535
	};

	ck_assert_uint_eq(dmt_packet_head_encode(head, &packet), 5);
	packet.text_len++;
	ck_assert_uint_eq(dmt_packet_head_encode(head, &packet), 0);
	packet.kind = DMT_PACKET_THREAD;
	ck_assert_uint_eq(dmt_packet_head_encode(head, &packet), 0);
	packet.kind = DMT_PACKET_SUMMARY;
	ck_assert_uint_eq(dmt_packet_head_encode(head, &packet), 7);
}
END_TEST

START_TEST(counts_records_up_to_a_packet)
{
	static const char bytes[] = CALL_F3 CALL_F3 PACKET_A;
	const uint8_t *const in = (const uint8_t *)bytes;

	ck_assert_uint_eq(dmt_stream_records(in, sizeof(bytes) - 1, 14, 9),
	    4);
	ck_assert_uint_eq(dmt_stream_records(in, sizeof(bytes) - 1, 14, 3),
	    3);
	ck_assert_uint_eq(dmt_stream_records(in, 4 * 14, 14, 9), 4);
	ck_assert_uint_eq(dmt_stream_records(in, 4 * 14 - 1, 14, 9), 3);
	ck_assert_uint_eq(dmt_stream_records(in + 4 * 14, 22, 14, 9), 0);
}
END_TEST

/* 18. of the traps: what Android 6 to 13 left in the last 4 bytes */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	size_t stated;
	unsigned version;
	size_t size;
} sizes[] = {
	{ "10 as stated", BYTES(PACKET_A PACKET_MAIN CALL_F2("")), 10, 2, 10 },
	{ "14, 0xEE", BYTES(PACKET_A PACKET_MAIN
	    CALL_F2("\xee\xee\xee\xee")), 10, 2, 14 },
	{ "14, zeros", BYTES(PACKET_A PACKET_MAIN CALL_F2("\0\0\0\0")),
	    10, 2, 14 },
	{ "14, as if packets", BYTES(PACKET_A PACKET_MAIN
	    CALL_F2("\0\0\1\0")), 10, 2, 14 },
	{ "14, as if of the thread", BYTES(PACKET_A PACKET_MAIN
	    CALL_F2("\x92\x10\0\0")), 10, 2, 14 },
	{ "14 after a line without its end", BYTES("\0\0\1\7\0" "0\tA\tm\t "
	    PACKET_MAIN CALL_F2("\xee\xee\xee\xee")), 10, 2, 14 },
	{ "14, cut", "\0\0\2\x92\x10\0\0" CALL_F2("\xee\xee\xee\xee"),
	    7 + 26, 10, 2, 14 },
	{ "14, of a thread that nothing announces", BYTES(PACKET_B
	    "\4\0\4\0\0\0\1\0\0\0\xee\xee\xee\xee"
	    "\4\0\5\0\0\0\1\0\0\0\xee\xee\xee\xee" SUMMARY_F2),
	    10, 2, 14 },
	{ "14, where nothing is announced but the summary comes", BYTES(
	    "\4\0\4\0\0\0\1\0\0\0\xee\xee\xee\xee"
	    "\4\0\5\0\0\0\1\0\0\0\xee\xee\xee\xee" SUMMARY_F2),
	    10, 2, 14 },
	{ "14, half of a thread that nothing announces", BYTES(PACKET_MAIN
	    CALL_F2("\xee\xee\xee\xee")
	    "\4\0\4\0\0\0\1\0\0\0\xee\xee\xee\xee"
	    "\4\0\5\0\0\0\1\0\0\0\xee\xee\xee\xee" SUMMARY_F2),
	    10, 2, 14 },
	{ "10, half of a thread that nothing announces", BYTES(PACKET_MAIN
	    "\4\0\4\0\0\0\1\0\0\0" CALL_F2("")
	    "\4\0\5\0\0\0\1\0\0\0" SUMMARY_F2), 10, 2, 10 },
	{ "10, of a thread that nothing announces, some as if 14", BYTES(
	    PACKET_MAIN "\4\0\4\0\x92\x10\1\1\1\1"
	    "\4\0\4\0\x92\x10\1\1\1\1" "\4\0\4\0\x92\x10\1\1\1\1"
	    SUMMARY_F2), 10, 2, 10 },
	{ "10, and something else in the middle", BYTES(PACKET_A PACKET_MAIN
	    CALL_F2("") CALL_F2("") "\7" CALL_F2("") CALL_F2("")
	    SUMMARY_F2), 10, 2, 10 },
	{ "14, and something else in the middle", BYTES(PACKET_A PACKET_MAIN
	    CALL_F2("\xee\xee\xee\xee") "\7" CALL_F2("\xee\xee\xee\xee")
	    SUMMARY_F2), 10, 2, 14 },
	{ "no thread is announced", BYTES(CALL_F2("\xee\xee\xee\xee")),
	    10, 2, 10 },
	{ "nothing", BYTES(""), 10, 2, 10 },
	{ "10, not 14", BYTES(PACKET_A PACKET_MAIN CALL_F2("")), 14, 2, 10 },
	{ "two clocks", BYTES(PACKET_A PACKET_MAIN CALL_F3), 14, 3, 14 },
	{ "two clocks, not 24", BYTES(PACKET_A PACKET_MAIN CALL_F3 CALL_F3),
	    24, 3, 14 },
	{ "one-byte threads", BYTES(PACKET_A PACKET_MAIN), 9, 1, 9 },
};

START_TEST(record_size_of_streams_with_14_bytes)
{
	ck_assert_uint_eq(dmt_stream_record_size(
	    (const uint8_t *)sizes[_i].bytes, sizes[_i].len,
	    sizes[_i].stated, sizes[_i].version), sizes[_i].size);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("stream_codec");
	TCase *tcase = unit_tcase(suite, "stream_codec");

	ADD_CASES(tcase, decodes_and_encodes, whole);
	ADD_CASES(tcase, asks_for_more_of_every_prefix, whole);
	tcase_add_loop_test(tcase, refuses_other_kinds, 0, 256);
	tcase_add_test(tcase, refuses_text_that_is_too_long);
	tcase_add_test(tcase, counts_records_up_to_a_packet);
	ADD_CASES(tcase, record_size_of_streams_with_14_bytes, sizes);
	return unit_main(suite);
}
