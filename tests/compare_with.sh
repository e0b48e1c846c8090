#!/bin/sh
# compare_with.sh - what two builds of dmtrace do, side by side
#
# usage: compare_with.sh OLD NEW [COMMAND...]
#
# OLD and NEW are programs. Each command line below runs with both, on the
# same inputs: from a file, and where it takes one from a pipe. What they print
# on both streams, their exit status and the bytes they write must be the same.
# A difference is printed as the command line, with the first lines of diff;
# the last line counts them. Inputs are generated, and the traces of the
# folders in DMTRACE_CORPUS and DMTRACE_DEFECTS. With COMMAND, only the command
# lines of these commands. COMPARE_GENERATED is how many traces to generate.

old=$1
new=$2
[ -x "$old" ] && [ -x "$new" ] || {
	echo "usage: compare_with.sh OLD NEW [COMMAND...]" >&2
	exit 2
}
shift 2
folders=
for folder in $(echo "${DMTRACE_CORPUS-}:${DMTRACE_DEFECTS-}" | tr : ' '); do
	folders="$folders $(cd "$folder" && pwd)" || exit 2
done
commands=" $* "
work=$(mktemp -d "${TMPDIR:-/tmp}/compare.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/in" "$work/old" "$work/new" || exit 2
cp "$old" "$work/old.program" && cp "$new" "$work/new.program" || exit 2
cd "$work" || exit 2
runs=0
differences=0

# wanted COMMAND
wanted()
{
	case $commands in
	'  ' | *" $1 "*) ;;
	*) return 1 ;;
	esac
}

# run_one SIDE STDIN ARGUMENT...: in an empty folder, with dmtrace as its name
run_one()
{
	side=$1
	stdin=$2
	shift 2
	rm -rf "$side" && mkdir "$side" "$side/bin" "$side/out" &&
	    cp "$side.program" "$side/bin/dmtrace" &&
	    mkdir "$side/out/tmp" || exit 2
	(
		cd "$side/out" || exit 2
		status=0
		TMPDIR=$PWD/tmp ../bin/dmtrace "$@" <"$stdin" >stdout \
		    2>stderr || status=$?
		echo "$status" >status
		rmdir tmp
	)
}

# compare STDIN ARGUMENT...
compare()
{
	runs=$((runs + 1))
	run_one old "$@"
	run_one new "$@"
	if ! diff -r old/out new/out >differs 2>&1; then
		differences=$((differences + 1))
		stdin=$1
		shift
		echo "differs: dmtrace $* <$stdin"
		head -n "${COMPARE_LINES:-6}" differs | cut -c 1-300
	fi
}

# both FILE COMMAND OPTION...: from the file, and from a pipe
both()
{
	file=$1
	shift
	compare /dev/null "$@" "$file"
	case "$*" in
	split\ --by*) compare "$file" "$@" - ;;
	split*|join*|merge*) ;;
	*) compare "$file" "$@" - ;;
	esac
}

# Inputs: a corpus, single defects, and generated traces.
find $folders -type f \( -name '*.trace' -o -name '*.key' -o -name '*.data' \) |
    sort >given
n=0
: >generated
while [ "$n" -lt "${COMPARE_GENERATED:-300}" ]; do
	n=$((n + 1))
	version=$((n % 3 + 1))
	clock=wall
	case $((n % 4)) in
	1) clock=thread-cpu ;;
	2) [ "$version" -lt 3 ] || clock=dual ;;
	3) [ "$version" -gt 1 ] || clock=global ;;
	esac
	./new.program generate -q --seed "$n" --events $((n * n % 3000 + 2)) \
	    --threads $((n % 7 + 1)) --methods $((n % 50 + 1)) \
	    -d "v$version" --clock "$clock" -o "in/$n.trace"
	echo "$work/in/$n.trace" >>generated
done
cat given generated >all

# Twenty files for the options: every tenth or so of the kinds above.
awk -v n="$(wc -l <all)" '
BEGIN { step = int(n / 20 + 1) }
NR % step == 1 % step' all >some

if wanted generate; then
	while read -r options; do
		compare /dev/null generate $options -o out.trace
	done <<-'ROWS'
	--seed 1
	--events 0
	--seed 7 --events 1001 --threads 255 -d v1 --clock global
	--seed 8 --events 30000 --threads 300 --max-depth 2 -d v2
	--seed 9 --events 30000 --methods 7 --clock cpu
	--seed 10 --methods 20000 --threads 1 --max-depth 100
	-d v1 --threads 256
	--max-depth 1048577
	ROWS
	compare /dev/null generate --seed 3 -o out.key
	compare /dev/null generate --seed 3
fi

while read -r command options; do
	wanted "$command" || continue
	while read -r file; do
		both "$file" "$command" $options
	done <all
