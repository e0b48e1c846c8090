/* generate.c - a whole trace of made-up calls, through any writer */

/*
 * The key comes first: options as a VM writes them, threads, and methods with
 * the names that invent.c makes. The events are those of a source
 * (generator.c), copied to the writer like those of any other.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/generator.h"
#include "ops/invent.h"
#include "ops/op.h"
#include "private/key.h"
#include "trace/writer.h"

enum { DEPTH_MAX = 1048576 };	/* what readers take by default */

static struct dmtrace_generate_options
complete_generate_options(const struct dmtrace_generate_options *options)
{
	struct dmtrace_generate_options all = { 0 };

	if (options != NULL)
		all = *options;
	if (all.records == 0)
		all.records = 100000;
	else if (all.records == DMTRACE_GENERATE_NONE)
		all.records = 0;
	if (all.threads == 0)
		all.threads = 4;
	if (all.methods == 0)
		all.methods = 200;
	if (all.max_depth == 0)
		all.max_depth = 32;
	all.records -= all.records % 2;
	return all;
}

static enum dmtrace_status
check_generate_options(struct dmtrace_op *op,
    const struct dmtrace_generate_options *options,
    unsigned version)
{
	const struct {
		const char *what;
		uint32_t value, most;
	} rows[] = {
		{ "threads", options->threads, version == 1 ? 255 : 65535 },
		{ "methods", options->methods, DMT_INVENT_METHODS_MAX },
		{ "max-depth", options->max_depth, DEPTH_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value == 0 || rows[i].value > rows[i].most)
			return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%s %" PRIu32 ": version %u takes 1 to %" PRIu32,
			    rows[i].what, rows[i].value, version,
			    rows[i].most);
	return DMTRACE_OK;
}

/* What a VM writes about the trace that it made. */
static enum dmtrace_status
set_options(struct dmtrace_key *key,
    const struct dmtrace_generate_options *options)
{
	const bool art = dmt_key_version(key) > 1;
	char elapsed[24], records[24];
	const struct {
		const char *name, *value;
	} rows[] = {
		{ "data-file-overflow", "false" },
		{ "elapsed-time-usec", elapsed },
		{ "num-method-calls", records },
		{ "clock-call-overhead-nsec", "138" },
		{ "vm", art ? "art" : "dalvik" },
		{ "pid", art ? "4242" : NULL },
	};

	snprintf(elapsed, sizeof(elapsed), "%" PRIu64,
	    dmt_generator_elapsed(options) / 1000);
	snprintf(records, sizeof(records), "%" PRIu64, options->records);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value != NULL && dmtrace_key_option_set(key,
		    rows[i].name, rows[i].value) != DMTRACE_OK)
			return dmt_key_error(key)->status;
	return DMTRACE_OK;
}

static enum dmtrace_status
add_threads(struct dmtrace_key *key, uint32_t threads)
{
	char name[32];

	for (uint32_t i = 0; i < threads; i++) {
		const size_t len = dmt_invent_thread(name, sizeof(name), i);
		const enum dmtrace_status status = dmtrace_key_thread_add(key,
		    &(struct dmtrace_thread){ i + 1, { name, len } });

		if (status != DMTRACE_OK)
			return status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
add_methods(struct dmtrace_key *key,
    const struct dmtrace_generate_options *options, uint32_t *ids)
{
	struct dmt_invention invention;

	dmt_invent_init(&invention, options->seed);
	for (uint32_t i = 0; i < options->methods; i++) {
		const struct dmtrace_method *const method =
		    dmt_invent_method(&invention);
		const enum dmtrace_status status =
		    dmtrace_key_method_add(key, method);

		if (status != DMTRACE_OK)
			return status;
		ids[i] = (uint32_t)method->id;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
add_tables(struct dmtrace_op *op, struct dmtrace_key *key,
    const struct dmtrace_generate_options *options, uint32_t *ids)
{
	if (set_options(key, options) != DMTRACE_OK ||
	    add_threads(key, options->threads) != DMTRACE_OK ||
	    add_methods(key, options, ids) != DMTRACE_OK)
		return dmt_op_fail(op, NULL, dmt_key_error(key));
	return DMTRACE_OK;
}

/* The tables, which end the use of the key, then the records. */
static enum dmtrace_status
generate_trace(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_generate_options *options, uint32_t *ids)
{
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	/* dmtrace.5, TIMES: where wall times start anew in every thread */
	const bool rebased = dmt_key_version(key) == 1 ||
	    dmt_key_clock(key) == DMTRACE_CLOCK_GLOBAL;

	if (add_tables(op, key, options, ids) != DMTRACE_OK)
		return op->error.status;
	struct dmtrace_source *const source =
	    dmt_generator_new(options, key, dmt_writer_layout(writer), ids,
	    rebased);
	if (source == NULL)
		return dmt_error_memory(&op->error);
	dmt_op_copy(op, source, writer, NULL);
	dmtrace_source_free(source);
	return op->error.status;
}

enum dmtrace_status
dmtrace_generate(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_generate_options *options)
{
	const struct dmtrace_generate_options all =
	    complete_generate_options(options);
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	if (dmt_op_begin_call(op, __func__, writer == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (key == NULL)
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "the writer's tables are complete already");
	if (check_generate_options(op, &all, dmt_key_version(key)) !=
	    DMTRACE_OK)
		return op->error.status;

	uint32_t *const ids = dmt_array_new(all.methods, sizeof(*ids));

	if (ids == NULL)
		return dmt_error_memory(&op->error);
	const enum dmtrace_status status = generate_trace(op, writer, &all,
	    ids);
	free(ids);
	return status;
}
