/* expect.c - reads a trace and checks it against a specification */

/*
 * The sink of a pipeline: the trace's events, or those that the specification
 * selects, come in batches, and the call-stack engine says which call each
 * event opens or closes. What happens goes to the rules (expect_rules.c), to
 * the tree of calls of its thread (expect_match.c), and, if the specification
 * is to be updated, to the thread's tree builder (call_trees.c).
 *
 * What is known of threads and methods are arrays by index. A method's name is
 * matched against all patterns once, when its index is new. A thread gets its
 * tree and its rules at its first event that is selected; since each tree is
 * for one thread, the order of these events matters and is kept.
 *
 * Each event costs a step of its call stack and a look at the rules that are
 * about its method, mostly none.
 */

#include "verify/expect/expect.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

bool
dmt_number_list_add(struct dmt_number_list *list, uint32_t number)
{
	uint32_t *const items = dmt_array_grow(list->items, &list->capacity,
	    list->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	list->items = items;
	items[list->count++] = number;
	return true;
}

struct dmtrace_text
dmt_expect_thread_name(const struct dmt_expect *expect, uint32_t thread)
{
	const struct dmtrace_thread *const row =
	    expect->source->indexes->threads[thread].row;

	return row == NULL ? (struct dmtrace_text){ "", 0 } : row->name;
}

/* The first tree for such a name that no thread has; DMT_NONE: none. */
static uint32_t
find_free_tree(const struct dmt_expect *expect, struct dmtrace_text name)
{
	const struct dmtrace_spec *const spec = expect->spec;

	for (uint32_t i = 0; i < spec->block_count; i++)
		if (spec->blocks[i].kind != DMT_BLOCK_RULES &&
		    expect->thread_of_tree[i] == DMT_NONE &&
		    dmt_thread_name_matches(&spec->blocks[i].name, name))
			return i;
	return DMT_NONE;
}

/* The first event of a thread: finds its tree and the rules of its name.
 * false: no memory. */
static bool
begin_thread(struct dmt_expect *expect, uint32_t index)
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
	if (!dmt_number_list_add(&expect->order, index))
		return false;
	for (uint32_t i = 0; i < spec->block_count; i++) {
		if (spec->blocks[i].kind != DMT_BLOCK_RULES ||
		    !dmt_thread_name_matches(&spec->blocks[i].name, name))
			continue;
		expect->block_seen[i] = true;
		if (!dmt_number_list_add(&thread->blocks, i))
			return false;
	}
	dmt_rules_thread(expect, index);
	if (!thread->has_tree)
		return true;
	expect->thread_of_tree[tree] = index;
	thread->match = dmt_tree_match_new(spec, &spec->blocks[tree]);
	return thread->match != NULL;
}

static uint32_t
method_at(const struct dmt_expect *expect, uint32_t thread, uint32_t depth)
{
	const struct dmt_call_frame *const frame = dmt_frame_at(
	    &expect->stacks, &expect->stacks.items[thread], depth);

	return frame->method;
}

/* The call at this depth was opened. false: no memory. */
static bool
enter_call(struct dmt_expect *expect, uint32_t index, uint32_t depth)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const uint32_t method = method_at(expect, index, depth);
	const uint32_t caller = depth == 1 ? DMT_NONE :
	    method_at(expect, index, depth - 1);

	if (!dmt_rules_enter(expect, index, method, caller, depth))
		return false;
	if (thread->match != NULL && !dmt_tree_match_enter(thread->match,
	    &expect->methods, method, depth, &expect->now))
		return false;
	return expect->update == NULL ||
	    dmt_tree_builder_enter(&thread->builder);
}

/* The call at this depth is closed. false: no memory. */
static bool
leave_call(struct dmt_expect *expect, uint32_t index, uint32_t depth)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];
	const uint32_t method = method_at(expect, index, depth);

	dmt_rules_leave(expect, index, method);
	if (thread->match != NULL)
		dmt_tree_match_leave(thread->match, method, depth,
		    &expect->now, expect->ending);
	return expect->update == NULL || dmt_update_leave(expect->update,
	    &expect->methods, &thread->builder, method);
}

/* What an event does to the calls of its thread, at expect->now. */
static enum dmtrace_status
take_event(struct dmt_expect *expect, uint32_t method, unsigned action)
{
	const uint32_t index = expect->now.thread;
	struct dmt_callstack *const stack = &expect->stacks.items[index];
	const uint32_t number =
	    expect->source->indexes->threads[index].number;
	struct dmt_step step;
	bool done = true;

	if (!expect->threads[index].seen && !begin_thread(expect, index))
		return dmt_error_memory(&expect->error);
	dmt_rules_charge(expect, index, stack->depth == 0 ? DMT_NONE :
	    method_at(expect, index, stack->depth));
	const enum dmtrace_status status = dmt_callstack_step(
	    &expect->stacks, stack, method, action, &step);
	if (status == DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&expect->error);
	if (status != DMTRACE_OK)
		return dmt_error_at(&expect->error, status,
		    DMTRACE_PLACE_OFFSET, expect->now.at,
		    "thread %" PRIu32 " has too many calls open", number);
	if (expect->update != NULL && step.depth > DMT_UPDATE_DEPTH)
		return dmt_error_at(&expect->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, expect->now.at, "calls of thread %"
		    PRIu32 " nest deeper than %d; select a depth", number,
		    DMT_UPDATE_DEPTH);

	if (step.kind == DMT_STEP_ENTERED)
		done = enter_call(expect, index, step.depth);
	else
		for (uint32_t depth = step.depth + step.dropped;
		    step.depth > 0 && depth >= step.depth && done; depth--)
			done = leave_call(expect, index, depth);
	return done ? expect->error.status : dmt_error_memory(&expect->error);
}

