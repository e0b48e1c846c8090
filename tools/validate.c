/* validate.c - what traces are found to be, in the forms of a report */

#include "validate.h"

#include <inttypes.h>
#include <string.h>

#include "text.h"

#define SHOWN 3			/* findings of a name, without --all */

void
validate_report_begin(struct validate_report *report)
{
	static const char *const names[] = { "file", "name", "severity",
	    "count", "line", "byte", "words" };
	struct buffer buffer = { 0 };

	report->checks.suite.command = "validate";
	if (!report->viewers.any) {
		checks_put_names(&report->checks, names,
		    sizeof(names) / sizeof(names[0]));
		return;
	}
	viewers_put_names(&buffer, (enum form)report->checks.form);
	checks_flush(&report->checks, &buffer);
}

static void
put_place(struct buffer *buffer, const struct dmtrace_finding *finding)
{
	if (finding->place == DMTRACE_PLACE_LINE)
		buffer_printf(buffer, "line %" PRIu64 ": ", finding->at);
	else if (finding->place == DMTRACE_PLACE_OFFSET)
		buffer_printf(buffer, "byte %" PRIu64 ": ", finding->at);
}

static void
put_head(struct validate_report *report, struct buffer *buffer)
{
	buffer_text(buffer, text_message, report->file, strlen(report->file));
	buffer_string(buffer, ": ");
}

static bool
is_told(const struct validate_report *report, const struct rule *rule)
{
	return !report->quiet || rule->row.severity >= report->fail_on;
}

static void
put_text(struct validate_report *report, const struct rule *rule,
    const struct dmtrace_finding *finding)
{
	struct buffer buffer = { 0 };

	put_head(report, &buffer);
	put_place(&buffer, finding);
	buffer_printf(&buffer, "%s: %s: %s\n",
	    dmtrace_severity_name(rule->row.severity), finding->name,
	    finding->words);
	checks_put(&report->checks, &buffer);
}

static void
put_row(struct validate_report *report, const struct rule *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	struct buffer buffer = { 0 };
	struct row row;

	row_begin(&row, &buffer, (enum form)report->checks.form);
	row_string(&row, "file", report->file);
	row_string(&row, "name", finding->name);
	row_string(&row, "severity",
	    dmtrace_severity_name(rule->row.severity));
	row_number(&row, "count", count);
	if (finding->place == DMTRACE_PLACE_LINE)
		row_number(&row, "line", finding->at);
	else
		row_absent(&row, "line");
	if (finding->place == DMTRACE_PLACE_OFFSET)
		row_number(&row, "byte", finding->at);
	else
		row_absent(&row, "byte");
	row_string(&row, "words", finding->words);
	row_line(&row);
	checks_flush(&report->checks, &buffer);
}

void
validate_report_tell(void *context, const struct dmtrace_finding *finding)
{
	struct validate_report *const report = context;
	const struct rule *const rule = rules_count(&report->rules, finding);

	if (rule == NULL)
		return;
	report->findings[rule->row.severity]++;
	if (!is_told(report, rule) || report->viewers.any)
		return;
	progress_erase(report->progress);
	if (checks_are_rows(&report->checks)) {
		if (report->all)
			put_row(report, rule, finding, 1);
	} else if (report->all || rule->count <= SHOWN) {
		put_text(report, rule, finding);
	}
}

void
validate_report_counts(struct validate_report *report)
{
	for (size_t i = 0; i < report->rules.count; i++) {
		const struct rule *const rule = &report->rules.items[i];
		struct buffer buffer = { 0 };

		if (rule->count == 0 || !is_told(report, rule))
			continue;
		if (checks_are_rows(&report->checks)) {
			put_row(report, rule, &rule->first, rule->count);
		} else if (rule->count > SHOWN) {
			put_head(report, &buffer);
			buffer_printf(&buffer, "%s: %s: %" PRIu64 " more\n",
			    dmtrace_severity_name(rule->row.severity),
			    rule->row.name, rule->count - SHOWN);
			checks_put(&report->checks, &buffer);
		}
	}
}

/* "2 errors, 1 warning". */
static void
put_sum(struct buffer *buffer, const uint64_t findings[3])
{
	const char *before = "";

	for (int i = DMTRACE_ERROR; i >= DMTRACE_NOTE; i--) {
		if (findings[i] == 0)
			continue;
		buffer_printf(buffer, "%s%" PRIu64 " %s%s", before,
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

void
validate_report_verdict(struct validate_report *report, uint64_t records)
{
	const uint64_t *const findings = report->findings;
	struct buffer buffer = { 0 };

	if (checks_are_rows(&report->checks) ||
	    (report->quiet && validate_report_is_valid(report)))
		return;
	put_head(report, &buffer);
	buffer_printf(&buffer, "%s, %" PRIu64 " record%s",
	    validate_report_is_valid(report) ? "valid" : "not valid", records,
	    records == 1 ? "" : "s");
	if (findings[0] + findings[1] + findings[2] > 0)
		buffer_string(&buffer, ", ");
	put_sum(&buffer, findings);
	buffer_string(&buffer, "\n");
	checks_put(&report->checks, &buffer);
}

bool
validate_report_judged(struct validate_report *report,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS])
{
	struct buffer buffer = { 0 };
	const bool all = viewers_put(&buffer,
	    checks_are_rows(&report->checks) ?
	    (enum form)report->checks.form : FORM_TEXT, report->quiet,
	    &report->viewers, report->file, verdicts);

	checks_put(&report->checks, &buffer);
	return all;
}

void
validate_report_fail(struct validate_report *report, const char *words)
{
	struct buffer buffer = { 0 };

	if (!checks_are_cases(&report->checks))
		return;
	buffer_printf(&buffer, "%s\n", words);
	checks_put(&report->checks, &buffer);
}

static void
put_rule(struct validate_report *report, const struct rule *rule)
{
	const char *const severity = rule->disabled ? "disabled" :
	    dmtrace_severity_name(rule->row.severity);
	struct buffer buffer = { 0 };
	struct row row;

	if (report->checks.form == FORM_TEXT) {
		buffer_printf(&buffer, "%-20s %-8s %-8s %s\n",
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
	checks_flush(&report->checks, &buffer);
}

void
validate_report_rules(struct validate_report *report)
{
	static const char *const names[] =
	    { "name", "severity", "part", "words" };
	struct buffer buffer = { 0 };

	if (report->viewers.any) {
		viewers_put_rules(&buffer, (enum form)report->checks.form,
		    &report->viewers);
		checks_flush(&report->checks, &buffer);
		return;
	}
	checks_put_names(&report->checks, names,
	    sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < report->rules.count; i++)
		put_rule(report, &report->rules.items[i]);
}
