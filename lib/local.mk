# lib/local.mk - libdmtrace, layer by layer

# Unit tests link libcore.la, which hides nothing.
noinst_LTLIBRARIES += %D%/libcore.la
%C%_libcore_la_SOURCES = \
	%D%/base/arena.c \
	%D%/base/arena.h \
	%D%/base/array.c \
	%D%/base/array.h \
	%D%/base/bytes.h \
	%D%/base/count.c \
	%D%/base/duration.c \
	%D%/base/error.c \
	%D%/base/error.h \
	%D%/base/escape.c \
	%D%/base/escape.h \
	%D%/base/hash.h \
	%D%/base/idmap.c \
	%D%/base/idmap.h \
	%D%/base/inline.h \
	%D%/base/input.c \
	%D%/base/input.h \
	%D%/base/json.c \
	%D%/base/json.h \
	%D%/base/leb128.h \
	%D%/base/name_table.c \
	%D%/base/name_table.h \
	%D%/base/output.c \
	%D%/base/output.h \
	%D%/base/packing.c \
	%D%/base/packing.h \
	%D%/base/path.c \
	%D%/base/path.h \
	%D%/base/proto_decode.h \
	%D%/base/put.c \
	%D%/base/suggestion.c \
	%D%/base/temporary.c \
	%D%/base/temporary.h \
	%D%/base/utf8.c \
	%D%/data/header_decode.c \
	%D%/data/header_decode.h \
	%D%/data/header_encode.c \
	%D%/data/header_encode.h \
	%D%/data/record.h \
	%D%/data/record_columns.c \
	%D%/data/record_columns.h \
	%D%/data/record_count.c \
	%D%/data/record_count.h \
	%D%/data/record_decode.c \
	%D%/data/record_decode.h \
	%D%/data/record_encode.c \
	%D%/data/record_encode.h \
	%D%/data/record_list.c \
	%D%/data/record_list.h \
	%D%/data/record_sense.c \
	%D%/data/record_sense.h \
	%D%/data/stream_decode.c \
	%D%/data/stream_decode.h \
	%D%/data/stream_encode.c \
	%D%/data/stream_encode.h \
	%D%/data/stream_scan.c \
	%D%/data/stream_scan.h \
	%D%/data/text_damage.c \
	%D%/data/text_damage.h \
	%D%/data/unwrap.c \
	%D%/data/unwrap.h \
	%D%/data/v2.h \
	%D%/data/v2_decode.c \
	%D%/data/v2_decode.h \
	%D%/data/v2_encode.c \
	%D%/data/v2_encode.h \
	%D%/data/v2_stage.c \
	%D%/data/v2_stage.h \
	%D%/eventlog/entry.c \
	%D%/eventlog/entry.h \
	%D%/eventlog/entry_decode.c \
	%D%/eventlog/entry_encode.c \
	%D%/eventlog/entry_import.c \
	%D%/eventlog/eventlog_reader.c \
	%D%/eventlog/eventlog_writer.c \
	%D%/eventlog/tags.c \
	%D%/eventlog/tags.h \
	%D%/eventlog/tags_decode.c \
	%D%/events/batch.h \
	%D%/events/callstacks.c \
	%D%/events/callstacks.h \
	%D%/events/indexes.c \
	%D%/events/indexes.h \
	%D%/events/inserts.c \
	%D%/events/inserts.h \
	%D%/events/pattern.c \
	%D%/events/pattern.h \
	%D%/events/pipeline.c \
	%D%/events/pipeline.h \
	%D%/events/select.c \
	%D%/events/select.h \
	%D%/events/select_stage.c \
	%D%/events/tables.c \
	%D%/events/tables.h \
	%D%/export/by_thread.c \
	%D%/export/by_thread.h \
	%D%/export/calls.c \
	%D%/export/calls.h \
	%D%/export/export_callgrind.c \
	%D%/export/export_chrome.c \
	%D%/export/export_collapsed.c \
	%D%/export/export_dot.c \
	%D%/export/export_file.c \
	%D%/export/export_firefox.c \
	%D%/export/export_flame.c \
	%D%/export/export_html.c \
	%D%/export/export_jsonl.c \
	%D%/export/export_parquet.c \
	%D%/export/export_perfetto.c \
	%D%/export/export_pprof.c \
	%D%/export/export_speedscope.c \
	%D%/export/export_sqlite.c \
	%D%/export/export_view.c \
	%D%/export/exporter.c \
	%D%/export/exporter.h \
	%D%/export/flame_page.h \
	%D%/export/graph_page.h \
	%D%/export/labels.c \
	%D%/export/labels.h \
	%D%/export/parquet_encode.c \
	%D%/export/parquet_encode.h \
	%D%/export/parquet_file.c \
	%D%/export/parquet_file.h \
	%D%/export/protobuf.h \
	%D%/export/view_durations.c \
	%D%/export/view_durations.h \
	%D%/export/view_names.c \
	%D%/export/view_names.h \
	%D%/export/view_page.c \
	%D%/export/view_page.h \
	%D%/export/view_paths.c \
	%D%/export/view_paths.h \
	%D%/export/view_slices.c \
	%D%/export/view_slices.h \
	%D%/export/view_strips.c \
	%D%/export/view_strips.h \
	%D%/format/change.c \
	%D%/format/change.h \
	%D%/format/finding.c \
	%D%/format/finding.h \
	%D%/format/header.h \
	%D%/format/layout.c \
	%D%/format/layout.h \
	%D%/format/layouts.h \
	%D%/format/names.c \
	%D%/format/names.h \
	%D%/format/other_format.c \
	%D%/format/other_format.h \
	%D%/format/version.c \
	%D%/import/import.c \
	%D%/import/import.h \
	%D%/import/import_chrome.c \
	%D%/import/import_collapsed.c \
	%D%/import/import_ftrace.c \
	%D%/import/import_lines.c \
	%D%/import/import_perfetto.c \
	%D%/import/import_rows.c \
	%D%/import/import_simpleperf.c \
	%D%/import/import_write.c \
	%D%/import/nest.c \
	%D%/import/sorter.c \
	%D%/import/sorter.h \
	%D%/key/key.c \
	%D%/key/key.h \
	%D%/key/key_decode.c \
	%D%/key/key_edit.c \
	%D%/key/key_encode.c \
	%D%/key/key_mend.c \
	%D%/key/key_mend.h \
	%D%/key/key_rewrite.c \
	%D%/key/key_wrap.c \
	%D%/key/key_wrap.h \
	%D%/key/line_decode.c \
	%D%/key/line_decode.h \
	%D%/key/line_encode.c \
	%D%/key/line_encode.h \
	%D%/key/line_text.c \
	%D%/key/line_text.h \
	%D%/key/number.c \
	%D%/key/number.h \
	%D%/key/parse.c \
	%D%/key/parse.h \
	%D%/key/rows.c \
	%D%/key/rows.h \
	%D%/ops/checksum.c \
	%D%/ops/convert/convert.c \
	%D%/ops/convert/convert.h \
	%D%/ops/convert/convert_key.c \
	%D%/ops/convert/convert_key.h \
	%D%/ops/convert/convert_stage.c \
	%D%/ops/convert/convert_stage.h \
	%D%/ops/corrupt/corrupt.c \
	%D%/ops/corrupt/corrupt.h \
	%D%/ops/corrupt/damage.c \
	%D%/ops/corrupt/places.c \
	%D%/ops/digest.c \
	%D%/ops/digest.h \
	%D%/ops/file.c \
	%D%/ops/file.h \
	%D%/ops/filter.c \
	%D%/ops/front.c \
	%D%/ops/front.h \
	%D%/ops/generate.c \
	%D%/ops/generate.h \
	%D%/ops/invent.c \
	%D%/ops/invent.h \
	%D%/ops/join.c \
	%D%/ops/merge/merge.c \
	%D%/ops/merge/merge_input.c \
	%D%/ops/merge/merge_input.h \
	%D%/ops/merge/merge_methods.c \
	%D%/ops/merge/merge_methods.h \
	%D%/ops/merge/merge_options.c \
	%D%/ops/merge/merge_options.h \
	%D%/ops/merge/merge_plan.c \
	%D%/ops/merge/merge_plan.h \
	%D%/ops/merge/merge_threads.c \
	%D%/ops/merge/merge_threads.h \
	%D%/ops/merge/merge_united.c \
	%D%/ops/merge/merge_united.h \
	%D%/ops/merge/merger.c \
	%D%/ops/merge/merger.h \
	%D%/ops/merge/rejoin.c \
	%D%/ops/merge/rejoin.h \
	%D%/ops/merge/sort.c \
	%D%/ops/op.c \
	%D%/ops/op.h \
	%D%/ops/random.h \
	%D%/ops/rename/anonymizer.c \
	%D%/ops/rename/mapping.c \
	%D%/ops/rename/mapping_line.c \
	%D%/ops/rename/mapping_line.h \
	%D%/ops/rename/rename.c \
	%D%/ops/rename/renamer.h \
	%D%/ops/rename/signature.c \
	%D%/ops/rename/signature.h \
	%D%/ops/rename/siphash.c \
	%D%/ops/rename/siphash.h \
	%D%/ops/repair/find_key.c \
	%D%/ops/repair/find_records.c \
	%D%/ops/repair/mend_events.c \
	%D%/ops/repair/mend_events.h \
	%D%/ops/repair/mend_key.c \
	%D%/ops/repair/open_input.c \
	%D%/ops/repair/repair.c \
	%D%/ops/repair/repair.h \
	%D%/ops/repair/salvage.c \
	%D%/ops/repair/salvage.h \
	%D%/ops/repair/salvage_stream.c \
	%D%/ops/repair/salvage_v2.c \
	%D%/ops/repair/undo_text.c \
	%D%/ops/repair/write.c \
	%D%/ops/shift.c \
	%D%/ops/split.c \
	%D%/ops/split/piece_front.c \
	%D%/ops/split/piece_front.h \
	%D%/ops/split/piece_key.c \
	%D%/ops/split/piece_key.h \
	%D%/ops/split/piece_name.c \
	%D%/ops/split/piece_set.c \
	%D%/ops/split/piece_set.h \
	%D%/ops/split/pieces.c \
	%D%/ops/split/pieces_run.c \
	%D%/ops/split/pieces_thread.c \
	%D%/private/array.h \
	%D%/private/event.h \
	%D%/private/eventlog.h \
	%D%/private/export.h \
	%D%/private/header.h \
	%D%/private/import.h \
	%D%/private/key.h \
	%D%/private/names.h \
	%D%/private/ops.h \
	%D%/private/output.h \
	%D%/private/packing.h \
	%D%/private/profile.h \
	%D%/private/put.h \
	%D%/private/recorder.h \
	%D%/private/select.h \
	%D%/private/status.h \
	%D%/private/suggestion.h \
	%D%/private/tables.h \
	%D%/private/text.h \
	%D%/private/text_form.h \
	%D%/private/trace.h \
	%D%/private/utf8.h \
	%D%/private/verify.h \
	%D%/profile/engine.c \
	%D%/profile/profile.c \
	%D%/profile/profile.h \
	%D%/profile/profile_bytes.c \
	%D%/profile/profile_names.c \
	%D%/profile/totals.c \
	%D%/profile/totals.h \
	%D%/record/any_event.c \
	%D%/record/any_event.h \
	%D%/record/buffer.c \
	%D%/record/buffer.h \
	%D%/record/clock.c \
	%D%/record/clock.h \
	%D%/record/event_path.h \
	%D%/record/events.c \
	%D%/record/files.c \
	%D%/record/files.h \
	%D%/record/method_table.c \
	%D%/record/method_table.h \
	%D%/record/recorder.c \
	%D%/record/recorder.h \
	%D%/record/recorder_key.c \
	%D%/record/session.c \
	%D%/record/system.c \
	%D%/record/system.h \
	%D%/record/thread_state.c \
	%D%/record/thread_state.h \
	%D%/text/statement.c \
	%D%/text/statement.h \
	%D%/text/text_dump.c \
	%D%/text/text_dump.h \
	%D%/text/text_line.c \
	%D%/text/text_line.h \
	%D%/text/text_names.c \
	%D%/text/text_names.h \
	%D%/text/text_print.c \
	%D%/text/text_print.h \
	%D%/text/text_undump.c \
	%D%/text/text_undump.h \
	%D%/trace/batch_write.c \
	%D%/trace/batch_write.h \
	%D%/trace/container.c \
	%D%/trace/container.h \
	%D%/trace/container_base64.c \
	%D%/trace/container_pair.c \
	%D%/trace/container_stream.c \
	%D%/trace/container_v2.c \
	%D%/trace/definitions.c \
	%D%/trace/definitions.h \
	%D%/trace/dialect.c %D%/trace/dialect.h \
	%D%/trace/follow.c %D%/trace/follow.h \
	%D%/trace/gather.c \
	%D%/trace/gather.h \
	%D%/trace/packets.c %D%/trace/packets.h \
	%D%/trace/reader.c \
	%D%/trace/reader.h \
	%D%/trace/reader_begin.c \
	%D%/trace/reader_open.c \
	%D%/trace/reader_read.c \
	%D%/trace/reader_source.c \
	%D%/trace/reader_source.h \
	%D%/trace/records_source.c \
	%D%/trace/records_source.h \
	%D%/trace/spool.c \
	%D%/trace/spool.h \
	%D%/trace/stream_write.c \
	%D%/trace/stream_write.h \
	%D%/trace/text_form.c \
	%D%/trace/v2_read.c \
	%D%/trace/v2_read.h \
	%D%/trace/v2_write.c \
	%D%/trace/writer.c \
	%D%/trace/writer.h \
	%D%/trace/writer_like.c \
	%D%/trace/writer_strict.c %D%/trace/writer_strict.h \
	%D%/trace/writer_write.c \
	%D%/verify/diff/call_diff.c \
	%D%/verify/diff/call_lines.c \
	%D%/verify/diff/call_lines.h \
	%D%/verify/diff/fail_rule.c \
	%D%/verify/diff/method_diff.c \
	%D%/verify/diff/rank.c \
	%D%/verify/diff/rank.h \
	%D%/verify/diff/thread_calls.c \
	%D%/verify/diff/thread_calls.h \
	%D%/verify/expect/expect.c \
	%D%/verify/expect/expect_match.c \
	%D%/verify/expect/expect_report.c \
	%D%/verify/expect/expect_state.h \
	%D%/verify/expect/spec.c \
	%D%/verify/expect/spec.h \
	%D%/verify/expect/spec_parse.c \
	%D%/verify/expect/spec_update.c \
	%D%/verify/rule_text.c \
	%D%/verify/rule_text.h \
	%D%/verify/validate/check_events.c \
	%D%/verify/validate/check_events.h \
	%D%/verify/validate/fix.c \
	%D%/verify/validate/models.c \
	%D%/verify/validate/models.h \
	%D%/verify/validate/quirks.h \
	%D%/verify/validate/quirks_data.c \
	%D%/verify/validate/quirks_key.c \
	%D%/verify/validate/validation.c \
	%D%/verify/validate/validation.h

