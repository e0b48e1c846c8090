/* key_encode.c - encodes a key to bytes; mirror of key_decode.c */

#include "key/key.h"

#include "private/key.h"
#include "private/put.h"

static void
append_text(struct dmt_output *out, struct dmtrace_text text)
{
	dmt_output_write(out, text.bytes, text.len);
}

static bool
is_in_part(const struct dmtrace_key *key, const struct dmt_key_part *part,
    const struct dmt_key_line *line)
{
	if (line->row == DMT_KEY_NO_ROW)
		return true;
	if (line->item == DMT_ITEM_OPTION)
		return part->option == NULL || part->option(part->context,
		    dmtrace_key_option_get(key, line->row));
	return line->item != DMT_ITEM_METHOD || part->method == NULL ||
	    part->method(part->context, dmtrace_key_method_get(key, line->row));
}

static void
append_lines(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmt_key_part *part, const struct dmt_key_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (is_in_part(key, part, &lines->items[i]))
			append_text(out, lines->items[i].text);
}

/* Appends all lines, those that were added to a section after its others. */
static void
append_all(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmt_key_part *part)
{
	enum dmt_section sections[DMT_TABLES];

	for (size_t i = 0; i <= key->lines.count; i++) {
		const size_t count = dmt_key_additions_at(key, i, sections);

		for (size_t j = 0; j < count; j++)
			append_lines(out, key, part,
			    &key->added[sections[j]].lines);
		if (i < key->lines.count &&
		    is_in_part(key, part, &key->lines.items[i]))
			append_text(out, key->lines.items[i].text);
	}
}

static void
append_head(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmt_key_part *part)
{
	struct dmt_key_lines head = key->lines;
	unsigned headings = 0;

	for (head.count = 0; head.count < key->lines.count; head.count++) {
		headings += head.items[head.count].item == DMT_ITEM_HEADING;
		if (headings > 1)
			break;
	}
	append_lines(out, key, part, &head);
	append_lines(out, key, part, &key->added[DMT_SECTION_VERSION].lines);
	if (part->extra.len > 0) {
		append_text(out, part->extra);
		dmt_put(out, key->line_end);
	}
	dmt_put(out, dmt_section_name(DMT_SECTION_END));
	dmt_put(out, "\n");
}

void
dmt_key_put(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmt_key_part *part)
{
	static const struct dmt_key_part all;

	if (part != NULL && part->head)
		append_head(out, key, part);
	else
		append_all(out, key, part == NULL ? &all : part);
}

size_t
dmt_key_encoded_size(const struct dmtrace_key *key)
{
	return key->encoded_size;
}

enum dmtrace_status
dmt_key_encode(const struct dmtrace_key *key, void *out, size_t len)
{
	struct dmt_output in_place = { .bytes = out, .capacity = len };

	if (len < key->encoded_size)
		return DMTRACE_ERR_RANGE;
	dmt_key_put(&in_place, key, NULL);
	return DMTRACE_OK;
}
