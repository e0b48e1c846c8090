/* reserve.h - room in a file system for what a file will hold */
#ifndef DMT_BASE_RESERVE_H
#define DMT_BASE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

/* Has the file system find room for len bytes from offset on at once, which
 * is faster, without a change of the file's size. false: it does not. */
bool
dmt_file_reserve(int fd, uint64_t offset, uint64_t len);

#endif
