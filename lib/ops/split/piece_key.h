/* piece_key.h - adds facts about a piece to its key, and removes them */
#ifndef DMT_OPS_SPLIT_PIECE_KEY_H
#define DMT_OPS_SPLIT_PIECE_KEY_H

#include <dmtrace/ops.h>
#include <stdbool.h>

#include "key/key_wrap.h"
#include "trace/reader.h"

/* The facts about a piece, as in the option lines of its key. */
struct dmt_piece_facts {
	uint64_t index;			/* from 1 on */
	uint64_t total;
	enum dmtrace_pieces_by by;
	bool exact;			/* rejoining restores the order of all
					   records */
	uint64_t id;			/* identifies the split */
	uint64_t opened;		/* number of inserted records before */
	uint64_t records;
	uint64_t closed;		/* and after its own records */
	uint64_t was_opened;		/* number of its own records that had */
	uint64_t was_closed;		/* been inserted in the whole trace */
	uint64_t methods;		/* of packets: in the key of the
					   whole */
	uint64_t last_ns;		/* of format V2: its highest time */
};

/* What the blocks of all pieces of a trace have in common. */
struct dmt_piece_lines {
	size_t len;			/* bytes of all lines */
	const char *line_end;
	bool counts;			/* the key has num-method-calls */
	bool packets;			/* the trace consists of packets */
	unsigned unit_ns;		/* of trace format V2: unit of its
					   times; 0: no line states it */
};

/* Returns the properties of the block for pieces of the reader's trace. */
struct dmt_piece_lines
dmt_piece_lines_of(const struct dmtrace_reader *reader);

/* Returns how a block is added to a key; has_elapsed: of trace format V2. */
struct dmt_wrap
dmt_piece_wrap(bool has_elapsed);

/* Writes lines->len bytes to out. false: the numbers are too large for it. */
bool
dmt_piece_lines_put(uint8_t *out, const struct dmt_piece_lines *lines,
    const struct dmt_piece_facts *facts);

/* Reads the block in a key, except last_ns, was_opened and was_closed; *lines
 * are its bytes. packets: the trace consists of packets. false: it is not the
 * key of a piece. */
bool
dmt_piece_lines_take(struct dmt_piece_facts *facts,
    struct dmtrace_text *lines, const struct dmtrace_key *key, bool packets);

/* Returns how the records or events of a reader's trace are to be read, if it
 * consists of packets, which do not state that; else 0, which does not change
 * a hash. */
uint64_t
dmt_piece_form(const struct dmtrace_reader *reader);
uint64_t
dmt_piece_hash_form(uint64_t hash, uint64_t form);

/* Adds the facts that differ between splits to the hash. */
uint64_t
dmt_piece_hash_facts(uint64_t hash, const struct dmt_piece_facts *facts);

#endif
