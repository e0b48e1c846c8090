/* export_view.c - writes a page with the timeline and sums of traces */

/*
 * The page is a single document: it contains its style and script
 * (lib/export/view/), and the traces as text in elements that browsers do not
 * run. A trace is a JSON object, with methods and threads, and texts, in which
 * each thread has a line:
 *
 *   steps   the steps of calls.h: 0 for an exit, or the method's index + 1 for
 *           an enter, then the time since the previous step, by clock; for an
 *           event of no call, such as a stray exit, STRAY: it can be where a
 *           range of time begins or ends
 *   sums    calls that are not among the steps, summed by path: parent,
 *           method's index + 1, twice the calls, plus 1 if the CPU time is
 *           partial (see profile.h), exclusive CPU and wall time
 *
 * Of all threads together, it has a text strips (view_strips.h).
 * A trace with instants has one more text, entries: each line is a JSON array
 * of time, number of the thread, name and detail.
 *
 * Numbers are digits of base 92 from ' ' on (see view_page.h), so that most
 * take one or two characters, and the decoder can read them one by one. Times
 * are in the unit of the records; one that is not a multiple of it, or is
 * negative, is written as a 0 followed by nanoseconds; a CPU time that is not
 * known, as 0 and 2^64 - 1. Numbers in JavaScript
 * are exact up to 2^53: larger times are relative to an origin.
 *
 * A page opens quickly and has less than 16 MB, whatever the trace: names of
 * many methods are cut down (view_names.c), and the page is thinned if it would
 * have more than STEPS_MAX steps, or fewer if names and threads leave no room
 * for them. A first pass counts the calls; if all of them have room, the second
 * one writes their steps. If not, the second pass counts them by duration; the
 * third one leaves out those below a limit, the lowest that leaves
 * THINNED_STEPS at most. Whether a call is shorter than that is known at its
 * exit, so its enter is written when the call, or a call inside it, turns out
 * to be long enough. What was left out is there in five forms:
 *
 *   by place    before each step, the number and times of the calls that were
 *               left out since the step before, of those that the call which is
 *               open there made itself; after the last step, in the thread
 *   slices      by method and slice of time, of each thread, and of all if
 *               that has narrower slices (view_slices.c): with the steps these
 *               are the figures of a report
 *   sums        by path; of very many paths, short ones are folded, and a
 *               fourth pass makes the sums (view_paths.c). In the steps, the
 *               time of a call that was left out is part of its caller's time;
 *               its path has the time added, and the path of its caller has it
 *               subtracted
 *   marks       with both clocks, the CPU time of each thread at its first
 *               event in each slice, or in each few, which bound the wall time
 *               of a range of CPU time: slices since the one before, less 1,
 *               and nanoseconds
 *   durations   the number of calls by method and duration, and the slowest
 *               (view_durations.h)
 *
 * In memory are the open calls and, for a page that is thinned, the slices and
 * paths, which are both limited.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "events/select.h"
#include "export/by_thread.h"
#include "export/exporter.h"
#include "export/labels.h"
#include "export/view_durations.h"
#include "export/view_names.h"
#include "export/view_page.h"
#include "export/view_paths.h"
#include "export/view_slices.h"
#include "export/view_strips.h"
#include "private/export.h"
#include "private/key.h"

#define STEPS_MAX 1000000
#define THINNED_STEPS 500000
#define CELLS_MAX 1700000		/* of the slices of all threads, */
#define THREAD_CELLS_MAX 9000000	/* and of those of each thread */
#define THREAD_ROWS_MAX 100000		/* above, they are dropped */
#define BYTES_MAX 15500000		/* of a page: of this, */
#define NAMES_MAX 3500000		/* rows of methods, */
#define THREAD_BYTES 120		/* each thread, and each of its */
#define BIN_BYTES 3			/* bins of strips, */
#define STEP_BYTES 8			/* each step, or, if the times are */
#define STEP_NS_BYTES 12		/* nanoseconds, so many; */
#define PATH_BYTES 20			/* on a page that is thinned each path,
					   which calls that are shown have, */
#define SLOW_BYTES 100			/* the durations of a method, */
#define SLICES_MIN 2000000		/* and slices */
#define MARKS_MAX 100000		/* of all threads, of so many bytes */
#define MARK_BYTES 5
#define PATHS_MAX 400000		/* in memory, */
#define PATHS_FOLDED 100000		/* after they were folded, */
#define PATHS_WRITTEN 120000		/* and on a page, beside those of calls
					   that are shown */
#define CLOCKS DMTRACE_PROFILE_CLOCKS
#define SECOND UINT64_C(1000000000)
#define EXACT_MAX (UINT64_C(1) << 53)
/* How long counting the calls, and writing the steps and the page takes,
 * compared with a pass over the events: see dmt_want_pass. */
#define COUNT_WEIGHT 2
#define STEPS_WEIGHT 6
#define PATHS_WEIGHT 1
#define PAGE_WEIGHT 1
#define STRAY UINT32_MAX		/* in place of an index + 1 */

/* The texts of a thread in by_thread.h. */
enum { STEPS, MARKS };

enum view_pass { LOOK_AT_CALLS, COUNT_CALLS, WRITE_STEPS, SUM_PATHS };

enum { OCTAVE = 8, BUCKETS = 62 * OCTAVE };	/* of durations */

/* Calls that were left out, and their times. */
struct view_left {
	uint64_t calls;
	uint64_t ns[CLOCKS];
};

/* An open call. */
struct view_frame {
	struct dmt_call_frame frame;
	uint32_t method;
	uint32_t path;
	bool added;
	bool recursive;
	uint64_t start[CLOCKS];
	struct view_left left;		/* since the last step written, of the
					   calls that it made; when calls are
					   counted, times of all these */
};

/* What all calls of a method have. */
struct view_method {
	uint64_t sums[DMT_SLICE_SUMS];
};

struct view_thread {
	uint64_t last[CLOCKS];		/* of the last step written */
	uint64_t steps;
	uint64_t calls;
	uint64_t before;		/* inserted enters, */
	uint64_t after;			/* and exits; among the steps */
	uint32_t deepest;
	uint32_t written;		/* depth of the last step written */
	bool partial;			/* an exit had no CPU time */
	uint64_t now[CLOCKS];		/* of the step before */
	uint32_t slice;			/* of the latest step, */
	uint64_t slice_start[CLOCKS];	/* when it began, */
	uint64_t slice_end_ns;		/* and when the next one begins */
	uint32_t split_depth;		/* of the open call that began before
					   the slice and made one that ended in
					   it; 0: none */
	uint64_t callees[CLOCKS];	/* of that, before the slice */
	uint32_t marks;			/* the last one that was written + 1, */
	uint64_t mark_ns;		/* and its CPU time */
	bool begun;
	uint32_t depth;			/* of the open calls */
	struct dmt_view_paths paths;
	struct dmt_idmap open;		/* number of open calls by method */
};

