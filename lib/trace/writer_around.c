/* writer_around.c - what stands around the records: fresh, or as it was read */

#include "trace/writer.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/header_encode.h"
#include "format/header.h"
#include "private/key.h"
#include "trace/reader.h"

/* Of a key that ended its own file the LF may be missing. */
static bool
needs_lf(const struct dmtrace_writer *writer, const uint8_t *key, size_t len)
{
	return !writer->pair && writer->like != NULL &&
	    writer->like->container == DMTRACE_CONTAINER_PAIR &&
	    key[len - 1] != '\n';
}

void
dmt_writer_put_key(struct dmtrace_writer *writer)
{
	struct dmt_output *output = writer->pair ? &writer->key_output :
	    &writer->output;
	const size_t len = dmt_key_encoded_size(writer->key);
	uint8_t *bytes = dmt_array_new(len, 1);

	if (bytes == NULL) {
		dmt_error_memory(&output->error);
		return;
	}
	dmt_key_encode(writer->key, bytes, len);
	dmt_output_write(output, bytes, len);
	if (needs_lf(writer, bytes, len))
		dmt_output_write(output, "\n", 1);
	if (writer->like != NULL)
		dmt_output_write(output, writer->like->gap,
		    writer->like->gap_in_key);
	free(bytes);
}

/* As it was, but for the start, if that was set. */
static void
put_like(struct dmtrace_writer *writer, const struct dmtrace_reader *like)
{
	const size_t before =
	    writer->v2 != NULL ? DMT_V2_START : DMT_HEADER_START;
	const size_t after = before + sizeof(writer->header.start);
	uint8_t start[sizeof(writer->header.start)];

	if (!writer->restarts || like->header.data_offset == 0) {
		dmt_output_write(&writer->output, like->header_bytes,
		    like->header.data_offset);
		return;
	}
	dmt_put_le64(start, writer->v2 == NULL ? writer->header.start :
	    dmt_v2_start(dmt_v2_reading_form(like->v2),
	    writer->header.start));
	dmt_output_write(&writer->output, like->header_bytes, before);
	dmt_output_write(&writer->output, start, sizeof(start));
	dmt_output_write(&writer->output, like->header_bytes + after,
	    like->header.data_offset - after);
}

void
dmt_writer_put_header(struct dmtrace_writer *writer)
{
	const struct dmtrace_reader *like = writer->like;
	uint8_t bytes[DMT_HEADER_SIZE];

	if (like != NULL) {
		dmt_output_write(&writer->output, like->gap + like->gap_in_key,
		    like->gap_in_data);
		put_like(writer, like);
	} else if (writer->v2 != NULL) {
		dmt_v2_write_header(&writer->output, writer->v2,
		    writer->header.version);
	} else {
		dmt_header_encode(bytes, sizeof(bytes), &writer->header);
		dmt_output_write(&writer->output, bytes, sizeof(bytes));
	}
}

void
dmt_writer_put_tail(struct dmtrace_writer *writer)
{
	const uint8_t *bytes;

	if (writer->like == NULL)
		return;
	const size_t len = dmt_reader_tail(writer->like, &bytes);
	dmt_output_write(&writer->output, bytes, len);
}
