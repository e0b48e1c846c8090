/* random.h - numbers that are the same in every run */

#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* Xorshift; seed is not 0. */
static inline uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

#endif
