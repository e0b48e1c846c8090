/* test_recorder_keys.c - methods with a key of the program's own */

#include "helpers/recorded.h"

#include <pthread.h>

/* What the host knows of its keys; each is asked for once. */
static struct {
	unsigned asked;
	const char *suffix;
} host;

static int
name_key(void *context, uint64_t key, struct dmtrace_recorder_method *names)
{
	static char name[32];

	ck_assert_ptr_eq(context, &host);
	host.asked++;
	if (key % 2 != 0)
		return 0;
	snprintf(name, sizeof(name), "%c%s", (char)('a' + key % 97 % 26),
	    host.suffix);
	*names = (struct dmtrace_recorder_method){ "Host", name, "()I",
		"host.c", (int32_t)(key % 1000) };
	return 1;
}

static int
want_small(void *context, uint64_t key)
{
	ck_assert_ptr_eq(context, &host);
	return key < 1000000;
}

static struct dmtrace_recorder_options
host_options(void)
{
	struct dmtrace_recorder_options options = default_options();

	host.suffix = "";
	host.asked = 0;
	options.name = name_key;
	options.context = &host;
	return options;
}

static void
call(struct dmtrace_recorder *recorder, uint64_t key)
{
	dmtrace_recorder_enter_key(recorder, key);
	dmtrace_recorder_exit_key(recorder, key);
}

/* Compares the lines of the key from *methods to *end, without the ids, which
 * are not defined for methods with a key. */
static void
assert_methods(const char *path, const char *expected)
{
	struct dmtrace_reader *reader = opened(path);
	const struct dmtrace_key *key = dmtrace_reader_key(reader);
	char text[1024] = "";
	size_t at = 0;

	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_method *row =
		    dmtrace_key_method_get(key, i);
		at += (size_t)snprintf(text + at, sizeof(text) - at,
		    "%.*s.%.*s%.*s:%d ", (int)row->class_name.len,
		    row->class_name.bytes, (int)row->name.len,
		    row->name.bytes, (int)row->signature.len,
		    row->signature.bytes, (int)row->line);
	}
	ck_assert_str_eq(text, expected);
	dmtrace_reader_free(reader);
}

#define NONE "-2147483648"

START_TEST(asks_for_names_when_the_trace_is_written)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	call(recorder, 4096);
	call(recorder, 4098);
	call(recorder, 4096);
	ck_assert_uint_eq(host.asked, 0);
	ck_assert_uint_eq(stopped(recorder).events, 6);
	ck_assert_uint_eq(host.asked, 2);
	ck_assert_uint_eq(assert_sound("x.trace"), 6);

	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_OK);
	call(recorder, 4096);
	stopped(recorder);
	ck_assert_uint_eq(host.asked, 2);	/* it knows them by now */
	ck_assert_uint_eq(assert_sound("y.trace"), 2);
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(writes_the_names_from_the_host)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	call(recorder, 97 * 26 * 2 + 4);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_methods("x.trace", "Host.e()I:48 ");
}
END_TEST

START_TEST(names_an_unknown_key_by_its_number)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.key", &options);
	size_t len;

	call(recorder, UINT64_C(0xfedcba9876543211));
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	char *key = file_get("x.key", &len);
	key[len - 1] = '\0';
	ck_assert_ptr_nonnull(strstr(key,
	    "\tnative\t0xfedcba9876543211\t()V\n"));
	free(key);
}
END_TEST

START_TEST(escapes_the_names_from_the_host)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.key", &options);
	size_t len;

	host.suffix = "\t\n";
	call(recorder, 4);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	char *key = file_get("x.key", &len);
	key[len - 1] = '\0';
	ck_assert_ptr_nonnull(strstr(key, "\tHost\te\\t\\n\t()I\thost.c\t4\n"));
	free(key);
}
END_TEST

START_TEST(leaves_out_what_is_not_wanted)
{
	struct dmtrace_recorder_options options = host_options();

	options.want = want_small;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	dmtrace_recorder_enter_key(recorder, 4);
	for (uint64_t key = 1000000; key < 1000100; key++)
		call(recorder, key);
	call(recorder, 6);
	dmtrace_recorder_exit_key(recorder, 4);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.events, 4);
	ck_assert_uint_eq(result.dropped, 0);
	ck_assert_uint_eq(result.methods, 2);
	ck_assert_uint_eq(assert_sound("x.trace"), 4);
}
END_TEST

