/* invent.h - names of threads and methods for generated traces */
#ifndef DMT_OPS_INVENT_H
#define DMT_OPS_INVENT_H

#include <dmtrace/key.h>

#include "ops/random.h"

/* As many methods as there are ids for; see dmt_invent_method. */
#define DMT_INVENT_METHODS_MAX 10000000

/* Room for the longest text of each kind, and some. */
struct dmt_invention {
	struct dmt_random random;
	uint32_t seed;			/* which class names come first */
	uint32_t classes;		/* so far */
	uint32_t methods_left;		/* of the last class */
	uint32_t method_number;		/* which names come in it */
	struct dmtrace_method method;	/* the last one */
	char class_name[96];
	char name[48];
	char signature[192];
	char file[64];
};

/* The same seed gives the same methods. */
void
dmt_invent_init(struct dmt_invention *invention, uint64_t seed);

/*
 * The next method. No two have the same class and name, ids rise as
 * addresses of a VM's structs do. It lives until the next call.
 */
const struct dmtrace_method *
dmt_invent_method(struct dmt_invention *invention);

/* Writes the index-th thread's name to out and returns its length. No two
 * are the same. */
size_t
dmt_invent_thread(char *out, size_t size, uint32_t index);

#endif
