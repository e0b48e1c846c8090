/* report.c - prints profiles as tables: chooses and sorts the rows */

#include "report/report.h"

#include <stdlib.h>

#include "cli/clock_option.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "private/export.h"

double
report_weight(const struct report *report, enum report_sort sort,
    const struct dmtrace_profile_method *method)
{
	const uint64_t calls = method->calls + method->recursive_calls;

	switch (sort) {
	case REPORT_SORT_INCLUSIVE:
		return (double)method->inclusive_ns[report->clock];
	case REPORT_SORT_EXCLUSIVE:
		return (double)method->exclusive_ns[report->clock];
	case REPORT_SORT_CALLS:
		return (double)calls;
	case REPORT_SORT_PER_CALL:
		return calls == 0 ? 0 :
		    (double)method->inclusive_ns[report->clock] /
		    (double)calls;
	case REPORT_SORT_OFF_CPU:
		return (double)(method->inclusive_ns[DMTRACE_PROFILE_WALL] -
		    method->inclusive_ns[DMTRACE_PROFILE_CPU]);
	case REPORT_SORT_NAME:
		break;
	}
	return 0;
}

struct method_name
report_method_name(const struct dmtrace_profile_method *method)
{
	return (struct method_name){
		.class_name = method->class_name, .name = method->name,
		.signature = method->signature, .listed = method->listed
	};
}

static int
compare_report_rows(const void *left, const void *right)
{
	const struct report_row *a = left, *b = right;
	const struct method_name x = report_method_name(&a->method);
	const struct method_name y = report_method_name(&b->method);

	if (a->recursive != b->recursive)
		return a->recursive - b->recursive;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? 1 : -1;
	const int order = method_name_compare(&x, &y);
	if (order != 0)
		return order;
	return (a->index > b->index) - (a->index < b->index);
}

void
report_rows_sort(struct report_row *rows, size_t count)
{
	if (count > 1)
		qsort(rows, count, sizeof(*rows), compare_report_rows);
}

size_t
report_shown(const struct report *report, size_t count)
{
	return count < report->top ? count : report->top;
}

bool
report_is_long(const struct report *report, double threshold, int64_t ns,
    int partial)
{
	return threshold <= 0 || report_lacks(report, partial) ||
	    100.0 * (double)ns >= threshold * (double)report->total_ns;
}

bool
report_finds(struct report *report, size_t index,
    const struct dmtrace_profile_method *method)
{
	if (report->find.asked == NULL)
		return true;
	if (index == DMTRACE_PROFILE_TOP)
		return false;
	return report->classes ? find_rows_wants_name(&report->find,
	    method->class_name, true) : find_rows_wants(&report->find,
	    method->class_name, method->name, method->signature, method->id);
}

void
report_put_name(struct report *report,
    const struct dmtrace_profile_method *method)
{
	struct method_name names = report_method_name(method);

	names.bare = !report->signatures && method_names_bare(report->names,
	    report->name_count, &names);
	method_name_put(&report->table.buffer, &names);
}

/* Ids that no key lists are one class, and one package. */
void
report_put_names(struct table *table,
    const struct dmtrace_profile_method *method)
{
	table_name(table, method->class_name);
	if (method->listed || method->name.len > 0)
		table_name(table, method->name);
	else
		table_string(table, "(unknown)");
	table_name(table, method->signature);
}

void
report_put_error(struct table *table,
    const struct report_unreadable *unreadable)
{
	table_string(table, unreadable == NULL ? NULL : unreadable->file);
	table_string(table, unreadable == NULL ? NULL :
	    unreadable->error.message);
}

void
report_put_unreadable(struct report *report, const char *kind, size_t cells)
{
	struct table *const table = &report->table;

	for (size_t i = 0; i < report->unreadable_count; i++) {
		const struct report_unreadable *const one =
		    &report->unreadable[i];

		if (!table_has_rows(table)) {
			table_unreadable_text(table, one->file,
			    one->error.message);
			continue;
		}
		if (kind != NULL)
			table_string(table, kind);
		table_absent(table, kind == NULL ? cells : cells - 1);
		report_put_error(table, one);
		table_end_row(table);
	}
}

