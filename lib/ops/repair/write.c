/* write.c - the repaired trace to its file, or its two */

/*
 * The key first, which says what was changed; then the header, as it was if
 * nothing in it is wrong; then the mended events, whose records are copied
 * where nothing in them was changed. If there was nothing at all to change,
 * key and data are copied. Both files are whole, and the changes are reported,
 * before either gets its name.
 */

#include "ops/repair/repair.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "data/header_encode.h"
#include "format/header.h"
#include "ops/file.h"
#include "private/key.h"
#include "private/select.h"
#include "trace/batch_write.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* Where it goes; of a joined file all to data. */
struct output {
	struct dmt_repair *repair;
	bool pair;
	char *key_path, *data_path;
	struct dmt_output key;
	struct dmt_output data;
};

static enum dmtrace_status
set_paths(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	const char *const path = repair->out_file->path;
	const bool is_key = dmt_path_ends(path, ".key");

	output->pair = is_key || dmt_path_ends(path, ".data");
	if (path == NULL)
		return DMTRACE_OK;
	if (output->pair && repair->reader != NULL)
		return dmt_error_set(&repair->op->error,
		    DMTRACE_ERR_UNSUPPORTED, "%s has no key of its own, as a"
		    " pair has; \"dmtrace convert\" makes another trace of it",
		    repair->reader->v2 == NULL ? "ART streaming" :
		    "ART trace format V2");
	char *const own = dmt_path_concat(path, "");
	char *const other =
	    output->pair ? dmt_path_partner(path) : NULL;
	output->key_path = is_key ? own : other;
	output->data_path = is_key ? other : own;
	if (own == NULL || (output->pair && other == NULL))
		return dmt_error_memory(&repair->op->error);
	return DMTRACE_OK;
}

/* The input stays as it is. */
static enum dmtrace_status
check_paths(const struct output *output)
{
	const struct dmt_repair *const repair = output->repair;
	const struct dmt_input *const files[] =
	    { repair->key_file, repair->data_file };
	struct stat about;

	for (size_t i = 0; i < 2; i++) {
		const int fd = files[i] == NULL ? -1 :
		    dmt_input_fd(files[i]);

		if (fd < 0 || fstat(fd, &about) != 0)
			continue;
		dmt_file_check_other(repair->op, &about, output->key_path,
		    repair->out_file);
		dmt_file_check_other(repair->op, &about, output->data_path,
		    repair->out_file);
	}
	return repair->op->error.status;
}

static enum dmtrace_status
open_file(struct output *output, struct dmt_output *to, const char *path)
{
	const struct dmt_repair *const repair = output->repair;
	const struct dmtrace_file file =
	    { .path = path, .fd = repair->out_file->fd };

	return dmt_file_write(repair->op, to, &file,
	    repair->options->flags);
}

static enum dmtrace_status
open_output(struct output *output)
{
	if (set_paths(output) != DMTRACE_OK ||
	    check_paths(output) != DMTRACE_OK ||
	    open_file(output, &output->data, output->data_path) !=
	    DMTRACE_OK)
		return output->repair->op->error.status;
	return output->pair ?
	    open_file(output, &output->key, output->key_path) : DMTRACE_OK;
}

/* len bytes of the file from at on, as they are. */
static void
copy_bytes(struct output *output, struct dmt_output *to,
    struct dmt_input *file, uint64_t at, uint64_t len)
{
	struct dmt_repair *const repair = output->repair;

	dmt_input_rewind(file, at);
	dmt_file_copy(repair->op, to, file, len);
	dmt_op_fail(repair->op, repair->in_file, &file->error);
}

static struct dmt_output *
key_output(struct output *output)
{
	return output->pair ? &output->key : &output->data;
}

static void
put_key(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	const size_t len = dmt_key_encoded_size(repair->key);
	uint8_t *const bytes = dmt_array_new(len, 1);

	if (bytes == NULL) {
		dmt_error_memory(&repair->op->error);
		return;
	}
	dmt_key_encode(repair->key, bytes, len);
	dmt_output_write(key_output(output), bytes, len);
	free(bytes);
}

static void
put_header(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	const struct dmt_header header =
	    dmt_header_of(&repair->layout, repair->start);
	uint8_t bytes[DMT_HEADER_SIZE];

	if (repair->keeps_header) {
		copy_bytes(output, &output->data, repair->data,
		    repair->data_at, repair->data_offset);
		return;
	}
	dmt_header_encode(bytes, sizeof(bytes), &header);
	dmt_output_write(&output->data, bytes, sizeof(bytes));
}

