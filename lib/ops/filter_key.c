/* filter_key.c - the key of what a filter leaves */

#include "ops/filter.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "key/key.h"

#define COUNT "num-method-calls"
#define OPENED "dmtrace-opened"
#define CLOSED "dmtrace-closed"

static bool
has_option(const struct dmt_filter *filter, const char *name)
{
	return dmtrace_key_option_find(filter->reader->key, name) != NULL;
}

bool
dmt_filter_changes_key(const struct dmt_filter *filter)
{
	const struct dmtrace_selection *const asked = filter->selection;

	return !filter->keep_tables || (asked->windowed && !asked->raw) ||
	    has_option(filter, COUNT) || has_option(filter, OPENED) ||
	    has_option(filter, CLOSED);
}

/* The ids of the rows to keep; the value of an id does not matter. */
struct rows {
	struct dmt_idmap threads;
	const struct dmt_census *census;
};

static bool
has_thread(const void *context, uint32_t id)
{
	const struct rows *const rows = context;

	return dmt_idmap_find(&rows->threads, id) != NULL;
}

static bool
has_method(const void *context, uint64_t id)
{
	const struct rows *const rows = context;

	return dmt_census_has_method(rows->census, id);
}

/* The ids that the records' numbers stand for. false: no memory. */
static bool
find_threads(struct rows *rows, const struct dmt_filter *filter)
{
	const struct dmtrace_layout *const layout = &filter->reader->layout;
	const size_t numbers = dmt_layout_thread_numbers(layout);

	for (uint32_t i = 0; i < numbers; i++) {
		const struct dmtrace_thread *const thread =
		    !dmt_census_has_thread(&filter->census, i) ? NULL :
		    dmtrace_key_thread_match(filter->reader->key, layout, i);

		if (thread != NULL && !has_thread(rows, thread->id) &&
		    !dmt_idmap_add(&rows->threads, thread->id, 0))
			return false;
	}
	return true;
}

static enum dmtrace_status
leave_rows_out(struct dmt_filter *filter)
{
	struct rows rows = { .census = &filter->census };
	const struct dmt_rows_kept kept = { has_thread, has_method, &rows };
	struct dmtrace_key *const key = find_threads(&rows, filter) ?
	    dmt_key_without(filter->writer->key, &kept) : NULL;

	dmt_idmap_fini(&rows.threads);
	if (key == NULL)
		return dmt_error_memory(&filter->op->error);
	dmtrace_key_free(filter->writer->key);
	filter->writer->key = key;
	return DMTRACE_OK;
}

static enum dmtrace_status
set_number(struct dmt_filter *filter, const char *name, uint64_t number,
    bool wanted)
{
	struct dmtrace_key *const key = filter->writer->key;
	char digits[24];

	if (!wanted)
		return DMTRACE_OK;
	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	return dmtrace_key_option_set(key, name, digits) == DMTRACE_OK ?
	    DMTRACE_OK : dmt_op_fail(filter->op, NULL,
	    dmtrace_key_error(key));
}

static enum dmtrace_status
set_added(struct dmt_filter *filter, const char *name,
    const struct dmt_added *added)
{
	const uint64_t number = added->kept + added->more;

	return set_number(filter, name, number,
	    number > 0 || has_option(filter, name));
}

enum dmtrace_status
dmt_filter_number_key(struct dmt_filter *filter)
{
	if (set_added(filter, OPENED, &filter->opened) != DMTRACE_OK ||
	    set_added(filter, CLOSED, &filter->closed) != DMTRACE_OK)
		return filter->op->error.status;
	return set_number(filter, COUNT, filter->kept + filter->opened.more +
	    filter->closed.more, has_option(filter, COUNT));
}

enum dmtrace_status
dmt_filter_finish_key(struct dmt_filter *filter)
{
	if (dmtrace_writer_key(filter->writer) == NULL)
		return DMTRACE_OK;
	if (!filter->keep_tables && leave_rows_out(filter) != DMTRACE_OK)
		return filter->op->error.status;
	return dmt_filter_number_key(filter);
}
