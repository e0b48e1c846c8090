/* key_find.c - where a key begins and ends in the bytes of a file */

#include "key/key.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "format/header.h"

#define BOM "\xef\xbb\xbf"
#define BEGIN "*version"
#define END "*end"
#define BEGIN_MAX 64		/* bytes that BEGIN must be in */
#define GLUED_MAX 8		/* bytes between END and the magic */

static bool
begins(const uint8_t *bytes, size_t len, const char *string)
{
	const size_t size = strlen(string);

	return len >= size && memcmp(bytes, string, size) == 0;
}

static bool
is_space(uint8_t byte)
{
	return memchr(" \t\r\n", byte, 4) != NULL;
}

bool
dmt_key_recognises(const uint8_t *bytes, size_t len)
{
	const size_t max = len < BEGIN_MAX ? len : BEGIN_MAX;
	size_t i = begins(bytes, max, BOM) ? strlen(BOM) : 0;

	while (i < max && is_space(bytes[i]))
		i++;
	if (!begins(bytes + i, max - i, BEGIN))
		return false;
	i += strlen(BEGIN);
	return i == max || is_space(bytes[i]);
}

static enum dmtrace_status
check_begin(struct dmtrace_key *key, const uint8_t *bytes, size_t len)
{
	if (dmt_key_recognises(bytes, len))
		return DMTRACE_OK;
	return dmt_error_at(&key->error, DMTRACE_ERR_NOT_TRACE,
	    DMTRACE_PLACE_OFFSET, 0, "a key begins with \"" BEGIN "\"");
}

static enum dmtrace_status
check_limits(struct dmtrace_key *key, size_t line_at, size_t end)
{
	if (end - line_at > key->limit_line)
		return dmt_error_at(&key->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, line_at,
		    "a line of more than %" PRIu64 " bytes, the limit of a"
		    " line", key->limit_line);
	if (end > key->limit_key)
		return dmt_error_at(&key->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, key->limit_key,
		    "a key of more than %" PRIu64 " bytes, the limit of a"
		    " key", key->limit_key);
	return DMTRACE_OK;
}

/* The line may be "*end" without a line end: then the data is close. */
static bool
is_glued(const uint8_t *line, size_t len)
{
	if (!begins(line, len, END))
		return false;
	for (size_t i = strlen(END); i <= strlen(END) + GLUED_MAX; i++) {
		if (begins(line + i, len - i, DMT_MAGIC))
			return true;
		if (i >= len || line[i] == '\n')
			return false;
	}
	return false;
}

/* One line, whose LF is searched from *scanned. *size is 0 unless it is the
 * end. DMTRACE_END: there is no whole line yet. */
static enum dmtrace_status
scan_line(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    size_t *scanned, size_t *size)
{
	const size_t at = key->scanned_line;
	const bool glued = is_glued(bytes + at, len - at);
	const uint8_t *lf = *scanned == len ? NULL :
	    memchr(bytes + *scanned, '\n', len - *scanned);
	const size_t end = glued ? at + strlen(END) :
	    lf == NULL ? len : (size_t)(lf - bytes) + 1;

	*scanned = end;
	const enum dmtrace_status status = check_limits(key, at, end);
	if (status != DMTRACE_OK)
		return status;
	if (lf == NULL && !glued)
		return DMTRACE_END;
	key->scanned_line = end;
	*size = begins(bytes + at, end - at, END) ? end : 0;
	return DMTRACE_OK;
}

static enum dmtrace_status
end_of_input(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    size_t *size)
{
	const size_t at = key->scanned_line;

	if (!begins(bytes + at, len - at, END))
		return dmt_error_at(&key->error, DMTRACE_ERR_TRUNCATED,
		    DMTRACE_PLACE_OFFSET, len,
		    "the key ends after %zu bytes without \"" END "\"", len);
	*size = len;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_key_find_end(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    bool final, size_t *scanned, size_t *size)
{
	enum dmtrace_status status = DMTRACE_OK;
	size_t found = 0;

	if (!final && len < BEGIN_MAX)
		return DMTRACE_END;
	if (*scanned == 0) {
		key->scanned_line = 0;
		status = check_begin(key, bytes, len);
	}
	while (status == DMTRACE_OK && found == 0)
		status = scan_line(key, bytes, len, scanned, &found);
	if (status == DMTRACE_END && final)
		status = end_of_input(key, bytes, len, &found);
	if (status == DMTRACE_OK)
		*size = found;
	return status;
}
