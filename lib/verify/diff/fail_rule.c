/* fail_rule.c - parses the rules of diff */

/*
 * A rule is FIGURE(METHOD) or "total", an operator and a limit, perhaps "and"
 * and another operator and limit, and perhaps a clock. Its words are those of
 * specifications. A percentage is a change, and so is an amount with a sign; an
 * amount without a sign is a new value.
 */

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "private/status.h"
#include "verify/rule_text.h"

static const struct {
	const char *word;
	enum dmt_diff_subject subject;
} figure_rows[] = {
	{ "inclusive", DMT_DIFF_OF_INCLUSIVE },
	{ "exclusive", DMT_DIFF_OF_EXCLUSIVE },
	{ "calls", DMT_DIFF_OF_CALLS },
	{ "total", DMT_DIFF_OF_INCLUSIVE },
};

#define TOTAL 3			/* the row without a method */

#define SHOWN_MAX DMT_ESCAPED_MAX

static const char *
show_token(char shown[SHOWN_MAX], const struct dmt_token *token)
{
	return dmt_escape(shown, SHOWN_MAX, token->bytes, token->len);
}

/* Sets the method of the rule, which is checked. */
static void
set_rule_method(struct dmt_diff_rule *rule, struct dmt_line_tokens *tokens,
    const struct dmt_token *token)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	rule->is_name = token->quoted;
	rule->parsed = malloc(token->len + 1);
	rule->method = rule->parsed;
	if (rule->parsed == NULL) {
		dmt_error_memory(tokens->error);
		return;
	}
	memcpy(rule->parsed, token->bytes, token->len);
	rule->parsed[token->len] = '\0';
	if (strlen(rule->method) != token->len)
		dmt_token_fail(tokens, "a NUL byte in a name");
	else if (!rule->is_name &&
	    dmt_pattern_check(rule->method, &error) == DMTRACE_ERR_MEMORY)
		dmt_error_memory(tokens->error);
	else if (error.status != DMTRACE_OK)
		dmt_token_fail(tokens, "\"%.60s\": %s", rule->method,
		    error.message);
}

/* Parses "inclusive(METHOD)" or "total". */
static void
parse_figure(struct dmt_diff_rule *rule, struct dmt_line_tokens *tokens)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-_";
	char shown[SHOWN_MAX];
	size_t len = 0, row = 0;

	dmt_token_skip_blanks(tokens);
	const char *const begin = tokens->at;
	while (begin + len < tokens->end &&
	    memchr(letters, begin[len], sizeof(letters) - 1) != NULL)
		len++;
	while (row <= TOTAL && (strlen(figure_rows[row].word) != len ||
	    memcmp(begin, figure_rows[row].word, len) != 0))
		row++;
	if (row > TOTAL) {
		const struct dmt_token word = { .bytes = begin,
		    .len = len > 0 ? len : (size_t)(tokens->end - begin) };

		dmt_token_fail(tokens, "%s%s%s; a rule begins with inclusive, "
		    "exclusive or calls and a method in brackets, or with "
		    "total", word.len == 0 ? "the rule is empty" :
		    "unknown figure \"", word.len == 0 ? "" :
		    show_token(shown, &word), word.len == 0 ? "" : "\"");
		return;
	}
	rule->subject = figure_rows[row].subject;
	tokens->at += len;
	dmt_token_skip_blanks(tokens);
	const bool has_bracket = tokens->at < tokens->end &&
	    *tokens->at == '(';
	if (row == TOTAL) {
		if (has_bracket)
			dmt_token_fail(tokens, "total is about the whole "
			    "trace: it has no method in brackets");
		return;
	}
	if (!has_bracket) {
		dmt_token_fail(tokens, "the brackets around the method are "
		    "missing, as in \"%s(Foo.bar)\"", figure_rows[row].word);
		return;
	}
	const struct dmt_token method = dmt_token_bracketed(tokens);
	if (!method.none)
		set_rule_method(rule, tokens, &method);
}

