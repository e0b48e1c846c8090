/* key_rewrite.c - makes a key of the changed rows of another one */

/*
 * A key is a list of lines, some of which are rows of a table. This walks over
 * the lines, lets the caller change each row, and collects the lines of the new
 * key. A row that stays keeps its line. In the line of a row that changes only
 * the columns that differ are replaced; if the line lacks one of them, or would
 * be read differently, the row is encoded as a new line. At the end the size is
 * known: all lines are copied to one text, as a decoded key has it, and the
 * rows, which point into the lines, are moved there. Two copies of the text
 * exist for a moment, and nothing is parsed.
 */

#include "key/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/names.h"
#include "key/line_encode.h"
#include "key/line_text.h"
#include "key/number.h"
#include "private/key.h"

struct rewriting {
	const struct dmtrace_key *from;
	struct dmt_key_rules *rules;
	struct dmtrace_error *error;
	struct dmtrace_key to;		/* until the end, its lines have no
					   line ends, only their lengths */
	struct dmt_arena changed;	/* lines that changed */
};

/* A part of a line, and what replaces it; then where that is. */
struct column_change {
	struct dmtrace_text old;
	struct dmtrace_text *new;
};

/* Returns a line without its line end. */
static struct dmtrace_text
line_content(const struct dmt_key_line *line)
{
	return (struct dmtrace_text){ line->text.bytes,
	    line->text.len - line->end };
}

/* Returns a number as a text in decimal or, for methods, hexadecimal. */
static struct dmtrace_text
number_text(char digits[24], uint64_t number, bool hexadecimal)
{
	snprintf(digits, 24, hexadecimal ? "0x%" PRIx64 : "%" PRIu64, number);
	return dmt_text_of(digits);
}

/* Returns true if lines keep their order and their line ends. */
static bool
keeps_order(const struct dmt_key_rules *rules)
{
	return rules->form == DMT_KEY_LINES || rules->form == DMT_KEY_KNOWN;
}

/* Appends a line to the new key; its length is without the line end. */
static enum dmtrace_status
keep_line(struct rewriting *rewriting, struct dmtrace_text content,
    const struct dmt_key_line *like, size_t row)
{
	const uint64_t limit = rewriting->from->limit_line;
	const bool as_is = keeps_order(rewriting->rules);
	const struct dmt_key_line line = {
		content, (uint32_t)row, like->item,
		as_is || like->end == 0 ? like->end : 1
	};

	if (content.len + line.end > limit && content.len + like->end >
	    like->text.len && like->text.len > 0)
		return dmt_error_set(rewriting->error, DMTRACE_ERR_LIMIT,
		    "a line of %zu bytes; the limit of a line is %" PRIu64,
		    content.len + line.end, limit);
	return dmt_key_line_append(&rewriting->to.lines, &line) ?
	    DMTRACE_OK : dmt_error_memory(rewriting->error);
}

static bool
option_stays(const struct dmtrace_option *a, const struct dmtrace_option *b)
{
	return dmt_text_equal(a->name, b->name) &&
	    dmt_text_equal(a->value, b->value) &&
	    (a->value.bytes == NULL) == (b->value.bytes == NULL);
}

static bool
thread_stays(const struct dmtrace_thread *a, const struct dmtrace_thread *b)
{
	return a->id == b->id && dmt_text_equal(a->name, b->name);
}

static bool
method_stays(const struct dmtrace_method *a, const struct dmtrace_method *b)
{
	return a->id == b->id && a->line == b->line &&
	    dmt_text_equal(a->class_name, b->class_name) &&
	    dmt_text_equal(a->name, b->name) &&
	    dmt_text_equal(a->signature, b->signature) &&
	    dmt_text_equal(a->file, b->file);
}

/* Returns the column of the id. */
static struct dmtrace_text
id_column(struct dmtrace_text line)
{
	return dmt_text_holds(line, '\t') ? dmt_text_cut(&line, '\t') :
	    dmt_text_word(&line);
}

/* Returns true if a text, which must not have one of the bytes in ends, can
 * replace a column of the line. */
