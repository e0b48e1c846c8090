/* test_roundtrip.c - a trace is written as it was read, byte for byte */

#include <dmtrace.h>
#include <stdbool.h>
#include <string.h>

#include "helpers/files.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define BATCH 3

/* A writer and the bytes that it made. */
struct copy {
	struct dmtrace_writer *writer;
	const void *bytes;
	size_t len;
};

enum way {
	BY_RECORDS,
	BY_EVENTS
};

static struct dmtrace_reader *
open_memory(const void *bytes, size_t len)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	dmtrace_reader_open_memory(reader, bytes, len);
	ck_assert_str_eq(dmtrace_reader_error(reader)->message, "");
	return reader;
}

static struct dmtrace_writer *
new_like(const struct dmtrace_reader *reader)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	return writer;
}

/* Returns how many records there were. */
static unsigned
copy_records(struct dmtrace_writer *writer, struct dmtrace_reader *reader,
    enum way way)
{
	struct dmtrace_source *source = way == BY_EVENTS ? NULL :
	    dmtrace_source_new(reader);
	struct dmtrace_event events[BATCH];
	struct dmt_batch *batch = NULL;
	unsigned records = 0;
	size_t count;

	do {
		if (way == BY_EVENTS) {
			ck_assert_int_eq(dmtrace_reader_read(reader, events,
			    BATCH, &count), DMTRACE_OK);
			ck_assert_int_eq(dmtrace_writer_write(writer, events,
			    count), DMTRACE_OK);
		} else {
			ck_assert_int_eq(dmt_pull(source, &batch), DMTRACE_OK);
			count = batch == NULL ? 0 : batch->kept;
			ck_assert(batch == NULL || dmt_writer_put(writer,
			    source, batch) == DMTRACE_OK);
		}
		records += (unsigned)count;
	} while (count > 0);
	dmtrace_source_free(source);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	return records;
}

/* Copies the trace through memory, the key complete before or after. */
static void
assert_copies(const struct trace *trace, enum way way, bool complete)
{
	struct dmtrace_reader *reader = open_memory(trace->bytes, trace->len);
	struct dmtrace_writer *writer = new_like(reader);
	size_t len;

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	if (complete)
		ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	ck_assert_uint_eq(copy_records(writer, reader, way), trace->records);
	const uint8_t *bytes = dmtrace_writer_memory(writer, &len);
	const struct dmt_layout *layout = dmt_reader_layout(reader);
	const size_t size = layout->record_size;
	const size_t fields = dmt_layout_fields_size(layout);
	const size_t front = trace->len - trace->records * size;

	ck_assert_uint_eq(len, trace->len);
	if (way == BY_RECORDS || fields == size) {
		ck_assert_int_eq(memcmp(bytes, trace->bytes, len), 0);
	} else {
		/* events do not have what belongs to no field */
		ck_assert_int_eq(memcmp(bytes, trace->bytes, front), 0);
		for (size_t at = front; at < len; at += size) {
			ck_assert_int_eq(memcmp(bytes + at, trace->bytes + at,
			    fields), 0);
			for (size_t i = fields; i < size; i++)
				ck_assert_uint_eq(bytes[at + i], 0);
		}
	}
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}

START_TEST(copies_records)
{
	assert_copies(&traces[_i], BY_RECORDS, false);
	assert_copies(&traces[_i], BY_RECORDS, true);
}
END_TEST

START_TEST(encodes_what_it_decoded)
{
	assert_copies(&traces[_i], BY_EVENTS, false);
	assert_copies(&traces[_i], BY_EVENTS, true);
}
END_TEST

static struct dmtrace_reader *
open_path(const char *path)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	dmtrace_reader_open_path(reader, path);
	ck_assert_str_eq(dmtrace_reader_error(reader)->message, "");
	return reader;
}

static void
copy_path(const char *from, const char *to)
{
	struct dmtrace_reader *reader = open_path(from);
	struct dmtrace_writer *writer = new_like(reader);

	ck_assert_int_eq(dmtrace_writer_open_path(writer, to), DMTRACE_OK);
	copy_records(writer, reader, BY_RECORDS);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}

