/* test_generate.c - generated traces, byte for byte and by their laws */

#include <dmtrace.h>

#include <string.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/unit.h"
#include "private/trace.h"

#define KEY(version, clock, vm) \
	"*version\n" version "\n" "clock=" clock "\n" \
	"data-file-overflow=false\n" "elapsed-time-usec=40\n" \
	"num-method-calls=8\n" "clock-call-overhead-nsec=138\n" vm \
	"*threads\n" "1\tmain\n" \
	"*methods\n" \
	"0x20008034\tnet/tarnwick/input/BufferHelper\t<init>\t()V\t" \
	"BufferHelper.java\t30\n" \
	"0x20008068\tnet/tarnwick/input/BufferHelper\tisRoute\t" \
	"(Ljava/io/InputStream;Ljava/util/List;)V\t" \
	"BufferHelper.java\t70\n" \
	"*end\n"
#define DALVIK "vm=dalvik\n"
#define ART "vm=art\n" "pid=4242\n"
#define HEADER(version, size) "SLOW" version "\0" "\x20\0" \
	"\0\0\0\0\0\0\0\0" size "\0" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

/* The records were computed by an independent program in another language. */
static const struct {
	const char *label;
	unsigned version;
	enum dmtrace_clock clock;
	const char *bytes;
	size_t len;
} tiny[] = {
#define TRACE(label, version, clock, bytes) \
	{ label, version, clock, bytes, sizeof(bytes) - 1 }
	TRACE("version 1", 1, DMTRACE_CLOCK_WALL,
	    KEY("1", "wall", DALVIK) HEADER("\1", "\0")
	    "\x01" "\x34\x80\x00\x20" "\x00\x00\x00\x00"
	    "\x01" "\x34\x80\x00\x20" "\x00\x00\x00\x00"
	    "\x01" "\x35\x80\x00\x20" "\x04\x00\x00\x00"
	    "\x01" "\x35\x80\x00\x20" "\x04\x00\x00\x00"
	    "\x01" "\x34\x80\x00\x20" "\x09\x00\x00\x00"
	    "\x01" "\x35\x80\x00\x20" "\x0d\x00\x00\x00"
	    "\x01" "\x68\x80\x00\x20" "\x0f\x00\x00\x00"
	    "\x01" "\x69\x80\x00\x20" "\x0f\x00\x00\x00"),
	TRACE("version 2", 2, DMTRACE_CLOCK_THREAD_CPU,
	    KEY("2", "thread-cpu", ART) HEADER("\2", "\0")
	    "\x01\x00" "\x34\x80\x00\x20" "\x00\x00\x00\x00"
	    "\x01\x00" "\x34\x80\x00\x20" "\x00\x00\x00\x00"
	    "\x01\x00" "\x35\x80\x00\x20" "\x03\x00\x00\x00"
	    "\x01\x00" "\x35\x80\x00\x20" "\x04\x00\x00\x00"
	    "\x01\x00" "\x34\x80\x00\x20" "\x04\x00\x00\x00"
	    "\x01\x00" "\x35\x80\x00\x20" "\x08\x00\x00\x00"
	    "\x01\x00" "\x68\x80\x00\x20" "\x08\x00\x00\x00"
	    "\x01\x00" "\x69\x80\x00\x20" "\x08\x00\x00\x00"),
	TRACE("version 3", 3, DMTRACE_CLOCK_DUAL,
	    KEY("3", "dual", ART) HEADER("\3", "\x0e")
	    "\x01\0" "\x34\x80\x00\x20" "\x00\x00\x00\x00" "\x06\x00\x00\x00"
	    "\x01\0" "\x34\x80\x00\x20" "\x00\x00\x00\x00" "\x06\x00\x00\x00"
	    "\x01\0" "\x35\x80\x00\x20" "\x03\x00\x00\x00" "\x0a\x00\x00\x00"
	    "\x01\0" "\x35\x80\x00\x20" "\x04\x00\x00\x00" "\x0a\x00\x00\x00"
	    "\x01\0" "\x34\x80\x00\x20" "\x04\x00\x00\x00" "\x0f\x00\x00\x00"
	    "\x01\0" "\x35\x80\x00\x20" "\x08\x00\x00\x00" "\x13\x00\x00\x00"
	    "\x01\0" "\x68\x80\x00\x20" "\x08\x00\x00\x00" "\x15\x00\x00\x00"
	    "\x01\0" "\x69\x80\x00\x20" "\x08\x00\x00\x00" "\x15\x00\x00\x00"),
	TRACE("a clock that is not global", 2, DMTRACE_CLOCK_GLOBAL,
	    KEY("2", "global", ART) HEADER("\2", "\0")
	    "\x01\x00" "\x34\x80\x00\x20" "\x00\x00\x00\x00"
	    "\x01\x00" "\x34\x80\x00\x20" "\x00\x00\x00\x00"
	    "\x01\x00" "\x35\x80\x00\x20" "\x04\x00\x00\x00"
	    "\x01\x00" "\x35\x80\x00\x20" "\x04\x00\x00\x00"
	    "\x01\x00" "\x34\x80\x00\x20" "\x09\x00\x00\x00"
	    "\x01\x00" "\x35\x80\x00\x20" "\x0d\x00\x00\x00"
	    "\x01\x00" "\x68\x80\x00\x20" "\x0f\x00\x00\x00"
	    "\x01\x00" "\x69\x80\x00\x20" "\x0f\x00\x00\x00"),
};

static struct dmtrace_generate_options
tiny_options(void)
{
	struct dmtrace_generate_options options = { 0 };

	options.seed = 8;
	options.records = 8;
	options.threads = 1;
	options.methods = 2;
	options.max_depth = 2;
	return options;
}

