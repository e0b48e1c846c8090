/* test_output.c - files appear complete or not at all, and every failure is
 * reported */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/output.h"
#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/unit.h"
#include "private/status.h"

#define LARGE (2 * DMT_BLOCKS_SIZE + 77)

static uint8_t large[LARGE];

static void
begin(void)
{
	folder_enter();
	for (size_t i = 0; i < LARGE; i++)
		large[i] = (uint8_t)(i * 5 + i / 253);
	umask(022);
}

/* Writes len bytes in pieces, by turns copied and encoded in place. */
static void
write_pieces(struct dmt_output *output, size_t len, size_t piece)
{
	for (size_t at = 0, n; at < len; at += n) {
		n = len - at < piece ? len - at : piece;
		if (at % 2 == 0 || n > DMT_BLOCK_SIZE) {
			dmt_output_write(output, large + at, n);
			continue;
		}
		uint8_t *out = dmt_output_reserve(output, n);
		if (out == NULL)
			return;
		memcpy(out, large + at, n);
		dmt_output_advance(output, n);
	}
}

/* The whole life of a file; the status of the first call that failed. */
static enum dmtrace_status
write_file(const char *path, bool no_replace, bool sync, size_t len)
{
	struct dmt_output output;

	enum dmtrace_status status = dmt_output_open_path(&output, path);
	output.no_replace = no_replace;
	output.sync = sync;
	write_pieces(&output, len, 4099);
	if (status == DMTRACE_OK)
		status = dmt_output_finish(&output);
	if (status == DMTRACE_OK)
		status = dmt_output_publish(&output);
	dmt_output_fini(&output);
	return status;
}

static const size_t piece_sizes[] = { 1, 9, 4096, DMT_BLOCK_SIZE,
    DMT_BLOCKS_SIZE - 1, DMT_BLOCKS_SIZE, LARGE };

START_TEST(writes_a_file_in_pieces)
{
	struct dmt_output output;

	ck_assert_int_eq(dmt_output_open_path(&output, "out"), DMTRACE_OK);
	write_pieces(&output, LARGE, piece_sizes[_i]);
	ck_assert_uint_eq(output.written, LARGE);
	ck_assert_int_eq(dmt_output_finish(&output), DMTRACE_OK);
	ck_assert_int_ne(access("out", F_OK), 0);
	ck_assert_int_eq(dmt_output_publish(&output), DMTRACE_OK);
	dmt_output_fini(&output);
	assert_file("out", large, LARGE);
	ck_assert_uint_eq(file_count("."), 1);
}

START_TEST(goes_on_after_signals_and_short_writes)
{
	fault_interrupt(1000);
	const enum dmtrace_status status = write_file("out", false, false,
	    LARGE);
	fault_disarm();
	ck_assert_int_eq(status, DMTRACE_OK);
	assert_file("out", large, LARGE);
}
END_TEST

START_TEST(writes_to_memory)
{
	struct dmt_output output = { 0 };

	write_pieces(&output, LARGE, piece_sizes[_i]);
	ck_assert_int_eq(dmt_output_finish(&output), DMTRACE_OK);
	ck_assert_uint_eq(output.len, LARGE);
	ck_assert_int_eq(memcmp(output.bytes, large, LARGE), 0);
	dmt_output_fini(&output);
}
END_TEST

START_TEST(leaves_the_callers_descriptor_open)
{
	struct dmt_output output;
	char got[4] = "";
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	dmt_output_open_fd(&output, fds[1]);
	dmt_output_write(&output, "abc", 3);
	ck_assert_int_eq(dmt_output_finish(&output), DMTRACE_OK);
	ck_assert_int_eq(dmt_output_publish(&output), DMTRACE_OK);
	dmt_output_fini(&output);
	ck_assert_int_eq(close(fds[1]), 0);
	ck_assert_int_eq(read(fds[0], got, sizeof(got)), 3);
	ck_assert_str_eq(got, "abc");
	close(fds[0]);
}
END_TEST

