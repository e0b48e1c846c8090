/* quirks_key.c - what readers misread in the text of a key */

/*
 * The search is one walk over the items of the parser (lib/key/parse.c). Each
 * reader reads the line as its functions of models.c do; the result is compared
 * with what dmtrace reads there (struct expected), and if they differ, the
 * quirk that explains it is set for this reader: the reader's own reason, or
 * else what is unusual about the line. A difference may matter only if the
 * method has an event.
 *
 * The Java readers walk apart: they stay in the old section after an unknown
 * heading, and a CR also ends a line, so that they get pieces of lines, in a
 * section that may be another one than that of dmtrace.
 */

#include <stdlib.h>

#include "format/names.h"
#include "key/number.h"
#include "key/parse.h"
#include "private/text.h"
#include "verify/validate/models.h"

enum { NAME_COLUMNS = 4 };	/* id, class, name, signature */

struct walk {
	struct dmt_quirk_search *search;
	struct dmt_parse parse;
	enum dmt_section java;		/* the section for the Java readers, */
	bool java_number;		/* and that the next line is the version
					   for them */
	unsigned known;			/* readers that know the last heading */
	unsigned unknown;		/* those that did not know one */
	bool cr;			/* the line ends in CR */
};

/* What dmtrace reads in a line, which the readers should read, too. */
struct expected {
	struct dmt_reading row;		/* a row or nothing */
	bool sign_only;			/* no record has its number: only the
					   sign matters */
	unsigned misread;		/* the quirk if a reader differs, unless
					   it has its own reason */
	unsigned refused;		/* the quirk if a reader fails, even if
					   it has its own reason; 0: none */
};

static bool
is_hexadecimal(struct dmtrace_text text)
{
	text = dmt_text_trim(text);
	return dmt_text_begins(text, "0x") || dmt_text_begins(text, "0X");
}

static void
expect_thread(struct expected *expected, struct dmtrace_text line,
    const struct dmt_parse *parse)
{
	const struct dmtrace_text id = dmt_text_cut(&line, '\t');
	const bool has_tab = line.bytes != NULL;

	if (parse->is_row || (has_tab && dmt_text_is_integer(id))) {
		expected->sign_only = !parse->is_row;
		expected->row = (struct dmt_reading){
			.result = DMT_READS_ROW,
			.id = parse->thread.id,
			.negative = dmt_text_begins(id, "-"),
			.name = line
		};
	}
	expected->refused = has_tab ? 0 : DMT_THREAD_BLANKS;
	expected->misread =
	    !has_tab ? DMT_THREAD_BLANKS :
	    !parse->is_row ? DMT_THREAD_ID_BAD :
	    is_hexadecimal(id) ? DMT_THREAD_ID_HEX :
	    dmt_text_trim(id).len != id.len ? DMT_THREAD_ID_BLANK :
	    dmt_text_is_octal(id) ? DMT_THREAD_ID_OCTAL : DMT_THREAD_ID_BAD;
}

/* Returns the quirk that explains why readers differ on the id of a method. */
static unsigned
explain_id(struct dmtrace_text id, bool is_row)
{
	bool letters = false;

	for (size_t i = 0; i < id.len; i++)
		letters |= (id.bytes[i] | 0x20) >= 'a';
	return dmt_text_is(dmt_text_trim(id), "(nil)") ? DMT_METHOD_ID_NIL :
	    !is_row ? DMT_METHOD_ID_BAD :
	    dmt_text_trim(id).len != id.len ? DMT_METHOD_ID_BLANK :
	    is_hexadecimal(id) ? DMT_METHOD_ID_BAD :
	    letters ? DMT_METHOD_ID_HEX :
	    dmt_text_is_octal(id) ? DMT_METHOD_ID_OCTAL : DMT_METHOD_ID_DECIMAL;
}

static void
expect_method(struct expected *expected, struct dmtrace_text line,
    const struct dmt_parse *parse)
{
	const bool has_tab = dmt_text_holds(line, '\t');
	const struct dmtrace_text bare = dmt_text_trim(line);

	if (parse->is_row)
		expected->row = (struct dmt_reading){
			.result = DMT_READS_ROW,
			.id = parse->method.id,
			.class_name = parse->method.class_name,
			.name = parse->method.name,
			.signature = parse->method.signature
		};
	expected->misread =
	    line.len == 0 ? DMT_METHOD_EMPTY :
	    bare.len == 0 ? (has_tab ? DMT_METHOD_TABS : DMT_METHOD_BLANK) :
	    !has_tab && dmt_text_holds(bare, ' ') ? DMT_METHOD_BLANKS :
	    explain_id(dmt_text_cut(&line, '\t'), parse->is_row);
	expected->refused =
	    expected->misread == DMT_METHOD_TABS ||
	    expected->misread == DMT_METHOD_BLANKS ? expected->misread :
	    has_tab ? 0 : DMT_METHOD_COLUMNS_1;
}

