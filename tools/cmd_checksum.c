/* cmd_checksum.c - compute order-independent checksums of traces */

#include <dmtrace.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/jobs.h"
#include "cli/msg.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "private/array.h"
#include "private/ops.h"
#include "private/select.h"
#include "private/text.h"
#include "private/trace.h"

#define DIGITS 32
#define TOP_THREADS 10		/* in text */
#define WIDTH_EVENTS 11	/* a column of text */

static const char *const clock_words[] = {
	"dual", "cpu", "wall", "none", "thread-cpu", "global", NULL
};

static const unsigned clock_meanings[] = {
	DMTRACE_CHECKSUM_CPU | DMTRACE_CHECKSUM_WALL, DMTRACE_CHECKSUM_CPU,
	DMTRACE_CHECKSUM_WALL, DMTRACE_CHECKSUM_NO_TIME, DMTRACE_CHECKSUM_CPU,
	DMTRACE_CHECKSUM_WALL
};

/* The sum of the threads of one name, or of a thread that no row lists. */
struct thread_sum {
	char *name;			/* NULL: not listed */
	size_t len;
	uint32_t thread;		/* if it is not listed */
	uint64_t threads;
	uint64_t records;
	struct dmtrace_sum sum;
};

/* The sums of a trace, or of several added together. A zeroed struct is valid,
 * and empty. */
struct trace_sum {
	struct thread_sum *rows;	/* by name; those without one are
					   last */
	size_t count;
	size_t capacity;
	struct dmtrace_sum sum;
	uint64_t records;
	uint64_t added;
};

struct checksum {
	struct job job;
	struct selection selection;	/* selection_begin was called */
	struct dmtrace_checksum_options options;
	bool adds;			/* --sum: add all operands */
	bool compares;
	bool brief;
	uint64_t top;			/* threads in text; 0: all */
	struct table table;
	char **files;
	uint64_t workers;
	int status;			/* the exit status so far */
	const char *first_file;		/* NULL: none was read yet */
	struct trace_sum first;		/* to compare with, or to add to */
};

static int
compare_thread_sums(const void *left, const void *right)
{
	const struct thread_sum *const a = left, *const b = right;

	if (a->name == NULL || b->name == NULL) {
		if (a->name != NULL || b->name != NULL)
			return a->name == NULL ? 1 : -1;
		return (a->thread > b->thread) - (a->thread < b->thread);
	}
	return dmt_text_compare((struct dmtrace_text){ a->name, a->len },
	    (struct dmtrace_text){ b->name, b->len });
}

static bool
is_same_sum(const struct dmtrace_sum *a, const struct dmtrace_sum *b)
{
	return a->high == b->high && a->low == b->low;
}

/* Combines rows with the same name, which are adjacent, into one. */
static void
join_equal_names(struct trace_sum *sums)
{
	size_t used = 0;

	for (size_t i = 0; i < sums->count; i++) {
		struct thread_sum *const row = &sums->rows[i];
		struct thread_sum *const last =
		    used == 0 ? NULL : &sums->rows[used - 1];

		if (last == NULL || compare_thread_sums(last, row) != 0) {
			sums->rows[used++] = *row;
			continue;
		}
		last->threads += row->threads;
		last->records += row->records;
		dmt_sum_add(&last->sum, &row->sum);
		free(row->name);
	}
	sums->count = used;
}

/* false: no memory, which was reported. */
static bool
add_checksum(struct trace_sum *sums,
    const struct dmtrace_checksum_result *checksum)
{
	struct thread_sum *const grown = dmt_array_grow(sums->rows,
	    &sums->capacity, sums->count + checksum->thread_count,
	    sizeof(*grown));

	if (grown == NULL) {
		msg_memory();
		return false;
	}
	sums->rows = grown;
	for (size_t i = 0; i < checksum->thread_count; i++) {
		const struct dmtrace_thread_sum *const thread =
		    &checksum->threads[i];
		const struct dmtrace_text name = thread->name;
		char *const copy = name.bytes == NULL ? NULL :
		    malloc(name.len + 1);

		if (copy == NULL && name.bytes != NULL) {
			msg_memory();
			return false;
		}
		if (copy != NULL)
			memcpy(copy, name.bytes, name.len);
		sums->rows[sums->count++] = (struct thread_sum){
			.name = copy, .len = copy == NULL ? 0 : name.len,
			.thread = thread->thread, .threads = 1,
			.records = thread->records, .sum = thread->sum
		};
	}
	qsort(sums->rows, sums->count, sizeof(*sums->rows),
	    compare_thread_sums);
	join_equal_names(sums);
	dmt_sum_add(&sums->sum, &checksum->sum);
	sums->records += checksum->records;
	sums->added += checksum->added;
	return true;
}

