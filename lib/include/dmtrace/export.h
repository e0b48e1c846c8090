/* dmtrace/export.h - traces and profiles in the formats of other programs */
#ifndef DMTRACE_EXPORT_H
#define DMTRACE_EXPORT_H

#include <dmtrace/ops.h>
#include <dmtrace/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Names may hold any bytes. What has a meaning in the format is escaped;
 * control characters and invalid UTF-8 become \t, \n, \r or \xNN, and a
 * backslash \\. Numbers do not depend on the locale.
 */

/* The meaning of the width of a call or of a path of calls; bits. */
enum dmtrace_export_weight {
	DMTRACE_EXPORT_WALL = 1,	/* nanoseconds */
	DMTRACE_EXPORT_CPU = 2,
	DMTRACE_EXPORT_CALLS = 4
};

/* A format that traces are exported to. Belongs to the library. */
struct dmtrace_export_format {
	const char *name;	/* as in "dmtrace export -f NAME" */
	const char *viewers;	/* programs that open it */
	const char *open;	/* how to open it: a command or a page */
	unsigned weights;	/* one of these is to be chosen; 0: the format
				   has all times */
	int per_thread;		/* it can name the thread of each path */
	int binary;		/* it is not text */
	int compressed;		/* it is compressed, by itself */
	int instants;		/* it shows events that have no duration */
	int labels;		/* its rows or samples can have labels */
	int tables;		/* it is one of several tables */
	const char *ending;	/* the usual end of the name of a file */
};

/* The formats, by index from 0; NULL past the last one. Thread-safe. */
DMTRACE_API const struct dmtrace_export_format *
dmtrace_export_format_get(size_t index);

/* What a row of a format of tables is; see dmtrace-export(1). */
enum dmtrace_export_rows {
	DMTRACE_ROWS_CALLS = 0,
	DMTRACE_ROWS_EVENTS = 1,
	DMTRACE_ROWS_PROFILE = 2,
	DMTRACE_ROWS_METHODS = 3,
	DMTRACE_ROWS_THREADS = 4
};

/* A name and a value that all rows or samples get, such as a build. */
struct dmtrace_export_label {
	const char *name;
	const char *value;
};

struct dmtrace_export_options {
	const char *format;	/* the name of one of them; NULL: "chrome" */
	enum dmtrace_export_weight weight;	/* one that the format has;
				   0: wall time, CPU time without it */
	int per_thread;		/* paths begin with their thread */
	enum dmtrace_export_rows rows;	/* if the format has tables */
	const struct dmtrace_export_label *labels;	/* if the format has
				   labels */
	size_t label_count;
	const char *name;	/* of the trace, in the viewer; NULL: "trace" */
	unsigned flags;		/* DMTRACE_SYNC, DMTRACE_NO_REPLACE */
};

/* How the export differs from the trace (dmtrace-export(1)). */
struct dmtrace_export_counts {
	uint64_t events;	/* in all */
	uint64_t unentered;	/* calls that begin with their thread */
	uint64_t unended;	/* calls that end with their thread */
	uint64_t unwound;	/* calls that end with an outer one */
	uint64_t strays;	/* exits of no open call, left out */
	uint64_t reserved;	/* events of the reserved action, left out */
	uint64_t set_back;	/* events whose time is lower than that of the
				   event before in their thread */
	uint64_t negative;	/* values below 0, left out */
	uint64_t outside;	/* instants before the first event or after
				   the last one, left out */
};

/*
 * Exports the events of a source, of which none was read, to out. Most formats
 * need the events twice: input that can be read only once is copied to a
 * temporary file in TMPDIR, else /tmp. *counts, unless counts is NULL, is set
 * on success.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, a status of
 * dmtrace_source_read, or
 *   DMTRACE_ERR_RANGE  there is no such format; it does not have that weight,
 *                      tables or labels; a label has no name, or that of a
 *                      column or of another label; or the trace does not have
 *                      that time
 *   DMTRACE_ERR_STATE  the source was read before; or labels, or a name or
 *                      value in them, are NULL
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH,
 *                      or times add up to more than 2^63 ns
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_export(struct dmtrace_op *op, struct dmtrace_source *source,
    const struct dmtrace_file *out,
    const struct dmtrace_export_options *options,
    struct dmtrace_export_counts *counts);

/* What a profile is exported to. */
enum dmtrace_profile_format {
	DMTRACE_PROFILE_HTML = 0,	/* a page: sortable tables of methods,
					   their callers and callees; needs
					   DMTRACE_PROFILE_TREE */
	DMTRACE_PROFILE_DOT = 1,	/* a call graph for Graphviz; needs
					   DMTRACE_PROFILE_EDGES */
	DMTRACE_PROFILE_FLAME = 2	/* a flame graph, SVG; needs
					   DMTRACE_PROFILE_TREE */
};

struct dmtrace_export_profile_options {
	enum dmtrace_profile_format format;
	const char *title;	/* of HTML and FLAME; NULL: "profile" */
	enum dmtrace_clock clock;	/* of the times shown: THREAD_CPU or
				   WALL; 0: WALL, CPU time without it */
	double threshold;	/* leave out methods with less inclusive time,
				   in percent of the total; DOT: 0 is 0.5 */
	int per_thread;		/* each thread, too; needs
				   DMTRACE_PROFILE_THREADS; not FLAME */
	const struct dmtrace_profile *old;	/* FLAME: colors show what
				   changed since this one; NULL: none */
	unsigned flags;		/* DMTRACE_SYNC, DMTRACE_NO_REPLACE */
};

