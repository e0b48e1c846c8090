/* rank_exact.c - how often chance makes such ranks */

#include "verify/rank_exact.h"

#include <dmtrace/rank.h>
#include <string.h>

#include "base/real.h"

enum {
	FIGURES = DMTRACE_RANK_EXACT,
	CHOSEN = FIGURES / 2,			/* of the smaller set */
	SUMS = 2 * FIGURES * CHOSEN + 1		/* of twice their ranks */
};

/* Twice the rank of each figure, all in order; equal ones share theirs. */
struct ranks {
	uint32_t twice[FIGURES];
	size_t count;
};

/* ways[k][s]: how many choices of k figures have twice the rank sum s. */
struct choices {
	uint32_t ways[CHOSEN + 1][SUMS];
};

/* The figure that was not seen before adds itself to every choice. */
static void
choose(struct choices *choices, uint32_t twice, size_t chosen)
{
	for (size_t k = chosen; k > 0; k--)
		for (size_t s = twice; s < SUMS; s++)
			choices->ways[k][s] += choices->ways[k - 1][s - twice];
}

static uint64_t
distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The part of all choices of so many figures whose rank sum is at least as
 * far from the middle. */
static double
count_far(const struct ranks *ranks, size_t chosen, uint64_t twice_sum)
{
	const uint64_t middle = chosen * (ranks->count + 1);
	const uint64_t far = distance(twice_sum, middle);
	struct choices choices;
	uint64_t found = 0, all = 0;

	memset(choices.ways, 0, (chosen + 1) * sizeof(choices.ways[0]));
	choices.ways[0][0] = 1;
	for (size_t i = 0; i < ranks->count; i++)
		choose(&choices, ranks->twice[i], chosen);
	for (uint64_t s = 0; s < SUMS; s++) {
		all += choices.ways[chosen][s];
		if (distance(s, middle) >= far)
			found += choices.ways[chosen][s];
	}
	return (double)found / (double)all;
}

/* Ties, by how many are equal: t * t * t - t for each. */
static double
approximate(size_t a_count, size_t b_count, uint64_t twice_u, double ties)
{
	const double a = (double)a_count, b = (double)b_count;
	const double count = a + b;
	const double variance = a * b / 12 *
	    (count + 1 - ties / (count * (count - 1)));
	const double twice_far = (double)distance(twice_u,
	    (uint64_t)a_count * b_count);
	const double z = (twice_far / 2 - 0.5) / dmt_square_root(variance);

	return !(variance > 0) || !(z > 0) ? 1 : 2 * dmt_normal_tail(z);
}

double
dmt_rank_p(size_t a_count, size_t b_count, uint64_t twice_u)
{
	struct ranks ranks = { .count = a_count + b_count };
	const uint64_t chosen = a_count < b_count ? a_count : b_count;

	if (ranks.count > FIGURES)
		return approximate(a_count, b_count, twice_u, 0);
	for (size_t i = 0; i < ranks.count; i++)
		ranks.twice[i] = 2 * (uint32_t)(i + 1);
	return count_far(&ranks, chosen, twice_u + chosen * (chosen + 1));
}

/* Goes through both sets in order, one run of equal figures at a time. */
struct walk {
	const int64_t *a, *b;
	size_t a_count, b_count;
	size_t i, j;			/* behind the run */
	size_t of_a, of_b;		/* in it */
};

static int
next_run(struct walk *walk)
{
	if (walk->i == walk->a_count && walk->j == walk->b_count)
		return 0;
	const int64_t figure = walk->i == walk->a_count ? walk->b[walk->j] :
	    walk->j == walk->b_count || walk->a[walk->i] < walk->b[walk->j] ?
	    walk->a[walk->i] : walk->b[walk->j];
	for (walk->of_a = 0; walk->i < walk->a_count &&
	    walk->a[walk->i] == figure; walk->i++)
		walk->of_a++;
	for (walk->of_b = 0; walk->j < walk->b_count &&
	    walk->b[walk->j] == figure; walk->j++)
		walk->of_b++;
	return 1;
}

/* Before the run, twice as much as within. */
static uint64_t
twice_above(const struct walk *walk)
{
	return (uint64_t)walk->of_b *
	    (2 * (walk->i - walk->of_a) + walk->of_a);
}

static double
count_ties(struct walk walk, uint64_t *twice_u)
{
	double ties = 0;

	for (*twice_u = 0; next_run(&walk); ) {
		const double equal = (double)(walk.of_a + walk.of_b);

		ties += equal * equal * equal - equal;
		*twice_u += twice_above(&walk);
	}
	return ties;
}

/* Returns twice the rank sum of the smaller set. */
static uint64_t
rank_all(struct ranks *ranks, struct walk walk)
{
	uint64_t sum = 0;

	for (ranks->count = 0; next_run(&walk); ) {
		const size_t end = walk.i + walk.j;
		const uint32_t twice = (uint32_t)(ranks->count + 1 + end);

		sum += (uint64_t)twice * (walk.a_count <= walk.b_count ?
		    walk.of_a : walk.of_b);
		while (ranks->count < end)
			ranks->twice[ranks->count++] = twice;
	}
	return sum;
}

double
dmt_rank_p_of(const int64_t *a, size_t a_count, const int64_t *b,
    size_t b_count)
{
	const struct walk walk = {
		.a = a, .b = b, .a_count = a_count, .b_count = b_count
	};
	struct ranks ranks;
	uint64_t twice_u;

	if (a_count + b_count <= FIGURES) {
		const uint64_t sum = rank_all(&ranks, walk);

		return count_far(&ranks, a_count <= b_count ? a_count :
		    b_count, sum);
	}
	const double ties = count_ties(walk, &twice_u);
	return approximate(a_count, b_count, twice_u, ties);
}
