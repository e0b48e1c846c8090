/* dmtrace/ops.h - operations on whole traces: split, filter, merge and so on */
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

/* Makes the context of an operation. NULL: no memory. */
DMTRACE_API struct dmtrace_op *
dmtrace_op_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_op_free(struct dmtrace_op *op);

/* The failure of the last operation; belongs to the op. */
DMTRACE_API const struct dmtrace_error *
dmtrace_op_error(const struct dmtrace_op *op);

/* The file that the failure of the last operation is about; NULL: none. Belongs
 * to the op. */
DMTRACE_API const struct dmtrace_file *
dmtrace_op_error_file(const struct dmtrace_op *op);

/*
 * Names the function to call for each finding, in the thread of the operation;
 * NULL: none. It is used by all later operations, except those on a reader
 * whose description says that findings are the reader's: these findings go to
 * the function of dmtrace_reader_set_report.
 */
DMTRACE_API void
dmtrace_op_set_report(struct dmtrace_op *op, dmtrace_finding_fn *report,
    void *context);

/* Names the function to call with the progress; NULL: none. It is used by all
 * later operations except dmtrace_export_profile. */
DMTRACE_API void
dmtrace_op_set_progress(struct dmtrace_op *op, dmtrace_progress_fn *progress,
    void *context);

