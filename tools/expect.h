/* expect.h - what became of expectations, in the forms of a report */
#ifndef EXPECT_H
#define EXPECT_H

#include "form.h"
#include "out.h"
#include "progress.h"
#include "suite.h"

/* Behind those of form.h: a case for each expectation. */
enum {
	EXPECT_TAP = FORM_JSON + 1,
	EXPECT_JUNIT
};

extern const char *const expect_form_words[];

/* Begin with form, quiet and spec, and an out that is open. */
struct expect_report {
	unsigned form;
	bool quiet;			/* only what is not met */
	const char *spec;		/* as messages call it */
	const char *file;		/* the trace */
	struct out out;
	struct suite suite;
	struct progress *progress;	/* to be erased; NULL: none */
	bool lost;			/* some of it, for memory, said */
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
