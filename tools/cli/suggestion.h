/* suggestion.h - similar names for a name that does not exist */
#ifndef SUGGESTION_H
#define SUGGESTION_H

#include <stddef.h>

#define SUGGESTIONS_MAX 3	/* suggestions that are kept */
#define SUGGESTION_LENGTH 128	/* bytes of a name that are compared */
#define SUGGESTION_TEXT_MAX 256

/* The names that are most similar so far, the best first; if equally similar,
 * in the order in which they were offered. Set wanted, which must stay valid,
 * then offer names. */
struct suggestion {
	const char *wanted;
	char names[SUGGESTIONS_MAX][SUGGESTION_LENGTH];
	size_t distances[SUGGESTIONS_MAX];
	size_t count;
};

/* Adds name if it is similar enough to the wanted one; a name that begins with
 * the wanted one is most similar. */
void
suggestion_offer(struct suggestion *suggestion, const char *name);

/* The same as suggestion_offer, but compares part, a part of name. */
void
suggestion_offer_part(struct suggestion *suggestion, const char *name,
    const char *part);

/* Adds name with a distance that the caller has computed. */
void
suggestion_insert(struct suggestion *suggestion, const char *name,
    size_t distance);

/*
 * Writes " (did you mean a or b?)" for a message, or nothing if there are no
 * names; if some names begin with the wanted one, only these. out has
 * SUGGESTION_TEXT_MAX bytes; before is written before each name. Returns out.
 */
const char *
suggestion_text(const struct suggestion *suggestion, const char *before,
    char *out);

#endif
