/* use.c - any bytes as a trace: exported, summarized, selected and changed */

/*
 * What needs a whole trace and is no target of its own. A run does one thing
 * with the trace; its length says which, and with which options, so that
 * samples are seeds as they are. Pprof, the only compressed format, and
 * collapsed stacks, which have weights, grow with the square of the depth of
 * calls: it is limited, as are the lines of the key, which are names.
 */

#include <dmtrace.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/header.h"
#include "format/layout.h"
#include "fuzz/targets.h"
#include "private/header.h"
#include "private/trace.h"

/* NULL: it is no trace. */
static struct dmtrace_reader *
open_trace(const uint8_t *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK)
		return reader;
	dmtrace_reader_free(reader);
	return NULL;
}

static void
export_trace(const uint8_t *bytes, size_t len, size_t number)
{
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	size_t count = 0;

	while (dmtrace_export_format_get(count) != NULL)
		count++;
	const struct dmtrace_export_format *const format =
	    dmtrace_export_format_get(number % count);
	const size_t rest = number / count;
	const struct dmtrace_export_options options = {
		.format = format->name,
		.weight = (enum dmtrace_export_weight)
		    (format->weights & (unsigned)(1u << rest % 4)),
		.per_thread = rest % 2 != 0,
		.rows = (enum dmtrace_export_rows)(format->tables ?
		    rest % 5 : 0)
	};
	const struct dmtrace_select_options shallow = { .last_depth = 60 };
	struct dmtrace_export_counts counts;

	if (reader == NULL)
		return;
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_source *source = dmtrace_source_new(reader);
	if (format->weights != 0 || format->compressed)
		source = dmtrace_select(source, &shallow);
	if (dmtrace_export(op, source, &out, &options, &counts) ==
	    DMTRACE_OK) {
		demand(counts.events <= len, "an event has a byte at least");
		demand(lseek(out.fd, 0, SEEK_END) > 0 ||
		    strcmp(format->name, "collapsed") == 0 ||
		    strcmp(format->name, "jsonl") == 0,
		    "an export is not empty, except lines without calls");
	}
	dmtrace_source_free(source);
	dmtrace_op_free(op);
	dmtrace_reader_free(reader);
}

/* NULL: it is no trace, or cannot be summarized. */
static struct dmtrace_profile *
summarize(const uint8_t *bytes, size_t len, enum dmtrace_profile_by by)
{
	const struct dmtrace_profile_options options = {
		.keep = DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_TREE |
		    DMTRACE_PROFILE_CALLS | DMTRACE_PROFILE_THREADS,
		.by = by
	};
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	struct dmtrace_source *const source =
	    reader == NULL ? NULL : dmtrace_source_new(reader);

	if (source == NULL ||
	    dmtrace_profile_add(profile, source) != DMTRACE_OK) {
		dmtrace_profile_free(profile);
		profile = NULL;
	}
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	return profile;
}

/* Exclusive times add up to the total; of a table, the edges and the paths of
 * the call tree have the calls of the methods. */
static void
check_sums(const struct dmtrace_profile *profile)
{
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile_method method;
	struct dmtrace_profile_edge edge;
	struct dmtrace_profile_node node;
	uint64_t calls = 0, edge_calls = 0, node_calls = 0;
	int64_t sum_ns[DMTRACE_PROFILE_CLOCKS] = { 0 };
	bool is_partial = false;

	dmtrace_profile_summary_get(profile, &summary);
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		dmtrace_profile_method_get(profile, 0, i, &method);
		calls += method.calls + method.recursive_calls;
		is_partial = is_partial || method.exclusive_partial;
		for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
			sum_ns[clock] += method.exclusive_ns[clock];
	}
	for (size_t i = 0; i < dmtrace_profile_edge_count(profile, 0); i++) {
		dmtrace_profile_edge_get(profile, 0, i, &edge);
		edge_calls += edge.calls;
	}
	for (size_t i = 0; i < dmtrace_profile_node_count(profile, 0); i++) {
		dmtrace_profile_node_get(profile, 0, i, &node);
		node_calls += node.calls;
	}
	demand(calls == edge_calls && calls == node_calls,
	    "methods, edges and paths have the same calls");
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		demand(is_partial || !summary.has_clock[clock] ||
		    sum_ns[clock] == summary.total_ns[clock],
		    "exclusive times add up to the total");
}