done <<'ROWS'
info
info -f json
dump
dump -f json
validate
validate -f json
checksum
filter -o out.trace
sort -o out.trace
shift --by 1s -o out.trace
repair -o out.trace
repair --dry-run -f tsv
report -f tsv
split -o out.key
split --by thread --max-files=100000 -o out-%.trace
ROWS

set -f	# patterns are for the program
while read -r command options; do
	wanted "$command" || continue
	while read -r file; do
		both "$file" "$command" $options
	done <some
done <<'ROWS'
info -f tsv
info -f csv
info -q
dump -f tsv
dump -f csv
dump --dmtracedump
dump -q
validate --for=all
validate --all
validate --strict -f tsv
validate --fail-on=note -f csv
validate -f tap
validate -f junit
validate --fix -o out.trace
validate --fix --for=all -o out.trace
checksum --brief
checksum --clock=none -f json
checksum --clock=wall -f tsv
checksum --sum
filter -t main -o out.trace
filter -t 1 -o out.trace
filter -t 1,2 --invert -o out.trace
filter -t main --keep-tables -o out.key
filter -m *a* -o out.trace
filter -m *.run -m */b* -o out.trace
filter --from 1ms --to 10ms -o out.trace
filter --from 1ms --to 10ms --raw -o out.trace
filter --from 1ms --to 10ms --raw --invert --keep-tables -o out.trace
filter --from 2ms -t 1 --depth 2..4 -o out.trace
filter --depth 2 -o out.trace
filter --depth ..3 --keep-tables -o out.trace
filter --min-time 1ms -o out.trace
filter --min-time 100us --to 20ms --hide *a* -o out.trace
filter --under *a* -o out.trace
filter --under *a* --hide *b* --keep-tables -o out.trace
filter --to 1us --allow-empty -o out.trace
filter --from 1ms --to 2ms -m *a* --allow-empty -o out.key
sort --any-clock -o out.trace
sort --memory 10M --any-clock -o out.key
shift --by -1us -o out.trace
shift --scale 0.5 -o out.trace
shift --to-zero -o out.key
shift --to-zero --scale 3 --by 2ms --start 2026-01-31T23:59:59Z -o out.trace
split --by thread -o out-%.trace
split --by events=100 --max-files=100000 -o out-%.trace
split --by time=5ms --max-files=100000 -o out-%.trace
split --by size=20K --max-files=100000 -o out-%.trace
split --by events=3 --max-files=2 -o out-%.trace
split --by size=300 -o out-%.trace
convert -d v1 -o out.trace
convert -d v2 -f tsv -o out.trace
convert -d v3 -o out.key
convert -d v3 --clock=wall -f json -o out.trace
convert -d v4 -o out.trace
convert -d v5 --stage=f -f tsv -o out.trace
convert -d f2 -f tsv -o out.trace
convert -d f3 -o out.trace
convert -d f5 --stage=c -o out.trace
convert -d universal -f tsv -o out.trace
convert -d v1 --strict -o out.trace
repair --strategy=shift -o out.trace
repair --strategy=drop -o out.key
repair -f json -o out.trace
report --callers
report --callers --callees -f json
report --callers --per-thread -f tsv
report --tree --top 3
report --tree -f tsv
report --tree --callees --per-thread -f csv
report --bottom-up --top 3
report --bottom-up -f tsv
report --by class -f json
report --by class --callers --tree -f tsv
report --by name --tree -f tsv
report --by package --callees -f tsv
report --by thread
report --clock=cpu --callers
report --compensate --tree --durations -f tsv
report --per-thread --durations -f csv
report --sort=name --durations
report -f html
report -t main --from 1ms
report -m *a* --tree --callers -f tsv
report --min-time 100us --depth 2.. --callees -f tsv
report --dmtracedump
report --traceview
report --traceview --from 1ms
graph
graph --per-thread
graph --threshold 0
export -f chrome
export -f chrome -t main --from 1ms
export -f collapsed
export -f collapsed --per-thread --weight=calls
export -f callgrind
export -f firefox
export -f firefox --min-time 100us
export -f jsonl
export -f perfetto -o out.pb
export -f pprof -o out.pb
export -f speedscope
export -f sqlite
export -f html -o out.html
flame
flame --icicle --reverse --weight=calls
view -o out.html
view --from 1ms --to 10ms -o out.html
ROWS

# Neighbours side by side.
if wanted report || wanted diff; then
	last=
	while read -r file; do
		[ -n "$last" ] || last=$file
		! wanted report ||
		    compare /dev/null report --callers --tree --durations \
		    -f tsv "$last" "$file"
		! wanted report ||
		    compare /dev/null report --merge-runs "$last" "$file"
		for options in '' '-f tsv' '--trees' '--trees -t main' \
		    '--dmtracedump'; do
			! wanted diff ||
			    compare /dev/null diff $options "$last" "$file"
		done
		last=$file
	done <some
fi

