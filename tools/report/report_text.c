/* report_text.c - a report for people */

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/clock_option.h"

#define INDENT_MAX 40		/* levels */

static void
put_clocks(struct strbuf *buffer, const struct report *report,
    const int64_t ns[DMTRACE_PROFILE_CLOCKS])
{
	const char *separator = "";

	for (int clock = DMTRACE_PROFILE_CLOCKS; clock-- > 0; ) {
		if (!report->summary.has_clock[clock])
			continue;
		strbuf_string(buffer, separator);
		column_us(buffer, 0, ns[clock]);
		strbuf_printf(buffer, " us of %s time", clock_names[clock]);
		separator = ",";
	}
}

static void
put_summary_text(struct report *report)
{
	struct strbuf *buffer = &report->table.buffer;
	const struct dmtrace_profile_summary *summary = &report->summary;

	report_put_unreadable(report, NULL, 0);
	if (summary->traces == 0)
		return;
	const size_t threads = dmtrace_profile_thread_count(report->profile);
	strbuf_string(buffer, "total      ");
	put_clocks(buffer, report, summary->total_ns);
	strbuf_printf(buffer, "\nrecords     %" PRIu64 " of %zu thread%s",
	    summary->records, threads, threads == 1 ? "" : "s");
	if (summary->traces > 1)
		strbuf_printf(buffer, " in %" PRIu64 " traces",
		    summary->traces);
	strbuf_string(buffer, "\n");
	if (summary->overhead_ns[0] != 0 || summary->overhead_ns[1] != 0) {
		strbuf_string(buffer, "subtracted ");
		put_clocks(buffer, report, summary->overhead_ns);
		strbuf_string(buffer, " for reading clocks\n");
	}
	if (summary->lower_bounds)
		strbuf_string(buffer, "note        the buffer was full: calls"
		    " and times are lower bounds\n");
}

static void
put_methods_heading_text(struct report *report)
{
	struct strbuf *buffer = &report->table.buffer;

	strbuf_printf(buffer, "\n%12s %6s %12s %6s %13s %10s", "inclusive us",
	    "%", "exclusive us", "%", "calls", "us/call");
	if (report->both)
		strbuf_printf(buffer, " %12s", "off-CPU us");
	if (report->calls)
		strbuf_printf(buffer, " %9s %9s %9s %9s %9s %9s %9s", "min",
		    "median", "90%", "99%", "max", "mean", "deviation");
	strbuf_string(buffer, "  name\n");
}

static void
put_calls_text(struct report *report, size_t table, size_t index)
{
	static const double percents[] = { 50, 90, 99 };
	struct strbuf *buffer = &report->table.buffer;
	struct dmtrace_profile_calls calls;

	dmtrace_profile_calls_get(report->profile, table, index, &calls);
	column_us(buffer, 10, calls.min_ns);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		column_us(buffer, 10, dmtrace_profile_percentile(
		    report->profile, table, index, percents[i]));
	column_us(buffer, 10, calls.max_ns);
	column_mean_us(buffer, 10, calls.mean_ns);
	column_mean_us(buffer, 10, calls.deviation_ns);
}

static void
put_calls_count(struct report *report,
    const struct dmtrace_profile_method *method)
{
	char count[48];

	snprintf(count, sizeof(count), "%" PRIu64 "+%" PRIu64, method->calls,
	    method->recursive_calls);
	strbuf_printf(&report->table.buffer, " %13s", count);
}

static void
put_method_line(struct report *report, size_t table,
    const struct report_row *row)
{
	struct strbuf *buffer = &report->table.buffer;
	const struct dmtrace_profile_method *method = &row->method;
	const int64_t inclusive = method->inclusive_ns[report->clock];
	const int64_t exclusive = method->exclusive_ns[report->clock];
	const uint64_t calls = method->calls + method->recursive_calls;

	column_us(buffer, 12, inclusive);
	column_percent(buffer, 7, inclusive, report->total_ns);
	column_us(buffer, 13, exclusive);
	column_percent(buffer, 7, exclusive, report->total_ns);
	put_calls_count(report, method);
	column_mean_us(buffer, 11, calls == 0 ? 0 :
	    (double)inclusive / (double)calls);
	if (report->both)
		column_us(buffer, 13,
		    method->inclusive_ns[DMTRACE_PROFILE_WALL] -
		    method->inclusive_ns[DMTRACE_PROFILE_CPU]);
	if (report->calls)
		put_calls_text(report, table, row->index);
	strbuf_string(buffer, "  ");
	report_put_name(report, method);
	strbuf_string(buffer, "\n");
}

/* Times of recursive calls are part of others, hence in brackets. */
static void
put_edge_line(struct report *report, const struct report_row *row,
    int64_t inclusive, bool caller)
{
	struct strbuf *buffer = &report->table.buffer;
	const int64_t time = row->method.inclusive_ns[report->clock];

	if (row->recursive) {
		column_bracketed_us(buffer, 12, time);
		column_blank(buffer, 7);
	} else {
		column_us(buffer, 12, time);
		column_percent(buffer, 7, time, inclusive);
	}
	column_blank(buffer, 20);
	column_count(buffer, 14, row->method.calls);
	column_blank(buffer, 11 + (report->both ? 13 : 0) +
	    (report->calls ? 70 : 0));
	strbuf_string(buffer, caller ? "  < " : "  > ");
	report_put_name(report, &row->method);
	strbuf_string(buffer, "\n");
}

