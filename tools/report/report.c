/* report.c - the rows of profiles, in order */

#include "report/report.h"

#include <stdlib.h>

#include "cli/method_name.h"
#include "cli/msg.h"

static int64_t
off_cpu(const struct dmtrace_profile_method *method)
{
	return method->inclusive_ns[DMTRACE_PROFILE_WALL] -
	    method->inclusive_ns[DMTRACE_PROFILE_CPU];
}

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
		return (double)off_cpu(method);
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

void *
report_room(void *items, size_t count, size_t *capacity, size_t item_size)
{
	if (count < *capacity)
		return items;
	*capacity = 2 * *capacity + 16;
	return realloc(items, *capacity * item_size);
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
report_is_long(const struct report *report, double threshold, int64_t ns)
{
	return threshold <= 0 || 100.0 * (double)ns >=
	    threshold * (double)report->total_ns;
}

/* The total is in the first line of text. */
static bool
leaves_top_out(const struct report *report,
    const struct dmtrace_profile_method *top)
{
	return report->table.form == FORM_TEXT && !report->callers &&
	    !report->callees && top->exclusive_ns[report->clock] == 0;
}

struct report_row *
report_rows(const struct report *report, size_t table, size_t *count,
    size_t *too_short)
{
	const size_t methods = dmtrace_profile_method_count(report->profile);
	struct report_row *rows = calloc(methods + 1, sizeof(*rows));

	*count = *too_short = 0;
	if (rows == NULL) {
		msg_memory();
		return NULL;
	}
	for (size_t i = 0; i < methods; i++) {
		struct report_row *row = &rows[*count];

		dmtrace_profile_method_get(report->profile, table, i,
		    &row->method);
		if (i == DMTRACE_PROFILE_TOP ? leaves_top_out(report,
		    &row->method) : row->method.calls +
		    row->method.recursive_calls == 0)
			continue;
		if (!report_is_long(report, report->threshold,
		    row->method.inclusive_ns[report->clock])) {
			++*too_short;
			continue;
		}
		row->index = i;
		row->weight = report_weight(report, report->sort, &row->method);
		++*count;
	}
	report_rows_sort(rows, *count);
	return rows;
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

/* False, which is reported: no memory. */
static bool
list_names(struct report *report)
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

/* Ids that no key has are one class, and one package. */
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

/* Sorted as methods are: a thread's time is inclusive, that in methods
 * exclusive. */
static struct dmtrace_profile_method
method_of_thread(const struct dmtrace_profile_thread *thread)
{
	struct dmtrace_profile_method method = {
		.name = thread->name, .calls = thread->calls
	};

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		method.inclusive_ns[clock] = thread->total_ns[clock];
		method.exclusive_ns[clock] =
		    thread->total_ns[clock] - thread->top_ns[clock];
	}
	return method;
}

/* What percentages are of. */
static void
set_total(struct report *report, size_t table)
{
	struct dmtrace_profile_method top;

	dmtrace_profile_method_get(report->profile, table,
	    DMTRACE_PROFILE_TOP, &top);
	report->total_ns = top.inclusive_ns[report->clock];
}

struct report_row *
report_thread_rows(struct report *report, size_t *count, size_t *too_short)
{
	const size_t threads = dmtrace_profile_thread_count(report->profile);
	struct report_row *rows = calloc(threads + 1, sizeof(*rows));

	*count = *too_short = 0;
	if (rows == NULL) {
		msg_memory();
		return NULL;
	}
	set_total(report, 0);
	for (size_t i = 0; i < threads; i++) {
		struct report_row *row = &rows[*count];
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(report->profile, i, &thread);
		if (!report_is_long(report, report->threshold,
		    thread.total_ns[report->clock])) {
			++*too_short;
			continue;
		}
		row->index = i;
		row->method = method_of_thread(&thread);
		row->weight = report_weight(report, report->sort, &row->method);
		++*count;
	}
	report_rows_sort(rows, *count);
	return rows;
}

/* Says which rows a table does not show, if its form does. */
static void
put_rest(struct report *report, const char *what,
    const struct report_row *rows, size_t count, size_t too_short)
{
	struct report_rest rest = { .what = what, .too_short = too_short };

	for (size_t i = report_shown(report, count); i < count; i++)
		rest.beyond_top += report->threads ||
		    rows[i].index != DMTRACE_PROFILE_TOP;
	if (report->printer->put_rest != NULL &&
	    rest.too_short + rest.beyond_top > 0)
		report->printer->put_rest(report, &rest);
}

static bool
print_methods(struct report *report, size_t table)
{
	const bool has_edges = report->callers || report->callees;
	size_t count, too_short;
	struct report_row *const rows = report_rows(report, table, &count,
	    &too_short);
	bool fine = rows != NULL &&
	    (!has_edges || report_edges_begin(report, table));

	if (fine)
		report->printer->put_methods_heading(report, rows,
		    report_shown(report, count));
	for (size_t i = 0; fine && i < report_shown(report, count); i++) {
		report->printer->put_method(report, table, &rows[i]);
		fine = table_flush(&report->table);
	}
	if (fine)
		put_rest(report, report->groups ? "row" : "method", rows,
		    count, too_short);
	report_edges_end(report);
	free(rows);
	return fine;
}

static bool
print_threads(struct report *report)
{
	size_t count, too_short;
	struct report_row *const rows = report_thread_rows(report, &count,
	    &too_short);
	bool fine = rows != NULL;

	report->printer->put_threads_heading(report);
	for (size_t i = 0; fine && i < report_shown(report, count); i++) {
		report->printer->put_thread(report, &rows[i]);
		fine = table_flush(&report->table);
	}
	if (fine)
		put_rest(report, "thread", rows, count, too_short);
	free(rows);
	return fine;
}

/* Trees alone are printed in place of the methods. */
static bool
print_table(struct report *report, size_t table)
{
	set_total(report, table);
	if ((!(report->tree || report->bottom_up) || report->callers ||
	    report->callees || report->calls) && !print_methods(report, table))
		return false;
	if (report->tree) {
		report->printer->put_tree_heading(report);
		if (!report_tree(report, table))
			return false;
	}
	if (!report->bottom_up)
		return true;
	report->printer->put_up_heading(report);
	return report_bottom_up(report, table);
}

static bool
print_tables(struct report *report)
{
	const size_t threads =
	    dmtrace_profile_thread_count(report->profile);
	bool fine = true;

	if (report->threads)
		return print_threads(report);
	if (!report->per_thread)
		return print_table(report, 0);
	for (size_t i = 0; fine && i < threads; i++) {
		report->printer->put_thread_heading(report, i);
		fine = print_table(report, i + 1);
	}
	return fine;
}

bool
report_print(struct report *report)
{
	const bool is_text = report->table.form == FORM_TEXT;
	bool fine = true;

	report->printer = is_text ? &report_text_printer : &report_row_printer;
	report->printer->put_beginning(report);
	if (report->summary.traces > 0)
		fine = (!is_text || list_names(report)) &&
		    print_tables(report);
	free(report->names);
	report->names = NULL;
	return fine && table_flush(&report->table);
}
