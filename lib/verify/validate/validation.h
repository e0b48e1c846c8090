/* validation.h - the findings and quirks of a whole trace */
#ifndef DMT_VERIFY_VALIDATION_H
#define DMT_VERIFY_VALIDATION_H

#include <dmtrace/verify.h>

#include "verify/validate/quirks.h"

/*
 * Does what dmtrace_judge does, but fills *quirks in place of verdicts, and
 * sets *opened to what dmtrace_validate would return. Returns what
 * dmtrace_judge does.
 */
enum dmtrace_status
dmt_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmt_quirks *quirks, struct dmtrace_validity *validity,
    enum dmtrace_status *opened);

/* Sets the verdict of each reader. */
void
dmt_readers_judge(struct dmtrace_verdict verdicts[DMTRACE_READERS],
    const struct dmt_quirks *quirks);

/* Returns the cures of the quirks that affect these readers, as bits of enum
 * dmt_cure. readers has a bit for each reader. */
unsigned
dmt_readers_cures(const struct dmt_quirks *quirks, unsigned readers);

#endif
