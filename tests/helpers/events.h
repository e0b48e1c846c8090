/* events.h - events that are compared */

#ifndef EVENTS_H
#define EVENTS_H

#include <dmtrace.h>

#include <check.h>

static inline void
assert_same_event(const struct dmtrace_event *a,
    const struct dmtrace_event *b)
{
	ck_assert_uint_eq(a->method, b->method);
	ck_assert_uint_eq(a->cpu_ns, b->cpu_ns);
	ck_assert_uint_eq(a->wall_ns, b->wall_ns);
	ck_assert_uint_eq(a->thread, b->thread);
	ck_assert_int_eq(a->action, b->action);
}

#endif
