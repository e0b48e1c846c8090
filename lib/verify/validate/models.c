/* models.c - the other readers: functions that read as each of them does */

/*
 * Four parsers read the same lines. dmtracedump cuts at TABs and calls
 * strtoul(); the Java readers (Traceview and both perflibs) split and call
 * decode(), which throws; Firefox splits and converts by Number(), which never
 * fails; Perfetto splits, drops what is empty, and calls strtoul(). Each has
 * its part of this file, and its row in the table at the end. The functions
 * know nothing of dmtrace or of other readers: quirks_key.c and quirks_data.c
 * compare what they return with what dmtrace reads, and name the quirk. A
 * function names it only if the line alone does not explain it.
 */

#include "verify/validate/models.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/header.h"
#include "key/number.h"

enum { COLUMNS = 6 };

struct columns {
	struct dmtrace_text at[COLUMNS];	/* the first COLUMNS of them */
	size_t count;
	size_t filled;			/* count without empty columns at the
					   end */
};

static struct columns
split_columns(struct dmtrace_text line, bool skips_empty)
{
	struct columns columns = { .count = 0 };

	while (line.bytes != NULL) {
		const struct dmtrace_text cut = dmt_text_cut(&line, '\t');

		if (cut.len == 0 && skips_empty)
			continue;
		if (columns.count < COLUMNS)
			columns.at[columns.count] = cut;
		columns.count++;
		if (cut.len > 0)
			columns.filled = columns.count;
	}
	return columns;
}

bool
dmt_text_is_integer(struct dmtrace_text text)
{
	size_t at = text.len > 0 && text.bytes[0] == '-';

	if (at == text.len)
		return false;
	while (at < text.len && text.bytes[at] >= '0' &&
	    text.bytes[at] <= '9')
		at++;
	return at == text.len;
}

bool
dmt_text_is_octal(struct dmtrace_text text)
{
	return text.len > 1 && text.bytes[0] == '0' &&
	    (text.bytes[1] | 0x20) != 'x';
}

/* Returns the number of columns that end before the CR of a line, which is not
 * a column of its own. */
static size_t
count_columns_before_cr(struct dmtrace_text line)
{
	return split_columns(line, false).count -
	    (line.len > 0 && line.bytes[line.len - 1] == '\t');
}

