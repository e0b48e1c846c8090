/* writer_like.c - a writer that writes like a reader's trace */

#include "trace/writer.h"

#include <stdlib.h>

#include "base/error.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/reader.h"

static size_t
tail_of_reader(const void *reader, const uint8_t **bytes)
{
	return dmt_reader_tail(reader, bytes);
}

enum dmtrace_status
dmtrace_writer_set_like(struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, reader == NULL);

	if (status != DMTRACE_OK)
		return status;
	if (writer->like.reader != NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_STATE,
		    "%s: the writer is like a reader already", __func__);
	if (dmtrace_key_thread_count(writer->key) > 0 ||
	    dmtrace_key_method_count(writer->key) > 0)
		return dmt_error_set(&writer->error, DMTRACE_ERR_STATE,
		    "%s: threads or methods were added before", __func__);
	if (dmt_reader_layout(reader) == NULL)
		return dmt_reader_check_start(reader, &writer->error,
		    __func__);
	struct dmtrace_key *key = dmt_key_copy(reader->key);
	struct dmt_trace_format format;
	dmt_reader_format(reader, &format);
	if (key == NULL ||
	    dmt_writer_set_writing(writer, dmt_writing_new_like(&format)) !=
	    DMTRACE_OK) {
		dmt_key_free(key);
		return dmt_error_memory(&writer->error);
	}
	/* Its address stays: dmtrace_writer_key may have returned it. */
	dmt_key_fini(writer->key);
	*writer->key = *key;
	free(key);
	writer->like = (struct dmt_like){
		.reader = reader,
		.key_file = reader->container == DMTRACE_CONTAINER_PAIR,
		.gap = reader->gap,
		.gap_in_key = reader->gap_in_key,
		.gap_in_data = reader->gap_in_data,
		.header = reader->header_bytes,
		.header_len = reader->header.data_offset,
		.tail = tail_of_reader
	};
	writer->restarts = false;
	return DMTRACE_OK;
}

bool
dmt_writer_is_like(const struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader)
{
	return writer->like.reader == reader &&
	    (writer->state == DMT_WRITER_OPEN ||
	    writer->state == DMT_WRITER_COMPLETE);
}

enum dmtrace_status
dmt_writer_copy_stream(struct dmtrace_writer *writer,
    struct dmtrace_reader *reader, dmtrace_progress_fn *progress,
    void *context)
{
	struct dmt_input *const input = reader->input;
	const uint64_t size = dmt_input_size(input);
	const uint8_t *bytes;
	size_t len;

	writer->whole = true;
	dmt_writer_put_header(writer);
	dmt_input_rewind(input, reader->begins_at);
	while (writer->output.error.status == DMTRACE_OK &&
	    (len = dmt_input_peek(input, 1, &bytes)) > 0) {
		dmt_output_write(&writer->output, bytes, len);
		dmt_input_skip(input, len);
		if (progress != NULL &&
		    progress(context, input->offset, size) != 0)
			return dmt_error_set(&writer->error,
			    DMTRACE_ERR_CANCELLED, "cancelled");
	}
	if (input->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	return dmt_writer_check(writer);
}
