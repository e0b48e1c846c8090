#!/bin/sh
# cli_dialects.sh - every command finds the same in every dialect

. "$srcdir/tests/helpers/claim.sh"

# The same events, of two clocks and of one, each dialect in a folder of its
# own, so that names are the same in what commands print.
mkdir dual wall
dmtrace generate -q --data-version=3 --records=300 --threads=3 -o dual/t.trace
dmtrace generate -q --data-version=3 --records=200 --seed=2 -o dual/u.trace
for trace in t u; do
	dmtrace convert -q -d v2 -o wall/$trace.trace dual/$trace.trace
done
printf 'calls * >= 1\nthreads >= 1\n' >spec
cat >rows <<'EOF'
dump	dmtrace dump -f tsv t.trace
dump --calls	dmtrace dump --calls t.trace
report	dmtrace report -f tsv t.trace | cut -f 1-3,5-17
info	dmtrace info -f tsv t.trace | cut -f 7,10-13,15-20
checksum	dmtrace checksum t.trace
graph	dmtrace graph t.trace | sort
flame	dmtrace export -f collapsed t.trace
export	dmtrace export -f chrome t.trace
filter	dmtrace filter -q -t 2 t.trace | dmtrace dump -f tsv -
window	dmtrace filter -q --from=200us t.trace | dmtrace dump -f tsv -
merge	dmtrace merge -q t.trace u.trace | dmtrace dump -f tsv - | cut -f 2,4-
sort	dmtrace sort -q t.trace | dmtrace dump -f tsv -
shift	dmtrace shift -q --by=5ms t.trace | dmtrace dump -f tsv -
EOF

# figures FOLDER: what all rows print of its trace
figures()
{
	while IFS='	' read -r row command; do
		(cd "$1" && sh -c "$command") >"$1/$row" 2>&1 || return 1
	done <rows
}

# opens TRACE: the page and the flame graph of it are made
opens()
{
	dmtrace view -q -o page "$1" && [ -s page ] &&
	    dmtrace flame -q -o page "$1" && [ -s page ]
}

claim "version 3 has the expected figures" figures dual
claim "version 2 has the expected figures" figures wall
while read -r base dialect stage; do
	name=$dialect${stage:+-$stage}
	mkdir "$name"
	for trace in t u; do
		dmtrace convert -q -d "$dialect" ${stage:+--stage=$stage} \
		    -o "$name/$trace.trace" "$base/$trace.trace"
	done
	claim "$name" figures "$name"
	while IFS='	' read -r row command; do
		claim "$name: $row" cmp "$base/$row" "$name/$row"
	done <rows
	claim "$name: validate" dmtrace validate -q "$name/t.trace"
	claim "$name: diff" dmtrace diff -q "$base/t.trace" "$name/t.trace"
	claim "$name: diff --calls" \
	    dmtrace diff -q --calls "$base/t.trace" "$name/t.trace"
	claim "$name: expect" dmtrace expect -q spec "$name/t.trace"
	claim "$name: view and flame" opens "$name/t.trace"
done <<'EOF'
dual f3
dual v5 c
dual v5 e
dual v5 f
dual f5 c
dual f5 f
wall v1
wall f2
wall v4 c
wall v4 e
wall v4 f
wall f4 e
EOF
finish
