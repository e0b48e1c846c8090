/* writer_write.c - writes a trace: key, header, records, the end */

/*
 * In a joined trace the key comes first, but it may change until the writer is
 * completed. So records are stored in a spool, and copied when key and header
 * are written. The data of a pair is a separate file, whose header and records
 * are written at once. In a stream or trace format V2, packets with the
 * definitions of threads and methods precede their first records, and the key,
 * as the summary, comes last.
 *
 * A writer that is like a reader copies the bytes around the records, and in
 * batches also the raw records (batch_write.c). Events that were read one by
 * one have lost the bytes that belong to no field: these are looked up in the
 * reader's last records. Files get their final names at close, when everything
 * is written.
 */

#include "trace/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/header_encode.h"
#include "data/record_encode.h"
#include "format/header.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/batch_write.h"
#include "trace/reader.h"
#include "trace/v2_read.h"

static void
put_key(struct dmtrace_writer *writer)
{
	struct dmt_output *output = writer->pair ? &writer->key_output :
	    &writer->output;
	const size_t len = dmt_key_encoded_size(writer->key);
	uint8_t *bytes = dmt_array_new(len, 1);

	if (bytes == NULL) {
		dmt_error_memory(&output->error);
		return;
	}
	dmt_key_encode(writer->key, bytes, len);
	dmt_output_write(output, bytes, len);
	/* A key that had a file of its own may lack its last LF. */
	if (!writer->pair && writer->like != NULL &&
	    writer->like->container == DMTRACE_CONTAINER_PAIR &&
	    bytes[len - 1] != '\n')
		dmt_output_write(output, "\n", 1);
	if (writer->like != NULL)
		dmt_output_write(output, writer->like->gap,
		    writer->like->gap_in_key);
	free(bytes);
}

/* Writes the header of the other trace unchanged, except for the start if that
 * was set. */
static void
put_like(struct dmtrace_writer *writer, const struct dmtrace_reader *like)
{
	const size_t before =
	    writer->v2 != NULL ? DMT_V2_START : DMT_HEADER_START;
	const size_t after = before + sizeof(writer->header.start);
	uint8_t start[sizeof(writer->header.start)];

	if (!writer->restarts || like->header.data_offset == 0) {
		dmt_output_write(&writer->output, like->header_bytes,
		    like->header.data_offset);
		return;
	}
	dmt_put_le64(start, writer->v2 == NULL ? writer->header.start :
	    dmt_v2_start(dmt_v2_reading_form(like->v2),
	    writer->header.start));
	dmt_output_write(&writer->output, like->header_bytes, before);
	dmt_output_write(&writer->output, start, sizeof(start));
	dmt_output_write(&writer->output, like->header_bytes + after,
	    like->header.data_offset - after);
}

void
dmt_writer_put_header(struct dmtrace_writer *writer)
{
	const struct dmtrace_reader *like = writer->like;
	uint8_t bytes[DMT_HEADER_SIZE];

	if (like != NULL) {
		dmt_output_write(&writer->output, like->gap + like->gap_in_key,
		    like->gap_in_data);
		put_like(writer, like);
	} else if (writer->v2 != NULL) {
		dmt_v2_write_header(&writer->output, writer->v2,
		    writer->header.version);
	} else {
		dmt_header_encode(bytes, sizeof(bytes), &writer->header);
		dmt_output_write(&writer->output, bytes, sizeof(bytes));
	}
}

