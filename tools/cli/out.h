/* out.h - the report of a command, to standard output or the file of -o */
#ifndef OUT_H
#define OUT_H

#include <dmtrace.h>
#include <stdbool.h>

#include "private/sink.h"

/* The most that out_room gives. */
#define OUT_ROOM DMT_SINK_ROOM

struct out {
	struct dmt_sink *sink;
	struct dmtrace_file file;
	char *block;			/* of the sink; NULL: none */
	char *at;			/* the next byte in it */
	char *end;
	bool terminal;			/* it gets no control bytes */
	bool coloured;			/* but those of table_colour: all names
					   are escaped */
	size_t columns;			/* its width; 0: no terminal */
	char before[2];			/* the last bytes that it got */
};

/* name is that of -o: NULL or "-" is standard output. False, which is reported:
 * it cannot be made. */
bool
out_open(struct out *out, const char *name);

/* Begins a new block; see out_room. */
char *
out_block(struct out *out);

/* Room for len bytes at out->at, which is to be moved after those that were
 * filled; NULL after a failure. */
static inline char *
out_room(struct out *out, size_t len)
{
	return (size_t)(out->end - out->at) >= len ? out->at : out_block(out);
}

void
out_put(struct out *out, const char *bytes, size_t len);

/*
 * Ends the report; a file gets its name if the report is whole, whatever the
 * status: what could not be read has a row in it. What went to standard output
 * is there. Returns status or, if the report could not be written, which is
 * reported, CMD_TROUBLE. A closed pipe is the reader's wish, not a failure.
 */
int
out_close(struct out *out, int status, bool is_whole);

#endif
