/* export_parquet.c - writes calls and other tables for engines of SQL */

/*
 * The file is one table: calls, events, a profile, methods or threads. A call
 * is written when it ends, as its duration is then known; what it needs until
 * then is stored for each open call. Columns have the names of the other
 * exports. Sums over the rows are those of "dmtrace report": inclusive time is
 * that of the calls which are not recursive, that is, not made while a call of
 * a method with the same names is open in the thread.
 *
 * Times are those of the trace: where a clock was set back, durations are
 * negative. What is not known, or what the clock of a trace lacks, is NULL.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "events/select.h"
#include "export/exporter.h"
#include "export/parquet_encode.h"
#include "export/parquet_file.h"
#include "format/header.h"
#include "private/export.h"
#include "private/profile.h"
#include "private/select.h"
#include "private/text.h"
#include "private/trace.h"
#include "trace/reader_source.h"

#define CLOCKS DMTRACE_PROFILE_CLOCKS
#define SCHEMA_VERSION "1"
#define FACT_MAX 32			/* bytes of a value in the metadata */
#define SEVERAL "several"

/* Columns that rows have in common: their places after those of the trace. */
enum { THREAD_NUMBER, THREAD_NAME, THREAD_COLUMNS };
enum { METHOD_ID, METHOD_CLASS, METHOD_NAME, METHOD_SIGNATURE };

#define TEXT DMT_PARQUET_TEXT
#define BOOL DMT_PARQUET_BOOL
#define INT DMT_PARQUET_INT
#define TIME DMT_PARQUET_TIME

enum { CALL_THREAD, CALL_METHOD = CALL_THREAD + THREAD_COLUMNS,
	CALL_START_TIME = CALL_METHOD + 4, CALL_START, CALL_DURATION,
	CALL_EXCLUSIVE, CALL_CPU, CALL_EXCLUSIVE_CPU, CALL_DEPTH,
	CALL_RECURSIVE, CALL_CALL, CALL_PARENT, CALL_CUT, CALL_COLUMNS };

static const struct dmt_parquet_column call_columns[CALL_COLUMNS] = {
	{ "thread", INT, false },		{ "thread_name", TEXT, false },
	{ "id", TEXT, false },			{ "class", TEXT, false },
	{ "name", TEXT, false },		{ "signature", TEXT, false },
	{ "start_time", TIME, true },	{ "start_ns", INT, true },
	{ "duration_ns", INT, true },	{ "exclusive_ns", INT, true },
	{ "cpu_ns", INT, true },	{ "exclusive_cpu_ns", INT, true },
	{ "depth", INT, false },		{ "recursive", BOOL, false },
	{ "call", INT, false },		{ "parent", INT, true },
	{ "cut", BOOL, false }
};

enum { EVENT_THREAD, EVENT_METHOD = EVENT_THREAD + THREAD_COLUMNS,
	EVENT_ACTION = EVENT_METHOD + 4, EVENT_TIME, EVENT_CPU, EVENT_WALL,
	EVENT_DEPTH, EVENT_COLUMNS };

static const struct dmt_parquet_column event_columns[EVENT_COLUMNS] = {
	{ "thread", INT, false },		{ "thread_name", TEXT, false },
	{ "id", TEXT, false },			{ "class", TEXT, false },
	{ "name", TEXT, false },		{ "signature", TEXT, false },
	{ "action", TEXT, false },		{ "time", TIME, true },
	{ "cpu_ns", INT, true },	{ "wall_ns", INT, true },
	{ "depth", INT, false }
};

enum { PROFILE_THREAD, PROFILE_CLASS = PROFILE_THREAD + THREAD_COLUMNS,
	PROFILE_NAME, PROFILE_SIGNATURE, PROFILE_CALLS, PROFILE_RECURSIVE,
	PROFILE_INCLUSIVE_CPU, PROFILE_INCLUSIVE_WALL, PROFILE_EXCLUSIVE_CPU,
	PROFILE_EXCLUSIVE_WALL, PROFILE_COLUMNS };

