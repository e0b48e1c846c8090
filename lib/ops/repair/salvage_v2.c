/* salvage_v2.c - copies the undamaged packets of a file of format V2 */

/*
 * A packet that can be decoded is copied. A block is valid if its last number
 * ends at its end and its count is right. Of any other block, the events up to
 * the first incomplete number or unknown method are kept, as a block of their
 * own. The block's count says how many events it had; the missing ones are
 * counted as lost, and so are those of a block that continues a lost one.
 *
 * Where no packet can be decoded, or a damaged block may be longer or shorter
 * than it says, the next position is searched where a packet begins that is
 * hardly there by accident: the line of a method, a summary, a block of a
 * known thread whose events have known methods, or several packets in a row.
 */

#include "ops/repair/salvage.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "data/v2_decode.h"
#include "data/v2_encode.h"
#include "data/v2_stage.h"
#include "key/line_text.h"
#include "key/parse.h"
#include "private/text.h"
#include "trace/container.h"
#include "trace/v2_read.h"

enum {
	SEARCHED = 8 * 1024 * 1024,	/* bytes that are searched at a time */
	OVERLAP = 1024 * 1024,		/* and that overlap with the next
					   ones */
	BATCH = 2048,			/* events; a block of stage B can hold
					   them */
	JUDGED = 64,			/* events of a block that a search
					   checks */
	LOOKED_AT = 4			/* packets in a row */
};

/* How certain it is that a packet begins at a position. ODD: its text has
 * control characters, or is empty, or it is of thread 0. */
enum sure { NO_PACKET, ODD, MAYBE, SURE };

struct v2_salvage {
	struct dmt_salvage *salvage;
	struct dmt_v2_header header;
	struct dmt_v2_form form;
	bool has_stage;			/* form.stage is known: there was a
					   block */
	struct dmt_idmap threads;	/* announced numbers */
	struct dmt_idmap methods;
	struct dmt_v2_block block;	/* the previous block */
	bool lost;			/* some of its events are lost */
	uint64_t words[BATCH];		/* events as columns, */
	uint64_t cpu[BATCH];
	uint64_t wall[BATCH];
	struct dmtrace_event events[BATCH];	/* and as rows */
	uint8_t encoded[];
};

/* The result of decoding a damaged block. */
struct judged {
	uint64_t whole;			/* events that can be decoded, */
	uint64_t known;			/* and that precede the first one of an
					   unknown method */
	size_t rest;			/* bytes that follow the decoded ones */
};

static bool
is_known_id(const struct dmt_idmap *ids, uint64_t id)
{
	return ids->count == 0 || dmt_idmap_find(ids, id) != NULL;
}

/* Returns true if the method of a word is known; an exit of stage F has
 * none. */
static bool
is_known_word(const struct v2_salvage *run, uint64_t word)
{
	return (dmt_v2_has_bare_exits(run->form.stage) &&
	    (word & 3) != DMTRACE_ENTER) ||
	    is_known_id(&run->methods, word & ~UINT64_C(3));
}

/* Searching packets. */

static bool
is_summary(const uint8_t *text, size_t len)
{
	return dmt_text_begins((struct dmtrace_text){ (const char *)text,
	    len }, "*version");
}

/* Judges the first events of a block, whose payload has len bytes. */
static enum sure
judge_first(const struct v2_salvage *run, const struct dmt_v2_packet *packet,
    const uint8_t *in, size_t len)
{
	struct dmt_v2_block block = { .form = run->form };
	uint64_t words[JUDGED], cpu[JUDGED], wall[JUDGED];
	const struct dmt_v2_columns to = { words, cpu, wall };
	size_t count;

	if (packet->thread >= DMT_V2_THREADS_MAX || (packet->thread == 0 &&
	    dmt_idmap_find(&run->threads, 0) == NULL) ||
	    !is_known_id(&run->threads, packet->thread))
		return NO_PACKET;
	dmt_v2_block_begin(&block, packet, in, len, false);
	if (dmt_v2_block_decode(&block, &to, JUDGED, &count) != DMTRACE_OK ||
	    count == 0)
		return NO_PACKET;
	for (size_t i = 0; i < count; i++)
		if (!is_known_word(run, words[i]))
			return MAYBE;	/* it may continue in another block */
	return SURE;
}

