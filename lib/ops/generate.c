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
 * gives the same events, as all numbers are integers; a rewind starts the walk
 * again.
 *
 * A shape is a row of a table: how often a throw is, which thread is next, how
 * the depth of calls swings, which method is called. The threads of an app, and
 * only they, follow scripts.
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
#include "private/ops.h"
#include "trace/writer.h"

enum {
	CALLEES = 8,			/* different callees per method */
	DEPTH_MAX = 1048576,		/* the default limit of readers */
	SAMPLE_CALLS = 4,		/* most exits, and enters, per sample */
	FRAME_RECORDS = 833		/* of all threads, from one frame of an
					   app to the next */
};

/* Times that nobody asks for fit in 32 bits of microseconds. */
#define LAST_NS ((UINT64_C(1000) << 32) - 1)

/* The longest duration, about 52 days: products of times do not overflow. */
#define DURATION_MAX_NS (UINT64_C(1) << 52)

/* Times of 32 bits overflow, which readers notice if a thread's events are not
 * further apart than half of that. */
#define OVERFLOW_NS (UINT64_C(1000) << 32)
#define GAP_MAX_NS (OVERFLOW_NS / 2)

/* Which thread continues after a burst of events. */
enum turn { TURN_ANY, TURN_NEXT, TURN_SAMPLE, TURN_SCRIPT };

/* How a thread's depth changes: at random, or down to some depth and up again
 * to another one: any, the greatest, or by one call. */
enum swing { SWING_NONE, SWING_ANY, SWING_FULL, SWING_ONE };

/* Which method is called. */
enum callee { CALLEE_GRAPH, CALLEE_SAME, CALLEE_NEXT };

static const struct shape {
	uint32_t threads, methods, max_depth, burst;	/* defaults */
	uint32_t min_depth;
	uint32_t throws;		/* one exit in so many is a throw, */
	uint32_t unrolled_max;		/* which unrolls at most so many
					   frames */
	uint32_t step_ns;		/* mean time between events, if few */
	enum turn turn;
	enum swing swing;
	enum callee callee;
} shapes[] = {
	[DMTRACE_SHAPE_CALLS] = { 4, 200, 32, 100, 1, 64, 8, 5000,
	    TURN_ANY, SWING_NONE, CALLEE_GRAPH },
	[DMTRACE_SHAPE_RECURSION] = { 4, 200, 200, 100, 1, 64, 8, 5000,
	    TURN_ANY, SWING_ANY, CALLEE_SAME },
	[DMTRACE_SHAPE_PINGPONG] = { 2, 200, 32, 1, 1, 64, 8, 5000,
	    TURN_NEXT, SWING_NONE, CALLEE_GRAPH },
	[DMTRACE_SHAPE_EXCEPTIONS] = { 4, 200, 32, 100, 1, 3, UINT32_MAX,
	    5000, TURN_ANY, SWING_NONE, CALLEE_GRAPH },
	[DMTRACE_SHAPE_SAMPLING] = { 4, 200, 32, 0, 1, UINT32_MAX, 1, 62500,
	    TURN_SAMPLE, SWING_NONE, CALLEE_GRAPH },
	[DMTRACE_SHAPE_DEEP] = { 2, 200, 20000, 1000, 1, UINT32_MAX, 1, 5000,
	    TURN_ANY, SWING_FULL, CALLEE_GRAPH },
	[DMTRACE_SHAPE_WIDE] = { 4, 10000, 2, 100, 1, 64, 1, 5000,
	    TURN_ANY, SWING_ONE, CALLEE_NEXT },
	[DMTRACE_SHAPE_APP] = { 8, 400, 32, 0, 8, 512, 8, 20000,
	    TURN_SCRIPT, SWING_NONE, CALLEE_GRAPH },
};

const char *const dmt_shape_names[] = {
	"calls", "recursion", "pingpong", "exceptions", "sampling", "deep",
	"wide", "app", NULL
};

/*
 * An app: each thread follows scripts, one per turn, and waits after each. The
 * main thread draws a frame whenever the clock of frames ticks, whatever other
 * threads do; in between it handles messages, threads named Binder answer
 * calls of other processes, and all others carry out tasks. A script enters
 * and exits the methods of the framework; its work is random calls of others,
 * of that many events on average.
 */
