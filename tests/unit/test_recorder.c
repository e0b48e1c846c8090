/* test_recorder.c - options, methods and states of a recorder, and its files */

#include "helpers/recorded.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

static const struct {
	const char *label;
	const char *path;
	const char *file;	/* to open it by */
	unsigned version;
	enum dmtrace_clock clock;
	const char *clock_word;
	const char *header;	/* 18 bytes; the start time does not count */
	size_t record_size;
	const char *records;
} forms[] = {
	{ "version 1, joined", "x.trace", "x.trace", 1, DMTRACE_CLOCK_WALL,
	    "wall", "SLOW\1\0\40\0........\0\0", 9,
	    "\1\4\0\0\0\0\0\0\0" "\1\10\0\0\0\12\0\0\0"
	    "\1\12\0\0\0\24\0\0\0" "\1\5\0\0\0\36\0\0\0" },
	{ "version 1 of thread CPU time", "x.trace", "x.trace", 1,
	    DMTRACE_CLOCK_THREAD_CPU, "thread-cpu",
	    "SLOW\1\0\40\0........\0\0", 9,
	    "\1\4\0\0\0\0\0\0\0" "\1\10\0\0\0\12\0\0\0"
	    "\1\12\0\0\0\24\0\0\0" "\1\5\0\0\0\36\0\0\0" },
	{ "version 2, the default", "x", "x", 0, DMTRACE_CLOCK_WALL, "wall",
	    "SLOW\2\0\40\0........\0\0", 10,
	    "\1\0\4\0\0\0\0\0\0\0" "\1\0\10\0\0\0\12\0\0\0"
	    "\1\0\12\0\0\0\24\0\0\0" "\1\0\5\0\0\0\36\0\0\0" },
	{ "version 2, a pair", "x.key", "x.key", 2, DMTRACE_CLOCK_WALL,
	    "wall", "SLOW\2\0\40\0........\0\0", 10,
	    "\1\0\4\0\0\0\0\0\0\0" "\1\0\10\0\0\0\12\0\0\0"
	    "\1\0\12\0\0\0\24\0\0\0" "\1\0\5\0\0\0\36\0\0\0" },
	{ "version 2 of thread CPU time", "x.data", "x.data", 2,
	    DMTRACE_CLOCK_THREAD_CPU, "thread-cpu",
	    "SLOW\2\0\40\0........\0\0", 10,
	    "\1\0\4\0\0\0\0\0\0\0" "\1\0\10\0\0\0\12\0\0\0"
	    "\1\0\12\0\0\0\24\0\0\0" "\1\0\5\0\0\0\36\0\0\0" },
	{ "version 3 of one clock", "x.trace", "x.trace", 3,
	    DMTRACE_CLOCK_WALL, "wall", "SLOW\3\0\40\0........\12\0", 10,
	    "\1\0\4\0\0\0\0\0\0\0" "\1\0\10\0\0\0\12\0\0\0"
	    "\1\0\12\0\0\0\24\0\0\0" "\1\0\5\0\0\0\36\0\0\0" },
	{ "dual, which is version 3", "x.key", "x.key", 0,
	    DMTRACE_CLOCK_DUAL, "dual", "SLOW\3\0\40\0........\16\0", 14,
	    "\1\0\4\0\0\0\0\0\0\0\0\0\0\0" "\1\0\10\0\0\0\12\0\0\0\12\0\0\0"
	    "\1\0\12\0\0\0\24\0\0\0\24\0\0\0"
	    "\1\0\5\0\0\0\36\0\0\0\36\0\0\0" },
};

static void
assert_data(const uint8_t *data, size_t len, int row)
{
	static const uint8_t zeros[14];

	ck_assert_uint_eq(len, 32 + 4 * forms[row].record_size);
	ck_assert_mem_eq(data, forms[row].header, 8);
	ck_assert_mem_eq(data + 16, forms[row].header + 16, 2);
	ck_assert_mem_eq(data + 18, zeros, sizeof(zeros));
	ck_assert_mem_eq(data + 32, forms[row].records,
	    4 * forms[row].record_size);
}

