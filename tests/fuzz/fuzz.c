/* fuzz.c - runs a target under libFuzzer: that of the program's name, as in
 * fuzz-key, else that of FUZZ_TARGET */

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
	/* Where fuzz-key runs, OSS-Fuzz has set FUZZ_TARGET to "fuzz-key". */
	const char *const slash = strrchr((*argv)[0], '/');
	const char *const program = slash == NULL ? (*argv)[0] : slash + 1;
	const char *const at = strstr(program, "fuzz-");
	const char *const name = at == NULL ? getenv("FUZZ_TARGET") :
	    at + strlen("fuzz-");

	(void)argc;
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
	fprintf(stderr, "fuzz: neither the program's name nor FUZZ_TARGET is "
	    "a target\n");
	exit(2);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	target->run(bytes, len);
	return 0;
}
