/* stream_write.c - writes ART streams: packets and records */

/*
 * A stream has a packet for each thread and method before its first record,
 * and a summary at its end. A batch is written in runs of events that need no
 * packet; except at the beginning, that is the whole batch. A method id that
 * was redefined is announced again where its row changes, and a thread where
 * its name does. Threads and methods without a row in the key are not
 * announced.
 */

#include "trace/stream_write.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "data/stream_encode.h"
#include "format/header.h"
#include "key/key.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/put.h"
#include "trace/batch_write.h"

struct stream_writing {
	struct dmt_writing writing;
	uint8_t threads[(UINT16_MAX + 1) / 8];	/* those announced: a bit for
						   each number */
};

/* false: the text is too long for a packet. */
static bool
put_packet(struct dmt_output *output, enum dmt_packet_kind kind,
    uint16_t thread, const void *text, size_t text_len)
{
	const struct dmt_packet packet = {
		.kind = kind, .thread = thread, .text_len = text_len
	};
	uint8_t head[DMT_PACKET_HEAD_MAX];
	const size_t len = dmt_packet_head_encode(head, &packet);

	if (len == 0)
		return false;
	dmt_output_write(output, head, len);
	dmt_output_write(output, text, text_len);
	return true;
}

/* Writes the line of a row that was added to the key, without its line end. */
static void
put_new_line(struct dmt_output *out, const struct dmtrace_method *method)
{
	const struct dmtrace_text columns[] = {
		method->class_name, method->name, method->signature,
		method->file
	};

	dmt_put_format(out, "0x%" PRIx64, method->id);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		dmt_put(out, "\t");
		dmt_output_write(out, columns[i].bytes, columns[i].len);
	}
}

void
dmt_put_method_line(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmtrace_method *method, bool tabs)
{
	const struct dmtrace_text line = dmt_key_method_line(key,
	    (size_t)(method - dmtrace_key_method_get(key, 0)));

	if (line.bytes == NULL || (tabs && !dmt_text_holds(line, '\t')))
		put_new_line(out, method);
	else
		dmt_output_write(out, line.bytes, line.len);
	if (out->len > 0 && out->bytes[out->len - 1] == '\r')
		dmt_output_truncate(out, out->len - 1);
	dmt_put(out, "\n");
}

/* Announces a method that has a row. false: its line is too long for a
 * packet. */
static bool
put_method(struct dmt_output *output, const struct dmtrace_key *key,
    const struct dmtrace_method *method)
{
	struct dmt_output line = { 0 };
	bool fits = true;

	dmt_put_method_line(&line, key, method, false);
	if (dmt_output_failed(&line))
		dmt_error_memory(&output->error);
	else
		fits = put_packet(output, DMT_PACKET_METHOD, 0, line.bytes,
		    line.len);
	dmt_output_fini(&line);
	return fits;
}

static bool
is_announced(const struct stream_writing *self, uint32_t number)
{
	return number <= UINT16_MAX &&
	    (self->threads[number / 8] >> number % 8 & 1) != 0;
}

/* Writes the packets that precede the record of one event. false: a name is
 * too long for a packet, or the thread number is the one that marks
 * packets. */
static bool
announce_event(struct stream_writing *self, struct dmt_output *output,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at)
{
	const struct dmtrace_key *const key = source->key;
	const struct dmt_indexed_method *const method =
	    &source->indexes->methods[batch->method[at]];
	const uint32_t number =
	    source->indexes->threads[batch->thread[at]].number;
	struct dmt_announced *const methods = &self->writing.methods;
	const uint32_t row = dmt_method_row(dmtrace_key_method_get(key, 0),
	    method->row);

	if (number == 0 || number > UINT16_MAX)
		return false;
	if (!dmt_is_announced(methods, method->id, row)) {
		if (method->row != NULL &&
		    !put_method(output, key, method->row))
			return false;
		if (!dmt_note_announced(methods, method->id, row))
			dmt_error_memory(&output->error);
	}
	const struct dmtrace_thread *const name = dmt_writing_new_name(
	    &self->writing, source, batch, at, is_announced(self, number));
	self->threads[number / 8] |= (uint8_t)(1u << number % 8);
	if (!dmt_writing_note_name(&self->writing, source, batch, at))
		dmt_error_memory(&output->error);
	return name == NULL || put_packet(output, DMT_PACKET_THREAD,
	    (uint16_t)number, name->name.bytes, name->name.len);
}

