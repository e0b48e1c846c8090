/* parquet_file.c - a table as a Parquet file */

/*
 * A Parquet file is row groups, one after the other, and a footer with what is
 * in them, which readers read first. A row group has the values of one column
 * after the other, each in pages of some thousand rows. So rows are collected
 * in memory, column by column, until a group is full; memory is that of a
 * group, of all different texts, and of the metadata of the groups, some
 * kilobytes each.
 *
 * Nothing is compressed: the encodings make columns small. Before a group is
 * written, its rows are sorted by part, series and rank: differences are small
 * between the calls of a thread in the order of their enters, and a part has
 * calls of about the same duration, whose times need about as many bits. A page
 * ends where a part does. Each page is stored in the shortest way:
 *
 *   texts      positions in a dictionary of those that occur, or the texts
 *              themselves, where too few occur twice: the same in all pages of
 *              a group
 *   integers   DELTA_BINARY_PACKED, or positions in a dictionary, if that and
 *              what it adds to the dictionary are shorter: most times are
 *              multiples of 1000 ns, which differences cannot use. Pages have
 *              as many bits as their positions need, and short calls come
 *              first, so their positions are low
 *   BOOL       RLE
 *
 * NULL has a level of 0, and no value. The lowest and highest value of each
 * column of a group are stored, so that a query can skip the group.
 */

#include "export/parquet_file.h"

#include <dmtrace/status.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/output.h"
#include "export/parquet_encode.h"
#include "private/put.h"
#include "private/text.h"

#define PAGE_ROWS 65536
#define PAGE_ROWS_LEAST 1024		/* unless it is the last one */
#define PAGES (DMT_PARQUET_ROWS / PAGE_ROWS_LEAST + 1)
#define DICTIONARY_MAX 32768		/* different integers */
#define LIMIT_TEXT_MAX 1024		/* longer ones are not stored as lowest
					   and highest */

/* Numbers of the format: types, kinds of pages, encodings. */
enum { TYPE_BOOLEAN = 0, TYPE_INT64 = 2, TYPE_BYTE_ARRAY = 6 };
enum { REQUIRED = 0, OPTIONAL = 1 };
enum { CONVERTED_UTF8 = 0, CONVERTED_MICROS = 10 };
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { PLAIN = 0, RLE = 3, DELTA = 5, RLE_DICTIONARY = 8 };

/* Field numbers, by struct. */
enum { FILE_VERSION = 1, FILE_SCHEMA = 2, FILE_ROWS = 3, FILE_GROUPS = 4,
	FILE_PAIRS = 5, FILE_CREATOR = 6, FILE_ORDERS = 7 };
enum { SCHEMA_TYPE = 1, SCHEMA_REPETITION = 3, SCHEMA_NAME = 4,
	SCHEMA_CHILDREN = 5, SCHEMA_CONVERTED = 6, SCHEMA_LOGICAL = 10 };
enum { LOGICAL_STRING = 1, LOGICAL_TIMESTAMP = 8 };
enum { TIMESTAMP_UTC = 1, TIMESTAMP_UNIT = 2, UNIT_MICROS = 2 };
enum { PAIR_KEY = 1, PAIR_VALUE = 2 };
enum { ORDER_BY_TYPE = 1 };
enum { GROUP_COLUMNS = 1, GROUP_SIZE = 2, GROUP_ROWS = 3,
	GROUP_OFFSET = 5, GROUP_STORED_SIZE = 6 };
enum { CHUNK_OFFSET = 2, CHUNK_METADATA = 3 };
enum { COLUMN_TYPE = 1, COLUMN_ENCODINGS = 2, COLUMN_PATH = 3,
	COLUMN_CODEC = 4, COLUMN_VALUES = 5, COLUMN_SIZE = 6,
	COLUMN_STORED_SIZE = 7, COLUMN_DATA_OFFSET = 9,
	COLUMN_DICTIONARY_OFFSET = 11, COLUMN_STATISTICS = 12 };
enum { STATISTICS_NULLS = 3, STATISTICS_MAX = 5, STATISTICS_MIN = 6 };
enum { PAGE_TYPE = 1, PAGE_SIZE = 2, PAGE_STORED_SIZE = 3, PAGE_OF_DATA = 5,
	PAGE_OF_DICTIONARY = 7 };
