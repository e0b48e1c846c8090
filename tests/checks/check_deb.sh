#!/bin/sh
# check_deb.sh - Debian packages: built twice, examined, installed and purged
#
# Only with DMTRACE_MORE, from a checkout, and as root: a bare Debian is made in
# a folder (debootstrap), and the packages are installed, upgraded and purged
# there.

. "$srcdir/tests/helpers/claim.sh"

if [ -z "$DMTRACE_MORE" ]; then
	skip "Debian packages" "make check-more builds them"
	finish
fi
for program in dpkg-buildpackage dh lintian; do
	if ! have $program; then
		skip "Debian packages" "no $program here"
		finish
	fi
done
if [ ! -d "$srcdir/debian" ]; then
	skip "Debian packages" "this is no checkout"
	finish
fi
unset MAKEFLAGS MFLAGS
export DEB_BUILD_OPTIONS=nocheck

# packages FOLDER: configured and built in it
packages()
{
	mkdir "$1" && (cd "$1" && "$srcdir/configure" -q &&
	    make -s --no-print-directory deb)
}

same_packages()
{
	for file in first/deb/*.deb; do
		cmp "$file" "second-elsewhere/deb/${file##*/}" || return 1
	done
}

# Only what every first upload has.
lintian_is_silent()
{
	lintian --fail-on none first/deb/*.changes |
	    grep '^[EW]:' | grep -v initial-upload-closes-no-bugs >tags
	cat tags
	[ ! -s tags ]
}

# dmtrace record finds names of functions by /proc.
in_chroot()
{
	mount -t proc proc "$root/proc" || return
	status=0
	chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
	    AUTOPKGTEST_TMP=/tmp "$@" || status=$?
	umount "$root/proc" && return $status
}

# Packages of an earlier version, made of those that are there.
older_packages()
{
	mkdir "$root/older" && for file in first/deb/*.deb; do
		case $file in *dbgsym*) continue ;; esac
		rm -rf raw && dpkg-deb -R "$file" raw &&
		    sed -i 's/\(= \|^Version: \)0\.9\.0-1/\10.8.0-1/g' \
			raw/DEBIAN/control &&
		    dpkg-deb -b raw "$root/older/$(basename "$file")" ||
		    return 1
	done
}

# Files that the packages have left.
leaves_nothing()
{
	in_chroot dpkg --purge dmtrace libdmtrace-dev libdmtrace0 \
	    libdmtrace-instrument0 &&
	    ! find "$root/usr" "$root/etc" "$root/var/lib/dpkg/info" \
	    -iname '*dmtrace*' | grep .
}

claim "packages are built" packages first
claim "lintian finds no error and no warning" lintian_is_silent
claim "packages are built again, in another folder" packages second-elsewhere
claim "they have the same bytes" same_packages

if [ "$(id -u)" != 0 ] || ! have debootstrap; then
	skip "packages are installed" "that takes root and debootstrap"
	finish
fi
root=$PWD/root
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed -n -e 's/^URIs: \(.*\/debian\)$/\1/p' \
	-e 's/^deb \([^ ]*\/debian\) .*/\1/p' | head -n 1)
claim "a bare Debian is made" debootstrap --variant=minbase \
    --include=build-essential,pkg-config bookworm "$root" "$mirror"
claim "an earlier version is made of the packages" older_packages
claim "it is installed" in_chroot sh -c 'dpkg -i /older/*.deb'
mkdir "$root/debs" && cp first/deb/*.deb "$root/debs"
rm -f "$root"/debs/*dbgsym*
claim "it is upgraded" in_chroot sh -c 'dpkg -i /debs/*.deb'
cp "$srcdir/debian/tests/programs" "$root/tmp"
claim "the programs of README are built and run there" \
    in_chroot sh /tmp/programs
claim "man finds the page of a function" \
    test -e "$root/usr/share/man/man3/dmtrace_writer_enter.3.gz"
claim "purging leaves nothing" leaves_nothing
rm -rf "$root"
finish
