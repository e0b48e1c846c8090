#!/bin/sh
# cli_expect.sh - golden traces, as tests and as files in a tree

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

# golden TRACE: written twice, it is the same, and the trace meets it
golden()
{
	rm -f golden.spec
	dmtrace expect -q --update golden.spec "$1" &&
	    dmtrace expect -q golden.spec "$1" &&
	    cp golden.spec again.spec &&
	    dmtrace expect -q -u again.spec "$1" &&
	    cmp golden.spec again.spec
}

for sample in "$data"/good-*.trace; do
	claim "$(basename "$sample") meets its own specification" \
	    golden "$sample"
done
for version in 1 2 3; do
	dmtrace generate -q -d v$version --seed=$version --events=2000 \
	    --threads=5 -o made.trace
	claim "a generated trace of version $version meets its own" \
	    golden made.trace
done
if [ -n "$DMTRACE_CORPUS" ] && [ -d "$DMTRACE_CORPUS" ]; then
	for trace in "$DMTRACE_CORPUS"/*.trace; do
		dmtrace validate -q "$trace" >/dev/null 2>&1 || continue
		claim "$(basename "$trace") meets its own specification" \
		    golden "$trace"
	done
else
	skip "real traces meet the spec that -u writes" \
	    "DMTRACE_CORPUS is not set"
fi

. "$srcdir/tests/helpers/record.sh"
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\tp/A\ta\t()V\n*end\nSLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	long_records
	long_records
} >long.trace
for kind in inclusive exclusive; do
	echo "$kind(p.A.a) > 1s" >long.spec
	claim "$kind times above 64 bits are refused" \
	    says "times add up to more than 2^63 ns (292 years)" \
	    dmtrace expect long.spec long.trace
done
rm long.trace

# 14 records of one thread, and what calls they are.
dmtrace generate -q --seed=6 --threads=1 --methods=3 --events=14 -o a.trace
dmtrace expect -u a.spec a.trace
cat >expected <<'SPEC'
# What the calls of a trace should be; see dmtrace-expect(1).
no other threads

thread main exact
  org.quillfen.parse.Account.<init>
  org.quillfen.parse.Account.isRoute
    org.quillfen.parse.Account.createPacket
      org.quillfen.parse.Account.isRoute
    org.quillfen.parse.Account.createPacket
      org.quillfen.parse.Account.createPacket
      org.quillfen.parse.Account.isRoute
SPEC
claim "a spec is the tree of calls" cmp expected a.spec
dmtrace dump a.trace | awk '
	$5 == "enter" {
		sub(/\(.*/, "", $6)
		printf "%*s%s\n", 2 * depth++ + 2, "", $6
	}
	$5 == "exit" { depth-- }' >tree
sed 1,4d a.spec >calls
claim "the calls of the spec are those of dump" cmp tree calls
sed '7s/createPacket/createdPacket/' a.spec >b.spec
dmtrace expect b.spec a.trace >report
claim "a changed name fails" exits 1 dmtrace expect -q b.spec a.trace
claim "the failure has the line, record, thread and time" \
    grep -qx 'b\.spec: line 7: '\
'a\.trace: event 4, thread 1 main, [0-9.]* s: .*' report
claim "the failure has the expected and the found call" \
    has 'expected org.quillfen.parse.'\
'Account.createdPacket, found org.quillfen.parse.Account.createPacket' report
claim "the calls are printed side by side" \
    sh -c "sed -n 's/^>  *7  *[^ ]*dPacket  *//p' report |
    grep -qx org.quillfen.parse.Account.createPacket"
awk 'NR == 10 { kept = $0; next } { print } NR == 11 { print kept }' \
    a.spec >b.spec
claim "a changed order fails" answers 1 'b.spec: line 10: ' \
    dmtrace expect b.spec a.trace
sed '11s/$/ x2/' a.spec >b.spec
claim "a changed count fails" answers 1 '(2 of 2)' \
    dmtrace expect b.spec a.trace
sed 11d a.spec >b.spec
claim "an additional call fails" answers 1 'expected no more calls in ' \
    dmtrace expect b.spec a.trace
printf '%s\n' '1 4 10' '1 8 11' '1 9 12' '1 8 13' '1 9 14' '1 5 15' \
    '1 12 16' '1 13 17' | write_trace more.trace 2 wall
