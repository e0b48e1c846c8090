/* generate.c - generates a trace of random calls, with any writer */

/*
 * The key comes first: options like those of a virtual machine, threads, and
 * methods with the names that invent.c makes. The events come from a source,
 * and are copied to the writer like those of any other.
 *
 * In the source, each thread walks through a call graph that depends on the
 * seed: a method always calls the same few others. One random number of 64
 * bits makes an event: one half determines how much time passes; the other
 * half decides whether the current thread enters a method, and which, or exits
 * one, sometimes by a throw that unrolls several frames. After a burst of
 * events another thread continues. When only as many records are left as calls
 * are open, these calls are closed, so that every call ends. The same seed
 * gives the same events; a rewind starts the walk again.
 */

#include "ops/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/invent.h"
#include "ops/op.h"
#include "private/key.h"
#include "trace/writer.h"

enum {
	BURST_MAX = 100,		/* consecutive events of a thread */
	CALLEES = 8,			/* different callees per method */
	THROWS = 64,			/* one exit in so many is a throw, */
	UNROLLED_MAX = 8,		/* which unrolls at most so many
					   frames */
	MEAN_STEP_NS = 5000,		/* mean time between events, if few */
	DEPTH_MAX = 1048576		/* the default limit of readers */
};

/* Times fit in 32 bits of microseconds. */
#define LAST_NS ((UINT64_C(1000) << 32) - 1)

/* A thread and its open calls. */
struct walker {
	uint64_t cpu_ns;
	uint64_t base_ns;		/* added to its wall times */
	uint32_t *frames;		/* method indexes */
	uint32_t depth;
	uint32_t unrolling;		/* frames that the current throw still
					   exits */
	uint32_t number;
	bool started;
};

struct generator {
	struct dmtrace_source source;
	struct dmtrace_generate_options options;
	struct dmt_indexes indexes;
	struct dmt_batch batch;
	struct dmt_random random;
	uint32_t salt;			/* determines the call graph */
	const uint32_t *method_ids;
	uint64_t end_ns;
	bool rebased;
	struct walker *walkers;
	uint32_t *frames;		/* memory of all walkers' frames */
	struct walker *current;
	uint32_t burst_max;
	uint32_t burst;			/* events until the next thread */
	uint64_t wall_ns;
	uint32_t step_max_ns;
	uint64_t left;			/* events that are left */
	uint64_t open;			/* number of open calls */
};

uint64_t
dmt_generator_elapsed(const struct dmtrace_generate_options *options)
{
	return options->records < LAST_NS / MEAN_STEP_NS ?
	    options->records * MEAN_STEP_NS : LAST_NS;
}

/* Sets the state before the first event. */
static void
begin_walk(struct generator *walk)
{
	const struct dmtrace_generate_options *const options = &walk->options;
	const uint64_t turns = 4 * (uint64_t)options->threads;

	walk->random.state = options->seed;
	walk->salt = (uint32_t)dmt_random_next(&walk->random);
	walk->current = NULL;
	/* Shorter bursts if there are few events, so that every thread gets
	 * some. */
	walk->burst_max = options->records < turns * BURST_MAX ?
	    (uint32_t)(options->records / turns) + 1 : BURST_MAX;
	walk->burst = 0;
	walk->wall_ns = 0;
	walk->left = options->records;
	walk->open = 0;
	for (uint32_t i = 0; i < options->threads; i++)
		walk->walkers[i] = (struct walker){
			.number = i + 1,
			.frames = walk->frames + (size_t)i * options->max_depth
		};
}

/* Returns true if the records that are left are just enough to end the open
 * calls. The number of records is even, so the two numbers meet. */
static bool
is_closing(const struct generator *walk)
{
	return walk->left == walk->open;
}

/* Chooses the next thread, and a pace at which the events that are left reach
 * the end of the trace. */
static void
begin_burst(struct generator *walk)
{
	const uint32_t threads = walk->options.threads;
	const uint64_t mean = (walk->end_ns - walk->wall_ns) / walk->left;

	/* the next thread with open calls */
	if (is_closing(walk))
		while (walk->current->depth == 0)
			walk->current = walk->walkers +
			    (walk->current - walk->walkers + 1) % threads;
	else
		walk->current = walk->walkers +
		    dmt_random_below(&walk->random, threads);
	walk->burst = 1 + dmt_random_below(&walk->random, walk->burst_max);
	walk->step_max_ns = 2 * (mean < MEAN_STEP_NS ? (uint32_t)mean :
	    MEAN_STEP_NS);
}

