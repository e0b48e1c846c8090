/* profile.h - struct dmtrace_profile, and how methods and events are added */
#ifndef DMT_PROFILE_PROFILE_H
#define DMT_PROFILE_PROFILE_H

#include <dmtrace/profile.h>

#include "base/name_table.h"
#include "events/pipeline.h"
#include "profile/totals.h"

/* What a method of the profile has besides its names: the values of the first
 * row with these names. */
struct dmt_profile_method {
	struct dmtrace_text file;
	int32_t line;
	uint64_t id;
};

/* A thread of the profile: the threads of all traces that have its number and
 * name. */
struct dmt_profile_thread {
	struct dmtrace_profile_thread thread;
	uint32_t next;		/* index of the next thread of the same number;
				   UINT32_MAX: none */
	struct dmt_totals totals;	/* with DMTRACE_PROFILE_THREADS */
};

struct dmtrace_profile {
	struct dmtrace_profile_options options;
	enum dmtrace_profile_clock clock;	/* of the durations of calls */
	unsigned keep;
	struct dmtrace_profile_summary summary;
	double steps_ns[DMT_CLOCKS];	/* the two bounds for sums of times: */
	double calls_ns[DMT_CLOCKS];	/* see engine.c */
	struct dmtrace_error error;

	/* profile_names.c. The rows of the totals, by index: methods, names,
	 * classes or packages; the first one is the top. */
	struct dmt_name_table names;
	struct dmt_profile_method *methods;	/* by the same index */
	size_t method_capacity;
	uint32_t unknown;		/* the index for all unlisted ids; 0:
					   each id has its own */
	struct dmt_profile_thread **threads;
	size_t thread_count;
	size_t thread_capacity;
	struct dmt_idmap by_number;	/* number to the first thread that has
					   it */

	struct dmt_totals *all;		/* of all threads; a profile that is
					   const can settle them */
};

/* A bound for the sums of times, below 2^63. */
#define DMT_PROFILE_TIMES_MAX 9.2e18

/* The next five functions are in profile_names.c. If there is no memory, they
 * also set the error of the profile. */

/* Returns the index of the method with a name, which is added, with copies of
 * all texts, if it is new; 0: no memory. */
uint32_t
dmt_profile_add_method(struct dmtrace_profile *profile,
    const struct dmt_name *name, const struct dmt_profile_method *method);

/* Adds the methods of a key. If each row of the key is a method, *first is the
 * index of the first one. false: no memory. */
bool
dmt_profile_add_methods(struct dmtrace_profile *profile,
    const struct dmtrace_key *key, size_t *first);

/* Returns the index of the method of a row of a key, which is added if it is
 * new; 0: no memory. */
uint32_t
dmt_profile_add_listed(struct dmtrace_profile *profile,
    const struct dmtrace_method *row);

/* Returns the index of the method of an id that the key does not list, which is
 * added if it is new; 0: no memory. */
uint32_t
dmt_profile_add_unlisted(struct dmtrace_profile *profile, uint64_t id);

/* Returns the index of the profile's thread for a thread of a trace, which is
 * added if it is new; UINT32_MAX: no memory. */
uint32_t
dmt_profile_get_thread(struct dmtrace_profile *profile,
    const struct dmt_indexed_thread *indexed);

/* profile.c: makes the totals, which have got those of a trace, ready to be
 * read. Returns DMTRACE_OK or DMTRACE_ERR_MEMORY, which is the profile's. */
enum dmtrace_status
dmt_profile_end_trace(struct dmtrace_profile *profile);

/* engine.c: sets the error of the profile, and returns its status. */
enum dmtrace_status
dmt_profile_fail_long_times(struct dmtrace_profile *profile);

/*
 * engine.c: adds all events of a source, with overhead_ns subtracted from the
 * time before each event. Returns DMTRACE_OK, or the status of the profile's
 * error or of the source's error; in the latter case, the events before the
 * failure are added.
 */
enum dmtrace_status
dmt_profile_add_events(struct dmtrace_profile *profile,
    struct dmtrace_source *source, uint64_t overhead_ns);

#endif
