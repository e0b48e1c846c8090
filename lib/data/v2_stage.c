/* v2_stage.c - detects the stage of a trace in format V2 */

/*
 * The stages share their version numbers, and most bytes of one stage can be
 * decoded as another. What dmtrace wrote has a mark in its header, and a file
 * of stage F may be recognised by the counter there. Otherwise the first window
 * of the file is decoded as each stage, and every record is judged. It is bad
 * if its time is before that of the previous record, if its action is reserved
 * or if no method can have its id; it is good if its method was announced; an
 * exit of stage F, which has no method, is good only after a good enter.
 * Methods need not be listed (the VM's proxies never are), so a record of one
 * that was not is fair in a block whose records end exactly at its end, and are
 * as many as its header says, and in a long one that goes on after the window;
 * in any other block it is bad, or proves nothing. A fair record counts half as
 * much as a good one: a wrong stage, too, may decode a small block completely.
 *
 * With the right stage nearly all records are good or fair. With a wrong one
 * hardly any are, or the decoder stops at an impossible number or packet. So
 * once a stage has a thousand good records and few bad ones, the others are
 * not tried. That a stage decodes the window to the end, or not, proves
 * nothing by itself: the right one fails in a damaged file. Of two stages that
 * are as good, the one that decodes more of the window is taken.
 *
 * Stages C and E differ only in the unit of times. C cannot store a difference
 * of 2^32 or more. The header's start is a time since boot in the same unit:
 * three years are 10^14 us, and 17 minutes are 10^12 ns.
 */

#include "data/v2_stage.h"

#include <string.h>

#include "base/bytes.h"
#include "data/v2_decode.h"
#include "data/v2_encode.h"

#define BATCH 256
#define START_US_MAX UINT64_C(100000000000000)
#define CONVINCING 1000		/* good records, */
#define FEW 16			/* and at most one bad in so many */
#define START_NS_MIN UINT64_C(1000000000000)

/* The records of a block, or of the window. */
struct verdicts {
	int64_t good;
	int64_t fair;		/* of methods that were not announced */
	int64_t bad;
};

/* Methods that were announced. */
struct announced {
	const struct dmt_idmap *before;	/* before the window, */
	struct dmt_idmap here;		/* and in it, as one stage reads it */
};

/* The result of trying a stage. */
struct trial {
	struct verdicts records;
	size_t open;		/* good enters in a block that have no exit
				   yet */
	size_t decoded;		/* bytes of the window */
	bool wide;		/* some differences are 2^32 or more, */
	bool back_32;		/* or between 2^31 and 2^32 */
};

struct dmt_v2_form
dmt_v2_form_of(const struct dmt_v2_header *header, enum dmt_v2_stage stage)
{
	return (struct dmt_v2_form){
		.stage = stage,
		.cpu = (header->version & 1) != 0,
		.wall = true,
		.tick_hz = stage == DMT_STAGE_F ? header->tick_hz : 0,
	};
}

bool
dmt_v2_header_stage(const struct dmt_v2_header *header,
    enum dmt_v2_stage *stage)
{
	if (header->start_ticks != 0 || header->tick_hz != 0) {
		*stage = DMT_STAGE_F;
		return true;
	}
	for (enum dmt_v2_stage marked = DMT_STAGE_B; marked < DMT_STAGE_F;
	    marked++)
		if (header->mark == dmt_v2_stage_mark(marked)) {
			*stage = marked;
			return true;
		}
	return false;
}

static bool
was_announced(const struct announced *announced, uint64_t id)
{
	return dmt_idmap_find(announced->before, id) != NULL ||
	    dmt_idmap_find(&announced->here, id) != NULL;
}

static void
judge_event(struct trial *trial, struct verdicts *block, uint64_t word,
    uint64_t step, bool ns, bool has_method, const struct announced *announced)
{
	const uint64_t id = word & ~UINT64_C(3);
	const uint64_t step_ns = ns ? step : step * 1000;

	/* In another stage, an exit of method 0 is what remains of an exit of
	 * stage F; it proves nothing. */
	if (has_method && word == DMTRACE_EXIT)
		return;
	trial->wide |= step_ns >> 32 != 0 && step_ns >> 63 == 0;
	trial->back_32 |= step_ns >> 31 == 1;
	if (step_ns >> 63 != 0 || (word & 3) == DMTRACE_RESERVED ||
	    (has_method && id >> 63 != 0)) {
		block->bad++;
	} else if (has_method) {
		const bool good = was_announced(announced, id);

		block->good += good;
		block->fair += !good;
		trial->open += good;
	} else if (trial->open > 0) {
		/* An exit without a method is as good as its enter. */
		block->good++;
		trial->open--;
	}
}

