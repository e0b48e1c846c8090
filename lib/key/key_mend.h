/* key_mend.h - the text of a key as it should be */
#ifndef DMT_KEY_KEY_MEND_H
#define DMT_KEY_KEY_MEND_H

#include "base/output.h"
#include "format/change.h"
#include "key/line_text.h"

/*
 * Writes what the text should be: all sections once and in their order, lines
 * with LF and TABs, plain numbers, each id once. Every change is counted.
 * is_cut: the text may end within its last line, which is left out then.
 * false: no memory.
 */
bool
dmt_key_mend(struct dmt_output *out, struct dmtrace_text text, bool is_cut,
    struct dmt_changes *changes);

#endif
