/* report_text.c - prints a report for people */

/*
 * Figures are printed before names, so that a narrow terminal only cuts names.
 * Columns that would be 0 in every row are left out: recursive calls, and time
 * off the CPU. If a terminal has no space for names next to all columns, both
 * are left out, and with --durations also shares and all but the most important
 * statistics.
 */

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/clock_option.h"
#include "cli/decimal.h"
#include "private/text.h"

#define LINE_WIDTH 80
#define FIGURES_WIDTH 45	/* of what follows the title on its line */
#define TITLE_MIN 20

/* Widths of columns, each with a blank before it. */
enum {
	WIDTH_DURATION = 10,
	WIDTH_SHARE = 8,
	WIDTH_CALLS = 8,
	WIDTH_RECURSIVE = 11,
	WIDTH_STATISTIC = 10,
	WIDTH_NODE_NAME = 27,		/* left for names in trees, with the
					   depth as a number */
	CHAIN_NAMES_LEAST = 8,		/* both of a chain */
	TREE_WIDE = 88			/* all figures of a tree, and a name of
					   its chains beside the other */
};

static const char *const statistics[REPORT_STATISTICS] =
    { "min", "median", "90 %", "99 %", "max", "mean", "deviation" };

static int64_t
off_cpu_ns(const int64_t ns[DMTRACE_PROFILE_CLOCKS])
{
	return ns[DMTRACE_PROFILE_WALL] - ns[DMTRACE_PROFILE_CPU];
}

/* A column with a time of the report's clock, and one with its share of a
 * total; empty if they are not known. */
static void
put_known(const struct report *report, struct dmt_output *buffer, size_t width,
    int64_t ns, int partial)
{
	if (report_lacks(report, partial))
		column_blank(buffer, width);
	else
		column_duration(buffer, width, ns);
}

static void
put_share(const struct report *report, struct dmt_output *buffer, int64_t ns,
    int partial, int64_t total_ns, int total_partial)
{
	if (report_lacks(report, partial | total_partial))
		column_blank(buffer, WIDTH_SHARE);
	else
		column_share(buffer, WIDTH_SHARE, ns, total_ns);
}

/* Off-CPU time is not known if CPU time is not, whatever the clock is. */
static void
put_off_cpu(struct dmt_output *buffer, const int64_t ns[DMTRACE_PROFILE_CLOCKS],
    int partial)
{
	if (partial)
		column_blank(buffer, WIDTH_DURATION);
	else
		column_duration(buffer, WIDTH_DURATION, off_cpu_ns(ns));
}

/* Writes "wall time 1.2 s (CPU time 310 ms)", the report's clock first. */
static void
put_clock_times(struct dmt_output *buffer, const struct report *report,
    size_t threads)
{
	char text[DMTRACE_PROFILE_CLOCKS][DURATION_MAX];

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		duration_round(text[clock], report->summary.total_ns[clock]);
	if (report->summary.total_partial)
		snprintf(text[DMTRACE_PROFILE_CPU], DURATION_MAX, "unknown");
	dmt_put_format(buffer, "%s time", clock_names[report->clock]);
	if (threads > 1)
		dmt_put_format(buffer, ", sum over %zu threads", threads);
	dmt_put_format(buffer, " %s", text[report->clock]);
	if (report->both)
		dmt_put_format(buffer, " (%s time %s)",
		    clock_names[!report->clock], text[!report->clock]);
}

/* Returns the time in methods of the platform that wait; 0 for groups of
 * methods. *name is the one with most time; *count says how many have some. */
static int64_t
find_waiting(const struct report *report, const char **name, size_t *count)
{
	static const struct {
		const char *class_name, *name, *brief;
	} waiting[] = {
		{ "java.lang.Object", "wait", "Object.wait" },
		{ "java.lang.Thread", "sleep", "Thread.sleep" },
		{ "android.os.MessageQueue", "nativePollOnce",
		    "nativePollOnce" },
		{ "jdk.internal.misc.Unsafe", "park", "Unsafe.park" },
		{ "sun.misc.Unsafe", "park", "Unsafe.park" },
	};
	enum { WAITING = sizeof(waiting) / sizeof(waiting[0]) };
	const size_t methods = dmtrace_profile_method_count(report->profile);
	int64_t ns[WAITING] = { 0 }, sum = 0;
	size_t most = 0;

	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < methods; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(report->profile, 0, i, &method);
		for (size_t k = 0; k < WAITING; k++)
			if (dmt_text_is(method.name, waiting[k].name) &&
			    dmt_class_compare(method.class_name,
			    dmt_text_of(waiting[k].class_name)) == 0)
				ns[k] += method.exclusive_ns[report->clock];
	}
	*count = 0;
	for (size_t k = 0; k < WAITING; k++) {
		sum += ns[k];
		*count += ns[k] > 0;
		most = ns[k] > ns[most] ? k : most;
	}
	*name = waiting[most].brief;
	return sum;
}

