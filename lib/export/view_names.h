/* view_names.h - the methods of a page, and how many of them have a name */
#ifndef DMT_EXPORT_VIEW_NAMES_H
#define DMT_EXPORT_VIEW_NAMES_H

#include <stdbool.h>

#include "events/indexes.h"
#include "private/output.h"

/* A zeroed struct is valid and empty. */
struct dmt_view_names {
	uint32_t *row;			/* by method: its row on the page, */
	uint32_t *same;			/* and that which has its figures: the
					   first one of the same name */
	uint32_t *package;		/* by method */
	size_t row_count;
	size_t package_count;
	struct dmt_output rows;		/* of the JSON array, as text */
	bool cut;			/* not each method has a row of its
					   own */
};

/* Chooses the methods that have a row, and makes the rows: if all of them take
 * more than so many bytes, names of least time, by method, have one row
 * together, the last one. ns may be NULL; then what is made is of no use if it
 * is cut. false: no memory. */
bool
dmt_view_names_begin(struct dmt_view_names *names,
    const struct dmt_indexes *indexes, const uint64_t *ns, size_t most);

void
dmt_view_names_fini(struct dmt_view_names *names);

#endif
