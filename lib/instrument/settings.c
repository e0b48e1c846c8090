/* settings.c - reads the settings from environment variables */

#include "instrument/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "private/output.h"
#include "private/status.h"
#include "record/files.h"

/*
 * Each variable DMTRACE_... is a row of a table: its kind, its default value,
 * and its range. If a value is invalid, the first one is reported as the
 * problem, and nothing is recorded.
 *
 * DMTRACE_OUTPUT is a template for the names of the traces of this process and
 * of its child processes, each of which needs a name of its own: %p is the
 * process id, %n the name of the program. The template that a process passes
 * to child processes always has a %p. If a file with the id of the process
 * exists already, because the process has replaced its program by exec, "-2"
 * is added to the name.
 */

#define NUMBERS_MAX 1000	/* attempts to find an unused name */

enum setting_kind { KIND_NUMBER, KIND_SIZE, KIND_NAME };

/* The name of a value, and the number that it stands for. */
struct setting_name {
	const char *name;
	int number;
};

static const struct setting_name clock_names[] = {
	{ "wall", DMTRACE_CLOCK_WALL },
	{ "thread-cpu", DMTRACE_CLOCK_THREAD_CPU },
	{ "dual", DMTRACE_CLOCK_DUAL },
	{ NULL, 0 }
};

static const struct setting_name full_names[] = {
	{ "flush", DMTRACE_FULL_FLUSH },
	{ "stop", DMTRACE_FULL_STOP },
	{ "ring", DMTRACE_FULL_RING },
	{ NULL, 0 }
};

enum setting_index {
	SET_BUFFER, SET_CLOCK, SET_DEPTH, SET_FORK, SET_FULL, SET_FUNCTIONS,
	SET_JOURNAL, SET_MAX_TIME, SET_MEMORY, SET_ROTATE, SET_SIGNALS,
	SET_STREAMING, SET_VERSION, SETTINGS
};

static const struct setting {
	const char *variable;
	enum setting_kind kind;
	uint64_t initial, min, max;
	const struct setting_name *names;
	const char *right;		/* what would be valid */
} settings_table[SETTINGS] = {
	[SET_BUFFER] = { "DMTRACE_BUFFER", KIND_SIZE,
	    256 << 10, 4096, SIZE_MAX / 4, NULL,
	    "a size of at least 4K, such as 256K or 4M" },
	[SET_CLOCK] = { "DMTRACE_CLOCK", KIND_NAME,
	    DMTRACE_CLOCK_WALL, 0, 0, clock_names, "wall, thread-cpu or dual" },
	[SET_DEPTH] = { "DMTRACE_DEPTH", KIND_NUMBER,
	    131072, 1, 1 << 24, NULL, "1 to 16777216 open calls" },
	[SET_FORK] = { "DMTRACE_FORK", KIND_NUMBER, 0, 0, 1, NULL, "0 or 1" },
	[SET_FULL] = { "DMTRACE_FULL", KIND_NAME,
	    DMTRACE_FULL_FLUSH, 0, 0, full_names, "flush, stop or ring" },
	[SET_FUNCTIONS] = { "DMTRACE_FUNCTIONS", KIND_NUMBER,
	    1 << 18, 1, 1 << 26, NULL, "1 to 67108864 functions" },
	[SET_JOURNAL] = { "DMTRACE_JOURNAL", KIND_NUMBER,
	    0, 0, 1, NULL, "0 or 1" },
	[SET_MAX_TIME] = { "DMTRACE_MAX_TIME", KIND_NUMBER,
	    UINT32_MAX, 1, UINT32_MAX, NULL, "1 to 4294967295 microseconds" },
	[SET_MEMORY] = { "DMTRACE_MEMORY", KIND_SIZE,
	    64 << 20, 4096, SIZE_MAX / 4, NULL,
	    "a size of at least 4K, such as 64M or 1G" },
	[SET_ROTATE] = { "DMTRACE_ROTATE", KIND_NUMBER,
	    1, 0, 1, NULL, "0 or 1" },
	[SET_SIGNALS] = { "DMTRACE_SIGNALS", KIND_NUMBER,
	    1, 0, 1, NULL, "0 or 1" },
	[SET_STREAMING] = { "DMTRACE_STREAMING", KIND_NUMBER,
	    0, 0, 1, NULL, "0 or 1" },
	[SET_VERSION] = { "DMTRACE_VERSION", KIND_NUMBER,
	    0, 1, 3, NULL, "1, 2 or 3" }
};

