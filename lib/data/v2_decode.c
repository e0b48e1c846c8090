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
		const unsigned numbers = number_count(&block->form);
		/* The count of both blocks is larger, if it fits. */
		if (stored <= block->count &&
		    block->count + len / numbers <= UINT16_MAX)
			return false;
		const uint16_t count =
		    (uint16_t)(count_ends(in, len) / numbers);
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
 * Numbers have different lengths, so each would have to wait for the end of the
 * one before it, and in stage F the first number of a record says whether it
 * has another one. So the last bytes of all numbers within a window are found
 * first. Numbers are not compared with the end of the payload: if fewer bytes
 * are left than are read, they are copied, with zeros appended, where every
 * number ends.
 */
#define WINDOW 64
#define WINDOW_READ (WINDOW + 8)	/* 8 bytes of each number are read */

/* The next numbers in a window. */
struct v2_numbers {
	const uint8_t *window;
	unsigned at;			/* of the next one */
	uint64_t ends;			/* a bit for its last byte, and for
					   those of the others */
};

/* What is left of a payload. */
struct v2_payload {
	struct v2_numbers next;
	size_t left;			/* bytes of the window and after it */
	bool copied;
	uint8_t rest[2 * WINDOW_READ];	/* the copy */
};

static void
begin_payload(struct v2_payload *payload, const struct dmt_v2_block *block)
{
	payload->next = (struct v2_numbers){ .window = block->in };
	payload->left = (size_t)(block->end - block->in);
	payload->copied = false;
}

/* Returns the bits of the ends after the first one. */
DMT_INLINE uint64_t
skip_end(uint64_t ends)
{
	return ends & (ends - 1);
}

/* Moves the window to the next number. false: that was the last one. */
static bool
move_window(struct v2_payload *payload)
{
	const uint8_t *in = payload->next.window + payload->next.at;
	uint64_t ends = 0;

	payload->left -= payload->next.at;
	payload->next = (struct v2_numbers){ .window = in };
	if (payload->left == 0)
		return false;
	if (payload->left < WINDOW_READ && !payload->copied) {
		memset(payload->rest, 0, sizeof(payload->rest));
		memcpy(payload->rest, in, payload->left);
		payload->copied = true;
		payload->next.window = in = payload->rest;
	}
	/* The product has the top bits of eight bytes in its top byte. */
	for (unsigned i = 0; i < WINDOW; i += 8)
		ends |= (~dmt_get_le64(in + i) >> 7 &
		    UINT64_C(0x0101010101010101)) *
		    UINT64_C(0x0102040810204080) >> 56 << i;
	/* A number that is too long to end in the window is refused for its
	 * length, wherever it ends. */
	if (skip_end(skip_end(ends)) == 0)
		ends |= UINT64_C(7) << (WINDOW - 3);
	payload->next.ends = ends;
	return true;
}

/* Returns true if there is another record. Three numbers can be decoded. */
DMT_INLINE bool
has_record(struct v2_payload *payload)
{
	return (skip_end(skip_end(payload->next.ends)) != 0 &&
	    payload->next.at < payload->left) || move_window(payload);
}

/* Decodes a number of any length. false: it has more than 10 bytes. */
DMT_INLINE bool
next_number(struct v2_numbers *next, bool is_signed, uint64_t *value)
{
	const uint8_t *const in = next->window + next->at;
	const unsigned end = (unsigned)dmt_first_bit(next->ends) + 1;
	const unsigned size = end - next->at;

	next->at = end;
	next->ends = skip_end(next->ends);
	if (DMT_LIKELY(size <= 4))
		*value = dmt_leb_get_4(in, size, is_signed);
	else if (DMT_LIKELY(size <= 8))
		*value = dmt_leb_get_8(in, size, is_signed);
	else
		return is_signed ? dmt_sleb_get(in, size, value) > 0 :
		    dmt_uleb_get(in, size, value) > 0;
	return true;
}

/* The same for a difference of times. Of microseconds, nearly all have one
 * byte. */
DMT_INLINE bool
next_time_step(struct v2_numbers *next, bool is_ns, uint64_t *value)
{
	const uint8_t first = next->window[next->at];

	if (is_ns || first >= 0x80)
		return next_number(next, false, value);
	*value = first;
	next->at++;
	next->ends = skip_end(next->ends);
	return true;
}

