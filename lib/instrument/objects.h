/* objects.h - the program and its shared objects, where they are loaded */
#ifndef DMT_INSTRUMENT_OBJECTS_H
#define DMT_INSTRUMENT_OBJECTS_H

#include "instrument/symbols.h"

#include <limits.h>

/* An entry point of the process, in words of the file it came from. */
struct dmt_object_place {
	const char *file;		/* without folders */
	const char *symbol;		/* NULL: it has none */
	uintptr_t offset;		/* in the file's own addresses */
};

struct dmt_range {
	uintptr_t first, last;
};

/*
 * Looks an address up; objects that are new since the last time are noted.
 * false: no object has it. What *place has lives until dmt_objects_unlock,
 * which is due in either case.
 */
bool
dmt_objects_find(struct dmt_object_place *place, uintptr_t address);
void
dmt_objects_unlock(void);

/* Notes the objects that are there, before one of them may go. */
void
dmt_objects_note(void);

/* Gets up to max ranges of noted objects that are not there any more, until
 * dmt_objects_forget forgets them. */
size_t
dmt_objects_gone(struct dmt_range *ranges, size_t max);
void
dmt_objects_forget(const struct dmt_range *range);

/* Called in the child of a fork: the parent may have been inside one of these
 * functions. */
void
dmt_objects_after_fork(void);

#endif
