/* call_diff.c - whether two traces made the same calls, in order */

/*
 * Neither trace is kept in memory. A pass over a source finds the calls with
 * the call-stack engine. Each call becomes a token, made of the index of its
 * name, which does not depend on the ids of the trace, and is added to the
 * calls of its thread (thread_calls.c). After the first pass over both traces,
 * threads are paired by name; pairs with equal sums made the same calls. For
 * the other pairs the traces are read again, with checkpoints closer together
 * each time, until the first difference is known to within some thousand calls.
 * Then these calls are kept and compared line by line (call_lines.c). The
 * threads of a trace have the same order in each pass, so they are kept from
 * one pass to the next.
 */

#include <dmtrace/verify.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/name_table.h"
#include "events/callstacks.h"
#include "events/pipeline.h"
#include "key/rows.h"
#include "private/verify.h"
#include "verify/diff/call_lines.h"
#include "verify/diff/thread_calls.h"

enum {
	CONTEXT_MAX = 100,
	LINES_MAX = 200,
	KEPT_MAX = 4096,		/* calls are kept if the difference is
					   known to within so many */
	AHEAD = 512			/* calls that are kept after these */
};

#define NONE UINT32_MAX			/* no thread, or no name yet */

/* The threads of a trace that have events, in the order of their first
 * events. */
struct call_side {
	struct dmt_thread_calls *threads;
	size_t count;
	size_t capacity;
};

/* A thread of both traces, or of one. */
struct thread_pair {
	uint32_t threads[DMTRACE_DIFF_SIDES];
	uint64_t calls[DMTRACE_DIFF_SIDES];	/* in the first pass */
	bool same;
	bool found;			/* lines has the difference */
	bool kept;			/* the calls around it are kept */
	struct dmt_call_lines lines;
};

struct dmt_call_diff {
	struct dmt_call_diff_options options;
	struct dmtrace_error error;
	uint64_t seed;
	struct dmt_name_table methods;
	struct dmt_name_table threads;
	struct call_side sides[DMTRACE_DIFF_SIDES];
	struct thread_pair *pairs;	/* NULL in the first pass */
	size_t pair_count;
};

/* A pass over one trace. */
struct side_pass {
	struct dmt_call_diff *diff;
	struct call_side *side;
	struct dmtrace_source *source;
	struct dmt_callstacks stacks;
	uint32_t *threads;		/* thread of the side, by the index in
					   the source */
	uint32_t *names;		/* name, by the index of the method */
	size_t begun;			/* threads that had an event */
};

struct dmt_call_diff *
dmt_call_diff_new(const struct dmt_call_diff_options *options)
{
	struct dmt_call_diff *const diff =
	    dmt_array_new(1, sizeof(*diff));

	if (diff == NULL)
		return NULL;
	if (options != NULL)
		diff->options = *options;
	if (diff->options.lines == 0)
		diff->options.lines = 20;
	if (diff->options.context == 0)
		diff->options.context = 3;
	else if (diff->options.context == DMTRACE_NONE)
		diff->options.context = 0;
	else if (diff->options.context > CONTEXT_MAX)
		diff->options.context = CONTEXT_MAX;
	if (diff->options.lines > LINES_MAX)
		diff->options.lines = LINES_MAX;
	diff->methods.dots = true;
	diff->seed = ((uintptr_t)diff ^ (uintptr_t)&options) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return diff;
}

void
dmt_call_diff_free(struct dmt_call_diff *diff)
{
	if (diff == NULL)
		return;
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		struct call_side *const own = &diff->sides[side];

		for (size_t i = 0; i < own->count; i++)
			dmt_thread_calls_fini(&own->threads[i]);
		free(own->threads);
	}
	for (size_t i = 0; i < diff->pair_count; i++)
		free(diff->pairs[i].lines.items);
	free(diff->pairs);
	dmt_name_table_fini(&diff->methods);
	dmt_name_table_fini(&diff->threads);
	free(diff);
}

