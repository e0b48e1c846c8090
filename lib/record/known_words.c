/* known_words.c - the methods of a recorder by their words, a row for each */

#include "record/known.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/pages.h"
#include "key/number.h"

/* A copy in the arena. false: no memory. */
static bool
copy(struct dmt_known *methods, struct dmtrace_text *to, const char *text)
{
	const size_t len = strlen(text);
	char *bytes = dmt_arena_alloc(&methods->arena, len + 1);

	if (bytes == NULL)
		return false;
	memcpy(bytes, text, len + 1);
	*to = (struct dmtrace_text){ bytes, len };
	return true;
}

static bool
copy_all(struct dmt_known *methods, struct dmtrace_method *row,
    const struct dmtrace_method_words *words)
{
	return copy(methods, &row->class_name, words->class_name) &&
	    copy(methods, &row->name, words->name) &&
	    copy(methods, &row->signature, words->signature) &&
	    (words->file == NULL || copy(methods, &row->file, words->file));
}

static void
set_defaults(struct dmtrace_method_words *words)
{
	if (words->class_name == NULL || words->class_name[0] == '\0')
		words->class_name = "native";
	if (words->signature == NULL || words->signature[0] == '\0')
		words->signature = "()V";
	if (words->file != NULL && words->file[0] == '\0')
		words->file = NULL;
}

/* The format's lines end with LF and their columns with TAB. */
static bool
fits(const char *text)
{
	return text == NULL || strpbrk(text, "\t\n\r") == NULL;
}

/* Without a file, a reader takes a signature that is a number for a line. */
static bool
is_line(const struct dmtrace_method_words *words)
{
	int32_t line;

	return words->file == NULL && words->signature != NULL &&
	    dmt_line_number_decode(&line, dmt_text_of(words->signature));
}

static bool
all_fit(const struct dmtrace_method_words *words)
{
	return fits(words->class_name) && fits(words->name) &&
	    fits(words->signature) && fits(words->file) && !is_line(words);
}

static bool
escape(struct dmt_arena *arena, const char **text)
{
	if (fits(*text))
		return true;
	const size_t len = strlen(*text), room = 4 * len + 4;
	char *escaped = dmt_arena_alloc(arena, room);
	if (escaped == NULL)
		return false;
	*text = dmt_escape(escaped, room, *text, len);
	return true;
}

/* The first byte as \xNN. */
static bool
escape_line(struct dmt_arena *arena, struct dmtrace_method_words *words)
{
	const char *number = words->signature;

	if (!is_line(words))
		return true;
	const size_t room = strlen(number) + sizeof("\\xNN");
	char *escaped = dmt_arena_alloc(arena, room);
	if (escaped == NULL)
		return false;
	snprintf(escaped, room, "\\x%02x%s", (unsigned char)number[0],
	    number + 1);
	words->signature = escaped;
	return true;
}

/* What had to be escaped lives in the arena. */
static bool
escape_all(struct dmt_arena *arena, struct dmtrace_method_words *words)
{
	return escape_line(arena, words) &&
	    escape(arena, &words->class_name) &&
	    escape(arena, &words->name) &&
	    escape(arena, &words->signature) && escape(arena, &words->file);
}

static enum dmtrace_status
add_row(struct dmt_known *methods, uint32_t id,
    const struct dmtrace_method_words *words)
{
	struct dmtrace_method row = { .id = id, .line = DMTRACE_NO_LINE };
	struct dmtrace_method *rows = dmt_pages_grow(methods->rows,
	    &methods->rows_size, (methods->count + 1) * sizeof(*rows));

	if (rows == NULL)
		return DMTRACE_ERR_MEMORY;
	methods->rows = rows;
	if (!copy_all(methods, &row, words))
		return DMTRACE_ERR_MEMORY;
	if (words->file != NULL)
		row.line = words->line;
	rows[methods->count++] = row;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_known_add_row(struct dmt_known *methods, uint32_t id,
    const struct dmtrace_method_words *words)
{
	struct dmtrace_method_words full = *words;
	struct dmt_arena scratch = { .paged = true };

	set_defaults(&full);
	const enum dmtrace_status status = escape_all(&scratch, &full) ?
	    add_row(methods, id, &full) : DMTRACE_ERR_MEMORY;
	dmt_arena_fini(&scratch);
	return status;
}

/* FNV-1a; the NUL between two words counts. */
static uint64_t
hash_text(uint64_t hash, const char *text)
{
	const char *at = text != NULL ? text : "";

	do
		hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
	while (*at++ != '\0');
	return hash;
}

static uint64_t
hash_words(const struct dmtrace_method_words *words)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^
	    (words->file == NULL ? 0 : (uint32_t)words->line);

	hash = hash_text(hash, words->class_name);
	hash = hash_text(hash, words->name);
	hash = hash_text(hash, words->signature);
	return hash_text(hash, words->file);
}

static bool
same_text(const struct dmtrace_text *text, const char *other)
{
	const size_t len = other == NULL ? 0 : strlen(other);

	return text->len == len &&
	    (len == 0 || memcmp(text->bytes, other, len) == 0);
}

static bool
same_row(const struct dmtrace_method *row,
    const struct dmtrace_method_words *words)
{
	return same_text(&row->class_name, words->class_name) &&
	    same_text(&row->name, words->name) &&
	    same_text(&row->signature, words->signature) &&
	    same_text(&row->file, words->file) &&
	    (words->file == NULL || row->line == words->line);
}

/* Words of the same hash follow each other. */
static const uint32_t *
find_row(const struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint64_t *hash)
{
	const uint32_t *index;

	for (; (index = dmt_idmap_find(&methods->by_words, *hash)) != NULL;
	    ++*hash)
		if (same_row(&methods->rows[*index], words))
			break;
	return index;
}

static enum dmtrace_status
intern_new(struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint64_t hash, uint32_t *id)
{
	if (methods->interned + 1 >= DMT_METHODS_MAX)
		return DMTRACE_ERR_LIMIT;
	const uint32_t next = (methods->interned + 1) << 2;
	if (add_row(methods, next, words) != DMTRACE_OK)
		return DMTRACE_ERR_MEMORY;
	if (!dmt_idmap_add(&methods->by_words, hash,
	    (uint32_t)methods->count - 1)) {
		methods->count--;
		return DMTRACE_ERR_MEMORY;
	}
	methods->interned++;
	*id = next;
	return DMTRACE_OK;
}

static enum dmtrace_status
intern_fit(struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint32_t *id)
{
	uint64_t hash = hash_words(words);
	const uint32_t *index = find_row(methods, words, &hash);

	if (index == NULL)
		return intern_new(methods, words, hash, id);
	*id = (uint32_t)methods->rows[*index].id;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_known_intern(struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint32_t *id)
{
	struct dmtrace_method_words full = *words;
	struct dmt_arena scratch = { .paged = true };

	set_defaults(&full);
	if (full.name == NULL || full.name[0] == '\0' ||
	    (!methods->escape && !all_fit(&full)))
		return DMTRACE_ERR_RANGE;
	const enum dmtrace_status status = escape_all(&scratch, &full) ?
	    intern_fit(methods, &full, id) : DMTRACE_ERR_MEMORY;
	dmt_arena_fini(&scratch);
	return status;
}
