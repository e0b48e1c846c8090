/* merge_options.c - merges the option lines of the inputs */

/*
 * The options of the first input are stored; as inputs are added, those that a
 * later input does not have, or has with another value, are dropped. A table
 * of rules names exceptions: counters are added, the output ends when the last
 * input ends, and what is true of one input only is dropped. Options that
 * depend on the plan, such as the end, are computed when the options are put
 * into the output's key.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/select.h"
#include "key/line_encode.h"
#include "key/number.h"
#include "ops/merge/merge.h"
#include "private/key.h"

/* What to do with an option. */
enum rule {
	RULE_SAME,			/* kept if it is the same in all
					   inputs */
	RULE_DROP,			/* written anew, or true of one input
					   only */
	RULE_SUM,
	RULE_LAST,			/* the latest, on a common time line */
	RULE_RECORDS			/* the number of records */
};

static const struct {
	const char *name;
	enum rule rule;
} rules[] = {
	{ DMT_OPTION_CLOCK, RULE_DROP },
	{ DMT_OPTION_OPENED, RULE_DROP },
	{ DMT_OPTION_CLOSED, RULE_DROP },
	{ DMT_OPTION_ELAPSED_US, RULE_LAST },
	{ DMT_OPTION_ELAPSED_NS, RULE_DROP },	/* written by the writer */
	{ DMT_OPTION_CALLS, RULE_RECORDS },
	{ "alloc-count", RULE_SUM },
	{ "alloc-size", RULE_SUM },
	{ "gc-count", RULE_SUM },
};

struct dmt_merge_option {
	enum rule rule;
	bool common;			/* all inputs so far have it */
	uint64_t sum;
	char *name;
	char *value;
};

/* Returns the rule of an option. Options that make an input a piece of another
 * trace are dropped, too. */
static enum rule
rule_of(struct dmtrace_text name)
{
	if (dmt_text_begins(name, "dmtrace-piece") ||
	    dmt_text_begins(name, "dmtrace-whole-"))
		return RULE_DROP;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (dmt_text_is(name, rules[i].name))
			return rules[i].rule;
	return RULE_SAME;
}

/* Stores the options of the first input. false: no memory. */
static bool
keep_options(struct dmt_merge *merge, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_option_count(key);

	merge->common = dmt_array_new(count, sizeof(*merge->common));
	if (merge->common == NULL)
		return false;
	struct dmt_arena *const arena = &merge->tables.arena;
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_option *const option =
		    dmtrace_key_option_get(key, i);
		struct dmt_merge_option *const common =
		    &merge->common[merge->common_count];

		if (option->value.bytes == NULL ||
		    rule_of(option->name) == RULE_DROP)
			continue;
		*common = (struct dmt_merge_option){
			.rule = rule_of(option->name),
			.common = true,
			.name = dmt_arena_copy(arena,
			    option->name.bytes, option->name.len),
			.value = dmt_arena_copy(arena,
			    option->value.bytes, option->value.len)
		};
		if (common->name == NULL || common->value == NULL)
			return false;
		merge->common_count++;
	}
	return true;
}

static bool
is_common(struct dmt_merge_option *common, const struct dmtrace_key *key)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, common->name);
	uint64_t number;

	if (option == NULL || option->value.bytes == NULL)
		return false;
	switch (common->rule) {
	case RULE_SAME:
		return dmt_text_is(option->value, common->value);
	case RULE_SUM:
		if (!dmt_count_decode(&number, option->value) ||
		    number > UINT64_MAX - common->sum)
			return false;
		common->sum += number;
		return true;
	default:
		return true;
	}
}

