/* test_v2_stage.c - versions 4 and 5 denote several layouts */

#include "data/v2_stage.h"

#include "data/v2_encode.h"
#include "helpers/faults.h"
#include "helpers/random.h"
#include "helpers/v2_samples.h"

#define YEARS UINT64_C(123456789012345)	/* of stage E: 34 hours in ns */
#define HOURS UINT64_C(7200000000)	/* of stages B to D: 2 hours in us */

static struct dmt_v2_header
header_of(const struct dmt_v2_form *form)
{
	return (struct dmt_v2_header){
		.version = form->cpu && form->wall ? 5 : 4,
		.start = form->stage < DMT_STAGE_E ? HOURS : YEARS,
		.tick_hz = form->tick_hz,
	};
}

/* Puts the ids of the samples into a map. */
static void
announce_samples(struct dmt_idmap *announced)
{
	ck_assert(dmt_idmap_add(announced, OUTER, 0));
	ck_assert(dmt_idmap_add(announced, INNER, 0));
}

START_TEST(finds_the_stage_of_one_block)
{
	const struct block_sample *sample = &block_samples[_i];
	const struct dmt_v2_header header = header_of(&sample->form);
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;

	if (sample->form.stage == DMT_STAGE_LONG)
		return;		/* has no header, nor a version */
	announce_samples(&announced);
	ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
	    &announced, sample->bytes, sample->len, true), DMTRACE_OK);
	ck_assert_int_eq(found.stage, sample->form.stage);
	ck_assert(found.is_certain);
	/* Its first bytes alone show nothing. */
	ck_assert_int_eq(dmt_v2_stage_find(&found, &header, &announced,
	    sample->bytes, 15, false), DMTRACE_OK);
	ck_assert_int_eq(found.is_certain, sample->form.tick_hz != 0);
	dmt_idmap_fini(&announced);
}
END_TEST

/* A block of another stage does not change what the header says. */
START_TEST(believes_the_mark_of_the_header)
{
	static const struct {
		const char *mark;
		enum dmt_v2_stage stage;
	} marks[] = {
		{ "sb", DMT_STAGE_B }, { "sc", DMT_STAGE_C },
		{ "se", DMT_STAGE_E }
	};
	const struct block_sample *sample = &block_samples[_i];
	struct dmt_v2_header header = header_of(&sample->form);
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;

	header.tick_hz = 0;
	for (size_t i = 0; i < ROWS(marks); i++) {
		header.mark = (uint16_t)(marks[i].mark[0] |
		    marks[i].mark[1] << 8);
		ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
		    &announced, sample->bytes, sample->len, true), DMTRACE_OK);
		ck_assert_int_eq(found.stage, marks[i].stage);
		ck_assert(found.is_certain && !found.unit_guessed);
	}
}
END_TEST

/* As stage F these exits would need no method. */
START_TEST(exits_without_a_method_are_no_evidence)
{
	static const struct dmtrace_event events[] = {
		{ 0, NO_TIME, 3000, 1, DMTRACE_EXIT },
		{ 0, NO_TIME, 5000, 1, DMTRACE_EXIT },
		{ OUTER, NO_TIME, 7000, 1, DMTRACE_ENTER },
		{ OUTER, NO_TIME, 11000, 1, DMTRACE_EXIT },
	};
	const struct dmt_v2_form form = { DMT_STAGE_C, false, true, 0 };
	const struct dmt_v2_header header = header_of(&form);
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;
	uint8_t block[256];
	size_t len;

	announce_samples(&announced);
	ck_assert_int_eq(dmt_v2_block_encode(block, &len, &form, events,
	    ROWS(events), false), DMTRACE_OK);
	ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
	    &announced, block, len, true), DMTRACE_OK);
	ck_assert_int_eq(found.stage, DMT_STAGE_C);
	dmt_idmap_fini(&announced);
}
END_TEST

#define CALLS 1000
#define METHODS 40

/* Calls, one after the other, of methods at addresses; times go up, but once
 * by a few microseconds back. */
static void
fill_calls(struct dmtrace_event *events, const struct dmt_v2_form *form,
    uint64_t *seed)
{
	uint64_t time_ns = 1000000;

	for (size_t i = 0; i < 2 * CALLS; i++) {
		const uint64_t method = UINT64_C(0x7f3000001000) +
		    next_random(seed) % METHODS * 40;

		events[i].thread = 4242;
		events[i].action = (enum dmtrace_action)(i % 2);
		events[i].method = i % 2 == 0 ? method : events[i - 1].method;
		time_ns += next_random(seed) % 500000 + 1000;
		if (i == 100)
			time_ns -= 7000;
		events[i].wall_ns = form->wall ? time_ns : NO_TIME;
		events[i].cpu_ns = !form->cpu ? NO_TIME :
		    form->wall ? time_ns / 2 : time_ns;
	}
}

