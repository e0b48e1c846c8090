#!/bin/sh
# platforms.sh - other compilers, options and computers, and static analysis
#
# "make check-platforms" runs it in the folder of the build: each row of the
# table below is built in platforms/NAME and judged there. PLATFORMS="NAME..."
# runs some of them. Prints a line for each: what came of it, and its seconds. A
# row whose tools are not installed is skipped; "./bootstrap packages-more"
# installs those of Debian.

# NAME|WHAT IT NEEDS|COMPILER|CFLAGS|OPTIONS OF CONFIGURE|HOW IT IS JUDGED
#
# all: "make check"; programs: the Check programs; else a function of that name
rows()
{
	cat <<'ROWS'
O0|gcc|gcc|-O0||all
O2|gcc|gcc|-O2||all
O3|gcc|gcc|-O3||all
Os|gcc|gcc|-Os||all
lto|gcc|gcc|-O2 -flto||programs
gcc-11|gcc-11|gcc-11|-O2||all
gcc-12|gcc-12|gcc-12|-O2||all
clang-14|clang-14|clang-14|-O2||all
clang-newest|clang-19|clang-19|-O2||all
hardened|gcc|gcc|-O2 -D_FORTIFY_SOURCE=3 -ftrivial-auto-var-init=pattern||all
analyzer|gcc|gcc|-O2|--enable-werror|analyzer
musl|musl-gcc|musl-gcc|-O2|--disable-shared|musl
thread|clang|clang|-O1 -g -fsanitize=thread|--disable-shared|programs
memory|clang|clang|-O1 -g -fsanitize=memory|--disable-shared|memory
valgrind|valgrind|gcc|-O1 -g|--disable-shared|valgrind
i386|qemu-i386|gcc -m32|-O2||emulated
s390x|s390x-linux-gnu-gcc|s390x-linux-gnu-gcc|-O2||emulated
aarch64|aarch64-linux-gnu-gcc|aarch64-linux-gnu-gcc|-O2||emulated
tidy|clang-tidy||||tidy
cppcheck|cppcheck||||cppcheck_all
ROWS
}

# A timer's signal, threads beyond number, memory limits and exact stacks: what
# an emulator or ThreadSanitizer has no room for.
unfit_emulated='recorder_kills recorder_process recorder_signals
    recorder_stream'
unfit_thread='recorder_kills recorder_process recorder_signals
    recorder_times'
# After a handler, qemu-i386 7.2 gives a thread the variables of another one.
unfit_i386=recorder_host
# Scripts that are not run with a dmtrace under qemu. They take programs with
# hooks, libraries that are loaded before others, or real traces:
unfit_commands='journal record record_full record_whole memory nth_fails corpus'
# They lack a program on purpose, which posix_spawn does not report in qemu 7.2:
unfit_commands="$unfit_commands graph packed view"
# They kill a command at many moments, or take long for what others decode, too:
unfit_commands="$unfit_commands kills expect jobs rejoin report view_thinned"
# Under valgrind a program is killed before it has left a trace.
unfit_valgrind=recorder_kills

# tests_but UNFIT PATTERN...: the tests of these files but those that the list
# UNFIT names
tests_but()
{
	unfit=" $(echo $1) "
	shift
	(cd "$srcdir" && ls $*) | while read -r file; do
		name=${file##*/}
		name=${name#*_}
		case $unfit in
		*" ${name%.*} "*) ;;
		*) echo "${file%.c}" ;;
		esac
	done
}

# check_programs UNFIT VARIABLE=VALUE...: "make check" of the Check programs but
# those that the list UNFIT names
check_programs()
{
	unfit=$1
	shift
	make -s check TESTS="$(tests_but "$unfit" 'tests/*/test_*.c' |
	    tr '\n' ' ')" "$@"
}

all()
{
	make -s check
}

programs()
{
	unfit=
	[ "$name" != thread ] || unfit=$unfit_thread
	check_programs "$unfit"
}