# The page of export_view.c: its style and its script, in this order.
view = %D%/export/view
view_files = $(view)/page.css $(view)/timeline.css $(view)/detail.css \
	$(view)/panels.css $(view)/small.css \
	$(view)/work.js $(view)/format.js $(view)/controls.js \
	$(view)/data.js $(view)/slices.js $(view)/tree.js \
	$(view)/transforms.js $(view)/colors.js $(view)/lanes.js \
	$(view)/detail.js \
	$(view)/entries.js $(view)/strips.js $(view)/threads.js \
	$(view)/overview.js $(view)/gestures.js $(view)/timeline.js \
	$(view)/search.js $(view)/menu.js \
	$(view)/choices.js $(view)/takeaway.js $(view)/histogram.js \
	$(view)/legend.js $(view)/stacks.js $(view)/compare.js \
	$(view)/panes.js $(view)/profile.js $(view)/calltree.js \
	$(view)/flame.js $(view)/calls.js $(view)/sums.js $(view)/panels.js \
	$(view)/summary.js $(view)/keys.js $(view)/frame.js $(view)/address.js \
	$(view)/page.js
# That of export_flame.c; numbers are written as there.
flame_files = %D%/export/flame/flame_svg.css $(view)/format.js \
	%D%/export/flame/flame_svg.js
