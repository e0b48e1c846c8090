/* checksum.c - a checksum of a trace's events that ignores their order */

/*
 * Each event is hashed with the names of its thread and method, and the hashes
 * are added: so the order of events, their ids and the version do not matter.
 * The parts that all events of a thread or a method share are hashed once; an
 * event adds its action and times and a final mixing step. Events that an
 * earlier filter inserted are not counted.
 */

#include <dmtrace/ops.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "events/pipeline.h"
#include "key/key.h"
#include "key/number.h"
#include "ops/digest.h"
#include "ops/op.h"
#include "private/key.h"
#include "private/ops.h"
#include "private/select.h"
#include "private/trace.h"
#include "trace/reader.h"

/* The sum of one thread. */
struct thread_tally {
	struct dmtrace_sum hash;	/* of what all its events share */
	struct dmtrace_sum sum;
	uint64_t events;
};

struct checksum {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	bool cpu, wall;			/* clocks that count and that the
					   records have */
	struct dmtrace_source *source;
	struct thread_tally *threads;	/* by thread index */
	struct dmtrace_sum *methods;	/* hashes, by method index */
	uint64_t added;			/* events that are not counted */
};

/* Returns the part of the hash for times that the events lack or that do not
 * count: they are hashed as -1. */
static struct dmtrace_sum
missing_times(const struct checksum *checksum)
{
	struct dmtrace_sum sum = { 0, 0 };

	if (!checksum->cpu) {
		sum.low -= dmt_digest_low.cpu;
		sum.high -= dmt_digest_high.cpu;
	}
	if (!checksum->wall) {
		sum.low -= dmt_digest_low.wall;
		sum.high -= dmt_digest_high.wall;
	}
	return sum;
}

static bool
begin_thread_tally(void *owner, uint32_t index, void *tally)
{
	const struct checksum *const checksum = owner;
	const struct dmt_indexed_thread *const thread =
	    &checksum->source->indexes->threads[index];
	const struct dmtrace_sum missing = missing_times(checksum);
	struct dmtrace_sum *const hash = &((struct thread_tally *)tally)->hash;

	*hash = dmt_digest_thread(thread->row, thread->number);
	hash->low += missing.low;
	hash->high += missing.high;
	return true;
}

static bool
begin_method_hash(void *owner, uint32_t index, void *hash)
{
	const struct checksum *const checksum = owner;
	const struct dmt_indexed_method *const method =
	    &checksum->source->indexes->methods[index];

	*(struct dmtrace_sum *)hash =
	    dmt_digest_method(method->row, method->id);
	return true;
}

/* Returns a time as in records: microseconds modulo 2^32. */
static inline uint64_t
record_time(uint64_t time_ns)
{
	return (uint32_t)(time_ns / 1000);
}

static void
add_events(struct checksum *checksum, const struct dmt_batch *batch)
{
	const struct dmtrace_sum *const methods = checksum->methods;
	struct thread_tally *const threads = checksum->threads;
	const bool has_cpu = checksum->cpu, has_wall = checksum->wall;

	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		struct thread_tally *const thread =
		    &threads[batch->thread[at]];
		const struct dmtrace_sum method = methods[batch->method[at]];
		const uint64_t action = batch->action[at];
		const uint64_t cpu =
		    has_cpu ? record_time(batch->cpu_ns[at]) : 0;
		const uint64_t wall =
		    has_wall ? record_time(batch->wall_ns[at]) : 0;

		if (batch->flags[at] & (DMT_EVENT_OPENED | DMT_EVENT_CLOSED)) {
			checksum->added++;
			continue;
		}
		thread->events++;
		dmt_digest_add(&thread->sum,
		    dmt_digest_mix(method.high + thread->hash.high +
		    action * dmt_digest_high.action +
		    cpu * dmt_digest_high.cpu + wall * dmt_digest_high.wall),
		    dmt_digest_mix(method.low + thread->hash.low +
		    action * dmt_digest_low.action +
		    cpu * dmt_digest_low.cpu + wall * dmt_digest_low.wall));
	}
}

static enum dmtrace_status
add_all(struct checksum *checksum)
{
	struct dmtrace_source *const source = checksum->source;
	struct dmt_batch *batch;

	dmt_source_set_progress(source, checksum->op->progress,
	    checksum->op->progress_context);
	dmt_attach(source, &checksum->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*checksum->threads),
	    .init = begin_thread_tally, .owner = checksum });
	dmt_attach(source, &checksum->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*checksum->methods),
	    .init = begin_method_hash, .owner = checksum });
	dmt_want(source, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION | DMT_COLUMN_FLAGS |
	    (checksum->cpu ? DMT_COLUMN_CPU : 0) |
	    (checksum->wall ? DMT_COLUMN_WALL : 0));
	for (;;) {
		if (dmt_pull(source, &batch) != DMTRACE_OK)
			return dmt_op_fail(checksum->op, NULL,
			    &source->error);
		if (batch == NULL)
			return DMTRACE_OK;
		add_events(checksum, batch);
	}
}

