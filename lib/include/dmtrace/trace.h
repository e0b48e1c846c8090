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
 * close (writer), free. A call out of order is DMTRACE_ERR_STATE.
 */
struct dmtrace_reader;
struct dmtrace_writer;

/* The binary half's first bytes (dmtrace.5, DATA HEADER). */
struct dmtrace_header {
	uint16_t version;	/* 1 to 3; 0xf1 to 0xf3 in a stream */
	uint16_t data_offset;	/* bytes from the magic to the first record */
	uint16_t record_size;	/* bytes; derived where the version has none */
	uint64_t start;		/* as stored; see dmtrace_header_start_kind */
};

/* What the start time counts; no field says so (dmtrace.5, START TIME). */
enum dmtrace_start_kind {
	DMTRACE_START_BOOT = 0,		/* microseconds since boot */
	DMTRACE_START_EPOCH = 1,	/* microseconds since 1970, UTC */
	DMTRACE_START_SEC_USEC = 2	/* seconds << 32 | microseconds */
};

/* A guess, by the value alone. Thread-safe. */
DMTRACE_API enum dmtrace_start_kind
dmtrace_header_start_kind(const struct dmtrace_header *header);

/* "boot", "epoch" or "sec_usec". Thread-safe. */
DMTRACE_API const char *
dmtrace_start_kind_name(enum dmtrace_start_kind kind);

/* How the halves of a trace are kept. */
enum dmtrace_container {
	DMTRACE_CONTAINER_JOINED = 0,	/* one file: key, then data */
	DMTRACE_CONTAINER_PAIR = 1,	/* X.key and X.data */
	DMTRACE_CONTAINER_KEY = 2,	/* a key and nothing behind it */
	DMTRACE_CONTAINER_DATA = 3,	/* data without its key */
	DMTRACE_CONTAINER_STREAM = 4,	/* ART streaming, 0xF2 and 0xF3 */
	DMTRACE_CONTAINER_PACKETS = 5	/* ART trace format V2 */
};

/* "joined", "pair", "key", "data", "stream" or "packets". Thread-safe. */
DMTRACE_API const char *
dmtrace_container_name(enum dmtrace_container container);

/*
 * Bytes from the caller. read puts up to len bytes at out and returns how
 * many: 0 at the end, -1 on failure with errno set. EINTR is tried again.
 */
struct dmtrace_input {
	ptrdiff_t (*read)(void *context, void *out, size_t len);
	void *context;
};

/* Bytes to the caller. write takes up to len bytes and returns how many, or
 * -1 on failure with errno set. EINTR is tried again. */
struct dmtrace_output {
	ptrdiff_t (*write)(void *context, const void *bytes, size_t len);
	void *context;
};

/* NULL: no memory. */
DMTRACE_API struct dmtrace_reader *
dmtrace_reader_new(void);

/* Closes what the reader opened. NULL is allowed. */
DMTRACE_API void
dmtrace_reader_free(struct dmtrace_reader *reader);

/* The first failure; belongs to the reader. */
DMTRACE_API const struct dmtrace_error *
dmtrace_reader_error(const struct dmtrace_reader *reader);

/*
 * Settings, before the open: a limit in place of its default, and a function
 * that is told every finding as it is made (by default they are only
 * counted). The function must not call the reader.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE (the reader is open), or
 *   DMTRACE_ERR_RANGE  not a limit of a key
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_set_limit(struct dmtrace_reader *reader,
    enum dmtrace_limit limit, uint64_t value);
DMTRACE_API enum dmtrace_status
dmtrace_reader_set_report(struct dmtrace_reader *reader,
    dmtrace_finding_fn *report, void *context);

/*
 * Opens a trace and reads its key and header; of a stream (dmtrace.5,
 * STREAMS), all packets, of which it makes a key: input that cannot be read
 * twice is copied to a temporary in TMPDIR, else /tmp. path is a joined file,
 * or one half of a pair, whose partner is then X.data for X.key and the other
 * way round, or a base name X: X.trace, else X.key and X.data. What a file is
 * its bytes decide. The descriptors, bytes and call-backs stay the caller's
 * and must live until the reader is freed; fds are read from where they
 * stand. In open_pair_*, key comes first.
 *
 * After a failure the key and the header are there as far as they could be
 * read: see dmtrace_reader_key and dmtrace_reader_header.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_LIMIT,
 * DMTRACE_ERR_STATE, or
 *   DMTRACE_ERR_NOT_TRACE    neither "*version" nor the magic "SLOW" first
 *   DMTRACE_ERR_TRUNCATED    no "*end", or the header is cut short, or there
 *                            is a key and nothing behind it
 *   DMTRACE_ERR_CORRUPT      no magic behind the key, a record size or data
 *                            offset that cannot be
 *   DMTRACE_ERR_VERSION      a data version that nobody writes
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

/*
 * The names of an event's thread and method, as strings that end in NUL:
 * "main", "com.example.First.run". Bytes are those of the key, but for the '/'
 * of a class, which are dots; what no row lists has its number for a name, in
 * decimal, and as in 0x40. Each belongs to the reader and lives until the next
 * such call. NULL: no memory.
 */