struct view {
	struct dmt_by_thread texts;	/* of one trace */
	struct view_thread *threads;	/* by thread index */
	enum view_pass pass;
	uint64_t unit_ns;
	uint64_t events;
	uint64_t limit_ns;		/* shorter calls are left out */
	uint64_t summed;		/* number of calls */
	uint64_t scale_ns;		/* unit of their times */
	size_t paths;			/* of all threads */
	unsigned mark_bits;		/* a mark is 2^mark_bits slices */
	uint64_t fold_ns;		/* shorter paths were folded; 0: none */
	size_t paths_most;		/* fold them beyond it */
	struct view_method *methods;	/* by method index */
	struct dmt_view_names names;
	uint64_t begun_at;		/* bytes of the page before the trace */
	struct dmt_slices slices;	/* of all threads */
	struct dmt_slices thread_slices;
	bool no_thread_slices;		/* there were too many rows */
	const struct dmt_slices *grid;	/* of the narrowest slices of both */
	struct dmt_view_methods durations;
	struct dmt_strips strips;
	uint64_t by_duration[BUCKETS];	/* calls, counted in their pass */
	uint64_t from_ns, to_ns;	/* range over all threads */
	uint64_t origin_s[CLOCKS];	/* times are relative to it */
	int clock;			/* the clock for durations */
	bool entries_open;		/* their text is being written */
};

/* Returns a time in a unit of 1 or 1000 ns. A division by a constant takes a
 * fraction of the time of another one. */
static inline int64_t
divide_time(uint64_t ns, uint64_t unit_ns)
{
	return unit_ns == 1 ? (int64_t)ns : (int64_t)ns / 1000;
}

static bool
is_multiple(uint64_t ns, uint64_t unit_ns)
{
	return ns <= INT64_MAX &&
	    (uint64_t)divide_time(ns, unit_ns) * unit_ns == ns;
}

/* Encodes what was left out since the step before, and forgets it. */
static char *
code_left(char *at, const struct view *self, const struct dmt_calls *calls,
    struct view_left *left)
{
	at = dmt_view_code(at, left->calls);
	for (int clock = CLOCKS; clock-- > 0 && left->calls > 0; )
		if (calls->has_clock[clock])
			at = dmt_view_code(at, dmt_view_fold((uint64_t)
			    divide_time(left->ns[clock], self->scale_ns)));
	*left = (struct view_left){ .calls = 0 };
	return at;
}

/* Writes a step, and the time since the thread's last step. CPU time is
 * written as the difference to the wall time, which is usually small. outer is
 * the call that was open before the step. */
static void
write_step(struct view *self, const struct dmt_calls *calls, uint32_t index,
    struct view_frame *outer, uint64_t word, const uint64_t now[CLOCKS],
    bool no_cpu)
{
	struct view_thread *const thread = &self->threads[index];
	const uint64_t *const last = thread->steps > 0 ? thread->last :
	    dmt_calls_first(calls, index);
	const uint64_t unit = self->unit_ns;
	const uint64_t wall = now[DMTRACE_PROFILE_WALL] -
	    last[DMTRACE_PROFILE_WALL];
	const uint64_t cpu = now[DMTRACE_PROFILE_CPU] -
	    last[DMTRACE_PROFILE_CPU];
	const uint64_t wall_units = (uint64_t)divide_time(wall, unit);
	const uint64_t cpu_units = (uint64_t)divide_time(cpu, unit);
	const bool plain_wall = is_multiple(wall, unit);
	const bool plain = plain_wall && is_multiple(cpu, unit) && !no_cpu;
	char text[8 * DMT_VIEW_NUMBER_MAX];
	char *at = dmt_view_code(text, word);

	if (calls->has_clock[DMTRACE_PROFILE_WALL]) {
		at = dmt_view_code(at, plain_wall ? wall_units + 1 : 0);
		if (!plain_wall)
			at = dmt_view_code(at, dmt_view_fold(wall));
	}
	if (calls->has_clock[DMTRACE_PROFILE_CPU]) {
		at = dmt_view_code(at, plain ?
		    dmt_view_fold(wall_units - cpu_units) + 1 : 0);
		if (!plain)
			at = dmt_view_code(at, no_cpu ? UINT64_MAX :
			    dmt_view_fold(cpu));
	}
	if (self->limit_ns > 0)
		at = code_left(at, self, calls, &outer->left);
	memcpy(thread->last, now, sizeof(thread->last));
	thread->steps++;
	dmt_by_thread_write(&self->texts, index, STEPS, text,
	    (size_t)(at - text));
}

static struct view_frame *
view_frame_at(const struct dmt_calls *calls, uint32_t index, uint32_t depth)
{
	return dmt_frame_at(&calls->stacks, &calls->stacks.items[index], depth);
}

/* Returns the bucket of a duration; there are eight for each power of two. */
static size_t
duration_bucket(uint64_t ns)
{
	if (ns > INT64_MAX)
		return 0;		/* the clock was set back */
	const unsigned octave = ns < 2 * OCTAVE ? 0 :
	    (unsigned)dmt_last_bit(ns / OCTAVE);
	return octave * OCTAVE + (size_t)(ns >> octave);
}

/* Returns the shortest duration of a bucket. */
static uint64_t
bucket_start(size_t bucket)
{
	const size_t octave = bucket < 2 * OCTAVE ? 0 :
	    bucket / OCTAVE - 1;

	return (uint64_t)(bucket - octave * OCTAVE) << octave;
}

/* Folds short paths, so that at most so many of all threads remain beside those
 * that are kept. false: no memory. */
