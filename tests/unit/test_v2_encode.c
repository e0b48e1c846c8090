/* test_v2_encode.c - packets of V2 and their events encoded to bytes */

#include "data/v2_encode.h"

#include "data/v2_decode.h"
#include "helpers/random.h"
#include "helpers/v2_events.h"
#include "helpers/v2_samples.h"

START_TEST(encodes_packets)
{
	const struct packet_sample *sample = &packet_samples[_i];
	struct dmt_v2_packet packet = sample->packet;
	uint8_t out[32];

	packet.text = (const uint8_t *)sample->text;
	packet.text_len = (uint16_t)strlen(sample->text);
	ck_assert_uint_eq(dmt_v2_packet_encode(out, &sample->form, &packet),
	    sample->len);
	ck_assert_mem_eq(out, sample->bytes, sample->len);
}
END_TEST

START_TEST(encodes_the_header)
{
	static const struct dmt_v2_header header = {
		5, UINT64_C(0x0807060504030201), UINT64_C(0x1817161514131211),
		UINT64_C(0x2827262524232221), 0x3231
	};
	static const uint8_t expected[] = {
		0x53, 0x4c, 0x4f, 0x57, 0x05, 0x00,
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
		0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32
	};
	uint8_t out[DMT_V2_HEADER_SIZE];

	memset(out, 0xee, sizeof(out));
	dmt_v2_header_encode(out, &header);
	ck_assert_mem_eq(out, expected, sizeof(expected));
}
END_TEST

START_TEST(encodes_blocks)
{
	const struct block_sample *sample = &block_samples[_i];
	uint8_t *out = malloc(dmt_v2_block_room(4));
	size_t len;

	ck_assert_int_eq(dmt_v2_block_encode(out, &len, &sample->form,
	    sample->events, 4, false), DMTRACE_OK);
	ck_assert_uint_eq(len, sample->len);
	ck_assert_mem_eq(out, sample->bytes, len);
	free(out);
}
END_TEST

#define MANY 500

/* Of all widths that the stage can hold, up and down. */
static void
fill_random(struct dmtrace_event *events, const struct dmt_v2_form *form,
    uint64_t *seed)
{
	const uint64_t actions = form->stage == DMT_STAGE_LONG ? 2 : 4;
	const bool enters = form->stage >= DMT_STAGE_F;

	for (size_t i = 0; i < MANY; i++) {
		struct dmtrace_event *const event = &events[i];
		uint64_t time[2];

		for (size_t j = 0; j < 2; j++) {
			time[j] = next_random(seed) >> next_random(seed) % 64;
			if (form->stage < DMT_STAGE_E)
				time[j] = time[j] % UINT32_MAX * 1000;
			else if (j == 0 && enters)
				time[j] >>= 2;
		}
		event->thread = 0xfedcba98;
		event->action = (enum dmtrace_action)
		    (next_random(seed) % actions);
		event->method = enters && event->action != DMTRACE_ENTER ?
		    UNSTATED : next_random(seed) >> next_random(seed) % 62 &
		    ~UINT64_C(3);
		event->wall_ns = form->wall ? time[0] : NO_TIME;
		event->cpu_ns = !form->cpu ? NO_TIME :
		    form->wall ? time[1] : time[0];
	}
}

START_TEST(keeps_every_random_block)
{
	static const struct dmt_v2_form one_time[] = {
		{ DMT_STAGE_E, true, false, 0 },
		{ DMT_STAGE_E, false, true, 0 },
		{ DMT_STAGE_F, true, false, 0 },
		{ DMT_STAGE_F, false, true, 0 },
	};
	const struct dmt_v2_form *const form =
	    (size_t)_i < ROWS(block_samples) ? &block_samples[_i].form :
	    &one_time[(size_t)_i - ROWS(block_samples)];
	struct dmtrace_event events[MANY], decoded[MANY + 1];
	uint8_t *out = malloc(dmt_v2_block_room(MANY));
	uint64_t seed = 18 + (unsigned)_i;

	if (form->tick_hz != 0) {	/* ticks have times of their own */
		free(out);
		return;
	}
	for (int round = 0; round < 20; round++) {
		struct dmt_v2_block block = { .form = *form };
		struct dmt_v2_packet packet;
		size_t len, front, size, count;

		fill_random(events, form, &seed);
		ck_assert_int_eq(dmt_v2_block_encode(out, &len, form, events,
		    MANY, false), DMTRACE_OK);
		ck_assert_int_eq(dmt_v2_packet_decode(&packet, form, out, len,
		    &front), DMTRACE_OK);
		ck_assert_int_eq(dmt_v2_block_measure(&size, form, &packet,
		    out + front, len - front, true), DMTRACE_OK);
		ck_assert_uint_eq(front + size, len);
		dmt_v2_block_begin(&block, &packet, out + front, size, false);
		ck_assert_int_eq(decode_events(&block, decoded, MANY + 1,
		    &count), DMTRACE_OK);
		ck_assert_uint_eq(count, MANY);
		for (size_t i = 0; i < MANY; i++)
			assert_same_event(&decoded[i], &events[i]);
	}
	free(out);
}
END_TEST

