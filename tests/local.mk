# tests/local.mk - the tests, one line each

# Check programs; the source of tests/unit/test_x is tests/unit/test_x.c.
unit_tests += \
	%D%/laws/test_changes \
	%D%/laws/test_corrupt_laws \
	%D%/laws/test_expect_laws \
	%D%/laws/test_filter_laws \
	%D%/laws/test_import_laws \
	%D%/laws/test_op_laws \
	%D%/laws/test_piece_laws \
	%D%/laws/test_profile_laws \
	%D%/laws/test_roundtrip \
	%D%/laws/test_samples \
	%D%/laws/test_text_laws \
	%D%/unit/test_array \
	%D%/unit/test_call_diff \
	%D%/unit/test_callstacks \
	%D%/unit/test_check \
	%D%/unit/test_checksum \
	%D%/unit/test_convert \
	%D%/unit/test_cxx_name \
	%D%/unit/test_damages \
	%D%/unit/test_decimal \
	%D%/unit/test_diff \
	%D%/unit/test_duration \
	%D%/unit/test_error \
	%D%/unit/test_escape \
	%D%/unit/test_eventlog \
	%D%/unit/test_expect \
	%D%/unit/test_export_dot \
	%D%/unit/test_export_file \
	%D%/unit/test_export_flame \
	%D%/unit/test_export_html \
	%D%/unit/test_exporter \
	%D%/unit/test_filter \
	%D%/unit/test_finding \
	%D%/unit/test_fix \
	%D%/unit/test_fuzz_targets \
	%D%/unit/test_generate \
	%D%/unit/test_generator \
	%D%/unit/test_header_decode \
	%D%/unit/test_header_encode \
	%D%/unit/test_hook_filter \
	%D%/unit/test_hook_settings \
	%D%/unit/test_idmap \
	%D%/unit/test_import \
	%D%/unit/test_indexes \
	%D%/unit/test_input \
	%D%/unit/test_invent \
	%D%/unit/test_join \
	%D%/unit/test_json \
	%D%/unit/test_judge \
	%D%/unit/test_key_decode \
	%D%/unit/test_key_encode \
	%D%/unit/test_key_find \
	%D%/unit/test_key_rewrite \
	%D%/unit/test_key_wrap \
	%D%/unit/test_layout \
	%D%/unit/test_leb128 \
	%D%/unit/test_line_decode \
	%D%/unit/test_line_encode \
	%D%/unit/test_merge \
	%D%/unit/test_merge_faults \
	%D%/unit/test_merger \
	%D%/unit/test_misuse \
	%D%/unit/test_name_table \
	%D%/unit/test_names \
	%D%/unit/test_opt_value \
	%D%/unit/test_output \
	%D%/unit/test_output_part \
	%D%/unit/test_parquet \
	%D%/unit/test_piece_packets \
	%D%/unit/test_pieces \
	%D%/unit/test_pipeline \
	%D%/unit/test_profile \
	%D%/unit/test_profile_stacks \
	%D%/unit/test_rank \
	%D%/unit/test_reader \
	%D%/unit/test_reader_refuse \
	%D%/unit/test_record_columns \
	%D%/unit/test_record_count \
	%D%/unit/test_record_decode \
	%D%/unit/test_record_encode \
	%D%/unit/test_record_sense \
	%D%/unit/test_recorder \
	%D%/unit/test_recorder_faults \
	%D%/unit/test_recorder_host \
	%D%/unit/test_recorder_keys \
	%D%/unit/test_recorder_kills \
	%D%/unit/test_recorder_memory \
	%D%/unit/test_recorder_process \
	%D%/unit/test_recorder_room \
	%D%/unit/test_recorder_signals \
	%D%/unit/test_recorder_stream \
	%D%/unit/test_recorder_threads \
	%D%/unit/test_recorder_times \
	%D%/unit/test_rejoin \
	%D%/unit/test_rename \
	%D%/unit/test_repair \
	%D%/unit/test_repair_packets \
	%D%/unit/test_rewind \
	%D%/unit/test_rules \
	%D%/unit/test_scope \
	%D%/unit/test_select \
	%D%/unit/test_shift \
	%D%/unit/test_short \
	%D%/unit/test_sort \
	%D%/unit/test_sorter \
	%D%/unit/test_spec \
	%D%/unit/test_split \
	%D%/unit/test_spool \
	%D%/unit/test_stream \
	%D%/unit/test_stream_codec \
	%D%/unit/test_subsequence \
	%D%/unit/test_symbols \
	%D%/unit/test_table \
	%D%/unit/test_tables \
	%D%/unit/test_tags \
	%D%/unit/test_text \
	%D%/unit/test_text_damage \
	%D%/unit/test_trace_faults \
	%D%/unit/test_unwrap \
	%D%/unit/test_v2_decode \
	%D%/unit/test_v2_encode \
	%D%/unit/test_v2_reader \
	%D%/unit/test_v2_stage \
	%D%/unit/test_validate \
	%D%/unit/test_version \
	%D%/unit/test_view_slices \
	%D%/unit/test_window \
	%D%/unit/test_writer \
	%D%/unit/test_wrong_stage

