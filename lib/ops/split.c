/* split.c - splits a joined trace into key and data; the reverse of join.c */

/*
 * Bytes are copied without changes: those up to the magic to the key,
 * including a few that may be between key and magic, and the rest to the data.
 * No record is decoded. Both files are complete before either gets its final
 * name.
 */

#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "format/header.h"
#include "ops/file.h"
#include "ops/front.h"
#include "trace/container.h"

/* The state of a split. */
struct split {
	struct dmtrace_op *op;
	const struct dmtrace_file *in_file;
	const struct dmtrace_file *key_file;
	const struct dmtrace_file *data_file;
	struct dmt_input in;
	struct dmt_output key;
	struct dmt_output data;
};

static enum dmtrace_status
split_halves(struct split *split, unsigned flags)
{
	struct dmtrace_op *const op = split->op;
	struct dmt_input *const in = &split->in;
	struct dmtrace_error error = { 0 };
	struct dmt_front front;

	/* Find where the data begins; if there is none, the error says what
	 * the file is. */
	if (dmt_file_read(op, in, split->in_file) != DMTRACE_OK)
		return op->error.status;
	dmt_front_find(&front, in, &error);
	if (error.status == DMTRACE_OK && !front.has_data) {
		char shown[DMT_FRONT_MAX];
		const uint8_t *bytes;

		dmt_input_skip(in, front.key_len);
		const size_t len = dmt_input_peek(in, DMT_FRONT_MAX, &bytes);
		if (front.ends)
			dmt_error_at(&error, DMTRACE_ERR_TRUNCATED,
			    DMTRACE_PLACE_OFFSET, front.key_len,
			    "no data follows the key;"
			    " data begins with \"" DMT_MAGIC "\"");
		else if (dmt_base64_begins(in))
			dmt_error_at(&error, DMTRACE_ERR_UNSUPPORTED,
			    DMTRACE_PLACE_OFFSET, front.key_len,
			    "the data is base64 text;"
			    " \"dmtrace convert\" decodes it");
		else
			dmt_error_at(&error, DMTRACE_ERR_CORRUPT,
			    DMTRACE_PLACE_OFFSET, front.key_len,
			    "\"%s\" follows the key;"
			    " data begins with \"" DMT_MAGIC "\"",
			    dmt_escape_front(shown, bytes, len));
	}
	if (dmt_op_fail(op, split->in_file, &error) != DMTRACE_OK ||
	    dmt_file_write(op, &split->key, split->key_file, flags) !=
	    DMTRACE_OK ||
	    dmt_file_write(op, &split->data, split->data_file, flags) !=
	    DMTRACE_OK)
		return op->error.status;
	dmt_output_write(&split->key, front.bytes, front.len);
	dmt_input_skip(in, front.len);
	dmt_data_copy(op, &split->data, in, split->in_file);

	/* Both are complete before either gets its final name. */
	dmt_output_finish(&split->key);
	dmt_output_finish(&split->data);
	dmt_op_fail(op, split->in_file, &in->error);
	dmt_op_fail(op, split->key_file, &split->key.error);
	if (dmt_op_fail(op, split->data_file, &split->data.error) !=
	    DMTRACE_OK)
		return op->error.status;
	dmt_output_publish_pair(&split->data, &split->key);
	dmt_op_fail(op, split->key_file, &split->key.error);
	return dmt_op_fail(op, split->data_file, &split->data.error);
}

enum dmtrace_status
dmtrace_split(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *key, const struct dmtrace_file *data,
    unsigned flags)
{
	struct split split = {
		.op = op,
		.in_file = in,
		.key_file = key,
		.data_file = data
	};

	if (dmt_op_begin_call(op, __func__, in == NULL ||
	    key == NULL || data == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (key->path != NULL && data->path != NULL &&
	    strcmp(key->path, data->path) == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "%s: key and data are the same output", __func__);
	if (dmt_op_check_flags(op, __func__, flags, DMT_FILE_FLAGS) !=
	    DMTRACE_OK)
		return op->error.status;
	dmt_input_open_memory(&split.in, NULL, 0);
	const enum dmtrace_status status = split_halves(&split, flags);
	dmt_output_fini(&split.data);
	dmt_output_fini(&split.key);
	dmt_input_fini(&split.in);
	return status;
}
