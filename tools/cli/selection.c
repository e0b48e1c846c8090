/* selection.c - the options that select events */

/*
 * Commands that select events call selection_begin once; then, for each trace,
 * selection_resolve before its events and selection_check after them; and
 * finally selection_finish. Names that a trace lacks are collected and
 * reported by selection_finish, as another trace may have them. Whether any
 * event was selected is known after the events; if not, the time range of the
 * trace is read in another pass, for the message.
 */

#include "cli/selection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/escapes.h"
#include "cli/msg.h"
#include "cli/unmatched.h"
#include "private/select.h"
#include "private/trace.h"

#define BATCH 2048		/* events */

/* Adds the values of an option. Returns OPT_GO, or CMD_TROUBLE, which was
 * reported. */
static int
add_values(struct dmt_selection *asked, enum dmt_condition_kind condition,
    const struct opt_list *values, const char *option)
{
	for (size_t i = 0; i < values->count; i++) {
		const enum dmtrace_status status = dmt_selection_add(asked,
		    condition, values->items[i]);

		if (status == DMTRACE_ERR_MEMORY)
			return msg_fail_memory();
		if (status != DMTRACE_OK) {
			msg_error("%s: \"%s\": %s", option, values->items[i],
			    dmt_selection_error(asked)->message);
			return CMD_TROUBLE;
		}
	}
	return OPT_GO;
}

int
selection_of_methods(struct dmt_selection **asked,
    const struct opt_list *patterns, const char *option)
{
	if (patterns->count == 0)
		return OPT_GO;
	*asked = dmt_selection_new();
	return *asked == NULL ? msg_fail_memory() :
	    add_values(*asked, DMT_SELECT_METHOD, patterns, option);
}

int
selection_begin(struct selection *selection)
{
	const struct {
		enum dmt_condition_kind condition;
		const struct opt_list *list;
	} rows[] = {
		{ DMT_SELECT_THREAD, &selection->threads },
		{ DMT_SELECT_METHOD, &selection->methods },
		{ DMT_SELECT_UNDER, &selection->under },
		{ DMT_SELECT_HIDE, &selection->hidden },
	};
	struct dmt_selection *const asked = dmt_selection_new();

	selection->asked = asked;
	if (asked == NULL)
		return msg_fail_memory();
	dmt_selection_set_min_time(asked, selection->min_ns);
	dmt_selection_set_invert(asked, selection->invert);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (add_values(asked, rows[i].condition, rows[i].list,
		    unmatched_option(rows[i].condition)) != OPT_GO)
			return CMD_TROUBLE;

	if (selection->depth != NULL && dmt_selection_parse_depth(asked,
	    selection->depth) != DMTRACE_OK) {
		msg_error("--depth: \"%s\" is not A..B, with 1 <= A <= B",
		    selection->depth);
		return CMD_TROUBLE;
	}

	char from[DURATION_MAX], to[DURATION_MAX];
	if (dmt_selection_set_window(asked, selection->from_ns,
	    selection->to_ns, selection->raw) != DMTRACE_OK) {
		msg_error("--to (%s) is not after --from (%s)",
		    duration_format(to, selection->to_ns),
		    duration_format(from, selection->from_ns));
		return CMD_TROUBLE;
	}
	return OPT_GO;
}

/* A condition that nothing matches, in how many traces. */
struct miss {
	struct miss *next;
	size_t traces;
	struct unmatched unmatched;
};

/* A trace of which nothing is selected. */
struct empty {
	struct empty *next;
	bool outside;			/* its times are outside the window */
	struct dmt_output message;
};

static int
note_miss(struct selection *selection,
    const struct dmt_unmatched *unmatched, const struct dmtrace_key *key)
{
	struct miss **at = &selection->misses;

	while (*at != NULL && (*at)->unmatched.what.value !=
	    unmatched->value)
		at = &(*at)->next;
	if (*at == NULL)
		*at = calloc(1, sizeof(**at));
	if (*at == NULL)
		return msg_fail_memory();
	(*at)->traces++;
	(*at)->unmatched.what = *unmatched;
	unmatched_search(&(*at)->unmatched, key);
	return OPT_GO;
}

/* Collects the conditions that nothing matches; those that an event can match
 * only if all events were judged. If there is only one trace, a name that it
 * lacks ends the command at once. */
