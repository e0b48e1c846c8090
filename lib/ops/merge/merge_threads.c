/* merge_threads.c - merges the thread tables of the inputs */

/*
 * Each row of an input's key becomes a row of the output, unless threads are
 * united and an earlier input has a row with the same id and name. A row keeps
 * its id if no earlier row has it and threads are not to be renumbered; when
 * all inputs are known, the other rows get the lowest free numbers, in their
 * order.
 *
 * Until rows have their ids, the map of an input leads from its indexes to
 * rows; then to numbers of the output. A thread that packets rename has several
 * rows, of which the first one counts, with its last name; the others are only
 * counted. A thread that records have and no key
 * lists gets a number when it is first seen, its own if that is free. When all
 * rows are known, names that rows of several inputs share can get the prefixes
 * of their inputs.
 *
 * If threads are united, one thread has events of several inputs. Its times
 * must not go back, unless they go back in an input; the output's events are
 * followed to check that.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/merge/merge.h"
#include "private/key.h"
#include "private/text.h"

enum { USED_BY_ROW = 1, USED_BY_RECORDS = 2 };

/* Returns the value of the thread field in the input's records for a row with
 * that id. */
static uint32_t
thread_field_of(const struct dmt_merge_input *input, uint32_t id)
{
	return id & ((uint32_t)dmt_layout_thread_numbers(&input->layout) - 1);
}

/* Makes a thread name with the prefix (NULL: none) before it. false: no
 * memory. */
static bool
make_name(struct dmt_merge_tables *tables, const char *prefix,
    struct dmtrace_text *name)
{
	const size_t before = prefix == NULL ? 0 : strlen(prefix) + 1;
	char *const made = dmt_arena_alloc(&tables->arena,
	    before + name->len);

	if (made == NULL)
		return false;
	if (before > 0) {
		memcpy(made, prefix, before - 1);
		made[before - 1] = ':';
	}
	if (name->len > 0)
		memcpy(made + before, name->bytes, name->len);
	*name = (struct dmtrace_text){ made, before + name->len };
	return dmt_merge_mend(tables, name);
}

/* Adds a row; its id stays if that is possible. false: no memory. */
static bool
add_thread_row(struct dmt_merge *merge, struct dmt_merge_row *row)
{
	struct dmt_merge_tables *const tables = &merge->tables;
	const enum dmtrace_merge_threads threads = merge->options.threads;
	const size_t count = tables->row_count;
	struct dmt_merge_row *const rows = dmt_array_grow(tables->rows,
	    &tables->row_capacity, count + 1, sizeof(*rows));

	if (rows == NULL)
		return false;
	tables->rows = rows;
	if (!make_name(tables, merge->options.prefix_shared ? NULL :
	    row->input->asked->prefix, &row->name))
		return false;

	/* An earlier row with the same id and name may be the same thread. */
	row->same = count;
	if (threads == DMTRACE_THREADS_UNION) {
		uint32_t *const first =
		    dmt_idmap_find(&tables->wanted, row->id);

		row->next = first == NULL ? 0 : *first;
		for (size_t at = row->next; at != 0 && row->same == count;
		    at = rows[at - 1].next)
			if (dmt_text_equal(rows[at - 1].name, row->name))
				row->same = at - 1;
		if (row->same == count && first != NULL)
			*first = (uint32_t)count + 1;
		else if (first == NULL && !dmt_idmap_add(&tables->wanted,
		    row->id, (uint32_t)count + 1))
			return false;
	}
	if (row->same == count && threads != DMTRACE_THREADS_RENUMBER &&
	    !tables->used[row->id]) {
		row->placed = true;
		tables->used[row->id] = USED_BY_ROW;
	}
	rows[tables->row_count++] = *row;
	return true;
}

/* Adds a row, and maps the thread to that row until rows have ids. false: no
 * memory. */
static bool
add_thread(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_thread *thread)
{
	struct dmt_indexes *const indexes = input->indexes;
	const uint32_t number = thread_field_of(input, thread->id);
	const size_t index = dmt_thread_index(indexes, number);
	struct dmt_merge_row row = {
		.input = input,
		.name = thread->name,
		.index = index,
		.id = thread->id < DMT_MERGE_NUMBERS ? thread->id : number
	};

	if (indexes->failed)
		return false;
	if (dmt_merge_map_get(&input->threads, index) != 0) {
		merge->tables.names_dropped +=
		    input->reader->definitions.named_count > 0;
		return true;
	}
	return add_thread_row(merge, &row) && dmt_merge_map_set(&input->threads,
	    index, (uint32_t)merge->tables.row_count);
}

