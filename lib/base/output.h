/* output.h - bytes to a file, memory or the caller; files appear complete */
#ifndef DMT_BASE_OUTPUT_H
#define DMT_BASE_OUTPUT_H

#include "base/input.h"

/* Writes another form of all bytes of from. Returns a status, with error set
 * unless it is DMTRACE_OK; a failure to write is stored in to. */
typedef enum dmtrace_status
dmt_translate_fn(struct dmt_input *from, struct dmt_output *to,
    struct dmtrace_error *error);

/*
 * A buffered output. The first failure is stored in error; later writes do
 * nothing, and dmt_output_finish returns the failure. The order of calls is
 * open, write, finish, publish, fini.
 */
struct dmt_output {
	struct dmtrace_output call;	/* write is NULL for memory */
	int fd;				/* -1: no descriptor to close */
	uint8_t *buffer;		/* for memory: all bytes */
	size_t used;
	size_t capacity;
	uint64_t written;		/* bytes, including those in the
					   buffer */
	char *path;			/* for messages; NULL: none */
	char *target;			/* the final name; NULL: none */
	struct dmt_temporary *temporary;	/* until it is published; NULL:
						   none */
	bool replaces;			/* a file of this name existed at the
					   open */
	bool published;
	bool no_replace;		/* publish fails if target exists */
	dmt_translate_fn *translate;	/* NULL: none */
	int translated_fd;		/* of the file, if there is one */
	void *program;			/* that packs what is written; NULL:
					   none, or it has ended */
	int packed_fd;			/* of the file that it writes; -1:
					   none */
	bool sync;			/* force a published file to the disk */
	struct dmtrace_error error;
};

/* Lets nobody but the owner read and write the file, before its first byte. */
void
dmt_output_hide(const struct dmt_output *output);

/*
 * dmt_output_open_path makes a temporary in the directory of the file that
 * path leads to, with the permissions of an existing file of that name; it
 * opens path itself if that is not a regular file. dmt_output_open_temporary
 * makes an unnamed file for dmt_output_reread, in the directory of path, or in
 * TMPDIR, else /tmp, if path is NULL.
 *
 * Return DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_output_open_path(struct dmt_output *output, const char *path);
enum dmtrace_status
dmt_output_open_temporary(struct dmt_output *output, const char *path);

/*
 * Opens one of many files that are written at the same time: a temporary in
 * the directory of path, which gets its final name by dmt_output_name, before
 * dmt_output_publish. number is unique among these files; room is the size of
 * the buffer in bytes. Between dmt_output_park and dmt_output_resume the
 * output has no descriptor, and can take only as many bytes as fit in the
 * buffer.
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

/* The file of an output that was opened by path gets what translate makes of
 * the bytes, in dmt_output_finish; until then they are in a temporary. */
enum dmtrace_status
dmt_output_translate(struct dmt_output *output, dmt_translate_fn *translate);

/* The file of an output that was opened by path gets what a program makes of
 * the bytes if its name ends in the suffix of a compressed file and there is
 * such a program (private/packing.h). Nothing can be patched then. */
enum dmtrace_status
dmt_output_pack(struct dmt_output *output);

/* The same for the bytes that were written so far to a temporary: translate
 * writes what takes their place. */
enum dmtrace_status
dmt_output_translate_now(struct dmt_output *output,
    dmt_translate_fn *translate);

/* Writes to a descriptor that the caller closes. */
void
dmt_output_open_fd(struct dmt_output *output, int fd);
void
dmt_output_open_callback(struct dmt_output *output,
    const struct dmtrace_output *call);
void
dmt_output_open_memory(struct dmt_output *output);

void
dmt_output_write(struct dmt_output *output, const void *bytes, size_t len);

/* Writes the rest of the input; stops at a failure of either. */
void
dmt_output_copy(struct dmt_output *output, struct dmt_input *input);

/*
 * Returns space for len bytes (at most DMT_BLOCK_SIZE) to be filled in place;
 * NULL after a failure. Then call dmt_output_advance with the number of bytes
 * that were filled.
 */
uint8_t *
dmt_output_reserve(struct dmt_output *output, size_t len);
void
dmt_output_advance(struct dmt_output *output, size_t len);

/* Empties an output to memory; more can be written to it. */
void
dmt_output_clear(struct dmt_output *output);

/* Writes the buffered bytes, unless the output is to memory. */
void
dmt_output_flush(struct dmt_output *output);

/* Replaces bytes at that offset of a file that has not been published, or of
 * memory. In a file they may also extend beyond the end. */
void
dmt_output_patch(struct dmt_output *output, uint64_t at, const void *bytes,
    size_t len);

/*
 * Opens input at the beginning of what was written to a temporary or to
 * memory. The input must be ended before the output, and nothing may be
 * written until then.
 */
enum dmtrace_status
dmt_output_reread(struct dmt_output *output, struct dmt_input *input);

/* Writes the buffered bytes, forces them to disk if sync is set, and closes. */
enum dmtrace_status
dmt_output_finish(struct dmt_output *output);

/* Gives a finished file its final name; does nothing for other outputs. */
enum dmtrace_status
dmt_output_publish(struct dmt_output *output);

/* Removes a published file, unless it replaced an older one. */
void
dmt_output_withdraw(struct dmt_output *output);

/* Frees everything; a file that was not published is removed. */
void
dmt_output_fini(struct dmt_output *output);

#endif
