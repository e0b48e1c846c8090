# rows_instrument.sh - a program with hooks, recorded by us and by uftrace
#
# Some functions call as many others, twice two events each time, all in turns.
# With 5,000 in all a good part of the time is that of the program itself, whose
# code does not fit in the nearest cache; two show what the hooks cost.

# hooked_source CALLERS
hooked_source()
{
	awk -v each="$1" -v rounds=$((records / 20 / $1)) 'BEGIN {
		print "#define KEPT __attribute__((noinline)) static void"
		for (i = 0; i < each; i++) {
			print "KEPT b" i "(void) { __asm__ volatile(\"\"); }"
			print "KEPT a" i "(void) { b" i "();" \
			    " __asm__ volatile(\"\"); }"
		}
		print "static void (*const all[])(void) = {"
		for (i = 0; i < each; i++)
			print "a" i ","
		print "};"
		print "__attribute__((no_instrument_function)) int main(void)"
		print "{ for (int n = 0; n < " rounds "; n++)"
		print "for (int i = 0; i < " each "; i++) all[i](); }"
	}'
}

# hooked_row CALLERS NAME
hooked_row()
{
	hooked_source "$1" >hooked.c
	${CC-cc} -O2 -finstrument-functions -o hooked hooked.c || exit 1
	row "$2" 0.40 'exec uftrace record --no-libcall -d fresh.$$ ./hooked' \
	    'exec dmtrace record -q -o fresh.key -- ./hooked'
	rm -f hooked hooked.c
}

runs_before=$runs
runs=${BENCH_RUNS-9}
if command -v uftrace >/dev/null; then
	hooked_row 2500 '5,000 hooked (base: uftrace)'
	hooked_row 1 'two hooked (base: uftrace)'
else
	echo 'hooks: there is no uftrace here to compare with'
fi
runs=$runs_before