/* Judges the text of a packet that is usual if it is plain. */
static enum sure
judge_text(const uint8_t *bytes, size_t len, enum sure usual)
{
	const struct dmtrace_text text = { (const char *)bytes, len };

	if (dmt_text_is_plain(text))
		return usual;
	return dmt_text_holds(text, '\0') || dmt_text_holds(text, '\n') ?
	    NO_PACKET : ODD;
}

static enum sure
judge_thread(const struct dmt_v2_packet *packet)
{
	const bool zero = packet->thread == 0, nameless = packet->text_len == 0;

	if (packet->thread >= DMT_V2_THREADS_MAX || (zero && nameless))
		return NO_PACKET;
	return judge_text(packet->text, packet->text_len,
	    zero || nameless ? ODD : MAYBE);
}

/* Judges if a packet of *len bytes begins at in. */
static enum sure
look_at_packet(const struct v2_salvage *run, const uint8_t *in, size_t len,
    bool ended, size_t *used)
{
	struct dmt_v2_packet packet;
	size_t size;

	if (dmt_v2_packet_decode(&packet, &run->form, in, len, used) !=
	    DMTRACE_OK)
		return NO_PACKET;
	switch (packet.type) {
	case DMT_V2_THREAD:
		return judge_thread(&packet);
	case DMT_V2_METHOD:
		return packet.method % 4 == 0 && packet.text_len > 1 &&
		    packet.text[packet.text_len - 1] == '\n' ?
		    judge_text(packet.text, packet.text_len - 1, SURE) :
		    NO_PACKET;
	case DMT_V2_EVENTS:
		if (dmt_v2_block_measure(&size, &run->form, &packet,
		    in + *used, len - *used, ended) != DMTRACE_OK)
			return NO_PACKET;
		*used += size;
		if (*used < len && in[*used] > DMT_V2_SUMMARY)
			return NO_PACKET;
		return judge_first(run, &packet, in + *used - size, size);
	case DMT_V2_END:
		return MAYBE;
	default:
		return is_summary(packet.text, packet.text_len) ? SURE :
		    NO_PACKET;
	}
}

/* Returns true if packets follow at in, or the file may end there. */
static bool
packets_follow(const struct v2_salvage *run, const uint8_t *in, size_t len,
    bool ended)
{
	for (int i = 0; i < LOOKED_AT && len > 0; i++) {
		size_t used;
		const enum sure sure =
		    look_at_packet(run, in, len, ended, &used);

		if (sure == NO_PACKET || sure == SURE)
			return sure == SURE;
		in += used;
		len -= used;
	}
	return true;
}

/* Returns the next position from from on where packets follow; len: none. */
static size_t
find_packets(const struct v2_salvage *run, const uint8_t *in, size_t from,
    size_t len, bool ended)
{
	size_t used;

	for (; from < len; from++)
		if (in[from] <= DMT_V2_SUMMARY &&
		    look_at_packet(run, in + from, len - from, ended, &used) !=
		    ODD &&
		    packets_follow(run, in + from, len - from, ended))
			break;
	return from;
}

/* Blocks. */

static struct judged
judge_damaged_block(struct v2_salvage *run, struct dmt_v2_block block)
{
	const struct dmt_v2_columns to = { run->words, run->cpu, run->wall };
	struct judged judged = { .whole = 0 };
	enum dmtrace_status status;
	bool known = true;
	size_t count;

	do {
		status = dmt_v2_block_decode(&block, &to, BATCH, &count);
		for (size_t i = 0; i < count; i++) {
			known = known && is_known_word(run, run->words[i]);
			judged.known += known;
		}
		judged.whole += count;
	} while (status == DMTRACE_OK && count > 0);
	judged.rest = (size_t)(block.end - block.in);
	return judged;
}

