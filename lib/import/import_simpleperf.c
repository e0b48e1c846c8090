/* import_simpleperf.c - reads samples: "simpleperf report-sample --protobuf" */

/*
 * The file is a list of messages: samples, and the threads, files and symbols
 * that they refer to, which may follow them. So a first pass reads the
 * definitions and the gaps between samples, and a second one the samples.
 *
 * Calls are made as the recorder makes them of sampled stacks: a frame lives
 * from the first sample that has it at its depth, under the same callers, to
 * the first that has not; the last one's frames end a period later, the median
 * gap of the thread. If the events are of a CPU clock, their counts are the CPU
 * time between a sample and the next; a sample of sched_switch has none.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/proto_decode.h"
#include "import/import.h"
#include "private/text.h"

#define MAGIC "SIMPLEPERF"
enum {
	HEADER_SIZE = 12,
	RECORD_MAX = DMT_IMPORT_LINE_MAX,
	EVENT_TYPES_MAX = 64,
	GAPS_MEMORY = 1 << 20
};
enum { RECORD_SAMPLE = 1, RECORD_LOST = 2, RECORD_FILE = 3, RECORD_THREAD = 4,
	RECORD_META = 5, RECORD_SWITCH = 6 };
enum { SAMPLE_TIME = 1, SAMPLE_THREAD = 2, SAMPLE_ENTRY = 3, SAMPLE_COUNT = 4,
	SAMPLE_TYPE = 5 };
enum { ENTRY_ADDRESS = 1, ENTRY_FILE = 2, ENTRY_SYMBOL = 3 };
#define PERIOD_DEFAULT_NS 1000000

/* As threads in struct gap: all gaps, and the counts of clocks. */
#define GAP_OF_ALL UINT32_MAX
#define GAP_OF_CLOCK (UINT32_MAX - 1)

struct gap {
	uint32_t thread;
	uint64_t ns;
};

struct sampled_file {
	struct dmtrace_text name;	/* without folders; in the arena */
	size_t first_symbol, symbol_count;
};

struct sampled_thread {
	bool seen;
	uint64_t last_ns, gaps;
	uint64_t period_ns;		/* the median gap */
	int64_t cpu_ns;			/* before the last sample, */
	int64_t count_ns;		/* and of it */
	uint32_t *frames;		/* that are open, outermost first */
	size_t depth, capacity;
};

struct simpleperf_import {
	struct dmt_import *import;
	struct sampled_file *files;
	size_t file_count, file_capacity;
	struct dmt_idmap files_by_id;
	uint32_t *symbols;		/* methods */
	size_t symbol_count, symbol_capacity;
	struct sampled_thread *threads;	/* by index */
	size_t thread_capacity;
	bool is_clock[EVENT_TYPES_MAX];
	bool has_clock;
	size_t type_count;
	uint64_t clock_samples, all_gaps, samples;
	struct dmt_sorter gaps;
	uint32_t *stack;		/* of a sample, innermost first */
	size_t stack_capacity;
};

static bool
has_ending(struct dmtrace_text text, const char *end)
{
	const size_t len = strlen(end);

	return text.len >= len &&
	    memcmp(text.bytes + text.len - len, end, len) == 0;
}

