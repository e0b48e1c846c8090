/* merge.h - one merge, and the parts that it is made of */
#ifndef DMT_OPS_MERGE_H
#define DMT_OPS_MERGE_H

#include <dmtrace/ops.h>

#include "base/arena.h"
#include "data/unwrap.h"
#include "ops/op.h"
#include "private/trace.h"
#include "trace/reader.h"

enum {				/* numbers of threads, */
	DMT_MERGE_NUMBERS = 65536,
	DMT_MERGE_NUMBERS_V2 = 1 << 24	/* and in trace format V2 */
};

/* No method of the output has this id: ids end in two bits of 0. */
#define DMT_MERGE_NO_METHOD 3

/* The last times of a thread in trace format V2, in nanoseconds. */
struct dmt_merge_last {
	uint64_t cpu_ns;
	uint64_t wall_ns;
};

/* For a union: the last times of the output's threads, and where a thread's
 * time goes back. */
struct dmt_merge_united {
	struct dmt_clocks *clocks;	/* by number; but in V2: */
	struct dmt_idmap by_number;	/* indexes of lasts */
	struct dmt_merge_last *lasts;
	size_t last_count;
	size_t last_capacity;
	uint64_t backs;			/* events whose time does */
	uint32_t thread;		/* of the first of them */
	bool is_wall;			/* the clock */
	uint64_t from, to;		/* microseconds, in V2 nanoseconds */
};

/* From the indexes of an input to the output. The input's key fills it; what
 * the key lacks is added when a record first has it. */
struct dmt_merge_map {
	uint32_t *to;			/* 1 + the thread's number, 1 + the
					   method's id; 0: not known yet */
	size_t count;
	size_t inputs;			/* that share it */
};

/* One trace. */
struct dmt_merge_input {
	struct dmt_merge *merge;
	const struct dmtrace_merge_input *asked;
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;	/* its events; NULL: a merger has it */
	struct dmt_indexes *indexes;	/* of all inputs, unless ids change
					   their meaning in this one */
	size_t reported;		/* so many findings were */
	struct dmt_layout layout;
	struct dmt_header header;
	bool comparable;		/* its wall times, across threads */
	bool overflowed;		/* its end is lost */
	bool has_elapsed;
	uint64_t elapsed_us;		/* from its start to its end */
	unsigned start_ns;		/* of its start, less than 1 us */
	bool is_file;			/* it can be read once more */
	uint64_t size;			/* bytes; 0: not known */
	bool has_records;		/* it is counted; see add_inputs */
	uint64_t records;
	const struct dmt_v2_form *v2;	/* of trace format V2, else NULL */
	bool needs_v2;			/* nothing older holds it */
	uint64_t done;			/* bytes */
	int64_t shift_us;		/* to the output's time line */
	struct dmt_merge_map threads;
	struct dmt_merge_map *methods;	/* of other inputs, too */
};

/* A thread's row, of an input and, unless it is the same as another, of the
 * output. */
struct dmt_merge_row {
	struct dmt_merge_input *input;
	struct dmtrace_text name;
	size_t index;			/* of the input's threads */
	uint32_t id;			/* of the output, once it is placed */
	size_t same;			/* the earlier row that it is united
					   with; its own index if none */
	size_t next;			/* of the rows that wanted that id: 1 +
					   index, 0: no more */
	bool placed;
};

/* The output's threads and methods, while inputs are added. */
struct dmt_merge_tables {
	struct dmtrace_key *key;	/* the writer's */
	struct dmt_arena arena;		/* names of threads, and mended ones */
	struct dmt_merge_row *rows;
	size_t row_count;
	size_t row_capacity;
	struct dmt_idmap wanted;	/* by id: 1 + the first row */
	uint32_t free_number;		/* none below it is free */
	uint8_t *used;			/* by number, 1: a row has it, 2:
					   records that no row is for */
	uint32_t numbers;		/* that the output can have */

	struct dmt_idmap by_hash;	/* of a method: its index in the key */
	uint32_t *next_same;		/* by that index: 1 + the next of the
					   same hash, 0: no more */
	size_t next_capacity;
	size_t next_method;		/* after the one found last */
	uint64_t free_method;
	struct dmt_idmap unlisted;	/* ids of methods without a row */
	uint64_t renamed;
	uint64_t named;			/* methods without a name */
};

/* An option that all inputs so far have; see merge_options.c. */
struct dmt_merge_option;

