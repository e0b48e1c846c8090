/* record_sense.h - estimates if bytes are records of a layout */
#ifndef DMT_DATA_RECORD_SENSE_H
#define DMT_DATA_RECORD_SENSE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "format/layout.h"
#include "private/event.h"

/* Scores, of at most 1000. */
enum {
	DMT_SENSE_SOME = 500,		/* the bytes may be such records */
	DMT_SENSE_MORE = 200,		/* added to a score: clearly better
					   than another */
	DMT_SENSE_SURE = 1000 - DMT_SENSE_MORE	/* no other layout can be
						   clearly better */
};

/*
 * Returns a score of 0 to 1000 that says how well len bytes match as records
 * of layout. No bytes match perfectly, 1000; fewer bytes than a record get
 * DMT_SENSE_SOME. *failed is set if there was no memory.
 */
unsigned
dmt_records_sense(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const uint8_t *bytes, size_t len,
    bool *failed);

/* Returns true if the score is high enough for repair to use this layout. */
bool
dmt_records_make_sense(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const uint8_t *bytes, size_t len);

#endif
