#!/bin/sh
# cli_record.sh - programs with hooks, and what is recorded of them

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/hooked.sh"

shim=$builddir/lib/.libs/libdmtrace-instrument.so
programs=$srcdir/tests/helpers/programs
case $CC in
*clang*) CXX=${CXX-clang++} ;;
*) CXX=${CXX-c++} ;;
esac
case $CC in
*' -m32'*) CXX="$CXX -m32" ;;
esac

if [ ! -f "$shim" ]; then
	skip "programs with hooks are recorded" "not shared"
	finish
fi

# compiled NAME SOURCE [FLAG]...: the program has hooks
compiled()
{
	name=$1
	source=$2
	shift 2
	case $source in
	*.cc) $CXX $hooks "$@" -I "$programs" -o "$name" "$programs/$source" ;;
	*) $CC $hooks "$@" -I "$programs" -o "$name" "$programs/$source" ;;
	esac
}

# enters TRACE: "CALLS NAME", as the programs print it
enters()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' '
	$2 == "enter" { n[$8]++ }
	END { for (name in n) print n[name], name }' | sort
}

# balanced TRACE: each exit and unroll is that of the innermost open call of
# its thread, and none stays open
balanced()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' '
	NR == 1 { next }
	$2 == "enter" { open[$1, ++depth[$1]] = $3; next }
	depth[$1] < 1 || open[$1, depth[$1]] != $3 {
		print NR, $0
		exit bad = 1
	}
	{ depth[$1]-- }
	END {
		if (bad) exit 1
		for (i in depth) if (depth[i] != 0) exit 1
	}'
}

# counted TRACE: the calls are those that the program has counted in "reported"
counted()
{
	sort reported >want
	enters "$1" | grep -wFf want >got
	cmp want got || { diff want got; return 1; }
}

# records TRACE KIND: how many of this action
records()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' -v kind="$2" '
	$2 == kind { n++ }
	END { print n + 0 }'
}

# says TEXT COMMAND...: exit status 2, with a line of this text
says()
{
	text=$1
	shift
	exits 2 "$@" 2>error && has "$text" error
}

# reports STATUS TEXT COMMAND...: this exit status, with a line of this text
reports()
{
	status_wanted=$1
	text=$2
	shift 2
	exits "$status_wanted" "$@" 2>error >reported && has "$text" error ||
	    { cat error; return 1; }
}

# In every way to compile: FLAG... of each
for flags in -O0 -O2 '-O2 -fomit-frame-pointer -fno-pie -no-pie' \
    '-O1 -fPIE -pie'; do
	case $flags in
	-O2 | -O1*) more || continue ;;
	esac
	claim "threads.c compiles with $flags" \
	    compiled threads threads.c $flags -DROUNDS=500
	claim "$flags: the exit status of the program is returned" reports 5 \
	    'functions and 9 threads' \
	    dmtrace record -o threads.trace -- ./threads
	claim "$flags: every call of every thread is there" \
	    counted threads.trace
	claim "$flags: every call ends" balanced threads.trace
	claim "jump.c compiles with $flags" compiled jump jump.c $flags
	claim "$flags: jumps are recorded" reports 0 'functions and 1 thread' \
	    dmtrace record -o jump.trace -- ./jump
	claim "$flags: every call before a jump is there" counted jump.trace
	claim "$flags: each call that is jumped over ends by an unroll" \
	    balanced jump.trace
	claim "$flags: as many unrolls as calls are jumped over" \
	    test "$(records jump.trace unroll)" -eq 17
done

claim "errors.c compiles" compiled errors errors.c -O1 -ldl
claim "dlerror and errno of the program are not changed" exits 0 \
    dmtrace record -q -o errors.trace -- ./errors
claim "storm.c compiles" compiled storm storm.c -O2
claim "a handler that jumps out of the hooks is recorded" reports 0 \
    'functions and 1 thread' dmtrace record -o storm.trace -- ./storm
claim "the handler's trace: every call ends" balanced storm.trace

