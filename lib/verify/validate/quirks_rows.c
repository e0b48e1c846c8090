/* quirks_rows.c - lines of threads and methods, as each reader reads them */

/*
 * Four parsers read the same lines. dmtracedump cuts at TABs and calls
 * strtoul(); the Java readers (Traceview and both perflibs) split and call
 * decode(), which throws; Firefox splits and converts by Number(), which
 * never fails; Perfetto splits, drops what is empty, and calls strtoul().
 * A function compare_READER_... decodes a line as that reader does, and
 * compares the result with the row that dmtrace reads. If they differ, the
 * quirk of the line that explains the difference is set for that reader. A
 * difference that matters only if the method has an event is kept as a use.
 */

#include "verify/validate/quirks_key.h"

#include "base/array.h"
#include "key/number.h"
#include "private/text.h"

enum { COLUMNS = 6 };

struct columns {
	struct dmtrace_text at[COLUMNS];	/* the first COLUMNS of them */
	size_t count;
	size_t java;			/* count without empty columns at the
					   end, as in Java */
};

static struct columns
split_columns(struct dmtrace_text line)
{
	struct columns columns = { .count = 0 };

	for (; line.bytes != NULL; columns.count++) {
		const struct dmtrace_text cut = dmt_text_cut(&line, '\t');

		if (columns.count < COLUMNS)
			columns.at[columns.count] = cut;
		if (cut.len > 0)
			columns.java = columns.count + 1;
	}
	if (columns.count == 1)
		columns.java = 1;	/* even "" has one column in Java */
	return columns;
}

/* Splits a line into the columns that are not empty. */
static struct columns
split_tokens(struct dmtrace_text line, bool trims)
{
	struct columns tokens = { .count = 0 };

	if (trims)
		line = dmt_text_trim_java(line);
	while (line.bytes != NULL) {
		const struct dmtrace_text cut = dmt_text_cut(&line, '\t');

		if (cut.len == 0)
			continue;
		if (tokens.count < COLUMNS)
			tokens.at[tokens.count] = cut;
		tokens.count++;
	}
	return tokens;
}

static bool
has_blanks_around(struct dmtrace_text text)
{
	return dmt_text_trim(text).len != text.len;
}

static bool
is_zero_first(struct dmtrace_text text)
{
	text = dmt_text_trim(text);
	return text.len > 1 && text.bytes[0] == '0' &&
	    (text.bytes[1] | 0x20) != 'x';
}

/* Returns true if the text is digits, of any number, and a minus before them or
 * not. */
static bool
is_integer(struct dmtrace_text text)
{
	size_t at = text.len > 0 && text.bytes[0] == '-';

	if (at == text.len)
		return false;
	while (at < text.len && text.bytes[at] >= '0' &&
	    text.bytes[at] <= '9')
		at++;
	return at == text.len;
}

/* Returns the quirk that explains why readers differ on a thread's line. */
static unsigned
explain_thread(struct dmtrace_text line, bool is_row)
{
	struct dmtrace_text id = line;

	if (!dmt_text_holds(line, '\t'))
		return DMT_THREAD_BLANKS;
	id = dmt_text_cut(&line, '\t');
	if (!is_row)
		return DMT_THREAD_ID_BAD;
	if (dmt_text_begins(dmt_text_trim(id), "0x") ||
	    dmt_text_begins(dmt_text_trim(id), "0X"))
		return DMT_THREAD_ID_HEX;
	if (has_blanks_around(id))
		return DMT_THREAD_ID_BLANK;
	return is_zero_first(id) ? DMT_THREAD_ID_OCTAL :
	    DMT_THREAD_ID_BAD;
}

void
dmt_expect_thread(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_thread *row)
{
	struct dmtrace_text rest = line;
	const struct dmtrace_text id = dmt_text_cut(&rest, '\t');

	expected->kind = DMT_NO_ROW;
	if (row != NULL) {
		expected->kind = DMT_A_THREAD;
		expected->thread = *row;
	} else if (rest.bytes != NULL && is_integer(id)) {
		expected->kind = DMT_A_NUMBER;
		expected->thread.name = rest;
	}
	expected->misread = explain_thread(line,
	    expected->kind == DMT_A_THREAD);
}

/* Returns true if atoi(), which stops at the first byte that is not a digit,
 * returns another number. */
