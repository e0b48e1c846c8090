/* renamer.h - the ways to rename: each makes rules for a key */
#ifndef DMT_OPS_RENAME_RENAMER_H
#define DMT_OPS_RENAME_RENAMER_H

#include <dmtrace/ops.h>

#include "base/input.h"
#include "key/key.h"

/*
 * What the three ways have in common. rules are for dmt_key_rewrite of the key
 * that the renamer was made for; they count in result, and report each method.
 * A failure of a rule is in error.
 */
struct dmt_renamer {
	struct dmt_key_rules rules;
	struct dmtrace_rename_result result;
	dmtrace_renaming_fn *report;	/* may be NULL */
	void *context;
	struct dmtrace_error error;
};

/* Counts a method that was renamed, or not, and reports it. */
void
dmt_renamer_note(struct dmt_renamer *renamer, enum dmtrace_renaming_state state,
    const struct dmtrace_method *from, const struct dmtrace_method *to);

/*
 * Names by a mapping of R8 or ProGuard; by a keyed hash; and by a table that
 * an earlier renaming wrote. Each returns NULL with error set: the input or the
 * memory failed, or the input is no such file. To be freed by the free of its
 * kind; the renamer is the first member.
 */
struct dmt_renamer *
dmt_mapping_new(const struct dmtrace_key *key, struct dmt_input *input,
    struct dmtrace_error *error);
void
dmt_mapping_free(struct dmt_renamer *renamer);

struct dmt_renamer *
dmt_anonymizer_new(const struct dmtrace_key *key, const uint8_t *hash_key,
    bool all, struct dmtrace_error *error);
void
dmt_anonymizer_free(struct dmt_renamer *renamer);

/* Writes the table of names that the anonymizer gave. */
void
dmt_anonymizer_write(const struct dmt_renamer *renamer,
    struct dmt_output *out);

struct dmt_renamer *
dmt_restorer_new(struct dmt_input *input, struct dmtrace_error *error);
void
dmt_restorer_free(struct dmt_renamer *renamer);

/* The kinds of names in a table, and the letter that a new one begins with. */
enum dmt_name_kind {
	DMT_NAME_CLASS,
	DMT_NAME_RESPELLED,		/* a class that the key has with dots
					   and with slashes: the second form */
	DMT_NAME_METHOD,
	DMT_NAME_FILE,
	DMT_NAME_THREAD,
	DMT_NAME_OPTION,
	DMT_NAME_SIGNATURE,
	DMT_NAME_KINDS
};

extern const char *const dmt_name_kinds[DMT_NAME_KINDS];

/* Returns the next line of an input without its LF, valid until the next call;
 * false: there is none, or the input has failed, or the line is longer than
 * DMT_RENAME_LINE_MAX, with the error of input set; or the input ends within
 * it: *cut is true, as its last name may lack a part. */
enum { DMT_RENAME_LINE_MAX = 1024 * 1024 };
bool
dmt_rename_line(struct dmt_input *input, struct dmtrace_text *line, bool *cut);

#endif
