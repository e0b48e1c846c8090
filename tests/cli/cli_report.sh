#!/bin/sh
# cli_report.sh - where the time of traces went

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

# key OPTION: methods p/A.a (id 4), p/A.b (8) and q/B.b (12)
key()
{
	printf '*version\n2\nclock=wall\n%b*threads\n1\tmain\n2\tother\n' "$1"
	printf '*methods\n0x4\tp/A\ta\t()V\n0x8\tp/A\tb\t()V\n'
	printf '0xc\tq/B\tb\t(I)V\n*end\n'
}

header()
{
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
}

# made OPTION RECORDS...: a trace of "thread word time" each
made()
{
	key "$1"
	shift
	header
	for record in "$@"; do
		record $record
	done
}

# A.a from 0 to 100 us, in it A.b from 10 to 40, in that A.a again from 20 to
# 30, then B.b from 50 to 70; thread 2: A.b from 5 to 25.
made '' '1 4 0' '2 8 5' '1 8 10' '1 4 20' '2 9 25' '1 5 30' '1 9 40' \
    '1 12 50' '1 13 70' '1 5 100' >one.trace
made '' '1 4 0' '1 5 60' >two.trace
made '' '1 4 0' '1 5 20' '1 4 20' '1 5 40' >three.trace
made 'data-file-overflow=true\nclock-call-overhead-nsec=1000\n' \
    '1 4 0' '1 8 10' >full.trace

# columns FIELDS OPTION...: those of TSV, without the names of columns
columns()
{
	fields=$1
	shift
	dmtrace report -q -f tsv "$@" | tail -n +2 | cut -f "$fields"
}

cat >text <<'ROWS'
one.trace: 100 us, 2 threads, 10 events; wall time, sum over 2 threads 120 us
without CPU time, waiting counts like work: see -t main (100 us)

 exclusive         inclusive           calls  recursive  method
   60.0 us  50.0 %    100 us  83.3 %       2          1  p.A.a
   40.0 us  33.3 %   50.0 us  41.7 %       2          0  p.A.b
   20.0 us  16.7 %   20.0 us  16.7 %       1          0  q.B.b
ROWS
claim "methods are sorted by exclusive time" \
    prints text dmtrace report one.trace
cat >signatures <<'ROWS'
   60.0 us  50.0 %    100 us  83.3 %       2          1  p.A.a()V
   40.0 us  33.3 %   50.0 us  41.7 %       2          0  p.A.b()V
   20.0 us  16.7 %   20.0 us  16.7 %       1          0  q.B.b(I)V
ROWS
claim "--signatures prints all signatures" prints signatures \
    sh -c 'dmtrace report --signatures one.trace | tail -n 3'

# Methods of one name, of Java, C++ and C
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\tA/J\tx\t()V\n0x8\tA/J\tx\t(I)V\n'
	printf '0xc\tns::C\tx\t(int)\n0x10\tns::C\tx\t() const\n'
	printf '0x14\t\tmain\t\n0x18\tC\tx\t(int) const\n'
	printf '0x1c\t[a.so]\tx\t()\n0x20\t[b.so]\tx\t()\n'
	printf '0x24\t[b.so]\ty\t(int)\n0x28\tnative\tz\t()V\n*end\n'
	header
	for id in 4 8 12 16 20 24 28 32 36 40; do
		record 1 $id $((id * 6))
		record 1 $((id + 1)) $((id * 6 + 23 - id / 2))
	done
} >alike.trace
cat >alike <<'ROWS'
A.J.x()V
A.J.x(I)V
ns::C::x(int)
ns::C::x() const
main
C::x
x() [a.so]
x() [b.so]
y
z
ROWS
alike()
{
	dmtrace report alike.trace | grep -v toplevel | tail -n +4 |
	    cut -c 47-
}
claim "names have the form of their language, with signatures if ambiguous" \
    prints alike alike
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\tZ\tm\t()\n*end\n'
	header
	record 1 4 0
	record 1 5 9
} >short.trace
claim "the signature () does not make a class one of C++" sh -c '
    dmtrace report short.trace | grep -q " Z\.m\$"'

# selected PATTERN: the ids of the methods that it selects
selected()
{
	dmtrace report -f tsv -m "$1" alike.trace |
	    awk -F '\t' '$1 == "method" { printf "%s ", $10 }'
}
while read -r pattern ids; do
	claim "-m $pattern selects the methods" \
	    test "$(selected "$pattern")" = "$ids "
done <<'ROWS'
A.J.x 0x4 0x8
ns::C::x 0xc 0x10
x 0x1c 0x20
x() 0x1c 0x20
y(int) 0x24
/^z$/ 0x28
ROWS
claim "-m selects a function by name and file" \
    test "$(selected 'x() [b.so]')" = '0x20 '
claim "-m selects all functions of a file" \
    test "$(selected '* [b.so]')" = '0x20 0x24 '

# Rows 4 and 8 are one method: the exit of 4 ends its call and that of 8.
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\tA\tx\t()V\n0x8\tA\tx\t()V\n0xc\tA\ty\t()V\n*end\n'
	header
	record 1 4 0
	record 1 8 10
	record 1 5 20
	record 1 12 100
	printf '\1\0\15\0\0\0\350\3\0\0'
} >rows.trace
cat >rows <<'ROWS'
rows.trace: 1.00 ms, 1 thread, 5 events; wall time 1.00 ms

 exclusive         inclusive           calls  recursive  method
    900 us  90.0 %    900 us  90.0 %       1          0  A.y
   80.0 us   8.0 %   1.00 ms 100.0 %       0          0  (toplevel)
   20.0 us   2.0 %   20.0 us   2.0 %       2          1  A.x
ROWS
claim "an exit ends the call of its own id" \
    prints rows dmtrace report rows.trace

{
	key ''
	header
	long_records
	long_records
} >long.trace
claim "times above 64 bits are refused" \
    says "times add up to more than 2^63 ns (292 years)" \
    dmtrace report long.trace
rm long.trace

