/* v2_encode.c - encodes packets of trace format V2 and their events */

#include "data/v2_encode.h"

#include <assert.h>

#include "base/bytes.h"
#include "base/leb128.h"
#include "format/header.h"

void
dmt_v2_header_encode(uint8_t *out, const struct dmt_v2_header *header)
{
	memset(out, 0, DMT_V2_HEADER_SIZE);
	memcpy(out, DMT_MAGIC, DMT_MAGIC_SIZE);
	dmt_put_le16(out + DMT_HEADER_VERSION, header->version);
	dmt_put_le64(out + DMT_V2_START, header->start);
	dmt_put_le64(out + DMT_V2_START_TICKS, header->start_ticks);
	dmt_put_le64(out + DMT_V2_TICK_HZ, header->tick_hz);
	dmt_put_le16(out + DMT_V2_HEADER_MARK, header->mark);
}

uint16_t
dmt_v2_stage_mark(enum dmt_v2_stage stage)
{
	static const uint16_t marks[] = {
		[DMT_STAGE_B] = DMT_V2_STAGE_MARK('b'),
		[DMT_STAGE_C] = DMT_V2_STAGE_MARK('c'),
		[DMT_STAGE_E] = DMT_V2_STAGE_MARK('e')
	};

	return stage < DMT_STAGE_F ? marks[stage] : 0;
}

void
dmt_v2_header_mark(uint8_t *header, const struct dmt_v2_form *form)
{
	dmt_put_le16(header + DMT_V2_HEADER_MARK,
	    dmt_v2_stage_mark(form->stage));
	if (form->stage == DMT_STAGE_F && form->tick_hz == 0 &&
	    dmt_get_le64(header + DMT_V2_START_TICKS) == 0)
		dmt_put_le64(header + DMT_V2_START_TICKS, DMT_V2_MARK);
}

static uint8_t *
put_block_header(uint8_t *out, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet)
{
	dmt_put_le32(out, packet->thread);
	out += 4;
	if (form->stage != DMT_STAGE_B) {
		dmt_put_le16(out, (uint16_t)packet->count);
		out[2] = (uint8_t)(packet->count >> 16);
		dmt_put_le32(out + 3, packet->size);
		return out + 7;
	}
	dmt_put_le64(out, packet->word);
	out += 8;
	if (form->cpu) {
		dmt_put_le32(out, packet->cpu_us);
		out += 4;
	}
	if (form->wall) {
		dmt_put_le32(out, packet->wall_us);
		out += 4;
	}
	dmt_put_le16(out, (uint16_t)packet->count);
	dmt_put_le16(out + 2, (uint16_t)packet->size);
	return out + 4;
}

size_t
dmt_v2_packet_encode(uint8_t *out, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet)
{
	uint8_t *at = out;

	*at++ = packet->type == DMT_V2_END ? DMT_V2_SUMMARY :
	    (uint8_t)packet->type;
	switch (packet->type) {
	case DMT_V2_THREAD:
		dmt_put_le32(at, packet->thread);
		at += 4;
		break;
	case DMT_V2_METHOD:
		dmt_put_le64(at, packet->method);
		at += 8;
		break;
	case DMT_V2_EVENTS:
		return (size_t)(put_block_header(at, form, packet) - out);
	case DMT_V2_SUMMARY:
		break;
	case DMT_V2_END:
		dmt_put_le64(at, packet->end_ns);
		dmt_put_le64(at + 8, packet->monotonic_ns);
		return (size_t)(at + 16 - out);
	}
	dmt_put_le16(at, packet->text_len);
	return (size_t)(dmt_put_bytes(at + 2, packet->text,
	    packet->text_len) - out);
}

/* Converts time_ns to the unit of the stage. false: it does not fit. */
static bool
to_unit(uint64_t *time, const struct dmt_v2_form *form, uint64_t time_ns,
    bool modulo)
{
	if (time_ns == DMTRACE_NO_TIME)
		return false;
	if (form->stage >= DMT_STAGE_E) {
		*time = time_ns;
		return true;
	}
	*time = time_ns / 1000 & UINT32_MAX;
	return modulo || time_ns / 1000 <= UINT32_MAX;
}

/* Computes the smallest number of ticks that is not before time_ns, shifted to
 * have the action in its low bits. false: it has more than 64 bits. */
static bool
to_ticks(uint64_t *time, uint64_t time_ns, uint64_t hz, unsigned bits,
    unsigned action)
{
	const uint64_t second_ns = 1000000000;
	const uint64_t ticks = hz == 0 ? time_ns : time_ns / second_ns * hz +
	    (time_ns % second_ns * hz + second_ns - 1) / second_ns;

	*time = ticks << bits | action;
	return ticks >> (64 - bits) == 0 &&
	    (hz == 0 || time_ns / second_ns < UINT64_MAX / hz);
}

