/* test_recorder_stream.c - recording to a stream, and after a kill */

#define _DEFAULT_SOURCE		/* usleep */

#include "helpers/recorded.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "helpers/records.h"

#define HEADER 32
#define BYTES(text) text, sizeof(text) - 1

static struct dmtrace_recorder_options
stream_options(void)
{
	struct dmtrace_recorder_options options = default_options();

	options.streaming = 1;
	options.buffer_size = 4096;
	return options;
}

/* In text, where N is a number of digits. Returns the end of it in bytes. */
static const char *
assert_pattern(const char *at, const char *pattern)
{
	for (; *pattern != '\0'; pattern++) {
		if (*pattern != 'N') {
			ck_assert_int_eq(*at++, *pattern);
			continue;
		}
		ck_assert(*at >= '0' && *at <= '9');
		while (*at >= '0' && *at <= '9')
			at++;
	}
	return at;
}

static const struct {
	enum dmtrace_clock clock;
	const char *front;
	const char *body;
	size_t body_len;
	const char *summary;
} streams[] = {
	{ DMTRACE_CLOCK_WALL, "SLOW\xf2\0\x20", BYTES(
	    "\0\0\2\1\0\4\0main"
	    "\0\0\1\14\0000x4\tT\ta\t()V\n"
	    "\0\0\1\14\0000x8\tT\tb\t()V\n"
	    "\1\0" "\4\0\0\0" "\0\0\0\0"
	    "\1\0" "\10\0\0\0" "\12\0\0\0"
	    "\1\0" "\12\0\0\0" "\24\0\0\0"
	    "\1\0" "\5\0\0\0" "\36\0\0\0"),
	    "*version\n2\ndata-file-overflow=false\nclock=wall\n"
	    "elapsed-time-usec=N\nnum-method-calls=4\n"
	    "clock-call-overhead-nsec=N\nvm=art\npid=N\n"
	    "*threads\n1\tmain\n*methods\n*end\n" },
	{ DMTRACE_CLOCK_DUAL, "SLOW\xf3\0\x20", BYTES(
	    "\0\0\2\1\0\4\0main"
	    "\0\0\1\14\0000x4\tT\ta\t()V\n"
	    "\0\0\1\14\0000x8\tT\tb\t()V\n"
	    "\1\0" "\4\0\0\0" "\0\0\0\0" "\0\0\0\0"
	    "\1\0" "\10\0\0\0" "\12\0\0\0" "\12\0\0\0"
	    "\1\0" "\12\0\0\0" "\24\0\0\0" "\24\0\0\0"
	    "\1\0" "\5\0\0\0" "\36\0\0\0" "\36\0\0\0"),
	    "*version\n3\ndata-file-overflow=false\nclock=dual\n"
	    "elapsed-time-usec=N\nnum-method-calls=4\n"
	    "clock-call-overhead-nsec=N\nvm=art\npid=N\n"
	    "*threads\n1\tmain\n*methods\n*end\n" },
};

START_TEST(writes_a_stream_of_packets_and_records)
{
	struct dmtrace_recorder_options options = stream_options();
	size_t len;

	options.clock = streams[_i].clock;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "+a+b!b-a");
	ck_assert_uint_eq(file_count("."), 0);
	stopped(recorder);
	dmtrace_recorder_free(recorder);

	char *bytes = file_get("x.trace", &len);
	const size_t body_len = streams[_i].body_len;
	ck_assert_uint_gt(len, HEADER + body_len + 7);
	ck_assert_mem_eq(bytes, streams[_i].front, 8);
	ck_assert_uint_eq((uint8_t)bytes[16], _i == 0 ? 10 : 14);
	ck_assert_mem_eq(bytes + HEADER, streams[_i].body, body_len);
	const char *summary = bytes + HEADER + body_len;
	ck_assert_mem_eq(summary, "\0\0\3", 3);
	ck_assert_uint_eq(dmt_get_le32((const uint8_t *)summary + 3),
	    len - HEADER - body_len - 7);
	bytes[len] = '\0';
	ck_assert_ptr_eq(assert_pattern(summary + 7, streams[_i].summary),
	    bytes + len);
	free(bytes);
	ck_assert_uint_eq(file_count("."), 1);
	ck_assert_uint_eq(assert_sound("x.trace"), 4);
}
END_TEST

