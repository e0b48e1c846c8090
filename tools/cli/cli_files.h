/* cli_files.h - files as they are named on the command line */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <dmtrace.h>
#include <stdbool.h>

/* The file of an operand; "-" is standard input. */
struct dmtrace_file
files_input(const char *operand);

/* The file of -o; "-" or NULL is standard output. */
struct dmtrace_file
files_output(const char *name);

/* How messages call it. */
const char *
files_name(const struct dmtrace_file *file);

/* Whether both are the same file on the disk, which is reported: the input must
 * not be the output. */
bool
files_clash(const struct dmtrace_file *in, const struct dmtrace_file *out);

bool
files_is_terminal(const struct dmtrace_file *out);

/* Whether it is a terminal, which is reported: binary does not go to one. */
bool
files_terminal(const struct dmtrace_file *out);

/*
 * name with suffix in place of its ".trace", ".key" or ".data", or after it
 * if it has none of them. Free it. NULL, which is reported: no memory.
 */
char *
files_rename(const char *name, const char *suffix);

/* Opens the trace of an operand: a file, either half of a pair, a base name
 * or "-". The reader has the failure, which is not reported. */
enum dmtrace_status
files_open(struct dmtrace_reader *reader, const char *operand);

/* files_clash for all the files that the reader of an operand reads; NULL reads
 * none. */
bool
files_clash_trace(const struct dmtrace_reader *reader, const char *operand,
    const struct dmtrace_file *out);

/* Whether the output is what the operand is read from, which is reported: a
 * file, its other half, or what a base name leads to. Nothing is opened. */
bool
files_clash_operand(const char *operand, const struct dmtrace_file *out);

/* The same for an output that may be a half of a pair. */
bool
files_clash_halves(const char *operand, const struct dmtrace_file *out);

/* The name of an operand, with ".trace" after it if there is only a file of
 * that name. Free it. NULL, which is reported: no memory. */
char *
files_joined(const char *operand);

#endif
