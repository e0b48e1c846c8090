/* report_paths.h - the nodes of a tree in the order of their ways up */
#ifndef REPORT_PATHS_H
#define REPORT_PATHS_H

#include "report/report.h"

struct path {
	uint32_t parent;		/* of the top: itself */
	uint32_t jump;			/* far above */
	uint32_t depth;			/* of the top: 0 */
	uint32_t method;
};

struct path_sum {
	uint64_t calls;
	uint64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];
};

/*
 * Of two nodes, the one comes first whose method does in the profile, or else
 * that of the node above, and so on: nodes below which the same methods lie
 * side by side, as far as one looks.
 */
struct paths {
	struct path *items;		/* by node */
	uint32_t *order;		/* the nodes */
	struct path_sum *sums;		/* of the first ones in order, from
					   none to count of them */
	size_t count;
};

/* false: no memory. In any case paths_fini. */
bool
paths_init(struct paths *paths, const struct report *report, size_t table);

void
paths_fini(struct paths *paths);

/* The node that is so many steps above one that is at least as deep. */
uint32_t
paths_above(const struct paths *paths, uint32_t node, uint32_t steps);

#endif