bool
dmt_v2_record_make(struct dmt_v2_record *record,
    const struct dmt_v2_form *form, const struct dmtrace_event *event,
    bool modulo)
{
	const bool enters = form->stage >= DMT_STAGE_F;
	const unsigned action = (unsigned)event->action;
	const unsigned bits = form->stage == DMT_STAGE_LONG ? 1 : 2;
	const bool has_method = !enters || action == DMTRACE_ENTER;
	const uint64_t method = event->method & -(uint64_t)has_method;

	*record = (struct dmt_v2_record){ method | action, 0, 0, 0 };
	return (method & 3) == 0 && action >> bits == 0 &&
	    (!form->wall || to_unit(&record->wall, form, event->wall_ns,
	    modulo)) &&
	    (!form->cpu || to_unit(&record->cpu, form, event->cpu_ns,
	    modulo)) &&
	    (!enters || to_ticks(&record->time, form->wall ? record->wall :
	    record->cpu, form->tick_hz, bits, action));
}

/* Stages B, C and E. */
static uint8_t *
put_differences(uint8_t *out, const struct dmt_v2_form *form,
    const struct dmt_v2_record *record, struct dmt_v2_record *before)
{
	const uint64_t mask =
	    form->stage < DMT_STAGE_E ? UINT32_MAX : UINT64_MAX;

	out = dmt_sleb_put(out, record->word - before->word);
	if (form->wall)
		out = dmt_uleb_put(out, (record->wall - before->wall) & mask);
	if (form->cpu)
		out = dmt_uleb_put(out, (record->cpu - before->cpu) & mask);
	*before = *record;
	return out;
}

/* Stage F and the long-running dump. */
static uint8_t *
put_enter_or_exit(uint8_t *out, const struct dmt_v2_form *form,
    const struct dmt_v2_record *record, struct dmt_v2_record *before)
{
	out = dmt_sleb_put(out, record->time - before->time);
	before->time = record->time;
	if (form->cpu && form->wall)
		out = dmt_sleb_put(out, record->cpu);
	/* Whether a method follows cannot be predicted: it is written in any
	 * case, and overwritten after an exit. */
	const uint64_t step = record->word - before->word;
	const uint64_t kept = (record->word & 3) == DMTRACE_ENTER ?
	    UINT64_MAX : 0;
	before->word += step & kept;
	return out + ((size_t)(dmt_sleb_put(out, step) - out) & (size_t)kept);
}

void
dmt_v2_encoding_begin(struct dmt_v2_encoding *block,
    const struct dmt_v2_form *form, uint32_t thread, uint8_t *out)
{
	*block = (struct dmt_v2_encoding){
		.form = form,
		.packet = { .type = DMT_V2_EVENTS, .thread = thread },
		.start = out
	};
	block->payload = out + dmt_v2_packet_encode(out, form, &block->packet);
	block->end = block->payload;
}

/* The first record of stage B is in the header of the block. */
void
dmt_v2_encoding_add(struct dmt_v2_encoding *block,
    const struct dmt_v2_record *record)
{
	const struct dmt_v2_form *const form = block->form;
	struct dmt_v2_packet *const packet = &block->packet;

	assert(packet->count < DMT_V2_BLOCK_EVENTS_MAX);
	if (form->stage >= DMT_STAGE_F) {
		block->end = put_enter_or_exit(block->end, form, record,
		    &block->before);
	} else if (packet->count > 0 || form->stage != DMT_STAGE_B) {
		block->end = put_differences(block->end, form, record,
		    &block->before);
	} else {
		packet->word = record->word;
		packet->wall_us = (uint32_t)record->wall;
		packet->cpu_us = (uint32_t)record->cpu;
		block->before = *record;
	}
	packet->count++;
}

size_t
dmt_v2_encoding_end(struct dmt_v2_encoding *block)
{
	struct dmt_v2_packet header = block->packet;

	assert(header.count > 0);
	header.size = (uint32_t)(block->end - block->payload);
	if (block->form->stage == DMT_STAGE_B) {
		if (header.size > 65535)
			return 0;
		header.count--;
	}
	dmt_v2_packet_encode(block->start, block->form, &header);
	return (size_t)(block->end - block->start);
}

enum dmtrace_status
dmt_v2_block_encode(uint8_t *out, size_t *len, const struct dmt_v2_form *form,
    const struct dmtrace_event *events, size_t count, bool modulo)
{
	struct dmt_v2_encoding block;
	struct dmt_v2_record record;

	dmt_v2_encoding_begin(&block, form, events[0].thread, out);
	for (size_t i = 0; i < count; i++) {
		assert(events[i].thread == events[0].thread);
		if (!dmt_v2_record_make(&record, form, &events[i], modulo))
			return DMTRACE_ERR_RANGE;
		dmt_v2_encoding_add(&block, &record);
	}
	*len = dmt_v2_encoding_end(&block);
	return *len > 0 ? DMTRACE_OK : DMTRACE_ERR_RANGE;
}
