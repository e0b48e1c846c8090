/* writer_rest.c - the bytes of records that no field holds */

#include "trace/writer.h"

#include <string.h>

#include "trace/reader.h"

static size_t
field_end(struct dmt_field field)
{
	return field.width == 0 ? 0 : (size_t)field.offset + field.width;
}

/* Where the fields end and the rest begins. */
static size_t
stored_fields_size(const struct dmtrace_layout *layout)
{
	const size_t ends[] = {
		field_end(layout->thread), field_end(layout->method),
		field_end(layout->cpu), field_end(layout->wall)
	};
	size_t last = 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends[i] > last)
			last = ends[i];
	return last;
}

void
dmt_writer_put_rest(struct dmtrace_writer *writer, uint8_t *out,
    size_t count)
{
	const struct dmtrace_reader *reader = writer->like;
	const size_t size = writer->layout.record_size;
	const size_t held = stored_fields_size(&writer->layout);

	if (reader == NULL || held == size)
		return;
	if (writer->rest_read != reader->position) {
		writer->rest_read = reader->position;
		writer->rest_next = 0;
	}
	for (; count > 0; count--, out += size) {
		size_t at = writer->rest_next;

		while (at < reader->records_len &&
		    memcmp(out, reader->records + at, held) != 0)
			at += size;
		if (at == reader->records_len)
			continue;
		memcpy(out, reader->records + at, size);
		writer->rest_next = at + size;
	}
}