enum { STEP_END, STEP_ENTER, STEP_EXIT, STEP_WORK };

struct step {
	uint8_t what;
	uint16_t number;		/* of a method, or of events */
};

#define ENTER(method) { STEP_ENTER, DMT_APP_##method }
#define EXIT { STEP_EXIT, 0 }
#define WORK(events) { STEP_WORK, events }
#define END { STEP_END, 0 }

static const struct step main_begins[] = {
	ENTER(MAIN), WORK(60), ENTER(LOOP), ENTER(NEXT), END
};
static const struct step main_frame[] = {
	EXIT, ENTER(DISPATCH), ENTER(FRAME),
	ENTER(INPUT), WORK(12), EXIT, ENTER(ANIMATE), WORK(24), EXIT,
	ENTER(TRAVERSE), ENTER(MEASURE), WORK(80), EXIT,
	ENTER(LAYOUT), WORK(50), EXIT, ENTER(DRAW), WORK(110), EXIT,
	EXIT, EXIT, EXIT, ENTER(NEXT), END
};
static const struct step main_message[] = {
	EXIT, ENTER(DISPATCH), ENTER(HANDLE), WORK(40), EXIT, EXIT,
	ENTER(NEXT), END
};
static const struct step binder_call[] = {
	ENTER(TRANSACT), ENTER(ON_TRANSACT), WORK(30), EXIT, EXIT, END
};
static const struct step worker_begins[] = {
	ENTER(WORKER), ENTER(GET_TASK), END
};
static const struct step worker_task[] = {
	EXIT, ENTER(RUN_TASK), WORK(400), EXIT, ENTER(GET_TASK), END
};

/* What a thread does before its first turn, and in one. */
static const struct role {
	const struct step *begins, *turn;
} main_role = { main_begins, main_message },
    binder_role = { binder_call, binder_call },
    worker_role = { worker_begins, worker_task };

/* A thread and its open calls. */
struct walker {
	uint64_t cpu_ns;
	uint64_t base_ns;		/* added to its wall times */
	uint64_t last_ns;		/* the wall time of its last event */
	uint32_t *frames;		/* method indexes */
	size_t capacity;		/* of frames */
	uint32_t depth;
	uint32_t unrolling;		/* frames that the current throw still
					   exits */
	uint32_t low, high;		/* where a swing turns */
	uint32_t number;
	bool started;
	bool rising;			/* the swing's direction */
	const struct step *step;	/* the next one; NULL: it waits */
	uint32_t floor;			/* the depth at which work began */
	uint32_t work;			/* events left of it */
};

struct generator {
	struct dmtrace_source source;
	struct dmtrace_generate_options options;
	const struct shape *shape;
	struct dmt_indexes indexes;
	struct dmt_batch batch;
	struct dmt_random random;
	uint32_t salt;			/* determines the call graph */
	const uint32_t *method_ids;
	uint64_t end_ns;
	uint64_t mean_ns;		/* between events, at the start */
	uint64_t gap_max_ns;		/* between events of a thread */
	bool rebased;
	bool failed;			/* no memory left for frames */
	const struct walker *late;	/* NULL; else its gap is too long */
	struct walker *walkers;
	struct walker *current;
	uint32_t burst_max;
	uint32_t burst;			/* events until the next thread */
	uint64_t wall_ns;
	uint64_t step_max_ns;
	uint64_t left;			/* events that are left */
	uint64_t open;			/* number of open calls */
	uint32_t next_method;		/* of CALLEE_NEXT */
	uint64_t frame_ns;		/* when an app draws next */
	uint64_t paused;		/* events that were left when an app
					   last paused */
	uint64_t turns;			/* of an app's threads, other than
					   frames */
	struct walker *preempted;	/* NULL; else what a frame stopped */
};

