/* dmtracedump_groups.c - dmtracedump's profiles of classes and of names */

#include "report/dmtracedump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"

#define SEPARATOR \
	"====================================================================" \
	"==\n"
#define RULE "---------------------------------------------\n"

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
	    dump_percent(method->exclusive_us, group->exclusive_us),
	    dump_percent(sum, group->exclusive_us), method->calls,
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

	strbuf_string(buffer, RULE);
	strbuf_printf(buffer, "%9" PRId64 " %7.1f %7.1f %6" PRIu64 "+%-6"
	    PRIu64 " ", group->exclusive_us,
	    dump_percent(group->exclusive_us, total),
	    dump_percent(sum, total), group->calls, group->recursive_calls);
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

bool
dump_put_classes(struct report *report, struct dump_methods *methods,
    int64_t total_us)
{
	return put_group_profile(report, &classes, methods, total_us);
}

bool
dump_put_names(struct report *report, struct dump_methods *methods,
    int64_t total_us)
{
	return put_group_profile(report, &names, methods, total_us);
}
