/* spool.h - temporary storage for events that are needed later */
#ifndef DMT_TRACE_SPOOL_H
#define DMT_TRACE_SPOOL_H

#include "base/output.h"
#include "data/record_list.h"

/*
 * The only storage for events that are needed later: the records of a joined
 * writer until its key is complete, or the runs of sort. Bytes are appended in
 * any form; after dmt_spool_finish they can be read from any position. They
 * are in an unnamed temporary file or in memory.
 */
struct dmt_spool {
	struct dmt_output output;		/* append with its functions */
	struct dmtrace_error error;	/* the first failure, of any call */
};

/* Makes an empty spool in memory; ended by dmt_spool_fini. */
void
dmt_spool_init(struct dmt_spool *spool);

/*
 * Makes an empty spool use a temporary file in the directory of the file
 * beside or, if that is NULL, in TMPDIR, else in /tmp. Returns DMTRACE_OK,
 * DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_spool_open(struct dmt_spool *spool, const char *beside);

/* Ends the appending. Returns DMTRACE_OK, or the status of the first failure,
 * including those of output. */
enum dmtrace_status
dmt_spool_finish(struct dmt_spool *spool);

/* Returns the number of bytes that were appended. */
static inline uint64_t
dmt_spool_len(const struct dmt_spool *spool)
{
	return spool->output.written;
}

/*
 * Reads len bytes from position at on.
 *
 * Returns DMTRACE_OK, or the status of the first failure; DMTRACE_ERR_IO also
 * if the temporary has fewer bytes
 */
enum dmtrace_status
dmt_spool_read(struct dmt_spool *spool, uint64_t at, void *out, size_t len);

/*
 * A run of sort: its records are appended with their sort keys, some at a
 * time, and read back in the same pieces from *at on, which is advanced. On
 * reading, records must have space for count and is overwritten.
 */
void
dmt_spool_append_run(struct dmt_spool *spool, const uint64_t *order,
    const struct dmt_record_list *records);
enum dmtrace_status
dmt_spool_read_run(struct dmt_spool *spool, uint64_t *at, uint64_t *order,
    struct dmt_record_list *records, size_t count);

/* Returns the size in bytes of a run of that many events. */
uint64_t
dmt_spool_run_len(const struct dmt_layout *layout, uint64_t count);

void
dmt_spool_fini(struct dmt_spool *spool);

#endif