static bool
dmtracedump_misreads_id(struct dmtrace_text id,
    const struct dmt_expected *expected)
{
	const struct dmtrace_text digits = dmt_text_trim(id);
	uint64_t value;

	if (expected->kind == DMT_A_THREAD)
		return !dmt_number_of_c(&value, digits, 10) ||
		    value != expected->thread.id || value > INT32_MAX;
	return !is_integer(digits) ||
	    !dmt_number_of_c(&value, digits, 10) ||
	    (int64_t)value < INT32_MIN || (int64_t)value > INT32_MAX;
}

static void
compare_firefox_thread(struct dmt_quirk_search *search, struct dmtrace_text id,
    const struct dmt_expected *expected)
{
	uint64_t value;
	bool negative;

	const bool is_number = dmt_number_of_js(&value, &negative, id);

	if (!is_number || (expected->kind == DMT_A_THREAD &&
	    (negative || value != expected->thread.id)) ||
	    expected->kind == DMT_NO_ROW)
		dmt_quirk_set(search->quirks, expected->misread,
		    DMT_BY_FIREFOX);
	if (is_number && !negative && value <= UINT32_MAX &&
	    dmt_idmap_find(&search->firefox_threads, value) == NULL &&
	    !dmt_idmap_add(&search->firefox_threads, value, 1))
		search->no_memory = true;
}

static void
add_seen_name(struct dmt_threads_seen *threads, int64_t id,
    struct dmtrace_text name, bool *no_memory)
{
	const size_t order = threads->count;

	*dmt_push(threads, no_memory) =
	    (struct dmt_thread_seen){ id, order, name };
}

void
dmt_search_thread(struct dmt_quirk_search *search, struct dmtrace_text line,
    const struct dmt_expected *expected)
{
	const struct columns tokens = split_tokens(line, false);
	struct dmt_quirks *const quirks = search->quirks;
	struct dmtrace_text id = line;
	uint64_t value;

	if (dmt_text_trim(line).len == 0) {
		dmt_quirk_set(quirks, line.len == 0 ? DMT_THREAD_EMPTY :
		    DMT_THREAD_BLANK, DMT_BY_ALL);
		return;
	}
	if (!dmt_text_holds(line, '\t')) {
		dmt_quirk_set(quirks, DMT_THREAD_BLANKS,
		    DMT_BY_DUMP | DMT_BY_FIREFOX | DMT_BY_PERFETTO);
		return;
	}
	id = dmt_text_cut(&line, '\t');
	if (expected->misread == DMT_THREAD_ID_HEX)
		dmt_quirk_set(quirks, DMT_THREAD_ID_HEX, DMT_BY_ALL);
	if (dmtracedump_misreads_id(id, expected))
		dmt_quirk_set(quirks, expected->misread, DMT_BY_DUMP);
	compare_firefox_thread(search, id, expected);
	if (expected->kind == DMT_A_THREAD)
		add_seen_name(&search->rows, expected->thread.id,
		    expected->thread.name, &search->no_memory);
	if (tokens.count != 2)
		dmt_quirk_set(quirks, DMT_THREAD_COLUMNS, DMT_BY_PERFETTO);
	else if (!dmt_number_of_c(&value, tokens.at[0], 10))
		dmt_quirk_set(quirks, expected->misread, DMT_BY_PERFETTO);
}

/* Finds the first digits before a TAB, anywhere in the line, and the text after
 * the TAB. */
static bool
find_id_and_name(struct dmtrace_text *id, struct dmtrace_text *name,
    struct dmtrace_text line)
{
	for (size_t tab = 1; tab < line.len; tab++) {
		size_t from = tab;

		if (line.bytes[tab] != '\t')
			continue;
		while (from > 0 && line.bytes[from - 1] >= '0' &&
		    line.bytes[from - 1] <= '9')
			from--;
		if (from == tab)
			continue;
		*id = (struct dmtrace_text){ line.bytes + from, tab - from };
		*name = (struct dmtrace_text){ line.bytes + tab + 1,
		    line.len - tab - 1 };
		return true;
	}
	return false;
}

/* Returns true if the row of a Java reader, or that it has none, is what is
 * expected. */
