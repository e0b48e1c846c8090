/* earlier.h - rows that a key takes from an earlier one with the same lines */
#ifndef DMT_KEY_EARLIER_H
#define DMT_KEY_EARLIER_H

#include "key/key.h"

/*
 * Takes all methods of key->earlier if the key's text has their lines from at
 * on, and nothing is odd about these. Returns the lines; of len 0: none.
 */
struct dmt_stretch
dmt_key_take_earlier(struct dmtrace_key *key, size_t at);

#endif
