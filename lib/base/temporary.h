/* temporary.h - files that are being written: temporaries, and room for them */
#ifndef DMT_BASE_TEMPORARY_H
#define DMT_BASE_TEMPORARY_H

#include <dmtrace/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One that dmt_temporaries_remove knows of. */
struct dmt_temporary {
	struct dmt_temporary *next;
	struct dmt_temporary **link;	/* what points to it */
	pid_t owner;			/* a fork does not have it */
	char path[];
};

/*
 * Makes a file in the folder that path is in, for reading and writing, with a
 * name that has a number from first on. Returns its descriptor, or -1 with
 * errno. *temporary is to be freed once the file is renamed or unlinked.
 */
int
dmt_temporary_create(struct dmt_temporary **temporary, const char *path,
    mode_t mode, unsigned first);

/* NULL is allowed. */
void
dmt_temporary_free(struct dmt_temporary *temporary);

/* Has the file system find room for len bytes from offset on at once, which
 * is faster, without a change of the file's size. false: it does not. */
bool
dmt_file_preallocate(int fd, uint64_t offset, uint64_t len);

#endif
