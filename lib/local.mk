# lib/local.mk - libdmtrace, floor by floor

# Unit tests link libcore.la, which hides nothing.
noinst_LTLIBRARIES += %D%/libcore.la
%C%_libcore_la_SOURCES = \
	%D%/base/arena.c \
	%D%/base/arena.h \
	%D%/base/array.c \
	%D%/base/array.h \
	%D%/base/bytes.h \
	%D%/base/error.c \
	%D%/base/error.h \
	%D%/base/escape.c \
	%D%/base/escape.h \
	%D%/base/idmap.c \
	%D%/base/idmap.h \
	%D%/base/marks.c \
	%D%/base/marks.h \
	%D%/base/path.c \
	%D%/base/path.h \
	%D%/base/sink.c \
	%D%/base/sink.h \
	%D%/base/sink_file.c \
	%D%/base/sink_public.c \
	%D%/base/source.c \
	%D%/base/source.h \
	%D%/base/source_hold.c \
	%D%/base/status.c \
	%D%/base/utf8.c \
	%D%/base/utf8.h \
	%D%/base/version.c \
	%D%/base/words.c \
	%D%/base/words.h \
	%D%/data/header_decode.c \
	%D%/data/header_decode.h \
	%D%/data/header_encode.c \
	%D%/data/header_encode.h \
	%D%/data/record.h \
	%D%/data/record_census.c \
	%D%/data/record_census.h \
	%D%/data/record_count.c \
	%D%/data/record_count.h \
	%D%/data/record_deal.c \
	%D%/data/record_deal.h \
	%D%/data/record_decode.c \
	%D%/data/record_decode.h \
	%D%/data/record_encode.c \
	%D%/data/record_encode.h \
	%D%/data/record_keep.c \
	%D%/data/record_keep.h \
	%D%/data/unwrap.c \
	%D%/data/unwrap.h \
	%D%/events/calls.c \
	%D%/events/cuts.c \
	%D%/events/cuts.h \
	%D%/events/pattern.c \
	%D%/events/pattern.h \
	%D%/events/resolve.c \
	%D%/events/scan.c \
	%D%/events/scan.h \
	%D%/events/select.c \
	%D%/events/select.h \
	%D%/events/selector.c \
	%D%/events/selector.h \
	%D%/events/stack.c \
	%D%/events/stack.h \
	%D%/events/window.c \
	%D%/export/export_dot.c \
	%D%/export/export_html.c \
	%D%/export/graph.c \
	%D%/export/graph.h \
	%D%/export/items.c \
	%D%/export/items.h \
	%D%/export/page.h \
	%D%/export/page_script.c \
	%D%/export/page_style.c \
	%D%/export/put.c \
	%D%/export/put.h \
	%D%/format/finding.c \
	%D%/format/finding.h \
	%D%/format/header.h \
	%D%/format/layout.c \
	%D%/format/layout.h \
	%D%/format/layouts.h \
	%D%/format/names.c \
	%D%/format/names.h \
	%D%/key/edits.c \
	%D%/key/edits.h \
	%D%/key/key.c \
	%D%/key/key.h \
	%D%/key/key_add.c \
	%D%/key/key_decode.c \
	%D%/key/key_encode.c \
	%D%/key/key_find.c \
	%D%/key/key_without.c \
	%D%/key/line_decode.c \
	%D%/key/line_decode.h \
	%D%/key/line_encode.c \
	%D%/key/line_encode.h \
	%D%/key/lines.c \
	%D%/key/lines.h \
	%D%/key/number.c \
	%D%/key/number.h \
	%D%/key/options.c \
	%D%/key/options.h \
	%D%/key/rows.c \
	%D%/key/rows.h \
	%D%/key/section.c \
	%D%/key/section.h \
	%D%/key/text.c \
	%D%/key/text.h \
	%D%/key/wrap.c \
	%D%/key/wrap.h \
	%D%/ops/added.c \
	%D%/ops/added.h \
	%D%/ops/belong.c \
	%D%/ops/belong.h \
	%D%/ops/checksum.c \
	%D%/ops/chunk.c \
	%D%/ops/chunk.h \
	%D%/ops/digest.c \
	%D%/ops/digest.h \
	%D%/ops/file.c \
	%D%/ops/file.h \
	%D%/ops/filter.c \
	%D%/ops/filter.h \
	%D%/ops/filter_events.c \
	%D%/ops/filter_key.c \
	%D%/ops/filter_threads.c \
	%D%/ops/filter_window.c \
	%D%/ops/front.c \
	%D%/ops/front.h \
	%D%/ops/generate.c \
	%D%/ops/interleave.c \
	%D%/ops/interleave.h \
	%D%/ops/invent.c \
	%D%/ops/invent.h \
	%D%/ops/join.c \
	%D%/ops/merge.c \
	%D%/ops/merge.h \
	%D%/ops/merge_input.c \
	%D%/ops/merge_load.c \
	%D%/ops/merge_make.c \
	%D%/ops/merge_methods.c \
	%D%/ops/merge_options.c \
	%D%/ops/merge_order.c \
	%D%/ops/merge_place.c \
	%D%/ops/merge_plan.c \
	%D%/ops/merge_threads.c \
	%D%/ops/op.c \
	%D%/ops/op.h \
	%D%/ops/piece_key.c \
	%D%/ops/piece_key.h \
	%D%/ops/piece_name.c \
	%D%/ops/piece_set.c \
	%D%/ops/piece_set.h \
	%D%/ops/piece_strip.c \
	%D%/ops/pieces.c \
	%D%/ops/pieces.h \
	%D%/ops/pieces_run.c \
	%D%/ops/pieces_thread.c \
	%D%/ops/random.h \
	%D%/ops/rejoin.c \
	%D%/ops/rejoin.h \
	%D%/ops/rejoin_threads.c \
	%D%/ops/remap.c \
	%D%/ops/remap.h \
	%D%/ops/repair.c \
	%D%/ops/repair.h \
	%D%/ops/repair_change.c \
	%D%/ops/repair_change.h \
	%D%/ops/repair_count.c \
	%D%/ops/repair_data.c \
	%D%/ops/repair_edges.c \
	%D%/ops/repair_events.c \
	%D%/ops/repair_front.c \
	%D%/ops/repair_guess.c \
	%D%/ops/repair_guess.h \
	%D%/ops/repair_key.c \
	%D%/ops/repair_key.h \
	%D%/ops/repair_mangled.c \
	%D%/ops/repair_mangled.h \
	%D%/ops/repair_open.c \
	%D%/ops/repair_put.c \
	%D%/ops/repair_rows.c \
	%D%/ops/repair_time.c \
	%D%/ops/repair_time.h \
	%D%/ops/repair_walk.h \
	%D%/ops/repair_write.c \
	%D%/ops/runs.c \
	%D%/ops/runs.h \
	%D%/ops/shift.c \
	%D%/ops/sort.c \
	%D%/ops/sort_copy.c \
	%D%/ops/sort_copy.h \
	%D%/ops/sort_key.h \
	%D%/ops/split.c \
	%D%/ops/walk.c \
	%D%/ops/walk.h \
	%D%/ops/weave.c \
	%D%/ops/weave.h \
	%D%/profile/add.c \
	%D%/profile/calls.c \
	%D%/profile/calls.h \
	%D%/profile/edges.c \
	%D%/profile/edges.h \
	%D%/profile/get.c \
	%D%/profile/ids.c \
	%D%/profile/ids.h \
	%D%/profile/lane.h \
	%D%/profile/methods.c \
	%D%/profile/nodes.c \
	%D%/profile/nodes.h \
	%D%/profile/profile.c \
	%D%/profile/profile.h \
	%D%/profile/thread.c \
	%D%/profile/threads.c \
	%D%/record/blocks.c \
	%D%/record/blocks.h \
	%D%/record/buffer.c \
	%D%/record/clock.c \
	%D%/record/clock.h \
	%D%/record/drain.c \
	%D%/record/events.c \
	%D%/record/files.c \
	%D%/record/files.h \
	%D%/record/fork.c \
	%D%/record/known.c \
	%D%/record/known.h \
	%D%/record/lane.c \
	%D%/record/lane.h \
	%D%/record/recorder.c \
	%D%/record/recorder.h \
	%D%/record/rows.c \
	%D%/record/session.c \
	%D%/record/system.c \
	%D%/record/system.h \
	%D%/record/threads.c \
	%D%/record/threads.h \
	%D%/trace/container.c \
	%D%/trace/container.h \
	%D%/trace/container_joined.c \
	%D%/trace/container_pair.c \
	%D%/trace/reader.c \
	%D%/trace/reader.h \
	%D%/trace/reader_begin.c \
	%D%/trace/reader_open.c \
	%D%/trace/reader_read.c \
	%D%/trace/reader_rewind.c \
	%D%/trace/replay.c \
	%D%/trace/replay.h \
	%D%/trace/writer.c \
	%D%/trace/writer.h \
	%D%/trace/writer_around.c \
	%D%/trace/writer_open.c \
	%D%/trace/writer_rest.c \
	%D%/trace/writer_write.c

