/* select.c - selections: the threads, methods and calls that are selected */

/*
 * A selection is a list of conditions (numbers, names and patterns) and some
 * limits. To resolve it for a trace, each condition is compared once with
 * every row of the key: a thread condition sets a byte for each number that
 * matches, a method condition sets a bit of each method id. So the stage never
 * compares names. Conditions that match nothing are kept for the caller's
 * message. A thread number that no row lists matches if a record has it, which
 * is only known at the end. So is what matches a method that no row lists: it
 * is named by its id, and is compared once, when the first event has it.
 *
 * Negated conditions narrow what the others of their kind select, and without
 * others they narrow the whole: what one of them does not match is left out.
 */

#include "events/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "key/number.h"
#include "private/event.h"
#include "private/key.h"
#include "private/select.h"
#include "private/text.h"

struct dmt_selection *
dmt_selection_new(void)
{
	return dmt_array_new(1, sizeof(struct dmt_selection));
}

void
dmt_selection_free(struct dmt_selection *selection)
{
	if (selection == NULL)
		return;
	for (size_t i = 0; i < selection->count; i++)
		dmt_pattern_fini(&selection->items[i].pattern);
	free(selection->items);
	free(selection->threads);
	free(selection->seen);
	dmt_idmap_fini(&selection->methods);
	dmt_idmap_fini(&selection->rows);
	free(selection);
}

const struct dmtrace_error *
dmt_selection_error(const struct dmt_selection *selection)
{
	return &selection->error;
}

/* Adds a condition: one number, name or pattern or, if it has parts, the name
 * of a thread. If negated, it is one of a list with "!" in front. */
static enum dmtrace_status
add_condition(struct dmt_selection *selection,
    struct dmt_condition condition, const char *text, bool negated)
{
	struct dmt_condition *const items = dmt_array_grow(selection->items,
	    &selection->capacity, selection->count + 1, sizeof(*items));

	if (items == NULL)
		return dmt_error_memory(&selection->error);
	selection->items = items;
	if ((condition.parts > 0 ? dmt_pattern_init_name :
	    dmt_pattern_init)(&condition.pattern, text, &selection->error) !=
	    DMTRACE_OK) {
		dmt_pattern_fini(&condition.pattern);
		return selection->error.status;
	}
	condition.pattern.negated |= negated;
	/* A thread is selected by its number, if the text is all digits. */
	condition.is_number = condition.kind == DMT_SELECT_THREAD &&
	    dmt_count_decode(&condition.number,
	    dmt_text_of(condition.pattern.text)) &&
	    condition.number <= UINT32_MAX;
	items[selection->count++] = condition;
	selection->kinds[condition.kind]++;
	selection->negated[condition.kind] += condition.pattern.negated;
	return DMTRACE_OK;
}

/* Returns the number of parts of a list; 0 if a part is empty, as then the
 * whole text is a name. */
static size_t
count_parts(const char *text)
{
	size_t count = 0, len;

	for (;; text += len + 1) {
		len = dmt_pattern_list_len(text);
		if (len == 0)
			return 0;
		count++;
		if (text[len] == '\0')
			return count;
	}
}

/* Adds the whole text, which may be the name of a thread, then each part. */
static enum dmtrace_status
add_thread_list(struct dmt_selection *selection, const char *text,
    size_t parts)
{
	const size_t count = selection->count;
	const size_t size = strlen(text) + 1;
	char *const copy = dmt_array_new(size, 1);

	if (copy == NULL)
		return dmt_error_memory(&selection->error);
	memcpy(copy, text, size);
	const bool negated = text[0] == '!';
	enum dmtrace_status status = add_condition(selection,
	    (struct dmt_condition){ .kind = DMT_SELECT_THREAD,
	    .parts = parts }, text + negated, negated);
	char *part = copy + negated;
	for (size_t i = 0; i < parts && status == DMTRACE_OK; i++) {
		char *const end = part + dmt_pattern_list_len(part);

		*end = '\0';
		status = add_condition(selection,
		    (struct dmt_condition){ .kind = DMT_SELECT_THREAD }, part,
		    negated);
		part = end + 1;
	}
	while (status != DMTRACE_OK && selection->count > count) {
		const struct dmt_condition *const last =
		    &selection->items[--selection->count];

		selection->kinds[DMT_SELECT_THREAD]--;
		selection->negated[DMT_SELECT_THREAD] -=
		    last->pattern.negated;
		dmt_pattern_fini(&selection->items[selection->count].pattern);
	}
	free(copy);
	return status;
}

