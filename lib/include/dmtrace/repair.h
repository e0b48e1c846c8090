/* dmtrace/repair.h - a valid trace of one that is broken */
#ifndef DMTRACE_REPAIR_H
#define DMTRACE_REPAIR_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a time that is lower than the thread's last one. */
enum dmtrace_repair_time {
	DMTRACE_REPAIR_CLAMP = 0,	/* it is taken as that last one */
	DMTRACE_REPAIR_SHIFT = 1,	/* it and all later ones of the thread
					   are moved on by the step */
	DMTRACE_REPAIR_DROP = 2		/* its record is left out */
};

/* What a change did. */
enum dmtrace_change_kind {
	DMTRACE_CHANGE_MENDED = 0,	/* the same is written in its form */
	DMTRACE_CHANGE_INVENTED = 1,	/* was not in the input */
	DMTRACE_CHANGE_DROPPED = 2,	/* is not in the output */
	DMTRACE_CHANGE_LOST = 3,	/* was destroyed before */
	DMTRACE_CHANGE_KEPT = 4		/* told only: nothing was changed */
};

/* All changes of one name and kind together; the place is the first one's. */
struct dmtrace_change {
	const char *name;		/* stable, such as "key-crlf" */
	enum dmtrace_change_kind kind;
	enum dmtrace_place place;
	uint64_t at;			/* line of the key, byte of the file */
	uint64_t count;
	const char *words;		/* safe to print; until the return */
};

/*
 * Called once for each name and kind, and last with NULL: then that was all,
 * and the output is whole but has no name yet. Other than 0: the operation
 * ends with DMTRACE_ERR_CANCELLED and leaves no output. In the thread that
 * repairs.
 */
typedef int
dmtrace_change_fn(void *context, const struct dmtrace_change *change);

/* "mended", "invented", "dropped", "lost" or "kept"; "" for another number.
 * Thread-safe. */
DMTRACE_API const char *
dmtrace_change_kind_name(enum dmtrace_change_kind kind);

/* A flag, beside those of dmtrace_join: calls that the beginning or the end
 * of the trace cuts stay as they are, which is valid, too. */
enum { DMTRACE_REPAIR_EDGES = 16 };

struct dmtrace_repair_options {
	size_t size;			/* of this struct */
	enum dmtrace_repair_time time;
	unsigned flags;			/* DMTRACE_SYNC, DMTRACE_NO_REPLACE,
					   DMTRACE_REPAIR_EDGES */
	dmtrace_change_fn *change;	/* NULL: none */
	void *context;			/* of change */
};

/* Clamp, and nothing else. */
DMTRACE_API void
dmtrace_repair_options_init(struct dmtrace_repair_options *options);

/* What came of it: a trace without anything to change is copied. */
struct dmtrace_repair_result {
	uint64_t changes;		/* all but those that are only told */
	uint64_t records_in;		/* whole ones in the input */
	uint64_t records_out;
	uint64_t opened;		/* of these, added at the beginning */
	uint64_t closed;		/* and at the end */
};

/*
 * Writes a valid trace of in: a joined file, either half of a pair, whose
 * partner is found by its name, a base name, or a descriptor. Where there is
 * nothing to change the bytes are copied. out is a joined file, or a pair if
 * its path ends in ".key" or ".data"; NULL: the changes are only reported, by
 * options->change, which is called before out gets its name. options may be
 * NULL: all defaults. result may be NULL; it is set on success. What cannot be
 * read twice is copied to a temporary in TMPDIR, else /tmp. op may be used by
 * one thread at a time.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE    neither "*version" nor the magic first
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming or ART trace format V2
 *   DMTRACE_ERR_LIMIT        a key or line that is too large, more frames
 *                            open than DMTRACE_LIMIT_DEPTH, or more than a
 *                            million methods that no table lists
 *   DMTRACE_ERR_RANGE        options->time or flags is none of the above
 *   DMTRACE_ERR_STATE        out is in
 */
DMTRACE_API enum dmtrace_status
dmtrace_repair(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result);

#ifdef __cplusplus
}
#endif

#endif