/* First the ids that records can have, then those that equal them modulo the
 * width of the field (dmtrace.5, THREADS). */
enum dmtrace_status
dmt_merge_threads_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_thread_count(key);

	for (int wide = 0; wide < 2; wide++)
		for (size_t i = 0; i < count; i++) {
			const struct dmtrace_thread *const thread =
			    dmtrace_key_thread_get(key, i);
			const bool is_wide =
			    thread_field_of(input, thread->id) != thread->id;

			if (is_wide == wide &&
			    !add_thread(merge, input, thread))
				return dmt_error_memory(&merge->op->error);
		}
	return DMTRACE_OK;
}

/* Returns the lowest free number from 1 on; tables->numbers: none. */
static uint32_t
find_free_thread(struct dmt_merge_tables *tables)
{
	if (tables->free_number == 0)
		tables->free_number = 1;
	while (tables->free_number < tables->numbers &&
	    tables->used[tables->free_number])
		tables->free_number++;
	return tables->free_number;
}

static enum dmtrace_status
fail_numbers(struct dmt_merge *merge)
{
	return dmt_error_set(&merge->op->error, DMTRACE_ERR_RANGE,
	    "there are more than %" PRIu32 " threads, which no version can"
	    " number", merge->tables.numbers - 1);
}

enum dmtrace_status
dmt_merge_threads_place(struct dmt_merge *merge)
{
	struct dmt_merge_tables *const tables = &merge->tables;

	for (size_t i = 0; i < tables->row_count; i++) {
		struct dmt_merge_row *const row = &tables->rows[i];

		if (row->same != i || row->placed)
			continue;
		row->id = find_free_thread(tables);
		if (row->id == tables->numbers)
			return fail_numbers(merge);
		tables->used[row->id] = USED_BY_ROW;
	}
	return DMTRACE_OK;
}

/* Fails if the thread's number does not fit the layout; the merge can then be
 * tried again, unless the caller asked for the version. */
static enum dmtrace_status
check_fit(struct dmt_merge *merge, const struct dmt_merge_input *input,
    uint32_t number)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	if (number < dmt_layout_thread_numbers(&merge->layout))
		return DMTRACE_OK;
	merge->too_narrow = merge->asked.dialect == NULL;
	dmt_error_set(&error, DMTRACE_ERR_RANGE, "thread %" PRIu32 " does not"
	    " fit version %u, which has 0 to %zu; version %s has it", number,
	    merge->layout.version,
	    dmt_layout_thread_numbers(&merge->layout) - 1,
	    number < DMT_MERGE_NUMBERS ? "2" : "4 or 5");
	return dmt_merge_fail(merge, input, &error);
}

/* Compares the lengths first; no name is empty. */
static int
compare_row_names(const void *left, const void *right)
{
	const struct dmt_merge_row *const *const a = left;
	const struct dmt_merge_row *const *const b = right;
	const struct dmtrace_text x = (*a)->name, y = (*b)->name;

	return x.len != y.len ? (x.len > y.len) - (x.len < y.len) :
	    memcmp(x.bytes, y.bytes, x.len);
}

/* Adds the prefixes of their inputs to names that rows of several inputs have.
 * false: no memory. */
static bool
prefix_shared_names(struct dmt_merge *merge)
{
	struct dmt_merge_tables *const tables = &merge->tables;
	struct dmt_merge_row **const rows =
	    dmt_array_new(tables->row_count, sizeof(*rows));
	size_t count = 0, end;
	bool made = rows != NULL;

	for (size_t i = 0; made && i < tables->row_count; i++)
		if (tables->rows[i].same == i && tables->rows[i].name.len > 0)
			rows[count++] = &tables->rows[i];
	if (count > 1)
		qsort(rows, count, sizeof(struct dmt_merge_row *),
		    compare_row_names);
	for (size_t begin = 0; made && begin < count; begin = end) {
		bool is_shared = false;

		for (end = begin + 1; end < count && compare_row_names(
		    &rows[begin], &rows[end]) == 0; end++)
			is_shared |= rows[end]->input != rows[begin]->input;
		for (size_t i = begin; made && is_shared && i < end; i++) {
			const char *const prefix =
			    rows[i]->input->asked->prefix;

			merge->result.prefixed += prefix != NULL;
			made = prefix == NULL ||
			    make_name(tables, prefix, &rows[i]->name);
		}
	}
	free(rows);
	return made;
}

