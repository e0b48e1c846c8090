/* dmtracedump.c - the report that dmtracedump printed */

#include "report/dmtracedump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/msg.h"

#define SEPARATOR \
	"====================================================================" \
	"==\n"
#define RULE "----------------------------------------------------\n"
#define RECURSIVE_RULE "               +++++++++++++++++++++++++\n"

double
dump_percent(int64_t part, int64_t whole)
{
	return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

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
		    dump_percent(method->exclusive_us, total),
		    dump_percent(sum, total), method->index);
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
		    dump_percent(relative->inclusive_us,
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
	    dump_percent(method->inclusive_us, total), "", method->calls,
	    method->recursive_calls, method->inclusive_us);
	dump_put_method(buffer, method);
	strbuf_printf(buffer, "%15s%5.1f%% %6s %13s %9" PRId64 "\n", "",
	    dump_percent(method->outer_us, method->inclusive_us), "excl", "",
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
	    dump_put_classes(report, methods, total) &&
	    dump_put_names(report, methods, total);
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
