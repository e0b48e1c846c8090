/* sink.h - the members of struct dmt_sink */
#ifndef DMT_BASE_SINK_H
#define DMT_BASE_SINK_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "base/output.h"
#include "private/sink.h"

/* A sink that is not opened writes to memory, the buffer of output. */
struct dmt_sink {
	struct dmt_output output;
	bool open;
};

#endif
