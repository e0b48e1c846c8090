/* packing.c - compressed files: how they begin and what they are called */

#include "base/packing.h"

#include <string.h>
#include <unistd.h>

#define MAGIC_MAX 10

static const struct {
	struct dmt_packing packing;
	uint8_t len;
	const char *magic;
} packings[] = {
	/* gzip -n writes the same bytes each time. */
	{ { "gzip", "-nc", ".gz", "gzip" }, 2, "\x1f\x8b" },
	{ { "zstd", "-c", ".zst", "zstd" }, 4, "\x28\xb5\x2f\xfd" },
	{ { "xz", "-c", ".xz", "xz-utils" }, 6, "\xfd" "7zXZ\0" },
	{ { "bzip2", "-c", ".bz2", "bzip2" }, 3, "BZh" },
	{ { "lz4", "-c", ".lz4", "lz4" }, 4, "\x04\x22\x4d\x18" },
	/* Other first bytes of formats above: pzstd begins with a frame that
	 * zstd skips, and an older lz4. */
	{ { "zstd", "-c", ".zst", "zstd" }, 4, "\x50\x2a\x4d\x18" },
	{ { "lz4", "-c", ".lz4", "lz4" }, 4, "\x02\x21\x4c\x18" },
};

enum { PACKINGS = sizeof(packings) / sizeof(packings[0]) };

static const struct dmt_packer *packer;

void
dmt_packer_set(const struct dmt_packer *functions)
{
	packer = functions;
}

const struct dmt_packer *
dmt_packer_get(void)
{
	return packer;
}

const struct dmt_packing *
dmt_packing_get(size_t i)
{
	return &packings[i].packing;
}

/* After "BZh" and a level bzip2 has a block, or the end; or the input ends. */
static bool
is_bzip2(const uint8_t *bytes, size_t len)
{
	const size_t rest = len < 4 ? 0 : len < MAGIC_MAX ? len - 4 : 6;

	return len < 4 || (bytes[3] >= '1' && bytes[3] <= '9' &&
	    (memcmp(bytes + 4, "1AY&SY", rest) == 0 ||
	    memcmp(bytes + 4, "\x17rE8P\x90", rest) == 0));
}

const struct dmt_packing *
dmt_packing_of_bytes(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < PACKINGS; i++) {
		/* Three bytes show what was cut there. */
		const size_t shown =
		    len >= 3 && len < packings[i].len ? len : packings[i].len;

		if (len >= shown &&
		    memcmp(bytes, packings[i].magic, shown) == 0 &&
		    (packings[i].magic[0] != 'B' || is_bzip2(bytes, len)))
			return &packings[i].packing;
	}
	return NULL;
}

const struct dmt_packing *
dmt_packing_of_name(const char *name)
{
	const size_t len = name == NULL ? 0 : strlen(name);

	for (size_t i = 0; i < PACKINGS; i++) {
		const char *const suffix = packings[i].packing.suffix;
		const size_t suffix_len = strlen(suffix);

		if (len > suffix_len &&
		    strcmp(name + len - suffix_len, suffix) == 0)
			return &packings[i].packing;
	}
	return NULL;
}

size_t
dmt_packing_stem(const char *name)
{
	const struct dmt_packing *const packing = dmt_packing_of_name(name);

	return strlen(name) -
	    (packing == NULL ? 0 : strlen(packing->suffix));
}

void *
dmt_unpack_start(int fd, int *pipe_fd, struct dmtrace_error *error)
{
	uint8_t bytes[MAGIC_MAX];
	const ssize_t len = packer == NULL ? -1 :
	    pread(fd, bytes, sizeof(bytes), 0);
	const struct dmt_packing *const packing = len <= 0 ? NULL :
	    dmt_packing_of_bytes(bytes, (size_t)len);

	return packing == NULL ? NULL :
	    packer->start(packing, true, fd, pipe_fd, error);
}