claim "busy.c compiles" compiled busy busy.c -O2
for options in --journal '--max-time 20ms' '--full=ring --max-time 20ms'; do
	rm -f busy*.trace
	claim "$options: a handler that interrupts malloc is recorded" \
	    reports 6 functions dmtrace record --buffer 4K $options \
	    -o busy.trace -- ./busy
	claim "$options: every call ends" balanced busy.trace
done

printf '#include <string>\nint main() { throw std::string(); }\n' >cxx.cc
if $CXX -o cxx cxx.cc 2>/dev/null; then
	for flags in $(! more || echo -O0) -O2; do
		claim "throw.cc compiles with $flags" \
		    compiled throw throw.cc $flags
		claim "C++ $flags: exceptions are recorded" reports 0 \
		    'functions and 1 thread' \
		    dmtrace record -o throw.trace -- ./throw
		claim "C++ $flags: every call is there" counted throw.trace
		claim "C++ $flags: every call ends" balanced throw.trace
		claim "C++ $flags: 20 calls end by an unroll" \
		    test "$(records throw.trace unroll)" -eq 20
	done
	dmtrace dump -q -f tsv throw.trace | cut -f 7-9 >names
	claim "a template's method has its class and signature" grep -qx \
	    "zoo::Cage<int>	operator()	(int) const" names
	claim "an unnamed namespace is a class" grep -qx \
	    "zoo::(anonymous namespace)	escape	(int)" names
	claim "a function outside of classes has its file as its class" \
	    grep -qxF "[throw]	main	()" names
	claim "-m takes a class" exits 0 dmtrace record -q \
	    -m 'zoo::Cage<*>::*' -m '!*close*' -o some.trace -- ./throw
	dmtrace dump -q -f tsv some.trace | sed 1d | cut -f 8 >methods
	claim "-m with a class records only its methods" test \
	    "$(LC_ALL=C sort -u methods | tr '\n' ' ')" = \
	    'Cage operator() ~Cage '
	dmtrace dump -q -f tsv -m '/::.*\(void\)$/' throw.trace | sed 1d |
	    cut -f 7-9 | LC_ALL=C sort -u >expected
	for pattern in '/::.*\(void\)$/' '*::*(void)'; do
		dmtrace record -q -m "$pattern" -o void.trace -- ./throw
		dmtrace dump -q -f tsv void.trace | sed 1d | cut -f 7-9 |
		    LC_ALL=C sort -u >methods
		claim "-m '$pattern' knows methods by the names they get" \
		    sh -c '[ -s expected ] && cmp expected methods'
	done
	if [ "$SANITIZED" != yes ] && compiled heap heap.cc; then
		claim "a fault within malloc: the trace is whole" \
		    exits 139 timeout -s KILL 120 dmtrace record -q \
		    -o fault.trace -- ./heap
		claim "an abort within malloc: the trace is whole" \
		    exits 134 timeout -s KILL 120 dmtrace record -q \
		    -o abort.trace -- ./heap abort
		for trace in fault.trace abort.trace; do
			claim "$trace: every call is there" \
			    test "$(records "$trace" enter)" -eq 3
			claim "$trace: every call ends" balanced "$trace"
		done
	fi
else
	skip "C++ exceptions are recorded" "no C++ for these programs here"
fi

claim "the plugins compile" sh -c "
	$CC $hooks -O1 -shared -fPIC -DNAME=first -o first.so \
	    '$programs/plugin.c' &&
	$CC $hooks -O1 -shared -fPIC -DNAME=second -o second.so \
	    '$programs/plugin.c' -Wl,--build-id=none &&
	$CC $hooks -O1 -o opens '$programs/opens.c' -ldl"
claim "plugins that are loaded and unloaded are recorded" \
    reports 0 'functions' \
    dmtrace record -o opens.trace -- ./opens
dmtrace dump -q -f tsv opens.trace | awk -F '\t' '
$2 == "enter" { n[$7 " " $8]++ }
END { for (i in n) print n[i], i }' | sort >got
cat >want <<'ROWS'
1 [opens] main
10 [second.so] second
20 [first.so] first
20 [second.so] helper
3 [opens] use
40 [first.so] helper
ROWS
claim "each function has the name from its own object" cmp got want

