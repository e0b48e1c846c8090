/* tokens.h - the tokens of a line, and names written as tokens */
#ifndef DMT_EXPECT_TOKENS_H
#define DMT_EXPECT_TOKENS_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* What a token means; no NUL follows the bytes. */
struct dmt_token {
	const char *bytes;
	size_t len;
	bool quoted;			/* nothing in it is special */
	bool none;			/* the line has no more */
};

/* A line whose tokens are taken one by one. */
struct dmt_line_tokens {
	const char *at;
	const char *end;
	uint64_t line;			/* its number, for errors */
	struct dmt_arena *arena;	/* for what quotes hold */
	struct dmtrace_error *error;
};

/* The next token; none at the end of the line or where its comment begins, and
 * after an error, which is then set. */
struct dmt_token
dmt_token_next(struct dmt_line_tokens *tokens);

bool
dmt_token_is(const struct dmt_token *token, const char *keyword);

/* Digits. false: it is no number, or too large. */
bool
dmt_token_number(const struct dmt_token *token, uint64_t *number);

/* Text that grows, zero at first; failed: no memory. */
struct dmt_buffer {
	char *bytes;
	size_t len;
	size_t capacity;
	bool failed;
};

void
dmt_buffer_put(struct dmt_buffer *buffer, const char *bytes, size_t len);
/* Up to 511 bytes. */
void
dmt_buffer_printf(struct dmt_buffer *buffer, const char *format, ...)
    DMT_PRINTF(2, 3);

/* A name as a token, in quotes if need be. glob: '*', '?' and a slash at the
 * start keep their meaning. */
void
dmt_buffer_put_token(struct dmt_buffer *buffer, const char *bytes, size_t len,
    bool glob);

/* "com.a.B.f", and the signature if it is wanted, not quoted. The id is the
 * name of a method without one; row may be NULL. */
void
dmt_buffer_put_method(struct dmt_buffer *buffer,
    const struct dmtrace_method *row, uint64_t id, bool signature);

void
dmt_buffer_fini(struct dmt_buffer *buffer);

#endif
