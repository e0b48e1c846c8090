/* test_eventlog.c - entries of event logs: read, written, damaged */

#include <inttypes.h>

#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/keys.h"
#include "helpers/random.h"
#include "private/eventlog.h"

/* Headers up to what only some versions have: the payload's length, the
 * header's size, pid 0x04030201, tid 0x08070605, 1322079161.000000789 s. */
#define HEADER(len, size) len "\0" size "\0" "\1\2\3\4" "\5\6\7\x08" \
	"\xb9\x53\xcd\x4e" "\x15\3\0\0"
#define V1(len) HEADER(len, "\0")
#define V2(len) HEADER(len, "\x18") "\xe8\3\0\0"
#define V3(len) HEADER(len, "\x18") "\2\0\0\0"
#define V4(len) HEADER(len, "\x1c") "\2\0\0\0" "\x10\x27\0\0"
#define TAG "\xa2\x0a\0\0"
#define WHO "67305985 134678021 1322079161.789 "

static const char tag_file[] =
    "2722 battery (level|1|6),(voltage|1),(name|3)\n"
    "2723 one (x|1)\n"
    "2724 list (x|4)\n"
    "2725 bare\n";

/* Each is read to these entries with these findings, and written as it was. */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	const char *entries;
	const char *findings;
} logs[] = {
	{ "nothing", BYTES(""), "", "" },
	{ "trap 14: pid and thread are before the time",
	    BYTES(V1("\x09") TAG "\0\xfe\xff\xff\xff"),
	    "v1 " WHO "tag 2722 int -2; ", "log-tag-differs@20 " },
	{ "version 1 with its size",
	    BYTES(HEADER("\x09", "\x14") "\xa5\x0a\0\0" "\0\1\2\3\4"),
	    "v1 " WHO "tag 2725 int 67305985; ", "" },
	{ "version 2, a long",
	    BYTES(V2("\x0d") "\xa5\x0a\0\0" "\1\1\2\3\4\5\6\7\x88"),
	    "v2 " WHO "uid 1000 tag 2725 long -8644934341102468607; ", "" },
	{ "version 3, a string",
	    BYTES(V3("\x0b") "\xa5\x0a\0\0" "\2\2\0\0\0hi"),
	    "v3 " WHO "log events tag 2725 string hi; ", "" },
	{ "version 4, a float",
	    BYTES(V4("\x09") "\xa5\x0a\0\0" "\4\0\0\xc0\x3f"),
	    "v4 " WHO "log events uid 10000 tag 2725 float 1.5; ", "" },
	{ "a list as the tag file has it", BYTES(V4("\x17") TAG
	    "\3\3" "\0\x5f\0\0\0" "\0\x10\x27\0\0" "\2\2\0\0\0Li"),
	    "v4 " WHO "log events uid 10000 tag 2722"
	    " list 3 int 95 int 10000 string Li; ", "" },
	{ "lists in lists", BYTES(V4("\x11") "\xa5\x0a\0\0"
	    "\3\3" "\3\1\3\0" "\0\1\0\0\0" "\3\0"),
	    "v4 " WHO "log events uid 10000 tag 2725"
	    " list 3 list 1 list 0 int 1 list 0; ", "" },
	{ "a list of one", BYTES(V1("\x0b") "\xa3\x0a\0\0" "\3\1\0\1\0\0\0"),
	    "v1 " WHO "tag 2723 list 1 int 1; ", "" },
	{ "a value for a list of one",
	    BYTES(V1("\x09") "\xa3\x0a\0\0" "\0\1\0\0\0"),
	    "v1 " WHO "tag 2723 int 1; ", "" },
	{ "a list that the tag file calls one",
	    BYTES(V1("\x0b") "\xa4\x0a\0\0" "\3\1\0\1\0\0\0"),
	    "v1 " WHO "tag 2724 list 1 int 1; ", "" },
	{ "a LF that counts", BYTES(V1("\x0a") "\xa5\x0a\0\0\0\1\0\0\0\n"),
	    "v1 " WHO "tag 2725 int 1 rest 0a; ", "log-rest-lf@29 " },
	{ "other bytes after the value",
	    BYTES(V1("\x0b") "\xa5\x0a\0\0\0\1\0\0\0\n\n"),
	    "v1 " WHO "tag 2725 int 1 rest 0a0a; ", "log-rest@29 " },
	{ "no value", BYTES(V4("\4") TAG),
	    "v4 " WHO "log events uid 10000 tag 2722; ",
	    "log-value-truncated@32 " },
	{ "no whole tag", BYTES(V4("\3") "\xa2\x0a\0"),
	    "v4 " WHO "log events uid 10000 bytes a20a00; ",
	    "log-payload-short@28 " },
	{ "an unknown type", BYTES(V4("\x0c") TAG "\3\2\0\1\0\0\0\5"),
	    "v4 " WHO "log events uid 10000 tag 2722 list 2 int 1 rest 05; ",
	    "log-type-unknown@39 " },
	{ "a string longer than its payload",
	    BYTES(V4("\x0b") TAG "\2\3\0\0\0hi"),
	    "v4 " WHO "log events uid 10000 tag 2722 rest 02030000006869; ",
	    "log-value-truncated@32 " },
	{ "a string of 2^32 - 1 bytes",
	    BYTES(V4("\x09") TAG "\2\xff\xff\xff\xff"),
	    "v4 " WHO "log events uid 10000 tag 2722 rest 02ffffffff; ",
	    "log-value-truncated@32 " },
	{ "a list longer than its payload",
	    BYTES(V4("\x0b") TAG "\3\2\0\1\0\0\0"),
	    "v4 " WHO "log events uid 10000 tag 2722 list 2 int 1; ",
	    "log-value-truncated@39 " },
	{ "types that count from 1", BYTES(V1("\x0d") "\xa3\x0a\0\0"
	    "\1\1\0\0\0\0\0\0\0"),
	    "v1 " WHO "tag 2723 long 1; ", "log-tag-differs@20 " },
	{ "an unknown tag", BYTES(V1("\x09") "\1\0\0\0" "\0\1\0\0\0"),
	    "v1 " WHO "tag 1 int 1; ", "log-tag-unknown@20 " },
	{ "nanoseconds of a second", BYTES("\x09\0\0\0" "\1\0\0\0" "\2\0\0\0"
	    "\3\0\0\0" "\0\xca\x9a\x3b" "\xa5\x0a\0\0" "\0\1\0\0\0"),
	    "v1 1 2 3.1000000000 tag 2725 int 1; ",
	    "log-nanoseconds-high@16 " },
	{ "a text", BYTES(HEADER("\x0b", "\x1c") "\0\0\0\0" "\x10\x27\0\0"
	    "\4Tag\0hello\0"),
	    "v4 " WHO "log main uid 10000 text 4 Tag hello; ", "" },
	{ "a text of version 1", BYTES(V1("\x09") "\4ABC\0xyz\0"),
	    "v1 " WHO "text 4 ABC xyz; ", "" },
	{ "a text without its last NUL", BYTES(HEADER("\x0a", "\x1c")
	    "\0\0\0\0" "\x10\x27\0\0" "\4Tag\0hello"),
	    "v4 " WHO "log main uid 10000 text 4 Tag hello no NUL; ",
	    "log-text-no-nul@28 " },
	{ "a text without a tag", BYTES(HEADER("\4", "\x1c")
	    "\0\0\0\0" "\x10\x27\0\0" "\4Tag"),
	    "v4 " WHO "log main uid 10000 bytes 04546167; ",
	    "log-text-malformed@28 " },
	{ "24 bytes, all ids 0, events", BYTES(HEADER("\x09", "\x18")
	    "\0\0\0\0" "\xa5\x0a\0\0" "\0\1\0\0\0"),
	    "v2 " WHO "uid 0 tag 2725 int 1; ",
	    "log-header-ambiguous@20 " },
	{ "24 bytes, all ids 0, text", BYTES(HEADER("\x0b", "\x18")
	    "\0\0\0\0" "\4Tag\0hello\0"),
	    "v3 " WHO "log main text 4 Tag hello; ",
	    "log-header-ambiguous@20 " },
	{ "24 bytes, all ids 0, after another header", BYTES(
	    V1("\x09") "\xa5\x0a\0\0" "\0\1\0\0\0"
	    HEADER("\x09", "\x18") "\0\0\0\0" "\xa5\x0a\0\0" "\0\1\0\0\0"
	    HEADER("\x09", "\x18") "\0\0\0\0" "\xa5\x0a\0\0" "\0\1\0\0\0"),
	    "v1 " WHO "tag 2725 int 1; "
	    "v2 " WHO "uid 0 tag 2725 int 1; "
	    "v2 " WHO "uid 0 tag 2725 int 1; ", "log-header-ambiguous@49 " },
	{ "24 bytes, an id above 7 after one below", BYTES(
	    V3("\x09") "\xa5\x0a\0\0" "\0\1\0\0\0"
	    V2("\x09") "\xa5\x0a\0\0" "\0\1\0\0\0"),
	    "v2 " WHO "uid 2 tag 2725 int 1; "
	    "v2 " WHO "uid 1000 tag 2725 int 1; ", "" },
	{ "an unknown header", BYTES(V1("\x09") "\xa5\x0a\0\0" "\0\1\0\0\0"
	    HEADER("\x09", "\x19") "abc"),
	    "v1 " WHO "tag 2725 int 1; raw 090019000102030405060708b953cd4e"
	    "15030000616263; ", "log-header-bad@31 " },
	{ "an end within a payload", BYTES(V1("\x09") "\xa5\x0a\0\0"),
	    "raw 090000000102030405060708b953cd4e15030000a50a0000; ",
	    "log-entry-truncated@0 " },
	{ "an end within a header", BYTES("\x09\0\0"), "raw 090000; ",
	    "log-entry-truncated@0 " },
};

