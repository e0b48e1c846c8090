/* validation.c - checks all rules on a whole trace */

/*
 * The reader reports findings about the key and the header when it is opened,
 * and about single records when its source fills the columns; check_events.c
 * checks threads, times and calls. All findings pass through one function,
 * which counts them and calls the caller's function. If the verdicts of other
 * readers are asked for, findings become quirks, and the key, the header and
 * the ids of the records are searched for quirks of single readers
 * (quirks_key.c, quirks_data.c). The table of findings has, for each quirk and
 * reader, what the reader does; a reader's verdict is the worst of these.
 */

#include "verify/validate/validation.h"

#include <dmtrace/verify.h>

#include <string.h>

#include "base/error.h"
#include "data/record_sense.h"
#include "data/text_damage.h"
#include "eventlog/entry.h"
#include "ops/op.h"
#include "private/select.h"
#include "private/verify.h"
#include "trace/container.h"
#include "trace/dialect.h"
#include "verify/validate/check_events.h"

#define DAMAGE_SEARCHED 65536		/* bytes of data */

struct validation {
	struct dmtrace_op *op;
	const struct dmtrace_file *file;	/* NULL: memory */
	struct dmtrace_reader *reader;
	struct dmt_event_checks checks;
	struct dmt_findings own;	/* about records and calls */
	struct dmtrace_validity validity;
	struct dmt_quirks *quirks;	/* NULL: not asked for */
	struct dmt_quirk_search search;
};

/* A dmt_finding_fn, which is called for all findings of a trace. */
static void
take_finding(void *context, enum dmt_finding which,
    const struct dmtrace_finding *finding)
{
	struct validation *const validation = context;
	struct dmt_quirks *const quirks = validation->quirks;

	validation->validity.findings[finding->severity]++;
	if (quirks != NULL && which == DMT_THREAD_UNLISTED)
		dmt_quirk_set(quirks, which, DMT_BY_ALL & ~DMT_BY_FIREFOX);
	else if (quirks != NULL && !dmt_finding_rows[which].apart)
		dmt_quirk_set(quirks, which, DMT_BY_ALL);
	dmt_finding_pass(dmt_op_findings(validation->op, validation->file),
	    which, finding);
}

/* A dmtrace_finding_fn for those of an event log, which is not judged. */
static void
take_entry_finding(void *context, const struct dmtrace_finding *finding)
{
	struct validation *const validation = context;
	const struct dmt_findings *const findings =
	    dmt_op_findings(validation->op, validation->file);

	validation->validity.findings[finding->severity]++;
	if (findings->report != NULL)
		findings->report(findings->context, finding);
}

/* Returns the damage of text conversions that the first records have, or the
 * bytes in place of a header. Records that make sense have none, whatever their
 * bytes look like; repair does not change them either. */
static enum dmt_text_damage
find_damage(const struct dmtrace_reader *reader)
{
	const uint8_t *bytes;
	size_t len = dmt_input_peek(reader->input, 1, &bytes);

	if (len > DAMAGE_SEARCHED)
		len = DAMAGE_SEARCHED;
	const enum dmt_text_damage damage = dmt_text_damage_find(bytes, len);
	return damage != DMT_TEXT_DAMAGES &&
	    dmt_reader_layout(reader) != NULL &&
	    dmt_records_make_sense(reader->key, &reader->layout, bytes, len) ?
	    DMT_TEXT_DAMAGES : damage;
}

static void
report_damage(struct validation *validation, enum dmt_text_damage damage,
    uint64_t offset)
{
	if (damage != DMT_TEXT_DAMAGES)
		dmt_finding_add(&validation->own, DMT_DATA_TEXT,
		    DMTRACE_PLACE_OFFSET, offset, "%s",
		    dmt_text_damage_description(damage));
}

