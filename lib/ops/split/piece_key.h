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
	bool exact;			/* rejoined, all records have the order
					   that they had */
	uint64_t id;			/* of the split */
	uint64_t opened;		/* records added before its own */
	uint64_t records;
	uint64_t closed;		/* and after them */
	uint64_t was_opened;		/* of its own, those that had been */
	uint64_t was_closed;		/* added before */
	uint64_t methods;		/* of packets: in the whole's key */
	uint64_t last_ns;		/* of format V2: its highest time */
};

/* What the lines of all pieces of a trace have in common. */
struct dmt_piece_lines {
	size_t len;			/* of all of them */
	const char *line_end;
	bool counts;			/* the key has num-method-calls */
	bool packets;			/* it is made of packets */
	unsigned unit_ns;		/* of trace format V2: of its times;
					   0: no line names a unit */
};

/* The lines of a piece of the reader's trace. */
struct dmt_piece_lines
dmt_piece_lines_of(const struct dmtrace_reader *reader);

/* How they are put into a key; has_elapsed: one of trace format V2. */
struct dmt_wrap
dmt_piece_wrap(size_t len, bool has_elapsed);

/* Fills lines->len bytes at out. false: the numbers are too large for it. */
bool
dmt_piece_lines_put(uint8_t *out, const struct dmt_piece_lines *lines,
    const struct dmt_piece_facts *facts);

/* The lines in a key, of which last_ns, was_opened and was_closed are not
 * taken; *len is how many bytes they are. packets: the key is made of packets.
 * false: it is not the key of a piece. */
bool
dmt_piece_lines_take(struct dmt_piece_facts *facts, size_t *len,
    const struct dmtrace_key *key, bool packets);

/* FNV-1a, to go on with; DMT_PIECE_HASH at first. */
#define DMT_PIECE_HASH UINT64_C(0xcbf29ce484222325)
uint64_t
dmt_piece_hash(uint64_t hash, const void *bytes, size_t len);

/* How the records or events of a reader's trace are read, where it is made of
 * packets, which do not say so themselves; else 0, which adds nothing. */
uint64_t
dmt_piece_form(const struct dmtrace_reader *reader);
uint64_t
dmt_piece_hash_form(uint64_t hash, uint64_t form);

/* Adds what the pieces of another split would have otherwise. */
uint64_t
dmt_piece_hash_facts(uint64_t hash, const struct dmt_piece_facts *facts);

#endif
