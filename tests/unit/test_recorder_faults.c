/* test_recorder_faults.c - recorders whose n-th call of the system fails */

#include "helpers/recorded.h"

#include <pthread.h>
#include <sys/stat.h>

#include "helpers/failing.h"

#define MS UINT64_C(1000000)	/* in ns */
#define INNER_CALLS 500
#define KEYS 3
#define FILES_MAX 8
#define UNKNOWN (UINT64_MAX / 2)	/* may be added to */

static const struct {
	const char *path;
	unsigned version;
	enum dmtrace_clock clock;
	enum dmtrace_recorder_full full;
	bool journal, streaming;
	uint64_t max_time_us;	/* of a file; 0: one file */
	size_t buffer;		/* with 65536 there is a room for the key */
	size_t memory;		/* 0: as much as is needed */
} kinds[] = {
	{ "x.trace", 1, DMTRACE_CLOCK_WALL, DMTRACE_FULL_FLUSH, 0, 0, 0,
	    4096, 0 },
	{ "x.key", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_FLUSH, 0, 0, 0,
	    4096, 0 },
	{ "x.trace", 3, DMTRACE_CLOCK_DUAL, DMTRACE_FULL_FLUSH, 1, 0, 0,
	    4096, 0 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_FLUSH, 1, 0, 2000,
	    4096, 0 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_FLUSH, 0, 1, 0,
	    4096, 0 },
	{ "x.trace", 3, DMTRACE_CLOCK_DUAL, DMTRACE_FULL_FLUSH, 0, 1, 2000,
	    4096, 0 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_FLUSH, 0, 0, 0,
	    65536, 0 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_STOP, 0, 0, 0,
	    4096, 0 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_STOP, 0, 0, 0,
	    4096, 8192 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_RING, 0, 0, 2000,
	    4096, 0 },
	{ "x.trace", 2, DMTRACE_CLOCK_WALL, DMTRACE_FULL_RING, 0, 0, 0,
	    4096, 8192 },
};

static int
name_key(void *context, uint64_t key, struct dmtrace_recorder_method *names)
{
	(void)context;
	*names = (struct dmtrace_recorder_method){
		.name = key % 2 == 0 ? "even" : "odd"
	};
	return 1;
}

/* Tries again where there was no memory. */
static uint32_t
intern(struct dmtrace_recorder *recorder, const char *name)
{
	const struct dmtrace_recorder_method names = { "T", name, 0, 0, 0 };
	uint32_t method = 0;

	if (dmtrace_recorder_intern(recorder, &names, &method) ==
	    DMTRACE_ERR_MEMORY)
		dmtrace_recorder_intern(recorder, &names, &method);
	return method;
}

/* It ends in two calls. */
static void *
fill_buffers(void *given)
{
	struct dmtrace_recorder *const recorder = given;
	const uint32_t outer = intern(recorder, "outer");
	const uint32_t inner = intern(recorder, "inner");

	dmtrace_recorder_name_thread(recorder, "short-lived");
	dmtrace_recorder_enter_at(recorder, outer, 1);
	for (int i = 0; i < INNER_CALLS; i++) {
		dmtrace_recorder_enter_at(recorder, inner, 2);
		dmtrace_recorder_exit_at(recorder, inner, 3);
	}
	dmtrace_recorder_enter_at(recorder, inner, 4);
	return NULL;
}

/* If files end after 2 ms, its call is in several files: only times of our own
 * make another one. */
static void *
go_on(void *given)
{
	static const uint64_t times[] = { MS, 3 * MS, 4 * MS, 6 * MS, 7 * MS };
	struct dmtrace_recorder *const recorder = given;

	dmtrace_recorder_enter_at(recorder, intern(recorder, "outer"), 0);
	for (size_t i = 0; i < ROWS(times); i++) {
		const char name[] = { (char)('a' + i), '\0' };
		const uint32_t method = intern(recorder, name);

		dmtrace_recorder_enter_at(recorder, method, times[i]);
		dmtrace_recorder_exit_at(recorder, method, times[i]);
	}
	dmtrace_recorder_name_thread(recorder, "long-lived");
	return NULL;
}

/* In two threads, and then in this one. */
static void
record(struct dmtrace_recorder *recorder, bool with_keys)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fill_buffers, recorder) == 0)
		pthread_join(thread, NULL);
	if (pthread_create(&thread, NULL, go_on, recorder) == 0)
		pthread_join(thread, NULL);
	for (uint64_t key = 4096; with_keys && key < 4096 + KEYS; key++) {
		dmtrace_recorder_enter_key(recorder, key);
		dmtrace_recorder_exit_key(recorder, key);
	}
}

/* How many records a repair finds where no trace was completed. */
static uint64_t
repaired_records(const char *path)
{
	static const struct dmtrace_file out = { .path = "repaired" };
	const struct dmtrace_file in = { .path = path };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_repair_result result;

	ck_assert_msg(dmtrace_repair(op, &in, &out, NULL, &result) ==
	    DMTRACE_OK, "%s: %s", path, dmtrace_op_error(op)->message);
	unlink(out.path);
	dmtrace_op_free(op);
	return result.records_out - result.opened - result.closed;
}

/* Calls may be open at its end, where records made way for the key or there was
 * no memory for an exit. */
