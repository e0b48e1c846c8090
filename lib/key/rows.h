/* rows.h - the tables of a key, with indexes by id or name */
#ifndef DMT_KEY_ROWS_H
#define DMT_KEY_ROWS_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/idmap.h"

/* For every table: a zeroed struct is a valid, empty table; of several rows
 * with the same name or id, the index has the first one. */

struct dmt_option_row {
	struct dmtrace_option option;
	size_t line;			/* its line of the key or, if it was */
	bool added;			/* added, of the added lines */
};

struct dmt_options {
	struct dmt_option_row *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_name;	/* the first row with a hash */
	uint64_t seed;			/* of the hash; 0: not chosen yet */
};

enum { DMT_THREAD_WIDTHS = 3 };

struct dmt_threads {
	struct dmtrace_thread *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_number[DMT_THREAD_WIDTHS];	/* by the low 4, 2 and
							   1 bytes */
};

struct dmt_methods {
	struct dmtrace_method *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_id;		/* by id without the action bits */
};

/* Make sure that the next add will not fail. false: no memory. */
bool
dmt_options_reserve(struct dmt_options *options);
bool
dmt_threads_reserve(struct dmt_threads *threads);
bool
dmt_methods_reserve(struct dmt_methods *methods);

/* Add a copy of row. false: no memory, and the table is unchanged. */
bool
dmt_options_add(struct dmt_options *options,
    const struct dmt_option_row *row);
bool
dmt_threads_add(struct dmt_threads *threads,
    const struct dmtrace_thread *row);
bool
dmt_methods_add(struct dmt_methods *methods,
    const struct dmtrace_method *row);

/* Returns the first option of that name, or NULL. */
struct dmt_option_row *
dmt_options_find(const struct dmt_options *options,
    struct dmtrace_text name);

/* Returns the first thread whose id ends in the low width bytes (1, 2 or 4) of
 * number, or NULL. Width 3 compares the whole id. */
const struct dmtrace_thread *
dmt_threads_find(const struct dmt_threads *threads, unsigned width,
    uint32_t number);

/* Returns the first method of that id, ignoring the action bits, or NULL. */
const struct dmtrace_method *
dmt_methods_find(const struct dmt_methods *methods, uint64_t id);

/* The size of a buffer for an id as a name. */
enum { DMT_NUMBER_MAX = 24 };

/* Returns a method as it is shown and compared: if it has no name, or no row
 * (row is NULL), its id is its name, which is written to number. The id has no
 * action bits. */
struct dmtrace_method
dmt_method_named(const struct dmtrace_method *row, uint64_t id,
    char number[DMT_NUMBER_MAX]);

void
dmt_options_fini(struct dmt_options *options);
void
dmt_threads_fini(struct dmt_threads *threads);
void
dmt_methods_fini(struct dmt_methods *methods);

#endif
