/* repair_key.c - a key as text, mended line by line */

#include "ops/repair_key.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "key/key.h"
#include "key/number.h"
#include "ops/repair.h"

#define BOM "\xef\xbb\xbf"
#define REPLACEMENT "\xef\xbf\xbd"
#define END "*end"

/* All the bytes of a key, and the place in them. */
struct text {
	char *bytes;
	size_t len;
	size_t at;
};

static void
tell_line(struct dmt_mender *mender, enum dmt_change which, uint64_t n)
{
	dmt_change_add(mender->changes, which, n, DMTRACE_PLACE_LINE,
	    mender->line.number, NULL);
}

/* Whether a line has more NULs than a name may have by right: zeros of a
 * block that never reached the disk. */
static bool
is_zeroed(struct dmtrace_text text)
{
	size_t nuls = 0;

	for (size_t i = 0; i < text.len; i++)
		nuls += text.bytes[i] == '\0';
	return nuls >= 4;
}

/* Puts "?" in place of each replacement character. */
static void
replace(struct dmt_mender *mender, const struct text *text)
{
	char *const bytes =
	    text->bytes + (mender->line.text.bytes - text->bytes);
	const size_t len = mender->line.text.len;
	size_t to = 0, count = 0;

	if (!dmt_text_holds(mender->line.text, REPLACEMENT[0]))
		return;
	for (size_t from = 0; from < len; to++) {
		const struct dmtrace_text rest = { bytes + from, len - from };
		const bool lost = dmt_text_begins(rest, REPLACEMENT);

		count += lost;
		bytes[to] = lost ? '?' : bytes[from];
		from += lost ? strlen(REPLACEMENT) : 1;
	}
	mender->line.text.len = to;
	if (count > 0)
		dmt_mender_tell(mender, DMT_FIX_DAMAGED);
	tell_line(mender, DMT_FIX_DAMAGED, count > 0 ? count - 1 : 0);
}

/* The next line, without its end: CR CR LF in a copy of a copy in text mode. */
static void
take_line(struct dmt_mender *mender, struct text *text)
{
	char *const bytes = text->bytes + text->at;
	const char *const lf = memchr(bytes, '\n', text->len - text->at);
	size_t len = lf == NULL ? text->len - text->at :
	    (size_t)(lf - bytes);

	text->at += lf == NULL ? len : len + 1;
	mender->line.number++;
	const size_t whole = len;
	while (len > 0 && bytes[len - 1] == '\r')
		len--;
	tell_line(mender, DMT_FIX_CRLF, len < whole);
	mender->line.text = (struct dmtrace_text){ bytes, len };
}

/* What may stand before "*version". */
static void
skip_lead(struct dmt_mender *mender, struct text *text)
{
	struct dmtrace_text *const line = &mender->line.text;

	take_line(mender, text);
	if (dmt_text_begins(*line, BOM)) {
		line->bytes += strlen(BOM);
		line->len -= strlen(BOM);
		tell_line(mender, DMT_FIX_BOM, 1);
	}
	while (dmt_text_trim(*line).len == 0 && text->at < text->len) {
		tell_line(mender, DMT_FIX_LEADING_BLANK, 1);
		take_line(mender, text);
	}
	while (line->len > 0 && (dmt_is_blank(line->bytes[0]) ||
	    line->bytes[0] == '\r')) {
		line->bytes++;
		line->len--;
		tell_line(mender, DMT_FIX_LEADING_BLANK, 1);
	}
}

