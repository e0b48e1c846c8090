/* expect.c - checks the events of a trace against a specification */

/*
 * The events of the trace, or those that the specification selects, come in
 * batches, and the call-stack engine says which call each event opens or
 * closes. Each opened or closed call is given to the rules, to the match of its
 * thread's tree (expect_match.c), and, if the specification is to be updated,
 * to the thread's tree builder (spec_update.c).
 *
 * The states of threads and methods are arrays by index. A method's name is
 * matched against all patterns once, when its index is new. A thread gets its
 * tree and its rules at its first selected event. Each tree is for one thread,
 * so the order of the threads' first events matters, and is kept.
 *
 * Each rule has one state for the whole trace, for all threads that it is
 * about: a count, a time, or that it is violated, and the place to report. A
 * rule about calls within calls (A under C, inclusive times) also has for every
 * thread the number of these calls that are open. Each method has a list of the
 * rules about it, mostly empty, so that an event costs one step of its call
 * stack and a look at this list.
 *
 * The place of a rule that is violated is the event that violated it: the first
 * call too many, the first C before any A, the first A that is not under C. If
 * something is missing instead, the place is the last call, and for an
 * inclusive time the longest call. Whether a rule is met is decided at the end.
 */

#include "verify/expect/expect_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "private/select.h"
#include "private/verify.h"

struct dmtrace_text
dmt_expect_thread_name(const struct dmt_expect *expect, uint32_t thread)
{
	const struct dmtrace_thread *const row =
	    expect->source->indexes->threads[thread].row;

	return row == NULL ? (struct dmtrace_text){ "", 0 } : row->name;
}

