/* export_sqlite.c - writes SQL with tables of threads, methods and calls */

/*
 * The file is text for sqlite3, in one transaction. The row of a call is
 * written when it ends, as its duration is then known; its number, and that of
 * its caller, are known from its beginning. Threads and methods are numbered
 * across all traces. Times are those of the trace: where a clock was set back,
 * durations are negative. A name with control characters, or that is not
 * UTF-8, is written as a cast of its bytes, so that no name is changed.
 */

#include <inttypes.h>

#include "base/escape.h"
#include "export/exporter.h"
#include "private/export.h"

#define CLOCKS DMTRACE_PROFILE_CLOCKS
#define ROWS_MAX 200			/* rows per INSERT */

struct open_call {
	struct dmt_call_frame frame;
	uint64_t id;			/* 0: no call */
	uint64_t start[CLOCKS];
	uint64_t inner[CLOCKS];		/* time of its callees */
	bool no_cpu;			/* its start has no CPU time */
	bool inner_no_cpu;		/* nor has the end of a callee */
};

struct sqlite {
	uint64_t calls;			/* number so far */
	uint64_t first_thread;		/* number of this trace's index 0 */
	uint64_t first_method;
	uint64_t next_thread;		/* number of those before, when this */
	uint64_t next_method;		/* trace began */
	unsigned rows;			/* rows of the current INSERT */
};

static enum dmtrace_status
begin_sqlite(struct dmt_exporter *exporter)
{
	dmt_put(exporter->out, "BEGIN;\n"
	    "CREATE TABLE traces (id INTEGER PRIMARY KEY, name TEXT);\n"
	    "CREATE TABLE threads (id INTEGER PRIMARY KEY,"
	    " trace INTEGER REFERENCES traces, number INTEGER,"
	    " name TEXT);\n"
	    "CREATE TABLE methods (id INTEGER PRIMARY KEY,"
	    " trace INTEGER REFERENCES traces, number TEXT, class TEXT,"
	    " name TEXT, signature TEXT, file TEXT, line INTEGER);\n"
	    "CREATE TABLE calls (id INTEGER PRIMARY KEY,"
	    " parent INTEGER REFERENCES calls,"
	    " thread INTEGER REFERENCES threads,"
	    " method INTEGER REFERENCES methods, depth INTEGER,\n"
	    " wall_start_ns INTEGER, wall_ns INTEGER, wall_self_ns INTEGER,"
	    "\n cpu_start_ns INTEGER, cpu_ns INTEGER, cpu_self_ns INTEGER"
	    ");\n");
	return DMTRACE_OK;
}

/* Returns true if text needs no escapes other than for backslashes. */
static bool
is_plain_sql_text(struct dmtrace_text text)
{
	for (size_t at = 0; at < text.len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;
		const size_t taken = dmt_escape_first(unit, &used,
		    text.bytes + at, text.len - at);

		if (text.bytes[at] != '\\' && unit[0] == '\\')
			return false;
		at += taken;
	}
	return true;
}

static void
put_sql_text(struct dmt_output *out, struct dmtrace_text text)
{
	if (text.len == 0) {
		dmt_put(out, ",''");
		return;
	}
	const bool plain = is_plain_sql_text(text);
	dmt_put(out, plain ? ",'" : ",CAST(X'");
	for (size_t i = 0; i < text.len; i++) {
		if (!plain)
			dmt_put_format(out, "%02x", (uint8_t)text.bytes[i]);
		else if (text.bytes[i] == '\'')
			dmt_put(out, "''");
		else
			dmt_output_write(out, text.bytes + i, 1);
	}
	dmt_put(out, plain ? "'" : "' AS TEXT)");
}

/* Writes a number, or NULL for a clock that the trace lacks. */
static char *
put_sql_number(char *at, bool is_there, uint64_t number)
{
	*at++ = ',';
	if (!is_there) {
		memcpy(at, "NULL", 4);
		return at + 4;
	}
	if ((int64_t)number < 0) {
		*at++ = '-';
		number = -number;
	}
	return dmt_put_uint(at, number);
}

