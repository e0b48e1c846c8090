/* report.h - prints profiles as tables */
#ifndef REPORT_H
#define REPORT_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/find_option.h"
#include "cli/method_name.h"
#include "cli/table.h"

enum report_sort {
	REPORT_SORT_INCLUSIVE,
	REPORT_SORT_EXCLUSIVE,
	REPORT_SORT_CALLS,
	REPORT_SORT_PER_CALL,
	REPORT_SORT_OFF_CPU,
	REPORT_SORT_NAME
};

/* A form that only this command has. */
#define REPORT_HTML ((enum form)(FORM_JSON + 1))

/* An operand that could not be read completely. */
struct report_unreadable {
	const char *file;
	struct dmtrace_error error;
};

enum { REPORT_STATISTICS = 7 };		/* of the calls of a method */

/* Columns of text that only some tables of methods have. */
struct report_text_columns {
	bool shares;			/* next to the times */
	bool no_exclusive_share;	/* there is no space for it, in trees */
	bool recursive, per_call, off_cpu;
	bool statistics[REPORT_STATISTICS];
	size_t statistic_count;
};

struct report {
	const struct dmtrace_profile *profile;
	struct dmtrace_profile_summary summary;
	struct table table;		/* its form may be REPORT_HTML */
	const struct report_printer *printer;	/* of the form */
	enum report_sort sort;		/* order of rows */
	enum report_sort branch_sort;	/* order of branches in trees */
	enum dmtrace_profile_clock clock;	/* the clock that text shows */
	bool both;			/* the traces have both clocks */
	int64_t total_ns;		/* of the current table */
	bool total_partial;
	size_t top;			/* most rows of a table */
	double threshold;		/* least percentage of the total for
					   rows, */
	double branch_threshold;	/* and for branches of trees */
	struct find_option find;	/* rows to print */
	bool threads;			/* rows are threads */
	bool groups;			/* rows are groups of methods, */
	bool classes;			/* by class or package */
	bool callers, callees;
	bool tree, bottom_up;
	bool unfold;			/* a line of text for each call of a
					   chain */
	bool calls;			/* show statistics of single calls */
	bool per_thread;		/* a table for each thread */
	bool signatures;		/* show all signatures in text */
	struct report_text_columns text;
	struct method_name *names;	/* sorted, for text */
	size_t name_count;
	const char *title;		/* of an HTML page */
	const struct report_unreadable *unreadable;
	size_t unreadable_count;
	struct report_edges *edges;	/* of the current table */
};

/*
 * A row of a table. For an edge, index and method are those of the other
 * method, but calls and inclusive times are those of the edge; recursive means
 * that all of its calls are inside other calls, so that their time does not
 * count.
 */
struct report_row {
	size_t index;
	double weight;			/* the value to sort by */
	bool recursive;
	struct dmtrace_profile_method method;
};

/* The rows that a table does not show. */
struct report_rest {
	const char *what;		/* name of a row, singular */
	size_t too_short;		/* rows below the threshold */
	size_t beyond_top;
	size_t beyond_lines;		/* of the form: see up_lines */
};

/* Sorts rows by weight; rows of equal weight by names, then by index. */
void
report_rows_sort(struct report_row *rows, size_t count);

/* Returns the value of a method to sort by. */
double
report_weight(const struct report *report, enum report_sort sort,
    const struct dmtrace_profile_method *method);

/* Prepares the edges of a table for report_edges_get. false: no memory, which
 * was reported. Call report_edges_end in any case. */
bool
report_edges_begin(struct report *report, size_t table);
void
report_edges_end(struct report *report);

/* Returns the callers or the callees of a method, sorted; valid until the next
 * call. */
const struct report_row *
report_edges_get(struct report *report, size_t method, bool callers,
    size_t *count);

/* Returns how many of count rows are shown, limited by --top. */
size_t
report_shown(const struct report *report, size_t count);

/* Returns true if a time of the report's clock is not known: its CPU time is
 * partial. It is left empty. */
static inline bool
report_lacks(const struct report *report, int partial)
{
	return partial != 0 && report->clock == DMTRACE_PROFILE_CPU;
}

/* Returns true if the time is at least that percentage of the table's total, or
 * is not known. */
bool
report_is_long(const struct report *report, double threshold, int64_t ns,
    int partial);

/* Returns true if --find does not leave out the row of a method or group. */
bool
report_finds(struct report *report, size_t index,
    const struct dmtrace_profile_method *method);

struct method_name
report_method_name(const struct dmtrace_profile_method *method);

/* Writes the name of a method as text, with its signature if that is asked for
 * or another method has the same class and name. */
void
report_put_name(struct report *report,
    const struct dmtrace_profile_method *method);

/* Fills the cells class, name and signature. */
void
report_put_names(struct table *table,
    const struct dmtrace_profile_method *method);

/* Fills the cells file and error, the last ones of a row; NULL: the row is not
 * about an unreadable operand. */
void
report_put_error(struct table *table,
    const struct report_unreadable *unreadable);

/* Prints a line or row for each operand that could not be read. The number of
 * cells before file and error is cells; they are empty, except for kind,
 * unless that is NULL. */
void
report_put_unreadable(struct report *report, const char *kind, size_t cells);

/* Prints the whole report. If no trace was read, it lists the operands that
 * could not be read, and must not be a page. false: no memory, which was
 * reported. */
bool
report_print(struct report *report);

/* Prints the methods of count profiles, one for each run: the minimum, median
 * and maximum of each figure. false: no memory, which was reported. */
bool
report_runs(struct report *report, struct dmtrace_profile *const *profiles,
    size_t count);

/* A line of a tree. */
struct report_node {
	const char *kind;		/* "node" or "up" */
	size_t table;
	size_t index;			/* number in the report, from 1 on */
	size_t parent;			/* number of the parent; 0: none */
	size_t depth;			/* from 0 on */
	size_t method;
	bool has_inclusive;
	struct dmtrace_profile_method figures;	/* the method, with the figures
						   of this line */
	size_t last;			/* the last method of the chain that
					   the line stands for */
	size_t chain_count;		/* its methods; 1: there is no chain */
};

/* Kinds of tables, for headings. */
enum report_table {
	REPORT_THREADS,
	REPORT_METHODS,			/* of the following rows */
	REPORT_TREE,
	REPORT_BOTTOM_UP
};

/*
 * A form's functions that report_print calls: at the beginning of the report;
 * then for each table, of all threads or of one, for its heading and rows, or
 * the nodes of its trees. Those for headings and for rows that are not shown
 * may be NULL.
 */
struct report_printer {
	void (*put_beginning)(struct report *report);
	void (*put_thread_heading)(struct report *report, size_t thread);
	void (*put_heading)(struct report *report, enum report_table what,
	    const struct report_row *rows, size_t count);
	void (*put_thread)(struct report *report, struct report_row *row);
	void (*put_method)(struct report *report, size_t table,
	    const struct report_row *row);
	void (*put_node)(struct report *report,
	    const struct report_node *node);
	void (*put_rest)(struct report *report,
	    const struct report_rest *rest);
	bool folds;			/* a chain of calls is one line */
	size_t up_lines;		/* most lines in a tree from below */
};

extern const struct report_printer report_text_printer;
extern const struct report_printer report_row_printer;

/* Prints the tree of a table from the top, or from below: each method with its
 * callers. false: no memory, which was reported. */
bool
report_tree(struct report *report, size_t table, bool from_below);

#endif
