/* salvage_stream.c - copies the undamaged parts of a damaged ART stream */

/*
 * The header states the size of records and the offset of the first one,
 * unless the records themselves show something else. The bytes are then
 * classified by data/stream_scan.c, and all except stray ones are copied, up
 * to the summary. If records are longer than the header says, as Android 6 to
 * 13 wrote them, their unused bytes are dropped, as other readers look at the
 * version only. What follows a summary is dropped; a summary in a separate
 * file (Android 6 and 7) is appended.
 */

#include "ops/repair/salvage.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/path.h"
#include "data/header_decode.h"
#include "data/stream_encode.h"
#include "data/stream_scan.h"
#include "format/header.h"
#include "key/key.h"
#include "trace/container.h"

#define WINDOW (2 * DMT_SCAN_WINDOW)
#define SUMMARY_MAX (1 << 30)

struct stream_salvage {
	struct dmt_salvage *salvage;
	struct dmt_stream_scan scan;
	size_t size;			/* of a record, of which */
	size_t kept;			/* this many bytes are kept */
	bool has_summary;
};

/* Completes a truncated header; nothing follows it. */
static void
put_cut_header(struct stream_salvage *run, const uint8_t *bytes, size_t len)
{
	uint8_t header[DMT_HEADER_SIZE] = { 0 };

	memcpy(header, bytes, len);
	dmt_put_le16(header + DMT_HEADER_OFFSET, DMT_HEADER_SIZE);
	dmt_put_le16(header + DMT_HEADER_RECORD_SIZE, (uint16_t)run->kept);
	dmt_salvage_put(run->salvage, header, sizeof(header));
	dmt_change_add(&run->salvage->changes, DMT_HEADER_TRUNCATED, 1,
	    DMTRACE_PLACE_OFFSET, 0, "after %zu bytes", len);
}

/* Returns the offset of the first packet or record. */
static unsigned
find_first(struct stream_salvage *run, unsigned stated, const uint8_t *bytes,
    size_t len)
{
	if (stated == DMT_HEADER_SIZE || (stated >= DMT_HEADER_MIN &&
	    stated <= len && (stated == len || dmt_stream_begins(&run->scan,
	    bytes + stated, len - stated) || !dmt_stream_begins(&run->scan,
	    bytes + DMT_HEADER_SIZE, len - DMT_HEADER_SIZE))))
		return stated;
	dmt_change_add(&run->salvage->changes, DMT_HEADER_OFFSET_BAD, 1,
	    DMTRACE_PLACE_OFFSET, DMT_HEADER_OFFSET, "%d, not %u",
	    DMT_HEADER_SIZE, stated);
	return DMT_HEADER_SIZE;
}

/* Finds the size of records. Returns the size to state in the header. */
static size_t
find_salvaged_size(struct stream_salvage *run, size_t stated,
    const uint8_t *bytes, size_t len)
{
	const size_t own = run->kept;

	dmt_scan_find_size(&run->scan, stated, bytes, len);
	run->size = (size_t)dmt_records_len(&run->scan.layout, 1);
	if (run->size == stated)
		return stated;
	dmt_change_add(&run->salvage->changes, DMT_STREAM_RECORD_SIZE, 1,
	    DMTRACE_PLACE_OFFSET, DMT_HEADER_RECORD_SIZE,
	    "%zu bytes, not %zu", run->size, stated);
	return own;
}

/* Writes the header. Returns true if anything follows it. */
static bool
salvage_header(struct stream_salvage *run)
{
	struct dmt_input *const in = run->salvage->in;
	uint8_t front[DMT_HEADER_SIZED_MIN];
	const uint8_t *bytes;
	size_t len =
	    dmt_input_peek(in, UINT16_MAX + DMT_SCAN_WINDOW, &bytes);
	const struct dmt_header_fields fields = dmt_header_look(bytes, len);
	const unsigned version = dmt_version_plain(fields.version);

	run->scan.layout = *dmt_layout_most(version);
	run->kept = (size_t)dmt_records_len(&run->scan.layout, 1);
	if (len < DMT_HEADER_SIZE) {
		put_cut_header(run, bytes, len);
		return false;
	}
	const unsigned first =
	    find_first(run, fields.data_offset, bytes, len);
	const bool sized = dmt_header_is_sized(fields.version, first);
	size_t at = first;
	len = dmt_stream_peek_records(in, &at, DMT_STREAM_SIGHT, &bytes);
	if (len - at > DMT_STREAM_SIGHT)
		len = at + DMT_STREAM_SIGHT;
	run->kept = find_salvaged_size(run, sized ?
	    dmt_get_le16(bytes + DMT_HEADER_RECORD_SIZE) : run->kept,
	    bytes + first, len - first);
	memcpy(front, bytes, sizeof(front));
	dmt_put_le16(front + DMT_HEADER_OFFSET, (uint16_t)first);
	if (sized)
		dmt_put_le16(front + DMT_HEADER_RECORD_SIZE,
		    (uint16_t)run->kept);
	const size_t patched = first < sizeof(front) ? first : sizeof(front);
	dmt_salvage_put(run->salvage, front, patched);
	dmt_salvage_put(run->salvage, bytes + patched, first - patched);
	dmt_input_skip(in, first);
	return true;
}

