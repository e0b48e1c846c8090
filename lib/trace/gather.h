/* gather.h - collects a key from the packets of a stream */
#ifndef DMT_TRACE_GATHER_H
#define DMT_TRACE_GATHER_H

#include "trace/reader.h"

/*
 * The state of the pass at the open. The input is at the current packet, whose
 * offset is given in findings.
 */
struct dmt_gathering {
	struct dmtrace_reader *reader;
	struct dmt_input *input;
	struct dmtrace_key *summary;	/* NULL: none; the caller frees it */
	bool no_summary;		/* the container never has one */
};

void
dmt_gather_note(struct dmt_gathering *gathering, enum dmt_finding which);

/* Add a thread, or a method by its line as in a key, with or without LF.
 * Return DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT. */
enum dmtrace_status
dmt_gather_thread(struct dmt_gathering *gathering, uint32_t number,
    struct dmtrace_text name);
enum dmtrace_status
dmt_gather_method(struct dmt_gathering *gathering, struct dmtrace_text line);

/* Decode a summary: dmt_gather_summary the key that text begins with, the
 * other one a truncated one, which is a finding. Return DMTRACE_OK, or the
 * status of the reader's failure. */
enum dmtrace_status
dmt_gather_summary(struct dmt_gathering *gathering, struct dmtrace_text text);
enum dmtrace_status
dmt_gather_cut_summary(struct dmt_gathering *gathering,
    struct dmtrace_text text);

/* Ends the collection: makes the reader's key. clock is used if there is no
 * summary. Returns DMTRACE_OK, or the status of the reader's failure. */
enum dmtrace_status
dmt_gather_key(struct dmt_gathering *gathering, unsigned version,
    enum dmtrace_clock clock);

#endif
