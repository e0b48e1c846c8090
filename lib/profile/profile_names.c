/* profile_names.c - the methods and threads of a profile, by their names */

/*
 * Traces number their methods and threads as they like, so those of several
 * traces are one if their names are. Of a method the options say which names
 * count: all of them, its class, its package; the others are left empty, and
 * what then has the same names is one method of the profile. Names are copied,
 * and found again by a hash of them. A thread is found by its number, and
 * compared by its name.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "key/rows.h"
#include "private/text.h"
#include "profile/profile.h"

#define EMPTY ((struct dmtrace_text){ "", 0 })
#define TEXT(string) ((struct dmtrace_text){ string, sizeof(string) - 1 })

static uint64_t
hash_method_name(uint64_t hash, struct dmtrace_text text)
{
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (uint8_t)text.bytes[i]) *
		    UINT64_C(0x100000001b3);
	return (hash ^ 0xff) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool
copy_name(struct dmt_arena *arena, struct dmtrace_text *text)
{
	text->bytes = dmt_arena_copy(arena, text->bytes, text->len);
	return text->bytes != NULL;
}

/* The index of a new method, whose names are copied; 0: no memory. */
static uint32_t
append_method(struct dmtrace_profile *profile,
    const struct dmt_profile_method *model)
{
	struct dmt_profile_method method = *model;
	const size_t index = profile->method_count;

	struct dmt_profile_method *methods = dmt_array_grow(profile->methods,
	    &profile->method_capacity, index + 1, sizeof(*methods));
	if (methods == NULL)
		return 0;
	profile->methods = methods;
	if (index >= DMT_PROFILE_METHODS ||
	    !copy_name(&profile->names, &method.class_name) ||
	    !copy_name(&profile->names, &method.name) ||
	    !copy_name(&profile->names, &method.signature) ||
	    !copy_name(&profile->names, &method.file))
		return 0;
	methods[index] = method;
	profile->method_count++;
	return (uint32_t)index;
}

/* The index of the method of these names, an old one or a new one. */
static uint32_t
intern_method(struct dmtrace_profile *profile,
    struct dmt_profile_method *method)
{
	uint64_t hash = hash_method_name((uintptr_t)profile,
	    method->class_name);

	hash = hash_method_name(hash, method->name);
	hash = hash_method_name(hash, method->signature) ^ method->listed;
	uint32_t *const first = dmt_idmap_find(&profile->by_name, hash);
	for (uint32_t i = first == NULL ? 0 : *first; i != 0;
	    i = profile->methods[i].next) {
		const struct dmt_profile_method *const other =
		    &profile->methods[i];

		if (other->listed == method->listed &&
		    dmt_text_equal(other->class_name, method->class_name) &&
		    dmt_text_equal(other->name, method->name) &&
		    dmt_text_equal(other->signature, method->signature))
			return i;
	}
	method->next = first == NULL ? 0 : *first;
	const uint32_t index = append_method(profile, method);
	if (index == 0)
		return 0;
	if (first != NULL)
		*first = index;
	else if (!dmt_idmap_add(&profile->by_name, hash, index))
		return 0;
	return index;
}

/* Leaves the names that count; the package is the class without what follows
 * the last '/' or '.'. */
static void
keep_names_by(struct dmt_profile_method *method, enum dmtrace_profile_by by)
{
	const struct dmtrace_text class_name = method->class_name;
	size_t len = class_name.len;

	if (by == DMTRACE_PROFILE_BY_PACKAGE) {
		while (len > 0 && class_name.bytes[len - 1] != '/' &&
		    class_name.bytes[len - 1] != '.')
			len--;
		method->class_name.len = len > 0 ? len - 1 : 0;
	}
	if (by == DMTRACE_PROFILE_BY_NAME)
		method->class_name = EMPTY;
	if (by == DMTRACE_PROFILE_BY_CLASS ||
	    by == DMTRACE_PROFILE_BY_PACKAGE)
		method->name = EMPTY;
	if (by != DMTRACE_PROFILE_BY_METHOD && by != DMTRACE_PROFILE_BY_ROW) {
		method->signature = method->file = EMPTY;
		method->line = DMTRACE_NO_LINE;
	}
}

uint32_t
dmt_profile_add_listed(struct dmtrace_profile *profile,
    const struct dmtrace_method *row)
{
	const enum dmtrace_profile_by by = profile->options.by;
	const uint64_t id = row->id & ~(uint64_t)3;
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method named = dmt_method_named(row, id, number);
	struct dmt_profile_method method = {
		.class_name = named.class_name, .name = named.name,
		.signature = named.signature, .file = named.file,
		.line = named.line, .id = row->id,
		.listed = row->name.len > 0 ||
		    by == DMTRACE_PROFILE_BY_CLASS ||
		    by == DMTRACE_PROFILE_BY_PACKAGE
	};

	keep_names_by(&method, by);
	return by == DMTRACE_PROFILE_BY_ROW ?
	    append_method(profile, &method) : intern_method(profile, &method);
}

