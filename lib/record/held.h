/* held.h - descriptors of files, in a program that may close them all */
#ifndef DMT_RECORD_HELD_H
#define DMT_RECORD_HELD_H

#include <sys/types.h>

/* Programs that become daemons close what they have not opened; the number
 * may then be that of another file, which is none of the recorder's. */
struct dmt_held {
	int fd;			/* -1: none */
	dev_t device;
	ino_t inode;
};

/* Holds the descriptor, or with errno set what is -1. Returns it. */
int
dmt_held_take(struct dmt_held *held, int fd);

/* The descriptor, which is another one if the file that path names had to be
 * opened again. -1 with errno set: it has gone. */
int
dmt_held_get(struct dmt_held *held, const char *path);

/* As close does; nothing to do if there is none. */
int
dmt_held_close(struct dmt_held *held);

#endif
