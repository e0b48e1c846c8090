/* report_runs.c - compares several runs of one program */

#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/clock_option.h"
#include "cli/method_name.h"
#include "cli/msg.h"

/* Widths of columns, each with a blank before it. */
enum { WIDTH_TIME = 10, WIDTH_CALLS = 8, WIDTH_RUNS = 5 };

/* The figures that are compared. */
enum { CALLS, INCLUSIVE, EXCLUSIVE, FIGURES };

/* A method in one run. */
struct entry {
	struct dmtrace_profile_method method;
	bool is_top;
	size_t run;
};

/* A method in all runs; figures of runs that lack it are 0. */
struct merged {
	size_t first;			/* its first entry */
	size_t runs;
	int64_t min[FIGURES];
	int64_t median[FIGURES];
	int64_t max[FIGURES];
	bool lacks[FIGURES];		/* not known, and left empty */
};

struct runs {
	struct report *report;
	struct dmtrace_profile *const *profiles;
	size_t count;
	struct entry *entries;
	size_t entry_count;
	struct merged *merged;
	size_t merged_count;
	int64_t *values;		/* space for a value of each run */
	bool has_range[FIGURES];	/* text shows minimum and maximum,
					   too */
};

/* Returns 0 if it is the same method in two runs. */
static int
compare_run_methods(const struct entry *left, const struct entry *right)
{
	const struct method_name a = report_method_name(&left->method);
	const struct method_name b = report_method_name(&right->method);
	const int order = method_name_compare(&a, &b);

	if (order != 0 || left->is_top != right->is_top)
		return order != 0 ? order : right->is_top - left->is_top;
	return a.listed - b.listed;
}

static int
compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	const int order = compare_run_methods(a, b);

	return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

static bool
list_run_methods(struct runs *runs)
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

static int
compare_values(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Computes minimum, median and maximum of a figure over all runs. */
static void
merge_figure(struct runs *runs, struct merged *merged, int what)
{
	const enum dmtrace_profile_clock clock = runs->report->clock;
	int64_t *const values = runs->values;

	memset(values, 0, runs->count * sizeof(*values));
	for (size_t i = merged->first; i < merged->first + merged->runs; i++) {
		const struct dmtrace_profile_method *const method =
		    &runs->entries[i].method;

		values[runs->entries[i].run] +=
		    what == INCLUSIVE ? method->inclusive_ns[clock] :
		    what == EXCLUSIVE ? method->exclusive_ns[clock] :
		    (int64_t)(method->calls + method->recursive_calls);
		merged->lacks[what] |= report_lacks(runs->report,
		    what == INCLUSIVE ? method->inclusive_partial :
		    what == EXCLUSIVE ? method->exclusive_partial : 0);
	}
	qsort(values, runs->count, sizeof(*values), compare_values);

	/* The median of an even number of values is the mean of the middle
	 * two. */
	const int64_t low = values[(runs->count - 1) / 2];
	const int64_t high = values[runs->count / 2];
	merged->min[what] = values[0];
	merged->median[what] = low + (high - low) / 2;
	merged->max[what] = values[runs->count - 1];
}

static void
merge_run_methods(struct runs *runs)
{
	for (size_t i = 0; i < runs->entry_count; ) {
		struct merged *merged = &runs->merged[runs->merged_count++];

		merged->first = i;
		while (i < runs->entry_count &&
		    compare_run_methods(&runs->entries[i],
		    &runs->entries[merged->first]) == 0)
			i++;
		merged->runs = i - merged->first;
		for (int what = 0; what < FIGURES; what++)
			merge_figure(runs, merged, what);
	}
}

/* Makes a row with the medians, for sorting. */
static struct report_row
make_run_row(const struct runs *runs, size_t index)
{
	const struct merged *merged = &runs->merged[index];
	const struct report *const report = runs->report;
	struct report_row row = {
		.index = index,
		.method = runs->entries[merged->first].method
	};

	row.method.calls = (uint64_t)merged->median[CALLS];
	row.method.recursive_calls = 0;
	row.method.inclusive_ns[report->clock] = merged->median[INCLUSIVE];
	row.method.exclusive_ns[report->clock] = merged->median[EXCLUSIVE];
	row.weight = report_weight(report, report->sort, &row.method);
	return row;
}

/* On a terminal that is too narrow for all ranges, only the range of the
 * figure that rows are sorted by is shown. */
static void
choose_ranges(struct runs *runs)
{
	const struct report *const report = runs->report;
	const bool is_wide = table_has_room(&report->table,
	    6 * WIDTH_TIME + 3 * WIDTH_CALLS + WIDTH_RUNS);

	runs->has_range[EXCLUSIVE] = is_wide ||
	    report->sort != REPORT_SORT_INCLUSIVE;
	runs->has_range[INCLUSIVE] = is_wide ||
	    report->sort == REPORT_SORT_INCLUSIVE;
	runs->has_range[CALLS] = is_wide;
}

static void
put_run_text(struct runs *runs, const struct report_row *row)
{
	struct table *const table = &runs->report->table;
	struct dmt_output *const buffer = &table->buffer;
	const struct merged *const merged = &runs->merged[row->index];
	const size_t begin = buffer->len;

	for (int what = FIGURES; what-- > INCLUSIVE; ) {
		if (merged->lacks[what]) {
			column_blank(buffer,
			    WIDTH_TIME * (runs->has_range[what] ? 3 : 1));
			continue;
		}
		if (runs->has_range[what])
			column_duration(buffer, WIDTH_TIME, merged->min[what]);
		column_duration(buffer, WIDTH_TIME, merged->median[what]);
		if (runs->has_range[what])
			column_duration(buffer, WIDTH_TIME, merged->max[what]);
	}
	if (runs->has_range[CALLS])
		column_count(buffer, WIDTH_CALLS, (uint64_t)merged->min[CALLS]);
	column_count(buffer, WIDTH_CALLS, (uint64_t)merged->median[CALLS]);
	if (runs->has_range[CALLS])
		column_count(buffer, WIDTH_CALLS, (uint64_t)merged->max[CALLS]);
	column_count(buffer, WIDTH_RUNS, merged->runs);
	dmt_put(buffer, "  ");
	const size_t name = buffer->len;
	report_put_name(runs->report, &row->method);
	table_end_line(table, begin, name);
}

static const char *const columns[] = {
	"class", "name", "signature", "runs", "calls_min", "calls_median",
	"calls_max", "inclusive_min_ns", "inclusive_median_ns",
	"inclusive_max_ns", "exclusive_min_ns", "exclusive_median_ns",
	"exclusive_max_ns", "lower_bounds", "file", "error", NULL
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) - 1 };

