/* dump_lines.h - records as lines of text, TSV, CSV or JSON */
#ifndef DUMP_LINES_H
#define DUMP_LINES_H

#include <dmtrace.h>

#include "cli/decimal.h"
#include "cli/out.h"
#include "cli/strbuf.h"
#include "cli/table.h"
#include "eventlog/log_marks.h"
#include "private/event.h"

#define MARK_MAX 32

/* A few bytes between the cells that change. */
struct mark {
	size_t len;
	char bytes[MARK_MAX];
};

/* What every line of one thread or method has: bytes of struct dump_lines. */
struct label {
	size_t at;
	uint32_t head_len;		/* the cell of the number or id, with
					   what is before and after it */
	uint32_t tail_len;		/* a method's names, up to the line's
					   end; both are 0: not made yet */
};

/* By index; see struct dmtrace_row. */
struct labels {
	struct label *items;
	size_t capacity;
};

struct dump_lines {
	enum form form;
	const struct dmtrace_source *source;
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;
	struct labels threads;
	struct labels methods;
	struct strbuf bytes;		/* of all labels */
	int number_width;		/* of threads in text, in columns */
	int name_width;
	struct mark actions[4];		/* with what follows */
	struct mark wall, depth, absent;
	bool has_cpu, has_wall;		/* columns of text */
	bool has_value;			/* a column of other forms */
	struct decimal_seconds cpu_recent, wall_recent;
};

/* The name of the method of an event as text, or its id if it has none; bare:
 * without its signature. */
void
dump_put_method_name(struct strbuf *buffer,
    const struct dmtrace_source *source, const struct dmtrace_row *row,
    bool bare);

/* Source, key and layout must live as long; has_value: entries of a log are
 * among the lines. In any case end them with dump_lines_fini. */
void
dump_lines_init(struct dump_lines *lines, enum form form,
    const struct dmtrace_source *source, const struct dmtrace_key *key,
    const struct dmt_layout *layout, bool has_value);

/* Makes room for threads that are not known yet. */
void
dump_lines_widen(struct dump_lines *lines);

/* Puts the line that names the columns, if the form has one. */
void
dump_lines_put_names(const struct dump_lines *lines, struct out *out);

/* Puts the first line of text: of what thread, if it is but one, on what clock
 * and in what order. False, which is reported: no memory. */
bool
dump_put_heading(struct out *out, const struct dmtrace_reader *reader,
    const struct dmtrace_thread *only, bool by_time);

/* Puts the line of an event. False: no memory. */
bool
dump_lines_put(struct dump_lines *lines, struct out *out,
    const struct dmtrace_row *row);

/* Puts the line of an entry of a log, time_ns after the trace's start. False:
 * no memory. */
bool
dump_lines_put_entry(const struct dump_lines *lines, struct out *out,
    const struct dmt_export_instant *entry, uint64_t time_ns);

/* "tag: values", the text of an entry. */
void
dump_put_entry(struct strbuf *buffer,
    const struct dmt_export_instant *entry);

/* Prints the calls of a source as text, with the durations that a second pass
 * takes, and the entries of a log among them. False, which is reported: no
 * memory. *status is that of the source. */
bool
dump_calls(struct table *table, struct dmtrace_source *source,
    const struct dmtrace_reader *reader, const struct dmtrace_thread *only,
    struct log_marks *marks, enum dmtrace_status *status);

void
dump_lines_fini(struct dump_lines *lines);

#endif
