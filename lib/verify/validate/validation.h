/* validation.h - the findings and quirks of a whole trace */
#ifndef DMT_VERIFY_VALIDATION_H
#define DMT_VERIFY_VALIDATION_H

#include <dmtrace/verify.h>

#include "verify/validate/quirks.h"

/*
 * dmtrace_judge, but for the verdicts: the quirks, and in *opened what
 * dmtrace_validate would return. Returns what dmtrace_judge does.
 */
enum dmtrace_status
dmt_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmt_quirks *quirks, struct dmtrace_validity *validity,
    enum dmtrace_status *opened);

/* The verdict of each reader. */
void
dmt_readers_judge(struct dmtrace_verdict verdicts[DMTRACE_READERS],
    const struct dmt_quirks *quirks);

/* What would help the readers, a bit for each, that mind one of the quirks:
 * bits of enum dmt_cure. */
unsigned
dmt_readers_cures(const struct dmt_quirks *quirks, unsigned readers);

#endif
