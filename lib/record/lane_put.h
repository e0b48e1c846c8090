/* lane_put.h - records to a lane's buffer, and its frames */
#ifndef DMT_RECORD_LANE_PUT_H
#define DMT_RECORD_LANE_PUT_H

#include "record/lane.h"

DMT_INLINE void
dmt_lane_encode(uint8_t *out, const struct dmtrace_layout *layout,
    const struct dmt_lane *lane, uint32_t word, const struct dmt_times *times)
{
	dmt_put_le(out + layout->thread.offset, layout->thread.width,
	    lane->thread);
	dmt_put_le(out + layout->method.offset, layout->method.width, word);
	dmt_put_le(out + layout->cpu.offset, layout->cpu.width,
	    times->cpu_us);
	dmt_put_le(out + layout->wall.offset, layout->wall.width,
	    times->wall_us);
}

/* One record, with a layout whose offsets the compiler knows. A frame comes
 * after it, and goes before it: an event that a handler jumps out of may lack
 * an exit, but has none too many. */
DMT_INLINE void
dmt_lane_encode_as(struct dmt_lane *lane, enum dmt_layout_row row,
    uint32_t word, const struct dmt_times *times)
{
	dmt_lane_encode(lane->at, &dmt_layouts[row], lane, word, times);
	atomic_signal_fence(memory_order_seq_cst);
	lane->at += dmt_layouts[row].record_size;
	atomic_signal_fence(memory_order_seq_cst);
}

/* There is room for it. */
DMT_INLINE void
dmt_lane_append(struct dmt_lane *lane, uint32_t word,
    const struct dmt_times *times)
{
	switch (lane->form) {
	case DMT_FORM_1:
		dmt_lane_encode_as(lane, DMT_LAYOUT_1_WALL, word, times);
		break;
	case DMT_FORM_1_CPU:
		dmt_lane_encode_as(lane, DMT_LAYOUT_1_CPU, word, times);
		break;
	case DMT_FORM_2:
		dmt_lane_encode_as(lane, DMT_LAYOUT_2_WALL, word, times);
		break;
	case DMT_FORM_2_CPU:
		dmt_lane_encode_as(lane, DMT_LAYOUT_2_CPU, word, times);
		break;
	case DMT_FORM_DUAL:
		dmt_lane_encode_as(lane, DMT_LAYOUT_3_DUAL, word, times);
		break;
	}
	lane->last = *times;
}

/* Room for a record. false: it is dropped, and counted. */
DMT_INLINE bool
dmt_lane_has_room(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (DMT_UNLIKELY(lane->at == lane->end) &&
	    !dmt_lane_flush(recorder, lane)) {
		lane->dropped++;
		return false;
	}
	return true;
}

/* false: dropped, and counted. */
DMT_INLINE bool
dmt_lane_put(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (!dmt_lane_has_room(recorder, lane))
		return false;
	dmt_lane_append(lane, word, times);
	return true;
}

/* The frame is whole before it counts. */
DMT_INLINE void
dmt_lane_push(struct dmt_lane *lane, const struct dmt_frame *frame)
{
	lane->frames[lane->depth] = *frame;
	atomic_signal_fence(memory_order_seq_cst);
	lane->depth++;
}

DMT_INLINE void
dmt_lane_enter(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    const struct dmt_frame *frame, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(lane->depth >= lane->max_depth)) {
		lane->beyond++;
		lane->dropped++;
		return;
	}
	if (dmt_lane_put(recorder, lane, frame->method | DMTRACE_ENTER,
	    times))
		dmt_lane_push(lane, frame);
}

/*
 * The innermost frame goes. false: the record was dropped, and it stays. It is
 * there until a flush is over, at whose end a handler may run that jumps out:
 * no record is left then that says which one it was.
 */
DMT_INLINE bool
dmt_lane_pop(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    enum dmtrace_action action, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(!dmt_lane_has_room(recorder, lane)))
		return false;
	const uint32_t method = lane->frames[--lane->depth].method;
	dmt_lane_append(lane, method | action, times);
	return true;
}

/* word is the method with the action in its low bits. */
DMT_INLINE void
dmt_lane_leave(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(lane->beyond > 0)) {
		lane->beyond--;
		lane->dropped++;
	} else if (DMT_UNLIKELY(lane->depth == 0 ||
	    lane->frames[lane->depth - 1].method != (word & ~UINT32_C(3)))) {
		dmt_lane_mismatch(recorder, lane, word, times);
	} else {
		dmt_lane_pop(recorder, lane, word & 3, times);
	}
}

/* Whether the innermost frame is the method's, and none is beyond it. */
DMT_INLINE bool
dmt_lane_is_in(const struct dmt_lane *lane, uint32_t method)
{
	return lane->beyond == 0 && lane->depth > 0 &&
	    lane->frames[lane->depth - 1].method == method;
}

/* The same record as dmt_lane_append makes of a wall time. */
DMT_INLINE void
dmt_lane_append_wall(struct dmt_lane *lane, uint32_t word, uint32_t wall_us)
{
	const struct dmt_times times = { 0, wall_us };

	if (DMT_UNLIKELY(lane->form == DMT_FORM_1))
		dmt_lane_encode_as(lane, DMT_LAYOUT_1_WALL, word, &times);
	else
		dmt_lane_encode_as(lane, DMT_LAYOUT_2_WALL, word, &times);
	lane->last.wall_us = wall_us;
}

#endif
