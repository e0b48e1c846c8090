/* anonymizer.c - names from a keyed hash, and back from a table of them */

/*
 * A name becomes a letter for its kind and twelve hexadecimal digits, 48 bits
 * of the SipHash of kind and name: whoever lacks the key can neither invert
 * them nor try names, and with the same key a name is the same in every trace.
 * Two names with one hash would become one method; among a million names that
 * happens once in 500 keys, and is refused. Classes are hashed with dots, so
 * that traces of Dalvik and ART agree, and as a whole, without their package.
 *
 * The names of the platform and of languages stay unless all are asked for: of
 * its classes also methods and files, as they tell nothing of the app. Options
 * stay if format/names.c lists their names, as those of the format and of
 * dmtrace, and their values are numbers or words of it. All else in a key, such
 * as unknown sections and further columns, is left out.
 *
 * The table has a line for each name: its kind, the new and the old name, which
 * for a class is written as in the key. The restorer reads it, and replaces
 * what it finds in it. So that the way back gives the same bytes, a class that
 * the key writes in two ways, with dots and with slashes, gets two names.
 */

#include "ops/rename/renamer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/name_table.h"
#include "format/names.h"
#include "ops/rename/signature.h"
#include "ops/rename/siphash.h"
#include "private/text.h"

#define DIGITS 12
#define TABLE_HEAD "kind\tname\toriginal"

const char *const dmt_name_kinds[DMT_NAME_KINDS] = {
	"class", "respelled", "method", "file", "thread", "option", "signature"
};

static const char letters[DMT_NAME_KINDS + 1] = "CcmFtos";

/* Names of the platform and of languages begin with these. */
static const char *const platform[] = {
	"java.", "javax.", "android.", "androidx.", "kotlin.", "dalvik.",
	"libcore.", "sun.", "com.android."
};

/* The other name of one. */
struct naming {
	struct dmtrace_text to;
	struct dmtrace_text spelled;	/* how the key writes the old one of a
					   class; bytes is NULL: with dots */
};

/* New names by kind and old name, or old names by kind and new name. */
struct name_map {
	struct dmt_name_table from;	/* class_name is the kind */
	struct naming *items;
	size_t count, capacity;
	struct dmt_arena arena;
};

struct anonymizer {
	struct dmt_renamer renamer;
	uint8_t hash_key[DMT_SIPHASH_KEY];
	bool all;
	struct name_map map;
	struct dmt_idmap hashes;	/* those that are used */
	struct dmt_output dotted, signature;
};

static struct dmt_name
map_key(enum dmt_name_kind kind, struct dmtrace_text name)
{
	return (struct dmt_name){
		.class_name = dmt_text_of(dmt_name_kinds[kind]), .name = name
	};
}

static bool
add_name(struct name_map *map, enum dmt_name_kind kind,
    struct dmtrace_text from, struct dmtrace_text to)
{
	const struct dmt_name key = map_key(kind, from);
	const uint32_t index = dmt_name_table_intern(&map->from, &key);
	struct naming *const items = index == DMT_NO_NAME ? NULL :
	    dmt_array_grow(map->items, &map->capacity, (size_t)index + 1,
	    sizeof(*items));

	if (items == NULL)
		return false;
	map->items = items;
	char *const copy = dmt_arena_copy(&map->arena, to.bytes, to.len);
	if (copy == NULL)
		return false;
	if (index >= map->count)
		map->count = (size_t)index + 1;
	items[index] = (struct naming){ .to = { copy, to.len } };
	return true;
}

/* NULL: there is none. */
static struct naming *
find_naming(const struct name_map *map, enum dmt_name_kind kind,
    struct dmtrace_text from)
{
	const struct dmt_name key = map_key(kind, from);
	const uint32_t index = dmt_name_table_find(&map->from, &key);

	return index >= map->count ? NULL : &map->items[index];
}

/* Returns the other name; bytes is NULL: none. */
static struct dmtrace_text
other_name(const struct name_map *map, enum dmt_name_kind kind,
    struct dmtrace_text from)
{
	const struct naming *const found = find_naming(map, kind, from);

	return found == NULL ? (struct dmtrace_text){ NULL, 0 } : found->to;
}