static enum dmtrace_status
check_records(struct validation *validation, struct dmtrace_source *source)
{
	struct dmt_event_checks *const checks = &validation->checks;
	struct dmtrace_op *const op = validation->op;
	struct dmt_batch *batch;

	dmt_source_set_progress(source, op->progress,
	    op->progress_context);
	checks->source = source;
	checks->findings = &validation->own;
	checks->reserved_ends = validation->quirks != NULL;
	dmt_event_checks_init(checks);
	do {
		if (dmt_pull(source, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, validation->file,
			    dmtrace_source_error(source));
		if (batch != NULL &&
		    dmt_event_checks_take(checks, batch) != DMTRACE_OK)
			return dmt_op_fail(op, validation->file,
			    &checks->error);
	} while (batch != NULL);
	validation->validity.records =
	    dmt_reader_position(validation->reader);
	dmt_event_checks_end(checks);
	if (validation->quirks != NULL)
		dmt_search_events(&validation->search, validation->reader,
		    source->indexes, checks->latest_ns);
	return DMTRACE_OK;
}

/* Checks the entries of an event log. input is at its first byte. */
static enum dmtrace_status
check_entries(struct validation *validation, struct dmt_input *input)
{
	struct dmtrace_validity *const validity = &validation->validity;
	const struct dmtrace_eventlog_options options = {
		.report = take_entry_finding, .context = validation
	};
	struct dmtrace_eventlog_reader *const log =
	    dmt_eventlog_reader_of(&options, input);
	struct dmtrace_entry entry;
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	validity->is_eventlog = 1;
	while (log != NULL && (status = dmtrace_eventlog_reader_read(log,
	    &entry)) == DMTRACE_OK)
		validity->records += entry.kind != DMTRACE_ENTRY_RAW;
	if (log == NULL)
		dmt_error_memory(&validation->op->error);
	else if (status != DMTRACE_END)
		dmt_op_fail(validation->op, validation->file,
		    dmtrace_eventlog_reader_error(log));
	dmtrace_eventlog_reader_free(log);
	return status == DMTRACE_END ? DMTRACE_OK : status;
}

/* Checks validation->file or, if that is NULL, len bytes in memory. */
static enum dmtrace_status
check_trace(struct validation *validation, const void *bytes, size_t len)
{
	struct dmtrace_reader *const reader = validation->reader;
	const struct dmtrace_file *const file = validation->file;

	reader->findings.take = take_finding;
	reader->findings.context = validation;
	const enum dmtrace_status opened =
	    file == NULL ? dmtrace_reader_open_memory(reader, bytes, len) :
	    dmt_reader_open_file(reader, file);
	if (validation->quirks != NULL) {
		dmt_quirk_search_init(&validation->search, validation->quirks);
		dmt_search_front(&validation->search, reader, opened);
		if (validation->search.no_memory)
			return dmt_error_memory(&validation->op->error);
	}
	if (opened == DMTRACE_ERR_NOT_TRACE && validation->quirks == NULL &&
	    dmt_input_has_eventlog(&reader->key_input))
		return check_entries(validation, &reader->key_input);
	if (opened != DMTRACE_OK) {
		/* a failure after the key may be a finding, reported before */
		if (dmtrace_reader_key(reader) == NULL ||
		    (opened != DMTRACE_ERR_TRUNCATED &&
		    opened != DMTRACE_ERR_CORRUPT &&
		    opened != DMTRACE_ERR_VERSION &&
		    opened != DMTRACE_ERR_UNSUPPORTED) ||
		    validation->validity.findings[DMTRACE_ERROR] == 0)
			return dmt_op_fail(validation->op, file,
			    dmtrace_reader_error(reader));
		if (reader->input != NULL)
			report_damage(validation, find_damage(reader),
			    reader->input->offset);
		return DMTRACE_OK;
	}
	const enum dmt_text_damage damage = find_damage(reader);
	const uint64_t offset = reader->input->offset;
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	if (source == NULL)
		return dmt_error_memory(&validation->op->error);
	if (!reader->dialect->packets)
		report_damage(validation, damage, offset);
	const enum dmtrace_status status = check_records(validation, source);
	/* Packets that can be read are as they were. */
	if (reader->dialect->packets && (status != DMTRACE_OK ||
	    validation->validity.findings[DMTRACE_ERROR] > 0))
		report_damage(validation, damage, offset);
	dmtrace_source_free(source);
	return status;
}

static enum dmtrace_status
validate_trace(struct dmtrace_op *op, const struct dmtrace_file *file,
    const void *bytes, size_t len, struct dmt_quirks *quirks,
    struct dmtrace_validity *validity)
{
	struct validation validation =
	    { .op = op, .file = file, .quirks = quirks };
	const struct dmt_event_checks *const checks = &validation.checks;

	dmt_op_begin(op);
	validation.own.take = take_finding;
	validation.own.context = &validation;
	validation.reader = dmtrace_reader_new();
	const enum dmtrace_status status = validation.reader == NULL ?
	    dmt_error_memory(&op->error) :
	    check_trace(&validation, bytes, len);
	if (status == DMTRACE_OK)
		*validity = validation.validity;
	if (quirks != NULL) {
		dmt_quirk_set_if(quirks, DMT_RECORD_PARTIAL_ONLY,
		    quirks->has[DMT_RECORD_PARTIAL] &&
		    validation.validity.records == 0 &&
		    !quirks->has[DMT_RECORD_SIZE_HIGH]);
		dmt_quirk_set_if(quirks, DMT_CALL_DEEPER,
		    checks->deepest > DMT_DEEPER);
		dmt_quirk_set_if(quirks, DMT_RECORD_RESERVED_OTHER,
		    checks->reserved_other);
		dmt_quirk_set_if(quirks, DMT_THREAD_BEYOND, checks->beyond);
		dmt_quirk_search_fini(&validation.search);
	}
	dmt_event_checks_fini(&validation.checks);
	dmtrace_reader_free(validation.reader);
	return status;
}

enum dmtrace_status
dmtrace_validate(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_validity *validity)
{
	return dmt_op_begin_call(op, __func__, file == NULL ||
	    validity == NULL) != DMTRACE_OK ? DMTRACE_ERR_STATE :
	    validate_trace(op, file, NULL, 0, NULL, validity);
}

enum dmtrace_status
dmtrace_validate_memory(struct dmtrace_op *op, const void *bytes, size_t len,
    struct dmtrace_validity *validity)
{
	return dmt_op_begin_call(op, __func__, validity == NULL ||
	    (bytes == NULL && len > 0)) != DMTRACE_OK ? DMTRACE_ERR_STATE :
	    validate_trace(op, NULL, bytes, len, NULL, validity);
}

/* Verdicts */

/* By enum dmtrace_reception. */
static const char letters[] = ".dmrc";

const char *
dmtrace_other_reader_name(enum dmtrace_other_reader reader)
{
	static const char *const names[DMTRACE_READERS] = { "dmtracedump",
	    "traceview", "perflib2016", "studio", "firefox", "perfetto" };

	return (unsigned)reader < DMTRACE_READERS ? names[reader] : "";
}

const char *
dmtrace_reception_name(enum dmtrace_reception reception)
{
	static const char *const names[] =
	    { "reads", "dump-only", "misreads", "refuses", "crashes" };

	return (size_t)reception < sizeof(names) / sizeof(names[0]) ?
	    names[reception] : "";
}

static enum dmtrace_reception
reception_of(const struct dmt_finding_row *row, unsigned reader)
{
	return (enum dmtrace_reception)
	    (strchr(letters, row->readers[reader]) - letters);
}

int
dmt_reader_rule_get(size_t index, struct dmt_reader_rule *rule)
{
	for (unsigned i = 0; i < DMT_ROW_COUNT; i++) {
		const struct dmt_finding_row *const row = &dmt_finding_rows[i];

		if (strspn(row->readers, ".") == DMTRACE_READERS ||
		    index-- > 0)
			continue;
		rule->name = row->name;
		rule->description = row->message;
		rule->measured = row->measured;
		for (unsigned j = 0; j < DMTRACE_READERS; j++)
			rule->receptions[j] = reception_of(row, j);
		return 0;
	}
	return 1;
}

/* A verdict is the first of the quirks with the worst reception. */
void
dmt_readers_judge(struct dmtrace_verdict verdicts[DMTRACE_READERS],
    const struct dmt_quirks *quirks)
{
	for (unsigned reader = 0; reader < DMTRACE_READERS; reader++) {
		struct dmtrace_verdict *const verdict = &verdicts[reader];

		*verdict = (struct dmtrace_verdict){
			.reception = DMTRACE_READS
		};
		for (unsigned i = 0; i < DMT_ROW_COUNT; i++) {
			const struct dmt_finding_row *const row =
			    &dmt_finding_rows[i];
			const enum dmtrace_reception reception =
			    reception_of(row, reader);

			/* A reader that refuses the key reads no data. */
			if (row->part != DMT_PART_KEY &&
			    verdict->reception == DMTRACE_REFUSES)
				break;
			if ((quirks->has[i] & 1u << reader) == 0 ||
			    reception <= verdict->reception)
				continue;
			verdict->reception = reception;
			verdict->rule = row->name;
			verdict->message = row->message;
		}
	}
}

unsigned
dmt_readers_cures(const struct dmt_quirks *quirks, unsigned readers)
{
	unsigned cures = 0;

	for (unsigned i = 0; i < DMT_ROW_COUNT; i++)
		for (unsigned reader = 0; reader < DMTRACE_READERS; reader++)
			if ((quirks->has[i] & readers &
			    1u << reader) != 0 &&
			    reception_of(&dmt_finding_rows[i], reader) !=
			    DMTRACE_READS)
				cures |= dmt_finding_rows[i].cures;
	return cures;
}

enum dmtrace_status
dmt_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmt_quirks *quirks, struct dmtrace_validity *validity,
    enum dmtrace_status *opened)
{
	*quirks = (struct dmt_quirks){ .has = { 0 } };
	*opened = validate_trace(op, file, NULL, 0, quirks, validity);
	switch (*opened) {
	case DMTRACE_OK:
		return DMTRACE_OK;
	/* Other programs refuse such a file as well: this is a verdict. */
	case DMTRACE_ERR_NOT_TRACE:
	case DMTRACE_ERR_TRUNCATED:
	case DMTRACE_ERR_UNSUPPORTED:
	case DMTRACE_ERR_CORRUPT:
	case DMTRACE_ERR_VERSION:
	case DMTRACE_ERR_FOREIGN:
		*validity = (struct dmtrace_validity){ .records = 0 };
		return DMTRACE_OK;
	default:
		return *opened;
	}
}

