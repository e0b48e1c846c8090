/* reader_source.h - functions of the source of a reader */
#ifndef DMT_TRACE_READER_SOURCE_H
#define DMT_TRACE_READER_SOURCE_H

#include "base/input.h"
#include "events/pipeline.h"

/* The same as dmtrace_source_new, but the source uses indexes of the caller,
 * which other sources may share; NULL: its own. */
struct dmtrace_source *
dmt_input_source(struct dmtrace_reader *reader, struct dmt_indexes *indexes);

/*
 * Makes the source of a reader, one of many that are read at the same time,
 * use little memory: it returns at most events events at a time and reads
 * small blocks; its file joins the pool (see dmt_reader_narrow). The rows of
 * the indexes are NULL from then on. Returns DMTRACE_OK or the status of the
 * source's error.
 */
enum dmtrace_status
dmt_input_narrow(struct dmtrace_source *source, struct dmt_pool *pool,
    size_t events);

/* Counts the records of a reader's source that was not pulled yet, in a pass
 * of its own. Returns DMTRACE_OK or the status of the source's error. */
enum dmtrace_status
dmt_input_count(struct dmtrace_source *source, uint64_t *records);

/*
 * For the source of a reader that is at its first record. dmt_input_redefine
 * makes in advance the index of each method that a packet redefines, and
 * returns DMTRACE_OK or DMTRACE_ERR_MEMORY. dmt_input_redefined returns the
 * index of the i-th of them.
 */
enum dmtrace_status
dmt_input_redefine(struct dmtrace_source *source);
uint32_t
dmt_input_redefined(const struct dmtrace_source *source, size_t i);

/* Returns the reader that a source, or the one below its stages, has its events
 * from; NULL: another kind of source. */
const struct dmtrace_reader *
dmt_source_reader(const struct dmtrace_source *source);

#endif
