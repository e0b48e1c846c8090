/* spec.c - what is expected of a trace, from its text */

#include "verify/spec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/source.h"

#define LENGTH_MAX (UINT64_C(1) << 31)

struct dmtrace_spec *
dmtrace_spec_new(void)
{
	return dmt_array_new(1, sizeof(struct dmtrace_spec));
}

void
dmtrace_spec_free(struct dmtrace_spec *spec)
{
	if (spec == NULL)
		return;
	for (size_t i = 0; i < spec->pattern_count; i++)
		if (!spec->patterns[i].is_name)
			dmt_pattern_fini(&spec->patterns[i].pattern);
	for (size_t i = 0; i < spec->block_count; i++)
		if (!spec->blocks[i].name.is_name)
			dmt_pattern_fini(&spec->blocks[i].name.pattern);
	free(spec->text);
	free(spec->lines);
	dmt_arena_fini(&spec->arena);
	free(spec->rules);
	free(spec->blocks);
	free(spec->nodes);
	free(spec->patterns);
	dmt_idmap_fini(&spec->by_hash);
	free(spec->globs);
	free(spec->uses);
	free(spec->selects);
	dmtrace_selection_free(spec->selection);
	free(spec);
}

const struct dmtrace_error *
dmtrace_spec_error(const struct dmtrace_spec *spec)
{
	return &spec->error;
}

enum dmtrace_status
dmt_spec_wrong(struct dmtrace_spec *spec, uint64_t line, const char *format,
    ...)
{
	char words[DMTRACE_WORDS_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	return dmt_error_at(&spec->error, DMTRACE_ERR_CORRUPT,
	    DMTRACE_PLACE_LINE, line, "%s", words);
}

/* What is being decoded. */
struct decoding {
	struct dmtrace_spec *spec;
	struct dmt_tree tree;		/* of the block under way */
	bool in_block;
};

/* A tree has none below one that ended it. */
static enum dmtrace_status
begin_block(struct decoding *decoding, struct dmt_words *words)
{
	static const char *const kinds[] = {
		[DMT_BLOCK_EXACT] = "exact",
		[DMT_BLOCK_SUBSEQUENCE] = "subsequence",
		[DMT_BLOCK_RULES] = "rules",
	};
	struct dmtrace_spec *const spec = decoding->spec;
	struct dmt_word name, kind, behind;
	struct dmt_spec_block block = { .line = words->line,
	    .last_line = words->line };
	size_t i = 0;

	if (!dmt_words_next(words, &name) || !dmt_words_next(words, &kind) ||
	    !dmt_words_next(words, &behind))
		return spec->error.status;
	while (!kind.none && i < 3 && !dmt_word_is(&kind, kinds[i]))
		i++;
	if (name.none || i == 3 || !behind.none)
		return dmt_spec_wrong(spec, words->line,
		    "it is \"thread NAME [exact|subsequence|rules]\"");
	block.kind = (enum dmt_block_kind)i;
	struct dmt_spec_block *const blocks = dmt_array_grow(spec->blocks,
	    &spec->block_capacity, spec->block_count + 1, sizeof(*blocks));
	if (blocks == NULL)
		return dmt_error_memory(&spec->error);
	spec->blocks = blocks;
	if (!dmt_wanted_init(spec, &block.name, &name, false, words->line))
		return spec->error.status;
	blocks[spec->block_count++] = block;
	decoding->in_block = true;
	decoding->tree.count = 0;
	return DMTRACE_OK;
}

static enum dmtrace_status
take_indented(struct decoding *decoding, struct dmt_words *words,
    size_t columns)
{
	struct dmtrace_spec *const spec = decoding->spec;

	if (!decoding->in_block)
		return dmt_spec_wrong(spec, words->line,
		    "an indented line stands below a line \"thread\"");
	if (spec->blocks[spec->block_count - 1].kind == DMT_BLOCK_RULES)
		return dmt_spec_take_rule(spec, words,
		    (uint32_t)spec->block_count - 1);
	return dmt_spec_take_call(spec, &decoding->tree, words, columns);
}

static enum dmtrace_status
take_unindented(struct decoding *decoding, struct dmt_words *words)
{
	const char *const begin = words->at;
	struct dmt_word word;

	if (!dmt_words_next(words, &word))
		return decoding->spec->error.status;
	decoding->in_block = false;
	if (dmt_word_is(&word, "thread"))
		return begin_block(decoding, words);
	if (dmt_word_is(&word, "select"))
		return dmt_spec_take_select(decoding->spec, words);
	words->at = begin;
	return dmt_spec_take_rule(decoding->spec, words, DMT_NONE);
}

/* A TAB goes on to the next multiple of 8. */
static size_t
take_blanks(struct dmt_words *words)
{
	size_t columns = 0;

	for (; words->at < words->end; words->at++) {
		if (*words->at == '\t')
			columns += 8 - columns % 8;
		else if (*words->at == ' ')
			columns++;
		else
			break;
	}
	return columns;
}

/* Text, and no character of it one that a terminal obeys. */
static bool
is_text(const struct dmt_span *line)
{
	for (size_t i = 0; i < line->len;) {
		const char byte = line->bytes[i];
		char unit[DMT_UNIT_MAX + 1];
		size_t used;

		if ((byte >= ' ' && byte <= '~') || byte == '\t') {
			i++;
			continue;
		}
		const size_t size = dmt_escape_first(unit, &used,
		    line->bytes + i, line->len - i);
		if (used != size || unit[0] != byte)
			return false;
		i += size;
	}
	return true;
}

static enum dmtrace_status
take_line(struct decoding *decoding, const struct dmt_span *line,
    uint64_t number)
{
	struct dmtrace_spec *const spec = decoding->spec;
	struct dmt_words words = {
		.at = line->bytes, .end = line->bytes + line->len,
		.line = number, .arena = &spec->arena, .error = &spec->error
	};

	if (!is_text(line))
		return dmt_spec_wrong(spec, number, "not text in UTF-8 without "
		    "control characters; a name that has others stands in "
		    "quotes, with \\xNN");
	const size_t columns = take_blanks(&words);
	if (words.at == words.end || *words.at == '#')
		return DMTRACE_OK;
	return columns > 0 ? take_indented(decoding, &words, columns) :
	    take_unindented(decoding, &words);
}

/* Without what ends it, CR too. */
static struct dmt_span
next_line(const char **in, const char *end)
{
	const char *const begin = *in;
	const char *const lf = memchr(begin, '\n', (size_t)(end - begin));
	const char *last = lf == NULL ? end : lf;

	*in = lf == NULL ? end : lf + 1;
	if (last > begin && last[-1] == '\r')
		last--;
	return (struct dmt_span){ begin, (size_t)(last - begin) };
}

static enum dmtrace_status
keep_line(struct dmtrace_spec *spec, struct dmt_span line)
{
	struct dmt_span *const lines = dmt_array_grow(spec->lines,
	    &spec->line_capacity, spec->line_count + 1, sizeof(*lines));

	if (lines == NULL)
		return dmt_error_memory(&spec->error);
	spec->lines = lines;
	lines[spec->line_count++] = line;
	return DMTRACE_OK;
}

/* The text is the spec's. */
static enum dmtrace_status
decode(struct dmtrace_spec *spec)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct decoding decoding = { .spec = spec };
	const char *in = spec->text;
	const char *const end = in + spec->len;

	if (spec->len >= 3 && memcmp(in, mark, 3) == 0)
		in += 3;
	while (in < end && spec->error.status == DMTRACE_OK) {
		const struct dmt_span line = next_line(&in, end);

		if (keep_line(spec, line) == DMTRACE_OK)
			take_line(&decoding, &line, spec->line_count);
	}
	free(decoding.tree.levels);
	return spec->error.status;
}

