/* write.c - writes the repaired trace to one file or two */

/*
 * First the key, which states the changes; then the header, unchanged if
 * nothing in it is wrong; then the repaired events, whose records are copied
 * if they were not changed. If nothing was changed at all, key and data are
 * copied. Both files are complete, and the changes have been reported, before
 * either gets its final name.
 */

#include "ops/repair/repair.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/path.h"
#include "key/key.h"
#include "ops/file.h"
#include "private/key.h"
#include "private/select.h"
#include "trace/batch_write.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* The outputs. A joined file is only in data. */
struct output {
	struct dmt_repair *repair;
	bool pair;
	char *key_path, *data_path;
	struct dmt_output key;
	struct dmt_output data;
};

static enum dmtrace_status
open_repaired_file(const struct output *output, struct dmt_output *to,
    const char *path)
{
	const struct dmt_repair *const repair = output->repair;
	const struct dmtrace_file file =
	    { .path = path, .fd = repair->out_file->fd };

	return dmt_file_write(repair->op, to, &file, repair->options->flags);
}

static enum dmtrace_status
open_repaired(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	struct dmtrace_op *const op = repair->op;
	const char *const path = repair->out_file->path;
	const bool is_key = dmt_path_ends(path, ".key");
	const struct dmt_input *const files[] =
	    { repair->key_file, repair->data_file };
	struct stat about;

	/* Find the names; those of a pair belong together. */
	output->pair = is_key || dmt_path_ends(path, ".data");
	if (output->pair && repair->reader != NULL)
		return dmt_error_set(&op->error, DMTRACE_ERR_UNSUPPORTED,
		    "%s has no key of its own, so it cannot be a pair; "
		    "\"dmtrace convert\" changes the dialect",
		    repair->reader->dialect->title);
	char *const own = path == NULL ? NULL : dmt_path_concat(path, "");
	char *const other = output->pair ? dmt_path_partner(path, 0) : NULL;
	output->key_path = is_key ? own : other;
	output->data_path = is_key ? other : own;
	if ((path != NULL && own == NULL) || (output->pair && other == NULL))
		return dmt_error_memory(&op->error);

	/* The input must not be overwritten. */
	for (size_t i = 0; i < 2; i++) {
		const int fd = files[i] == NULL ? -1 :
		    dmt_input_fd(files[i]);

		if (fd < 0 || fstat(fd, &about) != 0)
			continue;
		dmt_file_check_other(op, &about, output->key_path,
		    repair->out_file);
		dmt_file_check_other(op, &about, output->data_path,
		    repair->out_file);
	}
	if (op->error.status != DMTRACE_OK || open_repaired_file(output,
	    &output->data, output->data_path) != DMTRACE_OK)
		return op->error.status;
	return output->pair ? open_repaired_file(output, &output->key,
	    output->key_path) : DMTRACE_OK;
}

/* Copies len bytes of the file, from offset at on. */
static void
copy_bytes(struct output *output, struct dmt_output *to,
    struct dmt_input *file, uint64_t at, uint64_t len)
{
	struct dmt_repair *const repair = output->repair;

	dmt_input_rewind(file, at);
	dmt_file_copy(repair->op, to, file, len);
	dmt_op_fail(repair->op, repair->in_file, &file->error);
}

/* Writes the key, the header, unchanged if nothing in it is wrong, and the
 * events. */
static void
write_repaired_records(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	struct dmtrace_source *const events = repair->events;
	struct dmt_writing writing = {
		.format = {
			.version = repair->layout.version,
			.layout = repair->layout
		},
		.encode = dmt_columns_copy
	};
	struct dmt_batch *batch = NULL;

	dmt_key_put(output->pair ? &output->key : &output->data, repair->key,
	    NULL);
	if (repair->keeps_header) {
		copy_bytes(output, &output->data, repair->data,
		    repair->data_at, repair->data_offset);
		if (repair->op->error.status != DMTRACE_OK)
			return;
	} else {
		dmt_batch_write_header(&writing, &output->data, repair->start);
	}

	dmt_source_rewind(events);
	while (output->data.error.status == DMTRACE_OK &&
	    dmt_pull(events, &batch) == DMTRACE_OK && batch != NULL)
		dmt_batch_write(&writing, &output->data, events, batch, 0,
		    batch->kept);
	dmt_op_fail(repair->op, repair->in_file,
	    dmtrace_source_error(events));
}

/* The write function of a struct dmtrace_output. */
static ptrdiff_t
write_packet_bytes(void *context, const void *bytes, size_t len)
{
	struct dmt_output *const data = context;

	dmt_output_write(data, bytes, len);
	return data->error.status == DMTRACE_OK ? (ptrdiff_t)len : -1;
}

/* Writes packets, each before the events that need it, and the key at the
 * end. */
static void
write_repaired_packets(struct output *output)
{
	struct dmt_repair *const repair = output->repair;
	struct dmtrace_source *const events = repair->events;
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const struct dmtrace_output data =
	    { write_packet_bytes, &output->data };
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

enum dmtrace_status
dmt_repair_write(struct dmt_repair *repair)
{
	struct dmtrace_op *const op = repair->op;
	struct output output = { .repair = repair };
	struct dmt_output *const key = &output.key, *const data = &output.data;
	const bool unchanged = dmt_changes_count(&repair->changes) == 0;

	if (repair->out_file == NULL)
		return dmt_changes_report(&repair->changes,
		    repair->options->change, repair->options->context,
		    &op->error);
	if (open_repaired(&output) != DMTRACE_OK)
		goto end;
	if (unchanged && repair->reader != NULL) {
		copy_bytes(&output, data, repair->data, 0, repair->data_size);
	} else if (unchanged) {
		copy_bytes(&output, output.pair ? key : data,
		    repair->key_file, 0, repair->key_len);
		copy_bytes(&output, data, repair->data, repair->data_at,
		    repair->data_size);
	} else if (repair->reader != NULL) {
		write_repaired_packets(&output);
	} else {
		write_repaired_records(&output);
	}
	if (op->error.status != DMTRACE_OK)
		goto end;

	/* Both files are complete, and the changes reported, before either
	 * gets its final name. */
	dmt_output_finish(data);
	dmt_output_finish(key);
	dmt_op_fail(op, repair->out_file, &data->error);
	if (dmt_op_fail(op, repair->out_file, &key->error) != DMTRACE_OK ||
	    dmt_changes_report(&repair->changes, repair->options->change,
	    repair->options->context, &op->error) != DMTRACE_OK)
		goto end;
	dmt_output_publish_pair(data, key);
	dmt_op_fail(op, repair->out_file, &data->error);
	dmt_op_fail(op, repair->out_file, &key->error);
end:
	dmt_output_fini(data);
	dmt_output_fini(key);
	free(output.key_path);
	free(output.data_path);
	return op->error.status;
}