/* Returns the figures of a thread in the form of a method's, for sorting: its
 * time is inclusive, the time in its methods exclusive. */
static struct dmtrace_profile_method
get_thread_figures(const struct dmtrace_profile *profile, size_t index)
{
	struct dmtrace_profile_thread thread;

	dmtrace_profile_thread_get(profile, index, &thread);
	struct dmtrace_profile_method method = {
		.name = thread.name, .calls = thread.calls
	};
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		method.inclusive_ns[clock] = thread.total_ns[clock];
		method.exclusive_ns[clock] =
		    thread.total_ns[clock] - thread.top_ns[clock];
	}
	method.inclusive_partial = method.exclusive_partial =
	    thread.total_partial;
	return method;
}

/* Lists the methods or threads of a table, sorted, to be freed; methods
 * without a call are left out. NULL: no memory, which was reported. */
static struct report_row *
list_report_rows(struct report *report, size_t table, size_t *count,
    size_t *too_short)
{
	const size_t all = report->threads ?
	    dmtrace_profile_thread_count(report->profile) :
	    dmtrace_profile_method_count(report->profile);
	/* In text the total is in the first line. */
	const bool leaves_top_out = report->table.form == FORM_TEXT &&
	    !report->callers && !report->callees;
	struct report_row *rows = calloc(all + 1, sizeof(*rows));

	*count = *too_short = 0;
	if (rows == NULL) {
		msg_memory();
		return NULL;
	}
	for (size_t i = 0; i < all; i++) {
		struct report_row *const row = &rows[*count];
		struct dmtrace_profile_method *const method = &row->method;

		row->index = i;
		if (report->threads)
			*method = get_thread_figures(report->profile, i);
		else
			dmtrace_profile_method_get(report->profile, table, i,
			    method);
		if (!report->threads && (i == DMTRACE_PROFILE_TOP ?
		    leaves_top_out &&
		    method->exclusive_ns[report->clock] == 0 :
		    method->calls + method->recursive_calls == 0))
			continue;
		if (report->threads ?
		    !find_rows_wants_name(&report->find, method->name, false) :
		    !report_finds(report, i, method))
			continue;
		if (!report_is_long(report, report->threshold,
		    method->inclusive_ns[report->clock],
		    method->inclusive_partial)) {
			++*too_short;
			continue;
		}
		row->weight = report_weight(report, report->sort, method);
		++*count;
	}
	report_rows_sort(rows, *count);
	return rows;
}

static void
put_heading(struct report *report, enum report_table what,
    const struct report_row *rows, size_t count)
{
	if (report->printer->put_heading != NULL)
		report->printer->put_heading(report, what, rows, count);
}

/* Prints the methods of a table, or all threads, and counts those that are not
 * shown. */
static bool
print_report_rows(struct report *report, size_t table)
{
	const struct report_printer *const printer = report->printer;
	struct report_rest rest = {
		.what = report->threads ? "thread" :
		    report->groups ? "row" : "method"
	};
	size_t count;
	struct report_row *const rows = list_report_rows(report, table, &count,
	    &rest.too_short);
	const size_t shown = report_shown(report, count);
	bool fine = rows != NULL && (!(report->callers || report->callees) ||
	    report_edges_begin(report, table));

	if (fine)
		put_heading(report, report->threads ? REPORT_THREADS :
		    REPORT_METHODS, rows, shown);
	for (size_t i = 0; fine && i < shown; i++) {
		if (report->threads)
			printer->put_thread(report, &rows[i]);
		else
			printer->put_method(report, table, &rows[i]);
		fine = table_flush(&report->table);
	}

	for (size_t i = shown; fine && i < count; i++)
		rest.beyond_top += report->threads ||
		    rows[i].index != DMTRACE_PROFILE_TOP;
	if (fine && printer->put_rest != NULL)
		printer->put_rest(report, &rest);
	report_edges_end(report);
	free(rows);
	return fine;
}

