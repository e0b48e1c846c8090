/* recorder_key.c - writes the key of a recorded file, at its end or by line */

#include "record/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "key/parse.h"
#include "private/key.h"

#define NUMBER_MAX 24		/* bytes of a number */
#define KEY_MORE 16384		/* bytes that a key may need in addition */
#define NAME_MAX_ESCAPED (DMT_THREAD_NAME_MAX * 4)
#define LARGE_BUFFER 65536	/* with smaller ones a file has no room for its
				   key */
#define KEY_SIZE 32768		/* bytes of a key without rows, and */
#define ROW_SIZE 32		/* of a row, of names that are not known yet */
#define PACKET_MORE 64		/* bytes of a method's line in addition to its
				   columns */

/*
 * The key is written when its file is complete, from the counts, the names of
 * threads and the table of methods; nothing is estimated and corrected later.
 * Lines go to a buffer of the files, as malloc must not be called here. If the
 * disk is full, records are removed from the end of the data to make space for
 * the key: a trace without its last calls can be read, one without a key
 * cannot.
 *
 * With a journal the same lines are appended to the key file as rows are
 * added, before the records that need them, and sections are repeated. Such a
 * key has no counts and no end: "dmtrace repair" adds them if the program was
 * killed.
 *
 * In a stream each row is a packet, which is written before, or together with,
 * the first record that needs it; a thread that is renamed gets another
 * packet. The summary at the end has the counts, all threads, and only those
 * methods whose line is too long for a packet.
 */

/* Where lines are written. Names contain nothing that a line cannot: see
 * method_table.c. */
struct key_lines {
	struct dmt_files *files;
	void (*write)(struct dmt_files *files, const char *bytes, size_t len);
	enum dmt_section section;	/* of the last line */
};

static void
write_text(const struct key_lines *lines, struct dmtrace_text text)
{
	if (text.len > 0)
		lines->write(lines->files, text.bytes, text.len);
}

static void
write_string(const struct key_lines *lines, const char *text)
{
	lines->write(lines->files, text, strlen(text));
}

/* Begins a section, unless the last line was in the same section. */
static void
enter_key_section(struct key_lines *lines, enum dmt_section section)
{
	if (lines->section != section) {
		write_string(lines, dmt_section_name(section));
		write_string(lines, "\n");
	}
	lines->section = section;
}

static void
write_option(const struct key_lines *lines, const char *name, const char *value)
{
	write_string(lines, name);
	write_string(lines, "=");
	write_string(lines, value);
	write_string(lines, "\n");
}

static void
write_count(const struct key_lines *lines, const char *name, uint64_t value)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	write_option(lines, name, digits);
}

/* Writes a thread's name, with what a line cannot contain replaced. */
static void
write_thread_name(const struct key_lines *lines,
    const struct dmt_thread_row *row, uint32_t number)
{
	char escaped[NAME_MAX_ESCAPED];

	if (row->name[0] == '\0')
		snprintf(escaped, sizeof(escaped), "thread %" PRIu32, number);
	else
		dmt_escape(escaped, sizeof(escaped), row->name,
		    strlen(row->name));
	write_string(lines, escaped);
}

/* Writes a method's line. A packet has no line number, as in ART: Studio takes
 * the LF for a part of it. */
static void
write_method_row(const struct key_lines *lines,
    const struct dmtrace_method *row, bool packet)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof(digits), "0x%" PRIx64 "\t", row->id);
	write_string(lines, digits);
	write_text(lines, row->class_name);
	write_string(lines, "\t");
	write_text(lines, row->name);
	write_string(lines, "\t");
	write_text(lines, row->signature);
	if (row->file.len > 0) {
		write_string(lines, "\t");
		write_text(lines, row->file);
	}
	if (row->file.len > 0 && row->line != DMTRACE_NO_LINE && !packet) {
		snprintf(digits, sizeof(digits), "\t%" PRId32, row->line);
		write_string(lines, digits);
	}
	write_string(lines, "\n");
}

/* Writes the option that pads the key to the size of its room. */
static void
write_padding(const struct key_lines *lines)
{
	static const char dots[] = "................................";
	size_t left = lines->files->padding - strlen(DMT_PADDING_LINE);

	write_string(lines, DMT_OPTION_PADDING "=");
	for (; left >= strlen(dots); left -= strlen(dots))
		write_string(lines, dots);
	write_string(lines, dots + strlen(dots) - left);
	write_string(lines, "\n");
}

