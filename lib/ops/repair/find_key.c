/* find_key.c - finds the end of a damaged key, and repairs the key */

/*
 * The key ends with its line "*end" or, if that is missing, before a line that
 * is binary or contains the start of a data header. The data begins at the
 * magic, which may follow some bytes later. A magic that is truncated or
 * damaged is accepted if the rest of the header is plausible. Without a magic
 * near the end of the key there is no data.
 *
 * The text of the key is then parsed leniently and written in the correct form
 * (key_mend.h), and the result is decoded like any key.
 *
 * This file looks at bytes, not at records; offsets are those of the header.
 */

#include "ops/repair/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/header_decode.h"
#include "format/header.h"
#include "key/key.h"
#include "key/key_mend.h"
#include "private/key.h"
#include "trace/container.h"

#define LINE_MAX_BYTES (16 * 1024 * 1024)
#define KEY_MAX_BYTES (UINT64_C(1) << 30)
#define SEARCHED (64 * 1024)	/* most bytes between key and magic */
#define END "*end"

static size_t
lesser_len(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the offset of a header, with its magic and a version below 256; len:
 * there is none. */
static size_t
find_header(const uint8_t *bytes, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		const uint8_t *const in =
		    memchr(bytes + at, DMT_MAGIC[0], len - at);

		if (in == NULL)
			return len;
		at = (size_t)(in - bytes);
		const struct dmt_header_fields fields =
		    dmt_header_look(in, len - at);
		if (fields.has_magic && fields.version > 0 &&
		    fields.version <= UINT8_MAX)
			return at;
	}
	return len;
}

/* A line of the key, and the bytes that follow it in memory. */
struct line {
	const uint8_t *bytes;
	size_t len;			/* including its LF */
	size_t known;			/* bytes in memory, from the start of
					   the line */
	bool is_last;
};

static enum dmtrace_status
next_line(struct dmt_input *file, size_t at, struct line *line,
    struct dmtrace_error *error)
{
	const uint8_t *bytes, *lf = NULL;
	size_t looked = at, len = at;

	while (lf == NULL && len - at < LINE_MAX_BYTES) {
		len = dmt_input_peek(file, len + 1, &bytes);
		lf = len > looked ? memchr(bytes + looked, '\n',
		    len - looked) : NULL;
		looked = len;
		if (lf == NULL && file->ended)
			break;
	}
	if (file->error.status != DMTRACE_OK)
		*error = file->error;
	else if (lf == NULL && len - at >= LINE_MAX_BYTES)
		dmt_error_at(error, DMTRACE_ERR_LIMIT, DMTRACE_PLACE_OFFSET,
		    at, "a line of the key is longer than 16 MiB");
	*line = (struct line){
		.bytes = bytes + at,
		.len = lf == NULL ? len - at : (size_t)(lf - bytes) + 1 - at,
		.known = len - at,
		.is_last = lf == NULL
	};
	return error->status;
}

/* Returns true if a binary line is within the key, such as a block of zeros
 * that never reached the disk: more lines follow it, and then the header.
 * Reads further, which may move the line's bytes. */
static bool
text_follows(struct dmt_input *file, size_t at, struct line *line)
{
	const uint8_t *bytes;
	const size_t end = at + line->len;
	const size_t len = dmt_input_peek(file, end + SEARCHED, &bytes);
	const size_t header = find_header(bytes + end, len - end);

	line->bytes = bytes + at;
	line->known = len - at;
	return header < len - end && header > 0 &&
	    bytes[end + header - 1] == '\n';
}

/* Finds the end of the key in key_file. *is_cut: it ends within its last
 * line. */
static enum dmtrace_status
find_key_end(struct dmt_repair *repair, bool *is_cut,
    struct dmtrace_error *error)
{
	struct dmt_input *const file = repair->key_file;
	bool is_end = false;
	struct line line;
	size_t at = 0;

	do {
		if (next_line(file, at, &line, error) != DMTRACE_OK)
			return error->status;
		/* A damaged name may contain a NUL, a header contains
		 * many. */
		const bool damaged = dmt_line_is_zeroed((struct dmtrace_text){
		    (const char *)line.bytes, line.len }) &&
		    !text_follows(file, at, &line);
		/* A byte of the header may be an LF: look beyond the end of
		 * the line. */
		const size_t header = find_header(line.bytes,
		    lesser_len(line.known, line.len + DMT_HEADER_OFFSET));

		is_end = line.len >= strlen(END) &&
		    memcmp(line.bytes, END, strlen(END)) == 0;
		if (header < line.len) {
			at += header;
			break;
		}
		if (damaged) {
			at += is_end ? strlen(END) : 0;
			break;
		}
		at += line.len;
		*is_cut = line.is_last && line.len > 0 && !is_end;
		if (at > KEY_MAX_BYTES)
			return dmt_error_set(error, DMTRACE_ERR_LIMIT,
			    "the key is longer than 1 GiB");
	} while (!is_end && !line.is_last);
	repair->key_len = at;
	return DMTRACE_OK;
}

