/* dialect.c - the dialects of the format: what differs between them */

#include "trace/dialect.h"

struct dmt_writing *
dmt_writing_new(const struct dmt_trace_format *format, bool like)
{
	struct dmt_writing *const writing =
	    format->dialect->writing_new(format);

	if (writing == NULL)
		return NULL;
	writing->format = *format;
	writing->copies = like;
	writing->modulo = like;
	return writing;
}

void
dmt_writing_free(struct dmt_writing *writing)
{
	if (writing != NULL)
		writing->format.dialect->writing_free(writing);
}

uint64_t
dmt_format_start(const struct dmt_trace_format *format, uint64_t start_us,
    unsigned rest_ns)
{
	if (!format->ns)
		return start_us;
	return start_us > UINT64_MAX / 1000 ? UINT64_MAX :
	    start_us * 1000 + rest_ns;
}