static void
add_hex(struct listing *listing, const char *name, struct dmtrace_text text)
{
	if (text.len > 0)
		listing_add(listing, "%s ", name);
	for (size_t i = 0; i < text.len; i++)
		listing_add(listing, "%02x", (unsigned char)text.bytes[i]);
}

static void
add_value(struct listing *listing, const struct dmtrace_value *value)
{
	listing_add(listing, " %s ", dmt_value_type_name(value->type));
	if (value->type == DMTRACE_VALUE_STRING)
		listing_add_text(listing, value->text);
	else if (value->type == DMTRACE_VALUE_FLOAT)
		listing_add(listing, "%g", value->real);
	else if (value->type == DMTRACE_VALUE_LIST)
		listing_add(listing, "%" PRIu32, value->count);
	else
		listing_add(listing, "%" PRId64, value->number);
}

static void
add_entry(struct listing *listing, const struct dmtrace_entry *entry)
{
	if (entry->kind == DMTRACE_ENTRY_RAW) {
		listing_add(listing, "raw");
	} else {
		listing_add(listing, "v%u %" PRId32 " %" PRId32 " %" PRIu32
		    ".%" PRIu32, entry->header, entry->pid, entry->tid,
		    entry->seconds, entry->nanoseconds);
		if (entry->header >= 3)
			listing_add(listing, " log %s",
			    dmt_log_name(entry->log));
		if (entry->header % 2 == 0)
			listing_add(listing, " uid %" PRIu32, entry->uid);
	}
	if (entry->kind == DMTRACE_ENTRY_EVENT)
		listing_add(listing, " tag %" PRIu32, entry->tag);
	for (size_t i = 0; i < entry->value_count; i++)
		add_value(listing, &entry->values[i]);
	add_hex(listing, " rest", entry->rest);
	if (entry->kind == DMTRACE_ENTRY_TEXT) {
		listing_add(listing, " text %u ", (unsigned)entry->priority);
		listing_add_text(listing, entry->name);
		listing_add(listing, " ");
		listing_add_text(listing, entry->message);
		listing_add(listing, entry->no_nul ? " no NUL" : "");
	}
	add_hex(listing, entry->kind == DMTRACE_ENTRY_RAW ? "" : " bytes",
	    entry->bytes);
	listing_add(listing, "; ");
}

