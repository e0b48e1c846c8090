/* targets.c - functions of the library that take arbitrary bytes */

/*
 * A target passes len bytes to one part of the library. The call only has to
 * return; the sanitizers check the rest. If what was decoded can be encoded,
 * decoding that must give the same again.
 */

#include "fuzz/targets.h"

#include <dirent.h>
#include <dmtrace.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/leb128.h"
#include "base/output.h"
#include "data/stream_decode.h"
#include "data/v2_decode.h"
#include "data/v2_encode.h"
#include "data/v2_stage.h"
#include "helpers/v2_events.h"
#include "ops/rename/renamer.h"
#include "ops/corrupt/corrupt.h"
#include "private/eventlog.h"
#include "private/key.h"
#include "private/text_form.h"
#include "private/trace.h"
#include "text/statement.h"

#define BATCH 256

void
demand(bool holds, const char *claim)
{
	if (holds)
		return;
	fprintf(stderr, "not so: %s\n", claim);
	abort();
}

int
scratch_file(unsigned which, const uint8_t *bytes, size_t len)
{
	static FILE *files[3];

	if (files[which] == NULL)
		files[which] = tmpfile();
	const int fd = files[which] == NULL ? -1 : fileno(files[which]);
	demand(fd >= 0 && ftruncate(fd, 0) == 0 &&
	    lseek(fd, 0, SEEK_SET) == 0 &&
	    write(fd, bytes, len) == (ssize_t)len &&
	    lseek(fd, 0, SEEK_SET) == 0, "there is room for a temporary");
	return fd;
}

static char folder_path[500];

static void
remove_folder(void)
{
	DIR *const folder = opendir(folder_path);
	char path[SCRATCH_PATH];

	for (struct dirent *entry; folder != NULL &&
	    (entry = readdir(folder)) != NULL;) {
		scratch_path(path, entry->d_name);
		unlink(path);
	}
	if (folder != NULL)
		closedir(folder);
	rmdir(folder_path);
}

void
scratch_path(char path[SCRATCH_PATH], const char *name)
{
	const char *const parent = getenv("TMPDIR");

	if (folder_path[0] == '\0') {
		snprintf(folder_path, sizeof(folder_path), "%s/fuzz-XXXXXX",
		    parent == NULL ? "/tmp" : parent);
		demand(mkdtemp(folder_path) != NULL,
		    "there is room for a folder");
		atexit(remove_folder);
	}
	snprintf(path, SCRATCH_PATH, "%s/%s", folder_path, name);
}

static void
run_leb128(const uint8_t *bytes, size_t len)
{
	uint8_t out[DMT_LEB_MAX];

	for (size_t at = 0; at < len; at++) {
		uint64_t value, again;

		if (dmt_uleb_get(bytes + at, len - at, &value) > 0)
			demand(dmt_uleb_get(out, (size_t)(dmt_uleb_put(out,
			    value) - out), &again) > 0 && again == value,
			    "an unsigned number comes back");
		if (dmt_sleb_get(bytes + at, len - at, &value) > 0)
			demand(dmt_sleb_get(out, (size_t)(dmt_sleb_put(out,
			    value) - out), &again) > 0 && again == value,
			    "a signed number comes back");
	}
}

/* Events of a block, encoded as one of their own, are the same. */
static void
check_block(const struct dmt_v2_form *form, const struct dmtrace_event *events,
    size_t count)
{
	static uint8_t out[DMT_V2_BLOCK_HEADER_MAX + BATCH * DMT_V2_RECORD_MAX];
	struct dmtrace_event again[BATCH];
	struct dmt_v2_block block = { .form = *form };
	struct dmt_v2_packet packet;
	size_t len, used, decoded;

	/* Ticks are not nanoseconds: see test_v2_encode. */
	if (count == 0 || form->tick_hz != 0 || dmt_v2_block_encode(out, &len,
	    form, events, count, false) != DMTRACE_OK)
		return;
	demand(dmt_v2_packet_decode(&packet, form, out, len, &used) ==
	    DMTRACE_OK, "an encoded block is a packet");
	dmt_v2_block_begin(&block, &packet, out + used, len - used, false);
	demand(decode_events(&block, again, BATCH, &decoded) ==
	    DMTRACE_OK && decoded == count, "as many events come back");
	for (size_t i = 0; i < count; i++)
		demand(again[i].method == events[i].method &&
		    again[i].action == events[i].action &&
		    again[i].cpu_ns == events[i].cpu_ns &&
		    again[i].wall_ns == events[i].wall_ns,
		    "the same events come back");
}

