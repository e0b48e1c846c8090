/* header_encode.h - encodes the data header */
#ifndef DMT_DATA_HEADER_ENCODE_H
#define DMT_DATA_HEADER_ENCODE_H

#include <dmtrace/trace.h>

#include "private/event.h"
#include "private/header.h"

/* Returns the header that virtual machines write before records of the
 * layout. */
struct dmt_header
dmt_header_of(const struct dmt_layout *layout, uint64_t start);

/*
 * Encodes header to data_offset bytes at out, of which len are writable; bytes
 * that belong to no field are 0. On failure nothing is written.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  the version is not 1 to 3, the data offset is below
 *                      16 or more than len, or too small for the record size
 *                      of version 3, or the version has no such record size
 */
enum dmtrace_status
dmt_header_encode(uint8_t *out, size_t len,
    const struct dmt_header *header);

#endif
