/* key_decode.c - a key's bytes to the key; the mirror of key_encode.c */

#include "key/key.h"

#include <string.h>

#include "base/error.h"
#include "format/names.h"
#include "key/edits.h"
#include "key/line_encode.h"
#include "key/options.h"
#include "key/parse.h"
#include "key/text.h"

/* What becomes of the items of a key's text. */
struct walk {
	struct dmtrace_key *key;
	struct dmt_parse parse;
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
	dmt_line_note(&walk->parse.lines.line, which);
}

static void
begin_section(struct walk *walk)
{
	const struct dmt_parse *const parse = &walk->parse;

	if (parse->wants_number)
		walk->key->number_at = parse->lines.next;
}

static void
take_number(struct walk *walk)
{
	struct dmtrace_key *const key = walk->key;
	const struct dmt_parse *const parse = &walk->parse;

	if (parse->is_row)
		key->version = parse->number;
	key->number_at = parse->lines.at;
	key->number_len = parse->lines.next - parse->lines.at;
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
	const struct dmt_lines *const lines = &walk->parse.lines;
	const struct dmt_option_row row = { .option = walk->parse.option,
	    .at = lines->at, .len = lines->next - lines->at };

	note_option(walk, &row.option);
	return dmt_options_add(&walk->key->options, &row) ? DMTRACE_OK :
	    no_memory(walk);
}

static enum dmtrace_status
take_thread(struct walk *walk)
{
	struct dmt_threads *const threads = &walk->key->threads;
	const struct dmtrace_thread *const thread = &walk->parse.thread;

	if (dmt_threads_find(threads, sizeof(thread->id), thread->id) != NULL)
		note(walk, DMT_THREAD_REPEATED);
	return dmt_threads_add(threads, thread) ? DMTRACE_OK :
	    no_memory(walk);
}

static enum dmtrace_status
take_method(struct walk *walk)
{
	struct dmt_methods *const methods = &walk->key->methods;
	const size_t ids = methods->by_id.count;

	if (!dmt_methods_add(methods, &walk->parse.method))
		return no_memory(walk);
	if (methods->by_id.count == ids)
		note(walk, DMT_METHOD_REPEATED);
	return DMTRACE_OK;
}

static enum dmtrace_status
take_item(struct walk *walk)
{
	const struct dmt_parse *const parse = &walk->parse;
	enum dmtrace_status status = DMTRACE_OK;

	if (parse->item == DMT_ITEM_BLANK)
		return DMTRACE_OK;
	if (parse->item == DMT_ITEM_HEADING)
		begin_section(walk);
	else if (parse->item == DMT_ITEM_NUMBER)
		take_number(walk);
	else if (!parse->is_row)
		status = DMTRACE_OK;
	else if (parse->item == DMT_ITEM_OPTION)
		status = take_option(walk);
	else if (parse->item == DMT_ITEM_THREAD)
		status = take_thread(walk);
	else if (parse->item == DMT_ITEM_METHOD)
		status = take_method(walk);
	if (parse->section < DMT_SECTION_END)
		walk->ends[parse->section] = parse->lines.next;
	return status;
}

static void
note_end(struct walk *walk)
{
	const struct dmtrace_text text = walk->key->text;

	if (walk->parse.lines.line.text.len > strlen("*end"))
		note(walk, DMT_KEY_END_EXTRA);
	if (text.bytes[text.len - 1] != '\n')
		note(walk, DMT_KEY_END_NO_LF);
}

static void
note_missing(struct walk *walk)
{
	static const enum dmt_section sections[] =
	    { DMT_SECTION_THREADS, DMT_SECTION_METHODS };
	const struct dmt_line *line = &walk->parse.lines.line;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if ((walk->parse.seen & 1u << sections[i]) == 0)
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
	return dmt_edits_open(&key->edits, section, walk->parse.lines.at,
	    heading) ?
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
	struct walk walk = { .key = key };
	struct dmt_lines *const lines = &walk.parse.lines;
	enum dmtrace_status status = take_text(key, bytes, len);

	lines->text = key->text;
	lines->line.findings = findings;
	while (status == DMTRACE_OK && dmt_parse_next(&walk.parse))
		status = take_item(&walk);
	if (status != DMTRACE_OK)
		return status;
	key->line_end = lines->crlf ? "\r\n" : "\n";
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
		.first_error = key->first_error
	};
	const enum dmtrace_status status =
	    decode(&decoded, bytes, len, findings);

	if (status != DMTRACE_OK) {
		dmt_key_fini(&decoded);
		return dmt_error_memory(&key->error);
	}
	dmt_key_fini(key);
	*key = decoded;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_key_decode(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context)
{
	struct dmt_findings findings = { .report = report,
	    .context = context };
	size_t scanned = 0, size;

	dmt_key_begin_call(key);
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
