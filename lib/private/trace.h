/* trace.h - readers and writers: functions for the program and the tests */
/* layer: trace */
#ifndef DMT_PRIVATE_TRACE_H
#define DMT_PRIVATE_TRACE_H

#include <dmtrace/trace.h>

#include "private/event.h"
#include "private/header.h"
#include "private/names.h"

/* Call dmtrace_reader_open_path or dmtrace_reader_open_fd, and the same of a
 * writer. */
enum dmtrace_status
dmt_reader_open_file(struct dmtrace_reader *reader,
    const struct dmtrace_file *file);
enum dmtrace_status
dmt_writer_open_file(struct dmtrace_writer *writer,
    const struct dmtrace_file *file);

/*
 * Makes sure that dmt_reader_rewind can be called: input that is neither a
 * regular file nor memory is copied, as it is read, to an unnamed temporary
 * file in TMPDIR, else in /tmp. To be called before the first read.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or records were read
 */
enum dmtrace_status
dmt_reader_hold(struct dmtrace_reader *reader);

/*
 * Returns to the first record. If the records were read to the end before,
 * findings in them are not reported again.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or not held
 */
enum dmtrace_status
dmt_reader_rewind(struct dmtrace_reader *reader);

/* Returns how the trace is stored. */
enum dmtrace_container
dmt_reader_container(const struct dmtrace_reader *reader);

/* Return the path of the file that was opened for the key, and for the data,
 * as it was given or derived; NULL: it was not opened by path. Both are the
 * same for a joined file. */
const char *
dmt_reader_key_path(const struct dmtrace_reader *reader);
const char *
dmt_reader_data_path(const struct dmtrace_reader *reader);

/* Returns the header; NULL: none could be read. It belongs to the reader. */
const struct dmt_header *
dmt_reader_header(const struct dmtrace_reader *reader);

/* Returns the layout of the records; NULL: the open failed. */
const struct dmt_layout *
dmt_reader_layout(const struct dmtrace_reader *reader);

/* Returns how many records were read so far. */
uint64_t
dmt_reader_position(const struct dmtrace_reader *reader);

/* Returns how many findings dmtrace_reader_finding_get can get so far. */
size_t
dmt_reader_finding_count(const struct dmtrace_reader *reader);

/* Returns true if findings so far say that events of the trace are lost: it is
 * cut off, or a part of it cannot be read. */
bool
dmt_reader_is_cut(const struct dmtrace_reader *reader);

/* Returns the stage of trace format V2, see dmtrace.5: "B", "C", "E", "F" or
 * "long-running". NULL: the trace is in another format, or not open. */
const char *
dmt_reader_stage(const struct dmtrace_reader *reader);

/* The state of a trace that is followed. */
enum dmt_follow {
	DMT_FOLLOW_GROWS = 0,	/* more may be written */
	DMT_FOLLOW_ENDED = 1,	/* complete: the summary was read */
	DMT_FOLLOW_CLOSED = 2,	/* the pipe ended before the summary */
	DMT_FOLLOW_REMOVED = 3	/* the file was deleted; more may be written to
				   it */
};

/*
 * Opens a growing stream of version 0xF1 to 0xF3, or trace format V2 with its
 * header, instead of dmtrace_reader_open_*. A source made of the reader
 * (dmtrace_source_new) returns the whole records or blocks that are there; a
 * read of 0 rows is only the end if dmt_reader_follow_state says so. The key
 * has no rows at first, and grows as packets are read; its tables move. Its
 * only option is the clock, which is wall time if the version has one clock;
 * it must not be written. Such a source can be read once, and has no stages.
 *
 * If the file becomes shorter, the source fails.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO,
 * or
 *   DMTRACE_ERR_TRUNCATED    the header is not complete yet: try again with
 *                            another reader
 *   DMTRACE_ERR_UNSUPPORTED  it is not such a trace
 */
enum dmtrace_status
dmt_reader_follow_path(struct dmtrace_reader *reader, const char *path);
enum dmtrace_status
dmt_reader_follow_fd(struct dmtrace_reader *reader, int fd);

enum dmt_follow
dmt_reader_follow_state(const struct dmtrace_reader *reader);

/* Returns how many bytes were read so far, with those of an incomplete packet,
 * from which no row comes yet. */
uint64_t
dmt_reader_follow_read(const struct dmtrace_reader *reader);

/* Returns how often a thread of the key has got another name so far. All rows
 * of a read have the names of the key after it. */
uint64_t
dmt_reader_follow_renames(const struct dmtrace_reader *reader);

/*
 * Reads and counts the remaining records, several times as fast as reading
 * them in a loop. *count need not be initialised.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO or DMTRACE_ERR_STATE;
 * on failure *count is zeroed
 */
enum dmtrace_status
dmt_reader_count(struct dmtrace_reader *reader,
    struct dmt_count *count);

/* dmtrace_writer_set_layout for a layout instead of a version and clock. */
enum dmtrace_status
dmt_writer_set_layout(struct dmtrace_writer *writer,
    const struct dmt_layout *layout);

#endif
