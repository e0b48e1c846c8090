/* export_firefox.c - writes the processed profile format of Firefox Profiler */

/*
 * This is version 48 of the format. Its samples have weights: a sample is the
 * time between two consecutive steps of calls.h in a thread, so that the times
 * of a method add up exactly; a weight is in milliseconds ("tracing-ms"). A
 * stack is a number for a pair: the innermost call's method, and the stack of
 * its caller. Stacks are looked up by this pair, so there are as many as there
 * are paths of calls in the thread.
 *
 * The columns of a thread are arrays, one after the other in the file. They
 * grow at the same time while the events are read, and are stored by
 * by_thread.h: four texts for each thread. The tables of stacks, functions and
 * names are in memory until then. Functions are all methods of the trace, by
 * index; a category is a package.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/name_table.h"
#include "export/by_thread.h"
#include "export/exporter.h"
#include "private/export.h"
#include "private/text.h"

#define NONE UINT32_MAX

enum { COLUMN_TIME, COLUMN_STACK, COLUMN_WEIGHT, COLUMN_CPU, COLUMNS };

static const char *const column_names[COLUMNS] = {
	"time", "stack", "weight", "threadCPUDelta"
};

/* The colours of categories; the first category is for methods without a
 * package. */
static const char *const colors[] = {
	"grey", "blue", "green", "orange", "purple", "yellow", "lightblue",
	"magenta", "red", "brown", "lightred", "darkgrey"
};

enum { COLORS = sizeof(colors) / sizeof(colors[0]) };

struct stack {
	uint32_t prefix;		/* NONE for an outermost call */
	uint32_t method;
};

/* An open call. */
struct stack_frame {
	struct dmt_call_frame frame;
	uint32_t stack;
};

struct thread_stacks {
	struct stack *items;		/* a list for dmt_push */
	size_t count;
	size_t capacity;
	struct stack spare;
	struct dmt_idmap by_step;	/* prefix << 32 | method */
	uint64_t samples;
	uint32_t last;			/* of the sample that is not written
					   yet */
	uint64_t since[DMTRACE_PROFILE_CLOCKS];	/* when that sample began */
	uint64_t cpu;			/* CPU time of the previous sample, or
					   DMTRACE_NO_TIME */
	bool begun;
};

struct firefox {
	struct dmt_name_table packages;	/* of all traces; the first one is
					   empty */
	bool begun;			/* a thread was written */

	/* of one trace: */
	struct dmt_by_thread texts;
	struct thread_stacks *threads;	/* by thread index */
};

/* Returns the category of a class; DMT_NO_NAME: no memory. */
static uint32_t
find_category(struct firefox *self, struct dmtrace_text class_name)
{
	return dmt_name_table_intern(&self->packages,
	    &(struct dmt_name){ .name = dmt_class_package(class_name) });
}

static enum dmtrace_status
begin_firefox(struct dmt_exporter *exporter)
{
	struct firefox *const self = exporter->state;

	dmt_spool_init(&self->texts.spool);
	dmt_put(exporter->out, "{\"libs\":[],\"pages\":[],\"threads\":[");
	return find_category(self, (struct dmtrace_text){ "", 0 }) == 0 ?
	    DMTRACE_OK : dmt_error_memory(&exporter->error);
}

/* Returns the stack with that method on top of prefix; NONE: no memory. */
static uint32_t
find_stack(struct thread_stacks *thread, uint32_t prefix, uint32_t method)
{
	const uint64_t step = (uint64_t)prefix << 32 | method;
	const uint32_t *const known = dmt_idmap_find(&thread->by_step, step);
	const size_t index = thread->count;
	bool no_memory = false;

	if (known != NULL)
		return *known;
	*dmt_push(thread, &no_memory) = (struct stack){ prefix, method };
	return no_memory || index >= NONE ||
	    !dmt_idmap_add(&thread->by_step, step, (uint32_t)index) ? NONE :
	    (uint32_t)index;
}

static void
keep_text(struct firefox *self, uint32_t thread, unsigned column,
    const char *text, const char *end)
{
	dmt_by_thread_write(&self->texts, thread, column, text,
	    (size_t)(end - text));
}

/* Writes the sample that ends now. Its threadCPUDelta is the CPU time of the
 * previous sample, as the format assumes that a sample is taken at the
 * beginning of its time; no_cpu: that of this sample is not known. */