/* Does a file hold methods of Java? */
static bool
is_java_file(struct dmtrace_text path)
{
	static const char *const ends[] =
	    { ".oat", ".odex", ".vdex", ".apk", ".jar", ".dex" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (has_ending(path, ends[i]))
			return true;
	return dmt_text_begins(path, "[JIT ");
}

/* Returns the method of a native function or of an address in a file: its class
 * is the file, in brackets, unless it has one of C++. */
static uint32_t
find_native(struct simpleperf_import *self, struct dmtrace_text file,
    struct dmtrace_text symbol)
{
	char class_name[256];

	for (size_t i = 1; i + 2 < symbol.len &&
	    strchr("(<[ ", symbol.bytes[i]) == NULL; i++)
		if (memcmp(symbol.bytes + i, "::", 2) == 0)
			return dmt_import_method_find(self->import, symbol,
			    (struct dmtrace_text){ "", 0 });
	const int len = snprintf(class_name, sizeof(class_name), "[%.*s]",
	    (int)(file.len < 250 ? file.len : 250), file.bytes);
	return dmt_import_method_split(self->import, DMT_NO_ID,
	    (struct dmtrace_text){ class_name, (size_t)len }, symbol,
	    dmt_text_of("()V"));
}

static uint32_t
find_symbol(struct simpleperf_import *self, bool is_java,
    struct dmtrace_text file, struct dmtrace_text symbol)
{
	size_t dot = symbol.len;

	while (is_java && dot > 0 && symbol.bytes[dot - 1] != '.')
		dot--;
	if (!is_java || dot < 2 || dot == symbol.len)
		return find_native(self, file, symbol);
	return dmt_import_method_split(self->import, DMT_NO_ID,
	    (struct dmtrace_text){ symbol.bytes, dot - 1 },
	    dmt_text_after(symbol, dot), dmt_text_of("()V"));
}

static bool
read_file_record(struct simpleperf_import *self, struct dmt_proto message)
{
	struct dmt_proto fields = message;
	struct dmt_proto_field field;
	struct sampled_file file = { .first_symbol = self->symbol_count };
	struct dmtrace_text path = { "", 0 };
	uint64_t id = 0;
	size_t slash;

	while (dmt_proto_next(&fields, &field)) {
		if (field.number == 1)
			id = field.value;
		else if (field.number == 2 && field.bytes.bytes != NULL)
			path = field.bytes;
	}
	for (slash = path.len; slash > 0 && path.bytes[slash - 1] != '/';)
		slash--;
	const struct dmtrace_text name = dmt_text_after(path, slash);
	file.name.bytes = dmt_arena_copy(&self->import->thread_keys.arena,
	    name.bytes, name.len);
	file.name.len = name.len;
	struct sampled_file *const files = dmt_array_grow(self->files,
	    &self->file_capacity, self->file_count + 1, sizeof(*files));
	if (files != NULL)
		self->files = files;
	if (files == NULL || file.name.bytes == NULL)
		return dmt_import_fail_memory(self->import);
	const bool is_java = is_java_file(path);
	while (dmt_proto_next(&message, &field)) {
		if (field.number != 3 || field.bytes.bytes == NULL)
			continue;
		uint32_t *const symbols = dmt_array_grow(self->symbols,
		    &self->symbol_capacity, self->symbol_count + 1,
		    sizeof(*symbols));
		if (symbols == NULL)
			return dmt_import_fail_memory(self->import);
		self->symbols = symbols;
		const uint32_t method =
		    find_symbol(self, is_java, file.name, field.bytes);
		if (method == DMT_NO_NAME)
			return false;
		symbols[self->symbol_count++] = method;
		file.symbol_count++;
	}
	uint32_t *const index = dmt_idmap_at(&self->files_by_id, id);
	if (index == NULL)
		return dmt_import_fail_memory(self->import);
	*index = (uint32_t)self->file_count;
	files[self->file_count++] = file;
	return !message.damaged;
}

/* Returns the thread of that id; NULL: it failed. */
static struct sampled_thread *
get_thread(struct simpleperf_import *self, uint64_t tid, uint32_t *index)
{
	const int32_t id = (int32_t)(uint32_t)tid;
	char text[16];
	const int len = snprintf(text, sizeof(text), "%" PRId32, id);

	*index = dmt_import_thread_find(self->import,
	    (struct dmtrace_text){ "", 0 },
	    (struct dmtrace_text){ text, (size_t)len }, id < 0 ? -1 : id);
	if (*index == DMT_NO_NAME)
		return NULL;
	struct sampled_thread *const threads = dmt_array_grow_zero(
	    self->threads, &self->thread_capacity, *index + (size_t)1,
	    sizeof(*threads));
	if (threads == NULL) {
		dmt_import_fail_memory(self->import);
		return NULL;
	}
	self->threads = threads;
	return &threads[*index];
}

static bool
read_thread_record(struct simpleperf_import *self, struct dmt_proto message)
{
	struct dmt_proto_field field;
	struct dmtrace_text name = { "", 0 };
	uint64_t tid = 0, pid = 0;
	uint32_t index;
	char process[24];

	while (dmt_proto_next(&message, &field)) {
		if (field.number == 1)
			tid = field.value;
		else if (field.number == 2)
			pid = field.value;
		else if (field.number == 3 && field.bytes.bytes != NULL)
			name = field.bytes;
	}
	if (message.damaged)
		return false;
	const int len = snprintf(process, sizeof(process), "%" PRId32,
	    (int32_t)(uint32_t)pid);
	if (get_thread(self, tid, &index) == NULL)
		return false;
	const uint32_t owner = dmt_import_process_find(self->import,
	    (struct dmtrace_text){ process, (size_t)len });
	if (owner == DMT_NO_NAME)
		return false;
	struct dmt_import_thread *const thread =
	    &self->import->threads[index];
	thread->process = owner;
	return dmt_text_equal(thread->name, name) ||
	    dmt_import_name(self->import, &thread->name, name);
}

static bool
read_meta_record(struct simpleperf_import *self, struct dmt_proto message)
{
	struct dmt_proto_field field;

	while (dmt_proto_next(&message, &field)) {
		if (field.number != 1 || field.bytes.bytes == NULL ||
		    self->type_count == EVENT_TYPES_MAX)
			continue;
		const bool is_clock =
		    dmt_text_begins(field.bytes, "cpu-clock") ||
		    dmt_text_begins(field.bytes, "task-clock");

		self->is_clock[self->type_count++] = is_clock;
		self->has_clock |= is_clock;
	}
	return !message.damaged;
}

static bool
read_lost_record(struct simpleperf_import *self, struct dmt_proto message)
{
	struct dmt_proto_field field;

	while (dmt_proto_next(&message, &field))
		if (field.number == 2)
			self->import->result.lost += field.value;
	return !message.damaged;
}

struct sample {
	uint64_t time_ns, tid, count, type;
	size_t depth;			/* of self->stack */
};

/* Returns the method of a frame. DMT_NO_NAME: it failed. */
static uint32_t
find_frame(struct simpleperf_import *self, struct dmt_proto entry)
{
	struct dmt_proto_field field;
	uint64_t address = 0, file_id = 0;
	int32_t symbol = 0;
	char text[280];

	while (dmt_proto_next(&entry, &field)) {
		if (field.number == ENTRY_ADDRESS)
			address = field.value;
		else if (field.number == ENTRY_FILE)
			file_id = field.value;
		else if (field.number == ENTRY_SYMBOL)
			symbol = (int32_t)(uint32_t)field.value;
	}
	if (entry.damaged) {
		dmt_import_fail_at(self->import, DMTRACE_ERR_CORRUPT,
		    "a frame that is not a message");
		return DMT_NO_NAME;
	}
	const uint32_t *const index =
	    dmt_idmap_find(&self->files_by_id, file_id);
	const struct sampled_file *const file =
	    index == NULL ? NULL : &self->files[*index];
	if (file != NULL && symbol >= 0 && (size_t)symbol < file->symbol_count)
		return self->symbols[file->first_symbol + (size_t)symbol];
	const struct dmtrace_text name = file == NULL ?
	    dmt_text_of("unknown") : file->name;
	const int len = snprintf(text, sizeof(text), "%.*s[+%" PRIx64 "]",
	    (int)(name.len < 250 ? name.len : 250), name.bytes, address);
	return find_native(self, name,
	    (struct dmtrace_text){ text, (size_t)len });
}

/* Reads a sample; frames: also its stack. */
static bool
read_sample(struct simpleperf_import *self, struct dmt_proto message,
    bool frames, struct sample *sample)
{
	struct dmt_proto_field field;

	*sample = (struct sample){ .depth = 0 };
	while (dmt_proto_next(&message, &field)) {
		switch (field.number) {
		case SAMPLE_TIME: sample->time_ns = field.value; break;
		case SAMPLE_THREAD: sample->tid = field.value; break;
		case SAMPLE_COUNT: sample->count = field.value; break;
		case SAMPLE_TYPE: sample->type = field.value; break;
		default: break;
		}
		if (!frames || field.number != SAMPLE_ENTRY ||
		    field.bytes.bytes == NULL)
			continue;
		uint32_t *const stack = dmt_array_grow(self->stack,
		    &self->stack_capacity, sample->depth + 1, sizeof(*stack));
		if (stack == NULL)
			return dmt_import_fail_memory(self->import);
		self->stack = stack;
		const uint32_t method =
		    find_frame(self, dmt_proto_of(field.bytes));
		if (method == DMT_NO_NAME)
			return false;
		stack[sample->depth++] = method;
	}
	if (sample->time_ns > INT64_MAX / 4 || sample->count > INT64_MAX / 4)
		return dmt_import_fail_at(self->import, DMTRACE_ERR_CORRUPT,
		    "a time or count of 73 years");
	return !message.damaged;
}

static bool
is_clock_sample(const struct simpleperf_import *self,
    const struct sample *sample)
{
	return sample->type < self->type_count &&
	    self->is_clock[sample->type];
}

/* The first pass: adds the gap to the thread's sample before this one. */
static bool
add_gaps(struct simpleperf_import *self, const struct sample *sample)
{
	uint32_t index;
	struct sampled_thread *const thread =
	    get_thread(self, sample->tid, &index);
	struct gap gap = { .thread = GAP_OF_CLOCK, .ns = sample->count };
	bool fine;

	if (thread == NULL)
		return false;
	self->samples++;
	fine = !is_clock_sample(self, sample) ||
	    dmt_sorter_add(&self->gaps, &gap);
	self->clock_samples += is_clock_sample(self, sample);
	if (thread->seen && sample->time_ns >= thread->last_ns) {
		gap = (struct gap){ .thread = index,
		    .ns = sample->time_ns - thread->last_ns };
		fine = fine && dmt_sorter_add(&self->gaps, &gap);
		gap.thread = GAP_OF_ALL;
		fine = fine && dmt_sorter_add(&self->gaps, &gap);
		thread->gaps++;
		self->all_gaps++;
	}
	if (!thread->seen || sample->time_ns > thread->last_ns)
		thread->last_ns = sample->time_ns;
	thread->seen = true;
	if (!fine && self->import->error.status == DMTRACE_OK)
		self->import->error = self->gaps.error;
	return fine;
}

static int
compare_gaps(const void *a, const void *b)
{
	const struct gap *const one = a, *const other = b;

	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	return (one->ns > other->ns) - (one->ns < other->ns);
}

/* Sets the median gap of each thread, and the period of the recording: the
 * median count of a clock, else the median of all gaps. */
static bool
find_medians(struct simpleperf_import *self)
{
	uint64_t clock_ns = 0, all_ns = 0, at = 0;
	uint32_t last = GAP_OF_ALL;	/* which is never first */
	const struct gap *gap;

	if (dmt_sorter_finish(&self->gaps)) {
		while ((gap = dmt_sorter_next(&self->gaps)) != NULL) {
			at = gap->thread == last ? at + 1 : 0;
			last = gap->thread;
			if (last == GAP_OF_ALL && at == self->all_gaps / 2)
				all_ns = gap->ns;
			else if (last == GAP_OF_CLOCK &&
			    at == self->clock_samples / 2)
				clock_ns = gap->ns;
			else if (last < GAP_OF_CLOCK &&
			    at == self->threads[last].gaps / 2)
				self->threads[last].period_ns = gap->ns;
		}
	}
	if (self->gaps.error.status != DMTRACE_OK) {
		self->import->error = self->gaps.error;
		return false;
	}
	const uint64_t period_ns = clock_ns > 0 ? clock_ns : all_ns > 0 ?
	    all_ns : PERIOD_DEFAULT_NS;
	for (size_t i = 0; i < self->import->thread_keys.count &&
	    i < self->thread_capacity; i++) {
		struct sampled_thread *const thread = &self->threads[i];

		if (thread->gaps == 0)
			thread->period_ns = period_ns;
		thread->seen = false;
	}
	self->import->result.samples = self->samples;
	if (self->samples > 0)
		self->import->result.sampled_ns = period_ns;
	return true;
}

static bool
add_frame_event(struct simpleperf_import *self, uint32_t index, uint32_t method,
    uint64_t time_ns, enum dmt_import_kind kind)
{
	return dmt_import_add(self->import, &(struct dmt_import_event){
		.time_ns = (int64_t)time_ns,
		.cpu_ns = self->has_clock ? self->threads[index].cpu_ns :
		    DMT_NO_CPU,
		.thread = index, .method = method, .kind = kind
	});
}

/* The frames of the thread become those of stack, innermost first. */
static bool
change_frames(struct simpleperf_import *self, uint32_t index,
    const uint32_t *stack, size_t depth, uint64_t time_ns)
{
	struct sampled_thread *const thread = &self->threads[index];
	size_t same = 0;

	while (same < depth && same < thread->depth &&
	    thread->frames[same] == stack[depth - 1 - same])
		same++;
	while (thread->depth > same)
		if (!add_frame_event(self, index,
		    thread->frames[--thread->depth], time_ns, DMT_IMPORT_END))
			return false;
	uint32_t *const frames = dmt_array_grow(thread->frames,
	    &thread->capacity, depth, sizeof(*frames));
	if (frames == NULL)
		return dmt_import_fail_memory(self->import);
	thread->frames = frames;
	for (; same < depth; same++) {
		frames[same] = stack[depth - 1 - same];
		if (!add_frame_event(self, index, frames[same], time_ns,
		    DMT_IMPORT_BEGIN))
			return false;
	}
	thread->depth = depth;
	return true;
}

/* The second pass. A sample before the thread's last one is left out. */
static bool
take_sample(struct simpleperf_import *self, const struct sample *sample)
{
	uint32_t index;
	struct sampled_thread *const thread =
	    get_thread(self, sample->tid, &index);

	if (thread == NULL)
		return false;
	if (thread->seen && sample->time_ns < thread->last_ns) {
		dmt_import_drop(self->import, "samples that are earlier than "
		    "the one before in their thread", 1);
		return true;
	}
	thread->seen = true;
	thread->last_ns = sample->time_ns;
	if (thread->cpu_ns > INT64_MAX / 4)
		return dmt_import_fail_at(self->import, DMTRACE_ERR_CORRUPT,
		    "counts add up to 73 years");
	thread->cpu_ns += thread->count_ns;
	thread->count_ns = is_clock_sample(self, sample) ?
	    (int64_t)sample->count : 0;
	return change_frames(self, index, self->stack, sample->depth,
	    sample->time_ns);
}

/* Reads a record; first: of the first pass. */
static bool
read_record(struct simpleperf_import *self, struct dmt_proto record,
    bool first)
{
	struct dmt_proto_field field;
	struct sample sample;

	while (dmt_proto_next(&record, &field)) {
		const struct dmt_proto message = dmt_proto_of(field.bytes);
		bool fine = true;

		if (field.bytes.bytes == NULL)
			continue;
		if (field.number == RECORD_SAMPLE)
			fine = read_sample(self, message, !first, &sample) &&
			    (first ? add_gaps(self, &sample) :
			    take_sample(self, &sample));
		else if (!first)
			continue;
		else if (field.number == RECORD_LOST)
			fine = read_lost_record(self, message);
		else if (field.number == RECORD_FILE)
			fine = read_file_record(self, message);
		else if (field.number == RECORD_THREAD)
			fine = read_thread_record(self, message);
		else if (field.number == RECORD_META)
			fine = read_meta_record(self, message);
		else
			dmt_import_drop(self->import, field.number ==
			    RECORD_SWITCH ? "records of context switches" :
			    "records of unknown kinds", 1);
		if (!fine)
			return false;
	}
	return !record.damaged;
}

/* Reads all records, up to one of no bytes, which nothing may follow. false: it
 * failed. */
static bool
read_records(struct simpleperf_import *self, bool first)
{
	struct dmt_import *const import = self->import;
	struct dmt_input *const input = &import->input;
	const uint8_t *bytes;
	uint64_t count = 0;

	for (;;) {
		import->at = input->offset;
		const size_t head = dmt_input_peek(input, 4, &bytes);
		const uint32_t size = head < 4 ? 0 : dmt_get_le32(bytes);

		if (head < 4)
			dmt_import_cut(import, import->at);
		if (size == 0) {
			if (dmt_input_peek(input, 5, &bytes) > 4)
				dmt_import_follows(import, import->at + 4);
			break;
		}
		if (size > RECORD_MAX)
			return dmt_import_fail_at(import, DMTRACE_ERR_LIMIT,
			    "a record of more than 16 MiB");
		if (dmt_input_peek(input, 4 + (size_t)size, &bytes) <
		    4 + (size_t)size) {
			dmt_import_cut(import, import->at);
			break;
		}
		const struct dmtrace_text record =
		    { (const char *)bytes + 4, size };
		if (!read_record(self, dmt_proto_of(record), first))
			return dmt_import_fail_at(import, DMTRACE_ERR_CORRUPT,
			    "a record that is not a message of samples");
		dmt_input_skip(input, 4 + (size_t)size);
		if (++count % 1024 == 0 && !dmt_import_progress(import))
			return false;
	}
	if (input->error.status == DMTRACE_OK)
		return true;
	import->error = input->error;
	return false;
}

static bool
end_sampled_threads(struct simpleperf_import *self)
{
	for (uint32_t i = 0; i < self->import->thread_keys.count &&
	    i < self->thread_capacity; i++) {
		struct sampled_thread *const thread = &self->threads[i];

		if (!thread->seen)
			continue;
		thread->cpu_ns += thread->count_ns;
		if (!change_frames(self, i, NULL, 0,
		    thread->last_ns + thread->period_ns))
			return false;
	}
	return true;
}

static bool
read_passes(struct simpleperf_import *self)
{
	struct dmt_import *const import = self->import;
	struct dmt_input *const input = &import->input;
	const uint8_t *bytes;

	if (dmt_input_peek(input, HEADER_SIZE, &bytes) < HEADER_SIZE)
		return dmt_import_fail_at(import, DMTRACE_ERR_TRUNCATED,
		    "the file ends in its header");
	if (memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
		return dmt_import_fail_at(import, DMTRACE_ERR_CORRUPT,
		    "does not begin with \"" MAGIC "\"");
	if (dmt_get_le16(bytes + strlen(MAGIC)) != 1)
		return dmt_import_fail_at(import, DMTRACE_ERR_UNSUPPORTED,
		    "version 1 is read, this is another one");
	dmt_input_skip(input, HEADER_SIZE);
	const uint64_t begin = input->offset;
	if (dmt_input_hold(input) != DMTRACE_OK) {
		import->error = input->error;
		return false;
	}
	if (!read_records(self, true) || !find_medians(self))
		return false;
	if (dmt_input_rewind(input, begin) != DMTRACE_OK) {
		import->error = input->error;
		return false;
	}
	return read_records(self, false) && end_sampled_threads(self);
}

static enum dmtrace_status
read_simpleperf(struct dmt_import *import)
{
	struct simpleperf_import self = { .import = import };

	dmt_sorter_init(&self.gaps, sizeof(struct gap), compare_gaps,
	    GAPS_MEMORY);
	read_passes(&self);
	for (size_t i = 0; i < self.thread_capacity; i++)
		free(self.threads[i].frames);
	free(self.threads);
	free(self.files);
	free(self.symbols);
	free(self.stack);
	dmt_idmap_fini(&self.files_by_id);
	dmt_sorter_fini(&self.gaps);
	return import->error.status;
}

static bool
recognises_simpleperf(const uint8_t *bytes, size_t len)
{
	return len >= strlen(MAGIC) &&
	    memcmp(bytes, MAGIC, strlen(MAGIC)) == 0;
}

const struct dmt_import_row dmt_import_simpleperf = {
	.recognises = recognises_simpleperf, .read = read_simpleperf
};
