/* fix.c - of a trace that some programs do not take, one they do */

#include "verify/fix.h"

#include <dmtrace/rewind.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "ops/repair/repair.h"
#include "verify/validate/canonical.h"
#include "verify/readers.h"
#include "verify/validate.h"

enum { ROUNDS = 4 };		/* a cure may need another one */

void
dmtrace_fix_options_init(struct dmtrace_fix_options *options)
{
	*options = (struct dmtrace_fix_options){
		.size = sizeof(*options),
		.fail_on = DMTRACE_ERROR
	};
}

/* A dmtrace_finding_fn. */
static void
note(void *context, const struct dmtrace_finding *finding)
{
	struct dmt_fix *const fix = context;
	struct dmtrace_finding row;

	if (finding->severity < fix->options->fail_on ||
	    fix->finding.rule != NULL)
		return;
	for (size_t i = 0; dmtrace_finding_row(i, &row) == 0; i++)
		if (row.name == finding->name)
			fix->finding.words = row.words;
	fix->finding.rule = finding->name;
}

static enum dmtrace_status
judge(struct dmt_fix *fix, const struct dmtrace_file *file)
{
	struct dmt_findings *const findings = &fix->op->findings;
	dmtrace_finding_fn *const report = findings->report;
	void *const context = findings->context;

	if (dmt_fix_rewind(fix, file) != DMTRACE_OK)
		return fix->op->error.status;
	fix->finding = (struct dmtrace_verdict){ .rule = NULL };
	findings->report = note;
	findings->context = fix;
	const enum dmtrace_status status = dmt_judge(fix->op, file,
	    &fix->traits, &fix->validity, &fix->opened);
	findings->report = report;
	findings->context = context;
	if (status == DMTRACE_OK)
		dmt_op_begin(fix->op);	/* why it could not be opened */
	return status;
}

/* The first reader that minds; DMTRACE_READERS: none. */
static enum dmtrace_other_reader
find_minding(const struct dmt_fix *fix, struct dmtrace_verdict *verdict)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmt_traits traits = fix->traits;
	unsigned reader = 0;

	traits.has[DMT_PAIR] = fix->pair ? DMT_BY_ALL : 0;
	dmt_readers_judge(verdicts, &traits);
	while (reader < DMTRACE_READERS && ((fix->options->readers &
	    DMTRACE_READER_BIT(reader)) == 0 ||
	    verdicts[reader].reception == DMTRACE_READS))
		reader++;
	*verdict = reader < DMTRACE_READERS ? verdicts[reader] : fix->finding;
	return (enum dmtrace_other_reader)reader;
}

/* Of a form that is not read here the readers alone judge. */
static bool
is_accepted(const struct dmt_fix *fix)
{
	struct dmtrace_verdict verdict;

	return find_minding(fix, &verdict) == DMTRACE_READERS &&
	    verdict.rule == NULL &&
	    (fix->opened == DMTRACE_OK || fix->options->readers != 0);
}

static enum dmtrace_status
repair(struct dmt_fix *fix)
{
	struct dmtrace_repair_options options;

	dmtrace_repair_options_init(&options);
	if (fix->options->fail_on > DMTRACE_NOTE)
		options.flags = DMTRACE_REPAIR_EDGES;
	if (dmt_fix_rewind(fix, &fix->source) != DMTRACE_OK ||
	    dmt_fix_begin_temporary(fix, &fix->repaired) != DMTRACE_OK)
		return fix->op->error.status;
	const struct dmtrace_file out = dmt_fix_file(&fix->repaired);
	if (dmt_repair_run(fix->op, &fix->source, &out, &options, NULL,
	    &fix->changes) != DMTRACE_OK)
		return fix->op->error.status;
	return judge(fix, &out);
}

static enum dmtrace_status
write_canonical(struct dmt_fix *fix, struct dmt_canonical *canonical)
{
	const struct dmtrace_file in = dmt_fix_file(&fix->repaired);

	if (canonical->reader == NULL || canonical->writer == NULL)
		return dmt_error_memory(&fix->op->error);
	if (dmt_fix_rewind(fix, &in) != DMTRACE_OK ||
	    dmt_fix_begin_temporary(fix, &fix->canonical) != DMTRACE_OK)
		return fix->op->error.status;
	if (dmtrace_reader_open_fd(canonical->reader, in.fd) != DMTRACE_OK)
		return dmt_op_fail(fix->op, NULL,
		    dmtrace_reader_error(canonical->reader));
	return dmt_canonical_write(canonical, fix->canonical.fd);
}