/* Advances the time; at the end of a burst, continues with another thread. */
static void
advance_time(struct generator *walk, uint32_t bits)
{
	const bool switches = walk->burst == 0 ||
	    (is_closing(walk) && walk->current->depth == 0);

	if (switches)
		begin_burst(walk);
	struct walker *const walker = walk->current;
	const uint64_t rest = walk->end_ns - walk->wall_ns;
	uint64_t step = dmt_random_scale(bits, walk->step_max_ns + 1);
	if (step > rest)
		step = rest;
	walk->wall_ns += step;
	walk->burst--;

	/* a thread uses no CPU time while others run */
	if (!switches)
		walker->cpu_ns += step;
	if (!walker->started && walk->rebased)
		walker->base_ns = walk->wall_ns;
	walker->started = true;
}

/* The current thread enters one of the callees of its innermost method. */
static uint32_t
enter_callee(struct generator *walk, uint32_t bits)
{
	struct walker *const walker = walk->current;
	const uint32_t caller = walker->depth == 0 ?
	    walk->options.methods + walker->number :
	    walker->frames[walker->depth - 1];
	const uint32_t which = caller * CALLEES + bits / 2 % CALLEES;
	const uint32_t method = dmt_random_scale(
	    (which ^ walk->salt) * 0x9e3779b1u, walk->options.methods);

	walker->frames[walker->depth++] = method;
	walk->open++;
	return method;
}

/* The current thread exits a method, sometimes by a throw. */
static uint32_t
exit_callee(struct generator *walk, uint32_t bits, uint8_t *action)
{
	struct walker *const walker = walk->current;
	const uint32_t most =
	    walker->depth < UNROLLED_MAX ? walker->depth : UNROLLED_MAX;

	if (walker->unrolling == 0 && bits / 2 % THROWS == 0)
		walker->unrolling = 1 + bits / 2 / THROWS % most;
	*action = DMTRACE_EXIT;
	if (walker->unrolling > 0) {
		walker->unrolling--;
		*action = DMTRACE_UNROLL;
	}
	walk->open--;
	return walker->frames[--walker->depth];
}

static inline void
generate_event(struct generator *walk, size_t at)
{
	struct dmt_batch *const batch = &walk->batch;
	const uint64_t random = dmt_random_next(&walk->random);
	const uint32_t bits = (uint32_t)random;
	uint8_t action = DMTRACE_ENTER;

	advance_time(walk, (uint32_t)(random >> 32));
	const struct walker *const walker = walk->current;
	const bool enters = walker->unrolling == 0 &&
	    walker->depth < walk->options.max_depth && !is_closing(walk) &&
	    (walker->depth == 0 || bits % 2 == 0);
	const uint32_t method = enters ? enter_callee(walk, bits) :
	    exit_callee(walk, bits, &action);
	walk->left--;
	batch->action[at] = action;
	batch->method[at] =
	    dmt_method_index(&walk->indexes, walk->method_ids[method]);
	batch->thread[at] = dmt_thread_index(&walk->indexes, walker->number);
	batch->cpu_ns[at] = walker->cpu_ns;
	batch->wall_ns[at] = walk->wall_ns - walker->base_ns;
}

static enum dmtrace_status
pull_generated(struct dmtrace_source *source, struct dmt_batch **batch)
{
	struct generator *const walk = (struct generator *)source;
	const uint64_t records = walk->options.records;
	const size_t count = walk->left < DMT_BATCH_EVENTS ?
	    (size_t)walk->left : DMT_BATCH_EVENTS;

	if (count == 0) {
		*batch = NULL;
		return DMTRACE_OK;
	}
	dmt_batch_begin(&walk->batch, count);
	walk->batch.first = records - walk->left;
	for (size_t i = 0; i < count; i++)
		generate_event(walk, i);
	if (walk->indexes.failed)
		return dmt_error_memory(&source->error);
	*batch = &walk->batch;
	if (source->progress != NULL && source->progress(
	    source->progress_context, records - walk->left, records) != 0)
		return dmt_error_set(&source->error, DMTRACE_ERR_CANCELLED,
		    "cancelled");
	return DMTRACE_OK;
}

static enum dmtrace_status
rewind_generated(struct dmtrace_source *source)
{
	begin_walk((struct generator *)source);
	return DMTRACE_OK;
}

/* Events without records always have all columns. */
static void
want_generated(struct dmtrace_source *source, unsigned columns)
{
	(void)source;
	(void)columns;
}

static void
fini_generated(struct dmtrace_source *source)
{
	struct generator *const walk = (struct generator *)source;

	dmt_indexes_fini(&walk->indexes);
	free(walk->frames);
	free(walk->walkers);
}

static const struct dmt_input_kind generator_kind = {
	pull_generated, rewind_generated, want_generated, fini_generated
};