# The hooks without what they wrap, for unit tests, too.
noinst_LTLIBRARIES += %D%/libshim.la
%C%_libshim_la_SOURCES = \
	%D%/instrument/cxx_name.c \
	%D%/instrument/cxx_name.h \
	%D%/instrument/filter.c \
	%D%/instrument/filter.h \
	%D%/instrument/names.c \
	%D%/instrument/names.h \
	%D%/instrument/objects.c \
	%D%/instrument/objects.h \
	%D%/instrument/settings.c \
	%D%/instrument/settings.h \
	%D%/instrument/settings_path.c \
	%D%/instrument/symbols.c \
	%D%/instrument/symbols.h

lib_LTLIBRARIES += %D%/libdmtrace-instrument.la
%C%_libdmtrace_instrument_la_SOURCES = \
	%D%/instrument/frames.c \
	%D%/instrument/frames.h \
	%D%/instrument/hooks.c \
	%D%/instrument/hooks.h \
	%D%/instrument/report.c \
	%D%/instrument/report.h \
	%D%/instrument/shim.c \
	%D%/instrument/shim.h \
	%D%/instrument/signals.c \
	%D%/instrument/signals.h \
	%D%/instrument/thread.h \
	%D%/instrument/wrap.h \
	%D%/instrument/wrap_exec.c \
	%D%/instrument/wrap_exit.c \
	%D%/instrument/wrap_jump.c
