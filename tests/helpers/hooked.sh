# hooked.sh - how programs with hooks are compiled, for scripts that source it
#
# A sanitized shim wants programs that are sanitized too, which must leave
# deadly signals to it.

# option NAME TRACE: its number, or 0
option()
{
	value=$(LC_ALL=C sed -n -e "s/^$1=//p" -e '/^\*threads/q' "$2")
	echo "${value:-0}"
}

hooks='-finstrument-functions -w -pthread'
if [ "$SANITIZED" = yes ]; then
	hooks="$hooks -fsanitize=address,undefined"
	ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0
	export ASAN_OPTIONS
fi