static void
begin_section(struct dmt_mender *mender)
{
	const enum dmt_section section = mender->seen == 0 ?
	    DMT_SECTION_VERSION : dmt_section_find(mender->line.text);
	const unsigned bit = 1u << section;

	mender->section = section;
	mender->wants_number = mender->seen == 0;
	if (section == DMT_SECTION_UNKNOWN) {
		dmt_mender_tell(mender, DMT_FIX_SECTION_UNKNOWN);
		return;
	}
	if ((mender->seen & bit) != 0)
		dmt_mender_tell(mender, DMT_FIX_SECTION_REPEATED);
	else if (mender->seen >> section != 0)
		dmt_mender_tell(mender, DMT_FIX_SECTION_ORDER);
	mender->seen |= bit;
	if (section == DMT_SECTION_END)
		return;
	if (!dmt_text_is(mender->line.text, dmt_section_name(section)))
		dmt_mender_tell(mender, DMT_FIX_SECTION_BLANKS);
}

/* The line below "*version", unless it is an option. */
static bool
take_number(struct dmt_mender *mender)
{
	uint32_t number;
	bool odd;

	mender->wants_number = false;
	if (dmt_text_holds(mender->line.text, '='))
		return false;
	if (dmt_number_decode(&number, &odd, mender->line.text) && !odd)
		mender->number = mender->line.text;
	else
		dmt_mender_tell(mender, DMT_FIX_VERSION_BAD);
	return true;
}

static void
take_row(struct dmt_mender *mender)
{
	if (mender->wants_number && take_number(mender))
		return;
	switch (mender->section) {
	case DMT_SECTION_VERSION:
		dmt_mender_put(mender);
		break;
	case DMT_SECTION_THREADS:
		dmt_mender_thread(mender);
		break;
	case DMT_SECTION_METHODS:
		dmt_mender_method(mender);
		break;
	default:
		dmt_mender_tell(mender, DMT_FIX_SECTION_UNKNOWN);
	}
}

/* A last line of a file that ends in it says nothing for sure. */
static bool
is_cut(const struct dmt_mender *mender, const struct dmt_repair *repair,
    const struct text *text)
{
	return repair->is_cut && text->at == text->len && mender->seen != 0;
}

static void
mend_line(struct dmt_mender *mender, const struct dmt_repair *repair,
    const struct text *text)
{
	const struct dmtrace_text line = mender->line.text;

	if (dmt_text_trim(line).len == 0)
		tell_line(mender, DMT_FIX_BLANK_LINE, 1);
	else if (is_zeroed(line))
		dmt_mender_tell(mender, DMT_FIX_LINE_ZEROED);
	else if (is_cut(mender, repair, text))
		dmt_mender_tell(mender, DMT_FIX_LINE_CUT);
	else if (line.bytes[0] == '*')
		begin_section(mender);
	else
		take_row(mender);
}

/* The end of the last line is behind text. */
static void
mend_end(struct dmt_mender *mender, const struct text *text)
{
	if (mender->section != DMT_SECTION_END) {
		tell_line(mender, DMT_FIX_END_MISSING, 1);
		return;
	}
	if (mender->line.text.len > strlen(END))
		dmt_mender_tell(mender, DMT_FIX_END_EXTRA);
	if (text->bytes[text->len - 1] != '\n')
		tell_line(mender, DMT_FIX_END_NO_LF, 1);
}

static void
mend_lines(struct dmt_mender *mender, const struct dmt_repair *repair,
    struct text *text)
{
	skip_lead(mender, text);
	replace(mender, text);
	mend_line(mender, repair, text);
	while (text->at < text->len && mender->section != DMT_SECTION_END &&
	    !mender->no_memory) {
		take_line(mender, text);
		replace(mender, text);
		mend_line(mender, repair, text);
	}
	mend_end(mender, text);
	if (mender->number.len == 0 &&
	    mender->changes->tallies[DMT_FIX_VERSION_BAD].count == 0)
		tell_line(mender, DMT_FIX_VERSION_BAD, 1);
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		if ((mender->seen & 1u << i) == 0)
			dmt_change_add(mender->changes,
			    DMT_FIX_SECTION_MISSING, 1, DMTRACE_PLACE_LINE,
			    mender->line.number, "\"%s\"",
			    dmt_section_name((enum dmt_section)i));
}

