#!/bin/sh
# cli_packed.sh - compressed files are read and written as any others
#
# The rows of "commands" have one for each command that reads a file; $t is the
# trace, $p its pair, $s a stream, $x a text, $e an event log, $c a trace of
# another program. In the folder plain they are what they are, in the others
# compressed, and have the same names. What a command prints must be the same,
# and it must fail if such a file is truncated.

. "$srcdir/tests/helpers/claim.sh"

dmtrace generate --seed 5 --events 3000 -o all.trace
data=$srcdir/tests/data
mkdir plain
cp all.trace plain/t.trace
dmtrace split -q -o plain/p.key all.trace
dmtrace export -q -f chrome -o plain/c.json all.trace
cp "$data/good-stream-f2.trace" plain/s.trace
dmtrace dump --text "$data/good-v1.trace" >plain/x.dmt
# an event: lengths, process, thread, time, tag 30001, a string
printf '%b' '\017\000\000\000\001\000\000\000\002\000\000\000\003\000\000\000' \
    '\004\000\000\000\061\165\000\000\002\006\000\000\000abcdef' >plain/e.bin

for program in gzip zstd xz bzip2 lz4; do
	have $program || continue
	mkdir $program
	for file in t.trace p.key p.data s.trace x.dmt c.json e.bin; do
		$program -c <plain/$file >$program/$file
	done
	head -c "$(($(wc -c <$program/t.trace) - 20))" $program/t.trace \
	    >cut.$program
done
mkdir cut
for file in gzip/*; do
	head -c "$(($(wc -c <$file) - 6))" $file >cut/${file#gzip/}
done

printf 'calls(*) >= 1\n' >spec
printf '0123456789abcdef' >hash-key
cat >commands <<'ROWS'
info	dmtrace info -f tsv $t | cut -f 1-23
dump	dmtrace dump $t
dump	dmtrace dump --text $t
tail	dmtrace tail $s
validate	dmtrace validate --for=all $t
validate	dmtrace validate --fix -q -o - $t
diff	dmtrace diff -q $t ../all.trace
checksum	dmtrace checksum $t
expect	dmtrace expect ../spec $t
undump	dmtrace undump $x
generate	-
corrupt	dmtrace corrupt -q --seed=7 $t
record	-
import	dmtrace import -q --from-format=chrome $c
join	dmtrace join -o - $p ${p%.key}.data
join	dmtrace join -o - ${p%.key}
split	dmtrace split --force -o ../split.key $t && cat ../split.*
split	dmtrace split -q --by events=900 -o ../s $t && cat ../s-* && rm ../s-*
convert	dmtrace convert -q -d v5 $t
sort	dmtrace sort --any-clock $t
shift	dmtrace shift --by=1ms $t
rename	dmtrace rename -q --anonymize=../hash-key $t
repair	dmtrace repair -q $t
filter	dmtrace filter -t main $t
merge	dmtrace merge -q $t $p
report	dmtrace report $t
report	dmtrace report $p
graph	dmtrace graph $t
flame	dmtrace flame $t
view	dmtrace view -o - $t
export	dmtrace export -q -f jsonl $t
eventlog	dmtrace eventlog $e
help	-
ROWS

# prints_same FOLDER COMMAND: what it prints of the files in plain
prints_same()
{
	t=t.trace p=p.key s=s.trace x=x.dmt c=c.json e=e.bin
	(cd plain && eval "$2") >plain.out 2>plain.err
	expected=$?
	(cd "$1" && eval "$2") >packed.out 2>packed.err
	[ "$?" = "$expected" ] && [ -s plain.out ] &&
	    cmp plain.out packed.out && cmp plain.err packed.err ||
	    { cat packed.err; return 1; }
}

# fails_cut COMMAND: of a truncated file
fails_cut()
{
	t=t.trace p=p.key s=s.trace x=x.dmt c=c.json e=e.bin
	(cd cut && eval "$(echo "$1" | sed 's/|.*//')") >cut.out 2>cut.err
	status=$?
	[ "$status" -eq 2 ] || { echo "exit status $status"; cat cut.err
	    return 1; }
	has '"gzip -dc" failed with exit status 1: gzip: ' cut.err
}

dmtrace help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | sort >known
cut -f 1 commands | sort -u >tried
claim "every command has a row" cmp known tried

while IFS='	' read -r name command; do
	[ "$command" != - ] || continue
	claim "$command: the same, compressed" prints_same gzip "$command"
	claim "$command: a truncated file fails" fails_cut "$command"
