/* repairing.h - x.trace repaired to o.trace, and what came of it */

#ifndef REPAIRING_H
#define REPAIRING_H

#include <dmtrace.h>
#include <stdio.h>
#include <string.h>

#include "helpers/files.h"
#include "helpers/id_stacks.h"
#include "helpers/op.h"
#include "helpers/unit.h"
#include "private/status.h"
#include "private/trace.h"

static const struct dmtrace_file in = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "o.trace" };
static const struct dmtrace_file again = { .path = "p.trace" };

static struct dmtrace_repair_options options;
static char changes[2048];

static int
keep_change(void *context, const struct dmtrace_change *change)
{
	const size_t len = strlen(changes);

	(void)context;
	if (change == NULL)
		return 0;
	snprintf(changes + len, sizeof(changes) - len, "%s %s %u;",
	    change->name, dmt_change_kind_name(change->kind),
	    (unsigned)change->count);
	return 0;
}

static void
begin(void)
{
	op_begin();
	options = (struct dmtrace_repair_options){ .change = keep_change };
}

static enum dmtrace_status
repair(const struct dmtrace_file *from, const struct dmtrace_file *to,
    struct dmtrace_repair_result *result)
{
	changes[0] = '\0';
	return dmtrace_repair(op, from, to, &options, result);
}

static void
assert_same(const char *one, const char *other)
{
	size_t len;
	void *const bytes = file_get(one, &len);

	assert_file(other, bytes, len);
	free(bytes);
}

static void
print_error(void *context, const struct dmtrace_finding *finding)
{
	(void)context;
	if (finding->severity == DMTRACE_ERROR)
		printf("%s: %s\n", finding->name, finding->message);
}

/* Without an error; and, unless edges are kept, every frame is entered and
 * left. */
static void
assert_valid(const char *path)
{
	const struct dmtrace_file file = { .path = path };
	struct dmtrace_validity validity;

	dmtrace_op_set_report(op, print_error, NULL);
	ck_assert_int_eq(dmtrace_validate(op, &file, &validity), DMTRACE_OK);
	dmtrace_op_set_report(op, NULL, NULL);
	ck_assert_uint_eq(validity.findings[DMTRACE_ERROR], 0);
	if ((options.flags & DMTRACE_REPAIR_EDGES) != 0)
		return;

	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct id_stacks *const stacks = id_stacks_new();
	uint64_t entered = 0, left = 0;
	struct dmtrace_event event;
	struct dmt_step step;

	ck_assert_int_eq(dmtrace_reader_open_path(reader, path), DMTRACE_OK);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		ck_assert_int_eq(id_stacks_step(stacks, &event, &step),
		    DMTRACE_OK);
		entered += step.kind == DMT_STEP_ENTERED;
		left += step.kind == DMT_STEP_LEFT;
	}
	ck_assert_uint_eq(entered + left, dmt_reader_position(reader));
	ck_assert_uint_eq(entered, left);
	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++)
		ck_assert_int_lt(
		    dmtrace_reader_finding_get(reader, i)->severity,
		    DMTRACE_ERROR);
	id_stacks_free(stacks);
	dmtrace_reader_free(reader);
}

/* If something was changed in x.trace, validate finds something there. */
static void
assert_reported(void)
{
	struct dmtrace_validity validity;

	if (changes[0] == '\0' ||
	    dmtrace_validate(op, &in, &validity) != DMTRACE_OK)
		return;
	ck_assert_msg(validity.findings[DMTRACE_NOTE] +
	    validity.findings[DMTRACE_WARNING] +
	    validity.findings[DMTRACE_ERROR] > 0, "%s", changes);
}

/* o.trace is valid, and its repair is a copy. */
static void
assert_repaired(void)
{
	assert_valid("o.trace");
	ck_assert_int_eq(repair(&out, &again, NULL), DMTRACE_OK);
	if (strncmp(changes, "overflow kept 1;", 16) != 0)
		ck_assert_str_eq(changes, "");
	assert_same("o.trace", "p.trace");
}

#endif
