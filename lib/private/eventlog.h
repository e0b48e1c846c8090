/* eventlog.h - tags and event logs: functions for the program and the tests */
/* layer: eventlog */
#ifndef DMT_PRIVATE_EVENTLOG_H
#define DMT_PRIVATE_EVENTLOG_H

#include <dmtrace/eventlog.h>

/* Returns "int", "long", "string", "list" or "float"; "" for another number.
 * Thread-safe. */
const char *
dmt_value_type_name(enum dmtrace_value_type type);

/* Returns "", "objects", "bytes", "ms", "allocations", "id", "%" or "s".
 * Thread-safe. */
const char *
dmt_unit_name(enum dmtrace_unit unit);

/* dmtrace_tags_load for a tag file in memory, of len bytes. */
enum dmtrace_status
dmt_tags_decode(struct dmtrace_tags *tags, const void *bytes, size_t len,
    dmtrace_finding_fn *report, void *context);

/* The number of tags, and the tags in the order of the file; index is below
 * the number. They belong to the tags. */
size_t
dmt_tags_count(const struct dmtrace_tags *tags);
const struct dmtrace_tag *
dmt_tags_get(const struct dmtrace_tags *tags, size_t index);

/* Returns "main", "radio", ..., or "" for another id. Thread-safe. */
const char *
dmt_log_name(uint32_t log);

/* dmtrace_eventlog_reader_open for len bytes in memory, which must stay
 * valid. */
enum dmtrace_status
dmt_eventlog_reader_open_memory(struct dmtrace_eventlog_reader *reader,
    const void *bytes, size_t len);

/* Opens an output to memory that belongs to the writer. */
enum dmtrace_status
dmt_eventlog_writer_open_memory(struct dmtrace_eventlog_writer *writer);

/*
 * Writes the entries in a JSON text of the form that "dmtrace eventlog -f
 * json" prints (dmtrace-eventlog.1). header is the version of their headers;
 * 0: that in the text, or 4.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * or with the offset in the text as the place of the error
 *   DMTRACE_ERR_CORRUPT    not JSON, or not an entry
 *   DMTRACE_ERR_TRUNCATED  it ends within a value
 *   DMTRACE_ERR_LIMIT      a string of more than 16 MiB, or more than 65,536
 *                          nested values
 *   DMTRACE_ERR_RANGE      a number that does not fit its field, or what
 *                          dmtrace_eventlog_writer_write refuses
 */
enum dmtrace_status
dmt_eventlog_writer_import(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_file *in, unsigned header);

/* Returns the *len bytes of an output to memory after the close; they are
 * valid until the writer is freed. NULL, with 0: there are none. */
const void *
dmt_eventlog_writer_memory(const struct dmtrace_eventlog_writer *writer,
    size_t *len);

#endif
