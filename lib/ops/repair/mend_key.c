/* mend_key.c - completes the key of repaired events */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "key/key.h"
#include "ops/repair/mend_events.h"
#include "private/key.h"
#include "private/text.h"

/* Adds rows to the key for threads and methods that have events but no row. */
static enum dmtrace_status
list_unlisted(struct dmtrace_key *key, const struct dmtrace_source *events,
    struct dmt_changes *changes)
{
	const struct dmt_indexes *const indexes = events->indexes;
	const struct dmt_mended *const mended = dmt_mend_found(events);
	enum dmtrace_status status = DMTRACE_OK;
	char name[32];

	for (size_t i = 0; i < mended->threads.count &&
	    status == DMTRACE_OK; i++) {
		const struct dmt_indexed_thread *const thread =
		    &indexes->threads[mended->threads.items[i]];

		if (thread->row != NULL)
			continue;
		dmt_change_add(changes, DMT_THREAD_UNLISTED, 1,
		    DMTRACE_PLACE_NONE, 0, "%" PRIu32, thread->number);
		snprintf(name, sizeof(name), DMT_UNLISTED_NAME,
		    thread->number);
		status = dmtrace_key_thread_add(key, &(struct dmtrace_thread){
		    thread->number, dmt_text_of(name) });
	}
	for (size_t i = 0; i < mended->unlisted.count &&
	    status == DMTRACE_OK; i++) {
		const uint64_t id =
		    indexes->methods[mended->unlisted.items[i]].id;

		dmt_change_add(changes, DMT_METHOD_UNLISTED, 1,
		    DMTRACE_PLACE_NONE, 0, "0x%" PRIx64, id);
		snprintf(name, sizeof(name), "0x%" PRIx64, id);
		status = dmtrace_key_method_add(key, &(struct dmtrace_method){
		    .id = id,
		    .class_name = { "unknown", 7 },
		    .name = dmt_text_of(name),
		    .signature = { "()V", 3 },
		    .file = { "", 0 },
		    .line = DMTRACE_NO_LINE
		});
	}
	return status;
}

/* Adds a row to an empty table, as dmtracedump requires one. */
static enum dmtrace_status
fill_tables(struct dmtrace_key *key, struct dmt_changes *changes)
{
	static const struct dmtrace_thread thread = { 1, { "main", 4 } };
	static const struct dmtrace_method method = {
		.id = 4, .class_name = { "unknown", 7 },
		.name = { "unknown", 7 }, .signature = { "()V", 3 },
		.file = { "", 0 }, .line = DMTRACE_NO_LINE
	};
	enum dmtrace_status status = DMTRACE_OK;

	if (dmtrace_key_thread_count(key) == 0) {
		dmt_change_add(changes, DMT_THREAD_NONE, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
		status = dmtrace_key_thread_add(key, &thread);
	}
	if (status == DMTRACE_OK && dmtrace_key_method_count(key) == 0) {
		dmt_change_add(changes, DMT_METHOD_NONE, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
		status = dmtrace_key_method_add(key, &method);
	}
	return status;
}

enum dmtrace_status
dmt_mend_key(struct dmtrace_key *key, const struct dmtrace_source *events,
    bool fills, struct dmt_changes *changes, struct dmtrace_error *error)
{
	if (list_unlisted(key, events, changes) != DMTRACE_OK ||
	    (fills && fill_tables(key, changes) != DMTRACE_OK))
		*error = *dmt_key_error(key);
	return error->status;
}

enum dmtrace_status
dmt_mend_key_sign(struct dmtrace_key *key, const struct dmt_mended *mended,
    uint64_t records_in, struct dmt_changes *changes,
    struct dmtrace_error *error)
{
	const uint64_t records = mended->records;
	const struct dmt_key_counts had = dmt_key_counts(key);
	const bool counted = had.calls != UINT64_MAX;
	struct dmt_key_counts counts = had;

	/* Of the records that an earlier tool inserted, those at the end may
	 * have been lost. */
	const uint64_t lost =
	    counted && had.calls > records ? had.calls - records : 0;
	const uint64_t closed = had.closed > records ? records : had.closed;
	if (mended->opened > 0)
		counts.opened = mended->opened +
		    (had.opened > records ? records : had.opened);
	counts.closed = mended->closed + (closed > lost ? closed - lost : 0);
	counts.calls = mended->records_out;

	/* A count that was right and changes with the records is no defect. */
	if (counted && had.calls != mended->records_out &&
	    had.calls != records_in)
		dmt_change_add(changes, DMT_COUNT_DIFFERS, 1,
		    DMTRACE_PLACE_NONE, 0, "%" PRIu64 ", not %" PRIu64,
		    mended->records_out, had.calls);
	dmt_key_set_counts(key, &counts);

	char *const value = dmt_changes_option(changes,
	    dmtrace_key_option_find(key, DMT_OPTION_REPAIRED));
	if (value == NULL)
		return dmt_error_memory(error);
	if (value[0] != '\0' && dmt_key_error(key)->status == DMTRACE_OK)
		dmtrace_key_option_set(key, DMT_OPTION_REPAIRED, value);
	free(value);
	*error = *dmt_key_error(key);
	return error->status;
}
