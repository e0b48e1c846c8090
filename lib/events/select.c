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

/* Digits up to a comma or the end; behind them. NULL: no thread's number. */
static const char *
get_number(const char *in, uint32_t *number)
{
	const char *const begin = in;
	uint64_t value = 0;

	for (; *in >= '0' && *in <= '9'; in++) {
		value = value * 10 + (uint64_t)(*in - '0');
		if (value > UINT32_MAX)
			return NULL;
	}
	*number = (uint32_t)value;
	return in > begin && (*in == '\0' || *in == ',') ? in : NULL;
}

static bool
is_numbers(const char *words)
{
	uint32_t number;

	while ((words = get_number(words, &number)) != NULL)
		if (*words++ == '\0')
			return true;
	return false;
}

static enum dmtrace_status
add_numbers(struct dmtrace_selection *selection, const char *words)
{
	enum dmtrace_status status = DMTRACE_OK;
	struct dmt_condition condition = {
		.kind = DMTRACE_SELECT_THREAD, .is_number = true
	};
	char digits[16];
	uint32_t number = 0;

	do {
		const char *const end = get_number(words, &number);
		const size_t len = (size_t)(end - words);

		condition.number = number;
		/* needless zeros are left out of what messages show */
		words += len >= sizeof(digits) ? len - sizeof(digits) + 1 : 0;
		memcpy(digits, words, (size_t)(end - words));
		digits[end - words] = '\0';
		status = add(selection, condition, digits);
		words = end + 1;
	} while (status == DMTRACE_OK && words[-1] == ',');
	return status;
}

enum dmtrace_status
dmtrace_selection_add(struct dmtrace_selection *selection,
    enum dmtrace_condition condition, const char *words)
{
	dmt_error_clear(&selection->error);
	if (condition == DMTRACE_SELECT_THREAD && is_numbers(words))
		return add_numbers(selection, words);
	return add(selection, (struct dmt_condition){ .kind = condition },
	    words);
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
