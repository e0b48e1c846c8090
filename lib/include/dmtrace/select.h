/* dmtrace/select.h - the events of a trace, selected and in order */
#ifndef DMTRACE_SELECT_H
#define DMTRACE_SELECT_H

#include <dmtrace/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A source hands out events, once. dmtrace_source_new makes one that has all
 * events of a trace, dmtrace_select one that leaves events out. The events go
 * to the caller, or to one call that takes the source: dmtrace_select makes it
 * part of a new source, which frees it; after dmtrace_profile_add and
 * dmtrace_export it can only be freed. A source is used by one thread at a
 * time, together with its reader.
 */
struct dmtrace_source;

/*
 * The events of an open reader, of which no event was read yet (else the
 * first read is DMTRACE_ERR_STATE). The reader must live until the source is
 * freed, and must not be read by others. NULL: no memory.
 */
DMTRACE_API struct dmtrace_source *
dmtrace_source_new(struct dmtrace_reader *reader);

/*
 * Which events to select: those that meet every condition. A member that is 0
 * or NULL means no condition. The lists end with NULL; an event has to match
 * one item of each list. Conditions are judged on the whole trace: its depths,
 * durations and callers.
 *
 * A thread is its number, its name, a glob over names (only * and ? are
 * special), or several of these with commas between them. A method is a glob
 * over class.name or class.name(signature), in which / and . of a class match
 * each other; or, between two slashes, a POSIX extended regular expression; or
 * the id of a method that the key does not list, as in 0x40. A function of C,
 * whose class is "native" or a file in square brackets, is its name alone.
 *
 * Times are nanoseconds of the wall clock if the trace has it, else of each
 * thread's own CPU clock.
 */
struct dmtrace_select_options {
	const char *const *threads;
	const char *const *methods;	/* events of these methods */
	const char *const *under;	/* calls of these methods, and all
					   calls below them */
	const char *const *hidden;	/* never events of these methods, also
					   with invert */
	uint64_t from_ns;		/* events from this time on, */
	uint64_t to_ns;			/* and before this; 0: to the end */
	int raw;			/* do not enter and exit the calls that
					   the window cuts */
	uint32_t first_depth;		/* calls from this depth, the outermost
					   is 1; 0: 1 */
	uint32_t last_depth;		/* to this depth; 0: any */
	uint64_t min_ns;		/* calls that last at least so long */
	int invert;			/* the events that do not meet them */
};

/*
 * The selected events of another source, which belongs to the new one from
 * here on: only the new one is freed. Calls that a window cuts are entered
 * at its start and exited at its end, unless the window is raw. A window or
 * min_ns takes two passes, and a bit of memory for each event: input that
 * cannot be read twice is copied to a temporary file in TMPDIR, else /tmp.
 *
 * Options are copied; NULL selects all. If they are malformed (a window that
 * ends before it starts, an invalid regular expression, invert with a window
 * that is not raw), the first read returns DMTRACE_ERR_RANGE; if events of from
 * were read before, DMTRACE_ERR_STATE.
 *
 * NULL: from is NULL, or belongs to another source already, which then fails;
 * or there is no memory: then from is freed.
 */
DMTRACE_API struct dmtrace_source *
dmtrace_select(struct dmtrace_source *from,
    const struct dmtrace_select_options *options);

/* Frees the source and those it was made from, but no reader. NULL is
 * allowed. */
DMTRACE_API void
dmtrace_source_free(struct dmtrace_source *source);

/* The first failure; belongs to the source. */
DMTRACE_API const struct dmtrace_error *
dmtrace_source_error(const struct dmtrace_source *source);

/*
 * Reads the next event.
 *
 * Returns DMTRACE_OK, DMTRACE_END when there is none left, DMTRACE_ERR_MEMORY,
 * DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED, the failure of the open of its reader,
 * or
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH
 *   DMTRACE_ERR_STATE  the reader is not open at its first record, or was
 *                      read by another source or by the program; or a call
 *                      has taken the source
 * A source that has failed fails for good.
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_next(struct dmtrace_source *source,
    struct dmtrace_event *event);

/*
 * An event, and what its source knows of it. An index stands for a thread
 * number or a method id as long as the source lives: the first one that is
 * read has 0, the next other one 1, and so on, listed in the key or not. What
 * is known of threads and methods fits an array by index.
 */
struct dmtrace_row {
	struct dmtrace_event event;
	uint32_t thread_index;
	uint32_t method_index;
	uint32_t depth;		/* of its call, the outermost is 1; 0: it is
				   an exit that ends no call, or reserved */
	uint64_t offset;	/* of its record in its file; 0: it has none */
};

/*
 * Reads up to capacity events, at least 1, and sets *count: 0 at the end, and
 * on failure. Depths are those of calls among the events that the source hands
 * out; those that dmtrace_source_next has read are not counted.
 *
 * Returns what that does, but DMTRACE_OK at the end, and
 *   DMTRACE_ERR_RANGE  capacity is 0
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_read(struct dmtrace_source *source,
    struct dmtrace_row *rows, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