enum { DATA_VALUES = 1, DATA_ENCODING = 2, DATA_LEVELS = 3,
	DATA_REPETITIONS = 4 };
enum { DICTIONARY_VALUES = 1, DICTIONARY_ENCODING = 2 };

static const struct {
	int type, converted;		/* converted is -1: none */
} physical[] = {
	[DMT_PARQUET_TEXT] = { TYPE_BYTE_ARRAY, CONVERTED_UTF8 },
	[DMT_PARQUET_BOOL] = { TYPE_BOOLEAN, -1 },
	[DMT_PARQUET_INT] = { TYPE_INT64, -1 },
	[DMT_PARQUET_TIME] = { TYPE_INT64, CONVERTED_MICROS }
};

/* Where a text is in the dictionary of a chunk: the last one that has it. */
struct text_place {
	uint32_t chunk;
	uint32_t position;
};

/* A page of a chunk. */
struct page {
	size_t rows;
	size_t values;			/* how many are not NULL */
	int encoding;
};

/* What is needed to write one chunk, the values of a column of a group. */
struct dmt_parquet_scratch {
	uint32_t *levels;		/* of each row: 0 for NULL */
	uint32_t *positions;		/* values of BOOL; numbers of texts,
					   later positions in the dictionary */
	uint64_t *integers;		/* values */
	size_t capacity;		/* of all three, in rows */
	struct page pages[PAGES];	/* of the chunk */
	size_t page_count;		/* the same in each chunk of a group */
	size_t values;			/* how many are not NULL */
	struct text_place *places;	/* by number of text */
	size_t place_capacity;
	uint32_t chunk;			/* number of the chunk */
	uint64_t *dictionary;		/* integers, or numbers of texts */
	size_t entries;
	size_t entry_capacity;
	uint64_t min, max;		/* of the chunk: integers, or numbers of
					   texts */
	struct dmt_output text;		/* one that is being escaped */
	struct dmt_output page;		/* in memory */
	struct dmt_output head;
};

static void
write_parquet(struct dmt_parquet *file, const void *bytes, size_t len)
{
	dmt_output_write(file->out, bytes, len);
	file->written += len;
}

/* Makes space for the next row. false: no memory. */
static bool
reserve_row(struct dmt_parquet *file)
{
	const size_t wanted = file->rows + 1;
	size_t capacity = file->capacity;

	if (wanted <= capacity)
		return true;
	struct dmt_parquet_place *const places = dmt_array_grow(file->places,
	    &capacity, wanted, sizeof(*places));
	if (places == NULL)
		return false;
	file->places = places;
	for (size_t i = 0; i < file->column_count; i++) {
		const struct dmt_parquet_column *const column =
		    &file->columns[i];
		struct dmt_parquet_values *const values = &file->values[i];
		const bool is_small = column->type <= DMT_PARQUET_BOOL;
		size_t room = file->capacity;
		void *const items = dmt_array_grow(is_small ?
		    (void *)values->small : values->large, &room, capacity,
		    is_small ? sizeof(*values->small) :
		    sizeof(*values->large));

		if (items == NULL)
			return false;
		values->small = is_small ? items : NULL;
		values->large = is_small ? NULL : items;
		if (!column->optional)
			continue;
		room = file->capacity;
		uint8_t *const there = dmt_array_grow(values->there, &room,
		    capacity, 1);
		if (there == NULL)
			return false;
		values->there = there;
	}
	file->capacity = capacity;
	return true;
}

bool
dmt_parquet_init(struct dmt_parquet *file,
    const struct dmt_parquet_column *columns, size_t count,
    struct dmt_output *out)
{
	*file = (struct dmt_parquet){
		.out = out, .columns = columns, .column_count = count,
		.values = dmt_array_new(count, sizeof(*file->values)),
		.scratch = dmt_array_new(1, sizeof(*file->scratch))
	};
	if (file->scratch == NULL || file->values == NULL)
		return false;
	write_parquet(file, "PAR1", 4);
	return reserve_row(file);
}

