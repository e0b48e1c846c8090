/* frames.h - open frames, by where on the stack they are */
#ifndef DMT_INSTRUMENT_FRAMES_H
#define DMT_INSTRUMENT_FRAMES_H

#include "record/lane_event.h"

/*
 * The place of a frame is the stack pointer when it called its enter hook,
 * its tag how many exceptions were in flight. Stacks grow downward.
 *
 * What an event at some place tells: a frame whose place is lower has gone,
 * by longjmp or an exception. Two frames have one place if the compiler has
 * inlined one into the other.
 */

/* The caller's stack pointer at its call of the function that asks. */
#define DMT_FRAMES_PLACE() ((uintptr_t)__builtin_dwarf_cfa())

/* Unrolls frames that have gone when the stack pointer is at place. */
void
dmt_frames_unroll(struct dmt_lane *lane, uintptr_t place,
    const struct dmt_times *times);

/*
 * The exit of a method that is not simply that of the innermost frame.
 * tail: the exit hook was jumped to, with the frame gone already.
 */
void
dmt_frames_leave(struct dmt_lane *lane, uint32_t method, uintptr_t place,
    bool tail, const struct dmt_times *times);

/* The thread's stack pointer has come to place, by an exception. */
void
dmt_frames_jump(uintptr_t place);

#endif