static const char *
find_end(const char *bytes, size_t len)
{
	for (size_t i = 0; i + 6 <= len; i++)
		if (memcmp(bytes + i, "\n*end\n", 6) == 0)
			return bytes + i + 6;
	ck_abort_msg("there is no *end");
	return NULL;
}

/* The numbers that are not known before stand as N. */
static void
assert_key(char *bytes, size_t len, int row)
{
	unsigned long elapsed, overhead, pid;
	unsigned version;
	char clock[16], expected[1024];

	bytes[len - 1] = '\0';
	ck_assert_int_eq(sscanf(bytes, "*version\n%u\n"
	    "data-file-overflow=false\nclock=%15s\nelapsed-time-usec=%lu\n"
	    "num-method-calls=4\nclock-call-overhead-nsec=%lu\nvm=art\n"
	    "pid=%lu\n", &version, clock, &elapsed, &overhead, &pid), 5);
	ck_assert_uint_eq(version, forms[row].version != 0 ?
	    forms[row].version : forms[row].record_size == 14 ? 3 : 2);
	ck_assert_str_eq(clock, forms[row].clock_word);
	ck_assert_uint_eq(pid, (unsigned long)getpid());
	snprintf(expected, sizeof(expected), "pid=%lu\n"
	    "*threads\n1\tplayer\n*methods\n0x4\tT\ta\t()V\n"
	    "0x8\tT\tb\t()V\n*end", pid);
	ck_assert_str_eq(strstr(bytes, "pid="), expected);
}

START_TEST(writes_each_form)
{
	struct dmtrace_recorder_options options = default_options();
	size_t len, data_len;

	options.version = forms[_i].version;
	options.clock = forms[_i].clock;
	struct dmtrace_recorder *recorder = started(forms[_i].path, &options);
	dmtrace_recorder_name_thread(recorder, "player");
	play(recorder, "+a+b!b-a");
	const struct dmtrace_recorder_result result = stopped(recorder);
	ck_assert_uint_eq(result.events, 4);
	ck_assert_uint_eq(result.threads, 1);
	ck_assert_uint_eq(result.methods, 2);
	ck_assert_uint_eq(result.files, 1);
	ck_assert_uint_eq(result.dropped + result.closed, 0);
	dmtrace_recorder_free(recorder);

	const bool pair = file_count(".") == 2;
	ck_assert(pair == (strchr(forms[_i].path, '.') != NULL &&
	    strstr(forms[_i].path, ".trace") == NULL));
	char *bytes = file_get(pair ? "x.key" : forms[_i].path, &len);
	const size_t key_len = (size_t)(find_end(bytes, len) - bytes);
	char *data = pair ? file_get("x.data", &data_len) : bytes + key_len;
	assert_data((uint8_t *)data, pair ? data_len : len - key_len, _i);
	assert_key(bytes, key_len, _i);
	if (pair)
		free(data);
	free(bytes);
	assert_events(forms[_i].file, "1+a0 1+b10 1!b20 1-a30");
}
END_TEST

/* A script, what becomes of it, and what is counted. */
static const struct {
	const char *script;
	enum dmtrace_recorder_mismatch policy;
	enum dmtrace_status status;
	const char *events;
	unsigned mismatched, dropped, closed;
} mismatches[] = {
	{ "+a+b-b-a", DMTRACE_MISMATCH_REPAIR, DMTRACE_OK,
	    "1+a0 1+b10 1-b20 1-a30", 0, 0, 0 },
	{ "+a+b+c-a", DMTRACE_MISMATCH_REPAIR, DMTRACE_OK,
	    "1+a0 1+b10 1+c20 1-c30 1-b30 1-a30", 1, 0, 0 },
	{ "+a+b!a-b", DMTRACE_MISMATCH_REPAIR, DMTRACE_OK,
	    "1+a0 1+b10 1!b20 1!a20", 2, 1, 0 },
	{ "-a", DMTRACE_MISMATCH_REPAIR, DMTRACE_OK, "", 1, 1, 0 },
	{ "+a+b-a-b-a", DMTRACE_MISMATCH_ERROR, DMTRACE_ERR_CORRUPT,
	    "1+a0 1+b10 1-b30 1-a40", 1, 1, 0 },
	{ "+a-a", DMTRACE_MISMATCH_ERROR, DMTRACE_OK, "1+a0 1-a10", 0, 0, 0 },
	{ "-b+a+b-a-c", DMTRACE_MISMATCH_AS_IS, DMTRACE_OK,
	    "1-b0 1+a10 1+b20 1-a30 1-c40", 3, 0, 0 },
	{ "+a+b+c-b", DMTRACE_MISMATCH_AS_IS, DMTRACE_OK,
	    "1+a0 1+b10 1+c20 1-b30 1-a30", 1, 0, 1 },
	{ "+a+a+b", DMTRACE_MISMATCH_REPAIR, DMTRACE_OK,
	    "1+a0 1+a10 1+b20 1-b20 1-a20 1-a20", 0, 0, 3 },
};

