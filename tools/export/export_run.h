/* export_run.h - traces through an exporter to a file */
#ifndef EXPORT_RUN_H
#define EXPORT_RUN_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/selection.h"
#include "eventlog/log_marks.h"

struct export_run {
	const struct dmtrace_export_format *format;
	struct dmt_exporter_options options;
	struct selection *selection;	/* begun */
	const struct log_marks *marks;	/* loaded; NULL: none */
	bool no_terminal;		/* the output does not go to one */
	bool quiet, progress;
};

/* Exports the traces of operands, up to NULL, to a file that is named like
 * that of -o. Returns the exit status; failures are reported. */
int
export_run(const struct export_run *run, const char *output, char **files);

#endif
