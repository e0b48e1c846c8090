/* test_suite.h - files as the cases of a test suite, in TAP or JUnit */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include <stdbool.h>

#include "cli/strbuf.h"

/* Zero but for command, failure and junit is a valid suite. */
struct test_suite {
	const char *command;		/* that it is of */
	const char *failure;		/* the type of a failure: "invalid" */
	bool junit;
	struct strbuf lines;		/* about the case under way */
	struct strbuf message;		/* what failed in it, in a line; empty:
					   the first of lines */
	struct strbuf cases;		/* of JUnit, which begins with sums */
	size_t count;
	size_t failures;
	size_t errors;
};

/* Ends a case, with an exit status of cmd.h; in TAP it goes to buffer. */
void
test_suite_case(struct test_suite *suite, struct strbuf *buffer,
    const char *name,
    int status);

/* Ends the suite. */
void
test_suite_end(struct test_suite *suite, struct strbuf *buffer);

void
test_suite_fini(struct test_suite *suite);

#endif
