/* diff_run.h - the state of "diff", shared by its parts */
#ifndef DIFF_RUN_H
#define DIFF_RUN_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/check_report.h"
#include "cli/find_option.h"
#include "cli/method_name.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "private/verify.h"

enum diff_sort {
	DIFF_SORT_INCLUSIVE,
	DIFF_SORT_EXCLUSIVE,
	DIFF_SORT_CALLS,
	DIFF_SORT_PERCENT,
	DIFF_SORT_P,
	DIFF_SORT_NAME
};

struct diff_job {
	struct opt_list sides[DMTRACE_DIFF_SIDES];	/* operands */
	struct opt_list rules;			/* of --fail-if */
	unsigned form, sort, clock;
	const char *alpha;			/* as text */
	struct job io;
	uint64_t top;				/* 0: all rows;
						   DIFF_TOP_UNSET */
	double threshold;			/* in percent of the total */
	uint64_t context;			/* in lines, for --trees */
	struct find_option find;		/* rows to print */
	bool slower;				/* show increases only */
	bool signatures;			/* of all methods, in text */
	bool calls, dmtracedump;
	struct selection selection;		/* selection_begin was called */
};

#define DIFF_ALPHA 0.05
#define DIFF_CONTEXT 3

/* No --top: all rows, and DIFF_RULE_TOP methods per rule. */
#define DIFF_TOP_UNSET UINT64_MAX
#define DIFF_RULE_TOP 20

/* The state of a comparison. */
struct diff {
	struct diff_job *job;
	double alpha;
	struct trace_events events;
	struct table table;		/* of a form with cases only checks
					   are printed */
	struct check_report checks;
	struct dmtrace_diff *diff;
	struct dmtrace_diff_summary summary;
	enum dmtrace_profile_clock clock;
	struct diff_rule *rules;	/* one per rule of the job */
	struct diff_row *rows;
	size_t row_count;
	size_t only[DMTRACE_DIFF_SIDES];	/* rows that are on one side
						   only */
	struct method_name *names;	/* sorted, for text */
};

/* Columns of text with a change; times are on the chosen clock. */
enum diff_column {
	DIFF_COLUMN_INCLUSIVE = DMT_DIFF_OF_INCLUSIVE,
	DIFF_COLUMN_EXCLUSIVE = DMT_DIFF_OF_EXCLUSIVE,
	DIFF_COLUMN_CALLS = DMT_DIFF_OF_CALLS,
	DIFF_COLUMNS
};

/* The row of a method that has changed. */
struct diff_row {
	size_t index;
	struct dmtrace_diff_method method;
	struct dmtrace_diff_change changes[DMTRACE_DIFF_FIGURES];
	bool different;
	double weight;			/* the value to sort by */
};

/* A parsed rule. */
struct diff_rule {
	const char *text;		/* the whole rule */
	struct dmt_diff_rule rule;	/* its figure is set later */
};

/* Compares the files of the job and prints the differences. Returns the exit
 * status. */
int
diff_run(struct diff_job *job);

/* Parses the rules of the job. Returns OPT_GO or CMD_TROUBLE, which was
 * reported. Call diff_rules_end in any case. */
int
diff_rules_begin(struct diff *diff);
void
diff_rules_end(struct diff *diff);

/* Reports the rules that hold. Returns CMD_OK, CMD_NO if a rule holds, or
 * CMD_TROUBLE if one cannot be judged. */
int
diff_rules_judge(struct diff *diff);

/* Returns the figure of a column. */
enum dmtrace_diff_figure
diff_figure(enum dmtrace_profile_clock clock, enum diff_column column);

/* Returns the time by which rows are sorted; if they are not sorted by time,
 * inclusive time. */
enum diff_column
diff_time_column(const struct diff *diff);

/* Returns how many rows are printed. */
size_t
diff_shown(const struct diff *diff);

struct method_name
diff_method_name(const struct dmtrace_diff_method *method);

/* Prints the rows in the form of the table. false: some are missing, which was
 * reported. */
bool
diff_put_rows(struct diff *diff);

/* The two other kinds of comparison. They return an exit status. */
int
diff_calls(struct diff *diff);
int
diff_dmtracedump(struct diff *diff);

/* Opens an operand that must have events, and closes the previous one. Returns
 * CMD_OK, or CMD_TROUBLE, which was reported: also if events of the trace are
 * lost. Other errors in it are reported, but are not a difference. */
int
diff_read_operand(struct diff *diff, const char *operand);

#endif
