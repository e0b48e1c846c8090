/* out.h - writes the output of a command to standard output or a file */
#ifndef OUT_H
#define OUT_H

#include <dmtrace.h>
#include <stdbool.h>

#include "private/output.h"

/* The most that out_room can be asked for. */
#define OUT_ROOM DMT_OUTPUT_ROOM

struct out {
	struct dmt_output output;
	struct dmtrace_file file;
	char *block;			/* space in the output; NULL: none */
	char *at;			/* the next byte to fill */
	char *end;
	bool terminal;			/* filter control bytes */
	bool coloured;			/* except those of table_colour: all
					   names are escaped */
	size_t columns;			/* of the terminal; 0: not a terminal */
	char before[2];			/* the last bytes written to it */
	bool unread;			/* the reader has closed the pipe */
};

/* Open the file of -o; NULL or "-" is standard output. out_open compresses
 * what is written if the name ends in .gz or such. false: it cannot be
 * created, which was reported. */
bool
out_open(struct out *out, const char *name);
bool
out_open_as_is(struct out *out, const char *name);

/* Makes a copy of the output in another process write to fd instead. */
void
out_redirect(struct out *out, int fd);

/* Gets a new block; see out_room. */
char *
out_block(struct out *out);

/* Makes sure that len bytes can be filled at out->at, which the caller then
 * moves past them; NULL after a failure. */
static inline char *
out_room(struct out *out, size_t len)
{
	return (size_t)(out->end - out->at) >= len ? out->at : out_block(out);
}

void
out_put(struct out *out, const char *bytes, size_t len);

/*
 * Ends the output. If it is complete, a file is published, whatever the
 * status: operands that could not be read have a row in it. Standard output is
 * flushed. Returns status or, if writing failed, which was reported,
 * CMD_TROUBLE. A reader that closes a pipe is not a failure.
 */
int
out_close(struct out *out, int status, bool is_whole);

#endif
