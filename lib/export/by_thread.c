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
#include "private/output.h"

struct dmt_thread_text {
	uint8_t *tail;			/* DMT_CHUNK bytes; NULL: not
					   allocated */
	size_t used;			/* bytes of tail */
	struct chunk_list {
		uint64_t *items;	/* offsets of full chunks in the
					   spool */
		size_t count;
		size_t capacity;
		uint64_t spare;
	} chunks;
};

struct dmt_thread_texts {
	struct dmt_thread_text columns[DMT_THREAD_TEXTS];
};

static void
fini_thread_texts(void *item)
{
	const struct dmt_thread_texts *const texts = item;

	for (size_t i = 0; i < DMT_THREAD_TEXTS; i++) {
		free(texts->columns[i].tail);
		free(texts->columns[i].chunks.items);
	}
}

enum dmtrace_status
dmt_by_thread_init(struct dmt_by_thread *texts, struct dmtrace_source *source)
{
	*texts = (struct dmt_by_thread){ .failed = false };
	dmt_attach(source, &texts->items, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*texts->items),
	    .fini = fini_thread_texts });
	dmt_spool_init(&texts->spool);
	return dmt_spool_open(&texts->spool, NULL);
}

void
dmt_by_thread_write(struct dmt_by_thread *texts, uint32_t thread,
    unsigned column, const void *bytes, size_t len)
{
	struct dmt_thread_text *const text =
	    &texts->items[thread].columns[column];
	const uint8_t *in = bytes;

	if (text->tail == NULL)
		text->tail = dmt_array_new(DMT_CHUNK, 1);
	texts->failed |= text->tail == NULL;
	while (len > 0 && !texts->failed) {
		if (text->used == DMT_CHUNK) {
			*dmt_push(&text->chunks, &texts->failed) =
			    dmt_spool_len(&texts->spool);
			dmt_output_write(&texts->spool.output, text->tail,
			    DMT_CHUNK);
			text->used = 0;
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
dmt_by_thread_len(const struct dmt_by_thread *texts, uint32_t thread)
{
	const struct dmt_thread_text *const text =
	    &texts->items[thread].columns[0];

	return text->chunks.count * (uint64_t)DMT_CHUNK + text->used;
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
dmt_by_thread_copy(struct dmt_by_thread *texts, uint32_t thread,
    unsigned column, struct dmt_output *out)
{
	const struct dmt_thread_text *const text =
	    &texts->items[thread].columns[column];

	for (size_t i = 0; i < text->chunks.count; i++) {
		if (dmt_spool_read(&texts->spool, text->chunks.items[i],
		    texts->chunk, DMT_CHUNK) != DMTRACE_OK)
			return texts->spool.error.status;
		dmt_output_write(out, texts->chunk, DMT_CHUNK);
	}
	dmt_output_write(out, text->tail, text->used);
	return DMTRACE_OK;
}

void
dmt_by_thread_fini(struct dmt_by_thread *texts)
{
	free(texts->chunk);
	dmt_spool_fini(&texts->spool);
}
