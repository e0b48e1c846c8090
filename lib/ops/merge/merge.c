/* merge.c - merges several traces */

/*
 * The inputs are opened one after the other. The options, threads and methods
 * of each are added to those of the output (merge_options.c, merge_threads.c,
 * merge_methods.c), and a map from its indexes to the output is stored; then
 * its key is freed, and its file is closed until its records are read. When
 * all inputs are known, the output is planned: the version, the clocks, and
 * how much the times of each input are shifted (merge_plan.c). The key is
 * complete before the first record, so that records need not be stored. If it
 * states the number of records, those of each input are counted when it is
 * opened. A pipe is read only once, and not counted; the key then does not
 * state the number. Finally a stage (merge_input.c) converts the events of
 * each input to records of the output, the merger (merger.c) puts these in
 * order, and they are written. Pieces of one trace are joined instead
 * (rejoin.c), as soon as all inputs are known.
 */

#include "ops/merge/merge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/file.h"
#include "ops/merge/merger.h"
#include "private/select.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* A dmtrace_progress_fn for one input, which reports the sum over all
 * inputs. */
static int
add_progress(void *context, uint64_t done, uint64_t total)
{
	struct dmt_merge_input *const input = context;
	struct dmt_merge *const merge = input->merge;

	(void)total;
	merge->done += done - input->done;
	input->done = done;
	return merge->op->progress == NULL ? 0 : merge->op->progress(
	    merge->op->progress_context, merge->done, merge->total);
}

/* Opens the inputs, and adds their tables to those of the output. */
static enum dmtrace_status
add_inputs(struct dmt_merge *merge, const struct dmtrace_merge_input *asked)
{
	const struct dmtrace_op *const op = merge->op;
	bool known = true, files = true;
	uint64_t total = 0;

	for (size_t i = 0; i < merge->count; i++) {
		struct dmt_merge_input *const input = &merge->inputs[i];

		input->merge = merge;
		input->asked = &asked[i];
		if (dmt_merge_input_open(input) != DMTRACE_OK)
			return op->error.status;
		const struct dmtrace_key *const key =
		    dmtrace_reader_key(input->reader);
		if (dmt_merge_options_add(merge, input, key) != DMTRACE_OK ||
		    dmt_merge_threads_add(merge, input, key) != DMTRACE_OK ||
		    dmt_merge_methods_add(merge, input, key) != DMTRACE_OK)
			return op->error.status;

		/* Count the records if the key, which is written first, will
		 * state their number. Then the key is freed, and the file
		 * closed until its records are read. */
		dmt_source_set_progress(input->source, add_progress, input);
		files = files && input->is_file &&
		    input->format.dialect->has_records;
		input->has_records = files && dmt_merge_options_count(merge);
		if ((input->has_records &&
		    dmt_input_count(input->source, &input->records) !=
		    DMTRACE_OK) || dmt_input_narrow(input->source,
		    &merge->pool, dmt_merger_events(merge->count)) !=
		    DMTRACE_OK)
			return dmt_merge_fail(merge, input,
			    &input->source->error);
		known = known && input->size > 0;
		total += input->source->passes * input->size;
		if (!dmt_merge_input_adopt(input))
			return dmt_error_memory(&merge->op->error);
	}
	for (size_t i = 0; i < merge->count; i++)
		merge->result.pieces += merge->inputs[i].piece_id != 0;
	merge->total = known ? total : 0;
	merge->tables.numbers = dmt_merge_is_wide(merge) ?
	    DMT_MERGE_NUMBERS_V2 : DMT_MERGE_NUMBERS;
	return DMTRACE_OK;
}

/* Returns true if all inputs are pieces of one trace, made by one split. */
static bool
are_pieces_of_one(const struct dmt_merge *merge)
{
	for (size_t i = 0; i < merge->count; i++)
		if (merge->inputs[i].piece_id == 0 ||
		    merge->inputs[i].piece_id != merge->inputs[0].piece_id)
			return false;
	return true;
}

/* Joins the inputs, which are pieces of one trace. Merged as traces of their
 * own, they would have each thread once for each piece. */
