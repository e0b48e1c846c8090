/* piece_front.h - the bytes around the events of a piece */
#ifndef DMT_OPS_SPLIT_PIECE_FRONT_H
#define DMT_OPS_SPLIT_PIECE_FRONT_H

#include "ops/split/piece_key.h"
#include "trace/stream_write.h"
#include "trace/dialect.h"

/*
 * All bytes before the events of each piece and, for packets, after them. They
 * are the same in all pieces, except for the block of lines, which has the
 * same size in all of them.
 */
struct dmt_piece_front {
	uint8_t *bytes;			/* what precedes the events, */
	size_t len;			/* followed by what follows them */
	size_t end_len;
	size_t block_at;		/* offset of the block in all bytes */
	struct dmt_piece_lines lines;
	size_t methods;			/* in the key of the whole trace */
	uint64_t id;			/* hash of what all pieces share */
	/* For packets: what was announced, and the ids of more than one row of
	 * the key, which a piece may have to announce again. */
	struct dmt_writing *writing;
	uint64_t *redefined;
	size_t redefined_count;
	size_t event_max;		/* most bytes of an event */
};

/*
 * Makes the front of the pieces of the reader's trace, with a block that is
 * filled later.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT        the key or one of its lines exceeds its limit
 *   DMTRACE_ERR_RANGE        one of its lines is too long for a packet
 *   DMTRACE_ERR_CORRUPT      the key would not be restored exactly
 *   DMTRACE_ERR_UNSUPPORTED  the trace has no place for a block
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

/* Makes the next event of each method or thread that has several rows announce
 * its row again: events of another piece follow, in which another row may be in
 * effect. */
void
dmt_piece_front_forget(struct dmt_piece_front *front);

/*
 * Gets the facts of a piece, and the front without them: its len bytes are the
 * key of the whole trace and what was between it and the records. bytes has
 * space for as many bytes as dmt_piece_front_max returns.
 *
 * Returns DMTRACE_OK, or with error set
 *   DMTRACE_ERR_FOREIGN  the reader's trace is not a piece
 */
enum dmtrace_status
dmt_piece_front_strip(struct dmt_piece_facts *facts, uint8_t *bytes,
    size_t *len, const struct dmtrace_reader *reader,
    struct dmtrace_error *error);

size_t
dmt_piece_front_max(const struct dmtrace_reader *reader);

#endif
