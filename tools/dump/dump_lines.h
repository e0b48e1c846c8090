/* dump_lines.h - prints records as lines of text, TSV, CSV or JSON */
#ifndef DUMP_LINES_H
#define DUMP_LINES_H

#include <dmtrace.h>

#include "cli/decimal.h"
#include "cli/escapes.h"
#include "cli/out.h"
#include "cli/table.h"
#include "eventlog/log_marks.h"
#include "private/event.h"
#include "private/select.h"

#define MARK_MAX 32

/* A few bytes between the values of a row, or a value. */
struct mark {
	size_t len;
	char bytes[MARK_MAX];
};

/* What all lines of a thread or method share; offsets in struct dump_lines. */
struct label {
	size_t at;
	uint32_t head_len;		/* length of the number or id, with its
					   separators */
	uint32_t tail_len;		/* of a method's names, up to the line
					   end; both 0: not made yet */
};

struct dump_lines {
	enum form form;
	const struct dmtrace_source *source;
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;
	struct label *threads;		/* by index; see struct dmtrace_row */
	struct label *methods;
	struct table labels;		/* whose buffer has all labels: cells
					   of rows that are put together */
	int number_width;		/* width of thread numbers in text, in
					   columns */
	int name_width;
	int name_max;			/* and the most that it may be */
	struct mark actions[4];		/* whole cells */
	struct mark wall, depth;	/* what precedes these cells */
	struct mark between;		/* rows */
	struct mark absent;
	bool has_cpu, has_wall;		/* text has these columns */
	bool has_log;			/* other forms have its columns */
	bool has_rows;			/* a row was written */
};

/* Writes the name of an event's method as text, or its id if it has none;
 * bare: without its signature. */
void
dump_put_method_name(struct dmt_output *buffer,
    const struct dmtrace_source *source, const struct dmtrace_row *row,
    bool bare);

/* Source, key and layout must outlive lines. has_log: entries of a log are
 * printed, too. columns: of the terminal, or 0. Call dump_lines_fini in any
 * case. */
void
dump_lines_init(struct dump_lines *lines, enum form form,
    struct dmtrace_source *source, const struct dmtrace_key *key,
    const struct dmt_layout *layout, bool has_log, size_t columns);

/* Makes room for threads that are not known yet. */
void
dump_lines_widen(struct dump_lines *lines);

/* Makes the texts of threads again when they are next used: their names have
 * changed. */
void
dump_lines_rename(struct dump_lines *lines);

/* Writes the line of column names, or the begin of the document, if the form
 * has one. false: no memory. */
bool
dump_lines_put_names(struct dump_lines *lines, struct out *out);

/* Writes the first line of text: the thread, if there is only one, the clock
 * and the order. false: no memory, which was reported. */
bool
dump_put_heading(struct out *out, const struct dmtrace_reader *reader,
    const struct dmtrace_thread *only, bool calls, bool by_time);

/* Writes the line of an event. false: no memory. */
bool
dump_lines_put(struct dump_lines *lines, struct out *out,
    const struct dmtrace_row *row);

/* Writes the line of an entry of a log, time_ns after the trace's start.
 * false: no memory. */
bool
dump_lines_put_entry(struct dump_lines *lines, struct out *out,
    const struct dmt_export_instant *entry, uint64_t time_ns);

/* Writes the end of the document, if the form has one. false: no memory. */
bool
dump_lines_put_end(struct dump_lines *lines, struct out *out);

/* Writes "tag: values", the text of an entry. */
void
dump_put_entry(struct dmt_output *buffer,
    const struct dmt_export_instant *entry);

/* Prints the calls of a source, which was not read yet, with their durations,
 * for which it reads the events twice, and a third time to find the durations
 * of calls that the window of the selection cuts; in text also the entries of a
 * log. false: no memory, which was reported. *status is that of the source. */
bool
dump_calls(struct table *table, struct dmtrace_source *source,
    struct dmtrace_reader *reader, const struct dmt_selection *selection,
    const struct dmtrace_thread *only, struct log_marks *marks,
    enum dmtrace_status *status);

void
dump_lines_fini(struct dump_lines *lines);

#endif