/* As in ART: Studio takes the LF for a part of the line number. */
START_TEST(announces_a_method_without_its_line)
{
	static const struct dmtrace_recorder_method described = {
		.class_name = "A", .name = "m", .signature = "()V",
		.file = "A.java", .line = 7
	};
	const struct dmtrace_recorder_options options = stream_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	uint32_t method;

	ck_assert_int_eq(dmtrace_recorder_intern(recorder,
	    &described, &method), DMTRACE_OK);
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
	stopped(recorder);
	dmtrace_recorder_free(recorder);

	struct dmtrace_reader *reader = opened("x.trace");
	const struct dmtrace_method *const row =
	    dmtrace_key_method_get(dmtrace_reader_key(reader), 0);
	ck_assert_uint_eq(row->file.len, 6);
	ck_assert_mem_eq(row->file.bytes, "A.java", 6);
	ck_assert_int_eq(row->line, DMTRACE_NO_LINE);
	dmtrace_reader_free(reader);
}
END_TEST

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	int journal;
} unfit[] = {
	{ 1, DMTRACE_CLOCK_WALL, 0 }, { 3, DMTRACE_CLOCK_WALL, 0 },
	{ 1, DMTRACE_CLOCK_THREAD_CPU, 0 }, { 0, DMTRACE_CLOCK_WALL, 1 },
	{ 0, DMTRACE_CLOCK_DUAL, 1 },
};

START_TEST(refuses_what_no_stream_has)
{
	struct dmtrace_recorder_options options = stream_options();
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();

	options.version = unfit[_i].version;
	options.clock = unfit[_i].clock;
	options.journal = unfit[_i].journal;
	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_recorder_error(recorder)->message,
	    "stream"));
	dmtrace_recorder_free(recorder);
}
END_TEST

static const struct {
	const char *path;
	enum dmtrace_status status;
} unwritable[] = {
	{ "x.key", DMTRACE_ERR_RANGE }, { "x.data", DMTRACE_ERR_RANGE },
	{ "", DMTRACE_ERR_IO }, { "none/x.trace", DMTRACE_ERR_IO },
};

START_TEST(refuses_a_path_that_is_no_file_for_a_stream)
{
	struct dmtrace_recorder_options options = stream_options();
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();

	ck_assert_int_eq(dmt_recorder_set_options(recorder, &options),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_start(recorder,
	    unwritable[_i].path, NULL), unwritable[_i].status);
	ck_assert_int_eq(dmtrace_recorder_error(recorder)->status,
	    unwritable[_i].status);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

START_TEST(writes_through_a_link_in_place_of_an_old_file)
{
	struct dmtrace_recorder_options options = stream_options();
	struct stat about;

	file_put("old.trace", BYTES("old"));
	ck_assert_int_eq(symlink("old.trace", "x.trace"), 0);
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "+a-a");
	assert_file("old.trace", BYTES("old"));
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(lstat("x.trace", &about), 0);
	ck_assert(S_ISLNK(about.st_mode));
	assert_events("old.trace", "1+a0 1-a10");
}
END_TEST

START_TEST(announces_a_thread_again_by_a_new_name)
{
	struct dmtrace_recorder_options options = stream_options();
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	size_t len;

	dmtrace_recorder_name_thread(recorder, "one");
	for (uint64_t i = 0; i < 300; i++)
		play_from(recorder, "+a-a", i * 100000);
	dmtrace_recorder_name_thread(recorder, "two\n");
	stopped(recorder);
	dmtrace_recorder_free(recorder);

	char *bytes = file_get("x.trace", &len);
	ck_assert_mem_eq(bytes + HEADER, "\0\0\2\1\0\3\0one", 10);
	free(bytes);
	struct dmtrace_reader *reader = opened("x.trace");
	const struct dmtrace_thread *thread =
	    dmtrace_key_thread_find(dmtrace_reader_key(reader), 1);
	ck_assert_uint_eq(thread->name.len, 5);
	ck_assert_mem_eq(thread->name.bytes, "two\\n", 5);
	dmtrace_reader_free(reader);
}
END_TEST

