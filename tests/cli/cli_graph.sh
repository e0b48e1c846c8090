#!/bin/sh
# cli_graph.sh - the call graph, as real Graphviz reads it

. "$srcdir/tests/helpers/claim.sh"

# front METHOD...: a key of version 2 with methods A.METHOD
front()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n2\ttwo\n*methods\n'
	id=4
	for method do
		printf '0x%x\tA\t%s\t()V\n' "$id" "$method"
		id=$((id + 4))
	done
	printf '*end\nSLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
}

# records: of lines "thread word time", time below 256
records()
{
	while read -r thread word time; do
		printf "\\00$thread\\000\\$(printf %03o "$word")\\000\\000\\000"
		printf "\\$(printf %03o "$time")\\000\\000\\000"
	done
}

# In thread 1 a calls b twice, and b calls c; thread 2 is in c.
{ front a b c; records; } >abc.trace <<ROWS
1 4 0
1 8 10
1 12 20
1 13 30
1 9 60
1 8 60
1 9 80
1 5 100
2 12 0
2 13 50
ROWS

# nodes FILE: "name label" of the picture, sorted; edges FILE: "from to label"
plain()
{
	dot -Tplain "$1" >plain
}

nodes()
{
	sed -n 's/^node \([^ ]*\) .* "\([^"]*\)" .*/\1 \2/p' plain | sort
}

edges()
{
	sed -n 's/^edge \([^ ]*\) \([^ ]*\) .* "\([^"]*\)" .*/\1 \2 \3/p' \
	    plain | sort
}

# draws LABEL OPTION...: the graph of abc.trace has the nodes and edges that
# are in the file "wanted"
draws()
{
	dmtrace graph -o g.dot "$@" abc.trace && plain g.dot &&
	    { nodes; edges; } >drawn && cmp wanted drawn ||
	    { diff wanted drawn; return 1; }
}

cat >wanted <<'ROWS'
node0 (toplevel)\n150 us (100.0 %)\nself 0 s (0.0 %)
node1 A.a\n100 us (66.7 %)\nself 30.0 us (20.0 %)\n1 call
node2 A.b\n70.0 us (46.7 %)\nself 60.0 us (40.0 %)\n2 calls
node3 A.c\n60.0 us (40.0 %)\nself 60.0 us (40.0 %)\n2 calls
node0 node1 1 call\n100 us (66.7 %)
node0 node3 1 call\n50.0 us (33.3 %)
node1 node2 2 calls\n70.0 us (46.7 %)
node2 node3 1 call\n10.0 us (6.7 %)
ROWS
printf '%s\n' '1 4 0' '1 8 10' '1 9 30' '1 12 40' '1 13 59' '1 5 100' |
    write_trace fifth.trace 2 wall
claim "methods below a fifth of the total time are left out" sh -c '
    dmtrace graph --threshold=20 -o fifth.dot fifth.trace &&
    grep -q "A\.n" fifth.dot && ! grep "A\.o" fifth.dot'
have dot || { skip "graphs" "no dot here"; finish; }
claim "Graphviz reads nodes and edges as counted by hand" draws
claim "--threshold=0 changes nothing here" draws --threshold=0
claim "-t with the names of all threads changes nothing" draws -t main -t two
claim "--compensate changes nothing without an overhead in the key" \
    draws --compensate
sed -e '/node3/d' wanted >less && mv less wanted
claim "--threshold leaves out what is shorter" draws --threshold=41
cat >wanted <<'ROWS'
thread1node0 (toplevel)\n100 us (100.0 %)\nself 0 s (0.0 %)
thread1node1 A.a\n100 us (100.0 %)\nself 30.0 us (30.0 %)\n1 call
thread1node2 A.b\n70.0 us (70.0 %)\nself 60.0 us (60.0 %)\n2 calls
thread1node3 A.c\n10.0 us (10.0 %)\nself 10.0 us (10.0 %)\n1 call
thread2node0 (toplevel)\n50.0 us (100.0 %)\nself 0 s (0.0 %)
thread2node3 A.c\n50.0 us (100.0 %)\nself 50.0 us (100.0 %)\n1 call
thread1node0 thread1node1 1 call\n100 us (100.0 %)
thread1node1 thread1node2 2 calls\n70.0 us (70.0 %)
thread1node2 thread1node3 1 call\n10.0 us (10.0 %)
thread2node0 thread2node3 1 call\n50.0 us (100.0 %)
ROWS
claim "--per-thread draws shares of each thread's total" draws --per-thread
cat >wanted <<'ROWS'
node0 (toplevel)\n50.0 us (100.0 %)\nself 0 s (0.0 %)
node1 A.c\n50.0 us (100.0 %)\nself 50.0 us (100.0 %)\n1 call
node0 node1 1 call\n50.0 us (100.0 %)
ROWS
claim "-t draws one thread" draws -t two
cat >wanted <<'ROWS'
node0 (toplevel)\n150 us (100.0 %)\nself 0 s (0.0 %)
node2 A.b\n70.0 us (46.7 %)\nself 60.0 us (40.0 %)\n2 calls
node3 A.c\n60.0 us (40.0 %)\nself 60.0 us (40.0 %)\n2 calls
node0 node3 1 call\n50.0 us (33.3 %)
node2 node3 1 call\n10.0 us (6.7 %)
ROWS
claim "--around draws methods one call away" draws --around=A.c
claim "--around takes a glob" draws --around='*.c'
claim "--around takes a regular expression" draws --around='/c$/'
sed '/node[02]/d' wanted >less && mv less wanted
claim "--hops=0 draws only the method" draws --around=A.c --hops=0
dmtrace graph --per-thread abc.trace >g.dot
claim "a graph of a thread has its name" has 'label="two (2)";' g.dot
claim "the graph goes to standard output" prints g.dot \
    dmtrace graph --per-thread abc.trace
