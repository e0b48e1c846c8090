/* walk.c - calls that threads might make, as events, the same for a seed */

#include "ops/walk.h"

#include <stdlib.h>

#include "base/array.h"
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

struct dmt_walk {
	struct dmt_random random;
	uint32_t salt;			/* who calls whom */
	const uint32_t *method_ids;
	uint32_t methods;
	uint32_t threads;
	uint32_t max_depth;
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
dmt_walk_elapsed(const struct dmtrace_generate_options *options)
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

static void
init_walkers(struct dmt_walk *walk)
{
	for (uint32_t i = 0; i < walk->threads; i++) {
		walk->walkers[i].number = i + 1;
		walk->walkers[i].frames =
		    walk->frames + (size_t)i * walk->max_depth;
	}
}

struct dmt_walk *
dmt_walk_new(const struct dmtrace_generate_options *options,
    const uint32_t *method_ids, bool rebased)
{
	struct dmt_walk *const walk = calloc(1, sizeof(*walk));

	if (walk == NULL)
		return NULL;
	walk->random.state = options->seed;
	walk->salt = (uint32_t)dmt_random_next(&walk->random);
	walk->method_ids = method_ids;
	walk->methods = options->methods;
	walk->threads = options->threads;
	walk->max_depth = options->max_depth;
	walk->end_ns = dmt_walk_elapsed(options);
	walk->rebased = rebased;
	walk->burst_max = burst_max(options);
	walk->left = options->records;
	walk->walkers = dmt_array_new(walk->threads, sizeof(*walk->walkers));
	walk->frames = dmt_array_new(walk->threads,
	    (size_t)walk->max_depth * sizeof(*walk->frames));
	if (walk->walkers == NULL || walk->frames == NULL) {
		dmt_walk_free(walk);
		return NULL;
	}
	init_walkers(walk);
	return walk;
}

void
dmt_walk_free(struct dmt_walk *walk)
{
	if (walk == NULL)
		return;
	free(walk->frames);
	free(walk->walkers);
	free(walk);
}

/* No more calls: those that are open take the records that are left. Since
 * records are even, they come out the same at some time. */
static bool
closing(const struct dmt_walk *walk)
{
	return walk->left == walk->open;
}

/* So that the events that are left come by the end. */
static void
set_pace(struct dmt_walk *walk)
{
	const uint64_t mean = (walk->end_ns - walk->wall_ns) / walk->left;

	walk->step_max_ns = 2 * (mean < MEAN_STEP_NS ? (uint32_t)mean :
	    MEAN_STEP_NS);
}

/* Moves the time on, and returns by how much. */
static uint64_t
tick(struct dmt_walk *walk, uint32_t bits)
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
next_open(const struct dmt_walk *walk)
{
	struct walker *const end = walk->walkers + walk->threads;
	struct walker *walker = walk->current;

	while (walker->depth == 0)
		if (++walker == end)
			walker = walk->walkers;
	return walker;
}

static void
begin_burst(struct dmt_walk *walk)
{
	if (closing(walk))
		walk->current = next_open(walk);
	else
		walk->current = walk->walkers +
		    dmt_random_below(&walk->random, walk->threads);
	walk->burst = 1 + dmt_random_below(&walk->random, walk->burst_max);
	set_pace(walk);
}

/* The first event of a thread may be where its wall time begins. */
static void
start(const struct dmt_walk *walk, struct walker *walker)
{
	if (!walker->started && walk->rebased)
		walker->base_ns = walk->wall_ns;
	walker->started = true;
}

/* A thread's CPU clock stands still while it waits for its turn. */
static void
take_turn(struct dmt_walk *walk, uint32_t bits)
{
	if (walk->burst == 0 || (closing(walk) && walk->current->depth == 0)) {
		begin_burst(walk);
		tick(walk, bits);
		start(walk, walk->current);
	} else {
		walk->current->cpu_ns += tick(walk, bits);
	}
	walk->burst--;
}

static bool
enters(const struct dmt_walk *walk, uint32_t bits)
{
	const struct walker *const walker = walk->current;

	if (walker->unrolling > 0 || walker->depth == walk->max_depth ||
	    closing(walk))
		return false;
	return walker->depth == 0 || bits % 2 == 0;
}

/* A method calls the same few others, and a thread begins with a few. */
static uint32_t
callee(const struct dmt_walk *walk, uint32_t bits)
{
	const struct walker *const walker = walk->current;
	const uint32_t caller = walker->depth == 0 ?
	    walk->methods + walker->number : walker->frames[walker->depth - 1];
	const uint32_t which = caller * CALLEES + bits / 2 % CALLEES;

	return dmt_random_scale((which ^ walk->salt) * 0x9e3779b1u,
	    walk->methods);
}

static void
enter(struct dmt_walk *walk, struct dmtrace_event *event, uint32_t bits)
{
	struct walker *const walker = walk->current;
	const uint32_t method = callee(walk, bits);

	walker->frames[walker->depth++] = method;
	walk->open++;
	event->method = walk->method_ids[method];
	event->action = DMTRACE_ENTER;
}

/* How many frames an exit leaves by a throw: mostly none. */
static uint32_t
thrown(const struct walker *walker, uint32_t bits)
{
	const uint32_t most =
	    walker->depth < UNROLLED_MAX ? walker->depth : UNROLLED_MAX;

	if (bits / 2 % THROWS != 0)
		return 0;
	return 1 + bits / 2 / THROWS % most;
}

static void
leave(struct dmt_walk *walk, struct dmtrace_event *event, uint32_t bits)
{
	struct walker *const walker = walk->current;

	if (walker->unrolling == 0)
		walker->unrolling = thrown(walker, bits);
	event->action = DMTRACE_EXIT;
	if (walker->unrolling > 0) {
		walker->unrolling--;
		event->action = DMTRACE_UNROLL;
	}
	walk->open--;
	event->method = walk->method_ids[walker->frames[--walker->depth]];
}

static inline void
make(struct dmt_walk *walk, struct dmtrace_event *event)
{
	const uint64_t random = dmt_random_next(&walk->random);
	const uint32_t bits = (uint32_t)random;

	take_turn(walk, (uint32_t)(random >> 32));
	if (enters(walk, bits))
		enter(walk, event, bits);
	else
		leave(walk, event, bits);
	walk->left--;
	event->thread = walk->current->number;
	event->cpu_ns = walk->current->cpu_ns;
	event->wall_ns = walk->wall_ns - walk->current->base_ns;
}

size_t
dmt_walk_next(struct dmt_walk *walk, struct dmtrace_event *events,
    size_t capacity)
{
	size_t count = 0;

	while (count < capacity && walk->left > 0)
		make(walk, &events[count++]);
	return count;
}