/* A packet's text has 65,535 bytes; the summary lists what has more. */
static const struct {
	size_t name_len;
	bool in_packet;
} names[] = {
	{ 65467, true }, { 65468, false }, { 70000, false },
};

START_TEST(lists_what_is_too_long_for_a_packet_at_the_end)
{
	struct dmtrace_recorder_options options = stream_options();
	static char name[70001];
	const struct dmtrace_recorder_method spelled = { "T", name, 0, 0, 0 };
	uint32_t method;
	size_t len;

	memset(name, 'n', names[_i].name_len);
	name[names[_i].name_len] = '\0';
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	ck_assert_int_eq(dmtrace_recorder_intern(recorder, &spelled, &method),
	    DMTRACE_OK);
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
	stopped(recorder);
	dmtrace_recorder_free(recorder);

	char *bytes = file_get("x.trace", &len);
	const size_t thread_len = 7 + strlen("main");
	ck_assert_int_eq(memcmp(bytes + HEADER + thread_len, "\0\0\1", 3) == 0,
	    names[_i].in_packet);
	free(bytes);
	struct dmtrace_reader *reader = opened("x.trace");
	ck_assert_uint_eq(dmtrace_key_method_find(dmtrace_reader_key(reader),
	    method)->name.len, names[_i].name_len);
	dmtrace_reader_free(reader);
}
END_TEST

/* More of them than the buffer of packets holds at once. */
START_TEST(writes_more_names_than_a_buffer_holds)
{
	struct dmtrace_recorder_options options = stream_options();
	char name[1024];
	const struct dmtrace_recorder_method spelled = { "T", name, 0, 0, 0 };
	uint32_t method = 0;

	struct dmtrace_recorder *recorder = started("x.trace", &options);
	memset(name, 'n', sizeof(name));
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name + 1000, sizeof(name) - 1000, "%u", i);
		dmtrace_recorder_intern(recorder, &spelled, &method);
	}
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	struct dmtrace_reader *reader = opened("x.trace");
	ck_assert_uint_eq(dmtrace_key_method_count(dmtrace_reader_key(reader)),
	    1000);
	dmtrace_reader_free(reader);
	ck_assert_uint_eq(assert_sound("x.trace"), 2);
}
END_TEST

START_TEST(begins_each_file_of_a_rotation_with_its_names)
{
	struct dmtrace_recorder_options options = stream_options();

	options.max_time_us = 25;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "+a+b-b-a");
	ck_assert_uint_eq(stopped(recorder).files, 2);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1+a0 1+b10 1-b20 1-a20");
	assert_events("x-0002.trace", "1+a0 1-a0");
	assert_sound("x.trace");
	assert_sound("x-0002.trace");
}
END_TEST

static void *
record_calls(void *recorder)
{
	for (char letter = 'a'; letter <= 'z'; letter++) {
		const uint32_t method = method_of(recorder, letter);
		for (int i = 0; i < 100; i++) {
			dmtrace_recorder_enter(recorder, method);
			dmtrace_recorder_exit(recorder, method);
		}
	}
	return NULL;
}

static const struct {
	enum dmtrace_recorder_full full;
	size_t threads;
} ways[] = {
	{ DMTRACE_FULL_FLUSH, 4 }, { DMTRACE_FULL_RING, 4 },
	{ DMTRACE_FULL_STOP, 0 },
};

