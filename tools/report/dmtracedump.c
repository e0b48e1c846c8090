/* dmtracedump.c - the report that dmtracedump printed */

#include "report/dmtracedump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"

#define SEPARATOR \
	"====================================================================" \
	"==\n"
#define GROUP_RULE "---------------------------------------------\n"

/* 0 of nothing. */
static double
percent_of(int64_t part, int64_t whole)
{
	return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* Methods of one class, or of one name. */
struct group {
	struct dump_method **methods;
	size_t count;
	int64_t exclusive_us;
	uint64_t calls, recursive_calls;
};

/* The two profiles differ in these. */
struct kind {
	const char *what;
	dump_compare *compare;		/* brings the groups together */
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

static bool
is_same_group(const struct kind *kind, const struct dump_method *a,
    const struct dump_method *b)
{
	return strcmp(kind->by_name ? a->name : a->class_name,
	    kind->by_name ? b->name : b->class_name) == 0;
}

static void
add_to_group(struct group *group, const struct dump_method *method)
{
	group->count++;
	group->exclusive_us += method->exclusive_us;
	group->calls += method->calls;
	group->recursive_calls += method->recursive_calls;
}

/* Methods without a name are in no group. Returns how many groups. */
static size_t
make_groups(struct group *groups, const struct kind *kind,
    struct dump_methods *methods, struct dump_method **members)
{
	const struct dump_method *last = NULL;
	size_t count = 0, used = 0;

	for (size_t i = 0; i < methods->count; i++) {
		struct dump_method *method = methods->sorted[i];

		if (method->name == NULL)
			continue;
		if (last == NULL || !is_same_group(kind, last, method))
			groups[count++] = (struct group){
				.methods = members + used
			};
		members[used++] = method;
		add_to_group(&groups[count - 1], method);
		last = method;
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

static bool
sort_groups(struct group *groups, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!dump_sort(groups[i].methods, groups[i].count,
		    dump_by_exclusive))
			return false;
	if (count > 1)
		qsort(groups, count, sizeof(*groups), compare_groups);
	return true;
}

static void
put_member(struct strbuf *buffer, const struct kind *kind,
    const struct group *group, const struct dump_method *method, int64_t sum)
{
	strbuf_printf(buffer, "%9" PRId64 " %9" PRId64 " %7.1f %7.1f %6"
	    PRIu64 "+%-6" PRIu64 " [%zu] ", method->exclusive_us,
	    method->inclusive_us,
	    percent_of(method->exclusive_us, group->exclusive_us),
	    percent_of(sum, group->exclusive_us), method->calls,
	    method->recursive_calls, method->index);
	if (kind->by_name) {
		strbuf_string(buffer, method->class_name);
		strbuf_string(buffer, ".");
	}
	strbuf_string(buffer, method->name);
	strbuf_string(buffer, " ");
	strbuf_string(buffer, method->signature);
	strbuf_string(buffer, "\n");
}

static void
put_group(struct strbuf *buffer, const struct kind *kind,
    const struct group *group, int64_t sum, int64_t total)
{
	int64_t members = 0;

	strbuf_string(buffer, GROUP_RULE);
	strbuf_printf(buffer, "%9" PRId64 " %7.1f %7.1f %6" PRIu64 "+%-6"
	    PRIu64 " ", group->exclusive_us,
	    percent_of(group->exclusive_us, total),
	    percent_of(sum, total), group->calls, group->recursive_calls);
	strbuf_string(buffer, kind->by_name ? group->methods[0]->name :
	    group->methods[0]->class_name);
	strbuf_string(buffer, "\n");
	for (size_t i = 0; i < group->count; i++) {
		members += group->methods[i]->exclusive_us;
		put_member(buffer, kind, group, group->methods[i], members);
	}
}

static bool
put_groups(struct report *report, const struct kind *kind,
    const struct group *groups, size_t count, int64_t total)
{
	int64_t sum = 0;

	if (count == 0) {
		if (!kind->by_name)
			strbuf_string(&report->table.buffer, "\n" SEPARATOR
			    "\nNo classes.\n");
		return table_flush(&report->table);
	}
	strbuf_string(&report->table.buffer, "\n" SEPARATOR "\n");
	strbuf_string(&report->table.buffer, kind->what);
	for (size_t i = 0; i < count; i++) {
		if (groups[i].exclusive_us == 0)
			continue;
		sum += groups[i].exclusive_us;
		put_group(&report->table.buffer, kind, &groups[i], sum, total);
		if (!table_flush(&report->table))
			return false;
	}
	return table_flush(&report->table);
}

static bool
put_group_profile(struct report *report, const struct kind *kind,
    struct dump_methods *methods, int64_t total)
{
	struct group *groups = calloc(methods->count + 1, sizeof(*groups));
	struct dump_method **members =
	    calloc(methods->count + 1, sizeof(*members));
	bool fine = groups != NULL && members != NULL;

	if (!fine)
		msg_memory();
	if (fine && dump_sort(methods->sorted, methods->count,
	    kind->compare)) {
		const size_t count = make_groups(groups, kind, methods,
		    members);

		fine = sort_groups(groups, count) &&
		    put_groups(report, kind, groups, count, total);
	}
	free(groups);
	free(members);
	return fine;
}

static bool
put_class_profile(struct report *report, struct dump_methods *methods,
    int64_t total_us)
{
	return put_group_profile(report, &classes, methods, total_us);
}

static bool
put_name_profile(struct report *report, struct dump_methods *methods,
    int64_t total_us)
{
	return put_group_profile(report, &names, methods, total_us);
}

#define RULE "----------------------------------------------------\n"
#define RECURSIVE_RULE "               +++++++++++++++++++++++++\n"

void
dump_put_method(struct strbuf *buffer, const struct dump_method *method)
{
	strbuf_string(buffer, method->class_name);
	if (method->name != NULL) {
		strbuf_string(buffer, ".");
		strbuf_string(buffer, method->name);
		strbuf_string(buffer, " ");
		strbuf_string(buffer, method->signature);
	}
	strbuf_string(buffer, "\n");
}

static bool
put_exclusive(struct report *report, const struct dump_methods *methods,
    int64_t total)
{
	struct strbuf *buffer = &report->table.buffer;
	int64_t sum = 0;

	strbuf_string(buffer, "\n" SEPARATOR);
	strbuf_printf(buffer, "Total cycles: %" PRId64 "\n\n", total);
	strbuf_string(buffer, "Exclusive elapsed times for each method, not "
	    "including time spent in\nchildren, sorted by exclusive time.\n\n"
	    "    Usecs  self %  sum %  Method\n");
	for (size_t i = 0; i < methods->count; i++) {
		const struct dump_method *method = methods->sorted[i];

		if (method->exclusive_us == 0)
			continue;
		sum += method->exclusive_us;
		strbuf_printf(buffer, "%9" PRId64 "  %6.2f %6.2f  [%zu] ",
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
	size_t capacity;
};

static bool
reserve_relatives(struct relatives *relatives, size_t count)
{
	if (count <= relatives->capacity)
		return true;
	free(relatives->copies);
	free(relatives->sorted);
	relatives->copies = calloc(count, sizeof(*relatives->copies));
	relatives->sorted = calloc(count, sizeof(*relatives->sorted));
	relatives->capacity = count;
	if (relatives->copies != NULL && relatives->sorted != NULL)
		return true;
	relatives->capacity = 0;
	msg_memory();
	return false;
}

static void
put_relative(struct relatives *relatives, const struct dump_method *method,
    const struct dump_method *relative, bool callers, bool recursive)
{
	struct strbuf *buffer = &relatives->report->table.buffer;
	const struct dump_method *whole =
	    &relatives->methods->items[relative->profile_index];
	const uint64_t calls = callers ?
	    method->calls + method->recursive_calls :
	    whole->calls + whole->recursive_calls;
	char index[32];

	snprintf(index, sizeof(index), "[%zu]", whole->index);
	if (recursive)
		strbuf_printf(buffer, "%22s", "");
	else
		strbuf_printf(buffer, "%15s%5.1f%% ", "",
		    percent_of(relative->inclusive_us,
		    method->inclusive_us));
	strbuf_printf(buffer, "%6s %6" PRIu64 "/%-6" PRIu64 " %9" PRId64 " ",
	    index, relative->calls, calls, relative->inclusive_us);
	dump_put_method(buffer, relative);
}

/* Those of recursive calls have a list of their own. */
static bool
put_relatives(struct relatives *relatives, const struct dump_method *method,
    bool callers, bool recursive)
{
	const enum dmtrace_profile_clock clock = relatives->report->clock;
	size_t count, used = 0;
	const struct report_row *rows = report_edges_get(relatives->report,
	    method->profile_index, callers, &count);

	if (!reserve_relatives(relatives, count))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct dump_method *copy = &relatives->copies[used];

		if (rows[i].recursive != recursive)
			continue;
		*copy = relatives->methods->items[rows[i].index];
		copy->inclusive_us =
		    rows[i].method.inclusive_ns[clock] / 1000;
		copy->calls = rows[i].method.calls;
		relatives->sorted[used++] = copy;
	}
	if (!dump_sort(relatives->sorted, used, dump_by_inclusive))
		return false;
	if (recursive && used > 0)
		strbuf_string(&relatives->report->table.buffer, RECURSIVE_RULE);
	for (size_t i = 0; i < used; i++)
		put_relative(relatives, method, relatives->sorted[i], callers,
		    recursive);
	return true;
}

static void
put_own(struct strbuf *buffer, const struct dump_method *method,
    int64_t total)
{
	char index[32];

	snprintf(index, sizeof(index), "[%zu]", method->index);
	strbuf_printf(buffer, "%-6s %5.1f%% %14s %6" PRIu64 "+%-6" PRIu64
	    " %9" PRId64 " ", index,
	    percent_of(method->inclusive_us, total), "", method->calls,
	    method->recursive_calls, method->inclusive_us);
	dump_put_method(buffer, method);
	strbuf_printf(buffer, "%15s%5.1f%% %6s %13s %9" PRId64 "\n", "",
	    percent_of(method->outer_us, method->inclusive_us), "excl", "",
	    method->outer_us);
}

static bool
put_family(struct relatives *relatives, const struct dump_method *method,
    int64_t total)
{
	strbuf_string(&relatives->report->table.buffer, RULE);
	if (!put_relatives(relatives, method, true, false) ||
	    !put_relatives(relatives, method, true, true))
		return false;
	put_own(&relatives->report->table.buffer, method, total);
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

	strbuf_string(&report->table.buffer,
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

static bool
put_dmtracedump(struct report *report, struct dump_methods *methods)
{
	const int64_t total =
	    report->summary.total_ns[report->clock] / 1000;

	if (!dump_sort(methods->sorted, methods->count, dump_by_inclusive))
		return false;
	for (size_t i = 0; i < methods->count; i++)
		methods->sorted[i]->index = i;
	return dump_sort(methods->sorted, methods->count,
	    dump_by_exclusive) &&
	    put_exclusive(report, methods, total) &&
	    dump_sort(methods->sorted, methods->count, dump_by_inclusive) &&
	    put_inclusive(report, methods, total) &&
	    put_class_profile(report, methods, total) &&
	    put_name_profile(report, methods, total);
}

bool
dmtracedump_put(struct report *report, const struct dmtrace_key *key)
{
	struct dump_methods methods;
	bool fine = dump_methods_init(&methods, key);

	if (fine) {
		dump_methods_profile(&methods, report->profile,
		    report->clock);
		fine = put_dmtracedump(report, &methods);
	}
	dump_methods_fini(&methods);
	return fine;
}
