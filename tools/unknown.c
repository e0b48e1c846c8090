/* unknown.c - names of threads and methods that a trace does not have */

#include "unknown.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "near.h"

#define LONGEST 128		/* bytes of a name that are compared */

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
unknown_option(enum dmtrace_condition condition)
{
	return rows[condition].option;
}

/* The nearest names so far, with copies of them. */
struct offers {
	struct near near;
	char names[NEAR_MAX + 1][LONGEST];
};

static void
offer_number(struct near *near, const char *name, uint32_t number,
    uint32_t wanted)
{
	near_insert(near, name,
	    number > wanted ? number - wanted : wanted - number);
}

/* A copy that is not among the nearest. */
static char *
find_free(struct offers *offers)
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
is_offered(const struct offers *offers, const char *name)
{
	for (size_t i = 0; i < offers->near.count; i++)
		if (strcmp(offers->near.names[i], name) == 0)
			return true;
	return false;
}

static void
offer(struct offers *offers, const char *name)
{
	if (name[0] != '\0' && !is_offered(offers, name))
		near_offer(&offers->near, name);
}

static size_t
put(char *out, size_t used, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len && used + 1 < LONGEST; i++)
		out[used++] = bytes[i];
	out[used] = '\0';
	return used;
}

static void
offer_numbers(struct offers *offers, const struct dmtrace_key *key)
{
	const uint32_t wanted =
	    (uint32_t)strtoul(offers->near.wanted, NULL, 10);

	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const uint32_t id = dmtrace_key_thread_get(key, i)->id;
		char *const name = find_free(offers);

		snprintf(name, LONGEST, "%" PRIu32, id);
		if (!is_offered(offers, name))
			offer_number(&offers->near, name, id, wanted);
	}
}

static void
offer_threads(struct offers *offers, const struct dmtrace_key *key)
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
offer_method(struct offers *offers, const char *name)
{
	offer(offers, name);
	if (!is_offered(offers, name))
		near_offer_part(&offers->near, name,
		    find_end(name, offers->near.wanted));
}

static void
offer_methods(struct offers *offers, const struct dmtrace_key *key)
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
unknown_tell(const struct dmtrace_unmatched *unmatched,
    const struct dmtrace_reader *reader, const char *file)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	struct offers offers = { .near = { .wanted = unmatched->words } };
	char words[NEAR_WORDS_MAX];

	if (unmatched->is_number)
		offer_numbers(&offers, key);
	else if (unmatched->is_pattern)
		;
	else if (unmatched->condition == DMTRACE_SELECT_THREAD)
		offer_threads(&offers, key);
	else
		offer_methods(&offers, key);
	msg_error("%s: no %s is \"%s\"%s", file,
	    rows[unmatched->condition].kind, unmatched->words,
	    near_words(&offers.near, "", words));
}
