#!/bin/sh
# cli_diff.sh - what is different between traces, and whether it is noise

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

# front CLASS: methods p/A.a (id 4), p/A.b (8), q/B.b (12) and CLASS.c (16)
front()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n2\tother\n'
	printf '*methods\n0x4\tp/A\ta\t()V\n0x8\tp/A\tb\t()V\n'
	printf '0xc\tq/B\tb\t(I)V\n0x10\t%s\tc\t()V\n*end\n' "$1"
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
}

# made RECORDS...: a trace of "thread word time" each
made()
{
	front r/C
	for record in "$@"; do
		record $record
	done
}

# A.a from 0 to 100 us, in it A.b from 10 to 40 and B.b from 50 to 70.
made '1 4 0' '1 8 10' '1 9 40' '1 12 50' '1 13 70' '1 5 100' >one.trace
# A.a from 0 to 120 us, in it A.b from 10 to 25 and from 30 to 45; C.c from
# 130 to 140.
made '1 4 0' '1 8 10' '1 9 25' '1 8 30' '1 9 45' '1 5 120' '1 16 130' \
    '1 17 140' >two.trace

unfold >text <<'ROWS'
base        one.trace; 6 events
new         two.trace; 8 events
total       wall time, sum over threads: 100 us to 140 us, +40.0 %
changed     5 of 5 rows, 1 only in base, 1 only in new

                     inclusive                     exclusive             cal\
ls
      base       new    change      base       new    change     base      n\
ew  method
    100 us    140 us   +40.0 %       0 s   10.0 us         -        0       \
 0  (toplevel)
    100 us    120 us   +20.0 %   50.0 us   90.0 us   +80.0 %        1       \
 1  p.A.a
   20.0 us         -  -100.0 %   20.0 us         -  -100.0 %        1       \
 -  q.B.b
         -   10.0 us         -         -   10.0 us         -        -       \
 1  r.C.c
   30.0 us   30.0 us         =   30.0 us   30.0 us         =        1       \
 2  p.A.b
                        +9.5 %                       +34.2 %                \
    (geometric mean)
ROWS
differs()
{
	dmtrace diff "$@"
	[ $? -eq 1 ]
}
claim "every kind of change is reported" prints text differs one.trace two.trace
claim "--base and --new give the same result" \
    prints text differs --new=two.trace --base one.trace
claim "options may be between operands" \
    prints text differs one.trace --sort inclusive two.trace

cat >same <<'ROWS'
base        one.trace; 6 events
new         one.trace; 6 events
total       wall time, sum over threads: 100 us to 100 us
changed     0 of 4 rows
ROWS
claim "a trace does not differ from itself" \
    prints same dmtrace diff one.trace one.trace

unfold >cells <<'ROWS'
kind,class,name,signature,base_runs,new_runs,figure,base,new,shift,percent,p\
,p_adjusted,effect,detectable,different
method,q/B,b,(I)V,1,0,calls,1,0,-1,-100.0000,,,,,true
method,q/B,b,(I)V,1,0,inclusive_wall_ns,20000,0,-20000,-100.0000,,,,,true
method,q/B,b,(I)V,1,0,exclusive_wall_ns,20000,0,-20000,-100.0000,,,,,true
method,r/C,c,()V,0,1,calls,0,1,1,,,,,,true
method,r/C,c,()V,0,1,inclusive_wall_ns,0,10000,10000,,,,,,true
method,r/C,c,()V,0,1,exclusive_wall_ns,0,10000,10000,,,,,,true
ROWS
csv()
{
	differs -f csv --sort percent one.trace two.trace | tr -d '\r' |
	    grep -v 'p/A\|toplevel'
}
claim "CSV has a line for each figure" prints cells csv
tsv()
{
	differs -f tsv --sort percent one.trace two.trace | tr '\t' , |
	    grep -v 'p/A\|toplevel'
}
claim "TSV has the same rows" prints cells tsv
unfold >object <<'ROWS'
{"kind":"method","class":"r/C","name":"c","signature":"()V","base_runs":0,"n\
ew_runs":1,"figure":"calls","base":0,"new":1,"shift":1,"percent":null,"p":nu\
ll,"p_adjusted":null,"effect":null,"detectable":null,"different":true}
ROWS
json()
{
	differs -f jsonl one.trace two.trace | grep '"c".*"calls"'
}
claim "JSON has the same names as keys" prints object json

