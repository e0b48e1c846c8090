/* dmtrace/verify.h - whether a trace is as it should be */
#ifndef DMTRACE_VERIFY_H
#define DMTRACE_VERIFY_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A finding that dmtrace_validate looks for; see dmtrace.5, FINDINGS. */
struct dmtrace_rule {
	const char *name;
	enum dmtrace_severity severity;
	const char *part;	/* "key", "data", "records" or "calls" */
	const char *words;
};

/* The rules, by index from 0; their strings live as long as the program.
 * Returns 0, or 1 past the last one, and then *rule is as it was.
 * Thread-safe. */
DMTRACE_API int
dmtrace_rule_get(size_t index, struct dmtrace_rule *rule);

/* What a trace comes to. */
struct dmtrace_validity {
	uint64_t findings[3];	/* by enum dmtrace_severity */
	uint64_t records;
};

/*
 * Reads a whole trace, in the order of the file, and calls the op's report
 * for every finding as it is made. file is what dmtrace_reader_open_path and
 * _fd take. Data that cannot be read after a key that can is a finding, not a
 * failure. Memory is bounded by the key, the threads and the depth of their
 * stacks.
 *
 * Returns DMTRACE_OK, whatever was found, with *validity filled;
 * DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE, DMTRACE_ERR_TRUNCATED, DMTRACE_ERR_UNSUPPORTED,
 *   DMTRACE_ERR_FOREIGN  there is no whole key to begin with
 *   DMTRACE_ERR_LIMIT    the key, one of its lines, or a thread's stack
 * Then *validity is as it was.
 */
DMTRACE_API enum dmtrace_status
dmtrace_validate(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_validity *validity);

/* The same for the len bytes of a joined trace. */
DMTRACE_API enum dmtrace_status
dmtrace_validate_memory(struct dmtrace_op *op, const void *bytes, size_t len,
    struct dmtrace_validity *validity);

#ifdef __cplusplus
}
#endif

#endif
