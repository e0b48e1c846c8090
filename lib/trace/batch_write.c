/* batch_write.c - encodes the events of batches to an output */

#include "trace/batch_write.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record_columns.h"

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
dmt_batch_write(struct dmt_output *output, const struct dmt_batch_form *form,
    const struct dmt_batch *batch, size_t first, size_t count)
{
	const size_t size = form->layout->record_size;
	size_t done = 0;

	while (done < count) {
		const size_t most = records_at_once(output, size);
		const size_t some = count - done < most ? count - done : most;
		uint8_t *const out = dmt_output_reserve(output, some * size);
		if (out == NULL)
			break;
		const size_t fit = dmt_columns_encode(out, form->layout,
		    batch, first + done, some, form->indexes, form->like,
		    form->changes);
		dmt_output_advance(output, fit * size);
		done += fit;
		if (fit < some)
			break;
	}
	return done;
}

uint64_t
dmt_batch_patch(struct dmt_output *output, uint64_t at,
    const struct dmt_batch_form *form, const struct dmt_batch *batch)
{
	const size_t len =
	    (size_t)dmt_records_len(form->layout, batch->kept);
	uint8_t *const bytes = dmt_array_new(len, 1);

	if (bytes == NULL) {
		dmt_error_memory(&output->error);
		return at;
	}
	dmt_columns_encode(bytes, form->layout, batch, 0, batch->kept,
	    form->indexes, form->like, form->changes);
	dmt_output_patch(output, at, bytes, len);
	free(bytes);
	return at + len;
}
