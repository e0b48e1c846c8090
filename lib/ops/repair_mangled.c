/* repair_mangled.c - data that was taken for text, put back */

#include "ops/repair_mangled.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

#define REPLACEMENT 0xfffd
#define RECORD_MAX 65536

/* One byte put back. */
struct piece {
	uint8_t byte;
	bool lost;
	bool changed;
	size_t used;			/* bytes it was made of; 0: it cannot
					   be, or more are needed */
};

/* The characters that Windows-1252 has for 0x80 to 0x9f; 0: none. */
static const uint16_t windows[32] = {
	0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
	0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178
};

static struct piece
plain(const uint8_t *in)
{
	return (struct piece){ .byte = in[0], .used = 1 };
}

static struct piece
undo_crlf(const uint8_t *in, size_t len)
{
	if (in[0] != '\r' || len < 2 || in[1] != '\n')
		return plain(in);
	return (struct piece){ .byte = '\n', .changed = true, .used = 2 };
}

static struct piece
undo_latin(const uint8_t *in, size_t len)
{
	struct piece piece = { .changed = true };
	uint32_t code;

	piece.used = dmt_utf8_decode(&code, (const char *)in, len);
	if (piece.used <= 1)
		return piece.used == 1 ? plain(in) : piece;
	for (unsigned i = 0; i < 32; i++)
		if (windows[i] == code)
			code = 0x80 + i;
	piece.lost = code == REPLACEMENT;
	if (code > 0xff && !piece.lost)
		piece.used = 0;
	piece.byte = (uint8_t)(piece.lost ? 0 : code);
	return piece;
}

static struct piece
undo_lossy(const uint8_t *in, size_t len)
{
	uint32_t code;
	const size_t used = dmt_utf8_decode(&code, (const char *)in, len);

	if (used != 3 || code != REPLACEMENT)
		return plain(in);
	return (struct piece){ .lost = true, .changed = true, .used = used };
}

static struct piece
undo(enum dmt_mangling mangling, const uint8_t *in, size_t len)
{
	switch (mangling) {
	case DMT_MANGLED_CRLF:
		return undo_crlf(in, len);
	case DMT_MANGLED_LATIN:
		return undo_latin(in, len);
	default:
		return undo_lossy(in, len);
	}
}

bool
dmt_mangled_look(enum dmt_mangling mangling, const struct dmt_sight *in,
    struct dmt_sight *out, uint8_t *bytes)
{
	bool changed = false;
	size_t at = 0, len = 0;

	while (at < in->len) {
		const struct piece piece =
		    undo(mangling, in->bytes + at, in->len - at);

		if (piece.used == 0 && in->len - at > 3)
			return false;
		if (piece.used == 0)
			break;
		changed |= piece.changed;
		bytes[len++] = piece.byte;
		at += piece.used;
	}
	*out = *in;
	out->bytes = bytes;
	out->len = len;
	return changed;
}

/* The record that is being put back, and what came of those before. */
struct undone {
	struct dmt_sink *out;
	size_t until;			/* bytes to come of header or record */
	size_t size;			/* of a record */
	size_t filled;
	bool lost;
	bool in_header;
	uint64_t changed, dropped;
	uint8_t bytes[RECORD_MAX];
};

static void
end_record(struct undone *undone)
{
	const bool drop = undone->lost && !undone->in_header;

	undone->dropped += drop;
	if (!drop)
		dmt_sink_write(undone->out, undone->bytes, undone->filled);
	undone->in_header = undone->lost = false;
	undone->filled = 0;
	undone->until = undone->size;
}

static void
take(struct undone *undone, const struct piece *piece)
{
	undone->bytes[undone->filled++] = piece->byte;
	undone->lost |= piece->lost;
	undone->changed += piece->changed;
	if (--undone->until == 0)
		end_record(undone);
}

/* What can be put back of the window; the last few bytes wait for more. */
static void
take_window(struct undone *undone, enum dmt_mangling mangling,
    struct dmt_source *source)
{
	const uint8_t *bytes;
	const size_t len = dmt_source_peek(source, 8, &bytes);
	const size_t until = source->ended ? len : len - 4;
	size_t at = 0;

	while (at < until) {
		struct piece piece = undo(mangling, bytes + at, len - at);

		if (piece.used == 0) {	/* a sequence that is cut or foreign */
			piece = plain(bytes + at);
			piece.lost = true;
		}
		take(undone, &piece);
		at += piece.used;
	}
	dmt_source_skip(source, at);
}

static enum dmtrace_status
run(struct dmt_repair *repair, enum dmt_mangling mangling,
    struct undone *undone, struct dmtrace_error *error)
{
	struct dmt_source source;
	const uint8_t *bytes;

	dmt_half_read(repair->data, repair->data_at, &source);
	while (dmt_source_peek(&source, 1, &bytes) > 0 &&
	    undone->out->error.status == DMTRACE_OK &&
	    dmt_op_progress(repair->op, source.offset, repair->data_size) ==
	    DMTRACE_OK)
		take_window(undone, mangling, &source);
	if (undone->filled > 0)
		end_record(undone);
	if (source.error.status != DMTRACE_OK)
		*error = source.error;
	else
		*error = repair->op->error;
	dmt_source_fini(&source);
	return error->status;
}

static void
tell(struct dmt_repair *repair, enum dmt_mangling mangling,
    const struct undone *undone)
{
	const uint64_t at = repair->data_at;

	dmt_change_add(&repair->changes, mangling == DMT_MANGLED_CRLF ?
	    DMT_DATA_CRLF : DMT_DATA_MANGLED, undone->changed,
	    DMTRACE_PLACE_OFFSET, at, NULL);
	dmt_change_add(&repair->changes, DMT_RECORD_DAMAGED,
	    undone->dropped, DMTRACE_PLACE_OFFSET, at, NULL);
}

enum dmtrace_status
dmt_mangled_undo(struct dmt_repair *repair, enum dmt_mangling mangling,
    const struct dmt_guess *guess, struct dmtrace_error *error)
{
	struct dmt_half *const half = &repair->mended_half;
	struct dmt_sink sink;
	struct undone undone = {
		.out = &sink,
		.until = guess->offset,
		.size = guess->layout.record_size,
		.in_header = true
	};

	dmt_sink_open_temporary(&sink, NULL);
	if (run(repair, mangling, &undone, error) == DMTRACE_OK &&
	    dmt_half_take(half, &sink, error) == DMTRACE_OK) {
		tell(repair, mangling, &undone);
		repair->data = half;
		repair->data_at = 0;
		repair->data_size = half->size;
	}
	dmt_sink_fini(&sink);
	return error->status;
}
