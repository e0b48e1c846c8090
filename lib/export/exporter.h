/* exporter.h - traces on their way to a format of another program */
#ifndef DMT_EXPORT_EXPORTER_H
#define DMT_EXPORT_EXPORTER_H

#include <dmtrace/export.h>
#include <stdbool.h>

#include "base/sink.h"
#include "events/pipeline.h"
#include "export/calls.h"
#include "export/labels.h"
#include "export/put.h"
#include "format/layout.h"
#include "private/export.h"

/*
 * A format is a file and a row of exporter.c. It takes the events of each
 * trace as they come, or else what all of them add up to. Of each function a
 * NULL does nothing; a failure is a status whose error the exporter or the
 * source has. What the sink fails with is nobody's: it is seen between
 * batches.
 */
struct dmt_format {
	struct dmtrace_export_format about;
	size_t state_size;		/* of what begins as zero */
	enum dmtrace_status (*begin)(struct dmt_exporter *exporter);
	enum dmtrace_status (*take)(struct dmt_exporter *exporter,
	    struct dmtrace_source *source);
	enum dmtrace_status (*end)(struct dmt_exporter *exporter);
	void (*fini)(struct dmt_exporter *exporter);
	bool strays;			/* take has those of dmt_calls */
	/* after take, at time_ns of the trace, in that thread; NULL: none */
	enum dmtrace_status (*put_instant)(struct dmt_exporter *exporter,
	    const struct dmt_export_instant *instant, uint64_t time_ns,
	    const struct dmt_indexed_thread *thread, uint32_t index);
	/* in place of take: what a profile keeps, and how it is written */
	unsigned keep;
	enum dmtrace_status (*put)(struct dmt_exporter *exporter,
	    const struct dmtrace_profile *profile);
};

struct dmt_exporter {
	const struct dmt_format *format;
	struct dmt_exporter_options options;
	struct dmt_sink *sink;
	void *state;			/* the format's */
	struct dmtrace_profile *profile;	/* NULL: it takes events */
	unsigned weight;		/* an index of a clock, or CALLS */
	bool begun;			/* the format has a state to end */
	uint64_t traces;		/* this one, from 1, */
	const char *name;		/* and its name */
	struct dmtrace_export_counts counts;
	const struct dmt_export_instant *instants;	/* of the next trace */
	size_t instant_count;
	uint64_t start_ns;		/* of the trace, in their times */
	uint64_t first_ns, last_ns;	/* of its steps, if there are any */
	struct dmtrace_error error;
};

/* The index of a clock in arrays of times, or the one for calls. */
enum { DMT_WEIGHT_CALLS = DMTRACE_PROFILE_CLOCKS };

/* Whether going on is useless. */
static inline bool
dmt_export_stops(const struct dmt_exporter *exporter)
{
	return exporter->sink->output.error.status != DMTRACE_OK;
}

/* The column of times that viewers go by: wall time where there is one. */
static inline int
dmt_export_clock(const struct dmtrace_source *source)
{
	return dmt_layout_has_wall(source->layout) ? DMTRACE_PROFILE_WALL :
	    DMTRACE_PROFILE_CPU;
}

/*
 * Puts the steps of a source's calls, block after block, and at last a block
 * without any; see dmt_calls_init for rising. Returns DMTRACE_OK, or the
 * status of the exporter's error or the source's.
 */
enum dmtrace_status
dmt_export_calls(struct dmt_exporter *exporter,
    struct dmtrace_source *source, bool rising,
    enum dmtrace_status (*put)(struct dmt_exporter *exporter,
    const struct dmt_calls *calls));

extern const struct dmt_format dmt_format_callgrind;
extern const struct dmt_format dmt_format_chrome;
extern const struct dmt_format dmt_format_collapsed;
extern const struct dmt_format dmt_format_firefox;
extern const struct dmt_format dmt_format_html;
extern const struct dmt_format dmt_format_jsonl;
extern const struct dmt_format dmt_format_perfetto;
extern const struct dmt_format dmt_format_pprof;
extern const struct dmt_format dmt_format_speedscope;
extern const struct dmt_format dmt_format_sqlite;

#endif
