/* earlier.c - rows that a key takes from an earlier one with the same lines */

#include "key/earlier.h"

#include <string.h>

/* A part of one text becomes the same part of another. */
static void
move(struct dmtrace_text *part, const char *from, const char *to)
{
	part->bytes = part->len == 0 ? "" : to + (part->bytes - from);
}

static void
move_all(const struct dmt_methods *methods, const char *from, const char *to)
{
	for (size_t i = 0; i < methods->count; i++) {
		struct dmtrace_method *const method = &methods->items[i];

		move(&method->class_name, from, to);
		move(&method->name, from, to);
		move(&method->signature, from, to);
		move(&method->file, from, to);
	}
}

static bool
has_lines(const struct dmtrace_key *key, size_t at,
    const struct dmtrace_key *earlier)
{
	const struct dmt_stretch *const plain = &earlier->plain;

	return plain->len > 0 && plain->rows == earlier->methods.count &&
	    plain->len <= key->text.len - at &&
	    memcmp(key->text.bytes + at, earlier->text.bytes + plain->at,
	    plain->len) == 0;
}

struct dmt_stretch
dmt_key_take_earlier(struct dmtrace_key *key, size_t at)
{
	struct dmtrace_key *const earlier = key->earlier;

	if (earlier == NULL || !has_lines(key, at, earlier))
		return (struct dmt_stretch){ 0 };
	key->methods = earlier->methods;
	earlier->methods = (struct dmt_methods){ 0 };
	move_all(&key->methods, earlier->text.bytes + earlier->plain.at,
	    key->text.bytes + at);
	return earlier->plain;
}
