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

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/file.h"
#include "ops/merge/merge_plan.h"
#include "ops/merge/merge_united.h"
#include "ops/merge/merger.h"
#include "ops/merge/rejoin.h"
#include "private/select.h"
#include "trace/reader.h"
#include "trace/writer.h"

struct merge {
	struct dmt_merge_plan plan;
	const struct dmtrace_file *out;
	struct dmtrace_writer *writer;
	struct dmt_arena arena;		/* memory for names */
	struct dmt_pool pool;		/* the open files of the inputs */
	struct dmt_indexes shared;	/* of all inputs; without rows */
	struct dmt_indexes indexes;	/* of the output */
	struct dmtrace_source *merger;
	struct dmt_merge_progress all;
};

/* A dmtrace_progress_fn for one input, which reports the sum over all
 * inputs. */
static int
add_progress(void *context, uint64_t done, uint64_t total)
{
	struct dmt_merge_input *const input = context;
	const struct dmtrace_op *const op = input->op;

	(void)total;
	input->all->done += done - input->done;
	input->done = done;
	return op->progress == NULL ? 0 : op->progress(op->progress_context,
	    input->all->done, input->all->total);
}

/* Opens the inputs, and adds their tables to those of the output. */
static enum dmtrace_status
add_inputs(struct merge *merge, const struct dmtrace_merge_input *asked)
{
	struct dmt_merge_plan *const plan = &merge->plan;
	struct dmt_merge_output *const output = &plan->output;
	struct dmtrace_op *const op = plan->op;
	bool known = true, files = true;
	uint64_t total = 0;

	for (size_t i = 0; i < plan->count; i++) {
		struct dmt_merge_input *const input = &plan->inputs[i];

		input->op = op;
		input->all = &merge->all;
		input->asked = &asked[i];
		if (dmt_merge_input_open(input, &merge->shared, plan->again) !=
		    DMTRACE_OK || dmt_merge_common_add(&plan->common,
		    dmtrace_reader_key(input->reader)) != DMTRACE_OK ||
		    dmt_merge_threads_add(&output->threads, input) !=
		    DMTRACE_OK || dmt_merge_methods_add(&output->methods,
		    input) != DMTRACE_OK)
			return op->error.status;

		/* Count the records if the key, which is written first, will
		 * state their number. Then the key is freed, and the file
		 * closed until its records are read. */
		dmt_source_set_progress(input->source, add_progress, input);
		files = files && input->is_file &&
		    input->format.dialect->has_records;
		input->has_records = files &&
		    dmt_merge_common_counts(&plan->common);
		if ((input->has_records &&
		    dmt_input_count(input->source, &input->records) !=
		    DMTRACE_OK) || dmt_input_narrow(input->source,
		    &merge->pool, dmt_merger_events(plan->count)) !=
		    DMTRACE_OK)
			return dmt_merge_input_fail(input,
			    &input->source->error);
		known = known && input->size > 0;
		total += input->source->passes * input->size;
		if (!dmt_merge_input_adopt(input, output))
			return dmt_error_memory(&op->error);
		output->result.pieces += input->piece_id != 0;
	}
	dmt_merge_methods_end(&output->methods);
	merge->all.total = known ? total : 0;
	return DMTRACE_OK;
}

/* Returns true if all inputs are pieces of one trace, made by one split. */
static bool
are_pieces_of_one(const struct dmt_merge_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->inputs[i].piece_id == 0 ||
		    plan->inputs[i].piece_id != plan->inputs[0].piece_id)
			return false;
	return true;
}

/* Joins the inputs, which are pieces of one trace. Merged as traces of their
 * own, they would have each thread once for each piece. */