# first KEY: the name in the first row
first()
{
	differs --sort "$1" --top 1 one.trace two.trace |
	    sed -n '/method$/{n;s/.*  //p;}'
}
for case in 'inclusive (toplevel)' 'exclusive p.A.a' \
    'calls p.A.b' 'percent q.B.b' 'name (toplevel)'; do
	echo "${case#* }" >wanted
	claim "${case#* } is the first by ${case%% *}" \
	    prints wanted first "${case%% *}"
done
rows()
{
	dmtrace diff "$@" one.trace two.trace |
	    sed '1,/method$/d; /more row/d; /geometric/d; s/.*  //'
}
printf '%s\n' '(toplevel)' 'p.A.a' >wanted
claim "--top leaves the others out" prints wanted rows --top=2
printf '%s\n' '(toplevel)' 'p.A.a()V' >wanted
claim "--signatures prints all signatures" \
    prints wanted rows --top=2 --signatures
# overloaded END: A.a()V calls A.a(I)V and returns at END
overloaded()
{
	front r/C | sed 's/q.B.b/p\/A\ta/'
	record 1 4 0
	record 1 12 1
	record 1 13 4
	record 1 5 "$1"
}
overloaded 7 >short.trace
overloaded 9 >long.trace
same_names()
{
	differs --threshold=0 short.trace long.trace | grep -o 'p[.]A.*'
}
echo 'p.A.a()V' >wanted
claim "names that two methods share are printed with signatures" \
    prints wanted same_names
printf '%s\n' '(toplevel)' 'p.A.a' 'q.B.b' >wanted
claim "--threshold leaves out small changes" \
    prints wanted rows --threshold=20
claim "changes below the threshold do not count as a difference" \
    exits 0 dmtrace diff --threshold=40.5 one.trace two.trace
claim "--threshold accepts a fraction" \
    exits 1 dmtrace diff --threshold=39.5% one.trace two.trace
printf '%s\n' '(toplevel)' 'p.A.a' 'r.C.c' >wanted
claim "--slower prints only methods that take longer" \
    prints wanted rows --slower
claim "--slower counts slower methods" sh -c '
    dmtrace diff --slower one.trace two.trace | grep -q "^slower  *[0-9]"'
printf '%s\n' 'p.A.a' '(toplevel)' 'r.C.c' >wanted
claim "--slower uses the time that rows are sorted by" \
    prints wanted rows --slower --sort=exclusive
claim "with --slower, faster methods are not a difference" \
    exits 0 dmtrace diff --slower two.trace one.trace --method='p.A.a'
unfold >wanted <<'ROWS'
    100 us    140 us   +40.0 %       0 s   10.0 us         -        0       \
 0  (toplevel)
4 more rows (--top=all)
                        +9.5 %                       +34.2 %                \
    (geometric mean)
ROWS
last_lines()
{
	differs --top=1 one.trace two.trace | tail -n 3
}
claim "the geometric mean is of all methods" prints wanted last_lines
made '1 4 0' '1 4 0' '1 5 0' '1 5 0' >zero.trace
printf '%30s%30s%36s\n' - - '(geometric mean)' >wanted
last()
{
	differs "$@" | tail -n 1
}
claim "there is no geometric mean without methods that take time" \
    prints wanted last zero.trace two.trace

