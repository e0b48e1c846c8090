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

enum kind {
	KIND_BOOL,
	KIND_NUMBER,
	KIND_SIZE,
	KIND_WORD
};

/* Words that a setting has, and the numbers that they stand for. */
struct word {
	const char *word;
	int value;
};

static const struct word clock_words[] = {
	{ "wall", DMTRACE_CLOCK_WALL },
	{ "thread-cpu", DMTRACE_CLOCK_THREAD_CPU },
	{ "dual", DMTRACE_CLOCK_DUAL },
	{ NULL, 0 }
};

static const struct word full_words[] = {
	{ "flush", DMTRACE_FULL_FLUSH },
	{ "stop", DMTRACE_FULL_STOP },
	{ "ring", DMTRACE_FULL_RING },
	{ NULL, 0 }
};

/* Numbers that DMTRACE_... variables hold, before they go to the options. */
struct numbers {
	uint64_t buffer, memory, version, depth, functions, max_time;
	uint64_t journal, rotate, fork, signals, clock, full;
};

struct setting {
	const char *name;
	enum kind kind;
	size_t offset;
	uint64_t min, max;
	const struct word *words;
	const char *right;		/* what would be */
};

#define AT(field) offsetof(struct numbers, field)

static const struct setting rows[] = {
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
	{ "DMTRACE_VERSION", KIND_NUMBER, AT(version), 1, 3, NULL, "1, 2 or 3" }
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static bool
parse_number(const char *text, uint64_t *number, const char **end)
{
	char *behind;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	const unsigned long long value = strtoull(text, &behind, 10);
	*number = value;
	*end = behind;
	return errno == 0;
}

/* A size may end in K, M, G or T. */
static bool
parse_size(const char *text, uint64_t *number)
{
	static const char units[] = "KMGT";
	const char *end;

	if (!parse_number(text, number, &end))
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
parse_word(const struct word *words, const char *text, uint64_t *number)
{
	for (; words->word != NULL; words++) {
		if (strcmp(words->word, text) != 0)
			continue;
		*number = (uint64_t)words->value;
		return true;
	}
	return false;
}

static bool
parse(const struct setting *row, const char *text, uint64_t *number)
{
	const char *end = "";

	if (row->kind == KIND_WORD)
		return parse_word(row->words, text, number);
	if (row->kind == KIND_SIZE ? !parse_size(text, number) :
	    !parse_number(text, number, &end))
		return false;
	return *end == '\0' && *number >= row->min && *number <= row->max;
}

static void
read_row(struct dmt_settings *settings, const struct setting *row,
    struct numbers *numbers)
{
	const char *text = getenv(row->name);
	uint64_t number;

	if (text == NULL || text[0] == '\0')
		return;
	if (parse(row, text, &number))
		memcpy((char *)numbers + row->offset, &number, sizeof(number));
	else if (settings->problem[0] == '\0')
		snprintf(settings->problem, sizeof(settings->problem),
		    "%s=%.100s: it is %s", row->name, text, row->right);
}

static struct numbers
defaults(const struct dmtrace_recorder_options *options)
{
	return (struct numbers){
		.buffer = options->buffer_size,
		.memory = options->memory_limit,
		.depth = options->max_depth,
		.functions = 1 << 18,
		.max_time = options->max_time_us,
		.rotate = 1,
		.signals = 1,
		.clock = (uint64_t)options->clock,
		.full = (uint64_t)options->full
	};
}

static void
take(struct dmt_settings *settings, const struct numbers *numbers)
{
	struct dmtrace_recorder_options *options = &settings->options;

	options->buffer_size = (size_t)numbers->buffer;
	options->memory_limit = (size_t)numbers->memory;
	options->version = (unsigned)numbers->version;
	options->max_depth = (uint32_t)numbers->depth;
	options->max_keys = (uint32_t)numbers->functions;
	options->max_time_us = numbers->max_time;
	options->journal = (int)numbers->journal;
	options->rotate = (int)numbers->rotate;
	options->clock = (enum dmtrace_clock)numbers->clock;
	options->full = (enum dmtrace_recorder_full)numbers->full;
	options->escape = 1;
	settings->fork = numbers->fork != 0;
	settings->signals = numbers->signals != 0;
}

static bool
is_template(const char *text)
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
put_folder(char path[PATH_MAX])
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
	if (text[0] != '/' && !put_folder(settings->output))
		settings->output[0] = '\0';
	const size_t len = strlen(settings->output);
	if (!is_template(text))
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
is_set(const char *name)
{
	const char *text = getenv(name);

	return text != NULL && text[0] != '\0';
}

/* Of a buffer and memory for all, what is not set follows the other. */
static void
fit(struct numbers *numbers)
{
	if (numbers->buffer <= numbers->memory)
		return;
	if (!is_set("DMTRACE_MEMORY"))
		numbers->memory = numbers->buffer;
	else if (!is_set("DMTRACE_BUFFER"))
		numbers->buffer = numbers->memory;
}

/* What is right by itself may not be so together. */
static void
judge(struct dmt_settings *settings)
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

	dmtrace_recorder_options_init(&settings->options);
	struct numbers numbers = defaults(&settings->options);
	settings->problem[0] = '\0';
	read_output(settings);
	for (size_t i = 0; i < ROWS; i++)
		read_row(settings, &rows[i], &numbers);
	fit(&numbers);
	take(settings, &numbers);
	judge(settings);
	settings->filter = filter == NULL || filter[0] == '\0' ? NULL :
	    strdup(filter);
	snprintf(settings->report, sizeof(settings->report), "%s",
	    report == NULL ? "" : report);
}