/* If most of the time of several threads was spent off the CPU, says so, and
 * which options show the work, with their figures. Without CPU time, it says
 * how much is in methods that wait. */
static void
put_advice_text(struct report *report, size_t threads)
{
	const struct dmtrace_profile_summary *const summary = &report->summary;
	struct dmt_output *const buffer = &report->table.buffer;
	const int64_t wall = summary->total_ns[DMTRACE_PROFILE_WALL];
	const int64_t cpu = summary->total_ns[DMTRACE_PROFILE_CPU];
	const bool known = report->both && !summary->total_partial;
	int64_t of_main[DMTRACE_PROFILE_CLOCKS] = { 0, 0 };
	bool partial = !report->both;
	char share[DMT_FIGURE_MAX], time[DURATION_MAX];

	if (report->clock != DMTRACE_PROFILE_WALL || threads < 2 ||
	    report->threads || (known && (cpu < 0 || cpu > wall / 2)))
		return;
	for (size_t i = 0; i < threads; i++) {
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(report->profile, i, &thread);
		if (thread.name.len != 4 ||
		    memcmp(thread.name.bytes, "main", 4) != 0)
			continue;
		for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
			of_main[clock] += thread.total_ns[clock];
		partial |= thread.total_partial;
	}

	const int64_t main_ns = of_main[DMTRACE_PROFILE_WALL];
	if (known) {
		dmt_put_format(buffer, "%s is off the CPU: see ",
		    dmt_share_format(share, wall - cpu, wall));
	} else {
		const char *name;
		size_t count;
		const int64_t waiting = find_waiting(report, &name, &count);

		if (waiting > 0)
			dmt_put_format(buffer, "%s is waiting in %s%s%s",
			    dmt_share_format(share, waiting, wall), name,
			    count > 1 ? " etc." : "",
			    report->both ? "" : ", CPU time unknown");
		else
			dmt_put(buffer, "without CPU time, waiting counts "
			    "like work");
		dmt_put(buffer, main_ns > 0 ? ": see " : "");
	}
	if (main_ns > 0)
		dmt_put_format(buffer, "-t main (%s",
		    duration_round(time, main_ns));
	if (main_ns > 0 && !partial)
		dmt_put_format(buffer, ", %s CPU", dmt_share_format(share,
		    of_main[DMTRACE_PROFILE_CPU], main_ns));
	if (main_ns > 0)
		dmt_put(buffer, known ? "), " : ")");
	if (known)
		dmt_put_format(buffer, "--clock=cpu (%s)",
		    duration_round(time, cpu));
	dmt_put(buffer, "\n");
}

static void
put_summary_text(struct report *report)
{
	struct dmt_output *const buffer = &report->table.buffer;
	const struct dmtrace_profile_summary *const summary = &report->summary;
	struct dmt_output times = { 0 };
	char text[DURATION_MAX];

	report_put_unreadable(report, NULL, 0);
	if (summary->traces == 0)
		return;
	const size_t begin = buffer->len;
	const size_t threads = dmtrace_profile_thread_count(report->profile);
	escape_put(buffer, escape_plain, report->title,
	    strlen(report->title));
	if (report->table.out.columns > 0)
		column_shorten(buffer, begin, report->table.out.columns >
		    FIGURES_WIDTH + TITLE_MIN ? report->table.out.columns -
		    FIGURES_WIDTH : TITLE_MIN);
	dmt_put(buffer, ": ");
	if (summary->traces == 1 && summary->span_ns > 0)
		dmt_put_format(buffer, "%s, ",
		    duration_round(text, summary->span_ns));
	dmt_put_count(buffer, threads, "thread");
	dmt_put(buffer, ", ");
	dmt_put_count(buffer, summary->records, "event");

	/* On one line if that fits most terminals. */
	put_clock_times(&times, report, threads);
	dmt_put(buffer, buffer->len - begin + 2 + times.len > LINE_WIDTH ?
	    ";\n    " : "; ");
	dmt_put_output(buffer, &times);
	dmt_output_fini(&times);
	dmt_put(buffer, "\n");
	put_advice_text(report, threads);
	if (summary->overhead_ns[report->clock] != 0)
		dmt_put_format(buffer, "subtracted for reading clocks: %s\n",
		    duration_round(text, summary->overhead_ns[report->clock]));
	if (summary->lower_bounds)
		dmt_put(buffer, "the buffer was full: calls and times "
		    "are lower bounds\n");
}

