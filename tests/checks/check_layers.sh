#!/bin/sh
# check_layers.sh - a file includes its own layer and those below, no other

. "$srcdir/tests/helpers/claim.sh"

# From the lowest; layers of one line do not include each other. A header of
# private/ is of the layer that its second line names.
cat >floors <<'ROWS'
base
format
key eventlog
events
data
text
trace
record ops profile
verify export import instrument
ROWS

for header in "$srcdir"/lib/private/*.h; do
	sed -n "2s,^/\* layer: \(.*\) \*/\$,private/${header##*/} \1,p" \
	    "$header"
done >privates

# refused CONDITION: prints "FILE:LINE: HEADER" for each #include in the files
# named on stdin for which the awk condition holds. In it, floor is the folder
# of the file and target the folder in the header's name, if any.
refused()
{
	xargs awk -v floors=floors '
	BEGIN {
		while ((getline row <floors) > 0) {
			height++
			for (i = split(row, names, " "); i > 0; i--)
				heights[names[i]] = height
		}
		while ((getline row <"privates") > 0) {
			split(row, names, " ")
			layer_of[names[1]] = names[2]
		}
	}
	/^[ \t]*#[ \t]*include/ {
		header = $0
		sub(/^[^<"]*/, "", header)
		sub(/[^>"]*$/, "", header)
		floor = FILENAME
		sub(".*/lib/", "", floor)
		if (floor in layer_of)
			floor = layer_of[floor]
		sub("/.*", "", floor)
		target = header ~ "/" ? substr(header, 2) : ""
		sub(/"$/, "", target)
		if (target in layer_of)
			target = layer_of[target]
		sub("/.*", "", target)
		if ('"$1"')
			print FILENAME ":" FNR ": " header
	}'
}

none()
{
	"$@" >found || { cat found; return 1; }
	[ ! -s found ] || { cat found; return 1; }
}

in_lib()
{
	find "$srcdir"/lib/*/ -name '*.[ch]' ! -path '*/include/*' |
	    refused 'header ~ /^"/ && (!(target in heights) ||
		target != floor && heights[target] >= heights[floor])'
}

in_public_headers()
{
	find "$srcdir/lib/include" -name '*.h' | refused 'header ~ /^"/'
}

in_tools()
{
	{
		(cd "$srcdir/tools" && find . -name '*.h' | cut -c 3-)
		echo cli/git_id.h	# made by a build
	} | sort >headers
	grep -rh '^#include "' "$srcdir/tools" | cut -d '"' -f 2 | sort -u |
	    grep -v '^private/' | comm -23 - headers
	find "$srcdir/tools" -name '*.[ch]' | refused 'header ~ /^<dmtrace\//'
}

in_tools_cli()
{
	find "$srcdir/tools/cli" -name '*.[ch]' |
	    refused 'header ~ /^"/ && header !~ /^"(cli\/|private\/|cmd\.h)/'
}

in_examples()
{
	find "$srcdir/doc" -name '*.[ch]' | refused 'header ~ /^"/'
}

unknown_floors()
{
	for folder in "$srcdir"/lib/*/; do
		basename "$folder"
	done | grep -vx -e include -e private | while read -r floor; do
		grep -qw "$floor" floors || echo "$floor"
	done
}

# Headers of private/ whose second line is not "layer: NAME".
of_no_layer()
{
	for header in "$srcdir"/lib/private/*.h; do
		name=private/${header##*/}
		layer=$(sed -n "s,^$name ,,p" privates)
		[ -n "$layer" ] && grep -qw "$layer" floors || echo "$name"
	done
}

twice_tagged()
{
	find "$srcdir/lib" -name '*.[ch]' -exec cat {} + |
	    sed -n 's/^struct \([a-z0-9_]*\) {$/\1/p' | grep '^dmt_' |
	    sort | uniq -d
}

claim "every folder of lib is a layer" none unknown_floors
claim "every header of private/ names its layer" none of_no_layer
claim "no file of lib includes a layer above it or beside it" none in_lib
claim "no two structs of lib share a tag" none twice_tagged
claim "public headers include public headers" none in_public_headers
claim "tools include <dmtrace.h>, private/ and headers of their own" \
    none in_tools
claim "tools/cli includes nothing of a single command" none in_tools_cli
claim "examples include what users include" none in_examples
finish
