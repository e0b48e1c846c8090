/* key_decode.c - decodes the bytes of a key; mirror of key_encode.c */

/*
 * First the end of the key in the file is found, line by line, so that a
 * reader needs no more of the file in memory: dmt_key_find_end continues where
 * its last call stopped. Then the key's bytes are copied to its arena. They do
 * not move any more, since all rows point into them, and a key that is not
 * changed is encoded as these bytes. The parser (parse.c) makes an item of
 * each line; this file turns the items into rows of the tables. It also
 * reports findings that need more than one line: repeated rows and missing
 * sections. Lines that callers add later go after the last line of their
 * section; a missing section is written before "*end", once a line is added to
 * it.
 */

#include "key/key.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "format/header.h"
#include "format/names.h"
#include "key/line_encode.h"
#include "key/line_text.h"
#include "private/key.h"

#define BOM "\xef\xbb\xbf"
#define BEGIN "*version"
#define END "*end"
#define BEGIN_MAX 64		/* BEGIN must be in so many first bytes */
#define GLUED_MAX 8		/* most bytes between END and the magic */

static bool
begins_with(const uint8_t *bytes, size_t len, const char *string)
{
	const size_t size = strlen(string);

	return len >= size && memcmp(bytes, string, size) == 0;
}

static bool
is_blank_or_end(uint8_t byte)
{
	return memchr(" \t\r\n", byte, 4) != NULL;
}

bool
dmt_key_recognises(const uint8_t *bytes, size_t len)
{
	const size_t max = len < BEGIN_MAX ? len : BEGIN_MAX;
	size_t i = begins_with(bytes, max, BOM) ? strlen(BOM) : 0;

	while (i < max && is_blank_or_end(bytes[i]))
		i++;
	if (!begins_with(bytes + i, max - i, BEGIN))
		return false;
	i += strlen(BEGIN);
	return i == max || is_blank_or_end(bytes[i]);
}

/* Returns true if the line is "*end" without a line end, followed closely by
 * the data. */
static bool
is_glued_end(const uint8_t *line, size_t len)
{
	if (!begins_with(line, len, END))
		return false;
	for (size_t i = strlen(END); i <= strlen(END) + GLUED_MAX; i++) {
		if (begins_with(line + i, len - i, DMT_MAGIC))
			return true;
		if (i >= len || line[i] == '\n')
			return false;
	}
	return false;
}

/* Scans one line; the search for its LF starts at *scanned. Sets *size to the
 * size of the key if this is the last line, else to 0. DMTRACE_END: the line
 * is not complete yet. */
