/* test_record_encode.c - events encoded to records, or refused */

#include <dmtrace.h>

#include "data/record_columns.h"
#include "data/record_decode.h"
#include "data/record_encode.h"
#include "events/batch.h"
#include "events/indexes.h"
#include "helpers/records.h"
#include "helpers/unit.h"

#define FILL 0xaa		/* where nothing is to be written */

START_TEST(encodes)
{
	const struct dmt_layout layout = layout_of(&records[_i].dialect);
	uint8_t out[sizeof(records[0].bytes) + 1];

	memset(out, FILL, sizeof(out));
	ck_assert_int_eq(dmt_record_encode(out, &layout,
	    &records[_i].event), DMTRACE_OK);
	ck_assert_mem_eq(out, records[_i].bytes, layout.record_size);
	ck_assert_uint_eq(out[layout.record_size], FILL);
}
END_TEST

START_TEST(encodes_the_preview)
{
	uint8_t out[18];

	ck_assert_int_eq(dmt_record_encode(out, &dmt_layout_preview,
	    &preview_event), DMTRACE_OK);
	ck_assert_mem_eq(out, preview_bytes, 18);
}
END_TEST

static const struct {
	const char *label;
	struct dialect dialect;
	struct dmtrace_event event;
	uint8_t bytes[14];
} cut[] = {
	{ "less than a microsecond", { 1, CPU, 9 },
	    { 4, 999, NO_TIME, 3, DMTRACE_ENTER },
	    { 3, 4, 0, 0, 0, 0, 0, 0, 0 } },
	{ "most of a microsecond", { 1, CPU, 9 },
	    { 4, 1999, NO_TIME, 3, DMTRACE_ENTER },
	    { 3, 4, 0, 0, 0, 1, 0, 0, 0 } },
	{ "the last that fits", { 3, DUAL, 14 },
	    { 4, 0, UINT64_C(4294967295999), 3, DMTRACE_ENTER },
	    { 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255 } },
	{ "a wall time without a field", { 2, CPU, 10 },
	    { 4, 5000, UINT64_C(4294967296000), 3, DMTRACE_ENTER },
	    { 3, 0, 4, 0, 0, 0, 5, 0, 0, 0 } },
	{ "a CPU time without a field", { 2, WALL, 10 },
	    { 4, UINT64_C(4294967296000), 5000, 3, DMTRACE_ENTER },
	    { 3, 0, 4, 0, 0, 0, 5, 0, 0, 0 } },
};

START_TEST(leaves_out_what_has_no_place)
{
	const struct dmt_layout layout = layout_of(&cut[_i].dialect);
	uint8_t out[14];

	ck_assert_int_eq(dmt_record_encode(out, &layout, &cut[_i].event),
	    DMTRACE_OK);
	ck_assert_mem_eq(out, cut[_i].bytes, layout.record_size);
}
END_TEST