/* Sets a quirk of one reader; 0: none. */
static void
set_quirk(struct dmt_quirk_search *search, unsigned reader, unsigned quirk)
{
	if (quirk != 0)
		dmt_quirk_set(search->quirks, quirk, 1u << reader);
}

/* Returns true if a reader has the names of the row. A reader that finds only
 * one name takes it for the class, even if it is the method's. */
static bool
has_names(const struct dmt_reading *reading, const struct dmt_reading *row)
{
	if (row->class_name.len + row->signature.len + reading->name.len +
	    reading->signature.len == 0)
		return dmt_text_equal(reading->class_name, row->name);
	return dmt_text_equal(reading->class_name, row->class_name) &&
	    dmt_text_equal(reading->name, row->name) &&
	    dmt_text_equal(reading->signature, row->signature);
}

/* Compares what a reader makes of the line of a thread or a method with what is
 * expected. */
static void
compare_row(struct dmt_quirk_search *search, unsigned reader, bool is_thread,
    struct dmtrace_text line, const struct expected *expected)
{
	const struct dmt_model *const model = &dmt_models[reader];
	const struct dmt_reading *const row = &expected->row;
	const bool is_row = row->result == DMT_READS_ROW;
	const unsigned misread = expected->misread;
	struct dmt_reading reading = { .why = 0 };

	(is_thread ? model->read_thread : model->read_method)(&reading, line);
	if (model->if_used && reading.result == DMT_READS_ROW && !is_row)
		return;
	if (is_thread && model->keep_thread != NULL)
		model->keep_thread(search, &reading);
	if (!is_thread && model->keep_method != NULL)
		model->keep_method(search, &reading);
	if (reading.result != DMT_READS_ROW) {
		set_quirk(search, reader,
		    reading.result == DMT_READS_NOTHING ?
		    (is_row ? misread : 0) :
		    expected->refused != 0 ? expected->refused :
		    reading.why != 0 ? reading.why : misread);
		return;
	}

	const bool other_id = !is_row || reading.negative != row->negative ||
	    (reading.id != row->id && !expected->sign_only);
	const bool other_names = !has_names(&reading, row);
	const unsigned misnamed = is_thread ? misread :
	    model->other_names != 0 ? model->other_names :
	    DMT_METHOD_FILE_LINE;
	if (is_thread || !model->if_used) {
		/* A line that a CR cuts is explained by that. */
		set_quirk(search, reader, other_id ||
		    (misread == DMT_KEY_CR && (reading.why != 0 ||
		    other_names)) ? misread :
		    reading.why != 0 ? reading.why :
		    other_names ? misnamed : 0);
		return;
	}
	set_quirk(search, reader, reading.why);
	if (reading.why_used != 0) {
		dmt_quirk_if_used(search, reading.id, reading.why_used);
		return;
	}
	/* A leading 0 leaves open whether an id is octal or hexadecimal. */
	if (other_id && reading.id == (row->id & UINT32_MAX))
		dmt_quirk_if_used(search, reading.id, DMT_METHOD_ID_WIDE);
	else if (other_id && misread != DMT_METHOD_ID_OCTAL)
		dmt_quirk_if_used(search, row->id, DMT_METHOD_ID_DECIMAL);
	if (other_names)
		dmt_quirk_if_used(search, row->id, misnamed);
}

/* Compares what the readers of one kind, in Java or not, make of a line: the
 * number after "*version", or that of a thread or method. */
static void
compare_line(struct dmt_quirk_search *search, bool java,
    enum dmt_section section, struct dmtrace_text line,
    const struct expected *expected)
{
	for (unsigned i = 0; i < DMTRACE_READERS; i++) {
		if (dmt_models[i].java != java)
			continue;
		if (section != DMT_SECTION_VERSION)
			compare_row(search, i, section == DMT_SECTION_THREADS,
			    line, expected);
		else if (dmt_models[i].takes_number != NULL &&
		    !dmt_models[i].takes_number(line))
			set_quirk(search, i, DMT_KEY_VERSION_MALFORMED);
	}
}

