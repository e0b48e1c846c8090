/* merge.h - one merge, and the parts that it is made of */
#ifndef DMT_OPS_MERGE_H
#define DMT_OPS_MERGE_H

#include <dmtrace/merge.h>
#include <sys/types.h>

#include "base/arena.h"
#include "data/unwrap.h"
#include "ops/op.h"
#include "ops/remap.h"
#include "ops/interleave.h"
#include "trace/reader.h"

enum {
	DMT_MERGE_NUMBERS = 65536,	/* that a thread can have */
	DMT_MERGE_PAGE = 256		/* of them that come together */
};

/* What one thread number of an input's records is. */
struct dmt_merge_thread {
	struct dmt_clocks clocks;
	uint32_t to;			/* 1 + the number in the output; 0:
					   not known yet */
};

/* For a union: the last times of the output's threads, and where a thread's
 * time goes back. */
struct dmt_merge_united {
	struct dmt_clocks *clocks;	/* by number */
	uint64_t backs;			/* events whose time does */
	uint32_t thread;		/* of the first of them */
	bool is_wall;			/* the clock */
	uint64_t from_us, to_us;
};

/* A kind of oddity, how often it came and where first. */
struct dmt_merge_odd {
	uint64_t count;
	uint64_t at;
	uint32_t thread;
};

/* The bits of enum dmt_oddity. */
enum { DMT_MERGE_BACK = 1, DMT_MERGE_WRAPPED = 2, DMT_MERGE_ODDITIES = 3 };

/* One trace. Its records are read from fd, or from reader if they cannot be
 * read again from a file. */
struct dmt_merge_input {
	const struct dmtrace_merge_input *asked;
	struct dmtrace_layout layout;
	struct dmtrace_header header;
	bool comparable;		/* its wall times, across threads */
	bool overflowed;		/* its end is lost */
	bool has_elapsed;
	uint64_t elapsed_us;		/* from its start to its end */
	bool ended;
	size_t partial;			/* bytes behind its last record */
	struct dmtrace_reader *reader;
	char *path;
	dev_t device;			/* of the file at path */
	ino_t inode;
	int fd;				/* -1: not open now */
	uint64_t used;			/* when fd was, for the pool */
	uint64_t offset;		/* of the next record in its file */
	uint64_t size;			/* of that file; 0: not known */
	int64_t shift_us;		/* to the output's time line */

	struct dmt_remap methods;
	/* By number; NULL: none of the page was seen. */
	struct dmt_merge_thread *pages[DMT_MERGE_NUMBERS / DMT_MERGE_PAGE];
	struct dmt_merge_odd odd[DMT_MERGE_ODDITIES];

	/* Records, each with its key: the wall time in the output, or that of
	 * an earlier one if it is later. Plain ones are as they were read, for
	 * their times neither fall nor wrap; others are those of the output. */
	uint8_t *records;
	uint32_t *keys;			/* of those that are not plain */
	bool plain;
	size_t head;			/* the first that is left */
	size_t count;			/* with those before head */
	uint32_t last_us;		/* the key of the last one that was
					   made a record of the output */
};

/* NULL: it is not known. */
static inline struct dmt_merge_thread *
dmt_merge_thread_find(const struct dmt_merge_input *input, size_t number)
{
	struct dmt_merge_thread *const page =
	    input->pages[number / DMT_MERGE_PAGE];

	return page == NULL || page[number % DMT_MERGE_PAGE].to == 0 ? NULL :
	    &page[number % DMT_MERGE_PAGE];
}

/* A thread's row, of an input and, unless it is the same as another, of the
 * output. */
struct dmt_merge_row {
	struct dmt_merge_input *input;
	struct dmtrace_text name;
	uint32_t number;		/* of the input's records */
	uint32_t id;			/* of the output, once it is placed */
	size_t same;			/* the row that it is; itself if new */
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
	uint8_t used[DMT_MERGE_NUMBERS];	/* 1: a row has it, 2: records
					   that no row is for */

	struct dmt_idmap by_hash;	/* of a method: its index in the key */
	uint32_t *next_same;		/* by that index: 1 + the next of the
					   same hash, 0: no more */
	size_t next_capacity;
	size_t next_method;		/* behind the one found last */
	uint64_t free_method;
	struct dmt_idmap unlisted;	/* ids of methods without a row */
	uint64_t renamed;
	uint64_t named;			/* methods without a name */
	bool mends;			/* names of the last input are not as
					   they were */
};

/* An option that all inputs so far have; see merge_options.c. */
struct dmt_merge_option;

