/* validate_report.c - what traces are found to be, in the forms of a report */

#include "validate/validate_report.h"

#include <inttypes.h>
#include <string.h>

#include "cli/escapes.h"

void
validate_report_begin(struct validate_report *report)
{
	static const char *const names[] = { "file", "name", "severity",
	    "count", "line", "byte", "words", "result", "records" };
	struct strbuf buffer = { 0 };

	report->checks.suite.command = "validate";
	report->checks.suite.failure = report->viewers.any ? "refused" :
	    "invalid";
	if (!report->viewers.any) {
		check_report_put_names(&report->checks, names,
		    sizeof(names) / sizeof(names[0]));
		return;
	}
	reader_verdicts_put_names(&buffer, (enum form)report->checks.form);
	check_report_flush(&report->checks, &buffer);
}

static void
put_place(struct strbuf *buffer, const struct dmtrace_finding *finding)
{
	if (finding->place == DMTRACE_PLACE_LINE)
		strbuf_printf(buffer, "line %" PRIu64 ": ", finding->at);
	else if (finding->place == DMTRACE_PLACE_OFFSET)
		strbuf_printf(buffer, "byte %" PRIu64 ": ", finding->at);
}

static void
put_head(struct validate_report *report, struct strbuf *buffer)
{
	strbuf_text(buffer, escape_message, report->file, strlen(report->file));
	strbuf_string(buffer, ": ");
}

static bool
is_told(const struct validate_report *report, const struct rule_option *rule)
{
	return !report->quiet || rule->row.severity >= report->fail_on;
}

static void
put_text(struct validate_report *report, const struct rule_option *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	struct strbuf buffer = { 0 };

	put_head(report, &buffer);
	put_place(&buffer, finding);
	strbuf_printf(&buffer, "%s: %s: %s",
	    dmtrace_severity_name(rule->row.severity), finding->name,
	    finding->words);
	if (count > 1)
		strbuf_printf(&buffer, " (the first of %" PRIu64 ")", count);
	strbuf_string(&buffer, "\n");
	check_report_put(&report->checks, &buffer);
}

static void
put_places(struct row *row, enum dmtrace_place place, uint64_t at)
{
	if (place == DMTRACE_PLACE_LINE)
		row_number(row, "line", at);
	else
		row_absent(row, "line");
	if (place == DMTRACE_PLACE_OFFSET)
		row_number(row, "byte", at);
	else
		row_absent(row, "byte");
}

static void
put_finding(struct validate_report *report, const struct rule_option *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	struct strbuf buffer = { 0 };
	struct row row;

	if (!check_report_are_rows(&report->checks)) {
		put_text(report, rule, finding, count);
		return;
	}
	row_begin(&row, &buffer, (enum form)report->checks.form);
	row_string(&row, "file", report->file);
	row_string(&row, "name", finding->name);
	row_string(&row, "severity",
	    dmtrace_severity_name(rule->row.severity));
	row_number(&row, "count", count);
	put_places(&row, finding->place, finding->at);
	row_string(&row, "words", finding->words);
	row_absent(&row, "result");
	row_absent(&row, "records");
	row_line(&row);
	check_report_flush(&report->checks, &buffer);
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
	if (!report->all || !is_told(report, rule) || report->viewers.any)
		return;
	progress_erase(report->progress);
	put_finding(report, rule, finding, 1);
}

void
validate_report_counts(struct validate_report *report)
{
	for (size_t i = 0; i < report->rules.count; i++) {
		const struct rule_option *const rule = &report->rules.items[i];

		if (rule->count > 0 && is_told(report, rule))
			put_finding(report, rule, &rule->first, rule->count);
	}
}