static bool
fold_view_paths(struct view *self, const struct dmt_calls *calls, size_t most)
{
	const size_t threads = calls->source->indexes->thread_count;
	uint64_t by_bound[BUCKETS] = { 0 };
	uint64_t remain = 0;
	size_t bucket = 0;

	/* Choose a higher limit. No bound is below the one before. */
	for (uint32_t i = 0; i < threads; i++) {
		struct view_thread *const thread = &self->threads[i];

		for (uint32_t depth = 1; depth <= thread->depth; depth++)
			thread->paths.items[view_frame_at(calls, i,
			    depth)->path].open = true;
		uint64_t *const bounds = dmt_view_paths_bounds(&thread->paths,
		    self->clock);
		if (bounds == NULL)
			return false;
		for (size_t k = 0; k < thread->paths.count; k++)
			if (bounds[k] != UINT64_MAX) {
				remain++;
				by_bound[duration_bucket(bounds[k] -
				    self->fold_ns)]++;
			}
		free(bounds);
	}
	while (remain > most && bucket < BUCKETS - 1)
		remain -= by_bound[bucket++];
	self->fold_ns += bucket_start(bucket);

	self->paths = 0;
	for (uint32_t i = 0; i < threads; i++) {
		struct view_thread *const thread = &self->threads[i];
		uint32_t *places;

		if (!dmt_view_paths_fold(&thread->paths, self->clock,
		    self->fold_ns, &places))
			return false;
		for (uint32_t depth = 1; depth <= thread->depth; depth++) {
			struct view_frame *const frame =
			    view_frame_at(calls, i, depth);

			frame->path = places[frame->path];
		}
		free(places);
		self->paths += thread->paths.count;
	}
	if (self->paths_most < self->paths + PATHS_FOLDED)
		self->paths_most = self->paths + PATHS_FOLDED;
	return true;
}

/* In a page that is thinned, notes what a call needs if it is left out. false:
 * no memory. */
static bool
note_view_call(struct view *self, const struct dmt_calls *calls,
    const struct dmt_call_step *step, struct view_frame *frame)
{
	struct view_thread *const thread = &self->threads[step->thread];
	uint32_t *const open = dmt_idmap_at(&thread->open,
	    self->names.same[step->method]);
	const size_t paths = thread->paths.count;

	if (open == NULL)
		return false;
	frame->recursive = (*open)++ > 0;
	frame->path = dmt_view_paths_add(&thread->paths, frame[-1].path,
	    self->names.same[step->method] + 1, self->fold_ns);
	if (frame->path == UINT32_MAX)
		return false;
	thread->depth = step->depth;
	self->paths += thread->paths.count - paths;
	return self->paths <= self->paths_most ||
	    fold_view_paths(self, calls, PATHS_FOLDED);
}

static bool
enter_view_call(struct view *self, const struct dmt_calls *calls,
    const struct dmt_call_step *step)
{
	struct view_thread *const thread = &self->threads[step->thread];
	struct view_frame *const frame = dmt_calls_frame(calls, step);

	*frame = (struct view_frame){
		.frame = frame->frame,
		.method = step->method, .added = step->added,
		.start = { step->ns[0], step->ns[1] }
	};
	if (self->pass == COUNT_CALLS)
		return true;
	if (self->pass == SUM_PATHS) {
		frame->path = dmt_view_paths_find(&thread->paths,
		    frame[-1].path, self->names.same[step->method] + 1);
		return frame->path != UINT32_MAX;
	}
	if (step->depth > thread->deepest)
		thread->deepest = step->depth;
	if (self->limit_ns > 0)
		return note_view_call(self, calls, step, frame);
	thread->before += step->added;
	thread->written = step->depth;
	write_step(self, calls, step->thread, frame - 1,
	    (uint64_t)self->names.row[step->method] + 1, step->ns, false);
	return true;
}

/* false: no memory. */
static bool
add_to_slices(struct view *self, struct dmt_slice_call call)
{
	if (!self->no_thread_slices &&
	    !dmt_slices_add(&self->thread_slices, &call))
		return false;
	call.thread = 0;
	return self->slices.row_count == 0 ||
	    dmt_slices_add(&self->slices, &call);
}

/* Adds a call that is left out to its path. */
static void
add_to_path(struct view *self, const struct dmt_call_step *step,
    const struct view_frame *frame, const uint64_t took[CLOCKS], bool partial)
{
	struct dmt_view_path *const paths =
	    self->threads[step->thread].paths.items;

	paths[frame->path].calls++;
	paths[frame->path].partial |= partial;
	for (int clock = 0; clock < CLOCKS; clock++) {
		paths[frame->path].exclusive[clock] += took[clock];
		paths[frame[-1].path].exclusive[clock] -= took[clock];
	}
}

/* Moves up to so much of a time to another call, if it has so much. */
static void
move_time(struct dmt_slice_call *to, struct dmt_slice_call *from, int sum,
    int64_t time)
{
	if (time > from->sums[sum])
		time = from->sums[sum];
	if (time <= 0)
		return;
	to->sums[sum] += time;
	from->sums[sum] -= time;
}

/* Returns how much of an open call passed before the thread's latest slice; 0
 * if it began in that. */
static uint64_t
passed_before(const struct view *self, const struct view_thread *thread,
    const struct view_frame *frame, int clock)
{
	return thread->slice == 0 || frame->start[self->clock] >=
	    thread->slice_start[self->clock] ? 0 :
	    thread->slice_start[clock] - frame->start[clock];
}

/* Counts a call that is left out; what passed before the latest slice counts
 * for the slice before that. false: no memory. */
static bool
leave_out(struct view *self, const struct dmt_call_step *step,
    struct view_frame *frame, const uint64_t took[CLOCKS], bool partial)
{
	struct view_thread *const thread = &self->threads[step->thread];
	struct view_frame *const caller = &frame[-1];
	const uint32_t slice = dmt_slices_place(self->grid,
	    step->ns[self->clock]);
	const uint64_t *const callees = thread->split_depth == step->depth ?
	    thread->callees : frame->left.ns;
	const uint64_t passed[CLOCKS] = {
		passed_before(self, thread, frame, 0),
		passed_before(self, thread, frame, 1)
	};
	struct dmt_slice_call call = {
		.thread = step->thread,
		.method = self->names.same[frame->method],
		.slice = slice, .partial = partial
	}, before = {
		.thread = call.thread, .method = call.method,
		.slice = thread->slice - 1
	};
	const bool split = passed[self->clock] > 0 && thread->slice <= slice;
	const uint64_t scale_ns = self->scale_ns;

	self->summed++;
	add_to_path(self, step, frame, took, partial);
	call.sums[frame->recursive ? DMT_SLICE_RECURSIVE :
	    DMT_SLICE_CALLS] = 1;
	for (int clock = 0; clock < CLOCKS; clock++) {
		call.sums[DMT_SLICE_INCLUSIVE + clock] = frame->recursive ? 0 :
		    divide_time(took[clock], scale_ns);
		call.sums[DMT_SLICE_EXCLUSIVE + clock] = divide_time(
		    took[clock] - frame->left.ns[clock], scale_ns);
		if (!split)
			continue;
		move_time(&before, &call, DMT_SLICE_INCLUSIVE + clock,
		    divide_time(passed[clock], scale_ns));
		move_time(&before, &call, DMT_SLICE_EXCLUSIVE + clock,
		    divide_time(passed[clock] - callees[clock], scale_ns));
	}

