/* merge_operands.c - the operands of a command that merges them */

#include "cli/merge_operands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/duration_text.h"
#include "cli/msg.h"
#include "cli/suggestion.h"

/* The operand without folders, and without what the names of traces end in. */
static char *
make_name(const char *operand)
{
	const char *const slash = strrchr(operand, '/');

	return files_rename(strcmp(operand, "-") == 0 ? "stdin" :
	    slash == NULL ? operand : slash + 1, "");
}

bool
merge_operands_init(struct merge_operands *inputs, char **operands,
    size_t count,
    bool prefixes)
{
	*inputs = (struct merge_operands){
		.items = calloc(count, sizeof(*inputs->items)),
		.names = calloc(count, sizeof(*inputs->names)),
		.operands = operands,
		.count = count
	};
	if (inputs->items == NULL || inputs->names == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		inputs->items[i].file = files_input(operands[i]);
		if (!prefixes)
			continue;
		inputs->names[i] = make_name(operands[i]);
		if (inputs->names[i] == NULL)
			return false;
		inputs->items[i].prefix = inputs->names[i];
	}
	return true;
}

void
merge_operands_fini(struct merge_operands *inputs)
{
	for (size_t i = 0; inputs->names != NULL && i < inputs->count; i++)
		free(inputs->names[i]);
	free(inputs->names);
	free(inputs->items);
}

static bool
miss(const struct merge_operands *inputs, const char *name)
{
	struct suggestion near = { .wanted = name };
	char words[SUGGESTION_TEXT_MAX];

	for (size_t i = 0; i < inputs->count; i++)
		suggestion_offer(&near, inputs->operands[i]);
	msg_error("--offset: %s is not an input%s", name,
	    suggestion_text(&near, "", words));
	return false;
}

/* An operand that is named twice is moved twice. */
static bool
move(struct merge_operands *inputs, const char *name, int64_t offset_ns)
{
	bool found = false;

	for (size_t i = 0; i < inputs->count; i++)
		if (strcmp(inputs->operands[i], name) == 0) {
			inputs->items[i].offset_ns = offset_ns;
			found = true;
		}
	return found || miss(inputs, name);
}

/* A name may hold "=", a duration does not. */
static bool
take_offset(struct merge_operands *inputs, const char *offset)
{
	const char *const equals = strrchr(offset, '=');
	int64_t offset_ns;

	if (equals == NULL || !duration_parse(equals + 1, &offset_ns) ||
	    offset_ns % 1000 != 0) {
		msg_error("--offset: \"%s\" is not FILE=DUR, such as"
		    " a.trace=1.5ms, of whole microseconds", offset);
		return false;
	}
	char *const name = strndup(offset, (size_t)(equals - offset));
	if (name == NULL) {
		msg_memory();
		return false;
	}
	const bool found = move(inputs, name, offset_ns);
	free(name);
	return found;
}

bool
merge_operands_take_offsets(struct merge_operands *inputs,
    const struct opt_list *offsets)
{
	for (size_t i = 0; i < offsets->count; i++)
		if (!take_offset(inputs, offsets->items[i]))
			return false;
	return true;
}

static bool
is_half(const char *path)
{
	const size_t len = strlen(path);

	return (len > 4 && strcmp(path + len - 4, ".key") == 0) ||
	    (len > 5 && strcmp(path + len - 5, ".data") == 0);
}

/* A path and its other half, if it has one, against a file. */
static bool
clash_halves(const char *path, const struct dmtrace_file *file)
{
	static const char *const suffixes[] = { ".key", ".data" };
	bool clash = false;

	for (size_t i = 0; i < 2 && !clash; i++) {
		char *const half = files_rename(path, suffixes[i]);

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

/* The output, or both of its halves. */
static bool
clash_output(const char *operand, const struct dmtrace_file *out)
{
	static const char *const suffixes[] = { ".key", ".data" };
	bool clash = false;

	if (out->path == NULL || !is_half(out->path))
		return files_clash_operand(operand, out);
	for (size_t i = 0; i < 2 && !clash; i++) {
		char *const half = files_rename(out->path, suffixes[i]);

		clash = half == NULL || files_clash_operand(operand,
		    &(struct dmtrace_file){ .path = half });
		free(half);
	}
	return clash;
}

bool
merge_operands_clash(const struct merge_operands *inputs,
    const struct dmtrace_file *out)
{
	size_t streams = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		streams += strcmp(inputs->operands[i], "-") == 0;
		if (clash_output(inputs->operands[i], out))
			return true;
	}
	if (streams > 1)
		msg_error("standard input is one trace, not %zu", streams);
	return streams > 1;
}
