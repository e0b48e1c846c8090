/* test_recorder_kills.c - recorders of every kind are killed at any moment */

#define _DEFAULT_SOURCE		/* usleep */

#include "helpers/recorded.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "helpers/random.h"

/*
 * A child records in threads that start and end until it is killed, when its
 * files have reached a size. A file with the name of a trace must be a valid
 * trace: after a repair, if it is a stream, and as it is otherwise. A trace
 * that is not finished has no such file; a repair makes a valid trace of its
 * halves, or of the data alone, with each record that was written.
 * "make check-more" kills 2,014 times.
 */
#define KILLS 2
#define KILLS_MORE 106		/* of each kind */
#define HEADER 32
#define ROOM 69632		/* for the key of so few methods */

static const struct {
	const char *name;
	unsigned version;
	enum dmtrace_clock clock;
	bool journal, streaming;
	uint64_t max_time_us;	/* of a file; 0: one file */
	rlim_t limit;		/* of its bytes, as on a full disk; 0: none */
	size_t buffer;		/* 0: 4 KiB, and no room for a key */
} kinds[] = {
	{ "version 1", 1, DMTRACE_CLOCK_WALL, false, false, 0, 0, 0 },
	{ "version 2, rotated", 2, DMTRACE_CLOCK_WALL, false, false, 2000,
	    0, 0 },
	{ "version 3", 3, DMTRACE_CLOCK_DUAL, false, false, 0, 0, 0 },
	{ "journal of version 1", 1, DMTRACE_CLOCK_WALL, true, false, 0, 0, 0 },
	{ "journal of version 2", 2, DMTRACE_CLOCK_WALL, true, false, 0, 0, 0 },
	{ "journal of version 3", 3, DMTRACE_CLOCK_DUAL, true, false, 0, 0, 0 },
	{ "journal, rotated", 2, DMTRACE_CLOCK_WALL, true, false, 2000, 0, 0 },
	{ "journal, rotated, disk full", 2, DMTRACE_CLOCK_WALL, true, false,
	    2000, 9001, 0 },
	{ "journal, disk full", 2, DMTRACE_CLOCK_WALL, true, false, 0,
	    30001, 0 },
	{ "stream of version 2", 2, DMTRACE_CLOCK_WALL, false, true, 0, 0, 0 },
	{ "stream of version 3", 3, DMTRACE_CLOCK_DUAL, false, true, 0, 0, 0 },
	{ "stream, rotated", 2, DMTRACE_CLOCK_WALL, false, true, 2000, 0, 0 },
	{ "stream, rotated, disk full", 3, DMTRACE_CLOCK_DUAL, false, true,
	    2000, 9001, 0 },
	{ "stream, disk full", 3, DMTRACE_CLOCK_DUAL, false, true, 0,
	    30001, 0 },
	{ "room", 1, DMTRACE_CLOCK_WALL, false, false, 0, 0, 65536 },
	{ "room, rotated", 2, DMTRACE_CLOCK_WALL, false, false, 20000, 0,
	    65536 },
	{ "room, journal of version 3", 3, DMTRACE_CLOCK_DUAL, true, false, 0,
	    0, 65536 },
	{ "room, journal, rotated", 2, DMTRACE_CLOCK_WALL, true, false, 20000,
	    0, 65536 },
	{ "room, journal, disk full", 2, DMTRACE_CLOCK_WALL, true, false, 0,
	    150001, 65536 },
};

static struct dmtrace_recorder *victim;

/* Without a claim: Check writes each to a file, which a kill would cut. */
static uint32_t
intern(char letter)
{
	const char name[] = { letter, '\0' };
	const struct dmtrace_recorder_method names = { "T", name, 0, 0, 0 };
	uint32_t method = 0;

	dmtrace_recorder_intern(victim, &names, &method);
	return method;
}

static void *
record_some(void *unused)
{
	const uint32_t outer = intern('a');

	for (int i = 0; i < 300; i++) {
		const uint32_t method = intern((char)('b' + i % 20));

		dmtrace_recorder_enter(victim, outer);
		dmtrace_recorder_enter(victim, method);
		dmtrace_recorder_exit(victim, method);
		dmtrace_recorder_exit(victim, outer);
	}
	return unused;
}

