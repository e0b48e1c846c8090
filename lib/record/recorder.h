/* recorder.h - the state of a recorder, shared by the files of this folder */
#ifndef DMT_RECORD_RECORDER_H
#define DMT_RECORD_RECORDER_H

#include <dmtrace/recorder.h>

#include "base/error.h"
#include "format/layouts.h"
#include "record/buffer.h"
#include "record/files.h"
#include "record/method_table.h"
#include "record/system.h"

#define DMT_THREADS_MAX 65535

/* Values of recorder->epoch, which events read without the lock. While events
 * are recorded it has the low bit set; each start and each rotation begins a
 * new epoch with a higher number than these. */
enum {
	DMT_EPOCH_OFF = 0,
	DMT_EPOCH_PAUSED = 2,		/* rotating: a thread joins, and waits
					   for the next epoch */
	DMT_EPOCH_ENDED = 4,		/* recording has ended by itself:
					   events are counted as lost */
	DMT_EPOCH_ON = 1
};

/* The corresponding states for holders of the lock. */
enum dmt_state {
	DMT_STATE_OFF,
	DMT_STATE_ON,
	DMT_STATE_ENDED,	/* by itself; dmtrace_stop was not called yet */
	DMT_STATE_BUSY		/* stopping or rotating: wait for changed */
};

enum dmt_time_source {
	DMT_TIME_TICKS,
	DMT_TIME_MONOTONIC,
	DMT_TIME_CPU,
	DMT_TIME_DUAL
};

/* Version 3 with one time has the records of version 2. */
enum dmt_record_form {
	DMT_FORM_1,
	DMT_FORM_1_CPU,
	DMT_FORM_2,
	DMT_FORM_2_CPU,
	DMT_FORM_DUAL
};

/* The counts in the option lines of one file; the result of a stop is their
 * sum over all files. */
struct dmt_counts {
	uint64_t events;
	uint64_t dropped;
	uint64_t opened;	/* enters at the start of the file, of frames
				   that were open before */
	uint64_t closed;	/* exits at the end of the file, of frames that
				   were still open */
	uint64_t ended;		/* frames that were open when their thread
				   ended */
	uint64_t mismatched;
	uint64_t stepped_back;
};

struct dmt_thread_row {
	char name[DMT_THREAD_NAME_MAX];
	bool lost;		/* its first records of the file were dropped */
	bool carried;		/* frames were open when the file began */
	bool announced;		/* a packet in the file has this name */
};

/* Everything except epoch, source and methods is protected by the lock. */
struct dmtrace_recorder {
	_Atomic uint32_t epoch;
	_Atomic(enum dmt_time_source) source;
	bool fences;			/* each event needs a fence of its
					   own */
	struct dmt_method_table methods;
	atomic_ulong dropped_alone;	/* in threads without a state */

	pthread_mutex_t mutex;
	pthread_cond_t changed;		/* signalled when state is not BUSY any
					   more */
	enum dmt_state state;
	struct dmtrace_recorder_options options;
	char vm[32];
	const struct dmt_layout *layout;
	enum dmt_record_form form;
	bool configured;
	bool host_stops;		/* the host calls stop at exit; see
					   lib/instrument */

	uint32_t session;		/* incremented by each start */
	uint32_t last_epoch;
	struct dmt_thread_state *thread_states;
	struct dmt_thread_row *threads;	/* by number, from 1 on */
	uint32_t thread_count;
	uint32_t max_threads;

	char path[PATH_MAX];		/* absolute */
	struct dmt_files files;
	uint32_t file_count;
	uint64_t start_us;		/* start of the file, monotonic */
	uint64_t own_start_us;		/* the same on the caller's clock */
	uint64_t elapsed_us;		/* of a complete file */
	uint64_t overhead_ns;
	struct dmt_blocks blocks;
	struct dmt_counts file;
	struct dmt_counts total;
	enum dmtrace_recorder_end ended;	/* why it ended by itself */
	bool draining;			/* full buffers are written to the
					   file */
	bool journal_begun;
	uint32_t written_threads;	/* rows that are in the journal or */
	size_t written_methods;		/* the stream already */
	struct dmtrace_error error;	/* the first failure since the start */
	struct dmtrace_error refused;	/* of the last call with a status */
	struct dmtrace_error misused;	/* the first of a call without a
					   status; returned by stop */
	uint64_t misuses;
	struct dmtrace_recorder *next;	/* in the list dmt_recorders */
};

/* Functions of session.c and recorder_key.c, called with the lock. */

/* Ends recording without a stop, and reports that to the host. */
void
dmt_recorder_end(struct dmtrace_recorder *recorder,
    enum dmtrace_recorder_end why);

/* Continues in another file. own_ns is the current time on the caller's clock,
 * the start of that file; 0: the caller has no clock. The lock is released
 * until events in progress are complete. */
void
dmt_recorder_rotate(struct dmtrace_recorder *recorder, uint64_t own_ns);

/* Called before the first write to a file. If it is joined and will be large,
 * it begins with room for a key twice as large as its rows so far need. */
void
dmt_recorder_reserve(struct dmtrace_recorder *recorder);

/* Appends new rows of threads and methods to the journal. */
void
dmt_recorder_journal(struct dmtrace_recorder *recorder);

/* The same for a stream: adds packets, which are written before the next
 * records. */
void
dmt_recorder_put_packets(struct dmtrace_recorder *recorder);

/* Completes the file with its key, or its summary. */
enum dmtrace_status
dmt_recorder_write_key(struct dmtrace_recorder *recorder);

/* The list of all recorders, protected by dmt_registry. */
extern struct dmtrace_recorder *dmt_recorders;
extern struct dmtrace_recorder dmt_recorder_default;

/* NULL stands for the default recorder. */
static inline struct dmtrace_recorder *
dmt_recorder_get(struct dmtrace_recorder *recorder)
{
	return recorder != NULL ? recorder : &dmt_recorder_default;
}

/*
 * Begins a call of the program, before a lock is taken: see dmt_fork_check.
 * Refuses one by a function of the options: the recorder calls these under its
 * lock, for which the call would wait forever. Returns DMTRACE_OK, or
 * DMTRACE_ERR_STATE, stored for dmtrace_recorder_error.
 */
enum dmtrace_status
dmt_recorder_check_caller(struct dmtrace_recorder *recorder, const char *call);

/* Stores *error, which may be none, for dmtrace_recorder_error, in a call that
 * returns a status. Returns that status. */
enum dmtrace_status
dmt_recorder_refuse(struct dmtrace_recorder *recorder,
    const struct dmtrace_error *error);

/* Counts a call without a status that was given an invalid handle. The next
 * stop returns the first one as its failure. Not called during an event. */
void
dmt_recorder_count_misuse(struct dmtrace_recorder *recorder, const char *format,
    ...) DMT_PRINTF(2, 3);

/* Initialises the rest of a zeroed recorder, once. */
void
dmt_recorder_configure(struct dmtrace_recorder *recorder);

/* Installs the fork handlers, once per process. false: no memory. */
bool
dmt_fork_init(void);

/* Called before a lock is taken. In a child process that was made without fork
 * handlers (by clone or _Fork) it does what they would have done. */
void
dmt_fork_check(void);

#endif