static bool
announce_stream(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_key *key)
{
	struct stream_writing *const self = (struct stream_writing *)writing;
	bool fits = true;

	for (size_t i = 0; i < dmtrace_key_thread_count(key) && fits; i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);
		const uint32_t number = row->id & UINT16_MAX;

		if (number == 0 || is_announced(self, number))
			continue;
		self->threads[number / 8] |= (uint8_t)(1u << number % 8);
		fits = put_packet(output, DMT_PACKET_THREAD, (uint16_t)number,
		    row->name.bytes, row->name.len);
	}
	for (size_t i = 0; i < dmtrace_key_method_count(key) && fits; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);
		fits = put_method(output, key, row);
		if (!dmt_note_announced(&writing->methods,
		    row->id & ~UINT64_C(3), dmt_method_row(
		    dmtrace_key_method_get(key, 0), row)))
			dmt_error_memory(&output->error);
	}
	return fits;
}

static size_t
put_in_stream(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first, size_t count)
{
	struct stream_writing *const self = (struct stream_writing *)writing;
	const struct dmt_indexes *const indexes = source->indexes;
	const struct dmtrace_method *const rows =
	    dmtrace_key_method_get(source->key, 0);
	size_t done = 0;		/* number of events written so far */

	for (size_t i = 0; i < count; i++) {
		const size_t at = batch->keep[first + i];
		const struct dmt_indexed_thread *const thread =
		    &indexes->threads[batch->thread[at]];
		const struct dmt_indexed_method *const method =
		    &indexes->methods[batch->method[at]];

		if (is_announced(self, thread->number) &&
		    dmt_is_announced(&writing->methods, method->id,
		    dmt_method_row(rows, method->row)) &&
		    (batch->names == NULL || dmt_writing_new_name(writing,
		    source, batch, at, true) == NULL))
			continue;
		done += dmt_batch_write(writing, output, source, batch,
		    first + done, i - done);
		if (done < i ||
		    !announce_event(self, output, source, batch, at))
			return done;
	}
	return done + dmt_batch_write(writing, output, source, batch,
	    first + done, count - done);
}

static bool
is_unannounced(void *context, const struct dmtrace_method *method)
{
	return !dmt_has_announced(context, method->id & ~UINT64_C(3));
}

/* Else it is the packets that precede the record. */
static const char *
stream_misfit(const struct dmt_writing *writing,
    const struct dmtrace_event *event)
{
	(void)writing;
	return event->thread < dmt_dialect_stream.first_thread ?
	    "a stream has no thread 0" : DMT_PACKET_MISFIT;
}

/* The last packet: the key, without the methods that were announced. */
static void
end_stream(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_key *key)
{
	const struct dmt_key_part summary =
	    { .method = is_unannounced, .context = &writing->methods };
	struct dmt_output text = { 0 };

	dmt_key_put(&text, key, &summary);
	if (dmt_output_failed(&text))
		dmt_error_memory(&output->error);
	else if (!put_packet(output, DMT_PACKET_SUMMARY, 0, text.bytes,
	    text.len))
		dmt_error_set(&output->error, DMTRACE_ERR_RANGE,
		    "the summary of the stream is longer than 4 GiB");
	dmt_output_fini(&text);
}

static struct dmt_writing *
new_stream_writing(const struct dmt_trace_format *format)
{
	struct stream_writing *const self = calloc(1, sizeof(*self));

	(void)format;
	return self == NULL ? NULL : &self->writing;
}

static void
free_stream_writing(struct dmt_writing *writing)
{
	free(writing);
}

const struct dmt_dialect dmt_dialect_stream = {
	.title = "ART streaming",
	.packets = true,
	.has_records = true,
	.first_thread = 1,		/* 0 marks packets */
	.no_lines = true,
	.columns = DMT_COLUMN_THREAD | DMT_COLUMN_METHOD,
	.start_at = DMT_HEADER_START,
	.writing_new = new_stream_writing,
	.writing_free = free_stream_writing,
	.begin = dmt_batch_write_header,
	.put = put_in_stream,
	.misfit = stream_misfit,
	.flush = dmt_batch_write_flush,
	.end = end_stream,
	.event_max = dmt_batch_event_max,
	.announce = announce_stream
};
