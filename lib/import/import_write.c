/* import_write.c - writes the events of another format as a trace */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "format/layout.h"
#include "import/import.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/text.h"
#include "private/trace.h"
#include "private/utf8.h"
#include "trace/writer.h"

enum { BATCH = 1024, NAME_PART_MAX = 200 };
#define DMT_NO_NUMBER UINT32_MAX
#define US_MAX ((int64_t)UINT32_MAX)

static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

/* Returns the size of the first character if a key should have it; 0: it is not
 * UTF-8, not visible, or U+FFFD, which in a key is a sign of damage. */
static size_t
character_size(struct dmtrace_text text)
{
	uint32_t code;
	const size_t size = dmt_utf8_decode(&code, text.bytes, text.len);

	return size > 0 && (dmt_utf8_is_unsafe(code) ||
	    dmt_text_begins(text, replacement)) ? 0 : size;
}

/* Returns a name for a key: without blanks around it, with U+FFFD as '?', and
 * other such characters as \t, \x00 and so on. bytes is NULL: no memory. */
static struct dmtrace_text
clean_name(struct dmt_import *import, struct dmtrace_text name)
{
	struct dmtrace_text text = dmt_text_trim(name);
	size_t bad = 0, len = 0;

	for (size_t i = 0, size; i < text.len; i += size > 0 ? size : 1) {
		size = character_size(dmt_text_after(text, i));
		bad += size == 0;
	}
	import->result.renamed += bad > 0 || text.len < name.len ||
	    text.len == 0;
	if (text.len == 0)
		return dmt_text_of("(none)");
	if (bad == 0)
		return text;
	char *const clean = dmt_arena_alloc(&import->methods.arena,
	    text.len + (DMT_UNIT_MAX + 1) * bad);
	if (clean == NULL)
		return (struct dmtrace_text){ NULL, 0 };
	while (text.len > 0) {
		size_t size = character_size(text), used = size;

		if (size > 0) {
			memcpy(clean + len, text.bytes, size);
		} else if (dmt_text_begins(text, replacement)) {
			clean[len] = '?';
			size = strlen(replacement);
			used = 1;
		} else {
			size = dmt_escape_first(clean + len, &used,
			    text.bytes, 1);
		}
		len += used;
		text = dmt_text_after(text, size);
	}
	return (struct dmtrace_text){ clean, len };
}

/*
 * Sets the class and the name so that reports join them to the text that was
 * imported: the class is what precedes the last "::" or else the last dot. Both
 * are looked for before brackets, which begin a signature or the arguments of
 * a template. Functions without a class are in "native", as the recorder's.
 * false: no memory.
 */
static bool
split_name(struct dmt_import *import, struct dmtrace_method *row,
    const struct dmt_name *name)
{
	const struct dmtrace_text text = clean_name(import, name->name);
	size_t dot = 0, colons = 0;

	row->signature = name->signature.len == 0 ? dmt_text_of("()V") :
	    clean_name(import, name->signature);
	if (text.bytes == NULL || row->signature.bytes == NULL)
		return false;

	for (size_t i = 1; i + 1 < text.len &&
	    strchr("(<[ ", text.bytes[i]) == NULL; i++) {
		if (text.bytes[i] == '.')
			dot = i;
		else if (memcmp(text.bytes + i, "::", 2) == 0 &&
		    i + 2 < text.len)
			colons = i;
	}
	row->class_name = (struct dmtrace_text){
		text.bytes, colons > 0 ? colons : dot
	};
	const struct dmt_method_scope scope =
	    dmt_method_scope(row->class_name, row->signature);
	row->name = dmt_text_after(text, row->class_name.len);
	if (scope.text.len > 0 && dmt_text_begins(row->name, scope.separator)) {
		row->name = dmt_text_after(row->name,
		    strlen(scope.separator));
		return true;
	}
	row->class_name = dmt_text_of("native");
	row->name = text;
	return true;
}

/* Sets the class and name of a method whose class is known, or the id if it has
 * none. false: no memory. */