# In these, calls of the C library can be made to fail.
faults = %D%/helpers/faults.c %D%/helpers/faults.h
faults_ldflags = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=free \
	-Wl,--wrap=read -Wl,--wrap=write -Wl,--wrap=writev \
	-Wl,--wrap=ftruncate -Wl,--wrap=open -Wl,--wrap=mmap \
	-Wl,--wrap=ftruncate64 -Wl,--wrap=open64 -Wl,--wrap=mmap64 \
	-Wl,--wrap=fsync \
	-Wl,--wrap=close -Wl,--wrap=rename -Wl,--wrap=link
%C%_unit_test_array_SOURCES = %D%/unit/test_array.c $(faults)
%C%_unit_test_array_LDFLAGS = $(faults_ldflags)
%C%_unit_test_call_diff_SOURCES = %D%/unit/test_call_diff.c $(faults)
%C%_unit_test_call_diff_LDFLAGS = $(faults_ldflags)
%C%_unit_test_checksum_SOURCES = %D%/unit/test_checksum.c $(faults)
%C%_unit_test_checksum_LDFLAGS = $(faults_ldflags)
%C%_unit_test_convert_SOURCES = %D%/unit/test_convert.c $(faults)
%C%_unit_test_convert_LDFLAGS = $(faults_ldflags)
%C%_unit_test_eventlog_SOURCES = %D%/unit/test_eventlog.c $(faults)
%C%_unit_test_eventlog_LDFLAGS = $(faults_ldflags)
%C%_unit_test_expect_SOURCES = %D%/unit/test_expect.c $(faults)
%C%_unit_test_expect_LDFLAGS = $(faults_ldflags)
%C%_unit_test_diff_SOURCES = %D%/unit/test_diff.c $(faults)
%C%_unit_test_diff_LDFLAGS = $(faults_ldflags)
%C%_unit_test_export_dot_SOURCES = %D%/unit/test_export_dot.c $(faults)
%C%_unit_test_export_dot_LDFLAGS = $(faults_ldflags)
%C%_unit_test_export_flame_SOURCES = %D%/unit/test_export_flame.c $(faults)
%C%_unit_test_export_flame_LDFLAGS = $(faults_ldflags)
%C%_unit_test_export_html_SOURCES = %D%/unit/test_export_html.c $(faults)
%C%_unit_test_export_html_LDFLAGS = $(faults_ldflags)
%C%_unit_test_exporter_SOURCES = %D%/unit/test_exporter.c $(faults)
%C%_unit_test_exporter_LDFLAGS = $(faults_ldflags)
%C%_unit_test_filter_SOURCES = %D%/unit/test_filter.c $(faults)
%C%_unit_test_filter_LDFLAGS = $(faults_ldflags)
%C%_unit_test_fix_SOURCES = %D%/unit/test_fix.c $(faults)
%C%_unit_test_fix_LDFLAGS = $(faults_ldflags)
%C%_unit_test_generate_SOURCES = %D%/unit/test_generate.c $(faults)
%C%_unit_test_generate_LDFLAGS = $(faults_ldflags)
%C%_unit_test_generator_SOURCES = %D%/unit/test_generator.c $(faults)
%C%_unit_test_generator_LDFLAGS = $(faults_ldflags)
%C%_unit_test_idmap_SOURCES = %D%/unit/test_idmap.c $(faults)
%C%_unit_test_idmap_LDFLAGS = $(faults_ldflags)
%C%_unit_test_name_table_SOURCES = %D%/unit/test_name_table.c $(faults)
%C%_unit_test_name_table_LDFLAGS = $(faults_ldflags)
%C%_unit_test_import_SOURCES = %D%/unit/test_import.c $(faults)
%C%_unit_test_import_LDFLAGS = $(faults_ldflags)
%C%_unit_test_sorter_SOURCES = %D%/unit/test_sorter.c $(faults)
%C%_unit_test_sorter_LDFLAGS = $(faults_ldflags)
%C%_unit_test_join_SOURCES = %D%/unit/test_join.c $(faults)
%C%_unit_test_join_LDFLAGS = $(faults_ldflags)
%C%_unit_test_json_SOURCES = %D%/unit/test_json.c $(faults)
%C%_unit_test_json_LDFLAGS = $(faults_ldflags)
%C%_unit_test_key_decode_SOURCES = %D%/unit/test_key_decode.c $(faults)
%C%_unit_test_key_decode_LDFLAGS = $(faults_ldflags)
%C%_unit_test_key_encode_SOURCES = %D%/unit/test_key_encode.c $(faults)
%C%_unit_test_key_encode_LDFLAGS = $(faults_ldflags)
%C%_unit_test_key_rewrite_SOURCES = %D%/unit/test_key_rewrite.c $(faults)
%C%_unit_test_key_rewrite_LDFLAGS = $(faults_ldflags)
%C%_unit_test_merge_faults_SOURCES = %D%/unit/test_merge_faults.c $(faults)
%C%_unit_test_merge_faults_LDFLAGS = $(faults_ldflags)
%C%_laws_test_op_laws_SOURCES = %D%/laws/test_op_laws.c $(faults)
%C%_laws_test_op_laws_LDFLAGS = $(faults_ldflags)
%C%_unit_test_record_count_SOURCES = %D%/unit/test_record_count.c $(faults)
%C%_unit_test_record_count_LDFLAGS = $(faults_ldflags)
%C%_unit_test_recorder_faults_SOURCES = \
	%D%/unit/test_recorder_faults.c $(faults)
