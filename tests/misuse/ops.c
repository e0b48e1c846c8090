/* ops.c - operations that are misused */

#include "misuse.h"

#include <fcntl.h>

static const struct dmtrace_file in = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "out.trace" };

static struct dmtrace_op *
new_op(void)
{
	make_trace(in.path);
	return dmtrace_op_new();
}

/* A reader of the trace, and a writer like it. */
struct rewrite {
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
};

static struct rewrite
begin_rewrite(const char *path)
{
	const struct rewrite to =
	    { dmtrace_reader_new(), dmtrace_writer_new() };

	OK(dmtrace_reader_open_path(to.reader, in.path));
	OK(dmtrace_writer_set_like(to.writer, to.reader));
	OK(dmtrace_writer_open_path(to.writer, path));
	return to;
}

static void
end_rewrite(const struct rewrite *to)
{
	dmtrace_writer_free(to->writer);
	dmtrace_reader_free(to->reader);
}

/* The output replaces the input when it is complete, or it is refused; the
 * trace is whole in either case. */
static void
an_output_over_its_input_is_whole_or_refused(void)
{
	const struct dmtrace_merge_input inputs[] = { { .file = in } };
	struct dmtrace_op *const op = new_op();
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	OK(dmtrace_filter(op, &in, &in, NULL));
	HOLDS(events_of(in.path) == 2);
	OK(dmtrace_merge(op, inputs, 1, &in, NULL, NULL));
	HOLDS(events_of(in.path) == 2);
	OK(dmtrace_reader_open_path(reader, in.path));
	OK(dmtrace_convert(op, reader, &in, NULL, NULL));
	HOLDS(events_of(in.path) == 2);
	dmtrace_reader_free(reader);
	IS(dmtrace_repair(op, &in, &in, NULL, NULL), DMTRACE_ERR_STATE);
	IS(dmtrace_corrupt(op, &in, &in, NULL), DMTRACE_ERR_STATE);
	HOLDS(events_of(in.path) == 2 && file_count() == 1);
	dmtrace_op_free(op);
}

static void
a_writer_over_its_reader_is_whole(void)
{
	struct dmtrace_op *const op = new_op();

	for (int i = 0; i < 2; i++) {
		const struct rewrite to = begin_rewrite(in.path);

		OK(i == 0 ? dmtrace_sort(op, to.reader, to.writer, NULL) :
		    dmtrace_shift(op, to.reader, to.writer, NULL));
		OK(dmtrace_writer_close(to.writer));
		end_rewrite(&to);
		HOLDS(events_of(in.path) == 2 && file_count() == 1);
	}
	dmtrace_op_free(op);
}

/* split and join have two files on one side. */
static void
halves_over_each_other_are_refused(void)
{
	const struct dmtrace_file key = { .path = "k" }, data = { .path = "d" };
	struct dmtrace_op *const op = new_op();

	OK(dmtrace_split(op, &in, &key, &data, 0));
	OK(dmtrace_join(op, &key, &data, &key, 0));
	HOLDS(events_of("k") == 2);
	OK(dmtrace_split(op, &in, &in, &data, 0));
	HOLDS(exists(in.path) && file_count() == 3);
	IS(dmtrace_join(op, &in, &in, &out, 0), DMTRACE_ERR_FOREIGN);
	HOLDS(!exists(out.path));
	dmtrace_op_free(op);
}

/* { 0 } is descriptor 0, which is read-only here. */
static void
a_forgotten_output_is_an_error(void)
{
	const struct dmtrace_file files[] = { { 0 }, { .fd = -1 },
		{ .fd = 999 }, { .path = "" }, { .path = "." },
		{ .path = "missing/x.trace" } };
	struct dmtrace_op *const op = new_op();

	HOLDS(close(0) == 0 && open("/dev/null", O_RDONLY) == 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		IS(dmtrace_filter(op, &in, &files[i], NULL), DMTRACE_ERR_IO);
		HOLDS(dmtrace_op_error(op)->sys_errno != 0);
		IS(dmtrace_split(op, &in, &out, &files[i], 0),
		    DMTRACE_ERR_IO);
		IS(dmtrace_repair(op, &in, &files[i], NULL, NULL),
		    DMTRACE_ERR_IO);
		HOLDS(file_count() == 1);
	}
	dmtrace_op_free(op);
}

