/* export_html.c - writes a profile as a page like that of export_view.c */

/*
 * The page has no steps, and thus no timeline, but only sums: the paths of
 * calls of the profile. From them the script computes methods, callers and
 * callees, as it does for traces. If the profile has tables per thread, each
 * is a thread of the page; otherwise the whole profile is one thread.
 */

#include <dmtrace/export.h>

#include <inttypes.h>
#include <string.h>

#include "private/put.h"
#include "export/view_page.h"
#include "private/export.h"
#include "private/output.h"
#include "profile/profile.h"

static const char *const sort_words[] = {
	[DMT_HTML_INCLUSIVE] = "inclusive",
	[DMT_HTML_EXCLUSIVE] = "exclusive",
	[DMT_HTML_CALLS] = "calls",
	[DMT_HTML_PER_CALL] = "per-call",
	[DMT_HTML_OFF_CPU] = "off-cpu",
	[DMT_HTML_NAME] = "name",
};

/* Writes the methods by index; names only of those that were called. */
static void
put_html_methods(const struct dmtrace_profile *profile, struct dmt_output *out)
{
	const size_t methods = dmtrace_profile_method_count(profile);

	dmt_put(out, ",\n\"methods\":[");
	for (size_t i = 1; i < methods; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		dmt_put(out, i > 1 ? ",\n[" : "\n[");
		if (method.calls + method.recursive_calls == 0) {
			dmt_put(out, "\"\",\"\",\"\"]");
			continue;
		}
		dmt_view_put_string(out, method.class_name);
		dmt_put(out, ",");
		dmt_view_put_string(out, method.name);
		dmt_put(out, ",");
		dmt_view_put_string(out, method.signature);
		dmt_put(out, "]");
	}
	dmt_put(out, "]");
}

/* Writes a row for each method that was called: index, minimum, median, 90 and
 * 99 %, maximum, mean and deviation. */
static void
put_durations(const struct dmtrace_profile *profile, size_t table,
    struct dmt_output *out)
{
	static const double percents[] = { 50, 90, 99 };
	const size_t methods = dmtrace_profile_method_count(profile);
	const char *separator = "";

	dmt_put(out, "[");
	for (size_t i = 1; i < methods; i++) {
		struct dmtrace_profile_calls calls;

		dmtrace_profile_calls_get(profile, table, i, &calls);
		if (calls.calls == 0)
			continue;
		dmt_put_format(out, "%s[%zu,%" PRId64, separator, i - 1,
		    calls.min_ns);
		for (size_t n = 0; n < sizeof(percents) / sizeof(*percents);
		    n++)
			dmt_put_format(out, ",%" PRId64,
			    dmtrace_profile_percentile(profile, table, i,
			    percents[n]));
		dmt_put_format(out, ",%" PRId64 ",", calls.max_ns);
		dmt_put_parts(out, calls.mean_ns * 10, 10);
		dmt_put(out, ",");
		dmt_put_parts(out, calls.deviation_ns * 10, 10);
		dmt_put(out, "]");
		separator = ",\n";
	}
	dmt_put(out, "]");
}

static void
put_html_thread(const struct dmtrace_profile *profile,
    const struct dmt_html_options *options, size_t index,
    struct dmt_output *out)
{
	struct dmtrace_profile_thread thread = { .name = { "", 0 } };

	if (options->per_thread)
		dmtrace_profile_thread_get(profile, index, &thread);
	dmt_put_format(out, "%s\n[%" PRIu32 ",", index > 0 ? "," : "",
	    thread.number);
	dmt_view_put_string(out, thread.name);
	dmt_put_format(out, ",%" PRIu64 ",0,0,0,0,[0,0],[0,0],null",
	    thread.calls);
	if (options->per_thread && options->calls) {
		dmt_put(out, ",");
		put_durations(profile, index + 1, out);
	}
	dmt_put(out, "]");
}

