#!/bin/sh
# cli_join.sh - halves to a trace, and what is no pair

. "$srcdir/tests/helpers/claim.sh"

# write_key VERSION
write_key()
{
	printf '*version\n%s\nclock=wall\n*threads\n1\tmain\n' "$1"
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
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

claim "a base name joins X.key and X.data" silent dmtrace join x
claim "the trace is the bytes of both" cmp joined x.trace
claim "a derived name does not replace an existing file" \
    says 'x.trace: File exists; --force replaces it' dmtrace join x
echo old >x.trace
claim "--force replaces the existing file" exits 0 dmtrace join --force x
claim "the replaced file is the trace" cmp joined x.trace
rm x.trace
claim "the name of the key joins the pair" exits 0 dmtrace join x.data
claim "the joined trace is the same" cmp joined x.trace

claim "two names are joined" exits 0 dmtrace join x.key x.data -o two.trace
claim "-o names the trace" cmp joined two.trace
claim "-o replaces an old file" exits 0 dmtrace join x -o two.trace
claim "the output may be a pipe" prints joined dmtrace join x -o -
claim "the key may come from a pipe" prints joined \
    sh -c 'cat x.key | dmtrace join - x.data -o -'
claim "the data may come from a pipe" prints joined \
    sh -c 'cat x.data | dmtrace join x.key - -o -'
write_key 1 >v1.key
claim "messages name standard input" \
    says 'standard input: byte 4: the data has' \
    sh -c 'dmtrace join v1.key - -o o.trace <x.data'
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace join x -o - | :' 2>&1)"
claim "--sync changes no byte" exits 0 dmtrace join --sync x -o sync.trace
claim "--sync writes the trace" cmp joined sync.trace

claim "join reverses split" sh -c '
	dmtrace split two.trace && rm two.trace && dmtrace join two &&
	cmp joined two.trace'

printf '*version\n2\n*end' >lf.key
printf 'SLOW' >lf.data
claim "a missing line end after *end is added" \
    notes 'lf.key: byte 15: no LF after "*end": added' dmtrace join lf
claim "the added line end is one LF" \
    prints lf.trace printf '*version\n2\n*end\nSLOW'
claim "--exact adds no line end" \
    notes 'no LF after "*end": left so' dmtrace join --exact --force lf
claim "with --exact there is no line end" \
    prints lf.trace printf '*version\n2\n*endSLOW'

sed 's/clock=wall/num-method-calls=3/' x.key >count.key
cp x.data count.data
claim "a different number of records is reported" \
    notes 'num-method-calls is not the number of records: 3 and 2' \
    dmtrace join count
claim "-q hides the note" silent dmtrace join -q --force count
cp x.key v4.key
printf 'SLOW\004\000' >v4.data
claim "data of any version is joined" \
    notes 'v4.data: byte 4: the data has an unknown version: 4' \
    dmtrace join v4

# What is no pair is refused with nothing written, and joined if need be.
claim "a missing key is reported" \
    says 'cannot open no.key: No such file' dmtrace join no
cp x.key half.key
cp joined whole.trace
claim "a joined trace is reported as such" \
    says 'whole.trace: this trace is joined already' dmtrace join whole.trace
claim "a joined trace is reported for its base name" \
    says 'whole.trace: this trace is joined already' dmtrace join whole
claim "missing data is reported" says 'cannot open half.data: No such file' \
    dmtrace join half
claim "swapped halves are refused" says 'x.data: the halves are swapped' \
    dmtrace join x.data x.key -o o.trace
claim "no refused join leaves a file" no_output
claim "--force corrects the order of swapped halves" \
    notes 'x.data: key and data do not look like a pair: the halves are' \
    dmtrace join --force x.data x.key -o o.trace
claim "the trace then begins with the key" cmp joined o.trace
rm o.trace
claim "two keys are refused" says 'begins with "*version", which is a key' \
    dmtrace join --force x.key half.key -o o.trace
claim "two data files are refused" says 'begins with "SLOW", which is data' \
    dmtrace join --force x.data x.data -o o.trace
claim "a trace instead of a key is refused" \
    says 'of its own after "*end"; "dmtrace merge" puts traces or pieces' \
    dmtrace join x.trace x.data -o o.trace
echo text >text.data
claim "text instead of data is refused" says \
    'text.data: begins with "text\n"; data begins with "SLOW"' \
    dmtrace join x.key text.data -o o.trace
: >empty.data
claim "an empty file instead of data is refused" says \
    'empty.data: empty; data begins with "SLOW"' \
    dmtrace join x.key empty.data -o o.trace
claim "different versions are refused" says \
    'x.data: byte 4: the data has version 2, the key 1' \
    dmtrace join v1.key x.data -o o.trace
{ header; records '\010'; } >strange.data
claim "data without a listed method is refused" says \
    'strange.data: byte 32: none of the first 2 records has a method' \
    dmtrace join x.key strange.data -o o.trace
claim "no refused pair leaves a file" no_output
claim "--force joins the refused pairs" \
    notes 'do not look like a pair: none of the first 2 records' \
    dmtrace join --force x.key strange.data -o o.trace
claim "--force copies the bytes" sh -c 'cat x.key strange.data | cmp - o.trace'
rm o.trace
claim "--exact joins the refused pairs" \
    notes 'do not look like a pair: the data has version 2, the key 1' \
    dmtrace join --exact v1.key x.data -o o.trace
claim "--exact copies the bytes" sh -c 'cat v1.key x.data | cmp - o.trace'
header >none.data
claim "data without records is accepted" \
    silent dmtrace join x.key none.data -o o.trace

cp x.key in.key
claim "an output that is the input is refused" \
    says 'in.key is both the input and the output' \
    dmtrace join in.key x.data -o in.key
claim "the input is unchanged" cmp x.key in.key
claim "a missing operand is a usage error" says 'no base name' dmtrace join
claim "three operands are a usage error" says 'more than a key and its data' \
    dmtrace join a b c
claim "join names what joins pieces" says '"dmtrace merge --rejoin"' \
    dmtrace join a b c
cp x.key both.key
cp x.data both.data
claim "two halves with one name give the output its name" sh -c "
    dmtrace join both.key both.data && cmp joined both.trace"
claim "halves with different names need -o" \
    says 'a key and its data with different names need -o' \
    dmtrace join x.key y.data
claim "standard input is refused as a base name" says \
    'standard input can be only one half' dmtrace join -
finish
