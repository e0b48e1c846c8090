/* piece_front.c - the bytes around the events of a piece */

/*
 * A joined piece begins with the key of the whole trace, which contains a
 * block of lines (piece_key.c), and the header. A piece of a stream or of
 * trace format V2 does not begin with a key. It begins with the header and
 * announces all threads and methods of the whole trace in order, so that its
 * key has the same rows whatever its events are; its last packet is a summary
 * that contains the block. If an id has several rows, the last one is in
 * effect after these packets, and the writer announces another one again when
 * events need it. Such repeated rows follow those of the whole trace in the
 * piece's key, and the block says where they begin.
 *
 * Removing the block restores the key of the whole trace. This is tested when
 * a split begins: a key that is not restored exactly is refused.
 */

#include "ops/split/piece_front.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/output.h"
#include "data/v2_encode.h"
#include "key/key.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/trace.h"

/* Appends to a key of key_len bytes what precedes the records in the reader's
 * trace: its lead, the gap and the header. Before that, the key of a pair may
 * need its last line end. Returns the length of all. */
static size_t
append_lead(uint8_t *bytes, size_t key_len, const struct dmtrace_reader *reader)
{
	size_t len = key_len;

	if (dmt_reader_container(reader) == DMTRACE_CONTAINER_PAIR &&
	    bytes[len - 1] != '\n')
		bytes[len++] = '\n';
	return len + dmt_reader_copy_lead(reader, bytes + len);
}

/* Makes the key of the pieces, which is that of the whole trace with the block
 * of a piece in it; NULL: the failure is in error. */
static struct dmtrace_key *
make_piece_key(const struct dmt_piece_front *front,
    const struct dmtrace_key *key, struct dmtrace_error *error)
{
	const struct dmt_piece_facts facts = { .index = 1, .total = 1 };
	const struct dmt_wrap wrap =
	    dmt_piece_wrap(front->lines.unit_ns != 0);
	uint8_t *const block = dmt_array_new(front->lines.len, 1);
	struct dmtrace_key *made = NULL;

	if (block == NULL) {
		dmt_error_memory(error);
		return NULL;
	}
	dmt_piece_lines_put(block, &front->lines, &facts);
	dmt_key_wrap(&made, key, &wrap, (struct dmtrace_text){
	    (const char *)block, front->lines.len }, error);
	free(block);
	return made;
}

/* Makes the front of joined pieces. */
static enum dmtrace_status
make_joined_front(struct dmt_piece_front *front,
    const struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	struct dmtrace_key *const key =
	    make_piece_key(front, dmtrace_reader_key(reader), error);

	if (key == NULL)
		return error->status;
	const size_t len = dmt_key_encoded_size(key);
	front->bytes = dmt_array_new(len + 1 + dmt_reader_lead_len(reader), 1);
	if (front->bytes == NULL) {
		dmt_error_memory(error);
	} else {
		dmt_key_encode(key, front->bytes, len);
		front->block_at = dmt_key_block_at(key);
		front->len = append_lead(front->bytes, len, reader);
	}
	dmt_key_free(key);
	return error->status;
}

/* Finds the ids of more than one row, and the size of an event that needs one
 * of them. false: no memory. */
static bool
find_redefined(struct dmt_piece_front *front, const struct dmtrace_key *key)
{
	struct dmt_idmap seen = { 0 };
	struct dmt_output line = { 0 };
	size_t longest = 0, capacity = 0;
	bool done = true;

	for (size_t i = 0; i < front->methods && done; i++) {
		const uint64_t id =
		    dmtrace_key_method_get(key, i)->id & ~UINT64_C(3);

		done = dmt_idmap_reserve(&seen);
		if (!done || dmt_idmap_put(&seen, id, (uint32_t)i))
			continue;
		uint64_t *const ids = dmt_array_grow(front->redefined,
		    &capacity, front->redefined_count + 1, sizeof(*ids));
		done = ids != NULL;
		if (done) {
			front->redefined = ids;
			ids[front->redefined_count++] = id;
		}
	}
	for (size_t i = 0; i < front->methods && done &&
	    front->redefined_count > 0; i++) {
		dmt_output_clear(&line);
		dmt_put_method_line(&line, key,
		    dmtrace_key_method_get(key, i), true);
		done = !dmt_output_failed(&line);
		if (done && line.len > longest)
			longest = line.len;
	}
	dmt_output_fini(&line);
	dmt_idmap_fini(&seen);
	if (front->redefined_count > 0)
		front->event_max += longest + DMT_V2_BLOCK_HEADER_MAX;
	return done;
}

/* The same for threads of more than one row, which are names. */
static void
find_renamed(struct dmt_piece_front *front, const struct dmtrace_key *key)
{
	size_t longest = 0;
	bool renames = false;

	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);

		renames |= dmtrace_key_thread_find(key, row->id) != row;
		if (row->name.len > longest)
			longest = row->name.len;
	}
	if (renames)
		front->event_max += longest + DMT_V2_BLOCK_HEADER_MAX;
}

/* Writes the header, the packets and the summary of pieces to memory, which
 * becomes the front's. */