static const struct {
	const char *label;
	struct dialect dialect;
	struct dmtrace_event event;
	uint8_t modulo[14];		/* all 0: refused there, too */
} unfit[] = {
	{ "thread 256 in version 1", { 1, CPU, 9 },
	    { 4, 0, 0, 256, DMTRACE_ENTER }, { 0 } },
	{ "thread 65536 in version 2", { 2, WALL, 10 },
	    { 4, 0, 0, 65536, DMTRACE_ENTER }, { 0 } },
	{ "thread 65536 in version 3", { 3, DUAL, 14 },
	    { 4, 0, 0, 65536, DMTRACE_ENTER }, { 0 } },
	{ "a method id of 33 bits", { 3, DUAL, 14 },
	    { UINT64_C(0x100000000), 0, 0, 1, DMTRACE_ENTER }, { 0 } },
	{ "an exit in the method id", { 1, CPU, 9 },
	    { 5, 0, 0, 1, DMTRACE_ENTER }, { 1, 4 } },
	{ "an unroll in the method id", { 1, WALL, 9 },
	    { 6, 0, 0, 1, DMTRACE_EXIT }, { 1, 5 } },
	{ "low bits in the method id", { 3, DUAL, 14 },
	    { 7, 0, 0, 1, DMTRACE_UNROLL }, { 1, 0, 6 } },
	{ "a CPU time of 33 bits", { 1, CPU, 9 },
	    { 4, UINT64_C(4294967296000), 0, 1, DMTRACE_ENTER }, { 1, 4 } },
	{ "a CPU time of 33 bits beside a wall time", { 3, DUAL, 14 },
	    { 4, UINT64_C(8589934593000), 0, 1, DMTRACE_ENTER },
	    { 1, 0, 4, [6] = 1 } },
	{ "a wall time of 33 bits", { 2, WALL, 10 },
	    { 4, 0, UINT64_C(4294967298000), 1, DMTRACE_ENTER },
	    { 1, 0, 4, [6] = 2 } },
	{ "a wall time of 33 bits beside a CPU time", { 3, DUAL, 14 },
	    { 4, 0, UINT64_C(4294967299000), 1, DMTRACE_ENTER },
	    { 1, 0, 4, [10] = 3 } },
	{ "no CPU time", { 2, CPU, 10 },
	    { 4, NO_TIME, 0, 1, DMTRACE_ENTER }, { 0 } },
	{ "no CPU time beside a wall time", { 3, DUAL, 14 },
	    { 4, NO_TIME, 0, 1, DMTRACE_ENTER }, { 0 } },
	{ "no wall time", { 1, WALL, 9 },
	    { 4, 0, NO_TIME, 1, DMTRACE_ENTER }, { 0 } },
	{ "no wall time beside a CPU time", { 3, DUAL, 14 },
	    { 4, 0, NO_TIME, 1, DMTRACE_ENTER }, { 0 } },
	{ "a fifth action", { 3, DUAL, 14 },
	    { 4, 0, 0, 1, (enum dmtrace_action)4 }, { 0 } },
	{ "an action below the first", { 3, DUAL, 14 },
	    { 4, 0, 0, 1, (enum dmtrace_action)-1 }, { 0 } },
};

static void
assert_untouched(const uint8_t *out, size_t len)
{
	for (size_t i = 0; i < len; i++)
		ck_assert_uint_eq(out[i], FILL);
}

START_TEST(refuses)
{
	const struct dmt_layout layout = layout_of(&unfit[_i].dialect);
	uint8_t out[14];

	memset(out, FILL, sizeof(out));
	ck_assert_int_eq(dmt_record_encode(out, &layout,
	    &unfit[_i].event), DMTRACE_ERR_RANGE);
	assert_untouched(out, sizeof(out));
}
END_TEST

START_TEST(stops_a_batch_at_what_it_refuses)
{
	const struct dmt_layout layout = layout_of(&unfit[_i].dialect);
	const struct dmtrace_event events[] = {
		{ 8, 0, 0, 1, DMTRACE_ENTER }, { 8, 0, 0, 1, DMTRACE_EXIT },
		unfit[_i].event, { 8, 0, 0, 1, DMTRACE_EXIT },
	};

	ck_assert_uint_eq(dmt_records_fit(&layout, events, 4, false), 2);
}
END_TEST

/* Encodes events that fit, each with indexes of its own. */
static void
encode_batch(uint8_t *out, const struct dmt_layout *layout,
    const struct dmtrace_event *events, size_t count, bool modulo)
{
	static struct dmt_batch batch;
	struct dmt_indexed_thread threads[RUN];
	struct dmt_indexed_method methods[RUN];
	const struct dmt_indexes indexes =
	    { .threads = threads, .methods = methods };

	dmt_batch_begin(&batch, count);
	for (size_t i = 0; i < count; i++) {
		threads[i].number = events[i].thread;
		methods[i].id = events[i].method & ~UINT64_C(3);
		batch.thread[i] = batch.method[i] = (uint32_t)i;
		batch.action[i] = (uint8_t)events[i].action;
		batch.cpu_ns[i] = events[i].cpu_ns;
		batch.wall_ns[i] = events[i].wall_ns;
	}
	ck_assert_uint_eq((modulo ? dmt_columns_copy : dmt_columns_encode)(out,
	    layout, &batch, 0, count, &indexes, 0), count);
}

