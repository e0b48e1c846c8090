/* rule_text.h - the words of a rule: figures, operators, numbers and times */
#ifndef DMT_VERIFY_RULE_TEXT_H
#define DMT_VERIFY_RULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "private/verify.h"

/* As messages list them. */
#define DMT_OPERATORS "==, !=, <, <=, > and >="

/* A token after decoding; no NUL follows the bytes. */
struct dmt_token {
	const char *bytes;
	size_t len;
	bool quoted;			/* no character in it is special */
	bool none;			/* the line has no more tokens */
};

/* A line whose tokens are taken one by one. */
struct dmt_line_tokens {
	const char *at;
	const char *end;
	uint64_t line;			/* its number, for errors; 0: none */
	struct dmt_arena *arena;	/* for the text of quoted tokens */
	struct dmtrace_error *error;	/* the first one */
};

/* Sets the error to DMTRACE_ERR_CORRUPT, unless there is one. */
void
dmt_token_fail(const struct dmt_line_tokens *tokens, const char *format, ...)
    DMT_PRINTF(2, 3);

void
dmt_token_skip_blanks(struct dmt_line_tokens *tokens);

/* Returns the next token. Its member none is set at the end of the line, at a
 * comment, and after an error. */
struct dmt_token
dmt_token_next(struct dmt_line_tokens *tokens);

/* Returns what is in brackets, of which the first one is next: quoted, a
 * regular expression, or a text in which brackets are balanced. none: the error
 * is set. */
struct dmt_token
dmt_token_bracketed(struct dmt_line_tokens *tokens);

/* Returns true if the token is this word. */
bool
dmt_token_is(const struct dmt_token *token, const char *keyword);

/* Takes an operator. false: no operator follows; the error is set if an unknown
 * one does. */
bool
dmt_token_compare(struct dmt_line_tokens *tokens, enum dmt_compare *compare);

/* Parses a number without a sign: dmt_count_parse. */
bool
dmt_token_count(const struct dmt_token *token, uint64_t *number);

/* Parses a time with a unit, and perhaps a sign. false: the error is set. */
bool
dmt_token_time(const struct dmt_line_tokens *tokens,
    const struct dmt_token *token, int64_t *ns);

/* Parses the name of a clock. false: it is another word. */
bool
dmt_token_clock(const struct dmt_token *token, enum dmt_time *clock);

#endif
