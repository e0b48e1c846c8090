/* report.h - profiles as tables */
#ifndef REPORT_H
#define REPORT_H

#include <dmtrace.h>
#include <stdbool.h>

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

/* What no other command has, after the forms that all have. */
#define REPORT_HTML ((enum form)(FORM_JSON + 1))

/* An operand that could not be read, or not to its end. */
struct report_unreadable {
	const char *file;
	struct dmtrace_error error;
};

enum { REPORT_STATISTICS = 7 };		/* of the calls of a method */

/* Columns of text that some tables of methods have. */
struct report_text_columns {
	bool shares;			/* beside the times */
	bool recursive, per_call, off_cpu;
	bool statistics[REPORT_STATISTICS];
	size_t statistic_count;
};

struct report {
	const struct dmtrace_profile *profile;
	struct dmtrace_profile_summary summary;
	struct table table;		/* its form may be REPORT_HTML */
	const struct report_printer *printer;	/* of the form */
	enum report_sort sort;		/* of rows */
	enum report_sort branch_sort;	/* of the branches of trees */
	enum dmtrace_profile_clock clock;	/* of what text shows */
	bool both;			/* clocks are there */
	int64_t total_ns;		/* of the current table */
	size_t top;			/* rows of a table at most */
	double threshold;		/* percent of the total at least, */
	double branch_threshold;	/* of branches of trees */
	bool threads;			/* rows are threads */
	bool groups;			/* or several methods each */
	bool callers, callees;
	bool tree, bottom_up;
	bool calls;			/* statistics of single calls */
	bool per_thread;		/* a table for each */
	bool signatures;		/* text has all of them */
	struct report_text_columns text;
	struct method_name *names;	/* sorted; of text */
	size_t name_count;
	const char *title;		/* of a page */
	const struct report_unreadable *unreadable;
	size_t unreadable_count;
	struct report_edges *edges;	/* of the current table */
};

/*
 * A row of a table. Of an edge, index and method are those of the other end,
 * but its calls and inclusive times are the edge's own; recursive says that
 * they lie in others, so that their time counts nowhere.
 */
struct report_row {
	size_t index;
	double weight;			/* what it is sorted by */
	bool recursive;
	struct dmtrace_profile_method method;
};

/* What a table does not show. */
struct report_rest {
	const char *what;		/* one of it */
	size_t too_short;		/* for the threshold */
	size_t beyond_top;
};

/* Puts rows in order: what is equal by names, then by index. */
void
report_rows_sort(struct report_row *rows, size_t count);

/* The weight of a method in an order. */
double
report_weight(const struct report *report, enum report_sort sort,
    const struct dmtrace_profile_method *method);

/* Prepares the edges of a table for report_edges_get. False, which is reported:
 * no memory. In any case report_edges_end. */
bool
report_edges_begin(struct report *report, size_t table);
void
report_edges_end(struct report *report);

/* Who called a method, or whom it called, in order; until the next call. */
const struct report_row *
report_edges_get(struct report *report, size_t method, bool callers,
    size_t *count);

/* How many rows of count are shown, as far as --top goes. */
size_t
report_shown(const struct report *report, size_t count);

/* Whether the time is at least so many percent of the table's total. */
bool
report_is_long(const struct report *report, double threshold, int64_t ns);

struct method_name
report_method_name(const struct dmtrace_profile_method *method);

/* The name of a method as text, with its signature if that is asked for or
 * another one of the report's names has its class and name. */
void
report_put_name(struct report *report,
    const struct dmtrace_profile_method *method);

/* The cells class, name and signature. */
void
report_put_names(struct table *table,
    const struct dmtrace_profile_method *method);

/* The cells file and error, the last ones of a row; NULL: of none that is
 * unreadable. */
void
report_put_error(struct table *table,
    const struct report_unreadable *unreadable);

/* Operands that could not be read: a line, or a row, each. The cells before
 * file and error, of which there are so many, are empty but for a kind, if it
 * is not NULL. */
void
report_put_unreadable(struct report *report, const char *kind, size_t cells);

/* The whole report. Without a trace it has what could not be read, and may not
 * be a page. False, which is reported: no memory. */
bool
report_print(struct report *report);

/* The methods of count profiles, one of each run: the least, median and most
 * of each figure. False, which is reported: no memory. */
bool
report_runs(struct report *report, struct dmtrace_profile *const *profiles,
    size_t count);

/* A line of a tree. */
struct report_node {
	const char *kind;		/* "node" or "up" */
	size_t table;
	size_t index;			/* in the order of the report, from 1 */
	size_t parent;			/* 0: none */
	size_t depth;			/* from 0 */
	size_t method;
	bool has_inclusive;
	struct dmtrace_profile_method figures;	/* the method, with what
					   is the line's own */
};

/* What a heading is for. */
enum report_table {
	REPORT_THREADS,
	REPORT_METHODS,			/* these rows */
	REPORT_TREE,
	REPORT_BOTTOM_UP
};

/*
 * How a form prints what report_print walks through: the beginning of the
 * report, then for each table, of all threads or of one, its heading and rows,
 * or the nodes of its trees. Headings and the rest may be NULL.
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
	size_t up_lines;		/* of a tree from below, at most */
};

extern const struct report_printer report_text_printer;
extern const struct report_printer report_row_printer;

/* The tree of a table from the top, or from below: each method with those
 * that called it. False, which is reported: no memory. */
bool
report_tree(struct report *report, size_t table, bool from_below);

#endif
