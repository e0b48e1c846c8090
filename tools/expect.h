/* expect.h - what became of expectations, in the forms of a report */
#ifndef EXPECT_H
#define EXPECT_H

#include "checks.h"
#include "progress.h"

/* Begin with checks.form, quiet and spec, and an out that is open. */
struct expect_report {
	struct checks checks;
	bool quiet;			/* only what is not met */
	const char *spec;		/* as messages call it */
	const char *file;		/* the trace */
	struct progress *progress;	/* to be erased; NULL: none */
};

/* Before the first trace and behind the last. */
void
expect_report_begin(struct expect_report *report);
void
expect_report_end(struct expect_report *report);

/* A dmtrace_expectation_fn; context is a report. */
void
expect_report_tell(void *context,
    const struct dmtrace_expectation *expectation);

/* The trace was judged. */
void
expect_report_sum(struct expect_report *report,
    const struct dmtrace_expected *expected);

/* It could not be judged, or not all of it: status is that of cmd.h. */
void
expect_report_fail(struct expect_report *report, const char *words,
    int status);

#endif
