/* profile_names.c - the methods and threads of a profile, by their names */

/*
 * The ids of methods differ from trace to trace, so methods of several traces
 * are the same if their names are. The options say which names count: all of
 * them, only the class, or only the package. The others are made empty, and
 * methods that then have the same names are one method of the profile. Threads
 * are the same if their numbers and names are; they are found by number.
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

static bool
copy_name(struct dmt_arena *arena, struct dmtrace_text *text)
{
	const char *const copy =
	    dmt_arena_copy(arena, text->bytes, text->len);

	*text = copy == NULL ? EMPTY :
	    (struct dmtrace_text){ copy, text->len };
	return copy != NULL;
}

/* Returns the index of the method with a name. If there is none yet, or if
 * is_new, adds one with a copy of method. 0: no memory; the error of the
 * profile is set. */
static uint32_t
add_profile_method(struct dmtrace_profile *profile,
    const struct dmt_name *name, const struct dmt_profile_method *method,
    bool is_new)
{
	const size_t count = profile->names.count;
	struct dmt_profile_method *const methods = dmt_array_grow(
	    profile->methods, &profile->method_capacity, count + 1,
	    sizeof(*methods));

	if (methods == NULL)
		goto no_memory;
	profile->methods = methods;
	const uint32_t index = is_new ?
	    dmt_name_table_append(&profile->names, name) :
	    dmt_name_table_intern(&profile->names, name);
	if (index == DMT_NO_NAME)
		goto no_memory;
	if (index < count)
		return index;
	methods[index] = *method;
	if (copy_name(&profile->names.arena, &methods[index].file))
		return index;

no_memory:
	dmt_error_memory(&profile->error);
	return 0;
}

/* Makes the names that do not count empty. */
static void
keep_names_by(struct dmt_name *name, enum dmtrace_profile_by by)
{
	if (by == DMTRACE_PROFILE_BY_PACKAGE)
		name->class_name = dmt_class_package(name->class_name);
	if (by == DMTRACE_PROFILE_BY_NAME)
		name->class_name = EMPTY;
	if (by == DMTRACE_PROFILE_BY_CLASS ||
	    by == DMTRACE_PROFILE_BY_PACKAGE)
		name->name = EMPTY;
	if (by != DMTRACE_PROFILE_BY_METHOD && by != DMTRACE_PROFILE_BY_ROW)
		name->signature = EMPTY;
}

uint32_t
dmt_profile_add_listed(struct dmtrace_profile *profile,
    const struct dmtrace_method *row)
{
	const enum dmtrace_profile_by by = profile->options.by;
	const bool has_place = by == DMTRACE_PROFILE_BY_METHOD ||
	    by == DMTRACE_PROFILE_BY_ROW;
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method named =
	    dmt_method_named(row, row->id & ~(uint64_t)3, number);
	struct dmt_name name = {
		.class_name = named.class_name, .name = named.name,
		.signature = named.signature,
		.listed = row->name.len > 0 ||
		    by == DMTRACE_PROFILE_BY_CLASS ||
		    by == DMTRACE_PROFILE_BY_PACKAGE
	};
	const struct dmt_profile_method method = {
		.file = has_place ? named.file : EMPTY,
		.line = has_place ? named.line : DMTRACE_NO_LINE, .id = row->id
	};

	keep_names_by(&name, by);
	return add_profile_method(profile, &name, &method,
	    by == DMTRACE_PROFILE_BY_ROW);
}

/* Adds the top and, if calls are counted as dmtracedump does, one method for
 * all unlisted ids. false: no memory. */
static bool
add_toplevel_methods(struct dmtrace_profile *profile)
{
	const struct dmt_name top = {
		.name = TEXT("(toplevel)"), .listed = true
	};
	const struct dmt_name unknown = { .name = TEXT("(unknown)") };
	const struct dmt_profile_method method = { .line = DMTRACE_NO_LINE };

	add_profile_method(profile, &top, &method, true);
	if (profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP)
		profile->unknown = add_profile_method(profile, &unknown,
		    &method, true);
	return profile->error.status == DMTRACE_OK;
}

uint32_t
dmt_profile_add_method(struct dmtrace_profile *profile,
    const struct dmt_name *name, const struct dmt_profile_method *method)
{
	return profile->names.count == 0 && !add_toplevel_methods(profile) ?
	    0 : add_profile_method(profile, name, method, false);
}

bool
dmt_profile_add_methods(struct dmtrace_profile *profile,
    const struct dmtrace_key *key, size_t *first)
{
	const size_t count = dmtrace_key_method_count(key);
	bool done = profile->names.count > 0 || add_toplevel_methods(profile);

	*first = profile->names.count;
	for (size_t i = 0; i < count && done; i++)
		done = dmt_profile_add_listed(profile,
		    dmtrace_key_method_get(key, i)) != 0;
	return done;
}

/* Its name is its id; by class and package it is empty. */
uint32_t
dmt_profile_add_unlisted(struct dmtrace_profile *profile, uint64_t id)
{
	char number[DMT_NUMBER_MAX];
	struct dmt_name name = {
		.name = dmt_method_named(NULL, id, number).name
	};
	const struct dmt_profile_method method = {
		.line = DMTRACE_NO_LINE, .id = id
	};

	if (profile->unknown != 0)
		return profile->unknown;
	keep_names_by(&name, profile->options.by);
	return add_profile_method(profile, &name, &method, false);
}

/* Threads. */

/* Adds a thread, as the first one of its number. false: no memory. */
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
	if (!copy_name(&profile->names.arena, &made->thread.name) ||
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