/* Chooses the optional columns of a table: those that its rows need, and that
 * fit on the terminal. */
static struct report_text_columns
choose_text_columns(const struct report *report, const struct report_row *rows,
    size_t count)
{
	/* median, max, 99 %, 90 %, min, mean, deviation */
	static const size_t by_importance[REPORT_STATISTICS] =
	    { 1, 4, 3, 2, 0, 5, 6 };
	const struct table *const table = &report->table;
	const size_t shares = 2 * WIDTH_SHARE;
	const size_t optional = WIDTH_RECURSIVE + WIDTH_DURATION;
	size_t used = 2 * WIDTH_DURATION + shares + WIDTH_CALLS;
	const bool is_wide = table_has_room(table, used + optional);
	struct report_text_columns text = {
		.shares = !report->calls || table_has_room(table,
		    used + optional + REPORT_STATISTICS * WIDTH_STATISTIC),
		.per_call = report->sort == REPORT_SORT_PER_CALL
	};

	for (size_t i = 0; i < count; i++) {
		text.recursive |= is_wide &&
		    rows[i].method.recursive_calls > 0;
		text.off_cpu |= report->both &&
		    (is_wide || report->sort == REPORT_SORT_OFF_CPU) &&
		    off_cpu_ns(rows[i].method.inclusive_ns) != 0;
	}
	used -= text.shares ? 0 : shares;
	used += (text.recursive ? WIDTH_RECURSIVE : 0) +
	    (text.per_call ? WIDTH_DURATION : 0) +
	    (text.off_cpu ? WIDTH_DURATION : 0);
	for (size_t i = 0; report->calls && i < REPORT_STATISTICS &&
	    table_has_room(table, used + WIDTH_STATISTIC); i++) {
		text.statistics[by_importance[i]] = true;
		text.statistic_count++;
		used += WIDTH_STATISTIC;
	}
	return text;
}

static void
put_heading_text(struct report *report, enum report_table what,
    const struct report_row *rows, size_t count)
{
	struct dmt_output *const buffer = &report->table.buffer;
	const struct report_text_columns *const text = &report->text;

	dmt_put(buffer, "\n");
	if (what == REPORT_THREADS) {
		report->text = (struct report_text_columns){
			.shares = true, .off_cpu = report->both &&
			    (report->sort == REPORT_SORT_OFF_CPU ||
			    table_has_room(&report->table, 3 * WIDTH_DURATION +
			    WIDTH_SHARE + 2 * WIDTH_CALLS + 7))
		};
		column_string(buffer, WIDTH_DURATION, "total");
		column_blank(buffer, WIDTH_SHARE);
		column_string(buffer, WIDTH_DURATION + 1, "in methods");
		if (text->off_cpu)
			column_string(buffer, WIDTH_DURATION, "off CPU");
		column_string(buffer, WIDTH_CALLS + 3, "calls");
		column_string(buffer, WIDTH_CALLS + 3, "events");
		dmt_put(buffer, "  thread\n");
		return;
	}

	report->text = what == REPORT_METHODS ?
	    choose_text_columns(report, rows, count) :
	    (struct report_text_columns){ .shares = true };
	const size_t share = text->shares ? WIDTH_SHARE : 0;
	if (what == REPORT_TREE)
		report->text.no_exclusive_share =
		    !table_has_room(&report->table, TREE_WIDE);
	column_string(buffer, WIDTH_DURATION, "exclusive");
	column_blank(buffer, text->no_exclusive_share ? 0 : share);
	if (what != REPORT_BOTTOM_UP) {
		column_string(buffer, WIDTH_DURATION, "inclusive");
		column_blank(buffer, share);
	}
	column_string(buffer, WIDTH_CALLS, "calls");
	if (what != REPORT_METHODS) {
		dmt_put(buffer, what == REPORT_TREE ? "  path\n" :
		    "  method, and below it who called it\n");
		return;
	}
	if (text->recursive)
		column_string(buffer, WIDTH_RECURSIVE, "recursive");
	if (text->per_call)
		column_string(buffer, WIDTH_DURATION, "per call");
	if (text->off_cpu)
		column_string(buffer, WIDTH_DURATION, "off CPU");
	for (size_t i = 0; i < REPORT_STATISTICS; i++)
		if (text->statistics[i])
			column_string(buffer, WIDTH_STATISTIC, statistics[i]);
	dmt_put(buffer, report->groups ? "  name\n" : "  method\n");
}