# Merges of neighbours, and of a trace's own pieces.
if wanted merge; then
	last=
	while read -r file; do
		for options in '' '--threads=renumber' '--threads=union' \
		    '--prefix --align=zero' '--align=none -d v3'; do
			[ -z "$last" ] || compare /dev/null merge $options \
			    -o out.trace "$last" "$file"
		done
		last=$file
	done <some
	while read -r file; do
		for by in thread events=50 time=3ms; do
			rm -rf pieces && mkdir pieces
			./old.program split -q --by "$by" --max-files=100000 \
			    -o "pieces/%.trace" "$file" >/dev/null 2>&1
			set +f
			set -- pieces/*.trace
			set -f
			[ -e "$1" ] || continue
			for piece; do
				shift
				set -- "$@" "$work/$piece"
			done
			compare /dev/null merge --rejoin -o out.trace "$@"
			[ $# -gt 40 ] || compare /dev/null merge \
			    -o out.trace "$@"
		done
	done <some
fi

# Expectations: rules of every kind, and the trees of a trace, as they are
# written anew and with changes.
if wanted expect; then
	cat >rules.spec <<'SPEC'
# of all threads
calls(*) >= 10
calls(*is*) 3
calls(*get*) != 0 # a comment
calls(/[A-Z]a/) < 20
calls(*.<init>) <= 4
calls("no.such") > 0
never *.run
never /<clinit>$/
*a* before *b*
*.run before *.<init>
*a* under *e*
*.<init> under *
* under *.run
depth 5
depth <= 12
inclusive(*a*) < 1ms
inclusive(*.run) >= 100us cpu
inclusive(*) > 3s wall
exclusive(*e*) <= 5ms
exclusive(*) != 0
exclusive(*is*) < 7us cpu
threads 3
threads <= 4
no other threads
thread main rules
  calls(*a*) > 3
  depth < 10
  *a* under *b*
  exclusive(*) > 1us
thread * rules
  threads > 1
  inclusive(*e*) < 10ms
thread main subsequence
  *a*
    *
  *e* x2
thread * exact
  * ...
SPEC
	{
		echo 'select depth 2..5 # a comment'
		echo 'select thread *'
		echo 'select hide *a*'
		echo 'select from 10us'
		echo 'depth 3'
		echo 'calls * > 5'
	} >select.spec
	printf 'no other threads\ncalls * > 3 # kept\n' >short.spec
	cat >changes.awk <<'AWK'
# Line by line of a tree, by change, which has one in most lines out of ten.
!/^ / { print kind == "subsequence" ? $1 " " $2 " " kind : $0; next }
{ n++ }
kind == "dropped" && n % 7 == 3 { print "  # comment " n; next }
kind == "subsequence" && n % 3 == 0 { next }
kind == "swapped" && n % 11 == 5 { kept = $0; next }
kind == "starred" && n % 5 == 2 {
	sub(/[A-Za-z_]+(\(.*)?( x[0-9]+)?$/, "*")
	$0 = $0 (n % 10 == 2 ? " # star" : "")
}
kind == "counted" && n % 9 == 4 { sub(/( x[0-9]+)?$/, " x2") }
kind == "cut" && n % 13 == 6 {
	match($0, /^ */)
	columns = RLENGTH
	print $0 " ..."
	cut = 1
	next
}
{ match($0, /^ */) }
cut && RLENGTH > columns { next }
{ cut = 0; print }
kept != "" { print kept; kept = "" }
AWK
	while read -r file; do
		rm -f golden.spec
		./old.program expect -q -u golden.spec "$file" 2>/dev/null
		[ -s golden.spec ] || : >golden.spec
		specs="golden rules select short"
		for kind in dropped subsequence swapped starred counted cut; do
			awk -v kind=$kind -f changes.awk golden.spec \
			    >"$kind.spec"
			specs="$specs $kind"
		done
		for spec in $specs; do
			spec=$work/$spec.spec
			both "$file" expect "$spec"
			both "$file" expect -f tsv "$spec"
			both "$file" expect -f junit "$spec"
			both "$file" expect -u -o out.spec "$spec"
			compare /dev/null expect -q --depth 2..4 "$spec" \
			    "$file" "$file"
			compare /dev/null expect --from 1ms --to 10ms \
			    -f json "$spec" "$file"
			compare /dev/null expect -f csv --min-time 100us \
			    -t main "$spec" "$file"
			compare /dev/null expect -f tap --hide '*a*' \
			    --under '*e*' "$spec" "$file"
			compare /dev/null expect -u -m '*e*' -o - "$spec" \
			    "$file"
		done
		both "$file" expect -u new.spec
		both "$file" expect -u --signatures --from 100us new.spec
		both "$file" expect -u --hide '*a*' --depth ..3 new.spec
	done <some
fi
echo "$runs command lines, $differences differences"
[ "$differences" -eq 0 ]
