/* samples.c - the traces that laws of reading and writing are tested on */

#include "helpers/samples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/unit.h"
#include "private/trace.h"

/* Every byte of a sample is changed: what is large is in the corpus. */
enum {
	SMALL = 4096,
	ONE_OF = 4		/* DMTRACE_DEFECTS, without DMTRACE_MORE */
};

static struct {
	struct sample *items;
	size_t count;
} samples;

static void *
must(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

/* Takes the name and the bytes over. */
static void
add(char *name, uint8_t *bytes, size_t len)
{
	samples.items = must(realloc(samples.items,
	    (samples.count + 1) * sizeof(*samples.items)));
	samples.items[samples.count++] = (struct sample){
		.name = name, .bytes = bytes, .len = len
	};
}

static void
load_file(char *path, size_t max)
{
	FILE *file = must(fopen(path, "rb"));

	fseek(file, 0, SEEK_END);
	const size_t len = (size_t)ftell(file);
	rewind(file);
	uint8_t *bytes = must(malloc(len + 1));
	if (fread(bytes, 1, len, file) != len)
		abort();
	fclose(file);
	if (len <= max) {
		add(path, bytes, len);
	} else {
		free(bytes);
		free(path);
	}
}

static int
is_trace(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot != NULL && strcmp(dot, ".trace") == 0;
}

static void
load_folder(const char *folder, const char *below, size_t max)
{
	struct dirent **entries;
	char path[4096];

	if (folder == NULL)
		return;
	snprintf(path, sizeof(path), "%s%s", folder, below);
	const int count = scandir(path, &entries, is_trace, alphasort);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s%s/%s", folder, below,
		    entries[i]->d_name);
		load_file(must(strdup(path)), max);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* A small one for each layout, and one of more than 4 KB. */
static const struct {
	const char *name;
	unsigned version;
	enum dmtrace_clock clock;
	uint64_t records;
} generated[] = {
	{ "generated-v1",      1, DMTRACE_CLOCK_THREAD_CPU, 60   },
	{ "generated-v2",      2, DMTRACE_CLOCK_WALL,       60   },
	{ "generated-v3",      3, DMTRACE_CLOCK_DUAL,       60   },
	{ "generated-v3-wall", 3, DMTRACE_CLOCK_WALL,       60   },
	{ "generated-big",     3, DMTRACE_CLOCK_DUAL,       2000 },
};

/* A list of folders, with a colon between two. */
static void
load_folders(const char *list)
{
	char *const folders = must(strdup(list == NULL ? "" : list));

	for (char *next = folders, *folder; next != NULL;) {
		folder = next;
		next = strchr(folder, ':');
		if (next != NULL)
			*next++ = '\0';
		if (folder[0] != '\0')
			load_folder(folder, "", SMALL);
	}
	free(folders);
}

static void
load_generated(size_t row)
{
	struct dmtrace_op *op = must(dmtrace_op_new());
	struct dmtrace_writer *writer = must(dmtrace_writer_new());
	struct dmtrace_generate_options options = { 0 };
	size_t len;

	options.seed = row;
	options.records = generated[row].records;
	options.methods = 20;
	if (dmt_writer_set_layout(writer, dmt_layout_find(
	    generated[row].version, generated[row].clock)) != DMTRACE_OK ||
	    dmtrace_writer_open_memory(writer) != DMTRACE_OK ||
	    dmtrace_generate(op, writer, &options) != DMTRACE_OK ||
	    dmtrace_writer_close(writer) != DMTRACE_OK)
		abort();
	const void *bytes = dmtrace_writer_memory(writer, &len);
	add(must(strdup(generated[row].name)),
	    memcpy(must(malloc(len)), bytes, len), len);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
}

void
samples_load(void)
{
	load_folder(getenv("srcdir"), "/tests/data", SIZE_MAX);
	load_folder(getenv("DMTRACE_CORPUS"), "", SIZE_MAX);
	load_folder(getenv("DMTRACE_CORPUS"), "/dalvik-filters", SIZE_MAX);
	const size_t whole = samples.count;
	load_folders(getenv("DMTRACE_DEFECTS"));
	const size_t all = samples.count;
	samples.count = whole;
	for (size_t i = whole; i < all; i++) {
		if (!unit_more() && (i - whole) % ONE_OF != 0) {
			free(samples.items[i].name);
			free(samples.items[i].bytes);
			continue;
		}
		samples.items[i].damaged = true;
		samples.items[samples.count++] = samples.items[i];
	}
	for (size_t i = 0; i < sizeof(generated) / sizeof(*generated); i++)
		load_generated(i);
}

size_t
samples_count(void)
{
	return samples.count;
}

const struct sample *
sample_get(int index)
{
	return &samples.items[index];
}