static enum dmtrace_status
rejoin_inputs(struct dmt_merge_plan *plan, const struct dmtrace_file *out)
{
	const struct dmtrace_merge_options *const options = &plan->options;
	struct dmtrace_op *const op = plan->op;
	bool asks_more = options->dialect != 0 || options->strict ||
	    options->threads != DMTRACE_THREADS_KEEP ||
	    options->align != DMTRACE_ALIGN_AUTO;

	for (size_t i = 0; i < plan->count; i++) {
		const struct dmtrace_merge_input *const asked =
		    plan->inputs[i].asked;

		asks_more |= asked->offset_ns != 0 ||
		    (asked->prefix != NULL && !options->prefix_shared);
	}
	if (asks_more)
		return dmt_error_set(&op->error, DMTRACE_ERR_FOREIGN,
		    "the inputs are pieces of one trace: join them with"
		    " \"dmtrace merge --rejoin\", which takes no options of a"
		    " merge, and use these on its output");

	const char **const paths = dmt_array_new(plan->count, sizeof(*paths));
	if (paths == NULL)
		return dmt_error_memory(&op->error);
	for (size_t i = 0; i < plan->count; i++) {
		struct dmtrace_error error = { 0 };

		paths[i] = plan->inputs[i].asked->file.path;
		if (paths[i] != NULL && plan->inputs[i].is_file)
			continue;
		dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "is a piece of a"
		    " trace, as all inputs are; a pipe cannot be joined, as"
		    " pieces are read twice: name the files");
		dmt_merge_input_fail(&plan->inputs[i], &error);
		break;
	}
	if (op->error.status == DMTRACE_OK)
		dmt_join_pieces(op, paths, plan->count, out,
		    plan->options.flags, &plan->output.result.exact);
	plan->output.result.rejoined = 1;
	free(paths);
	return op->error.status;
}

