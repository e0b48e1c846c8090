/* piece_key.c - adds facts about a piece to its key, and removes them */

/*
 * A piece has the key and header of the whole trace, and in addition a block
 * of option lines: the number of the piece, the number of pieces, the id of
 * the split, and how many records the piece has, with inserted ones counted
 * separately. Lines of the key that the block replaces (num-method-calls,
 * dmtrace-opened and -closed; in trace format V2 the elapsed time, whose name
 * gives the unit of all times) are renamed, so that programs use those of the
 * block; see lib/key/key_wrap.h. The facts are only known when all pieces are
 * written. So the block has the same size in all pieces and is filled at the
 * end; its last line has dashes as padding.
 */

#include "ops/split/piece_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "key/line_text.h"
#include "private/key.h"
#include "trace/dialect.h"

/* The most bytes that the block of a piece needs, without line ends: the
 * names, two numbers of 10 digits and six of 13; for packets, one of 10 and
 * one of 20 more. */
enum {
	BLOCK_SIZE = 304,
	BLOCK_LINES = 10,
	PACKETS_SIZE = 72,
	PACKETS_LINES = 2
};

/* The beginning of the block's last line. */
#define PAD "dmtrace-piece-pad=-"

static const char *const ways[] = {
	"thread", "time", "records", "size"
};

/* The names in the block, and the prefix for such names in the key. The last
 * one is only used in trace format V2. */
static const char *const names[] = {
	"dmtrace-whole-", "dmtrace-piece", DMT_OPTION_OPENED "=",
	DMT_OPTION_CLOSED "=", DMT_OPTION_CALLS "=", "elapsed-time-"
};

struct dmt_wrap
dmt_piece_wrap(bool has_elapsed)
{
	return (struct dmt_wrap){
		names, sizeof(names) / sizeof(names[0]) - !has_elapsed
	};
}

static uint64_t
hash_number(uint64_t hash, uint64_t number)
{
	uint8_t bytes[8];

	dmt_put_le64(bytes, number);
	return dmt_hash_bytes(hash, bytes, sizeof(bytes));
}

uint64_t
dmt_piece_form(const struct dmtrace_reader *reader)
{
	struct dmt_trace_format format;

	dmt_reader_format(reader, &format);
	return !format.dialect->packets ? 0 : format.dialect->has_records ?
	    dmt_records_len(&format.layout, 1) :
	    UINT64_C(1) << 32 | format.blocks.stage;
}

uint64_t
dmt_piece_hash_form(uint64_t hash, uint64_t form)
{
	return form == 0 ? hash : hash_number(hash, form);
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

struct dmt_piece_lines
dmt_piece_lines_of(const struct dmtrace_reader *reader)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const bool packets = reader->dialect->packets;
	const size_t lines = BLOCK_LINES + (packets ? PACKETS_LINES : 0);
	struct dmt_piece_lines of = {
		.line_end = dmt_key_line_end(key),
		.counts = dmtrace_key_option_find(key, DMT_OPTION_CALLS) !=
		    NULL,
		.packets = packets,
	};
	struct dmt_trace_format format;

	dmt_reader_format(reader, &format);
	if (format.dialect->ns_option)
		of.unit_ns = format.ns ? 1 : 1000;

	of.len = BLOCK_SIZE + (packets ? PACKETS_SIZE : 0) +
	    lines * strlen(of.line_end);
	return of;
}

static size_t
put_number(char *out, size_t size, const char *name, uint64_t number,
    const char *line_end)
{
	return (size_t)snprintf(out, size, "%s=%" PRIu64 "%s", name, number,
	    line_end);
}

