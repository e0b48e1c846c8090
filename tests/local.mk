# tests/local.mk - the tests, one line each

# Check programs; the source of tests/test_x is tests/test_x.c.
unit_tests += \
	%D%/test_array \
	%D%/test_call_diff \
	%D%/test_callstacks \
	%D%/test_changes \
	%D%/test_check \
	%D%/test_checksum \
	%D%/test_convert \
	%D%/test_cxx_name \
	%D%/test_damages \
	%D%/test_decimal \
	%D%/test_diff \
	%D%/test_duration \
	%D%/test_error \
	%D%/test_escape \
	%D%/test_eventlog \
	%D%/test_expect \
	%D%/test_expect_laws \
	%D%/test_export_dot \
	%D%/test_export_file \
	%D%/test_export_flame \
	%D%/test_export_html \
	%D%/test_exporter \
	%D%/test_filter \
	%D%/test_filter_laws \
	%D%/test_finding \
	%D%/test_fix \
	%D%/test_fuzz_targets \
	%D%/test_generate \
	%D%/test_generator \
	%D%/test_header_decode \
	%D%/test_header_encode \
	%D%/test_hook_filter \
	%D%/test_hook_settings \
	%D%/test_idmap \
	%D%/test_import \
	%D%/test_indexes \
	%D%/test_input \
	%D%/test_invent \
	%D%/test_join \
	%D%/test_json \
	%D%/test_judge \
	%D%/test_key_decode \
	%D%/test_key_encode \
	%D%/test_key_find \
	%D%/test_key_wrap \
	%D%/test_layout \
	%D%/test_leb128 \
	%D%/test_line_decode \
	%D%/test_line_encode \
	%D%/test_merge \
	%D%/test_merge_faults \
	%D%/test_merger \
	%D%/test_misuse \
	%D%/test_name_table \
	%D%/test_names \
	%D%/test_op_laws \
	%D%/test_opt_value \
	%D%/test_output \
	%D%/test_output_part \
	%D%/test_piece_laws \
	%D%/test_piece_packets \
	%D%/test_pieces \
	%D%/test_pipeline \
	%D%/test_profile \
	%D%/test_profile_laws \
	%D%/test_profile_stacks \
	%D%/test_rank \
	%D%/test_reader \
	%D%/test_reader_refuse \
	%D%/test_record_columns \
	%D%/test_record_count \
	%D%/test_record_decode \
	%D%/test_record_encode \
	%D%/test_record_sense \
	%D%/test_recorder \
	%D%/test_recorder_host \
	%D%/test_recorder_keys \
	%D%/test_recorder_memory \
	%D%/test_recorder_process \
	%D%/test_recorder_signals \
	%D%/test_recorder_stream \
	%D%/test_recorder_threads \
	%D%/test_recorder_times \
	%D%/test_rejoin \
	%D%/test_repair \
	%D%/test_repair_packets \
	%D%/test_rewind \
	%D%/test_roundtrip \
	%D%/test_rules \
	%D%/test_samples \
	%D%/test_scope \
	%D%/test_select \
	%D%/test_shift \
	%D%/test_short \
	%D%/test_sink \
	%D%/test_sort \
	%D%/test_spec \
	%D%/test_split \
	%D%/test_spool \
	%D%/test_stream \
	%D%/test_stream_codec \
	%D%/test_subsequence \
	%D%/test_symbols \
	%D%/test_table \
	%D%/test_tags \
	%D%/test_text \
	%D%/test_text_damage \
	%D%/test_trace_faults \
	%D%/test_unwrap \
	%D%/test_v2_decode \
	%D%/test_v2_encode \
	%D%/test_v2_reader \
	%D%/test_v2_stage \
	%D%/test_validate \
	%D%/test_version \
	%D%/test_window \
	%D%/test_writer \
	%D%/test_wrong_stage

# In these, calls of the C library can be made to fail.
faults = %D%/faults.c %D%/faults.h
faults_ldflags = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=read -Wl,--wrap=write -Wl,--wrap=writev \
	-Wl,--wrap=fsync \
	-Wl,--wrap=close -Wl,--wrap=rename -Wl,--wrap=link
