/* container.c - recognises a trace by the first bytes of the file */

/*
 * A table of containers, the ways to store a trace in files. Each has a
 * function that recognises its first bytes and one that reads up to the first
 * record; the first row that recognises the bytes is used. File names do not
 * matter, except for finding the other file of a pair. This file also has the
 * functions that search an input for a key and for the magic.
 */

#include "trace/container.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/path.h"
#include "data/header_decode.h"
#include "eventlog/entry.h"
#include "format/header.h"
#include "format/other_format.h"
#include "key/key.h"
#include "private/key.h"
#include "private/names.h"
#include "trace/dialect.h"
#include "trace/packets.h"

static bool
has_magic(const uint8_t *bytes, size_t len)
{
	return len >= DMT_MAGIC_SIZE &&
	    memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) == 0;
}

static bool
is_version_of(enum dmtrace_container container, const uint8_t *bytes,
    size_t len)
{
	const struct dmt_header_fields fields = dmt_header_look(bytes, len);

	return fields.has_magic &&
	    dmt_version_container(fields.version) == container;
}

static bool
is_stream(const uint8_t *bytes, size_t len)
{
	return is_version_of(DMTRACE_CONTAINER_STREAM, bytes, len);
}

static bool
is_v2(const uint8_t *bytes, size_t len)
{
	return is_version_of(DMTRACE_CONTAINER_PACKETS, bytes, len);
}

/* To support a new container, add a row. */
static const struct dmt_container containers[] = {
	{ DMTRACE_CONTAINER_JOINED, &dmt_dialect_records, NULL,
	    dmt_key_recognises, dmt_joined_open },
	{ DMTRACE_CONTAINER_STREAM, &dmt_dialect_stream,
	    &dmt_packets_of_stream, is_stream, dmt_stream_open },
	{ DMTRACE_CONTAINER_PACKETS, &dmt_dialect_v2,
	    &dmt_packets_of_v2, is_v2, dmt_v2_open },
	{ DMTRACE_CONTAINER_DATA, &dmt_dialect_records, NULL,
	    has_magic, dmt_data_open },
	{ DMTRACE_CONTAINER_PACKETS, &dmt_dialect_v2,
	    &dmt_packets_of_v2, dmt_v2_dump_recognises, dmt_v2_open_dump },
};

const struct dmt_container *
dmt_container_of(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++)
		if (containers[i].recognises(bytes, len))
			return &containers[i];
	return NULL;
}

const struct dmt_container *
dmt_container_find(struct dmt_input *input, struct dmtrace_error *error)
{
	const uint8_t *bytes;
	char shown[DMT_FRONT_MAX];

	if (dmt_input_undump(input, error) != DMTRACE_OK)
		return NULL;
	size_t len = dmt_input_peek(input, DMT_CONTAINER_PROBE, &bytes);
	const struct dmt_container *const found =
	    dmt_container_of(bytes, len);
	if (found != NULL)
		return found;
	const bool eventlog = dmt_input_has_eventlog(input);
	len = dmt_input_peek(input, DMT_CONTAINER_PROBE, &bytes);
	if (input->error.status != DMTRACE_OK)
		*error = input->error;
	else if (len == 0)
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
		    "empty; a trace begins with \"*version\"");
	else if (eventlog)
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "this is an "
		    "Android event log; \"dmtrace eventlog\" prints it");
	else if (!dmt_other_format_name(error, bytes, len))
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
		    "begins with \"%s\"; a trace begins with \"*version\" or"
		    " \"" DMT_MAGIC "\"",
		    dmt_escape_front(shown, bytes, len));
	return NULL;
}

bool
dmt_input_has_eventlog(struct dmt_input *input)
{
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_EVENTLOG_WINDOW, &bytes);

	return dmt_is_eventlog(bytes, len, input->ended);
}

/* Returns the size of the room for a key that the input begins with; 0: it has
 * none. See dmt_input_skip_room. */
static size_t
measure_room(struct dmt_input *input)
{
	static const char end[] = DMT_ROOM_END DMT_MAGIC;
	const uint8_t *bytes, *next;
	size_t at = 1;

	if (!dmt_input_has_key(input))
		return 0;
	for (;;) {
		const size_t len =
		    dmt_input_peek(input, at + strlen(end), &bytes);

		if (len < at + strlen(end) || at > DMT_ROOM_MAX)
			return 0;
		if (bytes[at - 1] == DMT_PADDING &&
		    memcmp(bytes + at, end, strlen(end)) == 0)
			return at + strlen(DMT_ROOM_END);
		next = memchr(bytes + at + 1, '\n', len - at - 1);
		at = next == NULL ? len - 1 : (size_t)(next - bytes);
	}
}

