/* stream_write.h - what a stream announces before its records */
#ifndef DMT_TRACE_STREAM_WRITE_H
#define DMT_TRACE_STREAM_WRITE_H

#include "base/output.h"
#include "events/pipeline.h"
#include "trace/batch_write.h"

/* Zero is one that has announced nothing. */
struct dmt_announced {
	uint8_t threads[(UINT16_MAX + 1) / 8];	/* a bit for each number */
	struct dmt_idmap methods;	/* by id: its row in the key + 1, 0 if
					   it has none */
};

/*
 * Appends count events of a batch of source, from keep[first] on, whose
 * threads and methods are filled, each after the packets that it needs: the
 * name of its thread, the line of its method. What no row of the key lists is
 * not announced. Returns how many: less than count if the output has failed,
 * or the next event does not fit a record of a stream.
 */
size_t
dmt_stream_write(struct dmt_output *output, struct dmt_announced *announced,
    const struct dmt_batch_form *form, const struct dmtrace_source *source,
    const struct dmt_batch *batch, size_t first, size_t count);

/* The same for one event, whose record follows. false: a name is too long for
 * a packet, or the number of the thread marks one. */
bool
dmt_stream_announce(struct dmt_output *output,
    struct dmt_announced *announced, const struct dmtrace_key *key,
    uint32_t number, const struct dmtrace_thread *thread,
    uint64_t id, const struct dmtrace_method *method);

/* Announces all threads and methods of a key before any event, in their order:
 * of a thread its first row, of a method each row, the last of which then
 * counts. false: a line is too long for a packet. */
bool
dmt_stream_announce_all(struct dmt_output *output,
    struct dmt_announced *announced, const struct dmtrace_key *key);

/* Announces the method of an id again before its next event. */
void
dmt_stream_forget(struct dmt_announced *announced, uint64_t id);

/* The line of a method for its packet, with its line end; tabs: one without
 * TABs is made anew from the columns of its row. To be freed; NULL: no
 * memory. */
uint8_t *
dmt_method_packet_line(const struct dmtrace_key *key,
    const struct dmtrace_method *row, bool tabs, size_t *len);

/* The last packet: the key, without the methods that were announced. */
void
dmt_stream_write_summary(struct dmt_output *output,
    const struct dmt_announced *announced, const struct dmtrace_key *key);

void
dmt_announced_fini(struct dmt_announced *announced);

#endif