static uint64_t
valid_records(const char *path)
{
	const struct dmtrace_file in = { .path = path };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity;

	ck_assert_msg(dmtrace_validate(op, &in, &validity) == DMTRACE_OK &&
	    validity.findings[DMTRACE_ERROR] == 0, "%s: %s", path,
	    dmtrace_op_error(op)->message);
	dmtrace_op_free(op);
	return validity.records;
}

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The value of the option dmtrace-opened: of the first records, those of calls
 * that were open when the file, or what is left of it, began. */
static uint64_t
opened_calls(const char *path)
{
	struct dmtrace_reader *const reader = opened(path);
	const struct dmtrace_option *const option = dmtrace_key_option_find(
	    dmtrace_reader_key(reader), "dmtrace-opened");
	const uint64_t count = option == NULL ? 0 :
	    strtoull(option->value.bytes, NULL, 10);

	dmtrace_reader_free(reader);
	return count;
}

/* How many records the files of a recording have, which are removed; there are
 * no others. Sets *opened to how many of them are of calls that were open, or
 * to UNKNOWN if a file has no key that says so. */
static uint64_t
take_records(int kind, bool whole, uint64_t *opened)
{
	const bool pair = strcmp(kinds[kind].path, "x.key") == 0;
	uint64_t count = 0;

	*opened = 0;

	for (unsigned number = 1; number <= FILES_MAX; number++) {
		char stem[16], trace[32], key[40], data[40];

		snprintf(stem, sizeof(stem), number == 1 ? "x" : "x-%04u",
		    number);
		snprintf(trace, sizeof(trace), "%s.%s", stem,
		    pair ? "key" : "trace");
		snprintf(key, sizeof(key), "%s.key", pair ? stem : trace);
		snprintf(data, sizeof(data), "%s.data", pair ? stem : trace);
		const bool has_key = exists(trace) ? !kinds[kind].streaming :
		    exists(key) && !kinds[kind].journal;
		const char *const path = exists(trace) ? trace : key;
		const bool is_there = exists(trace) || exists(data);
		if (is_there)
			count += !whole && !has_key ? repaired_records(trace) :
			    whole ? assert_calls(path) : valid_records(path);
		if (is_there && !whole && !has_key)
			*opened = UNKNOWN;
		else if (is_there)
			*opened += opened_calls(path);
		unlink(trace);
		unlink(key);
		unlink(data);
	}
	ck_assert_uint_eq(file_count("."), 0);
	return count;
}

/* Every call is in a file or counted as dropped, besides those that were open
 * and are entered again. Then the recorder records as if nothing had been.
 * Returns whether a call of the system failed. */
static bool
survives(int kind, enum fault fault, unsigned nth)
{
	const bool with_keys = kinds[kind].max_time_us == 0;
	const unsigned calls = 2 + 2 * INNER_CALLS + 11 +
	    (with_keys ? 2 * KEYS : 0);
	struct dmtrace_recorder *const recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result = { 0 };
	uint64_t opened;

	options.version = kinds[kind].version;
	options.clock = kinds[kind].clock;
	options.full = kinds[kind].full;
	options.journal = kinds[kind].journal;
	options.streaming = kinds[kind].streaming;
	options.max_time_us = kinds[kind].max_time_us;
	options.buffer_size = kinds[kind].buffer;
	options.memory_limit = kinds[kind].memory;
	options.name = name_key;
	fault_arm(fault, nth);
	const enum dmtrace_status started = dmtrace_recorder_start(recorder,
	    kinds[kind].path, &options);
	record(recorder, with_keys);
	const enum dmtrace_status status =
	    dmtrace_recorder_stop(recorder, &result);
	const bool failed = fault_disarm();

	ck_assert(failed || status == DMTRACE_OK);
	if (started != DMTRACE_OK) {
		ck_assert_int_eq(status, DMTRACE_ERR_STATE);
		ck_assert_uint_eq(file_count("."), 0);
	} else {
		ck_assert_msg(status == DMTRACE_OK || status ==
		    fault_status(fault), "%u: %s", nth,
		    dmtrace_recorder_error(recorder)->message);
		ck_assert(status != DMTRACE_OK || result.dropped == 0 ||
		    fault == FAULT_MAP || kinds[kind].memory > 0);
		ck_assert_uint_eq(take_records(kind, status == DMTRACE_OK &&
		    fault != FAULT_MAP, &opened), result.events);
		const uint64_t all = result.events - result.closed +
		    result.dropped;
		ck_assert_uint_ge(all, calls);
		if (opened < UNKNOWN)
			ck_assert_uint_eq(all, calls + opened);
	}
	ck_assert_int_eq(dmtrace_recorder_start(recorder, kinds[kind].path,
	    NULL), DMTRACE_OK);
	record(recorder, with_keys);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result), DMTRACE_OK);
	ck_assert_uint_eq(take_records(kind, true, &opened), result.events);
	ck_assert_uint_eq(result.events - result.closed + result.dropped,
	    calls + opened);
	dmtrace_recorder_free(recorder);
	return failed;
}

START_TEST(survives_each_failing_call)
{
	static const enum fault faults[] = {
		FAULT_MAP, FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_CLOSE,
		FAULT_NAME
	};

	for (size_t i = 0; i < ROWS(faults); i++) {
		unsigned nth = 1;

		while (survives(_i, faults[i], nth))
			nth++;
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_faults");
	TCase *tcase = unit_tcase(suite, "recorder_faults");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 240);
	ADD_CASES(tcase, survives_each_failing_call, kinds);
	return unit_main(suite);
}