/* Every tick of a counter comes back, whatever its nanoseconds are cut to. */
START_TEST(keeps_every_tick)
{
	static const uint64_t rates[] = {
		1, 32768, 19200000, 24000000, 999999999, 1000000000
	};
	struct dmt_v2_form form = {
		DMT_STAGE_F, false, true, rates[_i]
	};
	uint64_t seed = 18;

	for (int round = 0; round < 2000; round++) {
		/* One record: the time with its action, and the method 0. */
		const uint64_t ticks = next_random(&seed) >> 30 >> round % 30;
		uint8_t in[64], out[64];
		struct dmtrace_event event = {
			0, NO_TIME, ticks, 7, DMTRACE_ENTER
		};
		struct dmt_v2_block block;
		struct dmt_v2_packet packet;
		size_t in_len, len, front, count;

		form.tick_hz = 0;
		ck_assert_int_eq(dmt_v2_block_encode(in, &in_len, &form, &event,
		    1, false), DMTRACE_OK);
		form.tick_hz = rates[_i];
		ck_assert_int_eq(dmt_v2_packet_decode(&packet, &form, in,
		    in_len, &front), DMTRACE_OK);
		block = (struct dmt_v2_block){ .form = form };
		dmt_v2_block_begin(&block, &packet, in + front, in_len - front,
		    false);
		ck_assert_int_eq(decode_events(&block, &event, 1, &count),
		    DMTRACE_OK);
		ck_assert_int_eq(dmt_v2_block_encode(out, &len, &form, &event,
		    1, false), DMTRACE_OK);
		ck_assert_uint_eq(len, in_len);
		ck_assert_mem_eq(out, in, len);
	}
}
END_TEST

static const struct {
	const char *label;
	struct dmt_v2_form form;
	struct dmtrace_event event;
} unfit[] = {
	{ "wall time of more than 32 bits", FORM_C,
	    { 4, 0, UINT64_C(4294967296000), 1, DMTRACE_ENTER } },
	{ "CPU time of more than 32 bits", FORM_B,
	    { 4, UINT64_C(4294967296000), 0, 1, DMTRACE_ENTER } },
	{ "no wall time", FORM_E, { 4, 0, NO_TIME, 1, DMTRACE_ENTER } },
	{ "no CPU time", FORM_F, { 4, NO_TIME, 0, 1, DMTRACE_ENTER } },
	{ "action bits in the id", FORM_E, { 5, 0, 0, 1, DMTRACE_ENTER } },
	{ "unroll in a long-running dump", FORM_LONG,
	    { 4, 0, 0, 1, DMTRACE_UNROLL } },
	{ "time and action of more than 64 bits", FORM_F,
	    { 4, 0, UINT64_C(1) << 62, 1, DMTRACE_ENTER } },
	{ "ticks of more than 64 bits", { DMT_STAGE_F, false, true,
	    DMT_TICK_HZ_MAX }, { 4, 0, UINT64_C(1) << 62, 1, DMTRACE_ENTER } },
};

START_TEST(refuses_to_encode)
{
	uint8_t out[64];
	size_t len;

	ck_assert_int_eq(dmt_v2_block_encode(out, &len, &unfit[_i].form,
	    &unfit[_i].event, 1, false), DMTRACE_ERR_RANGE);
}
END_TEST

START_TEST(stores_times_modulo_if_asked)
{
	static const struct dmt_v2_form form = FORM_C;
	static const struct dmtrace_event event =
	    { 4, UINT64_C(4294967297000), UINT64_C(4294967298999), 1,
	    DMTRACE_EXIT };
	static const uint8_t expected[] = { 0x02, 0x01, 0x00, 0x00, 0x00,
	    0x01, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x05, 0x02, 0x01 };
	uint8_t out[64];
	size_t len;

	ck_assert_int_eq(dmt_v2_block_encode(out, &len, &form, &event, 1, true),
	    DMTRACE_OK);
	ck_assert_uint_eq(len, sizeof(expected));
	ck_assert_mem_eq(out, expected, len);
}
END_TEST

START_TEST(refuses_a_long_block_of_stage_b)
{
	enum { COUNT = 7000 };	/* of ten bytes each */
	const struct dmt_v2_form form = FORM_B;
	struct dmtrace_event *events = calloc(COUNT, sizeof(*events));
	uint8_t *out = malloc(dmt_v2_block_room(COUNT));
	size_t len;

	for (size_t i = 0; i < COUNT; i++)
		events[i].wall_ns = i % 2 * UINT64_C(4000000000000);
	ck_assert_int_eq(dmt_v2_block_encode(out, &len, &form, events,
	    COUNT / 2, false), DMTRACE_OK);
	for (size_t i = 0; i < COUNT; i++)
		events[i].cpu_ns = events[i].wall_ns;
	ck_assert_int_eq(dmt_v2_block_encode(out, &len, &form, events, COUNT,
	    false), DMTRACE_ERR_RANGE);
	free(out);
	free(events);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("v2_encode");
	TCase *tcase = unit_tcase(suite, "v2_encode");

	ADD_CASES(tcase, encodes_packets, packet_samples);
	tcase_add_test(tcase, encodes_the_header);
	ADD_CASES(tcase, encodes_blocks, block_samples);
	tcase_add_loop_test(tcase, keeps_every_random_block, 0,
	    (int)ROWS(block_samples) + 4);
	tcase_add_loop_test(tcase, keeps_every_tick, 0, 6);
	ADD_CASES(tcase, refuses_to_encode, unfit);
	tcase_add_test(tcase, stores_times_modulo_if_asked);
	tcase_add_test(tcase, refuses_a_long_block_of_stage_b);
	return unit_main(suite);
}
