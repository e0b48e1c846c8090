/* dmtrace/ops.h - what can be done with whole traces */
#ifndef DMTRACE_OPS_H
#define DMTRACE_OPS_H

#include <dmtrace/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The context of an operation: it keeps the failure, and knows which functions
 * to call for findings and progress. It can be used for one operation after
 * another, by one thread at a time.
 */
struct dmtrace_op;

/* NULL: no memory. */
DMTRACE_API struct dmtrace_op *
dmtrace_op_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_op_free(struct dmtrace_op *op);

/* The failure of the last operation; belongs to the op. */
DMTRACE_API const struct dmtrace_error *
dmtrace_op_error(const struct dmtrace_op *op);

/* The file of that failure; NULL: of no file. Belongs to the op. */
DMTRACE_API const struct dmtrace_file *
dmtrace_op_error_file(const struct dmtrace_op *op);

/*
 * Names the function to call for each finding, in the thread of the operation;
 * NULL: none. It holds for all later operations. Operations on a reader leave
 * findings to that reader, if their description says so.
 */
DMTRACE_API void
dmtrace_op_set_report(struct dmtrace_op *op, dmtrace_finding_fn *report,
    void *context);

/* Names the function to call with the progress; NULL: none. It holds for all
 * later operations. */
DMTRACE_API void
dmtrace_op_set_progress(struct dmtrace_op *op, dmtrace_progress_fn *progress,
    void *context);

/* Flags of dmtrace_join and dmtrace_split. */
enum {
	DMTRACE_JOIN_EXACT = 1,		/* join bytes as they are: add no LF
					   after "*end"; halves of different
					   traces are only a finding */
	DMTRACE_JOIN_FORCE = 2,		/* join also what is not a pair */
	DMTRACE_NO_REPLACE = 4,		/* fail if an output exists */
	DMTRACE_SYNC = 8		/* force outputs to the disk */
};

/*
 * Splits a joined trace into its halves, byte for byte, whatever the version
 * of the data: the key up to and with "*end" and its line end, then the rest.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_LIMIT,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE    does not begin with "*version"
 *   DMTRACE_ERR_TRUNCATED    no "*end", or nothing after it
 *   DMTRACE_ERR_CORRUPT      no magic after the key
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming: there is no key to split off
 *   DMTRACE_ERR_FOREIGN      data without its key
 *   DMTRACE_ERR_STATE        key and data have the same path
 */
DMTRACE_API enum dmtrace_status
dmtrace_split(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *key, const struct dmtrace_file *data,
    unsigned flags);

/*
 * Joins a key and its data. If the LF after "*end" is missing, it is added,
 * which is a finding, unless DMTRACE_JOIN_EXACT is set.
 *
 * Returns what dmtrace_split does, but
 *   DMTRACE_ERR_NOT_TRACE  the data does not begin with the magic either
 *   DMTRACE_ERR_FOREIGN    the halves are swapped, are the same file, or one
 *                          already contains the other; their versions differ
 *                          and that of the data is known; or the key lists
 *                          none of the methods of the first 4,096 records.
 *                          With DMTRACE_JOIN_FORCE swapped halves are
 *                          exchanged, what follows the key is left out, and
 *                          the rest is a finding
 */
DMTRACE_API enum dmtrace_status
dmtrace_join(struct dmtrace_op *op, const struct dmtrace_file *key,
    const struct dmtrace_file *data, const struct dmtrace_file *out,
    unsigned flags);

/* As a number of records. */
#define DMTRACE_GENERATE_NONE UINT64_MAX

/* What dmtrace_generate makes. */
struct dmtrace_generate_options {
	uint64_t seed;
	uint64_t records;	/* 0: 100,000; an odd number is rounded down;
				   or DMTRACE_GENERATE_NONE */
	uint32_t threads;	/* 0: 4 */
	uint32_t methods;	/* 0: 200 */
	uint32_t max_depth;	/* 0: 32 */
};

/*
 * Fills an open writer, whose layout says the version and the clock, with a
 * well-formed trace: every call ends, each thread's times rise, all is below
 * 2^32 us. The same options and layout give the same bytes. The caller
 * closes the writer.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, a status of the writer, or
 *   DMTRACE_ERR_RANGE  an option is larger than the version can hold; op's
 *                      error says which
 *   DMTRACE_ERR_CANCELLED
 */