/* If only trees are asked for, they replace the methods. */
static bool
print_report_table(struct report *report, size_t table)
{
	struct dmtrace_profile_method top;

	dmtrace_profile_method_get(report->profile, table,
	    DMTRACE_PROFILE_TOP, &top);
	report->total_ns = top.inclusive_ns[report->clock];
	report->total_partial = top.inclusive_partial != 0;
	if ((!(report->tree || report->bottom_up) || report->callers ||
	    report->callees || report->calls) &&
	    !print_report_rows(report, table))
		return false;
	if (report->tree) {
		put_heading(report, REPORT_TREE, NULL, 0);
		if (!report_tree(report, table, false))
			return false;
	}
	if (report->bottom_up) {
		put_heading(report, REPORT_BOTTOM_UP, NULL, 0);
		if (!report_tree(report, table, true))
			return false;
	}
	return true;
}

/* Text prints signatures of names that are ambiguous in the whole report. */
static bool
list_report_names(struct report *report)
{
	const size_t count = dmtrace_profile_method_count(report->profile);

	report->names = calloc(count + 1, sizeof(*report->names));
	if (report->names == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(report->profile, 0, i, &method);
		report->names[i] = report_method_name(&method);
	}
	report->name_count = count;
	method_names_sort(report->names, count);
	return true;
}

/* The library makes the page, with a note on operands that could not be read:
 * "unreadable: b.trace: cannot open b.trace; c.trace: ...". */
static bool
print_html(struct report *report)
{
	static const enum dmt_html_sort sorts[] = {
		[REPORT_SORT_INCLUSIVE] = DMT_HTML_INCLUSIVE,
		[REPORT_SORT_EXCLUSIVE] = DMT_HTML_EXCLUSIVE,
		[REPORT_SORT_CALLS] = DMT_HTML_CALLS,
		[REPORT_SORT_PER_CALL] = DMT_HTML_PER_CALL,
		[REPORT_SORT_OFF_CPU] = DMT_HTML_OFF_CPU,
		[REPORT_SORT_NAME] = DMT_HTML_NAME,
	};
	struct dmt_html_options options = { 0 };
	struct dmt_output note = { 0 };

	options.title = report->title;
	options.clock = clock_of_profile(report->clock);
	options.sort = sorts[report->sort];
	options.per_thread = report->per_thread;
	options.calls = report->calls;
	options.threshold = report->threshold;
	options.top = report->top;
	for (size_t i = 0; i < report->unreadable_count; i++)
		dmt_put_format(&note, "%s%s: %s",
		    i == 0 ? "unreadable: " : "; ", report->unreadable[i].file,
		    report->unreadable[i].error.message);
	dmt_output_write(&note, "", 1);
	if (report->unreadable_count > 0)
		options.note = note.bytes;
	const bool fine = !dmt_output_failed(&note) &&
	    dmt_export_html(report->profile, &options,
	    &report->table.out.output) == DMTRACE_OK;
	dmt_output_fini(&note);
	if (!fine)
		msg_memory();
	return fine;
}

bool
report_print(struct report *report)
{
	const bool is_text = report->table.form == FORM_TEXT;
	bool fine = true;

	if (report->table.form == REPORT_HTML)
		return print_html(report);
	report->printer = is_text ? &report_text_printer : &report_row_printer;
	report->printer->put_beginning(report);
	if (report->summary.traces == 0)
		return table_flush(&report->table);

	fine = !is_text || list_report_names(report);
	if (fine && !report->per_thread)
		fine = print_report_table(report, 0);
	for (size_t i = 0; fine && report->per_thread &&
	    i < dmtrace_profile_thread_count(report->profile); i++) {
		if (report->printer->put_thread_heading != NULL)
			report->printer->put_thread_heading(report, i);
		fine = print_report_table(report, i + 1);
	}
	free(report->names);
	report->names = NULL;
	return fine && table_flush(&report->table);
}
