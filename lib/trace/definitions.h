/* definitions.h - the threads and methods that a stream defines */
#ifndef DMT_TRACE_DEFINITIONS_H
#define DMT_TRACE_DEFINITIONS_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "format/finding.h"

struct dmt_definition {
	uint64_t id;
	struct dmtrace_text text;	/* a name, or a method's line */
	uint32_t older;			/* 1 + the previous definition of that
					   id; 0: it is the first */
	uint32_t row;			/* of a thread: 1 + its index in the
					   key's threads */
	bool listed;			/* of a thread: by the summary */
};

struct dmt_definition_table {
	struct dmt_definition *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap latest;	/* by id: its last item */
};

/* From this offset of the file on, an id has another row of the key: the next
 * one of its redefinitions, or an earlier row again. */
struct dmt_redefinition {
	uint64_t at;
	uint64_t id;
	uint32_t row;			/* index in the key's methods */
};

/* From this offset of the file on, a thread has this name. */
struct dmt_naming {
	uint64_t at;
	uint32_t number;
	uint32_t row;			/* index in the key's threads; until
					   there is a key, of the definition */
	uint32_t first;			/* the first row of the thread */
};

/*
 * Definitions between the events of a trace. They are collected in a separate
 * pass, before the first event is read, and become a key. A zeroed struct is
 * valid and empty.
 */
struct dmt_definitions {
	struct dmt_arena arena;
	struct dmt_definition_table threads;
	struct dmt_definition_table methods;
	struct dmt_redefinition *redefined;	/* sorted by at */
	size_t redefined_count;
	size_t redefined_capacity;
	struct dmt_naming *named;	/* sorted by at; of threads with one
					   name: none, once there is a key */
	size_t named_count;
	size_t named_capacity;
	struct dmt_idmap last_named;	/* by number: the last one, in named */
	uint64_t size;			/* of the texts, in bytes */
};

/*
 * Add the name of a thread, or the line of a method without its line end. A
 * definition that repeats the current one is ignored. at is the offset of the
 * packet, for findings.
 *
 * Return DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_CORRUPT  it is not the line of a method
 */
enum dmtrace_status
dmt_define_thread(struct dmt_definitions *definitions, uint32_t number,
    struct dmtrace_text name, uint64_t at, struct dmt_findings *findings);
enum dmtrace_status
dmt_define_method(struct dmt_definitions *definitions,
    struct dmtrace_text line, uint64_t at, struct dmt_findings *findings);

/*
 * Makes a key from the definitions and a summary (NULL: none), which may have
 * tables of its own. The key gets the options of the summary, or else only a
 * version and a clock; the threads and methods that were defined; and those
 * that only the summary lists. A thread with several names has a row for each,
 * the first one that the summary lists and then the newest name first; a method
 * that was redefined has a row for each definition, in the order of first
 * appearance. key is a new key and has the limits; clock is used if the summary
 * has none. What is unusual in the text is reported as findings; their line
 * numbers are of a text that is in no file.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT with the
 * error of key set
 */
enum dmtrace_status
dmt_definitions_key(struct dmt_definitions *definitions,
    struct dmtrace_key *key, const struct dmtrace_key *summary,
    unsigned version, enum dmtrace_clock clock,
    struct dmt_findings *findings);

/* Frees everything except redefined and named, which are needed while events
 * are read; fini frees these. */
void
dmt_definitions_done(struct dmt_definitions *definitions);
void
dmt_definitions_fini(struct dmt_definitions *definitions);

#endif