claim "a trace is read from a pipe" prints g.dot \
    sh -c 'dmtrace graph --per-thread - <abc.trace'

# says STATUS TEXT COMMAND...
says()
{
	status=$1
	text=$2
	shift 2
	exits "$status" "$@" 2>error >printed && has "$text" error
}

no_file()
{
	for file in o.dot o.svg .dmtrace*; do
		[ ! -e "$file" ] || { echo "there is $file"; return 1; }
	done
}

claim "an unknown method exits with 2" says 2 'no such method: "A.d" (did you' \
    dmtrace graph -o o.dot --around=A.d abc.trace
claim "no file is left" no_file
claim "a pattern that matches nothing is reported" \
    says 1 'no method matches "x*"' \
    dmtrace graph --around='x*' abc.trace
claim "a method without a call in the thread is reported" says 1 \
    'no method of --around is called' \
    dmtrace graph -t two --around=A.a abc.trace
claim "an invalid regular expression is reported" says 2 "--around: " \
    dmtrace graph --around='/(/' abc.trace
claim "an id that no call has is reported" \
    says 2 'no such method: "0x80" (did you mean' \
    dmtrace graph --around=0x80 abc.trace
{ front a; records; } >unlisted.trace <<ROWS
1 4 0
1 12 10
1 13 30
1 5 40
ROWS
claim "an id that a call has, but no table, is drawn" dmtrace graph --hops=0 \
    --around=0xc -o o.dot unlisted.trace
claim "the graph has the unlisted method" sh -c \
    'grep -q "0xc" o.dot && ! grep -q "A.a" o.dot && rm o.dot'
claim "so it is by a pattern" dmtrace graph --hops=0 --around='0x*' -o o.dot \
    unlisted.trace
claim "the graph has only that" sh -c \
    'grep -q "0xc" o.dot && ! grep -q "A.a" o.dot && rm o.dot'
claim "an empty selection is reported" says 1 \
    'abc.trace: nothing is selected: the window is from 1 s to the end; the' \
    dmtrace graph --from=1s abc.trace
claim "--hops without --around is a usage error" \
    says 2 '--hops needs --around' \
    dmtrace graph --hops=2 abc.trace
claim "a threshold of more than 100 % is a usage error" \
    exits 2 dmtrace graph --threshold=101 abc.trace
claim "--clock=cpu is refused without CPU times" says 2 'there is no CPU time' \
    dmtrace graph --clock=cpu -o o.dot abc.trace
claim "a missing operand is a usage error" \
    says 2 'no file is named' dmtrace graph
claim "two operands are a usage error" \
    says 2 'more than one file' dmtrace graph a b
claim "a missing file exits with 2" exits 2 dmtrace graph -o o.dot missing
claim "an output that is the input is refused" exits 2 \
    dmtrace graph -o abc.trace abc.trace
claim "an error in the trace is reported" exits 1 dmtrace graph -q \
    "$srcdir/tests/data/bad-reserved.trace"
claim "no failure leaves a file" no_file

# bounded OPTION...: the graph of a full buffer says so, once
bounded()
{
	sed 's/^clock=wall$/data-file-overflow=true\n&/' abc.trace >full.trace
	dmtrace graph -o full.dot "$@" full.trace && dot -Tplain full.dot >plain
	test "$(grep -c 'lower bounds' full.dot)" -eq 1
}
claim "the legend says that times of a full buffer are lower bounds" bounded
claim "the legend says so for each thread" bounded --per-thread --threshold=0
claim "the threads have their names" has 'label="two (2)";' full.dot
claim "the legend of other traces does not say so" \
    sh -c '! grep -q "lower bounds" g.dot'