const struct dmtrace_error *
dmt_call_diff_error(const struct dmt_call_diff *diff)
{
	return &diff->error;
}

/* A pass */

/* Finds the name of a method, which is its id if no row lists it. false: no
 * memory. */
static bool
find_name(struct side_pass *pass, uint32_t index)
{
	const struct dmt_indexed_method *const indexed =
	    &pass->source->indexes->methods[index];
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method method =
	    dmt_method_named(indexed->row, indexed->id, number);
	const struct dmt_name name = {
		.class_name = method.class_name, .name = method.name,
		.signature = method.signature,
		.listed = indexed->row != NULL && indexed->row->name.len > 0
	};

	pass->names[index] = dmt_name_table_intern(&pass->diff->methods,
	    &name);
	return pass->names[index] != DMT_NO_NAME;
}

/* Finds the thread of the side for the first event of a thread in this pass.
 * Threads come in the order of the first pass. If the file has changed since,
 * there may be a new thread, which belongs to no pair. false: no memory. */
static bool
find_call_thread(struct side_pass *pass, uint32_t index)
{
	const struct dmt_indexed_thread *const indexed =
	    &pass->source->indexes->threads[index];
	struct call_side *const side = pass->side;
	struct dmt_name name = { .listed = indexed->row != NULL };

	if (pass->begun < side->count &&
	    side->threads[pass->begun].number == indexed->number) {
		pass->threads[index] = (uint32_t)pass->begun++;
		return true;
	}

	if (indexed->row != NULL)
		name.name = indexed->row->name;
	const uint32_t found = dmt_name_table_intern(&pass->diff->threads,
	    &name);
	struct dmt_thread_calls *const threads = dmt_array_grow(side->threads,
	    &side->capacity, side->count + 1, sizeof(*threads));
	if (threads != NULL)
		side->threads = threads;
	if (threads == NULL || found == DMT_NO_NAME)
		return false;
	threads[side->count] = (struct dmt_thread_calls){
		.number = indexed->number, .name = found,
		.active = pass->diff->pairs == NULL
	};
	dmt_thread_calls_begin(&threads[side->count]);
	pass->threads[index] = (uint32_t)side->count++;
	pass->begun = side->count;
	return true;
}

/* Keeps the calls that are open at the first call of a window. */
static bool
keep_callers(const struct side_pass *pass, struct dmt_thread_calls *thread,
    const struct dmt_callstack *stack, uint32_t depth)
{
	struct dmt_call_window *const window = thread->window;

	if (window == NULL || thread->calls != window->from || depth < 2 ||
	    window->callers != NULL)
		return true;
	window->callers = dmt_array_new(depth - 1, sizeof(*window->callers));
	if (window->callers == NULL)
		return false;
	for (uint32_t i = 1; i < depth; i++) {
		const struct dmt_call_frame *const frame =
		    dmt_frame_at(&pass->stacks, stack, i);

		window->callers[i - 1] = 2 * pass->names[frame->method];
	}
	window->caller_count = depth - 1;
	return true;
}

static enum dmtrace_status
add_call_event(struct side_pass *pass, const struct dmt_batch *batch, size_t at)
{
	const uint32_t index = batch->thread[at], method = batch->method[at];
	struct dmtrace_error *const error = &pass->diff->error;
	struct dmt_callstack *const stack = &pass->stacks.items[index];
	struct dmt_step step;

	if ((pass->threads[index] == NONE && !find_call_thread(pass, index)) ||
	    (pass->names[method] == NONE && !find_name(pass, method)))
		return dmt_error_memory(error);
	struct dmt_thread_calls *const thread =
	    &pass->side->threads[pass->threads[index]];
	if (!thread->active)
		return DMTRACE_OK;

	const enum dmtrace_status status = dmt_callstack_step(&pass->stacks,
	    stack, method, batch->action[at], &step);
	if (status != DMTRACE_OK)
		return dmt_callstack_fail(&pass->stacks, stack, status,
		    thread->number, 0, error);
	if (step.kind != DMT_STEP_ENTERED && step.kind != DMT_STEP_BEFORE)
		return DMTRACE_OK;
	const struct dmt_call call = {
		.depth = step.depth,
		.token = 2 * pass->names[method] + (step.depth == 0)
	};
	return keep_callers(pass, thread, stack, step.depth) &&
	    dmt_thread_calls_add(thread, call, pass->diff->seed) ?
	    DMTRACE_OK : dmt_error_memory(error);
}

