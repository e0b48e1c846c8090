/* indexes.c - small numbers for the threads and methods of a trace */

/*
 * The index of a thread number below 65,536 is read from an array. The index
 * of a method id is read from a cache with one slot per value of the id's low
 * bits, which callers check inline. Everything else is looked up in a hash
 * map. A number that is not in the map is new: it gets the next index, and its
 * row of the key is looked up, once. So an event costs two loads for its
 * thread and two for its method, however many threads and methods there are.
 */

#include "events/indexes.h"

#include <stdlib.h>

#include "base/array.h"
#include "private/event.h"
#include "private/key.h"

bool
dmt_indexes_init(struct dmt_indexes *indexes, const struct dmtrace_key *key,
    const struct dmt_layout *layout)
{
	*indexes = (struct dmt_indexes){
		.key = key,
		.layout = layout,
		.direct = dmt_array_new(DMT_DIRECT_THREADS,
		    sizeof(*indexes->direct)),
		.recent = dmt_array_new(DMT_RECENT_METHODS,
		    sizeof(*indexes->recent)),
	};
	return indexes->direct != NULL && indexes->recent != NULL;
}

void
dmt_indexes_fini(struct dmt_indexes *indexes)
{
	free(indexes->threads);
	free(indexes->methods);
	free(indexes->direct);
	free(indexes->recent);
	dmt_idmap_fini(&indexes->large);
	dmt_idmap_fini(&indexes->by_id);
	*indexes = (struct dmt_indexes){ 0 };
}

void
dmt_indexes_set_key(struct dmt_indexes *indexes, const struct dmtrace_key *key)
{
	const struct dmtrace_key *const old = indexes->key;

	for (size_t i = 0; i < indexes->thread_count; i++) {
		struct dmt_indexed_thread *const thread = &indexes->threads[i];

		thread->row = thread->row == NULL ? dmt_key_thread_match(
		    key, indexes->layout, thread->number) :
		    dmtrace_key_thread_get(key, (size_t)(thread->row -
		    dmtrace_key_thread_get(old, 0)));
	}
	for (size_t i = 0; i < indexes->method_count; i++) {
		struct dmt_indexed_method *const method = &indexes->methods[i];

		method->row = method->row == NULL ?
		    dmtrace_key_method_find(key, method->id) :
		    dmtrace_key_method_get(key, (size_t)(method->row -
		    dmtrace_key_method_get(old, 0)));
	}
	indexes->key = key;
}

uint32_t
dmt_thread_index_find(struct dmt_indexes *indexes, uint32_t number)
{
	const uint32_t index = (uint32_t)indexes->thread_count;
	const uint32_t *const known =
	    dmt_idmap_find(&indexes->large, number);

	if (known != NULL)
		return *known;
	struct dmt_indexed_thread *const threads = dmt_array_grow(
	    indexes->threads, &indexes->thread_capacity,
	    indexes->thread_count + 1, sizeof(*threads));
	if (threads == NULL) {
		indexes->failed = true;
		return 0;
	}
	indexes->threads = threads;
	if (number < DMT_DIRECT_THREADS) {
		indexes->direct[number] = index + 1;
	} else if (!dmt_idmap_add(&indexes->large, number, index)) {
		indexes->failed = true;
		return 0;
	}
	threads[indexes->thread_count++] = (struct dmt_indexed_thread){
		number, indexes->key == NULL ? NULL :
		    dmt_key_thread_match(indexes->key, indexes->layout,
		    number)
	};
	return index;
}

uint32_t
dmt_method_index_add(struct dmt_indexes *indexes, uint64_t id,
    const struct dmtrace_method *row)
{
	const uint32_t index = (uint32_t)indexes->method_count;
	struct dmt_indexed_method *const methods = dmt_array_grow(
	    indexes->methods, &indexes->method_capacity,
	    indexes->method_count + 1, sizeof(*methods));

	if (methods != NULL)
		indexes->methods = methods;
	if (methods == NULL || indexes->method_count == UINT32_MAX) {
		indexes->failed = true;
		return 0;
	}
	methods[indexes->method_count++] =
	    (struct dmt_indexed_method){ id, row };
	return index;
}

static void
note_recent_method(struct dmt_indexes *indexes, uint64_t id, uint32_t index)
{
	const uint64_t tag = dmt_method_tag(id);

	if (tag <= UINT32_MAX)
		indexes->recent[id / 4 % DMT_RECENT_METHODS] =
		    (struct dmt_recent_method){ (uint32_t)tag, index };
}

void
dmt_method_index_set(struct dmt_indexes *indexes, uint64_t id,
    uint32_t index)
{
	*dmt_idmap_find(&indexes->by_id, id) = index;
	note_recent_method(indexes, id, index);
}

uint32_t
dmt_method_index_find(struct dmt_indexes *indexes, uint64_t id)
{
	const uint32_t *const known = dmt_idmap_find(&indexes->by_id, id);

	if (known != NULL) {
		note_recent_method(indexes, id, *known);
		return *known;
	}
	if (!dmt_idmap_reserve(&indexes->by_id)) {
		indexes->failed = true;
		return 0;
	}
	const uint32_t index = dmt_method_index_add(indexes, id,
	    indexes->key == NULL ? NULL :
	    dmtrace_key_method_find(indexes->key, id));
	if (indexes->failed)
		return 0;
	dmt_idmap_put(&indexes->by_id, id, index);
	note_recent_method(indexes, id, index);
	return index;
}
