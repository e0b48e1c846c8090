/* merge_options.c - merges the option lines of the inputs */

/*
 * The options of the first input are stored; as inputs are added, those that a
 * later input does not have, or has with another value, are dropped. A table
 * of rules names exceptions: counters are added, the output ends when the last
 * input ends, and what is true of one input only is dropped. Options that
 * depend on the plan, such as the end, are computed when the options are put
 * into the output's key.
 */

#include "ops/merge/merge_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "key/line_encode.h"
#include "key/number.h"
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
	{ DMT_OPTION_PADDING, RULE_DROP },
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
keep_options(struct dmt_merge_common *common, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_option_count(key);

	common->options = dmt_array_new(count, sizeof(*common->options));
	if (common->options == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_option *const from =
		    dmtrace_key_option_get(key, i);
		struct dmt_merge_option *const option =
		    &common->options[common->count];

		if (from->value.bytes == NULL ||
		    rule_of(from->name) == RULE_DROP)
			continue;
		*option = (struct dmt_merge_option){
			.rule = rule_of(from->name),
			.common = true,
			.name = dmt_arena_copy(common->arena,
			    from->name.bytes, from->name.len),
			.value = dmt_arena_copy(common->arena,
			    from->value.bytes, from->value.len)
		};
		if (option->name == NULL || option->value == NULL)
			return false;
		common->count++;
	}
	return true;
}

/* Returns true if the key has the option, too; a counter is added. */
static bool
is_common(struct dmt_merge_option *option, const struct dmtrace_key *key)
{
	const struct dmtrace_option *const other =
	    dmtrace_key_option_find(key, option->name);
	uint64_t number;

	if (other == NULL || other->value.bytes == NULL)
		return false;
	switch (option->rule) {
	case RULE_SAME:
		return dmt_text_is(other->value, option->value);
	case RULE_SUM:
		if (!dmt_count_decode(&number, other->value) ||
		    number > UINT64_MAX - option->sum)
			return false;
		option->sum += number;
		return true;
	default:
		return true;
	}
}

enum dmtrace_status
dmt_merge_common_add(struct dmt_merge_common *common,
    const struct dmtrace_key *key)
{
	if (common->inputs++ == 0 && !keep_options(common, key))
		return dmt_error_memory(&common->op->error);
	for (size_t i = 0; i < common->count; i++)
		if (common->options[i].common)
			common->options[i].common =
			    is_common(&common->options[i], key);
	return DMTRACE_OK;
}

void
dmt_merge_common_fini(struct dmt_merge_common *common)
{
	free(common->options);
}

bool
dmt_merge_common_counts(const struct dmt_merge_common *common)
{
	for (size_t i = 0; i < common->count; i++)
		if (common->options[i].rule == RULE_RECORDS)
			return common->options[i].common;
	return false;
}

bool
dmt_merge_common_is_dalvik(const struct dmt_merge_common *common)
{
	for (size_t i = 0; i < common->count; i++) {
		const struct dmt_merge_option *const option =
		    &common->options[i];

		if (option->common &&
		    strcmp(option->name, DMT_OPTION_VM) == 0 &&
		    strcmp(option->value, "dalvik") == 0)
			return true;
	}
	return false;
}

/* Sets an option of the output, unless a key does not accept it. */
static enum dmtrace_status
set_merge_option(struct dmt_merge_common *common, struct dmtrace_key *key,
    const char *name, const char *value)
{
	if (!dmt_option_fits(name, value) ||
	    dmtrace_key_option_set(key, name, value) == DMTRACE_OK)
		return DMTRACE_OK;
	return dmt_op_fail(common->op, NULL, dmt_key_error(key));
}

enum dmtrace_status
dmt_merge_common_list(struct dmt_merge_common *common,
    const struct dmt_merge_input *inputs, bool drop_vm,
    struct dmtrace_key *key)
{
	bool has_records = true, has_last = true, overflowed = false;
	uint64_t records = 0, last_us = 0;
	char digits[24];

	/* The number of records, and the end of the last input relative to the
	 * start of the output: unless an input does not state it, or has no
	 * place on the time line. */
	for (size_t i = 0; i < common->inputs; i++) {
		const struct dmt_merge_input *const input = &inputs[i];
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

	for (size_t i = 0; i < common->count; i++) {
		const struct dmt_merge_option *const option =
		    &common->options[i];
		const char *const value = option->rule == RULE_SAME ?
		    option->value : digits;

		if (!option->common ||
		    (option->rule == RULE_RECORDS && !has_records) ||
		    (option->rule == RULE_LAST && !has_last) ||
		    (drop_vm && strcmp(option->name, DMT_OPTION_VM) == 0))
			continue;
		snprintf(digits, sizeof(digits), "%" PRIu64,
		    option->rule == RULE_RECORDS ? records :
		    option->rule == RULE_LAST ? last_us : option->sum);
		if (set_merge_option(common, key, option->name, value) !=
		    DMTRACE_OK)
			return common->op->error.status;
	}
	return overflowed ? set_merge_option(common, key,
	    DMT_OPTION_OVERFLOW, "true") : DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_common_set_count(struct dmt_merge_common *common, uint64_t events,
    struct dmtrace_key *key)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, events);
	for (size_t i = 0; i < common->count; i++)
		if (common->options[i].common &&
		    common->options[i].rule == RULE_RECORDS &&
		    set_merge_option(common, key, common->options[i].name,
		    digits) != DMTRACE_OK)
			return common->op->error.status;
	return DMTRACE_OK;
}
