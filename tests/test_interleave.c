/* test_interleave.c - runs of records to one, as a simple sort has it */

#include <stdlib.h>
#include <string.h>

#include "format/layouts.h"
#include "ops/interleave.h"
#include "records.h"

static const struct {
	const char *label;
	size_t runs;
	size_t each;			/* at most, at random */
	uint32_t first;
	uint32_t gap;			/* between keys at most, at random */
	enum dmt_layout_row layout;
} shapes[] = {
	{ "none", 0, 0, 0, 1, DMT_LAYOUT_1_WALL },
	{ "empty ones", 5, 0, 0, 1, DMT_LAYOUT_1_WALL },
	{ "one", 1, 100, 7, 9, DMT_LAYOUT_2_WALL },
	{ "one key", 6, 50, 3, 0, DMT_LAYOUT_1_WALL },
	{ "few keys", 7, 200, 3, 1, DMT_LAYOUT_3_DUAL },
	{ "close keys", 64, 256, 1000, 10, DMT_LAYOUT_1_WALL },
	{ "as many as there may be", 2, DMT_INTERLEAVE_MAX / 2, 5, 3,
	    DMT_LAYOUT_2_WALL },
	{ "as many at one key", 2, DMT_INTERLEAVE_MAX / 2, 5, 0,
	    DMT_LAYOUT_2_WALL },
	{ "a span just counted", 3, 1000, 9, 65, DMT_LAYOUT_2_WALL },
	{ "far keys", 64, 256, 12, 100000, DMT_LAYOUT_1_WALL },
	{ "the farthest", 3, 500, 0, 8000000, DMT_LAYOUT_3_DUAL },
	{ "up to 2^32", 3, 20, 0xffff0000, 1000, DMT_LAYOUT_2_WALL },
	{ "many short runs", 2000, 8, 77, 30, DMT_LAYOUT_1_WALL },
};

struct made {
	struct dmt_strand *runs;
	uint8_t *records;		/* each says its run and place */
	uint32_t *keys;
	size_t count;
};

/* Fills every run; records are told apart by what they hold. */
static struct made
make(int row)
{
	const size_t size = dmt_layouts[shapes[row].layout].record_size;
	const size_t most = shapes[row].runs * shapes[row].each;
	uint64_t seed = (uint64_t)row + 1;
	struct made made = {
		calloc(shapes[row].runs + 1, sizeof(struct dmt_strand)),
		malloc((most + 1) * size),
		malloc((most + 1) * sizeof(uint32_t)), 0
	};

	for (size_t i = 0; i < shapes[row].runs; i++) {
		const size_t count = shapes[row].each == 0 ? 0 :
		    shapes[row].each - next_random(&seed) % 2;
		uint32_t key = shapes[row].first;

		made.runs[i] = (struct dmt_strand){
			.records = made.records + made.count * size,
			.keys = made.keys + made.count,
			.count = count
		};
		for (size_t j = 0; j < count; j++, made.count++) {
			memset(made.records + made.count * size, (int)i,
			    size);
			memcpy(made.records + made.count * size,
			    &made.count, sizeof(uint32_t));
			key += (uint32_t)(next_random(&seed) %
			    (shapes[row].gap + UINT64_C(1)));
			made.keys[made.count] = key;
		}
	}
	return made;
}

/* The place of a record is how many have a lower key, or the same one and
 * stand before it. */
static size_t
place_of(const struct made *made, size_t at)
{
	size_t place = 0;

	for (size_t i = 0; i < made->count; i++)
		place += made->keys[i] < made->keys[at] ||
		    (made->keys[i] == made->keys[at] && i < at);
	return place;
}

START_TEST(sorts_by_key_then_by_run)
{
	const struct dmtrace_layout *const layout =
	    &dmt_layouts[shapes[_i].layout];
	const size_t size = layout->record_size;
	struct made made = make(_i);
	struct dmt_sorter *const sorter = dmt_sorter_new();
	uint8_t *const out = malloc((made.count + 1) * size);
	const size_t stride = 1 + made.count / 500;

	ck_assert_ptr_nonnull(sorter);
	for (int turn = 0; turn < 2; turn++) {
		memset(out, 0xee, (made.count + 1) * size);
		dmt_interleave(sorter, out, layout, made.runs,
		    shapes[_i].runs);
		for (size_t i = 0; i < made.count; i += stride)
			ck_assert_mem_eq(out + place_of(&made, i) * size,
			    made.records + i * size, size);
		ck_assert_uint_eq(out[made.count * size], 0xee);
	}
	free(out);
	dmt_sorter_free(sorter);
	free(made.runs);
	free(made.records);
	free(made.keys);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("interleave");
	TCase *const tcase = unit_tcase(suite, "interleave");

	ADD_CASES(tcase, sorts_by_key_then_by_run, shapes);
	return unit_main(suite);
}
