/* profile_bytes.c - passes a profile on to another process of this program */

/*
 * The bytes are the arrays of the profile as they are in memory: only the same
 * program, on the same machine, can read them. Pointers are left out: a name is
 * its length and its bytes, and whatever refers to a method or a thread has its
 * index. The reader looks each name up in its own profile, and adds the totals
 * of each index to those of the index that it has for the name, as those of one
 * more trace are added. So the profile of traces that are added
 * one after the other is the same as that of the profiles of each.
 *
 * Distributions of durations are rounded when they are added. They are the same
 * to the last bit if each profile that is passed on has one trace, and with
 * DMTRACE_PROFILE_THREADS only because the totals of threads are passed on, and
 * those of all threads are added up from them again.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "private/output.h"
#include "private/profile.h"
#include "profile/profile.h"

/* What there is once in a profile. */
struct profile_head {
	struct dmtrace_profile_summary summary;
	double steps_ns[DMT_CLOCKS];
	double calls_ns[DMT_CLOCKS];
	size_t methods, threads;
};

/* Write. */

static void
put_name_text(struct dmt_output *out, struct dmtrace_text text)
{
	dmt_output_write(out, &text.len, sizeof(text.len));
	dmt_output_write(out, text.bytes, text.len);
}

static void
put_array(struct dmt_output *out, const void *items, size_t count, size_t size)
{
	dmt_output_write(out, &count, sizeof(count));
	dmt_output_write(out, items, count * size);
}

static void
put_totals(struct dmt_output *out, struct dmt_totals *totals,
    size_t methods)
{
	const uint32_t last = UINT32_MAX;

	dmt_output_write(out, totals->cells, methods * sizeof(*totals->cells));
	for (uint32_t i = 0; i < methods; i++) {
		if (totals->durations[i] == NULL)
			continue;
		dmt_output_write(out, &i, sizeof(i));
		dmt_output_write(out, totals->durations[i],
		    sizeof(*totals->durations[i]));
	}
	dmt_output_write(out, &last, sizeof(last));
	dmt_totals_settle(totals);
	put_array(out, totals->edges.items, totals->edges.count,
	    sizeof(*totals->edges.items));
	put_array(out, totals->paths.items, totals->paths.count,
	    sizeof(*totals->paths.items));
}

void
dmt_profile_put(const struct dmtrace_profile *profile, struct dmt_output *out)
{
	const bool per_thread = (profile->keep & DMTRACE_PROFILE_THREADS) != 0;
	const struct profile_head head = {
		.summary = profile->summary,
		.steps_ns = { profile->steps_ns[0], profile->steps_ns[1] },
		.calls_ns = { profile->calls_ns[0], profile->calls_ns[1] },
		.methods = profile->names.count,
		.threads = profile->thread_count
	};

	dmt_output_write(out, &head, sizeof(head));
	if (head.summary.traces == 0)
		return;
	for (size_t i = 0; i < head.methods; i++) {
		const struct dmt_name *const name = &profile->names.items[i];

		put_name_text(out, name->class_name);
		put_name_text(out, name->name);
		put_name_text(out, name->signature);
		put_name_text(out, profile->methods[i].file);
		dmt_output_write(out, &name->listed, sizeof(name->listed));
		dmt_output_write(out, &profile->methods[i],
		    sizeof(profile->methods[i]));
	}
	if (!per_thread)
		put_totals(out, profile->all, head.methods);
	for (size_t i = 0; i < head.threads; i++) {
		struct dmt_profile_thread *const thread =
		    profile->threads[i];

		dmt_output_write(out, &thread->thread, sizeof(thread->thread));
		put_name_text(out, thread->thread.name);
		if (per_thread)
			put_totals(out, &thread->totals, head.methods);
	}
}

/* Read. */

/* The bytes that follow. Whoever wrote them was this program. */
struct profile_bytes {
	const char *at;
	uint32_t *methods;	/* by index of the writer: that of the reader */
	size_t method_count;
};

static void
get_bytes(struct profile_bytes *bytes, void *to, size_t len)
{
	memcpy(to, bytes->at, len);
	bytes->at += len;
}

static struct dmtrace_text
get_text(struct profile_bytes *bytes)
{
	struct dmtrace_text text = { .len = 0 };

	get_bytes(bytes, &text.len, sizeof(text.len));
	text.bytes = bytes->at;
	bytes->at += text.len;
	return text;
}

/* Returns an array, to be freed. NULL: no memory. */
static void *
get_array(struct profile_bytes *bytes, size_t *count, size_t size)
{
	get_bytes(bytes, count, sizeof(*count));
	void *const items = dmt_array_new(*count, size);
	if (items != NULL && *count > 0)
		get_bytes(bytes, items, *count * size);
	return items;
}

/* Adds the methods to the profile. false: no memory. */
static bool
get_methods(struct dmtrace_profile *profile, struct profile_bytes *bytes)
{
	bytes->methods = dmt_array_new(bytes->method_count,
	    sizeof(*bytes->methods));
	if (bytes->methods == NULL)
		return false;
	for (size_t i = 0; i < bytes->method_count; i++) {
		struct dmt_name name = { .class_name = get_text(bytes) };
		struct dmt_profile_method method;

		name.name = get_text(bytes);
		name.signature = get_text(bytes);
		const struct dmtrace_text file = get_text(bytes);
		get_bytes(bytes, &name.listed, sizeof(name.listed));
		get_bytes(bytes, &method, sizeof(method));
		method.file = file;
		bytes->methods[i] = i == DMTRACE_PROFILE_TOP ?
		    DMTRACE_PROFILE_TOP :
		    dmt_profile_add_method(profile, &name, &method);
		if (profile->error.status != DMTRACE_OK)
			return false;
	}
	return true;
}