static int
note_unmatched(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file, bool judged)
{
	struct dmt_unmatched unmatched;
	int status = OPT_GO;

	for (size_t i = 0; status == OPT_GO && dmt_selection_unmatched(
	    selection->asked, i, &unmatched) == 0; i++)
		if (unmatched.is_late == judged)
			status = note_miss(selection, &unmatched,
			    dmtrace_reader_key(reader));
	if (selection->several || status != OPT_GO)
		return status;
	for (const struct miss *miss = selection->misses; miss != NULL;
	    miss = miss->next)
		if (!miss->unmatched.what.is_pattern) {
			selection_finish(selection, file);
			return CMD_TROUBLE;
		}
	return OPT_GO;
}

int
selection_resolve(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file)
{
	if (selection->asked == NULL)
		return OPT_GO;
	selection->traces++;
	if (dmt_selection_resolve(selection->asked,
	    dmtrace_reader_key(reader), dmt_reader_layout(reader)) ==
	    DMTRACE_OK)
		return note_unmatched(selection, reader, file, false);
	msg_error("%s", dmt_selection_error(selection->asked)->message);
	return CMD_TROUBLE;
}

/* The times of a trace, on the clock of windows. */
struct range {
	uint64_t first_ns;
	uint64_t last_ns;
	bool any;			/* there is a record */
};

/* Reads all records again to find the first and the last time. */
static bool
read_range(struct range *range, struct dmtrace_reader *reader)
{
	struct dmtrace_event events[BATCH];
	size_t count = BATCH;

	if (dmt_reader_rewind(reader) != DMTRACE_OK)
		return false;
	while (count > 0) {
		if (dmtrace_reader_read(reader, events, BATCH, &count) !=
		    DMTRACE_OK)
			return false;
		for (size_t i = 0; i < count; i++) {
			const uint64_t time_ns =
			    events[i].wall_ns != DMTRACE_NO_TIME ?
			    events[i].wall_ns : events[i].cpu_ns;

			if (!range->any || time_ns < range->first_ns)
				range->first_ns = time_ns;
			if (!range->any || time_ns > range->last_ns)
				range->last_ns = time_ns;
			range->any = true;
		}
	}
	return true;
}

static void
put_conditions(struct dmt_output *message, const char *option,
    const struct opt_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		dmt_put_format(message, "%s is %s; ", option, list->items[i]);
}

/* The conditions that leave nothing, and the window: each may be why. Of names
 * only those that nothing matches, if there are any. */
static void
put_empty(struct dmt_output *message, const char *file,
    const struct selection *selection, const struct range *range)
{
	const struct dmt_selection *const asked = selection->asked;
	char first[DURATION_MAX], last[DURATION_MAX];
	struct dmt_unmatched unmatched;
	uint64_t from_ns, to_ns;

	dmt_put_format(message, "%s: nothing is selected: ", file);
	if (!range->any) {
		dmt_put(message, "the trace has no events");
		return;
	}
	size_t lacking = 0;
	while (dmt_selection_unmatched(asked, lacking, &unmatched) == 0) {
		unmatched_put(message, &unmatched);
		dmt_put(message, "; ");
		lacking++;
	}
	if (lacking == 0) {
		put_conditions(message, "-t", &selection->threads);
		put_conditions(message, "-m", &selection->methods);
		put_conditions(message, "--under", &selection->under);
		put_conditions(message, "--hide", &selection->hidden);
	}
	if (selection->depth != NULL)
		dmt_put_format(message, "--depth is %s; ",
		    selection->depth);
	if (selection->min_ns > 0)
		dmt_put_format(message, "--min-time is %s; ",
		    duration_format(first, selection->min_ns));
	dmt_selection_get_window(asked, &from_ns, &to_ns);
	dmt_put_format(message, "the window is from %s to %s; the trace has "
	    "times from ", duration_format(first, from_ns),
	    to_ns == UINT64_MAX ? "the end" : duration_format(last, to_ns));
	dmt_put_format(message, "%s to %s", duration_format(first,
	    range->first_ns), duration_format(last, range->last_ns));
}

static int
note_empty(struct selection *selection, struct dmtrace_reader *reader,
    const char *file)
{
	struct range range = { .any = false };
	uint64_t from_ns, to_ns;
	struct empty *const empty = calloc(1, sizeof(*empty));
	struct empty **at = &selection->empties;

	if (empty == NULL)
		return msg_fail_memory();
	while (*at != NULL)
		at = &(*at)->next;
	*at = empty;
	selection->empty_count++;
	if (!read_range(&range, reader)) {
		msg_failure(file, dmtrace_reader_error(reader));
		return CMD_TROUBLE;
	}
	dmt_selection_get_window(selection->asked, &from_ns, &to_ns);
	empty->outside = !range.any || range.last_ns < from_ns ||
	    range.first_ns >= to_ns;
	put_empty(&empty->message, file, selection, &range);
	dmt_output_write(&empty->message, "", 1);
	return dmt_output_failed(&empty->message) ? msg_fail_memory() : OPT_GO;
}