static void
put_edge_lines(struct report *report, const struct report_row *row,
    bool callers)
{
	size_t count;
	const struct report_row *edges = report_edges_get(report, row->index,
	    callers, &count);

	for (size_t i = 0; i < report_shown(report, count); i++)
		put_edge_line(report, &edges[i],
		    row->method.inclusive_ns[report->clock], callers);
}

/* The method between those that called it and those that it called. */
static void
put_method_text(struct report *report, size_t table,
    const struct report_row *row)
{
	if (report->callers)
		put_edge_lines(report, row, true);
	put_method_line(report, table, row);
	if (report->callees)
		put_edge_lines(report, row, false);
	if (report->callers || report->callees)
		strbuf_string(&report->table.buffer, "\n");
}

static void
put_report_thread_name(struct report *report,
    const struct dmtrace_profile_thread *thread)
{
	strbuf_printf(&report->table.buffer, "%" PRIu32 " ", thread->number);
	if (thread->listed)
		strbuf_text(&report->table.buffer, escape_plain,
		    thread->name.bytes,
		    thread->name.len);
	else
		strbuf_string(&report->table.buffer, "(not listed)");
	strbuf_string(&report->table.buffer, "\n");
}

static void
put_threads_heading_text(struct report *report)
{
	struct strbuf *const buffer = &report->table.buffer;

	strbuf_printf(buffer, "\n%12s %6s %12s %12s %12s", "total us", "%",
	    "in methods", "calls", "records");
	if (report->both)
		strbuf_printf(buffer, " %12s", "off-CPU us");
	strbuf_string(buffer, "  thread\n");
}

static void
put_report_thread_text(struct report *report, struct report_row *row)
{
	struct strbuf *buffer = &report->table.buffer;
	struct dmtrace_profile_thread thread;

	dmtrace_profile_thread_get(report->profile, row->index, &thread);
	const int64_t total = thread.total_ns[report->clock];
	column_us(buffer, 12, total);
	column_percent(buffer, 7, total,
	    report->summary.total_ns[report->clock]);
	column_us(buffer, 13, total - thread.top_ns[report->clock]);
	column_count(buffer, 13, thread.calls);
	column_count(buffer, 13, thread.records);
	if (report->both)
		column_us(buffer, 13,
		    thread.total_ns[DMTRACE_PROFILE_WALL] -
		    thread.total_ns[DMTRACE_PROFILE_CPU]);
	strbuf_string(buffer, "  ");
	put_report_thread_name(report, &thread);
}

static void
put_thread_heading_text(struct report *report, size_t index)
{
	struct dmtrace_profile_thread thread;

	dmtrace_profile_thread_get(report->profile, index, &thread);
	strbuf_string(&report->table.buffer, "\nthread ");
	put_report_thread_name(report, &thread);
}

static void
put_left_out_text(struct report *report, size_t lines)
{
	strbuf_printf(&report->table.buffer, "%zu more line%s left out: "
	    "--top=N and --threshold=PERCENT choose, and -f tsv prints all\n",
	    lines, lines == 1 ? " is" : "s are");
}

/* A very deep one is not indented any further. */
static void
put_node_text(struct report *report, const struct report_node *node)
{
	const int64_t total = report->total_ns;
	const int64_t inclusive = node->inclusive_ns[report->clock];
	const int64_t exclusive = node->exclusive_ns[report->clock];
	struct strbuf *buffer = &report->table.buffer;
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(report->profile, node->table,
	    node->method, &method);
	if (node->has_inclusive) {
		column_us(buffer, 12, inclusive);
		column_percent(buffer, 7, inclusive, total);
	}
	column_us(buffer, node->has_inclusive ? 13 : 12, exclusive);
	column_percent(buffer, 7, exclusive, total);
	column_count(buffer, 14, node->calls);
	column_blank(buffer, 2 + 2 * (node->depth < INDENT_MAX ?
	    node->depth : INDENT_MAX));
	if (node->depth > INDENT_MAX)
		strbuf_printf(buffer, "[%zu] ", node->depth);
	report_put_name(report, &method);
	strbuf_string(buffer, "\n");
}

static void
put_tree_heading_text(struct report *report)
{
	strbuf_printf(&report->table.buffer, "\n%12s %6s %12s %6s %13s  path\n",
	    "inclusive us", "%", "exclusive us", "%", "calls");
}

static void
put_up_heading_text(struct report *report)
{
	strbuf_printf(&report->table.buffer, "\n%12s %6s %13s  %s\n",
	    "exclusive us", "%", "calls", "name, and below it who called it");
}

const struct report_printer report_text_printer = {
	.put_beginning = put_summary_text,
	.put_thread_heading = put_thread_heading_text,
	.put_threads_heading = put_threads_heading_text,
	.put_methods_heading = put_methods_heading_text,
	.put_tree_heading = put_tree_heading_text,
	.put_up_heading = put_up_heading_text,
	.put_thread = put_report_thread_text,
	.put_method = put_method_text,
	.put_node = put_node_text,
	.put_left_out = put_left_out_text,
	.up_lines = 1000,
};
