# tools/local.mk - the program

bin_PROGRAMS += %D%/dmtrace
%C%_dmtrace_SOURCES = \
	%D%/cli/change_report.c %D%/cli/change_report.h \
	%D%/cli/check_report.c %D%/cli/check_report.h \
	%D%/cli/cli_files.c %D%/cli/cli_files.h \
	%D%/cli/clock_option.c %D%/cli/clock_option.h \
	%D%/cli/decimal.c %D%/cli/decimal.h \
	%D%/cli/escapes.c %D%/cli/escapes.h \
	%D%/cli/find_option.c %D%/cli/find_option.h \
	%D%/cli/job.c %D%/cli/job.h \
	%D%/cli/jobs.c %D%/cli/jobs.h \
	%D%/cli/method_name.c %D%/cli/method_name.h \
	%D%/cli/msg.c %D%/cli/msg.h \
	%D%/cli/opt.c %D%/cli/opt.h \
	%D%/cli/out.c %D%/cli/out.h \
	%D%/cli/packer.c %D%/cli/packer.h \
	%D%/cli/progress.c %D%/cli/progress.h \
	%D%/cli/selection.c %D%/cli/selection.h \
	%D%/cli/signals.c %D%/cli/signals.h \
	%D%/cli/table.c %D%/cli/table.h \
	%D%/cli/trace_events.c %D%/cli/trace_events.h \
	%D%/cli/unmatched.c %D%/cli/unmatched.h \
	%D%/cli/whole_calls.c %D%/cli/whole_calls.h \
	%D%/cmd.c %D%/cmd.h \
	%D%/cmd_checksum.c \
	%D%/cmd_convert.c \
	%D%/cmd_corrupt.c \
	%D%/cmd_diff.c \
	%D%/cmd_dump.c \
	%D%/cmd_eventlog.c \
	%D%/cmd_expect.c \
	%D%/cmd_export.c \
	%D%/cmd_filter.c \
	%D%/cmd_flame.c \
	%D%/cmd_generate.c \
	%D%/cmd_graph.c \
	%D%/cmd_help.c \
	%D%/cmd_import.c \
	%D%/cmd_info.c \
	%D%/cmd_join.c \
	%D%/cmd_merge.c \
	%D%/cmd_record.c \
	%D%/cmd_rename.c \
	%D%/cmd_repair.c \
	%D%/cmd_report.c \
	%D%/cmd_shift.c \
	%D%/cmd_sort.c \
	%D%/cmd_split.c \
	%D%/cmd_tail.c \
	%D%/cmd_undump.c \
	%D%/cmd_validate.c \
	%D%/cmd_view.c \
	%D%/diff/diff_calls.c \
	%D%/diff/diff_rule.c \
	%D%/diff/diff_run.c %D%/diff/diff_run.h \
	%D%/diff/diff_table.c \
	%D%/diff/dmtracedump_diff.c \
	%D%/dmtrace.c \
	%D%/dump/dmtracedump_list.c \
	%D%/dump/dump_calls.c \
	%D%/dump/dump_lines.c %D%/dump/dump_lines.h \
	%D%/eventlog/entry_print.c %D%/eventlog/entry_print.h \
	%D%/eventlog/log_marks.c %D%/eventlog/log_marks.h \
	%D%/export/export_run.c %D%/export/export_run.h \
	%D%/graph/graph_picture.c %D%/graph/graph_picture.h \
	%D%/info/trace_info.h \
	%D%/info/trace_writer.c \
	%D%/record/preload.c %D%/record/preload.h \
	%D%/record/program.c %D%/record/program.h \
	%D%/report/dmtracedump.c %D%/report/dmtracedump.h \
	%D%/report/dmtracedump_methods.c \
	%D%/report/report.c %D%/report/report.h \
	%D%/report/report_cells.c \
	%D%/report/report_edges.c \
	%D%/report/report_runs.c \
	%D%/report/report_text.c \
	%D%/report/report_tree.c \
	%D%/report/slowest.c %D%/report/slowest.h \
	%D%/report/traceview.c %D%/report/traceview.h \
	%D%/validate/reader_verdicts.c %D%/validate/reader_verdicts.h
nodist_%C%_dmtrace_SOURCES = %D%/cli/git_id.h
%C%_dmtrace_LDADD = lib/libcore.la

# What --version adds in a checkout: " (ID)", of the commit; it is looked at in
# each build, and written if it has changed. A tarball has none.
CLEANFILES += %D%/cli/git_id.h
%D%/cli/opt.$(OBJEXT): %D%/cli/git_id.h
%D%/cli/git_id.h: git-id-now
	@$(MKDIR_P) %D%/cli && id= && if test -e $(srcdir)/.git; then \
	    id=`cd $(srcdir) && git --no-optional-locks describe --always \
	    --dirty 2>/dev/null`; fi; \
	echo "#define GIT_ID \"$${id:+ ($$id)}\"" >$@.tmp; \
	if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
git-id-now:
.PHONY: git-id-now

dist_bashcompletion_DATA += %D%/completion/dmtrace
dist_fishcompletion_DATA += %D%/completion/dmtrace.fish
dist_zshcompletion_DATA += %D%/completion/_dmtrace
