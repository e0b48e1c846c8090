/* rows.c - the key of a recorded file, at its end or line by line */

#include "record/lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "key/line_encode.h"
#include "key/section.h"

#define NUMBER_MAX 24		/* bytes of a decimal number */
#define NAME_MAX_ESCAPED (DMT_THREAD_NAME_MAX * 4)

static struct dmtrace_text
text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

/* A thread's name as a line can hold it. */
static struct dmtrace_thread
thread_row(const struct dmtrace_recorder *recorder, uint32_t number,
    char escaped[NAME_MAX_ESCAPED])
{
	const char *name = recorder->threads[number - 1].name;

	if (name[0] == '\0')
		snprintf(escaped, NAME_MAX_ESCAPED, "thread %" PRIu32, number);
	else
		dmt_escape(escaped, NAME_MAX_ESCAPED, name, strlen(name));
	return (struct dmtrace_thread){ number, text_of(escaped) };
}

static bool
set_number(struct dmtrace_key *key, const char *name, uint64_t value)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return dmtrace_key_option_set(key, name, digits) == DMTRACE_OK;
}

/* Those that are not 0. */
static bool
set_counts(const struct dmt_counts *counts, struct dmtrace_key *key)
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
		if (rows[i].value > 0 &&
		    !set_number(key, rows[i].name, rows[i].value))
			return false;
	return true;
}

/* In the order in which the platform has them; ours come last. */
static bool
set_options(const struct dmtrace_recorder *recorder, struct dmtrace_key *key)
{
	const struct dmt_counts *counts = &recorder->file;

	return dmtrace_key_set_version(key, recorder->layout->version) ==
	    DMTRACE_OK &&
	    dmtrace_key_option_set(key, "data-file-overflow",
	    recorder->overflow ? "true" : "false") == DMTRACE_OK &&
	    dmtrace_key_option_set(key, "clock",
	    dmtrace_clock_word(recorder->layout->clock)) == DMTRACE_OK &&
	    set_number(key, "elapsed-time-usec", recorder->elapsed_us) &&
	    set_number(key, "num-method-calls", counts->events) &&
	    set_number(key, "clock-call-overhead-nsec",
	    recorder->overhead_ns) &&
	    dmtrace_key_option_set(key, "vm", recorder->options.vm) ==
	    DMTRACE_OK &&
	    set_number(key, "pid", (uint64_t)getpid()) &&
	    set_counts(counts, key);
}

static bool
add_rows(const struct dmtrace_recorder *recorder, struct dmtrace_key *key)
{
	char escaped[NAME_MAX_ESCAPED];

	for (uint32_t i = 1; i <= recorder->thread_count; i++) {
		const struct dmtrace_thread row =
		    thread_row(recorder, i, escaped);
		if (dmtrace_key_thread_add(key, &row) != DMTRACE_OK)
			return false;
	}
	for (size_t i = 0; i < recorder->methods.count; i++)
		if (dmtrace_key_method_add(key, &recorder->methods.rows[i]) !=
		    DMTRACE_OK)
			return false;
	return true;
}

static enum dmtrace_status
close_with(struct dmtrace_recorder *recorder, const struct dmtrace_key *key)
{
	const size_t len = dmtrace_key_encoded_size(key);
	char *bytes = malloc(len);

	if (bytes == NULL)
		return dmt_error_memory(&recorder->error);
	dmtrace_key_encode(key, bytes, len);
	const enum dmtrace_status status =
	    dmt_files_close(&recorder->files, bytes, len);
	free(bytes);
	return status;
}

enum dmtrace_status
dmt_recorder_write_key(struct dmtrace_recorder *recorder)
{
	struct dmtrace_key *key = dmtrace_key_new();
	enum dmtrace_status status;

	if (key != NULL &&
	    dmt_known_name_keys(&recorder->methods) == DMTRACE_OK &&
	    set_options(recorder, key) && add_rows(recorder, key))
		status = close_with(recorder, key);
	else
		status = dmt_error_memory(&recorder->error);
	dmtrace_key_free(key);
	return status;
}

struct journal {
	struct dmt_files *files;
	enum dmt_section section;	/* of the last line */
	struct dmt_arena arena;
	struct dmtrace_error error;	/* of a row, which is then left out */
};

static struct dmt_encoder
encoder_of(struct journal *journal)
{
	return (struct dmt_encoder){ &journal->arena, "\n",
	    &journal->error };
}

static void
append(struct journal *journal, enum dmt_section section,
    struct dmtrace_text lines)
{
	const char *name = dmt_section_name(section);

	if (journal->section != section) {
		dmt_files_journal(journal->files, name, strlen(name));
		dmt_files_journal(journal->files, "\n", 1);
	}
	journal->section = section;
	dmt_files_journal(journal->files, lines.bytes, lines.len);
}

static void
append_options(struct dmtrace_recorder *recorder, struct journal *journal)
{
	char words[128];

	snprintf(words, sizeof(words), "%u\nclock=%s\nvm=%s\npid=%ld\n",
	    (unsigned)recorder->layout->version,
	    dmtrace_clock_word(recorder->layout->clock),
	    recorder->options.vm, (long)getpid());
	append(journal, DMT_SECTION_VERSION, text_of(words));
}

static void
append_threads(struct dmtrace_recorder *recorder, struct journal *journal)
{
	const struct dmt_encoder encoder = encoder_of(journal);
	char escaped[NAME_MAX_ESCAPED];
	struct dmtrace_text line;

	while (recorder->journaled_threads < recorder->thread_count) {
		struct dmtrace_thread row = thread_row(recorder,
		    ++recorder->journaled_threads, escaped);
		if (dmt_thread_encode(&line, &row, &encoder) == DMTRACE_OK)
			append(journal, DMT_SECTION_THREADS, line);
	}
}

static void
append_methods(struct dmtrace_recorder *recorder, struct journal *journal)
{
	const struct dmt_encoder encoder = encoder_of(journal);
	struct dmtrace_text line;

	dmt_known_name_keys(&recorder->methods);
	while (recorder->journaled_methods < recorder->methods.count) {
		struct dmtrace_method row = recorder->methods.rows[
		    recorder->journaled_methods++];
		if (dmt_method_encode(&line, &row, &encoder) == DMTRACE_OK)
			append(journal, DMT_SECTION_METHODS, line);
	}
}

/* The lines stand before the records that need them; sections are repeated
 * as rows come. */
void
dmt_recorder_journal(struct dmtrace_recorder *recorder)
{
	struct journal journal = {
		.files = &recorder->files,
		.section = DMT_SECTION_UNKNOWN
	};

	if (!recorder->journal_begun)
		append_options(recorder, &journal);
	recorder->journal_begun = true;
	append_threads(recorder, &journal);
	append_methods(recorder, &journal);
	dmt_arena_fini(&journal.arena);
}