static void
put_calls_text(struct report *report, size_t table, size_t index)
{
	struct dmt_output *const buffer = &report->table.buffer;
	struct dmtrace_profile_calls calls;

	dmtrace_profile_calls_get(report->profile, table, index, &calls);
	if (calls.calls == 0) {
		column_blank(buffer,
		    report->text.statistic_count * WIDTH_STATISTIC);
		return;
	}
	const int64_t values[REPORT_STATISTICS] = {
		calls.min_ns,
		dmtrace_profile_percentile(report->profile, table, index, 50),
		dmtrace_profile_percentile(report->profile, table, index, 90),
		dmtrace_profile_percentile(report->profile, table, index, 99),
		calls.max_ns, (int64_t)calls.mean_ns,
		(int64_t)calls.deviation_ns
	};
	for (size_t i = 0; i < REPORT_STATISTICS; i++)
		if (report->text.statistics[i])
			column_duration(buffer, WIDTH_STATISTIC, values[i]);
}

static void
put_method_line(struct report *report, size_t table,
    const struct report_row *row)
{
	struct dmt_output *const buffer = &report->table.buffer;
	const struct dmtrace_profile_method *const method = &row->method;
	const int64_t inclusive = method->inclusive_ns[report->clock];
	const int64_t exclusive = method->exclusive_ns[report->clock];
	const uint64_t calls = method->calls + method->recursive_calls;
	const size_t begin = buffer->len;

	put_known(report, buffer, WIDTH_DURATION, exclusive,
	    method->exclusive_partial);
	if (report->text.shares)
		put_share(report, buffer, exclusive, method->exclusive_partial,
		    report->total_ns, report->total_partial);
	put_known(report, buffer, WIDTH_DURATION, inclusive,
	    method->inclusive_partial);
	if (report->text.shares)
		put_share(report, buffer, inclusive, method->inclusive_partial,
		    report->total_ns, report->total_partial);
	column_count(buffer, WIDTH_CALLS, calls);
	if (report->text.recursive)
		column_count(buffer, WIDTH_RECURSIVE, method->recursive_calls);
	if (report->text.per_call)
		put_known(report, buffer, WIDTH_DURATION, calls == 0 ? 0 :
		    inclusive / (int64_t)calls, method->inclusive_partial);
	if (report->text.off_cpu)
		put_off_cpu(buffer, method->inclusive_ns,
		    method->inclusive_partial);
	if (report->calls)
		put_calls_text(report, table, row->index);
	dmt_put(buffer, "  ");
	const size_t name = buffer->len;
	report_put_name(report, method);
	table_end_line(&report->table, begin, name);
}

/* Times of recursive calls are included in others, so they are in brackets. */
static void
put_edge_line(struct report *report, const struct report_row *row,
    const struct report_row *of, bool caller)
{
	struct dmt_output *const buffer = &report->table.buffer;
	const int64_t time = row->method.inclusive_ns[report->clock];
	const size_t begin = buffer->len;
	const size_t share = report->text.shares ? WIDTH_SHARE : 0;

	column_blank(buffer, WIDTH_DURATION + share);
	const int partial = row->method.inclusive_partial;

	if (row->recursive && !report_lacks(report, partial)) {
		char text[DURATION_MAX], bracketed[DURATION_MAX + 2];

		snprintf(bracketed, sizeof(bracketed), "(%s)",
		    duration_round(text, time));
		column_string(buffer, WIDTH_DURATION, bracketed);
		column_blank(buffer, share);
	} else {
		put_known(report, buffer, WIDTH_DURATION, time, partial);
		if (report->text.shares)
			put_share(report, buffer, time, partial,
			    of->method.inclusive_ns[report->clock],
			    of->method.inclusive_partial);
	}
	column_count(buffer, WIDTH_CALLS, row->method.calls);
	column_blank(buffer, (report->text.recursive ? WIDTH_RECURSIVE : 0) +
	    (report->text.per_call ? WIDTH_DURATION : 0) +
	    (report->text.off_cpu ? WIDTH_DURATION : 0) +
	    report->text.statistic_count * WIDTH_STATISTIC);
	dmt_put(buffer, caller ? "  < " : "  > ");
	const size_t name = buffer->len;
	report_put_name(report, &row->method);
	table_end_line(&report->table, begin, name);
}