/* NULL: there was one already, or it is too long. */
static char *
begin_text(struct dmtrace_spec *spec, uint64_t len)
{
	if (spec->text != NULL || spec->error.status != DMTRACE_OK) {
		dmt_error_set(&spec->error, DMTRACE_ERR_STATE,
		    "the spec was decoded before");
		return NULL;
	}
	if (len > LENGTH_MAX) {
		dmt_error_set(&spec->error, DMTRACE_ERR_LIMIT,
		    "more than %" PRIu64 " bytes", LENGTH_MAX);
		return NULL;
	}
	spec->text = dmt_array_new((size_t)len + 1, 1);
	if (spec->text == NULL)
		dmt_error_memory(&spec->error);
	return spec->text;
}

enum dmtrace_status
dmtrace_spec_decode(struct dmtrace_spec *spec, const void *bytes, size_t len)
{
	if (begin_text(spec, len) == NULL)
		return spec->error.status;
	if (len > 0)
		memcpy(spec->text, bytes, len);
	spec->len = len;
	return decode(spec);
}

/* All that the source gives. */
static void
read_all(struct dmtrace_spec *spec, struct dmt_source *source)
{
	const uint8_t *bytes;
	size_t want = DMT_BLOCK_SIZE, len;

	while ((len = dmt_source_peek(source, want, &bytes)) >= want &&
	    len <= LENGTH_MAX)
		want = len + 1;
	if (source->error.status == DMTRACE_OK)
		dmtrace_spec_decode(spec, bytes, len);
	else if (spec->error.status == DMTRACE_OK)
		spec->error = source->error;
}

enum dmtrace_status
dmtrace_spec_read(struct dmtrace_spec *spec, const struct dmtrace_file *file)
{
	struct dmt_source source = { .fd = -1 };

	if (file->path == NULL)
		dmt_source_open_fd(&source, file->fd);
	else
		dmt_source_open_path(&source, file->path);
	read_all(spec, &source);
	dmt_source_fini(&source);
	return spec->error.status;
}
