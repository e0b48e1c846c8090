/* v2_decode.c - decodes packets of trace format V2 and their events */

/*
 * A block is a series of records of one thread. Each record is two or three
 * LEB128 numbers: the differences to the previous record of the method word
 * and of each time. The first record of a block is relative to zero (stages C
 * and E) or to values in the block's header (B). ART splits a block that does
 * not fit in its buffer: it writes what it has, and continues with another
 * block of the same thread, whose first record is relative to the last record
 * of the first block. The second block is not marked, but its count is that of
 * both blocks. So the records of a block are counted before they are decoded,
 * by a pass over its bytes that looks for the last byte of each number.
 *
 * Counts and, in stage B, sizes are stored modulo 65,536: a reader that trusts
 * them loses most of a long trace. Nothing here allocates memory, and no loop
 * depends on a number in the file.
 */

#include "data/v2_decode.h"

#include <string.h>

#include "base/bytes.h"
#include "base/leb128.h"
#include "data/record.h"
#include "format/header.h"

/* The first record of a new flush is the address of a method, which is neither
 * small nor negative. */
#define ADDRESS_MIN 4096
#define NS_PER_S UINT64_C(1000000000)

void
dmt_v2_header_decode(struct dmt_v2_header *header, const uint8_t *in)
{
	header->version = dmt_get_le16(in + DMT_HEADER_VERSION);
	header->start = dmt_get_le64(in + DMT_V2_START);
	header->start_ticks = dmt_get_le64(in + DMT_V2_START_TICKS);
	header->tick_hz = dmt_get_le64(in + DMT_V2_TICK_HZ);
	header->mark = dmt_get_le16(in + DMT_V2_HEADER_MARK);
}

/* Returns the bytes of a packet before its text, or of a block before its
 * payload. */
static size_t
front_size(const struct dmt_v2_form *form, unsigned type)
{
	switch (type) {
	case DMT_V2_THREAD:
		return 7;
	case DMT_V2_METHOD:
		return 11;
	case DMT_V2_EVENTS:
		return form->stage != DMT_STAGE_B ? 12 :
		    17 + 4 * ((size_t)form->cpu + form->wall);
	default:
		return form->stage == DMT_STAGE_LONG ? 17 : 3;
	}
}

static void
decode_block_header(struct dmt_v2_packet *packet,
    const struct dmt_v2_form *form, const uint8_t *in)
{
	packet->thread = dmt_get_le32(in + 1);
	in += 5;
	if (form->stage != DMT_STAGE_B) {
		packet->count = dmt_get_le16(in) | (uint32_t)in[2] << 16;
		packet->size = dmt_get_le32(in + 3);
		return;
	}
	packet->word = dmt_get_le64(in);
	in += 8;
	if (form->cpu) {
		packet->cpu_us = dmt_get_le32(in);
		in += 4;
	}
	if (form->wall) {
		packet->wall_us = dmt_get_le32(in);
		in += 4;
	}
	packet->count = dmt_get_le16(in);
	packet->size = dmt_get_le16(in + 2);
}

enum dmtrace_status
dmt_v2_packet_decode(struct dmt_v2_packet *packet,
    const struct dmt_v2_form *form, const uint8_t *in, size_t len,
    size_t *used)
{
	struct dmt_v2_packet decoded = { 0 };

	if (len == 0)
		return DMTRACE_ERR_TRUNCATED;
	if (in[0] > DMT_V2_SUMMARY)
		return DMTRACE_ERR_CORRUPT;
	const size_t front = front_size(form, in[0]);
	if (len < front)
		return DMTRACE_ERR_TRUNCATED;
	decoded.type = (enum dmt_v2_type)in[0];
	switch (decoded.type) {
	case DMT_V2_THREAD:
		decoded.thread = dmt_get_le32(in + 1);
		break;
	case DMT_V2_METHOD:
		decoded.method = dmt_get_le64(in + 1);
		break;
	case DMT_V2_EVENTS:
		decode_block_header(&decoded, form, in);
		break;
	default:
		if (form->stage != DMT_STAGE_LONG)
			break;
		decoded.type = DMT_V2_END;
		decoded.end_ns = dmt_get_le64(in + 1);
		decoded.monotonic_ns = dmt_get_le64(in + 9);
	}
	if (decoded.type != DMT_V2_EVENTS &&
	    decoded.type != DMT_V2_END) {
		decoded.text = in + front;
		decoded.text_len = dmt_get_le16(in + front - 2);
		if (len - front < decoded.text_len)
			return DMTRACE_ERR_TRUNCATED;
	}
	*packet = decoded;
	*used = front + decoded.text_len;
	return DMTRACE_OK;
}

static unsigned
number_count(const struct dmt_v2_form *form)
{
	return 1 + (unsigned)form->cpu + form->wall;
}

