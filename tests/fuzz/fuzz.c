/* fuzz.c - runs the target that FUZZ_TARGET names under libFuzzer, or the name
 * of the program, as in fuzz-key */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/targets.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv);
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const struct fuzz_target *target = fuzz_targets;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");

	(void)argc;
	if (name == NULL && strstr((*argv)[0], "fuzz-") != NULL) {
		name = (*argv)[0];
		for (const char *at; (at = strstr(name, "fuzz-")) != NULL;)
			name = at + strlen("fuzz-");
	}
	if (name != NULL && strcmp(name, "list") == 0) {
		for (; target->name != NULL; target++)
			puts(target->name);
		exit(0);
	}
	while (name != NULL && target->name != NULL &&
	    strcmp(target->name, name) != 0)
		target++;
	if (name != NULL && target->name != NULL)
		return 0;
	fprintf(stderr, "fuzz: FUZZ_TARGET is none of the targets\n");
	exit(2);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	target->run(bytes, len);
	return 0;
}
