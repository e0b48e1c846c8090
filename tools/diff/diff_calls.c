/* diff_calls.c - compares the call trees of two traces */

/*
 * The output is like that of diff -u: for each thread whose calls differ,
 * groups of calls of either trace, with the calls around them and their
 * callers, indented by depth. The library finds the groups in several passes,
 * for which both traces are read again: standard input must then be a file.
 */

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/method_name.h"
#include "cli/msg.h"
#include "diff/diff_run.h"
#include "private/verify.h"

#define INDENT_MAX 40		/* levels; on a narrow terminal fewer */
#define NAME_LEAST 20		/* columns of a name on a terminal */
#define REST_OF_THREAD 54	/* columns beside a trace, for a thread */
#define RETURNS " (returns)"
#define RETURNS_LEN (sizeof(RETURNS) - 1)

/* The state of printing. */
struct lines {
	struct diff *diff;
	const struct dmt_call_diff *calls;
	struct dmt_output *buffer;	/* for text, and the lines of a test
					   case */
	bool has_rows;			/* instead of text */
	size_t index;			/* of the thread */
	struct dmt_call_diff_thread thread;
	uint32_t margin;		/* depth of the outermost call that is
					   printed */
};

static const char *const kinds[] = {
	[DMT_CALL_DIFF_SAME] = "same",
	[DMT_CALL_DIFF_BASE] = "base",
	[DMT_CALL_DIFF_NEW] = "new",
	[DMT_CALL_DIFF_CALLER] = "caller",
};

static const char *const columns[] = {
	"kind", "thread_name", "base_thread", "new_thread", "depth", "class",
	"name", "signature", "base_call", "new_call", NULL
};

static void
put_thread_name(struct lines *lines)
{
	const struct dmt_call_diff_thread *const thread = &lines->thread;
	struct dmt_output *const buffer = lines->buffer;

	if (thread->listed)
		escape_put(buffer, escape_plain, thread->name.bytes,
		    thread->name.len);
	else
		dmt_put_format(buffer, "%" PRIu32 " (not listed)",
		    thread->numbers[!thread->present[0]]);
}

static void
put_gap_line(struct lines *lines, size_t index,
    const struct dmt_call_diff_line *line)
{
	struct dmt_output *const buffer = lines->buffer;
	struct dmt_call_diff_line next;

	/* Find the least depth before the next gap. */
	lines->margin = UINT32_MAX;
	for (size_t i = index; dmt_call_diff_line_get(lines->calls,
	    lines->index, i, &next) == 0 && (i == index || !next.first); i++)
		if (next.depth < lines->margin)
			lines->margin = next.depth;
	dmt_put(buffer, "@@ thread ");
	put_thread_name(lines);
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const uint64_t call = line->next[side];

		dmt_put(buffer, side == 0 ? ": " : ", ");
		if (call > lines->thread.calls[side])
			dmt_put_format(buffer, "after %" PRIu64 " calls",
			    lines->thread.calls[side]);
		else
			dmt_put_format(buffer, "call %" PRIu64 " of %" PRIu64,
			    call, lines->thread.calls[side]);
	}
	dmt_put(buffer, " @@\n");
}

static void
put_text_line(struct lines *lines, size_t index,
    const struct dmt_call_diff_line *line)
{
	static const char *const marks[] = { " ", "-", "+", " " };
	struct dmt_output *const buffer = lines->buffer;
	const struct method_name name = {
		.class_name = line->class_name, .name = line->name,
		.signature = line->signature, .listed = line->listed
	};

	if (line->first)
		put_gap_line(lines, index, line);
	const size_t begin = buffer->len;
	const uint32_t level = line->depth - lines->margin;
	dmt_put_format(buffer, "%s%*s", marks[line->kind],
	    2 * (int)(level < INDENT_MAX ? level : INDENT_MAX) + 1, "");
	const size_t at = buffer->len;
	method_name_put(buffer, &name);
	const size_t width = check_report_has_cases(&lines->diff->checks) ?
	    0 : lines->diff->table.out.columns;
	const size_t used = at - begin + (line->before ? RETURNS_LEN : 0);
	if (width > 0)
		column_shorten(buffer, at, width > used + NAME_LEAST ?
		    width - used : NAME_LEAST);
	dmt_put(buffer, line->before ? RETURNS "\n" : "\n");
}

