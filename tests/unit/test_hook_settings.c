/* test_hook_settings.c - the settings of the hooks in the environment */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers/unit.h"
#include "instrument/settings.h"

static const char *const variables[] = {
	"DMTRACE_BUFFER", "DMTRACE_CLOCK", "DMTRACE_DEPTH", "DMTRACE_FILTER",
	"DMTRACE_FORK", "DMTRACE_FULL", "DMTRACE_FUNCTIONS",
	"DMTRACE_JOURNAL", "DMTRACE_MAX_TIME", "DMTRACE_MEMORY",
	"DMTRACE_OUTPUT", "DMTRACE_REPORT", "DMTRACE_ROTATE",
	"DMTRACE_SIGNALS", "DMTRACE_VERSION"
};

static struct dmt_settings settings;

static void
clear(void)
{
	for (size_t i = 0; i < ROWS(variables); i++)
		unsetenv(variables[i]);
}

START_TEST(has_defaults)
{
	clear();
	dmt_settings_read(&settings);
	ck_assert_str_eq(settings.problem, "");
	ck_assert_uint_eq(settings.options.version, 0);
	ck_assert_int_eq(settings.options.clock, DMTRACE_CLOCK_WALL);
	ck_assert_int_eq(settings.options.full, DMTRACE_FULL_FLUSH);
	ck_assert_uint_eq(settings.options.buffer_size, 256 * 1024);
	ck_assert_uint_eq(settings.options.memory_limit, 64 * 1024 * 1024);
	ck_assert_uint_eq(settings.options.max_keys, 262144);
	ck_assert_uint_eq(settings.options.max_depth, 131072);
	ck_assert_uint_eq(settings.options.max_time_us, UINT32_MAX);
	ck_assert(!settings.options.no_rotate && !settings.options.journal);
	ck_assert(settings.signals && !settings.fork);
	ck_assert_ptr_null(settings.filter.patterns);
	ck_assert_str_eq(settings.report, "");
	ck_assert_ptr_nonnull(strstr(settings.output, "/%n-%p.trace"));
}
END_TEST

START_TEST(reads_every_variable)
{
	clear();
	setenv("DMTRACE_BUFFER", "8K", 1);
	setenv("DMTRACE_CLOCK", "dual", 1);
	setenv("DMTRACE_DEPTH", "77", 1);
	setenv("DMTRACE_FILTER", "a,!b", 1);
	setenv("DMTRACE_FORK", "1", 1);
	setenv("DMTRACE_FULL", "ring", 1);
	setenv("DMTRACE_FUNCTIONS", "88", 1);
	setenv("DMTRACE_JOURNAL", "1", 1);
	setenv("DMTRACE_MAX_TIME", "99", 1);
	setenv("DMTRACE_MEMORY", "3M", 1);
	setenv("DMTRACE_OUTPUT", "/x/%p.key", 1);
	setenv("DMTRACE_REPORT", "/x/report", 1);
	setenv("DMTRACE_ROTATE", "0", 1);
	setenv("DMTRACE_SIGNALS", "0", 1);
	setenv("DMTRACE_STREAMING", "1", 1);
	setenv("DMTRACE_VERSION", "3", 1);
	dmt_settings_read(&settings);
	ck_assert_str_eq(settings.problem, "");
	ck_assert_uint_eq(settings.options.version, 3);
	ck_assert_int_eq(settings.options.clock, DMTRACE_CLOCK_DUAL);
	ck_assert_int_eq(settings.options.full, DMTRACE_FULL_RING);
	ck_assert_uint_eq(settings.options.buffer_size, 8192);
	ck_assert_uint_eq(settings.options.memory_limit, 3145728);
	ck_assert_uint_eq(settings.options.max_keys, 88);
	ck_assert_uint_eq(settings.options.max_depth, 77);
	ck_assert_uint_eq(settings.options.max_time_us, 99);
	ck_assert(settings.options.no_rotate && settings.options.journal);
	ck_assert(!settings.signals && settings.fork);
	ck_assert(settings.options.streaming);
	ck_assert_str_eq(settings.filter.patterns, "a,!b");
	ck_assert_str_eq(settings.report, "/x/report");
	ck_assert_str_eq(settings.output, "/x/%p.key");
	dmt_hook_filter_fini(&settings.filter);
}
END_TEST