/* If the input is data that a recorder left with a room, opens its key in its
 * place, if that exists. */
static enum dmtrace_status
change_to_key(struct dmt_input *input, const char *path,
    struct dmtrace_error *error)
{
	struct dmt_input key;

	if (!dmt_path_ends(path, ".data") || measure_room(input) == 0)
		return DMTRACE_OK;
	if (dmt_input_open_partner(&key, path, error) == DMTRACE_OK) {
		dmt_input_fini(input);
		*input = key;
	}
	return error->status;
}

/* Fails if another file of these names exists, too: an input that is derived is
 * not chosen among compressed ones. */
static enum dmtrace_status
refuse_another(const struct dmt_input *input,
    char *(*name_of)(const char *path, unsigned which), const char *path,
    unsigned first, unsigned step, unsigned end, struct dmtrace_error *error)
{
	struct stat about;

	for (unsigned i = first; i < end; i += step) {
		char *const name = name_of(path, i);

		if (name == NULL)
			return dmt_error_memory(error);
		if (stat(name, &about) == 0 && strcmp(name, input->path) != 0)
			dmt_error_set(error, DMTRACE_ERR_IO,
			    "both %s and %s exist: name one of them",
			    input->path, name);
		free(name);
		if (error->status != DMTRACE_OK)
			return error->status;
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_input_open_base(struct dmt_input *input, const char *path,
    struct dmtrace_error *error)
{
	for (unsigned i = 0; i < DMT_PATH_NAMES; i++) {
		char *const name = dmt_path_name(path, i);

		if (name == NULL)
			return dmt_error_memory(error);
		dmt_input_fini(input);
		if (i == 0)
			dmt_input_open_path(input, name);
		else
			dmt_input_open_derived(input, name);
		free(name);
		if (input->error.status == DMTRACE_OK)
			return i < DMT_PATH_PLAIN_NAMES ?
			    change_to_key(input, path, error) :
			    refuse_another(input, dmt_path_name, path, i + 3,
			    3, DMT_PATH_NAMES, error);
		if (input->error.sys_errno != ENOENT) {
			*error = input->error;
			return error->status;
		}
	}
	errno = ENOENT;
	return dmt_path_failed(error, "cannot open", path);
}

enum dmtrace_status
dmt_input_open_partner(struct dmt_input *other, const char *path,
    struct dmtrace_error *error)
{
	if (!dmt_path_ends(path, ".key") && !dmt_path_ends(path, ".data"))
		return DMTRACE_END;
	for (unsigned i = 0; i < DMT_PATH_PARTNERS; i++) {
		char *const name = dmt_path_partner(path, i);

		if (name == NULL)
			return dmt_error_memory(error);
		dmt_input_open_derived(other, name);
		free(name);
		if (other->error.status == DMTRACE_OK && i > 1)
			return refuse_another(other, dmt_path_partner, path,
			    i + 1, 1, DMT_PATH_PARTNERS, error);
		if (other->error.sys_errno != ENOENT) {
			*error = other->error;
			return error->status;
		}
		dmt_input_fini(other);
	}
	return DMTRACE_END;
}

bool
dmt_input_has_key(struct dmt_input *input)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, DMT_CONTAINER_PROBE,
	    &bytes);

	return dmt_key_recognises(bytes, len);
}

bool
dmt_input_has_magic(struct dmt_input *input)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, DMT_MAGIC_SIZE, &bytes);

	return has_magic(bytes, len);
}

enum dmtrace_status
dmt_input_find_key(struct dmt_input *input, struct dmtrace_key *key,
    const uint8_t **bytes, size_t *size, struct dmtrace_error *error)
{
	enum dmtrace_status status;
	size_t scanned = 0, len = 0;

	dmt_error_clear(&key->error);
	do {
		len = dmt_input_peek(input, len + 1, bytes);
		status = dmt_key_find_end(key, *bytes, len, input->ended,
		    &scanned, size);
	} while (status == DMTRACE_END);
	if (status != DMTRACE_OK)
		*error = input->error.status != DMTRACE_OK ?
		    input->error : *dmt_key_error(key);
	return error->status;
}

void
dmt_input_skip_room(struct dmt_input *input)
{
	dmt_input_skip(input, measure_room(input));
}

int
dmt_input_find_magic(struct dmt_input *input, size_t after)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input,
	    after + DMT_GAP_MAX + DMT_MAGIC_SIZE, &bytes);

	for (size_t gap = 0; gap <= DMT_GAP_MAX; gap++)
		if (after + gap <= len &&
		    has_magic(bytes + after + gap, len - after - gap))
			return (int)gap;
	return -1;
}
