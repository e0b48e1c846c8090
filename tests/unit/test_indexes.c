/* test_indexes.c - indexes of threads and methods */

#include <dmtrace.h>
#include <string.h>

#include "events/indexes.h"
#include "helpers/failing.h"
#include "helpers/unit.h"
#include "private/key.h"

/* Thread 70001 is the 4465 of records with two bytes. Two rows share an id. */
static const char key_text[] =
    "*version\n2\nclock=wall\n*threads\n1\tmain\n70001\tfar\n*methods\n"
    "0x4\tx\ta\t()V\n0x8\tx\tb\t()V\n0x8\tx\tc\t()V\n*end\n";

static struct dmtrace_key *
decode_key(void)
{
	struct dmtrace_key *const key = dmt_key_new();
	size_t used;

	ck_assert_int_eq(dmt_key_decode_bytes(key, key_text, strlen(key_text),
	    &used, NULL, NULL), DMTRACE_OK);
	return key;
}

static void
begin_indexes(struct dmt_indexes *indexes, const struct dmtrace_key *key)
{
	ck_assert(dmt_indexes_init(indexes, key,
	    dmt_layout_find(2, DMTRACE_CLOCK_WALL)));
}

/* In the order of first sight, and the same again. */
START_TEST(numbers_threads)
{
	static const uint32_t numbers[] = {
		9, 0, 65535, 65536, UINT32_MAX, 1, 9, 65536, UINT32_MAX, 0
	};
	static const uint32_t expected[] = { 0, 1, 2, 3, 4, 5, 0, 3, 4, 1 };
	struct dmtrace_key *const key = decode_key();
	struct dmt_indexes indexes;

	begin_indexes(&indexes, key);
	for (size_t i = 0; i < ROWS(numbers); i++)
		ck_assert_uint_eq(dmt_thread_index(&indexes, numbers[i]),
		    expected[i]);
	ck_assert_uint_eq(indexes.thread_count, 6);
	ck_assert_uint_eq(indexes.threads[3].number, 65536);
	ck_assert(!indexes.failed);
	dmt_indexes_fini(&indexes);
	dmt_key_free(key);
}
END_TEST

/* Id 0 too, and ids whose low bits are those of others: 0x4, 0x10004,
 * 0x100000004 and 0x1000000000004 share a place in the table of recent ones,
 * which the last one is too large for. */
START_TEST(numbers_methods)
{
	static const uint64_t ids[] = {
		0, 0x4, 0x10004, UINT64_C(0x100000004), 0x4, 0x10004, 0,
		UINT64_C(0xfffffffffffffffc), UINT64_C(0x100000004), 0x4,
		UINT64_C(0x1000000000004), 0x4
	};
	static const uint32_t expected[] =
	    { 0, 1, 2, 3, 1, 2, 0, 4, 3, 1, 5, 1 };
	struct dmtrace_key *const key = decode_key();
	struct dmt_indexes indexes;

	begin_indexes(&indexes, key);
	for (size_t i = 0; i < ROWS(ids); i++)
		ck_assert_uint_eq(dmt_method_index(&indexes, ids[i]),
		    expected[i]);
	ck_assert_uint_eq(indexes.method_count, 6);
	ck_assert(indexes.methods[3].id == UINT64_C(0x100000004));
	dmt_indexes_fini(&indexes);
	dmt_key_free(key);
}
END_TEST

static const struct {
	const char *label;
	uint32_t number;
	const char *name;		/* NULL: no row */
} thread_rows[] = {
	{ "a row of that number", 1, "main" },
	{ "a row with these low bytes", 4465, "far" },
	{ "none", 2, NULL },
};

START_TEST(finds_rows_of_threads)
{
	struct dmtrace_key *const key = decode_key();
	struct dmt_indexes indexes;

	begin_indexes(&indexes, key);
	const uint32_t index =
	    dmt_thread_index(&indexes, thread_rows[_i].number);
	const struct dmtrace_thread *const row = indexes.threads[index].row;
	if (thread_rows[_i].name == NULL)
		ck_assert_ptr_null(row);
	else
		ck_assert_mem_eq(row->name.bytes, thread_rows[_i].name,
		    row->name.len);
	dmt_indexes_fini(&indexes);
	dmt_key_free(key);
}
END_TEST

/* Of rows with one id the first. */
START_TEST(finds_rows_of_methods)
{
	struct dmtrace_key *const key = decode_key();
	struct dmt_indexes indexes;

	begin_indexes(&indexes, key);
	const uint32_t shared = dmt_method_index(&indexes, 8);
	const uint32_t none = dmt_method_index(&indexes, 12);
	ck_assert_ptr_eq(indexes.methods[shared].row,
	    dmtrace_key_method_get(key, 1));
	ck_assert_ptr_null(indexes.methods[none].row);
	dmt_indexes_fini(&indexes);
	dmt_key_free(key);
}
END_TEST

/* Fills tables that have to grow. */
static enum dmtrace_status
fill_indexes(const struct dmtrace_key *key)
{
	struct dmt_indexes indexes;
	bool done = dmt_indexes_init(&indexes, key,
	    dmt_layout_find(2, DMTRACE_CLOCK_WALL));

	for (uint32_t i = 0; done && i < 100; i++) {
		dmt_thread_index(&indexes, 65500 + i);
		dmt_method_index(&indexes, 4 * i);
		done = !indexes.failed;
	}
	dmt_indexes_fini(&indexes);
	return done ? DMTRACE_OK : DMTRACE_ERR_MEMORY;
}

START_TEST(survives_a_failing_allocation)
{
	struct failing failing = { .kind = FAULT_ALLOC };
	struct dmtrace_key *const key = decode_key();

	do {
		failing_arm(&failing);
		failing_reported(&failing, fill_indexes(key));
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 3);
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("indexes");
	TCase *tcase = unit_tcase(suite, "indexes");

	tcase_add_test(tcase, numbers_threads);
	tcase_add_test(tcase, numbers_methods);
	ADD_CASES(tcase, finds_rows_of_threads, thread_rows);
	tcase_add_test(tcase, finds_rows_of_methods);
	tcase_add_test(tcase, survives_a_failing_allocation);
	return unit_main(suite);
}
