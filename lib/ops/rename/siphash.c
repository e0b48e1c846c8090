/* siphash.c - SipHash-2-4, a keyed hash */

/*
 * After Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012): four
 * words of state begin as the key and constants; each word of eight bytes is
 * mixed in by two rounds, the last one with the length in its highest byte;
 * four more rounds follow. Without the key nobody can compute the hash of a
 * text, nor, from hashes, the key.
 */

#include "ops/rename/siphash.h"

#include "base/bytes.h"

struct siphash {
	uint64_t v[4];
	uint8_t word[8];		/* bytes that make no word yet */
	size_t len;			/* of all bytes */
};

static uint64_t
rotate(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static void
mix_rounds(uint64_t v[4], int count)
{
	while (count-- > 0) {
		v[0] += v[1];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[0] = rotate(v[0], 32);
		v[2] += v[3];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[2] = rotate(v[2], 32);
	}
}

static void
mix_word(struct siphash *hash)
{
	const uint64_t word = dmt_get_le64(hash->word);

	hash->v[3] ^= word;
	mix_rounds(hash->v, 2);
	hash->v[0] ^= word;
}

static void
mix_bytes(struct siphash *hash, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		hash->word[hash->len++ % 8] = bytes[i];
		if (hash->len % 8 == 0)
			mix_word(hash);
	}
}

uint64_t
dmt_siphash(const uint8_t key[DMT_SIPHASH_KEY], const void *first,
    size_t first_len, const void *second, size_t second_len)
{
	const uint64_t k0 = dmt_get_le64(key), k1 = dmt_get_le64(key + 8);
	struct siphash hash = { .v = {
		k0 ^ UINT64_C(0x736f6d6570736575),
		k1 ^ UINT64_C(0x646f72616e646f6d),
		k0 ^ UINT64_C(0x6c7967656e657261),
		k1 ^ UINT64_C(0x7465646279746573)
	} };

	mix_bytes(&hash, first, first_len);
	mix_bytes(&hash, second, second_len);
	for (size_t i = hash.len % 8; i < 7; i++)
		hash.word[i] = 0;
	hash.word[7] = (uint8_t)hash.len;
	mix_word(&hash);
	hash.v[2] ^= 0xff;
	mix_rounds(hash.v, 4);
	return hash.v[0] ^ hash.v[1] ^ hash.v[2] ^ hash.v[3];
}
