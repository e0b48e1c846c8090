/* near.h - the names that someone may have meant */
#ifndef NEAR_H
#define NEAR_H

#include <stddef.h>

#define NEAR_MAX 3		/* names that are kept */
#define NEAR_WORDS_MAX 256

/* The nearest names so far, the nearest first. Set wanted, then offer names;
 * they must live as long as this does. */
struct near {
	const char *wanted;
	const char *names[NEAR_MAX];
	size_t distances[NEAR_MAX];
	size_t count;
};

/* Keeps name if it is near enough to the wanted one. */
void
near_offer(struct near *near, const char *name);

/* As near_offer, if part, which is of name, is near enough. */
void
near_offer_part(struct near *near, const char *name, const char *part);

/* Keeps name among the nearest, whose distance from what is wanted the caller
 * has measured. */
void
near_insert(struct near *near, const char *name, size_t far);

/*
 * Writes " (did you mean a or b?)" for a message, or nothing without names,
 * to the NEAR_WORDS_MAX bytes at out. Before each name stands what: "--".
 * Returns out.
 */
const char *
near_words(const struct near *near, const char *what, char *out);

#endif