# gate RULE: it holds for one.trace and two.trace
gate()
{
	exits 1 dmtrace diff --fail-if "$1" one.trace two.trace
}
passes()
{
	exits 0 dmtrace diff --fail-if "$1" one.trace two.trace
}
for rule in 'inclusive(p.A.a) > +19.9%' 'inclusive(p.A.a)>=20%' \
    'inclusive(p.A.a) > +19us' 'inclusive( p.A.a ) > 119us' \
    'inclusive(p/A.a) > +19.9 %' 'exclusive(p.A.a()V) > +79%' \
    'exclusive(*.a) > +39us' 'calls(p.A.b) > +0' 'calls(p.A.b) >= 2' \
    'calls(p.A.b) > +99%' 'calls(*) > +50%' 'inclusive(q.B.b) < -99%' \
    'inclusive(q.B.b) < -19us' 'inclusive(q.B.*) <= -100%' \
    'inclusive(/^r.C/) > +1000%' 'calls(!p.*) < 1' \
    'calls(!/^p/) < 1' 'calls(q.B.b) < 1' 'total > +39%' \
    'total > 139us' 'total >= 0.14ms' '  total   >   +39us  '; do
	claim "'$rule' holds" gate "$rule"
done
for rule in 'inclusive(p.A.a) > +20%' 'inclusive(p.A.a) > +20us' \
    'inclusive(p.A.a) > 120us' 'inclusive(p.A.b) > +0%' \
    'calls(p.A.a) > +0' 'calls(p.A.b) > 2' 'inclusive(q.B.b) > -99%' \
    'inclusive(p.A.a) < -1%' 'calls(!/^[qr]/) < 1' 'total > +40%' \
    'total > 1s'; do
	claim "rule '$rule' does not hold" passes "$rule"
done
claim "one of two rules that holds is enough" exits 1 dmtrace diff \
    --fail-if 'total > 1s' --fail-if 'total > +5%' one.trace two.trace
reported_rules()
{
	dmtrace diff --fail-if "$1" one.trace two.trace 2>&1 >/dev/null || :
}
echo 'dmtrace diff: inclusive(*.a) > +5%: p.A.a()V: 100 us to 120 us,'\
' +20.00 %' >wanted
claim "a rule that is met is reported with the method" \
    prints wanted reported_rules 'inclusive(*.a) > +5%'
worst()
{
	reported_rules "$@" | sed 's/.*: \([^:]*\): /\1: /'
}
cat >wanted <<'ROWS'
p.A.b()V: 1 to 2, +100.00 %
p.A.a()V: 1 to 1, +0.00 %
q.B.b(I)V: 1 to 0, -100.00 %
ROWS
claim "the worst method is reported first" \
    prints wanted worst 'calls(/^[pq]/) >= -100%'
printf '%s\n' 'q.B.b(I)V: 20 us to 0 s, -100.00 %' \
    'p.A.b()V: 30 us to 30 us, +0.00 %' \
    'p.A.a()V: 100 us to 120 us, +20.00 %' >wanted
claim "for < the smallest value is the worst" \
    prints wanted worst 'inclusive(/^[pq]/) < 1s'
topped()
{
	dmtrace diff --top="$1" --fail-if 'calls(*) >= 0' one.trace two.trace \
	    2>&1 >/dev/null | sed 's/.*>= 0: //'
}
printf '%s\n' 'p.A.b()V: 1 to 2, +100.00 %' '3 more methods (--top=all)' \
    >wanted
claim "--top limits the reported methods, and the rest is counted" \
    prints wanted topped 1
twenty()
{
	dmtrace diff --fail-if 'calls(*) >= 0' many.trace many.trace 2>error
	[ "$(wc -l <error)" -eq 21 ] && has ': 10 more methods (' error
}
dmtrace generate -q --events 3000 --methods 30 -o many.trace
claim "without --top, methods from the 21st on are counted" twenty
claim "the methods are not reported with -q" exits 1 dmtrace diff -q --fail-if \
    'total > +5%' one.trace two.trace
for rule in '' 'total' '> 5' 'inclusive > 5' 'inclusive() > 5' \
    'inclusive(a > 5' 'inclusive(a) > ' 'inclusive(a) > x' \
    'inclusive(a) > +5%%' 'inclusive(a) > +%' 'inclusive(a) > 5 5' \
    'often(a) > 5' 'calls(a) > 5ms' 'inclusive(a) = 5' 'inclusive(a) > 5ly' \
    'inclusive(a) > +99999999999999999999%' 'total(a) > 5' 'total > 5' \
    'inclusive(p.A.a) > +39'; do
	claim "'$rule' is a malformed rule" says 'is not a rule' \
	    dmtrace diff --fail-if "$rule" one.trace two.trace
