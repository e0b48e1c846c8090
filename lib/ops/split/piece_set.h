/* piece_set.h - the output files of a split */
#ifndef DMT_OPS_SPLIT_PIECE_SET_H
#define DMT_OPS_SPLIT_PIECE_SET_H

#include "base/output.h"
#include "ops/op.h"
#include "ops/split/piece_front.h"
#include "trace/batch_write.h"

/* One file. Enters and exits that the split inserts are not counted as its
 * records. */
struct dmt_piece {
	struct dmt_output output;
	struct dmt_piece_facts facts;	/* counts, until the end */
	uint32_t thread;
	struct dmtrace_text name;	/* of the thread, as in the key */
	char *path;			/* the final name; NULL: not chosen
					   yet */
};

struct dmt_piece_set {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;	/* the events to split */
	const struct dmtrace_pieces_options *options;
	struct dmtrace_file in;		/* for failures of the input */
	struct dmtrace_file out;	/* and of the pieces */
	struct dmt_piece_front front;
	unsigned columns;		/* needed to write events of packets */
	const struct dmt_piece *last;	/* the one that was written last */
	bool exact;
	bool too_many;			/* there are more pieces than
					   max_files */
	struct dmt_piece **items;
	size_t count;
	size_t capacity;
	struct dmt_piece **open;	/* pieces with a descriptor, in turn */
	size_t open_max;
	size_t open_next;
};

/* All of these return the status of the operation, set->op. */
enum dmtrace_status
dmt_piece_set_init(struct dmt_piece_set *set, struct dmtrace_op *op,
    struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options);

/* Removes files that did not get their final names. */
void
dmt_piece_set_fini(struct dmt_piece_set *set);

/* Adds a file that begins with the front; it is the last of set->items. */
enum dmtrace_status
dmt_piece_set_add(struct dmt_piece_set *set);

/* Gets the next batch of the source; NULL at the end. */
enum dmtrace_status
dmt_piece_set_pull(struct dmt_piece_set *set, struct dmt_batch **batch);

/* Appends count events of the batch, from keep[first] on, which are in the
 * trace. */
enum dmtrace_status
dmt_piece_put(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch, size_t first, size_t count);

/* Appends a batch of enters or exits that the split inserts. */
enum dmtrace_status
dmt_piece_put_frames(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch);

/* Return the largest possible size of a piece in bytes: with written bytes
 * before its events, or with those that it has, and that many more events, and
 * with its end. */
uint64_t
dmt_piece_size_with(const struct dmt_piece_set *set, uint64_t written,
    uint64_t events);

/* Writes what is buffered, closes the file and frees the buffer, as only the
 * end of the piece and its block are still to be written. */
enum dmtrace_status
dmt_piece_close(struct dmt_piece_set *set, struct dmt_piece *piece);

/* Copies the failure of the piece's output. */
enum dmtrace_status
dmt_piece_check(struct dmt_piece_set *set, const struct dmt_piece *piece);

/* Completes all pieces when all records are written, and gives them their
 * names. */
enum dmtrace_status
dmt_piece_set_finish(struct dmt_piece_set *set);

/* piece_name.c: chooses the paths of all pieces. false: no memory. */
bool
dmt_piece_set_name(struct dmt_piece_set *set);

/*
 * pieces_thread.c, and pieces_run.c for a split by time, records or size: copy
 * all events of the source to pieces of the set, at least one. The second
 * makes runs of records in the order of the file.
 */
enum dmtrace_status
dmt_pieces_by_thread(struct dmt_piece_set *set);
enum dmtrace_status
dmt_pieces_by_run(struct dmt_piece_set *set);

#endif
