/* import_perfetto.c - reads packets of Perfetto: slices of track events */

/*
 * A trace is a list of packets, field 1 of the message Trace. Slices begin and
 * end in packets with a track event; a slice has a track, which is a thread or
 * any other row of the viewer. What packets of a sequence (a writer, mostly a
 * thread) refer to by number was defined in the sequence before: names, and the
 * defaults of track and clock. A packet that says so begins these anew.
 *
 * Times are of several clocks. A snapshot gives the time of all of them at one
 * moment; those of a sequence may be in units, and relative to the packet
 * before. They are converted to the clock that the snapshots name first.
 *
 * Field numbers are those of trace_packet.proto, track_event.proto,
 * track_descriptor.proto, interned_data.proto and clock_snapshot.proto.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/proto_decode.h"
#include "format/other_format.h"
#include "import/import.h"
#include "private/text.h"

enum {
	PACKET_MAX = DMT_IMPORT_LINE_MAX,
	SEQUENCES_MAX = 1 << 20,
	CLOCKS = 128			/* that are converted */
};
#define TIME_MAX_NS (INT64_MAX / 4)
#define TIME_MAX_US (TIME_MAX_NS / 1000)
enum { CLOCK_BOOT = 6, CLOCK_SEQUENCE_FIRST = 64 };

enum { PACKET_CLOCKS = 6, PACKET_TIME = 8, PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11, PACKET_INTERNED = 12, PACKET_FLAGS = 13,
	PACKET_LOST = 42, PACKET_CLEARED = 41, PACKET_THREAD = 44,
	PACKET_COMPRESSED = 50, PACKET_CLOCK = 58, PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60 };
enum { FLAGS_CLEARED = 1, FLAGS_NEEDED = 2 };
enum { PACKET_ZSTD = 133 };

/* Other data of packets, by the numbers of their fields. */
#define PACKETS(number, name) [number] = "packets of " name
static const char *const packet_kinds[] = {
	PACKETS(1, "ftrace_events"), PACKETS(2, "process_tree"),
	PACKETS(4, "inode_file_map"), PACKETS(5, "chrome_events"),
	PACKETS(7, "sys_stats"), PACKETS(9, "process_stats"),
	PACKETS(37, "profile_packet"), PACKETS(38, "battery"),
	PACKETS(39, "android_log"), PACKETS(40, "power_rails"),
	PACKETS(43, "process_descriptor"), PACKETS(47, "packages_list"),
	PACKETS(48, "chrome_benchmark_metadata"),
	PACKETS(49, "perfetto_metatrace"), PACKETS(51, "chrome_metadata"),
	PACKETS(52, "gpu_counter_event"),
	PACKETS(53, "gpu_render_stage_event"),
	PACKETS(54, "streaming_profile_packet"), PACKETS(56, "heap_graph"),
	PACKETS(57, "graphics_frame_event"), PACKETS(61, "module_symbols"),
	PACKETS(62, "vulkan_memory_event"), PACKETS(63, "gpu_log"),
	PACKETS(64, "deobfuscation_mapping"),
	PACKETS(65, "vulkan_api_event"), PACKETS(66, "perf_sample"),
	PACKETS(67, "cpu_info"), PACKETS(68, "smaps_packet"),
	PACKETS(70, "initial_display_state"),
	PACKETS(71, "gpu_mem_total_event"),
	PACKETS(72, "extension_descriptor"),
	PACKETS(73, "memory_tracker_snapshot"),
	PACKETS(76, "frame_timeline_event"),
	PACKETS(77, "android_energy_estimation_breakdown"),
	PACKETS(78, "ui_state"), PACKETS(82, "translation_table"),
	PACKETS(84, "statsd_atom"), PACKETS(86, "android_system_property"),
	PACKETS(88, "network_packet"), PACKETS(91, "entity_state_residency"),
	PACKETS(95, "etw_events"), PACKETS(124, "trace_provenance"),
};

enum { INTERNED_CATEGORIES = 1, INTERNED_EVENTS = 2, INTERNED_ANNOTATIONS = 3,
	INTERNED_STRINGS = 29 };
enum { ANNOTATION_NAME_ID = 1, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10,
	ANNOTATION_STRING_ID = 17 };