static void
write_version(struct key_lines *lines, const struct dmtrace_recorder *recorder)
{
	char digits[NUMBER_MAX];

	enter_key_section(lines, DMT_SECTION_VERSION);
	snprintf(digits, sizeof(digits), "%u\n",
	    (unsigned)recorder->layout->version);
	write_string(lines, digits);
}

/* Writes options in the order of the platform; those of dmtrace come last. */
static void
write_options(struct key_lines *lines, const struct dmtrace_recorder *recorder)
{
	const struct dmt_counts *counts = &recorder->file;
	const struct {
		const char *name;
		uint64_t value;
	} not_null[] = {
		{ DMT_OPTION_OPENED, counts->opened },
		{ DMT_OPTION_CLOSED, counts->closed },
		{ "dmtrace-recorder-closed", counts->ended },
		{ "dmtrace-dropped", counts->dropped },
		{ "dmtrace-mismatched", counts->mismatched },
		{ "dmtrace-stepped-back", counts->stepped_back },
	};

	write_version(lines, recorder);
	write_option(lines, DMT_OPTION_OVERFLOW,
	    recorder->ended != 0 ? "true" : "false");
	write_option(lines, DMT_OPTION_CLOCK,
	    dmtrace_clock_name(recorder->layout->clock));
	write_count(lines, DMT_OPTION_ELAPSED_US, recorder->elapsed_us);
	write_count(lines, DMT_OPTION_CALLS, counts->events);
	write_count(lines, "clock-call-overhead-nsec", recorder->overhead_ns);
	write_option(lines, DMT_OPTION_VM, recorder->options.vm);
	write_count(lines, "pid", (uint64_t)getpid());
	for (size_t i = 0; i < sizeof(not_null) / sizeof(not_null[0]); i++)
		if (not_null[i].value > 0)
			write_count(lines, not_null[i].name,
			    not_null[i].value);
	if (recorder->files.padding > 0)
		write_padding(lines);
}

/* Writes the rows of threads. */
static void
write_thread_rows(struct key_lines *lines,
    const struct dmtrace_recorder *recorder, uint32_t from)
{
	char digits[NUMBER_MAX];

	for (uint32_t i = from; i < recorder->thread_count; i++) {
		enter_key_section(lines, DMT_SECTION_THREADS);
		snprintf(digits, sizeof(digits), "%" PRIu32 "\t", i + 1);
		write_string(lines, digits);
		write_thread_name(lines, &recorder->threads[i], i + 1);
		write_string(lines, "\n");
	}
}

/* If the disk is full, removes records from the end of the data, so that the
 * key fits. Removed records are counted as dropped, except those that the
 * recorder added itself. */
static void
make_room_for_key(struct dmtrace_recorder *recorder)
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
	if (counts->opened > counts->events) {
		counts->dropped -= counts->opened - counts->events;
		counts->opened = counts->events;
	}
}

/* Returns true if the method's line fits in a packet. */
static bool
fits_packet(const struct dmtrace_method *row)
{
	return row->class_name.len + row->name.len + row->signature.len +
	    row->file.len <= DMT_PACKET_TEXT_MAX - PACKET_MORE;
}

void
dmt_recorder_put_packets(struct dmtrace_recorder *recorder)
{
	struct dmt_files *files = &recorder->files;
	const struct key_lines lines = {
		.files = files, .write = dmt_files_put_packet
	};

	for (uint32_t i = recorder->written_threads;
	    i < recorder->thread_count; i++) {
		struct dmt_thread_row *row = &recorder->threads[i];
		if (row->announced)
			continue;
		row->announced = true;
		dmt_files_begin_packet(files, DMT_PACKET_THREAD,
		    (uint16_t)(i + 1));
		write_thread_name(&lines, row, i + 1);
		dmt_files_end_packet(files);
	}
	recorder->written_threads = recorder->thread_count;

	dmt_method_name_keys(&recorder->methods);
	for (size_t i = recorder->written_methods;
	    i < recorder->methods.count; i++) {
		const struct dmtrace_method *row = &recorder->methods.rows[i];
		if (!fits_packet(row))
			continue;
		dmt_files_begin_packet(files, DMT_PACKET_METHOD, 0);
		write_method_row(&lines, row, true);
		dmt_files_end_packet(files);
	}
	recorder->written_methods = recorder->methods.count;
}

/* Writes the key, or the text of a stream's summary, which has only the
 * methods that do not fit in a packet. All sections are written, even if
 * empty. */