	/* The caller may end in this slice, too: note what passed of the calls
	 * that it made. */
	const bool first = thread->split_depth != step->depth - 1 &&
	    passed_before(self, thread, caller, self->clock) > 0;
	if (first)
		thread->split_depth = step->depth - 1;
	caller->left.calls++;
	for (int clock = 0; clock < CLOCKS; clock++) {
		if (first)
			thread->callees[clock] = caller->left.ns[clock] +
			    passed[clock];
		caller->left.ns[clock] += took[clock];
	}
	return (!split || add_to_slices(self, before)) &&
	    add_to_slices(self, call);
}

/* Writes the CPU time of the first step of a mark. */
static void
write_mark(struct view *self, const struct dmt_call_step *step, uint32_t mark)
{
	struct view_thread *const thread = &self->threads[step->thread];
	const uint64_t cpu_ns = step->ns[DMTRACE_PROFILE_CPU] -
	    self->origin_s[DMTRACE_PROFILE_CPU] * SECOND;
	char text[2 * DMT_VIEW_NUMBER_MAX];

	if (mark < thread->marks)
		return;
	char *at = dmt_view_code(text, mark - thread->marks);
	at = dmt_view_code(at, dmt_view_fold(cpu_ns - thread->mark_ns));
	thread->marks = mark + 1;
	thread->mark_ns = cpu_ns;
	dmt_by_thread_write(&self->texts, step->thread, MARKS, text,
	    (size_t)(at - text));
}

/* Before a step that is in another slice than the one before it: notes when the
 * slice begins, which splits the open calls. */
static void
enter_slice(struct view *self, const struct dmt_calls *calls,
    const struct dmt_call_step *step)
{
	struct view_thread *const thread = &self->threads[step->thread];
	const struct dmt_slices *const grid = self->grid;
	const struct dmt_event_times last = {
		thread->now[DMTRACE_PROFILE_WALL],
		thread->now[DMTRACE_PROFILE_CPU]
	};
	const struct dmt_event_times next = {
		step->ns[DMTRACE_PROFILE_WALL], step->ns[DMTRACE_PROFILE_CPU]
	};

	if (step->ns[self->clock] < thread->slice_end_ns)
		return;
	const uint32_t slice = dmt_slices_place(grid, step->ns[self->clock]);
	if (calls->has_clock[DMTRACE_PROFILE_WALL] &&
	    calls->has_clock[DMTRACE_PROFILE_CPU])
		write_mark(self, step, slice >> self->mark_bits);
	const uint64_t start_ns = grid->from_ns + slice * grid->width_ns;
	thread->slice = slice;
	thread->split_depth = 0;
	thread->slice_end_ns = start_ns + grid->width_ns;
	thread->slice_start[DMTRACE_PROFILE_CPU] =
	    self->clock == DMTRACE_PROFILE_CPU ? start_ns :
	    dmt_interpolate_cpu(&last, &next, start_ns);
	thread->slice_start[DMTRACE_PROFILE_WALL] =
	    self->clock == DMTRACE_PROFILE_WALL ? start_ns : 0;
}

/* When calls are counted, notes a call for the choice of slices. false: no
 * memory. */
static bool
note_for_slices(struct view *self, const struct dmt_call_step *step,
    struct view_frame *frame, const uint64_t took[CLOCKS])
{
	struct dmt_slice_call call = {
		.thread = step->thread, .method = frame->method,
		.sums = { [DMT_SLICE_CALLS] = 1, [DMT_SLICE_RECURSIVE] = 1 }
	};

	for (int clock = 0; clock < CLOCKS; clock++) {
		frame[-1].left.ns[clock] += took[clock];
		call.sums[DMT_SLICE_INCLUSIVE + clock] = (int64_t)took[clock];
		call.sums[DMT_SLICE_EXCLUSIVE + clock] =
		    (int64_t)(took[clock] - frame->left.ns[clock]);
	}
	for (int i = 0; i < DMT_SLICE_SUMS; i++)
		if (call.sums[i] > 0)
			self->methods[frame->method].sums[i] +=
			    (uint64_t)call.sums[i];
	if (!self->no_thread_slices &&
	    self->thread_slices.row_count >= THREAD_ROWS_MAX) {
		self->no_thread_slices = true;
		dmt_slices_fini(&self->thread_slices);
	}
	return self->no_thread_slices ||
	    dmt_slices_note(&self->thread_slices, &call);
}

static bool
leave_view_call(struct view *self, const struct dmt_calls *calls,
    const struct dmt_call_step *step)
{
	struct view_thread *const thread = &self->threads[step->thread];
	struct view_frame *const frame = dmt_calls_frame(calls, step);
	const uint64_t took[CLOCKS] = {
		step->ns[0] - frame->start[0], step->ns[1] - frame->start[1]
	};

	if (self->pass == COUNT_CALLS) {
		self->by_duration[duration_bucket(took[self->clock])]++;
		if (!is_multiple(took[0], self->unit_ns) ||
		    !is_multiple(took[1], self->unit_ns))
			self->scale_ns = 1;
		return note_for_slices(self, step, frame, took);
	}
	const bool first_partial = step->no_cpu && !thread->partial;
	const bool shown = step->depth <= thread->written ||
	    duration_bucket(took[self->clock]) >=
	    duration_bucket(self->limit_ns);
	thread->partial |= step->no_cpu;
	if (self->pass == SUM_PATHS) {
		if (shown)
			thread->written = step->depth - 1;
		else
			add_to_path(self, step, frame, took, first_partial);
		return true;
	}
	thread->calls++;
	if (self->limit_ns > 0) {
		const uint32_t method = self->names.same[frame->method];

		thread->depth = step->depth - 1;
		(*dmt_idmap_find(&thread->open, method))--;
		if (!dmt_view_methods_add(&self->durations, method,
		    &(struct dmt_slow_call){ .took_ns = took[self->clock],
		    .start_ns = frame->start[self->clock],
		    .thread = step->thread }, shown))
			return false;
		if (!shown)
			return leave_out(self, step, frame, took,
			    first_partial);
		thread->paths.items[frame->path].shown = true;
	}
	while (thread->written < step->depth) {
		struct view_frame *const enters =
		    frame - (step->depth - ++thread->written);

		thread->before += enters->added;
		write_step(self, calls, step->thread, enters - 1,
		    (uint64_t)self->names.row[enters->method] + 1,
		    enters->start, false);
	}
	thread->after += step->added;
	thread->written = step->depth - 1;
	write_step(self, calls, step->thread, frame, 0, step->ns,
	    step->no_cpu);
	return true;
}