/* Fills the first cells of a row. */
static void
put_thread_cells(struct table *table, const char *kind,
    const struct dmt_call_diff_thread *thread)
{
	table_string(table, kind);
	table_name(table, thread->name);
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		table_number_if(table, thread->present[side] != 0,
		    thread->numbers[side]);
}

static void
put_line_row(struct lines *lines, const struct dmt_call_diff_line *line)
{
	struct table *const table = &lines->diff->table;

	put_thread_cells(table, kinds[line->kind], &lines->thread);
	table_number(table, line->depth);
	method_name_cells(table, line->class_name, line->name,
	    line->signature);
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		table_number_if(table, line->at[side] != 0, line->at[side]);
	table_end_row(table);
}

/* Writes the name of an operand; rest: columns of a terminal that the rest of
 * the line needs. */
static void
put_operand(struct lines *lines, int side, size_t rest)
{
	const char *const operand =
	    lines->diff->job->sides[side].items[0];
	const size_t width = check_report_has_cases(&lines->diff->checks) ?
	    0 : lines->diff->table.out.columns;
	const size_t begin = lines->buffer->len;

	escape_put(lines->buffer, escape_plain, operand, strlen(operand));
	if (width > 0)
		column_shorten(lines->buffer, begin, width > rest +
		    NAME_LEAST ? width - rest : NAME_LEAST);
}

/* Prints a thread that is in one trace only, with the number of its calls. */
static void
put_whole_thread(struct lines *lines)
{
	const struct dmt_call_diff_thread *const thread = &lines->thread;
	const bool both = thread->present[0] && thread->present[1];
	struct table *const table = &lines->diff->table;
	struct dmt_output *const buffer = lines->buffer;

	if (lines->has_rows) {
		put_thread_cells(table, both ? "thread" :
		    thread->present[0] ? "only-base" : "only-new", thread);
		table_absent(table, 4);
		for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
			table_number_if(table, thread->present[side] != 0,
			    thread->calls[side]);
		table_end_row(table);
	} else if (both) {
		dmt_put(buffer, "thread ");
		put_thread_name(lines);
		dmt_put_format(buffer, " differs: %" PRIu64 " call%s, %" PRIu64
		    "\n", thread->calls[0], thread->calls[0] == 1 ? "" : "s",
		    thread->calls[1]);
	} else {
		const int side = !thread->present[0];

		dmt_put(buffer, "only in ");
		put_operand(lines, side, REST_OF_THREAD);
		dmt_put(buffer, ": thread ");
		put_thread_name(lines);
		dmt_put_format(buffer, ", %" PRIu64 " call%s\n",
		    thread->calls[side], thread->calls[side] == 1 ? "" : "s");
	}
}

static void
put_diff_threads(struct lines *lines)
{
	struct dmt_call_diff_line line;
	size_t i;

	for (i = 0; dmt_call_diff_line_get(lines->calls, lines->index, i,
	    &line) == 0; i++) {
		if (lines->has_rows)
			put_line_row(lines, &line);
		else
			put_text_line(lines, i, &line);
	}
	if (i == 0)
		put_whole_thread(lines);
}

/* Ends the output of a thread: it may be a test case. false: no memory, which
 * was reported. */
static bool
end_diff_thread(struct lines *lines, int status)
{
	struct check_report *const checks = &lines->diff->checks;
	struct dmt_output said = { 0 };

	if (!check_report_has_cases(checks))
		return table_flush(&lines->diff->table);
	check_report_put_lines(checks, lines->buffer);
	lines->buffer = &said;
	dmt_put(&said, "thread ");
	put_thread_name(lines);
	dmt_output_write(&said, "", 1);
	const bool fine = !dmt_output_failed(&said);
	if (fine)
		check_report_end_case(checks, said.bytes, status);
	else
		msg_memory();
	dmt_output_fini(&said);
	return fine;
}

