/* json.h - a tokenizer for JSON */
#ifndef DMT_BASE_JSON_H
#define DMT_BASE_JSON_H

#include "base/input.h"

enum {
	DMT_JSON_DEPTH_MAX = 65536,		/* of nested objects and
						   arrays */
	DMT_JSON_STRING_MAX = 16 * 1024 * 1024	/* bytes */
};

enum dmt_json_token {
	DMT_JSON_END,			/* the end of the text, or a failure:
					   see error */
	DMT_JSON_OBJECT,		/* { */
	DMT_JSON_OBJECT_END,
	DMT_JSON_ARRAY,			/* [ */
	DMT_JSON_ARRAY_END,
	DMT_JSON_NAME,			/* of a member; the name is in text */
	DMT_JSON_STRING,		/* its bytes are in text */
	DMT_JSON_INTEGER,		/* that fits in 64 bits */
	DMT_JSON_REAL,			/* any other number */
	DMT_JSON_TRUE,
	DMT_JSON_FALSE,
	DMT_JSON_NULL
};

/* Set input to an open input and the rest to zero; ended by fini. A text may
 * have several values, one after another. */
struct dmt_json {
	struct dmt_input *input;
	char *text;			/* followed by a NUL */
	size_t len;
	int64_t integer;
	double real;			/* also of an integer */
	uint64_t at;			/* offset of the token */
	size_t capacity;
	char *open;			/* '{' or '[' for each open object or
					   array */
	size_t depth;
	size_t open_capacity;
	int state;
	struct dmtrace_error error;	/* DMTRACE_ERR_CORRUPT, _TRUNCATED,
					   _LIMIT, _MEMORY or _IO */
};

/* Returns the next token. After a failure it always returns DMT_JSON_END. */
enum dmt_json_token
dmt_json_next(struct dmt_json *json);

void
dmt_json_fini(struct dmt_json *json);

#endif
