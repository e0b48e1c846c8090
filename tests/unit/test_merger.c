/* test_merger.c - several sources merged into one, in order */

#include <dmtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/bytes.h"
#include "base/error.h"
#include "format/layouts.h"
#include "helpers/files.h"
#include "helpers/records.h"
#include "helpers/unit.h"
#include "ops/merge/merger.h"
#include "private/key.h"
#include "private/select.h"

#define MOST 5000			/* events of an input */
#define SIZE 10				/* bytes of a record */

static const struct dmt_layout *const layout =
    &dmt_layouts[DMT_LAYOUT_2_WALL];

/* An input: its order, from which its records are made. Their thread is the
 * input's number, their method its id, their time the order. */
struct listed {
	struct dmtrace_source source;
	unsigned number;
	const uint64_t *order;
	size_t count;
	size_t step;			/* events of a batch */
	size_t fails_at;		/* this event; SIZE_MAX: never */
	bool halves;			/* every second event is dropped */
	size_t next;
	uint8_t records[DMT_BATCH_EVENTS * SIZE];
	struct dmt_batch batch;
};

static enum dmtrace_status
pull_listed(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct listed *const self = (struct listed *)source;
	const size_t left = self->count - self->next;
	const size_t count = left < self->step ? left : self->step;

	if (self->fails_at - self->next < self->step)
		return dmt_error_set(&source->error, DMTRACE_ERR_IO, "no");
	dmt_batch_begin(&self->batch, count);
	for (size_t i = 0; i < count; i++) {
		uint8_t *const record = self->records + i * SIZE;

		dmt_put_le16(record, (uint16_t)self->number);
		dmt_put_le32(record + 2, (uint32_t)(self->next + i + 1) * 4);
		dmt_put_le32(record + 6, (uint32_t)self->order[self->next + i]);
	}
	if (self->halves) {
		self->batch.kept = 0;
		for (size_t i = 0; i < count; i++)
			if ((self->next + i) % 2 == 0)
				self->batch.keep[self->batch.kept++] =
				    (uint16_t)i;
	}
	self->batch.records = self->records;
	self->batch.order = self->order + self->next;
	self->next += count;
	*out = count == 0 ? NULL : &self->batch;
	return DMTRACE_OK;
}

static void
want_listed(struct dmtrace_source *source, unsigned columns)
{
	(void)source;
	ck_assert_uint_eq(columns, DMT_COLUMN_RECORDS);
}

static void
fini_listed(struct dmtrace_source *source)
{
	(void)source;
}

static const struct dmt_input_kind listed_kind = {
	pull_listed, NULL, want_listed, fini_listed
};

static struct listed *
listed_new(unsigned number, const uint64_t *order, size_t count, size_t step)
{
	struct listed *const self = calloc(1, sizeof(*self));

	self->source.kind = &listed_kind;
	self->source.layout = layout;
	self->number = number;
	self->order = order;
	self->count = count;
	self->step = step;
	self->fails_at = SIZE_MAX;
	return self;
}

/* Reads a line of numbers. */
static size_t
read_order(uint64_t *order, const char *line)
{
	size_t count = 0;
	char *end;

	for (; *line != '\0'; line = end)
		order[count++] = strtoull(line, &end, 10);
	return count;
}

/* What comes out, as "input.order" of each event. */
static void
print_merged(char *out, struct dmtrace_source *merger)
{
	struct dmt_batch *batch;

	*out = '\0';
	for (;;) {
		ck_assert_int_eq(dmt_pull(merger, &batch), DMTRACE_OK);
		if (batch == NULL)
			return;
		for (size_t i = 0; i < batch->kept; i++) {
			const uint8_t *const record =
			    batch->records + i * SIZE;

			out += sprintf(out, " %u.%u", dmt_get_le16(record),
			    dmt_get_le32(record + 6));
		}
	}
}