%C%_unit_test_recorder_faults_LDFLAGS = $(faults_ldflags)
%C%_unit_test_recorder_signals_SOURCES = \
	%D%/unit/test_recorder_signals.c $(faults)
%C%_unit_test_recorder_signals_LDFLAGS = $(faults_ldflags)
%C%_unit_test_rewind_SOURCES = %D%/unit/test_rewind.c $(faults)
%C%_unit_test_rewind_LDFLAGS = $(faults_ldflags)
%C%_unit_test_select_SOURCES = %D%/unit/test_select.c $(faults)
%C%_unit_test_select_LDFLAGS = $(faults_ldflags)
%C%_unit_test_shift_SOURCES = %D%/unit/test_shift.c $(faults)
%C%_unit_test_shift_LDFLAGS = $(faults_ldflags)
%C%_unit_test_rename_SOURCES = %D%/unit/test_rename.c $(faults)
%C%_unit_test_rename_LDFLAGS = $(faults_ldflags)
%C%_unit_test_repair_SOURCES = %D%/unit/test_repair.c $(faults)
%C%_unit_test_repair_LDFLAGS = $(faults_ldflags)
%C%_unit_test_piece_packets_SOURCES = %D%/unit/test_piece_packets.c $(faults)
%C%_unit_test_piece_packets_LDFLAGS = $(faults_ldflags)
%C%_unit_test_pieces_SOURCES = %D%/unit/test_pieces.c $(faults)
%C%_unit_test_pieces_LDFLAGS = $(faults_ldflags)
%C%_unit_test_rejoin_SOURCES = %D%/unit/test_rejoin.c $(faults)
%C%_unit_test_rejoin_LDFLAGS = $(faults_ldflags)
%C%_unit_test_output_SOURCES = %D%/unit/test_output.c $(faults)
%C%_unit_test_output_LDFLAGS = $(faults_ldflags)
%C%_unit_test_sort_SOURCES = %D%/unit/test_sort.c $(faults)
%C%_unit_test_sort_LDFLAGS = $(faults_ldflags)
%C%_unit_test_input_SOURCES = %D%/unit/test_input.c $(faults)
%C%_unit_test_input_LDFLAGS = $(faults_ldflags)
%C%_unit_test_spec_SOURCES = %D%/unit/test_spec.c $(faults)
%C%_unit_test_spec_LDFLAGS = $(faults_ldflags)
%C%_unit_test_split_SOURCES = %D%/unit/test_split.c $(faults)
%C%_unit_test_split_LDFLAGS = $(faults_ldflags)
%C%_unit_test_callstacks_SOURCES = %D%/unit/test_callstacks.c $(faults)
%C%_unit_test_callstacks_LDFLAGS = $(faults_ldflags)
%C%_unit_test_indexes_SOURCES = %D%/unit/test_indexes.c $(faults)
%C%_unit_test_indexes_LDFLAGS = $(faults_ldflags)
%C%_unit_test_spool_SOURCES = %D%/unit/test_spool.c $(faults)
%C%_unit_test_spool_LDFLAGS = $(faults_ldflags)
%C%_unit_test_tags_SOURCES = %D%/unit/test_tags.c $(faults)
%C%_unit_test_tags_LDFLAGS = $(faults_ldflags)
%C%_unit_test_trace_faults_SOURCES = %D%/unit/test_trace_faults.c $(faults)
%C%_unit_test_trace_faults_LDFLAGS = $(faults_ldflags)
%C%_unit_test_v2_reader_SOURCES = %D%/unit/test_v2_reader.c $(faults)
%C%_unit_test_v2_reader_LDFLAGS = $(faults_ldflags)
%C%_unit_test_v2_stage_SOURCES = %D%/unit/test_v2_stage.c $(faults)
%C%_unit_test_v2_stage_LDFLAGS = $(faults_ldflags)
%C%_unit_test_validate_SOURCES = %D%/unit/test_validate.c $(faults)
%C%_unit_test_validate_LDFLAGS = $(faults_ldflags)
%C%_unit_test_window_SOURCES = %D%/unit/test_window.c $(faults)
%C%_unit_test_window_LDFLAGS = $(faults_ldflags)
%C%_unit_test_wrong_stage_SOURCES = %D%/unit/test_wrong_stage.c $(faults)
%C%_unit_test_wrong_stage_LDFLAGS = $(faults_ldflags)

