/* method_names.h - the methods of several traces, by name */
#ifndef DMT_VERIFY_METHOD_NAMES_H
#define DMT_VERIFY_METHOD_NAMES_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/idmap.h"

struct dmt_name {
	struct dmtrace_text class_name, name, signature;
	bool listed;
	uint32_t next;			/* of the same hash, and 1; 0: none */
};

/* Zero is valid, and empty. */
struct dmt_names {
	struct dmt_name *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_hash;
	struct dmt_arena bytes;
};

#define DMT_NO_NAME UINT32_MAX

/* The index of these names, which are copied when they are new. '/' and '.'
 * of a class are the same. DMT_NO_NAME: no memory. */
uint32_t
dmt_names_find(struct dmt_names *names, const struct dmt_name *wanted);

void
dmt_names_fini(struct dmt_names *names);

#endif
