/* container_v2.c - ART trace format V2: packets, and blocks of events */

/*
 * The dump of long-running methods is such packets without the header.
 *
 * As with a stream, a pass at the open gathers what the packets define. It
 * steps over blocks without decoding them, but that at the first one the stage
 * is found, and the summary at the end may correct what the stage says of the
 * clock and the unit of times. Then the reader goes back to the first packet.
 *
 * Events have no records of their own. Those of one block are decoded into
 * columns, up to 4,096 at a time, and all have the offset of their block. Then
 * times of stages that have 32 bits of microseconds are unwrapped for each
 * thread, and an exit that does not say what it leaves gets the method of the
 * thread's innermost call. So there is a state for each thread. The block stays
 * in the window of the input until its last event is decoded. Who needs records
 * all the same gets those of a layout with nanoseconds.
 */

#include "trace/container.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/record.h"
#include "data/record_count.h"
#include "data/unwrap.h"
#include "data/v2_decode.h"
#include "data/v2_stage.h"
#include "events/batch.h"
#include "format/header.h"
#include "private/key.h"
#include "private/trace.h"
#include "trace/gather.h"

#define BLOCK_MAX (64 * 1024 * 1024)	/* bytes; writers have less room */
#define ID_TEXT_MAX 24
#define DEPTH_MAX 1048576	/* open calls of a thread */

struct v2_clock {
	struct dmt_clock us;		/* of stages B to D */
	uint64_t last_ns;		/* of the others */
};

struct v2_thread {
	struct v2_clock cpu;
	struct v2_clock wall;
	uint64_t *open;			/* of stage F: methods */
	size_t depth;
	size_t capacity;
};

struct dmt_v2_reading {
	struct dmt_v2_block block;
	bool in_block;
	size_t block_len;		/* with its header */
	struct dmt_idmap by_number;
	struct v2_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	/* Of the last read, with what exits leave, and the times in ns, or
	 * DMTRACE_NO_TIME; the same as records. */
	uint64_t words[DMT_BATCH_EVENTS];
	uint64_t cpu[DMT_BATCH_EVENTS];
	uint64_t wall[DMT_BATCH_EVENTS];
	uint8_t records[];
};

static void
forget_threads(struct dmt_v2_reading *v2)
{
	for (size_t i = 0; i < v2->thread_count; i++)
		free(v2->threads[i].open);
	v2->thread_count = 0;
	dmt_idmap_fini(&v2->by_number);
	v2->by_number = (struct dmt_idmap){ 0 };
}

void
dmt_v2_reset(struct dmt_v2_reading *v2)
{
	forget_threads(v2);
	v2->block = (struct dmt_v2_block){ .form = v2->block.form };
	v2->in_block = false;
}

void
dmt_v2_free(struct dmt_v2_reading *v2)
{
	if (v2 == NULL)
		return;
	forget_threads(v2);
	free(v2->threads);
	free(v2);
}

const struct dmt_v2_form *
dmt_v2_reading_form(const struct dmt_v2_reading *v2)
{
	return &v2->block.form;
}

/* The state of a thread; NULL: no memory. */
static struct v2_thread *
find_thread(struct dmt_v2_reading *v2, uint32_t number)
{
	const uint32_t *const place = dmt_idmap_find(&v2->by_number, number);

	if (place != NULL)
		return &v2->threads[*place];
	struct v2_thread *const threads = dmt_array_grow(v2->threads,
	    &v2->thread_capacity, v2->thread_count + 1, sizeof(*threads));
	if (threads != NULL)
		v2->threads = threads;
	if (threads == NULL || !dmt_idmap_add(&v2->by_number, number,
	    (uint32_t)v2->thread_count))
		return NULL;
	threads[v2->thread_count] = (struct v2_thread){ .depth = 0 };
	return &threads[v2->thread_count++];
}

enum dmtrace_status
dmt_v2_find_block(struct dmt_input *input, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet, size_t used, const uint8_t **bytes,
    size_t *size)
{
	size_t want = used + packet->size;

	if (packet->thread >= DMT_V2_THREADS_MAX)
		return DMTRACE_ERR_CORRUPT;
	for (;;) {
		if (want > BLOCK_MAX)
			return DMTRACE_ERR_LIMIT;
		const size_t len = dmt_input_peek(input, want, bytes);
		const enum dmtrace_status status = dmt_v2_block_measure(size,
		    form, packet, *bytes + used, len - used, input->ended);
		if (status != DMTRACE_ERR_TRUNCATED || len < want ||
		    input->ended) {
			if (status == DMTRACE_ERR_TRUNCATED)
				*size = len - used;
			return status;
		}
		want = 2 * len;
	}
}