static const struct dmt_v2_form forms[] = {
	{ DMT_STAGE_B, true, true, 0 }, { DMT_STAGE_B, false, true, 0 },
	{ DMT_STAGE_B, true, false, 0 }, { DMT_STAGE_C, true, true, 0 },
	{ DMT_STAGE_C, false, true, 0 }, { DMT_STAGE_C, true, false, 0 },
	{ DMT_STAGE_E, true, true, 0 }, { DMT_STAGE_E, false, true, 0 },
	{ DMT_STAGE_E, true, false, 0 }, { DMT_STAGE_F, true, true, 0 },
	{ DMT_STAGE_F, false, true, 0 },
};

/* Blocks of a form, and methods between them if they are announced late. */
static size_t
put_blocks(uint8_t *out, const struct dmt_v2_form *form, bool late)
{
	static struct dmtrace_event events[2 * CALLS];
	uint64_t seed = 18;
	uint8_t *at = out;

	fill_calls(events, form, &seed);
	for (size_t i = 0; i < 2 * CALLS; i += 500) {
		size_t len;

		ck_assert_int_eq(dmt_v2_block_encode(at, &len, form,
		    events + i, 500, false), DMTRACE_OK);
		at += len;
		for (uint64_t j = 0; i == 0 && late && j < METHODS; j++)
			at += dmt_v2_packet_encode(at, form,
			    &(struct dmt_v2_packet){ .type = DMT_V2_METHOD,
			    .method = UINT64_C(0x7f3000001000) + j * 40,
			    .text = (const uint8_t *)"a\tb\tc\td\n",
			    .text_len = 8 });
	}
	return (size_t)(at - out);
}

/* announced before, late, never */
START_TEST(finds_the_stage_of_every_form)
{
	const struct dmt_v2_form *form = &forms[_i];
	const struct dmt_v2_header header = header_of(form);
	uint8_t *bytes = malloc(8 * dmt_v2_block_room(500));

	for (int listed = 0; listed < 3; listed++) {
		const size_t len = put_blocks(bytes, form, listed == 1);
		struct dmt_idmap announced = { 0 };
		struct dmt_v2_evidence found;

		for (uint64_t i = 0; listed == 0 && i < METHODS; i++)
			ck_assert(dmt_idmap_add(&announced,
			    UINT64_C(0x7f3000001000) + i * 40, 0));
		ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
		    &announced, bytes, len, true), DMTRACE_OK);
		ck_assert_msg(found.stage == form->stage, "listed %d: stage %d",
		    listed, found.stage);
		/* The window ends within a block. */
		ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
		    &announced, bytes, len * 2 / 3, false), DMTRACE_OK);
		ck_assert_int_eq(found.stage, form->stage);
		dmt_idmap_fini(&announced);
	}
	free(bytes);
}
END_TEST

/* As when a trace that grows is looked at again, before it has more. A method
 * that is announced after its block is not known in it. */
START_TEST(finds_the_same_again)
{
	const struct dmt_v2_form form = { DMT_STAGE_E, false, true, 0 };
	const struct dmt_v2_header header = header_of(&form);
	const struct dmtrace_event event =
	    { OUTER, NO_TIME, 67305985, 1, DMTRACE_ENTER };
	struct dmt_idmap announced = { 0 };
	uint8_t bytes[256];
	size_t len;

	ck_assert_int_eq(dmt_v2_block_encode(bytes, &len, &form, &event, 1,
	    false), DMTRACE_OK);
	len += dmt_v2_packet_encode(bytes + len, &form,
	    &(struct dmt_v2_packet){ .type = DMT_V2_METHOD, .method = OUTER,
	    .text = (const uint8_t *)"a\n", .text_len = 2 });
	for (int i = 0; i < 2; i++) {
		struct dmt_v2_evidence found;

		ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
		    &announced, bytes, len, true), DMTRACE_OK);
		ck_assert(!found.is_certain);
	}
}
END_TEST

START_TEST(damage_does_not_change_the_stage)
{
	const struct dmt_v2_form *form = &forms[_i];
	const struct dmt_v2_header header = header_of(form);
	uint8_t *bytes = malloc(8 * dmt_v2_block_room(500));
	const size_t len = put_blocks(bytes, form, true);
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;

	memset(bytes + len / 5, 0xff, 20);
	for (uint64_t i = 0; i < METHODS; i++)
		ck_assert(dmt_idmap_add(&announced,
		    UINT64_C(0x7f3000001000) + i * 40, 0));
	ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
	    &announced, bytes, len, true), DMTRACE_OK);
	ck_assert_int_eq(found.stage, form->stage);
	dmt_idmap_fini(&announced);
	free(bytes);
}
END_TEST

