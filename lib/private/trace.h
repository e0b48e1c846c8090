/* trace.h - what our own program asks readers and writers */
#ifndef DMT_PRIVATE_TRACE_H
#define DMT_PRIVATE_TRACE_H

#include <dmtrace/trace.h>

#include "private/event.h"

/*
 * Makes sure that dmt_reader_rewind can be called: what is no regular
 * file, nor memory, is copied from here on to a temporary without a name, in
 * TMPDIR, else /tmp. Before the first read.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or records were read
 */
enum dmtrace_status
dmt_reader_hold(struct dmtrace_reader *reader);

/*
 * Goes back to the first record. Findings in records are reported once, if they
 * were read to the end before.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or not held
 */
enum dmtrace_status
dmt_reader_rewind(struct dmtrace_reader *reader);

/* The binary half's first bytes (dmtrace.5, DATA HEADER). */
struct dmt_header {
	uint16_t version;	/* 1 to 3; 0xf1 to 0xf3 in a stream */
	uint16_t data_offset;	/* bytes from the magic to the first record */
	uint16_t record_size;	/* bytes; derived where the version has none */
	uint64_t start;		/* as stored; see dmt_header_start_kind */
};

/* A guess, by the value alone. Thread-safe. */
enum dmtrace_start_kind
dmt_header_start_kind(const struct dmt_header *header);

/* "boot", "epoch" or "sec_usec". Thread-safe. */
const char *
dmt_start_kind_name(enum dmtrace_start_kind kind);

/* "joined", "pair", "key", "data", "stream" or "packets". Thread-safe. */
const char *
dmt_container_name(enum dmtrace_container container);

/* How the trace is kept. */
enum dmtrace_container
dmt_reader_container(const struct dmtrace_reader *reader);

/* The file that was opened for the key, for the data: as named or derived;
 * NULL where it has no path. The same twice for a joined file. */
const char *
dmt_reader_key_path(const struct dmtrace_reader *reader);
const char *
dmt_reader_data_path(const struct dmtrace_reader *reader);

/* The header; NULL if none could be read. Belongs to the reader. */
const struct dmt_header *
dmt_reader_header(const struct dmtrace_reader *reader);

/* The layout of the records; NULL unless the open succeeded. */
const struct dmt_layout *
dmt_reader_layout(const struct dmtrace_reader *reader);

/* How many records were read so far. */
uint64_t
dmt_reader_position(const struct dmtrace_reader *reader);

/* How many findings dmtrace_reader_finding_get has so far. */
size_t
dmt_reader_finding_count(const struct dmtrace_reader *reader);

/* Of trace format V2, how its blocks hold events, see dmtrace.5: "B", "C", "E",
 * "F" or "long-running"; NULL: of another format, or not open. */
const char *
dmt_reader_stage(const struct dmtrace_reader *reader);

/* What is to come of a trace that is followed. */
enum dmt_follow {
	DMT_FOLLOW_GROWS = 0,	/* more, once it is written */
	DMT_FOLLOW_ENDED = 1,	/* nothing: its summary was reached */
	DMT_FOLLOW_CLOSED = 2,	/* nothing: the pipe ended before */
	DMT_FOLLOW_REMOVED = 3	/* the file has no name any more; more
					   may be written to it */
};

/*
 * Opens a stream of version 0xF1 to 0xF3, or trace format V2 with its header,
 * that is being written, in place of dmtrace_reader_open_*: a source made of
 * the reader (dmtrace_source_new) hands out what is there in whole records or
 * blocks; a read of 0 rows is an end only if dmt_reader_follow_state says so.
 * The key has no rows at first, and grows as packets are read; its tables move.
 * It has no options but the clock, which is wall time for versions of one
 * clock, and is not for writing. Such a source is read once, and has no stages.
 *
 * A file that becomes shorter is a failure of the source.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_TRUNCATED    the header is not complete yet: try again with
 *                            another reader
 *   DMTRACE_ERR_UNSUPPORTED  it is no such trace
 */
enum dmtrace_status
dmt_reader_follow_path(struct dmtrace_reader *reader, const char *path);
enum dmtrace_status
dmt_reader_follow_fd(struct dmtrace_reader *reader, int fd);

enum dmt_follow
dmt_reader_follow_state(const struct dmtrace_reader *reader);

/* What one thread did. Times are nanoseconds of the wall clock if the
 * records have it, else of the thread's CPU clock. */
struct dmt_thread_count {
	uint32_t thread;	/* the records' own number */
	uint64_t records;
	uint64_t first_ns;
	uint64_t last_ns;	/* of its last record, unwrapped */
};

/* What the records come to. Free with dmt_count_fini. */
struct dmt_count {
	uint64_t records;
	uint64_t actions[4];			/* by enum dmtrace_action */
	struct dmt_thread_count *threads;	/* by rising number */
	size_t thread_count;
};

/*
 * Reads all records that are left and counts them, several times as fast as
 * a loop of reads. *count need not be initialised.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_STATE;
 * then *count is all zero
 */
enum dmtrace_status
dmt_reader_count(struct dmtrace_reader *reader,
    struct dmt_count *count);

/* Frees the threads. One that is all zero is allowed, and is left so. */
void
dmt_count_fini(struct dmt_count *count);

/* dmt_writer_set_layout by the layout itself. */
enum dmtrace_status
dmt_writer_set_layout(struct dmtrace_writer *writer,
    const struct dmt_layout *layout);

#endif
