/* key_wrap.h - adds a block of lines to a key, and removes it again */
#ifndef DMT_KEY_KEY_WRAP_H
#define DMT_KEY_KEY_WRAP_H

#include <dmtrace/key.h>
#include <stdint.h>

/*
 * The block follows the version. An option of the key whose line begins with
 * one of the count names gets names[0] as a prefix, so that it is not taken
 * for a line of the block; unwrapping removes the prefix.
 */
struct dmt_wrap {
	const char *const *names;
	size_t count;
};

/* Returns the line end for lines that are added. */
const char *
dmt_key_line_end(const struct dmtrace_key *key);

/* Make a key with a block of whole lines, and the original key of one that has
 * the block which dmt_key_block found, with its first methods methods alone.
 * Return as dmt_key_rewrite. */
enum dmtrace_status
dmt_key_wrap(struct dmtrace_key **to, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap, struct dmtrace_text block,
    struct dmtrace_error *error);
enum dmtrace_status
dmt_key_unwrap(struct dmtrace_key **to, const struct dmtrace_key *key,
    const struct dmt_wrap *wrap, struct dmtrace_text block, uint64_t methods,
    struct dmtrace_error *error);

/* Returns the offset of a block in the encoded key. */
size_t
dmt_key_block_at(const struct dmtrace_key *key);

/* Returns the lines after the version, up to and including the line that
 * begins with last; empty if there is no such line. They belong to the key. */
struct dmtrace_text
dmt_key_block(const struct dmtrace_key *key, const char *last);

#endif
