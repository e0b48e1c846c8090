/* salvage.c - copies the undamaged packets of a damaged file */

/*
 * A pass goes through the file packet by packet and copies those that are
 * complete (salvage_stream.c, salvage_v2.c). The first pass only counts the
 * damage. If there is any, it may only seem so because a packet or record
 * refers to a thread or a method that is defined later. So a reader collects
 * all definitions in the file for the second pass, which writes a temporary
 * file. Then a reader opens that file, or the original if it was not damaged,
 * and its events are repaired like those of other traces (mend_events.c).
 */

#include "ops/repair/salvage.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/header_decode.h"
#include "key/key.h"
#include "key/line_text.h"
#include "key/parse.h"
#include "private/key.h"
#include "trace/container.h"
#include "trace/reader.h"

#define END "*end\n"

/* Packets of another format need a row here. */
static const struct {
	enum dmtrace_container container;
	void (*salvage)(struct dmt_salvage *salvage);
} packet_formats[] = {
	{ DMTRACE_CONTAINER_STREAM, dmt_salvage_stream },
	{ DMTRACE_CONTAINER_PACKETS, dmt_salvage_v2 },
};

enum { FORMATS = sizeof(packet_formats) / sizeof(packet_formats[0]) };

void
dmt_salvage_put(struct dmt_salvage *salvage, const void *bytes, size_t len)
{
	if (salvage->out == NULL)
		return;
	dmt_output_write(salvage->out, bytes, len);
	if (salvage->error.status == DMTRACE_OK)
		salvage->error = salvage->out->error;
}

void
dmt_salvage_note(struct dmt_salvage *salvage, enum dmt_finding which,
    uint64_t n, uint64_t at)
{
	dmt_change_add(&salvage->changes, which, n, DMTRACE_PLACE_OFFSET, at,
	    NULL);
}

bool
dmt_salvage_know(const struct dmt_salvage *salvage, struct dmt_idmap *threads,
    struct dmt_idmap *methods)
{
	const struct dmtrace_key *const key = salvage->known;
	bool done = true;

	for (size_t i = 0; i < dmtrace_key_thread_count(key) && done; i++)
		done = dmt_idmap_at(threads,
		    dmtrace_key_thread_get(key, i)->id) != NULL;
	for (size_t i = 0; i < dmtrace_key_method_count(key) && done; i++)
		done = dmt_idmap_at(methods, dmtrace_key_method_get(key,
		    i)->id & ~UINT64_C(3)) != NULL;
	return done;
}

void
dmt_salvage_definition(struct dmt_salvage *salvage, const void *packet,
    size_t len, struct dmtrace_text text, uint64_t at)
{
	if (dmt_line_is_zeroed(text))
		dmt_salvage_note(salvage, DMT_KEY_LINE_ZEROED, 1, at);
	else
		dmt_salvage_put(salvage, packet, len);
}

/* Returns the length of all complete lines; 0: the two lines with the version
 * are not complete. */
static size_t
find_last_line(const uint8_t *text, size_t len)
{
	struct dmtrace_text rest = { (const char *)text, len };

	dmt_text_cut(&rest, '\n');
	if (rest.bytes != NULL)
		dmt_text_cut(&rest, '\n');
	if (rest.bytes == NULL)
		return 0;
	while (text[len - 1] != '\n')
		len--;
	return len;
}

/* Writes the lines of a summary that begins at an offset of the file, except
 * those that are zeroed. */
static void
put_lines(struct dmt_salvage *salvage, struct dmt_output *made,
    const uint8_t *text, size_t len, uint64_t at)
{
	for (size_t next = 0; next < len; ) {
		const uint8_t *const end =
		    memchr(text + next, '\n', len - next);
		const struct dmtrace_text line = {
			(const char *)text + next,
			(end == NULL ? len : (size_t)(end - text) + 1) - next
		};

		if (dmt_line_is_zeroed(line))
			dmt_salvage_note(salvage, DMT_KEY_LINE_ZEROED, 1,
			    at + next);
		else
			dmt_output_write(made, line.bytes, line.len);
		next += line.len;
	}
}

size_t
dmt_salvage_summary(struct dmt_salvage *salvage, struct dmt_output *made,
    const uint8_t *text, size_t stated, size_t len, uint64_t at)
{
	struct dmtrace_key *const key = dmt_key_new();
	size_t scanned = 0, size = 0;

	if (key == NULL) {
		dmt_error_memory(&salvage->error);
		return len;
	}
	const bool ends = dmt_key_find_end(key, text, len, true, &scanned,
	    &size) == DMTRACE_OK;
	dmt_key_free(key);
	if (ends && size <= stated && stated <= len) {
		put_lines(salvage, made, text, size, at);
		dmt_salvage_note(salvage, DMT_STREAM_TAIL, stated - size,
		    at + size);
		len = stated;
	} else if (ends) {
		put_lines(salvage, made, text, size, at);
		dmt_salvage_note(salvage, DMT_STREAM_SUMMARY_TRUNCATED, 1, at);
		len = size;
	} else {
		len = stated < len ? stated : len;
		size = find_last_line(text, len);
		put_lines(salvage, made, text, size, at);
		if (size > 0)
			dmt_output_write(made, END, strlen(END));
		dmt_salvage_note(salvage, size > 0 ?
		    DMT_STREAM_SUMMARY_TRUNCATED : DMT_STREAM_TRUNCATED, 1, at);
	}
	if (made->error.status != DMTRACE_OK)
		dmt_error_memory(&salvage->error);
	return len;
}

