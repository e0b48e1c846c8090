/* belong.h - whether a key and data belong together */
#ifndef DMT_OPS_BELONG_H
#define DMT_OPS_BELONG_H

#include "base/input.h"

/*
 * Looks at the reader of a key and of the first data: the versions, and the
 * methods of the first 4,096 records. Data that cannot be read may belong to
 * any key.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_FOREIGN, with a place in
 * the data
 */
enum dmtrace_status
dmt_belong(struct dmtrace_reader *reader, struct dmtrace_error *error);

#endif
