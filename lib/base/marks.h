/* marks.h - very many bits, in memory up to a limit, else in a temporary */
#ifndef DMT_BASE_MARKS_H
#define DMT_BASE_MARKS_H

#include <stdbool.h>

#include "base/sink.h"

/* Zero but for most, the bytes of memory to stay within, is a valid set in
 * which no bit is. The first failure stays in error; then bits are lost. */
struct dmt_marks {
	uint64_t most;
	struct dmt_marks_page **pages;	/* by number; NULL: not in memory */
	size_t count;
	size_t capacity;
	size_t held;			/* pages that are in memory */
	size_t next;			/* the one to look at to give away */
	struct dmt_sink file;		/* where the others are */
	bool has_file;
	struct dmtrace_error error;
};

void
dmt_marks_add(struct dmt_marks *marks, uint64_t bit);

bool
dmt_marks_has(struct dmt_marks *marks, uint64_t bit);

void
dmt_marks_fini(struct dmt_marks *marks);

#endif