static bool
parse_setting(const struct setting *row, const char *text, uint64_t *number)
{
	if (row->kind == KIND_NAME) {
		const struct setting_name *names = row->names;

		while (names->name != NULL && strcmp(names->name, text) != 0)
			names++;
		*number = (uint64_t)names->number;
		return names->name != NULL;
	}
	return dmt_count_parse(text, row->kind == KIND_SIZE ? 1024 : 1000,
	    number) && *number >= row->min && *number <= row->max;
}

/* Writes the current directory to path, with each "%" doubled, since path is a
 * template. */
static bool
write_folder_template(char path[PATH_MAX])
{
	char folder[PATH_MAX];
	size_t len = 0;

	if (getcwd(folder, sizeof(folder)) == NULL)
		return false;
	for (const char *at = folder; *at != '\0'; at++) {
		if (len + 4 >= PATH_MAX)
			return false;
		path[len++] = *at;
		if (*at == '%')
			path[len++] = '%';
	}
	strcpy(path + len, "/");
	return true;
}

static void
read_output(struct dmt_settings *settings)
{
	const char *text = getenv("DMTRACE_OUTPUT");

	settings->output[0] = '\0';
	if (text == NULL)
		text = DMT_SETTINGS_OUTPUT;
	if (text[0] == '\0')
		return;
	if (text[0] != '/' && !write_folder_template(settings->output))
		settings->output[0] = '\0';
	const size_t len = strlen(settings->output);
	if (!dmt_path_is_template(text))
		snprintf(settings->problem, sizeof(settings->problem),
		    "DMTRACE_OUTPUT=%.100s: after %% only p, n and %% are "
		    "known", text);
	else if (strlen(text) >= PATH_MAX - len)
		snprintf(settings->problem, sizeof(settings->problem),
		    "DMTRACE_OUTPUT=%.100s...: the name is too long", text);
	else
		memcpy(settings->output + len, text, strlen(text) + 1);
}

static bool
is_variable_set(const char *name)
{
	const char *text = getenv(name);

	return text != NULL && text[0] != '\0';
}

void
dmt_settings_read(struct dmt_settings *settings)
{
	const char *filter = getenv("DMTRACE_FILTER");
	const char *report = getenv("DMTRACE_REPORT");
	char *const problem = settings->problem;
	const size_t room = sizeof(settings->problem);
	struct dmtrace_error error = { 0 };
	uint64_t numbers[SETTINGS];

	problem[0] = '\0';
	read_output(settings);
	settings->filter = (struct dmt_hook_filter){ .patterns = NULL };
	if (filter != NULL && filter[0] != '\0' &&
	    dmt_hook_filter_init(&settings->filter, filter, &error) !=
	    DMTRACE_OK && problem[0] == '\0')
		snprintf(problem, room, "DMTRACE_FILTER=%.80s: %.120s",
		    filter, error.message);
	snprintf(settings->report, sizeof(settings->report), "%s",
	    report == NULL ? "" : report);

	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *row = &settings_table[i];
		uint64_t number;

		numbers[i] = row->initial;
		if (!is_variable_set(row->variable))
			continue;
		const char *text = getenv(row->variable);
		if (parse_setting(row, text, &number))
			numbers[i] = number;
		else if (problem[0] == '\0')
			snprintf(problem, room, "%s=%.100s: expected %s",
			    row->variable, text, row->right);
	}

	/* If only one of DMTRACE_BUFFER and DMTRACE_MEMORY is set, the other
	 * is adapted to it. */
	if (numbers[SET_BUFFER] > numbers[SET_MEMORY]) {
		if (!is_variable_set("DMTRACE_MEMORY"))
			numbers[SET_MEMORY] = numbers[SET_BUFFER];
		else if (!is_variable_set("DMTRACE_BUFFER"))
			numbers[SET_BUFFER] = numbers[SET_MEMORY];
	}

	/* Values that are valid by themselves may contradict each other. */
	if (problem[0] == '\0' && numbers[SET_CLOCK] == DMTRACE_CLOCK_DUAL &&
	    numbers[SET_VERSION] != 0 && numbers[SET_VERSION] < 3)
		snprintf(problem, room,
		    "DMTRACE_CLOCK=dual: needs DMTRACE_VERSION=3");
	if (problem[0] == '\0' && numbers[SET_BUFFER] > numbers[SET_MEMORY])
		snprintf(problem, room, "DMTRACE_BUFFER=%" PRIu64
		    ": more than DMTRACE_MEMORY=%" PRIu64,
		    numbers[SET_BUFFER], numbers[SET_MEMORY]);

	settings->fork = numbers[SET_FORK] != 0;
	settings->signals = numbers[SET_SIGNALS] != 0;
	settings->options = (struct dmtrace_recorder_options){
		.version = (unsigned)numbers[SET_VERSION],
		.clock = (enum dmtrace_clock)numbers[SET_CLOCK],
		.full = (enum dmtrace_recorder_full)numbers[SET_FULL],
		.buffer_size = (size_t)numbers[SET_BUFFER],
		.memory_limit = (size_t)numbers[SET_MEMORY],
		.max_keys = (uint32_t)numbers[SET_FUNCTIONS],
		.max_depth = (uint32_t)numbers[SET_DEPTH],
		.max_time_us = numbers[SET_MAX_TIME],
		.no_rotate = numbers[SET_ROTATE] == 0,
		.journal = (int)numbers[SET_JOURNAL],
		.streaming = (int)numbers[SET_STREAMING],
		.escape = 1
	};
}

