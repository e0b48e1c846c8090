/* methods.c - the methods of traces, by what they are taken together */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "key/rows.h"
#include "profile/profile.h"

#define EMPTY ((struct dmtrace_text){ "", 0 })
#define TEXT(string) ((struct dmtrace_text){ string, sizeof(string) - 1 })
#define METHODS_MAX (UINT32_C(1) << 30)	/* see dmt_edge_key */

static uint64_t
hash_text(uint64_t hash, struct dmtrace_text text)
{
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (uint8_t)text.bytes[i]) *
		    UINT64_C(0x100000001b3);
	return (hash ^ 0xff) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t
hash_names(uint64_t seed, const struct dmt_method *method)
{
	uint64_t hash = seed;

	hash = hash_text(hash, method->class_name);
	hash = hash_text(hash, method->name);
	hash = hash_text(hash, method->signature);
	return hash ^ method->listed;
}

static bool
same_text(struct dmtrace_text a, struct dmtrace_text b)
{
	return a.len == b.len && (a.len == 0 ||
	    memcmp(a.bytes, b.bytes, a.len) == 0);
}

static bool
same_names(const struct dmt_method *a, const struct dmt_method *b)
{
	return a->listed == b->listed &&
	    same_text(a->class_name, b->class_name) &&
	    same_text(a->name, b->name) &&
	    same_text(a->signature, b->signature);
}

static bool
copy_text(struct dmt_arena *arena, struct dmtrace_text *text)
{
	char *copy = dmt_arena_alloc(arena, text->len);

	if (copy == NULL)
		return false;
	if (text->len > 0)
		memcpy(copy, text->bytes, text->len);
	text->bytes = copy;
	return true;
}

/* The index of a new method, whose names are copied; 0: no memory. */
static uint32_t
append(struct dmtrace_profile *profile, const struct dmt_method *model)
{
	struct dmt_method method = *model;
	const size_t index = profile->method_count;

	struct dmt_method *methods = dmt_array_grow(profile->methods,
	    &profile->method_capacity, index + 1, sizeof(*methods));
	if (methods == NULL)
		return 0;
	profile->methods = methods;
	if (index >= METHODS_MAX || !copy_text(&profile->names,
	    &method.class_name) || !copy_text(&profile->names, &method.name) ||
	    !copy_text(&profile->names, &method.signature) ||
	    !dmt_profile_room(profile, index + 1))
		return 0;
	methods[index] = method;
	profile->method_count++;
	return (uint32_t)index;
}

/* The index of the method of these names, an old one or a new one. */
static uint32_t
intern(struct dmtrace_profile *profile, struct dmt_method *method)
{
	const uint64_t hash = hash_names((uintptr_t)profile,
	    method);
	uint32_t *first = dmt_idmap_find(&profile->by_name, hash);

	for (uint32_t i = first == NULL ? 0 : *first; i != 0;
	    i = profile->methods[i].next)
		if (same_names(&profile->methods[i], method))
			return i;
	method->next = first == NULL ? 0 : *first;
	const uint32_t index = append(profile, method);
	if (index == 0)
		return 0;
	if (first != NULL)
		*first = index;
	else if (!dmt_idmap_add(&profile->by_name, hash, index))
		return 0;
	return index;
}

/* The class without what stands behind the last '/' or '.'. */
static struct dmtrace_text
package_of(struct dmtrace_text class_name)
{
	size_t len = class_name.len;

	while (len > 0 && class_name.bytes[len - 1] != '/' &&
	    class_name.bytes[len - 1] != '.')
		len--;
	return (struct dmtrace_text){ class_name.bytes, len > 0 ? len - 1 : 0 };
}

static void
keep_names(struct dmt_method *method, enum dmtrace_profile_by by)
{
	if (by == DMTRACE_PROFILE_BY_PACKAGE)
		method->class_name = package_of(method->class_name);
	if (by == DMTRACE_PROFILE_BY_NAME)
		method->class_name = EMPTY;
	if (by == DMTRACE_PROFILE_BY_CLASS ||
	    by == DMTRACE_PROFILE_BY_PACKAGE)
		method->name = EMPTY;
	if (by != DMTRACE_PROFILE_BY_METHOD && by != DMTRACE_PROFILE_BY_ROW)
		method->signature = EMPTY;
}

static bool
list_one(struct dmtrace_profile *profile, const struct dmtrace_method *row)
{
	const enum dmtrace_profile_by by = profile->options.by;
	const uint64_t id = row->id & ~(uint64_t)3;
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method named = dmt_method_named(row, id, number);
	struct dmt_method method = {
		.class_name = named.class_name, .name = named.name,
		.signature = named.signature, .id = row->id,
		.listed = row->name.len > 0 ||
		    by == DMTRACE_PROFILE_BY_CLASS ||
		    by == DMTRACE_PROFILE_BY_PACKAGE
	};

	keep_names(&method, by);
	const uint32_t index = by == DMTRACE_PROFILE_BY_ROW ?
	    append(profile, &method) : intern(profile, &method);
	if (index == 0)
		return dmt_profile_no_memory(profile);
	if (dmt_ids_find(&profile->ids, id) != 0)
		return true;
	if (!dmt_ids_add(&profile->ids, id, index))
		return dmt_profile_no_memory(profile);
	const uint64_t trace = profile->summary.traces + 1;
	profile->shares |= profile->methods[index].in_trace == trace;
	profile->methods[index].in_trace = trace;
	return true;
}

static bool
list_top(struct dmtrace_profile *profile)
{
	const struct dmt_method top = {
		.class_name = EMPTY, .name = TEXT("(toplevel)"),
		.signature = EMPTY, .listed = true
	};
	const struct dmt_method unknown = {
		.class_name = EMPTY, .name = TEXT("(unknown)"),
		.signature = EMPTY
	};

	append(profile, &top);
	if (profile->method_count == 1 &&
	    (profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP))
		profile->unknown = append(profile, &unknown);
	return profile->method_count > 0 &&
	    (profile->unknown != 0 ||
	    !(profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP)) ? true :
	    dmt_profile_no_memory(profile);
}

bool
dmt_methods_list(struct dmtrace_profile *profile)
{
	const size_t count = dmtrace_key_method_count(profile->key);

	if (profile->method_count == 0 && !list_top(profile))
		return false;
	/* Ids that are not listed may come yet. */
	profile->shares = profile->options.by != DMTRACE_PROFILE_BY_METHOD &&
	    profile->options.by != DMTRACE_PROFILE_BY_ROW;
	for (size_t i = 0; i < count; i++)
		if (!list_one(profile,
		    dmtrace_key_method_get(profile->key, i)))
			return false;
	return true;
}

/* An id makes the name, where there is no better one. */
static uint32_t
make_unlisted(struct dmtrace_profile *profile, uint64_t id)
{
	char number[DMT_NUMBER_MAX];
	struct dmt_method method = {
		.class_name = EMPTY, .signature = EMPTY, .id = id,
		.name = dmt_method_named(NULL, id, number).name
	};

	keep_names(&method, profile->options.by);
	return intern(profile, &method);
}

uint32_t
dmt_methods_add_unlisted(struct dmtrace_profile *profile, uint64_t id)
{
	const uint32_t index = profile->unknown != 0 ? profile->unknown :
	    make_unlisted(profile, id);

	if (index == 0 || !dmt_ids_add(&profile->ids, id, index)) {
		dmt_profile_no_memory(profile);
		return 0;
	}
	return index;
}
