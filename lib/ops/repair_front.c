/* repair_front.c - where a broken key ends, and where its data begins */

#include "ops/repair.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "format/header.h"
#include "key/key.h"
#include "trace/container.h"

#define LINE_MAX_BYTES (16 * 1024 * 1024)
#define GAP_MAX (64 * 1024)	/* bytes that may stand before the magic */
#define END "*end"

static size_t
lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Whether a header may begin there: the magic, and a version below 256. */
static bool
is_header(const uint8_t *bytes, size_t len)
{
	return len >= DMT_HEADER_OFFSET &&
	    memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) == 0 &&
	    bytes[DMT_HEADER_VERSION] != 0 &&
	    bytes[DMT_HEADER_VERSION + 1] == 0;
}

/* Where in the bytes a header begins; len: nowhere. */
static size_t
find_header(const uint8_t *bytes, size_t len)
{
	size_t at = 0;

	while (at < len && !is_header(bytes + at, len - at)) {
		const uint8_t *const next =
		    memchr(bytes + at + 1, DMT_MAGIC[0], len - at - 1);

		at = next == NULL ? len : (size_t)(next - bytes);
	}
	return at;
}

/* A line of the key, from at on, and what is behind it as far as it is
 * known. */
struct line {
	const uint8_t *bytes;
	size_t len;			/* with its LF */
	size_t known;			/* bytes from the line's first one */
	bool is_last;
	bool text_follows;		/* and then a header */
};

static enum dmtrace_status
next_line(struct dmt_source *source, size_t at, struct line *line,
    struct dmtrace_error *error)
{
	const uint8_t *bytes, *lf = NULL;
	size_t looked = at, len = at;

	while (lf == NULL && len - at < LINE_MAX_BYTES) {
		len = dmt_source_peek(source, len + 1, &bytes);
		lf = len > looked ? memchr(bytes + looked, '\n',
		    len - looked) : NULL;
		looked = len;
		if (lf == NULL && source->ended)
			break;
	}
	if (source->error.status != DMTRACE_OK)
		*error = source->error;
	else if (lf == NULL && len - at >= LINE_MAX_BYTES)
		dmt_error_at(error, DMTRACE_ERR_LIMIT, DMTRACE_PLACE_OFFSET,
		    at, "a line of the key is longer than 16 MiB");
	line->bytes = bytes + at;
	line->known = len - at;
	line->is_last = lf == NULL;
	line->len = lf == NULL ? len - at : (size_t)(lf - bytes) + 1 - at;
	return error->status;
}

static bool
is_end(const struct line *line)
{
	return line->len >= strlen(END) &&
	    memcmp(line->bytes, END, strlen(END)) == 0;
}

/* A name may hold a NUL; a header holds many. */
static bool
is_binary(const struct line *line)
{
	size_t nuls = 0;

	for (size_t i = 0; i < line->len; i++)
		nuls += line->bytes[i] == 0;
	return nuls >= 4;
}

/*
 * How many bytes of the line belong to the key; *stop: none behind them do.
 * A header in the line is data, and so is what is no text.
 */
static size_t
key_part(struct dmt_repair *repair, const struct line *line, bool *stop)
{
	/* the header goes on behind an LF that is one of its bytes */
	const size_t header = find_header(line->bytes,
	    lesser(line->known, line->len + DMT_HEADER_OFFSET));

	repair->has_end = is_end(line);
	*stop = true;
	if (header < line->len)
		return header;
	if (is_binary(line) && !line->text_follows)
		return repair->has_end ? strlen(END) : 0;
	repair->is_cut = line->is_last && line->len > 0 && !repair->has_end;
	*stop = repair->has_end || line->is_last;
	return line->len;
}

/* Zeros within a key, as a block that never reached the disk: further on
 * stand lines, and then the header. */
static bool
text_follows(struct dmt_source *source, size_t at, struct line *line)
{
	const uint8_t *bytes;
	const size_t end = at + line->len;
	const size_t len = dmt_source_peek(source, end + GAP_MAX, &bytes);
	const size_t header = find_header(bytes + end, len - end);

	line->bytes = bytes + at;
	line->known = len - at;
	return header < len - end && header > 0 &&
	    bytes[end + header - 1] == '\n';
}

