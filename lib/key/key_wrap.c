/* key_wrap.c - adds a block of lines to a key, and removes it again */

/*
 * Each piece of a split trace has the key of the whole trace and the
 * information that is needed to join the pieces: a block of option lines after
 * the version. The rest of the key's text is unchanged, except for lines that
 * could be mistaken for lines of the block: these get a prefix, which
 * unwrapping removes. So any key is restored byte for byte.
 */

#include "key/key_wrap.h"

#include <string.h>

#include "base/bytes.h"
#include "key/key.h"
#include "key/line_text.h"

const char *
dmt_key_line_end(const struct dmtrace_key *key)
{
	return key->line_end;
}

static struct dmtrace_text
option_line(const struct dmtrace_key *key, size_t index)
{
	return key->lines.items[key->options.items[index].line].text;
}

static bool
is_wrapped_name(const struct dmt_wrap *wrap, struct dmtrace_text line)
{
	for (size_t i = 0; i < wrap->count; i++)
		if (dmt_text_begins(line, wrap->names[i]))
			return true;
	return false;
}

static size_t
block_at(const struct dmtrace_key *key)
{
	size_t at = 0;

	for (size_t i = 0; i <= key->number; i++)
		at += key->lines.items[i].text.len;
	return at;
}

size_t
dmt_key_wrapped_size(const struct dmtrace_key *key,
    const struct dmt_wrap *wrap)
{
	size_t size = key->text.len + wrap->block_len;

	for (size_t i = 0; i < key->options.count; i++)
		if (is_wrapped_name(wrap, option_line(key, i)))
			size += strlen(wrap->names[0]);
	return size;
}

size_t
dmt_key_wrap(uint8_t *out, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap)
{
	const char *const text = key->text.bytes;
	size_t at = block_at(key);

	out = dmt_put_bytes(out, text, at) + wrap->block_len;
	for (size_t i = 0; i < key->options.count; i++) {
		const size_t row = (size_t)(option_line(key, i).bytes - text);

		if (!is_wrapped_name(wrap, option_line(key, i)))
			continue;
		out = dmt_put_bytes(out, text + at, row - at);
		out = dmt_put_bytes(out, wrap->names[0],
		    strlen(wrap->names[0]));
		at = row;
	}
	dmt_put_bytes(out, text + at, key->text.len - at);
	return block_at(key);
}

struct dmtrace_text
dmt_key_block(const struct dmtrace_key *key, const char *last)
{
	const size_t at = block_at(key);
	struct dmtrace_text text =
	    { key->text.bytes + at, key->text.len - at };
	struct dmtrace_text line, rest = text;

	do {
		line = dmt_text_cut(&rest, '\n');
		if (rest.bytes == NULL || dmt_text_begins(line, "*")) {
			text.len = 0;
			return text;
		}
	} while (!dmt_text_begins(line, last));
	text.len = (size_t)(rest.bytes - text.bytes);
	return text;
}

size_t
dmt_key_unwrap(uint8_t *out, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap)
{
	const size_t was = strlen(wrap->names[0]);
	const char *const text = key->text.bytes;
	const uint8_t *const begin = out;
	size_t at = block_at(key);

	out = dmt_put_bytes(out, text, at);
	at += wrap->block_len;
	for (size_t i = 0; i < key->options.count; i++) {
		const size_t row = (size_t)(option_line(key, i).bytes - text);

		if (row < at || !dmt_text_begins(option_line(key, i),
		    wrap->names[0]))
			continue;
		out = dmt_put_bytes(out, text + at, row - at);
		at = row + was;
	}
	out = dmt_put_bytes(out, text + at, key->text.len - at);
	return (size_t)(out - begin);
}
