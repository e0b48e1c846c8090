/* rows.c - the key of a recorded file, at its end or line by line */

#include "record/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "key/section.h"

#define NUMBER_MAX 24		/* bytes of a number */
#define KEY_MORE 16384		/* room that a key takes on a disk besides */
#define NAME_MAX_ESCAPED (DMT_THREAD_NAME_MAX * 4)

/* Where lines go, which hold nothing that a line cannot: see method_table.c. */
struct lines {
	struct dmt_files *files;
	void (*put)(struct dmt_files *files, const char *bytes, size_t len);
	enum dmt_section section;	/* of the last line */
};

static void
put_text(const struct lines *lines, struct dmtrace_text text)
{
	if (text.len > 0)
		lines->put(lines->files, text.bytes, text.len);
}

static void
put_words(const struct lines *lines, const char *words)
{
	lines->put(lines->files, words, strlen(words));
}

/* Begins a section, unless the last line was of the same. */
static void
put_section(struct lines *lines, enum dmt_section section)
{
	if (lines->section != section) {
		put_words(lines, dmt_section_name(section));
		put_words(lines, "\n");
	}
	lines->section = section;
}

static void
put_option(const struct lines *lines, const char *name, const char *value)
{
	put_words(lines, name);
	put_words(lines, "=");
	put_words(lines, value);
	put_words(lines, "\n");
}

static void
put_count(const struct lines *lines, const char *name, uint64_t value)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	put_option(lines, name, digits);
}

/* A thread's name as a line can hold it. */
static void
put_thread(const struct lines *lines, const struct dmt_thread_row *row,
    uint32_t number)
{
	char escaped[NAME_MAX_ESCAPED];
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "%" PRIu32 "\t", number);
	put_words(lines, digits);
	if (row->name[0] == '\0')
		snprintf(escaped, sizeof(escaped), "thread %" PRIu32, number);
	else
		dmt_escape(escaped, sizeof(escaped), row->name,
		    strlen(row->name));
	put_words(lines, escaped);
	put_words(lines, "\n");
}

static void
put_method(const struct lines *lines, const struct dmtrace_method *row)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "0x%" PRIx64 "\t", row->id);
	put_words(lines, digits);
	put_text(lines, row->class_name);
	put_words(lines, "\t");
	put_text(lines, row->name);
	put_words(lines, "\t");
	put_text(lines, row->signature);
	if (row->file.len > 0) {
		put_words(lines, "\t");
		put_text(lines, row->file);
		snprintf(digits, sizeof(digits), "\t%" PRId32, row->line);
		put_words(lines, digits);
	}
	put_words(lines, "\n");
}

/* Those that are not 0. */
static void
put_counts(const struct lines *lines, const struct dmt_counts *counts)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
		{ "dmtrace-opened", counts->opened },
		{ "dmtrace-closed", counts->closed },
		{ "dmtrace-recorder-closed", counts->ended },
		{ "dmtrace-dropped", counts->dropped },
		{ "dmtrace-mismatched", counts->mismatched },
		{ "dmtrace-stepped-back", counts->stepped_back },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value > 0)
			put_count(lines, rows[i].name, rows[i].value);
}

static void
put_version(struct lines *lines, const struct dmtrace_recorder *recorder)
{
	char digits[NUMBER_MAX];

	put_section(lines, DMT_SECTION_VERSION);
	snprintf(digits, sizeof(digits), "%u\n",
	    (unsigned)recorder->layout->version);
	put_words(lines, digits);
}

/* In the order in which the platform has them; ours come last. */
static void
put_options(struct lines *lines, const struct dmtrace_recorder *recorder)
{
	const struct dmt_counts *counts = &recorder->file;

	put_version(lines, recorder);
	put_option(lines, "data-file-overflow",
	    recorder->ended != 0 ? "true" : "false");
	put_option(lines, "clock",
	    dmtrace_clock_word(recorder->layout->clock));
	put_count(lines, "elapsed-time-usec", recorder->elapsed_us);
	put_count(lines, "num-method-calls", counts->events);
	put_count(lines, "clock-call-overhead-nsec", recorder->overhead_ns);
	put_option(lines, "vm", recorder->options.vm);
	put_count(lines, "pid", (uint64_t)getpid());
	put_counts(lines, counts);
}

static void
put_threads(struct lines *lines, const struct dmtrace_recorder *recorder,
    uint32_t from)
{
	for (uint32_t i = from; i < recorder->thread_count; i++) {
		put_section(lines, DMT_SECTION_THREADS);
		put_thread(lines, &recorder->threads[i], i + 1);
	}
}

static void
put_methods(struct lines *lines, const struct dmtrace_recorder *recorder,
    size_t from)
{
	for (size_t i = from; i < recorder->methods.count; i++) {
		put_section(lines, DMT_SECTION_METHODS);
		put_method(lines, &recorder->methods.rows[i]);
	}
}

/* All sections are there, if with no lines. */
static void
put_key(struct dmtrace_recorder *recorder)
{
	struct lines lines = {
		.files = &recorder->files,
		.put = dmt_whole_write,
		.section = DMT_SECTION_UNKNOWN
	};

	put_options(&lines, recorder);
	put_section(&lines, DMT_SECTION_THREADS);
	put_threads(&lines, recorder, 0);
	put_section(&lines, DMT_SECTION_METHODS);
	put_methods(&lines, recorder, 0);
	put_section(&lines, DMT_SECTION_END);
}

/* What the data gives up is counted, unless the recorder has added it: it was
 * full of it. */
static void
cut_data(struct dmtrace_recorder *recorder)
{
	const size_t record_size = recorder->layout->record_size;
	const size_t cut = dmt_files_cut(&recorder->files,
	    recorder->files.key_size + KEY_MORE, record_size);
	const uint64_t records = cut / record_size;
	struct dmt_counts *counts = &recorder->file;
	const uint64_t added = counts->closed < records ? counts->closed :
	    records;

	counts->events -= records;
	counts->dropped += records - added;
	counts->closed -= added;
	if (counts->opened > counts->events)
		counts->opened = counts->events;
}

enum dmtrace_status
dmt_recorder_write_key(struct dmtrace_recorder *recorder)
{
	struct dmt_files *files = &recorder->files;

	if (dmt_method_name_keys(&recorder->methods) != DMTRACE_OK)
		dmt_error_memory(&recorder->error);
	put_key(recorder);
	if (dmt_files_publish(files) != DMTRACE_OK) {
		cut_data(recorder);
		if (dmt_files_fall_back(files)) {
			put_key(recorder);
			dmt_whole_close(files);
		}
	}
	return dmt_files_close(files);
}

/* The lines stand before the records that need them; sections are repeated
 * as rows come. */
void
dmt_recorder_journal(struct dmtrace_recorder *recorder)
{
	struct lines lines = {
		.files = &recorder->files,
		.put = dmt_files_journal,
		.section = DMT_SECTION_UNKNOWN
	};

	if (!recorder->journal_begun) {
		put_version(&lines, recorder);
		put_option(&lines, "clock",
		    dmtrace_clock_word(recorder->layout->clock));
		put_option(&lines, "vm", recorder->options.vm);
		put_count(&lines, "pid", (uint64_t)getpid());
	}
	recorder->journal_begun = true;
	put_threads(&lines, recorder, recorder->journaled_threads);
	recorder->journaled_threads = recorder->thread_count;
	dmt_method_name_keys(&recorder->methods);
	put_methods(&lines, recorder, recorder->journaled_methods);
	recorder->journaled_methods = recorder->methods.count;
	dmt_files_flush_journal(&recorder->files);
}
