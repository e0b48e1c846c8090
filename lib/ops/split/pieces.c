/* pieces.c - splits a trace into traces; the reverse of rejoin.c */

/*
 * The events of the reader go to a set of files (piece_set.c), in one pass:
 * each to the piece of its thread (pieces_thread.c), or runs of them to one
 * piece after the other (pieces_run.c). Records are copied, events of trace
 * format V2 are encoded again. piece_front.c makes what precedes and follows
 * the events of a piece, piece_key.c the facts in its key, and piece_name.c
 * the name of its file.
 */

#include "ops/split/piece_set.h"

#include "base/error.h"

enum dmtrace_status
dmtrace_split_pieces(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options, uint64_t *count)
{
	struct dmtrace_pieces_options all = { 0 };
	struct dmt_piece_set set;

	if (dmt_op_begin_call(op, __func__, reader == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL)
		all = *options;
	if (all.before == NULL)
		all.before = "";
	if (all.after == NULL)
		all.after = "";
	if (all.max_files == 0)
		all.max_files = 1000;
	if (count != NULL)
		*count = 0;
	if (dmt_reader_check_start(reader, &op->error, __func__) !=
	    DMTRACE_OK || dmt_op_check_flags(op, __func__, all.flags,
	    DMT_FILE_FLAGS) != DMTRACE_OK)
		return op->error.status;
	if ((unsigned)all.by > DMTRACE_PIECES_SIZE)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "%s: unknown value of by", __func__);
	if (all.by != DMTRACE_PIECES_THREAD && all.amount == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "the size of a piece is 0; it must be at least 1 "
		    "nanosecond, event or byte");
	enum dmtrace_status status =
	    dmt_piece_set_init(&set, op, reader, &all);
	if (status == DMTRACE_OK)
		status = all.by == DMTRACE_PIECES_THREAD ?
		    dmt_pieces_by_thread(&set) : dmt_pieces_by_run(&set);
	if (status == DMTRACE_OK)
		status = dmt_piece_set_finish(&set);
	if (count != NULL && (status == DMTRACE_OK || set.too_many))
		*count = set.count + set.too_many;
	dmt_piece_set_fini(&set);
	return status;
}
