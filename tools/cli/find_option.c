/* find_option.c - the option --find: rows of a report that match */

#include "cli/find_option.h"

#include "cli/msg.h"
#include "cli/selection.h"

int
find_rows_begin(struct find_option *find)
{
	return selection_of_methods(&find->asked, &find->patterns, "--find");
}

bool
find_rows_wants(struct find_option *find, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature, uint64_t id)
{
	const struct dmtrace_method row = {
		.id = id, .class_name = class_name, .name = name,
		.signature = signature
	};

	if (find->asked == NULL)
		return true;
	const int wanted = dmt_selection_wants_row(find->asked, &row);
	find->no_memory |= wanted < 0;
	find->found += wanted > 0;
	return wanted > 0;
}

bool
find_rows_wants_name(struct find_option *find, struct dmtrace_text name,
    bool is_class)
{
	if (find->asked == NULL)
		return true;
	const int wanted = dmt_selection_wants_name(find->asked, name,
	    is_class);
	find->no_memory |= wanted < 0;
	find->found += wanted > 0;
	return wanted > 0;
}

int
find_rows_finish(const struct find_option *find)
{
	if (find->no_memory)
		return msg_fail_memory();
	if (find->asked == NULL || find->found > 0)
		return CMD_OK;
	msg_error("--find: no row matches %s%s", find->patterns.items[0],
	    find->patterns.count > 1 ? " or the other patterns" : "");
	return CMD_NO;
}

void
find_rows_end(struct find_option *find)
{
	dmt_selection_free(find->asked);
	opt_list_fini(&find->patterns);
}
