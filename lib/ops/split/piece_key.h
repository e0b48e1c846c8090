/* piece_key.h - what the key of a piece says of it, put in and taken out */
#ifndef DMT_OPS_SPLIT_PIECE_KEY_H
#define DMT_OPS_SPLIT_PIECE_KEY_H

#include <dmtrace/ops.h>
#include <stdbool.h>

#include "key/key_wrap.h"
#include "trace/reader.h"

/* One piece among the others, as the option lines of its key have it. */
struct dmt_piece_facts {
	uint64_t index;			/* from 1 */
	uint64_t total;
	enum dmtrace_pieces_by by;
	bool exact;			/* what is joined again is the same to
					   the byte */
	uint64_t id;			/* of the split */
	uint64_t opened;		/* records added before its own */
	uint64_t records;
	uint64_t closed;		/* and after them */
	uint64_t was_opened;		/* of its own, those that had been */
	uint64_t was_closed;		/* added before */
};

/* All that stands before the records of each piece: the same but for a block
 * of lines, which has the same size in all of them. */
struct dmt_piece_front {
	uint8_t *bytes;
	size_t len;
	size_t block_at;
	size_t block_len;
	const char *line_end;
	bool counts;			/* the key has num-method-calls */
	uint64_t id;			/* hash of what is the same in all */
};

/*
 * The front of the pieces of the reader's trace, with a block to be filled.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  the key grows over its limit, or one of its lines
 */
enum dmtrace_status
dmt_piece_front_init(struct dmt_piece_front *front,
    const struct dmtrace_reader *reader, struct dmtrace_error *error);

void
dmt_piece_front_fini(struct dmt_piece_front *front);

/* Fills the block. false: the numbers are too large for it. */
bool
dmt_piece_front_fill(struct dmt_piece_front *front,
    const struct dmt_piece_facts *facts);

/*
 * The facts, and the front without them: its len bytes are what stood before
 * the records of the trace that was split. bytes has room for as many as
 * dmt_piece_front_max says.
 *
 * Returns DMTRACE_OK, or with error set
 *   DMTRACE_ERR_FOREIGN  the reader's trace is no piece
 */
enum dmtrace_status
dmt_piece_front_strip(struct dmt_piece_facts *facts, uint8_t *bytes,
    size_t *len, const struct dmtrace_reader *reader,
    struct dmtrace_error *error);

size_t
dmt_piece_front_max(const struct dmtrace_reader *reader);

/* FNV-1a, to go on with; DMT_PIECE_HASH at first. */
#define DMT_PIECE_HASH UINT64_C(0xcbf29ce484222325)
uint64_t
dmt_piece_hash(uint64_t hash, const void *bytes, size_t len);

/* Adds what the pieces of another split would have otherwise. */
uint64_t
dmt_piece_hash_facts(uint64_t hash, const struct dmt_piece_facts *facts);

#endif