/* The key that source begins with, whole or not. */
static enum dmtrace_status
find_key(struct dmt_repair *repair, struct dmt_source *source,
    struct dmtrace_error *error)
{
	bool stop = false;
	struct line line;
	size_t at = 0;

	while (!stop) {
		if (next_line(source, at, &line, error) != DMTRACE_OK)
			return error->status;
		line.text_follows = is_binary(&line) &&
		    text_follows(source, at, &line);
		at += key_part(repair, &line, &stop);
		if (at > UINT64_C(1) << 30)
			return dmt_error_set(error, DMTRACE_ERR_LIMIT,
			    "the key is longer than 1 GiB");
	}
	repair->key_len = at;
	return DMTRACE_OK;
}

/* Whether a header begins there but for its magic. */
static bool
is_plausible(const uint8_t *bytes, size_t len)
{
	const unsigned version = len < DMT_HEADER_MIN ? 0 :
	    dmt_get_le16(bytes + DMT_HEADER_VERSION);
	const unsigned offset = len < DMT_HEADER_MIN ? 0 :
	    dmt_get_le16(bytes + DMT_HEADER_OFFSET);

	return version >= DMT_VERSION_MIN && version <= DMT_VERSION_MAX &&
	    offset >= DMT_HEADER_MIN && offset <= 64;
}

static bool
is_magic_cut(const uint8_t *bytes, size_t len)
{
	return len < DMT_HEADER_OFFSET &&
	    memcmp(bytes, DMT_MAGIC, lesser(len, DMT_MAGIC_SIZE)) == 0;
}

/*
 * How many bytes stand before the header: one with its magic, else a magic
 * that is cut or has an odd version, else a header with a broken magic; len:
 * there is none.
 */
static size_t
find_gap(const uint8_t *bytes, size_t len)
{
	const size_t found = find_header(bytes, lesser(len, GAP_MAX));

	if (found < lesser(len, GAP_MAX))
		return found;
	for (size_t gap = 0; gap <= DMT_GAP_MAX && gap < len; gap++)
		if ((len - gap >= DMT_MAGIC_SIZE && memcmp(bytes + gap,
		    DMT_MAGIC, DMT_MAGIC_SIZE) == 0) ||
		    is_magic_cut(bytes + gap, len - gap) ||
		    is_plausible(bytes + gap, len - gap))
			return gap;
	return len;
}

static void
tell_gap(struct dmt_repair *repair, uint64_t at, size_t gap)
{
	dmt_change_add(&repair->changes, DMT_DATA_GAP, gap,
	    DMTRACE_PLACE_OFFSET, at, NULL);
}

/* The data that begins somewhere behind at. */
static enum dmtrace_status
find_data(struct dmt_repair *repair, struct dmt_half *half, uint64_t at,
    struct dmtrace_error *error)
{
	struct dmt_source source;
	const uint8_t *bytes;

	dmt_half_read(half, at, &source);
	const size_t len = dmt_source_peek(&source, GAP_MAX, &bytes);
	const size_t gap = find_gap(bytes, len);
	if (source.error.status != DMTRACE_OK) {
		*error = source.error;
	} else if (gap < len) {
		tell_gap(repair, at, gap);
		repair->data = half;
		repair->data_at = at + gap;
		repair->data_size = half->size - repair->data_at;
	} else if (len > DMT_GAP_MAX) {
		dmt_change_add(&repair->changes, DMT_DATA_UNREADABLE, 1,
		    DMTRACE_PLACE_OFFSET, at, "%zu bytes or more without a "
		    "header", len);
	} else {
		tell_gap(repair, at, len);
	}
	dmt_source_fini(&source);
	return error->status;
}

static enum dmtrace_status
find(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_half *const key = &repair->key_half;
	struct dmt_source source;

	if (key->fd < 0)
		return find_data(repair, &repair->data_half, 0, error);
	dmt_half_read(key, 0, &source);
	find_key(repair, &source, error);
	dmt_source_fini(&source);
	if (error->status != DMTRACE_OK)
		return error->status;
	if (key->size - repair->key_len > DMT_GAP_MAX ||
	    repair->data_half.fd < 0)
		return find_data(repair, key, repair->key_len, error);
	tell_gap(repair, repair->key_len,
	    (size_t)(key->size - repair->key_len));
	return find_data(repair, &repair->data_half, 0, error);
}

enum dmtrace_status
dmt_repair_find_front(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	find(repair, &error);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