/* Stages from C on store the number of records, B one less; modulo 65,536. */
static bool
has_count(const struct dmt_v2_block *block, uint64_t count)
{
	return (uint16_t)(count - (block->form.stage == DMT_STAGE_B)) ==
	    block->count;
}

/* Judges the records of a block, of which the window may have a part only.
 * Returns the status of its end. */
static enum dmtrace_status
judge_block(struct trial *trial, struct dmt_v2_block *block,
    const struct announced *announced)
{
	uint64_t words[BATCH], cpu[BATCH], wall[BATCH];
	const struct dmt_v2_columns columns = { words, cpu, wall };
	const enum dmt_v2_stage stage = block->form.stage;
	struct verdicts records = { 0 };
	enum dmtrace_status status;
	/* A block that was split continues from the previous time. */
	uint64_t last = stage == DMT_STAGE_E ? block->wall : 0;
	uint64_t total = 0;
	size_t count;

	trial->open = 0;
	do {
		status = dmt_v2_block_decode(block, &columns, BATCH, &count);
		for (size_t i = 0; i < count; i++) {
			judge_event(trial, &records, words[i], wall[i] - last,
			    stage >= DMT_STAGE_E, stage < DMT_STAGE_F ||
			    (words[i] & 3) == DMTRACE_ENTER, announced);
			last = wall[i];
		}
		total += count;
	} while (status == DMTRACE_OK && count > 0);
	/* A block that continues a flush counts all records of the flush. */
	if (block->cut ? total >= CONVINCING : status == DMTRACE_OK &&
	    (block->continues || has_count(block, total)))
		trial->records.fair += records.fair;
	else if (!block->cut)
		trial->records.bad += records.fair;
	trial->records.good += records.good;
	trial->records.bad += records.bad;
	return status;
}

/* Decodes the window in a form, until it ends or cannot be of that form. */
static enum dmtrace_status
try_form(struct trial *trial, const struct dmt_v2_form *form,
    struct announced *announced, const uint8_t *in, size_t len, bool ended)
{
	struct dmt_v2_block block = { .form = *form };
	struct dmt_v2_packet packet;
	const uint8_t *const first = in;
	size_t used, size;

	*trial = (struct trial){ .decoded = 0 };
	for (; dmt_v2_packet_decode(&packet, form, in, len, &used) ==
	    DMTRACE_OK; in += used, len -= used) {
		if (packet.type == DMT_V2_METHOD &&
		    dmt_idmap_at(&announced->here, packet.method) == NULL)
			return DMTRACE_ERR_MEMORY;
		if (packet.type != DMT_V2_EVENTS)
			continue;
		const enum dmtrace_status status = dmt_v2_block_measure(&size,
		    form, &packet, in + used, len - used, ended);
		if (status == DMTRACE_ERR_CORRUPT)
			break;
		dmt_v2_block_begin(&block, &packet, in + used, size,
		    status != DMTRACE_OK);
		if (judge_block(trial, &block, announced) != DMTRACE_OK ||
		    status != DMTRACE_OK)
			break;
		used += size;
	}
	trial->decoded = (size_t)(in - first);
	return DMTRACE_OK;
}

static int64_t
score_of(const struct trial *trial)
{
	return 2 * trial->records.good + trial->records.fair -
	    2 * trial->records.bad;
}

/* Returns true if the first trial explains the window better. */
static bool
is_better(const struct trial *trial, const struct trial *other)
{
	const int64_t score = score_of(trial), best = score_of(other);

	return score != best ? score > best : trial->decoded > other->decoded;
}

/* Distinguishes stage C, microseconds, from stage E, nanoseconds, by the
 * times. *guessed: neither the start nor the events decide it. */
static enum dmt_v2_stage
find_unit(const struct dmt_v2_header *header, const struct trial *trial,
    bool *guessed)
{
	if (trial->wide || header->start >= START_US_MAX)
		return DMT_STAGE_E;
	*guessed = true;
	return header->start < START_NS_MIN || trial->back_32 ?
	    DMT_STAGE_C : DMT_STAGE_E;
}

