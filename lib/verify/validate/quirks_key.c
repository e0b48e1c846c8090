/* quirks_key.c - what readers misread in the text of a key */

/*
 * The search is one walk over the items of the parser (lib/key/parse.c). It
 * keeps two positions: the section in which dmtrace has the line, and the mode
 * of the Java readers, which stay in the old section after an unknown heading,
 * and for which a CR also ends a line. Single rows are judged by quirks_rows.c.
 * What depends on all rows is judged at the end: names that two threads have,
 * and the class that Firefox finds most often.
 */

#include "verify/validate/quirks_key.h"

#include <stdlib.h>

#include "format/names.h"
#include "key/number.h"
#include "key/parse.h"
#include "private/text.h"

enum { NAME_COLUMNS = 4 };	/* id, class, name, signature */

struct walk {
	struct dmt_quirk_search *search;
	struct dmt_parse parse;
	enum dmt_java_mode java;
	bool known_to_dump;		/* dmtracedump knows the last heading */
	bool all_known_to_dump;		/* it knows all headings */
	bool cr;			/* the line ends in CR */
};

static void
search_number(struct dmt_quirks *quirks, struct dmtrace_text line)
{
	uint64_t number;

	if (line.len != 1 || line.bytes[0] < '1' || line.bytes[0] > '3')
		dmt_quirk_set(quirks, DMT_KEY_VERSION_MALFORMED,
		    DMT_BY_FIREFOX);
	if (line.len == 0 || !dmt_number_of_c(&number, line, 10) ||
	    number < 1 || number > 3)
		dmt_quirk_set(quirks, DMT_KEY_VERSION_MALFORMED,
		    DMT_BY_PERFETTO);
}

/* Searches a clock line for a clock that some readers do not know. Of several
 * clocks the first counts in dmtrace, and the last in other readers. */
static void
search_clock(struct dmt_quirk_search *search, struct dmtrace_text line)
{
	const struct dmtrace_text name = dmt_text_cut(&line, '=');

	if (!dmt_text_is(name, "clock") || line.len == 0)
		return;
	search->clock = dmt_clock_find(line.bytes, line.len);
	if (search->clock == DMTRACE_CLOCK_UNKNOWN)
		dmt_quirk_set(search->quirks, DMT_CLOCK_UNKNOWN,
		    DMT_BY_STUDIO | DMT_BY_PERFETTO);
}

void
dmt_search_option(struct dmt_quirk_search *search, struct dmtrace_text line)
{
	struct dmt_quirks *const quirks = search->quirks;
	struct dmtrace_text rest = line;
	size_t parts = 0;

	if (dmt_text_trim(line).len == 0)
		dmt_quirk_set(quirks, line.len == 0 ? DMT_OPTION_EMPTY :
		    DMT_OPTION_BLANK, DMT_BY_ALL);
	else if (dmt_text_holds(line, '=')) {
		while (rest.bytes != NULL)
			parts += dmt_text_cut(&rest, '=').len > 0;
		dmt_quirk_set_if(quirks, DMT_OPTION_VALUE, parts != 2);
	}
	search_clock(search, line);
	dmt_quirk_set_if(quirks, DMT_CLOCK_THREAD_CPU,
	    dmt_text_is(line, "clock=thread-cpu"));
	dmt_quirk_set_if(quirks, DMT_CLOCK_GLOBAL,
	    dmt_text_is(line, "clock=global"));
}

/* Searches a line of the Java readers, or a piece of one. expected is what
 * dmtrace reads there. */
