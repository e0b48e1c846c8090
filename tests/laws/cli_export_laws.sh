#!/bin/sh
# cli_export_laws.sh - what exports add up to is what "dmtrace report" prints
#
# Each format is turned into lines of thread, method, calls, exclusive and
# inclusive time, by means that know nothing of dmtrace. "-" is a figure that
# the format does not have.

. "$srcdir/tests/helpers/claim.sh"

# report_of FILE: the same lines of a report, in the file report.tsv
report_of()
{
	dmtrace report -q -f tsv --per-thread "$1" | awk -F '\t' -v OFS='\t' \
	    -v clock="$clock" '$1 == "method" {
		name = ($7 == "" ? "" : $7 ".") $8
		print $2, name, $11 + $12, $(clock == "cpu" ? 15 : 16),
		    $(clock == "cpu" ? 13 : 14)
	}' >report.tsv
}

# nests: from lines of thread, B or E, name and time, in their order
nests()
{
	awk -F '\t' -v OFS='\t' '
	$2 == "B" {
		depth = ++depths[$1]
		names[$1, depth] = $3
		starts[$1, depth] = $4
		inner[$1, depth] = 0
		open[$1, $3]++
		next
	}
	{
		depth = depths[$1]--
		if (depth < 1) {
			print "an end without a beginning: " $0
			exit
		}
		key = $1 OFS names[$1, depth]
		took = $4 - starts[$1, depth]
		if (took < 0)
			print "time goes back: " $0
		inner[$1, depth - 1] += took
		calls[key]++
		exclusive[key] += took - inner[$1, depth]
		if (--open[$1, names[$1, depth]] == 0)
			inclusive[key] += took
	}
	END {
		for (thread in depths)
			if (depths[thread] != 0)
				print "calls of " thread " are open"
		for (key in calls)
			printf "%s\t%.0f\t%.0f\t%.0f\n", key, calls[key],
			    exclusive[key], inclusive[key]
	}'
}

from_chrome()
{
	jq -r --arg clock "$clock" '.traceEvents[] | select(.ph != "M") |
	    [.tid, .ph, .name // "", ((if $clock == "cpu" then .tts // .ts
	    else .ts end) * 1000 | round)] | join("\t")' | nests
}

from_speedscope()
{
	jq -r '.shared.frames as $frames | .profiles[] |
	    (.name | capture(".* \\((?<id>[0-9]+)\\) of .*").id) as $id |
	    .events[] | [$id, (if .type == "O" then "B" else "E" end),
	    $frames[.frame].name, .at] | join("\t")' | nests
}

# Of jsonl, events of traces whose calls are all entered and left.
from_jsonl()
{
	jq -r --arg clock "$clock" '[.thread, (if .action == "enter" then "B"
	    else "E" end), .class + "." + .name, (if $clock == "cpu" then
	    .cpu_ns else .wall_ns end)] | join("\t")' | nests
}

# Samples: the time of each is that of the innermost call.
from_firefox()
{
	jq -r '.threads[] | . as $thread | [.samples.stack, .samples.weight] |
	    transpose[] | select(.[0] != null) | [$thread.tid,
	    $thread.stringArray[$thread.funcTable.name[
	    $thread.frameTable.func[$thread.stackTable.frame[.[0]]]]],
	    (.[1] * 1000000 | round)] | join("\t")' |
	    awk -F '\t' -v OFS='\t' '
	    { sum[$1 OFS $2] += $3 }
	    END { for (key in sum)
		printf "%s\t-\t%.0f\t-\n", key, sum[key] }'
}

# A path a line; that of a thread is its first frame.
from_collapsed()
{
	sed 's/ \([0-9]*\)$/\t\1/' | awk -F '\t' -v OFS='\t' '
	{
		depth = split($1, path, ";")
		thread = path[1]
		sub(/.*\(/, "", thread)
		sub(/\)$/, "", thread)
		exclusive[thread OFS path[depth]] += $2
		for (i = 2; i <= depth; i++) {
			key = thread OFS path[i]
			if (!((NR, key) in seen))
				inclusive[key] += $2
			seen[NR, key] = 1
			exclusive[key] += 0
		}
	}
	END { for (key in exclusive)
		printf "%s\t-\t%.0f\t%.0f\n", key, exclusive[key],
		    inclusive[key] }' | sed '/	(toplevel)	/d'
}

