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

/* The first failure is kept, so it is enough to ask at the end. */
static const struct dmtrace_error *
write_trace(struct dmtrace_writer *writer)
{
	struct dmtrace_key *key = dmtrace_writer_key(writer);

	if (dmtrace_key_thread_add(key, &thread) != DMTRACE_OK ||
	    dmtrace_key_method_add(key, &method) != DMTRACE_OK)
		return dmtrace_key_error(key);
	dmtrace_writer_open_path(writer, "first.trace");
	dmtrace_writer_write(writer, call, 2);
	dmtrace_writer_close(writer);
	return dmtrace_writer_error(writer);
}

static const struct dmtrace_error *
print_trace(struct dmtrace_reader *reader)
{
	struct dmtrace_event event;

	dmtrace_reader_open_path(reader, "first.trace");
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		printf("%" PRIu64 " ns: %s 0x%" PRIx64 "\n", event.wall_ns,
		    dmtrace_action_name(event.action), event.method);
	return dmtrace_reader_error(reader);
}

int
main(void)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_reader *reader = dmtrace_reader_new();
	const struct dmtrace_error *error = NULL;

	if (writer != NULL && reader != NULL)
		error = write_trace(writer);
	if (error != NULL && error->status == DMTRACE_OK)
		error = print_trace(reader);
	const int status = error != NULL && error->status == DMTRACE_OK ? 0 : 2;
	if (status != 0)
		fprintf(stderr, "first: %s\n",
		    error == NULL ? "out of memory" : error->message);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}