static void
free_map(struct name_map *map)
{
	dmt_name_table_fini(&map->from);
	dmt_arena_fini(&map->arena);
	free(map->items);
}

/* Anonymous names */

static bool
name_ends(struct dmtrace_text name, const char *ending)
{
	const size_t len = strlen(ending);

	return name.len >= len &&
	    memcmp(name.bytes + name.len - len, ending, len) == 0;
}

static struct dmtrace_text
new_name(struct anonymizer *self, enum dmt_name_kind kind,
    struct dmtrace_text name)
{
	struct dmtrace_error *const error = &self->renamer.error;
	char made[DIGITS + 16];

	if (name.len == 0 || error->status != DMTRACE_OK)
		return name;
	const struct dmtrace_text known = other_name(&self->map, kind, name);
	if (known.bytes != NULL)
		return known;
	const uint64_t hash = dmt_siphash(self->hash_key, &letters[kind], 1,
	    name.bytes, name.len) >> (64 - 4 * DIGITS);
	int len = snprintf(made, sizeof(made), "%c%0*" PRIx64, letters[kind],
	    DIGITS, hash);
	if (kind == DMT_NAME_FILE && (name_ends(name, ".java") ||
	    name_ends(name, ".kt")))
		len += snprintf(made + len, sizeof(made) - (size_t)len, "%s",
		    name_ends(name, ".kt") ? ".kt" : ".java");
	if (dmt_idmap_find(&self->hashes, hash << 4 | kind) != NULL)
		dmt_error_set(error, DMTRACE_ERR_RANGE, "two names have the"
		    " same hash: use another key");
	else if (!dmt_idmap_add(&self->hashes, hash << 4 | kind, 0) ||
	    !add_name(&self->map, kind, name,
	    (struct dmtrace_text){ made, (size_t)len }))
		dmt_error_memory(error);
	const struct dmtrace_text found = other_name(&self->map, kind, name);
	return found.bytes == NULL ? (struct dmtrace_text){ "", 0 } : found;
}

static bool
is_platform(const struct anonymizer *self, struct dmtrace_text name)
{
	for (size_t i = 0; !self->all &&
	    i < sizeof(platform) / sizeof(platform[0]); i++) {
		const struct dmtrace_text prefix = dmt_text_of(platform[i]);

		if (name.len >= prefix.len && dmt_class_compare(prefix,
		    (struct dmtrace_text){ name.bytes, prefix.len }) == 0)
			return true;
	}
	return false;
}

/* Returns a class with dots, valid until the next call. */
static struct dmtrace_text
with_dots(struct anonymizer *self, struct dmtrace_text name)
{
	dmt_output_clear(&self->dotted);
	for (size_t i = 0; i < name.len; i++) {
		const char byte = dmt_class_byte(name.bytes[i]);

		dmt_output_write(&self->dotted, &byte, 1);
	}
	return dmt_output_text(&self->dotted);
}

/* A dmt_rename_class_fn. */
static struct dmtrace_text
anonymous_class(void *context, struct dmtrace_text name)
{
	struct anonymizer *const self = context;

	return is_platform(self, name) ? name :
	    new_name(self, DMT_NAME_CLASS, with_dots(self, name));
}

/* The same for the column of the class, of which the table has to say how it
 * is written. */
static struct dmtrace_text
anonymous_column(struct anonymizer *self, struct dmtrace_text name)
{
	const struct dmtrace_text dotted = with_dots(self, name);
	const bool is_new = find_naming(&self->map, DMT_NAME_CLASS,
	    dotted) == NULL;
	const struct dmtrace_text made =
	    new_name(self, DMT_NAME_CLASS, dotted);
	struct naming *const found =
	    find_naming(&self->map, DMT_NAME_CLASS, dotted);

	if (found == NULL)
		return made;	/* empty, or no memory */
	if (is_new && !dmt_text_equal(name, dotted)) {
		const char *const copy = dmt_arena_copy(&self->map.arena,
		    name.bytes, name.len);

		if (copy == NULL)
			dmt_error_memory(&self->renamer.error);
		found->spelled = (struct dmtrace_text){ copy, name.len };
	}
	return dmt_text_equal(name, found->spelled.bytes == NULL ? dotted :
	    found->spelled) ? made :
	    new_name(self, DMT_NAME_RESPELLED, name);
}