# Clocks that step.
%C%_unit_test_recorder_times_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime
# Parts of the hooks.
shim = lib/libshim.la $(LDADD)
%C%_unit_test_cxx_name_LDADD = $(shim)
%C%_unit_test_hook_filter_LDADD = $(shim)
%C%_unit_test_hook_settings_LDADD = $(shim)
%C%_unit_test_symbols_LDADD = $(shim)

# Parts of the program that are worth a test of their own.
%C%_unit_test_decimal_SOURCES = %D%/unit/test_decimal.c tools/cli/decimal.c
%C%_unit_test_duration_SOURCES = %D%/unit/test_duration.c tools/cli/decimal.c
%C%_unit_test_opt_value_SOURCES = \
	%D%/unit/test_opt_value.c tools/cli/decimal.c \
	tools/cli/cli_files.c tools/cli/escapes.c tools/cli/msg.c \
	tools/cli/opt.c
%C%_unit_test_table_SOURCES = %D%/unit/test_table.c tools/cli/cli_files.c \
	tools/cli/decimal.c tools/cli/escapes.c tools/cli/msg.c \
	tools/cli/out.c tools/cli/table.c
%C%_unit_test_tables_SOURCES = %D%/unit/test_tables.c $(faults)
%C%_unit_test_tables_LDFLAGS = $(faults_ldflags)
%C%_unit_test_text_SOURCES = %D%/unit/test_text.c tools/cli/escapes.c

# These run over the samples, and over traces that are not in the tree.
samples = %D%/helpers/sample_laws.c %D%/helpers/samples.c %D%/helpers/samples.h
%C%_laws_test_changes_SOURCES = %D%/laws/test_changes.c $(samples)
%C%_laws_test_corrupt_laws_SOURCES = \
	%D%/laws/test_corrupt_laws.c $(samples) $(faults)
