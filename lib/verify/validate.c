/* validate.c - every rule over a whole trace */

#include <dmtrace/calls.h>
#include <dmtrace/verify.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "verify/damage.h"
#include "verify/readers.h"
#include "verify/times.h"
#include "verify/validate.h"

enum {
	BATCH = 512,			/* events at a time */
	DAMAGE_PROBE = 65536,		/* bytes that tell text */
	DEEP = 512,			/* calls that Perfetto shows */
	DEEPER = 10000,			/* and dmtracedump */
	NUMBERS = 50000			/* of threads that it holds */
};

struct validation {
	struct dmtrace_op *op;
	const struct dmtrace_file *file;	/* NULL: memory */
	struct dmtrace_reader *reader;
	struct dmtrace_calls *calls;
	struct dmt_times times;
	struct dmt_findings own;
	struct dmtrace_event *events;
	struct dmtrace_validity validity;
	struct dmt_traits *traits;	/* NULL: nobody asks */
	uint32_t deepest;
	bool reserved_other;
};

/* Names are those of the rows. */
static void
keep_trait(struct dmt_traits *traits, const char *name)
{
	struct dmtrace_finding row;

	for (size_t i = 0; dmtrace_finding_row(i, &row) == 0; i++)
		if (row.name == name) {
			traits->has[i] = true;
			return;
		}
}

/* A dmtrace_finding_fn. */
static void
hand_on(void *context, const struct dmtrace_finding *finding)
{
	struct validation *const validation = context;
	const struct dmt_findings *const findings =
	    dmt_op_findings(validation->op, validation->file);

	validation->validity.findings[finding->severity]++;
	if (validation->traits != NULL)
		keep_trait(validation->traits, finding->name);
	if (findings->report != NULL)
		findings->report(findings->context, finding);
}

/* In the first records, which are in the window. */
static void
look_for_damage(struct validation *validation)
{
	struct dmtrace_reader *const reader = validation->reader;
	const uint8_t *bytes;
	size_t len = dmt_source_peek(reader->source, 1, &bytes);

	if (len > DAMAGE_PROBE)
		len = DAMAGE_PROBE;
	const char *const words = dmt_damage_find(bytes, len);
	if (words != NULL)
		dmt_finding_add(&validation->own, DMT_DATA_TEXT,
		    DMTRACE_PLACE_OFFSET, reader->source->offset, "%s", words);
}

static enum dmtrace_status
fail_step(struct validation *validation, enum dmtrace_status status,
    const struct dmtrace_event *event, uint64_t at)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	if (status == DMTRACE_ERR_MEMORY)
		dmt_error_memory(&error);
	else
		dmt_error_at(&error, status, DMTRACE_PLACE_OFFSET, at,
		    "thread %u has too many calls open",
		    (unsigned)event->thread);
	return dmt_op_fail(validation->op, validation->file, &error);
}

/* Some take the reserved action for an exit. */
static void
look_at_reserved(struct validation *validation,
    const struct dmtrace_event *event)
{
	const struct dmtrace_stacks *const stacks =
	    dmtrace_calls_stacks(validation->calls);
	const uint32_t depth = dmtrace_stacks_depth(stacks, event->thread);

	if (depth > 0 && dmtrace_stacks_method(stacks, event->thread,
	    depth) != event->method)
		validation->reserved_other = true;
}

