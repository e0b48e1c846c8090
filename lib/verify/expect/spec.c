/* spec.c - a specification: the rules and trees to check a trace against */

/*
 * A specification keeps its text, because reports and updates refer to lines.
 * spec_parse.c makes rules, threads with their trees of calls, and conditions
 * that select a part of the trace from it. Rules and trees refer to methods by
 * patterns; equal patterns are stored once. Patterns that are plain names are
 * found by a hash, however many there are; the others are tried one after the
 * other, once for each method.
 */

#include "verify/expect/spec.h"

#include <dmtrace/status.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/input.h"
#include "private/select.h"
#include "private/status.h"
#include "private/text.h"
#include "private/verify.h"

#define LENGTH_MAX (UINT64_C(1) << 31)

struct dmtrace_spec *
dmtrace_spec_new(void)
{
	return dmt_array_new(1, sizeof(struct dmtrace_spec));
}

void
dmtrace_spec_free(struct dmtrace_spec *spec)
{
	if (spec == NULL)
		return;
	for (size_t i = 0; i < spec->pattern_count; i++)
		if (!spec->patterns[i].is_name)
			dmt_pattern_fini(&spec->patterns[i].pattern);
	for (size_t i = 0; i < spec->block_count; i++)
		if (!spec->blocks[i].name.is_name)
			dmt_pattern_fini(&spec->blocks[i].name.pattern);
	free(spec->text);
	free(spec->lines);
	dmt_arena_fini(&spec->arena);
	free(spec->rules);
	free(spec->blocks);
	free(spec->nodes);
	free(spec->patterns);
	dmt_idmap_fini(&spec->by_hash);
	free(spec->globs);
	free(spec->selects);
	dmt_selection_free(spec->selection);
	free(spec);
}

const struct dmtrace_error *
dmtrace_spec_error(const struct dmtrace_spec *spec)
{
	return spec == NULL ? &dmt_error_null : &spec->error;
}

enum dmtrace_status
dmt_spec_fail(struct dmtrace_spec *spec, uint64_t line, const char *format,
    ...)
{
	char message[DMTRACE_MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return dmt_error_at(&spec->error, DMTRACE_ERR_CORRUPT,
	    DMTRACE_PLACE_LINE, line, "%s", message);
}

enum dmtrace_status
dmtrace_spec_decode(struct dmtrace_spec *spec, const void *bytes, size_t len)
{
	if (spec == NULL)
		return DMTRACE_ERR_STATE;
	if (bytes == NULL && len > 0)
		return dmt_error_null_given(&spec->error, __func__);
	if (spec->text != NULL || spec->error.status != DMTRACE_OK)
		return dmt_error_set(&spec->error, DMTRACE_ERR_STATE,
		    "%s: the specification was decoded before", __func__);
	if (len > LENGTH_MAX)
		return dmt_error_set(&spec->error, DMTRACE_ERR_LIMIT,
		    "more than %" PRIu64 " bytes", LENGTH_MAX);
	spec->text = dmt_array_new(len + 1, 1);
	if (spec->text == NULL)
		return dmt_error_memory(&spec->error);
	if (len > 0)
		memcpy(spec->text, bytes, len);
	spec->len = len;
	return dmt_spec_parse(spec);
}

enum dmtrace_status
dmtrace_spec_read(struct dmtrace_spec *spec, const struct dmtrace_file *file)
{
	if (spec == NULL)
		return DMTRACE_ERR_STATE;
	if (file == NULL)
		return dmt_error_null_given(&spec->error, __func__);
	struct dmt_input input = { .fd = -1 };
	const uint8_t *bytes;
	size_t want = DMT_BLOCK_SIZE, len;

	dmt_input_open_file(&input, file);
	while ((len = dmt_input_peek(&input, want, &bytes)) >= want &&
	    len <= LENGTH_MAX)
		want = len + 1;
	if (input.error.status == DMTRACE_OK)
		dmtrace_spec_decode(spec, bytes, len);
	else if (spec->error.status == DMTRACE_OK)
		spec->error = input.error;
	dmt_input_fini(&input);
	return spec->error.status;
}

uint64_t
dmt_name_hash(const char *bytes, size_t len)
{
	return dmt_hash_class(DMT_HASH, bytes, len);
}

static bool
is_name(const struct dmt_token *token)
{
	return token->quoted || dmt_pattern_is_name(
	    (struct dmtrace_text){ token->bytes, token->len });
}

enum dmtrace_status
dmt_name_pattern_init(struct dmtrace_spec *spec,
    struct dmt_name_pattern *pattern, const struct dmt_token *token,
    uint64_t line)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	*pattern = (struct dmt_name_pattern){
		.token = *token, .is_name = is_name(token),
		.same_hash = DMT_NONE
	};
	if (pattern->is_name)
		return DMTRACE_OK;
	const char *const string =
	    dmt_arena_copy(&spec->arena, token->bytes, token->len);
	if (string == NULL)
		return dmt_error_memory(&spec->error);
	if (dmt_pattern_init(&pattern->pattern, string, &error) ==
	    DMTRACE_OK)
		return DMTRACE_OK;
	dmt_pattern_fini(&pattern->pattern);
	return error.status == DMTRACE_ERR_MEMORY ?
	    dmt_error_memory(&spec->error) :
	    dmt_spec_fail(spec, line, "\"%.60s\": %s", string, error.message);
}

