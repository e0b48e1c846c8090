/* names.c - names of actions, clocks, dialects, containers and start times */

#include "format/names.h"

#include <string.h>

#include "private/names.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const char *const action_names[] = {
	[DMTRACE_ENTER] = "enter",
	[DMTRACE_EXIT] = "exit",
	[DMTRACE_UNROLL] = "unroll",
	[DMTRACE_RESERVED] = "reserved",
};

static const char *const clock_names[] = {
	[DMTRACE_CLOCK_MISSING] = "",
	[DMTRACE_CLOCK_THREAD_CPU] = "thread-cpu",
	[DMTRACE_CLOCK_WALL] = "wall",
	[DMTRACE_CLOCK_GLOBAL] = "global",
	[DMTRACE_CLOCK_DUAL] = "dual",
	[DMTRACE_CLOCK_UNKNOWN] = "",
};

const char *const dmt_dialect_names[DMT_DIALECTS + 1] = {
	"v1", "v2", "v3", "f2", "f3", "v4", "v5", "f4", "f5", NULL
};

static const char *const container_names[] = {
	[DMTRACE_CONTAINER_JOINED] = "joined",
	[DMTRACE_CONTAINER_PAIR] = "pair",
	[DMTRACE_CONTAINER_KEY] = "key",
	[DMTRACE_CONTAINER_DATA] = "data",
	[DMTRACE_CONTAINER_STREAM] = "stream",
	[DMTRACE_CONTAINER_PACKETS] = "packets",
};

static const char *const start_kind_names[] = {
	[DMTRACE_START_BOOT] = "boot",
	[DMTRACE_START_EPOCH] = "epoch",
	[DMTRACE_START_SEC_USEC] = "sec_usec",
};

/* The prefix of the options that dmtrace adds, and that of those of the whole
 * trace in a piece. */
#define OWN "dmtrace-"
#define WHOLE "dmtrace-whole-"
static const char *const option_names[] = {
	DMT_OPTION_OVERFLOW,
	DMT_OPTION_CLOCK,
	DMT_OPTION_ELAPSED_US,
	DMT_OPTION_ELAPSED_NS,
	DMT_OPTION_CALLS,
	"clock-call-overhead-nsec",
	"vm",
	"pid",
	"alloc-count",
	"alloc-size",
	"gc-count",
};

/* Those of this version. */
static const char *const own_names[] = {
	DMT_OPTION_OPENED, DMT_OPTION_CLOSED, DMT_OPTION_REPAIRED,
	"dmtrace-sampled", "dmtrace-dropped", "dmtrace-mismatched",
	"dmtrace-recorder-closed", "dmtrace-stepped-back",
	"dmtrace-piece", "dmtrace-piece-by", "dmtrace-piece-order",
	"dmtrace-piece-id", "dmtrace-piece-records", "dmtrace-piece-methods",
	"dmtrace-piece-pad", DMT_OPTION_PADDING,
};

/* Returns the name in that row, or "" if the table has no such row. */
static const char *
name_of_row(const char *const table[], size_t count, unsigned row)
{
	return row < count ? table[row] : "";
}

const char *
dmtrace_action_name(enum dmtrace_action action)
{
	return name_of_row(action_names, ROWS(action_names), action);
}

const char *
dmtrace_clock_name(enum dmtrace_clock clock)
{
	return name_of_row(clock_names, ROWS(clock_names), clock);
}

const char *
dmt_container_name(enum dmtrace_container container)
{
	return name_of_row(container_names, ROWS(container_names), container);
}

const char *
dmt_start_kind_name(enum dmtrace_start_kind kind)
{
	return name_of_row(start_kind_names, ROWS(start_kind_names), kind);
}

enum dmtrace_clock
dmt_clock_find(const char *bytes, size_t len)
{
	for (unsigned i = 0; len > 0 && i < ROWS(clock_names); i++)
		if (strlen(clock_names[i]) == len &&
		    memcmp(clock_names[i], bytes, len) == 0)
			return (enum dmtrace_clock)i;
	return DMTRACE_CLOCK_UNKNOWN;
}

static bool
is_one_of(const char *const names[], size_t count, const char *name,
    size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == len &&
		    memcmp(names[i], name, len) == 0)
			return true;
	return false;
}

bool
dmt_option_is_known(const char *name, size_t len)
{
	return (len > strlen(OWN) && memcmp(name, OWN, strlen(OWN)) == 0) ||
	    is_one_of(option_names, ROWS(option_names), name, len);
}

bool
dmt_option_is_listed(const char *name, size_t len)
{
	while (len > strlen(WHOLE) && memcmp(name, WHOLE, strlen(WHOLE)) == 0) {
		name += strlen(WHOLE);
		len -= strlen(WHOLE);
	}
	return is_one_of(option_names, ROWS(option_names), name, len) ||
	    is_one_of(own_names, ROWS(own_names), name, len);
}
