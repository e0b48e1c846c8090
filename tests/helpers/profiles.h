/* profiles.h - profiles of a few events, and as text */

#ifndef PROFILES_H
#define PROFILES_H

#include <dmtrace.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/array_source.h"
#include "helpers/unit.h"
#include "private/key.h"

#define TEXT_MAX 1024

/* What "+A0" and so on do. */
static inline enum dmtrace_action
action_of(char letter)
{
	return letter == '+' ? DMTRACE_ENTER : letter == '-' ? DMTRACE_EXIT :
	    letter == '*' ? DMTRACE_UNROLL : DMTRACE_RESERVED;
}

/*
 * Reads "1+A30/40 ...": thread 1 enters (-, leaves; *, leaves by an
 * exception; ?, the reserved action) method A at 30 us of CPU time and 40 us
 * of wall time. Without the latter there is no such clock. Returns how many.
 */
static inline size_t
events_of(struct dmtrace_event *events, const char *text)
{
	size_t count = 0;
	char *in = (char *)(uintptr_t)text;

	while (*in != '\0') {
		struct dmtrace_event *event = &events[count++];

		event->thread = (uint32_t)strtoul(in, &in, 10);
		event->action = action_of(*in++);
		event->method = 4 * (uint64_t)(*in++ - 'A' + 1);
		event->cpu_ns = strtoull(in, &in, 10) * 1000;
		event->wall_ns = DMTRACE_NO_TIME;
		if (*in == '/')
			event->wall_ns = strtoull(in + 1, &in, 10) * 1000;
		while (*in == ' ')
			in++;
	}
	return count;
}

/* Methods A to F of the classes p/K, p/K, p/L, q/K, q/K and none; E and B
 * have one name, F none in the key; H is another row of the method A. */
static inline struct dmtrace_key *
key_of_methods(void)
{
	static const struct {
		uint64_t id;
		const char *class_name, *name, *signature;
	} rows[] = {
		{ 4, "p/K", "A", "()V" }, { 8, "p/K", "B", "()V" },
		{ 12, "p/L", "C", "()V" }, { 16, "q/K", "D", "()V" },
		{ 20, "q/K", "B", "(I)V" }, { 32, "p/K", "A", "()V" },
	};
	struct dmtrace_key *key = dmt_key_new();

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct dmtrace_method method = {
			.id = rows[i].id,
			.class_name = { rows[i].class_name,
			    strlen(rows[i].class_name) },
			.name = { rows[i].name, strlen(rows[i].name) },
			.signature = { rows[i].signature,
			    strlen(rows[i].signature) },
			.file = { "", 0 }, .line = DMTRACE_NO_LINE
		};

		ck_assert_int_eq(dmtrace_key_method_add(key, &method),
		    DMTRACE_OK);
	}
	return key;
}

/* Records that have the times that the first event has. */
static inline const struct dmt_layout *
layout_of_times(const struct dmtrace_event *events, size_t count)
{
	return dmt_layout_find(3, count > 0 &&
	    events->cpu_ns == DMTRACE_NO_TIME ? DMTRACE_CLOCK_WALL :
	    count > 0 && events->wall_ns != DMTRACE_NO_TIME ?
	    DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_THREAD_CPU);
}

/* In batches of batch_size. */
static inline enum dmtrace_status
profile_add_events(struct dmtrace_profile *profile,
    const struct dmtrace_key *key, const struct dmtrace_event *events,
    size_t count, size_t batch_size)
{
	struct dmtrace_source *const source = array_source_new(key,
	    layout_of_times(events, count), events, count, batch_size);

	if (source == NULL)
		return DMTRACE_ERR_MEMORY;
	const enum dmtrace_status status =
	    dmtrace_profile_add(profile, source);
	dmtrace_source_free(source);
	return status;
}

