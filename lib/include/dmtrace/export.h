/* dmtrace/export.h - profiles in the forms of other programs */
#ifndef DMTRACE_EXPORT_H
#define DMTRACE_EXPORT_H

#include <dmtrace/profile.h>
#include <dmtrace/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Names of any bytes may be in a profile: what a form would take for its own
 * is escaped, and control characters and bytes of invalid UTF-8 become \t,
 * \n, \r or \xNN, so that \ is \\. Numbers do not depend on the locale. One
 * profile, and one sink, is used by one thread at a time.
 */

/* The call graph: which methods are in it. Those of around are; others if
 * they take threshold of the total time and, with around, are not more than
 * hops calls away from one of them, over such methods. */
struct dmtrace_dot_options {
	size_t size;		/* sizeof(struct dmtrace_dot_options) */
	enum dmtrace_profile_clock clock;
	int per_thread;		/* a cluster for each, of its own total; needs
				   DMTRACE_PROFILE_THREADS */
	double threshold;	/* percent, inclusive: 20 */
	const uint32_t *around;	/* indexes of methods, that live as long;
				   NULL: no matter how far away */
	size_t around_count;
	uint32_t hops;		/* calls, forth or back: 1 */
};

/* The wall clock, all threads together, 20 percent, no methods of around. */
DMTRACE_API void
dmtrace_dot_options_init(struct dmtrace_dot_options *options);

/*
 * Writes the call graph in Graphviz' language DOT. A node is a method, with
 * "[reference] class.name (inclusive, exclusive, calls)": times are in
 * milliseconds, behind calls stands + and the recursive ones, if any; the
 * reference is its rank by inclusive time, 0 what is outside of methods. An
 * edge has calls and inclusive time. Names are cut at 160 bytes, in tooltips
 * at 1,000: Graphviz takes no long ones. *shown, if not NULL, is how many
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
	size_t size;		/* sizeof(struct dmtrace_html_options) */
	const char *title;	/* NULL: "dmtrace report" */
	enum dmtrace_profile_clock clock;	/* of the times shown */
	enum dmtrace_html_sort sort;
	int per_thread;		/* a table for each, too; needs
				   DMTRACE_PROFILE_THREADS */
	int calls;		/* columns of DMTRACE_PROFILE_CALLS, which the
				   profile was made with */
	double threshold;	/* percent, inclusive: 0 */
	size_t top;		/* methods in a table at most: all */
	const char *note;	/* a paragraph below the title; NULL: none */
};

/* The wall clock, by inclusive time, all threads together, every row. */
DMTRACE_API void
dmtrace_html_options_init(struct dmtrace_html_options *options);

/*
 * Writes a page that needs no network: the methods, sorted by any column, and
 * who called each and whom it called, where one unfolds it. The profile was
 * made with DMTRACE_PROFILE_EDGES.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  the profile had no trace, or keeps too little
 * A failure to write is the sink's, told at its close.
 */
DMTRACE_API enum dmtrace_status
dmtrace_export_html(const struct dmtrace_profile *profile,
    const struct dmtrace_html_options *options, struct dmtrace_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
