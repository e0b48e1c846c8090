/* v2_write.c - writes ART trace format V2: packets and blocks of events */

/*
 * Consecutive events of one thread are collected, until an event of another
 * thread follows or the block is full, and written as a block. So the order of
 * all events is kept, with a block for each switch of threads; ART writes
 * longer blocks, in which events of different threads are out of order. The
 * packet of a thread or a method is written at once, and so precedes the block
 * that needs it. A method id that was redefined is announced again where its
 * changes, and a thread where its name does, after the block with the old
 * meaning. All names of a thread are announced with it, in an order from which
 * a reader gets the same rows.
 *
 * Rows of the key that no event needs are announced at the end. The summary is
 * the key without its tables. Readers take the unit of times from its option
 * elapsed-time-usec or elapsed-time-nsec, so the right one is always written.
 *
 * Perfetto refuses events of a thread that was not announced, so in the stage
 * that it reads a thread without a row is announced by a name that says its
 * number. That stage is marked in the header by a counter that did not start
 * at 0: Perfetto multiplies all times by the counter's rate, in 64 bits. The
 * other stages are marked at the end of the header, as a few records of
 * methods that are not listed can be decoded in each of them.
 */

#include "trace/dialect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/v2_encode.h"
#include "data/v2_stage.h"
#include "key/key.h"
#include "key/number.h"
#include "private/key.h"
#include "trace/stream_write.h"

enum {
	EVENTS_MAX = DMT_BATCH_EVENTS,
	EVENTS_MAX_B = 65535 / DMT_V2_RECORD_MAX,	/* a block's size has
							   16 bits */
	WITHOUT_ROW = 1,	/* how a thread was announced: its row may */
	WITH_ROW = 2		/* be added to the key after its events */
};

struct v2_writing {
	struct dmt_writing writing;
	struct dmt_idmap threads;	/* announced numbers */
	bool renames;			/* the key has several names for */
	bool renames_known;		/* a thread; set once that is known */
	uint64_t last_ns;		/* the highest time so far */
	size_t most;			/* events per block */
	uint8_t first[DMT_V2_DUMP_LOOK];	/* bytes, which show that a */
	size_t first_len;			/* file without a header is a
						   dump */
	struct dmt_v2_encoding block;	/* count 0: none is begun */
	uint8_t packet[DMT_V2_PACKET_MAX];
	uint8_t room[];			/* for a block of most events */
};

static struct dmt_writing *
new_v2_writing(const struct dmt_trace_format *format)
{
	const size_t most = format->blocks.stage == DMT_STAGE_B ?
	    EVENTS_MAX_B : EVENTS_MAX;
	struct v2_writing *const v2 =
	    calloc(1, sizeof(*v2) + dmt_v2_block_room(most));

	if (v2 == NULL)
		return NULL;
	v2->most = most;
	return &v2->writing;
}

static void
free_v2_writing(struct dmt_writing *writing)
{
	struct v2_writing *const v2 = (struct v2_writing *)writing;

	dmt_idmap_fini(&v2->threads);
	free(v2);
}

static void
begin_v2_file(struct dmt_writing *writing, struct dmt_output *output,
    uint64_t start)
{
	const struct dmt_v2_form *const form = &writing->format.blocks;
	const struct dmt_v2_header header = {
		.version = writing->format.version,
		.start = start,
		.tick_hz = form->tick_hz
	};
	uint8_t bytes[DMT_V2_HEADER_SIZE];

	dmt_v2_header_encode(bytes, &header);
	dmt_v2_header_mark(bytes, form);
	dmt_output_write(output, bytes, sizeof(bytes));
}

static void
mark_v2_header(const struct dmt_trace_format *format, uint8_t *header)
{
	dmt_v2_header_mark(header, &format->blocks);
}

static void
put_v2_bytes(struct v2_writing *v2, struct dmt_output *output,
    const uint8_t *bytes, size_t len)
{
	const size_t room = sizeof(v2->first) - v2->first_len;
	const size_t kept = len < room ? len : room;

	memcpy(v2->first + v2->first_len, bytes, kept);
	v2->first_len += kept;
	dmt_output_write(output, bytes, len);
}

/* Writes the collected block, which fits, as each of its events did. */
static void
end_v2_block(struct dmt_writing *writing, struct dmt_output *output)
{
	struct v2_writing *const v2 = (struct v2_writing *)writing;

	if (v2->block.packet.count > 0)
		put_v2_bytes(v2, output, v2->room,
		    dmt_v2_encoding_end(&v2->block));
	v2->block.packet.count = 0;
}