%C%_test_array_SOURCES = %D%/test_array.c $(faults)
%C%_test_array_LDFLAGS = $(faults_ldflags)
%C%_test_call_diff_SOURCES = %D%/test_call_diff.c $(faults)
%C%_test_call_diff_LDFLAGS = $(faults_ldflags)
%C%_test_checksum_SOURCES = %D%/test_checksum.c $(faults)
%C%_test_checksum_LDFLAGS = $(faults_ldflags)
%C%_test_convert_SOURCES = %D%/test_convert.c $(faults)
%C%_test_convert_LDFLAGS = $(faults_ldflags)
%C%_test_eventlog_SOURCES = %D%/test_eventlog.c $(faults)
%C%_test_eventlog_LDFLAGS = $(faults_ldflags)
%C%_test_expect_SOURCES = %D%/test_expect.c $(faults)
%C%_test_expect_LDFLAGS = $(faults_ldflags)
%C%_test_diff_SOURCES = %D%/test_diff.c $(faults)
%C%_test_diff_LDFLAGS = $(faults_ldflags)
%C%_test_export_dot_SOURCES = %D%/test_export_dot.c $(faults)
%C%_test_export_dot_LDFLAGS = $(faults_ldflags)
%C%_test_export_flame_SOURCES = %D%/test_export_flame.c $(faults)
%C%_test_export_flame_LDFLAGS = $(faults_ldflags)
%C%_test_export_html_SOURCES = %D%/test_export_html.c $(faults)
%C%_test_export_html_LDFLAGS = $(faults_ldflags)
%C%_test_exporter_SOURCES = %D%/test_exporter.c $(faults)
%C%_test_exporter_LDFLAGS = $(faults_ldflags)
%C%_test_filter_SOURCES = %D%/test_filter.c $(faults)
%C%_test_filter_LDFLAGS = $(faults_ldflags)
%C%_test_fix_SOURCES = %D%/test_fix.c $(faults)
%C%_test_fix_LDFLAGS = $(faults_ldflags)
%C%_test_generate_SOURCES = %D%/test_generate.c $(faults)
%C%_test_generate_LDFLAGS = $(faults_ldflags)
%C%_test_generator_SOURCES = %D%/test_generator.c $(faults)
%C%_test_generator_LDFLAGS = $(faults_ldflags)
%C%_test_idmap_SOURCES = %D%/test_idmap.c $(faults)
%C%_test_idmap_LDFLAGS = $(faults_ldflags)
%C%_test_name_table_SOURCES = %D%/test_name_table.c $(faults)
%C%_test_name_table_LDFLAGS = $(faults_ldflags)
%C%_test_import_SOURCES = %D%/test_import.c $(faults)
%C%_test_import_LDFLAGS = $(faults_ldflags)
%C%_test_join_SOURCES = %D%/test_join.c $(faults)
%C%_test_join_LDFLAGS = $(faults_ldflags)
%C%_test_json_SOURCES = %D%/test_json.c $(faults)
%C%_test_json_LDFLAGS = $(faults_ldflags)
%C%_test_key_decode_SOURCES = %D%/test_key_decode.c $(faults)
%C%_test_key_decode_LDFLAGS = $(faults_ldflags)
%C%_test_key_encode_SOURCES = %D%/test_key_encode.c $(faults)
%C%_test_key_encode_LDFLAGS = $(faults_ldflags)
%C%_test_merge_faults_SOURCES = %D%/test_merge_faults.c $(faults)
%C%_test_merge_faults_LDFLAGS = $(faults_ldflags)
%C%_test_op_laws_SOURCES = %D%/test_op_laws.c $(faults)
%C%_test_op_laws_LDFLAGS = $(faults_ldflags)
%C%_test_record_count_SOURCES = %D%/test_record_count.c $(faults)
%C%_test_record_count_LDFLAGS = $(faults_ldflags)
%C%_test_recorder_signals_SOURCES = %D%/test_recorder_signals.c $(faults)
%C%_test_recorder_signals_LDFLAGS = $(faults_ldflags)
%C%_test_rewind_SOURCES = %D%/test_rewind.c $(faults)
%C%_test_rewind_LDFLAGS = $(faults_ldflags)
%C%_test_select_SOURCES = %D%/test_select.c $(faults)
%C%_test_select_LDFLAGS = $(faults_ldflags)
%C%_test_shift_SOURCES = %D%/test_shift.c $(faults)
%C%_test_shift_LDFLAGS = $(faults_ldflags)
%C%_test_repair_SOURCES = %D%/test_repair.c $(faults)
%C%_test_repair_LDFLAGS = $(faults_ldflags)
%C%_test_piece_packets_SOURCES = %D%/test_piece_packets.c $(faults)
%C%_test_piece_packets_LDFLAGS = $(faults_ldflags)
%C%_test_pieces_SOURCES = %D%/test_pieces.c $(faults)
%C%_test_pieces_LDFLAGS = $(faults_ldflags)
%C%_test_rejoin_SOURCES = %D%/test_rejoin.c $(faults)
%C%_test_rejoin_LDFLAGS = $(faults_ldflags)
%C%_test_output_SOURCES = %D%/test_output.c $(faults)
%C%_test_output_LDFLAGS = $(faults_ldflags)
%C%_test_sort_SOURCES = %D%/test_sort.c $(faults)
%C%_test_sort_LDFLAGS = $(faults_ldflags)
%C%_test_input_SOURCES = %D%/test_input.c $(faults)
%C%_test_input_LDFLAGS = $(faults_ldflags)
%C%_test_spec_SOURCES = %D%/test_spec.c $(faults)
%C%_test_spec_LDFLAGS = $(faults_ldflags)
%C%_test_split_SOURCES = %D%/test_split.c $(faults)
%C%_test_split_LDFLAGS = $(faults_ldflags)
%C%_test_callstacks_SOURCES = %D%/test_callstacks.c $(faults)
%C%_test_callstacks_LDFLAGS = $(faults_ldflags)
%C%_test_indexes_SOURCES = %D%/test_indexes.c $(faults)
%C%_test_indexes_LDFLAGS = $(faults_ldflags)
%C%_test_spool_SOURCES = %D%/test_spool.c $(faults)
%C%_test_spool_LDFLAGS = $(faults_ldflags)
%C%_test_tags_SOURCES = %D%/test_tags.c $(faults)
%C%_test_tags_LDFLAGS = $(faults_ldflags)
%C%_test_trace_faults_SOURCES = %D%/test_trace_faults.c $(faults)
%C%_test_trace_faults_LDFLAGS = $(faults_ldflags)
%C%_test_v2_reader_SOURCES = %D%/test_v2_reader.c $(faults)
%C%_test_v2_reader_LDFLAGS = $(faults_ldflags)
%C%_test_v2_stage_SOURCES = %D%/test_v2_stage.c $(faults)
%C%_test_v2_stage_LDFLAGS = $(faults_ldflags)
%C%_test_validate_SOURCES = %D%/test_validate.c $(faults)
%C%_test_validate_LDFLAGS = $(faults_ldflags)
%C%_test_window_SOURCES = %D%/test_window.c $(faults)
%C%_test_window_LDFLAGS = $(faults_ldflags)
%C%_test_wrong_stage_SOURCES = %D%/test_wrong_stage.c $(faults)
%C%_test_wrong_stage_LDFLAGS = $(faults_ldflags)