uint32_t
dmt_parquet_text(struct dmt_parquet *file, struct dmtrace_text text)
{
	struct dmt_output *const escaped = &file->scratch->text;

	dmt_put_name(escaped, DMT_PUT_TEXT, text, SIZE_MAX);
	const struct dmt_name name = { .name = dmt_output_text(escaped) };
	const uint32_t number = escaped->error.status != DMTRACE_OK ?
	    DMT_NO_NAME : dmt_name_table_intern(&file->texts, &name);
	dmt_output_clear(escaped);
	return number;
}

/* Pages. */

/* Writes what is in page, after its head. */
static void
write_page(struct dmt_parquet *file, int type, size_t values, int encoding)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;
	struct dmt_output *const page = &scratch->page;
	struct dmt_thrift thrift = { .output = &scratch->head };

	dmt_thrift_number(&thrift, PAGE_TYPE, DMT_THRIFT_I32, type);
	dmt_thrift_number(&thrift, PAGE_SIZE, DMT_THRIFT_I32,
	    (int64_t)page->len);
	dmt_thrift_number(&thrift, PAGE_STORED_SIZE, DMT_THRIFT_I32,
	    (int64_t)page->len);
	const unsigned outer = dmt_thrift_begin(&thrift, type == PAGE_DATA ?
	    PAGE_OF_DATA : PAGE_OF_DICTIONARY);
	dmt_thrift_number(&thrift, DATA_VALUES, DMT_THRIFT_I32,
	    (int64_t)values);
	dmt_thrift_number(&thrift, DATA_ENCODING, DMT_THRIFT_I32, encoding);
	if (type == PAGE_DATA) {
		dmt_thrift_number(&thrift, DATA_LEVELS, DMT_THRIFT_I32, RLE);
		dmt_thrift_number(&thrift, DATA_REPETITIONS, DMT_THRIFT_I32,
		    RLE);
	}
	dmt_thrift_end(&thrift, outer);
	dmt_thrift_end(&thrift, 0);
	write_parquet(file, scratch->head.bytes, scratch->head.len);
	write_parquet(file, page->bytes, page->len);
	dmt_output_clear(&scratch->head);
	dmt_output_clear(page);
}

static void
put_plain_text(struct dmt_output *page, struct dmtrace_text text)
{
	uint8_t len[4];

	dmt_put_le32(len, (uint32_t)text.len);
	dmt_output_write(page, len, sizeof(len));
	dmt_output_write(page, text.bytes, text.len);
}

static void
put_plain_integer(struct dmt_output *page, uint64_t number)
{
	uint8_t bytes[8];

	dmt_put_le64(bytes, number);
	dmt_output_write(page, bytes, sizeof(bytes));
}

static void
write_dictionary(struct dmt_parquet *file, bool is_text)
{
	const struct dmt_parquet_scratch *const scratch = file->scratch;

	for (size_t i = 0; i < scratch->entries; i++)
		if (is_text)
			put_plain_text(&file->scratch->page, file->texts.items[
			    scratch->dictionary[i]].name);
		else
			put_plain_integer(&file->scratch->page,
			    scratch->dictionary[i]);
	write_page(file, PAGE_DICTIONARY, scratch->entries, PLAIN);
}

/* Returns how many bits the positions of a page need. */
static unsigned
position_bits(const uint32_t *positions, size_t count)
{
	uint32_t any = 0;

	for (size_t i = 0; i < count; i++)
		any |= positions[i];
	return dmt_parquet_bits(any);
}

/* Puts levels or values of BOOL, after their length. */
static void
put_hybrid(struct dmt_output *page, const uint32_t *bits, size_t count)
{
	const size_t at = page->len;
	uint8_t len[4] = { 0 };

	dmt_output_write(page, len, sizeof(len));
	dmt_parquet_put_hybrid(page, bits, count, 1);
	dmt_put_le32(len, (uint32_t)(page->len - at - sizeof(len)));
	dmt_output_patch(page, at, len, sizeof(len));
}