/* Of stage B to the long-running dump, by the first byte. */
static void
run_v2(const uint8_t *bytes, size_t len)
{
	struct dmtrace_event events[BATCH];
	struct dmt_v2_header header;
	struct dmt_v2_packet packet;
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found;
	size_t used, size, count;

	if (len < 1 + DMT_V2_HEADER_SIZE)
		return;
	dmt_v2_header_decode(&header, bytes + 1);
	if (header.tick_hz > DMT_TICK_HZ_MAX)
		header.tick_hz = 0;
	struct dmt_v2_block block = { .form = dmt_v2_form_of(&header,
	    (enum dmt_v2_stage)(bytes[0] % (DMT_STAGE_LONG + 1))) };
	const uint8_t *in = bytes + 1 + DMT_V2_HEADER_SIZE;
	len -= 1 + DMT_V2_HEADER_SIZE;
	dmt_v2_stage_find(&found, &header, &announced, in, len, true);
	dmt_idmap_fini(&announced);
	for (; dmt_v2_packet_decode(&packet, &block.form, in, len, &used) ==
	    DMTRACE_OK; in += used, len -= used) {
		if (packet.type != DMT_V2_EVENTS)
			continue;
		const enum dmtrace_status status = dmt_v2_block_measure(&size,
		    &block.form, &packet, in + used, len - used, true);
		if (status == DMTRACE_ERR_CORRUPT)
			break;
		dmt_v2_block_begin(&block, &packet, in + used, size,
		    status != DMTRACE_OK);
		do {
			const enum dmtrace_status decoded = decode_events(
			    &block, events, BATCH, &count);
			check_block(&block.form, events, count);
			if (decoded != DMTRACE_OK)
				break;
		} while (count > 0);
		used += size;
	}
}

static void
run_stream(const uint8_t *bytes, size_t len)
{
	const size_t size = dmt_stream_record_size(bytes, len, 10, 2);

	while (len >= size) {
		struct dmt_packet packet;
		size_t used = dmt_stream_records(bytes, len, size, len) * size;

		if (used == 0) {
			if (dmt_packet_decode(&packet, bytes, len) !=
			    DMTRACE_OK)
				break;
			used = packet.len;
		}
		demand(used > 0 && used <= len, "a step is within the bytes");
		bytes += used;
		len -= used;
	}
}

static void
run_key(const uint8_t *bytes, size_t len)
{
	struct dmtrace_key *const key = dmt_key_new();
	size_t used;

	if (dmt_key_decode_bytes(key, bytes, len, &used, NULL, NULL) ==
	    DMTRACE_OK) {
		const size_t size = dmt_key_encoded_size(key);
		uint8_t *const out = malloc(size);

		demand(dmt_key_encode(key, out, size) == DMTRACE_OK &&
		    size == used && memcmp(out, bytes, size) == 0,
		    "an unchanged key is written as it was");
		free(out);
	}
	dmt_key_free(key);
}

static void
run_reader(const uint8_t *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event events[BATCH];
	uint64_t total = 0;
	size_t count = 0;

	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK) {
		do {
			total += count;
		} while (dmtrace_reader_read(reader, events, BATCH, &count) ==
		    DMTRACE_OK && count > 0);
		demand(total == dmt_reader_position(reader),
		    "every record was an event");
		demand(total <= len, "an event has a byte at least");
	}
	dmtrace_reader_free(reader);
}

/* What is repaired is a trace, in which nothing is left to repair; but few
 * events of trace format V2 may not show the stage that they were read by. */
static void
run_repair(const uint8_t *bytes, size_t len)
{
	const bool is_v2 = len > 5 && memcmp(bytes, "SLOW", 4) == 0 &&
	    (bytes[4] & 0x0f) >= 4;
	const struct dmtrace_file in = { NULL, scratch_file(0, bytes, len) };
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_repair_options options = { 0 };
	struct dmtrace_repair_result result;

	if (dmtrace_repair(op, &in, &out, &options, NULL) == DMTRACE_OK) {
		demand(lseek(out.fd, 0, SEEK_SET) == 0, "it is a file");
		demand(dmtrace_repair(op, &out, NULL, &options, &result) ==
		    DMTRACE_OK, "what was repaired is a trace");
		demand(is_v2 || result.changes == 0,
		    "nothing is left to repair");
	}
	dmtrace_op_free(op);
}

