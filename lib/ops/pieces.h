/* pieces.h - the ways to split a trace into pieces */
#ifndef DMT_OPS_PIECES_H
#define DMT_OPS_PIECES_H

#include "ops/piece_set.h"

/* Each reads all records into pieces of the set, one at least, and returns
 * the status of the operation. What stands behind the last whole record is
 * then in the window of the reader's source. */
enum dmtrace_status
dmt_pieces_by_thread(struct dmt_piece_set *set);

/* By time, records or size: runs of records as they stand in the file. */
enum dmtrace_status
dmt_pieces_by_run(struct dmt_piece_set *set);

#endif
