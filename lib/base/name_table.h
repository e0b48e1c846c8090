/* name_table.h - names of any bytes, each once, by index */
#ifndef DMT_BASE_NAME_TABLE_H
#define DMT_BASE_NAME_TABLE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/idmap.h"

#define DMT_NO_NAME UINT32_MAX		/* no memory */

/* Of a method; of anything else in .name alone. Names are the same if all of it
 * is. */
struct dmt_name {
	struct dmtrace_text class_name, name, signature;
	bool listed;			/* by a key; else an id is the name */
	uint32_t next;			/* of the same hash, and 1; 0: none */
};

/* Zero is a valid, empty table. */
struct dmt_name_table {
	bool dots;			/* '.' and '/' of a class are the same;
					   set it at the start */
	struct dmt_name *items;		/* texts in the arena; up to 2^30 */
	size_t count;
	size_t capacity;
	struct dmt_idmap by_hash;	/* the last one that has it */
	struct dmt_arena arena;
};

/* The index of a name, which is copied if it is new; or DMT_NO_NAME. */
uint32_t
dmt_name_table_intern(struct dmt_name_table *names,
    const struct dmt_name *name);

/* The index of a new row of a name, which intern does not find; or
 * DMT_NO_NAME. */
uint32_t
dmt_name_table_append(struct dmt_name_table *names,
    const struct dmt_name *name);

void
dmt_name_table_fini(struct dmt_name_table *names);

#endif
