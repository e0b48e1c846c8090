/* trace_info.h - facts about a trace, and the program that wrote it */
#ifndef TRACE_INFO_H
#define TRACE_INFO_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/table.h"
#include "private/trace.h"

enum trace_info_number {
	INFO_VERSION,			/* in the data */
	INFO_VERSION_KEY,
	INFO_RECORD_SIZE,
	INFO_DATA_OFFSET,
	INFO_DURATION_NS,
	INFO_THREADS,			/* rows of the table */
	INFO_METHODS,
	INFO_RECORDS,
	INFO_ENTER,			/* and the next ones as in enum
					   dmtrace_action */
	INFO_EXIT,
	INFO_UNROLL,
	INFO_RESERVED,
	INFO_COUNT
};

#define INFO_ABSENT UINT64_MAX

struct trace_info {
	const char *file;		/* the operand */
	struct dmtrace_reader *reader;
	const struct dmtrace_key *key;
	const struct dmt_header *header;	/* NULL: not readable */
	struct dmt_count count;
	uint64_t numbers[INFO_COUNT];
	bool comparable;		/* times of threads can be compared */
	bool overflow;
	bool is_read;			/* at least its key was read */
	const char *error;		/* why it cannot be read, or NULL */
};

/* Returns the value of an option of the key; bytes is NULL if there is none. */
struct dmtrace_text
trace_info_option(const struct trace_info *info, const char *name);

/* The program that wrote the trace, and the evidence; NULL: unknown. */
struct trace_writer {
	const char *name;
	const char *evidence;
};

const struct trace_writer *
trace_info_writer(const struct trace_info *info);

#endif
