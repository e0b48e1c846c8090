/* suite.h - files as the cases of a test suite, in TAP or JUnit */
#ifndef SUITE_H
#define SUITE_H

#include <stdbool.h>

#include "buffer.h"

/* Zero but for command, failure and junit is a valid suite. */
struct suite {
	const char *command;		/* that it is of */
	const char *failure;		/* the type of a failure: "invalid" */
	bool junit;
	struct buffer lines;		/* about the case under way */
	struct buffer message;		/* what failed in it, in a line; empty:
					   the first of lines */
	struct buffer cases;		/* of JUnit, which begins with sums */
	size_t count;
	size_t failures;
	size_t errors;
};

/* Ends a case, with an exit status of cmd.h; in TAP it goes to buffer. */
void
suite_case(struct suite *suite, struct buffer *buffer, const char *name,
    int status);

/* Ends the suite. */
void
suite_end(struct suite *suite, struct buffer *buffer);

void
suite_fini(struct suite *suite);

#endif
