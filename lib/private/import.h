/* import.h - names of the formats that are imported */
/* layer: import */
#ifndef DMT_PRIVATE_IMPORT_H
#define DMT_PRIVATE_IMPORT_H

#include <dmtrace/export.h>

/* Names of enum dmtrace_import_format from 1 on, followed by NULL. */
extern const char *const dmt_import_names[];

#endif
