/* targets.h - functions of the library that take arbitrary bytes */

#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;
	void (*run)(const uint8_t *bytes, size_t len);	/* aborts on a fault */
};

/* Aborts, with the claim, unless it holds. */
void
demand(bool holds, const char *claim);

/* Returns a file that has these bytes, at its beginning; which is 0 to 2. It
 * is the same file each time: making one takes longer than most runs. */
int
scratch_file(unsigned which, const uint8_t *bytes, size_t len);

enum { SCRATCH_PATH = 1000 };

/* Sets path to that of a file in a folder that no other process uses, or for ""
 * to that of the folder. It is removed at exit, with its files. */
void
scratch_path(char path[SCRATCH_PATH], const char *name);

/* Of calls.c. */
void
run_calls(const uint8_t *bytes, size_t len);
void
run_recorder(const uint8_t *bytes, size_t len);

/* Of made.c. */
void
run_pieces(const uint8_t *bytes, size_t len);
void
run_convert(const uint8_t *bytes, size_t len);

/* Of options.c. */
void
run_options(const uint8_t *bytes, size_t len);

/* Of parquet.c. */
void
run_parquet(const uint8_t *bytes, size_t len);

/* Of use.c. */
void
run_use(const uint8_t *bytes, size_t len);

/* Of whole.c. */
void
run_open(const uint8_t *bytes, size_t len);
void
run_judge(const uint8_t *bytes, size_t len);
void
run_fix(const uint8_t *bytes, size_t len);
void
run_merge(const uint8_t *bytes, size_t len);

/* Ends with a row without a name. */
extern const struct fuzz_target fuzz_targets[];

#endif