enum dmtrace_status
dmt_selection_add(struct dmt_selection *selection,
    enum dmt_condition_kind condition, const char *text)
{
	const size_t parts = condition == DMT_SELECT_THREAD ?
	    count_parts(text) : 1;

	dmt_error_clear(&selection->error);
	return parts > 1 ? add_thread_list(selection, text, parts) :
	    add_condition(selection,
	    (struct dmt_condition){ .kind = condition }, text, false);
}

enum dmtrace_status
dmt_selection_set_window(struct dmt_selection *selection,
    uint64_t from_ns, uint64_t to_ns, int raw)
{
	dmt_error_clear(&selection->error);
	if (from_ns >= to_ns)
		return dmt_error_set(&selection->error, DMTRACE_ERR_RANGE,
		    "a window must end after it begins");
	selection->windowed = from_ns > 0 || to_ns < UINT64_MAX;
	selection->raw = raw != 0;
	selection->from_ns = from_ns;
	selection->to_ns = to_ns;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_selection_set_depth(struct dmt_selection *selection,
    uint32_t first, uint32_t last)
{
	dmt_error_clear(&selection->error);
	if (first == 0 || first > last)
		return dmt_error_set(&selection->error, DMTRACE_ERR_RANGE,
		    "depths begin with 1 and go up");
	selection->first_depth = first;
	selection->last_depth = last;
	return DMTRACE_OK;
}

/* Reads digits and moves *in past them. Without digits *depth is unchanged. */
static bool
read_depth(const char **in, uint32_t *depth)
{
	uint64_t value = 0;

	if (**in < '0' || **in > '9')
		return true;
	for (; **in >= '0' && **in <= '9'; ++*in) {
		value = value * 10 + (uint64_t)(**in - '0');
		if (value > UINT32_MAX)
			return false;
	}
	*depth = (uint32_t)value;
	return true;
}

enum dmtrace_status
dmt_selection_parse_depth(struct dmt_selection *selection, const char *text)
{
	const char *in = text;
	uint32_t first = 1, last = UINT32_MAX;
	bool fine = strcmp(text, "..") != 0 && read_depth(&in, &first);

	if (strncmp(in, "..", 2) == 0) {
		in += 2;
		fine = fine && read_depth(&in, &last);
	} else {
		last = first;
	}
	fine = fine && text[0] != '\0' && *in == '\0';
	return dmt_selection_set_depth(selection, fine ? first : 0, last);
}

void
dmt_selection_set_min_time(struct dmt_selection *selection,
    uint64_t min_ns)
{
	selection->min_ns = min_ns;
}

void
dmt_selection_set_invert(struct dmt_selection *selection, int invert)
{
	selection->invert = invert != 0;
}

/* Adds every item of a list that ends with NULL. */
static enum dmtrace_status
add_conditions(struct dmt_selection *selection, enum dmt_condition_kind kind,
    const char *const *values)
{
	enum dmtrace_status status = DMTRACE_OK;

	for (; values != NULL && *values != NULL && status == DMTRACE_OK;
	    values++)
		status = dmt_selection_add(selection, kind, *values);
	return status;
}

static enum dmtrace_status
set_conditions(struct dmt_selection *selection,
    const struct dmtrace_select_options *options)
{
	const uint64_t to_ns = options->to_ns == 0 ? UINT64_MAX :
	    options->to_ns;
	const bool any_depth = options->first_depth == 0 &&
	    options->last_depth == 0;
	enum dmtrace_status status = add_conditions(selection,
	    DMT_SELECT_THREAD, options->threads);

	if (status == DMTRACE_OK)
		status = add_conditions(selection, DMT_SELECT_METHOD,
		    options->methods);
	if (status == DMTRACE_OK)
		status = add_conditions(selection, DMT_SELECT_UNDER,
		    options->under);
	if (status == DMTRACE_OK)
		status = add_conditions(selection, DMT_SELECT_HIDE,
		    options->hidden);
	if (status == DMTRACE_OK)
		status = dmt_selection_set_window(selection, options->from_ns,
		    to_ns, options->raw);
	if (status == DMTRACE_OK && !any_depth)
		status = dmt_selection_set_depth(selection,
		    options->first_depth == 0 ? 1 : options->first_depth,
		    options->last_depth == 0 ? UINT32_MAX :
		    options->last_depth);
	dmt_selection_set_min_time(selection, options->min_ns);
	dmt_selection_set_invert(selection, options->invert);
	return status;
}

enum dmtrace_status
dmt_selection_make(struct dmt_selection **selection,
    const struct dmtrace_select_options *options, struct dmtrace_error *error)
{
	struct dmt_selection *const new = dmt_selection_new();

	if (new == NULL)
		return dmt_error_memory(error);
	const enum dmtrace_status status = set_conditions(new, options);
	if (status != DMTRACE_OK) {
		*error = new->error;
		dmt_selection_free(new);
		return status;
	}
	*selection = new;
	return DMTRACE_OK;
}

void
dmt_selection_get_window(const struct dmt_selection *selection,
    uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = selection->windowed ? selection->from_ns : 0;
	*to_ns = selection->windowed ? selection->to_ns : UINT64_MAX;
}

uint64_t
dmt_selection_count(const struct dmt_selection *selection)
{
	return selection->selected;
}

uint64_t
dmt_selection_no_cpu(const struct dmt_selection *selection)
{
	return selection->no_cpu;
}

int
dmt_selection_is_all(const struct dmt_selection *selection)
{
	return selection->count == 0 && !selection->windowed &&
	    selection->first_depth == 0 && selection->min_ns == 0 &&
	    !selection->invert;
}

bool
dmt_times_comparable(const struct dmtrace_key *key,
    const struct dmt_layout *layout)
{
	const struct dmtrace_option *const vm =
	    dmtrace_key_option_find(key, DMT_OPTION_VM);
	const bool dalvik = vm != NULL &&
	    dmt_text_is(vm->value, "dalvik");

	return dmt_layout_has_wall(layout) &&
	    dmt_key_clock(key) != DMTRACE_CLOCK_GLOBAL &&
	    !(layout->version == 1 && dalvik);
}

/* Selects the number that records have for a row of the key or, with "!", does
 * not. */
static void
want_thread(struct dmt_selection *selection,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    uint32_t id, bool negated)
{
	const uint32_t number = id & (uint32_t)(selection->numbers - 1);

	const struct dmtrace_thread *const row =
	    dmt_key_thread_match(key, layout, number);

	/* Of format V2, a summary may list more than events can have. */
	if (row != NULL && row->id == id)
		selection->threads[number] = !negated;
}

/* Selects the threads whose name equals the text or matches the pattern; if it
 * is negated, they are not selected. false: no memory. */
static bool
match_thread_names(struct dmt_selection *selection,
    struct dmt_condition *condition, const struct dmtrace_key *key,
    const struct dmt_layout *layout, bool exact)
{
	const char *const name = condition->pattern.text;
	const bool negated = condition->pattern.negated;

	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const thread =
		    dmtrace_key_thread_get(key, i);

		bool matches = dmt_text_is(thread->name, name) != negated;
		if (!exact && !dmt_pattern_match_name(&condition->pattern,
		    thread->name, &matches))
			return false;
		if (matches == negated)
			continue;
		want_thread(selection, key, layout, thread->id, negated);
		condition->matched = true;
	}
	return true;
}

