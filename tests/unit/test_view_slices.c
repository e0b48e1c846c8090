/* test_view_slices.c - sums by slice of time contain the true sums */

#include <string.h>

#include "export/view_slices.h"
#include "helpers/unit.h"
#include "private/output.h"

enum { CALLS = 40000, LENGTH = 1000000, METHODS = 3, UNARY_MOST = 12 };

/* What calls are like. */
static const struct shape {
	const char *label;
	uint32_t step;			/* between the times of calls */
	uint32_t shorter;		/* than the trace */
	uint32_t late;			/* how much out of order they are */
	int64_t longest;
	size_t cells;			/* in memory */
	size_t bytes;			/* of the text */
} shapes[] = {
	{ "one after the other", 1, 1, 0, 50, 100000, 1000000 },
	{ "a short text", 1, 1, 0, 50, 100000, 2000 },
	{ "a text of no room", 1, 1, 0, 50, 100000, 1 },
	{ "little memory", 1, 1, 0, 50, 20, 1000000 },
	{ "bursts", LENGTH / 4, 1, 0, 50, 100000, 1000000 },
	{ "bursts and a short text", LENGTH / 4, 1, 0, 50, 100000, 400 },
	{ "one burst and a short text", 1, 160, 0, 50, 100000, 2000 },
	{ "somewhat late", 1, 1, 100, 50, 100000, 1000000 },
	{ "late and a short text", 1, 1, 100, 50, 100000, 2000 },
	{ "very late", 1, 1, LENGTH / 2, 50, 100000, 1000000 },
	{ "times that are huge", 1, 1, 0, INT64_C(1) << 40, 100000, 1000000 },
};

static uint64_t state;

static uint32_t
draw(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((state >> 33) % below);
}

static struct dmt_slice_call
draw_call(const struct shape *shape, uint32_t number, uint64_t *end_ns)
{
	const uint64_t time = (uint64_t)number * (LENGTH / CALLS) /
	    shape->shorter / shape->step * shape->step;
	const uint32_t late = shape->late == 0 ? 0 : draw(shape->late);
	struct dmt_slice_call call = { .method = draw(METHODS) };

	*end_ns = time < late ? 0 : time - late;
	call.sums[draw(10) == 0 ? DMT_SLICE_RECURSIVE : DMT_SLICE_CALLS] = 1;
	for (int i = DMT_SLICE_INCLUSIVE; i < DMT_SLICE_SUMS; i++)
		call.sums[i] = draw(50) * (shape->longest / 50);
	return call;
}

/* Reads the text again. */
struct reader {
	const char *at;
	const char *bits;
	size_t position;
};

static unsigned
digit(char c)
{
	return (unsigned)(c - ' ') - (c > '<');
}

static uint64_t
number(struct reader *reader)
{
	uint64_t value = 0;

	for (;;) {
		const unsigned next = digit(*reader->at++);

		if (next < 60)
			return value * 60 + next;
		value = value * 32 + next - 60;
	}
}

static unsigned
bit(struct reader *reader)
{
	const size_t pair = reader->position / 13 * 2;
	const unsigned value = digit(reader->bits[pair]) * 92 +
	    digit(reader->bits[pair + 1]);

	return value >> (12 - reader->position++ % 13) & 1;
}

static uint64_t
rice(struct reader *reader, uint64_t parameter)
{
	uint64_t value = 0;

	while (value < UNARY_MOST && bit(reader))
		value++;
	const bool plain = value == UNARY_MOST;
	if (plain)
		value = 0;
	for (uint64_t i = 0; i < (plain ? 16 : parameter); i++)
		value = value << 1 | bit(reader);
	return value;
}

struct read_row {
	uint64_t method, wide, cells, bits, partial, back, skip;
	struct {
		uint64_t sum, below, quantum, rice;
	} sums[DMT_SLICE_SUMS];
};

/* In the order of the text. */
static const int order[DMT_SLICE_SUMS] = {
	DMT_SLICE_CALLS, DMT_SLICE_RECURSIVE,
	DMT_SLICE_INCLUSIVE + DMTRACE_PROFILE_WALL,
	DMT_SLICE_EXCLUSIVE + DMTRACE_PROFILE_WALL,
	DMT_SLICE_INCLUSIVE + DMTRACE_PROFILE_CPU,
	DMT_SLICE_EXCLUSIVE + DMTRACE_PROFILE_CPU,
};

static struct read_row
read_row(struct reader *reader)
{
	struct read_row row;

	row.method = number(reader);
	row.wide = number(reader);
	row.cells = number(reader);
	row.bits = number(reader);
	row.partial = number(reader);
	row.back = number(reader);
	row.skip = number(reader);
	for (int i = 0; i < DMT_SLICE_SUMS; i++) {
		row.sums[i].sum = number(reader);
		row.sums[i].below = number(reader);
		if (row.sums[i].sum + row.sums[i].below == 0)
			continue;
		row.sums[i].quantum = number(reader);
		row.sums[i].rice = number(reader);
	}
	return row;
}