static void
free_trace_sum(struct trace_sum *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->rows[i].name);
	free(sums->rows);
	*sums = (struct trace_sum){ .rows = NULL };
}

static const char *
format_sum(char out[DIGITS + 1], const struct dmtrace_sum *sum)
{
	snprintf(out, DIGITS + 1, "%016" PRIx64 "%016" PRIx64, sum->high,
	    sum->low);
	return out;
}

static void
put_trace_sum_row(struct table *table, const char *file,
    const struct trace_sum *sums)
{
	static const char *const columns[] = {
		"thread_name", "thread", "threads", "checksum", "events", NULL
	};
	struct table threads = table_nested(columns);
	char sum[DIGITS + 1];

	for (size_t i = 0; i < sums->count; i++) {
		const struct thread_sum *const row = &sums->rows[i];

		if (row->name != NULL)
			table_text(&threads, row->name, row->len);
		else
			table_absent(&threads, 1);
		table_number_if(&threads, row->name == NULL, row->thread);
		table_number(&threads, row->threads);
		table_string(&threads, format_sum(sum, &row->sum));
		table_number(&threads, row->records);
		table_end_row(&threads);
	}
	table_string(table, file);
	table_string(table, format_sum(sum, &sums->sum));
	table_number(table, sums->records);
	table_number(table, sums->added);
	table_array(table, &threads);
	table_absent(table, 1);
	table_end_row(table);
}

static void
put_sum_name(struct dmt_output *buffer, const struct thread_sum *row)
{
	if (row->name == NULL)
		dmt_put_format(buffer, "thread %" PRIu32 ", not listed",
		    row->thread);
	else
		escape_put(buffer, escape_plain, row->name, row->len);
	if (row->threads > 1)
		dmt_put_format(buffer, " (%" PRIu64 " threads)", row->threads);
}

static void
put_file_name(struct dmt_output *buffer, const char *file)
{
	escape_put(buffer, escape_plain, file, strlen(file));
}

static int
compare_event_counts(const void *left, const void *right)
{
	const struct thread_sum *const *const a = left, *const *const b = right;

	if ((*a)->records != (*b)->records)
		return (*a)->records > (*b)->records ? -1 : 1;
	return compare_thread_sums(*a, *b);
}

/* The threads with most events come first. */
static void
put_thread_sums(struct checksum *checksum, const struct trace_sum *sums)
{
	struct table *const table = &checksum->table;
	struct dmt_output *const buffer = &table->buffer;
	const size_t shown = checksum->top == 0 || checksum->top >
	    sums->count ? sums->count : (size_t)checksum->top;
	const struct thread_sum **const order = calloc(sums->count + 1,
	    sizeof(*order));
	char sum[DIGITS + 1];

	if (order == NULL)
		dmt_output_fail_memory(buffer);
	for (size_t i = 0; order != NULL && i < sums->count; i++)
		order[i] = &sums->rows[i];
	if (order != NULL && sums->count > 1)
		qsort(order, sums->count, sizeof(*order),
		    compare_event_counts);
	for (size_t i = 0; order != NULL && i < shown; i++) {
		const size_t begin = buffer->len;
		dmt_put(buffer, format_sum(sum, &order[i]->sum));
		column_count(buffer, WIDTH_EVENTS, order[i]->records);
		dmt_put(buffer, "  ");
		const size_t name = buffer->len;
		put_sum_name(buffer, order[i]);
		table_end_line(table, begin, name);
	}
	if (shown < sums->count)
		dmt_put_format(buffer, "%zu more thread%s (--threads)\n",
		    sums->count - shown, sums->count - shown == 1 ? "" : "s");
	free(order);
}

