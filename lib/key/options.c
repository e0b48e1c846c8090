/* options.c - the option rows of a key, found by name */

#include "key/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* FNV-1a, begun with a number that nobody can know beforehand. */
static uint64_t
hash(const struct dmt_options *options, struct dmtrace_text name)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ options->seed;

	for (size_t i = 0; i < name.len; i++)
		sum = (sum ^ (uint8_t)name.bytes[i]) *
		    UINT64_C(0x100000001b3);
	return sum;
}

static bool
is_named(const struct dmt_option_row *row, struct dmtrace_text name)
{
	return row->option.name.len == name.len && (name.len == 0 ||
	    memcmp(row->option.name.bytes, name.bytes, name.len) == 0);
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
	const uint64_t sum = hash(options, row->option.name);
	if (dmt_idmap_find(&options->by_name, sum) == NULL)
		dmt_idmap_add(&options->by_name, sum,
		    (uint32_t)options->count);
	options->items[options->count++] = *row;
	return true;
}

/* Two names that share a hash are searched for one by one. */
struct dmt_option_row *
dmt_options_find(const struct dmt_options *options, struct dmtrace_text name)
{
	const uint32_t *first =
	    dmt_idmap_find(&options->by_name, hash(options, name));

	for (size_t i = first == NULL ? options->count : *first;
	    i < options->count; i++)
		if (is_named(&options->items[i], name))
			return &options->items[i];
	return NULL;
}

void
dmt_options_fini(struct dmt_options *options)
{
	dmt_idmap_fini(&options->by_name);
	free(options->items);
	*options = (struct dmt_options){ 0 };
}