struct dmt_merge_pool {
	struct dmt_merge_input **open;
	size_t count;
	size_t most;
	uint64_t now;
	uint8_t *buffer;		/* for the plain records of one input */
};

struct dmt_merge {
	struct dmtrace_op *op;
	const struct dmtrace_file *out_file;
	struct dmtrace_merge_options options;
	struct dmt_merge_input *inputs;
	size_t count;
	struct dmtrace_writer *writer;
	struct dmtrace_layout layout;	/* of the output */
	struct dmt_legacy legacy;	/* of the last input, while others are
					   added */
	struct dmt_merge_tables tables;
	struct dmt_merge_united united;
	struct dmt_merge_option *common;
	size_t common_count;
	struct dmt_merge_pool pool;
	size_t chunk;			/* records that an input holds */
	uint64_t done, total;		/* bytes; total 0: not known */
	bool again;			/* the second try, with version 2 */
	bool too_narrow;		/* the first failed for want of it */
	struct dmtrace_merge_result result;
};

/* The failure is about this input. */
enum dmtrace_status
dmt_merge_fail(struct dmt_merge *merge, const struct dmt_merge_input *input,
    const struct dmtrace_error *error);

/* merge_input.c: opens the trace for its key and header: to be ended by
 * dmt_merge_input_fini. reader is freed by the caller, unless the input keeps
 * it for its records. */
enum dmtrace_status
dmt_merge_input_open(struct dmt_merge *merge, struct dmt_merge_input *input,
    struct dmtrace_reader *reader);
void
dmt_merge_input_fini(struct dmt_merge_input *input);

/* Reads the next whole records, at most most of them. *count is 0 at the
 * end. */
enum dmtrace_status
dmt_merge_input_read(struct dmt_merge *merge, struct dmt_merge_input *input,
    uint8_t *records, size_t most, size_t *count);

/* Tells what was odd about the records. */
void
dmt_merge_input_tell(struct dmt_merge *merge, struct dmt_merge_input *input);

/* merge_threads.c and merge_methods.c: adds the rows of an input's key. */
enum dmtrace_status
dmt_merge_threads_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key);
enum dmtrace_status
dmt_merge_methods_add(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmtrace_key *key);

/* All inputs are there: gives each thread its id. */
enum dmtrace_status
dmt_merge_threads_place(struct dmt_merge *merge);

/* The version is chosen: fits the ids to it, and lists them in the key. */
enum dmtrace_status
dmt_merge_threads_list(struct dmt_merge *merge);

/* The next records of the output, in their order. */
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

/* A thread, a method of the input's records that its key does not list. */
enum dmtrace_status
dmt_merge_thread_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, uint32_t number);
enum dmtrace_status
dmt_merge_method_extend(struct dmt_merge *merge,
    struct dmt_merge_input *input, uint64_t id);

/* A name with '?' for bytes that none may hold; counts it then. false: no
 * memory. */
bool
dmt_merge_mend(struct dmt_merge_tables *tables, struct dmtrace_text *name);

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

/* All inputs say vm=dalvik. */
bool
dmt_merge_is_dalvik(const struct dmt_merge *merge);

/* merge_plan.c: clocks, version, order, and the time line of each input. */
enum dmtrace_status
dmt_merge_plan(struct dmt_merge *merge);

/* The wall times of an input start anew in every thread. */
bool
dmt_merge_is_global(const struct dmt_merge *merge);

/*
 * merge_load.c: fills the input's chunk behind what is left of it. Nothing is
 * left at the end.
 */
enum dmtrace_status
dmt_merge_load(struct dmt_merge *merge, struct dmt_merge_input *input);

/* Makes the plain records that are left those of the output. */
enum dmtrace_status
dmt_merge_make(struct dmt_merge *merge, struct dmt_merge_input *input);

/* Records of an input, and where those of the output go, with their keys. */
struct dmt_merge_run {
	const uint8_t *in;
	size_t count;
	uint64_t at;			/* of the first one in its file */
	uint8_t *out;
	uint32_t *keys;
};

/* merge_make.c: makes records of the output. */
enum dmtrace_status
dmt_merge_convert(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmt_merge_run *run);

/* merge_place.c: the same for the next count plain ones, each of which goes to
 * its place in out, and is left no more. */
enum dmtrace_status
dmt_merge_place(struct dmt_merge *merge, struct dmt_merge_input *input,
    size_t count, const struct dmt_places *places, uint8_t *out);

/* merge_order.c: all records to the writer, in their order. */
enum dmtrace_status
dmt_merge_records(struct dmt_merge *merge);

#endif