uint64_t
dmt_generator_elapsed(const struct dmtrace_generate_options *options)
{
	const uint64_t step_ns = shapes[options->shape].step_ns;

	if (options->duration_ns != 0)
		return options->duration_ns;
	return options->records < LAST_NS / step_ns ?
	    options->records * step_ns : LAST_NS;
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
	walk->preempted = NULL;
	walk->late = NULL;
	/* Shorter bursts if there are few events, so that every thread gets
	 * some. */
	walk->burst_max = options->records / turns < options->burst ?
	    (uint32_t)(options->records / turns) + 1 : options->burst;
	walk->burst = 0;
	walk->wall_ns = 0;
	walk->frame_ns = 0;
	walk->turns = 0;
	walk->next_method = 0;
	walk->left = options->records;
	walk->paused = options->records;
	walk->open = 0;
	for (uint32_t i = 0; i < options->threads; i++)
		walk->walkers[i] = (struct walker){
			.number = i + 1,
			.frames = walk->walkers[i].frames,
			.capacity = walk->walkers[i].capacity
		};
}

/* Returns true if the records that are left are just enough to end the open
 * calls. The number of records is even, so the two numbers meet. */
static bool
is_closing(const struct generator *walk)
{
	return walk->left == walk->open;
}

/* Lets time pass, until the end of the trace at most. */
static uint64_t
pass_time(struct generator *walk, uint64_t step_ns)
{
	const uint64_t rest = walk->end_ns - walk->wall_ns;

	if (step_ns > rest)
		step_ns = rest;
	walk->wall_ns += step_ns;
	return step_ns;
}

static struct walker *
next_walker(const struct generator *walk, const struct walker *walker)
{
	return walk->walkers + (walker - walk->walkers + 1) %
	    walk->options.threads;
}

/* The next thread whose stack has changed since its last sample. The clock
 * advances after the last thread. */
static void
begin_sample(struct generator *walk)
{
	const uint32_t threads = walk->options.threads;
	const uint64_t interval_ns = walk->mean_ns * SAMPLE_CALLS * threads;
	struct walker *walker = walk->current;

	do {
		walker = walker == NULL ? walk->walkers :
		    next_walker(walk, walker);
		if (walker == walk->walkers && walk->current != NULL)
			pass_time(walk, interval_ns);
		walk->current = walker;
		if (walker->started)
			walker->cpu_ns += dmt_random_scale(
			    (uint32_t)dmt_random_next(&walk->random),
			    walk->wall_ns - walker->last_ns + 1);
		const uint32_t exits = dmt_random_below(&walk->random,
		    SAMPLE_CALLS + 1);
		walker->low = walker->depth < exits ? 0 :
		    walker->depth - exits;
		walker->high = walker->low + dmt_random_below(&walk->random,
		    SAMPLE_CALLS + 1);
		if (walker->high > walk->options.max_depth)
			walker->high = walk->options.max_depth;
		walk->burst = walker->depth - walker->low + walker->high -
		    walker->low;
		walker->last_ns = walk->wall_ns;
	} while (walk->burst == 0);
	walker->rising = walker->depth == walker->low;
	walk->step_max_ns = 0;
}

static const struct role *
app_role(const struct walker *walker)
{
	return walker->number == 1 ? &main_role :
	    walker->number % 8 == 2 ? &binder_role : &worker_role;
}

/* A frame if it is time; or what a frame has stopped; else, after a pause, the
 * turn of the next thread. The pause keeps the pace. */
static void
begin_script(struct generator *walk)
{
	const uint64_t mean_ns = (walk->end_ns - walk->wall_ns) / walk->left;
	const uint64_t events = walk->paused - walk->left;
	const uint64_t frames_ns = walk->mean_ns * FRAME_RECORDS;
	const struct step *turn = NULL;
	struct walker *walker = walk->walkers;

	walk->step_max_ns = mean_ns - mean_ns / 4;
	if (walk->wall_ns < walk->frame_ns && walk->preempted == NULL) {
		const uint64_t pause_ns = dmt_random_scale(
		    (uint32_t)dmt_random_next(&walk->random),
		    (mean_ns + mean_ns / 4) *
		    (events < 1024 ? events : 1024) + 1);

		walk->paused = walk->left;
		pass_time(walk, pause_ns < walk->frame_ns - walk->wall_ns ?
		    pause_ns : walk->frame_ns - walk->wall_ns);
	}
	if (walk->wall_ns >= walk->frame_ns) {
		walk->frame_ns += frames_ns;
		if (walk->frame_ns <= walk->wall_ns)
			walk->frame_ns = walk->wall_ns + frames_ns;
		if (walk->current != NULL && walk->current->step != NULL)
			walk->preempted = walk->current;
		turn = main_frame;
	} else if (walk->preempted != NULL) {
		walker = walk->preempted;
		walk->preempted = NULL;
	} else {
		walker += walk->turns++ % walk->options.threads;
		turn = app_role(walker)->turn;
	}
	walk->current = walker;
	if (walker->step == NULL)
		walker->step = walker->started ? turn :
		    app_role(walker)->begins;
}

