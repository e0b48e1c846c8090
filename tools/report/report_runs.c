/* report_runs.c - several runs of one program side by side */

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/clock_option.h"
#include "cli/method_name.h"
#include "cli/msg.h"

/* What is compared of a method. */
enum { CALLS, INCLUSIVE, EXCLUSIVE, FIGURES };
static const char *const figure_words[] = { "calls", "inclusive",
	"exclusive" };

/* A method in one run. */
struct entry {
	struct dmtrace_profile_method method;
	bool is_top;
	size_t run;
};

/* A method in all of them; what a run does not have is 0. */
struct merged {
	size_t first;			/* of its entries */
	size_t runs;
	int64_t min[FIGURES];
	int64_t median[FIGURES];
	int64_t max[FIGURES];
};

struct runs {
	struct report *report;
	struct dmtrace_profile *const *profiles;
	size_t count;
	struct entry *entries;
	size_t entry_count;
	struct merged *merged;
	size_t merged_count;
	int64_t *values;		/* room for one of each run */
};

/* 0: the same method, in two runs. */
static int
compare_methods(const struct entry *left, const struct entry *right)
{
	const struct dmtrace_profile_method *a = &left->method;
	const struct dmtrace_profile_method *b = &right->method;
	const struct method_name x = { a->class_name, a->name, a->signature,
	    0 };
	const struct method_name y = { b->class_name, b->name, b->signature,
	    0 };
	const int order = method_name_compare(&x, &y);

	if (order != 0 || left->is_top != right->is_top)
		return order != 0 ? order : right->is_top - left->is_top;
	return a->listed - b->listed;
}

static int
compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	const int order = compare_methods(a, b);

	return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

static bool
list(struct runs *runs)
{
	size_t count = 0;

	for (size_t run = 0; run < runs->count; run++)
		count += dmtrace_profile_method_count(runs->profiles[run]);
	runs->entries = calloc(count + 1, sizeof(*runs->entries));
	runs->merged = calloc(count + 1, sizeof(*runs->merged));
	runs->values = calloc(runs->count + 1, sizeof(*runs->values));
	if (runs->entries == NULL || runs->merged == NULL ||
	    runs->values == NULL)
		return false;
	for (size_t run = 0; run < runs->count; run++)
		for (size_t i = 0; i < dmtrace_profile_method_count(
		    runs->profiles[run]); i++) {
			struct entry *entry =
			    &runs->entries[runs->entry_count];

			dmtrace_profile_method_get(runs->profiles[run], 0, i,
			    &entry->method);
			entry->run = run;
			entry->is_top = i == DMTRACE_PROFILE_TOP;
			if (entry->is_top || entry->method.calls +
			    entry->method.recursive_calls > 0)
				runs->entry_count++;
		}
	if (runs->entry_count > 1)
		qsort(runs->entries, runs->entry_count,
		    sizeof(*runs->entries), compare_entries);
	return true;
}

static int64_t
figure(const struct runs *runs, const struct dmtrace_profile_method *method,
    int what)
{
	switch (what) {
	case CALLS:
		return (int64_t)(method->calls + method->recursive_calls);
	case INCLUSIVE:
		return method->inclusive_ns[runs->report->clock];
	default:
		return method->exclusive_ns[runs->report->clock];
	}
}