static bool
is_expected_thread(const struct dmt_expected *expected, bool has_row,
    int64_t id, struct dmtrace_text written)
{
	if (expected->kind == DMT_A_THREAD)
		return has_row && id == (int64_t)expected->thread.id;
	if (expected->kind == DMT_A_NUMBER)
		return has_row && dmt_text_begins(written, "-") == (id < 0);
	return expected->kind == DMT_NO_ROW && !has_row;
}

static void
compare_traceview_thread(struct dmt_quirk_search *search,
    struct dmtrace_text piece,
    const struct dmt_expected *expected, unsigned misread)
{
	struct dmtrace_text digits = { NULL, 0 }, name, rest = piece;
	const struct dmtrace_text written = dmt_text_cut(&rest, '\t');
	const bool has_row = find_id_and_name(&digits, &name, piece);
	int64_t id = 0;

	if (has_row && (!dmt_number_of_java(&id, digits) || id > INT32_MAX))
		dmt_quirk_set(search->quirks, DMT_THREAD_ID_JAVA,
		    DMT_BY_VIEW);
	else if (!is_expected_thread(expected, has_row, id, written) ||
	    (has_row && !dmt_text_equal(name, expected->thread.name)))
		dmt_quirk_set(search->quirks, misread, DMT_BY_VIEW);
}

static void
compare_perflib_thread(struct dmt_quirk_search *search,
    struct dmtrace_text piece,
    const struct dmt_expected *expected, unsigned misread)
{
	struct dmtrace_text rest = piece;
	const struct dmtrace_text written = dmt_text_cut(&rest, '\t');
	int64_t id = 0;
	const bool has_row = rest.bytes != NULL &&
	    dmt_number_of_java(&id, written) && id >= INT32_MIN &&
	    id <= INT32_MAX;

	if (!is_expected_thread(expected, has_row, id, written)) {
		dmt_quirk_set(search->quirks, misread, DMT_BY_PERFLIB);
	} else if (has_row) {
		const struct dmtrace_text name = dmt_text_trim_java(rest);

		if (!dmt_text_equal(rest, expected->thread.name))
			dmt_quirk_set(search->quirks, misread, DMT_BY_PERFLIB);
		else if (name.len != rest.len)
			dmt_quirk_set(search->quirks,
			    DMT_THREAD_NAME_BLANK, DMT_BY_PERFLIB);
		add_seen_name(&search->threads, id, rest,
		    &search->no_memory);
	}
}

void
dmt_note_use(struct dmt_quirk_search *search, uint64_t method, uint32_t uses)
{
	const uint64_t id = method & ~UINT64_C(3);
	uint32_t *const known = dmt_idmap_find(&search->uses, id);

	if (uses == 0)
		return;
	if (known != NULL)
		*known |= uses;
	else if (!dmt_idmap_add(&search->uses, id, uses))
		search->no_memory = true;
}

/* Returns the quirk that explains why readers differ on the id of a method. */
static unsigned
explain_id(struct dmtrace_text id, bool is_row)
{
	const struct dmtrace_text bare = dmt_text_trim(id);
	bool letters = false;

	if (dmt_text_is(bare, "(nil)"))
		return DMT_METHOD_ID_NIL;
	if (!is_row)
		return DMT_METHOD_ID_BAD;
	if (bare.len != id.len)
		return DMT_METHOD_ID_BLANK;
	for (size_t i = 0; i < bare.len; i++)
		letters |= (bare.bytes[i] | 0x20) >= 'a';
	if (dmt_text_begins(bare, "0x") || dmt_text_begins(bare, "0X"))
		return DMT_METHOD_ID_BAD;
	return letters ? DMT_METHOD_ID_HEX :
	    is_zero_first(bare) ? DMT_METHOD_ID_OCTAL : DMT_METHOD_ID_DECIMAL;
}

void
dmt_expect_method(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_method *row)
{
	const bool has_columns = dmt_text_holds(line, '\t');

	expected->kind = DMT_NO_ROW;
	if (row != NULL) {
		expected->kind = DMT_A_METHOD;
		expected->method = *row;
	}
	if (!has_columns && (line.len == 0 ||
	    dmt_text_holds(dmt_text_trim(line), ' ')))
		expected->misread = DMT_METHOD_BLANKS;
	else
		expected->misread = explain_id(has_columns ?
		    dmt_text_cut(&line, '\t') : line, row != NULL);
}