/* Digits are an id, which may be in records even if no row lists it; if no
 * thread has the id, they may be a name. A name is tried before a pattern.
 * false: no memory. */
static bool
match_thread_condition(struct dmt_selection *selection,
    struct dmt_condition *condition, const struct dmtrace_key *key,
    const struct dmt_layout *layout)
{
	const uint32_t number = (uint32_t)condition->number;

	if (condition->is_number) {
		condition->matched =
		    dmtrace_key_thread_find(key, number) != NULL;
		if (condition->matched)
			want_thread(selection, key, layout, number,
			    condition->pattern.negated);
		else if (number < selection->numbers)
			selection->threads[number] =
			    !condition->pattern.negated;
	}
	if (!condition->matched)
		match_thread_names(selection, condition, key, layout, true);
	return condition->matched ||
	    condition->pattern.kind == DMT_PATTERN_NAME ||
	    match_thread_names(selection, condition, key, layout, false);
}

/* Applies the conditions without "!", or those with it. A list of threads,
 * whose parts are the next conditions, is first taken for the name of one, and
 * its parts are left out; if there is no such thread, only they count. false:
 * no memory. */
static bool
match_all_threads(struct dmt_selection *selection,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    bool negated)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		if (condition->kind != DMT_SELECT_THREAD ||
		    condition->pattern.negated != negated)
			continue;
		if (condition->parts == 0) {
			if (!match_thread_condition(selection, condition, key,
			    layout))
				return false;
			continue;
		}
		match_thread_names(selection, condition, key, layout, true);
		const bool is_name = condition->matched;
		condition->matched = true;
		for (size_t left = is_name ? condition->parts : 0; left > 0;
		    left--)
			selection->items[++i].matched = true;
	}
	return true;
}