static bool
begin_index(void *owner, uint32_t index, void *item)
{
	(void)owner;
	(void)index;
	*(uint32_t *)item = NONE;
	return true;
}

enum dmtrace_status
dmt_call_diff_add(struct dmt_call_diff *diff,
    enum dmtrace_diff_side which, struct dmtrace_source *source)
{
	struct side_pass pass = {
		.diff = diff, .side = &diff->sides[which], .source = source
	};
	enum dmtrace_status status = diff->error.status;
	struct dmt_batch *batch = NULL;

	for (size_t i = 0; i < pass.side->count; i++)
		dmt_thread_calls_begin(&pass.side->threads[i]);
	dmt_callstacks_attach(&pass.stacks, source,
	    sizeof(struct dmt_call_frame));
	dmt_attach(source, &pass.threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*pass.threads),
	    .init = begin_index });
	dmt_attach(source, &pass.names, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*pass.names),
	    .init = begin_index });
	dmt_want(source, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION);
	while (status == DMTRACE_OK) {
		status = dmt_pull(source, &batch);
		if (status != DMTRACE_OK || batch == NULL)
			break;
		for (size_t i = 0; i < batch->kept && status == DMTRACE_OK;
		    i++)
			status = add_call_event(&pass, batch, batch->keep[i]);
	}
	dmt_callstacks_fini(&pass.stacks);
	dmt_detach(source);
	return status;
}

/* Pairs of threads */

/* A thread of either side, to be sorted. */
struct pair_entry {
	const struct dmt_thread_calls *thread;
	uint32_t index;
	uint32_t partner;
};

/* The entries of one side, and the range of those with the current name. */
struct pair_list {
	struct pair_entry *entries;
	size_t count;
	size_t begin, end;
};

