/* rejoin.h - the pieces of a trace, as they are joined again */
#ifndef DMT_OPS_REJOIN_H
#define DMT_OPS_REJOIN_H

#include "base/output.h"
#include "ops/op.h"
#include "ops/split/piece_key.h"

/* A piece among the operands. */
struct dmt_part {
	struct dmtrace_file file;
	struct dmt_piece_facts facts;
	struct dmtrace_reader *reader;	/* while its records are read */
};

struct dmt_rejoin {
	struct dmtrace_op *op;
	unsigned flags;
	struct dmt_part *parts;		/* by their index, all of them */
	size_t count;
	uint8_t *front;			/* what stands before the records */
	size_t front_len;
	uint8_t *stripped;		/* that of another part */
	size_t capacity;
	size_t key_len;			/* of it, with the gap of a pair */
	struct dmtrace_layout layout;
	uint8_t *tail;			/* and after them */
	size_t tail_len;
	bool has_tail;			/* the first piece's is known */
	bool timed;
	uint64_t done;			/* bytes of records, of total */
	uint64_t total;
	struct dmt_pool pool;
	struct dmtrace_source *merger;
	struct dmt_output key_output;	/* of a pair */
	struct dmt_output output;
};

/* All of these return the status of the operation. */

/* Looks at the files: whether they are the pieces of one split, all of them,
 * each once, and as it made them. Sorts them by index. */
enum dmtrace_status
dmt_rejoin_look(struct dmt_rejoin *rejoin, const char *const *paths);

/* Opens a part, whose reader then is at its first record; the reader is the
 * caller's to free, whatever comes. */
enum dmtrace_status
dmt_part_open(struct dmt_rejoin *rejoin, struct dmt_part *part,
    struct dmtrace_reader **reader);

/* What follows the records of a part must be the same in all of them. */
enum dmtrace_status
dmt_part_take_tail(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const uint8_t *bytes, size_t len);

/* A part is not what it was. */
enum dmtrace_status
dmt_part_changed(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const char *how);
enum dmtrace_status
dmt_part_too_few(struct dmt_rejoin *rejoin, const struct dmt_part *part);

#endif
