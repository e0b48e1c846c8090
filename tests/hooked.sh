# hooked.sh - how programs with hooks are compiled, for scripts that source it
#
# A sanitized shim wants programs that are sanitized too, which must leave
# deadly signals to it.

hooks='-finstrument-functions -w -pthread'
if [ "$SANITIZED" = yes ]; then
	hooks="$hooks -fsanitize=address,undefined"
	ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0
	export ASAN_OPTIONS
fi
