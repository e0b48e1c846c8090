/* section.c - the sections of a key */

#include "key/section.h"

static const char *const names[] = {
	[DMT_SECTION_VERSION] = "*version",
	[DMT_SECTION_THREADS] = "*threads",
	[DMT_SECTION_METHODS] = "*methods",
	[DMT_SECTION_END] = "*end",
};

enum dmt_section
dmt_section_find(struct dmtrace_text line)
{
	const struct dmtrace_text bare = dmt_text_trim(line);

	if (dmt_text_begins(line, names[DMT_SECTION_END]))
		return DMT_SECTION_END;
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		if (dmt_text_is(bare, names[i]))
			return (enum dmt_section)i;
	return DMT_SECTION_UNKNOWN;
}

const char *
dmt_section_name(enum dmt_section section)
{
	return names[section];
}
