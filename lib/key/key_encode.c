/* key_encode.c - the key to its bytes; the mirror of key_decode.c */

#include "key/key.h"

#include <string.h>

static char *
put(char *out, struct dmtrace_text text)
{
	if (text.len > 0)
		memcpy(out, text.bytes, text.len);
	return out + text.len;
}

/* The text from *at up to where an edit stands; goes on behind it. */
static char *
put_before(char *out, struct dmtrace_text text, size_t *at,
    const struct dmt_edit *edit)
{
	const struct dmtrace_text kept =
	    { text.bytes + *at, edit->at - *at };

	*at = edit->at + edit->len;
	return put(out, kept);
}

size_t
dmtrace_key_encoded_size(const struct dmtrace_key *key)
{
	return key->encoded_size;
}

enum dmtrace_status
dmtrace_key_encode(const struct dmtrace_key *key, void *out, size_t len)
{
	char *next = out;
	size_t at = 0;

	if (len < key->encoded_size)
		return DMTRACE_ERR_RANGE;
	for (size_t i = 0; i < key->edits.count; i++) {
		const struct dmt_edit *edit = &key->edits.items[i];

		next = put_before(next, key->text, &at, edit);
		if (edit->lines.count > 0)
			next = put(next, edit->heading);
		for (size_t j = 0; j < edit->lines.count; j++)
			next = put(next, edit->lines.items[j]);
	}
	put(next, (struct dmtrace_text){ key->text.bytes + at,
	    key->text.len - at });
	return DMTRACE_OK;
}