enum dmtrace_status
dmtrace_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_verdict verdicts[DMTRACE_READERS],
    struct dmtrace_validity *validity)
{
	struct dmt_quirks quirks;
	enum dmtrace_status opened;

	if (dmt_op_begin_call(op, __func__, file == NULL ||
	    verdicts == NULL || validity == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	const enum dmtrace_status status =
	    dmt_judge(op, file, &quirks, validity, &opened);

	if (status == DMTRACE_OK)
		dmt_readers_judge(verdicts, &quirks);
	return status;
}

/* Rules */

/* NULL: the rows are not rules. Only join and split report them, or the check
 * of an event log against tags. */
static const char *const rule_parts[] = {
	[DMT_PART_KEY] = "key",
	[DMT_PART_DATA] = "data",
	[DMT_PART_RECORDS] = "records",
	[DMT_PART_CALLS] = "calls",
	[DMT_PART_ENTRIES] = "entries",
	[DMT_PART_TAGS] = NULL,
	[DMT_PART_FILES] = NULL,
};

int
dmt_rule_get(size_t index, struct dmt_rule_info *rule)
{
	for (unsigned i = 0; i < DMT_ROW_COUNT; i++) {
		const struct dmt_finding_row *const row = &dmt_finding_rows[i];

		if (!dmt_is_finding(i) || rule_parts[row->part] == NULL ||
		    index-- > 0)
			continue;
		*rule = (struct dmt_rule_info){
			.name = row->name,
			.severity = (enum dmtrace_severity)row->severity,
			.part = rule_parts[row->part],
			.description = row->message
		};
		return 0;
	}
	return 1;
}