static enum dmtrace_status
rejoin_inputs(struct dmt_merge *merge)
{
	const struct dmtrace_merge_options *const options = &merge->options;
	struct dmtrace_op *const op = merge->op;
	bool asks_more = options->dialect != 0 || options->strict ||
	    options->threads != DMTRACE_THREADS_KEEP ||
	    options->align != DMTRACE_ALIGN_AUTO;

	for (size_t i = 0; i < merge->count; i++) {
		const struct dmtrace_merge_input *const asked =
		    merge->inputs[i].asked;

		asks_more |= asked->offset_ns != 0 ||
		    (asked->prefix != NULL && !options->prefix_shared);
	}
	if (asks_more)
		return dmt_error_set(&op->error, DMTRACE_ERR_FOREIGN,
		    "the inputs are pieces of one trace: join them with"
		    " \"dmtrace merge --rejoin\", which takes no options of a"
		    " merge, and use these on its output");

	const char **const paths = dmt_array_new(merge->count, sizeof(*paths));
	if (paths == NULL)
		return dmt_error_memory(&op->error);
	for (size_t i = 0; i < merge->count; i++) {
		struct dmtrace_error error = { 0 };

		paths[i] = merge->inputs[i].asked->file.path;
		if (paths[i] != NULL && merge->inputs[i].is_file)
			continue;
		dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "is a piece of a"
		    " trace, as all inputs are; a pipe cannot be joined, as"
		    " pieces are read twice: name the files");
		dmt_merge_fail(merge, &merge->inputs[i], &error);
		break;
	}
	if (op->error.status == DMTRACE_OK)
		dmt_join_pieces(op, paths, merge->count, merge->out_file,
		    merge->options.flags, &merge->result.exact);
	merge->result.rejoined = 1;
	free(paths);
	return op->error.status;
}

/* Writes the events of all inputs in order. The writer's key is complete. */
static enum dmtrace_status
write_merged(struct dmt_merge *merge)
{
	struct dmtrace_op *const op = merge->op;
	struct dmt_indexes *const united = &merge->united.indexes;
	const bool unites = merge->options.threads == DMTRACE_THREADS_UNION;
	const unsigned columns = dmt_writer_columns(merge->writer) | (!unites ?
	    0 : DMT_COLUMN_THREAD | DMT_COLUMN_CPU | DMT_COLUMN_WALL);
	struct dmtrace_source **const sources =
	    dmt_array_new(merge->count, sizeof(struct dmtrace_source *));
	struct dmt_batch *batch;

	if (sources == NULL || (columns != 0 && !dmt_indexes_init(united,
	    merge->tables.key, &merge->layout))) {
		free(sources);
		return dmt_error_memory(&op->error);
	}
	for (size_t i = 0; i < merge->count; i++) {
		sources[i] = merge->inputs[i].source;
		merge->inputs[i].source = NULL;	/* now owned by the merger */
	}
	merge->merger = dmt_merger_new(sources, merge->count,
	    merge->tables.key, &merge->layout, united);
	free(sources);
	if (merge->merger == NULL)
		return dmt_error_memory(&op->error);
	dmt_attach(merge->merger, &merge->united.lasts, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*merge->united.lasts) });
	dmt_want(merge->merger, columns);
	dmt_writer_copy_records(merge->writer);
	for (;;) {
		if (dmt_pull(merge->merger, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, NULL, &merge->merger->error);
		if (batch == NULL)
			return dmt_merge_threads_check(merge);
		if (unites)
			dmt_merge_threads_follow(merge, batch);
		if (dmt_writer_put(merge->writer, merge->merger, batch) !=
		    DMTRACE_OK)
			return dmt_op_fail(op, merge->out_file,
			    dmtrace_writer_error(merge->writer));
	}
}

