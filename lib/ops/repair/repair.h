/* repair.h - a trace under repair: what was found, and what will be written */
#ifndef DMT_OPS_REPAIR_REPAIR_H
#define DMT_OPS_REPAIR_REPAIR_H

#include <dmtrace/key.h>

#include "data/text_damage.h"
#include "format/layout.h"
#include "ops/op.h"
#include "ops/repair/mend_events.h"

/* Each step fills what the next ones need; see dmt_repair_run. */
struct dmt_repair {
	struct dmtrace_op *op;
	const struct dmtrace_file *in_file;
	const struct dmtrace_file *out_file;	/* NULL: only report */
	const struct dmtrace_repair_options *options;
	struct dmt_changes changes;

	/* open_input.c. Files are held, and read from any place. */
	struct dmt_input files[2];
	struct dmt_input *key_file;	/* NULL: no key */
	struct dmt_input *data_file;	/* of a pair, or of data alone */
	enum dmtrace_container container;	/* _STREAM or _PACKETS: data
						   alone, of that kind */

	/* find_key.c */
	struct dmtrace_key *key;	/* mended */
	size_t key_len;			/* of the key as it is */
	struct dmt_input *data;	/* what the data is in; NULL: none */
	uint64_t data_at;		/* the magic, in there */
	uint64_t data_size;		/* from the magic on */

	/* undo_text.c: the data with its bytes put back; salvage.c: without
	 * what is damaged */
	struct dmt_output undone;
	struct dmt_input undone_file;

	/* find_records.c */
	struct dmt_layout layout;
	uint64_t records;		/* whole ones */
	unsigned data_offset;		/* from the magic to the first one */
	uint64_t start;			/* of the header */
	bool keeps_header;		/* data_offset bytes are copied */

	/* salvage.c, of packets */
	struct dmtrace_reader *reader;	/* of what is not damaged */

	struct dmtrace_source *events;	/* mended */
	const struct dmt_mended *mended;	/* what was done to them */
};

/* dmtrace_repair, which also sets *changes to what was changed. */
enum dmtrace_status
dmt_repair_run(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result, struct dmt_changes *changes);

/*
 * The steps. Each returns the status of the operation, which has the error
 * then.
 */

/* Opens what in_file is or leads to. */
enum dmtrace_status
dmt_repair_open(struct dmt_repair *repair);

/* Finds where the key ends and the data begins; mends the key, or makes an
 * empty one if there is none. */
enum dmtrace_status
dmt_repair_find_key(struct dmt_repair *repair);

/* Finds out what the records look like and where they are. */
enum dmtrace_status
dmt_repair_find_records(struct dmt_repair *repair);

/*
 * undo_text.c: puts back what the damage did to the data, which goes to a
 * temporary: a header of header_size bytes, then records of layout. Those that
 * have lost bytes are left out. Returns the status of error.
 */
enum dmtrace_status
dmt_repair_undo_text(struct dmt_repair *repair, enum dmt_text_damage damage,
    size_t header_size, const struct dmt_layout *layout,
    struct dmtrace_error *error);

/* In place of the last two for packets: leaves out what is damaged, and opens
 * a reader of the rest. */
enum dmtrace_status
dmt_repair_salvage(struct dmt_repair *repair);

/* Writes it all to out_file, after the changes were reported. */
enum dmtrace_status
dmt_repair_write(struct dmt_repair *repair);

#endif
