#!/bin/sh
# cli_conformance.sh - the conformance suite, and what dmtrace makes of it

. "$srcdir/tests/helpers/claim.sh"

claim "the suite is made" sh "$srcdir/doc/conformance/make.sh" suite

# The rows of the index: name, verdict, authority.
member()
{
	sed -n "s/^{.*\"$1\":\"*\([^\"]*[^\",]\)\"*,\".*/\1/p" suite/index.json
}
member name >names
member verdict >verdicts
member authority | paste -d '|' names verdicts - >rows

# indexed: each text has a row, and each row a text, and events unless the
# trace must be refused
indexed()
{
	cut -d '|' -f 1 rows | sort >names
	ls suite | sed -n 's/\.dmt$//p' | sort | cmp names - || return 1
	grep -v '|must refuse|' rows | cut -d '|' -f 1 | sort >names
	ls suite | sed -n 's/\.tsv$//p' | sort | cmp names -
}

# reasoned: what must be has an authority, and what may be has none
reasoned()
{
	while IFS='|' read -r name verdict authority; do
		case $verdict:$authority in
		may:null) ;;
		must\ *:'a virtual machine wrote it: '*) ;;
		must\ *:'dmtrace(5), '*)
			grep -Eqx "\.S[hs] ${authority#*, }" \
			    "$srcdir/doc/dmtrace.5" && continue
			echo "$name: $authority"
			return 1
			;;
		*)
			echo "$name: $verdict: $authority"
			return 1
			;;
		esac
	done <rows
}

# described: each text begins with its comment
described()
{
	for text in suite/*.dmt; do
		sed -n 1,2p "$text" | tr '\n' ' ' |
		    grep -q '^dmtrace text 1 # [A-Z0-9*"a-z-]' ||
		    { echo "$text"; return 1; }
	done
}

claim "every case is in the index, and has its files" indexed
claim "every verdict has its authority" reasoned
claim "every text says what it shows" described
claim "the index has verdicts of the six readers alone" sh -c '
	grep "^{" suite/index.json | sed -e "s/.*\"readers\":{//" \
	    -e "s/\"[a-z0-9]*\":\(null\|\"reads\"\|\"misreads\"\)//g" \
	    -e "s/\"[a-z0-9]*\":\"\(dump-only\|refuses\|crashes\)\"//g" |
	    sort -u | grep -vx -e ",,,,,}}" -e ",,,,,}},"; [ $? -eq 1 ]'
claim "the README has the number of cases" grep -q \
    "^$(wc -l <rows | tr -d ' ') small traces" suite/README
if have python3; then
	claim "the index is JSON" python3 -m json.tool suite/index.json
else
	skip "the index is JSON" "no python3 here"
fi
claim "run.sh does not know dmtrace" sh -c '! grep -q dmtrace suite/run.sh'

cat >reader.sh <<'SH'
dmtrace dump -q -f tsv "$1" >events
status=$?
cut -f "${COLUMNS_SHOWN:-1-}" events
[ $status -le 1 ]
SH
claim "dmtrace meets every verdict" exits 0 sh suite/run.sh sh reader.sh

# Other readers on three cases, or on the whole suite with more.
few=few
mkdir few
cp suite/run.sh suite/v1-wall.* suite/crlf.* suite/empty.* few
grep -e '"v1-wall"' -e '"crlf"' -e '"empty"' suite/index.json >few/index.json
! more || few=suite
claim "a reader that shows fewer columns meets them" \
    env COLUMNS_SHOWN=1,2,5 sh $few/run.sh sh reader.sh
claim "the command of the README does, too" sh -c '
	eval "set -- $(sed -n "s/^    \(sh -c .*dmtrace\)/\1/p" \
	    suite/README)"
	sh "$0"/run.sh "$@" | tail -n 1 | grep -q ", 0 failed"' $few
claim "a reader that refuses everything fails where it must read" answers 1 \
    'not ok - v1-wall: must read: refuses' sh few/run.sh false
claim "but not where it may refuse" has 'ok - crlf: may: refuses' said
claim "the last line has how many failed" has '3 cases, 1 failed' said
claim "a reader that prints something else misreads" answers 1 \
    'not ok - crlf: may: misreads' sh few/run.sh cat
printf 'kill -9 $$\n' >crash.sh
claim "a crash is one" answers 1 'not ok - empty: must refuse: crashes' \
    sh few/run.sh sh crash.sh
claim "run.sh without a command says how it is called" answers 2 \
    'run.sh COMMAND' sh suite/run.sh

finish
