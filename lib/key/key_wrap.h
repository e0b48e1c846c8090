/* key_wrap.h - adds a block of lines to a key, and removes it again */
#ifndef DMT_KEY_KEY_WRAP_H
#define DMT_KEY_KEY_WRAP_H

#include <dmtrace/key.h>
#include <stdint.h>

/*
 * The block follows the version. An option of the key whose name begins with
 * one of the count names gets names[0] as a prefix, so that it is not taken
 * for a line of the block; unwrapping removes the prefix.
 */
struct dmt_wrap {
	const char *const *names;
	size_t count;
	size_t block_len;
};

/* Returns the line end for lines that are added. */
const char *
dmt_key_line_end(const struct dmtrace_key *key);

size_t
dmt_key_wrapped_size(const struct dmtrace_key *key,
    const struct dmt_wrap *wrap);

/* Writes the decoded text of the key to out, which has the wrapped size.
 * Returns the offset of the block, whose bytes the caller fills in. */
size_t
dmt_key_wrap(uint8_t *out, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap);

/* Returns the lines after the version, up to and including the line that
 * begins with last; empty if there is no such line. They belong to the key. */
struct dmtrace_text
dmt_key_block(const struct dmtrace_key *key, const char *last);

/* Writes the original key to out, which has space for the encoded size of the
 * wrapped key, and returns its size. wrap->block_len is the size of the block
 * that was found. */
size_t
dmt_key_unwrap(uint8_t *out, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap);

#endif