/* false: the text is too long for a packet. */
static bool
put_v2_packet(struct dmt_output *output, struct v2_writing *v2,
    struct dmt_v2_packet packet, const void *text, size_t len)
{
	if (len > UINT16_MAX)
		return false;
	packet.text = text;
	packet.text_len = (uint16_t)len;
	put_v2_bytes(v2, output, v2->packet, dmt_v2_packet_encode(v2->packet,
	    &v2->writing.format.blocks, &packet));
	return true;
}

static bool
put_v2_thread(struct dmt_output *output, struct v2_writing *v2,
    uint32_t number, const struct dmtrace_thread *row)
{
	return put_v2_packet(output, v2, (struct dmt_v2_packet){
	    .type = DMT_V2_THREAD, .thread = number },
	    row->name.bytes, row->name.len);
}

/* Returns true if a thread has several rows, which are its names, the last one
 * first. */
static bool
has_renames(struct v2_writing *v2, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_thread_count(key);

	for (size_t i = 0; i < count && !v2->renames_known; i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);

		v2->renames |= dmtrace_key_thread_find(key, row->id) != row;
	}
	v2->renames_known = true;
	return v2->renames;
}

/* Announces a thread that has no row. */
static void
name_thread(struct dmt_output *output, struct v2_writing *v2, uint32_t number)
{
	struct dmtrace_thread row = { .id = number };
	char name[32];

	snprintf(name, sizeof(name), DMT_UNLISTED_NAME, number);
	row.name = dmt_text_of(name);
	put_v2_thread(output, v2, number, &row);
}

/* Announces all names of a thread; that of its row counts, so it comes last.
 * false: one is too long. */
static bool
announce_thread(struct dmt_output *output, struct v2_writing *v2,
    const struct dmtrace_key *key, uint32_t number,
    const struct dmtrace_thread *thread)
{
	uint32_t *const announced = dmt_idmap_at(&v2->threads, number);
	const uint32_t by = thread == NULL ? WITHOUT_ROW : WITH_ROW;

	if (announced == NULL)
		dmt_error_memory(&output->error);
	if (announced == NULL || *announced >= by)
		return true;
	*announced = by;
	if (thread == NULL) {
		if (v2->writing.format.names_threads)
			name_thread(output, v2, number);
		return true;
	}
	for (size_t i = has_renames(v2, key) ? dmtrace_key_thread_count(key) :
	    0; i > 0; i--) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i - 1);

		if (row->id == thread->id && row != thread &&
		    !put_v2_thread(output, v2, number, row))
			return false;
	}
	return put_v2_thread(output, v2, number, thread);
}

/* If the name of an event's thread is not that which was announced last,
 * announces it, after the collected events. false: it is too long. */
static bool
rename_thread(struct dmt_output *output, struct v2_writing *v2,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at)
{
	struct dmt_writing *const writing = &v2->writing;
	const struct dmtrace_thread *const row =
	    dmt_writing_new_name(writing, source, batch, at, true);

	if (row == NULL)
		return true;
	end_v2_block(writing, output);
	if (!dmt_writing_note_name(writing, source, batch, at))
		dmt_error_memory(&output->error);
	return put_v2_thread(output, v2,
	    source->indexes->threads[batch->thread[at]].number, row);
}

/* The packet has the id, so the line begins after it. */
static bool
put_v2_method(struct dmt_output *output, struct v2_writing *v2,
    const struct dmtrace_key *key, const struct dmtrace_method *row,
    uint64_t id)
{
	struct dmt_output text = { 0 };
	bool fits = true;

	dmt_put_method_line(&text, key, row, true);
	if (dmt_output_failed(&text)) {
		dmt_error_memory(&output->error);
	} else {
		struct dmtrace_text line = dmt_output_text(&text);

		dmt_text_cut(&line, '\t');
		fits = put_v2_packet(output, v2, (struct dmt_v2_packet){
		    .type = DMT_V2_METHOD, .method = id }, line.bytes,
		    line.len);
	}
	dmt_output_fini(&text);
	return fits;
}

/* Announces a method that was not, or last with another row. In that case the
 * collected events have the other row, so their block is written first. false:
 * the line is too long. */
static bool
announce_method(struct dmt_output *output, struct v2_writing *v2,
    const struct dmtrace_key *key, uint64_t id,
    const struct dmtrace_method *method)
{
	struct dmt_announced *const methods = &v2->writing.methods;

	if (dmt_idmap_find(&methods->ids, id) != NULL)
		end_v2_block(&v2->writing, output);
	if (method != NULL && !put_v2_method(output, v2, key, method, id))
		return false;
	if (!dmt_note_announced(methods, id, dmt_method_row(
	    dmtrace_key_method_get(key, 0), method)))
		dmt_error_memory(&output->error);
	return true;
}