/* Prints the threads that differ; each thread may be a test case. Returns the
 * exit status. */
static int
diff_lines(struct diff *diff, const struct dmt_call_diff *calls)
{
	const bool has_cases = check_report_has_cases(&diff->checks);
	struct lines lines = {
		.diff = diff, .calls = calls,
		.has_rows = !has_cases && table_has_rows(&diff->table)
	};
	int status = CMD_OK;

	table_set_columns(&diff->table, columns);
	for (lines.index = 0;
	    lines.index < dmt_call_diff_thread_count(calls);
	    lines.index++) {
		struct dmt_output text = { 0 };	/* of a test case */

		lines.buffer = has_cases ? &text : &diff->table.buffer;
		dmt_call_diff_thread_get(calls, lines.index,
		    &lines.thread);
		for (int side = 0; side < DMTRACE_DIFF_SIDES &&
		    status == CMD_OK && !lines.thread.same &&
		    diff->table.form == FORM_TEXT; side++) {
			dmt_put(lines.buffer,
			    side == 0 ? "--- " : "+++ ");
			put_operand(&lines, side, strlen("--- "));
			dmt_put(lines.buffer, "\n");
		}
		if (!lines.thread.same) {
			status = CMD_NO;
			put_diff_threads(&lines);
		}
		if (!end_diff_thread(&lines, lines.thread.same ? CMD_OK :
		    CMD_NO))
			return CMD_TROUBLE;
	}
	return status;
}

/* One of the traces; the context of the sink. */
struct taker {
	struct dmt_call_diff *calls;
	enum dmtrace_diff_side side;
};

static enum dmtrace_status
add_side(void *context, struct dmtrace_source *source)
{
	const struct taker *const taker = context;

	return dmt_call_diff_add(taker->calls, taker->side, source);
}

static const struct dmtrace_error *
call_diff_error(void *context)
{
	const struct taker *const taker = context;

	return dmt_call_diff_error(taker->calls);
}

static const struct trace_events_sink call_sink =
    { add_side, call_diff_error };

static int
read_both(struct diff *diff, struct dmt_call_diff *calls)
{
	int status = CMD_OK;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		struct taker taker = { calls, (enum dmtrace_diff_side)side };

		diff->events.context = &taker;
		status = cmd_worse(status, diff_read_operand(diff,
		    diff->job->sides[side].items[0]));
	}
	return status;
}

/* Reads both traces again until the differences are known. start is the
 * initial position of standard input. Findings are not reported again. */
static int
read_again(struct diff *diff, struct dmt_call_diff *calls, off_t start)
{
	const bool has_stream =
	    strcmp(diff->job->sides[0].items[0], "-") == 0 ||
	    strcmp(diff->job->sides[1].items[0], "-") == 0;

	diff->job->io.quiet = true;
	while (dmt_call_diff_again(calls)) {
		if (has_stream && (start < 0 ||
		    lseek(STDIN_FILENO, start, SEEK_SET) < 0)) {
			msg_error("standard input: to find where calls differ,"
			    " traces are read again, which needs a file");
			break;
		}
		if (read_both(diff, calls) == CMD_TROUBLE)
			return CMD_TROUBLE;
	}
	return dmt_call_diff_error(calls)->status == DMTRACE_OK ? CMD_OK :
	    msg_fail_memory();
}

int
diff_calls(struct diff *diff)
{
	struct dmt_call_diff_options options = { 0 };

	options.context = diff->job->context == 0 ? DMTRACE_NONE :
	    (uint32_t)diff->job->context;
	if (diff->job->top != DIFF_TOP_UNSET)
		options.lines = diff->job->top == 0 ||
		    diff->job->top > UINT32_MAX ? UINT32_MAX :
		    (uint32_t)diff->job->top;
	struct dmt_call_diff *const calls =
	    dmt_call_diff_new(&options);
	if (calls == NULL)
		return msg_fail_memory();
	diff->events.sink = &call_sink;
	const off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	int status = read_both(diff, calls);
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    &diff->job->selection, NULL));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, read_again(diff, calls, start));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, diff_lines(diff, calls));
	dmt_call_diff_free(calls);
	return status;
}
