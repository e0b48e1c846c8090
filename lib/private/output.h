/* output.h - bytes to a file, memory or the caller; files appear complete */
/* layer: base */
#ifndef DMT_PRIVATE_OUTPUT_H
#define DMT_PRIVATE_OUTPUT_H

#include <dmtrace/key.h>
#include <dmtrace/trace.h>
#include <stdbool.h>

struct dmt_input;
struct dmt_output;

/* What dmt_output_reserve can always be asked for. */
#define DMT_OUTPUT_ROOM (64 * 1024)

/* Writes another form of all bytes of from. Returns a status, with error set
 * unless it is DMTRACE_OK; a failure to write is stored in to. */
typedef enum dmtrace_status
dmt_translate_fn(struct dmt_input *from, struct dmt_output *to,
    struct dmtrace_error *error);

/*
 * A buffered output. The first failure is stored in error; later writes do
 * nothing, and dmt_output_finish returns the failure. The order of calls is
 * open, write, finish, publish, fini. A zeroed struct is an output to memory:
 * a text that grows.
 */
struct dmt_output {
	struct dmtrace_output call;	/* write is NULL for memory */
	int fd;				/* of path; -1: none */
	char *bytes;			/* the buffer; for memory: all bytes */
	size_t len;
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

/* Returns path as messages show it: relative, if it is in the working folder.
 * The result points into path. */
const char *
dmt_path_shown(const char *path);

/* Returns true if path, which may be NULL, ends in suffix, before the suffix
 * of a compressed file if it has one. */
bool
dmt_path_ends(const char *path, const char *suffix);

/* Returns true if each % in a name is followed by p, n or %, which stand for
 * the process, its program and %: in the names of traces of programs. */
bool
dmt_path_is_template(const char *name);

/*
 * Makes an unnamed file for dmt_output_reread, in the directory of path, or in
 * TMPDIR, else /tmp, if path is NULL.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_output_open_temporary(struct dmt_output *output, const char *path);

/*
 * Makes a temporary in the directory of the file that path leads to, with the
 * permissions of an existing file of that name; opens path itself if that is
 * not a regular file.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_output_open_path(struct dmt_output *output, const char *path);

/* Writes to a descriptor that the caller closes. */
void
dmt_output_open_fd(struct dmt_output *output, int fd);
void
dmt_output_open_memory(struct dmt_output *output);

/* The file of an output that was opened by path gets what a program makes of
 * the bytes if its name ends in the suffix of a compressed file and there is
 * such a program (private/packing.h). Nothing can be patched then. */
enum dmtrace_status
dmt_output_pack(struct dmt_output *output);

/* Lets nobody but the owner read and write the file, before its first byte. */
void
dmt_output_hide(const struct dmt_output *output);

/* Writes the bytes; does nothing after a failure. */
void
dmt_output_write(struct dmt_output *output, const void *bytes, size_t len);

/*
 * Returns space for len bytes to be filled in place, at most DMT_BLOCK_SIZE of
 * base/input.h unless it is memory; NULL after a failure. Then call
 * dmt_output_advance with the number of bytes that were filled.
 */
void *
dmt_output_reserve(struct dmt_output *output, size_t len);
void
dmt_output_advance(struct dmt_output *output, size_t len);

/* Returns all bytes of an output to memory. */
static inline struct dmtrace_text
dmt_output_text(const struct dmt_output *output)
{
	return (struct dmtrace_text){
		output->len == 0 ? "" : output->bytes, output->len
	};
}

/* Returns true after a failure. */
static inline bool
dmt_output_failed(const struct dmt_output *output)
{
	return output->error.status != DMTRACE_OK;
}

/* The failure of the output is that memory ran out. */
void
dmt_output_fail_memory(struct dmt_output *output);

/* Makes an output to memory shorter; dmt_output_clear empties it. More can be
 * written to it. */
void
dmt_output_truncate(struct dmt_output *output, size_t len);
void
dmt_output_clear(struct dmt_output *output);

/* Writes the buffered bytes, forces them to disk if sync is set, and closes. */
enum dmtrace_status
dmt_output_finish(struct dmt_output *output);

/* Gives a finished file its final name; does nothing for other outputs. */
enum dmtrace_status
dmt_output_publish(struct dmt_output *output);

/* The same as dmt_output_finish, then dmt_output_publish. */
enum dmtrace_status
dmt_output_close(struct dmt_output *output);

/* Frees everything; a file that was not published is removed. */
void
dmt_output_fini(struct dmt_output *output);

#endif