/* Returns true if a reader has the names of the row. A reader that finds only
 * one name takes it for the class, even if it is the method's. */
static bool
has_names(const struct dmtrace_method *row, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature)
{
	if (row->class_name.len + row->signature.len + name.len +
	    signature.len == 0)
		return dmt_text_equal(class_name, row->name);
	return dmt_text_equal(class_name, row->class_name) &&
	    dmt_text_equal(name, row->name) &&
	    dmt_text_equal(signature, row->signature);
}

/* Returns the uses for what dmtracedump shows wrong if the method has an
 * event. */
static uint32_t
dmtracedump_uses(const struct columns *columns)
{
	if (columns->count == 2)
		return DMT_USE_COLUMNS_2;
	if (columns->count == 3)
		return DMT_USE_COLUMNS_3;
	if (columns->at[1].len == 0 || columns->at[2].len == 0)
		return DMT_USE_NAME_EMPTY;
	if (columns->count == 4 && columns->at[3].len == 0)
		return DMT_USE_SIGNATURE_LAST;
	if (columns->count == 5)
		return DMT_USE_COLUMNS_5;
	if (columns->count >= COLUMNS && (columns->at[3].len == 0 ||
	    columns->at[4].len == 0))
		return DMT_USE_COLUMN_EMPTY;
	return 0;
}

static void
compare_dmtracedump_method(struct dmt_quirk_search *search,
    struct dmtrace_text line,
    const struct columns *columns, const struct dmt_expected *expected)
{
	const struct dmtrace_method *const row = &expected->method;
	uint64_t id;

	if (!dmt_number_of_c(&id, columns->at[0], 0)) {
		dmt_quirk_set(search->quirks, expected->misread, DMT_BY_DUMP);
		return;
	}
	if (expected->kind != DMT_A_METHOD)
		return;
	if (expected->misread == DMT_METHOD_ID_OCTAL)
		dmt_quirk_set(search->quirks, DMT_METHOD_ID_OCTAL, DMT_BY_DUMP);
	dmt_note_use(search, row->id, dmtracedump_uses(columns));
	if (columns->count == 4 && row->file.len > 0)
		dmt_note_use(search, row->id, DMT_USE_FILE_LINE);
	dmt_text_cut(&line, '\t');
	/* It lists 3 of 6 columns, and all if there are fewer. */
	if (columns->count >= COLUMNS && dmtracedump_uses(columns) == 0)
		line.len = (size_t)(columns->at[3].bytes +
		    columns->at[3].len - line.bytes);
	*dmt_push(&search->methods, &search->no_memory) =
	    (struct dmt_method_seen){ id, line };
}

/* Returns the part of a class's name that Firefox counts, to find the most
 * frequent one. */
static struct dmtrace_text
firefox_class_part(struct dmtrace_text name)
{
	if (dmt_text_begins(name, "org.") || dmt_text_begins(name, "com.")) {
		name.bytes += 4;
		name.len -= 4;
	}
	return dmt_text_cut(&name, '.');
}

static void
add_seen_class(struct dmt_quirk_search *search, struct dmtrace_text name)
{
	static const char *const known[] = { "android", "java", "sun",
	    "kotlin", "androidx", "kotlinx" };
	const struct dmtrace_text part = firefox_class_part(name);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (dmt_text_is(part, known[i]))
			return;
	add_seen_name(&search->classes, 0, part, &search->no_memory);
}

static void
compare_firefox_method(struct dmt_quirk_search *search,
    const struct columns *columns, const struct dmt_expected *expected)
{
	const struct dmtrace_method *const row = &expected->method;
	uint64_t id;
	bool negative;

	add_seen_class(search, columns->at[1]);
	if (!dmt_number_of_js(&id, &negative, columns->at[0]) || negative ||
	    expected->kind != DMT_A_METHOD || id != row->id)
		dmt_quirk_set(search->quirks, expected->misread,
		    DMT_BY_FIREFOX);
	else if (columns->count == 4 && columns->at[3].len == 0)
		dmt_quirk_set(search->quirks, DMT_METHOD_SIGNATURE_LAST,
		    DMT_BY_FIREFOX);
	else if (columns->count == 4 && row->file.len > 0)
		dmt_quirk_set(search->quirks, DMT_METHOD_FILE_LINE,
		    DMT_BY_FIREFOX);
}

