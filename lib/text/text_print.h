/* text_print.h - statements and events as lines */
#ifndef DMT_TEXT_TEXT_PRINT_H
#define DMT_TEXT_TEXT_PRINT_H

#include "base/output.h"
#include "text/statement.h"

/* Prints the line of a statement that was not encoded yet. */
void
dmt_text_print(struct dmt_output *out, const struct text_state *state,
    const struct text_statement *statement);

/*
 * Prints the line of an event, and updates the open calls of its thread.
 * ends_innermost: the event is an exit that is stored without its method.
 * false: no memory.
 */
bool
dmt_text_print_event(struct dmt_output *out, struct text_state *state,
    const struct dmtrace_event *event, bool ends_innermost);

/* Print the bytes as lines that begin with "bytes", the first one with "=" if
 * they replace those of the last statement. */
void
dmt_text_print_bytes(struct dmt_output *out, const uint8_t *bytes, size_t len,
    bool replace);

/* Returns true if dmt_text_print_bytes quotes these bytes. */
bool
dmt_text_is_printed(const uint8_t *bytes, size_t len);

/* The most bytes of a line that dmt_text_print_bytes writes. */
#define TEXT_BYTES_LINE 32

/* Indentation stops at so many columns. */
#define TEXT_INDENT_MAX 64

#endif
