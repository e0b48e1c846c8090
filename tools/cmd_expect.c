/* cmd_expect.c - check traces against a file of expectations */

#include <dmtrace.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/check_report.h"
#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cmd.h"
#include "private/trace.h"
#include "private/verify.h"

#define NOT_GIVEN UINT64_MAX	/* a time of the selection */

/* The report: set checks.table.form, quiet and spec, and an open output. */
struct expect_report {
	struct check_report checks;
	bool quiet;			/* report only what is not met */
	bool in_file;			/* not on standard output */
	const char *spec;		/* its name in messages */
	const char *file;		/* the current trace; in rows, its
					   operand */
	struct progress *progress;	/* erased before a report; NULL: none */
};

static const char *const columns[] = { "file", "line", "expectation", "result",
	"expected", "found", "event", "byte", "thread", "thread_name",
	"time_ns",
	NULL };

static void
put_message(struct dmt_output *buffer, const char *text)
{
	escape_put(buffer, escape_message, text, strlen(text));
}

/* Returns the width of the expected call in columns of the terminal; most
 * characters take one. */
static size_t
expected_width(const struct dmtrace_expect_row *row)
{
	size_t width = 2 * (size_t)row->expected_depth;

	if (row->expected == NULL)
		return 0;
	for (const char *at = row->expected; *at != '\0'; at++)
		width += ((unsigned char)*at & 0xc0) != 0x80;
	return width;
}

/* Prints the calls around a difference, expected and found side by side. */
static void
put_expected_calls(struct dmt_output *buffer,
    const struct dmtrace_expectation *about)
{
	size_t width = strlen("expected");

	if (about->row_count == 0)
		return;
	for (size_t i = 0; i < about->row_count; i++)
		if (expected_width(&about->rows[i]) > width)
			width = expected_width(&about->rows[i]);
	dmt_put_format(buffer, "    line  %-*s  found\n", (int)width,
	    "expected");
	for (size_t i = 0; i < about->row_count; i++) {
		const struct dmtrace_expect_row *const row = &about->rows[i];

		dmt_put_format(buffer, "%c ", row->differs ? '>' : ' ');
		if (row->line != 0)
			dmt_put_format(buffer, "%6" PRIu64 "  ", row->line);
		else
			dmt_put_format(buffer, "%8s", "");
		dmt_put_format(buffer, "%*s", (int)(2 * row->expected_depth),
		    "");
		if (row->expected != NULL)
			dmt_put(buffer, row->expected);
		if (row->found != NULL) {
			dmt_put_format(buffer, "%*s", (int)(width + 2 -
			    expected_width(row) + 2 * row->found_depth), "");
			dmt_put(buffer, row->found);
		}
		dmt_put(buffer, "\n");
	}
}

/* Writes "event 7, thread 3 main, 0.001234 s: ". */
static void
put_event_place(struct dmt_output *buffer,
    const struct dmtrace_expectation *about)
{
	char seconds[DECIMAL_ROOM];
	const char *separator = "";

	if (about->record != 0) {
		dmt_put_format(buffer, "event %" PRIu64, about->record);
		separator = ", ";
	}
	if (about->thread_name != NULL) {
		dmt_put_format(buffer, "%sthread %" PRIu32, separator,
		    about->thread);
		if (about->thread_name[0] != '\0')
			dmt_put_format(buffer, " ");
		escape_put(buffer, escape_plain, about->thread_name,
		    strlen(about->thread_name));
		separator = ", ";
	}
	if (about->time_ns != DMTRACE_NO_TIME) {
		*decimal_put_seconds(seconds, about->time_ns) = '\0';
		dmt_put_format(buffer, "%s%s s", separator,
		    seconds + strspn(seconds, " "));
		separator = ", ";
	}
	if (separator[0] != '\0')
		dmt_put(buffer, ": ");
}

static void
report_unmet(struct expect_report *report,
    const struct dmtrace_expectation *about)
{
	struct dmt_output buffer = { 0 };

	put_message(&buffer, report->spec);
	dmt_put_format(&buffer, ": line %" PRIu64 ": ", about->line);
	put_message(&buffer, report->file);
	dmt_put(&buffer, ": ");
	put_event_place(&buffer, about);
	dmt_put(&buffer, "expected ");
	dmt_put(&buffer, about->expected);
	dmt_put(&buffer, ", found ");
	dmt_put(&buffer, about->found);
	dmt_put(&buffer, "\n");
	put_expected_calls(&buffer, about);
	check_report_put_lines(&report->checks, &buffer);
}

