/* record_sense.c - estimates if bytes are records of a layout */

/*
 * Each of the first 4,096 records is checked for four properties: the key
 * lists its thread, and its method, its action is known, and its time is not
 * before that thread's last time. Each property has a weight; a table of the
 * key without rows is not checked. Bytes that are not such records still pass
 * some checks by accident: three of four actions are valid, and one of two
 * times rises.
 */

#include "data/record_sense.h"

#include "base/idmap.h"
#include "data/record.h"
#include "private/key.h"

#define PROBED_RECORDS 4096

/* The weights. */
enum { FOR_THREAD = 2, FOR_METHOD = 3, FOR_ACTION = 1, FOR_TIME = 2 };

/* Returns true unless the time goes back, modulo 2^32, from the last one of
 * its thread. The first time of a thread always passes. last: the last time of
 * each thread. */
static bool
time_rises(const struct dmt_layout *layout, const uint8_t *in,
    struct dmt_idmap *last, bool *failed)
{
	const struct dmt_field field =
	    dmt_layout_has_wall(layout) ? layout->wall : layout->cpu;
	const uint32_t now = (uint32_t)dmt_field_get(field, in);
	const uint64_t thread = dmt_field_get(layout->thread, in);
	uint32_t *const before = dmt_idmap_find(last, thread);

	if (before == NULL) {
		if (!dmt_idmap_add(last, thread, now))
			*failed = true;
		return true;
	}
	const bool rises = now - *before < UINT32_C(1) << 31;
	*before = now;
	return rises;
}

unsigned
dmt_records_sense(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const uint8_t *bytes, size_t len,
    bool *failed)
{
	const bool has_threads = dmtrace_key_thread_count(key) > 0;
	const bool has_methods = dmtrace_key_method_count(key) > 0;
	const uint64_t most = (uint64_t)FOR_ACTION + FOR_TIME +
	    (has_threads ? FOR_THREAD : 0) + (has_methods ? FOR_METHOD : 0);
	const uint64_t records = dmt_records_in(layout, len);
	const uint64_t count =
	    records < PROBED_RECORDS ? records : PROBED_RECORDS;
	struct dmt_idmap last = { .count = 0 };
	const uint8_t *in = bytes;
	uint64_t worth = 0;

	if (count == 0)
		return len == 0 ? 1000 : DMT_SENSE_SOME;
	for (uint64_t i = 0; i < count; i++, in += layout->record_size) {
		if (has_threads && dmt_key_thread_match(key, layout,
		    (uint32_t)dmt_field_get(layout->thread, in)) != NULL)
			worth += FOR_THREAD;
		if (has_methods && dmtrace_key_method_find(key,
		    dmt_field_get(layout->method, in)) != NULL)
			worth += FOR_METHOD;
		if (dmt_action_get(layout, in) != DMTRACE_RESERVED)
			worth += FOR_ACTION;
		if (time_rises(layout, in, &last, failed))
			worth += FOR_TIME;
	}
	dmt_idmap_fini(&last);
	return (unsigned)(worth * 1000 / (most * count));
}

bool
dmt_records_make_sense(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const uint8_t *bytes, size_t len)
{
	bool failed = false;

	return dmt_records_sense(key, layout, bytes, len, &failed) >=
	    DMT_SENSE_SURE;
}
