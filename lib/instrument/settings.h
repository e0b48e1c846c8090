/* settings.h - what the environment says of the recording */
#ifndef DMT_INSTRUMENT_SETTINGS_H
#define DMT_INSTRUMENT_SETTINGS_H

#include <dmtrace/recorder.h>
#include <limits.h>
#include <stdbool.h>

#define DMT_SETTINGS_OUTPUT "%n-%p.trace"	/* the default */

struct dmt_settings {
	struct dmtrace_recorder_options options;
	char output[PATH_MAX];		/* a template; "": record nothing */
	char report[PATH_MAX];		/* of "dmtrace record"; "": none */
	char *filter;			/* NULL: none */
	bool fork;			/* the child of a fork, too */
	bool signals;			/* end the trace at deadly ones */
	char problem[256];		/* "": they are all understood */
};

/* Copies what it keeps. Relative names are of the folder that is the current
 * one now. */
void
dmt_settings_read(struct dmt_settings *settings);

/*
 * The file that a template names: %p is the process, %n its program, %% a
 * "%". own: a name without %p gets "-PID" after it, and none that exists is
 * taken. false: it is too long.
 */
bool
dmt_settings_path(const char *template, bool own, char path[PATH_MAX]);

/* A template for the processes that this one starts. */
bool
dmt_settings_heritage(const char *template, char heritage[PATH_MAX]);

#endif