static const uint32_t method_bits[] = {
	[DMT_SELECT_METHOD] = DMT_METHOD_WANTED,
	[DMT_SELECT_UNDER] = DMT_METHOD_UNDER,
	[DMT_SELECT_HIDE] = DMT_METHOD_HIDDEN,
};

/* Sets the bits of a method that no condition matches. */
static void
set_usual_bits(struct dmt_selection *selection)
{
	selection->usual_bits = 0;
	for (unsigned kind = DMT_SELECT_METHOD; kind <= DMT_SELECT_HIDE; kind++)
		if (selection->negated[kind] > 0 &&
		    selection->negated[kind] == selection->kinds[kind])
			selection->usual_bits |= method_bits[kind];
}

/* What no condition that is a number has. */
#define NO_ID UINT64_MAX

/* Computes the bits of a method, and marks the conditions whose names it has.
 * id is that of a method that no row lists, or NO_ID. false: no memory. */
static bool
match_method_text(struct dmt_selection *selection,
    struct dmt_method_text *text, uint64_t id, uint32_t *bits)
{
	uint32_t accepted = selection->usual_bits, refused = 0;

	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		bool matches;

		if (condition->kind == DMT_SELECT_THREAD)
			continue;
		if (!dmt_pattern_match_method(&condition->pattern, text,
		    &matches))
			return false;
		if (condition->is_number && condition->number == id)
			matches = !condition->pattern.negated;
		if (matches && !condition->pattern.negated)
			accepted |= method_bits[condition->kind];
		if (!matches && condition->pattern.negated)
			refused |= method_bits[condition->kind];
		condition->matched |= matches != condition->pattern.negated;
	}
	*bits = accepted & ~refused;
	return true;
}

