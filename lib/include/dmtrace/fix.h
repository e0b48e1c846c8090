/* dmtrace/fix.h - of a trace that some programs do not take, one they do */
#ifndef DMTRACE_FIX_H
#define DMTRACE_FIX_H

#include <dmtrace/readers.h>
#include <dmtrace/repair.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bit of a reader in dmtrace_fix_options. */
#define DMTRACE_READER_BIT(reader) (1u << (reader))

struct dmtrace_fix_options {
	size_t size;			/* of this struct */
	unsigned readers;		/* that are to read it; 0: any */
	enum dmtrace_severity fail_on;	/* no such finding, nor a worse one,
					   is left */
	unsigned flags;			/* DMTRACE_SYNC, DMTRACE_NO_REPLACE */
	dmtrace_change_fn *change;	/* NULL: nobody asks */
	void *context;			/* of change */
};

/* No reader, DMTRACE_ERROR, and nothing else. */
DMTRACE_API void
dmtrace_fix_options_init(struct dmtrace_fix_options *options);

struct dmtrace_fix_result {
	int fixed;		/* 0: there is no fix, and no output */
	uint64_t changes;	/* all but those that are only reported */
	uint64_t records;	/* in the output */
	/* What there is no fix for; reader is DMTRACE_READERS if it is a
	 * finding rather than what one of the readers minds. */
	enum dmtrace_other_reader reader;
	struct dmtrace_verdict verdict;
};

/*
 * Writes a trace that each of options->readers reads, and that has no error,
 * with what is in the trace in: a copy if it is one already, else its repair
 * (dmtrace_repair, but for calls that its edges cut), else the canonical form
 * of that, with what the readers need. in and out are what dmtrace_repair
 * takes; nothing is written to out before the result was judged as
 * dmtrace_judge does. options->change is called as by dmtrace_repair, before
 * out gets its name. *result is set on success, which it also is that there is
 * no fix. Temporaries are made beside out, or in TMPDIR, else /tmp.
 *
 * Returns what dmtrace_repair does; and DMTRACE_ERR_RANGE if a bit of readers
 * is no reader's
 */
DMTRACE_API enum dmtrace_status
dmtrace_fix(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_fix_options *options,
    struct dmtrace_fix_result *result);

#ifdef __cplusplus
}
#endif

#endif