/* The next time of a clock, in nanoseconds. Those that the file has in
 * microseconds have 32 bits; of others only a step back is odd. */
DMT_INLINE uint64_t
resolve_time(struct v2_clock *clock, uint64_t time, bool us, unsigned *odd)
{
	if (us) {
		if (DMT_UNLIKELY(time < clock->us.low_us))
			*odd |= dmt_clock_turn(&clock->us, (uint32_t)time);
		clock->us.low_us = (uint32_t)time;
		return dmt_clock_us(&clock->us) * 1000;
	}
	if (DMT_UNLIKELY(time < clock->last_ns))
		*odd |= DMT_ODD_BACK;
	clock->last_ns = time;
	return time == DMTRACE_NO_TIME ? time - 1 : time;
}

DMT_INLINE void
resolve_times(struct dmtrace_reader *reader, struct v2_thread *thread,
    size_t count, bool us)
{
	struct dmt_v2_reading *const v2 = reader->v2;
	const bool has_cpu = v2->block.form.cpu, has_wall = v2->block.form.wall;
	struct v2_clock cpu = thread->cpu, wall = thread->wall;

	for (size_t i = 0; i < count; i++) {
		unsigned odd = 0;

		if (has_cpu)
			v2->cpu[i] = resolve_time(&cpu, v2->cpu[i], us, &odd);
		if (has_wall)
			v2->wall[i] =
			    resolve_time(&wall, v2->wall[i], us, &odd);
		if ((v2->words[i] & 3) == DMTRACE_RESERVED)
			odd |= DMT_ODD_RESERVED;
		if (DMT_UNLIKELY(odd != 0))
			dmt_reader_tell_odd(reader, odd, v2->block.thread,
			    reader->input->offset);
	}
	thread->cpu = cpu;
	thread->wall = wall;
}

/* Of stage F: the method of an exit. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or
 * DMTRACE_ERR_LIMIT, which error is about. */
static enum dmtrace_status
find_method(struct v2_thread *thread, uint64_t *word, uint32_t number,
    struct dmtrace_error *error)
{
	const unsigned action = *word & 3;

	if (action != DMTRACE_ENTER) {
		if (thread->depth > 0)
			*word |= thread->open[thread->depth - 1];
		if (thread->depth > 0 && action != DMTRACE_RESERVED)
			thread->depth--;
		return DMTRACE_OK;
	}
	if (thread->depth == thread->capacity) {
		if (thread->depth >= DEPTH_MAX)
			return dmt_error_set(error, DMTRACE_ERR_LIMIT,
			    "thread %" PRIu32 " has more than %d open calls",
			    number, DEPTH_MAX);
		uint64_t *const open = dmt_array_grow(thread->open,
		    &thread->capacity, thread->depth + 1, sizeof(*open));
		if (open == NULL)
			return dmt_error_memory(error);
		thread->open = open;
	}
	thread->open[thread->depth++] = *word;
	return DMTRACE_OK;
}

/* Completes the first count events of a block: resolves their times, and in
 * stage F the methods of exits. */
static enum dmtrace_status
resolve_events(struct dmtrace_reader *reader, size_t count)
{
	struct dmt_v2_reading *const v2 = reader->v2;
	const enum dmt_v2_stage stage = v2->block.form.stage;
	struct dmtrace_error *const error = &reader->input->error;
	struct v2_thread *const thread =
	    find_thread(v2, v2->block.thread);

	if (thread == NULL)
		return dmt_error_memory(error);
	if (stage < DMT_STAGE_E)
		resolve_times(reader, thread, count, true);
	else
		resolve_times(reader, thread, count, false);
	for (size_t i = 0; stage >= DMT_STAGE_F && i < count; i++)
		if (find_method(thread, &v2->words[i], v2->block.thread,
		    error) != DMTRACE_OK)
			return error->status;
	return DMTRACE_OK;
}

