/* dmtracedump.c - prints the report that dmtracedump printed */

/*
 * There are four sections, byte for byte as that program printed them: methods
 * by exclusive time; methods by inclusive time, each between its parents and
 * its children; and exclusive time by class, and by method name. Methods are
 * numbered by inclusive time. Some of its comparisons are inconsistent, so
 * that the result depends on the initial order; therefore each section is
 * sorted from the order of the previous one.
 */

#include "report/dmtracedump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "private/array.h"

#define SEPARATOR \
	"====================================================================" \
	"==\n"
#define GROUP_RULE "---------------------------------------------\n"

/* 0 if whole is 0. */
static double
percent_of(int64_t part, int64_t whole)
{
	return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* The methods of one class, or of one name. */
struct group {
	struct dump_method **methods;
	size_t count;
	int64_t exclusive_us;
	uint64_t calls, recursive_calls;
};

/* What differs between the two kinds of groups. */
struct kind {
	const char *what;
	dump_compare *compare;		/* sorts methods so that groups are
					   adjacent */
	bool by_name;
};

static const struct kind classes = {
	"Exclusive elapsed time for each class, summed over all the methods\n"
	"in the class.\n\n"
	"   Cycles %/total Cumul.%  Calls+Recur  Class\n",
	dump_by_class, false
};
static const struct kind names = {
	"Exclusive elapsed time for each method, summed over all the classes"
	"\nthat contain a method with the same name.\n\n"
	"   Cycles %/total Cumul.%  Calls+Recur  Method\n",
	dump_by_name, true
};

/* Makes groups of sorted methods; those without a name are in none. Returns
 * how many groups there are. */
static size_t
make_groups(struct group *groups, struct dump_method **members,
    const struct kind *kind, const struct dump_methods *methods)
{
	const char *last = NULL;
	size_t count = 0, used = 0;

	for (size_t i = 0; i < methods->count; i++) {
		struct dump_method *const method = methods->sorted[i];
		const char *const shared = kind->by_name ? method->name :
		    method->class_name;

		if (method->name == NULL)
			continue;
		if (last == NULL || strcmp(last, shared) != 0)
			groups[count++] = (struct group){
				.methods = members + used
			};
		last = shared;
		members[used++] = method;

		struct group *const group = &groups[count - 1];
		group->count++;
		group->exclusive_us += method->exclusive_us;
		group->calls += method->calls;
		group->recursive_calls += method->recursive_calls;
	}
	return count;
}

static int
compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->exclusive_us != b->exclusive_us)
		return a->exclusive_us < b->exclusive_us ? 1 : -1;
	const int order = dump_by_class(a->methods[0], b->methods[0]);
	return order != 0 ? order : (a->methods > b->methods) -
	    (a->methods < b->methods);
}

/* sum includes all groups up to this one. */
static void
put_group(struct dmt_output *buffer, const struct kind *kind,
    const struct group *group, int64_t sum, int64_t total)
{
	int64_t member_sum = 0;

	dmt_put(buffer, GROUP_RULE);
	dmt_put_format(buffer, "%9" PRId64 " %7.1f %7.1f %6" PRIu64 "+%-6"
	    PRIu64 " ", group->exclusive_us,
	    percent_of(group->exclusive_us, total),
	    percent_of(sum, total), group->calls, group->recursive_calls);
	dmt_put(buffer, kind->by_name ? group->methods[0]->name :
	    group->methods[0]->class_name);
	dmt_put(buffer, "\n");

	for (size_t i = 0; i < group->count; i++) {
		const struct dump_method *const method = group->methods[i];

		member_sum += method->exclusive_us;
		dmt_put_format(buffer, "%9" PRId64 " %9" PRId64
		    " %7.1f %7.1f %6" PRIu64 "+%-6" PRIu64 " [%zu] ",
		    method->exclusive_us, method->inclusive_us,
		    percent_of(method->exclusive_us, group->exclusive_us),
		    percent_of(member_sum, group->exclusive_us),
		    method->calls, method->recursive_calls, method->index);
		if (kind->by_name) {
			dmt_put(buffer, method->class_name);
			dmt_put(buffer, ".");
		}
		dmt_put(buffer, method->name);
		dmt_put(buffer, " ");
		dmt_put(buffer, method->signature);
		dmt_put(buffer, "\n");
	}
}

