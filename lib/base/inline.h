/* inline.h - hints for compilers: which functions to inline */
#ifndef DMT_BASE_INLINE_H
#define DMT_BASE_INLINE_H

/*
 * Compilers inline a large function only if they are forced to: the loops over
 * records are compiled once for each row of layouts.h, and those over events
 * with the steps of each. Rare paths are marked cold and kept out of the loops.
 * Short loops over all events do four at a time: GCC does not at -O2, and their
 * counting is up to a third of the work.
 */
#if defined(__GNUC__)
#define DMT_INLINE static inline __attribute__((always_inline))
#define DMT_COLD __attribute__((cold, noinline))
#define DMT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define DMT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define DMT_FETCH(address) __builtin_prefetch(address)
#else
#define DMT_INLINE static inline
#define DMT_COLD
#define DMT_LIKELY(condition) (condition)
#define DMT_UNLIKELY(condition) (condition)
#define DMT_FETCH(address) ((void)(address))
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define DMT_UNROLL _Pragma("GCC unroll 4")
#else
#define DMT_UNROLL
#endif

#endif