claim "a stripped program is recorded" sh -c \
    'cp threads stripped && strip stripped &&
    dmtrace record -q -o s.trace -- ./stripped >reported; [ $? -eq 5 ]'
claim "functions of a stripped program are named by offsets" sh -c '
	dmtrace dump -q -f tsv s.trace | sed 1d | cut -f 7,8 | sort -u |
	    grep -cE "^\[stripped\]	stripped\+0x[0-9a-f]+$" | grep -qx 5'
claim "the stripped program has as many calls" \
    test "$(records s.trace enter)" -eq 36009

claim "family.c compiles" compiled family family.c -O1
# Each row: HOW it ends, its STATUS, and its enters; handlers' calls count.
while read -r how status calls; do
	rm -f family*.trace
	claim "ends by $how: status $status" \
	    reports "$status" functions dmtrace record -o family.trace -- \
	    ./family "$how"
	claim "ends by $how: all $calls calls are there" \
	    test "$(records family.trace enter)" -eq "$calls"
	claim "ends by $how: every call ends" balanced family.trace
done <<'ROWS'
exit 11 104
_exit 9 104
quick_exit 10 104
abort 134 104
fault 139 105
term 143 104
poll 157 104
alarm 142 104
handler 12 106
exec 11 104
ROWS
claim "after a failed exec the recording continues in another file" sh -c \
    'set -- family-*.trace; [ $# -eq 2 ] && dmtrace info -q "$1" "$2"'
rm -f family*
compiled family family.c -O1
claim "SIGKILL loses records that were not flushed" reports 137 'not finished' \
    dmtrace record -o family.trace -- ./family kill
claim "SIGKILL leaves no complete trace" test ! -f family.trace
claim "SIGKILL leaves no file" sh -c '! ls family.trace* 2>/dev/null'
claim "a journal keeps records that were flushed" \
    reports 137 'is in the journal' \
    dmtrace record --journal --buffer=4K -o family.trace -- ./family kill
claim "a killed journal is two files" \
    test -f family.trace.key -a -f family.trace.data
claim "a killed journal can be repaired" \
    exits 0 dmtrace repair -q -o whole.trace family.trace
rm -f whole.trace family.trace*
claim "a stream keeps records that were flushed" \
    reports 137 'it holds what was flushed' \
    dmtrace record --streaming --buffer=4K -o family.trace -- ./family kill
claim "a killed stream is one file" test "$(ls family.trace*)" = family.trace
claim "a killed stream can be read" exits 0 dmtrace dump -q family.trace
rm -f family.trace*
claim "a journal killed before the first flush leaves no trace" \
    reports 137 'if anything was' \
    dmtrace record --journal -o family.trace -- ./family kill
claim "a journal killed before the first flush leaves no file" \
    sh -c '! ls family.trace* 2>/dev/null'
claim "the child of a fork is recorded if asked" reports 11 'functions' \
    dmtrace record --fork -o child.trace -- ./family exit
claim "the child's trace is a separate file" sh -c '
	set -- child-*.trace; [ $# -eq 1 ] &&
	dmtrace dump -q -f tsv "$1" | grep -q "enter.*in_child"'
if [ "$SANITIZED" = yes ]; then
	skip "programs without sanitizers" "the hooks have them"
else
	claim "two programs have separate files" exits 0 sh -c '
		dmtrace record -q -o two.trace -- \
		    sh -c "./threads; ./jump" >reported &&
		set -- two*.trace && [ $# -eq 2 ]'
fi

# all_events: those of the program, in the trace or lost
all_events()
{
	echo "$(($(option num-method-calls set.trace) +
	    $(option dmtrace-dropped set.trace) -
	    $(option dmtrace-closed set.trace) -
	    $(option dmtrace-recorder-closed set.trace)))"
}

# The settings, each with what the trace shows.
shows()
{
	text=$1
	shift
	rm -f set.trace
	exits 5 dmtrace record -q -o set.trace "$@" -- ./threads \
	    >reported 2>warned &&
	    dmtrace info -q set.trace >about && has "$text" about
}
claim "-d v1 is passed on" shows 'version     1; records of 9 bytes' -d v1
claim "-d v3 is passed on" shows 'version     3; records of 10 bytes' -d v3
claim "--clock=cpu is passed on" \
    shows 'clock       thread-cpu' --clock cpu
