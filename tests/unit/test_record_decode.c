/* test_record_decode.c - records decoded to events, one or a batch */

#include <dmtrace.h>

#include "data/record_decode.h"
#include "helpers/records.h"
#include "helpers/unit.h"

START_TEST(decodes)
{
	const struct dmt_layout layout = layout_of(&records[_i].dialect);
	struct dmtrace_event event;

	ck_assert_int_eq(dmt_record_decode(&event, &layout,
	    records[_i].bytes, layout.record_size), DMTRACE_OK);
	assert_same_event(&event, &records[_i].event);
}
END_TEST

START_TEST(skips_bytes_after_the_fields)
{
	static const uint8_t in[] = {
	    7, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 11, 12, 13, 14,
	};
	static const struct dmtrace_event expected =
	    { 8, 1000, 2000, 7, DMTRACE_EXIT };
	const struct dmt_layout layout =
	    layout_of(&(struct dialect){ 3, DUAL, sizeof(in) });
	struct dmtrace_event event;

	ck_assert_int_eq(dmt_record_decode(&event, &layout, in,
	    sizeof(in)), DMTRACE_OK);
	assert_same_event(&event, &expected);
}
END_TEST

START_TEST(decodes_the_preview)
{
	struct dmtrace_event event;

	ck_assert_int_eq(dmt_record_decode(&event, &dmt_layout_preview,
	    preview_bytes, 18), DMTRACE_OK);
	assert_same_event(&event, &preview_event);
	ck_assert_int_eq(dmt_record_decode(&event, &dmt_layout_preview,
	    preview_bytes, 17), DMTRACE_ERR_TRUNCATED);
}
END_TEST

START_TEST(refuses_every_short_input)
{
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	struct dmtrace_event event = { .thread = 77 };
	uint8_t *record = calloc(1, layout.record_size);

	for (size_t len = 0; len < layout.record_size; len++)
		ck_assert_int_eq(dmt_record_decode(&event, &layout,
		    record + layout.record_size - len, len),
		    DMTRACE_ERR_TRUNCATED);
	ck_assert_uint_eq(event.thread, 77);
	free(record);
}
END_TEST

START_TEST(takes_whatever_byte_changes)
{
	const struct dmt_layout layout = layout_of(&records[_i].dialect);
	struct dmtrace_event event;
	uint8_t bytes[sizeof(records[0].bytes)];

	memcpy(bytes, records[_i].bytes, sizeof(bytes));
	for (size_t i = 0; i < layout.record_size; i++) {
		for (unsigned byte = 0; byte < 256; byte++) {
			bytes[i] = (uint8_t)byte;
			ck_assert_int_eq(dmt_record_decode(&event,
			    &layout, bytes, sizeof(bytes)), DMTRACE_OK);
			ck_assert_uint_le(event.action, DMTRACE_RESERVED);
			ck_assert_uint_eq(event.method & 3, 0);
		}
		bytes[i] = records[_i].bytes[i];
	}
}
END_TEST

/* Decodes a run in batches of at most step records. */
static void
decode_run(struct dmtrace_event *events, struct oddities *oddities,
    const struct dmt_layout *layout, const uint8_t *run, size_t step)
{
	const struct dmt_watch watch = { note_odd, oddities };
	struct dmt_clocks *clocks = dmt_clocks_new(layout);

	*oddities = (struct oddities){ 0 };
	for (size_t i = 0; i < RUN; i += step) {
		oddities->base = i;
		dmt_records_decode(events + i, layout,
		    run + i * layout->record_size,
		    step < RUN - i ? step : RUN - i, clocks, &watch);
	}
	dmt_clocks_free(clocks);
}

/* Returns the full time of a thread's clock, and its findings, computed as the
 * manual describes it. */
static uint64_t
unwrapped(uint64_t *last_us, uint64_t field_us, unsigned *oddities)
{
	const uint64_t turn_us = UINT64_C(1) << 32;
	const uint64_t last_field_us = *last_us % turn_us;

	*last_us = *last_us - last_field_us + field_us;
	if (last_field_us > field_us + turn_us / 2) {
		*last_us += turn_us;
		*oddities |= DMT_ODD_WRAPPED;
	} else if (last_field_us > field_us) {
		*oddities |= DMT_ODD_BACK;
	}
	return *last_us * 1000;
}

