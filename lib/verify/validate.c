/* validate.c - every rule over a whole trace */

#include <dmtrace/calls.h>
#include <dmtrace/verify.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "verify/damage.h"
#include "verify/times.h"

enum {
	BATCH = 512,			/* events at a time */
	DAMAGE_PROBE = 65536		/* bytes that tell text */
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
};

/* A dmtrace_finding_fn. */
static void
hand_on(void *context, const struct dmtrace_finding *finding)
{
	struct validation *const validation = context;
	const struct dmt_findings *const findings =
	    dmt_op_findings(validation->op, validation->file);

	validation->validity.findings[finding->severity]++;
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
		if (step.depth > 512 && step.kind == DMTRACE_STEP_ENTERED)
			dmt_finding_add(own, DMT_CALL_DEEP,
			    DMTRACE_PLACE_OFFSET, place, "thread %u, %u",
			    (unsigned)event->thread, (unsigned)step.depth);
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
	if (status == DMTRACE_OK)
		return validate_records(validation);
	return is_told(validation, status) ? DMTRACE_OK :
	    dmt_op_fail(validation->op, validation->file,
	    dmtrace_reader_error(reader));
}

static enum dmtrace_status
validate(struct dmtrace_op *op, const struct dmtrace_file *file,
    const void *bytes, size_t len, struct dmtrace_validity *validity)
{
	struct validation validation = { .op = op, .file = file };

	dmt_op_begin(op);
	validation.own.report = hand_on;
	validation.own.context = &validation;
	validation.reader = dmtrace_reader_new();
	const enum dmtrace_status status = validation.reader == NULL ?
	    fail_memory(&validation) : run(&validation, bytes, len);
	if (status == DMTRACE_OK)
		*validity = validation.validity;
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
	return validate(op, file, NULL, 0, validity);
}

enum dmtrace_status
dmtrace_validate_memory(struct dmtrace_op *op, const void *bytes, size_t len,
    struct dmtrace_validity *validity)
{
	return validate(op, NULL, bytes, len, validity);
}
