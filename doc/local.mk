# doc/local.mk - the manual, and what a developer reads

dist_doc_DATA += %D%/HACKING %D%/NEWS %D%/PERFORMANCE \
	%D%/STABILITY %D%/TESTING
dist_man_MANS += \
	%D%/dmtrace-checksum.1 \
	%D%/dmtrace-convert.1 \
	%D%/dmtrace-corrupt.1 \
	%D%/dmtrace-diff.1 \
	%D%/dmtrace-dump.1 \
	%D%/dmtrace-eventlog.1 \
	%D%/dmtrace-eventlog.5 \
	%D%/dmtrace-expect.1 \
	%D%/dmtrace-export.1 \
	%D%/dmtrace-filter.1 \
	%D%/dmtrace-flame.1 \
	%D%/dmtrace-fleet.7 \
	%D%/dmtrace-generate.1 \
	%D%/dmtrace-graph.1 \
	%D%/dmtrace-help.1 \
	%D%/dmtrace-import.1 \
	%D%/dmtrace-info.1 \
	%D%/dmtrace-join.1 \
	%D%/dmtrace-merge.1 \
	%D%/dmtrace-record.1 \
	%D%/dmtrace-rename.1 \
	%D%/dmtrace-repair.1 \
	%D%/dmtrace-report.1 \
	%D%/dmtrace-shift.1 \
	%D%/dmtrace-sort.1 \
	%D%/dmtrace-split.1 \
	%D%/dmtrace-tail.1 \
	%D%/dmtrace-text.5 \
	%D%/dmtrace-tutorial.7 \
	%D%/dmtrace-undump.1 \
	%D%/dmtrace-validate.1 \
	%D%/dmtrace-view.1 \
	%D%/dmtrace.1 \
	%D%/dmtrace.5 \
	%D%/dmtrace_export.3 \
	%D%/dmtrace_ops.3 \
	%D%/dmtrace_profile.3 \
	%D%/dmtrace_read.3 \
	%D%/dmtrace_record.3 \
	%D%/dmtrace_verify.3 \
	%D%/dmtrace_write.3 \
	%D%/libdmtrace-eventlog.3 \
	%D%/libdmtrace-instrument.3 \
	%D%/libdmtrace.3

# "man dmtrace_writer_enter" shows the page that has it.
EXTRA_DIST += %D%/links.sh
links = $(SHELL) $(srcdir)/%D%/links.sh $(srcdir)/%D%/*.3
install-data-hook:
	@$(MKDIR_P) "$(DESTDIR)$(man3dir)" && $(links) | \
	while read -r name page; do \
	    test "$$name.3" = "$$page" || \
	    echo ".so man3/$$page" >"$(DESTDIR)$(man3dir)/$$name.3" || exit; \
	done
uninstall-hook:
	@$(links) | while read -r name page; do \
	    rm -f "$(DESTDIR)$(man3dir)/$$name.3"; \
	done

# For file(1), and for desktops that open a trace with a click.
dist_doc_DATA += %D%/magic
mimedir = $(datadir)/mime/packages
dist_mime_DATA = %D%/desktop/dmtrace.xml
applicationsdir = $(datadir)/applications
dist_applications_DATA = %D%/desktop/dmtrace.desktop

# What README draws.
EXTRA_DIST += %D%/graph.svg %D%/view.png

# Traces of ten builds, and queries about them: dmtrace-fleet(7).
EXTRA_DIST += \
	%D%/fleet/flame.sql \
	%D%/fleet/forms.sh \
	%D%/fleet/make.sh \
	%D%/fleet/percentiles.sql \
	%D%/fleet/query.js \
	%D%/fleet/slower.sql \
	%D%/fleet/slowest.sql

# A trace in each viewer; make.sh remakes the others.
EXTRA_DIST += \
	%D%/viewers/README.md \
	%D%/viewers/callgrind.txt \
	%D%/viewers/collapsed.txt \
	%D%/viewers/flame.png \
	%D%/viewers/jsonl.txt \
	%D%/viewers/make.sh \
	%D%/viewers/pprof.svg \
	%D%/viewers/pprof.txt \
	%D%/viewers/speedscope.png \
	%D%/viewers/sqlite.txt \
	%D%/viewers/view.png

# Small traces for every reader; "make conformance" makes them.
EXTRA_DIST += %D%/conformance

# What OSS-Fuzz needs to run the fuzzer.
EXTRA_DIST += %D%/oss-fuzz

# For the reader to compile; tests/checks/check_examples.sh runs them.
examplesdir = $(docdir)/examples
dist_examples_DATA = \
	%D%/examples/README \
	%D%/examples/emulator.c \
	%D%/examples/export.c \
	%D%/examples/filter.c \
	%D%/examples/interpreter.c \
	%D%/examples/login.dmt \
	%D%/examples/login.sh \
	%D%/examples/login.spec \
	%D%/examples/profile.c \
	%D%/examples/read.c \
	%D%/examples/record.c \
	%D%/examples/sampler.c \
	%D%/examples/select.c \
	%D%/examples/shift.c \
	%D%/examples/validate.c \
	%D%/examples/write.c
EXTRA_DIST += %D%/examples/cmake %D%/examples/cmake-installed \
	%D%/examples/ctest %D%/examples/meson %D%/examples/python
check_PROGRAMS += \
	%D%/examples/emulator \
	%D%/examples/interpreter \
	%D%/examples/sampler
%C%_examples_emulator_LDADD = lib/libdmtrace.la
%C%_examples_interpreter_LDADD = lib/libdmtrace.la
%C%_examples_sampler_LDADD = lib/libdmtrace.la

# It records itself when it is run; tests/checks/check_hooks.sh does.
dist_examples_DATA += %D%/examples/hooks.c
if INSTRUMENT
check_PROGRAMS += %D%/examples/hooks
endif
%C%_examples_hooks_CFLAGS = $(AM_CFLAGS) -pthread -finstrument-functions
%C%_examples_hooks_LDADD = lib/libdmtrace-instrument.la
