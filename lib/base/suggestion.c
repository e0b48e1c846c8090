/* suggestion.c - similar names for a name that does not exist */

#include "private/suggestion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t
min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns how many letters must be inserted, removed or changed to turn a into
 * b. */
static size_t
measure_distance(const char *a, const char *b)
{
	const size_t columns = min_size(strlen(b), DMT_SUGGESTION_LENGTH);
	size_t row[DMT_SUGGESTION_LENGTH + 1];

	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 0; i < DMT_SUGGESTION_LENGTH && a[i] != '\0'; i++) {
		size_t diagonal = i;

		row[0] = i + 1;
		for (size_t j = 0; j < columns; j++) {
			const size_t change = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			row[j + 1] = min_size(change,
			    min_size(row[j], row[j + 1]) + 1);
		}
	}
	return row[columns];
}

static bool
is_suggested(const struct dmt_suggestion *suggestion, const char *name)
{
	for (size_t i = 0; i < suggestion->count; i++)
		if (strncmp(suggestion->names[i], name,
		    DMT_SUGGESTION_LENGTH - 1) == 0)
			return true;
	return false;
}

void
dmt_suggestion_insert(struct dmt_suggestion *suggestion, const char *name,
    size_t distance)
{
	size_t i = suggestion->count;

	if (is_suggested(suggestion, name))
		return;
	for (; i > 0 && distance < suggestion->distances[i - 1]; i--)
		if (i < DMT_SUGGESTIONS_MAX) {
			strcpy(suggestion->names[i], suggestion->names[i - 1]);
			suggestion->distances[i] = suggestion->distances[i - 1];
		}
	if (i == DMT_SUGGESTIONS_MAX)
		return;
	snprintf(suggestion->names[i], DMT_SUGGESTION_LENGTH, "%s", name);
	suggestion->distances[i] = distance;
	suggestion->count =
	    min_size(suggestion->count + 1, DMT_SUGGESTIONS_MAX);
}

void
dmt_suggestion_offer_part(struct dmt_suggestion *suggestion, const char *name,
    const char *part)
{
	const size_t len = strlen(suggestion->wanted);
	const bool is_shortened =
	    len > 0 && strncmp(suggestion->wanted, part, len) == 0;
	const size_t distance = is_shortened ? 0 :
	    measure_distance(suggestion->wanted, part);

	if (distance <= 1 + len / 3)
		dmt_suggestion_insert(suggestion, name, distance);
}

void
dmt_suggestion_offer(struct dmt_suggestion *suggestion, const char *name)
{
	dmt_suggestion_offer_part(suggestion, name, name);
}

const char *
dmt_suggestion_text(const struct dmt_suggestion *suggestion, const char *before,
    char *out)
{
	size_t used = 0;
	size_t count = suggestion->count;

	out[0] = '\0';
	while (count > 1 && suggestion->distances[0] == 0 &&
	    suggestion->distances[count - 1] > 0)
		count--;
	for (size_t i = 0; i < count; i++)
		used += (size_t)snprintf(out + used,
		    DMT_SUGGESTION_TEXT_MAX - used, "%s%s%.60s%s",
		    i == 0 ? DMT_DID_YOU_MEAN : i + 1 == count ? " or " :
		    ", ", before, suggestion->names[i],
		    i + 1 == count ? DMT_DID_YOU_MEAN_END : "");
	return out;
}