static void
put_edge_lines(struct report *report, const struct report_row *row,
    bool callers)
{
	struct dmt_output *const buffer = &report->table.buffer;
	size_t count;
	const struct report_row *const edges = report_edges_get(report,
	    row->index, callers, &count);
	const size_t shown = report_shown(report, count);

	for (size_t i = 0; i < shown; i++)
		put_edge_line(report, &edges[i], row, callers);
	if (shown == count)
		return;
	column_blank(buffer, 2 * (WIDTH_DURATION +
	    (report->text.shares ? WIDTH_SHARE : 0)));
	dmt_put(buffer, "  ");
	dmt_put_count(buffer, count - shown, callers ? "more caller" :
	    "more callee");
	dmt_put(buffer, " (--top=all)\n");
}

/* Prints a method between its callers and its callees. */
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
		dmt_put(&report->table.buffer, "\n");
}

static void
put_report_thread_name(struct report *report,
    const struct dmtrace_profile_thread *thread)
{
	dmt_put_format(&report->table.buffer, "%" PRIu32 " ", thread->number);
	if (thread->listed)
		escape_put(&report->table.buffer, escape_plain,
		    thread->name.bytes, thread->name.len);
	else
		dmt_put(&report->table.buffer, "(not listed)");
}

static void
put_report_thread_text(struct report *report, struct report_row *row)
{
	struct dmt_output *const buffer = &report->table.buffer;
	const size_t begin = buffer->len;
	struct dmtrace_profile_thread thread;

	dmtrace_profile_thread_get(report->profile, row->index, &thread);
	const int64_t total = thread.total_ns[report->clock];
	put_known(report, buffer, WIDTH_DURATION, total, thread.total_partial);
	put_share(report, buffer, total, thread.total_partial,
	    report->summary.total_ns[report->clock],
	    report->summary.total_partial);
	put_known(report, buffer, WIDTH_DURATION + 1,
	    total - thread.top_ns[report->clock], thread.total_partial);
	if (report->text.off_cpu)
		put_off_cpu(buffer, thread.total_ns, thread.total_partial);
	column_count(buffer, WIDTH_CALLS + 3, thread.calls);
	column_count(buffer, WIDTH_CALLS + 3, thread.records);
	dmt_put(buffer, "  ");
	const size_t name = buffer->len;
	put_report_thread_name(report, &thread);
	table_end_line(&report->table, begin, name);
}

static void
put_thread_heading_text(struct report *report, size_t index)
{
	struct dmtrace_profile_thread thread;

	dmtrace_profile_thread_get(report->profile, index, &thread);
	dmt_put(&report->table.buffer, "\nthread ");
	put_report_thread_name(report, &thread);
	dmt_put(&report->table.buffer, "\n");
}

/* Prints how many rows are left out, and the options that print them. */
static void
put_rest_text(struct report *report, const struct report_rest *rest)
{
	const struct {
		size_t count;
		const char *option;
	} reasons[] = {
		{ rest->beyond_top, "--top=all" },
		{ rest->too_short, "--threshold=0" },
		{ rest->beyond_lines, "-f tsv" },
	};
	const size_t count = rest->beyond_top + rest->too_short +
	    rest->beyond_lines;
	struct dmt_output *const buffer = &report->table.buffer;
	const char *before = " (";
	char text[COUNT_MAX];

	if (count == 0)
		return;
	dmt_put_format(buffer, "%s more %s%s", count_format(text, count),
	    rest->what, count == 1 ? "" :
	    strcmp(rest->what, "branch") == 0 ? "es" : "s");
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].count == 0)
			continue;
		dmt_put_format(buffer, "%s%s", before, reasons[i].option);
		before = " ";
	}
	dmt_put(buffer, ")\n");
}

/* Writes "First.name › … › Last.name (9 calls deep)" and ends the line. On a
 * terminal it has the first of some shorter forms that fits, down to "first › …
 * › last (9)", whose names are shortened if need be. begin is an offset in the
 * buffer. */
