/* test_corrupt_laws.c - what corrupt damages, validate names or all survive */

#include <dmtrace.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/output.h"
#include "helpers/cancel.h"
#include "helpers/faults.h"
#include "helpers/op.h"
#include "helpers/random.h"
#include "helpers/samples.h"
#include "helpers/unit.h"
#include "ops/corrupt/corrupt.h"
#include "private/ops.h"
#include "private/text_form.h"

#define SHAPES (DMTRACE_SHAPE_APP + 1)
#define FINDINGS_MAX 64

static size_t
rounds(void)
{
	return unit_more() ? 10000 : 120;
}

/* Bytes in memory. */
struct bytes {
	uint8_t *at;
	size_t len;
};

static struct bytes
generate_bytes(enum dmtrace_dialect dialect, uint64_t seed)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const struct dmtrace_generate_options options = {
		.seed = seed,
		.shape = (enum dmtrace_shape)(seed % SHAPES),
		.records = 300,
		.odd_names = seed % 3 == 0,
		.threads = 1 + (uint32_t)(seed % 5),
		.methods = 10 + (uint32_t)(seed % 30)
	};
	struct bytes made;

	dmtrace_writer_set_dialect(writer, dialect,
	    dialect < DMTRACE_DIALECT_V4 ? DMTRACE_STAGE_ANY :
	    (enum dmtrace_stage)(1 + seed % 3), DMTRACE_CLOCK_MISSING);
	dmtrace_writer_open_memory(writer);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &made.len);
	made.at = malloc(made.len + 1);
	memcpy(made.at, bytes, made.len);
	dmtrace_writer_free(writer);
	return made;
}

/* Damages bytes; *damages has space for 16. false: there is no place. */
static bool
corrupt_bytes(const struct bytes *from,
    const struct dmtrace_corrupt_options *options, struct bytes *to,
    struct dmtrace_damage *damages, size_t *count)
{
	struct dmtrace_error error;
	struct dmt_input input;
	struct dmt_output output = { 0 };

	dmt_input_open_memory(&input, from->at, from->len);
	ck_assert_int_eq(dmt_input_hold(&input), DMTRACE_OK);
	const enum dmtrace_status status = dmt_corrupt(NULL, &input, &output,
	    options, damages, count, &error);
	ck_assert_int_eq(output.error.status, DMTRACE_OK);
	ck_assert(status == DMTRACE_OK || status == DMTRACE_ERR_RANGE);
	to->len = output.len;
	to->at = malloc(to->len + 1);
	if (to->len > 0)
		memcpy(to->at, output.bytes, to->len);
	dmt_output_fini(&output);
	dmt_input_fini(&input);
	if (status != DMTRACE_OK)
		free(to->at);
	return status == DMTRACE_OK;
}

/* The names of findings. */
struct names {
	const char *names[FINDINGS_MAX];
	size_t count;
};

static bool
has_name(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->names[i], name) == 0)
			return true;
	return false;
}

static void
add_name(void *context, const struct dmtrace_finding *finding)
{
	struct names *const names = context;

	for (size_t i = 0; !has_name(names, finding->name); i++) {
		ck_assert_uint_lt(i, DMT_ROW_COUNT);
		if (strcmp(dmt_finding_rows[i].name, finding->name) == 0)
			names->names[names->count++] =
			    dmt_finding_rows[i].name;
	}
}

static enum dmtrace_status
validate_bytes(const struct bytes *bytes, struct names *names,
    struct dmtrace_validity *validity)
{
	names->count = 0;
	dmtrace_op_set_report(op, add_name, names);
	const enum dmtrace_status status = dmtrace_validate_memory(op,
	    bytes->at, bytes->len, validity);
	dmtrace_op_set_report(op, NULL, NULL);
	return status;
}

static bool
may_cause(enum dmtrace_damage_kind kind, const char *finding)
{
	const char *name;

	for (size_t i = 0; (name = dmt_damage_finding(kind, i)) != NULL; i++)
		if (name[0] == '\0' || strcmp(name, finding) == 0)
			return true;
	return false;
}