# Names that would mean something to DOT, a shell or SVG.
long=$(printf '%020000d' 7)
{ front 'q"b\n\N' '$(touch pwned)`touch pwned`' '</text><script>x' \
    "$(printf '\033[2J\377')" "$long"; records; } >bad.trace <<ROWS
1 4 0
1 8 10
1 12 20
1 16 30
1 20 40
1 21 50
1 17 60
1 13 70
1 9 80
1 5 100
ROWS
claim "a graph of hostile names is written" \
    dmtrace graph --threshold=0 -o bad.dot bad.trace
claim "Graphviz reads the hostile names" plain bad.dot
claim "the hostile names are six nodes" test "$(grep -c '^node ' plain)" -eq 6
claim "the hostile names have five edges" test "$(grep -c '^edge ' plain)" -eq 5
claim "the graph has no control byte and no invalid UTF-8" sh -c \
    'iconv -f UTF-8 -t UTF-8 bad.dot >/dev/null &&
    ! LC_ALL=C tr -d "\n" <bad.dot | LC_ALL=C grep -q "[[:cntrl:]]"'
claim "a picture of the hostile names is drawn" \
    dmtrace graph -f svg -o bad.svg --threshold=0 \
    bad.trace
claim "the picture has the names unchanged" \
    has 'A.$(touch pwned)`touch pwned` (' bad.svg
claim "the picture has the quote and the backslashes" \
    has 'A.q&quot;b\\n\\N<' bad.svg
claim "no name becomes an element of the picture" \
    sh -c '[ "$(grep -ci "<script" bad.svg)" -eq 1 ]'
claim "no name was executed" test ! -e pwned

claim "the graph of a picture is in TMPDIR until it is drawn" \
    says 2 'cannot make a temporary in missing' \
    env TMPDIR=missing dmtrace graph -f svg -o o.svg abc.trace
claim "-f svg writes a picture" dmtrace graph -f svg -o o.svg abc.trace
claim "the picture is SVG with all nodes" sh -c \
    'grep -q "</svg>" o.svg && [ "$(grep -c "class=\"node\"" o.svg)" -eq 4 ]'
claim "-f png writes a picture" \
    dmtrace graph -f png -o o.png --per-thread abc.trace
claim "the picture begins as PNG does" \
    sh -c 'head -c 4 o.png | tail -c 3 | grep -qx PNG'
claim "the picture is as large as its window" \
    has '<svg width="100%" height="100%" viewBox="' o.svg
claim "the picture is well-formed, with its script" \
    sh -c '[ "$(grep -c "<script><!\[CDATA\[" o.svg)" -eq 1 ] &&
    { ! command -v xmllint >/dev/null || xmllint --noout o.svg; }'
rm -f o.svg

# Without dot, or with one that fails.
mkdir empty failing
printf '#!/bin/sh\necho "no memory for it" >&2\nexit 3\n' >failing/dot
chmod +x failing/dot
dmtrace=$(command -v dmtrace)
claim "a missing dot is reported" says 2 'no program dot' \
    sh -c 'PATH=empty exec "$0" graph -f svg -o o.svg abc.trace' "$dmtrace"
claim "a missing dot leaves no file" no_file
claim "a failure of dot is reported" says 2 'exit status 3' \
    sh -c 'PATH=$PWD/failing:$PATH exec "$0" graph -f svg -o o.svg abc.trace' \
    "$dmtrace"
claim "the messages of dot are reported" has 'dot: no memory for it' error
claim "a failure of dot leaves no file" no_file
mkdir killed
printf '#!/bin/sh\nkill -9 $$\n' >killed/dot
chmod +x killed/dot
claim "a dot that is killed is reported" says 2 'dot was killed by signal 9' \
    sh -c 'PATH=$PWD/killed:$PATH exec "$0" graph -f svg -o o.svg abc.trace' \
    "$dmtrace"
chmod -x killed/dot
claim "a dot that is not executable is reported" says 2 \
    'dot cannot be run: Permission denied' \
    sh -c 'PATH=killed exec "$0" graph -f svg -o o.svg abc.trace' "$dmtrace"

mkdir slow
printf '#!/bin/sh\necho $$ >pid\nkill $PPID\nexec sleep 1000\n' >slow/dot
chmod +x slow/dot

# ends_dot: a signal ends dot with the command, however early it comes
ends_dot()
{
	for try in 1 2 3 4 5 6; do
		PATH=$PWD/slow:$PATH "$dmtrace" graph -f svg -o o.svg abc.trace
		ended=0
		waits_for sh -c '! kill -0 "$(cat pid)" ||
		    grep -q "^State:.Z" "/proc/$(cat pid)/status"' 2>error ||
		    ended=1
		kill "$(cat pid)" 2>error
		no_file && [ "$ended" -eq 0 ] || return
	done
}
claim "a signal that ends the command ends dot" ends_dot

