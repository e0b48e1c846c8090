/* header_decode.h - the data header's bytes to its fields */
#ifndef DMT_DATA_HEADER_DECODE_H
#define DMT_DATA_HEADER_DECODE_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "format/finding.h"
#include "private/event.h"
#include "private/trace.h"

/*
 * Decodes the header at in, of which len bytes are readable (64 KiB are
 * always enough); at is its offset in the file, for messages. Bytes in the
 * padding and an odd or missing record size are findings.
 *
 * Returns DMTRACE_OK, or with error set
 *   DMTRACE_ERR_TRUNCATED    len ends inside of it
 *   DMTRACE_ERR_CORRUPT      no magic, data offset below 16 or beyond len
 *                            and the usual 32, record size of version 3
 *                            below 10 (a stream then has that of its
 *                            version)
 *   DMTRACE_ERR_VERSION      not 1 to 3, nor 0xF1 to 0xF3
 *   DMTRACE_ERR_UNSUPPORTED  ART trace format V2
 */
enum dmtrace_status
dmt_header_decode(struct dmt_header *header, const uint8_t *in,
    size_t len, uint64_t at, struct dmt_findings *findings,
    struct dmtrace_error *error);

/* What a header says, whether it makes sense or not. A field that is missing
 * is 0. */
struct dmt_header_fields {
	bool has_magic;
	unsigned version;
	unsigned data_offset;
	unsigned record_size;		/* 0, too, where the version has none */
	uint64_t start;
};

struct dmt_header_fields
dmt_header_look(const uint8_t *bytes, size_t len);

/* The layout of the records that the fields state, in a trace whose key says
 * clock; false: there is none, or the size of its records is 0. */
bool
dmt_header_find_layout(struct dmt_layout *layout,
    const struct dmt_header_fields *fields, enum dmtrace_clock clock);

/* How a trace of that data version is kept: DMTRACE_CONTAINER_STREAM or
 * _PACKETS; _DATA for any other. */
enum dmtrace_container
dmt_version_container(unsigned version);

#endif
