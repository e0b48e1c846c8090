/* cli_files.h - files as they are named on the command line */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <dmtrace.h>
#include <stdbool.h>

/* Returns the file of an operand; "-" is standard input. */
struct dmtrace_file
files_input(const char *operand);

/* Returns the file of -o; "-" or NULL is standard output. */
struct dmtrace_file
files_output(const char *name);

/* Returns the name of a file for messages. */
const char *
files_name(const struct dmtrace_file *file);

/* Returns true, and reports it, if both are the same file on the disk: the
 * output must not be the input. */
bool
files_clash(const struct dmtrace_file *in, const struct dmtrace_file *out);

/* Returns true for a name that ends in a slash, and that of a folder. */
bool
files_is_folder(const char *name);

/* Returns the name without folders. */
const char *
files_last_part(const char *name);

/* Returns the path of a file in a folder, to be freed. NULL: no memory, which
 * was reported. */
char *
files_in_folder(const char *folder, const char *name);

bool
files_is_terminal(const struct dmtrace_file *out);

/* Returns true, and reports it, if the output is a terminal: binary data is
 * not written to one. */
bool
files_terminal(const struct dmtrace_file *out);

/*
 * Returns name with suffix instead of its ".trace", ".key", ".data" or
 * ".dmt", and that of a compressed file after it, or appended if it has none
 * of them. To be freed. NULL: no memory, which was reported.
 */
char *
files_rename(const char *name, const char *suffix);

/* The same for an output, whose suffix of a compressed file is kept:
 * X.data.gz for X.key.gz. */
char *
files_rename_output(const char *name, const char *suffix);

/* Takes the name of a file that may be compressed, and returns it or, if only
 * that exists, with the suffix of a compressed file. To be freed. NULL: no
 * memory, or several such files exist, which was reported, or name is NULL. */
char *
files_packed(char *name);

/* Opens the trace of an operand: a file, one file of a pair, a base name or
 * "-". A failure is set in the reader and not reported. */
enum dmtrace_status
files_open(struct dmtrace_reader *reader, const char *operand);

/* files_clash for all files that the reader of an operand reads; reader may be
 * NULL. */
bool
files_clash_trace(const struct dmtrace_reader *reader, const char *operand,
    const struct dmtrace_file *out);

/* Returns true, and reports it, if the output is one of the files of the
 * operand: the file, the other file of its pair, or the files of a base name.
 * Nothing is opened. */
bool
files_clash_operand(const char *operand, const struct dmtrace_file *out);

/* The same for an output that may be one file of a pair. */
bool
files_clash_halves(const char *operand, const struct dmtrace_file *out);

/* Returns true, and reports it, if two outputs would be the same file, which
 * need not exist; out may be one file of a pair. */
bool
files_clash_outputs(const struct dmtrace_file *other,
    const struct dmtrace_file *out);

/* Returns the name of an operand, with ".trace" appended if only a file of
 * that name exists, or one of that name that is compressed. To be freed. NULL:
 * no memory, which was reported. */
char *
files_joined(const char *operand);

#endif