cat >families <<'ROWS'
one.trace: 100 us, 2 threads, 10 events; wall time, sum over 2 threads 120 us
without CPU time, waiting counts like work: see -t main (100 us)

 exclusive         inclusive           calls  recursive  method
                      100 us 100.0 %       1             < (toplevel)
                   (10.0 us)               1             < p.A.b
   60.0 us  50.0 %    100 us  83.3 %       2          1  p.A.a
                     30.0 us  30.0 %       1             > p.A.b
                     20.0 us  20.0 %       1             > q.B.b

                     30.0 us  60.0 %       1             < p.A.a
                     20.0 us  40.0 %       1             < (toplevel)
   40.0 us  33.3 %   50.0 us  41.7 %       2          0  p.A.b
                     10.0 us  20.0 %       1             > p.A.a

                     20.0 us 100.0 %       1             < p.A.a
   20.0 us  16.7 %   20.0 us  16.7 %       1          0  q.B.b

       0 s   0.0 %    120 us 100.0 %       0          0  (toplevel)
                      100 us  83.3 %       1             > p.A.a
                     20.0 us  16.7 %       1             > p.A.b

ROWS
claim "--callers and --callees print them around each method" \
    prints families dmtrace report --callers --callees one.trace
rest_of_edges()
{
	dmtrace report --callers --callees --top=1 one.trace |
	    sed -n -e 's/^ *\([0-9]* more\)/\1/p'
}
cat >edges <<'ROWS'
1 more caller (--top=all)
1 more callee (--top=all)
2 more methods (--top=all)
ROWS
claim "rows that are left out are counted" prints edges rest_of_edges

# Forty methods: twenty for 2 us each, then twenty for 4.
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n*end\n'
	header
	at=0
	for n in $(seq 40); do
		record 1 $((n * 4)) $at
		at=$((at + 2 + (n > 20) * 2))
		record 1 $((n * 4 + 1)) $at
	done
} >many.trace
many_rows()
{
	dmtrace report "$@" many.trace | tail -n +4 >rows
	wc -l <rows | tr -d ' '
	tail -n 1 rows
}
printf '%s\n' 31 '10 more methods (--top=all)' >many
claim "text has thirty rows by default" prints many many_rows
printf '%s\n' 40 '   2.00 us   1.7 %   2.00 us   1.7 %       1  0xc' >many
claim "--top=all prints all rows of text" prints many many_rows --top=all
printf '%s\n' 21 '20 more methods (--threshold=0)' >many
claim "--threshold accepts a fraction" prints many many_rows --threshold=2.5
printf '%s\n' 4 '37 more methods (--top=all --threshold=0)' >many
claim "--top and --threshold both leave out rows" \
    prints many many_rows --threshold=2.5 --top=3
all_rows()
{
	dmtrace report -f tsv many.trace | wc -l | tr -d ' '
}
echo 42 >many
claim "other forms have all rows by default" prints many all_rows

# A pipe has no width.
if have script && script -qec true /dev/null </dev/null >script.log 2>&1; then
	{
		printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
		printf '0x4\tcom/example/application/Long\tname\t()V\n*end\n'
		header
		record 1 4 0
		record 1 5 10
	} >wide.trace
	on_terminal()
	{
		COLUMNS=$1 script -qec 'dmtrace report wide.trace' /dev/null \
		    </dev/null | tr -d '\r' | tail -n 1
	}
	cat >cut <<'ROWS'
   10.0 us 100.0 %   10.0 us 100.0 %       1  ...ple.application.Long.name
ROWS
	claim "names are shortened to the width of a terminal" \
	    prints cut on_terminal 74
	sed 's/[.]*ple/com.example/' cut >whole
	claim "names are complete if the terminal is wide enough" \
	    prints whole on_terminal 100
	claim "names are complete in a pipe" prints whole \
	    sh -c 'dmtrace report wide.trace | tail -n 1'

	# What a terminal of COLUMNS prints from the heading on.
	table_on()
	{
		width=$1
		shift
		COLUMNS=$width script -qec "dmtrace report $* wide.trace" \
		    /dev/null </dev/null | tr -d '\r' |
		    sed '1,/^$/d; /toplevel/d'
	}
	cat >calls <<'ROWS'
 exclusive inclusive   calls    median       max  method
   10.0 us   10.0 us       1   10.0 us   10.0 us  ...ample.application.Long.name
ROWS
	dmtrace generate -q --shape=app -o tree.trace
	narrow_tree()
	{
		COLUMNS=80 script -qec "dmtrace report --threshold=0.1 \
		    --tree -t main tree.trace" /dev/null </dev/null |
		    tr -d '\r' | sed '1,/^$/d' >shown
		[ "$(grep -c '[0-9])$' shown)" -gt 0 ] &&
		    ! sed 's/›/>/g; s/…/./g' shown | grep '.\{81\}'
	}
	claim "the number of a chain is shown at 80 columns" narrow_tree
	claim "and so are both names" grep -Eq \
	    '[a-z]{3}[.a-zA-Z<>]* › (… › )?[^ ]*[a-z]{3}[^ ]* \([0-9]+\)$' \
	    shown
	claim "in every chain" sh -c '
	    ! grep "^[^›]*[.…] *›\|› *[.…]* ([0-9]*)$" shown'
	claim "--durations shows the statistics that fit the terminal" \
	    prints calls table_on 80 --durations
	cat >names <<'ROWS'
 exclusive inclusive calls min median 90 % 99 % max mean deviation method
ROWS
	all_calls()
	{
		table_on 140 --durations | head -n 1 | tr -s ' '
	}
	claim "shares are shown last" prints names all_calls
	cat >runs <<'ROWS'
                     exclusive inclusive   calls
       min    median       max    median  median runs  method
   10.0 us   10.0 us   10.0 us   10.0 us       1    1  ...ication.Long.name
ROWS
	claim "--merge-runs shows the range of the figure to sort by" \
	    prints runs table_on 74 --merge-runs
	cat >runs_by <<'ROWS'
 exclusive                     inclusive   calls
    median       min    median       max  median runs  method
   10.0 us   10.0 us   10.0 us   10.0 us       1    1  ...ication.Long.name