/* "2 errors, 1 warning". */
static void
put_sum(struct strbuf *buffer, const uint64_t findings[3])
{
	const char *before = "";

	for (int i = DMTRACE_ERROR; i >= DMTRACE_NOTE; i--) {
		if (findings[i] == 0)
			continue;
		strbuf_printf(buffer, "%s%" PRIu64 " %s%s", before,
		    findings[i],
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
put_trace(struct validate_report *report, const char *result,
    uint64_t records, const struct dmtrace_error *error)
{
	struct strbuf buffer = { 0 };
	struct row row;

	row_begin(&row, &buffer, (enum form)report->checks.form);
	row_string(&row, "file", report->file);
	row_absent(&row, "name");
	row_absent(&row, "severity");
	row_absent(&row, "count");
	put_places(&row, error == NULL ? DMTRACE_PLACE_NONE : error->place,
	    error == NULL ? 0 : error->at);
	if (error == NULL)
		row_absent(&row, "words");
	else
		row_string(&row, "words", error->words);
	row_string(&row, "result", result);
	if (error == NULL)
		row_number(&row, "records", records);
	else
		row_absent(&row, "records");
	row_line(&row);
	check_report_flush(&report->checks, &buffer);
}

void
validate_report_verdict(struct validate_report *report, uint64_t records)
{
	const uint64_t *const findings = report->findings;
	const bool valid = validate_report_is_valid(report);
	struct strbuf buffer = { 0 };

	if (check_report_are_rows(&report->checks)) {
		put_trace(report, valid ? "valid" : "invalid", records, NULL);
		return;
	}
	if (report->quiet && valid)
		return;
	put_head(report, &buffer);
	strbuf_printf(&buffer, "%s, %" PRIu64 " record%s",
	    valid ? "valid" : "not valid", records, records == 1 ? "" : "s");
	if (findings[0] + findings[1] + findings[2] > 0)
		strbuf_string(&buffer, ", ");
	put_sum(&buffer, findings);
	strbuf_string(&buffer, "\n");
	check_report_set_message(&report->checks, &buffer);
	check_report_put(&report->checks, &buffer);
}

bool
validate_report_judged(struct validate_report *report,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS])
{
	const enum form form = check_report_are_rows(&report->checks) ?
	    (enum form)report->checks.form : FORM_TEXT;
	struct strbuf buffer = { 0 }, refused = { 0 };
	const bool all = reader_verdicts_put(&buffer, form, report->quiet,
	    &report->viewers, report->file, verdicts);

	reader_verdicts_put(&refused, form, true, &report->viewers,
	    report->file,
	    verdicts);
	check_report_set_message(&report->checks, &refused);
	strbuf_fini(&refused);
	check_report_put(&report->checks, &buffer);
	return all;
}

void
validate_report_fail(struct validate_report *report,
    const struct dmtrace_error *error)
{
	struct strbuf buffer = { 0 };

	if (check_report_are_rows(&report->checks) && report->viewers.any) {
		reader_verdicts_put_unreadable(&buffer,
		    (enum form)report->checks.form, report->file,
		    error->words);
		check_report_flush(&report->checks, &buffer);
		return;
	}
	if (check_report_are_rows(&report->checks)) {
		put_trace(report, "unreadable", 0, error);
		return;
	}
	put_head(report, &buffer);
	strbuf_printf(&buffer, "unreadable: %s\n", error->words);
	check_report_set_message(&report->checks, &buffer);
	check_report_put(&report->checks, &buffer);
}

static void
put_rule(struct validate_report *report, const struct rule_option *rule)
{
	const char *const severity = rule->disabled ? "disabled" :
	    dmtrace_severity_name(rule->row.severity);
	struct strbuf buffer = { 0 };
	struct row row;

	if (report->checks.form == FORM_TEXT) {
		strbuf_printf(&buffer, "%-20s %-8s %-8s %s\n",
		    rule->row.name, severity, rule->row.part,
		    rule->row.words);
	} else {
		row_begin(&row, &buffer, (enum form)report->checks.form);
		row_string(&row, "name", rule->row.name);
		row_string(&row, "severity", severity);
		row_string(&row, "part", rule->row.part);
		row_string(&row, "words", rule->row.words);
		row_line(&row);
	}
	check_report_flush(&report->checks, &buffer);
}

void
validate_report_rules(struct validate_report *report)
{
	static const char *const names[] =
	    { "name", "severity", "part", "words" };
	struct strbuf buffer = { 0 };

	if (report->viewers.any) {
		reader_verdicts_put_rules(&buffer,
		    (enum form)report->checks.form,
		    &report->viewers);
		check_report_flush(&report->checks, &buffer);
		return;
	}
	check_report_put_names(&report->checks, names,
	    sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < report->rules.count; i++)
		put_rule(report, &report->rules.items[i]);
}