/* Ends the test case of an expectation; NULL: of the trace as a whole. */
static void
end_case(struct expect_report *report, const char *expectation,
    int status)
{
	struct dmt_output name = { 0 };

	dmt_put(&name, report->file);
	if (expectation != NULL) {
		dmt_put(&name, ": ");
		dmt_put(&name, expectation);
	}
	dmt_output_write(&name, "", 1);
	if (dmt_output_failed(&name))
		dmt_output_fail_memory(&report->checks.lines);
	check_report_end_case(&report->checks,
	    dmt_output_failed(&name) ? "" : name.bytes, status);
	dmt_output_fini(&name);
}

/* A dmtrace_expectation_fn. */
static void
report_expectation(void *context, const struct dmtrace_expectation *about)
{
	struct expect_report *const report = context;
	struct table *const table = &report->checks.table;
	const bool has_record = about->record != 0;

	progress_erase(report->progress);
	if (about->note != NULL && !report->quiet)
		msg_note("note: %s: line %" PRIu64 ": %s: %s", report->spec,
		    about->line, report->file, about->note);
	if (!table_has_rows(table)) {
		if (!about->met)
			report_unmet(report, about);
		if (check_report_has_cases(&report->checks))
			end_case(report, about->text,
			    about->met ? CMD_OK : CMD_NO);
		return;
	}
	if (report->quiet && about->met)
		return;
	table_string(table, report->file);
	table_number(table, about->line);
	table_string(table, about->text);
	table_string(table, about->met ? "met" : "unmet");
	if (about->met) {
		table_absent(table, 2);
	} else {
		table_string(table, about->expected);
		table_string(table, about->found);
	}
	table_number_if(table, has_record, about->record);
	table_number_if(table, has_record, about->at);
	table_number_if(table, about->thread_name != NULL, about->thread);
	table_string(table, about->thread_name);
	table_number_if(table, about->time_ns != DMTRACE_NO_TIME,
	    about->time_ns);
	table_end_row(table);
	table_flush(table);
}

/* Reports the result for a trace that was judged. */
static void
report_sum(struct expect_report *report,
    const struct dmtrace_expected *expected)
{
	struct dmt_output buffer = { 0 };

	if (report->checks.table.form != FORM_TEXT ||
	    (report->quiet && expected->unmet == 0))
		return;
	put_message(&buffer, report->file);
	if (expected->unmet > 0)
		dmt_put_format(&buffer, ": does not meet %" PRIu64 " of %"
		    PRIu64 " expectation%s in ", expected->unmet,
		    expected->expectations,
		    expected->expectations == 1 ? "" : "s");
	else
		dmt_put(&buffer, ": meets ");
	put_message(&buffer, report->spec);
	if (expected->unmet == 0)
		dmt_put_format(&buffer, ", %" PRIu64 " expectation%s",
		    expected->expectations,
		    expected->expectations == 1 ? "" : "s");
	dmt_put(&buffer, "\n");
	check_report_put_lines(&report->checks, &buffer);
}

/* Reports that the trace could not be judged completely; status is that of
 * cmd.h. */
static void
report_error(struct expect_report *report, const char *error, int status)
{
	struct table *const table = &report->checks.table;
	struct dmt_output buffer = { 0 };

	if (table->columns == NULL)
		return;			/* for --update */
	if (table_has_rows(table)) {
		table_string(table, report->file);
		table_absent(table, 2);
		table_string(table, "error");
		table_absent(table, 1);
		table_string(table, error);
		table_absent(table, 5);
		table_end_row(table);
		table_flush(table);
		return;
	}
	/* In text on standard output, it would be read twice. */
	if (!check_report_has_cases(&report->checks) &&
	    (status != CMD_TROUBLE || !report->in_file))
		return;
	put_message(&buffer, report->file);
	dmt_put(&buffer, status == CMD_TROUBLE ? ": cannot be judged: " :
	    ": has an error: ");
	put_message(&buffer, error);
	dmt_put(&buffer, "\n");
	check_report_put_lines(&report->checks, &buffer);
	if (check_report_has_cases(&report->checks))
		end_case(report, NULL, status);
}

