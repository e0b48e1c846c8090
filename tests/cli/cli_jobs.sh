#!/bin/sh
# cli_jobs.sh - many operands at a time: the same output as one after the other

. "$srcdir/tests/helpers/claim.sh"

for i in 1 2 3 4 5 6 7 8 9; do
	dmtrace generate -q --seed $i --events 300 -o t$i.trace
done
head -c 20000 t2.trace | tail -c +8000 >nothing.trace
head -c 9005 t3.trace >cut.trace
all='t1.trace nothing.trace t2.trace t3.trace cut.trace t4.trace t5.trace
    missing.trace t6.trace t7.trace t8.trace t9.trace'

numbers=3			# of jobs that are tried
! more || numbers='2 3 5'

# same_of OPERANDS COMMAND...: output, messages and exit status with --jobs are
# those without
same_of()
{
	operands=$1
	shift
	one=0
	"$@" $operands >one.out 2>one.err || one=$?
	for jobs in $numbers; do
		many=0
		"$@" --jobs=$jobs $operands >many.out 2>many.err || many=$?
		cmp one.out many.out && cmp one.err many.err &&
		    [ $one -eq $many ] || return 1
	done
	[ -s one.err ]
}
same_with()
{
	same_of "$all" "$@" && [ -s one.out ]
}

for form in text tsv csv json jsonl; do
	for command in info checksum validate; do
		claim "$command -f $form is the same with --jobs" \
		    same_with dmtrace $command -f $form
	done
done
for form in tap junit; do
	claim "validate -f $form is the same with --jobs" \
	    same_with dmtrace validate -f $form
done
claim "validate --for is the same with --jobs" \
    same_with dmtrace validate --for=all
claim "checksum --compare is the same with --jobs" \
    same_with dmtrace checksum --compare
claim "checksum --sum is the same with --jobs" \
    sh -c 'dmtrace checksum --sum t?.trace >one.out &&
    dmtrace checksum --sum --jobs=3 t?.trace | cmp one.out -'
claim "--jobs with one operand is the same" sh -c '
    dmtrace info t1.trace >one.out &&
    dmtrace info --jobs=3 t1.trace | cmp one.out -'

# A report adds up what the workers found: each option in one form, and each
# form with two options, or all with all.
for form in text tsv csv jsonl json; do
	for option in --top=5 --callers '--callees --per-thread' --tree \
	    '--bottom-up --by=class' '--durations --per-thread --tree' \
	    --by=thread --merge-runs '--find=*get*' --slowest \
	    '--slowest=100000 --sort=exclusive' '--slowest --find=*get*' \
	    '-t main'; do
		case $form$option in
		text* | *--callers | *--slowest) ;;
		*) more || continue ;;
		esac
		claim "report -f $form $option is the same with --jobs" \
		    same_with dmtrace report -f $form $option
	done
done
claim "report -f html is the same with --jobs" \
    same_with dmtrace report -f html
for clock in cpu wall dual; do
	dmtrace generate -q --seed 20 --events 3000 --clock=$clock \
	    -o $clock.trace
done
some='cut.trace cpu.trace dual.trace t1.trace t2.trace'
claim "the first trace chooses the clock of --durations" \
    same_of "$some" dmtrace report --durations -f tsv
claim "traces of several clocks are added up" \
    same_of "$some" dmtrace report --callers
claim "traces without a common clock are refused" \
    same_of "cut.trace cpu.trace wall.trace" dmtrace report
claim "of many failures the first one is reported" \
    same_of "t1.trace $some $some" dmtrace report --slowest --clock=wall
claim "--durations needs the clock of the first trace" \
    same_of "t1.trace $some" dmtrace report --durations
claim "report -o has all rows" sh -c '
    dmtrace report --durations -f json t?.trace >one.out &&
    dmtrace report --durations -f json --jobs=3 -o many.json t?.trace &&
    cmp one.out many.json'
claim "-o has all rows" sh -c '
    dmtrace info -f json t?.trace >one.out &&
    dmtrace info -f json --jobs=3 -o many.json t?.trace &&
    cmp one.out many.json'