done
near()
{
	dmtrace diff --fail-if 'calls(p.A.c) > 5' one.trace two.trace 2>error
	has 'did you mean p.A.a, p.A.b or r.C.c?' error
}
claim "a rule for an unknown method exits with 2" exits 2 dmtrace diff \
    --fail-if 'calls(p.A.c) > 5' one.trace two.trace
claim "similar names are suggested" near
claim "a rule whose pattern matches nothing exits with 2" exits 2 dmtrace diff \
    --fail-if 'calls(x.*) > 5' one.trace two.trace
claim "a rule with an invalid pattern is refused before traces are read" \
    answers 2 'calls(/[/) > 5' dmtrace diff --fail-if 'calls(/[/) > 5' \
    one.trace none.trace

# A.a takes 20 us more than A.b, and that takes as many us as named.
run()
{
	made '1 4 0' '1 8 10' "1 9 $((10 + $1))" "1 5 $((20 + $1))"
}
runs()
{
	name=$1 number=0
	shift
	for us in "$@"; do
		number=$((number + 1))
		run "$us" >"$name$number.trace"
	done
}
runs was 97 103 99 101 105 95 100 102
runs now 118 121 124 115 119 122 120 117
runs null 98 104 96 101 99 103 97 102
many()
{
	dmtrace diff --base was*.trace --new "$@"
}
claim "20 % more is found" exits 1 many now*.trace
claim "20 % more meets the rule" exits 1 many now*.trace \
    --fail-if 'exclusive(p.A.b) > +15%'
claim "20 % more does not meet a rule for more" exits 0 many now*.trace \
    --fail-if 'exclusive(p.A.b) > +25%'
claim "noise is not a difference" exits 0 many null*.trace
claim "noise meets no rule" exits 0 many null*.trace \
    --fail-if 'inclusive(*) > +0%' --fail-if 'inclusive(*) < -0%'
# Of 8 and 8, apart: 2 of 12,870. The medians are 100.5 and 119.5; of the 64
# differences the two in the middle are 19. At 0.05 13 pairs may go against
# the others: the 14th difference is 15, the 51st 23.
cat >wanted <<'ROWS'
100500,119500,19000,18.9055,0.000155400,1.0000,4000
ROWS
statistics()
{
	many now*.trace -f tsv | tr '\t' , |
	    awk -F , '$3 == "b" && $7 == "exclusive_wall_ns" {
	    printf "%s,%s,%s,%s,%.9f,%s,%s\n", $8, $9, $10, $11, $12, $14,
	    $15 }'
}
claim "the statistics are those counted by hand" prints wanted statistics
marked()
{
	many now*.trace | grep -c '0\.00016\*  *+1\.00'
}
echo 3 >wanted
claim "text marks what is significant" prints wanted marked
few()
{
	dmtrace diff --base was1.trace was2.trace was3.trace --new now1.trace \
	    --new now2.trace now3.trace "$@"
}
claim "three and three are too few to differ" exits 0 few
claim "a rule that can never hold exits with 2" says \
    '4 and 4 would do' few --fail-if 'total > +5%'
claim "a rule on calls needs no test" exits 1 few --fail-if 'total > 130us' \
    --fail-if 'calls(p.A.b) > +5'
claim "a rule can hold with a larger alpha" \
    exits 1 few --alpha=0.2 --fail-if 'total > +5%'
warned()
{
	dmtrace diff --base was[1-4].trace --new null[1-4].trace \
	    --fail-if 'inclusive(*) > +5%' 2>error >output &&
	    has 'about 2 methods, too many for 4 and 4 runs' error
}
claim "too many methods for the number of runs are reported" warned
for alpha in 0 1 -1 x 0.05x '' 1e-3; do
	claim "--alpha=$alpha exits with 2" says 'is not a number' \
	    dmtrace diff --alpha="$alpha" one.trace two.trace
