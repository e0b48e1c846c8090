#!/bin/sh
# cli_rename.sh - original names by a mapping, anonymous ones, and back

. "$srcdir/tests/helpers/claim.sh"

# trace: of the lines of methods on standard input, with ids 4, 8 ...
trace()
{
	printf '*version\n2\nclock=wall\npid=4242\n*threads\n1\tmain\n'
	printf '12\tuser joe\n*methods\n'
	awk '{ printf "0x%x\t%s\n", NR * 4, $0 }'
	printf '*end\nSLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
	printf '\000\001\000\004\000\000\000\001\000\000\000\014\000\010\000'
	printf '\000\000\002\000\000\000\001\000\005\000\000\000\003\000\000'
	printf '\000'
}
# A mapping of each form that R8 and ProGuard write.
cat >mapping.txt <<'MAPPING'
# compiler: R8
# compiler_version: 8.2.42
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
# pg_map_id: 4711
com.app.Main -> a.b:
# {"id":"sourceFile","fileName":"Main.kt"}
    com.app.Item item -> a
    1:1:void main(java.lang.String[]):10:10 -> a
    2:2:void com.app.Log.print():20:20 -> a
    2:2:void helper():15 -> a
    2:2:void main(java.lang.String[]):11 -> a
    void run(int,com.app.Item) -> a
    com.app.Item[] run(com.app.Item[][]) -> a
    void one() -> b
    void two() -> b
    1:5:void early() -> c
    6:9:void late():60:63 -> c
    10:10:void com.app.Moved.moved():5 -> d
    11:14:void com.app.Item.early():8:11 -> d
    15:15:void com.app.Late$Inner.late():9 -> d
    16:16:void com.app.Main$Inner.inner():10 -> d
    7:7:void over():7:7 -> e
    7:7:void overText(java.lang.String):7:7 -> e
    8:8:void com.app.Log.print():20:20 -> e
    8:8:void overInt(int):15 -> e
    1:1:void helper():13:13 -> f
    1:1:void com.app.Log.print():20:20 -> f
    1:1:void outer(int):15:15 -> f
    2:3:void outer(int):16:17 -> f
    9:9:void outlined():0:0 -> h
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4}}
com.app.Item -> a.c:
# {"id":"sourceFile","fileName":"Things.kt"}
# {"id":"com.android.tools.r8.synthesized"}
    1:5:void <init>():3:7 -> <init>
    1:3:void shorter(int,long):30:32 -> d
    # {"id":"com.android.tools.r8.residualsignature","signature":"()V"}
    4:6:boolean other(int):40:42 -> d
    # {"id":"com.android.tools.r8.residualsignature","signature":"(Z)V"}
com.app.Main$$ExternalSyntheticLambda0 -> a.d:
# {"id":"com.android.tools.r8.synthesized"}
    1:1:void com.app.Main.lambda$main$0():33:33 -> run
    1:1:void run():0 -> run
      # {"id":"com.android.tools.r8.synthesized"}
com.app.Late$Inner -> a.l:
# {"id":"sourceFile","fileName":"Late.java"}
com.app.Twice -> a.e:
com.app.TwoTimes -> a.e:
android.kept.Name -> android.kept.Name:
    void onCreate() -> onCreate
