/* expect.c - what became of expectations, in the forms of a report */

#include "expect.h"

#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "decimal.h"

static const char *const cells[] = { "file", "line", "expectation", "result",
	"expected", "found", "record", "byte", "thread", "name", "time_ns" };

static void
put_message(struct buffer *buffer, const char *words)
{
	buffer_text(buffer, text_message, words, strlen(words));
}

void
expect_report_begin(struct expect_report *report)
{
	report->checks.suite.command = "expect";
	report->checks.suite.failure = "unmet";
	checks_put_names(&report->checks, cells,
	    sizeof(cells) / sizeof(cells[0]));
}

void
expect_report_end(struct expect_report *report)
{
	checks_end(&report->checks);
}

/* Columns that text takes; most characters take one. */
static size_t
width(const char *text)
{
	size_t columns = 0;

	for (; *text != '\0'; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

static size_t
row_width(const struct dmtrace_expect_row *row)
{
	return row->expected == NULL ? 0 :
	    2 * (size_t)row->expected_depth + width(row->expected);
}

static void
put_side(struct buffer *buffer, uint32_t depth, const char *words)
{
	buffer_printf(buffer, "%*s", (int)(2 * depth), "");
	if (words != NULL)
		buffer_string(buffer, words);
}

static void
put_expect_row(struct buffer *buffer, const struct dmtrace_expect_row *row,
    size_t columns)
{
	buffer_printf(buffer, "%c ", row->differs ? '>' : ' ');
	if (row->line != 0)
		buffer_printf(buffer, "%6" PRIu64 "  ", row->line);
	else
		buffer_printf(buffer, "%8s", "");
	put_side(buffer, row->expected_depth, row->expected);
	if (row->found != NULL) {
		buffer_printf(buffer, "%*s",
		    (int)(columns - row_width(row) + 2), "");
		put_side(buffer, row->found_depth, row->found);
	}
	buffer_string(buffer, "\n");
}

/* Both sides, as far to the left as they go. */
static void
put_rows(struct buffer *buffer, const struct dmtrace_expectation *about)
{
	size_t columns = strlen("expected");

	if (about->row_count == 0)
		return;
	for (size_t i = 0; i < about->row_count; i++)
		if (row_width(&about->rows[i]) > columns)
			columns = row_width(&about->rows[i]);
	buffer_printf(buffer, "    line  %-*s  found\n", (int)columns,
	    "expected");
	for (size_t i = 0; i < about->row_count; i++)
		put_expect_row(buffer, &about->rows[i], columns);
}

/* "record 7, thread 3 main, 0.001234 s: " */
static void
put_place(struct buffer *buffer, const struct dmtrace_expectation *about)
{
	char seconds[DECIMAL_ROOM];
	const char *before = "";

	if (about->record != 0) {
		buffer_printf(buffer, "record %" PRIu64, about->record);
		before = ", ";
	}
	if (about->thread_name != NULL) {
		buffer_printf(buffer, "%sthread %" PRIu32, before,
		    about->thread);
		if (about->thread_name[0] != '\0')
			buffer_printf(buffer, " ");
		buffer_string(buffer, about->thread_name);
		before = ", ";
	}
	if (about->time_ns != DMTRACE_NO_TIME) {
		const char *begin = seconds;

		*decimal_put_seconds(seconds, about->time_ns) = '\0';
		begin += strspn(begin, " ");
		buffer_printf(buffer, "%s%s s", before, begin);
		before = ", ";
	}
	if (before[0] != '\0')
		buffer_string(buffer, ": ");
}

static void
put_unmet(struct expect_report *report,
    const struct dmtrace_expectation *about)
{
	struct buffer buffer = { 0 };

	put_message(&buffer, report->spec);
	buffer_printf(&buffer, ":%" PRIu64 ": ", about->line);
	put_message(&buffer, report->file);
	buffer_string(&buffer, ": ");
	put_place(&buffer, about);
	buffer_string(&buffer, "expected ");
	buffer_string(&buffer, about->expected);
	buffer_string(&buffer, ", found ");
	buffer_string(&buffer, about->found);
	buffer_string(&buffer, "\n");
	put_rows(&buffer, about);
	checks_put(&report->checks, &buffer);
}

static void
put_row(struct expect_report *report,
    const struct dmtrace_expectation *about)
{
	struct buffer buffer = { 0 };
	struct row row;

	row_begin(&row, &buffer, (enum form)report->checks.form);
	row_string(&row, cells[0], report->file);
	row_number(&row, cells[1], about->line);
	row_string(&row, cells[2], about->words);
	row_string(&row, cells[3], about->met ? "met" : "unmet");
	row_string(&row, cells[4], about->expected);
	row_string(&row, cells[5], about->found);
	if (about->record != 0)
		row_number(&row, cells[6], about->record);
	else
		row_absent(&row, cells[6]);
	if (about->record != 0)
		row_number(&row, cells[7], about->at);
	else
		row_absent(&row, cells[7]);
	if (about->thread_name != NULL) {
		row_number(&row, cells[8], about->thread);
		row_string(&row, cells[9], about->thread_name);
	} else {
		row_absent(&row, cells[8]);
		row_absent(&row, cells[9]);
	}
	if (about->time_ns != DMTRACE_NO_TIME)
		row_number(&row, cells[10], about->time_ns);
	else
		row_absent(&row, cells[10]);
	row_line(&row);
	checks_flush(&report->checks, &buffer);
}

/* A case of the trace and an expectation; words NULL: of the trace alone. */
static void
end_case(struct expect_report *report, const char *words, int status)
{
	struct buffer name = { 0 };

	buffer_string(&name, report->file);
	if (words != NULL) {
		buffer_string(&name, ": ");
		buffer_string(&name, words);
	}
	buffer_put(&name, "", 1);
	report->checks.suite.lines.failed |= name.failed;
	checks_end_case(&report->checks, name.failed ? "" : name.bytes,
	    status);
	buffer_fini(&name);
}

void
expect_report_tell(void *context,
    const struct dmtrace_expectation *expectation)
{
	struct expect_report *const report = context;

	progress_erase(report->progress);
	if (checks_are_rows(&report->checks)) {
		if (!report->quiet || !expectation->met)
			put_row(report, expectation);
		return;
	}
	if (!expectation->met)
		put_unmet(report, expectation);
	if (checks_are_cases(&report->checks))
		end_case(report, expectation->words,
		    expectation->met ? CMD_OK : CMD_NO);
}

void
expect_report_sum(struct expect_report *report,
    const struct dmtrace_expected *expected)
{
	struct buffer buffer = { 0 };

	if (report->checks.form != FORM_TEXT ||
	    (report->quiet && expected->unmet == 0))
		return;
	put_message(&buffer, report->file);
	buffer_string(&buffer, expected->unmet == 0 ? ": meets " :
	    ": does not meet ");
	put_message(&buffer, report->spec);
	if (expected->unmet > 0)
		buffer_printf(&buffer, ", %" PRIu64 " of", expected->unmet);
	else
		buffer_string(&buffer, ",");
	buffer_printf(&buffer, " %" PRIu64 " expectation%s\n",
	    expected->expectations, expected->expectations == 1 ? "" : "s");
	checks_put(&report->checks, &buffer);
}

static void
put_error_row(struct expect_report *report, const char *words)
{
	struct buffer buffer = { 0 };
	struct row row;

	row_begin(&row, &buffer, (enum form)report->checks.form);
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		if (i == 0)
			row_string(&row, cells[i], report->file);
		else if (i == 3)
			row_string(&row, cells[i], "error");
		else if (i == 5)
			row_string(&row, cells[i], words);
		else
			row_absent(&row, cells[i]);
	row_line(&row);
	checks_flush(&report->checks, &buffer);
}

void
expect_report_fail(struct expect_report *report, const char *words,
    int status)
{
	struct buffer buffer = { 0 };

	if (checks_are_rows(&report->checks)) {
		put_error_row(report, words);
		return;
	}
	if (!checks_are_cases(&report->checks) && status != CMD_TROUBLE)
		return;
	put_message(&buffer, report->file);
	buffer_string(&buffer, ": cannot be judged: ");
	put_message(&buffer, words);
	buffer_string(&buffer, "\n");
	checks_put(&report->checks, &buffer);
	if (checks_are_cases(&report->checks))
		end_case(report, NULL, status);
}