/* Rules */

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
compare_found(enum dmt_compare compare, int64_t found, uint64_t number)
{
	const int64_t wanted = number > INT64_MAX ? INT64_MAX :
	    (int64_t)number;

	return dmt_compare_holds(compare, (found > wanted) - (found < wanted));
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

/* Sets the number of calls that the rule has counted. The event that makes them
 * too many is the place of the violation. */
static void
set_rule_count(const struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_rule_state *state, uint64_t count)
{
	if (!state->violated)
		state->place = expect->now;
	state->violated |= is_too_many(rule, count);
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
    enum dmt_time time, uint64_t from_ns)
{
	const uint64_t now_ns = expect->time_ns[time];
	const int64_t time_ns = (int64_t)(now_ns - from_ns);
	const int64_t old_ns = state->total_ns;

	state->total_ns = (int64_t)((uint64_t)old_ns + (uint64_t)time_ns);
	if ((time_ns < 0) != (now_ns < from_ns) ||
	    (state->total_ns < old_ns) != (time_ns < 0))
		dmt_error_set(&expect->error, DMTRACE_ERR_LIMIT,
		    "times add up to more than 2^63 ns (292 years)");
}

/* Judges an enter of a method that matches the rule's pattern of this role. */
static void
judge_rule_enter(const struct dmt_expect *expect, const struct dmt_rule *rule,
    uint32_t role, struct dmt_rule_calls *calls, uint32_t caller)
{
	struct dmt_rule_state *const state =
	    &expect->rules[rule - expect->spec->rules];
	const enum dmt_time time = dmt_rule_time(expect, rule);

	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_NEVER:
		set_rule_count(expect, rule, state, state->count + 1);
		break;
	case DMT_RULE_BEFORE:
		if (role == 0) {
			state->count++;
		} else if (state->count_other++ == 0) {
			state->place = expect->now;
			state->violated = state->count == 0;
		}
		break;
	case DMT_RULE_UNDER:
		if (role == 1) {
			calls->open++;
			break;
		}
		state->count++;
		if (calls->open > 0 || state->violated)
			break;
		state->violated = true;
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

/* Judges the exit of a call that an inclusive time is about. Of nested calls,
 * only the time of the outermost counts. */
static void
judge_rule_leave(struct dmt_expect *expect, const struct dmt_rule *rule,
    struct dmt_rule_calls *calls)
{
	const enum dmt_time time = dmt_rule_time(expect, rule);
	struct dmt_rule_state *const state =
	    &expect->rules[rule - expect->spec->rules];

	if (--calls->open > 0 || time == DMT_TIME_ANY)
		return;
	const int64_t time_ns =
	    (int64_t)(expect->time_ns[time] - calls->since_ns);
	add_time(expect, state, time, calls->since_ns);
	state->partial |= time == DMT_TIME_CPU && expect->no_cpu;
	if (state->place.thread == DMT_NONE || time_ns > state->longest_ns) {
		state->longest_ns = time_ns;
		state->place = calls->place;
	}
}

/* Adds the time since the thread's last event to the rules about exclusive
 * times of the method that was running; DMT_NONE: none was. */
static void
charge_rules(struct dmt_expect *expect, uint32_t index, uint32_t method)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const struct dmt_expect_method *const about =
	    method == DMT_NONE || !expect->has_exclusive ? NULL :
	    &expect->methods.items[method];

	for (size_t i = 0; about != NULL && i < about->use_count; i++) {
		const uint32_t number =
		    expect->methods.uses.items[about->first_use + i].rule;
		const struct dmt_rule *const rule =
		    &expect->spec->rules[number];
		const enum dmt_time time = dmt_rule_time(expect, rule);

		if (rule->kind != DMT_RULE_EXCLUSIVE ||
		    time == DMT_TIME_ANY ||
		    !is_about_thread(expect, rule, index))
			continue;
		add_time(expect, &expect->rules[number], time,
		    thread->last_ns[time]);
		expect->rules[number].partial |= time == DMT_TIME_CPU &&
		    expect->no_cpu && thread->last_ns[DMT_TIME_WALL] <
		    expect->time_ns[DMT_TIME_WALL];
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
		return compare_found(rule->compare, count,
		    rule->number);
	case DMT_RULE_NEVER:
		return state->count == 0;
	case DMT_RULE_BEFORE:
		return state->count > 0 && state->count_other > 0 &&
		    !state->violated;
	case DMT_RULE_UNDER:
		return state->count > 0 && !state->violated;
	case DMT_RULE_INCLUSIVE:
	case DMT_RULE_EXCLUSIVE:
		return state->count > 0 &&
		    dmt_rule_time(expect, rule) != DMT_TIME_ANY &&
		    (!state->partial || rule->compare >= DMT_MORE) &&
		    compare_found(rule->compare, state->total_ns,
		    rule->number);
	case DMT_RULE_NO_OTHERS:
		return !state->violated;
	}
	return false;
}

/* Events */

/* Returns the first tree for a thread of that name which no thread has yet;
 * DMT_NONE: none. */
static uint32_t
find_free_tree(struct dmt_expect *expect, struct dmtrace_text name)
{
	const struct dmtrace_spec *const spec = expect->spec;

	for (uint32_t i = 0; i < spec->block_count; i++)
		if (spec->blocks[i].kind != DMT_BLOCK_RULES &&
		    expect->thread_of_tree[i] == DMT_NONE &&
		    dmt_thread_name_matches(&spec->blocks[i].name, name,
		    &expect->no_memory))
			return i;
	return DMT_NONE;
}

/* At the first event of a thread: finds its tree and the rules about its name,
 * and counts the thread. false: no memory. */
static bool
begin_expected_thread(struct dmt_expect *expect, uint32_t index)
{
	const struct dmtrace_spec *const spec = expect->spec;
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const struct dmtrace_text name =
	    dmt_expect_thread_name(expect, index);
	const uint32_t tree = find_free_tree(expect, name);

	thread->seen = true;
	thread->has_tree = tree != DMT_NONE;
	thread->last_ns[DMT_TIME_CPU] = expect->time_ns[DMT_TIME_CPU];
	thread->last_ns[DMT_TIME_WALL] = expect->time_ns[DMT_TIME_WALL];
	*dmt_push(&expect->order, &expect->no_memory) = index;
	for (uint32_t i = 0; i < spec->block_count; i++) {
		if (spec->blocks[i].kind != DMT_BLOCK_RULES ||
		    !dmt_thread_name_matches(&spec->blocks[i].name, name,
		    &expect->no_memory))
			continue;
		expect->block_seen[i] = true;
		*dmt_push(&thread->blocks, &expect->no_memory) = i;
	}
	const bool is_other = !thread->has_tree && thread->blocks.count == 0;
	for (size_t i = 0; i < spec->rule_count; i++) {
		const struct dmt_rule *const rule = &spec->rules[i];
		struct dmt_rule_state *const state = &expect->rules[i];

		if (rule->kind == DMT_RULE_THREADS &&
		    is_about_thread(expect, rule, index))
			set_rule_count(expect, rule, state, state->count + 1);
		if (rule->kind == DMT_RULE_NO_OTHERS && is_other &&
		    !state->violated) {
			state->violated = true;
			state->place = expect->now;
		}
	}
	if (!thread->has_tree)
		return true;
	expect->thread_of_tree[tree] = index;
	thread->match = dmt_tree_match_new(spec, &spec->blocks[tree]);
	return thread->match != NULL;
}

static uint32_t
open_method(const struct dmt_expect *expect, uint32_t thread, uint32_t depth)
{
	const struct dmt_call_frame *const frame = dmt_frame_at(
	    &expect->stacks, &expect->stacks.items[thread], depth);

	return frame->method;
}

/* Judges the call at this depth, which was opened. Uses of a method as A come
 * first, so that with "A under A" a call is only under the calls that were open
 * before it. false: no memory. */
static bool
judge_enter(struct dmt_expect *expect, uint32_t index, uint32_t depth)
{
	const struct dmtrace_spec *const spec = expect->spec;
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const uint32_t method = open_method(expect, index, depth);
	const uint32_t caller = depth == 1 ? DMT_NONE :
	    open_method(expect, index, depth - 1);
	const struct dmt_expect_method *const about =
	    &expect->methods.items[method];

	/* rules about depths, if the thread is deeper than it ever was */
	for (size_t i = 0; depth > thread->deepest && i < spec->rule_count;
	    i++)
		if (spec->rules[i].kind == DMT_RULE_DEPTH &&
		    is_about_thread(expect, &spec->rules[i], index) &&
		    depth > expect->rules[i].count)
			set_rule_count(expect, &spec->rules[i],
			    &expect->rules[i], depth);
	if (depth > thread->deepest)
		thread->deepest = depth;

	/* rules about the method */
	if (about->use_count > 0 && thread->calls == NULL && spec->slots > 0) {
		thread->calls = dmt_array_new(spec->slots,
		    sizeof(*thread->calls));
		if (thread->calls == NULL)
			return false;
	}
	for (size_t i = 0; i < about->use_count; i++) {
		const struct dmt_rule_use *const use =
		    &expect->methods.uses.items[about->first_use + i];
		const struct dmt_rule *const rule = &spec->rules[use->rule];

		if (is_about_thread(expect, rule, index))
			judge_rule_enter(expect, rule, use->role,
			    rule->slot == DMT_NONE ? NULL :
			    &thread->calls[rule->slot], caller);
	}

	if (thread->match != NULL && !dmt_tree_match_enter(thread->match,
	    &expect->methods, method, depth, &expect->now))
		return false;
	return expect->update == NULL ||
	    dmt_tree_builder_enter(&thread->builder);
}

/* Judges the end of the call at this depth. false: no memory. */
static bool
judge_leave(struct dmt_expect *expect, uint32_t index, uint32_t depth)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const uint32_t method = open_method(expect, index, depth);
	const struct dmt_expect_method *const about =
	    &expect->methods.items[method];

	for (size_t i = 0; i < about->use_count; i++) {
		const struct dmt_rule_use *const use =
		    &expect->methods.uses.items[about->first_use + i];
		const struct dmt_rule *const rule =
		    &expect->spec->rules[use->rule];

		if (!is_about_thread(expect, rule, index))
			continue;
		if (rule->kind == DMT_RULE_INCLUSIVE)
			judge_rule_leave(expect, rule,
			    &thread->calls[rule->slot]);
		else if (rule->kind == DMT_RULE_UNDER && use->role == 1)
			thread->calls[rule->slot].open--;
	}

	if (thread->match != NULL)
		dmt_tree_match_leave(thread->match, method, depth,
		    &expect->now, expect->ending);
	return expect->update == NULL || dmt_update_leave(expect->update,
	    &expect->methods, &thread->builder, method);
}