/* Chooses the next thread, and a pace at which the events that are left reach
 * the end of the trace. */
static void
begin_burst(struct generator *walk)
{
	const uint64_t mean = (walk->end_ns - walk->wall_ns) / walk->left;
	const enum turn turn = walk->shape->turn;

	/* the next thread with open calls */
	if (is_closing(walk))
		while (walk->current->depth == 0)
			walk->current = next_walker(walk, walk->current);
	else if (turn == TURN_SAMPLE) {
		begin_sample(walk);
		return;
	} else if (turn == TURN_SCRIPT) {
		begin_script(walk);
		return;
	} else if (turn == TURN_NEXT)
		walk->current = walk->current == NULL ? walk->walkers :
		    next_walker(walk, walk->current);
	else
		walk->current = walk->walkers +
		    dmt_random_below(&walk->random, walk->options.threads);
	walk->burst = 1 + dmt_random_below(&walk->random, walk->burst_max);
	walk->step_max_ns = turn == TURN_SAMPLE ? 0 :
	    2 * (mean < walk->mean_ns ? mean : walk->mean_ns);
}

/* Returns true if another thread has its turn now. */
static bool
switches_thread(const struct generator *walk)
{
	if (walk->current == NULL)
		return true;
	if (is_closing(walk))
		return walk->current->depth == 0 ||
		    (walk->burst == 0 && walk->shape->turn != TURN_SCRIPT);
	if (walk->shape->turn == TURN_SCRIPT)
		return walk->current->step == NULL ||
		    (walk->wall_ns >= walk->frame_ns &&
		    walk->current != walk->walkers);
	return walk->burst == 0;
}

/* Advances the time; at the end of a burst, continues with another thread. */
static void
advance_time(struct generator *walk, uint32_t bits)
{
	const bool switches = switches_thread(walk);

	if (switches)
		begin_burst(walk);
	struct walker *const walker = walk->current;
	const uint64_t step = pass_time(walk,
	    dmt_random_scale(bits, walk->step_max_ns + 1));
	walk->burst--;

	/* a thread uses no CPU time while others run */
	if (!switches)
		walker->cpu_ns += step;
	if (!walker->started && walk->rebased)
		walker->base_ns = walker->last_ns = walk->wall_ns;
	walker->started = true;
	if (walk->wall_ns - walker->last_ns > walk->gap_max_ns)
		walk->late = walker;
	walker->last_ns = walk->wall_ns;
}

/* Returns true if the current thread enters a method; chooses where a swing
 * turns next, when it has come to where it turns. */
static bool
swings_up(struct generator *walk, struct walker *walker)
{
	const uint32_t max_depth = walk->options.max_depth;

	if (walker->rising && walker->depth >= walker->high) {
		walker->rising = false;
		walker->low = walk->shape->swing == SWING_ONE ? max_depth - 1 :
		    dmt_random_below(&walk->random, walker->depth);
	} else if (!walker->rising && walker->depth <= walker->low) {
		walker->rising = true;
		walker->high = walk->shape->swing != SWING_ANY ? max_depth :
		    walker->depth + 1 + dmt_random_below(&walk->random,
		    max_depth - walker->depth);
	}
	return walker->rising;
}

/* After an event: begins the work that is next, or notes the end. */
static void
finish_step(struct generator *walk, struct walker *walker)
{
	if (walker->step->what == STEP_WORK &&
	    (walker->work > 0 || walker->depth > walker->floor))
		return;
	walker->step++;
	if (walker->step->what == STEP_WORK) {
		walker->floor = walker->depth;
		walker->work = 1 + dmt_random_below(&walk->random,
		    2u * walker->step->number);
	} else if (walker->step->what == STEP_END)
		walker->step = NULL;
}

