/* test_input.c - bytes are read complete and in order, however they arrive */

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "helpers/drip.h"
#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/unit.h"

#define LARGE (3 * DMT_BLOCKS_SIZE + 5)

/* Bytes of which no two that are near each other are equal. */
static uint8_t *
large_bytes(void)
{
	uint8_t *bytes = malloc(LARGE);

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < LARGE; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 251);
	return bytes;
}

/* Takes step bytes at a time; how many were as they should be. */
static size_t
same_bytes(struct dmt_input *input, const uint8_t *bytes, size_t len,
    size_t step)
{
	const uint8_t *window;
	size_t at = 0, got;

	while ((got = dmt_input_peek(input, step, &window)) > 0) {
		const size_t n = got < step ? got : step;
		if (input->offset != at || n > len - at ||
		    memcmp(window, bytes + at, n) != 0)
			break;
		dmt_input_skip(input, n);
		at += n;
	}
	return at;
}

static void
assert_reads(struct dmt_input *input, const uint8_t *bytes, size_t len,
    size_t step)
{
	const uint8_t *window;

	ck_assert_uint_eq(same_bytes(input, bytes, len, step), len);
	ck_assert_uint_eq(dmt_input_peek(input, 1, &window), 0);
	ck_assert_int_eq(input->error.status, DMTRACE_OK);
}

static const struct {
	const char *label;
	off_t size;			/* of 9 bytes */
	time_t changed;			/* 1000: when it was opened */
	bool may_grow;
	bool refused;
} changes[] = {
	{ "not changed", 9, 1000, false, false },
	{ "shorter", 8, 1000, false, true },
	{ "longer", 10, 1000, false, true },
	{ "other bytes", 9, 1001, false, true },
	{ "bytes were appended, which are not needed", 10, 1001, true, false },
	{ "shorter, where bytes may be appended", 8, 1000, true, true },
	{ "other bytes, where bytes may be appended", 9, 1001, true, true },
};

