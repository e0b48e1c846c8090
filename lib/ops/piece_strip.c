/* piece_strip.c - what the key of a piece says, taken out again */

#include "ops/piece_key.h"

#include <string.h>

#include "base/error.h"
#include "key/text.h"

uint64_t
dmt_piece_number(struct dmtrace_text *text)
{
	uint64_t number = 0;

	for (unsigned digits = 0; digits < 18 && text->len > 0 &&
	    text->bytes[0] >= '0' && text->bytes[0] <= '9'; digits++) {
		number = number * 10 + (uint64_t)(text->bytes[0] - '0');
		text->bytes++;
		text->len--;
	}
	return number;
}

/* Takes the separator off. */
static bool
skip(struct dmtrace_text *text, char separator)
{
	if (text->len == 0 || text->bytes[0] != separator)
		return false;
	text->bytes++;
	text->len--;
	return true;
}

static bool
take_place(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	facts->index = dmt_piece_number(&value);
	if (!skip(&value, '/'))
		return false;
	facts->total = dmt_piece_number(&value);
	return value.len == 0 && facts->index > 0 &&
	    facts->index <= facts->total;
}

static bool
take_way(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	for (unsigned i = 0; i < DMT_PIECE_WAYS; i++)
		if (dmt_text_is(value, dmt_piece_ways[i])) {
			facts->by = (enum dmtrace_pieces_by)i;
			return true;
		}
	return false;
}

static bool
take_order(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	facts->exact = dmt_text_is(value, "exact");
	return facts->exact || dmt_text_is(value, "thread");
}

static bool
take_id(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	static const char digits[] = "0123456789abcdef";

	if (value.len != 16)
		return false;
	for (size_t i = 0; i < value.len; i++) {
		const char *const digit = value.bytes[i] == '\0' ? NULL :
		    strchr(digits, value.bytes[i]);

		if (digit == NULL)
			return false;
		facts->id = facts->id << 4 | (uint64_t)(digit - digits);
	}
	return true;
}

static bool
take_records(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	facts->opened = dmt_piece_number(&value);
	if (!skip(&value, '+'))
		return false;
	facts->records = dmt_piece_number(&value);
	if (!skip(&value, '+'))
		return false;
	facts->closed = dmt_piece_number(&value);
	return value.len == 0;
}

/* The lines that a block begins with, in their order. */
static const struct {
	const char *name;
	bool (*take)(struct dmt_piece_facts *facts,
	    struct dmtrace_text value);
} lines[] = {
	{ "dmtrace-piece",         take_place   },
	{ "dmtrace-piece-by",      take_way     },
	{ "dmtrace-piece-order",   take_order   },
	{ "dmtrace-piece-id",      take_id      },
	{ "dmtrace-piece-records", take_records },
};

static bool
take(struct dmt_piece_facts *facts, struct dmtrace_text block)
{
	*facts = (struct dmt_piece_facts){ 0 };
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct dmtrace_text value = dmt_text_cut(&block, '\n');

		if (value.len > 0 && value.bytes[value.len - 1] == '\r')
			value.len--;
		const struct dmtrace_text name = dmt_text_cut(&value, '=');
		if (block.bytes == NULL || value.bytes == NULL ||
		    !dmt_text_is(name, lines[i].name) ||
		    !lines[i].take(facts, value))
			return false;
	}
	return true;
}

size_t
dmt_piece_front_max(const struct dmtrace_reader *reader)
{
	return dmtrace_key_encoded_size(reader->key) +
	    dmt_piece_rest_max(reader);
}

enum dmtrace_status
dmt_piece_front_strip(struct dmt_piece_facts *facts, uint8_t *bytes,
    size_t *len, const struct dmtrace_reader *reader,
    struct dmtrace_error *error)
{
	const struct dmtrace_text block =
	    dmt_key_block(reader->key, DMT_PIECE_PAD);
	const struct dmt_wrap wrap = dmt_piece_wrap(block.len);

	if (!take(facts, block))
		return dmt_error_set(error, DMTRACE_ERR_FOREIGN, "is no piece"
		    " of a trace: its key does not begin with the lines that"
		    " \"split --by\" writes");
	*len = dmt_key_unwrap(bytes, reader->key, &wrap);
	*len += dmt_piece_put_rest(bytes + *len, reader, true);
	return DMTRACE_OK;
}