enum dmtrace_status
dmt_merge_options_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key)
{
	const struct dmtrace_option *const elapsed =
	    dmtrace_key_option_find(key, DMT_OPTION_ELAPSED_US);
	const struct dmtrace_option *const elapsed_ns =
	    dmtrace_key_option_find(key, DMT_OPTION_ELAPSED_NS);

	if (input == merge->inputs && !keep_options(merge, key))
		return dmt_error_memory(&merge->op->error);
	input->overflowed = dmt_key_overflowed(key);
	input->has_elapsed = elapsed != NULL &&
	    elapsed->value.bytes != NULL &&
	    dmt_count_decode(&input->elapsed_us, elapsed->value);
	if (!input->has_elapsed && elapsed_ns != NULL &&
	    elapsed_ns->value.bytes != NULL) {
		input->has_elapsed =
		    dmt_count_decode(&input->elapsed_us, elapsed_ns->value);
		input->elapsed_us = (input->elapsed_us + 999) / 1000;
	}
	input->comparable = dmt_times_comparable(key, &input->layout);
	for (size_t i = 0; i < merge->common_count; i++)
		if (merge->common[i].common)
			merge->common[i].common =
			    is_common(&merge->common[i], key);
	return DMTRACE_OK;
}

bool
dmt_merge_options_count(const struct dmt_merge *merge)
{
	for (size_t i = 0; i < merge->common_count; i++)
		if (merge->common[i].rule == RULE_RECORDS)
			return merge->common[i].common;
	return false;
}

bool
dmt_merge_is_dalvik(const struct dmt_merge *merge)
{
	for (size_t i = 0; i < merge->common_count; i++)
		if (merge->common[i].common &&
		    strcmp(merge->common[i].name, "vm") == 0 &&
		    strcmp(merge->common[i].value, "dalvik") == 0)
			return true;
	return false;
}

/* Sets an option of the output, unless a key does not accept it. */
static enum dmtrace_status
set_merge_option(struct dmt_merge *merge, const char *name, const char *value)
{
	struct dmtrace_key *const key = merge->tables.key;

	if (!dmt_option_fits(name, value) ||
	    dmtrace_key_option_set(key, name, value) == DMTRACE_OK)
		return DMTRACE_OK;
	return dmt_op_fail(merge->op, NULL, dmt_key_error(key));
}

enum dmtrace_status
dmt_merge_options_list(struct dmt_merge *merge)
{
	/* In version 1, vm=dalvik says that wall times start anew in each
	 * thread, which is not true of this output. */
	const bool misleads = merge->layout.version == 1 &&
	    !dmt_merge_is_global(merge) &&
	    dmt_layout_has_wall(&merge->layout) && dmt_merge_is_dalvik(merge);
	bool has_records = true, has_last = true, overflowed = false;
	uint64_t records = 0, last_us = 0;
	char digits[24];

	/* The number of records, and the end of the last input relative to the
	 * start of the output: unless an input does not state it, or has no
	 * place on the time line. */
	for (size_t i = 0; i < merge->count; i++) {
		const struct dmt_merge_input *const input = &merge->inputs[i];
		const uint64_t shift = (uint64_t)input->shift_us;

		overflowed = overflowed || input->overflowed;
		has_records = has_records && input->has_records;
		records += input->records;
		if (!input->has_elapsed || input->elapsed_us > INT64_MAX ||
		    (input->shift_us < 0 && input->elapsed_us < 0 - shift))
			has_last = false;
		else if (input->elapsed_us + shift > last_us)
			last_us = input->elapsed_us + shift;
	}

	for (size_t i = 0; i < merge->common_count; i++) {
		const struct dmt_merge_option *const option =
		    &merge->common[i];
		const char *const value = option->rule == RULE_SAME ?
		    option->value : digits;

		if (!option->common ||
		    (option->rule == RULE_RECORDS && !has_records) ||
		    (option->rule == RULE_LAST && !has_last) ||
		    (misleads && strcmp(option->name, "vm") == 0))
			continue;
		snprintf(digits, sizeof(digits), "%" PRIu64,
		    option->rule == RULE_RECORDS ? records :
		    option->rule == RULE_LAST ? last_us : option->sum);
		if (set_merge_option(merge, option->name, value) != DMTRACE_OK)
			return merge->op->error.status;
	}
	return overflowed ? set_merge_option(merge, DMT_OPTION_OVERFLOW,
	    "true") : DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_options_set_count(struct dmt_merge *merge)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, merge->result.events);
	for (size_t i = 0; i < merge->common_count; i++)
		if (merge->common[i].common &&
		    merge->common[i].rule == RULE_RECORDS &&
		    set_merge_option(merge, merge->common[i].name, digits) !=
		    DMTRACE_OK)
			return merge->op->error.status;
	return DMTRACE_OK;
}
