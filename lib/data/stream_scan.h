/* stream_scan.h - resynchronises with a damaged stream */
#ifndef DMT_DATA_STREAM_SCAN_H
#define DMT_DATA_STREAM_SCAN_H

#include "base/idmap.h"
#include "data/stream_decode.h"
#include "format/layout.h"

/* A scan needs so many readable bytes, or all up to the end of the file. */
#define DMT_SCAN_WINDOW (512 * 1024)

enum dmt_scanned {
	DMT_SCAN_RECORDS,	/* whole records */
	DMT_SCAN_PACKET,	/* a valid packet, in scan->packet */
	DMT_SCAN_BAD_METHOD,	/* a method packet with malformed text */
	DMT_SCAN_STRAY,		/* neither a record nor a packet */
	DMT_SCAN_CUT,		/* a record or packet that the file's end
				   truncates */
	DMT_SCAN_FAILED		/* no memory */
};

/* Starts zeroed, with a layout that has the size of the records, and with the
 * ids that are known from elsewhere. */
struct dmt_stream_scan {
	struct dmt_layout layout;
	struct dmt_idmap threads;	/* announced numbers */
	struct dmt_idmap methods;	/* announced ids, without action */
	struct dmt_packet packet;	/* a summary may extend beyond len */
};

/* Classifies the *used bytes at in, of which len > 0 are readable; see
 * DMT_SCAN_WINDOW. */
enum dmt_scanned
dmt_stream_scan(struct dmt_stream_scan *scan, const uint8_t *in, size_t len,
    size_t *used);

/* Finds the size of the records after a header that states a size, and sets it
 * in the layout, where it is initially that of the version. */
void
dmt_scan_find_size(struct dmt_stream_scan *scan, size_t stated,
    const uint8_t *in, size_t len);

void
dmt_stream_scan_fini(struct dmt_stream_scan *scan);

/* Returns true if valid records and packets begin at in, as far as len bytes
 * show. */
bool
dmt_stream_begins(const struct dmt_stream_scan *scan, const uint8_t *in,
    size_t len);

#endif