# That of pictures of call graphs.
graph_files = %D%/export/graph/graph_svg.css \
	%D%/export/graph/graph_svg.js
nodist_%C%_libcore_la_SOURCES = %D%/export/view_text.c \
	%D%/export/flame_text.c %D%/export/graph_text.c
EXTRA_DIST += $(view_files) $(flame_files) $(graph_files) $(view)/embed.sh
CLEANFILES += %D%/export/view_text.c %D%/export/flame_text.c \
	%D%/export/graph_text.c
%D%/export/view_text.c: $(view_files) $(view)/embed.sh
	$(AM_V_GEN)$(MKDIR_P) %D%/export && (cd $(srcdir) && \
	    $(SHELL) $(view)/embed.sh view $(view_files)) >$@.tmp && \
	    mv $@.tmp $@
%D%/export/flame_text.c: $(flame_files) $(view)/embed.sh
	$(AM_V_GEN)$(MKDIR_P) %D%/export && (cd $(srcdir) && \
	    $(SHELL) $(view)/embed.sh flame $(flame_files)) >$@.tmp && \
	    mv $@.tmp $@
%D%/export/graph_text.c: $(graph_files) $(view)/embed.sh
	$(AM_V_GEN)$(MKDIR_P) %D%/export && (cd $(srcdir) && \
	    $(SHELL) $(view)/embed.sh graph $(graph_files)) >$@.tmp && \
	    mv $@.tmp $@

