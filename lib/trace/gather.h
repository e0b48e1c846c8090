/* gather.h - a pass over packets, for the key that they define */
#ifndef DMT_TRACE_GATHER_H
#define DMT_TRACE_GATHER_H

#include "trace/reader.h"

/*
 * The pass of an open over a file of packets. The input is at the packet that
 * is taken; what is unusual in it is a finding there.
 */
struct dmt_gathering {
	struct dmtrace_reader *reader;
	struct dmt_input *input;
	struct dmtrace_key *summary;	/* NULL: there is none; the caller's */
	size_t record_size;		/* of a stream */
};

void
dmt_gather_note(struct dmt_gathering *gathering, enum dmt_finding which);

/* A thread; a method, by its line as in a key, with or without LF. Return
 * DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT. */
enum dmtrace_status
dmt_gather_thread(struct dmt_gathering *gathering, uint32_t number,
    struct dmtrace_text name);
enum dmtrace_status
dmt_gather_method(struct dmt_gathering *gathering, struct dmtrace_text line);

/* A summary: the key at the front of text; and one whose end is missing, which
 * is a finding. Return DMTRACE_OK, or the status of the reader's failure. */
enum dmtrace_status
dmt_gather_summary(struct dmt_gathering *gathering, struct dmtrace_text text);
enum dmtrace_status
dmt_gather_cut_summary(struct dmt_gathering *gathering,
    struct dmtrace_text text);

/* Everything is taken: the reader's key. clock is that of a file without a
 * summary. Returns DMTRACE_OK, or the status of the reader's failure. */
enum dmtrace_status
dmt_gather_key(struct dmt_gathering *gathering, unsigned version,
    enum dmtrace_clock clock);

#endif