/* Writes the first count events of a block, as complete blocks. */
static void
put_events(struct v2_salvage *run, struct dmt_v2_block block, uint64_t count)
{
	const struct dmt_v2_columns from = { run->words, run->cpu, run->wall };
	const struct dmt_v2_form *const form = &run->form;
	const unsigned unit_ns = dmt_v2_has_ns(form->stage) ? 1 : 1000;
	size_t got = 0, len;

	for (; count > 0; count -= got) {
		dmt_v2_block_decode(&block, &from,
		    count < BATCH ? (size_t)count : BATCH, &got);
		for (size_t i = 0; i < got; i++)
			run->events[i] = (struct dmtrace_event){
				.method = run->words[i] & ~UINT64_C(3),
				.action = (enum dmtrace_action)
				    (run->words[i] & 3),
				.thread = block.thread,
				.cpu_ns = form->cpu ? run->cpu[i] * unit_ns :
				    DMTRACE_NO_TIME,
				.wall_ns = form->wall ? run->wall[i] *
				    unit_ns : DMTRACE_NO_TIME
			};
		if (got == 0 || dmt_v2_block_encode(run->encoded, &len,
		    &run->form, run->events, got, true) != DMTRACE_OK)
			break;
		dmt_salvage_put(run->salvage, run->encoded, len);
	}
	dmt_salvage_note(run->salvage, DMT_STREAM_BLOCK_DAMAGED, count,
	    run->salvage->in->offset);
}

/* Keeps as much as possible of a block that is not valid, and counts the rest
 * as lost; before is the count of the previous block. */
static void
salvage_block(struct v2_salvage *run, const struct dmt_v2_block *block,
    uint16_t before)
{
	const struct judged judged = judge_damaged_block(run, *block);
	uint64_t had = block->count, kept = 0;

	if (!block->continues || !run->lost) {
		kept = judged.known;
		put_events(run, *block, kept);
	}
	if (run->form.stage == DMT_STAGE_B)
		had++;
	if (block->continues)
		had = (uint16_t)(had - before);
	/* Counts are modulo 65,536. A count that is slightly too low is
	 * wrong. */
	while (judged.whole > had + UINT16_MAX / 2)
		had += UINT16_MAX + 1;
	if (had < judged.whole)
		had = judged.whole;
	if (had > kept)
		dmt_salvage_note(run->salvage, DMT_STREAM_BLOCK_DAMAGED,
		    had - kept, run->salvage->in->offset);
	else if (judged.rest == 0)
		dmt_salvage_note(run->salvage, DMT_STREAM_BLOCK_SIZE, 1,
		    run->salvage->in->offset);
	else
		dmt_salvage_note(run->salvage, DMT_STREAM_PACKET_UNKNOWN,
		    judged.rest, run->salvage->in->offset);
	run->lost = true;
}

/* Finds the stage by the packets at in, if nothing has shown it yet. */
static bool
find_damaged_stage(struct v2_salvage *run, const uint8_t *in, size_t len,
    bool ended)
{
	struct dmt_v2_evidence found;

	if (run->has_stage)
		return true;
	if (dmt_v2_stage_find(&found, &run->header, &run->methods, in, len,
	    ended) != DMTRACE_OK) {
		dmt_error_memory(&run->salvage->error);
		return false;
	}
	run->form = dmt_v2_form_of(&run->header, found.stage);
	run->block.form = run->form;
	return true;
}

/* Handles the block at the input. Returns its size; 0: it is not a block. */
static size_t
take_block(struct v2_salvage *run, const struct dmt_v2_packet *packet,
    size_t used)
{
	struct dmt_input *const in = run->salvage->in;
	const struct dmt_v2_block before = run->block;
	struct dmt_v2_block block = before;
	const uint8_t *bytes;
	size_t size;
	const enum dmtrace_status status = dmt_v2_find_block(in, &run->form,
	    packet, used, &bytes, &size);

	if (status == DMTRACE_OK || status == DMTRACE_ERR_TRUNCATED)
		dmt_v2_block_begin(&block, packet, bytes + used, size,
		    status != DMTRACE_OK);
	if (status == DMTRACE_OK) {
		const struct judged judged = judge_damaged_block(run, block);
		const uint64_t count = judged.whole +
		    (block.continues ? before.count : 0) -
		    (run->form.stage == DMT_STAGE_B);

		if (judged.rest == 0 && !(block.continues && run->lost) &&
		    ((uint16_t)count == block.count ||
		    judged.known == judged.whole)) {
			dmt_salvage_put(run->salvage, bytes, used + size);
			run->block = block;
			run->lost = false;
			return used + size;
		}
	}
	if (!is_known_id(&run->threads, packet->thread))
		return 0;

	const size_t len = dmt_input_peek(in, SEARCHED, &bytes);
	size_t end = used + size;
	if (status != DMTRACE_OK || end > len ||
	    !packets_follow(run, bytes + end, len - end, in->ended))
		end = find_packets(run, bytes, used, len, in->ended);
	if (status == DMTRACE_ERR_TRUNCATED && end == len)
		dmt_salvage_note(run->salvage, DMT_STREAM_TRUNCATED, 1,
		    in->offset);
	dmt_v2_block_begin(&run->block, packet, bytes + used, end - used,
	    status != DMTRACE_OK);
	salvage_block(run, &run->block, before.count);
	return end;
}