/* Returns the size of the LEB128 number at in, or what dmt_uleb_get returns if
 * it is incomplete or too long. */
static int
number_size(const uint8_t *in, size_t len)
{
	for (int i = 0; i < DMT_LEB_MAX; i++) {
		if ((size_t)i == len)
			return 0;
		if (in[i] < 0x80)
			return i + 1;
	}
	return DMT_LEB_BAD;
}

/* Checks that a packet begins at in or the file ends there: DMTRACE_OK,
 * DMTRACE_ERR_TRUNCATED if more bytes are needed, or DMTRACE_ERR_CORRUPT. */
static enum dmtrace_status
check_follows(const struct dmt_v2_form *form, const uint8_t *in, size_t len,
    bool ended)
{
	struct dmt_v2_packet packet;
	size_t used;
	const enum dmtrace_status status =
	    dmt_v2_packet_decode(&packet, form, in, len, &used);

	if (status == DMTRACE_ERR_TRUNCATED && ended)
		return DMTRACE_OK;
	if (status != DMTRACE_OK)
		return status;
	if ((packet.type == DMT_V2_METHOD && (packet.text_len == 0 ||
	    packet.text[packet.text_len - 1] != '\n')) ||
	    (packet.type == DMT_V2_SUMMARY && (packet.text_len == 0 ||
	    packet.text[0] != '*')))
		return DMTRACE_ERR_CORRUPT;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_v2_block_measure(size_t *size, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool ended)
{
	const unsigned numbers = number_count(form);
	size_t at = 0;

	if (form->stage != DMT_STAGE_B) {
		*size = packet->size < len ? packet->size : len;
		return packet->size <= len ? DMTRACE_OK : DMTRACE_ERR_TRUNCATED;
	}
	for (uint32_t count = 0; ; count++) {
		if ((at - packet->size) % 65536 == 0 &&
		    (count - packet->count) % 65536 == 0) {
			*size = at;
			const enum dmtrace_status status =
			    check_follows(form, in + at, len - at, ended);
			if (status != DMTRACE_ERR_CORRUPT)
				return status;
		}
		for (unsigned i = 0; i < numbers; i++) {
			const int used = number_size(in + at, len - at);
			if (used == 0) {
				*size = len;
				return DMTRACE_ERR_TRUNCATED;
			}
			if (used < 0)
				return DMTRACE_ERR_CORRUPT;
			at += (size_t)used;
		}
	}
}

/* Returns how many numbers end in len bytes: how many bytes have top bit 0. */
static size_t
count_ends(const uint8_t *in, size_t len)
{
	size_t ends = 0;

	/* Eight bytes at once: the product has the sum of all in its top
	 * byte. */
	for (; len >= 8; in += 8, len -= 8)
		ends += (~dmt_get_le64(in) >> 7 &
		    UINT64_C(0x0101010101010101)) *
		    UINT64_C(0x0101010101010101) >> 56;
	for (; len > 0; in++, len--)
		ends += *in < 0x80;
	return ends;
}

/* Returns true if the block of a packet continues the flush of the previous
 * block. */
static bool
continues_flush(const struct dmt_v2_block *block,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool cut)
{
	const uint16_t stored = (uint16_t)packet->count;
	uint64_t first;

	if ((block->form.stage != DMT_STAGE_C &&
	    block->form.stage != DMT_STAGE_E) ||
	    !block->begun || block->thread != packet->thread)
		return false;
	if (!cut && block->count != 0) {
		const uint16_t count = (uint16_t)(count_ends(in, len) /
		    number_count(&block->form));
		return stored != count &&
		    stored == (uint16_t)(count + block->count);
	}
	/* The counts do not show it: look at the first record. */
	return dmt_sleb_get(in, len, &first) > 0 &&
	    (first < ADDRESS_MIN || first >> 63 != 0);
}

void
dmt_v2_block_begin(struct dmt_v2_block *block,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool cut)
{
	const enum dmt_v2_stage stage = block->form.stage;

	block->continues = continues_flush(block, packet, in, len, cut);
	if (!block->continues) {
		block->word = packet->word;
		block->cpu = packet->cpu_us;
		block->wall = packet->wall_us;
	}
	block->first = stage == DMT_STAGE_B;
	block->begun = true;
	block->thread = packet->thread;
	block->count = (uint16_t)packet->count;
	block->in = in;
	block->end = in + len;
	block->cut = cut;
}

/*
 * The part of a payload that is decoded in one go. Numbers are not compared
 * with its end: if fewer bytes than the longest record are left, they are
 * copied, with zeros appended, where every number ends.
 */
struct v2_payload {
	const uint8_t *in;
	const uint8_t *end;
	const uint8_t *whole;		/* records that begin before this can
					   be decoded */
	uint8_t *rest;			/* REST_MAX bytes for the copy */
};

#define REST_MAX (2 * DMT_V2_RECORD_MAX)

DMT_INLINE struct v2_payload
begin_payload(const struct dmt_v2_block *block, uint8_t *rest)
{
	return (struct v2_payload){ block->in, block->end,
	    block->end - block->in < DMT_V2_RECORD_MAX ? block->in :
	    block->end - DMT_V2_RECORD_MAX + 1, rest };
}

/* Returns true if there is another record, of which DMT_V2_RECORD_MAX bytes can
 * be read. */
DMT_INLINE bool
has_record(struct v2_payload *payload)
{
	if (payload->in < payload->whole)
		return true;
	const size_t len = (size_t)(payload->end - payload->in);
	if (len == 0)
		return false;
	memset(payload->rest, 0, REST_MAX);
	memcpy(payload->rest, payload->in, len);
	payload->in = payload->rest;
	payload->end = payload->whole = payload->rest + len;
	return true;
}

/* Decodes a number of any length. false: it has more than 10 bytes. */
DMT_INLINE bool
next_number(const uint8_t **in, uint64_t *value)
{
	int used = dmt_leb_get_short(*in, true, value);

	if (DMT_UNLIKELY(used == 0))
		used = dmt_sleb_get(*in, DMT_LEB_MAX, value);
	*in += used;
	return used > 0;
}

/* The same for a difference of times. Most have the same length, so the
 * branches on the first two bytes are predicted well. */
DMT_INLINE bool
next_time_step(const uint8_t **in, uint64_t *value)
{
	const uint8_t *const at = *in;
	int used;

	if (at[0] < 0x80) {
		*value = at[0];
		used = 1;
	} else if (at[1] < 0x80) {
		*value = (at[0] & 0x7f) | (uint64_t)at[1] << 7;
		used = 2;
	} else {
		used = dmt_leb_get_short(at, false, value);
		if (DMT_UNLIKELY(used == 0))
			used = dmt_uleb_get(at, DMT_LEB_MAX, value);
	}
	*in = at + used;
	return used > 0;
}

/* Checks the record that ends at in; NULL: a number is too long. Returns
 * DMTRACE_OK, or the status of the block's end. */
DMT_INLINE enum dmtrace_status
check_record(const struct v2_payload *payload, const uint8_t *in)
{
	if (DMT_UNLIKELY(in == NULL))
		return DMTRACE_ERR_CORRUPT;
	return DMT_UNLIKELY(in > payload->end) ? DMTRACE_ERR_TRUNCATED :
	    DMTRACE_OK;
}

/* Returns true if a time may be lower than the previous one, or 2^63 or more:
 * steps has the bits of all count steps, ends those of the times before the
 * first step and after the last one. Otherwise no step is negative, and their
 * sum is less than 2^62. */
static bool
may_step_back(uint64_t steps, size_t count, uint64_t ends)
{
	return steps >> 48 != 0 || count >> 14 != 0 || ends >> 63 != 0;
}

/* Stages B, C and E: differences. The members of the form are constants
 * here. */
DMT_INLINE enum dmtrace_status
decode_differences(struct dmt_v2_block *block, const struct dmt_v2_columns *to,
    size_t capacity, size_t *count, bool has_cpu, bool has_wall, uint64_t mask)
{
	uint64_t *const words = to->words, *const cpus = to->cpu;
	uint64_t *const walls = to->wall;
	uint8_t rest[REST_MAX];
	struct v2_payload payload = begin_payload(block, rest);
	enum dmtrace_status status = DMTRACE_OK;
	uint64_t word = block->word, wall = block->wall, cpu = block->cpu;
	uint64_t steps = 0, reserved = 0;
	size_t i = 0;

	if (block->first && capacity > 0) {
		words[i] = word;
		if (has_wall)
			walls[i] = wall;
		if (has_cpu)
			cpus[i] = cpu;
		reserved = word & word >> 1;
		block->first = false;
		i++;
	}
	for (; i < capacity && has_record(&payload); i++) {
		uint64_t word_step = 0, wall_step = 0, cpu_step = 0;
		const uint8_t *in = payload.in;
		const bool is_good = next_number(&in, &word_step) &&
		    (!has_wall || next_time_step(&in, &wall_step)) &&
		    (!has_cpu || next_time_step(&in, &cpu_step));
		status = check_record(&payload, is_good ? in : NULL);
		if (DMT_UNLIKELY(status != DMTRACE_OK))
			break;
		payload.in = in;
		words[i] = word += word_step;
		if (has_wall)
			walls[i] = wall += wall_step;
		if (has_cpu)
			cpus[i] = cpu += cpu_step;
		steps |= wall_step | cpu_step;
		reserved |= word & word >> 1;
	}
	block->unusual = may_step_back(steps, i, block->wall | block->cpu |
	    wall | cpu) || ((wall | cpu) & ~mask) != 0 || (reserved & 1) != 0;
	for (size_t j = 0; block->unusual && j < i; j++) {
		if (has_wall)
			walls[j] &= mask;
		if (has_cpu)
			cpus[j] &= mask;
	}
	block->in = block->end - (payload.end - payload.in);
	block->word = word;
	block->wall = wall & mask;
	block->cpu = cpu & mask;
	*count = i;
	return status;
}

/* Stage F and the long-running dump: block->wall is the last number with a
 * time and an action, block->word the method of the last enter. The members of
 * the form are constants here, except tick_hz. */
DMT_INLINE enum dmtrace_status
decode_stage_f(struct dmt_v2_block *block, const struct dmt_v2_columns *columns,
    size_t capacity, size_t *count, bool has_both, unsigned bits)
{
	const unsigned mask = (1u << bits) - 1;
	uint8_t rest[REST_MAX];
	struct v2_payload payload = begin_payload(block, rest);
	uint64_t *const words = columns->words, *const cpu = columns->cpu;
	uint64_t *const first = block->form.wall ? columns->wall : cpu;
	uint64_t word = block->word, time = block->wall, last_cpu = 0;
	uint64_t steps = 0, reserved = 0;
	enum dmtrace_status status = DMTRACE_OK;
	size_t i = 0;

	for (; i < capacity && has_record(&payload); i++) {
		uint64_t step = 0, next_cpu = 0, method = 0;
		const uint8_t *in = payload.in;
		bool is_good = next_number(&in, &step) &&
		    (!has_both || next_number(&in, &next_cpu));
		const uint64_t action = (time + step) & mask;
		if (is_good && action == DMTRACE_ENTER)
			is_good = next_number(&in, &method);
		status = check_record(&payload, is_good ? in : NULL);
		if (DMT_UNLIKELY(status != DMTRACE_OK))
			break;
		payload.in = in;
		time += step;
		word += method;
		words[i] = action == DMTRACE_ENTER ? word & ~UINT64_C(3) :
		    action;
		first[i] = time >> bits;
		if (has_both)
			cpu[i] = next_cpu;
		steps |= step | (next_cpu - last_cpu);
		last_cpu = next_cpu;
		reserved |= action & action >> 1;
	}
	block->unusual = reserved != 0 ||
	    may_step_back(steps, i, block->wall | time);
	block->in = block->end - (payload.end - payload.in);
	block->word = word;
	block->wall = time;
	*count = i;
	return status;
}

/* Returns whether a time is before the one before it, or 2^63 or more. */
static bool
convert_ticks(uint64_t *times, size_t count, uint64_t hz)
{
	uint64_t last_ns = 0;
	bool unusual = false;

	for (size_t i = 0; i < count; i++) {
		times[i] = times[i] / hz * NS_PER_S +
		    times[i] % hz * NS_PER_S / hz;
		unusual |= times[i] < last_ns || times[i] >> 63 != 0;
		last_ns = times[i];
	}
	return unusual;
}

static enum dmtrace_status
decode_with_actions(struct dmt_v2_block *block,
    const struct dmt_v2_columns *to, size_t capacity, size_t *count)
{
	const struct dmt_v2_form *const form = &block->form;
	const bool has_both = form->cpu && form->wall;
	enum dmtrace_status status;

	if (form->stage == DMT_STAGE_LONG)
		status = decode_stage_f(block, to, capacity, count, has_both,
		    1);
	else if (has_both)
		status = decode_stage_f(block, to, capacity, count, true, 2);
	else
		status = decode_stage_f(block, to, capacity, count, false, 2);
	if (form->tick_hz != 0 && form->tick_hz != NS_PER_S &&
	    convert_ticks(form->wall ? to->wall : to->cpu, *count,
	    form->tick_hz))
		block->unusual = true;
	return status;
}

enum dmtrace_status
dmt_v2_block_decode(struct dmt_v2_block *block,
    const struct dmt_v2_columns *to, size_t capacity, size_t *count)
{
	const bool cpu = block->form.cpu, wall = block->form.wall;
	const bool is_ns = block->form.stage >= DMT_STAGE_E;

	if (block->form.stage >= DMT_STAGE_F)
		return decode_with_actions(block, to, capacity, count);
	if (cpu && wall && is_ns)
		return decode_differences(block, to, capacity, count, true,
		    true, UINT64_MAX);
	if (cpu && wall)
		return decode_differences(block, to, capacity, count, true,
		    true, UINT32_MAX);
	return decode_differences(block, to, capacity, count, cpu, wall,
	    is_ns ? UINT64_MAX : UINT32_MAX);
}
