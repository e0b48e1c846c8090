/* text_undump.h - the text form to bytes */
#ifndef DMT_TEXT_TEXT_UNDUMP_H
#define DMT_TEXT_TEXT_UNDUMP_H

#include "base/output.h"
#include "text/text_line.h"

/*
 * What a text by hand is written with, as writers are of a layer above this
 * one. The functions return false if they failed, with no error stored in the
 * line if that is for lack of memory.
 */
struct text_hand {
	void *context;
	/* Reads and carries out a statement of that word: dialect, start,
	 * thread or method, or an option, whose word is empty. */
	bool (*statement)(void *context, struct text_line *line,
	    struct text_state *state, struct dmtrace_text word);
	/* Adds the method of an event, whose name is unknown as written. */
	bool (*method)(void *context, struct text_line *line,
	    struct text_state *state, const struct text_event *event,
	    struct dmtrace_text written, uint64_t *id);
	bool (*event)(void *context, const struct text_line *line,
	    const struct dmtrace_event *event);
	/* Ends the trace. */
	enum dmtrace_status (*close)(void *context,
	    struct dmtrace_error *error);
};

/*
 * Writes the bytes that the text means. A failure to write is stored in out.
 *
 * Returns DMTRACE_OK, or with error set the failure of in, DMTRACE_ERR_MEMORY,
 * or
 *   DMTRACE_ERR_CORRUPT  the text is wrong at the line of the error
 */
enum dmtrace_status
dmt_text_read(struct dmt_input *in, struct dmt_output *out,
    const struct text_hand *hand, struct dmtrace_error *error);

#endif