done
claim "a single run is not tested" exits 1 dmtrace diff --base was*.trace \
    --new now1.trace --fail-if 'total > +5%'

# The calls are the same, and so all times are 20 % more.
stretched()
{
	rm -f base*.trace new*.trace
	for i in 1 2 3 4 5 6 7; do
		dmtrace shift -q --scale="1.0$i" -o "base$i.trace" made.trace
		dmtrace shift -q --scale="1.$((20 + i))3" -o "new$i.trace" \
		    made.trace
		dmtrace shift -q --scale="1.0$((8 - i))05" \
		    -o "even$i.trace" made.trace
	done
}
dmtrace generate -q --events 3000 --methods 40 -o made.trace
stretched
claim "20 % more in a generated trace is found" exits 1 dmtrace diff \
    --base base*.trace --new new*.trace --fail-if 'inclusive(*) > +10%'
claim "20 % more in a generated trace is in the table" \
    exits 1 dmtrace diff --base base*.trace \
    --new new*.trace
claim "noise in a generated trace is not" exits 0 dmtrace diff \
    --base base*.trace --new even*.trace

selected()
{
	dmtrace diff "$@" one.trace two.trace |
	    sed '1,/method$/d; /more row/d; /geometric/d; s/.*  //'
}
printf '%s\n' '(toplevel)' 'q.B.b' >wanted
claim "a selected name may be in one of the traces only" \
    prints wanted selected -m 'q.B.b'
claim "a thread that no trace has exits with 2" says 'no such thread: "mian"' \
    dmtrace diff -t mian one.trace two.trace
# empty OPERAND...: exit status 2, a line for each trace, and no report
empty()
{
	exits 2 dmtrace diff "$@" >printed 2>error && [ ! -s printed ] &&
	    has 'one.trace: nothing is selected: ' error &&
	    has 'two.trace: nothing is selected: ' error &&
	    [ "$(wc -l <error)" -eq 2 ]
}
claim "a pattern that matches nothing exits with 2" \
    empty -m 'x.*' one.trace two.trace
claim "a window without records exits with 2" \
    empty --from=1.2s --to=1.5s one.trace two.trace
claim "no rule is judged then" \
    empty --fail-if 'total > +5%' --from=1.2s --to=1.5s one.trace two.trace
claim "--trees exits with 2 for an empty selection" \
    empty --trees --from=1.2s one.trace two.trace
claim "--dmtracedump exits with 2 for an empty selection" \
    empty --dmtracedump --from=1.2s one.trace two.trace
claim "the window and the time ranges are reported" has 'two.trace: nothing is'\
' selected: the window is from 1.2 s to the end; the trace has times from 0 s'\
' to 140 us' error
claim "a window beyond the end of one trace exits with 2" \
    says 'one.trace: nothing is selected: the window is from 120 us to the' \
    dmtrace diff --from=120us one.trace two.trace
claim "a method that only one trace calls is a difference" \
    exits 1 dmtrace diff -m 'r.C.c' one.trace two.trace
claim "a method that one side does not call is not judged by a rule" \
    says 'one.trace: nothing is selected: -m is r.C.c; the window is' \
    dmtrace diff --fail-if 'total > +5%' -m 'r.C.c' one.trace two.trace
claim "an unknown method id exits with 2" \
    says 'no such method: "0x80" (did you mean' \
    dmtrace diff -m 0x80 one.trace two.trace
claim "a thread number that no trace has exits with 2" says 'no such thread' \
    dmtrace diff -t 77 one.trace two.trace
claim "a window selects events" \
    exits 0 dmtrace diff --to=10us one.trace two.trace

{ front r.C; record 1 4 0; record 1 16 50; record 1 17 60; record 1 5 100; } \
    >dots.trace
{ front r/C; record 1 4 0; record 1 16 50; record 1 17 60; record 1 5 100; } \
    >slashes.trace
