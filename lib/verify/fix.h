/* fix.h - a trace that is being fixed, and its files */
#ifndef DMT_VERIFY_FIX_H
#define DMT_VERIFY_FIX_H

#include <dmtrace/fix.h>
#include <sys/types.h>

#include "ops/op.h"
#include "format/change.h"
#include "verify/traits.h"

struct dmt_fix {
	struct dmtrace_op *op;
	const struct dmtrace_file *in, *out;
	const struct dmtrace_fix_options *options;
	struct dmtrace_file source;	/* in, or the temporary of a pipe */
	off_t source_at;
	bool pair;			/* the output is one */
	struct dmt_output output;		/* of a joined output */
	struct dmt_output spool, repaired, canonical;	/* temporaries */
	struct dmt_changes changes;	/* of the repair */
	struct dmt_changes canonical_changes;
	struct dmt_traits traits;	/* of what was judged last, */
	struct dmtrace_validity validity;
	enum dmtrace_status opened;	/* and whether it could be read */
	struct dmtrace_verdict finding;	/* the first that is bad enough */
	struct dmtrace_fix_result result;
};


/* A temporary as a file, to be read or written from where it stands. */
static inline struct dmtrace_file
dmt_fix_file(const struct dmt_output *temporary)
{
	return (struct dmtrace_file){ NULL, temporary->fd };
}

/* Looks at the options, and begins the output. */
enum dmtrace_status
dmt_fix_begin(struct dmt_fix *fix);

/* Keeps an input that cannot be sought: sets source. */
enum dmtrace_status
dmt_fix_hold(struct dmt_fix *fix);

/* A new and empty temporary in place of what it was. */
enum dmtrace_status
dmt_fix_begin_temporary(struct dmt_fix *fix, struct dmt_output *temporary);

/* What the source and the temporaries are read by, from the beginning. */
enum dmtrace_status
dmt_fix_rewind(struct dmt_fix *fix, const struct dmtrace_file *file);

/* Whether the source is one file of its name, and can be copied. */
bool
dmt_fix_is_whole(const struct dmt_fix *fix, bool pair);

/* Copies the file, which is to be rewound, to the output, and gives that its
 * name. */
enum dmtrace_status
dmt_fix_publish(struct dmt_fix *fix, const struct dmtrace_file *file);

/* A failure on a temporary is nobody's file. */
void
dmt_fix_forget_temporary(struct dmt_fix *fix);

#endif
