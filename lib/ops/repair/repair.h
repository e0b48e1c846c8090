/* repair.h - the state of a repair, and its steps */
#ifndef DMT_OPS_REPAIR_REPAIR_H
#define DMT_OPS_REPAIR_REPAIR_H

#include <dmtrace/key.h>

#include "data/text_damage.h"
#include "format/layout.h"
#include "ops/op.h"
#include "ops/repair/mend_events.h"

/* The state. Each step sets what later steps need; see dmt_repair_run. */
struct dmt_repair {
	struct dmtrace_op *op;
	const struct dmtrace_file *in_file;
	const struct dmtrace_file *out_file;	/* NULL: only report */
	const struct dmtrace_repair_options *options;
	struct dmt_changes changes;

	/* open_input.c. Files are held, so that any offset can be read
	 * again. */
	struct dmt_input files[2];
	struct dmt_input *key_file;	/* NULL: no key */
	struct dmt_input *data_file;	/* of a pair, or of data alone */
	uint64_t data_from;		/* where the data begins there */
	enum dmtrace_container container;	/* _STREAM or _PACKETS for data
						   of that kind */

	/* find_key.c */
	struct dmtrace_key *key;	/* repaired */
	size_t key_len;			/* size of the damaged key */
	struct dmt_input *data;	/* the file with the data; NULL: none */
	uint64_t data_at;		/* offset of the magic */
	uint64_t data_size;		/* from the magic on */

	/* undo_text.c: the restored data; salvage.c: the data without damaged
	 * parts */
	struct dmt_output undone;
	struct dmt_input undone_file;

	/* find_records.c */
	struct dmt_layout layout;
	uint64_t records;		/* number of whole records */
	unsigned data_offset;		/* from the magic to the first record */
	uint64_t start;			/* start time in the header */
	bool keeps_header;		/* copy data_offset bytes */

	/* salvage.c, for packets */
	struct dmtrace_reader *reader;	/* of the undamaged parts, */
	bool is_copy;			/* which were copied */

	struct dmtrace_source *events;	/* repaired */
	const struct dmt_mended *mended;	/* what was changed in them */
};

/* Does what dmtrace_repair does, and sets *changes to the changes. */
enum dmtrace_status
dmt_repair_run(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result, struct dmt_changes *changes);

/*
 * The steps. Each returns the status of the operation; on failure the error is
 * set in it.
 */

/* Opens in_file or the files that it leads to. */
enum dmtrace_status
dmt_repair_open(struct dmt_repair *repair);

/* Finds the end of the key and the beginning of the data; repairs the key, or
 * makes an empty one if there is none. */
enum dmtrace_status
dmt_repair_find_key(struct dmt_repair *repair);

/* Finds the records and their layout. */
enum dmtrace_status
dmt_repair_find_records(struct dmt_repair *repair);

/*
 * undo_text.c: undoes the damage to the data, to a temporary file: a header of
 * header_size bytes, then records of layout, without those that have lost
 * bytes. Returns the status of error.
 */
enum dmtrace_status
dmt_repair_undo_text(struct dmt_repair *repair, enum dmt_text_damage damage,
    size_t header_size, const struct dmt_layout *layout,
    struct dmtrace_error *error);

/* For packets, which cannot be restored after they were copied as text: the
 * first function returns what was done to the version in the header, whose
 * first len bytes are given; DMT_TEXT_DAMAGES: nothing, or it is unknown. The
 * second fails if there is damage. */
enum dmt_text_damage
dmt_packets_text_damage(const uint8_t *bytes, size_t len);
enum dmtrace_status
dmt_repair_refuse_text(struct dmt_repair *repair, enum dmt_text_damage damage);

/* For packets, instead of the previous two steps: drops what is damaged, and
 * opens a reader of the rest. */
enum dmtrace_status
dmt_repair_salvage(struct dmt_repair *repair);

/* Writes the result to out_file; the changes have been reported. */
enum dmtrace_status
dmt_repair_write(struct dmt_repair *repair);

#endif
