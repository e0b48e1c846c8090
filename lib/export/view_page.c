/* view_page.c - the parts of a page around its traces */

#include "export/view_page.h"

#include <inttypes.h>
#include <string.h>

#include "private/put.h"

void
dmt_view_put_begin(struct dmt_output *out, const char *title)
{
	dmt_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n<meta name=\"viewport\""
	    " content=\"width=device-width, initial-scale=1\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\""
	    " content=\"default-src 'none'; style-src 'unsafe-inline';"
	    " script-src 'unsafe-inline'; base-uri 'none';"
	    " form-action 'none'\">\n"
	    "<meta name=\"generator\" content=\"dmtrace ");
	dmt_put(out, dmtrace_version());
	dmt_put(out, "\">\n<title>");
	dmt_put_name(out, DMT_PUT_HTML,
	    (struct dmtrace_text){ title, strlen(title) }, SIZE_MAX);
	dmt_put(out, "</title>\n<style>\n");
	dmt_put_lines(out, dmt_view_style);
	dmt_put(out, "</style>\n</head>\n<body>\n<div id=\"page\"><noscript>"
	    "This page needs JavaScript.</noscript></div>\n");
}

void
dmt_view_put_end(struct dmt_output *out)
{
	dmt_put(out, "<script type=\"module\">\n");
	dmt_put_lines(out, dmt_view_script);
	dmt_put(out, "</script>\n</body>\n</html>\n");
}

void
dmt_view_put_string(struct dmt_output *out, struct dmtrace_text string)
{
	dmt_put(out, "\"");
	dmt_put_name(out, DMT_PUT_JSON, string, SIZE_MAX);
	dmt_put(out, "\"");
}

void
dmt_view_put_text(struct dmt_output *out, const char *what, uint64_t trace)
{
	dmt_put_format(out, "<script type=\"text/plain\" id=\"%s-%" PRIu64
	    "\">", what, trace);
}

void
dmt_view_put_sum(struct dmt_output *out, uint64_t parent, uint64_t word,
    uint64_t calls, const uint64_t exclusive[2], bool partial)
{
	char text[5 * DMT_VIEW_NUMBER_MAX];
	char *at = dmt_view_code(text, parent);

	at = dmt_view_code(at, word);
	at = dmt_view_code(at, calls * 2 + partial);
	at = dmt_view_code(at, dmt_view_fold(exclusive[0]));
	at = dmt_view_code(at, dmt_view_fold(exclusive[1]));
	dmt_output_write(out, text, (size_t)(at - text));
}
