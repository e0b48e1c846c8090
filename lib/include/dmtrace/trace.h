/* dmtrace/trace.h - read and write whole traces */
#ifndef DMTRACE_TRACE_H
#define DMTRACE_TRACE_H

#include <dmtrace/key.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A reader and a writer are each used by one thread at a time; two of them
 * share nothing. The order of calls is: new, settings, open, read or write,
 * close (writer), free. A call out of order, or with NULL for the object or for
 * an argument that must not be NULL, returns DMTRACE_ERR_STATE, and the error's
 * message names the call.
 */
struct dmtrace_reader;
struct dmtrace_writer;

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

/* Where bytes go that the caller takes. write takes up to len bytes and returns
 * how many, at least 1, or -1 on failure with errno set. It is called again
 * after EINTR. Any other number is a failure, too. */
struct dmtrace_output {
	ptrdiff_t (*write)(void *context, const void *bytes, size_t len);
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
	uint64_t start;		/* the start time, as stored, and */
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
 * '/' of a class. A thread that the key does not list is named by its number, a
 * method by its id, as in 0x40. A name belongs to the reader and lives until
 * the next call of the same function. NULL: no memory.
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

/* The dialects of the format that can be written. */
enum dmtrace_dialect {
	DMTRACE_DIALECT_V1 = 1,		/* a key, and records of 9 bytes, */
	DMTRACE_DIALECT_V2 = 2,		/* of 10, */
	DMTRACE_DIALECT_V3 = 3,		/* of 14, which have two times */
	DMTRACE_DIALECT_F2 = 4,		/* ART streaming, with one time, */
	DMTRACE_DIALECT_F3 = 5,		/* and with two */
	DMTRACE_DIALECT_V4 = 6,		/* ART trace format V2: one time, */
	DMTRACE_DIALECT_V5 = 7,		/* two; */
	DMTRACE_DIALECT_F4 = 8,		/* and as ART streams it, */
	DMTRACE_DIALECT_F5 = 9		/* 0xF4 and 0xF5 */
};

/* The form of the blocks of events in trace format V2. dmtrace.5 says which
 * Android releases write each form, and which programs read it. */
enum dmtrace_stage {
	DMTRACE_STAGE_ANY = 0,		/* that of the input, if it is in format
					   V2, else E */
	DMTRACE_STAGE_C = 1,		/* microseconds */
	DMTRACE_STAGE_E = 2,		/* nanoseconds */
	DMTRACE_STAGE_F = 3		/* nanoseconds; an exit has no method */
};

/*
 * Makes a writer. It keeps the first failure of its calls, also of a refused
 * argument, a call out of order, and a call that changes its key. After it, the
 * writer writes nothing, and its calls return that status. NULL: no memory.
 */
DMTRACE_API struct dmtrace_writer *
dmtrace_writer_new(void);

/* Frees a writer. Without a close before it, no file that the writer made is
 * left. NULL is allowed. */
DMTRACE_API void
dmtrace_writer_free(struct dmtrace_writer *writer);

/* The first failure of a writer or its key. Belongs to the writer. */
DMTRACE_API const struct dmtrace_error *
dmtrace_writer_error(const struct dmtrace_writer *writer);

/*
 * Settings, before the open. set_layout: the version of the trace, 1 to 3, and
 * the times of its events; the default is version 3 with DMTRACE_CLOCK_DUAL,
 * which needs version 3. set_dialect: the same for every dialect; with
 * DMTRACE_CLOCK_MISSING both times, or wall times where there is room for one.
 * set_start: the start time as stored in versions 1 to 3, most often
 * microseconds since 1970 (enum dmtrace_start_kind), 0 by default; after
 * dmtrace_writer_set_like it replaces that of the reader. set_sync: force the
 * files to the disk before they get their names.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE (the writer is
 * open, or has the layout of a reader), or
 *   DMTRACE_ERR_RANGE  that version does not have these times; there is no
 *                      such dialect, or it has no stages
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_layout(struct dmtrace_writer *writer, unsigned version,
    enum dmtrace_clock clock);
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_dialect(struct dmtrace_writer *writer,
    enum dmtrace_dialect dialect, enum dmtrace_stage stage,
    enum dmtrace_clock clock);
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_start(struct dmtrace_writer *writer, uint64_t start);
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_sync(struct dmtrace_writer *writer, int sync);

/*
 * Before the open: write like the trace that the reader has open. The writer
 * takes over its key, layout and header, in place of settings and options of
 * its own, and all bytes around them; times are stored modulo the width of
 * their field. Bytes of a record that belong to no field are zeros, as events
 * do not have them; dmtrace_filter and the other operations keep them. Packets
 * of a stream are written anew. The reader must live until the writer is
 * closed, which copies the bytes after its last record.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  the writer is open, is like a reader already, or has
 *                      threads or methods; or the reader is not open
 * or the failure of the reader.
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_like(struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader);

/*
 * The key that will be written. Rows and options may be added until
 * dmtrace_writer_complete or close. Belongs to the writer, and lives as long.
 * NULL: it is complete.
 */
DMTRACE_API struct dmtrace_key *
dmtrace_writer_key(struct dmtrace_writer *writer);

/*
 * Adds a thread or a method to the key. The strings are copied. class_name and
 * the name of a thread may be NULL: none. The id of a method is a multiple of
 * 4. dmtrace_key_method_add also takes a signature, a file and a line.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT, or
 *   DMTRACE_ERR_RANGE  see dmtrace_key_thread_add
 *   DMTRACE_ERR_STATE  the key is complete
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_add_thread(struct dmtrace_writer *writer, uint32_t id,
    const char *name);
DMTRACE_API enum dmtrace_status
dmtrace_writer_add_method(struct dmtrace_writer *writer, uint64_t id,
    const char *class_name, const char *name);

/*
 * Opens the output: a joined file, or a pair if path ends in ".key" or ".data",
 * or a file of the text form if it ends in ".dmt".
 * A file gets its name only at close, when it is complete, and then replaces an
 * old one; of a pair, the data is first. Devices and pipes are written
 * directly. A descriptor and functions stay the caller's; the memory of
 * open_memory is the writer's (dmtrace_writer_memory).
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, or
 *   DMTRACE_ERR_IO  the file, or a temporary file beside it, cannot be made
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_open_path(struct dmtrace_writer *writer, const char *path);
DMTRACE_API enum dmtrace_status
dmtrace_writer_open_fd(struct dmtrace_writer *writer, int fd);
DMTRACE_API enum dmtrace_status
dmtrace_writer_open_memory(struct dmtrace_writer *writer);
DMTRACE_API enum dmtrace_status
dmtrace_writer_open_output(struct dmtrace_writer *writer,
    const struct dmtrace_output *output);

/*
 * Declares the key complete and writes it, so that events go directly to their
 * place. Before this call they wait in a temporary file, unless the output is a
 * pair: beside the output, or in TMPDIR, else /tmp, for a descriptor and
 * functions. The call is optional, as close does the same.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_RANGE  the option "clock" of the key is not that of
 *                      dmtrace_writer_set_layout
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_complete(struct dmtrace_writer *writer);

/*
 * Writes count events, or none of them. Times are cut to whole microseconds; a
 * time that the layout has no field for is ignored.
 *
 * Events are not compared with earlier ones: a time may be lower than the last
 * one of its thread, and an exit may be of a call that is not the innermost
 * one, or of none. They are written as they are, and close returns DMTRACE_OK,
 * but dmtrace_validate reports errors: time-back, exit-mismatch, exit-stray.
 * Traceview and Android Studio refuse a trace with such exits; Firefox Profiler
 * and Perfetto end the innermost call, whatever the method is. No reader
 * refuses times that go back, but durations are wrong. dmtrace_repair corrects
 * both.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO,
 * or
 *   DMTRACE_ERR_RANGE  a thread number, method id or time does not fit its
 *                      field; an id is not a multiple of 4; a time of the
 *                      layout is DMTRACE_NO_TIME; the action is unknown
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_write(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count);

/* Write one event, with the same time for each clock. Return what
 * dmtrace_writer_write does, and DMTRACE_ERR_RANGE for a thread or a method
 * that was not added before. */
DMTRACE_API enum dmtrace_status
dmtrace_writer_enter(struct dmtrace_writer *writer, uint32_t thread,
    uint64_t method, uint64_t time_ns);
DMTRACE_API enum dmtrace_status
dmtrace_writer_exit(struct dmtrace_writer *writer, uint32_t thread,
    uint64_t method, uint64_t time_ns);

/*
 * Ends the trace: writes what is left, checks every write, and gives the files
 * their names. After a failure, of any call on the writer or its key, no file
 * that the writer made is left.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO,
 * or the status of the first call that failed
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_close(struct dmtrace_writer *writer);

/* The bytes of open_memory after the close, *len of them. They belong to the
 * writer and live until it is freed. NULL, and *len 0: no bytes. */
DMTRACE_API const void *
dmtrace_writer_memory(const struct dmtrace_writer *writer, size_t *len);

#ifdef __cplusplus
}
#endif

#endif
