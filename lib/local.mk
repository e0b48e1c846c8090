# lib/local.mk - libdmtrace, floor by floor

# Unit tests link libcore.la, which hides nothing.
noinst_LTLIBRARIES += %D%/libcore.la
%C%_libcore_la_SOURCES = \
	%D%/base/version.c

lib_LTLIBRARIES += %D%/libdmtrace.la
%C%_libdmtrace_la_SOURCES =
%C%_libdmtrace_la_LIBADD = %D%/libcore.la
%C%_libdmtrace_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined \
	-version-info 0:0:0 -export-symbols $(srcdir)/%D%/libdmtrace.sym
EXTRA_%C%_libdmtrace_la_DEPENDENCIES = %D%/libdmtrace.sym
EXTRA_DIST += %D%/libdmtrace.sym
pkgconfig_DATA += %D%/libdmtrace.pc

include_HEADERS += %D%/include/dmtrace.h
dmtraceinclude_HEADERS += \
	%D%/include/dmtrace/status.h
