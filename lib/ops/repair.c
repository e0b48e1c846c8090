/* repair.c - a valid trace of one that is broken */

#include "ops/repair.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "key/added.h"
#include "key/number.h"
#include "trace/records_source.h"

#define NUMBER_MAX 24			/* bytes of a decimal number */

void
dmtrace_repair_options_init(struct dmtrace_repair_options *options)
{
	*options = (struct dmtrace_repair_options){
		.size = sizeof(*options)
	};
}

static enum dmtrace_status
set_option(struct dmt_repair *repair, const char *name, const char *value)
{
	if (dmtrace_key_option_set(repair->key, name, value) == DMTRACE_OK)
		return DMTRACE_OK;
	return dmt_op_fail(repair->op, repair->in_file,
	    dmtrace_key_error(repair->key));
}

static enum dmtrace_status
set_number(struct dmt_repair *repair, const char *name, uint64_t number)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	return set_option(repair, name, digits);
}

/* The value of an option that is a plain number; false: there is none. */
static bool
get_number(const struct dmt_repair *repair, const char *name,
    uint64_t *number)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(repair->key, name);
	char digits[NUMBER_MAX] = "";
	char *end;

	if (option == NULL || option->value.len == 0 ||
	    option->value.len >= sizeof(digits) ||
	    option->value.bytes[0] < '0' || option->value.bytes[0] > '9')
		return false;
	memcpy(digits, option->value.bytes, option->value.len);
	*number = strtoull(digits, &end, 10);
	return *end == '\0';
}

static enum dmtrace_status
agree_on_version(struct dmt_repair *repair)
{
	const unsigned version = repair->layout.version;
	const unsigned named = dmtrace_key_version(repair->key);

	if (named == version)
		return DMTRACE_OK;
	if (repair->key_half.fd >= 0 &&
	    repair->changes.tallies[DMT_KEY_VERSION_BAD].count == 0)
		dmt_change_add(&repair->changes, DMT_VERSION_DIFFERS, 1,
		    DMTRACE_PLACE_LINE, 2, "the key has %u, the data %u",
		    named, version);
	if (dmtrace_key_set_version(repair->key, version) == DMTRACE_OK)
		return DMTRACE_OK;
	return dmt_op_fail(repair->op, repair->in_file,
	    dmtrace_key_error(repair->key));
}

/* What the clock line should be; MISSING: it is right, or was never there. */
static enum dmtrace_clock
clock_due(const struct dmt_repair *repair)
{
	const enum dmtrace_clock clock = dmtrace_key_clock(repair->key);
	const bool dual = repair->layout.clock == DMTRACE_CLOCK_DUAL;

	if (repair->key_half.fd < 0)
		return dual ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL;
	if (dual)
		return clock == DMTRACE_CLOCK_DUAL ? DMTRACE_CLOCK_MISSING :
		    DMTRACE_CLOCK_DUAL;
	return clock == DMTRACE_CLOCK_DUAL || clock == DMTRACE_CLOCK_UNKNOWN ?
	    DMTRACE_CLOCK_THREAD_CPU : DMTRACE_CLOCK_MISSING;
}

static enum dmtrace_status
agree_on_clock(struct dmt_repair *repair)
{
	const char *const word = dmtrace_clock_word(clock_due(repair));

	if (word[0] == '\0')
		return DMTRACE_OK;
	if (repair->key_half.fd >= 0)
		dmt_change_add(&repair->changes, DMT_CLOCK_DIFFERS, 1,
		    DMTRACE_PLACE_NONE, 0, "\"%s\"", word);
	if (set_option(repair, "clock", word) != DMTRACE_OK)
		return repair->op->error.status;
	if (repair->layout.clock == DMTRACE_CLOCK_DUAL)
		return DMTRACE_OK;
	dmt_layout_resolve(&repair->layout, repair->layout.version,
	    dmtrace_key_clock(repair->key), repair->layout.record_size);
	return DMTRACE_OK;
}

