/* mapping_line.h - a line of a mapping of R8 or ProGuard */
#ifndef DMT_OPS_RENAME_MAPPING_LINE_H
#define DMT_OPS_RENAME_MAPPING_LINE_H

#include <dmtrace/key.h>
#include <stdbool.h>
#include <stdint.h>

enum dmt_mapping_kind {
	DMT_MAPPING_OTHER,		/* not a line of a mapping */
	DMT_MAPPING_EMPTY,		/* or a comment that says nothing */
	DMT_MAPPING_CLASS,		/* original, renamed */
	DMT_MAPPING_FIELD,		/* nothing of it is needed */
	DMT_MAPPING_METHOD,		/* all members */
	DMT_MAPPING_FILE,		/* original: the source file of the
					   class before it */
	DMT_MAPPING_RESIDUAL		/* renamed: the signature that R8 left
					   to the method before it */
};

#define DMT_MAPPING_NO_LINE UINT32_MAX

/* Texts are parts of the line; those that it lacks are empty. */
struct dmt_mapping_line {
	enum dmt_mapping_kind kind;
	struct dmtrace_text original;	/* name of the class or the method */
	struct dmtrace_text renamed;	/* name in the release */
	struct dmtrace_text holder;	/* the original class of a method, if
					   it is another one */
	struct dmtrace_text result;	/* types as in Java */
	struct dmtrace_text parameters;	/* separated by commas */
	uint32_t from, to;		/* lines in the release, or NO_LINE */
	uint32_t original_from;		/* in the source, or NO_LINE */
	uint32_t original_to;
};

/* Parses a line without its line end. */
void
dmt_mapping_parse(struct dmt_mapping_line *out, struct dmtrace_text line);

#endif