# Clocks that step.
%C%_test_recorder_times_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime
# Parts of the hooks.
shim = lib/libshim.la $(LDADD)
%C%_test_cxx_name_LDADD = $(shim)
%C%_test_hook_filter_LDADD = $(shim)
%C%_test_hook_settings_LDADD = $(shim)
%C%_test_symbols_LDADD = $(shim)

# Parts of the program that are worth a test of their own.
%C%_test_decimal_SOURCES = %D%/test_decimal.c tools/cli/decimal.c
%C%_test_duration_SOURCES = %D%/test_duration.c tools/cli/decimal.c
%C%_test_opt_value_SOURCES = %D%/test_opt_value.c tools/cli/decimal.c \
	tools/cli/escapes.c tools/cli/msg.c tools/cli/opt.c \
	tools/cli/suggestion.c
%C%_test_table_SOURCES = %D%/test_table.c tools/cli/cli_files.c \
	tools/cli/decimal.c tools/cli/escapes.c tools/cli/msg.c \
	tools/cli/out.c tools/cli/strbuf.c tools/cli/table.c
%C%_test_text_SOURCES = %D%/test_text.c tools/cli/escapes.c

# These run over the samples, and over traces that are not in the tree.
samples = %D%/sample_laws.c %D%/samples.c %D%/samples.h
%C%_test_changes_SOURCES = %D%/test_changes.c $(samples)
%C%_test_expect_laws_SOURCES = %D%/test_expect_laws.c $(samples)
%C%_test_filter_laws_SOURCES = %D%/test_filter_laws.c $(samples)
%C%_test_piece_laws_SOURCES = %D%/test_piece_laws.c $(samples)
%C%_test_profile_laws_SOURCES = %D%/test_profile_laws.c $(samples) $(faults)
%C%_test_profile_laws_LDFLAGS = $(faults_ldflags)
%C%_test_samples_SOURCES = %D%/test_samples.c $(samples) $(faults)
%C%_test_samples_LDFLAGS = $(faults_ldflags)

