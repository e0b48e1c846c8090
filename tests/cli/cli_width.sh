#!/bin/sh
# cli_width.sh - tables fit a terminal of 80 columns, and a pipe is not cut

. "$srcdir/tests/helpers/claim.sh"

# Deep calls, long names of threads and methods, and calls that have no exit.
dmtrace generate -q --shape=deep --events=3000 --threads=2 -o deep.trace
dmtrace generate -q --shape=app --events=3000 -o app.trace
dmtrace generate -q --shape=app --events=900 -d v5 -o v5.trace
dmtrace filter -q --raw --to=60ms -o early.trace app.trace
{
	echo 'dmtrace text 1'
	echo 'clock=dual'
	echo 'thread 65432 a thread with a name of forty columns or so'
	echo '0/0 65432 >a.package.of.a.long.name.Class.with.a.method(II)V'
	echo '9ms/1ms 65432 >another.package.of.a.long.name.Class.m(II)V'
	echo '99ms/9ms 65432 <another.package.of.a.long.name.Class.m(II)V'
} >long.dmt

# fits COMMAND...: on a terminal of 80 columns, no line is wider
fits()
{
	COLUMNS=80 script -qec "dmtrace $*" /dev/null </dev/null 2>/dev/null |
	    tr -d '\r' >shown
	[ "$(wc -l <shown)" -ge 2 ] || { cat shown; return 1; }
	sed 's/›/>/g; s/…/./g' shown |
	    awk 'length > 80 { print length ": " $0; wide = 1 }
	    END { exit wide }'
}

# is_whole COMMAND...: what a pipe gets has every name
is_whole()
{
	dmtrace "$@" 2>/dev/null >piped
	[ $? -le 1 ] && [ -s piped ] &&	# 1: traces differ
	    COLUMNS=20 dmtrace "$@" 2>/dev/null | cmp piped - &&
	    ! grep -q '\.\.\.' piped
}

# chain_is COLUMNS LINE: how the chain of long.dmt ends on such a terminal
chain_is()
{
	COLUMNS=$1 script -qec 'dmtrace report --tree long.dmt' /dev/null \
	    </dev/null 2>/dev/null | tr -d '\r' >shown
	has "$2" shown
}

while read -r line; do
	if have script; then
		claim "80 columns: $line" fits "$line"
	else
		skip "80 columns: $line" "no script here"
	fi
done <<'COMMANDS'
info app.trace
info --threads long.dmt
dump app.trace
dump deep.trace
dump long.dmt
tail v5.trace
dump --calls app.trace
dump --calls deep.trace
dump --calls long.dmt
dump --calls --from=10ms --to=20ms app.trace
report app.trace
report long.dmt
report --tree app.trace
report --tree --unfold app.trace
report --bottom-up app.trace
report --callers --callees app.trace
report --durations app.trace
report --per-thread long.dmt
report --by=thread long.dmt
report --by=class app.trace
report --sort=off-cpu app.trace
report --slowest app.trace
report --slowest early.trace
report --slowest long.dmt app.trace
report --slowest --from=10ms --to=20ms app.trace early.trace
report --merge-runs app.trace early.trace
diff app.trace early.trace
diff --trees app.trace deep.trace
checksum --threads long.dmt
checksum --compare long.dmt app.trace
COMMANDS
if have script; then
	claim "a chain has the names of its classes" \
	    chain_is 80 ' a.method › Class.m (2 calls deep)'
	claim "with less space, those of its methods" \
	    chain_is 60 ' method › m (2)'
else
	skip "names of a chain" "no script here"
fi
for line in 'dump app.trace' 'dump --calls app.trace' 'tail v5.trace' \
    'diff --trees app.trace deep.trace'; do
	claim "a pipe is not cut: $line" is_whole $line
done
finish
