/* traceview_names.c - the threads and methods of a view */

#include "report/traceview.h"

#include <stdlib.h>
#include <string.h>

bool
view_reserve(void *items, size_t count, size_t *capacity, size_t item_size)
{
	const size_t wanted = *capacity * 2 + 16;
	void *old, *grown;

	if (count < *capacity)
		return true;
	memcpy(&old, items, sizeof(old));
	grown = wanted > SIZE_MAX / item_size ? NULL :
	    realloc(old, wanted * item_size);
	if (grown == NULL)
		return false;
	memcpy(items, &grown, sizeof(grown));
	*capacity = wanted;
	return true;
}

static bool
add_thread(struct view *view, uint32_t number,
    const struct dmtrace_thread *listed)
{
	if (view->thread_count >= VIEW_ROOT ||
	    !view_reserve(&view->threads, view->thread_count,
	    &view->thread_capacity, sizeof(*view->threads)))
		return false;
	view->threads[view->thread_count] = (struct view_thread){
		.number = number, .listed = listed,
		.root = { .thread = (uint32_t)view->thread_count,
		    .method = VIEW_TOP, .caller = VIEW_ROOT }
	};
	view->thread_count++;
	return true;
}

/* The one of the key that it belongs to, or a new one. */
static bool
find_thread(struct view *view, uint32_t number)
{
	const struct dmtrace_thread *listed =
	    dmtrace_key_thread_match(view->key, view->layout, number);

	for (size_t i = 0; listed != NULL && i < view->thread_count; i++)
		if (view->threads[i].listed == listed) {
			view->direct[number] = (uint32_t)i + 1;
			return true;
		}
	view->direct[number] = (uint32_t)view->thread_count + 1;
	return add_thread(view, number, NULL);
}

uint32_t
view_thread(struct view *view, uint32_t number)
{
	if (number >= VIEW_THREADS || (view->direct[number] == 0 &&
	    !find_thread(view, number)))
		return VIEW_ROOT;
	return view->direct[number] - 1;
}

/* The slot of an id, or the free one where it belongs. */
static uint32_t *
probe(const struct view *view, uint64_t id)
{
	uint64_t hash = (id ^ (uintptr_t)view->slots) *
	    UINT64_C(0x9e3779b97f4a7c15);

	hash ^= hash >> 32;
	size_t at = (size_t)hash & (view->slot_count - 1);
	while (view->slots[at] != 0 &&
	    view->methods[view->slots[at]].id != id)
		at = (at + 1) & (view->slot_count - 1);
	return &view->slots[at];
}

/* Half of the slots stay free. */
static bool
reserve_slots(struct view *view)
{
	const size_t wanted = view->slot_count == 0 ? 64 :
	    2 * view->slot_count;

	if (2 * view->method_count < view->slot_count)
		return true;
	uint32_t *slots = calloc(wanted, sizeof(*slots));
	if (slots == NULL)
		return false;
	free(view->slots);
	view->slots = slots;
	view->slot_count = wanted;
	for (size_t i = VIEW_LISTED; i < view->method_count; i++)
		*probe(view, view->methods[i].id) = (uint32_t)i;
	return true;
}

static bool
add_method(struct view *view, uint64_t id,
    const struct dmtrace_method *listed, const char *special)
{
	if (view->method_count >= VIEW_ROOT || !reserve_slots(view) ||
	    !view_reserve(&view->methods, view->method_count,
	    &view->method_capacity, sizeof(*view->methods)))
		return false;
	view->methods[view->method_count] = (struct view_method){
		.id = id, .listed = listed, .special = special
	};
	if (special == NULL)
		*probe(view, id) = (uint32_t)view->method_count;
	view->method_count++;
	return true;
}

uint32_t
view_method(struct view *view, uint64_t id)
{
	const uint32_t method = *probe(view, id);

	if (method != 0)
		return method;
	return add_method(view, id, NULL, NULL) ?
	    (uint32_t)view->method_count - 1 : VIEW_ROOT;
}

static bool
add_methods(struct view *view)
{
	const size_t count = dmtrace_key_method_count(view->key);

	if (!add_method(view, 0, NULL, "(toplevel)") ||
	    !add_method(view, 0, NULL, "(context switch)"))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_method *row =
		    dmtrace_key_method_get(view->key, i);
		const uint64_t id = row->id & ~(uint64_t)3;

		if (*probe(view, id) == 0 && !add_method(view, id, row, NULL))
			return false;
	}
	return true;
}

static bool
is_text(struct dmtrace_text text, const char *string)
{
	return text.bytes != NULL && text.len == strlen(string) &&
	    memcmp(text.bytes, string, text.len) == 0;
}

/*
 * Traceview goes by the last clock line that it knows, not by the records:
 * without one, and for any other clock, it takes the first time for thread
 * CPU.
 */
static void
find_clocks(struct view *view)
{
	enum dmtrace_clock clock = DMTRACE_CLOCK_THREAD_CPU;

	for (size_t i = 0; i < dmtrace_key_option_count(view->key); i++) {
		const struct dmtrace_option *const option =
		    dmtrace_key_option_get(view->key, i);

		if (is_text(option->name, "clock") &&
		    is_text(option->value, "wall"))
			clock = DMTRACE_CLOCK_WALL;
		else if (is_text(option->name, "clock") &&
		    is_text(option->value, "dual"))
			clock = DMTRACE_CLOCK_DUAL;
		else if (is_text(option->name, "clock") &&
		    is_text(option->value, "thread-cpu"))
			clock = DMTRACE_CLOCK_THREAD_CPU;
	}
	/* Of records with one time it would read on into the next ones. */
	if (clock == DMTRACE_CLOCK_DUAL &&
	    dmtrace_layout_clock(view->layout) != DMTRACE_CLOCK_DUAL)
		clock = dmtrace_layout_clock(view->layout);
	view->has_clock[VIEW_CPU] = clock != DMTRACE_CLOCK_WALL;
	view->has_clock[VIEW_WALL] = clock == DMTRACE_CLOCK_WALL ||
	    clock == DMTRACE_CLOCK_DUAL;
	view->takes_first = clock != DMTRACE_CLOCK_DUAL;
}

bool
view_init(struct view *view, const struct dmtrace_reader *reader)
{
	*view = (struct view){
		.key = dmtrace_reader_key(reader),
		.layout = dmtrace_reader_layout(reader),
		.last_thread = VIEW_ROOT,
		.direct = calloc(VIEW_THREADS, sizeof(*view->direct)),
		.depths = calloc(VIEW_THREADS, sizeof(*view->depths))
	};
	find_clocks(view);
	if (view->depths == NULL || view->direct == NULL || !add_methods(view))
		return false;
	for (size_t i = 0; i < dmtrace_key_thread_count(view->key); i++) {
		const struct dmtrace_thread *row =
		    dmtrace_key_thread_get(view->key, i);

		if (dmtrace_key_thread_find(view->key, row->id) == row &&
		    !add_thread(view, row->id, row))
			return false;
	}
	return true;
}

void
view_fini(struct view *view)
{
	for (size_t i = 0; i < view->thread_count; i++) {
		free(view->threads[i].open);
		free(view->threads[i].methods);
	}
	free(view->threads);
	free(view->direct);
	free(view->methods);
	free(view->slots);
	free(view->calls);
	free(view->actions);
	free(view->depths);
}