static void
search_piece(struct walk *walk, struct dmtrace_text piece,
    const struct dmt_expected *expected)
{
	static const char *const headings[] = { [DMT_JAVA_VERSION] =
	    "*version", [DMT_JAVA_THREADS] = "*threads",
	    [DMT_JAVA_METHODS] = "*methods" };

	for (unsigned i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		if (headings[i] != NULL && dmt_text_is(piece, headings[i])) {
			walk->java = (enum dmt_java_mode)i;
			return;
		}
	dmt_search_java(walk->search, walk->java, piece, expected);
	if (walk->java == DMT_JAVA_VERSION)
		walk->java = DMT_JAVA_OPTIONS;
}

static void
search_java_line(struct walk *walk, struct dmtrace_text line,
    struct dmt_expected *expected)
{
	struct dmtrace_text piece = dmt_text_cut(&line, '\r');

	if (line.bytes != NULL && line.len > 0)
		expected->misread = DMT_KEY_CR;
	search_piece(walk, piece, expected);
	expected->kind = DMT_NO_ROW;
	while (line.bytes != NULL && line.len > 0) {
		piece = dmt_text_cut(&line, '\r');
		search_piece(walk, piece, expected);
	}
}

/* Searches an option line. Readers that expect the version in this place read a
 * blank line as the version. */
static void
search_options(struct walk *walk, struct dmtrace_text line)
{
	if (walk->parse.item == DMT_ITEM_NUMBER ||
	    (walk->parse.item == DMT_ITEM_BLANK && walk->parse.wants_number))
		search_number(walk->search->quirks, line);
	else
		dmt_search_option(walk->search, line);
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

/* Searches a line that ends in CR LF. The Java readers count one byte for that,
 * and miss the magic; for others the CR belongs to the line. */
static void
search_cr(struct walk *walk, struct dmtrace_text line)
{
	struct dmt_quirks *const quirks = walk->search->quirks;
	const struct dmt_parse *const parse = &walk->parse;
	size_t columns = 0;

	dmt_quirk_set(quirks, DMT_KEY_CRLF, DMT_BY_JAVA);
	if (parse->item == DMT_ITEM_HEADING || parse->item == DMT_ITEM_NUMBER)
		dmt_quirk_set(quirks, DMT_KEY_CRLF,
		    DMT_BY_FIREFOX | DMT_BY_PERFETTO);
	switch (parse->section) {
	case DMT_SECTION_VERSION:
		if (line.len == 0 || dmt_text_begins(line, "clock="))
			dmt_quirk_set(quirks, DMT_KEY_CRLF, DMT_BY_PERFETTO);
		if (dmt_text_is(line, "clock=dual"))
			dmt_quirk_set(quirks, DMT_KEY_CR_KEPT, DMT_BY_FIREFOX);
		break;
	case DMT_SECTION_THREADS:
		if (line.len == 0)
			dmt_quirk_set(quirks, DMT_KEY_CRLF,
			    DMT_BY_DUMP | DMT_BY_PERFETTO);
		else if (parse->item != DMT_ITEM_HEADING)
			dmt_quirk_set(quirks, DMT_KEY_CR_KEPT, DMT_BY_ALL);
		break;
	case DMT_SECTION_METHODS:
		while (line.bytes != NULL && line.len > 0) {
			dmt_text_cut(&line, '\t');
			columns++;
		}
		if (columns > 1 && columns < 4)
			dmt_quirk_set(quirks, DMT_KEY_CR_KEPT, DMT_BY_FIREFOX);
		if (columns > 1 && columns < 6)
			dmt_quirk_set(quirks, DMT_KEY_CR_KEPT, DMT_BY_DUMP);
		break;
	default:
		break;
	}
}

/* Returns true for a line of CR alone, which is no empty line for the readers
 * that take empty lines badly. */
static bool
is_cr_alone(const struct walk *walk, struct dmtrace_text line)
{
	return walk->cr && line.len == 0 && !walk->parse.wants_number;
}

/* Searches a line, without CRs at its end. */
static void
search_line(struct walk *walk, struct dmtrace_text line)
{
	struct dmt_quirk_search *const search = walk->search;
	const struct dmt_parse *const parse = &walk->parse;
	struct dmt_expected expected = { .misread = DMT_KEY_LINE_ELSEWHERE };

	switch (parse->section) {
	case DMT_SECTION_VERSION:
		if (!is_cr_alone(walk, line))
			search_options(walk, line);
		break;
	case DMT_SECTION_THREADS:
		search->quirks->has[DMT_THREAD_NO_LINE] = 0;
		if (is_cr_alone(walk, line))
			break;
		dmt_expect_thread(&expected, line,
		    parse->is_row ? &parse->thread : NULL);
		search_bytes(search->quirks, line, SIZE_MAX);
		dmt_search_thread(search, line, &expected);
		break;
	case DMT_SECTION_METHODS:
		dmt_expect_method(&expected, line,
		    parse->is_row ? &parse->method : NULL);
		search_bytes(search->quirks, line, NAME_COLUMNS);
		dmt_search_method(search, line, &expected);
		break;
	default:
		dmt_quirk_set(search->quirks, DMT_KEY_SECTION_ROWS,
		    walk->known_to_dump ? DMT_BY_ALL & ~DMT_BY_DUMP :
		    DMT_BY_ALL);
		if (walk->known_to_dump)
			search->quirks->has[DMT_METHOD_NO_LINE] = 0;
		break;
	}
	search_java_line(walk, line, &expected);
}

/* Searches a heading. For some readers a section of threads without lines is
 * worse than no section. dmtracedump compares only the start of a heading. */
static void
search_heading(struct walk *walk, struct dmtrace_text line)
{
	struct dmt_expected none = { .misread = DMT_KEY_LINE_ELSEWHERE };

	if (walk->parse.section == DMT_SECTION_THREADS)
		dmt_quirk_set(walk->search->quirks, DMT_THREAD_NO_LINE,
		    DMT_BY_ALL);
	walk->known_to_dump = dmt_text_begins(line, "*version") ||
	    dmt_text_begins(line, "*threads") ||
	    dmt_text_begins(line, "*methods");
	walk->all_known_to_dump &= walk->known_to_dump ||
	    walk->parse.section != DMT_SECTION_UNKNOWN;
	search_java_line(walk, line, &none);
}

/* Orders threads by id, and those with the same id by line. */
static int
compare_ids(const void *a, const void *b)
{
	const struct dmt_thread_seen *const x = a, *const y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int
compare_quirk_names(const void *a, const void *b)
{
	const struct dmt_thread_seen *const x = a, *const y = b;
	const int order = dmt_text_compare(x->name, y->name);

	if (order != 0)
		return order;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Searches threads that are listed under two names. Firefox and Perfetto keep
 * the first name of an id, the others the last. */
static void
search_renamed(struct dmt_quirk_search *search)
{
	struct dmt_thread_seen *const rows = search->rows.items;

	if (search->rows.count > 0)
		qsort(rows, search->rows.count, sizeof(*rows), compare_ids);
	for (size_t i = 0, next; i < search->rows.count; i = next) {
		for (next = i + 1; next < search->rows.count &&
		    rows[next].id == rows[i].id;)
			next++;
		if (dmt_text_compare(rows[i].name, rows[next - 1].name) != 0 &&
		    !dmt_idmap_add(&search->renamed, (uint64_t)rows[i].id, 1))
			search->no_memory = true;
	}
}

/* Searches names that two threads have. perflib of 2016 appends the id to a
 * name that it has already, without the blanks around it. */
static void
search_names(struct dmt_quirk_search *search)
{
	struct dmt_thread_seen *const threads = search->threads.items;
	size_t count = 0;

	if (search->threads.count == 0)
		return;
	qsort(threads, search->threads.count, sizeof(*threads), compare_ids);
	for (size_t i = 0, next; i < search->threads.count; i = next) {
		for (next = i + 1; next < search->threads.count &&
		    threads[next].id == threads[i].id;)
			next++;
		threads[count] = threads[next - 1];
		threads[count].name = dmt_text_trim_java(threads[count].name);
		count++;
	}
	qsort(threads, count, sizeof(*threads), compare_quirk_names);
	for (size_t i = 1; i < count; i++)
		dmt_quirk_set_if(search->quirks, DMT_THREAD_NAME_SHARED,
		    dmt_text_compare(threads[i - 1].name, threads[i].name) ==
		    0);
}

/* Searches the classes. Firefox names a category after the part of class names
 * that is most frequent, the first of several, and fails if it is empty. */
static void
search_classes(struct dmt_quirk_search *search)
{
	struct dmt_thread_seen *const classes = search->classes.items;
	size_t best = 0, best_order = SIZE_MAX, best_len = 1;

	if (search->classes.count > 0)
		qsort(classes, search->classes.count, sizeof(*classes),
		    compare_quirk_names);
	for (size_t i = 0, next; i < search->classes.count; i = next) {
		for (next = i + 1; next < search->classes.count &&
		    dmt_text_compare(classes[i].name, classes[next].name) ==
		    0;)
			next++;
		if (next - i < best || (next - i == best &&
		    classes[i].order > best_order))
			continue;
		best = next - i;
		best_order = classes[i].order;
		best_len = classes[i].name.len;
	}
	if (best_len == 0)
		dmt_quirk_set(search->quirks, DMT_METHOD_CLASS_EMPTY,
		    DMT_BY_FIREFOX);
}

struct sorted_method {
	uint64_t id;
	size_t order;
	struct dmtrace_text line;
};

static int
compare_methods(const void *a, const void *b)
{
	const struct sorted_method *const x = a, *const y = b;

	if (x->id != y->id)
		return (int64_t)x->id < (int64_t)y->id ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Returns the index of the row that dmtracedump's binary search finds for the
 * id, which depends on the order of equal ids; count: none. dmtracedump has two
 * rows of its own, -2 and -1, before the methods. */
static size_t
find_like_dmtracedump(const struct sorted_method *rows, size_t count,
    uint64_t id)
{
	size_t low = 0, high = count + 2;

	while (low < high) {
		const size_t middle = (low + high - 1) / 2;
		const int64_t at = middle < 2 ? (int64_t)middle - 2 :
		    (int64_t)rows[middle - 2].id;

		if (at == (int64_t)id)
			return middle < 2 ? count : middle - 2;
		if (at < (int64_t)id)
			low = middle + 1;
		else
			high = middle;
	}
	return count;
}

/* Searches repeated ids of methods. The last row of an id counts for all
 * readers except dmtracedump. */
static void
search_repeated(struct dmt_quirk_search *search)
{
	const size_t count = search->methods.count;
	struct sorted_method *const rows = count == 0 ? NULL :
	    calloc(count, sizeof(*rows));

	if (rows == NULL) {
		search->no_memory |= count > 0;
		return;
	}
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct sorted_method){ search->methods.items[i].id,
		    i, search->methods.items[i].line };
	qsort(rows, count, sizeof(*rows), compare_methods);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && rows[next].id ==
		    rows[i].id;)
			next++;
		if (next - i == 1)
			continue;
		const size_t found =
		    find_like_dmtracedump(rows, count, rows[i].id);
		if (found < count && dmt_text_compare(rows[found].line,
		    rows[next - 1].line) != 0)
			dmt_note_use(search, rows[i].id, DMT_USE_REPEATED);
	}
	free(rows);
}

void
dmt_search_key(struct dmt_quirk_search *search, struct dmtrace_text text)
{
	struct walk walk = { .search = search, .all_known_to_dump = true };
	const struct dmt_lines *const lines = &walk.parse.lines;

	walk.parse.lines.text = text;
	dmt_quirk_set(search->quirks, DMT_METHOD_NO_LINE, DMT_BY_ALL);
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
		if (walk.cr)
			search_cr(&walk, line);
		if (walk.parse.item == DMT_ITEM_HEADING)
			search_heading(&walk, line);
		else
			search_line(&walk, line);
	}
	if (walk.all_known_to_dump)
		search->quirks->has[DMT_KEY_SECTION_UNKNOWN] &=
		    DMT_BY_ALL & ~DMT_BY_DUMP;
	search_renamed(search);
	search_names(search);
	search_classes(search);
	search_repeated(search);
}