static enum dmtrace_status
step_all(struct validation *validation, size_t count, uint64_t at)
{
	struct dmt_findings *const own = &validation->own;
	struct dmtrace_step step;

	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_event *event = &validation->events[i];
		const uint64_t place =
		    at + i * validation->reader->layout.record_size;
		const enum dmtrace_status status = dmtrace_calls_step(
		    validation->calls, event, place, &step);

		if (status != DMTRACE_OK)
			return fail_step(validation, status, event, place);
		if (step.kind == DMTRACE_STEP_IGNORED)
			look_at_reserved(validation, event);
		if (step.depth <= DEEP || step.kind != DMTRACE_STEP_ENTERED)
			continue;
		dmt_finding_add(own, DMT_CALL_DEEP, DMTRACE_PLACE_OFFSET,
		    place, "thread %u, %u", (unsigned)event->thread,
		    (unsigned)step.depth);
		if (step.depth > validation->deepest)
			validation->deepest = step.depth;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
read_all(struct validation *validation)
{
	struct dmtrace_reader *const reader = validation->reader;
	struct dmtrace_op *const op = validation->op;
	size_t count;

	while (dmtrace_reader_read(reader, validation->events, BATCH,
	    &count) == DMTRACE_OK && count > 0) {
		const uint64_t at = dmtrace_reader_offset(reader);

		dmt_times_look(&validation->times, validation->events, count,
		    at);
		if (step_all(validation, count, at) != DMTRACE_OK ||
		    dmt_op_progress(op, at, dmt_source_size(reader->source))
		    != DMTRACE_OK)
			return op->error.status;
	}
	validation->validity.records = dmtrace_reader_position(reader);
	dmtrace_calls_end(validation->calls);
	return dmt_op_fail(op, validation->file, &reader->error);
}

static enum dmtrace_status
fail_memory(struct validation *validation)
{
	return dmt_error_memory(&validation->op->error);
}

static enum dmtrace_status
validate_records(struct validation *validation)
{
	struct dmtrace_reader *const reader = validation->reader;

	validation->calls = dmtrace_calls_new(reader->key, &reader->layout);
	validation->events = dmt_array_new(BATCH,
	    sizeof(*validation->events));
	if (validation->calls == NULL || validation->events == NULL ||
	    !dmt_times_init(&validation->times, reader->key, &reader->layout))
		return fail_memory(validation);
	dmtrace_calls_set_report(validation->calls, hand_on, validation);
	validation->times.findings.report = hand_on;
	validation->times.findings.context = validation;
	look_for_damage(validation);
	return read_all(validation);
}

/* What is behind a key that was read is a finding, if it is lost. */
static bool
is_told(const struct validation *validation, enum dmtrace_status status)
{
	return dmtrace_reader_key(validation->reader) != NULL &&
	    (status == DMTRACE_ERR_TRUNCATED ||
	    status == DMTRACE_ERR_CORRUPT || status == DMTRACE_ERR_VERSION ||
	    status == DMTRACE_ERR_UNSUPPORTED) &&
	    validation->validity.findings[DMTRACE_ERROR] > 0;
}

static enum dmtrace_status
look_at_front(struct validation *validation, enum dmtrace_status opened)
{
	const struct dmtrace_key *const key =
	    dmtrace_reader_key(validation->reader);

	dmt_traits_of_open(validation->traits, validation->reader, opened);
	if (key == NULL)
		return DMTRACE_OK;
	const size_t len = dmtrace_key_encoded_size(key);
	char *const text = dmt_array_new(len, 1);
	if (text == NULL)
		return fail_memory(validation);
	dmtrace_key_encode(key, text, len);
	dmt_traits_of_key(validation->traits, text, len);
	free(text);
	return DMTRACE_OK;
}

static enum dmtrace_status
open_file(struct dmtrace_reader *reader, const struct dmtrace_file *file)
{
	return file->path == NULL ?
	    dmtrace_reader_open_fd(reader, file->fd) :
	    dmtrace_reader_open_path(reader, file->path);
}

static enum dmtrace_status
run(struct validation *validation, const void *bytes, size_t len)
{
	struct dmtrace_reader *const reader = validation->reader;

	dmtrace_reader_set_report(reader, hand_on, validation);
	const enum dmtrace_status status = validation->file == NULL ?
	    dmtrace_reader_open_memory(reader, bytes, len) :
	    open_file(reader, validation->file);
	if (validation->traits != NULL &&
	    look_at_front(validation, status) != DMTRACE_OK)
		return validation->op->error.status;
	if (status == DMTRACE_OK)
		return validate_records(validation);
	return is_told(validation, status) ? DMTRACE_OK :
	    dmt_op_fail(validation->op, validation->file,
	    dmtrace_reader_error(reader));
}

static enum dmtrace_status
validate(struct dmtrace_op *op, const struct dmtrace_file *file,
    const void *bytes, size_t len, struct dmt_traits *traits,
    struct dmtrace_validity *validity)
{
	struct validation validation =
	    { .op = op, .file = file, .traits = traits };

	dmt_op_begin(op);
	validation.own.report = hand_on;
	validation.own.context = &validation;
	validation.reader = dmtrace_reader_new();
	const enum dmtrace_status status = validation.reader == NULL ?
	    fail_memory(&validation) : run(&validation, bytes, len);
	if (status == DMTRACE_OK)
		*validity = validation.validity;
	if (traits != NULL) {
		traits->has[DMT_TRAIT_DEPTH_BEYOND] =
		    validation.deepest > DEEPER;
		traits->has[DMT_TRAIT_RESERVED_OTHER] =
		    validation.reserved_other;
		traits->has[DMT_TRAIT_THREAD_BEYOND] =
		    validation.times.highest > NUMBERS;
	}
	dmtrace_calls_free(validation.calls);
	free(validation.events);
	dmt_times_fini(&validation.times);
	dmtrace_reader_free(validation.reader);
	return status;
}

enum dmtrace_status
dmtrace_validate(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_validity *validity)
{
	return validate(op, file, NULL, 0, NULL, validity);
}

enum dmtrace_status
dmtrace_validate_memory(struct dmtrace_op *op, const void *bytes, size_t len,
    struct dmtrace_validity *validity)
{
	return validate(op, NULL, bytes, len, NULL, validity);
}

/* A file that other programs refuse, rather than one that cannot be read. */
static bool
is_verdict(enum dmtrace_status status)
{
	return status == DMTRACE_ERR_NOT_TRACE ||
	    status == DMTRACE_ERR_TRUNCATED ||
	    status == DMTRACE_ERR_UNSUPPORTED ||
	    status == DMTRACE_ERR_FOREIGN;
}

enum dmtrace_status
dmt_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmt_traits *traits, struct dmtrace_validity *validity,
    enum dmtrace_status *opened)
{
	*traits = (struct dmt_traits){ .has = { false } };
	*opened = validate(op, file, NULL, 0, traits, validity);
	if (*opened != DMTRACE_OK && !is_verdict(*opened))
		return *opened;
	if (*opened != DMTRACE_OK)
		*validity = (struct dmtrace_validity){ .records = 0 };
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_verdict verdicts[DMTRACE_READERS],
    struct dmtrace_validity *validity)
{
	struct dmt_traits traits;
	enum dmtrace_status opened;
	const enum dmtrace_status status =
	    dmt_judge(op, file, &traits, validity, &opened);

	if (status == DMTRACE_OK)
		dmt_readers_judge(verdicts, &traits);
	return status;
}