uint32_t
dmt_spec_pattern(struct dmtrace_spec *spec, const struct dmt_token *token,
    uint64_t line)
{
	const uint64_t hash = dmt_name_hash(token->bytes, token->len);
	const uint32_t index = (uint32_t)spec->pattern_count;
	uint32_t *const last = dmt_idmap_find(&spec->by_hash, hash);
	const uint32_t same_hash = last == NULL ? DMT_NONE : *last;

	for (uint32_t i = same_hash; i != DMT_NONE;
	    i = spec->patterns[i].same_hash) {
		const struct dmt_name_pattern *const other =
		    &spec->patterns[i];

		if (other->is_name == is_name(token) &&
		    other->token.len == token->len &&
		    memcmp(other->token.bytes, token->bytes,
		    token->len) == 0)
			return i;
	}

	struct dmt_name_pattern *const patterns = dmt_array_grow(
	    spec->patterns, &spec->pattern_capacity, spec->pattern_count + 1,
	    sizeof(*patterns));
	if (patterns == NULL)
		goto no_memory;
	spec->patterns = patterns;
	if (dmt_name_pattern_init(spec, &patterns[index], token, line) !=
	    DMTRACE_OK)
		return DMT_NONE;
	patterns[index].same_hash = same_hash;
	spec->pattern_count++;

	if (last != NULL)
		*last = index;
	else if (!dmt_idmap_add(&spec->by_hash, hash, index))
		goto no_memory;
	if (!patterns[index].is_name) {
		uint32_t *const globs = dmt_array_grow(spec->globs,
		    &spec->glob_capacity, spec->glob_count + 1,
		    sizeof(*globs));
		if (globs == NULL)
			goto no_memory;
		spec->globs = globs;
		globs[spec->glob_count++] = index;
	}
	return index;

no_memory:
	dmt_error_memory(&spec->error);
	return DMT_NONE;
}

/* Reads a time with a unit. false: it is malformed, or negative. */
static bool
read_spec_time(const char *value, uint64_t *ns)
{
	int64_t time_ns;

	if (dmt_duration_parse(value, &time_ns) != DMTRACE_OK ||
	    time_ns < 0)
		return false;
	*ns = (uint64_t)time_ns;
	return true;
}

/* Adds a condition to the selection. Returns NULL, or a description of what is
 * wrong. */