/* "name@byte " for each. */
static void
add_finding(void *context, const struct dmtrace_finding *finding)
{
	ck_assert_int_eq(finding->place, DMTRACE_PLACE_OFFSET);
	listing_add(context, "%s@%" PRIu64 " ", finding->name, finding->at);
}

/* Reads all and writes it to memory; listing may be NULL. The first failure. */
static enum dmtrace_status
copy(struct dmtrace_eventlog_reader *reader,
    struct dmtrace_eventlog_writer *writer, struct listing *listing)
{
	struct dmtrace_entry entry;
	enum dmtrace_status status;

	if (reader == NULL || writer == NULL)
		return DMTRACE_ERR_MEMORY;
	do {
		status = dmtrace_eventlog_reader_read(reader, &entry);
		if (status == DMTRACE_OK && listing != NULL)
			add_entry(listing, &entry);
		if (status == DMTRACE_OK)
			status = dmtrace_eventlog_writer_write(writer,
			    &entry);
	} while (status == DMTRACE_OK);
	return status == DMTRACE_END ?
	    dmtrace_eventlog_writer_close(writer) : status;
}

/* What is read, written again, is the same. */
static enum dmtrace_status
copy_memory(const char *bytes, size_t len,
    const struct dmtrace_eventlog_options *options, struct listing *listing)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(options);
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	size_t got_len = 0;

	if (reader != NULL)
		dmt_eventlog_reader_open_memory(reader, bytes, len);
	if (writer != NULL)
		dmt_eventlog_writer_open_memory(writer);
	const enum dmtrace_status status = copy(reader, writer, listing);
	const char *const got = writer == NULL ? NULL :
	    dmt_eventlog_writer_memory(writer, &got_len);
	const bool same = got_len == len &&
	    (len == 0 || memcmp(got, bytes, len) == 0);
	dmtrace_eventlog_reader_free(reader);
	dmtrace_eventlog_writer_free(writer);
	if (status == DMTRACE_OK && !same)
		ck_abort_msg("%zu bytes became %zu", len, got_len);
	return status;
}