struct dmt_merge {
	struct dmtrace_op *op;
	const struct dmtrace_file *out_file;
	struct dmtrace_merge_options options;
	struct dmt_merge_input *inputs;
	size_t count;
	struct dmtrace_writer *writer;
	struct dmt_layout layout;	/* of the output */
	struct dmt_merge_tables tables;
	struct dmt_merge_united united;
	unsigned start_ns;		/* of the output's start, less than 1
					   us: trace format V2 has them */
	struct dmt_merge_option *common;
	size_t common_count;
	struct dmt_pool pool;		/* the files of the inputs */
	struct dmt_indexes indexes;	/* of inputs; without rows */
	struct dmtrace_source *merger;
	uint64_t done, total;		/* bytes; total 0: not known */
	bool again;			/* the second try, not with version 1 */
	bool too_narrow;		/* the first failed: a thread of the
					   records did not fit version 1 */
	struct dmtrace_merge_result result;
};

/* Fails the merge with an error of this input. Returns its status. */
enum dmtrace_status
dmt_merge_fail(struct dmt_merge *merge, const struct dmt_merge_input *input,
    const struct dmtrace_error *error);

/* grow makes room for count indexes, of which the new ones are not known yet;
 * set says what an index is in the output. false: no memory. */
bool
dmt_merge_map_grow(struct dmt_merge_map *map, size_t count);
bool
dmt_merge_map_set(struct dmt_merge_map *map, size_t index, uint32_t to);

static inline uint32_t
dmt_merge_map_get(const struct dmt_merge_map *map, size_t index)
{
	return index < map->count ? map->to[index] : 0;
}

/* merge_input.c: opens the trace, which is ended by dmt_merge_input_fini. */
enum dmtrace_status
dmt_merge_input_open(struct dmt_merge_input *input);

/* Reports the findings of the input that came since the last call. */
void
dmt_merge_input_report(struct dmt_merge_input *input);

/* Replaces the input's source by a stage that hands out records of the output,
 * with an order for a merger. It is pulled once the plan is made. false: no
 * memory. */
bool
dmt_merge_input_adopt(struct dmt_merge_input *input);

void
dmt_merge_input_fini(struct dmt_merge_input *input);

/* merge_threads.c and merge_methods.c: adds the rows of an input's key. */
enum dmtrace_status
dmt_merge_threads_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key);
enum dmtrace_status
dmt_merge_methods_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key);

/* Gives each thread its id, when all inputs are there. */
enum dmtrace_status
dmt_merge_threads_place(struct dmt_merge *merge);

/* The version is chosen: fits the ids to it, and lists them in the key. */
enum dmtrace_status
dmt_merge_threads_list(struct dmt_merge *merge);

/* If threads are united: follows the times of the next records of the output,
 * for dmt_merge_threads_check. */
enum dmtrace_status
dmt_merge_threads_follow(struct dmt_merge *merge, const uint8_t *records,
    size_t count);

/*
 * After the last record: where threads of several inputs are one, no time of
 * it may go back that does not in its input.
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: one does.
 */
enum dmtrace_status
dmt_merge_threads_check(struct dmt_merge *merge);

void
dmt_merge_united_fini(struct dmt_merge_united *united);

/* A thread or a method of the input's records that its key does not list,
 * which is now seen for the first time. */
enum dmtrace_status
dmt_merge_thread_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, size_t index);
enum dmtrace_status
dmt_merge_method_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, size_t index);

/* Whether the output is trace format V2, since an input needs it. */
bool
dmt_merge_is_v2(const struct dmt_merge *merge);

/* Replaces bytes that no name may hold by "?", and counts the name then. false:
 * no memory. */
bool
dmt_merge_mend(struct dmt_merge_tables *tables, struct dmtrace_text *name);

void
dmt_merge_methods_fini(struct dmt_merge_input *input);

void
dmt_merge_tables_fini(struct dmt_merge_tables *tables);

/* merge_options.c: what an input's option lines say, and which of them it has
 * in common with earlier inputs; then, the plan being made, those of the
 * output. */
enum dmtrace_status
dmt_merge_options_add(struct dmt_merge *merge,
    struct dmt_merge_input *input, const struct dmtrace_key *key);
enum dmtrace_status
dmt_merge_options_list(struct dmt_merge *merge);

/* Whether all inputs so far say how many records they have; then the output
 * will, too. */
bool
dmt_merge_options_count(const struct dmt_merge *merge);

/* Sets how many events there are, in a key that is written after them. */
enum dmtrace_status
dmt_merge_options_set_count(struct dmt_merge *merge);

/* Whether all inputs say vm=dalvik. */
bool
dmt_merge_is_dalvik(const struct dmt_merge *merge);

/* merge_plan.c: clocks, version, order, and the time line of each input. */
enum dmtrace_status
dmt_merge_plan(struct dmt_merge *merge);

/* Whether the wall times of an input start anew in every thread. */
bool
dmt_merge_is_global(const struct dmt_merge *merge);

#endif