/* Packets. */

/* Copies the summary at the input, and drops what follows it. */
static void
salvage_v2_summary(struct v2_salvage *run, const uint8_t *bytes, size_t len)
{
	struct dmt_salvage *const salvage = run->salvage;
	struct dmt_input *const in = salvage->in;
	struct dmt_output made = { 0 };

	const size_t used = 3 + dmt_salvage_summary(salvage, &made, bytes + 3,
	    dmt_get_le16(bytes + 1), len - 3, in->offset);
	if (made.len > 0 && made.len <= UINT16_MAX) {
		const struct dmt_v2_packet packet = {
			.type = DMT_V2_SUMMARY,
			.text = (const uint8_t *)made.bytes,
			.text_len = (uint16_t)made.len
		};

		dmt_salvage_put(salvage, run->encoded, dmt_v2_packet_encode(
		    run->encoded, &run->form, &packet));
	}
	dmt_output_fini(&made);
	dmt_salvage_note(salvage, DMT_STREAM_TAIL,
	    dmt_input_size(in) - in->offset - used, in->offset + used);
}

/* As find_packets, from the second byte on; if nothing has shown the stage, of
 * any stage. */
static size_t
find_any_packets(struct v2_salvage *run, const uint8_t *in, size_t len,
    bool ended)
{
	static const enum dmt_v2_stage others[] = { DMT_STAGE_B, DMT_STAGE_F };
	const struct dmt_v2_form form = run->form;
	size_t next = find_packets(run, in, 1, len, ended);

	for (size_t i = 0; !run->has_stage &&
	    i < sizeof(others) / sizeof(others[0]); i++) {
		run->form = dmt_v2_form_of(&run->header, others[i]);
		const size_t at = find_packets(run, in, 1, len, ended);
		if (at < next)
			next = at;
	}
	run->form = form;
	return next;
}

/* Skips to the next packet that can be decoded, and reports that. Returns how
 * many bytes are skipped. */
static size_t
skip_stray(struct v2_salvage *run)
{
	struct dmt_salvage *const salvage = run->salvage;
	struct dmt_input *const in = salvage->in;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(in, SEARCHED, &bytes);
	size_t used, at = find_any_packets(run, bytes, len, in->ended);

	if (at == len && in->ended && dmt_v2_packet_decode(&packet,
	    &run->form, bytes, len, &used) == DMTRACE_ERR_TRUNCATED) {
		dmt_change_add(&salvage->changes, DMT_STREAM_TRUNCATED, 1,
		    DMTRACE_PLACE_OFFSET, in->offset, "%zu bytes", len);
		return len;
	}
	if (at == len && !in->ended)
		at -= OVERLAP;
	dmt_salvage_note(salvage, DMT_STREAM_PACKET_UNKNOWN, at, in->offset);
	return at;
}

/* Copies or drops the next packet. Returns its size; 0: the end of the file,
 * or a summary. */
