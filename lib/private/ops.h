/* ops.h - operations on open readers and writers */
/* layer: ops */
#ifndef DMT_PRIVATE_OPS_H
#define DMT_PRIVATE_OPS_H

#include <dmtrace/ops.h>

#include "private/select.h"

/* Names of enum dmtrace_shape, followed by NULL. */
extern const char *const dmt_shape_names[];

/* The same of enum dmtrace_damage_kind. */
extern const char *const dmt_damage_names[];

/* Says in a few words what a kind of damage does. *refused: it may leave no
 * trace that validate can read. */
const char *
dmt_damage_text(enum dmtrace_damage_kind kind, int *refused);

/* Returns the name of the index-th finding that a kind of damage may cause, ""
 * if it may cause any; NULL: there are no more. */
const char *
dmt_damage_finding(enum dmtrace_damage_kind kind, size_t index);

struct dmt_filter_options {
	struct dmt_selection *selection;	/* resolved for the reader's
						   key and layout; NULL: all
						   events */
	int keep_tables;	/* also keep rows without events */
	int allow_empty;	/* the result may be empty */
};

/*
 * Writes the selected records to an open writer that is like the reader
 * (dmtrace_writer_set_like). Without a condition nothing is changed. With
 * conditions, rows of the key without events are dropped; if a window cuts
 * calls, records that open and close them are inserted before and after the
 * others, and the options dmtrace-opened and dmtrace-closed give their number;
 * num-method-calls, if present, is updated.
 *
 * No record of the reader may have been read. If its records must be read
 * twice it must be held (dmt_reader_hold). The caller then closes the writer,
 * or frees it to get no output.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_CANCELLED, a status of
 * the reader, the writer or dmtrace_source_read, or
 *   DMTRACE_END        nothing is selected: close the writer only with
 *                      allow_empty
 *   DMTRACE_ERR_RANGE  a thread's or method's id is neither listed nor in a
 *                      record: see dmt_selection_unmatched
 *   DMTRACE_ERR_STATE  the writer is not like the reader, or its tables are
 *                      written; records were read; the selection is not
 *                      resolved
 */
enum dmtrace_status
dmt_filter(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmt_filter_options *options);

/* Returns the name of a loss, to be printed after its count. Thread-safe. */
const char *
dmt_loss_text(enum dmtrace_loss loss);

/* Does what dmtrace_checksum does, with the selected events of a reader that is
 * held; selection is resolved for it, or NULL: all. */
enum dmtrace_status
dmt_checksum(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmt_selection *selection,
    const struct dmtrace_checksum_options *options,
    struct dmtrace_checksum_result *checksum);

/* *sum = *sum + *other modulo 2^128. Thread-safe. */
void
dmt_sum_add(struct dmtrace_sum *sum, const struct dmtrace_sum *other);

#endif
