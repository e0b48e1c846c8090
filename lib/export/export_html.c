/* export_html.c - a profile as a page that sorts and unfolds its methods */

#include <dmtrace/export.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/items.h"
#include "export/page.h"
#include "export/put.h"
#include "profile/profile.h"

static struct dmtrace_html_options
with_defaults(const struct dmtrace_html_options *options)
{
	struct dmtrace_html_options all = { 0 };

	if (options != NULL)
		all = *options;
	if (all.top == 0)
		all.top = SIZE_MAX;
	return all;
}

static void
put_lines(struct dmtrace_sink *sink, const char *const *lines)
{
	for (; *lines != NULL; lines++) {
		dmt_put(sink, *lines);
		dmt_put(sink, "\n");
	}
}

static void
put_string(struct dmtrace_sink *sink, const char *string)
{
	dmt_put_name(sink, DMT_PUT_HTML,
	    (struct dmtrace_text){ string, strlen(string) }, SIZE_MAX);
}

static bool
put_thread(struct dmt_page *page, size_t table)
{
	struct dmtrace_profile_thread thread;
	struct dmtrace_sink *const sink = page->sink;

	dmtrace_profile_thread_get(page->profile, table - 1, &thread);
	dmt_put(sink, "<details>\n<summary>thread ");
	dmt_put_name(sink, DMT_PUT_HTML, thread.name, SIZE_MAX);
	dmt_put_format(sink, "%s(%" PRIu32 "), %" PRId64 " \u00b5s</summary>\n",
	    thread.name.len > 0 ? " " : "", thread.number,
	    thread.total_ns[page->clock] / 1000);
	const bool fine = dmt_page_put_table(page, table);
	dmt_put(sink, "</details>\n");
	return fine;
}

static size_t
last_table(const struct dmt_page *page)
{
	return page->options->per_thread ?
	    dmtrace_profile_thread_count(page->profile) : 0;
}

static bool
put_tables(struct dmt_page *page)
{
	const size_t last = last_table(page);
	bool fine = true;

	if (last > 0)
		dmt_put(page->sink, "<h2>All threads</h2>\n");
	fine = dmt_page_put_table(page, 0);
	for (size_t i = 1; fine && i <= last; i++)
		fine = put_thread(page, i);
	return fine;
}

/* The names of methods, by reference. */
static bool
put_names(const struct dmt_page *page)
{
	struct dmtrace_sink *const sink = page->sink;
	size_t count;
	struct dmt_item *const items = dmt_items(page->profile, 0,
	    page->clock, DMTRACE_HTML_INCLUSIVE, &count);

	if (items == NULL)
		return false;
	dmt_put(sink, "{\"names\":[\"(toplevel)\"");
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_profile_method *const method =
		    &items[i].method;

		dmt_put(sink, ",\n\"");
		dmt_put_method(sink, DMT_PUT_JSON, method, SIZE_MAX);
		if (method->signature.len > 0)
			dmt_put(sink, " ");
		dmt_put_name(sink, DMT_PUT_JSON, method->signature, SIZE_MAX);
		dmt_put(sink, "\"");
	}
	dmt_put(sink, "],\n");
	free(items);
	return true;
}

static void
put_links(const struct dmt_page *page, size_t table)
{
	struct dmt_link_walk walk = { page->profile, table, 0 };
	struct dmtrace_profile_edge link;
	struct dmtrace_sink *const sink = page->sink;
	const char *separator = "";

	dmt_put(sink, "[");
	for (; dmt_link_next(&walk, &link); separator = ",\n") {
		dmt_put_format(sink, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",",
		    separator, page->references[link.caller],
		    page->references[link.callee], link.calls);
		if (link.callee_recursive)
			dmt_put(sink, "null");
		else
			dmt_put_format(sink, "%" PRId64,
			    link.inclusive_ns[page->clock] / 1000);
	}
	dmt_put(sink, "]");
}

static bool
put_data(const struct dmt_page *page)
{
	struct dmtrace_sink *const sink = page->sink;
	const size_t last = last_table(page);

	dmt_put(sink, "<script type=\"application/json\" id=\"data\">\n");
	if (!put_names(page))
		return false;
	dmt_put(sink, "\"tables\":[");
	for (size_t i = 0; i <= last; i++) {
		dmt_put(sink, i > 0 ? ",\n" : "");
		put_links(page, i);
	}
	dmt_put(sink, "]}\n</script>\n");
	return true;
}