done <commands
for program in zstd xz bzip2 lz4; do
	have $program || { skip "$program" "not installed"; continue; }
	claim "$program: checksum" prints_same $program 'dmtrace checksum $t'
	claim "$program: a pair" prints_same $program 'dmtrace checksum $p'
	head -c "$(($(wc -c <$program/s.trace) - 1))" $program/s.trace \
	    >tail.$program
	claim "$program: tail reads to the end of the program" \
	    answers 2 "\"$program -dc\" failed with exit status " \
	    dmtrace tail -q tail.$program
	claim "$program: a truncated file" \
	    answers 2 "\"$program -dc\" failed with exit status " \
	    dmtrace dump -q cut.$program
done

# Names: of the pieces, of what is derived, and of files that are found.
mkdir names && cd names || exit
cp ../gzip/p.key x.key.gz
cp ../gzip/p.data x.data.gz
cp ../gzip/p.key y.key.gz
cp ../plain/p.data y.data
cp ../gzip/t.trace w.trace.gz
same_sum()
{
	dmtrace checksum -f tsv "$@" | cut -f 2- >sum
	dmtrace checksum -f tsv ../all.trace | cut -f 2- | cmp - sum
}
for name in x.key.gz x.data.gz x y.key.gz y.data y w.trace.gz w; do
	claim "$name is found" same_sum "$name"
done
claim "split derives names from that of a compressed file" \
    dmtrace split w.trace.gz
claim "which have no suffix for it" cmp w.key ../plain/p.key
rm w.key w.data
claim "join finds both files of a pair" dmtrace join y
claim "and names the trace" cmp y.trace ../all.trace
claim "pieces have names without the suffix" \
    dmtrace split -q --by events=1000 w.trace.gz
gzip w-*.trace
claim "compressed pieces are rejoined" \
    dmtrace merge -q --rejoin -o rejoined.trace w-*.trace.gz
claim "as they were" cmp rejoined.trace ../all.trace
claim "merge knows that they are pieces" \
    dmtrace merge -q -o merged.trace w-*.trace.gz
claim "which is the same" cmp merged.trace ../all.trace
head -c 100 ../gzip/p.data >cut.data.gz
cp x.key.gz cut.key.gz
for name in cut.key.gz cut; do
	claim "$name: the failing half is named" says \
	    "$name: cut.data.gz: \"gzip -dc\" failed" dmtrace checksum "$name"
done
claim "its own name is not repeated" says \
    'checksum: cut.data.gz: "gzip -dc" failed' dmtrace checksum cut.data.gz
if have xz; then
	mkdir two
	cp x.key.gz x.data.gz ../gzip/t.trace two
	mv two/t.trace two/t.trace.gz
	xz -c ../plain/t.trace >two/t.trace.xz
	xz -c ../plain/p.data >two/x.data.xz
	cp ../plain/p.key two/z.key
	cp x.data.gz two/z.data.gz
	cp two/x.data.xz two/z.data.xz
	for names in 't t.trace.gz t.trace.xz' 'z z.data.gz z.data.xz'; do
		set -- $names
		claim "$1: two compressed files are not chosen among" says \
		    "both two/$2 and two/$3 exist: name one of them" \
		    dmtrace checksum "two/$1"
	done
	claim "join does not choose either" says \
	    'both two/z.data.gz and two/z.data.xz exist' dmtrace join two/z
	claim "the half with the same suffix is the other one" \
	    same_sum two/x.key.gz
else
	skip "two compressed files" "no xz"
fi
claim "the output must not be the compressed input" says 'both the input' \
    dmtrace filter -t main -o w.trace.gz w.trace.gz
cd .. || exit

# packs SUFFIX PROGRAM: what is written through the program
packs()
{
	dmtrace filter -t main -o f.trace all.trace &&
	    dmtrace filter -t main -o "f.trace$1" all.trace &&
	    $2 -dc <"f.trace$1" | cmp - f.trace
}
for row in .gz:gzip .zst:zstd .xz:xz .bz2:bzip2 .lz4:lz4; do
	have "${row#*:}" || { skip "$row" "not installed"; continue; }
	claim "-o x.trace${row%:*} writes through ${row#*:}" \
	    packs "${row%:*}" "${row#*:}"
done
claim "-o x.key.gz writes two compressed files" \
    dmtrace convert -q -d v3 -o pair.key.gz all.trace
claim "of which both can be unpacked" gzip -t pair.key.gz pair.data.gz
claim "split -o x.key.gz, too" dmtrace split -o halves.key.gz all.trace
gzip -dc halves.data.gz >halves.data
claim "byte for byte" cmp halves.data plain/p.data
claim "-o x.dmt.gz writes a compressed text" \
    dmtrace filter -q -t main -o f.dmt.gz all.trace