static void
assert_count(const char *name, unsigned count)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%u", count);
	assert_option("x.trace", name, count == 0 ? NULL : digits);
}

START_TEST(treats_exits_that_do_not_match)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result;

	options.mismatch = mismatches[_i].policy;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, mismatches[_i].script);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    mismatches[_i].status);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", mismatches[_i].events);
	ck_assert_uint_eq(result.mismatched, mismatches[_i].mismatched);
	ck_assert_uint_eq(result.dropped, mismatches[_i].dropped);
	ck_assert_uint_eq(result.closed, mismatches[_i].closed);
	assert_count("dmtrace-mismatched", mismatches[_i].mismatched);
	assert_count("dmtrace-dropped", mismatches[_i].dropped);
	assert_count("dmtrace-closed", mismatches[_i].closed);
}
END_TEST

static const struct {
	const char *stack;	/* letters, the outermost first */
	uint64_t us;
} samples[] = {
	{ "ab", 10 }, { "ab", 20 }, { "acd", 30 }, { "a", 40 }, { "b", 50 },
	{ "", 60 },
};

START_TEST(turns_stacks_into_calls)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);

	for (size_t i = 0; i < ROWS(samples); i++) {
		uint32_t stack[8];
		const size_t depth = strlen(samples[i].stack);
		for (size_t j = 0; j < depth; j++)
			stack[j] = method_of(recorder, samples[i].stack[j]);
		dmtrace_recorder_sample(recorder, stack, depth,
		    samples[i].us * 1000);
	}
	ck_assert_uint_eq(stopped(recorder).dropped, 0);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1+a10 1+b10 1-b30 1+c30 1+d30 "
	    "1-d40 1-c40 1-a50 1+b50 1-b60");
}
END_TEST

START_TEST(counts_frames_that_are_too_deep)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_depth = 2;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "+a+b+c+a-a-c-b-a");
	ck_assert_uint_eq(stopped(recorder).dropped, 4);
	assert_events("x.trace", "1+a0 1+b10 1-b60 1-a70");

	options.max_depth = 3;		/* of the same thread */
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_OK);
	play(recorder, "+a+b+c+a-a-c-b-a");
	const struct dmtrace_recorder_result result = stopped(recorder);
	ck_assert_uint_eq(result.dropped, 2);
	ck_assert_uint_eq(result.mismatched, 0);
	dmtrace_recorder_free(recorder);
	assert_events("y.trace", "1+a0 1+b10 1+c20 1-c50 1-b60 1-a70");
}
END_TEST

/* A call that is too deep has no frame for the stack to leave. */
START_TEST(samples_a_stack_after_a_call_that_is_too_deep)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_depth = 2;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	const uint32_t stack[] = { method_of(recorder, 'a') };
	play(recorder, "+a+b+c");
	dmtrace_recorder_sample(recorder, stack, 1, 30000);
	dmtrace_recorder_sample(recorder, stack, 0, 40000);
	ck_assert_uint_eq(stopped(recorder).dropped, 1);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1+a0 1+b10 1-b30 1-a40");
}
END_TEST