static int
compare_counts(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Compares threads by their number of calls and their sum: 0 if they made the
 * same calls. */
static int
compare_call_lists(const struct dmt_thread_calls *a,
    const struct dmt_thread_calls *b)
{
	int order = compare_counts(a->calls, b->calls);

	if (order == 0)
		order = compare_counts(a->sum.low, b->sum.low);
	return order != 0 ? order : compare_counts(a->sum.high, b->sum.high);
}

static int
compare_by_calls(const void *left, const void *right)
{
	const struct pair_entry *const a = left, *const b = right;
	int order = compare_counts(a->thread->name, b->thread->name);

	if (order == 0)
		order = compare_call_lists(a->thread, b->thread);
	return order != 0 ? order : compare_counts(a->index, b->index);
}

static int
compare_by_index(const void *left, const void *right)
{
	const struct pair_entry *const a = left, *const b = right;

	return compare_counts(a->index, b->index);
}

static bool
make_list(struct pair_list *list, const struct call_side *side)
{
	*list = (struct pair_list){
		.entries = dmt_array_new(side->count + 1,
		    sizeof(*list->entries)),
		.count = side->count
	};
	if (list->entries == NULL)
		return false;
	for (size_t i = 0; i < side->count; i++)
		list->entries[i] = (struct pair_entry){ &side->threads[i],
		    (uint32_t)i, NONE };
	qsort(list->entries, list->count, sizeof(*list->entries),
	    compare_by_calls);
	return true;
}

static void
sort_current(struct pair_list *list)
{
	if (list->end - list->begin > 1)
		qsort(list->entries + list->begin, list->end - list->begin,
		    sizeof(*list->entries), compare_by_index);
}

static void
bind_entries(struct pair_entry *a, struct pair_entry *b)
{
	a->partner = b->index;
	b->partner = a->index;
}

/* Pairs the threads of the current name: first those that made the same calls,
 * then the others in the order of their first events. */
static void
bind_current(struct pair_list *a, struct pair_list *b)
{
	for (size_t i = a->begin, j = b->begin; i < a->end && j < b->end;) {
		const int order = compare_call_lists(a->entries[i].thread,
		    b->entries[j].thread);

		if (order == 0)
			bind_entries(&a->entries[i], &b->entries[j]);
		i += order <= 0;
		j += order >= 0;
	}
	sort_current(a);
	sort_current(b);
	for (size_t i = a->begin, j = b->begin; i < a->end; i++) {
		if (a->entries[i].partner != NONE)
			continue;
		while (j < b->end && b->entries[j].partner != NONE)
			j++;
		if (j == b->end)
			return;
		bind_entries(&a->entries[i], &b->entries[j]);
	}
}

static void
select_name(struct pair_list *list, uint32_t name)
{
	list->begin = list->end;
	while (list->end < list->count &&
	    list->entries[list->end].thread->name == name)
		list->end++;
}

/* NULL: the side has no such thread. */
static struct dmt_thread_calls *
thread_of(const struct dmt_call_diff *diff,
    const struct thread_pair *pair, int side)
{
	return pair->threads[side] == NONE ? NULL :
	    &diff->sides[side].threads[pair->threads[side]];
}

static void
add_pair(struct dmt_call_diff *diff, uint32_t base, uint32_t new)
{
	struct thread_pair *const pair = &diff->pairs[diff->pair_count++];

	*pair = (struct thread_pair){ .threads = { base, new } };
	const struct dmt_thread_calls *const a = thread_of(diff, pair, 0);
	const struct dmt_thread_calls *const b = thread_of(diff, pair, 1);
	pair->calls[0] = a == NULL ? 0 : a->calls;
	pair->calls[1] = b == NULL ? 0 : b->calls;
	pair->same = a != NULL && b != NULL && compare_call_lists(a, b) == 0;
}

/* Pairs the threads of both sides; those of the base come first. false: no
 * memory. */
static bool
make_pairs(struct dmt_call_diff *diff)
{
	struct pair_list a, b = { .entries = NULL };
	const bool fine = make_list(&a, &diff->sides[DMTRACE_DIFF_BASE]) &&
	    make_list(&b, &diff->sides[DMTRACE_DIFF_NEW]) &&
	    (diff->pairs = dmt_array_new(a.count + b.count + 1,
	    sizeof(*diff->pairs))) != NULL;

	if (fine) {
		for (uint32_t name = 0; name < diff->threads.count; name++) {
			select_name(&a, name);
			select_name(&b, name);
			bind_current(&a, &b);
		}
		a.begin = b.begin = 0;
		sort_current(&a);
		sort_current(&b);
		for (size_t i = 0; i < a.count; i++)
			add_pair(diff, a.entries[i].index,
			    a.entries[i].partner);
		for (size_t i = 0; i < b.count; i++)
			if (b.entries[i].partner == NONE)
				add_pair(diff, NONE, b.entries[i].index);
	}
	free(a.entries);
	free(b.entries);
	return fine;
}

/* From one pass to the next */

/* Prepares the next pass for a pair that differs, or makes its lines if its
 * calls are kept. false: no memory. */
static bool
refine_pair(struct dmt_call_diff *diff, struct thread_pair *pair)
{
	struct dmt_thread_calls *const threads[DMTRACE_DIFF_SIDES] = {
		thread_of(diff, pair, 0), thread_of(diff, pair, 1)
	};
	uint64_t within;

	if (pair->kept) {
		const struct dmt_call_window *const windows[] = {
			threads[0]->window, threads[1]->window
		};

		pair->found = true;
		return dmt_call_lines_make(&pair->lines, windows,
		    &diff->options);
	}
	const uint64_t from =
	    dmt_thread_calls_part(threads[0], threads[1], &within);
	if (within > KEPT_MAX) {
		dmt_thread_calls_refine(threads[0], from, within);
		dmt_thread_calls_refine(threads[1], from, within);
		return true;
	}
	const uint64_t back = from < diff->options.context ? from :
	    diff->options.context;
	const size_t room = (size_t)(back + within) + AHEAD;
	pair->kept = true;
	return dmt_thread_calls_keep(threads[0], from - back, room) &&
	    dmt_thread_calls_keep(threads[1], from - back, room);
}

int
dmt_call_diff_again(struct dmt_call_diff *diff)
{
	size_t threads = 0;
	int again = 0;
	bool fine = diff->error.status == DMTRACE_OK &&
	    (diff->pairs != NULL || make_pairs(diff));

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		for (size_t i = 0; i < diff->sides[side].count; i++)
			diff->sides[side].threads[i].active = false;
	for (size_t i = 0; fine && i < diff->pair_count &&
	    threads < DMT_CALL_DIFF_THREADS; i++) {
		struct thread_pair *const pair = &diff->pairs[i];

		threads += pair->found;
		if (pair->same || pair->found || pair->threads[0] == NONE ||
		    pair->threads[1] == NONE)
			continue;
		threads++;
		fine = refine_pair(diff, pair);
		if (pair->found)
			continue;
		thread_of(diff, pair, 0)->active = true;
		thread_of(diff, pair, 1)->active = true;
		again = 1;
	}
	if (!fine)
		dmt_error_memory(&diff->error);
	return fine && again;
}

/* Results */

size_t
dmt_call_diff_thread_count(const struct dmt_call_diff *diff)
{
	return diff->pair_count;
}

void
dmt_call_diff_thread_get(const struct dmt_call_diff *diff,
    size_t index, struct dmt_call_diff_thread *thread)
{
	const struct thread_pair *const pair = &diff->pairs[index];

	*thread = (struct dmt_call_diff_thread){ .same = pair->same };
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct dmt_thread_calls *const own =
		    thread_of(diff, pair, side);

		if (own == NULL)
			continue;
		const struct dmt_name *const name =
		    &diff->threads.items[own->name];
		thread->name = name->name;
		thread->listed = name->listed;
		thread->present[side] = 1;
		thread->numbers[side] = own->number;
		thread->calls[side] = pair->calls[side];
	}
}

int
dmt_call_diff_line_get(const struct dmt_call_diff *diff,
    size_t thread, size_t index, struct dmt_call_diff_line *line)
{
	const struct thread_pair *const pair = &diff->pairs[thread];

	if (index >= pair->lines.count)
		return 1;
	const struct dmt_call_line *const from = &pair->lines.items[index];
	const struct dmt_name *const name =
	    &diff->methods.items[from->call.token / 2];
	const bool in_base = from->kind == DMT_CALL_DIFF_SAME ||
	    from->kind == DMT_CALL_DIFF_BASE;
	const bool in_new = from->kind == DMT_CALL_DIFF_SAME ||
	    from->kind == DMT_CALL_DIFF_NEW;
	*line = (struct dmt_call_diff_line){
		.kind = from->kind, .first = from->first,
		.depth = from->call.depth, .before = from->call.token & 1,
		.class_name = name->class_name, .name = name->name,
		.signature = name->signature, .listed = name->listed,
		.at = { in_base ? from->next[0] : 0,
		    in_new ? from->next[1] : 0 },
		.next = { from->next[0], from->next[1] }
	};
	return 0;
}
