/* follow.c - reads traces while they are being written */

/*
 * For a complete stream, or trace in format V2, the reader makes two passes
 * and starts with a complete key. For a growing file there is one pass, which
 * stops at the end of the file, even within a record or packet, and continues
 * when it is asked again and the file is longer. Each definition is added to
 * the key as it is read: if the thread or method has a row already, the row
 * gets the new name, and the method gets another index from its next record
 * on. The rows in the indexes are not used, because the key's tables move as
 * they grow.
 *
 * A 0xF2 file does not say if its records have 10 or 14 bytes, so the first
 * record is only read once a few records are there to tell. Likewise, the
 * first block of trace format V2 waits until there are enough blocks to detect
 * the stage. A block is read once it is complete, which is soon, as writers
 * write a block at once. The clock of version 4, and in some cases the unit of
 * times, are only in the summary, which comes too late.
 */

#include "trace/follow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "format/header.h"
#include "format/other_format.h"
#include "key/key.h"
#include "key/line_decode.h"
#include "private/text.h"
#include "private/trace.h"
#include "trace/container.h"
#include "trace/dialect.h"
#include "trace/packets.h"

/* Copies text to memory that lives as long as the key. false: no memory, or
 * the limit of the key is exceeded. */
static bool
keep_followed_text(struct dmtrace_reader *reader, struct dmtrace_text *text)
{
	struct dmtrace_key *const key = reader->key;
	char *const copy = dmt_arena_alloc(&key->arena, text->len + 1);

	reader->following->size += text->len;
	if (reader->following->size > key->limit_key)
		dmt_error_set(&reader->error, DMTRACE_ERR_LIMIT,
		    "the threads and methods of the stream take more bytes"
		    " than a key may have");
	else if (copy == NULL)
		dmt_error_memory(&reader->error);
	if (reader->error.status != DMTRACE_OK)
		return false;
	dmt_put_bytes((uint8_t *)copy, text->bytes, text->len);
	text->bytes = copy;
	return true;
}

static enum dmtrace_status
define_thread(struct dmtrace_reader *reader, uint32_t number,
    struct dmtrace_text name)
{
	struct dmt_threads *const threads = &reader->key->threads;

	const struct dmtrace_thread *const known =
	    dmt_threads_find(threads, sizeof(number), number);
	if ((known != NULL && dmt_text_equal(known->name, name)) ||
	    !keep_followed_text(reader, &name))
		return reader->error.status;
	if (known != NULL) {
		threads->items[known - threads->items].name = name;
		reader->following->renames++;
		return DMTRACE_OK;
	}
	const struct dmtrace_thread row = { .id = number, .name = name };
	return dmt_threads_add(threads, &row) ? DMTRACE_OK :
	    dmt_error_memory(&reader->error);
}

/* Records that the id gets another index at its next record. */
static enum dmtrace_status
add_redefined(struct dmtrace_reader *reader, uint64_t id)
{
	struct dmt_following *const following = reader->following;
	uint64_t *const ids = dmt_array_grow(following->redefined,
	    &following->capacity, following->count + 1, sizeof(*ids));

	if (ids == NULL)
		return dmt_error_memory(&reader->error);
	following->redefined = ids;
	ids[following->count++] = id;
	return DMTRACE_OK;
}

static enum dmtrace_status
follow_method(struct dmtrace_reader *reader, struct dmtrace_text text)
{
	struct dmt_methods *const methods = &reader->key->methods;
	struct dmtrace_method row;

	if (text.len > 0 && text.bytes[text.len - 1] == '\n')
		text.len--;
	struct dmt_line line = { .text = text };
	if (memchr(text.bytes, '\n', text.len) != NULL ||
	    !dmt_method_decode(&row, &line)) {
		dmt_finding_add(&reader->findings, DMT_STREAM_METHOD_BAD,
		    DMTRACE_PLACE_OFFSET, reader->input->offset, NULL);
		return DMTRACE_OK;
	}
	const uint64_t id = row.id & ~UINT64_C(3);
	const struct dmtrace_method *const known =
	    dmt_methods_find(methods, id);
	if (known != NULL && dmt_text_equal(known->class_name,
	    row.class_name) && dmt_text_equal(known->name, row.name) &&
	    dmt_text_equal(known->signature, row.signature))
		return DMTRACE_OK;
	if (!keep_followed_text(reader, &line.text))
		return reader->error.status;
	dmt_method_decode(&row, &line);
	if (known != NULL)
		methods->items[known - methods->items] = row;
	else if (!dmt_methods_add(methods, &row))
		return dmt_error_memory(&reader->error);
	return add_redefined(reader, id);
}

/* Called when no whole record or packet is left. If the file grows, the reader
 * waits for more. */
static void
look_for_end(struct dmtrace_reader *reader)
{
	struct dmt_input *const input = reader->input;
	const int fd = dmt_input_fd(input);
	struct stat about;

	if (fd < 0) {
		reader->following->state = DMT_FOLLOW_CLOSED;
	} else if (fstat(fd, &about) == 0) {
		if (about.st_size - input->shift < (int64_t)(input->offset +
		    (input->end - input->start)))
			dmt_error_at(&reader->error, DMTRACE_ERR_IO,
			    DMTRACE_PLACE_OFFSET, input->offset,
			    "the file was truncated to %lld bytes while it"
			    " was followed", (long long)about.st_size);
		else if (about.st_nlink == 0)
			reader->following->state = DMT_FOLLOW_REMOVED;
	}
}

