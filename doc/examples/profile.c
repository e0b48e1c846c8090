/* profile.c - print where the time of a trace went */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_profile *profile = dmtrace_profile_new(NULL);
	struct dmtrace_profile_method method;

	dmtrace_reader_open_path(reader, argc > 1 ? argv[1] : "record.trace");
	struct dmtrace_source *source = dmtrace_source_new(reader);
	const enum dmtrace_status status = dmtrace_profile_add(profile, source);
	for (size_t i = 1; i < dmtrace_profile_method_count(profile); i++) {
		dmtrace_profile_method_get(profile, 0, i, &method);
		printf("%" PRIu64 " calls, %" PRId64 " ns: %.*s\n",
		    method.calls + method.recursive_calls,
		    method.exclusive_ns[DMTRACE_PROFILE_WALL],
		    (int)method.name.len, method.name.bytes);
	}
	dmtrace_source_free(source);
	dmtrace_profile_free(profile);
	dmtrace_reader_free(reader);
	return status == DMTRACE_OK ? 0 : 1;
}
