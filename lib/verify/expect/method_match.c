/* method_match.c - which patterns the methods of a trace match */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "verify/expect/expect.h"

static bool
is_separator(char byte)
{
	return byte == '.' || byte == '/';
}

/* The first len bytes of the method's text; / and . of classes are one. */
static bool
is_same(const struct dmt_word *word, const struct dmt_method_text *text,
    size_t len)
{
	if (word->len != len)
		return false;
	for (size_t i = 0; i < len; i++) {
		const bool in_class = i < text->class_len ||
		    i >= text->name_end;

		if (word->bytes[i] != text->bytes[i] && !(in_class &&
		    is_separator(word->bytes[i]) &&
		    is_separator(text->bytes[i])))
			return false;
	}
	return true;
}

static bool
add_match(struct dmt_matches *names, struct dmt_named *named, uint32_t pattern)
{
	uint32_t *const matches = dmt_array_grow(names->matches,
	    &names->match_capacity, names->match_count + 1, sizeof(*matches));

	if (matches == NULL)
		return false;
	names->matches = matches;
	matches[names->match_count++] = pattern;
	named->count++;
	return true;
}

/* Patterns that are names, and those of the first len bytes. */
static bool
match_names(struct dmt_matches *names, struct dmt_named *named, size_t len)
{
	const uint32_t *const last = dmt_idmap_find(&names->spec->by_hash,
	    dmt_name_hash(names->text.bytes, len));
	uint32_t i = last == NULL ? DMT_NONE : *last;

	for (; i != DMT_NONE; i = names->spec->patterns[i].same) {
		const struct dmt_wanted *const wanted =
		    &names->spec->patterns[i];

		if (wanted->is_name && is_same(&wanted->word, &names->text,
		    len) && !add_match(names, named, i))
			return false;
	}
	return true;
}

static bool
match_globs(struct dmt_matches *names, struct dmt_named *named)
{
	const struct dmtrace_spec *const spec = names->spec;

	for (size_t i = 0; i < spec->glob_count; i++)
		if (dmt_pattern_has_method(
		    &spec->patterns[spec->globs[i]].pattern, &names->text) &&
		    !add_match(names, named, spec->globs[i]))
			return false;
	return true;
}

static bool
make_text(struct dmt_matches *names, uint64_t id)
{
	return dmt_method_text_make(&names->text,
	    dmtrace_key_method_find(names->key, id), id);
}

static bool
match(struct dmt_matches *names, struct dmt_named *named)
{
	const struct dmt_method_text *const text = &names->text;

	if (!make_text(names, named->id) ||
	    !match_names(names, named, text->len) ||
	    (text->name_end < text->len &&
	    !match_names(names, named, text->name_end)))
		return false;
	return match_globs(names, named);
}

static bool
add_use(struct dmt_matches *names, const struct dmt_use *use)
{
	struct dmt_ruled *const uses = dmt_array_grow(names->uses,
	    &names->use_capacity, names->use_count + 1, sizeof(*uses));

	if (uses == NULL)
		return false;
	names->uses = uses;
	uses[names->use_count++] = (struct dmt_ruled){ use->rule, use->role };
	return true;
}

/* What rules look at, of a method. */
enum moment {
	ENTERED_FIRST,			/* as A */
	ENTERED_SECOND,			/* as C, which is to come after */
	LEFT,
	CHARGED
};

static bool
is_looked_at(const struct dmt_rule *rule, uint32_t role, enum moment moment)
{
	switch (moment) {
	case ENTERED_FIRST:
		return role == 0;
	case ENTERED_SECOND:
		return role == 1;
	case LEFT:
		return rule->kind == DMT_RULE_INCLUSIVE ||
		    (rule->kind == DMT_RULE_UNDER && role == 1);
	case CHARGED:
		return rule->kind == DMT_RULE_EXCLUSIVE;
	}
	return false;
}

/* Those of all patterns that the method matches. */
static bool
add_uses(struct dmt_matches *names, const struct dmt_named *named,
    enum moment moment)
{
	const struct dmtrace_spec *const spec = names->spec;

	for (uint32_t i = 0; i < named->count; i++) {
		uint32_t at = spec->patterns[
		    names->matches[named->first + i]].use;

		for (; at != DMT_NONE; at = spec->uses[at].next) {
			const struct dmt_use *const use = &spec->uses[at];

			if (is_looked_at(&spec->rules[use->rule], use->role,
			    moment) && !add_use(names, use))
				return false;
		}
	}
	return true;
}

static bool
find_uses(struct dmt_matches *names, struct dmt_named *named)
{
	named->uses = (uint32_t)names->use_count;
	if (!add_uses(names, named, ENTERED_FIRST) ||
	    !add_uses(names, named, ENTERED_SECOND))
		return false;
	named->enter_end = (uint32_t)names->use_count;
	if (!add_uses(names, named, LEFT))
		return false;
	named->leave_end = (uint32_t)names->use_count;
	const bool added = add_uses(names, named, CHARGED);
	named->charge_end = (uint32_t)names->use_count;
	return added;
}

uint32_t
dmt_matches_add(struct dmt_matches *names, uint64_t id)
{
	struct dmt_named *const items = dmt_array_grow(names->items,
	    &names->capacity, names->count + 1, sizeof(*items));
	struct dmt_named named = { .id = id,
	    .first = (uint32_t)names->match_count };

	if (items == NULL)
		return DMT_NONE;
	names->items = items;
	if (!match(names, &named) || !find_uses(names, &named) ||
	    !dmt_ids_add(&names->ids, id, (uint32_t)names->count + 1))
		return DMT_NONE;
	items[names->count] = named;
	return (uint32_t)names->count++;
}

bool
dmt_matches_init(struct dmt_matches *names, const struct dmtrace_spec *spec,
    const struct dmtrace_key *key)
{
	*names = (struct dmt_matches){ .spec = spec, .key = key };
	return dmt_ids_init(&names->ids, key);
}

void
dmt_matches_fini(struct dmt_matches *names)
{
	dmt_ids_fini(&names->ids);
	free(names->items);
	free(names->matches);
	free(names->uses);
	free(names->text.bytes);
}

bool
dmt_matches_match(const struct dmt_matches *names, uint32_t method,
    uint32_t pattern)
{
	const struct dmt_named *const named = &names->items[method];

	for (uint32_t i = 0; i < named->count; i++)
		if (names->matches[named->first + i] == pattern)
			return true;
	return false;
}

bool
dmt_wanted_has_name(const struct dmt_wanted *wanted,
    struct dmtrace_text name)
{
	if (!wanted->is_name)
		return dmt_pattern_has_name(&wanted->pattern, name);
	return wanted->word.len == name.len && (name.len == 0 ||
	    memcmp(wanted->word.bytes, name.bytes, name.len) == 0);
}

void
dmt_matches_put(const struct dmt_matches *names, struct dmt_buf *buf,
    uint32_t index, bool signature)
{
	const uint64_t id = names->items[index].id;
	struct dmt_buf name = { .bytes = NULL };

	dmt_buf_put_method(&name, dmtrace_key_method_find(names->key, id), id,
	    signature);
	dmt_buf_put_word(buf, name.bytes, name.len, false);
	buf->failed |= name.failed;
	dmt_buf_fini(&name);
}