/* Returns true if the current thread enters a method. */
static bool
enters_method(struct generator *walk, struct walker *walker, uint32_t bits)
{
	const uint32_t max_depth = walk->options.max_depth;

	if (is_closing(walk) || walker->unrolling > 0)
		return false;
	if (walk->shape->turn == TURN_SAMPLE) {
		walker->rising |= walker->depth == walker->low;
		return walker->rising;
	}
	if (walk->shape->swing != SWING_NONE)
		return swings_up(walk, walker);
	if (walk->shape->turn == TURN_SCRIPT) {
		if (walker->step->what != STEP_WORK)
			return walker->step->what == STEP_ENTER;
		if (walker->work > 0)
			walker->work--;
		return walker->depth == walker->floor || (walker->work > 0 &&
		    walker->depth < max_depth && bits % 2 == 0);
	}
	return walker->depth < max_depth &&
	    (walker->depth == 0 || bits % 2 == 0);
}

/* The current thread enters a method: the next one of its script, or one of
 * the callees of its innermost method. */
static uint32_t
enter_callee(struct generator *walk, uint32_t bits)
{
	struct walker *const walker = walk->current;
	const enum callee callee = walk->shape->callee;
	const uint32_t caller = walker->depth == 0 ?
	    walk->options.methods + walker->number :
	    walker->frames[walker->depth - 1];
	const uint32_t which = caller * CALLEES + bits / 2 % CALLEES;
	/* An app's own methods do not call the framework. */
	const uint32_t first = walk->shape->turn == TURN_SCRIPT &&
	    walk->options.methods > DMT_APP_METHODS ? DMT_APP_METHODS : 0;
	uint32_t method = first + (uint32_t)dmt_random_scale(
	    (which ^ walk->salt) * 0x9e3779b1u,
	    walk->options.methods - first);

	if (walker->step != NULL && walker->step->what == STEP_ENTER)
		method = walker->step->number % walk->options.methods;
	else if (callee == CALLEE_NEXT)
		method = walk->next_method++ % walk->options.methods;
	else if (callee == CALLEE_SAME && walker->depth > 0 &&
	    bits / 2 % CALLEES != 0)
		method = caller;

	if (walker->depth == walker->capacity) {
		uint32_t *const frames = dmt_array_grow(walker->frames,
		    &walker->capacity, walker->capacity + 1, sizeof(*frames));

		if (frames == NULL) {
			walk->failed = true;
			return 0;
		}
		walker->frames = frames;
	}
	walker->frames[walker->depth++] = method;
	walk->open++;
	return method;
}

/* The current thread exits a method, sometimes by a throw. */
static uint32_t
exit_callee(struct generator *walk, uint32_t bits, uint8_t *action)
{
	struct walker *const walker = walk->current;
	const struct shape *const shape = walk->shape;
	const bool works = walker->step != NULL &&
	    walker->step->what == STEP_WORK;
	const uint32_t frames =
	    walker->depth - (works ? walker->floor : 0);
	const uint32_t most =
	    frames < shape->unrolled_max ? frames : shape->unrolled_max;

	/* A script ends what it begins; only its work may be unrolled. */
	if (walker->unrolling == 0 && bits / 2 % shape->throws == 0 &&
	    most > 0 && (works || shape->turn != TURN_SCRIPT))
		walker->unrolling = 1 + bits / 2 / shape->throws % most;
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
	struct walker *const walker = walk->current;
	if (is_closing(walk))
		walker->step = NULL;
	const uint32_t method = enters_method(walk, walker, bits) ?
	    enter_callee(walk, bits) : exit_callee(walk, bits, &action);
	if (walker->step != NULL)
		finish_step(walk, walker);
	walk->left--;
	batch->action[at] = action;
	batch->method[at] =
	    dmt_method_index(&walk->indexes, walk->method_ids[method]);
	batch->thread[at] = dmt_thread_index(&walk->indexes, walker->number);
	batch->cpu_ns[at] = walker->cpu_ns;
	batch->wall_ns[at] = walk->wall_ns - walker->base_ns;
	if (walk->wall_ns >= OVERFLOW_NS && walk->gap_max_ns == GAP_MAX_NS) {
		batch->cpu_ns[at] %= OVERFLOW_NS;
		batch->wall_ns[at] %= OVERFLOW_NS;
	}
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
	for (size_t i = 0; i < count && !walk->failed; i++)
		generate_event(walk, i);
	if (walk->indexes.failed || walk->failed)
		return dmt_error_memory(&source->error);
	if (walk->late != NULL)
		return dmt_error_set(&source->error, DMTRACE_ERR_RANGE,
		    "thread %" PRIu32 " has no event for 2^31 us (35 min): "
		    "records of version %u have times of 32 bits, which "
		    "readers cannot follow then; use more events, fewer "
		    "threads or a shorter duration", walk->late->number,
		    source->layout->version);
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
	for (uint32_t i = 0; walk->walkers != NULL &&
	    i < walk->options.threads; i++)
		free(walk->walkers[i].frames);
	free(walk->walkers);
}