# The targets of "make fuzz".
fuzz_targets = %D%/fuzz/calls.c %D%/fuzz/targets.c %D%/fuzz/targets.h
%C%_test_fuzz_targets_SOURCES = %D%/test_fuzz_targets.c $(fuzz_targets)
EXTRA_PROGRAMS += %D%/fuzz/fuzz
%C%_fuzz_fuzz_SOURCES = %D%/fuzz/fuzz.c $(fuzz_targets)
%C%_fuzz_fuzz_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
%C%_fuzz_fuzz_LDADD = lib/libcore.la

# Scripts: one per command, and those that hold the house to its rules.
scripts = \
	%D%/check_amalgamation.sh \
	%D%/check_commands.sh \
	%D%/check_ends.sh \
	%D%/check_examples.sh \
	%D%/check_findings.sh \
	%D%/check_headers.sh \
	%D%/check_hooks.sh \
	%D%/check_layers.sh \
	%D%/check_lists.sh \
	%D%/check_manual.sh \
	%D%/check_pages.sh \
	%D%/check_races.sh \
	%D%/check_recorder.sh \
	%D%/check_scopes.sh \
	%D%/check_style.sh \
	%D%/check_symbols.sh \
	%D%/check_unload.sh \
	%D%/cli_bad_input.sh \
	%D%/cli_checksum.sh \
	%D%/cli_convert.sh \
	%D%/cli_corpus.sh \
	%D%/cli_dialects.sh \
	%D%/cli_diff.sh \
	%D%/cli_diff_calls.sh \
	%D%/cli_diff_old.sh \
	%D%/cli_dmtracedump.sh \
	%D%/cli_dump.sh \
	%D%/cli_eventlog.sh \
	%D%/cli_expect.sh \
	%D%/cli_export.sh \
	%D%/cli_export_laws.sh \
	%D%/cli_filter.sh \
	%D%/cli_findings.sh \
	%D%/cli_flame.sh \
	%D%/cli_generate.sh \
	%D%/cli_graph.sh \
	%D%/cli_help.sh \
	%D%/cli_import.sh \
	%D%/cli_info.sh \
	%D%/cli_join.sh \
	%D%/cli_journal.sh \
	%D%/cli_kills.sh \
	%D%/cli_laws.sh \
	%D%/cli_memory.sh \
	%D%/cli_merge.sh \
	%D%/cli_nameless.sh \
	%D%/cli_record.sh \
	%D%/cli_record_full.sh \
	%D%/cli_record_whole.sh \
	%D%/cli_rejoin.sh \
	%D%/cli_repair.sh \
	%D%/cli_report.sh \
	%D%/cli_report_html.sh \
	%D%/cli_report_old.sh \
	%D%/cli_samples.sh \
	%D%/cli_shift.sh \
	%D%/cli_signals.sh \
	%D%/cli_sort.sh \
	%D%/cli_split.sh \
	%D%/cli_split_by.sh \
	%D%/cli_stream.sh \
	%D%/cli_tail.sh \
	%D%/cli_traps.sh \
	%D%/cli_v2.sh \
	%D%/cli_validate.sh \
	%D%/cli_validate_fix.sh \
	%D%/cli_validate_for.sh \
	%D%/cli_view.sh

if HAVE_CHECK
check_PROGRAMS += $(unit_tests)
need_check = :
else
need_check = { \
	echo 'make check needs the library Check, 0.11.0 or later:'; \
	echo 'install it (Debian: check) and run configure again'; \
	exit 1; } >&2
endif
LDADD = lib/libcore.la $(CHECK_LIBS)
TESTS += $(unit_tests) $(scripts)