printf 'thread main exact\n  A.m\n    A.n\n  A.o\n' >more.spec
dmtrace expect more.spec more.trace >report
LC_ALL=C sed 's/^0x8	/0x80	/' more.trace >unlisted.trace
printf '%s\n' 'select method 0x?' 'calls(0x?) 2' 'calls(*) 2' >ids.spec
claim "methods that the key does not list are selected by their ids" \
    dmtrace expect -q ids.spec unlisted.trace
claim "the calls after the difference are printed side by side" \
    grep -qx ' *4  A\.o  *A\.o' report
sed 's/thread main/thread Main/' a.spec >b.spec
claim "another thread's name fails" \
    answers 1 '2 of 2 expectations' dmtrace expect b.spec a.trace

printf 'calls(*.isRoute) 2\nnever *.<init>\n' >rules.spec
printf 'calls(*) >= 1\n' >one.spec
claim "all rules are evaluated" answers 1 'rules.spec: line 2: ' \
    dmtrace expect rules.spec a.trace
claim "-q prints only expectations that are not met" sh -c '
    dmtrace expect -q one.spec a.trace >quiet && [ ! -s quiet ]'
claim "several traces are checked" answers 1 'a.trace: meets one.spec' \
    dmtrace expect one.spec a.trace "$data/good-no-records.trace"
claim "traces after a missing one are checked" \
    answers 2 'a.trace: meets one.spec' \
    dmtrace expect one.spec none.trace a.trace
claim "standard input is a trace" sh -c '
    dmtrace expect one.spec - <a.trace | grep -q "standard input: meets"'
claim "rows name standard input as the operand does" sh -c '
    dmtrace expect -f tsv one.spec - <a.trace | tail -n 1 | grep -q "^-	"'
claim "the spec is read from standard input" sh -c '
    dmtrace expect - a.trace <one.spec | grep -q "meets standard input"'
claim "spec and trace cannot both be standard input" \
    answers 2 'named twice' dmtrace expect - -
printf 'calls(*) > 0\nthread main rules\n  calls(*) > 0\n' >threads.spec
cat >cases <<'TAP'
ok 1 - a.trace: calls(*) > 0
ok 2 - a.trace: thread main: calls(*) > 0
1..2
TAP
claim "a rule of a thread is a test with its name" prints cases \
    dmtrace expect -f tap threads.spec a.trace
claim "an unreadable trace is reported once" sh -c '
    echo none >bad.trace
    dmtrace expect one.spec bad.trace 2>&1 | grep -c bad.trace | grep -qx 1'
claim "also in the report in a file" sh -c '
    dmtrace expect -o made one.spec bad.trace 2>error
    [ $? -eq 2 ] && [ "$(wc -l <error)" -eq 1 ] &&
    grep -q "^bad.trace: cannot be judged: begins with" made'
claim "a name that one trace lacks is the reason" sh -c '
    dmtrace expect -f tap -t nope one.spec a.trace 2>error | tail -n 2 |
    grep -q "^# a.trace: cannot be judged: no such thread: \"nope\""'
claim "one that all traces lack is a test that fails" sh -c '
    dmtrace expect -f tap -t nope one.spec a.trace a.trace 2>error |
    grep -q "^not ok 3 - what is selected exists"'
claim "an error in the trace is reported and exits with 1" \
    answers 1 'the last record is truncated' \
    dmtrace expect one.spec "$data/bad-partial-v2-1.trace"

echo 'cals * 3' >bad.spec
claim "a malformed line exits with 2 and is reported" \
    answers 2 'bad.spec: line 1: unknown rule "cals" (did you mean calls?)' \
    dmtrace expect bad.spec a.trace
claim "a missing spec exits with 2" answers 2 'cannot open none.spec' \
    dmtrace expect none.spec a.trace
claim "missing operands are a usage error" exits 2 dmtrace expect
claim "a spec without a trace is a usage error" exits 2 dmtrace expect a.spec
claim "a folder as the spec exits with 2" exits 2 dmtrace expect . a.trace
printf 'thread main\n  ' >long.spec
head -c 1048576 /dev/zero | tr '\0' x >>long.spec
claim "a line of a million bytes is accepted" \
    answers 1 'long.spec: line 2: ' sh -c \
    'dmtrace expect long.spec a.trace | cut -c 1-80; exit 1'
head -c 1048576 /dev/zero | tr '\0' '"' >long.spec
claim "a line of a million quotes is refused" \
    exits 2 dmtrace expect long.spec a.trace