START_TEST(gives_one_handle_for_equal_names)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	const struct dmtrace_recorder_method names[] = {
		{ "A", "m", "()V", "A.java", 7 },
		{ "A", "m", "()V", "A.java", 8 },
		{ "A", "m", "()V", "B.java", 7 },
		{ "A", "m", "()V", NULL, 7 },
		{ "A", "m", "()I", "A.java", 7 },
		{ "A", "n", "()V", "A.java", 7 },
		{ "B", "m", "()V", "A.java", 7 },
		{ "Am", "", "()V", NULL, 0 },
	};
	uint32_t handles[ROWS(names)], again;

	for (size_t i = 0; i + 1 < ROWS(names); i++) {
		ck_assert_int_eq(dmtrace_recorder_intern(recorder, &names[i],
		    &handles[i]), DMTRACE_OK);
		ck_assert_uint_eq(handles[i], 4 * (i + 1));
	}
	for (size_t i = 0; i + 1 < ROWS(names); i++) {
		ck_assert_int_eq(dmtrace_recorder_intern(recorder, &names[i],
		    &again), DMTRACE_OK);
		ck_assert_uint_eq(again, handles[i]);
	}
	ck_assert_int_eq(dmtrace_recorder_intern(recorder,
	    &names[ROWS(names) - 1], &again), DMTRACE_ERR_RANGE);
	dmtrace_recorder_free(recorder);
}
END_TEST

static void
record_one(struct dmtrace_recorder *recorder, uint32_t method)
{
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.key", NULL),
	    DMTRACE_OK);
	dmtrace_recorder_enter_at(recorder, method, 0);
	dmtrace_recorder_exit_at(recorder, method, 0);
	stopped(recorder);
}

/* As in a row of dmtrace_key_method_add. */
START_TEST(a_method_may_have_a_file_but_no_line)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	const struct dmtrace_recorder_method names =
		{ "A", "m", "()V", "A.java", DMTRACE_NO_LINE };
	uint32_t method;
	size_t len;

	ck_assert_int_eq(dmtrace_recorder_intern(recorder, &names, &method),
	    DMTRACE_OK);
	record_one(recorder, method);
	dmtrace_recorder_free(recorder);
	char *key = file_get("x.key", &len);
	key[len - 1] = '\0';
	ck_assert_ptr_nonnull(strstr(key, "0x4\tA\tm\t()V\tA.java\n"));
	free(key);
}
END_TEST

static const struct {
	struct dmtrace_recorder_method names;
	const char *line;	/* of the key, if escape is set */
} unfit[] = {
	{ { "a\tb", "m", "()V", NULL, 0 }, "0x4\ta\\tb\tm\t()V\n" },
	{ { "A", "m\n", "()V", NULL, 0 }, "0x4\tA\tm\\n\t()V\n" },
	{ { "A", "m", "(\r)V", NULL, 0 }, "0x4\tA\tm\t(\\r)V\n" },
	{ { "A", "m\\", "()V", "x\ty", 3 },
	    "0x4\tA\tm\\\t()V\tx\\ty\t3\n" },
	{ { "A", "m", "12", NULL, 0 }, "0x4\tA\tm\t\\x312\n" },
	{ { "A", "m", "-7", "", 0 }, "0x4\tA\tm\t\\x2d7\n" },
};

START_TEST(escapes_a_name_only_if_asked_to)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_options options = default_options();
	uint32_t method = 77;
	size_t len;

	ck_assert_int_eq(dmtrace_recorder_intern(recorder, &unfit[_i].names,
	    &method), DMTRACE_ERR_RANGE);
	ck_assert_uint_eq(method, 77);
	options.escape = 1;
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_intern(recorder, &unfit[_i].names,
	    &method), DMTRACE_OK);
	record_one(recorder, method);
	dmtrace_recorder_free(recorder);
	char *key = file_get("x.key", &len);
	key[len - 1] = '\0';
	ck_assert_ptr_nonnull(strstr(key, unfit[_i].line));
	free(key);
}
END_TEST

#define WITH(field, value) { #field, \
	offsetof(struct dmtrace_recorder_options, field), \
	sizeof(((struct dmtrace_recorder_options *)0)->field), value }

