/* dmtrace/reader.h - read traces */
#ifndef DMTRACE_READER_H
#define DMTRACE_READER_H

#include <dmtrace/key.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A reader is used by one thread at a time; two of them share nothing. The
 * order of calls is: new, settings, open, read, free. A call out of order, or
 * with NULL for the object or for an argument that must not be NULL, returns
 * DMTRACE_ERR_STATE, and the error's message names the call.
 */
struct dmtrace_reader;

/* How a trace is stored. */
enum dmtrace_container {
	DMTRACE_CONTAINER_JOINED = 0,	/* one file: key, then data */
	DMTRACE_CONTAINER_PAIR = 1,	/* two files: X.key and X.data */
	DMTRACE_CONTAINER_KEY = 2,	/* a key without data */
	DMTRACE_CONTAINER_DATA = 3,	/* data without a key */
	DMTRACE_CONTAINER_STREAM = 4,	/* ART streaming, 0xF1 to 0xF3 */
	DMTRACE_CONTAINER_PACKETS = 5	/* ART trace format V2 */
};

/* What the start time of a trace counts; no field says so
 * (dmtrace.5, START TIME). */
enum dmtrace_start_kind {
	DMTRACE_START_BOOT = 0,		/* microseconds since boot */
	DMTRACE_START_EPOCH = 1,	/* microseconds since 1970, UTC */
	DMTRACE_START_SEC_USEC = 2	/* seconds << 32 | microseconds */
};

/*
 * Bytes that the caller supplies. read stores up to len bytes at out and
 * returns how many: 0 at the end, -1 on failure with errno set. It is called
 * again after EINTR. A number above len is a failure, too.
 */
struct dmtrace_input {
	ptrdiff_t (*read)(void *context, void *out, size_t len);
	void *context;
};

/* Makes a reader. NULL: no memory. */
DMTRACE_API struct dmtrace_reader *
dmtrace_reader_new(void);

/* Frees a reader and closes the files that it opened. NULL is allowed. */
DMTRACE_API void
dmtrace_reader_free(struct dmtrace_reader *reader);

/* The first failure of a reader, which it keeps. Belongs to the reader. */
DMTRACE_API const struct dmtrace_error *
dmtrace_reader_error(const struct dmtrace_reader *reader);

/*
 * Settings, before the open. set_limit replaces the default of
 * DMTRACE_LIMIT_KEY or DMTRACE_LIMIT_LINE. set_report names a function that is
 * called for each finding as it is made; without it, findings are only counted.
 * The function must not call the reader.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE (the reader is open), or
 *   DMTRACE_ERR_RANGE  that limit cannot be set
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_set_limit(struct dmtrace_reader *reader,
    enum dmtrace_limit limit, uint64_t value);
DMTRACE_API enum dmtrace_status
dmtrace_reader_set_report(struct dmtrace_reader *reader,
    dmtrace_finding_fn *report, void *context);

/*
 * Opens a trace and reads its key and header. The bytes decide which format it
 * is, not the name. path is a joined file; or one half of a pair, X.key or
 * X.data, whose other half is found by its name; or, where there is no file X,
 * a base name X, for X.trace or else X.key and X.data; or the text form of a
 * trace (dmtrace-text.5), which is written to a temporary file. open_pair takes
 * two files of any names, the key first.
 *
 * A file descriptor is read from its current offset. Descriptors, bytes and
 * functions stay the caller's and must live until the reader is freed. A stream
 * (dmtrace.5, STREAMS) is read twice: if its input can be read only once, it is
 * copied to a temporary file in TMPDIR, else /tmp.
 *
 * After a failure, dmtrace_reader_key and dmtrace_reader_info_get return what
 * could be read.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_LIMIT,
 * DMTRACE_ERR_STATE, or
 *   DMTRACE_ERR_NOT_TRACE    begins neither with "*version" nor with "SLOW"
 *   DMTRACE_ERR_TRUNCATED    no "*end"; an incomplete header; no data after
 *                            the key
 *   DMTRACE_ERR_CORRUPT      no magic after the key, or an impossible record
 *                            size or data offset
 *   DMTRACE_ERR_VERSION      an unknown version of the data
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming or trace format V2 after a key
 *   DMTRACE_ERR_FOREIGN      data without its key
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_open_path(struct dmtrace_reader *reader, const char *path);
DMTRACE_API enum dmtrace_status
dmtrace_reader_open_pair(struct dmtrace_reader *reader, const char *key_path,
    const char *data_path);
DMTRACE_API enum dmtrace_status
dmtrace_reader_open_fd(struct dmtrace_reader *reader, int fd);
DMTRACE_API enum dmtrace_status
dmtrace_reader_open_memory(struct dmtrace_reader *reader, const void *bytes,
    size_t len);
DMTRACE_API enum dmtrace_status
dmtrace_reader_open_input(struct dmtrace_reader *reader,
    const struct dmtrace_input *input);

/* What is known of a trace besides its key. */
struct dmtrace_reader_info {
	enum dmtrace_container container;
	unsigned version;	/* of the header: 1 to 3, 0xf1 to 0xf3 in a
				   stream, 4 and 5 of trace format V2, 0xf4 and
				   0xf5 as a stream; 0: no header was read */
	enum dmtrace_clock clock;	/* the times of each event: THREAD_CPU,
				   WALL or DUAL; MISSING: not open */
	uint32_t record_size;	/* in bytes */
	uint64_t start;		/* the start time as stored, but nanoseconds in
				   microseconds, and */
	enum dmtrace_start_kind start_kind;	/* what it counts: a guess by
				   its value */
	const char *key_path;	/* the files that were opened; NULL: not by */
	const char *data_path;	/* a path; both are the same if joined */
	uint64_t events;	/* that were read so far */
};

