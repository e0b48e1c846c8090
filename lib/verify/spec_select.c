/* spec_select.c - what part of a trace is judged */

#include <dmtrace/duration.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "verify/spec.h"

static bool
get_time(const char *words, uint64_t *ns)
{
	int64_t time_ns;

	if (dmtrace_duration_parse(words, &time_ns) != DMTRACE_OK ||
	    time_ns < 0)
		return false;
	*ns = (uint64_t)time_ns;
	return true;
}

/* Digits, which may be missing; what stands behind them. */
static const char *
get_depth(const char *words, uint32_t *depth)
{
	const size_t len = strspn(words, "0123456789");

	if (len > 0 && len < 10)
		*depth = (uint32_t)strtoul(words, NULL, 10);
	return len < 10 ? words + len : "?";
}

/* A, A..B, A.. or ..B */
static bool
set_depth(struct dmtrace_selection *selection, const char *words)
{
	uint32_t first = 1, last = UINT32_MAX;
	const char *const behind = get_depth(words, &first);

	if (*behind == '\0' && behind > words)
		last = first;
	else if (strncmp(behind, "..", 2) != 0 || strlen(words) == 2 ||
	    *get_depth(behind + 2, &last) != '\0')
		return false;
	return dmtrace_selection_set_depth(selection, first, last) ==
	    DMTRACE_OK;
}

static bool
set_min_time(struct dmtrace_selection *selection, const char *words)
{
	uint64_t ns;

	if (!get_time(words, &ns))
		return false;
	dmtrace_selection_set_min_time(selection, ns);
	return true;
}

static const struct {
	const char *word;
	enum dmtrace_condition condition;
} conditions[] = {
	{ "thread", DMTRACE_SELECT_THREAD },
	{ "method", DMTRACE_SELECT_METHOD },
	{ "under", DMTRACE_SELECT_UNDER },
	{ "hide", DMTRACE_SELECT_HIDE },
};

static const char *
set_window(struct dmtrace_spec *spec, const char *words, uint64_t *edge_ns)
{
	if (!get_time(words, edge_ns))
		return "not a time with a unit, such as 1.5ms";
	return dmtrace_selection_set_window(spec->selection, spec->from_ns,
	    spec->to_ns, 0) == DMTRACE_OK ? NULL :
	    dmtrace_selection_error(spec->selection)->words;
}

/* NULL or what is wrong. */
static const char *
apply(struct dmtrace_spec *spec, const struct dmt_select *select)
{
	struct dmtrace_selection *const selection = spec->selection;

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]);
	    i++)
		if (strcmp(select->condition, conditions[i].word) == 0)
			return dmtrace_selection_add(selection,
			    conditions[i].condition, select->words) ==
			    DMTRACE_OK ? NULL :
			    dmtrace_selection_error(selection)->words;
	if (strcmp(select->condition, "depth") == 0)
		return set_depth(selection, select->words) ? NULL :
		    "not A..B, depths from 1 up";
	if (strcmp(select->condition, "min-time") == 0)
		return set_min_time(selection, select->words) ? NULL :
		    "not a time with a unit, such as 1.5ms";
	if (strcmp(select->condition, "from") == 0)
		return set_window(spec, select->words, &spec->from_ns);
	if (strcmp(select->condition, "to") == 0)
		return set_window(spec, select->words, &spec->to_ns);
	return "select thread, method, under, hide, depth, from, to or "
	    "min-time";
}

static char *
copy(struct dmtrace_spec *spec, const char *bytes, size_t len)
{
	char *const words = dmt_arena_alloc(&spec->arena, len + 1);

	if (words == NULL)
		return NULL;
	memcpy(words, bytes, len);
	words[len] = '\0';
	return words;
}

/* One more. On a failure error says what, line 0: of the caller. */
static enum dmtrace_status
add(struct dmtrace_spec *spec, struct dmt_span condition,
    struct dmt_span words, enum dmtrace_status status, uint64_t line)
{
	struct dmt_select *const selects = dmt_array_grow(spec->selects,
	    &spec->select_capacity, spec->select_count + 1, sizeof(*selects));
	const struct dmt_select select = {
		copy(spec, condition.bytes, condition.len),
		copy(spec, words.bytes, words.len)
	};
	char shown[DMT_ESCAPED_MAX];

	if (selects != NULL)
		spec->selects = selects;
	if (spec->selection == NULL) {
		spec->selection = dmtrace_selection_new();
		spec->from_ns = 0;
		spec->to_ns = UINT64_MAX;
	}
	if (selects == NULL || select.condition == NULL ||
	    select.words == NULL || spec->selection == NULL)
		return dmt_error_memory(&spec->error);
	selects[spec->select_count++] = select;
	const char *const why = apply(spec, &select);
	if (why == NULL)
		return DMTRACE_OK;
	if (dmtrace_selection_error(spec->selection)->status ==
	    DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&spec->error);
	return dmt_error_at(&spec->error, status, line == 0 ?
	    DMTRACE_PLACE_NONE : DMTRACE_PLACE_LINE, line,
	    "select %.20s \"%s\": %s", select.condition, dmt_escape(shown,
	    sizeof(shown), select.words, strlen(select.words)), why);
}

enum dmtrace_status
dmt_spec_take_select(struct dmtrace_spec *spec, struct dmt_words *words)
{
	struct dmt_word condition, word, behind;

	if (!dmt_words_next(words, &condition) ||
	    !dmt_words_next(words, &word) || !dmt_words_next(words, &behind))
		return spec->error.status;
	if (word.none || !behind.none ||
	    (word.len > 0 && memchr(word.bytes, '\0', word.len) != NULL))
		return dmt_spec_wrong(spec, words->line, "behind select "
		    "stand two words: thread, method, under, hide, depth, "
		    "from, to or min-time, and which");
	return add(spec, (struct dmt_span){ condition.bytes, condition.len },
	    (struct dmt_span){ word.bytes, word.len }, DMTRACE_ERR_CORRUPT,
	    words->line);
}

enum dmtrace_status
dmtrace_spec_select(struct dmtrace_spec *spec, const char *condition,
    const char *words)
{
	dmt_error_clear(&spec->error);
	if (!spec->selects_given) {
		dmtrace_selection_free(spec->selection);
		spec->selection = NULL;
		spec->select_count = 0;
	}
	spec->selects_given = true;
	return add(spec, (struct dmt_span){ condition, strlen(condition) },
	    (struct dmt_span){ words, strlen(words) }, DMTRACE_ERR_RANGE, 0);
}

struct dmtrace_selection *
dmtrace_spec_selection(struct dmtrace_spec *spec)
{
	return spec->selection;
}