/* Flags of dmtrace_join and dmtrace_split. */
enum {
	DMTRACE_JOIN_EXACT = 1,		/* join bytes as they are: add no LF
					   after "*end"; halves of different
					   traces are only a finding */
	DMTRACE_JOIN_FORCE = 2,		/* join even files that are no pair */
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

/* The value of records for a trace without records. */
#define DMTRACE_GENERATE_NONE UINT64_MAX

/* What the calls of a generated trace look like; see dmtrace-generate.1. */
enum dmtrace_shape {
	DMTRACE_SHAPE_CALLS = 0,
	DMTRACE_SHAPE_RECURSION = 1,
	DMTRACE_SHAPE_PINGPONG = 2,
	DMTRACE_SHAPE_EXCEPTIONS = 3,
	DMTRACE_SHAPE_SAMPLING = 4,
	DMTRACE_SHAPE_DEEP = 5,
	DMTRACE_SHAPE_WIDE = 6,
	DMTRACE_SHAPE_APP = 7
};

/* The size and shape of the trace that dmtrace_generate makes. A number that
 * is 0 is the default of the shape; that of SHAPE_CALLS is given here. */
struct dmtrace_generate_options {
	uint64_t seed;
	enum dmtrace_shape shape;
	uint64_t records;	/* 0: 100,000; an odd number is rounded down;
				   or DMTRACE_GENERATE_NONE */
	uint64_t duration_ns;	/* 0: 5 us for each record, below 2^32 us */
	uint32_t threads;	/* 0: 4 */
	uint32_t methods;	/* 0: 200 */
	uint32_t max_depth;	/* 0: 32 */
	uint32_t burst;		/* most events until the next thread is
				   chosen; 0: 100 */
	int odd_names;		/* with every kind of character */
};

/*
 * Writes a well-formed trace to an open writer, whose layout gives the version
 * and the clock: every call ends, and the times of each thread rise. Times of
 * 32 bits are stored modulo 2^32 us. The same options and layout give the same
 * bytes. The caller closes the writer.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_CANCELLED, a status of
 * the writer, or
 *   DMTRACE_ERR_RANGE  an option is not one that the version can hold, or the
 *                      shape has; or times of 32 bits pass so fast that
 *                      readers lose count; op's error says which
 */
DMTRACE_API enum dmtrace_status
dmtrace_generate(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_generate_options *options);

/* Damage a trace, to test what reads it */

/* What happens to the bytes of a trace; see dmtrace-corrupt.1. */
enum dmtrace_damage_kind {
	DMTRACE_DAMAGE_BITS = 0,	/* bits of a byte are flipped */
	DMTRACE_DAMAGE_LOST = 1,	/* a block of bytes is lost */
	DMTRACE_DAMAGE_DOUBLED = 2,	/* a block of bytes is there twice */
	DMTRACE_DAMAGE_TRUNCATED = 3,
	DMTRACE_DAMAGE_ZEROS = 4,	/* a block of bytes is 0 */
	DMTRACE_DAMAGE_FILL = 5,	/* a block of bytes is 0xEE */
	DMTRACE_DAMAGE_CRLF = 6,	/* copied as text: LF is CR LF */
	DMTRACE_DAMAGE_UTF8 = 7,	/* from Latin-1 to UTF-8 */
	DMTRACE_DAMAGE_LOSSY = 8,	/* what is not UTF-8 is U+FFFD */
	DMTRACE_DAMAGE_BLANKS = 9,	/* blanks for TABs in a row */
	DMTRACE_DAMAGE_COUNT = 10,	/* a wrong number of records */
	DMTRACE_DAMAGE_NO_END = 11,	/* "*end" is missing */
	DMTRACE_DAMAGE_SAME_ID = 12,	/* two rows have one id */
	DMTRACE_DAMAGE_OVERFLOW = 13,	/* the buffer was full */
	DMTRACE_DAMAGE_OFFSET = 14,	/* a wrong data offset */
	DMTRACE_DAMAGE_RECORD_SIZE = 15,	/* a wrong record size */
	DMTRACE_DAMAGE_SWAPPED = 16,	/* two records change places */
	DMTRACE_DAMAGE_NO_EXIT = 17,	/* an exit is missing */
	DMTRACE_DAMAGE_TIME_STEP = 18,	/* a time goes back */
	DMTRACE_DAMAGE_PACKET = 19,	/* a bit of a packet is flipped */
	DMTRACE_DAMAGE_BLOCK = 20	/* a bit of a block of events */
};

/* The bit of a kind in dmtrace_corrupt_options. */
#define DMTRACE_DAMAGE_BIT(kind) (1u << (kind))

/* What was done: bytes of the input, and those of the output in their place. */
struct dmtrace_damage {
	enum dmtrace_damage_kind kind;
	uint64_t at;
	uint64_t len;
	uint64_t new_at;
	uint64_t new_len;
};

/*
 * Called once for each damage, in the order of the input, and finally with
 * NULL, when the output is complete but does not have its name yet. If it
 * returns anything but 0, the operation ends with DMTRACE_ERR_CANCELLED and
 * leaves no output. It runs in the thread of the operation.
 */
typedef int
dmtrace_damage_fn(void *context, const struct dmtrace_damage *damage);

struct dmtrace_corrupt_options {
	uint64_t seed;
	unsigned kinds;			/* to choose from, by
					   DMTRACE_DAMAGE_BIT; 0: all */
	uint32_t count;			/* of damages, at most 65,536; 0: 1 */
	unsigned flags;			/* DMTRACE_SYNC, DMTRACE_NO_REPLACE */
	dmtrace_damage_fn *damage;	/* NULL: none */
	void *context;			/* of damage */
};

/* "bits", "lost" and so on; "" for another number. Thread-safe. */
DMTRACE_API const char *
dmtrace_damage_name(enum dmtrace_damage_kind kind);

/*
 * Writes the bytes of in to out, with damage at places that the seed chooses,
 * among those that the trace has for the kinds. Damages that would overlap with
 * an earlier one are left out. The same bytes and options give the same output.
 * in is a joined trace or any other file, one file of a pair, a base name or a
 * descriptor; only this file is damaged. Input that can be read only once is
 * copied to a temporary file in TMPDIR, else /tmp. options may be NULL: all
 * defaults.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_RANGE    the trace has no place for any of the kinds; or an
 *                        option is not one of the above
 *   DMTRACE_ERR_STATE    in and out are the same file
 *   DMTRACE_ERR_CORRUPT  in is a malformed text form of a trace
 */
DMTRACE_API enum dmtrace_status
dmtrace_corrupt(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_corrupt_options *options);

/* Split a trace into smaller traces, and join them again */

/* By what a trace is split. */
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
	const char *before;	/* the name of a file is before, the thread's */
	const char *after;	/* name or the number of the piece, and after */
	uint64_t max_files;	/* 0: 1,000; or DMTRACE_ALL */
	unsigned flags;		/* DMTRACE_NO_REPLACE, DMTRACE_SYNC */
};