enum { EVENT_COUNTERS = 12, EVENT_DOUBLE_COUNTERS = 46 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

/* A clock of a sequence. */
struct packet_clock {
	bool known, incremental;
	uint64_t unit_ns;
	uint64_t last;			/* in units */
	int64_t shift_ns;		/* to the clock of the trace */
};

struct packet_sequence {
	struct dmt_idmap names;		/* numbers, to methods */
	uint64_t signature_name;	/* the number of the annotations that
					   are signatures; 0: none */
	struct dmt_idmap signatures;	/* numbers, to texts of the import; */
	struct dmt_idmap categories;	/* so are those that are files */
	bool seen;			/* it had a packet */
	uint64_t default_clock;		/* 0: none */
	bool has_default_track;
	uint64_t default_track;
	bool has_thread;		/* a thread descriptor: */
	uint32_t thread;
	int64_t time_us, cpu_us;	/* of the last delta */
	bool begun;			/* its state was defined */
	struct packet_clock *clocks;	/* NULL: none yet; else of the numbers
					   from CLOCK_SEQUENCE_FIRST */
};

/* The fields of a packet, before any is interpreted. */
struct packet {
	struct dmtrace_text clocks, event, interned, thread, defaults, track;
	bool has_time, has_clock, lost, cleared, compressed;
	uint64_t time, clock, sequence, flags;
	unsigned other;			/* the number of other data; 0: none */
};

struct perfetto_import {
	struct dmt_import *import;
	struct packet_sequence *sequences;
	size_t sequence_count, sequence_capacity;
	struct dmt_idmap sequences_by_id;
	struct dmt_idmap threads_by_track;
	struct dmt_name_table texts;	/* signatures and categories */
	bool has_clock[CLOCK_SEQUENCE_FIRST];
	int64_t shift_ns[CLOCK_SEQUENCE_FIRST];	/* of global clocks */
};

static struct packet_sequence *
get_sequence(struct perfetto_import *self, uint64_t id)
{
	uint32_t *const number = dmt_idmap_at(&self->sequences_by_id, id);
	struct packet_sequence *const sequences = number == NULL ? NULL :
	    dmt_array_grow_zero(self->sequences, &self->sequence_capacity,
	    self->sequence_count + 1, sizeof(*sequences));

	if (sequences == NULL) {
		dmt_import_fail_memory(self->import);
		return NULL;
	}
	self->sequences = sequences;
	if (*number > 0)
		return &sequences[*number - 1];
	if (self->sequence_count == SEQUENCES_MAX) {
		dmt_import_fail_at(self->import, DMTRACE_ERR_LIMIT,
		    "more than 1,048,576 sequences of packets");
		return NULL;
	}
	*number = (uint32_t)++self->sequence_count;
	return &sequences[*number - 1];
}

/* Returns the thread of a track. DMT_NO_NAME: it failed. */
static uint32_t
find_track(struct perfetto_import *self, uint64_t track)
{
	char text[24];
	const uint32_t *const known =
	    dmt_idmap_find(&self->threads_by_track, track);

	if (known != NULL)
		return *known;
	const int len = snprintf(text, sizeof(text), "track %" PRIx64, track);
	const uint32_t thread = dmt_import_thread_find(self->import,
	    (struct dmtrace_text){ "", 0 },
	    (struct dmtrace_text){ text, (size_t)len }, -1);
	if (thread != DMT_NO_NAME &&
	    !dmt_idmap_add(&self->threads_by_track, track, thread)) {
		dmt_import_fail_memory(self->import);
		return DMT_NO_NAME;
	}
	return thread;
}

/* A thread of a process, as descriptors have it. */
struct described {
	bool has_thread, has_process;
	uint64_t uuid, pid, tid, time_us, cpu_us;
	struct dmtrace_text name, thread_name, process_name;
};

/* Reads a ThreadDescriptor or a ProcessDescriptor. */
static bool
read_owner(struct described *to, struct dmtrace_text bytes, bool is_thread)
{
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field;

	while (dmt_proto_next(&message, &field)) {
		if (field.number == 1)
			to->pid = field.value;
		else if (field.number == 2 && is_thread)
			to->tid = field.value;
		else if (field.number == 5 && is_thread)
			to->thread_name = field.bytes;
		else if (field.number == 6 && is_thread)
			to->time_us = field.value;
		else if (field.number == 7 && is_thread)
			to->cpu_us = field.value;
		else if (field.number == 6)
			to->process_name = field.bytes;
	}
	if (is_thread)
		to->has_thread = true;
	else
		to->has_process = true;
	return !message.damaged;
}

/* Gives a thread its number, name and process. */
static bool
describe_thread(struct perfetto_import *self, uint32_t index,
    const struct described *from)
{
	struct dmt_import *const import = self->import;
	const struct dmtrace_text name = from->thread_name.len > 0 ?
	    from->thread_name : from->name;
	char pid[24];

	if (from->has_thread) {
		const int len = snprintf(pid, sizeof(pid), "%" PRId32,
		    (int32_t)(uint32_t)from->pid);
		const uint32_t process = dmt_import_process_find(import,
		    (struct dmtrace_text){ pid, (size_t)len });

		if (process == DMT_NO_NAME)
			return false;
		import->threads[index].process = process;
		if (from->tid <= INT32_MAX)
			import->threads[index].number = (int64_t)from->tid;
	}
	return name.len == 0 ||
	    dmt_text_equal(name, import->threads[index].name) ||
	    dmt_import_name(import, &import->threads[index].name, name);
}

static bool
describe_process(struct perfetto_import *self, const struct described *from)
{
	struct dmt_import *const import = self->import;
	char pid[24];
	const int len = snprintf(pid, sizeof(pid), "%" PRId32,
	    (int32_t)(uint32_t)from->pid);
	const uint32_t process = dmt_import_process_find(import,
	    (struct dmtrace_text){ pid, (size_t)len });

	return process != DMT_NO_NAME && (from->process_name.len == 0 ||
	    dmt_text_equal(import->process_names[process],
	    from->process_name) || dmt_import_name(import,
	    &import->process_names[process], from->process_name));
}

/* Reads a TrackDescriptor. Tracks without a thread are one once they have
 * slices. */
static bool
read_track(struct perfetto_import *self, struct dmtrace_text bytes)
{
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field;
	struct described found = { .has_thread = false };
	bool fine = true;

	while (fine && dmt_proto_next(&message, &field)) {
		if (field.number == 1)
			found.uuid = field.value;
		else if (field.number == 2 || field.number == 10)
			found.name = field.bytes;
		else if (field.number == 3)
			fine = read_owner(&found, field.bytes, false);
		else if (field.number == 4)
			fine = read_owner(&found, field.bytes, true);
		else if (field.number == 8)
			return true;	/* of a counter */
	}
	if (!fine || message.damaged)
		return false;
	if (found.has_process && !describe_process(self, &found))
		return false;
	if (found.has_process && !found.has_thread)
		return true;
	const uint32_t thread = find_track(self, found.uuid);
	return thread != DMT_NO_NAME && describe_thread(self, thread, &found);
}

/* Moves a time by what a packet says. false: it is too high or too low. */
static bool
move_time(struct perfetto_import *self, int64_t *time_us, uint64_t delta_us)
{
	const int64_t signed_us = (int64_t)delta_us;

	if (signed_us >= -TIME_MAX_US && signed_us <= TIME_MAX_US) {
		*time_us += signed_us;
		if (*time_us >= -TIME_MAX_US && *time_us <= TIME_MAX_US)
			return true;
	}
	return dmt_import_fail_at(self->import, DMTRACE_ERR_CORRUPT,
	    "a time of 73 years");
}

/* Reads a ThreadDescriptor of the packet, which older writers have. */
static bool
read_thread(struct perfetto_import *self, struct packet_sequence *sequence,
    struct dmtrace_text bytes)
{
	struct described found = { .has_thread = false };
	char text[48];

