#!/bin/sh
# cli_v2_laws.sh - whatever is written in trace format V2 is read back the same

. "$srcdir/tests/helpers/claim.sh"

sizes='2 3 5 9 40 400'
rounds=5
[ -z "${DMTRACE_MORE-}" ] || rounds=140

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

# A long block, of which the first window has a part.
make_trace 1 1000000 none
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
