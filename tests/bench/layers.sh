#!/bin/sh
# layers.sh - where the time of commands goes: CPU ns per event, by layer
#
# Each command runs under perf, which notes 2,000 times a second of CPU where it
# is. A place is counted for the layer whose file it is in, also where the
# compiler has put that code into a function of another layer. "make layers"
# runs this; LAYERS_EVENTS is the number of events, PERF the program.
#
#   kernel    system calls, page faults
#   decode    data/, trace/: bytes to columns and back, reader and writer
#   index     ids of threads and methods to indexes; maps of ids
#   stacks    the call-stack engine
#   stages    the rest of events/: selection, order, inserted events
#   work      profile/, verify/, ops/, import/: what the command is for
#   output    export/, text/, tools/, and base/, mostly text
#   libc      copies, sorting, numbers, the start of the program

events=${LAYERS_EVENTS-10000000}
perf=${PERF-perf}

if ! command -v "$perf" >/dev/null; then
	echo "no $perf: install it (Debian: linux-perf), or set PERF" >&2
	exit 1
fi

trap 'rm -f trace* fresh* perf.out' EXIT

# A line "FILE FOLDER" for each file.
(cd "$srcdir" && find lib tools -name '*.[ch]') |
    sed 's,^\(.*\)/\([^/]*\)$,\2 \1,' >trace.files

# layers NAME COMMAND...: a row of the table
layers()
{
	name=$1
	shift
	rm -f fresh*
	"$perf" record -q -e cpu-clock -F 2000 -o perf.out -- "$@" \
	    >/dev/null || exit 1
	"$perf" script -i perf.out -F period,ip,sym,dso,srcline 2>/dev/null |
	    awk -v name="$name" -v events="$events" '
	BEGIN {
		columns = split("kernel decode index stacks stages work " \
		    "output libc", column)
	}
	FILENAME == "trace.files" { folder[$1] = $2; next }
	/^ *[0-9]+ +[0-9a-f]+ / { period = $1; dso = $0; next }
	!period { next }
	{
		file = $1
		sub(/:[0-9]+$/, "", file)
		in_folder = folder[file]
		if (dso ~ /kernel|\[/)
			layer = "kernel"
		else if (in_folder == "")
			layer = "libc"
		else if (file ~ /^(indexes|idmap)/)
			layer = "index"
		else if (file ~ /^callstacks/)
			layer = "stacks"
		else if (file ~ /^(bytes|unwrap|leb128)/ ||
		    in_folder ~ /^lib\/(data|trace)/)
			layer = "decode"
		else if (in_folder ~ /^lib\/events/)
			layer = "stages"
		else if (in_folder ~ /^lib\/(profile|verify|ops|import)/)
			layer = "work"
		else
			layer = "output"
		ns[layer] += period
		all += period
		period = 0
	}
	END {
		printf "%-18s %5.1f", name, all / events
		for (i = 1; i <= columns; i++)
			printf " %6.1f", ns[column[i]] / events
		print ""
	}' trace.files -
}

for dialect in v1 v2 v3 v4 v5 f2 f3; do
	dmtrace generate -q --seed=1 --threads=50 --methods=5000 \
	    --dialect=$dialect --events="$events" -o trace.$dialect || exit 1
done
for seed in 1 2 3 4 5 6 7 8; do
	dmtrace generate -q --seed=$seed --threads=50 --methods=5000 \
	    --dialect=v1 --events=$((events / 8)) -o trace-$seed.v1 || exit 1
done

printf '%-18s %5s' "$events events" all
printf ' %6s' kernel decode index stacks stages work output libc
echo
layers 'cat, of v1' cat trace.v1
layers 'cat, of v3' cat trace.v3
layers report dmtrace report -q trace.v1
layers 'report, edges' dmtrace report -q --callers --callees trace.v1
layers validate dmtrace validate -q trace.v1
layers 'filter -t' dmtrace filter -q -t Thread-2 -o fresh trace.v1
layers 'filter, window' dmtrace filter -q --from=100ms --to=200ms \
    -o fresh trace.v1
layers 'merge of 8' dmtrace merge -q -o fresh trace-*.v1
layers 'sort, of v3' dmtrace sort -q -o fresh trace.v3
layers dump dmtrace dump -q trace.v1
for format in chrome jsonl perfetto; do
	layers "export -f $format" dmtrace export -q -f $format -o fresh \
	    trace.v1
done
for dialect in v1 v2 v4 v5 f2 f3; do
	layers "convert v3 to $dialect" dmtrace convert -q -d $dialect \
	    -o fresh trace.v3
	layers "convert $dialect to v3" dmtrace convert -q -d v3 \
	    -o fresh trace.$dialect
done
