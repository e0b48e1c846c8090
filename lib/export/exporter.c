/* exporter.c - exports traces to the formats of other programs */

/*
 * Each format is a row: what it needs of a trace, and functions that write the
 * beginning of a file, each step of the calls, and the end; or a function that
 * writes a profile. The exporter goes through the calls of each trace
 * (calls.c), or adds its events to a profile, and the format only has to write
 * text. This file has what the formats share: which time is the weight of a
 * call, several traces in one file, the entries of an event log, and counts.
 */

#include "export/exporter.h"

#include <stdlib.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "private/export.h"
#include "private/profile.h"
#include "private/select.h"
#include "private/trace.h"
#include "trace/reader_source.h"

/* To add a format, add a file and a row here, in the order of --list. */
static const struct dmt_format *const formats[] = {
	&dmt_format_chrome,
	&dmt_format_perfetto,
	&dmt_format_firefox,
	&dmt_format_speedscope,
	&dmt_format_collapsed,
	&dmt_format_callgrind,
	&dmt_format_pprof,
	&dmt_format_jsonl,
	&dmt_format_parquet,
	&dmt_format_sqlite,
	&dmt_format_html,
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

const struct dmtrace_export_format *
dmtrace_export_format_get(size_t index)
{
	return index < FORMATS ? &formats[index]->about : NULL;
}

const struct dmtrace_export_format *
dmt_export_format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i]->about.name, name) == 0)
			return &formats[i]->about;
	return NULL;
}

struct dmt_exporter *
dmt_exporter_new(const struct dmtrace_export_format *format,
    const struct dmt_exporter_options *options, struct dmt_output *out)
{
	struct dmt_exporter *const exporter =
	    dmt_array_new(1, sizeof(*exporter));

	if (exporter == NULL)
		return NULL;
	for (size_t i = 0; i < FORMATS; i++)
		if (format == &formats[i]->about)
			exporter->format = formats[i];
	if (options != NULL)
		exporter->options = *options;
	exporter->out = out;
	exporter->state = dmt_array_new(exporter->format->state_size, 1);
	if (exporter->state == NULL)
		goto fail;
	if (exporter->format->put != NULL) {
		const struct dmtrace_profile_options kept = {
			.keep = exporter->format->keep |
			    (exporter->options.per_thread ?
			    DMTRACE_PROFILE_THREADS : 0)
		};

		exporter->profile = dmtrace_profile_new(&kept);
		if (exporter->profile == NULL)
			goto fail;
	}
	return exporter;
fail:
	dmt_exporter_free(exporter);
	return NULL;
}

/* Chooses the meaning of values, if a format has only one value per call. */
static enum dmtrace_status
choose_export_weight(struct dmt_exporter *exporter,
    const struct dmtrace_source *source)
{
	const unsigned wanted = exporter->options.weight;
	const bool has_wall = dmt_layout_has_wall(source->layout);
	const bool has_cpu = dmt_layout_has_cpu(source->layout);

	if (wanted != 0 && ((wanted & (wanted - 1)) != 0 ||
	    !(exporter->format->about.weights & wanted)))
		return dmt_error_set(&exporter->error, DMTRACE_ERR_RANGE,
		    "%s does not support that "
		    "weight", exporter->format->about.name);
	if ((wanted == DMTRACE_EXPORT_WALL && !has_wall) ||
	    (wanted == DMTRACE_EXPORT_CPU && !has_cpu))
		return dmt_error_set(&exporter->error, DMTRACE_ERR_RANGE,
		    "there is no %s time in the trace",
		    has_cpu ? "wall" : "CPU");
	const unsigned weight = wanted == DMTRACE_EXPORT_CALLS ?
	    DMT_WEIGHT_CALLS : wanted == DMTRACE_EXPORT_CPU ||
	    (wanted == 0 && !has_wall) ? DMTRACE_PROFILE_CPU :
	    DMTRACE_PROFILE_WALL;
	if (exporter->format->about.weights != 0 && exporter->traces > 0 &&
	    weight != exporter->weight)
		return dmt_error_set(&exporter->error, DMTRACE_ERR_RANGE,
		    "the traces have different clocks: choose a weight");
	exporter->weight = weight;
	return DMTRACE_OK;
}

static enum dmtrace_status
begin_once(struct dmt_exporter *exporter)
{
	const bool begun = exporter->begun;

	exporter->begun = true;
	return begun || exporter->format->begin == NULL ? DMTRACE_OK :
	    exporter->format->begin(exporter);
}

void
dmt_exporter_set_instants(struct dmt_exporter *exporter,
    const struct dmt_export_instant *instants, size_t count,
    uint64_t start_ns)
{
	exporter->instants = instants;
	exporter->instant_count = count;
	exporter->start_ns = start_ns;
}

/* Writes the instants between the first step and the last one, and counts the
 * others. */
static enum dmtrace_status
put_instants(struct dmt_exporter *exporter, struct dmt_indexes *indexes)
{
	const size_t threads = indexes->thread_count;
	enum dmtrace_status status = DMTRACE_OK;

	for (size_t i = 0; i < exporter->instant_count &&
	    status == DMTRACE_OK; i++) {
		const struct dmt_export_instant *const instant =
		    &exporter->instants[i];
		const uint64_t time_ns =
		    instant->time_ns - exporter->start_ns;
		const uint32_t index =
		    dmt_thread_index(indexes, instant->thread);

		if (instant->time_ns < exporter->start_ns ||
		    time_ns < exporter->first_ns ||
		    time_ns > exporter->last_ns)
			exporter->counts.outside++;
		else
			status = exporter->format->put_instant(exporter,
			    instant, time_ns, index < threads ?
			    &indexes->threads[index] : NULL, index);
	}
	if (indexes->failed)
		return dmt_error_memory(&exporter->error);
	return status;
}

