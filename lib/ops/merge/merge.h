/* merge.h - the state of a merge, and the functions of its parts */
#ifndef DMT_OPS_MERGE_H
#define DMT_OPS_MERGE_H

#include <dmtrace/ops.h>

#include "base/arena.h"
#include "ops/op.h"
#include "private/trace.h"
#include "trace/dialect.h"
#include "trace/reader.h"
#include "trace/reader_source.h"

enum {				/* How many thread numbers there are, */
	DMT_MERGE_NUMBERS = 65536,
	DMT_MERGE_NUMBERS_V2 = 1 << 24	/* and in trace format V2 */
};

/* No method of the output has this id: the two low bits of ids are 0. */
#define DMT_MERGE_NO_METHOD 3

/* The last times of a thread of the output. */
struct dmt_merge_last {
	uint64_t cpu_ns;
	uint64_t wall_ns;
};

/* For a union: the last times of the output's threads, and the first time that
 * goes back. */
struct dmt_merge_united {
	struct dmt_indexes indexes;	/* of the output */
	struct dmt_merge_last *lasts;	/* by thread index */
	uint64_t backs;			/* events whose time goes back */
	uint32_t thread;		/* of the first such event */
	bool is_wall;			/* which clock went back */
	uint64_t from_ns, to_ns;
};

/* Maps the indexes of an input to the output. It is filled from the input's
 * key; threads and methods that the key lacks are added when a record first
 * has them. */
struct dmt_merge_map {
	uint32_t *to;			/* by index: 1 + the thread's number or
					   the method's id; 0: unknown */
	size_t count;
	size_t inputs;			/* that share this map */
};

/* One input trace. */
struct dmt_merge_input {
	struct dmt_merge *merge;
	const struct dmtrace_merge_input *asked;
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;	/* its events; NULL: owned by a
					   merger */
	struct dmt_indexes *indexes;	/* shared by all inputs, except one in
					   which ids are redefined */
	size_t reported;		/* number of findings reported */
	struct dmt_layout layout;
	struct dmt_header header;
	bool comparable;		/* its wall times are comparable across
					   threads */
	bool overflowed;		/* its end time is too large */
	bool has_elapsed;
	uint64_t elapsed_us;		/* duration from its start to its end */
	unsigned start_ns;		/* the part of its start below 1 us */
	bool is_file;			/* it can be read again */
	uint64_t piece_id;		/* of the split that made it; 0: it is
					   not a piece */
	uint64_t size;			/* of the file, in bytes; 0: unknown */
	bool has_records;		/* it was counted; see add_inputs */
	uint64_t records;
	struct dmt_trace_format format;
	bool wide;			/* only wide numbers can hold its times
					   and its ids of threads or methods */
	uint64_t done;			/* bytes read */
	int64_t shift_us;		/* to the output's time line */
	struct dmt_merge_map threads;
	struct dmt_merge_map *methods;	/* may be shared with other inputs */
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

/* The output's threads and methods, while inputs are added. */
struct dmt_merge_tables {
	struct dmtrace_key *key;	/* belongs to the writer */
	struct dmt_arena arena;		/* memory for changed names */
	struct dmt_merge_row *rows;
	size_t row_count;
	size_t row_capacity;
	struct dmt_idmap wanted;	/* by id: 1 + the first row that has it
					   in its input */
	uint32_t free_number;		/* all lower numbers are in use */
	uint8_t *used;			/* by number: 1: a row has it; 2:
					   records without a row do */
	uint32_t numbers;		/* number of thread numbers */

