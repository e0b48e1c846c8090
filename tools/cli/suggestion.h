/* suggestion.h - similar names for a name that does not exist */
#ifndef SUGGESTION_H
#define SUGGESTION_H

#include <stddef.h>

#define SUGGESTIONS_MAX 3		/* names that are kept */
#define SUGGESTION_TEXT_MAX 256

/* The nearest names so far, the nearest first. Set wanted, then offer names;
 * they must live as long as this does. */
struct suggestion {
	const char *wanted;
	const char *names[SUGGESTIONS_MAX];
	size_t distances[SUGGESTIONS_MAX];
	size_t count;
};

/* Keeps name if it is near enough to the wanted one. */
void
suggestion_offer(struct suggestion *near, const char *name);

/* As suggestion_offer, if part, which is of name, is near enough. */
void
suggestion_offer_part(struct suggestion *near, const char *name,
    const char *part);

/* Keeps name among the nearest, whose distance from what is wanted the caller
 * has measured. */
void
suggestion_insert(struct suggestion *near, const char *name, size_t far);

/*
 * Writes " (did you mean a or b?)" for a message, or nothing without names,
 * to the SUGGESTION_TEXT_MAX bytes at out. Before each name stands what: "--".
 * Returns out.
 */
const char *
suggestion_text(const struct suggestion *near, const char *what, char *out);

#endif
