/* import.h - calls of another format that become a trace */
#ifndef DMT_IMPORT_IMPORT_H
#define DMT_IMPORT_IMPORT_H

#include <dmtrace/export.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/input.h"
#include "base/name_table.h"
#include "import/sorter.h"
#include "ops/op.h"

/* Kinds of events in other formats. */
enum dmt_import_kind {
	DMT_IMPORT_BEGIN,
	DMT_IMPORT_END,
	DMT_IMPORT_CALL			/* a call with its end */
};

#define DMT_NO_CPU INT64_MIN
#define DMT_NO_END INT64_MAX
#define DMT_NO_ID UINT64_MAX
#define DMT_IMPORT_LINE_MAX (16 * 1024 * 1024)	/* bytes */
#define DMT_IMPORT_THREADS_MAX 65535

/* An event. Times are nanoseconds of any clock. */
struct dmt_import_event {
	int64_t time_ns, cpu_ns;	/* cpu_ns may be DMT_NO_CPU */
	int64_t end_ns, end_cpu_ns;	/* if kind is CALL */
	uint64_t order;			/* position in the input */
	uint32_t thread, method;	/* method may be DMT_NO_NAME */
	enum dmt_import_kind kind;
};

/* An event of the trace, and its position among events of the same time, which
 * follows the input; the events made from one input event keep their order. */
struct dmt_import_step {
	int64_t time_ns, cpu_ns;
	uint64_t order, own_order;
	uint32_t thread, method;
	enum dmtrace_action action;
};

/* A method; its name is in import->methods. */
struct dmt_import_method {
	uint64_t id;			/* in the input, or DMT_NO_ID */
	uint32_t plain;			/* the one of this name without a
					   signature; often itself */
	bool used;			/* an event of the trace has it */
	bool other_id;			/* its id is that of another one */
};

struct dmt_import_thread {
	struct dmtrace_text name;	/* in the arena; empty: unknown */
	int64_t number;			/* in the input; -1: none */
	uint32_t process;		/* index in import->processes */
	bool has_begins;		/* an event is BEGIN or END, CALL */
	bool has_calls;
};

struct dmt_import;

/* A format. */
struct dmt_import_row {
	/* Does a file of that format begin with these bytes? NULL: it cannot
	 * be recognized. */
	bool (*recognises)(const uint8_t *bytes, size_t len);
	/* Fills threads and methods, and adds events. Returns a status, with
	 * error set. */
	enum dmtrace_status (*read)(struct dmt_import *import);
	bool as_is;			/* its events are those of a trace: see
					   dmt_import_put */
};

struct dmt_import {
	struct dmtrace_op *op;
	const struct dmtrace_file *file;
	struct dmt_input input;
	struct dmtrace_import_options options;
	const struct dmt_import_row *row;
	const struct dmt_trace_format *format;	/* of the trace */
	struct dmtrace_import_result result;

	struct dmt_name_table methods;	/* listed: the class is known; else
					   only name and signature */
	struct dmt_import_method *method_rows;	/* by index */
	size_t method_capacity;
	struct dmt_idmap method_ids;	/* ids in the input, to indexes */
	struct dmt_name_table processes;	/* by their ids in the input */
	struct dmtrace_text *process_names;	/* by process index; empty:
						   none */
	size_t process_capacity;
	struct dmt_name_table thread_keys;	/* by process and thread ids */
	struct dmt_import_thread *threads;
	size_t thread_capacity;

	/* Events, on their way to the trace: see nest.c. */
	uint64_t count;			/* events that were added */
	struct dmt_sorter ends;		/* BEGIN and END, by time */
	struct dmt_sorter calls;	/* CALL, by thread and time */
	struct dmt_sorter steps;	/* of the trace */
	int64_t first_ns, last_ns;	/* of steps */
	int64_t first_cpu_ns, last_cpu_ns;
	bool has_cpu, lacks_cpu;	/* true for some event */
	bool cpu_only;			/* the times are CPU times */

	char *name;			/* without escapes */
	size_t name_capacity;
	uint64_t line;			/* the line that was read last, or */
	uint64_t at;			/* the offset of the record or packet */
	size_t line_used;		/* its bytes, still in the input */
	struct dmtrace_error error;
};

extern const struct dmt_import_row dmt_import_chrome, dmt_import_collapsed,
    dmt_import_simpleperf, dmt_import_perfetto, dmt_import_ftrace,
    dmt_import_tsv, dmt_import_csv, dmt_import_jsonl, dmt_import_lines;

