/* key_decode.c - a key's bytes to the key; the mirror of key_encode.c */

#include "key/key.h"

#include "base/error.h"
#include "base/utf8.h"
#include "format/names.h"
#include "key/edits.h"
#include "key/line_decode.h"
#include "key/number.h"
#include "key/options.h"
#include "key/text.h"

#define BOM "\xef\xbb\xbf"
#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD, for what was not UTF-8 */

/* A walk over the lines of a key. */
struct walk {
	struct dmtrace_key *key;
	struct dmt_findings *findings;
	struct dmt_line line;
	size_t at;			/* where the line begins in the text */
	size_t next;			/* and where the one behind it does */
	enum dmt_section section;
	unsigned seen;			/* a bit for each section so far */
	bool wants_number;		/* the line below "*version" */
	size_t ends[DMT_TABLES];	/* where rows can be added; 0: no */
};

static enum dmtrace_status
no_memory(struct walk *walk)
{
	return dmt_error_memory(&walk->key->error);
}

static bool
holds(struct dmtrace_text text, const char *needle)
{
	const size_t len = strlen(needle);

	for (const char *at = text.bytes; text.len >= len; at++) {
		at = memchr(at, needle[0],
		    text.len - (size_t)(at - text.bytes));
		if (at == NULL ||
		    text.len - (size_t)(at - text.bytes) < len)
			return false;
		if (memcmp(at, needle, len) == 0)
			return true;
	}
	return false;
}

static void
check_encoding(const struct dmt_line *line)
{
	if (!dmt_utf8_valid(line->text.bytes, line->text.len))
		dmt_line_note(line, DMT_KEY_NOT_UTF8);
	if (holds(line->text, REPLACEMENT))
		dmt_line_note(line, DMT_KEY_DAMAGED);
}

/* Takes the next line, without its line end. false: there is none. */
static bool
next_line(struct walk *walk)
{
	struct dmtrace_text text = { walk->key->text.bytes + walk->next,
	    walk->key->text.len - walk->next };

	if (text.len == 0)
		return false;
	const char *lf = memchr(text.bytes, '\n', text.len);
	walk->at = walk->next;
	walk->line.number++;
	if (lf != NULL)
		text.len = (size_t)(lf - text.bytes);
	walk->next += text.len + (lf != NULL);
	const bool cr = text.len > 0 && text.bytes[text.len - 1] == '\r';
	text.len -= cr;
	walk->line.text = text;
	if (cr)
		dmt_line_note(&walk->line, DMT_KEY_CRLF);
	if (walk->line.number == 1)
		walk->key->line_end = cr ? "\r\n" : "\n";
	return true;
}

/* The first line may have a byte order mark before it. */
static void
take_mark(struct walk *walk)
{
	struct dmtrace_text *text = &walk->line.text;

	if (!dmt_text_begins(*text, BOM))
		return;
	text->bytes += strlen(BOM);
	text->len -= strlen(BOM);
	dmt_line_note(&walk->line, DMT_KEY_BOM);
}

static void
check_order(struct walk *walk, enum dmt_section section)
{
	if ((walk->seen & 1u << section) != 0)
		dmt_line_note(&walk->line, DMT_KEY_SECTION_REPEATED);
	else if (walk->seen >> section != 0)
		dmt_line_note(&walk->line, DMT_KEY_SECTION_ORDER);
	walk->seen |= 1u << section;
}

static void
begin_section(struct walk *walk)
{
	const struct dmtrace_text text = walk->line.text;

	walk->section = dmt_section_find(text);
	walk->wants_number = walk->section == DMT_SECTION_VERSION &&
	    walk->seen == 0;
	if (walk->section == DMT_SECTION_UNKNOWN) {
		dmt_line_note(&walk->line, DMT_KEY_SECTION_UNKNOWN);
		return;
	}
	check_order(walk, walk->section);
	if (walk->section != DMT_SECTION_END &&
	    text.len != strlen(dmt_section_name(walk->section)))
		dmt_line_note(&walk->line, DMT_KEY_SECTION_BLANKS);
	if (walk->wants_number)
		walk->key->number_at = walk->next;
}

/* The line below "*version" is its number, unless it is an option. */
static bool
take_number(struct walk *walk)
{
	struct dmtrace_key *key = walk->key;
	uint32_t number;
	bool odd = true;

	walk->wants_number = false;
	if (dmt_text_holds(walk->line.text, '=')) {
		dmt_line_note(&walk->line, DMT_KEY_VERSION_BAD);
		return false;
	}
	if (dmt_number_decode(&number, &odd, walk->line.text))
		key->version = number;
	if (odd)
		dmt_line_note(&walk->line, DMT_KEY_VERSION_BAD);
	key->number_at = walk->at;
	key->number_len = walk->next - walk->at;
	return true;
}

