/* export_pprof.c - writes paths of calls as samples for pprof */

/*
 * The file is a message Profile of pprof's profile.proto, in gzip. A sample is
 * a path of calls of one thread, the innermost first, with three values: the
 * calls, and the exclusive wall and CPU time of its innermost method; pprof
 * computes sums. Its labels are the thread, as in "main (1)", and those of the
 * user. A method is a function and a location with the same number; name is
 * class.name, system_name includes the signature. Time outside of methods is a
 * sample of the function (toplevel). The time of the profile is the earliest
 * start of a trace that is known, and its duration the sum of all.
 *
 * Strings are numbered before they are written: those of the format, three for
 * each method, the names of threads, and the name and value of each label. Each
 * message is first made in memory, which need not be larger than the longest
 * path or name.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "export/exporter.h"
#include "export/protobuf.h"
#include "private/export.h"
#include "private/text.h"

/* Field numbers, by message. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5, PROFILE_STRING = 6, PROFILE_TIME = 9,
	PROFILE_DURATION = 10, PROFILE_DEFAULT_TYPE = 14 };
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STRING = 2 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4, FUNCTION_LINE = 5 };

enum { TEXT_EMPTY, TEXT_CALLS, TEXT_COUNT, TEXT_WALL, TEXT_NS, TEXT_CPU,
	TEXT_THREAD, TEXTS };

static const char *const texts[TEXTS] = {
	"", "calls", "count", "wall", "nanoseconds", "cpu", "thread"
};

/*
 * The gzip format without compression: stored blocks of up to 65,535 bytes,
 * which need no compressor.
 */
#define STORED_MAX 65535

struct gzip {
	struct dmt_output *out;
	uint32_t crc;
	uint32_t len;			/* modulo 2^32 */
	uint32_t table[256];
};

static void
begin_gzip(struct gzip *gzip, struct dmt_output *out)
{
	/* deflate, no name, no time, unknown system */
	static const uint8_t header[10] = {
		0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff
	};

	gzip->out = out;
	gzip->crc = UINT32_MAX;
	gzip->len = 0;
	/* CRC-32, reflected, one byte at a time */
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
		gzip->table[i] = crc;
	}
	dmt_output_write(out, header, sizeof(header));
}

static void
put_deflate_block(struct gzip *gzip, const uint8_t *bytes, size_t len,
    uint8_t is_last)
{
	uint8_t head[5] = { is_last };

	dmt_put_le(head + 1, 2, len);
	dmt_put_le(head + 3, 2, ~len & 0xffff);
	dmt_output_write(gzip->out, head, sizeof(head));
	dmt_output_write(gzip->out, bytes, len);
}

static void
write_gzip(struct gzip *gzip, const void *bytes, size_t len)
{
	const uint8_t *in = bytes;
	uint32_t crc = gzip->crc;

	for (size_t i = 0; i < len; i++)
		crc = gzip->table[(crc ^ in[i]) & 0xff] ^ crc >> 8;
	gzip->crc = crc;
	gzip->len += (uint32_t)len;
	while (len > 0) {
		const size_t part = len < STORED_MAX ? len : STORED_MAX;

		put_deflate_block(gzip, in, part, 0);
		in += part;
		len -= part;
	}
}

static void
end_gzip(struct gzip *gzip)
{
	uint8_t tail[8];

	put_deflate_block(gzip, NULL, 0, 1);
	dmt_put_le(tail, 4, ~gzip->crc & UINT32_MAX);
	dmt_put_le(tail + 4, 4, gzip->len);
	dmt_output_write(gzip->out, tail, sizeof(tail));
}

struct pprof {
	struct gzip gzip;
	struct dmt_output whole;	/* fields of Profile; in memory, as the
					   next ones */
	struct dmt_output message;
	struct dmt_output inner;
	uint32_t *ids;			/* of functions, by method; 0: none */
	size_t functions;
	const struct dmt_exporter_options *options;
	bool has[DMTRACE_PROFILE_CLOCKS];
};

static enum dmtrace_status
begin_pprof(struct dmt_exporter *exporter)
{
	struct pprof *const self = exporter->state;

	if (dmt_export_check_labels(exporter, texts[TEXT_THREAD]) !=
	    DMTRACE_OK)
		return exporter->error.status;
	self->options = &exporter->options;
	return DMTRACE_OK;
}

/* Writes the message as a field of Profile. */
static void
end_message(struct pprof *self, unsigned field)
{
	struct dmt_output *const whole = &self->whole;

	dmt_proto_message(whole, field, &self->message);
	if (whole->len < STORED_MAX)
		return;
	write_gzip(&self->gzip, whole->bytes, whole->len);
	dmt_output_clear(whole);
}

