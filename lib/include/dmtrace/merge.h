/* dmtrace/merge.h - several traces to one */
#ifndef DMTRACE_MERGE_H
#define DMTRACE_MERGE_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of the threads' ids. Threads of different traces stay two. */
enum dmtrace_merge_threads {
	DMTRACE_THREADS_KEEP = 0,	/* the id, if no earlier trace has it,
					   else the lowest that is free */
	DMTRACE_THREADS_RENUMBER = 1,	/* 1, 2, 3, as they are listed */
	DMTRACE_THREADS_UNION = 2	/* as KEEP, but those of the same id
					   and name are one thread */
};

/* How the wall times of one trace relate to those of another. */
enum dmtrace_merge_align {
	DMTRACE_ALIGN_AUTO = 0,		/* START if it can be, else ZERO */
	DMTRACE_ALIGN_START = 1,	/* by the headers' start times */
	DMTRACE_ALIGN_ZERO = 2,		/* all traces began at one moment */
	DMTRACE_ALIGN_NONE = 3		/* nobody knows: they are not compared,
					   and stay as they are */
};

/* One trace to merge. */
struct dmtrace_merge_input {
	struct dmtrace_file file;	/* as dmtrace_reader_open_path or _fd
					   takes it */
	const char *prefix;		/* before its threads' names, with a
					   colon; NULL: nothing */
	int64_t offset_ns;		/* added to its wall times, or where
					   there are none to its CPU times;
					   whole microseconds */
};

/* dmtrace_merge_options_init sets: any version, KEEP, AUTO, no flags. */
struct dmtrace_merge_options {
	size_t size;		/* sizeof(struct dmtrace_merge_options) */
	unsigned version;	/* 1 to 3; 0: 3 for two clocks, else 1 if the
				   threads' ids fit it, else 2 */
	enum dmtrace_merge_threads threads;
	enum dmtrace_merge_align align;
	unsigned flags;		/* DMTRACE_SYNC */
};

DMTRACE_API void
dmtrace_merge_options_init(struct dmtrace_merge_options *options);

/* What was done. */
struct dmtrace_merge_result {
	size_t size;		/* set by the caller:
				   sizeof(struct dmtrace_merge_result) */
	uint64_t events;
	unsigned version;
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL */
	int by_time;		/* events are in the order of their wall times;
				   0: one input behind the other */
	enum dmtrace_merge_align align;	/* NONE: no time was moved by it */
	uint64_t late;		/* events that an input had behind later ones:
				   they were left there */
	uint64_t cpu_dropped;	/* events that lost their CPU time, */
	uint64_t wall_dropped;	/* or their wall time: others have none */
	uint64_t renamed;	/* names with bytes that none may hold, or that
				   other columns need: '?' is written */
	uint64_t named;		/* methods without a name: their id in the
				   output is one, and their class "?" if it is
				   missing, too */
};

/*
 * Merges count traces, of any versions and containers, into out. Methods of
 * the same class, name, signature, file and line become one. Options that all
 * traces have in common stay. All inputs are read at once, each through at
 * most 1 MB; files are opened again as needed, so that few are open at a
 * time. An input that has a path and is a regular file must not change
 * meanwhile.
 *
 * Events are in the order of their wall times if these can be compared
 * (dmtrace.5, TIMES), those of the same microsecond in the order of the
 * inputs; the order within one input never changes.
 *
 * result may be NULL; after a failure it is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, what dmtrace_reader_open_path does, or
 *   DMTRACE_ERR_RANGE    no input; an option has no such value; more than
 *                        65,535 threads; a thread or a time does not fit the
 *                        version
 *   DMTRACE_ERR_FOREIGN  the traces have no clock in common, or START is
 *                        asked for and their start times cannot be compared
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_merge(struct dmtrace_op *op, const struct dmtrace_merge_input *inputs,
    size_t count, const struct dmtrace_file *out,
    const struct dmtrace_merge_options *options,
    struct dmtrace_merge_result *result);

#ifdef __cplusplus
}
#endif

#endif