claim "--clock=dual is passed on" shows 'records of 14 bytes' --clock dual
claim "--buffer is passed on" shows 'events      72,018' --buffer 4K
claim "--memory is passed on" shows 'events      72,018' --memory 64K
claim "--buffer raises the memory" shows 'events      72,018' --buffer 65M
claim "--full=ring drops the oldest records" shows 'events' --full ring \
    --memory 64K --buffer 4K
claim "--full=ring keeps fewer records" \
    test "$(records set.trace enter)" -lt 36009
claim "--full=stop ends the recording" \
    shows 'events' --full stop --memory 64K --buffer 4K
claim "--full=stop keeps fewer records" \
    test "$(records set.trace enter)" -lt 36009
claim "the early end of the recording is reported" has \
    'set.trace: warning: recording ended early: memory was full' warned
claim "records that are missing are counted as lost" \
    test "$(all_events)" -eq 72018
lost=$(option dmtrace-dropped set.trace)
claim "the lost records are reported" \
    has "set.trace: $lost events are lost" warned
compiled early threads.c -DROUNDS=500 -DMAIN=BARE
rm -f set.trace
dmtrace record -q -o set.trace -- ./early >reported 2>warned
claim "events while another thread starts the trace are counted as lost" \
    test "$(all_events)" -eq 72016
claim "--max-time with --no-rotate ends the recording" \
    shows 'events' --max-time 1us --no-rotate
claim "the end by --max-time is reported" has \
    'set.trace: warning: recording ended early: --max-time was over' warned
claim "records after --max-time are counted as lost" \
    test "$(all_events)" -eq 72018
claim "--full=stop -m counts nothing else" shows 'events' --full stop \
    --memory 64K --buffer 4K -m leaf
claim "calls of other functions are not counted as lost" \
    test "$(all_events)" -eq 32000
claim "--max-depth drops deeper calls" \
    shows 'events      20,818' --max-depth 3
claim "with --max-depth the other calls end" balanced set.trace
claim "--functions is passed on" shows 'methods     2 listed' --functions 2
claim "--no-rotate is passed on" \
    shows 'events      72,018' --no-rotate --max-time 1h
claim "--no-signals is passed on" shows 'events      72,018' --no-signals
claim "--journal is passed on" shows 'events      72,018' --journal
claim "--streaming is passed on" shows 'events      72,018' --streaming
claim "--streaming with --clock=dual is passed on" \
    shows 'records of 14 bytes' --streaming \
    --clock dual
claim "-m with ! leaves a function out" shows 'events      40,018' -m '!leaf'
claim "-m selects a function" shows 'events      32,000' -m 'lea*'
claim "-m selects several functions" \
    shows 'events      48,000' -m leaf -m branch
claim "-m selects several functions by signature" shows 'events      48,000' \
    -m 'operator<' -m leaf -m 'f(' -m branch
claim "-m selects a function by its file" shows 'events      32,000' \
    -m 'leaf() [threads]'
claim "-m takes an expression" \
    shows 'events      48,000' -m '/^(leaf|branch)$/'
claim "-m leaves out what an expression matches" \
    shows 'events      40,018' -m '!/^l..f/'
cat >handler.c <<'C'
#include <signal.h>

static void
inner(int number)
{
	(void)number;
}

int
main(void)
{
	signal(SIGUSR1, inner);
	raise(SIGUSR1);
	inner(0);
	return 0;
}
C
$CC $hooks -o handler handler.c
dmtrace record -m '/inner/' -o handler.trace -- ./handler 2>error
claim "-m with an expression decides nothing in a handler" \
    has 'handler.trace: 2 events are lost' error
claim "later calls are recorded" test "$(records handler.trace enter)" -eq 1
claim "-m that matches nothing is reported" shows 'events      0' -m nosuch
claim "is a warning" has 'set.trace: warning: nothing was recorded: '\
'-m "nosuch" selects no function that was called' warned

