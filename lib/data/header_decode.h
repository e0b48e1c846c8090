/* header_decode.h - decodes the data header */
#ifndef DMT_DATA_HEADER_DECODE_H
#define DMT_DATA_HEADER_DECODE_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "format/finding.h"
#include "format/header.h"
#include "private/event.h"
#include "private/header.h"

/*
 * Decodes the header at in, of which len bytes are readable (64 KiB are always
 * enough); at is its offset in the file, for messages. Bytes in the padding,
 * and an unusual or missing record size, are findings.
 *
 * Returns DMTRACE_OK, or with error set
 *   DMTRACE_ERR_TRUNCATED    the header is longer than len
 *   DMTRACE_ERR_CORRUPT      no magic; data offset below 16, or beyond len
 *                            and above 32; or record size of version 3 below
 *                            10 (a stream then has that of its version)
 *   DMTRACE_ERR_VERSION      not 1 to 3, nor 0xF1 to 0xF3
 *   DMTRACE_ERR_UNSUPPORTED  ART trace format V2
 */
enum dmtrace_status
dmt_header_decode(struct dmt_header *header, const uint8_t *in,
    size_t len, uint64_t at, struct dmt_findings *findings,
    struct dmtrace_error *error);

/* The fields of a header, valid or not. A missing field is 0. */
struct dmt_header_fields {
	bool has_magic;
	unsigned version;
	unsigned data_offset;
	unsigned record_size;		/* also 0 if the version has none */
	uint64_t start;
};

struct dmt_header_fields
dmt_header_look(const uint8_t *bytes, size_t len);

/* Finds the layout of the records that the fields state, in a trace whose key
 * names the clock. false: no layout fits, or the stated record size is 0. */
bool
dmt_header_find_layout(struct dmt_layout *layout,
    const struct dmt_header_fields *fields, enum dmtrace_clock clock);

#endif
