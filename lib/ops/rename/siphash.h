/* siphash.h - SipHash-2-4, a keyed hash */
#ifndef DMT_OPS_RENAME_SIPHASH_H
#define DMT_OPS_RENAME_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

enum { DMT_SIPHASH_KEY = 16 };	/* bytes of the key */

/* Returns SipHash-2-4 of a text of two parts, as a number whose bytes are the
 * result in little-endian order. Thread-safe. */
uint64_t
dmt_siphash(const uint8_t key[DMT_SIPHASH_KEY], const void *first,
    size_t first_len, const void *second, size_t second_len);

#endif