static const struct dmt_parquet_column profile_columns[PROFILE_COLUMNS] = {
	{ "thread", INT, true },	{ "thread_name", TEXT, true },
	{ "class", TEXT, false },		{ "name", TEXT, false },
	{ "signature", TEXT, false },		{ "calls", INT, false },
	{ "recursive_calls", INT, false },
	{ "inclusive_cpu_ns", INT, true },
	{ "inclusive_wall_ns", INT, true },
	{ "exclusive_cpu_ns", INT, true },
	{ "exclusive_wall_ns", INT, true }
};

enum { LISTED_METHOD, LISTED_FILE = LISTED_METHOD + 4, LISTED_LINE,
	LISTED_LISTED, LISTED_EVENTS, LISTED_COLUMNS };

static const struct dmt_parquet_column method_columns[LISTED_COLUMNS] = {
	{ "id", TEXT, false },			{ "class", TEXT, false },
	{ "name", TEXT, false },		{ "signature", TEXT, false },
	{ "file", TEXT, false },		{ "line", INT, true },
	{ "listed", BOOL, false },		{ "events", INT, false }
};

enum { OF_THREAD, OF_LISTED = OF_THREAD + THREAD_COLUMNS, OF_EVENTS,
	OF_START_TIME, OF_START, OF_DURATION, OF_CPU, OF_COLUMNS };

static const struct dmt_parquet_column thread_columns[OF_COLUMNS] = {
	{ "thread", INT, false },		{ "thread_name", TEXT, false },
	{ "listed", BOOL, false },		{ "events", INT, false },
	{ "start_time", TIME, true },	{ "start_ns", INT, true },
	{ "duration_ns", INT, true },	{ "cpu_ns", INT, true }
};

#undef TEXT
#undef BOOL
#undef INT
#undef TIME

struct parquet_call {
	struct dmt_call_frame frame;
	uint64_t start[CLOCKS];
	uint64_t inner[CLOCKS];		/* time of its callees */
	uint64_t call;			/* its number in the thread */
	bool no_cpu;			/* its start has no CPU time */
	bool inner_no_cpu;		/* nor has the end of a callee */
	bool recursive, cut;
};

/* A method of the trace: numbers of its texts. */
struct parquet_method {
	uint32_t texts[4];		/* by METHOD_ID and so on */
	uint32_t group;			/* the methods with these names */
	uint64_t events;
};

struct parquet_thread {
	uint32_t name;
	uint32_t series;
	uint64_t calls;			/* begun so far */
	uint64_t *open;			/* a bit for each group: a call of it
					   is open */
	size_t open_capacity;		/* in words */
	uint64_t events;		/* of a table of threads, as the next
					   three */
	uint64_t first[CLOCKS];
	uint64_t last[CLOCKS];
	bool no_cpu;			/* the last event has no CPU time */
};

/* What the metadata says of the traces: the same for all, or "several". */
enum { FACT_DIALECT, FACT_CLOCK, FACT_VM, FACT_START, FACTS };

static const char *const fact_names[FACTS] = {
	"dmtrace.dialect", "dmtrace.clock", "dmtrace.vm", "dmtrace.start_us"
};

struct parquet {
	struct dmt_parquet file;
	struct dmt_parquet_column *columns;	/* trace, labels, and those of
						   the table */
	size_t first;			/* column of the table */
	uint32_t *labels;		/* numbers of their values */
	struct dmt_name_table groups;	/* of methods with the same names */
	const struct dmt_indexes *indexes;	/* of the trace */
	struct parquet_method *methods;	/* by index */
	struct parquet_thread *threads;
	uint32_t next_series;
	uint32_t trace;			/* number of its name */
	uint32_t actions[4];		/* numbers of their names */
	bool has_start;			/* known, and that of all threads */
	uint64_t start_us;		/* since 1970 */
	char facts[FACTS][FACT_MAX];
};

/* The rows of a table. */
struct parquet_table {
	const char *name;
	const struct dmt_parquet_column *columns;
	size_t count;
	enum dmtrace_status (*take)(struct dmt_exporter *exporter,
	    struct dmtrace_source *source);
};

/* Rows. */

/* Puts a value in a column of the table. */
static inline void
put(struct parquet *self, size_t column, uint64_t value)
{
	dmt_parquet_put(&self->file, self->first + column, value);
}