static void
compare_perfetto_method(struct dmt_quirk_search *search,
    struct dmtrace_text line,
    const struct dmt_expected *expected)
{
	const struct columns tokens = split_tokens(line, true);
	const struct dmtrace_text none = { "", 0 };
	const struct dmtrace_method *const row = &expected->method;
	uint64_t id;

	if (tokens.count < 2 || tokens.count == 3) {
		dmt_quirk_set(search->quirks, DMT_METHOD_COLUMNS_FEW,
		    DMT_BY_PERFETTO);
		return;
	}
	if (!dmt_number_of_c(&id, tokens.at[0], 16)) {
		dmt_quirk_set(search->quirks, expected->misread,
		    DMT_BY_PERFETTO);
		return;
	}
	if (expected->kind != DMT_A_METHOD)
		return;
	if (row->id > UINT32_MAX)
		dmt_note_use(search, row->id & UINT32_MAX, DMT_USE_ID_WIDE);
	else if ((id & UINT32_MAX) != row->id &&
	    expected->misread != DMT_METHOD_ID_OCTAL)
		dmt_note_use(search, row->id, DMT_USE_ID_DECIMAL);
	const bool named = tokens.count == COLUMNS ||
	    (tokens.count > 3 && dmt_text_begins(tokens.at[3], "("));
	if (!has_names(row, tokens.at[1], named ? tokens.at[2] : none,
	    named ? tokens.at[3] : none))
		dmt_note_use(search, row->id, DMT_USE_NAMES_OTHER);
}

void
dmt_search_method(struct dmt_quirk_search *search, struct dmtrace_text line,
    const struct dmt_expected *expected)
{
	const struct columns columns = split_columns(line);
	struct dmt_quirks *const quirks = search->quirks;
	uint64_t id;

	quirks->has[DMT_METHOD_NO_LINE] = 0;
	if (line.len == 0) {
		dmt_quirk_set(quirks, DMT_METHOD_EMPTY, DMT_BY_ALL);
		return;
	}
	if (dmt_text_trim(line).len == 0 && columns.count == 1) {
		dmt_quirk_set(quirks, DMT_METHOD_BLANK, DMT_BY_ALL);
		return;
	}
	if (dmt_text_trim(line).len == 0) {
		add_seen_class(search, columns.at[1]);
		dmt_quirk_set(quirks, DMT_METHOD_TABS,
		    DMT_BY_FIREFOX | DMT_BY_PERFETTO |
		    (dmt_number_of_c(&id, columns.at[0], 0) ? 0 :
		    DMT_BY_DUMP));
		return;
	}
	if (columns.count == 1) {
		dmt_quirk_set(quirks,
		    expected->misread == DMT_METHOD_BLANKS ?
		    DMT_METHOD_BLANKS : DMT_METHOD_COLUMNS_1,
		    DMT_BY_DUMP | DMT_BY_FIREFOX | DMT_BY_PERFETTO);
		return;
	}
	if (expected->kind == DMT_A_METHOD && (expected->method.id & 3) != 0)
		dmt_note_use(search, expected->method.id, DMT_USE_LOW_BITS);
	compare_dmtracedump_method(search, line, &columns, expected);
	compare_firefox_method(search, &columns, expected);
	compare_perfetto_method(search, line, expected);
}

/* What a Java reader makes of a method's line. */
enum java_row { JAVA_NOTHING, JAVA_ROW, JAVA_FAILS };

/* Decodes the columns after the id. *why is set to the quirk if they fail. */
static enum java_row
decode_java_columns(struct dmtrace_method *method, unsigned *why,
    const struct columns *columns)
{
	const bool signed_4 = columns->java > 3 &&
	    dmt_text_begins(columns->at[3], "(");
	int64_t line;

	*method = (struct dmtrace_method){ .id = 0 };
	method->class_name = columns->at[1];
	if (columns->java == 2)
		return JAVA_ROW;
	if (columns->java < 2 || columns->java == 3) {
		*why = columns->java < 2 ? DMT_METHOD_COLUMNS_1 :
		    columns->count == 4 ? DMT_METHOD_SIGNATURE_LAST :
		    DMT_METHOD_COLUMNS_3;
		return JAVA_FAILS;
	}
	if (columns->java == COLUMNS || signed_4) {
		method->name = columns->at[2];
		method->signature = columns->at[3];
	}
	if (columns->java != COLUMNS && signed_4)
		return JAVA_ROW;
	*why = columns->java == COLUMNS ? DMT_METHOD_LINE_BAD :
	    columns->at[3].len == 0 ? DMT_METHOD_SIGNATURE_EMPTY :
	    DMT_METHOD_SIGNATURE_FORM;
	return dmt_number_of_java(&line,
	    columns->at[columns->java == COLUMNS ? 5 : 3]) &&
	    line >= INT32_MIN && line <= INT32_MAX ? JAVA_ROW : JAVA_FAILS;
}