/* Decodes the next events of the block; 0 at its end. */
static size_t
decode_events(struct dmtrace_reader *reader, size_t capacity)
{
	struct dmt_v2_reading *const v2 = reader->v2;
	const struct dmt_v2_columns to = { v2->words, v2->cpu, v2->wall };
	size_t count;

	if (capacity > DMT_BATCH_EVENTS)
		capacity = DMT_BATCH_EVENTS;
	if (dmt_v2_block_decode(&v2->block, &to, capacity, &count) !=
	    DMTRACE_OK && count == 0) {
		/* A cut block was reported by the pass of the open. */
		if (!v2->block.cut && !reader->told)
			dmt_finding_add(&reader->findings,
			    DMT_STREAM_PACKET_UNKNOWN, DMTRACE_PLACE_OFFSET,
			    reader->input->offset, "no event in byte %zu of"
			    " the block", v2->block_len -
			    (size_t)(v2->block.end - v2->block.in));
		reader->ends_at = reader->input->offset;
		return 0;
	}
	return resolve_events(reader, count) == DMTRACE_OK ? count : 0;
}

struct dmt_v2_columns
dmt_v2_reading_columns(struct dmt_v2_reading *v2, uint32_t *thread)
{
	*thread = v2->block.thread;
	return (struct dmt_v2_columns){ v2->words, v2->cpu, v2->wall };
}

void
dmt_v2_reading_events(const struct dmt_v2_reading *v2,
    struct dmtrace_event *events, size_t count)
{
	for (size_t i = 0; i < count; i++)
		events[i] = (struct dmtrace_event){
			.method = v2->words[i] & ~UINT64_C(3),
			.cpu_ns = v2->cpu[i],
			.wall_ns = v2->wall[i],
			.thread = v2->block.thread,
			.action = (enum dmtrace_action)(v2->words[i] & 3)
		};
}

void
dmt_v2_reading_count(const struct dmt_v2_reading *v2,
    struct dmt_tallies *tallies, size_t count)
{
	dmt_tallies_add(tallies, v2->block.thread, v2->words,
	    v2->block.form.wall ? v2->wall : v2->cpu, count);
}

const uint8_t *
dmt_v2_reading_records(struct dmt_v2_reading *v2,
    const struct dmtrace_layout *layout, size_t count)
{
	uint8_t *out = v2->records;

	for (size_t i = 0; i < count; i++, out += layout->record_size) {
		dmt_field_put(layout->thread, out, v2->block.thread);
		dmt_field_put(layout->method, out, v2->words[i]);
		dmt_field_put(layout->cpu, out, v2->cpu[i]);
		dmt_field_put(layout->wall, out, v2->wall[i]);
	}
	return v2->records;
}

/* For struct dmtrace_reader: the next events of one block. */
static size_t
take_events(struct dmtrace_reader *reader, size_t capacity)
{
	struct dmt_v2_reading *const v2 = reader->v2;
	struct dmt_input *const input = reader->input;
	struct dmt_definitions *const definitions = &reader->definitions;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	size_t used, size;

	for (;;) {
		if (v2->in_block) {
			const size_t count = decode_events(reader, capacity);

			if (count > 0 || input->error.status != DMTRACE_OK)
				return count;
			v2->in_block = false;
			dmt_input_skip(input, v2->block_len);
		}
		if (input->offset >= reader->ends_at)
			return 0;
		size = dmt_input_peek(input, DMT_V2_PACKET_MAX, &bytes);
		if (dmt_v2_packet_decode(&packet, &v2->block.form, bytes, size,
		    &used) != DMTRACE_OK)
			return 0;
		while (reader->redefined < definitions->redefined_count &&
		    definitions->redefined[reader->redefined].at <=
		    input->offset)
			reader->redefined++;
		if (packet.type != DMT_V2_EVENTS) {
			dmt_input_skip(input, used);
			continue;
		}
		const enum dmtrace_status status = dmt_v2_find_block(input,
		    &v2->block.form, &packet, used, &bytes, &size);
		if (status != DMTRACE_OK && status != DMTRACE_ERR_TRUNCATED)
			return 0;
		dmt_v2_block_begin(&v2->block, &packet, bytes + used, size,
		    status != DMTRACE_OK);
		v2->in_block = true;
		v2->block_len = used + size;
	}
}

/* The pass of the open. */
struct v2_pass {
	struct dmt_gathering gathering;
	struct dmt_v2_header header;
	struct dmt_v2_form form;
	struct dmt_idmap announced;
	bool has_stage;			/* of form; there was a block */
	bool guessed;			/* its unit */
};

