/* dmtrace/checksum.h - what a trace's events come to, in one number */
#ifndef DMTRACE_CHECKSUM_H
#define DMTRACE_CHECKSUM_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number of 128 bits. */
struct dmtrace_sum {
	uint64_t high;
	uint64_t low;
};

/* *sum = *sum + *other modulo 2^128. Thread-safe. */
DMTRACE_API void
dmtrace_sum_add(struct dmtrace_sum *sum, const struct dmtrace_sum *other);

/* Times that make a difference, of those that the records have. */
enum {
	DMTRACE_CHECKSUM_CPU = 1,
	DMTRACE_CHECKSUM_WALL = 2
};

struct dmtrace_checksum_options {
	size_t size;		/* sizeof(struct dmtrace_checksum_options) */
	unsigned clocks;	/* DMTRACE_CHECKSUM_*, or 0 */
};

/* Both clocks. */
DMTRACE_API void
dmtrace_checksum_options_init(struct dmtrace_checksum_options *options);

/* name.bytes is NULL where no row lists the number; else it belongs to the
 * reader's key. */
struct dmtrace_thread_sum {
	uint32_t thread;	/* the records' own number */
	struct dmtrace_text name;
	uint64_t records;
	struct dmtrace_sum sum;
};

/* Free with dmtrace_checksum_fini. */
struct dmtrace_checksum {
	struct dmtrace_sum sum;		/* of all threads */
	uint64_t records;		/* that are in it */
	uint64_t added;			/* that do not count */
	struct dmtrace_thread_sum *threads;	/* by rising number */
	size_t thread_count;
};

/*
 * Reads all records of an open reader, none of which was read yet, and adds
 * up a number of 128 bits for each: made of its thread's name, its method's
 * class, name and signature, its action and its times modulo 2^32 us
 * (dmtrace-checksum.1 has the formula, which does not change). So the sums of
 * traces that share the events of another add up to its sum, and no id, no
 * order and no layout matters. The first and last records that the options
 * "dmtrace-opened" and "dmtrace-closed" of the key call added do not count;
 * with the latter the records are read twice, those of what is neither a
 * regular file nor memory by way of a temporary in TMPDIR, else /tmp.
 * *checksum need not be initialised. Findings are the reader's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE    the reader is not as said
 *   DMTRACE_ERR_CORRUPT  one of the two options is no number
 * Then *checksum is all zero.
 */
DMTRACE_API enum dmtrace_status
dmtrace_checksum(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_checksum_options *options,
    struct dmtrace_checksum *checksum);

/* Frees the threads. One that is all zero is allowed, and is left so. */
DMTRACE_API void
dmtrace_checksum_fini(struct dmtrace_checksum *checksum);

#ifdef __cplusplus
}
#endif

#endif