claim "classes with slashes and with dots are the same" \
    exits 0 dmtrace diff dots.trace slashes.trace
piped()
{
	cat two.trace | differs one.trace - | sed 's/ -;/ two.trace;/'
}
claim "standard input is read" prints text piped
claim "every prefix ends in a status" \
    every_prefix two.trace dmtrace diff one.trace
claim "a missing trace exits with 2" \
    exits 2 dmtrace diff one.trace missing.trace
claim "a missing trace leaves no output file" \
    exits 2 dmtrace diff -o named one.trace missing.trace
claim "-o writes to that file" test ! -e named
claim "the file is complete" \
    exits 1 dmtrace diff -o named one.trace two.trace
claim "the file has the same bytes as standard output" prints text cat named
claim "an output that is the input is refused" \
    exits 2 dmtrace diff -o one.trace one.trace two.trace
head -c "$(($(wc -c <one.trace) - 3))" one.trace >partial.trace
cut_is_not_compared()
{
	exits 2 dmtrace diff "$@" partial.trace partial.trace 2>error \
	    >printed && cat error printed |
	    grep -q 'partial.trace.*the last record is truncated'
}
claim "a trace that is cut is not compared" cut_is_not_compared
claim "a rule does not pass, and -q says why" cut_is_not_compared \
    -q --fail-if='total > +1%'
claim "as TAP" cut_is_not_compared -f tap
claim "as JUnit" cut_is_not_compared -q -f junit
claim "as trees" cut_is_not_compared --trees

front r/C | sed 's/clock=wall/clock=thread-cpu/' >cpu.trace
record 1 4 0 >>cpu.trace
record 1 5 9 >>cpu.trace
claim "traces without a common clock exit with 2" \
    says 'no clock in common' dmtrace diff cpu.trace one.trace
claim "a --clock that the traces lack exits with 2" \
    says 'no CPU time' dmtrace diff --clock=cpu one.trace two.trace
claim "--clock chooses the clock" \
    exits 0 dmtrace diff --clock=cpu cpu.trace cpu.trace

for options in '' 'one.trace' 'one.trace two.trace one.trace' \
    '--base one.trace' '--new one.trace' '--base one.trace two.trace' \
    'one.trace --base one.trace --new two.trace' '- -' \
    '--base - --new - one.trace' '--top=x one.trace two.trace' \
    '--sort=x one.trace two.trace' '--threshold=101 one.trace two.trace' \
    '--context=1 one.trace two.trace' \
    '--trees --dmtracedump one.trace two.trace' \
    '--trees --sort=name one.trace two.trace' \
    '--trees --slower one.trace two.trace' \
    '--trees --base one.trace two.trace --new two.trace' \
    '--dmtracedump -f tsv one.trace two.trace'; do
	claim "$options is a usage error" exits 2 dmtrace diff $options
done
claim "standard input may be given once" \
    says 'standard input is one trace' \
    dmtrace diff --base one.trace --base - --new two.trace --new -
if [ -e /dev/full ]; then
	full_disk()
	{
		dmtrace diff one.trace two.trace >/dev/full
	}
	claim "a full disk exits with 2" exits 2 full_disk