START_TEST(refuses_less_of_what_was_decoded)
{
	static const uint8_t nothing[14];
	const struct dmt_layout layout = layout_of(&unfit[_i].dialect);
	const bool is_refused = memcmp(unfit[_i].modulo, nothing, 14) == 0;
	uint8_t out[14];

	ck_assert_uint_eq(dmt_records_fit(&layout, &unfit[_i].event, 1, true),
	    is_refused ? 0 : 1);
	if (is_refused)
		return;
	encode_batch(out, &layout, &unfit[_i].event, 1, true);
	ck_assert_mem_eq(out, unfit[_i].modulo, layout.record_size);
}
END_TEST

static uint64_t
random_time(uint64_t *seed, struct dmt_field field)
{
	if (field.width == 0)
		return NO_TIME;
	return (next_random(seed) & UINT32_MAX) * 1000;
}

static struct dmtrace_event
random_event(uint64_t *seed, const struct dmt_layout *layout)
{
	return (struct dmtrace_event){
		.method = next_random(seed) & 0xfffffffc,
		.cpu_ns = random_time(seed, layout->cpu),
		.wall_ns = random_time(seed, layout->wall),
		.thread = (uint32_t)(next_random(seed) %
		    dmt_layout_thread_numbers(layout)),
		.action = (enum dmtrace_action)(next_random(seed) & 3),
	};
}

START_TEST(keeps_every_event)
{
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	uint8_t *out = malloc(RUN * (size_t)layout.record_size);
	struct dmtrace_event events[RUN], event;
	uint64_t seed = 1;

	for (size_t i = 0; i < RUN; i++)
		events[i] = random_event(&seed, &layout);
	ck_assert_uint_eq(dmt_records_fit(&layout, events, RUN, false), RUN);
	encode_batch(out, &layout, events, RUN, false);
	for (size_t i = 0; i < RUN; i++) {
		uint8_t *record = out + i * layout.record_size;
		uint8_t *alone = malloc(layout.record_size);

		ck_assert_int_eq(dmt_record_encode(alone, &layout,
		    &events[i]), DMTRACE_OK);
		ck_assert_mem_eq(alone, record, layout.record_size);
		ck_assert_int_eq(dmt_record_decode(&event, &layout,
		    record, layout.record_size), DMTRACE_OK);
		assert_same_event(&event, &events[i]);
		free(alone);
	}
	free(out);
}
END_TEST

static size_t
fields_size(const struct dmt_layout *layout)
{
	return layout->wall.width != 0 ? layout->wall.offset + 4
	    : layout->cpu.offset + 4;
}

START_TEST(gives_back_what_was_decoded)
{
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	const size_t size = layout.record_size;
	uint8_t *run = random_run(&layout);
	uint8_t *out = malloc(RUN * size);
	struct dmtrace_event events[RUN];
	struct oddities reported = { .base = 0 };
	const struct dmt_watch watch = { note_odd, &reported };
	struct dmt_clocks *clocks = dmt_clocks_new(&layout);

	dmt_records_decode(events, &layout, run, RUN, clocks, &watch);
	encode_batch(out, &layout, events, RUN, true);
	for (size_t i = 0; i < RUN; i++)
		ck_assert_mem_eq(out + i * size, run + i * size,
		    fields_size(&layout));
	dmt_clocks_free(clocks);
	free(out);
	free(run);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("record_encode");
	TCase *tcase = unit_tcase(suite, "record_encode");

	ADD_CASES(tcase, encodes, records);
	tcase_add_test(tcase, encodes_the_preview);
	ADD_CASES(tcase, leaves_out_what_has_no_place, cut);
	ADD_CASES(tcase, refuses, unfit);
	ADD_CASES(tcase, stops_a_batch_at_what_it_refuses, unfit);
	ADD_CASES(tcase, refuses_less_of_what_was_decoded, unfit);
	ADD_CASES(tcase, keeps_every_event, dialects);
	ADD_CASES(tcase, gives_back_what_was_decoded, dialects);
	return unit_main(suite);
}
