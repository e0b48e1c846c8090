/* layout.c - finds the layout for a version and a clock */

#include "format/layout.h"

#include "format/header.h"
#include "format/layouts.h"
#include "private/event.h"

const struct dmt_layout dmt_layout_preview = {
	.version = 3,
	.clock = DMTRACE_CLOCK_DUAL,
	.record_size = 18,
	.thread = { 0, 2 },
	.method = { 2, 8 },
	.cpu = { 10, 4 },
	.wall = { 14, 4 },
};

/* By the clock that a key names: the times that a layout must have. */
static const enum dmtrace_clock clock_of_times[] = {
	[DMTRACE_CLOCK_MISSING] = DMTRACE_CLOCK_THREAD_CPU,
	[DMTRACE_CLOCK_THREAD_CPU] = DMTRACE_CLOCK_THREAD_CPU,
	[DMTRACE_CLOCK_WALL] = DMTRACE_CLOCK_WALL,
	[DMTRACE_CLOCK_GLOBAL] = DMTRACE_CLOCK_WALL,
	[DMTRACE_CLOCK_DUAL] = DMTRACE_CLOCK_DUAL,
	[DMTRACE_CLOCK_UNKNOWN] = DMTRACE_CLOCK_THREAD_CPU,
};

const struct dmt_layout *
dmt_layout_find(unsigned version, enum dmtrace_clock clock)
{
	return version < DMT_LAYOUT_VERSION_V2 ?
	    dmt_layout_any(version, clock) : NULL;
}

const struct dmt_layout *
dmt_layout_any(unsigned version, enum dmtrace_clock clock)
{
	for (size_t i = 0; i < DMT_LAYOUT_OTHER; i++)
		if (dmt_layouts[i].version == version &&
		    dmt_layout_has_clock(&dmt_layouts[i], clock))
			return &dmt_layouts[i];
	return NULL;
}

const struct dmt_layout *
dmt_layout_most(unsigned version)
{
	const struct dmt_layout *const dual =
	    dmt_layout_any(version, DMTRACE_CLOCK_DUAL);

	return dual != NULL ? dual :
	    dmt_layout_any(version, DMTRACE_CLOCK_WALL);
}

bool
dmt_layout_has_clock(const struct dmt_layout *layout, enum dmtrace_clock clock)
{
	return (unsigned)clock <= DMTRACE_CLOCK_UNKNOWN &&
	    clock_of_times[clock] == layout->clock;
}

const struct dmt_layout *
dmt_layout_v2(enum dmtrace_clock clock)
{
	size_t i = DMT_LAYOUT_V2_CPU;

	while (dmt_layouts[i].clock != clock_of_times[clock])
		i++;
	return &dmt_layouts[i];
}

size_t
dmt_layout_record_size(const struct dmt_layout *layout)
{
	return layout->record_size;
}

unsigned
dmt_layout_version(const struct dmt_layout *layout)
{
	return layout->version;
}

enum dmtrace_clock
dmt_layout_clock(const struct dmt_layout *layout)
{
	return layout->clock;
}

/* Returns true if records of the layout may be that large; 0 is the size of
 * the layout. */
static bool
layout_allows_size(const struct dmt_layout *layout, uint16_t record_size)
{
	if (layout == NULL)
		return false;
	if (record_size == 0 || record_size == layout->record_size)
		return true;
	return layout->version >= DMT_VERSION_SIZED &&
	    record_size > layout->record_size;
}

bool
dmt_layout_resolve(struct dmt_layout *layout, unsigned version,
    enum dmtrace_clock clock, uint16_t record_size)
{
	const struct dmt_layout *row =
	    dmt_layout_find(version, DMTRACE_CLOCK_DUAL);

	if (!layout_allows_size(row, record_size))
		row = dmt_layout_find(version, clock == DMTRACE_CLOCK_DUAL ?
		    DMTRACE_CLOCK_MISSING : clock);
	if (!layout_allows_size(row, record_size))
		return false;
	*layout = *row;
	if (record_size != 0)
		layout->record_size = record_size;
	return true;
}

void
dmt_layout_set_clock(struct dmt_layout *layout, enum dmtrace_clock clock)
{
	dmt_layout_resolve(layout, layout->version, clock,
	    layout->record_size);
}