DMTRACE_API const char *
dmtrace_reader_thread_name(struct dmtrace_reader *reader, uint32_t thread);
DMTRACE_API const char *
dmtrace_reader_method_name(struct dmtrace_reader *reader, uint64_t method);

/* How the trace is kept. */
DMTRACE_API enum dmtrace_container
dmtrace_reader_container(const struct dmtrace_reader *reader);

/* The file that was opened for the key, for the data: as named or derived;
 * NULL where it has no path. The same twice for a joined file. */
DMTRACE_API const char *
dmtrace_reader_key_path(const struct dmtrace_reader *reader);
DMTRACE_API const char *
dmtrace_reader_data_path(const struct dmtrace_reader *reader);

/* The key; NULL if none could be read. Belongs to the reader. */
DMTRACE_API const struct dmtrace_key *
dmtrace_reader_key(const struct dmtrace_reader *reader);

/* The header; NULL if none could be read. Belongs to the reader. */
DMTRACE_API const struct dmtrace_header *
dmtrace_reader_header(const struct dmtrace_reader *reader);

/* What the records look like; NULL unless the open succeeded. */
DMTRACE_API const struct dmtrace_layout *
dmtrace_reader_layout(const struct dmtrace_reader *reader);

/*
 * Reads up to capacity events, in the order of the file, and sets *count:
 * 0 at the end. Times are unwrapped per thread and clock (dmtrace.5, TIMES).
 * What stands behind the last whole record is a finding.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_IO, or DMTRACE_ERR_STATE: not open
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_read(struct dmtrace_reader *reader,
    struct dmtrace_event *events, size_t capacity, size_t *count);

/* The same for one event; DMTRACE_END when there is none left. */
DMTRACE_API enum dmtrace_status
dmtrace_reader_next(struct dmtrace_reader *reader,
    struct dmtrace_event *event);

/* How many records were read so far. */
DMTRACE_API uint64_t
dmtrace_reader_position(const struct dmtrace_reader *reader);

/* Findings so far, one for each name, in the order of the first ones; index
 * is below the count. Belongs to the reader until its next call. */
DMTRACE_API size_t
dmtrace_reader_finding_count(const struct dmtrace_reader *reader);
DMTRACE_API const struct dmtrace_finding *
dmtrace_reader_finding_get(struct dmtrace_reader *reader, size_t index);

/* Of trace format V2, how its blocks hold events, see dmtrace.5: "B", "C", "E",
 * "F" or "long-running"; NULL: of another format, or not open. */
DMTRACE_API const char *
dmtrace_reader_stage(const struct dmtrace_reader *reader);

/* What is to come of a stream that is followed. */
enum dmtrace_follow {
	DMTRACE_FOLLOW_GROWS = 0,	/* more, once it is written */
	DMTRACE_FOLLOW_ENDED = 1,	/* nothing: its summary was reached */
	DMTRACE_FOLLOW_CLOSED = 2,	/* nothing: the pipe ended before */
	DMTRACE_FOLLOW_REMOVED = 3	/* the file has no name any more; more
					   may be written to it */
};

/*
 * Opens a stream of version 0xF1 to 0xF3 that is being written, in place of
 * dmtrace_reader_open_*: a source made of the reader (dmtrace_source_new) hands
 * out what is there in whole records; a read of 0 rows is an end only if
 * dmtrace_reader_follow_state says so. The key has no rows at first, and grows
 * as packets are read; its tables move. It has no options but the clock, which
 * is wall time for 0xF2, and is not for writing. Such a source is read once,
 * and has no stages.
 *
 * A file that becomes shorter is a failure of the source.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_TRUNCATED    the header is not complete yet: try again with
 *                            another reader
 *   DMTRACE_ERR_UNSUPPORTED  it is no such stream
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_follow_path(struct dmtrace_reader *reader, const char *path);
DMTRACE_API enum dmtrace_status
dmtrace_reader_follow_fd(struct dmtrace_reader *reader, int fd);

DMTRACE_API enum dmtrace_follow
dmtrace_reader_follow_state(const struct dmtrace_reader *reader);

/* What one thread did. Times are nanoseconds of the wall clock if the
 * records have it, else of the thread's CPU clock. */
struct dmtrace_thread_count {
	uint32_t thread;	/* the records' own number */
	uint64_t records;
	uint64_t first_ns;
	uint64_t last_ns;	/* of its last record, unwrapped */
};

/* What the records come to. Free with dmtrace_count_fini. */
struct dmtrace_count {
	uint64_t records;
	uint64_t actions[4];			/* by enum dmtrace_action */
	struct dmtrace_thread_count *threads;	/* by rising number */
	size_t thread_count;
};

