/* error.h - the message of the first failure of an object */
#ifndef DMT_BASE_ERROR_H
#define DMT_BASE_ERROR_H

#include <dmtrace/status.h>
#include <stdarg.h>

#include "private/status.h"

/*
 * Appends to message, a string of fewer than DMTRACE_MESSAGE_MAX bytes. A text
 * that is too long is cut between two characters and ends in "...".
 */
void
dmt_message_append(char message[DMTRACE_MESSAGE_MAX], const char *format,
    va_list args) DMT_PRINTF(2, 0);

/* Stores the failure unless error has one already. Returns the status that is
 * stored, so that a function can end with "return dmt_error_set(...)". */
enum dmtrace_status
dmt_error_set(struct dmtrace_error *error, enum dmtrace_status status,
    const char *format, ...) DMT_PRINTF(3, 4);

/* The same as dmt_error_set, with the place in the input. */
enum dmtrace_status
dmt_error_at(struct dmtrace_error *error, enum dmtrace_status status,
    enum dmtrace_place place, uint64_t at, const char *format, ...)
    DMT_PRINTF(5, 6);

/* Sets DMTRACE_ERR_IO and errno. what says what failed, such as "cannot open";
 * the system's description of errno is appended. */
enum dmtrace_status
dmt_error_system(struct dmtrace_error *error, const char *what);

/* Sets DMTRACE_ERR_MEMORY. */
enum dmtrace_status
dmt_error_memory(struct dmtrace_error *error);

/* Sets DMTRACE_ERR_STATE: the function named call was given NULL. */
enum dmtrace_status
dmt_error_null_given(struct dmtrace_error *error, const char *call);

void
dmt_error_clear(struct dmtrace_error *error);

/* The error that functions return for an object that is NULL. */
extern const struct dmtrace_error dmt_error_null;

#endif