/* The name of the program without directories; "a.out" if it is unknown. */
static void
program_name(char name[PATH_MAX])
{
	const ssize_t len = readlink("/proc/self/exe", name, PATH_MAX - 1);

	name[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(name, '/');
	if (slash != NULL)
		memmove(name, slash + 1, strlen(slash + 1) + 1);
	if (name[0] == '\0')
		strcpy(name, "a.out");
}

/* false: it does not fit. */
static bool
insert_before_suffix(char path[PATH_MAX], const char *text)
{
	const size_t at = dmt_files_stem(path), len = strlen(path), more =
	    strlen(text);

	if (len + more >= PATH_MAX)
		return false;
	memmove(path + at + more, path + at, len - at + 1);
	memcpy(path + at, text, more);
	return true;
}

static bool
has_process_number(const char *template)
{
	for (; *template != '\0'; template++) {
		if (template[0] != '%')
			continue;
		if (template[1] == 'p')
			return true;
		template++;
	}
	return false;
}

/* Expands %p, the process id, and %n, the name of the program. false: the path
 * does not fit. */
static bool
expand_template(const char *template, char path[PATH_MAX])
{
	char text[PATH_MAX];
	size_t len = 0;

	path[0] = '\0';
	for (; *template != '\0'; template++) {
		const bool percent = *template == '%';

		template += percent;
		if (percent && *template == 'p')
			snprintf(text, sizeof(text), "%ld", (long)getpid());
		else if (percent && *template == 'n')
			program_name(text);
		else
			snprintf(text, sizeof(text), "%c", *template);
		const size_t more = strlen(text);
		if (len + more >= PATH_MAX)
			return false;
		memcpy(path + len, text, more + 1);
		len += more;
	}
	return true;
}

/* Returns true if there is a trace of that name; for a pair, either file
 * counts. */
static bool
trace_exists(const char *path)
{
	char half[PATH_MAX + 8];

	if (access(path, F_OK) == 0)
		return true;
	snprintf(half, sizeof(half), "%.*s.data", (int)dmt_files_stem(path),
	    path);
	return access(half, F_OK) == 0;
}

/* Changes X.trace to "X-2.trace" and so on if it exists. */
static bool
find_free_name(char path[PATH_MAX])
{
	char first[PATH_MAX], number[16];

	strcpy(first, path);
	for (unsigned i = 2; trace_exists(path) && i < NUMBERS_MAX; i++) {
		strcpy(path, first);
		snprintf(number, sizeof(number), "-%u", i);
		if (!insert_before_suffix(path, number))
			return false;
	}
	return true;
}

bool
dmt_settings_heritage(const char *template, char heritage[PATH_MAX])
{
	snprintf(heritage, PATH_MAX, "%s", template);
	return has_process_number(template) ||
	    insert_before_suffix(heritage, "-%p");
}

bool
dmt_settings_path(const char *template, bool own, char path[PATH_MAX])
{
	char heritage[PATH_MAX];

	if (!own && !has_process_number(template))
		return expand_template(template, path);
	return dmt_settings_heritage(template, heritage) &&
	    expand_template(heritage, path) && find_free_name(path);
}
