/* expect_rules.c - what rules make of calls */

#include "base/array.h"
#include "verify/expect/expect.h"

static bool
is_about(const struct dmt_rule *rule, const struct dmt_expect_lane *lane)
{
	return rule->block == DMT_NONE ||
	    lane->blocks[rule->block / 8] >> rule->block % 8 & 1;
}

static bool
holds(enum dmt_compare compare, int64_t found, uint64_t number)
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

/* Whether so many are too many. */
static bool
is_beyond(const struct dmt_rule *rule, uint64_t count)
{
	if (rule->kind == DMT_RULE_NEVER)
		return count > 0;
	if (rule->compare == DMT_LESS)
		return count >= rule->number;
	return count > rule->number && (rule->compare == DMT_EQUAL ||
	    rule->compare == DMT_AT_MOST);
}

/* The first that is too many is where the rule is broken; of too few, the
 * last one is shown. */
static void
count_to(const struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_verdict *verdict, uint64_t count)
{
	if (!verdict->broken)
		verdict->place = expect->now;
	verdict->broken |= is_beyond(rule, count);
	verdict->count = count;
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

static struct dmt_verdict *
verdict_of(const struct dmt_expect *expect, const struct dmt_rule *rule)
{
	return &expect->verdicts[rule - expect->spec->rules];
}

static void
keep_first(const struct dmt_expect *expect, struct dmt_verdict *verdict,
    uint32_t role)
{
	if (role == 0) {
		verdict->count++;
	} else if (verdict->count_other++ == 0) {
		verdict->place = expect->now;
		verdict->broken = verdict->count == 0;
	}
}

/* A call of A, which should be under C. */
static void
look_under(const struct dmt_expect *expect, struct dmt_verdict *verdict,
    const struct dmt_expect_lane *lane, const struct dmt_open *open)
{
	verdict->count++;
	if (open->count > 0 || verdict->broken)
		return;
	verdict->broken = true;
	verdict->place = expect->now;
	verdict->method = lane->depth == 0 ? DMT_NONE :
	    lane->methods[lane->depth - 1];
}

static void
open_call(const struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_open *open)
{
	const enum dmt_time time = dmt_rule_time(expect, rule);

	if (open->count++ > 0 || time == DMT_TIME_ANY)
		return;
	open->since_ns = expect->time_ns[time];
	open->place = expect->now;
}

static void
add_time(struct dmt_expect *expect, struct dmt_verdict *verdict,
    uint64_t from_ns, uint64_t to_ns)
{
	const int64_t took_ns = (int64_t)(to_ns - from_ns);
	const int64_t old_ns = verdict->total_ns;

	verdict->total_ns = (int64_t)((uint64_t)old_ns + (uint64_t)took_ns);
	if ((took_ns < 0) != (to_ns < from_ns) ||
	    (verdict->total_ns < old_ns) != (took_ns < 0))
		dmt_error_set(&expect->error, DMTRACE_ERR_LIMIT,
		    "times add up to more than 2^63 ns (292 years)");
}

static void
close_call(struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_open *open)
{
	const enum dmt_time time = dmt_rule_time(expect, rule);
	struct dmt_verdict *const verdict = verdict_of(expect, rule);

	if (--open->count > 0 || time == DMT_TIME_ANY)
		return;
	const int64_t took_ns =
	    (int64_t)(expect->time_ns[time] - open->since_ns);
	add_time(expect, verdict, open->since_ns, expect->time_ns[time]);
	if (verdict->place.lane != DMT_NONE && took_ns <= verdict->longest_ns)
		return;
	verdict->longest_ns = took_ns;
	verdict->place = open->place;
}

static void
enter(const struct dmt_expect *expect, struct dmt_expect_lane *lane,
    const struct dmt_rule *rule, uint32_t role)
{
	struct dmt_verdict *const verdict = verdict_of(expect, rule);

	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_NEVER:
		count_to(expect, rule, verdict, verdict->count + 1);
		break;
	case DMT_RULE_BEFORE:
		keep_first(expect, verdict, role);
		break;
	case DMT_RULE_UNDER:
		if (role == 0)
			look_under(expect, verdict, lane,
			    &lane->open[rule->slot]);
		else
			lane->open[rule->slot].count++;
		break;
	case DMT_RULE_INCLUSIVE:
		verdict->count++;
		open_call(expect, rule, &lane->open[rule->slot]);
		break;
	case DMT_RULE_EXCLUSIVE:
		verdict->count++;
		break;
	case DMT_RULE_DEPTH:
	case DMT_RULE_THREADS:
	case DMT_RULE_NO_OTHERS:
		break;
	}
}

/* The rule of a use of a method, if it is about the thread; else NULL. */
static inline const struct dmt_rule *
rule_of(const struct dmt_expect *expect, const struct dmt_expect_lane *lane,
    uint32_t use)
{
	const struct dmt_rule *const rule =
	    &expect->spec->rules[expect->names.uses[use].rule];

	return is_about(rule, lane) ? rule : NULL;
}

