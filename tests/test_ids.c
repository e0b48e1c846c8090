/* test_ids.c - from method ids to indexes, for the loops over records */

#include "keys.h"
#include "profile/ids.h"

enum { MANY = 1000 };

/* Ids in steps, modulo 2^64, but every drop-th of them; 0: all are listed. */
static const struct {
	const char *label;
	uint64_t first;
	uint64_t step;
	unsigned drop;
	size_t row;			/* places in the row */
} runs[] = {
	{ "in a row", 0x40001234, 52, 0, MANY },
	{ "some are not listed", 0x1000, 40, 3, MANY - 2 },
	{ "in a row, wider than 32 bits", UINT64_C(0x7f0012345670), 40, 0,
	    MANY },
	{ "scattered", 4, UINT64_C(0x9e3779b9), 0, 0 },
	{ "scattered, wider than 32 bits", 4, UINT64_C(0x9e3779b97f4a7c15), 0,
	    0 },
};

static uint64_t
id_at(int run, unsigned i)
{
	return (runs[run].first + i * runs[run].step) & ~UINT64_C(3);
}

static bool
is_listed(int run, unsigned i)
{
	return runs[run].drop == 0 || i % runs[run].drop != 0;
}

/* From the last to the first, as no row should care. */
static struct dmtrace_key *
key_of_run(int run)
{
	struct dmtrace_key *key = dmtrace_key_new();

	for (unsigned i = MANY; i-- > 0; ) {
		const struct dmtrace_method method = { .id = id_at(run, i),
		    .class_name = TEXT("A"), .name = TEXT("m"),
		    .signature = TEXT("()V"), .line = DMTRACE_NO_LINE };

		if (is_listed(run, i))
			ck_assert_int_eq(dmtrace_key_method_add(key, &method),
			    DMTRACE_OK);
	}
	return key;
}

START_TEST(finds_what_was_added)
{
	struct dmtrace_key *key = key_of_run(_i);
	struct dmt_ids ids;
	unsigned wrong = 0;

	ck_assert(dmt_ids_init(&ids, key));
	ck_assert_uint_eq(ids.row_count, runs[_i].row);
	for (unsigned i = 0; i < MANY; i++)
		wrong += dmt_ids_find(&ids, id_at(_i, i)) != 0 ||
		    (is_listed(_i, i) &&
		    !dmt_ids_add(&ids, id_at(_i, i), i + 1));
	for (unsigned i = 0; i < MANY; i++)
		wrong += dmt_ids_find(&ids, id_at(_i, i)) !=
		    (is_listed(_i, i) ? i + 1 : 0);
	ck_assert_uint_eq(wrong, 0);
	dmt_ids_fini(&ids);
	dmtrace_key_free(key);
}
END_TEST

/* Those beside them, which the key does not have, come later. */
START_TEST(finds_what_the_key_did_not_have)
{
	struct dmtrace_key *key = key_of_run(_i);
	struct dmt_ids ids;
	unsigned wrong = 0;

	ck_assert(dmt_ids_init(&ids, key));
	for (unsigned i = 0; i < MANY; i++)
		if (is_listed(_i, i))
			ck_assert(dmt_ids_add(&ids, id_at(_i, i), i + 1));
	for (unsigned i = 0; i < MANY; i++)
		for (uint64_t beside = 1; beside < 4; beside++)
			wrong += dmt_ids_find(&ids, id_at(_i, i) + beside)
			    != 0 || !dmt_ids_add(&ids, id_at(_i, i) + beside,
			    (uint32_t)(MANY * beside + i));
	for (unsigned i = 0; i < MANY; i++)
		for (uint64_t beside = 1; beside < 4; beside++)
			wrong += dmt_ids_find(&ids, id_at(_i, i) + beside) !=
			    MANY * beside + i;
	wrong += dmt_ids_find(&ids, runs[_i].first - 8) != 0;
	wrong += dmt_ids_find(&ids, id_at(_i, MANY - 1) + 8) != 0;
	ck_assert_uint_eq(wrong, 0);
	dmt_ids_fini(&ids);
	dmtrace_key_free(key);
}
END_TEST

static const struct {
	const char *label;
	const char *rows;
	size_t row;
} keys[] = {
	{ "no method", "", 0 },
	{ "one method", "0x4\tA\n", 1 },
	{ "one method twice", "0x4\tA\n0x4\tB\n", 1 },
	{ "low bits set", "0x4\tA\n0x9\tB\n0xe\tC\n", 3 },
	{ "4 places each", "0x4\tA\n0x8\tB\n0x30\tC\n", 12 },
	{ "1 place more", "0x4\tA\n0x8\tB\n0x34\tC\n", 0 },
	{ "two far apart", "0x0\tA\n0x8000000000000000\tB\n", 2 },
};

START_TEST(makes_a_row_if_it_is_not_sparse)
{
	char text[256];
	const int len = snprintf(text, sizeof(text),
	    "*version\n1\nclock=wall\n*threads\n*methods\n%s*end\n",
	    keys[_i].rows);
	struct dmtrace_key *key = key_of(text, (size_t)len);
	struct dmt_ids ids;

	ck_assert(dmt_ids_init(&ids, key));
	ck_assert_uint_eq(ids.row_count, keys[_i].row);
	dmt_ids_fini(&ids);
	dmtrace_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("ids");
	TCase *tcase = unit_tcase(suite, "ids");

	ADD_CASES(tcase, finds_what_was_added, runs);
	ADD_CASES(tcase, finds_what_the_key_did_not_have, runs);
	ADD_CASES(tcase, makes_a_row_if_it_is_not_sparse, keys);
	return unit_main(suite);
}
