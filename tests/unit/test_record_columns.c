/* test_record_columns.c - records decoded to columns of a batch, and encoded */

#include "data/record_columns.h"

#include "helpers/records.h"
#include "private/key.h"

/* All that decoding and encoding need. */
struct columns {
	struct dmt_layout layout;
	struct dmtrace_key *key;
	struct dmt_indexes indexes;
	struct dmt_clocks *clocks;
	struct dmt_batch batch;
	struct oddities odd;
};

static struct columns *
new_columns(const struct dialect *dialect)
{
	struct columns *const columns = calloc(1, sizeof(*columns));

	columns->layout = layout_of(dialect);
	columns->key = dmt_key_new();
	columns->clocks = dmt_clocks_new(&columns->layout);
	ck_assert_ptr_nonnull(columns->clocks);
	ck_assert(dmt_indexes_init(&columns->indexes, columns->key,
	    &columns->layout));
	return columns;
}

static void
free_columns(struct columns *columns)
{
	dmt_indexes_fini(&columns->indexes);
	dmt_clocks_free(columns->clocks);
	dmt_key_free(columns->key);
	free(columns);
}

/* Each column reports for itself. */
static void
add_odd(void *context, unsigned oddities, size_t index)
{
	struct oddities *const odd = context;

	ck_assert_uint_lt(index, RUN);
	odd->of[index] |= oddities;
}

static void
decode(struct columns *columns, unsigned which, const uint8_t *bytes,
    size_t count)
{
	const struct dmt_watch watch = { add_odd, &columns->odd };

	dmt_batch_begin(&columns->batch, count);
	columns->batch.records = bytes;
	dmt_columns_decode(&columns->batch, which, &columns->indexes,
	    &columns->layout, columns->clocks, &watch);
}

static size_t
encode(struct columns *columns, uint8_t *out, bool like, unsigned changes)
{
	dmt_columns_fn *const call = like ? dmt_columns_copy :
	    dmt_columns_encode;

	return call(out, &columns->layout, &columns->batch, 0,
	    columns->batch.kept, &columns->indexes, changes);
}

static struct dmtrace_event
event_at(const struct columns *columns, size_t at)
{
	const struct dmt_batch *const batch = &columns->batch;

	return (struct dmtrace_event){
		.method = columns->indexes.methods[batch->method[at]].id,
		.cpu_ns = batch->cpu_ns[at],
		.wall_ns = batch->wall_ns[at],
		.thread = columns->indexes.threads[batch->thread[at]].number,
		.action = (enum dmtrace_action)batch->action[at],
	};
}

START_TEST(decodes_every_field)
{
	struct columns *const columns = new_columns(&records[_i].dialect);

	decode(columns, DMT_COLUMN_ALL, records[_i].bytes, 1);
	const struct dmtrace_event event = event_at(columns, 0);
	assert_same_event(&event, &records[_i].event);
	ck_assert_uint_eq(columns->odd.of[0], records[_i].event.action ==
	    DMTRACE_RESERVED ? DMT_ODD_RESERVED : 0);
	free_columns(columns);
}
END_TEST

/* From columns alone: what no field holds is zero. */
START_TEST(encodes_every_field)
{
	const size_t size = records[_i].dialect.record_size;
	struct columns *const columns = new_columns(&records[_i].dialect);
	uint8_t out[sizeof(records[0].bytes)] = { 0xff };

	decode(columns, DMT_COLUMN_ALL, records[_i].bytes, 1);
	columns->batch.records = NULL;
	ck_assert_uint_eq(encode(columns, out, false, 0), 1);
	ck_assert_mem_eq(out, records[_i].bytes, size);
	free_columns(columns);
}
END_TEST

/* The decoder of single events is the other way to read a record. */
START_TEST(decodes_what_the_event_decoder_decodes)
{
	struct columns *const columns = new_columns(&dialects[_i]);
	uint8_t *const run = random_run(&columns->layout);
	const size_t size = columns->layout.record_size;

	decode(columns, DMT_COLUMN_ALL, run, RUN);
	for (size_t i = 0; i < RUN; i++) {
		struct dmtrace_event expected;
		const struct dmtrace_event event = event_at(columns, i);

		ck_assert_int_eq(dmt_record_decode(&expected,
		    &columns->layout, run + i * size, size), DMTRACE_OK);
		ck_assert_uint_eq(event.thread, expected.thread);
		ck_assert(event.method == expected.method);
		ck_assert_int_eq(event.action, expected.action);
		/* a time may have wrapped, by 2^32 us each */
		ck_assert(expected.cpu_ns == NO_TIME ?
		    event.cpu_ns == NO_TIME : (event.cpu_ns -
		    expected.cpu_ns) % (UINT64_C(4294967296000)) == 0);
		ck_assert(expected.wall_ns == NO_TIME ?
		    event.wall_ns == NO_TIME : (event.wall_ns -
		    expected.wall_ns) % (UINT64_C(4294967296000)) == 0);
	}
	free(run);
	free_columns(columns);
}
END_TEST

