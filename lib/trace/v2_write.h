/* v2_write.h - events of ART trace format V2, in blocks between packets */
#ifndef DMT_TRACE_V2_WRITE_H
#define DMT_TRACE_V2_WRITE_H

#include "base/output.h"
#include "data/v2.h"
#include "events/pipeline.h"

struct dmt_v2_writing;

/* start: of the header, in the unit of the stage. NULL: no memory. */
struct dmt_v2_writing *
dmt_v2_writing_new(const struct dmt_v2_form *form, uint64_t start);
void
dmt_v2_writing_free(struct dmt_v2_writing *v2);

/* The 32 bytes at the start of the file. version: 4, 5, 0xF4 or 0xF5. */
void
dmt_v2_write_header(struct dmt_output *output, const struct dmt_v2_writing *v2,
    unsigned version);

/* Converts a start time to the unit of the stage's header; the highest if it
 * has no room. */
uint64_t
dmt_v2_start(const struct dmt_v2_form *form, uint64_t start_us);

/*
 * Appends an event, in order, after the packets that it needs: the names of
 * its thread, the line of its method, if they have rows of key. modulo: times
 * of stages B and C are stored modulo 2^32 us. false: it does not fit the
 * stage, or a name is too long for a packet; output may have failed besides.
 */
bool
dmt_v2_write_event(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_key *key, const struct dmtrace_event *event,
    const struct dmtrace_thread *thread, const struct dmtrace_method *method,
    bool modulo);

/* The same for count events of a batch of source, from keep[first] on, whose
 * columns are filled but for flags. Returns how many were appended. */
size_t
dmt_v2_write(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first, size_t count, bool modulo);

/* Writes the events that wait, as a block. */
void
dmt_v2_end_block(struct dmt_output *output, struct dmt_v2_writing *v2);

/* Announces all threads and methods of a key before any event, in their order,
 * each row of a method; the last one then counts. false: a line is too long
 * for a packet. */
bool
dmt_v2_announce_all(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_key *key);

/* Announces the method of an id again before its next event. */
void
dmt_v2_forget(struct dmt_v2_writing *v2, uint64_t id);

/* The last block, what of the key was not announced, and the summary. */
void
dmt_v2_write_end(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_key *key);

#endif
