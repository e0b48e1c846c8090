/* generator.c - a source of calls that threads might make */

/*
 * Each thread walks through a graph of calls that the seed decides: a method
 * calls the same few others. An event comes from one random number of 64
 * bits: half of it moves the time on, the other half decides whether the
 * current thread enters a method, and which, or leaves one, perhaps by a
 * throw that unrolls some frames. After a burst of events another thread has
 * its turn. When only as many records are left as calls are open, these are
 * closed, so that every call ends. The state is that of the walk, the same
 * for the same seed; going back to the first event begins it anew.
 */

#include "ops/generator.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/random.h"

enum {
	BURST_MAX = 100,		/* events of a thread in a row */
	CALLEES = 8,			/* different ones of each method */
	THROWS = 64,			/* one in so many exits is a throw, */
	UNROLLED_MAX = 8,		/* which unrolls up to so many frames */
	MEAN_STEP_NS = 5000		/* between events, unless many */
};

/* Times fit in 32 bits of microseconds. */
#define LAST_NS ((UINT64_C(1000) << 32) - 1)

/* A thread, and the calls that are open in it. */
struct walker {
	uint64_t cpu_ns;
	uint64_t base_ns;		/* its wall time counts from here */
	uint32_t *frames;		/* indexes of methods */
	uint32_t depth;
	uint32_t unrolling;		/* frames that a throw still leaves */
	uint32_t number;
	bool started;
};

struct generator {
	struct dmtrace_source source;
	struct dmtrace_generate_options options;
	struct dmt_indexes indexes;
	struct dmt_batch batch;
	struct dmt_random random;
	uint32_t salt;			/* who calls whom */
	const uint32_t *method_ids;
	uint64_t end_ns;
	bool rebased;
	struct walker *walkers;
	uint32_t *frames;		/* of all walkers */
	struct walker *current;
	uint32_t burst_max;
	uint32_t burst;			/* events until another thread's turn */
	uint64_t wall_ns;
	uint32_t step_max_ns;
	uint64_t left;			/* events to come */
	uint64_t open;			/* calls that are */
};

uint64_t
dmt_generator_elapsed(const struct dmtrace_generate_options *options)
{
	return options->records < LAST_NS / MEAN_STEP_NS ?
	    options->records * MEAN_STEP_NS : LAST_NS;
}

/* Shorter when there are few events, so that every thread has its turns. */
static uint32_t
burst_max(const struct dmtrace_generate_options *options)
{
	const uint64_t turns = 4 * (uint64_t)options->threads;

	return options->records < turns * BURST_MAX ?
	    (uint32_t)(options->records / turns) + 1 : BURST_MAX;
}

