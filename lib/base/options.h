/* options.h - structs of options, which callers may have in another version */
#ifndef DMT_BASE_OPTIONS_H
#define DMT_BASE_OPTIONS_H

#include <stddef.h>
#include <string.h>

/*
 * Takes over what options say to all, a struct of size bytes with the defaults
 * in it. The caller's struct begins with its own size: an older one is
 * shorter, and leaves the rest at the defaults; of a newer one the end, which
 * is not known here, does not count. NULL leaves all of them at the defaults.
 */
static inline void
dmt_options_take(void *all, size_t size, const void *options)
{
	size_t known;

	if (options == NULL)
		return;
	memcpy(&known, options, sizeof(known));
	memcpy(all, options, known < size ? known : size);
}

#endif
