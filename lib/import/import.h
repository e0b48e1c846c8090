/* import.h - calls of another format that become a trace */
#ifndef DMT_IMPORT_IMPORT_H
#define DMT_IMPORT_IMPORT_H

#include <dmtrace/export.h>
#include <stdbool.h>

#include "base/input.h"
#include "base/name_table.h"
#include "ops/op.h"

/* Kinds of events in other formats. */
enum dmt_import_kind {
	DMT_IMPORT_BEGIN,
	DMT_IMPORT_END,
	DMT_IMPORT_CALL			/* a call with its end */
};

#define DMT_NO_CPU INT64_MIN
#define DMT_NO_END INT64_MAX
#define DMT_IMPORT_LINE_MAX (16 * 1024 * 1024)	/* bytes */

/* An event. Times are nanoseconds of any clock. */
struct dmt_import_event {
	int64_t time_ns, cpu_ns;	/* cpu_ns may be DMT_NO_CPU */
	int64_t end_ns, end_cpu_ns;	/* if kind is CALL */
	uint64_t order;			/* position in the input */
	uint32_t thread, method;	/* method may be DMT_NO_NAME */
	enum dmt_import_kind kind;
};

struct dmt_import_thread {
	struct dmtrace_text name;	/* in the arena; empty: unknown */
	int64_t number;			/* in the input; -1: none */
	uint32_t process;		/* index in import->processes */
};

struct dmt_import {
	struct dmtrace_op *op;
	const struct dmtrace_file *file;
	struct dmt_input input;
	struct dmtrace_import_options options;
	const struct dmt_trace_format *format;	/* of the trace */
	struct dmtrace_import_result result;
	struct dmt_name_table methods;	/* "class.name" */
	struct dmt_name_table processes;	/* by their ids in the input */
	struct dmtrace_text *process_names;	/* by process index; empty:
						   none */
	size_t process_capacity;
	struct dmt_name_table thread_keys;	/* by process and thread ids */
	struct dmt_import_thread *threads;
	size_t thread_capacity;
	struct dmt_import_event *events;
	size_t count, capacity;
	bool has_cpu, lacks_cpu;	/* true for some event */
	char *name;			/* without escapes */
	size_t name_capacity;
	struct dmtrace_error error;
};

/* The formats: they fill threads, methods and events. They return a status,
 * with error set. */
enum dmtrace_status
dmt_import_chrome(struct dmt_import *import);
enum dmtrace_status
dmt_import_collapsed(struct dmt_import *import);

/* Returns the index of the process with that id in the input. DMT_NO_NAME: no
 * memory. */
uint32_t
dmt_import_process_find(struct dmt_import *import,
    struct dmtrace_text process);

/* Returns the index of the thread with that id in a process; number is -1 if
 * the id is not a number. DMT_NO_NAME: no memory. */
uint32_t
dmt_import_thread_find(struct dmt_import *import, struct dmtrace_text process,
    struct dmtrace_text thread, int64_t number);

/* Returns the index of the method with that name, as exports escape it.
 * DMT_NO_NAME: no memory. */
uint32_t
dmt_import_method_find(struct dmt_import *import, struct dmtrace_text name);

/* Copies a name of a thread or process, as exports escape it. false: no
 * memory. */
bool
dmt_import_name(struct dmt_import *import, struct dmtrace_text *name,
    struct dmtrace_text value);

/* Adds an event; events are numbered in the order of these calls. false: no
 * memory. */
bool
dmt_import_add(struct dmt_import *import,
    const struct dmt_import_event *event);

#endif
