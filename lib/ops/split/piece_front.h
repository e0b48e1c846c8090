/* piece_front.h - what is before and after the events of a piece */
#ifndef DMT_OPS_SPLIT_PIECE_FRONT_H
#define DMT_OPS_SPLIT_PIECE_FRONT_H

#include "ops/split/piece_key.h"
#include "trace/stream_write.h"
#include "trace/v2_write.h"

/*
 * All bytes before the events of each piece, and of packets after them:
 * the same but for a block of lines, which has the same size in all of them.
 */
struct dmt_piece_front {
	uint8_t *bytes;			/* what is before the events, then */
	size_t len;			/* what is after them */
	size_t end_len;
	size_t block_at;		/* in all of it */
	struct dmt_piece_lines lines;
	size_t methods;			/* of the whole's key */
	uint64_t id;			/* hash of what is the same in all */
	/* Of packets: what was announced; ids of more than one row of the key,
	 * which a piece may have to announce again. */
	struct dmt_announced announced;
	struct dmt_v2_writing *v2;	/* NULL: not trace format V2 */
	uint64_t *redefined;
	size_t redefined_count;
	size_t event_max;		/* bytes that an event can take */
};

/*
 * The front of the pieces of the reader's trace, with a block to be filled.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT        the key grows over its limit, or one of its lines
 *   DMTRACE_ERR_RANGE        a packet has no room for one of its lines
 *   DMTRACE_ERR_CORRUPT      the key would not come back
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

/* The events that follow are those of another piece than before, which may not
 * have the last row that an id was announced with. */
void
dmt_piece_front_turn(struct dmt_piece_front *front);

/*
 * The facts, and the front without them: its len bytes are the key of the
 * trace that was split and what stood between it and the records. bytes has
 * room for as many as dmt_piece_front_max says.
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

#endif