/* Writes the type and the unit of a value of the samples, as indexes of
 * strings. */
static void
put_value_type(struct pprof *self, unsigned type, unsigned unit)
{
	dmt_proto_put(&self->message, TYPE_TYPE, type);
	dmt_proto_put(&self->message, TYPE_UNIT, unit);
	end_message(self, PROFILE_SAMPLE_TYPE);
}

static void
put_packed(struct dmt_output *output, uint64_t number)
{
	uint8_t bytes[DMT_PROTO_MAX];

	dmt_output_write(output, bytes,
	    (size_t)(dmt_proto_number(bytes, number) - bytes));
}

static void
put_sample(struct pprof *self, const struct dmtrace_profile *profile,
    size_t table, const struct dmtrace_profile_node *leaf)
{
	struct dmt_output *const inner = &self->inner;
	struct dmtrace_profile_node node = *leaf;

	put_packed(inner, self->ids[node.method]);
	while (node.method != DMTRACE_PROFILE_TOP && node.parent != 0) {
		dmtrace_profile_node_get(profile, table, node.parent, &node);
		put_packed(inner, self->ids[node.method]);
	}
	dmt_proto_message(&self->message, SAMPLE_LOCATION, inner);
	put_packed(inner, leaf->calls);
	for (int clock = DMTRACE_PROFILE_CLOCKS; clock-- > 0; )
		if (self->has[clock])
			put_packed(inner, (uint64_t)leaf->exclusive_ns[clock]);
	dmt_proto_message(&self->message, SAMPLE_VALUE, inner);
	dmt_proto_put(inner, LABEL_KEY, TEXT_THREAD);
	dmt_proto_put(inner, LABEL_STRING,
	    TEXTS + 3 * self->functions + table - 1);
	dmt_proto_message(&self->message, SAMPLE_LABEL, inner);
	uint64_t string = TEXTS + 3 * self->functions +
	    dmtrace_profile_thread_count(profile);
	for (size_t i = 0; i < self->options->label_count; i++) {
		dmt_proto_put(inner, LABEL_KEY, string++);
		dmt_proto_put(inner, LABEL_STRING, string++);
		dmt_proto_message(&self->message, SAMPLE_LABEL, inner);
	}
	end_message(self, PROFILE_SAMPLE);
}

static void
put_pprof_samples(struct pprof *self, const struct dmtrace_profile *profile)
{
	const size_t threads = dmtrace_profile_thread_count(profile);

	for (size_t table = 1; table <= threads; table++) {
		const size_t nodes =
		    dmtrace_profile_node_count(profile, table);

		for (size_t i = 0; i < nodes; i++) {
			struct dmtrace_profile_node node;

			dmtrace_profile_node_get(profile, table, i, &node);
			if (node.calls != 0 || node.exclusive_ns[0] != 0 ||
			    node.exclusive_ns[1] != 0)
				put_sample(self, profile, table, &node);
		}
	}
}

static void
put_function(struct pprof *self, uint32_t id,
    const struct dmtrace_profile_method *method)
{
	struct dmt_output *const message = &self->message;
	const unsigned name = TEXTS + 3 * (id - 1);
	const uint64_t line = method->line > 0 ? (uint64_t)method->line : 0;

	dmt_proto_put(message, FUNCTION_ID, id);
	dmt_proto_put(message, FUNCTION_NAME, name);
	dmt_proto_put(message, FUNCTION_SYSTEM_NAME, name + 1);
	dmt_proto_put(message, FUNCTION_FILE, name + 2);
	dmt_proto_put(message, FUNCTION_LINE, line);
	end_message(self, PROFILE_FUNCTION);
	dmt_proto_put(&self->inner, LINE_FUNCTION, id);
	dmt_proto_put(&self->inner, LINE_LINE, line);
	dmt_proto_put(message, LOCATION_ID, id);
	dmt_proto_message(message, LOCATION_LINE, &self->inner);
	end_message(self, PROFILE_LOCATION);
}

