/* key_mend.c - writes a damaged key in the correct form */

/*
 * The items of the parser (parse.c) are written again, each to the output of
 * its section, and the sections are concatenated at the end. A line without a
 * finding that has a cure is copied; any other line is written anew from its
 * row. The changes that are reported are the findings themselves: their rows
 * in lib/format/finding.c have the message of the cure.
 */

#include "key/key_mend.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/idmap.h"
#include "key/number.h"
#include "key/parse.h"
#include "private/names.h"

#define CELL 32			/* enough for an id and its separators */
#define REPLACEMENT "\xef\xbf\xbd"
#define END "*end"

struct mend {
	struct dmt_parse parse;
	struct dmt_changes *changes;
	struct dmtrace_text number;	/* the version in plain form; empty:
					   none */
	struct dmt_output out[DMT_SECTION_END];	/* a memory output per
						   section */
	struct dmt_idmap threads;	/* ids of the threads written so far */
	struct dmt_idmap methods;
	bool no_memory;
};

/* Returns how often the finding is in the line. Blank lines before the first
 * line count as a part of it. */
static uint64_t
count_found(const struct mend *mend, enum dmt_finding which)
{
	uint64_t count = 0;

	for (size_t i = 0; i < mend->parse.found.count; i++)
		count += mend->parse.found.items[i] == which;
	return count;
}

/* Reports a change of the line, and quotes the line. */
static void
quote_change(struct mend *mend, enum dmt_finding which)
{
	const struct dmt_line *const line = &mend->parse.lines.line;
	char shown[DMT_ESCAPED_MAX];

	dmt_change_add(mend->changes, which, 1, DMTRACE_PLACE_LINE,
	    line->number, "\"%s\"", dmt_escape(shown, sizeof(shown),
	    line->text.bytes, line->text.len));
}

/* Reports changes with the line number only. */
static void
count_line_changes(struct mend *mend, enum dmt_finding which, uint64_t count)
{
	dmt_change_add(mend->changes, which, count, DMTRACE_PLACE_LINE,
	    mend->parse.lines.line.number, NULL);
}

/* Reports the cures that can apply to any kind of line. */
static void
note_common_cures(struct mend *mend)
{
	static const enum dmt_finding lead[] =
	    { DMT_KEY_BOM, DMT_KEY_LEADING_BLANK };
	static const enum dmt_finding common[] =
	    { DMT_KEY_CRLF, DMT_KEY_BLANK_LINE };
	struct dmtrace_text text = mend->parse.lines.line.text;
	uint64_t lost = 0;

	for (size_t i = 0; i < sizeof(lead) / sizeof(lead[0]); i++)
		dmt_change_add(mend->changes, lead[i],
		    count_found(mend, lead[i]), DMTRACE_PLACE_LINE, 1, NULL);
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		count_line_changes(mend, common[i],
		    count_found(mend, common[i]));
	while (text.len >= strlen(REPLACEMENT)) {
		const bool is_one = dmt_text_begins(text, REPLACEMENT);
		const size_t len = is_one ? strlen(REPLACEMENT) : 1;

		lost += is_one;
		text = dmt_text_after(text, len);
	}
	if (lost > 0)
		quote_change(mend, DMT_KEY_DAMAGED);
	count_line_changes(mend, DMT_KEY_DAMAGED, lost > 0 ? lost - 1 : 0);
}

/* Writes the text, with "?" for each character that stands for destroyed
 * bytes, and then end. */
static void
put_mended(struct mend *mend, struct dmtrace_text text, char end)
{
	struct dmt_output *const out = &mend->out[mend->parse.section];

	while (text.len > 0) {
		size_t len = 0;

		while (len < text.len && !dmt_text_begins(
		    dmt_text_after(text, len), REPLACEMENT))
			len++;
		dmt_output_write(out, text.bytes, len);
		if (len < text.len) {
			dmt_output_write(out, "?", 1);
			len += strlen(REPLACEMENT);
		}
		text = dmt_text_after(text, len);
	}
	dmt_output_write(out, &end, 1);
}

static void
put_mended_line(struct mend *mend)
{
	put_mended(mend, mend->parse.lines.line.text, '\n');
}

/* Returns true if the line is kept; false if an earlier line has its id, or
 * there is no memory. */
static bool
add_id(struct mend *mend, struct dmt_idmap *ids, uint64_t id,
    enum dmt_finding repeated)
{
	if (dmt_idmap_find(ids, id) != NULL) {
		quote_change(mend, repeated);
		return false;
	}
	if (!dmt_idmap_add(ids, id, 1))
		mend->no_memory = true;
	return !mend->no_memory;
}