static inline void
put_if(struct parquet *self, size_t column, bool there, uint64_t value)
{
	dmt_parquet_put_if(&self->file, self->first + column, there, value);
}

static inline void
put_start_time(struct parquet *self, size_t column, bool there, uint64_t ns)
{
	const int64_t us = (int64_t)ns / 1000;

	put_if(self, column, there && self->has_start,
	    self->start_us + (uint64_t)us);
}

/* Puts the texts of a method in four columns from that one on. */
static inline void
put_method_texts(struct parquet *self, size_t column,
    const struct parquet_method *method)
{
	for (size_t i = 0; i < 4; i++)
		put(self, column + i, method->texts[i]);
}

/* Ends a row, with the columns that all rows have. false: no memory. */
static bool
end_row(struct parquet *self, unsigned part, uint32_t series,
    uint64_t rank)
{
	dmt_parquet_put(&self->file, 0, self->trace);
	for (size_t i = 1; i < self->first; i++)
		dmt_parquet_put(&self->file, i, self->labels[i - 1]);
	return dmt_parquet_end_row(&self->file, part, series, rank);
}

static uint32_t
text_number(struct parquet *self, struct dmtrace_text text)
{
	return dmt_parquet_text(&self->file, text);
}

/* Finds the texts of a method that has an event. false: no memory. */
static bool
know_method(struct parquet *self, const struct dmt_indexed_method *indexed,
    struct parquet_method *method)
{
	char number[DMT_NUMBER_MAX], id[24];
	const struct dmtrace_profile_method named =
	    dmt_labels_method(indexed, number);
	const struct dmt_name name = {
		.class_name = named.class_name, .name = named.name,
		.signature = named.signature,
		.listed = indexed->row != NULL && indexed->row->name.len > 0
	};
	const struct dmtrace_text texts[4] = {
		{ id, (size_t)snprintf(id, sizeof(id), "0x%" PRIx64,
		    indexed->id) },
		named.class_name, named.name, named.signature
	};

	for (size_t i = 0; i < 4; i++) {
		method->texts[i] = text_number(self, texts[i]);
		if (method->texts[i] == DMT_NO_NAME)
			return false;
	}
	method->group = dmt_name_table_intern(&self->groups, &name);
	return method->group != DMT_NO_NAME;
}

static bool
begin_method(void *owner, uint32_t index, void *method)
{
	struct parquet *const self = owner;

	return know_method(self, &self->indexes->methods[index], method);
}

static bool
begin_thread(void *owner, uint32_t index, void *item)
{
	struct parquet *const self = owner;
	struct parquet_thread *const thread = item;

	thread->name = text_number(self,
	    dmt_labels_thread_name(&self->indexes->threads[index]));
	thread->series = self->next_series++;
	return thread->name != DMT_NO_NAME;
}

static void
fini_thread(void *thread)
{
	free(((struct parquet_thread *)thread)->open);
}

/* Has the texts of the threads and methods of a source. */
static void
attach_parquet(struct parquet *self, struct dmtrace_source *source)
{
	self->indexes = source->indexes;
	dmt_attach(source, &self->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*self->threads),
	    .init = begin_thread, .fini = fini_thread,
	    .owner = self });
	dmt_attach(source, &self->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*self->methods),
	    .init = begin_method, .owner = self });
}

/* Calls. */

/* Says that a call of the group is open, and returns whether one was.
 * *failed: no memory. */
static bool
open_group(struct parquet_thread *thread, uint32_t group, bool *failed)
{
	const size_t at = group / 64;
	const uint64_t bit = UINT64_C(1) << group % 64;

	if (at >= thread->open_capacity) {
		uint64_t *const open = dmt_array_grow_zero(thread->open,
		    &thread->open_capacity, at + 1, sizeof(*open));

		*failed = open == NULL;
		if (open == NULL)
			return false;
		thread->open = open;
	}
	const bool was_open = (thread->open[at] & bit) != 0;
	thread->open[at] |= bit;
	return was_open;
}

/* Returns the part of a row group where a call is, by the longer one of its
 * durations. Calls of about the same duration are next to each other, so that
 * pages of short ones need few bits: those below 16 us, which have 16 values in
 * most traces, then below 64 us, 256 us, and so on. */