/* Writes the page of count rows, which have the values from first on. */
static void
write_data_page(struct dmt_parquet *file,
    const struct dmt_parquet_column *column, const uint32_t *levels,
    size_t count, size_t first, size_t values, int encoding)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;
	struct dmt_output *const page = &scratch->page;
	const uint32_t *const positions = scratch->positions + first;
	const uint8_t bits = (uint8_t)(encoding != RLE_DICTIONARY ? 0 :
	    position_bits(positions, values));

	if (column->optional)
		put_hybrid(page, levels, count);
	if (encoding == RLE_DICTIONARY) {
		dmt_output_write(page, &bits, 1);
		dmt_parquet_put_hybrid(page, positions, values, bits);
	} else if (encoding == DELTA) {
		dmt_parquet_put_delta(page, scratch->integers + first, values);
	} else if (encoding == RLE) {
		put_hybrid(page, positions, values);
	} else {
		for (size_t i = 0; i < values; i++)
			put_plain_text(page,
			    file->texts.items[positions[i]].name);
	}
	write_page(file, PAGE_DATA, count, encoding);
}

/* Chunks. */

/* Makes space in scratch for all rows and texts. false: no memory. */
static bool
reserve_scratch(struct dmt_parquet *file)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;
	struct text_place *const places = dmt_array_grow_zero(scratch->places,
	    &scratch->place_capacity, file->texts.count,
	    sizeof(*places));

	if (places == NULL)
		return false;
	scratch->places = places;
	if (scratch->capacity >= file->rows)
		return true;
	free(scratch->levels);
	free(scratch->positions);
	free(scratch->integers);
	scratch->levels = dmt_array_new(file->rows, sizeof(uint32_t));
	scratch->positions = dmt_array_new(file->rows, sizeof(uint32_t));
	scratch->integers = dmt_array_new(file->rows, sizeof(uint64_t));
	scratch->capacity = file->rows;
	return scratch->levels != NULL && scratch->positions != NULL &&
	    scratch->integers != NULL;
}

static int
compare_places(const void *a, const void *b)
{
	const struct dmt_parquet_place *const one = a, *const other = b;

	if (one->part != other->part)
		return one->part < other->part ? -1 : 1;
	if (one->series != other->series)
		return one->series < other->series ? -1 : 1;
	if (one->rank != other->rank)
		return one->rank < other->rank ? -1 : 1;
	return one->row < other->row ? -1 : 1;
}

/* Divides the rows of a group into pages. */
static void
divide_pages(struct dmt_parquet *file)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;
	const struct dmt_parquet_place *const places = file->places;
	size_t begin = 0;

	scratch->page_count = 0;
	for (size_t i = 1; i <= file->rows; i++) {
		const size_t rows = i - begin;

		if (i < file->rows && rows < PAGE_ROWS &&
		    (rows < PAGE_ROWS_LEAST ||
		    places[i].part == places[i - 1].part))
			continue;
		scratch->pages[scratch->page_count++].rows = rows;
		begin = i;
	}
}

/* Copies the values of a column that are not NULL to scratch, in order. */
static void
gather_values(struct dmt_parquet *file,
    const struct dmt_parquet_values *column)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;
	size_t count = 0;

	for (size_t i = 0; i < file->rows; i++) {
		const uint32_t row = file->places[i].row;

		scratch->levels[i] = column->there == NULL ||
		    column->there[row];
		if (column->small != NULL)
			scratch->positions[count] = column->small[row];
		else
			scratch->integers[count] = column->large[row];
		count += scratch->levels[i];
	}
	scratch->values = count;
	const uint32_t *level = scratch->levels;
	for (size_t i = 0; i < scratch->page_count; i++) {
		struct page *const page = &scratch->pages[i];

		page->values = 0;
		for (size_t at = 0; at < page->rows; at++)
			page->values += *level++;
	}
}

static bool
add_entry(struct dmt_parquet_scratch *scratch, uint64_t value)
{
	uint64_t *const entries = dmt_array_grow(scratch->dictionary,
	    &scratch->entry_capacity, scratch->entries + 1, sizeof(*entries));

	if (entries == NULL)
		return false;
	scratch->dictionary = entries;
	entries[scratch->entries++] = value;
	return true;
}

static bool
is_text_below(const struct dmt_parquet *file, uint64_t a, uint64_t b)
{
	return dmt_text_compare(file->texts.items[a].name,
	    file->texts.items[b].name) < 0;
}

/* Chooses the encoding of texts, and replaces them by positions in a dictionary
 * if that is shorter. false: no memory. */
