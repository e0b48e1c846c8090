/* repair_count.c - walks over the records: to count, and to write */

#include "ops/repair_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/record.h"

/* Times are comparable if all count from the same moment (dmtrace.5). */
static bool
is_comparable(const struct dmt_repair *repair)
{
	const struct dmtrace_option *const vm =
	    dmtrace_key_option_find(repair->key, "vm");
	const bool dalvik = vm != NULL && vm->value.len == 6 &&
	    memcmp(vm->value.bytes, "dalvik", 6) == 0;

	return repair->layout.wall.width != 0 &&
	    dmtrace_key_clock(repair->key) != DMTRACE_CLOCK_GLOBAL &&
	    !(repair->version == 1 && dalvik);
}

static void
take_all(struct dmt_walked *walk, struct dmt_source *source)
{
	const size_t size = walk->layout->record_size;
	uint64_t left = walk->repair->records;
	const uint8_t *bytes;
	size_t count;

	while (left > 0 && walk->error.status == DMTRACE_OK &&
	    (count = dmt_source_peek(source, size, &bytes) / size) > 0) {
		if (count > left)
			count = (size_t)left;
		for (size_t i = 0; i < count &&
		    walk->error.status == DMTRACE_OK; i++, walk->at += size)
			dmt_walked_take(walk, bytes + i * size);
		dmt_source_skip(source, count * size);
		left -= count;
		dmt_op_progress(walk->repair->op, source->offset,
		    walk->repair->records * size);
		if (walk->repair->op->error.status != DMTRACE_OK)
			walk->error = walk->repair->op->error;
	}
	if (walk->error.status == DMTRACE_OK)
		walk->error = source->error;
}

void
dmt_walked_free(struct dmt_walked *walk)
{
	if (walk == NULL)
		return;
	for (size_t i = 0; i < walk->order.count; i++)
		free(dmt_walked_lane(walk, walk->order.items[i])->opened);
	for (size_t i = 0; i < DMT_LANE_PAGES; i++)
		free(walk->pages[i]);
	free(walk->order.items);
	free(walk->unlisted.items);
	dmt_idmap_fini(&walk->has_unlisted);
	dmtrace_stacks_free(walk->stacks);
	free(walk);
}

/* NULL: no memory. */
static struct dmt_walked *
walk_new(struct dmt_repair *repair, struct dmt_sink *out)
{
	struct dmt_walked *const walk = calloc(1, sizeof(*walk));

	if (walk == NULL)
		return NULL;
	walk->repair = repair;
	walk->layout = &repair->layout;
	walk->out = out;
	walk->comparable = is_comparable(repair);
	walk->at = repair->data_at + repair->data_offset;
	walk->stacks = dmtrace_stacks_new();
	if (walk->stacks != NULL)
		return walk;
	dmt_walked_free(walk);
	return NULL;
}

static void
sum_opened(struct dmt_walked *walk)
{
	for (size_t i = 0; i < walk->order.count; i++)
		walk->opened += dmt_walked_lane(walk,
		    walk->order.items[i])->opened_count;
	walk->out_count += walk->opened;
}

/* before: the walk that has found what was open, or NULL: this is it. */
static void
run(struct dmt_walked *walk, const struct dmt_walked *before)
{
	const struct dmt_repair *const repair = walk->repair;
	struct dmt_source source;

	if (before != NULL)
		dmt_walked_open(walk, before);
	if (repair->records > 0) {
		dmt_half_read(repair->data, walk->at, &source);
		take_all(walk, &source);
		dmt_source_fini(&source);
	}
	if (walk->error.status == DMTRACE_OK)
		dmt_walked_close(walk);
	if (before == NULL)
		sum_opened(walk);
}

/* Whether neither its thread nor its method is known of. */
static bool
is_strange(const struct dmt_walked *walk, const uint8_t *in)
{
	const struct dmtrace_key *const key = walk->repair->key;
	const uint32_t thread =
	    (uint32_t)dmt_field_get(walk->layout->thread, in);
	const struct dmt_repair_lane *const lane =
	    dmt_walked_lane(walk, thread);

	return (lane == NULL || !lane->known) &&
	    dmtrace_key_thread_match(key, walk->layout, thread) == NULL &&
	    dmtrace_key_method_find(key,
	    dmt_field_get(walk->layout->method, in)) == NULL;
}

/* Of the records before end, at most a block of them, how many at their end
 * are strange; *all: each of them is. */