static bool
fits_in_int32(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

void
dmt_name_keep(struct dmt_quirk_search *search, struct dmt_names_seen *names,
    uint64_t id, struct dmtrace_text name)
{
	const size_t order = names->count;

	*dmt_push(names, &search->no_memory) =
	    (struct dmt_name_seen){ id, order, name };
}

int
dmt_compare_seen_ids(const void *a, const void *b)
{
	const struct dmt_name_seen *const x = a, *const y = b;

	if (x->id != y->id)
		return (int64_t)x->id < (int64_t)y->id ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int
compare_kept_names(const void *a, const void *b)
{
	const struct dmt_name_seen *const x = a, *const y = b;
	const int order = dmt_text_compare(x->name, y->name);

	if (order != 0)
		return order;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* dmtracedump */

/* It compares only the start of a heading. */
static bool
dump_knows_heading(struct dmtrace_text line)
{
	return dmt_text_begins(line, "*version") ||
	    dmt_text_begins(line, "*threads") ||
	    dmt_text_begins(line, "*methods");
}

/* The CR belongs to the last column. It does not show the fifth of more. */
static unsigned
dump_read_crlf(const struct dmt_parse *parse, struct dmtrace_text line)
{
	const size_t columns = count_columns_before_cr(line);

	if (parse->section == DMT_SECTION_THREADS &&
	    parse->item != DMT_ITEM_HEADING)
		return line.len == 0 ? DMT_KEY_CRLF : DMT_KEY_CR_KEPT;
	return parse->section == DMT_SECTION_METHODS && columns > 1 &&
	    columns < COLUMNS ? DMT_KEY_CR_KEPT : 0;
}

/* It needs a TAB, and calls atoi(). */
static void
dump_read_thread(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct dmtrace_text id =
	    dmt_text_trim(dmt_text_cut(&line, '\t'));

	reading->result = line.bytes != NULL && dmt_text_is_integer(id) &&
	    dmt_number_of_c(&reading->id, id, 10) &&
	    fits_in_int32((int64_t)reading->id) ?
	    DMT_READS_ROW : DMT_READS_FAILS;
	reading->negative = dmt_text_begins(id, "-");
	reading->name = line;
}

/* It needs a TAB. Of fewer than 6 columns, and if one of the last is empty, the
 * signature is all that follows the name. */
static void
dump_read_method(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct columns columns = split_columns(line, false);
	const struct dmtrace_text *const at = columns.at;
	const size_t count = columns.count;

	if (count == 1 || !dmt_number_of_c(&reading->id, at[0], 0)) {
		reading->result = DMT_READS_FAILS;
		return;
	}
	reading->result = DMT_READS_ROW;
	if (dmt_text_is_octal(at[0]))
		reading->why = DMT_METHOD_ID_OCTAL;
	reading->why_used =
	    count == 2 ? DMT_METHOD_COLUMNS_2 :
	    count == 3 ? DMT_METHOD_COLUMNS_3 :
	    at[1].len == 0 || at[2].len == 0 ? DMT_METHOD_NAME_EMPTY :
	    count == 4 && at[3].len == 0 ? DMT_METHOD_SIGNATURE_LAST :
	    count == 5 ? DMT_METHOD_COLUMNS_5 :
	    count >= COLUMNS && (at[3].len == 0 || at[4].len == 0) ?
	    DMT_METHOD_COLUMN_EMPTY : 0;
	reading->class_name = at[1];
	reading->name = at[2];
	reading->signature = at[3];
	if (count > 3 && reading->why_used != 0)
		reading->signature.len =
		    (size_t)(line.bytes + line.len - at[3].bytes);
}

/* It keeps the names as one text, from the class to the signature. */
static void
dump_keep_method(struct dmt_quirk_search *search,
    const struct dmt_reading *reading)
{
	const struct dmtrace_text last = reading->signature.bytes != NULL ?
	    reading->signature : reading->name.bytes != NULL ?
	    reading->name : reading->class_name;
	struct dmtrace_text names = reading->class_name;

	if (reading->result != DMT_READS_ROW)
		return;
	names.len = (size_t)(last.bytes + last.len - names.bytes);
	dmt_name_keep(search, &search->dump_methods, reading->id, names);
}

/* Returns the index of the row that its binary search finds for an id, which
 * depends on the order of equal ids; count: none. It has two rows of its own,
 * -2 and -1, before the methods. */
static size_t
dump_find_method(const struct dmt_name_seen *rows, size_t count, uint64_t id)
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

/* Searches repeated ids of methods, of which the last row counts for all
 * others. */
static void
dump_end_key(struct dmt_quirk_search *search)
{
	struct dmt_name_seen *const rows = search->dump_methods.items;
	const size_t count = search->dump_methods.count;

	if (count > 0)
		qsort(rows, count, sizeof(*rows), dmt_compare_seen_ids);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && rows[next].id ==
		    rows[i].id;)
			next++;
		if (next - i == 1)
			continue;
		const size_t found = dump_find_method(rows, count, rows[i].id);
		if (found < count && dmt_text_compare(rows[found].name,
		    rows[next - 1].name) != 0)
			dmt_quirk_if_used(search, rows[i].id,
			    DMT_METHOD_REPEATED);
	}
}

/* Offset and size are signed numbers: it also goes back, into the key. */
static bool
dump_find_records(struct dmt_records_place *place,
    const struct dmt_data_front *front)
{
	const int16_t size = (int16_t)front->record_size;
	const size_t least = dmt_layout_record_size(front->layout);

	place->from = (int16_t)front->offset;
	place->step = size > (int)least ? (size_t)size : least;
	place->need = place->step;
	return true;
}

/* Java readers: Traceview, and perflib of 2016 and of Studio */

static bool
java_takes_number(struct dmtrace_text line)
{
	int64_t number;

	return dmt_number_of_java(&number, line) && fits_in_int32(number);
}

static bool
java_read_id(struct dmt_reading *reading, struct dmtrace_text id)
{
	int64_t number = 0;
	const bool decodes = dmt_number_of_java(&number, id);

	reading->id = (uint64_t)number;
	reading->negative = number < 0;
	return decodes;
}

/* It finds the first digits before a TAB, anywhere in the line. */
static void
view_read_thread(struct dmt_reading *reading, struct dmtrace_text line)
{
	size_t from = 0, tab = 0;

	for (; tab < line.len; tab++) {
		from = tab;
		if (line.bytes[tab] != '\t')
			continue;
		while (from > 0 && line.bytes[from - 1] >= '0' &&
		    line.bytes[from - 1] <= '9')
			from--;
		if (from < tab)
			break;
	}
	if (tab == line.len)
		return;
	reading->result = DMT_READS_ROW;
	reading->name = dmt_text_after(line, tab + 1);
	if (!java_read_id(reading, (struct dmtrace_text){
	    line.bytes + from, tab - from }) || reading->id > INT32_MAX) {
		reading->result = DMT_READS_FAILS;
		reading->why = DMT_THREAD_ID_JAVA;
	}
}

/* They skip a line without a number, and trim the name. */
static void
perflib_read_thread(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct dmtrace_text number = dmt_text_cut(&line, '\t');

	if (line.bytes == NULL || !java_read_id(reading, number) ||
	    !fits_in_int32((int64_t)reading->id))
		return;
	reading->result = DMT_READS_ROW;
	reading->name = dmt_text_trim_java(line);
	if (reading->name.len != line.len)
		reading->why = DMT_THREAD_NAME_BLANK;
}

/* Reads the columns after the id. What they are depends on their number, for
 * which empty columns at the end do not count, and on the "(" of a signature.
 * Of those without it, the last is the number of a line. */
static void
java_read_names(struct dmt_reading *reading, const struct columns *columns)
{
	const struct dmtrace_text *const at = columns->at;
	const size_t count = columns->filled;
	const bool is_signed = count > 3 && dmt_text_begins(at[3], "(");
	int64_t line;

	reading->result = DMT_READS_ROW;
	reading->class_name = at[1];
	if (count == COLUMNS || is_signed) {
		reading->name = at[2];
		reading->signature = at[3];
	}
	if (count == 2 || (is_signed && count != COLUMNS) || (count > 3 &&
	    dmt_number_of_java(&line, at[count == COLUMNS ? 5 : 3]) &&
	    fits_in_int32(line)))
		return;
	reading->result = DMT_READS_FAILS;
	reading->why =
	    count < 2 ? DMT_METHOD_COLUMNS_1 :
	    count == 3 ? (columns->count == 4 ? DMT_METHOD_SIGNATURE_LAST :
	    DMT_METHOD_COLUMNS_3) :
	    count == COLUMNS ? DMT_METHOD_LINE_BAD :
	    at[3].len == 0 ? DMT_METHOD_SIGNATURE_EMPTY :
	    DMT_METHOD_SIGNATURE_FORM;
}

/* Reads a method. TABs alone have no column, not even one for the id. */
static void
java_read_method(struct dmt_reading *reading, struct dmtrace_text line,
    int without_id)
{
	const struct columns columns = split_columns(line, false);

	if (columns.filled == 0 && columns.count > 1) {
		reading->result = DMT_READS_FAILS;
	} else if (!java_read_id(reading, columns.at[0])) {
		reading->result = without_id;
	} else {
		java_read_names(reading, &columns);
		if (reading->result == DMT_READS_ROW &&
		    dmt_text_is_octal(columns.at[0]))
			reading->why = DMT_METHOD_ID_OCTAL;
	}
}

static void
view_read_method(struct dmt_reading *reading, struct dmtrace_text line)
{
	java_read_method(reading, line, DMT_READS_FAILS);
}

static void
perflib_read_method(struct dmt_reading *reading, struct dmtrace_text line)
{
	java_read_method(reading, line, DMT_READS_NOTHING);
}

static void
perflib2016_keep_thread(struct dmt_quirk_search *search,
    const struct dmt_reading *reading)
{
	if (reading->result == DMT_READS_ROW)
		dmt_name_keep(search, &search->perflib_threads, reading->id,
		    reading->name);
}

/* Searches names that two threads have: it appends the id to a name that it has
 * already. */
static void
perflib2016_end_key(struct dmt_quirk_search *search)
{
	struct dmt_name_seen *const threads = search->perflib_threads.items;
	size_t count = 0;

	if (search->perflib_threads.count == 0)
		return;
	qsort(threads, search->perflib_threads.count, sizeof(*threads),
	    dmt_compare_seen_ids);
	for (size_t i = 0; i < search->perflib_threads.count; i++)
		if (i + 1 == search->perflib_threads.count ||
		    threads[i].id != threads[i + 1].id)
			threads[count++] = threads[i];
	qsort(threads, count, sizeof(*threads), compare_kept_names);
	for (size_t i = 1; i < count; i++)
		dmt_quirk_set_if(search->quirks, DMT_THREAD_NAME_SHARED,
		    dmt_text_equal(threads[i - 1].name, threads[i].name));
}

/* Offset and size are signed numbers, and the fields of the header that they
 * have read are skipped in any case. */
static bool
java_find_records(struct dmt_records_place *place,
    const struct dmt_data_front *front)
{
	const int16_t offset = (int16_t)front->offset;
	const int16_t size = (int16_t)front->record_size;
	const int16_t least = front->version >= DMT_VERSION_SIZED ?
	    DMT_HEADER_SIZED_MIN : DMT_HEADER_MIN;

	place->from = offset > least ? offset : least;
	place->step = size > (int)front->fields ? (size_t)size :
	    front->fields;
	place->need = place->step;
	return true;
}

/* Firefox */

static bool
firefox_takes_number(struct dmtrace_text line)
{
	return line.len == 1 && line.bytes[0] >= '1' && line.bytes[0] <= '3';
}

/* It looks for lines without a CR. Of a method it shows columns 2 to 4. */
static unsigned
firefox_read_crlf(const struct dmt_parse *parse, struct dmtrace_text line)
{
	const size_t columns = count_columns_before_cr(line);

	if (parse->item == DMT_ITEM_HEADING || parse->item == DMT_ITEM_NUMBER)
		return DMT_KEY_CRLF;
	return (parse->section == DMT_SECTION_VERSION &&
	    dmt_text_is(line, "clock=dual")) ||
	    (parse->section == DMT_SECTION_THREADS && line.len > 0) ||
	    (parse->section == DMT_SECTION_METHODS && columns > 1 &&
	    columns < 4) ? DMT_KEY_CR_KEPT : 0;
}

/* Text that is no number becomes NaN, which no record has. */
static void
firefox_read_thread(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct dmtrace_text id = dmt_text_cut(&line, '\t');

	reading->result = line.bytes != NULL && dmt_number_of_js(&reading->id,
	    &reading->negative, id) ? DMT_READS_ROW : DMT_READS_FAILS;
	reading->name = line;
}

static void
firefox_read_method(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct columns columns = split_columns(line, false);

	reading->result = columns.count > 1 && dmt_number_of_js(&reading->id,
	    &reading->negative, columns.at[0]) ?
	    DMT_READS_ROW : DMT_READS_FAILS;
	reading->class_name = columns.at[1];
	reading->name = columns.at[2];
	reading->signature = columns.at[3];
	if (reading->result == DMT_READS_ROW && columns.count == 4 &&
	    columns.at[3].len == 0)
		reading->why = DMT_METHOD_SIGNATURE_LAST;
}

/* It refuses records of a thread that it has not. */
static void
firefox_keep_thread(struct dmt_quirk_search *search,
    const struct dmt_reading *reading)
{
	if (reading->result == DMT_READS_ROW && !reading->negative &&
	    reading->id <= UINT32_MAX &&
	    dmt_idmap_at(&search->firefox_threads, reading->id) == NULL)
		search->no_memory = true;
}

/* Keeps the part of a class's name that it counts. */
static void
firefox_keep_method(struct dmt_quirk_search *search,
    const struct dmt_reading *reading)
{
	static const char *const known[] = { "android", "java", "sun",
	    "kotlin", "androidx", "kotlinx" };
	struct dmtrace_text name = reading->class_name;

	if (name.bytes == NULL)
		return;
	if (dmt_text_begins(name, "org.") || dmt_text_begins(name, "com."))
		name = dmt_text_after(name, 4);
	name = dmt_text_cut(&name, '.');
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (dmt_text_is(name, known[i]))
			return;
	dmt_name_keep(search, &search->firefox_classes, 0, name);
}

/* It names a category after the part of class names that is most frequent, the
 * first of several, and fails if it is empty. */
static void
firefox_end_key(struct dmt_quirk_search *search)
{
	struct dmt_name_seen *const classes = search->firefox_classes.items;
	const size_t count = search->firefox_classes.count;
	size_t best = 0, best_order = SIZE_MAX, best_len = 1;

	if (count > 0)
		qsort(classes, count, sizeof(*classes), compare_kept_names);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count &&
		    dmt_text_equal(classes[i].name, classes[next].name);)
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

static bool
firefox_find_records(struct dmt_records_place *place,
    const struct dmt_data_front *front)
{
	*place = (struct dmt_records_place){ front->offset,
	    front->record_size, front->fields };
	return front->record_size > 0;
}

/* Perfetto */

static bool
perfetto_takes_number(struct dmtrace_text line)
{
	uint64_t number;

	return line.len > 0 && dmt_number_of_c(&number, line, 10) &&
	    number >= 1 && number <= 3;
}

/* It looks for lines without a CR; elsewhere the CR belongs to the last
 * column. */
static unsigned
perfetto_read_crlf(const struct dmt_parse *parse, struct dmtrace_text line)
{
	if (parse->item == DMT_ITEM_HEADING || parse->item == DMT_ITEM_NUMBER)
		return DMT_KEY_CRLF;
	if (parse->section == DMT_SECTION_VERSION)
		return line.len == 0 || dmt_text_begins(line, "clock=") ?
		    DMT_KEY_CRLF : 0;
	return parse->section != DMT_SECTION_THREADS ? 0 :
	    line.len == 0 ? DMT_KEY_CRLF : DMT_KEY_CR_KEPT;
}

static void
perfetto_read_thread(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct columns tokens = split_columns(line, true);

	reading->negative = dmt_text_begins(tokens.at[0], "-");
	dmt_text_cut(&line, '\t');
	reading->name = line;
	if (tokens.count != 2) {
		reading->result = DMT_READS_FAILS;
		reading->why = DMT_THREAD_COLUMNS;
	} else {
		reading->result = dmt_number_of_c(&reading->id, tokens.at[0],
		    10) ? DMT_READS_ROW : DMT_READS_FAILS;
	}
}

/* It keeps 32 bits of the id. A line without a signature has only a class. */
static void
perfetto_read_method(struct dmt_reading *reading, struct dmtrace_text line)
{
	const struct columns tokens = split_columns(dmt_text_trim_java(line),
	    true);

	reading->result = DMT_READS_FAILS;
	if (tokens.count < 2 || tokens.count == 3) {
		reading->why = DMT_METHOD_COLUMNS_FEW;
		return;
	}
	if (!dmt_number_of_c(&reading->id, tokens.at[0], 16))
		return;
	reading->result = DMT_READS_ROW;
	reading->id &= UINT32_MAX;
	reading->class_name = tokens.at[1];
	if (tokens.count == COLUMNS ||
	    (tokens.count > 3 && dmt_text_begins(tokens.at[3], "("))) {
		reading->name = tokens.at[2];
		reading->signature = tokens.at[3];
	}
}

/* It ignores the offset. */
static bool
perfetto_find_records(struct dmt_records_place *place,
    const struct dmt_data_front *front)
{
	*place = (struct dmt_records_place){ DMT_HEADER_SIZE,
	    front->record_size, front->record_size };
	return front->record_size > 0;
}

const struct dmt_model dmt_models[DMTRACE_READERS] = {
	[DMTRACE_READER_DMTRACEDUMP] = {
		.knows_heading = dump_knows_heading,
		.read_crlf = dump_read_crlf,
		.read_thread = dump_read_thread,
		.read_method = dump_read_method,
		.if_used = true,
		.keep_method = dump_keep_method,
		.end_key = dump_end_key,
		.ignores_magic = true,
		.find_records = dump_find_records,
		.refuses = DMT_FOUND_BEFORE
	},
	[DMTRACE_READER_TRACEVIEW] = {
		.java = true,
		.takes_number = java_takes_number,
		.read_thread = view_read_thread,
		.read_method = view_read_method,
		.find_records = java_find_records,
		.refuses = DMT_FOUND_RESERVED | DMT_FOUND_MISMATCH
	},
	[DMTRACE_READER_PERFLIB2016] = {
		.java = true,
		.takes_number = java_takes_number,
		.read_thread = perflib_read_thread,
		.read_method = perflib_read_method,
		.keep_thread = perflib2016_keep_thread,
		.end_key = perflib2016_end_key,
		.find_records = java_find_records,
		.refuses = DMT_FOUND_RESERVED | DMT_FOUND_MISMATCH |
		    DMT_FOUND_PARTIAL
	},
	[DMTRACE_READER_STUDIO] = {
		.java = true,
		.takes_number = java_takes_number,
		.read_thread = perflib_read_thread,
		.read_method = perflib_read_method,
		.find_records = java_find_records,
		.refuses = DMT_FOUND_RESERVED | DMT_FOUND_PARTIAL
	},
	[DMTRACE_READER_FIREFOX] = {
		.takes_number = firefox_takes_number,
		.read_crlf = firefox_read_crlf,
		.read_thread = firefox_read_thread,
		.read_method = firefox_read_method,
		.keep_thread = firefox_keep_thread,
		.keep_method = firefox_keep_method,
		.end_key = firefox_end_key,
		.find_records = firefox_find_records,
		.refuses = DMT_FOUND_RESERVED | DMT_FOUND_PARTIAL |
		    DMT_FOUND_UNLISTED
	},
	[DMTRACE_READER_PERFETTO] = {
		.takes_number = perfetto_takes_number,
		.read_crlf = perfetto_read_crlf,
		.read_thread = perfetto_read_thread,
		.read_method = perfetto_read_method,
		.if_used = true,
		.other_names = DMT_METHOD_NAMES_OTHER,
		.find_records = perfetto_find_records,
		.refuses = DMT_FOUND_PARTIAL | DMT_FOUND_AFTER
	},
};