/* In a key a method's line begins with its id. */
static enum dmtrace_status
define_method(struct v2_pass *pass, const struct dmt_v2_packet *packet)
{
	char *const line = dmt_array_new(ID_TEXT_MAX + packet->text_len, 1);
	enum dmtrace_status status;

	if (line == NULL || (!pass->has_stage &&
	    !dmt_idmap_reserve(&pass->announced))) {
		free(line);
		return dmt_error_memory(&pass->gathering.reader->error);
	}
	if (!pass->has_stage)
		dmt_idmap_put(&pass->announced, packet->method, 0);
	size_t len = (size_t)snprintf(line, ID_TEXT_MAX, "0x%" PRIx64 "\t",
	    packet->method);
	dmt_put_bytes((uint8_t *)line + len, packet->text, packet->text_len);
	len += packet->text_len;
	status = dmt_gather_method(&pass->gathering,
	    (struct dmtrace_text){ line, len });
	free(line);
	return status;
}

static enum dmtrace_status
find_stage(struct v2_pass *pass)
{
	struct dmt_input *const input = pass->gathering.input;
	enum dmt_v2_stage stage;
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_V2_STAGE_WINDOW, &bytes);

	pass->has_stage = true;
	if (dmt_v2_stage_find(&stage, &pass->guessed, &pass->header,
	    &pass->announced, bytes, len, input->ended) != DMTRACE_OK)
		return dmt_error_memory(&pass->gathering.reader->error);
	pass->form = dmt_v2_form_of(&pass->header, stage);
	return DMTRACE_OK;
}

/* What ends the events: a packet that cannot be. */
static enum dmtrace_status
end_pass(struct v2_pass *pass, enum dmtrace_status status)
{
	dmt_gather_note(&pass->gathering, status == DMTRACE_ERR_TRUNCATED ?
	    DMT_STREAM_CUT : DMT_STREAM_PACKET_UNKNOWN);
	return DMTRACE_END;
}

/* Takes the next packet; DMTRACE_END: it ends the events. */
static enum dmtrace_status
take_packet(struct v2_pass *pass)
{
	struct dmt_gathering *const gathering = &pass->gathering;
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_input *const input = gathering->input;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	size_t used, size = 0;
	size_t len = dmt_input_peek(input, DMT_V2_PACKET_MAX, &bytes);
	enum dmtrace_status status;

	if (len == 0)
		return DMTRACE_END;
	if (bytes[0] == DMT_V2_EVENTS && !pass->has_stage) {
		if (find_stage(pass) != DMTRACE_OK)
			return reader->error.status;
		len = dmt_input_peek(input, DMT_V2_PACKET_MAX, &bytes);
	}
	status = dmt_v2_packet_decode(&packet, &pass->form, bytes, len, &used);
	if (status == DMTRACE_ERR_TRUNCATED && len > 3 &&
	    bytes[0] == DMT_V2_SUMMARY &&
	    pass->form.stage != DMT_STAGE_LONG) {
		const struct dmtrace_text cut = {
			(const char *)bytes + 3, len - 3
		};

		status = dmt_gather_cut_summary(gathering, cut);
		return status == DMTRACE_OK ? DMTRACE_END : status;
	}
	if (status != DMTRACE_OK)
		return end_pass(pass, status);
	const struct dmtrace_text text = {
		(const char *)packet.text, packet.text_len
	};
	switch (packet.type) {
	case DMT_V2_THREAD:
		if (packet.thread >= DMT_V2_THREADS_MAX)
			return end_pass(pass, DMTRACE_ERR_CORRUPT);
		status = dmt_gather_thread(gathering, packet.thread, text);
		break;
	case DMT_V2_METHOD:
		status = define_method(pass, &packet);
		break;
	case DMT_V2_EVENTS:
		status = dmt_v2_find_block(input, &pass->form, &packet, used,
		    &bytes, &size);
		if (status == DMTRACE_ERR_TRUNCATED) {
			/* its whole events are read */
			dmt_gather_note(gathering, DMT_STREAM_CUT);
			dmt_input_skip(input, used + size);
			return DMTRACE_END;
		}
		if (status != DMTRACE_OK)
			return end_pass(pass, status);
		break;
	case DMT_V2_END:
		break;
	default:
		if (dmt_gather_summary(gathering, text) != DMTRACE_OK)
			return reader->error.status;
		if (dmt_input_peek(input, used + 1, &bytes) > used)
			dmt_finding_add(&reader->findings, DMT_STREAM_TAIL,
			    DMTRACE_PLACE_OFFSET, input->offset + used, NULL);
		return DMTRACE_END;
	}
	if (status == DMTRACE_OK)
		dmt_input_skip(input, used + size);
	return status;
}

