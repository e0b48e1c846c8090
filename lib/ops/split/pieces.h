/* pieces.h - the ways to split a trace */
#ifndef DMT_OPS_SPLIT_PIECES_H
#define DMT_OPS_SPLIT_PIECES_H

#include "ops/split/piece_set.h"

/* Each function copies all events of the source to pieces of the set, at least
 * one, and returns the status of the operation. */
enum dmtrace_status
dmt_pieces_by_thread(struct dmt_piece_set *set);

/* Splits by time, records or size: into runs of records in the order of the
 * file. */
enum dmtrace_status
dmt_pieces_by_run(struct dmt_piece_set *set);

#endif
