/* test_spool.c - appended bytes are read back from any position */

#include <unistd.h>

#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/unit.h"
#include "trace/spool.h"

#define LARGE (3 * DMT_BLOCKS_SIZE + 77)

static uint8_t bytes[LARGE], read_back[LARGE];

static void
begin(void)
{
	folder_enter();
	for (size_t i = 0; i < LARGE; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 251);
}

/* In memory, and in a temporary in this folder. */
static enum dmtrace_status
open_spool(struct dmt_spool *spool, int temporary)
{
	dmt_spool_init(spool);
	return temporary ? dmt_spool_open(spool, "beside") : DMTRACE_OK;
}

static const struct {
	size_t at;
	size_t len;
} parts[] = {
	{ 0, LARGE }, { LARGE - 1, 1 }, { 5, 100 }, { 0, 1 },
	{ DMT_BLOCKS_SIZE - 3, 2 * DMT_BLOCK_SIZE }, { 9, 0 },
};

START_TEST(reads_any_part_in_any_order)
{
	struct dmt_spool spool;

	ck_assert_int_eq(open_spool(&spool, _i), DMTRACE_OK);
	for (size_t at = 0; at < LARGE; at += 4093)
		dmt_output_write(&spool.output, bytes + at,
		    LARGE - at < 4093 ? LARGE - at : 4093);
	ck_assert_int_eq(dmt_spool_finish(&spool), DMTRACE_OK);
	ck_assert_uint_eq(dmt_spool_len(&spool), LARGE);
	for (size_t i = 0; i < ROWS(parts); i++) {
		ck_assert_int_eq(dmt_spool_read(&spool, parts[i].at,
		    read_back, parts[i].len), DMTRACE_OK);
		ck_assert_int_eq(memcmp(read_back, bytes + parts[i].at,
		    parts[i].len), 0);
	}
	dmt_spool_fini(&spool);
}
END_TEST

/* Two runs, of 3 and of 2 events: the second is read first. */
START_TEST(reads_runs_of_events_with_their_order)
{
	static const uint64_t order[] = { 5, 7, UINT64_C(1) << 40, 1, 2 };
	static const uint8_t records[] = "aaaaaaaaabbbbbbbbbcccccccccddddddddd"
	    "eeeeeeeee";
	const struct dmt_layout *const layout =
	    dmt_layout_find(1, DMTRACE_CLOCK_WALL);
	struct dmt_record_list list = { .count = 0 };
	struct dmt_spool spool;
	uint64_t found[2], at;

	ck_assert(dmt_record_list_init(&list, layout, 3));
	ck_assert_int_eq(open_spool(&spool, _i), DMTRACE_OK);
	dmt_record_list_append(&list, records, 0, 3);
	dmt_spool_append_run(&spool, order, &list);
	list.count = 0;
	dmt_record_list_append(&list, records, 4, 1);
	dmt_record_list_append(&list, records, 3, 1);
	dmt_spool_append_run(&spool, order + 3, &list);
	ck_assert_int_eq(dmt_spool_finish(&spool), DMTRACE_OK);
	ck_assert_uint_eq(dmt_spool_len(&spool), 5 * (8 + 9));
	ck_assert_uint_eq(dmt_spool_run_len(layout, 3), 3 * (8 + 9));

	at = dmt_spool_run_len(layout, 3);
	ck_assert_int_eq(dmt_spool_read_run(&spool, &at, found, &list, 2),
	    DMTRACE_OK);
	ck_assert_uint_eq(at, 5 * (8 + 9));
	ck_assert_uint_eq(found[0], 1);
	ck_assert_uint_eq(found[1], 2);
	ck_assert_uint_eq(list.count, 2);
	ck_assert_mem_eq(list.bytes, "eeeeeeeeeddddddddd", 18);
	dmt_record_list_fini(&list);
	dmt_spool_fini(&spool);
}
END_TEST

START_TEST(leaves_no_file)
{
	struct dmt_spool spool;

	ck_assert_int_eq(open_spool(&spool, 1), DMTRACE_OK);
	dmt_output_write(&spool.output, bytes, LARGE);
	ck_assert_uint_eq(file_count("."), 0);
	dmt_spool_fini(&spool);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

START_TEST(a_temporary_that_lost_bytes_is_a_failure)
{
	struct dmt_spool spool;

	ck_assert_int_eq(open_spool(&spool, 1), DMTRACE_OK);
	dmt_output_write(&spool.output, bytes, 100);
	ck_assert_int_eq(dmt_spool_finish(&spool), DMTRACE_OK);
	ck_assert_int_eq(ftruncate(spool.output.fd, 50), 0);
	ck_assert_int_eq(dmt_spool_read(&spool, 0, read_back, 100),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(dmt_spool_read(&spool, 0, read_back, 1),
	    DMTRACE_ERR_IO);
	dmt_spool_fini(&spool);
}
END_TEST

static const enum fault faults[] = { FAULT_ALLOC, FAULT_READ, FAULT_WRITE };

static enum dmtrace_status
write_and_read(void)
{
	struct dmt_spool spool;

	open_spool(&spool, 1);
	dmt_output_write(&spool.output, bytes, LARGE);
	dmt_spool_finish(&spool);
	const enum dmtrace_status status =
	    dmt_spool_read(&spool, 0, read_back, LARGE);
	dmt_spool_fini(&spool);
	return status;
}

START_TEST(reports_whatever_fails)
{
	struct failing failing = { .kind = faults[_i] };

	do {
		failing_arm(&failing);
		failing_reported(&failing, write_and_read());
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("spool");
	TCase *const tcase = unit_tcase(suite, "spool");

	tcase_add_checked_fixture(tcase, begin, folder_leave);
	tcase_add_loop_test(tcase, reads_any_part_in_any_order, 0, 2);
	tcase_add_loop_test(tcase, reads_runs_of_events_with_their_order, 0,
	    2);
	tcase_add_test(tcase, leaves_no_file);
	tcase_add_test(tcase, a_temporary_that_lost_bytes_is_a_failure);
	ADD_CASES(tcase, reports_whatever_fails, faults);
	return unit_main(suite);
}