/* Parses a percentage, or a number of calls, which may be a median. */
static bool
parse_amount(const struct dmt_token *token, size_t len, bool percent,
    double *number)
{
	const bool has_sign = len > 0 && (token->bytes[0] == '+' ||
	    token->bytes[0] == '-');
	char text[32];
	uint64_t count;

	if (len - has_sign == 0 || len - has_sign >= sizeof(text))
		return false;
	memcpy(text, token->bytes + has_sign, len - has_sign);
	text[len - has_sign] = '\0';
	if (!percent && dmt_count_parse(text, 1000, &count))
		*number = (double)count;
	else if (!dmt_decimal_parse(text, number))
		return false;
	if (token->bytes[0] == '-')
		*number = -*number;
	return true;
}

/* Parses an operator and a limit. */
static void
parse_limit(struct dmt_diff_rule *rule, struct dmt_line_tokens *tokens)
{
	struct dmt_diff_limit *const limit =
	    &rule->limits[rule->limit_count++];
	const bool is_time = rule->subject != DMT_DIFF_OF_CALLS;
	char shown[SHOWN_MAX];
	int64_t ns;

	const bool compared = dmt_token_compare(tokens, &limit->compare);
	const struct dmt_token token = dmt_token_next(tokens);
	if (!compared || token.none) {
		dmt_token_fail(tokens, "%s%s%s%s: %s", compared ?
		    "the limit after the operator is missing" :
		    "the operator is missing", token.none ? "" : " before \"",
		    token.none ? "" : show_token(shown, &token),
		    token.none ? "" : "\"", !compared ? DMT_OPERATORS :
		    is_time ? "20ms, +1.5ms or +5%" : "3, +10 or +5%");
		return;
	}

	/* A blank may be in front of the "%". */
	struct dmt_line_tokens ahead = *tokens;
	const struct dmt_token next = dmt_token_next(&ahead);
	const bool ends = token.len > 0 && token.bytes[token.len - 1] == '%';
	const bool is_percent = ends || dmt_token_is(&next, "%");
	if (is_percent && !ends)
		*tokens = ahead;

	limit->measure = is_percent ? DMT_DIFF_PERCENT : token.len > 0 &&
	    (token.bytes[0] == '+' || token.bytes[0] == '-') ?
	    DMT_DIFF_SHIFT : DMT_DIFF_VALUE;
	if (is_time && !is_percent) {
		if (dmt_token_time(tokens, &token, &ns))
			limit->number = (double)ns;
	} else if (token.quoted || !parse_amount(&token, token.len - ends,
	    is_percent, &limit->number)) {
		dmt_token_fail(tokens, "\"%s\" is not %s",
		    show_token(shown, &token), is_percent ?
		    "a percentage, such as +5% or -0.5%" :
		    "a number of calls or a percentage, such as 3, +10, 1.5M "
		    "or +5%");
	}
}

enum dmtrace_status
dmt_diff_rule_parse(struct dmt_diff_rule *rule, const char *text,
    struct dmtrace_error *error)
{
	struct dmt_arena arena = { 0 };
	struct dmt_line_tokens tokens = {
		.at = text, .end = text + strlen(text), .arena = &arena,
		.error = error
	};
	struct dmt_token token = { .none = true };
	char shown[SHOWN_MAX];
	enum dmt_time clock;

	*error = (struct dmtrace_error){ .status = DMTRACE_OK };
	*rule = (struct dmt_diff_rule){ .clock = DMT_TIME_ANY };
	parse_figure(rule, &tokens);
	while (error->status == DMTRACE_OK && rule->limit_count < 2) {
		parse_limit(rule, &tokens);
		token = dmt_token_next(&tokens);
		if (dmt_token_clock(&token, &clock)) {
			if (rule->subject == DMT_DIFF_OF_CALLS)
				dmt_token_fail(&tokens, "calls have no clock");
			if (rule->clock != DMT_TIME_ANY &&
			    rule->clock != clock)
				dmt_token_fail(&tokens, "a rule has one clock,"
				    " not both cpu and wall");
			rule->clock = clock;
			token = dmt_token_next(&tokens);
		}
		if (!dmt_token_is(&token, "and"))
			break;
	}
	if (!token.none)
		dmt_token_fail(&tokens, rule->limit_count == 2 ?
		    "unexpected \"%s\" after the second limit" :
		    "unexpected \"%s\" after the limit; \"and\" and another "
		    "limit may follow, and cpu or wall",
		    show_token(shown, &token));
	dmt_arena_fini(&arena);
	return error->status;
}

void
dmt_diff_rule_fini(struct dmt_diff_rule *rule)
{
	free(rule->parsed);
}
