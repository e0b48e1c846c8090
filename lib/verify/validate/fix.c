/* fix.c - makes a trace that given programs read from one that they refuse */

/*
 * There are up to three kinds of attempts, and each is judged: the input
 * itself, if it is one file; its repair; the canonical form of the repair, with
 * the cures for the quirks that affect the readers. A cure may make another one
 * necessary, so the last kind is repeated a few times. The first attempt that
 * all readers accept is the output. Attempts are temporary files without a
 * name, beside the output; input that can be read only once is copied to one
 * first.
 */

#include <dmtrace/verify.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "format/change.h"
#include "ops/convert/convert.h"
#include "ops/file.h"
#include "ops/op.h"
#include "ops/repair/repair.h"
#include "trace/container.h"
#include "verify/validate/validation.h"

enum { ROUNDS = 4 };		/* attempts with cures */

struct fix {
	struct dmtrace_op *op;
	const struct dmtrace_file *in, *out;
	struct dmtrace_fix_options options;
	struct dmtrace_file source;	/* the input, or its copy */
	off_t source_at;
	bool pair;			/* the output is a pair */
	bool summary_apart;		/* of a stream: in another file */
	struct dmt_output output;	/* the output, if it is joined */
	struct dmt_output copy;		/* temporary files */
	struct dmt_output repaired;
	struct dmt_output canonical;
	struct dmt_changes changes;	/* of the repair */
	struct dmt_changes canonical_changes;
	struct dmt_quirks quirks;	/* of the attempt judged last */
	struct dmtrace_validity validity;	/* the same */
	enum dmtrace_status opened;	/* the same: whether it can be read */
	struct dmtrace_verdict finding;	/* the first that is severe enough */
	struct dmtrace_fix_result result;
};

/* Files */

/* Returns a temporary as a file, to be read or written from its current
 * position. */
static struct dmtrace_file
file_of(const struct dmt_output *temporary)
{
	return (struct dmtrace_file){ NULL, temporary->fd };
}

/* Makes an empty temporary file in place of an earlier one. */
static enum dmtrace_status
begin_temporary(struct fix *fix, struct dmt_output *temporary)
{
	dmt_output_fini(temporary);
	dmt_output_open_temporary(temporary,
	    fix->pair ? fix->out->path : fix->output.target);
	return dmt_op_fail(fix->op, NULL, &temporary->error);
}

/* Moves a file to its start: that of the source may not be its first byte. */
static enum dmtrace_status
rewind_file(struct fix *fix, const struct dmtrace_file *file)
{
	const off_t at = file == &fix->source ? fix->source_at : 0;
	struct dmtrace_error error = { 0 };

	if (file->path == NULL && lseek(file->fd, at, SEEK_SET) != at)
		dmt_error_system(&error, "cannot read again");
	return dmt_op_fail(fix->op, NULL, &error);
}

/* Checks the options, and begins the output. */
static enum dmtrace_status
open_fixed(struct fix *fix)
{
	const struct dmtrace_fix_options *const options = &fix->options;
	const char *const in = fix->in->path;
	struct dmtrace_error error = { 0 };
	struct stat about;

	if (dmt_op_check_flags(fix->op, "dmtrace_fix", options->flags,
	    DMT_FILE_FLAGS) != DMTRACE_OK)
		return fix->op->error.status;
	if ((options->readers >> DMTRACE_READERS) != 0 || options->strict > 2)
		return dmt_error_set(&fix->op->error, DMTRACE_ERR_RANGE,
		    "dmtrace_fix: unknown bit of readers or value of strict");

	fix->pair = dmt_path_ends(fix->out->path, ".key") ||
	    dmt_path_ends(fix->out->path, ".data");
	char *const other = fix->pair ? dmt_path_partner(fix->out->path, 0) :
	    NULL;
	if (fix->pair && other == NULL)
		dmt_error_memory(&error);

	/* No file of the output must be one of the input. */
	for (unsigned i = 0; in != NULL && i < DMT_PATH_NAMES; i++) {
		char *const name = dmt_path_name(in, i);

		if (name == NULL)
			dmt_error_memory(&error);
		else if (stat(name, &about) == 0) {
			dmt_file_check_other(fix->op, &about, fix->out->path,
			    fix->out);
			dmt_file_check_other(fix->op, &about, other, fix->out);
		}
		free(name);
	}
	free(other);
	if (dmt_op_fail(fix->op, fix->out, &error) != DMTRACE_OK || fix->pair)
		return fix->op->error.status;
	return dmt_file_write(fix->op, &fix->output, fix->out, options->flags);
}

static void
copy_unchanged(struct fix *fix, struct dmt_input *input,
    struct dmt_output *output)
{
	dmt_file_copy(fix->op, output, input, UINT64_MAX);
	dmt_op_fail(fix->op, fix->in, &input->error);
}

/* Sets source to the input or, if it can be read only once or is a text, to a
 * temporary copy. A path that cannot be opened may be a base name; one of a
 * pair is opened by name, and unpacked each time if it is compressed. */
