/* expect_rules.c - what rules count and measure, and whether they are met */

/*
 * Each rule has one state for the whole trace, whichever threads it is about:
 * a count, a time, or that it is broken, with the place to report. A rule
 * about calls within calls (A under C, inclusive times) also keeps for every
 * thread how many of those calls are open. Which rules are about a method is
 * listed with the method (expect_match.c), so that an event looks at no other
 * rules.
 *
 * The place of a rule that is not met is where it was broken: the first call
 * too many, the first C before any A, the first A that is not under C. Where
 * nothing broke it but something is missing, it is the last call, and for an
 * inclusive time the longest one. Whether it is met is decided at the end.
 */

#include <inttypes.h>

#include "base/array.h"
#include "base/error.h"
#include "verify/expect/expect.h"

static bool
is_about_thread(const struct dmt_expect *expect, const struct dmt_rule *rule,
    uint32_t thread)
{
	const struct dmt_number_list *const blocks =
	    &expect->threads[thread].blocks;

	if (rule->block == DMT_NONE)
		return true;
	for (size_t i = 0; i < blocks->count; i++)
		if (blocks->items[i] == rule->block)
			return true;
	return false;
}

static bool
compare_numbers(enum dmt_compare compare, int64_t found, uint64_t number)
{
	const int64_t wanted = number > INT64_MAX ? INT64_MAX :
	    (int64_t)number;

	switch (compare) {
	case DMT_EQUAL: return found == wanted;
	case DMT_UNEQUAL: return found != wanted;
	case DMT_LESS: return found < wanted;
	case DMT_AT_MOST: return found <= wanted;
	case DMT_MORE: return found > wanted;
	case DMT_AT_LEAST: return found >= wanted;
	}
	return false;
}

static bool
is_too_many(const struct dmt_rule *rule, uint64_t count)
{
	if (rule->kind == DMT_RULE_NEVER)
		return count > 0;
	if (rule->compare == DMT_LESS)
		return count >= rule->number;
	return count > rule->number && (rule->compare == DMT_EQUAL ||
	    rule->compare == DMT_AT_MOST);
}

static void
set_count(const struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_rule_state *state, uint64_t count)
{
	if (!state->broken)
		state->place = expect->now;
	state->broken |= is_too_many(rule, count);
	state->count = count;
}

enum dmt_time
dmt_rule_time(const struct dmt_expect *expect, const struct dmt_rule *rule)
{
	if (rule->time != DMT_TIME_ANY)
		return expect->has_time[rule->time] ? rule->time :
		    DMT_TIME_ANY;
	return expect->has_time[DMT_TIME_WALL] ? DMT_TIME_WALL :
	    expect->has_time[DMT_TIME_CPU] ? DMT_TIME_CPU : DMT_TIME_ANY;
}

/* Adds the time from from_ns to now, which may be negative. */
static void
add_time(struct dmt_expect *expect, struct dmt_rule_state *state,
    uint64_t from_ns, uint64_t now_ns)
{
	const int64_t time_ns = (int64_t)(now_ns - from_ns);
	const int64_t old_ns = state->total_ns;

	state->total_ns = (int64_t)((uint64_t)old_ns + (uint64_t)time_ns);
	if ((time_ns < 0) != (now_ns < from_ns) ||
	    (state->total_ns < old_ns) != (time_ns < 0))
		dmt_error_set(&expect->error, DMTRACE_ERR_LIMIT,
		    "times add up to more than 2^63 ns (292 years)");
}

void
dmt_rules_thread(struct dmt_expect *expect, uint32_t thread)
{
	const struct dmt_expect_thread *const about = &expect->threads[thread];
	const bool is_other = !about->has_tree && about->blocks.count == 0;

	for (size_t i = 0; i < expect->spec->rule_count; i++) {
		const struct dmt_rule *const rule = &expect->spec->rules[i];
		struct dmt_rule_state *const state = &expect->rules[i];

		if (rule->kind == DMT_RULE_THREADS &&
		    is_about_thread(expect, rule, thread))
			set_count(expect, rule, state, state->count + 1);
		if (rule->kind == DMT_RULE_NO_OTHERS && is_other &&
		    !state->broken) {
			state->broken = true;
			state->place = expect->now;
		}
	}
}

/* A thread is deeper than it ever was. */
static void
count_depth(const struct dmt_expect *expect, uint32_t thread, uint32_t depth)
{
	for (size_t i = 0; i < expect->spec->rule_count; i++) {
		const struct dmt_rule *const rule = &expect->spec->rules[i];

		if (rule->kind == DMT_RULE_DEPTH &&
		    is_about_thread(expect, rule, thread) &&
		    depth > expect->rules[i].count)
			set_count(expect, rule, &expect->rules[i], depth);
	}
}

/* The call is of the rule's pattern of this role. */
static void
take_enter(const struct dmt_expect *expect, const struct dmt_rule *rule,
    uint32_t role, struct dmt_rule_calls *calls, uint32_t caller)
{
	struct dmt_rule_state *const state =
	    &expect->rules[rule - expect->spec->rules];
	const enum dmt_time time = dmt_rule_time(expect, rule);

	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_NEVER:
		set_count(expect, rule, state, state->count + 1);
		break;
	case DMT_RULE_BEFORE:
		if (role == 0) {
			state->count++;
		} else if (state->count_other++ == 0) {
			state->place = expect->now;
			state->broken = state->count == 0;
		}
		break;
	case DMT_RULE_UNDER:
		if (role == 1) {
			calls->open++;
			break;
		}
		state->count++;
		if (calls->open > 0 || state->broken)
			break;
		state->broken = true;
		state->place = expect->now;
		state->caller = caller;
		break;
	case DMT_RULE_INCLUSIVE:
		state->count++;
		if (calls->open++ > 0 || time == DMT_TIME_ANY)
			break;
		calls->since_ns = expect->time_ns[time];
		calls->place = expect->now;
		break;
	case DMT_RULE_EXCLUSIVE:
		state->count++;
		break;
	case DMT_RULE_DEPTH:
	case DMT_RULE_THREADS:
	case DMT_RULE_NO_OTHERS:
		break;
	}
}

