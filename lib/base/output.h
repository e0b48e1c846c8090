/* output.h - bytes to a file that appears whole, to memory or to the caller */
#ifndef DMT_BASE_OUTPUT_H
#define DMT_BASE_OUTPUT_H

#include "base/input.h"

/*
 * Buffered. The first failure stays in error; later writes do nothing, and
 * dmt_output_finish returns it. The order: open, write, finish, publish, fini.
 */
struct dmt_output {
	struct dmtrace_output call;	/* write is NULL for memory */
	int fd;				/* -1: none of ours to close */
	uint8_t *buffer;		/* for memory: all of it */
	size_t used;
	size_t capacity;
	uint64_t written;		/* bytes, with those in the buffer */
	char *path;			/* for messages; NULL: none */
	char *target;			/* the name to get; NULL: none */
	struct dmt_temporary *temporary;	/* until then; NULL: none */
	bool replaces;			/* a file had the name at the open */
	bool published;
	bool no_replace;		/* publish fails if target exists */
	bool sync;			/* force what gets a name to the disk */
	struct dmtrace_error error;
};

/*
 * open_path makes a temporary beside the file that path leads to, with the
 * permissions of an old file of that name, or opens path itself if it is not
 * a regular file. open_temporary makes a file without a name beside path, or
 * in TMPDIR, else /tmp, if path is NULL: it is for dmt_output_reread.
 * Return DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_output_open_path(struct dmt_output *output, const char *path);
enum dmtrace_status
dmt_output_open_temporary(struct dmt_output *output, const char *path);

/*
 * One of many files that grow side by side: a temporary beside path, which
 * gets its name at last by dmt_output_name, before dmt_output_publish. number
 * differs from those of the others, room is the size of its buffer. From
 * dmt_output_park to dmt_output_resume it has no descriptor, and nothing can be
 * written but what fits into the buffer.
 */
enum dmtrace_status
dmt_output_open_part(struct dmt_output *output, const char *path,
    unsigned number, size_t room);
enum dmtrace_status
dmt_output_park(struct dmt_output *output);
enum dmtrace_status
dmt_output_resume(struct dmt_output *output);
enum dmtrace_status
dmt_output_name(struct dmt_output *output, const char *path);

/* The descriptor, which stays the caller's. */
void
dmt_output_open_fd(struct dmt_output *output, int fd);
void
dmt_output_open_callback(struct dmt_output *output,
    const struct dmtrace_output *call);
void
dmt_output_open_memory(struct dmt_output *output);

void
dmt_output_write(struct dmt_output *output, const void *bytes, size_t len);

/*
 * Room for len bytes (at most DMT_BLOCK_SIZE) to encode into, NULL after a
 * failure; dmt_output_advance says how many of them were filled.
 */
uint8_t *
dmt_output_reserve(struct dmt_output *output, size_t len);
void
dmt_output_advance(struct dmt_output *output, size_t len);

/* Empties an output to memory, which can then be written to again. */
void
dmt_output_clear(struct dmt_output *output);

/* Writes what is buffered, unless it is for memory. */
void
dmt_output_flush(struct dmt_output *output);

/* Puts bytes in place of those at that offset of a file that gets its name only
 * at the end, or of memory; in a file they may also follow all of them. */
void
dmt_output_patch(struct dmt_output *output, uint64_t at, const void *bytes,
    size_t len);

/*
 * Opens input on what was written to a temporary or to memory, from its
 * beginning; it ends before the output does, and nothing is written meanwhile.
 */
enum dmtrace_status
dmt_output_reread(struct dmt_output *output, struct dmt_input *input);

/* Writes what is buffered, forces it to disk if asked, closes. */
enum dmtrace_status
dmt_output_finish(struct dmt_output *output);

/* Gives a finished file its name; nothing to do for the other kinds. */
enum dmtrace_status
dmt_output_publish(struct dmt_output *output);

/* Takes a published file away again unless it replaced another. */
void
dmt_output_withdraw(struct dmt_output *output);

/* Frees all; a file that was not published is removed. */
void
dmt_output_fini(struct dmt_output *output);

#endif
