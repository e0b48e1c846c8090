/* dmtrace/select.h - sources: the events of a trace, or a selection of them */
#ifndef DMTRACE_SELECT_H
#define DMTRACE_SELECT_H

#include <dmtrace/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A source is a sequence of events that can be read once. dmtrace_source_new
 * makes a source of all events of a trace, dmtrace_select a source of some
 * events of another one. A source is read by its owner, with
 * dmtrace_source_next or dmtrace_source_read, or passed to one call that reads
 * it: dmtrace_select makes it part of a new source, which frees it; after
 * dmtrace_profile_add or dmtrace_export it can only be freed. A source and its
 * reader are used by one thread at a time.
 */
struct dmtrace_source;

/*
 * Makes a source of all events of an open reader. If events were read from the
 * reader before, the first read of the source returns DMTRACE_ERR_STATE. The
 * reader must live until the source is freed; meanwhile, only the source may
 * read from it. NULL: no memory.
 */
DMTRACE_API struct dmtrace_source *
dmtrace_source_new(struct dmtrace_reader *reader);

/*
 * The conditions of a selection: events that meet all of them are selected. A
 * member that is 0 or NULL is no condition. The lists end with NULL; an event
 * has to match one item of each list. Depths, durations and callers are those
 * in the whole trace, not those among the selected events.
 *
 * A thread is its number, its name, a pattern over names, or several of these
 * with commas between them. A method is a pattern over class.name or
 * class.name(signature), in which / and . of a class match each other. The
 * name of a method that the key does not list is its id, as in 0x40. A function
 * of C, whose class is "native" or a file in square brackets, is its name
 * alone. A pattern is a glob, in which only * and ? are special, or, between
 * two slashes, a POSIX extended regular expression. "!" in front of an item
 * leaves out what the rest matches; in front of a list with commas, of all its
 * threads.
 *
 * Times are nanoseconds of the wall clock if the trace has it, else of each
 * thread's own CPU clock.
 */
struct dmtrace_select_options {
	const char *const *threads;
	const char *const *methods;	/* events of these methods */
	const char *const *under;	/* calls of these methods, and all
					   calls below them */
	const char *const *hidden;	/* no events of these methods, with or
					   without invert */
	uint64_t from_ns;		/* events at or after this time */
	uint64_t to_ns;			/* events before this time; 0: no
					   limit */
	int raw;			/* add no enters and exits for the calls
					   that the window cuts */
	uint32_t first_depth;		/* calls of at least this depth; the
					   outermost has depth 1; 0: 1 */
	uint32_t last_depth;		/* calls of at most this depth; 0: no
					   limit */
	uint64_t min_ns;		/* calls that last at least so long */
	int invert;			/* select the events that do not meet
					   all conditions */
};

/*
 * Makes a source of the selected events of the source from. The new source owns
 * from and frees it. Calls that a window of time cuts are entered at its start
 * and exited at its end, unless raw is set; their CPU time is interpolated, or
 * DMTRACE_NO_TIME if their thread has no event after that edge. With a window
 * or min_ns the events are read twice, and take one bit of memory each; input
 * that can be read only once is copied to a temporary file in TMPDIR, else
 * /tmp.
 *
 * Options are copied; NULL selects all events. The first read of the new source
 * returns DMTRACE_ERR_RANGE if options are malformed (a window that ends before
 * it starts, an invalid regular expression, invert with a window that is not
 * raw), and DMTRACE_ERR_STATE if events of from were read before.
 *
 * Returns NULL if from is NULL; if another source owns from already, which then
 * fails; and if there is no memory, after freeing from.
 */
DMTRACE_API struct dmtrace_source *
dmtrace_select(struct dmtrace_source *from,
    const struct dmtrace_select_options *options);

/* Frees the source and the sources that it was made from, but no reader. NULL
 * is allowed. */
DMTRACE_API void
dmtrace_source_free(struct dmtrace_source *source);

/* The first failure of the source, which it keeps. Belongs to the source. */
DMTRACE_API const struct dmtrace_error *
dmtrace_source_error(const struct dmtrace_source *source);

/*
 * Reads the next event.
 *
 * Returns DMTRACE_OK, DMTRACE_END (no events are left), DMTRACE_ERR_MEMORY,
 * DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED, the status of the reader's open if
 * that failed, or
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH
 *   DMTRACE_ERR_STATE  the reader is not open at its first record, or was
 *                      read by another source or by the program; or the
 *                      source was passed to a call that reads it
 * After a failure, later reads return the same status.
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_next(struct dmtrace_source *source,
    struct dmtrace_event *event);

/*
 * An event with the place of its thread and method in arrays. A source gives
 * every thread number and every method id an index: 0 to the first that it
 * reads, 1 to the next different one, and so on, whether the key lists it or
 * not. The index stays the same as long as the source lives, so that a program
 * can keep what it knows of threads and methods in arrays.
 */
struct dmtrace_row {
	struct dmtrace_event event;
	uint32_t thread_index;
	uint32_t method_index;
	uint32_t depth;		/* of the call; the outermost is 1; 0: an exit
				   that ends no call, or a reserved action */
	uint64_t offset;	/* of the record in its file; 0: the event was
				   added and has no record */
};

/*
 * Reads up to capacity events, at least 1, and sets *count to how many: 0 at
 * the end, and on failure. Depths count the open calls among the events that
 * this function has returned: calls that are not selected, and calls that were
 * entered by events that dmtrace_source_next returned, do not count.
 *
 * Returns what dmtrace_source_next does, but DMTRACE_OK at the end, and
 *   DMTRACE_ERR_RANGE  capacity is 0
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_read(struct dmtrace_source *source,
    struct dmtrace_row *rows, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
