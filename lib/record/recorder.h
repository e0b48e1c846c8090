/* recorder.h - what the files of the recorder share */
#ifndef DMT_RECORD_RECORDER_H
#define DMT_RECORD_RECORDER_H

#include <dmtrace/recorder.h>

#include "format/layouts.h"
#include "record/buffer.h"
#include "record/files.h"
#include "record/method_table.h"
#include "record/system.h"

#define DMT_THREADS_MAX 65535

/* Of recorder->epoch. An epoch in which events are taken has the low bit;
 * each start and each rotation begins another one, higher than these. */
enum {
	DMT_EPOCH_OFF = 0,
	DMT_EPOCH_PAUSED = 2,		/* join, to wait for the next one */
	DMT_EPOCH_ENDED = 4,		/* by itself: what comes is lost */
	DMT_EPOCH_ON = 1
};

enum dmt_state {
	DMT_STATE_OFF,
	DMT_STATE_ON,
	DMT_STATE_ENDED,	/* by itself; a stop is due */
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

/* What one file's option lines say; the sum over all is the result. */
struct dmt_counts {
	uint64_t events;
	uint64_t dropped;
	uint64_t opened;	/* the first ones: frames of before */
	uint64_t closed;	/* the last ones: frames still open */
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
	const struct dmtrace_layout *layout;
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
	uint32_t journaled_threads;	/* or announced; all before are */
	size_t journaled_methods;
	struct dmtrace_error error;
	struct dmtrace_recorder *next;	/* of all; under their lock */
};

/* What session.c and recorder_key.c do for the others, under the lock. */

/* Ends recording without a stop, and reports that to the host. */
void
dmt_recorder_end(struct dmtrace_recorder *recorder,
    enum dmtrace_recorder_end why);

/* Goes on in another file, where own_ns of the caller's clock is 0 unless it
 * is 0 itself. The lock is given away while events that are under way come to
 * their end. */
void
dmt_recorder_rotate(struct dmtrace_recorder *recorder, uint64_t own_ns);

/* Appends to the journal the rows that are not in it. */
void
dmt_recorder_journal(struct dmtrace_recorder *recorder);

/* The same for a stream: packets, which precede the next records. */
void
dmt_recorder_announce(struct dmtrace_recorder *recorder);

/* Ends the file with its key, or its summary. */
enum dmtrace_status
dmt_recorder_write_key(struct dmtrace_recorder *recorder);

/* All that there are; under dmt_registry. */
extern struct dmtrace_recorder *dmt_recorders;
extern struct dmtrace_recorder dmt_recorder_default;

/* NULL is the default recorder. */
static inline struct dmtrace_recorder *
dmt_recorder_get(struct dmtrace_recorder *recorder)
{
	return recorder != NULL ? recorder : &dmt_recorder_default;
}

/* Fills in what a recorder of zeros lacks, once. */
void
dmt_recorder_configure(struct dmtrace_recorder *recorder);

/* Makes forks safe, once a process. false: there was no memory for that. */
bool
dmt_fork_init(void);

/* Before a lock, where it may be found out that this is the child of a fork
 * that ran no handlers: does what they would have done. */
void
dmt_fork_check(void);

#endif