static uint64_t
count_strange(struct dmt_walked *walk, uint64_t end, bool *all)
{
	const struct dmt_repair *const repair = walk->repair;
	const size_t size = walk->layout->record_size;
	const uint64_t most = DMT_BLOCK_SIZE / size;
	const uint64_t begin = end > most ? end - most : 0;
	struct dmt_source source;
	const uint8_t *bytes;
	uint64_t i = end;

	dmt_half_read(repair->data, repair->data_at + repair->data_offset +
	    begin * size, &source);
	if (dmt_source_peek(&source, (size_t)(end - begin) * size, &bytes) >=
	    (end - begin) * size)
		while (i > begin && is_strange(walk, bytes +
		    (size_t)(i - 1 - begin) * size))
			i--;
	walk->error = source.error;
	*all = i == begin;
	dmt_source_fini(&source);
	return end - i;
}

/* How many records at the end are none; not all of them. */
static uint64_t
count_tail(struct dmt_walked *walk)
{
	const struct dmt_repair *const repair = walk->repair;
	uint64_t end = repair->records;
	bool all = true;

	if (dmtrace_key_thread_count(repair->key) == 0 ||
	    dmtrace_key_method_count(repair->key) == 0)
		return 0;
	while (end > 0 && all && walk->error.status == DMTRACE_OK)
		end -= count_strange(walk, end, &all);
	return end == 0 ? 0 : repair->records - end;
}

static enum dmtrace_status
walk_once(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_walked *const walk = walk_new(repair, NULL);

	dmt_walked_free(repair->walked);
	repair->walked = walk;
	if (walk == NULL)
		return dmt_error_memory(error);
	run(walk, NULL);
	*error = walk->error;
	return error->status;
}

/* A tail is seen only by what comes before it: then all begins anew. */
static enum dmtrace_status
walk_twice(struct dmt_repair *repair, struct dmtrace_error *error)
{
	if (walk_once(repair, error) != DMTRACE_OK)
		return error->status;
	const uint64_t tail = count_tail(repair->walked);
	*error = repair->walked->error;
	if (tail == 0 || error->status != DMTRACE_OK)
		return error->status;
	repair->records -= tail;
	dmt_change_add(&repair->changes, DMT_RECORD_TAIL, tail,
	    DMTRACE_PLACE_OFFSET, repair->data_at + repair->data_offset +
	    repair->records * repair->layout.record_size,
	    "neither their threads nor their methods are listed");
	return walk_once(repair, error);
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

static enum dmtrace_status
list_all(struct dmt_repair *repair)
{
	const struct dmt_walked *const walk = repair->walked;
	enum dmtrace_status status = DMTRACE_OK;

	for (size_t i = 0; i < walk->order.count && status == DMTRACE_OK; i++)
		if (!dmt_walked_lane(walk, walk->order.items[i])->listed)
			status = list_thread(repair,
			    (uint32_t)walk->order.items[i]);
	for (size_t i = 0; i < walk->unlisted.count && status == DMTRACE_OK;
	    i++)
		status = list_method(repair, walk->unlisted.items[i]);
	return status;
}

enum dmtrace_status
dmt_repair_count(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	repair->records_in = repair->records;
	repair->has_blanks =
	    dmtrace_key_thread_find(repair->key, 0) == NULL &&
	    dmtrace_key_method_find(repair->key, 0) == NULL;
	if (walk_twice(repair, &error) != DMTRACE_OK)
		return dmt_op_fail(repair->op, repair->in_file, &error);
	for (size_t i = 0; i < DMT_ROW_COUNT; i++)
		if (repair->walked->changes.tallies[i].count > 0)
			repair->changes.tallies[i] =
			    repair->walked->changes.tallies[i];
	repair->altered = repair->walked->altered ||
	    repair->records != repair->records_in;
	repair->records_out = repair->walked->out_count;
	repair->opened = repair->walked->opened;
	repair->closed = repair->walked->closed;
	if (list_all(repair) != DMTRACE_OK)
		return dmt_op_fail(repair->op, repair->in_file,
		    dmtrace_key_error(repair->key));
	return DMTRACE_OK;
}

void
dmt_repair_put_records(struct dmt_repair *repair, struct dmt_sink *out)
{
	struct dmt_walked *const walk = walk_new(repair, out);

	if (walk == NULL) {
		dmt_error_memory(&repair->op->error);
		return;
	}
	run(walk, repair->walked);
	dmt_op_fail(repair->op, repair->in_file, &walk->error);
	dmt_walked_free(walk);
}
