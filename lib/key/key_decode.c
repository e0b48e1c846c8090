/* key_decode.c - a key's bytes to the key; the mirror of key_encode.c */

#include "key/key.h"

#include <string.h>

#include "base/error.h"
#include "format/names.h"
#include "key/earlier.h"
#include "key/edits.h"
#include "key/line_encode.h"
#include "key/lines.h"
#include "key/number.h"
#include "key/options.h"
#include "key/text.h"

/* A walk over the lines of a key. */
struct walk {
	struct dmtrace_key *key;
	struct dmt_lines lines;
	enum dmt_section section;
	unsigned seen;			/* a bit for each section so far */
	bool wants_number;		/* the line below "*version" */
	uint64_t told;			/* findings before the methods */
	uint64_t heading;		/* the line that these are below */
	size_t taken;			/* bytes of their lines that need no
					   decoding */
	size_t ends[DMT_TABLES];	/* behind their last lines; 0: no */
};

static enum dmtrace_status
no_memory(struct walk *walk)
{
	return dmt_error_memory(&walk->key->error);
}

/* A finding in the line that the walk is at. */
static void
note(const struct walk *walk, enum dmt_finding which)
{
	dmt_line_note(&walk->lines.line, which);
}

static void
check_order(struct walk *walk, enum dmt_section section)
{
	if ((walk->seen & 1u << section) != 0)
		note(walk, DMT_KEY_SECTION_REPEATED);
	else if (walk->seen >> section != 0)
		note(walk, DMT_KEY_SECTION_ORDER);
	walk->seen |= 1u << section;
}

/* Goes over the lines that an earlier key had, too. Methods in two sections
 * are not plain. */
static void
begin_methods(struct walk *walk, bool repeated)
{
	struct dmtrace_key *const key = walk->key;
	const struct dmt_stretch taken = repeated ? (struct dmt_stretch){ 0 } :
	    dmt_key_take_earlier(key, walk->lines.next);

	key->plain = (struct dmt_stretch){ .at = walk->lines.next };
	walk->told = repeated ? UINT64_MAX :
	    dmt_findings_sum(walk->lines.line.findings);
	walk->heading = walk->lines.line.number;
	walk->taken = taken.len;
	walk->lines.next += taken.len;
	walk->lines.line.number += taken.lines;
}

static void
end_methods(struct walk *walk)
{
	struct dmtrace_key *const key = walk->key;

	if (dmt_findings_sum(walk->lines.line.findings) != walk->told)
		return;
	key->plain.len = walk->lines.at - key->plain.at;
	key->plain.lines = walk->lines.line.number - walk->heading - 1;
	key->plain.rows = key->methods.count;
	key->repeats = walk->taken > 0 && walk->taken == key->plain.len;
}

/* The first one is known to be "*version". */
static void
begin_section(struct walk *walk)
{
	const struct dmtrace_text text = walk->lines.line.text;
	const bool repeated = (walk->seen & 1u << DMT_SECTION_METHODS) != 0;

	if (walk->section == DMT_SECTION_METHODS)
		end_methods(walk);
	if (walk->wants_number)
		note(walk, DMT_KEY_VERSION_BAD);
	walk->section = walk->seen == 0 ? DMT_SECTION_VERSION :
	    dmt_section_find(text);
	walk->wants_number = walk->section == DMT_SECTION_VERSION &&
	    walk->seen == 0;
	if (walk->section == DMT_SECTION_UNKNOWN) {
		note(walk, DMT_KEY_SECTION_UNKNOWN);
		return;
	}
	check_order(walk, walk->section);
	if (walk->section != DMT_SECTION_END &&
	    text.len != strlen(dmt_section_name(walk->section)))
		note(walk, DMT_KEY_SECTION_BLANKS);
	if (walk->wants_number)
		walk->key->number_at = walk->lines.next;
	if (walk->section == DMT_SECTION_METHODS)
		begin_methods(walk, repeated);
}

/* The line below "*version" is its number, unless it is an option. */
static bool
take_number(struct walk *walk)
{
	struct dmtrace_key *key = walk->key;
	uint32_t number;
	bool odd = true;

	walk->wants_number = false;
	if (dmt_text_holds(walk->lines.line.text, '=')) {
		note(walk, DMT_KEY_VERSION_BAD);
		return false;
	}
	if (dmt_number_decode(&number, &odd, walk->lines.line.text))
		key->version = number;
	if (odd)
		note(walk, DMT_KEY_VERSION_BAD);
	key->number_at = walk->lines.at;
	key->number_len = walk->lines.next - walk->lines.at;
	return true;
}