static bool
clean_row(struct dmt_import *import, struct dmtrace_method *row,
    const struct dmt_name *name, uint64_t old_id)
{
	char id[24];

	row->class_name = name->class_name;
	row->name = name->name;
	row->signature = name->signature;
	if (name->name.len == 0 && name->class_name.len == 0) {
		snprintf(id, sizeof(id), "0x%" PRIx64, old_id);
		row->name.bytes = dmt_arena_copy(&import->methods.arena, id,
		    strlen(id));
		row->name.len = strlen(id);
	}
	if (name->class_name.len == 0 && name->signature.len > 0) {
		row->class_name = dmt_text_of("native");
		import->result.renamed++;
	}
	struct dmtrace_text *const parts[] =
	    { &row->class_name, &row->name, &row->signature };
	for (size_t i = 0; i < 3 && row->name.bytes != NULL; i++) {
		if (parts[i]->len == 0 && parts[i] != &row->name)
			continue;
		*parts[i] = clean_name(import, *parts[i]);
		if (parts[i]->bytes == NULL)
			return false;
	}
	return row->name.bytes != NULL;
}

/* Chooses the ids of the methods: those of the input, if they fit, else others
 * in the order of the input. false: no memory. */
static bool
choose_method_ids(struct dmt_import *import, uint64_t *ids)
{
	const unsigned width = import->format->layout.method.width;
	const size_t count = import->methods.count;
	uint64_t next = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t id = import->method_rows[i].id;

		ids[i] = id % 4 == 0 && dmt_fits(width, id) ? id : DMT_NO_ID;
	}
	for (size_t i = 0; i < count; i++) {
		if (ids[i] != DMT_NO_ID)
			continue;
		do
			next += 4;
		while (dmt_idmap_find(&import->method_ids, next) != NULL);
		ids[i] = next;
	}
	return dmt_fits(width, next);
}

/* Adds the methods that events have. A method of the input without any name is
 * not listed in the trace either. */
static enum dmtrace_status
add_method_rows(struct dmt_import *import, struct dmtrace_key *key,
    const uint64_t *ids)
{
	for (size_t i = 0; i < import->methods.count; i++) {
		const struct dmt_import_method *const method =
		    &import->method_rows[i];
		const struct dmt_name *const name = &import->methods.items[i];
		struct dmtrace_method row = {
			.id = ids[i], .line = DMTRACE_NO_LINE
		};

		if (!method->used)
			continue;
		import->result.methods++;
		import->result.reidentified += method->other_id ||
		    (method->id != DMT_NO_ID && method->id != ids[i]);
		if (name->listed && name->name.len + name->class_name.len +
		    name->signature.len == 0 && method->id == ids[i])
			continue;
		if (name->listed ? !clean_row(import, &row, name, method->id) :
		    !split_name(import, &row, name))
			return dmt_error_memory(&import->error);
		if (dmtrace_key_method_add(key, &row) != DMTRACE_OK)
			break;
	}
	return dmt_key_error(key)->status;
}

/* Returns true if threads belong to several processes. */
static bool
has_processes(const struct dmt_import *import)
{
	for (size_t i = 1; i < import->thread_keys.count; i++)
		if (import->threads[i].process != import->threads[0].process)
			return true;
	return false;
}

static enum dmtrace_status
fail_thread_numbers(struct dmt_import *import, struct dmt_idmap *taken)
{
	dmt_idmap_fini(taken);
	return dmt_error_memory(&import->error);
}

/* Copies a part of a thread's name to name + len. Returns how many bytes; those
 * of a long one that are left out are a change. */
static size_t
put_owner_part(struct dmt_import *import, char *name, size_t len,
    struct dmtrace_text part)
{
	size_t fits = part.len < NAME_PART_MAX ? part.len : NAME_PART_MAX;

	/* Not within a character. */
	while (fits < part.len && fits > 0 &&
	    ((unsigned char)part.bytes[fits] & 0xc0) == 0x80)
		fits--;
	memcpy(name + len, part.bytes, fits);
	import->result.renamed += fits < part.len;
	return fits;
}

/* Adds the threads. A thread keeps its number if it fits and is unique;
 * 0 only in a format that has the events of a trace. */
