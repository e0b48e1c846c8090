/* test_text_laws.c - undump reverses dump, whatever the bytes are */

#include <dmtrace.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "helpers/faults.h"
#include "helpers/random.h"
#include "helpers/samples.h"
#include "helpers/unit.h"
#include "private/text_form.h"

static size_t
rounds(void)
{
	return unit_more() ? 10000 : 300;
}

/* Dumps the bytes, undumps the text, and compares. */
static void
check_law(const uint8_t *bytes, size_t len, const char *what)
{
	struct dmt_output text = { 0 };
	struct dmt_output again = { 0 };
	struct dmtrace_error error;
	bool recognized;

	ck_assert_msg(dmt_text_dump_memory(bytes, len, &text, &recognized,
	    &error) == DMTRACE_OK, "%s: %s", what, error.message);
	ck_assert_msg(dmt_text_undump_memory(text.bytes,
	    text.len, &again, 0, &error) == DMTRACE_OK,
	    "%s: line %lu: %s", what, (unsigned long)error.at, error.message);
	ck_assert_msg(again.len == len && (len == 0 ||
	    memcmp(again.bytes, bytes, len) == 0),
	    "%s: the bytes differ", what);
	dmt_output_fini(&text);
	dmt_output_fini(&again);
}

START_TEST(reverses_the_dump_of_a_sample)
{
	const struct sample *const sample = sample_get(_i);

	check_law(sample->bytes, sample->len, sample->name);
}
END_TEST

/* A few rows are enough to reach every allocation. */
START_TEST(survives_every_failing_allocation)
{
	const struct sample *const sample = sample_get(_i);
	struct dmtrace_error error;
	bool failed, recognized;

	if (sample->len > 2000)
		return;
	for (unsigned n = 1; n < 200; n++) {
		struct dmt_output text = { 0 };

		fault_arm(FAULT_ALLOC, n);
		enum dmtrace_status status = dmt_text_dump_memory(
		    sample->bytes, sample->len, &text, &recognized, &error);
		failed = fault_disarm();
		if (status == DMTRACE_OK)
			status = text.error.status;
		ck_assert(status == DMTRACE_ERR_MEMORY ||
		    status == DMTRACE_OK);
		struct dmt_output again = { 0 };
		if (status == DMTRACE_OK) {
			fault_arm(FAULT_ALLOC, n);
			status = dmt_text_undump_memory(text.bytes,
			    text.len, &again, 0, &error);
			failed |= fault_disarm();
			if (status == DMTRACE_OK)
				status = again.error.status;
			ck_assert(status == DMTRACE_ERR_MEMORY ||
			    status == DMTRACE_OK);
			if (status == DMTRACE_OK)
				ck_assert(again.len == sample->len &&
				    (sample->len == 0 || memcmp(
				    again.bytes, sample->bytes,
				    sample->len) == 0));
		}
		dmt_output_fini(&text);
		dmt_output_fini(&again);
		if (!failed)
			break;
	}
}
END_TEST

START_TEST(reverses_the_dump_of_generated_traces)
{
	const enum dmtrace_dialect dialect = (enum dmtrace_dialect)(_i + 1);
	const uint64_t seeds = rounds() > 300 ? 112 : 34;

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();
		struct dmtrace_op *const op = dmtrace_op_new();
		const struct dmtrace_generate_options options = {
			.seed = seed,
			.shape = (enum dmtrace_shape)(seed % 8),
			.records = 400,
			.duration_ns = seed % 5 == 0 ? 5400000000000 : 0,
			.odd_names = seed % 3 == 0,
			.threads = 1 + (uint32_t)(seed % 5),
			.methods = 1 + (uint32_t)(seed % 30),
			.max_depth = 8 + (uint32_t)(seed % 90)
		};
		size_t len;

		dmtrace_writer_set_dialect(writer, dialect,
		    dialect < DMTRACE_DIALECT_V4 ? DMTRACE_STAGE_ANY :
		    (enum dmtrace_stage)(1 + seed % 3),
		    DMTRACE_CLOCK_MISSING);
		dmtrace_writer_open_memory(writer);
		ck_assert_int_eq(dmtrace_generate(op, writer, &options),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
		const void *const bytes = dmtrace_writer_memory(writer, &len);
		check_law(bytes, len, "generated");
		dmtrace_op_free(op);
		dmtrace_writer_free(writer);
	}
}
END_TEST

