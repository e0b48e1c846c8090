# nth_fails.sh - read by scripts that let the n-th call of a kind fail
#
# nth_fails.so fails call FAIL_NUMBER of the kind FAIL_CALL, and adds a line to
# the file FAIL_NOTE when it has: programs/nth_fails.c.

. "$srcdir/tests/helpers/claim.sh"

if [ "$SANITIZED" = yes ]; then
	skip "calls fail" "the sanitizers have their own"
	finish
fi
claim "a library that lets calls fail is built" $CC -shared -fPIC \
    -o nth_fails.so "$srcdir/tests/helpers/programs/nth_fails.c" -ldl
