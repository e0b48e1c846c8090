/* graph_focus.c - the methods that a graph is drawn around */

#include "graph/graph_focus.h"

#include <stdlib.h>

#include "cli/msg.h"
#include "cli/unmatched.h"
#include "private/trace.h"

int
graph_focus_begin(struct graph_focus *focus)
{
	if (focus->words.count == 0)
		return OPT_GO;
	focus->asked = dmt_selection_new();
	if (focus->asked == NULL)
		return msg_fail_memory();
	for (size_t i = 0; i < focus->words.count; i++) {
		const char *const words = focus->words.items[i];
		const enum dmtrace_status status = dmt_selection_add(
		    focus->asked, DMT_SELECT_METHOD, words);

		if (status == DMTRACE_ERR_MEMORY)
			return msg_fail_memory();
		if (status != DMTRACE_OK) {
			msg_error("--around: \"%s\": %s", words,
			    dmt_selection_error(focus->asked)->message);
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
report_unmatched_focus(const struct graph_focus *focus,
    const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file)
{
	int status = CMD_OK;

	for (size_t i = 0; ; i++) {
		struct unmatched unmatched = { .suggestion = { .count = 0 } };

		if (dmt_selection_unmatched(focus->asked, i,
		    &unmatched.what) != 0)
			return status;
		if (unmatched.what.is_number &&
		    has_id(profile, unmatched.what.value))
			continue;
		unmatched_search(&unmatched, dmtrace_reader_key(reader));
		unmatched_report(&unmatched, file);
		status = cmd_worse(status, unmatched.what.is_pattern ?
		    CMD_NO : CMD_TROUBLE);
	}
}

static int
list_focus_methods(struct graph_focus *focus,
    const struct dmtrace_profile *profile)
{
	const size_t count = dmtrace_profile_method_count(profile);

	focus->methods = calloc(count + 1, sizeof(*focus->methods));
	if (focus->methods == NULL)
		return msg_fail_memory();
	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		const struct dmtrace_method row = {
			.id = method.id,
			.class_name = method.class_name,
			.name = method.name,
			.signature = method.signature,
			.file = method.file,
			.line = method.line
		};
		const int wanted = method.listed ?
		    dmt_selection_wants_row(focus->asked, &row) :
		    dmt_selection_wants_method(focus->asked, method.id);
		if (wanted < 0)
			return msg_fail_memory();
		if (wanted)
			focus->methods[focus->count++] = (uint32_t)i;
	}
	return CMD_OK;
}

int
graph_focus_find(struct graph_focus *focus,
    const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file)
{
	if (focus->asked == NULL)
		return CMD_OK;
	if (dmt_selection_resolve(focus->asked,
	    dmtrace_reader_key(reader), dmt_reader_layout(reader)) !=
	    DMTRACE_OK) {
		msg_error("%s", dmt_selection_error(focus->asked)->message);
		return CMD_TROUBLE;
	}
	const int status = report_unmatched_focus(focus, profile, reader, file);
	if (status == CMD_TROUBLE)
		return status;
	return list_focus_methods(focus, profile) == CMD_OK ? status :
	    CMD_TROUBLE;
}

void
graph_focus_end(struct graph_focus *focus)
{
	dmt_selection_free(focus->asked);
	free(focus->methods);
	opt_list_fini(&focus->words);
}
