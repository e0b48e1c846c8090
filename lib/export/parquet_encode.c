/* parquet_encode.c - how Parquet encodes structs, integers and levels */

/*
 * The metadata of a Parquet file is structs in Thrift's compact protocol: a
 * field is a byte with its type and its distance from the field before, then
 * its value. Numbers are zigzag varints.
 *
 * Levels and positions in dictionaries are the RLE hybrid: runs of one value,
 * and groups of eight values packed into bits. Integers are
 * DELTA_BINARY_PACKED: blocks of 128 differences to the value before, less the
 * lowest of the block, in four parts of 32, each packed into as many bits as
 * its highest one needs. The lowest bits come first. All arithmetic is modulo
 * 2^64.
 */

#include "export/parquet_encode.h"

#include <string.h>

#include "base/bytes.h"
#include "base/leb128.h"

#define GROUP 8				/* values packed at a time */
#define BLOCK 128			/* differences of one minimum */
#define PART 32				/* differences of one width */
#define PARTS (BLOCK / PART)

/* Thrift. */

static uint64_t
zigzag(uint64_t number)
{
	return number << 1 ^ (0 - (number >> 63));
}

static void
put_varint(struct dmt_output *output, uint64_t number)
{
	uint8_t bytes[DMT_LEB_MAX];

	dmt_output_write(output, bytes,
	    (size_t)(dmt_uleb_put(bytes, number) - bytes));
}

static void
begin_field(struct dmt_thrift *thrift, unsigned field, unsigned type)
{
	const uint8_t head = (uint8_t)((field - thrift->field) << 4 | type);

	dmt_output_write(thrift->output, &head, 1);
	thrift->field = field;
}

void
dmt_thrift_number(struct dmt_thrift *thrift, unsigned field,
    enum dmt_thrift_type type, int64_t number)
{
	begin_field(thrift, field, type);
	dmt_thrift_element(thrift, number);
}

void
dmt_thrift_element(struct dmt_thrift *thrift, int64_t number)
{
	put_varint(thrift->output, zigzag((uint64_t)number));
}

void
dmt_thrift_true(struct dmt_thrift *thrift, unsigned field)
{
	begin_field(thrift, field, DMT_THRIFT_TRUE);
}

void
dmt_thrift_bytes(struct dmt_thrift *thrift, unsigned field, const void *bytes,
    size_t len)
{
	if (field != 0)
		begin_field(thrift, field, DMT_THRIFT_BYTES);
	put_varint(thrift->output, len);
	dmt_output_write(thrift->output, bytes, len);
}

void
dmt_thrift_list(struct dmt_thrift *thrift, unsigned field,
    enum dmt_thrift_type type, size_t count)
{
	const uint8_t head =
	    (uint8_t)((count < 15 ? count : 15) << 4 | type);

	begin_field(thrift, field, DMT_THRIFT_LIST);
	dmt_output_write(thrift->output, &head, 1);
	if (count >= 15)
		put_varint(thrift->output, count);
}

unsigned
dmt_thrift_begin(struct dmt_thrift *thrift, unsigned field)
{
	if (field != 0)
		begin_field(thrift, field, DMT_THRIFT_STRUCT);
	const unsigned outer = thrift->field;
	thrift->field = 0;
	return outer;
}

void
dmt_thrift_end(struct dmt_thrift *thrift, unsigned outer)
{
	dmt_output_write(thrift->output, "", 1);
	thrift->field = outer;
}

/* Bits. */

unsigned
dmt_parquet_bits(uint64_t max)
{
	unsigned bits = 0;

	for (; max != 0; max >>= 1)
		bits++;
	return bits;
}

/* Packs values whose bits make whole bytes. */
static uint8_t *
pack_bits(uint8_t *out, const uint64_t *values, size_t count, unsigned bits)
{
	uint64_t word = 0;
	unsigned used = 0;

	for (size_t i = 0; i < count && bits > 0; i++) {
		word |= values[i] << used;
		used += bits;
		if (used < 64)
			continue;
		dmt_put_le64(out, word);
		out += 8;
		used -= 64;
		word = used == 0 ? 0 : values[i] >> (bits - used);
	}
	for (; used > 0; used -= 8, word >>= 8)
		*out++ = (uint8_t)word;
	return out;
}

