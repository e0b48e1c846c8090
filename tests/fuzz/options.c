/* options.c - arbitrary arguments of a command line */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/opt.h"
#include "fuzz/targets.h"

enum { ARGUMENTS = 20 };

static const struct cmd command = {
	.name = "fuzz",
	.synopsis = "[OPTION]... FILE...",
	.summary = "be parsed",
	.examples = { "dmtrace fuzz" }
};

/* An option of each kind; some have names that begin alike. */
static int
parse(int *argc, char **argv, uint64_t *top)
{
	static const char *const words[] = { "one", "two", NULL };
	static const unsigned meanings[] = { 7, 5 };
	struct opt_list list = { 0 }, files = { 0 };
	uint64_t number = 0, size = 0, time = 0, width = 7;
	const char *string = "", *maybe = "", *output = NULL;
	double percent = 0;
	unsigned choice = 0, meaning = 5;
	bool flag = false;
	const struct opt options[] = {
		OPT_GROUP("Numbers"),
		OPT_RANGE('n', "number", "N", &number, 1, 9, "a number"),
		OPT_OPTIONAL("width", "N", &width, 1, 9, 5, "another one"),
		OPT_SIZE('s', "size", "N", &size, "bytes"),
		OPT_TIME(0, "time", "TIME", &time, "a time"),
		OPT_TOP(top, "rows"),
		OPT_PERCENT('p', "percent", "P", &percent, "a share"),
		OPT_GROUP("Others"),
		OPT_FLAG('f', "flag", &flag, "a flag"),
		OPT_STRING_LIKE(0, "string", "S", &string, words, "a string"),
		OPT_MAYBE(0, "strings", "S", &maybe, "more"),
		OPT_OUTPUT_FILE(&output, "the output", ".trace"),
		OPT_LIST_LIKE('t', "thread", "T", &list, words, "some"),
		OPT_FILES(0, "files", "FILE", &files, "others"),
		OPT_CHOICE('c', "choice", "W", &choice, words, "a word"),
		OPT_MEANING('m', "meaning", "W", &meaning, words, meanings,
		    "what a word means"),
		OPT_REFUSED('d', "dialect", "arguments have no dialect"),
		OPT_REFUSED(0, "strict", "nothing is lost"),
		OPT_END
	};
	const int result = opt_parse(&command, options, argc, argv);

	if (result == OPT_GO)
		demand(number <= 9 && width >= 1 && width <= 9 &&
		    percent >= 0 && percent <= 100 && choice < 2 &&
		    (meaning == 7 || meaning == 5) &&
		    string != NULL && maybe != NULL,
		    "values are in their ranges");
	opt_list_fini(&list);
	opt_list_fini(&files);
	return result;
}

/* Lines are arguments. What is printed is not shown. */
void
run_options(const uint8_t *bytes, size_t len)
{
	char *const text = malloc(len + 1);
	char *argv[ARGUMENTS + 2] = { text + len };
	uint64_t top = 0;
	int argc = 1;

	memcpy(text, bytes, len);
	text[len] = '\0';
	for (char *at = text; at < text + len && argc <= ARGUMENTS;
	    at += strlen(at) + 1) {
		at[strcspn(at, "\n")] = '\0';
		argv[argc++] = at;
	}
	const int count = argc;
	fflush(stdout);
	const int nothing = open("/dev/null", O_WRONLY);
	const int saved[] = { dup(1), dup(2) };
	dup2(nothing, 1);
	dup2(nothing, 2);
	const int result = parse(&argc, argv, &top);
	fflush(stdout);
	dup2(saved[0], 1);
	dup2(saved[1], 2);
	close(saved[0]);
	close(saved[1]);
	close(nothing);
	demand(result == OPT_GO || result == CMD_OK || result == CMD_TROUBLE,
	    "it ends in a status");
	demand(argc >= 0 && argc <= count,
	    "operands are some of the arguments");
	for (int i = 0; result == OPT_GO && i < argc; i++)
		demand(argv[i] >= text && argv[i] <= text + len,
		    "an operand is an argument");
	free(text);
}
