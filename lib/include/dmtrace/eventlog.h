/* dmtrace/eventlog.h - Android event logs: tags and entries */
#ifndef DMTRACE_EVENTLOG_H
#define DMTRACE_EVENTLOG_H

#include <dmtrace/finding.h>
#include <dmtrace/key.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a value is: the type byte of an entry. Tag files count from 1. */
enum dmtrace_value_type {
	DMTRACE_VALUE_INT = 0,
	DMTRACE_VALUE_LONG = 1,
	DMTRACE_VALUE_STRING = 2,
	DMTRACE_VALUE_LIST = 3,
	DMTRACE_VALUE_FLOAT = 4
};

/* "int", "long", "string", "list" or "float"; "" for another number.
 * Thread-safe. */
DMTRACE_API const char *
dmtrace_value_type_name(enum dmtrace_value_type type);

/* The unit of a field in a tag file. */
enum dmtrace_unit {
	DMTRACE_UNIT_NONE = 0,
	DMTRACE_UNIT_OBJECTS = 1,
	DMTRACE_UNIT_BYTES = 2,
	DMTRACE_UNIT_MS = 3,
	DMTRACE_UNIT_ALLOCATIONS = 4,
	DMTRACE_UNIT_ID = 5,
	DMTRACE_UNIT_PERCENT = 6,
	DMTRACE_UNIT_SECONDS = 7	/* of a monotonic clock; written "s" */
};

/* "", "objects", "bytes", "ms", "allocations", "id", "%" or "s". Thread-safe.
 */
DMTRACE_API const char *
dmtrace_unit_name(enum dmtrace_unit unit);

/* What a tag file says of one value of an entry. */
struct dmtrace_tag_field {
	const char *name;
	enum dmtrace_value_type type;
	enum dmtrace_unit unit;
};

/* A line of a tag file. */
struct dmtrace_tag {
	uint32_t number;		/* below 2^31 */
	const char *name;		/* letters, digits and "_" */
	const struct dmtrace_tag_field *fields;
	size_t field_count;		/* 0: the line describes none */
};

/*
 * The tags of an event-log-tags file (dmtrace-eventlog.5). It keeps the text
 * that it was decoded from and encodes it as it was, to the byte; tags that
 * are added are lines at its end. Not thread-safe; two of them share nothing.
 */
struct dmtrace_tags;

/* No tags. NULL: no memory. */
DMTRACE_API struct dmtrace_tags *
dmtrace_tags_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_tags_free(struct dmtrace_tags *tags);

/* The failure of the last call that loaded, decoded or added; belongs to the
 * tags. DMTRACE_OK: it did not fail. */
DMTRACE_API const struct dmtrace_error *
dmtrace_tags_error(const struct dmtrace_tags *tags);

/*
 * Reads a tag file, or the len bytes of one. Lines that cannot be read are
 * findings, which go to report unless that is NULL; they are kept in the
 * text. On failure there are no tags.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_LIMIT  larger than 16 MiB
 *   DMTRACE_ERR_STATE  tags were decoded or added before
 */
DMTRACE_API enum dmtrace_status
dmtrace_tags_load(struct dmtrace_tags *tags, const char *path,
    dmtrace_finding_fn *report, void *context);
DMTRACE_API enum dmtrace_status
dmtrace_tags_decode(struct dmtrace_tags *tags, const void *bytes, size_t len,
    dmtrace_finding_fn *report, void *context);

/* The tags in the order of the file; get wants an index below the count. They
 * belong to the tags and live until one is added. */
DMTRACE_API size_t
dmtrace_tags_count(const struct dmtrace_tags *tags);
DMTRACE_API const struct dmtrace_tag *
dmtrace_tags_get(const struct dmtrace_tags *tags, size_t index);

/* The first tag of that number, or NULL; lives like one of get. */
DMTRACE_API const struct dmtrace_tag *
dmtrace_tags_find(const struct dmtrace_tags *tags, uint32_t number);

/*
 * Adds a line at the end. The strings are copied. On failure the tags are as
 * they were.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT, or
 *   DMTRACE_ERR_RANGE  the number is 2^31 or more, or is there already; the
 *                      name is empty or has other characters; a field's name
 *                      is empty or has one of "|()," or a control
 *                      character; its type or unit is none of those above
 */
DMTRACE_API enum dmtrace_status
dmtrace_tags_add(struct dmtrace_tags *tags, const struct dmtrace_tag *tag);

/* The text of the file, which is *len bytes; belongs to the tags and lives
 * until one is added. */
DMTRACE_API const char *
dmtrace_tags_encode(const struct dmtrace_tags *tags, size_t *len);

#ifdef __cplusplus
}
#endif

#endif
