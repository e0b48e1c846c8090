/* recorder.h - what the files of the recorder share */
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

/* Of recorder->epoch, which events look at without the lock. An epoch in which
 * events are recorded has the low bit; each start and each rotation begins
 * another one, with a higher number than these. */
enum {
	DMT_EPOCH_OFF = 0,
	DMT_EPOCH_PAUSED = 2,		/* rotates: a thread joins, and waits
					   for the next one */
	DMT_EPOCH_ENDED = 4,		/* recording ended by itself: events
					   are counted as lost */
	DMT_EPOCH_ON = 1
};

/* The same for those who hold the lock. */
enum dmt_state {
	DMT_STATE_OFF,
	DMT_STATE_ON,
	DMT_STATE_ENDED,	/* by itself; a stop is still to come */
	DMT_STATE_BUSY		/* stops or rotates; wait for changed */
};

enum dmt_time_source {
	DMT_TIME_TICKS,
	DMT_TIME_MONOTONIC,
	DMT_TIME_CPU,
	DMT_TIME_DUAL
};

/* Records of version 3 with one time are those of version 2. */
enum dmt_record_form {
	DMT_FORM_1,
	DMT_FORM_1_CPU,
	DMT_FORM_2,
	DMT_FORM_2_CPU,
	DMT_FORM_DUAL
};

/* What the option lines of one file say; their sum over all files is the
 * result of a stop. */
struct dmt_counts {
	uint64_t events;
	uint64_t dropped;
	uint64_t opened;	/* first events: enters of frames that were
				   open before the file */
	uint64_t closed;	/* last events: exits of frames that were open
				   at its end */
	uint64_t ended;		/* frames open when their thread ended */
	uint64_t mismatched;
	uint64_t stepped_back;
};

struct dmt_thread_row {
	char name[DMT_THREAD_NAME_MAX];
	bool lost;		/* its first records in the file were dropped */
	bool carried;		/* frames were open when the file began */
	bool announced;		/* by a packet of the file, by this name */
};

/* Below epoch, source and methods, all is under the lock. */
struct dmtrace_recorder {
	_Atomic uint32_t epoch;
	_Atomic(enum dmt_time_source) source;
	bool fences;			/* each event needs one of its own */
	struct dmt_method_table methods;
	atomic_ulong dropped_alone;	/* without a thread state */

	pthread_mutex_t mutex;
	pthread_cond_t changed;		/* the state is not BUSY any more */
	enum dmt_state state;
	struct dmtrace_recorder_options options;
	char vm[32];
	const struct dmt_layout *layout;
	enum dmt_record_form form;
	bool configured;
	bool host_stops;		/* at exit, too: see lib/instrument */

	uint32_t session;		/* rises with each start */
	uint32_t last_epoch;
	struct dmt_thread_state *thread_states;
	struct dmt_thread_row *threads;	/* by number, from 1 */
	uint32_t thread_count;
	uint32_t max_threads;

	char path[PATH_MAX];		/* with its folder */
	struct dmt_files files;
	uint32_t file_count;
	uint64_t start_us;		/* of the file, monotonic */
	uint64_t own_start_us;		/* the same on the caller's clock */
	uint64_t elapsed_us;		/* of a file that is complete */
	uint64_t overhead_ns;
	struct dmt_blocks blocks;
	struct dmt_counts file;
	struct dmt_counts total;
	enum dmtrace_recorder_end ended;	/* by itself */
	bool draining;			/* full buffers go to the file */
	bool journal_begun;
	uint32_t written_threads;	/* rows that the journal, or the */
	size_t written_methods;		/* stream, has already */
	struct dmtrace_error error;	/* the first since the start */
	struct dmtrace_error refused;	/* the last call with a status */
	struct dmtrace_error misused;	/* the first one without, for stop */
	uint64_t misuses;
	struct dmtrace_recorder *next;	/* of dmt_recorders */
};

/* Functions of session.c and recorder_key.c, called under the lock. */

/* Ends recording without a stop, and reports that to the host. */
void
dmt_recorder_end(struct dmtrace_recorder *recorder,
    enum dmtrace_recorder_end why);

/* Continues in another file. own_ns: the current time of the caller's own
 * clock, which is the start of that file; 0: the caller has none. The lock is
 * released until the events that are under way are complete. */
void
dmt_recorder_rotate(struct dmtrace_recorder *recorder, uint64_t own_ns);

/* Appends to the journal the rows of threads and methods that it lacks. */
void
dmt_recorder_journal(struct dmtrace_recorder *recorder);

/* The same for a stream: puts packets before the next records. */
void
dmt_recorder_put_packets(struct dmtrace_recorder *recorder);

/* Ends the file with its key, or its summary. */
enum dmtrace_status
dmt_recorder_write_key(struct dmtrace_recorder *recorder);

/* All recorders; under dmt_registry. */
extern struct dmtrace_recorder *dmt_recorders;
extern struct dmtrace_recorder dmt_recorder_default;

/* NULL is the default recorder. */
static inline struct dmtrace_recorder *
dmt_recorder_get(struct dmtrace_recorder *recorder)
{
	return recorder != NULL ? recorder : &dmt_recorder_default;
}

/* Refuses a call that returns a status: keeps *error for
 * dmtrace_recorder_error. Returns its status. */
enum dmtrace_status
dmt_recorder_refuse(struct dmtrace_recorder *recorder,
    const struct dmtrace_error *error);

/* Counts a call without a status that was given what does not exist. The next
 * stop returns the first one as a failure. Not called in an event. */
void
dmt_recorder_count_misuse(struct dmtrace_recorder *recorder, const char *format,
    ...) DMT_PRINTF(2, 3);

/* Fills in what a recorder of zeros lacks, once. */
void
dmt_recorder_configure(struct dmtrace_recorder *recorder);

/* Makes forks safe, once a process. false: there was no memory for that. */
bool
dmt_fork_init(void);

/* Called before a lock is taken. In the child of a fork that ran no handlers
 * (clone, _Fork) it does what they would have done. */
void
dmt_fork_check(void);

#endif
