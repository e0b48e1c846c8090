/* writer_write.c - writes a trace: key, header, records, the end */

/*
 * In a joined trace the key comes first, but it may change until the writer is
 * completed. So records are stored in a spool, and copied when key and header
 * are written. The data of a pair is a separate file, whose header and records
 * are written at once. In a stream or trace format V2, packets with the
 * definitions of threads and methods precede their first records, and the key,
 * as the summary, comes last.
 *
 * Events are written in batches, into which the calls that take events make
 * them. A writer that is like a reader copies the bytes around the records, and
 * the raw records of batches (batch_write.c); events that were read one by one
 * have lost the bytes that belong to no field. Files get their final names at
 * close, when everything is written.
 */

#include "trace/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "data/header_encode.h"
#include "data/record_encode.h"
#include "format/header.h"
#include "key/key.h"
#include "private/key.h"
#include "private/put.h"
#include "trace/batch_write.h"
#include "trace/writer_strict.h"

static void
put_key(struct dmtrace_writer *writer)
{
	struct dmt_output *output = writer->pair ? &writer->key_output :
	    &writer->output;
	struct dmt_output text = { 0 };

	dmt_key_put(&text, writer->key, NULL);
	/* A key that had a file of its own may lack its last LF. */
	if (!writer->pair && writer->like.key_file &&
	    !dmt_output_failed(&text) && text.bytes[text.len - 1] != '\n')
		dmt_put(&text, "\n");
	dmt_put_output(output, &text);
	dmt_output_write(output, writer->like.gap, writer->like.gap_in_key);
	dmt_output_fini(&text);
}

/* Writes the header of the other trace, unchanged except for the start if that
 * was set, and for the mark of a stage if events are written anew. */
static void
put_like(struct dmtrace_writer *writer, const struct dmt_like *like)
{
	const struct dmt_trace_format *const format = &writer->writing->format;
	uint8_t *const out = like->header_len == 0 ? NULL :
	    dmt_output_reserve(&writer->output, like->header_len);

	if (writer->restarts && format->headless)
		dmt_error_set(&writer->error, DMTRACE_ERR_UNSUPPORTED,
		    "there is no header, and so no start time, in a dump of"
		    " long-running methods");
	else if (writer->restarts && format->ns &&
	    writer->start > UINT64_MAX / 1000)
		dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
		    "the start time is stored in nanoseconds: %" PRIu64
		    " us do not fit", writer->start);
	if (out == NULL)
		return;
	memcpy(out, like->header, like->header_len);
	if (writer->restarts)
		dmt_put_le64(out + format->dialect->start_at,
		    dmt_format_start(format, writer->start, 0));
	if (format->dialect->mark != NULL && !writer->whole &&
	    !format->headless)
		format->dialect->mark(format, out);
	dmt_output_advance(&writer->output, like->header_len);
}

void
dmt_writer_put_header(struct dmtrace_writer *writer)
{
	const struct dmt_like *const like = &writer->like;
	struct dmt_writing *const writing = writer->writing;

	writer->header_waits = false;
	if (like->reader != NULL) {
		dmt_output_write(&writer->output, like->gap + like->gap_in_key,
		    like->gap_in_data);
		put_like(writer, like);
	} else {
		writing->format.dialect->begin(writing, &writer->output,
		    dmt_format_start(&writing->format, writer->start,
		    writer->start_rest_ns));
	}
}

/* Returns where records go: the spool until the key is written. */
static struct dmt_output *
records_sink(struct dmtrace_writer *writer)
{
	if (writer->pair || dmt_writer_key_is_last(writer) ||
	    writer->state == DMT_WRITER_COMPLETE)
		return &writer->output;
	if (!writer->waits && writer->output.call.write != NULL)
		dmt_spool_open(&writer->waiting, writer->output.target);
	writer->waits = true;
	return &writer->waiting.output;
}

/* Copies the records from the spool, after the header was written. */
static void
put_waiting(struct dmtrace_writer *writer)
{
	struct dmt_spool *const waiting = &writer->waiting;

	if (!writer->waits || dmt_spool_finish(waiting) != DMTRACE_OK)
		return;
	for (uint64_t at = 0; at < dmt_spool_len(waiting);) {
		const uint64_t left = dmt_spool_len(waiting) - at;
		const size_t len = left < DMT_BLOCK_SIZE ? (size_t)left :
		    DMT_BLOCK_SIZE;
		uint8_t *const out = dmt_output_reserve(&writer->output, len);

		if (out == NULL ||
		    dmt_spool_read(waiting, at, out, len) != DMTRACE_OK)
			break;
		dmt_output_advance(&writer->output, len);
		at += len;
	}
	dmt_writer_check(writer);
	dmt_spool_fini(waiting);
}