# by_hand SETTING...: without "dmtrace record"
by_hand()
{
	env LD_PRELOAD="$shim" "$@" ./threads 2>error >reported
	[ $? -eq 5 ]
}
claim "the environment alone starts a recording" \
    by_hand DMTRACE_OUTPUT=hand.trace DMTRACE_VERSION=3
claim "the settings of the environment are used" sh -c \
    'dmtrace info -q hand.trace | grep -q "version     3"'
claim "nothing is reported without dmtrace record" test ! -s error
claim "%n and %p stand for the program and the process" sh -c '
	LD_PRELOAD="$1" DMTRACE_OUTPUT=%%-%n-%p.key ./threads >reported
	ls %-threads-[0-9]*.key %-threads-[0-9]*.data' sh "$shim"
claim "without DMTRACE_OUTPUT the trace has a default name" sh -c '
	LD_PRELOAD="$1" ./threads >reported; ls threads-[0-9]*.trace' sh "$shim"
claim "an empty DMTRACE_OUTPUT records nothing" by_hand DMTRACE_OUTPUT=
# Each row: a bad setting, and what is said of it
while read -r setting text; do
	claim "an invalid $setting is reported" \
	    by_hand DMTRACE_OUTPUT=bad.trace "$setting"
	claim "the report on $setting has valid values" has "$text" error
	claim "the report on $setting is printed once" \
	    test "$(grep -c "$text" error)" -eq 1
done <<'ROWS'
DMTRACE_CLOCK=sun wall, thread-cpu or dual
DMTRACE_BUFFER=12 a size of at least 4K
DMTRACE_BUFFER=99999999999T a size of at least 4K
DMTRACE_VERSION=4 1, 2 or 3
DMTRACE_VERSION=-1 1, 2 or 3
DMTRACE_FULL=yes flush, stop or ring
DMTRACE_JOURNAL=maybe 0 or 1
DMTRACE_OUTPUT=%q only p, n and % are known
DMTRACE_OUTPUT=no/where/x.trace cannot create
ROWS
claim "nothing is recorded with an invalid setting" test ! -e bad.trace

if [ "$SANITIZED" = yes ]; then
	skip "programs without hooks are reported" "nor sanitizers"
else
	printf '#!/bin/sh\nexit 3\n' >script
	chmod +x script
	printf 'int main(void) { return 4; }\n' >bare.c
	$CC $hooks -static -o static bare.c 2>/dev/null
	# Each row: a PROGRAM, its STATUS, and what is said of it
	while read -r program code text; do
		[ "$program" != ./static ] || [ -x static ] || continue
		claim "$program: that nothing is recorded is reported" \
		    says "$text" dmtrace record -o none.trace -- $program
		claim "$program: it is reported with -q, too" \
		    says "$text" dmtrace record -q -o none.trace -- $program
		claim "$program: --allow-unhooked accepts it" \
		    reports "$code" "$text" dmtrace record --allow-unhooked \
		    -o none.trace -- $program
	done <<-'ROWS'
	true 0 true has no hooks, so nothing is recorded; compile it with
	false 1 false has no hooks, so nothing is recorded; compile it with
	./script 3 called no hooks, so nothing is recorded
	./static 4 ./static is linked statically, so nothing is recorded
	ROWS
	$CC $hooks -o hooked -x c - <<-'SOURCE'
	__attribute__((no_instrument_function)) int main(void) { return 5; }
	void unused(void) { }
	SOURCE
	claim "a program whose functions have no hooks is reported" says \
	    'hooked has hooks, but has called none' \
	    dmtrace record -o none.trace -- ./hooked
	claim "a script that runs a program with hooks is recorded" sh -c '
		printf "#!/bin/sh\n./jump >reported\nexit 6\n" >script
		dmtrace record -q -o script.trace -- ./script
		[ $? -eq 6 ] && dmtrace info -q script.trace'
fi
claim "programs without hooks leave no trace" test ! -e none.trace
claim "-q hides the summary" sh -c '
	dmtrace record -q -o q.trace -- ./jump >said 2>error; [ ! -s error ]'
rm jump.trace
claim "the default name is that of the program" exits 0 dmtrace record -- ./jump
claim "the default file exists then" test -f jump.trace
claim "the default file is not replaced" \
    says 'jump.trace exists; --force replaces it' \
    dmtrace record -- ./jump