	if (!read_owner(&found, bytes, true))
		return false;
	const int len = snprintf(text, sizeof(text), "thread %" PRIu64 "/%"
	    PRIu64, found.pid, found.tid);
	sequence->thread = dmt_import_thread_find(self->import,
	    (struct dmtrace_text){ "", 0 },
	    (struct dmtrace_text){ text, (size_t)len }, -1);
	sequence->has_thread = sequence->thread != DMT_NO_NAME;
	sequence->time_us = sequence->cpu_us = 0;
	return move_time(self, &sequence->time_us, found.time_us) &&
	    move_time(self, &sequence->cpu_us, found.cpu_us) &&
	    sequence->has_thread &&
	    describe_thread(self, sequence->thread, &found);
}

/* Adds a name of an event, or a string, that has a number from now on. */
static bool
intern_text(struct perfetto_import *self, struct packet_sequence *sequence,
    unsigned field, uint64_t id, struct dmtrace_text text)
{
	const bool is_event = field == INTERNED_EVENTS;
	const uint32_t index = is_event ?
	    dmt_import_method_find(self->import, text,
	    (struct dmtrace_text){ "", 0 }) :
	    dmt_name_table_intern(&self->texts,
	    &(struct dmt_name){ .name = text });
	uint32_t *const cell = index == DMT_NO_NAME ? NULL :
	    dmt_idmap_at(is_event ? &sequence->names :
	    field == INTERNED_CATEGORIES ? &sequence->categories :
	    &sequence->signatures, id);

	if (cell == NULL)
		return dmt_import_fail_memory(self->import);
	*cell = index;
	return true;
}

/* Adds what InternedData defines: names of events, categories that are files,
 * and values of annotations once the name of signatures, which export writes,
 * is among theirs. */
static bool
read_interned(struct perfetto_import *self, struct packet_sequence *sequence,
    struct dmtrace_text bytes)
{
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field, part;

