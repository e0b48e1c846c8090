/* replay.h - records that are read in any order */
#ifndef DMT_TRACE_REPLAY_H
#define DMT_TRACE_REPLAY_H

#include "base/sink.h"
#include "trace/reader.h"

/* Those of a reader that is held, or of a temporary. */
struct dmt_replay {
	const uint8_t *bytes;		/* in memory; NULL: in fd */
	int fd;
	uint64_t start;			/* of the first record in fd */
	uint64_t len;			/* bytes that were added */
	struct dmt_sink spool;
	struct dmtrace_error error;
};

/*
 * Of a reader that is at its first record: it is held, and goes on as if
 * nobody else read, as long as dmt_replay_read is not called. Whatever comes
 * of it, end it with dmt_replay_fini.
 */
enum dmtrace_status
dmt_replay_open(struct dmt_replay *replay, struct dmtrace_reader *reader);

/* Without a reader: of what is added. folder is a file beside which the
 * temporary goes; NULL: in TMPDIR, else /tmp. */
enum dmtrace_status
dmt_replay_open_temporary(struct dmt_replay *replay, const char *folder);
void
dmt_replay_add(struct dmt_replay *replay, const void *bytes, size_t len);

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
