/* opt_value.c - the value of an option, from its words */

#include "cli/opt_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/duration_text.h"
#include "cli/msg.h"

/* Reads digits and returns what stands behind them; NULL: there are none, or
 * they do not fit. */
static const char *
read_number(const char *in, uint64_t *number)
{
	const char *const begin = in;

	for (*number = 0; *in >= '0' && *in <= '9'; in++) {
		const unsigned digit = (unsigned)(*in - '0');

		if (*number > (UINT64_MAX - digit) / 10)
			return NULL;
		*number = *number * 10 + digit;
	}
	return in == begin ? NULL : in;
}

static int
set_number(const struct opt *opt, const char *shown, const char *value)
{
	uint64_t number;
	const char *const end = read_number(value, &number);

	if (end == NULL || *end != '\0' || number < opt->min ||
	    number > opt->max) {
		msg_error("%s: \"%s\" is not a whole number from %" PRIu64
		    " to %" PRIu64, shown, value, opt->min, opt->max);
		return CMD_TROUBLE;
	}
	*opt->value.number = number;
	return OPT_GO;
}

static int
set_time(const struct opt *opt, const char *shown, const char *value)
{
	int64_t ns;

	if (!duration_parse(value, &ns) || ns < 0) {
		msg_error("%s: \"%s\" is not a time: a number with a unit ("
		    DURATION_UNITS "), such as 1.5ms", shown, value);
		return CMD_TROUBLE;
	}
	*opt->value.number = (uint64_t)ns;
	return OPT_GO;
}

/* The factor of a unit, as a shift; -1: there is none of that name. */
static int
find_shift(const char *unit)
{
	static const char letters[] = "KMGT";
	const char *const letter = unit[0] == '\0' ? NULL :
	    strchr(letters, unit[0]);

	if (unit[0] == '\0')
		return 0;
	return letter == NULL || unit[1] != '\0' ? -1 :
	    10 * (int)(letter - letters + 1);
}

static int
set_size(const struct opt *opt, const char *shown, const char *value)
{
	uint64_t number;
	const char *const unit = read_number(value, &number);
	const int shift = unit == NULL ? -1 : find_shift(unit);

	if (shift < 0 || number > UINT64_MAX >> shift) {
		msg_error("%s: \"%s\" is not a number of bytes, with "
		    "K, M, G or T", shown, value);
		return CMD_TROUBLE;
	}
	*opt->value.number = number << shift;
	return OPT_GO;
}

static int
set_choice(const struct opt *opt, const char *shown, const char *value)
{
	char list[256];
	size_t used = 0;

	for (unsigned i = 0; opt->words[i] != NULL; i++) {
		if (strcmp(opt->words[i], value) == 0) {
			*opt->value.choice = i;
			return OPT_GO;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used,
		    "%s%s", i == 0 ? "" : ", ", opt->words[i]);
	}
	msg_error("%s: \"%s\" is none of %s", shown, value, list);
	return CMD_TROUBLE;
}

bool
opt_list_add(struct opt_list *list, const char *item)
{
	const char **const items = realloc(list->items,
	    (list->count + 1) * sizeof(*items));

	if (items == NULL) {
		msg_error("no memory");
		return false;
	}
	items[list->count++] = item;
	list->items = items;
	return true;
}

void
opt_list_fini(struct opt_list *list)
{
	free(list->items);
	*list = (struct opt_list){ 0 };
}

int
opt_set_value(const struct opt *opt, const char *shown, const char *value)
{
	switch (opt->kind) {
	case OPT_KIND_UINT:
		return set_number(opt, shown, value);
	case OPT_KIND_TIME:
		return set_time(opt, shown, value);
	case OPT_KIND_SIZE:
		return set_size(opt, shown, value);
	case OPT_KIND_LIST:
	case OPT_KIND_FILES:
		return opt_list_add(opt->value.list, value) ? OPT_GO :
		    CMD_TROUBLE;
	case OPT_KIND_CHOICE:
		return set_choice(opt, shown, value);
	default:
		*opt->value.string = value;
		return OPT_GO;
	}
}
