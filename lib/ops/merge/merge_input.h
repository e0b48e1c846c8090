/* merge_input.h - one input of a merge */
#ifndef DMT_OPS_MERGE_INPUT_H
#define DMT_OPS_MERGE_INPUT_H

#include <dmtrace/ops.h>

#include "ops/op.h"
#include "trace/dialect.h"
#include "trace/reader.h"
#include "trace/reader_source.h"

struct dmt_merge_output;

/* Maps the indexes of an input to the output. It is filled from the input's
 * key; threads and methods that the key lacks are added when a record first
 * has them. */
struct dmt_merge_map {
	uint32_t *to;			/* by index: 1 + the thread's number or
					   the method's id; 0: unknown */
	size_t count;
	size_t inputs;			/* that share this map */
};

/* Bytes of all inputs. */
struct dmt_merge_progress {
	uint64_t done;
	uint64_t total;			/* 0: unknown */
};

struct dmt_merge_input {
	struct dmtrace_op *op;
	struct dmt_merge_progress *all;
	const struct dmtrace_merge_input *asked;
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;	/* its events; NULL: owned by a
					   merger */
	struct dmt_indexes *indexes;	/* shared by all inputs, except one in
					   which ids are redefined */
	size_t reported;		/* number of findings reported */
	struct dmt_layout layout;
	struct dmt_header header;
	struct dmt_trace_format format;
	unsigned start_ns;		/* the part of its start below 1 us */
	bool is_file;			/* it can be read again */
	bool comparable;		/* its wall times are comparable across
					   threads */
	bool wide;			/* only wide numbers can hold its times
					   and its ids of threads or methods */
	bool overflowed;		/* its end time is too large */
	bool has_elapsed;
	uint64_t elapsed_us;		/* duration from its start to its end */
	uint64_t piece_id;		/* of the split that made it; 0: it is
					   not a piece */
	uint64_t size;			/* of the file, in bytes; 0: unknown */
	bool has_records;		/* they were counted */
	uint64_t records;
	uint64_t done;			/* bytes read */
	int64_t shift_us;		/* to the output's time line */
	struct dmt_merge_map threads;
	struct dmt_merge_map *methods;	/* may be shared with other inputs */
};

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

/*
 * Opens the trace that input->asked names, and takes the facts of its header
 * and key. Its methods and threads get indexes of indexes, unless ids are
 * redefined. again: its findings were reported by an earlier attempt. Call
 * dmt_merge_input_fini in any case.
 */
enum dmtrace_status
dmt_merge_input_open(struct dmt_merge_input *input,
    struct dmt_indexes *indexes, bool again);

/* Fails the merge with an error of this input. Returns its status. */
enum dmtrace_status
dmt_merge_input_fail(const struct dmt_merge_input *input,
    const struct dmtrace_error *error);

/* Reports the findings that were made since the last call. */
void
dmt_merge_input_report(struct dmt_merge_input *input);

/* Replaces the input's source by a stage that returns records of the output
 * with sort keys for the merger. It is pulled after the output is planned.
 * false: no memory. */
bool
dmt_merge_input_adopt(struct dmt_merge_input *input,
    struct dmt_merge_output *output);

void
dmt_merge_input_fini(struct dmt_merge_input *input);

#endif
