/* drip.h - an input that gives its bytes a few at a time, as a pipe may */

#ifndef DRIP_H
#define DRIP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct drip {
	const void *bytes;
	size_t left;
	size_t piece;		/* what one read gives at most */
};

/* The read of a dmtrace_input. */
static inline ptrdiff_t
drip_read(void *context, void *out, size_t len)
{
	struct drip *const drip = context;

	if (len > drip->piece)
		len = drip->piece;
	if (len > drip->left)
		len = drip->left;
	if (len > 0)
		memcpy(out, drip->bytes, len);
	drip->bytes = (const uint8_t *)drip->bytes + len;
	drip->left -= len;
	return (ptrdiff_t)len;
}

#endif