static const struct {
	const char *name, *value;
	const char *problem;
} bad[] = {
	{ "DMTRACE_BUFFER", "4095", "DMTRACE_BUFFER=4095: expected a size" },
	{ "DMTRACE_BUFFER", "4KB", "DMTRACE_BUFFER=4KB: expected a size" },
	{ "DMTRACE_BUFFER", "K", "DMTRACE_BUFFER=K: expected a size" },
	{ "DMTRACE_BUFFER", "-4K", "DMTRACE_BUFFER=-4K: expected a size" },
	{ "DMTRACE_BUFFER", " 4K", "DMTRACE_BUFFER= 4K: expected a size" },
	{ "DMTRACE_BUFFER", "18446744073709551615G", "expected a size" },
	{ "DMTRACE_BUFFER", "99999999999999999999", "expected a size" },
	{ "DMTRACE_FILTER", "a,!/(/",
	    "DMTRACE_FILTER=a,!/(/: not a regular expression: " },
	{ "DMTRACE_FILTER", "/a",
	    "DMTRACE_FILTER=/a: a regular expression is written between two" },
	{ "DMTRACE_FILTER", "a,!", "DMTRACE_FILTER=a,!: nothing follows the" },
	{ "DMTRACE_FILTER", "!!a", "DMTRACE_FILTER=!!a: a second \"!\"" },
	{ "DMTRACE_CLOCK", "Wall", "expected wall, thread-cpu or dual" },
	{ "DMTRACE_DEPTH", "0", "expected 1 to 16777216 open calls" },
	{ "DMTRACE_DEPTH", "16777217", "expected 1 to 16777216 open calls" },
	{ "DMTRACE_FORK", "2", "expected 0 or 1" },
	{ "DMTRACE_FORK", "yes", "expected 0 or 1" },
	{ "DMTRACE_FULL", "full", "expected flush, stop or ring" },
	{ "DMTRACE_FUNCTIONS", "67108865", "expected 1 to 67108864 functions" },
	{ "DMTRACE_MAX_TIME", "4294967296", "expected 1 to 4294967295 micro" },
	{ "DMTRACE_MEMORY", "x", "expected a size of at least 4K" },
	{ "DMTRACE_OUTPUT", "a%", "only p, n and % are known" },
	{ "DMTRACE_OUTPUT", "%d", "only p, n and % are known" },
	{ "DMTRACE_VERSION", "0", "expected 1, 2 or 3" },
	{ "DMTRACE_VERSION", "2x", "expected 1, 2 or 3" },
};

START_TEST(reports_the_valid_values)
{
	clear();
	setenv(bad[_i].name, bad[_i].value, 1);
	dmt_settings_read(&settings);
	ck_assert_ptr_nonnull(strstr(settings.problem, bad[_i].name));
	ck_assert_ptr_nonnull(strstr(settings.problem, bad[_i].problem));
	dmt_hook_filter_fini(&settings.filter);
}
END_TEST

START_TEST(two_clocks_need_version_3)
{
	clear();
	setenv("DMTRACE_CLOCK", "dual", 1);
	setenv("DMTRACE_VERSION", "2", 1);
	dmt_settings_read(&settings);
	ck_assert_str_eq(settings.problem,
	    "DMTRACE_CLOCK=dual: needs DMTRACE_VERSION=3");
}
END_TEST

START_TEST(a_name_that_is_too_long_is_a_problem)
{
	static char name[2 * PATH_MAX];

	clear();
	memset(name, 'n', sizeof(name) - 1);
	setenv("DMTRACE_OUTPUT", name, 1);
	dmt_settings_read(&settings);
	ck_assert_ptr_nonnull(strstr(settings.problem, "the name is too long"));
}
END_TEST

/* "#" stands for the number of this process. */
static const struct {
	const char *template;
	bool own;
	const char *path;
	const char *heritage;
} paths[] = {
	{ "x.trace", false, "x.trace", "x-%p.trace" },
	{ "x.trace", true, "x-#.trace", "x-%p.trace" },
	{ "x.key", true, "x-#.key", "x-%p.key" },
	{ "x.data", true, "x-#.data", "x-%p.data" },
	{ "x", true, "x-#", "x-%p" },
	{ ".trace", true, ".trace-#", ".trace-%p" },
	{ "x.%p", false, "x.#", "x.%p" },
	{ "x%%p", false, "x%p", "x%%p-%p" },
	{ "%n", false, "test_hook_settings", "%n-%p" },
	{ "%p%p%%", true, "##%", "%p%p%%" },
	{ "there-%p.trace", false, "there-#-2.trace", "there-%p.trace" },
	{ "pair-%p.trace", false, "pair-#-2.trace", "pair-%p.trace" },
};

/* The text with the number in place of "#". */
static void
fill_in(const char *text, char out[PATH_MAX])
{
	size_t len = 0;

	for (; *text != '\0'; text++)
		if (*text == '#')
			len += (size_t)sprintf(out + len, "%ld",
			    (long)getpid());
		else
			out[len++] = *text;
	out[len] = '\0';
}

static void
touch(const char *text)
{
	char path[PATH_MAX];

	fill_in(text, path);
	close(open(path, O_WRONLY | O_CREAT, 0666));
}

START_TEST(names_a_file_of_its_own)
{
	char path[PATH_MAX], wanted[PATH_MAX], heritage[PATH_MAX];

	touch("there-#.trace");
	touch("pair-#.data");
	ck_assert(dmt_settings_path(paths[_i].template, paths[_i].own, path));
	fill_in(paths[_i].path, wanted);
	ck_assert_str_eq(path, wanted);
	ck_assert(dmt_settings_heritage(paths[_i].template, heritage));
	ck_assert_str_eq(heritage, paths[_i].heritage);
}
END_TEST

START_TEST(refuses_names_that_grow_too_long)
{
	static char template[PATH_MAX];
	char path[PATH_MAX];

	memset(template, 'n', sizeof(template) - 3);
	ck_assert(dmt_settings_path(template, false, path));
	ck_assert(!dmt_settings_path(template, true, path));
	ck_assert(!dmt_settings_heritage(template, path));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("hook_settings");
	TCase *tcase = unit_tcase(suite, "settings");

	tcase_add_test(tcase, has_defaults);
	tcase_add_test(tcase, reads_every_variable);
	ADD_CASES(tcase, reports_the_valid_values, bad);
	tcase_add_test(tcase, two_clocks_need_version_3);
	tcase_add_test(tcase, a_name_that_is_too_long_is_a_problem);
	ADD_CASES(tcase, names_a_file_of_its_own, paths);
	tcase_add_test(tcase, refuses_names_that_grow_too_long);
	return unit_main(suite);
}
