/* tokens.h - the words of a line, and names as such words */
#ifndef DMT_EXPECT_TOKENS_H
#define DMT_EXPECT_TOKENS_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/idmap.h"

/* What a word means; the bytes have no NUL behind them. */
struct dmt_token {
	const char *bytes;
	size_t len;
	bool quoted;			/* nothing in it is special */
	bool none;			/* the line has no more */
};

/* A line whose words are taken one by one. */
struct dmt_line_tokens {
	const char *at;
	const char *end;
	uint64_t line;
	struct dmt_arena *arena;	/* for what quotes hold */
	struct dmtrace_error *error;
};

/* The next word. false: a quoted one is wrong, or no memory. */
bool
dmt_token_next(struct dmt_line_tokens *words, struct dmt_token *word);

bool
dmt_token_is(const struct dmt_token *word, const char *keyword);

/* Digits. false: it is no number that fits. */
bool
dmt_token_number(const struct dmt_token *word, uint64_t *number);

/* Text that grows, zero at first; failed: no memory. */
struct dmt_buffer {
	char *bytes;
	size_t len;
	size_t capacity;
	bool failed;
};

void
dmt_buffer_put(struct dmt_buffer *buf, const char *bytes, size_t len);
void
dmt_buffer_printf(struct dmt_buffer *buf, const char *format, ...)
    DMT_PRINTF(2, 3);

/* A name as a word: in quotes if need be. glob: stars and such keep their
 * meaning. */
void
dmt_buffer_put_token(struct dmt_buffer *buf, const char *bytes, size_t len,
    bool glob);

/* "com.a.B.f" of what dmt_method_named makes of them, and the signature if it
 * is wanted, before it is quoted. */
void
dmt_buffer_put_method(struct dmt_buffer *buf, const struct dmtrace_method *row,
    uint64_t id, bool signature);

void
dmt_buffer_fini(struct dmt_buffer *buf);

#endif
