/* first.c - write a small trace, read it back, print its events */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdio.h>

#define TEXT(literal) { literal, sizeof(literal) - 1 }

static const struct dmtrace_thread thread = { 1, TEXT("main") };
static const struct dmtrace_method method =
    { 4, TEXT("a/First"), TEXT("run"), TEXT("()V"), TEXT("First.java"), 12 };

/* A call of 250 us, of which its thread had the CPU for 200 us. */
static const struct dmtrace_event call[] = {
	{ 4, 0, 1000000, 1, DMTRACE_ENTER },
	{ 4, 200000, 1250000, 1, DMTRACE_EXIT },
};

/* A failure is kept, so it is enough to ask at the close. */
static enum dmtrace_status
write_trace(struct dmtrace_writer *writer)
{
	dmtrace_key_thread_add(dmtrace_writer_key(writer), &thread);
	dmtrace_key_method_add(dmtrace_writer_key(writer), &method);
	dmtrace_writer_open_path(writer, "first.trace");
	dmtrace_writer_write(writer, call, 2);
	return dmtrace_writer_close(writer);
}

static enum dmtrace_status
print_trace(struct dmtrace_reader *reader)
{
	struct dmtrace_event event;

	dmtrace_reader_open_path(reader, "first.trace");
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		printf("%" PRIu64 " ns: %s 0x%" PRIx64 "\n", event.wall_ns,
		    dmtrace_action_name(event.action), event.method);
	return dmtrace_reader_error(reader)->status;
}

int
main(void)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_reader *reader = dmtrace_reader_new();
	int status = 2;

	if (writer == NULL || reader == NULL)
		fputs("out of memory\n", stderr);
	else if (write_trace(writer) != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_writer_error(writer)->words);
	else if (print_trace(reader) != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_reader_error(reader)->words);
	else
		status = 0;
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}
