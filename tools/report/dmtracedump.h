/* dmtracedump.h - prints what dmtracedump printed, for existing scripts */
#ifndef DMTRACEDUMP_H
#define DMTRACEDUMP_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/out.h"
#include "report/report.h"

/* Returns the options of dmtrace_profile_new for this report. */
struct dmtrace_profile_options
dmtracedump_options(void);

/* A method as dmtracedump parses its line: without a signature it has no name
 * either, and its class is everything after the id. */
struct dump_method {
	int64_t id;			/* -2: the top; -1: unknown */
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
	struct dump_method **sorted;	/* by the last sort */
	size_t count;
	struct dmt_output text;		/* memory of the names */
};

typedef int
dump_compare(const struct dump_method *a, const struct dump_method *b);

/* Lists the methods of the key, without figures. false: no memory, which was
 * reported. Call dump_methods_fini in any case. */
bool
dump_methods_init(struct dump_methods *methods,
    const struct dmtrace_key *key);

/* Sets the figures from a profile of that key's trace, which was made with
 * dmtracedump_options. */
void
dump_methods_profile(struct dump_methods *methods,
    const struct dmtrace_profile *profile, enum dmtrace_profile_clock clock);

/*
 * Sorts by merge sort, like the C library that dmtracedump was linked with:
 * some of its comparisons are inconsistent, and then the result depends on the
 * algorithm. false: no memory, which was reported.
 */
bool
dump_sort(struct dump_method **methods, size_t count, dump_compare *compare);

dump_compare dump_by_inclusive;
dump_compare dump_by_exclusive;
dump_compare dump_by_class;
dump_compare dump_by_name;

void
dump_methods_fini(struct dump_methods *methods);

/* Prints dmtracedump's report of a profile. false: no memory, which was
 * reported. */
bool
dmtracedump_put(struct report *report, const struct dmtrace_key *key);

/* Prints what dmtracedump -o printed. name is the name of the file in
 * messages. false: no memory, or the trace cannot be read, which was
 * reported. */
bool
dmtracedump_list(struct out *out, struct dmtrace_source *source,
    const struct dmtrace_key *key, const char *name);

/* Writes "class.name signature", or the class alone. */
void
dump_put_method(struct dmt_output *buffer, const struct dump_method *method);

#endif
