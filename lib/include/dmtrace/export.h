/* dmtrace/export.h - traces and profiles in the formats of other programs */
#ifndef DMTRACE_EXPORT_H
#define DMTRACE_EXPORT_H

#include <dmtrace/ops.h>
#include <dmtrace/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Names of any bytes may be in a profile: what a form would take for its own
 * is escaped, and control characters and bytes of invalid UTF-8 become \t,
 * \n, \r or \xNN, so that \ is \\. Numbers do not depend on the locale. One
 * profile, and one sink, is used by one thread at a time.
 */

/* As a threshold: every method. */
#define DMTRACE_DOT_ALL (-1.0)

/* The call graph: which methods are in it. Those of around are; others if
 * they take threshold of the total time and, with around, are not more than
 * hops calls away from one of them, over such methods. */
struct dmtrace_dot_options {
	enum dmtrace_clock clock;	/* THREAD_CPU, else WALL */
	int per_thread;		/* a cluster for each, of its own total; needs
				   DMTRACE_PROFILE_THREADS */
	double threshold;	/* percent, inclusive; 0: 0.5;
				   DMTRACE_DOT_ALL */
	const uint32_t *around;	/* indexes of methods, that live as long;
				   NULL: no matter how far away */
	size_t around_count;
	uint32_t hops;		/* calls, forth or back; 0: 1; DMTRACE_NONE */
};

/*
 * Writes the call graph in Graphviz' language DOT. A node is a method, with
 * its name, inclusive and exclusive time with their shares of the total, and
 * calls, named "node" and its rank by inclusive time; node0 is what is outside
 * of methods. An edge has calls and inclusive time. A legend says so. Names
 * are cut at 160 bytes, in tooltips at 1,000: Graphviz takes no long ones.
 * *shown, if not NULL, is how many
 * nodes there are, without those of reference 0. The profile was made with
 * DMTRACE_PROFILE_EDGES.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  an index of around is not below the count
 *   DMTRACE_ERR_STATE  the profile had no trace, or keeps too little
 * A failure to write is the sink's, told at its close.
 */
DMTRACE_API enum dmtrace_status
dmtrace_export_dot(const struct dmtrace_profile *profile,
    const struct dmtrace_dot_options *options, struct dmtrace_sink *sink,
    size_t *shown);

/* What a page's table is sorted by at first. */
enum dmtrace_html_sort {
	DMTRACE_HTML_INCLUSIVE = 0,
	DMTRACE_HTML_EXCLUSIVE = 1,
	DMTRACE_HTML_CALLS = 2,
	DMTRACE_HTML_PER_CALL = 3,
	DMTRACE_HTML_OFF_CPU = 4,
	DMTRACE_HTML_NAME = 5
};

struct dmtrace_html_options {
	const char *title;	/* NULL: "dmtrace report" */
	enum dmtrace_clock clock;	/* of the times shown: THREAD_CPU, else
					   WALL */
	enum dmtrace_html_sort sort;
	int per_thread;		/* of each thread, too; needs
				   DMTRACE_PROFILE_THREADS */
	int calls;		/* columns of DMTRACE_PROFILE_CALLS, which the
				   profile was made with */
	double threshold;	/* percent, inclusive */
	size_t top;		/* methods in a table at most; 0: all */
	const char *note;	/* a paragraph below the title; NULL: none */
};

/*
 * Writes a page that needs no network: the methods, sorted by any column, who
 * called each and whom it called, where one unfolds it, and a flame graph. The
 * profile was made with DMTRACE_PROFILE_TREE.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  the profile had no trace, or keeps too little
 * A failure to write is the sink's, told at its close.
 */
DMTRACE_API enum dmtrace_status
dmtrace_export_html(const struct dmtrace_profile *profile,
    const struct dmtrace_html_options *options, struct dmtrace_sink *sink);

/* What one value of a call, or of a path of calls, is: bits. */
enum dmtrace_export_weight {
	DMTRACE_EXPORT_WALL = 1,	/* nanoseconds */
	DMTRACE_EXPORT_CPU = 2,
	DMTRACE_EXPORT_CALLS = 4
};

struct dmtrace_flame_options {
	const char *title;	/* NULL: "dmtrace flame" */
	enum dmtrace_export_weight weight;	/* the width of frames; 0: wall
						   time, CPU time without it */
	int icicle;		/* the outermost frame is at the top */
	int reverse;		/* from the innermost method to its callers */
	const struct dmtrace_profile *old;	/* compared with; NULL: none */
};

/*
 * Writes the paths of calls as a flame graph in SVG, which needs no network:
 * frames are as wide as their share, in a color of their package, or in one of
 * the change of their share. Without a script it shows the frames that are
 * a pixel wide; with one it enlarges any part, and searches. The profiles were
 * made with DMTRACE_PROFILE_TREE.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the traces lack that time
 *   DMTRACE_ERR_STATE  a profile had no trace, or keeps too little
 * A failure to write is the sink's, told at its close.
 */
DMTRACE_API enum dmtrace_status
dmtrace_export_flame(const struct dmtrace_profile *profile,
    const struct dmtrace_flame_options *options, struct dmtrace_sink *sink);

/* A format that traces are exported to. Belongs to the library. */
struct dmtrace_export_format {
	const char *name;
	const char *viewers;	/* who opens it */
	const char *open;	/* how: a command or a page */
	unsigned weights;	/* of which one is to be chosen; 0: it has all
				   that there is */
	int per_thread;		/* it can name the thread of each path */
	int binary;		/* it is no text */
	int instants;		/* it shows what has a time, but no end */
};