/* The summary says by the name of an option what times count. */
static void
correct_unit(struct v2_pass *pass)
{
	const struct dmtrace_key *const summary = pass->gathering.summary;

	if (summary == NULL || (pass->form.stage != DMT_STAGE_C &&
	    pass->form.stage != DMT_STAGE_E))
		return;
	if (dmtrace_key_option_find(summary, "elapsed-time-nsec") != NULL)
		pass->form.stage = DMT_STAGE_E;
	else if (dmtrace_key_option_find(summary, "elapsed-time-usec") != NULL)
		pass->form.stage = DMT_STAGE_C;
}

static enum dmtrace_status
finish_pass(struct v2_pass *pass)
{
	struct dmt_gathering *const gathering = &pass->gathering;
	struct dmtrace_reader *const reader = gathering->reader;
	const unsigned version = dmt_version_plain(pass->header.version);
	enum dmtrace_clock clock = DMTRACE_CLOCK_WALL;

	if (version == DMT_VERSION_PACKETS_DUAL)
		clock = DMTRACE_CLOCK_DUAL;
	else if (gathering->summary != NULL &&
	    dmt_key_clock(gathering->summary) == DMTRACE_CLOCK_THREAD_CPU)
		clock = DMTRACE_CLOCK_THREAD_CPU;
	correct_unit(pass);
	pass->form.cpu = clock != DMTRACE_CLOCK_WALL;
	pass->form.wall = clock != DMTRACE_CLOCK_THREAD_CPU;
	if (dmt_gather_key(gathering, version, clock) != DMTRACE_OK)
		return reader->error.status;
	reader->layout = *dmt_layout_v2(clock);
	reader->clocks = dmt_clocks_new(&reader->layout);
	reader->v2 = calloc(1, sizeof(*reader->v2) +
	    DMT_BATCH_EVENTS * (size_t)reader->layout.record_size);
	if (reader->clocks == NULL || reader->v2 == NULL)
		return dmt_error_memory(&reader->error);
	for (size_t i = 0; i < DMT_BATCH_EVENTS; i++)
		reader->v2->cpu[i] = reader->v2->wall[i] = DMTRACE_NO_TIME;
	reader->v2->block.form = pass->form;
	/* Microseconds, as in all other headers. */
	reader->header.start = pass->header.start;
	if (pass->form.stage >= DMT_STAGE_E) {
		reader->header.start /= 1000;
		reader->start_rest_ns = pass->header.start % 1000;
	}
	dmt_reader_compare(reader, 0);
	return DMTRACE_OK;
}

static enum dmtrace_status
take_header(struct v2_pass *pass)
{
	struct dmtrace_reader *const reader = pass->gathering.reader;
	struct dmt_input *const input = pass->gathering.input;
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_V2_HEADER_SIZE, &bytes);

	if (input->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	if (len < DMT_V2_HEADER_SIZE)
		return dmt_error_at(&reader->error, DMTRACE_ERR_TRUNCATED,
		    DMTRACE_PLACE_OFFSET, len, "the data header ends after %zu"
		    " bytes, not %d", len, DMT_V2_HEADER_SIZE);
	dmt_v2_header_decode(&pass->header, bytes);
	if (pass->header.tick_hz > DMT_TICK_HZ_MAX)
		return dmt_error_at(&reader->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, DMT_V2_TICK_HZ, "a counter of %"
		    PRIu64 " Hz, not at most %" PRIu64, pass->header.tick_hz,
		    DMT_TICK_HZ_MAX);
	reader->header_bytes = malloc(DMT_V2_HEADER_SIZE);
	if (reader->header_bytes == NULL)
		return dmt_error_memory(&reader->error);
	memcpy(reader->header_bytes, bytes, DMT_V2_HEADER_SIZE);
	reader->header = (struct dmtrace_header){
		.version = pass->header.version,
		.data_offset = DMT_V2_HEADER_SIZE,
	};
	pass->form = dmt_v2_form_of(&pass->header, DMT_STAGE_E);
	dmt_input_skip(input, DMT_V2_HEADER_SIZE);
	reader->begins_at = input->offset;
	return DMTRACE_OK;
}