static void
look_at_depth(const struct dmt_expect *expect, struct dmt_expect_lane *lane)
{
	const uint32_t depth = lane->depth + 1;

	if (depth <= lane->deepest)
		return;
	lane->deepest = depth;
	for (size_t i = 0; i < expect->spec->rule_count; i++) {
		const struct dmt_rule *const rule = &expect->spec->rules[i];

		if (rule->kind == DMT_RULE_DEPTH && is_about(rule, lane) &&
		    depth > expect->verdicts[i].count)
			count_to(expect, rule, &expect->verdicts[i], depth);
	}
}

/* A call is under those that were open before it, so that A under A is under
 * another one: uses as C come last. */
bool
dmt_rules_enter(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    uint32_t method)
{
	const struct dmt_named *const named = &expect->names.items[method];

	if (expect->sized)
		look_at_depth(expect, lane);
	if (named->uses == named->enter_end)
		return true;
	if (lane->open == NULL && expect->spec->slots > 0) {
		lane->open = dmt_array_new(expect->spec->slots,
		    sizeof(*lane->open));
		if (lane->open == NULL)
			return false;
	}
	for (uint32_t i = named->uses; i < named->enter_end; i++) {
		const struct dmt_rule *const rule = rule_of(expect, lane, i);

		if (rule != NULL)
			enter(expect, lane, rule, expect->names.uses[i].role);
	}
	return true;
}

void
dmt_rules_leave(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    uint32_t method)
{
	const struct dmt_named *const named = &expect->names.items[method];

	for (uint32_t i = named->enter_end; i < named->leave_end; i++) {
		const struct dmt_rule *const rule = rule_of(expect, lane, i);

		if (rule == NULL)
			continue;
		if (rule->kind == DMT_RULE_UNDER)
			lane->open[rule->slot].count--;
		else
			close_call(expect, rule, &lane->open[rule->slot]);
	}
}

static void
charge(struct dmt_expect *expect, const struct dmt_expect_lane *lane,
    const struct dmt_rule *rule)
{
	const enum dmt_time time = dmt_rule_time(expect, rule);
	struct dmt_verdict *const verdict = verdict_of(expect, rule);

	if (time != DMT_TIME_ANY)
		add_time(expect, verdict, lane->last_ns[time],
		    expect->time_ns[time]);
}

/* The innermost method had the time until now. */
void
dmt_rules_charge(struct dmt_expect *expect, struct dmt_expect_lane *lane)
{
	if (expect->charges && lane->depth > 0) {
		const struct dmt_named *const named = &expect->names.items[
		    lane->methods[lane->depth - 1]];

		for (uint32_t i = named->leave_end; i < named->charge_end;
		    i++) {
			const struct dmt_rule *const rule =
			    rule_of(expect, lane, i);

			if (rule != NULL)
				charge(expect, lane, rule);
		}
	}
	lane->last_ns[0] = expect->time_ns[0];
	lane->last_ns[1] = expect->time_ns[1];
}

void
dmt_rules_thread(struct dmt_expect *expect, struct dmt_expect_lane *lane)
{
	for (size_t i = 0; i < expect->spec->rule_count; i++) {
		const struct dmt_rule *const rule = &expect->spec->rules[i];

		if (rule->kind == DMT_RULE_THREADS && is_about(rule, lane))
			count_to(expect, rule, &expect->verdicts[i],
			    expect->verdicts[i].count + 1);
	}
}

static int64_t
count_of(const struct dmt_verdict *verdict)
{
	return verdict->count > INT64_MAX ? INT64_MAX :
	    (int64_t)verdict->count;
}

bool
dmt_rule_is_met(const struct dmt_expect *expect, size_t index)
{
	const struct dmt_rule *const rule = &expect->spec->rules[index];
	const struct dmt_verdict *const verdict = &expect->verdicts[index];

	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_DEPTH:
	case DMT_RULE_THREADS:
		return holds(rule->compare, count_of(verdict), rule->number);
	case DMT_RULE_NEVER:
		return verdict->count == 0;
	case DMT_RULE_BEFORE:
		return verdict->count > 0 && verdict->count_other > 0 &&
		    !verdict->broken;
	case DMT_RULE_UNDER:
		return verdict->count > 0 && !verdict->broken;
	case DMT_RULE_INCLUSIVE:
	case DMT_RULE_EXCLUSIVE:
		return verdict->count > 0 &&
		    dmt_rule_time(expect, rule) != DMT_TIME_ANY &&
		    holds(rule->compare, verdict->total_ns, rule->number);
	case DMT_RULE_NO_OTHERS:
		return !verdict->broken;
	}
	return false;
}