static struct dmtrace_text
anonymous_signature(struct anonymizer *self, struct dmtrace_text signature)
{
	dmt_output_clear(&self->signature);
	return dmt_signature_rename(&self->signature, signature,
	    anonymous_class, self) ? dmt_output_text(&self->signature) :
	    new_name(self, DMT_NAME_SIGNATURE, signature);
}

static bool
anonymize_method(void *context, size_t index, struct dmtrace_method *row)
{
	struct anonymizer *const self = context;
	const struct dmtrace_method from = *row;
	const bool stays = is_platform(self, row->class_name);

	(void)index;
	row->signature = anonymous_signature(self, row->signature);
	if (!stays) {
		row->class_name = anonymous_column(self, from.class_name);
		if (!dmt_text_is(row->name, "<init>") &&
		    !dmt_text_is(row->name, "<clinit>"))
			row->name = new_name(self, DMT_NAME_METHOD,
			    row->name);
		row->file = new_name(self, DMT_NAME_FILE, row->file);
	}
	if (self->dotted.error.status != DMTRACE_OK ||
	    self->signature.error.status != DMTRACE_OK)
		dmt_error_memory(&self->renamer.error);
	dmt_renamer_note(&self->renamer, stays ? DMTRACE_RENAMING_UNMAPPED :
	    DMTRACE_RENAMED, &from, row);
	return true;
}

static bool
anonymize_thread(void *context, size_t index, struct dmtrace_thread *row)
{
	struct anonymizer *const self = context;

	(void)index;
	row->name = new_name(self, DMT_NAME_THREAD, row->name);
	self->renamer.result.threads++;
	return true;
}

/* Returns true for a value that names nothing: numbers, and words that the
 * format has for its options. */
static bool
names_nothing(struct dmtrace_text value)
{
	static const char *const words[] = {
		"true", "false", "dalvik", "art", "dual", "wall", "global",
		"thread-cpu",
		/* of pieces */
		"thread", "time", "records", "size", "exact"
	};
	size_t i = 0;

	while (i < value.len && memchr("0123456789-+,/.:", value.bytes[i],
	    16) != NULL)
		i++;
	if (i == value.len)
		return true;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (dmt_text_is(value, words[i]))
			return true;
	return false;
}

/* Returns true for 16 hexadecimal digits. */
static bool
is_piece_id(struct dmtrace_text value)
{
	size_t i = 0;

	while (i < value.len &&
	    memchr("0123456789abcdef", value.bytes[i], 16) != NULL)
		i++;
	return i == 16 && value.len == 16;
}

static bool
anonymize_option(void *context, size_t index, struct dmtrace_option *row)
{
	struct anonymizer *const self = context;

	(void)index;
	/* Options of the format, and dmtrace's own, are numbers and words. */
	const bool listed =
	    dmt_option_is_listed(row->name.bytes, row->name.len);
	if (listed && (names_nothing(row->value) ||
	    (name_ends(row->name, "dmtrace-piece-id") &&
	    is_piece_id(row->value))))
		return true;
	if (!listed)
		row->name = new_name(self, DMT_NAME_OPTION, row->name);
	row->value = new_name(self, DMT_NAME_OPTION, row->value);
	self->renamer.result.options++;
	return true;
}

struct dmt_renamer *
dmt_anonymizer_new(const struct dmtrace_key *key, const uint8_t *hash_key,
    bool all, struct dmtrace_error *error)
{
	struct anonymizer *const self = calloc(1, sizeof(*self));

	if (self == NULL) {
		dmt_error_memory(error);
		return NULL;
	}
	memcpy(self->hash_key, hash_key, sizeof(self->hash_key));
	self->all = all;
	/* Columns precede signatures, which have slashes always. */
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_text name =
		    dmtrace_key_method_get(key, i)->class_name;

		if (!is_platform(self, name))
			anonymous_column(self, name);
	}
	self->renamer.rules = (struct dmt_key_rules){
		.option = anonymize_option, .thread = anonymize_thread,
		.method = anonymize_method, .context = self,
		.form = DMT_KEY_KNOWN
	};
	return &self->renamer;
}

