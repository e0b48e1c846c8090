/* export_perfetto.c - writes packets of Perfetto: slices of track events */

/*
 * A Trace is a list of TracePackets: each step of calls.h becomes one with its
 * time, so that nothing has to be stored. Names are interned: the first packet
 * with a name defines its number; so are signatures other than ()V, which are
 * values of an annotation, and files of functions, which are categories. A
 * trace is a process, and its threads are tracks. The CPU time of a step is
 * thread_time_absolute_us, from which Perfetto computes thread_ts and
 * thread_dur. Field numbers are those of trace_packet.proto, track_event.proto
 * and track_descriptor.proto.
 */

#include <inttypes.h>

#include "base/error.h"
#include "export/exporter.h"
#include "export/protobuf.h"
#include "private/export.h"
#include "private/text.h"

enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12, PACKET_FLAGS = 13, PACKET_TRACK = 60 };
enum { FLAGS_CLEARED = 1, FLAGS_NEEDED = 2 };
enum { EVENT_CATEGORY_IID = 3, EVENT_ANNOTATION = 4, EVENT_TYPE = 9,
	EVENT_NAME = 10, EVENT_TRACK = 11, EVENT_THREAD_TIME_US = 17,
	EVENT_CATEGORY = 22, EVENT_OWN_NAME = 23 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3 };
enum { ANNOTATION_NAME_IID = 1, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10,
	ANNOTATION_STRING_IID = 17 };
enum { INTERNED_CATEGORY = 1, INTERNED_NAME = 2, INTERNED_ANNOTATION = 3,
	INTERNED_STRING = 29, NAME_IID = 1, NAME_NAME = 2 };
