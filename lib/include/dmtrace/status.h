/* dmtrace/status.h - what a call came to */
#ifndef DMTRACE_STATUS_H
#define DMTRACE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DMTRACE_API __attribute__((visibility("default")))
#else
#define DMTRACE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are never reused. Each function's comment lists the ones it gives. */
enum dmtrace_status {
	DMTRACE_OK = 0,
	DMTRACE_END = 1,		/* no more records; not a failure */
	DMTRACE_ERR_MEMORY = 2,		/* the system has none left */
	DMTRACE_ERR_IO = 3,		/* open, read, write or rename failed */
	DMTRACE_ERR_NOT_TRACE = 4,	/* neither a key nor records */
	DMTRACE_ERR_VERSION = 5,	/* a version that nobody writes */
	DMTRACE_ERR_UNSUPPORTED = 6,	/* a known form, not read here */
	DMTRACE_ERR_CORRUPT = 7,	/* bytes that contradict each other */
	DMTRACE_ERR_TRUNCATED = 8,	/* ends before it may */
	DMTRACE_ERR_RANGE = 9,		/* a value does not fit its field */
	DMTRACE_ERR_LIMIT = 10,		/* larger than a limit allows */
	DMTRACE_ERR_FOREIGN = 11,	/* key and data of different traces */
	DMTRACE_ERR_STATE = 12,		/* a call that has no place now */
	DMTRACE_ERR_CANCELLED = 13	/* a caller's function said so */
};

/* Where in a trace something is. */
enum dmtrace_place {
	DMTRACE_PLACE_NONE = 0,		/* the trace as a whole */
	DMTRACE_PLACE_LINE = 1,		/* a line of the key, from 1 */
	DMTRACE_PLACE_OFFSET = 2	/* bytes from the start of its file */
};

/* What bounds the memory that a hostile file can ask for. */
enum dmtrace_limit {
	DMTRACE_LIMIT_KEY = 0,		/* bytes of a key: 1 GiB */
	DMTRACE_LIMIT_LINE = 1,		/* bytes of one of its lines: 16 MiB */
	DMTRACE_LIMIT_DEPTH = 2		/* open frames of a thread: 1,048,576 */
};

#define DMTRACE_WORDS_MAX 256

/*
 * The first failure of an object, kept until the object is opened again or
 * freed. words is one sentence without a full stop: what was found and what
 * would have been right; names in it are escaped, so it is safe to print.
 */
struct dmtrace_error {
	enum dmtrace_status status;	/* DMTRACE_OK: none so far */
	enum dmtrace_place place;
	uint64_t at;			/* line or offset, by place */
	int sys_errno;			/* of DMTRACE_ERR_IO, else 0 */
	char words[DMTRACE_WORDS_MAX];
};

/* A few words for a status, in English; never NULL. Thread-safe. */
DMTRACE_API const char *
dmtrace_status_words(enum dmtrace_status status);

/* The library's version, such as "1.0.0". Thread-safe. */
DMTRACE_API const char *
dmtrace_version(void);

#ifdef __cplusplus
}
#endif

#endif