int
selection_check(struct selection *selection, struct dmtrace_reader *reader,
    const char *file, bool is_empty)
{
	if (selection->asked == NULL || dmt_selection_is_all(selection->asked))
		return OPT_GO;
	const int status = note_unmatched(selection, reader, file, true);
	if (status != OPT_GO || !is_empty)
		return status;
	return note_empty(selection, reader, file);
}

static void
free_notes(struct selection *selection)
{
	while (selection->misses != NULL) {
		struct miss *const miss = selection->misses;

		selection->misses = miss->next;
		free(miss);
	}
	while (selection->empties != NULL) {
		struct empty *const empty = selection->empties;

		selection->empties = empty->next;
		dmt_output_fini(&empty->message);
		free(empty);
	}
	selection->traces = 0;
	selection->empty_count = 0;
}

int
selection_finish(struct selection *selection, const char *file)
{
	const bool all = selection->empty_count == selection->traces;
	bool unknown = false;
	int worst = CMD_OK;

	for (const struct miss *miss = selection->misses; miss != NULL;
	    miss = miss->next) {
		const struct dmt_unmatched *const unmatched =
		    &miss->unmatched.what;
		const int status = unmatched->is_pattern ?
		    selection->empty_status : CMD_TROUBLE;

		if (miss->traces < selection->traces)
			continue;
		if (!unmatched->is_pattern ||
		    (!all && (status != CMD_OK || !selection->quiet)))
			unmatched_report(&miss->unmatched,
			    selection->several ? NULL : file);
		worst = cmd_worse(worst, status);
		unknown |= !unmatched->is_pattern;
	}
	for (const struct empty *empty = selection->empties;
	    empty != NULL && !unknown; empty = empty->next) {
		if (!empty->outside && !all && !selection->each)
			continue;
		if (selection->empty_status != CMD_OK || !selection->quiet)
			msg_error("%s%s", empty->message.bytes,
			    selection->advice);
		worst = cmd_worse(worst, selection->empty_status);
	}
	free_notes(selection);
	return worst;
}

/* Adds --name=value to words, of which there are *count. */
static bool
add_word(char **words, size_t *count, const char *name, const char *value)
{
	const size_t size = strlen(name) + strlen(value) + sizeof("--=");
	char *const word = malloc(size);

	if (word == NULL)
		return false;
	snprintf(word, size, "--%s=%s", name, value);
	words[(*count)++] = word;
	return true;
}

char **
selection_words(const struct selection *selection)
{
	const struct {
		const char *name;
		const struct opt_list *list;
	} lists[] = {
		{ "thread", &selection->threads },
		{ "method", &selection->methods },
		{ "under", &selection->under },
		{ "hide", &selection->hidden },
	};
	const struct {
		const char *name;
		uint64_t ns, usual_ns;
	} times[] = {
		{ "from", selection->from_ns, 0 },
		{ "to", selection->to_ns, UINT64_MAX },
		{ "min-time", selection->min_ns, 0 },
	};
	size_t most = sizeof(times) / sizeof(times[0]) + 2, count = 0;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		most += lists[i].list->count;
	char **const words = calloc(most, sizeof(*words));
	bool done = words != NULL;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (size_t k = 0; done && k < lists[i].list->count; k++)
			done = add_word(words, &count, lists[i].name,
			    lists[i].list->items[k]);
	for (size_t i = 0; done && i < sizeof(times) / sizeof(times[0]); i++) {
		char value[sizeof("18446744073709551615ns")];

		snprintf(value, sizeof(value), "%" PRIu64 "ns", times[i].ns);
		if (times[i].ns != times[i].usual_ns)
			done = add_word(words, &count, times[i].name, value);
	}
	if (done && selection->depth != NULL)
		done = add_word(words, &count, "depth", selection->depth);
	if (done)
		return words;
	msg_memory();
	selection_words_free(words);
	return NULL;
}

void
selection_words_free(char **words)
{
	for (size_t i = 0; words != NULL && words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

void
selection_end(struct selection *selection)
{
	free_notes(selection);
	dmt_selection_free(selection->asked);
	opt_list_fini(&selection->threads);
	opt_list_fini(&selection->methods);
	opt_list_fini(&selection->under);
	opt_list_fini(&selection->hidden);
}