%C%_libdmtrace_instrument_la_LIBADD = %D%/libshim.la %D%/libcore.la
%C%_libdmtrace_instrument_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined \
	-version-info 0:0:0 \
	-export-symbols $(srcdir)/%D%/instrument/instrument.sym
EXTRA_%C%_libdmtrace_instrument_la_DEPENDENCIES = \
	%D%/instrument/instrument.sym
EXTRA_DIST += %D%/instrument/instrument.sym

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
	%D%/include/dmtrace/calls.h \
	%D%/include/dmtrace/checksum.h \
	%D%/include/dmtrace/event.h \
	%D%/include/dmtrace/export.h \
	%D%/include/dmtrace/filter.h \
	%D%/include/dmtrace/finding.h \
	%D%/include/dmtrace/key.h \
	%D%/include/dmtrace/merge.h \
	%D%/include/dmtrace/ops.h \
	%D%/include/dmtrace/pieces.h \
	%D%/include/dmtrace/profile.h \
	%D%/include/dmtrace/recorder.h \
	%D%/include/dmtrace/repair.h \
	%D%/include/dmtrace/rewind.h \
	%D%/include/dmtrace/select.h \
	%D%/include/dmtrace/shift.h \
	%D%/include/dmtrace/sink.h \
	%D%/include/dmtrace/sort.h \
	%D%/include/dmtrace/stack.h \
	%D%/include/dmtrace/status.h \
	%D%/include/dmtrace/trace.h