/* Records that are like the batch's are copied, with what no field holds. */
START_TEST(copies_records)
{
	struct columns *const columns = new_columns(&dialects[_i]);
	uint8_t *const run = random_run(&columns->layout);
	const size_t size = columns->layout.record_size;
	uint8_t *const out = malloc(RUN * size);

	decode(columns, 0, run, RUN);
	ck_assert_uint_eq(encode(columns, out, true, 0), RUN);
	ck_assert_mem_eq(out, run, RUN * size);
	/* every third one */
	columns->batch.kept = 0;
	for (size_t i = 0; i < RUN; i += 3)
		columns->batch.keep[columns->batch.kept++] = (uint16_t)i;
	ck_assert_uint_eq(encode(columns, out, true, 0), RUN / 3);
	for (size_t i = 0; i < RUN / 3; i++)
		ck_assert_mem_eq(out + i * size, run + 3 * i * size, size);
	free(out);
	free(run);
	free_columns(columns);
}
END_TEST

static const uint8_t three[] = {
	1, 0, 4, 0, 0, 0, 10, 0, 0, 0,	/* enter 4 in thread 1 at 10 us */
	2, 0, 9, 0, 0, 0, 11, 0, 0, 0,	/* exit 8 in thread 2 at 11 us */
	1, 0, 5, 0, 0, 0, 12, 0, 0, 0,	/* exit 4 in thread 1 at 12 us */
};

/* Only of the event that says so, and only the columns that are named. */
START_TEST(puts_changed_columns_in)
{
	static const struct dialect dialect = { 2, WALL, 10 };
	static const uint8_t expected[] = {
		1, 0, 4, 0, 0, 0, 10, 0, 0, 0,
		2, 0, 9, 0, 0, 0, 99, 0, 0, 0,
		1, 0, 5, 0, 0, 0, 12, 0, 0, 0,
	};
	struct columns *const columns = new_columns(&dialect);
	uint8_t out[sizeof(three)];

	decode(columns, DMT_COLUMN_ALL, three, 3);
	columns->batch.flags[1] = DMT_EVENT_CHANGED;
	columns->batch.wall_ns[1] = 99000;
	columns->batch.thread[1] = 0;	/* is not named below */
	columns->batch.wall_ns[2] = 77000;	/* does not say so */
	ck_assert_uint_eq(encode(columns, out, true, DMT_COLUMN_WALL), 3);
	ck_assert_mem_eq(out, expected, sizeof(out));
	free_columns(columns);
}
END_TEST

/* Of one thread: 30, 20, 2^31 + 21 and 1 us. */
START_TEST(reports_what_is_odd)
{
	static const struct dialect dialect = { 2, WALL, 10 };
	static const uint8_t bytes[] = {
		1, 0, 4, 0, 0, 0, 30, 0, 0, 0,
		1, 0, 7, 0, 0, 0, 20, 0, 0, 0,
		1, 0, 4, 0, 0, 0, 21, 0, 0, 128,
		1, 0, 4, 0, 0, 0, 1, 0, 0, 0,
	};
	struct columns *const columns = new_columns(&dialect);

	decode(columns, DMT_COLUMN_WALL, bytes, 4);
	ck_assert_uint_eq(columns->odd.of[0], 0);
	ck_assert_uint_eq(columns->odd.of[1], DMT_ODD_BACK);
	ck_assert_uint_eq(columns->odd.of[2], 0);
	ck_assert_uint_eq(columns->odd.of[3], DMT_ODD_WRAPPED);
	ck_assert(columns->batch.wall_ns[3] == UINT64_C(4294967297000));
	memset(&columns->odd, 0, sizeof(columns->odd));
	decode(columns, DMT_COLUMN_ACTION, bytes, 4);
	ck_assert_uint_eq(columns->odd.of[1], DMT_ODD_RESERVED);
	free_columns(columns);
}
END_TEST

static const struct {
	const char *label;
	struct dialect dialect;
	uint32_t thread;
	uint64_t method, cpu_ns, wall_ns;
} unfit[] = {
	{ "thread wider than its field", { 1, CPU, 9 }, 256, 4, 0, NO_TIME },
	{ "method wider than its field", { 2, CPU, 10 }, 1,
	    UINT64_C(0x100000004), 0, NO_TIME },
	{ "time wider than its field", { 2, CPU, 10 }, 1, 4,
	    UINT64_C(4294967296000), NO_TIME },
	{ "no time where the layout has one", { 3, DUAL, 14 }, 1, 4, 0,
	    NO_TIME },
};

/* The events before it are written. */
START_TEST(stops_at_an_event_that_does_not_fit)
{
	struct columns *const columns = new_columns(&unfit[_i].dialect);
	struct dmt_batch *const batch = &columns->batch;
	uint8_t out[3 * 14];

	dmt_batch_begin(batch, 3);
	batch->records = NULL;
	for (size_t i = 0; i < 3; i++) {
		const bool fits = i < 2;

		batch->thread[i] = dmt_thread_index(&columns->indexes,
		    fits ? 1 : unfit[_i].thread);
		batch->method[i] = dmt_method_index(&columns->indexes,
		    fits ? 4 : unfit[_i].method);
		batch->action[i] = DMTRACE_ENTER;
		batch->cpu_ns[i] = fits ? 0 : unfit[_i].cpu_ns;
		batch->wall_ns[i] = fits ? 0 : unfit[_i].wall_ns;
	}
	ck_assert_uint_eq(encode(columns, out, false, 0), 2);
	free_columns(columns);
}
END_TEST