void
dmt_anonymizer_free(struct dmt_renamer *renamer)
{
	struct anonymizer *const self = (struct anonymizer *)renamer;

	free_map(&self->map);
	dmt_idmap_fini(&self->hashes);
	dmt_output_fini(&self->dotted);
	dmt_output_fini(&self->signature);
	free(self);
}

/* The table */

/* Writes a name of which TAB, LF, CR and the backslash are escaped. */
static void
put_escaped(struct dmt_output *out, struct dmtrace_text name)
{
	static const char bytes[] = "\t\n\r\\", escapes[] = "tnr\\";

	for (size_t i = 0; i < name.len; i++) {
		const char *const at = name.bytes[i] == '\0' ? NULL :
		    strchr(bytes, name.bytes[i]);

		if (at != NULL) {
			dmt_output_write(out, "\\", 1);
			dmt_output_write(out, &escapes[at - bytes], 1);
		} else {
			dmt_output_write(out, &name.bytes[i], 1);
		}
	}
}

void
dmt_anonymizer_write(const struct dmt_renamer *renamer,
    struct dmt_output *out)
{
	const struct anonymizer *const self =
	    (const struct anonymizer *)renamer;
	const struct name_map *const map = &self->map;

	dmt_output_write(out, TABLE_HEAD "\n", sizeof(TABLE_HEAD));
	for (size_t i = 0; i < map->count; i++) {
		const struct dmt_name *const name = &map->from.items[i];
		const struct naming *const naming = &map->items[i];

		dmt_output_write(out, name->class_name.bytes,
		    name->class_name.len);
		dmt_output_write(out, "\t", 1);
		put_escaped(out, naming->to);
		dmt_output_write(out, "\t", 1);
		put_escaped(out, naming->spelled.bytes == NULL ? name->name :
		    naming->spelled);
		dmt_output_write(out, "\n", 1);
	}
}

struct restorer {
	struct dmt_renamer renamer;
	struct name_map map;
	struct dmt_output signature;
};

/* Replaces the escapes in place. */
static struct dmtrace_text
unescape(char *bytes, size_t len)
{
	size_t out = 0;

	for (size_t i = 0; i < len; i++) {
		char byte = bytes[i];

		if (byte == '\\' && i + 1 < len) {
			byte = bytes[++i];
			byte = (char)(byte == 't' ? '\t' : byte == 'n' ?
			    '\n' : byte == 'r' ? '\r' : byte);
		}
		bytes[out++] = byte;
	}
	return (struct dmtrace_text){ bytes, out };
}

/* false: it is not a line of a table, or there is no memory. */
static bool
take_table_line(struct restorer *self, struct dmtrace_text line,
    uint64_t number)
{
	struct dmtrace_error *const error = &self->renamer.error;
	const char *const first = memchr(line.bytes, '\t', line.len);
	const char *const end = line.bytes + line.len;
	const char *const second = first == NULL ? NULL :
	    memchr(first + 1, '\t', (size_t)(end - first - 1));

	if (second == NULL)
		return false;
	const struct dmtrace_text kind =
	    { line.bytes, (size_t)(first - line.bytes) };
	for (unsigned i = 0; i < DMT_NAME_KINDS; i++) {
		if (!dmt_text_is(kind, dmt_name_kinds[i]))
			continue;
		const size_t len = (size_t)(end - second - 1);
		char *const copy = dmt_array_new(len + 1, 1);

		if (copy == NULL)
			return dmt_error_memory(error) == DMTRACE_OK;
		memcpy(copy, second + 1, len);
		const struct dmtrace_text to = unescape(copy, len);
		const struct dmtrace_text from =
		    { first + 1, (size_t)(second - first - 1) };
		const struct dmtrace_text known = other_name(&self->map,
		    (enum dmt_name_kind)i, from);

		if (known.bytes != NULL && !dmt_text_equal(known, to))
			dmt_error_at(error, DMTRACE_ERR_CORRUPT,
			    DMTRACE_PLACE_LINE, number, "another line has "
			    "this name, with another original");
		else if (!add_name(&self->map, (enum dmt_name_kind)i, from,
		    to))
			dmt_error_memory(error);
		free(copy);
		return error->status == DMTRACE_OK;
	}
	return false;
}