/* All sections in their order; a number that is not known yet is 2. */
static void
put_together(struct dmt_mender *mender, struct dmt_sink *out)
{
	const struct dmtrace_text number = mender->number.len > 0 ?
	    mender->number : dmt_text_of("2");

	for (unsigned i = 0; i < DMT_SECTION_END; i++) {
		const char *const name =
		    dmt_section_name((enum dmt_section)i);

		dmt_sink_write(out, name, strlen(name));
		dmt_sink_write(out, "\n", 1);
		if (i == DMT_SECTION_VERSION) {
			dmt_sink_write(out, number.bytes, number.len);
			dmt_sink_write(out, "\n", 1);
		}
		dmt_sink_write(out, mender->out[i].buffer,
		    mender->out[i].used);
		if (mender->out[i].error.status != DMTRACE_OK)
			mender->no_memory = true;
	}
	dmt_sink_write(out, END "\n", strlen(END "\n"));
}

static enum dmtrace_status
decode(struct dmt_repair *repair, const struct dmt_sink *text,
    struct dmtrace_error *error)
{
	struct dmt_findings *const findings = calloc(1, sizeof(*findings));
	enum dmtrace_status status;

	if (findings == NULL)
		return dmt_error_memory(error);
	status = dmt_key_decode(repair->key, text->buffer, text->used,
	    findings);
	if (status != DMTRACE_OK)
		*error = *dmtrace_key_error(repair->key);
	free(findings);
	return status;
}

/* All of the key, but what stands before it. */
static enum dmtrace_status
read_text(struct dmt_repair *repair, struct text *text,
    struct dmtrace_error *error)
{
	struct dmt_source source;
	const uint8_t *bytes;

	dmt_half_read(&repair->key_half, 0, &source);
	text->len = dmt_source_peek(&source, repair->key_len, &bytes);
	if (text->len > repair->key_len)
		text->len = repair->key_len;
	text->bytes = dmt_array_new(text->len + 1, 1);
	if (source.error.status != DMTRACE_OK)
		*error = source.error;
	else if (text->bytes == NULL)
		dmt_error_memory(error);
	else
		memcpy(text->bytes, bytes, text->len);
	dmt_source_fini(&source);
	return error->status;
}

static enum dmtrace_status
mend(struct dmt_repair *repair, struct dmt_mender *mender,
    struct text *text, struct dmtrace_error *error)
{
	struct dmt_sink out;

	if (read_text(repair, text, error) != DMTRACE_OK)
		return error->status;
	dmt_sink_open_memory(&out);
	mend_lines(mender, repair, text);
	put_together(mender, &out);
	if (mender->no_memory || out.error.status != DMTRACE_OK)
		dmt_error_memory(error);
	else
		decode(repair, &out, error);
	dmt_sink_fini(&out);
	return error->status;
}

static enum dmtrace_status
mend_key(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_mender *const mender = calloc(1, sizeof(*mender));
	struct text text = { .bytes = NULL };

	if (mender == NULL)
		return dmt_error_memory(error);
	mender->changes = &repair->changes;
	mender->line.findings = &mender->findings;
	mender->section = DMT_SECTION_UNKNOWN;
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		dmt_sink_open_memory(&mender->out[i]);
	mend(repair, mender, &text, error);
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		dmt_sink_fini(&mender->out[i]);
	dmt_idmap_fini(&mender->threads);
	dmt_idmap_fini(&mender->methods);
	free(mender);
	free(text.bytes);
	return error->status;
}

/* A key of nothing; the records will tell. */
static void
begin_key(struct dmt_repair *repair)
{
	dmt_change_add(&repair->changes, DMT_FIX_KEY_MISSING, 1,
	    DMTRACE_PLACE_NONE, 0, NULL);
}

enum dmtrace_status
dmt_repair_mend_key(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	repair->key = dmtrace_key_new();
	if (repair->key == NULL)
		dmt_error_memory(&error);
	else if (repair->key_half.fd < 0)
		begin_key(repair);
	else
		mend_key(repair, &error);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