/* What the header and the summary of a file would say. */
static enum dmtrace_status
take_no_header(struct v2_pass *pass)
{
	static const char summary[] = "*version\n4\nclock=wall\n*end\n";
	struct dmtrace_reader *const reader = pass->gathering.reader;
	const struct dmtrace_text text = { summary, sizeof(summary) - 1 };

	reader->header = (struct dmtrace_header){
		.version = DMT_VERSION_PACKETS
	};
	pass->header.version = DMT_VERSION_PACKETS;
	pass->form = (struct dmt_v2_form){
		.stage = DMT_STAGE_LONG, .wall = true
	};
	pass->has_stage = true;
	reader->header_bytes = dmt_array_new(0, 1);
	reader->begins_at = pass->gathering.input->offset;
	return reader->header_bytes == NULL ?
	    dmt_error_memory(&reader->error) :
	    dmt_gather_summary(&pass->gathering, text);
}

/* Whether a name, of which len bytes are there, has no control bytes. */
static bool
is_v2_text(const uint8_t *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' && text[i] != '\t' && text[i] != '\n')
			return false;
	return true;
}

bool
dmt_v2_dump_recognises(const uint8_t *bytes, size_t len)
{
	if (len < 17 || bytes[0] > DMT_V2_SUMMARY)
		return false;
	const uint32_t thread = dmt_get_le32(bytes + 1);
	const uint64_t id = dmt_get_le64(bytes + 1);
	const size_t count = dmt_get_le16(bytes + 5);
	const size_t size = dmt_get_le32(bytes + 8);
	const size_t front = bytes[0] == DMT_V2_THREAD ? 7 : 11;
	const size_t text = dmt_get_le16(bytes + front - 2);

	switch (bytes[0]) {
	case DMT_V2_EVENTS:
		/* The third byte of the count is 0, and an exit takes one. */
		return thread > 0 && thread < DMT_V2_THREADS_MAX &&
		    bytes[7] == 0 && size >= count && size > 0 &&
		    size < BLOCK_MAX &&
		    (count == 0 || size > UINT16_MAX ||
		    size <= count * DMT_RECORD_MAX);
	case DMT_V2_THREAD:
		return thread > 0 && thread < DMT_V2_THREADS_MAX && text > 0 &&
		    text < 256 && is_v2_text(bytes + front,
		    text < len - front ? text : len - front);
	case DMT_V2_METHOD:
		return id > 0 && id % 4 == 0 && id >> 56 == 0 && text > 0 &&
		    is_v2_text(bytes + front,
		    text < len - front ? text : len - front);
	default:			/* the end, which may come first */
		return len > 17 && id > 0 && id >> 62 == 0 &&
		    dmt_v2_dump_recognises(bytes + 17, len - 17) &&
		    bytes[17] < DMT_V2_SUMMARY;
	}
}

static enum dmtrace_status
open_packets(struct dmtrace_reader *reader,
    enum dmtrace_status (*take_front)(struct v2_pass *pass))
{
	struct dmt_input *const input = &reader->key_input;
	struct v2_pass pass = {
		.gathering = { .reader = reader, .input = input }
	};
	enum dmtrace_status status;

	reader->input = input;
	reader->take_records = take_events;
	if (dmt_input_hold(input) != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	status = take_front(&pass);
	while (status == DMTRACE_OK)
		status = take_packet(&pass);
	if (input->error.status != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	reader->ends_at = input->offset;
	if (reader->error.status == DMTRACE_OK)
		finish_pass(&pass);
	dmt_key_free(pass.gathering.summary);
	dmt_idmap_fini(&pass.announced);
	if (reader->error.status == DMTRACE_OK &&
	    dmt_input_rewind(input, reader->begins_at) != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	return reader->error.status;
}

enum dmtrace_status
dmt_v2_open(struct dmtrace_reader *reader)
{
	return open_packets(reader, take_header);
}

enum dmtrace_status
dmt_v2_open_dump(struct dmtrace_reader *reader)
{
	return open_packets(reader, take_no_header);
}

const char *
dmt_reader_stage(const struct dmtrace_reader *reader)
{
	static const char *const names[] = {
		[DMT_STAGE_B] = "B", [DMT_STAGE_C] = "C",
		[DMT_STAGE_E] = "E", [DMT_STAGE_F] = "F",
		[DMT_STAGE_LONG] = "long-running"
	};

	return reader->v2 == NULL ? NULL :
	    names[reader->v2->block.form.stage];
}
