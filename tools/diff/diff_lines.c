/* diff_lines.c - calls that are different, line by line */

#include "diff/diff_lines.h"

#include <inttypes.h>
#include <string.h>

#include "cli/method_name.h"

#define INDENT_MAX 40		/* levels */

/* One report under way. */
struct lines {
	struct diff *diff;
	const struct dmtrace_call_diff *calls;
	size_t index;			/* of the thread */
	struct dmtrace_call_diff_thread thread;
	uint32_t margin;		/* depth of the outermost call */
};

static const char *const kinds[] = {
	[DMTRACE_CALL_DIFF_SAME] = "same",
	[DMTRACE_CALL_DIFF_BASE] = "base",
	[DMTRACE_CALL_DIFF_NEW] = "new",
	[DMTRACE_CALL_DIFF_CALLER] = "caller",
};

static const char *const columns[] = {
	"kind", "thread", "base_thread", "new_thread", "depth", "class",
	"name", "signature", "base_call", "new_call"
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void
put_thread_name(struct lines *lines)
{
	const struct dmtrace_call_diff_thread *const thread = &lines->thread;
	struct strbuf *const buffer = &lines->diff->buffer;

	if (thread->listed)
		strbuf_text(buffer, escape_plain, thread->name.bytes,
		    thread->name.len);
	else
		strbuf_printf(buffer, "%" PRIu32 " (not listed)",
		    thread->numbers[!thread->present[0]]);
}

/* The least depth up to the next gap. */
static uint32_t
find_margin(const struct lines *lines, size_t index)
{
	struct dmtrace_call_diff_line line;
	uint32_t least = UINT32_MAX;

	for (size_t i = index; dmtrace_call_diff_line_get(lines->calls,
	    lines->index, i, &line) == 0 && (i == index || !line.first); i++)
		if (line.depth < least)
			least = line.depth;
	return least;
}

static void
put_gap(struct lines *lines, size_t index,
    const struct dmtrace_call_diff_line *line)
{
	struct strbuf *const buffer = &lines->diff->buffer;

	lines->margin = find_margin(lines, index);
	strbuf_string(buffer, "@@ thread ");
	put_thread_name(lines);
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const uint64_t call = line->next[side];

		strbuf_string(buffer, side == 0 ? ": " : ", ");
		if (call > lines->thread.calls[side])
			strbuf_printf(buffer, "after %" PRIu64 " calls",
			    lines->thread.calls[side]);
		else
			strbuf_printf(buffer, "call %" PRIu64 " of %" PRIu64,
			    call, lines->thread.calls[side]);
	}
	strbuf_string(buffer, " @@\n");
}

static struct dmtrace_diff_method
method_of(const struct dmtrace_call_diff_line *line)
{
	return (struct dmtrace_diff_method){
		.class_name = line->class_name, .name = line->name,
		.signature = line->signature, .listed = line->listed
	};
}

static void
put_text_line(struct lines *lines, size_t index,
    const struct dmtrace_call_diff_line *line)
{
	static const char *const marks[] = { " ", "-", "+", " " };
	struct strbuf *const buffer = &lines->diff->buffer;
	const struct dmtrace_diff_method method = method_of(line);

	if (line->first)
		put_gap(lines, index, line);
	const uint32_t level = line->depth - lines->margin;
	strbuf_printf(buffer, "%s%*s", marks[line->kind],
	    2 * (int)(level < INDENT_MAX ? level : INDENT_MAX) + 1, "");
	diff_put_name(buffer, &method);
	strbuf_string(buffer, line->before ? " (returns)\n" : "\n");
}

static void
put_count(struct row *row, const char *name, uint64_t count, bool present)
{
	if (present)
		row_number(row, name, count);
	else
		row_absent(row, name);
}

static void
begin_row(struct lines *lines, struct row *row, const char *kind)
{
	const struct dmtrace_call_diff_thread *const thread = &lines->thread;

	row_begin(row, &lines->diff->buffer,
	    (enum form)lines->diff->job->form);
	row_string(row, columns[0], kind);
	method_name_cell(row, columns[1], thread->name);
	put_count(row, columns[2], thread->numbers[0],
	    thread->present[0] != 0);
	put_count(row, columns[3], thread->numbers[1],
	    thread->present[1] != 0);
}