/* Checks the numbers of a record, which end before next. Returns DMTRACE_OK,
 * or the status of the block's end. */
DMT_INLINE enum dmtrace_status
check_record(const struct v2_payload *payload, bool is_good,
    const struct v2_numbers *next)
{
	if (DMT_UNLIKELY(!is_good))
		return DMTRACE_ERR_CORRUPT;
	return DMT_UNLIKELY(next->at > payload->left) ? DMTRACE_ERR_TRUNCATED :
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
    size_t capacity, size_t *count, bool has_cpu, bool has_wall, bool is_ns)
{
	const uint64_t mask = is_ns ? UINT64_MAX : UINT32_MAX;
	uint64_t *const words = to->words, *const cpus = to->cpu;
	uint64_t *const walls = to->wall;
	struct v2_payload payload;
	enum dmtrace_status status = DMTRACE_OK;
	uint64_t word = block->word, wall = block->wall, cpu = block->cpu;
	uint64_t steps = 0, reserved = 0;
	size_t i = 0;

	begin_payload(&payload, block);
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
		struct v2_numbers next = payload.next;
		const bool is_good = next_number(&next, true, &word_step) &&
		    (!has_wall || next_time_step(&next, is_ns, &wall_step)) &&
		    (!has_cpu || next_time_step(&next, is_ns, &cpu_step));
		status = check_record(&payload, is_good, &next);
		if (DMT_UNLIKELY(status != DMTRACE_OK))
			break;
		payload.next = next;
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
	block->in = block->end - (payload.left - payload.next.at);
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
	struct v2_payload payload;
	uint64_t *const words = columns->words, *const cpu = columns->cpu;
	uint64_t *const first = block->form.wall ? columns->wall : cpu;
	uint64_t word = block->word, time = block->wall, last_cpu = 0;
	uint64_t steps = 0, reserved = 0;
	enum dmtrace_status status = DMTRACE_OK;
	size_t i = 0;

	begin_payload(&payload, block);
	for (; i < capacity && has_record(&payload); i++) {
		uint64_t step = 0, next_cpu = 0, method = 0;
		struct v2_numbers next = payload.next;
		const uint8_t *const in = next.window + next.at;
		bool is_good = next_number(&next, true, &step) &&
		    (!has_both || next_number(&next, true, &next_cpu));
		/* No branch on the action, which cannot be predicted: a method
		 * is decoded in any case. */
		const uint64_t action = (time + *in) & mask;
		const bool enters = action == DMTRACE_ENTER;
		const uint64_t kept = enters ? UINT64_MAX : 0;
		struct v2_numbers after = next;
		const bool has_method = next_number(&after, true, &method);
		is_good = is_good && (has_method || !enters);
		next.at ^= (next.at ^ after.at) & (unsigned)kept;
		next.ends ^= (next.ends ^ after.ends) & kept;
		status = check_record(&payload, is_good, &next);
		if (DMT_UNLIKELY(status != DMTRACE_OK))
			break;
		payload.next = next;
		const uint64_t before = time >> bits;
		time += step;
		word += method & kept;
		words[i] = action | (word & kept & ~UINT64_C(3));
		first[i] = time >> bits;
		if (has_both)
			cpu[i] = next_cpu;
		steps |= ((time >> bits) - before) | (next_cpu - last_cpu);
		last_cpu = next_cpu;
		reserved |= action & action >> 1;
	}
	block->unusual = reserved != 0 ||
	    may_step_back(steps, i, block->wall | time);
	block->in = block->end - (payload.left - payload.next.at);
	block->word = word;
	block->wall = time;
	*count = i;
	return status;
}

/* Returns whether a time is before the one before it, or 2^63 or more. One of
 * more than 64 bits becomes the highest. */
static bool
convert_ticks(uint64_t *times, size_t count, uint64_t hz)
{
	uint64_t last_ns = 0;
	bool unusual = false;

	for (size_t i = 0; i < count; i++) {
		const uint64_t s = times[i] / hz;

		times[i] = s >= UINT64_MAX / NS_PER_S ? DMTRACE_NO_TIME - 1 :
		    s * NS_PER_S + times[i] % hz * NS_PER_S / hz;
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
		    true, true);
	if (cpu && wall)
		return decode_differences(block, to, capacity, count, true,
		    true, false);
	return decode_differences(block, to, capacity, count, cpu, wall,
	    is_ns);
}