static void
put_trace_sum_text(struct checksum *checksum, const char *file,
    const struct trace_sum *sums)
{
	struct table *const table = &checksum->table;
	struct dmt_output *const buffer = &table->buffer;
	const size_t begin = buffer->len;
	char sum[DIGITS + 1], added[COUNT_MAX];

	if (checksum->brief || checksum->compares) {
		dmt_put_format(buffer, "%s  ", format_sum(sum, &sums->sum));
		const size_t name = buffer->len;
		put_file_name(buffer, file);
		table_end_line(table, begin, name);
		return;
	}
	put_thread_sums(checksum, sums);
	dmt_put(buffer, format_sum(sum, &sums->sum));
	column_count(buffer, WIDTH_EVENTS, sums->records);
	dmt_put(buffer, "  = ");
	put_file_name(buffer, file);
	if (sums->added > 0)
		dmt_put_format(buffer, " (without %s added)",
		    count_format(added, sums->added));
	dmt_put(buffer, "\n");
}

/* file is NULL for the sum of all traces. */
static void
put_trace_sum(struct checksum *checksum, const char *file,
    const struct trace_sum *sums)
{
	struct table *const table = &checksum->table;

	if (table_has_rows(table))
		put_trace_sum_row(table, file, sums);
	else
		put_trace_sum_text(checksum, file == NULL ? "all" : file,
		    sums);
	table_flush(table);
}

/* A thread, or threads of one name, that differ: of an operand and of the first
 * one; NULL: it is not there. */
struct thread_pair {
	const struct thread_sum *row, *other;
};

static uint64_t
pair_events(const struct thread_pair *pair)
{
	const uint64_t own = pair->row == NULL ? 0 : pair->row->records;
	const uint64_t others = pair->other == NULL ? 0 :
	    pair->other->records;

	return own > others ? own : others;
}

static int
compare_thread_pairs(const void *left, const void *right)
{
	const struct thread_pair *const a = left, *const b = right;
	const uint64_t of_a = pair_events(a), of_b = pair_events(b);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return compare_thread_sums(a->row != NULL ? a->row : a->other,
	    b->row != NULL ? b->row : b->other);
}

/* Prints the threads that differ, those with most events first. */
static void
put_thread_pairs(struct checksum *checksum, const struct trace_sum *sums)
{
	const struct trace_sum *const first = &checksum->first;
	struct table *const table = &checksum->table;
	struct dmt_output *const buffer = &table->buffer;
	struct thread_pair *const pairs = calloc(sums->count + first->count +
	    1, sizeof(*pairs));
	size_t count = 0;

	if (pairs == NULL) {
		dmt_output_fail_memory(buffer);
		return;
	}
	for (size_t i = 0, j = 0; i < sums->count || j < first->count; ) {
		const int order = i == sums->count ? 1 :
		    j == first->count ? -1 :
		    compare_thread_sums(&sums->rows[i], &first->rows[j]);
		const struct thread_pair pair = {
			order > 0 ? NULL : &sums->rows[i],
			order < 0 ? NULL : &first->rows[j]
		};

		i += order <= 0;
		j += order >= 0;
		if (order != 0 || !is_same_sum(&pair.row->sum,
		    &pair.other->sum))
			pairs[count++] = pair;
	}
	if (count > 1)
		qsort(pairs, count, sizeof(*pairs), compare_thread_pairs);
	const size_t shown = checksum->top == 0 || checksum->top > count ?
	    count : (size_t)checksum->top;
	for (size_t i = 0; i < shown; i++) {
		const struct thread_sum *const row = pairs[i].row;
		const struct thread_sum *const other = pairs[i].other;
		char records[COUNT_MAX], others[COUNT_MAX];

		dmt_put(buffer, "  ");
		put_sum_name(buffer, row != NULL ? row : other);
		if (row != NULL && other != NULL &&
		    row->records == other->records)
			dmt_put_format(buffer, ": %s event%s, not the same\n",
			    count_format(records, row->records),
			    row->records == 1 ? "" : "s");
		else
			dmt_put_format(buffer, ": %s and %s events\n",
			    count_format(records,
			    row == NULL ? 0 : row->records),
			    count_format(others,
			    other == NULL ? 0 : other->records));
	}
	if (shown < count)
		dmt_put_format(buffer, "  %zu more thread%s (--threads)\n",
		    count - shown, count - shown == 1 ? "" : "s");
	free(pairs);
}

