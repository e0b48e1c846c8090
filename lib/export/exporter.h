/* exporter.h - exports traces to the formats of other programs */
#ifndef DMT_EXPORT_EXPORTER_H
#define DMT_EXPORT_EXPORTER_H

#include <dmtrace/export.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/output.h"
#include "events/callstacks.h"
#include "events/pipeline.h"
#include "export/calls.h"
#include "export/labels.h"
#include "format/layout.h"
#include "private/export.h"
#include "private/put.h"

/*
 * A format is a file and a row of exporter.c. It gets the steps of each trace,
 * or a profile of all traces. Functions that are NULL do nothing. A failure is
 * returned as a status, with the error set in the exporter or the source.
 * Failures of the output are not returned; they are noticed between batches.
 */
struct dmt_format {
	struct dmtrace_export_format about;
	size_t state_size;		/* of its state, which begins zeroed */
	enum dmtrace_status (*begin)(struct dmt_exporter *exporter);
	enum dmtrace_status (*take)(struct dmt_exporter *exporter,
	    struct dmtrace_source *source);
	enum dmtrace_status (*end)(struct dmt_exporter *exporter);
	void (*fini)(struct dmt_exporter *exporter);
	size_t frame_size;		/* see dmt_calls_frame; 0: none */
	bool strays;			/* call take for stray events, too; see
					   dmt_calls */
	bool looks;			/* begin with an empty block, after the
					   first pass of dmt_calls_init */
	/* Writes an instant, after all steps, at time_ns of the trace, in that
	 * thread; NULL: instants are not supported. */
	enum dmtrace_status (*put_instant)(struct dmt_exporter *exporter,
	    const struct dmt_export_instant *instant, uint64_t time_ns,
	    const struct dmt_indexed_thread *thread, uint32_t index);
	/* Instead of take: what the profile must contain, and a function that
	 * writes it. */
	unsigned keep;
	enum dmtrace_status (*put)(struct dmt_exporter *exporter,
	    const struct dmtrace_profile *profile);
};

struct dmt_exporter {
	const struct dmt_format *format;
	struct dmt_exporter_options options;
	struct dmt_output *out;
	void *state;			/* of the format */
	struct dmtrace_profile *profile;	/* NULL: the format gets
						   steps */
	unsigned weight;		/* index of a clock, or CALLS */
	unsigned again;			/* weight of another pass over the
					   steps (see dmt_want_pass), which the
					   format asks for; 0: none */
	bool begun;			/* the format has a state to end */
	uint64_t traces;		/* the number of this trace, from 1, */
	const char *name;		/* and its name */
	struct dmtrace_export_counts counts;
	const struct dmt_export_instant *instants;	/* of the next trace */
	size_t instant_count;
	uint64_t start_ns;		/* of the trace, on the clock of
					   instants */
	uint64_t first_ns, last_ns;	/* of its steps, if there are any */
	uint64_t start_us;		/* of the earliest trace, since 1970;
					   0: not known */
	struct dmtrace_error error;
};

/* The index for calls, in addition to those of clocks. */
enum { DMT_WEIGHT_CALLS = DMTRACE_PROFILE_CLOCKS };

/* Returns true if the export has failed and should stop. */
static inline bool
dmt_export_stops(const struct dmt_exporter *exporter)
{
	return exporter->out->error.status != DMTRACE_OK;
}

/* Returns the clock that viewers use: wall time if there is one. */
static inline int
dmt_export_clock(const struct dmtrace_source *source)
{
	return dmt_layout_has_wall(source->layout) ? DMTRACE_PROFILE_WALL :
	    DMTRACE_PROFILE_CPU;
}

/*
 * Passes the steps of a source's calls to the format, block after block, and
 * finally an empty block; see dmt_calls_init for rising. If put has set again
 * of the exporter then, all of this is done once more.
 * Returns DMTRACE_OK, or the status of the exporter's error or the source's.
 */
enum dmtrace_status
dmt_export_calls(struct dmt_exporter *exporter,
    struct dmtrace_source *source, bool rising,
    enum dmtrace_status (*put)(struct dmt_exporter *exporter,
    const struct dmt_calls *calls));

/*
 * Passes every event of a source to put, with the depth of its call, 0 if it
 * has none, and counts them. put returns false if there is no memory; it is
 * known where this is compiled, so that no event costs a call by pointer.
 * Returns DMTRACE_OK, or the status of the exporter's error or the source's.
 */
static inline enum dmtrace_status
dmt_export_events(struct dmt_exporter *exporter,
    struct dmtrace_source *source,
    bool (*put)(struct dmt_exporter *exporter,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at, uint32_t depth))
{
	struct dmt_callstacks stacks = { 0 };
	enum dmtrace_status status = DMTRACE_OK;
	struct dmt_batch *batch;

	dmt_callstacks_attach(&stacks, source, sizeof(struct dmt_call_frame));
	dmt_want(source, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
	while (status == DMTRACE_OK && !dmt_export_stops(exporter)) {
		status = dmt_pull(source, &batch);
		if (status != DMTRACE_OK || batch == NULL)
			break;
		exporter->counts.events += batch->kept;
		for (size_t i = 0; status == DMTRACE_OK && i < batch->kept;
		    i++) {
			const size_t at = batch->keep[i];
			struct dmt_callstack *const stack =
			    &stacks.items[batch->thread[at]];
			struct dmt_step step;

			status = dmt_callstack_step(&stacks, stack,
			    batch->method[at], batch->action[at], &step);
			if (status != DMTRACE_OK)
				dmt_callstack_fail(&stacks, stack, status,
				    source->indexes->threads[
				    batch->thread[at]].number, 0,
				    &exporter->error);
			else if (!put(exporter, source, batch, at, step.depth))
				status = dmt_error_memory(&exporter->error);
		}
	}
	dmt_callstacks_fini(&stacks);
	return status;
}

/* Gets the start of a trace in microseconds since 1970. false: it is not known,
 * or later than 2262, which nanoseconds since 1970 cannot say. */
bool
dmt_export_start(const struct dmtrace_source *source, uint64_t *us);

/* Checks that no label has the name of a member or column of the format, in
 * whatever case. Returns DMTRACE_OK or the status of the exporter's error. */
enum dmtrace_status
dmt_export_check_labels(struct dmt_exporter *exporter, const char *taken);

extern const struct dmt_format dmt_format_callgrind;
extern const struct dmt_format dmt_format_chrome;
extern const struct dmt_format dmt_format_collapsed;
extern const struct dmt_format dmt_format_firefox;
extern const struct dmt_format dmt_format_html;
extern const struct dmt_format dmt_format_jsonl;
extern const struct dmt_format dmt_format_parquet;
extern const struct dmt_format dmt_format_perfetto;
extern const struct dmt_format dmt_format_pprof;
extern const struct dmt_format dmt_format_speedscope;
extern const struct dmt_format dmt_format_sqlite;

#endif