/* What shows the unit of times: differences, else the start. */
static const struct {
	const char *label;
	uint64_t start;
	size_t len;
	uint8_t payload[16];
	enum dmt_v2_stage stage;
	bool guessed;
} units[] = {
	{ "17 minutes in ns, or 11 days in us", UINT64_C(999999999999), 5,
	    { 0x80, 0xa0, 0x80, 0x38, 0x01 }, DMT_STAGE_C, true },
	{ "3 years in us, or 27 hours in ns", UINT64_C(100000000000000), 5,
	    { 0x80, 0xa0, 0x80, 0x38, 0x01 }, DMT_STAGE_E, false },
	{ "neither", UINT64_C(1000000000000), 5,
	    { 0x80, 0xa0, 0x80, 0x38, 0x01 }, DMT_STAGE_E, true },
	{ "neither, and a step back of 32 bits", UINT64_C(1000000000000), 11,
	    { 0x80, 0xa0, 0x80, 0x38, 0x01, 0x01,
	    0xff, 0xff, 0xff, 0xff, 0x0f }, DMT_STAGE_C, true },
	{ "a difference of 2^32", 0, 9,
	    { 0x80, 0xa0, 0x80, 0x38, 0x80, 0x80, 0x80, 0x80, 0x10 },
	    DMT_STAGE_E, false },
};

START_TEST(finds_the_unit)
{
	const struct dmt_v2_header header = {
		.version = 4, .start = units[_i].start
	};
	uint8_t in[28] = { 2, 1, 0, 0, 0, 2, 0, 0, (uint8_t)units[_i].len };
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;

	announce_samples(&announced);
	memcpy(in + 12, units[_i].payload, units[_i].len);
	ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
	    &announced, in, 12 + units[_i].len, true), DMTRACE_OK);
	ck_assert_int_eq(found.stage, units[_i].stage);
	ck_assert_int_eq(found.unit_guessed, units[_i].guessed);
	dmt_idmap_fini(&announced);
}
END_TEST

START_TEST(takes_every_prefix_and_random_bytes)
{
	const struct dmt_v2_header header = {
		.version = 5, .start = HOURS
	};
	uint64_t seed = 18;
	uint8_t in[200];

	for (size_t round = 0; round < 400; round++) {
		struct dmt_idmap announced = { 0 };
		const size_t len = round % (sizeof(in) + 1);
		struct dmt_v2_evidence found;

		for (size_t i = 0; i < sizeof(in); i++)
			in[i] = (uint8_t)(next_random(&seed) >> 32) & 0x83;
		ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
		    &announced, in, len, round % 2 == 0), DMTRACE_OK);
		ck_assert_int_lt(found.stage, DMT_STAGE_LONG);
		dmt_idmap_fini(&announced);
	}
}
END_TEST

/* A method packet of 611 bytes that is damaged after the first 512, which alone
 * count. A million packets that end a dump are no dump by themselves. */
START_TEST(recognises_a_dump_by_its_first_bytes)
{
	const size_t most = 17 * 1000000;
	uint8_t *const bytes = calloc(most, 1);

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, 'x', most);
	memcpy(bytes, "\1\4\0\0\0\0\0\0\0\x58\2", 11);
	memset(bytes + 550, 1, 100);
	for (size_t len = 12; len < 2000; len += len < 700 ? 1 : 300)
		ck_assert(dmt_v2_dump_recognises(bytes, len));
	for (size_t at = 0; at < most; at += 17) {
		memset(bytes + at, 0, 17);
		memcpy(bytes + at, "\3\1", 2);
	}
	ck_assert(!dmt_v2_dump_recognises(bytes, most));
	free(bytes);
}
END_TEST

START_TEST(reports_that_memory_has_run_out)
{
	const struct dmt_v2_header header = {
		.version = 5, .start = HOURS
	};
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;

	fault_arm(FAULT_ALLOC, 1);
	ck_assert_int_eq(dmt_v2_stage_find(&found, &header,
	    &announced, packet_samples[2].bytes, packet_samples[2].len, true),
	    DMTRACE_ERR_MEMORY);
	ck_assert(fault_disarm());
	dmt_idmap_fini(&announced);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("v2_stage");
	TCase *tcase = unit_tcase(suite, "v2_stage");

	ADD_CASES(tcase, finds_the_stage_of_one_block, block_samples);
	ADD_CASES(tcase, believes_the_mark_of_the_header, block_samples);
	tcase_add_test(tcase, exits_without_a_method_are_no_evidence);
	ADD_CASES(tcase, finds_the_stage_of_every_form, forms);
	tcase_add_test(tcase, finds_the_same_again);
	ADD_CASES(tcase, damage_does_not_change_the_stage, forms);
	ADD_CASES(tcase, finds_the_unit, units);
	tcase_add_test(tcase, takes_every_prefix_and_random_bytes);
	tcase_add_test(tcase, recognises_a_dump_by_its_first_bytes);
	tcase_add_test(tcase, reports_that_memory_has_run_out);
	return unit_main(suite);
}
