#!/bin/sh
# cli_join.sh - halves to a trace, and what is no pair

. "$srcdir/tests/claim.sh"

# write_key VERSION
write_key()
{
	printf '*version\n%s\nclock=wall\n*threads\n1\tmain\n' "$1"
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
}

header()
{
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
}

# records BYTE: two of the method with that low byte
records()
{
	printf '\001\000'"$1"'\000\000\000\001\000\000\000'
	printf '\001\000'"$1"'\000\000\000\002\000\000\000'
}

write_key 2 >x.key
{ header; records '\004'; } >x.data
cat x.key x.data >joined

claim "joins a base name's halves" silent dmtrace join x
claim "the trace is their bytes" cmp joined x.trace
claim "a derived name does not replace another file" \
    says 'x.trace: File exists; --force replaces it' dmtrace join x
echo old >x.trace
claim "--force takes it" exits 0 dmtrace join --force x
claim "the trace is new" cmp joined x.trace
rm x.trace
claim "the name of a half will do" exits 0 dmtrace join x.data
claim "and gives the same" cmp joined x.trace

claim "joins two names" exits 0 dmtrace join x.key x.data -o two.trace
claim "to the trace that is named" cmp joined two.trace
claim "-o replaces an old file" exits 0 dmtrace join x -o two.trace
claim "writes to a pipe" prints joined dmtrace join x -o -
claim "reads the key from a pipe" prints joined \
    sh -c 'cat x.key | dmtrace join - x.data -o -'
claim "reads the data from a pipe" prints joined \
    sh -c 'cat x.data | dmtrace join x.key - -o -'
write_key 1 >v1.key
claim "names standard input" says 'standard input: byte 4: the data has' \
    sh -c 'dmtrace join v1.key - -o o.trace <x.data'
claim "ends quietly when nobody reads on" test -z \
    "$(sh -c 'dmtrace join x -o - | :' 2>&1)"
claim "--sync changes no byte" exits 0 dmtrace join --sync x -o sync.trace
claim "--sync: the trace is there" cmp joined sync.trace

claim "undoes split" sh -c '
	dmtrace split two.trace && rm two.trace && dmtrace join two &&
	cmp joined two.trace'

printf '*version\n2\n*end' >lf.key
printf 'SLOW' >lf.data
claim "ends the last line of a key" \
    notes 'lf.key: byte 15: no LF after "*end": added' dmtrace join lf
claim "with one LF" prints lf.trace printf '*version\n2\n*end\nSLOW'
claim "--exact does not" \
    notes 'no LF after "*end": left so' dmtrace join --exact --force lf
claim "then there is none" prints lf.trace printf '*version\n2\n*endSLOW'

sed 's/clock=wall/num-method-calls=3/' x.key >count.key
cp x.data count.data
claim "another number of records is reported" \
    notes 'num-method-calls is not the number of records: 3 and 2' \
    dmtrace join count
claim "-q does not tell" silent dmtrace join -q --force count
cp x.key v4.key
printf 'SLOW\004\000' >v4.data
claim "joins data of any version" \
    notes 'v4.data: byte 4: the data has an unknown version: 4' \
    dmtrace join v4

# What is no pair is refused with nothing written, and joined if need be.
claim "a missing key" says 'cannot open no.key: No such file' dmtrace join no
cp x.key half.key
cp joined whole.trace
claim "a trace that is joined already" \
    says 'whole.trace: this trace is joined already' dmtrace join whole.trace
claim "found by its base name" \
    says 'whole.trace: this trace is joined already' dmtrace join whole
claim "missing data" says 'cannot open half.data: No such file' \
    dmtrace join half
claim "swapped halves" says 'x.data: the halves are swapped' \
    dmtrace join x.data x.key -o o.trace
claim "nothing is made of them" no_output
claim "--force puts them right" \
    notes 'x.data: key and data do not look like a pair: the halves are' \
    dmtrace join --force x.data x.key -o o.trace
claim "the trace begins with the key" cmp joined o.trace
rm o.trace
claim "two keys" says 'begins with "*version", which is a key' \
    dmtrace join --force x.key half.key -o o.trace
claim "two data" says 'begins with "SLOW", which is data' \
    dmtrace join --force x.data x.data -o o.trace
claim "a trace in place of a key" says 'the key has data of its own' \
    dmtrace join x.trace x.data -o o.trace
echo text >text.data
claim "text in place of data" says \
    'text.data: begins with "text\n", data with "SLOW"' \
    dmtrace join x.key text.data -o o.trace
: >empty.data
claim "nothing in place of data" says \
    'empty.data: empty; data begins with "SLOW"' \
    dmtrace join x.key empty.data -o o.trace
claim "another version" says \
    'x.data: byte 4: the data has version 2, the key 1' \
    dmtrace join v1.key x.data -o o.trace
{ header; records '\010'; } >strange.data
claim "none of the methods is listed" says \
    'strange.data: byte 32: none of the first 2 records has a method' \
    dmtrace join x.key strange.data -o o.trace
claim "nothing is made of any" no_output
claim "--force joins them" \
    notes 'do not look like a pair: none of the first 2 records' \
    dmtrace join --force x.key strange.data -o o.trace
claim "byte for byte" sh -c 'cat x.key strange.data | cmp - o.trace'
rm o.trace
claim "--exact joins them, too" \
    notes 'do not look like a pair: the data has version 2, the key 1' \
    dmtrace join --exact v1.key x.data -o o.trace
claim "byte for byte, too" sh -c 'cat v1.key x.data | cmp - o.trace'
header >none.data
claim "no record is no stranger" \
    silent dmtrace join x.key none.data -o o.trace

cp x.key in.key
claim "the input is not replaced" \
    says 'in.key is both the input and the output' \
    dmtrace join in.key x.data -o in.key
claim "it is as it was" cmp x.key in.key
claim "no operand" says 'no base name' dmtrace join
claim "three operands" says 'more than a key and its data' \
    dmtrace join a b c
claim "two operands need a name" says 'a key and its data need -o' \
    dmtrace join x.key x.data
claim "standard input is not a base name" says \
    'standard input can be only one half' dmtrace join -
finish