void
dmt_search_option(struct dmt_quirk_search *search, struct dmtrace_text line)
{
	struct dmt_quirks *const quirks = search->quirks;
	struct dmtrace_text value = line, rest = line;
	const struct dmtrace_text name = dmt_text_cut(&value, '=');
	size_t parts = 0;

	if (dmt_text_trim(line).len == 0)
		dmt_quirk_set(quirks, line.len == 0 ? DMT_OPTION_EMPTY :
		    DMT_OPTION_BLANK, DMT_BY_ALL);
	else if (value.bytes != NULL) {
		while (rest.bytes != NULL)
			parts += dmt_text_cut(&rest, '=').len > 0;
		dmt_quirk_set_if(quirks, DMT_OPTION_VALUE, parts != 2);
	}
	if (!dmt_text_is(name, DMT_OPTION_CLOCK) || value.len == 0)
		return;

	/* Of several clocks the first counts in dmtrace, and the last in other
	 * readers. */
	search->clock = dmt_clock_find(value.bytes, value.len);
	dmt_quirk_set_if(quirks, DMT_CLOCK_UNKNOWN,
	    search->clock == DMTRACE_CLOCK_UNKNOWN);
	dmt_quirk_set_if(quirks, DMT_CLOCK_THREAD_CPU,
	    search->clock == DMTRACE_CLOCK_THREAD_CPU);
	dmt_quirk_set_if(quirks, DMT_CLOCK_GLOBAL,
	    search->clock == DMTRACE_CLOCK_GLOBAL);
}

/* Searches a line of the Java readers, or a piece of one. expected is what
 * dmtrace reads there, perhaps in another section. */
static void
search_piece(struct walk *walk, struct dmtrace_text piece,
    const struct expected *expected)
{
	struct expected here = *expected;

	for (unsigned i = DMT_SECTION_VERSION; i <= DMT_SECTION_METHODS; i++)
		if (dmt_text_is(piece, dmt_section_name(i))) {
			walk->java = (enum dmt_section)i;
			walk->java_number = i == DMT_SECTION_VERSION;
			return;
		}
	if (here.row.result == DMT_READS_ROW &&
	    walk->java != walk->parse.section) {
		here.row.result = DMT_READS_NOTHING;
		here.misread = DMT_KEY_LINE_ELSEWHERE;
		dmt_quirk_set(walk->search->quirks, DMT_KEY_LINE_ELSEWHERE,
		    DMT_BY_ALL);
	}
	here.refused = walk->java == DMT_SECTION_METHODS &&
	    (here.misread == DMT_KEY_LINE_ELSEWHERE ||
	    here.misread == DMT_KEY_CR) ? DMT_KEY_LINE_REFUSED : 0;
	/* An option does not matter, and an empty line has its own quirk. */
	if (walk->java_number || (walk->java != DMT_SECTION_VERSION &&
	    (piece.len > 0 || here.row.result == DMT_READS_ROW)))
		compare_line(walk->search, true, walk->java, piece, &here);
	walk->java_number = false;
}

static void
search_java_line(struct walk *walk, struct dmtrace_text line,
    struct expected *expected)
{
	do {
		const struct dmtrace_text piece = dmt_text_cut(&line, '\r');

		if (line.bytes != NULL && line.len > 0)
			expected->misread = DMT_KEY_CR;
		search_piece(walk, piece, expected);
		expected->row.result = DMT_READS_NOTHING;
	} while (line.bytes != NULL && line.len > 0);
}

/* Searches the bytes of the first columns of a line: these names are all that
 * readers show. */
static void
search_bytes(struct dmt_quirks *quirks, struct dmtrace_text line,
    size_t columns)
{
	for (size_t i = 0, column = 1; i < line.len && column <= columns; i++) {
		column += line.bytes[i] == '\t';
		dmt_quirk_set_if(quirks, DMT_KEY_NOT_ASCII,
		    (unsigned char)line.bytes[i] >= 0x80);
		dmt_quirk_set_if(quirks, DMT_KEY_NUL, line.bytes[i] == '\0');
	}
}

/* Searches a line, without CRs at its end. A line of CR alone is no empty line
 * for the readers that take empty lines badly. */
