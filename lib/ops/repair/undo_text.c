/* undo_text.c - undoes the damage of a program that treated data as text */

/*
 * data/text_damage.c finds the original bytes. They are a header and records.
 * A record with a lost byte is dropped; later records stay aligned, because a
 * lost byte is replaced by a zero. find_records.c decides which kind of damage
 * it is, by the plausibility of the records.
 *
 * Packets cannot be restored in this way: their lengths say where the next one
 * begins, and with a lost byte that is unknown. They are refused.
 */

#include "ops/repair/repair.h"

#include "base/error.h"
#include "format/header.h"

#define PIECE_MAX 65536			/* largest header or record in bytes */

/* The current header or record, and what happened to earlier ones. */
struct undoing {
	struct dmt_output *out;
	size_t size;			/* of a record */
	size_t wanted;			/* bytes of the current header or
					   record */
	size_t filled;
	bool in_header;
	bool lost;
	uint64_t changed;		/* number of bytes */
	uint64_t dropped;		/* number of records */
	uint8_t bytes[PIECE_MAX];
};

static void
end_undone_piece(struct undoing *run)
{
	if (run->lost && !run->in_header)
		run->dropped++;
	else
		dmt_output_write(run->out, run->bytes, run->filled);
	run->in_header = run->lost = false;
	run->filled = 0;
	run->wanted = run->size;
}

/* Restores the bytes of the window, except for the last few, which may be the
 * beginning of a sequence. */
static void
undo_window(struct undoing *run, enum dmt_text_damage damage,
    struct dmt_input *file)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(file, 8, &bytes);
	const size_t end = file->ended ? len : len - 4;
	size_t at = 0;

	while (at < end) {
		struct dmt_text_byte byte =
		    dmt_text_undo_byte(damage, bytes + at, len - at);

		/* a truncated sequence, or a character of no byte */
		if (byte.used == 0 || byte.foreign)
			byte = (struct dmt_text_byte){ .byte = bytes[at],
			    .lost = true, .used = 1 };
		run->bytes[run->filled++] = byte.byte;
		run->lost |= byte.lost;
		run->changed += byte.changed;
		if (run->filled == run->wanted)
			end_undone_piece(run);
		at += byte.used;
	}
	dmt_input_skip(file, at);
}

enum dmtrace_status
dmt_repair_undo_text(struct dmt_repair *repair, enum dmt_text_damage damage,
    size_t header_size, const struct dmt_layout *layout,
    struct dmtrace_error *error)
{
	struct dmt_input *const file = repair->data;
	struct dmt_output *const out = &repair->undone;
	const uint64_t at = repair->data_at;
	struct undoing run = {
		.out = out,
		.wanted = header_size,
		.size = (size_t)dmt_records_len(layout, 1),
		.in_header = true
	};
	const uint8_t *bytes;

	dmt_output_open_temporary(out, NULL);
	dmt_input_rewind(file, at);
	while (dmt_input_peek(file, 1, &bytes) > 0 &&
	    out->error.status == DMTRACE_OK &&
	    dmt_op_progress(repair->op, file->offset - at,
	    repair->data_size) == DMTRACE_OK)
		undo_window(&run, damage, file);
	if (run.filled > 0)
		end_undone_piece(&run);
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

	dmt_change_add(&repair->changes, damage == DMT_TEXT_CRLF ?
	    DMT_DATA_CRLF : DMT_DATA_CONVERTED, run.changed,
	    DMTRACE_PLACE_OFFSET, at, NULL);
	dmt_change_add(&repair->changes, DMT_RECORD_DAMAGED, run.dropped,
	    DMTRACE_PLACE_OFFSET, at, NULL);
	repair->data = &repair->undone_file;
	repair->data_at = 0;
	repair->data_size = dmt_input_size(&repair->undone_file);
	return DMTRACE_OK;
}

enum dmt_text_damage
dmt_packets_text_damage(const uint8_t *bytes, size_t len)
{
	const enum dmt_text_damage damages[] =
	    { DMT_TEXT_CHARACTERS, DMT_TEXT_LOSSY };

	if (len <= DMT_HEADER_VERSION)
		return DMT_TEXT_DAMAGES;
	bytes += DMT_HEADER_VERSION;
	len -= DMT_HEADER_VERSION;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		const struct dmt_text_byte version =
		    dmt_text_undo_byte(damages[i], bytes, len);

		/* Of the known versions, only those of packets are lost. */
		if (version.changed && !version.foreign && (version.lost ||
		    dmt_version_container(version.byte) !=
		    DMTRACE_CONTAINER_DATA))
			return version.lost ? DMT_TEXT_LOSSY : damages[i];
	}
	return DMT_TEXT_DAMAGES;
}

enum dmtrace_status
dmt_repair_refuse_text(struct dmt_repair *repair, enum dmt_text_damage damage)
{
	struct dmtrace_error error = { 0 };

	if (damage != DMT_TEXT_DAMAGES)
		dmt_error_set(&error, DMTRACE_ERR_CORRUPT,
		    "data-text: the data was copied as text: %s; the packets"
		    " cannot be restored: copy the original file again, as"
		    " binary data", dmt_text_damage_description(damage));
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
