/* test_samples.c - every sample is read and written the same, in any way */

#include <dmtrace.h>
#include <string.h>

#include "helpers/faults.h"
#include "helpers/samples.h"
#include "helpers/unit.h"
#include "private/trace.h"

#define ADD_SAMPLES(tcase, fn) \
	tcase_add_loop_test(tcase, fn, 0, (int)samples_count())

START_TEST(comes_back_by_records)
{
	const struct sample *sample = sample_get(_i);

	sample_check(sample->bytes, sample->len, true);
}
END_TEST

/* Bytes of a record that no event can hold come back by records alone. */
static bool
events_hold_all(struct dmtrace_reader *reader)
{
	const struct dmt_layout *layout = dmt_reader_layout(reader);

	return dmt_layout_record_size(layout) ==
	    dmt_layout_record_size(dmt_layout_find(
		dmt_layout_version(layout),
		dmt_layout_clock(layout))) ||
	    sample_has_finding(reader, "record-ids-wide");
}

static void
copy_events(struct dmtrace_writer *writer, struct dmtrace_reader *reader)
{
	struct dmtrace_event event;

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		ck_assert_int_eq(dmtrace_writer_write(writer, &event, 1),
		    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
}

START_TEST(comes_back_by_events)
{
	const struct sample *sample = sample_get(_i);
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_writer *writer = dmtrace_writer_new();
	size_t len;

	if (dmtrace_reader_open_memory(reader, sample->bytes,
	    sample->len) == DMTRACE_OK && dmt_reader_container(reader) !=
	    DMTRACE_CONTAINER_PACKETS && events_hold_all(reader) &&
	    !sample_has_finding(reader, "data-base64")) {
		copy_events(writer, reader);
		const void *bytes = dmtrace_writer_memory(writer, &len);
		sample_check_copy(dmt_reader_container(reader),
		    sample->bytes, sample->len, bytes, len);
	}
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(reads_the_same_in_pieces)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 4096 };
	const struct sample *sample = sample_get(_i);
	const uint64_t digest = sample_digest(sample->bytes, sample->len, 0);

	for (size_t i = 0; i < ROWS(pieces); i++)
		ck_assert_uint_eq(sample_digest(sample->bytes, sample->len,
		    pieces[i]), digest);
}
END_TEST

/* One thread's row of a count, made the slow way. */
static struct dmt_thread_count
count_thread(const struct sample *sample, uint32_t thread)
{
	struct dmt_thread_count row = { .thread = thread };
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event event;

	dmtrace_reader_open_memory(reader, sample->bytes, sample->len);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		if (event.thread != thread)
			continue;
		row.last_ns = event.wall_ns != DMTRACE_NO_TIME ?
		    event.wall_ns : event.cpu_ns;
		if (row.records++ == 0)
			row.first_ns = row.last_ns;
	}
	dmtrace_reader_free(reader);
	return row;
}

static void
check_count(const struct dmt_count *count, const struct sample *sample)
{
	uint64_t records = 0;

	for (size_t i = 0; i < count->thread_count; i++) {
		const struct dmt_thread_count *row = &count->threads[i];
		const struct dmt_thread_count slow =
		    count_thread(sample, row->thread);
		ck_assert_uint_eq(row->records, slow.records);
		ck_assert_uint_eq(row->first_ns, slow.first_ns);
		ck_assert_uint_eq(row->last_ns, slow.last_ns);
		records += row->records;
	}
	ck_assert_uint_eq(records, count->records);
}

static void
count_actions(uint64_t actions[4], const struct sample *sample)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event event;

	dmtrace_reader_open_memory(reader, sample->bytes, sample->len);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		actions[event.action]++;
	dmtrace_reader_free(reader);
}

START_TEST(counts_what_it_reads)
{
	const struct sample *sample = sample_get(_i);
	struct dmtrace_reader *reader = dmtrace_reader_new();
	uint64_t actions[4] = { 0 };
	struct dmt_count count;

	if (dmtrace_reader_open_memory(reader, sample->bytes,
	    sample->len) == DMTRACE_OK) {
		ck_assert_int_eq(dmt_reader_count(reader, &count),
		    DMTRACE_OK);
		count_actions(actions, sample);
		ck_assert(memcmp(actions, count.actions,
		    sizeof(actions)) == 0);
		check_count(&count, sample);
		dmt_count_fini(&count);
	}
	dmtrace_reader_free(reader);
}
END_TEST

/* Reads and writes again; the first status that is not DMTRACE_OK. */
static enum dmtrace_status
copy(const struct sample *sample)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_event events[64];
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;
	size_t count;

	if (reader == NULL || writer == NULL ||
	    (status = dmtrace_reader_open_memory(reader, sample->bytes,
		sample->len)) != DMTRACE_OK ||
	    (status = dmtrace_writer_set_like(writer, reader)) != DMTRACE_OK ||
	    (status = dmtrace_writer_open_memory(writer)) != DMTRACE_OK)
		goto done;
	do
		if ((status = dmtrace_reader_read(reader, events, 64,
		    &count)) != DMTRACE_OK ||
		    (status = dmtrace_writer_write(writer, events, count)) !=
		    DMTRACE_OK)
			goto done;
	while (count > 0);
	status = dmtrace_writer_close(writer);
done:
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}

START_TEST(survives_every_failing_allocation)
{
	const struct sample *sample = sample_get(_i);
	const enum dmtrace_status expected = copy(sample);
	enum dmtrace_status status;
	unsigned nth = 0;

	if (sample->len > 4096)
		return;
	do {
		fault_arm(FAULT_ALLOC, ++nth);
		status = copy(sample);
	} while (fault_disarm() &&
	    (status == DMTRACE_ERR_MEMORY || status == expected));
	ck_assert_int_eq(status, expected);
}
END_TEST

int
main(void)
{
	samples_load();
	Suite *suite = suite_create("samples");
	TCase *tcase = unit_tcase(suite, "samples");

	ADD_SAMPLES(tcase, comes_back_by_records);
	ADD_SAMPLES(tcase, comes_back_by_events);
	ADD_SAMPLES(tcase, reads_the_same_in_pieces);
	ADD_SAMPLES(tcase, counts_what_it_reads);
	ADD_SAMPLES(tcase, survives_every_failing_allocation);
	return unit_main(suite);
}
