/* key_encode.c - encodes a key to bytes; mirror of key_decode.c */

#include "key/key.h"

#include <string.h>

#include "private/key.h"

static char *
append_text(char *out, struct dmtrace_text text)
{
	if (text.len > 0)
		memcpy(out, text.bytes, text.len);
	return out + text.len;
}

size_t
dmt_key_encoded_size(const struct dmtrace_key *key)
{
	return key->encoded_size;
}

enum dmtrace_status
dmt_key_encode(const struct dmtrace_key *key, void *out, size_t len)
{
	enum dmt_section sections[DMT_TABLES];
	char *next = out;

	if (len < key->encoded_size)
		return DMTRACE_ERR_RANGE;
	for (size_t i = 0; i <= key->lines.count; i++) {
		const size_t count = dmt_key_additions_at(key, i, sections);

		for (size_t j = 0; j < count; j++) {
			const struct dmt_key_lines *const lines =
			    &key->added[sections[j]].lines;

			for (size_t k = 0; k < lines->count; k++)
				next = append_text(next,
				    lines->items[k].text);
		}
		if (i < key->lines.count)
			next = append_text(next, key->lines.items[i].text);
	}
	return DMTRACE_OK;
}
