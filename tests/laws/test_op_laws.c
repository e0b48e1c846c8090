/* test_op_laws.c - operations on generated traces give the same output twice,
 * and leave no output after a failure */

#include <dmtrace.h>
#include <fcntl.h>
#include <stdbool.h>

#include "helpers/changes.h"
#include "helpers/failing.h"
#include "helpers/reported.h"
#include "helpers/unit.h"
#include "private/ops.h"
#include "private/select.h"

#define SEEDS 8			/* generated traces of each kind */
#define SEEDS_MORE 84		/* and with DMTRACE_MORE */
#define SEEDS_SANITIZED 8	/* there each takes ten times as long */

static const struct dmtrace_file in = { .path = "in" };
static const struct dmtrace_file out = { .path = "out" };

static enum dmtrace_status
run_merge(void)
{
	const struct dmtrace_merge_input inputs[] = {
		{ .file = in }, { .file = { .path = "again" } }, { .file = in }
	};
	struct dmtrace_merge_options options = { 0 };

	return dmtrace_merge(op, inputs, ROWS(inputs), &out, &options, NULL);
}

static enum dmtrace_status
run_repair(void)
{
	struct dmtrace_repair_options options = { 0 };
	struct dmtrace_repair_result result;

	return dmtrace_repair(op, &in, &out, &options, &result);
}

static enum dmtrace_status
sort(struct dmtrace_reader *reader, struct dmtrace_writer *writer)
{
	struct dmtrace_sort_options options = { 0 };

	return dmtrace_sort(op, reader, writer, &options);
}

static enum dmtrace_status
shift(struct dmtrace_reader *reader, struct dmtrace_writer *writer)
{
	struct dmtrace_shift_options options = { 0 };

	options.to_zero = 1;
	options.by_ns = 5000;
	return dmtrace_shift(op, reader, writer, &options);
}

static enum dmtrace_status
select_some(struct dmt_selection *selection,
    struct dmtrace_reader *reader)
{
	enum dmtrace_status status = dmt_selection_set_depth(selection, 1,
	    3);

	if (status == DMTRACE_OK)
		status = dmt_selection_resolve(selection,
		    dmtrace_reader_key(reader), dmt_reader_layout(reader));
	return status;
}

static enum dmtrace_status
filter(struct dmtrace_reader *reader, struct dmtrace_writer *writer)
{
	struct dmt_selection *const selection = dmt_selection_new();
	struct dmt_filter_options options = { 0 };
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	options.selection = selection;
	if (selection != NULL)
		status = select_some(selection, reader);
	if (status == DMTRACE_OK)
		status = dmt_filter(op, reader, writer, &options);
	dmt_selection_free(selection);
	return status;
}

/* From in to out, by what goes from a reader to a writer like it. */
static enum dmtrace_status
pass(enum dmtrace_status (*change)(struct dmtrace_reader *reader,
    struct dmtrace_writer *writer))
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (reader != NULL && writer != NULL)
		status = dmtrace_reader_open_path(reader, in.path);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_set_like(writer, reader);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_open_path(writer, out.path);
	if (status == DMTRACE_OK)
		status = change(reader, writer);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}

static enum dmtrace_status
run_sort(void)
{
	return pass(sort);
}

static enum dmtrace_status
run_shift(void)
{
	return pass(shift);
}

static enum dmtrace_status
run_filter(void)
{
	return pass(filter);
}

static const struct {
	const char *label;
	enum dmtrace_status (*run)(void);
	bool by_time;			/* of all threads */
} operations[] = {
	{ "merge",  run_merge,  false },
	{ "repair", run_repair, false },
	{ "sort",   run_sort,   true  },
	{ "shift",  run_shift,  false },
	{ "filter", run_filter, false },
};

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	bool comparable;		/* times of different threads */
} kinds[] = {
	{ 1, DMTRACE_CLOCK_THREAD_CPU, false },
	{ 1, DMTRACE_CLOCK_WALL,       false },
	{ 2, DMTRACE_CLOCK_THREAD_CPU, false },
	{ 2, DMTRACE_CLOCK_WALL,       true  },
	{ 3, DMTRACE_CLOCK_WALL,       true  },
	{ 3, DMTRACE_CLOCK_DUAL,       true  },
};

static const enum fault faults[] = {
	FAULT_ALLOC, FAULT_READ, FAULT_WRITE, FAULT_NAME
};

static uint64_t
seeds(void)
{
	const char *const sanitized = getenv("SANITIZED");

	return unit_more() ? SEEDS_MORE :
	    sanitized != NULL && strcmp(sanitized, "yes") == 0 ?
	    SEEDS_SANITIZED : SEEDS;
}

/* Two inputs of one kind; sort has something to do in the first. */
static void
put_inputs(int kind, uint64_t seed)
{
	struct made made = made_generate(kinds[kind].version,
	    kinds[kind].clock, seed, 20 + seed * 7 % 90,
	    (uint32_t)(1 + seed % 5));

	file_put("again", made.bytes, made.len);
	if (seed % 2 == 0)
		made_shuffle(&made, seed, 9);
	file_put(in.path, made.bytes, made.len);
	free(made.bytes);
}

/* How many of the first descriptors are open. */
static unsigned
descriptors(void)
{
	unsigned count = 0;

	for (int fd = 0; fd < 64; fd++)
		count += fcntl(fd, F_GETFD) != -1;
	return count;
}

/* A call that fails somewhere: the same, or the right status and nothing; and
 * descriptors are as before, with those of others. */
static void
fail_once(size_t operation, enum fault fault, unsigned nth,
    const char *bytes, size_t len)
{
	const unsigned before = descriptors();
	struct failing failing = { .kind = fault, .nth = nth - 1 };

	failing_arm(&failing);
	if (!failing_reported(&failing, operations[operation].run())) {
		assert_file(out.path, bytes, len);
		unlink(out.path);
	}
	ck_assert_uint_eq(descriptors(), before);
	ck_assert_uint_eq(file_count("."), 2);
}

static void
check_operation(size_t operation, uint64_t seed)
{
	uint64_t state = seed * 8 + operation + 1;
	size_t len;

	ck_assert_int_eq(operations[operation].run(), DMTRACE_OK);
	char *const bytes = file_get(out.path, &len);
	unlink(out.path);
	ck_assert_int_eq(operations[operation].run(), DMTRACE_OK);
	assert_file(out.path, bytes, len);
	unlink(out.path);
	for (size_t i = 0; i < ROWS(faults); i++)
		fail_once(operation, faults[i],
		    1 + (unsigned)(next_random(&state) >> 20) %
		    (faults[i] == FAULT_ALLOC ? 40 : 4), bytes, len);
	free(bytes);
}

START_TEST(the_same_again_or_nothing)
{
	const int kind = _i / (int)ROWS(operations);
	const size_t operation = (size_t)_i % ROWS(operations);

	if (operations[operation].by_time && !kinds[kind].comparable)
		return;
	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		put_inputs(kind, seed);
		check_operation(operation, seed);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("op_laws");
	TCase *tcase = unit_tcase(suite, "laws");

	printf("# %u generated traces\n",
	    (unsigned)(seeds() * ROWS(kinds)));
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, reported_begin, op_end);
	tcase_add_loop_test(tcase, the_same_again_or_nothing, 0,
	    (int)(ROWS(kinds) * ROWS(operations)));
	return unit_main(suite);
}
