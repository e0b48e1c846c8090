/* selection.c - options that say which events are meant */

#include "selection.h"

#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "unknown.h"

static int
fail(const char *option, const char *words,
    const struct dmtrace_selection *asked)
{
	const struct dmtrace_error *const error =
	    dmtrace_selection_error(asked);

	if (error->status == DMTRACE_ERR_MEMORY)
		msg_memory();
	else
		msg_error("%s: \"%s\": %s", option, words, error->words);
	return CMD_TROUBLE;
}

static int
add_list(struct selection *selection, enum dmtrace_condition condition,
    const struct opt_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (dmtrace_selection_add(selection->asked, condition,
		    list->items[i]) != DMTRACE_OK)
			return fail(unknown_option(condition),
			    list->items[i], selection->asked);
	return OPT_GO;
}

static int
add_lists(struct selection *selection)
{
	const struct {
		enum dmtrace_condition condition;
		const struct opt_list *list;
	} rows[] = {
		{ DMTRACE_SELECT_THREAD, &selection->threads },
		{ DMTRACE_SELECT_METHOD, &selection->methods },
		{ DMTRACE_SELECT_UNDER, &selection->under },
		{ DMTRACE_SELECT_HIDE, &selection->hidden },
	};
	int status = OPT_GO;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) &&
	    status == OPT_GO; i++)
		status = add_list(selection, rows[i].condition, rows[i].list);
	return status;
}

/* Digits; *in goes behind them. Without any, *depth is as it was. */
static bool
get_depth(const char **in, uint32_t *depth)
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

/* A, A..B, A.. or ..B */
static bool
parse_depth(const char *in, uint32_t *first, uint32_t *last)
{
	const char *const begin = in;

	if (!get_depth(&in, first))
		return false;
	if (*in == '\0' && in > begin) {
		*last = *first;
		return true;
	}
	if (strncmp(in, "..", 2) != 0 || strcmp(begin, "..") == 0)
		return false;
	in += 2;
	return get_depth(&in, last) && *in == '\0';
}

static int
set_depth(struct selection *selection)
{
	uint32_t first = 1, last = UINT32_MAX;

	if (selection->depth == NULL)
		return OPT_GO;
	if (parse_depth(selection->depth, &first, &last) &&
	    dmtrace_selection_set_depth(selection->asked, first, last) ==
	    DMTRACE_OK)
		return OPT_GO;
	msg_error("--depth: \"%s\" is not A..B, depths from 1 up",
	    selection->depth);
	return CMD_TROUBLE;
}

static int
set_window(struct selection *selection)
{
	if (dmtrace_selection_set_window(selection->asked, selection->from_ns,
	    selection->to_ns, selection->raw) == DMTRACE_OK)
		return OPT_GO;
	msg_error("--from and --to: %s",
	    dmtrace_selection_error(selection->asked)->words);
	return CMD_TROUBLE;
}

int
selection_begin(struct selection *selection)
{
	selection->asked = dmtrace_selection_new();
	if (selection->asked == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	dmtrace_selection_set_min_time(selection->asked, selection->min_ns,
	    selection->memory);
	dmtrace_selection_set_invert(selection->asked, selection->invert);
	int status = add_lists(selection);
	if (status == OPT_GO)
		status = set_depth(selection);
	return status == OPT_GO ? set_window(selection) : status;
}

static int
tell(const struct dmtrace_unmatched *unmatched,
    const struct dmtrace_reader *reader, const char *file)
{
	unknown_tell(unmatched, reader, file);
	return unmatched->is_pattern ? CMD_NO : CMD_TROUBLE;
}

static int
count_miss(struct selection *selection,
    const struct dmtrace_unmatched *unmatched)
{
	for (size_t i = 0; i < selection->miss_count; i++)
		if (selection->misses[i].unmatched.words ==
		    unmatched->words) {
			selection->misses[i].times++;
			return OPT_GO;
		}
	struct selection_miss *const misses = realloc(selection->misses,
	    (selection->miss_count + 1) * sizeof(*misses));
	if (misses == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	misses[selection->miss_count++] =
	    (struct selection_miss){ *unmatched, 1 };
	selection->misses = misses;
	return OPT_GO;
}

/* Says what nothing matches; of numbers only if all events were judged. */
static int
tell_unmatched(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file, bool judged)
{
	struct dmtrace_unmatched unmatched;
	int status = OPT_GO;

	for (size_t i = 0; dmtrace_selection_unmatched(selection->asked, i,
	    &unmatched) == 0; i++)
		if (unmatched.is_number == judged)
			status = cmd_worse(status, selection->lenient ?
			    count_miss(selection, &unmatched) :
			    tell(&unmatched, reader, file));
	return status;
}

int
selection_tell_missed(const struct selection *selection, size_t traces,
    const struct dmtrace_reader *reader, const char *file)
{
	int status = OPT_GO;

	for (size_t i = 0; i < selection->miss_count; i++)
		if (selection->misses[i].times >= traces)
			status = cmd_worse(status, tell(
			    &selection->misses[i].unmatched, reader, file));
	return status;
}

int
selection_resolve(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file)
{
	if (dmtrace_selection_resolve(selection->asked,
	    dmtrace_reader_key(reader), dmtrace_reader_layout(reader)) ==
	    DMTRACE_OK)
		return tell_unmatched(selection, reader, file, false);
	msg_error("%s", dmtrace_selection_error(selection->asked)->words);
	return CMD_TROUBLE;
}

int
selection_check(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file)
{
	return tell_unmatched(selection, reader, file, true);
}

void
selection_end(struct selection *selection)
{
	free(selection->misses);
	dmtrace_selection_free(selection->asked);
	opt_list_fini(&selection->threads);
	opt_list_fini(&selection->methods);
	opt_list_fini(&selection->under);
	opt_list_fini(&selection->hidden);
}