static void
a_forgotten_input_is_an_error(void)
{
	const struct dmtrace_file files[] = { { .fd = -1 }, { .fd = 999 },
		{ .path = "" }, { .path = "." }, { .path = "missing" } };
	struct dmtrace_op *const op = new_op();
	struct dmtrace_validity validity = { .records = 77 };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const struct dmtrace_merge_input inputs[] = {
			{ .file = in }, { .file = files[i] }
		};

		IS(dmtrace_filter(op, &files[i], &out, NULL), DMTRACE_ERR_IO);
		IS(dmtrace_split(op, &files[i], &out, &in, 0),
		    DMTRACE_ERR_IO);
		IS(dmtrace_join(op, &in, &files[i], &out, 0), DMTRACE_ERR_IO);
		IS(dmtrace_merge(op, inputs, 2, &out, NULL, NULL),
		    DMTRACE_ERR_IO);
		IS(dmtrace_repair(op, &files[i], &out, NULL, NULL),
		    DMTRACE_ERR_IO);
		IS(dmtrace_corrupt(op, &files[i], &out, NULL),
		    DMTRACE_ERR_IO);
		IS(dmtrace_validate(op, &files[i], &validity),
		    DMTRACE_ERR_IO);
		HOLDS(validity.records == 77 && file_count() == 1);
	}
	dmtrace_op_free(op);
}

/* One after another; the error is that of the last one. */
static void
a_failure_is_of_the_last_operation(void)
{
	const struct dmtrace_file missing = { .path = "missing" };
	struct dmtrace_op *const op = new_op();

	IS(dmtrace_filter(op, &missing, &out, NULL), DMTRACE_ERR_IO);
	HOLDS(dmtrace_op_error_file(op) != NULL);
	OK(dmtrace_filter(op, &in, &out, NULL));
	OK(dmtrace_op_error(op)->status);
	HOLDS(dmtrace_op_error_file(op) == NULL);
	dmtrace_op_free(op);
}

/* Another context is free for use. */
static int
nest_another(void *context, uint64_t done, uint64_t total)
{
	struct dmtrace_op *const op = dmtrace_op_new();

	(void)done;
	(void)total;
	OK(dmtrace_filter(op, &in, &out, NULL));
	dmtrace_op_free(op);
	*(int *)context += 1;
	return *(int *)context < 3 ? 0 : -77;
}

static void
a_progress_function_may_use_another_and_cancel(void)
{
	struct dmtrace_op *const op = new_op();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	int calls = 0;

	dmtrace_op_set_progress(op, nest_another, &calls);
	OK(dmtrace_writer_open_path(writer, "big.trace"));
	IS(dmtrace_generate(op, writer,
	    &(struct dmtrace_generate_options){ .records = 100000000 }),
	    DMTRACE_ERR_CANCELLED);
	HOLDS(calls == 3);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
	HOLDS(file_count() == 2);
}

static void
generate_refuses_what_it_cannot_hold(void)
{
	static const struct dmtrace_generate_options rows[] = {
		{ .threads = UINT32_MAX }, { .threads = 65537 },
		{ .methods = UINT32_MAX }, { .shape =
		    (enum dmtrace_shape)99 }, { .shape =
		    (enum dmtrace_shape)-1 },
		{ .duration_ns = 1, .records = 100 },
	};
	struct dmtrace_op *const op = new_op();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		OK(dmtrace_writer_open_memory(writer));
		IS(dmtrace_generate(op, writer, &rows[i]), i == 5 ?
		    DMTRACE_OK : DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
	}
	dmtrace_op_free(op);
}

