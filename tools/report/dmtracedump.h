/* dmtracedump.h - what dmtracedump printed, for scripts that read it */
#ifndef DMTRACEDUMP_H
#define DMTRACEDUMP_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/out.h"
#include "report/report.h"

/* Returns what to give to dmtrace_profile_new for the report. */
struct dmtrace_profile_options
dmtracedump_options(void);

/* A method as dmtracedump splits its line: without a signature it has no name
 * either, and its class is all that follows the id. */
struct dump_method {
	int64_t id;			/* -2: the top; -1: what is unknown */
	const char *class_name;		/* NUL-terminated, as the next two */
	const char *name;		/* NULL: none */
	const char *signature;
	size_t profile_index;
	size_t index;			/* by inclusive time */
	int64_t inclusive_us, exclusive_us, outer_us;
	uint64_t calls, recursive_calls;
};

/* All methods of a profile, sorted by id. */
struct dump_methods {
	struct dump_method *items;
	struct dump_method **sorted;	/* by what was asked for last */
	size_t count;
	struct strbuf text;		/* the names */
};

typedef int
dump_compare(const struct dump_method *a, const struct dump_method *b);

/* Those of the key, without figures. False, which is reported: no memory. In
 * any case dump_methods_fini. */
bool
dump_methods_init(struct dump_methods *methods,
    const struct dmtrace_key *key);

/* The figures of a profile of that key's trace, which was made with
 * dmtracedump_options. */
void
dump_methods_profile(struct dump_methods *methods,
    const struct dmtrace_profile *profile, enum dmtrace_profile_clock clock);

/*
 * Sorts by merging halves, as the sort of the C library did that dmtracedump
 * was linked with: some of its comparisons contradict each other, and then
 * the way of sorting decides. False, which is reported: no memory.
 */
bool
dump_sort(struct dump_method **methods, size_t count, dump_compare *compare);

dump_compare dump_by_inclusive;
dump_compare dump_by_exclusive;
dump_compare dump_by_class;
dump_compare dump_by_name;

void
dump_methods_fini(struct dump_methods *methods);

/* Puts dmtracedump's report of a profile. False, which is reported: no
 * memory. */
bool
dmtracedump_put(struct report *report, const struct dmtrace_key *key);

/* Puts what dmtracedump -o listed. name is the file's, for messages. False,
 * which is reported: no memory, or the trace cannot be read. */
bool
dmtracedump_list(struct out *out, struct dmtrace_source *source,
    const struct dmtrace_key *key, const char *name);

/* "class.name signature", or the class alone. */
void
dump_put_method(struct strbuf *buffer, const struct dump_method *method);

#endif
