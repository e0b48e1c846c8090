/* dmtrace/convert.h - a trace in another dialect of the format */
#ifndef DMTRACE_CONVERT_H
#define DMTRACE_CONVERT_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dmtrace_dialect {
	DMTRACE_DIALECT_V1 = 1,		/* a key, and records of 9 bytes, */
	DMTRACE_DIALECT_V2 = 2,		/* of 10, */
	DMTRACE_DIALECT_V3 = 3,		/* of 14, which have two times */
	DMTRACE_DIALECT_F2 = 4,		/* ART streaming, with one time, */
	DMTRACE_DIALECT_F3 = 5		/* and with two */
};

/* What a conversion can lose or has to invent. */
enum dmtrace_loss {
	DMTRACE_LOSS_CPU = 0,		/* events: their CPU time */
	DMTRACE_LOSS_WALL = 1,		/* events: their wall time */
	DMTRACE_LOSS_CPU_INVENTED = 2,	/* events: it is their wall time */
	DMTRACE_LOSS_WALL_INVENTED = 3,	/* events: it is their CPU time */
	DMTRACE_LOSS_PADDING = 4,	/* events: bytes that no field holds */
	DMTRACE_LOSS_THREAD_NUMBER = 5,	/* threads: they have another number */
	DMTRACE_LOSS_THREAD_NAME = 6,	/* earlier names of threads */
	DMTRACE_LOSS_METHOD_ID = 7	/* methods: they have another id */
};

#define DMTRACE_LOSSES 8

/* "cpu-dropped" and so on; and a text to follow a count. Thread-safe. */
DMTRACE_API const char *
dmtrace_loss_name(enum dmtrace_loss loss);
DMTRACE_API const char *
dmtrace_loss_words(enum dmtrace_loss loss);

/* Zero is the default of each. */
struct dmtrace_convert_options {
	size_t size;		/* sizeof(struct dmtrace_convert_options) */
	enum dmtrace_dialect dialect;	/* 0: V3 */
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL; MISSING:
					   DUAL in V3 and F3, else wall time
					   if the trace has it */
	int strict;		/* a loss is a failure */
	unsigned flags;		/* DMTRACE_SYNC */
};

struct dmtrace_convert_result {
	size_t size;		/* set by the caller:
				   sizeof(struct dmtrace_convert_result) */
	uint64_t losses[DMTRACE_LOSSES];	/* by enum dmtrace_loss */
};

/*
 * Writes the trace of a reader, which is at its first record, to out in the
 * dialect and clock that are asked for; a copy, byte for byte, if it has them
 * already. Start time, options and names stay as they are.
 *
 * result may be NULL; after a failure it is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_RANGE        the dialect has no such clock; there are more
 *                            threads than it can number; strict, and there is
 *                            a loss
 *   DMTRACE_ERR_STATE        the reader is not at its first record
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming to a pair
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_convert(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out,
    const struct dmtrace_convert_options *options,
    struct dmtrace_convert_result *result);

#ifdef __cplusplus
}
#endif

#endif
