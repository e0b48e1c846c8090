/* text_names.h - short names of methods, each for one id */
#ifndef DMT_TEXT_TEXT_NAMES_H
#define DMT_TEXT_TEXT_NAMES_H

#include "base/name_table.h"
#include "private/text.h"

/* The id that a name stands for. */
struct text_owner {
	uint64_t id;
	enum { TEXT_OWNER_NONE, TEXT_OWNER_ONE, TEXT_OWNER_SEVERAL } owners;
};

/* A method: "com/example/Main.run(I)V". */
struct text_method {
	struct dmtrace_text name;	/* empty: no name can be shown */
	size_t simple;			/* where "Main" begins */
	size_t bare;			/* where "(I)V" begins */
	struct dmtrace_text shown;	/* what dmt_text_names_show returned, */
	size_t version;			/* for so many methods */
};

/* A zeroed struct is a valid, empty table. */
struct text_names {
	struct dmt_name_table table;	/* all forms of all names */
	struct text_owner *owners;	/* by index of the table */
	size_t owners_capacity;
	struct text_method *methods;
	size_t count;
	size_t capacity;
	size_t version;			/* grows when a method is added */
	struct dmt_idmap by_id;		/* to the row that counts */
	char number[24];
};

/*
 * Adds a method. From then on each of Main.run, Main.run(I)V,
 * com/example/Main.run and com/example/Main.run(I)V stands for its id, unless
 * it also stands for another one. false: no memory.
 */
bool
dmt_text_names_add(struct text_names *names, uint64_t id,
    const struct dmtrace_method *row);

/* Adds another name for the id. false: no memory. */
bool
dmt_text_names_alias(struct text_names *names, struct dmtrace_text name,
    uint64_t id);

/* Returns the shortest text that stands for the id: one of its names, or the
 * id in hexadecimal. Valid until the next call. */
struct dmtrace_text
dmt_text_names_show(struct text_names *names, uint64_t id);

/* Returns who owns the name; TEXT_OWNER_NONE: nobody. */
struct text_owner
dmt_text_names_find(const struct text_names *names, struct dmtrace_text name);

/* Returns true if the text can be a word of a line: it is not empty, and has
 * neither blanks nor characters that are not printed. */
bool
dmt_text_is_word(struct dmtrace_text text);

/* The same, but single spaces may stand inside. */
bool
dmt_text_is_words(struct dmtrace_text text);

void
dmt_text_names_fini(struct text_names *names);

#endif
