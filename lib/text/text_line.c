/* text_line.c - reads the parts of a line of the text form */

#include "text/text_line.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "data/v2_encode.h"
#include "format/header.h"
#include "key/line_text.h"
#include "private/status.h"
#include "private/names.h"

bool
dmt_text_line_fail(const struct text_line *line, const char *at,
    const char *expected)
{
	char found[DMT_ESCAPED_MAX];
	const char *end = at;

	while (end < line->end && (end == at || !dmt_is_blank(*end)))
		end++;
	dmt_escape(found, sizeof(found), at, (size_t)(end - at));
	dmt_error_at(line->error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_LINE,
	    line->number, at == line->end ?
	    "column %zu: %sthe line ends where %s is expected" :
	    "column %zu: found \"%s\" where %s is expected",
	    (size_t)(at - line->begin) + 1, found, expected);
	return false;
}

void
dmt_text_line_skip_blanks(struct text_line *line)
{
	while (line->at < line->end && dmt_is_blank(*line->at))
		line->at++;
}

bool
dmt_text_line_end(struct text_line *line)
{
	dmt_text_line_skip_blanks(line);
	return dmt_text_line_ended(line) ||
	    dmt_text_line_fail(line, line->at, "the end of the line");
}

bool
dmt_text_line_word(struct text_line *line, struct dmtrace_text *word,
    const char *expected)
{
	dmt_text_line_skip_blanks(line);
	const char *const begin = line->at;
	while (line->at < line->end && !dmt_is_blank(*line->at))
		line->at++;
	*word = (struct dmtrace_text){ begin, (size_t)(line->at - begin) };
	return word->len > 0 || dmt_text_line_fail(line, begin, expected);
}

static int
hex_digit_of(char byte)
{
	return byte >= '0' && byte <= '9' ? byte - '0' :
	    byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 :
	    byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : 16;
}

bool
dmt_text_line_number(struct text_line *line, uint64_t *number,
    const char *expected)
{
	const char *const begin = line->at;
	const char *at = begin;
	const bool hex = line->end - at > 2 && at[0] == '0' && at[1] == 'x';
	const int base = hex ? 16 : 10;
	uint64_t value = 0;

	at += hex ? 2 : 0;
	const char *const first = at;
	for (; at < line->end && hex_digit_of(*at) < base; at++) {
		const uint64_t digit = (uint64_t)hex_digit_of(*at);

		if (value > (UINT64_MAX - digit) / (uint64_t)base)
			return dmt_text_line_fail(line, begin,
			    "a smaller number");
		value = value * (uint64_t)base + digit;
	}
	if (at == first)
		return dmt_text_line_fail(line, begin, expected);
	line->at = at;
	*number = value;
	return true;
}

/* Reads a time that is not a whole number of ns or us. */
static bool
read_long_time(struct text_line *line, uint64_t *time_ns)
{
	const char *const begin = line->at;
	const char *end = begin;
	char text[64];
	int64_t ns;

	while (end < line->end && (hex_digit_of(*end) < 10 || *end == '.' ||
	    (*end >= 'a' && *end <= 'z')))
		end++;
	const size_t len = (size_t)(end - begin);
	if (len == 0 || len >= sizeof(text))
		return dmt_text_line_fail(line, begin, "a time");
	memcpy(text, begin, len);
	text[len] = '\0';
	if (dmt_duration_parse(text, &ns) != DMTRACE_OK)
		return dmt_text_line_fail(line, begin,
		    "a time in ns, us, ms, s, min or h");
	line->at = end;
	*time_ns = (uint64_t)ns;
	return true;
}

bool
dmt_text_line_time(struct text_line *line, uint64_t *time_ns)
{
	const char *const begin = line->at;

	if (!dmt_text_line_number(line, time_ns, "a time"))
		return false;
	const size_t left = (size_t)(line->end - line->at);
	const bool has_unit = left > 1 && line->at[1] == 's';
	if (has_unit && line->at[0] == 'n') {
		line->at += 2;
		return true;
	}
	if (has_unit && line->at[0] == 'u')
		line->at += 2;
	else if (left > 0 && !dmt_is_blank(*line->at) && *line->at != '/') {
		line->at = begin;
		return read_long_time(line, time_ns);
	}
	if (*time_ns > UINT64_MAX / 1000)
		return dmt_text_line_fail(line, begin,
		    "a time below 2^64 nanoseconds");
	*time_ns *= 1000;
	return true;
}

static bool
add_quoted_byte(struct text_line *line, int byte)
{
	const uint8_t added = (uint8_t)byte;

	dmt_output_write(line->scratch, &added, 1);
	return true;
}