static const struct {
	const char *label;
	const char *inputs[4];
	const char *merged;
} small[] = {
	{ "one", { "3 3 9" }, " 0.3 0.3 0.9" },
	{ "none has an event", { "", "" }, "" },
	{ "side by side", { "1 4 5", "2 3 6" }, " 0.1 1.2 1.3 0.4 0.5 1.6" },
	{ "equal: by input", { "2 2 7", "2 7", "2 2 7" },
	    " 0.2 0.2 1.2 2.2 2.2 0.7 1.7 2.7" },
	{ "equal: far from the rest", { "1000", "1 1000", "1 1000" },
	    " 1.1 2.1 0.1000 1.1000 2.1000" },
	{ "equal: the end of a batch that leads", { "1000", "1 2 1000" },
	    " 1.1 1.2 0.1000 1.1000" },
	{ "one after the other", { "5 6", "1 2" }, " 1.1 1.2 0.5 0.6" },
	{ "all equal", { "0 0 0", "0", "0 0" },
	    " 0.0 0.0 0.0 1.0 2.0 2.0" },
	{ "some are empty", { "", "4 8", "", "1 4" }, " 3.1 1.4 3.4 1.8" },
};

/* In batches of all sizes. */
START_TEST(puts_events_in_order)
{
	for (size_t step = 1; step <= 4; step++) {
		struct dmtrace_source *inputs[4];
		uint64_t order[4][8];
		char merged[200];
		size_t count = 0;

		for (; count < 4 && small[_i].inputs[count] != NULL; count++)
			inputs[count] = &listed_new((unsigned)count,
			    order[count], read_order(order[count],
			    small[_i].inputs[count]), step)->source;
		struct dmtrace_source *const merger = dmt_merger_new(inputs,
		    count, NULL, layout, NULL);
		dmt_want(merger, 0);
		print_merged(merged, merger);
		ck_assert_str_eq(merged, small[_i].merged);
		dmtrace_source_free(merger);
	}
}
END_TEST

START_TEST(leaves_out_dropped_events)
{
	uint64_t orders[2][8];
	struct listed *const one = listed_new(0, orders[0],
	    read_order(orders[0], "1 1 3 3 5 5"), 3);
	struct listed *const two = listed_new(1, orders[1],
	    read_order(orders[1], "2 3 4 5"), 1);
	struct dmtrace_source *const inputs[] = { &one->source, &two->source };
	char merged[200];

	one->halves = true;
	two->halves = true;
	struct dmtrace_source *const merger = dmt_merger_new(inputs, 2, NULL,
	    layout, NULL);
	print_merged(merged, merger);
	ck_assert_str_eq(merged, " 0.1 1.2 0.3 1.4 0.5");
	dmtrace_source_free(merger);
}
END_TEST

static const struct {
	const char *label;
	size_t inputs;
	size_t events;			/* of each */
	size_t step;
	unsigned gap;			/* between events at most, at random */
	uint64_t span;			/* not 0: of evenly spread events */
} shapes[] = {
	{ "two", 2, MOST, DMT_BATCH_EVENTS, 9, 0 },
	{ "a number that is no power of two", 7, MOST, 100, 3, 0 },
	{ "many", 500, 50, 8, 2, 0 },
	{ "long runs of equal order", 5, MOST, 64, 0, 0 },
	{ "far apart", 3, 1000, 64, 100000, 0 },
	{ "in all places of a window", 3, DMT_BATCH_EVENTS, DMT_BATCH_EVENTS,
	    0, 65535 },
	{ "in one place too many", 3, DMT_BATCH_EVENTS, DMT_BATCH_EVENTS, 0,
	    65536 },
};