/* Computes the bits of a method by its row, or by its id if that is NULL. text
 * is zeroed before the first use. false: no memory. */
static bool
match_row(struct dmt_selection *selection, const struct dmtrace_method *row,
    uint64_t id, struct dmt_method_text *text, uint32_t *bits)
{
	return dmt_method_text_make(text, row, id) && match_method_text(
	    selection, text, row == NULL ? id : NO_ID, bits);
}

/* Computes the bits of all methods that the key lists. Of rows with the same
 * id, the first one counts, except where packets redefine the id. */
static bool
match_listed_methods(struct dmt_selection *selection,
    const struct dmtrace_key *key)
{
	struct dmt_method_text text = { .bytes = NULL };
	bool done = true;

	for (size_t i = 0; i < dmtrace_key_method_count(key) && done; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);
		const uint64_t id = row->id & ~UINT64_C(3);
		const bool again =
		    dmt_idmap_find(&selection->methods, id) != NULL;
		uint32_t bits;

		done = match_row(selection, row, id, &text, &bits) &&
		    dmt_idmap_add(again ? &selection->rows :
		    &selection->methods, again ? i : id, bits);
	}
	free(text.bytes);
	return done;
}

/* Finds the conditions that are the ids of methods that no row lists. */
static void
find_method_numbers(struct dmt_selection *selection,
    const struct dmtrace_key *key)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];
		const char *const text = condition->pattern.text;
		uint64_t id;
		bool unusual;

		if (condition->kind == DMT_SELECT_THREAD)
			continue;
		condition->is_number = !condition->matched &&
		    strncmp(text, "0x", 2) == 0 && dmt_method_id_decode(&id,
		    &unusual, (struct dmtrace_text){ text, strlen(text) }) &&
		    !unusual && (id & 3) == 0 &&
		    dmtrace_key_method_find(key, id) == NULL;
		if (condition->is_number)
			condition->number = id;
	}
}

enum dmtrace_status
dmt_selection_resolve(struct dmt_selection *selection,
    const struct dmtrace_key *key, const struct dmt_layout *layout)
{
	const size_t on_threads = selection->kinds[DMT_SELECT_THREAD];

	dmt_error_clear(&selection->error);
	if (selection->invert && selection->windowed && !selection->raw)
		return dmt_error_set(&selection->error, DMTRACE_ERR_RANGE,
		    "an inverted window has events on both sides: it must be "
		    "raw");

	/* Free the result of an earlier call. */
	free(selection->threads);
	free(selection->seen);
	dmt_idmap_fini(&selection->methods);
	dmt_idmap_fini(&selection->rows);
	selection->numbers = dmt_layout_thread_numbers(layout);
	selection->threads = dmt_array_new(selection->numbers, 1);
	selection->seen = dmt_array_new(selection->numbers, 1);
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		condition->matched = false;
		condition->is_number &= condition->kind == DMT_SELECT_THREAD;
	}
	if (selection->threads == NULL || selection->seen == NULL)
		return dmt_error_memory(&selection->error);

	selection->walled = dmt_layout_has_wall(layout);
	selection->comparable = dmt_times_comparable(key, layout);
	if (on_threads == selection->negated[DMT_SELECT_THREAD])
		memset(selection->threads, 1, selection->numbers);
	set_usual_bits(selection);
	if (!match_all_threads(selection, key, layout, false) ||
	    !match_all_threads(selection, key, layout, true) ||
	    (selection->count > on_threads &&
	    !match_listed_methods(selection, key)))
		return dmt_error_memory(&selection->error);
	find_method_numbers(selection, key);
	return DMTRACE_OK;
}

/* Finds the bits of an id that an event has, or computes them if the key did
 * not list it when the selection was resolved. false: no memory. */
