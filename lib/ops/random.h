/* random.h - random numbers that are the same on all systems */
#ifndef DMT_OPS_RANDOM_H
#define DMT_OPS_RANDOM_H

#include <stdint.h>

/* SplitMix64, by Steele, Lea and Flood: 64 random bits per call, any seed. */
struct dmt_random {
	uint64_t state;
};

static inline uint64_t
dmt_random_next(struct dmt_random *random)
{
	uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

/* Scales 32 random bits to a number below bound. */
static inline uint64_t
dmt_random_scale(uint32_t bits, uint64_t bound)
{
	return (bound >> 32) * bits + ((bound & UINT32_MAX) * bits >> 32);
}

/* Returns a random number below bound. */
static inline uint32_t
dmt_random_below(struct dmt_random *random, uint32_t bound)
{
	return (uint32_t)dmt_random_scale((uint32_t)dmt_random_next(random),
	    bound);
}

#endif
