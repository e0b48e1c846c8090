/* piece_key.c - what the key of a piece says, put in and taken out */

/*
 * A piece has the key and header of the whole trace, and a block of option
 * lines more: which piece it is, of how many, of which split, and how many
 * records it has, added ones apart. Lines of the key that the block has to
 * replace (num-method-calls, dmtrace-opened and -closed) get another name, so
 * that programs see those of the block; see lib/key/wrap.h. What the block
 * says is known only when all pieces are written. So each of them begins with
 * the same bytes, a block of fixed length in it, which is filled at the end; a
 * last line of dashes takes what is left of it.
 *
 * Taking the block out again gives the bytes that the whole trace began with.
 * This is tried when a split begins: a key that does not come back is
 * refused. The id in the block is a hash of those bytes and of the facts of
 * all pieces, so that rejoin knows pieces of one split from others.
 */

#include "ops/split/piece_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/trace.h"

/* What the block of a piece needs at most, without its line ends: the names,
 * two numbers of 10 digits and six of 13. */
#define BLOCK_SIZE 304
#define BLOCK_LINES 10

/* What the last line of the block begins with. */
#define PAD "dmtrace-piece-pad=-"

static const char *const ways[] = {
	"thread", "time", "records", "size"
};

/* The names of the block, and what it puts before those of the key. */
static const char *const names[] = {
	"dmtrace-whole-", "dmtrace-piece", "dmtrace-opened=",
	"dmtrace-closed=", "num-method-calls="
};

static struct dmt_wrap
piece_wrap(size_t block_len)
{
	return (struct dmt_wrap){ names, sizeof(names) / sizeof(names[0]),
	    block_len };
}

