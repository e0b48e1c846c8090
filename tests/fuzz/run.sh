#!/bin/sh
# run.sh - what "make fuzz" runs: each target for a while, from its seeds
#
# FUZZ_TIME=SECONDS is how long each target runs, FUZZ_TARGETS="NAME..." which
# targets run. New inputs are kept in corpus-NAME for the next run. An input
# that makes a target fail is written to a file crash-*, and the targets after
# it are not run.

status=0
for name in ${FUZZ_TARGETS-calls recorder leb128 v2 stream key reader repair \
    spec follow import eventlog tags entries undump dump-undump corrupt \
    mapping parquet}; do
	case $name in
	key|reader|repair|follow|dump-undump|corrupt|parquet)
		seeds=$srcdir/tests/data ;;
	*) seeds=$srcdir/tests/fuzz/seeds/$name ;;
	esac
	mkdir -p "corpus-$name" || exit 1
	echo "fuzz: $name"
	FUZZ_TARGET=$name "$builddir/tests/fuzz/fuzz" \
	    -max_total_time="${FUZZ_TIME-60}" -max_len=8192 -timeout=10 \
	    -print_final_stats=1 "corpus-$name" "$seeds" >"$name.log" 2>&1 ||
	    status=$?
	[ "$status" -eq 0 ] || { tail -n 40 "$name.log"; exit "$status"; }
	grep -E 'number_of_executed_units|peak_rss_mb' "$name.log"
done