/* Judges what an event does to the calls of its thread, at expect->now. */
static enum dmtrace_status
match_event(struct dmt_expect *expect, uint32_t method, unsigned action)
{
	const uint32_t index = expect->now.thread;
	const struct dmt_expect_thread *const thread = &expect->threads[index];
	struct dmt_callstack *const stack = &expect->stacks.items[index];
	const uint32_t number =
	    expect->source->indexes->threads[index].number;
	struct dmt_step step;
	bool done = true;

	if (!thread->seen && !begin_expected_thread(expect, index))
		return dmt_error_memory(&expect->error);
	charge_rules(expect, index, stack->depth == 0 ? DMT_NONE :
	    open_method(expect, index, stack->depth));
	const enum dmtrace_status status = dmt_callstack_step(
	    &expect->stacks, stack, method, action, &step);
	if (status != DMTRACE_OK)
		return dmt_callstack_fail(&expect->stacks, stack, status,
		    number, expect->now.at, &expect->error);
	if (expect->update != NULL && step.depth > DMT_UPDATE_DEPTH)
		return dmt_error_at(&expect->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, expect->now.at, "calls of thread %"
		    PRIu32 " nest deeper than %d; select a depth", number,
		    DMT_UPDATE_DEPTH);

	/* Most calls are of no interest: do not branch on whether one begins
	 * or ends, which is hard to predict. */
	if (step.kind <= DMT_STEP_LEFT && step.depth <= thread->deepest &&
	    expect->methods.items[method].use_count == 0 &&
	    (thread->match == NULL ||
	    dmt_tree_match_skips(thread->match, step.depth)) &&
	    expect->update == NULL)
		return expect->error.status;
	if (step.kind == DMT_STEP_ENTERED)
		done = judge_enter(expect, index, step.depth);
	else
		for (uint32_t depth = step.depth + step.dropped;
		    step.depth > 0 && depth >= step.depth && done; depth--)
			done = judge_leave(expect, index, depth);
	return done ? expect->error.status : dmt_error_memory(&expect->error);
}