static enum dmtrace_status
spool_fix_input(struct fix *fix)
{
	const struct dmtrace_file *const in = fix->in;
	struct dmtrace_error error = { 0 };
	struct dmt_input input;

	fix->source = *in;
	dmt_input_open_file(&input, in);
	fix->source_at = in->path != NULL ? -1 : input.shift;
	const bool missing = input.error.sys_errno == ENOENT;
	if (input.error.status == DMTRACE_OK &&
	    dmt_input_undump(&input, &error) != DMTRACE_OK)
		input.error = error;
	if (missing || input.error.status != DMTRACE_OK ||
	    (input.seekable && !input.replaced) ||
	    dmt_path_ends(input.path, ".key") ||
	    dmt_path_ends(input.path, ".data")) {
		if (!missing)
			dmt_op_fail(fix->op, in, &input.error);
		dmt_input_fini(&input);
		return fix->op->error.status;
	}
	fix->source_at = 0;
	begin_temporary(fix, &fix->copy);
	copy_unchanged(fix, &input, &fix->copy);
	dmt_input_fini(&input);
	dmt_output_flush(&fix->copy);
	fix->source = file_of(&fix->copy);
	return dmt_op_fail(fix->op, NULL, &fix->copy.error);
}

/* Verdicts */

/* A dmt_finding_fn: keeps the first finding that is severe enough, and notices
 * that there is another file. */
static void
note_finding(void *context, enum dmt_finding which,
    const struct dmtrace_finding *finding)
{
	struct fix *const fix = context;

	fix->summary_apart |= which == DMT_STREAM_SUMMARY_APART;
	if (finding->severity + fix->options.strict < DMTRACE_ERROR ||
	    fix->finding.rule != NULL)
		return;
	fix->finding.rule = finding->name;
	fix->finding.message = dmt_finding_rows[which].message;
}

static enum dmtrace_status
judge_fixed_file(struct fix *fix, const struct dmtrace_file *file)
{
	struct dmt_findings *const findings = &fix->op->findings;
	void *const context = findings->context;

	if (rewind_file(fix, file) != DMTRACE_OK)
		return fix->op->error.status;
	fix->finding = (struct dmtrace_verdict){ .rule = NULL };
	findings->take = note_finding;
	findings->context = fix;
	const enum dmtrace_status status = dmt_judge(fix->op, file,
	    &fix->quirks, &fix->validity, &fix->opened);
	findings->take = NULL;
	findings->context = context;
	if (status == DMTRACE_OK)
		dmt_op_begin(fix->op);	/* why it could not be opened */
	return status;
}

/* Returns the first reader that does not read the attempt that was judged last,
 * and its verdict; DMTRACE_READERS: all read it. */
static enum dmtrace_other_reader
find_minding(const struct fix *fix, struct dmtrace_verdict *verdict)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmt_quirks quirks = fix->quirks;
	unsigned reader = 0;

	quirks.has[DMT_PAIR] = fix->pair ? DMT_BY_ALL : 0;
	dmt_readers_judge(verdicts, &quirks);
	while (reader < DMTRACE_READERS && ((fix->options.readers &
	    DMTRACE_READER_BIT(reader)) == 0 ||
	    verdicts[reader].reception == DMTRACE_READS))
		reader++;
	*verdict = reader < DMTRACE_READERS ? verdicts[reader] : fix->finding;
	return (enum dmtrace_other_reader)reader;
}

/* Returns true if the attempt that was judged last is good enough. A form that
 * dmtrace does not read is judged only by the readers. */
static bool
is_accepted(const struct fix *fix)
{
	struct dmtrace_verdict verdict;

	return find_minding(fix, &verdict) == DMTRACE_READERS &&
	    verdict.rule == NULL &&
	    (fix->opened == DMTRACE_OK || fix->options.readers != 0);
}

/* Attempts */

static enum dmtrace_status
try_repair(struct fix *fix)
{
	struct dmtrace_repair_options options = { 0 };

	if (fix->options.strict < 2)
		options.flags = DMTRACE_REPAIR_EDGES;
	if (rewind_file(fix, &fix->source) != DMTRACE_OK ||
	    begin_temporary(fix, &fix->repaired) != DMTRACE_OK)
		return fix->op->error.status;
	const struct dmtrace_file out = file_of(&fix->repaired);
	if (dmt_repair_run(fix->op, &fix->source, &out, &options, NULL,
	    &fix->changes) != DMTRACE_OK)
		return fix->op->error.status;
	return judge_fixed_file(fix, &out);
}

/* Writes and judges the canonical form of the repair, with these cures. */
static enum dmtrace_status
try_cures(struct fix *fix, unsigned cures)
{
	const struct dmtrace_file in = file_of(&fix->repaired);
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	memset(&fix->canonical_changes, 0, sizeof(fix->canonical_changes));
	if (reader == NULL) {
		dmt_error_memory(&fix->op->error);
	} else if (rewind_file(fix, &in) == DMTRACE_OK &&
	    begin_temporary(fix, &fix->canonical) == DMTRACE_OK) {
		const struct dmtrace_file out = file_of(&fix->canonical);

		if (dmtrace_reader_open_fd(reader, in.fd) != DMTRACE_OK)
			dmt_op_fail(fix->op, NULL,
			    dmtrace_reader_error(reader));
		else if (dmt_convert_cured(fix->op, reader, &out, cures,
		    &fix->canonical_changes) == DMTRACE_OK)
			judge_fixed_file(fix, &out);
	}
	dmtrace_reader_free(reader);
	return fix->op->error.status;
}