static void
put_report(const struct dmtrace_profile *profile,
    const struct dmt_html_options *options, const char *title, size_t threads,
    struct dmt_output *out)
{
	struct dmtrace_profile_summary summary;

	dmtrace_profile_summary_get(profile, &summary);
	const int *const has = summary.has_clock;
	const bool cpu_first = options->clock == DMTRACE_CLOCK_THREAD_CPU;
	dmt_put(out, "<script type=\"application/json\" class=\"trace\">"
	    "{\"name\":");
	dmt_view_put_string(out, (struct dmtrace_text){ title,
	    strlen(title) });
	if (options->note != NULL) {
		dmt_put(out, ",\"note\":");
		dmt_view_put_string(out, (struct dmtrace_text){ options->note,
		    strlen(options->note) });
	}
	dmt_put_format(out, ",\"clocks\":[%s%s%s],\"unit\":1000,"
	    "\"comparable\":false,\"events\":%" PRIu64 ",\"summed\":0,"
	    "\"limit\":0", has[cpu_first ? 0 : 1] ?
	    (cpu_first ? "\"cpu\"" : "\"wall\"") : "",
	    has[0] && has[1] ? "," : "", has[cpu_first ? 1 : 0] ?
	    (cpu_first ? "\"wall\"" : "\"cpu\"") : "", summary.records);
	dmt_put(out, summary.lower_bounds ? ",\"bounds\":true" :
	    ",\"bounds\":false");
	dmt_put_format(out, ",\"report\":{\"traces\":%" PRIu64
	    ",\"threads\":%zu,\"sort\":\"%s\",",
	    summary.traces, dmtrace_profile_thread_count(profile),
	    sort_words[options->sort]);
	dmt_put_format(out, "\"top\":%zu,\"threshold\":", options->top);
	dmt_put_parts(out, options->threshold * 100, 100);
	dmt_put(out, "}");
	if (options->calls) {
		dmt_put(out, ",\"durations\":");
		put_durations(profile, 0, out);
	}
	put_html_methods(profile, out);
	dmt_put(out, ",\n\"threads\":[");
	for (size_t i = 0; i < threads; i++)
		put_html_thread(profile, options, i, out);
	dmt_put(out, "]}</script>\n");
}

enum dmtrace_status
dmt_export_html(const struct dmtrace_profile *profile,
    const struct dmt_html_options *asked, struct dmt_output *out)
{
	const struct dmt_html_options none = { 0 };
	const struct dmt_html_options *const options =
	    asked != NULL ? asked : &none;
	const unsigned needed = DMTRACE_PROFILE_TREE |
	    (options->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (options->calls ? DMTRACE_PROFILE_CALLS : 0);
	const char *const title = options->title != NULL ? options->title :
	    "dmtrace report";

	if ((profile->keep & needed) != needed ||
	    dmtrace_profile_method_count(profile) == 0)
		return DMTRACE_ERR_STATE;
	const size_t threads = options->per_thread ?
	    dmtrace_profile_thread_count(profile) : 1;

	dmt_view_put_begin(out, title);
	put_report(profile, options, title, threads, out);
	dmt_view_put_text(out, "sums", 0);
	for (size_t i = 0; i < threads; i++) {
		const size_t table = options->per_thread ? i + 1 : 0;
		const size_t count =
		    dmtrace_profile_node_count(profile, table);

		for (size_t k = 0; k < count; k++) {
			struct dmtrace_profile_node node;

			dmtrace_profile_node_get(profile, table, k, &node);
			dmt_view_put_sum(out, k - node.parent, node.method,
			    node.calls, (const uint64_t[]){
			    (uint64_t)node.exclusive_ns[0],
			    (uint64_t)node.exclusive_ns[1] },
			    node.exclusive_partial != 0);
		}
		dmt_put(out, "\n");
	}
	dmt_put(out, "</script>\n");
	dmt_view_put_end(out);
	return DMTRACE_OK;
}
