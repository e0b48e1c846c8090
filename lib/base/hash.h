/* hash.h - hashes of bytes: FNV-1a with 64 bits */
#ifndef DMT_BASE_HASH_H
#define DMT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "private/text.h"

/* What a hash begins with. A table of names from a file begins with this XOR
 * an address, which the author of the file cannot know: else they could choose
 * names that have the same hash. */
#define DMT_HASH UINT64_C(0xcbf29ce484222325)

static inline uint64_t
dmt_hash_byte(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t
dmt_hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const uint8_t *const in = bytes;

	for (size_t i = 0; i < len; i++)
		hash = dmt_hash_byte(hash, in[i]);
	return hash;
}

/* The same for the name of a class, in which "/" and "." are one byte. */
static inline uint64_t
dmt_hash_class(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = dmt_hash_byte(hash, (uint8_t)dmt_class_byte(bytes[i]));
	return hash;
}

#endif