static void
put_call(struct dmt_exporter *exporter, const struct dmt_calls *calls,
    const struct dmt_call_step *step, const struct open_call *call,
    uint64_t parent)
{
	struct sqlite *const self = exporter->state;

	dmt_put(exporter->out, self->rows == 0 ?
	    "INSERT INTO calls VALUES\n(" : ",\n(");
	char *const room = dmt_output_reserve(exporter->out, 256);
	if (room == NULL)
		return;
	char *at = dmt_put_uint(room, call->id);
	at = put_sql_number(at, parent != 0, parent);
	at = put_sql_number(at, true, self->first_thread + step->thread);
	at = put_sql_number(at, true, self->first_method + step->method);
	at = put_sql_number(at, true, step->depth);
	for (int clock = CLOCKS; clock-- > 0; ) {
		const bool has = calls->has_clock[clock];
		const bool is_cpu = clock == DMTRACE_PROFILE_CPU;
		const uint64_t ns = step->ns[clock] - call->start[clock];

		at = put_sql_number(at, has && !(is_cpu && call->no_cpu),
		    call->start[clock]);
		at = put_sql_number(at, has && !(is_cpu && step->no_cpu), ns);
		/* If a call inside has the unknown time, this one has not. */
		at = put_sql_number(at, has && !(is_cpu && step->no_cpu &&
		    !call->inner_no_cpu), ns - call->inner[clock]);
	}
	*at++ = ')';
	if (++self->rows == ROWS_MAX) {
		memcpy(at, ";\n", 2);
		at += 2;
		self->rows = 0;
	}
	dmt_output_advance(exporter->out, (size_t)(at - room));
}

/* Writes the threads and methods of a trace, after its last call. */
static void
put_sqlite_tables(struct dmt_exporter *exporter,
    const struct dmt_indexes *indexes)
{
	struct sqlite *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	if (self->rows > 0)
		dmt_put(out, ";\n");
	self->rows = 0;
	dmt_put_format(out, "INSERT INTO traces VALUES(%" PRIu64,
	    exporter->traces);
	put_sql_text(out, (struct dmtrace_text){ exporter->name,
	    strlen(exporter->name) });
	dmt_put(out, ");\n");
	for (size_t i = 0; i < indexes->thread_count; i++) {
		dmt_put_format(out, "INSERT INTO threads VALUES(%" PRIu64
		    ",%" PRIu64 ",%" PRIu32, self->first_thread + i,
		    exporter->traces, indexes->threads[i].number);
		put_sql_text(out,
		    dmt_labels_thread_name(&indexes->threads[i]));
		dmt_put(out, ");\n");
	}
	for (size_t i = 0; i < indexes->method_count; i++) {
		char number[DMT_NUMBER_MAX];
		const struct dmtrace_profile_method method =
		    dmt_labels_method(&indexes->methods[i], number);

		dmt_put_format(out, "INSERT INTO methods VALUES(%" PRIu64
		    ",%" PRIu64 ",'0x%" PRIx64 "'", self->first_method + i,
		    exporter->traces, method.id);
		put_sql_text(out, method.class_name);
		put_sql_text(out, method.name);
		put_sql_text(out, method.signature);
		put_sql_text(out, method.file);
		if (method.line == DMTRACE_NO_LINE)
			dmt_put(out, ",NULL);\n");
		else
			dmt_put_format(out, ",%" PRId32 ");\n", method.line);
	}
	self->next_thread += indexes->thread_count;
	self->next_method += indexes->method_count;
}

static enum dmtrace_status
put_sqlite_steps(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	struct sqlite *const self = exporter->state;

	if (calls->steps.count == 0)
		put_sqlite_tables(exporter, calls->source->indexes);
	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step = &calls->steps.items[i];
		struct open_call *const call = dmt_calls_frame(calls, step);

		if (step->enters) {
			*call = (struct open_call){
				.frame = call->frame, .id = ++self->calls,
				.start = { step->ns[0], step->ns[1] },
				.no_cpu = step->no_cpu
			};
			continue;
		}
		struct open_call *const parent = call - 1;
		parent->inner_no_cpu |= step->no_cpu;
		for (int clock = 0; clock < CLOCKS; clock++)
			parent->inner[clock] +=
			    step->ns[clock] - call->start[clock];
		put_call(exporter, calls, step, call,
		    step->depth > 1 ? parent->id : 0);
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
take_sqlite(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct sqlite *const self = exporter->state;

	self->first_thread = self->next_thread + 1;
	self->first_method = self->next_method + 1;
	return dmt_export_calls(exporter, source, false, put_sqlite_steps);
}

static enum dmtrace_status
end_sqlite(struct dmt_exporter *exporter)
{
	dmt_put(exporter->out,
	    "CREATE INDEX calls_by_method ON calls (method);\n"
	    "CREATE INDEX calls_by_parent ON calls (parent);\nCOMMIT;\n");
	return DMTRACE_OK;
}

const struct dmt_format dmt_format_sqlite = {
	.about = {
		.name = "sqlite",
		.viewers = "sqlite3 and other SQLite programs",
		.open = "sqlite3 trace.db <FILE",
		.ending = ".sql",
	},
	.state_size = sizeof(struct sqlite),
	.frame_size = sizeof(struct open_call),
	.begin = begin_sqlite, .take = take_sqlite,
	.end = end_sqlite,
};
