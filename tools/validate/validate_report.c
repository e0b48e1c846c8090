/* validate_report.c - the report of "dmtrace validate" */

#include "validate/validate_report.h"

#include <inttypes.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/escapes.h"

void
validate_report_begin(struct validate_report *report)
{
	static const char *const columns[] = { "file", "name", "severity",
	    "count", "line", "byte", "words", "result", "records", NULL };

	report->checks.command = "validate";
	report->checks.failure = report->verdicts.any ? "refused" : "invalid";
	table_set_columns(&report->checks.table, report->verdicts.any ?
	    reader_verdicts_columns : columns);
}

static void
put_file_head(struct validate_report *report, struct strbuf *buffer)
{
	strbuf_text(buffer, escape_message, report->file, strlen(report->file));
	strbuf_string(buffer, ": ");
}

static bool
is_reported(const struct validate_report *report,
    const struct rule_option *rule)
{
	return !report->quiet || rule->row.severity >= report->fail_on;
}

static void
put_finding_text(struct validate_report *report, const struct rule_option *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	struct strbuf buffer = { 0 };
	char number[COUNT_MAX];

	put_file_head(report, &buffer);
	if (finding->place == DMTRACE_PLACE_LINE)
		strbuf_printf(&buffer, "line %" PRIu64 ": ", finding->at);
	else if (finding->place == DMTRACE_PLACE_OFFSET)
		strbuf_printf(&buffer, "byte %" PRIu64 ": ", finding->at);
	strbuf_printf(&buffer, "%s: %s: %s",
	    dmtrace_severity_name(rule->row.severity), finding->name,
	    finding->message);
	if (count > 1)
		strbuf_printf(&buffer, " (the first of %s)",
		    count_format(number, count));
	strbuf_string(&buffer, "\n");
	check_report_put_lines(&report->checks, &buffer);
}

static void
put_place_cells(struct table *table, enum dmtrace_place place, uint64_t at)
{
	table_number_if(table, place == DMTRACE_PLACE_LINE, at);
	table_number_if(table, place == DMTRACE_PLACE_OFFSET, at);
}

static void
put_finding(struct validate_report *report, const struct rule_option *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	struct table *const table = &report->checks.table;

	if (!table_has_rows(table)) {
		put_finding_text(report, rule, finding, count);
		return;
	}
	table_string(table, report->file);
	table_string(table, finding->name);
	table_string(table, dmtrace_severity_name(rule->row.severity));
	table_number(table, count);
	put_place_cells(table, finding->place, finding->at);
	table_string(table, finding->message);
	table_absent(table, 2);
	table_end_row(table);
	table_flush(table);
}

void
validate_report_add(void *context, const struct dmtrace_finding *finding)
{
	struct validate_report *const report = context;
	const struct rule_option *const rule =
	    rule_options_count(&report->rules, finding);

	if (rule == NULL)
		return;
	report->findings[rule->row.severity]++;
	if (!report->all || !is_reported(report, rule) || report->verdicts.any)
		return;
	progress_erase(report->progress);
	put_finding(report, rule, finding, 1);
}

void
validate_report_counts(struct validate_report *report)
{
	for (size_t i = 0; i < report->rules.count; i++) {
		const struct rule_option *const rule = &report->rules.items[i];

		if (rule->count > 0 && is_reported(report, rule))
			put_finding(report, rule, &rule->first, rule->count);
	}
}

/* "2 errors, 1 warning". */
static void
put_finding_counts(struct strbuf *buffer, const uint64_t findings[3])
{
	const char *before = "";
	char count[COUNT_MAX];

	for (int i = DMTRACE_ERROR; i >= DMTRACE_NOTE; i--) {
		if (findings[i] == 0)
			continue;
		strbuf_printf(buffer, "%s%s %s%s", before,
		    count_format(count, findings[i]),
		    dmtrace_severity_name((enum dmtrace_severity)i),
		    findings[i] == 1 ? "" : "s");
		before = ", ";
	}
}

