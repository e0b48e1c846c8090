/* imported_names.h - names of any bytes, each once, by index */
#ifndef DMT_IMPORT_IMPORTED_NAMES_H
#define DMT_IMPORT_IMPORTED_NAMES_H

#include <dmtrace/key.h>

#include "base/arena.h"
#include "base/idmap.h"

#define DMT_NO_NAME UINT32_MAX		/* no memory */

/* Zero is a valid, empty table. */
struct dmt_imported_names {
	struct dmtrace_text *items;
	uint32_t *same_hash;		/* the next one, and 1; 0: none */
	size_t count;
	size_t capacity, same_capacity;
	struct dmt_idmap by_hash;	/* the last one that has it */
	struct dmt_arena arena;
};

/* The index of a name, which is copied if it is new; or DMT_NO_NAME. */
uint32_t
dmt_imported_intern(struct dmt_imported_names *names, struct dmtrace_text name);

void
dmt_imported_fini(struct dmt_imported_names *names);

#endif