static const struct {
	const char *label;
	size_t offset;
	size_t width;
	uint64_t value;
} out_of_range[] = {
	WITH(version, 4), WITH(version, 99),
	WITH(clock, 77), WITH(full, 3), WITH(mismatch, 3),
	WITH(buffer_size, 4095), WITH(buffer_size, SIZE_MAX),
	WITH(memory_limit, 200000), WITH(max_keys, UINT32_MAX),
	WITH(max_depth, UINT32_MAX),
	WITH(max_time_us, UINT64_C(1) << 32),
};

static void
set_field(struct dmtrace_recorder_options *options, int row)
{
	const uint64_t wide = out_of_range[row].value;
	const uint32_t narrow = (uint32_t)wide;
	char *field = (char *)options + out_of_range[row].offset;

	if (out_of_range[row].width == sizeof(wide))
		memcpy(field, &wide, sizeof(wide));
	else
		memcpy(field, &narrow, sizeof(narrow));
}

START_TEST(refuses_options_out_of_range)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_options options = default_options();

	set_field(&options, _i);
	ck_assert_msg(dmtrace_recorder_start(recorder, "x.trace", &options) ==
	    DMTRACE_ERR_RANGE, "%s", out_of_range[_i].label);
	const char *const message = dmtrace_recorder_error(recorder)->message;
	const char *const named = "dmtrace_recorder_start: ";
	ck_assert_int_eq(strncmp(message, named, strlen(named)), 0);
	ck_assert_msg(strstr(message, out_of_range[_i].label) != NULL,
	    "%s: %s", out_of_range[_i].label, message);
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(forgets_the_failure_of_an_earlier_call)
{
	static const struct dmtrace_recorder_method nameless = {
		.class_name = "T"
	};
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	uint32_t method;

	ck_assert_int_eq(dmtrace_recorder_intern(recorder, &nameless, &method),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_recorder_error(recorder)->status,
	    DMTRACE_ERR_RANGE);
	method_of(recorder, 'a');
	ck_assert_int_eq(dmtrace_recorder_error(recorder)->status,
	    DMTRACE_OK);
	dmtrace_recorder_free(recorder);
}
END_TEST

static const char *const bad_vms[] = { "", "a=b", "a\nb", "a\tb", "a\rb",
	"0123456789012345678901234567890123456789" };

START_TEST(refuses_a_vm_that_does_not_fit_a_line)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_options options = default_options();

	options.vm = bad_vms[_i];
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_recorder_error(recorder)->message,
	    "vm "));
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(refuses_dual_times_in_versions_with_one)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_options options = default_options();

	options.clock = DMTRACE_CLOCK_DUAL;
	for (options.version = 1; options.version <= 2; options.version++)
		ck_assert_int_eq(dmt_recorder_set_options(recorder,
		    &options), DMTRACE_ERR_RANGE);
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(knows_what_state_it_is_in)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result = { .events = 77 };

	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_STATE);
	ck_assert_uint_eq(result.events, 77);
	play(recorder, "+a");			/* to nowhere */
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.trace", NULL),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_ERR_STATE);
	play(recorder, "+b-b");
	ck_assert_uint_eq(stopped(recorder).events, 2);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, NULL),
	    DMTRACE_ERR_STATE);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1+b0 1-b10");
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(has_a_default_recorder)
{
	struct dmtrace_recorder_options options = default_options();
	const uint32_t method = dmtrace_intern("T", "a");

	ck_assert_uint_ne(method, 0);
	ck_assert(!dmtrace_is_recording());
	options.version = 1;
	ck_assert_int_eq(dmtrace_start("x.trace", &options), DMTRACE_OK);
	ck_assert(dmtrace_is_recording());
	dmtrace_enter(method);
	dmtrace_recorder_enter(NULL, method);
	dmtrace_exit(method);
	dmtrace_unroll(method);
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	ck_assert(!dmtrace_is_recording());
	dmtrace_enter(method);

	ck_assert_int_eq(dmtrace_start("y.trace", NULL), DMTRACE_OK);
	dmtrace_recorder_enter_at(NULL, method, 1000);
	dmtrace_recorder_free(NULL);		/* cannot be freed */
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_events("y.trace", "1+a1 1-a1");

	struct dmtrace_recorder_result result;
	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	dmtrace_enter(method);
	ck_assert_int_eq(dmtrace_stop(&result), DMTRACE_OK);
	ck_assert_uint_eq(result.events, 2);
}
END_TEST