static bool
fits_column(struct dmtrace_text line, struct dmtrace_text old,
    struct dmtrace_text new, const char *ends)
{
	if ((uintptr_t)old.bytes < (uintptr_t)line.bytes ||
	    (uintptr_t)old.bytes + old.len >
	    (uintptr_t)line.bytes + line.len)
		return false;
	for (const char *end = ends; *end != '\0'; end++)
		if (dmt_text_holds(new, *end))
			return false;
	return new.len > 0 && new.len < SIZE_MAX / 8;
}

/* Replaces those columns of a line that differ; all are in order, and end at
 * one of the bytes in ends. false: that cannot be done, or there is no memory,
 * which is set in error. */
static bool
splice_columns(struct rewriting *rewriting, struct dmtrace_text *line,
    const struct column_change *columns, size_t count, const char *ends)
{
	const struct dmtrace_text from = *line;
	size_t at = 0, len = from.len;

	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_text old = columns[i].old;
		const struct dmtrace_text new = *columns[i].new;

		if (dmt_text_equal(old, new))
			continue;
		/* A CR at its end would belong to the line end. */
		if (!fits_column(from, old, new, ends) ||
		    new.bytes[new.len - 1] == '\r')
			return false;
		len += new.len - old.len;
	}
	char *const bytes = dmt_arena_alloc(&rewriting->changed, len + 1);
	char *next = bytes;
	if (bytes == NULL) {
		dmt_error_memory(rewriting->error);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_text old = columns[i].old;
		struct dmtrace_text *const new = columns[i].new;

		if ((uintptr_t)old.bytes < (uintptr_t)from.bytes ||
		    (uintptr_t)old.bytes > (uintptr_t)from.bytes + from.len)
			continue;	/* it has no such column */
		const size_t before = (size_t)(old.bytes - from.bytes) - at;
		memcpy(next, from.bytes + at, before);
		next += before;
		at += before + old.len;
		if (new->len > 0)
			memcpy(next, new->bytes, new->len);
		new->bytes = next;
		next += new->len;
	}
	memcpy(next, from.bytes + at, from.len - at);
	*line = (struct dmtrace_text){ bytes, len };
	return true;
}

/* Adds an option. */
static enum dmtrace_status
keep_option(struct rewriting *rewriting, const struct dmtrace_option *row,
    struct dmtrace_text content, const struct dmt_key_line *like)
{
	struct dmt_options *const options = &rewriting->to.options;
	const size_t index = options->count;

	if (dmt_text_is(row->name, DMT_OPTION_CLOCK) &&
	    dmt_options_find(options, row->name) == NULL)
		rewriting->to.clock = row->value.bytes == NULL ?
		    DMTRACE_CLOCK_UNKNOWN :
		    dmt_clock_find(row->value.bytes, row->value.len);
	if (!dmt_options_add(options, &(struct dmt_option_row){
	    .option = *row, .line = rewriting->to.lines.count }))
		return dmt_error_memory(rewriting->error);
	return keep_line(rewriting, content, like, index);
}

