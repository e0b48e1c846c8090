/* stream_scan.h - what is next in a damaged stream */
#ifndef DMT_DATA_STREAM_SCAN_H
#define DMT_DATA_STREAM_SCAN_H

#include "base/idmap.h"
#include "data/stream_decode.h"
#include "format/layout.h"

/* So many bytes, or all that there are, must be readable for a scan. */
#define DMT_SCAN_WINDOW (512 * 1024)

enum dmt_scanned {
	DMT_SCAN_RECORDS,	/* whole records */
	DMT_SCAN_PACKET,	/* one that is defined, in scan->packet */
	DMT_SCAN_BAD_METHOD,	/* of a method, with malformed text */
	DMT_SCAN_STRAY,		/* any other bytes */
	DMT_SCAN_CUT,		/* a record or packet that the file ends in */
	DMT_SCAN_FAILED		/* no memory */
};

/* Begins as zero, with a layout whose record size is the distance of records,
 * and the ids that are known from elsewhere. */
struct dmt_stream_scan {
	struct dmt_layout layout;
	struct dmt_idmap threads;	/* numbers that were announced, */
	struct dmt_idmap methods;	/* and ids without action */
	struct dmt_packet packet;	/* a summary may go on after len */
};

/* false: no memory. */
bool
dmt_scan_know(struct dmt_idmap *ids, uint64_t id);

/* Says what *used bytes at in are, of which len > 0 are readable: see
 * DMT_SCAN_WINDOW. */
enum dmt_scanned
dmt_stream_scan(struct dmt_stream_scan *scan, const uint8_t *in, size_t len,
    size_t *used);

/* Finds how far the records are apart that follow a header, which states a
 * size, and sets the layout's; before, it is that of the version. */
void
dmt_scan_find_size(struct dmt_stream_scan *scan, size_t stated,
    const uint8_t *in, size_t len);

void
dmt_stream_scan_fini(struct dmt_stream_scan *scan);

/* Whether records and packets that make sense begin at in, as far as len bytes
 * show. */
bool
dmt_stream_begins(const struct dmt_stream_scan *scan, const uint8_t *in,
    size_t len);

#endif
