/* laws.c - what must hold of dmtrace.h and dmtrace.c on every machine
 *
 * A plain program, in what C11 and C++ share: literal bytes of records and
 * whole traces, events that are written and read again, input in pieces,
 * every prefix and every changed byte, and a recording with two threads.
 */

#include <dmtrace.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define LAW(holds) check(holds, #holds, __LINE__)

static void
check(int holds, const char *text, int line)
{
	if (holds)
		return;
	fprintf(stderr, "laws.c:%d: %s\n", line, text);
	failures++;
}

static uint64_t
random64(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static struct dmtrace_event
event_of(uint32_t thread, uint64_t method, enum dmtrace_action action,
    uint64_t cpu_us, uint64_t wall_us)
{
	struct dmtrace_event event;

	event.thread = thread;
	event.method = method;
	event.action = action;
	event.cpu_ns = cpu_us * 1000;
	event.wall_ns = wall_us * 1000;
	return event;
}

/* The form of records: version, clock, size, and the bytes of one event. */
struct form {
	unsigned version;
	enum dmtrace_clock clock;
	size_t size;
	const char *bytes;
};

static const struct form forms[] = {
	{ 1, DMTRACE_CLOCK_THREAD_CPU, 9, "\x21\x45\x23\x01\x40\4\3\2\1" },
	{ 1, DMTRACE_CLOCK_WALL, 9, "\x21\x45\x23\x01\x40\x14\x13\x12\x11" },
	{ 2, DMTRACE_CLOCK_WALL, 10,
	  "\x21\0\x45\x23\x01\x40\x14\x13\x12\x11" },
	{ 3, DMTRACE_CLOCK_WALL, 10,
	  "\x21\0\x45\x23\x01\x40\x14\x13\x12\x11" },
	{ 3, DMTRACE_CLOCK_DUAL, 14,
	  "\x21\0\x45\x23\x01\x40\4\3\2\1\x14\x13\x12\x11" },
};

#define FORMS (sizeof(forms) / sizeof(forms[0]))

/* A microsecond of a record has 32 bits, and a reader adds what wrapped. */
static uint64_t
stored_us(uint64_t time_ns)
{
	return time_ns / 1000 & 0xffffffff;
}

static int
same_event(const struct dmtrace_event *a, const struct dmtrace_event *b,
    enum dmtrace_clock clock)
{
	return a->thread == b->thread && a->method == b->method &&
	    a->action == b->action && (clock == DMTRACE_CLOCK_WALL ||
	    stored_us(a->cpu_ns) == stored_us(b->cpu_ns)) &&
	    (clock == DMTRACE_CLOCK_THREAD_CPU ||
	    stored_us(a->wall_ns) == stored_us(b->wall_ns));
}

#define EVENTS 10000

/* The first record has literal bytes; all of them are read as written. */
static void
check_records(const struct form *form)
{
	static struct dmtrace_event events[EVENTS];
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event again;
	size_t len;

	events[0] = event_of(0x21, 0x40012344, DMTRACE_EXIT, 0x01020304,
	    0x11121314);
	for (int i = 1; i < EVENTS; i++)
		events[i] = event_of((uint32_t)random64() & 0xff,
		    random64() & 0xfffffffc,
		    (enum dmtrace_action)(random64() & 3),
		    random64() & 0xffffffff, random64() & 0xffffffff);
	LAW(dmtrace_writer_set_layout(writer, form->version, form->clock) ==
	    DMTRACE_OK);
	LAW(dmtrace_writer_open_memory(writer) == DMTRACE_OK);
	LAW(dmtrace_writer_write(writer, events, EVENTS) == DMTRACE_OK);
	LAW(dmtrace_writer_close(writer) == DMTRACE_OK);
	const char *bytes = (const char *)dmtrace_writer_memory(writer, &len);
	LAW(len > EVENTS * form->size && memcmp(bytes + len -
	    EVENTS * form->size, form->bytes, form->size) == 0);
	LAW(dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK);
	for (int i = 0; i < EVENTS; i++) {
		LAW(dmtrace_reader_next(reader, &again) == DMTRACE_OK);
		LAW(same_event(&events[i], &again, form->clock));
	}
	LAW(dmtrace_reader_next(reader, &again) == DMTRACE_END);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}

#define KEY "*version\n3\nclock=dual\n*threads\n1\tmain\n*methods\n" \
	"0x4\ta/First\trun\t()V\tFirst.java\t12\n*end\n"

/* A call of 250 us. */
static const char trace[] = KEY
    "SLOW\3\0\x20\0\0\0\0\0\0\0\0\0\x0e\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\1\0\4\0\0\0\0\0\0\0\xe8\3\0\0"
    "\1\0\5\0\0\0\xc8\0\0\0\xe2\4\0\0";

#define TRACE_LEN (sizeof(trace) - 1)

/* A trace that is written like the one that is read is the same bytes. */
static void
check_copy(void)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_event event;
	size_t len;

	LAW(dmtrace_reader_open_memory(reader, trace, TRACE_LEN) ==
	    DMTRACE_OK);
	LAW(dmtrace_writer_set_like(writer, reader) == DMTRACE_OK);
	LAW(dmtrace_writer_open_memory(writer) == DMTRACE_OK);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		LAW(dmtrace_writer_write(writer, &event, 1) == DMTRACE_OK);
	LAW(dmtrace_writer_close(writer) == DMTRACE_OK);
	const void *bytes = dmtrace_writer_memory(writer, &len);
	LAW(len == TRACE_LEN && memcmp(bytes, trace, len) == 0);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}