static bool
begin_view_thread(void *owner, uint32_t index, void *thread)
{
	(void)owner;
	(void)index;
	return dmt_view_paths_begin(&((struct view_thread *)thread)->paths);
}

static void
fini_view_thread(void *thread)
{
	struct view_thread *const own = thread;

	dmt_view_paths_fini(&own->paths);
	dmt_idmap_fini(&own->open);
}

/* If times are large, makes the second in which the first event is the
 * origin. */
static void
choose_origin(struct view *self, const struct dmt_calls *calls)
{
	for (int clock = 0; clock < CLOCKS; clock++) {
		uint64_t first = UINT64_MAX, last = 0;

		for (size_t i = 0; i < calls->order.count; i++) {
			const uint32_t index = calls->order.items[i];

			if (dmt_calls_first(calls, index)[clock] < first)
				first = dmt_calls_first(calls, index)[clock];
			if (dmt_calls_last(calls, index)[clock] > last)
				last = dmt_calls_last(calls, index)[clock];
		}
		if (last > EXACT_MAX)
			self->origin_s[clock] = first / SECOND;
	}
}

/* Returns how many bytes a call has. */
static uint64_t
bytes_of_call(const struct view *self)
{
	return 2 * (self->unit_ns == 1 ? STEP_NS_BYTES : STEP_BYTES);
}

/* Returns true if so many bytes have room for the steps of so many calls. */
static bool
has_room(const struct view *self, uint64_t calls, uint64_t room)
{
	return calls <= room / bytes_of_call(self) && calls <= STEPS_MAX / 2;
}

/* Chooses the duration below which the next pass sums up calls. The steps have
 * room for so many bytes, with what a page that is thinned has besides. */
static void
choose_limit(struct view *self, uint64_t calls, uint64_t room)
{
	const uint64_t needed = PATHS_WRITTEN * PATH_BYTES +
	    self->names.row_count * SLOW_BYTES + SLICES_MIN +
	    MARKS_MAX * MARK_BYTES;
	const uint64_t thinned = (room < needed ? 0 : room - needed) /
	    (bytes_of_call(self) + PATH_BYTES);
	const uint64_t most = thinned < THINNED_STEPS / 2 ? thinned :
	    THINNED_STEPS / 2;
	size_t bucket = 0;

	while (calls > most && bucket < BUCKETS - 1)
		calls -= self->by_duration[bucket++];
	self->limit_ns = bucket_start(bucket);
}

/* Chooses the slices. Those of all threads are of no use if there is one, or if
 * those of each thread are about as narrow. false: no memory. */
static bool
begin_slices(struct view *self, const struct dmt_indexes *indexes)
{
	struct dmt_slices_plan plan = {
		.from_ns = self->from_ns, .to_ns = self->to_ns,
		.clock = self->clock, .scale_ns = self->scale_ns,
		.threads = indexes->thread_count, .cells = THREAD_CELLS_MAX
	};

	for (uint32_t i = 0; (indexes->thread_count > 1 ||
	    self->no_thread_slices) && i < indexes->method_count; i++) {
		struct dmt_slice_call call = { .method = self->names.same[i] };

		for (int sum = 0; sum < DMT_SLICE_SUMS; sum++)
			call.sums[sum] = (int64_t)self->methods[i].sums[sum];
		if (!dmt_slices_note(&self->slices, &call))
			return false;
	}
	if (!self->no_thread_slices &&
	    (!dmt_slices_rename(&self->thread_slices, self->names.same) ||
	    !dmt_slices_begin(&self->thread_slices, &plan)))
		return false;
	self->grid = self->no_thread_slices ? &self->slices :
	    &self->thread_slices;
	plan.threads = 1;
	plan.cells = CELLS_MAX;
	plan.slices = self->thread_slices.count;
	if (!dmt_slices_begin(&self->slices, &plan))
		return false;
	if (dmt_slices_mean(&self->thread_slices) * 2 >=
	    dmt_slices_mean(&self->slices) && !self->no_thread_slices)
		dmt_slices_fini(&self->slices);
	return true;
}

static void
choose_range(struct view *self, const struct dmt_calls *calls)
{
	for (size_t i = 0; i < calls->order.count; i++) {
		const uint64_t first =
		    dmt_calls_first(calls, calls->order.items[i])[self->clock];
		const uint64_t last =
		    dmt_calls_last(calls, calls->order.items[i])[self->clock];

		if (i == 0 || first < self->from_ns)
			self->from_ns = first;
		if (i == 0 || last > self->to_ns)
			self->to_ns = last;
	}
	if (self->to_ns < self->from_ns)
		self->to_ns = self->from_ns;
}

/* Chooses the methods that have names, by their times, or NULL (see
 * view_names.h), and begins the strips; *room is the number of bytes that the
 * steps then have. false: no memory. */
static bool
begin_names(struct view *self, const struct dmt_indexes *indexes,
    const uint64_t *ns, bool half, uint64_t *room)
{
	const uint64_t most = BYTES_MAX / (half ? 2 : 1);

	if (!dmt_view_names_begin(&self->names, indexes, ns,
	    NAMES_MAX / (half ? 2 : 1)) || !dmt_strips_begin(&self->strips,
	    self->from_ns, self->to_ns, indexes->thread_count,
	    self->names.package_count))
		return false;
	const uint64_t taken = self->names.rows.len + indexes->thread_count *
	    (THREAD_BYTES + self->strips.bins * BIN_BYTES);
	*room = taken < most ? most - taken : 0;
	return true;
}

/* After the first pass: if all calls and names have room, nothing needs to be
 * counted. false: no memory. */
static bool
begin_whole_page(struct view *self, const struct dmt_calls *calls, bool half)
{
	uint64_t room = BYTES_MAX;

	choose_range(self, calls);
	choose_origin(self, calls);
	self->pass = COUNT_CALLS;
	if (!has_room(self, calls->count, room))
		return true;
	if (!begin_names(self, calls->source->indexes, NULL, half, &room))
		return false;
	if (!self->names.cut && has_room(self, calls->count, room)) {
		self->pass = WRITE_STEPS;
		return true;
	}
	dmt_view_names_fini(&self->names);
	dmt_strips_fini(&self->strips);
	return true;
}

