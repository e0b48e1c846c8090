/* suggestion.c - similar names for a name that does not exist */

#include "cli/suggestion.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 128		/* bytes of a name that are compared */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to add, drop or change to make b of a. */
static size_t
distance(const char *a, const char *b)
{
	const size_t columns = least(strlen(b), LONGEST);
	size_t row[LONGEST + 1];

	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0' && i < LONGEST; i++) {
		size_t diagonal = i;

		row[0] = i + 1;
		for (size_t j = 0; j < columns; j++) {
			const size_t change = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			row[j + 1] = least(change,
			    least(row[j], row[j + 1]) + 1);
		}
	}
	return row[columns];
}

void
suggestion_insert(struct suggestion *near, const char *name, size_t far)
{
	size_t i = near->count;

	for (; i > 0 && far < near->distances[i - 1]; i--)
		if (i < SUGGESTIONS_MAX) {
			near->names[i] = near->names[i - 1];
			near->distances[i] = near->distances[i - 1];
		}
	if (i == SUGGESTIONS_MAX)
		return;
	near->names[i] = name;
	near->distances[i] = far;
	near->count = least(near->count + 1, SUGGESTIONS_MAX);
}

void
suggestion_offer_part(struct suggestion *near, const char *name,
    const char *part)
{
	const size_t far = distance(near->wanted, part);

	if (far <= 1 + strlen(near->wanted) / 3)
		suggestion_insert(near, name, far);
}

void
suggestion_offer(struct suggestion *near, const char *name)
{
	suggestion_offer_part(near, name, name);
}

const char *
suggestion_text(const struct suggestion *near, const char *what, char *out)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < near->count; i++)
		used += (size_t)snprintf(out + used, SUGGESTION_TEXT_MAX - used,
		    "%s%s%.60s%s", i == 0 ? " (did you mean " : " or ",
		    what, near->names[i],
		    i + 1 == near->count ? "?)" : "");
	return out;
}