/* Returns where records go: the spool until the key is written. */
static struct dmt_output *
records_sink(struct dmtrace_writer *writer)
{
	if (writer->pair || writer->stream ||
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
	const enum dmtrace_clock clock = writer->layout.clock;
	const struct dmt_layout *const named = dmt_layout_find(
	    writer->layout.version, dmt_key_clock(writer->key));

	return writer->like != NULL || writer->v2 != NULL ||
	    (named != NULL && named->clock == clock) ||
	    dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
	    "option clock does not match the records, whose clock is \"%s\";"
	    " dmtrace_writer_set_layout sets both",
	    dmtrace_clock_name(clock)) == DMTRACE_OK;
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
	if (writer->stream)
		return DMTRACE_OK;	/* the key comes last, and may change */
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

/*
 * Fills in the padding of count encoded records from the raw records of the
 * like reader's last read. The raw record with the same fields is searched
 * after the one found before. A record without one keeps its zeros.
 */
static void
put_rest(struct dmtrace_writer *writer, uint8_t *out, size_t count)
{
	const struct dmtrace_reader *reader = writer->like;
	const size_t size = writer->layout.record_size;
	const size_t held = dmt_layout_fields_size(&writer->layout);

	if (reader == NULL || held == size)
		return;
	if (writer->rest_read != reader->position) {
		writer->rest_read = reader->position;
		writer->rest_next = 0;
	}
	for (; count > 0; count--, out += size) {
		size_t at = writer->rest_next;

		while (at < reader->records_len &&
		    memcmp(out, reader->records + at, held) != 0)
			at += size;
		if (at == reader->records_len)
			continue;
		memcpy(out, reader->records + at, size);
		writer->rest_next = at + size;
	}
}

/* Encodes events block by block, to write them, or only to see if they fit.
 * Returns how many did. */
static size_t
encode_events(struct dmtrace_writer *writer, const struct dmtrace_event *events,
    size_t count, bool keep)
{
	struct dmt_output *output = records_sink(writer);
	const size_t size = writer->layout.record_size;
	const size_t most = DMT_BLOCK_SIZE / size;
	size_t done = 0;

	while (done < count) {
		const size_t n = count - done < most ? count - done : most;
		uint8_t *out = dmt_output_reserve(output, n * size);
		if (out == NULL)
			break;
		const size_t fit = dmt_records_encode(out, &writer->layout,
		    events + done, n, writer->like != NULL);
		done += fit;
		if (fit < n)
			break;
		if (!keep)
			continue;
		put_rest(writer, out, n);
		dmt_output_advance(output, n * size);
	}
	return done;
}

/* Writes the events of a stream, each after the packets that it needs. */
static size_t
encode_stream(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count)
{
	const struct dmtrace_key *const key = writer->key;
	struct dmt_output *const output = &writer->output;
	size_t done = 0;

	for (; done < count; done++) {
		const struct dmtrace_event *const event = &events[done];
		const struct dmtrace_thread *const thread =
		    dmt_key_thread_match(key, &writer->layout,
		    event->thread);
		const struct dmtrace_method *const method =
		    dmtrace_key_method_find(key, event->method);

		if (writer->v2 != NULL ? !dmt_v2_write_event(output,
		    writer->v2, key, event, thread, method,
		    writer->like != NULL) :
		    !dmt_stream_announce(output, &writer->announced, key,
		    event->thread, thread, event->method, method) ||
		    encode_events(writer, event, 1, true) != 1)
			break;
	}
	return done;
}

static enum dmtrace_status
refuse_event(struct dmtrace_writer *writer, const struct dmtrace_event *event,
    size_t index)
{
	if (dmt_writer_check(writer) != DMTRACE_OK)
		return writer->error.status;
	const char *const why = dmt_record_misfit(&writer->layout, event,
	    writer->like != NULL);
	return dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
	    "event %zu of the batch (thread %" PRIu32 ", method 0x%" PRIx64
	    ") does not fit a record of version %u%s%s", index, event->thread,
	    event->method, writer->layout.version, why == NULL ? "" : ": ",
	    why == NULL ? "" : why);
}