/* false: a caller has named another clock in the key than that of the records,
 * which dmtrace_writer_set_layout chooses. */
static bool
check_clock(struct dmtrace_writer *writer)
{
	const struct dmt_layout *const layout = dmt_writer_layout(writer);

	if (writer->like.reader != NULL ||
	    dmt_layout_has_clock(layout, dmt_key_clock(writer->key)))
		return true;
	dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
	    "option clock does not match the records, whose clock is \"%s\";"
	    " dmtrace_writer_set_layout sets both",
	    dmtrace_clock_name(layout->clock));
	return false;
}

enum dmtrace_status
dmtrace_writer_complete(struct dmtrace_writer *writer)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (writer->state != DMT_WRITER_OPEN)
		return dmt_writer_refuse(writer, __func__, false);
	if (dmt_writer_check(writer) != DMTRACE_OK || !check_clock(writer))
		return writer->error.status;
	writer->state = DMT_WRITER_COMPLETE;
	if (dmt_writer_key_is_last(writer))
		return DMTRACE_OK;	/* the key may change until then */
	dmt_key_set_complete(writer->key);
	put_key(writer);
	if (!writer->pair) {
		dmt_writer_put_header(writer);
		put_waiting(writer);
	}
	return dmt_writer_check(writer);
}

/* Checks if the call may write records; if not, returns the status to
 * return. */
static enum dmtrace_status
check_state(struct dmtrace_writer *writer, const char *call)
{
	if (writer->state != DMT_WRITER_OPEN &&
	    writer->state != DMT_WRITER_COMPLETE)
		return dmt_writer_refuse(writer, call, false);
	return dmt_writer_check(writer);
}

static enum dmtrace_status
refuse_event(struct dmtrace_writer *writer, const struct dmtrace_event *event,
    size_t index)
{
	if (dmt_writer_check(writer) != DMTRACE_OK)
		return writer->error.status;
	const struct dmt_layout *const layout = dmt_writer_layout(writer);
	const struct dmt_dialect *const dialect =
	    writer->writing->format.dialect;
	const char *why = dmt_record_misfit(layout, event,
	    writer->writing->modulo);

	if (why == NULL && dialect->misfit != NULL)
		why = dialect->misfit(writer->writing, event);
	return dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
	    "event %zu of the batch (thread %" PRIu32 ", method 0x%" PRIx64
	    ") does not fit a record of version %u%s%s", index, event->thread,
	    event->method, layout->version, why == NULL ? "" : ": ",
	    why == NULL ? "" : why);
}

/* Writes the events of a batch, which are those from index first on that the
 * caller has given. */
static enum dmtrace_status
put_events_batch(struct dmtrace_writer *writer,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first)
{
	struct dmt_writing *const writing = writer->writing;

	if (writer->header_waits)
		dmt_writer_put_header(writer);
	const size_t done = writing->format.dialect->put(writing,
	    records_sink(writer), source, batch, 0, batch->kept);

	/* If the output has failed, the next event may be incomplete. */
	if (dmt_writer_check(writer) != DMTRACE_OK || done == batch->kept)
		return writer->error.status;
	struct dmtrace_event event;
	dmt_batch_get(&event, batch, batch->keep[done], source);
	return refuse_event(writer, &event, first + done);
}

/* Makes a batch of count events. Each has an index of its own, as only packets
 * need to know which threads and methods are the same. */
static void
batch_events(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count)
{
	struct dmt_written *const written = writer->written;
	struct dmt_batch *const batch = &written->batch;
	const struct dmt_layout *const layout = dmt_writer_layout(writer);
	const struct dmtrace_key *const key =
	    dmt_writer_key_is_last(writer) ? writer->key : NULL;

	written->source.key = writer->key;
	written->source.layout = layout;
	dmt_batch_begin(batch, count);
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_event *const event = &events[i];

		written->threads[i] = (struct dmt_indexed_thread){
			event->thread, key == NULL ? NULL :
			    dmt_key_thread_match(key, layout, event->thread)
		};
		written->methods[i] = (struct dmt_indexed_method){
			event->method & ~UINT64_C(3), key == NULL ? NULL :
			    dmtrace_key_method_find(key, event->method)
		};
		batch->thread[i] = (uint32_t)i;
		batch->method[i] = (uint32_t)i;
		batch->action[i] = (uint8_t)event->action;
		batch->cpu_ns[i] = event->cpu_ns;
		batch->wall_ns[i] = event->wall_ns;
	}
}

