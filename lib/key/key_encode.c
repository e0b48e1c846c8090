/* key_encode.c - encodes a key to bytes; mirror of key_decode.c */

#include "key/key.h"

#include <string.h>

#include "private/key.h"
#include "private/text.h"

/* What is encoded; without out, its size is counted. */
struct encoding_key {
	const struct dmtrace_key *key;
	const struct dmt_key_part *part;
	char *out;
	size_t len;
};

static void
append_text(struct encoding_key *encoding, struct dmtrace_text text)
{
	if (encoding->out != NULL && text.len > 0)
		memcpy(encoding->out + encoding->len, text.bytes, text.len);
	encoding->len += text.len;
}

static bool
is_in_part(const struct encoding_key *encoding, const struct dmt_key_line *line)
{
	const struct dmtrace_key *const key = encoding->key;
	const struct dmt_key_part *const part = encoding->part;

	if (line->row == DMT_KEY_NO_ROW)
		return true;
	if (line->item == DMT_ITEM_OPTION)
		return part->option == NULL || part->option(part->context,
		    dmtrace_key_option_get(key, line->row));
	return line->item != DMT_ITEM_METHOD || part->method == NULL ||
	    part->method(part->context, dmtrace_key_method_get(key, line->row));
}

static void
append_lines(struct encoding_key *encoding, const struct dmt_key_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (is_in_part(encoding, &lines->items[i]))
			append_text(encoding, lines->items[i].text);
}

/* Appends all lines, those that were added to a section after its others. */
static void
append_all(struct encoding_key *encoding)
{
	const struct dmtrace_key *const key = encoding->key;
	enum dmt_section sections[DMT_TABLES];

	for (size_t i = 0; i <= key->lines.count; i++) {
		const size_t count = dmt_key_additions_at(key, i, sections);

		for (size_t j = 0; j < count; j++)
			append_lines(encoding, &key->added[sections[j]].lines);
		if (i < key->lines.count &&
		    is_in_part(encoding, &key->lines.items[i]))
			append_text(encoding, key->lines.items[i].text);
	}
}

static void
append_head(struct encoding_key *encoding)
{
	const struct dmtrace_key *const key = encoding->key;
	struct dmt_key_lines head = key->lines;
	unsigned headings = 0;

	for (head.count = 0; head.count < key->lines.count; head.count++) {
		headings += head.items[head.count].item == DMT_ITEM_HEADING;
		if (headings > 1)
			break;
	}
	append_lines(encoding, &head);
	append_lines(encoding, &key->added[DMT_SECTION_VERSION].lines);
	if (encoding->part->extra.len > 0) {
		append_text(encoding, encoding->part->extra);
		append_text(encoding, dmt_text_of(key->line_end));
	}
	append_text(encoding, dmt_text_of(dmt_section_name(DMT_SECTION_END)));
	append_text(encoding, dmt_text_of("\n"));
}

size_t
dmt_key_encode_part(const struct dmtrace_key *key,
    const struct dmt_key_part *part, void *out)
{
	struct encoding_key encoding = { key, part, out, 0 };

	if (part->head)
		append_head(&encoding);
	else
		append_all(&encoding);
	return encoding.len;
}

size_t
dmt_key_encoded_size(const struct dmtrace_key *key)
{
	return key->encoded_size;
}

enum dmtrace_status
dmt_key_encode(const struct dmtrace_key *key, void *out, size_t len)
{
	const struct dmt_key_part all = { .head = false };

	if (len < key->encoded_size)
		return DMTRACE_ERR_RANGE;
	dmt_key_encode_part(key, &all, out);
	return DMTRACE_OK;
}