static void
search_line(struct walk *walk, struct dmtrace_text line)
{
	struct dmt_quirk_search *const search = walk->search;
	struct dmt_quirks *const quirks = search->quirks;
	const struct dmt_parse *const parse = &walk->parse;
	const bool blank = dmt_text_trim(line).len == 0;
	const bool cr_alone = walk->cr && line.len == 0 &&
	    !parse->wants_number;
	struct expected expected = { .misread = DMT_KEY_LINE_ELSEWHERE };

	switch (parse->section) {
	case DMT_SECTION_VERSION:
		/* A blank line in place of the version is read as such. */
		if (parse->item == DMT_ITEM_NUMBER ||
		    (parse->item == DMT_ITEM_BLANK && parse->wants_number))
			compare_line(search, false, parse->section, line, NULL);
		else if (!cr_alone)
			dmt_search_option(search, line);
		break;
	case DMT_SECTION_THREADS:
		quirks->has[DMT_THREAD_NO_LINE] = 0;
		if (cr_alone)
			break;
		expect_thread(&expected, line, parse);
		search_bytes(quirks, line, SIZE_MAX);
		if (blank) {
			dmt_quirk_set(quirks, line.len == 0 ?
			    DMT_THREAD_EMPTY : DMT_THREAD_BLANK, DMT_BY_ALL);
			break;
		}
		dmt_quirk_set_if(quirks, DMT_THREAD_ID_HEX,
		    expected.misread == DMT_THREAD_ID_HEX);
		if (parse->is_row)
			dmt_name_keep(search, &search->rows, parse->thread.id,
			    parse->thread.name);
		compare_line(search, false, parse->section, line, &expected);
		break;
	case DMT_SECTION_METHODS:
		quirks->has[DMT_METHOD_NO_LINE] = 0;
		expect_method(&expected, line, parse);
		search_bytes(quirks, line, NAME_COLUMNS);
		if (blank && expected.misread != DMT_METHOD_TABS) {
			dmt_quirk_set(quirks, expected.misread, DMT_BY_ALL);
			break;
		}
		if (parse->is_row && expected.refused == 0 &&
		    (parse->method.id & 3) != 0)
			dmt_quirk_if_used(search, parse->method.id,
			    DMT_METHOD_ID_LOW_BITS);
		compare_line(search, false, parse->section, line, &expected);
		break;
	default:
		dmt_quirk_set(quirks, DMT_KEY_SECTION_ROWS,
		    DMT_BY_ALL & ~walk->known);
		quirks->has[DMT_METHOD_NO_LINE] &= (uint8_t)~walk->known;
		break;
	}
	search_java_line(walk, line, &expected);
}

/* Searches a heading. For some readers a section of threads without lines is
 * worse than no section. */
static void
search_heading(struct walk *walk, struct dmtrace_text line)
{
	struct expected none = { .misread = DMT_KEY_LINE_ELSEWHERE };

	if (walk->parse.section == DMT_SECTION_THREADS)
		dmt_quirk_set(walk->search->quirks, DMT_THREAD_NO_LINE,
		    DMT_BY_ALL);
	walk->known = 0;
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (dmt_models[i].knows_heading != NULL &&
		    dmt_models[i].knows_heading(line))
			walk->known |= 1u << i;
	if (walk->parse.section == DMT_SECTION_UNKNOWN)
		walk->unknown |= DMT_BY_ALL & ~walk->known;
	search_java_line(walk, line, &none);
}

void
dmt_search_key(struct dmt_quirk_search *search, struct dmtrace_text text)
{
	struct walk walk = {
		.search = search,
		.java = DMT_SECTION_VERSION, .java_number = true
	};
	const struct dmt_lines *const lines = &walk.parse.lines;
	struct dmt_quirks *const quirks = search->quirks;

	walk.parse.lines.text = text;
	dmt_quirk_set(quirks, DMT_METHOD_NO_LINE, DMT_BY_ALL);
	while (dmt_parse_next(&walk.parse) &&
	    walk.parse.section != DMT_SECTION_END) {
		struct dmtrace_text line = { text.bytes + lines->at,
		    lines->next - lines->at };

		walk.cr = false;
		while (line.len > 0 && (line.bytes[line.len - 1] == '\n' ||
		    line.bytes[line.len - 1] == '\r')) {
			walk.cr |= line.bytes[line.len - 1] == '\r';
			line.len--;
		}
		for (unsigned i = 0; walk.cr && i < DMTRACE_READERS; i++) {
			const struct dmt_model *const model = &dmt_models[i];

			set_quirk(search, i, model->read_crlf == NULL ?
			    DMT_KEY_CRLF : model->read_crlf(&walk.parse, line));
		}
		if (walk.parse.item == DMT_ITEM_HEADING)
			search_heading(&walk, line);
		else
			search_line(&walk, line);
	}
	quirks->has[DMT_KEY_SECTION_UNKNOWN] &= (uint8_t)walk.unknown;

	/* Of threads with two names, Firefox and Perfetto keep the first, the
	 * others the last. */
	struct dmt_name_seen *const rows = search->rows.items;
	const size_t count = search->rows.count;
	if (count > 0)
		qsort(rows, count, sizeof(*rows), dmt_compare_seen_ids);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && rows[next].id == rows[i].id;)
			next++;
		if (!dmt_text_equal(rows[i].name, rows[next - 1].name) &&
		    !dmt_idmap_add(&search->renamed, rows[i].id, 1))
			search->no_memory = true;
	}
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (dmt_models[i].end_key != NULL)
			dmt_models[i].end_key(search);
}
