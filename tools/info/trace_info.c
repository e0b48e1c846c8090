/* trace_info.c - what "dmtrace info" prints of one trace */

#include "info/trace_info.h"

#include <string.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cmd.h"
#include "private/key.h"
#include "private/text.h"
#include "private/trace.h"

/* Of a trace with such a failure, the key is reported and what is wrong. */
static bool
is_about_the_data(enum dmtrace_status status)
{
	return status == DMTRACE_ERR_TRUNCATED ||
	    status == DMTRACE_ERR_CORRUPT ||
	    status == DMTRACE_ERR_VERSION ||
	    status == DMTRACE_ERR_UNSUPPORTED;
}

struct dmtrace_text
trace_info_option(const struct trace_info *info, const char *name)
{
	const struct dmtrace_option *option =
	    dmtrace_key_option_find(info->key, name);

	return option == NULL ? (struct dmtrace_text){ NULL, 0 } :
	    option->value;
}

static bool
option_is(const struct trace_info *info, const char *name, const char *value)
{
	return dmt_text_is(trace_info_option(info, name), value);
}

const struct dmtrace_thread *
trace_info_thread(const struct trace_info *info, uint32_t number)
{
	return dmt_key_thread_match(info->key,
	    dmt_reader_layout(info->reader), number);
}

/* Wall times are, unless the VM began anew in every thread. */
static bool
is_comparable(const struct trace_info *info)
{
	const struct dmt_layout *layout =
	    dmt_reader_layout(info->reader);

	return layout != NULL &&
	    dmt_layout_clock(layout) != DMTRACE_CLOCK_THREAD_CPU &&
	    dmt_key_clock(info->key) != DMTRACE_CLOCK_GLOBAL &&
	    !(dmt_layout_version(layout) == 1 &&
	    option_is(info, "vm", "dalvik"));
}

/* From the first time to the last one, or the longest of the threads' own. */
static uint64_t
measure_duration(const struct trace_info *info)
{
	uint64_t first = UINT64_MAX, last = 0, longest = 0;

	for (size_t i = 0; i < info->count.thread_count; i++) {
		const struct dmt_thread_count *thread =
		    &info->count.threads[i];

		if (thread->first_ns < first)
			first = thread->first_ns;
		if (thread->last_ns > last)
			last = thread->last_ns;
		if (thread->last_ns > thread->first_ns &&
		    thread->last_ns - thread->first_ns > longest)
			longest = thread->last_ns - thread->first_ns;
	}
	if (!info->comparable)
		return longest;
	return last > first ? last - first : 0;
}

static void
fill_numbers(struct trace_info *info)
{
	const struct dmt_header *header = info->header;
	uint64_t *numbers = info->numbers;

	numbers[INFO_VERSION] = header == NULL ? INFO_ABSENT :
	    header->version;
	numbers[INFO_VERSION_KEY] = dmt_key_version(info->key);
	numbers[INFO_RECORD_SIZE] = header == NULL ? INFO_ABSENT :
	    header->record_size;
	numbers[INFO_DATA_OFFSET] = header == NULL ? INFO_ABSENT :
	    header->data_offset;
	numbers[INFO_DURATION_NS] = info->count.records == 0 ? INFO_ABSENT :
	    measure_duration(info);
	numbers[INFO_THREADS] = dmtrace_key_thread_count(info->key);
	numbers[INFO_METHODS] = dmtrace_key_method_count(info->key);
	numbers[INFO_RECORDS] = info->count.records;
	for (unsigned i = 0; i < 4; i++)
		numbers[INFO_ENTER + i] = info->count.actions[i];
}

static int
fail_trace_info(struct trace_info *info)
{
	const struct dmtrace_file file = files_input(info->file);

	msg_failure(files_name(&file), dmtrace_reader_error(info->reader));
	info->error = dmtrace_reader_error(info->reader)->message;
	return CMD_TROUBLE;
}

int
trace_info_read(struct trace_info *info, const char *file)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	*info = (struct trace_info){ .file = file, .reader = reader };
	if (reader == NULL) {
		msg_memory();
		info->error = dmtrace_strerror(DMTRACE_ERR_MEMORY);
		return CMD_TROUBLE;
	}
	const enum dmtrace_status opened = files_open(reader, file);
	info->key = dmtrace_reader_key(reader);
	if (opened != DMTRACE_OK &&
	    (info->key == NULL || !is_about_the_data(opened)))
		return fail_trace_info(info);
	if (opened == DMTRACE_OK &&
	    dmt_reader_count(reader, &info->count) != DMTRACE_OK)
		return fail_trace_info(info);
	if (opened != DMTRACE_OK)
		info->error = dmtrace_reader_error(reader)->message;
	info->is_read = true;
	info->header = dmt_reader_header(reader);
	info->comparable = is_comparable(info);
	info->overflow = option_is(info, "data-file-overflow", "true");
	fill_numbers(info);
	return opened != DMTRACE_OK || msg_errors(info->file, reader, true) ?
	    CMD_NO : CMD_OK;
}

void
trace_info_fini(struct trace_info *info)
{
	dmt_count_fini(&info->count);
	dmtrace_reader_free(info->reader);
}
