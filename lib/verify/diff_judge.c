/* diff_judge.c - methods that have changed by more than they may */

#include "verify/diff.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "events/pattern.h"

/* One rule under way. */
struct judgement {
	const struct dmtrace_diff *diff;
	const struct dmtrace_diff_rule *rule;
	size_t *indexes;		/* of the methods that it is about */
	size_t count;
	struct dmtrace_diff_change *changes;	/* theirs */
	struct dmt_adjusted *tests;
	size_t test_count;
};

static bool
allocate(struct judgement *judgement)
{
	const size_t count = judgement->diff->names.count;

	judgement->indexes = dmt_array_new(count,
	    sizeof(*judgement->indexes));
	judgement->changes = dmt_array_new(count,
	    sizeof(*judgement->changes));
	judgement->tests = dmt_array_new(count, sizeof(*judgement->tests));
	return judgement->indexes != NULL && judgement->changes != NULL &&
	    judgement->tests != NULL;
}

static void
add(struct judgement *judgement, size_t index)
{
	const size_t at = judgement->count++;

	judgement->indexes[at] = index;
	dmtrace_diff_change_get(judgement->diff, index,
	    judgement->rule->figure, &judgement->changes[at]);
}

/* false: no memory. */
static bool
add_matches(struct judgement *judgement, const struct dmt_pattern *pattern)
{
	const struct dmt_names *const names = &judgement->diff->names;
	struct dmt_method_text text = { .bytes = NULL };
	bool fine = true;

	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < names->count && fine;
	    i++) {
		const struct dmtrace_method method = {
			.class_name = names->items[i].class_name,
			.name = names->items[i].name,
			.signature = names->items[i].signature
		};

		fine = dmt_method_text_make(&text, &method, 0);
		if (fine && dmt_pattern_has_method(pattern, &text))
			add(judgement, i);
	}
	free(text.bytes);
	return fine;
}

static enum dmtrace_status
find(struct judgement *judgement)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };
	struct dmt_pattern pattern;

	if (judgement->rule->method == NULL) {
		add(judgement, DMTRACE_PROFILE_TOP);
		return DMTRACE_OK;
	}
	enum dmtrace_status status = dmt_pattern_init(&pattern,
	    judgement->rule->method, true, &error);
	if (status == DMTRACE_OK && !add_matches(judgement, &pattern))
		status = DMTRACE_ERR_MEMORY;
	dmt_pattern_fini(&pattern);
	return status;
}

static void
adjust(struct judgement *judgement)
{
	for (size_t i = 0; i < judgement->count; i++) {
		struct dmtrace_diff_change *const change =
		    &judgement->changes[i];

		if (change->constant && change->shift == 0)
			continue;
		judgement->tests[judgement->test_count++] =
		    (struct dmt_adjusted){ change->p, &change->p_adjusted };
	}
	dmt_adjust(judgement->tests, judgement->test_count);
}

static bool
is_beyond(const struct dmtrace_diff_rule *rule, double value)
{
	return (rule->or_equal && value == rule->limit) ||
	    (rule->below ? value < rule->limit : value > rule->limit);
}

/* From nothing, any percentage is passed on the way up. */
static bool
percent_is_beyond(const struct dmtrace_diff_rule *rule,
    const struct dmtrace_diff_change *change)
{
	if (change->medians[DMTRACE_DIFF_BASE] == 0 && change->shift != 0)
		return change->shift > 0 ? !rule->below : rule->below;
	return is_beyond(rule, change->percent);
}

static bool
holds(const struct judgement *judgement,
    const struct dmtrace_diff_change *change)
{
	const struct dmtrace_diff_rule *const rule = judgement->rule;
	const struct dmtrace_diff *const diff = judgement->diff;

	if (rule->measure == DMTRACE_DIFF_VALUE)
		return is_beyond(rule, change->medians[DMTRACE_DIFF_NEW]);
	if (!(rule->measure == DMTRACE_DIFF_PERCENT ?
	    percent_is_beyond(rule, change) :
	    is_beyond(rule, change->shift)))
		return false;
	return !diff->summary.tested || change->p_adjusted <= diff->alpha ||
	    (rule->figure == DMTRACE_DIFF_CALLS && change->constant);
}

static size_t
tell(const struct judgement *judgement, dmtrace_diff_fn *report,
    void *context)
{
	size_t found = 0;

	for (size_t i = 0; i < judgement->count; i++) {
		if (!holds(judgement, &judgement->changes[i]))
			continue;
		found++;
		if (report != NULL)
			report(context, judgement->indexes[i],
			    &judgement->changes[i]);
	}
	return found;
}

enum dmtrace_status
dmtrace_diff_judge(struct dmtrace_diff *diff,
    const struct dmtrace_diff_rule *rule, dmtrace_diff_fn *report,
    void *context, size_t *matches, size_t *hold_count)
{
	struct judgement judgement = { .diff = diff, .rule = rule };

	if (diff->changes == NULL)
		return DMTRACE_ERR_STATE;
	enum dmtrace_status status = allocate(&judgement) ? find(&judgement) :
	    DMTRACE_ERR_MEMORY;
	if (status == DMTRACE_OK) {
		adjust(&judgement);
		const size_t told = tell(&judgement, report, context);
		if (matches != NULL)
			*matches = judgement.count;
		if (hold_count != NULL)
			*hold_count = told;
	}
	free(judgement.indexes);
	free(judgement.changes);
	free(judgement.tests);
	return status;
}
