/* section.h - the sections of a key */
#ifndef DMT_KEY_SECTION_H
#define DMT_KEY_SECTION_H

#include "key/text.h"

enum dmt_section {
	DMT_SECTION_VERSION,	/* "*version", its number and the options */
	DMT_SECTION_THREADS,
	DMT_SECTION_METHODS,
	DMT_SECTION_END,
	DMT_SECTION_UNKNOWN	/* any other line that begins with '*' */
};

/* The section that a line begins, which has '*' first; "*end" is matched as
 * a prefix, the others as the whole line but for blanks at its end. */
enum dmt_section
dmt_section_find(struct dmtrace_text line);

/* "*threads" for DMT_SECTION_THREADS and so on; not for _UNKNOWN. */
const char *
dmt_section_name(enum dmt_section section);

#endif