static void
put_row(struct lines *lines, const struct dmtrace_call_diff_line *line)
{
	struct row row;

	begin_row(lines, &row, kinds[line->kind]);
	row_number(&row, columns[4], line->depth);
	method_name_cell(&row, columns[5], line->class_name);
	method_name_cell(&row, columns[6], line->name);
	method_name_cell(&row, columns[7], line->signature);
	put_count(&row, columns[8], line->at[0], line->at[0] != 0);
	put_count(&row, columns[9], line->at[1], line->at[1] != 0);
	row_line(&row);
}

/* The whole thread, with how many calls it made. */
static void
put_thread_row(struct lines *lines, const char *kind)
{
	const struct dmtrace_call_diff_thread *const thread = &lines->thread;
	struct row row;

	begin_row(lines, &row, kind);
	for (int i = 4; i < 8; i++)
		row_absent(&row, columns[i]);
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		put_count(&row, columns[8 + side], thread->calls[side],
		    thread->present[side] != 0);
	row_line(&row);
}

static void
put_operand(struct lines *lines, int side)
{
	const char *const operand =
	    lines->diff->job->sides[side].items[0];

	strbuf_text(&lines->diff->buffer, escape_plain, operand,
	    strlen(operand));
}

static void
put_thread_text(struct lines *lines)
{
	const struct dmtrace_call_diff_thread *const thread = &lines->thread;
	struct strbuf *const buffer = &lines->diff->buffer;
	const bool both = thread->present[0] && thread->present[1];

	if (both) {
		strbuf_string(buffer, "thread ");
		put_thread_name(lines);
		strbuf_printf(buffer, " differs: %" PRIu64 " calls, %" PRIu64
		    "\n", thread->calls[0], thread->calls[1]);
		return;
	}
	strbuf_string(buffer, "only in ");
	put_operand(lines, !thread->present[0]);
	strbuf_string(buffer, ": thread ");
	put_thread_name(lines);
	strbuf_printf(buffer, ", %" PRIu64 " calls\n",
	    thread->calls[!thread->present[0]]);
}

static void
put_whole_thread(struct lines *lines)
{
	if (lines->diff->job->form == FORM_TEXT)
		put_thread_text(lines);
	else
		put_thread_row(lines, !lines->thread.present[1] ?
		    "only-base" : !lines->thread.present[0] ? "only-new" :
		    "thread");
}

static bool
put_thread(struct lines *lines)
{
	struct dmtrace_call_diff_line line;
	size_t i;

	for (i = 0; dmtrace_call_diff_line_get(lines->calls, lines->index, i,
	    &line) == 0; i++) {
		if (lines->diff->job->form == FORM_TEXT)
			put_text_line(lines, i, &line);
		else
			put_row(lines, &line);
	}
	if (i == 0)
		put_whole_thread(lines);
	return diff_flush(lines->diff);
}

static void
put_heading(struct lines *lines)
{
	struct strbuf *const buffer = &lines->diff->buffer;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		strbuf_string(buffer, side == 0 ? "--- " : "+++ ");
		put_operand(lines, side);
		strbuf_string(buffer, "\n");
	}
}

static void
put_names(struct lines *lines)
{
	const enum form form = (enum form)lines->diff->job->form;
	struct row row;

	if (form == FORM_JSON)
		return;
	row_begin(&row, &lines->diff->buffer, form);
	for (int i = 0; i < COLUMNS; i++)
		row_string(&row, columns[i], columns[i]);
	row_line(&row);
}

int
diff_lines(struct diff *diff, const struct dmtrace_call_diff *calls)
{
	struct lines lines = { .diff = diff, .calls = calls };
	int status = CMD_OK;

	if (diff->job->form != FORM_TEXT)
		put_names(&lines);
	for (lines.index = 0;
	    lines.index < dmtrace_call_diff_thread_count(calls);
	    lines.index++) {
		dmtrace_call_diff_thread_get(calls, lines.index,
		    &lines.thread);
		if (lines.thread.same)
			continue;
		if (status == CMD_OK && diff->job->form == FORM_TEXT)
			put_heading(&lines);
		status = CMD_NO;
		if (!put_thread(&lines))
			return CMD_TROUBLE;
	}
	return diff_flush(diff) ? status : CMD_TROUBLE;
}