START_TEST(decodes_and_encodes)
{
	struct listing entries = { "", 0 }, findings = { "", 0 };
	struct dmtrace_tags *const tags = dmtrace_tags_new();
	const struct dmtrace_eventlog_options options = {
		.tags = tags, .report = add_finding, .context = &findings
	};

	ck_assert_int_eq(dmt_tags_decode(tags, tag_file,
	    sizeof(tag_file) - 1, NULL, NULL), DMTRACE_OK);
	ck_assert_int_eq(copy_memory(logs[_i].bytes, logs[_i].len, &options,
	    &entries), DMTRACE_OK);
	ck_assert_str_eq(entries.text, logs[_i].entries);
	ck_assert_str_eq(findings.text, logs[_i].findings);
	dmtrace_tags_free(tags);
}
END_TEST

START_TEST(survives_every_prefix_and_changed_byte)
{
	static const unsigned char changes[] = { 1, 3, 0x80, 0xff };
	char bytes[128];
	const size_t len = logs[_i].len;

	for (size_t i = 0; i < len; i++)
		ck_assert_int_eq(copy_memory(logs[_i].bytes, i, NULL, NULL),
		    DMTRACE_OK);
	ck_assert_uint_le(len, sizeof(bytes));
	memcpy(bytes, logs[_i].bytes, len);
	for (size_t i = 0; i < len * ROWS(changes); i++) {
		const char change = (char)changes[i % ROWS(changes)];

		bytes[i / ROWS(changes)] ^= change;
		ck_assert_int_eq(copy_memory(bytes, len, NULL, NULL),
		    DMTRACE_OK);
		bytes[i / ROWS(changes)] ^= change;
	}
}
END_TEST

START_TEST(reports_when_memory_runs_out)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		failing_reported(&failing, copy_memory(logs[_i].bytes,
		    logs[_i].len, NULL, NULL));
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 1);
}
END_TEST

static enum dmtrace_status
copy_file(void)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(NULL);
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	const struct dmtrace_file in = { .path = "in" };
	const struct dmtrace_file out = { .path = "out" };
	enum dmtrace_status status = dmtrace_eventlog_reader_open(reader, &in);

	if (status == DMTRACE_OK)
		status = dmtrace_eventlog_writer_open(writer, &out);
	if (status == DMTRACE_OK)
		status = copy(reader, writer, NULL);
	dmtrace_eventlog_reader_free(reader);
	dmtrace_eventlog_writer_free(writer);
	return status;
}

