/* key_wrap.c - adds a block of lines to a key, and removes it again */

/*
 * Each piece of a split trace has the key of the whole trace and the
 * information that is needed to join the pieces: a block of option lines after
 * the version. All other lines are unchanged, except for those that could be
 * mistaken for lines of the block: these get a prefix, which unwrapping
 * removes. So any key is restored byte for byte.
 */

#include "key/key_wrap.h"

#include <string.h>

#include "base/error.h"
#include "key/key.h"
#include "key/line_text.h"
#include "private/key.h"

struct wrapping {
	const struct dmtrace_key *key;
	const struct dmt_wrap *wrap;
	struct dmtrace_text block;
	uint64_t methods;
	struct dmt_arena names;		/* with a prefix */
	bool no_memory;
};

const char *
dmt_key_line_end(const struct dmtrace_key *key)
{
	return key->line_end;
}

static struct dmtrace_text
option_line(const struct dmtrace_key *key, size_t index)
{
	const struct dmt_option_row *const row = &key->options.items[index];

	return row->added ?
	    key->added[DMT_SECTION_VERSION].lines.items[row->line].text :
	    key->lines.items[row->line].text;
}

static bool
wrap_option(void *context, size_t index, struct dmtrace_option *option)
{
	struct wrapping *const wrapping = context;
	const struct dmt_wrap *const wrap = wrapping->wrap;
	const size_t len = strlen(wrap->names[0]);

	for (size_t i = 0; i < wrap->count; i++) {
		if (!dmt_text_begins(option_line(wrapping->key, index),
		    wrap->names[i]))
			continue;
		char *const name = dmt_arena_alloc(&wrapping->names,
		    len + option->name.len);
		if (name == NULL) {
			wrapping->no_memory = true;
			break;
		}
		memcpy(name, wrap->names[0], len);
		memcpy(name + len, option->name.bytes, option->name.len);
		option->name = (struct dmtrace_text){
			name, len + option->name.len
		};
		break;
	}
	return true;
}

enum dmtrace_status
dmt_key_wrap(struct dmtrace_key **to, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap, struct dmtrace_text block,
    struct dmtrace_error *error)
{
	struct wrapping wrapping = { .key = key, .wrap = wrap };
	struct dmt_key_rules rules = {
		.option = wrap_option, .context = &wrapping, .block = block
	};
	struct dmtrace_key *made = NULL;

	if (dmt_key_rewrite(&made, key, &rules, error) == DMTRACE_OK &&
	    wrapping.no_memory)
		dmt_error_memory(error);
	dmt_arena_fini(&wrapping.names);
	if (error->status == DMTRACE_OK)
		*to = made;
	else
		dmt_key_free(made);
	return error->status;
}

size_t
dmt_key_block_at(const struct dmtrace_key *key)
{
	size_t at = 0;

	for (size_t i = 0; i <= key->number; i++)
		at += key->lines.items[i].text.len;
	return at;
}

struct dmtrace_text
dmt_key_block(const struct dmtrace_key *key, const char *last)
{
	struct dmtrace_text block =
	    { key->text.bytes + dmt_key_block_at(key), 0 };

	for (size_t i = key->number + 1; i < key->lines.count; i++) {
		const struct dmt_key_line *const line = &key->lines.items[i];

		if (line->item == DMT_ITEM_HEADING || line->end == 0)
			break;
		block.len += line->text.len;
		if (dmt_text_begins(line->text, last))
			return block;
	}
	block.len = 0;
	return block;
}

static bool
unwrap_option(void *context, size_t index, struct dmtrace_option *option)
{
	const struct wrapping *const wrapping = context;
	const char *const was = wrapping->wrap->names[0];
	const struct dmtrace_text line = option_line(wrapping->key, index);

	if (line.bytes >= wrapping->block.bytes &&
	    line.bytes < wrapping->block.bytes + wrapping->block.len)
		return false;
	if (dmt_text_begins(line, was))
		option->name = dmt_text_after(option->name, strlen(was));
	return true;
}

static bool
unwrap_method(void *context, size_t index, struct dmtrace_method *method)
{
	(void)method;
	return index < ((const struct wrapping *)context)->methods;
}

enum dmtrace_status
dmt_key_unwrap(struct dmtrace_key **to, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap, struct dmtrace_text block, uint64_t methods,
    struct dmtrace_error *error)
{
	struct wrapping wrapping = {
		.key = key, .wrap = wrap, .block = block, .methods = methods
	};
	struct dmt_key_rules rules = {
		.option = unwrap_option,
		.method = unwrap_method,
		.context = &wrapping
	};

	return dmt_key_rewrite(to, key, &rules, error);
}