/* Between a trace and itself, nothing is different. */
static void
check_diff(const struct dmtrace_profile *profile)
{
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_diff_change change;

	if (dmtrace_diff_add(diff, DMTRACE_DIFF_BASE, profile) == DMTRACE_OK &&
	    dmtrace_diff_add(diff, DMTRACE_DIFF_NEW, profile) == DMTRACE_OK) {
		demand(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL,
		    0.05) == DMTRACE_OK, "two runs are compared");
		for (size_t i = 0; i < dmtrace_diff_method_count(diff); i++)
			for (int j = 0; j < DMTRACE_DIFF_FIGURES; j++) {
				dmtrace_diff_change_get(diff, i,
				    (enum dmtrace_diff_figure)j, &change);
				demand(!change.different,
				    "a trace is the same as itself");
			}
	}
	dmtrace_diff_free(diff);
}

static void
report_trace(const uint8_t *bytes, size_t len, size_t number)
{
	struct dmtrace_profile *const profile = summarize(bytes, len,
	    (enum dmtrace_profile_by)(number % 5));
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	const struct dmtrace_export_profile_options options = {
		.format = (enum dmtrace_profile_format)(number / 5 % 3),
		.per_thread = number / 5 % 3 != DMTRACE_PROFILE_FLAME &&
		    number % 2 != 0,
		.old = number % 4 == 0 ? profile : NULL
	};

	if (profile == NULL)
		return;
	struct dmtrace_op *const op = dmtrace_op_new();
	check_sums(profile);
	check_diff(profile);
	if (dmtrace_export_profile(op, profile, &out, &options) == DMTRACE_OK)
		demand(lseek(out.fd, 0, SEEK_END) > 0,
		    "a report is not empty");
	dmtrace_op_free(op);
	dmtrace_profile_free(profile);
}

/* The condition is the last line of the bytes, or all. */
static void
filter_trace(const uint8_t *bytes, size_t len, size_t number)
{
	const struct dmtrace_file in = { NULL, scratch_file(0, bytes, len) };
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	char line[40] = "*";
	size_t size = 0;

	while (size < len && size + 1 < sizeof(line) &&
	    bytes[len - size - 1] != '\n')
		size++;
	if (number % 2 == 0) {
		memcpy(line, bytes + len - size, size);
		line[size] = '\0';
	}
	const char *const list[] = { line, NULL };
	const struct dmtrace_select_options select = {
		.threads = number / 2 % 4 == 0 ? list : NULL,
		.methods = number / 2 % 4 == 1 ? list : NULL,
		.under = number / 2 % 4 == 2 ? list : NULL,
		.hidden = number / 2 % 4 == 3 ? list : NULL,
		.from_ns = number / 8 % 3 * 1000,
		.raw = number / 8 % 2 != 0,
		.first_depth = (uint32_t)(number / 24 % 3),
		.min_ns = number / 24 % 2,
		.invert = number / 48 % 4 == 3
	};
	const struct dmtrace_filter_options options = {
		.select = &select, .keep_tables = number / 48 % 2 != 0,
		.allow_empty = number / 96 % 2 != 0
	};
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	if (dmtrace_filter(op, &in, &out, &options) == DMTRACE_OK)
		demand(lseek(out.fd, 0, SEEK_SET) == 0 &&
		    dmtrace_reader_open_fd(reader, out.fd) == DMTRACE_OK,
		    "what was filtered opens");
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}

enum change { LATER, EARLIER, SORTED, RENAMED };

/* In ns: whole ticks of any counter, as stage F of format V2 may have one. */
#define SECOND INT64_C(1000000000)

/* A writer keeps the header, so if that has not the size of the records of a
 * stream, few records may be read as some of another size; and so may those of
 * version 0xf2, whose header is not believed. */