/* Large numbers that are allowed, and must not take all memory. */
static void
generate_takes_large_limits(void)
{
	static const struct dmtrace_generate_options rows[] = {
		{ .max_depth = UINT32_MAX, .records = 1000 },
		{ .burst = UINT32_MAX, .records = 1000 },
		{ .duration_ns = UINT64_MAX, .records = 1000 },
		{ .seed = UINT64_MAX, .records = 1 },
		{ .shape = DMTRACE_SHAPE_DEEP, .max_depth = UINT32_MAX,
		    .records = 1000 },
	};
	struct dmtrace_op *const op = new_op();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		OK(dmtrace_writer_open_memory(writer));
		const int status = dmtrace_generate(op, writer, &rows[i]);
		HOLDS(status == DMTRACE_OK || status == DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
	}
	dmtrace_op_free(op);
}

static void
shift_refuses_numbers_out_of_range(void)
{
	static const struct dmtrace_shift_options rows[] = {
		{ .scale_up = 1000000001 }, { .scale_down = UINT64_MAX },
		{ .scale_up = UINT64_MAX }, { .by_ns = 1 },
		{ .by_ns = INT64_MIN }, { .by_ns = INT64_MAX },
		{ .by_ns = -1000000000 }, { .scale_up = 1000000000 },
		{ .by_ns = INT64_MIN + 808 }, { .by_ns = INT64_MAX - 807 },
	};
	struct dmtrace_op *const op = new_op();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rewrite to = begin_rewrite(out.path);

		IS(dmtrace_shift(op, to.reader, to.writer, &rows[i]),
		    DMTRACE_ERR_RANGE);
		end_rewrite(&to);
		HOLDS(file_count() == 1);
	}
	dmtrace_op_free(op);
}

static void
merge_refuses_offsets_out_of_range(void)
{
	static const int64_t offsets[] = { 1, INT64_MIN, INT64_MAX,
		INT64_MIN + 808, INT64_MAX - 807, -2000000000 };
	struct dmtrace_op *const op = new_op();

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		const struct dmtrace_merge_input inputs[] = { { .file = in },
			{ .file = in, .offset_ns = offsets[i] } };
		const int status = dmtrace_merge(op, inputs, 2, &out, NULL,
		    NULL);

		HOLDS(status == DMTRACE_ERR_RANGE || status == DMTRACE_OK);
		HOLDS(exists(out.path) == (status == DMTRACE_OK));
		unlink(out.path);
	}
	IS(dmtrace_merge(op, NULL, 0, &out, NULL, NULL), DMTRACE_ERR_RANGE);
	dmtrace_op_free(op);
}

/* Values of options that do not exist. */
static void
unknown_choices_are_refused(void)
{
	const struct dmtrace_merge_input inputs[] = { { .file = in } };
	struct dmtrace_op *const op = new_op();

	for (int number = 77; number >= -1; number -= 78) {
		const struct dmtrace_merge_options merges[] = {
			{ .dialect = (enum dmtrace_dialect)number },
			{ .threads = (enum dmtrace_merge_threads)number },
			{ .align = (enum dmtrace_merge_align)number }
		};
		const struct dmtrace_convert_options converts[] = {
			{ .dialect = (enum dmtrace_dialect)number },
			{ .clock = (enum dmtrace_clock)number },
			{ .dialect = DMTRACE_DIALECT_V5,
			    .stage = (enum dmtrace_stage)number }
		};
		const struct dmtrace_repair_options repair = {
			.time = (enum dmtrace_repair_time)number
		};

		for (size_t i = 0; i < 3; i++) {
			struct dmtrace_reader *const reader =
			    dmtrace_reader_new();

			IS(dmtrace_merge(op, inputs, 1, &out, &merges[i],
			    NULL), DMTRACE_ERR_RANGE);
			OK(dmtrace_reader_open_path(reader, in.path));
			IS(dmtrace_convert(op, reader, &out, &converts[i],
			    NULL), DMTRACE_ERR_RANGE);
			dmtrace_reader_free(reader);
		}
		IS(dmtrace_repair(op, &in, &out, &repair, NULL),
		    DMTRACE_ERR_RANGE);
	}
	IS(dmtrace_corrupt(op, &in, &out, &(struct dmtrace_corrupt_options){
	    .kinds = 1u << 31 }), DMTRACE_ERR_RANGE);
	IS(dmtrace_corrupt(op, &in, &out, &(struct dmtrace_corrupt_options){
	    .count = UINT32_MAX }), DMTRACE_ERR_RANGE);
	HOLDS(file_count() == 1);
	dmtrace_op_free(op);
}

