/* undo_text.h - data that was taken for text, put back byte for byte */
#ifndef DMT_OPS_REPAIR_UNDO_TEXT_H
#define DMT_OPS_REPAIR_UNDO_TEXT_H

#include "ops/repair/repair.h"

/* What was done to the bytes. */
enum dmt_as_text {
	DMT_AS_CRLF,			/* LF became CR LF */
	DMT_AS_LATIN,			/* each byte became a character, in
					   Latin-1 or Windows-1252, and that
					   became UTF-8 */
	DMT_AS_LOSSY,			/* what is not UTF-8 became U+FFFD */
	DMT_AS_TEXT_KINDS		/* nothing */
};

/*
 * Undoes it for the first len bytes of the data, into out, which has room for
 * so many; *out_len is how many they are. false: that was not done to them.
 */
bool
dmt_undo_text(enum dmt_as_text as, const uint8_t *in, size_t len,
    uint8_t *out, size_t *out_len);

/*
 * Undoes it for all of the data, which goes to a temporary: a header of
 * header_size bytes, then records. Records that have lost bytes are left out.
 */
enum dmtrace_status
dmt_repair_undo_text(struct dmt_repair *repair, enum dmt_as_text as,
    size_t header_size, size_t record_size, struct dmtrace_error *error);

#endif