/* By index from 0; NULL past the last one. */
DMTRACE_API const struct dmtrace_export_format *
dmtrace_export_format_get(size_t index);

struct dmtrace_export_options {
	enum dmtrace_export_weight weight;	/* one that the format has;
				   0: wall time, CPU time without it */
	int per_thread;		/* paths begin with their thread */
};

/* What is not as the traces have it (dmtrace-export(1)). */
struct dmtrace_export_counts {
	uint64_t events;	/* in all */
	uint64_t unentered;	/* calls that begin with their thread */
	uint64_t unended;	/* calls that end with their thread */
	uint64_t unwound;	/* calls that end with an outer one */
	uint64_t strays;	/* exits of no open call, left out */
	uint64_t reserved;	/* events of the reserved action, left out */
	uint64_t set_back;	/* events with an earlier time than the one
				   before in their thread */
	uint64_t negative;	/* values below 0, left out */
	uint64_t outside;	/* instants before the first event or after
				   the last one, left out */
};

/* What happened beside the calls, such as an entry of an event log. */
struct dmtrace_export_instant {
	uint64_t time_ns;
	uint32_t thread;	/* its number in the trace; shown with the
				   process if there is no such thread */
	struct dmtrace_text name;	/* of any bytes */
	struct dmtrace_text detail;	/* empty: none */
};

/*
 * Traces on their way to one file. Used by one thread at a time: new, export
 * for each trace, finish, free; the caller then closes the sink.
 */
struct dmtrace_exporter;

/* The sink is open, and lives until the exporter is freed; options may be
 * NULL, which is all zero. NULL: no memory. */
DMTRACE_API struct dmtrace_exporter *
dmtrace_exporter_new(const struct dmtrace_export_format *format,
    const struct dmtrace_export_options *options, struct dmtrace_sink *sink);

/*
 * Exports instants with the next trace, beside its wall times. The trace
 * starts at start_ns of their times. The array and its strings must live until
 * that trace is exported. Only for formats that show instants.
 */
DMTRACE_API void
dmtrace_exporter_set_instants(struct dmtrace_exporter *exporter,
    const struct dmtrace_export_instant *instants, size_t count,
    uint64_t start_ns);

/*
 * Exports the events of a source, of which none was read; name is that of
 * their trace. Most formats need the events twice: what can be read only once
 * is copied to a temporary in TMPDIR, else /tmp.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, a status of the source or the sink,
 * or
 *   DMTRACE_ERR_RANGE  the format has not that weight, or the trace lacks
 *                      it, or wall times for instants
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH,
 *                      or times add up to more than 2^63 ns
 */
DMTRACE_API enum dmtrace_status
dmtrace_export(struct dmtrace_exporter *exporter,
    struct dmtrace_source *source, const char *name);

/* Writes what comes after the last trace. *counts may be NULL. Returns
 * DMTRACE_OK, or what an export does. */
DMTRACE_API enum dmtrace_status
dmtrace_exporter_finish(struct dmtrace_exporter *exporter,
    struct dmtrace_export_counts *counts);

/* The first failure that is neither of a source nor of the sink; belongs to
 * the exporter. */
DMTRACE_API const struct dmtrace_error *
dmtrace_exporter_error(const struct dmtrace_exporter *exporter);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_exporter_free(struct dmtrace_exporter *exporter);

/* What traces are made of; see dmtrace-import(1). */
enum dmtrace_import_format {
	DMTRACE_IMPORT_CHROME = 0,	/* JSON: events B, E and X */
	DMTRACE_IMPORT_COLLAPSED = 1	/* lines of frames and a number */
};

struct dmtrace_import_options {
	enum dmtrace_import_format format;
	uint64_t unit_ns;	/* of the numbers of COLLAPSED; 0: 1 */
	int per_thread;		/* COLLAPSED: the first frame of a path is its
				   thread */
	unsigned flags;		/* DMTRACE_SYNC */
};

/* What became of the text, and what the trace does not have of it. */
struct dmtrace_import_result {
	uint64_t events;	/* of the trace */
	uint64_t calls;
	uint64_t threads;
	uint64_t methods;
	uint64_t open;		/* calls without an end: they stay open */
	uint64_t strays;	/* ends of calls that are not open, left out */
	uint64_t unwound;	/* calls that end with an outer one */
	uint64_t overlapping;	/* calls that end after the one around them,
				   cut at its end */
	uint64_t rounded;	/* times that are not whole microseconds */
	uint64_t renumbered;	/* threads whose number is another one */
	uint64_t renamed;	/* names with TAB, CR, LF or NUL, which became
				   \t and so on */
	uint64_t others;	/* events of other kinds, left out */
	uint64_t arguments;	/* calls with arguments, which are left out */
	uint64_t outside_ns;	/* time outside of calls that has no place */
	int cpu_dropped;	/* some events have CPU times, not all */
	int truncated;		/* the text ends in its array of events */
};

/*
 * Reads what another format has, and writes it to out as a trace: of version 3
 * with two clocks if all events have CPU times, else of version 2. Memory
 * grows with the number of events. Times that do not fit records, or are below
 * 0, are counted from the first one.
 *
 * result may be NULL; after a failure it is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_CORRUPT    the text is not of the format; the error has the
 *                          place
 *   DMTRACE_ERR_TRUNCATED  it ends in a value
 *   DMTRACE_ERR_LIMIT      a line or string of more than 16 MiB, or JSON that
 *                          nests deeper than 65,536
 *   DMTRACE_ERR_RANGE      more than 65,535 threads; times that are more than
 *                          2^32 us apart
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
