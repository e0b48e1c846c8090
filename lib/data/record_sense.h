/* record_sense.h - whether bytes make sense as records of a layout */
#ifndef DMT_DATA_RECORD_SENSE_H
#define DMT_DATA_RECORD_SENSE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "format/layout.h"
#include "private/event.h"

/* Of 1000. */
enum {
	DMT_SENSE_SOME = 500,		/* the bytes may be such records */
	DMT_SENSE_MORE = 200,		/* clearly better than another guess */
	DMT_SENSE_SURE = 1000 - DMT_SENSE_MORE	/* no other is clearly
						   better */
};

/*
 * How much sense the first records make, of 1000, if len bytes are records of
 * layout. No bytes at all make all of it; bytes that are too few for a record
 * make some. *failed is set if there was no memory to find out.
 */
unsigned
dmt_records_sense(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const uint8_t *bytes, size_t len,
    bool *failed);

/* Whether it is so much that repair takes them for nothing else. */
bool
dmt_records_make_sense(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const uint8_t *bytes, size_t len);

#endif