claim "--force replaces the default file" \
    exits 0 dmtrace record --force -- ./jump
claim "a missing program is reported" says \
    'cannot run ./nosuch: No such file or directory' \
    dmtrace record -o no.trace -- ./nosuch
claim "a program that is not executable is reported" \
    says 'cannot run ./reported: Permission denied' \
    dmtrace record -o no.trace -- ./reported
claim "a missing operand is a usage error" \
    says 'no program to run' dmtrace record -o no.trace
mkdir 100%
claim "a folder may have a % in its name" sh -c '
	cd 100% && dmtrace record -q -o %n.trace -- ../jump &&
	    dmtrace validate -q jump.trace'
claim "a missing folder is reported" says 'cannot create no/x.trace' \
    dmtrace record -o no/x.trace -- ./jump
# without_rights COMMAND...: in a folder that it may not write
without_rights()
{
	set -- env PATH="$PATH" LD_LIBRARY_PATH="$LD_LIBRARY_PATH" "$@"
	[ "$(id -u)" -ne 0 ] || set -- setpriv --reuid=65534 --regid=65534 \
	    --clear-groups "$@"
	(cd read-only && "$@")
}
itself()
{
	without_rights env DMTRACE_OUTPUT=x.trace LD_PRELOAD="$shim" \
	    ../jump >reported 2>error
}
mkdir read-only
chmod 555 read-only
if [ "$SANITIZED" != yes ] && without_rights ../jump >/dev/null 2>&1 &&
    without_rights dmtrace --version >/dev/null 2>&1; then
	claim "a read-only folder is reported" \
	    says 'cannot create x.trace: Permission denied' \
	    without_rights dmtrace record -o x.trace -- ../jump
	claim "a program that records itself there goes on" exits 0 itself
	claim "the folder is reported then" \
	    has '/read-only/x.trace: Permission denied' error
	claim "nothing is left in the folder" rmdir read-only
else
	skip "a read-only folder is reported" "nobody else can run it here"
fi
claim "a folder as the output is reported" says \
    '. is a folder; name a file in it, such as ./' \
    dmtrace record -o . -- ./jump
claim "standard output is refused" says "standard output is the program's" \
    dmtrace record -o - -- ./jump
claim "an unknown % in the name is refused" says '% precedes p, n or %' \
    dmtrace record -o %q.trace -- ./jump
claim "a buffer that is larger than the memory is refused" \
    says '--buffer is more than --memory' \
    dmtrace record -o no.trace --buffer 1M --memory 512K -- ./threads
claim "a stream of version 1 is refused" says 'has version 2, or 3 with' \
    dmtrace record --streaming -d v1 -- ./jump
claim "a stream with a journal is refused" says 'needs no --journal' \
    dmtrace record --streaming --journal -- ./jump
claim "a stream as a pair is refused" says 'a stream is one file' \
    dmtrace record --streaming -o x.key -- ./jump
claim "two clocks in version 2 are refused" says 'dual needs --dialect=v3' \
    dmtrace record -d v2 --clock dual -- ./jump
mkdir 'a b'
: >'a b/shim.so'
claim "a library whose name has a blank is refused" says 'can have no blank' \
    env DMTRACE_INSTRUMENT='a b/shim.so' dmtrace record -o no.trace -- ./jump
claim "a missing TMPDIR is reported" \
    says 'cannot create no/folder/' \
    env TMPDIR=no/folder dmtrace record -o no.trace -- ./jump
claim "a missing library is reported" says 'DMTRACE_INSTRUMENT=no.so: No such' \
    env DMTRACE_INSTRUMENT=no.so dmtrace record -o no.trace -- ./jump
# Each row: a bad option, and what is said of it
while read -r options text; do
	claim "$options: is reported" says "$text" \
	    dmtrace record -o no.trace $options -- ./threads