enum dmtrace_status
dmtrace_writer_write(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (events == NULL && count > 0)
		return dmt_writer_refuse(writer, __func__, true);
	const size_t size = writer->layout.record_size;
	const enum dmtrace_status status = check_state(writer, __func__);
	size_t fit = count;

	if (status != DMTRACE_OK)
		return status;
	if (writer->stream) {
		fit = encode_stream(writer, events, count);
		return fit == count ? dmt_writer_check(writer) :
		    refuse_event(writer, &events[fit], fit);
	}
	if (count > DMT_BLOCK_SIZE / size)
		fit = encode_events(writer, events, count, false);
	if (fit == count)
		fit = encode_events(writer, events, count, true);
	return fit == count ? dmt_writer_check(writer) :
	    refuse_event(writer, &events[fit], fit);
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
	if (dmtrace_key_thread_find(writer->key, thread) == NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
		    "%s: no thread %" PRIu32 " was added", call, thread);
	if (dmtrace_key_method_find(writer->key, method) == NULL)
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
dmt_writer_write_records(struct dmtrace_writer *writer,
    const uint8_t *records, size_t count)
{
	const enum dmtrace_status status = check_state(writer, __func__);

	if (status != DMTRACE_OK)
		return status;
	for (size_t i = 0; writer->stream && i < count; i++) {
		struct dmtrace_event event;

		dmt_record_decode(&event, &writer->layout,
		    records + i * writer->layout.record_size,
		    writer->layout.record_size);
		if (encode_stream(writer, &event, 1) != 1)
			return refuse_event(writer, &event, i);
	}
	if (writer->stream)
		return dmt_writer_check(writer);
	dmt_output_write(records_sink(writer), records,
	    count * writer->layout.record_size);
	return dmt_writer_check(writer);
}

enum dmtrace_status
dmt_writer_put(struct dmtrace_writer *writer,
    const struct dmtrace_source *source, const struct dmt_batch *batch)
{
	const struct dmt_batch_form form = {
		.layout = &writer->layout,
		.indexes = source->indexes,
		.like = writer->like != NULL,
		.changes = source->changes
	};
	const enum dmtrace_status status = check_state(writer, __func__);

	if (status != DMTRACE_OK)
		return status;
	const size_t done = writer->v2 != NULL ?
	    dmt_v2_write(&writer->output, writer->v2, source, batch, 0,
	    batch->kept, writer->like != NULL) : writer->stream ?
	    dmt_stream_write(&writer->output, &writer->announced, &form,
	    source, batch, 0, batch->kept) :
	    dmt_batch_write(records_sink(writer), &form, batch, 0,
	    batch->kept);

	/* If the output has failed, the next event may be incomplete. */
	if (dmt_writer_check(writer) != DMTRACE_OK || done == batch->kept)
		return writer->error.status;
	struct dmtrace_event event;
	dmt_batch_get(&event, batch, batch->keep[done], source);
	return refuse_event(writer, &event, done);
}

enum dmtrace_status
dmt_writer_copy_stream(struct dmtrace_writer *writer,
    struct dmtrace_reader *reader)
{
	struct dmt_input *const input = reader->input;

	writer->whole = true;
	dmt_input_rewind(input, reader->begins_at);
	dmt_output_copy(&writer->output, input);
	if (input->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	return dmt_writer_check(writer);
}

/* Writes what follows the last record, then renames the temporaries to their
 * final names, the data first. If the key cannot be renamed, the data is
 * removed again; a file that it replaced is lost. */
static enum dmtrace_status
finish_writer(struct dmtrace_writer *writer)
{
	if (writer->v2 != NULL && !writer->whole)
		dmt_v2_write_end(&writer->output, writer->v2, writer->key);
	else if (writer->stream && !writer->whole)
		dmt_stream_write_summary(&writer->output,
		    &writer->announced, writer->key);
	if (writer->like != NULL) {
		const uint8_t *bytes;
		const size_t len = dmt_reader_tail(writer->like, &bytes);

		dmt_output_write(&writer->output, bytes, len);
	}
	dmt_output_finish(&writer->output);
	dmt_output_finish(&writer->key_output);
	if (dmt_writer_check(writer) != DMTRACE_OK)
		return writer->error.status;
	if (dmt_output_publish(&writer->output) == DMTRACE_OK &&
	    dmt_output_publish(&writer->key_output) != DMTRACE_OK)
		dmt_output_withdraw(&writer->output);
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