/*
 * Splits the trace of an open reader, of which no event was read yet, into
 * files that are traces themselves, and reads the reader to its end. The files
 * get their names at the end, when all are complete; after a failure none is
 * left but those that have replaced a file by then. *count, unless count is
 * NULL, is set to the number of files: after a failure to 0 or, if there are
 * more than max_files pieces, to max_files + 1.
 *
 * Except with DMTRACE_PIECES_THREAD, a piece begins with an enter of each frame
 * that is open at its start, and ends with an exit of each frame that is open
 * at its end. Option lines of its key say how many such events were added
 * (dmtrace.5, PIECES).
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, DMTRACE_ERR_STATE (the reader is not open, or was
 * read), or
 *   DMTRACE_ERR_RANGE  the amount is 0; or a piece of that size is too small
 *                      for the key, the open frames and a record
 *   DMTRACE_ERR_LIMIT  there are more than max_files pieces; a thread has
 *                      more than 1,048,576 open frames; the key grows over
 *                      its limit
 *   DMTRACE_ERR_UNSUPPORTED  the trace is a dump of long-running methods
 */
DMTRACE_API enum dmtrace_status
dmtrace_split_pieces(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options, uint64_t *count);

/*
 * Joins the count pieces of a trace, given in any order, into the trace that
 * was split: a joined file, or a pair if the path of out ends in ".key" or
 * ".data". flags are DMTRACE_NO_REPLACE and DMTRACE_SYNC.
 *
 * *exact, unless exact is NULL, is set to how much of the trace is restored.
 * 1: it is the same, byte for byte. 2: it has the same events in the same
 * order, but the packets of an ART stream or of trace format V2 are written
 * anew and may differ. 0: the records of each thread are in their order, and
 * those of different threads are ordered by wall time, or thread by thread if
 * times cannot be compared.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, a status of dmtrace_reader_open_path, or
 *   DMTRACE_ERR_FOREIGN    a file is not a piece, is a piece of another trace
 *                          or split, or is given twice
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
 * path ends in ".key" or ".data". Without a condition the output is a copy.
 * Otherwise its key lists only the threads and methods of the selected events,
 * unless keep_tables is set. Calls that a window of time cuts are entered at
 * its start and exited at its end; the options dmtrace-opened and
 * dmtrace-closed of the key are the numbers of these added events.
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

/* The ids of threads in the output. Threads of different traces are different
 * threads, except with UNION. */
enum dmtrace_merge_threads {
	DMTRACE_THREADS_KEEP = 0,	/* the same id, or the lowest free one
					   if an earlier trace has that id */
	DMTRACE_THREADS_RENUMBER = 1,	/* 1, 2, 3, in the order of the keys */
	DMTRACE_THREADS_UNION = 2	/* as KEEP, but threads of the same id
					   and name become one */
};

/* How the wall times of one trace relate to those of another. */
enum dmtrace_merge_align {
	DMTRACE_ALIGN_AUTO = 0,		/* START if it can be, else ZERO */
	DMTRACE_ALIGN_START = 1,	/* by the headers' start times */
	DMTRACE_ALIGN_ZERO = 2,		/* all traces began at the same time */
	DMTRACE_ALIGN_NONE = 3		/* unknown: times are neither compared
					   nor changed */
};

/* One trace to merge. */
struct dmtrace_merge_input {
	struct dmtrace_file file;	/* what dmtrace_reader_open_path or _fd
					   can open */
	const char *prefix;		/* put before the names of its threads,
					   with a colon; NULL: none */
	int64_t offset_ns;		/* added to its wall times, or to its
					   CPU times if it has no other; whole
					   microseconds */
};

struct dmtrace_merge_options {
	enum dmtrace_dialect dialect;	/* 0: the first of V1, V2 and V3 that
				   can hold the clocks and the ids of threads,
				   or one of V4 to F5 if such traces fit no
				   other */
	enum dmtrace_merge_threads threads;
	enum dmtrace_merge_align align;
	unsigned flags;		/* DMTRACE_SYNC */
	int prefix_shared;	/* not 0: a name gets a prefix only if threads
				   of several traces have it and stay different
				   threads */
	int strict;		/* not 0: fail if the output would lack a clock
				   that a trace has */
};

