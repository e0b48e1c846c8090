/* definitions.h - the threads and methods that a stream announces */
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
	uint32_t older;			/* the one of that id before it, + 1;
					   0: it is the first */
};

struct dmt_definition_table {
	struct dmt_definition *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap latest;	/* by id, the last item of it */
};

/* From this place of the file on an id means another row of the key: one that
 * follows those of the redefinitions before, or one of its own again. */
struct dmt_redefinition {
	uint64_t at;
	uint64_t id;
	uint32_t row;			/* of the key's methods */
};

/*
 * What is announced between the events of a trace is gathered in a pass of
 * its own, before the first event is handed out, and becomes a key. Zero is a
 * valid, empty one.
 */
struct dmt_definitions {
	struct dmt_arena arena;
	struct dmt_definition_table threads;
	struct dmt_definition_table methods;
	struct dmt_redefinition *redefined;	/* by rising at */
	size_t redefined_count;
	size_t redefined_capacity;
	uint64_t size;			/* bytes of the texts */
};

/*
 * A thread's name, or the line of a method without its line end. What was
 * said before, word for word, is passed over. at: of the packet, for findings.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_CORRUPT  it is no line of a method
 */
enum dmtrace_status
dmt_define_thread(struct dmt_definitions *definitions, uint32_t number,
    struct dmtrace_text name, uint64_t at, struct dmt_findings *findings);
enum dmtrace_status
dmt_define_method(struct dmt_definitions *definitions,
    struct dmtrace_text line, uint64_t at, struct dmt_findings *findings);

/*
 * Makes a key of the definitions and of a summary, which may have tables of
 * its own: its options, or if summary is NULL a version and a clock alone, the
 * threads and methods that were defined, and those that the summary alone
 * has. A thread that has several names is there once with each, the last one
 * first; a method that was redefined, once with each definition, in the order
 * of the first ones. key, which is a new one, has the limits; clock is added
 * where the summary has none. What is odd in the text goes to the findings,
 * with lines of a key that no file has.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT, which the error
 * of key is about
 */
enum dmtrace_status
dmt_definitions_key(const struct dmt_definitions *definitions,
    struct dmtrace_key *key, const struct dmtrace_key *summary,
    unsigned version, enum dmtrace_clock clock,
    struct dmt_findings *findings);

/* Frees all but what was redefined, which is needed as long as events are
 * read; fini frees that. */
void
dmt_definitions_done(struct dmt_definitions *definitions);
void
dmt_definitions_fini(struct dmt_definitions *definitions);

#endif
