/* account.h - what was changed in a trace, told to people or programs */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <dmtrace.h>
#include <stdbool.h>

#include "buffer.h"
#include "form.h"
#include "job.h"

/* Set all but the last two, which are zero. */
struct account {
	struct job *job;
	enum form form;
	struct dmtrace_file in;
	bool to_messages;		/* the trace has standard output */
	const char *nothing;		/* what people read of no change */
	struct buffer rows;		/* one for each change */
	size_t count;
};

/* The line of column names, where the form has one. */
void
account_begin(struct account *account);

/* A dmtrace_change_fn, of which the account is the context. After the last
 * change it prints them all to standard output, where that is free for it;
 * a failure it says itself. */
int
account_tell(void *context, const struct dmtrace_change *change);

void
account_fini(struct account *account);

#endif