/* Writes the strings in the order of their numbers. */
static void
put_strings(struct pprof *self, const struct dmtrace_profile *profile)
{
	const size_t methods = dmtrace_profile_method_count(profile);
	const size_t threads = dmtrace_profile_thread_count(profile);
	struct dmt_output *const text = &self->message;

	for (int i = 0; i < TEXTS; i++) {
		dmt_put(text, texts[i]);
		end_message(self, PROFILE_STRING);
	}
	for (size_t i = 0; i < methods; i++) {
		struct dmtrace_profile_method method;

		if (self->ids[i] == 0)
			continue;
		dmtrace_profile_method_get(profile, 0, i, &method);
		dmt_put_method(text, DMT_PUT_TEXT, &method, SIZE_MAX);
		end_message(self, PROFILE_STRING);
		dmt_put_method(text, DMT_PUT_TEXT, &method, SIZE_MAX);
		dmt_put_name(text, DMT_PUT_TEXT, method.signature, SIZE_MAX);
		end_message(self, PROFILE_STRING);
		dmt_put_name(text, DMT_PUT_TEXT, method.file, SIZE_MAX);
		end_message(self, PROFILE_STRING);
	}
	for (size_t i = 0; i < threads; i++) {
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(profile, i, &thread);
		dmt_labels_put_thread(text, DMT_PUT_TEXT, thread.name,
		    thread.number);
		dmt_put_format(text, " (%" PRIu32 ")", thread.number);
		end_message(self, PROFILE_STRING);
	}
	for (size_t i = 0; i < self->options->label_count; i++) {
		const struct dmtrace_export_label *const label =
		    &self->options->labels[i];

		dmt_put(text, label->name);
		end_message(self, PROFILE_STRING);
		dmt_put_name(text, DMT_PUT_TEXT, dmt_text_of(label->value),
		    SIZE_MAX);
		end_message(self, PROFILE_STRING);
	}
}

/* Numbers the functions: the methods that were called, and the top. */
static bool
number_functions(struct pprof *self, const struct dmtrace_profile *profile)
{
	const size_t methods = dmtrace_profile_method_count(profile);

	self->ids = dmt_array_new(methods + 1, sizeof(*self->ids));
	for (size_t i = 0; i < methods && self->ids != NULL; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (i == DMTRACE_PROFILE_TOP ||
		    method.calls + method.recursive_calls > 0)
			self->ids[i] = (uint32_t)++self->functions;
	}
	return self->ids != NULL;
}

static enum dmtrace_status
put_pprof(struct dmt_exporter *exporter,
    const struct dmtrace_profile *profile)
{
	struct pprof *const self = exporter->state;
	struct dmtrace_profile_summary summary;

	if (!number_functions(self, profile))
		return dmt_error_memory(&exporter->error);
	dmtrace_profile_summary_get(profile, &summary);
	self->has[DMTRACE_PROFILE_CPU] = summary.has_clock[0];
	self->has[DMTRACE_PROFILE_WALL] = summary.has_clock[1];
	begin_gzip(&self->gzip, exporter->out);
	put_value_type(self, TEXT_CALLS, TEXT_COUNT);
	if (self->has[DMTRACE_PROFILE_WALL])
		put_value_type(self, TEXT_WALL, TEXT_NS);
	if (self->has[DMTRACE_PROFILE_CPU])
		put_value_type(self, TEXT_CPU, TEXT_NS);
	put_pprof_samples(self, profile);
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (self->ids[i] != 0)
			put_function(self, self->ids[i], &method);
	}
	put_strings(self, profile);
	dmt_proto_put(&self->whole, PROFILE_TIME,
	    exporter->start_us * 1000);
	dmt_proto_put(&self->whole, PROFILE_DURATION,
	    summary.span_ns > 0 ? (uint64_t)summary.span_ns : 0);
	dmt_proto_put(&self->whole, PROFILE_DEFAULT_TYPE,
	    self->has[DMTRACE_PROFILE_WALL] ? TEXT_WALL : TEXT_CPU);
	if (self->whole.error.status != DMTRACE_OK)
		return dmt_error_memory(&exporter->error);
	write_gzip(&self->gzip, self->whole.bytes,
	    self->whole.len);
	end_gzip(&self->gzip);
	return DMTRACE_OK;
}

static void
fini_pprof(struct dmt_exporter *exporter)
{
	struct pprof *const self = exporter->state;

	free(self->ids);
	dmt_output_fini(&self->whole);
	dmt_output_fini(&self->message);
	dmt_output_fini(&self->inner);
}

const struct dmt_format dmt_format_pprof = {
	.about = {
		.name = "pprof",
		.viewers = "go tool pprof, Pyroscope, Parca",
		.open = "go tool pprof -http=: FILE",
		.binary = 1,
		.compressed = 1,
		.labels = 1,
		.ending = ".pb.gz",
	},
	.state_size = sizeof(struct pprof),
	.begin = begin_pprof, .put = put_pprof, .fini = fini_pprof,
	.keep = DMTRACE_PROFILE_TREE | DMTRACE_PROFILE_THREADS,
};