/* What a kind may cause, as corrupt --list prints it, is all that it does. */
START_TEST(causes_only_the_findings_of_its_kind)
{
	const enum dmtrace_damage_kind kind = (enum dmtrace_damage_kind)_i;
	struct dmtrace_damage damages[16];
	struct dmtrace_validity validity;
	struct names before, after;
	size_t count, done = 0;
	struct bytes damaged;
	int refused;

	dmt_damage_text(kind, &refused);
	/* without more, a fifth of them: of each dialect and shape */
	for (unsigned n = 0; n < 9 * 3 * SHAPES; n += unit_more() ? 1 : 5) {
		const struct bytes whole = generate_bytes(
		    (enum dmtrace_dialect)(1 + n % 9), 1 + n);
		const struct dmtrace_corrupt_options options = {
			.seed = n, .kinds = DMTRACE_DAMAGE_BIT(kind),
			.count = 1
		};

		if (corrupt_bytes(&whole, &options, &damaged, damages,
		    &count)) {
			done++;
			ck_assert(kind == DMTRACE_DAMAGE_OVERFLOW ?
			    count == 2 : count == 1);
			ck_assert_int_eq(damages[0].kind, kind);
			ck_assert_int_eq(validate_bytes(&whole, &before,
			    &validity), DMTRACE_OK);
			ck_assert(validate_bytes(&damaged, &after,
			    &validity) == DMTRACE_OK || refused);
			for (size_t i = 0; i < after.count; i++)
				ck_assert_msg(has_name(&before,
				    after.names[i]) || may_cause(kind,
				    after.names[i]), "%s: %s, trace %u",
				    dmtrace_damage_name(kind),
				    after.names[i], n);
			free(damaged.at);
		}
		free(whole.at);
	}
	ck_assert_uint_gt(done, unit_more() ? 20 : 3);
}
END_TEST

static struct bytes
random_bytes(uint64_t *seed)
{
	struct bytes bytes = { .len = (size_t)(next_random(seed) % 2000) };

	bytes.at = malloc(bytes.len + 1);
	for (size_t i = 0; i < bytes.len; i++)
		bytes.at[i] = (uint8_t)next_random(seed);
	return bytes;
}

/* The bytes between the damages are as they were. */
static void
check_ranges(const struct bytes *whole, const struct bytes *damaged,
    const struct dmtrace_damage *damages, size_t count)
{
	size_t at = 0, new_at = 0;

	for (size_t i = 0; i < count; i++) {
		if (damages[i].kind == DMTRACE_DAMAGE_CRLF ||
		    damages[i].kind == DMTRACE_DAMAGE_UTF8 ||
		    damages[i].kind == DMTRACE_DAMAGE_LOSSY)
			return;		/* nothing is as it was */
		ck_assert_uint_ge(damages[i].at, at);
		ck_assert_uint_eq(damages[i].at - at,
		    damages[i].new_at - new_at);
		ck_assert_mem_eq(whole->at + at, damaged->at + new_at,
		    (size_t)damages[i].at - at);
		at = (size_t)(damages[i].at + damages[i].len);
		new_at = (size_t)(damages[i].new_at + damages[i].new_len);
	}
	ck_assert_uint_eq(whole->len - at, damaged->len - new_at);
	ck_assert_mem_eq(whole->at + at, damaged->at + new_at,
	    whole->len - at);
}

/* The text form gives the bytes back. */
static void
check_text(const struct bytes *bytes)
{
	struct dmt_output text = { 0 };
	struct dmt_output again = { 0 };
	struct dmtrace_error error;
	bool recognized;

	ck_assert_int_eq(dmt_text_dump_memory(bytes->at, bytes->len, &text,
	    &recognized, &error), DMTRACE_OK);
	ck_assert_msg(dmt_text_undump_memory(text.bytes, text.len,
	    &again, (enum dmtrace_dialect)0, &error) ==
	    DMTRACE_OK, "line %lu: %s", (unsigned long)error.at,
	    error.message);
	ck_assert_uint_eq(again.len, bytes->len);
	if (bytes->len > 0)
		ck_assert_mem_eq(again.bytes, bytes->at, bytes->len);
	dmt_output_fini(&text);
	dmt_output_fini(&again);
}

