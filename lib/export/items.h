/* items.h - the methods of a profile's table, by inclusive time */
#ifndef DMT_EXPORT_ITEMS_H
#define DMT_EXPORT_ITEMS_H

#include <dmtrace/export.h>

#include "private/export.h"

struct dmt_item {
	int64_t time_ns;		/* inclusive: the longest come first */
	uint32_t index;
	struct dmtrace_profile_method method;
};

/* Those that were called, without the top; what is equal by names, then by
 * index. Free them. NULL: no memory. */
struct dmt_item *
dmt_items(const struct dmtrace_profile *profile, size_t table,
    enum dmtrace_profile_clock clock, size_t *count);

/* The reference number of each method: its rank, from 1, by inclusive time
 * in all threads; 0: it was not called. Free them. NULL: no memory. */
uint32_t *
dmt_references(const struct dmtrace_profile *profile,
    enum dmtrace_profile_clock clock);

/* Whether time is as long as percent of total says. */
int
dmt_is_long(int64_t time, int64_t total, double percent);

/*
 * All calls of one method by another: an edge, whose calls and times are those
 * of edges that differ only in what is recursive. inclusive_ns is that of
 * calls which lie in no other call of the callee; callee_recursive: there are
 * none of these.
 */
struct dmt_link_walk {
	const struct dmtrace_profile *profile;
	size_t table;
	size_t next;
};

/* The next one; 0: there is none. */
int
dmt_link_next(struct dmt_link_walk *walk, struct dmtrace_profile_edge *link);

#endif
