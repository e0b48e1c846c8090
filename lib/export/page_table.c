/* page_table.c - a table of methods, as it stands in the page */

#include "export/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/items.h"
#include "export/put.h"

static void
put_us(const struct dmt_page *page, int64_t ns)
{
	dmt_put_format(page->sink, "<td>%" PRId64, ns / 1000);
}

/* Of the table's total. */
static void
put_percent(const struct dmt_page *page, int64_t ns)
{
	dmt_put(page->sink, "<td>");
	dmt_put_parts(page->sink, page->total_ns == 0 ? 0 :
	    10000.0 * (double)ns / (double)page->total_ns, 100);
}

/* Microseconds, one decimal. */
static void
put_average(const struct dmt_page *page, double ns)
{
	dmt_put(page->sink, "<td>");
	dmt_put_parts(page->sink, ns / 100, 10);
}

static void
put_head(const struct dmt_page *page, const char *name, const char *text)
{
	static const char *const sorts[] = {
		"inclusive", "exclusive", "calls", "per-call", "off-cpu",
		"name"
	};
	const char *const sorted = sorts[page->options->sort];
	struct dmtrace_sink *const sink = page->sink;

	dmt_put_format(sink, "<th scope=\"col\" data-sort=\"%s\"", name);
	if (strcmp(name, "name") == 0)
		dmt_put(sink, " class=\"name\"");
	if (strcmp(name, sorted) == 0)
		dmt_put_format(sink, " aria-sort=\"%scending\"",
		    strcmp(name, "name") == 0 ? "as" : "des");
	dmt_put_format(sink, "><button type=\"button\">%s</button>\n", text);
}

static void
put_heads(const struct dmt_page *page)
{
	dmt_put(page->sink, "<thead><tr>\n");
	put_head(page, "number", "#");
	put_head(page, "name", "method");
	put_head(page, "inclusive", "inclusive \u00b5s");
	put_head(page, "inclusive-share", "%");
	put_head(page, "exclusive", "exclusive \u00b5s");
	put_head(page, "exclusive-share", "%");
	put_head(page, "calls", "calls");
	put_head(page, "recursive", "recursive");
	put_head(page, "per-call", "\u00b5s/call");
	if (page->off_cpu)
		put_head(page, "off-cpu", "off-CPU \u00b5s");
	if (page->options->calls) {
		put_head(page, "min", "min");
		put_head(page, "median", "median");
		put_head(page, "p90", "90 %");
		put_head(page, "p99", "99 %");
		put_head(page, "max", "max");
		put_head(page, "mean", "mean");
		put_head(page, "deviation", "deviation");
	}
	dmt_put(page->sink, "</tr></thead>\n");
}

static void
put_statistics(const struct dmt_page *page, size_t index)
{
	static const double percents[] = { 50, 90, 99 };
	struct dmtrace_profile_calls calls;

	dmtrace_profile_calls_get(page->profile, page->table, index, &calls);
	put_us(page, calls.min_ns);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		put_us(page, dmtrace_profile_percentile(page->profile,
		    page->table, index, percents[i]));
	put_us(page, calls.max_ns);
	put_average(page, calls.mean_ns);
	put_average(page, calls.deviation_ns);
}

static void
put_name_cell(const struct dmt_page *page,
    const struct dmtrace_profile_method *method)
{
	struct dmtrace_sink *const sink = page->sink;

	dmt_put(sink, "<td class=\"name\"><div><button type=\"button\""
	    " aria-expanded=\"false\">");
	dmt_put_method(sink, DMT_PUT_HTML, method, SIZE_MAX);
	dmt_put(sink, "</button>");
	if (method->signature.len > 0) {
		dmt_put(sink, " <span class=\"note\">");
		dmt_put_name(sink, DMT_PUT_HTML, method->signature, SIZE_MAX);
		dmt_put(sink, "</span>");
	}
	dmt_put(sink, "</div>");
}

static void
put_row(const struct dmt_page *page, uint32_t index,
    const struct dmtrace_profile_method *method)
{
	const enum dmtrace_profile_clock clock = page->clock;
	const uint64_t calls = method->calls + method->recursive_calls;
	const uint32_t reference = page->references[index];

	dmt_put_format(page->sink, "<tr id=\"t%zum%" PRIu32 "\"><td>%" PRIu32,
	    page->table, reference, reference);
	put_name_cell(page, method);
	put_us(page, method->inclusive_ns[clock]);
	put_percent(page, method->inclusive_ns[clock]);
	put_us(page, method->exclusive_ns[clock]);
	put_percent(page, method->exclusive_ns[clock]);
	dmt_put_format(page->sink, "<td>%" PRIu64 "<td>%" PRIu64, calls,
	    method->recursive_calls);
	put_average(page, calls == 0 ? 0 :
	    (double)method->inclusive_ns[clock] / (double)calls);
	if (page->off_cpu)
		put_us(page, method->inclusive_ns[DMTRACE_PROFILE_WALL] -
		    method->inclusive_ns[DMTRACE_PROFILE_CPU]);
	if (page->options->calls)
		put_statistics(page, index);
	dmt_put(page->sink, "</tr>\n");
}

static void
put_rows(const struct dmt_page *page, const struct dmt_item *items,
    size_t count)
{
	const struct dmtrace_html_options *const options = page->options;
	size_t shown = 0;

	for (size_t i = 0; i < count && shown < options->top; i++) {
		const struct dmtrace_profile_method *const method =
		    &items[i].method;

		if (!dmt_is_long(method->inclusive_ns[page->clock],
		    page->total_ns, options->threshold))
			continue;
		put_row(page, items[i].index, method);
		shown++;
	}
}

bool
dmt_page_put_table(struct dmt_page *page, size_t table)
{
	const struct dmtrace_html_options *const options = page->options;
	struct dmtrace_profile_method top;
	size_t count;
	struct dmt_item *const items = dmt_items(page->profile, table,
	    page->clock, options->sort, &count);

	if (items == NULL)
		return false;
	dmtrace_profile_method_get(page->profile, table,
	    DMTRACE_PROFILE_TOP, &top);
	page->table = table;
	page->total_ns = top.inclusive_ns[page->clock];
	dmt_put_format(page->sink, "<table class=\"methods\" id=\"t%zu\">\n",
	    table);
	put_heads(page);
	dmt_put(page->sink, "<tbody>\n");
	put_row(page, DMTRACE_PROFILE_TOP, &top);
	put_rows(page, items, count);
	dmt_put(page->sink, "</tbody>\n</table>\n");
	free(items);
	return true;
}
