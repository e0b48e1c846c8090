/* record_decode.h - records to events, one or a batch; mirror of _encode */
#ifndef DMT_DATA_RECORD_DECODE_H
#define DMT_DATA_RECORD_DECODE_H

#include "format/layout.h"

#include <dmtrace/event.h>

/* Told of the records that are worth a finding; index is in the batch. */
enum dmt_oddity {
	DMT_ODD_RESERVED = 1,
	DMT_ODD_BACK = 2,
	DMT_ODD_WRAPPED = 4
};

struct dmt_watch {
	void (*odd)(void *context, unsigned oddities, size_t index);
	void *context;
};

/* The last times of every thread number that the layout can hold. */
struct dmt_clocks;

/* NULL: no memory. Pages are touched as threads come. */
struct dmt_clocks *
dmt_clocks_new(const struct dmtrace_layout *layout);

void
dmt_clocks_free(struct dmt_clocks *clocks);

/*
 * Decodes count records that stand one behind the other at in, with times
 * unwrapped. The layouts of the table run at full speed, any other size of
 * record a little slower.
 */
void
dmt_records_decode(struct dmtrace_event *events,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    struct dmt_clocks *clocks, const struct dmt_watch *watch);

#endif
