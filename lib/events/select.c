/* select.c - what is asked of events */

#include "events/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

struct dmtrace_selection *
dmtrace_selection_new(void)
{
	return dmt_array_new(1, sizeof(struct dmtrace_selection));
}

void
dmtrace_selection_free(struct dmtrace_selection *selection)
{
	if (selection == NULL)
		return;
	for (size_t i = 0; i < selection->count; i++)
		dmt_pattern_fini(&selection->items[i].pattern);
	free(selection->items);
	free(selection->threads);
	free(selection->seen);
	dmt_idmap_fini(&selection->methods);
	free(selection);
}

const struct dmtrace_error *
dmtrace_selection_error(const struct dmtrace_selection *selection)
{
	return &selection->error;
}

/* One number or name or pattern. */
static enum dmtrace_status
add(struct dmtrace_selection *selection, struct dmt_condition condition,
    const char *words)
{
	struct dmt_condition *const items = dmt_array_grow(selection->items,
	    &selection->capacity, selection->count + 1, sizeof(*items));
	const bool regex = condition.kind != DMTRACE_SELECT_THREAD;

	if (items == NULL)
		return dmt_error_memory(&selection->error);
	selection->items = items;
	if (dmt_pattern_init(&condition.pattern, words, regex,
	    &selection->error) != DMTRACE_OK) {
		dmt_pattern_fini(&condition.pattern);
		return selection->error.status;
	}
	items[selection->count++] = condition;
	selection->kinds[condition.kind]++;
	return DMTRACE_OK;
}

/* Whether the words are the number of a thread: digits. */
static bool
get_number(const char *words, uint64_t *number)
{
	uint64_t value = 0;

	for (const char *in = words; *in != '\0'; in++) {
		if (*in < '0' || *in > '9')
			return false;
		value = value * 10 + (uint64_t)(*in - '0');
		if (value > UINT32_MAX)
			return false;
	}
	*number = value;
	return words[0] != '\0';
}

static enum dmtrace_status
add_thread(struct dmtrace_selection *selection, const char *words,
    size_t parts)
{
	struct dmt_condition condition = {
		.kind = DMTRACE_SELECT_THREAD, .parts = parts
	};

	condition.is_number = get_number(words, &condition.number);
	return add(selection, condition, words);
}

/* How many parts there are between commas; 0 if one of them is empty, so that
 * the words are a name. */
static size_t
count_parts(const char *words)
{
	size_t count = 1;

	for (const char *in = words; *in != '\0'; in++)
		if (*in == ',') {
			if (in == words || in[1] == ',' || in[1] == '\0')
				return 0;
			count++;
		}
	return count;
}

/* Back to count conditions, the rest of which are threads. */
static void
remove_threads(struct dmtrace_selection *selection, size_t count)
{
	while (selection->count > count) {
		dmt_pattern_fini(&selection->items[--selection->count].pattern);
		selection->kinds[DMTRACE_SELECT_THREAD]--;
	}
}

/* The whole, which may be the name of a thread, and then each part. */
static enum dmtrace_status
add_list(struct dmtrace_selection *selection, const char *words,
    size_t parts)
{
	const size_t count = selection->count;
	const size_t size = strlen(words) + 1;
	char *const copy = dmt_array_new(size, 1);

	if (copy == NULL)
		return dmt_error_memory(&selection->error);
	memcpy(copy, words, size);
	enum dmtrace_status status = add_thread(selection, words, parts);
	char *part = copy;
	for (size_t i = 0; i < parts && status == DMTRACE_OK; i++) {
		char *const end = part + strcspn(part, ",");

		*end = '\0';
		status = add_thread(selection, part, 0);
		part = end + 1;
	}
	if (status != DMTRACE_OK)
		remove_threads(selection, count);
	free(copy);
	return status;
}

enum dmtrace_status
dmtrace_selection_add(struct dmtrace_selection *selection,
    enum dmtrace_condition condition, const char *words)
{
	dmt_error_clear(&selection->error);
	if (condition != DMTRACE_SELECT_THREAD)
		return add(selection,
		    (struct dmt_condition){ .kind = condition }, words);
	const size_t parts = count_parts(words);
	return parts > 1 ? add_list(selection, words, parts) :
	    add_thread(selection, words, 0);
}

enum dmtrace_status
dmtrace_selection_set_window(struct dmtrace_selection *selection,
    uint64_t from_ns, uint64_t to_ns, int raw)
{
	dmt_error_clear(&selection->error);
	if (from_ns >= to_ns)
		return dmt_error_set(&selection->error, DMTRACE_ERR_RANGE,
		    "a window ends behind its start");
	selection->windowed = from_ns > 0 || to_ns < UINT64_MAX;
	selection->raw = raw != 0;
	selection->from_ns = from_ns;
	selection->to_ns = to_ns;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_selection_set_depth(struct dmtrace_selection *selection,
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

void
dmtrace_selection_set_min_time(struct dmtrace_selection *selection,
    uint64_t min_ns)
{
	selection->min_ns = min_ns;
}

void
dmtrace_selection_set_invert(struct dmtrace_selection *selection, int invert)
{
	selection->invert = invert != 0;
}

void
dmtrace_selection_get_window(const struct dmtrace_selection *selection,
    uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = selection->windowed ? selection->from_ns : 0;
	*to_ns = selection->windowed ? selection->to_ns : UINT64_MAX;
}

uint64_t
dmtrace_selection_count(const struct dmtrace_selection *selection)
{
	return selection->selected;
}

int
dmtrace_selection_is_all(const struct dmtrace_selection *selection)
{
	return selection->count == 0 && !selection->windowed &&
	    selection->first_depth == 0 && selection->min_ns == 0 &&
	    !selection->invert;
}
