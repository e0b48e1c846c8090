/* validate.c - every rule over a whole trace */

#include <dmtrace/verify.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "verify/damage.h"
#include "verify/plain.h"
#include "verify/readers.h"
#include "verify/validate.h"
#include "verify/walk.h"

enum {
	DAMAGE_PROBE = 65536,		/* bytes that tell text */
	NUMBERS = 49152			/* of threads that dmtracedump takes */
};

struct validation {
	struct dmtrace_op *op;
	const struct dmtrace_file *file;	/* NULL: memory */
	struct dmtrace_reader *reader;
	struct dmt_judge_walk walk;
	struct dmt_findings own;
	struct dmtrace_validity validity;
	struct dmt_traits *traits;	/* NULL: nobody asks */
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

/* In the first records, or a header that is none, which are in the window. */
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
read_all(struct validation *validation)
{
	struct dmtrace_reader *const reader = validation->reader;
	struct dmt_judge_walk *const walk = &validation->walk;
	struct dmtrace_op *const op = validation->op;
	size_t count;

	while ((count = dmt_reader_take(reader, SIZE_MAX)) > 0)
		if (dmt_walk_take(walk, count) != DMTRACE_OK ||
		    dmt_op_progress(op, dmtrace_reader_offset(reader),
		    dmt_source_size(reader->source)) != DMTRACE_OK)
			return dmt_op_fail(op, validation->file,
			    &walk->error);
	dmt_reader_end(reader);
	validation->validity.records = dmtrace_reader_position(reader);
	dmtrace_calls_end(walk->calls);
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
	validation->walk.reader = validation->reader;
	validation->walk.findings = &validation->own;
	validation->walk.reserved_ends = validation->traits != NULL;
	if (!dmt_walk_init(&validation->walk))
		return fail_memory(validation);
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
	if (!is_told(validation, status))
		return dmt_op_fail(validation->op, validation->file,
		    dmtrace_reader_error(reader));
	if (reader->source != NULL)
		look_for_damage(validation);
	return DMTRACE_OK;
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
		const struct dmt_judge_walk *const walk = &validation.walk;

		traits->has[DMT_TRAIT_PARTIAL_ONLY] =
		    traits->has[DMT_RECORD_PARTIAL] &&
		    validation.validity.records == 0 &&
		    !traits->has[DMT_TRAIT_SIZE_HIGH];
		traits->has[DMT_TRAIT_DEPTH_BEYOND] =
		    walk->deepest > DMT_DEEPER;
		traits->has[DMT_TRAIT_RESERVED_OTHER] = walk->reserved_other;
		traits->has[DMT_TRAIT_THREAD_MODULO] = walk->renumbered;
		traits->has[DMT_TRAIT_THREAD_BEYOND] =
		    walk->times.highest > NUMBERS;
	}
	dmt_walk_fini(&validation.walk);
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