/* Repair makes a trace without an error of it, or says why not; but the few
 * events that are left of one of format V2 may not show their stage. */
static void
check_repair(const struct bytes *bytes, bool no_findings, const char *what)
{
	const bool is_v2 = bytes->len > 5 &&
	    memcmp(bytes->at, "SLOW", 4) == 0 && (bytes->at[4] & 0x0f) >= 4;
	const struct dmtrace_file in = { .path = "damaged.trace" };
	const struct dmtrace_file out = { .path = "repaired.trace" };
	struct dmtrace_repair_result result;
	struct dmtrace_validity validity;

	file_put(in.path, bytes->at, bytes->len);
	if (dmtrace_repair(op, &in, &out, NULL, &result) != DMTRACE_OK) {
		ck_assert_msg(dmtrace_op_error(op)->message[0] != '\0' &&
		    access(out.path, F_OK) != 0 && !no_findings,
		    "%s: refused: %s", what, dmtrace_op_error(op)->message);
		return;
	}
	ck_assert_msg(!no_findings || result.changes == 0,
	    "%s: a valid trace was changed", what);
	ck_assert_msg(dmtrace_validate(op, &out, &validity) == DMTRACE_OK &&
	    (is_v2 || validity.findings[DMTRACE_ERROR] == 0),
	    "%s: repaired, and not valid: %s", what,
	    dmtrace_op_error(op)->message);
	ck_assert_msg(dmtrace_repair(op, &out, NULL, NULL, NULL) ==
	    DMTRACE_OK, "%s: repaired, and no trace", what);
	ck_assert_int_eq(unlink(out.path), 0);
}

/* Law 5, for traces of every dialect and shape, and for random bytes. */
START_TEST(is_named_or_survived)
{
	const size_t parts = 4;		/* that run on their own */
	uint64_t seed = 17 + (uint64_t)_i;

	for (size_t n = 0; n < rounds() / parts; n++) {
		struct dmtrace_damage damages[16];
		struct dmtrace_verdict verdicts[DMTRACE_READERS];
		struct dmtrace_validity validity;
		struct names names;
		size_t count;
		char what[64];
		struct bytes damaged;
		const struct bytes whole = n % 10 == 9 ?
		    random_bytes(&seed) : generate_bytes(
		    (enum dmtrace_dialect)(1 + next_random(&seed) % 9),
		    next_random(&seed) % 1000);
		const struct dmtrace_corrupt_options options = {
			.seed = next_random(&seed),
			.count = 1 + (uint32_t)(next_random(&seed) % 4)
		};

		snprintf(what, sizeof(what), "part %d, round %zu", _i, n);
		if (!corrupt_bytes(&whole, &options, &damaged, damages,
		    &count)) {
			ck_assert_uint_eq(whole.len, 0);
			free(whole.at);
			continue;
		}
		ck_assert_uint_ge(count, 1);
		check_ranges(&whole, &damaged, damages, count);
		const enum dmtrace_status status =
		    validate_bytes(&damaged, &names, &validity);
		ck_assert_msg(status == DMTRACE_OK ||
		    dmtrace_op_error(op)->message[0] != '\0', "%s", what);
		sample_check(damaged.at, damaged.len, false);
		check_text(&damaged);
		check_repair(&damaged, status == DMTRACE_OK &&
		    names.count == 0, what);
		const struct dmtrace_file file = { .path = "damaged.trace" };
		const enum dmtrace_status judged =
		    dmtrace_judge(op, &file, verdicts, &validity);
		ck_assert(judged == DMTRACE_OK ||
		    judged == DMTRACE_ERR_LIMIT);
		free(damaged.at);
		free(whole.at);
	}
}
END_TEST

