/* input.h - bytes from a file, memory or the caller: peek, then skip */
#ifndef DMT_BASE_INPUT_H
#define DMT_BASE_INPUT_H

#include <dmtrace/trace.h>
#include <stdbool.h>
#include <sys/stat.h>

/* Bytes of the first reads, and of later ones and of writes. A header of 65,535
 * bytes fits in the first. The fuzzer's are so small that AddressSanitizer does
 * not map each buffer anew. */
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define DMT_BLOCK_SIZE (256 * 1024)
#define DMT_BLOCKS_SIZE (1024 * 1024)
#else
#define DMT_BLOCK_SIZE (64 * 1024)
#define DMT_BLOCKS_SIZE (128 * 1024)
#endif

/* The initial size of the window: one block, and the rest of the one before
 * it. */
#define DMT_INPUT_CAPACITY (DMT_BLOCK_SIZE + 4096)

struct dmt_output;

/* The first failure is stored in error; after it, the input is at its end. */
struct dmt_input {
	struct dmtrace_input call;	/* read is NULL for memory */
	int fd;				/* -1: no descriptor to close */
	char *path;			/* for messages; NULL: none */
	const uint8_t *bytes;		/* the window: bytes[start] to
					   bytes[end - 1] */
	uint8_t *buffer;		/* the memory of bytes; NULL if it
					   belongs to the caller */
	size_t capacity;
	size_t start;
	size_t end;
	uint64_t offset;		/* of bytes[start] in the file */
	uint64_t size;			/* of the whole input; 0: not known */
	int64_t shift;			/* added to offset it is the position
					   in the file */
	bool seekable;			/* fd or input is a regular file */
	bool ended;			/* nothing follows the window */
	bool replaced;			/* fd is not the file of path */
	bool derived;			/* the caller named another file, such
					   as the other half of a pair */
	bool packed;			/* the file of path is compressed, and
					   the input is what it unpacks to */
	void *program;			/* that unpacks it; NULL: none, or it
					   has ended */
	struct dmt_pool *pool;		/* NULL: the input has its own
					   descriptor until fini */
	size_t room;			/* of an input in a pool: bytes per
					   read */
	uint64_t used;			/* when it last read, by now of the
					   pool */
	struct stat file;		/* when it was opened: to notice that
					   it changed or was replaced */
	bool again;			/* it is a regular file, and parts of
					   it are read again: it must not
					   change */
	bool may_grow;			/* but bytes may be appended */
	struct dmtrace_error error;
};

/* Inputs that share a limited number of open descriptors. */
struct dmt_pool {
	struct dmt_input **open;
	size_t count;
	size_t most;
	uint64_t now;			/* counts the reads */
};

/*
 * An input that was opened, with success or not, is ended by dmt_input_fini.
 * Opening a directory fails. A path that leads to a compressed file is read
 * through the program that unpacks it, if there is one (private/packing.h): it
 * is not seekable, and if the program fails, so does the read at its end; the
 * message names the file if it was derived from the name of another one.
 * Return DMTRACE_OK, DMTRACE_ERR_IO or
 * DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_input_open_path(struct dmt_input *input, const char *path);
enum dmtrace_status
dmt_input_open_derived(struct dmt_input *input, const char *path);
enum dmtrace_status
dmt_input_open_fd(struct dmt_input *input, int fd);
enum dmtrace_status
dmt_input_open_file(struct dmt_input *input, const struct dmtrace_file *file);
enum dmtrace_status
dmt_input_open_callback(struct dmt_input *input,
    const struct dmtrace_input *call);
void
dmt_input_open_memory(struct dmt_input *input, const void *bytes,
    size_t len);

/*
 * Makes at least want bytes readable at *bytes, fewer only at the end or after
 * a failure. Returns how many are readable, which may be more than want. They
 * are valid until the next call. The window grows as bytes arrive, so that a
 * huge want alone allocates nothing.
 */
size_t
dmt_input_peek(struct dmt_input *input, size_t want,
    const uint8_t **bytes);

/* Moves forward by len bytes, at most as many as the last peek returned. */
void
dmt_input_skip(struct dmt_input *input, size_t len);

/* For who needs no more bytes: reads a compressed file to its end, to know
 * whether it is whole. Returns the status of the input. */
enum dmtrace_status
dmt_input_check_packed(struct dmt_input *input);

/* Returns the descriptor that is read if it is a regular file, else -1. */
int
dmt_input_fd(const struct dmt_input *input);

/*
 * Returns true, and how many bytes follow the current position, if that is
 * known without reading them: in memory and in a regular file. From then on it
 * is a failure if the file has changed, as after dmt_input_rewind.
 */
bool
dmt_input_left(struct dmt_input *input, uint64_t *left);

/*
 * Makes sure that dmt_input_rewind can return to the current position: an
 * input that is not seekable is copied to a temporary file, in TMPDIR or else
 * in /tmp.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_input_hold(struct dmt_input *input);

/* From here on, the bytes that were written to a temporary are read in place
 * of the input, whose path is kept for messages. output then has no file. */
enum dmtrace_status
dmt_input_replace(struct dmt_input *input, struct dmt_output *output);

/* Returns to offset, which must not be before the position of dmt_input_hold.
 * From then on it is a failure if the file has changed since it was opened, by
 * its size or the time of its last change. */
enum dmtrace_status
dmt_input_rewind(struct dmt_input *input, uint64_t offset);

/*
 * A pool lets many files be read at the same time through few descriptors, see
 * dmt_open_files_max. An input that was opened by path and is a regular file
 * joins the pool; others stay as they are. On joining, its window is freed,
 * and from then on it reads room bytes at a time. An input opens its file when
 * it reads; the one that has not read for the longest time closes its file. It
 * is a failure if the path leads to another file by then. Call dmt_pool_fini
 * after the fini of all its inputs.
 */
bool
dmt_pool_init(struct dmt_pool *pool);
void
dmt_pool_join(struct dmt_pool *pool, struct dmt_input *input, size_t room);
void
dmt_pool_fini(struct dmt_pool *pool);

/* Returns how many files an operation on many may have open at a time: at most
 * 256, and at most half as many as the process may open. */
size_t
dmt_open_files_max(void);

/* Returns the size in bytes of an input that is a regular file or memory, else
 * 0. */
uint64_t
dmt_input_size(const struct dmt_input *input);

void
dmt_input_fini(struct dmt_input *input);

#endif