static const char *
apply_select(struct dmtrace_spec *spec, const struct dmt_select *select)
{
	static const struct {
		const char *name;
		enum dmt_condition_kind condition;
	} patterns[] = {
		{ "thread", DMT_SELECT_THREAD },
		{ "method", DMT_SELECT_METHOD },
		{ "under", DMT_SELECT_UNDER },
		{ "hide", DMT_SELECT_HIDE },
	};
	static const char no_time[] =
	    "not a time with a unit, such as 1.5ms";
	struct dmt_selection *const selection = spec->selection;
	const char *const name = select->condition;
	uint64_t time_ns;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (strcmp(name, patterns[i].name) == 0)
			return dmt_selection_add(selection,
			    patterns[i].condition, select->value) ==
			    DMTRACE_OK ? NULL :
			    dmt_selection_error(selection)->message;
	if (strcmp(name, "depth") == 0)
		return dmt_selection_parse_depth(selection, select->value) ==
		    DMTRACE_OK ? NULL : "not a range A..B of depths from 1";
	if (strcmp(name, "min-time") == 0) {
		if (!read_spec_time(select->value, &time_ns))
			return no_time;
		dmt_selection_set_min_time(selection, time_ns);
		return NULL;
	}
	if (strcmp(name, "from") != 0 && strcmp(name, "to") != 0)
		return "unknown condition; the conditions are thread, method, "
		    "under, "
		    "hide, depth, from, to and min-time";
	if (!read_spec_time(select->value,
	    name[0] == 'f' ? &spec->from_ns : &spec->to_ns))
		return no_time;
	return dmt_selection_set_window(selection, spec->from_ns,
	    spec->to_ns, 0) == DMTRACE_OK ? NULL :
	    dmt_selection_error(selection)->message;
}

enum dmtrace_status
dmt_spec_add_select(struct dmtrace_spec *spec, struct dmtrace_text condition,
    struct dmtrace_text value, enum dmtrace_status status, uint64_t line)
{
	struct dmt_select *const selects = dmt_array_grow(spec->selects,
	    &spec->select_capacity, spec->select_count + 1, sizeof(*selects));
	const struct dmt_select select = {
		dmt_arena_copy(&spec->arena, condition.bytes, condition.len),
		dmt_arena_copy(&spec->arena, value.bytes, value.len)
	};
	char shown[DMT_ESCAPED_MAX];

	if (selects != NULL)
		spec->selects = selects;
	if (spec->selection == NULL) {
		spec->selection = dmt_selection_new();
		spec->from_ns = 0;
		spec->to_ns = UINT64_MAX;
	}
	if (selects == NULL || select.condition == NULL ||
	    select.value == NULL || spec->selection == NULL)
		return dmt_error_memory(&spec->error);
	selects[spec->select_count++] = select;
	const char *const wrong = apply_select(spec, &select);
	if (wrong == NULL)
		return DMTRACE_OK;
	if (dmt_selection_error(spec->selection)->status ==
	    DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&spec->error);
	return dmt_error_at(&spec->error, status, line == 0 ?
	    DMTRACE_PLACE_NONE : DMTRACE_PLACE_LINE, line,
	    "select %.20s \"%s\": %s", select.condition, dmt_escape(shown,
	    sizeof(shown), select.value, strlen(select.value)), wrong);
}

enum dmtrace_status
dmt_spec_select(struct dmtrace_spec *spec, const char *condition,
    const char *value)
{
	dmt_error_clear(&spec->error);
	if (!spec->selects_given) {
		dmt_selection_free(spec->selection);
		spec->selection = NULL;
		spec->select_count = 0;
	}
	spec->selects_given = true;
	return dmt_spec_add_select(spec,
	    (struct dmtrace_text){ condition, strlen(condition) },
	    (struct dmtrace_text){ value, strlen(value) },
	    DMTRACE_ERR_RANGE, 0);
}

int
dmt_spec_is_empty(const struct dmtrace_spec *spec)
{
	return spec->rule_count == 0 && spec->block_count == 0;
}

struct dmt_selection *
dmt_spec_selection(struct dmtrace_spec *spec)
{
	return spec->selection;
}
