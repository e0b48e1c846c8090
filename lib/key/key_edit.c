/* key_edit.c - changes that callers make to a key */

/*
 * A line that changes is replaced in the list of lines; lines that are added
 * are in a list for each section, which follows the section's last line when
 * the key is encoded. Each call first encodes its row, then checks the limits
 * of the key and allocates the table's memory, so that nothing has changed if
 * it fails.
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
#include "key/number.h"
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

bool
dmt_key_line_append(struct dmt_key_lines *lines,
    const struct dmt_key_line *line)
{
	struct dmt_key_line *const items = lines->count >= UINT32_MAX ? NULL :
	    dmt_array_grow(lines->items, &lines->capacity, lines->count + 1,
	    sizeof(*items));

	if (items == NULL)
		return false;
	lines->items = items;
	items[lines->count++] = *line;
	return true;
}

/* Missing sections follow all others. */
size_t
dmt_key_additions_at(const struct dmtrace_key *key, size_t line,
    enum dmt_section sections[DMT_TABLES])
{
	size_t count = 0;

	for (unsigned i = 0; i < 2 * DMT_TABLES; i++) {
		const struct dmt_addition *const added =
		    &key->added[i % DMT_TABLES];
		const bool missing = i >= DMT_TABLES;

		if (added->at == line && added->missing == missing &&
		    added->lines.count > missing)
			sections[count++] =
			    (enum dmt_section)(i % DMT_TABLES);
	}
	return count;
}

/* Adds the line of a row at the end of a section. */
static enum dmtrace_status
add_key_line(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text text, enum dmt_item item, size_t row)
{
	struct dmt_addition *const added = &key->added[section];
	const bool first = added->missing && added->lines.count == 1;
	const size_t len =
	    text.len + (first ? added->lines.items[0].text.len : 0);
	const struct dmt_key_line line = {
		text, (uint32_t)row, (uint8_t)item,
		(uint8_t)strlen(key->line_end)
	};
	const enum dmtrace_status status =
	    check_new_size(key, text.len, len, 0);

	if (status != DMTRACE_OK)
		return status;
	if (!dmt_key_line_append(&added->lines, &line))
		return dmt_error_memory(&key->error);
	set_new_size(key, len, 0);
	return DMTRACE_OK;
}

static enum dmtrace_status
replace_key_line(struct dmtrace_key *key, struct dmt_key_line *line,
    struct dmtrace_text text)
{
	const enum dmtrace_status status =
	    check_new_size(key, text.len, text.len, line->text.len);

	if (status != DMTRACE_OK)
		return status;
	set_new_size(key, text.len, line->text.len);
	line->text = text;
	line->end = (uint8_t)strlen(key->line_end);
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
		status = replace_key_line(key,
		    &key->lines.items[key->number], line);
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
	const struct dmt_encoder encoder = begin_edit(key);
	struct dmtrace_text line;

	enum dmtrace_status status =
	    dmt_option_encode(&line, &option, &encoder);
	if (status == DMTRACE_OK && row == NULL &&
	    !dmt_options_reserve(&key->options))
		status = dmt_error_memory(&key->error);
	if (status != DMTRACE_OK)
		return status;

	struct dmt_key_lines *const lines =
	    row == NULL || row->added ?
	    &key->added[DMT_SECTION_VERSION].lines : &key->lines;
	const struct dmt_option_row added =
	    { .option = option, .line = lines->count, .added = true };
	status = row != NULL ?
	    replace_key_line(key, &lines->items[row->line], line) :
	    add_key_line(key, DMT_SECTION_VERSION, line, DMT_ITEM_OPTION,
	    key->options.count);
	if (status != DMTRACE_OK)
		return status;
	if (row == NULL)
		dmt_options_add(&key->options, &added);
	else
		row->option = option;
	if (strcmp(name, DMT_OPTION_CLOCK) == 0)
		key->clock = dmt_clock_find(value, strlen(value));
	return DMTRACE_OK;
}

static enum dmtrace_status
set_count(struct dmtrace_key *key, const char *name, uint64_t count, bool adds)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, name);
	char digits[24];
	uint64_t had;

	if (option == NULL ? !adds :
	    dmt_count_decode(&had, option->value) && had == count)
		return DMTRACE_OK;
	snprintf(digits, sizeof(digits), "%" PRIu64, count);
	return dmtrace_key_option_set(key, name, digits);
}

enum dmtrace_status
dmt_key_set_counts(struct dmtrace_key *key,
    const struct dmt_key_counts *counts)
{
	enum dmtrace_status status = set_count(key, DMT_OPTION_OPENED,
	    counts->opened, counts->opened > 0);

	if (status == DMTRACE_OK)
		status = set_count(key, DMT_OPTION_CLOSED, counts->closed,
		    counts->closed > 0);
	return status != DMTRACE_OK ? status : set_count(key,
	    DMT_OPTION_CALLS, counts->calls, false);
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

	if (dmtrace_key_thread_find(key, row.id) != NULL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "thread %" PRIu32 " is listed already", row.id);
	enum dmtrace_status status = dmt_thread_encode(&line, &row, &encoder);
	if (status == DMTRACE_OK && !dmt_threads_reserve(&key->threads))
		status = dmt_error_memory(&key->error);
	if (status == DMTRACE_OK)
		status = add_key_line(key, DMT_SECTION_THREADS, line,
		    DMT_ITEM_THREAD, key->threads.count);
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

	if (dmtrace_key_method_find(key, row.id) != NULL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "method 0x%" PRIx64 " is listed already", row.id);
	enum dmtrace_status status = dmt_method_encode(&line, &row, &encoder);
	if (status == DMTRACE_OK && !dmt_methods_reserve(&key->methods))
		status = dmt_error_memory(&key->error);
	if (status == DMTRACE_OK)
		status = add_key_line(key, DMT_SECTION_METHODS, line,
		    DMT_ITEM_METHOD, key->methods.count);
	if (status == DMTRACE_OK)
		dmt_methods_add(&key->methods, &row);
	return status;
}
