/* key_add.c - what callers add to a key, and change in it */

#include "key/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "format/header.h"
#include "format/names.h"
#include "key/edits.h"
#include "key/line_encode.h"
#include "key/options.h"
#include "key/text.h"

/* A call on the key begins. */
static struct dmt_encoder
encoder(struct dmtrace_key *key)
{
	dmt_key_begin_call(key);
	return (struct dmt_encoder){ &key->arena, key->line_end,
	    &key->error };
}

enum dmtrace_status
dmtrace_key_set_version(struct dmtrace_key *key, unsigned version)
{
	const struct dmt_encoder to = encoder(key);
	struct dmtrace_text line;
	char digits[16];

	if (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "version %u; there are versions 1 to 3", version);
	snprintf(digits, sizeof(digits), "%u", version);
	enum dmtrace_status status =
	    dmt_line_encode(&line, dmt_text_of(digits), &to);
	if (status == DMTRACE_OK)
		status = dmt_edits_change(key, key->number_at,
		    key->number_len, line);
	if (status == DMTRACE_OK)
		key->version = version;
	return status;
}

static enum dmtrace_status
add_option(struct dmtrace_key *key, const struct dmtrace_option *option,
    struct dmtrace_text line)
{
	struct dmt_option_row row = { .option = *option };

	if (!dmt_options_reserve(&key->options))
		return dmt_error_memory(&key->error);
	const enum dmtrace_status status =
	    dmt_edits_add(key, DMT_SECTION_VERSION, line, &row.added);
	if (status == DMTRACE_OK)
		dmt_options_add(&key->options, &row);
	return status;
}

static enum dmtrace_status
change_option(struct dmtrace_key *key, struct dmt_option_row *row,
    const struct dmtrace_option *option, struct dmtrace_text line)
{
	const enum dmtrace_status status = row->len != 0 ?
	    dmt_edits_change(key, row->at, row->len, line) :
	    dmt_edits_change_added(key, DMT_SECTION_VERSION, row->added,
	    line);

	if (status == DMTRACE_OK)
		row->option = *option;
	return status;
}

enum dmtrace_status
dmtrace_key_option_set(struct dmtrace_key *key, const char *name,
    const char *value)
{
	struct dmtrace_option option =
	    { dmt_text_of(name), dmt_text_of(value) };
	struct dmt_option_row *row =
	    dmt_options_find(&key->options, option.name);
	const struct dmt_encoder to = encoder(key);
	struct dmtrace_text line;

	enum dmtrace_status status = dmt_option_encode(&line, &option, &to);
	if (status == DMTRACE_OK)
		status = row == NULL ? add_option(key, &option, line) :
		    change_option(key, row, &option, line);
	if (status == DMTRACE_OK && strcmp(name, "clock") == 0)
		key->clock = dmt_clock_find(value, strlen(value));
	return status;
}

static enum dmtrace_status
add_line(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text line)
{
	size_t index;

	return dmt_edits_add(key, section, line, &index);
}

enum dmtrace_status
dmtrace_key_thread_add(struct dmtrace_key *key,
    const struct dmtrace_thread *thread)
{
	const struct dmt_encoder to = encoder(key);
	struct dmtrace_thread row = *thread;
	struct dmtrace_text line;

	if (dmtrace_key_thread_find(key, row.id) != NULL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "thread %" PRIu32 " is listed already", row.id);
	enum dmtrace_status status = dmt_thread_encode(&line, &row, &to);
	if (status == DMTRACE_OK && !dmt_threads_reserve(&key->threads))
		status = dmt_error_memory(&key->error);
	if (status == DMTRACE_OK)
		status = add_line(key, DMT_SECTION_THREADS, line);
	if (status == DMTRACE_OK)
		dmt_threads_add(&key->threads, &row);
	return status;
}

enum dmtrace_status
dmtrace_key_method_add(struct dmtrace_key *key,
    const struct dmtrace_method *method)
{
	const struct dmt_encoder to = encoder(key);
	struct dmtrace_method row = *method;
	struct dmtrace_text line;

	if (dmtrace_key_method_find(key, row.id) != NULL)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "method 0x%" PRIx64 " is listed already", row.id);
	enum dmtrace_status status = dmt_method_encode(&line, &row, &to);
	if (status == DMTRACE_OK && !dmt_methods_reserve(&key->methods))
		status = dmt_error_memory(&key->error);
	if (status == DMTRACE_OK)
		status = add_line(key, DMT_SECTION_METHODS, line);
	if (status == DMTRACE_OK)
		dmt_methods_add(&key->methods, &row);
	return status;
}