static void
write_whole_key(struct dmtrace_recorder *recorder,
    void (*write)(struct dmt_files *files, const char *bytes, size_t len))
{
	struct key_lines lines = {
		.files = &recorder->files,
		.write = write,
		.section = DMT_SECTION_UNKNOWN
	};

	write_options(&lines, recorder);
	enter_key_section(&lines, DMT_SECTION_THREADS);
	write_thread_rows(&lines, recorder, 0);
	enter_key_section(&lines, DMT_SECTION_METHODS);
	for (size_t i = 0; i < recorder->methods.count; i++)
		if (!recorder->options.streaming ||
		    !fits_packet(&recorder->methods.rows[i]))
			write_method_row(&lines, &recorder->methods.rows[i],
			    false);
	enter_key_section(&lines, DMT_SECTION_END);
}

/* Writes the summary of a stream, which is its key. false: it failed, and the
 * file ends with the record or packet before it. */
static bool
write_summary(struct dmtrace_recorder *recorder)
{
	struct dmt_files *files = &recorder->files;

	files->key_size = 0;
	write_whole_key(recorder, dmt_files_measure);
	dmt_files_begin_summary(files);
	write_whole_key(recorder, dmt_files_put_summary);
	return dmt_files_end_summary(files);
}

enum dmtrace_status
dmt_recorder_write_key(struct dmtrace_recorder *recorder)
{
	struct dmt_files *files = &recorder->files;

	if (dmt_method_name_keys(&recorder->methods) != DMTRACE_OK)
		dmt_error_memory(&recorder->error);
	if (recorder->options.streaming) {
		dmt_recorder_put_packets(recorder);
		if (!write_summary(recorder)) {
			make_room_for_key(recorder);
			write_summary(recorder);
		}
		return dmt_files_close(files);
	}
	if (files->room > 0) {
		write_whole_key(recorder, dmt_files_measure);
		dmt_files_use_room(files);
	}
	write_whole_key(recorder, dmt_files_put_key);
	if (dmt_files_publish(files) != DMTRACE_OK) {
		make_room_for_key(recorder);
		if (dmt_files_fall_back(files)) {
			write_whole_key(recorder, dmt_files_put_key);
			dmt_files_close_target(files);
		}
	}
	return dmt_files_close(files);
}

void
dmt_recorder_reserve(struct dmtrace_recorder *recorder)
{
	const struct dmt_method_table *const methods = &recorder->methods;
	size_t key = KEY_SIZE + ROW_SIZE * (methods->count + methods->keys);
	char front[128];

	if (recorder->files.created || recorder->options.streaming ||
	    recorder->options.buffer_size < LARGE_BUFFER ||
	    (recorder->draining && !dmt_buffers_stay(recorder)))
		return;
	snprintf(front, sizeof(front), "*version\n%u\n" DMT_OPTION_CLOCK
	    "=%s\nvm=%s\n" DMT_OPTION_PADDING "=",
	    (unsigned)recorder->layout->version,
	    dmtrace_clock_name(recorder->layout->clock),
	    recorder->options.vm);
	for (size_t i = 0; i < methods->count; i++)
		key += methods->rows[i].class_name.len +
		    methods->rows[i].name.len + methods->rows[i].signature.len;
	dmt_files_reserve(&recorder->files, front, 2 * key);
}

void
dmt_recorder_journal(struct dmtrace_recorder *recorder)
{
	struct key_lines lines = {
		.files = &recorder->files,
		.write = dmt_files_journal,
		.section = DMT_SECTION_UNKNOWN
	};

	if (!recorder->journal_begun) {
		write_version(&lines, recorder);
		write_option(&lines, DMT_OPTION_CLOCK,
		    dmtrace_clock_name(recorder->layout->clock));
		write_option(&lines, DMT_OPTION_VM, recorder->options.vm);
		write_count(&lines, "pid", (uint64_t)getpid());
	}
	recorder->journal_begun = true;
	write_thread_rows(&lines, recorder, recorder->written_threads);
	recorder->written_threads = recorder->thread_count;
	dmt_method_name_keys(&recorder->methods);
	for (size_t i = recorder->written_methods;
	    i < recorder->methods.count; i++) {
		enter_key_section(&lines, DMT_SECTION_METHODS);
		write_method_row(&lines, &recorder->methods.rows[i], false);
	}
	recorder->written_methods = recorder->methods.count;
	dmt_files_flush_journal(&recorder->files);
}