/* Describes the trace of a reader. Paths belong to the reader. Returns
 * DMTRACE_OK, or DMTRACE_ERR_STATE if an argument is NULL; the reader does not
 * keep that failure. */
DMTRACE_API enum dmtrace_status
dmtrace_reader_info_get(const struct dmtrace_reader *reader,
    struct dmtrace_reader_info *info);

/* The key of the trace; NULL if none could be read. Belongs to the reader. */
DMTRACE_API const struct dmtrace_key *
dmtrace_reader_key(const struct dmtrace_reader *reader);

/*
 * Reads the next event, in the order of the file. Times are unwrapped, for each
 * thread and clock (dmtrace.5, TIMES). An incomplete last record is a finding.
 *
 * Returns DMTRACE_OK, DMTRACE_END (no events are left), DMTRACE_ERR_MEMORY,
 * DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_LIMIT  a thread of trace format V2 has more open calls than
 *                      DMTRACE_LIMIT_DEPTH
 *   DMTRACE_ERR_STATE  the reader is not open, or an argument is NULL
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_next(struct dmtrace_reader *reader,
    struct dmtrace_event *event);

/*
 * Reads up to capacity events, at least 1, and sets *count to how many: 0 at
 * the end, and on failure.
 *
 * Returns what dmtrace_reader_next does, but DMTRACE_OK at the end, and
 *   DMTRACE_ERR_RANGE  capacity is 0
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_read(struct dmtrace_reader *reader,
    struct dmtrace_event *events, size_t capacity, size_t *count);

/*
 * The names of an event's thread and method: "main",
 * "com.example.First.run". The bytes are those of the key, with dots for each
 * '/' of a class; the name of a thread, a class or a method ends at a NUL in
 * it. A thread that the key does not list is named by its number, a method by
 * its id, as in 0x40. A name belongs to the reader and lives until the next
 * call of the same function. NULL: no memory.
 */
DMTRACE_API const char *
dmtrace_reader_thread_name(struct dmtrace_reader *reader, uint32_t thread);
DMTRACE_API const char *
dmtrace_reader_method_name(struct dmtrace_reader *reader, uint64_t method);

/* The findings so far, one for each name, in the order of their first
 * occurrence, by index from 0; NULL past the last one. Belongs to the reader
 * until its next call. */
DMTRACE_API const struct dmtrace_finding *
dmtrace_reader_finding_get(struct dmtrace_reader *reader, size_t index);

#ifdef __cplusplus
}
#endif

#endif
