/* packing.h - compressed files: how they begin and what they are called */
#ifndef DMT_BASE_PACKING_H
#define DMT_BASE_PACKING_H

#include <stddef.h>
#include <stdint.h>

#include "private/packing.h"

/* Returns the format of a file that begins with these bytes, or has no more, if
 * they are fewer than ten; NULL: none. */
const struct dmt_packing *
dmt_packing_of_bytes(const uint8_t *bytes, size_t len);

/* Returns the functions that were set; NULL: none. */
const struct dmt_packer *
dmt_packer_get(void);

/*
 * Starts the program that unpacks the regular file fd, from its beginning, if
 * its first bytes need one and dmt_packer_set was called. Returns the program,
 * and the descriptor to read in *pipe_fd; NULL: there is nothing to unpack, or
 * error is set.
 */
void *
dmt_unpack_start(int fd, int *pipe_fd, struct dmtrace_error *error);

#endif