static enum dmtrace_status
take_batch(struct dmt_expect *expect, const struct dmt_batch *batch)
{
	/* the edges of a window have no record */
	const bool has_records = batch->records != NULL;

	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const uint64_t cpu_ns = batch->cpu_ns[at];
		const uint64_t wall_ns = batch->wall_ns[at];

		expect->time_ns[DMT_TIME_CPU] = cpu_ns;
		expect->time_ns[DMT_TIME_WALL] = wall_ns;
		expect->now = (struct dmt_place){
			.record = has_records ? batch->first + at + 1 : 0,
			.at = dmt_batch_offset(expect->source, batch, at),
			.time_ns =
			    wall_ns != DMTRACE_NO_TIME ? wall_ns : cpu_ns,
			.thread = batch->thread[at]
		};
		expect->records += has_records;
		if (take_event(expect, batch->method[at],
		    batch->action[at]) != DMTRACE_OK)
			return expect->error.status;
	}
	return DMTRACE_OK;
}

/* Makes room for threads and methods that were not seen before. false: no
 * memory. */
static bool
take_indexes(struct dmt_expect *expect)
{
	const size_t count = expect->source->indexes->thread_count;

	if (expect->thread_count < count) {
		struct dmt_expect_thread *const threads = dmt_array_grow(
		    expect->threads, &expect->thread_capacity, count,
		    sizeof(*threads));

		if (threads == NULL)
			return false;
		expect->threads = threads;
	}
	while (expect->thread_count < count)
		expect->threads[expect->thread_count++] =
		    (struct dmt_expect_thread){ .seen = false };
	return dmt_callstacks_reserve(&expect->stacks, count) &&
	    dmt_expect_methods_update(&expect->methods);
}

static enum dmtrace_status
take_events(struct dmt_expect *expect)
{
	struct dmt_batch *batch;

	dmt_want(expect->source, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
	for (;;) {
		if (dmt_pull(expect->source, &batch) != DMTRACE_OK) {
			expect->error =
			    *dmtrace_source_error(expect->source);
			return expect->error.status;
		}
		if (batch == NULL)
			return DMTRACE_OK;
		if (!take_indexes(expect))
			return dmt_error_memory(&expect->error);
		if (take_batch(expect, batch) != DMTRACE_OK)
			return expect->error.status;
	}
}

/* Closes the calls that are open when the trace ends; they last until the last
 * event of their thread. */
static enum dmtrace_status
end_thread(struct dmt_expect *expect, uint32_t index)
{
	struct dmt_expect_thread *const thread = &expect->threads[index];

	expect->time_ns[DMT_TIME_CPU] = thread->last_ns[DMT_TIME_CPU];
	expect->time_ns[DMT_TIME_WALL] = thread->last_ns[DMT_TIME_WALL];
	expect->now = (struct dmt_place){
		.time_ns = DMTRACE_NO_TIME, .thread = index
	};
	for (uint32_t depth = expect->stacks.items[index].depth; depth > 0;
	    depth--)
		if (!leave_call(expect, index, depth))
			return dmt_error_memory(&expect->error);
	if (thread->match != NULL)
		dmt_tree_match_end(thread->match, &expect->now);
	return expect->error.status;
}

/* The events of the trace, or those that the specification selects. */
static enum dmtrace_status
open_source(struct dmt_expect *expect)
{
	struct dmtrace_selection *const selection = expect->spec->selection;
	const bool all =
	    selection == NULL || dmtrace_selection_is_all(selection);

	if (!all && dmtrace_selection_resolve(selection, expect->reader->key,
	    &expect->reader->layout) != DMTRACE_OK) {
		expect->error = *dmtrace_selection_error(selection);
		return expect->error.status;
	}
	expect->source = dmtrace_source_new(expect->reader);
	if (!all)
		expect->source = dmtrace_select(expect->source, selection);
	if (expect->source == NULL)
		return dmt_error_memory(&expect->error);
	dmtrace_source_set_progress(expect->source, expect->op->progress,
	    expect->op->progress_context);
	return DMTRACE_OK;
}

/* Tables by rule and by block. false: no memory. */
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

enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect)
{
	const struct dmtrace_layout *const layout =
	    dmtrace_reader_layout(expect->reader);

	dmt_callstacks_init(&expect->stacks, sizeof(struct dmt_call_frame));
	if (layout == NULL || dmtrace_reader_position(expect->reader) > 0)
		return dmt_error_set(&expect->error, DMTRACE_ERR_STATE,
		    "the reader is not open at its first record");
	expect->has_time[DMT_TIME_CPU] = layout->cpu.width != 0;
	expect->has_time[DMT_TIME_WALL] = layout->wall.width != 0;
	if (!make_tables(expect))
		return dmt_error_memory(&expect->error);
	if (open_source(expect) != DMTRACE_OK)
		return expect->error.status;
	expect->methods.spec = expect->spec;
	expect->methods.indexes = expect->source->indexes;
	if (take_events(expect) != DMTRACE_OK)
		return expect->error.status;

	expect->ending = true;
	for (size_t i = 0; i < expect->order.count; i++)
		if (end_thread(expect, expect->order.items[i]) != DMTRACE_OK)
			return expect->error.status;
	return DMTRACE_OK;
}

void
dmt_expect_fini(struct dmt_expect *expect)
{
	for (size_t i = 0; i < expect->thread_count; i++) {
		struct dmt_expect_thread *const thread = &expect->threads[i];

		free(thread->blocks.items);
		free(thread->calls);
		dmt_tree_match_free(thread->match);
		dmt_tree_builder_fini(&thread->builder);
	}
	free(expect->threads);
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

	dmt_op_begin(op);
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
