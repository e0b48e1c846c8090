/* eventlog.c - readers and writers of event logs that are misused */

#include "misuse.h"

static const struct dmtrace_file file = { .path = "x.log" };

static struct dmtrace_eventlog_writer *
open_writer(void)
{
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();

	OK(dmtrace_eventlog_writer_open(writer, &file));
	return writer;
}

static void
a_forgotten_close_leaves_no_file(void)
{
	dmtrace_eventlog_writer_free(open_writer());
	HOLDS(file_count() == 0);
}

static void
calls_out_of_order_are_refused(void)
{
	const struct dmtrace_entry entry = { .kind = DMTRACE_ENTRY_RAW };
	struct dmtrace_eventlog_writer *writer = open_writer();

	IS(dmtrace_eventlog_writer_open(writer, &file), DMTRACE_ERR_STATE);
	IS(dmtrace_eventlog_writer_close(writer), DMTRACE_ERR_STATE);
	dmtrace_eventlog_writer_free(writer);
	writer = open_writer();
	OK(dmtrace_eventlog_writer_close(writer));
	IS(dmtrace_eventlog_writer_write(writer, &entry), DMTRACE_ERR_STATE);
	IS(dmtrace_eventlog_writer_close(writer), DMTRACE_ERR_STATE);
	dmtrace_eventlog_writer_free(writer);
	writer = dmtrace_eventlog_writer_new();
	IS(dmtrace_eventlog_writer_close(writer), DMTRACE_ERR_STATE);
	dmtrace_eventlog_writer_free(writer);
}

/* An entry whose members contradict each other is refused whole. */
static void
entries_that_no_log_holds_are_refused(void)
{
	static const struct dmtrace_value list[] = {
		{ .type = DMTRACE_VALUE_LIST, .count = 256 }
	};
	static const struct dmtrace_value wide[] = {
		{ .type = DMTRACE_VALUE_INT, .number = INT64_MAX }
	};
	static const struct dmtrace_value unknown[] = {
		{ .type = (enum dmtrace_value_type)99 }
	};
	char *const text = letters(70000);
	const struct dmtrace_value long_text[] = {
		{ .type = DMTRACE_VALUE_STRING, .text = { text, 70000 } }
	};
	const struct dmtrace_entry rows[] = {
		{ .header = 5 }, { .header = UINT32_MAX },
		{ .header = 4, .header_size = 1 },
		{ .header = 4, .kind = (enum dmtrace_entry_kind)99 },
		{ .header = 4, .values = list, .value_count = 1 },
		{ .header = 4, .values = wide, .value_count = 1 },
		{ .header = 4, .values = unknown, .value_count = 1 },
		{ .header = 4, .values = long_text, .value_count = 1 },
		{ .header = 4, .kind = DMTRACE_ENTRY_TEXT,
		    .name = { "a\0b", 3 } },
		{ .header = 4, .kind = DMTRACE_ENTRY_OPAQUE,
		    .bytes = { text, 70000 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_eventlog_writer *const writer = open_writer();

		IS(dmtrace_eventlog_writer_write(writer, &rows[i]),
		    DMTRACE_ERR_RANGE);
		IS(dmtrace_eventlog_writer_close(writer), DMTRACE_ERR_RANGE);
		dmtrace_eventlog_writer_free(writer);
		HOLDS(file_count() == 0);
	}
	free(text);
}

/* A list says how many items follow; the array says how many there are. */
static void
lists_whose_items_are_missing_end_in_a_status(void)
{
	struct dmtrace_value nested[2000];
	struct dmtrace_entry entry = { .header = 4, .values = nested,
		.value_count = 2000 };

	for (size_t i = 0; i < 2000; i++)
		nested[i] = (struct dmtrace_value){
			.type = DMTRACE_VALUE_LIST, .count = 1 };
	for (uint32_t count = 0; count < 256; count += 255) {
		struct dmtrace_eventlog_writer *const writer = open_writer();
		struct dmtrace_eventlog_reader *const reader =
		    dmtrace_eventlog_reader_new(NULL);
		struct dmtrace_entry read;

		nested[1999].count = count;
		const int status = dmtrace_eventlog_writer_write(writer,
		    &entry);
		IS(dmtrace_eventlog_writer_close(writer), status);
		if (status == DMTRACE_OK) {
			OK(dmtrace_eventlog_reader_open(reader, &file));
			OK(dmtrace_eventlog_reader_read(reader, &read));
			IS(dmtrace_eventlog_reader_read(reader, &read),
			    DMTRACE_END);
			IS(dmtrace_eventlog_reader_read(reader, &read),
			    DMTRACE_END);
		}
		dmtrace_eventlog_writer_free(writer);
		dmtrace_eventlog_reader_free(reader);
	}
}

static void
inputs_that_cannot_be_read_are_errors(void)
{
	static const struct dmtrace_file rows[] = { { .fd = -1 },
		{ .fd = 999 }, { .path = "" }, { .path = "." },
		{ .path = "missing" } };
	struct dmtrace_entry entry;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_eventlog_reader *const reader =
		    dmtrace_eventlog_reader_new(NULL);

		IS(dmtrace_eventlog_reader_open(reader, &rows[i]),
		    DMTRACE_ERR_IO);
		IS(dmtrace_eventlog_reader_open(reader, &rows[i]),
		    DMTRACE_ERR_IO);
		IS(dmtrace_eventlog_reader_read(reader, &entry),
		    DMTRACE_ERR_IO);
		dmtrace_eventlog_reader_free(reader);
	}
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(
		&(struct dmtrace_eventlog_options){ .header = 77 });
	IS(dmtrace_eventlog_reader_open(reader, &file), DMTRACE_ERR_RANGE);
	dmtrace_eventlog_reader_free(reader);
}

static void
tags_are_loaded_once(void)
{
	struct dmtrace_tags *tags = dmtrace_tags_new();

	write_text("tags", "42 answer (to|1|5)\n");
	HOLDS(dmtrace_tags_find(tags, 42) == NULL);
	OK(dmtrace_tags_load(tags, "tags", NULL, NULL));
	HOLDS(dmtrace_tags_find(tags, 42) != NULL);
	HOLDS(dmtrace_tags_find(tags, UINT32_MAX) == NULL);
	IS(dmtrace_tags_load(tags, "tags", NULL, NULL), DMTRACE_ERR_STATE);
	dmtrace_tags_free(tags);
	tags = dmtrace_tags_new();
	IS(dmtrace_tags_load(tags, "missing", NULL, NULL), DMTRACE_ERR_IO);
	HOLDS(dmtrace_tags_find(tags, 42) == NULL);
	dmtrace_tags_free(tags);
}

static const struct misuse cases[] = {
	CASE(a_forgotten_close_leaves_no_file),
	CASE(calls_out_of_order_are_refused),
	CASE(entries_that_no_log_holds_are_refused),
	CASE(lists_whose_items_are_missing_end_in_a_status),
	CASE(inputs_that_cannot_be_read_are_errors),
	CASE(tags_are_loaded_once)
};

MISUSE_MAIN(cases)
