/* whole.h - the file that gets its name when a trace is whole */
#ifndef DMT_RECORD_WHOLE_H
#define DMT_RECORD_WHOLE_H

#include "record/files.h"

/* Each returns DMTRACE_OK, or the status of the files' error, which it sets
 * unless there is one. */

/* A temporary, or what is there if that is no regular file. */
enum dmtrace_status
dmt_whole_open(struct dmt_files *files);

/* Buffered; a failure is told by close. */
void
dmt_whole_write(struct dmt_files *files, const char *bytes, size_t len);

/* Appends all of the data. */
void
dmt_whole_append_data(struct dmt_files *files);

/* Gives it its name if all went well. */
enum dmtrace_status
dmt_whole_close(struct dmt_files *files);

/* Removes what has no name yet. */
void
dmt_whole_abandon(struct dmt_files *files);

#endif