/*
 * Reads all records that are left and counts them, several times as fast as
 * a loop of reads. *count need not be initialised.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_STATE;
 * then *count is all zero
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_count(struct dmtrace_reader *reader,
    struct dmtrace_count *count);

/* Frees the threads. One that is all zero is allowed, and is left so. */
DMTRACE_API void
dmtrace_count_fini(struct dmtrace_count *count);

/*
 * A writer keeps the first failure of its calls, a refused argument and a
 * call out of order too, and of those that change its key: from then on it
 * writes nothing, and returns that status until the close. NULL: no memory.
 */
DMTRACE_API struct dmtrace_writer *
dmtrace_writer_new(void);

/* Without a close before it, nothing that the writer made is left.
 * NULL is allowed. */
DMTRACE_API void
dmtrace_writer_free(struct dmtrace_writer *writer);

/* The first failure, its own or its key's; belongs to the writer. */
DMTRACE_API const struct dmtrace_error *
dmtrace_writer_error(const struct dmtrace_writer *writer);

/*
 * Settings, before the open. layout: what the records look like, and with it
 * the key's version and clock line; the default is version 3 and
 * DMTRACE_CLOCK_DUAL. start: the header's start time, as stored; behind
 * dmtrace_writer_set_like, in place of the reader's. sync: force
 * the files to the disk before they get their names.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or DMTRACE_ERR_STATE: the writer is
 * open, or has the layout of a reader
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_layout(struct dmtrace_writer *writer,
    const struct dmtrace_layout *layout);
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_start(struct dmtrace_writer *writer, uint64_t start);
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_sync(struct dmtrace_writer *writer, int sync);

/*
 * Before the open: write like the trace that the reader has open. Its key,
 * layout and header are taken over as they are, with every byte around them;
 * times are stored modulo the width of their field. Bytes of a record that no
 * field holds come along with an event of the reader's last read that is
 * written unchanged and in order; other events have zeros there. Of a stream,
 * packets and a summary are written anew, where they are needed. The reader
 * must live until the writer is closed: what stands behind its last record is
 * copied then.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE        the writer is open, or the reader is not
 *   DMTRACE_ERR_UNSUPPORTED  ART trace format V2, which is only read
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_like(struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader);

/*
 * The key that will be written. Rows and options may be added until
 * dmtrace_writer_complete or close. Belongs to the writer. NULL when it is
 * complete.
 */
DMTRACE_API struct dmtrace_key *
dmtrace_writer_key(struct dmtrace_writer *writer);

/*
 * Adds a thread or a method to that key, by strings that end in NUL and are
 * copied. A class may be NULL: the name is enough. The ids of methods are
 * multiples of 4; dmtrace_key_method_add takes a signature, file and line.
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
 * Opens the output: a joined file, or a pair if path ends in ".key" or
 * ".data". A file appears under its name whole, at close, in place of an old
 * one; of a pair, the data first. What is not a regular file (a device, a
 * pipe) is written as it is. A descriptor and call-backs stay the caller's;
 * the memory of open_memory is the writer's: see dmtrace_writer_memory.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, or
 *   DMTRACE_ERR_IO  the file, or a temporary beside it, cannot be made
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
 * Says that the tables are complete: the key is written now, and from here
 * on records go straight to their place. Before it they wait in a temporary
 * (beside the output; in TMPDIR, else /tmp, for a descriptor or call-backs)
 * unless the output is a pair, which needs none.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE or
 * DMTRACE_ERR_IO
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_complete(struct dmtrace_writer *writer);

/*
 * Writes count events, or none of them. DMTRACE_ERR_RANGE: one does not fit;
 * see dmtrace_record_encode.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO,
 * or DMTRACE_ERR_RANGE
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_write(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count);

/* Write one event, with one time for all clocks of the records. Return what
 * dmtrace_writer_write does. */
DMTRACE_API enum dmtrace_status
dmtrace_writer_enter(struct dmtrace_writer *writer, uint32_t thread,
    uint64_t method, uint64_t time_ns);
DMTRACE_API enum dmtrace_status
dmtrace_writer_exit(struct dmtrace_writer *writer, uint32_t thread,
    uint64_t method, uint64_t time_ns);

/*
 * Ends the trace: joins, checks every write and close, gives the files their
 * names. After a failure, of any call on the writer or its key, no file that
 * the writer made is left.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO,
 * or the status of the first call that failed
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_close(struct dmtrace_writer *writer);

/* The bytes of open_memory after the close, *len of them. They belong to the
 * writer and live until it is freed. NULL, and 0: there are none. */
DMTRACE_API const void *
dmtrace_writer_memory(const struct dmtrace_writer *writer, size_t *len);

/* Records that are read more than once */

/* Bytes to a file that appears whole, or to a descriptor */

#ifdef __cplusplus
}
#endif

#endif