enum { SIGNATURE_IID = 1 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4,
	TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

struct perfetto {
	struct dmt_output packet;	/* in memory, as the next ones */
	struct dmt_output inner;
	struct dmt_output text, interned;
	struct dmt_labels named;	/* methods with interned names: "s" if
					   also with a signature, then "f" if
					   with a file */
	bool has_signatures;		/* the trace has one */
};

static enum dmtrace_status
begin_perfetto(struct dmt_exporter *exporter)
{
	struct perfetto *const self = exporter->state;

	dmt_labels_init(&self->named);
	return DMTRACE_OK;
}

/* Completes a packet with its sequence id, the number of the trace, and writes
 * it. */
static void
end_packet(struct dmt_exporter *exporter, uint64_t flags)
{
	struct perfetto *const self = exporter->state;

	dmt_proto_put(&self->packet, PACKET_SEQUENCE, exporter->traces);
	dmt_proto_put(&self->packet, PACKET_FLAGS, flags);
	dmt_proto_message(exporter->out, TRACE_PACKET,
	    &self->packet);
}

/* Track ids begin at 1: 0 means no track. */
static uint64_t
track_of(const struct dmt_exporter *exporter, uint64_t thread)
{
	return exporter->traces << 32 | (thread + 1);
}

static uint64_t
process_track(const struct dmt_exporter *exporter)
{
	return exporter->traces << 32;
}

static void
put_process(struct dmt_exporter *exporter)
{
	struct perfetto *const self = exporter->state;
	struct dmt_output *const inner = &self->inner;

	dmt_proto_put(inner, TRACK_UUID, process_track(exporter));
	dmt_put_name(&self->text, DMT_PUT_TEXT,
	    (struct dmtrace_text){ exporter->name, strlen(exporter->name) },
	    SIZE_MAX);
	dmt_proto_put(&self->packet, PROCESS_PID, exporter->traces);
	dmt_proto_message(&self->packet, PROCESS_NAME,
	    &self->text);
	dmt_proto_message(inner, TRACK_PROCESS, &self->packet);
	dmt_proto_message(&self->packet, PACKET_TRACK, inner);
	end_packet(exporter, FLAGS_CLEARED);
}

static void
put_thread(struct dmt_exporter *exporter,
    const struct dmt_indexed_thread *indexed, uint32_t index)
{
	struct perfetto *const self = exporter->state;
	struct dmt_output *const inner = &self->inner;
	uint8_t tid[DMT_PROTO_MAX];

	dmt_proto_put(inner, TRACK_UUID, track_of(exporter, index));
	dmt_proto_put(inner, TRACK_PARENT, process_track(exporter));
	dmt_labels_put_thread(&self->text, DMT_PUT_TEXT,
	    dmt_labels_thread_name(indexed), indexed->number);
	dmt_proto_put(&self->packet, THREAD_PID, exporter->traces);
	dmt_output_write(&self->packet, tid,
	    (size_t)(dmt_proto_field(tid,
	    THREAD_TID, indexed->number) - tid));	/* even if it is 0 */
	dmt_proto_message(&self->packet, THREAD_NAME,
	    &self->text);
	dmt_proto_message(inner, TRACK_THREAD, &self->packet);
	dmt_proto_message(&self->packet, PACKET_TRACK, inner);
	end_packet(exporter, FLAGS_NEEDED);
}

/* Writes self->text with its number into the field of an InternedData. */
static void
put_interned(struct perfetto *self, unsigned field, uint64_t number)
{
	dmt_proto_put(&self->inner, NAME_IID, number);
	dmt_proto_message(&self->inner, NAME_NAME, &self->text);
	dmt_proto_message(&self->interned, field, &self->inner);
}

/* Writes InternedData with the name, and the signature, into the packet. */
static bool
put_name(struct perfetto *self, const struct dmt_indexes *indexes,
    uint32_t index)
{
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_profile_method method =
	    dmt_labels_method(&indexes->methods[index], number);
	const bool has_signature = method.signature.len > 0 &&
	    !dmt_text_is(method.signature, "()V");

	const bool in_file = dmt_class_is_file(method.class_name);

	if (in_file) {
		dmt_put_name(&self->text, DMT_PUT_TEXT, method.class_name,
		    SIZE_MAX);
		put_interned(self, INTERNED_CATEGORY, index + UINT64_C(1));
	}
	dmt_put_method(&self->text, DMT_PUT_TEXT, &method, SIZE_MAX);
	put_interned(self, INTERNED_NAME, index + UINT64_C(1));
	if (has_signature && !self->has_signatures) {
		dmt_put(&self->text, "signature");
		put_interned(self, INTERNED_ANNOTATION, SIGNATURE_IID);
		self->has_signatures = true;
	}
	if (has_signature) {
		dmt_put_name(&self->text, DMT_PUT_TEXT, method.signature,
		    SIZE_MAX);
		put_interned(self, INTERNED_STRING, index + UINT64_C(1));
	}
	dmt_proto_message(&self->packet, PACKET_INTERNED, &self->interned);
	dmt_put(&self->named.draft, has_signature ? "s" : ".");
	dmt_put(&self->named.draft, in_file ? "f" : ".");
	return dmt_labels_keep(&self->named, index);
}

/* Writes a step whose name is interned, with short fields only. */
static void
put_step(struct dmt_exporter *exporter, const struct dmt_calls *calls,
    const struct dmt_call_step *step, int clock)
{
	struct perfetto *const self = exporter->state;
	uint8_t event[8 * DMT_PROTO_MAX], bytes[12 * DMT_PROTO_MAX];
	uint8_t *at = dmt_proto_field(event, EVENT_TYPE,
	    step->enters ? TYPE_BEGIN : TYPE_END);

	if (step->enters)
		at = dmt_proto_field(at, EVENT_NAME,
		    step->method + UINT64_C(1));
	if (step->enters && self->named.items[step->method].bytes[1] == 'f')
		at = dmt_proto_field(at, EVENT_CATEGORY_IID,
		    step->method + UINT64_C(1));
	if (step->enters && self->named.items[step->method].bytes[0] == 's') {
		uint8_t value[2 * DMT_PROTO_MAX];
		uint8_t *const end = dmt_proto_field(dmt_proto_field(value,
		    ANNOTATION_NAME_IID, SIGNATURE_IID),
		    ANNOTATION_STRING_IID, step->method + UINT64_C(1));

		at = dmt_proto_number(at, EVENT_ANNOTATION << 3 | 2);
		at = dmt_proto_number(at, (uint64_t)(end - value));
		memcpy(at, value, (size_t)(end - value));
		at += end - value;
	}
	at = dmt_proto_field(at, EVENT_TRACK,
	    track_of(exporter, step->thread));
	if (clock == DMTRACE_PROFILE_WALL &&
	    calls->has_clock[DMTRACE_PROFILE_CPU] && !step->no_cpu)
		at = dmt_proto_field(at, EVENT_THREAD_TIME_US,
		    step->ns[DMTRACE_PROFILE_CPU] / 1000);
	const size_t len = (size_t)(at - event);

	at = dmt_proto_field(bytes, PACKET_TIMESTAMP, step->ns[clock]);
	at = dmt_proto_field(at, PACKET_SEQUENCE, exporter->traces);
	at = dmt_proto_field(at, PACKET_FLAGS, FLAGS_NEEDED);
	at = dmt_proto_number(at, PACKET_TRACK_EVENT << 3 | 2);
	at = dmt_proto_number(at, len);
	memcpy(at, event, len);
	at += len;

	const size_t interned = self->packet.len;
	dmt_proto_begin(exporter->out, TRACE_PACKET,
	    (size_t)(at - bytes) + interned);
	dmt_output_write(exporter->out, bytes, (size_t)(at - bytes));
	if (interned > 0) {
		dmt_output_write(exporter->out,
		    self->packet.bytes, interned);
		dmt_output_clear(&self->packet);
	}
}

static enum dmtrace_status
put_steps(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	const struct dmt_indexes *const indexes = calls->source->indexes;
	const int clock = dmt_export_clock(calls->source);
	struct perfetto *const self = exporter->state;

	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step = &calls->steps.items[i];

		if (step->begins)
			put_thread(exporter,
			    &indexes->threads[step->thread], step->thread);
		if (self->named.items[step->method].bytes == NULL &&
		    !put_name(self, indexes, step->method))
			return dmt_error_memory(&exporter->error);
		put_step(exporter, calls, step, clock);
	}
	return self->packet.error.status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_error_memory(&exporter->error);
}