/* What a spec is judged against: main calls A.m, which calls B.n. */
static const char judged[] = "*version\n2\nclock=wall\n*threads\n1\tmain\n"
    "*methods\n0x4\tA\tm\t()V\n0x8\tB\tn\t(I)V\n*end\n"
    "SLOW\2\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\1\0\4\0\0\0\1\0\0\0" "\1\0\10\0\0\0\2\0\0\0"
    "\1\0\11\0\0\0\5\0\0\0" "\1\0\5\0\0\0\7\0\0\0";

static void
run_spec(const uint8_t *bytes, size_t len)
{
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected;

	if (dmtrace_spec_decode(spec, bytes, len) == DMTRACE_OK) {
		demand(dmtrace_reader_open_memory(reader, judged,
		    sizeof(judged) - 1) == DMTRACE_OK, "the trace is one");
		if (dmtrace_expect(op, spec, reader, NULL, NULL, &expected) ==
		    DMTRACE_OK)
			demand(expected.records <= 4,
			    "it judges no more than there is");
	}
	dmtrace_op_free(op);
	dmtrace_reader_free(reader);
	dmtrace_spec_free(spec);
}

/* Whenever what is there of a stream was read, it grows by some bytes, whose
 * number its length says; at last it is cut. */
static void
run_follow(const uint8_t *bytes, size_t len)
{
	static int fd = -1;
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_source *source = NULL;
	struct dmtrace_row rows[BATCH];
	const size_t step = 1 + len % 97;
	size_t there = len < 40 ? len : 40 + (len - 40) * (len % 8) / 8;
	size_t count = 0, total = 0;
	bool dry = false;		/* all that is there was read */
	char path[SCRATCH_PATH];

	scratch_path(path, "growing");
	if (fd < 0)
		fd = open(path, O_RDWR | O_CREAT, 0600);
	demand(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
	    pwrite(fd, bytes, there, 0) == (ssize_t)there,
	    "there is room for a file");
	enum dmtrace_status status = dmt_reader_follow_fd(reader, fd);
	if (status == DMTRACE_OK)
		source = dmtrace_source_new(reader);
	while (status == DMTRACE_OK && (there < len || !dry)) {
		const size_t more = !dry ? 0 :
		    len - there < step ? len - there : step;

		demand(pwrite(fd, bytes + there, more, (off_t)there) ==
		    (ssize_t)more, "there is room for a file");
		there += more;
		status = dmtrace_source_read(source, rows, BATCH, &count);
		total += status == DMTRACE_OK ? count : 0;
		dry = status == DMTRACE_OK && count == 0;
	}
	demand(total <= len, "an event has a byte at least");
	demand(status != DMTRACE_OK || dmt_reader_follow_read(reader) <= there,
	    "no more was read than there is");
	/* Of a text, a copy is read. */
	if (status == DMTRACE_OK &&
	    dmt_reader_follow_state(reader) == DMT_FOLLOW_GROWS)
		demand(ftruncate(fd, 1) == 0 && dmtrace_source_read(source,
		    rows, BATCH, &count) != DMTRACE_OK,
		    "a file that becomes shorter is an error");
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}

/* The first byte is the format, 0 for what the contents show; other options are
 * bits of the length. Whatever can be imported is a valid trace with the events
 * that the result says: at most two for a byte, as the frames of collapsed
 * stacks may have empty names. */