/* Compares an operand with the first one; in text, prints the threads that
 * differ. */
static void
compare_with_first(struct checksum *checksum, const struct trace_sum *sums)
{
	const struct trace_sum *const first = &checksum->first;
	struct dmt_output *const buffer = &checksum->table.buffer;

	if (is_same_sum(&sums->sum, &first->sum) &&
	    sums->records == first->records)
		return;
	checksum->job.status = cmd_worse(checksum->job.status, CMD_NO);
	if (checksum->table.form != FORM_TEXT)
		return;
	put_file_name(buffer, checksum->job.input);
	dmt_put(buffer, " differs from ");
	put_file_name(buffer, checksum->first_file);
	dmt_put(buffer, checksum->brief ? "\n" : ":\n");
	if (!checksum->brief)
		put_thread_pairs(checksum, sums);
	table_flush(&checksum->table);
}

/* Prints the row of an operand that could not be read, with the message. */
static void
put_unreadable_trace(struct table *table, const char *file, const char *message)
{
	if (table->form == FORM_TEXT) {
		table_unreadable_text(table, file, message);
	} else {
		table_string(table, file);
		table_absent(table, 4);
		table_string(table, message);
		table_end_row(table);
	}
	table_flush(table);
}

/* The first operand is kept, to be added to or compared with. */
static void
report_checksum(struct checksum *checksum,
    const struct dmtrace_checksum_result *result)
{
	const bool stays = checksum->adds || checksum->first_file == NULL;
	struct trace_sum own = { .rows = NULL };
	struct trace_sum *const sums = stays ? &checksum->first : &own;

	if (!add_checksum(sums, result)) {
		checksum->table.lost = true;
	} else if (!checksum->adds) {
		put_trace_sum(checksum, checksum->job.input, sums);
		if (checksum->compares && !stays)
			compare_with_first(checksum, sums);
	}
	if (stays)
		checksum->first_file = checksum->job.input;
	free_trace_sum(&own);
}

/* Opens a trace, and prepares to select events of it. */
static int
open_summed_trace(struct checksum *checksum, const char *operand)
{
	struct selection *const selection = &checksum->selection;
	struct job *const job = &checksum->job;

	if (job_open(job, operand) != CMD_OK)
		return CMD_TROUBLE;
	if (dmt_selection_is_all(selection->asked))
		return CMD_OK;
	if (selection_resolve(selection, job->reader, job->name) != OPT_GO)
		return CMD_TROUBLE;
	if (dmt_reader_hold(job->reader) == DMTRACE_OK)
		return CMD_OK;
	msg_failure(job->name, dmtrace_reader_error(job->reader));
	return CMD_TROUBLE;
}

static void
checksum_operand(struct checksum *checksum, const char *operand)
{
	struct selection *const selection = &checksum->selection;
	struct job *const job = &checksum->job;
	struct dmtrace_checksum_result result;

	if (open_summed_trace(checksum, operand) != CMD_OK) {
		job->status = CMD_TROUBLE;
		if (job->reader != NULL &&
		    dmtrace_reader_error(job->reader)->status != DMTRACE_OK)
			put_unreadable_trace(&checksum->table, operand,
			    dmtrace_reader_error(job->reader)->message);
		else
			checksum->table.lost = true;
		return;
	}
	const enum dmtrace_status status = dmt_checksum(job->op,
	    job->reader, selection->asked, &checksum->options, &result);
	job_report(job);
	if (status == DMTRACE_OK && selection_check(selection, job->reader,
	    job->name, result.records == 0) != OPT_GO)
		job->status = CMD_TROUBLE;
	if (msg_findings(job->name, job->reader, job->quiet))
		job->status = cmd_worse(job->status, CMD_NO);
	if (status == DMTRACE_OK) {
		report_checksum(checksum, &result);
		dmtrace_checksum_fini(&result);
		return;
	}
	msg_failure(job->name, dmtrace_op_error(job->op));
	put_unreadable_trace(&checksum->table, operand,
	    dmtrace_op_error(job->op)->message);
	job->status = CMD_TROUBLE;
}