# Left out is what gcc 12 finds where there is no fault: it does not follow
# memory that is kept in a struct, nor what excludes NULL or fills a buffer.
# Sanitizers, valgrind and failing allocations find such faults.
analyzer()
{
	warnings='-O2 -fanalyzer'
	for kind in malloc-leak null-argument null-dereference \
	    possible-null-argument use-of-uninitialized-value; do
		warnings="$warnings -Wno-analyzer-$kind"
	done
	make -s all CFLAGS="$warnings"
}

# There is no Check for musl: the program is tested by its scripts.
musl()
{
	make -s all && make -s check check_PROGRAMS= need_check=: \
	    TESTS="$(cd "$srcdir" && echo tests/cli/cli_*.sh)"
}

# The targets of the fuzzer on their seeds and on what "make fuzz" has kept.
memory()
{
	make -s tests/fuzz/replay || return
	mkdir -p replay.dir && cd replay.dir || return
	for target in $(../tests/fuzz/replay); do
		seeds=$srcdir/tests/fuzz/seeds/$target
		[ -d "$seeds" ] || seeds=$srcdir/tests/data
		kept=../../../fuzz/$target/corpus
		find "$seeds" "$kept" -type f 2>/dev/null |
		    xargs ../tests/fuzz/replay "$target" || return
	done
}

# The samples of the tree are enough, and SANITIZED has tests that try much try
# less: here each try takes long.
valgrind()
{
	check_programs "$unfit_valgrind" SANITIZED=yes \
	    DMTRACE_CORPUS= DMTRACE_DEFECTS= \
	    LOG_COMPILER='valgrind -q --leak-check=full --error-exitcode=99'
}

# library_of ARCH FOLDER: Check for a computer whose libraries are in FOLDER, in
# the folder root, without any change of this one
library_of()
{
	export CHECK_CFLAGS="-I$PWD/root/usr/include" \
	    CHECK_LIBS="-L$PWD/root/usr/lib/$2 -lcheck_pic -lsubunit -lm \
		-pthread"
	[ ! -d root ] || return 0
	mkdir -p lists/partial cache/archives/partial
	# an index that cannot be had may not be needed
	for step in update "download check:$1 libsubunit-dev:$1"; do
		apt-get -q -o APT::Architecture="$1" \
		    -o APT::Architectures="$1" \
		    -o Dir::State::lists="$PWD/lists" \
		    -o Dir::State::status=/dev/null \
		    -o Dir::Cache="$PWD/cache" $step
	done
	for package in ./*.deb; do
		dpkg-deb -x "$package" root || return
	done
}

# Check programs under qemu-user, and the scripts with a dmtrace that qemu runs;
# for i386, too, as many kernels run no programs of 32 bits. Without the traces
# that are not in the tree; SANITIZED leaves out memory limits. With CK_FORK no
# case can hide what the next one lacks.
emulated()
{
	run="$(command -v "qemu-$name") -L /usr/$name-linux-gnu"
	unfit=$unfit_emulated
	[ "$name" != i386 ] || unfit="$unfit $unfit_i386"
	export DMTRACE_CORPUS= DMTRACE_DEFECTS=
	rm -f tools/dmtrace	# an earlier run has left a script there
	check_programs "$unfit" CK_FORK=yes LOG_COMPILER="$run" || return
	mv tools/dmtrace tools/dmtrace.bin
	printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$run" \
	    "$PWD/tools/dmtrace.bin" >tools/dmtrace
	chmod +x tools/dmtrace
	make -s check check_PROGRAMS= SANITIZED=yes \
	    TESTS="$(tests_but "$unfit_commands" 'tests/cli/cli_*.sh' |
	    tr '\n' ' ')"
}

sources()
{
	find "$srcdir/lib" "$srcdir/tools" -name '*.c' | sort
}

flags='-std=c11 -D_XOPEN_SOURCE=700 -DVERSION=\"0\" -DGIT_ID=\"\" -DLIBDIR=\"\"'

# Files come before the "--", and a header is made by the build.
tidy()
{
	mkdir -p cli && : >cli/git_id.h
	sources | xargs -n 20 sh -c '
		exec clang-tidy --quiet --warnings-as-errors="*" \
		    --config-file="$srcdir/.clang-tidy" "$@" -- '"$flags"' \
		    -I"$srcdir/lib/include" -I"$srcdir/lib" \
		    -I"$srcdir/tools" -I.' tidy
}

# What version 2.10 finds where there is no fault: it does not see that a loop
# runs once at least, that a status excludes NULL, that a struct keeps what was
# allocated, or that a pointer is set again before it is used.
cppcheck_all()
{
	cat >known <<-'KNOWN'
	autoVariables:*/diff_calls.c
	ctunullpointer:*/cmd_checksum.c
	ctuuninitvar:*/header_decode.c
	ignoredReturnValue:*/shim.c
	invalidFunctionArg:*/parse.c
	legacyUninitvar:*/text_dump.c
	memleak:*/log_marks.c
	memleak:*/stream_write.c
	nullPointerRedundantCheck:*/cmd_checksum.c
	nullPointerRedundantCheck:*/follow.c
	uninitvar:*/find_key.c
	zerodivcond:*/put.h
	KNOWN
	sources | cppcheck -q --file-list=- --std=c11 --error-exitcode=1 \
	    --inline-suppr --suppressions-list=known \
	    --enable=warning,portability \
	    -D_XOPEN_SOURCE=700 -I"$srcdir/lib/include" -I"$srcdir/lib" \
	    -I"$srcdir/tools"
}