static void
read_table(struct restorer *self, struct dmt_input *input)
{
	struct dmtrace_error *const error = &self->renamer.error;
	struct dmtrace_text line;
	uint64_t number = 1;
	bool cut;

	if (!dmt_rename_line(input, &line, &cut) ||
	    !dmt_text_is(line, TABLE_HEAD)) {
		*error = input->error;
		dmt_error_at(error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_LINE,
		    1, "a table of names begins with \"kind\", \"name\" and "
		    "\"original\", separated by TABs");
		return;
	}
	while (dmt_rename_line(input, &line, &cut)) {
		number++;
		if (line.len > 0 && !take_table_line(self, line, number)) {
			dmt_error_at(error, DMTRACE_ERR_CORRUPT,
			    DMTRACE_PLACE_LINE, number, "is not a kind and"
			    " two names, separated by TABs");
			return;
		}
	}
	*error = input->error;
	if (cut)
		dmt_error_at(error, DMTRACE_ERR_TRUNCATED, DMTRACE_PLACE_LINE,
		    number + 1, "the file ends within this line, as it has no"
		    " newline: the table is not complete");
}

static bool
restore_text(const struct restorer *self, enum dmt_name_kind kind,
    struct dmtrace_text *text)
{
	const struct dmtrace_text found = other_name(&self->map, kind, *text);

	if (found.bytes != NULL)
		*text = found;
	return found.bytes != NULL;
}

/* A dmt_rename_class_fn. */
static struct dmtrace_text
restore_class(void *context, struct dmtrace_text name)
{
	restore_text(context, DMT_NAME_CLASS, &name);
	return name;
}

static bool
restore_method(void *context, size_t index, struct dmtrace_method *row)
{
	struct restorer *const self = context;
	const struct dmtrace_method from = *row;

	(void)index;
	dmt_output_clear(&self->signature);
	if (dmt_signature_rename(&self->signature, row->signature,
	    restore_class, self))
		row->signature = dmt_output_text(&self->signature);
	else
		restore_text(self, DMT_NAME_SIGNATURE, &row->signature);
	bool found = restore_text(self, DMT_NAME_CLASS, &row->class_name) ||
	    restore_text(self, DMT_NAME_RESPELLED, &row->class_name);

	found |= restore_text(self, DMT_NAME_METHOD, &row->name);
	restore_text(self, DMT_NAME_FILE, &row->file);
	if (self->signature.error.status != DMTRACE_OK)
		dmt_error_memory(&self->renamer.error);
	dmt_renamer_note(&self->renamer, found ? DMTRACE_RENAMED :
	    DMTRACE_RENAMING_UNMAPPED, &from, row);
	return true;
}

static bool
restore_thread(void *context, size_t index, struct dmtrace_thread *row)
{
	struct restorer *const self = context;

	(void)index;
	self->renamer.result.threads +=
	    restore_text(self, DMT_NAME_THREAD, &row->name);
	return true;
}

static bool
restore_option(void *context, size_t index, struct dmtrace_option *row)
{
	struct restorer *const self = context;

	(void)index;
	const bool has_name =
	    restore_text(self, DMT_NAME_OPTION, &row->name);

	self->renamer.result.options +=
	    restore_text(self, DMT_NAME_OPTION, &row->value) || has_name;
	return true;
}

struct dmt_renamer *
dmt_restorer_new(struct dmt_input *input, struct dmtrace_error *error)
{
	struct restorer *const self = calloc(1, sizeof(*self));

	if (self == NULL) {
		dmt_error_memory(error);
		return NULL;
	}
	self->renamer.rules = (struct dmt_key_rules){
		.option = restore_option, .thread = restore_thread,
		.method = restore_method, .context = self,
		.form = DMT_KEY_LINES
	};
	read_table(self, input);
	if (self->renamer.error.status == DMTRACE_OK)
		return &self->renamer;
	*error = self->renamer.error;
	dmt_restorer_free(&self->renamer);
	return NULL;
}

void
dmt_restorer_free(struct dmt_renamer *renamer)
{
	struct restorer *const self = (struct restorer *)renamer;

	free_map(&self->map);
	dmt_output_fini(&self->signature);
	free(self);
}
