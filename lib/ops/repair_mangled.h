/* repair_mangled.h - data that was taken for text, put back */
#ifndef DMT_OPS_REPAIR_MANGLED_H
#define DMT_OPS_REPAIR_MANGLED_H

#include "ops/repair_guess.h"

/* What was done to the bytes. */
enum dmt_mangling {
	DMT_MANGLED_CRLF,		/* LF became CR LF */
	DMT_MANGLED_LATIN,		/* each byte became a character, in
					   Latin-1 or Windows-1252, and that
					   became UTF-8 */
	DMT_MANGLED_LOSSY,		/* what is not UTF-8 became U+FFFD */
	DMT_MANGLINGS
};

/*
 * Undoes it for the first bytes of the data, into out, which has room for
 * in->len of them. false: that was not done to them.
 */
bool
dmt_mangled_look(enum dmt_mangling mangling, const struct dmt_sight *in,
    struct dmt_sight *out, uint8_t *bytes);

/*
 * Undoes it for all of the data, to a half of its own, where records look
 * like guess; those that have lost bytes are left out.
 */
enum dmtrace_status
dmt_mangled_undo(struct dmt_repair *repair, enum dmt_mangling mangling,
    const struct dmt_guess *guess, struct dmtrace_error *error);

#endif