static void
keep_sample(struct dmt_exporter *exporter, uint32_t index,
    const uint64_t now[DMTRACE_PROFILE_CLOCKS], bool no_cpu)
{
	struct firefox *const self = exporter->state;
	struct thread_stacks *const thread = &self->threads[index];
	const unsigned clock = exporter->weight;
	const uint64_t cpu = now[DMTRACE_PROFILE_CPU] -
	    thread->since[DMTRACE_PROFILE_CPU];
	char text[32] = ",";
	char *const from = thread->samples > 0 ? text : text + 1;

	keep_text(self, index, COLUMN_TIME, from, dmt_put_decimal(text +
	    1, thread->since[clock], 1000000));
	if (thread->last == NONE) {
		memcpy(text + 1, "null", 4);
		keep_text(self, index, COLUMN_STACK, from, text + 5);
	} else {
		keep_text(self, index, COLUMN_STACK, from,
		    dmt_put_uint(text + 1, thread->last));
	}
	keep_text(self, index, COLUMN_WEIGHT, from,
	    dmt_put_decimal(text + 1, now[clock] - thread->since[clock],
	    1000000));
	if (thread->cpu == DMTRACE_NO_TIME) {
		memcpy(text + 1, "null", 4);
		keep_text(self, index, COLUMN_CPU, from, text + 5);
	} else {
		keep_text(self, index, COLUMN_CPU, from,
		    dmt_put_decimal(text + 1, thread->cpu, 1000));
	}
	thread->cpu = no_cpu ? DMTRACE_NO_TIME : cpu;
	thread->samples++;
}

static void
fini_thread_stacks(void *item)
{
	struct thread_stacks *const thread = item;

	free(thread->items);
	dmt_idmap_fini(&thread->by_step);
}

/* Writes "name":[ and count times the same value, or 0 1 2 ... if value is
 * NULL. */
static void
put_column(struct dmt_output *out, const char *name, const char *value,
    size_t count)
{
	dmt_put_format(out, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			dmt_put(out, ",");
		if (value != NULL)
			dmt_put(out, value);
		else
			dmt_put_format(out, "%zu", i);
	}
	dmt_put(out, "],\n");
}

static void
put_length(struct dmt_output *out, uint64_t length)
{
	dmt_put_format(out, "\"length\":%" PRIu64 "},\n", length);
}

/* Writes a number in a column, after a comma unless it is the first. */
static void
put_item(struct dmt_output *out, size_t at, bool is_there, int64_t number)
{
	dmt_put(out, at > 0 ? "," : "");
	if (is_there)
		dmt_put_format(out, "%" PRId64, number);
	else
		dmt_put(out, "null");
}

static enum dmtrace_status
put_samples(struct dmt_exporter *exporter, uint32_t index, bool has_cpu)
{
	struct firefox *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	dmt_put(out, "\"samples\":{\"weightType\":\"tracing-ms\",\n");
	for (unsigned column = 0; column < COLUMNS; column++) {
		if (column == COLUMN_CPU && !has_cpu)
			continue;
		dmt_put_format(out, "\"%s\":[", column_names[column]);
		if (dmt_by_thread_copy(&self->texts, index, column, out) !=
		    DMTRACE_OK)
			return self->texts.spool.error.status;
		dmt_put(out, "],\n");
	}
	put_length(out, self->threads[index].samples);
	return DMTRACE_OK;
}

static bool
put_stack_table(struct dmt_exporter *exporter,
    const struct thread_stacks *thread, const struct dmt_indexes *indexes)
{
	struct firefox *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	dmt_put(out, "\"stackTable\":{\"frame\":[");
	for (size_t i = 0; i < thread->count; i++)
		put_item(out, i, true, thread->items[i].method);
	dmt_put(out, "],\n\"prefix\":[");
	for (size_t i = 0; i < thread->count; i++)
		put_item(out, i, thread->items[i].prefix != NONE,
		    thread->items[i].prefix);
	dmt_put(out, "],\n\"category\":[");
	for (size_t i = 0; i < thread->count; i++) {
		char number[DMT_NUMBER_MAX];
		const struct dmtrace_profile_method method =
		    dmt_labels_method(&indexes->methods[
		    thread->items[i].method], number);
		const uint32_t category =
		    find_category(self, method.class_name);

		if (category == DMT_NO_NAME)
			return false;
		put_item(out, i, true, category);
	}
	dmt_put(out, "],\n");
	put_column(out, "subcategory", "0", thread->count);
	put_length(out, thread->count);
	return true;
}