static size_t
salvage_v2_packet(struct v2_salvage *run)
{
	struct dmt_salvage *const salvage = run->salvage;
	struct dmt_input *const in = salvage->in;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	size_t used, len = dmt_input_peek(in, DMT_V2_STAGE_WINDOW, &bytes);

	if (len == 0)
		return 0;
	if (bytes[0] == DMT_V2_EVENTS) {
		if (!find_damaged_stage(run, bytes, len, in->ended))
			return 0;
		run->has_stage = true;
	}
	if (bytes[0] == DMT_V2_SUMMARY && run->form.stage != DMT_STAGE_LONG &&
	    len > 3 && is_summary(bytes + 3, len - 3)) {
		salvage_v2_summary(run, bytes, len);
		return 0;
	}
	const enum dmtrace_status status =
	    dmt_v2_packet_decode(&packet, &run->form, bytes, len, &used);
	if (status == DMTRACE_OK && packet.type == DMT_V2_EVENTS) {
		used = take_block(run, &packet, used);
		return used > 0 ? used : skip_stray(run);
	}
	if (status != DMTRACE_OK || packet.type == DMT_V2_SUMMARY ||
	    packet.thread >= DMT_V2_THREADS_MAX)
		return skip_stray(run);

	/* An unusual packet is accepted only if another packet follows it. */
	size_t same;
	const bool plain = look_at_packet(run, bytes, len, in->ended, &same) >
	    ODD;
	if (!plain && !find_damaged_stage(run, bytes, len, in->ended))
		return 0;
	len = plain ? len : dmt_input_peek(in, SEARCHED, &bytes);
	if (!plain && !packets_follow(run, bytes + used, len - used,
	    in->ended))
		return skip_stray(run);
	if ((packet.type == DMT_V2_THREAD &&
	    dmt_idmap_at(&run->threads, packet.thread) == NULL) ||
	    (packet.type == DMT_V2_METHOD &&
	    dmt_idmap_at(&run->methods, packet.method) == NULL)) {
		dmt_error_memory(&salvage->error);
		return 0;
	}
	if (packet.type == DMT_V2_END)
		dmt_salvage_put(salvage, bytes, used);
	else
		dmt_salvage_definition(salvage, bytes, used,
		    (struct dmtrace_text){ (const char *)packet.text,
		    packet.text_len }, in->offset);
	return used;
}

static bool
take_header(struct v2_salvage *run)
{
	struct dmt_salvage *const salvage = run->salvage;
	struct dmt_input *const in = salvage->in;
	uint8_t header[DMT_V2_HEADER_SIZE] = { 0 };
	enum dmt_v2_stage stage = DMT_STAGE_E;
	const uint8_t *bytes;
	size_t len = dmt_input_peek(in, sizeof(header), &bytes);

	if (!dmt_input_has_magic(in)) {	/* a dump has no magic */
		run->form = (struct dmt_v2_form){
			.stage = DMT_STAGE_LONG, .wall = true
		};
		run->block.form = run->form;
		run->has_stage = true;
		return true;
	}
	if (len > sizeof(header))
		len = sizeof(header);
	memcpy(header, bytes, len);
	if (len < sizeof(header))
		dmt_change_add(&salvage->changes, DMT_HEADER_TRUNCATED, 1,
		    DMTRACE_PLACE_OFFSET, 0, "after %zu bytes", len);
	dmt_v2_header_decode(&run->header, header);
	run->has_stage = dmt_v2_header_stage(&run->header, &stage);
	run->form = dmt_v2_form_of(&run->header, stage);
	run->block.form = run->form;
	dmt_salvage_put(salvage, header, sizeof(header));
	dmt_input_skip(in, len);
	return len == sizeof(header);
}

void
dmt_salvage_v2(struct dmt_salvage *salvage)
{
	struct dmt_input *const in = salvage->in;
	const uint64_t size = dmt_input_size(in);
	const size_t room = dmt_v2_block_room(BATCH);
	struct v2_salvage *const run = calloc(1, sizeof(*run) +
	    (room > DMT_V2_PACKET_MAX ? room : DMT_V2_PACKET_MAX));

	if (run == NULL) {
		dmt_error_memory(&salvage->error);
		return;
	}
	run->salvage = salvage;
	if (!dmt_salvage_know(salvage, &run->threads, &run->methods))
		dmt_error_memory(&salvage->error);
	size_t used = take_header(run) ? 1 : 0;
	while (used > 0 && salvage->error.status == DMTRACE_OK &&
	    dmt_op_progress(salvage->repair->op, in->offset, size) ==
	    DMTRACE_OK) {
		used = salvage_v2_packet(run);
		dmt_input_skip(in, used);
	}
	dmt_idmap_fini(&run->threads);
	dmt_idmap_fini(&run->methods);
	free(run);
}
