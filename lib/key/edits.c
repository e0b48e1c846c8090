/* edits.c - what a key has other than its text */

#include "key/edits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* Whether a line may come with added bytes for removed ones. */
static enum dmtrace_status
check_limits(struct dmtrace_key *key, size_t line_len, size_t added,
    size_t removed)
{
	if (line_len > key->limit_line)
		return dmt_error_set(&key->error, DMTRACE_ERR_LIMIT,
		    "a line of %zu bytes; the limit of a line is %" PRIu64,
		    line_len, key->limit_line);
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

/* Makes *edit the index-th one. false: no memory. */
static bool
insert(struct dmt_edits *edits, size_t index, const struct dmt_edit *edit)
{
	struct dmt_edit *items = dmt_array_grow(edits->items,
	    &edits->capacity, edits->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	edits->items = items;
	memmove(items + index + 1, items + index,
	    (edits->count - index) * sizeof(*items));
	edits->count++;
	items[index] = *edit;
	return true;
}

bool
dmt_edits_open(struct dmt_edits *edits, enum dmt_section section, size_t at,
    struct dmtrace_text heading)
{
	const struct dmt_edit edit =
	    { .at = at, .adds_to = section, .heading = heading };
	size_t i = 0;

	while (i < edits->count && edits->items[i].at <= at)
		i++;
	return insert(edits, i, &edit);
}

static struct dmt_edit *
find_section(const struct dmt_edits *edits, enum dmt_section section)
{
	size_t i = 0;

	while (edits->items[i].adds_to != section)
		i++;
	return &edits->items[i];
}

enum dmtrace_status
dmt_edits_add(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text line, size_t *index)
{
	struct dmt_edit *edit = find_section(&key->edits, section);
	const size_t added = line.len +
	    (edit->lines.count == 0 ? edit->heading.len : 0);
	const enum dmtrace_status status =
	    check_limits(key, line.len, added, 0);

	if (status != DMTRACE_OK)
		return status;
	*index = edit->lines.count;
	if (!push(&edit->lines, line))
		return dmt_error_memory(&key->error);
	resize(key, added, 0);
	return DMTRACE_OK;
}

static bool
is_before(const struct dmt_edit *edit, size_t at, size_t len)
{
	return edit->at < at || (edit->at == at &&
	    edit->adds_to == DMT_SECTION_UNKNOWN && edit->len < len);
}

/* Where a change of these bytes is, or belongs. */
static size_t
search(const struct dmt_edits *edits, size_t at, size_t len)
{
	size_t low = 0, high = edits->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (is_before(&edits->items[middle], at, len))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
is_change(const struct dmt_edit *edit, size_t at, size_t len)
{
	return edit->at == at && edit->len == len &&
	    edit->adds_to == DMT_SECTION_UNKNOWN;
}

/* Makes a change of len bytes the index-th edit. false: no memory. */
static bool
insert_change(struct dmt_edits *edits, size_t index, size_t at, size_t len,
    struct dmtrace_text line)
{
	struct dmt_edit edit =
	    { .at = at, .len = len, .adds_to = DMT_SECTION_UNKNOWN };

	if (push(&edit.lines, line) && insert(edits, index, &edit))
		return true;
	free(edit.lines.items);
	return false;
}

/* Puts a line in place of one that was put or added. */
static enum dmtrace_status
replace(struct dmtrace_key *key, struct dmtrace_text *old,
    struct dmtrace_text line)
{
	const enum dmtrace_status status =
	    check_limits(key, line.len, line.len, old->len);

	if (status != DMTRACE_OK)
		return status;
	resize(key, line.len, old->len);
	*old = line;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_edits_change(struct dmtrace_key *key, size_t at, size_t len,
    struct dmtrace_text line)
{
	struct dmt_edits *edits = &key->edits;
	const size_t i = search(edits, at, len);

	if (i < edits->count && is_change(&edits->items[i], at, len))
		return replace(key, &edits->items[i].lines.items[0], line);
	const enum dmtrace_status status =
	    check_limits(key, line.len, line.len, len);
	if (status != DMTRACE_OK)
		return status;
	if (!insert_change(edits, i, at, len, line))
		return dmt_error_memory(&key->error);
	resize(key, line.len, len);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_edits_change_added(struct dmtrace_key *key, enum dmt_section section,
    size_t index, struct dmtrace_text line)
{
	return replace(key,
	    &find_section(&key->edits, section)->lines.items[index], line);
}

void
dmt_edits_fini(struct dmt_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		free(edits->items[i].lines.items);
	free(edits->items);
	*edits = (struct dmt_edits){ 0 };
}