static inline void
profile_add(struct dmtrace_profile *profile, const struct dmtrace_key *key,
    const char *text)
{
	struct dmtrace_event events[512];
	const size_t count = events_of(events, text);

	ck_assert_int_eq(profile_add_events(profile, key, events, count, 64),
	    DMTRACE_OK);
}

static inline struct dmtrace_profile *
profile_of(const char *text, unsigned keep, enum dmtrace_profile_by by)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	options.keep = keep;
	options.by = by;
	options.clock = DMTRACE_CLOCK_THREAD_CPU;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_ptr_nonnull(profile);
	profile_add(profile, key, text);
	dmt_key_free(key);
	return profile;
}

/* A method, or a class or a package; what it is called. */
static inline const char *
name_text(char out[32], const struct dmtrace_profile *profile, size_t index)
{
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(profile, 0, index, &method);
	if (index == DMTRACE_PROFILE_TOP)
		snprintf(out, 32, "top");
	else if (method.name.len == 0)
		snprintf(out, 32, "%.*s", (int)method.class_name.len,
		    method.class_name.bytes);
	else
		snprintf(out, 32, "%.*s", (int)method.name.len,
		    method.name.bytes);
	return out;
}

/* Those that were called, and the top. */
static inline void
methods_text(char out[TEXT_MAX], const struct dmtrace_profile *profile,
    size_t table, enum dmtrace_profile_clock clock)
{
	const size_t count = dmtrace_profile_method_count(profile);
	size_t used = 0;
	char name[32];

	for (size_t i = 1; i <= count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, table, i % count,
		    &method);
		if (method.calls + method.recursive_calls == 0 && i < count)
			continue;
		used += (size_t)snprintf(out + used, TEXT_MAX - used,
		    "%s %" PRIu64 "+%" PRIu64 " %" PRId64 " %" PRId64 "/%"
		    PRId64 "; ", name_text(name, profile, i % count),
		    method.calls, method.recursive_calls,
		    method.inclusive_ns[clock] / 1000,
		    method.exclusive_ns[clock] / 1000,
		    method.outer_ns[clock] / 1000);
	}
}

static inline void
edges_text(char out[TEXT_MAX], const struct dmtrace_profile *profile,
    size_t table, enum dmtrace_profile_clock clock)
{
	size_t used = 0;
	char caller[32], callee[32];

	out[0] = '\0';
	for (size_t i = 0; i < dmtrace_profile_edge_count(profile, table);
	    i++) {
		struct dmtrace_profile_edge edge;

		dmtrace_profile_edge_get(profile, table, i, &edge);
		used += (size_t)snprintf(out + used, TEXT_MAX - used,
		    "%s%s>%s%s %" PRIu64 " %" PRId64 "; ",
		    name_text(caller, profile, edge.caller),
		    edge.caller_recursive ? "'" : "",
		    name_text(callee, profile, edge.callee),
		    edge.callee_recursive ? "'" : "", edge.calls,
		    edge.inclusive_ns[clock] / 1000);
	}
}

/* "A(C(D))": the children of each node in their order, with their times. */
static inline size_t
tree_text(char *out, size_t used, const struct dmtrace_profile *profile,
    size_t table, uint32_t parent)
{
	struct dmtrace_profile_node node;
	char name[32];

	dmtrace_profile_node_get(profile, table, parent, &node);
	for (uint32_t i = node.first_child; i != 0; i = node.next_sibling) {
		dmtrace_profile_node_get(profile, table, i, &node);
		ck_assert_uint_eq(node.parent, parent);
		used += (size_t)snprintf(out + used, TEXT_MAX - used,
		    "%s %" PRIu64 " %" PRId64 "/%" PRId64 "(",
		    name_text(name, profile, node.method), node.calls,
		    node.inclusive_ns[0] / 1000, node.exclusive_ns[0] / 1000);
		used = tree_text(out, used, profile, table, i);
		used += (size_t)snprintf(out + used, TEXT_MAX - used, ")");
	}
	return used;
}

#endif