ROWS
	claim "--sort chooses the figure" prints runs_by \
	    table_on 74 --merge-runs --sort=inclusive
else
	skip "names are shortened to the width of a terminal" "no script here"
fi

cat >paths <<'ROWS'
node,0,120000,0,(toplevel)
node,1,100000,50000,a
node,2,30000,20000,b
node,3,10000,10000,a
node,2,20000,20000,b
node,1,20000,20000,b
ROWS
tree()
{
	columns 1,6,14,16,8 --tree one.trace | awk -F '\t' '
	NR > 4 || /^node/ { print $1 "," $2 "," $4 "," $5 "," $3 }'
}
claim "the tree has each path" prints paths tree

# tables OPTION...: the kinds of lines, each once, as text and as cells
tables()
{
	columns 1 "$@" one.trace | sort -u | tr '\n' ' '
	dmtrace report "$@" one.trace |
	    awk '/^ +exclusive/ { printf "%s ", $NF }'
	echo
}
for case in '--tree:node path' \
    '--tree --callers:caller caller-recursive method node top method path' \
    '--tree --durations:method node top method path' \
    '--bottom-up --durations:method top up method it'; do
	echo "${case#*:} " >kinds
	claim "${case%:*} has ${case#*:}" prints kinds tables ${case%:*}
done

cat >all-ups <<'ROWS'
1 60 p/A a
2 50  (toplevel)
2 10 p/A b
3 10 p/A a
4 10  (toplevel)
1 40 p/A b
2 20  (toplevel)
2 20 p/A a
3 20  (toplevel)
1 20 q/B b
2 20 p/A a
3 20  (toplevel)
1 0  (toplevel)
ROWS
all_ups()
{
	columns 1,6,7,8,16 --bottom-up one.trace | awk -F '\t' '
	/^up/ { print $2, $5 / 1000, $3, $4 }'
}
claim "--bottom-up prints the callers below each method" prints all-ups all_ups

# b once for 10 us, then a twice, for 7.
made '' '1 8 0' '1 9 10' '1 4 10' '1 5 15' '1 4 20' '1 5 22' >pair.trace
branches()
{
	columns 1,6,8 "$1" --sort="$2" pair.trace |
	    awk -F '\t' '/^(node|up)/ && $3 ~ /^[ab]$/ { printf "%s", $3 }'
}
for case in '--tree inclusive ba' '--tree exclusive ba' '--tree calls ab' \
    '--tree per-call ba' '--tree name ab' '--bottom-up inclusive ba' \
    '--bottom-up exclusive ba' '--bottom-up calls ab' \
    '--bottom-up per-call ba' '--bottom-up name ab'; do
	printf %s "${case##* }" >order
	claim "${case% *} is the order of ${case##* }" \
	    prints order branches ${case% *}
done
# a, which calls itself twice, then b twice: as calls of the top, b has more.
made '' '1 4 0' '1 4 1' '1 4 2' '1 5 3' '1 5 4' '1 5 5' '1 8 6' '1 9 7' \
    '1 8 8' '1 9 9' >deep.trace
top_calls()
{
	columns 1,6,8 --tree --sort=calls deep.trace |
	    awk -F '\t' '/^node/ && $2 == 1 { print $3 }'
}
printf '%s\n' b a >order
claim "a node of the tree has no calls but its own" prints order top_calls
# a calls b, which calls c, which calls a twice, and b.
made '' '1 4 0' '1 8 1' '1 12 3' '1 4 6' '1 5 8' '1 4 9' '1 5 10' '1 8 11' \
    '1 9 12' '1 13 20' '1 9 21' '1 5 22' >chain.trace
tree_text()
{
	dmtrace report --tree "$@" chain.trace | sed '1,/exclusive/d'
}
tree_text >folded
tree_text --unfold >unfolded
claim "--tree folds a chain of calls" \
    eval 'grep -q " › … › .* (3 calls deep)$" folded'
claim "the line of a chain has its exclusive and inclusive time" \
    eval 'grep -Eq "^ *18.*22.* 1   .*3 calls deep" folded'
claim "a chain ends where a method calls two" \
    eval '[ "$(wc -l <folded)" -eq 4 ]'
claim "--unfold prints each call of a chain" \
    eval '[ "$(wc -l <unfolded)" -eq 6 ] && ! grep -q deep unfolded'
claim "--unfold needs --tree" exits 2 dmtrace report --unfold chain.trace

claim "off-CPU time needs two clocks" \
    exits 2 dmtrace report --sort=off-cpu pair.trace

# A sum for each way up from each node of the tree, and what the lines tell.
ways_up()
{
	dmtrace report -q -f tsv "$@" random.trace | awk -F '\t' '
	$1 == "node" {
		above[$4] = $5
		name[$4] = $10 " " $8
		for (at = $4; at != ""; at = above[at]) {
			way = at == $4 ? name[at] : way " < " name[at]
			calls[way] += $11
			cpu[way] += $15
			wall[way] += $16
		}
	}
	$1 == "up" {
		way = $5 == "" ? "" : ways[$5] " < "
		ways[$4] = way = way $10 " " $8
		calls[way] += $11
		cpu[way] += $15
		wall[way] += $16
	}
	END {
		for (way in calls)
			print calls[way], cpu[way] + 0, wall[way] + 0, way
	}' | sort
}
dmtrace generate -q --events 1200 --methods 8 --clock dual -o random.trace
claim "lines of --bottom-up are sums over the tree" \
    eval 'ways_up --tree >ways && prints ways ways_up --bottom-up'
recursive_ways()
{
	grep -c ' \(.*\) < .* \1 ' ways >number &&
	    [ "$(wc -l <ways)" -gt 1000 ] && [ "$(cat number)" -gt 500 ]
}
claim "--bottom-up sums thousands of paths with recursive calls" recursive_ways

