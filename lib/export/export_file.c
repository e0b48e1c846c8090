/* export_file.c - exports a trace or a profile to a file */

#include <dmtrace/export.h>

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "export/exporter.h"
#include "ops/file.h"
#include "private/export.h"
#include "private/select.h"
#include "profile/profile.h"

/* Publishes the output, unless the operation has failed. */
static enum dmtrace_status
finish_export_file(struct dmtrace_op *op, struct dmt_output *output,
    const struct dmtrace_file *out)
{
	if (op->error.status == DMTRACE_OK)
		dmt_output_close(output);
	dmt_op_fail(op, out, &output->error);
	dmt_output_fini(output);
	return op->error.status;
}

/* Formats compare labels with names of their own: see exporter.h. */
static bool
check_labels(struct dmtrace_op *op, const char *call,
    const struct dmtrace_export_options *options)
{
	const struct dmtrace_export_label *const labels = options->labels;

	for (size_t i = 0; i < options->label_count; i++) {
		if (labels == NULL || labels[i].name == NULL ||
		    labels[i].value == NULL) {
			dmt_error_null_given(&op->error, call);
			return false;
		}
		bool is_first = labels[i].name[0] != '\0';
		for (size_t other = 0; other < i; other++)
			is_first = is_first && strcasecmp(labels[other].name,
			    labels[i].name) != 0;
		if (!is_first) {
			dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%s: a label has no name, or that of another one",
			    call);
			return false;
		}
	}
	return true;
}

enum dmtrace_status
dmtrace_export(struct dmtrace_op *op, struct dmtrace_source *source,
    const struct dmtrace_file *out,
    const struct dmtrace_export_options *options,
    struct dmtrace_export_counts *counts)
{
	static const struct dmtrace_export_options defaults = { 0 };
	const struct dmtrace_export_options all =
	    options == NULL ? defaults : *options;
	const struct dmt_exporter_options inner = {
		.weight = all.weight, .per_thread = all.per_thread,
		.rows = all.rows, .labels = all.labels,
		.label_count = all.label_count
	};
	const char *const name = all.format == NULL ? "chrome" : all.format;
	const struct dmtrace_export_format *const format =
	    dmt_export_format_find(name);
	struct dmtrace_export_counts counted;
	struct dmt_output output;

	if (dmt_op_begin_call(op, __func__, source == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (format == NULL)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "there is no format \"%.40s\" to export to", name);
	if ((unsigned)all.rows > DMTRACE_ROWS_THREADS ||
	    (all.rows != DMTRACE_ROWS_CALLS && !format->tables) ||
	    (all.label_count > 0 && !format->labels))
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "the format \"%s\" has no %s", format->name,
		    all.label_count > 0 && !format->labels ? "labels" :
		    "table of such rows");
	if (dmt_op_check_flags(op, __func__, all.flags, DMT_FILE_FLAGS) !=
	    DMTRACE_OK || !check_labels(op, __func__, &all))
		return op->error.status;
	if (dmt_source_take(source, __func__) != DMTRACE_OK)
		return dmt_op_fail(op, NULL, dmtrace_source_error(source));
	dmt_source_set_progress(source, op->progress, op->progress_context);
	if (dmt_file_write(op, &output, out, all.flags) == DMTRACE_OK) {
		struct dmt_exporter *const exporter =
		    dmt_exporter_new(format, &inner, &output);

		if (exporter == NULL) {
			dmt_error_memory(&op->error);
		} else if (dmt_exporter_add(exporter, source,
		    all.name == NULL ? "trace" : all.name) != DMTRACE_OK ||
		    dmt_exporter_finish(exporter, &counted) != DMTRACE_OK) {
			dmt_op_fail(op, NULL, dmtrace_source_error(source));
			dmt_op_fail(op, NULL, dmt_exporter_error(exporter));
		}
		dmt_exporter_free(exporter);
	}
	if (finish_export_file(op, &output, out) == DMTRACE_OK &&
	    counts != NULL)
		*counts = counted;
	return op->error.status;
}

/* Writes the profile to an open output in the requested format. */
static enum dmtrace_status
put_profile(const struct dmtrace_profile *profile,
    const struct dmtrace_export_profile_options *options,
    enum dmtrace_clock clock, struct dmt_output *out)
{
	const char *const title =
	    options->title == NULL ? "profile" : options->title;
	const struct dmt_html_options html = {
		.title = title, .clock = clock,
		.per_thread = options->per_thread,
		.threshold = options->threshold
	};
	const struct dmt_dot_options dot = {
		.clock = clock, .per_thread = options->per_thread,
		.threshold = options->threshold
	};
	const struct dmt_flame_options flame = {
		.title = title, .old = options->old,
		.weight = clock == DMTRACE_CLOCK_THREAD_CPU ?
		    DMTRACE_EXPORT_CPU : DMTRACE_EXPORT_WALL
	};

	switch (options->format) {
	case DMTRACE_PROFILE_HTML:
		return dmt_export_html(profile, &html, out);
	case DMTRACE_PROFILE_DOT:
		return dmt_export_dot(profile, &dot, out, NULL);
	case DMTRACE_PROFILE_FLAME:
		return dmt_export_flame(profile, &flame, out);
	}
	return DMTRACE_ERR_RANGE;
}

enum dmtrace_status
dmtrace_export_profile(struct dmtrace_op *op,
    const struct dmtrace_profile *profile, const struct dmtrace_file *out,
    const struct dmtrace_export_profile_options *options)
{
	static const struct dmtrace_export_profile_options defaults = { 0 };
	const struct dmtrace_export_profile_options all =
	    options == NULL ? defaults : *options;
	struct dmt_output output;

	if (dmt_op_begin_call(op, __func__, profile == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (dmt_op_check_flags(op, __func__, all.flags, DMT_FILE_FLAGS) !=
	    DMTRACE_OK)
		return op->error.status;
	if ((all.clock != DMTRACE_CLOCK_MISSING &&
	    all.clock != DMTRACE_CLOCK_THREAD_CPU &&
	    all.clock != DMTRACE_CLOCK_WALL) ||
	    (all.per_thread && all.format == DMTRACE_PROFILE_FLAME))
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "%s: the clock is neither THREAD_CPU nor WALL, or "
		    "per_thread is set for FLAME", __func__);
	const int *const has = profile->summary.has_clock;
	const enum dmtrace_clock clock = all.clock == DMTRACE_CLOCK_MISSING ?
	    has[DMTRACE_PROFILE_WALL] ? DMTRACE_CLOCK_WALL :
	    DMTRACE_CLOCK_THREAD_CPU : all.clock;

	if (profile->summary.traces > 0 && !has[dmt_profile_clock(clock)])
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "the traces lack the time that is asked for");
	if (dmt_file_write(op, &output, out, all.flags) == DMTRACE_OK) {
		const enum dmtrace_status status =
		    put_profile(profile, &all, clock, &output);

		if (status == DMTRACE_ERR_MEMORY)
			dmt_error_memory(&op->error);
		else if (status != DMTRACE_OK)
			dmt_error_set(&op->error, status, "%s: %s", __func__,
			    status == DMTRACE_ERR_RANGE ?
			    "unknown profile format" :
			    "the profile has no trace, or was made without "
			    "what the format needs");
	}
	return finish_export_file(op, &output, out);
}
