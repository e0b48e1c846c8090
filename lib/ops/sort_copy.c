/* sort_copy.c - a trace that is in order, copied while that is found out */

#include "ops/sort_copy.h"

#include "ops/sort_key.h"

struct run {
	const uint8_t *in;
	size_t count;
	uint64_t *last;			/* time of the record before */
};

/* What came so far: a step back leaves the highest bit in back, the reserved
 * action the lowest one in odd. */
struct seen {
	uint64_t last;
	uint64_t back;
	unsigned odd;
};

DMT_INLINE void
look_at(struct seen *seen, const struct dmtrace_layout *layout,
    const uint8_t *in)
{
	const uint64_t time_us = dmt_field_get(dmt_sort_field(layout), in);
	const unsigned action = in[layout->method.offset];

	seen->back |= time_us - seen->last;
	seen->odd |= action & action >> 1;
	seen->last = time_us;
}

/* By no branch, to the end of the run in any case, and four records at once.
 * Returns how many were looked at, 0 if not all are in order or one is odd. */
DMT_INLINE size_t
check_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct run *const run = context;
	const size_t size = layout->record_size;
	const uint8_t *in = run->in;
	struct seen seen = { .last = *run->last };
	size_t left = run->count;

	for (; left >= 4; left -= 4, in += 4 * size) {
		look_at(&seen, layout, in);
		look_at(&seen, layout, in + size);
		look_at(&seen, layout, in + 2 * size);
		look_at(&seen, layout, in + 3 * size);
	}
	for (; left > 0; left--, in += size)
		look_at(&seen, layout, in);
	*run->last = seen.last;
	return seen.back >> 63 == 0 && (seen.odd & 1) == 0 ? run->count : 0;
}

/* The next records. false: they are not in order, or there is none. */
static bool
copy_some(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer, uint64_t *last)
{
	const size_t count = dmt_reader_take(reader, SIZE_MAX);
	const struct run run = { reader->records, count, last };

	if (count == 0 || dmt_loop(check_run, &run, &reader->layout) == 0)
		return false;
	dmt_writer_copy_window(writer);
	return dmt_writer_check(writer) == DMTRACE_OK &&
	    dmt_op_progress(op, reader->source->offset,
	    dmt_source_size(reader->source)) == DMTRACE_OK;
}

/* From the first record on. */
static void
take_back(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer)
{
	dmt_writer_rewind(writer);
	dmt_writer_check(writer);
	dmt_reader_seek(reader, 0);
	dmt_op_fail(op, NULL, &writer->error);
	dmt_op_fail(op, NULL, &reader->error);
}

static bool
is_meant(const struct dmtrace_reader *reader,
    const struct dmtrace_writer *writer)
{
	const struct dmtrace_layout *const layout = &reader->layout;

	return (layout->cpu.width == 0 || layout->wall.width == 0) &&
	    dmt_writer_can_rewind(writer);
}

bool
dmt_sort_copy(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer)
{
	uint64_t last = 0;

	if (!is_meant(reader, writer))
		return false;
	while (copy_some(op, reader, writer, &last))
		;
	if (reader->records_len == 0)
		dmt_reader_end(reader);
	dmt_op_fail(op, NULL, &writer->error);
	dmt_op_fail(op, NULL, &reader->error);
	if (op->error.status == DMTRACE_OK && reader->records_len > 0)
		take_back(op, reader, writer);
	else
		dmt_writer_end_copy(writer, reader->position);
	return op->error.status != DMTRACE_OK ||
	    reader->state == DMT_READER_ENDED;
}