# The hooks without the functions that they replace, for unit tests, too.
noinst_LTLIBRARIES += %D%/libshim.la
%C%_libshim_la_SOURCES = \
	%D%/instrument/hook_filter.c \
	%D%/instrument/hook_filter.h \
	%D%/instrument/hook_names.c \
	%D%/instrument/hook_names.h \
	%D%/instrument/objects.c \
	%D%/instrument/objects.h \
	%D%/instrument/settings.c \
	%D%/instrument/settings.h \
	%D%/instrument/symbols.c \
	%D%/instrument/symbols.h

if INSTRUMENT
lib_LTLIBRARIES += %D%/libdmtrace-instrument.la
pkgconfig_files += libdmtrace-instrument.pc
endif
%C%_libdmtrace_instrument_la_SOURCES = \
	%D%/instrument/hooks.c \
	%D%/instrument/hooks.h \
	%D%/instrument/interpose.c \
	%D%/instrument/interpose.h \
	%D%/instrument/shim.c \
	%D%/instrument/shim.h
%C%_libdmtrace_instrument_la_LIBADD = %D%/libshim.la %D%/libcore.la
%C%_libdmtrace_instrument_la_LDFLAGS = $(AM_LDFLAGS) $(STAY_LDFLAGS) \
	-no-undefined -version-info 0:0:0 \
	-export-symbols $(srcdir)/%D%/instrument/instrument.sym
