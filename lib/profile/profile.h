/* profile.h - the totals of traces: what a profile consists of */
#ifndef DMT_PROFILE_PROFILE_H
#define DMT_PROFILE_PROFILE_H

#include <dmtrace/profile.h>

#include "base/name_table.h"
#include "events/pipeline.h"
#include "profile/totals.h"

/* What a method has besides its names, of the first row that has these. */
struct dmt_profile_method {
	struct dmtrace_text file;
	int32_t line;
	uint64_t id;
};

/* A thread of all traces: those of one number and name. */
struct dmt_profile_thread {
	struct dmtrace_profile_thread thread;
	uint32_t next;		/* of the same number; UINT32_MAX: none */
	struct dmt_totals totals;	/* with DMTRACE_PROFILE_THREADS */
};

struct dmtrace_profile {
	struct dmtrace_profile_options options;
	enum dmtrace_profile_clock clock;	/* of single calls */
	unsigned keep;
	struct dmtrace_profile_summary summary;
	double steps_ns[DMT_CLOCKS];	/* of all threads: see magnitude_ns */
	double calls_ns[DMT_CLOCKS];
	struct dmtrace_error error;

	/* profile_names.c. What calls are counted for: a method, a name, a
	 * class or a package; the first one is the top. */
	struct dmt_name_table names;
	struct dmt_profile_method *methods;	/* of each of these */
	size_t method_capacity;
	uint32_t unknown;		/* for all ids that are not listed;
					   0: each is a method */
	struct dmt_profile_thread **threads;
	size_t thread_count;
	size_t thread_capacity;
	struct dmt_idmap by_number;	/* the first thread of a number */

	struct dmt_totals all;
};

/*
 * profile_names.c. The methods of a key: adds them; where each row is a method,
 * first is the index of the first one. false: no memory, which the profile then
 * has as its error, as after the next ones.
 */
bool
dmt_profile_add_methods(struct dmtrace_profile *profile,
    const struct dmtrace_key *key, size_t *first);

/* The index of the method of a row of the key; 0: no memory. */
uint32_t
dmt_profile_add_listed(struct dmtrace_profile *profile,
    const struct dmtrace_method *row);

/* The index of the method of an id that is not listed; 0: no memory. */
uint32_t
dmt_profile_add_unlisted(struct dmtrace_profile *profile, uint64_t id);

/* The index of a thread of a trace; UINT32_MAX: no memory. */
uint32_t
dmt_profile_get_thread(struct dmtrace_profile *profile,
    const struct dmt_indexed_thread *indexed);

/*
 * engine.c: adds all events of a source, with overhead_ns subtracted from the
 * time before each. Returns DMTRACE_OK, the status of the profile's error, or
 * that of the source's; then what came before it is added.
 */
enum dmtrace_status
dmt_profile_add_events(struct dmtrace_profile *profile,
    struct dmtrace_source *source, uint64_t overhead_ns);

#endif