static bool
put_group_profile(struct report *report, const struct kind *kind,
    struct dump_methods *methods, int64_t total)
{
	struct group *groups = calloc(methods->count + 1, sizeof(*groups));
	struct dump_method **members =
	    calloc(methods->count + 1, sizeof(*members));
	struct dmt_output *const buffer = &report->table.buffer;
	size_t count = 0;
	int64_t sum = 0;
	bool fine = groups != NULL && members != NULL;

	if (!fine)
		msg_memory();
	fine = fine && dump_sort(methods->sorted, methods->count,
	    kind->compare);
	if (fine)
		count = make_groups(groups, members, kind, methods);
	for (size_t i = 0; fine && i < count; i++)
		fine = dump_sort(groups[i].methods, groups[i].count,
		    dump_by_exclusive);
	if (count > 1)
		qsort(groups, count, sizeof(*groups), compare_groups);

	if (fine && count > 0) {
		dmt_put(buffer, "\n" SEPARATOR "\n");
		dmt_put(buffer, kind->what);
	} else if (fine && !kind->by_name) {
		dmt_put(buffer, "\n" SEPARATOR "\nNo classes.\n");
	}
	for (size_t i = 0; fine && i < count; i++) {
		if (groups[i].exclusive_us == 0)
			continue;
		sum += groups[i].exclusive_us;
		put_group(buffer, kind, &groups[i], sum, total);
		fine = table_flush(&report->table);
	}
	free(groups);
	free(members);
	return fine && table_flush(&report->table);
}

#define RULE "----------------------------------------------------\n"
#define RECURSIVE_RULE "               +++++++++++++++++++++++++\n"

void
dump_put_method(struct dmt_output *buffer, const struct dump_method *method)
{
	dmt_put(buffer, method->class_name);
	if (method->name != NULL) {
		dmt_put(buffer, ".");
		dmt_put(buffer, method->name);
		dmt_put(buffer, " ");
		dmt_put(buffer, method->signature);
	}
	dmt_put(buffer, "\n");
}

static bool
put_exclusive(struct report *report, const struct dump_methods *methods,
    int64_t total)
{
	struct dmt_output *buffer = &report->table.buffer;
	int64_t sum = 0;

	dmt_put(buffer, "\n" SEPARATOR);
	dmt_put_format(buffer, "Total cycles: %" PRId64 "\n\n", total);
	dmt_put(buffer, "Exclusive elapsed times for each method, not "
	    "including time spent in\nchildren, sorted by exclusive time.\n\n"
	    "    Usecs  self %  sum %  Method\n");
	for (size_t i = 0; i < methods->count; i++) {
		const struct dump_method *method = methods->sorted[i];

		if (method->exclusive_us == 0)
			continue;
		sum += method->exclusive_us;
		dmt_put_format(buffer, "%9" PRId64 "  %6.2f %6.2f  [%zu] ",
		    method->exclusive_us,
		    percent_of(method->exclusive_us, total),
		    percent_of(sum, total), method->index);
		dump_put_method(buffer, method);
	}
	return table_flush(&report->table);
}

/* The parents or children of one method. */
struct relatives {
	struct report *report;
	const struct dump_methods *methods;
	struct dump_method *copies;	/* with the figures of the edges */
	struct dump_method **sorted;
	size_t copy_capacity, sorted_capacity;
};

/* Prints the relatives of a method whose calls count in its inclusive time or,
 * in a separate list, those of recursive calls. */