/* What was done. */
struct dmtrace_merge_result {
	uint64_t events;
	unsigned version;	/* 1 to 5 */
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL */
	int by_time;		/* events are in the order of their wall times;
				   0: one input after the other */
	enum dmtrace_merge_align align;	/* what was done; NONE: no times were
				   moved to align the traces */
	uint64_t late;		/* events that come after later ones in their
				   input; their order was kept */
	uint64_t cpu_dropped;	/* events whose CPU time was dropped, because
				   other traces have none */
	uint64_t wall_dropped;	/* the same for wall time */
	uint64_t rounded;	/* events whose times lost their nanoseconds,
				   because of the asked dialect */
	uint64_t renamed;	/* names in which '?' was written for bytes that
				   a key cannot hold, or for a missing column
				   before another one */
	uint64_t names_dropped;	/* earlier names of threads that were renamed in
				   a stream or in trace format V2 */
	uint64_t prefixed;	/* names that got a prefix because several
				   traces have them */
	uint64_t named;		/* methods without a name: they are named by
				   their id in the output; a missing class is
				   "?" */
	int mixed;		/* the traces are not all of one version */
	uint64_t pieces;	/* number of traces that are pieces of traces */
	int rejoined;		/* not 0: the traces were the pieces of one
				   trace and were joined; only pieces and exact
				   are set */
	int exact;		/* of dmtrace_join_pieces */
};

/*
 * Merges count traces, of any versions and containers, into out. Methods of
 * the same class, name, signature, file and line become one. Options that all
 * traces have in common are kept. All inputs are read in parallel, each with a
 * buffer of at most 1 MB; files are closed and opened again as needed, so that
 * few are open at a time. An input that is a regular file with a path must not
 * change meanwhile.
 *
 * Events are written in the order of their wall times if these can be compared
 * (dmtrace.5, TIMES), those of the same microsecond in the order of the
 * inputs; the order of the events of one input never changes.
 *
 * If all inputs are pieces of one trace, they are joined as by
 * dmtrace_join_pieces. This takes no other options, and fails as that does if
 * pieces are missing or repeated.
 *
 * result may be NULL; after a failure it is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, what dmtrace_reader_open_path does, or
 *   DMTRACE_ERR_RANGE    count is 0; an option has an unknown value; there are
 *                        more threads than numbers; a thread id or a time does
 *                        not fit the version; strict is set, and the output
 *                        would lack a clock
 *   DMTRACE_ERR_FOREIGN  the traces have no clock in common; START is asked
 *                        for and their start times cannot be compared; they
 *                        are pieces of one trace, and other options are set,
 *                        one is a pipe, or one is given twice
 *   DMTRACE_ERR_TRUNCATED, DMTRACE_ERR_CORRUPT  as dmtrace_join_pieces
 * After a failure there is no output.
 */
DMTRACE_API enum dmtrace_status
dmtrace_merge(struct dmtrace_op *op, const struct dmtrace_merge_input *inputs,
    size_t count, const struct dmtrace_file *out,
    const struct dmtrace_merge_options *options,
    struct dmtrace_merge_result *result);

/* Sort the events of a trace by time */

/* The least memory that dmtrace_sort can work with, in bytes. */
#define DMTRACE_SORT_MEMORY_MIN 10485760

struct dmtrace_sort_options {
	uint64_t memory;	/* limit in bytes, which includes the memory of
				   reader and writer; at least the minimum; 0:
				   256 MiB */
	int any_clock;		/* not 0: compare the times of different threads
				   even if they do not share a clock */
};

