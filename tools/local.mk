# tools/local.mk - the program

bin_PROGRAMS += %D%/dmtrace
%C%_dmtrace_SOURCES = \
	%D%/account.c %D%/account.h \
	%D%/around.c %D%/around.h \
	%D%/buffer.c %D%/buffer.h \
	%D%/change.c %D%/change.h \
	%D%/checks.c %D%/checks.h \
	%D%/chosen.c %D%/chosen.h \
	%D%/clocks.c %D%/clocks.h \
	%D%/cmd.c %D%/cmd.h \
	%D%/cmd_checksum.c \
	%D%/cmd_diff.c \
	%D%/cmd_dump.c \
	%D%/cmd_expect.c \
	%D%/cmd_filter.c \
	%D%/cmd_generate.c \
	%D%/cmd_graph.c \
	%D%/cmd_help.c \
	%D%/cmd_info.c \
	%D%/cmd_join.c \
	%D%/cmd_merge.c \
	%D%/cmd_record.c \
	%D%/cmd_repair.c \
	%D%/cmd_report.c \
	%D%/cmd_shift.c \
	%D%/cmd_sort.c \
	%D%/cmd_split.c \
	%D%/cmd_validate.c \
	%D%/columns.c %D%/columns.h \
	%D%/date.c %D%/date.h \
	%D%/decimal.c %D%/decimal.h \
	%D%/diff.c %D%/diff.h \
	%D%/diff_calls.c \
	%D%/diff_cells.c \
	%D%/diff_lines.c %D%/diff_lines.h \
	%D%/diff_rows.c \
	%D%/diff_rule.c \
	%D%/diff_text.c \
	%D%/dmtrace.c \
	%D%/dmtracedump.c %D%/dmtracedump.h \
	%D%/dmtracedump_diff.c \
	%D%/dmtracedump_groups.c \
	%D%/dmtracedump_list.c \
	%D%/dmtracedump_methods.c \
	%D%/duration.c %D%/duration.h \
	%D%/facts.c %D%/facts.h \
	%D%/facts_row.c \
	%D%/facts_text.c \
	%D%/files.c %D%/files.h \
	%D%/findings.c %D%/findings.h \
	%D%/form.c %D%/form.h \
	%D%/gather.c %D%/gather.h \
	%D%/graph.c %D%/graph.h \
	%D%/inputs.c %D%/inputs.h \
	%D%/job.c %D%/job.h \
	%D%/lines.c %D%/lines.h \
	%D%/mend.c %D%/mend.h \
	%D%/msg.c %D%/msg.h \
	%D%/names.c %D%/names.h \
	%D%/near.c %D%/near.h \
	%D%/opt.c %D%/opt.h \
	%D%/opt_help.c %D%/opt_help.h \
	%D%/opt_value.c %D%/opt_value.h \
	%D%/out.c %D%/out.h \
	%D%/pieces.c %D%/pieces.h \
	%D%/program.c %D%/program.h \
	%D%/program_hooks.c \
	%D%/progress.c %D%/progress.h \
	%D%/render.c %D%/render.h \
	%D%/report.c %D%/report.h \
	%D%/report_cells.c \
	%D%/report_edges.c \
	%D%/report_html.c \
	%D%/report_job.c %D%/report_job.h \
	%D%/report_paths.c %D%/report_paths.h \
	%D%/report_runs.c \
	%D%/report_text.c \
	%D%/report_tree.c \
	%D%/report_up.c \
	%D%/rules.c %D%/rules.h \
	%D%/selection.c %D%/selection.h \
	%D%/shim.c %D%/shim.h \
	%D%/signals.c %D%/signals.h \
	%D%/suite.c %D%/suite.h \
	%D%/sums.c %D%/sums.h \
	%D%/sums_put.c %D%/sums_put.h \
	%D%/text.c %D%/text.h \
	%D%/traceview.c %D%/traceview.h \
	%D%/traceview_file.c \
	%D%/traceview_names.c \
	%D%/traceview_put.c \
	%D%/unknown.c %D%/unknown.h \
	%D%/validate.c %D%/validate.h \
	%D%/viewers.c %D%/viewers.h
%C%_dmtrace_LDADD = lib/libdmtrace.la

dist_bashcompletion_DATA += %D%/completion/dmtrace
