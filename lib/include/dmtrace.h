/* dmtrace.h - all of libdmtrace: Android method traces, read and written */
#ifndef DMTRACE_H
#define DMTRACE_H

#include <dmtrace/call_diff.h>
#include <dmtrace/checksum.h>
#include <dmtrace/convert.h>
#include <dmtrace/diff.h>
#include <dmtrace/duration.h>
#include <dmtrace/event.h>
#include <dmtrace/eventlog.h>
#include <dmtrace/expect.h>
#include <dmtrace/export.h>
#include <dmtrace/filter.h>
#include <dmtrace/finding.h>
#include <dmtrace/fix.h>
#include <dmtrace/key.h>
#include <dmtrace/merge.h>
#include <dmtrace/ops.h>
#include <dmtrace/pieces.h>
#include <dmtrace/profile.h>
#include <dmtrace/readers.h>
#include <dmtrace/recorder.h>
#include <dmtrace/repair.h>
#include <dmtrace/rewind.h>
#include <dmtrace/select.h>
#include <dmtrace/shift.h>
#include <dmtrace/sink.h>
#include <dmtrace/sort.h>
#include <dmtrace/source.h>
#include <dmtrace/status.h>
#include <dmtrace/temporaries.h>
#include <dmtrace/trace.h>
#include <dmtrace/verify.h>

#endif