/* Writes the events of all inputs in order. The writer's key is complete. */
static enum dmtrace_status
write_merged(struct merge *merge, const struct dmtrace_key *key)
{
	struct dmt_merge_plan *const plan = &merge->plan;
	struct dmt_merge_output *const output = &plan->output;
	struct dmtrace_op *const op = plan->op;
	const bool unites = plan->options.threads == DMTRACE_THREADS_UNION;
	const unsigned columns = dmt_writer_columns(merge->writer) | (!unites ?
	    0 : DMT_COLUMN_THREAD | DMT_COLUMN_CPU | DMT_COLUMN_WALL);
	struct dmtrace_source **const sources =
	    dmt_array_new(plan->count, sizeof(struct dmtrace_source *));
	struct dmt_merge_united united = { .merger = NULL };
	struct dmt_batch *batch;
	uint64_t own = 0;

	if (sources == NULL || (columns != 0 && !dmt_indexes_init(
	    &merge->indexes, key, &output->layout))) {
		free(sources);
		return dmt_error_memory(&op->error);
	}
	for (size_t i = 0; i < plan->count; i++) {
		sources[i] = plan->inputs[i].source;
		plan->inputs[i].source = NULL;	/* now owned by the merger */
	}
	merge->merger = dmt_merger_new(sources, plan->count, key,
	    &output->layout, &merge->indexes);
	free(sources);
	if (merge->merger == NULL)
		return dmt_error_memory(&op->error);
	if (unites)
		dmt_merge_united_init(&united, merge->merger);
	dmt_want(merge->merger, columns);
	dmt_writer_copy_records(merge->writer);
	for (;;) {
		if (dmt_pull(merge->merger, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, NULL, &merge->merger->error);
		if (batch == NULL)
			break;
		if (unites)
			dmt_merge_united_follow(&united, batch);
		if (dmt_writer_put(merge->writer, merge->merger, batch) !=
		    DMTRACE_OK)
			return dmt_op_fail(op, merge->out,
			    dmtrace_writer_error(merge->writer));
	}
	if (!unites)
		return DMTRACE_OK;
	for (size_t i = 0; i < plan->count; i++)
		own += dmt_reader_found(plan->inputs[i].reader, DMT_TIME_BACK);
	return dmt_merge_united_check(&united, own, output->result.by_time,
	    &op->error);
}

static enum dmtrace_status
run_merge(struct merge *merge, const struct dmtrace_merge_input *asked)
{
	struct dmt_merge_plan *const plan = &merge->plan;
	struct dmt_merge_output *const output = &plan->output;
	struct dmtrace_op *const op = plan->op;
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	uint32_t highest;

	merge->writer = writer;
	plan->inputs = dmt_array_new(plan->count, sizeof(*plan->inputs));
	plan->common.op = op;
	plan->common.arena = &merge->arena;
	output->methods.op = op;
	output->methods.arena = &merge->arena;
	output->methods.free_id = 4;
	dmt_merge_threads_init(&output->threads, op, &merge->arena,
	    &plan->options, plan->asked.dialect == NULL ? 0 :
	    plan->asked.dialect->first_thread);
	if (writer == NULL || plan->inputs == NULL ||
	    !dmt_pool_init(&merge->pool) ||
	    !dmt_indexes_init(&merge->shared, NULL, NULL))
		return dmt_error_memory(&op->error);
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	output->methods.key = key;

	/* Plan the output, and make its key. */
	if (add_inputs(merge, asked) != DMTRACE_OK)
		return op->error.status;
	if (are_pieces_of_one(plan))
		return rejoin_inputs(plan, merge->out);
	if (dmt_merge_threads_place(&output->threads,
	    dmt_merge_plan_is_wide(plan) ? DMT_MERGE_NUMBERS_V2 :
	    DMT_MERGE_NUMBERS, &highest) != DMTRACE_OK ||
	    dmt_merge_plan_make(plan, writer, highest) != DMTRACE_OK ||
	    dmt_merge_threads_list(&output->threads, &output->layout, key) !=
	    DMTRACE_OK || dmt_merge_common_list(&plan->common, plan->inputs,
	    dmt_merge_plan_misleads(plan), key) != DMTRACE_OK)
		return op->error.status;
	if (dmt_file_open_writer(op, writer, merge->out) != DMTRACE_OK ||
	    dmtrace_writer_complete(writer) != DMTRACE_OK)
		return dmt_op_fail(op, merge->out,
		    dmtrace_writer_error(writer));

	/* Write its events, and the key if it is the last packet. */
	if (write_merged(merge, key) != DMTRACE_OK ||
	    (dmt_writer_key_is_last(writer) &&
	    dmt_merge_common_set_count(&plan->common, output->result.events,
	    key) != DMTRACE_OK))
		return op->error.status;
	if (dmtrace_writer_close(writer) != DMTRACE_OK)
		return dmt_op_fail(op, merge->out,
		    dmtrace_writer_error(writer));

	output->result.renamed = output->threads.renamed +
	    output->methods.renamed;
	output->result.names_dropped = output->threads.names_dropped;
	output->result.prefixed = output->threads.prefixed;
	output->result.named = output->methods.named;
	for (size_t i = 0; i < plan->count; i++)
		dmt_merge_input_report(&plan->inputs[i]);
	return DMTRACE_OK;
}

/*
 * Returns true if the merge should be tried again with a higher version: the
 * records had a thread that no table lists, and the version had no number left
 * for it. This requires that the caller asked for no dialect, the inputs can be
 * read again and the output was not written yet.
 */
static bool
needs_higher_version(const struct merge *merge)
{
	const struct dmt_merge_plan *const plan = &merge->plan;

	if (!plan->output.threads.too_narrow || plan->asked.dialect != NULL ||
	    !dmt_writer_is_temporary(merge->writer))
		return false;
	for (size_t i = 0; i < plan->count; i++)
		if (!plan->inputs[i].is_file)
			return false;
	return true;
}

static void
fini_merge(struct merge *merge)
{
	struct dmt_merge_plan *const plan = &merge->plan;

	dmtrace_source_free(merge->merger);
	for (size_t i = 0; plan->inputs != NULL && i < plan->count; i++)
		dmt_merge_input_fini(&plan->inputs[i]);
	dmt_pool_fini(&merge->pool);
	dmt_indexes_fini(&merge->shared);
	dmt_indexes_fini(&merge->indexes);
	dmt_merge_threads_fini(&plan->output.threads);
	dmt_merge_methods_fini(&plan->output.methods);
	dmt_merge_common_fini(&plan->common);
	dmtrace_writer_free(merge->writer);
	dmt_arena_fini(&merge->arena);
	free(plan->inputs);
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
		struct merge merge = {
			.plan = {
				.op = op,
				.options = options,
				.asked = asked,
				.count = count,
				.again = repeats
			},
			.out = out
		};

		if (repeats)
			dmt_op_begin(op);
		status = run_merge(&merge, inputs);
		repeats = !repeats && needs_higher_version(&merge);
		if (status == DMTRACE_OK && result != NULL)
			*result = merge.plan.output.result;
		fini_merge(&merge);
	} while (repeats);
	return status;
}