enum dmtrace_status
dmt_merge_threads_list(struct dmt_merge *merge)
{
	struct dmt_merge_tables *const tables = &merge->tables;

	if (merge->options.prefix_shared && !prefix_shared_names(merge))
		return dmt_error_memory(&merge->op->error);

	for (size_t i = 0; i < tables->row_count; i++) {
		struct dmt_merge_row *const row = &tables->rows[i];
		const uint32_t id = tables->rows[row->same].id;

		row->input->threads.to[row->index] = id + 1;
		if (row->same != i)
			continue;
		if (check_fit(merge, row->input, id) != DMTRACE_OK)
			return merge->op->error.status;
		if (dmtrace_key_thread_add(tables->key,
		    &(struct dmtrace_thread){ id, row->name }) != DMTRACE_OK)
			return dmt_op_fail(merge->op, NULL,
			    dmt_key_error(tables->key));
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_thread_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, size_t index)
{
	const enum dmtrace_merge_threads threads = merge->options.threads;
	const uint32_t number = input->indexes->threads[index].number;
	const uint8_t used = merge->tables.used[number];
	const bool keeps = threads == DMTRACE_THREADS_UNION ?
	    used != USED_BY_ROW : threads == DMTRACE_THREADS_KEEP && used == 0;
	const uint32_t to = keeps ? number : find_free_thread(&merge->tables);

	if (to == merge->tables.numbers)
		return fail_numbers(merge);
	if (check_fit(merge, input, to) != DMTRACE_OK)
		return merge->op->error.status;
	merge->tables.used[to] = USED_BY_RECORDS;
	return dmt_merge_map_set(&input->threads, index, to + 1) ?
	    DMTRACE_OK : dmt_error_memory(&merge->op->error);
}

/* The merger has unwrapped times of 32 bits, but those of the output do not
 * wrap: what looks like a wrap is a step back by more than half of them. */
void
dmt_merge_threads_follow(struct dmt_merge *merge,
    const struct dmt_batch *batch)
{
	struct dmt_merge_united *const united = &merge->united;
	const uint64_t wrap_ns = dmt_layout_has_ns(&merge->layout) ?
	    UINT64_MAX : UINT64_C(1000) << 32;

	for (size_t i = 0; i < batch->count; i++) {
		struct dmt_merge_last *const last =
		    &united->lasts[batch->thread[i]];
		const struct dmt_merge_last now = {
			.cpu_ns = batch->cpu_ns[i] % wrap_ns,
			.wall_ns = batch->wall_ns[i] % wrap_ns
		};
		const bool wall_back = now.wall_ns < last->wall_ns;

		if ((wall_back || now.cpu_ns < last->cpu_ns) &&
		    united->backs++ == 0) {
			united->thread = united->indexes.threads[
			    batch->thread[i]].number;
			united->is_wall = wall_back;
			united->from_ns = wall_back ? last->wall_ns :
			    last->cpu_ns;
			united->to_ns = wall_back ? now.wall_ns : now.cpu_ns;
		}
		*last = now;
	}
}

enum dmtrace_status
dmt_merge_threads_check(struct dmt_merge *merge)
{
	const struct dmt_merge_united *const united = &merge->united;
	const bool has_ns = dmt_layout_has_ns(&merge->layout);
	const char *const unit = has_ns ? "ns" : "us";
	const unsigned unit_ns = has_ns ? 1 : 1000;
	uint64_t own = 0;

	for (size_t i = 0; i < merge->count; i++)
		own += dmt_reader_found(merge->inputs[i].reader,
		    DMT_TIME_BACK);
	if (united->backs <= own)
		return DMTRACE_OK;
	return dmt_error_set(&merge->op->error, DMTRACE_ERR_RANGE,
	    "thread %" PRIu32 " of several inputs: its %s times go back from"
	    " %" PRIu64 " %s to %" PRIu64 " %s%s; the mode \"keep\" keeps"
	    " the threads apart", united->thread,
	    united->is_wall ? "wall" : "CPU", united->from_ns / unit_ns, unit,
	    united->to_ns / unit_ns, unit,
	    united->is_wall && merge->result.by_time ? ", as the events"
	    " of an input are not in the order of time, which \"dmtrace sort\""
	    " puts them in" : "");
}

void
dmt_merge_united_fini(struct dmt_merge_united *united)
{
	dmt_indexes_fini(&united->indexes);
}
