/* gather.c - collects a key from the packets of a stream */

/*
 * A trace of packets does not begin with a key. When it is opened, a pass over
 * all packets (packets.c) passes their contents to this file: threads and
 * methods, which become definitions (definitions.c), and the summary, which is
 * a key with options and with names that no packet has. At the end both are
 * combined to the text of a key, which is decoded like any other, so that the
 * same code finds what is unusual in it. A summary that is truncated is a
 * finding; its complete lines are used.
 */

#include "trace/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "key/key.h"
#include "key/line_text.h"
#include "private/key.h"

void
dmt_gather_note(struct dmt_gathering *gathering, enum dmt_finding which)
{
	const bool truncated = which == DMT_STREAM_TRUNCATED ||
	    which == DMT_STREAM_SUMMARY_TRUNCATED;

	dmt_finding_add(&gathering->reader->findings, which,
	    DMTRACE_PLACE_OFFSET, gathering->input->offset, truncated ?
	    "\"dmtrace repair\" fixes it" : NULL);
}

/* Handles the status of defining a row. */
static enum dmtrace_status
end_row(struct dmt_gathering *gathering, enum dmtrace_status status)
{
	struct dmtrace_reader *const reader = gathering->reader;

	if (status == DMTRACE_ERR_CORRUPT)
		dmt_gather_note(gathering, DMT_STREAM_METHOD_BAD);
	if (status == DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&reader->error);
	if (reader->definitions.size > reader->key->limit_key)
		return dmt_error_set(&reader->error, DMTRACE_ERR_LIMIT,
		    "the threads and methods of the stream take more bytes"
		    " than a key may have");
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_gather_thread(struct dmt_gathering *gathering, uint32_t number,
    struct dmtrace_text name)
{
	return end_row(gathering, dmt_define_thread(
	    &gathering->reader->definitions, number, name,
	    gathering->input->offset, &gathering->reader->findings));
}

enum dmtrace_status
dmt_gather_method(struct dmt_gathering *gathering, struct dmtrace_text line)
{
	if (line.len > 0 && line.bytes[line.len - 1] == '\n')
		line.len--;
	return end_row(gathering, dmt_define_method(
	    &gathering->reader->definitions, line, gathering->input->offset,
	    &gathering->reader->findings));
}

/*
 * A dmt_finding_fn for the key that is made from packets. Passes on findings of
 * lines, without the line number, which is in no file. Several rows of a
 * thread, one per name, are normal here and not reported, and so are missing
 * methods.
 */
static void
pass_line_finding(void *context, enum dmt_finding which,
    const struct dmtrace_finding *finding)
{
	struct dmtrace_reader *const reader = context;
	const size_t len = strlen(dmt_finding_rows[which].message);
	const bool quotes = strlen(finding->message) > len + 2;

	if (which != DMT_THREAD_NONE && which != DMT_THREAD_REPEATED &&
	    which != DMT_METHOD_NONE && which != DMT_METHOD_REPEATED)
		dmt_finding_add(&reader->findings, which, DMTRACE_PLACE_NONE,
		    0, quotes ? "%s" : NULL,
		    quotes ? finding->message + len + 2 : "");
}

/* Decodes the key that text begins with; it may be truncated. */
enum dmtrace_status
dmt_gather_summary(struct dmt_gathering *gathering, struct dmtrace_text text)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmtrace_key *const summary = dmt_key_new();
	const uint8_t *const bytes = (const uint8_t *)text.bytes;
	size_t scanned = 0, size = text.len;
	struct dmt_findings *const ignored = calloc(1, sizeof(*ignored));
	enum dmtrace_status status;

	if (summary == NULL || ignored == NULL) {
		dmt_key_free(summary);
		free(ignored);
		return dmt_error_memory(&reader->error);
	}
	summary->limit_key = reader->key->limit_key;
	summary->limit_line = reader->key->limit_line;
	status = dmt_key_find_end(summary, bytes, size, true, &scanned,
	    &size);
	if (status == DMTRACE_ERR_TRUNCATED) {
		if (dmt_reader_found(reader,
		    DMT_STREAM_SUMMARY_TRUNCATED) == 0)
			dmt_gather_note(gathering,
			    DMT_STREAM_SUMMARY_TRUNCATED);

		/* use only complete lines */
		while (size > 0 && text.bytes[size - 1] != '\n')
			size--;
		dmt_error_clear(&summary->error);
		status = dmt_key_recognises(bytes, size) ? DMTRACE_OK :
		    DMTRACE_ERR_NOT_TRACE;
	}
	if (status == DMTRACE_OK)
		status = dmt_key_decode(summary, bytes, size, ignored);
	free(ignored);
	if (status == DMTRACE_OK) {
		gathering->summary = summary;
		return DMTRACE_OK;
	}
	if (status != DMTRACE_ERR_NOT_TRACE)
		dmt_reader_fail(reader, dmt_key_error(summary));
	dmt_key_free(summary);
	return reader->error.status;
}

enum dmtrace_status
dmt_gather_cut_summary(struct dmt_gathering *gathering,
    struct dmtrace_text text)
{
	struct dmtrace_text rest = text;

	dmt_text_cut(&rest, '\n');
	if (rest.bytes != NULL)
		dmt_text_cut(&rest, '\n');
	if (rest.bytes == NULL) {
		dmt_gather_note(gathering, DMT_STREAM_TRUNCATED);
		return DMTRACE_OK;
	}
	dmt_gather_note(gathering, DMT_STREAM_SUMMARY_TRUNCATED);
	return dmt_gather_summary(gathering, text);
}

enum dmtrace_status
dmt_gather_key(struct dmt_gathering *gathering, unsigned version,
    enum dmtrace_clock clock)
{
	struct dmtrace_reader *const reader = gathering->reader;

	if (gathering->summary == NULL && !gathering->no_summary)
		dmt_finding_add(&reader->findings, DMT_STREAM_NO_SUMMARY,
		    DMTRACE_PLACE_OFFSET, gathering->input->offset,
		    "its clock is taken as \"%s\"", dmtrace_clock_name(clock));
	struct dmt_findings *const findings = calloc(1, sizeof(*findings));
	if (findings == NULL)
		return dmt_error_memory(&reader->error);
	findings->take = pass_line_finding;
	findings->context = reader;
	const enum dmtrace_status status = dmt_definitions_key(
	    &reader->definitions, reader->key, gathering->summary, version,
	    clock, findings);
	free(findings);
	if (status != DMTRACE_OK)
		return dmt_reader_fail(reader, dmt_key_error(reader->key));
	dmt_definitions_done(&reader->definitions);
	reader->has_key = true;
	return DMTRACE_OK;
}