static void
tell_overflow(struct dmt_repair *repair)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(repair->key, "data-file-overflow");

	if (option != NULL && option->value.bytes != NULL &&
	    dmt_text_is(option->value, "true"))
		dmt_change_add(&repair->changes, DMT_OVERFLOW, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

enum dmtrace_status
dmt_repair_agree(struct dmt_repair *repair)
{
	tell_overflow(repair);
	if (agree_on_version(repair) != DMTRACE_OK)
		return repair->op->error.status;
	return agree_on_clock(repair);
}

/* Judges the events, in a pass of their own. */
static enum dmtrace_status
judge_events(struct dmt_repair *repair)
{
	const bool has_0 = dmtrace_key_thread_find(repair->key, 0) != NULL ||
	    dmtrace_key_method_find(repair->key, 0) != NULL;
	const uint64_t at = repair->data_at + repair->data_offset;
	struct dmtrace_op *const op = repair->op;
	struct dmt_source bytes;

	if (repair->records > 0)
		dmt_half_read(repair->data, at, &bytes);
	else
		dmt_source_open_memory(&bytes, NULL, 0);
	repair->events = dmt_mend_events(dmt_records_source_new(&bytes, at,
	    repair->key, &repair->layout, repair->records, !has_0),
	    repair->records, repair->options);
	if (repair->events == NULL)
		return dmt_error_memory(&op->error);
	dmtrace_source_set_progress(repair->events, op->progress,
	    op->progress_context);
	if (repair->out_file != NULL)
		dmt_want_pass(repair->events);
	dmt_want(repair->events, 0);
	if (dmt_mend_learn(repair->events) != DMTRACE_OK)
		return dmt_op_fail(op, repair->in_file,
		    dmtrace_source_error(repair->events));
	repair->mended = dmt_mend_found(repair->events);
	dmt_changes_merge(&repair->changes, &repair->mended->changes);
	return DMTRACE_OK;
}

static enum dmtrace_status
list_thread(struct dmt_repair *repair, uint32_t id)
{
	char name[32];
	const int len = snprintf(name, sizeof(name), "thread %" PRIu32, id);
	const struct dmtrace_thread row = { id, { name, (size_t)len } };

	dmt_change_add(&repair->changes, DMT_THREAD_UNLISTED, 1,
	    DMTRACE_PLACE_NONE, 0, "%" PRIu32, id);
	return dmtrace_key_thread_add(repair->key, &row);
}

static enum dmtrace_status
list_method(struct dmt_repair *repair, uint64_t id)
{
	char name[32];
	const int len = snprintf(name, sizeof(name), "0x%" PRIx64, id);
	const struct dmtrace_method row = {
		.id = id,
		.class_name = { "unknown", 7 },
		.name = { name, (size_t)len },
		.signature = { "()V", 3 },
		.file = { "", 0 },
		.line = DMTRACE_NO_LINE
	};

	dmt_change_add(&repair->changes, DMT_METHOD_UNLISTED, 1,
	    DMTRACE_PLACE_NONE, 0, "0x%" PRIx64, id);
	return dmtrace_key_method_add(repair->key, &row);
}

/* What events have and no table lists. */
static enum dmtrace_status
list_unlisted(struct dmt_repair *repair)
{
	const struct dmt_indexes *const indexes = repair->events->indexes;
	const struct dmt_mended *const mended = repair->mended;
	enum dmtrace_status status = DMTRACE_OK;

	for (size_t i = 0; i < mended->threads.count &&
	    status == DMTRACE_OK; i++) {
		const struct dmt_indexed_thread *const thread =
		    &indexes->threads[mended->threads.items[i]];

		if (thread->row == NULL)
			status = list_thread(repair, thread->number);
	}
	for (size_t i = 0; i < mended->unlisted.count &&
	    status == DMTRACE_OK; i++)
		status = list_method(repair,
		    indexes->methods[mended->unlisted.items[i]].id);
	return status == DMTRACE_OK ? DMTRACE_OK : dmt_op_fail(repair->op,
	    repair->in_file, dmtrace_key_error(repair->key));
}

/* dmtracedump wants a line in each table. */
static enum dmtrace_status
fill_tables(struct dmt_repair *repair)
{
	static const struct dmtrace_thread thread = { 1, { "main", 4 } };
	static const struct dmtrace_method method = {
		.id = 4, .class_name = { "unknown", 7 },
		.name = { "unknown", 7 }, .signature = { "()V", 3 },
		.file = { "", 0 }, .line = DMTRACE_NO_LINE
	};
	struct dmtrace_key *const key = repair->key;
	enum dmtrace_status status = DMTRACE_OK;

	if (dmtrace_key_thread_count(key) == 0) {
		dmt_change_add(&repair->changes, DMT_THREAD_NONE, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
		status = dmtrace_key_thread_add(key, &thread);
	}
	if (status == DMTRACE_OK && dmtrace_key_method_count(key) == 0) {
		dmt_change_add(&repair->changes, DMT_METHOD_NONE, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
		status = dmtrace_key_method_add(key, &method);
	}
	return status == DMTRACE_OK ? DMTRACE_OK : dmt_op_fail(repair->op,
	    repair->in_file, dmtrace_key_error(key));
}

/* Records that an earlier tool added; no more than there are. */
static uint64_t
old_added(const struct dmt_repair *repair, const char *name)
{
	const uint64_t added = dmt_added(repair->key, name);
	const uint64_t records = repair->mended->records;

	return added < records ? added : records;
}

/* Of those at the end, as many as are lost may be gone. */
static uint64_t
old_closed(const struct dmt_repair *repair, uint64_t calls)
{
	const uint64_t records = repair->mended->records;
	const uint64_t lost = calls > records ? calls - records : 0;
	const uint64_t closed = old_added(repair, "dmtrace-closed");

	return closed <= lost ? 0 : closed - lost;
}

static enum dmtrace_status
set_added(struct dmt_repair *repair, uint64_t calls)
{
	const uint64_t closed = old_closed(repair, calls);
	const uint64_t opened = old_added(repair, "dmtrace-opened");

	if (repair->mended->opened > 0 && set_number(repair, "dmtrace-opened",
	    opened + repair->mended->opened) != DMTRACE_OK)
		return repair->op->error.status;
	if (closed + repair->mended->closed ==
	    dmt_added(repair->key, "dmtrace-closed"))
		return DMTRACE_OK;
	return set_number(repair, "dmtrace-closed", closed + repair->mended->closed);
}

static enum dmtrace_status
set_count(struct dmt_repair *repair, bool named, uint64_t calls)
{
	if (!named || calls == repair->mended->records_out)
		return DMTRACE_OK;
	dmt_change_add(&repair->changes, DMT_COUNT_DIFFERS, 1,
	    DMTRACE_PLACE_NONE, 0, "%" PRIu64 ", not %" PRIu64,
	    repair->mended->records_out, calls);
	return set_number(repair, "num-method-calls", repair->mended->records_out);
}

/* What was done goes into the key. */
static enum dmtrace_status
sign(struct dmt_repair *repair)
{
	uint64_t calls = repair->mended->records;
	const bool named = get_number(repair, "num-method-calls", &calls);

	if (set_added(repair, calls) != DMTRACE_OK ||
	    set_count(repair, named, calls) != DMTRACE_OK)
		return repair->op->error.status;
	char *const value = dmt_changes_option(&repair->changes,
	    dmtrace_key_option_find(repair->key, "dmtrace-repaired"));
	if (value == NULL)
		return dmt_error_memory(&repair->op->error);
	if (value[0] != '\0')
		set_option(repair, "dmtrace-repaired", value);
	free(value);
	return repair->op->error.status;
}

static enum dmtrace_status
run(struct dmt_repair *repair)
{
	struct dmtrace_op *const op = repair->op;

	if (dmt_repair_open(repair) != DMTRACE_OK ||
	    dmt_repair_find_front(repair) != DMTRACE_OK ||
	    dmt_repair_mend_key(repair) != DMTRACE_OK ||
	    dmt_repair_find_records(repair) != DMTRACE_OK ||
	    dmt_repair_agree(repair) != DMTRACE_OK ||
	    judge_events(repair) != DMTRACE_OK ||
	    list_unlisted(repair) != DMTRACE_OK ||
	    fill_tables(repair) != DMTRACE_OK)
		return op->error.status;
	if (dmt_changes_count(&repair->changes) > 0 &&
	    sign(repair) != DMTRACE_OK)
		return op->error.status;
	return dmt_repair_write(repair);
}

static void
fill_result(const struct dmt_repair *repair,
    struct dmtrace_repair_result *result)
{
	*result = (struct dmtrace_repair_result){
		.changes = dmt_changes_count(&repair->changes),
		.records_in = repair->records,
		.records_out = repair->mended->records_out,
		.opened = repair->mended->opened,
		.closed = repair->mended->closed
	};
}

static enum dmtrace_status
check(struct dmtrace_op *op, const struct dmtrace_repair_options *options)
{
	const unsigned known = DMTRACE_SYNC | DMTRACE_NO_REPLACE |
	    DMTRACE_REPAIR_EDGES;

	if ((unsigned)options->time > DMTRACE_REPAIR_DROP ||
	    (options->flags & ~known) != 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "no such strategy or flag");
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_repair_run(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result, struct dmt_changes *changes)
{
	struct dmt_repair *const repair = calloc(1, sizeof(*repair));
	enum dmtrace_status status;

	dmt_op_begin(op);
	if (repair == NULL)
		return dmt_error_memory(&op->error);
	repair->op = op;
	repair->in_file = in;
	repair->out_file = out;
	repair->options = options;
	dmt_half_init(&repair->key_half);
	dmt_half_init(&repair->data_half);
	dmt_half_init(&repair->mended_half);
	status = check(op, options);
	if (status == DMTRACE_OK)
		status = run(repair);
	if (status == DMTRACE_OK && result != NULL)
		fill_result(repair, result);
	if (status == DMTRACE_OK && changes != NULL)
		*changes = repair->changes;
	dmtrace_source_free(repair->events);
	dmtrace_key_free(repair->key);
	dmt_half_fini(&repair->mended_half);
	dmt_half_fini(&repair->data_half);
	dmt_half_fini(&repair->key_half);
	free(repair);
	return status;
}

enum dmtrace_status
dmtrace_repair(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result)
{
	struct dmtrace_repair_options all;

	dmtrace_repair_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	return dmt_repair_run(op, in, out, &all, result, NULL);
}
