/* header.h - the fields of the data header: offsets and sizes */
#ifndef DMT_FORMAT_HEADER_H
#define DMT_FORMAT_HEADER_H

#include <dmtrace/trace.h>
#include <stdbool.h>
#include <stdint.h>

#include "private/names.h"

#define DMT_MAGIC "SLOW"
#define DMT_MAGIC_SIZE 4

enum {
	DMT_HEADER_VERSION = 4,		/* u2 */
	DMT_HEADER_OFFSET = 6,		/* u2: data offset */
	DMT_HEADER_START = 8,		/* u8 */
	DMT_HEADER_RECORD_SIZE = 16,	/* u2, from version 3 on */
	DMT_HEADER_MIN = 16,		/* bytes of the smallest header */
	DMT_HEADER_SIZED_MIN = 18,	/* of the smallest one with a record
					   size */
	DMT_HEADER_SIZE = 32		/* what virtual machines write */
};

enum {
	DMT_VERSION_MIN = 1,
	DMT_VERSION_SIZED = 3,		/* the first version with a record
					   size */
	DMT_VERSION_MAX = 3,
	DMT_VERSION_STREAMING = 0xf0,	/* added to those of streams */
	DMT_VERSION_PACKETS = 4,	/* trace format V2: 4 and 5, also with
					   0xf0 added */
	DMT_VERSION_PACKETS_DUAL = 5
};

/* A version, as headers have it. */
struct dmt_version {
	uint16_t header;
	uint16_t records;		/* of their layout */
	enum dmtrace_container container;	/* of data with such a
						   header: _DATA, _STREAM or
						   _PACKETS */
	enum dmtrace_dialect dialect;	/* 0: it is only read */
	const char *name;		/* of the dialect */
};

/* Returns the row of a version, of those that a header can have, or of a
 * dialect; NULL: there is none. */
const struct dmt_version *
dmt_version_find(unsigned version);
const struct dmt_version *
dmt_version_of(enum dmtrace_dialect dialect);

/* Returns the container of data whose header has that version:
 * DMTRACE_CONTAINER_STREAM or _PACKETS, else _DATA. */
enum dmtrace_container
dmt_version_container(unsigned version);

/* Returns true if a header of this version and data offset has a record
 * size. */
static inline bool
dmt_header_is_sized(unsigned version, unsigned data_offset)
{
	return version >= DMT_VERSION_SIZED &&
	    data_offset >= DMT_HEADER_SIZED_MIN;
}

#endif