START_TEST(keeps_recorders_apart)
{
	struct dmtrace_recorder *x = started("x.trace", NULL);
	struct dmtrace_recorder *y = started("y.trace", NULL);

	method_of(y, 'z');
	play(x, "+a");
	play(y, "+b+c");
	play(x, "-a");
	play_from(y, "-c-b", 20000);
	stopped(x);
	dmtrace_recorder_free(x);
	play_from(y, "+a-a", 40000);
	stopped(y);
	dmtrace_recorder_free(y);
	assert_events("x.trace", "1+a0 1-a0");
	assert_events("y.trace", "1+b0 1+c10 1-c20 1-b30 1+a40 1-a50");
}
END_TEST

static const struct {
	const char *label;
	const char *path, *second;
	bool streaming;
} same_files[] = {
	{ "one path", "x.trace", "x.trace", false },
	{ "two spellings", "x.trace", "./f/../x.trace", false },
	{ "a link to a folder", "f/x.trace", "g/x.trace", false },
	{ "a link to the file", "x.trace", "link.trace", false },
	{ "the halves of a pair", "x.key", "x.data", false },
	{ "a pair, and the temporary pair of a joined file", "x.key", "x",
	    false },
	{ "streams", "x.trace", "x.trace", true },
	{ "a stream and a link to it", "x.trace", "link.trace", true },
};

START_TEST(refuses_a_file_that_another_recorder_has)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder *const second = dmtrace_recorder_new();

	mkdir("f", 0777);
	ck_assert_int_eq(symlink("f", "g"), 0);
	ck_assert_int_eq(symlink("x.trace", "link.trace"), 0);
	options.streaming = same_files[_i].streaming;
	struct dmtrace_recorder *const first =
	    started(same_files[_i].path, &options);
	ck_assert_int_eq(dmtrace_recorder_start(second, same_files[_i].second,
	    &options), DMTRACE_ERR_STATE);
	ck_assert_ptr_nonnull(strstr(dmtrace_recorder_error(second)->message,
	    same_files[_i].second));
	ck_assert_ptr_nonnull(strstr(dmtrace_recorder_error(second)->message,
	    "another recorder of this process is recording to it"));
	ck_assert_int_eq(dmtrace_recorder_stop(second, NULL),
	    DMTRACE_ERR_STATE);
	play(first, "+a-a");
	stopped(first);
	assert_events(same_files[_i].path, "1+a0 1-a10");
	dmtrace_recorder_free(first);

	/* The file is free again. */
	ck_assert_int_eq(dmtrace_recorder_start(second, same_files[_i].second,
	    &options), DMTRACE_OK);
	stopped(second);
	dmtrace_recorder_free(second);
}
END_TEST

START_TEST(shares_a_device)
{
	struct dmtrace_recorder_options options = default_options();

	options.streaming = 1;
	struct dmtrace_recorder *const x = started("/dev/null", &options);
	struct dmtrace_recorder *const y = started("/dev/null", &options);
	stopped(x);
	stopped(y);
	dmtrace_recorder_free(x);
	dmtrace_recorder_free(y);
}
END_TEST

