/* dmtrace/expect.h - what the calls of a trace should be: golden traces */
#ifndef DMTRACE_EXPECT_H
#define DMTRACE_EXPECT_H

#include <dmtrace/ops.h>
#include <dmtrace/select.h>
#include <dmtrace/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A specification: what is expected of a trace, see dmtrace-expect.1, SPEC. A
 * new one expects nothing. It can be used for one trace after another, by one
 * thread at a time.
 */
struct dmtrace_spec;

/* NULL: no memory. */
DMTRACE_API struct dmtrace_spec *
dmtrace_spec_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_spec_free(struct dmtrace_spec *spec);

/* The error of the last call that decoded, read or selected, with its line;
 * belongs to the spec. */
DMTRACE_API const struct dmtrace_error *
dmtrace_spec_error(const struct dmtrace_spec *spec);

/*
 * Decodes the text of a new spec, which keeps a copy. After a failure it can
 * only be freed.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE (it is not a new
 * one), or
 *   DMTRACE_ERR_CORRUPT  a line is malformed
 *   DMTRACE_ERR_LIMIT    more than 2^31 bytes
 */
DMTRACE_API enum dmtrace_status
dmtrace_spec_decode(struct dmtrace_spec *spec, const void *bytes,
    size_t len);

/* The same for a file; DMTRACE_ERR_IO: it cannot be read. */
DMTRACE_API enum dmtrace_status
dmtrace_spec_read(struct dmtrace_spec *spec, const struct dmtrace_file *file);

/*
 * Judges only a part of the trace, as a line "select CONDITION VALUE" does,
 * such as "method" and "com.app.*". The first call drops what the text selects.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  no such condition, or no such value of it
 */
DMTRACE_API enum dmtrace_status
dmtrace_spec_select(struct dmtrace_spec *spec, const char *condition,
    const char *value);

/* What is selected, for callers that resolve it to report values that nothing
 * matches; belongs to the spec. NULL: everything. */
DMTRACE_API struct dmtrace_selection *
dmtrace_spec_selection(struct dmtrace_spec *spec);

/* A call that was expected and one that was found, side by side. */
struct dmtrace_expect_row {
	uint64_t line;			/* of the spec; 0: none */
	const char *expected;		/* NULL: none */
	uint32_t expected_depth;	/* how far to indent it */
	const char *found;		/* NULL: none */
	uint32_t found_depth;
	int differs;			/* the first that does */
};

/* The result of one rule or tree. Strings are UTF-8 that is safe to print, and
 * live as long as the callback runs. */
struct dmtrace_expectation {
	uint64_t line;			/* of the spec, from 1: its own, or
					   that of the call of its tree that
					   was not met */
	const char *words;		/* its own line */
	int met;
	const char *expected;		/* if it is not met, both */
	const char *found;
	uint64_t record;		/* from 1; 0: at no record */
	uint64_t at;			/* the byte of its file */
	uint32_t thread;		/* its number in records, */
	const char *thread_name;	/* and name; NULL: of no thread */
	uint64_t time_ns;		/* or DMTRACE_NO_TIME */
	const struct dmtrace_expect_row *rows;	/* the calls of a tree */
	size_t row_count;
};

/* Called for every expectation, in the order of the spec. */
typedef void
dmtrace_expectation_fn(void *context,
    const struct dmtrace_expectation *expectation);

/* The result of a trace. */
struct dmtrace_expected {
	uint64_t expectations;
	uint64_t unmet;
	uint64_t records;		/* that were judged */
};

/*
 * Reads the records of an open reader to their end and judges them. report may
 * be NULL. Memory is bounded by the spec, the key, the threads and the depth
 * of their stacks.
 *
 * Returns DMTRACE_OK, whether they are met or not, with *expected filled;
 * DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE  the reader is not open, or records were read
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than DMTRACE_LIMIT_DEPTH,
 *                      or the times of a rule add up to 2^63 ns or more
 *   DMTRACE_ERR_RANGE  no such thing can be selected
 * Then *expected is as it was, and what was reported is incomplete.
 */
DMTRACE_API enum dmtrace_status
dmtrace_expect(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, dmtrace_expectation_fn *report,
    void *context, struct dmtrace_expected *expected);

/* Flags of dmtrace_spec_update. */
enum {
	DMTRACE_SPEC_SIGNATURES = 1	/* of every method, not only where
					   names alone are not enough */
};

/*
 * Reads the records of an open reader to their end and writes the text of spec
 * to an open sink, with the calls of the trace in place of exact trees that are
 * not met. Threads without a tree get one if spec has no tree at all, or says
 * "no other threads". The rest stays as it is. Memory is bounded by the text,
 * the key, the different calls of the threads and the depth of their stacks.
 *
 * Returns what dmtrace_expect does; DMTRACE_ERR_LIMIT also for a tree that is
 * deeper than 16,384. The sink's own errors are reported when it is closed.
 */
DMTRACE_API enum dmtrace_status
dmtrace_spec_update(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, unsigned flags, struct dmtrace_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