# A method that calls itself 30,000 times, which a loop over the callers of each
# would take minutes for.
deep_records()
{
	awk 'BEGIN {
		for (i = 0; i < 60000; i++)
			printf "\\001\\000\\%03o\\000\\000\\000" \
			    "\\%03o\\%03o\\000\\000", i < 30000 ? 4 : 5,
			    i % 256, i / 256
	}'
}
deep_ups()
{
	[ "$SANITIZED" = yes ] || ulimit -v 300000
	dmtrace report -q -f tsv --bottom-up deep.trace | grep -c '^up'
}
{ key ''; header; printf "$(deep_records)"; } >deep.trace
# The method and its 29,999 callers, the top below each, and the top itself.
echo 60001 >deep
claim "a deep recursion from below takes little time and memory" \
    prints deep deep_ups
deep_text()
{
	dmtrace report -q --bottom-up --threshold=0 deep.trace >deep.text ||
	    return 1
	wc -l <deep.text | tr -d ' '
	tail -n 1 deep.text
}
printf '1004\n59,001 more branches (-f tsv)\n' >bounded
claim "text limits --bottom-up and counts the rest" \
    prints bounded deep_text

by()
{
	columns 7,8,11,12,14,16 --by="$1" one.trace | tr '\t' ,
}
printf '%s\n' ',(toplevel),0,0,120000,0' 'p/A,,2,2,120000,100000' \
    'q/B,,1,0,20000,20000' >classes
claim "calls within a class are recursive" prints classes by class
printf '%s\n' ',(toplevel),0,0,120000,0' ',a,1,1,100000,60000' \
    ',b,3,0,70000,60000' >names
claim "--by=name adds methods of one name" prints names by name
ids_by_package()
{
	columns 10 --by=package one.trace
}
printf '\n\n\n' >no-ids
printf '%s\n' ',(toplevel),0,0,120000,0' 'p,,2,2,120000,100000' \
    'q,,1,0,20000,20000' >packages
claim "--by=package adds classes of one package" prints packages by package
claim "packages have no id" prints no-ids ids_by_package
printf '%s\n' '1 4 0' '1 5 9' '1 8 10' '1 9 15' '1 12 15' '1 13 20' |
    write_trace java.trace 2 wall
LC_ALL=C sed -e 's,^0x4	A,0x4	[libc.so.6],' \
    -e 's,^0x8	A,0x8	[a/b.c],' -e 's,^0xc	A,0xc	p/q.x/A,' \
    java.trace >c.trace
packages_of_c()
{
	dmtrace report -f tsv --by=package c.trace | sed -n 's/^method//p' |
	    cut -f 7
}
printf '%s\n' '[libc.so.6]' '[a/b.c]' p/q.x >packages
claim "--by=package: the file of C functions is their package" \
    prints packages packages_of_c
printf '%s\n' 'main 100000 100000 4' 'other 20000 20000 1' >threads
by_thread()
{
	columns 3,14,16,11 --by=thread "$@" one.trace | awk -F '\t' '
	{ print $1, $3, $4, $2 }'
}
claim "--by=thread shows times of threads" prints threads by_thread
head -n 1 threads >longer
claim "--threshold leaves out threads" prints longer by_thread \
    --threshold=20
says_one_thread()
{
	test "$(dmtrace report --by=thread --threshold=20 one.trace |
	    tail -n +4 | grep -vc more)" -eq 1
}
claim "--threshold leaves out threads in text" says_one_thread

sorted()
{
	columns 7,8 --sort="$1" --top=1 one.trace | tr '\t' .
}
for case in 'inclusive .(toplevel)' 'exclusive p/A.a' 'calls p/A.a' \
    'per-call p/A.a' 'name .(toplevel)'; do
	echo "${case#* }" >first
	claim "${case#* } is the first by ${case%% *}" \
	    prints first sorted "${case%% *}"
done

per_thread()
{
	columns 2,3,8,14 --per-thread --top=2 one.trace | tr '\t' ' '
}
printf '%s\n' '1 main (toplevel) 100000' '1 main a 100000' \
    '2 other (toplevel) 20000' '2 other b 20000' >apart
claim "each thread has a table" prints apart per_thread

added()
{
	columns 8,11,12,14 one.trace two.trace three.trace | tr '\t' ' '
}
printf '%s\n' '(toplevel) 0 0 220000' 'a 4 1 200000' 'b 2 0 50000' \
    'b 1 0 20000' >sum
claim "several traces are added" prints sum added

# Dalvik writes classes with slashes, ART with dots.
dmtrace generate -q -d v2 --events=400 --methods=6 -o slashes.trace
LC_ALL=C sed -e '/^\*methods/,/^\*end/!b' -e ':next' \
    -e 's,^\(0x[^	]*	[^	/]*\)/,\1.,' -e 't next' slashes.trace \
    >dots.trace
dmtrace report -q -f tsv --callers slashes.trace slashes.trace >slashes.tsv
dmtrace report -q -f tsv --callers slashes.trace dots.trace >dots.tsv
claim "dots and slashes in classes are the same" cmp slashes.tsv dots.tsv
for options in --merge-runs --by=class --by=package; do
	dmtrace report -q -f tsv $options slashes.trace slashes.trace \
	    >slashes.tsv
	dmtrace report -q -f tsv $options slashes.trace dots.trace >dots.tsv
	claim "with $options, too" cmp slashes.tsv dots.tsv
done
dmtrace flame -q --diff=slashes.trace -o slashes.svg slashes.trace
dmtrace flame -q --diff=dots.trace -o dots.svg slashes.trace
claim "and in a flame graph of differences" cmp slashes.svg dots.svg

# Method 0, which calls an id that no key has.
made '' '1 0 0' '1 32 20' '1 33 30' '1 1 60' >zero.trace
LC_ALL=C sed 's/^0x4	/0x0	/' zero.trace >zeroth.trace
ids()
{
	columns 1,8,10 --callees --callers --tree zeroth.trace | tr '\t' ,
}
cat >zeroth <<'ROWS'
top,(toplevel),
callee,a,0x0
method,a,0x0
caller,(toplevel),
callee,0x20,0x20
method,0x20,0x20
caller,a,0x0
node,(toplevel),
node,a,0x0
node,0x20,0x20
ROWS
claim "0 is an ordinary id" prints zeroth ids

