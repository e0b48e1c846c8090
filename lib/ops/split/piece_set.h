/* piece_set.h - the files that a trace is split into, side by side */
#ifndef DMT_OPS_SPLIT_PIECE_SET_H
#define DMT_OPS_SPLIT_PIECE_SET_H

#include "base/output.h"
#include "ops/op.h"
#include "ops/split/piece_front.h"
#include "trace/batch_write.h"

/* One of the files. What an enter or exit adds is not among its records. */
struct dmt_piece {
	struct dmt_output output;
	struct dmt_piece_facts facts;	/* the counts, until the end */
	uint32_t thread;
	struct dmtrace_text name;	/* of the thread; as in the key */
	char *path;			/* the name to get; NULL: not yet */
};

struct dmt_piece_set {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;	/* its events */
	struct dmt_batch_form form;	/* of records in the pieces */
	const struct dmtrace_pieces_options *options;
	struct dmtrace_file in;		/* what failures of the input are of */
	struct dmtrace_file out;	/* and those of the pieces */
	struct dmt_piece_front front;
	unsigned columns;		/* that the events of packets need */
	const struct dmt_piece *last;	/* the one that was written to */
	bool exact;
	bool too_many;			/* than max_files */
	struct dmt_piece **items;
	size_t count;
	size_t capacity;
	struct dmt_piece **open;	/* those with a descriptor, in turn */
	size_t open_max;
	size_t open_next;
};

/* All of these return the status of the operation, which is set->op's. */
enum dmtrace_status
dmt_piece_set_init(struct dmt_piece_set *set, struct dmtrace_op *op,
    struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options);

/* Removes what has not got its name. */
void
dmt_piece_set_fini(struct dmt_piece_set *set);

/* Adds a file that begins with the front, the last of set->items. */
enum dmtrace_status
dmt_piece_set_add(struct dmt_piece_set *set);

/* The next batch of the source; NULL at the end. */
enum dmtrace_status
dmt_piece_set_pull(struct dmt_piece_set *set, struct dmt_batch **batch);

/* Appends count events of the batch, from keep[first] on, which are of the
 * trace. */
enum dmtrace_status
dmt_piece_put(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch, size_t first, size_t count);

/* Appends a batch of events that enter or leave frames at an edge. */
enum dmtrace_status
dmt_piece_put_frames(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch);

/* The bytes of a piece that has so many before its events, or with those that
 * it has, and so many more events; at most, whatever its tail. */
uint64_t
dmt_piece_size_with(const struct dmt_piece_set *set, uint64_t written,
    uint64_t events);

/* Frees the piece's buffer: nothing will be written to it any more but what
 * follows its events, and the block of its front. */
enum dmtrace_status
dmt_piece_rest(struct dmt_piece_set *set, struct dmt_piece *piece);

/* Takes over the failure of the piece's output. */
enum dmtrace_status
dmt_piece_check(struct dmt_piece_set *set, const struct dmt_piece *piece);

/* Ends all pieces when all records are there, and gives them their names. */
enum dmtrace_status
dmt_piece_set_finish(struct dmt_piece_set *set);

/* Makes the paths of all pieces up. false: no memory. */
bool
dmt_piece_set_name(struct dmt_piece_set *set);

#endif
