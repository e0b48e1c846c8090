/* resolve.c - names and patterns, looked up in the key of a trace */

#include "events/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "key/number.h"

bool
dmt_times_comparable(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout)
{
	const struct dmtrace_option *const vm =
	    dmtrace_key_option_find(key, "vm");
	const bool dalvik = vm != NULL && vm->value.len == 6 &&
	    memcmp(vm->value.bytes, "dalvik", 6) == 0;

	return dmt_layout_has_wall(layout) &&
	    dmtrace_key_clock(key) != DMTRACE_CLOCK_GLOBAL &&
	    !(layout->version == 1 && dalvik);
}

/* Marks the number that records have for a row. */
static void
want_thread(struct dmtrace_selection *selection,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout,
    uint32_t id)
{
	const uint32_t number = id & (uint32_t)(selection->numbers - 1);

	if (dmtrace_key_thread_match(key, layout, number)->id == id)
		selection->threads[number] = 1;
}

static bool
has_row(const struct dmt_condition *condition,
    const struct dmtrace_thread *thread, bool exact)
{
	const size_t len = strlen(condition->pattern.words);

	return exact ? thread->name.len == len && memcmp(thread->name.bytes,
	    condition->pattern.words, len) == 0 :
	    dmt_pattern_has_name(&condition->pattern, thread->name);
}

static void
match_names(struct dmtrace_selection *selection,
    struct dmt_condition *condition, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout, bool exact)
{
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const thread =
		    dmtrace_key_thread_get(key, i);

		if (!has_row(condition, thread, exact))
			continue;
		want_thread(selection, key, layout, thread->id);
		condition->matched = true;
	}
}

/* An id; what no row lists may still be in a record. */
static void
match_number(struct dmtrace_selection *selection,
    struct dmt_condition *condition, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout)
{
	const uint32_t number = (uint32_t)condition->number;

	condition->matched = dmtrace_key_thread_find(key, number) != NULL;
	if (condition->matched)
		want_thread(selection, key, layout, number);
	else if (number < selection->numbers)
		selection->threads[number] = 1;
}

/* A number that is no id may be a name; a name goes before a glob. */
static void
match_threads(struct dmtrace_selection *selection,
    struct dmt_condition *condition, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout)
{
	if (condition->is_number)
		match_number(selection, condition, key, layout);
	if (!condition->matched)
		match_names(selection, condition, key, layout, true);
	if (!condition->matched &&
	    condition->pattern.kind == DMT_PATTERN_GLOB)
		match_names(selection, condition, key, layout, false);
}

/* A list of threads is the name of one, or each of its parts counts. */
static void
match_all_threads(struct dmtrace_selection *selection,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		if (condition->kind != DMTRACE_SELECT_THREAD)
			continue;
		if (condition->parts == 0) {
			match_threads(selection, condition, key, layout);
			continue;
		}
		match_names(selection, condition, key, layout, true);
		if (!condition->matched) {
			condition->matched = true;	/* by its parts */
			continue;
		}
		for (size_t part = 1; part <= condition->parts; part++)
			condition[part].matched = true;
		i += condition->parts;
	}
}

static const uint32_t method_bits[] = {
	[DMTRACE_SELECT_METHOD] = DMT_METHOD_WANTED,
	[DMTRACE_SELECT_UNDER] = DMT_METHOD_UNDER,
	[DMTRACE_SELECT_HIDE] = DMT_METHOD_HIDDEN,
};

/* The bits of one method. */
static uint32_t
match_method(struct dmtrace_selection *selection,
    struct dmt_method_text *text)
{
	uint32_t found = 0;

	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		if (condition->kind == DMTRACE_SELECT_THREAD ||
		    !dmt_pattern_has_method(&condition->pattern, text))
			continue;
		found |= method_bits[condition->kind];
		condition->matched = true;
	}
	return found;
}

/* Of rows with the same id, the first counts, as everywhere. */
static bool
match_methods(struct dmtrace_selection *selection,
    const struct dmtrace_key *key)
{
	struct dmt_method_text text = { .bytes = NULL };
	bool done = true;

	for (size_t i = 0; i < dmtrace_key_method_count(key) && done; i++) {
		const struct dmtrace_method *const method =
		    dmtrace_key_method_get(key, i);
		const uint64_t id = method->id & ~UINT64_C(3);

		if (dmt_idmap_find(&selection->methods, id) != NULL)
			continue;
		done = dmt_method_text_make(&text, method, id) &&
		    dmt_idmap_add(&selection->methods, id,
		    match_method(selection, &text));
	}
	free(text.bytes);
	return done;
}