static void
set_changed(const char *path, time_t seconds)
{
	const struct timespec times[] = { { seconds, 0 }, { seconds, 0 } };

	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* The first pass has ended, or it is at its end when the file changes, or the
 * bytes were counted by the size of the file. */
START_TEST(a_file_that_is_read_again_must_not_change)
{
	for (int late = 0; late < 3; late++) {
		struct dmt_input input;
		const uint8_t *bytes;
		uint64_t left;

		file_put("file", "123456789", 9);
		set_changed("file", 1000);
		dmt_input_open_path(&input, "file");
		input.may_grow = changes[_i].may_grow;
		if (late == 2)
			ck_assert(dmt_input_left(&input, &left));
		else
			ck_assert_uint_eq(dmt_input_peek(&input, 20, &bytes),
			    9);
		if (late == 1)
			ck_assert_int_eq(dmt_input_rewind(&input, 0),
			    DMTRACE_OK);
		ck_assert_int_eq(truncate("file", changes[_i].size), 0);
		set_changed("file", changes[_i].changed);
		if (!late)
			dmt_input_rewind(&input, 0);
		dmt_input_peek(&input, 20, &bytes);
		ck_assert_int_eq(input.error.status, changes[_i].refused ?
		    DMTRACE_ERR_IO : DMTRACE_OK);
		dmt_input_fini(&input);
	}
}
END_TEST

static const size_t piece_sizes[] = { 1, 2, 3, 7, 4096, LARGE };

START_TEST(reads_input_in_pieces)
{
	uint8_t *bytes = large_bytes();
	struct drip drip = { bytes, LARGE, piece_sizes[_i] };
	struct dmt_input input;

	dmt_input_open_callback(&input,
	    &(struct dmtrace_input){ drip_read, &drip });
	assert_reads(&input, bytes, LARGE, 9);
	dmt_input_fini(&input);
	free(bytes);
}
END_TEST

/* A key of many bytes may come in small pieces: were it moved for each, that
 * would take long. */
START_TEST(seldom_moves_what_it_holds)
{
	uint8_t *bytes = large_bytes();
	struct drip drip = { bytes, LARGE, 1 };
	const struct dmtrace_input call = { drip_read, &drip };
	struct dmt_input input;
	const uint8_t *window, *last = NULL;
	unsigned moves = 0;

	ck_assert_int_eq(dmt_input_open_callback(&input, &call), DMTRACE_OK);
	for (size_t want = 1; want <= 20000; want++) {
		ck_assert_uint_eq(dmt_input_peek(&input, want, &window),
		    want);
		moves += window != last;
		last = window;
	}
	ck_assert_uint_lt(moves, 100);
	dmt_input_fini(&input);
	free(bytes);
}
END_TEST

static const size_t steps[] = { 1, 14, 65535, DMT_BLOCK_SIZE, LARGE,
    LARGE + 1 };

START_TEST(reads_a_file_in_steps)
{
	uint8_t *bytes = large_bytes();
	struct dmt_input input;

	file_put("large", bytes, LARGE);
	ck_assert_int_eq(dmt_input_open_path(&input, "large"), DMTRACE_OK);
	ck_assert_uint_eq(dmt_input_size(&input), LARGE);
	fault_interrupt(_i == 0 ? 0 : 1000);
	assert_reads(&input, bytes, LARGE, steps[_i]);
	fault_disarm();
	dmt_input_fini(&input);
	free(bytes);
}
END_TEST

/* Of memory, of a file, and of a descriptor that is not at its start. */
static const uint64_t lefts[] = { 9, 9, 7 };

START_TEST(knows_how_much_is_left)
{
	struct dmt_input input;
	const uint8_t *window;
	uint64_t left;

	file_put("file", "123456789", 9);
	const int fd = open("file", O_RDONLY);
	ck_assert_int_eq(lseek(fd, 2, SEEK_SET), 2);
	if (_i == 0)
		dmt_input_open_memory(&input, "123456789", 9);
	else if (_i == 1)
		dmt_input_open_path(&input, "file");
	else
		dmt_input_open_fd(&input, fd);
	ck_assert(dmt_input_left(&input, &left));
	ck_assert_uint_eq(left, lefts[_i]);
	dmt_input_peek(&input, 1, &window);
	dmt_input_skip(&input, 4);
	ck_assert(dmt_input_left(&input, &left));
	ck_assert_uint_eq(left, lefts[_i] - 4);
	dmt_input_fini(&input);
	close(fd);
}
END_TEST

START_TEST(does_not_know_how_much_a_pipe_has)
{
	struct dmt_input input;
	uint64_t left;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	dmt_input_open_fd(&input, ends[0]);
	ck_assert(!dmt_input_left(&input, &left));
	dmt_input_fini(&input);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

START_TEST(does_not_copy_memory)
{
	static const uint8_t bytes[5] = "abcde";
	struct dmt_input input;
	const uint8_t *window;

	dmt_input_open_memory(&input, bytes, sizeof(bytes));
	ck_assert_uint_eq(dmt_input_size(&input), sizeof(bytes));
	ck_assert_uint_eq(dmt_input_peek(&input, 1, &window), 5);
	ck_assert_ptr_eq(window, bytes);
	dmt_input_skip(&input, 3);
	ck_assert_uint_eq(dmt_input_peek(&input, 9, &window), 2);
	ck_assert_ptr_eq(window, bytes + 3);
	dmt_input_fini(&input);
}
END_TEST

START_TEST(reads_no_memory)
{
	struct dmt_input input;
	const uint8_t *window;

	dmt_input_open_memory(&input, NULL, 0);
	ck_assert_uint_eq(dmt_input_peek(&input, 1, &window), 0);
	dmt_input_fini(&input);
}
END_TEST

START_TEST(leaves_the_callers_descriptor_open)
{
	struct dmt_input input;
	const uint8_t *window;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], "xyz", 3), 3);
	close(fds[1]);
	ck_assert_int_eq(dmt_input_open_fd(&input, fds[0]), DMTRACE_OK);
	ck_assert_uint_eq(dmt_input_size(&input), 0);
	ck_assert_uint_eq(dmt_input_peek(&input, 9, &window), 3);
	ck_assert_int_eq(memcmp(window, "xyz", 3), 0);
	dmt_input_fini(&input);
	ck_assert_int_eq(fcntl(fds[0], F_GETFD) & ~FD_CLOEXEC, 0);
	close(fds[0]);
}
END_TEST