/* Changes bytes, or removes or doubles some. Returns the new length. */
static size_t
damage(uint8_t *bytes, size_t len, uint64_t *seed)
{
	const size_t at = (size_t)(next_random(seed) % len);
	const size_t most = len - at < 64 ? len - at : 64;
	const size_t part = (size_t)(next_random(seed) % most);

	switch (next_random(seed) % 6) {
	case 0:
		return at;
	case 1:
		memmove(bytes + at, bytes + at + part, len - at - part);
		return len - part;
	case 2:
		memmove(bytes + at + part, bytes + at, len - at);
		return len + part;
	case 3:
		memset(bytes + at, (int)(next_random(seed) % 3) * 0x77, part);
		return len;
	default:
		for (unsigned i = 0; i < 4; i++)
			bytes[next_random(seed) % len] ^=
			    (uint8_t)(1u << next_random(seed) % 8);
		return len;
	}
}

START_TEST(reverses_the_dump_of_damaged_traces)
{
	uint64_t seed = 7;

	for (size_t i = 0; i < rounds(); i++) {
		const struct sample *const sample = sample_get((int)
		    (next_random(&seed) % samples_count()));

		if (sample->len == 0 || sample->len > 20000)
			continue;
		uint8_t *const bytes = malloc(sample->len + 256);
		size_t len = sample->len;
		char what[32];

		memcpy(bytes, sample->bytes, len);
		for (uint64_t n = next_random(&seed) % 3; len > 0 && n < 3;
		    n++)
			len = damage(bytes, len, &seed);
		snprintf(what, sizeof(what), "round %zu", i);
		check_law(bytes, len, what);
		free(bytes);
	}
}
END_TEST

static const struct {
	const char *label;
	const char *begin;
	size_t len;
} begins[] = {
	{ "nothing", "", 0 },
	{ "a key", "*version\n3\n*threads\n", 20 },
	{ "a key and a header", "*version\n2\nclock=wall\n*end\n"
	    "SLOW\2\0\x20\0", 33 },
	{ "a header of version 3", "SLOW\3\0\x14\0", 8 },
	{ "a stream", "SLOW\xf3\0\x10\0\0\0\0\0\0\0\0\0", 16 },
	{ "packets", "SLOW\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	    "\0\0\0\0", 32 },
	{ "packets with ticks", "SLOW\5\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
	    "\0\xca\x9a\x3b\0\0\0\0\0\0", 32 },
};

START_TEST(reverses_the_dump_of_random_bytes)
{
	uint64_t seed = 11;
	uint8_t bytes[400];

	for (size_t i = 0; i < rounds(); i++) {
		size_t len = begins[_i].len;

		memcpy(bytes, begins[_i].begin, len);
		/* Small numbers are more often those of packets and actions. */
		const uint64_t most = i % 2 == 0 ? 256 : 5;
		for (size_t n = next_random(&seed) % 300; n > 0; n--)
			bytes[len++] = (uint8_t)(next_random(&seed) % most);
		check_law(bytes, len, begins[_i].label);
	}
}
END_TEST

int
main(void)
{
	samples_load();
	Suite *suite = suite_create("text_laws");
	TCase *tcase = unit_tcase(suite, "text_laws");

	tcase_set_timeout(tcase, 600);
	tcase_add_loop_test(tcase, reverses_the_dump_of_a_sample, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, survives_every_failing_allocation, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, reverses_the_dump_of_generated_traces, 0,
	    DMTRACE_DIALECT_F5);
	tcase_add_test(tcase, reverses_the_dump_of_damaged_traces);
	ADD_CASES(tcase, reverses_the_dump_of_random_bytes, begins);
	return unit_main(suite);
}