static void
put_run_row(struct runs *runs, const struct report_row *from)
{
	const struct merged *merged = &runs->merged[from->index];
	struct table *const table = &runs->report->table;

	report_put_names(table, &from->method);
	table_number(table, merged->runs);
	for (int what = 0; what < FIGURES; what++) {
		if (merged->lacks[what]) {
			table_absent(table, 3);
			continue;
		}
		table_signed(table, merged->min[what]);
		table_signed(table, merged->median[what]);
		table_signed(table, merged->max[what]);
	}
	table_truth(table, runs->report->summary.lower_bounds);
	report_put_error(table, NULL);
	table_end_row(table);
}

static void
put_runs_heading(struct runs *runs)
{
	struct dmt_output *const buffer = &runs->report->table.buffer;
	static const char *const figures[] = { "min", "median", "max" };
	static const char *const names[FIGURES] =
	    { "calls", "inclusive", "exclusive" };

	dmt_put_format(buffer, "%zu run%s, %s time\n", runs->count,
	    runs->count == 1 ? "" : "s", clock_names[runs->report->clock]);
	if (runs->report->summary.lower_bounds)
		dmt_put(buffer, "a buffer was full: calls and times are "
		    "lower bounds\n");
	dmt_put(buffer, "\n");
	choose_ranges(runs);
	for (int what = FIGURES; what-- > 0; )
		column_string(buffer, (what == CALLS ? WIDTH_CALLS :
		    WIDTH_TIME) * (runs->has_range[what] ? 3 : 1),
		    names[what]);
	dmt_put(buffer, "\n");
	for (int what = FIGURES; what-- > 0; )
		for (int i = 0; i < 3; i++)
			if (i == 1 || runs->has_range[what])
				column_string(buffer, what == CALLS ?
				    WIDTH_CALLS : WIDTH_TIME, figures[i]);
	column_string(buffer, WIDTH_RUNS, "runs");
	dmt_put(buffer, "  method\n");
}

static bool
print_runs(struct runs *runs)
{
	struct report *report = runs->report;
	struct report_row *rows = calloc(runs->merged_count + 1,
	    sizeof(*rows));
	bool fine = rows != NULL;
	size_t found = 0, count = 0;

	if (!fine)
		msg_memory();
	table_set_columns(&report->table, columns);
	report_put_unreadable(report, NULL, COLUMNS - 2);
	if (!table_has_rows(&report->table) && runs->count > 0)
		put_runs_heading(runs);
	for (size_t i = 0; fine && i < runs->merged_count; i++) {
		const struct entry *const first =
		    &runs->entries[runs->merged[i].first];

		report->names[i] = report_method_name(&first->method);
		if (report_finds(report, first->is_top ? DMTRACE_PROFILE_TOP :
		    DMTRACE_NONE, &first->method))
			rows[found++] = make_run_row(runs, i);
	}
	method_names_sort(report->names, report->name_count);
	report_rows_sort(rows, found);
	for (; fine && count < report_shown(report, found); count++) {
		if (report->table.form == FORM_TEXT)
			put_run_text(runs, &rows[count]);
		else
			put_run_row(runs, &rows[count]);
		fine = table_flush(&report->table);
	}
	if (fine && report->table.form == FORM_TEXT)
		report_text_printer.put_rest(report, &(struct report_rest){
		    .what = "method",
		    .beyond_top = found - count });
	free(rows);
	return fine && table_flush(&report->table);
}

bool
report_runs(struct report *report, struct dmtrace_profile *const *profiles,
    size_t count)
{
	struct runs runs = {
		.report = report, .profiles = profiles, .count = count
	};
	const bool listed = list_run_methods(&runs);

	if (listed)
		merge_run_methods(&runs);
	report->name_count = runs.merged_count;
	report->names = calloc(runs.merged_count + 1, sizeof(*report->names));
	if (!listed || report->names == NULL)
		msg_memory();
	const bool fine = listed && report->names != NULL && print_runs(&runs);
	free(report->names);
	report->names = NULL;
	free(runs.entries);
	free(runs.merged);
	free(runs.values);
	return fine;
}