/* Returns how many values are equal from here on. */
static size_t
run_len(const uint32_t *values, size_t count)
{
	size_t len = 1;

	while (len < count && values[len] == values[0])
		len++;
	return len;
}

static void
put_run(struct dmt_output *output, uint32_t value, size_t len, unsigned bits)
{
	uint8_t bytes[4];

	put_varint(output, len << 1);
	dmt_put_le32(bytes, value);
	dmt_output_write(output, bytes, (bits + 7) / 8);
}

/* Packs values in groups, the last of which is filled with zeros. */
static void
put_groups(struct dmt_output *output, const uint32_t *values, size_t count,
    unsigned bits)
{
	put_varint(output, (count + GROUP - 1) / GROUP << 1 | 1);
	for (size_t at = 0; at < count; at += GROUP) {
		uint64_t group[GROUP] = { 0 };
		uint8_t bytes[GROUP * 4];

		for (size_t i = 0; i < GROUP && at + i < count; i++)
			group[i] = values[at + i];
		dmt_output_write(output, bytes, (size_t)(pack_bits(bytes,
		    group, GROUP, bits) - bytes));
	}
}

void
dmt_parquet_put_hybrid(struct dmt_output *output, const uint32_t *values,
    size_t count, unsigned bits)
{
	for (size_t at = 0; at < count;) {
		size_t packed = 0;
		size_t run = run_len(values + at, count - at);

		/* whole groups, up to a run that is worth its header */
		while (run < GROUP && at + packed + GROUP < count) {
			packed += GROUP;
			run = run_len(values + at + packed,
			    count - at - packed);
		}
		if (run < GROUP && run < count - at - packed) {
			packed = count - at;
			run = 0;
		}
		if (packed > 0)
			put_groups(output, values + at, packed, bits);
		if (run > 0)
			put_run(output, values[at + packed], run, bits);
		at += packed + run;
	}
}

/* Encodes a block of count differences to out. Returns its end. */
static uint8_t *
put_block(uint8_t *out, uint64_t deltas[BLOCK], size_t count)
{
	uint64_t least = deltas[0];
	uint8_t *widths;

	for (size_t i = 1; i < count; i++)
		if ((int64_t)deltas[i] < (int64_t)least)
			least = deltas[i];
	for (size_t i = 0; i < BLOCK; i++)
		deltas[i] = i < count ? deltas[i] - least : 0;
	out = dmt_uleb_put(out, zigzag(least));
	widths = out;
	out += PARTS;
	for (size_t part = 0; part < PARTS; part++) {
		const uint64_t *const in = deltas + part * PART;
		uint64_t any = 0;

		for (size_t i = 0; i < PART; i++)
			any |= in[i];
		widths[part] = (uint8_t)dmt_parquet_bits(any);
		if (part * PART < count)
			out = pack_bits(out, in, PART, widths[part]);
	}
	return out;
}

size_t
dmt_parquet_put_delta(struct dmt_output *output, const uint64_t *values,
    size_t count)
{
	/* the head, or the minimum and widths of a block, and its values */
	uint8_t bytes[4 * DMT_LEB_MAX + BLOCK * 8];
	uint8_t *end = dmt_uleb_put(bytes, BLOCK);
	size_t size = 0;

	end = dmt_uleb_put(end, PARTS);
	end = dmt_uleb_put(end, count);
	end = dmt_uleb_put(end, zigzag(values[0]));
	for (size_t at = 1;; at += BLOCK) {
		uint64_t deltas[BLOCK];
		size_t len = 0;

		if (output != NULL)
			dmt_output_write(output, bytes, (size_t)(end - bytes));
		size += (size_t)(end - bytes);
		if (at >= count)
			return size;
		for (; len < BLOCK && at + len < count; len++)
			deltas[len] = values[at + len] - values[at + len - 1];
		end = put_block(bytes, deltas, len);
	}
}