/* The same, for a reason that was printed: the first of these lines, which may
 * begin with the trace's name. The lines are freed. */
static void
report_reason(struct expect_report *report, struct dmt_output *lines,
    int status)
{
	const size_t len = strlen(report->file);

	dmt_output_write(lines, "", 1);
	if (dmt_output_failed(lines) || lines->len == 1) {
		report_error(report, "out of memory", status);
	} else {
		char *at = lines->bytes;

		at[strcspn(at, "\n")] = '\0';
		if (strncmp(at, report->file, len) == 0 &&
		    strncmp(at + len, ": ", 2) == 0)
			at += len + 2;
		report_error(report, at, status);
	}
	dmt_output_fini(lines);
}

struct expect {
	struct job job;
	struct selection selection;	/* its options, as given */
	bool has_from, has_min_time;	/* they were, perhaps as 0 */
	bool update;
	bool signatures;
	struct dmtrace_file file;	/* of the spec */
	struct dmtrace_spec *spec;
	struct expect_report report;
};

static int
fail_expect(struct expect *expect, const struct dmtrace_error *error)
{
	progress_erase(&expect->job.progress);
	if (error->sys_errno != EPIPE)
		msg_failure(expect->job.name, error);
	report_error(&expect->report, error->message, CMD_TROUBLE);
	return CMD_TROUBLE;
}

static bool
select_value(struct expect *expect, const char *condition, const char *value)
{
	if (dmt_spec_select(expect->spec, condition, value) == DMTRACE_OK)
		return true;
	msg_error("%s", dmtrace_spec_error(expect->spec)->message);
	return false;
}

/* Replaces the selection of the spec by that of the options. The end of a
 * window is set first: as no start is set yet, no end is too early. */
static int
select_as_asked(struct expect *expect)
{
	const struct selection *const asked = &expect->selection;
	const struct {
		const char *condition;
		const struct opt_list *values;
	} lists[] = {
		{ "thread", &asked->threads }, { "method", &asked->methods },
		{ "under", &asked->under }, { "hide", &asked->hidden },
	};
	const struct {
		const char *condition;
		uint64_t ns;
		bool given;
	} times[] = {
		{ "to", asked->to_ns, asked->to_ns != UINT64_MAX },
		{ "from", asked->from_ns, expect->has_from },
		{ "min-time", asked->min_ns, expect->has_min_time },
	};
	char value[32];

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (size_t j = 0; j < lists[i].values->count; j++)
			if (!select_value(expect, lists[i].condition,
			    lists[i].values->items[j]))
				return CMD_TROUBLE;
	if (asked->depth != NULL &&
	    !select_value(expect, "depth", asked->depth))
		return CMD_TROUBLE;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const uint64_t ns = times[i].ns;

		snprintf(value, sizeof(value), "%" PRIu64 "%s",
		    ns % 1000 == 0 ? ns / 1000 : ns,
		    ns % 1000 == 0 ? "us" : "ns");
		if (times[i].given &&
		    !select_value(expect, times[i].condition, value))
			return CMD_TROUBLE;
	}
	return CMD_OK;
}

/* With --update the spec need not exist. */
static int
read_spec(struct expect *expect)
{
	expect->spec = dmtrace_spec_new();
	if (expect->spec == NULL)
		return msg_fail_memory();
	if (dmtrace_spec_read(expect->spec, &expect->file) != DMTRACE_OK) {
		const struct dmtrace_error *const error =
		    dmtrace_spec_error(expect->spec);

		if (!expect->update || error->sys_errno != ENOENT) {
			msg_failure(expect->report.spec, error);
			return CMD_TROUBLE;
		}
		dmtrace_spec_free(expect->spec);
		expect->spec = dmtrace_spec_new();
		if (expect->spec == NULL)
			return msg_fail_memory();
	}
	if (!expect->update && dmt_spec_is_empty(expect->spec)) {
		msg_error("%s: no expectations: neither rules nor trees; "
		    "--update writes trees", expect->report.spec);
		return CMD_TROUBLE;
	}
	return select_as_asked(expect);
}