static int
handle_checksum(void *context, size_t index)
{
	struct checksum *const checksum = context;

	checksum->job.status = CMD_OK;
	checksum_operand(checksum, checksum->files[index]);
	return checksum->job.status;
}

static int
checksum_traces(struct checksum *checksum, int argc, char **argv)
{
	static const char *const columns[] = {
		"file", "checksum", "events", "added", "per_thread", "error",
		NULL
	};
	struct job *const job = &checksum->job;

	if (!job_begin(job) || !table_open(&checksum->table, job->output))
		return CMD_TROUBLE;
	table_set_columns(&checksum->table, columns);
	checksum->files = argv;
	/* What one operand has decides how another one is reported. */
	const bool is_one = checksum->adds || checksum->compares ||
	    !dmt_selection_is_all(checksum->selection.asked);
	const struct jobs jobs = {
		.operands = (size_t)argc,
		.workers = is_one ? 1 : checksum->workers,
		.context = checksum, .status = &checksum->status,
		.progress = &job->progress, .handle = handle_checksum,
		.table = &checksum->table, .between = ""
	};
	job->progress.files = jobs.workers > 1 && argc > 1;
	checksum->table.lost |= !jobs_run(&jobs);
	progress_erase(&job->progress);
	if (checksum->adds && checksum->status != CMD_TROUBLE &&
	    !checksum->table.lost)
		put_trace_sum(checksum, NULL, &checksum->first);
	if (checksum->status != CMD_TROUBLE)
		checksum->status = cmd_worse(checksum->status,
		    selection_finish(&checksum->selection, job->name));
	return table_close(&checksum->table, checksum->status);
}

static int
run_checksum(const struct cmd *cmd, int argc, char **argv)
{
	struct checksum checksum = {
		.workers = 1, .selection = SELECTION, .top = TOP_THREADS
	};
	bool all_threads = false;
	unsigned clock = clock_meanings[0];
	const struct opt options[] = {
		OPT_FLAG('b', "brief", &checksum.brief,
		    "print only the totals in text"),
		OPT_MEANING(0, "clock", "CLOCK", &clock, clock_words,
		    clock_meanings,
		    "the times that count: cpu, wall, dual or none [dual]"),
		OPT_FLAG(0, "compare", &checksum.compares,
		    "exit 1 if a checksum differs from the first"),
		OPT_FLAG(0, "sum", &checksum.adds,
		    "print one checksum for all traces together"),
		OPT_TOP(&checksum.top,
		    "print N threads, those with most events, or all [10]"),
		OPT_FLAG(0, "threads", &all_threads,
		    "print all threads, as --top=all does"),
		OPT_SELECTION(&checksum.selection),
		OPT_GROUP("Output"),
		OPT_JOBS(&checksum.workers),
		OPT_FORM(&checksum.table.form),
		OPT_OUTPUT(&checksum.job.output),
		OPT_JOB(&checksum.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && argc == 0)
		status = opt_usage(cmd, "no trace is named");
	if (status == OPT_GO && checksum.adds && checksum.compares)
		status = opt_usage(cmd,
		    "--sum cannot be used with --compare");
	if (status == OPT_GO && checksum.compares && argc == 1)
		status = opt_usage(cmd, "--compare needs two traces");
	checksum.top = all_threads ? 0 : checksum.top;
	checksum.selection.several = argc > 1;
	if (status == OPT_GO)
		status = selection_begin(&checksum.selection);
	checksum.options.clocks = clock;
	if (status == OPT_GO)
		status = checksum_traces(&checksum, argc, argv);
	selection_end(&checksum.selection);
	free_trace_sum(&checksum.first);
	job_fini(&checksum.job);
	return status;
}

const struct cmd cmd_checksum = {
	.name = "checksum",
	.group = "inspect",
	.synopsis = "[OPTION]... TRACE...",
	.summary = "compute checksums of the events of traces",
	.examples = {
		"dmtrace checksum -b old.trace new.trace",
		"dmtrace checksum --compare --clock=none -t main "
		"old.trace new.trace",
	},
	.run = run_checksum,
};
