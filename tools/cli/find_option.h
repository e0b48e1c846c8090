/* find_option.h - the option --find: rows of a report that match */
#ifndef FIND_OPTION_H
#define FIND_OPTION_H

#include <dmtrace.h>

#include "cli/opt.h"
#include "private/select.h"

/* The patterns are those of -m; but times stay those of all methods. */
struct find_option {
	struct opt_list patterns;
	struct dmt_selection *asked;	/* NULL: all rows */
	size_t found;			/* rows that matched */
	bool no_memory;			/* for one, which is not known */
};

#define OPT_FIND(find) \
	OPT_LIST(0, "find", "PATTERN", &(find)->patterns, \
	    "print the rows that match PATTERN; times stay")

/* Returns OPT_GO or CMD_TROUBLE, which was reported. Call find_rows_end in any
 * case. */
int
find_rows_begin(struct find_option *find);

/* Returns true if the row of a method is printed. */
bool
find_rows_wants(struct find_option *find, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature, uint64_t id);

/* The same for the row of a class or package, or of another name. */
bool
find_rows_wants_name(struct find_option *find, struct dmtrace_text name,
    bool is_class);

/* Reports it if no row was found. Returns CMD_OK, CMD_NO or, without memory,
 * CMD_TROUBLE. */
int
find_rows_finish(const struct find_option *find);

void
find_rows_end(struct find_option *find);

#endif
