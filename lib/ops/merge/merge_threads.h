/* merge_threads.h - the threads of a merged trace */
#ifndef DMT_OPS_MERGE_THREADS_H
#define DMT_OPS_MERGE_THREADS_H

#include "base/arena.h"
#include "base/idmap.h"
#include "ops/merge/merge_input.h"

enum {				/* How many thread numbers there are, */
	DMT_MERGE_NUMBERS = 65536,
	DMT_MERGE_NUMBERS_V2 = 1 << 24	/* and in trace format V2 */
};

/* A row of the thread table of an input. It becomes a row of the output unless
 * it is united with an earlier one. */
struct dmt_merge_row {
	struct dmt_merge_input *input;
	struct dmtrace_text name;
	size_t index;			/* in the input's table */
	uint32_t id;			/* in the output, once assigned */
	size_t same;			/* the earlier row that it is united
					   with, else its own index */
	size_t next;			/* 1 + the next row that has the same
					   id in its input; 0: no more */
	bool placed;
};

struct dmt_merge_threads {
	struct dmtrace_op *op;
	struct dmt_arena *arena;	/* memory for changed names */
	enum dmtrace_merge_threads mode;
	bool prefix_shared;		/* only names that inputs share get a
					   prefix */
	const struct dmt_layout *layout;	/* of the output, once it is
						   planned */
	struct dmt_merge_row *rows;
	size_t row_count;
	size_t row_capacity;
	struct dmt_idmap wanted;	/* by id: 1 + the first row that has it
					   in its input */
	uint32_t free_number;		/* all lower numbers are in use */
	uint32_t first;			/* lower numbers are not used */
	struct dmt_idmap used;		/* by number: 1: a row has it; 2:
					   records without a row do */
	uint32_t numbers;		/* number of thread numbers */
	bool too_narrow;		/* a thread did not fit the layout */
	uint64_t renamed;		/* names that were changed */
	uint64_t names_dropped;		/* earlier names of threads */
	uint64_t prefixed;
};

/* mode and prefix_shared as in the options; first: lower numbers are not used.
 */
void
dmt_merge_threads_init(struct dmt_merge_threads *threads,
    struct dmtrace_op *op, struct dmt_arena *arena,
    const struct dmtrace_merge_options *options, uint32_t first);
void
dmt_merge_threads_fini(struct dmt_merge_threads *threads);

/* Adds the rows of an input's key. */
enum dmtrace_status
dmt_merge_threads_add(struct dmt_merge_threads *threads,
    struct dmt_merge_input *input);

/* After all inputs were added: gives each thread a number below numbers, and
 * sets *highest to the highest one. */
enum dmtrace_status
dmt_merge_threads_place(struct dmt_merge_threads *threads, uint32_t numbers,
    uint32_t *highest);

/* Fits the numbers to the layout, which stays as long as threads, and lists
 * the threads in the key. */
enum dmtrace_status
dmt_merge_threads_list(struct dmt_merge_threads *threads,
    const struct dmt_layout *layout, struct dmtrace_key *key);

/* Adds a thread that a record has and the input's key does not list, when it
 * is first seen. */
enum dmtrace_status
dmt_merge_threads_extend(struct dmt_merge_threads *threads,
    struct dmt_merge_input *input, size_t index);

#endif