static size_t
put_in_v2(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first, size_t count)
{
	struct v2_writing *const v2 = (struct v2_writing *)writing;
	const struct dmt_indexes *const indexes = source->indexes;
	const struct dmtrace_key *const key = source->key;
	const struct dmtrace_method *const rows =
	    dmtrace_key_method_get(key, 0);
	const struct dmt_v2_form *const form = &writing->format.blocks;
	const struct dmt_announced *const methods = &writing->methods;
	size_t done = 0;

	for (; done < count; done++) {
		const size_t at = batch->keep[first + done];
		const struct dmtrace_method *const row =
		    indexes->methods[batch->method[at]].row;
		struct dmt_v2_packet *const packet = &v2->block.packet;
		struct dmtrace_event event;
		struct dmt_v2_record record;

		dmt_batch_get(&event, batch, at, source);
		const bool turns = packet->count == 0 ||
		    packet->thread != event.thread;
		/* An exit without one does not announce its method. */
		const bool lacks_method =
		    !dmt_is_announced(methods, event.method,
		    dmt_method_row(rows, row)) &&
		    (!writing->format.bare_exits ||
		    event.action == DMTRACE_ENTER ||
		    dmt_idmap_find(&methods->ids, event.method) != NULL);
		const uint64_t time_ns =
		    form->wall ? event.wall_ns : event.cpu_ns;

		if (!dmt_v2_record_make(&record, form, &event,
		    writing->modulo) ||
		    (turns && !announce_thread(output, v2, key, event.thread,
		    indexes->threads[batch->thread[at]].row)) ||
		    (batch->names != NULL &&
		    !rename_thread(output, v2, source, batch, at)) ||
		    (lacks_method && !announce_method(output, v2, key,
		    event.method, row)))
			break;
		if (turns || packet->count == v2->most)
			end_v2_block(writing, output);
		if (packet->count == 0)
			dmt_v2_encoding_begin(&v2->block, form, event.thread,
			    v2->room);
		dmt_v2_encoding_add(&v2->block, &record);
		if (time_ns > v2->last_ns)
			v2->last_ns = time_ns;
	}
	return done;
}

/* Announces the threads and methods that were not announced. all: no method
 * was announced yet, and every row is; of rows with one id, the last
 * counts. false: a line is too long, or readers refuse a thread's number. */
static bool
announce_rows(struct dmt_output *output, struct v2_writing *v2,
    const struct dmtrace_key *key, bool all)
{
	bool fits = true;

	for (size_t i = 0; i < dmtrace_key_thread_count(key) && fits; i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);

		fits = row->id < DMT_V2_THREADS_MAX &&
		    announce_thread(output, v2, key, row->id, row);
	}
	for (size_t i = 0; i < dmtrace_key_method_count(key) && fits; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);
		const uint64_t id = row->id & ~UINT64_C(3);

		if (!all && dmt_has_announced(&v2->writing.methods, id))
			continue;
		fits = put_v2_method(output, v2, key, row, id);
		if (all && !dmt_note_announced(&v2->writing.methods, id,
		    (uint32_t)i + 1))
			dmt_error_memory(&output->error);
	}
	return fits;
}

static bool
announce_v2(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_key *key)
{
	return announce_rows(output, (struct v2_writing *)writing, key, true);
}

/* The duration of the trace, which a summary has in the unit of its times. */
struct summary_duration {
	bool ns;
	bool is_listed;
	uint64_t elapsed;
};

/* Leaves out a duration in the other unit. */
static bool
is_summary_option(void *context, const struct dmtrace_option *option)
{
	struct summary_duration *const own = context;
	uint64_t number;

	own->is_listed |= dmt_text_is(option->name, own->ns ?
	    DMT_OPTION_ELAPSED_NS : DMT_OPTION_ELAPSED_US);
	if (!dmt_text_is(option->name, own->ns ? DMT_OPTION_ELAPSED_US :
	    DMT_OPTION_ELAPSED_NS))
		return true;
	if (dmt_count_decode(&number, option->value) &&
	    number <= UINT64_MAX / 1000)
		own->elapsed = own->ns ? number * 1000 : number / 1000;
	return false;
}