static enum dmtrace_status
match_batch(struct dmt_expect *expect, const struct dmt_batch *batch)
{
	/* events that were added at the edges of a window have no record */
	const bool has_records = batch->records != NULL;
	const uint64_t offset = dmt_batch_offset(expect->source, batch, 0);
	const uint64_t size =
	    dmt_batch_offset(expect->source, batch, 1) - offset;

	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const uint64_t cpu_ns = batch->cpu_ns[at];
		const uint64_t wall_ns = batch->wall_ns[at];

		expect->no_cpu = (batch->flags[at] & DMT_EVENT_NO_CPU) != 0;
		expect->time_ns[DMT_TIME_CPU] = cpu_ns;
		expect->time_ns[DMT_TIME_WALL] = wall_ns;
		expect->now = (struct dmt_place){
			.record = has_records ? batch->first + at + 1 : 0,
			.at = offset + at * size,
			.time_ns =
			    wall_ns != DMTRACE_NO_TIME ? wall_ns : cpu_ns,
			.thread = batch->thread[at]
		};
		expect->records += has_records;
		if (match_event(expect, batch->method[at],
		    batch->action[at]) != DMTRACE_OK)
			return expect->error.status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
match_events(struct dmt_expect *expect)
{
	struct dmt_batch *batch;

	dmt_want(expect->source, DMT_COLUMN_ALL);
	for (;;) {
		if (dmt_pull(expect->source, &batch) != DMTRACE_OK) {
			expect->error =
			    *dmtrace_source_error(expect->source);
			return expect->error.status;
		}
		if (batch == NULL)
			return DMTRACE_OK;
		if (match_batch(expect, batch) != DMTRACE_OK)
			return expect->error.status;
		if (expect->no_memory)
			return dmt_error_memory(&expect->error);
	}
}

/* Closes the calls of a thread that are open when the trace ends, at the
 * thread's last event. */
static enum dmtrace_status
end_expected_thread(struct dmt_expect *expect, uint32_t index)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];

	expect->time_ns[DMT_TIME_CPU] = thread->last_ns[DMT_TIME_CPU];
	expect->time_ns[DMT_TIME_WALL] = thread->last_ns[DMT_TIME_WALL];
	expect->now = (struct dmt_place){
		.time_ns = DMTRACE_NO_TIME, .thread = index
	};
	for (uint32_t depth = expect->stacks.items[index].depth; depth > 0;
	    depth--)
		if (!judge_leave(expect, index, depth))
			return dmt_error_memory(&expect->error);
	if (thread->match != NULL)
		dmt_tree_match_end(thread->match, &expect->now);
	return expect->error.status;
}

/* Makes the source of all events, or of those that the specification
 * selects. */
static enum dmtrace_status
open_selected(struct dmt_expect *expect)
{
	struct dmt_selection *const selection = expect->spec->selection;
	const bool all =
	    selection == NULL || dmt_selection_is_all(selection);

	if (!all && dmt_selection_resolve(selection, expect->reader->key,
	    &expect->reader->layout) != DMTRACE_OK) {
		expect->error = *dmt_selection_error(selection);
		return expect->error.status;
	}
	expect->source = dmtrace_source_new(expect->reader);
	if (!all)
		expect->source = dmt_source_select(expect->source, selection);
	if (expect->source == NULL)
		return dmt_error_memory(&expect->error);
	dmt_source_set_progress(expect->source, expect->op->progress,
	    expect->op->progress_context);
	return DMTRACE_OK;
}

