/* corrupt.h - damages of a trace: their kinds, places and edits */
#ifndef DMT_OPS_CORRUPT_CORRUPT_H
#define DMT_OPS_CORRUPT_CORRUPT_H

#include <dmtrace/ops.h>

#include "base/input.h"
#include "base/output.h"
#include "format/finding.h"

#define DMT_DAMAGE_KINDS (DMTRACE_DAMAGE_BLOCK + 1)

/* What a kind is, and may cause. */
struct dmt_damage_row {
	const char *text;		/* what happens, in a few words */
	bool refused;			/* validate may find no trace at all */
	const enum dmt_finding *findings;	/* that it may make, ended by
						   DMT_ROW_COUNT; NULL: any */
};

extern const struct dmt_damage_row dmt_damage_rows[DMT_DAMAGE_KINDS];

/* The bytes that take the place of a range of the input. */
enum dmt_edit_how {
	DMT_EDIT_BYTES,			/* these; none removes the range */
	DMT_EDIT_FLIP,			/* the range, each byte xor value */
	DMT_EDIT_FILL,			/* as many bytes of this value */
	DMT_EDIT_TWICE,			/* the range, twice */
	DMT_EDIT_SWAP,			/* the range, from split on first */
	DMT_EDIT_BLANKS			/* the range, with blanks for TABs */
};

#define DMT_EDIT_BYTES_MAX 24

struct dmt_damage_edit {
	struct dmtrace_damage damage;
	enum dmt_edit_how how;
	uint8_t value;
	size_t split;
	uint8_t bytes[DMT_EDIT_BYTES_MAX];
	size_t bytes_len;
	uint64_t random;		/* for what is left to chance */
};

/* A chosen damage: the number-th place of a kind. */
struct dmt_pick {
	enum dmtrace_damage_kind kind;
	uint64_t number;
	uint64_t random;
};

/* The places where a trace can be damaged. Set input, which is held; the first
 * walk counts them. For the second, set picks, in order of kind and number,
 * and edits, which has room for one more than there are picks. */
struct dmt_places {
	struct dmt_input *input;
	uint64_t counts[DMT_DAMAGE_KINDS];
	const struct dmt_pick *picks;	/* NULL: count */
	size_t pick_count;
	size_t next[DMT_DAMAGE_KINDS];	/* the next pick of that kind */
	struct dmt_damage_edit *edits;
	size_t edit_count;
};

/* Walks through the trace, as far as it can be read. Of kinds that can damage
 * any bytes, or all, it knows nothing. Returns DMTRACE_OK, or with error set
 * DMTRACE_ERR_MEMORY or the status of the input. */
enum dmtrace_status
dmt_places_walk(struct dmt_places *places, struct dmtrace_error *error);

/*
 * Damages the bytes of an input, which is held at offset 0, and writes them to
 * output. The progress is that of op, which may be NULL, and is its failure if
 * it is cancelled. *damages, which has room for 1 + options->count items, gets
 * what was done, in the order of the input. Failures of output are its own.
 *
 * Returns DMTRACE_OK, or with error set a status of the input,
 * DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  no kind has a place in the trace
 */
enum dmtrace_status
dmt_corrupt(struct dmtrace_op *op, struct dmt_input *input,
    struct dmt_output *output, const struct dmtrace_corrupt_options *options,
    struct dmtrace_damage *damages, size_t *damage_count,
    struct dmtrace_error *error);

#endif