head -c 1048576 /dev/urandom >noise.spec
claim "random bytes are refused as a spec" \
    exits 2 dmtrace expect noise.spec a.trace
head -c 1048576 /dev/zero | tr '\0' '\n' >empty.spec
claim "empty lines are not expectations" \
    answers 2 'empty.spec: no expectations: neither rules nor trees' \
    dmtrace expect empty.spec a.trace
echo 'select thread main' >only.spec
claim "nor is a selection" \
    answers 2 'only.spec: no expectations' dmtrace expect only.spec a.trace
claim "an empty spec can be updated" dmtrace expect -u -o full.spec \
    only.spec a.trace
claim "to one that is met" dmtrace expect full.spec a.trace
echo 'calls(*) >= 0' >any.spec

# The trace calls org.quillfen.parse.Account.isRoute.
for name in Account.isRoute isRoute org/quillfen/parse/account.isroute \
    org::quillfen::parse::Account::isRoute 'Account.isRoute(ZFF)'; do
	for rule in "never $name" "calls($name) <= 9" "calls($name) 0"; do
		echo "$rule" >similar.spec
		claim "\"$rule\" names a method in another way" answers 1 \
		    'no such method (did you mean org.quillfen.parse.Account.' \
		    dmtrace expect similar.spec a.trace
	done
done
for name in Route oute.isRoute org.quillfen.parse.Account.isRoutes; do
	echo "never $name" >absent.spec
	claim "\"never $name\" is met, with a note" answers 0 \
	    "note: absent.spec: line 1: a.trace: no method is named $name" \
	    dmtrace expect absent.spec a.trace
done
claim "a note is not printed with -q" silent dmtrace expect -q absent.spec \
    a.trace
echo 'calls(Account.isRoute) > 0' >similar.spec
claim "a rule that needs calls has a suggestion, too" answers 1 \
    'did you mean org.quillfen.parse.Account.isRoute?)' \
    dmtrace expect similar.spec a.trace

printf 'calls(*.isRoute) 3\nnever *.<init>\n' >rules.spec
dmtrace expect -f tap one.spec a.trace >passed.tap
dmtrace expect -f tap rules.spec a.trace none.trace >failed.tap 2>/dev/null
sed -n 's/^\(not \)*ok .*/&/p' failed.tap >cases
cat >expected <<'TAP'
ok 1 - a.trace: calls(*.isRoute) 3
not ok 2 - a.trace: never *.<init>
not ok 3 - none.trace
TAP
claim "TAP has a case for each expectation and trace" cmp expected cases
claim "TAP has what was found" has '# rules.spec: line 2: a.trace: event 1, ' \
    failed.tap
if have prove; then
	claim "prove accepts the TAP report" sh -c 'prove -e cat passed.tap'
	claim "prove reports the failure" exits 1 prove -e cat failed.tap
else
	skip "prove accepts the TAP report" "no prove here"
	skip "prove reports the failure" "no prove here"
fi
echo 'never "a<b>&\"c"' >>rules.spec
claim "JUnit is complete, whatever fails" exits 2 \
    dmtrace expect -f junit -o report.xml rules.spec a.trace none.trace
claim "a failure in JUnit has a message and a type" \
    grep -q '<failure message="rules.spec: line [0-9]*: a.trace: .*'\
'expected .*" type="unmet">' report.xml
claim "an unreadable trace in JUnit has a message and a type" \
    grep -q '<error message="none.trace: cannot'\
' be judged: cannot open none.trace: .*" type="unreadable">' report.xml
for form in text csv tsv json; do
	claim "the report in $form has all operands" sh -c "
	    echo stale >report
	    dmtrace expect -f $form -o report rules.spec none.trace a.trace \
	    2>error; [ \$? -eq 2 ] && grep -q a.trace report &&
	    grep -q 'none.trace.*cannot open none.trace: No such' report &&
	    ! grep -q stale report"
done
claim "a rule that holds has no output in JUnit" sh -c '
    grep -q "time=\"0\"/>" report.xml &&
    ! grep -F "<system-out></system-out>" report.xml'
claim "JUnit has the counts" \
    grep -q 'tests="4" failures="1" errors="1"' report.xml
