/* tokens.h - the words of a line, and names as such words */
#ifndef DMT_EXPECT_TOKENS_H
#define DMT_EXPECT_TOKENS_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/idmap.h"

struct dmt_span {
	const char *bytes;
	size_t len;
};

/* What a word means; the bytes have no NUL behind them. */
struct dmt_word {
	const char *bytes;
	size_t len;
	bool quoted;			/* nothing in it is special */
	bool none;			/* the line has no more */
};

/* A line whose words are taken one by one. */
struct dmt_words {
	const char *at;
	const char *end;
	uint64_t line;
	struct dmt_arena *arena;	/* for what quotes hold */
	struct dmtrace_error *error;
};

/* The next word. false: a quoted one is wrong, or no memory. */
bool
dmt_words_next(struct dmt_words *words, struct dmt_word *word);

bool
dmt_word_is(const struct dmt_word *word, const char *keyword);

/* Digits. false: it is no number that fits. */
bool
dmt_word_number(const struct dmt_word *word, uint64_t *number);

/* Text that grows, zero at first; failed: no memory. */
struct dmt_buf {
	char *bytes;
	size_t len;
	size_t capacity;
	bool failed;
};

void
dmt_buf_put(struct dmt_buf *buf, const char *bytes, size_t len);
void
dmt_buf_printf(struct dmt_buf *buf, const char *format, ...)
    DMT_PRINTF(2, 3);

/* A name as a word: in quotes if need be. glob: stars and such keep their
 * meaning. */
void
dmt_buf_put_word(struct dmt_buf *buf, const char *bytes, size_t len,
    bool glob);

/* "com.a.B.f" of what dmt_method_named makes of them, and the signature if it
 * is wanted, before it is quoted. */
void
dmt_buf_put_method(struct dmt_buf *buf, const struct dmtrace_method *row,
    uint64_t id, bool signature);

void
dmt_buf_fini(struct dmt_buf *buf);

#endif