%C%_laws_test_corrupt_laws_LDFLAGS = $(faults_ldflags)
%C%_laws_test_expect_laws_SOURCES = %D%/laws/test_expect_laws.c $(samples)
%C%_laws_test_filter_laws_SOURCES = %D%/laws/test_filter_laws.c $(samples)
%C%_laws_test_piece_laws_SOURCES = %D%/laws/test_piece_laws.c $(samples)
%C%_laws_test_profile_laws_SOURCES = \
	%D%/laws/test_profile_laws.c $(samples) $(faults)
%C%_laws_test_profile_laws_LDFLAGS = $(faults_ldflags)
%C%_laws_test_samples_SOURCES = %D%/laws/test_samples.c $(samples) $(faults)
%C%_laws_test_samples_LDFLAGS = $(faults_ldflags)
%C%_laws_test_text_laws_SOURCES = \
	%D%/laws/test_text_laws.c $(samples) $(faults)
%C%_laws_test_text_laws_LDFLAGS = $(faults_ldflags)

# The targets of "make fuzz".
fuzz_targets = %D%/fuzz/calls.c %D%/fuzz/made.c %D%/fuzz/options.c \
	%D%/fuzz/parquet.c %D%/fuzz/targets.c %D%/fuzz/targets.h \
	%D%/fuzz/use.c %D%/fuzz/whole.c \
	tools/cli/cli_files.c tools/cli/decimal.c tools/cli/escapes.c \
	tools/cli/msg.c tools/cli/opt.c
%C%_unit_test_fuzz_targets_SOURCES = \
	%D%/unit/test_fuzz_targets.c $(fuzz_targets)
EXTRA_PROGRAMS += %D%/fuzz/fuzz %D%/fuzz/replay
%C%_fuzz_fuzz_SOURCES = %D%/fuzz/fuzz.c $(fuzz_targets)
# others: see doc/oss-fuzz/build.sh
FUZZ_ENGINE = -fsanitize=fuzzer
%C%_fuzz_fuzz_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_ENGINE)
%C%_fuzz_fuzz_LDADD = lib/libcore.la
%C%_fuzz_replay_SOURCES = %D%/fuzz/replay.c $(fuzz_targets)
%C%_fuzz_replay_LDADD = lib/libcore.la
CLEANFILES += %D%/fuzz/replay