claim "an output that is an input is refused" exits 2 \
    dmtrace info --jobs=2 -o t1.trace t2.trace t1.trace t3.trace
claim "no trace is damaged by that" silent dmtrace validate -q -o said t1.trace
claim "--jobs=0 is refused" exits 2 dmtrace info --jobs=0 t1.trace

# Files of a folder.
claim "-o folder has a file for each trace" sh -c '
    dmtrace export -q -f jsonl -o one/ t?.trace &&
    [ "$(ls one | wc -l)" -eq 9 ] &&
    dmtrace export -q -f jsonl t4.trace | cmp - one/t4.jsonl'
claim "they are the same with --jobs" sh -c '
    mkdir many && dmtrace export -q -f jsonl --jobs=3 -o many t?.trace &&
    diff -r one many'
claim "an existing file is not replaced" \
    says "one/t1.jsonl exists; --force replaces it" \
    dmtrace export -q -f jsonl -o one/ t1.trace
claim "--force replaces it" exits 0 \
    dmtrace export -q -f jsonl --force -o one/ t1.trace
claim "two operands of one name are refused" \
    says "two operands would be written to one/t1.jsonl" \
    dmtrace export -q -f jsonl --force -o one/ t1.trace ./t1.trace
claim "a trace that cannot be read leaves no file" sh -c '
    dmtrace export -q -f jsonl --jobs=2 -o some/ t1.trace nothing.trace \
	t2.trace 2>said
    [ $? -eq 2 ] && [ "$(ls some | tr "\n" " ")" = "t1.jsonl t2.jsonl " ]'
claim "--jobs for one file is refused" says "--jobs needs a folder" \
    dmtrace export -q -f jsonl --jobs=2 -o a.jsonl t1.trace t2.trace
claim "--force for one file is refused" says "--force is for a folder" \
    dmtrace export -q -f jsonl --force -o a.jsonl t1.trace t2.trace
claim "info has no progress without --jobs" sh -c '
    dmtrace info --progress t?.trace 2>said >output && [ ! -s said ]'
claim "progress counts files" sh -c '
    for i in 1 2 3 4 5 6 7 8; do set -- "$@" t?.trace t?.trace; done
    dmtrace info --jobs=2 -o said "$@" "$@" &&
    grep -c "^file" said | grep -qx 288'

# A signal ends the workers, too. They wait for the other end of a FIFO, which
# the shell holds open for reading and writing.
mkfifo first second
exec 3<>first 4<>second
dmtrace validate -q --jobs=2 first second >said 2>&1 &
pid=$!
workers=
while [ "$(echo $workers | wc -w)" -lt 2 ]; do
	workers=$(ps -o pid= --ppid $pid 2>said)
done
kill -TERM $pid
wait $pid
claim "a signal ends the command" [ $? -eq 143 ]
gone()
{
	for worker in $workers; do
		while kill -0 $worker 2>said; do :; done
	done
}
claim "and its workers" gone

# A worker that is killed takes the report with it.
for option in --tree --slowest; do
	dmtrace report $option --jobs=2 -o killed first second 2>said &
	pid=$!
	workers=
	while [ "$(echo $workers | wc -w)" -lt 2 ]; do
		workers=$(ps -o pid= --ppid $pid 2>said.ps)
	done
	kill -KILL $workers
	status=0
	wait $pid || status=$?
	claim "report $option fails if workers are killed" sh -c "
	    [ $status -eq 2 ] && [ ! -e killed ] &&
	    grep -q 'a worker was ended by signal 9' said"
done
# last_of_70: with --jobs=70, the last of 70 pipes that nobody writes to is read
last_of_70()
{
	for i in $(seq 10 79); do
		mkfifo "pipe$i"
	done
	dmtrace info -q --jobs=70 pipe* >said 2>&1 &
	timeout 20 sh -c ': >pipe79'
	reached=$?
	kill "$!"
	wait "$!"
	rm pipe*
	[ "$reached" -eq 0 ]
}
claim "as many workers run as --jobs says" last_of_70
finish