bool
dmt_export_start(const struct dmtrace_source *source, uint64_t *us)
{
	const struct dmtrace_reader *const reader = dmt_source_reader(source);
	const struct dmt_header *const header =
	    reader == NULL ? NULL : dmt_reader_header(reader);

	return header != NULL && dmt_header_start_epoch(header, us) &&
	    *us < INT64_MAX / 1000;
}

/* Notes when the trace of a source began, if that is known. */
static void
note_start(struct dmt_exporter *exporter, const struct dmtrace_source *source)
{
	uint64_t start_us;

	if (dmt_export_start(source, &start_us) &&
	    (exporter->start_us == 0 || start_us < exporter->start_us))
		exporter->start_us = start_us;
}

enum dmtrace_status
dmt_exporter_add(struct dmt_exporter *exporter,
    struct dmtrace_source *source, const char *name)
{
	enum dmtrace_status status = exporter->error.status;

	if (status == DMTRACE_OK)
		status = choose_export_weight(exporter, source);
	if (status == DMTRACE_OK && exporter->instant_count > 0 &&
	    !dmt_layout_has_wall(source->layout))
		status = dmt_error_set(&exporter->error, DMTRACE_ERR_RANGE,
		    "the trace has no wall time, which places the entries of "
		    "a log");
	if (status == DMTRACE_OK)
		status = begin_once(exporter);
	if (status != DMTRACE_OK)
		return status;
	exporter->traces++;
	note_start(exporter, source);
	exporter->name = name;
	if (exporter->profile == NULL) {
		exporter->first_ns = UINT64_MAX;
		exporter->last_ns = 0;
		status = exporter->format->take(exporter, source);
		if (status == DMTRACE_OK)
			status = put_instants(exporter, source->indexes);
		exporter->instant_count = 0;
		dmt_detach(source);
	} else {
		dmt_source_keep(source, 2);
		status = dmt_profile_add(exporter->profile, source);
		if (status != DMTRACE_OK)
			exporter->error =
			    *dmtrace_profile_error(exporter->profile);
	}
	return status != DMTRACE_OK ? status :
	    exporter->out->error.status;
}

enum dmtrace_status
dmt_exporter_finish(struct dmt_exporter *exporter,
    struct dmtrace_export_counts *counts)
{
	enum dmtrace_status status = exporter->error.status;

	if (status == DMTRACE_OK)
		status = begin_once(exporter);
	if (status == DMTRACE_OK && exporter->format->put != NULL)
		status = exporter->format->put(exporter, exporter->profile);
	if (status == DMTRACE_OK && exporter->format->end != NULL)
		status = exporter->format->end(exporter);
	if (status == DMTRACE_OK && counts != NULL)
		*counts = exporter->counts;
	return status != DMTRACE_OK ? status :
	    exporter->out->error.status;
}

static void
note_times(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	for (size_t i = 0; i < calls->steps.count; i++) {
		const uint64_t time_ns =
		    calls->steps.items[i].ns[DMTRACE_PROFILE_WALL];

		if (time_ns < exporter->first_ns)
			exporter->first_ns = time_ns;
		if (time_ns > exporter->last_ns)
			exporter->last_ns = time_ns;
	}
}

enum dmtrace_status
dmt_export_calls(struct dmt_exporter *exporter,
    struct dmtrace_source *source, bool rising,
    enum dmtrace_status (*put)(struct dmt_exporter *exporter,
    const struct dmt_calls *calls))
{
	struct dmt_calls calls;

	bool looks = exporter->format->looks, ended = false;
	enum dmtrace_status status = dmt_calls_init(&calls, source,
	    &exporter->counts, &(struct dmt_calls_options){
	    .rising = rising, .looks = looks,
	    .frame_size = exporter->format->frame_size > 0 ?
	    exporter->format->frame_size : sizeof(struct dmt_call_frame) });
	const struct dmtrace_export_counts noted = exporter->counts;

	calls.strays = exporter->format->strays;
	while (status == DMTRACE_OK && !ended &&
	    exporter->out->error.status == DMTRACE_OK) {
		if (!looks)
			status = dmt_calls_next(&calls);
		looks = false;
		ended = calls.steps.count == 0;
		if (status == DMTRACE_OK && exporter->instant_count > 0)
			note_times(exporter, &calls);
		if (status == DMTRACE_OK)
			status = put(exporter, &calls);
		if (status == DMTRACE_OK && ended && exporter->again > 0) {
			status = dmt_calls_again(&calls, exporter->again);
			exporter->counts = noted;
			exporter->again = 0;
			ended = false;
		}
	}
	if (exporter->error.status == DMTRACE_OK)
		exporter->error = calls.error;
	dmt_calls_fini(&calls);
	return status;
}

enum dmtrace_status
dmt_export_check_labels(struct dmt_exporter *exporter, const char *taken)
{
	const struct dmt_exporter_options *const options = &exporter->options;

	for (size_t i = 0; i < options->label_count; i++)
		if (strcasecmp(options->labels[i].name, taken) == 0)
			return dmt_error_set(&exporter->error,
			    DMTRACE_ERR_RANGE, "a label cannot be named "
			    "\"%s\": %s has that itself", taken,
			    exporter->format->about.name);
	return DMTRACE_OK;
}

const struct dmtrace_error *
dmt_exporter_error(const struct dmt_exporter *exporter)
{
	return &exporter->error;
}

void
dmt_exporter_free(struct dmt_exporter *exporter)
{
	if (exporter == NULL)
		return;
	if (exporter->begun && exporter->format->fini != NULL)
		exporter->format->fini(exporter);
	dmtrace_profile_free(exporter->profile);
	free(exporter->state);
	free(exporter);
}