DMTRACE_API enum dmtrace_status
dmtrace_generate(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_generate_options *options);

/* Split a trace into smaller traces, and join them again */

/* What makes a piece. */
enum dmtrace_pieces_by {
	DMTRACE_PIECES_THREAD = 0,	/* the records of one thread */
	DMTRACE_PIECES_TIME = 1,	/* a window of time */
	DMTRACE_PIECES_RECORDS = 2,	/* a number of records */
	DMTRACE_PIECES_SIZE = 3		/* a number of bytes */
};

/* How a trace is split; see dmtrace-split.1. */
struct dmtrace_pieces_options {
	enum dmtrace_pieces_by by;
	uint64_t amount;	/* nanoseconds, records or bytes, at least 1 */
	const char *before;	/* names of files: before, the thread's name */
	const char *after;	/* or the piece's number, after */
	uint64_t max_files;	/* 0: 1,000; or DMTRACE_ALL */
	unsigned flags;		/* DMTRACE_NO_REPLACE, DMTRACE_SYNC */
};

/*
 * Splits the trace of a reader that was opened, and nothing read, into files
 * that are traces of their own, and reads the reader to its end. All of them
 * get their names at the end or, after a failure, none; what they replaced by
 * then is lost. *count, unless count is NULL, is how many there are: after a
 * failure none or, where there are more than max_files, one more than that.
 *
 * But for DMTRACE_PIECES_THREAD a piece begins with the frames that are open,
 * entered once more, and ends with exits of those that are. The key of a
 * piece says so in option lines (dmtrace.5, PIECES).
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, DMTRACE_ERR_STATE (the reader is not open, or was
 * read), or
 *   DMTRACE_ERR_RANGE  the amount is 0; a piece of that size has no room for
 *                      the key, the open frames and a record
 *   DMTRACE_ERR_LIMIT  there are more than max_files pieces; a thread has
 *                      more than 1,048,576 open frames; the key grows over
 *                      its limit
 *   DMTRACE_ERR_UNSUPPORTED  the trace is a dump of long-running methods
 */
DMTRACE_API enum dmtrace_status
dmtrace_split_pieces(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options, uint64_t *count);

/*
 * Joins the count pieces of a trace, given in any order, to the trace that they
 * were: a joined file, or a pair if the path of out ends in ".key" or ".data".
 * flags are DMTRACE_NO_REPLACE and DMTRACE_SYNC. *exact, unless exact is
 * NULL, is 1 if that is the same to the byte, and 2 if all events have their
 * order, but the packets of an ART stream or of trace format V2, which are
 * written anew, can be others. If it is 0, each thread's records are in their
 * order, and those of different threads are ordered by wall time, or thread by
 * thread if times cannot be compared.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, a status of dmtrace_reader_open_path, or
 *   DMTRACE_ERR_FOREIGN    one of them is not a piece, or a piece of another
 *                          trace or split, or is there twice
 *   DMTRACE_ERR_TRUNCATED  pieces are missing
 *   DMTRACE_ERR_CORRUPT    a piece was changed since the split
 */
DMTRACE_API enum dmtrace_status
dmtrace_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact);

/* Keep some events of a trace */

struct dmtrace_filter_options {
	const struct dmtrace_select_options *select;	/* NULL: everything */
	int keep_tables;	/* keep threads and methods without events */
	int allow_empty;	/* write a trace even if no event is left */
};

/*
 * Writes the selected events of in to out. in is a joined file, either half of
 * a pair, a base name or a descriptor; out is a joined file, or a pair if its
 * path ends in ".key" or ".data". With no condition the output is a copy.
 * Otherwise its key lists only the threads and methods that still occur; calls
 * that a window of time cuts are entered at its start and exited at its end,
 * and the key's options dmtrace-opened and dmtrace-closed say how many events
 * were added for that.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, a status of dmtrace_reader_open_path, or
 *   DMTRACE_END        no event is selected; there is an output only with
 *                      allow_empty
 *   DMTRACE_ERR_RANGE  a condition is malformed, or names a thread number or
 *                      method id that is neither listed nor in a record
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_filter(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_filter_options *options);

/* Merge several traces */

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
	DMTRACE_ALIGN_NONE = 3		/* unknown: they are not compared, and
					   stay as they are */
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