static unsigned
part_of_call(const uint64_t took[CLOCKS])
{
	const uint64_t longest =
	    (int64_t)took[0] > (int64_t)took[1] ? took[0] : took[1];

	return (dmt_parquet_bits(longest / 1000 >> 4) + 1) / 2;
}

/* Puts the row of a call that ends. false: no memory. */
static bool
put_call_row(struct parquet *self, const struct dmt_calls *calls,
    const struct dmt_call_step *step, const struct parquet_call *call)
{
	const int wall = DMTRACE_PROFILE_WALL, cpu = DMTRACE_PROFILE_CPU;
	const bool has_wall = calls->has_clock[wall];
	const bool has_cpu = calls->has_clock[cpu];
	const struct parquet_thread *const thread =
	    &self->threads[step->thread];
	uint64_t took[CLOCKS];

	for (int clock = 0; clock < CLOCKS; clock++)
		took[clock] = step->ns[clock] - call->start[clock];
	put(self, CALL_THREAD,
	    calls->source->indexes->threads[step->thread].number);
	put(self, CALL_THREAD + THREAD_NAME, thread->name);
	put_method_texts(self, CALL_METHOD, &self->methods[step->method]);
	put_start_time(self, CALL_START_TIME, has_wall, call->start[wall]);
	put_if(self, CALL_START, has_wall, call->start[wall]);
	put_if(self, CALL_DURATION, has_wall, took[wall]);
	put_if(self, CALL_EXCLUSIVE, has_wall,
	    took[wall] - call->inner[wall]);
	put_if(self, CALL_CPU, has_cpu && !step->no_cpu, took[cpu]);
	/* If a callee has the unknown time, this call has not. */
	put_if(self, CALL_EXCLUSIVE_CPU,
	    has_cpu && !(step->no_cpu && !call->inner_no_cpu),
	    took[cpu] - call->inner[cpu]);
	put(self, CALL_DEPTH, step->depth);
	put(self, CALL_RECURSIVE, call->recursive);
	put(self, CALL_CALL, call->call);
	put_if(self, CALL_PARENT, step->depth > 1, call[-1].call);
	put(self, CALL_CUT, call->cut || step->cut);
	return end_row(self, part_of_call(took), thread->series,
	    call->call);
}

