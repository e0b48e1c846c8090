/* key.c - a key: made, asked, added to */

#include "key/key.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "format/names.h"
#include "key/edits.h"
#include "key/line_encode.h"
#include "key/options.h"
#include "key/text.h"

#define KEY_LIMIT (UINT64_C(1) << 30)
#define LINE_LIMIT (UINT64_C(1) << 24)

/* A new key is this text, decoded. */
static const char empty[] = "*version\n2\n*threads\n*methods\n*end\n";

/* Like a new one, but for its limits and its error. */
static bool
init(struct dmtrace_key *key)
{
	struct dmt_findings findings = { 0 };

	key->fresh = true;
	key->line_end = "\n";
	const enum dmtrace_status status = dmt_key_decode(key,
	    (const uint8_t *)empty, strlen(empty), &findings);
	key->fresh = true;
	return status == DMTRACE_OK;
}

struct dmtrace_key *
dmtrace_key_new(void)
{
	struct dmtrace_key *key = dmt_array_new(1, sizeof(*key));

	if (key == NULL)
		return NULL;
	key->limit_key = KEY_LIMIT;
	key->limit_line = LINE_LIMIT;
	if (init(key))
		return key;
	dmtrace_key_free(key);
	return NULL;
}

void
dmtrace_key_free(struct dmtrace_key *key)
{
	if (key == NULL)
		return;
	dmt_edits_fini(&key->edits);
	dmt_options_fini(&key->options);
	dmt_threads_fini(&key->threads);
	dmt_methods_fini(&key->methods);
	dmt_arena_fini(&key->arena);
	free(key);
}

struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key)
{
	const size_t size = dmtrace_key_encoded_size(key);
	struct dmt_findings findings = { 0 };
	struct dmtrace_key *copy = dmtrace_key_new();
	uint8_t *bytes = malloc(size);

	if (copy != NULL && bytes != NULL) {
		copy->limit_key = key->limit_key;
		copy->limit_line = key->limit_line;
		dmtrace_key_encode(key, bytes, size);
		if (dmt_key_decode(copy, bytes, size, &findings) !=
		    DMTRACE_OK) {
			dmtrace_key_free(copy);
			copy = NULL;
		}
	} else {
		dmtrace_key_free(copy);
		copy = NULL;
	}
	free(bytes);
	return copy;
}

const struct dmtrace_error *
dmtrace_key_error(const struct dmtrace_key *key)
{
	return &key->error;
}

enum dmtrace_status
dmtrace_key_set_limit(struct dmtrace_key *key, enum dmtrace_limit limit,
    uint64_t value)
{
	switch (limit) {
	case DMTRACE_LIMIT_KEY:
		key->limit_key = value;
		return DMTRACE_OK;
	case DMTRACE_LIMIT_LINE:
		key->limit_line = value;
		return DMTRACE_OK;
	default:
		return DMTRACE_ERR_RANGE;
	}
}

unsigned
dmtrace_key_version(const struct dmtrace_key *key)
{
	return key->version;
}

enum dmtrace_clock
dmtrace_key_clock(const struct dmtrace_key *key)
{
	return key->clock;
}

size_t
dmtrace_key_option_count(const struct dmtrace_key *key)
{
	return key->options.count;
}

const struct dmtrace_option *
dmtrace_key_option_get(const struct dmtrace_key *key, size_t index)
{
	assert(index < key->options.count);
	return &key->options.items[index].option;
}

size_t
dmtrace_key_thread_count(const struct dmtrace_key *key)
{
	return key->threads.count;
}

const struct dmtrace_thread *
dmtrace_key_thread_get(const struct dmtrace_key *key, size_t index)
{
	assert(index < key->threads.count);
	return &key->threads.items[index];
}

size_t
dmtrace_key_method_count(const struct dmtrace_key *key)
{
	return key->methods.count;
}

const struct dmtrace_method *
dmtrace_key_method_get(const struct dmtrace_key *key, size_t index)
{
	assert(index < key->methods.count);
	return &key->methods.items[index];
}

static struct dmtrace_text
text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

const struct dmtrace_option *
dmtrace_key_option_find(const struct dmtrace_key *key, const char *name)
{
	const struct dmt_option_row *row =
	    dmt_options_find(&key->options, text_of(name));

	return row == NULL ? NULL : &row->option;
}

const struct dmtrace_thread *
dmtrace_key_thread_find(const struct dmtrace_key *key, uint32_t id)
{
	return dmt_threads_find(&key->threads, sizeof(id), id);
}

const struct dmtrace_thread *
dmtrace_key_thread_match(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout, uint32_t number)
{
	const struct dmtrace_thread *thread =
	    dmtrace_key_thread_find(key, number);

	return thread != NULL ? thread :
	    dmt_threads_find(&key->threads, layout->thread.width, number);
}

const struct dmtrace_method *
dmtrace_key_method_find(const struct dmtrace_key *key, uint64_t id)
{
	return dmt_methods_find(&key->methods, id);
}

static struct dmt_encoder
encoder(struct dmtrace_key *key)
{
	dmt_error_clear(&key->error);
	return (struct dmt_encoder){ &key->arena, key->line_end,
	    &key->error };
}

enum dmtrace_status
dmtrace_key_set_version(struct dmtrace_key *key, unsigned version)
{
	char digit[4];

	dmt_error_clear(&key->error);
	if (version < 1 || version > 3)
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "version %u; there are versions 1 to 3", version);
	const int len = snprintf(digit, sizeof(digit), "%u%s", version,
	    key->line_end);
	char *line = dmt_arena_alloc(&key->arena, (size_t)len);
	if (line == NULL)
		return dmt_error_memory(&key->error);
	memcpy(line, digit, (size_t)len);
	const enum dmtrace_status status = dmt_edits_change(key,
	    key->number_at, key->number_len,
	    (struct dmtrace_text){ line, (size_t)len });
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
	struct dmtrace_option option = { text_of(name), text_of(value) };
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

/* The name of a section that the text lacks comes with its first line. */
static enum dmtrace_status
with_section(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text *line)
{
	const struct dmtrace_text parts[] = {
		text_of(dmt_section_name(section)), text_of(key->line_end),
		*line
	};

	if (!key->missing[section])
		return DMTRACE_OK;
	char *out = dmt_arena_alloc(&key->arena,
	    parts[0].len + parts[1].len + parts[2].len);
	if (out == NULL)
		return dmt_error_memory(&key->error);
	*line = (struct dmtrace_text){ out, 0 };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		memcpy(out + line->len, parts[i].bytes, parts[i].len);
		line->len += parts[i].len;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
add_line(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text line)
{
	size_t index;
	enum dmtrace_status status = with_section(key, section, &line);

	if (status == DMTRACE_OK)
		status = dmt_edits_add(key, section, line, &index);
	if (status == DMTRACE_OK)
		key->missing[section] = false;
	return status;
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
