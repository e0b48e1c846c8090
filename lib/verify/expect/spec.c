/* spec.c - what is expected of a trace, from its text */

#include "verify/expect/spec.h"

#include <dmtrace/duration.h>
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
begin_block(struct decoding *decoding, struct dmt_line_tokens *words)
{
	static const char *const kinds[] = {
		[DMT_BLOCK_EXACT] = "exact",
		[DMT_BLOCK_SUBSEQUENCE] = "subsequence",
		[DMT_BLOCK_RULES] = "rules",
	};
	struct dmtrace_spec *const spec = decoding->spec;
	struct dmt_token name, kind, behind;
	struct dmt_spec_block block = { .line = words->line,
	    .last_line = words->line };
	size_t i = 0;

	if (!dmt_token_next(words, &name) || !dmt_token_next(words, &kind) ||
	    !dmt_token_next(words, &behind))
		return spec->error.status;
	while (!kind.none && i < 3 && !dmt_token_is(&kind, kinds[i]))
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
	if (!dmt_name_pattern_init(spec, &block.name, &name, false,
	    words->line))
		return spec->error.status;
	blocks[spec->block_count++] = block;
	decoding->in_block = true;
	decoding->tree.count = 0;
	return DMTRACE_OK;
}

static enum dmtrace_status
take_indented(struct decoding *decoding, struct dmt_line_tokens *words,
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
take_unindented(struct decoding *decoding, struct dmt_line_tokens *words)
{
	const char *const begin = words->at;
	struct dmt_token word;

	if (!dmt_token_next(words, &word))
		return decoding->spec->error.status;
	decoding->in_block = false;
	if (dmt_token_is(&word, "thread"))
		return begin_block(decoding, words);
	if (dmt_token_is(&word, "select"))
		return dmt_spec_take_select(decoding->spec, words);
	words->at = begin;
	return dmt_spec_take_rule(decoding->spec, words, DMT_NONE);
}

/* A TAB goes on to the next multiple of 8. */
static size_t
take_blanks(struct dmt_line_tokens *words)
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
is_text(const struct dmtrace_text *line)
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
take_line(struct decoding *decoding, const struct dmtrace_text *line,
    uint64_t number)
{
	struct dmtrace_spec *const spec = decoding->spec;
	struct dmt_line_tokens words = {
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
static struct dmtrace_text
next_line(const char **in, const char *end)
{
	const char *const begin = *in;
	const char *const lf = memchr(begin, '\n', (size_t)(end - begin));
	const char *last = lf == NULL ? end : lf;

	*in = lf == NULL ? end : lf + 1;
	if (last > begin && last[-1] == '\r')
		last--;
	return (struct dmtrace_text){ begin, (size_t)(last - begin) };
}

static enum dmtrace_status
keep_line(struct dmtrace_spec *spec, struct dmtrace_text line)
{
	struct dmtrace_text *const lines = dmt_array_grow(spec->lines,
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
		const struct dmtrace_text line = next_line(&in, end);

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

uint64_t
dmt_name_hash(const char *bytes, size_t len)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++) {
		const char byte = bytes[i] == '/' ? '.' : bytes[i];

		hash = (hash ^ (unsigned char)byte) *
		    UINT64_C(0x100000001b3);
	}
	return hash;
}

static bool
is_plain_name(const struct dmt_token *word, bool regex)
{
	return word->quoted || (memchr(word->bytes, '*', word->len) == NULL &&
	    memchr(word->bytes, '?', word->len) == NULL &&
	    !(regex && word->bytes[0] == '/'));
}

static bool
compile_pattern(struct dmtrace_spec *spec, struct dmt_name_pattern *wanted,
    bool regex, uint64_t line)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };
	char *const words = dmt_arena_alloc(&spec->arena,
	    wanted->token.len + 1);

	if (words == NULL) {
		dmt_error_memory(&spec->error);
		return false;
	}
	memcpy(words, wanted->token.bytes, wanted->token.len);
	words[wanted->token.len] = '\0';
	if (dmt_pattern_init(&wanted->pattern, words, regex, &error) ==
	    DMTRACE_OK)
		return true;
	dmt_pattern_fini(&wanted->pattern);
	if (error.status == DMTRACE_ERR_MEMORY)
		dmt_error_memory(&spec->error);
	else
		dmt_spec_wrong(spec, line, "%s", error.words);
	return false;
}

bool
dmt_name_pattern_init(struct dmtrace_spec *spec,
    struct dmt_name_pattern *wanted, const struct dmt_token *word,
    bool regex, uint64_t line)
{
	*wanted = (struct dmt_name_pattern){
		.token = *word, .is_name = is_plain_name(word, regex),
		.hash = dmt_name_hash(word->bytes, word->len),
		.same_hash = DMT_NONE
	};
	return wanted->is_name || compile_pattern(spec, wanted, regex, line);
}

/* A pattern that was there before. */
static uint32_t
find_pattern(const struct dmtrace_spec *spec, const struct dmt_token *word,
    uint64_t hash)
{
	const uint32_t *const last = dmt_idmap_find(&spec->by_hash, hash);
	uint32_t i = last == NULL ? DMT_NONE : *last;

	while (i != DMT_NONE) {
		const struct dmt_name_pattern *const wanted =
		    &spec->patterns[i];

		if (wanted->is_name == is_plain_name(word, true) &&
		    wanted->token.len == word->len && memcmp(
		    wanted->token.bytes, word->bytes, word->len) == 0)
			break;
		i = wanted->same_hash;
	}
	return i;
}

static bool
keep_glob(struct dmtrace_spec *spec, uint32_t index)
{
	uint32_t *const globs = dmt_array_grow(spec->globs,
	    &spec->glob_capacity, spec->glob_count + 1, sizeof(*globs));

	if (globs == NULL)
		return false;
	spec->globs = globs;
	globs[spec->glob_count++] = index;
	return true;
}

/* By its hash, before those that have the same. */
static bool
keep_hash(struct dmtrace_spec *spec, struct dmt_name_pattern *wanted,
    uint32_t index)
{
	uint32_t *const last = dmt_idmap_find(&spec->by_hash, wanted->hash);

	if (last == NULL)
		return dmt_idmap_add(&spec->by_hash, wanted->hash, index);
	wanted->same_hash = *last;
	*last = index;
	return true;
}

static bool
add_pattern(struct dmtrace_spec *spec, const struct dmt_token *word,
    uint64_t line)
{
	const uint32_t index = (uint32_t)spec->pattern_count;
	struct dmt_name_pattern *const patterns = dmt_array_grow(spec->patterns,
	    &spec->pattern_capacity, spec->pattern_count + 1,
	    sizeof(*patterns));

	if (patterns == NULL) {
		dmt_error_memory(&spec->error);
		return false;
	}
	spec->patterns = patterns;
	if (!dmt_name_pattern_init(spec, &patterns[index], word, true, line))
		return false;
	spec->pattern_count++;
	if (keep_hash(spec, &patterns[index], index) &&
	    (patterns[index].is_name || keep_glob(spec, index)))
		return true;
	dmt_error_memory(&spec->error);
	return false;
}

bool
dmt_spec_pattern(struct dmtrace_spec *spec, const struct dmt_token *word,
    uint64_t line, uint32_t *index)
{
	if (word->none) {
		dmt_spec_wrong(spec, line, "no method is named");
		return false;
	}
	*index = find_pattern(spec, word,
	    dmt_name_hash(word->bytes, word->len));
	if (*index != DMT_NONE)
		return true;
	*index = (uint32_t)spec->pattern_count;
	return add_pattern(spec, word, line);
}

static bool
get_time(const char *words, uint64_t *ns)
{
	int64_t time_ns;

	if (dmtrace_duration_parse(words, &time_ns) != DMTRACE_OK ||
	    time_ns < 0)
		return false;
	*ns = (uint64_t)time_ns;
	return true;
}

/* Digits, which may be missing; what stands behind them. */
static const char *
get_depth(const char *words, uint32_t *depth)
{
	const size_t len = strspn(words, "0123456789");

	if (len > 0 && len < 10)
		*depth = (uint32_t)strtoul(words, NULL, 10);
	return len < 10 ? words + len : "?";
}

/* A, A..B, A.. or ..B */
static bool
set_depth(struct dmtrace_selection *selection, const char *words)
{
	uint32_t first = 1, last = UINT32_MAX;
	const char *const behind = get_depth(words, &first);

	if (*behind == '\0' && behind > words)
		last = first;
	else if (strncmp(behind, "..", 2) != 0 || strlen(words) == 2 ||
	    *get_depth(behind + 2, &last) != '\0')
		return false;
	return dmtrace_selection_set_depth(selection, first, last) ==
	    DMTRACE_OK;
}

static bool
set_min_time(struct dmtrace_selection *selection, const char *words)
{
	uint64_t ns;

	if (!get_time(words, &ns))
		return false;
	dmtrace_selection_set_min_time(selection, ns);
	return true;
}

static const struct {
	const char *word;
	enum dmtrace_condition condition;
} conditions[] = {
	{ "thread", DMTRACE_SELECT_THREAD },
	{ "method", DMTRACE_SELECT_METHOD },
	{ "under", DMTRACE_SELECT_UNDER },
	{ "hide", DMTRACE_SELECT_HIDE },
};

static const char *
set_window(struct dmtrace_spec *spec, const char *words, uint64_t *edge_ns)
{
	if (!get_time(words, edge_ns))
		return "not a time with a unit, such as 1.5ms";
	return dmtrace_selection_set_window(spec->selection, spec->from_ns,
	    spec->to_ns, 0) == DMTRACE_OK ? NULL :
	    dmtrace_selection_error(spec->selection)->words;
}

/* NULL or what is wrong. */
static const char *
apply_select(struct dmtrace_spec *spec, const struct dmt_select *select)
{
	struct dmtrace_selection *const selection = spec->selection;

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]);
	    i++)
		if (strcmp(select->condition, conditions[i].word) == 0)
			return dmtrace_selection_add(selection,
			    conditions[i].condition, select->value) ==
			    DMTRACE_OK ? NULL :
			    dmtrace_selection_error(selection)->words;
	if (strcmp(select->condition, "depth") == 0)
		return set_depth(selection, select->value) ? NULL :
		    "not A..B, depths from 1 up";
	if (strcmp(select->condition, "min-time") == 0)
		return set_min_time(selection, select->value) ? NULL :
		    "not a time with a unit, such as 1.5ms";
	if (strcmp(select->condition, "from") == 0)
		return set_window(spec, select->value, &spec->from_ns);
	if (strcmp(select->condition, "to") == 0)
		return set_window(spec, select->value, &spec->to_ns);
	return "select thread, method, under, hide, depth, from, to or "
	    "min-time";
}