static enum dmtrace_status
put_calls(struct dmt_exporter *exporter,
    const struct dmt_calls *calls)
{
	struct parquet *const self = exporter->state;

	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step =
		    &calls->steps.items[i];
		struct parquet_thread *const thread =
		    &self->threads[step->thread];
		const uint32_t group = self->methods[step->method].group;
		struct parquet_call *const call = dmt_calls_frame(calls, step);
		bool failed = false;

		if (step->enters) {
			*call = (struct parquet_call){
				.frame = call->frame,
				.start = { step->ns[0], step->ns[1] },
				.call = ++thread->calls,
				.no_cpu = step->no_cpu, .cut = step->cut,
				.recursive = open_group(thread, group, &failed)
			};
		} else {
			if (!call->recursive)
				thread->open[group / 64] &=
				    ~(UINT64_C(1) << group % 64);
			call[-1].inner_no_cpu |= step->no_cpu;
			for (int clock = 0; clock < CLOCKS; clock++)
				call[-1].inner[clock] +=
				    step->ns[clock] - call->start[clock];
			failed = !put_call_row(self, calls, step, call);
		}
		if (failed)
			return dmt_error_memory(&exporter->error);
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
take_call_table(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	attach_parquet(exporter->state, source);
	return dmt_export_calls(exporter, source, false,
	    put_calls);
}

/* Events. */

static bool
put_event_row(struct dmt_exporter *exporter,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at, uint32_t depth)
{
	struct parquet *const self = exporter->state;
	const uint32_t index = batch->thread[at];
	const struct parquet_thread *const thread = &self->threads[index];
	const bool has_wall = dmt_layout_has_wall(source->layout);
	const bool has_cpu = dmt_layout_has_cpu(source->layout) &&
	    !(batch->flags[at] & DMT_EVENT_NO_CPU);

	put(self, EVENT_THREAD, source->indexes->threads[index].number);
	put(self, EVENT_THREAD + THREAD_NAME, thread->name);
	put_method_texts(self, EVENT_METHOD, &self->methods[batch->method[at]]);
	put(self, EVENT_ACTION, self->actions[batch->action[at]]);
	put_start_time(self, EVENT_TIME, has_wall, batch->wall_ns[at]);
	put_if(self, EVENT_WALL, has_wall, batch->wall_ns[at]);
	put_if(self, EVENT_CPU, has_cpu, batch->cpu_ns[at]);
	put(self, EVENT_DEPTH, depth);
	return end_row(self, 0, thread->series, 0);
}

static enum dmtrace_status
take_event_table(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	attach_parquet(exporter->state, source);
	return dmt_export_events(exporter, source, put_event_row);
}

/* Profiles. */

/* Puts the methods of one table of a profile. false: no memory. */
static bool
put_profile_rows(struct parquet *self, const struct dmtrace_profile *profile,
    size_t table, const struct dmtrace_profile_thread *thread)
{
	const size_t count = dmtrace_profile_method_count(profile);
	struct dmtrace_profile_summary summary;
	const uint32_t thread_name = thread == NULL ? 0 :
	    text_number(self, thread->name);

	if (thread_name == DMT_NO_NAME)
		return false;
	dmtrace_profile_summary_get(profile, &summary);
	const bool has_wall = summary.has_clock[DMTRACE_PROFILE_WALL];
	const bool has_cpu = summary.has_clock[DMTRACE_PROFILE_CPU];
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, table, i, &method);
		if (i != DMTRACE_PROFILE_TOP &&
		    method.calls + method.recursive_calls == 0)
			continue;
		const int64_t *const inclusive = method.inclusive_ns;
		const int64_t *const exclusive = method.exclusive_ns;
		const struct dmtrace_text texts[3] = { method.class_name,
			method.name, method.signature };
		put_if(self, PROFILE_THREAD, thread != NULL,
		    thread == NULL ? 0 : thread->number);
		put_if(self, PROFILE_THREAD + THREAD_NAME, thread != NULL,
		    thread_name);
		for (size_t at = 0; at < 3; at++) {
			const uint32_t number = text_number(self, texts[at]);

			if (number == DMT_NO_NAME)
				return false;
			put(self, PROFILE_CLASS + at, number);
		}
		put(self, PROFILE_CALLS, method.calls);
		put(self, PROFILE_RECURSIVE, method.recursive_calls);
		put_if(self, PROFILE_INCLUSIVE_WALL, has_wall,
		    (uint64_t)inclusive[DMTRACE_PROFILE_WALL]);
		put_if(self, PROFILE_EXCLUSIVE_WALL, has_wall,
		    (uint64_t)exclusive[DMTRACE_PROFILE_WALL]);
		put_if(self, PROFILE_INCLUSIVE_CPU,
		    has_cpu && !method.inclusive_partial,
		    (uint64_t)inclusive[DMTRACE_PROFILE_CPU]);
		put_if(self, PROFILE_EXCLUSIVE_CPU,
		    has_cpu && !method.exclusive_partial,
		    (uint64_t)exclusive[DMTRACE_PROFILE_CPU]);
		if (!end_row(self, 0, 0, 0))
			return false;
	}
	return true;
}

static enum dmtrace_status
take_profile_table(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct parquet *const self = exporter->state;
	const bool per_thread = exporter->options.per_thread;
	const struct dmtrace_profile_options options = {
		.keep = per_thread ? DMTRACE_PROFILE_THREADS : 0
	};
	struct dmtrace_profile *const profile = dmtrace_profile_new(&options);
	bool done = profile != NULL;

	if (!done)
		return dmt_error_memory(&exporter->error);
	dmt_source_keep(source, 2);
	const enum dmtrace_status status = dmt_profile_add(profile, source);
	if (status != DMTRACE_OK)
		exporter->error = *dmtrace_profile_error(profile);
	else if (!per_thread)
		done = put_profile_rows(self, profile, 0, NULL);
	for (size_t i = 0; status == DMTRACE_OK && per_thread && done &&
	    i < dmtrace_profile_thread_count(profile); i++) {
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(profile, i, &thread);
		done = put_profile_rows(self, profile, i + 1, &thread);
	}
	dmtrace_profile_free(profile);
	return done ? status : dmt_error_memory(&exporter->error);
}