static int
compare_values(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Of two in the middle, the mean. */
static int64_t
median(const int64_t *values, size_t count)
{
	const int64_t low = values[(count - 1) / 2];

	return low + (values[count / 2] - low) / 2;
}

static void
merge(struct runs *runs, struct merged *merged, int what)
{
	const struct entry *entries = &runs->entries[merged->first];

	memset(runs->values, 0, runs->count * sizeof(*runs->values));
	for (size_t i = 0; i < merged->runs; i++)
		runs->values[entries[i].run] +=
		    figure(runs, &entries[i].method, what);
	qsort(runs->values, runs->count, sizeof(*runs->values),
	    compare_values);
	merged->min[what] = runs->values[0];
	merged->median[what] = median(runs->values, runs->count);
	merged->max[what] = runs->values[runs->count - 1];
}

static void
merge_all(struct runs *runs)
{
	for (size_t i = 0; i < runs->entry_count; ) {
		struct merged *merged = &runs->merged[runs->merged_count++];

		merged->first = i;
		while (i < runs->entry_count &&
		    compare_methods(&runs->entries[i],
		    &runs->entries[merged->first]) == 0)
			i++;
		merged->runs = i - merged->first;
		for (int what = 0; what < FIGURES; what++)
			merge(runs, merged, what);
	}
}

/* By medians. */
static struct report_row
row_of(const struct runs *runs, size_t index)
{
	const struct merged *merged = &runs->merged[index];
	struct report_row row = {
		.index = index,
		.method = runs->entries[merged->first].method
	};

	row.method.calls = (uint64_t)merged->median[CALLS];
	row.method.recursive_calls = 0;
	row.method.inclusive_ns[runs->report->clock] =
	    merged->median[INCLUSIVE];
	row.method.exclusive_ns[runs->report->clock] =
	    merged->median[EXCLUSIVE];
	row.weight = report_weight(runs->report, &row.method);
	return row;
}

static void
put_text(struct runs *runs, const struct report_row *row)
{
	struct strbuf *buffer = &runs->report->buffer;
	const struct merged *merged = &runs->merged[row->index];

	for (int what = INCLUSIVE; what < FIGURES; what++)
		strbuf_printf(buffer, "%11" PRId64 " %11" PRId64 " %11" PRId64
		    " ", merged->min[what] / 1000,
		    merged->median[what] / 1000, merged->max[what] / 1000);
	strbuf_printf(buffer, "%9" PRId64 " %9" PRId64 " %9" PRId64 " %5zu  ",
	    merged->min[CALLS], merged->median[CALLS], merged->max[CALLS],
	    merged->runs);
	report_put_name(runs->report, &row->method);
	strbuf_string(buffer, "\n");
}

/* "calls_min", or "inclusive_min_ns". */
static void
put_figure(struct row *row, int what, const char *which, int64_t value)
{
	char name[48];

	snprintf(name, sizeof(name), "%s_%s%s", figure_words[what], which,
	    what == CALLS ? "" : "_ns");
	row_signed(row, name, value);
}

static void
put_cells(struct runs *runs, const struct report_row *from)
{
	const struct merged *merged = &runs->merged[from->index];
	struct row row;

	row_begin(&row, &runs->report->buffer, runs->report->form);
	report_put_names(&row, &from->method);
	row_number(&row, "runs", merged->runs);
	for (int what = 0; what < FIGURES; what++) {
		put_figure(&row, what, "min", merged->min[what]);
		put_figure(&row, what, "median", merged->median[what]);
		put_figure(&row, what, "max", merged->max[what]);
	}
	report_put_bounds(runs->report, &row);
	report_put_error(&row, NULL);
	row_line(&row);
}

static const char *const columns[] = {
	"class", "name", "signature", "runs", "calls_min", "calls_median",
	"calls_max", "inclusive_min_ns", "inclusive_median_ns",
	"inclusive_max_ns", "exclusive_min_ns", "exclusive_median_ns",
	"exclusive_max_ns", "lower_bounds", "file", "error"
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void
put_columns(struct runs *runs)
{
	struct row row;

	row_begin(&row, &runs->report->buffer, runs->report->form);
	for (size_t i = 0; i < COLUMNS; i++)
		row_string(&row, columns[i], columns[i]);
	row_line(&row);
}

static void
put_unreadable(struct report *report)
{
	for (size_t i = 0; i < report->unreadable_count; i++) {
		struct row row;

		row_begin(&row, &report->buffer, report->form);
		for (size_t j = 0; j < COLUMNS - 2; j++)
			row_absent(&row, columns[j]);
		report_put_error(&row, &report->unreadable[i]);
		row_line(&row);
	}
}

static void
put_heading(struct runs *runs)
{
	struct strbuf *buffer = &runs->report->buffer;

	strbuf_printf(buffer, "runs        %zu, by %s time\n", runs->count,
	    clock_names[runs->report->clock]);
	if (runs->report->summary.lower_bounds)
		strbuf_string(buffer, "note        a buffer was full: calls"
		    " and times are lower bounds\n");
	strbuf_printf(buffer, "\n%35s %35s %29s\n", "inclusive us",
	    "exclusive us", "calls");
	for (int what = INCLUSIVE; what < FIGURES; what++)
		strbuf_printf(buffer, "%11s %11s %11s ", "min", "median",
		    "max");
	strbuf_printf(buffer, "%9s %9s %9s %5s  name\n", "min", "median",
	    "max", "runs");
}

static bool
put(struct runs *runs)
{
	struct report *report = runs->report;
	struct report_row *rows = calloc(runs->merged_count + 1,
	    sizeof(*rows));
	bool fine = rows != NULL;
	size_t count = 0;

	if (!fine)
		msg_memory();
	if (report->form == FORM_TEXT)
		report_put_unreadable(report);
	else if (report->form != FORM_JSON)
		put_columns(runs);
	if (report->form == FORM_TEXT && runs->count > 0)
		put_heading(runs);
	else if (report->form != FORM_TEXT)
		put_unreadable(report);
	for (size_t i = 0; fine && i < runs->merged_count; i++)
		rows[i] = row_of(runs, i);
	report_rows_sort(rows, fine ? runs->merged_count : 0);
	for (; fine && count < report_shown(report, runs->merged_count);
	    count++) {
		if (report->form == FORM_TEXT)
			put_text(runs, &rows[count]);
		else
			put_cells(runs, &rows[count]);
		fine = report_flush(report);
	}
	free(rows);
	return fine && report_flush(report);
}

bool
report_runs(struct report *report, struct dmtrace_profile *const *profiles,
    size_t count)
{
	struct runs runs = {
		.report = report, .profiles = profiles, .count = count
	};
	const bool listed = list(&runs);

	if (listed)
		merge_all(&runs);
	else
		msg_memory();
	const bool fine = listed && put(&runs);
	free(runs.entries);
	free(runs.merged);
	free(runs.values);
	return fine;
}
