/* export_collapsed.c - writes collapsed stacks, one per line: a;b;c 12 */

/*
 * The text that flame graph programs read: the frames of a path, the outermost
 * first, and the exclusive time of its innermost frame. Time outside of
 * methods is the path (toplevel). Programs sum the lines of equal paths, which
 * exist if methods differ in their signature only.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "export/exporter.h"
#include "private/export.h"

struct collapsed {
	struct dmt_labels methods;
	uint32_t *path;			/* methods, the innermost first */
	size_t capacity;
};

static enum dmtrace_status
begin_collapsed(struct dmt_exporter *exporter)
{
	dmt_labels_init(&((struct collapsed *)exporter->state)->methods);
	return DMTRACE_OK;
}

static bool
put_frame(struct dmt_exporter *exporter,
    const struct dmtrace_profile *profile, uint32_t index)
{
	struct collapsed *const self = exporter->state;
	struct dmtrace_text *const label = &self->methods.items[index];
	struct dmtrace_profile_method method;

	if (label->bytes == NULL) {
		dmtrace_profile_method_get(profile, 0, index, &method);
		dmt_put_method(&self->methods.draft, DMT_PUT_FRAME, &method,
		    SIZE_MAX);
		if (!dmt_labels_keep(&self->methods, index))
			return false;
	}
	dmt_output_write(exporter->out, label->bytes, label->len);
	return true;
}

/* Writes the path of a node and its value. */
static bool
put_path(struct dmt_exporter *exporter,
    const struct dmtrace_profile *profile, size_t table,
    const struct dmtrace_profile_node *leaf, uint64_t value)
{
	struct collapsed *const self = exporter->state;
	struct dmtrace_profile_node node = *leaf;
	size_t depth = 0;
	char digits[24] = " ";

	for (;;) {
		uint32_t *const path = dmt_array_grow(self->path,
		    &self->capacity, depth + 1, sizeof(*path));

		if (path == NULL)
			return false;
		self->path = path;
		path[depth++] = node.method;
		if (node.parent == 0)
			break;
		dmtrace_profile_node_get(profile, table, node.parent, &node);
	}
	if (table > 0) {
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(profile, table - 1, &thread);
		dmt_labels_put_thread(exporter->out, DMT_PUT_FRAME,
		    thread.name, thread.number);
		dmt_put_format(exporter->out, " (%" PRIu32 ");",
		    thread.number);
	}
	while (depth-- > 0) {
		if (!put_frame(exporter, profile, self->path[depth]))
			return false;
		if (depth > 0)
			dmt_put(exporter->out, ";");
	}
	char *const end = dmt_put_uint(digits + 1, value);
	*end = '\n';
	dmt_output_write(exporter->out, digits,
	    (size_t)(end + 1 - digits));
	return true;
}

static enum dmtrace_status
put_collapsed(struct dmt_exporter *exporter,
    const struct dmtrace_profile *profile)
{
	struct collapsed *const self = exporter->state;
	const bool each = exporter->options.per_thread;
	const size_t tables = each ? dmtrace_profile_thread_count(profile) : 0;
	struct dmtrace_profile_node node;

	if (!dmt_labels_reserve(&self->methods,
	    dmtrace_profile_method_count(profile)))
		return dmt_error_memory(&exporter->error);
	for (size_t table = each; table <= tables; table++) {
		const size_t nodes = exporter->traces == 0 ? 0 :
		    dmtrace_profile_node_count(profile, table);

		for (size_t i = 0; i < nodes; i++) {
			dmtrace_profile_node_get(profile, table, i, &node);
			const int64_t value =
			    exporter->weight == DMT_WEIGHT_CALLS ?
			    (int64_t)node.calls :
			    node.exclusive_ns[exporter->weight];

			exporter->counts.negative += value < 0;
			if (value > 0 && !put_path(exporter, profile, table,
			    &node, (uint64_t)value))
				return dmt_error_memory(&exporter->error);
		}
	}
	return DMTRACE_OK;
}

static void
fini_collapsed(struct dmt_exporter *exporter)
{
	struct collapsed *const self = exporter->state;

	dmt_labels_fini(&self->methods);
	free(self->path);
}

const struct dmt_format dmt_format_collapsed = {
	.about = {
		.name = "collapsed",
		.viewers = "FlameGraph, inferno, speedscope",
		.open = "flamegraph.pl --countname ns FILE >flame.svg",
		.weights = DMTRACE_EXPORT_WALL | DMTRACE_EXPORT_CPU |
		    DMTRACE_EXPORT_CALLS,
		.per_thread = 1,
		.ending = ".folded",
	},
	.state_size = sizeof(struct collapsed),
	.begin = begin_collapsed, .put = put_collapsed,
	.fini = fini_collapsed, .keep = DMTRACE_PROFILE_TREE,
};