/* Methods and threads. */

/* Puts the row of a method. false: no memory. */
static bool
put_listed_method(struct parquet *self,
    const struct dmt_indexed_method *indexed, uint64_t events)
{
	struct parquet_method method = { .events = 0 };
	const struct dmtrace_method *const row = indexed->row;
	const uint32_t file = text_number(self, row == NULL ?
	    (struct dmtrace_text){ "", 0 } : row->file);
	const bool has_line = row != NULL && row->line != DMTRACE_NO_LINE;

	if (file == DMT_NO_NAME || !know_method(self, indexed, &method))
		return false;
	put_method_texts(self, LISTED_METHOD, &method);
	put(self, LISTED_FILE, file);
	put_if(self, LISTED_LINE, has_line,
	    has_line ? (uint64_t)(int64_t)row->line : 0);
	put(self, LISTED_LISTED, row != NULL);
	put(self, LISTED_EVENTS, events);
	return end_row(self, 0, 0, 0);
}

/* Counts the events of methods and threads, and notes the times of threads. */
static enum dmtrace_status
count_events(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct parquet *const self = exporter->state;
	const bool has_cpu = dmt_layout_has_cpu(source->layout);
	const bool has_wall = dmt_layout_has_wall(source->layout);
	struct dmt_batch *batch;

	attach_parquet(self, source);
	dmt_want(source, DMT_COLUMN_ALL);
	for (;;) {
		if (dmt_pull(source, &batch) != DMTRACE_OK)
			return dmtrace_source_error(source)->status;
		if (batch == NULL)
			return DMTRACE_OK;
		exporter->counts.events += batch->kept;
		for (size_t i = 0; i < batch->kept; i++) {
			const size_t at = batch->keep[i];
			struct parquet_thread *const thread =
			    &self->threads[batch->thread[at]];

			self->methods[batch->method[at]].events++;
			thread->last[DMTRACE_PROFILE_CPU] =
			    has_cpu ? batch->cpu_ns[at] : 0;
			thread->last[DMTRACE_PROFILE_WALL] =
			    has_wall ? batch->wall_ns[at] : 0;
			thread->no_cpu =
			    (batch->flags[at] & DMT_EVENT_NO_CPU) != 0;
			if (thread->events++ == 0)
				for (int clock = 0; clock < CLOCKS; clock++)
					thread->first[clock] =
					    thread->last[clock];
		}
	}
}

/* The methods that have events, then those of the key that have none. */
static enum dmtrace_status
take_method_table(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct parquet *const self = exporter->state;
	const struct dmt_indexes *const indexes = source->indexes;
	const enum dmtrace_status status = count_events(exporter, source);

	if (status != DMTRACE_OK)
		return status;
	const size_t count = dmtrace_key_method_count(source->key);
	const struct dmtrace_method *const rows =
	    dmtrace_key_method_get(source->key, 0);
	bool *const has_events = dmt_array_new(count, sizeof(*has_events));
	bool done = has_events != NULL;

	for (size_t i = 0; i < indexes->method_count && done; i++) {
		const struct dmt_indexed_method *const indexed =
		    &indexes->methods[i];

		if (indexed->row != NULL)
			has_events[indexed->row - rows] = true;
		done = put_listed_method(self, indexed,
		    self->methods[i].events);
	}
	for (size_t i = 0; i < count && done; i++) {
		const struct dmt_indexed_method indexed = {
			.id = rows[i].id, .row = &rows[i]
		};

		if (!has_events[i])
			done = put_listed_method(self, &indexed, 0);
	}
	free(has_events);
	return done ? DMTRACE_OK : dmt_error_memory(&exporter->error);
}