static enum dmtrace_status
scan_key_line(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    size_t *scanned, size_t *size)
{
	const size_t at = key->scanned_line;
	const bool glued = is_glued_end(bytes + at, len - at);
	const uint8_t *lf = *scanned == len ? NULL :
	    memchr(bytes + *scanned, '\n', len - *scanned);
	const size_t end = glued ? at + strlen(END) :
	    lf == NULL ? len : (size_t)(lf - bytes) + 1;

	*scanned = end;
	if (end - at > key->limit_line)
		return dmt_error_at(&key->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, at,
		    "a line of more than %" PRIu64 " bytes, the limit of a"
		    " line", key->limit_line);
	if (end > key->limit_key)
		return dmt_error_at(&key->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, key->limit_key,
		    "a key of more than %" PRIu64 " bytes, the limit of a"
		    " key", key->limit_key);
	if (lf == NULL && !glued)
		return DMTRACE_END;
	key->scanned_line = end;
	*size = begins_with(bytes + at, end - at, END) ? end : 0;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_key_find_end(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    bool final, size_t *scanned, size_t *size)
{
	enum dmtrace_status status = DMTRACE_OK;
	size_t found = 0;

	if (!final && len < BEGIN_MAX)
		return DMTRACE_END;
	if (*scanned == 0) {
		key->scanned_line = 0;
		if (!dmt_key_recognises(bytes, len))
			return dmt_error_at(&key->error,
			    DMTRACE_ERR_NOT_TRACE, DMTRACE_PLACE_OFFSET, 0,
			    "a key begins with \"" BEGIN "\"");
	}
	while (status == DMTRACE_OK && found == 0)
		status = scan_key_line(key, bytes, len, scanned, &found);

	/* The input may end with "*end" without a line end. */
	if (status == DMTRACE_END && final) {
		const size_t at = key->scanned_line;

		if (!begins_with(bytes + at, len - at, END))
			return dmt_error_at(&key->error,
			    DMTRACE_ERR_TRUNCATED, DMTRACE_PLACE_OFFSET, len,
			    "the key ends after %zu bytes without \"" END
			    "\"", len);
		found = len;
		status = DMTRACE_OK;
	}
	if (status == DMTRACE_OK)
		*size = found;
	return status;
}

/* The state of a decode: the parser and the tables that are filled. */
struct key_decode {
	struct dmtrace_key *key;
	struct dmt_parse parse;
	size_t ends[DMT_TABLES];	/* number of lines up to the section's
					   last one; 0: no such section */
	size_t at;			/* offset of the next line */
};

/* Reports a finding in the parser's current line. */
static void
note_key_line(const struct key_decode *decode, enum dmt_finding which)
{
	dmt_line_note(&decode->parse.lines.line, which);
}

/* Adds a row of an option. false: no memory. */
static bool
add_option_row(struct key_decode *decode)
{
	struct dmtrace_key *const key = decode->key;
	const struct dmtrace_option *const option = &decode->parse.option;
	const struct dmt_option_row row =
	    { .option = *option, .line = key->lines.count };

	if (dmt_options_find(&key->options, option->name) != NULL) {
		note_key_line(decode, DMT_OPTION_REPEATED);
	} else if (dmt_text_is(option->name, DMT_OPTION_CLOCK)) {
		key->clock = option->value.bytes == NULL ?
		    DMTRACE_CLOCK_UNKNOWN :
		    dmt_clock_find(option->value.bytes, option->value.len);
		if (key->clock == DMTRACE_CLOCK_UNKNOWN)
			note_key_line(decode, DMT_CLOCK_UNKNOWN);
	} else if (dmt_text_is(option->name, DMT_OPTION_OVERFLOW) &&
	    option->value.bytes != NULL &&
	    dmt_text_is(option->value, "true")) {
		note_key_line(decode, DMT_OVERFLOW);
	}
	return dmt_options_add(&key->options, &row);
}

/* Adds the parser's current line to the key. false: no memory. */
static bool
add_decoded_line(struct key_decode *decode, size_t row)
{
	const struct dmt_lines *const lines = &decode->parse.lines;
	const struct dmtrace_text text = decode->key->text;
	const char *const end =
	    lines->line.text.bytes + lines->line.text.len;
	const struct dmt_key_line line = {
		.text = { text.bytes + decode->at, lines->next - decode->at },
		.row = (uint32_t)row,
		.item = (uint8_t)decode->parse.item,
		.end = (uint8_t)(text.bytes + lines->next - end)
	};

	decode->at = lines->next;
	return dmt_key_line_append(&decode->key->lines, &line);
}

/* Adds the parser's current item to the key. false: no memory. */
static bool
decode_item(struct key_decode *decode)
{
	static const struct dmt_key_line no_number =
	    { { "", 0 }, DMT_KEY_NO_ROW, DMT_ITEM_NUMBER, 0 };
	struct dmtrace_key *const key = decode->key;
	const struct dmt_parse *const parse = &decode->parse;
	const struct dmtrace_thread *const thread = &parse->thread;
	const size_t ids = key->methods.by_id.count;
	size_t row = DMT_KEY_NO_ROW;
	bool added = true;

	switch (parse->item) {
	case DMT_ITEM_NUMBER:
		if (parse->is_row)
			key->version = parse->number;
		key->number = key->lines.count;
		break;
	case DMT_ITEM_OPTION:
		if (!parse->is_row)
			break;
		row = key->options.count;
		added = add_option_row(decode);
		break;
	case DMT_ITEM_THREAD:
		if (!parse->is_row)
			break;
		if (dmt_threads_find(&key->threads, sizeof(thread->id),
		    thread->id) != NULL)
			note_key_line(decode, DMT_THREAD_REPEATED);
		row = key->threads.count;
		added = dmt_threads_add(&key->threads, thread);
		break;
	case DMT_ITEM_METHOD:
		if (!parse->is_row)
			break;
		row = key->methods.count;
		added = dmt_methods_add(&key->methods, &parse->method);
		if (added && key->methods.by_id.count == ids)
			note_key_line(decode, DMT_METHOD_REPEATED);
		break;
	case DMT_ITEM_BLANK:
	case DMT_ITEM_ZEROED:
	case DMT_ITEM_HEADING:
	case DMT_ITEM_STRAY:
		break;
	}
	added = added && add_decoded_line(decode, row);
	if (added && parse->item == DMT_ITEM_HEADING && parse->wants_number) {
		key->number = key->lines.count;
		added = dmt_key_line_append(&key->lines, &no_number);
	}
	if (parse->section < DMT_SECTION_END && parse->item != DMT_ITEM_BLANK)
		decode->ends[parse->section] = key->lines.count;
	return added;
}

/* Reports the findings that concern the key as a whole. */
static void
note_missing_and_end(const struct key_decode *decode)
{
	static const enum dmt_section sections[] =
	    { DMT_SECTION_THREADS, DMT_SECTION_METHODS };
	const struct dmtrace_key *const key = decode->key;
	const struct dmt_line *const line = &decode->parse.lines.line;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if ((decode->parse.seen & 1u << sections[i]) == 0)
			dmt_finding_add(line->findings,
			    DMT_KEY_SECTION_MISSING, DMTRACE_PLACE_LINE,
			    line->number, "\"%s\"",
			    dmt_section_name(sections[i]));
	if (key->threads.count == 0)
		dmt_finding_add(line->findings, DMT_THREAD_NONE,
		    DMTRACE_PLACE_LINE, line->number, NULL);
	if (key->methods.count == 0)
		dmt_finding_add(line->findings, DMT_METHOD_NONE,
		    DMTRACE_PLACE_LINE, line->number, NULL);
	if (key->clock == DMTRACE_CLOCK_MISSING)
		dmt_finding_add(line->findings, DMT_CLOCK_MISSING,
		    DMTRACE_PLACE_NONE, 0, NULL);

	if (line->text.len > strlen(END))
		note_key_line(decode, DMT_KEY_END_EXTRA);
	if (key->text.bytes[key->text.len - 1] != '\n')
		note_key_line(decode, DMT_KEY_END_NO_LF);
}

/* Makes room for lines that will be added; a missing section goes before the
 * last line, "*end". false: no memory. */
static bool
prepare_additions(struct key_decode *decode)
{
	struct dmtrace_key *const key = decode->key;
	const struct dmt_encoder encoder =
	    { &key->arena, key->line_end, &key->error };

	for (unsigned i = 0; i < DMT_TABLES; i++) {
		struct dmt_addition *const added = &key->added[i];
		struct dmt_key_line heading =
		    { .row = DMT_KEY_NO_ROW, .item = DMT_ITEM_HEADING,
		    .end = (uint8_t)strlen(key->line_end) };

		added->at = decode->ends[i];
		added->missing = added->at == 0;
		if (!added->missing)
			continue;
		added->at = key->lines.count - (key->lines.count > 0);
		if (dmt_line_encode(&heading.text, dmt_text_of(
		    dmt_section_name((enum dmt_section)i)), &encoder) !=
		    DMTRACE_OK ||
		    !dmt_key_line_append(&added->lines, &heading))
			return false;
	}
	return true;
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
	struct key_decode decode = { .key = &decoded };
	struct dmt_lines *const lines = &decode.parse.lines;
	char *const text = dmt_arena_alloc(&decoded.arena, len);

	if (text == NULL)
		goto no_memory;
	memcpy(text, bytes, len);
	decoded.text = (struct dmtrace_text){ text, len };
	decoded.encoded_size = len;
	lines->text = decoded.text;
	lines->line.findings = findings;
	while (dmt_parse_next(&decode.parse))
		if (!decode_item(&decode))
			goto no_memory;
	decoded.line_end = lines->crlf ? "\r\n" : "\n";
	note_missing_and_end(&decode);
	if (!prepare_additions(&decode))
		goto no_memory;
	lines->next = len;
	decode.parse.item = DMT_ITEM_STRAY;
	if (decode.at < len && !add_decoded_line(&decode, DMT_KEY_NO_ROW))
		goto no_memory;
	dmt_key_fini(key);
	*key = decoded;
	return DMTRACE_OK;
no_memory:
	dmt_key_fini(&decoded);
	return dmt_error_memory(&key->error);
}

enum dmtrace_status
dmt_key_decode_bytes(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context)
{
	struct dmt_findings findings = { .report = report,
	    .context = context };
	size_t scanned = 0, size;

	dmt_key_begin_call(key);
	if (!key->fresh)
		return dmt_error_set(&key->error, DMTRACE_ERR_STATE,
		    "a key can only be decoded into a new one");
	enum dmtrace_status status =
	    dmt_key_find_end(key, bytes, len, true, &scanned, &size);
	if (status == DMTRACE_OK)
		status = dmt_key_decode(key, bytes, size, &findings);
	if (status == DMTRACE_OK)
		*used = size;
	return status;
}