/*
 * Writes a page or a picture of a profile to out. HTML and SVG need no network.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_RANGE  there is no such format, it has no threads, or the
 *                      traces lack that time
 *   DMTRACE_ERR_STATE  the profile has no trace, or was made without what the
 *                      format needs
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_export_profile(struct dmtrace_op *op,
    const struct dmtrace_profile *profile, const struct dmtrace_file *out,
    const struct dmtrace_export_profile_options *options);

/* What traces are made of; see dmtrace-import(1). */
enum dmtrace_import_format {
	DMTRACE_IMPORT_ANY = 0,		/* the contents decide: not LINES */
	DMTRACE_IMPORT_CHROME = 1,	/* JSON: events B, E and X */
	DMTRACE_IMPORT_COLLAPSED = 2,	/* lines of frames and a number */
	DMTRACE_IMPORT_SIMPLEPERF = 3,	/* samples, of report-sample */
	DMTRACE_IMPORT_PERFETTO = 4,	/* packets with slices */
	DMTRACE_IMPORT_FTRACE = 5,	/* function_graph, or uftrace replay */
	DMTRACE_IMPORT_TSV = 6,		/* events as dump writes them, */
	DMTRACE_IMPORT_CSV = 7,
	DMTRACE_IMPORT_JSONL = 8,
	DMTRACE_IMPORT_LINES = 9	/* lines that a pattern describes */
};

struct dmtrace_import_options {
	enum dmtrace_import_format format;
	enum dmtrace_dialect dialect;	/* 0: V3 if all events have a CPU time,
					   else V2 */
	uint64_t unit_ns;	/* of the numbers of COLLAPSED; 0: 1; or of
				   LINES; 0: a second */
	int per_thread;		/* COLLAPSED: the first frame of a path is its
				   thread */
	const char *lines;	/* LINES: a POSIX extended regular expression,
				   and what its groups are: "time,thread" ... */
	const char *fields;
	const char *enter_words;	/* LINES: values of "action", separated
					   by commas; NULL: usual ones */
	const char *exit_words;
	unsigned flags;		/* DMTRACE_SYNC */
};

/* Of how many kinds it is known at most. */
#define DMTRACE_IMPORT_DROPPED 64

/* What became of the text, and what the trace does not have of it. */
struct dmtrace_import_result {
	enum dmtrace_import_format format;	/* that it had */
	uint64_t events;	/* of the trace */
	uint64_t calls;
	uint64_t threads;
	uint64_t methods;
	uint64_t open;		/* calls without an end: they stay open */
	uint64_t strays;	/* ends of calls that are not open, left out */
	uint64_t unwound;	/* calls that end with an outer one */
	uint64_t overlapping;	/* calls that end after the one around them,
				   cut at its end */
	uint64_t cpu_raised;	/* CPU times of events that were less than the
				   one before in the thread: they are that */
	uint64_t raised;	/* the same of the times of TSV, CSV, JSONL */
	uint64_t cpu_invented;	/* events whose CPU time is their wall time,
				   because the dialect has both */
	uint64_t rounded;	/* times that are not whole microseconds */
	uint64_t renumbered;	/* threads whose number is another one */
	uint64_t reidentified;	/* methods whose id is another one */
	uint64_t renamed;	/* names with what a key should not have:
				   control characters and bytes that are not
				   UTF-8 became \t, \x00 and so on, U+FFFD and
				   half of a surrogate pair '?'; empty ones
				   (none) */
	uint64_t others;	/* events, lines, records or packets of other
				   kinds, left out, */
	struct {
		const char *kind;	/* in the plural; NULL: no more */
		uint64_t count;
	} dropped[DMTRACE_IMPORT_DROPPED];	/* which are these */
	uint64_t async;		/* asynchronous events, left out */
	uint64_t counters;	/* values of counters, left out */
	uint64_t undefined;	/* events that refer to names, tracks or clocks
				   which the file does not define */
	uint64_t lost;		/* samples, events or packets that were lost
				   before, as the file says */
	uint64_t samples;	/* that calls were made of */
	uint64_t sampled_ns;	/* their period; 0: calls were traced */
	uint64_t arguments;	/* calls with arguments, which are left out */
	uint64_t outside_ns;	/* time outside of calls that has no place */
	int cpu_dropped;	/* some events have CPU times, not all */
	int truncated;		/* the input ends without the end of its list
				   of events */
	int cut;		/* it ends within an event, packet, record or
				   line, which is left out, */
	uint64_t cut_at;	/* at this offset in the unpacked input, */
	uint64_t cut_line;	/* and this line, which has no end; 0: within
				   another thing */
	int followed;		/* at cut_at something else begins, after the
				   last event, and is left out */
};

/*
 * Reads what another format has, and writes it to out as a trace: of version 3
 * with two clocks if all events have CPU times, else of version 2. Memory
 * grows with the number of threads and methods and the depth of calls, to
 * which 64 MiB are added; events are stored in temporary files, in TMPDIR or
 * else /tmp. Times that do not fit records, or are below 0, are counted from
 * the first one.
 *
 * result may be NULL; after a failure it is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_CORRUPT    the input is not of the format, or of none that is
 *                          known; the error has the place
 *   DMTRACE_ERR_UNSUPPORTED  packets are compressed, or the format has another
 *                          version
 *   DMTRACE_ERR_TRUNCATED  it ends in its first event or line
 *   DMTRACE_ERR_LIMIT      a line, string or packet of more than 16 MiB, JSON
 *                          that nests deeper than 65,536, or calls that nest
 *                          deeper than 1,048,576
 *   DMTRACE_ERR_RANGE      more than 65,535 threads; times that are more than
 *                          2^32 us apart; lines and fields that are not of
 *                          LINES, or missing there; an unknown format or
 *                          dialect. Members of other formats are not used
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_import(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_import_options *options,
    struct dmtrace_import_result *result);

#ifdef __cplusplus
}
#endif

#endif