/* Appends to scratch what the quotes hold that begin here. */
static bool
read_quoted(struct text_line *line)
{
	static const char escapes[] = "t\tn\nr\r\\\\\"\"";
	const char *const begin = line->at;

	if (dmt_text_line_ended(line) || *line->at != '"')
		return dmt_text_line_fail(line, begin, "a text in quotes");
	for (line->at++; line->at < line->end && *line->at != '"';
	    line->at++) {
		if (*line->at != '\\') {
			add_quoted_byte(line, *line->at);
			continue;
		}
		const char *const from = line->at;
		const char *escape = NULL;
		if (++line->at < line->end)
			for (size_t i = 0; i < sizeof(escapes) - 1; i += 2)
				if (escapes[i] == *line->at)
					escape = &escapes[i];
		if (escape != NULL) {
			add_quoted_byte(line, escape[1]);
		} else if (line->end - line->at > 2 && *line->at == 'x' &&
		    hex_digit_of(line->at[1]) < 16 &&
		    hex_digit_of(line->at[2]) < 16) {
			add_quoted_byte(line, hex_digit_of(line->at[1]) << 4 |
			    hex_digit_of(line->at[2]));
			line->at += 2;
		} else {
			return dmt_text_line_fail(line, from,
			    "\\t, \\n, \\r, \\\\, \\\" or \\xNN");
		}
	}
	if (dmt_text_line_ended(line))
		return dmt_text_line_fail(line, line->end, "a closing quote");
	line->at++;
	return true;
}

bool
dmt_text_line_bytes(struct text_line *line)
{
	for (;;) {
		dmt_text_line_skip_blanks(line);
		if (dmt_text_line_ended(line))
			return true;
		if (*line->at == '"') {
			if (!read_quoted(line))
				return false;
			continue;
		}
		const int high = hex_digit_of(line->at[0]);
		const int low =
		    line->end - line->at > 1 ? hex_digit_of(line->at[1]) : 16;
		if (high > 15 || low > 15)
			return dmt_text_line_fail(line, line->at,
			    "a byte of two hexadecimal digits, or a quote");
		add_quoted_byte(line, high << 4 | low);
		line->at += 2;
	}
}

/* Appends to scratch the rest of the line, or what its quotes hold. */
static bool
read_rest(struct text_line *line)
{
	dmt_text_line_skip_blanks(line);
	if (dmt_text_line_ended(line))
		return true;
	if (*line->at == '"')
		return read_quoted(line) && dmt_text_line_end(line);
	while (line->end > line->at && dmt_is_blank(line->end[-1]))
		line->end--;
	dmt_output_write(line->scratch, line->at,
	    (size_t)(line->end - line->at));
	line->at = line->end;
	return true;
}

struct dmtrace_method
dmt_text_method_of(struct dmtrace_text name, struct dmtrace_text signature)
{
	const char *const bracket = name.len == 0 ? NULL :
	    memchr(name.bytes, '(', name.len);
	size_t bare = bracket == NULL ? name.len :
	    (size_t)(bracket - name.bytes);
	size_t dot = bare;
	struct dmtrace_method row = { .line = DMTRACE_NO_LINE };

	row.signature = signature.len > 0 ? signature : bracket != NULL ?
	    dmt_text_after(name, bare) : dmt_text_of("()");
	while (dot > 0 && name.bytes[dot - 1] != '.')
		dot--;
	if (dot == 0) {
		row.class_name = (struct dmtrace_text){ name.bytes, bare };
		row.name = dmt_text_of("m");
	} else {
		row.class_name = (struct dmtrace_text){ name.bytes, dot - 1 };
		row.name = (struct dmtrace_text){ name.bytes + dot,
		    bare - dot };
	}
	return row;
}

static void
add_column(struct text_line *line, struct dmtrace_text column)
{
	dmt_output_write(line->scratch, "\t", 1);
	dmt_output_write(line->scratch, column.bytes, column.len);
}

/* Appends to scratch the columns of class.name(signature) file:line. */
static bool
read_method_name(struct text_line *line, bool by_hand)
{
	struct dmtrace_text name, file;

	if (!dmt_text_line_word(line, &name, "the name of a method"))
		return false;
	if (!by_hand && !dmt_text_holds(name, '.') &&
	    !dmt_text_holds(name, '(')) {
		dmt_output_write(line->scratch, name.bytes, name.len);
		return dmt_text_line_end(line);
	}
	const struct dmtrace_method row =
	    dmt_text_method_of(name, (struct dmtrace_text){ "", 0 });
	dmt_output_write(line->scratch, row.class_name.bytes,
	    row.class_name.len);
	add_column(line, row.name);
	add_column(line, row.signature);
	dmt_text_line_skip_blanks(line);
	if (dmt_text_line_ended(line))
		return true;
	if (!dmt_text_line_word(line, &file, "a file"))
		return false;
	add_column(line, dmt_text_cut(&file, ':'));
	if (file.bytes != NULL)
		add_column(line, file);
	return dmt_text_line_end(line);
}