static void
put_summary(struct stream_salvage *run, const struct dmt_output *text)
{
	const struct dmt_packet packet = {
		.kind = DMT_PACKET_SUMMARY, .text_len = text->len
	};
	uint8_t head[DMT_PACKET_HEAD_MAX];
	const size_t len = dmt_packet_head_encode(head, &packet);

	if (text->len == 0)
		return;
	run->has_summary = true;
	dmt_salvage_put(run->salvage, head, len);
	dmt_salvage_put(run->salvage, text->bytes, text->len);
}

/* Copies the summary at the input, and drops what follows it. */
static void
salvage_summary(struct stream_salvage *run)
{
	struct dmt_salvage *const salvage = run->salvage;
	struct dmt_input *const in = salvage->in;
	struct dmt_output made = { 0 };
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(in, SUMMARY_MAX, &bytes);

	const size_t used = DMT_PACKET_HEAD_MAX + dmt_salvage_summary(salvage,
	    &made, bytes + DMT_PACKET_HEAD_MAX, run->scan.packet.text_len,
	    len - DMT_PACKET_HEAD_MAX, in->offset);
	put_summary(run, &made);
	dmt_output_fini(&made);
	dmt_salvage_note(salvage, DMT_STREAM_TAIL,
	    dmt_input_size(in) - in->offset - used, in->offset + used);
}

/* Appends the summary that Android 6 and 7 wrote to a separate file. */
static void
salvage_summary_apart(struct stream_salvage *run)
{
	struct dmt_salvage *const salvage = run->salvage;
	struct dmt_output made = { 0 };
	struct dmt_input apart;
	const uint8_t *bytes;

	if (salvage->in->path == NULL)
		return;
	char *const path = dmt_path_concat(salvage->in->path,
	    DMT_STREAM_SUMMARY_SUFFIX);
	if (path == NULL) {
		dmt_error_memory(&salvage->error);
		return;
	}
	if (dmt_input_open_path(&apart, path) == DMTRACE_OK &&
	    dmt_input_has_key(&apart)) {
		const size_t len =
		    dmt_input_peek(&apart, SUMMARY_MAX, &bytes);

		dmt_change_add(&salvage->changes, DMT_STREAM_SUMMARY_APART, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
		dmt_salvage_summary(salvage, &made, bytes, len, len, 0);
		put_summary(run, &made);
	}
	dmt_output_fini(&made);
	dmt_input_fini(&apart);
	free(path);
}

/* Handles what is next at bytes. Returns how many bytes it has; 0: a summary,
 * or a failure. */
static size_t
salvage_next(struct stream_salvage *run, const uint8_t *bytes, size_t len,
    uint64_t at)
{
	struct dmt_salvage *const salvage = run->salvage;
	const size_t size = run->size;
	size_t used;

	switch (dmt_stream_scan(&run->scan, bytes, len, &used)) {
	case DMT_SCAN_RECORDS:
		for (size_t i = 0; i < used && run->kept < size; i += size)
			dmt_salvage_put(salvage, bytes + i, run->kept);
		if (run->kept == size)
			dmt_salvage_put(salvage, bytes, used);
		break;
	case DMT_SCAN_PACKET:
		if (run->scan.packet.kind == DMT_PACKET_SUMMARY)
			return 0;
		dmt_salvage_definition(salvage, bytes, used,
		    (struct dmtrace_text){ run->scan.packet.text,
		    run->scan.packet.text_len }, at);
		break;
	case DMT_SCAN_BAD_METHOD:
		dmt_salvage_note(salvage, DMT_STREAM_METHOD_BAD, 1, at);
		break;
	case DMT_SCAN_STRAY:
		dmt_salvage_note(salvage, DMT_STREAM_PACKET_UNKNOWN, used, at);
		break;
	case DMT_SCAN_CUT:
		dmt_change_add(&salvage->changes, DMT_STREAM_TRUNCATED, 1,
		    DMTRACE_PLACE_OFFSET, at, "%zu bytes", used);
		break;
	default:
		dmt_error_memory(&salvage->error);
		return 0;
	}
	return used;
}

void
dmt_salvage_stream(struct dmt_salvage *salvage)
{
	struct stream_salvage run = { .salvage = salvage };
	struct dmt_input *const in = salvage->in;
	const uint64_t size = dmt_input_size(in);
	bool going = true;

	if (!dmt_salvage_know(salvage, &run.scan.threads, &run.scan.methods))
		dmt_error_memory(&salvage->error);
	else
		going = salvage_header(&run);
	while (going && salvage->error.status == DMTRACE_OK &&
	    dmt_op_progress(salvage->repair->op, in->offset, size) ==
	    DMTRACE_OK) {
		const uint8_t *bytes;
		const size_t len = dmt_input_peek(in, WINDOW, &bytes);
		size_t at = 0;

		going = len > 0;
		while (going && at < len &&
		    (len < WINDOW || len - at >= DMT_SCAN_WINDOW)) {
			const size_t used = salvage_next(&run, bytes + at,
			    len - at, in->offset + at);

			at += used;
			going = used > 0;
		}
		dmt_input_skip(in, at);
		if (!going && len > 0 && salvage->error.status == DMTRACE_OK)
			salvage_summary(&run);
	}
	if (!run.has_summary && salvage->error.status == DMTRACE_OK)
		salvage_summary_apart(&run);
	dmt_stream_scan_fini(&run.scan);
}