START_TEST(decodes_a_batch_like_one_by_one)
{
	uint64_t (*last_us)[2] = calloc(65536, sizeof(*last_us));
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	uint8_t *run = random_run(&layout);
	struct dmtrace_event events[RUN];
	struct oddities reported;

	decode_run(events, &reported, &layout, run, RUN);
	for (size_t i = 0; i < RUN; i++) {
		struct dmtrace_event event;
		unsigned oddities = 0;

		dmt_record_decode(&event, &layout,
		    run + i * layout.record_size, layout.record_size);
		if (event.action == DMTRACE_RESERVED)
			oddities |= DMT_ODD_RESERVED;
		if (event.cpu_ns != NO_TIME && !dmt_layout_has_ns(&layout))
			event.cpu_ns = unwrapped(&last_us[event.thread][0],
			    event.cpu_ns / 1000, &oddities);
		if (event.wall_ns != NO_TIME && !dmt_layout_has_ns(&layout))
			event.wall_ns = unwrapped(&last_us[event.thread][1],
			    event.wall_ns / 1000, &oddities);
		assert_same_event(&events[i], &event);
		ck_assert_uint_eq(reported.of[i], oddities);
	}
	free(last_us);
	free(run);
}
END_TEST

START_TEST(decodes_the_same_in_pieces)
{
	static const size_t steps[] = { 1, 2, 3, 7, RUN - 1 };
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	uint8_t *run = random_run(&layout);
	struct dmtrace_event whole[RUN], pieces[RUN];
	struct oddities reported, of_pieces;

	decode_run(whole, &reported, &layout, run, RUN);
	for (size_t i = 0; i < ROWS(steps); i++) {
		decode_run(pieces, &of_pieces, &layout, run, steps[i]);
		for (size_t j = 0; j < RUN; j++)
			assert_same_event(&pieces[j], &whole[j]);
		ck_assert_mem_eq(of_pieces.of, reported.of,
		    sizeof(reported.of));
	}
	free(run);
}
END_TEST

START_TEST(decodes_nothing_of_an_empty_batch)
{
	const struct dmt_layout *layout = dmt_layout_find(3, DUAL);
	const struct dmt_watch watch = { note_odd, NULL };
	struct dmt_clocks *clocks = dmt_clocks_new(layout);
	struct dmtrace_event event = { .thread = 77 };

	dmt_records_decode(&event, layout, NULL, 0, clocks, &watch);
	ck_assert_uint_eq(event.thread, 77);
	dmt_clocks_free(clocks);
}
END_TEST

START_TEST(unwraps_each_thread_and_clock_alone)
{
	static const uint8_t run[] = {
	    1, 0, 4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 10, 0, 0, 0,
	    2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0,
	    1, 0, 5, 0, 0, 0, 1, 0, 0, 0, 19, 0, 0, 0,
	    2, 0, 5, 0, 0, 0, 3, 0, 0, 0, 18, 0, 0, 0,
	    1, 0, 7, 0, 0, 0, 2, 0, 0, 0, 21, 0, 0, 0,
	};
	static const struct dmtrace_event expected[] = {
		{ 4, UINT64_C(4294967295000), 10000, 1, DMTRACE_ENTER },
		{ 4, 0, 20000, 2, DMTRACE_ENTER },
		{ 4, UINT64_C(4294967297000), 19000, 1, DMTRACE_EXIT },
		{ 4, 3000, 18000, 2, DMTRACE_EXIT },
		{ 4, UINT64_C(4294967298000), 21000, 1, DMTRACE_RESERVED },
	};
	static const unsigned odd[] = {
		0, 0, DMT_ODD_WRAPPED, DMT_ODD_BACK, DMT_ODD_RESERVED
	};
	const struct dmt_layout *layout = dmt_layout_find(3, DUAL);
	struct oddities reported = { .base = 0 };
	const struct dmt_watch watch = { note_odd, &reported };
	struct dmt_clocks *clocks = dmt_clocks_new(layout);
	struct dmtrace_event events[5];

	dmt_records_decode(events, layout, run, 5, clocks, &watch);
	for (size_t i = 0; i < 5; i++) {
		assert_same_event(&events[i], &expected[i]);
		ck_assert_uint_eq(reported.of[i], odd[i]);
	}
	dmt_clocks_free(clocks);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("record_decode");
	TCase *tcase = unit_tcase(suite, "record_decode");

	ADD_CASES(tcase, decodes, records);
	tcase_add_test(tcase, skips_bytes_after_the_fields);
	tcase_add_test(tcase, decodes_the_preview);
	ADD_CASES(tcase, refuses_every_short_input, dialects);
	ADD_CASES(tcase, takes_whatever_byte_changes, records);
	ADD_CASES(tcase, decodes_a_batch_like_one_by_one, dialects);
	ADD_CASES(tcase, decodes_the_same_in_pieces, dialects);
	tcase_add_test(tcase, decodes_nothing_of_an_empty_batch);
	tcase_add_test(tcase, unwraps_each_thread_and_clock_alone);
	return unit_main(suite);
}
