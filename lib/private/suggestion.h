/* suggestion.h - similar names for a name that does not exist */
/* layer: base */
#ifndef DMT_PRIVATE_SUGGESTION_H
#define DMT_PRIVATE_SUGGESTION_H

#include <stddef.h>

#define DMT_SUGGESTIONS_MAX 3	/* suggestions that are kept */
#define DMT_SUGGESTION_LENGTH 128	/* bytes of a name that are compared */
#define DMT_SUGGESTION_TEXT_MAX 256

/* Around the name, in every message that suggests one. */
#define DMT_DID_YOU_MEAN " (did you mean "
#define DMT_DID_YOU_MEAN_END "?)"

/* The names that are most similar so far, the best first; if equally similar,
 * in the order in which they were offered. Set wanted, which must stay valid,
 * then offer names. */
struct dmt_suggestion {
	const char *wanted;
	char names[DMT_SUGGESTIONS_MAX][DMT_SUGGESTION_LENGTH];
	size_t distances[DMT_SUGGESTIONS_MAX];
	size_t count;
};

/* Adds name if it is similar enough to the wanted one; a name that begins with
 * the wanted one is most similar. */
void
dmt_suggestion_offer(struct dmt_suggestion *suggestion, const char *name);

/* The same as dmt_suggestion_offer, but compares part, a part of name. */
void
dmt_suggestion_offer_part(struct dmt_suggestion *suggestion, const char *name,
    const char *part);

/* Adds name with a distance that the caller has computed. */
void
dmt_suggestion_insert(struct dmt_suggestion *suggestion, const char *name,
    size_t distance);

/*
 * Writes " (did you mean a or b?)" for a message, or nothing if there are no
 * names; if some names begin with the wanted one, only these. before is written
 * before each name. out has DMT_SUGGESTION_TEXT_MAX bytes. Returns out.
 */
const char *
dmt_suggestion_text(const struct dmt_suggestion *suggestion,
    const char *before, char *out);

#endif
