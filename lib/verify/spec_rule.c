/* spec_rule.c - rules, a line each */

#include <dmtrace/duration.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "verify/spec.h"

/* What follows the first word. */
enum {
	HAS_PATTERN = 1,
	HAS_NUMBER = 2,
	HAS_TIME = 4,
	OF_ALL_THREADS = 8		/* not in a thread's block */
};

static const struct row {
	const char *word;
	enum dmt_rule_kind kind;
	unsigned has;
	const char *right;
} rows[] = {
	{ "calls", DMT_RULE_CALLS, HAS_PATTERN | HAS_NUMBER,
	    "calls METHOD [OP] NUMBER" },
	{ "never", DMT_RULE_NEVER, HAS_PATTERN, "never METHOD" },
	{ "depth", DMT_RULE_DEPTH, HAS_NUMBER, "depth [OP] NUMBER" },
	{ "inclusive", DMT_RULE_INCLUSIVE, HAS_PATTERN | HAS_TIME,
	    "inclusive METHOD [OP] TIME [cpu|wall]" },
	{ "exclusive", DMT_RULE_EXCLUSIVE, HAS_PATTERN | HAS_TIME,
	    "exclusive METHOD [OP] TIME [cpu|wall]" },
	{ "threads", DMT_RULE_THREADS, HAS_NUMBER, "threads [OP] NUMBER" },
	{ "no", DMT_RULE_NO_OTHERS, OF_ALL_THREADS, "no other threads" },
};

/* Other words that a line may begin with. */
static const char *const settings[] = { "thread", "select" };

enum {
	ROWS = sizeof(rows) / sizeof(rows[0]),
	SETTINGS = sizeof(settings) / sizeof(settings[0])
};

static const struct {
	const char *word;
	enum dmt_compare compare;
} compares[] = {
	{ "==", DMT_EQUAL }, { "=", DMT_EQUAL }, { "!=", DMT_UNEQUAL },
	{ "<", DMT_LESS }, { "<=", DMT_AT_MOST }, { ">", DMT_MORE },
	{ ">=", DMT_AT_LEAST },
};

/* How many letters of the shorter word stand in the other one, in order. */
static size_t
letters_shared(const struct dmt_word *word, const char *keyword)
{
	size_t shared = 0;

	for (size_t i = 0; i < word->len && *keyword != '\0'; i++) {
		const char *const at = strchr(keyword, word->bytes[i]);

		if (at == NULL || word->bytes[i] == '\0')
			continue;
		shared++;
		keyword = at + 1;
	}
	return shared;
}

/* All but one of its letters, and not many others. */
static bool
is_near(const struct dmt_word *word, const char *keyword)
{
	const size_t len = strlen(keyword);

	return letters_shared(word, keyword) + 1 >= len &&
	    word->len <= len + 2;
}

/* What else would be right, and is near, as the end of a message. */
static const char *
right_words(const struct dmt_word *word, char *out, size_t size)
{
	static const char all[] = "; a line is a rule (calls, never, depth, "
	    "inclusive, exclusive, threads, A before B, A under B, no other "
	    "threads), or begins with thread or select";

	for (size_t i = 0; i < ROWS + SETTINGS; i++) {
		const char *const keyword = i < ROWS ? rows[i].word :
		    settings[i - ROWS];

		if (i == ROWS - 1 || !is_near(word, keyword))
			continue;
		snprintf(out, size, " (did you mean %s?)", keyword);
		return out;
	}
	snprintf(out, size, "%s", all);
	return out;
}

static const struct row *
find_row(const struct dmt_word *word)
{
	for (size_t i = 0; i < ROWS; i++)
		if (dmt_word_is(word, rows[i].word))
			return &rows[i];
	return NULL;
}