static enum dmtrace_status
make_packets_front(struct dmt_piece_front *front,
    const struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	static const char begin[] = "dmtrace-piece=";
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	struct dmt_writing *const writing = front->writing;
	const struct dmt_dialect *const dialect = writing->format.dialect;
	struct dmt_output out = { 0 };

	if (!find_redefined(front, key))
		return dmt_error_memory(error);
	struct dmtrace_key *const piece_key =
	    make_piece_key(front, key, error);
	if (piece_key == NULL)
		return error->status;
	find_renamed(front, key);

	uint8_t *const lead =
	    dmt_output_reserve(&out, dmt_reader_lead_len(reader));
	if (lead != NULL)
		dmt_output_advance(&out, dmt_reader_copy_lead(reader, lead));
	const bool fits = dialect->announce(writing, &out, key);
	front->len = out.len;
	if (!fits)
		dmt_error_set(&out.error, DMTRACE_ERR_RANGE, "the line of a"
		    " thread or method is longer than 65,535 bytes");
	else
		dialect->end(writing, &out, piece_key);
	dmt_key_free(piece_key);
	if (out.error.status != DMTRACE_OK) {
		*error = out.error;
		dmt_output_fini(&out);
		return error->status;
	}
	front->bytes = (uint8_t *)out.bytes;
	front->end_len = out.len - front->len;

	/* The block follows the version, which is all that precedes it in the
	 * summary. */
	front->block_at = front->len;
	while (memcmp(front->bytes + front->block_at, begin,
	    strlen(begin)) != 0)
		front->block_at++;
	return DMTRACE_OK;
}

static uint64_t
hash_front(const uint8_t *bytes, size_t len)
{
	return dmt_hash_bytes(DMT_HASH, bytes, len);
}

/* Computes the hash of everything that precedes the records of the whole
 * trace. */
static enum dmtrace_status
find_front_id(struct dmt_piece_front *front,
    const struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const size_t len = dmt_key_encoded_size(key);
	uint8_t *const bytes =
	    dmt_array_new(len + 1 + dmt_reader_lead_len(reader), 1);

	if (bytes == NULL)
		return dmt_error_memory(error);
	dmt_key_encode(key, bytes, len);
	front->id = hash_front(bytes, append_lead(bytes, len, reader));
	free(bytes);
	return DMTRACE_OK;
}

/* Checks that the front, read again, gives back the whole trace's. */
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
	    DMTRACE_OK && hash_front(bytes, len) != front->id)
		dmt_error_set(error, DMTRACE_ERR_CORRUPT,
		    "the key has no place for the lines of a piece");
	free(bytes);
	return error->status;
}

static enum dmtrace_status
check_front(struct dmt_piece_front *front, struct dmtrace_error *error)
{
	const struct dmt_piece_facts facts = {
		.index = 1, .total = 1, .methods = front->methods
	};
	struct dmtrace_reader *const piece = dmtrace_reader_new();

	if (piece == NULL)
		return dmt_error_memory(error);
	dmt_piece_front_fill(front, &facts);
	if (dmtrace_reader_open_memory(piece, front->bytes,
	    front->len + front->end_len) != DMTRACE_OK)
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
	struct dmt_trace_format format;

	dmt_reader_format(reader, &format);
	*front = (struct dmt_piece_front){
		.lines = dmt_piece_lines_of(reader),
		.methods = dmtrace_key_method_count(dmtrace_reader_key(reader))
	};
	if (format.headless)
		return dmt_error_set(error, DMTRACE_ERR_UNSUPPORTED,
		    "the dump of long-running methods has no summary, which "
		    "would describe a piece; \"dmtrace convert\" writes a "
		    "trace that has one");
	/* Else the key of a piece would depend on its events. */
	format.names_threads = false;
	front->event_max = format.dialect->event_max(&format);
	front->writing = dmt_writing_new_like(&format);
	if (front->writing == NULL)
		return dmt_error_memory(error);
	if (find_front_id(front, reader, error) != DMTRACE_OK ||
	    (format.dialect->packets ?
	    make_packets_front(front, reader, error) :
	    make_joined_front(front, reader, error)) != DMTRACE_OK)
		return error->status;
	return check_front(front, error);
}

void
dmt_piece_front_fini(struct dmt_piece_front *front)
{
	free(front->bytes);
	free(front->redefined);
	dmt_writing_free(front->writing);
	*front = (struct dmt_piece_front){ .bytes = NULL };
}

bool
dmt_piece_front_fill(struct dmt_piece_front *front,
    const struct dmt_piece_facts *facts)
{
	return dmt_piece_lines_put(front->bytes + front->block_at,
	    &front->lines, facts);
}

void
dmt_piece_front_forget(struct dmt_piece_front *front)
{
	struct dmt_writing *const writing = front->writing;

	if (front->lines.packets)
		dmt_writing_forget(writing, front->redefined,
		    front->redefined_count);
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
	const struct dmt_piece_lines lines = dmt_piece_lines_of(reader);
	struct dmtrace_text block;
	struct dmtrace_key *whole;

	if (!dmt_piece_lines_take(facts, &block, key, lines.packets))
		return dmt_error_set(error, DMTRACE_ERR_FOREIGN, "is not a "
		    "piece of a trace: its key does not begin with the lines "
		    "that \"dmtrace split\" writes");
	const struct dmt_wrap wrap = dmt_piece_wrap(lines.unit_ns != 0);
	if (dmt_key_unwrap(&whole, key, &wrap, block, lines.packets ?
	    facts->methods : UINT64_MAX, error) != DMTRACE_OK)
		return error->status;
	*len = dmt_key_encoded_size(whole);
	dmt_key_encode(whole, bytes, *len);
	dmt_key_free(whole);
	*len += dmt_reader_copy_lead(reader, bytes + *len);
	return DMTRACE_OK;
}
