/* fuzz_eventlog.c - any bytes as event log, tag file and JSON, for libFuzzer */

/*
 *	clang -fsanitize=fuzzer,address,undefined -Ilib/include \
 *	    tests/fuzz_eventlog.c _build/lib/.libs/libdmtrace.a
 *
 * The first byte says what the others are. A log, read and written, must be
 * the same bytes again, and so must a tag file.
 */

#include <dmtrace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
copy_log(const uint8_t *bytes, size_t len)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(NULL);
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	struct dmtrace_entry entry;
	size_t got_len;

	dmtrace_eventlog_reader_open_memory(reader, bytes, len);
	dmtrace_eventlog_writer_open_memory(writer);
	while (dmtrace_eventlog_reader_read(reader, &entry) == DMTRACE_OK)
		dmtrace_eventlog_writer_write(writer, &entry);
	if (dmtrace_eventlog_writer_close(writer) != DMTRACE_OK)
		abort();
	const void *const got =
	    dmtrace_eventlog_writer_memory(writer, &got_len);
	if (got_len != len || (len > 0 && memcmp(got, bytes, len) != 0))
		abort();
	dmtrace_eventlog_reader_free(reader);
	dmtrace_eventlog_writer_free(writer);
}

static void
copy_tags(const uint8_t *bytes, size_t len)
{
	struct dmtrace_tags *const tags = dmtrace_tags_new();
	size_t got_len;

	if (dmtrace_tags_decode(tags, bytes, len, NULL, NULL) != DMTRACE_OK)
		abort();
	const char *const got = dmtrace_tags_encode(tags, &got_len);
	if (got_len != len || (len > 0 && memcmp(got, bytes, len) != 0))
		abort();
	dmtrace_tags_free(tags);
}

static void
import_json(const uint8_t *bytes, size_t len)
{
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	FILE *const file = tmpfile();

	if (file == NULL || fwrite(bytes, 1, len, file) != len ||
	    fflush(file) != 0)
		abort();
	rewind(file);
	const struct dmtrace_file in = { NULL, fileno(file) };
	dmtrace_eventlog_writer_open_memory(writer);
	dmtrace_eventlog_writer_import(writer, &in, 0);
	dmtrace_eventlog_writer_free(writer);
	fclose(file);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	if (len == 0)
		return 0;
	if (bytes[0] % 3 == 0)
		copy_log(bytes + 1, len - 1);
	else if (bytes[0] % 3 == 1)
		copy_tags(bytes + 1, len - 1);
	else
		import_json(bytes + 1, len - 1);
	return 0;
}