/* Returns the index of the process with that id in the input. DMT_NO_NAME: it
 * failed, see error. */
uint32_t
dmt_import_process_find(struct dmt_import *import,
    struct dmtrace_text process);

/* Returns the index of the thread with that id in a process; number is -1 if
 * the id is not a number. DMT_NO_NAME: it failed, see error. */
uint32_t
dmt_import_thread_find(struct dmt_import *import, struct dmtrace_text process,
    struct dmtrace_text thread, int64_t number);

/* The same for an id that is a number if it consists of digits, and else the
 * name of the thread. */
uint32_t
dmt_import_thread_named(struct dmt_import *import,
    struct dmtrace_text process, struct dmtrace_text id);

/*
 * Return the index of a method: of a name with its class, as exports escape
 * it, and a signature or none; or of a class and a name as they are, with an
 * id or DMT_NO_ID. DMT_NO_NAME: it failed, see error.
 */
uint32_t
dmt_import_method_find(struct dmt_import *import, struct dmtrace_text name,
    struct dmtrace_text signature);
uint32_t
dmt_import_method_split(struct dmt_import *import, uint64_t id,
    struct dmtrace_text class_name, struct dmtrace_text name,
    struct dmtrace_text signature);

/* Returns the index of the method that has the name of another one, and a
 * signature or none. A category that is a file in brackets, which exports write
 * for functions of C, is its class; others are ignored. DMT_NO_NAME: it failed,
 * see error. */
uint32_t
dmt_import_method_full(struct dmt_import *import, uint32_t method,
    struct dmtrace_text category, struct dmtrace_text signature);

/* Copies a name of a thread or process, as exports escape it. false: it
 * failed, see error. */
bool
dmt_import_name(struct dmt_import *import, struct dmtrace_text *name,
    struct dmtrace_text value);

/* Adds an event; events are numbered in the order of these calls. false: it
 * failed, see error. */
bool
dmt_import_add(struct dmt_import *import,
    const struct dmt_import_event *event);

/* Adds an event of the trace itself, of a format whose row says as_is: the
 * trace has these events in the same order. false: it failed, see error. */
bool
dmt_import_put(struct dmt_import *import, const struct dmt_import_step *step);

/* Makes events of the trace of those that were added; see nest.c. */
bool
dmt_import_nest(struct dmt_import *import);

/* Writes the trace. Returns the status of the operation. */
enum dmtrace_status
dmt_import_write(struct dmt_import *import, const struct dmtrace_file *file);

/* What readers share. */

/* Sets the next line, without its end, valid until the next call; quoted: line
 * ends between quotes are part of it, as in CSV. false: there are no more, or
 * it failed. A last line without an end is left out, as one that is cut. */
bool
dmt_import_line(struct dmt_import *import, bool quoted,
    struct dmtrace_text *line);

/* Fails at the current line, unless it failed before. Returns false. */
bool
dmt_import_fail(struct dmt_import *import, const char *format, ...)
    DMT_PRINTF(2, 3);

/* Fail at the current offset, and for lack of memory. Both return false. */
bool
dmt_import_fail_at(struct dmt_import *import, enum dmtrace_status status,
    const char *what);
bool
dmt_import_fail_memory(struct dmt_import *import);

/* Notes that the input ends within what begins at offset. */
static inline void
dmt_import_cut(struct dmt_import *import, uint64_t offset)
{
	import->result.truncated = 1;
	import->result.cut = 1;
	import->result.cut_at = offset;
}

/* Notes that something begins at offset that cannot follow the events. */
static inline void
dmt_import_follows(struct dmt_import *import, uint64_t offset)
{
	import->result.followed = 1;
	import->result.cut_at = offset;
}

/* Count events, lines, records or packets that are left out, by a static string
 * that says what they are, or by the letter that Chrome has for the phase. */
void
dmt_import_drop(struct dmt_import *import, const char *kind, uint64_t count);
void
dmt_import_drop_phase(struct dmt_import *import, char phase);

/* Reports progress. false: it was cancelled. */
bool
dmt_import_progress(struct dmt_import *import);

/* Reads a time in units: decimal digits, a '-' before them, a fraction and an
 * exponent are allowed. false: it is none, or does not fit. */
bool
dmt_import_time(struct dmtrace_text text, uint64_t unit_ns, int64_t *ns);

/* Returns the text before the first separator, and removes both from *rest,
 * whose bytes become NULL after the last part. */
struct dmtrace_text
dmt_import_part(struct dmtrace_text *rest, char separator);

#endif
