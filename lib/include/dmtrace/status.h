/* dmtrace/status.h - statuses, errors, findings */
#ifndef DMTRACE_STATUS_H
#define DMTRACE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(DMTRACE_API)
/* of dmtrace_write.h */
#elif defined(__GNUC__)
#define DMTRACE_API __attribute__((visibility("default")))
#else
#define DMTRACE_API
#endif
#ifndef DMTRACE_DATA
#define DMTRACE_DATA extern DMTRACE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call returns. Its description lists the statuses that it can return.
 * The numbers do not change. */
enum dmtrace_status {
	DMTRACE_OK = 0,
	DMTRACE_END = 1,		/* nothing is left; not a failure */
	DMTRACE_ERR_MEMORY = 2,		/* no memory is left */
	DMTRACE_ERR_IO = 3,		/* open, read, write or rename failed */
	DMTRACE_ERR_NOT_TRACE = 4,	/* neither a key nor records */
	DMTRACE_ERR_VERSION = 5,	/* an unknown version */
	DMTRACE_ERR_UNSUPPORTED = 6,	/* a known format that is not read */
	DMTRACE_ERR_CORRUPT = 7,	/* bytes that contradict each other */
	DMTRACE_ERR_TRUNCATED = 8,	/* the input ends too early */
	DMTRACE_ERR_RANGE = 9,		/* a value does not fit its field */
	DMTRACE_ERR_LIMIT = 10,		/* larger than a limit allows */
	DMTRACE_ERR_FOREIGN = 11,	/* key and data of different traces */
	DMTRACE_ERR_STATE = 12,		/* a call out of order, or with NULL */
	DMTRACE_ERR_CANCELLED = 13,	/* a function of the caller asked */
	DMTRACE_ERR_EVENT = 14		/* an event contradicts earlier ones,
					   or names what was not added */
};

/*
 * In structs of options 0 is the default of every member, and NULL in place of
 * a struct means all defaults. Where the description of a member says so,
 * DMTRACE_ALL means no limit and DMTRACE_NONE means none.
 */
#define DMTRACE_ALL UINT64_MAX
#define DMTRACE_NONE UINT32_MAX

/* Where in a trace something is. */
enum dmtrace_place {
	DMTRACE_PLACE_NONE = 0,		/* the trace as a whole */
	DMTRACE_PLACE_LINE = 1,		/* a line of the key, from 1 */
	DMTRACE_PLACE_OFFSET = 2	/* bytes from the start of its file */
};

/* Limits on the memory that a malicious file can make a reader use. */
enum dmtrace_limit {
	DMTRACE_LIMIT_KEY = 0,		/* bytes of a key: 1 GiB */
	DMTRACE_LIMIT_LINE = 1,		/* bytes of one of its lines: 16 MiB */
	DMTRACE_LIMIT_DEPTH = 2		/* open frames of a thread: 1,048,576 */
};

#define DMTRACE_MESSAGE_MAX 256

/*
 * The first failure of an object, which it keeps until it is freed. That of a
 * struct dmtrace_op, and what else does one thing after another, is the last
 * one's: see the function that returns it. message is one sentence without a
 * full stop: what was found and what was expected. Names in it are escaped, so
 * that it is safe to print.
 */
struct dmtrace_error {
	enum dmtrace_status status;	/* DMTRACE_OK: none so far */
	enum dmtrace_place place;
	uint64_t at;			/* line or offset, by place */
	int sys_errno;			/* of DMTRACE_ERR_IO, else 0 */
	char message[DMTRACE_MESSAGE_MAX];
};

/* What a status means, in English; never NULL. Thread-safe. */
DMTRACE_API const char *
dmtrace_strerror(enum dmtrace_status status);

/* The version of these headers. */
#define DMTRACE_VERSION_MAJOR 0
#define DMTRACE_VERSION_MINOR 9
#define DMTRACE_VERSION_PATCH 0
#define DMTRACE_VERSION_STRING "0.9.0"

/* The library's own version, in the form of DMTRACE_VERSION_STRING.
 * Thread-safe. */
DMTRACE_API const char *
dmtrace_version(void);

/* A file by its path or, where path is NULL, by an open descriptor, which
 * stays the caller's: { 0 } is standard input. Outputs that have a path appear
 * whole or not at all. */
struct dmtrace_file {
	const char *path;
	int fd;
};

/* Findings: what is wrong with a trace that can still be read */

enum dmtrace_severity {
	DMTRACE_NOTE = 0,	/* usual in real traces */
	DMTRACE_WARNING = 1,	/* some programs cannot read it */
	DMTRACE_ERROR = 2	/* something cannot be read, or is lost */
};

/*
 * One finding; or, from dmtrace_reader_finding_get, all findings of one name:
 * count is how many there are, and the place and the message are those of the
 * first one. name lives as long as the program; message lives until the
 * function that was called with the finding returns, or until the next call of
 * the reader. file belongs to the caller of the operation.
 */
struct dmtrace_finding {
	const char *name;	/* stable, such as "key-crlf" */
	enum dmtrace_severity severity;
	enum dmtrace_place place;
	uint64_t at;		/* line of the key or byte of the file */
	uint64_t count;
	const char *message;	/* safe to print */
	const struct dmtrace_file *file;	/* of an operation, the one that
					   it is in; else NULL */
};

/* Called for every finding as it is made, in the thread that reads. */
typedef void
dmtrace_finding_fn(void *context, const struct dmtrace_finding *finding);

/* "note", "warning" or "error"; "" for another number. Thread-safe. */
DMTRACE_API const char *
dmtrace_severity_name(enum dmtrace_severity severity);

/* Changes: what a repair did to a trace */

/* What a change did. */
enum dmtrace_change_kind {
	DMTRACE_CHANGE_FIXED = 0,	/* the same is written in its form */
	DMTRACE_CHANGE_ADDED = 1,	/* was not in the input */
	DMTRACE_CHANGE_DROPPED = 2,	/* is not in the output */
	DMTRACE_CHANGE_LOST = 3,	/* was destroyed before */
	DMTRACE_CHANGE_KEPT = 4		/* reported, not changed */
};

/* All changes of one name and kind together; the place is the first one's. */
struct dmtrace_change {
	const char *name;		/* stable, such as "key-crlf" */
	enum dmtrace_change_kind kind;
	enum dmtrace_place place;
	uint64_t at;			/* line of the key, byte of the file */
	uint64_t count;
	const char *message;		/* safe to print; until the return */
};

/*
 * Called once for each name and kind of change, and finally with NULL, when the
 * output is complete but does not have its name yet. If it returns anything but
 * 0, the operation ends with DMTRACE_ERR_CANCELLED and leaves no output. It
 * runs in the thread of the operation.
 */
typedef int
dmtrace_change_fn(void *context, const struct dmtrace_change *change);

/*
 * Called from time to time with how much is done, and of how much (0: not
 * known), in bytes of data, or records to generate. If it returns anything but
 * 0, the operation ends with DMTRACE_ERR_CANCELLED and leaves no output.
 */
typedef int
dmtrace_progress_fn(void *context, uint64_t done, uint64_t total);

#ifdef __cplusplus
}
#endif

#endif
