#!/bin/sh
# cli_nameless.sh - methods without a name go by their id, each by itself

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

# 4 from 0 to 100 us, in it 8 from 10 to 60, in that 12 from 20 to 30: a row
# of nothing but its id, and two with one class and signature.
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\t\t\t\n0x8\tp/A\t\t()V\n0xc\tp/A\t\t()V\n*end\n'
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	record 1 4 0
	record 1 8 10
	record 1 12 20
	record 1 13 30
	record 1 9 60
	record 1 5 100
} >x.trace

printf '(toplevel)\n0x4\n0x8\n0xc\n' >names

# lacks TEXT FILE: no line of the file holds the text
lacks()
{
	! has "$1" "$2"
}

# columns FIELDS COMMAND...: those of TSV, without the names of columns
columns()
{
	fields=$1
	shift
	"$@" | tail -n +2 | cut -f "$fields"
}

cat >text <<'ROWS'
x.trace: 100 us, 1 thread, 6 events; wall time 100 us

 exclusive         inclusive           calls  method
   50.0 us  50.0 %    100 us 100.0 %       1  0x4
   40.0 us  40.0 %   50.0 us  50.0 %       1  p.A.0x8
   10.0 us  10.0 %   10.0 us  10.0 %       1  p.A.0xc
ROWS
claim "report shows ids of methods without a name" \
    prints text dmtrace report -q x.trace
claim "report --tree shows ids" prints names \
    sh -c 'dmtrace report -q --tree -f tsv x.trace | cut -f 8 | sed 1d'
claim "report -f tsv has ids" \
    prints names columns 8 dmtrace report -q -f tsv x.trace
cat >text <<'ROWS'
wall time, ordered by time
      wall s  thread  action    method
    0.000000  1 main  enter     0x4
    0.000010  1 main  enter      p.A.0x8()V
    0.000020  1 main  enter       p.A.0xc()V
    0.000030  1 main  exit        p.A.0xc()V
    0.000060  1 main  exit       p.A.0x8()V
    0.000100  1 main  exit      0x4
ROWS
claim "dump shows ids" prints text dmtrace dump -q x.trace
claim "graph shows ids" sh -c '
	dmtrace graph -q --threshold=0 x.trace >dot && grep -q "=.0x4" dot &&
	    grep -q "p[.]A[.]0x8" dot && grep -q "p[.]A[.]0xc" dot'
claim "-m selects a method by its id" sh -c '
	dmtrace report -q -m p.A.0x8 -f tsv x.trace | grep -q 0x8'
claim "diff matches methods without a name by id" \
    exits 0 dmtrace diff -q x.trace x.trace
claim "diff --trees matches methods without a name by id" \
    exits 0 dmtrace diff -q --trees x.trace x.trace

# The calls of 8 and 12 are exchanged.
sed '/^\*end/q' x.trace >swapped.trace
{
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	record 1 4 0
	record 1 12 10
	record 1 8 20
	record 1 9 30
	record 1 13 60
	record 1 5 100
} >>swapped.trace
claim "diff --trees distinguishes methods without a name" \
    exits 1 dmtrace diff -q --trees x.trace swapped.trace
claim "checksum distinguishes methods without a name" sh -c '
	[ "$(dmtrace checksum -q x.trace | cut -d " " -f 1)" != \
	    "$(dmtrace checksum -q swapped.trace | cut -d " " -f 1)" ]'

cat >spec <<'SPEC'
# What the calls of a trace should be; see dmtrace-expect(1).
no other threads

thread main exact
  0x4
    p.A.0x8
      p.A.0xc
SPEC
claim "expect writes ids" sh -c '
	dmtrace expect -q -u made.spec x.trace && cmp spec made.spec'
claim "expect reads ids" exits 0 dmtrace expect -q spec x.trace
claim "expect distinguishes methods without a name" \
    exits 1 dmtrace expect -q spec swapped.trace

# The methods of the second input get ids of their own, and names of them.
{
	printf '0x4\t?\t0x4\t\n0x8\tp/A\t0x8\t()V\n0xc\tp/A\t0xc\t()V\n'
	printf '0x10\t?\t0x10\t\n0x14\tp/A\t0x14\t()V\n'
	printf '0x18\tp/A\t0x18\t()V\n'
} >rows
claim "merge accepts methods without a name" \
    sh -c 'dmtrace merge -o both.trace x.trace x.trace 2>said'
claim "merge reports that it named methods by their ids" \
    has '6 methods have no name: their ids in the output are' said
claim "merge reports no changed name" lacks 'cannot be written' said
claim "validate has no warning about the merged trace" \
    silent dmtrace validate -q both.trace
claim "merge names methods by their ids" \
    prints rows sed -n '/^\*methods/,/^\*end/s/^0x/0x/p' \
    both.trace
claim "merge unites no methods without a name" sh -c '
	dmtrace report -q -f tsv both.trace | grep -c 0x | grep -qx 6'

claim "validate --fix names methods by their ids" sh -c '
	dmtrace validate -q --for all --fix -o fixed.trace x.trace &&
	    dmtrace report -q -f tsv fixed.trace | cut -f 8 | sed 1d |
	    cmp - names'
finish
