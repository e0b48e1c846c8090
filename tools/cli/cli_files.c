/* cli_files.c - files as they are named on the command line */

#include "cli/cli_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/msg.h"
#include "private/output.h"
#include "private/packing.h"
#include "private/trace.h"

static bool
is_dash(const char *name)
{
	return strcmp(name, "-") == 0;
}

struct dmtrace_file
files_input(const char *operand)
{
	return is_dash(operand) ?
	    (struct dmtrace_file){ .path = NULL, .fd = STDIN_FILENO } :
	    (struct dmtrace_file){ .path = operand, .fd = -1 };
}

struct dmtrace_file
files_output(const char *name)
{
	return name == NULL || is_dash(name) ?
	    (struct dmtrace_file){ .path = NULL, .fd = STDOUT_FILENO } :
	    (struct dmtrace_file){ .path = name, .fd = -1 };
}

const char *
files_name(const struct dmtrace_file *file)
{
	if (file->path != NULL)
		return file->path;
	return file->fd == STDIN_FILENO ? "standard input" :
	    "standard output";
}

static bool
look_at_operand(const struct dmtrace_file *file, struct stat *about)
{
	return (file->path == NULL ? fstat(file->fd, about) :
	    stat(file->path, about)) == 0 && S_ISREG(about->st_mode);
}

bool
files_clash(const struct dmtrace_file *in, const struct dmtrace_file *out)
{
	struct stat from, to;

	if (!look_at_operand(in, &from) || !look_at_operand(out, &to) ||
	    from.st_dev != to.st_dev || from.st_ino != to.st_ino)
		return false;
	msg_error("%s is both the input and the output; name another output",
	    files_name(in));
	return true;
}

bool
files_is_folder(const char *name)
{
	const size_t len = strlen(name);
	struct stat about;

	return (len > 0 && name[len - 1] == '/') ||
	    (stat(name, &about) == 0 && S_ISDIR(about.st_mode));
}

const char *
files_last_part(const char *name)
{
	const char *const slash = strrchr(name, '/');

	return slash == NULL ? name : slash + 1;
}