# judge NAME CC CFLAGS OPTIONS HOW: in its folder
judge()
{
	name=$1
	how=$5
	cc=$2
	options=$4
	[ "$how" != emulated ] ||
	    options="--disable-shared --host=$name-linux-gnu"
	case $name in
	i386)
		library_of i386 i386-linux-gnu || return
		# headers of Linux are found without gcc-multilib, too
		cc="$cc -idirafter /usr/include/$(gcc -print-multiarch)"
		;;
	s390x) library_of s390x s390x-linux-gnu || return ;;
	aarch64) library_of arm64 aarch64-linux-gnu || return ;;
	esac
	[ -z "$cc" ] || [ -f Makefile ] ||
	    "$srcdir/configure" -q CC="$cc" CFLAGS="$3" $options || return
	"$how"
}

mkdir -p platforms && cd platforms || exit 1
rows >rows
for name in ${PLATFORMS-}; do
	cut -d '|' -f 1 rows | grep -qxF -e "$name" || {
		echo "no row \"$name\"; the rows are" $(cut -d '|' -f 1 rows)
		exit 1
	} >&2
done
failures=0
while IFS='|' read -r name needs cc cflags options how; do
	case " ${PLATFORMS:-$name} " in
	*" $name "*) ;;
	*) continue ;;
	esac
	if ! command -v "$needs" >/dev/null; then
		echo "$name: skipped, there is no $needs"
		continue
	fi
	mkdir -p "$name"
	status=0
	began=$(date +%s)
	(cd "$name" && judge "$name" "$cc" "$cflags" "$options" "$how") \
	    >"$name.log" 2>&1 </dev/null || status=$?
	counts=$(grep -E '^[0-9]+ passed' "$name.log" | tail -n 1)
	took=$(($(date +%s) - began))
	if [ "$status" -eq 0 ]; then
		echo "$name: passed in $took s${counts:+ ($counts)}"
	else
		echo "$name: failed in $took s${counts:+ ($counts)}"
		tail -n 5 "$name.log"
		failures=$((failures + 1))
	fi
done <rows
[ "$failures" -eq 0 ]