/* Opens a reader at the beginning of the file. */
static enum dmtrace_status
open_reader(struct dmt_repair *repair, struct dmt_input *file)
{
	dmtrace_reader_free(repair->reader);
	repair->reader = dmtrace_reader_new();
	if (repair->reader == NULL)
		return dmt_error_memory(&repair->op->error);
	if (dmt_input_rewind(file, 0) != DMTRACE_OK)
		return dmt_op_fail(repair->op, repair->in_file, &file->error);
	/* few records are left, which can look like others */
	repair->reader->size_stated = repair->is_copy;
	return dmtrace_reader_open_fd(repair->reader, dmt_input_fd(file));
}

static enum dmtrace_status
run_pass(struct dmt_salvage *salvage, struct dmt_output *out)
{
	struct dmt_repair *const repair = salvage->repair;
	struct dmt_input *const in = repair->data_file;

	memset(&salvage->changes, 0, sizeof(salvage->changes));
	salvage->in = in;
	salvage->out = out;
	dmt_input_rewind(in, 0);
	size_t i = 0;
	while (i < FORMATS && packet_formats[i].container != repair->container)
		i++;
	if (i < FORMATS)
		packet_formats[i].salvage(salvage);
	else
		dmt_error_set(&salvage->error, DMTRACE_ERR_UNSUPPORTED,
		    "packets of this format cannot be repaired");
	dmt_op_fail(repair->op, repair->in_file, &in->error);
	return dmt_op_fail(repair->op, repair->in_file, &salvage->error);
}

/* Checks that a dump, which has no header, is still recognised as one. */
static enum dmtrace_status
check_salvaged(struct dmt_repair *repair)
{
	struct dmt_input *const file = &repair->undone_file;
	struct dmtrace_error error = { 0 };
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(file, DMT_CONTAINER_PROBE, &bytes);

	if (!dmt_input_has_magic(file) && !dmt_v2_dump_recognises(bytes, len))
		dmt_error_set(&error, DMTRACE_ERR_NOT_TRACE,
		    "no packet of this dump can be read");
	return dmt_op_fail(repair->op, repair->in_file, &error);
}

/* Runs the second pass, if the first one has found damage. */
static enum dmtrace_status
write_salvaged(struct dmt_salvage *salvage)
{
	struct dmt_repair *const repair = salvage->repair;
	struct dmt_output *const out = &repair->undone;

	/* If no reader can open the file, no definitions are known. */
	open_reader(repair, repair->data_file);
	if (repair->op->error.status != DMTRACE_OK)
		return repair->op->error.status;
	salvage->known = dmtrace_reader_key(repair->reader);
	dmt_output_open_temporary(out, NULL);
	salvage->error = out->error;
	if (run_pass(salvage, out) != DMTRACE_OK)
		return repair->op->error.status;
	dmt_output_reread(out, &repair->undone_file);
	dmt_op_fail(repair->op, NULL, &out->error);
	dmt_op_fail(repair->op, NULL, &repair->undone_file.error);
	return repair->op->error.status == DMTRACE_OK ?
	    check_salvaged(repair) : repair->op->error.status;
}

enum dmtrace_status
dmt_repair_salvage(struct dmt_repair *repair)
{
	struct dmt_salvage *const salvage = calloc(1, sizeof(*salvage));
	struct dmtrace_op *const op = repair->op;

	if (salvage == NULL)
		return dmt_error_memory(&op->error);
	salvage->repair = repair;
	repair->data = repair->data_file;
	repair->data_size = dmt_input_size(repair->data_file);
	if (run_pass(salvage, NULL) == DMTRACE_OK &&
	    dmt_changes_count(&salvage->changes) > 0)
		write_salvaged(salvage);
	repair->is_copy = dmt_changes_count(&salvage->changes) > 0;
	dmt_changes_merge(&repair->changes, &salvage->changes);
	free(salvage);
	if (op->error.status != DMTRACE_OK)
		return op->error.status;
	if (open_reader(repair, repair->is_copy ? &repair->undone_file :
	    repair->data_file) != DMTRACE_OK)
		return dmt_op_fail(op, repair->in_file,
		    dmtrace_reader_error(repair->reader));
	if (dmt_reader_found(repair->reader, DMT_STREAM_NO_SUMMARY) > 0)
		dmt_change_add(&repair->changes, DMT_STREAM_NO_SUMMARY, 1,
		    DMTRACE_PLACE_OFFSET, repair->data_size, NULL);
	return DMTRACE_OK;
}
