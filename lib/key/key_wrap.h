/* key_wrap.h - a key with a block of lines put in, and taken out again */
#ifndef DMT_KEY_KEY_WRAP_H
#define DMT_KEY_KEY_WRAP_H

#include <dmtrace/key.h>
#include <stdint.h>

/*
 * The block follows the version. Options of the key that begin with one of
 * names, of which there are count, get the first of them as a prefix, so that
 * the block can have options of such names, and unwrap finds the key's own.
 */
struct dmt_wrap {
	const char *const *names;
	size_t count;
	size_t block_len;
};

/* The line end of lines to come. */
const char *
dmt_key_line_end(const struct dmtrace_key *key);

size_t
dmt_key_wrapped_size(const struct dmtrace_key *key,
    const struct dmt_wrap *wrap);

/* Writes the key, as it was decoded, to the wrapped size's bytes at out.
 * Returns where the block is, which is left to the caller. */
size_t
dmt_key_wrap(uint8_t *out, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap);

/* The lines after the version, up to and with the one that begins with last;
 * empty if there is none. They belong to the key. */
struct dmtrace_text
dmt_key_block(const struct dmtrace_key *key, const char *last);

/* Writes to out, which has room for the key's encoded size, what was wrapped,
 * and returns its size. wrap->block_len is that of the block found. */
size_t
dmt_key_unwrap(uint8_t *out, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap);

#endif