START_TEST(records_threads_whatever_becomes_of_a_full_buffer)
{
	struct dmtrace_recorder_options options = stream_options();
	pthread_t threads[4];

	options.full = ways[_i].full;
	options.memory_limit = 32768;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	for (size_t i = 0; i < ways[_i].threads; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
		    record_calls, recorder), 0);
	record_calls(recorder);
	for (size_t i = 0; i < ways[_i].threads; i++)
		pthread_join(threads[i], NULL);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(result.dropped > 0,
	    ways[_i].full != DMTRACE_FULL_FLUSH);
	ck_assert_uint_eq(assert_calls("x.trace"), result.events);
}
END_TEST

/* What a kill leaves. */

/* The n-th event of a thread is known: every 50 calls it goes on to another
 * method, which it interns then. */
#define CALLS_EACH 50
#define METHODS 3000

static struct dmtrace_recorder *shared;

static void *
record_for_ever(void *unused)
{
	(void)unused;
	for (unsigned number = 0;; number++) {
		char name[16];
		const struct dmtrace_recorder_method row = { "T", name, 0, 0,
		    0 };
		uint32_t method = 0;

		snprintf(name, sizeof(name), "n%u", number % METHODS);
		dmtrace_recorder_intern(shared, &row, &method);
		for (int i = 0; i < CALLS_EACH; i++) {
			dmtrace_recorder_enter(shared, method);
			dmtrace_recorder_exit(shared, method);
		}
	}
	return NULL;
}

static void
be_killed(void)
{
	struct dmtrace_recorder_options options = stream_options();
	pthread_t threads[2];

	shared = dmtrace_recorder_new();
	if (dmt_recorder_set_options(shared, &options) != DMTRACE_OK ||
	    dmtrace_recorder_start(shared, "x.trace", NULL) != DMTRACE_OK)
		_exit(1);
	for (size_t i = 0; i < ROWS(threads); i++)
		pthread_create(&threads[i], NULL, record_for_ever, NULL);
	record_for_ever(NULL);
}

/* Whole records of a stream of one clock, by a walk of our own; each of a
 * thread and a method that were announced before. */
static uint64_t
walk_records(const uint8_t *bytes, size_t len)
{
	bool threads[256] = { false };
	static bool methods[METHODS + 2];
	uint64_t count = 0;

	memset(methods, 0, sizeof(methods));
	for (size_t at = HEADER; len - at >= 10;) {
		const uint8_t *const next = bytes + at;
		const bool thread = next[2] == 2;

		if (next[0] != 0 || next[1] != 0) {
			const uint32_t word = dmt_get_le32(next + 2);
			demand(threads[next[0]], "its thread is announced");
			demand(word / 4 < METHODS + 2 && methods[word / 4],
			    "its method is announced");
			count++;
			at += 10;
			continue;
		}
		demand(next[2] == 1 || next[2] == 2, "a packet of a kind");
		const size_t size = thread ?
		    7 + (size_t)dmt_get_le16(next + 5) :
		    5 + (size_t)dmt_get_le16(next + 3);
		if (size > len - at)
			break;
		unsigned id = 0;
		if (thread)
			threads[next[3]] = true;
		else if (sscanf((const char *)next + 5, "0x%x\t", &id) == 1)
			methods[id / 4 % (METHODS + 2)] = true;
		at += size;
	}
	return count;
}

/* Each event is the next one of its thread. */
static uint64_t
read_flushed(void)
{
	struct dmtrace_reader *reader = opened("x.trace");
	uint64_t done[256] = { 0 }, count = 0;
	struct dmtrace_event event;

	for (; dmtrace_reader_next(reader, &event) == DMTRACE_OK; count++) {
		char name[16];
		const uint64_t n = done[event.thread % 256]++;
		const struct dmtrace_method *method = dmtrace_key_method_find(
		    dmtrace_reader_key(reader), event.method);

		demand(event.action == (n % 2 == 0 ? DMTRACE_ENTER :
		    DMTRACE_EXIT), "enter and exit in turns");
		const int len = snprintf(name, sizeof(name), "n%u",
		    (unsigned)(n / 2 / CALLS_EACH % METHODS));
		demand(method != NULL && method->name.len == (size_t)len &&
		    memcmp(method->name.bytes, name, (size_t)len) == 0,
		    "the next method, by its name");
	}
	ck_assert_int_eq(dmtrace_reader_error(reader)->status, DMTRACE_OK);
	dmtrace_reader_free(reader);
	return count;
}

