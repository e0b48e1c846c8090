/* digest.h - 128-bit hashes of names and events */
#ifndef DMT_OPS_DIGEST_H
#define DMT_OPS_DIGEST_H

#include <dmtrace/ops.h>

/* The constants of one half of the 128 bits. */
struct dmt_digest_half {
	uint64_t method;		/* initial value of a method's hash */
	uint64_t thread;
	uint64_t step;			/* factor for each byte of a name */
	uint64_t action;		/* factors of an event's action and
					   times */
	uint64_t cpu;
	uint64_t wall;
};

static const struct dmt_digest_half dmt_digest_low = {
	UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce5),
	UINT64_C(0x00000100000001b3), UINT64_C(0xd1b54a32d192ed03),
	UINT64_C(0x8cb92ba72f3d8dd7), UINT64_C(0xaef17502108ef2d9),
};

static const struct dmt_digest_half dmt_digest_high = {
	UINT64_C(0x6a09e667f3bcc909), UINT64_C(0xbb67ae8584caa73b),
	UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xf1357aea2e62a9c5),
	UINT64_C(0xda942042e4dd58b5), UINT64_C(0x94d049bb133111eb),
};

static inline uint64_t
dmt_digest_mix(uint64_t hash)
{
	hash ^= hash >> 32;
	hash *= UINT64_C(0x9fb21c651e98df25);
	hash ^= hash >> 29;
	hash *= UINT64_C(0xbf58476d1ce4e5b9);
	return hash ^ hash >> 32;
}

/* Adds a number of 128 bits, given as halves. */
static inline void
dmt_digest_add(struct dmtrace_sum *sum, uint64_t high, uint64_t low)
{
	sum->low += low;
	sum->high += high + (sum->low < low);
}

/* row is NULL for an id or number that no row lists. */
struct dmtrace_sum
dmt_digest_method(const struct dmtrace_method *row, uint64_t id);
struct dmtrace_sum
dmt_digest_thread(const struct dmtrace_thread *row, uint32_t number);

#endif
