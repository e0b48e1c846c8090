/* invent.h - invents names of threads and methods for generated traces */
#ifndef DMT_OPS_INVENT_H
#define DMT_OPS_INVENT_H

#include <dmtrace/key.h>

#include "ops/random.h"

/* The number of methods that there are ids for; see dmt_invent_method. */
#define DMT_INVENT_METHODS_MAX 10000000

/* The state of the generator, with buffers that are large enough for the
 * longest names. */
struct dmt_invention {
	struct dmt_random random;
	uint32_t seed;			/* the first class name */
	uint32_t classes;		/* so far */
	uint32_t methods_left;		/* of the current class */
	uint32_t method_number;		/* the next method name */
	struct dmtrace_method method;	/* the last one returned */
	char class_name[96];
	char name[48];
	char signature[192];
	char file[64];
};

/* The same seed gives the same methods. */
void
dmt_invent_init(struct dmt_invention *invention, uint64_t seed);

/*
 * Returns the next method. No two methods have the same class and name; ids
 * rise like addresses of a virtual machine's structs. It is valid until the
 * next call.
 */
const struct dmtrace_method *
dmt_invent_method(struct dmt_invention *invention);

/* Writes the name of the index-th thread to out and returns its length. All
 * names are different. */
size_t
dmt_invent_thread(char *out, size_t size, uint32_t index);

#endif
