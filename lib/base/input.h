/* input.h - bytes from a file, memory or the caller, looked at then skipped */
#ifndef DMT_BASE_INPUT_H
#define DMT_BASE_INPUT_H

#include <dmtrace/trace.h>
#include <stdbool.h>
#include <sys/types.h>

#define DMT_BLOCK_SIZE (256 * 1024)	/* in bytes: what is read at first */
#define DMT_BLOCKS_SIZE (1024 * 1024)	/* of large reads, and of writes */

/* Of a window at first: for a block, and a little that is left of another. */
#define DMT_INPUT_CAPACITY (DMT_BLOCK_SIZE + 4096)

/* The first failure stays in error; from then on the input is at its end. */
struct dmt_input {
	struct dmtrace_input call;	/* read is NULL for memory */
	int fd;				/* -1: none of ours to close */
	char *path;			/* for messages; NULL: none */
	const uint8_t *bytes;		/* the window: from start to end */
	uint8_t *buffer;		/* what bytes points to, if ours */
	size_t capacity;
	size_t start;
	size_t end;
	uint64_t offset;		/* of bytes[start] in the file */
	uint64_t size;			/* of the whole input; 0: not known */
	int64_t shift;			/* from offset to the place in a file */
	bool seekable;			/* fd or input is a regular file */
	bool ended;			/* nothing comes after end */
	struct dmt_pool *pool;		/* NULL: fd is its own until fini */
	size_t room;			/* of an input in a pool: a read */
	uint64_t used;			/* when it read, by the pool's count */
	dev_t device;			/* of its file */
	ino_t inode;
	struct dmtrace_error error;
};

/* Inputs of which only some have a descriptor at a time. */
struct dmt_pool {
	struct dmt_input **open;
	size_t count;
	size_t most;
	uint64_t now;			/* counts the reads */
};

/*
 * An opened or failed input is ended by dmt_input_fini. A directory is a
 * failure. Return DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_input_open_path(struct dmt_input *input, const char *path);
enum dmtrace_status
dmt_input_open_fd(struct dmt_input *input, int fd);
enum dmtrace_status
dmt_input_open_callback(struct dmt_input *input,
    const struct dmtrace_input *call);
void
dmt_input_open_memory(struct dmt_input *input, const void *bytes,
    size_t len);

/*
 * Makes at least want bytes readable at *bytes, less only at the end or
 * after a failure, and returns how many are: perhaps more. They stay until
 * the next call. The window grows as bytes arrive, not by want alone.
 */
size_t
dmt_input_peek(struct dmt_input *input, size_t want,
    const uint8_t **bytes);

/* Goes on by len bytes, at most what the last peek returned. */
void
dmt_input_skip(struct dmt_input *input, size_t len);

/* The descriptor that it reads, if that is a regular file, else -1. */
int
dmt_input_fd(const struct dmt_input *input);

/*
 * Makes sure that dmt_input_rewind can go back to the current place of the
 * input: what cannot be sought is copied to a temporary file, in TMPDIR or else
 * /tmp.
 * Returns DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_input_hold(struct dmt_input *input);

/* Goes back to offset, from where on it is held, in memory or a file. */
enum dmtrace_status
dmt_input_rewind(struct dmt_input *input, uint64_t offset);

/*
 * Many files are read side by side, through few descriptors: a pool lets at
 * most 256 of its inputs be open, and not more than half of what the process
 * may open. An input that was opened by its path and is a regular file joins
 * the pool, others stay as they are; its window is given back, and reads are of
 * room bytes from here on. It opens its file when it reads, and the one that
 * has not read for longest closes its own; a file that is another by then is a
 * failure. dmt_pool_join fails if it cannot find out which file it is. The pool
 * ends after its inputs.
 */
bool
dmt_pool_init(struct dmt_pool *pool);
enum dmtrace_status
dmt_pool_join(struct dmt_pool *pool, struct dmt_input *input, size_t room);
void
dmt_pool_fini(struct dmt_pool *pool);

/* Bytes of the whole input if it is a regular file or memory, else 0. */
uint64_t
dmt_input_size(const struct dmt_input *input);

void
dmt_input_fini(struct dmt_input *input);

#endif