claim "which starts as one" sh -c \
    'gzip -dc f.dmt.gz | head -n 1 | grep -q "^dmtrace text"'
claim "and is read as a trace" dmtrace checksum f.dmt.gz
claim "a table is compressed, too" dmtrace dump -f tsv -o d.tsv.gz all.trace
claim "table: gzip reads it" gzip -t d.tsv.gz
claim "a profile for pprof is compressed once" \
    dmtrace export -q -f pprof -o p.pb.gz all.trace
claim "profile: one layer" sh -c \
    '[ "$(gzip -dc p.pb.gz | head -c 2 | od -An -tx1)" != " 1f 8b" ]'
if have xz; then
	dmtrace export -q -f pprof -o p.pb.xz all.trace
	claim "a profile for pprof may be in a file of xz" \
	    sh -c 'xz -dc p.pb.xz | cmp - p.pb.gz'
fi
dmtrace filter -t main -o g.trace.gz all.trace
claim "the same bytes each time" cmp f.trace.gz g.trace.gz
claim "pieces are not written compressed" says 'are not compressed' \
    dmtrace split --by events=900 -o 'x-%.trace.gz' all.trace
claim "not even by a name without a mark" says 'are not compressed' \
    dmtrace split --by events=900 -o x.trace.gz all.trace
claim "nor a recording" says 'not compressed while it is recorded' \
    dmtrace record -o r.trace.gz -- true

# Text may begin with the letters of bzip2.
printf 'BZh9;run 5000\n' >letters
claim "a text that begins as bzip2 does is no compressed file" \
    dmtrace import -q -o letters.trace letters
! have bzip2 || claim "an empty one is" says '"bzip2 -dc" unpacks it' \
    sh -c 'bzip2 </dev/null | dmtrace dump -'

printf 'BZh9' >four
printf '\375\067zX' >five
! have bzip2 || claim "the first bytes of one are a cut one" \
    says '"bzip2 -dc" failed' dmtrace info -q -f tsv four -o rows
! have xz || claim "also of xz" \
    says '"xz -dc" failed' dmtrace info -q -f tsv five -o rows

# On standard input nothing is unpacked.
cp gzip/t.trace gz
claim "a compressed pipe is refused by name" \
    says '"gzip -dc" unpacks it' sh -c 'dmtrace dump - <gz'

# Programs that are missing, fail, are killed, or would never end.
mkdir bin
ln -s "$(command -v dmtrace)" bin/dmtrace
for row in gzip:gzip xz:xz-utils lz4:lz4; do
	[ -d "${row%:*}" ] || continue
	claim "a missing ${row%:*} is named with its package" \
	    says "${row%:*}\", which is not installed; it is in Debian's\
 package ${row#*:}" env PATH="$PWD/bin" dmtrace info -q -f tsv \
	    "${row%:*}/t.trace" -o rows
done
claim "a missing program cannot write" says "Debian's package xz-utils" \
    env PATH="$PWD/bin" dmtrace filter -t main -o o.trace.xz all.trace
claim "and leaves nothing" no_output

# fake BODY: a program in place of gzip
fake()
{
	printf '#!/bin/sh\n%s\n' "$1" >bin/gzip
	chmod +x bin/gzip
}
PATH=$PWD/bin:$PATH
fake 'cat plain/t.trace; kill -9 $$'
claim "a program that is killed is an error, after all bytes" \
    says '"gzip -dc" was ended by signal 9' dmtrace checksum gz
fake 'cat plain/t.trace; exit 3'
claim "and one that fails silently" \
    says '"gzip -dc" failed with exit status 3' dmtrace checksum gz
fake 'cat plain/t.trace; i=0; while [ $i -lt 20000 ]; do
echo "a long message that nobody reads $i" >&2; i=$((i + 1)); done; exit 1'
claim "one that prints much does not block" \
    says 'exit status 1: a long message that nobody reads 0' \
    dmtrace checksum gz
fake 'head -c 10 >/dev/null; echo full >&2; exit 5'
claim "one that stops reading is an error" \
    says '"gzip -nc" failed with exit status 5: full' \
    dmtrace convert -q -d v2 -o o.trace.gz all.trace
claim "and leaves no output" no_output
claim "nor a temporary" no_output o.trace.gz
ends_program()
{
	rm -f pid
	"$@"
	[ -s pid ] && ! kill -0 "$(cat pid)" 2>/dev/null
}
fake 'echo $$ >pid; head -c 2000000 /dev/zero; exec sleep 1000'
claim "a program that would not end is ended with us" \
    ends_program says 'begins with' dmtrace info -q -f tsv gz -o rows
finish