	struct dmt_idmap by_hash;	/* by hash of a method: its index in
					   the key */
	uint32_t *next_same;		/* by that index: 1 + the next method
					   of the same hash; 0: no more */
	size_t next_capacity;
	size_t next_method;		/* follows the last one that was
					   found */
	uint64_t free_method;
	struct dmt_idmap unlisted;	/* ids of methods without a row */
	uint64_t renamed;
	uint64_t names_dropped;		/* earlier names of threads */
	uint64_t named;			/* number of methods without a name */
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
	struct dmt_trace_format asked;	/* what the caller asked for; its
					   dialect is NULL if nothing */
	struct dmt_layout layout;	/* of the output */
	struct dmt_merge_tables tables;
	struct dmt_merge_united united;
	unsigned start_ns;		/* the part of the output's start below
					   1 us, for trace format V2 */
	struct dmt_merge_option *common;
	size_t common_count;
	struct dmt_pool pool;		/* the open files of the inputs */
	struct dmt_indexes indexes;	/* of all inputs; without rows */
	struct dmtrace_source *merger;
	uint64_t done, total;		/* bytes; total 0: unknown */
	bool again;			/* the second attempt, with a version
					   above 1 */
	bool too_narrow;		/* the first attempt failed: a thread
					   of the records did not fit in
					   version 1 */
	struct dmtrace_merge_result result;
};

/* Fails the merge with an error of this input. Returns its status. */
enum dmtrace_status
dmt_merge_fail(struct dmt_merge *merge, const struct dmt_merge_input *input,
    const struct dmtrace_error *error);

/* dmt_merge_map_grow adds indexes up to count, which are unknown;
 * dmt_merge_map_set sets what an index is in the output. false: no memory. */
bool
dmt_merge_map_grow(struct dmt_merge_map *map, size_t count);
bool
dmt_merge_map_set(struct dmt_merge_map *map, size_t index, uint32_t to);

static inline uint32_t
dmt_merge_map_get(const struct dmt_merge_map *map, size_t index)
{
	return index < map->count ? map->to[index] : 0;
}

/* merge_input.c: opens the trace. Call dmt_merge_input_fini in any case. */
enum dmtrace_status
dmt_merge_input_open(struct dmt_merge_input *input);

/* Reports the findings that were made since the last call. */
void
dmt_merge_input_report(struct dmt_merge_input *input);

/* Replaces the input's source by a stage that returns records of the output
 * with sort keys for the merger. It is pulled after the output is planned.
 * false: no memory. */
bool
dmt_merge_input_adopt(struct dmt_merge_input *input);

void
dmt_merge_input_fini(struct dmt_merge_input *input);

/* merge_threads.c and merge_methods.c: add the rows of an input's key. */
enum dmtrace_status
dmt_merge_threads_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key);
enum dmtrace_status
dmt_merge_methods_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key);

/* Assigns an id to each thread, after all inputs were added. */
enum dmtrace_status
dmt_merge_threads_place(struct dmt_merge *merge);

/* Fits the ids to the chosen version, and lists the threads in the key. */
enum dmtrace_status
dmt_merge_threads_list(struct dmt_merge *merge);

/* If threads are united: follows the times of the next events of the output,
 * for dmt_merge_threads_check. */
void
dmt_merge_threads_follow(struct dmt_merge *merge,
    const struct dmt_batch *batch);

/*
 * After the last record: checks that no time of a united thread goes back that
 * does not go back in its input.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: a time goes back.
 */
enum dmtrace_status
dmt_merge_threads_check(struct dmt_merge *merge);

void
dmt_merge_united_fini(struct dmt_merge_united *united);

/* Adds a thread or a method that a record has and the input's key does not
 * list, when it is first seen. */
enum dmtrace_status
dmt_merge_thread_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, size_t index);
enum dmtrace_status
dmt_merge_method_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, size_t index);

/* Returns true if the output has wide numbers: the caller asked for them, or
 * an input requires them. */
bool
dmt_merge_is_wide(const struct dmt_merge *merge);

/* Replaces bytes that a name may not contain by "?", and counts such names.
 * false: no memory. */
bool
dmt_merge_mend(struct dmt_merge_tables *tables, struct dmtrace_text *name);

void
dmt_merge_methods_fini(struct dmt_merge_input *input);

void
dmt_merge_tables_fini(struct dmt_merge_tables *tables);

/* merge_options.c: dmt_merge_options_add finds which options an input has in
 * common with earlier inputs; after the planning, dmt_merge_options_list sets
 * those of the output. */
enum dmtrace_status
dmt_merge_options_add(struct dmt_merge *merge,
    struct dmt_merge_input *input, const struct dmtrace_key *key);
enum dmtrace_status
dmt_merge_options_list(struct dmt_merge *merge);

/* Returns true if all inputs so far state their number of records; then the
 * output will, too. */
bool
dmt_merge_options_count(const struct dmt_merge *merge);

/* Sets the number of events in a key that is written after them. */
enum dmtrace_status
dmt_merge_options_set_count(struct dmt_merge *merge);

/* Returns true if all inputs have vm=dalvik. */
bool
dmt_merge_is_dalvik(const struct dmt_merge *merge);

/* rejoin.c: dmtrace_join_pieces as part of an operation that has begun. */
enum dmtrace_status
dmt_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact);

/* merge_plan.c: chooses clocks, version, order, and the time line of each
 * input. */
enum dmtrace_status
dmt_merge_plan(struct dmt_merge *merge);

/* Returns true if the wall times of an input start anew in every thread. */
bool
dmt_merge_is_global(const struct dmt_merge *merge);

#endif
