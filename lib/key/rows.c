/* rows.c - the tables of a key, each with an index over its ids */

#include "key/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

/* The bytes of a thread's number that each index of dmt_threads is over. */
static const unsigned widths[DMT_THREAD_WIDTHS] = { 4, 2, 1 };

static uint32_t
low_bytes(unsigned width, uint32_t number)
{
	return number & UINT32_MAX >> (32 - 8 * width);
}

static uint64_t
without_action(uint64_t id)
{
	return id & ~UINT64_C(3);
}

bool
dmt_threads_reserve(struct dmt_threads *threads)
{
	struct dmtrace_thread *items = threads->count >= UINT32_MAX ? NULL :
	    dmt_array_grow(threads->items, &threads->capacity,
	    threads->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	threads->items = items;
	for (size_t i = 0; i < DMT_THREAD_WIDTHS; i++)
		if (!dmt_idmap_reserve(&threads->by_number[i]))
			return false;
	return true;
}

bool
dmt_methods_reserve(struct dmt_methods *methods)
{
	struct dmtrace_method *items = methods->count >= UINT32_MAX ? NULL :
	    dmt_array_grow(methods->items, &methods->capacity,
	    methods->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	methods->items = items;
	return dmt_idmap_reserve(&methods->by_id);
}

bool
dmt_threads_add(struct dmt_threads *threads,
    const struct dmtrace_thread *row)
{
	if (!dmt_threads_reserve(threads))
		return false;
	for (size_t i = 0; i < DMT_THREAD_WIDTHS; i++)
		dmt_idmap_put(&threads->by_number[i],
		    low_bytes(widths[i], row->id), (uint32_t)threads->count);
	threads->items[threads->count++] = *row;
	return true;
}

bool
dmt_methods_add(struct dmt_methods *methods,
    const struct dmtrace_method *row)
{
	if (!dmt_methods_reserve(methods))
		return false;
	dmt_idmap_put(&methods->by_id, without_action(row->id),
	    (uint32_t)methods->count);
	methods->items[methods->count++] = *row;
	return true;
}

const struct dmtrace_thread *
dmt_threads_find(const struct dmt_threads *threads, unsigned width,
    uint32_t number)
{
	size_t i = 0;

	while (i + 1 < DMT_THREAD_WIDTHS && widths[i] != width)
		i++;
	const uint32_t *row = dmt_idmap_find(&threads->by_number[i],
	    low_bytes(width, number));
	return row == NULL ? NULL : &threads->items[*row];
}

const struct dmtrace_method *
dmt_methods_find(const struct dmt_methods *methods, uint64_t id)
{
	const uint32_t *row =
	    dmt_idmap_find(&methods->by_id, without_action(id));

	return row == NULL ? NULL : &methods->items[*row];
}

struct dmtrace_method
dmt_method_named(const struct dmtrace_method *row, uint64_t id,
    char number[DMT_NUMBER_MAX])
{
	struct dmtrace_method method = { .line = DMTRACE_NO_LINE };

	if (row != NULL)
		method = *row;
	method.id = id;
	if (method.name.len > 0)
		return method;
	method.name.bytes = number;
	method.name.len = (size_t)snprintf(number, DMT_NUMBER_MAX,
	    "0x%" PRIx64, id);
	return method;
}

void
dmt_threads_fini(struct dmt_threads *threads)
{
	for (size_t i = 0; i < DMT_THREAD_WIDTHS; i++)
		dmt_idmap_fini(&threads->by_number[i]);
	free(threads->items);
	*threads = (struct dmt_threads){ 0 };
}

void
dmt_methods_fini(struct dmt_methods *methods)
{
	dmt_idmap_fini(&methods->by_id);
	free(methods->items);
	*methods = (struct dmt_methods){ 0 };
}
