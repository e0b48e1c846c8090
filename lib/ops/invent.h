/* invent.h - invents names of threads and methods for generated traces */
#ifndef DMT_OPS_INVENT_H
#define DMT_OPS_INVENT_H

#include <dmtrace/key.h>
#include <stdbool.h>

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
	bool odd;			/* names have unusual characters */
	const struct dmt_app_method *app;	/* NULL: no names of the app */
	struct dmtrace_method method;	/* the last one returned */
	char class_name[320];
	char name[320];
	char signature[192];
	char file[320];
};

/* The methods of an invented framework for apps, which come first. */
enum {
	DMT_APP_MAIN, DMT_APP_LOOP, DMT_APP_NEXT, DMT_APP_DISPATCH,
	DMT_APP_HANDLE, DMT_APP_FRAME, DMT_APP_INPUT, DMT_APP_ANIMATE,
	DMT_APP_TRAVERSE, DMT_APP_MEASURE, DMT_APP_LAYOUT, DMT_APP_DRAW,
	DMT_APP_TRANSACT, DMT_APP_ON_TRANSACT, DMT_APP_WORKER,
	DMT_APP_GET_TASK, DMT_APP_RUN_TASK,
	DMT_APP_METHODS
};

/* The same seed gives the same methods. app: those of the framework first;
 * odd: names have every kind of character that the format allows. */
void
dmt_invent_init(struct dmt_invention *invention, uint64_t seed, bool app,
    bool odd);

/*
 * Returns the next method. No two methods have the same class and name; ids
 * rise like addresses of a virtual machine's structs. It is valid until the
 * next call.
 */
const struct dmtrace_method *
dmt_invent_method(struct dmt_invention *invention);

/* The longest name of a thread, with its NUL byte. */
#define DMT_INVENT_THREAD_SIZE 320

/* Writes the name of the index-th thread to out and returns its length. All
 * names are different. */
size_t
dmt_invent_thread(char *out, size_t size, uint32_t index, bool odd);

#endif
