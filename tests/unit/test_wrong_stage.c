/* test_wrong_stage.c - packets after a header of another stage, and counts that
 * are too large for any file */

#include <dmtrace.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/drip.h"
#include "helpers/faults.h"
#include "helpers/files.h"
#include "helpers/unit.h"

#define HEADER_SIZE 32
#define FILE_MAX 1024
#define ALLOC_MAX (1024 * 1024)	/* a window, columns; not what a count says */

/* In tests/data: each has a header of 32 bytes, and then what goes with it. */
static const char *const samples[] = {
	"good-packets-4.trace", "good-packets-b.trace", "good-packets-5.trace",
	"good-packets-split.trace", "good-packets-e.trace",
	"good-packets-f.trace", "good-packets-ticks.trace",
	"good-stream-f2.trace", "good-stream-f3.trace", "good-pair-v3.data",
	"good-long-running.trace"
};

struct bytes {
	uint8_t bytes[FILE_MAX];
	size_t len;
};

static void
get_sample(struct bytes *file, int index)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/%s", getenv("srcdir"),
	    samples[index]);
	uint8_t *const bytes = file_get(path, &file->len);
	ck_assert_uint_le(file->len, FILE_MAX);
	memcpy(file->bytes, bytes, file->len);
	free(bytes);
}

/* Every event, of which each takes a byte at least. */
static void
read_to_end(struct dmtrace_reader *reader, const struct bytes *file)
{
	struct dmtrace_event events[64];
	size_t count = 1, total = 0;

	while (dmtrace_reader_read(reader, events, 64, &count) == DMTRACE_OK &&
	    count > 0)
		total += count;
	ck_assert_uint_le(total, file->len);
}

/* As a pipe, and from memory. */
static void
read_bytes(const struct bytes *file)
{
	struct drip drip = { file->bytes, file->len, 100 };
	const struct dmtrace_input input = { drip_read, &drip };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity;

	fault_largest();
	if (dmtrace_reader_open_input(reader, &input) == DMTRACE_OK)
		read_to_end(reader, file);
	dmtrace_reader_free(reader);
	dmtrace_validate_memory(op, file->bytes, file->len, &validity);
	dmtrace_op_free(op);
	ck_assert_uint_le(fault_largest(), ALLOC_MAX);
}

START_TEST(reads_packets_after_another_header)
{
	struct bytes front, file;

	get_sample(&front, _i);
	for (size_t i = 0; i < ROWS(samples); i++) {
		get_sample(&file, (int)i);
		memcpy(file.bytes, front.bytes, HEADER_SIZE);
		read_bytes(&file);
	}
}
END_TEST

START_TEST(repairs_packets_after_another_header)
{
	static const struct dmtrace_file in = { .path = "x.trace" };
	static const struct dmtrace_file out = { .path = "o.trace" };
	struct bytes front, file;

	get_sample(&front, _i);
	folder_enter();
	for (size_t i = 0; i < ROWS(samples); i++) {
		struct dmtrace_op *const op = dmtrace_op_new();
		struct dmtrace_validity validity;

		get_sample(&file, (int)i);
		memcpy(file.bytes, front.bytes, HEADER_SIZE);
		file_put("x.trace", file.bytes, file.len);
		fault_largest();
		if (dmtrace_repair(op, &in, &out, NULL, NULL) == DMTRACE_OK) {
			ck_assert_int_eq(dmtrace_validate(op, &out,
			    &validity), DMTRACE_OK);
			ck_assert_uint_eq(validity.findings[DMTRACE_ERROR], 0);
		}
		ck_assert_uint_le(fault_largest(), 2 * ALLOC_MAX);
		dmtrace_op_free(op);
	}
	folder_leave();
}
END_TEST

/* Whatever field it is: counts, sizes, lengths of text, ids, times. */
START_TEST(any_field_may_have_all_bits_set)
{
	static const size_t widths[] = { 2, 4 };
	struct bytes file, changed;

	get_sample(&file, _i);
	for (size_t at = 4; at < file.len; at++)
		for (size_t i = 0; i < ROWS(widths); i++) {
			changed = file;
			memset(changed.bytes + at, 0xff,
			    widths[i] < file.len - at ? widths[i] :
			    file.len - at);
			read_bytes(&changed);
		}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("wrong_stage");
	TCase *tcase = unit_tcase(suite, "wrong_stage");

	ADD_CASES(tcase, reads_packets_after_another_header, samples);
	ADD_CASES(tcase, repairs_packets_after_another_header, samples);
	ADD_CASES(tcase, any_field_may_have_all_bits_set, samples);
	return unit_main(suite);
}