twice()
{
	columns 1,8,11,14 --callers one.trace one.trace | tr '\t' ' '
}
printf '%s\n' 'top (toplevel) 0 240000' 'method a 2 200000' \
    'caller (toplevel) 2 200000' 'caller-recursive b 2 20000' \
    'method b 4 100000' 'caller a 2 60000' 'caller (toplevel) 2 40000' \
    'method b 2 40000' 'caller a 2 40000' >doubled
claim "edges to callers are added over traces" prints doubled twice

runs()
{
	dmtrace report -q -f tsv --merge-runs one.trace two.trace \
	    three.trace | cut -f 2,4-10 | tr '\t' ' ' | tail -n +2
}
cat >merged <<'ROWS'
(toplevel) 3 0 0 0 40000 60000 120000
a 3 1 2 2 40000 60000 100000
b 1 0 0 2 0 0 50000
b 1 0 0 1 0 0 20000
ROWS
claim "--merge-runs shows minimum, median and maximum" prints merged runs

# A class of no name, and an id that no key has.
LC_ALL=C sed 's|^0x4	p/A|0x0	|' zero.trace >nameless.trace
unlisted_runs()
{
	dmtrace report -q -f tsv --merge-runs --by=class nameless.trace |
	    cut -f 1-4,8 | tr '\t' , | tail -n +2
}
printf '%s\n' ',,,1,60000' ',(toplevel),,1,60000' ',(unknown),,1,10000' \
    >unlisted-runs
whole()
{
	dmtrace report "$1" >first
	dmtrace report -m '*' "$1" >second
	cmp first second
}
claim "with -m '*' unlisted methods are there" whole nameless.trace
claim "with --merge-runs unlisted methods are (unknown)" \
    prints unlisted-runs unlisted_runs

# A method that is called as the time outside of methods is.
row=$(printf '0x4\t\t(toplevel)')
LC_ALL=C sed "s/^0x4.*/$row/" two.trace >top.trace
top_runs()
{
	dmtrace report -q -f tsv --merge-runs top.trace top.trace |
	    cut -f 2,4-6,8 | tr '\t' , | tail -n +2
}
printf '(toplevel),2,%s,60000\n' 0,0 1,1 >top-runs
claim "a method named (toplevel) is not the top with --merge-runs" \
    prints top-runs top_runs

# A thread that only one of them has.
LC_ALL=C sed 's/^2	.*/2	Render/' one.trace >render.trace
chosen()
{
	columns 2,3,14 --by=thread -t Render "$@" | tr '\t' ,
}
printf '2,Render,20000\n' >render
claim "a thread may be in one of several traces only" \
    prints render chosen render.trace one.trace
claim "the order of traces does not matter" \
    prints render chosen one.trace render.trace
claim "a thread id that no record has exits with 2" \
    says 'one.trace: no such thread: "9"' \
    sh -c 'dmtrace report -t 9 one.trace >none'
claim "the unknown id has no table" test ! -s none
claim "a thread that no trace has is refused" \
    says 'no such thread: "Rendr" (did you mean Render?)' \
    dmtrace report -t Rendr one.trace render.trace

calls()
{
	columns 8,18,19,20,21 --durations one.trace | tr '\t' ' '
}
printf '%s\n' '(toplevel)    ' 'a 10000 55000 100000 45000' \
    'b 20000 25000 30000 5000' 'b 20000 20000 20000 0' >statistics
claim "--durations shows minimum, mean and maximum" prints statistics calls
calls_for_people()
{
	dmtrace report --durations one.trace | sed -n 's/ *p[.]A[.]a$//p' |
	    cut -c 58- | tr -s ' '
}
echo ' 10.0 us 10.0 us 100 us 100 us 100 us 55.0 us 45.0 us' >for-people
claim "--durations shows them in text" prints for-people calls_for_people

# Two calls of b, 3 and 0 us, and then time is set back by 4 us in a third.
made '' '1 8 0' '1 9 3' '1 8 3' '1 9 3' '1 8 7' '1 9 3' >back.trace
mean()
{
	columns 19 --durations back.trace
}
printf '\n-333\n' >mean
claim "a mean below 0 is rounded like others" prints mean mean

# says TEXT COMMAND...: it is on standard output or standard error
says()
{
	text=$1
	shift
	"$@" >said 2>&1
	has "$text" said
}

claim "text says that times of a full buffer are lower bounds" \
    says 'lower bounds' dmtrace report full.trace
bounded()
{
	dmtrace report -f jsonl --top=1 full.trace |
	    grep -c '"lower_bounds":true'
}
echo 1 >bounds
claim "JSON says that times are lower bounds" prints bounds bounded
bounded_runs()
{
	dmtrace report -f jsonl --merge-runs --top=1 two.trace full.trace |
	    grep -c '"lower_bounds":true'
}
claim "JSON of --merge-runs says that times are lower bounds" \
    prints bounds bounded_runs
compensated()
{
	columns 8,14 --compensate full.trace | tr '\t' ' '
}
printf '%s\n' '(toplevel) 9000' 'a 9000' 'b 0' >less
claim "--compensate subtracts the cost of reading the clock" \
    prints less compensated
claim "--compensate reports how much was subtracted" \
    says 'subtracted for reading clocks: 1.00 us' \
    dmtrace report --compensate full.trace

selected()
{
	columns 8,11,14,16 "$@" one.trace | tr '\t' ' '
}
printf '%s\n' '(toplevel) 0 20000 0' 'b 1 20000 20000' >other
claim "-t selects a thread" prints other selected -t other
printf '%s\n' '(toplevel) 0 50000 0' 'b 2 50000 50000' >bees
claim "-m selects methods, and others are not counted" \
    prints bees selected -m '*A.b'
printf '%s\n' '(toplevel) 0 40000 0' 'a 1 40000 20000' \
    'b 1 20000 20000' >window
claim "--from and --to select a window" \
    prints window selected --from=45us --to=85us \
    -t main
# refuses TEXT OPERAND...: exit status 1, and one line on standard error
refuses()
{
	text=$1
	shift
	exits 1 dmtrace report "$@" 2>error >printed && one_line "$text" error
}
claim "a pattern that matches nothing exits with 1" \
    refuses 'one.trace: nothing is'\