/* Checks that an option that counts inserted records is a number. */
static enum dmtrace_status
check_added(struct checksum *checksum, const char *name)
{
	const struct dmtrace_option *const option = dmtrace_key_option_find(
	    dmtrace_reader_key(checksum->reader), name);
	char shown[DMT_ESCAPED_MAX];
	uint64_t number;

	if (option == NULL || dmt_count_decode(&number, option->value))
		return DMTRACE_OK;
	dmt_escape(shown, sizeof(shown), option->value.bytes,
	    option->value.len);
	return dmt_error_set(&checksum->op->error, DMTRACE_ERR_CORRUPT,
	    "option %s: %s is not a number of events", name, shown);
}

static int
compare_summed_threads(const void *a, const void *b)
{
	const struct dmtrace_thread_sum *const one = a, *const other = b;

	return one->thread < other->thread ? -1 : one->thread > other->thread;
}

/* Makes the result: the threads that have events, by rising number. */
static enum dmtrace_status
put_result(const struct checksum *checksum, struct dmtrace_checksum_result *out)
{
	const size_t count = checksum->source->indexes->thread_count;

	out->threads = dmt_array_new(count, sizeof(*out->threads));
	if (out->threads == NULL)
		return dmt_error_memory(&checksum->op->error);
	for (size_t i = 0; i < count; i++) {
		const struct thread_tally *const tally =
		    &checksum->threads[i];
		const struct dmt_indexed_thread *const thread =
		    &checksum->source->indexes->threads[i];

		if (tally->events == 0)
			continue;
		out->threads[out->thread_count++] =
		    (struct dmtrace_thread_sum){
			.thread = thread->number,
			.name = thread->row != NULL ? thread->row->name :
			    (struct dmtrace_text){ NULL, 0 },
			.records = tally->events,
			.sum = tally->sum,
		};
		out->records += tally->events;
		dmt_sum_add(&out->sum, &tally->sum);
	}
	if (out->thread_count > 1)
		qsort(out->threads, out->thread_count, sizeof(*out->threads),
		    compare_summed_threads);
	out->added = checksum->added;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_checksum(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmt_selection *selection,
    const struct dmtrace_checksum_options *options,
    struct dmtrace_checksum_result *out)
{
	static const char public_name[] = "dmtrace_checksum";
	struct checksum checksum = { .op = op, .reader = reader };
	const unsigned clocks = options != NULL && options->clocks != 0 ?
	    options->clocks : DMTRACE_CHECKSUM_CPU | DMTRACE_CHECKSUM_WALL;
	const struct dmt_layout *const layout =
	    dmt_reader_layout(reader);

	if (dmt_op_begin_call(op, public_name, reader == NULL ||
	    out == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	*out = (struct dmtrace_checksum_result){ .records = 0 };
	if (dmt_reader_check_start(reader, &op->error, public_name) !=
	    DMTRACE_OK ||
	    dmt_op_check_flags(op, public_name, clocks,
	    DMTRACE_CHECKSUM_CPU | DMTRACE_CHECKSUM_WALL |
	    DMTRACE_CHECKSUM_NO_TIME) != DMTRACE_OK)
		return op->error.status;
	if (check_added(&checksum, DMT_OPTION_OPENED) != DMTRACE_OK ||
	    check_added(&checksum, DMT_OPTION_CLOSED) != DMTRACE_OK)
		return op->error.status;
	checksum.cpu = (clocks & DMTRACE_CHECKSUM_CPU) &&
	    dmt_layout_has_cpu(layout);
	checksum.wall = (clocks & DMTRACE_CHECKSUM_WALL) &&
	    dmt_layout_has_wall(layout);
	checksum.source = dmtrace_source_new(reader);
	if (selection != NULL && !dmt_selection_is_all(selection))
		checksum.source = dmt_source_select(checksum.source,
		    selection);
	if (checksum.source == NULL)
		return dmt_error_memory(&op->error);
	if (add_all(&checksum) == DMTRACE_OK)
		put_result(&checksum, out);
	dmtrace_source_free(checksum.source);
	return op->error.status;
}

enum dmtrace_status
dmtrace_checksum(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_checksum_options *options,
    struct dmtrace_checksum_result *out)
{
	return dmt_checksum(op, reader, NULL, options, out);
}

void
dmtrace_checksum_fini(struct dmtrace_checksum_result *checksum)
{
	if (checksum == NULL)
		return;
	free(checksum->threads);
	*checksum = (struct dmtrace_checksum_result){ .records = 0 };
}
