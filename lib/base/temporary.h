/* temporary.h - temporaries of outputs, removed on signals; preallocation */
#ifndef DMT_BASE_TEMPORARY_H
#define DMT_BASE_TEMPORARY_H

#include <dmtrace/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* An entry of the list that dmt_temporaries_remove walks. */
struct dmt_temporary {
	struct dmt_temporary *next;
	struct dmt_temporary **link;	/* the pointer that points to this
					   entry */
	pid_t owner;			/* the process; a child after fork must
					   not remove it */
	char path[];
};

/*
 * Creates a file in the directory of path, open for reading and writing, whose
 * name contains a number, the first free one from first on. Returns its
 * descriptor, or -1 with errno. Free *temporary once the file is renamed or
 * unlinked.
 */
int
dmt_temporary_create(struct dmt_temporary **temporary, const char *path,
    mode_t mode, unsigned first);

/* temporary may be NULL. */
void
dmt_temporary_free(struct dmt_temporary *temporary);

/* Asks the file system to allocate len bytes from offset on at once, which is
 * faster. The file's size does not change. false: it did not. */
bool
dmt_file_preallocate(int fd, uint64_t offset, uint64_t len);

#endif
