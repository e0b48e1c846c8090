/* unmatched.c - reports names of threads and methods that do not exist */

#include "cli/unmatched.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "private/select.h"

/* By enum dmt_condition_kind. */
static const struct {
	const char *option;
	const char *kind;
} rows[] = {
	[DMT_SELECT_THREAD] = { "-t", "thread" },
	[DMT_SELECT_METHOD] = { "-m", "method" },
	[DMT_SELECT_UNDER] = { "--under", "method" },
	[DMT_SELECT_HIDE] = { "--hide", "method" },
};

const char *
unmatched_option(enum dmt_condition_kind condition)
{
	return rows[condition].option;
}

static void
offer_near_id(struct dmt_suggestion *suggestion, const char *name, uint64_t id,
    uint64_t wanted)
{
	const uint64_t distance = id > wanted ? id - wanted : wanted - id;

	dmt_suggestion_insert(suggestion, name,
	    distance > SIZE_MAX ? SIZE_MAX : (size_t)distance);
}

/* A pattern that begins like this would not be a name. */
static void
name_as_pattern(char *name)
{
	if (name[0] == '!' || name[0] == '/')
		name[0] = '?';
}

static void
offer_thread_names(struct unmatched *unmatched, const struct dmtrace_key *key)
{
	const uint64_t wanted = strtoull(unmatched->what.value, NULL, 10);
	char name[DMT_SUGGESTION_LENGTH];

	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const thread =
		    dmtrace_key_thread_get(key, i);

		if (unmatched->what.is_number) {
			snprintf(name, sizeof(name), "%" PRIu32, thread->id);
			offer_near_id(&unmatched->suggestion, name, thread->id,
			    wanted);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)thread->name.len,
		    thread->name.bytes);
		name_as_pattern(name);
		if (name[0] != '\0')
			dmt_suggestion_offer(&unmatched->suggestion, name);
	}
}

/* Returns the end of name that has as many dots as wanted_name: "A.run" of
 * "p.A.run". */
static const char *
find_name_end(const char *name, const char *wanted_name)
{
	const char *end = name + strlen(name);
	size_t dots = 0;

	for (; *wanted_name != '\0'; wanted_name++)
		dots += *wanted_name == '.' || *wanted_name == '/';
	for (; end > name; end--)
		if (end[-1] == '.' && dots-- == 0)
			break;
	return end;
}

/* Offers method names; the user may have left out the package, or the class. */
static void
offer_method_names(struct unmatched *unmatched, const struct dmtrace_key *key)
{
	const uint64_t wanted = strtoull(unmatched->what.value, NULL, 16);
	struct dmt_suggestion *const suggestion = &unmatched->suggestion;
	char name[DMT_SUGGESTION_LENGTH];

	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_method *const method =
		    dmtrace_key_method_get(key, i);

		if (unmatched->what.is_number) {
			snprintf(name, sizeof(name), "0x%" PRIx64, method->id);
			offer_near_id(suggestion, name, method->id, wanted);
			continue;
		}
		method_name_bare(name, sizeof(name), method->class_name,
		    method->name, method->signature);
		name_as_pattern(name);
		if (name[0] != '\0')
			dmt_suggestion_offer(suggestion, name);
		unmatched->containing +=
		    strstr(name, unmatched->what.value) != NULL;
		dmt_suggestion_offer_part(suggestion, name,
		    find_name_end(name, unmatched->what.value));
	}
}

void
unmatched_search(struct unmatched *unmatched, const struct dmtrace_key *key)
{
	unmatched->suggestion.wanted = unmatched->what.value;
	if (unmatched->what.is_pattern)
		return;
	if (unmatched->what.condition == DMT_SELECT_THREAD)
		offer_thread_names(unmatched, key);
	else
		offer_method_names(unmatched, key);
}

void
unmatched_put(struct dmt_output *buffer, const struct dmt_unmatched *what)
{
	dmt_put_format(buffer, what->is_pattern ? "no %s matches \"%s\"" :
	    "no such %s: \"%s\"", rows[what->condition].kind, what->value);
}

void
unmatched_report(const struct unmatched *unmatched, const char *file)
{
	struct dmt_output buffer = { 0 };
	char similar[DMT_SUGGESTION_TEXT_MAX], count[COUNT_MAX];
	const struct dmt_suggestion *const suggestion = &unmatched->suggestion;
	/* A few methods are listed; if there are more, the glob is
	 * suggested. */
	const bool is_part = suggestion->count == 0 ?
	    unmatched->containing > 0 : unmatched->containing > 1 &&
	    (suggestion->distances[0] > 0 ||
	    unmatched->containing > DMT_SUGGESTIONS_MAX);

	unmatched_put(&buffer, &unmatched->what);
	if (is_part)
		dmt_put_format(&buffer, DMT_DID_YOU_MEAN "'*%s*', which "
		    "matches %s method%s" DMT_DID_YOU_MEAN_END,
		    unmatched->what.value,
		    count_format(count, unmatched->containing),
		    unmatched->containing == 1 ? "" : "s");
	dmt_output_write(&buffer, "", 1);
	if (dmt_output_failed(&buffer))
		msg_memory();
	else
		msg_error("%s%s%s%s", file == NULL ? "" : file,
		    file == NULL ? "" : ": ", buffer.bytes, is_part ? "" :
		    dmt_suggestion_text(suggestion, "", similar));
	dmt_output_fini(&buffer);
}