/* Makes the tables by rule and by block. false: no memory. */
static bool
make_tables(struct dmt_expect *expect)
{
	const struct dmtrace_spec *const spec = expect->spec;

	expect->rules = dmt_array_new(spec->rule_count,
	    sizeof(*expect->rules));
	expect->thread_of_tree = dmt_array_new(spec->block_count,
	    sizeof(*expect->thread_of_tree));
	expect->block_seen = dmt_array_new(spec->block_count,
	    sizeof(*expect->block_seen));
	if (expect->rules == NULL || expect->thread_of_tree == NULL ||
	    expect->block_seen == NULL)
		return false;
	for (size_t i = 0; i < spec->rule_count; i++) {
		expect->rules[i].caller = DMT_NONE;
		expect->rules[i].place.thread = DMT_NONE;
		expect->rules[i].place.time_ns = DMTRACE_NO_TIME;
		expect->has_exclusive |=
		    spec->rules[i].kind == DMT_RULE_EXCLUSIVE;
	}
	for (size_t i = 0; i < spec->block_count; i++)
		expect->thread_of_tree[i] = DMT_NONE;
	return true;
}

static void
fini_expected_thread(void *item)
{
	struct dmt_expect_thread *const thread = item;

	free(thread->blocks.items);
	free(thread->calls);
	dmt_tree_match_free(thread->match);
	dmt_tree_builder_fini(&thread->builder);
}

enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect)
{
	const struct dmt_layout *const layout =
	    dmt_reader_layout(expect->reader);

	if (dmt_reader_check_start(expect->reader, &expect->error,
	    "dmtrace_expect") != DMTRACE_OK)
		return expect->error.status;
	if (expect->spec->error.status != DMTRACE_OK) {
		expect->error = expect->spec->error;
		return expect->error.status;
	}
	if (expect->update == NULL && dmt_spec_is_empty(expect->spec))
		return dmt_error_set(&expect->error, DMTRACE_ERR_STATE,
		    "dmtrace_expect: the specification expects nothing");
	expect->has_time[DMT_TIME_CPU] = dmt_layout_has_cpu(layout);
	expect->has_time[DMT_TIME_WALL] = dmt_layout_has_wall(layout);
	if (!make_tables(expect))
		return dmt_error_memory(&expect->error);
	if (open_selected(expect) != DMTRACE_OK)
		return expect->error.status;
	dmt_callstacks_attach(&expect->stacks, expect->source,
	    sizeof(struct dmt_call_frame));
	dmt_attach(expect->source, &expect->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*expect->threads),
	    .fini = fini_expected_thread });
	dmt_expect_methods_attach(&expect->methods, expect->spec,
	    expect->source);
	if (match_events(expect) != DMTRACE_OK)
		return expect->error.status;

	expect->ending = true;
	for (size_t i = 0; i < expect->order.count; i++)
		if (end_expected_thread(expect, expect->order.items[i]) !=
		    DMTRACE_OK)
			return expect->error.status;
	return DMTRACE_OK;
}

void
dmt_expect_fini(struct dmt_expect *expect)
{
	free(expect->order.items);
	free(expect->rules);
	free(expect->thread_of_tree);
	free(expect->block_seen);
	dmt_callstacks_fini(&expect->stacks);
	dmt_expect_methods_fini(&expect->methods);
	dmtrace_source_free(expect->source);
}

enum dmtrace_status
dmtrace_expect(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, dmtrace_expectation_fn *report,
    void *context, struct dmtrace_expected *expected)
{
	struct dmt_expect expect = { .op = op, .spec = spec,
	    .reader = reader };
	struct dmtrace_expected result = { 0 };

	if (dmt_op_begin_call(op, __func__, spec == NULL ||
	    reader == NULL || expected == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (dmt_expect_run(&expect) == DMTRACE_OK)
		result.unmet = dmt_expect_report(&expect, report, context,
		    &result.expectations);
	if (expect.error.status == DMTRACE_OK) {
		result.records = expect.records;
		*expected = result;
	}
	const enum dmtrace_status status =
	    dmt_op_fail(op, NULL, &expect.error);
	dmt_expect_fini(&expect);
	return status;
}
