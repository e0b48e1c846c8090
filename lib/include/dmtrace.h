/* dmtrace.h - all of libdmtrace: Android method traces, read and written */
#ifndef DMTRACE_H
#define DMTRACE_H

#include <dmtrace/event.h>
#include <dmtrace/eventlog.h>
#include <dmtrace/export.h>
#include <dmtrace/key.h>
#include <dmtrace/ops.h>
#include <dmtrace/profile.h>
#include <dmtrace/reader.h>
#include <dmtrace/recorder.h>
#include <dmtrace/select.h>
#include <dmtrace/status.h>
#include <dmtrace/trace.h>
#include <dmtrace/verify.h>
#include <dmtrace/writer.h>

#endif