/* A call is under those that were open before it, so that A under A is under
 * another A: the uses of a method as A come first. */
bool
dmt_rules_enter(struct dmt_expect *expect, uint32_t index, uint32_t method,
    uint32_t caller, uint32_t depth)
{
	const struct dmtrace_spec *const spec = expect->spec;
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const struct dmt_expect_method *const about =
	    &expect->methods.items[method];

	if (depth > thread->deepest) {
		thread->deepest = depth;
		count_depth(expect, index, depth);
	}
	if (about->use_count == 0)
		return true;
	if (thread->calls == NULL && spec->slots > 0) {
		thread->calls = dmt_array_new(spec->slots,
		    sizeof(*thread->calls));
		if (thread->calls == NULL)
			return false;
	}
	for (size_t i = 0; i < about->use_count; i++) {
		const struct dmt_rule_use *const use =
		    &expect->methods.uses[about->first_use + i];
		const struct dmt_rule *const rule = &spec->rules[use->rule];

		if (is_about_thread(expect, rule, index))
			take_enter(expect, rule, use->role,
			    rule->slot == DMT_NONE ? NULL :
			    &thread->calls[rule->slot], caller);
	}
	return true;
}

/* The innermost of the calls that an inclusive time is about has ended. */
static void
end_inclusive(struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_rule_calls *calls)
{
	const enum dmt_time time = dmt_rule_time(expect, rule);
	struct dmt_rule_state *const state =
	    &expect->rules[rule - expect->spec->rules];

	if (--calls->open > 0 || time == DMT_TIME_ANY)
		return;
	const int64_t time_ns =
	    (int64_t)(expect->time_ns[time] - calls->since_ns);
	add_time(expect, state, calls->since_ns, expect->time_ns[time]);
	if (state->place.thread == DMT_NONE || time_ns > state->longest_ns) {
		state->longest_ns = time_ns;
		state->place = calls->place;
	}
}

void
dmt_rules_leave(struct dmt_expect *expect, uint32_t index, uint32_t method)
{
	const struct dmt_expect_method *const about =
	    &expect->methods.items[method];
	struct dmt_rule_calls *const calls = expect->threads[index].calls;

	for (size_t i = 0; i < about->use_count; i++) {
		const struct dmt_rule_use *const use =
		    &expect->methods.uses[about->first_use + i];
		const struct dmt_rule *const rule =
		    &expect->spec->rules[use->rule];

		if (!is_about_thread(expect, rule, index))
			continue;
		if (rule->kind == DMT_RULE_INCLUSIVE)
			end_inclusive(expect, rule, &calls[rule->slot]);
		else if (rule->kind == DMT_RULE_UNDER && use->role == 1)
			calls[rule->slot].open--;
	}
}

void
dmt_rules_charge(struct dmt_expect *expect, uint32_t index, uint32_t method)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const struct dmt_expect_method *const about =
	    method == DMT_NONE || !expect->has_exclusive ? NULL :
	    &expect->methods.items[method];

	for (size_t i = 0; about != NULL && i < about->use_count; i++) {
		const uint32_t number =
		    expect->methods.uses[about->first_use + i].rule;
		const struct dmt_rule *const rule =
		    &expect->spec->rules[number];
		const enum dmt_time time = dmt_rule_time(expect, rule);

		if (rule->kind == DMT_RULE_EXCLUSIVE &&
		    time != DMT_TIME_ANY &&
		    is_about_thread(expect, rule, index))
			add_time(expect, &expect->rules[number],
			    thread->last_ns[time], expect->time_ns[time]);
	}
	thread->last_ns[DMT_TIME_CPU] = expect->time_ns[DMT_TIME_CPU];
	thread->last_ns[DMT_TIME_WALL] = expect->time_ns[DMT_TIME_WALL];
}

bool
dmt_rule_is_met(const struct dmt_expect *expect, size_t index)
{
	const struct dmt_rule *const rule = &expect->spec->rules[index];
	const struct dmt_rule_state *const state = &expect->rules[index];
	const int64_t count = state->count > INT64_MAX ? INT64_MAX :
	    (int64_t)state->count;

	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_DEPTH:
	case DMT_RULE_THREADS:
		return compare_numbers(rule->compare, count,
		    rule->number);
	case DMT_RULE_NEVER:
		return state->count == 0;
	case DMT_RULE_BEFORE:
		return state->count > 0 && state->count_other > 0 &&
		    !state->broken;
	case DMT_RULE_UNDER:
		return state->count > 0 && !state->broken;
	case DMT_RULE_INCLUSIVE:
	case DMT_RULE_EXCLUSIVE:
		return state->count > 0 &&
		    dmt_rule_time(expect, rule) != DMT_TIME_ANY &&
		    compare_numbers(rule->compare, state->total_ns,
		    rule->number);
	case DMT_RULE_NO_OTHERS:
		return !state->broken;
	}
	return false;
}
