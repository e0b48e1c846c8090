/* test_export_html.c - pages of traces small enough to be counted by hand */

#include "exports.h"

static struct dmtrace_html_options
html_options(void)
{
	struct dmtrace_html_options options = { 0 };

	options.clock = DMTRACE_CLOCK_THREAD_CPU;
	return options;
}

static enum dmtrace_status
put_html(const struct dmtrace_profile *profile, const void *options,
    struct dmtrace_sink *sink)
{
	return dmtrace_export_html(profile, options, sink);
}

static char *
html_of(const struct dmtrace_profile *profile,
    const struct dmtrace_html_options *options)
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

#define ROW(table, number, name, signature, cells) \
	"<tr id=\"t" table "m" number "\"><td>" number "<td class=\"name\">" \
	"<div><button type=\"button\" aria-expanded=\"false\">" name \
	"</button>" signature "</div>" cells "</tr>\n"
#define VOID " <span class=\"note\">()V</span>"

START_TEST(has_the_rows_and_calls_that_were_counted_by_hand)
{
	struct dmtrace_profile *profile = profile_of(
	    "1+A0 1+B5 1+A10 1+B12 1-B15 1-A20 1-B30 1-A40 1+C43 1-C43",
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	const struct dmtrace_html_options options = html_options();
	char *html = html_of(profile, &options);

	has(html, "<p>43 \u00b5s of CPU time, 10 records of 1 thread in 1"
	    " trace. Times below are CPU times.");
	has(html, "<tbody>\n"
	    ROW("0", "0", "(toplevel)", "", "<td>43<td>100.00<td>3<td>6.98"
	    "<td>0<td>0<td>0.0")
	    ROW("0", "1", "p/K.A", VOID, "<td>40<td>93.02<td>22<td>51.16"
	    "<td>2<td>1<td>20.0")
	    ROW("0", "2", "p/K.B", VOID, "<td>25<td>58.14<td>18<td>41.86"
	    "<td>2<td>1<td>12.5")
	    ROW("0", "3", "p/L.C", VOID, "<td>0<td>0.00<td>0<td>0.00"
	    "<td>1<td>0<td>0.0")
	    "</tbody>\n");
	has(html, "{\"names\":[\"(toplevel)\",\n\"p/K.A ()V\",\n"
	    "\"p/K.B ()V\",\n\"p/L.C ()V\"],\n"
	    "\"tables\":[[0,1,1,40,\n0,3,1,0,\n1,2,2,25,\n2,1,1,null]]}\n"
	    "</script>");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

/* The order of the rows, after the top. */
static const struct {
	enum dmtrace_html_sort sort;
	double threshold;
	size_t top;
	const char *head;
	const char *order[4];
} orders[] = {
	{ DMTRACE_HTML_INCLUSIVE, 0, 0,
	    "data-sort=\"inclusive\" aria-sort=\"descending\"",
	    { "m0", "m1", "m2", "m3" } },
	{ DMTRACE_HTML_EXCLUSIVE, 0, 0,
	    "data-sort=\"exclusive\" aria-sort=\"descending\"",
	    { "m0", "m2", "m1", "m3" } },
	{ DMTRACE_HTML_CALLS, 0, 0,
	    "data-sort=\"calls\" aria-sort=\"descending\"",
	    { "m0", "m3", "m2", "m1" } },
	{ DMTRACE_HTML_PER_CALL, 0, 0,
	    "data-sort=\"per-call\" aria-sort=\"descending\"",
	    { "m0", "m1", "m2", "m3" } },
	{ DMTRACE_HTML_NAME, 0, 0,
	    "data-sort=\"name\" class=\"name\" aria-sort=\"ascending\"",
	    { "m0", "m2", "m3", "m1" } },
	{ DMTRACE_HTML_INCLUSIVE, 25, 0, "", { "m0", "m1", "m2" } },
	{ DMTRACE_HTML_INCLUSIVE, 0, 1, "", { "m0", "m1" } },
};

/* C, the first by time, calls A and, twice, B. */
START_TEST(puts_rows_in_order)
{
	struct dmtrace_profile *profile = profile_of(
	    "1+C0 1+A10 1-A60 1+B60 1-B70 1+B70 1-B80 1-C100",
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_html_options options = html_options();
	char row[32];

	options.sort = orders[_i].sort;
	options.threshold = orders[_i].threshold;
	options.top = orders[_i].top;
	char *html = html_of(profile, &options);
	const char *at = html;
	has(html, orders[_i].head);
	size_t rows = 0;
	for (; rows < 4 && orders[_i].order[rows] != NULL; rows++) {
		snprintf(row, sizeof(row), "<tr id=\"t0%s\">",
		    orders[_i].order[rows]);
		at = strstr(at, row);
		ck_assert_msg(at != NULL, "%s is not where it should be", row);
	}
	ck_assert_uint_eq(count(html, "<tr id="), rows);
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(has_a_table_for_each_thread)
{
	struct dmtrace_profile *profile = profile_of(
	    "7+A0 7+B10 7-B90 7-A100 9+B0 9-B10",
	    DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_THREADS,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_html_options options = html_options();

	options.per_thread = 1;
	char *html = html_of(profile, &options);
	has(html, "<summary>thread (7), 100 \u00b5s</summary>");
	has(html, "<summary>thread (9), 10 \u00b5s</summary>");
	has(html, ROW("2", "2", "p/K.B", VOID,
	    "<td>10<td>100.00<td>10<td>100.00<td>1<td>0<td>10.0"));
	has(html, "\"tables\":[[0,1,1,100,\n0,2,1,10,\n1,2,1,80],\n"
	    "[0,1,1,100,\n1,2,1,80],\n[0,2,1,10]]}");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(has_columns_for_calls_and_the_other_clock)
{
	struct dmtrace_profile *profile = profile_of(
	    "1+A0/0 1-A4/10 1+A4/10 1-A10/50",
	    DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_CALLS,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_html_options options = html_options();

	options.calls = 1;
	char *html = html_of(profile, &options);
	has(html, ">off-CPU \u00b5s</button>");
	has(html, "<td>10<td>100.00<td>10<td>100.00<td>2<td>0<td>5.0<td>40"
	    "<td>4<td>4<td>");
	has(html, "<td>6<td>5.0<td>1.0</tr>");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

static const struct {
	const char *name;
	const char *cell;
	const char *json;
} names[] = {
	{ "a<b>\"&'", "p/K.a&lt;b&gt;&quot;&amp;&#39;</button>",
	    "\"p/K.a\\u003cb>\\\"&' ()V\"" },
	{ "</script><script>alert(1)</script>",
	    "p/K.&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;<",
	    "\"p/K.\\u003c/script>\\u003cscript>alert(1)\\u003c/script>" },
	{ "a\\\x01\xff", "p/K.a\\\\\\x01\\xff</button>",
	    "\"p/K.a\\\\\\\\\\\\x01\\\\xff ()V\"" },
	{ "<!--", "p/K.&lt;!--<", "\"p/K.\\u003c!-- ()V\"" },
	{ "gr\xc3\xb6\xc3\x9f", "p/K.gr\xc3\xb6\xc3\x9f<",
	    "\"p/K.gr\xc3\xb6\xc3\x9f ()V\"" },
};

START_TEST(escapes_names)
{
	struct dmtrace_profile *profile = profile_of_name(names[_i].name,
	    strlen(names[_i].name), DMTRACE_PROFILE_EDGES);
	const struct dmtrace_html_options options = html_options();
	char *html = html_of(profile, &options);

	has(html, names[_i].cell);
	has(html, names[_i].json);
	ck_assert_uint_eq(count(html, "</script"), 2);
	ck_assert_uint_eq(count(html, "<!--"), 0);
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(keeps_a_name_of_20000_bytes)
{
	char name[LONG_NAME + 1];
	struct dmtrace_profile *profile = profile_of_long_name(name);
	struct dmtrace_html_options options = html_options();

	options.title = "a <b>";
	char *html = html_of(profile, &options);
	ck_assert_uint_eq(count(html, name), 2);
	has(html, "<title>a &lt;b&gt;</title>");
	has(html, "<h1>a &lt;b&gt;</h1>");
	free(html);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(needs_no_network)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1",
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	const struct dmtrace_html_options options = html_options();
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
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_html_options options = html_options();

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

START_TEST(stands_every_failing_allocation)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1",
	    DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_THREADS,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_html_options options = html_options();

	options.per_thread = 1;
	assert_tells_no_memory(put_html, profile, &options);
	dmtrace_profile_free(profile);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("export_html");
	TCase *tcase = unit_tcase(suite, "export_html");

	tcase_add_test(tcase, has_the_rows_and_calls_that_were_counted_by_hand);
	ADD_CASES(tcase, puts_rows_in_order, orders);
	tcase_add_test(tcase, has_a_table_for_each_thread);
	tcase_add_test(tcase, has_columns_for_calls_and_the_other_clock);
	ADD_CASES(tcase, escapes_names, names);
	tcase_add_test(tcase, keeps_a_name_of_20000_bytes);
	tcase_add_test(tcase, needs_no_network);
	tcase_add_test(tcase, refuses_what_the_profile_does_not_have);
	tcase_add_test(tcase, stands_every_failing_allocation);
	return unit_main(suite);
}
