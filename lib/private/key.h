/* key.h - keys without a trace */
/* layer: key */
#ifndef DMT_PRIVATE_KEY_H
#define DMT_PRIVATE_KEY_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "private/event.h"
#include "private/names.h"

/* Makes an empty key: version 2, no options, no rows. NULL: no memory. */
struct dmtrace_key *
dmt_key_new(void);

/* key may be NULL. */
void
dmt_key_free(struct dmtrace_key *key);

/* Returns the failure of the last call that changed or decoded the key, which
 * it belongs to. Status DMTRACE_OK: the call did not fail. */
const struct dmtrace_error *
dmt_key_error(const struct dmtrace_key *key);

/* Returns the number after "*version"; 0 if there is none. */
unsigned
dmt_key_version(const struct dmtrace_key *key);

/*
 * Sets the number after "*version". On failure the key is unchanged.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT (the key would
 * exceed its limit), or DMTRACE_ERR_RANGE: not 1 to 5
 */
enum dmtrace_status
dmt_key_set_version(struct dmtrace_key *key, unsigned version);

/* Returns the clock that the clock line names; DMTRACE_CLOCK_MISSING: none. */
enum dmtrace_clock
dmt_key_clock(const struct dmtrace_key *key);

/* Returns true if the key says that the recorder's buffer was full: later
 * events are missing, so counts and times are lower bounds. */
bool
dmt_key_overflowed(const struct dmtrace_key *key);

/* Returns the line of the index-th method as it was decoded, without its LF;
 * it is valid as long as the row. bytes is NULL if the row was added later, or
 * consists of an id only. */
struct dmtrace_text
dmt_key_method_line(const struct dmtrace_key *key, size_t index);

/* Returns the row for a thread number in records of layout: the row with that
 * id or, if there is none, the first whose id equals it modulo the width of
 * the field (dmtrace.5, THREADS); NULL: none. */
const struct dmtrace_thread *
dmt_key_thread_match(const struct dmtrace_key *key,
    const struct dmt_layout *layout, uint32_t number);

/*
 * Decodes a whole key, from "*version" to the line that begins with "*end",
 * and copies it. *used is the number of bytes that belong to the key. What is
 * unusual but readable is not a failure: it is reported to report, which may
 * be NULL. On failure the key is still new.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_NOT_TRACE  does not begin with "*version"
 *   DMTRACE_ERR_TRUNCATED  no "*end" in len bytes
 *   DMTRACE_ERR_LIMIT      the key or a line exceeds its limit
 *   DMTRACE_ERR_STATE      the key is not new: it was decoded or changed
 */
enum dmtrace_status
dmt_key_decode_bytes(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context);

/* Returns the size in bytes of the encoded key. */
size_t
dmt_key_encoded_size(const struct dmtrace_key *key);

/*
 * Encodes the key to out, of which len bytes are writable.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  len is less than the encoded size; nothing is written
 */
enum dmtrace_status
dmt_key_encode(const struct dmtrace_key *key, void *out, size_t len);

#endif