START_TEST(keeps_what_was_flushed_when_it_is_killed)
{
	const int kills = unit_more() ? 300 : 10;
	uint64_t seed = 1;

	for (int i = 0; i < kills; i++) {
		const off_t size = (off_t)(next_random(&seed) % 200000);
		struct stat now = { .st_size = 0 };
		const pid_t child = fork();
		size_t len;
		int status;

		if (child == 0)
			be_killed();
		for (int look = 0; look < 100000 && (stat("x.trace", &now) !=
		    0 || now.st_size <= size); look++)
			usleep(50);
		ck_assert_int_gt(child, 0);
		ck_assert_int_eq(kill(child, SIGKILL), 0);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(WIFSIGNALED(status));
		uint8_t *bytes = file_get("x.trace", &len);
		ck_assert_uint_ge(len, HEADER);
		ck_assert_uint_eq(read_flushed(), walk_records(bytes, len));
		ck_assert_uint_eq(file_count("."), 1);
		free(bytes);
		unlink("x.trace");
	}
}
END_TEST

START_TEST(keeps_an_old_file_when_it_is_killed_before_a_flush)
{
	int status;

	file_put("x.trace", BYTES("old"));
	const pid_t child = fork();
	if (child == 0) {
		const struct dmtrace_recorder_options options =
		    stream_options();

		play(started("x.trace", &options), "+a-a");
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, SIGKILL);
	assert_file("x.trace", BYTES("old"));
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* A limit on its size, at every byte of a write. */
START_TEST(ends_a_full_file_at_a_whole_record)
{
	struct dmtrace_recorder_options options = stream_options();
	struct dmtrace_recorder_result result;
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	const struct rlimit limit = { (rlim_t)(20000 + _i), RLIM_INFINITY };
	struct stat about;

	struct dmtrace_recorder *recorder = started("x.trace", &options);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	record_calls(recorder);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.events + result.dropped, 5200);
	ck_assert_int_eq(stat("x.trace", &about), 0);
	ck_assert_int_le(about.st_size, 20000 + _i);
	ck_assert_int_gt(about.st_size, 20000 + _i - 10);
	struct dmtrace_reader *reader = opened("x.trace");
	uint64_t count = 0;
	for (struct dmtrace_event event; dmtrace_reader_next(reader, &event) ==
	    DMTRACE_OK; count++)
		;
	ck_assert_uint_eq(count, result.events);
	dmtrace_reader_free(reader);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_stream");
	TCase *tcase = unit_tcase(suite, "recorder_stream");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 240);
	ADD_CASES(tcase, writes_a_stream_of_packets_and_records, streams);
	tcase_add_test(tcase, announces_a_method_without_its_line);
	ADD_CASES(tcase, refuses_what_no_stream_has, unfit);
	ADD_CASES(tcase, refuses_a_path_that_is_no_file_for_a_stream,
	    unwritable);
	tcase_add_test(tcase, writes_through_a_link_in_place_of_an_old_file);
	tcase_add_test(tcase, announces_a_thread_again_by_a_new_name);
	ADD_CASES(tcase, lists_what_is_too_long_for_a_packet_at_the_end,
	    names);
	tcase_add_test(tcase, writes_more_names_than_a_buffer_holds);
	tcase_add_test(tcase, begins_each_file_of_a_rotation_with_its_names);
	ADD_CASES(tcase, records_threads_whatever_becomes_of_a_full_buffer,
	    ways);
	tcase_add_test(tcase, keeps_what_was_flushed_when_it_is_killed);
	tcase_add_test(tcase,
	    keeps_an_old_file_when_it_is_killed_before_a_flush);
	tcase_add_loop_test(tcase, ends_a_full_file_at_a_whole_record, 0, 10);
	return unit_main(suite);
}