static enum dmtrace_status
take_perfetto(struct dmt_exporter *exporter,
    struct dmtrace_source *source)
{
	struct perfetto *const self = exporter->state;

	self->has_signatures = false;
	dmt_labels_attach(&self->named, source, DMT_BY_METHOD, 1);
	put_process(exporter);
	return dmt_export_calls(exporter, source, true, put_steps);
}

/* Writes a string as UTF-8, as a field of outer. */
static void
put_proto_string(struct perfetto *self, struct dmt_output *outer,
    unsigned field, struct dmtrace_text string)
{
	dmt_put_name(&self->text, DMT_PUT_TEXT, string, SIZE_MAX);
	dmt_proto_message(outer, field, &self->text);
}

static enum dmtrace_status
put_perfetto_instant(struct dmt_exporter *exporter,
    const struct dmt_export_instant *instant, uint64_t time_ns,
    const struct dmt_indexed_thread *thread, uint32_t index)
{
	struct perfetto *const self = exporter->state;
	struct dmt_output *const packet = &self->packet;
	struct dmt_output *const event = &self->inner;

	if (instant->detail.len > 0) {
		dmt_proto_bytes(packet, ANNOTATION_NAME, "value", 5);
		put_proto_string(self, packet, ANNOTATION_STRING,
		    instant->detail);
		dmt_proto_message(event, EVENT_ANNOTATION, packet);
	}
	dmt_proto_put(event, EVENT_TYPE, TYPE_INSTANT);
	dmt_proto_put(event, EVENT_TRACK, thread == NULL ?
	    process_track(exporter) : track_of(exporter, index));
	dmt_proto_bytes(event, EVENT_CATEGORY, "eventlog", 8);
	put_proto_string(self, event, EVENT_OWN_NAME, instant->name);
	dmt_proto_put(packet, PACKET_TIMESTAMP, time_ns);
	dmt_proto_message(packet, PACKET_TRACK_EVENT, event);
	end_packet(exporter, FLAGS_NEEDED);
	return packet->error.status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_error_memory(&exporter->error);
}

static void
fini_perfetto(struct dmt_exporter *exporter)
{
	struct perfetto *const self = exporter->state;

	dmt_output_fini(&self->packet);
	dmt_output_fini(&self->inner);
	dmt_output_fini(&self->text);
	dmt_output_fini(&self->interned);
	dmt_labels_fini(&self->named);
}

const struct dmt_format dmt_format_perfetto = {
	.about = {
		.name = "perfetto",
		.viewers = "Perfetto, its trace_processor",
		.open = "https://ui.perfetto.dev",
		.binary = 1,
		.instants = 1,
		.ending = ".pftrace",
	},
	.state_size = sizeof(struct perfetto),
	.begin = begin_perfetto, .take = take_perfetto,
	.fini = fini_perfetto, .put_instant = put_perfetto_instant,
};