static bool
put_relatives(struct relatives *relatives, const struct dump_method *method,
    bool callers, bool recursive)
{
	const struct dump_method *const items = relatives->methods->items;
	struct dmt_output *const buffer = &relatives->report->table.buffer;
	const enum dmtrace_profile_clock clock = relatives->report->clock;
	size_t count, used = 0;
	const struct report_row *const rows = report_edges_get(
	    relatives->report, method->profile_index, callers, &count);

	struct dump_method *const copies = dmt_array_grow(relatives->copies,
	    &relatives->copy_capacity, count, sizeof(*copies));
	if (copies != NULL)
		relatives->copies = copies;
	struct dump_method **const sorted = dmt_array_grow(relatives->sorted,
	    &relatives->sorted_capacity, count, sizeof(*sorted));
	if (sorted != NULL)
		relatives->sorted = sorted;
	if (copies == NULL || sorted == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].recursive != recursive)
			continue;
		copies[used] = items[rows[i].index];
		copies[used].inclusive_us =
		    rows[i].method.inclusive_ns[clock] / 1000;
		copies[used].calls = rows[i].method.calls;
		sorted[used] = &copies[used];
		used++;
	}
	if (!dump_sort(sorted, used, dump_by_inclusive))
		return false;

	if (recursive && used > 0)
		dmt_put(buffer, RECURSIVE_RULE);
	for (size_t i = 0; i < used; i++) {
		const struct dump_method *const whole =
		    &items[sorted[i]->profile_index];
		const struct dump_method *const callee =
		    callers ? method : whole;
		char index[32];

		snprintf(index, sizeof(index), "[%zu]", whole->index);
		if (recursive)
			dmt_put_format(buffer, "%22s", "");
		else
			dmt_put_format(buffer, "%15s%5.1f%% ", "",
			    percent_of(sorted[i]->inclusive_us,
			    method->inclusive_us));
		dmt_put_format(buffer, "%6s %6" PRIu64 "/%-6" PRIu64 " %9"
		    PRId64 " ", index, sorted[i]->calls,
		    callee->calls + callee->recursive_calls,
		    sorted[i]->inclusive_us);
		dump_put_method(buffer, sorted[i]);
	}
	return true;
}

/* Prints a method between its parents and its children. */
static bool
put_family(struct relatives *relatives, const struct dump_method *method,
    int64_t total)
{
	struct dmt_output *const buffer = &relatives->report->table.buffer;
	char index[32];

	dmt_put(buffer, RULE);
	if (!put_relatives(relatives, method, true, false) ||
	    !put_relatives(relatives, method, true, true))
		return false;
	snprintf(index, sizeof(index), "[%zu]", method->index);
	dmt_put_format(buffer, "%-6s %5.1f%% %14s %6" PRIu64 "+%-6" PRIu64
	    " %9" PRId64 " ", index,
	    percent_of(method->inclusive_us, total), "", method->calls,
	    method->recursive_calls, method->inclusive_us);
	dump_put_method(buffer, method);
	dmt_put_format(buffer, "%15s%5.1f%% %6s %13s %9" PRId64 "\n", "",
	    percent_of(method->outer_us, method->inclusive_us), "excl", "",
	    method->outer_us);
	return put_relatives(relatives, method, false, false) &&
	    put_relatives(relatives, method, false, true) &&
	    table_flush(&relatives->report->table);
}

static bool
put_inclusive(struct report *report, const struct dump_methods *methods,
    int64_t total)
{
	struct relatives relatives = {
		.report = report, .methods = methods
	};
	bool fine = report_edges_begin(report, 0);

	dmt_put(&report->table.buffer,
	    "\n" SEPARATOR "\nInclusive elapsed "
	    "times for each method and its parents and children,\n"
	    "sorted by inclusive time.\n\n"
	    "index  %/total %/self  index     calls         usecs name\n");
	for (size_t i = 0; fine && i < methods->count; i++)
		if (methods->sorted[i]->inclusive_us != 0)
			fine = put_family(&relatives, methods->sorted[i],
			    total);
	report_edges_end(report);
	free(relatives.copies);
	free(relatives.sorted);
	return fine;
}

bool
dmtracedump_put(struct report *report, const struct dmtrace_key *key)
{
	const int64_t total = report->summary.total_ns[report->clock] / 1000;
	struct dump_methods methods;
	bool fine = dump_methods_init(&methods, key);

	if (fine)
		dump_methods_profile(&methods, report->profile, report->clock);
	fine = fine &&
	    dump_sort(methods.sorted, methods.count, dump_by_inclusive);
	for (size_t i = 0; fine && i < methods.count; i++)
		methods.sorted[i]->index = i;

	fine = fine &&
	    dump_sort(methods.sorted, methods.count, dump_by_exclusive) &&
	    put_exclusive(report, &methods, total) &&
	    dump_sort(methods.sorted, methods.count, dump_by_inclusive) &&
	    put_inclusive(report, &methods, total) &&
	    put_group_profile(report, &classes, &methods, total) &&
	    put_group_profile(report, &names, &methods, total);
	dump_methods_fini(&methods);
	return fine;
}