/* Index 0 is thread 7 and method 0x87654320, index 1 is not known. The first
 * event has a record already. */
static const struct {
	const char *label;
	unsigned version;
	enum dmtrace_clock clock;
	uint32_t thread, method;	/* indexes of the second of two */
	uint64_t shift_us;
	size_t next;			/* 2: both have a record */
	uint8_t bytes[14];		/* of the second one */
	uint64_t order;			/* of it; 99: no record */
	uint64_t last;			/* of records before it */
} translations[] = {
	{ "both clocks", 3, DMTRACE_CLOCK_DUAL, 0, 0, 16, 2,
	    { 7, 0, 0x21, 0x43, 0x65, 0x87, 5, 0, 0, 0, 22 }, 22, 0 },
	{ "back", 3, DMTRACE_CLOCK_DUAL, 0, 0, (uint64_t)-6, 2,
	    { 7, 0, 0x21, 0x43, 0x65, 0x87, 5 }, 0, 0 },
	{ "wall alone", 2, DMTRACE_CLOCK_WALL, 0, 0, 16, 2,
	    { 7, 0, 0x21, 0x43, 0x65, 0x87, 22 }, 22, 0 },
	{ "before an earlier one", 2, DMTRACE_CLOCK_WALL, 0, 0, 16, 2,
	    { 7, 0, 0x21, 0x43, 0x65, 0x87, 22 }, 23, 23 },
	{ "CPU alone", 1, DMTRACE_CLOCK_THREAD_CPU, 0, 0, 16, 2,
	    { 7, 0x21, 0x43, 0x65, 0x87, 21 }, 0, 0 },
	{ "a thread that is not known", 1, DMTRACE_CLOCK_WALL, 1, 0, 0, 1,
	    { 0 }, 99, 0 },
	{ "a method", 1, DMTRACE_CLOCK_WALL, 0, 1, 0, 1, { 0 }, 99, 0 },
	{ "before zero", 1, DMTRACE_CLOCK_WALL, 0, 0, (uint64_t)-7, 1,
	    { 0 }, 99, 0 },
	{ "after 2^32 us", 1, DMTRACE_CLOCK_WALL, 0, 0, 0xfffffffa, 1,
	    { 0 }, 99, 0 },
	{ "the latest", 1, DMTRACE_CLOCK_WALL, 0, 0, 0xfffffff9, 2,
	    { 7, 0x21, 0x43, 0x65, 0x87, 255, 255, 255, 255 }, 0xffffffff, 0 },
};

START_TEST(translates)
{
	static const uint32_t threads[] = { 1 + 7, 0 };
	static const uint32_t methods[] = { 1 + 0x87654320, 0 };
	static struct dmt_batch batch;
	const struct dmt_layout *const layout = dmt_layout_find(
	    translations[_i].version, translations[_i].clock);
	const size_t size = dmt_layout_record_size(layout);
	const uint64_t last = translations[_i].last;
	uint64_t order[2] = { 99, 99 };
	struct dmt_translation to = {
		.threads = threads, .methods = methods,
		.shift_us = translations[_i].shift_us, .order = order,
		.last = last
	};
	uint8_t out[2 * 14] = { 0 };

	dmt_batch_begin(&batch, 2);
	for (size_t i = 0; i < 2; i++) {
		batch.action[i] = DMTRACE_EXIT;
		batch.cpu_ns[i] = 5 * 1000;
		batch.wall_ns[i] = 6 * 1000;
	}
	batch.thread[1] = translations[_i].thread;
	batch.method[1] = translations[_i].method;
	ck_assert_uint_eq(dmt_columns_translate(out, layout, &batch, 1, &to),
	    translations[_i].next);
	for (size_t i = 0; i < size; i++)
		ck_assert_uint_eq(out[i], 0);
	ck_assert_mem_eq(out + size, translations[_i].bytes, size);
	ck_assert_uint_eq(order[0], 99);
	ck_assert_uint_eq(order[1], translations[_i].order);
	ck_assert_uint_eq(to.late, last > 22);
	ck_assert_uint_eq(to.last, order[1] == 99 ? last : order[1]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("record_columns");
	TCase *tcase = unit_tcase(suite, "record_columns");

	ADD_CASES(tcase, decodes_every_field, records);
	ADD_CASES(tcase, encodes_every_field, records);
	ADD_CASES(tcase, decodes_what_the_event_decoder_decodes, dialects);
	ADD_CASES(tcase, copies_records, dialects);
	tcase_add_test(tcase, puts_changed_columns_in);
	tcase_add_test(tcase, reports_what_is_odd);
	ADD_CASES(tcase, stops_at_an_event_that_does_not_fit, unfit);
	ADD_CASES(tcase, translates, translations);
	return unit_main(suite);
}
