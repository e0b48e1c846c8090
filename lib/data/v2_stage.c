/* v2_stage.c - detects the stage of a trace in format V2 */

/*
 * The stages share their version numbers, and most bytes of one stage can be
 * decoded as another. A file of stage F may be recognised by the counter's
 * rate in its header. Otherwise the first window of the file is decoded as
 * each stage, and every record is judged. A record is good if its method was
 * announced and its time is not before that of the previous record, else it is
 * bad; an exit of stage F, which has no method, is good only after a good
 * enter. With the right stage nearly all records are good. With a wrong one
 * hardly any are, or the decoder stops at an impossible number or packet. So
 * once a stage has a thousand good records and few bad ones, the others are
 * not tried. That a stage decodes the window to the end, or not, proves
 * nothing by itself: a wrong stage may decode a small block completely, and
 * the right one fails in a damaged file.
 *
 * Stages C and E differ only in the unit of times. C cannot store a difference
 * of 2^32 or more. The header's start is a time since boot in the same unit:
 * three years are 10^14 us, and 17 minutes are 10^12 ns.
 */

#include "data/v2_stage.h"

#include "data/v2_decode.h"

#define BATCH 256
#define ADDRESS_MIN 4096	/* no method is at a lower address */
#define START_US_MAX UINT64_C(100000000000000)
#define CONVINCING 1000		/* good minus bad records, */
#define FEW 16			/* and at most one bad in so many */
#define START_NS_MIN UINT64_C(1000000000000)

/* The result of trying a stage. */
struct trial {
	int64_t score;		/* good minus bad records */
	int64_t bad;
	size_t open;		/* good enters in a block that have no exit
				   yet */
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

static void
judge_event(struct trial *trial, uint64_t word, uint64_t step, bool ns,
    bool has_method, const struct dmt_idmap *announced)
{
	const uint64_t id = word & ~UINT64_C(3);
	const uint64_t step_ns = ns ? step : step * 1000;
	bool good = step_ns >> 63 == 0 && (word & 3) != DMTRACE_RESERVED;

	/* In another stage, an exit of method 0 is what remains of an exit of
	 * stage F; it proves nothing. */
	if (has_method && word == DMTRACE_EXIT)
		return;
	if (has_method)
		good = good && (announced->count == 0 ?
		    id >= ADDRESS_MIN && id >> 63 == 0 :
		    dmt_idmap_find(announced, id) != NULL);
	/* An exit without a method is as good as the enter before it. */
	trial->bad += !good;
	if (!good)
		trial->score--;
	else if (has_method || trial->open > 0)
		trial->score++;
	if (good && has_method)
		trial->open++;
	else if (good && trial->open > 0)
		trial->open--;
	trial->wide |= step_ns >> 32 != 0 && step_ns >> 63 == 0;
	trial->back_32 |= step_ns >> 31 == 1;
}

/* Judges the records of a block. Returns the status of the block's end. */
static enum dmtrace_status
judge_block(struct trial *trial, struct dmt_v2_block *block,
    const struct dmt_idmap *announced)
{
	uint64_t words[BATCH], cpu[BATCH], wall[BATCH];
	const struct dmt_v2_columns columns = { words, cpu, wall };
	const enum dmt_v2_stage stage = block->form.stage;
	enum dmtrace_status status;
	/* A block that was split continues from the previous time. */
	uint64_t last = stage == DMT_STAGE_E ? block->wall : 0;
	size_t count;

	trial->open = 0;
	do {
		status = dmt_v2_block_decode(block, &columns, BATCH, &count);
		for (size_t i = 0; i < count; i++) {
			judge_event(trial, words[i], wall[i] - last,
			    stage >= DMT_STAGE_E, stage < DMT_STAGE_F ||
			    (words[i] & 3) == DMTRACE_ENTER, announced);
			last = wall[i];
		}
	} while (status == DMTRACE_OK && count > 0);
	return status;
}

/* Decodes the window in a form, until it ends or cannot be of that form. */
static enum dmtrace_status
try_form(struct trial *trial, const struct dmt_v2_form *form,
    struct dmt_idmap *announced, const uint8_t *in, size_t len, bool ended)
{
	struct dmt_v2_block block = { .form = *form };
	struct dmt_v2_packet packet;
	size_t used, size;

	*trial = (struct trial){ .score = 0 };
	for (; dmt_v2_packet_decode(&packet, form, in, len, &used) ==
	    DMTRACE_OK; in += used, len -= used) {
		if (packet.type == DMT_V2_METHOD &&
		    dmt_idmap_at(announced, packet.method) == NULL)
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
	return DMTRACE_OK;
}

/* Distinguishes stage C, microseconds, from stage E, nanoseconds, by the
 * times. *guessed: neither the start nor the events decide it. */
static enum dmt_v2_stage
find_unit(const struct dmt_v2_header *header, const struct trial *trial,
    bool *guessed)
{
	if (trial->wide || header->start >= START_US_MAX)
		return DMT_STAGE_E;
	if (header->start < START_NS_MIN)
		return DMT_STAGE_C;
	*guessed = true;
	return trial->back_32 ? DMT_STAGE_C : DMT_STAGE_E;
}

enum dmtrace_status
dmt_v2_stage_find(struct dmt_v2_evidence *evidence,
    const struct dmt_v2_header *header, struct dmt_idmap *announced,
    const uint8_t *in, size_t len, bool ended)
{
	static const enum dmt_v2_stage stages[] = {
		DMT_STAGE_E, DMT_STAGE_B, DMT_STAGE_F
	};
	struct trial best = { .score = INT64_MIN };

	*evidence = (struct dmt_v2_evidence){ DMT_STAGE_F, true, false };
	if (header->start_ticks != 0 || header->tick_hz != 0)
		return DMTRACE_OK;
	if (len > DMT_V2_STAGE_WINDOW) {
		len = DMT_V2_STAGE_WINDOW;
		ended = false;
	}
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		const struct dmt_v2_form form =
		    dmt_v2_form_of(header, stages[i]);
		struct trial trial;

		if (try_form(&trial, &form, announced, in, len, ended) !=
		    DMTRACE_OK)
			return DMTRACE_ERR_MEMORY;
		if (trial.score <= best.score)
			continue;
		best = trial;
		evidence->stage = stages[i];
		/* If no method is announced, any id counts as good. */
		if (announced->count > 0 && trial.score >= CONVINCING &&
		    trial.bad <= trial.score / FEW)
			break;
	}
	evidence->is_certain = best.score > 0;
	if (evidence->stage == DMT_STAGE_E)
		evidence->stage = find_unit(header, &best,
		    &evidence->unit_guessed);
	return DMTRACE_OK;
}
