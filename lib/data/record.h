/* record.h - access to the fields of an encoded record */
#ifndef DMT_DATA_RECORD_H
#define DMT_DATA_RECORD_H

#include "base/bytes.h"
#include "base/inline.h"
#include "format/layouts.h"
#include "private/event.h"

DMT_INLINE uint64_t
dmt_field_get(struct dmt_field field, const uint8_t *in)
{
	return dmt_get_le(in + field.offset, field.width);
}

DMT_INLINE void
dmt_field_put(struct dmt_field field, uint8_t *out, uint64_t value)
{
	dmt_put_le(out + field.offset, field.width, value);
}

/* Returns the unit of a time field in nanoseconds. */
DMT_INLINE uint64_t
dmt_unit_ns(struct dmt_field field)
{
	return field.width == DMT_WIDTH_NS ? 1 : 1000;
}

/* Gets the action: the two low bits of the method word, which are in its first
 * byte. */
DMT_INLINE enum dmtrace_action
dmt_action_get(const struct dmt_layout *layout, const uint8_t *in)
{
	return (enum dmtrace_action)(in[layout->method.offset] & 3);
}

/* A loop over consecutive records; returns how many records it processed. */
typedef size_t
dmt_loop_fn(const void *run, const struct dmt_layout *layout);

/*
 * Calls the loop with the layout, which is a compile-time constant if it is a
 * row of layouts.h that files have. Other layouts are slower but correct.
 */
DMT_INLINE size_t
dmt_file_loop(dmt_loop_fn *loop, const void *run,
    const struct dmt_layout *layout)
{
	switch (dmt_layout_row(layout)) {
	case DMT_LAYOUT_1_CPU:
		return loop(run, &dmt_layouts[DMT_LAYOUT_1_CPU]);
	case DMT_LAYOUT_1_WALL:
		return loop(run, &dmt_layouts[DMT_LAYOUT_1_WALL]);
	case DMT_LAYOUT_2_CPU:
	case DMT_LAYOUT_3_CPU:
		return loop(run, &dmt_layouts[DMT_LAYOUT_2_CPU]);
	case DMT_LAYOUT_2_WALL:
	case DMT_LAYOUT_3_WALL:
		return loop(run, &dmt_layouts[DMT_LAYOUT_2_WALL]);
	case DMT_LAYOUT_3_DUAL:
		return loop(run, &dmt_layouts[DMT_LAYOUT_3_DUAL]);
	default:
		return loop(run, layout);
	}
}

/* The same, also with those layouts that only memory has. */
DMT_INLINE size_t
dmt_loop(dmt_loop_fn *loop, const void *run,
    const struct dmt_layout *layout)
{
	switch (dmt_layout_row(layout)) {
	case DMT_LAYOUT_V2_CPU:
		return loop(run, &dmt_layouts[DMT_LAYOUT_V2_CPU]);
	case DMT_LAYOUT_V2_WALL:
		return loop(run, &dmt_layouts[DMT_LAYOUT_V2_WALL]);
	case DMT_LAYOUT_V2_DUAL:
		return loop(run, &dmt_layouts[DMT_LAYOUT_V2_DUAL]);
	default:
		return dmt_file_loop(loop, run, layout);
	}
}

#endif