static bool
encode_texts(struct dmt_parquet *file)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;
	uint32_t *const values = scratch->positions;
	const uint32_t chunk = ++scratch->chunk;
	uint64_t plain = 0, dictionary = 0;

	scratch->min = scratch->max = values[0];
	for (size_t i = 0; i < scratch->values; i++) {
		struct text_place *const place = &scratch->places[values[i]];
		const uint64_t size =
		    4 + file->texts.items[values[i]].name.len;

		plain += size;
		if (place->chunk == chunk)
			continue;
		dictionary += size;
		*place = (struct text_place){ chunk,
		    (uint32_t)scratch->entries };
		if (!add_entry(scratch, values[i]))
			return false;
		if (is_text_below(file, values[i], scratch->min))
			scratch->min = values[i];
		if (is_text_below(file, scratch->max, values[i]))
			scratch->max = values[i];
	}
	dictionary += scratch->values *
	    (uint64_t)dmt_parquet_bits(scratch->entries - 1) / 8;
	if (dictionary >= plain) {
		scratch->entries = 0;
		return true;
	}
	for (size_t i = 0; i < scratch->values; i++)
		values[i] = scratch->places[values[i]].position;
	for (size_t i = 0; i < scratch->page_count; i++)
		scratch->pages[i].encoding = RLE_DICTIONARY;
	return true;
}

/* Makes positions in the dictionary of the integers from first on, and adds
 * those that are not in it, unless that takes more than most bytes: then
 * *fits is false, and the dictionary is as it was. map has the positions of
 * values, also of some that are not in the dictionary. false: no memory. */
static bool
add_page_integers(struct dmt_parquet_scratch *scratch, struct dmt_idmap *map,
    size_t first, size_t count, uint64_t most, bool *fits)
{
	const size_t old = scratch->entries;
	const uint64_t *const values = scratch->integers + first;
	uint32_t *const positions = scratch->positions + first;
	uint32_t any = 0;

	*fits = true;
	for (size_t i = 0; i < count && *fits; i++) {
		if (i > 0 && values[i] == values[i - 1]) {
			positions[i] = positions[i - 1];
			continue;
		}
		uint32_t *const found = dmt_idmap_at(map, values[i]);

		if (found == NULL)
			return false;
		if (*found >= scratch->entries ||
		    scratch->dictionary[*found] != values[i]) {
			*found = (uint32_t)scratch->entries;
			if (!add_entry(scratch, values[i]))
				return false;
		}
		any |= positions[i] = *found;
		*fits = scratch->entries <= DICTIONARY_MAX &&
		    8 * (scratch->entries - old) +
		    count * (uint64_t)dmt_parquet_bits(any) / 8 < most;
	}
	if (!*fits)
		scratch->entries = old;
	return true;
}

/* Chooses the shorter encoding of integers, page by page. false: no memory. */
static bool
encode_integers(struct dmt_parquet_scratch *scratch)
{
	const uint64_t *const values = scratch->integers;
	struct dmt_idmap map = { 0 };
	bool fits, fine = true;
	size_t first = 0;

	scratch->min = scratch->max = values[0];
	for (size_t i = 1; i < scratch->values; i++) {
		if ((int64_t)values[i] < (int64_t)scratch->min)
			scratch->min = values[i];
		if ((int64_t)values[i] > (int64_t)scratch->max)
			scratch->max = values[i];
	}
	for (size_t i = 0; i < scratch->page_count && fine; i++) {
		struct page *const page = &scratch->pages[i];

		if (page->values == 0)
			continue;
		fine = add_page_integers(scratch, &map, first, page->values,
		    dmt_parquet_put_delta(NULL, values + first, page->values),
		    &fits);
		page->encoding = fits ? RLE_DICTIONARY : DELTA;
		first += page->values;
	}
	dmt_idmap_fini(&map);
	return fine;
}

/* Chooses the encoding of each page, and prepares the dictionary. false: no
 * memory. */
static bool
encode_chunk(struct dmt_parquet *file, enum dmt_parquet_type type)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;

	scratch->entries = 0;
	for (size_t i = 0; i < scratch->page_count; i++)
		scratch->pages[i].encoding =
		    type == DMT_PARQUET_BOOL ? RLE : PLAIN;
	if (scratch->values == 0)
		return true;
	if (type == DMT_PARQUET_TEXT)
		return encode_texts(file);
	if (type != DMT_PARQUET_BOOL)
		return encode_integers(scratch);
	scratch->min = 1;
	scratch->max = 0;
	for (size_t i = 0; i < scratch->values; i++) {
		scratch->min &= scratch->positions[i];
		scratch->max |= scratch->positions[i];
	}
	return true;
}

