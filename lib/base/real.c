/* real.c - what the library of mathematics would do, without it */

#include "base/real.h"

#define FARTHEST 38		/* what is beyond is 0 in any double */
#define ROOT_2_PI 2.50662827463100050242

double
dmt_square_root(double number)
{
	double root = number;

	if (!(number > 0))
		return 0;
	for (int i = 0; i < 1100; i++) {
		const double next = (root + number / root) / 2;

		if (!(next < root) && i > 0 && next >= root)
			break;
		root = next;
	}
	return root;
}

/* e to the power of -number, for one from 0 to about 700. */
static double
decay(double number)
{
	int halvings = 0;
	double sum = 1, term = 1;

	for (; number > 0.25; number /= 2)
		halvings++;
	for (int i = 1; i < 16; i++)
		sum += term *= -number / i;
	while (halvings-- > 0)
		sum *= sum;
	return sum;
}

/* The part between 0 and z, by density: a series. */
static double
near_part(double z)
{
	double sum = z, term = z;

	for (int i = 3; i < 120; i += 2)
		sum += term *= z * z / i;
	return sum;
}

/* The part from z on, by density: a continued fraction. */
static double
far_part(double z)
{
	double below = z;

	for (int i = 80; i > 0; i--)
		below = z + i / below;
	return 1 / below;
}

double
dmt_normal_tail(double z)
{
	if (z < 0)
		return 1 - dmt_normal_tail(-z);
	if (!(z < FARTHEST))
		return 0;
	const double density = decay(z * z / 2) / ROOT_2_PI;
	return z < 3 ? 0.5 - density * near_part(z) : density * far_part(z);
}
