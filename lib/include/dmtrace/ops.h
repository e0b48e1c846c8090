/* dmtrace/ops.h - what can be done with whole traces */
#ifndef DMTRACE_OPS_H
#define DMTRACE_OPS_H

#include <dmtrace/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file by its path or, where path is NULL, by an open descriptor, which
 * stays the caller's. Outputs that have a path appear whole or not at all. */
struct dmtrace_file {
	const char *path;
	int fd;
};

/*
 * One operation under way: where its failure, its findings and its progress
 * go. It can be used for one operation after another, by one thread at a
 * time.
 */
struct dmtrace_op;

/* NULL: no memory. */
DMTRACE_API struct dmtrace_op *
dmtrace_op_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_op_free(struct dmtrace_op *op);

/* The failure of the last operation; belongs to the op. */
DMTRACE_API const struct dmtrace_error *
dmtrace_op_error(const struct dmtrace_op *op);

/* The file that the error is about, or NULL; belongs to the op. */
DMTRACE_API const struct dmtrace_file *
dmtrace_op_error_file(const struct dmtrace_op *op);

/* In the function that is told a finding: the file that it is about. Belongs
 * to the caller of the operation. */
DMTRACE_API const struct dmtrace_file *
dmtrace_op_finding_file(const struct dmtrace_op *op);

/*
 * A function that is told every finding as it is made, in the thread of the
 * operation; NULL: nobody. It holds for all operations to come. Some of them
 * leave findings to their reader: see there.
 */
DMTRACE_API void
dmtrace_op_set_report(struct dmtrace_op *op, dmtrace_finding_fn *report,
    void *context);

/*
 * Told now and then how much is done, and of how much (0: not known): bytes
 * of data, or records that are made. Returning non-zero cancels: the
 * operation ends with DMTRACE_ERR_CANCELLED and leaves no output.
 */
typedef int
dmtrace_progress_fn(void *context, uint64_t done, uint64_t total);

/* NULL: nobody is told. It holds for all operations to come. */
DMTRACE_API void
dmtrace_op_set_progress(struct dmtrace_op *op, dmtrace_progress_fn *progress,
    void *context);

/* Flags of dmtrace_join and dmtrace_split. */
enum {
	DMTRACE_JOIN_EXACT = 1,		/* the bytes as they are: no LF added
					   behind "*end", and what looks
					   foreign is only a finding */
	DMTRACE_JOIN_FORCE = 2,		/* also what is not a pair */
	DMTRACE_NO_REPLACE = 4,		/* an output that exists is an error */
	DMTRACE_SYNC = 8		/* force outputs to the disk */
};

/*
 * Splits a joined trace into its halves, byte for byte, whatever the version
 * of the data: the key up to and with "*end" and its line end, then the rest.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_LIMIT,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE    does not begin with "*version"
 *   DMTRACE_ERR_TRUNCATED    no "*end", or nothing behind it
 *   DMTRACE_ERR_CORRUPT      no magic behind the key
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming: there is no key to split off
 *   DMTRACE_ERR_FOREIGN      data without its key
 */
DMTRACE_API enum dmtrace_status
dmtrace_split(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *key, const struct dmtrace_file *data,
    unsigned flags);

/*
 * Joins a key and its data. A key without the LF behind "*end" gets it,
 * which is a finding, unless DMTRACE_JOIN_EXACT.
 *
 * Returns what dmtrace_split does, but
 *   DMTRACE_ERR_NOT_TRACE  the data does not begin with the magic either
 *   DMTRACE_ERR_FOREIGN    the halves are swapped, or one of them is the
 *                          other or has it behind itself; the versions
 *                          disagree and that of the data is a known one, or
 *                          none of the first 4,096 records' methods is
 *                          listed. With DMTRACE_JOIN_FORCE swapped halves
 *                          are put right, what stands behind the key is left
 *                          out, and the rest is a finding
 */
DMTRACE_API enum dmtrace_status
dmtrace_join(struct dmtrace_op *op, const struct dmtrace_file *key,
    const struct dmtrace_file *data, const struct dmtrace_file *out,
    unsigned flags);

/* What dmtrace_generate makes. */
struct dmtrace_generate_options {
	size_t size;		/* sizeof(struct dmtrace_generate_options) */
	uint64_t seed;
	uint64_t records;	/* an odd number is rounded down */
	uint32_t threads;	/* at least 1 */
	uint32_t methods;	/* at least 1 */
	uint32_t max_depth;	/* at least 1 */
};

/* Seed 1, 100,000 records, 4 threads, 200 methods, 32 deep. */
DMTRACE_API void
dmtrace_generate_options_init(struct dmtrace_generate_options *options);

/*
 * Fills an open writer, whose layout says the version and the clock, with a
 * well-formed trace: every call ends, each thread's times rise, all is below
 * 2^32 us. The same options and layout give the same bytes. The caller
 * closes the writer.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, a status of the writer, or
 *   DMTRACE_ERR_RANGE  an option is 0 or larger than the version can hold;
 *                      op's error says which
 *   DMTRACE_ERR_CANCELLED
 */
DMTRACE_API enum dmtrace_status
dmtrace_generate(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_generate_options *options);

#ifdef __cplusplus
}
#endif

#endif
