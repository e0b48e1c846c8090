/* edits.c - what a key has other than its text */

#include "key/edits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static enum dmtrace_status
check_limits(struct dmtrace_key *key, size_t added, size_t removed)
{
	if (added > key->limit_line)
		return dmt_error_set(&key->error, DMTRACE_ERR_LIMIT,
		    "a line of %zu bytes; the limit of a line is %" PRIu64,
		    added, key->limit_line);
	if (added > SIZE_MAX - key->encoded_size ||
	    key->encoded_size + added - removed > key->limit_key)
		return dmt_error_set(&key->error, DMTRACE_ERR_LIMIT,
		    "the key grows over its limit of %" PRIu64 " bytes",
		    key->limit_key);
	return DMTRACE_OK;
}

static void
resize(struct dmtrace_key *key, size_t added, size_t removed)
{
	key->encoded_size = key->encoded_size + added - removed;
	key->fresh = false;
}

static bool
push(struct dmt_texts *lines, struct dmtrace_text line)
{
	struct dmtrace_text *items = dmt_array_grow(lines->items,
	    &lines->capacity, lines->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	lines->items = items;
	items[lines->count++] = line;
	return true;
}

/* An edit before the first one that stands as far as index. NULL: no
 * memory. */
static struct dmt_edit *
insert(struct dmt_edits *edits, size_t index)
{
	struct dmt_edit *items = dmt_array_grow(edits->items,
	    &edits->capacity, edits->count + 1, sizeof(*items));

	if (items == NULL)
		return NULL;
	edits->items = items;
	memmove(items + index + 1, items + index,
	    (edits->count - index) * sizeof(*items));
	edits->count++;
	items[index] = (struct dmt_edit){ 0 };
	return &items[index];
}

static size_t
count_before(const struct dmt_edits *edits, size_t at)
{
	size_t i = 0;

	while (i < edits->count && edits->items[i].at < at)
		i++;
	return i;
}

static struct dmt_edit *
find_section(struct dmt_edits *edits, enum dmt_section section)
{
	size_t i = 0;

	while (edits->items[i].adds_to != section)
		i++;
	return &edits->items[i];
}

bool
dmt_edits_open(struct dmtrace_key *key, enum dmt_section section, size_t at)
{
	struct dmt_edits *edits = &key->edits;
	size_t i = count_before(edits, at);

	while (i < edits->count && edits->items[i].at == at)
		i++;
	struct dmt_edit *edit = insert(edits, i);
	if (edit == NULL)
		return false;
	edit->at = at;
	edit->adds_to = section;
	return true;
}

enum dmtrace_status
dmt_edits_add(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text line, size_t *index)
{
	struct dmt_texts *lines = &find_section(&key->edits, section)->lines;
	const enum dmtrace_status status = check_limits(key, line.len, 0);

	if (status != DMTRACE_OK)
		return status;
	*index = lines->count;
	if (!push(lines, line))
		return dmt_error_memory(&key->error);
	resize(key, line.len, 0);
	return DMTRACE_OK;
}

/* The change that stands at that place; NULL: none. */
static struct dmt_edit *
find_change(struct dmt_edits *edits, size_t at)
{
	const size_t i = count_before(edits, at);

	return i < edits->count && edits->items[i].at == at &&
	    edits->items[i].adds_to == DMT_SECTION_UNKNOWN ?
	    &edits->items[i] : NULL;
}

/* A change of nothing yet. */
static struct dmt_edit *
add_change(struct dmt_edits *edits, size_t at, size_t len,
    struct dmtrace_text line)
{
	struct dmt_edit *edit = insert(edits, count_before(edits, at));

	if (edit == NULL)
		return NULL;
	edit->at = at;
	edit->len = len;
	edit->adds_to = DMT_SECTION_UNKNOWN;
	if (push(&edit->lines, line))
		return edit;
	edits->count--;
	memmove(edit, edit + 1, (size_t)(edits->items + edits->count - edit) *
	    sizeof(*edit));
	return NULL;
}

enum dmtrace_status
dmt_edits_change(struct dmtrace_key *key, size_t at, size_t len,
    struct dmtrace_text line)
{
	struct dmt_edit *edit = find_change(&key->edits, at);
	const size_t removed = edit == NULL ? len : edit->lines.items[0].len;
	const enum dmtrace_status status =
	    check_limits(key, line.len, removed);

	if (status != DMTRACE_OK)
		return status;
	if (edit != NULL)
		edit->lines.items[0] = line;
	else if (add_change(&key->edits, at, len, line) == NULL)
		return dmt_error_memory(&key->error);
	resize(key, line.len, removed);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_edits_change_added(struct dmtrace_key *key, enum dmt_section section,
    size_t index, struct dmtrace_text line)
{
	struct dmtrace_text *old =
	    &find_section(&key->edits, section)->lines.items[index];
	const enum dmtrace_status status =
	    check_limits(key, line.len, old->len);

	if (status != DMTRACE_OK)
		return status;
	resize(key, line.len, old->len);
	*old = line;
	return DMTRACE_OK;
}

void
dmt_edits_fini(struct dmt_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		free(edits->items[i].lines.items);
	free(edits->items);
	*edits = (struct dmt_edits){ 0 };
}
