/* real.h - what the library of mathematics would do, without it */
#ifndef DMT_BASE_REAL_H
#define DMT_BASE_REAL_H

/* 0 of what is not above 0. */
double
dmt_square_root(double number);

/* The part of a normal distribution, of mean 0 and deviation 1, that is z or
 * more, to about 12 digits. */
double
dmt_normal_tail(double z);

#endif