static bool
states_size(const struct dmtrace_reader *reader)
{
	const struct dmt_header *const header = dmt_reader_header(reader);

	return header == NULL || header->record_size == 0 ||
	    (header->version != (DMT_VERSION_STREAMING | 2) &&
	    header->record_size == dmt_reader_layout(reader)->record_size);
}

/* The trace with a change, in the memory of a writer; NULL: it is no trace, or
 * cannot have that change, or nothing is claimed of it. */
static struct dmtrace_writer *
change_trace(const uint8_t *bytes, size_t len, enum change change)
{
	static const uint8_t hash_key[DMTRACE_RENAME_KEY_SIZE] = { 1 };
	const struct dmtrace_rename_options rename =
	    { .hash_key = hash_key, .all = len % 2 != 0 };
	const struct dmtrace_sort_options sort = { .any_clock = len % 2 != 0 };
	const struct dmtrace_shift_options shift =
	    { .by_ns = change == LATER ? SECOND : -SECOND };
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	enum dmtrace_status status = DMTRACE_ERR_NOT_TRACE;

	if (reader != NULL && states_size(reader)) {
		dmtrace_writer_set_like(writer, reader);
		dmtrace_writer_open_memory(writer);
		status = change == SORTED ?
		    dmtrace_sort(op, reader, writer, &sort) :
		    change == RENAMED ?
		    dmtrace_rename(op, reader, writer, &rename, NULL) :
		    dmtrace_shift(op, reader, writer, &shift);
	}
	if (status != DMTRACE_OK ||
	    dmtrace_writer_close(writer) != DMTRACE_OK) {
		dmtrace_writer_free(writer);
		writer = NULL;
	}
	dmtrace_op_free(op);
	dmtrace_reader_free(reader);
	return writer;
}

/* false: it has no checksum. *named: all of its threads have a name. */
static bool
add_up(struct dmtrace_checksum_result *sum, bool *named, const uint8_t *bytes,
    size_t len)
{
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_op *const op = dmtrace_op_new();
	const bool has_sum = reader != NULL &&
	    dmtrace_checksum(op, reader, NULL, sum) == DMTRACE_OK;

	*named = true;
	for (size_t i = 0; has_sum && i < sum->thread_count; i++)
		*named = *named && sum->threads[i].name.bytes != NULL;
	if (has_sum)
		dmtrace_checksum_fini(&(struct dmtrace_checksum_result){
		    .threads = sum->threads });
	dmtrace_op_free(op);
	dmtrace_reader_free(reader);
	return has_sum;
}

/* The checksum is the same after a sort, and after times were moved there and
 * back, unless a thread has no name, and gets one, as in stage F of format V2;
 * other names leave the number of records. */
static void
check_change(const uint8_t *bytes, size_t len, enum change change)
{
	struct dmtrace_writer *writer = change_trace(bytes, len, change);
	struct dmtrace_checksum_result before, after;
	bool named;
	size_t size;
	const uint8_t *image = dmtrace_writer_memory(writer, &size);

	if (change == LATER && writer != NULL) {
		struct dmtrace_writer *const later = writer;

		writer = change_trace(image, size, EARLIER);
		demand(writer != NULL, "times that were moved are moved back");
		dmtrace_writer_free(later);
		image = dmtrace_writer_memory(writer, &size);
	}
	if (writer != NULL && add_up(&before, &named, bytes, len)) {
		bool now_named;

		demand(add_up(&after, &now_named, image, size),
		    "what was changed has a checksum");
		demand(before.records + before.added ==
		    after.records + after.added, "no record is lost");
		demand(change == RENAMED || named != now_named ||
		    (before.sum.high == after.sum.high &&
		    before.sum.low == after.sum.low),
		    "the checksum is the same");
	}
	dmtrace_writer_free(writer);
}

void
run_use(const uint8_t *bytes, size_t len)
{
	const size_t number = len / 4;

	switch (len % 4) {
	case 0: export_trace(bytes, len, number); break;
	case 1: report_trace(bytes, len, number); break;
	case 2: filter_trace(bytes, len, number); break;
	default:
		check_change(bytes, len, number % 3 == 0 ? LATER :
		    number % 3 == 1 ? SORTED : RENAMED);
		break;
	}
}
