#!/bin/sh
# cli_v2_laws.sh - whatever is written in trace format V2 is read back the same

. "$srcdir/tests/helpers/claim.sh"

sizes='2 3 5 9 40 400'
more && rounds=140 || rounds=1

# make_trace SEED RECORDS LISTED: a.trace, which lists all of its methods, none,
# all but the one of the first record, or an odd id instead of that one
make_trace()
{
	dmtrace generate -q --seed="$1" --events="$2" \
	    --methods=$(($1 % 7 + 1)) --threads=$(($1 % 3 + 1)) \
	    -o all.trace || return 1
	first=$(dmtrace dump -q -f tsv all.trace | sed -n '2{p;q;}' | cut -f 3)
	case $3 in
	all)	mv all.trace a.trace ;;
	none)	LC_ALL=C sed '1,/^\*end/{ /^0x/d; }' all.trace >a.trace ;;
	but)	LC_ALL=C sed "1,/^\\*end/{ /^$first/d; }" all.trace >a.trace ;;
	odd)	LC_ALL=C sed "1,/^\\*end/s/^$first/0x7ffffff0/" all.trace \
		>a.trace ;;
	esac
}

# The events, without names.
events()
{
	dmtrace dump -q -f tsv "$1" | cut -f 1-5
}

# same STAGE: V2 of a.trace has its events
same()
{
	rm -f v5.trace
	dmtrace convert -q -d v5 --stage "$1" -o v5.trace a.trace &&
	    events a.trace >wanted && events v5.trace >got && cmp wanted got
}

# all_the_same STAGE LISTED: traces of every size
all_the_same()
{
	for size in $sizes; do
		round=0
		while [ $((round += 1)) -le $rounds ]; do
			seed=$((round * 100 + size))
			make_trace $seed "$size" "$2" && same "$1" || {
				echo "seed $seed, $size records"
				return 1
			}
		done
	done
}

for stage in c e f; do
	for listed in all none but odd; do
		claim "stage $stage, methods listed: $listed" \
		    all_the_same "$stage" "$listed"
	done
done

# small COUNT: a.trace, whose records have a small id that is not listed; others
# are, so that in another stage the records are of methods that are
small()
{
	{
		printf 'key 3\nclock=dual\nthread 1 main\n'
		for low in 0 4 8 c 10 14 18 20 24 28 2c; do
			echo "method 0x$low A.m$low()V A.java"
		done
		echo 'header v3 start=1000us'
		i=0
		while [ $((i += 1)) -le "$1" ]; do
			echo "$((i + 7))us/$((i + 1))us 1 0x1c"
		done
	} >a.txt
	dmtrace undump -o a.trace a.txt
}

# small_same STAGE
small_same()
{
	for count in 1 2 3 40; do
		small $count && same "$1" || return 1
	done
}

for stage in c e f; do
	claim "stage $stage, a small id that is not listed" small_same $stage
done

# marks MARK NAME: the header of the sample, written anew, ends in the mark
marks()
{
	dmtrace shift -q --by 1ms -o shifted.trace \
	    "$srcdir/tests/data/good-packets-$2.trace" &&
	    [ "$(tail -c +31 shifted.trace | head -c 2)" = "$1" ]
}

claim "a header says that the stage is b" marks sb b
claim "a header says that the stage is c" marks sc 5
claim "a header says that the stage is e" marks se e

# A copy is one, also of the header.
copies()
{
	for name in 4 5 b e f f4 f5 ticks split; do
		sample="$srcdir/tests/data/good-packets-$name.trace"
		rm -f copy.trace
		dmtrace filter -q -o copy.trace "$sample" &&
		    cmp "$sample" copy.trace || return 1
	done
}

claim "filter without conditions copies what others wrote" copies

# A long block, of which the first window has a part.
make_trace 1 300000 none
claim "a block longer than the window, no method listed" same e
rm -f ./*.trace wanted got

# Pieces of one record each, most of them of methods that are not listed.
pieces()
{
	make_trace 5 300 but && dmtrace convert -q -d v5 -o v5.trace a.trace &&
	    dmtrace split -q --by events=1 -o 'p-%.trace' v5.trace &&
	    dmtrace merge -q --rejoin -o whole.trace p-*.trace &&
	    events a.trace >wanted && events whole.trace >got && cmp wanted got
}

claim "pieces of one record" pieces

# Exits whose enters were cut off have no method in stage F.
bare_pieces()
{
	rm -f p-*.trace
	make_trace 7 300 all && dmtrace filter -q --raw --from 100us \
	    -o cut.trace a.trace &&
	    dmtrace convert -q -d v5 --stage=f -o v5.trace cut.trace &&
	    dmtrace split -q --by events=20 -o 'p-%.trace' v5.trace &&
	    dmtrace merge -q --rejoin -o whole.trace p-*.trace &&
	    dmtrace validate --all -f tsv v5.trace | grep exit-before &&
	    cmp v5.trace whole.trace
}

claim "pieces of stage F with exits of no call" bare_pieces
finish