static void
put_begin(const struct dmt_page *page)
{
	struct dmtrace_sink *const sink = page->sink;
	const char *const title = page->options->title == NULL ?
	    "dmtrace report" : page->options->title;

	dmt_put(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n<meta name=\"viewport\""
	    " content=\"width=device-width\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\""
	    " content=\"default-src 'none'; style-src 'unsafe-inline';"
	    " script-src 'unsafe-inline'\">\n<title>");
	put_string(sink, title);
	dmt_put(sink, "</title>\n<style>\n");
	put_lines(sink, dmt_page_style);
	dmt_put(sink, "</style>\n</head>\n<body>\n<h1>");
	put_string(sink, title);
	dmt_put(sink, "</h1>\n");
	if (page->options->note != NULL) {
		dmt_put(sink, "<p><strong>");
		put_string(sink, page->options->note);
		dmt_put(sink, "</strong></p>\n");
	}
}

static void
put_summary(const struct dmt_page *page)
{
	static const char *const words[] = { "CPU", "wall" };
	const struct dmtrace_profile_summary *const summary = &page->summary;
	struct dmtrace_sink *const sink = page->sink;

	dmt_put(sink, "<p>");
	for (int clock = DMTRACE_PROFILE_CLOCKS; clock-- > 0;)
		if (summary->has_clock[clock])
			dmt_put_format(sink, "%" PRId64 " \u00b5s of %s"
			    " time, ", summary->total_ns[clock] / 1000,
			    words[clock]);
	dmt_put_count(sink, summary->records, "record");
	dmt_put(sink, " of ");
	dmt_put_count(sink, dmtrace_profile_thread_count(page->profile),
	    "thread");
	dmt_put(sink, " in ");
	dmt_put_count(sink, summary->traces, "trace");
	dmt_put_format(sink, ". Times below are %s times.",
	    words[page->clock]);
	if (summary->lower_bounds)
		dmt_put(sink, " <strong>The buffer was full: calls and times"
		    " are lower bounds.</strong>");
	dmt_put(sink, "</p>\n<p><label>Find <input type=\"search\""
	    " id=\"find\"></label>\n<span class=\"note\">A click on a method"
	    " shows who called it and whom it calls; on the head of a"
	    " column, sorts.</span></p>\n"
	    "<noscript><p>Sorting and unfolding need JavaScript.</p>"
	    "</noscript>\n");
}

static enum dmtrace_status
check(const struct dmtrace_profile *profile,
    const struct dmtrace_html_options *options)
{
	const unsigned needed = DMTRACE_PROFILE_EDGES |
	    (options->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (options->calls ? DMTRACE_PROFILE_CALLS : 0);

	return (profile->keep & needed) != needed ||
	    profile->method_count == 0 ? DMTRACE_ERR_STATE : DMTRACE_OK;
}

enum dmtrace_status
dmtrace_export_html(const struct dmtrace_profile *profile,
    const struct dmtrace_html_options *options, struct dmtrace_sink *sink)
{
	const struct dmtrace_html_options all = with_defaults(options);
	const enum dmtrace_status status = check(profile, &all);

	if (status != DMTRACE_OK)
		return status;
	const enum dmtrace_profile_clock clock = dmt_profile_clock(all.clock);
	uint32_t *const references = dmt_references(profile, clock);
	struct dmt_page page = {
		.profile = profile, .options = &all, .clock = clock,
		.sink = sink, .references = references
	};
	if (references == NULL)
		return DMTRACE_ERR_MEMORY;
	dmtrace_profile_summary_get(profile, &page.summary);
	page.off_cpu = page.summary.has_clock[DMTRACE_PROFILE_CPU] &&
	    page.summary.has_clock[DMTRACE_PROFILE_WALL];
	put_begin(&page);
	put_summary(&page);
	const bool fine = put_tables(&page) && put_data(&page);
	if (fine) {
		dmt_put(sink, "<script>\n");
		put_lines(sink, dmt_page_script);
		dmt_put(sink, "</script>\n</body>\n</html>\n");
	}
	free(references);
	return fine ? DMTRACE_OK : DMTRACE_ERR_MEMORY;
}