EXTRA_%C%_libdmtrace_instrument_la_DEPENDENCIES = \
	%D%/instrument/instrument.sym
EXTRA_DIST += %D%/instrument/instrument.sym

lib_LTLIBRARIES += %D%/libdmtrace.la
%C%_libdmtrace_la_SOURCES =
%C%_libdmtrace_la_LIBADD = %D%/libcore.la
%C%_libdmtrace_la_LDFLAGS = $(AM_LDFLAGS) $(STAY_LDFLAGS) -no-undefined \
	-version-info 0:0:0 -export-symbols $(srcdir)/%D%/libdmtrace.sym
EXTRA_%C%_libdmtrace_la_DEPENDENCIES = %D%/libdmtrace.sym
EXTRA_DIST += %D%/amalgamate.sh %D%/needed.awk %D%/libdmtrace.sym

# For pkg-config, Meson and CMake. They name the folders of the installation,
# which "make install prefix=DIR" may change, so they are made when it is.
EXTRA_DIST += \
	%D%/dmtrace-config-version.cmake.in \
	%D%/dmtrace-config.cmake.in \
	%D%/libdmtrace-instrument.pc.in \
	%D%/libdmtrace.pc.in
cmakedir = $(libdir)/cmake/dmtrace
place = sed -e 's,@lib@,$(libdir),' -e 's,@include@,$(includedir),' \
	-e 's,@version@,$(VERSION),'
install-data-local:
	@$(MKDIR_P) "$(DESTDIR)$(pkgconfigdir)" "$(DESTDIR)$(cmakedir)"
	@for file in $(pkgconfig_files); do \
	    $(place) $(srcdir)/%D%/$$file.in \
		>"$(DESTDIR)$(pkgconfigdir)/$$file" || exit; \
	done
	@for file in dmtrace-config.cmake dmtrace-config-version.cmake; do \
	    $(place) $(srcdir)/%D%/$$file.in \
		>"$(DESTDIR)$(cmakedir)/$$file" || exit; \
	done
uninstall-local:
	@rm -f "$(DESTDIR)$(cmakedir)/"dmtrace-config*.cmake
	@for file in $(pkgconfig_files); do \
	    rm -f "$(DESTDIR)$(pkgconfigdir)/$$file"; \
	done
	@-rmdir "$(DESTDIR)$(cmakedir)" 2>/dev/null

include_HEADERS += %D%/include/dmtrace.h
dmtraceinclude_HEADERS += \
	%D%/include/dmtrace/check.h \
	%D%/include/dmtrace/event.h \
	%D%/include/dmtrace/eventlog.h \
	%D%/include/dmtrace/export.h \
	%D%/include/dmtrace/key.h \
	%D%/include/dmtrace/ops.h \
	%D%/include/dmtrace/profile.h \
	%D%/include/dmtrace/reader.h \
	%D%/include/dmtrace/recorder.h \
	%D%/include/dmtrace/select.h \
	%D%/include/dmtrace/status.h \
	%D%/include/dmtrace/trace.h \
	%D%/include/dmtrace/verify.h \
	%D%/include/dmtrace/writer.h
