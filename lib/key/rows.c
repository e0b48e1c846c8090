/* rows.c - the tables of a key, with indexes by id or name */

/*
 * Rows are kept in the order of the key, including rows with the same id. Each
 * table has a hash index that leads to the first row of an id or name, which
 * is the one that readers use. Records may hold only the low bytes of a thread
 * number, so threads have an index for each width. The hash of option names is
 * seeded, so that a hostile key cannot have many names with one hash.
 */

#include "key/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "private/text.h"

static uint64_t
hash_option_name(const struct dmt_options *options, struct dmtrace_text name)
{
	return dmt_hash_bytes(DMT_HASH ^ options->seed, name.bytes, name.len);
}

bool
dmt_options_reserve(struct dmt_options *options)
{
	struct dmt_option_row *items = options->count >= UINT32_MAX ? NULL :
	    dmt_array_grow(options->items, &options->capacity,
	    options->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	options->items = items;
	if (options->seed == 0)
		options->seed = (uintptr_t)items;
	return dmt_idmap_reserve(&options->by_name);
}

bool
dmt_options_add(struct dmt_options *options,
    const struct dmt_option_row *row)
{
	if (!dmt_options_reserve(options))
		return false;
	dmt_idmap_put(&options->by_name,
	    hash_option_name(options, row->option.name),
	    (uint32_t)options->count);
	options->items[options->count++] = *row;
	return true;
}

/* Searches linearly from the first name with the same hash. */
struct dmt_option_row *
dmt_options_find(const struct dmt_options *options, struct dmtrace_text name)
{
	const uint32_t *const first = dmt_idmap_find(&options->by_name,
	    hash_option_name(options, name));

	for (size_t i = first == NULL ? options->count : *first;
	    i < options->count; i++) {
		if (dmt_text_equal(options->items[i].option.name, name))
			return &options->items[i];
	}
	return NULL;
}

void
dmt_options_fini(struct dmt_options *options)
{
	dmt_idmap_fini(&options->by_name);
	free(options->items);
	*options = (struct dmt_options){ 0 };
}

/* The width in bytes of the thread numbers in each index of dmt_threads. */
static const unsigned thread_widths[DMT_THREAD_WIDTHS] = { 4, 2, 1 };

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
		    low_bytes(thread_widths[i], row->id),
		    (uint32_t)threads->count);
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

	while (i + 1 < DMT_THREAD_WIDTHS && thread_widths[i + 1] >= width)
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
