/* items.c - the methods of a profile's table, by inclusive time */

#include "export/items.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "private/export.h"
#include "private/text.h"

static int
compare_items(const void *left, const void *right)
{
	const struct dmt_item *const a = left, *const b = right;
	int order = (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns);

	if (order == 0)
		order = dmt_text_compare(a->method.class_name,
		    b->method.class_name);
	if (order == 0)
		order = dmt_text_compare(a->method.name, b->method.name);
	if (order == 0)
		order = dmt_text_compare(a->method.signature,
		    b->method.signature);
	return order != 0 ? order : (a->index > b->index) -
	    (a->index < b->index);
}

struct dmt_item *
dmt_items(const struct dmtrace_profile *profile, size_t table,
    enum dmtrace_profile_clock clock, size_t *count)
{
	const size_t methods = dmtrace_profile_method_count(profile);
	struct dmt_item *const items =
	    dmt_array_new(methods > 0 ? methods : 1, sizeof(*items));
	size_t used = 0;

	if (items == NULL)
		return NULL;
	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < methods; i++) {
		struct dmt_item *const item = &items[used];

		dmtrace_profile_method_get(profile, table, i, &item->method);
		if (item->method.calls + item->method.recursive_calls == 0)
			continue;
		item->index = (uint32_t)i;
		item->time_ns = item->method.inclusive_ns[clock];
		used++;
	}
	qsort(items, used, sizeof(*items), compare_items);
	*count = used;
	return items;
}

uint32_t *
dmt_references(const struct dmtrace_profile *profile,
    enum dmtrace_profile_clock clock)
{
	const size_t methods = dmtrace_profile_method_count(profile);
	size_t count;
	struct dmt_item *const items = dmt_items(profile, 0, clock,
	    &count);
	uint32_t *const references = items == NULL ? NULL :
	    dmt_array_new(methods > 0 ? methods : 1, sizeof(*references));

	for (size_t i = 0; references != NULL && i < count; i++)
		references[items[i].index] = (uint32_t)i + 1;
	free(items);
	return references;
}

int
dmt_is_long(int64_t time, int64_t total, double percent)
{
	return !(percent > 0) ||
	    (time > 0 && 100.0 * (double)time >= percent * (double)total);
}

static void
add_item(struct dmtrace_profile_edge *link,
    const struct dmtrace_profile_edge *edge)
{
	link->calls += edge->calls;
	link->caller_recursive &= edge->caller_recursive;
	link->callee_recursive &= edge->callee_recursive;
	if (edge->callee_recursive)
		return;
	for (int i = 0; i < DMTRACE_PROFILE_CLOCKS; i++)
		link->inclusive_ns[i] += edge->inclusive_ns[i];
}

int
dmt_link_next(struct dmt_link_walk *walk, struct dmtrace_profile_edge *link)
{
	const size_t count =
	    dmtrace_profile_edge_count(walk->profile, walk->table);
	struct dmtrace_profile_edge edge;
	int found = 0;

	for (; walk->next < count; walk->next++) {
		dmtrace_profile_edge_get(walk->profile, walk->table,
		    walk->next, &edge);
		if (!found)
			*link = (struct dmtrace_profile_edge){
				.caller = edge.caller, .callee = edge.callee,
				.caller_recursive = 1, .callee_recursive = 1
			};
		else if (edge.caller != link->caller ||
		    edge.callee != link->callee)
			break;
		found = 1;
		add_item(link, &edge);
	}
	return found;
}
