/* undo_text.c - data that was taken for text, put back byte for byte */

/*
 * Programs that take data for text replace bytes by other sequences of bytes.
 * Each kind of damage is undone from left to right, one original byte at a
 * time: a function looks at the next bytes and says which byte they were made
 * of. A byte that was replaced by U+FFFD is lost; its place is kept with a
 * zero, so that the bytes after it stay in step, and the record that it is in
 * is left out. Which kind it is find_records.c decides, by the sense that the
 * records make.
 *
 * The size of records counts here, since damage is in bytes and what is left
 * out is records.
 */

#include "ops/repair/undo_text.h"

#include "base/error.h"
#include "base/utf8.h"

#define REPLACEMENT 0xfffd
#define PIECE_MAX 65536			/* bytes of a header or a record */

/* One byte put back. */
struct original {
	uint8_t byte;
	bool lost;
	bool changed;
	size_t used;			/* bytes it was made into; 0: none can
					   be, or more are needed */
};

/* The characters that Windows-1252 has for 0x80 to 0x9f; 0: none. */
static const uint16_t windows[32] = {
	0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
	0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178
};

static struct original
undo_crlf(const uint8_t *in, size_t len)
{
	if (in[0] != '\r' || len < 2 || in[1] != '\n')
		return (struct original){ .byte = in[0], .used = 1 };
	return (struct original){ .byte = '\n', .changed = true, .used = 2 };
}

static struct original
undo_latin(const uint8_t *in, size_t len)
{
	uint32_t code;
	const size_t used = dmt_utf8_decode(&code, (const char *)in, len);

	if (used == 1)
		return (struct original){ .byte = in[0], .used = 1 };
	if (used == 0)
		return (struct original){ .used = 0 };
	if (code == REPLACEMENT)
		return (struct original){ .lost = true, .changed = true,
		    .used = used };
	for (unsigned i = 0; i < 32; i++)
		if (windows[i] == code)
			code = 0x80 + i;
	return (struct original){ .byte = (uint8_t)code, .changed = true,
	    .used = code > 0xff ? 0 : used };
}

static struct original
undo_lossy(const uint8_t *in, size_t len)
{
	uint32_t code;
	const size_t used = dmt_utf8_decode(&code, (const char *)in, len);

	if (used != 3 || code != REPLACEMENT)
		return (struct original){ .byte = in[0], .used = 1 };
	return (struct original){ .lost = true, .changed = true,
	    .used = used };
}

static struct original
undo(enum dmt_as_text as, const uint8_t *in, size_t len)
{
	switch (as) {
	case DMT_AS_CRLF:
		return undo_crlf(in, len);
	case DMT_AS_LATIN:
		return undo_latin(in, len);
	default:
		return undo_lossy(in, len);
	}
}

bool
dmt_undo_text(enum dmt_as_text as, const uint8_t *in, size_t len,
    uint8_t *out, size_t *out_len)
{
	bool changed = false;

	*out_len = 0;
	for (size_t at = 0; at < len;) {
		const struct original byte = undo(as, in + at, len - at);

		/* the last few bytes may be the beginning of a character */
		if (byte.used == 0)
			return len - at <= 3 && changed;
		changed |= byte.changed;
		out[(*out_len)++] = byte.byte;
		at += byte.used;
	}
	return changed;
}

/* The header or record that is put back, and what came of those before. */
struct undoing {
	struct dmt_output *out;
	size_t size;			/* of a record */
	size_t wanted;			/* bytes of this piece */
	size_t filled;
	bool in_header;
	bool lost;
	uint64_t changed;		/* bytes */
	uint64_t dropped;		/* records */
	uint8_t bytes[PIECE_MAX];
};

static void
end_piece(struct undoing *run)
{
	if (run->lost && !run->in_header)
		run->dropped++;
	else
		dmt_output_write(run->out, run->bytes, run->filled);
	run->in_header = run->lost = false;
	run->filled = 0;
	run->wanted = run->size;
}

/* What can be put back of the window; the last few bytes wait for more. */
static void
undo_window(struct undoing *run, enum dmt_as_text as, struct dmt_input *file)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(file, 8, &bytes);
	const size_t end = file->ended ? len : len - 4;
	size_t at = 0;

	while (at < end) {
		struct original byte = undo(as, bytes + at, len - at);

		if (byte.used == 0)	/* a sequence that is cut or foreign */
			byte = (struct original){ .byte = bytes[at],
			    .lost = true, .used = 1 };
		run->bytes[run->filled++] = byte.byte;
		run->lost |= byte.lost;
		run->changed += byte.changed;
		if (run->filled == run->wanted)
			end_piece(run);
		at += byte.used;
	}
	dmt_input_skip(file, at);
}

enum dmtrace_status
dmt_repair_undo_text(struct dmt_repair *repair, enum dmt_as_text as,
    size_t header_size, size_t record_size, struct dmtrace_error *error)
{
	struct dmt_input *const file = repair->data;
	struct dmt_output *const out = &repair->undone;
	const uint64_t at = repair->data_at;
	struct undoing run = {
		.out = out,
		.wanted = header_size,
		.size = record_size,
		.in_header = true
	};
	const uint8_t *bytes;

	dmt_output_open_temporary(out, NULL);
	dmt_input_rewind(file, at);
	while (dmt_input_peek(file, 1, &bytes) > 0 &&
	    out->error.status == DMTRACE_OK &&
	    dmt_op_progress(repair->op, file->offset - at,
	    repair->data_size) == DMTRACE_OK)
		undo_window(&run, as, file);
	if (run.filled > 0)
		end_piece(&run);
	*error = file->error.status != DMTRACE_OK ? file->error :
	    repair->op->error;
	if (error->status != DMTRACE_OK)
		return error->status;
	dmt_output_reread(out, &repair->undone_file);
	*error = out->error;
	if (error->status == DMTRACE_OK)
		*error = repair->undone_file.error;
	if (error->status != DMTRACE_OK)
		return error->status;

	dmt_change_add(&repair->changes, as == DMT_AS_CRLF ? DMT_DATA_CRLF :
	    DMT_DATA_MANGLED, run.changed, DMTRACE_PLACE_OFFSET, at, NULL);
	dmt_change_add(&repair->changes, DMT_RECORD_DAMAGED, run.dropped,
	    DMTRACE_PLACE_OFFSET, at, NULL);
	repair->data = &repair->undone_file;
	repair->data_at = 0;
	repair->data_size = dmt_input_size(&repair->undone_file);
	return DMTRACE_OK;
}