static void
check_writer(void)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_key *key = dmtrace_writer_key(writer);
	struct dmtrace_thread thread;
	struct dmtrace_method method;
	struct dmtrace_event events[2];
	size_t len;

	memset(&thread, 0, sizeof(thread));
	memset(&method, 0, sizeof(method));
	thread.id = 1;
	thread.name = DMTRACE_TEXT("main");
	method.id = 4;
	method.class_name = DMTRACE_TEXT("a/First");
	method.name = DMTRACE_TEXT("run");
	method.signature = DMTRACE_TEXT("()V");
	method.file = DMTRACE_TEXT("First.java");
	method.line = 12;
	events[0] = event_of(1, 4, DMTRACE_ENTER, 0, 1000);
	events[1] = event_of(1, 4, DMTRACE_EXIT, 200, 1250);
	LAW(dmtrace_key_thread_add(key, &thread) == DMTRACE_OK);
	LAW(dmtrace_key_method_add(key, &method) == DMTRACE_OK);
	LAW(dmtrace_writer_open_memory(writer) == DMTRACE_OK);
	LAW(dmtrace_writer_write(writer, events, 2) == DMTRACE_OK);
	LAW(dmtrace_writer_close(writer) == DMTRACE_OK);
	const void *bytes = dmtrace_writer_memory(writer, &len);
	LAW(len == TRACE_LEN && memcmp(bytes, trace, len) == 0);
	dmtrace_writer_free(writer);
}

/* Bytes in pieces. */
struct pieces {
	const char *bytes;
	size_t len, at, piece;
};

static ptrdiff_t
read_piece(void *context, void *out, size_t len)
{
	struct pieces *pieces = (struct pieces *)context;
	size_t count = pieces->len - pieces->at;

	if (count > pieces->piece)
		count = pieces->piece;
	if (count > len)
		count = len;
	memcpy(out, pieces->bytes + pieces->at, count);
	pieces->at += count;
	return (ptrdiff_t)count;
}

static enum dmtrace_status
read_pieces(const char *bytes, size_t len, size_t piece, int *count)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct pieces pieces = { bytes, len, 0, piece };
	struct dmtrace_input input = { read_piece, &pieces };
	struct dmtrace_event event;
	enum dmtrace_status status = dmtrace_reader_open_input(reader, &input);

	for (*count = 0; status == DMTRACE_OK; (*count)++)
		status = dmtrace_reader_next(reader, &event);
	LAW(dmtrace_reader_error(reader)->status ==
	    (status == DMTRACE_END ? DMTRACE_OK : status));
	dmtrace_reader_free(reader);
	return status;
}

static void
check_reader(void)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 1000 };
	char changed[TRACE_LEN];
	int count;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		LAW(read_pieces(trace, TRACE_LEN, sizes[i], &count) ==
		    DMTRACE_END);
		LAW(count == 3);	/* two events and the end */
	}
	for (size_t len = 0; len < TRACE_LEN; len++)
		read_pieces(trace, len, 64, &count);
	for (size_t i = 0; i < TRACE_LEN; i++) {
		memcpy(changed, trace, TRACE_LEN);
		changed[i] ^= (char)(1 << (i & 7));
		read_pieces(changed, TRACE_LEN, 64, &count);
	}
}

#define CALLS 1000

static void *
record_calls(void *unused)
{
	DMTRACE_FUNCTION();
	for (int i = 0; i < CALLS; i++) {
		DMTRACE_SCOPE("call");
	}
	return unused;
}

static void
check_recorder(void)
{
	struct dmtrace_recorder_result result;
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event event;
	pthread_t thread;
	uint64_t count = 0;

	LAW(dmtrace_start("laws.trace", NULL) == DMTRACE_OK);
	LAW(pthread_create(&thread, NULL, record_calls, NULL) == 0);
	record_calls(NULL);
	LAW(pthread_join(thread, NULL) == 0);
	LAW(dmtrace_stop(&result) == DMTRACE_OK);
	LAW(result.threads == 2 && result.methods == 2);
	LAW(result.events == 2 * 2 * (CALLS + 1));
	LAW(result.dropped == 0 && result.mismatched == 0);
	LAW(dmtrace_reader_open_path(reader, "laws.trace") == DMTRACE_OK);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		count++;
	LAW(count == result.events);
	LAW(dmtrace_reader_finding_get(reader, 0) == NULL);
	dmtrace_reader_free(reader);
}

/* The file and the reason, as the system words it. */
static void
check_messages(void)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	char expected[128];

	snprintf(expected, sizeof(expected), "cannot open absent/a.trace: %s",
	    strerror(ENOENT));
	LAW(dmtrace_reader_open_path(reader, "absent/a.trace") ==
	    DMTRACE_ERR_IO);
	LAW(strcmp(dmtrace_reader_error(reader)->message, expected) == 0);
	LAW(dmtrace_reader_error(reader)->sys_errno == ENOENT);
	dmtrace_reader_free(reader);
}

int
main(void)
{
	for (size_t i = 0; i < FORMS; i++)
		check_records(&forms[i]);
	check_copy();
	check_writer();
	check_reader();
	check_recorder();
	check_messages();
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