/* Writes the lines that identify a piece. */
static size_t
put_place(char *out, size_t size, const struct dmt_piece_facts *facts,
    const struct dmt_piece_lines *lines)
{
	const char *const line_end = lines->line_end;
	const size_t len = (size_t)snprintf(out, size,
	    "dmtrace-piece=%" PRIu64 "/%" PRIu64 "%s"
	    "dmtrace-piece-by=%s%s"
	    "dmtrace-piece-order=%s%s"
	    "dmtrace-piece-id=%016" PRIx64 "%s"
	    "dmtrace-piece-records=%" PRIu64 "+%" PRIu64 "+%" PRIu64 "%s",
	    facts->index, facts->total, line_end,
	    ways[facts->by], line_end,
	    facts->exact ? "exact" : "thread", line_end, facts->id, line_end,
	    facts->opened, facts->records, facts->closed, line_end);

	return !lines->packets ? len : len + put_number(out + len, size - len,
	    "dmtrace-piece-methods", facts->methods, line_end);
}

/* Writes the lines that other programs read. */
static size_t
put_counts(char *out, size_t size, const struct dmt_piece_facts *facts,
    const struct dmt_piece_lines *lines)
{
	const uint64_t opened = facts->opened + facts->was_opened;
	const uint64_t closed = facts->closed + facts->was_closed;
	const char *const line_end = lines->line_end;
	size_t len = 0;

	if (opened > 0)
		len += put_number(out, size, DMT_OPTION_OPENED, opened,
		    line_end);
	if (closed > 0)
		len += put_number(out + len, size - len, DMT_OPTION_CLOSED,
		    closed, line_end);
	if (lines->counts)
		len += put_number(out + len, size - len, DMT_OPTION_CALLS,
		    facts->opened + facts->records + facts->closed, line_end);
	if (lines->unit_ns != 0)
		len += put_number(out + len, size - len, lines->unit_ns == 1 ?
		    DMT_OPTION_ELAPSED_NS : DMT_OPTION_ELAPSED_US,
		    facts->last_ns / lines->unit_ns, line_end);
	return len;
}

bool
dmt_piece_lines_put(uint8_t *out, const struct dmt_piece_lines *lines,
    const struct dmt_piece_facts *facts)
{
	static const char pad[] = PAD;
	char text[1024];
	size_t len = put_place(text, sizeof(text), facts, lines);
	const size_t end = lines->len - strlen(lines->line_end);

	len += put_counts(text + len, sizeof(text) - len, facts, lines);
	if (len + strlen(pad) > end)
		return false;
	memcpy(out, text, len);
	memcpy(out + len, pad, strlen(pad));
	memset(out + len + strlen(pad), '-', end - len - strlen(pad));
	memcpy(out + end, lines->line_end, strlen(lines->line_end));
	return true;
}

/* Reads the digits at the start of text, 18 at most, and removes them. */
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

/* Removes the separator. */
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
take_record_counts(struct dmt_piece_facts *facts, struct dmtrace_text value)
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

static bool
take_methods(struct dmt_piece_facts *facts, struct dmtrace_text value)
{
	facts->methods = take_number(&value);
	return value.len == 0;
}

/* The lines at the start of a block, in order; the last one is only used with
 * packets. */
static const struct {
	const char *name;
	bool (*take)(struct dmt_piece_facts *facts,
	    struct dmtrace_text value);
} places[] = {
	{ "dmtrace-piece",         take_place   },
	{ "dmtrace-piece-by",      take_way     },
	{ "dmtrace-piece-order",   take_order   },
	{ "dmtrace-piece-id",      take_id      },
	{ "dmtrace-piece-records", take_record_counts },
	{ "dmtrace-piece-methods", take_methods },
};

bool
dmt_piece_lines_take(struct dmt_piece_facts *facts, struct dmtrace_text *lines,
    const struct dmtrace_key *key, bool packets)
{
	struct dmtrace_text block = *lines = dmt_key_block(key, PAD);
	const size_t count = sizeof(places) / sizeof(places[0]) - !packets;

	*facts = (struct dmt_piece_facts){ 0 };
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_text value = dmt_text_cut(&block, '\n');

		if (value.len > 0 && value.bytes[value.len - 1] == '\r')
			value.len--;
		const struct dmtrace_text name = dmt_text_cut(&value, '=');
		if (block.bytes == NULL || value.bytes == NULL ||
		    !dmt_text_is(name, places[i].name) ||
		    !places[i].take(facts, value))
			return false;
	}
	return true;
}