static void
put_chain(struct report *report, const struct report_node *node, size_t begin)
{
	static const struct {
		bool is_short;		/* "(9)" */
		bool no_classes[2];	/* of the first and the last name */
	} forms[] = {
		{ false, { false, false } },
		{ true, { false, false } },
		{ true, { true, false } },
		{ true, { true, true } },
	};
	const size_t columns = report->table.out.columns;
	struct dmt_output *const buffer = &report->table.buffer;
	struct method_name names[2] = { report_method_name(&node->figures) };
	struct dmtrace_profile_method method;
	const char *const joint = node->chain_count > 2 ? " › … › " : " › ";
	const size_t name = buffer->len;
	const size_t used = name - begin + (node->chain_count > 2 ? 7 : 3);
	struct dmt_output end = { 0 };
	char deep[48];
	size_t both = 0;		/* columns that the names may take */

	dmtrace_profile_method_get(report->profile, node->table, node->last,
	    &method);
	names[1] = report_method_name(&method);
	names[0].brief = names[1].brief = true;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const size_t len = (size_t)snprintf(deep, sizeof(deep),
		    forms[i].is_short ? " (%zu)" : " (%zu calls deep)",
		    node->chain_count);

		for (int j = 0; j < 2; j++)
			if (forms[i].no_classes[j])
				names[j].class_name.len = 0;
		dmt_output_truncate(buffer, name);
		dmt_output_clear(&end);
		method_name_put(buffer, &names[0]);
		method_name_put(&end, &names[1]);
		both = columns > used + len + CHAIN_NAMES_LEAST ?
		    columns - used - len : CHAIN_NAMES_LEAST;
		if (columns == 0 || column_width(buffer, name) +
		    column_width(&end, 0) <= both)
			break;
	}
	if (columns > 0) {
		/* Half of the room, or what the other name leaves of it. */
		const size_t rest = column_width(&end, 0);

		column_shorten_more(buffer, name, rest < both - both / 2 ?
		    both - rest : both / 2);
		column_shorten_more(&end, 0, both - column_width(buffer, name));
	}
	dmt_put(buffer, joint);
	dmt_put_output(buffer, &end);
	dmt_output_fini(&end);
	dmt_put(buffer, deep);
	dmt_put(buffer, "\n");
}

/* A node is indented by a blank for each level, as long as names have space;
 * very deep ones have their depth as a number. */
static void
put_node_text(struct report *report, const struct report_node *node)
{
	const int64_t total = report->total_ns;
	const int64_t inclusive = node->figures.inclusive_ns[report->clock];
	const int64_t exclusive = node->figures.exclusive_ns[report->clock];
	struct dmt_output *const buffer = &report->table.buffer;
	const size_t begin = buffer->len;

	const int partial = node->figures.exclusive_partial;
	const int inclusive_partial = node->figures.inclusive_partial;

	put_known(report, buffer, WIDTH_DURATION, exclusive, partial);
	if (!report->text.no_exclusive_share)
		put_share(report, buffer, exclusive, partial, total,
		    report->total_partial);
	if (node->has_inclusive) {
		put_known(report, buffer, WIDTH_DURATION, inclusive,
		    inclusive_partial);
		put_share(report, buffer, inclusive, inclusive_partial, total,
		    report->total_partial);
	}
	column_count(buffer, WIDTH_CALLS, node->figures.calls);
	dmt_put(buffer, "  ");
	const size_t used = buffer->len - begin + WIDTH_NODE_NAME;
	const size_t width = report->table.out.columns > 0 ?
	    report->table.out.columns : LINE_WIDTH;
	const size_t most = width > used ? width - used : 0;
	column_blank(buffer, node->depth < most ? node->depth : most);
	if (node->depth > most)
		dmt_put_format(buffer, "[%zu] ", node->depth);
	const size_t name = buffer->len;
	if (node->chain_count > 1) {
		put_chain(report, node, begin);
		return;
	}
	report_put_name(report, &node->figures);
	table_end_line(&report->table, begin, name);
}

const struct report_printer report_text_printer = {
	.put_beginning = put_summary_text,
	.put_thread_heading = put_thread_heading_text,
	.put_heading = put_heading_text,
	.put_thread = put_report_thread_text,
	.put_method = put_method_text,
	.put_node = put_node_text,
	.put_rest = put_rest_text,
	.folds = true,
	.up_lines = 1000,
};