/* Writes a value as the lowest or highest one. */
static void
put_limit(const struct dmt_parquet *file, struct dmt_thrift *thrift,
    unsigned field, enum dmt_parquet_type type, uint64_t value)
{
	uint8_t bytes[8];

	if (type == DMT_PARQUET_TEXT) {
		const struct dmtrace_text text =
		    file->texts.items[value].name;

		if (text.len <= LIMIT_TEXT_MAX)
			dmt_thrift_bytes(thrift, field, text.bytes, text.len);
		return;
	}
	dmt_put_le64(bytes, value);
	dmt_thrift_bytes(thrift, field, bytes,
	    type == DMT_PARQUET_BOOL ? 1 : sizeof(bytes));
}

/* Adds the metadata of a chunk that was written from its first byte, or that of
 * its dictionary, on. */
static void
put_chunk_metadata(struct dmt_parquet *file, struct dmt_thrift *thrift,
    const struct dmt_parquet_column *column, uint64_t first, uint64_t data)
{
	const struct dmt_parquet_scratch *const scratch = file->scratch;
	const int64_t size = (int64_t)(file->written - first);
	bool has[RLE_DICTIONARY + 1] = {
		[PLAIN] = scratch->entries > 0, [RLE] = column->optional
	};
	size_t encodings = 0;

	for (size_t i = 0; i < scratch->page_count; i++)
		has[scratch->pages[i].encoding] = true;
	for (int i = 0; i <= RLE_DICTIONARY; i++)
		encodings += has[i];
	const unsigned chunk = dmt_thrift_begin(thrift, 0);

	dmt_thrift_number(thrift, CHUNK_OFFSET, DMT_THRIFT_I64, 0);
	const unsigned outer = dmt_thrift_begin(thrift, CHUNK_METADATA);
	dmt_thrift_number(thrift, COLUMN_TYPE, DMT_THRIFT_I32,
	    physical[column->type].type);
	dmt_thrift_list(thrift, COLUMN_ENCODINGS, DMT_THRIFT_I32, encodings);
	for (int i = 0; i <= RLE_DICTIONARY; i++)
		if (has[i])
			dmt_thrift_element(thrift, i);
	dmt_thrift_list(thrift, COLUMN_PATH, DMT_THRIFT_BYTES, 1);
	dmt_thrift_bytes(thrift, 0, column->name, strlen(column->name));
	dmt_thrift_number(thrift, COLUMN_CODEC, DMT_THRIFT_I32, 0);
	dmt_thrift_number(thrift, COLUMN_VALUES, DMT_THRIFT_I64,
	    (int64_t)file->rows);
	dmt_thrift_number(thrift, COLUMN_SIZE, DMT_THRIFT_I64, size);
	dmt_thrift_number(thrift, COLUMN_STORED_SIZE, DMT_THRIFT_I64, size);
	dmt_thrift_number(thrift, COLUMN_DATA_OFFSET, DMT_THRIFT_I64,
	    (int64_t)data);
	if (data > first)
		dmt_thrift_number(thrift, COLUMN_DICTIONARY_OFFSET,
		    DMT_THRIFT_I64, (int64_t)first);
	const unsigned within = dmt_thrift_begin(thrift, COLUMN_STATISTICS);
	dmt_thrift_number(thrift, STATISTICS_NULLS, DMT_THRIFT_I64,
	    (int64_t)(file->rows - scratch->values));
	if (scratch->values > 0) {
		put_limit(file, thrift, STATISTICS_MAX, column->type,
		    scratch->max);
		put_limit(file, thrift, STATISTICS_MIN, column->type,
		    scratch->min);
	}
	dmt_thrift_end(thrift, within);
	dmt_thrift_end(thrift, outer);
	dmt_thrift_end(thrift, chunk);
}