static void
mend_thread(struct mend *mend)
{
	struct dmtrace_thread thread = mend->parse.thread;
	struct dmtrace_text name = mend->parse.lines.line.text;
	bool unusual;
	char id[CELL];

	/* A line that is not a valid row may still be a number and a name. */
	if (!mend->parse.is_row) {
		const struct dmtrace_text number = dmt_text_word(&name);

		thread.name = name;
		if (!dmt_number_decode(&thread.id, &unusual, number)) {
			quote_change(mend, DMT_THREAD_ID_BAD);
			return;
		}
	}
	if (!add_id(mend, &mend->threads, thread.id, DMT_THREAD_REPEATED))
		return;
	if (count_found(mend, DMT_THREAD_BLANKS) > 0 ||
	    !mend->parse.is_row) {
		quote_change(mend, DMT_THREAD_BLANKS);
	} else if (count_found(mend, DMT_THREAD_ID_FORM) > 0) {
		quote_change(mend, DMT_THREAD_ID_FORM);
	} else {
		put_mended_line(mend);
		return;
	}
	snprintf(id, sizeof(id), "%" PRIu32, thread.id);
	put_mended(mend, dmt_text_of(id), '\t');
	put_mended(mend, thread.name, '\n');
}

/* Writes the columns of a line with blanks in place of TABs: each column up to
 * the signature is a word; then come a file, which may contain blanks, and
 * perhaps a line number. */
static void
put_blank_separated(struct mend *mend, const char *id)
{
	struct dmtrace_text rest =
	    dmt_text_trim(mend->parse.lines.line.text);
	struct dmtrace_text words[4];
	size_t count = 0;
	int32_t number;

	while (count < 4 && rest.len > 0)
		words[count++] = dmt_text_word(&rest);
	rest = dmt_text_trim(rest);
	put_mended(mend, dmt_text_of(id), '\t');
	for (size_t i = 1; i < count; i++)
		put_mended(mend, words[i], i + 1 < count || rest.len > 0 ||
		    count == 3 ? '\t' : '\n');
	if (count == 3)
		put_mended(mend, dmt_text_of("()V"), '\n');
	else if (rest.len > 0) {
		struct dmtrace_text last = rest;

		while (last.len > 0 && dmt_text_holds(last, ' '))
			last = dmt_text_after(last, 1);
		if (last.len == rest.len ||
		    !dmt_line_number_decode(&number, last)) {
			put_mended(mend, rest, '\n');
			return;
		}
		rest.len -= last.len;
		put_mended(mend, dmt_text_trim(rest), '\t');
		put_mended(mend, last, '\n');
	}
}

/* Writes a method's line with its id and the columns that every reader
 * requires. */
static void
put_mended_columns(struct mend *mend, const char *id, size_t columns)
{
	struct dmtrace_text rest = mend->parse.lines.line.text;

	dmt_text_cut(&rest, '\t');
	put_mended(mend, dmt_text_of(id), '\t');
	if (columns == 1) {
		put_mended(mend, dmt_text_of("unknown"), '\t');
		put_mended(mend, dmt_text_of(id), '\t');
		put_mended(mend, dmt_text_of("()V"), '\n');
		return;
	}
	put_mended(mend, rest, columns == 3 ? '\t' : '\n');
	if (columns == 3)
		put_mended(mend, dmt_text_of("()V"), '\n');
}

static void
mend_method(struct mend *mend)
{
	const struct dmtrace_text line = mend->parse.lines.line.text;
	const uint64_t method = mend->parse.method.id & ~UINT64_C(3);
	const bool blanks = count_found(mend, DMT_METHOD_BLANKS) > 0;
	const bool unusual = count_found(mend, DMT_METHOD_ID_FORM) > 0;
	const bool low = count_found(mend, DMT_METHOD_ID_LOW_BITS) > 0;
	size_t columns = 1;
	char id[CELL];

	if (!mend->parse.is_row) {
		quote_change(mend, DMT_METHOD_ID_BAD);
		return;
	}
	if (!add_id(mend, &mend->methods, method, DMT_METHOD_REPEATED))
		return;
	for (size_t i = 0; i < line.len; i++)
		columns += line.bytes[i] == '\t';
	/* only an id, or no signature */
	const bool few = !blanks && (columns == 1 || columns == 3);
	if (blanks)
		quote_change(mend, DMT_METHOD_BLANKS);
	if (few)
		quote_change(mend, DMT_METHOD_COLUMNS);
	if (unusual)
		quote_change(mend, DMT_METHOD_ID_FORM);
	if (low)
		quote_change(mend, DMT_METHOD_ID_LOW_BITS);
	if (!blanks && !few && !unusual && !low) {
		put_mended_line(mend);
		return;
	}
	snprintf(id, sizeof(id), "0x%" PRIx64, method);
	if (blanks)
		put_blank_separated(mend, id);
	else
		put_mended_columns(mend, id, columns);
}