static void
run_import(const uint8_t *bytes, size_t len)
{
	if (len == 0)
		return;
	const enum dmtrace_import_format format = (enum dmtrace_import_format)
	    (bytes[0] % (DMTRACE_IMPORT_LINES + 1));
	const bool is_lines = format == DMTRACE_IMPORT_LINES;
	static const uint64_t units_ns[] = { 0, 1, 1000, 1000000 };
	const struct dmtrace_import_options options = {
		.dialect = len % 2 == 0 ? (enum dmtrace_dialect)0 :
		    (enum dmtrace_dialect)(len / 2 % 10),
		.unit_ns = units_ns[len / 4 % 4],
		.enter_words = len % 8 == 7 ? "call,>" : NULL,
		.exit_words = len % 16 == 15 ? "return,<" : NULL,
		.format = format, .per_thread = bytes[0] >= 128,
		.lines = is_lines ? "^([^ ]+) ([^ ]+) ([^ ]*)( (.*))?$" : NULL,
		.fields = is_lines ? "time,action,thread,signature,method" :
		    NULL
	};
	const struct dmtrace_file in =
	    { NULL, scratch_file(0, bytes + 1, len - 1) };
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_import_result result;
	struct dmtrace_validity validity;
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmt_count count = { 0 };

	if (dmtrace_import(op, &in, &out, &options, &result) == DMTRACE_OK) {
		demand(result.events <= 2 * len,
		    "a byte of the input has two events at most");
		demand(lseek(out.fd, 0, SEEK_SET) == 0, "it is a file");
		demand(dmtrace_validate(op, &out, &validity) == DMTRACE_OK &&
		    validity.findings[DMTRACE_ERROR] == 0,
		    "what was imported is valid");
		demand(lseek(out.fd, 0, SEEK_SET) == 0 &&
		    dmtrace_reader_open_fd(reader, out.fd) == DMTRACE_OK &&
		    dmt_reader_count(reader, &count) == DMTRACE_OK,
		    "what was imported opens");
		demand(count.records == result.events,
		    "the trace has as many events as the result says");
		dmt_count_fini(&count);
	}
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}

/* An event log, read and written, is the same bytes. */
static void
run_eventlog(const uint8_t *bytes, size_t len)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(NULL);
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	struct dmtrace_entry entry;
	size_t got_len;

	dmt_eventlog_reader_open_memory(reader, bytes, len);
	dmt_eventlog_writer_open_memory(writer);
	while (dmtrace_eventlog_reader_read(reader, &entry) == DMTRACE_OK)
		dmtrace_eventlog_writer_write(writer, &entry);
	demand(dmtrace_eventlog_writer_close(writer) == DMTRACE_OK,
	    "what was read can be written");
	const void *const got =
	    dmt_eventlog_writer_memory(writer, &got_len);
	demand(got_len == len && (len == 0 || memcmp(got, bytes, len) == 0),
	    "a log comes back");
	dmtrace_eventlog_reader_free(reader);
	dmtrace_eventlog_writer_free(writer);
}

static void
run_tags(const uint8_t *bytes, size_t len)
{
	struct dmtrace_tags *const tags = dmtrace_tags_new();

	demand(dmt_tags_decode(tags, bytes, len, NULL, NULL) == DMTRACE_OK,
	    "any text is read");
	dmtrace_tags_free(tags);
}

static void
run_entries(const uint8_t *bytes, size_t len)
{
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	const struct dmtrace_file in = { NULL, scratch_file(0, bytes, len) };

	dmt_eventlog_writer_open_memory(writer);
	dmt_eventlog_writer_import(writer, &in, 0);
	dmtrace_eventlog_writer_free(writer);
}

/* Any text is written or refused; some of them as a reader does it, which makes
 * a temporary file. */
static void
run_undump(const uint8_t *bytes, size_t len)
{
	struct dmt_output sink = { 0 };
	struct dmtrace_error error;
	const bool done = dmt_text_undump_memory(bytes, len, &sink,
	    (enum dmtrace_dialect)0, &error) == DMTRACE_OK;

	if (done && len % 8 == 0) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		dmtrace_reader_open_memory(reader, bytes, len);
		dmtrace_reader_free(reader);
	}
	dmt_output_fini(&sink);
}

/* Any bytes have a text, which gives them back; but a text is dumped as what it
 * means. */
static void
run_dump_undump(const uint8_t *bytes, size_t len)
{
	const size_t first = strlen(TEXT_FIRST_LINE);

	if (len >= first && memcmp(bytes, TEXT_FIRST_LINE, first) == 0)
		return;
	struct dmt_output text = { 0 }, again = { 0 };
	struct dmtrace_error error;
	bool recognized;

	demand(dmt_text_dump_memory(bytes, len, &text, &recognized, &error) ==
	    DMTRACE_OK, "any bytes are dumped");
	demand(dmt_text_undump_memory(text.bytes, text.len,
	    &again, (enum dmtrace_dialect)0, &error) == DMTRACE_OK,
	    "what was dumped is undumped");
	demand(again.len == len && (len == 0 ||
	    memcmp(again.bytes, bytes, len) == 0),
	    "the bytes come back");
	dmt_output_fini(&text);
	dmt_output_fini(&again);
}