static enum dmtrace_status
add_thread_rows(struct dmt_import *import, struct dmtrace_key *key,
    uint32_t *numbers)
{
	const size_t count = import->thread_keys.count;
	const uint64_t numbers_end =
	    dmt_layout_thread_numbers(&import->format->layout);
	struct dmt_idmap taken = { 0 };
	const bool several = has_processes(import);
	const int64_t lowest = import->row->as_is ? 0 : 1;
	uint32_t next = 1;

	for (size_t i = 0; i < count; i++) {
		const int64_t number = import->threads[i].number;

		if (!dmt_idmap_reserve(&taken))
			return fail_thread_numbers(import, &taken);
		numbers[i] = DMT_NO_NUMBER;
		if (number >= lowest && (uint64_t)number < numbers_end &&
		    dmt_idmap_put(&taken, (uint64_t)number, 0))
			numbers[i] = (uint32_t)number;
	}
	for (size_t i = 0; i < count; i++) {
		const struct dmt_import_thread *const thread =
		    &import->threads[i];
		const struct dmtrace_text process =
		    import->process_names[thread->process];
		char name[512];
		size_t len = 0;

		if (!dmt_idmap_reserve(&taken))
			return fail_thread_numbers(import, &taken);
		if (numbers[i] == DMT_NO_NUMBER) {
			while (!dmt_idmap_put(&taken, next, 0))
				next++;
			numbers[i] = next;
			import->result.renumbered += thread->number >= 0;
		}
		if (several && process.len > 0)
			len = put_owner_part(import, name, 0, process);
		if (len > 0)
			len += put_owner_part(import, name, len,
			    dmt_text_of(": "));
		if (thread->name.len > 0)
			len += put_owner_part(import, name, len, thread->name);
		else
			len += (size_t)snprintf(name + len, sizeof(name) - len,
			    "thread %" PRId64, thread->number >= 0 ?
			    thread->number : (int64_t)numbers[i]);
		const struct dmtrace_thread row = { numbers[i], clean_name(
		    import, (struct dmtrace_text){ name, len }) };
		if (row.name.bytes == NULL) {
			dmt_error_memory(&import->error);
			break;
		}
		if (dmtrace_key_thread_add(key, &row) != DMTRACE_OK)
			break;
	}
	dmt_idmap_fini(&taken);
	return import->error.status != DMTRACE_OK ? import->error.status :
	    dmt_key_error(key)->status;
}

/* Returns the time since the base, rounded down to microseconds if the format
 * has no nanoseconds; times that are rounded are counted. */
static uint64_t
trace_ns(struct dmt_import *import, int64_t time_ns, int64_t base_ns)
{
	const uint64_t ns = (uint64_t)time_ns - (uint64_t)base_ns;

	if (import->format->ns)
		return ns;
	import->result.rounded += ns % 1000 != 0;
	return ns / 1000 * 1000;
}

/* Times are not changed if records can hold them; otherwise they begin at 0. */
static enum dmtrace_status
choose_base(struct dmt_import *import, int64_t first_ns, int64_t last_ns,
    const char *clock, int64_t *base_ns)
{
	const bool limited = !import->format->ns;

	*base_ns = 0;
	if (first_ns < 0 || (limited && last_ns / 1000 > US_MAX))
		*base_ns = first_ns / 1000 * 1000 -
		    (first_ns % 1000 < 0 ? 1000 : 0);
	if (limited && (last_ns - *base_ns) / 1000 > US_MAX)
		return dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "%s times are more than 71 minutes apart: only trace "
		    "format V2, as v5, has room for them", clock);
	return DMTRACE_OK;
}

static enum dmtrace_status
write_steps(struct dmt_import *import, struct dmtrace_writer *writer,
    const uint32_t *numbers, const uint64_t *ids, int64_t base_ns,
    int64_t cpu_base_ns)
{
	const bool cpu = import->has_cpu && !import->lacks_cpu;
	const struct dmt_import_step *step;
	struct dmtrace_event events[BATCH];
	enum dmtrace_status status = DMTRACE_OK;
	uint64_t done = 0;

	do {
		size_t count = 0;

		while (count < BATCH &&
		    (step = dmt_sorter_next(&import->steps)) != NULL) {
			struct dmtrace_event *const event = &events[count++];

			*event = (struct dmtrace_event){
				.method = ids[step->method],
				.wall_ns = trace_ns(import, step->time_ns,
				    base_ns),
				.thread = numbers[step->thread],
				.action = step->action
			};
			event->cpu_ns = cpu ? trace_ns(import, step->cpu_ns,
			    cpu_base_ns) : event->wall_ns;
		}
		if (count == 0)
			break;
		done += count;
		status = dmtrace_writer_write(writer, events, count);
		if (status == DMTRACE_OK)
			status = dmt_op_progress(import->op, done,
			    import->steps.total);
	} while (status == DMTRACE_OK);
	if (import->steps.error.status != DMTRACE_OK)
		import->error = import->steps.error;
	return status;
}

