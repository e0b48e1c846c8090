/* key_encode.c - encodes a key to bytes; mirror of key_decode.c */

#include "key/key.h"

#include <stdlib.h>
#include <string.h>

#include "key/line_text.h"
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
	char *next = out;
	size_t at = 0;

	if (len < key->encoded_size)
		return DMTRACE_ERR_RANGE;
	for (size_t i = 0; i < key->edits.count; i++) {
		const struct dmt_edit *const edit = &key->edits.items[i];

		next = append_text(next, (struct dmtrace_text){
		    key->text.bytes + at, edit->at - at });
		at = edit->at + edit->len;
		if (edit->lines.count > 0)
			next = append_text(next, edit->heading);
		for (size_t j = 0; j < edit->lines.count; j++)
			next = append_text(next, edit->lines.items[j]);
	}
	append_text(next, dmt_text_after(key->text, at));
	return DMTRACE_OK;
}

/* Returns the encoded key, to be freed. NULL: no memory. */
static char *
encode_to_memory(const struct dmtrace_key *key)
{
	char *const bytes = malloc(key->encoded_size);

	if (bytes != NULL)
		dmt_key_encode(key, bytes, key->encoded_size);
	return bytes;
}

struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key)
{
	char *const bytes = encode_to_memory(key);

	if (bytes == NULL)
		return NULL;
	struct dmtrace_key *const copy =
	    dmt_key_make(key, bytes, key->encoded_size);
	free(bytes);
	return copy;
}

struct dmtrace_key *
dmt_key_without(const struct dmtrace_key *key,
    const struct dmt_rows_kept *kept)
{
	char *const bytes = encode_to_memory(key);
	struct dmt_findings findings = { 0 };	/* the decode reported them
						   already */
	struct dmt_parse parse = {
		.lines.text = { bytes, key->encoded_size },
		.lines.line.findings = &findings
	};
	size_t len = 0, at = 0;

	if (bytes == NULL)
		return NULL;

	/* Lines that are kept are moved down, in place: they are never written
	 * beyond the line that the parser is at. Lines that are not rows are
	 * kept. */
	while (dmt_parse_next(&parse)) {
		if (!parse.is_row || (parse.item == DMT_ITEM_THREAD ?
		    kept->has_thread(kept->context, parse.thread.id) :
		    parse.item != DMT_ITEM_METHOD ||
		    kept->has_method(kept->context, parse.method.id)))
			continue;
		memmove(bytes + len, bytes + at, parse.lines.at - at);
		len += parse.lines.at - at;
		at = parse.lines.next;
	}
	memmove(bytes + len, bytes + at, key->encoded_size - at);
	len += key->encoded_size - at;

	struct dmtrace_key *const rest = dmt_key_make(key, bytes, len);
	free(bytes);
	return rest;
}
