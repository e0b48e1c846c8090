/* key_mend.h - writes a damaged key in the correct form */
#ifndef DMT_KEY_KEY_MEND_H
#define DMT_KEY_KEY_MEND_H

#include "base/output.h"
#include "format/change.h"
#include "key/line_text.h"

/*
 * Writes the text of a key in the correct form: each section once and in
 * order, LF and TABs, numbers in plain form, each id once. All changes are
 * counted. is_cut: the text may end within its last line, which is then
 * dropped. false: no memory.
 */
bool
dmt_key_mend(struct dmt_output *out, struct dmtrace_text text, bool is_cut,
    struct dmt_changes *changes);

#endif
