/* layouts.h - the table of layouts, as constants that compilers can fold */
#ifndef DMT_FORMAT_LAYOUTS_H
#define DMT_FORMAT_LAYOUTS_H

#include "format/layout.h"

/* The rows of dmt_layouts, in their order. */
enum dmt_layout_row {
	DMT_LAYOUT_1_CPU,
	DMT_LAYOUT_1_WALL,
	DMT_LAYOUT_2_CPU,
	DMT_LAYOUT_2_WALL,
	DMT_LAYOUT_3_CPU,
	DMT_LAYOUT_3_WALL,
	DMT_LAYOUT_3_DUAL,
	DMT_LAYOUT_V2_CPU,	/* from here on: made by readers, not found in
				   files */
	DMT_LAYOUT_V2_WALL,
	DMT_LAYOUT_V2_DUAL,
	DMT_LAYOUT_OTHER	/* none of the rows */
};

/* The version of the first row that is not found in files. */
#define DMT_LAYOUT_VERSION_V2 4

/* A new version is a new row here. */
static const struct dmt_layout dmt_layouts[DMT_LAYOUT_OTHER] = {
	/* version, clock, size,            thread  method  cpu     wall    */
	{ 1, DMTRACE_CLOCK_THREAD_CPU,  9, {0, 1}, {1, 4}, {5, 4}, {0, 0}  },
	{ 1, DMTRACE_CLOCK_WALL,        9, {0, 1}, {1, 4}, {0, 0}, {5, 4}  },
	{ 2, DMTRACE_CLOCK_THREAD_CPU, 10, {0, 2}, {2, 4}, {6, 4}, {0, 0}  },
	{ 2, DMTRACE_CLOCK_WALL,       10, {0, 2}, {2, 4}, {0, 0}, {6, 4}  },
	{ 3, DMTRACE_CLOCK_THREAD_CPU, 10, {0, 2}, {2, 4}, {6, 4}, {0, 0}  },
	{ 3, DMTRACE_CLOCK_WALL,       10, {0, 2}, {2, 4}, {0, 0}, {6, 4}  },
	{ 3, DMTRACE_CLOCK_DUAL,       14, {0, 2}, {2, 4}, {6, 4}, {10, 4} },
	{ 4, DMTRACE_CLOCK_THREAD_CPU, 19, {0, 3}, {3, 8}, {11, 8}, {0, 0} },
	{ 4, DMTRACE_CLOCK_WALL,       19, {0, 3}, {3, 8}, {0, 0}, {11, 8} },
	{ 5, DMTRACE_CLOCK_DUAL,       27, {0, 3}, {3, 8}, {11, 8}, {19, 8} },
};

/* Returns the row of a layout, or DMT_LAYOUT_OTHER. */
static inline enum dmt_layout_row
dmt_layout_row(const struct dmt_layout *layout)
{
	unsigned i = 0;

	while (i < DMT_LAYOUT_OTHER &&
	    (dmt_layouts[i].version != layout->version ||
	    dmt_layouts[i].clock != layout->clock ||
	    dmt_layouts[i].record_size != layout->record_size))
		i++;
	return (enum dmt_layout_row)i;
}

#endif