START_TEST(counts_what_is_no_key)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);

	call(recorder, 0);
	call(recorder, 1);
	call(recorder, 2);
	call(recorder, UINT64_MAX);
	struct dmtrace_recorder_result result;
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_RANGE);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.dropped, 4);
	ck_assert_uint_eq(result.refused, 4);
	ck_assert_uint_eq(result.mismatched, 0);
	ck_assert_uint_eq(assert_sound("x.trace"), 4);
}
END_TEST

START_TEST(counts_keys_beyond_the_limit)
{
	struct dmtrace_recorder_options options = host_options();

	options.max_keys = 4;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	for (uint64_t key = 2; key < 12; key++)
		call(recorder, key);
	const struct dmtrace_recorder_result result = stopped(recorder);
	ck_assert_uint_eq(result.events, 8);
	ck_assert_uint_eq(result.dropped, 12);
	ck_assert_uint_eq(result.methods, 4);
	options.max_keys = 5;
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_recorder_error(recorder)->message,
	    "max_keys"));
	dmtrace_recorder_free(recorder);
}
END_TEST

/* Code that was unloaded, and other code at its place. */
START_TEST(forgets_keys)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	host.suffix = "old";
	call(recorder, 4);
	call(recorder, 1004);
	dmtrace_recorder_forget_keys(recorder, 4, 100);
	ck_assert_uint_eq(host.asked, 2);
	host.suffix = "new";
	call(recorder, 4);
	call(recorder, 1004);
	stopped(recorder);
	ck_assert_uint_eq(host.asked, 3);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(assert_sound("x.trace"), 8);
	struct dmtrace_reader *reader = opened("x.trace");
	struct dmtrace_event events[8];
	size_t count;
	ck_assert_int_eq(dmtrace_reader_read(reader, events, 8, &count),
	    DMTRACE_OK);
	ck_assert_uint_eq(count, 8);
	ck_assert_uint_ne(events[0].method, events[4].method);
	ck_assert_uint_eq(events[2].method, events[6].method);
	ck_assert_mem_eq(dmtrace_key_method_find(dmtrace_reader_key(reader),
	    events[0].method)->name.bytes, "eold", 4);
	ck_assert_mem_eq(dmtrace_key_method_find(dmtrace_reader_key(reader),
	    events[4].method)->name.bytes, "enew", 4);
	dmtrace_reader_free(reader);
}
END_TEST

#define KEYS 2000

static void *
call_all(void *recorder)
{
	for (uint64_t key = 2; key < 2 + KEYS; key++)
		call(recorder, key * 64);
	return NULL;
}

/* Several find the same new key at once. */
START_TEST(makes_one_method_of_a_key)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	pthread_t threads[4];

	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, call_all,
		    recorder), 0);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.methods, KEYS);
	ck_assert_uint_eq(result.dropped, 0);
	ck_assert_uint_eq(host.asked, KEYS);
	ck_assert_uint_eq(assert_sound("x.trace"), ROWS(threads) * KEYS * 2);
}
END_TEST

START_TEST(records_keys_and_names_together)
{
	const struct dmtrace_recorder_options options = host_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	dmtrace_recorder_enter(recorder, method_of(recorder, 'x'));
	dmtrace_recorder_enter_key(recorder, 4);
	dmtrace_recorder_unroll_key(recorder, 4);
	dmtrace_recorder_exit(recorder, method_of(recorder, 'x'));
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_methods("x.trace", "T.x()V:" NONE " Host.e()I:4 ");
	ck_assert_uint_eq(assert_sound("x.trace"), 4);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_keys");
	TCase *tcase = unit_tcase(suite, "recorder_keys");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, asks_for_names_when_the_trace_is_written);
	tcase_add_test(tcase, writes_the_names_from_the_host);
	tcase_add_test(tcase, names_an_unknown_key_by_its_number);
	tcase_add_test(tcase, escapes_the_names_from_the_host);
	tcase_add_test(tcase, leaves_out_what_is_not_wanted);
	tcase_add_test(tcase, counts_what_is_no_key);
	tcase_add_test(tcase, counts_keys_beyond_the_limit);
	tcase_add_test(tcase, forgets_keys);
	tcase_add_test(tcase, makes_one_method_of_a_key);
	tcase_add_test(tcase, records_keys_and_names_together);
	return unit_main(suite);
}