static enum dmtrace_status
fail(struct dmtrace_spec *spec, const struct dmt_words *words,
    const struct dmt_word *word, const char *right)
{
	char found[DMT_ESCAPED_MAX];

	if (word->none)
		return dmt_spec_wrong(spec, words->line,
		    "the line ends too soon; it is \"%s\"", right);
	return dmt_spec_wrong(spec, words->line, "\"%s\" has no place here; "
	    "it is \"%s\"", dmt_escape(found, sizeof(found), word->bytes,
	    word->len), right);
}

/* The operator, which may be missing, and the word behind it. */
static bool
take_compare(struct dmt_words *words, struct dmt_rule *rule,
    struct dmt_word *word)
{
	if (!dmt_words_next(words, word))
		return false;
	for (size_t i = 0; i < sizeof(compares) / sizeof(compares[0]); i++)
		if (dmt_word_is(word, compares[i].word)) {
			rule->compare = compares[i].compare;
			return dmt_words_next(words, word);
		}
	return true;
}

static bool
get_time(const struct dmt_word *word, uint64_t *ns)
{
	char text[64];
	int64_t time_ns;

	if (word->none || word->quoted || word->len >= sizeof(text))
		return false;
	memcpy(text, word->bytes, word->len);
	text[word->len] = '\0';
	if (dmtrace_duration_parse(text, &time_ns) != DMTRACE_OK ||
	    time_ns < 0)
		return false;
	*ns = (uint64_t)time_ns;
	return true;
}

/* The clock, which may be missing. */
static enum dmtrace_status
take_clock(struct dmtrace_spec *spec, struct dmt_words *words,
    struct dmt_rule *rule, const struct row *row)
{
	struct dmt_word word;

	rule->time = DMT_TIME_ANY;
	if (!dmt_words_next(words, &word))
		return spec->error.status;
	if (dmt_word_is(&word, "cpu"))
		rule->time = DMT_TIME_CPU;
	else if (dmt_word_is(&word, "wall"))
		rule->time = DMT_TIME_WALL;
	else if (!word.none)
		return fail(spec, words, &word, row->right);
	return DMTRACE_OK;
}

static enum dmtrace_status
take_value(struct dmtrace_spec *spec, struct dmt_words *words,
    struct dmt_rule *rule, const struct row *row)
{
	struct dmt_word word;

	if (!take_compare(words, rule, &word))
		return spec->error.status;
	if (row->has & HAS_NUMBER)
		return dmt_word_number(&word, &rule->number) ? DMTRACE_OK :
		    fail(spec, words, &word, row->right);
	if (get_time(&word, &rule->number))
		return take_clock(spec, words, rule, row);
	if (!dmt_word_number(&word, &rule->number))
		return fail(spec, words, &word, row->right);
	return dmt_spec_wrong(spec, words->line, "the time %" PRIu64
	    " has no unit (ns, us, ms, s, min or h), such as %" PRIu64 "us",
	    rule->number, rule->number);
}

static enum dmtrace_status
take_pattern(struct dmtrace_spec *spec, struct dmt_words *words,
    struct dmt_rule *rule, unsigned role, const char *right)
{
	struct dmt_word word;

	if (!dmt_words_next(words, &word))
		return spec->error.status;
	if (word.none)
		return fail(spec, words, &word, right);
	dmt_spec_pattern(spec, &word, words->line, &rule->patterns[role]);
	return spec->error.status;
}

