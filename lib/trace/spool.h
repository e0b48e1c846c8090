/* spool.h - events that are kept until they are asked for */
#ifndef DMT_TRACE_SPOOL_H
#define DMT_TRACE_SPOOL_H

#include "base/output.h"
#include "data/record_list.h"

/*
 * The one place for events that are not wanted yet: the records of a joined
 * writer until its key is complete, the runs of sort. Bytes are appended, in
 * whatever form the caller likes, and after dmt_spool_finish they are read
 * from any position. They are in a temporary without a name, or in memory.
 */
struct dmt_spool {
	struct dmt_output output;		/* append by its functions */
	struct dmtrace_error error;	/* the first, of writing or reading */
};

/* An empty spool in memory; it is ended by dmt_spool_fini. */
void
dmt_spool_init(struct dmt_spool *spool);

/*
 * Of an empty spool: lets it have a temporary in the folder of the file beside,
 * or if that is NULL in TMPDIR, else /tmp. Returns DMTRACE_OK, DMTRACE_ERR_IO
 * or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_spool_open(struct dmt_spool *spool, const char *beside);

/* Nothing is appended any more. Returns DMTRACE_OK, or the status of the first
 * failure, which may be one of the output. */
enum dmtrace_status
dmt_spool_finish(struct dmt_spool *spool);

/* Bytes that were appended. */
static inline uint64_t
dmt_spool_len(const struct dmt_spool *spool)
{
	return spool->output.written;
}

/*
 * Reads len bytes, which were appended, from position at on.
 *
 * Returns DMTRACE_OK, or the status of the first failure; DMTRACE_ERR_IO also
 * if the temporary has fewer bytes
 */
enum dmtrace_status
dmt_spool_read(struct dmt_spool *spool, uint64_t at, void *out, size_t len);

/*
 * A run of sort: its events are appended with their places in the order, some
 * at a time, and read back so from *at, which is moved on. records has room for
 * count, and is filled anew.
 */
void
dmt_spool_append_run(struct dmt_spool *spool, const uint64_t *order,
    const struct dmt_record_list *records);
enum dmtrace_status
dmt_spool_read_run(struct dmt_spool *spool, uint64_t *at, uint64_t *order,
    struct dmt_record_list *records, size_t count);

/* Bytes of so many events of a run. */
uint64_t
dmt_spool_run_len(const struct dmt_layout *layout, uint64_t count);

void
dmt_spool_fini(struct dmt_spool *spool);

#endif
