/* validate_report.h - the report of "dmtrace validate" */
#ifndef VALIDATE_REPORT_H
#define VALIDATE_REPORT_H

#include "cli/check_report.h"
#include "cli/progress.h"
#include "validate/reader_verdicts.h"
#include "validate/rule_options.h"

/* Begin with all but file and findings, which are set for each trace. */
struct validate_report {
	struct check_report checks;
	struct rule_options rules;
	struct reader_verdicts verdicts; /* of --for: then these are reported */
	struct progress *progress;	/* to be erased */
	unsigned fail_on;		/* enum dmtrace_severity */
	bool all;			/* every finding, not each name once */
	bool quiet;			/* only what is not valid */
	const char *file;		/* the trace, as messages call it */
	uint64_t findings[3];		/* in it, by severity */
};

/* Before the first trace: the names of columns. */
void
validate_report_begin(struct validate_report *report);

/* A dmtrace_finding_fn; context is a report. */
void
validate_report_add(void *context, const struct dmtrace_finding *finding);

/* The trace was read: the findings that were not reported one by one, then
 * the verdict. */
void
validate_report_counts(struct validate_report *report);
void
validate_report_verdict(struct validate_report *report,
    const struct dmtrace_validity *validity);

/* None of its findings is as severe as fail_on. */
bool
validate_report_is_valid(const struct validate_report *report);

/* The verdicts of the readers of --for. Returns whether all read the trace. */
bool
validate_report_judged(struct validate_report *report,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS]);

/* It could not be read. */
void
validate_report_fail(struct validate_report *report,
    const struct dmtrace_error *error);

/* For --rules: the rules, or what the readers of --for mind. */
void
validate_report_rules(struct validate_report *report);

#endif