	while (dmt_proto_next(&message, &field)) {
		struct dmt_proto entry = dmt_proto_of(field.bytes);
		struct dmtrace_text text = { "", 0 };
		uint64_t id = 0;

		if ((field.number != INTERNED_CATEGORIES &&
		    field.number != INTERNED_EVENTS &&
		    field.number != INTERNED_ANNOTATIONS &&
		    field.number != INTERNED_STRINGS) ||
		    field.bytes.bytes == NULL)
			continue;
		while (dmt_proto_next(&entry, &part)) {
			if (part.number == 1)
				id = part.value;
			else if (part.number == 2 && part.bytes.bytes != NULL)
				text = part.bytes;
		}
		if (entry.damaged)
			return false;
		if (field.number == INTERNED_ANNOTATIONS) {
			if (dmt_text_is(text, "signature"))
				sequence->signature_name = id;
		} else if ((field.number == INTERNED_EVENTS ||
		    (field.number == INTERNED_CATEGORIES ?
		    dmt_class_is_file(text) :
		    sequence->signature_name != 0)) &&
		    !intern_text(self, sequence, field.number, id, text)) {
			return false;
		}
	}
	return !message.damaged;
}

/* Reads TracePacketDefaults: the clock, and the track of events. */
static bool
read_defaults(struct packet_sequence *sequence, struct dmtrace_text bytes)
{
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field, part;

	sequence->default_clock = 0;
	sequence->has_default_track = false;
	while (dmt_proto_next(&message, &field)) {
		struct dmt_proto event = dmt_proto_of(field.bytes);

		if (field.number == PACKET_CLOCK)
			sequence->default_clock = field.value;
		if (field.number != PACKET_EVENT || field.bytes.bytes == NULL)
			continue;
		while (dmt_proto_next(&event, &part))
			if (part.number == 11) {
				sequence->has_default_track = true;
				sequence->default_track = part.value;
			}
		if (event.damaged)
			return false;
	}
	return !message.damaged;
}

/* Reads a ClockSnapshot. Its times are those of one moment: the boot clock's or
 * else the first one's is that of the trace. */
static bool
read_clocks(struct perfetto_import *self, struct packet_sequence *sequence,
    struct dmtrace_text bytes)
{
	struct { uint64_t id, time, unit_ns; bool incremental; } clocks[16];
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field, part;
	size_t count = 0, base = 0;