struct dmtrace_source *
dmt_generator_new(const struct dmtrace_generate_options *options,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    const uint32_t *method_ids, bool rebased)
{
	struct generator *const walk = calloc(1, sizeof(*walk));

	if (walk == NULL)
		return NULL;
	walk->source = (struct dmtrace_source){
		.kind = &generator_kind,
		.key = key,
		.layout = layout,
		.indexes = &walk->indexes,
		.passes = 1,
	};
	walk->options = *options;
	walk->method_ids = method_ids;
	walk->end_ns = dmt_generator_elapsed(options);
	walk->rebased = rebased;
	walk->walkers = dmt_array_new(options->threads,
	    sizeof(*walk->walkers));
	walk->frames = dmt_array_new(options->threads,
	    (size_t)options->max_depth * sizeof(*walk->frames));
	if (!dmt_indexes_init(&walk->indexes, key, layout) ||
	    walk->walkers == NULL || walk->frames == NULL) {
		dmtrace_source_free(&walk->source);
		return NULL;
	}
	begin_walk(walk);
	return &walk->source;
}

/* Adds the options that a virtual machine writes, the threads and the methods,
 * whose ids are stored in ids. Returns the status of the key's error. */
static enum dmtrace_status
fill_key(struct dmtrace_key *key,
    const struct dmtrace_generate_options *options, uint32_t *ids)
{
	const bool art = dmt_key_version(key) > 1;
	char elapsed[24], records[24], name[32];
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
	struct dmt_invention invention;
	enum dmtrace_status status = DMTRACE_OK;

	snprintf(elapsed, sizeof(elapsed), "%" PRIu64,
	    dmt_generator_elapsed(options) / 1000);
	snprintf(records, sizeof(records), "%" PRIu64, options->records);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value != NULL && status == DMTRACE_OK)
			status = dmtrace_key_option_set(key, rows[i].name,
			    rows[i].value);

	for (uint32_t i = 0; i < options->threads && status == DMTRACE_OK;
	    i++) {
		const size_t len = dmt_invent_thread(name, sizeof(name), i);

		status = dmtrace_key_thread_add(key,
		    &(struct dmtrace_thread){ i + 1, { name, len } });
	}

	dmt_invent_init(&invention, options->seed);
	for (uint32_t i = 0; i < options->methods && status == DMTRACE_OK;
	    i++) {
		const struct dmtrace_method *const method =
		    dmt_invent_method(&invention);

		ids[i] = (uint32_t)method->id;
		status = dmtrace_key_method_add(key, method);
	}
	return status;
}

enum dmtrace_status
dmtrace_generate(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_generate_options *given)
{
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	struct dmtrace_generate_options options = { 0 };

	if (dmt_op_begin_call(op, __func__, writer == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (dmt_op_fail(op, NULL, dmtrace_writer_error(writer)) != DMTRACE_OK)
		return op->error.status;
	if (!dmt_writer_awaits_key(writer))
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "%s: the writer is not open, or its key is complete",
		    __func__);

	/* Set the options and their defaults, limited to what the version can
	 * hold. */
	if (given != NULL)
		options = *given;
	if (options.records == 0)
		options.records = 100000;
	else if (options.records == DMTRACE_GENERATE_NONE)
		options.records = 0;
	if (options.threads == 0)
		options.threads = 4;
	if (options.methods == 0)
		options.methods = 200;
	if (options.max_depth == 0)
		options.max_depth = 32;
	options.records -= options.records % 2;
	const unsigned version = dmt_key_version(key);
	const struct {
		const char *what;
		uint32_t value, most;
	} limits[] = {
		{ "threads", options.threads, version == 1 ? 255 : 65535 },
		{ "methods", options.methods, DMT_INVENT_METHODS_MAX },
		{ "max-depth", options.max_depth, DEPTH_MAX },
	};
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].value > limits[i].most)
			return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%s %" PRIu32 ": version %u takes 1 to %" PRIu32,
			    limits[i].what, limits[i].value, version,
			    limits[i].most);

	/* Make the tables; the key does not change after that. Then the
	 * records. */
	/* dmtrace.5, TIMES: cases in which wall times start anew in every
	 * thread */
	const bool rebased = version == 1 ||
	    dmt_key_clock(key) == DMTRACE_CLOCK_GLOBAL;
	uint32_t *const ids = dmt_array_new(options.methods, sizeof(*ids));
	if (ids == NULL)
		return dmt_error_memory(&op->error);
	if (fill_key(key, &options, ids) != DMTRACE_OK) {
		dmt_op_fail(op, NULL, dmt_key_error(key));
		goto end;
	}
	struct dmtrace_source *const source = dmt_generator_new(&options, key,
	    dmt_writer_layout(writer), ids, rebased);
	if (source == NULL) {
		dmt_error_memory(&op->error);
		goto end;
	}
	dmt_op_copy(op, source, writer, NULL);
	dmtrace_source_free(source);
end:
	free(ids);
	return op->error.status;
}