/* Frames and functions are the same: one per method. */
static bool
put_frame_table(struct dmt_exporter *exporter,
    const struct dmt_indexes *indexes)
{
	struct firefox *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const size_t count = indexes->method_count;

	dmt_put(out, "\"frameTable\":{");
	put_column(out, "address", "-1", count);
	put_column(out, "inlineDepth", "0", count);
	put_column(out, "subcategory", "0", count);
	put_column(out, "func", NULL, count);
	put_column(out, "nativeSymbol", "null", count);
	put_column(out, "innerWindowID", "0", count);
	put_column(out, "implementation", "null", count);
	put_column(out, "line", "null", count);
	put_column(out, "column", "null", count);
	dmt_put(out, "\"category\":[");
	for (size_t i = 0; i < count; i++) {
		char number[DMT_NUMBER_MAX];
		const uint32_t category = find_category(self,
		    dmt_labels_method(&indexes->methods[i], number).
		    class_name);

		if (category == DMT_NO_NAME)
			return false;
		put_item(out, i, true, category);
	}
	dmt_put(out, "],\n");
	put_length(out, count);
	return true;
}

/* Strings are the names of methods, followed by their files. */
static void
put_function_table(struct dmt_output *out,
    const struct dmt_indexes *indexes)
{
	const size_t count = indexes->method_count;
	char number[DMT_NUMBER_MAX];

	dmt_put(out, "\"funcTable\":{");
	put_column(out, "name", NULL, count);
	put_column(out, "isJS", "false", count);
	put_column(out, "relevantForJS", "false", count);
	put_column(out, "resource", "-1", count);
	put_column(out, "columnNumber", "null", count);
	dmt_put(out, "\"fileName\":[");
	for (size_t i = 0; i < count; i++)
		put_item(out, i, dmt_labels_method(&indexes->methods[i],
		    number).file.len > 0, (int64_t)(count + i));
	dmt_put(out, "],\n\"lineNumber\":[");
	for (size_t i = 0; i < count; i++) {
		const int32_t line =
		    dmt_labels_method(&indexes->methods[i], number).line;

		put_item(out, i, line > 0, line);
	}
	dmt_put(out, "],\n");
	put_length(out, count);
	dmt_put(out, "\"stringArray\":[");
	for (size_t i = 0; i < 2 * count; i++) {
		const struct dmtrace_profile_method method =
		    dmt_labels_method(&indexes->methods[i % count], number);

		dmt_put(out, i > 0 ? ",\n\"" : "\"");
		if (i < count)
			dmt_put_method(out, DMT_PUT_JSON, &method, SIZE_MAX);
		else
			dmt_put_name(out, DMT_PUT_JSON, method.file,
			    SIZE_MAX);
		dmt_put(out, "\"");
	}
	dmt_put(out, "]");
}

static enum dmtrace_status
put_thread(struct dmt_exporter *exporter, const struct dmt_calls *calls,
    uint32_t index)
{
	const struct dmt_indexes *const indexes = calls->source->indexes;
	const struct dmt_indexed_thread *const indexed =
	    &indexes->threads[index];
	struct firefox *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	dmt_put(out, self->begun ? ",\n" : "\n");
	self->begun = true;
	dmt_put(out, "{\"processType\":\"default\",\"processStartupTime\":0,"
	    "\"processShutdownTime\":null,\"registerTime\":0,"
	    "\"unregisterTime\":null,\"pausedRanges\":[],\n\"name\":\"");
	dmt_labels_put_thread(out, DMT_PUT_JSON,
	    dmt_labels_thread_name(indexed), indexed->number);
	dmt_put(out, "\",\"processName\":\"");
	dmt_put_name(out, DMT_PUT_JSON, (struct dmtrace_text){
	    exporter->name, strlen(exporter->name) }, SIZE_MAX);
	dmt_put_format(out, "\",\"isMainThread\":false,\"pid\":\"%" PRIu64
	    "\",\"tid\":%" PRIu32 ",\n", exporter->traces, indexed->number);
	dmt_put(out, "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],"
	    "\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0},\n"
	    "\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],"
	    "\"type\":[],\"length\":0},\n"
	    "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
	    "\"functionSize\":[],\"length\":0},\n");
	const enum dmtrace_status status = put_samples(exporter, index,
	    calls->has_clock[0] && exporter->weight == DMTRACE_PROFILE_WALL);
	if (status != DMTRACE_OK)
		return status;
	if (!put_stack_table(exporter, &self->threads[index], indexes) ||
	    !put_frame_table(exporter, indexes))
		return dmt_error_memory(&exporter->error);
	put_function_table(out, indexes);
	dmt_put(out, "}");
	return DMTRACE_OK;
}

