#!/bin/sh
# check_install.sh - installs, and builds programs with what was installed
#
# With DMTRACE_MORE also what other options of configure build: the static
# library alone, no instrumentation, and other machines under qemu-user.

. "$srcdir/tests/helpers/claim.sh"

make="make -s --no-print-directory"
export MAKEFLAGS=

# programs FOLDER: built with pkg-config, Meson and CMake, and run
programs()
{
	export PKG_CONFIG_PATH="$1/lib/pkgconfig"
	export LD_LIBRARY_PATH="$1/lib"
	for program in write read record filter; do
		claim "$program is built with pkg-config" \
		    with_pkg_config $program
	done
	claim "they run" sh -c './write && ./read && ./record && ./filter'
	if have cmake; then
		claim "CMake finds the library" with_cmake "$1"
		claim "ctest records a program and judges it" with_ctest "$1"
	else
		skip "CMake finds the library" "no cmake here"
		skip "ctest records a program and judges it" "no cmake here"
	fi
	if have meson; then
		claim "Meson finds the library" with_meson
	else
		skip "Meson finds the library" "no meson here"
	fi
}

with_pkg_config()
{
	cp "$srcdir/doc/examples/$1.c" . &&
	    $CC -o "$1" "$1.c" \
	    $(pkg-config $static --cflags --libs libdmtrace)
}

with_cmake()
{
	rm -rf cmake && mkdir cmake &&
	    cp "$srcdir/doc/examples/cmake-installed/CMakeLists.txt" \
		"$srcdir/doc/examples/record.c" \
		"$srcdir/doc/examples/hooks.c" cmake &&
	    CC=${CC##* } cmake -S cmake -B cmake/build \
		-DCMAKE_PREFIX_PATH="$1" &&
	    cmake --build cmake/build && cmake/build/record &&
	    { [ ! -e "$1/lib/libdmtrace-instrument.so" ] ||
	    DMTRACE_OUTPUT=hooks.trace cmake/build/hooks; }
}

with_meson()
{
	rm -rf meson && mkdir meson &&
	    cp "$srcdir/doc/examples/meson/meson.build" \
		"$srcdir/doc/examples/record.c" meson &&
	    CC=${CC##* } meson setup meson/build meson &&
	    meson compile -C meson/build && meson/build/record
}

with_ctest()
{
	rm -rf ctest && mkdir ctest && cp -r "$srcdir/doc/examples/ctest" \
	    "$srcdir/doc/examples/record.c" ctest &&
	    chmod -R u+w ctest && CC=${CC##* } PATH=$1/bin:$PATH \
		cmake -S ctest/ctest -B ctest/build -DCMAKE_PREFIX_PATH="$1" &&
	    cmake --build ctest/build &&
	    (cd ctest/build && ctest --output-on-failure)
}

# The Python that has pytest.
python=
for name in python3 /usr/bin/python3; do
	! $name -c 'import pytest' 2>/dev/null || python=$name
done

with_pytest()
{
	DMTRACE_LIBRARY=$1/lib/libdmtrace.so.0 PATH=$1/bin:$PATH \
	    $python -B -m pytest -p no:cacheprovider \
	    "$srcdir/doc/examples/python"
}

# Which files are left of an installation.
left()
{
	find "$1" ! -type d
}

# Some, by which one sees what is there.
holds()
{
	for file in bin/dmtrace lib/pkgconfig/libdmtrace.pc \
	    lib/cmake/dmtrace/dmtrace-config.cmake \
	    include/dmtrace/writer.h share/man/man1/dmtrace.1 \
	    share/man/man3/dmtrace_writer_enter.3; do
		[ -s "$1/$file" ] || { echo "no $file"; return 1; }
	done
}

# configured NAME OPTION...: a build of its own, installed in NAME/installed
configured()
{
	name=$1
	shift
	mkdir "$name" && (cd "$name" &&
	    "$srcdir/configure" -q --prefix="$PWD/installed" "$@" &&
	    $make -j 2 && $make install)
}

# runs_under QEMU NAME COMMAND...: the program of the build NAME
runs_under()
{
	qemu=$1
	root=$2
	program=$3/tools/dmtrace
	"$qemu" -L "$root" "$program" generate --events 100 -o far.trace &&
	    "$qemu" -L "$root" "$program" validate -q far.trace &&
	    dmtrace generate --events 100 -o near.trace &&
	    cmp far.trace near.trace
}

# cross HOST QEMU: a static program for another machine writes the same bytes
cross()
{
	if ! have "$1-gcc" || ! have "$2"; then
		skip "built for $1" "no $1-gcc and $2 here"
		return
	fi
	claim "built for $1" configured "$1" --host="$1" CC="$1-gcc" \
	    --disable-shared --disable-instrument
	claim "for $1 it writes the same bytes" \
	    runs_under "$2" "/usr/$1" "$1"
}

if [ "$SANITIZED" = yes ]; then
	skip "what is installed" "the sanitizers' library comes first"
	finish
fi

static=
here=$PWD/here
claim "make install takes another prefix" \
    $make -C "$builddir" install prefix="$here"
claim "it installs program, library, headers and pages" holds "$here"
[ -e "$here/lib/libdmtrace.so" ] || static=--static
programs "$here"
if [ -n "$python" ] && [ -e "$here/lib/libdmtrace.so.0" ]; then
	claim "the tests in Python pass" with_pytest "$here"
else
	skip "the tests in Python pass" "no pytest, or no shared library"
fi
claim "make uninstall takes all of it away" \
    $make -C "$builddir" uninstall prefix="$here"
claim "it leaves no file" prints /dev/null left "$here"
if [ -z "$DMTRACE_MORE" ]; then
	skip "other options of configure" "make check-more tries them"
	finish
fi
claim "make install-strip takes DESTDIR" \
    $make -C "$builddir" install-strip DESTDIR="$PWD/root" prefix=/usr
claim "then folders named are those of the prefix" \
    has 'libdir=/usr/lib' root/usr/lib/pkgconfig/libdmtrace.pc
claim "the program is stripped" \
    sh -c '! nm root/usr/bin/dmtrace 2>/dev/null | grep .'
claim "the static library alone is built" configured static --disable-shared
static=--static
programs "$PWD/static/installed"
claim "libdmtrace-instrument can be left out" \
    configured bare --disable-instrument
static=
programs "$PWD/bare/installed"
claim "it is left out" \
    sh -c '! find bare/installed | grep -i instrument.so'
cross i686-linux-gnu qemu-i386
cross aarch64-linux-gnu qemu-aarch64
cross powerpc64-linux-gnu qemu-ppc64
finish