# The number of a name that is said once; $(column) is the clock.
from_callgrind()
{
	awk -v OFS='\t' -v clock="$clock" '
	function known(field,    id, name)
	{
		id = field
		sub(/\).*/, ")", id)
		name = substr(field, length(id) + 2)
		if (name != "")
			names[id] = name
		return names[id]
	}
	/^events:/ {
		for (i = 2; i <= NF; i++)
			if (tolower($i) == clock "_ns")
				column = i
	}
	/^fn=/ { caller = known(substr($0, 4)); next }
	/^cfn=/ { callee = known(substr($0, 5)); next }
	/^calls=/ {
		sub(/^calls=/, "")
		calls[callee] += $1
		getline
		inclusive[callee] += $column
		next
	}
	/^[0-9]/ { exclusive[caller] += $column }
	END { for (name in calls)
		printf "all\t%s\t%.0f\t%.0f\t%.0f\n", name, calls[name],
		    exclusive[name], inclusive[name] }'
}

# The same by the program that reads it, with thousands separators.
from_annotate()
{
	cat >callgrind.out
	callgrind_annotate --threshold=100 --inclusive=$1 --auto=no \
	    --show="$(echo "$clock" | sed 's/w/W/; s/cpu/CPU/')_ns" \
	    callgrind.out | sed -n '/file:function/,$p' |
	    sed -n 's/^ *\([0-9,]*\) ([ 0-9.]*%)  [^:]*:\(.*\)$/\1	\2/p' |
	    sed -e ':a' -e 's/^\([0-9]*\),/\1/' -e ta | awk -F '\t' \
	    -v OFS='\t' -v inclusive="$1" '$2 != "(toplevel)" {
		print "all", $2, "-", (inclusive == "yes" ? "-" : $1),
		    (inclusive == "yes" ? $1 : "-") }'
}

# Frames of a flame graph: depth, the number of a name, exclusive time; then
# the names. The first one of each is no call.
from_flame()
{
	sed -n -e '/^<metadata id="tree">/,/^<\/metadata>/p' \
	    -e '/^<metadata id="names">/,/^<\/metadata>/p' |
	    sed -e 's/^<metadata id="\(.*\)">/\1\n/' -e '/^<\/metadata>/d' \
	    -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&quot;/"/g' \
	    -e "s/&#39;/'/g" -e 's/&amp;/\&/g' | awk -v OFS='\t' '
	$0 == "tree" || $0 == "names" { part = $0; next }
	part == "tree" { line[++lines] = $0; next }
	{
		split($0, cell, "\t")
		name[names++] = (cell[2] == "" ? "" : cell[2] ".") cell[3] \
		    cell[4]
	}
	END {
		for (i = 1; i <= lines; i++) {
			split(line[i], frame, " ")
			path[frame[1]] = key = name[frame[2]]
			exclusive[key] += frame[3]
			for (d = 1; d <= frame[1]; d++) {
				if (!((i, path[d]) in seen))
					inclusive[path[d]] += frame[3]
				seen[i, path[d]] = 1
			}
		}
		for (key in inclusive)
			printf "all\t%s\t-\t%.0f\t%.0f\n", key,
			    exclusive[key], inclusive[key]
	}'
}

# Lines of "-raw": values and numbers of locations, then labels.
from_pprof()
{
	cat >raw.pb
	go tool pprof -raw raw.pb 2>/dev/null | awk -v OFS='\t' \
	    -v clock="$clock" '
	/^Samples:/ { part = "samples"; next }
	/^Locations/ { part = "locations"; next }
	/^Mappings/ { part = "" }
	part == "samples" && /\// && !column {
		for (i = 1; i <= NF; i++)
			if (index($i, clock "/") == 1)
				column = i
		next
	}
	part == "samples" && /^ *-?[0-9 -]*:/ {
		values = $0
		sub(/:.*/, "", values)
		paths = $0
		sub(/.*: */, "", paths)
		split(values, value, " ")
		samples++
		sample[samples] = paths
		calls[samples] = value[1]
		time[samples] = value[column]
		next
	}
	part == "samples" && match($0, /\([0-9]+\)\]/) {
		thread[samples] = substr($0, RSTART + 1, RLENGTH - 3)
		next
	}
	part == "locations" && /^ *[0-9]+: / {
		id = $1 + 0
		name = $0
		sub(/^ *[0-9]+: 0x[0-9a-f]+ (M=[0-9]+ )?/, "", name)
		sub(/ .*/, "", name)
		names[id] = name
	}
	END {
		for (s = 1; s <= samples; s++) {
			depth = split(sample[s], path, " ")
			key = thread[s] OFS names[path[1]]
			count[key] += calls[s]
			exclusive[key] += time[s]
			for (i = 1; i <= depth; i++) {
				key = thread[s] OFS names[path[i]]
				if (!((s, key) in seen))
					inclusive[key] += time[s]
				seen[s, key] = 1
				count[key] += 0
			}
		}
		for (key in count)
			printf "%s\t%.0f\t%.0f\t%.0f\n", key, count[key],
			    exclusive[key], inclusive[key]
	}' | sed '/	(toplevel)	/d'
}