/*
 * Writes the records of an open reader, none of which was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), in the order of
 * their wall times, or of their CPU times if they have no other. The sort is
 * stable, and the events of each thread keep their order: an event whose time
 * is lower than that of an earlier event of its thread is sorted as if it had
 * the earlier event's time. A record keeps all its bytes. If the records are in
 * order already, they are copied. Records that were added at the start and the
 * end of the trace, as the options dmtrace-opened and dmtrace-closed of the key
 * say, stay first and last.
 *
 * At least a megabyte of memory is used for records, however large the key is.
 * Records that do not fit in the memory are written to a temporary file beside
 * the output, or in TMPDIR, else /tmp; so are all records of an input that is
 * neither a regular file nor memory. The caller closes the writer. Findings are
 * the reader's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE        the reader is not open at its first record, or the
 *                            writer is not open and like it
 *   DMTRACE_ERR_RANGE        the memory is less than the minimum
 *   DMTRACE_ERR_UNSUPPORTED  times of different threads cannot be compared
 */
DMTRACE_API enum dmtrace_status
dmtrace_sort(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_sort_options *options);

/* Move and stretch the times of a trace */

/* The changes of each time, made in the order of the members. */
struct dmtrace_shift_options {
	int to_zero;		/* not 0: subtract the clock's least time */
	uint64_t scale_up;	/* multiply by scale_up / scale_down; each is */
	uint64_t scale_down;	/* 1 to 10^9, or 0 for 1 */
	int64_t by_ns;		/* add this, whole microseconds */
};

/*
 * Writes the records of an open reader, none of which was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), with their times
 * changed as the options say. If a record has two times, both are changed.
 * Times are unwrapped before, cut to whole microseconds (nanoseconds, where the
 * trace has them) after, and must fit their fields then; if the options change
 * none, they stay as they are. Where threads do not share a clock, to_zero
 * subtracts the least time of each thread. The start time in the header is not
 * changed, except by dmtrace_writer_set_start. All else is kept.
 *
 * With to_zero the records are read twice; input that is neither a regular file
 * nor memory is copied to a temporary file in TMPDIR, else /tmp. The caller
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

/* Change the names in a trace */

#define DMTRACE_RENAME_KEY_SIZE 16	/* bytes of the key of the hash */

/* What became of a method. */
enum dmtrace_renaming_state {
	DMTRACE_RENAMED = 0,
	DMTRACE_RENAMED_CLASS = 1,	/* the mapping has the class, but not
					   the method, which keeps its name */
	DMTRACE_RENAMING_AMBIGUOUS = 2,	/* several have its name, which it
					   keeps */
	DMTRACE_RENAMING_UNMAPPED = 3,	/* nothing says another name */
	DMTRACE_RENAMING_CANDIDATE = 4	/* one of the methods that have the name
					   of an ambiguous one, which
					   follows */
};

/* Receives a method as it was and as it is; the texts are valid during the
 * call. */
typedef void
dmtrace_renaming_fn(void *context, enum dmtrace_renaming_state state,
    const struct dmtrace_method *from, const struct dmtrace_method *to);

/* Set mapping, or hash_key and perhaps table, or only table. */
struct dmtrace_rename_options {
	const struct dmtrace_file *mapping;	/* of R8 or ProGuard, which is
						   read */
	const uint8_t *hash_key;	/* DMTRACE_RENAME_KEY_SIZE bytes: make
					   names anonymous */
	const struct dmtrace_file *table;	/* with hash_key the new and old
						   names are written to it;
						   without, it is read to
						   restore them */
	int all;		/* not 0: with hash_key, also names of the
				   platform and of languages */
	dmtrace_renaming_fn *report;	/* called for each method; NULL: not */
	void *context;
	unsigned flags;		/* DMTRACE_SYNC */
};

struct dmtrace_rename_result {
	uint64_t renamed;	/* methods, by enum dmtrace_renaming_state */
	uint64_t class_only;
	uint64_t ambiguous;
	uint64_t unmapped;
	uint64_t threads;	/* names that were changed */
	uint64_t options;
	uint64_t not_mapped_lines;	/* of the mapping, not understood */
	uint64_t cut_line;	/* of the mapping, from 1 on: the file ends
				   within it, and it was left out; or 0 */
};

