#!/bin/sh
# check_pages.sh - what the README shows, and pages under EXAMPLES, happens
#
# ".Dl $ COMMAND" is run and must succeed. In a literal display "$ COMMAND" is
# run and must print what stands below it. Lines such as "0051  03 00  version"
# are bytes: all of them together are the file tiny.trace.

. "$srcdir/tests/helpers/claim.sh"

# text PAGE: its examples; those of the README in the form of a page
text()
{
	case $1 in
	*/README) sed -n 's/^    dmtrace /.Dl $ &/p' "$1" | tr -s ' ' ;;
	*) sed -e '/^\.Sh EXAMPLES/,/^\.Sh SEE/!d' -e 's/\\e/\\/g' "$1" ;;
	esac
}

# examples PAGE: writes N.command and, in a display, N.expected
examples()
{
	text "$1" | awk '
	/^\.Bd -literal/ { display = 1; next }
	/^\.Ed/ { display = 0 }
	/^\.Dl \$ / { print substr($0, 7) >(++n ".command") }
	!display { next }
	/^\$ / {
		print substr($0, 3) >(++n ".command")
		printf "" >(n ".expected")
		next
	}
	n { print >(n ".expected") }'
}

# bytes PAGE: the bytes of its dump, as octal escapes
bytes()
{
	awk '
	function digit(text, place)
	{
		return index("0123456789abcdef", substr(text, place, 1)) - 1
	}
	function byte(text, place)
	{
		return digit(text, place) * 16 + digit(text, place + 1)
	}
	/^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]  / {
		if (byte($1, 1) * 256 + byte($1, 3) != at)
			print "wrong offset: " $0 >"/dev/stderr"
		for (i = 2; $i ~ /^[0-9a-f][0-9a-f]$/; i++) {
			printf "\\%03o", byte($i, 1)
			at++
		}
	}' "$1"
}

# can_run COMMAND: what it takes beyond a build is there
can_run()
{
	case $1 in
	dmtracedump*-g*) have dmtracedump && have dot ;;
	dmtracedump*) have dmtracedump ;;
	'dmtrace graph'*svg*) have dot ;;
	esac
}

# happens N: the example does what the page says
happens()
{
	sh "$1.command" >got 2>&1 || { cat got; return 1; }
	[ ! -f "$1.expected" ] || prints "$1.expected" cat got
}

# "cc" is the compiler of this build, and builds what its hooks fit.
compiler()
{
	cat <<SCRIPT
#!/bin/sh
exec $CC $sanitizers "\$@"
SCRIPT
}

# What the examples of every page work on, but for tiny.trace.
common()
{
	dmtrace generate -o app.trace
	dmtrace generate -o old.key
	echo '{"tag":42,"value":"hello"}' |
	    dmtrace eventlog --encode -o events.log -
	printf '%s\n' '1 4 0' '1 5 10' |
	    write_trace device.trace 2 wall 1322079161000000
	cp app.trace before.trace
	cp app.trace after.trace
	cp "$srcdir/doc/examples/hooks.c" .
	cp "$srcdir"/doc/examples/login.* .
	chmod +w login.*
	cc -pthread -finstrument-functions -o hooks hooks.c
}

# begin PAGE FOLDER: the folder, with what the examples work on
begin()
{
	cp -r common "$2" && cd "$2" || exit 1
	printf "$(bytes "$1")" >tiny.trace
	examples "$1"
}

set_up()
{
	cat messages
	[ "$1" -gt 0 ] && [ ! -s messages ]
}

sanitizers=
[ "$SANITIZED" != yes ] || sanitizers='-fsanitize=address,undefined'
mkdir bin
compiler >bin/cc
chmod +x bin/cc
PATH=$PWD/bin:$PATH
mkdir common
(cd common && common) >messages 2>&1
claim "what the examples work on is made" set_up 1

for page in "$srcdir"/README "$srcdir"/doc/*.[157]; do
	name=${page##*/}
	begin "$page" "$name" >messages 2>&1
	n=1
	while [ -f "$n.command" ]; do
		IFS= read -r command <"$n.command"
		if can_run "$command"; then
			claim "$name: $command" happens "$n"
		else
			skip "$name: $command" "it takes more programs"
		fi
		n=$((n + 1))
	done
	cd ..
	claim "$name has examples, and they could be set up" \
	    set_up $((n - 1))
done
finish