/* Writes the options of the key. */
static void
put_v2_summary(struct dmt_output *output, struct v2_writing *v2,
    const struct dmtrace_key *key)
{
	const bool ns = v2->writing.format.ns;
	struct summary_duration own =
	    { ns, false, ns ? v2->last_ns : v2->last_ns / 1000 };
	struct dmt_key_part summary = {
		.option = is_summary_option, .context = &own, .head = true
	};
	struct dmt_output text = { 0 };
	char duration[64];

	if (output->error.status != DMTRACE_OK)
		return;
	dmt_key_put(&text, key, &summary);	/* finds the duration */
	dmt_output_clear(&text);
	snprintf(duration, sizeof(duration), "%s=%" PRIu64,
	    ns ? DMT_OPTION_ELAPSED_NS : DMT_OPTION_ELAPSED_US, own.elapsed);
	if (!own.is_listed)
		summary.extra = dmt_text_of(duration);
	dmt_key_put(&text, key, &summary);
	if (dmt_output_failed(&text))
		dmt_error_memory(&output->error);
	else if (!put_v2_packet(output, v2, (struct dmt_v2_packet){
	    .type = DMT_V2_SUMMARY }, text.bytes, text.len))
		dmt_error_set(&output->error, DMTRACE_ERR_RANGE,
		    "the options are longer than 65,535 bytes");
	dmt_output_fini(&text);
}

/* Writes the last block, the rows of the key that were not announced, and the
 * summary. */
static void
end_v2_file(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_key *key)
{
	struct v2_writing *const v2 = (struct v2_writing *)writing;

	end_v2_block(&v2->writing, output);
	if (!announce_rows(output, v2, key, false))
		dmt_error_set(&output->error, DMTRACE_ERR_RANGE, "the line of"
		    " a thread or method is longer than 65,535 bytes, or the"
		    " id of a thread is higher than 16,777,215");
	if (!writing->format.headless)
		put_v2_summary(output, v2, key);
	else if (!dmt_v2_dump_recognises(v2->first, v2->first_len))
		dmt_error_set(&output->error, DMTRACE_ERR_RANGE,
		    "a dump of long-running methods that has no packet, or "
		    "only that of a thread without a name, or begins with one "
		    "that ART would not write, is no trace; convert it to a "
		    "dialect with a header first");
}

/* Else it is the packets that precede the event. */
static const char *
v2_misfit(const struct dmt_writing *writing, const struct dmtrace_event *event)
{
	struct dmt_v2_record record;

	return dmt_v2_record_make(&record, &writing->format.blocks, event,
	    writing->modulo) ? DMT_PACKET_MISFIT : "time too large";
}

static size_t
block_max(const struct dmt_trace_format *format)
{
	(void)format;
	return dmt_v2_block_room(1);
}

void
dmt_format_set_blocks(struct dmt_trace_format *format,
    const struct dmt_v2_form *form)
{
	format->blocks = *form;
	format->ns = dmt_v2_has_ns(form->stage);
	format->headless = form->stage == DMT_STAGE_LONG;
	format->bare_exits = dmt_v2_has_bare_exits(form->stage);
	format->names_threads = form->stage == DMT_STAGE_F;
}

static void
set_v2_stage(struct dmt_trace_format *format, enum dmtrace_stage stage,
    const struct dmt_trace_format *like)
{
	static const enum dmt_v2_stage stages[] = {
		[DMTRACE_STAGE_ANY] = DMT_STAGE_E,
		[DMTRACE_STAGE_C] = DMT_STAGE_C,
		[DMTRACE_STAGE_E] = DMT_STAGE_E,
		[DMTRACE_STAGE_F] = DMT_STAGE_F,
	};
	const bool keeps = stage == DMTRACE_STAGE_ANY && like != NULL &&
	    like->dialect == format->dialect && !like->headless;
	const struct dmt_v2_form form = {
		.stage = keeps ? like->blocks.stage : stages[stage],
		.cpu = dmt_layout_has_cpu(&format->layout),
		.wall = dmt_layout_has_wall(&format->layout)
	};

	dmt_format_set_blocks(format, &form);
}

const struct dmt_dialect dmt_dialect_v2 = {
	.title = "ART trace format V2",
	.packets = true,
	.ns_option = true,
	.set_stage = set_v2_stage,
	.columns = DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS,
	.start_at = DMT_V2_START,
	.writing_new = new_v2_writing,
	.writing_free = free_v2_writing,
	.begin = begin_v2_file,
	.mark = mark_v2_header,
	.put = put_in_v2,
	.misfit = v2_misfit,
	.flush = end_v2_block,
	.end = end_v2_file,
	.event_max = block_max,
	.announce = announce_v2
};
