/* damage.h - whether data was taken for text */
#ifndef DMT_VERIFY_DAMAGE_H
#define DMT_VERIFY_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a tool that takes bytes for text has done to them. NULL: nothing that
 * the first len bytes of data tell for sure. */
const char *
dmt_damage_find(const uint8_t *bytes, size_t len);

#endif