/* Never returns. It would end by itself, if nobody killed it. */
static void
be_victim(int kind)
{
	struct dmtrace_recorder_options options = default_options();
	const struct rlimit limit = { kinds[kind].limit, RLIM_INFINITY };
	pthread_t threads[3];

	signal(SIGXFSZ, SIG_IGN);
	alarm(60);
	if (kinds[kind].limit > 0 && setrlimit(RLIMIT_FSIZE, &limit) != 0)
		_exit(1);
	options.version = kinds[kind].version;
	options.clock = kinds[kind].clock;
	options.journal = kinds[kind].journal;
	options.streaming = kinds[kind].streaming;
	options.max_time_us = kinds[kind].max_time_us;
	options.buffer_size = kinds[kind].buffer == 0 ? 4096 :
	    kinds[kind].buffer;
	victim = dmtrace_recorder_new();
	if (dmtrace_recorder_start(victim, "x.trace", &options) != DMTRACE_OK)
		_exit(1);
	for (;;) {
		for (size_t i = 0; i < ROWS(threads); i++)
			if (pthread_create(&threads[i], NULL, record_some,
			    NULL) != 0)
				_exit(1);
		for (size_t i = 0; i < ROWS(threads); i++)
			pthread_join(threads[i], NULL);
	}
}

/* The bytes of all files of the folder. */
static off_t
size_of_all(void)
{
	DIR *const folder = opendir(".");
	struct stat about;
	off_t size = 0;

	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		if (stat(entry->d_name, &about) == 0 &&
		    S_ISREG(about.st_mode))
			size += about.st_size;
	closedir(folder);
	return size;
}

/* Waits for the size, but not for long: a full disk may never have it. */
static void
kill_at(pid_t child, off_t size)
{
	int status;

	for (int i = 0; i < 500 && size_of_all() < size; i++)
		usleep(50);
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(kill(child, SIGKILL), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	    "it ended by itself, with status %#x", (unsigned)status);
}

/* Repairs a trace, if it may need that, and validates it. The repaired one has
 * at least that many records. */
static void
check_left(const char *path, int kind, bool repairs, uint64_t records)
{
	static const struct dmtrace_file repaired = { .path = "repaired" };
	const struct dmtrace_file in = { .path = path };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_repair_result result;
	struct dmtrace_validity validity;

	if (repairs) {
		ck_assert_msg(dmtrace_repair(op, &in, &repaired, NULL,
		    &result) == DMTRACE_OK, "%s, %s: %s", kinds[kind].name,
		    path, dmtrace_op_error(op)->message);
		ck_assert_uint_ge(result.records_out, records);
	}
	ck_assert_msg(dmtrace_validate(op, repairs ? &repaired : &in,
	    &validity) == DMTRACE_OK &&
	    validity.findings[DMTRACE_ERROR] == 0, "%s, %s: %s",
	    kinds[kind].name, path, dmtrace_op_error(op)->message);
	unlink(repaired.path);
	dmtrace_op_free(op);
}

/* Checks each trace in the folder, and removes it. Returns their number. */
static unsigned
check_all(int kind)
{
	static const unsigned record_sizes[] = { 0, 9, 10, 14 }; /* bytes */
	DIR *const folder = opendir(".");
	char name[300];
	unsigned count = 0;

	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		snprintf(name, sizeof(name), "%s", entry->d_name);
		char *const end = strstr(name, ".trace");
		if (name[0] != 'x' || end == NULL)
			continue;
		/* both halves of a journal have the name of its trace */
		const bool is_key = strcmp(end, ".trace.key") == 0;
		const bool is_data = strcmp(end, ".trace.data") == 0;
		/* data with a room is a trace, even without its key */
		if (!is_data || kinds[kind].journal || kinds[kind].buffer == 0)
			end[strlen(".trace")] = '\0';
		if (is_key)
			continue;
		/* One that was killed before its first record: a journal's key
		 * is written after the header, and may still be empty. */
		struct stat about;
		if (stat(entry->d_name, &about) != 0 || about.st_size <=
		    (is_data && kinds[kind].buffer > 0 ? ROOM : HEADER))
			continue;
		ck_assert_msg(is_data || kinds[kind].streaming ||
		    kinds[kind].max_time_us > 0, "%s: %s is finished",
		    kinds[kind].name, name);
		check_left(name, kind, is_data || kinds[kind].streaming,
		    !is_data || kinds[kind].buffer > 0 ? 0 :
		    (uint64_t)(about.st_size - HEADER) /
		    record_sizes[kinds[kind].version]);
		count++;
	}
	rewinddir(folder);
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		unlink(entry->d_name);
	closedir(folder);
	return count;
}

START_TEST(leaves_traces_when_it_is_killed)
{
	const int kills = unit_more() ? KILLS_MORE : KILLS;
	uint64_t seed = (uint64_t)_i + 1;
	unsigned left = 0;

	for (int i = 0; i < kills; i++) {
		const pid_t child = fork();

		if (child == 0)
			be_victim(_i);
		kill_at(child, (off_t)(next_random(&seed) % 150000 +
		    (i == 0 ? 20000 : 0) + 4 * kinds[_i].buffer));
		left += check_all(_i);
	}
	ck_assert_uint_gt(left, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_kills");
	TCase *tcase = unit_tcase(suite, "kills");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 300);
	ADD_CASES(tcase, leaves_traces_when_it_is_killed, kinds);
	return unit_main(suite);
}