START_TEST(a_pair_holds_what_one_file_held)
{
	const struct trace *trace = &traces[_i];

	file_put("one.trace", trace->bytes, trace->len);
	copy_path("one.trace", "two.key");
	assert_file("two.key", trace->bytes, trace->key_len);
	assert_file("two.data", trace->bytes + trace->key_len,
	    trace->len - trace->key_len);
	copy_path("two", "three.data");
	assert_file("three.key", trace->bytes, trace->key_len);
	assert_file("three.data", trace->bytes + trace->key_len,
	    trace->len - trace->key_len);
	copy_path("three.key", "four.trace");
	assert_file("four.trace", trace->bytes, trace->len);
}
END_TEST

START_TEST(a_joined_key_gets_its_line_feed)
{
	static const char key[] = KEY_2;
	static const char data[] = HEADER_2 RECORDS_2;
	static const char both[] = KEY_2 HEADER_2 RECORDS_2;

	file_put("x.key", key, sizeof(key) - 2);
	file_put("x.data", data, sizeof(data) - 1);
	copy_path("x.data", "y.key");
	assert_file("y.key", key, sizeof(key) - 2);
	copy_path("x.key", "x.trace");
	assert_file("x.trace", both, sizeof(both) - 1);
}
END_TEST

START_TEST(keeps_bytes_before_the_magic_in_their_file)
{
	static const char key[] = KEY_2 "\n\n";
	static const char data[] = "\r\n\t" HEADER_2 RECORDS_2;

	file_put("x.key", key, sizeof(key) - 1);
	file_put("x.data", data, sizeof(data) - 1);
	copy_path("x", "y.key");
	assert_file("y.key", key, sizeof(key) - 1);
	assert_file("y.data", data, sizeof(data) - 1);
}
END_TEST

/* Times that pass 2^32 us, and what a record makes of them. */
static const struct {
	const char *label;
	struct dmtrace_event event;
	const char *record;
} encoded[] = {
	{ "enter", { 4, DMTRACE_NO_TIME, 7000, 513, DMTRACE_ENTER },
	    "\1\2" "\4\0\0\0" "\7\0\0\0" },
	{ "part of a microsecond",
	    { 4, DMTRACE_NO_TIME, 7999, 513, DMTRACE_EXIT },
	    "\1\2" "\5\0\0\0" "\7\0\0\0" },
	{ "modulo 2^32 us",
	    { 0x87654320, 1, 0x504030201 * 1000, 1, DMTRACE_UNROLL },
	    "\1\0" "\x22\x43\x65\x87" "\x01\x02\x03\x04" },
	{ "reserved", { 4, 0, 0, 0, DMTRACE_RESERVED },
	    "\0\0" "\7\0\0\0" "\0\0\0\0" },
};

START_TEST(stores_times_as_the_trace_it_is_like)
{
	static const char empty[] = KEY_2 HEADER_2;
	struct dmtrace_reader *reader = open_memory(empty, sizeof(empty) - 1);
	struct dmtrace_writer *writer = new_like(reader);
	size_t len;

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, &encoded[_i].event, 1),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const uint8_t *bytes = dmtrace_writer_memory(writer, &len);
	ck_assert_uint_eq(len, sizeof(empty) - 1 + 10);
	ck_assert_int_eq(memcmp(bytes + len - 10, encoded[_i].record, 10), 0);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("roundtrip");
	TCase *tcase = unit_tcase(suite, "roundtrip");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, copies_records, traces);
	ADD_CASES(tcase, encodes_what_it_decoded, traces);
	ADD_CASES(tcase, a_pair_holds_what_one_file_held, traces);
	tcase_add_test(tcase, a_joined_key_gets_its_line_feed);
	tcase_add_test(tcase, keeps_bytes_before_the_magic_in_their_file);
	ADD_CASES(tcase, stores_times_as_the_trace_it_is_like, encoded);
	return unit_main(suite);
}