static void
put_events(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	struct dmtrace_source *const events = repair->events;
	const struct dmt_batch_form form = {
		.layout = &repair->layout,
		.indexes = events->indexes,
		.like = true,
		.changes = events->changes
	};
	struct dmt_batch *batch = NULL;

	dmt_source_rewind(events);
	while (output->data.error.status == DMTRACE_OK &&
	    dmt_pull(events, &batch) == DMTRACE_OK && batch != NULL)
		dmt_batch_write(&output->data, &form, batch, 0, batch->kept);
	dmt_op_fail(repair->op, repair->in_file,
	    dmtrace_source_error(events));
}

/* For struct dmtrace_output. */
static ptrdiff_t
write_packets(void *context, const void *bytes, size_t len)
{
	struct dmt_output *const data = context;

	dmt_output_write(data, bytes, len);
	return data->error.status == DMTRACE_OK ? (ptrdiff_t)len : -1;
}

/* Packets, which come before the events that need them, and the key last. */
static void
put_packets(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	struct dmtrace_source *const events = repair->events;
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const struct dmtrace_output data = { write_packets, &output->data };
	struct dmt_batch *batch = NULL;

	if (writer == NULL) {
		dmt_error_memory(&repair->op->error);
		return;
	}
	dmt_source_rewind(events);
	dmtrace_writer_set_like(writer, repair->reader);
	dmtrace_writer_open_output(writer, &data);
	if (writer->error.status == DMTRACE_OK) {
		dmt_writer_set_key(writer, repair->key);
		repair->key = NULL;
	}
	while (writer->error.status == DMTRACE_OK &&
	    dmt_pull(events, &batch) == DMTRACE_OK && batch != NULL)
		dmt_writer_put(writer, events, batch);
	dmtrace_writer_close(writer);
	dmt_op_fail(repair->op, repair->in_file,
	    dmtrace_source_error(events));
	dmt_op_fail(repair->op, repair->out_file,
	    output->data.error.status != DMTRACE_OK ? &output->data.error :
	    &writer->error);
	dmtrace_writer_free(writer);
}

static void
put_all(struct output *output)
{
	const struct dmt_repair *const repair = output->repair;
	const struct dmtrace_error *const error = &repair->op->error;

	if (repair->reader != NULL) {
		if (dmt_changes_count(&repair->changes) == 0)
			copy_bytes(output, &output->data, repair->data, 0,
			    repair->data_size);
		else
			put_packets(output);
		return;
	}
	if (dmt_changes_count(&repair->changes) == 0) {
		copy_bytes(output, key_output(output), repair->key_file, 0,
		    repair->key_len);
		copy_bytes(output, &output->data, repair->data,
		    repair->data_at, repair->data_size);
		return;
	}
	put_key(output);
	if (error->status == DMTRACE_OK)
		put_header(output);
	if (error->status == DMTRACE_OK)
		put_events(output);
}

/* Both are whole before either has its name. */
static enum dmtrace_status
finish(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	struct dmtrace_op *const op = repair->op;

	dmt_output_finish(&output->data);
	dmt_output_finish(&output->key);
	dmt_op_fail(op, repair->out_file, &output->data.error);
	if (dmt_op_fail(op, repair->out_file, &output->key.error) !=
	    DMTRACE_OK)
		return op->error.status;
	if (dmt_changes_report(&repair->changes, repair->options->change,
	    repair->options->context, &op->error) != DMTRACE_OK)
		return op->error.status;
	if (dmt_output_publish(&output->data) == DMTRACE_OK &&
	    dmt_output_publish(&output->key) != DMTRACE_OK)
		dmt_output_withdraw(&output->data);
	dmt_op_fail(op, repair->out_file, &output->data.error);
	return dmt_op_fail(op, repair->out_file, &output->key.error);
}

enum dmtrace_status
dmt_repair_write(struct dmt_repair *repair)
{
	struct output output = { .repair = repair };

	if (repair->out_file == NULL)
		return dmt_changes_report(&repair->changes,
		    repair->options->change, repair->options->context,
		    &repair->op->error);
	dmt_output_open_memory(&output.key);
	dmt_output_open_memory(&output.data);
	if (open_output(&output) == DMTRACE_OK)
		put_all(&output);
	if (repair->op->error.status == DMTRACE_OK)
		finish(&output);
	dmt_output_fini(&output.data);
	dmt_output_fini(&output.key);
	free(output.key_path);
	free(output.data_path);
	return repair->op->error.status;
}
