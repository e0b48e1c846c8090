# rows_instrument.sh - a program with hooks, recorded by us and by uftrace
#
# 2,500 functions call 2,500 others, twice two events each round.

hooked_source()
{
	awk 'BEGIN {
		print "#define KEPT __attribute__((noinline)) static void"
		for (i = 0; i < 2500; i++) {
			print "KEPT b" i "(void) { __asm__ volatile(\"\"); }"
			print "KEPT a" i "(void) { b" i "();" \
			    " __asm__ volatile(\"\"); }"
		}
		print "static void (*const all[])(void) = {"
		for (i = 0; i < 2500; i++)
			print "a" i ","
		print "};"
		print "__attribute__((no_instrument_function)) int main(void)"
		print "{ for (int n = 0; n < '"$((records / 10000 / 5))"'; n++)"
		print "for (int i = 0; i < 2500; i++) all[i](); }"
	}'
}

if command -v uftrace >/dev/null; then
	hooked_source >hooked.c
	${CC-cc} -O2 -finstrument-functions -o hooked hooked.c || exit 1
	row 'hooks (base: uftrace record)' 0.40 \
	    'exec uftrace record --no-libcall -d fresh.$$ ./hooked' \
	    'exec dmtrace record -q -o fresh.key -- ./hooked'
	rm -rf hooked hooked.c fresh.*
else
	echo 'hooks: there is no uftrace here to compare with'
fi
