/* steps.c - ids at equal distances, and their places in a row */

#include "base/steps.h"

#define STEP_LEAST 4		/* ids end in two bits of 0 */

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Each turn of Newton's makes twice as many bits right; it begins with 3. */
static uint64_t
invert(uint64_t odd)
{
	uint64_t inverse = odd;

	for (unsigned bits = 3; bits < 64; bits *= 2)
		inverse *= 2 - odd * inverse;
	return inverse;
}

void
dmt_steps_add(struct dmt_steps *steps, uint64_t id)
{
	if (steps->count++ == 0)
		steps->first = steps->last = id;
	steps->step = common_divisor(steps->step, id < steps->first ?
	    steps->first - id : id - steps->first);
	if (id < steps->first)
		steps->first = id;
	if (id > steps->last)
		steps->last = id;
}

uint64_t
dmt_steps_settle(struct dmt_steps *steps)
{
	if (steps->step == 0)
		steps->step = STEP_LEAST;
	steps->shift = 0;
	while ((steps->step >> steps->shift & 1) == 0)
		steps->shift++;
	steps->inverse = invert(steps->step >> steps->shift);
	return steps->count == 0 ? 0 :
	    (steps->last - steps->first) / steps->step + 1;
}
