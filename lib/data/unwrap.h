/* unwrap.h - 64-bit times from 32-bit fields, per thread and clock */
#ifndef DMT_DATA_UNWRAP_H
#define DMT_DATA_UNWRAP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The full time, in microseconds, of a field that follows last_us: a value
 * lower by more than 2^31 has wrapped; any other step back is kept
 * (dmtrace.5, TIMES).
 */
static inline uint64_t
dmt_unwrap(uint64_t last_us, uint32_t field_us)
{
	const uint32_t low = (uint32_t)last_us;
	const uint64_t wrapped = field_us < low && low - field_us > 1u << 31;

	return ((last_us >> 32) + wrapped) << 32 | field_us;
}

#endif
