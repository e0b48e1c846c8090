/* export.h - exports of several traces, and of all options of a profile */
#ifndef DMT_PRIVATE_EXPORT_H
#define DMT_PRIVATE_EXPORT_H

#include <dmtrace/export.h>

#include "private/sink.h"

/* As a threshold: every method. */
#define DMT_DOT_ALL (-1.0)

/* The call graph: which methods are in it. Those of around are; others if
 * they take threshold of the total time and, with around, are not more than
 * hops calls away from one of them, over such methods. */
struct dmt_dot_options {
	enum dmtrace_clock clock;	/* THREAD_CPU, else WALL */
	int per_thread;		/* a cluster for each, of its own total; needs
				   DMTRACE_PROFILE_THREADS */
	double threshold;	/* percent, inclusive; 0: 0.5;
				   DMT_DOT_ALL */
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
 * A failure to write is the sink's, reported at its close.
 */
enum dmtrace_status
dmt_export_dot(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options, struct dmt_sink *sink,
    size_t *shown);

/* What a page's table is sorted by at first. */
enum dmt_html_sort {
	DMT_HTML_INCLUSIVE = 0,
	DMT_HTML_EXCLUSIVE = 1,
	DMT_HTML_CALLS = 2,
	DMT_HTML_PER_CALL = 3,
	DMT_HTML_OFF_CPU = 4,
	DMT_HTML_NAME = 5
};

struct dmt_html_options {
	const char *title;	/* NULL: "dmtrace report" */
	enum dmtrace_clock clock;	/* of the times shown: THREAD_CPU, else
					   WALL */
	enum dmt_html_sort sort;
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
 * A failure to write is the sink's, reported at its close.
 */
enum dmtrace_status
dmt_export_html(const struct dmtrace_profile *profile,
    const struct dmt_html_options *options, struct dmt_sink *sink);

struct dmt_flame_options {
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
 * A failure to write is the sink's, reported at its close.
 */
enum dmtrace_status
dmt_export_flame(const struct dmtrace_profile *profile,
    const struct dmt_flame_options *options, struct dmt_sink *sink);

struct dmt_exporter_options {
	enum dmtrace_export_weight weight;	/* one that the format has;
				   0: wall time, CPU time without it */
	int per_thread;		/* paths begin with their thread */
};

/* What happened beside the calls, such as an entry of an event log. */
struct dmt_export_instant {
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
struct dmt_exporter;

/* The sink is open, and lives until the exporter is freed; options may be
 * NULL, which is all zero. NULL: no memory. */
struct dmt_exporter *
dmt_exporter_new(const struct dmtrace_export_format *format,
    const struct dmt_exporter_options *options, struct dmt_sink *sink);

/*
 * Exports instants with the next trace, beside its wall times. The trace
 * starts at start_ns of their times. The array and its strings must live until
 * that trace is exported. Only for formats that show instants.
 */
void
dmt_exporter_set_instants(struct dmt_exporter *exporter,
    const struct dmt_export_instant *instants, size_t count,
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
enum dmtrace_status
dmt_exporter_add(struct dmt_exporter *exporter,
    struct dmtrace_source *source, const char *name);

/* Writes what comes after the last trace. *counts may be NULL. Returns
 * DMTRACE_OK, or what an export does. */
enum dmtrace_status
dmt_exporter_finish(struct dmt_exporter *exporter,
    struct dmtrace_export_counts *counts);

/* The first failure that is neither of a source nor of the sink; belongs to
 * the exporter. */
const struct dmtrace_error *
dmt_exporter_error(const struct dmt_exporter *exporter);

/* NULL is allowed. */
void
dmt_exporter_free(struct dmt_exporter *exporter);

#endif
