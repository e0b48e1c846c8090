/* parquet_encode.h - how Parquet encodes structs, integers and levels */
#ifndef DMT_EXPORT_PARQUET_ENCODE_H
#define DMT_EXPORT_PARQUET_ENCODE_H

#include <stdint.h>

#include "base/output.h"

/*
 * A writer of Thrift's compact protocol. The fields of a struct are written in
 * rising order of their numbers; field is the last one.
 */
struct dmt_thrift {
	struct dmt_output *output;
	unsigned field;
};

enum dmt_thrift_type {
	DMT_THRIFT_TRUE = 1,
	DMT_THRIFT_I16 = 4,
	DMT_THRIFT_I32 = 5,
	DMT_THRIFT_I64 = 6,
	DMT_THRIFT_BYTES = 8,
	DMT_THRIFT_LIST = 9,
	DMT_THRIFT_STRUCT = 12
};

/* Writes the field with a number, of one of the types of numbers. */
void
dmt_thrift_number(struct dmt_thrift *thrift, unsigned field,
    enum dmt_thrift_type type, int64_t number);

/* Writes the field with a value of true. */
void
dmt_thrift_true(struct dmt_thrift *thrift, unsigned field);

/* Writes the field, or the next element of a list if field is 0, with bytes or
 * text. */
void
dmt_thrift_bytes(struct dmt_thrift *thrift, unsigned field, const void *bytes,
    size_t len);

/* Begins a list, whose elements follow: structs, bytes, or numbers, as
 * dmt_thrift_element writes them. */
void
dmt_thrift_list(struct dmt_thrift *thrift, unsigned field,
    enum dmt_thrift_type type, size_t count);
void
dmt_thrift_element(struct dmt_thrift *thrift, int64_t number);

/* Begins a struct, which is the field or, if that is 0, the next element of a
 * list, or the whole. Returns what end needs. */
unsigned
dmt_thrift_begin(struct dmt_thrift *thrift, unsigned field);
void
dmt_thrift_end(struct dmt_thrift *thrift, unsigned outer);

/* Returns the number of bits that values up to max need. */
unsigned
dmt_parquet_bits(uint64_t max);

/* Appends the RLE/bit-packing hybrid of values of at most 32 bits, without its
 * length: equal values, eight or more, as a run, others packed. */
void
dmt_parquet_put_hybrid(struct dmt_output *output, const uint32_t *values,
    size_t count, unsigned bits);

/* Appends values as DELTA_BINARY_PACKED, and returns their size in bytes; with
 * output NULL it only returns it. There is at least one value. */
size_t
dmt_parquet_put_delta(struct dmt_output *output, const uint64_t *values,
    size_t count);

#endif
