/* export_callgrind.c - writes methods and edges for KCachegrind */

/*
 * There is a block for each method: its exclusive time, then a line for each
 * method that it calls, with the inclusive time of these calls. Calls inside
 * another call of the same callee have no time there, so that the lines of a
 * method add up to its inclusive time, as in a report. Files and methods are
 * named once, with a number. Times are unsigned in the format: negative ones
 * are written as 0.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "export/exporter.h"
#include "private/export.h"

#define CLOCKS DMTRACE_PROFILE_CLOCKS

static const char *const event_names[CLOCKS] = { "CPU_ns", "Wall_ns" };
static const char *const event_texts[CLOCKS] = {
	"CPU time (ns)", "wall time (ns)"
};

struct callgrind {
	bool has[CLOCKS];
	uint8_t *named;			/* by method: 1 after its name was
					   written */
};

static void
put_times(struct dmt_exporter *exporter, const int64_t ns[CLOCKS])
{
	const struct callgrind *const self = exporter->state;

	for (int clock = CLOCKS; clock-- > 0; ) {
		if (!self->has[clock])
			continue;
		exporter->counts.negative += ns[clock] < 0;
		dmt_put_format(exporter->out, " %" PRId64,
		    ns[clock] < 0 ? 0 : ns[clock]);
	}
	dmt_put(exporter->out, "\n");
}

static int32_t
line_of(const struct dmtrace_profile_method *method)
{
	return method->line > 0 ? method->line : 0;
}

/* Writes fl= and fn= of a method, with the prefix "c" for a callee. The name
 * includes the signature, which may be all that distinguishes methods of a
 * file. */
static void
put_position(struct dmt_exporter *exporter, const char *prefix,
    uint32_t index, const struct dmtrace_profile_method *method)
{
	struct callgrind *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const bool is_new = !self->named[index];

	dmt_put_format(out, "%s=(%" PRIu32 ")", *prefix == 'c' ? "cfi" : "fl",
	    index + 1);
	if (is_new) {
		dmt_put(out, " ");
		if (method->file.len > 0)
			dmt_put_name(out, DMT_PUT_TEXT, method->file,
			    SIZE_MAX);
		else
			dmt_put(out, "???");
	}
	dmt_put_format(out, "\n%s=(%" PRIu32 ")", prefix, index + 1);
	if (is_new) {
		dmt_put(out, " ");
		dmt_put_method(out, DMT_PUT_TEXT, method, SIZE_MAX);
		dmt_put_name(out, DMT_PUT_TEXT, method->signature, SIZE_MAX);
	}
	dmt_put(out, "\n");
	self->named[index] = 1;
}

/* Writes the edges of a caller, from *next on. Edges to one callee that differ
 * in recursion only are summed. */
static void
put_calls(struct dmt_exporter *exporter,
    const struct dmtrace_profile *profile, uint32_t caller,
    const struct dmtrace_profile_method *method, size_t *next)
{
	const size_t edges = dmtrace_profile_edge_count(profile, 0);

	while (*next < edges) {
		struct dmtrace_profile_method callee;
		struct dmtrace_profile_edge edge;
		uint64_t calls = 0;
		int64_t ns[CLOCKS] = { 0, 0 };
		uint32_t index;

		dmtrace_profile_edge_get(profile, 0, *next, &edge);
		if (edge.caller != caller)
			break;
		index = edge.callee;
		while (edge.caller == caller && edge.callee == index) {
			calls += edge.calls;
			for (int i = 0; i < CLOCKS && !edge.callee_recursive;
			    i++)
				ns[i] += edge.inclusive_ns[i];
			if (++*next == edges)
				break;
			dmtrace_profile_edge_get(profile, 0, *next, &edge);
		}
		dmtrace_profile_method_get(profile, 0, index, &callee);
		put_position(exporter, "cfn", index, &callee);
		dmt_put_format(exporter->out, "calls=%" PRIu64 " %" PRId32
		    "\n%" PRId32, calls, line_of(&callee), line_of(method));
		put_times(exporter, ns);
	}
}

static enum dmtrace_status
put_callgrind(struct dmt_exporter *exporter,
    const struct dmtrace_profile *profile)
{
	struct callgrind *const self = exporter->state;
	struct dmt_output *const out = exporter->out;
	const size_t methods = dmtrace_profile_method_count(profile);
	struct dmtrace_profile_summary summary;
	size_t next = 0;

	self->named = dmt_array_new(methods + 1, 1);
	if (self->named == NULL)
		return dmt_error_memory(&exporter->error);
	dmtrace_profile_summary_get(profile, &summary);
	for (int i = 0; i < CLOCKS; i++)
		self->has[i] = summary.has_clock[i];

	dmt_put(out, "# callgrind format\nversion: 1\ncreator: dmtrace ");
	dmt_put(out, dmtrace_version());
	dmt_put(out, "\npositions: line\n");
	for (int i = CLOCKS; i-- > 0; )
		if (self->has[i])
			dmt_put_format(out, "event: %s : %s\n",
			    event_names[i], event_texts[i]);
	dmt_put(out, "events:");
	for (int i = CLOCKS; i-- > 0; )
		if (self->has[i])
			dmt_put_format(out, " %s", event_names[i]);
	dmt_put(out, "\nsummary:");
	put_times(exporter, summary.total_ns);

	for (uint32_t i = 0; i < methods; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (i != DMTRACE_PROFILE_TOP &&
		    method.calls + method.recursive_calls == 0)
			continue;
		dmt_put(out, "\n");
		put_position(exporter, "fn", i, &method);
		dmt_put_format(out, "%" PRId32, line_of(&method));
		put_times(exporter, method.exclusive_ns);
		put_calls(exporter, profile, i, &method, &next);
	}
	return DMTRACE_OK;
}

static void
fini_callgrind(struct dmt_exporter *exporter)
{
	free(((struct callgrind *)exporter->state)->named);
}

const struct dmt_format dmt_format_callgrind = {
	.about = {
		.name = "callgrind",
		.viewers = "KCachegrind, QCachegrind, callgrind_annotate",
		.open = "kcachegrind FILE",
		.ending = ".callgrind",
	},
	.state_size = sizeof(struct callgrind),
	.put = put_callgrind, .fini = fini_callgrind,
	.keep = DMTRACE_PROFILE_EDGES,
};
