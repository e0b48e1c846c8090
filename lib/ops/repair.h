/* repair.h - a trace under repair: what was found, and what will be written */
#ifndef DMT_OPS_REPAIR_H
#define DMT_OPS_REPAIR_H

#include "format/layout.h"
#include "ops/op.h"
#include "ops/repair/mend_events.h"

#include <dmtrace/key.h>

/* A file that can be read from any place, again and again. */
struct dmt_half {
	struct dmt_source owner;	/* has the descriptor and the path */
	struct dmt_sink spool;		/* what could be read only once */
	int fd;				/* -1: there is no such half */
	uint64_t base;			/* where it begins in fd */
	uint64_t size;
};

struct dmt_repair {
	struct dmtrace_op *op;
	const struct dmtrace_file *in_file;
	const struct dmtrace_file *out_file;	/* NULL: tell only */
	const struct dmtrace_repair_options *options;
	struct dmt_changes changes;
	struct dmt_half key_half;
	struct dmt_half data_half;	/* of a pair, or of data alone */
	struct dmt_half mended_half;	/* the data with its bytes put back */
	struct dmt_half *data;		/* the one with the data; NULL: none */

	size_t key_len;			/* of the key as it is; 0: none */
	uint64_t key_at;		/* where it begins in its half */
	bool has_end;			/* "*end" */
	bool is_cut;			/* ends within a line */
	struct dmtrace_key *key;	/* mended */

	uint64_t data_at;		/* the magic, in data */
	uint64_t data_size;		/* from the magic on */
	unsigned version;		/* of the records */
	uint64_t start;
	unsigned data_offset;		/* as it should be */
	bool has_header;		/* data_offset bytes can be copied */
	struct dmtrace_layout layout;
	uint64_t records;		/* whole ones */

	struct dmtrace_source *events;	/* mended */
	const struct dmt_mended *mended;	/* what was done to them */
};

/* dmtrace_repair, which also sets *changes to what was changed. */
enum dmtrace_status
dmt_repair_run(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result, struct dmt_changes *changes);

/* Opens what in_file is or leads to; says where key and data are. */
enum dmtrace_status
dmt_repair_open(struct dmt_repair *repair);

/* Takes a finished temporary as a half. */
enum dmtrace_status
dmt_half_take(struct dmt_half *half, struct dmt_sink *spool,
    struct dmtrace_error *error);

void
dmt_half_init(struct dmt_half *half);
void
dmt_half_fini(struct dmt_half *half);

/* Opens source on the half from at on; it reads the half's descriptor, so
 * there is one at a time. A failure is the source's. */
void
dmt_half_read(const struct dmt_half *half, uint64_t at,
    struct dmt_source *source);

/* Finds where the key ends and the data begins. */
enum dmtrace_status
dmt_repair_find_front(struct dmt_repair *repair);

/* Makes repair->key of the key's lines, or an empty one if there is none. */
enum dmtrace_status
dmt_repair_mend_key(struct dmt_repair *repair);

/* Finds out what the records look like and where they are. */
enum dmtrace_status
dmt_repair_find_records(struct dmt_repair *repair);

/* Makes key and layout agree. */
enum dmtrace_status
dmt_repair_agree(struct dmt_repair *repair);

/* Writes it all to out_file. */
enum dmtrace_status
dmt_repair_write(struct dmt_repair *repair);

#endif