static enum dmtrace_status
run_merge(struct dmt_merge *merge, const struct dmtrace_merge_input *asked)
{
	struct dmtrace_op *const op = merge->op;
	const struct dmtrace_file *const out = merge->out_file;
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	merge->writer = writer;
	merge->inputs = dmt_array_new(merge->count, sizeof(*merge->inputs));
	merge->tables.used = dmt_array_new(DMT_MERGE_NUMBERS_V2, 1);
	if (writer == NULL || merge->inputs == NULL ||
	    merge->tables.used == NULL || !dmt_pool_init(&merge->pool) ||
	    !dmt_indexes_init(&merge->indexes, NULL, NULL))
		return dmt_error_memory(&op->error);
	merge->tables.key = dmtrace_writer_key(writer);
	if (merge->asked.dialect != NULL)
		for (uint32_t i = 0; i < merge->asked.dialect->first_thread;
		    i++)
			merge->tables.used[i] = true;	/* of no use */

	/* Plan the output, and make its key. */
	if (add_inputs(merge, asked) != DMTRACE_OK)
		return op->error.status;
	if (are_pieces_of_one(merge))
		return rejoin_inputs(merge);
	if (dmt_merge_threads_place(merge) != DMTRACE_OK ||
	    dmt_merge_plan(merge) != DMTRACE_OK ||
	    dmt_merge_threads_list(merge) != DMTRACE_OK ||
	    dmt_merge_options_list(merge) != DMTRACE_OK)
		return op->error.status;
	if (dmt_file_open_writer(op, writer, out) != DMTRACE_OK ||
	    dmtrace_writer_complete(writer) != DMTRACE_OK)
		return dmt_op_fail(op, out, dmtrace_writer_error(writer));

	/* Write its events, and the key if it is the last packet. */
	if (write_merged(merge) != DMTRACE_OK ||
	    (dmt_writer_key_is_last(writer) &&
	    dmt_merge_options_set_count(merge) != DMTRACE_OK))
		return op->error.status;
	if (dmtrace_writer_close(writer) != DMTRACE_OK)
		return dmt_op_fail(op, out, dmtrace_writer_error(writer));

	merge->result.renamed = merge->tables.renamed;
	merge->result.names_dropped = merge->tables.names_dropped;
	merge->result.named = merge->tables.named;
	for (size_t i = 0; i < merge->count; i++)
		dmt_merge_input_report(&merge->inputs[i]);
	return DMTRACE_OK;
}

/*
 * Returns true if the merge should be tried again with a higher version: the
 * records had a thread that no table lists, and the version had no number left
 * for it. This requires that the inputs can be read again and the output was
 * not written yet.
 */
static bool
needs_higher_version(const struct dmt_merge *merge)
{
	if (!merge->too_narrow || !dmt_writer_is_temporary(merge->writer))
		return false;
	for (size_t i = 0; i < merge->count; i++)
		if (!merge->inputs[i].is_file)
			return false;
	return true;
}

static void
fini_merge(struct dmt_merge *merge)
{
	dmtrace_source_free(merge->merger);
	for (size_t i = 0; merge->inputs != NULL && i < merge->count; i++)
		dmt_merge_input_fini(&merge->inputs[i]);
	dmt_pool_fini(&merge->pool);
	dmt_indexes_fini(&merge->indexes);
	dmt_merge_tables_fini(&merge->tables);
	dmt_merge_united_fini(&merge->united);
	dmtrace_writer_free(merge->writer);
	free(merge->common);
	free(merge->inputs);
}

enum dmtrace_status
dmtrace_merge(struct dmtrace_op *op, const struct dmtrace_merge_input *inputs,
    size_t count, const struct dmtrace_file *out,
    const struct dmtrace_merge_options *given,
    struct dmtrace_merge_result *result)
{
	struct dmtrace_merge_options options = { 0 };
	struct dmt_trace_format asked = { .dialect = NULL };
	enum dmtrace_status status;
	bool repeats = false;

	if (dmt_op_begin_call(op, __func__, out == NULL ||
	    (inputs == NULL && count > 0)) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (given != NULL)
		options = *given;
	if (dmt_op_check_flags(op, __func__, options.flags, DMTRACE_SYNC) !=
	    DMTRACE_OK)
		return op->error.status;
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "there is no trace to merge");
	if (options.dialect != 0 && dmt_format_choose(&asked, options.dialect,
	    DMTRACE_STAGE_ANY, DMTRACE_CLOCK_MISSING, NULL, &op->error) !=
	    DMTRACE_OK)
		return op->error.status;
	if ((unsigned)options.threads > DMTRACE_THREADS_UNION ||
	    (unsigned)options.align > DMTRACE_ALIGN_NONE)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "unknown value of threads or align");
	for (size_t i = 0; i < count; i++)
		if (inputs[i].offset_ns % 1000 != 0)
			return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "an offset of %" PRId64 " ns; times are whole"
			    " microseconds", inputs[i].offset_ns);

	/* Merge, and if necessary once more with a higher version. */
	do {
		struct dmt_merge merge = {
			.op = op,
			.out_file = out,
			.options = options,
			.asked = asked,
			.count = count,
			.again = repeats
		};

		if (repeats)
			dmt_op_begin(op);
		status = run_merge(&merge, inputs);
		repeats = !repeats && needs_higher_version(&merge);
		if (status == DMTRACE_OK && result != NULL)
			*result = merge.result;
		fini_merge(&merge);
	} while (repeats);
	return status;
}