bool
dmt_follow_on(struct dmtrace_reader *reader)
{
	struct dmt_input *const input = reader->input;

	if (reader->following->state != DMT_FOLLOW_GROWS ||
	    reader->error.status != DMTRACE_OK)
		return false;
	input->ended = input->error.status != DMTRACE_OK;
	return true;
}

bool
dmt_follow_item(struct dmtrace_reader *reader,
    const struct dmt_packet_item *item)
{
	if (reader->error.status != DMTRACE_OK)
		return false;
	switch (item->kind) {
	case DMT_NEXT_THREAD:
		return define_thread(reader, item->thread, item->text) ==
		    DMTRACE_OK;
	case DMT_NEXT_METHOD:
		return follow_method(reader, item->text) == DMTRACE_OK;
	case DMT_NEXT_OTHER:
		return true;
	case DMT_NEXT_EVENTS:
		if (item->cut)
			break;
		return true;
	case DMT_NEXT_SUMMARY:
		if (item->cut)
			break;
		reader->following->state = DMT_FOLLOW_ENDED;
		if (dmt_input_check_packed(reader->input) != DMTRACE_OK)
			dmt_reader_fail(reader, &reader->input->error);
		return false;
	case DMT_NEXT_BAD:
		dmt_error_at(&reader->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, reader->input->offset, "%s %u",
		    reader->packets->bad_packet, item->type);
		return false;
	default:
		break;
	}
	look_for_end(reader);
	return false;
}

enum dmtrace_status
dmt_follow_open(struct dmtrace_reader *reader)
{
	struct dmt_definitions none = { 0 };
	struct dmt_findings *const ignored = calloc(1, sizeof(*ignored));
	struct dmt_input *const input = &reader->key_input;
	enum dmtrace_clock clock = DMTRACE_CLOCK_WALL;
	const uint8_t *bytes;

	reader->following = calloc(1, sizeof(*reader->following));
	if (reader->following == NULL || ignored == NULL) {
		free(ignored);
		return dmt_error_memory(&reader->error);
	}
	if (dmt_input_undump(input, &reader->error) != DMTRACE_OK) {
		free(ignored);
		return reader->error.status;
	}
	size_t len = dmt_input_peek(input, DMT_HEADER_SIZE, &bytes);
	const struct dmt_container *const found =
	    len < DMT_MAGIC_SIZE || memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) !=
	    0 ? NULL : dmt_container_of(bytes, len);
	enum dmtrace_status status = input->error.status;
	if (status != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	else if (len < DMT_HEADER_SIZE &&
	    memcmp(bytes, DMT_MAGIC, len < 4 ? len : 4) == 0)
		status = dmt_error_set(&reader->error, DMTRACE_ERR_TRUNCATED,
		    "the header is not complete yet");
	else if (found == NULL && (len = dmt_input_peek(input,
	    DMT_OTHER_FORMAT_PROBE, &bytes)) > 0 &&
	    dmt_other_format_name(&reader->error, bytes, len))
		status = reader->error.status;
	else if (found == NULL || found->packets == NULL)
		status = dmt_error_set(&reader->error,
		    DMTRACE_ERR_UNSUPPORTED, "only ART streams (versions 0xf1"
		    " to 0xf3) and trace format V2 can be read while they are"
		    " written; \"dmtrace dump\" prints other traces");
	reader->input = input;
	reader->take_records = dmt_packets_take;
	if (status == DMTRACE_OK) {
		reader->dialect = found->dialect;
		reader->packets = found->packets;
		reader->container = found->container;
		status = dmt_packet_cursor_begin(reader, input) ?
		    DMTRACE_OK : reader->error.status;
	}
	if (status == DMTRACE_OK) {
		reader->cursor->grows = true;
		status = reader->packets->follow(reader, &clock);
	}
	if (status == DMTRACE_OK) {
		reader->clocks = dmt_clocks_new(&reader->layout);
		status = reader->clocks == NULL ?
		    dmt_error_memory(&reader->error) :
		    dmt_definitions_key(&none, reader->key, NULL,
		    dmt_version_plain(reader->header.version), clock, ignored);
	}
	free(ignored);
	reader->has_key = status == DMTRACE_OK;
	return status;
}

uint64_t
dmt_reader_follow_read(const struct dmtrace_reader *reader)
{
	const struct dmt_input *const input = reader->input;

	return input->offset + (input->end - input->start);
}

uint64_t
dmt_reader_follow_renames(const struct dmtrace_reader *reader)
{
	return reader->following == NULL ? 0 : reader->following->renames;
}

enum dmt_follow
dmt_reader_follow_state(const struct dmtrace_reader *reader)
{
	return reader->following == NULL ? DMT_FOLLOW_ENDED :
	    reader->following->state;
}

void
dmt_following_free(struct dmt_following *following)
{
	if (following != NULL)
		free(following->redefined);
	free(following);
}
