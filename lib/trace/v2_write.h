/* v2_write.h - writes ART trace format V2: packets and blocks of events */
#ifndef DMT_TRACE_V2_WRITE_H
#define DMT_TRACE_V2_WRITE_H

#include "base/output.h"
#include "data/v2.h"
#include "events/pipeline.h"

struct dmt_v2_writing;

/* start is the start in the header, in the unit of the stage. NULL: no
 * memory. */
struct dmt_v2_writing *
dmt_v2_writing_new(const struct dmt_v2_form *form, uint64_t start);
void
dmt_v2_writing_free(struct dmt_v2_writing *v2);

/* Writes the 32-byte header. version is 4, 5, 0xF4 or 0xF5. */
void
dmt_v2_write_header(struct dmt_output *output, const struct dmt_v2_writing *v2,
    unsigned version);

/* Converts a start time to the unit of the stage's header; if it does not fit,
 * to the highest value. */
uint64_t
dmt_v2_start(const struct dmt_v2_form *form, uint64_t start_us);

/*
 * Appends an event after the packets that it needs, if key has rows for them:
 * the names of its thread, the line of its method. modulo: times of stages B
 * and C are stored modulo 2^32 us. false: the event does not fit the stage, or
 * a name is too long for a packet. Failures of output are stored there.
 */
bool
dmt_v2_write_event(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_key *key, const struct dmtrace_event *event,
    const struct dmtrace_thread *thread, const struct dmtrace_method *method,
    bool modulo);

/* The same for count events of a batch of source, from keep[first] on; all
 * columns but flags are filled. Returns how many were appended. */
size_t
dmt_v2_write(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first, size_t count, bool modulo);

/* Writes the collected events as a block. */
void
dmt_v2_end_block(struct dmt_output *output, struct dmt_v2_writing *v2);

/* Announces all threads and methods of a key in order, before any event; a
 * method with every row, of which the last one counts. false: a line is too
 * long for a packet. */
bool
dmt_v2_announce_all(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_key *key);

/* Makes the method of an id be announced again before its next event. */
void
dmt_v2_forget(struct dmt_v2_writing *v2, uint64_t id);

/* Writes the last block, the rows of the key that were not announced, and the
 * summary. */
void
dmt_v2_write_end(struct dmt_output *output, struct dmt_v2_writing *v2,
    const struct dmtrace_key *key);

#endif
