/* entry.c - the four headers of entries, and the names of logs */

#include "eventlog/entry.h"

#include "base/bytes.h"
#include "private/eventlog.h"

static const struct dmt_entry_layout layouts[] = {
	/* size, stored, log, uid */
	{ 20,  0,  0,  0 },
	{ 24, 24,  0, 20 },
	{ 24, 24, 20,  0 },
	{ 28, 28, 20, 24 },
};

const struct dmt_entry_layout *
dmt_entry_layout(unsigned version)
{
	return &layouts[version - 1];
}

size_t
dmt_entry_header_size(const uint8_t *in)
{
	const uint16_t stored = dmt_get_le16(in + 2);

	if (stored == 0)
		return layouts[0].size;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].size == stored)
			return stored;
	return 0;
}

const char *
dmt_log_name(uint32_t log)
{
	static const char *const names[] = {
		[DMTRACE_LOG_MAIN] = "main",
		[DMTRACE_LOG_RADIO] = "radio",
		[DMTRACE_LOG_EVENTS] = "events",
		[DMTRACE_LOG_SYSTEM] = "system",
		[DMTRACE_LOG_CRASH] = "crash",
		[DMTRACE_LOG_STATS] = "stats",
		[DMTRACE_LOG_SECURITY] = "security",
		[DMTRACE_LOG_KERNEL] = "kernel",
	};

	return log < sizeof(names) / sizeof(names[0]) ? names[log] : "";
}
