/* unmatched.c - names of threads and methods that a trace does not have */

#include "cli/unmatched.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"

/* By enum dmtrace_condition. */
static const struct {
	const char *option;
	const char *kind;
} rows[] = {
	[DMTRACE_SELECT_THREAD] = { "-t", "thread" },
	[DMTRACE_SELECT_METHOD] = { "-m", "method" },
	[DMTRACE_SELECT_UNDER] = { "--under", "method" },
	[DMTRACE_SELECT_HIDE] = { "--hide", "method" },
};

const char *
unmatched_option(enum dmtrace_condition condition)
{
	return rows[condition].option;
}

/* A copy that is not among the nearest. */
static char *
find_free(struct unmatched *offers)
{
	size_t i = 0;

	for (size_t j = 0; j < offers->near.count; j++)
		if (offers->near.names[j] == offers->names[i]) {
			i++;
			j = (size_t)-1;
		}
	return offers->names[i];
}

static bool
is_offered(const struct unmatched *offers, const char *name)
{
	for (size_t i = 0; i < offers->near.count; i++)
		if (strcmp(offers->near.names[i], name) == 0)
			return true;
	return false;
}

static void
offer(struct unmatched *offers, const char *name)
{
	if (name[0] != '\0' && !is_offered(offers, name))
		suggestion_offer(&offers->near, name);
}

static size_t
put(char *out, size_t used, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len && used + 1 < UNMATCHED_LENGTH; i++)
		out[used++] = bytes[i];
	out[used] = '\0';
	return used;
}

static void
offer_number(struct unmatched *offers, const char *name, uint64_t number,
    uint64_t wanted)
{
	const uint64_t far = number > wanted ? number - wanted :
	    wanted - number;

	if (!is_offered(offers, name))
		suggestion_insert(&offers->near, name,
		    far > SIZE_MAX ? SIZE_MAX : (size_t)far);
}

static void
offer_thread_ids(struct unmatched *offers, const struct dmtrace_key *key)
{
	const uint64_t wanted = strtoull(offers->near.wanted, NULL, 10);

	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const uint32_t id = dmtrace_key_thread_get(key, i)->id;
		char *const name = find_free(offers);

		snprintf(name, UNMATCHED_LENGTH, "%" PRIu32, id);
		offer_number(offers, name, id, wanted);
	}
}

static void
offer_method_ids(struct unmatched *offers, const struct dmtrace_key *key)
{
	const uint64_t wanted = strtoull(offers->near.wanted, NULL, 16);

	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const uint64_t id = dmtrace_key_method_get(key, i)->id;
		char *const name = find_free(offers);

		snprintf(name, UNMATCHED_LENGTH, "0x%" PRIx64, id);
		offer_number(offers, name, id, wanted);
	}
}

static void
offer_threads(struct unmatched *offers, const struct dmtrace_key *key)
{
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_text *const text =
		    &dmtrace_key_thread_get(key, i)->name;
		char *const name = find_free(offers);

		put(name, 0, text->bytes, text->len);
		offer(offers, name);
	}
}

/* The end of name with as many dots as words: "A.run" of "p.A.run". */
static const char *
find_end(const char *name, const char *words)
{
	const char *end = name + strlen(name);
	size_t dots = 0;

	for (; *words != '\0'; words++)
		dots += *words == '.' || *words == '/';
	for (; end > name; end--)
		if (end[-1] == '.' && dots-- == 0)
			break;
	return end;
}

/* Who leaves the package out, or the class, means a method all the same. */
static void
offer_method(struct unmatched *offers, const char *name)
{
	offer(offers, name);
	if (!is_offered(offers, name))
		suggestion_offer_part(&offers->near, name,
		    find_end(name, offers->near.wanted));
}

static void
offer_methods(struct unmatched *offers, const struct dmtrace_key *key)
{
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_method *const method =
		    dmtrace_key_method_get(key, i);
		char *const name = find_free(offers);
		size_t used = put(name, 0, method->class_name.bytes,
		    method->class_name.len);

		for (size_t j = 0; j < used; j++)
			if (name[j] == '/')
				name[j] = '.';
		if (used > 0)
			used = put(name, used, ".", 1);
		put(name, used, method->name.bytes, method->name.len);
		offer_method(offers, name);
	}
}

void
unmatched_search(struct unmatched *unknown, const struct dmtrace_key *key)
{
	const struct dmtrace_unmatched *const unmatched = &unknown->unmatched;
	const bool thread = unmatched->condition == DMTRACE_SELECT_THREAD;

	unknown->near.wanted = unmatched->words;
	if (unmatched->is_pattern)
		return;
	if (unmatched->is_number && thread)
		offer_thread_ids(unknown, key);
	else if (unmatched->is_number)
		offer_method_ids(unknown, key);
	else if (thread)
		offer_threads(unknown, key);
	else
		offer_methods(unknown, key);
}

void
unmatched_put(struct strbuf *buffer, const struct dmtrace_unmatched *unmatched)
{
	strbuf_printf(buffer, "no %s %s \"%s\"",
	    rows[unmatched->condition].kind,
	    unmatched->is_pattern ? "matches" : "is", unmatched->words);
}

void
unmatched_report(const struct unmatched *unknown, const char *file)
{
	struct strbuf buffer = { 0 };
	char words[SUGGESTION_TEXT_MAX];

	unmatched_put(&buffer, &unknown->unmatched);
	strbuf_put(&buffer, "", 1);
	if (buffer.failed)
		msg_memory();
	else
		msg_error("%s%s%s%s", file == NULL ? "" : file,
		    file == NULL ? "" : ": ", buffer.bytes,
		    suggestion_text(&unknown->near, "", words));
	strbuf_fini(&buffer);
}
