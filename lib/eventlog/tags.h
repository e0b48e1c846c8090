/* tags.h - the tags of an event log, and the text of a tag file */
#ifndef DMT_EVENTLOG_TAGS_H
#define DMT_EVENTLOG_TAGS_H

#include <dmtrace/eventlog.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "format/finding.h"

#define DMT_TAGS_SIZE_MAX (16 * 1024 * 1024)	/* bytes of a tag file */

struct dmt_tag_row {
	struct dmtrace_tag tag;
	struct dmtrace_tag_field *fields;	/* the fields of tag */
};

struct dmtrace_tags {
	char *text;			/* the text of the file */
	size_t len;
	size_t capacity;
	struct dmt_tag_row *rows;
	size_t count;
	size_t row_capacity;
	struct dmt_idmap by_number;	/* by number: its first row */
	struct dmt_arena strings;
	struct dmt_findings findings;
	struct dmtrace_error error;
};

/*
 * Appends len bytes to the text, and decodes the lines in them.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT: the text is
 * unchanged, and if the bytes are a single line, the rows are, too
 */
enum dmtrace_status
dmt_tags_append(struct dmtrace_tags *tags, const char *bytes, size_t len);

/* Frees all rows and the text, but keeps the error. */
void
dmt_tags_clear(struct dmtrace_tags *tags);

/* Returns the character of a unit in a tag file; 0: none. */
char
dmt_unit_code(enum dmtrace_unit unit);

/* Returns true if a field may have this name of len bytes. */
bool
dmt_field_name_fits(const char *name, size_t len);

static inline bool
dmt_is_tag_name_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	    (byte >= '0' && byte <= '9') || byte == '_';
}

#endif