bool
files_is_terminal(const struct dmtrace_file *out)
{
	struct stat about;

	if (out->path == NULL)
		return isatty(out->fd);
	/* Only devices are opened to find out: opening a pipe would wait for a
	 * reader. */
	if (stat(out->path, &about) != 0 || !S_ISCHR(about.st_mode))
		return false;
	const int fd = open(out->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool terminal = isatty(fd);
	close(fd);
	return terminal;
}

bool
files_terminal(const struct dmtrace_file *out)
{
	if (!files_is_terminal(out))
		return false;
	msg_error("records and pictures are not written to a terminal; "
	    "name an output with -o");
	return true;
}

char *
files_rename(const char *name, const char *suffix)
{
	static const char *const suffixes[] = {
		".trace", ".key", ".data", ".dmt"
	};
	size_t len = dmt_packing_stem(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (dmt_path_ends(name, suffixes[i])) {
			len -= strlen(suffixes[i]);
			break;
		}
	char *const renamed = malloc(len + strlen(suffix) + 1);
	if (renamed == NULL) {
		msg_memory();
		return NULL;
	}
	memcpy(renamed, name, len);
	strcpy(renamed + len, suffix);
	return renamed;
}

enum dmtrace_status
files_open(struct dmtrace_reader *reader, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);

	return dmt_reader_open_file(reader, &in);
}

static bool
clash_path(const char *path, const struct dmtrace_file *out)
{
	const struct dmtrace_file in = { .path = path };

	return path != NULL && files_clash(&in, out);
}

bool
files_clash_trace(const struct dmtrace_reader *reader, const char *operand,
    const struct dmtrace_file *out)
{
	const struct dmtrace_file in = files_input(operand);

	if (reader == NULL)
		return false;
	return in.path == NULL ? files_clash(&in, out) :
	    clash_path(dmt_reader_key_path(reader), out) ||
	    clash_path(dmt_reader_data_path(reader), out);
}

/* Returns the strings as one, to be freed. NULL: no memory, which was
 * reported. */
static char *
concat(const char *first, const char *second, const char *third)
{
	const size_t size =
	    strlen(first) + strlen(second) + strlen(third) + 1;
	char *const all = malloc(size);

	if (all == NULL)
		msg_memory();
	else
		snprintf(all, size, "%s%s%s", first, second, third);
	return all;
}

char *
files_in_folder(const char *folder, const char *name)
{
	return concat(folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
	    name);
}

char *
files_packed(char *name)
{
	char *found = NULL;
	bool fine = true;

	for (size_t i = 0; i < DMT_PACKINGS && name != NULL && fine &&
	    access(name, F_OK) != 0; i++) {
		char *const packed = concat(name, dmt_packing_get(i)->suffix,
		    "");

		fine = packed != NULL;
		if (!fine || access(packed, F_OK) != 0) {
			free(packed);
		} else if (found == NULL) {
			found = packed;
		} else {
			msg_error("both %s and %s exist: name one of them",
			    found, packed);
			free(packed);
			fine = false;
		}
	}
	if (fine && found == NULL)
		return name;
	free(name);
	if (fine)
		return found;
	free(found);
	return NULL;
}

char *
files_rename_output(const char *name, const char *suffix)
{
	const struct dmt_packing *const packing = dmt_packing_of_name(name);
	char *const renamed = files_rename(name, suffix);

	if (packing == NULL || renamed == NULL)
		return renamed;
	char *const packed = concat(renamed, packing->suffix, "");
	free(renamed);
	return packed;
}

char *
files_joined(const char *operand)
{
	if (access(operand, F_OK) == 0)
		return concat(operand, "", "");
	char *const name = concat(operand, ".trace", "");
	char *const found = files_packed(name);
	if (found == NULL || access(found, F_OK) == 0)
		return found;
	free(found);
	return concat(operand, "", "");
}

static bool
is_half(const char *path)
{
	return dmt_path_ends(path, ".key") || dmt_path_ends(path, ".data");
}

/* Compares a path, and the other file of its pair if it is one, with a file. */
static bool
clash_halves(const char *path, const struct dmtrace_file *file)
{
	static const char *const suffixes[] = { ".key", ".data" };
	bool clash = false;

	for (size_t i = 0; i < 2 && !clash; i++) {
		char *const half = files_packed(files_rename(path,
		    suffixes[i]));

		clash = half == NULL || files_clash(
		    &(struct dmtrace_file){ .path = half }, file);
		free(half);
	}
	return clash;
}

bool
files_clash_operand(const char *operand, const struct dmtrace_file *out)
{
	const struct dmtrace_file in = files_input(operand);

	if (in.path == NULL)
		return files_clash(&in, out);
	char *const joined = files_joined(operand);
	if (joined == NULL)
		return true;
	const bool clash = access(joined, F_OK) != 0 || is_half(joined) ?
	    clash_halves(joined, out) :
	    files_clash(&(struct dmtrace_file){ .path = joined }, out);
	free(joined);
	return clash;
}

/* Compares with the output, or with both files of the pair. */
bool
files_clash_halves(const char *operand, const struct dmtrace_file *out)
{
	static const char *const suffixes[] = { ".key", ".data" };
	bool clash = false;

	if (out->path == NULL || !is_half(out->path))
		return files_clash_operand(operand, out);
	for (size_t i = 0; i < 2 && !clash; i++) {
		char *const half = files_rename_output(out->path, suffixes[i]);

		clash = half == NULL || files_clash_operand(operand,
		    &(struct dmtrace_file){ .path = half });
		free(half);
	}
	return clash;
}

/* Returns the name that a file has in its folder, and stores the folder's path
 * without links; it is empty if there is no such folder. */
static const char *
find_folder(const char *name, char folder[PATH_MAX])
{
	const char *const slash = strrchr(name, '/');
	char *const found = slash == NULL ? strdup(".") :
	    strndup(name, (size_t)(slash - name) + 1);

	if (found == NULL || realpath(found, folder) == NULL)
		folder[0] = '\0';
	free(found);
	return slash == NULL ? name : slash + 1;
}

/* Returns true if two names are of one file, or of a file that is not there
 * yet: the same name in the same folder. */
static bool
is_same_place(const char *a, const char *b)
{
	char folder_a[PATH_MAX], folder_b[PATH_MAX];
	const char *const base_a = find_folder(a, folder_a);
	const char *const base_b = find_folder(b, folder_b);

	return strcmp(base_a, base_b) == 0 && folder_a[0] != '\0' &&
	    strcmp(folder_a, folder_b) == 0;
}

bool
files_clash_outputs(const struct dmtrace_file *other,
    const struct dmtrace_file *out)
{
	static const char *const suffixes[] = { ".key", ".data" };
	bool clash;

	if (other->path == NULL || out->path == NULL)
		return false;
	clash = is_same_place(other->path, out->path);
	for (size_t i = 0; i < 2 && !clash && is_half(out->path); i++) {
		char *const half = files_rename_output(out->path, suffixes[i]);

		clash = half == NULL || is_same_place(other->path, half);
		free(half);
	}
	if (clash)
		msg_error("%s would be written twice; name another output",
		    other->path);
	return clash;
}