struct dmtrace_merge_options {
	unsigned version;	/* 1 to 3; 0: 3 for two clocks, else 1 if the
				   threads' ids fit it, else 2; but 4 or 5 if
				   traces of these need it */
	enum dmtrace_merge_threads threads;
	enum dmtrace_merge_align align;
	unsigned flags;		/* DMTRACE_SYNC */
	int prefix_shared;	/* not 0: prefixes are only for names that
				   threads of several traces have, of those
				   that are not united */
	int strict;		/* not 0: a clock that a trace has and the
				   output has not is a failure */
};

/* What was done. */
struct dmtrace_merge_result {
	uint64_t events;
	unsigned version;	/* 1 to 5 */
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL */
	int by_time;		/* events are in the order of their wall times;
				   0: one input after the other */
	enum dmtrace_merge_align align;	/* NONE: no time was moved by it */
	uint64_t late;		/* events that an input had after later ones:
				   they were left there */
	uint64_t cpu_dropped;	/* events that lost their CPU time, */
	uint64_t wall_dropped;	/* or their wall time: others have none */
	uint64_t renamed;	/* names with bytes that none may hold, or that
				   other columns need: '?' is written */
	uint64_t prefixed;	/* names that got a prefix, being shared */
	uint64_t named;		/* methods without a name: their id in the
				   output is one, and their class "?" if it is
				   missing, too */
	int mixed;		/* traces have several versions */
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
 *                        version; strict, and a clock would be lost
 *   DMTRACE_ERR_FOREIGN  the traces have no clock in common, or START is
 *                        asked for and their start times cannot be compared
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_merge(struct dmtrace_op *op, const struct dmtrace_merge_input *inputs,
    size_t count, const struct dmtrace_file *out,
    const struct dmtrace_merge_options *options,
    struct dmtrace_merge_result *result);

/* Sort the events of a trace by time */

/* The least that dmtrace_sort works with. */
#define DMTRACE_SORT_MEMORY_MIN 10485760

struct dmtrace_sort_options {
	uint64_t memory;	/* bytes, with those of reader and writer; at
				   least the minimum; 0: 256 MiB */
	int any_clock;		/* not 0: compare times of different threads
				   whatever clock they are of */
};

/*
 * Writes the records of an open reader, none of which was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), in the order of
 * their wall times, or of the only times that there are. It is a stable sort,
 * and each thread's events stay in their order: one whose time is below an
 * earlier one of its thread counts as of that one's time. A record keeps all
 * its bytes. Records that are in order already are copied; those that the
 * options dmtrace-opened and dmtrace-closed of the key call added stay first
 * and last.
 *
 * At least a megabyte is for records, whatever the key takes. What does not
 * fit in the memory goes to a temporary beside the output, or
 * in TMPDIR, else /tmp; there go the records of what is neither a regular file
 * nor memory. The caller closes the writer. Findings are the reader's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE        the reader is not open at its first record, or the
 *                            writer is not open and like it
 *   DMTRACE_ERR_RANGE        less memory than the minimum
 *   DMTRACE_ERR_UNSUPPORTED  times of different threads cannot be compared
 */
DMTRACE_API enum dmtrace_status
dmtrace_sort(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_sort_options *options);

/* Move and stretch the times of a trace */

/* What is done to each time, in the order of the members. */
struct dmtrace_shift_options {
	int to_zero;		/* not 0: subtract the clock's least time */
	uint64_t scale_up;	/* multiply by scale_up / scale_down; each is */
	uint64_t scale_down;	/* 1 to 10^9, or 0 for 1 */
	int64_t by_ns;		/* add; whole microseconds */
};

/*
 * Writes the records of an open reader, none of which was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), with their times
 * changed as the options say: both where a record has two, cut to whole
 * microseconds (nanoseconds, where the trace has them), and not modulo 2^32:
 * unwrapped times are changed, and have to fit their fields. Where threads do
 * not share a clock, its least time is each thread's own. A new start time of
 * the header is the caller's to set, by dmtrace_writer_set_start. All else is
 * kept.
 *
 * With to_zero the records are read twice, those of what is neither a regular
 * file nor memory by way of a temporary in TMPDIR, else /tmp. The caller
 * closes the writer, but not after a failure. Findings are the reader's: of
 * the key, the header and the times.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE  the reader is not open at its first record, or the
 *                      writer is not open and like it
 *   DMTRACE_ERR_RANGE  scale_up or scale_down is more than 10^9, by_ns is not
 *                      whole microseconds, or a time would be below 0 or not
 *                      below 2^32 us; op's error says which
 */
DMTRACE_API enum dmtrace_status
dmtrace_shift(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_shift_options *options);

/* Convert a trace to another dialect of the format */

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

/* Of trace format V2: what its blocks of events look like. dmtrace.5 says which
 * Android writes which, and which program reads it. */
enum dmtrace_stage {
	DMTRACE_STAGE_ANY = 0,		/* that of the trace, if it has one,
					   else E */
	DMTRACE_STAGE_C = 1,		/* microseconds */
	DMTRACE_STAGE_E = 2,		/* nanoseconds */
	DMTRACE_STAGE_F = 3		/* nanoseconds; an exit has no method */
};

/* What a conversion can lose or has to invent. */
enum dmtrace_loss {
	DMTRACE_LOSS_CPU = 0,		/* events: their CPU time */
	DMTRACE_LOSS_WALL = 1,		/* events: their wall time */
	DMTRACE_LOSS_CPU_FROM_WALL = 2,	/* events: it is their wall time */
	DMTRACE_LOSS_WALL_FROM_CPU = 3,	/* events: it is their CPU time */
	DMTRACE_LOSS_PADDING = 4,	/* events: bytes that no field holds */
	DMTRACE_LOSS_THREAD_NUMBER = 5,	/* threads: they have another number */
	DMTRACE_LOSS_THREAD_NAME = 6,	/* earlier names of threads */
	DMTRACE_LOSS_METHOD_ID = 7,	/* methods: they have another id */
	DMTRACE_LOSS_ROUNDED = 8,	/* times: their nanoseconds */
	DMTRACE_LOSS_WRAPPED = 9,	/* events: they read back with another
					   time, which 32 bits do not hold */
	DMTRACE_LOSS_EXIT_METHOD = 10,	/* exits: their method is another one
					   than that of the innermost call */
	DMTRACE_LOSS_START = 11,	/* the start time, if it has no room */
	DMTRACE_LOSS_REST = 12		/* unknown sections, repeated methods,
					   bytes around header or summary */
};

#define DMTRACE_LOSSES 13

/* "cpu-dropped" and so on; and a text to follow a count. Thread-safe. */
DMTRACE_API const char *
dmtrace_loss_name(enum dmtrace_loss loss);

struct dmtrace_convert_options {
	enum dmtrace_dialect dialect;	/* 0: V3 */
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL; MISSING:
					   DUAL where there are two times, else
					   wall time if the trace has it */
	enum dmtrace_stage stage;	/* of V4 to F5 */
	int strict;		/* a loss is a failure */
	unsigned flags;		/* DMTRACE_SYNC */
};

struct dmtrace_convert_result {
	uint64_t losses[DMTRACE_LOSSES];	/* by enum dmtrace_loss */
};

/*
 * Writes the trace of a reader, which is at its first record, to out in the
 * dialect and clock that are asked for; a copy, byte for byte, if it has them
 * already. Start time, options and names stay as they are.
 *
 * result may be NULL; after a failure it is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_RANGE        the dialect has no such clock; there are more
 *                            threads than it can number; strict, and there is
 *                            a loss
 *   DMTRACE_ERR_STATE        the reader is not at its first record
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming or trace format V2 to a pair
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_convert(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out,
    const struct dmtrace_convert_options *options,
    struct dmtrace_convert_result *result);

/* Compute a checksum of the events of a trace */

/* A number of 128 bits. */
struct dmtrace_sum {
	uint64_t high;
	uint64_t low;
};

/* Times that make a difference, of those that the records have. */
enum {
	DMTRACE_CHECKSUM_CPU = 1,
	DMTRACE_CHECKSUM_WALL = 2,
	DMTRACE_CHECKSUM_NO_TIME = 4
};

struct dmtrace_checksum_options {
	unsigned clocks;	/* DMTRACE_CHECKSUM_*; 0: both */
};

/* name.bytes is NULL where no row lists the number; else it belongs to the
 * reader's key. */
struct dmtrace_thread_sum {
	uint32_t thread;	/* the records' own number */
	struct dmtrace_text name;
	uint64_t records;
	struct dmtrace_sum sum;
};

/* Free with dmtrace_checksum_fini. */
struct dmtrace_checksum_result {
	struct dmtrace_sum sum;		/* of all threads */
	uint64_t records;		/* that are in it */
	uint64_t added;			/* that do not count */
	struct dmtrace_thread_sum *threads;	/* by rising number */
	size_t thread_count;
};

/*
 * Reads all records of an open reader, none of which was read yet, and adds
 * up a number of 128 bits for each: made of its thread's name, its method's
 * class, name and signature, its action and its times modulo 2^32 us
 * (dmtrace-checksum.1 has the formula, which does not change). So the sums of
 * traces that share the events of another add up to its sum, and no id, no
 * order and no layout matters. The first and last records that the options
 * "dmtrace-opened" and "dmtrace-closed" of the key call added do not count;
 * with the latter the records are read twice, those of what is neither a
 * regular file nor memory by way of a temporary in TMPDIR, else /tmp.
 * *checksum need not be initialised. Findings are the reader's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE    the reader is not open at its first record
 *   DMTRACE_ERR_CORRUPT  one of the two options is not a number
 * Then *checksum is all zero.
 */
DMTRACE_API enum dmtrace_status
dmtrace_checksum(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_checksum_options *options,
    struct dmtrace_checksum_result *checksum);

/* Frees the threads. One that is all zero is allowed, and is left so. */
DMTRACE_API void
dmtrace_checksum_fini(struct dmtrace_checksum_result *checksum);

/* Repair a damaged trace */

/* What to do with a time that is lower than the thread's last one. */
enum dmtrace_repair_time {
	DMTRACE_REPAIR_CLAMP = 0,	/* replace it by the last one */
	DMTRACE_REPAIR_SHIFT = 1,	/* add the difference to it and to all
					   later times of the thread */
	DMTRACE_REPAIR_DROP = 2		/* leave its record out */
};

/* A flag, beside those of dmtrace_join: calls that the beginning or the end
 * of the trace cuts stay as they are, which is valid, too. */
enum { DMTRACE_REPAIR_EDGES = 16 };

struct dmtrace_repair_options {
	enum dmtrace_repair_time time;
	unsigned flags;			/* DMTRACE_SYNC, DMTRACE_NO_REPLACE,
					   DMTRACE_REPAIR_EDGES */
	dmtrace_change_fn *change;	/* NULL: none */
	void *context;			/* of change */
};

/* What was done; a trace that needs no change is copied. */
struct dmtrace_repair_result {
	uint64_t changes;		/* without those only reported */
	uint64_t records_in;		/* whole ones in the input */
	uint64_t records_out;
	uint64_t opened;		/* of these, added at the beginning */
	uint64_t closed;		/* and at the end */
};

/*
 * Writes a valid trace of in: a joined file, either half of a pair, whose
 * partner is found by its name, a base name, or a descriptor. Where there is
 * nothing to change the bytes are copied. out is a joined file, or a pair if
 * its path ends in ".key" or ".data"; NULL: the changes are only reported, by
 * options->change, which is called before out gets its name. options may be
 * NULL: all defaults. result may be NULL; it is set on success. What cannot be
 * read twice is copied to a temporary in TMPDIR, else /tmp. op may be used by
 * one thread at a time.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE    neither "*version" nor the magic first
 *   DMTRACE_ERR_UNSUPPORTED  a pair of an ART stream or of trace format V2,
 *                            or data of these after a key
 *   DMTRACE_ERR_CORRUPT      trace format V2 with a header that cannot be
 *   DMTRACE_ERR_LIMIT        a key or line that is too large, more frames
 *                            open than DMTRACE_LIMIT_DEPTH, or more than a
 *                            million methods that no table lists
 *   DMTRACE_ERR_RANGE        options->time or flags is none of the above,
 *                            or a time does not fit trace format V2
 *   DMTRACE_ERR_STATE        out is in
 */
DMTRACE_API enum dmtrace_status
dmtrace_repair(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result);

#ifdef __cplusplus
}
#endif

#endif