/* Any bytes can be damaged, by their number; and that, once more. */
static void
run_corrupt(const uint8_t *bytes, size_t len)
{
	const struct dmtrace_corrupt_options options =
	    { .seed = len, .count = 30 };
	struct dmtrace_damage damages[32];
	struct dmtrace_error error;
	struct dmt_input input;
	struct dmt_output first, second;
	size_t count;

	dmt_output_open_memory(&first);
	dmt_output_open_memory(&second);
	dmt_input_open_memory(&input, bytes, len);
	demand(dmt_input_hold(&input) == DMTRACE_OK, "memory can be held");
	if (dmt_corrupt(NULL, &input, &first, &options, damages, &count,
	    &error) == DMTRACE_OK) {
		demand(count > 0, "something was damaged");
		demand(damages[count - 1].at + damages[count - 1].len <= len,
		    "a damage is within the bytes");
		dmt_input_fini(&input);
		dmt_input_open_memory(&input, first.bytes, first.len);
		demand(dmt_input_hold(&input) == DMTRACE_OK,
		    "memory can be held");
		dmt_corrupt(NULL, &input, &second, &options, damages, &count,
		    &error);
	} else {
		demand(len == 0, "bytes can be damaged");
	}
	dmt_input_fini(&input);
	dmt_output_fini(&first);
	dmt_output_fini(&second);
}

/* What a mapping, or a table of names, is applied to. */
static const char mapped[] = "*version\n3\n*threads\n1\tmain\n*methods\n"
    "0x4\ta.b\ta\t(ILa/c;)V\tX\t7\n0x8\ta.b\ta\t()V\tX\t3\n"
    "0xc\ta/c\tb\t([[La/b;)La/c;\tX\n0x10\ta.c\t<init>\t()V\n*end\n";

static void
rename_mapped_key(const struct dmtrace_key *key, struct dmt_renamer *renamer)
{
	struct dmtrace_error error = { 0 };
	struct dmtrace_key *made = NULL;

	if (dmt_key_rewrite(&made, key, &renamer->rules, &error) == DMTRACE_OK)
		demand(dmtrace_key_method_count(made) == 4,
		    "no method is lost");
	dmt_key_free(made);
}

static void
run_mapping(const uint8_t *bytes, size_t len)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_error error = { 0 };
	struct dmt_input input;
	size_t used;

	demand(dmt_key_decode_bytes(key, mapped, sizeof(mapped) - 1, &used,
	    NULL, NULL) == DMTRACE_OK, "the key is one");
	dmt_input_open_memory(&input, bytes, len);
	struct dmt_renamer *const mapping =
	    dmt_mapping_new(key, &input, &error);
	dmt_input_fini(&input);
	if (mapping != NULL) {
		rename_mapped_key(key, mapping);
		dmt_mapping_free(mapping);
	}
	dmt_input_open_memory(&input, bytes, len);
	error.status = DMTRACE_OK;
	struct dmt_renamer *const restorer = dmt_restorer_new(&input, &error);
	dmt_input_fini(&input);
	if (restorer != NULL) {
		rename_mapped_key(key, restorer);
		dmt_restorer_free(restorer);
	}
	dmt_key_free(key);
}

const struct fuzz_target fuzz_targets[] = {
	{ "calls", run_calls },
	{ "recorder", run_recorder },
	{ "leb128", run_leb128 },
	{ "v2", run_v2 },
	{ "stream", run_stream },
	{ "key", run_key },
	{ "reader", run_reader },
	{ "repair", run_repair },
	{ "spec", run_spec },
	{ "follow", run_follow },
	{ "import", run_import },
	{ "eventlog", run_eventlog },
	{ "tags", run_tags },
	{ "entries", run_entries },
	{ "undump", run_undump },
	{ "dump-undump", run_dump_undump },
	{ "corrupt", run_corrupt },
	{ "mapping", run_mapping },
	{ "open", run_open },
	{ "judge", run_judge },
	{ "fix", run_fix },
	{ "merge", run_merge },
	{ "use", run_use },
	{ "parquet", run_parquet },
	{ "pieces", run_pieces },
	{ "convert", run_convert },
	{ "options", run_options },
	{ NULL, NULL }
};