/* After calls were counted: chooses what the page shows, for its size. false:
 * no memory. */
static bool
begin_page(struct view *self, const struct dmt_calls *calls, bool half)
{
	const struct dmt_indexes *const indexes = calls->source->indexes;
	uint64_t *const ns = dmt_array_new(indexes->method_count, sizeof(*ns));
	uint64_t room;

	if (ns == NULL)
		return false;
	for (size_t i = 0; i < indexes->method_count; i++)
		ns[i] = self->methods[i].sums[DMT_SLICE_INCLUSIVE +
		    self->clock];
	const bool named = begin_names(self, indexes, ns, half, &room);
	free(ns);
	if (!named)
		return false;
	for (size_t i = 0; i < calls->order.count; i++)
		view_frame_at(calls, calls->order.items[i], 0)->left =
		    (struct view_left){ .calls = 0 };
	self->pass = WRITE_STEPS;
	if (has_room(self, calls->count, room))
		return true;
	choose_limit(self, calls->count, room);
	self->paths_most = PATHS_MAX;
	if (!begin_slices(self, indexes) || !dmt_view_methods_begin(
	    &self->durations, self->names.row_count))
		return false;
	while (self->grid->count >> self->mark_bits > MARKS_MAX /
	    indexes->thread_count)
		self->mark_bits++;
	return true;
}

/* Adds the time between a step and the one before it to the strip of its
 * thread. */
static void
add_to_strip(struct view *self, const struct dmt_calls *calls,
    const struct dmt_call_step *step)
{
	struct view_thread *const thread = &self->threads[step->thread];
	const uint64_t *const now = step->ns;
	const int clock = self->clock;
	const uint32_t depth = step->depth - step->enters;
	const uint64_t took = now[clock] - thread->now[clock];
	const uint64_t used = now[DMTRACE_PROFILE_CPU] -
	    thread->now[DMTRACE_PROFILE_CPU];

	if (thread->begun && depth > 0 && took <= INT64_MAX) {
		const uint32_t method = view_frame_at(calls, step->thread,
		    depth)->method;

		dmt_strips_add(&self->strips, step->thread,
		    &(struct dmt_strip_part){
		    .from_ns = thread->now[clock], .to_ns = now[clock],
		    .cpu_ns = !calls->has_clock[DMTRACE_PROFILE_CPU] ? took :
		    used > INT64_MAX ? 0 : used,
		    .method = self->names.row[method],
		    .package = self->names.package[method] });
	}
	thread->begun = true;
	memcpy(thread->now, now, sizeof(thread->now));
}

static void
put_view_thread(const struct view *self, struct dmt_output *out,
    const struct dmt_calls *calls, uint32_t index)
{
	const struct dmt_indexed_thread *const indexed =
	    &calls->source->indexes->threads[index];
	const struct view_thread *const thread = &self->threads[index];
	const uint64_t *const first = dmt_calls_first(calls, index);
	const uint64_t *const last = dmt_calls_last(calls, index);
	const uint64_t cpu = self->origin_s[DMTRACE_PROFILE_CPU] * SECOND;
	const uint64_t wall = self->origin_s[DMTRACE_PROFILE_WALL] * SECOND;
	const struct view_left *const left =
	    &view_frame_at(calls, index, 0)->left;

	dmt_put_format(out, "[%" PRIu32 ",", indexed->number);
	dmt_view_put_string(out, dmt_labels_thread_name(indexed));
	dmt_put_format(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
	    ",%" PRIu32, thread->calls, thread->steps, thread->before,
	    thread->after, thread->deepest);
	dmt_put_format(out, ",[%" PRIu64 ",%" PRIu64 "],[%" PRIu64 ",%" PRIu64
	    "]", first[0] - cpu, first[1] - wall, last[0] - cpu,
	    last[1] - wall);
	if (self->limit_ns > 0)
		dmt_put_format(out, ",[%" PRIu64 ",%" PRId64 ",%" PRId64 "]",
		    left->calls, (int64_t)left->ns[0],
		    (int64_t)left->ns[1]);
	dmt_put(out, "]");
}

/* Writes what a page that is thinned has of the whole trace. */
static enum dmtrace_status
put_left_out(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	struct view *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const size_t count = calls->source->indexes->thread_count;
	uint32_t *const places = dmt_array_new(count, sizeof(*places));

	if (places == NULL)
		return dmt_error_memory(&exporter->error);
	for (size_t i = 0; i < count; i++)
		places[i] = 0;
	for (size_t i = 0; i < calls->order.count; i++)
		places[calls->order.items[i]] = (uint32_t)i;
	dmt_view_put_text(out, "durations", exporter->traces - 1);
	dmt_view_methods_put(&self->durations, out, places,
	    self->origin_s[self->clock] * SECOND, self->scale_ns);
	dmt_put(out, "</script>\n");
	free(places);
	return DMTRACE_OK;
}

/* Writes the slices, with what the page has room for. */
static enum dmtrace_status
put_slices(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	struct view *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const uint64_t origin_ns = self->origin_s[self->clock] * SECOND;
	const uint64_t room = (exporter->options.compare ? BYTES_MAX / 2 :
	    BYTES_MAX) + self->begun_at;
	const size_t bytes = out->written + SLICES_MIN < room ?
	    (size_t)(room - out->written) : SLICES_MIN;
	const uint64_t width_ns = self->grid->width_ns;
	const uint64_t late_ns = self->limit_ns > width_ns ?
	    self->limit_ns - width_ns : 0;
	const bool several = self->slices.row_count > 0;

	if (!dmt_slices_fit(&self->thread_slices, several ? bytes / 4 * 3 :
	    bytes) || !dmt_slices_fit(&self->slices, self->no_thread_slices ?
	    bytes : bytes / 4))
		return dmt_error_memory(&exporter->error);
	if (several) {
		dmt_view_put_text(out, "slices", exporter->traces - 1);
		dmt_slices_put(&self->slices, out, 0, calls->has_clock,
		    origin_ns, late_ns);
		dmt_put(out, "</script>\n");
	}
	if (self->no_thread_slices)
		return DMTRACE_OK;
	dmt_view_put_text(out, "threadSlices", exporter->traces - 1);
	for (size_t i = 0; i < calls->order.count; i++) {
		dmt_slices_put(&self->thread_slices, out,
		    calls->order.items[i], calls->has_clock, origin_ns,
		    late_ns);
		dmt_put(out, "\n");
	}
	dmt_put(out, "</script>\n");
	return DMTRACE_OK;
}

