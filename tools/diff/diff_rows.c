/* diff_rows.c - the methods that have changed, in order */

#include "diff/diff_run.h"

#include <stdlib.h>

#include "cli/method_name.h"
#include "cli/msg.h"

static double
magnitude(double number)
{
	return number < 0 ? -number : number;
}

enum dmtrace_diff_figure
diff_figure(const struct diff *diff, enum diff_column column)
{
	static const enum dmtrace_diff_figure figures[DIFF_COLUMNS][2] = {
		[DIFF_COLUMN_INCLUSIVE] = { DMTRACE_DIFF_INCLUSIVE_CPU,
		    DMTRACE_DIFF_INCLUSIVE_WALL },
		[DIFF_COLUMN_EXCLUSIVE] = { DMTRACE_DIFF_EXCLUSIVE_CPU,
		    DMTRACE_DIFF_EXCLUSIVE_WALL },
		[DIFF_COLUMN_CALLS] = { DMTRACE_DIFF_CALLS,
		    DMTRACE_DIFF_CALLS },
	};

	return figures[column][diff->clock];
}

static double
weigh_diff_row(const struct diff *diff, const struct diff_row *row)
{
	const struct dmtrace_diff_change *const inclusive =
	    &row->changes[diff_figure(diff, DIFF_COLUMN_INCLUSIVE)];

	switch (diff->job->sort) {
	case DIFF_SORT_INCLUSIVE:
		return magnitude(inclusive->shift);
	case DIFF_SORT_EXCLUSIVE:
		return magnitude(row->changes[diff_figure(diff,
		    DIFF_COLUMN_EXCLUSIVE)].shift);
	case DIFF_SORT_CALLS:
		return magnitude(row->changes[DMTRACE_DIFF_CALLS].shift);
	case DIFF_SORT_PERCENT:
		return magnitude(inclusive->percent);
	case DIFF_SORT_P:
		return -inclusive->p;
	default:
		return 0;
	}
}

static struct method_name
diff_method_name(const struct dmtrace_diff_method *method)
{
	return (struct method_name){
		.class_name = method->class_name, .name = method->name,
		.signature = method->signature, .listed = method->listed
	};
}

/* What is significant comes first. */
static int
compare_diff_rows(const void *left, const void *right)
{
	const struct diff_row *const a = left, *const b = right;
	const struct method_name x = diff_method_name(&a->method);
	const struct method_name y = diff_method_name(&b->method);

	if (a->different != b->different)
		return a->different ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? 1 : -1;
	const int order = method_name_compare(&x, &y);
	if (order != 0)
		return order;
	return (a->index > b->index) - (a->index < b->index);
}

/* The part of the base's total that is more, or less, now. */
static bool
is_large(const struct diff *diff, const struct diff_row *row)
{
	struct dmtrace_diff_change total;
	double largest = 0;

	if (diff->job->threshold == 0)
		return true;
	dmtrace_diff_change_get(diff->diff, DMTRACE_PROFILE_TOP,
	    diff_figure(diff, DIFF_COLUMN_INCLUSIVE), &total);
	for (int column = 0; column < DIFF_COLUMN_CALLS; column++) {
		const double shift = magnitude(row->changes[diff_figure(diff,
		    (enum diff_column)column)].shift);

		largest = shift > largest ? shift : largest;
	}
	return 100 * largest >= (double)diff->job->threshold *
	    magnitude(total.medians[DMTRACE_DIFF_BASE]);
}

/* Whether there is anything to report. */
static bool
fill_diff_row(struct diff *diff, struct diff_row *row, size_t index)
{
	bool changed = false;

	*row = (struct diff_row){ .index = index };
	dmtrace_diff_method_get(diff->diff, index, &row->method);
	for (int i = 0; i < DMTRACE_DIFF_FIGURES; i++)
		dmtrace_diff_change_get(diff->diff, index,
		    (enum dmtrace_diff_figure)i, &row->changes[i]);
	for (int column = 0; column < DIFF_COLUMNS; column++) {
		const struct dmtrace_diff_change *const change =
		    &row->changes[diff_figure(diff,
		    (enum diff_column)column)];

		changed |= change->shift != 0;
		row->different |= change->different != 0;
	}
	row->weight = weigh_diff_row(diff, row);
	return (changed || row->different) && is_large(diff, row);
}

bool
diff_rows_make(struct diff *diff)
{
	const size_t count = dmtrace_diff_method_count(diff->diff);

	diff->rows = calloc(count + 1, sizeof(*diff->rows));
	if (diff->rows == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct diff_row *const row = &diff->rows[diff->row_count];

		if (!fill_diff_row(diff, row, i))
			continue;
		diff->row_count++;
		for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
			diff->only[side] += row->method.runs[!side] == 0;
	}
	if (diff->row_count > 1)
		qsort(diff->rows, diff->row_count, sizeof(*diff->rows),
		    compare_diff_rows);
	return true;
}

size_t
diff_shown(const struct diff *diff)
{
	return diff->job->top == 0 || diff->job->top > diff->row_count ?
	    diff->row_count : (size_t)diff->job->top;
}

void
diff_put_name(struct strbuf *buffer, const struct dmtrace_diff_method *method)
{
	const struct method_name names = diff_method_name(method);

	method_name_put(buffer, &names);
}
