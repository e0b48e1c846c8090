/* merge.c - several traces to one */

#include "ops/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "ops/file.h"
#include "trace/reader.h"
#include "trace/writer.h"

enum { OPEN_MAX_FILES = 256 };

void
dmtrace_merge_options_init(struct dmtrace_merge_options *options)
{
	*options = (struct dmtrace_merge_options){
		.size = sizeof(*options),
		.threads = DMTRACE_THREADS_KEEP,
		.align = DMTRACE_ALIGN_AUTO
	};
}

static struct dmtrace_merge_options
with_defaults(const struct dmtrace_merge_options *options)
{
	struct dmtrace_merge_options all;

	dmtrace_merge_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	return all;
}

static enum dmtrace_status
check(struct dmtrace_op *op, const struct dmtrace_merge_input *inputs,
    size_t count, const struct dmtrace_merge_options *options)
{
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "there is no trace to merge");
	if (options->version > 3)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "version %u; there are versions 1 to 3",
		    options->version);
	if ((unsigned)options->threads > DMTRACE_THREADS_UNION ||
	    (unsigned)options->align > DMTRACE_ALIGN_NONE)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "there is no such way to merge threads or to align");
	for (size_t i = 0; i < count; i++)
		if (inputs[i].offset_ns % 1000 != 0)
			return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "an offset of %" PRId64 " ns; times are whole"
			    " microseconds", inputs[i].offset_ns);
	return DMTRACE_OK;
}

/* Hands an input's findings on. */
struct teller {
	struct dmtrace_op *op;
	const struct dmtrace_file *file;
};

static void
tell(void *context, const struct dmtrace_finding *finding)
{
	const struct teller *const teller = context;
	const struct dmt_findings *const findings =
	    dmt_op_findings(teller->op, teller->file);

	if (findings->report != NULL)
		findings->report(findings->context, finding);
}

static enum dmtrace_status
add_tables(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key)
{
	if (dmt_merge_options_add(merge, input, key) != DMTRACE_OK ||
	    dmt_merge_threads_add(merge, input, key) != DMTRACE_OK)
		return merge->op->error.status;
	return dmt_merge_methods_add(merge, input, key);
}

/* Its key is there until that of the next one is. */
static enum dmtrace_status
add_input(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	struct teller teller = { merge->op, &input->asked->file };
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	if (reader == NULL)
		return dmt_error_memory(&merge->op->error);
	dmt_reader_follow(reader, &merge->legacy);
	if (!merge->again)
		dmtrace_reader_set_report(reader, tell, &teller);
	enum dmtrace_status status =
	    dmt_merge_input_open(merge, input, reader);
	if (status == DMTRACE_OK)
		status = add_tables(merge, input, reader->key);
	if (input->reader == NULL)
		dmt_reader_leave(reader, &merge->legacy);
	else
		dmt_legacy_fini(&merge->legacy);
	return status;
}

static enum dmtrace_status
add_inputs(struct dmt_merge *merge)
{
	bool known = true;

	for (size_t i = 0; i < merge->count; i++) {
		struct dmt_merge_input *const input = &merge->inputs[i];

		if (add_input(merge, input) != DMTRACE_OK)
			return merge->op->error.status;
		known = known && input->size > input->offset;
		merge->total += input->size - input->offset;
	}
	dmt_legacy_fini(&merge->legacy);
	if (!known)
		merge->total = 0;
	return dmt_merge_threads_place(merge);
}

/* Half of the descriptors that the process may have are left to others. */
static bool
make_pool(struct dmt_merge *merge)
{
	struct dmt_merge_pool *const pool = &merge->pool;
	struct rlimit limit;

	pool->most = OPEN_MAX_FILES;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur / 2 < pool->most)
		pool->most = (size_t)limit.rlim_cur / 2;
	if (pool->most == 0)
		pool->most = 1;
	pool->open = dmt_array_new(pool->most, sizeof(*pool->open));
	pool->buffer = malloc(DMT_BLOCK_SIZE);
	return pool->open != NULL && pool->buffer != NULL;
}

static bool
make_inputs(struct dmt_merge *merge, const struct dmtrace_merge_input *inputs)
{
	merge->inputs = dmt_array_new(merge->count, sizeof(*merge->inputs));
	if (merge->inputs == NULL)
		return false;
	for (size_t i = 0; i < merge->count; i++) {
		merge->inputs[i].asked = &inputs[i];
		merge->inputs[i].fd = -1;
	}
	return true;
}

static bool
begin(struct dmt_merge *merge, const struct dmtrace_merge_input *inputs)
{
	if (!make_inputs(merge, inputs))
		return false;
	merge->writer = dmtrace_writer_new();
	if (merge->writer == NULL || !make_pool(merge))
		return false;
	merge->tables.key = dmtrace_writer_key(merge->writer);
	return true;
}