/*
 * Writes the trace of an open reader, none of whose events was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), with other names of
 * threads, methods, classes, files and options. Records of version 1 to 3, and
 * of streams, stay as they are, byte for byte; trace format V2 has the same
 * events. The key of the reader has the new names afterwards.
 *
 * A mapping gives methods, their classes, the types in their signatures, and
 * files and lines of source that it has, their original names. A hash makes
 * each name a letter and 12 hexadecimal digits, the same in every trace with
 * the same key; bytes of a key that belong to no row are left out. The caller
 * closes the writer, but not after a failure. result may be NULL.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_CORRUPT    mapping or table is no such file
 *   DMTRACE_ERR_TRUNCATED  the table ends within a line
 *   DMTRACE_ERR_LIMIT      one of its lines is longer than 1 MiB
 *   DMTRACE_ERR_RANGE      two names have the same hash
 *   DMTRACE_ERR_STATE      the reader is not open at its first record, the
 *                          writer is not open and like it, or the options do
 *                          not go together
 */
DMTRACE_API enum dmtrace_status
dmtrace_rename(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_rename_options *options,
    struct dmtrace_rename_result *result);

/* Convert a trace to another dialect of the format */

/* What a conversion can lose or has to invent; each is counted. */
enum dmtrace_loss {
	DMTRACE_LOSS_CPU = 0,		/* events without their CPU time */
	DMTRACE_LOSS_WALL = 1,		/* events without their wall time */
	DMTRACE_LOSS_CPU_FROM_WALL = 2,	/* events whose CPU time is invented:
					   it is their wall time */
	DMTRACE_LOSS_WALL_FROM_CPU = 3,	/* events whose wall time is invented:
					   it is their CPU time */
	DMTRACE_LOSS_PADDING = 4,	/* events without the bytes that belong
					   to no field */
	DMTRACE_LOSS_THREAD_NUMBER = 5,	/* threads with another number */
	DMTRACE_LOSS_THREAD_NAME = 6,	/* earlier names of threads */
	DMTRACE_LOSS_METHOD_ID = 7,	/* methods with another id */
	DMTRACE_LOSS_ROUNDED = 8,	/* times without their nanoseconds */
	DMTRACE_LOSS_WRAPPED = 9,	/* events that read back with another
					   time, because theirs exceeds 32
					   bits */
	DMTRACE_LOSS_EXIT_METHOD = 10,	/* exits whose method is not that of
					   the innermost open call */
	DMTRACE_LOSS_START = 11,	/* the start time, if the dialect has
					   no field for it */
	DMTRACE_LOSS_REST = 12,		/* unknown sections, repeated methods,
					   bytes around header or summary */
	DMTRACE_LOSS_LINE = 13,		/* methods without their line number */
	DMTRACE_LOSS_THREAD_NAMED = 14	/* threads that were not listed, and
					   have an invented name */
};

#define DMTRACE_LOSSES 15

/* "cpu-dropped" and so on; "" for another number. Thread-safe. */
DMTRACE_API const char *
dmtrace_loss_name(enum dmtrace_loss loss);

struct dmtrace_convert_options {
	enum dmtrace_dialect dialect;	/* 0: V3 */
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL; MISSING:
					   DUAL where there are two times, else
					   wall time if the trace has it */
	enum dmtrace_stage stage;	/* for V4 to F5 */
	int strict;		/* not 0: fail if something would be lost */
	unsigned flags;		/* DMTRACE_SYNC */
	int universal;		/* not 0: V3 with DUAL, changed so that all
				   readers of dmtrace_judge read it */
	dmtrace_change_fn *change;	/* gets these changes; NULL: none. The
					   result is set before */
	void *context;		/* its first argument */
};

struct dmtrace_convert_result {
	uint64_t losses[DMTRACE_LOSSES];	/* by enum dmtrace_loss */
};

/*
 * Writes the trace of a reader, none of whose events was read yet, to out in
 * the dialect and with the clock of the options. If the trace has both already,
 * it is copied, byte for byte. Start time, options and names are kept.
 *
 * With universal, names, numbers, times and calls that one of the readers
 * cannot read are changed, events are repaired if a reader fails on them, and
 * the key is written in canonical form.
 *
 * result may be NULL; it is set when all events are written.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_RANGE        the dialect has no such clock; there are more
 *                            threads than it can number; strict is set, and
 *                            something would be lost; or universal is set
 *                            with another dialect or clock
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

/* The times that are part of the sum, of those that the records have. */
enum {
	DMTRACE_CHECKSUM_CPU = 1,
	DMTRACE_CHECKSUM_WALL = 2,
	DMTRACE_CHECKSUM_NO_TIME = 4
};