static bool
read_method_statement(struct text_line *line, const struct text_state *state,
    struct text_statement *statement)
{
	const bool v2 = state->data == TEXT_PACKETS && !state->in_summary;
	struct dmtrace_text id;

	dmt_text_line_skip_blanks(line);
	if (!v2 && line->at < line->end && *line->at == '"')
		return read_quoted(line) && dmt_text_line_end(line);
	if (v2 ? !dmt_text_line_number(line, &statement->id,
	    "the id of a method")
	    : !dmt_text_line_word(line, &id, "the id of a method"))
		return false;
	if (!v2) {
		dmt_output_write(line->scratch, id.bytes, id.len);
		dmt_output_write(line->scratch, "\t", 1);
	}
	dmt_text_line_skip_blanks(line);
	return line->at < line->end && *line->at == '"' ?
	    read_quoted(line) && dmt_text_line_end(line) :
	    read_method_name(line, statement->by_hand);
}

static bool
read_thread_statement(struct text_line *line, const struct text_state *state,
    struct text_statement *statement)
{
	const bool packet =
	    state->data != TEXT_NO_DATA && !state->in_summary;

	dmt_text_line_skip_blanks(line);
	if (!packet && line->at < line->end && *line->at == '"')
		return read_quoted(line) && dmt_text_line_end(line);
	const char *const begin = line->at;
	if (!dmt_text_line_number(line, &statement->id,
	    "the number of a thread"))
		return false;
	if (!packet) {
		dmt_output_write(line->scratch, begin,
		    (size_t)(line->at - begin));
		dmt_output_write(line->scratch, "\t", 1);
	}
	return read_rest(line);
}

static bool
read_header_dialect(struct text_line *line, struct text_header *header,
    struct dmtrace_text name)
{
	for (unsigned i = 0; i < DMT_DIALECTS; i++)
		if (dmt_text_is(name, dmt_dialect_names[i])) {
			header->version = dmt_version_of(
			    (enum dmtrace_dialect)(i + 1))->header;
			return true;
		}
	return dmt_text_line_fail(line, name.bytes,
	    "v1 to v5, f2 to f5, or version=N");
}

/* Reads the fields of a header, name=value. */
static bool
read_header_fields(struct text_line *line, const struct text_state *state,
    struct text_header *header)
{
	enum { STAGE = 8 };
	static const char *const names[] = { "start=", "offset=", "size=",
	    "records=", "mark=", "ticks=", "hz=", "ids=", "stage=" };
	struct dmtrace_text word;

	if (!dmt_text_line_word(line, &word,
	    "v1 to v5, f2 to f5, or version=N"))
		return false;
	*header = (struct text_header){ .version = 0 };
	if (dmt_text_is(word, "long")) {
		header->version = DMT_VERSION_PACKETS;
		header->stage = DMT_STAGE_LONG;
		return dmt_text_line_end(line);
	}
	if (dmt_text_begins(word, "version=")) {
		uint64_t version;

		line->at = word.bytes + strlen("version=");
		if (!dmt_text_line_number(line, &version, "a version"))
			return false;
		header->version = (unsigned)version;
		if (version > UINT16_MAX)
			return dmt_text_line_fail(line, word.bytes,
			    "a version below 65536");
	} else if (!read_header_dialect(line, header, word)) {
		return false;
	}
	*header = dmt_text_header_of(state, header->version);
	bool sized = false, marked = false;
	for (dmt_text_line_skip_blanks(line); !dmt_text_line_ended(line);
	    dmt_text_line_skip_blanks(line)) {
		const char *const begin = line->at;
		const struct dmtrace_text rest =
		    { line->at, (size_t)(line->end - line->at) };
		unsigned field = 0;
		uint64_t value = 0;

		while (field <= STAGE && !dmt_text_begins(rest, names[field]))
			field++;
		if (field > STAGE)
			return dmt_text_line_fail(line, begin,
			    "start=, offset=, size=, records=, ids=, "
			    "stage=, mark=, ticks= or hz=");
		line->at += strlen(names[field]);
		if (field == STAGE) {
			static const char stages[] = "bcef";
			const char *const stage = dmt_text_line_ended(line) ?
			    NULL : memchr(stages, *line->at, 4);

			if (stage == NULL)
				return dmt_text_line_fail(line, line->at,
				    "b, c, e or f");
			header->stage = (enum dmt_v2_stage)(stage - stages);
			line->at++;
			continue;
		}
		if (!dmt_text_line_number(line, &value, "a number"))
			return false;
		if (field == 0) {
			const struct dmtrace_text unit =
			    { line->at, (size_t)(line->end - line->at) };

			header->start = value;
			if (dmt_text_begins(unit, "us") ||
			    dmt_text_begins(unit, "ns"))
				line->at += 2;
			continue;
		}
		if (field <= 4 && value > UINT16_MAX)
			return dmt_text_line_fail(line, begin,
			    "a number below 65536");
		switch (field) {
		case 1:
			header->offset = (unsigned)value;
			break;
		case 2:
			header->size = (unsigned)value;
			if (!sized)
				header->distance = (unsigned)value;
			break;
		case 3:
			header->distance = (unsigned)value;
			sized = true;
			break;
		case 4:
			header->mark = (uint16_t)value;
			marked = true;
			break;
		case 5:
			header->start_ticks = value;
			break;
		case 6:
			header->tick_hz = value;
			break;
		default:
			header->wide = value == 8;
		}
	}
	if (!marked)
		header->mark = dmt_v2_stage_mark(header->stage);
	return true;
}

