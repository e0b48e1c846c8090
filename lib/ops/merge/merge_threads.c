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
 */

#include "ops/merge/merge_threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/merge/merge_methods.h"
#include "private/key.h"
#include "private/text.h"

enum { USED_BY_ROW = 1, USED_BY_RECORDS = 2 };

void
dmt_merge_threads_init(struct dmt_merge_threads *threads,
    struct dmtrace_op *op, struct dmt_arena *arena,
    const struct dmtrace_merge_options *options, uint32_t first)
{
	*threads = (struct dmt_merge_threads){
		.op = op,
		.arena = arena,
		.mode = options->threads,
		.prefix_shared = options->prefix_shared,
		.free_number = 1,
		.first = first
	};
}

void
dmt_merge_threads_fini(struct dmt_merge_threads *threads)
{
	dmt_idmap_fini(&threads->wanted);
	dmt_idmap_fini(&threads->used);
	free(threads->rows);
}

/* Returns who uses a number: USED_BY_ROW, USED_BY_RECORDS, or 0: it is free. */
static uint32_t
user_of(const struct dmt_merge_threads *threads, uint32_t number)
{
	const uint32_t *const user = dmt_idmap_find(&threads->used, number);

	return number < threads->first ? USED_BY_ROW :
	    user == NULL ? 0 : *user;
}

/* false: no memory. */
static bool
use_number(struct dmt_merge_threads *threads, uint32_t number, uint32_t user)
{
	uint32_t *const at = dmt_idmap_at(&threads->used, number);

	if (at != NULL)
		*at = user;
	return at != NULL;
}

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
make_name(struct dmt_merge_threads *threads, const char *prefix,
    struct dmtrace_text *name)
{
	const size_t before = prefix == NULL ? 0 : strlen(prefix) + 1;
	char *const made = dmt_arena_alloc(threads->arena,
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
	return dmt_merge_mend(threads->arena, name, &threads->renamed);
}

/* Adds a row; its id stays if that is possible. false: no memory. */
static bool
add_thread_row(struct dmt_merge_threads *threads, struct dmt_merge_row *row)
{
	const size_t count = threads->row_count;
	struct dmt_merge_row *const rows = dmt_array_grow(threads->rows,
	    &threads->row_capacity, count + 1, sizeof(*rows));

	if (rows == NULL)
		return false;
	threads->rows = rows;
	if (!make_name(threads, threads->prefix_shared ? NULL :
	    row->input->asked->prefix, &row->name))
		return false;

	/* An earlier row with the same id and name may be the same thread. */
	row->same = count;
	if (threads->mode == DMTRACE_THREADS_UNION) {
		uint32_t *const first =
		    dmt_idmap_find(&threads->wanted, row->id);

		row->next = first == NULL ? 0 : *first;
		for (size_t at = row->next; at != 0 && row->same == count;
		    at = rows[at - 1].next)
			if (dmt_text_equal(rows[at - 1].name, row->name))
				row->same = at - 1;
		if (row->same == count && first != NULL)
			*first = (uint32_t)count + 1;
		else if (first == NULL && !dmt_idmap_add(&threads->wanted,
		    row->id, (uint32_t)count + 1))
			return false;
	}
	if (row->same == count && threads->mode != DMTRACE_THREADS_RENUMBER &&
	    user_of(threads, row->id) == 0) {
		row->placed = true;
		if (!use_number(threads, row->id, USED_BY_ROW))
			return false;
	}
	rows[threads->row_count++] = *row;
	return true;
}

/* Adds a row, and maps the thread to that row until rows have ids. false: no
 * memory. */
static bool
add_thread(struct dmt_merge_threads *threads, struct dmt_merge_input *input,
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
		threads->names_dropped +=
		    input->reader->definitions.named_count > 0;
		return true;
	}
	return add_thread_row(threads, &row) && dmt_merge_map_set(
	    &input->threads, index, (uint32_t)threads->row_count);
}

/* First the ids that records can have, then those that equal them modulo the
 * width of the field (dmtrace.5, THREADS). */
enum dmtrace_status
dmt_merge_threads_add(struct dmt_merge_threads *threads,
    struct dmt_merge_input *input)
{
	const struct dmtrace_key *const key =
	    dmtrace_reader_key(input->reader);
	const size_t count = dmtrace_key_thread_count(key);

	for (int wide = 0; wide < 2; wide++)
		for (size_t i = 0; i < count; i++) {
			const struct dmtrace_thread *const thread =
			    dmtrace_key_thread_get(key, i);
			const bool is_wide =
			    thread_field_of(input, thread->id) != thread->id;

			if (is_wide == wide &&
			    !add_thread(threads, input, thread))
				return dmt_error_memory(&threads->op->error);
		}
	return DMTRACE_OK;
}

