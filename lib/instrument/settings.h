/* settings.h - reads the settings from environment variables */
#ifndef DMT_INSTRUMENT_SETTINGS_H
#define DMT_INSTRUMENT_SETTINGS_H

#include <dmtrace/recorder.h>
#include <limits.h>
#include <stdbool.h>

#include "instrument/hook_filter.h"

#define DMT_SETTINGS_OUTPUT "%n-%p.trace"	/* the default */

struct dmt_settings {
	struct dmtrace_recorder_options options;
	char output[PATH_MAX];		/* a template; "": do not record */
	char report[PATH_MAX];		/* for "dmtrace record"; "": none */
	struct dmt_hook_filter filter;
	bool fork;			/* record the child of a fork, too */
	bool signals;			/* end the trace at deadly signals */
	char problem[256];		/* "": all values are valid */
};

/* Reads and copies the settings. Relative names are relative to the current
 * directory at this time. */
void
dmt_settings_read(struct dmt_settings *settings);

/*
 * Expands a template: %p is the process id, %n the program, %% a "%". own:
 * "-PID" is added to a name without %p, and the name of an existing file is
 * changed. false: the path is too long.
 */
bool
dmt_settings_path(const char *template, bool own, char path[PATH_MAX]);

/* Makes the template for child processes. */
bool
dmt_settings_heritage(const char *template, char heritage[PATH_MAX]);

#endif
