/* test_fuzz_targets.c - the targets of the fuzzer, on their seeds */

#include <dirent.h>
#include <string.h>

#include "fuzz/targets.h"
#include "helpers/unit.h"

#define SEED_MAX 8192

/* Runs a target on a seed, on some of its prefixes, and with a byte changed. */
static void
run_seed(const struct fuzz_target *target, const char *path)
{
	static uint8_t bytes[SEED_MAX];
	FILE *const file = fopen(path, "rb");

	ck_assert_ptr_nonnull(file);
	const size_t len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	target->run(bytes, len);
	for (size_t i = 0; i < len; i += len / (unit_more() ? 16 : 2) + 1) {
		uint8_t *const prefix = malloc(i + 1);

		memcpy(prefix, bytes, i);
		target->run(prefix, i);
		free(prefix);
		bytes[i] ^= 0x81;
		target->run(bytes, len);
		bytes[i] ^= 0x81;
	}
}

START_TEST(comes_back_from_every_seed)
{
	const struct fuzz_target *const target = &fuzz_targets[_i];
	char folder[1000], path[2000];
	const struct dirent *entry;
	unsigned seeds = 0;

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/seeds/%s",
	    getenv("srcdir"), target->name);
	DIR *dir = opendir(folder);
	if (dir == NULL) {
		snprintf(folder, sizeof(folder), "%s/tests/data",
		    getenv("srcdir"));
		dir = opendir(folder);
	}
	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		run_seed(target, path);
		seeds++;
	}
	closedir(dir);
	ck_assert_uint_gt(seeds, 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("fuzz_targets");
	TCase *tcase = unit_tcase(suite, "fuzz_targets");
	int count = 0;

	while (fuzz_targets[count].name != NULL)
		count++;
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, comes_back_from_every_seed, 0, count);
	return unit_main(suite);
}