enum dmtrace_status
dmt_v2_stage_find(struct dmt_v2_evidence *evidence,
    const struct dmt_v2_header *header, const struct dmt_idmap *announced,
    const uint8_t *in, size_t len, bool ended)
{
	static const enum dmt_v2_stage stages[] = {
		DMT_STAGE_E, DMT_STAGE_B, DMT_STAGE_F
	};
	struct trial best;

	*evidence = (struct dmt_v2_evidence){ .is_certain = true };
	if (dmt_v2_header_stage(header, &evidence->stage))
		return DMTRACE_OK;
	if (len > DMT_V2_STAGE_WINDOW) {
		len = DMT_V2_STAGE_WINDOW;
		ended = false;
	}
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		const struct dmt_v2_form form =
		    dmt_v2_form_of(header, stages[i]);
		struct announced known = { .before = announced };
		struct trial trial;
		const enum dmtrace_status status =
		    try_form(&trial, &form, &known, in, len, ended);

		dmt_idmap_fini(&known.here);
		if (status != DMTRACE_OK)
			return status;
		if (i > 0 && !is_better(&trial, &best))
			continue;
		best = trial;
		evidence->stage = stages[i];
		if (trial.records.good >= CONVINCING &&
		    trial.records.bad <= trial.records.good / FEW)
			break;
	}
	evidence->is_certain = best.records.good > best.records.bad ||
	    score_of(&best) >= CONVINCING;
	if (evidence->stage == DMT_STAGE_E)
		evidence->stage = find_unit(header, &best,
		    &evidence->unit_guessed);
	return DMTRACE_OK;
}

static bool
is_v2_packet(const uint8_t *bytes, size_t len);

/* Returns true if a packet of size bytes is in the window, and another packet
 * follows it. */
static bool
has_packet_after(size_t size, const uint8_t *bytes, size_t len)
{
	return size < len && is_v2_packet(bytes + size, len - size);
}

/* Returns true if the text of a packet may be a name: it has no control bytes,
 * as far as it is in the window, or another packet follows it. */
static bool
has_v2_name(size_t front, size_t text, const uint8_t *bytes, size_t len)
{
	size_t i = front;

	while (i < len && i < front + text &&
	    (bytes[i] >= ' ' || bytes[i] == '\t' || bytes[i] == '\n'))
		i++;
	return (text > 0 && (i == len || i == front + text)) ||
	    has_packet_after(front + text, bytes, len);
}

/* Returns true if a packet of a dump may begin there. Zeros alone are none. */
static bool
is_v2_packet(const uint8_t *bytes, size_t len)
{
	uint8_t head[12] = { 0 };	/* the file may be no longer */
	if (len > 0)
		memcpy(head, bytes, len < sizeof(head) ? len : sizeof(head));
	const uint32_t thread = dmt_get_le32(head + 1);
	const uint64_t id = dmt_get_le64(head + 1);
	const size_t count = dmt_get_le16(head + 5);
	const size_t size = dmt_get_le32(head + 8);
	const size_t front = head[0] == DMT_V2_THREAD ? 7 : 11;
	const size_t text = dmt_get_le16(head + front - 2);

	if (len <= front)
		return false;
	switch (head[0]) {
	case DMT_V2_EVENTS:
		/* The third byte of the count is 0, and every exit takes at
		 * least a byte. */
		return thread < DMT_V2_THREADS_MAX &&
		    head[7] == 0 && size >= count &&
		    size < DMT_V2_BLOCK_MAX &&
		    (size > 0 || has_packet_after(12, bytes, len)) &&
		    (count == 0 || size > UINT16_MAX ||
		    size <= count * DMT_V2_RECORD_MAX);
	case DMT_V2_THREAD:
		return (thread > 0 || text > 0) &&
		    thread < DMT_V2_THREADS_MAX &&
		    has_v2_name(front, text, bytes, len);
	case DMT_V2_METHOD:
		return (id > 0 || text > 0) && id % 4 == 0 && id >> 56 == 0 &&
		    has_v2_name(front, text, bytes, len);
	case DMT_V2_SUMMARY:		/* the end of a dump, which may come
					   first */
		return id > 0 && id >> 62 == 0 &&
		    has_packet_after(17, bytes, len) &&
		    bytes[17] < DMT_V2_SUMMARY;
	default:
		return false;
	}
}

bool
dmt_v2_dump_recognises(const uint8_t *bytes, size_t len)
{
	return is_v2_packet(bytes, len < DMT_V2_DUMP_LOOK ?
	    len : DMT_V2_DUMP_LOOK);
}