/* Not even what a joined file is made of. */
START_TEST(keeps_nothing_for_the_null_device)
{
	struct dmtrace_recorder_options options = default_options();
	struct stat about;

	options.journal = _i;
	options.buffer_size = 4096;
	ck_assert_int_eq(symlink("/dev/null", "x.trace"), 0);
	struct dmtrace_recorder *const recorder = started("x.trace", &options);
	const uint32_t method = method_of(recorder, 'a');
	for (int i = 0; i < 1000; i++) {
		dmtrace_recorder_enter(recorder, method);
		dmtrace_recorder_exit(recorder, method);
	}
	ck_assert_uint_eq(file_count("."), 1);
	ck_assert_uint_eq(stopped(recorder).events, 2000);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(file_count("."), 1);
	ck_assert_int_eq(lstat("x.trace", &about), 0);
	ck_assert(S_ISLNK(about.st_mode));
	ck_assert_int_eq(stat("/dev/null", &about), 0);
	ck_assert(S_ISCHR(about.st_mode));
}
END_TEST

static const struct {
	const char *label;
	const char *path, *data;
	bool streaming, removed;
} replaced_files[] = {
	{ "a joined file", "x.trace", "x.trace.data", false, false },
	{ "a pair", "x.key", "x.data", false, false },
	{ "a pair that is removed", "x.key", "x.data", false, true },
	{ "a stream", "x.trace", "x.trace", true, false },
	{ "a stream that is removed", "x.trace", "x.trace", true, true },
};

/* As a recorder of another process does. Nothing is written to that file, nor
 * is a key beside it. */
START_TEST(notices_that_its_file_was_replaced)
{
	struct dmtrace_recorder_options options = default_options();
	const char *const data = replaced_files[_i].data;
	size_t len;

	options.streaming = replaced_files[_i].streaming;
	options.buffer_size = 4096;
	struct dmtrace_recorder *const recorder =
	    started(replaced_files[_i].path, &options);
	for (int i = 0; i < 1000; i++)
		play_from(recorder, "+a-a", 20 * (uint64_t)i);
	ck_assert_int_eq(access(data, F_OK), 0);
	ck_assert_int_eq(unlink(data), 0);
	if (!replaced_files[_i].removed)
		file_put(data, "other", 5);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, NULL),
	    DMTRACE_ERR_IO);
	ck_assert_ptr_nonnull(strstr(dmtrace_recorder_error(recorder)->message,
	    "replaced or removed the file that was recorded"));
	ck_assert_uint_eq(file_count("."), !replaced_files[_i].removed);
	if (!replaced_files[_i].removed) {
		char *const bytes = file_get(data, &len);
		ck_assert_uint_eq(len, 5);
		ck_assert_mem_eq(bytes, "other", 5);
		free(bytes);
	}
	dmtrace_recorder_free(recorder);
}
END_TEST

/* With the rows that its first records need, and those that were there. */
START_TEST(begins_a_journal_at_the_first_flush)
{
	struct dmtrace_recorder_options options = default_options();
	size_t len;

	options.journal = 1;
	options.buffer_size = 4096;
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_OK);
	const uint32_t method = method_of(recorder, 'a');
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.key", NULL),
	    DMTRACE_OK);
	ck_assert_uint_eq(file_count("."), 0);
	dmtrace_recorder_name_thread(recorder, "one");
	for (int i = 0; i < 250; i++) {
		dmtrace_recorder_enter(recorder, method);
		dmtrace_recorder_exit(recorder, method);
	}
	char *key = file_get("x.key", &len), expected[128];
	snprintf(expected, sizeof(expected), "*version\n2\nclock=wall\n"
	    "vm=art\npid=%ld\n*threads\n1\tone\n*methods\n0x4\tT\ta\t()V\n",
	    (long)getpid());
	ck_assert_uint_eq(len, strlen(expected));
	ck_assert_mem_eq(key, expected, len);
	free(key);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
}
END_TEST

/* With ".trace" it is as long as a name may be; with ".data" after that it is
 * too long. */
#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG_NAME FIFTY FIFTY FIFTY FIFTY TEN TEN TEN TEN "012345678"

static const char *const unwritable[] = {
	"none/x.trace", "none/x.key", "none/x.data", "", "taken.trace",
	"taken2.key", "taken3.data", "taken4", "link.trace", "link.key",
	LONG_NAME ".trace",
};