fi
quits()
{
	dmtrace diff -f tsv made.trace two.trace | head -n 1
}
claim "a reader that closes the pipe is no failure" quits
if have script && script -qec : /dev/null </dev/null >seen 2>&1; then
	# on_terminal ENVIRONMENT [OPTION]: the rows of A.a and B.b
	on_terminal()
	{
		env TERM=xterm COLUMNS=${3-120} "$1" script -qec \
		    "dmtrace diff $2 one.trace two.trace" /dev/null </dev/null |
		    tr -d '\r' | sed -n 's/  *p.A.a.*//p; s/  *q.B.b.*//p'
	}
	red=$(printf '\033[31m') green=$(printf '\033[32m')
	off=$(printf '\033[0m')
	more="$red   +20.0 %$off" most="$red   +80.0 %$off"
	none="$green  -100.0 %$off"
	{
		printf '%10s%10s%s%10s%10s%s%9s%9s\n' '100 us' '120 us' \
		    "$more" '50.0 us' '90.0 us' "$most" 1 1
		printf '%10s%10s%s%10s%10s%s%9s%9s\n' '20.0 us' - "$none" \
		    '20.0 us' - "$none" 1 -
	} >wanted
	claim "on a terminal, slower is red and faster is green" \
	    prints wanted on_terminal NO_COLOR=
	LC_ALL=C sed "s/.\[[0-9]*m//g" wanted >without
	claim "there is no colour with NO_COLOR" \
	    prints without on_terminal NO_COLOR=1
	{
		printf '%10s%10s%10s%9s%9s\n' '50.0 us' '90.0 us' \
		    '+80.0 %' 1 1 '20.0 us' - '-100.0 %' 1 -
	} >wanted
	claim "a narrow terminal shows the time that rows are sorted by" \
	    prints wanted on_terminal NO_COLOR=1 --sort=exclusive 80
	printf '%10s%10s%10s%9s%8s%12s\n' '101 us' '120 us' '+18.9 %' \
	    '0.00016*' '+1.00' '4.0 %' >wanted
	narrow_runs()
	{
		COLUMNS=80 script -qec 'NO_COLOR=1 dmtrace diff \
		    --base was*.trace --new now*.trace' /dev/null </dev/null |
		    tr -d '\r' | sed -n 's/  *p.A.b.*//p'
	}
	claim "a narrow terminal shows no calls next to statistics" \
	    prints wanted narrow_runs
	echo 0 >wanted
	escapes()
	{
		on_terminal NO_COLOR= '-f csv' | LC_ALL=C grep -c '\[3'
	}
	claim "other forms have no colour" prints wanted eval 'escapes || :'
else
	skip "on a terminal, slower is red and faster is green" "no script here"
fi
dmtrace shift -q --scale=250 -o slow.trace one.trace
claim "a large percentage has separators and no decimals" \
    sh -c 'dmtrace diff one.trace slow.trace | grep -q "+24,900 %"'
dmtrace generate -q --events 100 -o calls.trace
claim "a rule for a method that no trace calls exits with 2" \
    answers 2 '--fail-if: no trace calls "no.such"' \
    dmtrace diff --fail-if 'calls(no.such) > 1' calls.trace calls.trace
claim "a rule for a pattern that no trace calls exits with 2" \
    answers 2 '--fail-if: no trace calls "no.*"' \
    dmtrace diff --fail-if 'calls(no.*) > 1' calls.trace calls.trace
dmtrace filter -q -t 1 --to 1us --allow-empty -o nothing.trace calls.trace
claim "--fail-if exits with 2 if one trace has no records" \
    answers 2 '--fail-if: the new side has no events' \
    dmtrace diff --fail-if 'total > +5%' calls.trace nothing.trace
claim "--fail-if exits with 2 if both traces have no records" \
    answers 2 '--fail-if: both sides have no events' \
    dmtrace diff --fail-if 'total > +5%' nothing.trace nothing.trace
# Rules with two limits, floors, and reports for test suites.
dmtrace generate -q --shape=app -o app.trace
dmtrace shift -q --scale=1.2 -o slow.trace app.trace
# fails LINES RULE OPTION...: exit 1, and so many lines on stderr
fails()
{
	lines=$1
	rule=$2
	shift 2
	exits 1 dmtrace diff --fail-if "$rule" "$@" app.trace slow.trace \
	    >/dev/null 2>said && [ "$(wc -l <said)" -eq "$lines" ]
}
claim "a rule may have two limits" \
    fails 5 'inclusive(*) > +10% and > +300ms' --top=all
claim "the second limit counts" exits 0 dmtrace diff -o made \
    --fail-if 'inclusive(*) > +10% and > +300s' app.trace slow.trace
claim "-q keeps the line of the worst method" \
    fails 1 'inclusive(*) > +10%' -q