/* Puts the row of a thread. false: no memory. */
static bool
put_listed_thread(struct parquet *self, const struct dmtrace_source *source,
    uint32_t number, bool is_listed, const struct parquet_thread *thread)
{
	const bool has_wall = dmt_layout_has_wall(source->layout) &&
	    thread->events > 0;
	const bool has_cpu = dmt_layout_has_cpu(source->layout) &&
	    thread->events > 0 && !thread->no_cpu;
	const uint64_t *const first = thread->first;
	const uint64_t *const last = thread->last;

	put(self, OF_THREAD, number);
	put(self, OF_THREAD + THREAD_NAME, thread->name);
	put(self, OF_LISTED, is_listed);
	put(self, OF_EVENTS, thread->events);
	put_start_time(self, OF_START_TIME, has_wall,
	    first[DMTRACE_PROFILE_WALL]);
	put_if(self, OF_START, has_wall, first[DMTRACE_PROFILE_WALL]);
	put_if(self, OF_DURATION, has_wall, last[DMTRACE_PROFILE_WALL] -
	    first[DMTRACE_PROFILE_WALL]);
	put_if(self, OF_CPU, has_cpu, last[DMTRACE_PROFILE_CPU] -
	    first[DMTRACE_PROFILE_CPU]);
	return end_row(self, 0, 0, 0);
}

/* The threads that have events, then those of the key that have none. */
static enum dmtrace_status
take_thread_table(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct parquet *const self = exporter->state;
	const struct dmt_indexes *const indexes = source->indexes;
	const enum dmtrace_status status = count_events(exporter, source);

	if (status != DMTRACE_OK)
		return status;
	const size_t count = dmtrace_key_thread_count(source->key);
	const struct dmtrace_thread *const rows =
	    dmtrace_key_thread_get(source->key, 0);
	bool *const has_events = dmt_array_new(count, sizeof(*has_events));
	bool done = has_events != NULL;

	for (size_t i = 0; i < indexes->thread_count && done; i++) {
		const struct dmt_indexed_thread *const indexed =
		    &indexes->threads[i];

		if (indexed->row != NULL)
			has_events[indexed->row - rows] = true;
		done = put_listed_thread(self, source, indexed->number,
		    indexed->row != NULL, &self->threads[i]);
	}
	for (size_t i = 0; i < count && done; i++) {
		const struct parquet_thread thread = {
			.name = text_number(self, rows[i].name)
		};

		if (!has_events[i])
			done = thread.name != DMT_NO_NAME &&
			    put_listed_thread(self, source, rows[i].id, true,
			    &thread);
	}
	free(has_events);
	return done ? DMTRACE_OK : dmt_error_memory(&exporter->error);
}

/* The file. */

/* by enum dmtrace_export_rows */
static const struct parquet_table tables[] = {
	{ "calls", call_columns, CALL_COLUMNS, take_call_table },
	{ "events", event_columns, EVENT_COLUMNS, take_event_table },
	{ "profile", profile_columns, PROFILE_COLUMNS, take_profile_table },
	{ "methods", method_columns, LISTED_COLUMNS, take_method_table },
	{ "threads", thread_columns, OF_COLUMNS, take_thread_table }
};

static const struct parquet_table *
table_of(const struct dmt_exporter *exporter)
{
	return &tables[exporter->options.rows];
}

static enum dmtrace_status
begin_parquet(struct dmt_exporter *exporter)
{
	struct parquet *const self = exporter->state;
	const struct dmt_exporter_options *const options = &exporter->options;
	const struct parquet_table *const table = table_of(exporter);
	const size_t labels = options->label_count;
	bool done;

	self->first = 1 + labels;
	self->columns = dmt_array_new(self->first + table->count,
	    sizeof(*self->columns));
	self->labels = dmt_array_new(labels, sizeof(*self->labels));
	if (self->columns == NULL || self->labels == NULL)
		return dmt_error_memory(&exporter->error);
	if (dmt_export_check_labels(exporter, "trace") != DMTRACE_OK)
		return exporter->error.status;
	for (size_t i = 0; i < table->count; i++)
		if (dmt_export_check_labels(exporter,
		    table->columns[i].name) != DMTRACE_OK)
			return exporter->error.status;
	self->columns[0].name = "trace";
	for (size_t i = 0; i < labels; i++)
		self->columns[1 + i].name = options->labels[i].name;
	memcpy(self->columns + self->first, table->columns,
	    table->count * sizeof(*self->columns));
	done = dmt_parquet_init(&self->file, self->columns,
	    self->first + table->count, exporter->out);
	for (size_t i = 0; i < labels && done; i++) {
		self->labels[i] = text_number(self,
		    dmt_text_of(options->labels[i].value));
		done = self->labels[i] != DMT_NO_NAME;
	}
	for (int i = 0; i < 4 && done; i++) {
		self->actions[i] = text_number(self, dmt_text_of(
		    dmtrace_action_name((enum dmtrace_action)i)));
		done = self->actions[i] != DMT_NO_NAME;
	}
	return done ? DMTRACE_OK : dmt_error_memory(&exporter->error);
}