static bool
see_id(struct dmt_selection *selection, uint64_t id,
    const struct dmtrace_method *row, uint32_t *bits)
{
	const uint32_t *const known = dmt_idmap_find(&selection->methods, id);
	struct dmt_method_text text = { .bytes = NULL };

	*bits = known != NULL ? *known : 0;
	if (known != NULL ||
	    selection->count == selection->kinds[DMT_SELECT_THREAD])
		return true;
	const bool done = match_row(selection, row, id, &text, bits);
	free(text.bytes);
	return done;
}

bool
dmt_selection_see_method(struct dmt_selection *selection,
    const struct dmt_indexes *indexes, size_t index, uint8_t *bits)
{
	const struct dmt_indexed_method *const method =
	    &indexes->methods[index];
	uint32_t *again = NULL, found;

	if (selection->rows.count > 0 && method->row != NULL)
		again = dmt_idmap_find(&selection->rows, (uint64_t)(method->row
		    - dmtrace_key_method_get(indexes->key, 0)));
	if (again != NULL)
		found = *again;
	else if (!see_id(selection, method->id, method->row, &found))
		return false;
	*bits = (uint8_t)found;
	return true;
}

void
dmt_selection_note_seen(struct dmt_selection *selection)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct dmt_condition *const condition = &selection->items[i];

		if (condition->kind == DMT_SELECT_THREAD &&
		    condition->is_number && !condition->matched)
			condition->matched =
			    condition->number < selection->numbers &&
			    selection->seen[condition->number];
	}
}

int
dmt_selection_unmatched(const struct dmt_selection *selection,
    size_t index, struct dmt_unmatched *unmatched)
{
	for (size_t i = 0; i < selection->count; i++) {
		const struct dmt_condition *const condition =
		    &selection->items[i];

		if (condition->matched || index-- > 0)
			continue;
		unmatched->condition = condition->kind;
		unmatched->value = condition->pattern.text;
		unmatched->is_pattern =
		    condition->pattern.kind != DMT_PATTERN_NAME;
		unmatched->is_number = condition->is_number;
		unmatched->is_late = condition->is_number ||
		    (unmatched->is_pattern &&
		    condition->kind != DMT_SELECT_THREAD);
		return 0;
	}
	return 1;
}

int
dmt_selection_wants_thread(const struct dmt_selection *selection,
    uint32_t thread)
{
	return dmt_selection_has_thread(selection, thread);
}

static bool
are_bits_wanted(const struct dmt_selection *selection, unsigned bits)
{
	return (selection->kinds[DMT_SELECT_METHOD] == 0 ||
	    (bits & DMT_METHOD_WANTED)) && !(bits & DMT_METHOD_HIDDEN);
}

int
dmt_selection_wants_method(struct dmt_selection *selection, uint64_t method)
{
	uint32_t bits;

	return see_id(selection, method & ~UINT64_C(3), NULL, &bits) ?
	    are_bits_wanted(selection, bits) : -1;
}

int
dmt_selection_wants_row(struct dmt_selection *selection,
    const struct dmtrace_method *row)
{
	struct dmt_method_text text = { .bytes = NULL };
	uint32_t bits;

	set_usual_bits(selection);
	const bool done = match_row(selection, row, row->id & ~UINT64_C(3),
	    &text, &bits);

	free(text.bytes);
	return done ? are_bits_wanted(selection, bits) : -1;
}

int
dmt_selection_wants_name(struct dmt_selection *selection,
    struct dmtrace_text name, int is_class)
{
	struct dmt_method_text text = {
		.bytes = malloc(name.len + 1), .len = name.len,
		.class_len = is_class ? name.len : 0,
		.name_end = name.len, .types_end = name.len
	};

	if (text.bytes == NULL)
		return -1;
	if (name.len > 0)
		memcpy(text.bytes, name.bytes, name.len);
	set_usual_bits(selection);
	uint32_t bits;
	const bool done = match_method_text(selection, &text, NO_ID, &bits);
	free(text.bytes);
	return done ? are_bits_wanted(selection, bits) : -1;
}
