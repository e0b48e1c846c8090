/* header.h - the fields of the data header: offsets and sizes */
#ifndef DMT_FORMAT_HEADER_H
#define DMT_FORMAT_HEADER_H

#include <stdbool.h>

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
	DMT_VERSION_STREAMING = 0xf0,	/* added to 1, 2 or 3 */
	DMT_VERSION_PACKETS = 4,	/* trace format V2: 4 and 5, also with
					   0xf0 added */
	DMT_VERSION_PACKETS_DUAL = 5
};

/* Returns the version of the records in a stream of that version; other
 * versions are returned unchanged. */
static inline unsigned
dmt_version_plain(unsigned version)
{
	return version > DMT_VERSION_STREAMING ?
	    version - DMT_VERSION_STREAMING : version;
}

/* Returns true if a header of this version and data offset has a record
 * size. */
static inline bool
dmt_header_is_sized(unsigned version, unsigned data_offset)
{
	return version >= DMT_VERSION_SIZED &&
	    data_offset >= DMT_HEADER_SIZED_MIN;
}

#endif