static void
note_option(struct walk *walk, const struct dmtrace_option *option)
{
	const struct dmt_line *line = &walk->line;

	if (dmt_options_find(&walk->key->options, option->name) != NULL) {
		dmt_line_note(line, DMT_OPTION_REPEATED);
	} else if (dmt_text_is(option->name, "clock")) {
		walk->key->clock = option->value.bytes == NULL ?
		    DMTRACE_CLOCK_UNKNOWN :
		    dmt_clock_find(option->value.bytes, option->value.len);
		if (walk->key->clock == DMTRACE_CLOCK_UNKNOWN)
			dmt_line_note(line, DMT_CLOCK_UNKNOWN);
	} else if (dmt_text_is(option->name, "data-file-overflow") &&
	    option->value.bytes != NULL && dmt_text_is(option->value, "true")) {
		dmt_line_note(line, DMT_OVERFLOW);
	}
}

static enum dmtrace_status
take_option(struct walk *walk)
{
	struct dmt_option_row row =
	    { .at = walk->at, .len = walk->next - walk->at };

	if (!dmt_option_decode(&row.option, &walk->line))
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

	if (!dmt_thread_decode(&thread, &walk->line))
		return DMTRACE_OK;
	if (dmt_threads_find(threads, sizeof(thread.id), thread.id) != NULL)
		dmt_line_note(&walk->line, DMT_THREAD_REPEATED);
	return dmt_threads_add(threads, &thread) ? DMTRACE_OK :
	    no_memory(walk);
}

static enum dmtrace_status
take_method(struct walk *walk)
{
	struct dmt_methods *methods = &walk->key->methods;
	struct dmtrace_method method;

	if (!dmt_method_decode(&method, &walk->line))
		return DMTRACE_OK;
	if (dmt_methods_find(methods, method.id) != NULL)
		dmt_line_note(&walk->line, DMT_METHOD_REPEATED);
	return dmt_methods_add(methods, &method) ? DMTRACE_OK :
	    no_memory(walk);
}

/* A line that begins no section and is not blank. */
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
	const bool blank = dmt_text_trim(walk->line.text).len == 0;

	check_encoding(&walk->line);
	if (blank)
		dmt_line_note(&walk->line, walk->seen == 0 ?
		    DMT_KEY_LEADING_BLANK : DMT_KEY_BLANK_LINE);
	else if (walk->line.text.bytes[0] == '*')
		begin_section(walk);
	else
		status = take_row(walk);
	if (!blank && walk->section < DMT_SECTION_END)
		walk->ends[walk->section] = walk->next;
	return status;
}

static void
note_end(struct walk *walk)
{
	const struct dmtrace_text text = walk->key->text;

	if (walk->line.text.len > strlen("*end"))
		dmt_line_note(&walk->line, DMT_KEY_END_EXTRA);
	if (text.bytes[text.len - 1] != '\n')
		dmt_line_note(&walk->line, DMT_KEY_END_NO_LF);
}

static void
note_missing(struct walk *walk)
{
	static const enum dmt_section sections[] =
	    { DMT_SECTION_THREADS, DMT_SECTION_METHODS };
	const struct dmt_line *line = &walk->line;

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

/* Where rows will be added: behind the last one of the section, or for a
 * section that is missing before "*end". */
static enum dmtrace_status
open_edits(struct walk *walk)
{
	struct dmtrace_key *key = walk->key;

	if (walk->ends[DMT_SECTION_VERSION] < key->number_at + key->number_len)
		walk->ends[DMT_SECTION_VERSION] =
		    key->number_at + key->number_len;
	for (unsigned i = 0; i < DMT_TABLES; i++) {
		key->missing[i] = walk->ends[i] == 0;
		if (!dmt_edits_open(key, (enum dmt_section)i,
		    key->missing[i] ? walk->at : walk->ends[i]))
			return no_memory(walk);
	}
	return DMTRACE_OK;
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
	key->fresh = false;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_key_decode(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    struct dmt_findings *findings)
{
	struct walk walk = { .key = key, .line = { .findings = findings },
	    .section = DMT_SECTION_UNKNOWN };

	if (!key->fresh)
		return dmt_error_set(&key->error, DMTRACE_ERR_STATE,
		    "a key is decoded into a new one");
	dmt_edits_fini(&key->edits);
	key->version = 0;
	key->number_at = key->number_len = 0;
	enum dmtrace_status status = take_text(key, bytes, len);
	while (status == DMTRACE_OK && walk.section != DMT_SECTION_END &&
	    next_line(&walk)) {
		if (walk.line.number == 1)
			take_mark(&walk);
		status = take_line(&walk);
	}
	if (status != DMTRACE_OK)
		return status;
	note_missing(&walk);
	note_end(&walk);
	return open_edits(&walk);
}

enum dmtrace_status
dmtrace_key_decode(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context)
{
	struct dmt_findings findings = { .report = report,
	    .context = context };
	size_t scanned = 0;

	enum dmtrace_status status =
	    dmt_key_find_end(key, bytes, len, true, &scanned, used);
	if (status == DMTRACE_OK)
		status = dmt_key_decode(key, bytes, *used, &findings);
	return status;
}