/* Gets totals with the indexes of the writer; they can only be added to others
 * and freed. false: no memory. */
static bool
get_sent_totals(struct profile_bytes *bytes, struct dmt_totals *totals)
{
	struct dmt_edges *const edges = &totals->edges;
	struct dmt_call_paths *const paths = &totals->paths;

	if (!dmt_totals_reserve(totals, bytes->method_count))
		return false;
	totals->method_count = bytes->method_count;
	get_bytes(bytes, totals->cells,
	    bytes->method_count * sizeof(*totals->cells));
	for (;;) {
		uint32_t method;

		get_bytes(bytes, &method, sizeof(method));
		if (method == UINT32_MAX)
			break;
		struct dmt_durations *const durations =
		    dmt_array_new(1, sizeof(*durations));
		if (durations == NULL)
			return false;
		get_bytes(bytes, durations, sizeof(*durations));
		totals->durations[method] = durations;
	}
	edges->items = get_array(bytes, &edges->count, sizeof(*edges->items));
	paths->items = get_array(bytes, &paths->count, sizeof(*paths->items));
	return edges->items != NULL && paths->items != NULL;
}

/* Adds the totals that follow to all, and to those of a thread unless that is
 * NULL. false: no memory. */
static bool
add_sent_totals(struct dmtrace_profile *profile, struct profile_bytes *bytes,
    struct dmt_totals *thread)
{
	struct dmt_totals totals = { .method_count = 0 };
	const size_t room = profile->names.count;
	const bool added = get_sent_totals(bytes, &totals) &&
	    dmt_totals_reserve(profile->all, room) &&
	    dmt_totals_add_copy(profile->all, &totals, bytes->methods) &&
	    (thread == NULL || (dmt_totals_reserve(thread, room) &&
	    dmt_totals_add_copy(thread, &totals, bytes->methods)));

	dmt_totals_fini(&totals);
	return added;
}

/* Adds a thread, with its totals if they are kept. false: no memory. */
static bool
add_sent_thread(struct dmtrace_profile *profile, struct profile_bytes *bytes)
{
	struct dmtrace_profile_thread from;

	get_bytes(bytes, &from, sizeof(from));
	const struct dmtrace_thread row = {
		.id = from.number, .name = get_text(bytes)
	};
	const uint32_t index = dmt_profile_get_thread(profile,
	    &(struct dmt_indexed_thread){ .number = from.number,
	    .row = from.listed ? &row : NULL });
	if (index == UINT32_MAX)
		return false;
	struct dmtrace_profile_thread *const to =
	    &profile->threads[index]->thread;
	to->records += from.records;
	to->calls += from.calls;
	to->total_partial |= from.total_partial;
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		to->total_ns[clock] += from.total_ns[clock];
		to->top_ns[clock] += from.top_ns[clock];
	}
	return !(profile->keep & DMTRACE_PROFILE_THREADS) ||
	    add_sent_totals(profile, bytes, &profile->threads[index]->totals);
}

static void
add_summary(struct dmtrace_profile *profile, const struct profile_head *head)
{
	const struct dmtrace_profile_summary *const from = &head->summary;
	struct dmtrace_profile_summary *const to = &profile->summary;

	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		to->has_clock[clock] = from->has_clock[clock] &&
		    (to->traces == 0 || to->has_clock[clock]);
		to->total_ns[clock] += from->total_ns[clock];
		to->overhead_ns[clock] += from->overhead_ns[clock];
		profile->steps_ns[clock] += head->steps_ns[clock];
		profile->calls_ns[clock] += head->calls_ns[clock];
	}
	to->traces += from->traces;
	to->records += from->records;
	to->lower_bounds |= from->lower_bounds;
	to->total_partial |= from->total_partial;
	to->span_ns = (int64_t)((uint64_t)to->span_ns +
	    (uint64_t)from->span_ns);
}

enum dmtrace_status
dmt_profile_add_bytes(struct dmtrace_profile *profile, const char *in)
{
	struct profile_bytes bytes = { .at = in };
	struct profile_head head;

	get_bytes(&bytes, &head, sizeof(head));
	if (head.summary.traces == 0)
		return DMTRACE_OK;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (profile->steps_ns[clock] + head.steps_ns[clock] >
		    DMT_PROFILE_TIMES_MAX ||
		    profile->calls_ns[clock] + head.calls_ns[clock] >
		    DMT_PROFILE_TIMES_MAX)
			return dmt_profile_fail_long_times(profile);
	add_summary(profile, &head);
	bytes.method_count = head.methods;
	bool added = get_methods(profile, &bytes) &&
	    ((profile->keep & DMTRACE_PROFILE_THREADS) ||
	    add_sent_totals(profile, &bytes, NULL));
	for (size_t i = 0; i < head.threads && added; i++)
		added = add_sent_thread(profile, &bytes);
	free(bytes.methods);
	return added ? dmt_profile_end_trace(profile) :
	    dmt_error_memory(&profile->error);
}