enum dmtrace_status
dmtrace_writer_write(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (events == NULL && count > 0)
		return dmt_writer_refuse(writer, __func__, true);
	enum dmtrace_status status = check_state(writer, __func__);

	if (status != DMTRACE_OK)
		return status;
	const size_t fit = dmt_records_fit(dmt_writer_layout(writer), events,
	    count, writer->writing->modulo);
	if (fit < count)
		return refuse_event(writer, &events[fit], fit);
	for (size_t i = 0; i < count && writer->strict != NULL; i++)
		if (dmt_strict_check(writer->strict, writer, &events[i]) !=
		    DMTRACE_OK)
			return writer->error.status;
	if (writer->written == NULL) {
		struct dmt_written *const written =
		    calloc(1, sizeof(*written));

		if (written == NULL)
			return dmt_error_memory(&writer->error);
		written->indexes.threads = written->threads;
		written->indexes.methods = written->methods;
		written->source.indexes = &written->indexes;
		writer->written = written;
	}
	for (size_t done = 0; done < count && status == DMTRACE_OK;) {
		const size_t some = count - done < DMT_BATCH_EVENTS ?
		    count - done : DMT_BATCH_EVENTS;

		batch_events(writer, events + done, some);
		status = put_events_batch(writer, &writer->written->source,
		    &writer->written->batch, done);
		done += some;
	}
	return status;
}

static enum dmtrace_status
write_one(struct dmtrace_writer *writer, uint32_t thread, uint64_t method,
    uint64_t time_ns, enum dmtrace_action action, const char *call)
{
	const struct dmtrace_event event = {
		method, time_ns, time_ns, thread, action
	};

	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	const enum dmtrace_status status = check_state(writer, call);
	if (status != DMTRACE_OK)
		return status;
	/* A strict writer refuses both with a status of its own. */
	const bool strict = writer->strict != NULL;
	if (!strict && dmtrace_key_thread_find(writer->key, thread) == NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
		    "%s: no thread %" PRIu32 " was added", call, thread);
	if (!strict && dmtrace_key_method_find(writer->key, method) == NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
		    "%s: no method 0x%" PRIx64 " was added", call, method);
	return dmtrace_writer_write(writer, &event, 1);
}

enum dmtrace_status
dmtrace_writer_enter(struct dmtrace_writer *writer, uint32_t thread,
    uint64_t method, uint64_t time_ns)
{
	return write_one(writer, thread, method, time_ns, DMTRACE_ENTER,
	    __func__);
}

enum dmtrace_status
dmtrace_writer_exit(struct dmtrace_writer *writer, uint32_t thread,
    uint64_t method, uint64_t time_ns)
{
	return write_one(writer, thread, method, time_ns, DMTRACE_EXIT,
	    __func__);
}

enum dmtrace_status
dmt_writer_put(struct dmtrace_writer *writer,
    const struct dmtrace_source *source, const struct dmt_batch *batch)
{
	const enum dmtrace_status status = check_state(writer, __func__);

	return status != DMTRACE_OK ? status :
	    put_events_batch(writer, source, batch, 0);
}

enum dmtrace_status
dmt_writer_put_records(struct dmtrace_writer *writer, const uint8_t *records,
    size_t len)
{
	const enum dmtrace_status status = check_state(writer, __func__);

	if (status != DMTRACE_OK)
		return status;
	dmt_output_write(records_sink(writer), records, len);
	return dmt_writer_check(writer);
}

/* Writes what follows the last record, then gives the files their final
 * names. */
static enum dmtrace_status
finish_writer(struct dmtrace_writer *writer)
{
	struct dmt_writing *const writing = writer->writing;

	if (writer->header_waits)
		dmt_writer_put_header(writer);
	if (!writer->whole)
		writing->format.dialect->end(writing, &writer->output,
		    writer->key);
	if (writer->like.reader != NULL) {
		const uint8_t *bytes;
		const size_t len = writer->like.tail(writer->like.reader,
		    &bytes);

		dmt_output_write(&writer->output, bytes, len);
	}
	dmt_output_finish(&writer->output);
	dmt_output_finish(&writer->key_output);
	if (dmt_writer_check(writer) != DMTRACE_OK)
		return writer->error.status;
	dmt_output_publish_pair(&writer->output, &writer->key_output);
	return dmt_writer_check(writer);
}

enum dmtrace_status
dmtrace_writer_close(struct dmtrace_writer *writer)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (writer->state != DMT_WRITER_OPEN &&
	    writer->state != DMT_WRITER_COMPLETE)
		return dmt_writer_refuse(writer, __func__, false);
	if (writer->state == DMT_WRITER_OPEN)
		dmtrace_writer_complete(writer);
	const enum dmtrace_status status =
	    dmt_writer_check(writer) == DMTRACE_OK ? finish_writer(writer) :
	    writer->error.status;
	writer->state = DMT_WRITER_CLOSED;
	if (status != DMTRACE_OK) {
		dmt_output_fini(&writer->output);
		dmt_output_fini(&writer->key_output);
		dmt_spool_fini(&writer->waiting);
	}
	return status;
}