/* The state before the first event. */
static void
begin_walk(struct generator *walk)
{
	const struct dmtrace_generate_options *const options = &walk->options;

	walk->random.state = options->seed;
	walk->salt = (uint32_t)dmt_random_next(&walk->random);
	walk->current = NULL;
	walk->burst_max = burst_max(options);
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

/* No more calls: those that are open take the records that are left. Since
 * records are even, they come out the same at some time. */
static bool
is_closing(const struct generator *walk)
{
	return walk->left == walk->open;
}

/* So that the events that are left come by the end. */
static void
set_pace(struct generator *walk)
{
	const uint64_t mean = (walk->end_ns - walk->wall_ns) / walk->left;

	walk->step_max_ns = 2 * (mean < MEAN_STEP_NS ? (uint32_t)mean :
	    MEAN_STEP_NS);
}

/* Moves the time on, and returns by how much. */
static uint64_t
advance_clock(struct generator *walk, uint32_t bits)
{
	const uint64_t rest = walk->end_ns - walk->wall_ns;
	uint64_t step = dmt_random_scale(bits, walk->step_max_ns + 1);

	if (step > rest)
		step = rest;
	walk->wall_ns += step;
	return step;
}

/* The nearest thread, from the current one on, that has calls open. */
static struct walker *
next_open(const struct generator *walk)
{
	struct walker *const end = walk->walkers + walk->options.threads;
	struct walker *walker = walk->current;

	while (walker->depth == 0)
		if (++walker == end)
			walker = walk->walkers;
	return walker;
}

static void
begin_burst(struct generator *walk)
{
	if (is_closing(walk))
		walk->current = next_open(walk);
	else
		walk->current = walk->walkers +
		    dmt_random_below(&walk->random, walk->options.threads);
	walk->burst = 1 + dmt_random_below(&walk->random, walk->burst_max);
	set_pace(walk);
}

/* The first event of a thread may be where its wall time begins. */
static void
start_thread(const struct generator *walk, struct walker *walker)
{
	if (!walker->started && walk->rebased)
		walker->base_ns = walk->wall_ns;
	walker->started = true;
}

/* A thread's CPU clock stands still while it waits for its turn. */
static void
take_turn(struct generator *walk, uint32_t bits)
{
	if (walk->burst == 0 ||
	    (is_closing(walk) && walk->current->depth == 0)) {
		begin_burst(walk);
		advance_clock(walk, bits);
		start_thread(walk, walk->current);
	} else {
		walk->current->cpu_ns += advance_clock(walk, bits);
	}
	walk->burst--;
}

static bool
chooses_enter(const struct generator *walk, uint32_t bits)
{
	const struct walker *const walker = walk->current;

	if (walker->unrolling > 0 || walker->depth == walk->options.max_depth ||
	    is_closing(walk))
		return false;
	return walker->depth == 0 || bits % 2 == 0;
}

/* A method calls the same few others, and a thread begins with a few. */
static uint32_t
choose_callee(const struct generator *walk, uint32_t bits)
{
	const struct walker *const walker = walk->current;
	const uint32_t caller = walker->depth == 0 ?
	    walk->options.methods + walker->number :
	    walker->frames[walker->depth - 1];
	const uint32_t which = caller * CALLEES + bits / 2 % CALLEES;

	return dmt_random_scale((which ^ walk->salt) * 0x9e3779b1u,
	    walk->options.methods);
}

/* Returns the method that is entered. */
static uint32_t
generate_enter(struct generator *walk, uint32_t bits)
{
	struct walker *const walker = walk->current;
	const uint32_t method = choose_callee(walk, bits);

	walker->frames[walker->depth++] = method;
	walk->open++;
	return method;
}

/* How many frames an exit leaves by a throw: mostly none. */
static uint32_t
thrown_frames(const struct walker *walker, uint32_t bits)
{
	const uint32_t most =
	    walker->depth < UNROLLED_MAX ? walker->depth : UNROLLED_MAX;

	if (bits / 2 % THROWS != 0)
		return 0;
	return 1 + bits / 2 / THROWS % most;
}

/* Returns the method that is left, and how. */
static uint32_t
generate_exit(struct generator *walk, uint32_t bits, uint8_t *action)
{
	struct walker *const walker = walk->current;

	if (walker->unrolling == 0)
		walker->unrolling = thrown_frames(walker, bits);
	*action = DMTRACE_EXIT;
	if (walker->unrolling > 0) {
		walker->unrolling--;
		*action = DMTRACE_UNROLL;
	}
	walk->open--;
	return walker->frames[--walker->depth];
}

static inline void
make_event(struct generator *walk, size_t at)
{
	struct dmt_batch *const batch = &walk->batch;
	const uint64_t random = dmt_random_next(&walk->random);
	const uint32_t bits = (uint32_t)random;
	uint8_t action = DMTRACE_ENTER;

	take_turn(walk, (uint32_t)(random >> 32));
	const uint32_t method = chooses_enter(walk, bits) ?
	    generate_enter(walk, bits) :
	    generate_exit(walk, bits, &action);
	walk->left--;
	batch->action[at] = action;
	batch->method[at] =
	    dmt_method_index(&walk->indexes, walk->method_ids[method]);
	batch->thread[at] =
	    dmt_thread_index(&walk->indexes, walk->current->number);
	batch->cpu_ns[at] = walk->current->cpu_ns;
	batch->wall_ns[at] = walk->wall_ns - walk->current->base_ns;
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
		make_event(walk, i);
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

/* Events without records have all columns. */
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
    const struct dmtrace_key *key, const struct dmtrace_layout *layout,
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