/* Adds the lines of the block. */
static enum dmtrace_status
add_block(struct rewriting *rewriting)
{
	struct dmtrace_text rest = rewriting->rules->block;

	while (rest.len > 0) {
		struct dmtrace_text line = dmt_text_cut(&rest, '\n');
		const bool crlf =
		    line.len > 0 && line.bytes[line.len - 1] == '\r';
		const struct dmt_key_line like = {
			.item = DMT_ITEM_OPTION, .end = (uint8_t)(1 + crlf)
		};

		line.len -= crlf;
		struct dmtrace_option option = { .value = line };
		option.name = dmt_text_cut(&option.value, '=');
		if (keep_option(rewriting, &option, line, &like) !=
		    DMTRACE_OK)
			return rewriting->error->status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
rewrite_option(struct rewriting *rewriting, const struct dmt_key_line *line)
{
	const struct dmt_key_rules *const rules = rewriting->rules;
	const struct dmt_encoder encoder =
	    { &rewriting->changed, "", rewriting->error };
	const struct dmtrace_option old =
	    *dmtrace_key_option_get(rewriting->from, line->row);
	struct dmtrace_option row = old;
	struct dmtrace_text text = line_content(line);
	const bool encodes = rules->form == DMT_KEY_ENCODED;

	if (rules->option != NULL &&
	    !rules->option(rules->context, line->row, &row))
		return DMTRACE_OK;
	if (encodes || !option_stays(&old, &row)) {
		const struct column_change changes[] = {
			{ old.name, &row.name }, { old.value, &row.value }
		};

		if ((encodes || dmt_text_begins(row.name, "*") ||
		    dmt_text_holds(row.name, '=') ||
		    (old.value.bytes == NULL) != (row.value.bytes == NULL) ||
		    !splice_columns(rewriting, &text, changes, 2, "\n")) &&
		    (rewriting->error->status != DMTRACE_OK ||
		    dmt_option_encode(&text, &row, &encoder) != DMTRACE_OK))
			return rewriting->error->status;
	} else {
		row = old;	/* equal texts may be elsewhere */
	}
	return keep_option(rewriting, &row, text, line);
}

static enum dmtrace_status
rewrite_thread(struct rewriting *rewriting, const struct dmt_key_line *line)
{
	const struct dmt_key_rules *const rules = rewriting->rules;
	const struct dmt_encoder encoder =
	    { &rewriting->changed, "", rewriting->error };
	const struct dmtrace_thread old =
	    *dmtrace_key_thread_get(rewriting->from, line->row);
	struct dmtrace_thread row = old;
	struct dmtrace_text text = line_content(line);
	struct dmt_threads *const threads = &rewriting->to.threads;
	const bool encodes = rules->form == DMT_KEY_ENCODED;

	if (rules->thread != NULL &&
	    !rules->thread(rules->context, line->row, &row))
		return DMTRACE_OK;
	if (encodes || !thread_stays(&old, &row)) {
		char digits[24];
		const struct dmtrace_text id = id_column(text);
		struct dmtrace_text number = old.id == row.id ? id :
		    number_text(digits, row.id, false);
		const struct column_change changes[] =
		    { { id, &number }, { old.name, &row.name } };

		/* A name may have TABs after the first, which ends the id, and
		 * blanks if the line has no TABs, but not as its first. */
		const bool has_tab = dmt_text_holds(text, '\t');
		if ((encodes || (!has_tab && dmt_text_begins(row.name, " ")) ||
		    !splice_columns(rewriting, &text, changes, 2,
		    has_tab ? "\n" : "\t\n")) &&
		    (rewriting->error->status != DMTRACE_OK ||
		    dmt_thread_encode(&text, &row, &encoder) != DMTRACE_OK))
			return rewriting->error->status;
	} else {
		row = old;
	}
	const size_t index = threads->count;
	if (!dmt_threads_add(threads, &row))
		return dmt_error_memory(rewriting->error);
	return keep_line(rewriting, text, line, index);
}

/* Cuts the line of a method after its file, the fifth column. Returns true if
 * it was longer. */
static bool
cut_after_file(struct dmtrace_text *line)
{
	struct dmtrace_text rest = *line;

	for (int i = 0; i < 5 && rest.bytes != NULL; i++)
		dmt_text_cut(&rest, '\t');
	if (rest.bytes == NULL)
		return false;
	line->len = (size_t)(rest.bytes - 1 - line->bytes);
	return true;
}

/* Cuts the line of a method after the last column that is part of the row,
 * unless nothing but TABs follows: empty columns say nothing. */
static void
cut_unknown_columns(struct dmtrace_text *line,
    const struct dmtrace_method *row)
{
	struct dmtrace_text rest = *line;
	size_t known = 0;

	if (dmt_text_holds(*line, '\t')) {
		for (int i = row->line == DMTRACE_NO_LINE ? 5 : 6; i > 0 &&
		    rest.bytes != NULL; i--) {
			dmt_text_cut(&rest, '\t');
			known = rest.bytes == NULL ? line->len :
			    (size_t)(rest.bytes - 1 - line->bytes);
		}
	} else {
		for (int i = 0; i < 4; i++) {
			const struct dmtrace_text word = dmt_text_word(&rest);

			if (word.len > 0)
				known = (size_t)(word.bytes + word.len -
				    line->bytes);
		}
	}
	for (size_t i = known; i < line->len; i++)
		if (!dmt_is_blank(line->bytes[i]))
			line->len = known;
}

static enum dmtrace_status
rewrite_method(struct rewriting *rewriting, const struct dmt_key_line *line)
{
	struct dmt_key_rules *const rules = rewriting->rules;
	const struct dmt_encoder encoder =
	    { &rewriting->changed, "", rewriting->error };
	struct dmtrace_method old =
	    *dmtrace_key_method_get(rewriting->from, line->row);
	struct dmtrace_text text = line_content(line);
	struct dmt_methods *const methods = &rewriting->to.methods;
	const bool encodes = rules->form == DMT_KEY_ENCODED;

	if (rules->cuts && cut_after_file(&text)) {
		old.line = DMTRACE_NO_LINE;
		rules->cut++;
	}
	if (rules->form == DMT_KEY_KNOWN)
		cut_unknown_columns(&text, &old);
	struct dmtrace_method row = old;
	if (rules->method != NULL &&
	    !rules->method(rules->context, line->row, &row))
		return DMTRACE_OK;
	if (encodes || !method_stays(&old, &row)) {
		char digits[24];
		int32_t number_line;
		const struct dmtrace_text id = id_column(text);
		struct dmtrace_text number = old.id == row.id ? id :
		    number_text(digits, row.id, true);
		const struct column_change changes[] = {
			{ id, &number },
			{ old.class_name, &row.class_name },
			{ old.name, &row.name },
			{ old.signature, &row.signature },
			{ old.file, &row.file }
		};

		/* A signature may be taken for a line number. */
		if ((encodes || old.line != row.line ||
		    (!dmt_text_equal(old.signature, row.signature) &&
		    dmt_line_number_decode(&number_line, row.signature)) ||
		    !splice_columns(rewriting, &text, changes, 5,
		    dmt_text_holds(text, '\t') ? "\t\n" : "\t\n ")) &&
		    (rewriting->error->status != DMTRACE_OK ||
		    dmt_method_encode(&text, &row, &encoder) != DMTRACE_OK))
			return rewriting->error->status;
	} else {
		row = old;
	}
	const size_t index = methods->count;
	if (!dmt_methods_add(methods, &row))
		return dmt_error_memory(rewriting->error);
	return keep_line(rewriting, text, line, index);
}

/* Sets *content to what is known of a line that is no row. false: nothing. */
static bool
reduce_line(struct dmtrace_text *content, const struct dmt_key_line *line,
    bool is_number)
{
	static const char bom[] = "\xef\xbb\xbf";
	struct dmtrace_text bare = *content;
	uint32_t number;
	bool unusual;

	/* The first line includes what precedes it. */
	if (dmt_text_begins(bare, bom))
		bare = dmt_text_after(bare, strlen(bom));
	while (bare.len > 0 && strchr(" \t\r\n", bare.bytes[0]) != NULL)
		bare = dmt_text_after(bare, 1);
	bare = dmt_text_trim(bare);
	if (is_number)
		return bare.len == 0 || dmt_number_decode(&number, &unusual,
		    bare);
	if (line->item != DMT_ITEM_HEADING)
		return bare.len == 0;
	for (unsigned i = 0; i <= DMT_SECTION_END; i++) {
		const char *const name =
		    dmt_section_name((enum dmt_section)i);

		if (dmt_text_is(bare, name))
			return true;
		if (dmt_text_begins(bare, name) &&
		    (i == DMT_SECTION_VERSION || i == DMT_SECTION_END)) {
			*content = dmt_text_of(name);
			return true;
		}
	}
	return false;
}

static enum dmtrace_status
rewrite_line(struct rewriting *rewriting, const struct dmt_key_line *line)
{
	const struct dmtrace_key *const from = rewriting->from;
	const bool is_number = line == &from->lines.items[from->number];
	struct dmtrace_text content = line_content(line);

	if (rewriting->rules->form == DMT_KEY_KNOWN &&
	    line->row == DMT_KEY_NO_ROW &&
	    !reduce_line(&content, line, is_number)) {
		if (!is_number)
			return DMTRACE_OK;
		content = (struct dmtrace_text){ "", 0 };
	}
	if (is_number) {
		rewriting->to.number = rewriting->to.lines.count;
		return keep_line(rewriting, content, line,
		    DMT_KEY_NO_ROW) != DMTRACE_OK ?
		    rewriting->error->status : add_block(rewriting);
	}
	if (line->row == DMT_KEY_NO_ROW)
		return keep_line(rewriting, content, line, DMT_KEY_NO_ROW);
	return line->item == DMT_ITEM_OPTION ?
	    rewrite_option(rewriting, line) :
	    line->item == DMT_ITEM_THREAD ? rewrite_thread(rewriting, line) :
	    rewrite_method(rewriting, line);
}

/* Rewrites all lines, in their order. */
static enum dmtrace_status
rewrite_all(struct rewriting *rewriting)
{
	const struct dmtrace_key *const from = rewriting->from;
	struct dmtrace_key *const to = &rewriting->to;

	for (size_t i = 0; i <= from->lines.count; i++) {
		/* Missing sections follow all others. */
		for (unsigned j = 0; j < 2 * DMT_TABLES; j++) {
			const unsigned section = j % DMT_TABLES;
			const struct dmt_addition *const added =
			    &from->added[section];
			const bool missing = j >= DMT_TABLES;
			const struct dmt_key_line *const lines =
			    added->lines.items;

			if (added->at != i || added->missing != missing)
				continue;
			to->added[section].missing =
			    missing && added->lines.count == 1;
			for (size_t k = 0; k < added->lines.count &&
			    !to->added[section].missing; k++)
				if (rewrite_line(rewriting, &lines[k]) !=
				    DMTRACE_OK)
					return rewriting->error->status;
			to->added[section].at = to->lines.count;
		}
		if (i < from->lines.count && rewrite_line(rewriting,
		    &from->lines.items[i]) != DMTRACE_OK)
			return rewriting->error->status;
	}
	return DMTRACE_OK;
}

/* Rewrites the rows of some lines. */
static enum dmtrace_status
rewrite_rows(struct rewriting *rewriting, const struct dmt_key_lines *lines,
    enum dmt_item item)
{
	for (size_t i = 0; i < lines->count; i++)
		if (lines->items[i].item == item &&
		    lines->items[i].row != DMT_KEY_NO_ROW &&
		    rewrite_line(rewriting, &lines->items[i]) != DMTRACE_OK)
			return rewriting->error->status;
	return DMTRACE_OK;
}

/* Rewrites all rows, section by section. */
static enum dmtrace_status
rewrite_sections(struct rewriting *rewriting)
{
	static const enum dmt_item items[DMT_TABLES] =
	    { DMT_ITEM_OPTION, DMT_ITEM_THREAD, DMT_ITEM_METHOD };
	static const struct dmt_key_line heading =
	    { .item = DMT_ITEM_HEADING, .end = 1 };
	const struct dmtrace_key *const from = rewriting->from;
	struct dmtrace_key *const to = &rewriting->to;

	for (unsigned i = 0; i < DMT_TABLES; i++) {
		if (keep_line(rewriting, dmt_text_of(dmt_section_name(
		    (enum dmt_section)i)), &heading, DMT_KEY_NO_ROW) !=
		    DMTRACE_OK || (i == DMT_SECTION_VERSION &&
		    rewrite_line(rewriting,
		    &from->lines.items[from->number]) != DMTRACE_OK) ||
		    rewrite_rows(rewriting, &from->lines, items[i]) !=
		    DMTRACE_OK || rewrite_rows(rewriting,
		    &from->added[i].lines, items[i]) != DMTRACE_OK)
			return rewriting->error->status;
		to->added[i].at = to->lines.count;
	}
	return keep_line(rewriting,
	    dmt_text_of(dmt_section_name(DMT_SECTION_END)), &heading,
	    DMT_KEY_NO_ROW);
}

/* Moves a text that is a part of a line to the copy of the line. */
static void
move_text(struct dmtrace_text *text, struct dmtrace_text old, const char *new)
{
	if ((uintptr_t)text->bytes >= (uintptr_t)old.bytes &&
	    (uintptr_t)text->bytes <= (uintptr_t)old.bytes + old.len)
		text->bytes = new + (text->bytes - old.bytes);
}

static void
move_row(struct dmtrace_key *key, const struct dmt_key_line *line,
    struct dmtrace_text old, const char *new)
{
	if (line->row == DMT_KEY_NO_ROW)
		return;
	if (line->item == DMT_ITEM_OPTION) {
		struct dmtrace_option *const row =
		    &key->options.items[line->row].option;

		move_text(&row->name, old, new);
		move_text(&row->value, old, new);
	} else if (line->item == DMT_ITEM_THREAD) {
		move_text(&key->threads.items[line->row].name, old, new);
	} else {
		struct dmtrace_method *const row =
		    &key->methods.items[line->row];

		move_text(&row->class_name, old, new);
		move_text(&row->name, old, new);
		move_text(&row->signature, old, new);
		move_text(&row->file, old, new);
	}
}

/* Copies the lines to the text of the new key, with their line ends, and
 * completes it. */
static enum dmtrace_status
make_text(struct rewriting *rewriting)
{
	static const char *const ends[] = { "", "\n", "\r\n" };
	struct dmtrace_key *const key = &rewriting->to;
	const struct dmt_encoder encoder =
	    { &key->arena, key->line_end, rewriting->error };
	size_t len = 0;

	for (size_t i = 0; i < key->lines.count; i++) {
		const struct dmt_key_line *const line = &key->lines.items[i];

		if (line->text.len > SIZE_MAX / 2 - len)
			return dmt_error_memory(rewriting->error);
		len += line->text.len + line->end;
	}
	if (len > key->limit_key && len > rewriting->from->encoded_size)
		return dmt_error_set(rewriting->error, DMTRACE_ERR_LIMIT,
		    "the key grows over its limit of %" PRIu64 " bytes",
		    key->limit_key);
	char *next = dmt_arena_alloc(&key->arena, len + 1);
	if (next == NULL)
		return dmt_error_memory(rewriting->error);
	key->text = (struct dmtrace_text){ next, len };
	key->encoded_size = len;
	for (size_t i = 0; i < key->lines.count; i++) {
		struct dmt_key_line *const line = &key->lines.items[i];
		const struct dmtrace_text old = line->text;

		if (old.len > 0)
			memcpy(next, old.bytes, old.len);
		memcpy(next + old.len, ends[line->end], line->end);
		line->text = (struct dmtrace_text){ next, old.len + line->end };
		next += line->text.len;
		move_row(key, line, old, line->text.bytes);
	}
	for (unsigned i = 0; i < DMT_TABLES; i++) {
		struct dmt_key_line heading = {
			.row = DMT_KEY_NO_ROW, .item = DMT_ITEM_HEADING,
			.end = (uint8_t)strlen(key->line_end)
		};

		if (key->added[i].missing && (dmt_line_encode(&heading.text,
		    dmt_text_of(dmt_section_name((enum dmt_section)i)),
		    &encoder) != DMTRACE_OK || !dmt_key_line_append(
		    &key->added[i].lines, &heading)))
			return dmt_error_memory(rewriting->error);
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_key_rewrite(struct dmtrace_key **to, const struct dmtrace_key *from,
    struct dmt_key_rules *rules, struct dmtrace_error *error)
{
	const bool as_is = keeps_order(rules);
	struct rewriting rewriting = {
		.from = from,
		.rules = rules,
		.error = error,
		.to = {
			.version = from->version,
			.line_end = as_is ? from->line_end : "\n",
			.limit_key = from->limit_key,
			.limit_line = from->limit_line
		}
	};
	struct dmtrace_key *const key = dmt_array_new(1, sizeof(*key));

	dmt_error_clear(error);
	rules->cut = 0;
	if (key == NULL)
		dmt_error_memory(error);
	else if ((as_is ? rewrite_all(&rewriting) :
	    rewrite_sections(&rewriting)) == DMTRACE_OK)
		make_text(&rewriting);
	dmt_arena_fini(&rewriting.changed);
	if (error->status != DMTRACE_OK) {
		dmt_key_fini(&rewriting.to);
		free(key);
		return error->status;
	}
	*key = rewriting.to;
	*to = key;
	return DMTRACE_OK;
}

struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key)
{
	struct dmt_key_rules rules = { .form = DMT_KEY_LINES };
	struct dmtrace_error error;
	struct dmtrace_key *copy;

	return dmt_key_rewrite(&copy, key, &rules, &error) == DMTRACE_OK ?
	    copy : NULL;
}
