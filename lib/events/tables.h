/* tables.h - arrays by thread or method index, which grow with the indexes */
#ifndef DMT_EVENTS_TABLES_H
#define DMT_EVENTS_TABLES_H

#include "private/tables.h"

/* Makes room for indexes that are new; for dmt_pull. false: no memory. */
bool
dmt_tables_fit(struct dmtrace_source *source);

#endif
