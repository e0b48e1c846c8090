/* drain.c - from memory to the file, behind the enters that were lost */

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "record/lane.h"

#define RECORD_MAX 14
#define FIRST_CAPACITY 16

/*
 * Of each thread a run of records is left: the ring drops the oldest. All
 * its frames are closed in the end, so each exit without an enter tells of a
 * frame that was open before the first record; the outermost is the last of
 * them.
 */
struct lead {
	uint32_t *methods;	/* the innermost first */
	size_t count;
	size_t capacity;
	uint64_t open;		/* entered in the run, not left */
	uint8_t first[RECORD_MAX];
	bool has_first;
};

/* By thread number, from 1. */
struct leads {
	struct lead *items;
	size_t count;
	struct dmt_arena arena;		/* of the methods */
};

/* What they had before is left where it was. */
static bool
make_room(struct leads *leads, struct lead *lead)
{
	const size_t capacity = lead->capacity == 0 ? FIRST_CAPACITY :
	    lead->capacity * 2;
	uint32_t *methods = lead->count < lead->capacity ? lead->methods :
	    dmt_arena_alloc(&leads->arena, capacity * sizeof(*methods));

	if (methods == NULL || methods == lead->methods)
		return methods != NULL;
	if (lead->count > 0)
		memcpy(methods, lead->methods,
		    lead->count * sizeof(*methods));
	lead->methods = methods;
	lead->capacity = capacity;
	return true;
}

static bool
take_exit(struct leads *leads, struct lead *lead, uint32_t method)
{
	if (lead->open > 0) {
		lead->open--;
		return true;
	}
	if (!make_room(leads, lead))
		return false;
	lead->methods[lead->count++] = method;
	return true;
}

/* A run that is whole lacks nothing. */
static bool
lacks(const struct dmtrace_recorder *recorder, uint32_t thread)
{
	const struct dmt_thread_row *row = &recorder->threads[thread - 1];

	return row->lost || row->carried;
}

static bool
take_records(struct leads *leads, struct lead *lead,
    const struct dmtrace_layout *layout, const uint8_t *records, size_t len)
{
	if (len > 0 && !lead->has_first)
		memcpy(lead->first, records, layout->record_size);
	lead->has_first = lead->has_first || len > 0;
	for (size_t at = 0; at < len; at += layout->record_size) {
		const uint32_t word = (uint32_t)dmt_field_get(layout->method,
		    records + at);
		if ((word & 3) == DMTRACE_ENTER)
			lead->open++;
		else if (!take_exit(leads, lead, word & ~UINT32_C(3)))
			return false;
	}
	return true;
}

/* The frames that are open now will be closed. */
static bool
take_frames(struct leads *leads, struct lead *lead,
    const struct dmt_lane *lane)
{
	for (uint32_t i = lane->depth; i > 0; i--)
		if (!take_exit(leads, lead, lane->frames[i - 1].method))
			return false;
	return true;
}

static bool
take_blocks(struct dmtrace_recorder *recorder, struct leads *leads)
{
	for (struct dmt_block *block = recorder->blocks.first; block != NULL;
	    block = block->next)
		if (lacks(recorder, block->thread) && !take_records(leads,
		    &leads->items[block->thread - 1], recorder->layout,
		    dmt_block_bytes(block), block->used))
			return false;
	return true;
}

static bool
take_lanes(struct dmtrace_recorder *recorder, struct leads *leads)
{
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next) {
		if (!dmt_lane_takes_part(recorder, lane) ||
		    !lacks(recorder, lane->thread))
			continue;
		struct lead *lead = &leads->items[lane->thread - 1];
		if (!take_records(leads, lead, recorder->layout, lane->buffer,
		    (size_t)(lane->at - lane->buffer)) ||
		    !take_frames(leads, lead, lane))
			return false;
	}
	return true;
}

/* Frames that were carried into the file are open from its start on, others
 * from the thread's first record. */
static void
write_lead(struct dmtrace_recorder *recorder, uint32_t thread,
    const struct lead *lead)
{
	const struct dmtrace_layout *layout = recorder->layout;
	const bool lost = recorder->threads[thread - 1].lost;
	uint8_t record[RECORD_MAX] = { 0 };

	if (lost && lead->has_first)
		memcpy(record, lead->first, sizeof(record));
	dmt_field_put(layout->thread, record, thread);
	for (size_t i = lead->count; i > 0; i--) {
		dmt_field_put(layout->method, record, lead->methods[i - 1]);
		dmt_recorder_write(recorder, record, layout->record_size);
	}
}

static void
write_leads(struct dmtrace_recorder *recorder)
{
	const size_t size = recorder->thread_count * sizeof(struct lead);
	const uint64_t dropped = recorder->file.dropped;
	struct leads leads = {
		.items = dmt_pages_new(size),
		.count = recorder->thread_count,
		.arena = { .paged = true }
	};

	if (leads.items == NULL || !take_blocks(recorder, &leads) ||
	    !take_lanes(recorder, &leads))
		dmt_error_memory(&recorder->error);
	for (size_t i = 0; leads.items != NULL && i < leads.count; i++)
		write_lead(recorder, (uint32_t)i + 1, &leads.items[i]);
	recorder->file.opened = recorder->file.events;
	recorder->file.dropped = dropped;	/* they are no loss */
	dmt_arena_fini(&leads.arena);
	dmt_pages_free(leads.items, size);
}

void
dmt_recorder_drain(struct dmtrace_recorder *recorder)
{
	struct dmt_block *block;

	recorder->draining = true;
	if (dmt_recorder_keeps(recorder) && recorder->thread_count > 0)
		write_leads(recorder);
	while ((block = dmt_blocks_shift(&recorder->blocks)) != NULL) {
		dmt_recorder_write(recorder, dmt_block_bytes(block),
		    block->used);
		dmt_block_free(&recorder->blocks, block);
	}
}

void
dmt_recorder_undrain(struct dmtrace_recorder *recorder)
{
	recorder->draining = false;
}