/* Writes the chunk of a column. false: no memory. */
static bool
write_chunk(struct dmt_parquet *file, struct dmt_thrift *thrift,
    const struct dmt_parquet_column *column,
    const struct dmt_parquet_values *values)
{
	const struct dmt_parquet_scratch *const scratch = file->scratch;
	const uint64_t first = file->written;
	size_t row = 0, value = 0;

	gather_values(file, values);
	if (!encode_chunk(file, column->type))
		return false;
	if (scratch->entries > 0)
		write_dictionary(file, column->type == DMT_PARQUET_TEXT);
	const uint64_t data = file->written;
	for (size_t i = 0; i < scratch->page_count; i++) {
		const struct page *const page = &scratch->pages[i];

		write_data_page(file, column, scratch->levels + row,
		    page->rows, value, page->values, page->encoding);
		row += page->rows;
		value += page->values;
	}
	put_chunk_metadata(file, thrift, column, first, data);
	return true;
}

/* Writes the rows that were collected. false: no memory. */
static bool
write_row_group(struct dmt_parquet *file)
{
	struct dmt_thrift thrift = { .output = &file->groups };
	const uint64_t first = file->written;

	if (!reserve_scratch(file))
		return false;
	qsort(file->places, file->rows, sizeof(*file->places),
	    compare_places);
	divide_pages(file);
	dmt_thrift_list(&thrift, GROUP_COLUMNS, DMT_THRIFT_STRUCT,
	    file->column_count);
	for (size_t i = 0; i < file->column_count; i++)
		if (!write_chunk(file, &thrift, &file->columns[i],
		    &file->values[i]))
			return false;
	const int64_t size = (int64_t)(file->written - first);
	dmt_thrift_number(&thrift, GROUP_SIZE, DMT_THRIFT_I64, size);
	dmt_thrift_number(&thrift, GROUP_ROWS, DMT_THRIFT_I64,
	    (int64_t)file->rows);
	dmt_thrift_number(&thrift, GROUP_OFFSET, DMT_THRIFT_I64,
	    (int64_t)first);
	dmt_thrift_number(&thrift, GROUP_STORED_SIZE, DMT_THRIFT_I64, size);
	dmt_thrift_end(&thrift, 0);
	file->group_count++;
	file->all_rows += file->rows;
	file->rows = 0;
	return file->groups.error.status == DMTRACE_OK &&
	    file->scratch->page.error.status == DMTRACE_OK &&
	    file->scratch->head.error.status == DMTRACE_OK;
}

bool
dmt_parquet_end_row(struct dmt_parquet *file, unsigned part, uint32_t series,
    uint64_t rank)
{
	file->places[file->rows] = (struct dmt_parquet_place){
		.part = part, .series = series, .row = (uint32_t)file->rows,
		.rank = rank
	};
	file->rows++;
	return (file->rows < DMT_PARQUET_ROWS || write_row_group(file)) &&
	    reserve_row(file);
}

/* The footer. */

static void
put_schema(struct dmt_thrift *thrift, const struct dmt_parquet *file)
{
	dmt_thrift_list(thrift, FILE_SCHEMA, DMT_THRIFT_STRUCT,
	    1 + file->column_count);
	unsigned outer = dmt_thrift_begin(thrift, 0);
	dmt_thrift_bytes(thrift, SCHEMA_NAME, "schema", 6);
	dmt_thrift_number(thrift, SCHEMA_CHILDREN, DMT_THRIFT_I32,
	    (int64_t)file->column_count);
	dmt_thrift_end(thrift, outer);
	for (size_t i = 0; i < file->column_count; i++) {
		const struct dmt_parquet_column *const column =
		    &file->columns[i];
		const enum dmt_parquet_type type = column->type;

		outer = dmt_thrift_begin(thrift, 0);
		dmt_thrift_number(thrift, SCHEMA_TYPE, DMT_THRIFT_I32,
		    physical[type].type);
		dmt_thrift_number(thrift, SCHEMA_REPETITION, DMT_THRIFT_I32,
		    column->optional ? OPTIONAL : REQUIRED);
		dmt_thrift_bytes(thrift, SCHEMA_NAME, column->name,
		    strlen(column->name));
		if (physical[type].converted >= 0) {
			dmt_thrift_number(thrift, SCHEMA_CONVERTED,
			    DMT_THRIFT_I32, physical[type].converted);
			const unsigned logical =
			    dmt_thrift_begin(thrift, SCHEMA_LOGICAL);
			const unsigned within = dmt_thrift_begin(thrift,
			    type == DMT_PARQUET_TEXT ? LOGICAL_STRING :
			    LOGICAL_TIMESTAMP);
			if (type == DMT_PARQUET_TIME) {
				dmt_thrift_true(thrift, TIMESTAMP_UTC);
				const unsigned unit = dmt_thrift_begin(thrift,
				    TIMESTAMP_UNIT);
				dmt_thrift_end(thrift,
				    dmt_thrift_begin(thrift, UNIT_MICROS));
				dmt_thrift_end(thrift, unit);
			}
			dmt_thrift_end(thrift, within);
			dmt_thrift_end(thrift, logical);
		}
		dmt_thrift_end(thrift, outer);
	}
}

