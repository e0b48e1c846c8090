#!/bin/sh
# cli_split.sh - a trace to its halves

. "$srcdir/tests/helpers/claim.sh"

write_key()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n'
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
}

records()
{
	printf '\001\000\004\000\000\000\001\000\000\000'
	printf '\001\000\005\000\000\000\002\000\000\000'
}

write_key >key
{ header; records; } >data
cat key data >x.trace

# halves BASE: they are those of x.trace, and no temporary is left
halves()
{
	cmp key "$1.key" && cmp data "$1.data" && [ -z "$(ls .dmtrace* 2>&-)" ]
}

# nothing BASE: there are no halves, not even their beginning
nothing()
{
	for file in "$1.key" "$1.data" .dmtrace*; do
		[ ! -e "$file" ] || { echo "there is $file"; return 1; }
	done
}

claim "the two files are next to the trace" silent dmtrace split x.trace
claim "the two files are the trace's bytes" halves x
claim "derived names do not replace existing files" \
    says 'x.key: File exists; --force replaces it' dmtrace split x.trace
claim "the existing files are unchanged" halves x
echo old >x.key
claim "--force replaces existing files" exits 0 dmtrace split --force x.trace
claim "the replaced files are the trace" halves x

rm x.key
claim "a single existing file is enough to refuse" \
    says 'x.data: File exists' dmtrace split x.trace
claim "no other file is written then" test ! -e x.key
rm x.data

claim "a base name names the trace" exits 0 dmtrace split x
claim "the two files have the base name" halves x
mkdir folder
cp x.trace folder/y.trace
claim "a trace in another folder is split there" \
    exits 0 dmtrace split folder/y.trace
claim "the two files are in that folder" halves folder/y
cp x.trace plain
claim "a name without .trace is the base name" exits 0 dmtrace split plain
claim "the two files have that base name" halves plain

for name in o.key o.data o.trace o; do
	rm -f o.*
	claim "-o $name names the pair" \
	    exits 0 dmtrace split -o "$name" x.trace
	claim "-o $name: the two files are the trace" halves o
done
mkdir to
claim "-o FOLDER writes a pair with the trace's name there" \
    exits 0 dmtrace split -o to folder/y.trace
claim "the two files in the folder are the trace" halves to/y
claim "-o FOLDER/ does, too" exits 0 dmtrace split -o to/ x.trace
claim "the two files are not hidden" halves to/x
claim "names in a folder do not replace existing files" \
    says 'to/x.key: File exists; --force' dmtrace split -o to/ x.trace
claim "-o FOLDER/ does not name the halves of standard input" \
    says 'standard input has no name' sh -c 'dmtrace split - -o to/ <x.trace'
claim "a folder that does not exist is not created" \
    says 'no/x.key' dmtrace split -o no/ x.trace
claim "-o replaces existing files" exits 0 dmtrace split -o o.key x.trace
claim "the input may be standard input" \
    exits 0 sh -c 'dmtrace split - -o s <x.trace'
claim "the two files of standard input are the trace" halves s
claim "the input may be a pipe" \
    exits 0 sh -c 'cat x.trace | dmtrace split - -o p'
claim "the two files of the pipe are the trace" halves p
claim "--sync changes no byte" exits 0 dmtrace split --sync -o sync x.trace
claim "--sync writes the two files" halves sync

cat key data >in.key
claim "an output that is the input is refused" \
    says 'in.key is both the input and the output' \
    dmtrace split -o in.data in.key
claim "the input is unchanged" cmp x.trace in.key

# What follows the magic need not be known.
{ write_key; printf 'SLOW\004\000...'; } >v4.trace
claim "data of any version is split" \
    notes 'byte 68: the data has an unknown version: 4' \
    dmtrace split v4.trace
claim "the data begins with the magic" \
    prints v4.data printf 'SLOW\004\000...'
claim "-q hides the warning" silent dmtrace split -q --force v4.trace
{ write_key; printf SLOW; } >magic.trace
claim "data of only the magic is split" exits 0 dmtrace split magic.trace
{ printf '*version\n2\n*end'; header; } >glued.trace
claim "a key without its last LF is split" exits 0 dmtrace split glued.trace
claim "the missing LF is not added" prints glued.key printf '*version\n2\n*end'
{ write_key; printf '\r\n'; cat data; } >gap.trace
claim "a trace with a gap is split" exits 0 dmtrace split gap.trace
claim "the data of a trace with a gap begins with the magic" cmp data gap.data

claim "a missing file exits with 2" \
    says 'cannot open no: No such file' dmtrace split no
claim "a folder is refused" says 'cannot read folder: Is a directory' \
    dmtrace split folder
: >empty.trace
claim "an empty file is refused" \
    says 'empty.trace: empty' dmtrace split empty.trace
echo 'some text' >text.trace
claim "text is refused" says 'text.trace: begins with "some tex"' \
    dmtrace split text.trace
cp key alone.key
claim "a key alone is refused" says \
    'alone.key: byte 64: no data follows the key' \
    dmtrace split -o alone2 alone.key
cp data alone.data
claim "data alone is refused" \
    says 'alone.data: begins with "SLOW", which is data' \
    dmtrace split -o alone2 alone.data
head -c 60 key >cut.trace
claim "a key without *end is refused" says \
    'cut.trace: byte 60: the key ends after 60 bytes without "*end"' \
    dmtrace split cut.trace
{ write_key; printf 'nothing to see'; } >nomagic.trace
claim "a key followed by other bytes is refused" says \
    'byte 64: "nothing " follows the key; data begins with "SLOW"' \
    dmtrace split nomagic.trace
printf 'SLOW\363\000\040\000' >stream.trace
claim "a stream is refused" says 'stream.trace: this is ART streaming' \
    dmtrace split stream.trace
printf '\037\213\010' >gz.trace
claim "a compressed file is refused" says 'gzip -dc' dmtrace split gz.trace
for name in empty text alone2 cut nomagic stream gz; do
	claim "refusing $name leaves no file" nothing "$name"
done

claim "a missing operand is a usage error" says 'no file is named' dmtrace split
claim "two operands are a usage error" \
    says 'more than one file' dmtrace split x.trace y
claim "an empty name is refused for -o" \
    says '-o is empty' dmtrace split -o '' x.trace
claim "an empty name is refused for pieces" \
    says '-o is empty' dmtrace split --by thread -o '' x.trace
claim "standard input needs -o" says 'standard input needs -o' \
    dmtrace split -
claim "standard output is refused for two files" says \
    'two files cannot be written to standard output' dmtrace split x.trace -o -
cp key half.key; cp data half.data
claim "an operand that is a key file is refused" \
    says 'half.key: named as half of a pair' dmtrace split half.key
claim "an operand that is a data file is refused" \
    says 'half.data: named as' dmtrace split half.data
cp x.trace odd.key
claim "a joined trace named like a key needs -o" \
    says 'odd.key: named as half' dmtrace split odd.key
claim "such a trace is split with -o" silent dmtrace split -o even.key odd.key
claim "its two files are the trace" halves even
finish