/* The time outside of methods and, as in dmtracedump, one method for all that
 * are not listed. */
static bool
add_toplevel_methods(struct dmtrace_profile *profile)
{
	const struct dmt_profile_method top = {
		.class_name = EMPTY, .name = TEXT("(toplevel)"),
		.signature = EMPTY, .file = EMPTY, .line = DMTRACE_NO_LINE,
		.listed = true
	};
	const struct dmt_profile_method unknown = {
		.class_name = EMPTY, .name = TEXT("(unknown)"),
		.signature = EMPTY, .file = EMPTY, .line = DMTRACE_NO_LINE
	};

	append_method(profile, &top);
	if (profile->method_count == 0)
		return false;
	if (!(profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP))
		return true;
	profile->unknown = append_method(profile, &unknown);
	return profile->unknown != 0;
}

bool
dmt_profile_add_methods(struct dmtrace_profile *profile,
    const struct dmtrace_key *key, struct dmt_idmap *rows)
{
	const size_t count = dmtrace_key_method_count(key);
	bool done = profile->method_count > 0 || add_toplevel_methods(profile);

	/* The first row of an id is what the id means. */
	for (size_t i = 0; i < count && done; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);
		const uint64_t id = row->id & ~(uint64_t)3;
		const uint32_t index = dmt_profile_add_listed(profile, row);

		done = index != 0 && (dmt_idmap_find(rows, id) != NULL ||
		    dmt_idmap_add(rows, id, index));
	}
	if (!done)
		dmt_error_memory(&profile->error);
	return done;
}

/* The row of a method without one in the key: its name is its id, unless the
 * report groups by what an id does not have. 0: no memory. */
uint32_t
dmt_profile_add_unlisted(struct dmtrace_profile *profile, uint64_t id)
{
	char number[DMT_NUMBER_MAX];
	struct dmt_profile_method method = {
		.class_name = EMPTY, .signature = EMPTY, .file = EMPTY,
		.line = DMTRACE_NO_LINE, .id = id,
		.name = dmt_method_named(NULL, id, number).name
	};

	if (profile->unknown != 0)
		return profile->unknown;
	keep_names_by(&method, profile->options.by);
	const uint32_t index = intern_method(profile, &method);
	if (index == 0)
		dmt_error_memory(&profile->error);
	return index;
}

/* Threads. */

/* A new thread, before those of the same number. false: no memory. */
static bool
append_profile_thread(struct dmtrace_profile *profile,
    const struct dmtrace_profile_thread *thread)
{
	const uint32_t index = (uint32_t)profile->thread_count;
	uint32_t *const first =
	    dmt_idmap_find(&profile->by_number, thread->number);
	struct dmt_profile_thread **const threads = dmt_array_grow(
	    profile->threads, &profile->thread_capacity, index + (size_t)1,
	    sizeof(*threads));

	if (threads == NULL)
		return false;
	profile->threads = threads;
	struct dmt_profile_thread *const made =
	    dmt_array_new(1, sizeof(*made));
	if (made == NULL)
		return false;
	made->thread = *thread;
	made->next = first == NULL ? UINT32_MAX : *first;
	if (!copy_name(&profile->names, &made->thread.name) ||
	    (first == NULL && !dmt_idmap_add(&profile->by_number,
	    thread->number, index))) {
		free(made);
		return false;
	}
	if (first != NULL)
		*first = index;
	threads[profile->thread_count++] = made;
	return true;
}

uint32_t
dmt_profile_get_thread(struct dmtrace_profile *profile,
    const struct dmt_indexed_thread *indexed)
{
	const uint32_t *const first =
	    dmt_idmap_find(&profile->by_number, indexed->number);
	const struct dmtrace_profile_thread wanted = {
		.number = indexed->number,
		.listed = indexed->row != NULL,
		.name = indexed->row == NULL || indexed->row->name.len == 0 ?
		    EMPTY : indexed->row->name
	};

	for (uint32_t i = first == NULL ? UINT32_MAX : *first;
	    i != UINT32_MAX; i = profile->threads[i]->next) {
		const struct dmtrace_profile_thread *const thread =
		    &profile->threads[i]->thread;

		if (thread->listed == wanted.listed &&
		    dmt_text_equal(thread->name, wanted.name))
			return i;
	}
	if (append_profile_thread(profile, &wanted))
		return (uint32_t)profile->thread_count - 1;
	dmt_error_memory(&profile->error);
	return UINT32_MAX;
}
