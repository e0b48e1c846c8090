/* belong.c - whether a key and data belong together */

#include "ops/belong.h"

#include <inttypes.h>

#include "base/error.h"
#include "format/header.h"

#define PROBED_RECORDS 4096

static enum dmtrace_status
compare_versions(const struct dmtrace_reader *reader,
    struct dmtrace_error *error)
{
	const unsigned key = dmtrace_key_version(dmtrace_reader_key(reader));
	const unsigned data = dmtrace_reader_header(reader)->version;

	if (key == data || key == 0)
		return DMTRACE_OK;
	return dmt_error_at(error, DMTRACE_ERR_FOREIGN, DMTRACE_PLACE_OFFSET,
	    DMT_HEADER_VERSION, "the data has version %u, the key %u", data,
	    key);
}

/* No record at all belongs to any key. */
static enum dmtrace_status
look_up_methods(struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	struct dmtrace_event event, first = { .method = 0 };
	unsigned count = 0;

	while (count < PROBED_RECORDS &&
	    dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		if (dmtrace_key_method_find(key, event.method) != NULL)
			return DMTRACE_OK;
		if (count++ == 0)
			first = event;
	}
	if (count == 0)
		return DMTRACE_OK;
	return dmt_error_at(error, DMTRACE_ERR_FOREIGN, DMTRACE_PLACE_OFFSET,
	    dmtrace_reader_header(reader)->data_offset, "none of the first %u"
	    " records has a method that the key lists; the first has 0x%"
	    PRIx64, count, first.method);
}

enum dmtrace_status
dmt_belong(struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	if (dmtrace_reader_layout(reader) == NULL)
		return DMTRACE_OK;
	if (compare_versions(reader, error) != DMTRACE_OK)
		return error->status;
	return look_up_methods(reader, error);
}
