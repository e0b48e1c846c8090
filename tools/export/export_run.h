/* export_run.h - exports traces to a file */
#ifndef EXPORT_RUN_H
#define EXPORT_RUN_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/job.h"
#include "cli/selection.h"
#include "eventlog/log_marks.h"

struct export_run {
	const struct dmtrace_export_format *format;
	struct dmt_exporter_options options;
	struct selection *selection;	/* selection_begin was called */
	const struct log_marks *marks;	/* loaded; NULL: none */
	bool no_terminal;		/* the output must not be a terminal */
	bool force;			/* replace files in a folder */
	uint64_t workers;		/* see jobs.h; for a folder */
	struct job *io;			/* job_fini is called later */
};

/* Exports the traces of the operands, up to NULL, to one file or, if the output
 * is a folder, each to a file of its own. Returns the exit status; failures are
 * reported. */
int
export_run(const struct export_run *run, char **files);

#endif