' selected: no method matches "nowhere.*"; the window is from 0 s to the end;'\
' the trace has times from 0 s to 100 us' -m 'nowhere.*' one.trace
nothing='one.trace: nothing is selected: the window is from 1 s to 2 s; the'
for way in --tree --merge-runs --by=thread --dmtracedump \
    --traceview; do
	claim "a window outside of the trace exits with 1, $way" \
	    refuses "$nothing" "$way" --from=1s --to=2s one.trace
done
claim "a window outside of the trace exits with 1 with -q" \
    refuses "$nothing" -q --from=1s --to=2s one.trace
claim "a window outside of one of two traces exits with 1" refuses \
    'full.trace: nothing is selected: the window is from 95 us to' \
    --from=95us one.trace full.trace
claim "an unknown name exits with 2" \
    exits 2 dmtrace report -t mian one.trace
claim "a similar name is suggested" \
    says 'mean main' dmtrace report -t mian one.trace

piped()
{
	dmtrace report - <one.trace | cat
}
# longer_name: the same of standard input, whose first line is too long then
longer_name()
{
	sed 's/^one.trace:\(.*\); /standard input:\1;\
    /'
}
longer_name <text >named
claim "standard input is read" prints named piped
from_pipe()
{
	cat one.trace | dmtrace report --from=1us -
}
dmtrace report --from=1us one.trace | longer_name >from
claim "a window of a pipe is that of a file" prints from from_pipe
claim "a window of standard input is that of a file" \
    prints from dmtrace report --from=1us - <one.trace

# A.a from 0 to 10 us and from 40 to 50; in between, A.b from 10 to 20, and at
# 30 an end of A.a, which so was around the first two. Thread 2: A.b, likewise.
made '' '1 4 0' '1 5 10' '1 8 10' '2 8 10' '1 9 20' '2 9 20' '1 5 30' \
    '1 4 40' '2 9 45' '1 5 50' >late.trace
late()
{
	columns 8,11,12,14,16 "$@" | tr '\t' ' '
}
printf '%s\n' '(toplevel) 0 0 85000 10000' 'b 2 1 45000 45000' \
    'a 2 1 40000 30000' >late
claim "calls inside one that is only known by its exit are recursive" \
    prints late late late.trace
late_from_pipe()
{
	cat late.trace | late -
}
claim "such calls are recursive from a pipe" prints late late_from_pipe
printf '%s\n' '(toplevel) 0 0 170000 20000' 'b 4 2 90000 90000' \
    'a 4 2 80000 60000' >twice
claim "such calls are recursive in each of two files" \
    prints twice late late.trace late.trace
printf '%s\n' '(toplevel) 0 0 50000 10000' 'a 2 1 40000 30000' \
    'b 1 0 10000 10000' >late-main
claim "such calls are recursive in a thread" \
    prints late-main late -t main late.trace
printf '%s\n' '(toplevel) 0 0 25000 0' 'a 1 1 25000 15000' \
    'b 1 0 10000 10000' >late-window
claim "such calls are recursive in a window" \
    prints late-window late --from=5us --to=35us \
    -t main late.trace
callers()
{
	columns 1,8,11,14 --callers --callees late.trace | tr '\t' ' ' |
	    grep '^c'
}
cat >late-callers <<'ROWS'
callee a 2 40000
callee b 1 35000
caller (toplevel) 1 35000
caller a 1 10000
caller-recursive b 1 10000
callee b 1 10000
caller (toplevel) 2 40000
caller-recursive a 1 10000
callee a 1 10000
callee b 1 10000
ROWS
claim "such calls have callers and callees" \
    prints late-callers callers

claim "every prefix ends in a status" \
    every_prefix one.trace dmtrace report --callers --tree --durations

goes_on()
{
	dmtrace report missing.trace two.trace >went.on
}
claim "a missing trace exits with 2" exits 2 goes_on
claim "other traces are reported" has 'p.A.a' went.on
dmtrace report two.trace >rows
claim "the missing trace has a message only" cmp rows went.on
{
	echo 'unreadable  missing.trace: cannot open missing.trace:' \
	    'No such file or directory'
	cat rows
} >named.rows
claim "a report to a file is written" exits 2 dmtrace report -o named \
    missing.trace two.trace
claim "in the file the missing trace has a row" cmp named.rows named
claim "a missing trace alone has its row" exits 2 \
    dmtrace report -o named missing.trace
head -n 1 named.rows >row
claim "alone" cmp row named
printf 'x\377\n' >text.trace
claim "a row says why it is no trace" exits 2 dmtrace report -o row text.trace
claim "with bytes escaped once" has 'begins with "x\xff\n"; a trace' row
why='cannot open missing.trace: No such file or directory'
while read -r form lines options; do
	claim "the row in $form $options has the reason" sh -c '
		dmtrace report -f $3 missing.trace |
		    awk -v FS="[,\t]" -v lines="$2" "
			NF > fields { fields = NF }
			END { exit NR != lines || fields != NF }" &&
		dmtrace report -f $3 -o named one.trace missing.trace
		[ $? -eq 2 ] && grep "$1" named | grep -qF "$4"' \
	    sh "$why" "$lines" "$form $options" missing.trace
done <<'ROWS'
jsonl 1 --callers
tsv 2 --durations
csv 2 --tree
tsv 2 --by=thread
jsonl 1 --merge-runs
csv 2 --merge-runs
ROWS
claim "a page lists unreadable traces" exits 2 \
    dmtrace report -f html -o named one.trace 'a<b'
claim "the list is below the title" has \
    '"note":"unreadable: a\u003cb: cannot open a\u003cb: No such' named
echo old >named
for options in '-f html' --dmtracedump; do
	claim "$options cannot report an unreadable trace alone" exits 2 \
	    dmtrace report $options -o named missing.trace
	claim "$options keeps the old file then" has old named
done
claim "the file of -o is complete" dmtrace report -o named one.trace
claim "the file has the same bytes as standard output" prints text cat named
claim "an output that is the input is refused" \
    exits 2 dmtrace report -o one.trace one.trace