# What "make bench" runs.
bench_programs = %D%/bench/bench_batch %D%/bench/bench_blocks \
	%D%/bench/bench_pair \
	%D%/bench/bench_read %D%/bench/record_load
EXTRA_PROGRAMS += $(bench_programs)
%C%_bench_bench_batch_LDADD = lib/libcore.la
%C%_bench_bench_blocks_LDADD = lib/libcore.la
%C%_bench_bench_pair_LDADD =
%C%_bench_bench_read_LDADD = lib/libcore.la
%C%_bench_record_load_LDADD = lib/libdmtrace.la
CLEANFILES += $(bench_programs)

TEST_EXTENSIONS = .sh
LOG_DRIVER = $(SHELL) $(srcdir)/%D%/driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
# The sanitizers look for leaks at the end of a process, and take long to
# begin one: there, a program is one process.
AM_TESTS_ENVIRONMENT = \
	srcdir='$(abs_srcdir)'; export srcdir; \
	builddir='$(abs_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	NM='$(NM)'; export NM; \
	SANITIZED='$(SANITIZED)'; export SANITIZED; \
	if test "$$SANITIZED" = yes; then CK_FORK=no; export CK_FORK; fi; \
	PATH='$(abs_builddir)/tools':"$$PATH"; \
	export PATH; \
	LD_LIBRARY_PATH='$(abs_builddir)/lib/.libs'; export LD_LIBRARY_PATH;

EXTRA_DIST += $(scripts) \
	%D%/amalgamation/laws.c \
	%D%/array_source.h \
	%D%/asks.h \
	%D%/bench/rows_basic.sh \
	%D%/bench/rows_convert.sh \
	%D%/bench/rows_diff.sh \
	%D%/bench/rows_expect.sh \
	%D%/bench/rows_export.sh \
	%D%/bench/rows_filter.sh \
	%D%/bench/rows_instrument.sh \
	%D%/bench/rows_merge.sh \
	%D%/bench/rows_pieces.sh \
	%D%/bench/rows_record.sh \
	%D%/bench/rows_report.sh \
	%D%/bench/rows_sort.sh \
	%D%/bench/rows_validate.sh \
	%D%/bench/run.sh \
	%D%/browser.js \
	%D%/cancel.h \
	%D%/changes.h \
	%D%/claim.sh \
	%D%/compare_with.sh \
	%D%/counts.sh \
	%D%/coverage.sh \
	%D%/damages.h \
	%D%/data \
	%D%/digests.h \
	%D%/drip.h \
	%D%/driver.sh \
	%D%/eslint.config.js \
	%D%/events.h \
	%D%/expects.h \
	%D%/exports.h \
	%D%/failing.h \
	%D%/files.h \
	%D%/fuzz/run.sh \
	%D%/fuzz/seeds \
	%D%/halves.h \
	%D%/hooked.sh \
	%D%/hostile_names.sh \
	%D%/id_stacks.h \
	%D%/junit.xsd \
	%D%/keys.h \
	%D%/op.h \
	%D%/pieces.h \
	%D%/profiles.h \
	%D%/programs/busy.c \
	%D%/programs/count.h \
	%D%/programs/endless.c \
	%D%/programs/ends.c \
	%D%/programs/errors.c \
	%D%/programs/family.c \
	%D%/programs/heap.cc \
	%D%/programs/jump.c \
	%D%/programs/no_memory.c \
	%D%/programs/opens.c \
	%D%/programs/plugin.c \
	%D%/programs/random.c \
	%D%/programs/scopes.cc \
	%D%/programs/storm.c \
	%D%/programs/threads.c \
	%D%/programs/throw.cc \
	%D%/programs/unload.c \
	%D%/programs/whole.c \
	%D%/random.h \
	%D%/record.sh \
	%D%/recorded.h \
	%D%/records.h \
	%D%/repairing.h \
	%D%/repairs.h \
	%D%/repairs_packets.h \
	%D%/reported.h \
	%D%/streams.h \
	%D%/traces.h \
	%D%/unit.h \
	%D%/v2_events.h \
	%D%/v2_samples.h \
	%D%/verdicts.sh \
	%D%/view_figures.js \
	%D%/web_cases.js \
	%D%/web_cases.sh \
	%D%/web_flame.js \
	%D%/web_flame.sh \
	%D%/web_speedscope.sh \
	%D%/web_view.js \
	%D%/web_view.sh
