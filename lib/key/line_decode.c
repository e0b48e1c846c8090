/* line_decode.c - decodes lines of a key; mirror of line_encode.c */

/*
 * Decodes a line as leniently as the most lenient reader: the number of
 * columns decides what the columns are (dmtrace.5, METHODS), and a line
 * without TABs is split at blanks. The texts of a row point into the line.
 * What is unusual is reported as a finding with the line's number. A line that
 * cannot be decoded to a row is a finding, too, and stays in the key's text.
 */

#include "key/line_decode.h"

#include "base/escape.h"
#include "format/names.h"
#include "key/number.h"
#include "key/line_text.h"

enum { COLUMNS_MIN = 4, COLUMNS_MAX = 6 };

static const struct dmtrace_text no_text = { "", 0 };

void
dmt_line_note(const struct dmt_line *line, enum dmt_finding which)
{
	struct dmt_found *const found = line->found;
	char shown[DMT_ESCAPED_MAX];

	if (found != NULL &&
	    found->count < sizeof(found->items) / sizeof(found->items[0]))
		found->items[found->count++] = which;
	if (line->findings == NULL)
		return;
	dmt_finding_add(line->findings, which, DMTRACE_PLACE_LINE,
	    line->number, "\"%s\"", dmt_escape(shown, sizeof(shown),
	    line->text.bytes, line->text.len));
}

bool
dmt_option_decode(struct dmtrace_option *option, const struct dmt_line *line)
{
	option->value = line->text;
	option->name = dmt_text_cut(&option->value, '=');
	if (option->value.bytes == NULL || option->name.len == 0)
		dmt_line_note(line, DMT_OPTION_MALFORMED);
	else if (!dmt_option_is_known(option->name.bytes, option->name.len))
		dmt_line_note(line, DMT_OPTION_UNKNOWN);
	return true;
}

bool
dmt_thread_decode(struct dmtrace_thread *thread, const struct dmt_line *line)
{
	const bool has_tab = dmt_text_holds(line->text, '\t');
	struct dmtrace_text name = line->text;
	bool unusual;

	/* A number and a name, separated by the first TAB or, if there is
	 * none, by the blanks after the first word. */
	if (!has_tab)
		dmt_line_note(line, DMT_THREAD_BLANKS);
	const struct dmtrace_text number = has_tab ?
	    dmt_text_cut(&name, '\t') : dmt_text_word(&name);
	if (!dmt_number_decode(&thread->id, &unusual, number)) {
		dmt_line_note(line, DMT_THREAD_ID_BAD);
		return false;
	}
	thread->name = name;
	if (unusual)
		dmt_line_note(line, DMT_THREAD_ID_FORM);
	if (name.len == 0)
		dmt_line_note(line, DMT_THREAD_NAME_EMPTY);
	if (dmt_text_holds(name, '\t'))
		dmt_line_note(line, DMT_THREAD_NAME_TAB);
	return true;
}

/* Splits the line at TABs or, if it has none, splits off the first four words.
 * Columns after the last known one are counted but not stored. */
static size_t
split_line_columns(struct dmtrace_text columns[COLUMNS_MAX],
    const struct dmt_line *line)
{
	struct dmtrace_text rest = line->text;
	size_t count = 0;

	if (dmt_text_holds(rest, '\t')) {
		for (; rest.bytes != NULL; count++) {
			const struct dmtrace_text cut =
			    dmt_text_cut(&rest, '\t');
			if (count < COLUMNS_MAX)
				columns[count] = cut;
		}
		return count;
	}
	while (count < COLUMNS_MIN && rest.len > 0)
		columns[count++] = dmt_text_word(&rest);
	if (count > 1)
		dmt_line_note(line, DMT_METHOD_BLANKS);
	return count;
}

/* Assigns the columns to members by their number: dmtrace.5, METHODS. */
static void
assign_columns(struct dmtrace_method *method,
    const struct dmtrace_text columns[COLUMNS_MAX], size_t count,
    const struct dmt_line *line)
{
	struct dmtrace_text *const texts[] = { NULL, &method->class_name,
	    &method->name, &method->signature, &method->file };

	if (count == 2) {
		method->name = columns[1];
		return;
	}

	/* The fourth of four columns is a signature if it begins with "(";
	 * else it may be a file with a line number. */
	if (count == 4 && !dmt_text_begins(columns[3], "(") &&
	    dmt_line_number_decode(&method->line, columns[3])) {
		method->class_name = columns[1];
		method->file = columns[2];
		return;
	}
	for (size_t i = 1; i < count && i < COLUMNS_MAX - 1; i++)
		*texts[i] = columns[i];
	if (count >= COLUMNS_MAX && !dmt_line_number_decode(&method->line,
	    columns[COLUMNS_MAX - 1]))
		dmt_line_note(line, DMT_METHOD_LINE_BAD);
}

bool
dmt_method_decode(struct dmtrace_method *method, const struct dmt_line *line)
{
	struct dmtrace_text columns[COLUMNS_MAX] = { no_text };
	const size_t count = split_line_columns(columns, line);
	bool unusual;

	*method = (struct dmtrace_method){ 0, no_text, no_text, no_text,
	    no_text, DMTRACE_NO_LINE };
	if (!dmt_method_id_decode(&method->id, &unusual, columns[0])) {
		dmt_line_note(line, DMT_METHOD_ID_BAD);
		return false;
	}
	if (unusual)
		dmt_line_note(line, DMT_METHOD_ID_FORM);
	if ((method->id & 3) != 0)
		dmt_line_note(line, DMT_METHOD_ID_LOW_BITS);
	if (method->id > INT32_MAX)
		dmt_line_note(line, DMT_METHOD_ID_HIGH);

	assign_columns(method, columns, count, line);
	if (count < COLUMNS_MIN || count > COLUMNS_MAX)
		dmt_line_note(line, DMT_METHOD_COLUMNS);
	if (method->name.len == 0 ||
	    (method->class_name.len == 0 && count != 2))
		dmt_line_note(line, DMT_METHOD_NAME_EMPTY);
	return true;
}
