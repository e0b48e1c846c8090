/* sample_laws.c - laws of reading and writing that hold for every trace */

#include "helpers/samples.h"

#include <check.h>
#include <string.h>

#include "helpers/drip.h"
#include "private/key.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define BATCH 300

/* FNV-1a. */
static void
mix(uint64_t *digest, const void *bytes, size_t len)
{
	const uint8_t *in = bytes;

	while (len-- > 0)
		*digest = (*digest ^ *in++) * 0x100000001b3;
}

static void
mix_number(uint64_t *digest, uint64_t number)
{
	mix(digest, &number, sizeof(number));
}

static void
mix_key(uint64_t *digest, const struct dmtrace_key *key)
{
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *row =
		    dmtrace_key_thread_get(key, i);
		mix_number(digest, row->id);
		mix(digest, row->name.bytes, row->name.len);
	}
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_method *row =
		    dmtrace_key_method_get(key, i);
		mix_number(digest, row->id);
		mix(digest, row->name.bytes, row->name.len);
	}
	mix_number(digest, dmt_key_clock(key));
}

static void
mix_events(uint64_t *digest, struct dmtrace_reader *reader)
{
	struct dmtrace_event event;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		mix_number(digest, event.thread);
		mix_number(digest, event.method);
		mix_number(digest, event.action);
		mix_number(digest, event.cpu_ns);
		mix_number(digest, event.wall_ns);
	}
}

static void
mix_findings(uint64_t *digest, struct dmtrace_reader *reader)
{
	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *finding =
		    dmtrace_reader_finding_get(reader, i);
		mix(digest, finding->name, strlen(finding->name));
		mix_number(digest, finding->count);
		mix_number(digest, finding->place);
		mix_number(digest, finding->at);
	}
}

uint64_t
sample_digest(const uint8_t *bytes, size_t len, size_t piece)
{
	struct drip drip = { bytes, len, piece };
	const struct dmtrace_input input = { drip_read, &drip };
	struct dmtrace_reader *reader = dmtrace_reader_new();
	uint64_t digest = 0xcbf29ce484222325;

	mix_number(&digest, piece == 0 ?
	    dmtrace_reader_open_memory(reader, bytes, len) :
	    dmtrace_reader_open_input(reader, &input));
	if (dmtrace_reader_key(reader) != NULL)
		mix_key(&digest, dmtrace_reader_key(reader));
	mix_events(&digest, reader);
	mix_findings(&digest, reader);
	mix_number(&digest, dmtrace_reader_error(reader)->at);
	dmtrace_reader_free(reader);
	return digest;
}

/* The packets of a stream stand elsewhere, or only once; its events are the
 * same. */
void
sample_check_copy(enum dmtrace_container container, const uint8_t *bytes,
    size_t len, const uint8_t *again, size_t again_len)
{
	uint64_t digests[2] = { 0, 0 };

	if (container != DMTRACE_CONTAINER_STREAM) {
		ck_assert_uint_eq(again_len, len);
		ck_assert(memcmp(again, bytes, len) == 0);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		struct dmtrace_reader *reader = dmtrace_reader_new();

		ck_assert_int_eq(dmtrace_reader_open_memory(reader,
		    i == 0 ? bytes : again, i == 0 ? len : again_len),
		    DMTRACE_OK);
		mix_events(&digests[i], reader);
		dmtrace_reader_free(reader);
	}
	ck_assert_uint_eq(digests[0], digests[1]);
}

bool
sample_has_finding(struct dmtrace_reader *reader, const char *name)
{
	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++)
		if (strcmp(dmtrace_reader_finding_get(reader, i)->name,
		    name) == 0)
			return true;
	return false;
}

/* Reads all records and writes them again, which gives the same bytes.
 * Returns how many. */
static uint64_t
copy_records(struct dmtrace_reader *reader, const uint8_t *bytes, size_t len)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_source *source = dmtrace_source_new(reader);
	struct dmt_batch *batch;
	uint64_t records = 0;
	size_t count;

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	dmt_want(source, dmt_writer_columns(writer));
	for (;;) {
		ck_assert_int_eq(dmt_pull(source, &batch), DMTRACE_OK);
		if (batch == NULL)
			break;
		ck_assert_int_eq(dmt_writer_put(writer, source, batch),
		    DMTRACE_OK);
		records += batch->kept;
	}
	dmtrace_source_free(source);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *again = dmtrace_writer_memory(writer, &count);
	sample_check_copy(dmt_reader_container(reader), bytes, len, again,
	    count);
	dmtrace_writer_free(writer);
	return records;
}

static uint64_t
count_records(struct dmtrace_reader *reader)
{
	struct dmt_count count;

	ck_assert_int_eq(dmt_reader_count(reader, &count), DMTRACE_OK);
	const uint64_t records = count.records;
	dmt_count_fini(&count);
	return records;
}

/* The magic is after the key, at most 8 bytes of blanks between them. */
static size_t
data_start(const uint8_t *bytes, size_t len, size_t key_len)
{
	size_t at = key_len;

	while (at + 4 <= len && at < key_len + 8 &&
	    memcmp(bytes + at, "SLOW", 4) != 0)
		at++;
	return at;
}

static void
check_opened(struct dmtrace_reader *reader, const uint8_t *bytes, size_t len,
    bool copy)
{
	const struct dmt_header *header = dmt_reader_header(reader);

	if (dmt_reader_container(reader) == DMTRACE_CONTAINER_PACKETS ||
	    sample_has_finding(reader, "data-base64"))
		return;		/* comes back as other bytes */
	if (dmt_reader_container(reader) == DMTRACE_CONTAINER_STREAM) {
		/* Records after a damaged packet are out of step: of which
		 * size those of the copy are can only be guessed. */
		if (copy && !sample_has_finding(reader, "stream-method-bad"))
			copy_records(reader, bytes, len);
		return;
	}
	const size_t start = data_start(bytes, len,
	    dmt_key_encoded_size(dmtrace_reader_key(reader)));

	ck_assert_uint_le(start + header->data_offset, len);
	const size_t body = len - start - header->data_offset;
	const uint64_t records = copy ? copy_records(reader, bytes, len) :
	    count_records(reader);
	ck_assert_uint_eq(records, body / header->record_size);
	ck_assert_int_eq(sample_has_finding(reader, "record-partial"),
	    body % header->record_size != 0);
}

void
sample_check(const uint8_t *bytes, size_t len, bool copy)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	const enum dmtrace_status status =
	    dmtrace_reader_open_memory(reader, bytes, len);

	ck_assert_int_eq(dmtrace_reader_error(reader)->status, status);
	if (status == DMTRACE_OK)
		check_opened(reader, bytes, len, copy);
	else
		ck_assert(status >= DMTRACE_ERR_NOT_TRACE &&
		    status <= DMTRACE_ERR_FOREIGN);
	dmtrace_reader_free(reader);
}