static enum dmtrace_status
write_trace(struct dmt_import *import, struct dmtrace_writer *writer,
    uint32_t *numbers, uint64_t *ids)
{
	const bool cpu = import->has_cpu && !import->lacks_cpu &&
	    dmt_layout_has_cpu(&import->format->layout);
	const uint64_t count = import->steps.total;
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	int64_t base_ns = 0, cpu_base_ns = 0;
	char period[24];

	if (count > 0 && choose_base(import, import->first_ns,
	    import->last_ns, "wall", &base_ns) != DMTRACE_OK)
		return import->error.status;
	if (cpu && count > 0 && choose_base(import, import->first_cpu_ns,
	    import->last_cpu_ns, "CPU", &cpu_base_ns) != DMTRACE_OK)
		return import->error.status;
	const struct dmt_layout *const layout = &import->format->layout;
	const size_t most = dmt_layout_thread_numbers(layout) - 1;
	import->result.cpu_dropped = import->has_cpu && !cpu;
	import->result.cpu_invented =
	    !cpu && dmt_layout_has_cpu(layout) && !import->cpu_only ? count :
	    0;
	if (import->thread_keys.count > most)
		return dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "%zu threads, more than the %zu that version %u can "
		    "number", import->thread_keys.count, most,
		    layout->version);
	if (!choose_method_ids(import, ids))
		return dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "more methods than version %u can number",
		    layout->version);
	if (import->result.sampled_ns > 0) {
		snprintf(period, sizeof(period), "%" PRIu64,
		    import->result.sampled_ns);
		dmtrace_key_option_set(key, "dmtrace-sampled", period);
	}
	if (add_thread_rows(import, key, numbers) != DMTRACE_OK ||
	    add_method_rows(import, key, ids) != DMTRACE_OK)
		return dmt_op_fail(import->op, import->file,
		    import->error.status != DMTRACE_OK ? &import->error :
		    dmt_key_error(key));
	import->result.threads = import->thread_keys.count;
	import->result.events = count;
	return write_steps(import, writer, numbers, ids, base_ns, cpu_base_ns);
}

enum dmtrace_status
dmt_import_write(struct dmt_import *import, const struct dmtrace_file *file)
{
	const bool cpu = import->has_cpu && !import->lacks_cpu;
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	uint32_t *const numbers = dmt_array_new(
	    import->thread_keys.count + 1, sizeof(*numbers));
	uint64_t *const ids = dmt_array_new(import->methods.count + 1,
	    sizeof(*ids));

	if (writer == NULL || numbers == NULL || ids == NULL)
		dmt_error_memory(&import->error);
	else if (!dmt_sorter_finish(&import->steps))
		import->error = import->steps.error;
	if (import->error.status != DMTRACE_OK) {
		dmt_op_fail(import->op, import->file, &import->error);
		goto end;
	}
	enum dmtrace_status status = dmtrace_writer_set_dialect(writer,
	    import->options.dialect != 0 ? import->options.dialect : cpu ?
	    DMTRACE_DIALECT_V3 : DMTRACE_DIALECT_V2, DMTRACE_STAGE_ANY,
	    import->cpu_only && import->options.dialect == 0 ?
	    DMTRACE_CLOCK_THREAD_CPU : DMTRACE_CLOCK_MISSING);
	import->format = &writer->writing->format;
	dmtrace_writer_set_sync(writer,
	    (import->options.flags & DMTRACE_SYNC) != 0);
	if (status == DMTRACE_OK)
		status = dmt_writer_open_file(writer, file);
	if (status == DMTRACE_OK)
		status = write_trace(import, writer, numbers, ids);
	if (status == DMTRACE_OK && import->error.status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	if (import->error.status != DMTRACE_OK)
		dmt_op_fail(import->op, import->file, &import->error);
	else if (status != DMTRACE_OK)
		dmt_op_fail(import->op, file, dmtrace_writer_error(writer));
end:
	dmtrace_writer_free(writer);
	free(numbers);
	free(ids);
	return import->op->error.status;
}