printf '*version\n2\nclock=thread-cpu\n*threads\n1\tm\n*methods\n*end\n' >cpu
header >>cpu
record 1 4 0 >>cpu
record 1 5 9 >>cpu
claim "traces without a common clock exit with 2" \
    exits 2 dmtrace report cpu two.trace
claim "a clock that the traces lack exits with 2" \
    exits 2 dmtrace report --clock=wall cpu

# 10 us of CPU time in 100 of wall time.
printf '*version\n3\nclock=dual\n*threads\n1\tm\n*methods\n*end\n' >both
printf 'SLOW\3\0\40\0\0\0\0\0\0\0\0\0\16\0\0\0\0\0\0\0\0\0' >>both
printf '\0\0\0\0\0\0\1\0\4\0\0\0\0\0\0\0\0\0\0\0' >>both
printf '\1\0\5\0\0\0\12\0\0\0\144\0\0\0' >>both
longest()
{
	columns 20 --durations "$@" | tail -n 1
}
echo 10000 >ten
claim "--durations of traces with different clocks is refused" \
    says 'ask for --clock=cpu' dmtrace report --durations both cpu
claim "the refusal exits with 2" exits 2 dmtrace report --durations both cpu
claim "--clock chooses a common clock" prints ten longest --clock=cpu both cpu
claim "--durations uses the only clock of the first trace" \
    prints ten longest cpu both
claim "methods that are not listed have their ids" \
    says '  0x4' dmtrace report cpu

for options in '--by=thread --tree' '--merge-runs --callers' \
    '--merge-runs --sort=off-cpu' \
    '--dmtracedump --tree' '--dmtracedump --traceview' \
    '--traceview --by=class' '--traceview --top=3' '--top=x' \
    '--by=nothing'; do
	claim "$options is a usage error" \
	    exits 2 dmtrace report $options one.trace
done
claim "a missing operand is a usage error" exits 2 dmtrace report
claim "two traces are refused for an old report" \
    exits 2 dmtrace report --dmtracedump one.trace two.trace

printf '\t(unknown)\t\n\t(toplevel)\t\n' >unknown
claim "classes of unlisted methods are (unknown)" \
    prints unknown columns 7,8,10 --by=class cpu

same_by_dump()
{
	dmtrace generate -q --events 20000 --threads 20 -o big.trace &&
	    dmtrace report -f csv --callers --callees --tree big.trace \
	    >first.csv &&
	    dmtrace report -f csv --callers --callees --tree big.trace \
	    >second.csv && cmp first.csv second.csv
}
claim "the same trace gives the same bytes" same_by_dump
if [ -e /dev/full ]; then
	full_disk()
	{
		dmtrace report big.trace >/dev/full
	}
	claim "a full disk exits with 2" exits 2 full_disk
fi
quits()
{
	dmtrace report --tree big.trace | head -n 1
}
claim "a reader that closes the pipe is no failure" quits
dmtrace generate -q --shape=app -o app.trace
tab=$(printf '\t')
slowest_agree()
{
	dmtrace report --slowest=20 -f tsv "$@" app.trace |
	    cut -f 2-15 | sed 1d >slow
	dmtrace dump --calls -f tsv "$@" app.trace | sed 1d |
	    sort -t "$tab" -k 4,4nr -k 3,3n -k 1,1n -k 8,8n |
	    head -n 20 >calls
	[ "$(wc -l <slow)" -eq 20 ] && cmp slow calls
}
claim "--slowest are the longest calls of dump" slowest_agree
claim "--slowest selects as other reports" slowest_agree -t main -m '*.on*'
claim "calls that a window cuts are the same in both" \
    slowest_agree --from=50ms --to=60ms
claim "and they are marked" sh -c '[ "$(cut -f 6 slow | grep -c true)" -gt 3 ]'
dmtrace filter -q --raw --to=60ms -o early.trace app.trace
early_agree()
{
	cp app.trace whole.trace && cp early.trace app.trace &&
	    slowest_agree "$@"
	agrees=$?
	mv whole.trace app.trace
	return $agrees
}
claim "so are calls without an exit" early_agree
claim "and they are marked, without a whole duration" sh -c '
    [ "$(cut -f 6,7 slow | grep -c "true.$")" -gt 3 ]'
slowest_begin()
{
	dmtrace report --slowest=20 --clock=cpu -f tsv app.trace | sed 1d |
	    cut -f 2,4,9,12 | sort >slow
	dmtrace dump --calls -f tsv app.trace | cut -f 1,3,8,11 | sort >calls
	[ "$(wc -l <slow)" -eq 20 ] && [ -z "$(comm -23 slow calls)" ]
}
claim "--slowest begin at wall times, whatever the clock" slowest_begin
claim "--slowest is 10 alone" sh -c '
    [ "$(dmtrace report --slowest app.trace | wc -l)" -eq 11 ]'
claim "--sort=exclusive orders by exclusive time" sh -c '
    dmtrace report --slowest=9 --sort=exclusive -f tsv app.trace | sed 1d |
    cut -f 6 | sort -nrc'
for options in --tree --top=3 --by=class --per-thread --sort=calls; do
	claim "--slowest refuses $options" exits 2 dmtrace report --slowest \
	    $options app.trace
done
found_unchanged()
{
	dmtrace report -f tsv app.trace |
	    grep "${tab}org/quillfen/loop/" >of_all
	dmtrace report -f tsv --find 'org.quillfen.loop.*' app.trace | sed 1d |
	    cmp - of_all && [ -s of_all ]
}
claim "--find shows rows with the times of the whole" found_unchanged
claim "--find takes regular expressions and !" sh -c '
    [ "$(dmtrace report --find "/Loop[.]/" --find "!*.run" app.trace |
    grep -c MessageLoop.deliver)" -eq 1 ] &&
    ! dmtrace report --find "/Loop[.]/" --find "!*.run" app.trace |
    grep MessageLoop.run'
claim "--find that finds nothing exits with 1" \
    exits 1 dmtrace report --find nosuch app.trace