static const struct dmt_input_kind generator_kind = {
	pull_generated, rewind_generated, want_generated, fini_generated
};

struct dmtrace_source *
dmt_generator_new(const struct dmtrace_generate_options *options,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    const uint32_t *method_ids, bool rebased, bool wraps)
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
	walk->shape = &shapes[options->shape];
	if (walk->options.burst == 0)
		walk->options.burst = walk->shape->burst;
	walk->method_ids = method_ids;
	walk->end_ns = dmt_generator_elapsed(options);
	walk->mean_ns = options->records == 0 ? 0 :
	    walk->end_ns / options->records;
	if (options->duration_ns == 0 &&
	    walk->shape->turn != TURN_SAMPLE &&
	    walk->shape->turn != TURN_SCRIPT)
		walk->mean_ns = walk->shape->step_ns;
	walk->gap_max_ns = wraps ? GAP_MAX_NS : UINT64_MAX;
	walk->rebased = rebased;
	walk->walkers = dmt_array_new(options->threads,
	    sizeof(*walk->walkers));
	if (!dmt_indexes_init(&walk->indexes, key, layout) ||
	    walk->walkers == NULL) {
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
	char elapsed[24], records[24], name[DMT_INVENT_THREAD_SIZE];
	const struct {
		const char *name, *value;
	} rows[] = {
		{ DMT_OPTION_OVERFLOW, "false" },
		{ DMT_OPTION_ELAPSED_US, elapsed },
		{ DMT_OPTION_CALLS, records },
		{ "clock-call-overhead-nsec", "138" },
		{ DMT_OPTION_VM, art ? "art" : "dalvik" },
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
		const size_t len = dmt_invent_thread(name, sizeof(name), i,
		    options->odd_names != 0);

		status = dmtrace_key_thread_add(key,
		    &(struct dmtrace_thread){ i + 1, { name, len } });
	}

	dmt_invent_init(&invention, options->seed,
	    options->shape == DMTRACE_SHAPE_APP, options->odd_names != 0);
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
	if ((unsigned)options.shape > DMTRACE_SHAPE_APP)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "there is no such shape");
	const struct shape *const shape = &shapes[options.shape];
	const char *const name = dmt_shape_names[options.shape];
	if (options.threads == 0)
		options.threads = shape->threads;
	if (options.methods == 0)
		options.methods = shape->methods;
	if (options.max_depth == 0)
		options.max_depth = shape->max_depth;
	if (options.burst != 0 && shape->burst == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "burst %" PRIu32 ": shape %s has bursts of its own",
		    options.burst, name);
	if (options.max_depth < shape->min_depth)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "max-depth %" PRIu32 ": shape %s takes %" PRIu32
		    " or more", options.max_depth, name, shape->min_depth);
	if (options.duration_ns > DURATION_MAX_NS)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "a duration is at most 52 days");
	options.records -= options.records % 2;
	const unsigned version = dmt_key_version(key);
	const struct {
		const char *what;
		uint32_t value, most;
	} limits[] = {
		{ "threads", options.threads,
		    dmt_writer_layout(writer)->thread.width == 1 ? UINT8_MAX :
		    UINT16_MAX },
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
	    dmt_writer_layout(writer), ids, rebased,
	    !writer->writing->format.ns);
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
