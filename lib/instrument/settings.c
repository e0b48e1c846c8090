/* settings.c - what the environment says of the recording */

#include "instrument/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/files.h"

/*
 * Each variable DMTRACE_... is a row of a table: its kind, its range, and the
 * field where its number goes. The first one that is not understood is the
 * problem, and nothing is recorded.
 *
 * DMTRACE_OUTPUT is a template for the names of the traces of this process and
 * of all that it starts, each of which needs its own name: %p is the number
 * of the process, %n the name of its program. What a process hands on to those
 * it starts always has a %p, and a name with the number of the process that
 * exists already (the process has replaced its program by exec) gets a "-2"
 * after it.
 */

#define NUMBERS_MAX 1000	/* of files of one name */

enum setting_kind {
	KIND_BOOL,
	KIND_NUMBER,
	KIND_SIZE,
	KIND_WORD
};

/* Words that a setting has, and the numbers that they stand for. */
struct setting_word {
	const char *word;
	int value;
};

static const struct setting_word clock_words[] = {
	{ "wall", DMTRACE_CLOCK_WALL },
	{ "thread-cpu", DMTRACE_CLOCK_THREAD_CPU },
	{ "dual", DMTRACE_CLOCK_DUAL },
	{ NULL, 0 }
};

static const struct setting_word full_words[] = {
	{ "flush", DMTRACE_FULL_FLUSH },
	{ "stop", DMTRACE_FULL_STOP },
	{ "ring", DMTRACE_FULL_RING },
	{ NULL, 0 }
};

/* Numbers that DMTRACE_... variables hold, before they go to the options. */
struct setting_numbers {
	uint64_t buffer, memory, version, depth, functions, max_time;
	uint64_t journal, rotate, fork, signals, streaming, clock, full;
};

struct setting {
	const char *name;
	enum setting_kind kind;
	size_t offset;
	uint64_t min, max;
	const struct setting_word *words;
	const char *right;		/* what would be */
};

#define AT(field) offsetof(struct setting_numbers, field)

static const struct setting settings_table[] = {
	{ "DMTRACE_BUFFER", KIND_SIZE, AT(buffer), 4096, SIZE_MAX / 4, NULL,
	    "a size from 4K, as 256K or 4M" },
	{ "DMTRACE_CLOCK", KIND_WORD, AT(clock), 0, 0, clock_words,
	    "wall, thread-cpu or dual" },
	{ "DMTRACE_DEPTH", KIND_NUMBER, AT(depth), 1, 1 << 24, NULL,
	    "1 to 16777216 open calls" },
	{ "DMTRACE_FORK", KIND_BOOL, AT(fork), 0, 1, NULL, "0 or 1" },
	{ "DMTRACE_FULL", KIND_WORD, AT(full), 0, 0, full_words,
	    "flush, stop or ring" },
	{ "DMTRACE_FUNCTIONS", KIND_NUMBER, AT(functions), 1, 1 << 26, NULL,
	    "1 to 67108864 functions" },
	{ "DMTRACE_JOURNAL", KIND_BOOL, AT(journal), 0, 1, NULL, "0 or 1" },
	{ "DMTRACE_MAX_TIME", KIND_NUMBER, AT(max_time), 1, UINT32_MAX, NULL,
	    "1 to 4294967295 microseconds" },
	{ "DMTRACE_MEMORY", KIND_SIZE, AT(memory), 4096, SIZE_MAX / 4, NULL,
	    "a size from 4K, as 64M or 1G" },
	{ "DMTRACE_ROTATE", KIND_BOOL, AT(rotate), 0, 1, NULL, "0 or 1" },
	{ "DMTRACE_SIGNALS", KIND_BOOL, AT(signals), 0, 1, NULL, "0 or 1" },
	{ "DMTRACE_STREAMING", KIND_BOOL, AT(streaming), 0, 1, NULL,
	    "0 or 1" },
	{ "DMTRACE_VERSION", KIND_NUMBER, AT(version), 1, 3, NULL, "1, 2 or 3" }
};

enum { SETTINGS = sizeof(settings_table) / sizeof(settings_table[0]) };

static bool
parse_setting_number(const char *text, uint64_t *number, const char **end)
{
	char *rest;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	const unsigned long long value = strtoull(text, &rest, 10);
	*number = value;
	*end = rest;
	return errno == 0;
}

/* A size may end in K, M, G or T. */
static bool
parse_setting_size(const char *text, uint64_t *number)
{
	static const char units[] = "KMGT";
	const char *end;

	if (!parse_setting_number(text, number, &end))
		return false;
	if (*end == '\0')
		return true;
	const char *unit = strchr(units, *end);
	if (unit == NULL || end[1] != '\0')
		return false;
	const unsigned shift = 10 * (unsigned)(unit - units + 1);
	if (*number > UINT64_MAX >> shift)
		return false;
	*number <<= shift;
	return true;
}