static void
note_option(struct walk *walk, const struct dmtrace_option *option)
{
	if (dmt_options_find(&walk->key->options, option->name) != NULL) {
		note(walk, DMT_OPTION_REPEATED);
	} else if (dmt_text_is(option->name, "clock")) {
		walk->key->clock = option->value.bytes == NULL ?
		    DMTRACE_CLOCK_UNKNOWN :
		    dmt_clock_find(option->value.bytes, option->value.len);
		if (walk->key->clock == DMTRACE_CLOCK_UNKNOWN)
			note(walk, DMT_CLOCK_UNKNOWN);
	} else if (dmt_text_is(option->name, "data-file-overflow") &&
	    option->value.bytes != NULL && dmt_text_is(option->value, "true")) {
		note(walk, DMT_OVERFLOW);
	}
}

static enum dmtrace_status
take_option(struct walk *walk)
{
	struct dmt_option_row row =
	    { .at = walk->lines.at, .len = walk->lines.next - walk->lines.at };

	if (!dmt_option_decode(&row.option, &walk->lines.line))
		return DMTRACE_OK;
	note_option(walk, &row.option);
	return dmt_options_add(&walk->key->options, &row) ? DMTRACE_OK :
	    no_memory(walk);
}

static enum dmtrace_status
take_thread(struct walk *walk)
{
	struct dmt_threads *threads = &walk->key->threads;
	struct dmtrace_thread thread;

	if (!dmt_thread_decode(&thread, &walk->lines.line))
		return DMTRACE_OK;
	if (dmt_threads_find(threads, sizeof(thread.id), thread.id) != NULL)
		note(walk, DMT_THREAD_REPEATED);
	return dmt_threads_add(threads, &thread) ? DMTRACE_OK :
	    no_memory(walk);
}

static enum dmtrace_status
take_method(struct walk *walk)
{
	struct dmt_methods *methods = &walk->key->methods;
	struct dmtrace_method method;

	if (!dmt_method_decode(&method, &walk->lines.line))
		return DMTRACE_OK;
	const size_t ids = methods->by_id.count;
	if (!dmt_methods_add(methods, &method))
		return no_memory(walk);
	if (methods->by_id.count == ids)
		note(walk, DMT_METHOD_REPEATED);
	return DMTRACE_OK;
}

/* A line that begins no section. */
static enum dmtrace_status
take_row(struct walk *walk)
{
	if (walk->wants_number && take_number(walk))
		return DMTRACE_OK;
	switch (walk->section) {
	case DMT_SECTION_VERSION:
		return take_option(walk);
	case DMT_SECTION_THREADS:
		return take_thread(walk);
	case DMT_SECTION_METHODS:
		return take_method(walk);
	default:
		return DMTRACE_OK;
	}
}

static enum dmtrace_status
take_line(struct walk *walk)
{
	enum dmtrace_status status = DMTRACE_OK;

	if (walk->lines.line.text.bytes[0] == '*')
		begin_section(walk);
	else
		status = take_row(walk);
	if (walk->section < DMT_SECTION_END)
		walk->ends[walk->section] = walk->lines.next;
	return status;
}

static void
note_end(struct walk *walk)
{
	const struct dmtrace_text text = walk->key->text;

	if (walk->lines.line.text.len > strlen("*end"))
		note(walk, DMT_KEY_END_EXTRA);
	if (text.bytes[text.len - 1] != '\n')
		note(walk, DMT_KEY_END_NO_LF);
}