static bool
is_id(const struct dmt_condition *condition, uint64_t *id)
{
	const char *const words = condition->pattern.words;
	bool odd;

	return strncmp(words, "0x", 2) == 0 && dmt_method_id_decode(id, &odd,
	    (struct dmtrace_text){ words, strlen(words) }) && !odd &&
	    (*id & 3) == 0;
}

/* A method that no row lists is called by its id. Whether a record has it is
 * known when all were seen. */
static bool
match_unlisted(struct dmtrace_selection *selection,
    const struct dmtrace_key *key)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];
		uint64_t id;

		if (condition->kind == DMTRACE_SELECT_THREAD)
			continue;
		condition->is_number = !condition->matched &&
		    is_id(condition, &id) &&
		    dmtrace_key_method_find(key, id) == NULL;
		if (!condition->is_number)
			continue;
		condition->number = id;
		if (!dmt_idmap_reserve(&selection->methods))
			return false;
		dmt_idmap_put(&selection->methods, id, 0);
		*dmt_idmap_find(&selection->methods, id) |=
		    method_bits[condition->kind];
	}
	return true;
}

/* What an earlier resolve found goes. */
static bool
begin(struct dmtrace_selection *selection,
    const struct dmtrace_layout *layout)
{
	free(selection->threads);
	free(selection->seen);
	dmt_idmap_fini(&selection->methods);
	selection->numbers = dmt_layout_thread_numbers(layout);
	selection->threads = dmt_array_new(selection->numbers, 1);
	selection->seen = dmt_array_new(selection->numbers, 1);
	for (size_t i = 0; i < selection->count; i++)
		selection->items[i].matched = false;
	return selection->threads != NULL && selection->seen != NULL;
}

enum dmtrace_status
dmtrace_selection_resolve(struct dmtrace_selection *selection,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout)
{
	const size_t on_threads = selection->kinds[DMTRACE_SELECT_THREAD];

	dmt_error_clear(&selection->error);
	if (selection->invert && selection->windowed && !selection->raw)
		return dmt_error_set(&selection->error, DMTRACE_ERR_RANGE,
		    "everything but a window has records on both sides of it:"
		    " it must be raw");
	if (!begin(selection, layout))
		return dmt_error_memory(&selection->error);
	selection->walled = dmt_layout_has_wall(layout);
	selection->comparable = dmt_times_comparable(key, layout);
	if (on_threads == 0)
		memset(selection->threads, 1, selection->numbers);
	match_all_threads(selection, key, layout);
	if (selection->count > on_threads &&
	    (!match_methods(selection, key) ||
	    !match_unlisted(selection, key)))
		return dmt_error_memory(&selection->error);
	return DMTRACE_OK;
}

uint8_t
dmt_selection_see_method(struct dmtrace_selection *selection, uint64_t id)
{
	uint32_t *const bits = dmt_idmap_find(&selection->methods, id);

	if (bits == NULL)
		return 0;
	*bits |= DMT_METHOD_SEEN;
	return (uint8_t)*bits;
}

void
dmt_selection_note_seen(struct dmtrace_selection *selection)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		if (!condition->is_number || condition->matched)
			continue;
		condition->matched = condition->kind == DMTRACE_SELECT_THREAD ?
		    condition->number < selection->numbers &&
		    selection->seen[condition->number] :
		    (dmt_selection_method(selection, condition->number) &
		    DMT_METHOD_SEEN) != 0;
	}
}

int
dmtrace_selection_unmatched(const struct dmtrace_selection *selection,
    size_t index, struct dmtrace_unmatched *unmatched)
{
	for (size_t i = 0; i < selection->count; i++) {
		const struct dmt_condition *const condition =
		    &selection->items[i];

		if (condition->matched || index-- > 0)
			continue;
		unmatched->condition = condition->kind;
		unmatched->words = condition->pattern.words;
		unmatched->is_pattern =
		    condition->pattern.kind != DMT_PATTERN_NAME;
		unmatched->is_number = condition->is_number;
		return 0;
	}
	return 1;
}

int
dmtrace_selection_has_thread(const struct dmtrace_selection *selection,
    uint32_t thread)
{
	return dmt_selection_has_thread(selection, thread);
}

int
dmtrace_selection_has_method(const struct dmtrace_selection *selection,
    uint64_t method)
{
	const unsigned bits =
	    dmt_selection_method(selection, method & ~UINT64_C(3));

	return (selection->kinds[DMTRACE_SELECT_METHOD] == 0 ||
	    (bits & DMT_METHOD_WANTED)) && !(bits & DMT_METHOD_HIDDEN);
}
