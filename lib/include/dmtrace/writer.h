/* dmtrace/writer.h - write traces */
#ifndef DMTRACE_WRITER_H
#define DMTRACE_WRITER_H

#include <dmtrace/key.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A writer is used by one thread at a time; two of them share nothing. The
 * order of calls is: new, settings, open, write, close, free. A call out of
 * order, or with NULL for the object or for an argument that must not be NULL,
 * returns DMTRACE_ERR_STATE, and the error's message names the call.
 */
struct dmtrace_writer;

/* Where bytes go that the caller takes. write takes up to len bytes and returns
 * how many, at least 1, or -1 on failure with errno set. It is called again
 * after EINTR. Any other number is a failure, too. */
struct dmtrace_output {
	ptrdiff_t (*write)(void *context, const void *bytes, size_t len);
	void *context;
};

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
 * left; a child after fork leaves it to its parent. NULL is allowed. */
DMTRACE_API void
dmtrace_writer_free(struct dmtrace_writer *writer);

/* The first failure of a writer or its key. Belongs to the writer. */
DMTRACE_API const struct dmtrace_error *
dmtrace_writer_error(const struct dmtrace_writer *writer);

/*
 * Settings, before the open. set_layout: the version of the trace, 1 to 3, and
 * the times of its events; the default is version 3 with DMTRACE_CLOCK_DUAL,
 * which needs version 3. set_dialect: the same for every dialect; with
 * DMTRACE_CLOCK_MISSING both times, or wall times where there is room for one;
 * from DMTRACE_DIALECT_F2 on, methods of events are written without their line,
 * as by ART. set_start: the start time as stored in versions 1 to 3, most often
 * microseconds since 1970 (enum dmtrace_start_kind), 0 by default; after
 * dmtrace_writer_set_like it replaces that of the reader, and the close fails
 * if the header has no room for it. set_sync: force the files to the disk
 * before they get their names. set_strict: refuse events that readers would
 * misread (dmtrace_writer_write).
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
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_strict(struct dmtrace_writer *writer, int strict);

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
 * old one; of a pair, the data is first. It is where path was at the open, also
 * if the program changes its folder since. Devices and pipes are written
 * directly. A descriptor and functions stay the caller's; the memory of
 * open_memory is the writer's (dmtrace_writer_memory).
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, or
 *   DMTRACE_ERR_IO           the file, or a temporary file beside it, cannot be
 *                            made
 *   DMTRACE_ERR_UNSUPPORTED  a pair, which only V1 to V3 can be
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
 * Writes count events, or none of them. Times are cut to whole microseconds,
 * except in stages E and F of ART trace format V2; a time that the layout has
 * no field for is ignored.
 *
 * Events are not compared with earlier ones: a time may be lower than the last
 * one of its thread, and an exit may be of a call that is not the innermost
 * one, or of none. They are written as they are, and close returns DMTRACE_OK,
 * but dmtrace_validate reports errors: time-back, exit-mismatch, exit-stray.
 * Traceview and Android Studio refuse a trace with such exits; Firefox Profiler
 * and Perfetto end the innermost call, whatever the method is. No reader
 * refuses times that go back, but durations are wrong. dmtrace_repair corrects
 * both. After dmtrace_writer_set_strict such events are refused at the call, as
 * are reserved actions, and threads and methods that were not added before. The
 * message names the thread and the method, the time of the event and that of
 * the last one of the thread, and what was expected.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, DMTRACE_ERR_IO,
 * or
 *   DMTRACE_ERR_RANGE  a thread number, method id or time does not fit its
 *                      field; an id is not a multiple of 4; a time of the
 *                      layout is DMTRACE_NO_TIME; the action is unknown
 *   DMTRACE_ERR_EVENT  the writer is strict: see above
 *   DMTRACE_ERR_LIMIT  the writer is strict: more than 1,048,576 calls of a
 *                      thread are open
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_write(struct dmtrace_writer *writer,
    const struct dmtrace_event *events, size_t count);

/* Write one event, with the same time for each clock. Return what
 * dmtrace_writer_write does, and DMTRACE_ERR_RANGE for a thread or a method
 * that was not added before, if the writer is not strict. */
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
 * the status of the first call that failed, or
 *   DMTRACE_ERR_RANGE  see dmtrace_writer_complete; or the options, or the row
 *                      of a thread or a method, do not fit a packet
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_close(struct dmtrace_writer *writer);

/* How many times of events a strict writer has cut to whole microseconds,
 * because its dialect does not store nanoseconds: those of stages E and F of
 * ART trace format V2 do. 0 if the writer is not strict. */
DMTRACE_API uint64_t
dmtrace_writer_rounded(const struct dmtrace_writer *writer);

/* The bytes of open_memory after the close, *len of them. They belong to the
 * writer and live until it is freed. NULL, and *len 0: no bytes. */
DMTRACE_API const void *
dmtrace_writer_memory(const struct dmtrace_writer *writer, size_t *len);

#ifdef __cplusplus
}
#endif

#endif