START_TEST(leaves_nothing_without_publish)
{
	struct dmt_output output;

	file_put("out", "old", 3);
	ck_assert_int_eq(dmt_output_open_path(&output, "out"), DMTRACE_OK);
	dmt_output_write(&output, large, LARGE);
	ck_assert_uint_eq(file_count("."), 2);
	dmt_output_fini(&output);
	assert_file("out", "old", 3);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* As the handler of a signal does that ends the program. */
START_TEST(removes_the_temporaries_of_this_process_only)
{
	struct dmt_output outputs[3];
	int status;

	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(dmt_output_open_path(&outputs[i],
		    (const char *[]){ "a", "b", "c" }[i]), DMTRACE_OK);
	dmt_output_fini(&outputs[1]);
	ck_assert_uint_eq(file_count("."), 2);
	const pid_t child = fork();
	if (child == 0) {
		dmt_temporaries_remove();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(file_count("."), 2);
	dmt_temporaries_remove();
	ck_assert_uint_eq(file_count("."), 0);
	dmt_output_fini(&outputs[0]);
	dmt_output_fini(&outputs[2]);
}
END_TEST

/* Names that an earlier process with this number left. */
START_TEST(finds_a_free_name_for_a_temporary)
{
	struct dmt_output output;
	char name[64];

	for (unsigned i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), ".dmtrace-%ld-%u.tmp",
		    (long)getpid(), i);
		file_put(name, "old", 3);
	}
	ck_assert_int_eq(write_file("out", false, false, 9), DMTRACE_OK);
	assert_file("out", large, 9);
	assert_file(name, "old", 3);
	ck_assert_uint_eq(file_count("."), 3);

	/* After 1,000 such names it gives up. */
	for (unsigned i = 2; i < 1000; i++) {
		snprintf(name, sizeof(name), ".dmtrace-%ld-%u.tmp",
		    (long)getpid(), i);
		file_put(name, "", 0);
	}
	ck_assert_int_eq(dmt_output_open_path(&output, "new"),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(output.error.sys_errno, EEXIST);
	dmt_output_fini(&output);
}
END_TEST

static mode_t
mode_of(const char *path)
{
	struct stat file;

	ck_assert_int_eq(lstat(path, &file), 0);
	return file.st_mode & (S_IFMT | 07777);
}

START_TEST(has_the_permissions_of_the_umask)
{
	umask(027);
	ck_assert_int_eq(write_file("out", false, false, 3), DMTRACE_OK);
	ck_assert_uint_eq(mode_of("out"), S_IFREG | 0640);
}
END_TEST

START_TEST(keeps_the_permissions_of_the_old_file)
{
	file_put("out", "old", 3);
	ck_assert_int_eq(chmod("out", 0606), 0);
	umask(077);
	ck_assert_int_eq(write_file("out", false, false, 3), DMTRACE_OK);
	ck_assert_uint_eq(mode_of("out"), S_IFREG | 0606);
	assert_file("out", large, 3);
}
END_TEST

static const struct {
	const char *label;
	const char *link;
	const char *target;
	const char *old;
} links[] = {
	{ "to a file", "link", "folder/file", "old" },
	{ "to a file that is not there yet", "link", "folder/file", NULL },
	{ "out of its folder", "folder/link", "../file", "old" },
};

START_TEST(a_link_stays_a_link)
{
	const char *file = _i == 2 ? "file" : "folder/file";

	ck_assert_int_eq(mkdir("folder", 0777), 0);
	ck_assert_int_eq(symlink(links[_i].target, links[_i].link), 0);
	if (links[_i].old != NULL)
		file_put(file, links[_i].old, 3);
	ck_assert_int_eq(write_file(links[_i].link, false, false, LARGE),
	    DMTRACE_OK);
	ck_assert_uint_eq(mode_of(links[_i].link) & S_IFMT, S_IFLNK);
	assert_file(file, large, LARGE);
}
END_TEST

START_TEST(names_a_circle_of_links)
{
	struct dmt_output output;

	ck_assert_int_eq(symlink("b", "a"), 0);
	ck_assert_int_eq(symlink("a", "b"), 0);
	ck_assert_int_eq(dmt_output_open_path(&output, "a"), DMTRACE_ERR_IO);
	ck_assert_int_eq(output.error.sys_errno, ELOOP);
	dmt_output_fini(&output);
}
END_TEST

START_TEST(does_not_replace_unless_it_may)
{
	file_put("out", "old", 3);
	ck_assert_int_eq(write_file("out", true, false, LARGE),
	    DMTRACE_ERR_IO);
	assert_file("out", "old", 3);
	ck_assert_int_eq(write_file("new", true, false, LARGE), DMTRACE_OK);
	assert_file("new", large, LARGE);
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(does_not_replace_without_hard_links_either)
{
	file_put("out", "old", 3);
	fault_arm(FAULT_NAME, 1);
	ck_assert_int_eq(write_file("out", true, false, 5), DMTRACE_ERR_IO);
	ck_assert(fault_disarm());
	assert_file("out", "old", 3);
	fault_arm(FAULT_NAME, 1);
	ck_assert_int_eq(write_file("new", true, false, 5), DMTRACE_OK);
	ck_assert(fault_disarm());
	assert_file("new", large, 5);
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(withdraws_only_what_was_not_there_before)
{
	struct dmt_output output;

	for (int replaces = 0; replaces < 2; replaces++) {
		if (replaces)
			file_put("out", "old", 3);
		ck_assert_int_eq(dmt_output_open_path(&output, "out"),
		    DMTRACE_OK);
		ck_assert_int_eq(dmt_output_finish(&output), DMTRACE_OK);
		ck_assert_int_eq(dmt_output_publish(&output), DMTRACE_OK);
		dmt_output_withdraw(&output);
		dmt_output_fini(&output);
		ck_assert_uint_eq(file_count("."), replaces);
	}
}
END_TEST

static const struct {
	const char *path;
	int code;
} unwritable[] = {
	{ "there/is/none", ENOENT },
	{ ".", EISDIR },
	{ "", ENOENT },
	{ "file/below", ENOTDIR },
};

START_TEST(names_what_it_cannot_make)
{
	struct dmt_output output;

	file_put("file", "", 0);
	ck_assert_int_eq(dmt_output_open_path(&output, unwritable[_i].path),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(output.error.sys_errno, unwritable[_i].code);
	ck_assert_ptr_nonnull(strstr(output.error.message,
	    unwritable[_i].path));
	dmt_output_fini(&output);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(writes_devices_as_they_are)
{
	if (access("/dev/full", W_OK) != 0)
		return;
	ck_assert_int_eq(write_file("/dev/null", true, true, LARGE),
	    DMTRACE_OK);
	ck_assert_int_eq(write_file("/dev/full", false, true, LARGE),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(write_file("/dev/full", false, false, 1),
	    DMTRACE_ERR_IO);
}
END_TEST

START_TEST(writes_a_fifo_as_it_is)
{
	char got[4] = "";

	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	const int fd = open("fifo", O_RDONLY | O_NONBLOCK);
	ck_assert_int_eq(write_file("fifo", false, false, 3), DMTRACE_OK);
	ck_assert_int_eq(read(fd, got, sizeof(got)), 3);
	ck_assert_int_eq(memcmp(got, large, 3), 0);
	close(fd);
	ck_assert_uint_eq(mode_of("fifo") & S_IFMT, S_IFIFO);
}
END_TEST

static void
assert_reread(struct dmt_output *output)
{
	struct dmt_input input;
	const uint8_t *window;

	write_pieces(output, LARGE, 4099);
	ck_assert_int_eq(dmt_output_reread(output, &input), DMTRACE_OK);
	ck_assert_uint_eq(dmt_input_peek(&input, LARGE, &window), LARGE);
	ck_assert_int_eq(memcmp(window, large, LARGE), 0);
	dmt_input_fini(&input);
}

START_TEST(reads_back_a_temporary)
{
	struct dmt_output output;

	ck_assert_int_eq(dmt_output_open_temporary(&output, "beside"),
	    DMTRACE_OK);
	ck_assert_uint_eq(file_count("."), 0);
	assert_reread(&output);
	dmt_output_fini(&output);
	ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
	ck_assert_int_eq(dmt_output_open_temporary(&output, NULL), DMTRACE_OK);
	assert_reread(&output);
	dmt_output_fini(&output);
	ck_assert_int_eq(setenv("TMPDIR", "no/folder", 1), 0);
	ck_assert_int_eq(dmt_output_open_temporary(&output, NULL),
	    DMTRACE_ERR_IO);
	dmt_output_fini(&output);
}
END_TEST

START_TEST(reads_back_memory)
{
	struct dmt_output output;

	dmt_output_open_memory(&output);
	assert_reread(&output);
	dmt_output_fini(&output);
}
END_TEST

static const struct {
	const char *label;
	enum fault kind;
	unsigned at_least;
} faults[] = {
	{ "allocations", FAULT_ALLOC, 4 },
	{ "writes", FAULT_WRITE, 3 },
	{ "forcing to disk", FAULT_SYNC, 2 },
	{ "close", FAULT_CLOSE, 1 },
	{ "rename", FAULT_NAME, 1 },
};

START_TEST(leaves_no_file_after_a_failure)
{
	struct failing failing = { .kind = faults[_i].kind };

	do {
		failing_arm(&failing);
		const bool seen = failing_reported(&failing, write_file("out",
		    false, failing.kind == FAULT_SYNC, LARGE));
		ck_assert_uint_eq(file_count("."), seen ? 0 : 1);
	} while (failing.failed);
	ck_assert_uint_ge(failing.reported, faults[_i].at_least);
}
END_TEST

START_TEST(reports_of_a_limit_on_file_sizes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	const rlim_t old = limit.rlim_cur;
	limit.rlim_cur = DMT_BLOCK_SIZE;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	const enum dmtrace_status status = write_file("out", false, false,
	    LARGE);
	limit.rlim_cur = old;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(status, DMTRACE_ERR_IO);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

static ptrdiff_t
take_nothing(void *context, const void *bytes, size_t len)
{
	(void)context;
	(void)bytes;
	(void)len;
	return 0;
}

START_TEST(does_not_wait_for_an_output_that_takes_nothing)
{
	struct dmt_output output;

	dmt_output_open_callback(&output,
	    &(struct dmtrace_output){ take_nothing, NULL });
	dmt_output_write(&output, "abc", 3);
	ck_assert_int_eq(dmt_output_finish(&output), DMTRACE_ERR_IO);
	dmt_output_fini(&output);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("output");
	TCase *tcase = unit_tcase(suite, "output");

	tcase_add_checked_fixture(tcase, begin, folder_leave);
	ADD_CASES(tcase, writes_a_file_in_pieces, piece_sizes);
	tcase_add_test(tcase, goes_on_after_signals_and_short_writes);
	ADD_CASES(tcase, writes_to_memory, piece_sizes);
	tcase_add_test(tcase, leaves_the_callers_descriptor_open);
	tcase_add_test(tcase, leaves_nothing_without_publish);
	tcase_add_test(tcase, removes_the_temporaries_of_this_process_only);
	tcase_add_test(tcase, finds_a_free_name_for_a_temporary);
	tcase_add_test(tcase, has_the_permissions_of_the_umask);
	tcase_add_test(tcase, keeps_the_permissions_of_the_old_file);
	ADD_CASES(tcase, a_link_stays_a_link, links);
	tcase_add_test(tcase, names_a_circle_of_links);
	tcase_add_test(tcase, does_not_replace_unless_it_may);
	tcase_add_test(tcase, does_not_replace_without_hard_links_either);
	tcase_add_test(tcase, withdraws_only_what_was_not_there_before);
	ADD_CASES(tcase, names_what_it_cannot_make, unwritable);
	tcase_add_test(tcase, writes_devices_as_they_are);
	tcase_add_test(tcase, writes_a_fifo_as_it_is);
	tcase_add_test(tcase, reads_back_a_temporary);
	tcase_add_test(tcase, reads_back_memory);
	ADD_CASES(tcase, leaves_no_file_after_a_failure, faults);
	tcase_add_test(tcase, reports_of_a_limit_on_file_sizes);
	tcase_add_test(tcase, does_not_wait_for_an_output_that_takes_nothing);
	return unit_main(suite);
}