	while (dmt_proto_next(&message, &field)) {
		struct dmt_proto clock = dmt_proto_of(field.bytes);

		if (field.number != 1 || field.bytes.bytes == NULL ||
		    count == sizeof(clocks) / sizeof(clocks[0]))
			continue;
		clocks[count].id = clocks[count].time = 0;
		clocks[count].unit_ns = 1;
		clocks[count].incremental = false;
		while (dmt_proto_next(&clock, &part)) {
			switch (part.number) {
			case 1: clocks[count].id = part.value; break;
			case 2: clocks[count].time = part.value; break;
			case 3: clocks[count].incremental = part.value != 0;
				break;
			case 4: clocks[count].unit_ns = part.value; break;
			default: break;
			}
		}
		if (clock.damaged)
			return false;
		if (clocks[count].id == CLOCK_BOOT)
			base = count;
		count++;
	}
	for (size_t i = 0; i < count; i++) {
		const uint64_t id = clocks[i].id;
		const int64_t shift_ns = (int64_t)(clocks[base].time -
		    clocks[i].time * clocks[i].unit_ns);

		if (id < CLOCK_SEQUENCE_FIRST) {
			self->has_clock[id] = true;
			self->shift_ns[id] = shift_ns;
			continue;
		}
		if (id >= CLOCKS)
			continue;
		if (sequence->clocks == NULL)
			sequence->clocks = dmt_array_new(CLOCKS -
			    CLOCK_SEQUENCE_FIRST, sizeof(*sequence->clocks));
		if (sequence->clocks == NULL)
			return dmt_import_fail_memory(self->import);
		sequence->clocks[id - CLOCK_SEQUENCE_FIRST] =
		    (struct packet_clock){
			.known = true, .incremental = clocks[i].incremental,
			.unit_ns = clocks[i].unit_ns, .last = clocks[i].time,
			.shift_ns = shift_ns
		};
	}
	return !message.damaged;
}

/* Returns the time of a packet, of the clock of the trace. false: the clock is
 * not defined. An incremental one moves. */
static bool
packet_time(struct perfetto_import *self, struct packet_sequence *sequence,
    const struct packet *packet, int64_t *ns)
{
	const uint64_t id = packet->has_clock ? packet->clock :
	    sequence->default_clock;
	uint64_t time = packet->time;

	/* A time that is too high stays so, whatever is added. */
	if (id < CLOCK_SEQUENCE_FIRST) {
		*ns = time > TIME_MAX_NS ? INT64_MAX : (int64_t)(time +
		    (uint64_t)(self->has_clock[id] ? self->shift_ns[id] : 0));
		return true;
	}
	if (id >= CLOCKS || sequence->clocks == NULL ||
	    !sequence->clocks[id - CLOCK_SEQUENCE_FIRST].known)
		return false;
	struct packet_clock *const clock =
	    &sequence->clocks[id - CLOCK_SEQUENCE_FIRST];
	if (clock->incremental)
		time = clock->last += time;
	*ns = clock->unit_ns > 0 && time > TIME_MAX_NS / clock->unit_ns ?
	    INT64_MAX : (int64_t)(time * clock->unit_ns +
	    (uint64_t)clock->shift_ns);
	return true;
}

/* A TrackEvent. */
struct track_event {
	uint64_t type, name_id, track, absolute_us, delta_us, cpu_us,
	    cpu_delta_us;
	bool has_name_id, has_track, has_absolute, has_delta, has_cpu,
	    has_cpu_delta;
	uint64_t counters;		/* values of counters beside it */
	bool has_arguments;		/* other than the signature, */
	struct dmtrace_text signature;	/* which is that of export */
	struct dmtrace_text category;	/* if it is a file */
	struct dmtrace_text name;
	uint64_t duration_us, cpu_duration_us;	/* of a LegacyEvent: */
	char phase;			/* as in JSON; 0: not of an event */
	bool has_cpu_duration, is_foreign;
};

/* Reads a LegacyEvent, in which older writers have what JSON has. */
static bool
decode_legacy(struct track_event *event, struct dmtrace_text bytes)
{
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field;

	while (dmt_proto_next(&message, &field)) {
		switch (field.number) {
		case 1:
			if (!event->has_name_id)
				event->name_id = field.value;
			event->has_name_id = true;
			break;
		case 2:
			event->phase = field.value < 128 ?
			    (char)field.value : '?';
			break;
		case 3: event->duration_us = field.value; break;
		case 4:
			event->has_cpu_duration = true;
			event->cpu_duration_us = field.value;
			break;
		case 18: case 19: event->is_foreign = true; break;
		default: break;
		}
	}
	return !message.damaged;
}

/* Reads a DebugAnnotation: one with the name of signatures is one. */
static bool
decode_annotation(const struct perfetto_import *self,
    const struct packet_sequence *sequence, struct track_event *event,
    struct dmtrace_text bytes)
{
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field;
	struct dmtrace_text name = { "", 0 }, value = { NULL, 0 };
	const uint32_t *interned = NULL;
	bool is_signature = false;

	while (dmt_proto_next(&message, &field)) {
		if (field.number == ANNOTATION_NAME_ID)
			is_signature = field.value != 0 &&
			    field.value == sequence->signature_name;
		else if (field.number == ANNOTATION_NAME &&
		    field.bytes.bytes != NULL)
			name = field.bytes;
		else if (field.number == ANNOTATION_STRING)
			value = field.bytes;
		else if (field.number == ANNOTATION_STRING_ID)
			interned = dmt_idmap_find(&sequence->signatures,
			    field.value);
	}
	if (interned != NULL)
		value = self->texts.items[*interned].name;
	if ((is_signature || dmt_text_is(name, "signature")) &&
	    value.bytes != NULL)
		event->signature = value;
	else
		event->has_arguments = true;
	return !message.damaged;
}

/* Returns how many values of counters a field has: several if it is packed. */
static uint64_t
count_counters(const struct dmt_proto_field *field)
{
	const struct dmtrace_text packed = field->bytes;
	uint64_t count = 0;

	if (packed.bytes == NULL)
		return 1;
	if (field->number == EVENT_DOUBLE_COUNTERS)
		return packed.len / 8;
	for (size_t i = 0; i < packed.len; i++)
		count += ((unsigned char)packed.bytes[i] & 0x80) == 0;
	return count;
}

static bool
decode_event(const struct perfetto_import *self,
    const struct packet_sequence *sequence, struct track_event *event,
    struct dmtrace_text bytes)
{
	struct dmtrace_text legacy = { NULL, 0 };
	struct dmt_proto message = dmt_proto_of(bytes);
	struct dmt_proto_field field;
	const uint32_t *interned;