/* Neither part of a name is there: only the thread's, or a number. */
static void
pieces_without_a_name_end_in_a_status(void)
{
	static const struct dmtrace_pieces_options rows[] = {
		{ .by = DMTRACE_PIECES_THREAD },
		{ .by = DMTRACE_PIECES_RECORDS, .amount = 1 },
		{ .by = DMTRACE_PIECES_RECORDS, .amount = 1,
		    .before = "missing/", .after = "" },
		{ .by = DMTRACE_PIECES_TIME, .amount = UINT64_MAX },
		{ .by = DMTRACE_PIECES_SIZE, .amount = UINT64_MAX },
		{ .by = DMTRACE_PIECES_SIZE, .amount = 1 },
		{ .by = DMTRACE_PIECES_TIME, .amount = 1, .max_files = 1 },
	};
	struct dmtrace_op *const op = new_op();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		uint64_t count = 77;

		OK(dmtrace_reader_open_path(reader, in.path));
		const unsigned before = file_count();
		const int status = dmtrace_split_pieces(op, reader, &rows[i],
		    &count);
		if (status != DMTRACE_OK)
			HOLDS(file_count() == before && count != 77);
		dmtrace_reader_free(reader);
	}
	dmtrace_op_free(op);
}

static void
a_checksum_is_freed_as_often_as_one_likes(void)
{
	struct dmtrace_op *const op = new_op();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_checksum_result sums;

	memset(&sums, 0xa5, sizeof(sums));
	OK(dmtrace_reader_open_path(reader, in.path));
	OK(dmtrace_checksum(op, reader, NULL, &sums));
	HOLDS(sums.records == 2 && sums.thread_count == 1);
	dmtrace_checksum_fini(&sums);
	dmtrace_checksum_fini(&sums);
	HOLDS(sums.threads == NULL && sums.records == 0);
	IS(dmtrace_checksum(op, reader, NULL, &sums), DMTRACE_ERR_STATE);
	HOLDS(sums.threads == NULL && sums.thread_count == 0);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}

static void
rename_refuses_options_that_do_not_go_together(void)
{
	static const uint8_t hash_key[64];
	const struct dmtrace_file missing = { .path = "missing" };
	const struct dmtrace_rename_options rows[] = {
		{ 0 }, { .mapping = &missing, .hash_key = hash_key },
		{ .mapping = &missing, .table = &out }, { .all = 1 },
		{ .mapping = &missing }, { .table = &missing },
		{ .mapping = &in },
	};
	struct dmtrace_op *const op = new_op();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rewrite to = begin_rewrite(out.path);

		IS(dmtrace_rename(op, to.reader, to.writer, &rows[i], NULL),
		    i < 4 ? DMTRACE_ERR_STATE : i < 6 ? DMTRACE_ERR_IO :
		    DMTRACE_ERR_CORRUPT);
		end_rewrite(&to);
		HOLDS(file_count() == 1);
	}
	dmtrace_op_free(op);
}

static const struct misuse cases[] = {
	CASE(an_output_over_its_input_is_whole_or_refused),
	CASE(a_writer_over_its_reader_is_whole),
	CASE(halves_over_each_other_are_refused),
	CASE(a_forgotten_output_is_an_error),
	CASE(a_forgotten_input_is_an_error),
	CASE(a_failure_is_of_the_last_operation),
	CASE(a_progress_function_may_use_another_and_cancel),
	CASE(generate_refuses_what_it_cannot_hold),
	CASE(generate_takes_large_limits),
	CASE(shift_refuses_numbers_out_of_range),
	CASE(merge_refuses_offsets_out_of_range),
	CASE(unknown_choices_are_refused),
	CASE(pieces_without_a_name_end_in_a_status),
	CASE(a_checksum_is_freed_as_often_as_one_likes),
	CASE(rename_refuses_options_that_do_not_go_together)
};

MISUSE_MAIN(cases)
