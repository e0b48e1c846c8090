/* rename.c - changes the names of a trace and nothing else */

/*
 * Names are in the key or, of a stream and of trace format V2, in packets, of
 * which a reader makes a key. So the key of the reader gets the new names,
 * before anything is read: what writes packets takes the names from there, and
 * all else copies the bytes of the records, which have numbers only. The three
 * ways to rename are rules for dmt_key_rewrite (renamer.h).
 */

#include "ops/rename/renamer.h"

#include <string.h>

#include "base/error.h"
#include "ops/file.h"
#include "ops/op.h"
#include "private/key.h"
#include "trace/reader.h"
#include "trace/writer.h"

bool
dmt_rename_line(struct dmt_input *input, struct dmtrace_text *line, bool *cut)
{
	const uint8_t *bytes;
	size_t len = dmt_input_peek(input, 1, &bytes), seen = 0;
	const uint8_t *end = NULL;

	*cut = false;
	while (len > seen && (end = memchr(bytes + seen, '\n',
	    len - seen)) == NULL && len <= DMT_RENAME_LINE_MAX) {
		seen = len;
		len = dmt_input_peek(input, len + 1, &bytes);
	}
	if (end == NULL && len > DMT_RENAME_LINE_MAX)
		dmt_error_at(&input->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, input->offset,
		    "a line is longer than %d bytes", DMT_RENAME_LINE_MAX);
	if (len == 0 || input->error.status != DMTRACE_OK)
		return false;
	*cut = end == NULL;
	if (*cut)
		return false;
	const size_t size = (size_t)(end - bytes);
	*line = (struct dmtrace_text){ (const char *)bytes, size };
	dmt_input_skip(input, size + 1);
	return true;
}

void
dmt_renamer_note(struct dmt_renamer *renamer, enum dmtrace_renaming_state state,
    const struct dmtrace_method *from, const struct dmtrace_method *to)
{
	struct dmtrace_rename_result *const result = &renamer->result;
	uint64_t *const counts[] = {
		[DMTRACE_RENAMED] = &result->renamed,
		[DMTRACE_RENAMED_CLASS] = &result->class_only,
		[DMTRACE_RENAMING_AMBIGUOUS] = &result->ambiguous,
		[DMTRACE_RENAMING_UNMAPPED] = &result->unmapped,
	};

	++*counts[state];
	if (renamer->report != NULL)
		renamer->report(renamer->context, state, from, to);
}

/* How the names are made. */
struct way {
	struct dmt_renamer *renamer;
	void (*free)(struct dmt_renamer *renamer);
};

/* Makes the renamer that the options ask for. */
static enum dmtrace_status
open_way(struct way *way, struct dmtrace_op *op, const struct dmtrace_key *key,
    const struct dmtrace_rename_options *options)
{
	const struct dmtrace_file *const file = options->mapping != NULL ?
	    options->mapping : options->table;
	struct dmtrace_error error = { 0 };
	struct dmt_input input;

	if (options->hash_key != NULL) {
		way->renamer = dmt_anonymizer_new(key, options->hash_key,
		    options->all != 0, &error);
		way->free = dmt_anonymizer_free;
		return dmt_op_fail(op, NULL, &error);
	}
	if (dmt_file_read(op, &input, file) == DMTRACE_OK) {
		way->renamer = options->mapping != NULL ?
		    dmt_mapping_new(key, &input, &error) :
		    dmt_restorer_new(&input, &error);
		way->free = options->mapping != NULL ? dmt_mapping_free :
		    dmt_restorer_free;
		dmt_op_fail(op, file, &error);
	}
	dmt_input_fini(&input);
	return op->error.status;
}

/* Gives the reader, and the writer that is like it, a key with new names. */
static enum dmtrace_status
rename_keys(struct dmtrace_op *op, struct dmt_renamer *renamer,
    struct dmtrace_reader *reader, struct dmtrace_writer *writer)
{
	struct dmtrace_key *key = NULL, *copy = NULL;
	struct dmtrace_error error = { 0 };

	if (dmt_key_rewrite(&key, reader->key, &renamer->rules, &error) ==
	    DMTRACE_OK) {
		copy = dmt_key_copy(key);
		if (copy == NULL)
			dmt_error_memory(&error);
	}
	if (renamer->error.status != DMTRACE_OK)
		error = renamer->error;
	if (error.status != DMTRACE_OK) {
		dmt_key_free(key);
		dmt_key_free(copy);
		return dmt_op_fail(op, NULL, &error);
	}
	dmt_key_free(reader->key);
	reader->key = key;
	dmt_writer_set_key(writer, copy);
	return DMTRACE_OK;
}

static enum dmtrace_status
write_table(struct dmtrace_op *op, const struct dmt_renamer *renamer,
    const struct dmtrace_rename_options *options)
{
	struct dmt_output out;

	if (dmt_file_write(op, &out, options->table, options->flags) ==
	    DMTRACE_OK) {
		dmt_output_hide(&out);
		dmt_anonymizer_write(renamer, &out);
		dmt_output_close(&out);
		dmt_op_fail(op, options->table, &out.error);
	}
	dmt_output_fini(&out);
	return op->error.status;
}

enum dmtrace_status
dmtrace_rename(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_rename_options *options,
    struct dmtrace_rename_result *result)
{
	struct way way = { NULL, NULL };

	if (dmt_op_begin_call(op, __func__, reader == NULL || writer == NULL ||
	    options == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (dmt_op_check_flags(op, __func__, options->flags, DMTRACE_SYNC) !=
	    DMTRACE_OK ||
	    dmt_op_check_like(op, __func__, reader, writer) != DMTRACE_OK)
		return op->error.status;
	if (options->mapping == NULL ? options->hash_key == NULL &&
	    options->table == NULL : options->hash_key != NULL ||
	    options->table != NULL)
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "%s: a mapping, or a key and a table, or one of these two",
		    __func__);
	if (dmtrace_writer_key(writer) == NULL)
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "%s: the key of the writer is written", __func__);
	if (open_way(&way, op, reader->key, options) != DMTRACE_OK)
		return op->error.status;
	way.renamer->report = options->report;
	way.renamer->context = options->context;
	if (rename_keys(op, way.renamer, reader, writer) == DMTRACE_OK) {
		struct dmtrace_source *const source =
		    dmtrace_source_new(reader);

		if (source == NULL)
			dmt_error_memory(&op->error);
		else
			dmt_op_copy(op, source, writer, NULL);
		dmtrace_source_free(source);
	}
	if (op->error.status == DMTRACE_OK && options->hash_key != NULL &&
	    options->table != NULL)
		write_table(op, way.renamer, options);
	if (op->error.status == DMTRACE_OK && result != NULL)
		*result = way.renamer->result;
	way.free(way.renamer);
	return op->error.status;
}
