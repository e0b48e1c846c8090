/* status.c - a few words for every status */

#include <dmtrace/status.h>

static const char *const words[] = {
	[DMTRACE_OK] = "done",
	[DMTRACE_END] = "no more records",
	[DMTRACE_ERR_MEMORY] = "out of memory",
	[DMTRACE_ERR_IO] = "input/output error",
	[DMTRACE_ERR_NOT_TRACE] = "not a trace",
	[DMTRACE_ERR_VERSION] = "unknown version",
	[DMTRACE_ERR_UNSUPPORTED] = "not supported",
	[DMTRACE_ERR_CORRUPT] = "corrupt",
	[DMTRACE_ERR_TRUNCATED] = "cut short",
	[DMTRACE_ERR_RANGE] = "does not fit",
	[DMTRACE_ERR_LIMIT] = "over a limit",
	[DMTRACE_ERR_FOREIGN] = "key and data do not belong together",
	[DMTRACE_ERR_STATE] = "call out of order",
	[DMTRACE_ERR_CANCELLED] = "cancelled",
};

const char *
dmtrace_status_words(enum dmtrace_status status)
{
	if ((size_t)status >= sizeof(words) / sizeof(words[0]))
		return "unknown status";
	return words[status];
}
