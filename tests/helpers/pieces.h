/* pieces.h - what the tests of pieces and of rejoin share */

#ifndef PIECES_H
#define PIECES_H

#include <dmtrace.h>

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "helpers/op.h"
#include "private/trace.h"

/* A well-formed trace, in memory that is to be freed. */
static inline uint8_t *
make_trace(uint64_t seed, const struct dmt_layout *layout,
    uint64_t records, uint32_t threads, size_t *len)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_generate_options options = { 0 };
	uint8_t *copy;

	options.seed = seed;
	options.records = records;
	options.threads = threads;
	options.methods = 20;
	dmt_writer_set_layout(writer, layout);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, len);
	copy = malloc(*len);
	memcpy(copy, bytes, *len);
	dmtrace_writer_free(writer);
	return copy;
}

/* To p/0001.trace and so on, or to p/main.trace. */
static inline enum dmtrace_status
split_path(const char *path, enum dmtrace_pieces_by by, uint64_t amount,
    unsigned flags)
{
	const int made = mkdir("p", 0777);
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_pieces_options options = { 0 };
	enum dmtrace_status status;

	(void)made;			/* it may be there already */
	if (reader == NULL)
		return DMTRACE_ERR_MEMORY;
	options.by = by;
	options.amount = amount;
	options.before = "p/";
	options.after = ".trace";
	options.flags = flags;
	status = dmtrace_reader_open_path(reader, path);
	if (status == DMTRACE_OK)
		status = dmtrace_split_pieces(op, reader, &options, NULL);
	dmtrace_reader_free(reader);
	return status;
}

#define PATHS_MAX 1000

/* The files in p, as they come. */
struct paths {
	char names[PATHS_MAX][300];
	const char *items[PATHS_MAX];
	size_t count;
};

static inline const struct paths *
list_paths(void)
{
	static struct paths paths;
	DIR *const folder = opendir("p");

	ck_assert_ptr_nonnull(folder);
	paths.count = 0;
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(paths.names[paths.count], sizeof(paths.names[0]),
		    "p/%s", entry->d_name);
		paths.items[paths.count] = paths.names[paths.count];
		paths.count++;
	}
	closedir(folder);
	return &paths;
}

static inline void
remove_paths(void)
{
	const struct paths *const paths = list_paths();

	for (size_t i = 0; i < paths->count; i++)
		unlink(paths->items[i]);
}

/* All that is in p to the file out. */
static inline enum dmtrace_status
rejoin_paths(int *exact, unsigned flags)
{
	static const struct dmtrace_file out = { .path = "out" };
	const struct paths *const paths = list_paths();

	return dmtrace_join_pieces(op, paths->items, paths->count, &out, flags,
	    exact);
}

#endif
