/* replay.h - the records of a reader, to be read a second time */
#ifndef DMT_TRACE_REPLAY_H
#define DMT_TRACE_REPLAY_H

#include "base/sink.h"
#include "trace/reader.h"

/*
 * Of memory and of a regular file nothing is kept but where the records
 * begin; of anything else, the bytes, in a temporary.
 */
struct dmt_replay {
	const uint8_t *bytes;		/* in memory; NULL: in fd */
	int fd;
	uint64_t start;			/* of the first record in fd */
	uint64_t len;			/* bytes of records so far */
	bool spools;
	struct dmt_sink spool;
	struct dmtrace_error error;
};

/*
 * Begins at the next record of the reader, whose last record was not taken
 * yet. folder is a file beside which a temporary goes; NULL: in TMPDIR, else
 * /tmp. Whatever comes of it, end it with dmt_replay_fini.
 */
enum dmtrace_status
dmt_replay_open(struct dmt_replay *replay, struct dmtrace_reader *reader,
    const char *folder);

/* The same without a reader: what is added. */
enum dmtrace_status
dmt_replay_open_temporary(struct dmt_replay *replay, const char *folder);
void
dmt_replay_add(struct dmt_replay *replay, const void *bytes, size_t len);

/* dmt_reader_take; what it takes can be read again. */
size_t
dmt_replay_take(struct dmt_replay *replay, struct dmtrace_reader *reader,
    size_t capacity);

/* Nothing is added any more; it can be read. */
enum dmtrace_status
dmt_replay_finish(struct dmt_replay *replay);

/*
 * Reads len bytes, from at behind the first record on, to out.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_IO: also if the file was cut meanwhile
 */
enum dmtrace_status
dmt_replay_read(struct dmt_replay *replay, uint64_t at, void *out,
    size_t len);

void
dmt_replay_fini(struct dmt_replay *replay);

#endif
