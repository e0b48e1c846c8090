/* graph_focus.c - the methods that a graph is drawn around */

#include "graph/graph_focus.h"

#include <stdlib.h>

#include "cli/msg.h"
#include "cli/unmatched.h"

static int
fail_memory(void)
{
	msg_memory();
	return CMD_TROUBLE;
}

int
graph_focus_begin(struct graph_focus *around)
{
	if (around->words.count == 0)
		return OPT_GO;
	around->asked = dmtrace_selection_new();
	if (around->asked == NULL)
		return fail_memory();
	for (size_t i = 0; i < around->words.count; i++) {
		const char *const words = around->words.items[i];
		const enum dmtrace_status status = dmtrace_selection_add(
		    around->asked, DMTRACE_SELECT_METHOD, words);

		if (status == DMTRACE_ERR_MEMORY)
			return fail_memory();
		if (status != DMTRACE_OK) {
			msg_error("--around: \"%s\": %s", words,
			    dmtrace_selection_error(around->asked)->words);
			return CMD_TROUBLE;
		}
	}
	return OPT_GO;
}

/* Whether a method of that id was called; it may be in no table. */
static bool
has_id(const struct dmtrace_profile *profile, const char *words)
{
	const uint64_t id = strtoull(words, NULL, 16);
	const size_t count = dmtrace_profile_method_count(profile);

	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (method.id == id)
			return true;
	}
	return false;
}

static int
tell_unmatched(const struct graph_focus *around,
    const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file)
{
	struct unmatched unknown = { .near = { .count = 0 } };
	int status = CMD_OK;

	for (size_t i = 0; dmtrace_selection_unmatched(around->asked, i,
	    &unknown.unmatched) == 0; i++) {
		if (unknown.unmatched.is_number &&
		    has_id(profile, unknown.unmatched.words))
			continue;
		unknown.near.count = 0;
		unmatched_search(&unknown, dmtrace_reader_key(reader));
		unmatched_report(&unknown, file);
		status = cmd_worse(status, unknown.unmatched.is_pattern ?
		    CMD_NO : CMD_TROUBLE);
	}
	return status;
}

static int
list(struct graph_focus *around, const struct dmtrace_profile *profile)
{
	const size_t count = dmtrace_profile_method_count(profile);

	around->methods = calloc(count + 1, sizeof(*around->methods));
	if (around->methods == NULL)
		return fail_memory();
	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (dmtrace_selection_has_method(around->asked, method.id))
			around->methods[around->count++] = (uint32_t)i;
	}
	return CMD_OK;
}

int
graph_focus_find(struct graph_focus *around,
    const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file)
{
	if (around->asked == NULL)
		return CMD_OK;
	if (dmtrace_selection_resolve(around->asked,
	    dmtrace_reader_key(reader), dmtrace_reader_layout(reader)) !=
	    DMTRACE_OK) {
		msg_error("%s", dmtrace_selection_error(around->asked)->words);
		return CMD_TROUBLE;
	}
	const int status = tell_unmatched(around, profile, reader, file);
	if (status == CMD_TROUBLE)
		return status;
	return list(around, profile) == CMD_OK ? status : CMD_TROUBLE;
}

void
graph_focus_end(struct graph_focus *around)
{
	dmtrace_selection_free(around->asked);
	free(around->methods);
	opt_list_fini(&around->words);
}