struct dmtrace_checksum_options {
	unsigned clocks;	/* DMTRACE_CHECKSUM_*; 0: both */
};

/* The sum of one thread. */
struct dmtrace_thread_sum {
	uint32_t thread;	/* its number in the records */
	struct dmtrace_text name;	/* belongs to the reader's key; bytes is
				   NULL if no row lists the number */
	uint64_t records;
	struct dmtrace_sum sum;
};

/* The sums of a trace. Free it with dmtrace_checksum_fini. */
struct dmtrace_checksum_result {
	struct dmtrace_sum sum;		/* of all threads */
	uint64_t records;		/* that are part of the sum */
	uint64_t added;			/* records that are not part of it */
	struct dmtrace_thread_sum *threads;	/* by rising number */
	size_t thread_count;
};

/*
 * Reads all records of an open reader, none of which was read yet, and adds
 * up a number of 128 bits for each. The number is made of the thread's name,
 * the method's class, name and signature, the action, and the times modulo
 * 2^32 us (dmtrace-checksum.1 has the formula, which does not change). Ids, the
 * order of records and their layout make no difference, and if the events of a
 * trace are divided among several traces, the sums of these add up to its sum.
 *
 * Records at the start and the end of the trace that were added, as the options
 * "dmtrace-opened" and "dmtrace-closed" of the key say, are not part of the
 * sum. With "dmtrace-closed" the records are read twice; input that is neither
 * a regular file nor memory is copied to a temporary file in TMPDIR, else /tmp.
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

/* Frees the threads of a result and sets it to zero. A result that is all zero
 * is allowed. */
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

/* A flag, besides those of dmtrace_join: keep calls that the beginning or the
 * end of the trace cuts as they are. Such calls are valid, too. */
enum { DMTRACE_REPAIR_EDGES = 16 };

struct dmtrace_repair_options {
	enum dmtrace_repair_time time;
	unsigned flags;			/* DMTRACE_SYNC, DMTRACE_NO_REPLACE,
					   DMTRACE_REPAIR_EDGES */
	dmtrace_change_fn *change;	/* NULL: none */
	void *context;			/* of change */
};

/* What was done. */
struct dmtrace_repair_result {
	uint64_t changes;		/* except those of kind KEPT */
	uint64_t records_in;		/* complete records in the input */
	uint64_t records_out;
	uint64_t opened;		/* of records_out, those that were added
					   at the beginning */
	uint64_t closed;		/* and those added at the end */
};

/*
 * Makes a valid trace of in and writes it to out. in is a joined file, either
 * half of a pair, whose other half is found by its name, a base name, or a
 * descriptor. A trace that needs no change is copied, byte for byte. out is a
 * joined file, or a pair if its path ends in ".key" or ".data"; if it is NULL,
 * changes are only reported. options->change is called for the changes, before
 * out gets its name. options may be NULL: all defaults. result may be NULL; it
 * is set on success. Input that can be read only once is copied to a temporary
 * file in TMPDIR, else /tmp.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE    begins neither with "*version" nor with "SLOW"
 *   DMTRACE_ERR_UNSUPPORTED  a pair of an ART stream or of trace format V2,
 *                            or data of these after a key
 *   DMTRACE_ERR_CORRUPT      trace format V2 with an impossible header; or
 *                            packets that were copied as text
 *   DMTRACE_ERR_LIMIT        a key or line that is too large, more open frames
 *                            than DMTRACE_LIMIT_DEPTH, or more than a million
 *                            methods that no table lists
 *   DMTRACE_ERR_RANGE        options->time or flags is none of the above,
 *                            or a time does not fit trace format V2
 *   DMTRACE_ERR_STATE        in and out are the same file
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
