/* lines.h - records as lines of text, TSV, CSV or JSON */
#ifndef LINES_H
#define LINES_H

#include "decimal.h"
#include "label.h"
#include "out.h"

/* A few bytes between the cells that change. */
struct mark {
	size_t len;
	char bytes[LABEL_STEP];
};

struct lines {
	enum form form;
	struct thread_labels threads;
	struct method_labels methods;
	struct mark actions[4];		/* with what stands behind */
	struct mark wall, depth, absent;
	bool has_cpu, has_wall;		/* columns of text */
	struct decimal_seconds cpu_recent, wall_recent;
};

/* False: no memory. In any case end them with lines_fini. */
bool
lines_init(struct lines *lines, enum form form,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout);

/* Puts the line that names the columns, if the form has one. */
void
lines_put_names(const struct lines *lines, struct out *out);

/* Puts the line of an event at that depth. */
void
lines_put(struct lines *lines, struct out *out,
    const struct dmtrace_event *event, uint32_t depth);

void
lines_fini(struct lines *lines);

#endif
