/* added.c - records that an operation added to a trace */

#include "key/added.h"

/* Digits alone. */
static bool
decode(uint64_t *number, const struct dmtrace_text *text)
{
	uint64_t value = 0;

	for (size_t i = 0; i < text->len; i++) {
		const unsigned digit = (unsigned)(uint8_t)text->bytes[i] - '0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return text->len > 0;
}

bool
dmt_added_get(uint64_t *number, const struct dmtrace_key *key,
    const char *name)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, name);

	*number = 0;
	return option == NULL || decode(number, &option->value);
}

uint64_t
dmt_added(const struct dmtrace_key *key, const char *name)
{
	uint64_t number;

	dmt_added_get(&number, key, name);
	return number;
}
