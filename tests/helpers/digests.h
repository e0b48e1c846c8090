/* digests.h - what profiles keep, and each as one number */

#ifndef DIGESTS_H
#define DIGESTS_H

#include <dmtrace.h>

#include <stdint.h>

#define ALL (DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_TREE | \
	DMTRACE_PROFILE_CALLS | DMTRACE_PROFILE_THREADS)

static const unsigned keeps[] = {
	0, DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_TREE,
	DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_CALLS, ALL,
	ALL | DMTRACE_PROFILE_COMPENSATE,
	DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_AS_DMTRACEDUMP,
};

static inline uint64_t
mix(uint64_t digest, uint64_t number)
{
	digest = (digest ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

static inline uint64_t
mix_times(uint64_t digest, const int64_t *ns)
{
	return mix(mix(digest, (uint64_t)ns[0]), (uint64_t)ns[1]);
}

static inline uint64_t
mix_table(uint64_t digest, const struct dmtrace_profile *profile,
    size_t table, unsigned keep)
{
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, table, i, &method);
		digest = mix(mix(mix(digest, method.id), method.calls),
		    method.recursive_calls);
		digest = mix_times(digest, method.inclusive_ns);
		digest = mix_times(digest, method.exclusive_ns);
		digest = mix_times(digest, method.outer_ns);
		if (keep & DMTRACE_PROFILE_CALLS)
			digest = mix(digest, (uint64_t)
			    dmtrace_profile_percentile(profile, table, i,
			    70));
	}
	for (size_t i = 0; i < dmtrace_profile_edge_count(profile, table);
	    i++) {
		struct dmtrace_profile_edge edge;

		dmtrace_profile_edge_get(profile, table, i, &edge);
		digest = mix(mix(mix(digest, edge.caller), edge.callee),
		    edge.calls);
		digest = mix(digest, (uint64_t)edge.caller_recursive * 2 +
		    (uint64_t)edge.callee_recursive);
		digest = mix_times(digest, edge.inclusive_ns);
	}
	for (size_t i = 0; i < dmtrace_profile_node_count(profile, table);
	    i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(profile, table, i, &node);
		digest = mix(mix(mix(digest, node.parent), node.method),
		    node.calls);
		digest = mix_times(digest, node.inclusive_ns);
		digest = mix_times(digest, node.exclusive_ns);
	}
	return digest;
}

static inline uint64_t
digest_of(const struct dmtrace_profile *profile, unsigned keep)
{
	const size_t tables = keep & DMTRACE_PROFILE_THREADS ?
	    dmtrace_profile_thread_count(profile) : 0;
	struct dmtrace_profile_summary summary;
	uint64_t digest = 1;

	dmtrace_profile_summary_get(profile, &summary);
	digest = mix(mix_times(digest, summary.total_ns), summary.records);
	for (size_t table = 0; table <= tables; table++)
		digest = mix_table(digest, profile, table, keep);
	return digest;
}

#endif