from_sqlite()
{
	sqlite3 -separator '	' :memory: ".read /dev/stdin" "
	    SELECT number, name, count(*), sum(self), sum(CASE WHEN outer
	    THEN took ELSE 0 END) FROM (SELECT t.number AS number,
	    CASE m.class WHEN '' THEN '' ELSE m.class || '.' END || m.name
	    AS name, ${clock}_self_ns AS self, ${clock}_ns AS took,
	    NOT EXISTS (WITH RECURSIVE up(id) AS (SELECT c.parent UNION ALL
	    SELECT parent FROM calls JOIN up USING (id)) SELECT 1 FROM up
	    JOIN calls AS u USING (id) WHERE u.method = c.method) AS outer
	    FROM calls AS c JOIN threads AS t ON t.id = c.thread
	    JOIN methods AS m ON m.id = c.method) GROUP BY number, name"
}

# What is used of trace_packet.proto and what it includes.
cat >trace.proto <<'PROTO'
syntax = "proto2";
message Trace { repeated Packet packet = 1; }
message Packet {
  optional uint64 timestamp = 8;
  optional uint32 trusted_packet_sequence_id = 10;
  optional Event track_event = 11;
  optional Interned interned_data = 12;
  optional uint32 sequence_flags = 13;
  optional Track track_descriptor = 60;
}
message Event {
  optional uint32 type = 9;
  optional uint64 name_iid = 10;
  optional uint64 track_uuid = 11;
  optional int64 thread_time_absolute_us = 17;
}
message Interned { repeated Name event_names = 2; }
message Name { optional uint64 iid = 1; optional string name = 2; }
message Track {
  optional uint64 uuid = 1;
  optional Process process = 3;
  optional Thread thread = 4;
  optional uint64 parent_uuid = 5;
}
message Process { optional int32 pid = 1; optional string process_name = 6; }
message Thread {
  optional int32 pid = 1;
  optional int32 tid = 2;
  optional string thread_name = 5;
}
PROTO

from_perfetto()
{
	protoc --decode=Trace trace.proto | awk -v OFS='\t' \
	    -v clock="$clock" '
	/^packet/ { time = type = iid = track = cpu = "" }
	$1 == "timestamp:" { time = $2 }
	$1 == "type:" { type = $2 }
	$1 == "name_iid:" { iid = $2 }
	$1 == "track_uuid:" { track = $2 }
	$1 == "thread_time_absolute_us:" { cpu = $2 }
	$1 == "uuid:" { uuid = $2 }
	$1 == "tid:" { tracks[uuid] = $2 }
	$1 == "iid:" { named = $2 }
	$1 == "name:" {
		sub(/^ *name: "/, "")
		sub(/"$/, "")
		gsub(/\\\\/, "\\")
		names[named] = $0
	}
	/^}/ && type != "" {
		if (clock == "cpu" && cpu != "")
			time = cpu "000"
		print tracks[track], type == 1 ? "B" : "E", names[iid], time
	}' | nests
}

# same_totals REPORTED EXPORTED: each line of the one is in the other; times
# of methods that are several in the report are not inclusive
same_totals()
{
	LC_ALL=C awk -F '\t' '
	NR == FNR {
		key = $1 "\t" $2
		rows[key]++
		calls[key] += $3
		exclusive[key] += $4
		inclusive[key] += $5
		next
	}
	{
		key = $1 "\t" $2
		if (NF != 5 || !(key in rows)) {
			print "not in the report: " $0
			bad = 1
			next
		}
		found[key] = 1
		if (($3 != "-" && $3 != calls[key]) ||
		    ($4 != "-" && $4 != exclusive[key]) ||
		    ($5 != "-" && rows[key] == 1 && $5 != inclusive[key])) {
			printf "%s, not %.0f %.0f %.0f\n", $0, calls[key],
			    exclusive[key], inclusive[key]
			bad = 1
		}
	}
	END {
		for (key in rows)
			if (!(key in found) && exclusive[key] > 0) {
				print "not exported: " key
				bad = 1
			}
		exit bad
	}' "$1" "$2"
}

# agrees FORMAT FILE [OPTION...]: with report.tsv, by the function from_FORMAT
agrees()
{
	format=$1
	file=$2
	shift 2
	dmtrace export -q -f "$format" "$@" "$file" >exported &&
	    "from_$format" <exported >export.tsv &&
	    same_totals report.tsv export.tsv ||
	    { echo "$format of $file by $clock"; return 1; }
}

# all_of FILE: with signatures in the names, and all threads together, in the
# file all.tsv
all_of()
{
	dmtrace report -q -f tsv "$1" | awk -F '\t' -v OFS='\t' \
	    -v clock="$clock" '$1 == "method" {
		print "all", ($7 == "" ? "" : $7 ".") $8 $9, $11 + $12,
		    $(clock == "cpu" ? 15 : 16), $(clock == "cpu" ? 13 : 14)
	}' >all.tsv
}

