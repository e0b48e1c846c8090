/* added.c - records that an operation added to a trace */

#include "ops/added.h"

uint64_t
dmt_added(const struct dmtrace_key *key, const char *name)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, name);
	uint64_t number = 0;

	for (size_t i = 0; option != NULL && option->value.bytes != NULL &&
	    i < option->value.len; i++) {
		const char digit = option->value.bytes[i];

		if (digit < '0' || digit > '9' || number > UINT64_MAX / 16)
			return 0;
		number = number * 10 + (uint64_t)(digit - '0');
	}
	return number;
}
