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
report_weight(const struct report *report,
    const struct dmtrace_profile_method *method)
{
	const uint64_t calls = method->calls + method->recursive_calls;

	switch (report->sort) {
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

static struct method_name
names_of(const struct dmtrace_profile_method *method)
{
	return (struct method_name){
		.class_name = method->class_name, .name = method->name,
		.signature = method->signature, .listed = method->listed
	};
}

static int
compare(const void *left, const void *right)
{
	const struct report_row *a = left, *b = right;
	const struct method_name x = names_of(&a->method);
	const struct method_name y = names_of(&b->method);

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
		qsort(rows, count, sizeof(*rows), compare);
}

size_t
report_shown(const struct report *report, size_t count)
{
	return count < report->top ? count : report->top;
}

void
report_begin_table(struct report *report, size_t table)
{
	struct dmtrace_profile_method top;

	dmtrace_profile_method_get(report->profile, table,
	    DMTRACE_PROFILE_TOP, &top);
	report->total_ns = top.inclusive_ns[report->clock];
}

bool
report_has_table(const struct report *report)
{
	return !(report->tree || report->bottom_up) || report->callers ||
	    report->callees || report->calls;
}

bool
report_is_long(const struct report *report, int64_t ns)
{
	return report->threshold <= 0 || 100.0 * (double)ns >=
	    report->threshold * (double)report->total_ns;
}

struct report_row *
report_rows(const struct report *report, size_t table, size_t *count)
{
	const size_t methods = dmtrace_profile_method_count(report->profile);
	struct report_row *rows = calloc(methods + 1, sizeof(*rows));

	*count = 0;
	if (rows == NULL) {
		msg_memory();
		return NULL;
	}
	for (size_t i = 0; i < methods; i++) {
		struct report_row *row = &rows[*count];

		dmtrace_profile_method_get(report->profile, table, i,
		    &row->method);
		if (i != DMTRACE_PROFILE_TOP && row->method.calls +
		    row->method.recursive_calls == 0)
			continue;
		if (!report_is_long(report,
		    row->method.inclusive_ns[report->clock]))
			continue;
		row->index = i;
		row->weight = report_weight(report, &row->method);
		++*count;
	}
	report_rows_sort(rows, *count);
	return rows;
}

void
report_put_name(struct report *report,
    const struct dmtrace_profile_method *method)
{
	const struct method_name names = names_of(method);

	method_name_put(&report->buffer, &names);
}

/* Ids that no key has are one class, and one package. */
void
report_put_names(struct row *row,
    const struct dmtrace_profile_method *method)
{
	method_name_cell(row, "class", method->class_name);
	if (method->listed || method->name.len > 0)
		method_name_cell(row, "name", method->name);
	else
		row_string(row, "name", "(unknown)");
	method_name_cell(row, "signature", method->signature);
}

bool
report_flush(struct report *report)
{
	const bool fine = !report->buffer.failed;

	if (fine)
		out_put(report->out, report->buffer.bytes,
		    report->buffer.len);
	else
		msg_memory();
	report->buffer.len = 0;
	return fine;
}

/* Sorted as methods are: a thread's time is inclusive, that in methods
 * exclusive. */
static struct dmtrace_profile_method
as_method(const struct dmtrace_profile_thread *thread)
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

struct report_row *
report_thread_rows(struct report *report, size_t *count)
{
	const size_t threads = dmtrace_profile_thread_count(report->profile);
	struct report_row *rows = calloc(threads + 1, sizeof(*rows));

	*count = 0;
	if (rows == NULL) {
		msg_memory();
		return NULL;
	}
	report_begin_table(report, 0);
	for (size_t i = 0; i < threads; i++) {
		struct report_row *row = &rows[*count];
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(report->profile, i, &thread);
		if (!report_is_long(report, thread.total_ns[report->clock]))
			continue;
		row->index = i;
		row->method = as_method(&thread);
		row->weight = report_weight(report, &row->method);
		++*count;
	}
	report_rows_sort(rows, *count);
	return rows;
}