/* Of the repair, with these cures. */
static enum dmtrace_status
make_canonical(struct dmt_fix *fix, unsigned cures)
{
	struct dmt_canonical canonical = {
		.op = fix->op,
		.reader = dmtrace_reader_new(),
		.writer = dmtrace_writer_new(),
		.changes = &fix->canonical_changes,
		.cures = cures
	};

	memset(&fix->canonical_changes, 0, sizeof(fix->canonical_changes));
	if (write_canonical(fix, &canonical) == DMTRACE_OK) {
		const struct dmtrace_file out = dmt_fix_file(&fix->canonical);

		judge(fix, &out);
	}
	dmt_canonical_fini(&canonical);
	dmtrace_writer_free(canonical.writer);
	dmtrace_reader_free(canonical.reader);
	return fix->op->error.status;
}

/* Until the readers take it, or there is nothing more to try. */
static enum dmtrace_status
cure_all(struct dmt_fix *fix)
{
	unsigned cures = 0, before;
	int round = 0;

	do {
		before = cures;
		cures |= dmt_readers_cures(&fix->traits,
		    fix->options->readers);
		if (round > 0 && cures == before)
			break;
		if (make_canonical(fix, cures) != DMTRACE_OK)
			return fix->op->error.status;
	} while (!is_accepted(fix) && ++round < ROUNDS);
	return DMTRACE_OK;
}

static enum dmtrace_status
publish(struct dmt_fix *fix, const struct dmtrace_file *candidate)
{
	if (candidate != &fix->source)
		dmt_changes_merge(&fix->changes, &fix->canonical_changes);
	fix->result.fixed = 1;
	fix->result.changes = dmt_changes_count(&fix->changes);
	fix->result.records = fix->validity.records;
	if (dmt_fix_rewind(fix, candidate) != DMTRACE_OK)
		return fix->op->error.status;
	return dmt_fix_publish(fix, candidate);
}

static enum dmtrace_status
run(struct dmt_fix *fix)
{
	if (dmt_fix_hold(fix) != DMTRACE_OK ||
	    judge(fix, &fix->source) != DMTRACE_OK)
		return fix->op->error.status;
	const bool pair = fix->traits.has[DMT_PAIR] != 0;
	if (is_accepted(fix) && dmt_fix_is_whole(fix, pair))
		return publish(fix, &fix->source);
	if (repair(fix) != DMTRACE_OK)
		return fix->op->error.status;
	if (pair && !fix->pair)
		dmt_change_add(&fix->changes, DMT_PAIR, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	const struct dmtrace_file repaired = dmt_fix_file(&fix->repaired);
	if (is_accepted(fix))
		return publish(fix, &repaired);
	if (cure_all(fix) != DMTRACE_OK)
		return fix->op->error.status;
	const struct dmtrace_file cured = dmt_fix_file(&fix->canonical);
	if (is_accepted(fix))
		return publish(fix, &cured);
	fix->result.reader = find_minding(fix, &fix->result.verdict);
	return DMTRACE_OK;
}

static void
fix_all(struct dmt_fix *fix, struct dmtrace_fix_result *result)
{
	struct dmt_output *const sinks[] = { &fix->output, &fix->spool,
	    &fix->repaired, &fix->canonical };

	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
		dmt_output_open_memory(sinks[i]);
	if (dmt_fix_begin(fix) == DMTRACE_OK && run(fix) == DMTRACE_OK)
		*result = fix->result;
	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
		dmt_output_fini(sinks[i]);
	dmt_fix_forget_temporary(fix);
}

enum dmtrace_status
dmtrace_fix(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_fix_options *options,
    struct dmtrace_fix_result *result)
{
	struct dmt_fix *const fix = calloc(1, sizeof(*fix));
	struct dmtrace_fix_options all;

	dmt_op_begin(op);
	if (fix == NULL)
		return dmt_error_memory(&op->error);
	fix->op = op;
	fix->in = in;
	fix->out = out;
	dmtrace_fix_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	fix->options = &all;
	fix_all(fix, result);
	free(fix);
	return op->error.status;
}
