/* name_table.h - a table of names without repetitions, by index */
#ifndef DMT_BASE_NAME_TABLE_H
#define DMT_BASE_NAME_TABLE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/idmap.h"

#define DMT_NO_NAME UINT32_MAX		/* no memory */

/* The name of a method, or of anything else, which uses only .name. Names are
 * equal if all members are. */
struct dmt_name {
	struct dmtrace_text class_name, name, signature;
	bool listed;			/* by a key; false: the id is the
					   name */
	uint32_t next;			/* 1 + the next one with the same hash;
					   0: none */
};

/* A zeroed struct is a valid, empty table. */
struct dmt_name_table {
	bool dots;			/* compare classes by dmt_class_byte;
					   set it before the first use */
	struct dmt_name *items;		/* at most 2^30; texts are in the
					   arena */
	size_t count;
	size_t capacity;
	struct dmt_idmap by_hash;	/* by hash: the last name that has it */
	struct dmt_arena arena;
};

/* Returns the index of a name, which is copied if it is new; DMT_NO_NAME: no
 * memory. */
uint32_t
dmt_name_table_intern(struct dmt_name_table *names,
    const struct dmt_name *name);

/* Returns the index of a name that is in the table, or DMT_NO_NAME. */
uint32_t
dmt_name_table_find(const struct dmt_name_table *names,
    const struct dmt_name *name);

/* Adds a name that intern will not find. Returns its index, or DMT_NO_NAME. */
uint32_t
dmt_name_table_append(struct dmt_name_table *names,
    const struct dmt_name *name);

void
dmt_name_table_fini(struct dmt_name_table *names);

#endif