claim "it names the method" has 'inclusive(*) > +10%: ' said
claim "--threshold is a floor for rules" exits 0 dmtrace diff -o made \
    --threshold=50 --fail-if 'inclusive(*) > +10%' app.trace slow.trace
claim "--threshold is a floor for rules of calls" exits 0 dmtrace diff \
    --threshold=50 --fail-if 'calls(*) != +0' one.trace two.trace
claim "calls of a method whose time has changed enough count" exits 1 \
    dmtrace diff --threshold=1 --fail-if 'calls(*) != +0' one.trace two.trace
while IFS='|' read -r rule text; do
	claim "$rule is refused" says "$text" dmtrace diff --fail-if "$rule" \
	    app.trace slow.trace
done <<'RULES'
inclusive Foo.bar > 5%|the brackets around the method are missing
inclusive() > 5%|there is no method in the brackets
inclusive(Foo.bar) > 5% and > x|"x" is not a time with a unit
RULES
cat >cases <<'TAP'
not ok 1 - inclusive(*) > +10% and > +2s
ok 2 - calls(*) > +1
1..2
TAP
tap()
{
	dmtrace diff -f tap --fail-if 'inclusive(*) > +10% and > +2s' \
	    --fail-if 'calls(*) > +1' app.trace slow.trace | grep -v '^#'
}
claim "-f tap has a test for each rule" prints cases tap
echo none >none.trace
cat >cases <<'TAP'
not ok 1 - the traces can be compared
# none.trace: begins with "none\n"; a trace begins with "*version" or "SLOW"
1..1
TAP
unreadable()
{
	dmtrace diff "$@" app.trace none.trace 2>error
	[ $? -eq 2 ] && [ "$(wc -l <error)" -eq 1 ]
}
claim "an unreadable trace is a test that fails, with the reason" \
    unreadable -f tap -o made
claim "that is the whole report" cmp cases made
claim "also for --trees" unreadable -f tap --trees -o made
claim "of one test, too" cmp cases made
claim "also in JUnit" unreadable -f junit -o made
claim "as an error" has '<error message="none.trace: begins with ' made
rm none.trace
reasons()
{
	dmtrace diff -f "$1" --top=1 -q --fail-if 'total > 1s wall' \
	    --fail-if 'calls(nope) > 1' app.trace slow.trace 2>error |
	    grep -e '^#' -e message= | sed 's/ message="\([^"]*\)".*/ \1/'
}
cat >wanted <<'TAP'
# total > 1s wall: the total: 15.643148 s to 18.771777 s, +20.00 %
# --fail-if: no trace calls "nope"
TAP
claim "TAP has the figures of a rule that holds, and other reasons" \
    prints wanted reasons tap
cat >wanted <<'XML'
    <failure total &gt; 1s wall: the total: 15.643148 s to 18.771777 s, +20.00 %
    <error --fail-if: no trace calls &quot;nope&quot;
XML
claim "so does JUnit" prints wanted reasons junit
dmtrace generate -q --shape=app -d v2 --clock=wall -o wall.trace
claim "a rule on a clock that traces lack is not judged" \
    answers 2 'total > 1s cpu: there is no CPU time in all traces' \
    dmtrace diff --fail-if 'total > 1s cpu' app.trace wall.trace
claim "without a rule there is one test" sh -c '
    dmtrace diff -f junit app.trace slow.trace |
    grep -q "tests=\"1\" failures=\"1\" errors=\"0\""'
claim "equal traces pass it" exits 0 dmtrace diff -f tap -o made app.trace \
    app.trace
claim "--find shows rows with the times of the whole" sh -c '
    dmtrace diff -f tsv app.trace slow.trace |
    grep "	org/quillfen/loop/" >of_all
    dmtrace diff -f tsv --find "org.quillfen.loop.*" app.trace slow.trace |
    sed 1d | cmp - of_all && [ -s of_all ]'
claim "a pattern of --find that matches nothing is an error" exits 2 \
    dmtrace diff --find='zzz*' app.trace slow.trace
claim "one that matches equal rows alone is none" exits 0 \
    dmtrace diff --find='*' app.trace app.trace
finish
