/* record.h - the fields of a record, as they stand in it */
#ifndef DMT_DATA_RECORD_H
#define DMT_DATA_RECORD_H

#include "base/bytes.h"
#include "format/layout.h"

/*
 * The loops over records are compiled once for each row of layouts.h, which
 * the compilers only do where they must; what a loop seldom needs is kept out
 * of its way.
 */
#if defined(__GNUC__)
#define DMT_INLINE static inline __attribute__((always_inline))
#define DMT_COLD __attribute__((cold, noinline))
#else
#define DMT_INLINE static inline
#define DMT_COLD
#endif

DMT_INLINE uint64_t
dmt_field_get(struct dmt_field field, const uint8_t *in)
{
	return dmt_get_le(in + field.offset, field.width);
}

DMT_INLINE void
dmt_field_put(struct dmt_field field, uint8_t *out, uint64_t value)
{
	dmt_put_le(out + field.offset, field.width, value);
}

/* The two low bits of the method word, which begins with its low byte. */
DMT_INLINE enum dmtrace_action
dmt_action_get(const struct dmtrace_layout *layout, const uint8_t *in)
{
	return (enum dmtrace_action)(in[layout->method.offset] & 3);
}

#endif