START_TEST(gives_back_the_memory_of_a_large_window)
{
	const size_t len = 20 << 20;
	struct dmt_input input;
	const uint8_t *window;
	uint8_t *const bytes = calloc(1, len);

	bytes[len - 1] = 7;
	file_put("large", bytes, len);
	free(bytes);
	ck_assert_int_eq(dmt_input_open_path(&input, "large"), DMTRACE_OK);
	ck_assert_uint_ge(dmt_input_peek(&input, len / 2, &window), len / 2);
	for (size_t left = len, got; left > 0; left -= got) {
		got = dmt_input_peek(&input, 1, &window);
		ck_assert_uint_ge(got, 1);
		ck_assert_uint_eq(window[got - 1], got == left ? 7 : 0);
		dmt_input_skip(&input, got);
	}
	ck_assert_uint_le(input.capacity, 4 << 20);
	dmt_input_fini(&input);
}
END_TEST

START_TEST(takes_no_more_memory_than_bytes_come)
{
	struct dmt_input input;
	const uint8_t *window;

	file_put("small", "abc", 3);
	ck_assert_int_eq(dmt_input_open_path(&input, "small"), DMTRACE_OK);
	ck_assert_uint_eq(dmt_input_peek(&input, SIZE_MAX / 2, &window), 3);
	ck_assert_uint_le(input.capacity, DMT_INPUT_CAPACITY);
	dmt_input_fini(&input);
}
END_TEST

static const struct {
	const char *path;
	int code;
	const char *tried;
} unreadable[] = {
	{ "there/is/none", ENOENT, "cannot open there/is/none" },
	{ "", ENOENT, "cannot open " },
	{ ".", EISDIR, "cannot read ." },
	{ "a\nb", ENOENT, "cannot open a\\nb" },
};

