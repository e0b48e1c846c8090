/* parquet.c - any trace as Parquet, read by a reader of its own */

/*
 * The reader knows Thrift's compact protocol and nothing of the writer: it
 * reads structs into fields by number. It follows the footer to each column of
 * each row group, goes from page to page, and demands that sizes and numbers of
 * values agree.
 */

#include <dmtrace.h>
#include <string.h>

#include "base/output.h"
#include "fuzz/targets.h"
#include "private/export.h"
#include "private/select.h"

enum { FIELDS = 16 };

struct bytes {
	const uint8_t *at, *end;
};

/* Fields by number: numbers, or where bytes, a list or a struct begins. */
struct fields {
	uint64_t number[FIELDS];
	struct bytes inner[FIELDS];
	bool is_there[FIELDS];
};

static uint64_t
get_varint(struct bytes *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		demand(in->at < in->end && shift < 64, "a number ends");
		value |= (uint64_t)(*in->at & 0x7f) << shift;
		if (*in->at++ < 0x80)
			return value;
	}
}

static struct fields
get_struct(struct bytes *in);

/* Moves past a value. Returns it, if it is a number. */
static uint64_t
get_value(struct bytes *in, unsigned type)
{
	uint64_t value = 0;

	switch (type) {
	case 1: case 2:
		return type == 1;
	case 4: case 5: case 6:
		value = get_varint(in);
		return value >> 1 ^ (0 - (value & 1));
	case 8:
		value = get_varint(in);
		demand(value <= (uint64_t)(in->end - in->at), "bytes fit");
		in->at += value;
		return 0;
	case 9:
		demand(in->at < in->end, "a list has a head");
		type = *in->at & 0x0f;
		value = *in->at++ >> 4;
		for (value = value == 15 ? get_varint(in) : value; value > 0;
		    value--)
			get_value(in, type);
		return 0;
	case 12:
		get_struct(in);
		return 0;
	default:
		demand(false, "a field has one of the types that are used");
		return 0;
	}
}

static struct fields
get_struct(struct bytes *in)
{
	struct fields fields = { .number = { 0 } };
	unsigned field = 0;

	for (;;) {
		demand(in->at < in->end, "a struct ends");
		const uint8_t head = *in->at++;
		if (head == 0)
			return fields;
		demand(head >> 4 != 0, "fields rise");
		field += head >> 4;
		demand(field < FIELDS, "fields are those that are known");
		fields.is_there[field] = true;
		fields.inner[field] = *in;
		fields.number[field] = get_value(in, head & 0x0f);
	}
}

/* Reads the head of a list, and returns its length. */
static uint64_t
get_list(struct bytes *in)
{
	const uint64_t count = *in->at++ >> 4;

	return count == 15 ? get_varint(in) : count;
}

/* Checks the pages of a column's chunk, which has that many rows. */
static void
check_chunk(const uint8_t *file, size_t len, struct fields chunk,
    uint64_t rows)
{
	const struct fields column = get_struct(&chunk.inner[3]);
	const uint64_t first = column.is_there[11] ? column.number[11] :
	    column.number[9];
	const uint64_t size = column.number[7];
	uint64_t values = 0;

	demand(column.number[5] == rows, "a chunk has all rows");
	demand(column.number[6] == size, "nothing is compressed");
	demand(first >= 4 && first + size <= len, "a chunk is in the file");
	struct bytes in = { file + first, file + first + size };
	while (in.at < in.end) {
		struct fields page = get_struct(&in);
		const bool is_data = page.number[1] == 0;

		demand(page.number[3] <= (uint64_t)(in.end - in.at),
		    "a page is in its chunk");
		demand(is_data == page.is_there[5] &&
		    is_data == !page.is_there[7], "a page has its own head");
		if (is_data)
			values += get_struct(&page.inner[5]).number[1];
		in.at += page.number[3];
	}
	demand(values == rows, "the pages have all rows");
}

static void
check_parquet(const uint8_t *file, size_t len)
{
	demand(len >= 12 && memcmp(file, "PAR1", 4) == 0 &&
	    memcmp(file + len - 4, "PAR1", 4) == 0, "the file has its marks");
	const uint8_t *const end = file + len - 8;
	const size_t size = end[0] | (size_t)end[1] << 8 |
	    (size_t)end[2] << 16 | (size_t)end[3] << 24;
	demand(size <= len - 12, "the footer is in the file");
	struct bytes in = { end - size, end };
	struct fields footer = get_struct(&in);
	uint64_t rows = 0;

	demand(in.at == in.end, "nothing follows the footer");
	const uint64_t columns = get_list(&footer.inner[2]) - 1;
	for (uint64_t groups = get_list(&footer.inner[4]); groups > 0;
	    groups--) {
		struct fields group = get_struct(&footer.inner[4]);

		demand(get_list(&group.inner[1]) == columns,
		    "a row group has all columns");
		for (uint64_t i = 0; i < columns; i++)
			check_chunk(file, len, get_struct(&group.inner[1]),
			    group.number[3]);
		rows += group.number[3];
	}
	demand(rows == footer.number[3], "the row groups have all rows");
	demand(get_list(&footer.inner[7]) == columns,
	    "each column has an order");
}

/* Exports a trace as a table. */
static void
export_table(const uint8_t *bytes, size_t len,
    const struct dmtrace_export_format *format, enum dmtrace_export_rows rows)
{
	static const struct dmtrace_export_label label = { "build", "\xff" };
	const struct dmt_exporter_options options = {
		.rows = rows, .per_thread = 1, .labels = &label,
		.label_count = 1
	};
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmt_output sink = { 0 };

	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK) {
		struct dmtrace_source *const source =
		    dmtrace_source_new(reader);
		struct dmt_exporter *const exporter =
		    dmt_exporter_new(format, &options, &sink);

		if (dmt_exporter_add(exporter, source, "a\\b") ==
		    DMTRACE_OK && dmt_exporter_finish(exporter, NULL) ==
		    DMTRACE_OK)
			check_parquet((const uint8_t *)sink.bytes, sink.len);
		dmt_exporter_free(exporter);
		dmtrace_source_free(source);
	}
	dmtrace_reader_free(reader);
	dmt_output_fini(&sink);
}

void
run_parquet(const uint8_t *bytes, size_t len)
{
	const struct dmtrace_export_format *format;

	for (size_t i = 0; (format = dmtrace_export_format_get(i)) != NULL;
	    i++)
		for (int rows = 0;
		    format->tables && rows <= DMTRACE_ROWS_THREADS; rows++)
			export_table(bytes, len, format,
			    (enum dmtrace_export_rows)rows);
}
