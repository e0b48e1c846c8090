/* verdicts.h - what other programs make of a trace that has some quirks */
#ifndef DMT_VERIFY_VERDICTS_H
#define DMT_VERIFY_VERDICTS_H

#include <dmtrace/verify.h>

#include "verify/validate/quirks.h"

/* The verdict of each reader. */
void
dmt_readers_judge(struct dmtrace_verdict verdicts[DMTRACE_READERS],
    const struct dmt_quirks *quirks);

/* What would help the readers, a bit for each, that mind one of the quirks:
 * bits of enum dmt_cure. */
unsigned
dmt_readers_cures(const struct dmt_quirks *quirks, unsigned readers);

#endif