static void
compare_java_method(struct dmt_quirk_search *search, struct dmtrace_text piece,
    const struct dmt_expected *expected, unsigned misread, unsigned fails)
{
	const struct columns columns = split_columns(piece);
	const bool blank = dmt_text_trim(piece).len == 0;
	struct dmt_quirks *const quirks = search->quirks;
	struct dmtrace_method method;
	unsigned why = 0;
	int64_t id;

	if (columns.java == 0) {
		dmt_quirk_set(quirks, DMT_METHOD_TABS, DMT_BY_JAVA);
		return;
	}
	if (!dmt_number_of_java(&id, columns.at[0])) {
		/* an empty line has its own quirk */
		if (piece.len > 0 || expected->kind == DMT_A_METHOD)
			dmt_quirk_set(quirks, fails != 0 ? fails : blank ?
			    DMT_METHOD_TABS : misread, DMT_BY_VIEW);
		if (expected->kind != DMT_NO_ROW)
			dmt_quirk_set(quirks, misread, DMT_BY_PERFLIB);
		return;
	}
	if (decode_java_columns(&method, &why, &columns) == JAVA_FAILS)
		dmt_quirk_set(quirks, fails != 0 ? fails : why, DMT_BY_JAVA);
	else if (expected->kind != DMT_A_METHOD ||
	    (uint64_t)id != expected->method.id ||
	    expected->misread == DMT_METHOD_ID_OCTAL)
		dmt_quirk_set(quirks, misread, DMT_BY_JAVA);
	else if (!has_names(&expected->method, method.class_name,
	    method.name, method.signature))
		dmt_quirk_set(quirks, misread == DMT_KEY_CR ? misread :
		    DMT_METHOD_FILE_LINE, DMT_BY_JAVA);
}

void
dmt_search_java(struct dmt_quirk_search *search, enum dmt_java_mode mode,
    struct dmtrace_text piece, const struct dmt_expected *expected)
{
	const enum dmt_java_mode due = expected->kind == DMT_A_METHOD ?
	    DMT_JAVA_METHODS : DMT_JAVA_THREADS;
	const bool elsewhere = expected->kind != DMT_NO_ROW && due != mode;
	const struct dmt_expected none = { .kind = DMT_NO_ROW };
	const bool stray = expected->misread == DMT_KEY_LINE_ELSEWHERE ||
	    expected->misread == DMT_KEY_CR;
	const unsigned misread =
	    elsewhere ? DMT_KEY_LINE_ELSEWHERE : expected->misread;
	const struct dmt_expected *const wanted =
	    elsewhere ? &none : expected;
	int64_t number;

	if (elsewhere)
		dmt_quirk_set(search->quirks, DMT_KEY_LINE_ELSEWHERE,
		    DMT_BY_JAVA);
	switch (mode) {
	case DMT_JAVA_VERSION:
		if (!dmt_number_of_java(&number, piece) ||
		    number < INT32_MIN || number > INT32_MAX)
			dmt_quirk_set(search->quirks, DMT_KEY_VERSION_MALFORMED,
			    DMT_BY_JAVA);
		break;
	case DMT_JAVA_OPTIONS:
		break;
	case DMT_JAVA_THREADS:
		compare_traceview_thread(search, piece, wanted, misread);
		compare_perflib_thread(search, piece, wanted, misread);
		break;
	case DMT_JAVA_METHODS:
		compare_java_method(search, piece, wanted, misread,
		    elsewhere || stray ? DMT_KEY_LINE_REFUSED : 0);
		break;
	}
}
