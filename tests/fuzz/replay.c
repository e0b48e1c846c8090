/* replay.c - runs targets on files, without libFuzzer */

/*
 * "replay TARGET FILE..." runs a target on each file; "replay" alone prints the
 * names of the targets. It needs no clang: for gcov, valgrind, MemorySanitizer,
 * and computers without libFuzzer.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/targets.h"

/* The bytes are in memory of their size, so that a read beyond is seen. */
static bool
replay(const struct fuzz_target *target, const char *path)
{
	FILE *const file = fopen(path, "rb");
	long len = -1;

	if (file != NULL && fseek(file, 0, SEEK_END) == 0)
		len = ftell(file);
	uint8_t *const bytes = len < 0 ? NULL : malloc((size_t)len);
	const bool read = (bytes != NULL || len == 0) &&
	    fseek(file, 0, SEEK_SET) == 0 &&
	    fread(bytes, 1, (size_t)len, file) == (size_t)len;
	if (read)
		target->run(bytes, (size_t)len);
	else
		fprintf(stderr, "replay: %s cannot be read\n", path);
	free(bytes);
	if (file != NULL)
		fclose(file);
	return read;
}

int
main(int argc, char **argv)
{
	const struct fuzz_target *target = fuzz_targets;
	bool fine = true;

	if (argc < 2) {
		for (; target->name != NULL; target++)
			puts(target->name);
		return 0;
	}
	while (target->name != NULL && strcmp(target->name, argv[1]) != 0)
		target++;
	if (target->name == NULL) {
		fprintf(stderr, "replay: no target %s\n", argv[1]);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		fine = replay(target, argv[i]) && fine;
	return fine ? 0 : 1;
}
