/* text_line.h - reads the parts of a line of the text form */
#ifndef DMT_TEXT_TEXT_LINE_H
#define DMT_TEXT_TEXT_LINE_H

#include "text/statement.h"

/* The rest of a line. The first failure is stored in error; later calls fail,
 * too. */
struct text_line {
	const char *begin;
	const char *at;
	const char *end;
	uint64_t number;
	struct dmtrace_error *error;
	struct dmt_output *scratch;	/* of what was quoted, and of lines of
					   the key */
};

/* Stores that something else was expected here. Returns false. */
bool
dmt_text_line_fail(const struct text_line *line, const char *at,
    const char *expected);

void
dmt_text_line_skip_blanks(struct text_line *line);

static inline bool
dmt_text_line_ended(const struct text_line *line)
{
	return line->at == line->end;
}

/* Fails unless the line ends here. */
bool
dmt_text_line_end(struct text_line *line);

/* Reads up to the next blank; fails if nothing is there. */
bool
dmt_text_line_word(struct text_line *line, struct dmtrace_text *word,
    const char *expected);

/* Reads a number, decimal or with 0x, of all the digits that are there. */
bool
dmt_text_line_number(struct text_line *line, uint64_t *number,
    const char *expected);

/* Reads a time with its unit; none is microseconds. */
bool
dmt_text_line_time(struct text_line *line, uint64_t *time_ns);

/* Appends to scratch bytes in hexadecimal and texts in quotes, up to the end
 * of the line. */
bool
dmt_text_line_bytes(struct text_line *line);

/*
 * Read what follows the word of a statement; statement->word says which. The
 * texts are in scratch. state decides what is a packet.
 */
bool
dmt_text_line_statement(struct text_line *line, const struct text_state *state,
    struct text_statement *statement);

/* What a line of an event says. */
struct text_event {
	struct dmtrace_event event;	/* without action, method and, maybe,
					   times and thread */
	const char *place;		/* of the name */
	uint32_t indent;
	char sign;			/* '>', '<', '!', '?', or '\0' */
	struct dmtrace_text name;	/* class.name, */
	struct dmtrace_text signature;	/* and what follows a blank */
	bool has_time;
};

bool
dmt_text_line_event(struct text_line *line, struct text_event *event);

/* Splits class.name(signature); a name alone is a class, as for
 * create_test_dmtrace. */
struct dmtrace_method
dmt_text_method_of(struct dmtrace_text name, struct dmtrace_text signature);

#endif