static void
mend_item(struct mend *mend)
{
	static const enum dmt_finding of_heading[] = {
		DMT_KEY_SECTION_UNKNOWN, DMT_KEY_SECTION_REPEATED,
		DMT_KEY_SECTION_ORDER, DMT_KEY_SECTION_BLANKS
	};
	const struct dmt_parse *const parse = &mend->parse;

	switch (parse->item) {
	case DMT_ITEM_BLANK:
		break;
	case DMT_ITEM_ZEROED:
		quote_change(mend, DMT_KEY_LINE_ZEROED);
		break;
	case DMT_ITEM_HEADING:
		for (size_t i = 0;
		    i < sizeof(of_heading) / sizeof(of_heading[0]); i++)
			if (count_found(mend, of_heading[i]) > 0)
				quote_change(mend, of_heading[i]);
		break;
	case DMT_ITEM_NUMBER:
		if (parse->is_plain)
			mend->number = parse->lines.line.text;
		else
			quote_change(mend, DMT_KEY_VERSION_BAD);
		break;
	case DMT_ITEM_OPTION:	/* a key that changes needs no padding */
		if (!parse->is_row ||
		    !dmt_text_is(parse->option.name, DMT_OPTION_PADDING))
			put_mended_line(mend);
		break;
	case DMT_ITEM_THREAD:
		mend_thread(mend);
		break;
	case DMT_ITEM_METHOD:
		mend_method(mend);
		break;
	case DMT_ITEM_STRAY:
		quote_change(mend, DMT_KEY_SECTION_UNKNOWN);
		break;
	}
}

static void
mend_missing_and_end(struct mend *mend)
{
	const struct dmt_parse *const parse = &mend->parse;
	const struct dmtrace_text text = parse->lines.text;

	if (parse->section != DMT_SECTION_END) {
		count_line_changes(mend, DMT_KEY_END_MISSING, 1);
	} else {
		if (parse->lines.line.text.len > strlen(END))
			quote_change(mend, DMT_KEY_END_EXTRA);
		count_line_changes(mend, DMT_KEY_END_NO_LF,
		    text.bytes[text.len - 1] != '\n');
	}
	if (mend->number.len == 0 &&
	    mend->changes->tallies[DMT_KEY_VERSION_BAD].count == 0)
		count_line_changes(mend, DMT_KEY_VERSION_BAD, 1);
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		if ((parse->seen & 1u << i) == 0)
			dmt_change_add(mend->changes,
			    DMT_KEY_SECTION_MISSING, 1, DMTRACE_PLACE_LINE,
			    parse->lines.line.number, "\"%s\"",
			    dmt_section_name((enum dmt_section)i));
}

/* Writes all sections in order. A missing version becomes 2, which a repair
 * corrects when it has seen the records. */
static void
write_sections(struct mend *mend, struct dmt_output *out)
{
	const struct dmtrace_text number = mend->number.len > 0 ?
	    mend->number : dmt_text_of("2");

	for (unsigned i = 0; i < DMT_SECTION_END; i++) {
		const char *const name =
		    dmt_section_name((enum dmt_section)i);

		dmt_output_write(out, name, strlen(name));
		dmt_output_write(out, "\n", 1);
		if (i == DMT_SECTION_VERSION) {
			dmt_output_write(out, number.bytes, number.len);
			dmt_output_write(out, "\n", 1);
		}
		dmt_output_write(out, mend->out[i].bytes, mend->out[i].len);
		if (mend->out[i].error.status != DMTRACE_OK)
			mend->no_memory = true;
	}
	dmt_output_write(out, END "\n", strlen(END "\n"));
}

bool
dmt_key_mend(struct dmt_output *out, struct dmtrace_text text, bool is_cut,
    struct dmt_changes *changes)
{
	struct mend mend = { .changes = changes };
	struct dmt_parse *const parse = &mend.parse;
	bool first = true;

	parse->lines.text = text;
	parse->lines.mends = true;
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		dmt_output_open_memory(&mend.out[i]);
	for (; !mend.no_memory && dmt_parse_next(parse); first = false) {
		note_common_cures(&mend);
		if (is_cut && !first && !parse->lines.blank &&
		    parse->lines.next == text.len)
			quote_change(&mend, DMT_KEY_LINE_TRUNCATED);
		else
			mend_item(&mend);
	}
	mend_missing_and_end(&mend);
	write_sections(&mend, out);
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		dmt_output_fini(&mend.out[i]);
	dmt_idmap_fini(&mend.threads);
	dmt_idmap_fini(&mend.methods);
	return !mend.no_memory && out->error.status == DMTRACE_OK;
}
