/* suggestion.h - similar names for a name that does not exist */
#ifndef SUGGESTION_H
#define SUGGESTION_H

#include <stddef.h>

#define SUGGESTIONS_MAX 3	/* names that are kept */
#define SUGGESTION_LENGTH 128	/* bytes of a name that are compared */
#define SUGGESTION_TEXT_MAX 256

/* The nearest names so far, the nearest first; of equal ones the first. Set
 * wanted, which must live as long as this does, then offer names. */
struct suggestion {
	const char *wanted;
	char names[SUGGESTIONS_MAX][SUGGESTION_LENGTH];
	size_t distances[SUGGESTIONS_MAX];
	size_t count;
};

/* Keeps name if it is near enough to the wanted one; one that the wanted one is
 * the beginning of is nearest. */
void
suggestion_offer(struct suggestion *suggestion, const char *name);

/* As suggestion_offer, but compares part, which is a part of name. */
void
suggestion_offer_part(struct suggestion *suggestion, const char *name,
    const char *part);

/* Keeps name among the nearest, at a distance that the caller has measured. */
void
suggestion_insert(struct suggestion *suggestion, const char *name,
    size_t distance);

/*
 * Writes " (did you mean a or b?)" for a message, or nothing without names,
 * and only those that the wanted one is the beginning of if there are any,
 * to the SUGGESTION_TEXT_MAX bytes at out, with before in front of each name.
 * Returns out.
 */
const char *
suggestion_text(const struct suggestion *suggestion, const char *before,
    char *out);

#endif
