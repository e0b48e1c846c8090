/* json.h - a text of JSON, token by token */
#ifndef DMT_BASE_JSON_H
#define DMT_BASE_JSON_H

#include "base/input.h"

enum {
	DMT_JSON_DEPTH_MAX = 65536,		/* objects and arrays */
	DMT_JSON_STRING_MAX = 16 * 1024 * 1024	/* bytes */
};

enum dmt_json_token {
	DMT_JSON_END,			/* of the text; or see error */
	DMT_JSON_OBJECT,		/* { */
	DMT_JSON_OBJECT_END,
	DMT_JSON_ARRAY,			/* [ */
	DMT_JSON_ARRAY_END,
	DMT_JSON_NAME,			/* of a member; in text */
	DMT_JSON_STRING,		/* in text */
	DMT_JSON_INTEGER,		/* of 64 bits */
	DMT_JSON_REAL,			/* any other number */
	DMT_JSON_TRUE,
	DMT_JSON_FALSE,
	DMT_JSON_NULL
};

/* Zero but for input, which is open; ended by fini. A text may have several
 * values, one after another. */
struct dmt_json {
	struct dmt_input *input;
	char *text;			/* a NUL is after it */
	size_t len;
	int64_t integer;
	double real;			/* of an integer, too */
	uint64_t at;			/* where the token begins */
	size_t capacity;
	char *open;			/* '{' or '[' for each that is open */
	size_t depth;
	size_t open_capacity;
	int state;
	struct dmtrace_error error;	/* DMTRACE_ERR_CORRUPT, _TRUNCATED,
					   _LIMIT, _MEMORY or _IO */
};

/* The next token. After a failure DMT_JSON_END, for good. */
enum dmt_json_token
dmt_json_next(struct dmt_json *json);

void
dmt_json_fini(struct dmt_json *json);

#endif