uint64_t
dmt_piece_hash(uint64_t hash, const void *bytes, size_t len)
{
	const uint8_t *const in = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ in[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t
hash_number(uint64_t hash, uint64_t number)
{
	uint8_t bytes[8];

	dmt_put_le64(bytes, number);
	return dmt_piece_hash(hash, bytes, sizeof(bytes));
}

uint64_t
dmt_piece_hash_facts(uint64_t hash, const struct dmt_piece_facts *facts)
{
	hash = hash_number(hash, facts->by);
	hash = hash_number(hash, facts->exact);
	hash = hash_number(hash, facts->opened);
	hash = hash_number(hash, facts->records);
	return hash_number(hash, facts->closed);
}

/* Puts what is between the key, which has key_len bytes, and the records; at
 * most one byte more than the lead. In a pair the key may have no last line
 * end, which it needs now. Returns the length of both. */
static size_t
put_lead(uint8_t *bytes, size_t key_len, const struct dmtrace_reader *reader)
{
	size_t len = key_len;

	if (dmt_reader_container(reader) == DMTRACE_CONTAINER_PAIR &&
	    bytes[len - 1] != '\n')
		bytes[len++] = '\n';
	return len + dmt_reader_copy_lead(reader, bytes + len);
}

/* The hash of the trace's own front, then the front of its pieces. */
static enum dmtrace_status
make_front(struct dmt_piece_front *front, const struct dmtrace_reader *reader,
    struct dmtrace_error *error)
{
	const struct dmt_wrap wrap = piece_wrap(front->block_len);
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const size_t whole = dmt_key_encoded_size(key);
	const size_t wrapped = dmt_key_wrapped_size(key, &wrap);

	front->bytes = dmt_array_new(wrapped + 1 + dmt_reader_lead_len(reader),
	    1);
	if (front->bytes == NULL)
		return dmt_error_memory(error);
	dmt_key_encode(key, front->bytes, whole);
	front->id = dmt_piece_hash(DMT_PIECE_HASH, front->bytes,
	    put_lead(front->bytes, whole, reader));
	front->block_at = dmt_key_wrap(front->bytes, key, &wrap);
	front->len = put_lead(front->bytes, wrapped, reader);
	return DMTRACE_OK;
}

/* Whether the front that was read leads back to the trace that it is of. */
static enum dmtrace_status
compare_front(const struct dmt_piece_front *front,
    const struct dmtrace_reader *piece, struct dmtrace_error *error)
{
	uint8_t *const bytes = malloc(dmt_piece_front_max(piece));
	struct dmt_piece_facts facts;
	size_t len;

	if (bytes == NULL)
		return dmt_error_memory(error);
	if (dmt_piece_front_strip(&facts, bytes, &len, piece, error) ==
	    DMTRACE_OK && dmt_piece_hash(DMT_PIECE_HASH, bytes, len) !=
	    front->id)
		dmt_error_set(error, DMTRACE_ERR_CORRUPT,
		    "the key has no place for the lines of a piece");
	free(bytes);
	return error->status;
}

static enum dmtrace_status
check_front(struct dmt_piece_front *front, struct dmtrace_error *error)
{
	const struct dmt_piece_facts facts = { .index = 1, .total = 1 };
	struct dmtrace_reader *const piece = dmtrace_reader_new();

	if (piece == NULL)
		return dmt_error_memory(error);
	dmt_piece_front_fill(front, &facts);
	if (dmtrace_reader_open_memory(piece, front->bytes, front->len) !=
	    DMTRACE_OK)
		*error = *dmtrace_reader_error(piece);
	else
		compare_front(front, piece, error);
	dmtrace_reader_free(piece);
	return error->status;
}

enum dmtrace_status
dmt_piece_front_init(struct dmt_piece_front *front,
    const struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const char *const line_end = dmt_key_line_end(key);

	if (reader->container == DMTRACE_CONTAINER_STREAM)
		return dmt_error_set(error, DMTRACE_ERR_UNSUPPORTED,
		    "this is ART streaming, which has no key of its own;"
		    " \"dmtrace convert\" makes a trace with one");
	if (reader->container == DMTRACE_CONTAINER_PACKETS)
		return dmt_error_set(error, DMTRACE_ERR_UNSUPPORTED,
		    "this is ART trace format V2, which has no key of its"
		    " own; \"dmtrace convert\" makes a trace with one");
	*front = (struct dmt_piece_front){
		.block_len = BLOCK_SIZE + BLOCK_LINES * strlen(line_end),
		.line_end = line_end,
		.counts = dmtrace_key_option_find(key, "num-method-calls") !=
		    NULL
	};
	if (make_front(front, reader, error) != DMTRACE_OK)
		return error->status;
	return check_front(front, error);
}

void
dmt_piece_front_fini(struct dmt_piece_front *front)
{
	free(front->bytes);
	*front = (struct dmt_piece_front){ 0 };
}

static size_t
put_number(char *out, size_t size, const char *name, uint64_t number,
    const char *line_end)
{
	return (size_t)snprintf(out, size, "%s=%" PRIu64 "%s", name, number,
	    line_end);
}

/* The lines that say what a piece is. */
static size_t
put_place(char *out, size_t size, const struct dmt_piece_facts *facts,
    const char *line_end)
{
	return (size_t)snprintf(out, size,
	    "dmtrace-piece=%" PRIu64 "/%" PRIu64 "%s"
	    "dmtrace-piece-by=%s%s"
	    "dmtrace-piece-order=%s%s"
	    "dmtrace-piece-id=%016" PRIx64 "%s"
	    "dmtrace-piece-records=%" PRIu64 "+%" PRIu64 "+%" PRIu64 "%s",
	    facts->index, facts->total, line_end,
	    ways[facts->by], line_end,
	    facts->exact ? "exact" : "thread", line_end, facts->id, line_end,
	    facts->opened, facts->records, facts->closed, line_end);
}

/* And those that other programs look at. */
static size_t
put_counts(char *out, size_t size, const struct dmt_piece_facts *facts,
    const struct dmt_piece_front *front)
{
	const uint64_t opened = facts->opened + facts->was_opened;
	const uint64_t closed = facts->closed + facts->was_closed;
	size_t len = 0;

	if (opened > 0)
		len += put_number(out, size, "dmtrace-opened", opened,
		    front->line_end);
	if (closed > 0)
		len += put_number(out + len, size - len, "dmtrace-closed",
		    closed, front->line_end);
	if (front->counts)
		len += put_number(out + len, size - len, "num-method-calls",
		    facts->opened + facts->records + facts->closed,
		    front->line_end);
	return len;
}

bool
dmt_piece_front_fill(struct dmt_piece_front *front,
    const struct dmt_piece_facts *facts)
{
	static const char pad[] = PAD;
	char *const block = (char *)front->bytes + front->block_at;
	char lines[1024];
	size_t len = put_place(lines, sizeof(lines), facts, front->line_end);
	const size_t end = front->block_len - strlen(front->line_end);

	len += put_counts(lines + len, sizeof(lines) - len, facts, front);
	if (len + strlen(pad) > end)
		return false;
	memcpy(block, lines, len);
	memcpy(block + len, pad, strlen(pad));
	memset(block + len + strlen(pad), '-', end - len - strlen(pad));
	memcpy(block + end, front->line_end, strlen(front->line_end));
	return true;
}

/* Takes the digits that text begins with off it, 18 at most. */
static uint64_t
take_number(struct dmtrace_text *text)
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
take_separator(struct dmtrace_text *text, char separator)
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
	facts->index = take_number(&value);
	if (!take_separator(&value, '/'))
		return false;
	facts->total = take_number(&value);
	return value.len == 0 && facts->index > 0 &&
	    facts->index <= facts->total;
}

static bool
take_way(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (dmt_text_is(value, ways[i])) {
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
	facts->opened = take_number(&value);
	if (!take_separator(&value, '+'))
		return false;
	facts->records = take_number(&value);
	if (!take_separator(&value, '+'))
		return false;
	facts->closed = take_number(&value);
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
take_block(struct dmt_piece_facts *facts, struct dmtrace_text block)
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
	return dmt_key_encoded_size(dmtrace_reader_key(reader)) +
	    dmt_reader_lead_len(reader);
}

enum dmtrace_status
dmt_piece_front_strip(struct dmt_piece_facts *facts, uint8_t *bytes,
    size_t *len, const struct dmtrace_reader *reader,
    struct dmtrace_error *error)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const struct dmtrace_text block = dmt_key_block(key, PAD);
	const struct dmt_wrap wrap = piece_wrap(block.len);

	if (!take_block(facts, block))
		return dmt_error_set(error, DMTRACE_ERR_FOREIGN, "is no piece"
		    " of a trace: its key does not begin with the lines that"
		    " \"split --by\" writes");
	*len = dmt_key_unwrap(bytes, key, &wrap);
	*len += dmt_reader_copy_lead(reader, bytes + *len);
	return DMTRACE_OK;
}
