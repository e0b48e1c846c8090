/* key.h - keys on their own, as bytes */
#ifndef DMT_PRIVATE_KEY_H
#define DMT_PRIVATE_KEY_H

#include <dmtrace/key.h>

#include "private/event.h"

/* An empty key: version 2, no options, no rows. NULL: no memory. */
struct dmtrace_key *
dmt_key_new(void);

/* NULL is allowed. */
void
dmt_key_free(struct dmtrace_key *key);

/* The failure of the last call that set, added or decoded; belongs to the
 * key. DMTRACE_OK: it did not fail. */
const struct dmtrace_error *
dmt_key_error(const struct dmtrace_key *key);

/* The number below "*version"; 0 if there is none. */
unsigned
dmt_key_version(const struct dmtrace_key *key);

/*
 * On failure the key is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT (the key grows
 * over its limit), or DMTRACE_ERR_RANGE: not 1 to 5
 */
enum dmtrace_status
dmt_key_set_version(struct dmtrace_key *key, unsigned version);

/* The clock line's meaning, DMTRACE_CLOCK_MISSING if there is none. */
enum dmtrace_clock
dmt_key_clock(const struct dmtrace_key *key);

/* The line of the index-th method as the key that was decoded has it, without
 * its LF; it lives like the row. bytes is NULL if the row was added later, or
 * has nothing but an id. */
struct dmtrace_text
dmt_key_method_line(const struct dmtrace_key *key, size_t index);

/* The row for the number of a record of layout: the one that has it, or else
 * the first one that equals it modulo the width of the field (dmtrace.5,
 * THREADS); NULL: none. */
const struct dmtrace_thread *
dmt_key_thread_match(const struct dmtrace_key *key,
    const struct dmt_layout *layout, uint32_t number);

/*
 * Decodes a whole key, from "*version" to the line that begins with "*end".
 * *used is how many of the len bytes that was. The key keeps a copy.
 * What is odd but readable is no failure: it goes to report, which may be
 * NULL. On failure the key is still a new one.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_NOT_TRACE  does not begin with "*version"
 *   DMTRACE_ERR_TRUNCATED  no "*end" in len bytes
 *   DMTRACE_ERR_LIMIT      the key or a line is over its limit
 *   DMTRACE_ERR_STATE      the key is not a new one: it was decoded or
 *                          changed
 */
enum dmtrace_status
dmt_key_decode_bytes(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context);

/* Bytes that the key encodes to. */
size_t
dmt_key_encoded_size(const struct dmtrace_key *key);

/*
 * Encodes to the encoded size's bytes at out, of which len are writable.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  len is less than that; nothing is written
 */
enum dmtrace_status
dmt_key_encode(const struct dmtrace_key *key, void *out, size_t len);

#endif
