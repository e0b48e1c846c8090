/* container_pair.c - a key and its data, in one file or in two */

/*
 * A file that begins with a key contains its data after it, with at most a few
 * bytes in between, or is the key of a pair; a file that begins with data is
 * the data of a pair. The other file of a pair is found by its name: X.data
 * for X.key, and X.key for X.data. Each file is recognised by its first bytes,
 * so that swapped files are refused. If the other file is missing, the message
 * gives the name that was looked for.
 */

#include "trace/container.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/path.h"

static enum dmtrace_status
fail_foreign_pair(struct dmtrace_reader *reader, const char *message)
{
	return dmt_error_set(&reader->error, DMTRACE_ERR_FOREIGN, "%s",
	    message);
}

/* Returns the message if the files of a pair are swapped, or one has the wrong
 * contents; NULL: they are right. */
static const char *
describe_misplaced(bool key_is_data, bool data_is_key)
{
	if (key_is_data && data_is_key)
		return "the halves are swapped: the key begins with \"SLOW\","
		    " the data with \"*version\"";
	if (key_is_data)
		return "the key begins with \"SLOW\", as data does";
	if (data_is_key)
		return "the data begins with \"*version\", as a key does";
	return NULL;
}

/* Reads what follows the key in its file, a few bytes at most, and the data. */
static enum dmtrace_status
take_rest(struct dmtrace_reader *reader)
{
	struct dmt_input *const key = &reader->key_input;
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(key, DMT_GAP_MAX + 1, &bytes);

	if (key->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &key->error);
	if (len > DMT_GAP_MAX)
		return fail_foreign_pair(reader, "the key has data of its own");
	if (len > 0)
		dmt_reader_take_gap(reader, key, len);
	if (dmt_base64_begins(&reader->data_input))
		return dmt_error_at(&reader->error, DMTRACE_ERR_UNSUPPORTED,
		    DMTRACE_PLACE_OFFSET, 0, "the data is base64 text, which"
		    " is decoded after its key in one file only; \"cat\" can"
		    " join them");
	return dmt_reader_take_data(reader, &reader->data_input);
}

enum dmtrace_status
dmt_pair_open(struct dmtrace_reader *reader)
{
	dmt_input_skip_room(&reader->data_input);
	const char *wrong = describe_misplaced(
	    dmt_input_has_magic(&reader->key_input),
	    dmt_input_has_key(&reader->data_input));

	reader->container = DMTRACE_CONTAINER_PAIR;
	if (wrong != NULL)
		return fail_foreign_pair(reader, wrong);
	if (dmt_container_find(&reader->key_input, &reader->error) == NULL)
		return reader->error.status;
	const enum dmtrace_status status = dmt_reader_take_key(reader);
	return status != DMTRACE_OK ? status : take_rest(reader);
}

/* Fails because the other file of a pair is missing; the message gives its
 * name. */
static enum dmtrace_status
fail_lone_half(struct dmtrace_reader *reader, const struct dmt_input *half,
    enum dmtrace_status status, const char *message)
{
	char shown[DMT_ESCAPED_MAX];
	char *partner = NULL;

	if (dmt_path_ends(half->path, ".key") ||
	    dmt_path_ends(half->path, ".data"))
		partner = dmt_path_partner(half->path, 0);
	if (partner == NULL)
		return dmt_error_at(&reader->error, status,
		    DMTRACE_PLACE_OFFSET, half->offset, "%s", message);
	dmt_escape(shown, sizeof(shown), partner, strlen(partner));
	free(partner);
	return dmt_error_at(&reader->error, status, DMTRACE_PLACE_OFFSET,
	    half->offset, "%s; there is no %s", message, shown);
}

/* Opens a pair or a key alone: the key has been read, and nothing but a few
 * bytes follows it in its file. */
static enum dmtrace_status
open_key(struct dmtrace_reader *reader)
{
	struct dmt_input *const key = &reader->key_input;
	struct dmt_input *const partner = &reader->data_input;
	const uint8_t *bytes;

	if (key->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &key->error);
	const enum dmtrace_status status = dmt_input_open_partner(partner,
	    key->path, &reader->error);
	if (status != DMTRACE_OK && status != DMTRACE_END)
		return status;

	/* No other file: any bytes that follow the key are not data. */
	if (status == DMTRACE_END) {
		if (dmt_input_peek(key, 1, &bytes) > 0)
			return dmt_reader_take_data(reader, key);
		reader->container = DMTRACE_CONTAINER_KEY;
		return fail_lone_half(reader, key, DMTRACE_ERR_TRUNCATED,
		    "nothing follows the key, where data begins with"
		    " \"SLOW\"");
	}
	reader->container = DMTRACE_CONTAINER_PAIR;
	dmt_input_skip_room(partner);
	const char *wrong = dmt_path_ends(key->path, ".data") ?
	    describe_misplaced(dmt_input_has_magic(partner), true) :
	    describe_misplaced(false, dmt_input_has_key(partner));
	return wrong != NULL ? fail_foreign_pair(reader, wrong) :
	    take_rest(reader);
}

enum dmtrace_status
dmt_data_open(struct dmtrace_reader *reader)
{
	struct dmt_input *key = &reader->key_input;
	struct dmt_input *data = &reader->data_input;
	const bool named_key = dmt_path_ends(key->path, ".key");

	if (!named_key) {
		*data = *key;
		dmt_input_open_memory(key, NULL, 0);
	}
	const enum dmtrace_status status = dmt_input_open_partner(named_key ?
	    data : key, named_key ? key->path : data->path, &reader->error);
	if (status == DMTRACE_OK)
		return dmt_pair_open(reader);
	if (status != DMTRACE_END)
		return status;
	reader->container = DMTRACE_CONTAINER_DATA;
	return fail_lone_half(reader, data, DMTRACE_ERR_FOREIGN,
	    "data without its key, which begins with \"*version\"");
}

enum dmtrace_status
dmt_joined_open(struct dmtrace_reader *reader)
{
	struct dmt_input *const input = &reader->key_input;
	const enum dmtrace_status status = dmt_reader_take_key(reader);
	const uint8_t *bytes;

	if (status != DMTRACE_OK)
		return status;
	if (dmt_base64_begins(input))
		return dmt_base64_open(reader);
	if (dmt_input_find_magic(input, 0) < 0 &&
	    dmt_input_peek(input, DMT_GAP_MAX + 1, &bytes) <= DMT_GAP_MAX)
		return open_key(reader);
	return dmt_reader_take_data(reader, input);
}