# few_files: whichever open fails first, it is reported
few_files()
{
	: >messages
	for limit in 5 6 7 8 9 10 11 12; do
		status=0
		(
			ulimit -n "$limit" &&
			    exec dmtrace graph -f svg -o o.svg abc.trace
		) 2>error || status=$?
		cat error >>messages
		if [ "$status" -eq 0 ]; then
			rm o.svg
		else
			[ "$status" -eq 2 ] && [ -s error ] && no_file
		fi || { echo "limit $limit"; return 1; }
	done
	# the latter are the words of musl
	grep -qE 'dot cannot be run: (Too many open|No file desc)' messages
}
if [ "$SANITIZED" = yes ]; then
	skip "too few file descriptors for dot are reported" \
	    'sanitizers open files'
else
	claim "too few file descriptors for dot are reported" few_files
fi

# labels FILE: name and calls of its nodes, but of (toplevel); the old tool does
# not count recursive calls
labels()
{
	name='^node.*="\([^\\]*\)\\n.*\\n\([0-9]*\) calls*'
	sed -n -e '/toplevel/d' \
	    -e 's/^node.*"\[[0-9]*\] \(.*\) (.*, \([0-9]*\))".*/\1 \2 0/p' \
	    -e "s/$name\",.*/\1 \2 0/p" \
	    -e "s/$name, \([0-9]*\) recursive\",.*/\1 \2 \3/p" "$1" |
	    awk '{ print $1, $2 - $3 }' | sort
}

edges_of()
{
	grep -o "^node[0-9]* -> node[0-9]*" "$1" | sort
}

# The graph of the old tool: the same labels, and all the edges that it has,
# which leaves out some.
same_as_dmtracedump()
{
	dmtrace generate -q --seed "$1" -d v2 --clock wall --events 3000 \
	    --methods 30 --threads 3 -o made.trace &&
	    dmtracedump -g old.png -k -t 1 made.trace >old.txt &&
	    dmtrace graph --threshold=0 -o new.dot made.trace || return
	grep -v ' -> ' old.png.dot | tr / . >old.nodes
	grep -v ' -> ' new.dot >new.nodes
	labels old.nodes >old
	labels new.nodes >new
	[ -s old ] && cmp old new || { diff old new; return 1; }
	edges_of old.png.dot >old
	edges_of new.dot >new
	comm -23 old new >missing
	cat missing
	[ ! -s missing ]
}

if have dmtracedump; then
	for seed in 1 $(! more || echo 2 3); do
		claim "trace $seed: the graph of dmtracedump -g" \
		    same_as_dmtracedump "$seed"
	done
else
	skip "the graph of dmtracedump -g" "no dmtracedump here"
fi

# begins_with TEXT NAME: what graph -o NAME makes of abc.trace
begins_with()
{
	dmtrace graph -o "$2" abc.trace && head -c 100 "$2" | grep -qa "$1"
}
claim "-o with .svg writes a picture" begins_with '<?xml' o.svg
claim "-o with .png writes a picture" begins_with PNG o.png
claim "-o with .svg.gz writes a picture" sh -c \
    'dmtrace graph -o o.svg.gz abc.trace && gzip -dc o.svg.gz | grep -q "<svg "'
claim "-o with another suffix writes the language of dot" \
    begins_with digraph .svg.dot
claim "-f overrides the suffix" sh -c \
    'dmtrace graph -f dot -o o.svg abc.trace && grep -q digraph o.svg'
dmtrace generate -q --events 3000 --methods 150 -o many.trace
# Their methods are more than 100; their edges take dot long, or do not.
claim "a large number of edges is reported before dot runs" sh -c \
    'PATH=$PWD/failing:$PATH "$0" graph -f svg -o o.svg many.trace 2>error
    grep -q "dot draws 116 methods with [4-9][0-9][0-9] edges, which" error' \
    "$dmtrace"
awk 'BEGIN { for (i = 1; i <= 144; i++) print "main;m" i " 1000" }' >flat.txt
dmtrace import -q --from-format collapsed -o flat.trace flat.txt
claim "many methods with few edges are drawn without a word" sh -c \
    '"$0" graph -f svg -o o.svg flat.trace 2>error && [ ! -s error ]' \
    "$dmtrace"
dmtrace generate -q --events 400000 --methods 5000 --threads 8 -o big.trace
claim "a trace of 5,000 methods is drawn" \
    dmtrace graph --threshold=20 -o big.dot big.trace
claim "only some of its methods are in the graph" sh -c \
    '[ "$(grep -c tooltip big.dot)" -lt 200 ] && dot -Tplain big.dot >plain'
finish