START_TEST(leaves_no_file_after_a_failure)
{
	struct failing failing = { .kind = all_faults[_i],
	    .harmless = FAULT_CLOSE };

	if (failing.kind == FAULT_ALLOC || failing.kind == FAULT_SYNC)
		return;
	file_put("in", logs[3].bytes, logs[3].len);
	do {
		failing_arm(&failing);
		const bool reported = failing_reported(&failing, copy_file());
		ck_assert_int_eq(access("out", F_OK) == 0, !reported);
		unlink("out");
	} while (failing.failed);
	ck_assert_uint_gt(failing.nth, 1);
}
END_TEST

static const char json[] = "{\"pid\":1,\"thread\":2,\"tag\":42,\"rest\":\"0a\","
    "\"value\":[1,{\"long\":2},{\"float\":1.5},\"a\",{\"bytes\":\"ff\"},[]]}\n"
    "{\"log\":0,\"priority\":4,\"tag_name\":\"T\",\"message\":\"m\"}";
static const char json_log[] =
    "\x28\0\x1c\0" "\1\0\0\0" "\2\0\0\0" "\0\0\0\0" "\0\0\0\0" "\2\0\0\0"
    "\0\0\0\0" "\x2a\0\0\0" "\3\6" "\0\1\0\0\0" "\1\2\0\0\0\0\0\0\0"
    "\4\0\0\xc0\x3f" "\2\1\0\0\0a" "\2\1\0\0\0\xff" "\3\0" "\n"
    "\5\0\x1c\0" "\0\0\0\0" "\0\0\0\0" "\0\0\0\0" "\0\0\0\0" "\0\0\0\0"
    "\0\0\0\0" "\4T\0m\0";