START_TEST(leaves_no_file_without_memory)
{
	const struct bytes whole =
	    generate_bytes((enum dmtrace_dialect)(1 + _i), 3);
	const struct dmtrace_file in = { .path = "in.trace" };
	const struct dmtrace_file out = { .path = "out.trace" };
	const struct dmtrace_corrupt_options options = {
		.count = 4, .seed = 5
	};
	bool failed = true;

	file_put(in.path, whole.at, whole.len);
	for (unsigned n = 1; failed && n < 500; n++) {
		fault_arm(FAULT_ALLOC, n);
		const enum dmtrace_status status =
		    dmtrace_corrupt(op, &in, &out, &options);
		failed = fault_disarm();
		ck_assert(status == DMTRACE_ERR_MEMORY ||
		    status == DMTRACE_OK);
		ck_assert((access(out.path, F_OK) == 0) ==
		    (status == DMTRACE_OK));
		unlink(out.path);
	}
	ck_assert(!failed);
	free(whole.at);
}
END_TEST

static int
cancel_damage(void *context, const struct dmtrace_damage *damage)
{
	(void)context;
	return damage == NULL;
}

START_TEST(leaves_no_file_if_it_is_cancelled)
{
	const struct bytes whole = generate_bytes(DMTRACE_DIALECT_V2, 3);
	const struct dmtrace_file in = { .path = "in.trace" };
	const struct dmtrace_file out = { .path = "out.trace" };
	const struct dmtrace_corrupt_options options =
	    { .damage = cancel_damage };

	file_put(in.path, whole.at, whole.len);
	ck_assert_int_eq(dmtrace_corrupt(op, &in, &out, &options),
	    DMTRACE_ERR_CANCELLED);
	ck_assert_int_ne(access(out.path, F_OK), 0);
	unsigned calls = 1;
	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(dmtrace_corrupt(op, &in, &out, NULL),
	    DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_int_ne(access(out.path, F_OK), 0);
	free(whole.at);
}
END_TEST

/* The options, and what is refused. */
static const struct {
	const char *label;
	struct dmtrace_corrupt_options options;
	const char *message;
} refused[] = {
	{ "a kind that there is not", { .kinds = 1u << 21 },
	    "dmtrace_corrupt: unknown bits of kinds" },
	{ "too many damages", { .count = 65537 },
	    "count 65537: at most 65536 damages are made" },
	{ "no place", { .kinds = DMTRACE_DAMAGE_BIT(DMTRACE_DAMAGE_BLOCK) },
	    "it has no place for damage of this kind" },
	{ "an unknown flag", { .flags = 1 },
	    "dmtrace_corrupt: no such flag as 0x1" }
};

START_TEST(refuses_what_it_cannot_do)
{
	const struct bytes whole = generate_bytes(DMTRACE_DIALECT_V2, 3);
	const struct dmtrace_file in = { .path = "in.trace" };
	const struct dmtrace_file out = { .path = "out.trace" };

	file_put(in.path, whole.at, whole.len);
	ck_assert_int_eq(dmtrace_corrupt(op, &in, &out,
	    &refused[_i].options), DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_op_error(op)->message, refused[_i].message);
	ck_assert_int_ne(access(out.path, F_OK), 0);
	free(whole.at);
}
END_TEST

int
main(void)
{
	samples_load();
	Suite *suite = suite_create("corrupt_laws");
	TCase *tcase = unit_tcase(suite, "corrupt_laws");

	tcase_add_checked_fixture(tcase, op_begin, op_end);
	tcase_set_timeout(tcase, 1200);
	tcase_add_loop_test(tcase, causes_only_the_findings_of_its_kind, 0,
	    DMT_DAMAGE_KINDS);
	tcase_add_loop_test(tcase, is_named_or_survived, 0, 4);
	tcase_add_loop_test(tcase, leaves_no_file_without_memory, 0, 9);
	tcase_add_test(tcase, leaves_no_file_if_it_is_cancelled);
	ADD_CASES(tcase, refuses_what_it_cannot_do, refused);
	return unit_main(suite);
}