claim "JUnit has the command's name" grep -q '"dmtrace.expect"' report.xml
if have xmllint; then
	claim "JUnit is valid by the schema" xmllint --noout \
	    --schema "$srcdir/tests/helpers/junit.xsd" report.xml
	claim "JUnit keeps the text of names" sh -c "xmllint --xpath \
	    'string(//testcase[3]/@name)' report.xml |
	    grep -qxF 'a.trace: never \"a<b>&\\\"c\"'"
else
	skip "JUnit is valid by the schema" "no xmllint here"
	skip "JUnit keeps the text of names" "no xmllint here"
fi
{
	printf 'file\tline\texpectation\tresult\texpected\tfound\tevent\t'
	printf 'byte\tthread\tthread_name\ttime_ns\n'
	printf 'a.trace\t1\tcalls(*.isRoute) 3\tmet\t\t\t\t\t\t\t\n'
	printf 'a.trace\t2\tnever *.<init>\tunmet\tnever *.<init>\t1 call\t1'
	printf '\tBYTE\t1\tmain\tTIME\n'
} >expected
dmtrace expect -f tsv rules.spec a.trace | sed 4d | awk -F '\t' '
	BEGIN { OFS = FS }
	$7 == 1 && $8 > 0 && $11 > 0 { $8 = "BYTE"; $11 = "TIME" }
	{ print }' >rows
claim "TSV has every column" cmp expected rows
claim "CSV has the same rows" sh -c 'dmtrace expect -f csv rules.spec a.trace |
    tr -d "\r" | cut -d , -f 2,4 | tr "\n" " " |
    grep -qx "line,result 1,met 2,unmet 3,met "'
if have jq; then
	claim "JSON has the same rows" \
	    sh -c 'dmtrace expect -f jsonl rules.spec a.trace |
	    jq -e -s "length == 3 and .[1].event == 1 and
	    .[0].event == null and .[1].thread_name == \"main\" and
	    .[2].result == \"met\""'
else
	skip "JSON has the same rows" "no jq here"
fi
claim "a reader that closes the pipe is no failure" sh -c \
    'dmtrace expect b.spec a.trace | head -n 1 >/dev/null'

dmtrace generate -q --seed=3 --events=400 --threads=3 -o c.trace
claim "-u writes options that select into the spec" sh -c '
    dmtrace expect -u -t main --depth=2..3 --hide="*.<init>" c.spec c.trace &&
    sed -n "s/^select //p" c.spec | tr "\n" , |
    grep -qxF "thread main,hide *.<init>,depth 2..3," &&
    dmtrace expect c.spec c.trace &&
    ! grep -q "^ .*<init>$" c.spec && ! grep -q "^        " c.spec'
claim "options replace the selection of the spec" \
    answers 1 'does not meet' dmtrace expect -t main c.spec c.trace
claim "options replace all of the selection" sh -c '
    dmtrace expect -u --from=100us --to=1ms --min-time=20us --under="*" \
    -m "*e*" d.spec c.trace && dmtrace expect d.spec c.trace &&
    grep -c "^select" d.spec | grep -qx 5'
claim "an unknown name exits with 2 and suggests a similar one" \
    answers 2 'did you mean main' dmtrace expect -t mian c.spec c.trace
claim "an unknown number exits with 2" \
    exits 2 dmtrace expect -t 4711 one.spec c.trace
claim "a pattern that matches nothing is reported" \
    answers 0 'c.trace: nothing is selected: no method matches "none.*"; the' \
    dmtrace expect -m 'none.*' any.spec c.trace
printf 'never *\ncalls(*) 0\ncalls(*) < 3\n' >absent.spec
printf 'inclusive(*) < 1s\n' >present.spec
printf 'select from 5s\nnever *\n' >late.spec
claim "rules that allow absence are evaluated for an empty selection" \
    answers 0 \
    'c.trace: nothing is selected: the window is from 5 s to the end' \
    dmtrace expect --from=5s absent.spec c.trace
claim "an empty selection by the spec is reported" answers 0 \
    'c.trace: nothing is selected: the window is from 5 s to the end' \
    dmtrace expect late.spec c.trace
for option in --from=0 --min-time=0; do
	claim "$option replaces the selection of the spec, too" \
	    answers 1 'found 200 calls' \
	    dmtrace expect $option late.spec c.trace
done
claim "an empty selection is not reported with -q" \
    silent dmtrace expect -q --from=5s absent.spec c.trace
claim "rules that need a call are not met by an empty selection" \
    exits 1 dmtrace expect --from=5s present.spec c.trace
