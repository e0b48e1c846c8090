/* names.h - names of dialects, containers, start times and options */
/* layer: format */
#ifndef DMT_PRIVATE_NAMES_H
#define DMT_PRIVATE_NAMES_H

#include <dmtrace/trace.h>

/* Names of options that dmtrace reads or writes. */
#define DMT_OPTION_CALLS "num-method-calls"
#define DMT_OPTION_CLOCK "clock"
#define DMT_OPTION_CLOSED "dmtrace-closed"
#define DMT_OPTION_ELAPSED_NS "elapsed-time-nsec"
#define DMT_OPTION_ELAPSED_US "elapsed-time-usec"
#define DMT_OPTION_PADDING "dmtrace-padding"
#define DMT_OPTION_OPENED "dmtrace-opened"
#define DMT_OPTION_OVERFLOW "data-file-overflow"
#define DMT_OPTION_REPAIRED "dmtrace-repaired"
#define DMT_OPTION_VM "vm"

/* A recorder reserves room for a key of at most so many bytes by a key whose
 * last option is padding, and which ends as follows. */
#define DMT_ROOM_MAX (8 * 1024 * 1024)
#define DMT_PADDING '.'
#define DMT_ROOM_END "\n*threads\n*methods\n*end\n"

/* Returns "boot", "epoch" or "sec_usec". Thread-safe. */
const char *
dmt_start_kind_name(enum dmtrace_start_kind kind);

/* Returns "joined", "pair", "key", "data", "stream" or "packets".
 * Thread-safe. */
const char *
dmt_container_name(enum dmtrace_container container);

/* Returns the version of the records after a header of that version; an unknown
 * version is returned unchanged. Thread-safe. */
unsigned
dmt_version_plain(unsigned version);

/* The names of dialects, by enum dmtrace_dialect from 1 on; then NULL. */
#define DMT_DIALECTS DMTRACE_DIALECT_F5		/* how many there are */
extern const char *const dmt_dialect_names[DMT_DIALECTS + 1];

#endif