/* Writes the JSON object of the trace. */
static void
put_object(const struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	const struct view *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const struct dmtrace_source *const source = calls->source;
	size_t silent = dmtrace_key_thread_count(source->key);

	dmt_put(out, "<script type=\"application/json\" class=\"trace\">"
	    "{\"name\":");
	/* Folders may say whose trace it is, and where. */
	const char *const slash = strrchr(exporter->name, '/');
	const char *const file = slash != NULL ? slash + 1 : exporter->name;
	dmt_view_put_string(out, (struct dmtrace_text){ file, strlen(file) });
	dmt_put_format(out, ",\"clocks\":[%s%s%s],\"comparable\":%s,"
	    "\"unit\":%" PRIu64,
	    calls->has_clock[DMTRACE_PROFILE_WALL] ? "\"wall\"" : "",
	    calls->has_clock[0] && calls->has_clock[1] ? "," : "",
	    calls->has_clock[DMTRACE_PROFILE_CPU] ? "\"cpu\"" : "",
	    dmt_times_comparable(source->key, source->layout) ? "true" :
	    "false", self->unit_ns);
	if (exporter->instant_count > 0)
		dmt_put_format(out, ",\"start_us\":%" PRIu64,
		    exporter->start_ns / 1000 +
		    self->origin_s[DMTRACE_PROFILE_WALL] * 1000000);
	dmt_put_format(out, ",\"origin_s\":{\"cpu\":%" PRIu64 ",\"wall\":%"
	    PRIu64 "}", self->origin_s[DMTRACE_PROFILE_CPU],
	    self->origin_s[DMTRACE_PROFILE_WALL]);
	const struct dmtrace_option *const pid =
	    dmtrace_key_option_find(source->key, "pid");
	if (pid != NULL) {
		dmt_put(out, ",\"pid\":");
		dmt_view_put_string(out, pid->value);
	}
	dmt_put(out, dmt_key_overflowed(source->key) ?
	    ",\"bounds\":true" : ",\"bounds\":false");
	if (exporter->options.compare && exporter->traces == 2)
		dmt_put(out, ",\"compare\":true");
	dmt_put(out, ",\"selection\":[");
	char *const *const words = exporter->options.selection;
	for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
		dmt_put(out, i > 0 ? "," : "");
		dmt_view_put_string(out, (struct dmtrace_text){ words[i],
		    strlen(words[i]) });
	}
	dmt_put(out, "]");
	dmt_put_format(out, ",\"events\":%" PRIu64 ",\"summed\":%" PRIu64
	    ",\"limit\":%" PRIu64 ",\n", exporter->counts.events -
	    self->events, self->summed, self->limit_ns);
	if (self->limit_ns > 0) {
		dmt_put_format(out, "\"thinned\":\"%s\",\"scale\":%" PRIu64
		    ",\"folded\":%" PRIu64 ",\"threadSlices\":%s,\n",
		    self->clock == DMTRACE_PROFILE_CPU ? "cpu" : "wall",
		    self->scale_ns, self->fold_ns,
		    self->no_thread_slices ? "false" : "true");
		dmt_put_format(out, "\"marks\":{\"from\":%" PRIu64
		    ",\"width\":%" PRIu64 "},\n", self->grid->from_ns -
		    self->origin_s[self->clock] * SECOND,
		    self->grid->width_ns << self->mark_bits);
	}
	dmt_put(out, "\"methods\":[");
	const struct dmtrace_text rows = dmt_output_text(&self->names.rows);
	dmt_output_write(out, rows.bytes, rows.len);
	dmt_put(out, "]");
	dmt_put_format(out, ",\n\"strips\":{\"from\":%" PRIu64
	    ",\"width\":%" PRIu64 ",\"bins\":%zu}", self->strips.from_ns -
	    self->origin_s[self->clock] * SECOND, self->strips.width_ns,
	    self->strips.bins);
	dmt_put(out, ",\n\"threads\":[");
	for (size_t i = 0; i < calls->order.count; i++) {
		const uint32_t index = calls->order.items[i];

		dmt_put(out, i > 0 ? ",\n" : "\n");
		put_view_thread(self, out, calls, index);
		silent -= source->indexes->threads[index].row != NULL;
	}
	dmt_put_format(out, "],\n\"silent\":%zu}</script>\n", silent);
}

static void
put_sums(const struct view *self, struct dmt_output *out,
    const struct dmt_view_paths *paths)
{
	for (size_t k = 0; k < paths->count; k++) {
		const struct dmt_view_path *const path = &paths->items[k];
		uint64_t exclusive[CLOCKS];

		for (int clock = 0; clock < CLOCKS; clock++)
			exclusive[clock] = (uint64_t)divide_time(
			    path->exclusive[clock], self->scale_ns);
		dmt_view_put_sum(out, k - path->parent,
		    path->method == DMT_OTHER_PATHS ? 0 : path->method,
		    path->calls, exclusive, path->partial);
	}
}

/* Writes the trace: its object, and its texts. */
static enum dmtrace_status
put_trace(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	struct view *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const struct dmtrace_source *const source = calls->source;
	enum dmtrace_status status = dmt_by_thread_finish(&self->texts);

	put_object(exporter, calls);
	dmt_view_put_text(out, "strips", exporter->traces - 1);
	for (size_t i = 0; i < calls->order.count; i++)
		dmt_strips_put(&self->strips, out, calls->order.items[i]);
	dmt_put(out, "</script>\n");
	uint64_t total = 0, copied = 0;
	for (uint32_t i = 0; i < source->indexes->thread_count; i++)
		total += dmt_by_thread_len(&self->texts, i);
	dmt_view_put_text(out, "steps", exporter->traces - 1);
	for (size_t i = 0; i < calls->order.count && status == DMTRACE_OK;
	    i++) {
		const uint32_t index = calls->order.items[i];

		status = dmt_by_thread_copy(&self->texts, index, STEPS, out);
		dmt_put(out, "\n");
		copied += dmt_by_thread_len(&self->texts, index);
		if (status == DMTRACE_OK)
			status = dmt_report_last_pass(calls->source, copied,
			    total);
	}
	dmt_put(out, "</script>\n");
	if (self->limit_ns == 0 || status != DMTRACE_OK)
		return status;
	dmt_view_put_text(out, "marks", exporter->traces - 1);
	for (size_t i = 0; i < calls->order.count && status == DMTRACE_OK;
	    i++) {
		status = dmt_by_thread_copy(&self->texts,
		    calls->order.items[i], MARKS, out);
		dmt_put(out, "\n");
	}
	dmt_put(out, "</script>\n");
	if (status == DMTRACE_OK)
		status = put_left_out(exporter, calls);
	dmt_view_put_text(out, "sums", exporter->traces - 1);
	for (size_t i = 0; i < calls->order.count; i++) {
		put_sums(self, out,
		    &self->threads[calls->order.items[i]].paths);
		dmt_put(out, "\n");
	}
	dmt_put(out, "</script>\n");
	return status == DMTRACE_OK ? put_slices(exporter, calls) : status;
}