/* The output */

static enum dmtrace_status
report_changes(struct fix *fix)
{
	return dmt_changes_report(&fix->changes, fix->options.change,
	    fix->options.context, &fix->op->error);
}

/* Copies an attempt to the output, and gives that its name. */
static enum dmtrace_status
publish_attempt(struct fix *fix, const struct dmtrace_file *attempt)
{
	struct dmt_input input;

	fix->result.fixed = 1;
	fix->result.changes = dmt_changes_count(&fix->changes);
	fix->result.records = fix->validity.records;
	if (rewind_file(fix, attempt) != DMTRACE_OK)
		return fix->op->error.status;

	if (fix->pair) {
		char *const partner = dmt_path_partner(fix->out->path, 0);
		const struct dmtrace_file own = *fix->out;
		const struct dmtrace_file other = { partner, -1 };
		const bool is_key = dmt_path_ends(fix->out->path, ".key");

		if (partner == NULL)
			dmt_error_memory(&fix->op->error);
		else if (report_changes(fix) == DMTRACE_OK)
			dmtrace_split(fix->op, attempt, is_key ? &own : &other,
			    is_key ? &other : &own, fix->options.flags);
		free(partner);
		return fix->op->error.status;
	}

	if (dmt_file_read(fix->op, &input, attempt) == DMTRACE_OK)
		copy_unchanged(fix, &input, &fix->output);
	dmt_input_fini(&input);
	if (fix->op->error.status != DMTRACE_OK)
		return fix->op->error.status;
	if (dmt_output_finish(&fix->output) == DMTRACE_OK) {
		if (report_changes(fix) != DMTRACE_OK)
			return fix->op->error.status;
		dmt_output_publish(&fix->output);
	}
	return dmt_op_fail(fix->op, fix->out, &fix->output.error);
}

static enum dmtrace_status
run_fix(struct fix *fix)
{
	if (open_fixed(fix) != DMTRACE_OK ||
	    spool_fix_input(fix) != DMTRACE_OK ||
	    judge_fixed_file(fix, &fix->source) != DMTRACE_OK)
		return fix->op->error.status;
	const bool was_pair = fix->quirks.has[DMT_PAIR] != 0;
	const bool is_one_file = !was_pair && !fix->summary_apart &&
	    (fix->source.path == NULL ||
	    access(fix->source.path, F_OK) == 0);
	if (is_accepted(fix) && is_one_file)
		return publish_attempt(fix, &fix->source);

	if (try_repair(fix) != DMTRACE_OK)
		return fix->op->error.status;
	if (was_pair && !fix->pair)
		dmt_change_add(&fix->changes, DMT_PAIR, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	const struct dmtrace_file repaired = file_of(&fix->repaired);
	if (is_accepted(fix))
		return publish_attempt(fix, &repaired);

	/* Add cures until no other one is needed. */
	unsigned cures = 0;
	for (int round = 0; round < ROUNDS && (round == 0 ||
	    !is_accepted(fix)); round++) {
		const unsigned before = cures;

		cures |= dmt_readers_cures(&fix->quirks, fix->options.readers);
		if (round > 0 && cures == before)
			break;
		if (try_cures(fix, cures) != DMTRACE_OK)
			return fix->op->error.status;
	}
	dmt_changes_merge(&fix->changes, &fix->canonical_changes);
	const struct dmtrace_file cured = file_of(&fix->canonical);
	if (is_accepted(fix))
		return publish_attempt(fix, &cured);
	fix->result.reader = find_minding(fix, &fix->result.verdict);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_fix(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_fix_options *options,
    struct dmtrace_fix_result *result)
{
	if (dmt_op_begin_call(op, __func__, in == NULL || out == NULL ||
	    result == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	struct fix *const fix = calloc(1, sizeof(*fix));

	if (fix == NULL)
		return dmt_error_memory(&op->error);
	fix->op = op;
	fix->in = in;
	fix->out = out;
	if (options != NULL)
		fix->options = *options;

	struct dmt_output *const outputs[] = { &fix->output, &fix->copy,
	    &fix->repaired, &fix->canonical };
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		dmt_output_open_memory(outputs[i]);
	if (run_fix(fix) == DMTRACE_OK)
		*result = fix->result;
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		dmt_output_fini(outputs[i]);
	/* The file of a failure is not shown if it is a temporary. */
	if (op->has_error_file && op->error_file.path == NULL &&
	    op->error_file.fd != in->fd && op->error_file.fd != out->fd)
		op->has_error_file = false;
	free(fix);
	return op->error.status;
}
