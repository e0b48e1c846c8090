/* test_invent.c - generated names of threads and methods */

#include <dmtrace.h>

#include <stdint.h>
#include <string.h>

#include "ops/invent.h"

#include "helpers/unit.h"

#define MANY 200000

/* All of a method's names in one string. */
static void
describe(char *out, size_t size, const struct dmtrace_method *method)
{
	snprintf(out, size, "%.*s %.*s %.*s %.*s",
	    (int)method->class_name.len, method->class_name.bytes,
	    (int)method->name.len, method->name.bytes,
	    (int)method->signature.len, method->signature.bytes,
	    (int)method->file.len, method->file.bytes);
}

static const struct {
	uint64_t id;
	int32_t line;
	const char *names;
} firsts[] = {
	{ 0x20008104, 33, "org/quillfen/layout/HeaderAdapter <init> "
	    "(Ljava/util/Map;Ljava/lang/String;Ljava/util/Map;IJ)V "
	    "HeaderAdapter.java" },
	{ 0x20008138, 47, "org/quillfen/layout/HeaderAdapter isRoute "
	    "()V HeaderAdapter.java" },
	{ 0x2000816c, 57, "org/quillfen/layout/HeaderAdapter createPacket "
	    "(BLjava/lang/String;Ljava/lang/Object;)V HeaderAdapter.java" },
};

START_TEST(a_seed_has_its_methods)
{
	struct dmt_invention invention;
	char names[256];

	dmt_invent_init(&invention, 1, false, false);
	for (size_t i = 0; i < ROWS(firsts); i++) {
		const struct dmtrace_method *const method =
		    dmt_invent_method(&invention);

		describe(names, sizeof(names), method);
		ck_assert_str_eq(names, firsts[i].names);
		ck_assert_uint_eq(method->id, firsts[i].id);
		ck_assert_int_eq(method->line, firsts[i].line);
	}
}
END_TEST

START_TEST(another_seed_has_others)
{
	struct dmt_invention invention;
	char names[256];

	dmt_invent_init(&invention, 2, false, false);
	describe(names, sizeof(names), dmt_invent_method(&invention));
	ck_assert_str_ne(names, firsts[0].names);
}
END_TEST

START_TEST(ids_rise_as_addresses_do)
{
	struct dmt_invention invention;
	uint64_t last = 0;

	dmt_invent_init(&invention, 3, false, false);
	for (int i = 0; i < MANY; i++) {
		const uint64_t id = dmt_invent_method(&invention)->id;

		ck_assert_uint_gt(id, last);
		ck_assert_uint_eq(id % 4, 0);
		last = id;
	}
	/* so that the most methods end below 2^31 */
	ck_assert_uint_lt((last - 0x20008000) / MANY,
	    (0x7ffffffc - 0x20008000) / DMT_INVENT_METHODS_MAX);
}
END_TEST

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the names, ends them, and looks for two that are the same. */
static void
check_unique(char **names, size_t count)
{
	qsort(names, count, sizeof(*names), compare);
	for (size_t i = 1; i < count; i++)
		ck_assert_str_ne(names[i - 1], names[i]);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

START_TEST(no_two_methods_have_the_same_class_and_name)
{
	char **const names = calloc(MANY, sizeof(*names));
	struct dmt_invention invention;
	char both[256];

	dmt_invent_init(&invention, 4, false, false);
	for (size_t i = 0; i < MANY; i++) {
		const struct dmtrace_method *const method =
		    dmt_invent_method(&invention);

		snprintf(both, sizeof(both), "%s.%s",
		    method->class_name.bytes, method->name.bytes);
		names[i] = strdup(both);
	}
	check_unique(names, MANY);
}
END_TEST

static const char *const threads[] = {
	"main", "Binder_1", "AsyncTask #1", "pool-1-thread-1", "Thread-1",
	"Loader-1", "RefQueueWorker@1", "HttpClient-1", "decoder 1",
	"Binder_2"
};

START_TEST(a_thread_has_its_name)
{
	char name[32];

	ck_assert_uint_eq(dmt_invent_thread(name, sizeof(name), (uint32_t)_i,
	    false),
	    strlen(threads[_i]));
	ck_assert_str_eq(name, threads[_i]);
}
END_TEST

START_TEST(no_two_threads_have_the_same_name)
{
	char **const names = calloc(UINT16_MAX, sizeof(*names));
	char name[32];

	for (uint32_t i = 0; i < UINT16_MAX; i++) {
		ck_assert_uint_lt(dmt_invent_thread(name, sizeof(name), i,
		    false), sizeof(name));
		names[i] = strdup(name);
	}
	check_unique(names, UINT16_MAX);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("invent");
	TCase *const tcase = unit_tcase(suite, "names");

	tcase_add_test(tcase, a_seed_has_its_methods);
	tcase_add_test(tcase, another_seed_has_others);
	tcase_add_test(tcase, ids_rise_as_addresses_do);
	tcase_add_test(tcase, no_two_methods_have_the_same_class_and_name);
	ADD_CASES(tcase, a_thread_has_its_name, threads);
	tcase_add_test(tcase, no_two_threads_have_the_same_name);
	return unit_main(suite);
}
