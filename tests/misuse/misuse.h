/* misuse.h - what the programs of this folder share
 *
 * Each calls the library as its manual does not ask for, and is written from
 * the manual alone. A case is a function: check_misuse.sh runs each as a
 * process of its own, in an empty folder, with the sanitizers. Without an
 * argument a program prints the names of its cases.
 */
#ifndef MISUSE_H
#define MISUSE_H

#ifdef MISUSE_ONE_HEADER
#include "dmtrace_write.h"
#else
#include <dmtrace.h>
#endif
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct misuse {
	const char *name;
	void (*run)(void);
};

#define CASE(function) { #function, function }

/* The call has this status; the condition holds. */
#define IS(call, expected) do { \
	const int is_status = (int)(call); \
	if (is_status != (int)(expected)) { \
		printf("%s:%d: %s is %d, not %s\n", __FILE__, __LINE__, \
		    #call, is_status, #expected); \
		fflush(stdout); \
		_exit(1); \
	} \
} while (0)
#define OK(call) IS(call, DMTRACE_OK)
#define HOLDS(condition) do { \
	if (!(condition)) { \
		printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
		fflush(stdout); \
		_exit(1); \
	} \
} while (0)

/* The error of an object has this text in its message. */
#define SAYS(error, text) do { \
	if (strstr((error)->message, text) == NULL) { \
		printf("%s:%d: \"%s\" has no \"%s\"\n", __FILE__, __LINE__, \
		    (error)->message, text); \
		fflush(stdout); \
		_exit(1); \
	} \
} while (0)

static inline int
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* How many files the folder has, whatever their names. */
static inline unsigned
file_count(void)
{
	DIR *const folder = opendir(".");
	unsigned count = 0;

	HOLDS(folder != NULL);
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
		count += strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}

static inline void
write_text(const char *path, const char *text)
{
	FILE *const file = fopen(path, "w");

	HOLDS(file != NULL && fputs(text, file) >= 0);
	HOLDS(fclose(file) == 0);
}

/* A text of so many letters; the caller frees it. */
static inline char *
letters(size_t len)
{
	char *const text = (char *)malloc(len + 1);

	HOLDS(text != NULL);
	memset(text, 'a', len);
	text[len] = '\0';
	return text;
}

/* A trace of main, which enters a.b at 1 ms and leaves it at 2 ms. */
static inline void
make_trace(const char *path)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	dmtrace_writer_set_layout(writer, 2, DMTRACE_CLOCK_WALL);
	dmtrace_writer_open_path(writer, path);
	dmtrace_writer_add_thread(writer, 1, "main");
	dmtrace_writer_add_method(writer, 4, "a", "b");
	dmtrace_writer_enter(writer, 1, 4, 1000000);
	dmtrace_writer_exit(writer, 1, 4, 2000000);
	OK(dmtrace_writer_close(writer));
	dmtrace_writer_free(writer);
}

#ifndef MISUSE_ONE_HEADER
/* How many events a trace has; it has to be a whole one. */
static inline unsigned
events_of(const char *path)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	unsigned count = 0;

	OK(dmtrace_reader_open_path(reader, path));
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		count++;
	OK(dmtrace_reader_error(reader)->status);
	dmtrace_reader_free(reader);
	return count;
}
#endif

static inline int
misuse_main(int argc, char **argv, const struct misuse *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (argc < 2)
			puts(cases[i].name);
		else if (strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
			return 0;
		}
	return argc < 2 ? 0 : 2;
}

#define MISUSE_MAIN(cases) \
int \
main(int argc, char **argv) \
{ \
	return misuse_main(argc, argv, cases, \
	    sizeof(cases) / sizeof((cases)[0])); \
}

#endif
