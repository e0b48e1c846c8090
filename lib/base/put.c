/* put.c - writes text, numbers and escaped names to an output */

#include "private/put.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "private/status.h"
#include "private/text.h"

#define FORMATTED_MAX 1024
#define PARTS_MAX 1e15			/* a larger share makes no sense */

/* Characters that are special in each form. JSON is inside HTML, so the "<" of
 * a "</script>" is escaped. */
static const struct {
	char byte;
	const char *in[6];		/* by enum dmt_put_form; NULL: not
					   special */
} specials[] = {
	{ '"',  { "\\\"",  "\\\"",  "&quot;", "\\\""    } },
	{ '\\', { "\\\\",  "\\\\",  NULL,     "\\\\"    } },
	{ '&',  { "&amp;", "&amp;", "&amp;",  NULL      } },
	{ '<',  { NULL,    NULL,    "&lt;",   "\\u003c" } },
	{ '>',  { NULL,    NULL,    "&gt;",   NULL      } },
	{ '\'', { NULL,    NULL,    "&#39;",  NULL      } },
	{ '/',  { NULL,    ".",     NULL,     NULL      } },
	{ ';',  { [DMT_PUT_FRAME] = "\\x3b"     } },
};

void
dmt_put(struct dmt_output *out, const char *string)
{
	dmt_output_write(out, string, strlen(string));
}

void
dmt_put_output(struct dmt_output *out, const struct dmt_output *other)
{
	if (dmt_output_failed(other) && !dmt_output_failed(out))
		out->error = other->error;
	dmt_output_write(out, other->bytes, other->len);
}

void
dmt_put_lines(struct dmt_output *out, const char *const *lines)
{
	for (; *lines != NULL; lines++) {
		dmt_put(out, *lines);
		dmt_put(out, "\n");
	}
}

void
dmt_put_format(struct dmt_output *out, const char *format, ...)
{
	char text[FORMATTED_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	dmt_put(out, text);
}

static void
put_byte(struct dmt_output *out, enum dmt_put_form form, const char *byte)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (specials[i].byte == *byte && specials[i].in[form] != NULL) {
			dmt_put(out, specials[i].in[form]);
			return;
		}
	dmt_output_write(out, byte, 1);
}

void
dmt_put_name(struct dmt_output *out, enum dmt_put_form form,
    struct dmtrace_text name, size_t max)
{
	for (size_t at = 0; at < name.len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;
		const size_t taken = dmt_escape_first(unit, &used,
		    name.bytes + at, name.len - at);

		if (at + taken > max) {
			dmt_put(out, "...");
			return;
		}
		for (size_t i = 0; i < used; i++)
			put_byte(out, form, unit + i);
		at += taken;
	}
}

/* Writes tenths or hundredths as a number with decimals. */
static void
format_parts(char out[DMT_FIGURE_MAX], double parts, unsigned in_one)
{
	const double size = parts < 0 ? -parts : parts;
	const uint64_t whole =
	    (uint64_t)((size < PARTS_MAX ? size : PARTS_MAX) + 0.5);

	snprintf(out, DMT_FIGURE_MAX, in_one == 10 ? "%s%" PRIu64 ".%u" :
	    "%s%" PRIu64 ".%02u", parts < 0 && whole > 0 ? "-" : "",
	    whole / in_one, (unsigned)(whole % in_one));
}

void
dmt_put_parts(struct dmt_output *out, double parts, unsigned in_one)
{
	char text[DMT_FIGURE_MAX];

	format_parts(text, parts, in_one);
	dmt_put(out, text);
}

char *
dmt_count_format(char out[DMT_FIGURE_MAX], uint64_t number)
{
	char digits[20];
	const size_t len = (size_t)(dmt_put_uint(digits, number) - digits);
	char *at = out;

	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = '\0';
	return out;
}

void
dmt_put_count(struct dmt_output *out, uint64_t count, const char *what)
{
	char text[DMT_FIGURE_MAX];

	dmt_put_format(out, "%s %s%s", dmt_count_format(text, count), what,
	    count == 1 ? "" : "s");
}

void
dmt_put_duration(struct dmt_output *out, int64_t ns)
{
	char text[DMT_DURATION_MAX];

	dmt_put(out, dmt_duration_format(text, ns));
}

char *
dmt_share_format(char out[DMT_FIGURE_MAX], int64_t part, int64_t whole)
{
	format_parts(out, whole == 0 ? 0 :
	    1000.0 * (double)part / (double)whole, 10);
	return strcat(out, " %");
}

void
dmt_put_share(struct dmt_output *out, int64_t part, int64_t whole)
{
	char text[DMT_FIGURE_MAX];

	dmt_put(out, dmt_share_format(text, part, whole));
}
