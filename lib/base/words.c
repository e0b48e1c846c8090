/* words.c - sentences of errors and findings, in the room they have */

#include "base/words.h"

#include <stdio.h>
#include <string.h>

void
dmt_words_add(char words[DMTRACE_WORDS_MAX], const char *format,
    va_list args)
{
	static const char cut[] = "...";
	const size_t used = strlen(words), room = DMTRACE_WORDS_MAX - used;
	const int len = vsnprintf(words + used, room, format, args);

	if (len < 0 || (size_t)len < room)
		return;
	size_t at = DMTRACE_WORDS_MAX - sizeof(cut);
	while (at > 0 && (words[at] & 0xc0) == 0x80)
		at--;
	memcpy(words + at, cut, sizeof(cut));
}