START_TEST(imports_json)
{
	static const enum fault kinds[] = { FAULT_ALLOC, FAULT_READ };
	const struct dmtrace_file in = { "in", -1 };
	struct failing failing = { .kind = kinds[_i] };

	file_put("in", json, sizeof(json) - 1);
	do {
		struct dmtrace_eventlog_writer *const writer =
		    dmtrace_eventlog_writer_new();
		size_t len;

		dmt_eventlog_writer_open_memory(writer);
		failing_arm(&failing);
		dmt_eventlog_writer_import(writer, &in, 0);
		const bool reported = failing_reported(&failing,
		    dmtrace_eventlog_writer_close(writer));
		const char *const bytes =
		    dmt_eventlog_writer_memory(writer, &len);
		ck_assert_uint_eq(len, reported ? 0 : sizeof(json_log) - 1);
		if (!reported)
			ck_assert_mem_eq(bytes, json_log, len);
		dmtrace_eventlog_writer_free(writer);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

static const struct dmtrace_value too_high = {
	.type = DMTRACE_VALUE_INT, .number = INT64_C(1) << 31
};
static const struct dmtrace_value too_many = {
	.type = DMTRACE_VALUE_LIST, .count = 256
};
static const struct dmtrace_value of_no_type = {
	.type = (enum dmtrace_value_type)5
};
static const char zeros[65536];

static const struct {
	const char *label;
	struct dmtrace_entry entry;
} unfit[] = {
	{ "no version", { .tag = 1 } },
	{ "version 5", { .header = 5 } },
	{ "a header of another size", { .header = 4, .header_size = 24 } },
	{ "another kind",
	    { .header = 4, .kind = (enum dmtrace_entry_kind)4 } },
	{ "an int of 33 bits",
	    { .header = 4, .values = &too_high, .value_count = 1 } },
	{ "a list of 256",
	    { .header = 4, .values = &too_many, .value_count = 1 } },
	{ "a value of no type",
	    { .header = 4, .values = &of_no_type, .value_count = 1 } },
	{ "a payload of 65,536 bytes",
	    { .header = 4, .rest = { zeros, 65532 } } },
	{ "a NUL in the tag of a text", { .header = 4,
	    .kind = DMTRACE_ENTRY_TEXT, .name = { "a\0b", 3 } } },
};

START_TEST(refuses_to_encode)
{
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	size_t len;

	dmt_eventlog_writer_open_memory(writer);
	ck_assert_int_eq(dmtrace_eventlog_writer_write(writer,
	    &unfit[_i].entry), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_eventlog_writer_close(writer),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_ne(dmtrace_eventlog_writer_error(writer)->message, "");
	ck_assert_ptr_null(dmt_eventlog_writer_memory(writer, &len));
	dmtrace_eventlog_writer_free(writer);
}
END_TEST

/* The longest that fits; what is read of it is the same. */
START_TEST(has_room_for_65535_bytes)
{
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	const struct dmtrace_entry entry = {
		.header = 4, .log = DMTRACE_LOG_EVENTS,
		.rest = { zeros, 65531 }
	};
	size_t len;

	dmt_eventlog_writer_open_memory(writer);
	ck_assert_int_eq(dmtrace_eventlog_writer_write(writer, &entry),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_eventlog_writer_close(writer), DMTRACE_OK);
	const char *const bytes = dmt_eventlog_writer_memory(writer, &len);
	ck_assert_uint_eq(len, 65563);
	ck_assert_int_eq(copy_memory(bytes, len, NULL, NULL), DMTRACE_OK);
	dmtrace_eventlog_writer_free(writer);
}
END_TEST

START_TEST(takes_the_version_that_is_asked_for)
{
	static const char *const expected[] = {
		[2] = "v2 " WHO "uid 2 tag 2725 string hi; ",
		[3] = "v3 " WHO "log events tag 2725 string hi; ",
	};

	for (unsigned version = 2; version <= 3; version++) {
		const struct dmtrace_eventlog_options options =
		    { .header = version };
		struct listing entries = { "", 0 };

		ck_assert_int_eq(copy_memory(logs[4].bytes, logs[4].len,
		    &options, &entries), DMTRACE_OK);
		ck_assert_str_eq(entries.text, expected[version]);
	}
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(NULL);
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	struct dmtrace_entry entry;

	ck_assert_int_eq(dmtrace_eventlog_reader_read(reader, &entry),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_eventlog_writer_close(writer),
	    DMTRACE_ERR_STATE);
	dmtrace_eventlog_reader_free(reader);
	dmtrace_eventlog_writer_free(writer);
}
END_TEST

START_TEST(reads_any_bytes)
{
	char bytes[512];
	uint64_t state = 0x9e3779b97f4a7c15 + (uint64_t)_i;

	for (int round = 0; round < 200; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			state = state * 6364136223846793005u + 1;
			bytes[i] = (char)(state >> 60 < 12 ? state >> 62 :
			    state >> 50);
		}
		memcpy(bytes, V4("\xff"), 28);
		ck_assert_int_eq(copy_memory(bytes, sizeof(bytes), NULL,
		    NULL), DMTRACE_OK);
	}
}
END_TEST

/* Random values at values: a list within lists has at most 3 items. Returns
 * how many there are. */
static size_t
make_values(struct dmtrace_value *values, unsigned depth, uint64_t *seed)
{
	static const char text[] = "text\0\n\xff";
	size_t count = 1;

	*values = (struct dmtrace_value){
		.type = (enum dmtrace_value_type)(next_random(seed) % 5)
	};
	switch (values->type) {
	case DMTRACE_VALUE_INT:
		values->number = (int32_t)next_random(seed);
		break;
	case DMTRACE_VALUE_LONG:
		values->number = (int64_t)next_random(seed);
		break;
	case DMTRACE_VALUE_STRING:
		values->text = (struct dmtrace_text)
		    { text, next_random(seed) % sizeof(text) };
		break;
	case DMTRACE_VALUE_FLOAT:
		values->real = (float)next_random(seed);
		break;
	default:
		values->count = depth == 0 ? 0 :
		    (uint32_t)(next_random(seed) % 4);
		for (uint32_t i = 0; i < values->count; i++)
			count += make_values(values + count, depth - 1, seed);
	}
	return count;
}

static void
check_same_values(const struct dmtrace_entry *got,
    const struct dmtrace_value *values, size_t count)
{
	ck_assert_uint_eq(got->value_count, count);
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_value *const value = &got->values[i];

		ck_assert_int_eq(value->type, values[i].type);
		ck_assert_int_eq(value->number, values[i].number);
		ck_assert(value->real == values[i].real);
		ck_assert_uint_eq(value->count, values[i].count);
		ck_assert_uint_eq(value->text.len, values[i].text.len);
		ck_assert(memcmp(value->text.len == 0 ? "" :
		    value->text.bytes, values[i].text.len == 0 ? "" :
		    values[i].text.bytes, value->text.len) == 0);
	}
}

/* 100 entries with a header of each version. */
START_TEST(what_is_written_is_read)
{
	struct dmtrace_value values[100][64];
	size_t counts[100];
	const unsigned version = (unsigned)_i + 1;
	const struct dmtrace_eventlog_options options =
	    { .header = version == 2 || version == 3 ? version : 0 };
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(&options);
	struct dmtrace_entry entry;
	uint64_t seed = 0x9e3779b97f4a7c15;
	size_t len;

	ck_assert_int_eq(dmt_eventlog_writer_open_memory(writer),
	    DMTRACE_OK);
	for (uint32_t i = 0; i < ROWS(values); i++) {
		counts[i] = make_values(values[i], 2, &seed);
		entry = (struct dmtrace_entry){
			.header = version, .pid = -1, .tid = (int32_t)i,
			.seconds = i, .nanoseconds = 999999999 - i,
			.log = version >= 3 ? DMTRACE_LOG_EVENTS : 0,
			.uid = version % 2 == 0 ? 10000 : 0,
			.tag = 0xfffffff0 + i % 16,
			.values = values[i], .value_count = counts[i]
		};
		ck_assert_int_eq(dmtrace_eventlog_writer_write(writer,
		    &entry), DMTRACE_OK);
	}
	ck_assert_int_eq(dmtrace_eventlog_writer_close(writer), DMTRACE_OK);
	const void *const bytes =
	    dmt_eventlog_writer_memory(writer, &len);
	ck_assert_int_eq(dmt_eventlog_reader_open_memory(reader, bytes,
	    len), DMTRACE_OK);
	for (uint32_t i = 0; i < ROWS(values); i++) {
		ck_assert_int_eq(dmtrace_eventlog_reader_read(reader,
		    &entry), DMTRACE_OK);
		ck_assert_int_eq(entry.kind, DMTRACE_ENTRY_EVENT);
		ck_assert_uint_eq(entry.header, version);
		ck_assert_int_eq(entry.pid, -1);
		ck_assert_int_eq(entry.tid, (int32_t)i);
		ck_assert_uint_eq(entry.seconds, i);
		ck_assert_uint_eq(entry.nanoseconds, 999999999 - i);
		ck_assert_uint_eq(entry.uid, version % 2 == 0 ? 10000 : 0);
		ck_assert_uint_eq(entry.tag, 0xfffffff0 + i % 16);
		ck_assert_uint_eq(entry.rest.len, 0);
		check_same_values(&entry, values[i], counts[i]);
	}
	ck_assert_int_eq(dmtrace_eventlog_reader_read(reader, &entry),
	    DMTRACE_END);
	dmtrace_eventlog_reader_free(reader);
	dmtrace_eventlog_writer_free(writer);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("eventlog");
	TCase *tcase = unit_tcase(suite, "eventlog");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, decodes_and_encodes, logs);
	ADD_CASES(tcase, survives_every_prefix_and_changed_byte, logs);
	ADD_CASES(tcase, reports_when_memory_runs_out, logs);
	ADD_CASES(tcase, leaves_no_file_after_a_failure, all_faults);
	tcase_add_loop_test(tcase, imports_json, 0, 2);
	ADD_CASES(tcase, refuses_to_encode, unfit);
	tcase_add_test(tcase, has_room_for_65535_bytes);
	tcase_add_test(tcase, takes_the_version_that_is_asked_for);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	tcase_add_test(tcase, reads_any_bytes);
	tcase_add_loop_test(tcase, what_is_written_is_read, 0, 4);
	return unit_main(suite);
}