/* Stores the samples; after the last step the threads are written. */
static enum dmtrace_status
take_steps(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	struct firefox *const self = exporter->state;

	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step = &calls->steps.items[i];
		struct thread_stacks *const thread =
		    &self->threads[step->thread];
		struct stack_frame *const call = dmt_calls_frame(calls, step);

		if (thread->begun)
			keep_sample(exporter, step->thread, step->ns,
			    step->no_cpu);
		thread->begun = true;
		memcpy(thread->since, step->ns, sizeof(thread->since));
		thread->last = step->depth > 1 ? call[-1].stack : NONE;
		if (!step->enters)
			continue;
		call->stack = find_stack(thread, thread->last, step->method);
		if (call->stack == NONE)
			return dmt_error_memory(&exporter->error);
		thread->last = call->stack;
	}
	if (calls->steps.count > 0)
		return DMTRACE_OK;

	/* The last sample has no duration, as no call is open. */
	for (size_t i = 0; i < calls->order.count; i++)
		if (self->threads[calls->order.items[i]].begun)
			keep_sample(exporter, calls->order.items[i],
			    self->threads[calls->order.items[i]].since, false);
	enum dmtrace_status status = dmt_by_thread_finish(&self->texts);
	for (size_t i = 0; i < calls->order.count && status == DMTRACE_OK; i++)
		if (self->threads[calls->order.items[i]].begun)
			status = put_thread(exporter, calls,
			    calls->order.items[i]);
	return status;
}

static enum dmtrace_status
take_firefox(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct firefox *const self = exporter->state;
	enum dmtrace_status status =
	    dmt_by_thread_init(&self->texts, source);

	dmt_attach(source, &self->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*self->threads),
	    .fini = fini_thread_stacks });

	if (status == DMTRACE_OK)
		status = dmt_export_calls(exporter, source, true,
		    take_steps);
	if (exporter->error.status == DMTRACE_OK)
		exporter->error = self->texts.spool.error;
	dmt_by_thread_fini(&self->texts);
	return status;
}

/* Categories are only known after all threads are written. */
static enum dmtrace_status
end_firefox(struct dmt_exporter *exporter)
{
	const struct firefox *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	dmt_put(out, "],\n\"meta\":{\"interval\":1,\"startTime\":0,"
	    "\"abi\":\"\",\"misc\":\"\",\"oscpu\":\"\",\"platform\":\"\","
	    "\"processType\":0,\"extensions\":{\"id\":[],\"name\":[],"
	    "\"baseURL\":[],\"length\":0},\n\"product\":\"dmtrace ");
	dmt_put(out, dmtrace_version());
	dmt_put(out, "\",\"stackwalk\":0,\"toolkit\":\"\",\"version\":30,"
	    "\"preprocessedProfileVersion\":48,\"symbolicated\":true,"
	    "\"markerSchema\":[],\"keepProfileThreadOrder\":true,"
	    "\"usesOnlyOneStackType\":true,\n\"sampleUnits\":{\"time\":\"ms\","
	    "\"eventDelay\":\"ms\",\"threadCPUDelta\":\"\xc2\xb5s\"},\n"
	    "\"categories\":[");
	for (size_t i = 0; i < self->packages.count; i++) {
		dmt_put(out, i > 0 ? ",\n{\"name\":\"" : "\n{\"name\":\"");
		if (i == 0)
			dmt_put(out, "Other");
		dmt_put_name(out, DMT_PUT_JSON, self->packages.items[i].name,
		    SIZE_MAX);
		dmt_put_format(out, "\",\"color\":\"%s\","
		    "\"subcategories\":[\"Other\"]}", i == 0 ? colors[0] :
		    colors[1 + (i - 1) % (COLORS - 1)]);
	}
	dmt_put(out, "]}}\n");
	return DMTRACE_OK;
}

static void
fini_firefox(struct dmt_exporter *exporter)
{
	struct firefox *const self = exporter->state;

	dmt_name_table_fini(&self->packages);
}

const struct dmt_format dmt_format_firefox = {
	.about = {
		.name = "firefox",
		.viewers = "Firefox Profiler",
		.open = "https://profiler.firefox.com",
		.weights = DMTRACE_EXPORT_WALL | DMTRACE_EXPORT_CPU,
		.ending = ".json",
	},
	.state_size = sizeof(struct firefox),
	.frame_size = sizeof(struct stack_frame),
	.begin = begin_firefox, .take = take_firefox,
	.end = end_firefox, .fini = fini_firefox,
};
