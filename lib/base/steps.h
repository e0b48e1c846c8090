/* steps.h - ids at equal distances, and their places in a row */
#ifndef DMT_BASE_STEPS_H
#define DMT_BASE_STEPS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The ids of most keys lie at equal distances, as numbers or as addresses of
 * structs of one size: then a row by (id - first) / step has a place for each.
 * Zero is a valid, empty set of them.
 */
struct dmt_steps {
	uint64_t first;			/* the least id */
	uint64_t last;			/* the greatest */
	uint64_t step;			/* an odd number << shift */
	uint64_t inverse;		/* of the odd one, modulo 2^64 */
	unsigned shift;
	size_t count;			/* of ids */
};

/* The two low bits of id are 0. */
void
dmt_steps_add(struct dmt_steps *steps, uint64_t id);

/* All ids are there: from here on they have places. Returns how many places
 * there are, from the first id to the last. */
uint64_t
dmt_steps_settle(struct dmt_steps *steps);

/*
 * The place of an id; behind all of them if it is at no whole number of steps.
 * To multiply by the inverse divides what is a multiple; of another number it
 * makes one that is too large, and so do bits below shift that come out on
 * top.
 */
static inline uint64_t
dmt_steps_place(const struct dmt_steps *steps, uint64_t id)
{
	const uint64_t product = (id - steps->first) * steps->inverse;

	return product >> steps->shift | product << (64 - steps->shift) % 64;
}

#endif