/* Notes what is known of a trace besides its key. */
static void
note_facts(struct dmt_exporter *exporter, const struct dmtrace_source *source)
{
	struct parquet *const self = exporter->state;
	const struct dmtrace_reader *const reader = dmt_source_reader(source);
	const struct dmt_header *const header =
	    reader == NULL ? NULL : dmt_reader_header(reader);
	const struct dmt_version *const version =
	    header == NULL ? NULL : dmt_version_find(header->version);
	const struct dmtrace_option *const vm =
	    dmtrace_key_option_find(source->key, DMT_OPTION_VM);
	char facts[FACTS][FACT_MAX] = { "" };
	const bool is_known = dmt_export_start(source, &self->start_us);

	self->has_start = is_known &&
	    dmt_times_comparable(source->key, source->layout);
	if (version != NULL)
		snprintf(facts[FACT_DIALECT], FACT_MAX, "%s", version->name);
	snprintf(facts[FACT_CLOCK], FACT_MAX, "%s",
	    dmtrace_clock_name(dmt_layout_clock(source->layout)));
	if (vm != NULL)
		dmt_escape(facts[FACT_VM], FACT_MAX, vm->value.bytes,
		    vm->value.len);
	if (is_known)
		snprintf(facts[FACT_START], FACT_MAX, "%" PRIu64,
		    self->start_us);
	for (int i = 0; i < FACTS; i++)
		if (exporter->traces <= 1)
			memcpy(self->facts[i], facts[i], FACT_MAX);
		else if (strcmp(self->facts[i], facts[i]) != 0)
			memcpy(self->facts[i], SEVERAL, sizeof(SEVERAL));
}

static enum dmtrace_status
take_parquet(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct parquet *const self = exporter->state;

	self->trace = text_number(self, dmt_text_of(exporter->name));
	if (self->trace == DMT_NO_NAME)
		return dmt_error_memory(&exporter->error);
	note_facts(exporter, source);
	return table_of(exporter)->take(exporter, source);
}

static enum dmtrace_status
end_parquet(struct dmt_exporter *exporter)
{
	struct parquet *const self = exporter->state;
	const char *pairs[2 * (3 + FACTS) + 1] = {
		"dmtrace.schema", SCHEMA_VERSION,
		"dmtrace.rows", table_of(exporter)->name,
		"dmtrace.version", dmtrace_version()
	};
	size_t count = 6;

	for (int i = 0; i < FACTS; i++) {
		if (self->facts[i][0] == '\0')
			continue;
		pairs[count++] = fact_names[i];
		pairs[count++] = self->facts[i];
	}
	return dmt_parquet_end(&self->file, pairs) ? DMTRACE_OK :
	    dmt_error_memory(&exporter->error);
}

static void
fini_parquet(struct dmt_exporter *exporter)
{
	struct parquet *const self = exporter->state;

	dmt_name_table_fini(&self->groups);
	dmt_parquet_fini(&self->file);
	free(self->columns);
	free(self->labels);
}

const struct dmt_format dmt_format_parquet = {
	.about = {
		.name = "parquet",
		.viewers = "DuckDB, ClickHouse, Spark, pandas",
		.open = "duckdb -c \"SELECT * FROM 'FILE'\"",
		.binary = 1,
		.labels = 1,
		.tables = 1,
		.ending = ".parquet",
	},
	.state_size = sizeof(struct parquet),
	.frame_size = sizeof(struct parquet_call),
	.begin = begin_parquet, .take = take_parquet, .end = end_parquet,
	.fini = fini_parquet,
};
