/* plain.c - a valid trace in the form that every reader takes */

#include "verify/plain.h"

#include <dmtrace/rewind.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record_encode.h"
#include "events/select.h"
#include "format/header.h"

#define HIGHEST_NS ((UINT64_C(1) << 31) - 1) * 1000

enum { BATCH = 512, RECORD_MAX = 14 };

/* One time or two, by what the records have and what a reader wants. */
void
dmt_plain_set_layout(struct dmt_plain *plain)
{
	const struct dmtrace_layout *const from = &plain->reader->layout;
	const enum dmtrace_clock named =
	    dmtrace_key_clock(plain->reader->key);
	const bool adds = from->clock == DMTRACE_CLOCK_THREAD_CPU &&
	    (plain->cures & DMT_CURE_DUAL) != 0;
	const bool keeps_1 = from->version == 1 &&
	    (plain->cures & (DMT_CURE_VERSION | DMT_CURE_THREADS)) == 0;
	const enum dmtrace_clock clock = adds ? DMTRACE_CLOCK_DUAL :
	    from->clock;
	const unsigned version = clock == DMTRACE_CLOCK_DUAL ? 3 :
	    keeps_1 ? 1 : 2;

	plain->layout = *dmtrace_layout_find(version, clock);
	if (adds)
		dmt_change_add(plain->changes, DMT_CLOCK_THREAD_CPU, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	else if (named != clock)
		dmt_change_add(plain->changes, dmt_clock_finding(named), 1,
		    DMTRACE_PLACE_NONE, 0, "\"%s\"",
		    dmtrace_clock_word(clock));
	if (from->version != version ||
	    from->record_size != plain->layout.record_size)
		dmt_change_add(plain->changes, DMT_RECORD_LAYOUT, 1,
		    DMTRACE_PLACE_NONE, 0, "version %u, %u bytes", version,
		    plain->layout.record_size);
	if (plain->reader->header.data_offset != DMT_HEADER_SIZE)
		dmt_change_add(plain->changes, DMT_OFFSET_NOT_32, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

static bool
begin(struct dmt_plain *plain)
{
	const size_t numbers =
	    dmt_layout_thread_numbers(&plain->reader->layout);

	plain->lanes = dmt_array_new(numbers, sizeof(*plain->lanes));
	for (size_t i = 0; i < numbers && plain->lanes != NULL; i++)
		plain->lanes[i].number = (uint32_t)i;
	return plain->lanes != NULL;
}

void
dmt_plain_fini(struct dmt_plain *plain)
{
	free(plain->lanes);
	dmt_idmap_fini(&plain->methods);
	dmt_idmap_fini(&plain->thread_names);
	dmt_arena_fini(&plain->names);
}

static enum dmtrace_status
fail_reading(struct dmt_plain *plain)
{
	return dmt_op_fail(plain->op, NULL,
	    dmtrace_reader_error(plain->reader));
}

/* A clock that is not there has DMTRACE_NO_TIME, which is never lower. */
static void
lower(struct dmt_plain_lane *lane, const struct dmtrace_event *event)
{
	if (!lane->came || event->cpu_ns < lane->cpu_ns)
		lane->cpu_ns = event->cpu_ns;
	if (!lane->came || event->wall_ns < lane->wall_ns)
		lane->wall_ns = event->wall_ns;
	lane->came = true;
}

/* Wall times of all threads are moved as one, if they can be compared. */
static void
share_base(struct dmt_plain *plain)
{
	const size_t numbers =
	    dmt_layout_thread_numbers(&plain->reader->layout);
	uint64_t base_ns = UINT64_MAX;

	if (!dmt_times_comparable(plain->reader->key, &plain->reader->layout))
		return;
	for (size_t i = 0; i < numbers; i++)
		if (plain->lanes[i].came && plain->lanes[i].wall_ns < base_ns)
			base_ns = plain->lanes[i].wall_ns;
	for (size_t i = 0; i < numbers; i++)
		if (plain->lanes[i].came)
			plain->lanes[i].wall_ns = base_ns;
	plain->moved_us = base_ns == UINT64_MAX ? 0 : base_ns / 1000;
}

/* Where each thread's times begin. */
static enum dmtrace_status
find_bases(struct dmt_plain *plain, struct dmtrace_event *events)
{
	size_t count;

	if ((plain->cures & DMT_CURE_TIMES) == 0)
		return DMTRACE_OK;
	while (dmtrace_reader_read(plain->reader, events, BATCH, &count) ==
	    DMTRACE_OK && count > 0)
		for (size_t i = 0; i < count; i++)
			lower(&plain->lanes[events[i].thread], &events[i]);
	if (fail_reading(plain) != DMTRACE_OK)
		return plain->op->error.status;
	share_base(plain);
	dmtrace_reader_rewind(plain->reader);
	dmt_change_add(plain->changes, DMT_TIME_HIGH, 1,
	    DMTRACE_PLACE_NONE, 0, "wall times by %" PRIu64 " us",
	    plain->moved_us);
	return fail_reading(plain);
}

/* The header's start is moved with the times, where it is in their unit. To
 * a reader of nanoseconds seconds become microseconds, and what is still too
 * late, 0. */
static uint64_t
start_due(struct dmt_plain *plain)
{
	const struct dmtrace_header *const header = &plain->reader->header;
	const bool seconds = dmtrace_header_start_kind(header) ==
	    DMTRACE_START_SEC_USEC;
	uint64_t start = header->start;

	if ((plain->cures & DMT_CURE_START) == 0)
		return seconds ? start : start + plain->moved_us;
	if (seconds) {
		start = (start >> 32) * 1000000 + (start & UINT32_MAX);
		dmt_change_add(plain->changes, DMT_START_HIGH, 1,
		    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
		return start + plain->moved_us;
	}
	dmt_change_add(plain->changes, DMT_START_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
	return 0;
}

static enum dmtrace_status
open_writer(struct dmt_plain *plain, int fd)
{
	const uint64_t start = start_due(plain);
	struct dmtrace_writer *const writer = plain->writer;

	if (dmtrace_writer_set_layout(writer, &plain->layout) != DMTRACE_OK ||
	    dmtrace_writer_set_start(writer, start) != DMTRACE_OK ||
	    dmtrace_writer_open_fd(writer, fd) != DMTRACE_OK)
		return dmt_op_fail(plain->op, NULL,
		    dmtrace_writer_error(writer));
	return DMTRACE_OK;
}

/* Whether the event stays: calls beyond the depth go, with all they make. */
static bool
keep(const struct dmt_plain *plain, struct dmt_plain_lane *lane,
    enum dmtrace_action action)
{
	const uint32_t most = (plain->cures & DMT_CURE_DEPTH) != 0 ?
	    DMT_DEEP : (plain->cures & DMT_CURE_DEPTH_MORE) != 0 ?
	    DMT_DEEPER : UINT32_MAX;

	if (action == DMTRACE_ENTER && lane->depth >= most)
		lane->skipped++;
	else if (action == DMTRACE_ENTER)
		lane->depth++;
	else if (lane->skipped > 0)
		lane->skipped--;
	else {
		lane->depth -= lane->depth > 0;
		return true;
	}
	return lane->skipped == 0;
}

static uint64_t
move(struct dmt_plain *plain, uint64_t time_ns, uint64_t base_ns)
{
	if ((plain->cures & DMT_CURE_TIMES) == 0 ||
	    time_ns == DMTRACE_NO_TIME)
		return time_ns;
	if (time_ns - base_ns <= HIGHEST_NS)
		return time_ns - base_ns;
	dmt_change_add(plain->changes, DMT_TIME_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, NULL);
	return HIGHEST_NS;
}

static void
change(struct dmt_plain *plain, const struct dmt_plain_lane *lane,
    struct dmtrace_event *event)
{
	const uint32_t *const index =
	    dmt_idmap_find(&plain->methods, event->method);

	if (index != NULL)
		event->method = 4 * ((uint64_t)*index + 1);
	event->thread = lane->number;
	event->cpu_ns = move(plain, event->cpu_ns, lane->cpu_ns);
	event->wall_ns = event->wall_ns == DMTRACE_NO_TIME &&
	    plain->layout.wall.width != 0 ? event->cpu_ns :
	    move(plain, event->wall_ns, lane->wall_ns);
}

/* The number of the record in the input tells whether it was added there. */
static void
drop(struct dmt_plain *plain, uint64_t number)
{
	plain->dropped++;
	plain->opened_dropped += number < plain->opened;
	plain->closed_dropped += number + plain->closed >= plain->records;
	dmt_change_add(plain->changes, DMT_CALL_DEEP, 1,
	    DMTRACE_PLACE_NONE, 0, NULL);
}

/* Those that stay, from the front on. Returns how many they are. */
static size_t
change_all(struct dmt_plain *plain, struct dmtrace_event *events,
    size_t count)
{
	const uint64_t first = dmtrace_reader_position(plain->reader) - count;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct dmt_plain_lane *const lane =
		    &plain->lanes[events[i].thread];

		if (!keep(plain, lane, events[i].action)) {
			drop(plain, first + i);
			continue;
		}
		events[kept] = events[i];
		change(plain, lane, &events[kept++]);
	}
	return kept;
}

static enum dmtrace_status
put(struct dmt_plain *plain, const struct dmtrace_event *events,
    size_t count)
{
	uint8_t records[BATCH * RECORD_MAX];
	struct dmtrace_writer *const writer = plain->writer;
	const size_t fit = dmt_records_encode(records, &plain->layout,
	    events, count, true);

	if (fit < count)
		return dmt_error_set(&plain->op->error, DMTRACE_ERR_RANGE,
		    "method 0x%" PRIx64 " does not fit a record",
		    events[fit].method);
	if (dmtrace_writer_write_records(writer, records, count) !=
	    DMTRACE_OK)
		return dmt_op_fail(plain->op, NULL,
		    dmtrace_writer_error(writer));
	return DMTRACE_OK;
}

static enum dmtrace_status
put_all(struct dmt_plain *plain, struct dmtrace_event *events)
{
	struct dmtrace_reader *const reader = plain->reader;
	size_t count;

	while (dmtrace_reader_read(reader, events, BATCH, &count) ==
	    DMTRACE_OK && count > 0)
		if (put(plain, events, change_all(plain, events, count)) !=
		    DMTRACE_OK || dmt_op_progress(plain->op,
		    dmtrace_reader_offset(reader),
		    dmt_input_size(reader->input)) != DMTRACE_OK)
			return plain->op->error.status;
	return fail_reading(plain);
}

static enum dmtrace_status
write_all(struct dmt_plain *plain, struct dmtrace_event *events, int fd)
{
	struct dmtrace_writer *const writer = plain->writer;

	dmt_plain_set_layout(plain);
	if (find_bases(plain, events) != DMTRACE_OK ||
	    open_writer(plain, fd) != DMTRACE_OK ||
	    dmt_plain_put_key(plain) != DMTRACE_OK ||
	    put_all(plain, events) != DMTRACE_OK ||
	    dmt_plain_put_counts(plain) != DMTRACE_OK)
		return plain->op->error.status;
	dmtrace_writer_close(writer);
	return dmt_op_fail(plain->op, NULL, dmtrace_writer_error(writer));
}

enum dmtrace_status
dmt_plain_write(struct dmt_plain *plain, int fd)
{
	struct dmtrace_event *const events =
	    dmt_array_new(BATCH, sizeof(*events));

	if (events == NULL || !begin(plain))
		dmt_error_memory(&plain->op->error);
	else
		write_all(plain, events, fd);
	free(events);
	return plain->op->error.status;
}
