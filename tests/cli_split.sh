#!/bin/sh
# cli_split.sh - a trace to its halves

. "$srcdir/tests/claim.sh"

write_key()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n'
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
}

header()
{
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
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

claim "splits beside the file" silent dmtrace split x.trace
claim "the halves are the file's bytes" halves x
claim "derived names do not replace other files" \
    says 'x.key: File exists; --force replaces it' dmtrace split x.trace
claim "they are as they were" halves x
echo old >x.key
claim "--force takes them" exits 0 dmtrace split --force x.trace
claim "the halves are new" halves x

rm x.key
claim "one name that is taken is enough" \
    says 'x.data: File exists' dmtrace split x.trace
claim "then there is no other half" test ! -e x.key
rm x.data

claim "a base name is a trace's" exits 0 dmtrace split x
claim "its halves have that name" halves x
mkdir folder
cp x.trace folder/y.trace
claim "splits in another folder" exits 0 dmtrace split folder/y.trace
claim "the halves are there" halves folder/y
cp x.trace plain
claim "a name without .trace is the base" exits 0 dmtrace split plain
claim "the halves have it" halves plain

for name in o.key o.data o.trace o; do
	rm -f o.*
	claim "-o $name names the pair" \
	    exits 0 dmtrace split -o "$name" x.trace
	claim "-o $name: the halves are there" halves o
done
claim "-o replaces old files" exits 0 dmtrace split -o o.key x.trace
claim "reads standard input" exits 0 sh -c 'dmtrace split - -o s <x.trace'
claim "and splits it" halves s
claim "reads a pipe" exits 0 sh -c 'cat x.trace | dmtrace split - -o p'
claim "and splits that" halves p
claim "--sync changes no byte" exits 0 dmtrace split --sync -o sync x.trace
claim "--sync: the halves are there" halves sync

cat key data >in.key
claim "the input is not replaced" \
    says 'in.key is both the input and the output' \
    dmtrace split -o in.data in.key
claim "it is as it was" cmp x.trace in.key

# What follows the magic need not be known.
{ write_key; printf 'SLOW\004\000...'; } >v4.trace
claim "splits data of any version" \
    notes 'byte 68: the data has an unknown version: 4' \
    dmtrace split v4.trace
claim "the data begins with the magic" \
    prints v4.data printf 'SLOW\004\000...'
claim "-q does not tell" silent dmtrace split -q --force v4.trace
{ write_key; printf SLOW; } >magic.trace
claim "splits off a bare magic" exits 0 dmtrace split magic.trace
{ printf '*version\n2\n*end'; header; } >glued.trace
claim "splits a key without its last LF" exits 0 dmtrace split glued.trace
claim "its key has none" prints glued.key printf '*version\n2\n*end'
{ write_key; printf '\r\n'; cat data; } >gap.trace
claim "splits after a gap" exits 0 dmtrace split gap.trace
claim "its data begins with the magic" cmp data gap.data

claim "a missing file" says 'cannot open no: No such file' dmtrace split no
claim "a folder" says 'cannot read folder: Is a directory' \
    dmtrace split folder
: >empty.trace
claim "an empty file" says 'empty.trace: empty' dmtrace split empty.trace
echo 'some text' >text.trace
claim "text" says 'text.trace: begins with "some tex"' \
    dmtrace split text.trace
cp key alone.key
claim "a key alone" says \
    'alone.key: byte 64: no data follows the key' \
    dmtrace split -o alone2 alone.key
cp data alone.data
claim "data alone" says 'alone.data: begins with "SLOW", which is data' \
    dmtrace split -o alone2 alone.data
head -c 60 key >cut.trace
claim "a key without its end" says \
    'cut.trace: byte 60: the key ends after 60 bytes without "*end"' \
    dmtrace split cut.trace
{ write_key; printf 'nothing to see'; } >nomagic.trace
claim "a key with something else after it" says \
    'byte 64: "nothing " follows the key; data begins with "SLOW"' \
    dmtrace split nomagic.trace
printf 'SLOW\363\000\040\000' >stream.trace
claim "a streaming trace" says 'stream.trace: this is ART streaming' \
    dmtrace split stream.trace
printf '\037\213\010' >gz.trace
claim "a packed file" says 'gzip -dc' dmtrace split gz.trace
for name in empty text alone2 cut nomagic stream gz; do
	claim "nothing is made of $name" nothing "$name"
done

claim "no operand" says 'no file is named' dmtrace split
claim "two operands" says 'more than one file' dmtrace split x.trace y
claim "an empty name is none" \
    says '-o is empty' dmtrace split -o '' x.trace
claim "nor is it for pieces" \
    says '-o is empty' dmtrace split --by thread -o '' x.trace
claim "standard input needs a name" says 'standard input needs -o' \
    dmtrace split -
claim "two files do not fit standard output" says \
    'two files cannot be written to standard output' dmtrace split x.trace -o -
cp key half.key; cp data half.data
claim "half of a pair by its name is refused" \
    says 'half.key: named as half of a pair' dmtrace split half.key
claim "so is its data" says 'half.data: named as' dmtrace split half.data
cp x.trace odd.key
claim "a joined trace of that name wants -o" \
    says 'odd.key: named as half' dmtrace split odd.key
claim "and has it" silent dmtrace split -o even.key odd.key
claim "which gives its halves" halves even
finish
