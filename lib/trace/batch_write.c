/* batch_write.c - encodes the events of batches as records */

#include "trace/batch_write.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/header_encode.h"
#include "format/header.h"

/* Returns how many records to encode in one go: as many as fit in the output's
 * buffer or, for memory, which grows, in a block. */
static size_t
records_at_once(const struct dmt_output *output, size_t size)
{
	const size_t room = output->call.write == NULL ||
	    output->capacity < size ? DMT_BLOCK_SIZE : output->capacity;

	return room / size;
}

size_t
dmt_batch_write(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first, size_t count)
{
	const struct dmt_layout *const layout = &writing->format.layout;
	const size_t size = layout->record_size;
	size_t done = 0;

	while (done < count) {
		const size_t most = records_at_once(output, size);
		const size_t some = count - done < most ? count - done : most;
		uint8_t *const out = dmt_output_reserve(output, some * size);
		if (out == NULL)
			break;
		const size_t fit = writing->encode(out, layout, batch,
		    first + done, some, source->indexes, source->changes);
		dmt_output_advance(output, fit * size);
		done += fit;
		if (fit < some)
			break;
	}
	return done;
}

uint64_t
dmt_batch_patch(struct dmt_writing *writing, struct dmt_output *output,
    uint64_t at, const struct dmtrace_source *source,
    const struct dmt_batch *batch)
{
	const struct dmt_layout *const layout = &writing->format.layout;
	const size_t len = (size_t)dmt_records_len(layout, batch->kept);
	uint8_t *const bytes = dmt_array_new(len, 1);

	if (bytes == NULL) {
		dmt_error_memory(&output->error);
		return at;
	}
	writing->encode(bytes, layout, batch, 0, batch->kept,
	    source->indexes, source->changes);
	dmt_output_patch(output, at, bytes, len);
	free(bytes);
	return at + len;
}

static struct dmt_writing *
new_record_writing(const struct dmt_trace_format *format)
{
	(void)format;
	return calloc(1, sizeof(struct dmt_writing));
}

static void
free_record_writing(struct dmt_writing *writing)
{
	free(writing);
}

void
dmt_batch_write_header(struct dmt_writing *writing, struct dmt_output *output,
    uint64_t start)
{
	struct dmt_header header =
	    dmt_header_of(&writing->format.layout, start);
	uint8_t bytes[DMT_HEADER_SIZE];

	header.version = writing->format.version;
	dmt_header_encode(bytes, sizeof(bytes), &header);
	dmt_output_write(output, bytes, sizeof(bytes));
}

void
dmt_batch_write_flush(struct dmt_writing *writing, struct dmt_output *output)
{
	(void)writing;
	(void)output;
}

/* Nothing follows them. */
static void
end_records(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_key *key)
{
	(void)writing;
	(void)output;
	(void)key;
}

size_t
dmt_batch_event_max(const struct dmt_trace_format *format)
{
	return (size_t)dmt_records_len(&format->layout, 1);
}

const struct dmt_dialect dmt_dialect_records = {
	.title = "a key and records",
	.has_records = true,
	.start_at = DMT_HEADER_START,
	.writing_new = new_record_writing,
	.writing_free = free_record_writing,
	.begin = dmt_batch_write_header,
	.put = dmt_batch_write,
	.flush = dmt_batch_write_flush,
	.end = end_records,
	.event_max = dmt_batch_event_max
};