/* Returns true if a header may begin there: it has the magic, as far as there
 * are bytes, or the rest is plausible. */
static bool
is_plausible(const uint8_t *bytes, size_t len)
{
	if (len < DMT_HEADER_OFFSET)
		return memcmp(bytes, DMT_MAGIC,
		    lesser_len(len, DMT_MAGIC_SIZE)) == 0;
	const struct dmt_header_fields fields = dmt_header_look(bytes, len);
	return fields.has_magic || (len >= DMT_HEADER_MIN &&
	    fields.version >= DMT_VERSION_MIN &&
	    fields.version <= DMT_VERSION_MAX &&
	    fields.data_offset >= DMT_HEADER_MIN && fields.data_offset <= 64);
}

/* Returns how many bytes precede the header; len: there is none. */
static size_t
find_gap(const uint8_t *bytes, size_t len)
{
	const size_t searched = lesser_len(len, SEARCHED);
	const size_t found = find_header(bytes, searched);

	if (found < searched)
		return found;
	for (size_t gap = 0; gap <= DMT_GAP_MAX && gap < len; gap++)
		if (is_plausible(bytes + gap, len - gap))
			return gap;
	return len;
}

static void
count_gap(struct dmt_repair *repair, uint64_t at, size_t gap)
{
	dmt_change_add(&repair->changes, DMT_DATA_GAP, gap,
	    DMTRACE_PLACE_OFFSET, at, NULL);
}

/* Sets data to the header at that offset of the file or some bytes later; to
 * NULL if there is none. */
static enum dmtrace_status
find_data(struct dmt_repair *repair, struct dmt_input *file, uint64_t at,
    struct dmtrace_error *error)
{
	const uint8_t *bytes;

	dmt_input_rewind(file, at);
	const size_t len = dmt_input_peek(file, SEARCHED, &bytes);
	const size_t gap = find_gap(bytes, len);
	if (file->error.status != DMTRACE_OK) {
		*error = file->error;
	} else if (gap < len) {
		count_gap(repair, at, gap);
		repair->data = file;
		repair->data_at = at + gap;
		repair->data_size = dmt_input_size(file) - repair->data_at;
	} else if (dmt_base64_begins(file)) {
		dmt_error_at(error, DMTRACE_ERR_UNSUPPORTED,
		    DMTRACE_PLACE_OFFSET, at, "the data is base64 text; "
		    "\"dmtrace convert\" decodes it");
	} else if (len > DMT_GAP_MAX) {
		dmt_change_add(&repair->changes, DMT_DATA_UNREADABLE, 1,
		    DMTRACE_PLACE_OFFSET, at, "%zu bytes or more without a "
		    "header", len);
	} else {
		count_gap(repair, at, len);
	}
	return error->status;
}

/* Writes the text of the key in the correct form, and decodes the result. */
static enum dmtrace_status
mend_key(struct dmt_repair *repair, bool is_cut, struct dmtrace_error *error)
{
	struct dmt_findings *const findings = calloc(1, sizeof(*findings));
	struct dmt_output out = { 0 };
	const uint8_t *bytes;

	if (findings == NULL)
		return dmt_error_memory(error);
	dmt_input_rewind(repair->key_file, 0);
	const size_t len = lesser_len(repair->key_len,
	    dmt_input_peek(repair->key_file, repair->key_len, &bytes));
	const struct dmtrace_text text = { (const char *)bytes, len };
	*error = repair->key_file->error;
	if (error->status != DMTRACE_OK)
		goto end;
	if (!dmt_key_mend(&out, text, is_cut, &repair->changes))
		dmt_error_memory(error);
	else if (dmt_key_decode(repair->key,
	    (const uint8_t *)out.bytes, out.len, findings) !=
	    DMTRACE_OK)
		*error = *dmt_key_error(repair->key);
end:
	dmt_output_fini(&out);
	free(findings);
	return error->status;
}

enum dmtrace_status
dmt_repair_find_key(struct dmt_repair *repair)
{
	struct dmt_input *const file = repair->key_file;
	struct dmtrace_error error = { 0 };
	bool is_cut = false;

	repair->key = dmt_key_new();
	if (repair->key == NULL)
		return dmt_error_memory(&repair->op->error);
	if (file == NULL) {
		dmt_change_add(&repair->changes, DMT_KEY_MISSING, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
		find_data(repair, repair->data_file, 0, &error);
	} else if (find_key_end(repair, &is_cut, &error) == DMTRACE_OK) {
		const uint64_t left = dmt_input_size(file) - repair->key_len;

		/* A few bytes after the key of a pair are not the data. */
		if (repair->data_file == NULL || left > DMT_GAP_MAX) {
			find_data(repair, file, repair->key_len, &error);
		} else {
			count_gap(repair, repair->key_len, (size_t)left);
			find_data(repair, repair->data_file,
			    repair->data_from, &error);
		}
		if (error.status == DMTRACE_OK)
			mend_key(repair, is_cut, &error);
	}
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
