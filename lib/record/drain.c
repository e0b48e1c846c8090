/* drain.c - from memory to the file, and the enters that the ring has lost */

#include "record/lane.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"

#define RECORD_MAX 14

/*
 * What the ring drops is the oldest: for each thread a run of records is
 * left. All its frames are closed in the end, so each exit without an enter
 * tells of a frame that was open before the first record; the outermost is
 * the last of them.
 */
struct lead {
	uint32_t *methods;	/* the innermost first */
	size_t count;
	size_t capacity;
	uint64_t open;		/* entered in the run, not left */
	bool written;
};

struct dmt_leads {
	struct lead *items;	/* by thread number, from 1 */
	size_t count;
};

static void
free_leads(struct dmt_leads *leads)
{
	for (size_t i = 0; leads != NULL && i < leads->count; i++)
		free(leads->items[i].methods);
	if (leads != NULL)
		free(leads->items);
	free(leads);
}

static struct dmt_leads *
new_leads(size_t count)
{
	struct dmt_leads *leads = dmt_array_new(1, sizeof(*leads));

	if (leads == NULL)
		return NULL;
	leads->count = count;
	leads->items = dmt_array_new(count, sizeof(*leads->items));
	if (leads->items != NULL || count == 0)
		return leads;
	free(leads);
	return NULL;
}

static bool
take_exit(struct lead *lead, uint32_t method)
{
	if (lead->open > 0) {
		lead->open--;
		return true;
	}
	uint32_t *methods = dmt_array_grow(lead->methods, &lead->capacity,
	    lead->count + 1, sizeof(*methods));
	if (methods == NULL)
		return false;
	lead->methods = methods;
	methods[lead->count++] = method;
	return true;
}

static bool
take_records(const struct dmtrace_recorder *recorder, uint32_t thread,
    const uint8_t *records, size_t len)
{
	const struct dmtrace_layout *layout = recorder->layout;
	struct lead *lead = &recorder->leads->items[thread - 1];

	for (size_t at = 0; at < len; at += layout->record_size) {
		const uint32_t word = (uint32_t)dmt_field_get(layout->method,
		    records + at);
		if ((word & 3) == DMTRACE_ENTER)
			lead->open++;
		else if (!take_exit(lead, word & ~UINT32_C(3)))
			return false;
	}
	return true;
}

/* The frames that are open now will be closed. */
static bool
take_frames(const struct dmtrace_recorder *recorder,
    const struct dmt_lane *lane)
{
	struct lead *lead = &recorder->leads->items[lane->thread - 1];

	for (uint32_t i = lane->depth; i > 0; i--)
		if (!take_exit(lead, lane->frames[i - 1].method))
			return false;
	return true;
}

static bool
take_all(struct dmtrace_recorder *recorder)
{
	for (struct dmt_block *block = recorder->blocks.first; block != NULL;
	    block = block->next)
		if (!take_records(recorder, block->thread,
		    dmt_block_bytes(block), block->used))
			return false;
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next)
		if (dmt_lane_takes_part(recorder, lane) &&
		    (!take_records(recorder, lane->thread, lane->buffer,
		    (size_t)(lane->at - lane->buffer)) ||
		    !take_frames(recorder, lane)))
			return false;
	return true;
}

/* Enters of the lost frames, at the time of the first record. */
static void
write_lead(struct dmtrace_recorder *recorder, const struct lead *lead,
    const uint8_t *first)
{
	const struct dmtrace_layout *layout = recorder->layout;
	uint8_t record[RECORD_MAX];

	memcpy(record, first, layout->record_size);
	for (size_t i = lead->count; i > 0; i--) {
		dmt_put_le(record + layout->method.offset,
		    layout->method.width, lead->methods[i - 1]);
		if (dmt_files_write(&recorder->files, record,
		    layout->record_size, layout->record_size) > 0)
			recorder->file.events++;
	}
}

void
dmt_recorder_lead(struct dmtrace_recorder *recorder, uint32_t thread,
    const uint8_t *first)
{
	if (recorder->leads == NULL)
		return;
	struct lead *lead = &recorder->leads->items[thread - 1];
	if (!lead->written)
		write_lead(recorder, lead, first);
	lead->written = true;
}

void
dmt_recorder_drain(struct dmtrace_recorder *recorder)
{
	struct dmt_block *block;

	recorder->draining = true;
	if (recorder->options.full == DMTRACE_FULL_RING) {
		recorder->leads = new_leads(recorder->thread_count);
		if (recorder->leads == NULL || !take_all(recorder))
			dmt_error_memory(&recorder->error);
	}
	while ((block = dmt_blocks_shift(&recorder->blocks)) != NULL) {
		dmt_recorder_write(recorder, block->thread,
		    dmt_block_bytes(block), block->used);
		dmt_block_free(&recorder->blocks, block);
	}
}

void
dmt_recorder_undrain(struct dmtrace_recorder *recorder)
{
	recorder->draining = false;
	free_leads(recorder->leads);
	recorder->leads = NULL;
}
