/* text_write.h - writes what a text says that was written by hand */
#ifndef DMT_TEXT_TEXT_WRITE_H
#define DMT_TEXT_TEXT_WRITE_H

#include <dmtrace/trace.h>

#include "private/sink.h"
#include "text/text_line.h"

/* A writer, and the ids of methods that have none in the text. */
struct text_write {
	struct dmtrace_writer *writer;	/* NULL: not begun */
	struct dmt_sink *sink;
	enum dmtrace_dialect dialect;
	enum dmtrace_clock clock;
	uint64_t start;
	bool open;
	uint64_t last_id;		/* that was given to a method */
	struct dmt_idmap ids;		/* that are in use */
	struct dmt_idmap threads;	/* that have a name */
};

/* Reads and carries out a statement of that word: dialect, start, thread or
 * method, or an option, whose word is empty. false: it failed. */
bool
text_write_statement(struct text_write *write, struct text_line *line,
    struct text_state *state, struct dmtrace_text word);

/* Finds the id of a method, which is added if it is new; from then on it has
 * the name as it was written. false: it failed, with no error if that is for
 * lack of memory. */
bool
text_write_find(struct text_write *write, struct text_line *line,
    struct text_state *state, const struct text_event *event,
    struct dmtrace_text written, uint64_t *id);

/* Writes an event. false: it failed. */
bool
text_write_event(struct text_write *write, const struct text_line *line,
    const struct dmtrace_event *event);

/* Ends the trace; without an event it is an empty one. */
enum dmtrace_status
text_write_close(struct text_write *write, struct dmtrace_error *error);

void
text_write_fini(struct text_write *write);

#endif