static char *
copy_text(struct dmtrace_spec *spec, const char *bytes, size_t len)
{
	char *const words = dmt_arena_alloc(&spec->arena, len + 1);

	if (words == NULL)
		return NULL;
	memcpy(words, bytes, len);
	words[len] = '\0';
	return words;
}

/* One more. On a failure error says what, line 0: of the caller. */
static enum dmtrace_status
add_select(struct dmtrace_spec *spec, struct dmtrace_text condition,
    struct dmtrace_text words, enum dmtrace_status status, uint64_t line)
{
	struct dmt_select *const selects = dmt_array_grow(spec->selects,
	    &spec->select_capacity, spec->select_count + 1, sizeof(*selects));
	const struct dmt_select select = {
		copy_text(spec, condition.bytes, condition.len),
		copy_text(spec, words.bytes, words.len)
	};
	char shown[DMT_ESCAPED_MAX];

	if (selects != NULL)
		spec->selects = selects;
	if (spec->selection == NULL) {
		spec->selection = dmtrace_selection_new();
		spec->from_ns = 0;
		spec->to_ns = UINT64_MAX;
	}
	if (selects == NULL || select.condition == NULL ||
	    select.value == NULL || spec->selection == NULL)
		return dmt_error_memory(&spec->error);
	selects[spec->select_count++] = select;
	const char *const why = apply_select(spec, &select);
	if (why == NULL)
		return DMTRACE_OK;
	if (dmtrace_selection_error(spec->selection)->status ==
	    DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&spec->error);
	return dmt_error_at(&spec->error, status, line == 0 ?
	    DMTRACE_PLACE_NONE : DMTRACE_PLACE_LINE, line,
	    "select %.20s \"%s\": %s", select.condition, dmt_escape(shown,
	    sizeof(shown), select.value, strlen(select.value)), why);
}