/* Opens a trace, and resolves the selections of the spec and of the options. */
static int
open_trace(struct expect *expect, const char *operand)
{
	struct expect_report *const report = &expect->report;
	struct selection *const selection = &expect->selection;
	const int status = job_open(&expect->job, operand);
	struct dmtrace_reader *const reader = expect->job.reader;

	report->file = table_has_rows(&report->checks.table) ? operand :
	    expect->job.name;
	if (status != CMD_OK && reader != NULL &&
	    dmtrace_reader_error(reader)->status != DMTRACE_OK)
		report_error(report, dmtrace_reader_error(reader)->message,
		    status);
	else if (status != CMD_OK)
		report->checks.table.lost = true;
	if (status != CMD_OK)
		return status;

	selection->asked = dmt_spec_selection(expect->spec);
	struct dmt_output reason = { 0 };
	msg_copy_errors(&reason);
	const bool resolved = selection_resolve(selection, reader,
	    expect->job.name) == OPT_GO;
	msg_copy_errors(NULL);
	if (!resolved) {
		report_reason(report, &reason, CMD_TROUBLE);
		return CMD_TROUBLE;
	}
	dmt_output_fini(&reason);
	if (selection->asked != NULL && dmt_reader_hold(reader) != DMTRACE_OK)
		return fail_expect(expect, dmtrace_reader_error(reader));
	return CMD_OK;
}

/* After the last event: reports names in the selection that the trace lacks,
 * and if not all of it could be read. */
static int
check_trace(struct expect *expect)
{
	struct dmtrace_reader *const reader = expect->job.reader;
	struct selection *const selection = &expect->selection;
	const char *const file = expect->job.name;
	const bool empty = selection->asked != NULL &&
	    dmt_selection_count(selection->asked) == 0;
	const int status = selection_check(selection, reader, file, empty) ==
	    OPT_GO ? CMD_OK : CMD_TROUBLE;

	struct dmt_output reason = { 0 };
	msg_copy_errors(&reason);
	const bool has_errors = msg_errors(file, reader, false);
	msg_copy_errors(NULL);
	if (!has_errors) {
		dmt_output_fini(&reason);
		return status;
	}
	report_reason(&expect->report, &reason, CMD_NO);
	return cmd_worse(status, CMD_NO);
}

static int
judge_trace(struct expect *expect, const char *operand)
{
	struct dmtrace_expected expected;
	const int opened = open_trace(expect, operand);

	if (opened != CMD_OK)
		return opened;
	if (dmtrace_expect(expect->job.op, expect->spec, expect->job.reader,
	    report_expectation, &expect->report, &expected) != DMTRACE_OK)
		return fail_expect(expect, dmtrace_op_error(expect->job.op));
	progress_erase(&expect->job.progress);
	report_sum(&expect->report, &expected);
	return cmd_worse(check_trace(expect),
	    expected.unmet == 0 ? CMD_OK : CMD_NO);
}

static int
judge_traces(struct expect *expect, char **operands, size_t count)
{
	struct check_report *const checks = &expect->report.checks;
	int status = CMD_OK;

	if (!table_open(&checks->table, expect->job.output))
		return CMD_TROUBLE;
	if (files_clash(&expect->file, &checks->table.out.file)) {
		checks->table.lost = true;
		return table_close(&checks->table, CMD_TROUBLE);
	}
	checks->command = "expect";
	checks->failure = "unmet";
	table_set_columns(&checks->table, columns);
	for (size_t i = 0; i < count; i++)
		status = cmd_worse(status, judge_trace(expect, operands[i]));
	msg_copy_errors(check_report_has_cases(checks) ? &checks->lines :
	    NULL);
	const int selected = selection_finish(&expect->selection,
	    expect->job.name);
	msg_copy_errors(NULL);
	if (selected != CMD_OK)
		check_report_end_case(checks, "what is selected exists",
		    selected);
	return check_report_close(checks, cmd_worse(status, selected));
}