claim "an unknown name in the selection of a spec exits with 2" sh -c '
    printf "select thread mian\nnever *\n" >mian.spec
    dmtrace expect mian.spec c.trace 2>error
    [ $? -eq 2 ] && grep -q "c.trace: no such thread: .mian. (did" error'
sed 's/^1	main$/1	other/' c.trace >other.trace
claim "one trace may lack a selected name that another one has" \
    exits 0 dmtrace expect -t main any.spec c.trace other.trace
claim "a selected name that all traces lack exits with 2" \
    answers 2 'expect: no such thread: "mian" (did you mean' \
    dmtrace expect -t mian any.spec c.trace other.trace
cp one.spec kept.spec
claim "--update with an empty selection exits with 1" \
    answers 1 'c.trace: nothing is selected' \
    dmtrace expect -u --from=5s kept.spec c.trace
claim "--update with an empty selection does not change the spec" \
    cmp one.spec kept.spec
claim "an invalid depth exits with 2" \
    answers 2 'A..B' dmtrace expect --depth=3..2 one.spec c.trace
claim "an invalid window exits with 2" \
    answers 2 '--to (1 s) is not after --from (2 s)' \
    dmtrace expect --from=2s --to=1s one.spec c.trace

cp a.spec kept.spec
claim "an update that fails does not change the spec" sh -c '
    ! dmtrace expect -u kept.spec none.trace 2>/dev/null &&
    cmp a.spec kept.spec && ! ls -a | grep -q "^kept.spec."'
claim "--update with -o writes another spec" sh -c '
    dmtrace expect -u -o other.spec kept.spec c.trace &&
    cmp a.spec kept.spec && dmtrace expect other.spec c.trace'
claim "--update with -o - prints the spec" sh -c '
    dmtrace expect -u -o - kept.spec c.trace | cmp - other.spec'
claim "an updated spec from standard input is printed" sh -c '
    dmtrace expect -u - c.trace <kept.spec | cmp - other.spec'
claim "an output that is the trace is refused for --update" \
    answers 2 'both the input and the output' \
    dmtrace expect -u -o c.trace kept.spec c.trace
claim "an output that is the trace is refused for the report" \
    answers 2 'both the input and the output' \
    dmtrace expect -o c.trace kept.spec c.trace
claim "an output that is the spec is refused for the report" \
    answers 2 'both the input and the output' \
    dmtrace expect -o kept.spec kept.spec c.trace
claim "--update takes a single trace" \
    exits 2 dmtrace expect -u a.spec a.trace c.trace
claim "--update refuses -f" exits 2 dmtrace expect -u -f tap a.spec a.trace
claim "--signatures needs --update" \
    exits 2 dmtrace expect --signatures a.spec a.trace
claim "--signatures writes signatures" sh -c '
    dmtrace expect -u --signatures e.spec a.trace &&
    grep -q "isRoute(.*)[A-Z]" e.spec && dmtrace expect e.spec a.trace'

cat >again.dmt <<'TEXT'
header f2
thread 1 main
method 0x4 p/A.m(I)V
1us 1 0x4
2us 1 0x4
method 0x4 p/A.m(J)V
3us 1 0x4
4us 1 0x4
TEXT
dmtrace undump again.dmt -o again.trace
claim "so are those of methods that had the same id one after the other" sh -c '
    rm -f again.spec
    dmtrace expect -q -u again.spec again.trace
    sed 1,4d again.spec | tr -d " \n" | grep -qx "p.A.m(I)Vp.A.m(J)V"'

# What report says of each method, as rules: 4 for each.
dmtrace generate -q --seed=8 --events=5000 --threads=3 -o f.trace
dmtrace report -q -f tsv f.trace | awk -F '\t' '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
	}
	$1 == "method" {
		name = "\"" $column["class"] "." $column["name"] \
		    $column["signature"] "\""
		print "calls(" name ") " $column["calls"] + \
		    $column["recursive_calls"]
		print "inclusive(" name ") " $column["inclusive_wall_ns"] "ns"
		print "exclusive(" name ") " $column["exclusive_wall_ns"] "ns"
		print "exclusive(" name ") " $column["exclusive_cpu_ns"] \
		    "ns cpu"
	}' >report.spec
claim "calls and times are those of report" sh -c '
    [ "$(wc -l <report.spec)" -gt 400 ] &&
    dmtrace expect report.spec f.trace | tail -n 1 | grep ": meets "'
finish
