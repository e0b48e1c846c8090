/* container_base64.c - a key followed by its data as base64 text */

/*
 * A library that apps use to profile themselves writes a key, and after it the
 * data header, of 18 bytes, and the records as base64, in one line or several.
 * The reader gets an input whose bytes are decoded as they are read; its
 * offsets are those of the decoded bytes. It ends at the first character that
 * is neither base64 nor white space.
 */

#include "trace/container.h"

#include <errno.h>
#include <string.h>

/* "SLOW" and a version below 16. */
#define MAGIC_TEXT "U0xPVw"
#define GROUP 4			/* characters, for 3 bytes */

/* Returns the six bits of a character; 64: it is not base64. */
static unsigned
base64_bits(uint8_t c)
{
	static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *const at = c == '\0' ? NULL : strchr(characters, c);

	return at == NULL ? 64 : (unsigned)(at - characters);
}

static bool
is_space(uint8_t c)
{
	return c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

/* Reads a group from len bytes of text; at the end, characters of it may be
 * missing. Returns how many characters it has; *used is the number of bytes
 * read. */
static unsigned
take_group(uint32_t *group, const uint8_t *text, size_t len, size_t *used)
{
	unsigned count = 0;

	*group = 0;
	for (*used = 0; *used < len && count < GROUP; ++*used) {
		const unsigned bits = base64_bits(text[*used]);

		if (bits == 64 && !is_space(text[*used]))
			break;
		if (bits == 64)
			continue;
		*group |= bits << (18 - 6 * count);
		count++;
	}
	return count;
}

/* Reports a finding if anything but white space follows the last group. */
static void
check_text_end(struct dmtrace_reader *reader)
{
	struct dmt_input *const text = &reader->key_input;
	const uint8_t *bytes;

	while (dmt_input_peek(text, 1, &bytes) > 0 &&
	    (bytes[0] == '=' || is_space(bytes[0])))
		dmt_input_skip(text, 1);
	if (dmt_input_peek(text, 1, &bytes) > 0)
		dmt_finding_add(&reader->findings, DMT_DATA_BASE64,
		    DMTRACE_PLACE_OFFSET, text->offset,
		    "other bytes follow");
	reader->base64_ended = true;
}

/* The read function of a struct dmtrace_input. */
static ptrdiff_t
read_base64(void *context, void *out, size_t len)
{
	struct dmtrace_reader *const reader = context;
	struct dmt_input *const text = &reader->key_input;
	uint8_t *to = out;
	size_t want = GROUP;

	while (!reader->base64_ended && len >= 3) {
		const uint8_t *bytes;
		const size_t size = dmt_input_peek(text, want, &bytes);
		uint32_t group;
		size_t used;
		const unsigned count = take_group(&group, bytes, size, &used);

		if (count < GROUP && used == size && size >= want) {
			want = size + 1;	/* more text may follow */
			continue;
		}
		if (text->error.status != DMTRACE_OK) {
			errno = text->error.sys_errno;
			return -1;
		}
		for (unsigned i = 0; i + 1 < count; i++) {
			*to++ = (uint8_t)(group >> (16 - 8 * i));
			len--;
		}
		dmt_input_skip(text, used);
		want = GROUP;
		if (count < GROUP)
			check_text_end(reader);
	}
	return to - (uint8_t *)out;
}

bool
dmt_base64_begins(struct dmt_input *input)
{
	const size_t len = sizeof(MAGIC_TEXT) - 1;
	const uint8_t *bytes;

	return dmt_input_peek(input, len, &bytes) >= len &&
	    memcmp(bytes, MAGIC_TEXT, len) == 0;
}

enum dmtrace_status
dmt_base64_open(struct dmtrace_reader *reader)
{
	const struct dmtrace_input call = { read_base64, reader };

	dmt_finding_add(&reader->findings, DMT_DATA_BASE64,
	    DMTRACE_PLACE_OFFSET, reader->key_input.offset, NULL);
	dmt_input_open_callback(&reader->data_input, &call);
	return dmt_reader_take_data(reader, &reader->data_input);
}