bool
validate_report_is_valid(const struct validate_report *report)
{
	uint64_t count = 0;

	for (unsigned i = report->fail_on; i <= DMTRACE_ERROR; i++)
		count += report->findings[i];
	return count == 0;
}

/* The row of a trace; error NULL: it was read. */
static void
put_trace_row(struct table *table, const char *file, const char *result,
    uint64_t records, const struct dmtrace_error *error)
{
	table_string(table, file);
	table_absent(table, 3);
	put_place_cells(table, error == NULL ? DMTRACE_PLACE_NONE :
	    error->place, error == NULL ? 0 : error->at);
	table_string(table, error == NULL ? NULL : error->message);
	table_string(table, result);
	table_number_if(table, error == NULL, records);
	table_end_row(table);
	table_flush(table);
}

void
validate_report_verdict(struct validate_report *report,
    const struct dmtrace_validity *validity)
{
	const uint64_t records = validity->records;
	const uint64_t *const findings = report->findings;
	const bool valid = validate_report_is_valid(report);
	struct strbuf buffer = { 0 };
	char count[COUNT_MAX];

	if (table_has_rows(&report->checks.table)) {
		put_trace_row(&report->checks.table, report->file,
		    valid ? "valid" : "invalid", records, NULL);
		return;
	}
	if (report->quiet && valid)
		return;
	put_file_head(report, &buffer);
	strbuf_printf(&buffer, "%s, %s %s",
	    valid ? "valid" : "not valid", count_format(count, records),
	    validity->is_eventlog ? records == 1 ? "entry" : "entries" :
	    records == 1 ? "record" : "records");
	if (findings[0] + findings[1] + findings[2] > 0)
		strbuf_string(&buffer, ", ");
	put_finding_counts(&buffer, findings);
	strbuf_string(&buffer, "\n");
	check_report_set_message(&report->checks, &buffer);
	check_report_put_lines(&report->checks, &buffer);
}

bool
validate_report_judged(struct validate_report *report,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS])
{
	return reader_verdicts_put(&report->checks, report->quiet,
	    &report->verdicts, report->file, verdicts);
}

void
validate_report_fail(struct validate_report *report,
    const struct dmtrace_error *error)
{
	struct table *const table = &report->checks.table;
	struct strbuf buffer = { 0 };

	if (table_has_rows(table) && report->verdicts.any) {
		reader_verdicts_put_unreadable(table, report->file,
		    error->message);
		return;
	}
	if (table_has_rows(table)) {
		put_trace_row(table, report->file, "unreadable", 0, error);
		return;
	}
	put_file_head(report, &buffer);
	strbuf_printf(&buffer, "unreadable: %s\n", error->message);
	check_report_set_message(&report->checks, &buffer);
	check_report_put_lines(&report->checks, &buffer);
}

void
validate_report_rules(struct validate_report *report)
{
	static const char *const columns[] =
	    { "name", "severity", "part", "words", NULL };
	struct table *const table = &report->checks.table;

	if (report->verdicts.any) {
		reader_verdicts_put_rules(table, &report->verdicts);
		return;
	}
	table_set_columns(table, columns);
	for (size_t i = 0; i < report->rules.count; i++) {
		const struct rule_option *const rule = &report->rules.items[i];
		const char *const severity = rule->disabled ? "disabled" :
		    dmtrace_severity_name(rule->row.severity);

		if (table->form == FORM_TEXT) {
			strbuf_printf(&table->buffer, "%-20s %-8s %-8s %s\n",
			    rule->row.name, severity, rule->row.part,
			    rule->row.description);
			continue;
		}
		table_string(table, rule->row.name);
		table_string(table, severity);
		table_string(table, rule->row.part);
		table_string(table, rule->row.description);
		table_end_row(table);
	}
	table_flush(table);
}
