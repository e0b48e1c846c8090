/* diff_run.h - what "diff" is asked for, and doing it */
#ifndef DIFF_RUN_H
#define DIFF_RUN_H

#include <dmtrace.h>
#include <stdbool.h>

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
	const char *output;
	uint64_t top;				/* 0: all; DIFF_TOP_UNSET */
	double threshold;			/* percent of the total */
	uint64_t context;			/* lines, of --calls */
	bool slower;				/* nothing else */
	bool signatures;			/* of all methods in text */
	bool calls, dmtracedump;
	bool quiet, progress;
	struct selection selection;		/* begun */
};

#define DIFF_ALPHA 0.05
#define DIFF_CONTEXT 3

/* No --top: all rows, and DIFF_RULE_TOP methods of a rule. */
#define DIFF_TOP_UNSET UINT64_MAX
#define DIFF_RULE_TOP 20

/* The diff that runs. */
struct diff {
	struct diff_job *job;
	double alpha;
	struct trace_events events;
	struct table table;
	struct dmtrace_diff *diff;
	struct dmtrace_diff_summary summary;
	enum dmtrace_profile_clock clock;
	struct diff_rule *rules;	/* as many as the job has */
	struct diff_row *rows;
	size_t row_count;
	size_t only[DMTRACE_DIFF_SIDES];	/* of the rows */
	struct method_name *names;	/* sorted; of text */
};

/* What is compared in text: times of the clock. */
enum diff_column {
	DIFF_COLUMN_INCLUSIVE,
	DIFF_COLUMN_EXCLUSIVE,
	DIFF_COLUMN_CALLS,
	DIFF_COLUMNS
};

/* A method that has changed. */
struct diff_row {
	size_t index;
	struct dmtrace_diff_method method;
	struct dmtrace_diff_change changes[DMTRACE_DIFF_FIGURES];
	bool different;
	double weight;			/* what it is sorted by */
};

/* A rule that was read. */
struct diff_rule {
	const char *text;		/* all of it */
	char *method;			/* the pattern; NULL: the total */
	struct dmt_diff_rule rule;	/* but for the clock of its figure */
	enum diff_column column;
};

/* Reads the job's files and puts what is different. Returns the exit
 * status. */
int
diff_run(struct diff_job *job);

/* Reads a number without a sign; false: it is none. */
bool
diff_number(const char *text, double *number);

/* Reads the rules of the job. Returns OPT_GO or, which is reported,
 * CMD_TROUBLE. In any case end with diff_rules_end. */
int
diff_rules_begin(struct diff *diff);
void
diff_rules_end(struct diff *diff);

/* Reports which rules hold. Returns CMD_OK, CMD_NO, one does, or CMD_TROUBLE:
 * one cannot be judged. */
int
diff_rules_judge(struct diff *diff);

/* The figure of a column. */
enum dmtrace_diff_figure
diff_figure(const struct diff *diff, enum diff_column column);

/* The time that the rows are sorted by; else the inclusive one. */
enum diff_column
diff_time_column(const struct diff *diff);

/* How many rows are shown. */
size_t
diff_shown(const struct diff *diff);

struct method_name
diff_method_name(const struct dmtrace_diff_method *method);

/* Puts the rows in the form of the table. False, which is reported: some of
 * them are lost. */
bool
diff_put_rows(struct diff *diff);

/* The other two ways of comparing two traces. They return an exit status. */
int
diff_calls(struct diff *diff);
int
diff_dmtracedump(struct diff *diff);

/* Reads an operand with events, and frees the last one's reader. Errors
 * that are found in it are reported, and no difference. Returns CMD_OK or
 * CMD_TROUBLE. */
int
diff_read_operand(struct diff *diff, const char *operand);

#endif