static void
note_missing(struct walk *walk)
{
	static const enum dmt_section sections[] =
	    { DMT_SECTION_THREADS, DMT_SECTION_METHODS };
	const struct dmt_line *line = &walk->lines.line;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if ((walk->seen & 1u << sections[i]) == 0)
			dmt_finding_add(line->findings,
			    DMT_KEY_SECTION_MISSING, DMTRACE_PLACE_LINE,
			    line->number, "\"%s\"",
			    dmt_section_name(sections[i]));
	if (walk->key->threads.count == 0)
		dmt_finding_add(line->findings, DMT_THREAD_NONE,
		    DMTRACE_PLACE_LINE, line->number, NULL);
	if (walk->key->methods.count == 0)
		dmt_finding_add(line->findings, DMT_METHOD_NONE,
		    DMTRACE_PLACE_LINE, line->number, NULL);
	if (walk->key->clock == DMTRACE_CLOCK_MISSING)
		dmt_finding_add(line->findings, DMT_CLOCK_MISSING,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

/* Where lines of a section will be added that there is. */
static enum dmtrace_status
open_section(struct walk *walk, enum dmt_section section)
{
	const struct dmtrace_text nothing = { NULL, 0 };

	return dmt_edits_open(&walk->key->edits, section,
	    walk->ends[section], nothing) ? DMTRACE_OK : no_memory(walk);
}

/* One that is missing begins before "*end", with its first line. */
static enum dmtrace_status
open_missing(struct walk *walk, enum dmt_section section)
{
	struct dmtrace_key *key = walk->key;
	const struct dmt_encoder to =
	    { &key->arena, key->line_end, &key->error };
	struct dmtrace_text heading;
	const enum dmtrace_status status = dmt_line_encode(&heading,
	    dmt_text_of(dmt_section_name(section)), &to);

	if (status != DMTRACE_OK)
		return status;
	return dmt_edits_open(&key->edits, section, walk->lines.at, heading) ?
	    DMTRACE_OK : no_memory(walk);
}

/* The missing ones last: the end of another section may be there too. */
static enum dmtrace_status
open_sections(struct walk *walk)
{
	enum dmtrace_status status = DMTRACE_OK;

	for (unsigned i = 0; i < DMT_TABLES && status == DMTRACE_OK; i++)
		if (walk->ends[i] != 0)
			status = open_section(walk, (enum dmt_section)i);
	for (unsigned i = 0; i < DMT_TABLES && status == DMTRACE_OK; i++)
		if (walk->ends[i] == 0)
			status = open_missing(walk, (enum dmt_section)i);
	return status;
}

static enum dmtrace_status
take_text(struct dmtrace_key *key, const uint8_t *bytes, size_t len)
{
	char *text = dmt_arena_alloc(&key->arena, len);

	if (text == NULL)
		return dmt_error_memory(&key->error);
	memcpy(text, bytes, len);
	key->text = (struct dmtrace_text){ text, len };
	key->encoded_size = len;
	return DMTRACE_OK;
}

static enum dmtrace_status
decode(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    struct dmt_findings *findings)
{
	struct walk walk = { .key = key, .section = DMT_SECTION_UNKNOWN };
	enum dmtrace_status status = take_text(key, bytes, len);

	walk.lines.text = key->text;
	walk.lines.line.findings = findings;
	while (status == DMTRACE_OK && walk.section != DMT_SECTION_END &&
	    dmt_lines_next(&walk.lines))
		status = take_line(&walk);
	if (status != DMTRACE_OK)
		return status;
	key->line_end = walk.lines.crlf ? "\r\n" : "\n";
	note_missing(&walk);
	note_end(&walk);
	return open_sections(&walk);
}

enum dmtrace_status
dmt_key_decode(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    struct dmt_findings *findings)
{
	struct dmtrace_key decoded = {
		.limit_key = key->limit_key,
		.limit_line = key->limit_line,
		.earlier = key->earlier
	};
	const enum dmtrace_status status =
	    decode(&decoded, bytes, len, findings);

	if (status != DMTRACE_OK) {
		dmt_key_fini(&decoded);
		return dmt_error_memory(&key->error);
	}
	dmt_key_fini(key);
	*key = decoded;
	key->earlier = NULL;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_key_decode(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context)
{
	struct dmt_findings findings = { .report = report,
	    .context = context };
	size_t scanned = 0, size;

	dmt_error_clear(&key->error);
	if (!key->fresh)
		return dmt_error_set(&key->error, DMTRACE_ERR_STATE,
		    "a key is decoded into a new one");
	enum dmtrace_status status =
	    dmt_key_find_end(key, bytes, len, true, &scanned, &size);
	if (status == DMTRACE_OK)
		status = dmt_key_decode(key, bytes, size, &findings);
	if (status == DMTRACE_OK)
		*used = size;
	return status;
}
