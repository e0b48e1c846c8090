/* by_thread.c - stores the output of each thread until it is written */

/*
 * Some formats write one thread after the other, while a trace has events of
 * all threads mixed. The text of each thread is collected in a chunk; a full
 * chunk is appended to the spool, and its place is stored. At the end the
 * chunks of each thread are read back, thread after thread. A chunk begins
 * small and doubles when it is full, up to DMT_CHUNK and while all chunks take
 * less than TAILS_MAX: then a chunk is full at the size that it has. So tens of
 * thousands of threads need no more memory than some hundred.
 */

#include "export/by_thread.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "private/output.h"

#define TAIL_FIRST 512
#define TAILS_MAX (32 << 20)

/* A full chunk. */
struct chunk {
	uint64_t at;			/* in the spool */
	size_t len;
};

struct dmt_thread_text {
	uint8_t *tail;
	size_t size;			/* of tail; 0: not allocated */
	size_t used;			/* bytes of tail */
	size_t spooled;			/* bytes of all full chunks */
	struct chunk_list {
		struct chunk *items;
		size_t count;
		size_t capacity;
		struct chunk spare;
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

/* Makes room in the tail of a text, which is full. */
static void
make_room(struct dmt_by_thread *texts, struct dmt_thread_text *text)
{
	const size_t grown = text->size == 0 ? TAIL_FIRST : text->size * 2;

	if (text->size > 0 && (grown > DMT_CHUNK ||
	    texts->tail_bytes + text->size > TAILS_MAX)) {
		*dmt_push(&text->chunks, &texts->failed) = (struct chunk){
			.at = dmt_spool_len(&texts->spool), .len = text->used
		};
		dmt_output_write(&texts->spool.output, text->tail, text->used);
		text->spooled += text->used;
		text->used = 0;
		return;
	}
	uint8_t *const tail = realloc(text->tail, grown);
	texts->failed |= tail == NULL;
	if (tail == NULL)
		return;
	texts->tail_bytes += grown - text->size;
	text->tail = tail;
	text->size = grown;
}

void
dmt_by_thread_write(struct dmt_by_thread *texts, uint32_t thread,
    unsigned column, const void *bytes, size_t len)
{
	struct dmt_thread_text *const text =
	    &texts->items[thread].columns[column];
	const uint8_t *in = bytes;

	while (len > 0 && !texts->failed) {
		if (text->used == text->size)
			make_room(texts, text);
		const size_t room = text->size - text->used;
		const size_t part = len < room ? len : room;

		if (texts->failed)
			return;
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

	return text->spooled + text->used;
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
		const struct chunk *const chunk = &text->chunks.items[i];

		if (dmt_spool_read(&texts->spool, chunk->at, texts->chunk,
		    chunk->len) != DMTRACE_OK)
			return texts->spool.error.status;
		dmt_output_write(out, texts->chunk, chunk->len);
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
