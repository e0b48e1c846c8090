/* options.h - the option rows of a key, found by name */
#ifndef DMT_KEY_OPTIONS_H
#define DMT_KEY_OPTIONS_H

#include "key/key.h"

/* Makes sure that the next add will not fail. false: no memory. */
bool
dmt_options_reserve(struct dmt_options *options);

/* false: no memory, and the rows are as they were. */
bool
dmt_options_add(struct dmt_options *options,
    const struct dmt_option_row *row);

/* The first row of that name, or NULL. */
struct dmt_option_row *
dmt_options_find(const struct dmt_options *options,
    struct dmtrace_text name);

void
dmt_options_fini(struct dmt_options *options);

#endif
