/* rules.c - the findings that a validation looks for, and where */

#include <dmtrace/verify.h>

#include <stdbool.h>

#include "format/finding.h"

/* Up to this finding, from the one of the row before. */
static const struct {
	enum dmt_finding last;
	const char *part;
} parts[] = {
	{ DMT_METHOD_REPEATED, "key" },
	{ DMT_RECORD_IDS_WIDE, "data" },
	{ DMT_DATA_TEXT, "records" },
	{ DMT_METHOD_UNLISTED, "calls" },
};

/* These are of a join and a split alone: there no version is refused, and
 * two halves are held against each other. */
static bool
is_elsewhere(enum dmt_finding which)
{
	return which == DMT_PAIR_FOREIGN || which == DMT_VERSION_UNKNOWN;
}

/* The index-th finding that is a rule, or DMT_ROW_COUNT. */
static enum dmt_finding
find(size_t index)
{
	unsigned which = 0;

	while (which < DMT_ROW_COUNT && (!dmt_is_finding(which) ||
	    is_elsewhere((enum dmt_finding)which) || index-- > 0))
		which++;
	return (enum dmt_finding)which;
}

int
dmtrace_rule_get(size_t index, struct dmtrace_rule *rule)
{
	const enum dmt_finding which = find(index);
	size_t part = 0;

	if (which == DMT_ROW_COUNT)
		return 1;
	while (parts[part].last < which)
		part++;
	*rule = (struct dmtrace_rule){
		.name = dmt_finding_rows[which].name,
		.severity = (enum dmtrace_severity)
		    dmt_finding_rows[which].severity,
		.part = parts[part].part,
		.words = dmt_finding_rows[which].words
	};
	return 0;
}