done <<'ROWS'
--buffer=0 --buffer must be at least 4K
--buffer=4095 --buffer must be at least 4K
--memory=4095 --memory must be at least 4K
--max-time=0 --max-time is 1us to 4294967295us
--max-time=999ns --max-time is 1us to 4294967295us
--max-time=4294967296us --max-time is 1us to 4294967295us
--method= -m: "": an empty name or pattern
--method=! -m: "!": nothing follows the "!"
--method=!!f -m: "!!f": a second "!"
--method=!/(/ -m: "!/(/": not a regular expression
--method=/a -m: "/a": a regular expression is written between two slashes
--output= -o is empty
ROWS
claim "no failure leaves a file" test ! -e no.trace
printf '#include <signal.h>\nint main(void) { return raise(SIGXFSZ); }\n' \
    >long.c
$CC $hooks -o long long.c
claim "the limit on file sizes ends the program as usual" \
    exits 153 dmtrace record -q -o long.trace -- ./long
claim "a program that ignores the limit continues" exits 0 sh -c '
	trap "" XFSZ
	exec dmtrace record -q -o long.trace -- ./long'
cat >asked.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void
note_signal(int number)
{
	asked = number;
}

int
main(void)
{
	signal(SIGTERM, note_signal);
	puts("ready");
	fflush(stdout);
	for (int i = 0; asked == 0 && i < 3000; i++)
		usleep(10000);
	return asked == SIGTERM ? 7 : 1;
}
C
$CC $hooks -o asked asked.c
forwarded()
{
	dmtrace record -q -o asked.trace -- ./asked >ready &
	waits_for test -s ready && kill -s TERM $! || return
	status=0
	wait $! || status=$?
	[ "$status" -eq 7 ] || { echo "status $status"; return 1; }
}
claim "SIGTERM is passed on, and the program's status is returned" forwarded
claim "the trace of the ended program is whole" dmtrace validate -q asked.trace
if [ -c /dev/full ] && [ "$(id -u)" -eq 0 -o -w /dev/full ]; then
	claim "a full disk is reported, and the program goes on" sh -c '
		ln -s /dev/full full.data
		dmtrace record -o full.key -- ./threads >reported 2>error
		[ $? -eq 5 ] && grep -q "No space left" error'
fi
if [ "$SANITIZED" = yes ]; then
	skip "programs of a shell are recorded" \
	    "a shell cannot load a sanitized library"
	finish
fi
mkdir sub
echo old >sub/moved.trace
claim "the trace of a program that changes its folder is where it was asked" \
    reports 0 'record: moved.trace: ' \
    dmtrace record -o moved.trace -- sh -c 'cd sub && ../jump'
claim "that trace is valid" dmtrace validate -q moved.trace
claim "what is in the other folder is left alone" grep -qx old sub/moved.trace
claim "TMPDIR may be relative" reports 0 'record: moved.trace: ' \
    env TMPDIR=sub dmtrace record --force -o moved.trace -- \
    sh -c 'cd sub && ../jump'
mkdir reports
claim "the status is the program's, even if nobody reads the messages" sh -c '
	{ TMPDIR=reports dmtrace record -o unread.trace -- sh -c "
		./jump; sleep 0.1; exit 5" 2>&1 >unread; echo $? >status; } |
	    :
	[ "$(cat status)" = 5 ]'
claim "no report is left then" rmdir reports
claim "an exit status above 128 is no signal" sh -c '
	dmtrace record -o status.trace -- sh -c "./jump; exit 130" 2>said
	[ $? -eq 130 ] && ! grep killed said && grep -q "events of" said'
printf '#include <signal.h>\nint main(void) { return raise(SIGKILL); }\n' \
    >killed.c
$CC $hooks -o killed killed.c
claim "the trace that is not finished is named" sh -c '
	dmtrace record -o two.trace -- sh -c "./jump; ./killed" 2>said
	grep -q "^dmtrace record: two-[0-9]*.trace: not finished; " said'
mkfifo go
# late: a program starts when the command has ended
late()
{
	dmtrace record -q -o late.trace -- \
	    sh -c './jump; { read -r word <go; ./jump; } >/dev/null 2>&1 &' ||
	    return
	dmtrace checksum -q late.trace >want || return
	echo on >go
	tries=0
	until ls late-*.trace 2>/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || return
		sleep 0.1
	done
	dmtrace checksum -q late.trace | cmp want -
}
claim "a program that starts later replaces no trace" late
finish
