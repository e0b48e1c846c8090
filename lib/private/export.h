/* export.h - exports: several traces in one file, options for profiles */
/* layer: export */
#ifndef DMT_PRIVATE_EXPORT_H
#define DMT_PRIVATE_EXPORT_H

#include <dmtrace/export.h>

#include "private/output.h"

/* As a threshold: show every method. */
#define DMT_DOT_ALL (-1.0)

/*
 * Which methods the call graph shows: those in around, and others whose share
 * of the total time is at least threshold. If around is set, the others must
 * be at most hops calls away from one of these methods, over methods that are
 * shown.
 */
struct dmt_dot_options {
	enum dmtrace_clock clock;	/* THREAD_CPU, else WALL */
	int per_thread;		/* a cluster for each thread, with its own
				   total; needs DMTRACE_PROFILE_THREADS */
	double threshold;	/* percent of inclusive time; 0: 0.5; or
				   DMT_DOT_ALL */
	const uint32_t *around;	/* method indexes, valid as long as the
				   options; NULL: any distance */
	size_t around_count;
	uint32_t hops;		/* calls in either direction; 0: 1; or
				   DMTRACE_NONE */
};

struct dmt_dot_size {
	size_t methods;		/* nodes, without those of reference 0 */
	size_t edges;
};

/*
 * Writes the call graph in Graphviz' language DOT. A node is a method: its
 * name, its inclusive and exclusive time with their shares of the total, and
 * its number of calls. Nodes are named "node" and the method's rank by
 * inclusive time; node0 is what is outside of methods. An edge has the number
 * of calls and their inclusive time. A legend explains this. Names are cut at
 * 160 bytes, in tooltips at 1,000, as Graphviz refuses very long ones. *size,
 * unless NULL, receives the size of the graph. The profile must have been made
 * with DMTRACE_PROFILE_EDGES.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  an index in around is too large
 *   DMTRACE_ERR_STATE  the profile had no trace, or lacks the edges
 * A failure to write is reported by the close of the output.
 */
enum dmtrace_status
dmt_export_dot(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options, struct dmt_output *out,
    struct dmt_dot_size *size);

/* Writes the style and the script that a picture of such a graph, as SVG, has
 * after its opening tag: they move and zoom it, and make it dark. */
void
dmt_export_dot_put_parts(struct dmt_output *out);

/* What a page's table is sorted by initially. */
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
	enum dmtrace_clock clock;	/* THREAD_CPU; otherwise WALL */
	enum dmt_html_sort sort;
	int per_thread;		/* also for each thread; needs
				   DMTRACE_PROFILE_THREADS */
	int calls;		/* show the columns of DMTRACE_PROFILE_CALLS,
				   which the profile must have */
	double threshold;	/* percent of inclusive time */
	size_t top;		/* most methods in a table; 0: all */
	const char *note;	/* a paragraph below the title; NULL: none */
};

/*
 * Writes a page that needs no network: the methods, sorted by any column; for
 * each method, its callers and callees; and a flame graph. The profile must
 * have been made with DMTRACE_PROFILE_TREE.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  the profile had no trace, or lacks the tree
 * A failure to write is reported by the close of the output.
 */
enum dmtrace_status
dmt_export_html(const struct dmtrace_profile *profile,
    const struct dmt_html_options *options, struct dmt_output *out);

struct dmt_flame_options {
	const char *title;	/* NULL: "dmtrace flame" */
	enum dmtrace_export_weight weight;	/* what the width of a frame
						   shows; 0: wall time, or CPU
						   time if there is none */
	int icicle;		/* draw the outermost frame at the top */
	int reverse;		/* from the innermost method to its callers */
	const struct dmtrace_profile *old;	/* compare with this profile;
						   NULL: none */
};

/*
 * Writes the paths of calls as a flame graph in SVG, which needs no network.
 * The width of a frame is its share; its colour shows its package or, in a
 * comparison, the change of its share. Without scripts it shows all frames
 * that are at least a pixel wide; with scripts one can zoom and search. The
 * profiles must have been made with DMTRACE_PROFILE_TREE.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the traces lack the times of weight
 *   DMTRACE_ERR_STATE  a profile had no trace, or lacks the tree
 * A failure to write is reported by the close of the output.
 */
enum dmtrace_status
dmt_export_flame(const struct dmtrace_profile *profile,
    const struct dmt_flame_options *options, struct dmt_output *out);

struct dmt_exporter_options {
	enum dmtrace_export_weight weight;	/* one that the format
						   supports; 0: wall time, or
						   CPU time if there is none */
	int per_thread;		/* paths begin with the name of the thread */
	enum dmtrace_export_rows rows;	/* of parquet */
	const struct dmtrace_export_label *labels;	/* valid as long as the
						   exporter */
	size_t label_count;
	bool compare;		/* html: begin with the second trace compared
				   with the first */
	char *const *selection;	/* html: the options that selected the events,
				   ended by NULL, valid as long as the
				   exporter; NULL: none */
};

/* Something that happened besides the calls, such as an entry of an event
 * log. */
struct dmt_export_instant {
	uint64_t time_ns;
	uint32_t thread;	/* number in the trace; if there is no such
				   thread, it is shown with the process */
	struct dmtrace_text name;	/* may have any bytes */
	struct dmtrace_text detail;	/* empty: none */
};

/*
 * Exports several traces to one file. Used by one thread at a time, in this
 * order: new, add for each trace, finish, free; then the caller closes the
 * output.
 */
struct dmt_exporter;

/* Returns the format of that name, or NULL. */
const struct dmtrace_export_format *
dmt_export_format_find(const char *name);

/* out must be open, and must not be closed before the exporter is freed.
 * options may be NULL for all defaults. NULL: no memory. */
struct dmt_exporter *
dmt_exporter_new(const struct dmtrace_export_format *format,
    const struct dmt_exporter_options *options, struct dmt_output *out);

/*
 * Exports instants with the next trace. On their clock, the trace starts at
 * start_ns, and its wall times are relative to that. The array and its strings
 * must stay valid until that trace has been exported. Only for formats that
 * support instants.
 */
void
dmt_exporter_set_instants(struct dmt_exporter *exporter,
    const struct dmt_export_instant *instants, size_t count,
    uint64_t start_ns);

/*
 * Exports the events of a source, of which none was read; name is the name of
 * the trace. Most formats read the events twice: input that can be read only
 * once is copied to a temporary file in TMPDIR, else in /tmp.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, a status of the source or the output,
 * or
 *   DMTRACE_ERR_RANGE  the format does not support the weight, or the trace
 *                      lacks its times, or wall times for instants
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH,
 *                      or a sum of times exceeds 2^63 ns
 */
enum dmtrace_status
dmt_exporter_add(struct dmt_exporter *exporter,
    struct dmtrace_source *source, const char *name);

/* Writes what follows the last trace. counts may be NULL. Returns DMTRACE_OK,
 * or a status of dmt_exporter_add. */
enum dmtrace_status
dmt_exporter_finish(struct dmt_exporter *exporter,
    struct dmtrace_export_counts *counts);

/* Returns the first failure that is neither the source's nor the output's; it
 * belongs to the exporter. */
const struct dmtrace_error *
dmt_exporter_error(const struct dmt_exporter *exporter);

/* exporter may be NULL. */
void
dmt_exporter_free(struct dmt_exporter *exporter);

#endif