static struct dmtrace_writer *
open_writer(unsigned version, enum dmtrace_clock clock)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_ptr_nonnull(writer);
	dmt_writer_set_layout(writer,
	    dmt_layout_find(version, clock));
	dmtrace_key_option_set(dmtrace_writer_key(writer), "clock",
	    dmtrace_clock_name(clock));
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	return writer;
}

START_TEST(makes_these_bytes)
{
	const struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(tiny[_i].version, tiny[_i].clock);
	size_t len;

	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &len);

	ck_assert_uint_eq(len, tiny[_i].len);
	ck_assert_mem_eq(bytes, tiny[_i].bytes, len);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(rounds_an_odd_number_down)
{
	struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(2, DMTRACE_CLOCK_THREAD_CPU);
	size_t len;

	options.records = 9;
	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_memory(writer, &len);
	ck_assert_uint_eq(len, tiny[1].len);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

static const struct {
	struct dmtrace_generate_options options;
	unsigned version;
	const char *message;
} unfit[] = {
	{ { .threads = 256 }, 1, "threads 256: version 1 takes 1 to 255" },
	{ { .threads = 65536 }, 2,
	  "threads 65536: version 2 takes 1 to 65535" },
	{ { .methods = 10000001 }, 3,
	  "methods 10000001: version 3 takes 1 to 10000000" },
	{ { .max_depth = 1048577 }, 3,
	  "max-depth 1048577: version 3 takes 1 to 1048576" },
	{ { .shape = DMTRACE_SHAPE_APP, .max_depth = 7 }, 3,
	  "max-depth 7: shape app takes 8 or more" },
	{ { .shape = DMTRACE_SHAPE_SAMPLING, .burst = 9 }, 3,
	  "burst 9: shape sampling has bursts of its own" },
	{ { .shape = (enum dmtrace_shape)8 }, 3, "there is no such shape" },
	{ { .duration_ns = (UINT64_C(1) << 52) + 1 }, 3,
	  "a duration is at most 52 days" },
};

START_TEST(refuses_options_that_no_version_can_hold)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(unfit[_i].version, DMTRACE_CLOCK_WALL);

	ck_assert_int_eq(dmtrace_generate(op, writer, &unfit[_i].options),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_op_error(op)->message, unfit[_i].message);
	ck_assert_uint_eq(dmtrace_key_thread_count(
	    dmtrace_writer_key(writer)), 0);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(the_limits_themselves_fit)
{
	struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(_i == 0 ? 1 : 2, DMTRACE_CLOCK_WALL);

	options.threads = _i == 0 ? 255 : 65535;
	options.records = 0;
	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(a_writer_takes_one_trace)
{
	const struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(3, DMTRACE_CLOCK_DUAL);

	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options),
	    DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(what_is_0_is_the_default)
{
	const struct dmtrace_generate_options options = { .records = 8 };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(3, DMTRACE_CLOCK_DUAL);
	struct dmt_count count;

	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);

	struct dmtrace_reader *const reader = dmtrace_reader_new();
	size_t len;
	const void *const bytes = dmtrace_writer_memory(writer, &len);

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	ck_assert_uint_eq(dmtrace_key_thread_count(
	    dmtrace_reader_key(reader)), 4);
	ck_assert_int_eq(dmt_reader_count(reader, &count), DMTRACE_OK);
	ck_assert_uint_eq(count.records, 8);
	dmt_count_fini(&count);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

/* Records, of which 10000 are asked for. */
static int
cancel_records(void *context, uint64_t done, uint64_t total)
{
	ck_assert_uint_eq(total, 10000);
	return cancel_after(context, done, total);
}

START_TEST(progress_can_cancel)
{
	struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer =
	    open_writer(3, DMTRACE_CLOCK_DUAL);
	unsigned calls = 3;

	options.records = 10000;
	dmtrace_op_set_progress(op, cancel_records, &calls);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options),
	    DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

/* A dmtrace_output with room for so many bytes. */
static ptrdiff_t
write_some(void *context, const void *bytes, size_t len)
{
	size_t *const room = context;

	(void)bytes;
	if (*room < len)
		return -1;
	*room -= len;
	return (ptrdiff_t)len;
}

START_TEST(a_writer_that_fails_ends_it)
{
	struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	size_t room = 500000;

	options.records = 100000;
	ck_assert_int_eq(dmtrace_writer_open_output(writer,
	    &(struct dmtrace_output){ write_some, &room }), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_op_error(op)->status, DMTRACE_ERR_IO);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(reports_that_memory_has_run_out)
{
	const struct dmtrace_generate_options options = tiny_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		struct dmtrace_writer *const writer =
		    open_writer(3, DMTRACE_CLOCK_DUAL);

		failing_arm(&failing);
		failing_reported(&failing,
		    dmtrace_generate(op, writer, &options));
		dmtrace_writer_free(writer);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 4);
	dmtrace_op_free(op);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("generate");
	TCase *const tcase = unit_tcase(suite, "generate");

	ADD_CASES(tcase, makes_these_bytes, tiny);
	tcase_add_test(tcase, rounds_an_odd_number_down);
	ADD_CASES(tcase, refuses_options_that_no_version_can_hold, unfit);
	tcase_add_loop_test(tcase, the_limits_themselves_fit, 0, 2);
	tcase_add_test(tcase, a_writer_takes_one_trace);
	tcase_add_test(tcase, what_is_0_is_the_default);
	tcase_add_test(tcase, progress_can_cancel);
	tcase_add_test(tcase, a_writer_that_fails_ends_it);
	tcase_add_test(tcase, reports_that_memory_has_run_out);
	return unit_main(suite);
}