static int
update_spec(struct expect *expect, const char *operand)
{
	struct job *const job = &expect->job;
	struct out out;

	if (job->output == NULL)
		job->output = expect->file.path == NULL ? "-" :
		    expect->file.path;
	int status = open_trace(expect, operand);
	if (status == CMD_TROUBLE || !out_open(&out, job->output))
		return CMD_TROUBLE;

	if (dmt_spec_update(job->op, expect->spec, job->reader,
	    expect->signatures ? DMT_SPEC_SIGNATURES : 0, &out.output) !=
	    DMTRACE_OK) {
		status = fail_expect(expect, dmtrace_op_error(job->op));
	} else {
		progress_erase(&job->progress);
		status = cmd_worse(status, check_trace(expect));
	}

	/* If nothing is selected, the spec is not changed. */
	const int selected = selection_finish(&expect->selection,
	    expect->job.name);
	return out_close(&out, cmd_worse(status, selected),
	    selected == CMD_OK && status != CMD_TROUBLE);
}

static int
judge_or_update(struct expect *expect, char **operands, size_t count)
{
	expect->file = files_input(operands[0]);
	expect->report.spec = files_name(&expect->file);
	expect->report.quiet = expect->job.quiet;
	expect->report.in_file = expect->job.output != NULL &&
	    strcmp(expect->job.output, "-") != 0;
	expect->report.progress = &expect->job.progress;
	expect->selection.several = count > 2;
	expect->selection.quiet = expect->job.quiet;
	if (!expect->update)
		expect->selection.empty_status = CMD_OK;
	int status = read_spec(expect);
	if (status == CMD_OK && !job_begin(&expect->job))
		status = CMD_TROUBLE;
	if (status == CMD_OK)
		status = expect->update ? update_spec(expect, operands[1]) :
		    judge_traces(expect, operands + 1, count - 1);
	job_fini(&expect->job);
	expect->selection.asked = NULL;
	dmtrace_spec_free(expect->spec);
	return status;
}

/* Returns what is wrong with the options, or NULL. */
static const char *
find_misuse(const struct expect *expect, char **operands, int count)
{
	int inputs = 0;

	if (count < 2)
		return count == 0 ? "no spec is named" : "no trace is named";
	for (int i = 0; i < count; i++)
		inputs += strcmp(operands[i], "-") == 0;
	if (inputs > 1)
		return "standard input is named twice";
	if (expect->update && count > 2)
		return "--update is of one trace";
	if (expect->update && expect->report.checks.table.form != FORM_TEXT)
		return "--update writes a spec, which has no other form";
	if (expect->signatures && !expect->update)
		return "--signatures goes with --update";
	return NULL;
}

/* Returns whether an option set a time, which is 0 otherwise. */
static bool
take_time(uint64_t *ns)
{
	const bool given = *ns != NOT_GIVEN;

	if (!given)
		*ns = 0;
	return given;
}

static int
run_expect(const struct cmd *cmd, int argc, char **argv)
{
	struct expect expect = { .selection = SELECTION };
	const char *wrong = NULL;
	const struct opt options[] = {
		OPT_FLAG('u', "update", &expect.update,
		    "update the trees in SPEC from the calls in FILE"),
		OPT_FLAG(0, "signatures", &expect.signatures,
		    "with --update, write the signatures of methods"),
		OPT_SELECTION(&expect.selection),
		OPT_GROUP("Output"),
		OPT_CHECK_FORM(&expect.report.checks.table.form),
		OPT_OUTPUT(&expect.job.output),
		OPT_JOB(&expect.job),
		OPT_END
	};
	expect.selection.from_ns = expect.selection.min_ns = NOT_GIVEN;
	int status = opt_parse(cmd, options, &argc, argv);

	expect.has_from = take_time(&expect.selection.from_ns);
	expect.has_min_time = take_time(&expect.selection.min_ns);
	if (status == OPT_GO)
		wrong = find_misuse(&expect, argv, argc);
	if (wrong != NULL)
		status = opt_usage(cmd, wrong);
	/* Only to check the options: the spec has the selection. */
	if (status == OPT_GO)
		status = selection_begin(&expect.selection);
	dmt_selection_free(expect.selection.asked);
	expect.selection.asked = NULL;
	if (status == OPT_GO)
		status = judge_or_update(&expect, argv, (size_t)argc);
	selection_end(&expect.selection);
	return status;
}

const struct cmd cmd_expect = {
	.name = "expect",
	.group = "inspect",
	.synopsis = "[OPTION]... SPEC TRACE...",
	.summary = "check traces against a file of expectations",
	.examples = {
		"dmtrace expect --update app.spec app.trace",
		"dmtrace expect -f junit -o report.xml app.spec new.trace",
	},
	.run = run_expect,
};
