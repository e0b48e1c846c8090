/* out.c - writes the output of a command to standard output or a file */

#include "cli/out.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cmd.h"
#include "private/output.h"

#define TERMINAL_COLUMNS 80	/* if the terminal does not say */

/* Returns the width from COLUMNS or from the terminal. */
static size_t
terminal_columns(int fd)
{
	const char *const columns = getenv("COLUMNS");
	const long asked = columns == NULL ? 0 : strtol(columns, NULL, 10);
	struct winsize size = { 0 };

	if (asked > 0 && asked <= INT_MAX)
		return (size_t)asked;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ?
	    size.ws_col : TERMINAL_COLUMNS;
}

static void
report_out_failure(const struct out *out)
{
	msg_failure(files_name(&out->file), &out->output.error);
}

static bool
open_out(struct out *out, const char *name, bool pack)
{
	*out = (struct out){ .file = files_output(name) };
	out->terminal = files_is_terminal(&out->file);
	out->columns = out->terminal ? terminal_columns(out->file.fd) : 0;
	if (out->file.path == NULL)
		dmt_output_open_fd(&out->output, out->file.fd);
	else
		dmt_output_open_path(&out->output, out->file.path);
	if (pack)
		dmt_output_pack(&out->output);
	if (out->output.error.status == DMTRACE_OK)
		return true;
	report_out_failure(out);
	dmt_output_fini(&out->output);
	return false;
}

bool
out_open(struct out *out, const char *name)
{
	return open_out(out, name, true);
}

bool
out_open_as_is(struct out *out, const char *name)
{
	return open_out(out, name, false);
}

/* Returns true for an unsafe ASCII byte, and for the last byte of U+0080 to
 * U+009F or of a character that ends a line or changes the direction of
 * writing: see dmt_utf8_is_unsafe. */
static bool
is_unsafe_on_terminal(const char before[2], char byte)
{
	const unsigned char c = (unsigned char)byte;

	if (c < 0x80)
		return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
	if (before[0] == '\xe2' && before[1] == '\x80')
		return c == 0x8e || c == 0x8f || (c >= 0xa8 && c <= 0xae);
	if (before[0] == '\xe2' && before[1] == '\x81')
		return c >= 0xa6 && c <= 0xa9;
	return (before[1] == '\xc2' && c < 0xa0) ||
	    (before[1] == '\xd8' && c == 0x9c);
}

/* Passes the bytes that were filled to the output. Some forms do not escape
 * names: unsafe bytes are not sent to a terminal. */
static void
advance_out(struct out *out)
{
	if (out->block == NULL)
		return;
	for (char *at = out->block; out->terminal && !out->coloured &&
	    at < out->at; at++) {
		if (is_unsafe_on_terminal(out->before, *at))
			*at = '?';
		out->before[0] = out->before[1];
		out->before[1] = *at;
	}
	dmt_output_advance(&out->output, (size_t)(out->at - out->block));
}

void
out_redirect(struct out *out, int fd)
{
	dmt_output_open_fd(&out->output, fd);
	out->block = out->at = out->end = NULL;
}

char *
out_block(struct out *out)
{
	advance_out(out);
	out->block = dmt_output_reserve(&out->output, OUT_ROOM);
	out->at = out->block;
	out->end = out->block == NULL ? NULL : out->block + OUT_ROOM;
	return out->block;
}

void
out_put(struct out *out, const char *bytes, size_t len)
{
	while (len > 0 && out_room(out, 1) != NULL) {
		const size_t room = (size_t)(out->end - out->at);
		const size_t part = len < room ? len : room;

		memcpy(out->at, bytes, part);
		out->at += part;
		bytes += part;
		len -= part;
	}
}

int
out_close(struct out *out, int status, bool is_whole)
{
	advance_out(out);
	if ((out->file.path == NULL || is_whole) &&
	    dmt_output_close(&out->output) != DMTRACE_OK) {
		out->unread = out->output.error.sys_errno == EPIPE;
		if (!out->unread) {
			report_out_failure(out);
			status = CMD_TROUBLE;
		}
	}
	dmt_output_fini(&out->output);
	return status;
}
