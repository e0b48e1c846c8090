/* test_export_html.c - pages of traces small enough to be counted by hand */

#include "helpers/exports.h"
#include "private/export.h"

static struct dmt_html_options
html_options(void)
{
	struct dmt_html_options options = { 0 };

	options.clock = DMTRACE_CLOCK_THREAD_CPU;
	return options;
}

static enum dmtrace_status
put_html(const struct dmtrace_profile *profile, const void *options,
    struct dmt_output *sink)
{
	return dmt_export_html(profile, options, sink);
}

static char *
html_of(const struct dmtrace_profile *profile,
    const struct dmt_html_options *options)
{
	return export_text(put_html, profile, options);
}

/* The page of a trace that holds a text. */
static void
has(const char *html, const char *text)
{
	ck_assert_msg(strstr(html, text) != NULL, "\"%s\" is missing",
	    text);
}

static size_t
count(const char *html, const char *text)
{
	size_t found = 0;

	while ((html = strstr(html, text)) != NULL) {
		found++;
		html += strlen(text);
	}
	return found;
}

/* Numbers are digits, ' ' being 0 and '!' 1; 2000, twice the nanoseconds of a
 * microsecond, is "^^4": 1 * 32 * 60 + 1 * 60 + 20. */
START_TEST(has_the_paths_that_were_counted_by_hand)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1 1+B1 1+A2 "
	    "1-A2 1-B2", DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);
	const struct dmt_html_options options = html_options();
	char *html = html_of(profile, &options);

	has(html, "\"clocks\":[\"cpu\"],\"unit\":1000,"
	    "\"comparable\":false,\"events\":6,");
	has(html, "\"report\":{\"traces\":1,\"threads\":1,"
	    "\"sort\":\"inclusive\",\"top\":0,\"threshold\":0.00}");
	has(html, "\"methods\":[\n[\"p/K\",\"A\",\"()V\"],\n"
	    "[\"p/K\",\"B\",\"()V\"],\n[\"\",\"\",\"\"],");
	has(html, "id=\"sums-0\">"
	    "     "			/* the top */
	    "!!\"^^4 "			/* A: parent 1 before, word 1, 1 call */
	    "\"\"\"^^4 "			/* B: parent 2 before, word 2 */
	    "!!\"  "			/* A in B */
	    "\n</script>\n");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(says_what_was_asked_for)
{
	struct dmtrace_profile *profile = profile_of("1+A0/0 1-A1/3",
	    DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);
	struct dmt_html_options options = html_options();

	options.sort = DMT_HTML_OFF_CPU;
	options.threshold = 2.5;
	options.top = 7;
	options.note = "not all";
	char *html = html_of(profile, &options);
	has(html, "\"sort\":\"off-cpu\",\"top\":7,\"threshold\":2.50}");
	has(html, ",\"note\":\"not all\",\"clocks\":[\"cpu\",\"wall\"]");
	options.clock = DMTRACE_CLOCK_WALL;
	free(html);
	html = html_of(profile, &options);
	has(html, "\"clocks\":[\"wall\",\"cpu\"]");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(has_each_thread)
{
	struct dmtrace_profile *profile = profile_of(
	    "7+A0 7+B10 7-B90 7-A100 9+B0 9-B10",
	    DMTRACE_PROFILE_TREE | DMTRACE_PROFILE_THREADS,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmt_html_options options = html_options();

	options.per_thread = 1;
	char *html = html_of(profile, &options);
	has(html, "\n[7,\"\",2,");
	has(html, "\n[9,\"\",1,");
	/* A line for each thread: A is its first path, or B. */
	has(html, "id=\"sums-0\">     !!\"");
	has(html, " \n     !\"\"");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(has_how_long_calls_took)
{
	struct dmtrace_profile *profile = profile_of(
	    "1+A0/0 1-A4/10 1+A4/10 1-A10/50",
	    DMTRACE_PROFILE_TREE | DMTRACE_PROFILE_CALLS,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmt_html_options options = html_options();

	options.calls = 1;
	char *html = html_of(profile, &options);
	has(html, "\"durations\":[[0,4000,");
	has(html, ",6000,5000.0,1000.0]]");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

static const struct {
	const char *name;
	const char *json;
} names[] = {
	{ "a<b>\"&'", "\"a\\u003cb>\\\"&'\"" },
	{ "</script><script>alert(1)</script>",
	    "\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"" },
	{ "a\\\x01\xff", "\"a\\\\\\\\\\\\x01\\\\xff\"" },
	{ "<!--", "\"\\u003c!--\"" },
	{ "gr\xc3\xb6\xc3\x9f", "\"gr\xc3\xb6\xc3\x9f\"" },
};

START_TEST(escapes_names)
{
	struct dmtrace_profile *profile = profile_of_name(names[_i].name,
	    strlen(names[_i].name), DMTRACE_PROFILE_TREE);
	const struct dmt_html_options options = html_options();
	char *html = html_of(profile, &options);

	has(html, names[_i].json);
	ck_assert_uint_eq(count(html, "</script"), 3);
	ck_assert_uint_eq(count(html, "<!--"), 0);
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(keeps_a_name_of_20000_bytes)
{
	char name[LONG_NAME + 1];
	struct dmtrace_profile *profile = profile_of_long_name(name);
	struct dmt_html_options options = html_options();

	options.title = "a <b>";
	char *html = html_of(profile, &options);
	ck_assert_uint_eq(count(html, name), 1);
	has(html, "<title>a &lt;b&gt;</title>");
	has(html, "{\"name\":\"a \\u003cb>\"");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(needs_no_network)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1",
	    DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);
	const struct dmt_html_options options = html_options();
	char *html = html_of(profile, &options);

	has(html, "content=\"default-src 'none'; ");
	ck_assert_uint_eq(count(html, "http:") + count(html, "https:") +
	    count(html, " src=") + count(html, "<link"), 0);
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(refuses_what_the_profile_does_not_have)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1",
	    DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);
	struct dmt_html_options options = html_options();

	options.per_thread = 1;
	ck_assert_int_eq(export_status(put_html, profile, &options),
	    DMTRACE_ERR_STATE);
	options.per_thread = 0;
	options.calls = 1;
	ck_assert_int_eq(export_status(put_html, profile, &options),
	    DMTRACE_ERR_STATE);
	dmtrace_profile_free(profile);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("export_html");
	TCase *tcase = unit_tcase(suite, "export_html");

	tcase_add_test(tcase, has_the_paths_that_were_counted_by_hand);
	tcase_add_test(tcase, says_what_was_asked_for);
	tcase_add_test(tcase, has_each_thread);
	tcase_add_test(tcase, has_how_long_calls_took);
	ADD_CASES(tcase, escapes_names, names);
	tcase_add_test(tcase, keeps_a_name_of_20000_bytes);
	tcase_add_test(tcase, needs_no_network);
	tcase_add_test(tcase, refuses_what_the_profile_does_not_have);
	return unit_main(suite);
}