static enum dmtrace_status
take_words(struct dmtrace_spec *spec, struct dmt_words *words,
    const struct row *row)
{
	static const char *const others[] = { "other", "threads" };
	struct dmt_word word;

	for (size_t i = 0; i < 2; i++) {
		if (!dmt_words_next(words, &word))
			return spec->error.status;
		if (!dmt_word_is(&word, others[i]))
			return fail(spec, words, &word, row->right);
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
take_row(struct dmtrace_spec *spec, struct dmt_words *words,
    struct dmt_rule *rule, const struct row *row)
{
	rule->kind = row->kind;
	if (row->has & OF_ALL_THREADS && rule->block != DMT_NONE)
		return dmt_spec_wrong(spec, words->line,
		    "\"%s\" is not of one thread; it is not indented",
		    row->right);
	if (row->has & OF_ALL_THREADS)
		return take_words(spec, words, row);
	if (row->has & HAS_PATTERN && take_pattern(spec, words, rule, 0,
	    row->right) != DMTRACE_OK)
		return spec->error.status;
	return row->has & (HAS_NUMBER | HAS_TIME) ?
	    take_value(spec, words, rule, row) : DMTRACE_OK;
}

/* "A before C" and "A under C", behind A. */
static enum dmtrace_status
take_relation(struct dmtrace_spec *spec, struct dmt_words *words,
    struct dmt_rule *rule, const struct dmt_word *first)
{
	char found[DMT_ESCAPED_MAX], right[DMTRACE_WORDS_MAX];
	struct dmt_word word;

	if (!dmt_words_next(words, &word))
		return spec->error.status;
	const bool before = dmt_word_is(&word, "before");
	if (!before && !dmt_word_is(&word, "under"))
		return dmt_spec_wrong(spec, words->line,
		    "\"%s\" begins no rule%s", dmt_escape(found,
		    sizeof(found), first->bytes, first->len),
		    right_words(first, right, sizeof(right)));
	rule->kind = before ? DMT_RULE_BEFORE : DMT_RULE_UNDER;
	if (!dmt_spec_pattern(spec, first, words->line, &rule->patterns[0]))
		return spec->error.status;
	return take_pattern(spec, words, rule, 1,
	    before ? "METHOD before METHOD" : "METHOD under METHOD");
}

static bool
add_use(struct dmtrace_spec *spec, uint32_t pattern, uint32_t rule,
    uint32_t role)
{
	struct dmt_use *const uses = dmt_array_grow(spec->uses,
	    &spec->use_capacity, spec->use_count + 1, sizeof(*uses));

	if (uses == NULL)
		return false;
	spec->uses = uses;
	uses[spec->use_count] = (struct dmt_use){ rule, role,
	    spec->patterns[pattern].use };
	spec->patterns[pattern].use = (uint32_t)spec->use_count++;
	return true;
}

static enum dmtrace_status
add(struct dmtrace_spec *spec, struct dmt_rule *rule)
{
	struct dmt_rule *const rules = dmt_array_grow(spec->rules,
	    &spec->rule_capacity, spec->rule_count + 1, sizeof(*rules));

	if (rules == NULL)
		return dmt_error_memory(&spec->error);
	spec->rules = rules;
	if (rule->kind == DMT_RULE_UNDER || rule->kind == DMT_RULE_INCLUSIVE)
		rule->slot = spec->slots++;
	for (uint32_t role = 0; role < 2; role++)
		if (rule->patterns[role] != DMT_NONE &&
		    !add_use(spec, rule->patterns[role],
		    (uint32_t)spec->rule_count, role))
			return dmt_error_memory(&spec->error);
	if (rule->block != DMT_NONE) {
		struct dmt_spec_block *const block = &spec->blocks[rule->block];

		block->last_line = rule->line;
		block->counts_threads |= rule->kind == DMT_RULE_THREADS;
	}
	rules[spec->rule_count++] = *rule;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_spec_take_rule(struct dmtrace_spec *spec, struct dmt_words *words,
    uint32_t block)
{
	struct dmt_rule rule = {
		.block = block, .line = words->line, .slot = DMT_NONE,
		.patterns = { DMT_NONE, DMT_NONE }
	};
	struct dmt_word word;

	if (!dmt_words_next(words, &word))
		return spec->error.status;
	const struct row *const row = find_row(&word);
	if ((row == NULL ? take_relation(spec, words, &rule, &word) :
	    take_row(spec, words, &rule, row)) != DMTRACE_OK)
		return spec->error.status;
	if (!dmt_words_next(words, &word))
		return spec->error.status;
	if (!word.none)
		return fail(spec, words, &word, row != NULL ? row->right :
		    "METHOD before METHOD, or METHOD under METHOD");
	return add(spec, &rule);
}