static bool
parse_setting(const struct setting *row, const char *text, uint64_t *number)
{
	const char *end = "";

	if (row->kind == KIND_WORD) {
		const struct setting_word *words = row->words;

		while (words->word != NULL && strcmp(words->word, text) != 0)
			words++;
		*number = (uint64_t)words->value;
		return words->word != NULL;
	}
	if (row->kind == KIND_SIZE ? !parse_setting_size(text, number) :
	    !parse_setting_number(text, number, &end))
		return false;
	return *end == '\0' && *number >= row->min && *number <= row->max;
}

static void
read_setting(struct dmt_settings *settings, const struct setting *row,
    struct setting_numbers *numbers)
{
	const char *text = getenv(row->name);
	uint64_t number;

	if (text == NULL || text[0] == '\0')
		return;
	if (parse_setting(row, text, &number))
		memcpy((char *)numbers + row->offset, &number, sizeof(number));
	else if (settings->problem[0] == '\0')
		snprintf(settings->problem, sizeof(settings->problem),
		    "%s=%.100s: it is %s", row->name, text, row->right);
}

static struct setting_numbers
default_numbers(void)
{
	return (struct setting_numbers){
		.buffer = 256 << 10,
		.memory = 64 << 20,
		.depth = 131072,
		.functions = 1 << 18,
		.max_time = UINT32_MAX,
		.rotate = 1,
		.signals = 1,
		.clock = DMTRACE_CLOCK_WALL,
		.full = DMTRACE_FULL_FLUSH
	};
}

static void
fill_options(struct dmt_settings *settings,
    const struct setting_numbers *numbers)
{
	struct dmtrace_recorder_options *options = &settings->options;

	options->buffer_size = (size_t)numbers->buffer;
	options->memory_limit = (size_t)numbers->memory;
	options->version = (unsigned)numbers->version;
	options->max_depth = (uint32_t)numbers->depth;
	options->max_keys = (uint32_t)numbers->functions;
	options->max_time_us = numbers->max_time;
	options->journal = (int)numbers->journal;
	options->streaming = (int)numbers->streaming;
	options->no_rotate = !numbers->rotate;
	options->clock = (enum dmtrace_clock)numbers->clock;
	options->full = (enum dmtrace_recorder_full)numbers->full;
	options->escape = 1;
	settings->fork = numbers->fork != 0;
	settings->signals = numbers->signals != 0;
}

static bool
is_output_template(const char *text)
{
	while ((text = strchr(text, '%')) != NULL) {
		if (text[1] != 'p' && text[1] != 'n' && text[1] != '%')
			return false;
		text += 2;
	}
	return true;
}

/* In an absolute path no byte of the folder is special. */
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
	if (!is_output_template(text))
		snprintf(settings->problem, sizeof(settings->problem),
		    "DMTRACE_OUTPUT=%.100s: of %% it knows %%p, %%n and %%%%",
		    text);
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

/* Of a buffer and memory for all, what is not set follows the other. */
static void
fit_buffer_to_memory(struct setting_numbers *numbers)
{
	if (numbers->buffer <= numbers->memory)
		return;
	if (!is_variable_set("DMTRACE_MEMORY"))
		numbers->memory = numbers->buffer;
	else if (!is_variable_set("DMTRACE_BUFFER"))
		numbers->buffer = numbers->memory;
}

/* What is right by itself may not be so together. */
static void
check_together(struct dmt_settings *settings)
{
	const struct dmtrace_recorder_options *options = &settings->options;

	if (settings->problem[0] != '\0')
		return;
	if (options->version != 0 && options->version < 3 &&
	    options->clock == DMTRACE_CLOCK_DUAL)
		snprintf(settings->problem, sizeof(settings->problem),
		    "DMTRACE_CLOCK=dual: it needs DMTRACE_VERSION=3");
	else if (options->buffer_size > options->memory_limit)
		snprintf(settings->problem, sizeof(settings->problem),
		    "DMTRACE_BUFFER=%zu: it is more than DMTRACE_MEMORY=%zu",
		    options->buffer_size, options->memory_limit);
}

void
dmt_settings_read(struct dmt_settings *settings)
{
	const char *filter = getenv("DMTRACE_FILTER");
	const char *report = getenv("DMTRACE_REPORT");

	struct setting_numbers numbers = default_numbers();
	settings->options = (struct dmtrace_recorder_options){ 0 };
	settings->problem[0] = '\0';
	read_output(settings);
	for (size_t i = 0; i < SETTINGS; i++)
		read_setting(settings, &settings_table[i], &numbers);
	fit_buffer_to_memory(&numbers);
	fill_options(settings, &numbers);
	check_together(settings);
	settings->filter = filter == NULL || filter[0] == '\0' ? NULL :
	    strdup(filter);
	snprintf(settings->report, sizeof(settings->report), "%s",
	    report == NULL ? "" : report);
}

/* Of a name without folders; "a.out" if the system has none. */
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

/* %p is the number of the process, %n the name of its program. false: the path
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

/* Of a pair, either half counts. */
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

/* "X-2.trace" where there is an X.trace. */
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
