/* rank_exact.h - how often chance makes such ranks */
#ifndef DMT_VERIFY_RANK_EXACT_H
#define DMT_VERIFY_RANK_EXACT_H

#include <stddef.h>
#include <stdint.h>

/* p of two sets in order, ties and all. */
double
dmt_rank_p_of(const int64_t *a, size_t a_count, const int64_t *b,
    size_t b_count);

/* p of so many figures without ties, twice_u being twice the number of pairs
 * in which that of b is more: up to twice the pairs. */
double
dmt_rank_p(size_t a_count, size_t b_count, uint64_t twice_u);

#endif
