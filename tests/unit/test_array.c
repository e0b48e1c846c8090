/* test_array.c - memory that grows: arrays and arenas */

#define _DEFAULT_SOURCE		/* mincore */

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/array.h"
#include "helpers/faults.h"
#include "helpers/unit.h"

static const struct {
	const char *label;
	size_t capacity;
	size_t need;
	size_t grown;
} growths[] = {
	{ "the first items", 0, 1, 8 },
	{ "no items", 0, 0, 8 },
	{ "many at first", 0, 100, 100 },
	{ "what is there", 8, 8, 8 },
	{ "one more than is there", 8, 9, 12 },
	{ "more than half of what is there", 8, 17, 17 },
	{ "an odd capacity", 17, 18, 25 },
};

START_TEST(grows_by_half)
{
	size_t capacity = growths[_i].capacity;
	uint32_t *old = capacity == 0 ? NULL : calloc(capacity, 4);

	if (old != NULL)
		old[capacity - 1] = 0x01020304;
	uint32_t *grown = dmt_array_grow(old, &capacity, growths[_i].need, 4);
	ck_assert_ptr_nonnull(grown);
	ck_assert_uint_eq(capacity, growths[_i].grown);
	if (growths[_i].capacity > 0)
		ck_assert_uint_eq(grown[growths[_i].capacity - 1], 0x01020304);
	grown[capacity - 1] = 5;
	free(grown);
}
END_TEST

START_TEST(grows_by_zeros)
{
	size_t capacity = 0;
	uint32_t *items = dmt_array_grow_zero(NULL, &capacity, 1, 4);

	ck_assert_ptr_nonnull(items);
	for (size_t i = 0; i < 8; i++) {
		ck_assert_uint_eq(items[i], 0);
		items[i] = 0x01020304;
	}
	items = dmt_array_grow_zero(items, &capacity, 9, 4);
	ck_assert_ptr_nonnull(items);
	ck_assert_uint_eq(capacity, 12);
	for (size_t i = 0; i < 12; i++)
		ck_assert_uint_eq(items[i], i < 8 ? 0x01020304 : 0);
	free(items);
}
END_TEST

static const struct {
	const char *label;
	size_t need;
	size_t item_size;
} unfit[] = {
	{ "a product past the address space", SIZE_MAX / 4 + 2, 4 },
	{ "a product past what pointers can span", SIZE_MAX / 8 + 1, 4 },
	{ "as many bytes as there are", SIZE_MAX, 1 },
};

START_TEST(refuses_sizes_that_overflow)
{
	size_t capacity = 8;
	char *old = calloc(8, unfit[_i].item_size);

	old[0] = 'x';
	ck_assert_ptr_null(dmt_array_grow(old, &capacity, unfit[_i].need,
	    unfit[_i].item_size));
	ck_assert_uint_eq(capacity, 8);
	ck_assert_int_eq(old[0], 'x');
	free(old);
}
END_TEST

START_TEST(leaves_the_array_without_memory)
{
	size_t capacity = 8;
	char *old = calloc(8, 1);

	old[7] = 'x';
	fault_arm(FAULT_ALLOC, 1);
	char *grown = dmt_array_grow(old, &capacity, 9, 1);
	ck_assert(fault_disarm());
	ck_assert_ptr_null(grown);
	ck_assert_uint_eq(capacity, 8);
	ck_assert_int_eq(old[7], 'x');
	free(old);
}
END_TEST

START_TEST(makes_items_of_zeros)
{
	char *items = dmt_array_new(3, 5);

	for (size_t i = 0; i < 15; i++)
		ck_assert_int_eq(items[i], 0);
	free(items);
	items = dmt_array_new(0, 5);
	ck_assert_ptr_nonnull(items);
	free(items);
	items = dmt_array_new(5, 0);
	ck_assert_ptr_nonnull(items);
	free(items);
}
END_TEST

START_TEST(makes_none_of_a_size_that_overflows)
{
	ck_assert_ptr_null(dmt_array_new(SIZE_MAX / 4 + 2, 4));
	ck_assert_ptr_null(dmt_array_new(SIZE_MAX / 8 + 1, 4));
}
END_TEST

/* Sizes that fill chunks, pass over them and outgrow them. */
static const size_t sizes[] = {
	0, 1, 1000, 23, 1, 3000, 2048, 1, 1048576, 1, 2000000, 7
};

START_TEST(keeps_bytes_where_they_are)
{
	struct dmt_arena arena = { 0 };
	unsigned char *pieces[ROWS(sizes)];
	size_t wrong = 0;

	for (size_t i = 0; i < ROWS(sizes); i++) {
		pieces[i] = dmt_arena_alloc(&arena, sizes[i]);
		ck_assert_ptr_nonnull(pieces[i]);
		memset(pieces[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < ROWS(sizes); i++)
		for (size_t j = 0; j < sizes[i]; j++)
			wrong += pieces[i][j] != i + 1;
	ck_assert_uint_eq(wrong, 0);
	dmt_arena_fini(&arena);
	ck_assert_ptr_null(arena.last);
	dmt_arena_fini(&arena);
}
END_TEST

START_TEST(allocates_again_when_memory_is_back)
{
	struct dmt_arena arena = { 0 };
	char *first = dmt_arena_alloc(&arena, 1024);

	first[1023] = 'x';
	fault_arm(FAULT_ALLOC, 1);
	void *second = dmt_arena_alloc(&arena, 1);
	ck_assert(fault_disarm());
	ck_assert_ptr_null(second);
	ck_assert_ptr_null(dmt_arena_alloc(&arena, SIZE_MAX));
	ck_assert_ptr_nonnull(dmt_arena_alloc(&arena, 1));
	ck_assert_int_eq(first[1023], 'x');
	dmt_arena_fini(&arena);
}
END_TEST

/* The system says what is no longer there. */
START_TEST(gives_mapped_memory_back)
{
	unsigned char page;
	char *const memory = dmt_mapped_new(1);

	ck_assert_ptr_nonnull(memory);
	ck_assert_int_eq(mincore(memory, 1, &page), 0);
	dmt_mapped_free(memory, 1);
	ck_assert_int_eq(mincore(memory, 1, &page), -1);
	ck_assert_int_eq(errno, ENOMEM);
	dmt_mapped_free(NULL, 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("array");
	TCase *arrays = unit_tcase(suite, "arrays");
	TCase *arenas = unit_tcase(suite, "arenas");

	ADD_CASES(arrays, grows_by_half, growths);
	tcase_add_test(arrays, grows_by_zeros);
	ADD_CASES(arrays, refuses_sizes_that_overflow, unfit);
	tcase_add_test(arrays, leaves_the_array_without_memory);
	tcase_add_test(arrays, makes_items_of_zeros);
	tcase_add_test(arrays, makes_none_of_a_size_that_overflows);
	tcase_add_test(arrays, gives_mapped_memory_back);
	tcase_add_test(arenas, keeps_bytes_where_they_are);
	tcase_add_test(arenas, allocates_again_when_memory_is_back);
	return unit_main(suite);
}
