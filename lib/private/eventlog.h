/* eventlog.h - tags and event logs beyond reading and writing files */
#ifndef DMT_PRIVATE_EVENTLOG_H
#define DMT_PRIVATE_EVENTLOG_H

#include <dmtrace/eventlog.h>

/* "int", "long", "string", "list" or "float"; "" for another number.
 * Thread-safe. */
const char *
dmt_value_type_name(enum dmtrace_value_type type);

/* "", "objects", "bytes", "ms", "allocations", "id", "%" or "s". Thread-safe.
 */
const char *
dmt_unit_name(enum dmtrace_unit unit);

/* dmtrace_tags_load of the len bytes of a tag file. */
enum dmtrace_status
dmt_tags_decode(struct dmtrace_tags *tags, const void *bytes, size_t len,
    dmtrace_finding_fn *report, void *context);

/* The tags in the order of the file; get wants an index below the count. They
 * belong to the tags and live until one is added. */
size_t
dmt_tags_count(const struct dmtrace_tags *tags);
const struct dmtrace_tag *
dmt_tags_get(const struct dmtrace_tags *tags, size_t index);

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
enum dmtrace_status
dmt_tags_add(struct dmtrace_tags *tags, const struct dmtrace_tag *tag);

/* The text of the file, which is *len bytes; belongs to the tags and lives
 * until one is added. */
const char *
dmt_tags_encode(const struct dmtrace_tags *tags, size_t *len);

/* "main", "radio", ..., or "" for another id. Thread-safe. */
const char *
dmt_log_name(uint32_t log);

/* dmtrace_eventlog_reader_open of len bytes, which stay the caller's. */
enum dmtrace_status
dmt_eventlog_reader_open_memory(struct dmtrace_eventlog_reader *reader,
    const void *bytes, size_t len);

/* Opens an output to memory, which is the writer's. */
enum dmtrace_status
dmt_eventlog_writer_open_memory(struct dmtrace_eventlog_writer *writer);

/*
 * Writes the entries of a text of JSON, in the form that "dmtrace eventlog -f
 * json" prints (dmtrace-eventlog.1). header: the version that they get; 0:
 * their own, or 4.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * or with the byte of the text in the error's place
 *   DMTRACE_ERR_CORRUPT    no JSON, or no entry
 *   DMTRACE_ERR_TRUNCATED  it ends within a value
 *   DMTRACE_ERR_LIMIT      a string of more than 16 MiB, or more than 65,536
 *                          values within each other
 *   DMTRACE_ERR_RANGE      a number that its field cannot hold, or what
 *                          dmtrace_eventlog_writer_write refuses
 */
enum dmtrace_status
dmt_eventlog_writer_import(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_file *in, unsigned header);

/* The bytes of open_memory after the close, *len of them; they live until the
 * writer is freed. NULL, and 0: there are none. */
const void *
dmt_eventlog_writer_memory(const struct dmtrace_eventlog_writer *writer,
    size_t *len);

#endif