	*event = (struct track_event){
		.signature = { "", 0 }, .category = { "", 0 }
	};
	while (dmt_proto_next(&message, &field)) {
		switch (field.number) {
		case 1:
			event->has_delta = true;
			event->delta_us = field.value;
			break;
		case 2:
			event->has_cpu_delta = true;
			event->cpu_delta_us = field.value;
			break;
		case 3:
			interned = dmt_idmap_find(&sequence->categories,
			    field.value);
			if (interned != NULL)
				event->category =
				    self->texts.items[*interned].name;
			break;
		case 4:
			if (!decode_annotation(self, sequence, event,
			    field.bytes))
				return false;
			break;
		case 6: legacy = field.bytes; break;
		case 9: event->type = field.value; break;
		case 10:
			event->has_name_id = true;
			event->name_id = field.value;
			break;
		case 11:
			event->has_track = true;
			event->track = field.value;
			break;
		case EVENT_COUNTERS: case EVENT_DOUBLE_COUNTERS:
			event->counters += count_counters(&field);
			break;
		case 16:
			event->has_absolute = true;
			event->absolute_us = field.value;
			break;
		case 17:
			event->has_cpu = true;
			event->cpu_us = field.value;
			break;
		case 22:
			if (dmt_class_is_file(field.bytes))
				event->category = field.bytes;
			break;
		case 23: event->name = field.bytes; break;
		default: break;
		}
	}
	return !message.damaged &&
	    (legacy.bytes == NULL || decode_legacy(event, legacy));
}

/* What kind of event it is. false: none that becomes calls. */
static bool
find_kind(const struct track_event *event, enum dmt_import_kind *kind)
{
	const char phase = event->type == 0 && !event->is_foreign ?
	    event->phase : '\0';

	if (event->type == TYPE_BEGIN || phase == 'B')
		*kind = DMT_IMPORT_BEGIN;
	else if (event->type == TYPE_END || phase == 'E')
		*kind = DMT_IMPORT_END;
	else if (phase == 'X')
		*kind = DMT_IMPORT_CALL;
	else
		return false;
	return true;
}

/* Sets the thread and the method of an event. false with no error: something
 * that it refers to is not defined. */
static bool
resolve_event(struct perfetto_import *self, struct packet_sequence *sequence,
    const struct track_event *event, struct dmt_import_event *to)
{
	const bool own = event->name.bytes != NULL;

	/* Without any track it is that of the whole trace, whose id is 0. */
	to->thread = event->has_track ? find_track(self, event->track) :
	    sequence->has_default_track ?
	    find_track(self, sequence->default_track) :
	    sequence->has_thread ? sequence->thread : find_track(self, 0);
	if (to->thread == DMT_NO_NAME)
		return false;
	if (to->kind == DMT_IMPORT_END) {
		to->method = DMT_NO_NAME;
		return true;
	}
	const uint32_t *const interned = own || !event->has_name_id ? NULL :
	    dmt_idmap_find(&sequence->names, event->name_id);
	if (interned == NULL && event->has_name_id && !own)
		return false;
	const struct dmtrace_text none = { "", 0 };
	to->method = interned != NULL ? *interned : dmt_import_method_find(
	    self->import, own ? event->name : none, none);
	if (to->method != DMT_NO_NAME)
		to->method = dmt_import_method_full(self->import, to->method,
		    event->category, event->signature);
	return to->method != DMT_NO_NAME;
}

/* Returns true for a time that others can be added to. */
static bool
is_time(int64_t ns)
{
	return ns > -TIME_MAX_NS && ns < TIME_MAX_NS;
}

static bool
read_track_event(struct perfetto_import *self, struct packet_sequence *sequence,
    const struct packet *packet)
{
	struct dmt_import *const import = self->import;
	struct dmt_import_event added =
	    { .cpu_ns = DMT_NO_CPU, .end_cpu_ns = DMT_NO_CPU };
	struct track_event event;
	bool known = true;

	if (!decode_event(self, sequence, &event, packet->event))
		return false;
	import->result.counters += event.counters;
	/* Relative times are those of all events of the sequence. */
	if (!move_time(self, &sequence->time_us, event.delta_us) ||
	    !move_time(self, &sequence->cpu_us, event.cpu_delta_us))
		return false;
	if (packet->has_time)
		known = packet_time(self, sequence, packet, &added.time_ns);
	else if (event.has_absolute)
		added.time_ns = event.absolute_us > TIME_MAX_US ?
		    INT64_MAX : (int64_t)event.absolute_us * 1000;
	else if (event.has_delta)
		added.time_ns = sequence->time_us * 1000;
	else
		known = false;
	if (event.type == TYPE_COUNTER) {
		import->result.counters++;
		return true;
	}
	if (!find_kind(&event, &added.kind)) {
		if (event.type == TYPE_INSTANT)
			dmt_import_drop(import, "instant events", 1);
		else if (event.is_foreign)
			dmt_import_drop(import, "events of another thread "
			    "than that of their writer", 1);
		else if (event.type == 0 && event.phase != '\0')
			dmt_import_drop_phase(import, event.phase);
		else
			dmt_import_drop(import, "events of unknown types", 1);
		return true;
	}
	if (!is_time(added.time_ns) ||
	    event.duration_us > TIME_MAX_US)
		return dmt_import_fail_at(import, DMTRACE_ERR_CORRUPT,
		    "a time of 73 years");
	if (event.has_cpu)
		added.cpu_ns = event.cpu_us > TIME_MAX_US ?
		    TIME_MAX_NS : (int64_t)event.cpu_us * 1000;
	else if (event.has_cpu_delta)
		added.cpu_ns = sequence->cpu_us * 1000;
	if (!known || !resolve_event(self, sequence, &event, &added)) {
		import->result.undefined++;
		return import->error.status == DMTRACE_OK;
	}
	import->result.arguments +=
	    added.kind != DMT_IMPORT_END && event.has_arguments;
	if (added.kind == DMT_IMPORT_CALL)
		added.end_ns =
		    added.time_ns + (int64_t)event.duration_us * 1000;
	if (added.cpu_ns != DMT_NO_CPU && event.has_cpu_duration &&
	    event.cpu_duration_us < TIME_MAX_US)
		added.end_cpu_ns =
		    added.cpu_ns + (int64_t)event.cpu_duration_us * 1000;
	return dmt_import_add(import, &added);
}

/* Splits a TracePacket into its fields. */
static bool
decode_packet(struct packet *packet, struct dmt_proto message)
{
	struct dmt_proto_field field;

	*packet = (struct packet){ .other = 0 };
	while (dmt_proto_next(&message, &field)) {
		switch (field.number) {
		case PACKET_TIME:
			packet->has_time = true;
			packet->time = field.value;
			break;
		case PACKET_CLOCK:
			packet->has_clock = true;
			packet->clock = field.value;
			break;
		case PACKET_SEQUENCE: packet->sequence = field.value; break;
		case PACKET_FLAGS: packet->flags = field.value; break;
		case PACKET_CLEARED:
			packet->cleared |= field.value != 0;
			break;
		case PACKET_LOST: packet->lost = field.value != 0; break;
		case PACKET_COMPRESSED: case PACKET_ZSTD:
			packet->compressed = true;
			break;
		case PACKET_CLOCKS: packet->clocks = field.bytes; break;
		case PACKET_EVENT: packet->event = field.bytes; break;
		case PACKET_INTERNED: packet->interned = field.bytes; break;
		case PACKET_THREAD: packet->thread = field.bytes; break;
		case PACKET_DEFAULTS: packet->defaults = field.bytes; break;
		case PACKET_TRACK: packet->track = field.bytes; break;
		case 3: case 79: case 87: case 98:
			/* who wrote it, */
		case 33: case 34: case 35: case 36: case 45: case 46: case 69:
		case 89:
			/* and what the service says of itself */
			break;
		default: packet->other = field.number; break;
		}
	}
	packet->cleared |= (packet->flags & FLAGS_CLEARED) != 0;
	return !message.damaged;
}

static bool
read_packet(struct perfetto_import *self, struct dmt_proto message)
{
	struct dmt_import *const import = self->import;
	struct packet packet;

	if (!decode_packet(&packet, message))
		return false;
	if (packet.compressed)
		return dmt_import_fail_at(import, DMTRACE_ERR_UNSUPPORTED,
		    "compressed packets; \"traceconv decompress_packets\" "
		    "unpacks them");
	struct packet_sequence *const sequence =
	    get_sequence(self, packet.sequence);
	if (sequence == NULL)
		return false;
	/* That packets were lost is also said of the first one. */
	if (packet.lost && sequence->seen) {
		import->result.lost++;
		sequence->begun = false;
	}
	sequence->seen = true;
	if (packet.cleared) {
		dmt_idmap_fini(&sequence->names);
		sequence->names = (struct dmt_idmap){ 0 };
		dmt_idmap_fini(&sequence->signatures);
		sequence->signatures = (struct dmt_idmap){ 0 };
		dmt_idmap_fini(&sequence->categories);
		sequence->categories = (struct dmt_idmap){ 0 };
		sequence->signature_name = 0;
		sequence->default_clock = 0;
		sequence->has_default_track = false;
		sequence->begun = true;
	} else if ((packet.flags & FLAGS_NEEDED) != 0 && !sequence->begun) {
		import->result.undefined += packet.event.bytes != NULL;
		return true;
	}
	if (packet.clocks.bytes == NULL && packet.event.bytes == NULL &&
	    packet.interned.bytes == NULL && packet.thread.bytes == NULL &&
	    packet.defaults.bytes == NULL && packet.track.bytes == NULL) {
		const bool is_known = packet.other <
		    sizeof(packet_kinds) / sizeof(packet_kinds[0]) &&
		    packet_kinds[packet.other] != NULL;

		dmt_import_drop(import, is_known ?
		    packet_kinds[packet.other] : "packets of unknown kinds",
		    packet.other != 0);
		return true;
	}
	return (packet.defaults.bytes == NULL ||
	    read_defaults(sequence, packet.defaults)) &&
	    (packet.clocks.bytes == NULL ||
	    read_clocks(self, sequence, packet.clocks)) &&
	    (packet.interned.bytes == NULL ||
	    read_interned(self, sequence, packet.interned)) &&
	    (packet.thread.bytes == NULL ||
	    read_thread(self, sequence, packet.thread)) &&
	    (packet.track.bytes == NULL || read_track(self, packet.track)) &&
	    (packet.event.bytes == NULL ||
	    read_track_event(self, sequence, &packet));
}

/* Reads packet after packet; one that is cut at the end is left out. */
static bool
read_packets(struct perfetto_import *self)
{
	struct dmt_import *const import = self->import;
	struct dmt_input *const input = &import->input;
	const uint8_t *bytes;
	uint64_t size, count = 0;
	size_t len;

	while ((len = dmt_input_peek(input, 1 + DMT_LEB_MAX, &bytes)) > 0) {
		import->at = input->offset;
		const int used = dmt_uleb_get(bytes + 1, len - 1, &size);

		if (bytes[0] != 0x0a || used < 0)
			return dmt_import_fail_at(import, DMTRACE_ERR_CORRUPT,
			    "not a packet: field 1 with its length");
		if (used > 0 && size > PACKET_MAX)
			return dmt_import_fail_at(import, DMTRACE_ERR_LIMIT,
			    "a packet of more than 16 MiB");
		const size_t whole = 1 + (size_t)used + (size_t)size;
		if (used == 0 ||
		    dmt_input_peek(input, whole, &bytes) < whole) {
			dmt_import_cut(import, import->at);
			break;
		}
		const struct dmtrace_text packet =
		    { (const char *)bytes + 1 + used, (size_t)size };
		if (!read_packet(self, dmt_proto_of(packet)))
			return dmt_import_fail_at(import, DMTRACE_ERR_CORRUPT,
			    "a packet that is not a message");
		dmt_input_skip(input, whole);
		if (++count % 1024 == 0 && !dmt_import_progress(import))
			return false;
	}
	if (input->error.status == DMTRACE_OK)
		return true;
	import->error = input->error;
	return false;
}

static enum dmtrace_status
read_perfetto(struct dmt_import *import)
{
	struct perfetto_import self = { .import = import };

	read_packets(&self);
	for (size_t i = 0; i < self.sequence_count; i++) {
		dmt_idmap_fini(&self.sequences[i].names);
		dmt_idmap_fini(&self.sequences[i].signatures);
		dmt_idmap_fini(&self.sequences[i].categories);
		free(self.sequences[i].clocks);
	}
	free(self.sequences);
	dmt_idmap_fini(&self.sequences_by_id);
	dmt_idmap_fini(&self.threads_by_track);
	dmt_name_table_fini(&self.texts);
	return import->error.status;
}

const struct dmt_import_row dmt_import_perfetto = {
	.recognises = dmt_is_perfetto, .read = read_perfetto
};