START_TEST(names_what_it_cannot_read)
{
	struct dmt_input input;
	const uint8_t *window;

	ck_assert_int_eq(dmt_input_open_path(&input, unreadable[_i].path),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(input.error.sys_errno, unreadable[_i].code);
	ck_assert_msg(strncmp(input.error.message, unreadable[_i].tried,
	    strlen(unreadable[_i].tried)) == 0, "%s", input.error.message);
	ck_assert_uint_eq(dmt_input_peek(&input, 1, &window), 0);
	dmt_input_fini(&input);
}
END_TEST

START_TEST(keeps_what_came_before_a_failed_read)
{
	uint8_t *bytes = large_bytes();
	struct dmt_input input;
	const uint8_t *window;

	file_put("large", bytes, LARGE);
	ck_assert_int_eq(dmt_input_open_path(&input, "large"), DMTRACE_OK);
	fault_arm(FAULT_READ, 2);
	ck_assert_uint_eq(dmt_input_peek(&input, LARGE, &window),
	    DMT_BLOCK_SIZE);
	ck_assert(fault_disarm());
	ck_assert_int_eq(memcmp(window, bytes, DMT_BLOCK_SIZE), 0);
	ck_assert_int_eq(input.error.status, DMTRACE_ERR_IO);
	ck_assert_int_eq(input.error.sys_errno, EIO);
	ck_assert_uint_eq(dmt_input_peek(&input, LARGE, &window),
	    DMT_BLOCK_SIZE);
	dmt_input_fini(&input);
	free(bytes);
}
END_TEST

START_TEST(survives_every_failing_allocation)
{
	struct dmt_input input;
	const uint8_t *window;
	struct failing failing = { .kind = FAULT_ALLOC };

	file_put("small", "abc", 3);
	do {
		failing_arm(&failing);
		const enum dmtrace_status opened =
		    dmt_input_open_path(&input, "small");
		const size_t got = dmt_input_peek(&input, 1, &window);
		const bool seen = failing_reported(&failing,
		    input.error.status);
		ck_assert_uint_eq(got, seen ? 0 : 3);
		ck_assert(opened == DMTRACE_OK || seen);
		dmt_input_fini(&input);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 1);
}
END_TEST

/* More files than descriptors, by turns. */
START_TEST(a_pool_reads_many_files_through_few_descriptors)
{
	enum { FILES = 60, LEN = 3000, ROOM = 256 };
	static struct dmt_input inputs[FILES];
	struct rlimit limit;
	struct dmt_pool pool;
	uint8_t *const bytes = large_bytes();
	char name[8];

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 20;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert(dmt_pool_init(&pool));
	ck_assert_uint_eq(pool.most, 10);
	for (size_t i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "%zu", i);
		file_put(name, (const char *)bytes + i, LEN);
		ck_assert_int_eq(dmt_input_open_path(&inputs[i], name),
		    DMTRACE_OK);
		dmt_pool_join(&pool, &inputs[i], ROOM);
	}
	for (size_t at = 0; at < LEN; at += 100)
		for (size_t i = 0; i < FILES; i++) {
			const uint8_t *window;

			ck_assert_uint_ge(dmt_input_peek(&inputs[i], 100,
			    &window), 100);
			ck_assert_int_eq(memcmp(window, bytes + i + at, 100),
			    0);
			dmt_input_skip(&inputs[i], 100);
		}
	for (size_t i = 0; i < FILES; i++) {
		const uint8_t *window;

		ck_assert_uint_eq(dmt_input_peek(&inputs[i], 1, &window), 0);
		ck_assert_int_eq(inputs[i].error.status, DMTRACE_OK);
		dmt_input_fini(&inputs[i]);
	}
	ck_assert_uint_eq(pool.count, 0);
	dmt_pool_fini(&pool);
	free(bytes);
}
END_TEST

/* Or none at all. */
START_TEST(a_pool_refuses_another_file_of_that_name)
{
	struct dmt_input input;
	struct dmt_pool pool;
	const uint8_t *window;

	file_put("a", "one", 3);
	file_put("b", "two", 3);
	ck_assert(dmt_pool_init(&pool));
	ck_assert_int_eq(dmt_input_open_path(&input, "a"), DMTRACE_OK);
	dmt_pool_join(&pool, &input, 64);
	ck_assert_int_eq(_i == 0 ? rename("b", "a") : unlink("a"), 0);
	ck_assert_uint_eq(dmt_input_peek(&input, 1, &window), 0);
	ck_assert_int_eq(input.error.status, DMTRACE_ERR_IO);
	dmt_input_fini(&input);
	dmt_pool_fini(&pool);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("input");
	TCase *tcase = unit_tcase(suite, "input");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, a_file_that_is_read_again_must_not_change, changes);
	ADD_CASES(tcase, reads_input_in_pieces, piece_sizes);
	tcase_add_test(tcase, seldom_moves_what_it_holds);
	ADD_CASES(tcase, reads_a_file_in_steps, steps);
	ADD_CASES(tcase, knows_how_much_is_left, lefts);
	tcase_add_test(tcase, does_not_know_how_much_a_pipe_has);
	tcase_add_test(tcase, does_not_copy_memory);
	tcase_add_test(tcase, reads_no_memory);
	tcase_add_test(tcase, leaves_the_callers_descriptor_open);
	tcase_add_test(tcase, gives_back_the_memory_of_a_large_window);
	tcase_add_test(tcase, takes_no_more_memory_than_bytes_come);
	ADD_CASES(tcase, names_what_it_cannot_read, unreadable);
	tcase_add_test(tcase, keeps_what_came_before_a_failed_read);
	tcase_add_test(tcase, survives_every_failing_allocation);
	tcase_add_test(tcase, a_pool_reads_many_files_through_few_descriptors);
	tcase_add_loop_test(tcase,
	    a_pool_refuses_another_file_of_that_name, 0, 2);
	return unit_main(suite);
}