static void
put_file_pairs(struct dmt_thrift *thrift, const char *const *pairs)
{
	size_t count = 0;

	while (pairs[count] != NULL)
		count += 2;
	dmt_thrift_list(thrift, FILE_PAIRS, DMT_THRIFT_STRUCT, count / 2);
	for (size_t i = 0; i < count; i += 2) {
		const unsigned outer = dmt_thrift_begin(thrift, 0);

		dmt_thrift_bytes(thrift, PAIR_KEY, pairs[i], strlen(pairs[i]));
		dmt_thrift_bytes(thrift, PAIR_VALUE, pairs[i + 1],
		    strlen(pairs[i + 1]));
		dmt_thrift_end(thrift, outer);
	}
}

bool
dmt_parquet_end(struct dmt_parquet *file, const char *const *pairs)
{
	struct dmt_output *const footer = &file->scratch->page;
	struct dmt_thrift thrift = { .output = footer };
	char creator[64];
	uint8_t len[4];

	if (file->rows > 0 && !write_row_group(file))
		return false;
	snprintf(creator, sizeof(creator), "dmtrace version %s",
	    dmtrace_version());
	dmt_thrift_number(&thrift, FILE_VERSION, DMT_THRIFT_I32, 1);
	put_schema(&thrift, file);
	dmt_thrift_number(&thrift, FILE_ROWS, DMT_THRIFT_I64,
	    (int64_t)file->all_rows);
	dmt_thrift_list(&thrift, FILE_GROUPS, DMT_THRIFT_STRUCT,
	    file->group_count);
	dmt_output_write(footer, file->groups.bytes, file->groups.len);
	put_file_pairs(&thrift, pairs);
	dmt_thrift_bytes(&thrift, FILE_CREATOR, creator, strlen(creator));
	dmt_thrift_list(&thrift, FILE_ORDERS, DMT_THRIFT_STRUCT,
	    file->column_count);
	for (size_t i = 0; i < file->column_count; i++) {
		const unsigned outer = dmt_thrift_begin(&thrift, 0);

		dmt_thrift_end(&thrift,
		    dmt_thrift_begin(&thrift, ORDER_BY_TYPE));
		dmt_thrift_end(&thrift, outer);
	}
	dmt_thrift_end(&thrift, 0);
	dmt_put_le32(len, (uint32_t)footer->len);
	dmt_output_write(footer, len, sizeof(len));
	dmt_output_write(footer, "PAR1", 4);
	write_parquet(file, footer->bytes, footer->len);
	return footer->error.status == DMTRACE_OK;
}

void
dmt_parquet_fini(struct dmt_parquet *file)
{
	struct dmt_parquet_scratch *const scratch = file->scratch;

	if (file->out == NULL)
		return;
	for (size_t i = 0; i < file->column_count && file->values != NULL;
	    i++) {
		free(file->values[i].small);
		free(file->values[i].large);
		free(file->values[i].there);
	}
	free(file->values);
	free(file->places);
	dmt_name_table_fini(&file->texts);
	dmt_output_fini(&file->groups);
	if (scratch == NULL)
		return;
	free(scratch->levels);
	free(scratch->positions);
	free(scratch->integers);
	free(scratch->places);
	free(scratch->dictionary);
	dmt_output_fini(&scratch->page);
	dmt_output_fini(&scratch->head);
	dmt_output_fini(&scratch->text);
	free(scratch);
}