/* Told at the start, and nothing is left of it. */
START_TEST(refuses_a_path_that_cannot_be_written)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();

	mkdir("taken.trace.data", 0777);
	mkdir("taken2.data", 0777);
	mkdir("taken3.key", 0777);
	mkdir("taken4", 0777);
	ck_assert_int_eq(symlink("none/x.trace", "link.trace"), 0);
	ck_assert_int_eq(symlink("none/x.data", "link.data"), 0);
	const unsigned before = file_count(".");
	ck_assert_int_eq(dmtrace_recorder_start(recorder, unwritable[_i], NULL),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_recorder_error(recorder)->status,
	    DMTRACE_ERR_IO);
	ck_assert_int_ne(dmtrace_recorder_error(recorder)->sys_errno, 0);
	ck_assert_uint_eq(file_count("."), before);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "ok.trace", NULL),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_error(recorder)->status,
	    DMTRACE_OK);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(replaces_what_was_recorded_before)
{
	struct dmtrace_recorder *recorder = started("x.key", NULL);

	play(recorder, "+a+b-b-a");
	stopped(recorder);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.key", NULL),
	    DMTRACE_OK);
	assert_events("x.key", "1+a0 1+b10 1-b20 1-a30");
	play(recorder, "+c-c");
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_events("x.key", "1+c0 1-c10");
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(drops_what_is_no_method_and_no_action)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);
	static const uint64_t bad[] = { 0, 1, 6, UINT32_MAX,
		UINT64_C(1) << 32 | 4 };
	const struct dmtrace_event reserved = { 4, 0, 0, 0,
		DMTRACE_RESERVED };
	struct dmtrace_recorder_result result;

	play(recorder, "+a");
	for (size_t i = 0; i < ROWS(bad); i++) {
		const struct dmtrace_event event = { bad[i], 0, 0, 0,
			DMTRACE_ENTER };
		dmtrace_recorder_event(recorder, &event);
		dmtrace_recorder_enter(recorder, bad[i] > UINT32_MAX ? 2 :
		    (uint32_t)bad[i]);
	}
	dmtrace_recorder_event(recorder, &reserved);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_RANGE);
	ck_assert_uint_eq(result.dropped, 2 * ROWS(bad) + 1);
	ck_assert_uint_eq(result.refused, 2 * ROWS(bad) + 1);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1+a0 1-a0");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder");
	TCase *tcase = unit_tcase(suite, "recorder");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 120);
	ADD_CASES(tcase, writes_each_form, forms);
	ADD_CASES(tcase, treats_exits_that_do_not_match, mismatches);
	tcase_add_test(tcase, turns_stacks_into_calls);
	tcase_add_test(tcase, counts_frames_that_are_too_deep);
	tcase_add_test(tcase, samples_a_stack_after_a_call_that_is_too_deep);
	tcase_add_test(tcase, gives_one_handle_for_equal_names);
	tcase_add_test(tcase, a_method_may_have_a_file_but_no_line);
	ADD_CASES(tcase, escapes_a_name_only_if_asked_to, unfit);
	ADD_CASES(tcase, refuses_options_out_of_range, out_of_range);
	tcase_add_test(tcase, forgets_the_failure_of_an_earlier_call);
	ADD_CASES(tcase, refuses_a_vm_that_does_not_fit_a_line, bad_vms);
	tcase_add_test(tcase, refuses_dual_times_in_versions_with_one);
	tcase_add_test(tcase, knows_what_state_it_is_in);
	tcase_add_test(tcase, has_a_default_recorder);
	tcase_add_test(tcase, keeps_recorders_apart);
	ADD_CASES(tcase, refuses_a_file_that_another_recorder_has, same_files);
	tcase_add_test(tcase, shares_a_device);
	tcase_add_loop_test(tcase, keeps_nothing_for_the_null_device, 0, 2);
	ADD_CASES(tcase, notices_that_its_file_was_replaced, replaced_files);
	ADD_CASES(tcase, refuses_a_path_that_cannot_be_written, unwritable);
	tcase_add_test(tcase, begins_a_journal_at_the_first_flush);
	tcase_add_test(tcase, replaces_what_was_recorded_before);
	tcase_add_test(tcase, drops_what_is_no_method_and_no_action);
	return unit_main(suite);
}