for group in class package name thread; do
	claim "--find is about the rows of --by=$group" sh -c '
	    dmtrace report -f tsv --by="$1" app.trace >all
	    dmtrace report -f tsv --by="$1" --find="$2" app.trace >found
	    [ "$(wc -l <found)" -eq 2 ] && [ "$(wc -l <all)" -gt 3 ] &&
	    [ "$(sort all found | uniq -d | wc -l)" -eq 2 ]' sh $group \
	    "$(case $group in
	    class) echo 'org.quillfen.loop.MessageLoop' ;;
	    package) echo '/^org[.]quillfen[.]loop$/' ;;
	    name) echo deliver ;;
	    thread) echo 'pool*' ;;
	    esac)"
done
claim "--find shows the paths to the methods in a tree" sh -c '
    dmtrace report -f tsv --tree app.trace | cut -f 1-18 >all
    dmtrace report -f tsv --tree --find="*.deliver" app.trace |
    cut -f 1-18 >found
    [ "$(grep -c "${1}deliver$1" found)" -gt 0 ] &&
    [ "$(grep -c "${1}deliver$1" found)" -eq \
    "$(grep -c "${1}deliver$1" all)" ] &&
    [ "$(wc -l <found)" -lt "$(wc -l <all)" ] &&
    [ "$(sort all found | uniq -d | wc -l)" -eq "$(wc -l <found)" ] &&
    awk -F "$1" "\$1 == \"node\" { has[\$4] = 1 }
    \$1 == \"node\" && \$5 != \"\" && !has[\$5] { exit 1 }" found' \
    sh "$tab"
claim "--find shows the callers of the methods in a tree from below" sh -c '
    [ "$(dmtrace report --bottom-up --find="*.deliver" app.trace |
    grep -A 1 "method, and below it" | tail -1 | sed "s/.* //")" = \
    org.quillfen.loop.MessageLoop.deliver ]'
claim "--find lists the slowest calls of methods" sh -c '
    dmtrace report -f tsv --slowest=1000000 app.trace |
    awk -F "$1" "\$12 == \"deliver\"" >of_all
    dmtrace report -f tsv --slowest=1000000 --find="*.deliver" app.trace |
    sed 1d | cmp - of_all && [ -s of_all ]' sh "$tab"
claim "--find shows rows of runs" sh -c '
    dmtrace report -f tsv --merge-runs app.trace app.trace |
    grep "${1}deliver$1" >of_all
    dmtrace report -f tsv --merge-runs --find="*.deliver" app.trace \
    app.trace | sed 1d | cmp - of_all && [ -s of_all ]' sh "$tab"
for options in --tree --slowest --merge-runs --by=class; do
	claim "$options --find that finds nothing exits with 1" \
	    exits 1 dmtrace report $options --find nosuch app.trace
done
for options in --dmtracedump --traceview '-f html'; do
	claim "--find is refused with $options" says \
	    '--dmtracedump, --traceview and -f html have no --find' \
	    dmtrace report --find '*' $options app.trace
done
# A line of the default report, and nothing else of it.
tells()
{
	text=$1
	shift
	dmtrace report -q "$@" >told && sed '/^$/,$d' told >above
	grep -qx -e "$text" above || { cat above; return 1; }
}
cat >wall.dmt <<'DMT'
dmtrace text 1
clock=wall
0 1 >java.lang.Object.wait()V
0 2 >java.lang.Thread.sleep(J)V
30us 2 <java.lang.Thread.sleep(J)V
30us 1 <java.lang.Object.wait()V
30us 1 >A.a()V
40us 1 <A.a()V
DMT
cat >busy.dmt <<'DMT'
dmtrace text 1
clock=wall
0 1 >A.a()V
0 2 >A.b()V
30us 2 <A.b()V
40us 1 <A.a()V
DMT
cat >open.dmt <<'DMT'
dmtrace text 1
clock=dual
0/0 1 >android.os.MessageQueue.nativePollOnce(JI)V
0/0 2 >android.os.MessageQueue.nativePollOnce(JI)V
20us/2us 2 <android.os.MessageQueue.nativePollOnce(JI)V
20us/2us 2 >A.a()V
100us/10us 1 <android.os.MessageQueue.nativePollOnce(JI)V
DMT
while read -r options; do
	read -r text
	claim "report $options says: $text" tells "$text" $options
done <<'NOTES'
app.trace
93.8 % is off the CPU: see -t main (1.98 s, 20.6 % CPU), --clock=cpu (970 ms)
wall.dmt
85.7 % is waiting in Object.wait etc., CPU time unknown: see -t main (40.0 us)
busy.dmt
without CPU time, waiting counts like work: see -t main (40.0 us)
--by=class wall.dmt
without CPU time, waiting counts like work: see -t main (40.0 us)
--to=50us open.dmt
70.0 % is waiting in nativePollOnce: see -t main (50.0 us, 10.0 % CPU)
NOTES
# without a note: one thread, CPU time, and threads as rows
says_nothing()
{
	dmtrace report -q "$@" | sed '/^$/,$d' >above
	[ "$(grep -c "off the CPU\|waiting" above)" -eq 0 ] ||
	    { cat above; return 1; }
}
while read -r options; do
	claim "report $options has no such line" says_nothing $options
done <<'OPTIONS'
-t main wall.dmt
--by=thread wall.dmt
--clock=cpu app.trace
OPTIONS
# The names of clocks in keys, for every command that shows one clock.
same_clock()
{
	dmtrace $1 --clock="$2" -o first $3
	dmtrace $1 --clock="$4" -o second $3
	cmp first second
}
while IFS='|' read -r command files; do
	claim "$command: thread-cpu is cpu" \
	    same_clock "$command" thread-cpu "$files" cpu
	claim "$command: global is wall" \
	    same_clock "$command" global "$files" wall
done <<'COMMANDS'
report|app.trace
graph|app.trace
flame|app.trace
export -f collapsed|app.trace
checksum|app.trace
diff|app.trace app.trace
COMMANDS
claim "the message lists the clocks that a command takes" \
    says '"dual" is not one of cpu, wall, thread-cpu, global' \
    dmtrace report --clock=dual app.trace
finish
