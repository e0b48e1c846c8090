/* merge_options.h - the options of a merged trace */
#ifndef DMT_OPS_MERGE_OPTIONS_H
#define DMT_OPS_MERGE_OPTIONS_H

#include "base/arena.h"
#include "ops/merge/merge_input.h"

struct dmt_merge_option;

/* The options that all inputs so far have. */
struct dmt_merge_common {
	struct dmtrace_op *op;
	struct dmt_arena *arena;
	struct dmt_merge_option *options;
	size_t count;
	size_t inputs;			/* so far */
};

void
dmt_merge_common_fini(struct dmt_merge_common *common);

/* Drops what the key of the next input does not have in common with earlier
 * ones. */
enum dmtrace_status
dmt_merge_common_add(struct dmt_merge_common *common,
    const struct dmtrace_key *key);

/* Returns true if all inputs so far state their number of records; then the
 * output will, too. */
bool
dmt_merge_common_counts(const struct dmt_merge_common *common);

/* Returns true if all inputs have vm=dalvik. */
bool
dmt_merge_common_is_dalvik(const struct dmt_merge_common *common);

/* Sets the options of the output. The inputs are on its time line. drop_vm:
 * the option vm would say something wrong of it. */
enum dmtrace_status
dmt_merge_common_list(struct dmt_merge_common *common,
    const struct dmt_merge_input *inputs, bool drop_vm,
    struct dmtrace_key *key);

/* Sets the number of events in a key that is written after them. */
enum dmtrace_status
dmt_merge_common_set_count(struct dmt_merge_common *common, uint64_t events,
    struct dmtrace_key *key);

#endif