agrees_flame()
{
	dmtrace flame -q --clock $clock -o - "$1" >exported &&
	    from_flame <exported >export.tsv &&
	    same_totals all.tsv export.tsv ||
	    { echo "flame of $1 by $clock"; return 1; }
}

agrees_callgrind()
{
	dmtrace export -q -f callgrind "$1" >exported &&
	    from_callgrind <exported >export.tsv &&
	    same_totals all.tsv export.tsv ||
	    { echo "callgrind of $1 by $clock"; return 1; }
	is_made "$1" && have callgrind_annotate || return 0
	for kind in yes no; do
		from_annotate $kind <exported >export.tsv
		same_totals all.tsv export.tsv ||
		    { echo "callgrind_annotate of $1 by $clock"; return 1; }
	done
}

# is_made FILE: it is one of a few that programs which take long also read
is_made()
{
	case $1 in made1.*|made-*|raw*) ;; *) return 1 ;; esac
}

# clocks_of FILE: those that its records have
clocks_of()
{
	dmtrace report -q -f tsv "$1" 2>/dev/null | awk -F '\t' '
	    $1 == "top" { if ($13 != "") print "cpu"
		if ($14 != "") print "wall" }'
}

# Where a clock goes back, viewers get other times: see the page.
goes_back()
{
	dmtrace export -f speedscope "$1" 2>&1 >/dev/null |
	    grep -q 'go back'
}

# all_agree FILE...: in every format, by every clock
all_agree()
{
	for trace; do
		! goes_back "$trace" || continue
		for clock in $(clocks_of "$trace"); do
			report_of "$trace"
			[ -s report.tsv ] || continue
			agrees chrome "$trace" &&
			    agrees speedscope "$trace" --clock $clock &&
			    agrees firefox "$trace" --clock $clock &&
			    agrees collapsed "$trace" --clock $clock \
				--per-thread &&
			    all_of "$trace" && agrees_callgrind "$trace" &&
			    agrees_flame "$trace" || return 1
			if have protoc; then
				agrees perfetto "$trace" || return 1
			fi
			if have sqlite3 && ! grep -q '\\\\' report.tsv; then
				agrees sqlite "$trace" || return 1
			fi
			if is_made "$trace" && have go; then
				agrees pprof "$trace" || return 1
			fi
		done
	done
}

have jq || { skip "totals of exports" "no jq here"; finish; }
seeds=1
limit=1500
if [ "$DMTRACE_MORE" = yes ]; then
	seeds=300
	limit=1000000
fi
seed=0
while [ "$seed" -lt "$seeds" ]; do
	seed=$((seed + 1))
	dmtrace generate -q --seed $seed --events $((300 + seed)) \
	    --threads $((1 + seed % 5)) --methods $((5 + seed % 50)) \
	    --dialect=v3 -o "made$seed.trace"
done
dmtrace generate -q --events 300 --dialect=v2 --clock cpu \
    -o made-cpu.trace
for clock in cpu wall; do
	report_of made1.trace
	claim "jsonl has the same events as dump, $clock" \
	    agrees jsonl made1.trace
done
claim "totals of exports of $((seeds + 1)) traces agree with report" \
    all_agree made*.trace
dmtrace filter -q --from 300us --to 800us --raw -o raw.trace made1.trace
claim "totals of exports with cut calls agree with report" all_agree raw.trace
for name in bad-exit-stray good-exit-first good-open-end good-unroll \
    good-thread-0 good-thread-same-name; do
	claim "totals of exports of $name agree with report" \
	    all_agree "$srcdir/tests/data/$name.trace"
done
if [ -n "$DMTRACE_CORPUS" ]; then
	for trace in "$DMTRACE_CORPUS"/*.trace; do
		dmtrace info -q "$trace" >/dev/null 2>&1 &&
		    [ "$(wc -c <"$trace")" -lt $limit ] || continue
		claim "totals of exports of ${trace##*/} agree with report" \
		    all_agree "$trace"
	done
else
	skip "totals of exports of real traces agree with report" \
	    "DMTRACE_CORPUS names no folder"
fi
for program in protoc sqlite3 go callgrind_annotate; do
	have $program || skip "$program reads it" "no $program here"
done
finish
