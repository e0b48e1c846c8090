/* key_edit.c - changes that callers make to a key */

/*
 * The text of a key is never changed. Changes are stored as edits: a line that
 * replaces some bytes of the text, or lines added at the end of a section.
 * They are sorted by their offset in the text, so that the encoder can write
 * text and edits in turn. A row that is changed twice has one edit, whose line
 * is replaced. All lines added to a section are in one edit, which the decoder
 * made. Each call first encodes its row, then checks the limits of the key and
 * allocates the table's memory, so that nothing has changed if it fails.
 */

#include "key/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/header.h"
#include "format/names.h"
#include "key/line_encode.h"
#include "key/line_text.h"
#include "private/key.h"

/* Checks if the key stays within its limits when a line is added and bytes are
 * replaced. */
static enum dmtrace_status
check_new_size(struct dmtrace_key *key, size_t line_len, size_t added,
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
set_new_size(struct dmtrace_key *key, size_t added, size_t removed)
{
	key->encoded_size = key->encoded_size + added - removed;
	key->fresh = false;
}

/* Appends a line to the lines of an edit. false: no memory. */
static bool
append_edit_line(struct dmt_texts *lines, struct dmtrace_text line)
{
	struct dmtrace_text *items = dmt_array_grow(lines->items,
	    &lines->capacity, lines->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	lines->items = items;
	items[lines->count++] = line;
	return true;
}

/* Inserts *edit as the index-th edit. false: no memory. */
static bool
insert_edit(struct dmt_edits *edits, size_t index,
    const struct dmt_edit *edit)
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
	return insert_edit(edits, i, &edit);
}

void
dmt_edits_fini(struct dmt_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		free(edits->items[i].lines.items);
	free(edits->items);
	*edits = (struct dmt_edits){ 0 };
}

/* Returns the edit that adds lines to a section. */
static struct dmt_edit *
find_addition(const struct dmt_edits *edits, enum dmt_section section)
{
	size_t i = 0;

	while (edits->items[i].adds_to != section)
		i++;
	return &edits->items[i];
}

/* Adds a line at the end of a section; *index is set to its number among the
 * added lines. */
static enum dmtrace_status
add_key_line(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text line, size_t *index)
{
	struct dmt_edit *edit = find_addition(&key->edits, section);
	const size_t added = line.len +
	    (edit->lines.count == 0 ? edit->heading.len : 0);
	const enum dmtrace_status status =
	    check_new_size(key, line.len, added, 0);

	if (status != DMTRACE_OK)
		return status;
	*index = edit->lines.count;
	if (!append_edit_line(&edit->lines, line))
		return dmt_error_memory(&key->error);
	set_new_size(key, added, 0);
	return DMTRACE_OK;
}

/* Replaces a line that is stored in an edit. */
static enum dmtrace_status
replace_edit_line(struct dmtrace_key *key, struct dmtrace_text *old,
    struct dmtrace_text line)
{
	const enum dmtrace_status status =
	    check_new_size(key, line.len, line.len, old->len);

	if (status != DMTRACE_OK)
		return status;
	set_new_size(key, line.len, old->len);
	*old = line;
	return DMTRACE_OK;
}

/* Replaces len bytes of the text, or the line that an earlier call put in
 * their place. */
static enum dmtrace_status
replace_key_line(struct dmtrace_key *key, size_t at, size_t len,
    struct dmtrace_text line)
{
	struct dmt_edits *const edits = &key->edits;
	size_t low = 0, high = edits->count;

	/* Binary search for the edit of these bytes, or the position to insert
	 * it at: of several edits at one offset, changes come first, by rising
	 * len. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct dmt_edit *const edit = &edits->items[middle];

		if (edit->at < at || (edit->at == at &&
		    edit->adds_to == DMT_SECTION_UNKNOWN && edit->len < len))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < edits->count && edits->items[low].at == at &&
	    edits->items[low].len == len &&
	    edits->items[low].adds_to == DMT_SECTION_UNKNOWN)
		return replace_edit_line(key,
		    &edits->items[low].lines.items[0], line);

	struct dmt_edit edit =
	    { .at = at, .len = len, .adds_to = DMT_SECTION_UNKNOWN };
	const enum dmtrace_status status =
	    check_new_size(key, line.len, line.len, len);
	if (status != DMTRACE_OK)
		return status;
	if (!append_edit_line(&edit.lines, line) ||
	    !insert_edit(edits, low, &edit)) {
		free(edit.lines.items);
		return dmt_error_memory(&key->error);
	}
	set_new_size(key, line.len, len);
	return DMTRACE_OK;
}

/* Begins a call that changes the key. */
static struct dmt_encoder
begin_edit(struct dmtrace_key *key)
{
	dmt_key_begin_call(key);
	return (struct dmt_encoder){ &key->arena, key->line_end,
	    &key->error };
}

enum dmtrace_status
dmt_key_set_version(struct dmtrace_key *key, unsigned version)
{
	const struct dmt_encoder encoder = begin_edit(key);
	struct dmtrace_text line;
	char digits[16];

	if (version < DMT_VERSION_MIN || version > DMT_VERSION_PACKETS_DUAL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "version %u; there are versions 1 to 5", version);
	snprintf(digits, sizeof(digits), "%u", version);
	enum dmtrace_status status =
	    dmt_line_encode(&line, dmt_text_of(digits), &encoder);
	if (status == DMTRACE_OK)
		status = replace_key_line(key, key->number_at,
		    key->number_len, line);
	if (status == DMTRACE_OK)
		key->version = version;
	return status;
}

/* Checks that the function named call may change the key; if not, returns the
 * status to return. */
static enum dmtrace_status
check_edit(struct dmtrace_key *key, const char *call, bool null_given)
{
	if (key == NULL)
		return DMTRACE_ERR_STATE;
	dmt_key_begin_call(key);
	if (null_given)
		return dmt_error_null_given(&key->error, call);
	return key->complete ? dmt_error_set(&key->error, DMTRACE_ERR_STATE,
	    "%s: the key is complete", call) : DMTRACE_OK;
}

enum dmtrace_status
dmtrace_key_option_set(struct dmtrace_key *key, const char *name,
    const char *value)
{
	if (check_edit(key, __func__, name == NULL || value == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	struct dmtrace_option option =
	    { dmt_text_of(name), dmt_text_of(value) };
	struct dmt_option_row *const row =
	    dmt_options_find(&key->options, option.name);
	struct dmt_option_row added = { 0 };
	const struct dmt_encoder encoder = begin_edit(key);
	struct dmtrace_text line;

	enum dmtrace_status status =
	    dmt_option_encode(&line, &option, &encoder);
	if (status == DMTRACE_OK && row == NULL &&
	    !dmt_options_reserve(&key->options))
		status = dmt_error_memory(&key->error);
	if (status != DMTRACE_OK)
		return status;

	/* A new option, one that was added earlier, or one in the text. */
	if (row == NULL)
		status = add_key_line(key, DMT_SECTION_VERSION, line,
		    &added.added);
	else if (row->len == 0)
		status = replace_edit_line(key, &find_addition(&key->edits,
		    DMT_SECTION_VERSION)->lines.items[row->added], line);
	else
		status = replace_key_line(key, row->at, row->len, line);
	if (status != DMTRACE_OK)
		return status;
	added.option = option;
	if (row == NULL)
		dmt_options_add(&key->options, &added);
	else
		row->option = option;
	if (strcmp(name, "clock") == 0)
		key->clock = dmt_clock_find(value, strlen(value));
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_key_thread_add(struct dmtrace_key *key,
    const struct dmtrace_thread *thread)
{
	if (check_edit(key, __func__, thread == NULL ||
	    dmt_text_is_missing(thread->name)) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	const struct dmt_encoder encoder = begin_edit(key);
	struct dmtrace_thread row = *thread;
	struct dmtrace_text line;
	size_t index;

	if (dmtrace_key_thread_find(key, row.id) != NULL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "thread %" PRIu32 " is listed already", row.id);
	enum dmtrace_status status = dmt_thread_encode(&line, &row, &encoder);
	if (status == DMTRACE_OK && !dmt_threads_reserve(&key->threads))
		status = dmt_error_memory(&key->error);
	if (status == DMTRACE_OK)
		status = add_key_line(key, DMT_SECTION_THREADS, line, &index);
	if (status == DMTRACE_OK)
		dmt_threads_add(&key->threads, &row);
	return status;
}

enum dmtrace_status
dmtrace_key_method_add(struct dmtrace_key *key,
    const struct dmtrace_method *method)
{
	if (check_edit(key, __func__, method == NULL ||
	    dmt_text_is_missing(method->class_name) ||
	    dmt_text_is_missing(method->name) ||
	    dmt_text_is_missing(method->signature) ||
	    dmt_text_is_missing(method->file)) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	const struct dmt_encoder encoder = begin_edit(key);
	struct dmtrace_method row = *method;
	struct dmtrace_text line;
	size_t index;

	if (dmtrace_key_method_find(key, row.id) != NULL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "method 0x%" PRIx64 " is listed already", row.id);
	enum dmtrace_status status = dmt_method_encode(&line, &row, &encoder);
	if (status == DMTRACE_OK && !dmt_methods_reserve(&key->methods))
		status = dmt_error_memory(&key->error);
	if (status == DMTRACE_OK)
		status = add_key_line(key, DMT_SECTION_METHODS, line, &index);
	if (status == DMTRACE_OK)
		dmt_methods_add(&key->methods, &row);
	return status;
}
