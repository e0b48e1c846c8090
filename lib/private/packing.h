/* packing.h - compressed files: who packs and unpacks them */
/* layer: base */
#ifndef DMT_PRIVATE_PACKING_H
#define DMT_PRIVATE_PACKING_H

#include <dmtrace/status.h>
#include <stdbool.h>
#include <stddef.h>

/* A format of compressed files, and the program for it, which reads standard
 * input and writes standard output. */
struct dmt_packing {
	const char *name;	/* of the format and of the program */
	const char *pack;	/* the option that packs */
	const char *suffix;	/* of such files */
	const char *package;	/* the Debian package of the program */
};

/*
 * The library never starts a program. Whoever does sets these functions with
 * dmt_packer_set; without them, compressed files are refused by name, and
 * nothing is packed.
 */
struct dmt_packer {
	/*
	 * Starts the program between a file and a pipe: if unpack, it reads
	 * file and *pipe_fd is what it writes; otherwise it writes file and
	 * *pipe_fd is what it reads. The caller closes both descriptors.
	 * Returns the program, for one of the next two; NULL: error is set.
	 */
	void *(*start)(const struct dmt_packing *packing, bool unpack,
	    int file, int *pipe_fd, struct dmtrace_error *error);

	/* Waits for the end of a program that has written all, or that has
	 * all: its pipe is at its end, or closed. Returns DMTRACE_OK, or
	 * DMTRACE_ERR_IO with error set: the program failed. */
	enum dmtrace_status (*finish)(void *program,
	    struct dmtrace_error *error);

	/* Ends a program, whatever it does; its pipe is closed. */
	void (*stop)(void *program);
};

/* Sets the functions for all inputs and outputs of the process that are opened
 * later; packer is kept. Not thread-safe: to be called once, at the start. */
void
dmt_packer_set(const struct dmt_packer *packer);

/* Returns format i of DMT_PACKINGS. Thread-safe. */
#define DMT_PACKINGS 5
const struct dmt_packing *
dmt_packing_get(size_t i);

/* Returns the format that a file name ends with; NULL: none. Thread-safe. */
const struct dmt_packing *
dmt_packing_of_name(const char *name);

/* Returns the length of a name without the suffix of a format. Thread-safe. */
size_t
dmt_packing_stem(const char *name);

#endif