# Scripts: one per command, and those that check the tree.
scripts = \
	%D%/checks/check_amalgamation.sh \
	%D%/checks/check_columns.sh \
	%D%/checks/check_commands.sh \
	%D%/checks/check_deb.sh \
	%D%/checks/check_ends.sh \
	%D%/checks/check_examples.sh \
	%D%/checks/check_findings.sh \
	%D%/checks/check_headers.sh \
	%D%/checks/check_hooks.sh \
	%D%/checks/check_install.sh \
	%D%/checks/check_layers.sh \
	%D%/checks/check_lists.sh \
	%D%/checks/check_magic.sh \
	%D%/checks/check_manual.sh \
	%D%/checks/check_misuse.sh \
	%D%/checks/check_pages.sh \
	%D%/checks/check_races.sh \
	%D%/checks/check_recorder.sh \
	%D%/checks/check_scopes.sh \
	%D%/checks/check_style.sh \
	%D%/checks/check_symbols.sh \
	%D%/checks/check_unload.sh \
	%D%/cli/cli_bad_input.sh \
	%D%/cli/cli_checksum.sh \
	%D%/cli/cli_clashes.sh \
	%D%/cli/cli_convert.sh \
	%D%/cli/cli_corpus.sh \
	%D%/cli/cli_corrupt.sh \
	%D%/cli/cli_diff.sh \
	%D%/cli/cli_diff_calls.sh \
	%D%/cli/cli_diff_old.sh \
	%D%/cli/cli_dmtracedump.sh \
	%D%/cli/cli_dump.sh \
	%D%/cli/cli_eventlog.sh \
	%D%/cli/cli_expect.sh \
	%D%/cli/cli_export.sh \
	%D%/cli/cli_filter.sh \
	%D%/cli/cli_findings.sh \
	%D%/cli/cli_flame.sh \
	%D%/cli/cli_generate.sh \
	%D%/cli/cli_graph.sh \
	%D%/cli/cli_help.sh \
	%D%/cli/cli_import.sh \
	%D%/cli/cli_info.sh \
	%D%/cli/cli_jobs.sh \
	%D%/cli/cli_join.sh \
	%D%/cli/cli_journal.sh \
	%D%/cli/cli_kills.sh \
	%D%/cli/cli_memory.sh \
	%D%/cli/cli_merge.sh \
	%D%/cli/cli_nameless.sh \
	%D%/cli/cli_nth_fails.sh \
	%D%/cli/cli_packed.sh \
	%D%/cli/cli_record.sh \
	%D%/cli/cli_record_full.sh \
	%D%/cli/cli_record_whole.sh \
	%D%/cli/cli_rejoin.sh \
	%D%/cli/cli_rename.sh \
	%D%/cli/cli_rename_proguard.sh \
	%D%/cli/cli_renamed.sh \
	%D%/cli/cli_repair.sh \
	%D%/cli/cli_report.sh \
	%D%/cli/cli_report_html.sh \
	%D%/cli/cli_report_old.sh \
	%D%/cli/cli_shift.sh \
	%D%/cli/cli_signals.sh \
	%D%/cli/cli_sort.sh \
	%D%/cli/cli_split.sh \
	%D%/cli/cli_split_by.sh \
	%D%/cli/cli_stream.sh \
	%D%/cli/cli_tail.sh \
	%D%/cli/cli_traps.sh \
	%D%/cli/cli_undump.sh \
	%D%/cli/cli_v2.sh \
	%D%/cli/cli_validate.sh \
	%D%/cli/cli_validate_fix.sh \
	%D%/cli/cli_validate_for.sh \
	%D%/cli/cli_view.sh \
	%D%/cli/cli_view_thinned.sh \
	%D%/cli/cli_width.sh \
	%D%/cli/cli_window.sh \
	%D%/laws/cli_conformance.sh \
	%D%/laws/cli_dialects.sh \
	%D%/laws/cli_export_laws.sh \
	%D%/laws/cli_laws.sh \
	%D%/laws/cli_samples.sh \
	%D%/laws/cli_v2_laws.sh \
	%D%/laws/cli_written.sh

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
LOG_DRIVER = $(SHELL) $(srcdir)/%D%/helpers/driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
	srcdir='$(abs_srcdir)'; export srcdir; \
	builddir='$(abs_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	NM='$(NM)'; export NM; \
	SANITIZED='$(SANITIZED)'; export SANITIZED; \
	CASE_TIMES='$(CASE_TIMES)'; export CASE_TIMES; \
	PATH='$(abs_builddir)/tools':"$$PATH"; \
	export PATH; \
	LD_LIBRARY_PATH='$(abs_builddir)/lib/.libs'; export LD_LIBRARY_PATH;