enum dmtrace_status
dmt_spec_take_select(struct dmtrace_spec *spec, struct dmt_line_tokens *words)
{
	struct dmt_token condition, word, behind;

	if (!dmt_token_next(words, &condition) ||
	    !dmt_token_next(words, &word) || !dmt_token_next(words, &behind))
		return spec->error.status;
	if (word.none || !behind.none ||
	    (word.len > 0 && memchr(word.bytes, '\0', word.len) != NULL))
		return dmt_spec_wrong(spec, words->line, "behind select "
		    "stand two words: thread, method, under, hide, depth, "
		    "from, to or min-time, and which");
	return add_select(spec,
	    (struct dmtrace_text){ condition.bytes, condition.len },
	    (struct dmtrace_text){ word.bytes, word.len }, DMTRACE_ERR_CORRUPT,
	    words->line);
}

enum dmtrace_status
dmtrace_spec_select(struct dmtrace_spec *spec, const char *condition,
    const char *words)
{
	dmt_error_clear(&spec->error);
	if (!spec->selects_given) {
		dmtrace_selection_free(spec->selection);
		spec->selection = NULL;
		spec->select_count = 0;
	}
	spec->selects_given = true;
	return add_select(spec,
	    (struct dmtrace_text){ condition, strlen(condition) },
	    (struct dmtrace_text){ words, strlen(words) },
	    DMTRACE_ERR_RANGE, 0);
}

struct dmtrace_selection *
dmtrace_spec_selection(struct dmtrace_spec *spec)
{
	return spec->selection;
}
