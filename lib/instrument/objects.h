/* objects.h - the program and its shared objects: addresses and symbols */
#ifndef DMT_INSTRUMENT_OBJECTS_H
#define DMT_INSTRUMENT_OBJECTS_H

#include "instrument/symbols.h"

#include <limits.h>

/* An address of the process, relative to the file that contains it. */
struct dmt_object_place {
	const char *file;		/* without directories */
	const char *symbol;		/* NULL: none */
	uintptr_t offset;		/* as in the file */
};

struct dmt_range {
	uintptr_t first, last;
};

/*
 * Looks up an address, and adds objects that are new. false: no object
 * contains it. The strings in *place are valid until dmt_objects_unlock, which
 * must be called in both cases.
 */
bool
dmt_objects_find(struct dmt_object_place *place, uintptr_t address);
void
dmt_objects_unlock(void);

/* Adds new objects, before one of them may be unloaded. */
void
dmt_objects_note(void);

/* Gets up to max ranges of objects that were unloaded; they are returned again
 * until dmt_objects_forget. */
size_t
dmt_objects_gone(struct dmt_range *ranges, size_t max);
void
dmt_objects_forget(const struct dmt_range *range);

/* Called in the child of a fork: another thread of the parent may have been
 * inside one of these functions. */
void
dmt_objects_after_fork(void);

#endif