EXTRA_DIST += $(scripts) \
	%D%/bench/layers.sh \
	%D%/bench/rows_basic.sh \
	%D%/bench/rows_convert.sh \
	%D%/bench/rows_diff.sh \
	%D%/bench/rows_expect.sh \
	%D%/bench/rows_export.sh \
	%D%/bench/rows_filter.sh \
	%D%/bench/rows_import.sh \
	%D%/bench/rows_instrument.sh \
	%D%/bench/rows_jobs.sh \
	%D%/bench/rows_merge.sh \
	%D%/bench/rows_packed.sh \
	%D%/bench/rows_pieces.sh \
	%D%/bench/rows_record.sh \
	%D%/bench/rows_report.sh \
	%D%/bench/rows_sort.sh \
	%D%/bench/rows_text.sh \
	%D%/bench/rows_validate.sh \
	%D%/bench/run.sh \
	%D%/compare_with.sh \
	%D%/coverage.sh \
	%D%/data \
	%D%/figures.sh \
	%D%/fuzz/cover.sh \
	%D%/fuzz/run.sh \
	%D%/fuzz/seeds \
	%D%/helpers/array_source.h \
	%D%/helpers/asks.h \
	%D%/helpers/cancel.h \
	%D%/helpers/changes.h \
	%D%/helpers/claim.sh \
	%D%/helpers/count_samples.py \
	%D%/helpers/count_slices.py \
	%D%/helpers/counts.sh \
	%D%/helpers/damages.h \
	%D%/helpers/digests.h \
	%D%/helpers/dmtracedump.sh \
	%D%/helpers/drip.h \
	%D%/helpers/driver.sh \
	%D%/helpers/events.h \
	%D%/helpers/expects.h \
	%D%/helpers/exports.h \
	%D%/helpers/failing.h \
	%D%/helpers/files.h \
	%D%/helpers/halves.h \
	%D%/helpers/hooked.sh \
	%D%/helpers/hostile_names.sh \
	%D%/helpers/id_stacks.h \
	%D%/helpers/junit.xsd \
	%D%/helpers/keys.h \
	%D%/helpers/nth_fails.sh \
	%D%/helpers/op.h \
	%D%/helpers/option_table.sh \
	%D%/helpers/pieces.h \
	%D%/helpers/profiles.h \
	%D%/helpers/programs/busy.c \
	%D%/helpers/programs/count.h \
	%D%/helpers/programs/endless.c \
	%D%/helpers/programs/ends.c \
	%D%/helpers/programs/errors.c \
	%D%/helpers/programs/family.c \
	%D%/helpers/programs/heap.cc \
	%D%/helpers/programs/jump.c \
	%D%/helpers/programs/laws.c \
	%D%/helpers/programs/nth_fails.c \
	%D%/helpers/programs/opens.c \
	%D%/helpers/programs/plugin.c \
	%D%/helpers/programs/random.c \
	%D%/helpers/programs/scopes.cc \
	%D%/helpers/programs/storm.c \
	%D%/helpers/programs/threads.c \
	%D%/helpers/programs/throw.cc \
	%D%/helpers/programs/unload.c \
	%D%/helpers/programs/whole.c \
	%D%/helpers/proto_fields.py \
	%D%/helpers/random.h \
	%D%/helpers/record.sh \
	%D%/helpers/recorded.h \
	%D%/helpers/records.h \
	%D%/helpers/repairing.h \
	%D%/helpers/repairs.h \
	%D%/helpers/repairs_packets.h \
	%D%/helpers/reported.h \
	%D%/helpers/slowest.sh \
	%D%/helpers/stacks.sh \
	%D%/helpers/streams.h \
	%D%/helpers/streams.sh \
	%D%/helpers/traces.h \
	%D%/helpers/unit.h \
	%D%/helpers/v2_events.h \
	%D%/helpers/v2_samples.h \
	%D%/misuse/clock.c \
	%D%/misuse/early.cc \
	%D%/misuse/eventlog.c \
	%D%/misuse/export.c \
	%D%/misuse/key.c \
	%D%/misuse/misuse.h \
	%D%/misuse/ops.c \
	%D%/misuse/profile.c \
	%D%/misuse/reader.c \
	%D%/misuse/recorder.c \
	%D%/misuse/scopes.cc \
	%D%/misuse/select.c \
	%D%/misuse/verify.c \
	%D%/misuse/writer.c \
	%D%/mutants.py \
	%D%/platforms.sh \
	%D%/verdicts.sh \
	%D%/web/browser.js \
	%D%/web/eslint.config.js \
	%D%/web/page_address.js \
	%D%/web/page_compare.js \
	%D%/web/page_faults.js \
	%D%/web/page_known.js \
	%D%/web/page_rules.js \
	%D%/web/page_start.js \
	%D%/web/page_take.js \
	%D%/web/page_thinned.js \
	%D%/web/page_threads.js \
	%D%/web/page_trace.js \
	%D%/web/page_trees.js \
	%D%/web/page_work.js \
	%D%/web/read_page.js \
	%D%/web/view_bounds.js \
	%D%/web/view_figures.js \
	%D%/web/view_shares.js \
	%D%/web/view_stacks.js \
	%D%/web/view_tree.js \
	%D%/web/web_cases.js \
	%D%/web/web_cases.sh \
	%D%/web/web_flame.js \
	%D%/web/web_flame.sh \
	%D%/web/web_graph.js \
	%D%/web/web_graph.sh \
	%D%/web/web_parquet.js \
	%D%/web/web_parquet.sh \
	%D%/web/web_speedscope.sh \
	%D%/web/web_view.js \
	%D%/web/web_view.sh
