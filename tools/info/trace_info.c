/* trace_info.c - what "dmtrace info" prints of one trace */

#include "info/trace_info.h"

#include <string.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cmd.h"

/* Of a trace with such a failure, the key is told and what is wrong. */
static bool
is_about_the_data(enum dmtrace_status status)
{
	return status == DMTRACE_ERR_TRUNCATED ||
	    status == DMTRACE_ERR_CORRUPT ||
	    status == DMTRACE_ERR_VERSION ||
	    status == DMTRACE_ERR_UNSUPPORTED;
}

struct dmtrace_text
trace_info_option(const struct trace_info *facts, const char *name)
{
	const struct dmtrace_option *option =
	    dmtrace_key_option_find(facts->key, name);

	return option == NULL ? (struct dmtrace_text){ NULL, 0 } :
	    option->value;
}

static bool
option_is(const struct trace_info *facts, const char *name, const char *value)
{
	const struct dmtrace_text text = trace_info_option(facts, name);

	return text.len == strlen(value) &&
	    memcmp(text.bytes, value, text.len) == 0;
}

const struct dmtrace_thread *
trace_info_thread(const struct trace_info *facts, uint32_t number)
{
	return dmtrace_key_thread_match(facts->key,
	    dmtrace_reader_layout(facts->reader), number);
}

/* Wall times are, unless the VM began anew in every thread. */
static bool
is_comparable(const struct trace_info *facts)
{
	const struct dmtrace_layout *layout =
	    dmtrace_reader_layout(facts->reader);

	return layout != NULL &&
	    dmtrace_layout_clock(layout) != DMTRACE_CLOCK_THREAD_CPU &&
	    dmtrace_key_clock(facts->key) != DMTRACE_CLOCK_GLOBAL &&
	    !(dmtrace_layout_version(layout) == 1 &&
	    option_is(facts, "vm", "dalvik"));
}

/* From the first time to the last one, or the longest of the threads' own. */
static uint64_t
measure(const struct trace_info *facts)
{
	uint64_t first = UINT64_MAX, last = 0, longest = 0;

	for (size_t i = 0; i < facts->count.thread_count; i++) {
		const struct dmtrace_thread_count *thread =
		    &facts->count.threads[i];

		if (thread->first_ns < first)
			first = thread->first_ns;
		if (thread->last_ns > last)
			last = thread->last_ns;
		if (thread->last_ns > thread->first_ns &&
		    thread->last_ns - thread->first_ns > longest)
			longest = thread->last_ns - thread->first_ns;
	}
	if (!facts->comparable)
		return longest;
	return last > first ? last - first : 0;
}

static void
fill_numbers(struct trace_info *facts)
{
	const struct dmtrace_header *header = facts->header;
	uint64_t *numbers = facts->numbers;

	numbers[INFO_VERSION] = header == NULL ? INFO_ABSENT :
	    header->version;
	numbers[INFO_VERSION_KEY] = dmtrace_key_version(facts->key);
	numbers[INFO_RECORD_SIZE] = header == NULL ? INFO_ABSENT :
	    header->record_size;
	numbers[INFO_DATA_OFFSET] = header == NULL ? INFO_ABSENT :
	    header->data_offset;
	numbers[INFO_DURATION_NS] = facts->count.records == 0 ? INFO_ABSENT :
	    measure(facts);
	numbers[INFO_THREADS] = dmtrace_key_thread_count(facts->key);
	numbers[INFO_METHODS] = dmtrace_key_method_count(facts->key);
	numbers[INFO_RECORDS] = facts->count.records;
	for (unsigned i = 0; i < 4; i++)
		numbers[INFO_ENTER + i] = facts->count.actions[i];
}

static int
fail(struct trace_info *facts)
{
	const struct dmtrace_file file = files_input(facts->file);

	msg_failure(files_name(&file), dmtrace_reader_error(facts->reader));
	facts->error = dmtrace_reader_error(facts->reader)->words;
	return CMD_TROUBLE;
}

int
trace_info_gather(struct trace_info *facts, const char *file)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	*facts = (struct trace_info){ .file = file, .reader = reader };
	if (reader == NULL) {
		msg_memory();
		facts->error = dmtrace_status_words(DMTRACE_ERR_MEMORY);
		return CMD_TROUBLE;
	}
	const enum dmtrace_status opened = files_open(reader, file);
	facts->key = dmtrace_reader_key(reader);
	if (opened != DMTRACE_OK &&
	    (facts->key == NULL || !is_about_the_data(opened)))
		return fail(facts);
	if (opened == DMTRACE_OK &&
	    dmtrace_reader_count(reader, &facts->count) != DMTRACE_OK)
		return fail(facts);
	if (opened != DMTRACE_OK)
		facts->error = dmtrace_reader_error(reader)->words;
	facts->is_read = true;
	facts->header = dmtrace_reader_header(reader);
	facts->comparable = is_comparable(facts);
	facts->overflow = option_is(facts, "data-file-overflow", "true");
	fill_numbers(facts);
	return opened != DMTRACE_OK || msg_errors(facts->file, reader, true) ?
	    CMD_NO : CMD_OK;
}

void
trace_info_fini(struct trace_info *facts)
{
	dmtrace_count_fini(&facts->count);
	dmtrace_reader_free(facts->reader);
}