bool
dmt_text_line_statement(struct text_line *line, const struct text_state *state,
    struct text_statement *statement)
{
	const size_t before = line->scratch->len;
	bool good = true;

	switch (statement->word) {
	case TEXT_HEADER:
		return read_header_fields(line, state, &statement->header);
	case TEXT_THREAD:
		good = read_thread_statement(line, state, statement);
		break;
	case TEXT_METHOD:
		good = read_method_statement(line, state, statement);
		break;
	case TEXT_FINISH:
		dmt_text_line_skip_blanks(line);
		if (!dmt_text_line_time(line, &statement->end_ns))
			return false;
		dmt_text_line_skip_blanks(line);
		return dmt_text_line_time(line, &statement->monotonic_ns) &&
		    dmt_text_line_end(line);
	case TEXT_SUMMARY:
	case TEXT_SUMMARY_END:
	case TEXT_BLOCK:
		return dmt_text_line_end(line);
	default:
		good = read_rest(line);
	}
	statement->line = (struct dmtrace_text){ "", 0 };
	if (line->scratch->len > before)
		statement->line = (struct dmtrace_text){
		    line->scratch->bytes + before,
		    line->scratch->len - before };
	return good && !dmt_output_failed(line->scratch);
}

bool
dmt_text_line_event(struct text_line *line, struct text_event *event)
{
	struct dmtrace_event *const at = &event->event;
	uint64_t thread;

	*event = (struct text_event){ .sign = '\0' };
	event->has_time = hex_digit_of(*line->at) < 10;
	if (event->has_time) {
		if (!dmt_text_line_time(line, &at->wall_ns))
			return false;
		at->cpu_ns = at->wall_ns;
		if (!dmt_text_line_ended(line) && *line->at == '/') {
			line->at++;
			if (!dmt_text_line_time(line, &at->cpu_ns))
				return false;
		}
		if (line->at < line->end && !dmt_is_blank(*line->at))
			return dmt_text_line_fail(line, line->at,
			    "a blank");
		dmt_text_line_skip_blanks(line);
		const char *const begin = line->at;
		if (!dmt_text_line_number(line, &thread,
		    "the number of a thread"))
			return false;
		if (thread > UINT32_MAX)
			return dmt_text_line_fail(line, begin,
			    "a thread number below 2^32");
		at->thread = (uint32_t)thread;
		if (dmt_text_line_ended(line) || !dmt_is_blank(*line->at))
			return dmt_text_line_fail(line, line->at, "a blank");
		line->at++;
	}
	const char *const indent = line->at;
	dmt_text_line_skip_blanks(line);
	event->indent = (uint32_t)(line->at - indent);
	event->place = line->at;
	if (!dmt_text_line_ended(line) &&
	    memchr("<>!?", *line->at, 4) != NULL) {
		event->sign = *line->at++;
		dmt_text_line_skip_blanks(line);
		event->place = line->at;
	}
	if (dmt_text_line_ended(line) && event->sign == '<')
		return true;
	if (!dmt_text_line_word(line, &event->name, "the name of a method"))
		return false;
	dmt_text_line_skip_blanks(line);
	if (dmt_text_line_ended(line))
		return true;
	if (*line->at != '(')
		return dmt_text_line_fail(line, line->at,
		    "a signature in brackets, or the end of the line");
	return dmt_text_line_word(line, &event->signature, "a signature") &&
	    dmt_text_line_end(line);
}
