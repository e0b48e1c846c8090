/* by_thread.c - stores the output of each thread until it is written */

/*
 * Some formats write one thread after the other, while a trace has events of
 * all threads mixed. The text of each thread is collected in a chunk; a full
 * chunk is appended to the spool, and its offset is stored. At the end the
 * chunks of each thread are read back, thread after thread. This takes a chunk
 * of memory per thread, and eight bytes for each chunk in the spool.
 */

#include "export/by_thread.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "private/sink.h"

struct dmt_thread_text {
	uint8_t *tail;			/* DMT_CHUNK bytes; NULL: not
					   allocated */
	size_t used;			/* bytes of tail */
	uint64_t *chunks;		/* offsets of full chunks in the
					   spool */
	size_t count;
	size_t capacity;
};

enum dmtrace_status
dmt_by_thread_init(struct dmt_by_thread *texts)
{
	*texts = (struct dmt_by_thread){ .count = 0 };
	dmt_spool_init(&texts->spool);
	return dmt_spool_open(&texts->spool, NULL);
}

bool
dmt_by_thread_reserve(struct dmt_by_thread *texts, size_t count)
{
	if (count <= texts->count)
		return true;
	struct dmt_thread_text *const items = dmt_array_grow_zero(
	    texts->items, &texts->capacity, count, sizeof(*items));
	if (items == NULL)
		return false;
	texts->items = items;
	texts->count = count;
	return true;
}

/* Appends the full tail to the spool. */
static bool
spool_tail(struct dmt_by_thread *texts, struct dmt_thread_text *text)
{
	uint64_t *const chunks = dmt_array_grow(text->chunks,
	    &text->capacity, text->count + 1, sizeof(*chunks));

	if (chunks == NULL)
		return false;
	text->chunks = chunks;
	chunks[text->count++] = dmt_spool_len(&texts->spool);
	dmt_output_write(&texts->spool.output, text->tail, DMT_CHUNK);
	text->used = 0;
	return true;
}

void
dmt_by_thread_write(struct dmt_by_thread *texts, size_t index,
    const void *bytes, size_t len)
{
	struct dmt_thread_text *const text = &texts->items[index];
	const uint8_t *in = bytes;

	if (text->tail == NULL)
		text->tail = dmt_array_new(DMT_CHUNK, 1);
	while (len > 0 && !texts->failed) {
		if (text->tail == NULL || (text->used == DMT_CHUNK &&
		    !spool_tail(texts, text))) {
			texts->failed = true;
			return;
		}
		const size_t room = DMT_CHUNK - text->used;
		const size_t part = len < room ? len : room;

		memcpy(text->tail + text->used, in, part);
		text->used += part;
		in += part;
		len -= part;
	}
}

uint64_t
dmt_by_thread_len(const struct dmt_by_thread *texts, size_t thread)
{
	return texts->items[thread].count * (uint64_t)DMT_CHUNK +
	    texts->items[thread].used;
}

enum dmtrace_status
dmt_by_thread_finish(struct dmt_by_thread *texts)
{
	texts->chunk = dmt_array_new(DMT_CHUNK, 1);
	if (texts->failed || texts->chunk == NULL)
		return dmt_error_memory(&texts->spool.error);
	return dmt_spool_finish(&texts->spool);
}

enum dmtrace_status
dmt_by_thread_copy(struct dmt_by_thread *texts, size_t index,
    struct dmt_sink *sink)
{
	const struct dmt_thread_text *const text = &texts->items[index];

	for (size_t i = 0; i < text->count; i++) {
		if (dmt_spool_read(&texts->spool, text->chunks[i],
		    texts->chunk, DMT_CHUNK) != DMTRACE_OK)
			return texts->spool.error.status;
		dmt_sink_write(sink, texts->chunk, DMT_CHUNK);
	}
	dmt_sink_write(sink, text->tail, text->used);
	return DMTRACE_OK;
}

void
dmt_by_thread_fini(struct dmt_by_thread *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		free(texts->items[i].tail);
		free(texts->items[i].chunks);
	}
	free(texts->items);
	free(texts->chunk);
	dmt_spool_fini(&texts->spool);
}