/* Returns the lowest free number from 1 on; threads->numbers: none. */
static uint32_t
find_free_thread(struct dmt_merge_threads *threads)
{
	while (threads->free_number < threads->numbers &&
	    user_of(threads, threads->free_number) != 0)
		threads->free_number++;
	return threads->free_number;
}

static enum dmtrace_status
fail_numbers(struct dmt_merge_threads *threads)
{
	return dmt_error_set(&threads->op->error, DMTRACE_ERR_RANGE,
	    "there are more than %" PRIu32 " threads, which %s can number",
	    threads->numbers - 1, threads->numbers == DMT_MERGE_NUMBERS ?
	    "only version 4 or 5" : "no version");
}

enum dmtrace_status
dmt_merge_threads_place(struct dmt_merge_threads *threads, uint32_t numbers,
    uint32_t *highest)
{
	threads->numbers = numbers;
	*highest = 0;
	for (size_t i = 0; i < threads->row_count; i++) {
		struct dmt_merge_row *const row = &threads->rows[i];

		if (row->same != i)
			continue;
		if (!row->placed)
			row->id = find_free_thread(threads);
		if (row->id == numbers)
			return fail_numbers(threads);
		if (!use_number(threads, row->id, USED_BY_ROW))
			return dmt_error_memory(&threads->op->error);
		*highest = row->id > *highest ? row->id : *highest;
	}
	return DMTRACE_OK;
}

/* Fails if the thread's number does not fit the layout. */
static enum dmtrace_status
check_fit(struct dmt_merge_threads *threads,
    const struct dmt_merge_input *input, uint32_t number)
{
	const struct dmt_layout *const layout = threads->layout;
	struct dmtrace_error error = { .status = DMTRACE_OK };

	if (number < dmt_layout_thread_numbers(layout))
		return DMTRACE_OK;
	threads->too_narrow = true;
	dmt_error_set(&error, DMTRACE_ERR_RANGE, "thread %" PRIu32 " does not"
	    " fit version %u, which has 0 to %zu; version %s has it", number,
	    layout->version, dmt_layout_thread_numbers(layout) - 1,
	    number < DMT_MERGE_NUMBERS ? "2" : "4 or 5");
	return dmt_merge_input_fail(input, &error);
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
prefix_shared_names(struct dmt_merge_threads *threads)
{
	struct dmt_merge_row **const rows =
	    dmt_array_new(threads->row_count, sizeof(*rows));
	size_t count = 0, end;
	bool made = rows != NULL;

	for (size_t i = 0; made && i < threads->row_count; i++)
		if (threads->rows[i].same == i && threads->rows[i].name.len > 0)
			rows[count++] = &threads->rows[i];
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

			threads->prefixed += prefix != NULL;
			made = prefix == NULL ||
			    make_name(threads, prefix, &rows[i]->name);
		}
	}
	free(rows);
	return made;
}

enum dmtrace_status
dmt_merge_threads_list(struct dmt_merge_threads *threads,
    const struct dmt_layout *layout, struct dmtrace_key *key)
{
	threads->layout = layout;
	if (threads->prefix_shared && !prefix_shared_names(threads))
		return dmt_error_memory(&threads->op->error);

	for (size_t i = 0; i < threads->row_count; i++) {
		struct dmt_merge_row *const row = &threads->rows[i];
		const uint32_t id = threads->rows[row->same].id;

		row->input->threads.to[row->index] = id + 1;
		if (row->same != i)
			continue;
		if (check_fit(threads, row->input, id) != DMTRACE_OK)
			return threads->op->error.status;
		if (dmtrace_key_thread_add(key,
		    &(struct dmtrace_thread){ id, row->name }) != DMTRACE_OK)
			return dmt_op_fail(threads->op, NULL,
			    dmt_key_error(key));
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_threads_extend(struct dmt_merge_threads *threads,
    struct dmt_merge_input *input, size_t index)
{
	const uint32_t number = input->indexes->threads[index].number;
	const uint32_t user = user_of(threads, number);
	const bool keeps = threads->mode == DMTRACE_THREADS_UNION ?
	    user != USED_BY_ROW :
	    threads->mode == DMTRACE_THREADS_KEEP && user == 0;
	const uint32_t to = keeps ? number : find_free_thread(threads);

	if (to == threads->numbers)
		return fail_numbers(threads);
	if (check_fit(threads, input, to) != DMTRACE_OK)
		return threads->op->error.status;
	if (!use_number(threads, to, USED_BY_RECORDS) ||
	    !dmt_merge_map_set(&input->threads, index, to + 1))
		return dmt_error_memory(&threads->op->error);
	return DMTRACE_OK;
}