/* The next event of each input, of which there may be none. */
START_TEST(merges_whatever_the_shape)
{
	const size_t count = shapes[_i].inputs, events = shapes[_i].events;
	uint64_t *const order = calloc(count * events, sizeof(*order));
	struct dmtrace_source **const inputs = calloc(count, sizeof(*inputs));
	size_t *const next = calloc(count, sizeof(*next));
	uint64_t seed = 5, last = 0;
	size_t last_input = 0, done = 0;
	struct dmt_batch *batch;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = 0;

		for (size_t j = 0; j < events; j++)
			order[i * events + j] = shapes[_i].span > 0 ?
			    j * shapes[_i].span / (events - 1) : (at +=
			    next_random(&seed) % (shapes[_i].gap + 1));
		inputs[i] = &listed_new((unsigned)i, order + i * events,
		    events, shapes[_i].step)->source;
	}
	struct dmtrace_source *const merger = dmt_merger_new(inputs, count,
	    NULL, layout, NULL);
	while (dmt_pull(merger, &batch) == DMTRACE_OK && batch != NULL) {
		ck_assert_uint_eq(batch->first, done);
		for (size_t i = 0; i < batch->kept; i++, done++) {
			const uint8_t *const record =
			    batch->records + i * SIZE;
			const size_t input = dmt_get_le16(record);
			const uint64_t at = dmt_get_le32(record + 6);

			ck_assert_uint_eq(dmt_get_le32(record + 2),
			    ++next[input] * 4);
			ck_assert(at > last ||
			    (at == last && input >= last_input));
			last = at;
			last_input = input;
		}
	}
	ck_assert_uint_eq(done, count * events);
	dmtrace_source_free(merger);
	free(order);
	free(inputs);
	free(next);
}
END_TEST

START_TEST(fills_columns_that_are_asked_for)
{
	uint64_t orders[2][8];
	struct dmtrace_source *const inputs[] = {
		&listed_new(5, orders[0], read_order(orders[0], "1 4000000000"),
		    9)->source,
		&listed_new(6, orders[1], read_order(orders[1], "2"),
		    9)->source
	};
	struct dmtrace_key *const key = dmt_key_new();
	struct dmt_indexes indexes;
	struct dmtrace_event events[3];

	ck_assert(dmt_indexes_init(&indexes, key, layout));
	struct dmtrace_source *const merger = dmt_merger_new(inputs, 2, key,
	    layout, &indexes);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(dmtrace_source_next(merger, &events[i]),
		    DMTRACE_OK);
	ck_assert_uint_eq(events[1].thread, 6);
	ck_assert_uint_eq(events[1].method, 4);
	ck_assert_uint_eq(events[2].thread, 5);
	ck_assert_uint_eq(events[2].method, 8);
	ck_assert_uint_eq(events[2].wall_ns, UINT64_C(4000000000000));
	dmtrace_source_free(merger);
	dmt_indexes_fini(&indexes);
	dmt_key_free(key);
}
END_TEST

/* At the first read, and later. */
START_TEST(fails_as_its_input_does)
{
	uint64_t orders[2][8];
	struct listed *const one = listed_new(0, orders[0],
	    read_order(orders[0], "1 2 3"), 1);
	struct listed *const two = listed_new(1, orders[1],
	    read_order(orders[1], "1 2 3"), 1);
	struct dmtrace_source *const inputs[] = { &one->source, &two->source };
	struct dmt_batch *batch;

	two->fails_at = (size_t)_i;
	struct dmtrace_source *const merger = dmt_merger_new(inputs, 2, NULL,
	    layout, NULL);
	while (dmt_pull(merger, &batch) == DMTRACE_OK)
		ck_assert_ptr_nonnull(batch);
	ck_assert_int_eq(dmt_pull(merger, &batch), DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_source_error(merger)->message, "no");
	dmtrace_source_free(merger);
}
END_TEST

START_TEST(cannot_be_rewound)
{
	struct dmtrace_source *const inputs[] = {
		&listed_new(0, NULL, 0, 1)->source
	};
	struct dmtrace_source *const merger = dmt_merger_new(inputs, 1, NULL,
	    layout, NULL);

	ck_assert_int_eq(dmt_source_rewind(merger), DMTRACE_ERR_STATE);
	dmtrace_source_free(merger);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("merger");
	TCase *const tcase = unit_tcase(suite, "merger");

	ADD_CASES(tcase, puts_events_in_order, small);
	tcase_add_test(tcase, leaves_out_dropped_events);
	ADD_CASES(tcase, merges_whatever_the_shape, shapes);
	tcase_add_test(tcase, fills_columns_that_are_asked_for);
	tcase_add_loop_test(tcase, fails_as_its_input_does, 0, 3);
	tcase_add_test(tcase, cannot_be_rewound);
	return unit_main(suite);
}
