/* gzip.h - bytes in the frame of gzip, not compressed */
#ifndef DMT_EXPORT_GZIP_H
#define DMT_EXPORT_GZIP_H

#include <dmtrace/trace.h>

#include "private/sink.h"

/* Readers of some formats want gzip. Its stored blocks need no compressor:
 * each has up to 65,535 bytes as they are. Order: begin, write, end. */
struct dmt_gzip {
	struct dmt_sink *sink;
	uint32_t crc;
	uint32_t len;			/* modulo 2^32 */
	uint32_t table[256];
};

void
dmt_gzip_begin(struct dmt_gzip *gzip, struct dmt_sink *sink);

void
dmt_gzip_write(struct dmt_gzip *gzip, const void *bytes, size_t len);

void
dmt_gzip_end(struct dmt_gzip *gzip);

#endif
