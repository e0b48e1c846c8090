#!/bin/sh
# cli_laws.sh - what commands undo comes back, and comes out the same again

. "$srcdir/tests/helpers/claim.sh"

# done_with COMMAND...: it did its work, whatever it found
done_with()
{
	status=0
	"$@" || status=$?
	[ "$status" -lt 2 ] || { echo "exit status $status"; return 1; }
}

# comes_back FILE OPTION...: split and joined it is the same, to the byte
comes_back()
{
	rm -f half.key half.data again
	cp "$1" whole.trace
	shift
	done_with dmtrace split -o half.key whole.trace &&
	    cat half.key half.data | cmp whole.trace - &&
	    [ "$(head -c 4 half.data)" = SLOW ] &&
	    done_with dmtrace join --exact "$@" -o again half.key half.data &&
	    cmp whole.trace again
}

# comes_back_or_not FILE: or split refuses it and leaves nothing
comes_back_or_not()
{
	if dmtrace split -o half.key "$1"; [ $? -eq 2 ]; then
		[ ! -e half.key ] && [ ! -e half.data ]
	else
		comes_back "$1" --force
	fi
}

# all_or_not FILE...
all_or_not()
{
	for file; do
		rm -f half.*
		claim "${file##*/} is the same after join and split" \
		    comes_back_or_not "$file"
	done
}

all()
{
	for file in "$1"/*.trace; do
		case $file in
		*-streaming.trace) ;;
		*) claim "${file##*/} is the same when joined" \
			comes_back "$file" ;;
		esac
	done
}

# same_again VERSION CLOCK: the same seed gives the same bytes, another none
same_again()
{
	rm -f one two three
	for run in 'one 7' 'two 7' 'three 8'; do
		dmtrace generate --events 5000 --dialect="v$1" \
		    --clock "$2" --seed "${run#* }" -o "${run% *}" || return
	done
	cmp one two && ! cmp -s one three
}

same_pair()
{
	dmtrace generate --events 5000 -o pair.key &&
	    dmtrace generate --events 5000 -o whole &&
	    cat pair.key pair.data | cmp whole -
}

same_stream()
{
	dmtrace generate --events 5000 | cmp whole -
}

all_or_not "$srcdir"/tests/data/*.trace
if [ -n "${DMTRACE_DEFECTS-}" ]; then
	all_or_not $(defects)
else
	skip "files with defects are restored exactly" \
	    "DMTRACE_DEFECTS is not set"
fi
if [ -n "${DMTRACE_CORPUS-}" ]; then
	all "$DMTRACE_CORPUS"
	all "$DMTRACE_CORPUS/dalvik-filters"
else
	skip "the corpus is restored exactly" "DMTRACE_CORPUS is not set"
fi
while read -r version clock; do
	claim "generate gives the same bytes again: version $version, $clock" \
	    same_again "$version" "$clock"
	claim "version $version, $clock is the same after split and join" \
	    comes_back one
done <<ROWS
1 thread-cpu
1 wall
1 global
2 thread-cpu
2 wall
2 global
3 thread-cpu
3 wall
3 dual
ROWS
claim "a generated pair is the halves of the joined file" same_pair
claim "standard output gets the bytes of the file" same_stream

# What --sync asks for is seen in place of fsync.
cat >fsync.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int fsync(int fd)
{
	(void)fd;
	return close(open("synced", O_WRONLY | O_CREAT, 0600));
}
C
# syncs COMMAND...: with --sync it forces its output to the disk, else not
syncs()
{
	rm -f synced s.*
	LD_PRELOAD=./fsync.so done_with dmtrace "$@" || return 1
	[ ! -e synced ] || { echo "forced without --sync"; return 1; }
	rm -f s.*
	LD_PRELOAD=./fsync.so done_with dmtrace "$@" --sync &&
	    [ -e synced ]
}
if [ "$SANITIZED" = yes ] || \
    ! $CC -shared -fPIC -o fsync.so fsync.c 2>error; then
	skip "--sync forces to the disk" "nothing can stand in for fsync"
else
	cp "$srcdir/tests/data/good-v3-dual.trace" in.trace
	dmtrace split -q -o in.key in.trace
	dmtrace split -q --by thread -o in_% in.trace
	while read -r words; do
		claim "$words: --sync forces to the disk" syncs $words
	done <<'ROWS'
filter -q -t main -o s.trace in.trace
generate -q -o s.trace
join -q -o s.trace in.key in.data
merge -q -o s.trace in.trace in.trace
merge -q --rejoin -o s.trace in_*
repair -q -o s.trace in.trace
shift -q --by 1us -o s.trace in.trace
sort -q -o s.trace in.trace
split -q -o s.key in.trace
split -q --by thread -o s.% in.trace
validate --fix -q -o s.trace in.trace
ROWS
fi
finish
