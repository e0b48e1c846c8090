/* tags.h - the tags of an event log */
#ifndef DMT_EVENTLOG_TAGS_H
#define DMT_EVENTLOG_TAGS_H

#include <dmtrace/eventlog.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "format/finding.h"

#define DMT_TAGS_SIZE_MAX (16 * 1024 * 1024)	/* bytes of a tag file */

struct dmt_tag_row {
	struct dmtrace_tag tag;
	struct dmtrace_tag_field *fields;	/* the fields of tag */
};

struct dmtrace_tags {
	bool loaded;			/* a file was read */
	struct dmt_tag_row *rows;
	size_t count;
	size_t row_capacity;
	struct dmt_idmap by_number;	/* by number: its first row */
	struct dmt_arena strings;
	struct dmt_findings findings;
	struct dmtrace_error error;
};

/* Frees all rows, but keeps the error. */
void
dmt_tags_clear(struct dmtrace_tags *tags);

/* Returns the character of a unit in a tag file; 0: none. */
char
dmt_unit_code(enum dmtrace_unit unit);

#endif