/* After the pass that wrote the steps of a page that is thinned: if there are
 * too many paths, chooses those that are kept, and asks for a pass that sums
 * them up. false: no memory. */
static bool
begin_sums(struct view *self, struct dmt_exporter *exporter,
    const struct dmt_calls *calls)
{
	if (self->fold_ns == 0 && self->paths <= PATHS_WRITTEN)
		return true;
	if (!fold_view_paths(self, calls, PATHS_WRITTEN))
		return false;
	for (size_t i = 0; i < calls->order.count; i++) {
		struct view_thread *const thread =
		    &self->threads[calls->order.items[i]];

		dmt_view_paths_fix(&thread->paths);
		thread->partial = false;
	}
	self->pass = SUM_PATHS;
	exporter->again = PATHS_WEIGHT;
	return true;
}

/* Handles a block of steps in any pass; a block without steps is the end. */
static enum dmtrace_status
take_view_steps(struct dmt_exporter *exporter,
    const struct dmt_calls *calls)
{
	struct view *const self = exporter->state;

	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step = &calls->steps.items[i];

		if (self->pass == WRITE_STEPS && step->depth > 0) {
			if (self->limit_ns > 0)
				enter_slice(self, calls, step);
			add_to_strip(self, calls, step);
		}
		if (step->depth > 0 && step->enters) {
			if (!enter_view_call(self, calls, step))
				return dmt_error_memory(&exporter->error);
		} else if (step->depth > 0) {
			if (!leave_view_call(self, calls, step))
				return dmt_error_memory(&exporter->error);
		} else if (self->pass == WRITE_STEPS && self->limit_ns == 0) {
			write_step(self, calls, step->thread, NULL, STRAY,
			    step->ns, false);
		}
	}
	if (calls->steps.count > 0)
		return DMTRACE_OK;
	if (self->pass == WRITE_STEPS && self->limit_ns > 0 &&
	    !begin_sums(self, exporter, calls))
		return dmt_error_memory(&exporter->error);
	if (self->pass >= WRITE_STEPS)
		return exporter->again > 0 ? DMTRACE_OK :
		    put_trace(exporter, calls);
	const bool half = exporter->options.compare;
	if (!(self->pass == LOOK_AT_CALLS ?
	    begin_whole_page(self, calls, half) :
	    begin_page(self, calls, half)))
		return dmt_error_memory(&exporter->error);
	exporter->again = self->pass == COUNT_CALLS ? COUNT_WEIGHT :
	    STEPS_WEIGHT;
	return DMTRACE_OK;
}

static void
end_entries(struct dmt_exporter *exporter)
{
	const struct view *const self = exporter->state;

	if (self->entries_open)
		dmt_put(exporter->out, "</script>\n");
}

static enum dmtrace_status
take_view(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct view *const self = exporter->state;

	end_entries(exporter);
	*self = (struct view){
		.unit_ns = dmt_layout_has_ns(source->layout) ? 1 : 1000,
		.scale_ns = dmt_layout_has_ns(source->layout) ? 1 : 1000,
		.clock = dmt_export_clock(source),
		.begun_at = exporter->out->written,
		.events = exporter->counts.events
	};
	enum dmtrace_status status =
	    dmt_by_thread_init(&self->texts, source);
	dmt_attach(source, &self->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*self->threads),
	    .init = begin_view_thread, .fini = fini_view_thread });
	dmt_attach(source, &self->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*self->methods) });
	if (status == DMTRACE_OK) {
		/* If no pass of paths is needed, progress skips its part. */
		dmt_want_pass(source, COUNT_WEIGHT + STEPS_WEIGHT +
		    PATHS_WEIGHT + PAGE_WEIGHT);
		status = dmt_export_calls(exporter, source, false,
		    take_view_steps);
	}
	if (exporter->error.status == DMTRACE_OK)
		exporter->error = self->texts.spool.error;
	dmt_view_names_fini(&self->names);
	dmt_strips_fini(&self->strips);
	dmt_slices_fini(&self->slices);
	dmt_slices_fini(&self->thread_slices);
	dmt_view_methods_fini(&self->durations);
	dmt_by_thread_fini(&self->texts);
	*self = (struct view){
		.entries_open = exporter->instant_count > 0,
		.origin_s = { self->origin_s[0], self->origin_s[1] }
	};
	if (self->entries_open)
		dmt_view_put_text(exporter->out, "entries",
		    exporter->traces - 1);
	return status;
}

static enum dmtrace_status
put_view_instant(struct dmt_exporter *exporter,
    const struct dmt_export_instant *instant, uint64_t time_ns,
    const struct dmt_indexed_thread *thread, uint32_t index)
{
	const struct view *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	(void)thread;
	(void)index;
	dmt_put_format(out, "\n[%" PRIu64 ",%" PRIu32 ",", time_ns -
	    self->origin_s[DMTRACE_PROFILE_WALL] * SECOND, instant->thread);
	dmt_view_put_string(out, instant->name);
	dmt_put(out, ",");
	dmt_view_put_string(out, instant->detail);
	dmt_put(out, "]");
	return DMTRACE_OK;
}

static enum dmtrace_status
begin_view(struct dmt_exporter *exporter)
{
	dmt_view_put_begin(exporter->out, "dmtrace");
	return DMTRACE_OK;
}

static enum dmtrace_status
end_view(struct dmt_exporter *exporter)
{
	end_entries(exporter);
	dmt_view_put_end(exporter->out);
	return DMTRACE_OK;
}

const struct dmt_format dmt_format_html = {
	.about = {
		.name = "html",
		.viewers = "any browser",
		.open = "dmtrace view --open",
		.instants = 1,
		.ending = ".html",
	},
	.state_size = sizeof(struct view),
	.frame_size = sizeof(struct view_frame),
	.begin = begin_view, .take = take_view, .end = end_view,
	.strays = true, .looks = true, .put_instant = put_view_instant,
};