static enum dmtrace_status
open_output(struct dmt_merge *merge)
{
	const struct dmtrace_file *const out = merge->out_file;
	struct dmtrace_writer *const writer = merge->writer;
	const enum dmtrace_status status = out->path == NULL ?
	    dmtrace_writer_open_fd(writer, out->fd) :
	    dmtrace_writer_open_path(writer, out->path);

	return status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_op_fail(merge->op, out, dmtrace_writer_error(writer));
}

static enum dmtrace_status
finish(struct dmt_merge *merge)
{
	if (dmtrace_writer_close(merge->writer) != DMTRACE_OK)
		return dmt_op_fail(merge->op, merge->out_file,
		    dmtrace_writer_error(merge->writer));
	for (size_t i = 0; i < merge->count; i++)
		dmt_merge_input_tell(merge, &merge->inputs[i]);
	return DMTRACE_OK;
}

/* Of all inputs; 0: not known. */
static uint64_t
count_records(const struct dmt_merge *merge)
{
	uint64_t records = 0;

	for (size_t i = 0; i < merge->count && merge->total > 0; i++) {
		const struct dmt_merge_input *const input = &merge->inputs[i];

		records += (input->size - input->offset) /
		    input->layout.record_size;
	}
	return records;
}

/* The key is complete before the first record, so that none has to wait. */
static enum dmtrace_status
run(struct dmt_merge *merge)
{
	if (add_inputs(merge) != DMTRACE_OK ||
	    dmt_merge_plan(merge) != DMTRACE_OK ||
	    dmt_merge_threads_list(merge) != DMTRACE_OK ||
	    dmt_merge_options_list(merge) != DMTRACE_OK ||
	    open_output(merge) != DMTRACE_OK)
		return merge->op->error.status;
	if (dmtrace_writer_complete(merge->writer) != DMTRACE_OK)
		return dmt_op_fail(merge->op, merge->out_file,
		    dmtrace_writer_error(merge->writer));
	dmt_writer_expect(merge->writer, count_records(merge));
	if (dmt_merge_records(merge) != DMTRACE_OK)
		return merge->op->error.status;
	merge->result.renamed = merge->tables.renamed;
	merge->result.named = merge->tables.named;
	return dmt_merge_threads_check(merge) != DMTRACE_OK ?
	    merge->op->error.status : finish(merge);
}

static void
fini(struct dmt_merge *merge)
{
	for (size_t i = 0; merge->inputs != NULL && i < merge->count; i++)
		dmt_merge_input_fini(&merge->inputs[i]);
	dmt_legacy_fini(&merge->legacy);
	dmt_merge_tables_fini(&merge->tables);
	dmt_clocks_free(merge->united.clocks);
	dmtrace_writer_free(merge->writer);
	free(merge->common);
	free(merge->pool.open);
	free(merge->pool.buffer);
	free(merge->inputs);
	free(merge);
}

/* Whether nothing of the inputs and the output is gone. */
static bool
can_repeat(const struct dmt_merge *merge)
{
	if (merge->writer->sink.temporary == NULL)
		return false;
	for (size_t i = 0; i < merge->count; i++)
		if (merge->inputs[i].path == NULL)
			return false;
	return true;
}

/* DMTRACE_END: again, for the records have threads that no table lists and
 * version 1 cannot number. */
static enum dmtrace_status
attempt(const struct dmt_merge *asked,
    const struct dmtrace_merge_input *inputs,
    struct dmtrace_merge_result *result)
{
	struct dmt_merge *const merge = malloc(sizeof(*merge));

	if (merge == NULL)
		return dmt_error_memory(&asked->op->error);
	*merge = *asked;
	enum dmtrace_status status = begin(merge, inputs) ? run(merge) :
	    dmt_error_memory(&merge->op->error);
	if (status == DMTRACE_OK)
		*result = merge->result;
	else if (merge->too_narrow && can_repeat(merge))
		status = DMTRACE_END;
	fini(merge);
	return status;
}

static void
hand_out(struct dmtrace_merge_result *result,
    const struct dmtrace_merge_result *made)
{
	const size_t size = result->size;

	memcpy(result, made, size < sizeof(*made) ? size : sizeof(*made));
	result->size = size;
}

enum dmtrace_status
dmtrace_merge(struct dmtrace_op *op, const struct dmtrace_merge_input *inputs,
    size_t count, const struct dmtrace_file *out,
    const struct dmtrace_merge_options *options,
    struct dmtrace_merge_result *result)
{
	struct dmt_merge *const asked = calloc(1, sizeof(*asked));
	struct dmtrace_merge_result made;

	dmt_op_begin(op);
	if (asked == NULL)
		return dmt_error_memory(&op->error);
	asked->op = op;
	asked->out_file = out;
	asked->options = with_defaults(options);
	asked->count = count;
	enum dmtrace_status status =
	    check(op, inputs, count, &asked->options);
	if (status == DMTRACE_OK)
		status = attempt(asked, inputs, &made);
	if (status == DMTRACE_END) {
		dmt_op_begin(op);
		asked->again = true;
		status = attempt(asked, inputs, &made);
	}
	free(asked);
	if (status == DMTRACE_OK && result != NULL)
		hand_out(result, &made);
	return status;
}