/* by_slice has the true sums, by narrowest slice and method. Returns how many
 * sums before a slice are not within their bounds. */
static unsigned
count_wrong(struct reader *reader, const struct read_row *row,
    uint32_t narrowest, int64_t (*by_slice)[METHODS][DMT_SLICE_SUMS])
{
	const uint64_t count = ((narrowest - 1) >> row->wide) + 1;
	const size_t end = reader->position + row->bits;
	uint64_t quanta[DMT_SLICE_SUMS] = { 0 }, sums[DMT_SLICE_SUMS] = { 0 };
	uint64_t next = 0, done = 0;
	unsigned wrong = 0;

	if (row->cells > 0)
		next = rice(reader, row->skip);
	for (uint64_t slice = 0; slice < count; slice++) {
		const bool coded = row->cells == 0 ||
		    (done < row->cells && slice == next);

		for (int i = 0; i < DMT_SLICE_SUMS; i++) {
			const uint64_t quantum = row->sums[i].quantum;

			if (row->sums[i].sum == 0)
				continue;
			if (coded)
				quanta[i] += rice(reader, row->sums[i].rice);
			for (uint64_t at = slice << row->wide; at < narrowest &&
			    at < (slice + 1) << row->wide; at++)
				sums[i] += (uint64_t)by_slice[at][
				    row->method][order[i]];
			wrong += sums[i] + row->back * quantum <
			    quanta[i] * quantum || sums[i] >=
			    (quanta[i] + row->back + 1) * quantum;
		}
		if (coded && ++done < row->cells)
			next = slice + 1 + rice(reader, row->skip);
	}
	for (int i = 0; i < DMT_SLICE_SUMS; i++)
		wrong += sums[i] != row->sums[i].sum;
	return wrong + (reader->position != end);
}

START_TEST(bounds_contain_the_sums)
{
	const struct shape *const shape = &shapes[_i];
	const struct dmt_slices_plan plan = {
		.from_ns = 0, .to_ns = LENGTH, .clock = DMTRACE_PROFILE_WALL,
		.scale_ns = 1, .threads = 1,
		.cells = shape->cells
	};
	static int64_t by_slice[16384][METHODS][DMT_SLICE_SUMS];
	struct dmt_slices slices = { .rows = NULL };
	struct dmt_output out = { .fd = -1 };
	uint64_t end_ns;
	unsigned wrong = 0;

	state = 1;
	for (uint32_t i = 0; i < CALLS; i++) {
		struct dmt_slice_call call = draw_call(shape, i, &end_ns);

		call.sums[DMT_SLICE_CALLS] = call.sums[DMT_SLICE_RECURSIVE] = 1;
		ck_assert(dmt_slices_note(&slices, &call));
	}
	ck_assert(dmt_slices_begin(&slices, &plan));
	memset(by_slice, 0, sizeof(by_slice));
	state = 1;
	for (uint32_t i = 0; i < CALLS; i++) {
		struct dmt_slice_call call = draw_call(shape, i, &end_ns);

		call.slice = dmt_slices_place(&slices, end_ns);
		for (int sum = 0; sum < DMT_SLICE_SUMS; sum++)
			by_slice[call.slice][call.method][sum] +=
			    call.sums[sum];
		ck_assert(dmt_slices_add(&slices, &call));
	}
	ck_assert(dmt_slices_fit(&slices, shape->bytes));
	dmt_output_open_memory(&out);
	dmt_slices_put(&slices, &out, 0, (const bool[]){ true, true }, 0, 7);
	dmt_output_write(&out, "", 1);
	ck_assert_uint_le(out.len, shape->bytes + 4 * METHODS * 60);

	struct reader reader = { .at = out.bytes };
	struct read_row rows[METHODS];
	ck_assert_uint_eq(number(&reader), 0);
	const uint32_t narrowest = (uint32_t)number(&reader);
	ck_assert_uint_eq(narrowest, slices.count);
	ck_assert_uint_eq(number(&reader), slices.width_ns);
	ck_assert_uint_eq(number(&reader), 7);
	ck_assert_uint_eq(number(&reader), METHODS);
	for (int i = 0; i < METHODS; i++)
		rows[i] = read_row(&reader);
	reader.bits = reader.at;
	for (int i = 0; i < METHODS; i++) {
		if (shape->late == 0)
			ck_assert_uint_eq(rows[i].back, 0);
		wrong += count_wrong(&reader, &rows[i], narrowest, by_slice);
	}
	ck_assert_uint_eq(wrong, 0);
	dmt_output_fini(&out);
	dmt_slices_fini(&slices);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("view_slices");
	TCase *tcase = unit_tcase(suite, "view_slices");

	ADD_CASES(tcase, bounds_contain_the_sums, shapes);
	return unit_main(suite);
}
