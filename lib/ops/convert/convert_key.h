/* convert_key.h - the key of a converted trace, as it was or canonical */
#ifndef DMT_OPS_CONVERT_KEY_H
#define DMT_OPS_CONVERT_KEY_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/name_table.h"
#include "ops/convert/convert_stage.h"
#include "trace/reader.h"

/* The caller sets the first four members; the others must be zero. */
struct dmt_key_conversion {
	const struct dmtrace_reader *reader;
	struct dmt_conversion *to;	/* gets ids and numbers; from, format
					   and changes are set */
	bool canonical;			/* in the form that is the same for all
					   other readers, with */
	unsigned cures;			/* bits of enum dmt_cure */

	bool made;			/* the key was made: what is lost was
					   counted */
	char elapsed[24];		/* the value of an option */
	bool no_memory;
	uint64_t last_method;		/* the id that was given last */
	struct dmt_name_table option_names;	/* in the output */
	struct dmt_name_table thread_names;
	struct dmt_idmap numbers;	/* of threads in the output */
	struct dmt_arena names;		/* texts of the current row */
	uint64_t next_thread;		/* lowest number that may be free */
};

/* Makes the key of the output. In the canonical form that decides all numbers
 * and ids; else the ids, and after the events it is made again, with the
 * numbers of threads. NULL: error is set. */
struct dmtrace_key *
dmt_converted_key(struct dmt_key_conversion *conversion,
    struct dmtrace_error *error);

/* Of a canonical key, when all events are written, or none can be dropped: sets
 * the options that count events and changes. Returns the status of error. */
enum dmtrace_status
dmt_converted_key_count(const struct dmt_key_conversion *conversion,
    struct dmtrace_key *key, struct dmtrace_error *error);

void
dmt_key_conversion_fini(struct dmt_key_conversion *conversion);

#endif
