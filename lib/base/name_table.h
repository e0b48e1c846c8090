/* name_table.h - names of any bytes, each once, by index */
#ifndef DMT_BASE_NAME_TABLE_H
#define DMT_BASE_NAME_TABLE_H

#include <dmtrace/key.h>

#include "base/arena.h"
#include "base/idmap.h"

#define DMT_NO_NAME UINT32_MAX		/* no memory */

struct dmt_name_row {
	struct dmtrace_text text;	/* in the arena */
	uint32_t next;			/* of the same hash, and 1; 0: none */
};

/* Zero is a valid, empty table. */
struct dmt_name_table {
	struct dmt_name_row *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_hash;	/* the last one that has it */
	struct dmt_arena arena;
};

/* The index of a name, which is copied if it is new; or DMT_NO_NAME. */
uint32_t
dmt_name_table_intern(struct dmt_name_table *names, struct dmtrace_text name);

void
dmt_name_table_fini(struct dmt_name_table *names);

#endif
