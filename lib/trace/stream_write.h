/* stream_write.h - writes ART streams: packets and records */
#ifndef DMT_TRACE_STREAM_WRITE_H
#define DMT_TRACE_STREAM_WRITE_H

#include "base/output.h"
#include "events/pipeline.h"
#include "trace/batch_write.h"

/* What a stream has announced; zero: nothing. */
struct dmt_announced {
	uint8_t threads[(UINT16_MAX + 1) / 8];	/* a bit for each number */
	struct dmt_idmap methods;	/* by id: its row in the key + 1, or 0
					   without a row */
};

/*
 * Appends count events of a batch, from keep[first] on, whose thread and
 * method columns are filled. Each is preceded by the packets that it needs:
 * the name of its thread, the line of its method. Threads and methods without
 * a row in the key are not announced. Returns how many were appended: less
 * than count if the output has failed, or the next event does not fit in a
 * record of a stream.
 */
size_t
dmt_stream_write(struct dmt_output *output, struct dmt_announced *announced,
    const struct dmt_batch_form *form, const struct dmtrace_source *source,
    const struct dmt_batch *batch, size_t first, size_t count);

/* Writes the packets that precede the record of one event. false: a name is
 * too long for a packet, or the thread number is the one that marks
 * packets. */
bool
dmt_stream_announce(struct dmt_output *output,
    struct dmt_announced *announced, const struct dmtrace_key *key,
    uint32_t number, const struct dmtrace_thread *thread,
    uint64_t id, const struct dmtrace_method *method);

/* Announces all threads and methods of a key in order, before any event: each
 * thread by its first row, each method by every row, of which the last one
 * counts. false: a line is too long for a packet. */
bool
dmt_stream_announce_all(struct dmt_output *output,
    struct dmt_announced *announced, const struct dmtrace_key *key);

/* Makes the method of an id be announced again before its next event. */
void
dmt_stream_forget(struct dmt_announced *announced, uint64_t id);

/* Returns the line of a method for its packet, with its line end. tabs: a line
 * without TABs is written anew from the columns of its row. To be freed; NULL:
 * no memory. */
uint8_t *
dmt_method_packet_line(const struct dmtrace_key *key,
    const struct dmtrace_method *row, bool tabs, size_t *len);

/* Writes the last packet: the key, without the methods that were announced. */
void
dmt_stream_write_summary(struct dmt_output *output,
    const struct dmt_announced *announced, const struct dmtrace_key *key);

void
dmt_announced_fini(struct dmt_announced *announced);

#endif
