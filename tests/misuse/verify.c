/* verify.c - validation, expectations and fixes that are misused */

#include "misuse.h"

static const struct dmtrace_file file = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "out.trace" };

static struct dmtrace_reader *
open_reader(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	make_trace(file.path);
	OK(dmtrace_reader_open_path(reader, file.path));
	return reader;
}

static void
what_is_no_trace_leaves_the_result(void)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity = { .records = 77 };

	IS(dmtrace_validate_memory(op, "", 0, &validity),
	    DMTRACE_ERR_NOT_TRACE);
	IS(dmtrace_validate_memory(op, NULL, 1, &validity),
	    DMTRACE_ERR_STATE);
	HOLDS(validity.records == 77);
	HOLDS(dmtrace_validate_memory(op, NULL, 0, &validity) != DMTRACE_OK);
	dmtrace_op_free(op);
}

static void
a_specification_is_decoded_once(void)
{
	struct dmtrace_spec *spec = dmtrace_spec_new();

	write_text("x.spec", "calls(a.b) == 1\n");
	OK(dmtrace_spec_decode(spec, "", 0));
	IS(dmtrace_spec_decode(spec, "", 0), DMTRACE_ERR_STATE);
	IS(dmtrace_spec_read(spec, &(struct dmtrace_file){
	    .path = "x.spec" }), DMTRACE_ERR_STATE);
	dmtrace_spec_free(spec);
	spec = dmtrace_spec_new();
	IS(dmtrace_spec_read(spec, &file), DMTRACE_ERR_IO);
	dmtrace_spec_free(spec);
	spec = dmtrace_spec_new();
	IS(dmtrace_spec_decode(spec, NULL, 9), DMTRACE_ERR_STATE);
	dmtrace_spec_free(spec);
}

static void
a_specification_that_expects_nothing_is_not_met(void)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_expected expected = { .unmet = 77 };

	OK(dmtrace_spec_decode(spec, "# nothing\n", 10));
	IS(dmtrace_expect(op, spec, reader, NULL, NULL, &expected),
	    DMTRACE_ERR_STATE);
	HOLDS(expected.unmet == 77);
	dmtrace_reader_free(reader);
	dmtrace_spec_free(spec);
	dmtrace_op_free(op);
}

static void
count_expectations(void *context, const struct dmtrace_expectation *one)
{
	*(unsigned *)context += one->met != 0;
}

/* The text of a spec is copied; a reader is judged once. */
static void
a_reader_is_judged_once(void)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_expected expected;
	char *const text = strdup("calls(a.b) == 1\n");
	unsigned met = 0;

	OK(dmtrace_spec_decode(spec, text, strlen(text)));
	memset(text, '?', strlen(text));
	free(text);
	OK(dmtrace_expect(op, spec, reader, count_expectations, &met,
	    &expected));
	HOLDS(expected.unmet == 0 && expected.expectations == 1 && met == 1);
	IS(dmtrace_expect(op, spec, reader, count_expectations, &met,
	    &expected), DMTRACE_ERR_STATE);
	HOLDS(met == 1);
	dmtrace_reader_free(reader);
	dmtrace_spec_free(spec);
	dmtrace_op_free(op);
}

static void
a_fix_for_an_unknown_reader_is_refused(void)
{
	static const struct dmtrace_fix_options rows[] = {
		{ .readers = DMTRACE_READER_BIT(DMTRACE_READERS) },
		{ .readers = UINT32_MAX }, { .strict = UINT32_MAX }
	};
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_fix_result result;

	make_trace(file.path);
	for (size_t i = 0; i < 3; i++)
		IS(dmtrace_fix(op, &file, &out, &rows[i], &result),
		    DMTRACE_ERR_RANGE);
	IS(dmtrace_fix(op, &file, &file, NULL, &result), DMTRACE_ERR_STATE);
	HOLDS(file_count() == 1 && events_of(file.path) == 2);
	dmtrace_op_free(op);
}

/* The last call of change is with NULL; it refuses the output. */
static int
refuse_at_the_end(void *context, const struct dmtrace_change *change)
{
	(void)context;
	return change == NULL ? INT32_MIN : 0;
}

static void
a_change_function_may_refuse_the_output(void)
{
	const struct dmtrace_fix_options fix = {
		.change = refuse_at_the_end
	};
	const struct dmtrace_repair_options repair = {
		.change = refuse_at_the_end
	};
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_fix_result result;

	make_trace(file.path);
	IS(dmtrace_repair(op, &file, &out, &repair, NULL),
	    DMTRACE_ERR_CANCELLED);
	IS(dmtrace_fix(op, &file, &out, &fix, &result),
	    DMTRACE_ERR_CANCELLED);
	HOLDS(file_count() == 1);
	dmtrace_op_free(op);
}

static const struct misuse cases[] = {
	CASE(what_is_no_trace_leaves_the_result),
	CASE(a_specification_is_decoded_once),
	CASE(a_specification_that_expects_nothing_is_not_met),
	CASE(a_reader_is_judged_once),
	CASE(a_fix_for_an_unknown_reader_is_refused),
	CASE(a_change_function_may_refuse_the_output)
};

MISUSE_MAIN(cases)
