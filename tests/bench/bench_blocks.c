/* bench_blocks.c - makes a trace whose threads wrote their events in blocks
 *
 * bench_blocks IN OUT RECORDS: writes blocks of RECORDS records of one thread,
 * each at the place of its last record in IN, as by a VM whose threads have
 * their own buffers.
 */

#include <dmtrace.h>

#include <stdio.h>
#include <stdlib.h>

#define BATCH 4096
#define THREADS 65536

struct block {
	struct dmtrace_event *events;
	size_t count;
};

static struct block blocks[THREADS];

static void
flush(struct dmtrace_writer *writer, struct block *block)
{
	dmtrace_writer_write(writer, block->events, block->count);
	block->count = 0;
}

static void
put(struct dmtrace_writer *writer, struct block *block,
    const struct dmtrace_event *event, size_t capacity)
{
	if (block->events == NULL)
		block->events = malloc(sizeof(*event) * capacity);
	if (block->events == NULL)
		abort();
	block->events[block->count++] = *event;
	if (block->count == capacity)
		flush(writer, block);
}

static void
copy(struct dmtrace_reader *reader, struct dmtrace_writer *writer,
    size_t capacity)
{
	static struct dmtrace_event events[BATCH];
	size_t count;

	while (dmtrace_reader_read(reader, events, BATCH, &count) ==
	    DMTRACE_OK && count > 0)
		for (size_t i = 0; i < count; i++)
			put(writer, &blocks[events[i].thread], &events[i],
			    capacity);
	for (size_t i = 0; i < THREADS; i++)
		if (blocks[i].count > 0)
			flush(writer, &blocks[i]);
}

int
main(int argc, char **argv)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	if (argc != 4 || dmtrace_reader_open_path(reader, argv[1]) !=
	    DMTRACE_OK || dmtrace_writer_set_like(writer, reader) !=
	    DMTRACE_OK || dmtrace_writer_open_path(writer, argv[2]) !=
	    DMTRACE_OK || dmtrace_writer_complete(writer) != DMTRACE_OK)
		return EXIT_FAILURE;
	copy(reader, writer, strtoul(argv[3], NULL, 10));
	const enum dmtrace_status status = dmtrace_writer_close(writer);
	for (size_t i = 0; i < THREADS; i++)
		free(blocks[i].events);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status == DMTRACE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