MAPPING
# What the release has, and what must come of it.
unfold >rows <<'ROWS'
a.b a ([Ljava/lang/String;)V r8 \
> com.app.Main main ([Ljava/lang/String;)V Main.kt
a.b a (ILa/c;)V r8 > com.app.Main run (ILcom/app/Item;)V Main.kt
a.b a ([[La/c;)[La/c; r8 \
> com.app.Main run ([[Lcom/app/Item;)[Lcom/app/Item; Main.kt
a.b a ([Ljava/lang/String;)V r8 2 \
> com.app.Main main ([Ljava/lang/String;)V Main.kt 11
a.b b ()V r8 > com.app.Main b ()V Main.kt
a.b c ()V r8 4 > com.app.Main early ()V Main.kt 4
a.b c ()V r8 8 > com.app.Main late ()V Main.kt 62
a.b c ()V r8 > com.app.Main c ()V Main.kt
a.b c ()V r8 99 > com.app.Main c ()V Main.kt 99
a.b d ()V r8 10 > com.app.Moved moved ()V r8 5
a.b d ()V r8 12 > com.app.Item early ()V Things.kt 9
a.b d ()V r8 15 > com.app.Late$Inner late ()V Late.java 9
a.b d ()V r8 16 > com.app.Main$Inner inner ()V Main.kt 10
a.b e ()V r8 7 > com.app.Main over ()V Main.kt 7
a.b e (Ljava/lang/String;)V r8 7 \
> com.app.Main overText (Ljava/lang/String;)V Main.kt 7
a.b e (I)V r8 8 > com.app.Main overInt (I)V Main.kt 15
a.b f ()V r8 1 > com.app.Main outer ()V Main.kt 15
a.b f ()V r8 3 > com.app.Main outer ()V Main.kt 17
a.b f ()V r8 > com.app.Main outer ()V Main.kt
a.b h ()V r8 9 > com.app.Main outlined ()V Main.kt -1
a.b z ()V r8 > com.app.Main z ()V Main.kt
a.c <init> ()V r8 > com.app.Item <init> ()V Things.kt
a.c d ()V r8 > com.app.Item shorter (IJ)V Things.kt
a.c d (Z)V r8 > com.app.Item other (I)Z Things.kt
a.d run ()V r8 > com.app.Main$$ExternalSyntheticLambda0 run ()V r8
a.e a ()V r8 > a.e a ()V r8
android.kept.Name onCreate ()V r8 > android.kept.Name onCreate ()V r8
java.lang.String length ()I r8 > java.lang.String length ()I r8
f.g h (La/b;Lf/g;)V r8 > f.g h (Lcom/app/Main;Lf/g;)V r8
ROWS
sed 's/ > .*//' rows | tr ' ' '\t' | trace >t.trace
sed 's/.* > //' rows | tr ' ' '\t' | trace >expected.trace
claim "a mapping gives the original names, and changes nothing else" \
    prints expected.trace dmtrace rename -q --mapping=mapping.txt t.trace
claim "as with a name for the output" \
    dmtrace rename --mapping=mapping.txt -o o.trace t.trace
claim "the same bytes" cmp expected.trace o.trace
unfold >said <<'SAID'
dmtrace rename: note: a.b.b()V keeps its name, which is that of several \
methods: com.app.Main.one()V, com.app.Main.two()V
dmtrace rename: note: a.b.c()V keeps its name, which is that of several \
methods: com.app.Main.early()V, com.app.Main.late()V
dmtrace rename: note: a.b.c()V keeps its name, which is that of several \
methods: com.app.Main.early()V, com.app.Main.late()V
dmtrace rename: note: a.e.a()V keeps its name, which is that of several \
methods: com.app.TwoTimes.a()V, com.app.Twice.a()V
dmtrace rename: renamed 23 methods
dmtrace rename: note: of these only the class, as the mapping does not have \
the method: 1
dmtrace rename: note: methods that keep an ambiguous name; -f tsv lists all: 4
dmtrace rename: note: methods of classes that the mapping does not have: 2
SAID
dmtrace rename --mapping=mapping.txt -o o.trace t.trace 2>notes
claim "ambiguous names have their candidates, and all is counted" \
    diff said notes
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
    state class name signature new_class new_name new_signature \
    candidate a.b b '()V' com.app.Main one '()V' \
    candidate a.b b '()V' com.app.Main two '()V' \
    ambiguous a.b b '()V' com.app.Main b '()V' >table
printf 'a.b\tb\t()V\n' | trace >b.trace
claim "-f tsv lists all candidates" prints table \
    dmtrace rename --mapping=mapping.txt -f tsv -o o.trace b.trace
cat >twice.txt <<'MAPPING'
com.app.Twice -> a.e:
    void a() -> a
com.app.TwoTimes -> a.e:
# {"id":"sourceFile","fileName":"TwoTimes.kt"}
    int stop(int) -> a
com.app.Three -> a.e:
    void x() -> a
MAPPING
unfold >twice.rows <<'ROWS'
candidate a.e a ()V com.app.Twice a ()V
candidate a.e a ()V com.app.Three x ()V
ambiguous a.e a ()V a.e a ()V
renamed a.e a (I)I com.app.TwoTimes stop (I)I
candidate a.e b ()V com.app.Three b ()V
candidate a.e b ()V com.app.TwoTimes b ()V
candidate a.e b ()V com.app.Twice b ()V
ambiguous a.e b ()V a.e b ()V
ROWS
tr ' ' '\t' <twice.rows >rows.expected
printf 'a.e\t%s\tx.java\n' 'a	()V' 'a	(I)I' 'b	()V' | trace >e.trace
dmtrace rename --mapping=twice.txt -f tsv -o o.trace e.trace | sed 1d >rows.seen
claim "-f tsv lists the methods of all classes of one name" \
    cmp rows.expected rows.seen
claim "a method that only one of them may have gets its file, too" \
    grep -aq 'com.app.TwoTimes	stop	(I)I	TwoTimes.kt' o.trace
sed 's/$/\r/' mapping.txt >crlf.txt
claim "lines may end in CR LF" prints expected.trace \
    dmtrace rename -q --mapping=crlf.txt t.trace
{
	sed -n '/^com.app.Item/,$p' mapping.txt
	sed '/^com.app.Item/,$d' mapping.txt
} >turned.txt
claim "classes may be in any order" prints expected.trace \
    dmtrace rename -q --mapping=turned.txt t.trace
claim "even in a pipe" prints expected.trace \
    sh -c 'cat turned.txt | dmtrace rename -q --mapping=- t.trace'
gzip -c mapping.txt >mapping.gz
claim "a mapping may be compressed" prints expected.trace \
    dmtrace rename -q --mapping=mapping.gz t.trace
tr . / <rows | sed 's/ > .*//' | tr ' ' '\t' | trace >slash.trace
dmtrace rename -q --mapping=mapping.txt slash.trace >slashed
claim "classes with slashes get slashes" \
    grep -aq '^0x4	com/app/Main	main	' slashed
printf 'x\n' >>mapping.txt
claim "lines that are not understood are counted" \
    answers 0 'lines of the mapping are not understood: 1' \
    dmtrace rename --mapping=mapping.txt -o o.trace t.trace
printf 'com.app.Main -> a.b:\n    void first() -> ab' >whole.map
printf 'com.app.Main -> a.b:\n    void first() -> a' >cut.map
printf 'a.b\ta\t()V\n' | trace >ab.trace
printf 'com.app.Main\ta\t()V\n' | trace >ab.expected
for mapping in whole.map cut.map; do
	claim "$mapping: a last line without a newline is left out, and said" \
	    answers 1 "$mapping: line 2: the file ends within this line" \
	    dmtrace rename -q --mapping=$mapping -o ab.new ab.trace
	claim "$mapping: nothing of it is used" cmp ab.expected ab.new
done
{
	cat whole.map
	printf '\n    :::void z() -> c\n    3:1:void q() -> c\n'
	printf '    99999999999999999999:3:void q() -> c\n'
} >odd.map
printf 'a.b\tc\t()V\n' | trace >odd.trace
printf 'com.app.Main\tc\t()V\n' | trace >odd.expected
claim "lines of nonsense are counted" \
    answers 0 'lines of the mapping are not understood: 3' \
    dmtrace rename --mapping=odd.map -o odd.new odd.trace
claim "and name nothing" cmp odd.expected odd.new
claim "another file is no mapping" says 't.trace: is no mapping' \
    dmtrace rename --mapping=t.trace -o none.trace t.trace
claim "a compressed one on standard input is named" \
    says 'standard input: this is compressed with gzip' sh -c '
    printf "\037\213\010\000" |
    dmtrace rename --mapping=- -o none.trace t.trace'
claim "and leaves no output" no_output none

# Dialects: the events are the same, and the names are those of the mapping.
events()
{
	dmtrace dump -q -f tsv "$1" | cut -f 1-6
}
names()
{
	dmtrace convert -q -d v3 "$1" | LC_ALL=C sed -n '/^0x/p' |
	    cut -f 2-4 | sort
}
named_as()
{
	names "$1" >one && names "$2" >two && diff one two
}
head -4 rows | sed 's/ > .*//; s/ 2$//' | cut -d ' ' -f 1-4 | sort -u |
    tr ' ' '\t' | trace >few.trace
dmtrace rename -q --mapping=mapping.txt -o few.new.trace few.trace
for dialect in v1 v3 f2 f3 v4 v5 f5; do
	dmtrace convert -q -d $dialect -o d.trace few.trace
	dmtrace rename -q --mapping=mapping.txt -o d.new.trace d.trace
	events d.trace >before
	events d.new.trace >after
	claim "$dialect: the events stay" cmp before after
	claim "$dialect: the names are new" named_as d.new.trace few.new.trace
done
dmtrace dump --text few.trace >few.dmt
claim "a text is an operand" prints few.new.trace \
    dmtrace rename -q --mapping=mapping.txt few.dmt
dmtrace split -q -o pair.key few.trace
dmtrace rename -q --mapping=mapping.txt -o new.key pair.key
dmtrace split -q -o few.key few.new.trace
claim "a pair becomes a pair" cmp new.key few.key
claim "with the same data" cmp new.data pair.data

# Anonymous names.
printf '0123456789abcdef' >key
{
	printf 'com.app.Main\trun\t(ILcom/app/Item;[Landroid/os/Bundle;)V'
	printf '\tMain.kt\t7\n'
	printf 'com.app.Item\t<init>\t()V\tItem.java\n'
	printf 'android.app.Activity\tonCreate\t(Lcom/app/Item;)V\tA.java\n'
	printf 'native;symbol\n'
} | trace | sed 's/^pid=.*/pid=42\ndevice=serial 4711/' >a.trace
dmtrace rename -q --anonymize=key --table=names -o anon.trace a.trace
hidden()
{
	! grep -aq -e joe -e 'app.Main' -e app.Item -e '	run' -e 4711 \
	    -e symbol -e Main.kt -e Item.java -e root -e native "$1"
}
claim "no name of the app is left" hidden anon.trace
hex='[0-9a-f]*'
bundle='\[Landroid/os/Bundle;'
claim "types keep their shape, and those of the platform their names" \
    grep -aq "^0x4.C$hex.m$hex.(ILC$hex;$bundle)V.F$hex.kt.7\$" anon.trace
claim "methods of the platform keep their names" \
    grep -aq "^0xc.android.app.Activity.onCreate.(LC$hex;)V.A.java" \
    anon.trace
claim "constructors, too" grep -aq '	<init>	()V	F[0-9a-f]*.java$' \
    anon.trace
claim "the same key gives the same bytes" prints anon.trace \
    dmtrace rename -q --anonymize=key a.trace
dmtrace convert -q -d f2 a.trace | dmtrace rename -q --anonymize=key - |
    dmtrace convert -q -d v2 -o other.trace -
claim "and the same names in another dialect" \
    sh -c '[ "$(grep -a "^0x4" other.trace | cut -f 2-4)" = \
	"$(grep -a "^0x4" anon.trace | cut -f 2-4)" ]'
dmtrace rename -q --anonymize -o random.trace a.trace
claim "a random key gives others" \
    sh -c '! grep -aqF "$(grep -a "^0x4" anon.trace)" random.trace'
claim "and hides them" hidden random.trace
(umask 0; dmtrace rename -q --anonymize=key --table=mode.gz -o mode.trace \
    a.trace)
claim "nobody else can read the table" sh -c \
    'ls -l names mode.gz | grep -c "^-rw------- " | grep -qx 2'
chmod 644 names
dmtrace rename -q --anonymize=key --table=names -o anon.trace a.trace
claim "not even one that was there before" sh -c \
    'ls -l names | grep -q "^-rw------- "'
claim "the table leads back, byte for byte" prints a.trace \
    dmtrace rename -q --table=names anon.trace
# The way back from any trace, except for what is no name and left out, and for
# traces of packets, which are written anew.
differ()
{
	for good in "$srcdir"/tests/data/good-*.trace; do
		dmtrace rename -q --anonymize=key --table=all.names \
		    -o hidden.trace "$good"
		dmtrace rename -q --table=all.names -o back.trace hidden.trace
		cmp -s "$good" back.trace || basename "$good" .trace
		rm -f all.names hidden.trace back.trace
	done
}
printf 'good-%s\n' columns-7 columns-line end-extra long-running packets-4 \
    packets-5 packets-b packets-e packets-f packets-f4 packets-f5 \
    packets-split packets-ticks section-unknown stream-odd version-word >differs
claim "the table leads back from each sample" prints differs differ
printf '%s\n' 'app/Main	m	()V' 'com.app.Main	m	()V' \
    'app.Main	m	(Lapp/Main;Lb/C;)V' '/lib/libx.so	f	' \
    'a.b/c	m	(La.b;)V	X.java	' | trace >mixed.trace
dmtrace rename -q --anonymize=key --table=mixed.names -o hidden.trace \
    mixed.trace
claim "and from classes that are written with dots and slashes" \
    prints mixed.trace dmtrace rename -q --table=mixed.names hidden.trace
dmtrace rename -q --anonymize=key --all -o all.trace a.trace
claim "--all hides the platform" sh -c '! grep -aq android all.trace'
sed 's/$/	more/' key >long
claim "a key has 16 bytes" says 'is not a key, which has 16 bytes' \
    dmtrace rename --anonymize=long -o none.trace a.trace
claim "a key must exist" says 'cannot open none' \
    dmtrace rename --anonymize=none -o none.trace a.trace
for bytes in 1 2 9; do
	head -c $(($(wc -c <names) - bytes)) names >cut.names
	claim "a table that lacks $bytes bytes at its end is refused" says \
	    "cut.names: line $(wc -l <names): the file ends within this line" \
	    dmtrace rename --table=cut.names -o none.trace anon.trace
done
claim "a table must be one" says 'line 1: a table of names begins' \
    dmtrace rename --table=key -o none.trace a.trace
claim "the table must not be the trace" says 'both the input' \
    dmtrace rename --anonymize --table=a.trace -o none.trace a.trace
claim "and no output is left" no_output none

# What would be written over, or twice.
head -c 16 /dev/zero >key16
cp key16 key16.copy
while read -r what message arguments; do
	claim "refused: $what" says "$message" dmtrace rename $arguments
done <<'ROWS'
table-and-trace twice --anonymize --table=w.out -o ./w.out a.trace
table-and-half twice --anonymize --table=w.data -o w.key a.trace
both-on-stdout --table --anonymize --table=- a.trace
key-by-table both --anonymize=key16 --table=key16 -o w.out a.trace
key-by-trace both --anonymize=key16 -o key16 a.trace
mapping-by-trace both --mapping=mapping.txt -o mapping.txt a.trace
ROWS
claim "nothing was written" sh -c \
    'cmp key16 key16.copy && [ ! -e w.out ] && [ ! -e w.data ]'

# Overloads on one line of the source, as ProGuard writes them.
printf '%s\n' '\357\273\277app.P -> q.a:' \
    '    3:3:int alpha(int) -> a' '    3:3:void beta() -> a' |
    while read -r line; do printf "    $line\n"; done |
    sed 's/^ *\(.*app\.P\)/\1/' >one-line.map
printf 'q.a\ta\t(I)I\tX.java\nq.a\ta\t()V\tX.java\n' | trace >two.trace
claim "overloads on one line are not inlined frames, and a BOM is skipped" \
    dmtrace rename -q --mapping=one-line.map -o two.new two.trace
claim "each has its name" sh -c 'grep -aq "app.P	alpha	(I)I" two.new &&
    grep -aq "app.P	beta	()V" two.new'
# Equal ranges are frames of inlined calls, or overloads if the signature says
# so.
cat >equal.map <<'MAPPING'
orig.A -> a:
    3:3:void one(int):11:11 -> c
    3:3:void two(java.lang.String):21:21 -> c
    1:5:void one(orig.B,int):11:15 -> d
    # {"id":"com.android.tools.r8.residualsignature","signature":"(ILa/b;)V"}
    1:5:void two(orig.B,java.lang.String):21:25 -> d
    # {"id":"com.android.tools.r8.residualsignature","signature":"(La/b;)V"}
    3:3:void one(orig.B):8:8 -> e
    # {"id":"com.android.tools.r8.residualsignature","signature":"(I)V"}
    3:3:void two(orig.B):9:9 -> e
    7:7:void inner():31:31 -> f
    7:7:void outer():41 -> f
    8:8:void inner():31:31 -> f
    8:8:void inner(int):32:32 -> f
    8:8:void outer(orig.B):42 -> f
    9:9:void inner():31:31 -> g
    9:9:void orig.C.inner():32:32 -> g
    9:9:void outer(int):43 -> g
    10:10:void inner():31:31 -> h
    10:10:void outer(int):50 -> h
    11:11:void outer(int):51 -> h
    12:12:void one(int):60:60 -> i
    12:12:void two(long):70:70 -> i
    13:13:void one(int):61 -> i
    0:0:void zero():33:33 -> z
orig.B -> a.b:
MAPPING
unfold >equal.rows <<'ROWS'
a c (I)V r8 3 > orig.A one (I)V r8 11
a c (Ljava/lang/String;)V r8 3 > orig.A two (Ljava/lang/String;)V r8 21
a c (J)V r8 3 > orig.A two (J)V r8 21
a c (I)V r8 > orig.A one (I)V r8
a c (I)V r8 4 > orig.A one (I)V r8 4
a c (Ljava/lang/String;)V r8 > orig.A two (Ljava/lang/String;)V r8
a d (ILa/b;)V r8 2 > orig.A one (Lorig/B;I)V r8 12
a d (La/b;)V r8 5 > orig.A two (Lorig/B;Ljava/lang/String;)V r8 25
a e (I)V r8 3 > orig.A one (Lorig/B;)V r8 8
a e (La/b;)V r8 3 > orig.A two (Lorig/B;)V r8 9
a f ()V r8 7 > orig.A outer ()V r8 41
a f (La/b;)V r8 8 > orig.A outer (Lorig/B;)V r8 42
a g ()V r8 9 > orig.A outer ()V r8 43
a g ()V r8 > orig.A outer ()V r8
a h ()V r8 11 > orig.A outer ()V r8 51
a i (I)V r8 12 > orig.A one (I)V r8 60
a i (I)V r8 13 > orig.A one (I)V r8 61
a i (J)V r8 12 > orig.A two (J)V r8 70
a z ()V r8 0 > orig.A zero ()V r8 33
a z ()V r8 -1 > orig.A zero ()V r8 -1
ROWS
sed 's/ > .*//' equal.rows | tr ' ' '\t' | trace >equal.trace
sed 's/.* > //' equal.rows | tr ' ' '\t' | trace >equal.expected
claim "of lines with equal ranges the signature chooses, else the last one" \
    prints equal.expected dmtrace rename -q --mapping=equal.map equal.trace
# Inner frames do not take the place of others: 256 of each are kept.
{
	echo 'orig.A -> a:'
	awk 'BEGIN {
		for (i = 1; i <= 300; i++) {
			printf "    %d:%d:void in%d(int):1:1 -> c\n", i, i, i
			printf "    %d:%d:void out%d(long):2 -> c\n", i, i,
			    i % 200
		}
	}'
} >many.map
printf 'a\tc\t(J)V\tr8\t260\n' | trace >many.trace
printf 'orig.A\tout60\t(J)V\tr8\t2\n' | trace >many.expected
claim "many inner frames leave the others their names" \
    prints many.expected dmtrace rename -q --mapping=many.map many.trace
printf '*version\n2\nvm=secret\npid=secret\ndmtrace-x=secret\n' >secret.trace
printf '%s\n' serial-secret=1 secret dmtrace-piece-secret=2 \
    dmtrace-whole-secret=3 dmtrace-piece-by=secret dmtrace-piece-id=secret \
    '*threads' >>secret.trace
sed '1,/^[*]threads/d' a.trace >>secret.trace
dmtrace rename -q --anonymize --table=secret.names -o secret.new secret.trace
claim "no option keeps a name or a value that may be one" \
    sh -c '! grep -a secret secret.new'
claim "they come back" prints secret.trace \
    dmtrace rename -q --table=secret.names secret.new
cp names two.names
printf 'thread\t%s\tjoe\n' "$(sed -n 's/^thread	\(t[^	]*\)	.*/\1/p' names |
    head -n 1)" >>two.names
claim "a table with two originals of a name is refused" \
    says 'another line has this name, with another original' \
    dmtrace rename -q --table=two.names -o none.trace anon.trace
claim "--anonymize= without a file is refused, and takes no random key" \
    says '--anonymize= has no value: leave out the "=", or give a KEYFILE' \
    dmtrace rename --anonymize= -o none.trace a.trace
{
	sed -n '1,/^\*methods/p' a.trace | LC_ALL=C sed '/^\*methods/d'
	printf 'root\n*secret\nname=joe\n'
	LC_ALL=C sed -n '/^\*methods/,$p' a.trace
} >odd.trace
dmtrace rename -q --anonymize=key -o odd.new.trace odd.trace
claim "unknown sections and lines are left out, or hidden" hidden odd.new.trace

claim "a way is needed" says 'no way to rename' dmtrace rename a.trace
claim "one way at a time" says '--mapping is used alone' \
    dmtrace rename --mapping=mapping.txt --anonymize a.trace
claim "--all needs --anonymize" says '--all needs' \
    dmtrace rename --table=names --all a.trace
claim "rows need a name for the trace" says 'name a file with -o' \
    dmtrace rename --table=names -f tsv a.trace

# Bounded memory: of a long mapping only what the trace has is kept.
long_mapping()
{
	awk -v classes="$1" 'BEGIN {
		for (i = 0; i < classes; i++) {
			printf "com.app.long.package.Class%d -> x.c%d:\n", i, i
			for (j = 1; j <= 9; j++)
				printf "    %d:%d:void method%d(int,com.app" \
				    ".Item):%d:%d -> a\n", j, j, j, j, j
		}
	}'
	cat crlf.txt
}
classes=20000
[ "$DMTRACE_MORE" != yes ] || classes=380000	# 200 MB
long_mapping $classes >long.txt
if [ "$SANITIZED" = yes ]; then
	skip "bounded memory" "sanitizers need more"
else
	claim "a long mapping, in 64 MB" prints expected.trace sh -c \
	    'ulimit -v 65536; dmtrace rename -q --mapping=long.txt t.trace'
fi
finish
